#include "io/formats/element_file.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "core/walk.h"
#include "io/files/messages.h"
#include "io/formats/byte_order.h"
#include "io/formats/npy.h"
#include "io/formats/raw.h"
#include "io/formats/safetensors.h"

namespace supremum::io {
namespace {

// In bytes; a multiple of the width of every type.
constexpr std::size_t kChunk = std::size_t{1} << 18;

Shape Reversed(Shape dims) {
  std::ranges::reverse(dims);
  return dims;
}

// Copies elements from column-major to row-major order.
class RowMajorScatter {
 public:
  explicit RowMajorScatter(Tensor* tensor)
      : out_(tensor->bytes().data()),
        extents_(Reversed(tensor->shape())),
        strides_(Reversed(RowMajorStrides(tensor->shape()))),
        walk_(extents_, {strides_}) {}

  template <std::size_t kWidth>
  void Put(std::span<const std::byte> elements) {
    for (std::size_t i = 0; i < elements.size(); i += kWidth, walk_.Next()) {
      std::memcpy(out_ + static_cast<std::size_t>(walk_.offset(0)) * kWidth, elements.data() + i, kWidth);
    }
  }
  void Put(std::span<const std::byte> elements, std::size_t width) {
    if (width == 1) Put<1>(elements);
    if (width == 2) Put<2>(elements);
    if (width == 4) Put<4>(elements);
    if (width == 8) Put<8>(elements);
  }

 private:
  std::byte* out_;
  Shape extents_, strides_;  // innermost in the file last
  Walk<1> walk_;
};

Result<void> FillFrom(ByteSource& source, const Elements& elements, Tensor* tensor) {
  const std::size_t width = ByteWidth(elements.dtype);
  const bool swap = elements.big_endian != kBigEndianMachine && width > 1;
  const bool scatter = elements.fortran_order && elements.shape.rank() > 1;
  const bool check = elements.dtype == DType::kBool;
  std::span<std::byte> rest = tensor->bytes();
  if (!swap && !scatter && !check) return source.Read(rest);

  std::unique_ptr<std::byte[]> buffer;
  if (scatter) {
    buffer.reset(new (std::nothrow) std::byte[kChunk]);
    if (buffer == nullptr) {
      return ErrorAt(ErrorCode::kOutOfMemory, elements.where,
                     "no memory for reading; free memory and try again");
    }
  }
  RowMajorScatter out(tensor);
  std::int64_t offset = elements.offset;
  while (!rest.empty()) {
    const std::size_t size = std::min(rest.size(), kChunk);
    const std::span<std::byte> chunk = scatter ? std::span(buffer.get(), size) : rest.first(size);
    if (auto done = source.Read(chunk); !done) return done;
    if (check) {
      if (auto bools = CheckBools(elements.where, offset, chunk, elements.bool_advice); !bools) return bools;
    }
    if (swap) SwapBytes(chunk, width);
    if (scatter) out.Put(chunk, width);
    rest = rest.subspan(size);
    offset += static_cast<std::int64_t>(size);
  }
  return {};
}

}  // namespace

bool HasElementsInOnePiece(std::string_view spec) {
  if (LooksLikeRaw(spec)) return true;
  const auto [file, tensor] = SplitTensorName(std::string(spec));
  return file.ends_with(".safetensors") || (file.ends_with(".npy") && !tensor);
}

Result<ElementFile> OpenElements(const std::string& spec, const ReadOptions& options) {
  const auto [path, tensor] = SplitTensorName(spec);
  if (LooksLikeRaw(spec) || !HasElementsInOnePiece(spec)) return OpenRaw(spec, options.stated_dtype);
  return path.ends_with(".npy") ? OpenNpy(path, options) : OpenSafetensors(path, options, tensor);
}

Result<NamedTensor> ReadElements(ByteSource& source, const Elements& elements, std::int64_t max_bytes) {
  Result<Tensor> tensor = Tensor::Create(elements.dtype, elements.shape, max_bytes);
  if (!tensor) return ErrorAt(elements.where, tensor.error());
  if (auto done = FillFrom(source, elements, &*tensor); !done) return done.error();
  if (auto done = source.Finish(); !done) return done.error();
  return NamedTensor{elements.name, *std::move(tensor)};
}

Result<NamedTensor> ReadElements(const InputFile& file, const Elements& elements, std::int64_t max_bytes) {
  FileSource source(file, elements.where, elements.offset);
  return ReadElements(source, elements, max_bytes);
}

Result<NamedTensor> ReadElements(const Result<ElementFile>& opened, std::int64_t max_bytes) {
  if (!opened) return opened.error();
  return ReadElements(opened->file, *opened, max_bytes);
}

}  // namespace supremum::io
