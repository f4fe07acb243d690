#include "io/formats/npy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/quote.h"
#include "core/walk.h"
#include "io/files/atomic_file.h"
#include "io/files/messages.h"
#include "io/formats/byte_order.h"

namespace supremum::io {
namespace {

// In bytes; a multiple of the width of every type.
constexpr std::size_t kChunk = std::size_t{1} << 18;
class FileSource final : public ByteSource {
 public:
  explicit FileSource(const InputFile& file, std::int64_t position = 0)
      : file_(file), where_(Quote(file.path())), position_(position) {}

  const std::string& where() const override { return where_; }
  std::int64_t size() const override { return file_.size(); }
  Result<void> Read(std::span<std::byte> into) override {
    const std::int64_t start = position_;
    position_ += static_cast<std::int64_t>(into.size());
    return file_.ReadAt(start, into);
  }
  Result<void> Finish() override { return {}; }

 private:
  const InputFile& file_;
  std::string where_;
  std::int64_t position_;
};

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

// Checks the size that the header claims against that of the file, before memory is allocated.
Result<void> CheckSize(const NpyHeader& header, const ByteSource& source) {
  const std::int64_t present = source.size() - header.data_offset;
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(header.dtype));
  const std::optional<std::int64_t> count = ElementCount(header.shape);
  if (count && *count <= INT64_MAX / width && *count * width == present) return {};
  const std::string bytes = count && *count <= INT64_MAX / width ? std::to_string(*count * width) + " bytes"
                                                                 : "more than 2^63 - 1 bytes";
  return ErrorAt(ErrorCode::kMalformedFile, source.where(),
                 "'shape' " + ToString(header.shape) + " of " + std::string(Name(header.dtype)) + " takes " +
                     bytes + ", but after the header, from byte " + std::to_string(header.data_offset) +
                     " on, there are " + std::to_string(present) +
                     "; the file is damaged: write it again with numpy.save");
}

// The header of an array that `source` has in full.
Result<NpyHeader> ReadHeader(ByteSource& source, const ReadOptions& options, const std::string& name) {
  std::optional<UnsupportedTensor> unsupported;
  Result<NpyHeader> header = ReadNpyHeader(source, options.stated_dtype, &unsupported);
  if (unsupported) NoteUnsupported(options, {name, unsupported->type_name, unsupported->shape});
  if (!header) return header;
  if (auto fits = CheckSize(*header, source); !fits) return fits.error();
  return header;
}

// `bool_advice` ends the text of the error for a bool that is neither 0 nor 1.
Result<void> FillFrom(ByteSource& source, const NpyHeader& header, std::string_view bool_advice,
                      Tensor* tensor) {
  const std::size_t width = ByteWidth(header.dtype);
  const bool swap = header.big_endian != kBigEndianMachine && width > 1;
  const bool scatter = header.fortran_order && header.shape.rank() > 1;
  const bool check = header.dtype == DType::kBool;
  std::span<std::byte> rest = tensor->bytes();
  if (!swap && !scatter && !check) return source.Read(rest);

  std::unique_ptr<std::byte[]> buffer;
  if (scatter) {
    buffer.reset(new (std::nothrow) std::byte[kChunk]);
    if (buffer == nullptr) {
      return ErrorAt(ErrorCode::kOutOfMemory, source.where(),
                     "no memory for reading; free memory and try again");
    }
  }
  RowMajorScatter out(tensor);
  std::int64_t offset = header.data_offset;
  while (!rest.empty()) {
    const std::size_t size = std::min(rest.size(), kChunk);
    const std::span<std::byte> chunk = scatter ? std::span(buffer.get(), size) : rest.first(size);
    if (auto done = source.Read(chunk); !done) return done;
    if (check) {
      if (auto bools = CheckBools(source.where(), offset, chunk, bool_advice); !bools) return bools;
    }
    if (swap) SwapBytes(chunk, width);
    if (scatter) out.Put(chunk, width);
    rest = rest.subspan(size);
    offset += static_cast<std::int64_t>(size);
  }
  return {};
}

// Requires: `source` is at the first element, and has as many as the header states.
Result<Tensor> ReadAfterHeader(ByteSource& source, const NpyHeader& header, std::int64_t max_bytes,
                               std::string_view bool_advice) {
  Result<Tensor> tensor = Tensor::Create(header.dtype, header.shape, max_bytes);
  if (!tensor) return ErrorAt(source.where(), tensor.error());
  if (auto done = FillFrom(source, header, bool_advice, &*tensor); !done) return done.error();
  if (auto done = source.Finish(); !done) return done.error();
  return tensor;
}

}  // namespace

Result<Tensor> ParseNpy(ByteSource& source, const ReadOptions& options, const std::string& name) {
  const Result<NpyHeader> header = ReadHeader(source, options, name);
  if (!header) return header.error();
  return ReadAfterHeader(source, *header, options.max_bytes, kNpyBoolAdvice);
}

Result<NpyHeader> ReadNpyHeader(const InputFile& file, const ReadOptions& options) {
  FileSource source(file);
  return OrContentError(file, ReadHeader(source, options, ""));
}

Result<Tensor> ReadNpyElements(const InputFile& file, const NpyHeader& header, std::int64_t max_bytes,
                               std::string_view bool_advice) {
  FileSource source(file, header.data_offset);
  return ReadAfterHeader(source, header, max_bytes, bool_advice);
}

Result<NamedTensor> ReadNpy(const std::string& path, const ReadOptions& options) {
  const Result<InputFile> file = InputFile::Open(path);
  if (!file) return file.error();
  const Result<NpyHeader> header = ReadNpyHeader(*file, options);
  if (!header) return header.error();
  Result<Tensor> tensor = ReadNpyElements(*file, *header, options.max_bytes, kNpyBoolAdvice);
  if (!tensor) return tensor.error();
  return NamedTensor{"", *std::move(tensor)};
}

}  // namespace supremum::io
