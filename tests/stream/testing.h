// Streams of small files in tiny tiles.
#ifndef SUPREMUM_TESTS_STREAM_TESTING_H_
#define SUPREMUM_TESTS_STREAM_TESTING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/walk.h"
#include "io/formats/npy_header.h"
#include "io/formats/safetensors_header.h"
#include "stream/stream.h"
#include "support/values.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/tensor.h"

namespace supremum::test {

inline std::string ReadBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void WriteBytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline Tensor RandomTensor(Rng& rng, DType dtype, const Shape& shape) {
  Tensor tensor = Tensor::Create(dtype, shape).value();
  const std::size_t width = ByteWidth(dtype);
  const std::vector<std::uint64_t> special = SpecialBits(dtype == DType::kBool ? DType::kUInt8 : dtype);
  for (std::size_t i = 0; i < tensor.byte_size(); i += width) {
    const std::uint64_t bits = dtype == DType::kBool ? rng() & 1 : RandomBits(rng, dtype, special);
    std::memcpy(tensor.bytes().data() + i, &bits, width);
  }
  return tensor;
}

/// How a file holds its elements.
enum class Layout { kNpy, kRaw, kColumnsFirst, kBigEndian, kSafetensors };

/// Writes the tensor, and returns what a reader must be given to read it.
inline std::string WriteAs(const std::string& path, const Tensor& tensor, Layout layout) {
  const std::size_t width = ByteWidth(tensor.dtype());
  const Shape& shape = tensor.shape();
  std::string elements(tensor.byte_size(), '\0');
  std::copy_n(reinterpret_cast<const char*>(tensor.data()), tensor.byte_size(), elements.data());
  std::string header = io::NpyHeaderBytes(tensor.dtype(), shape);
  const auto replace = [&](const std::string& what, const std::string& with) {
    const std::size_t at = header.find(what);
    if (at != std::string::npos) header.replace(at, what.size(), with);
  };
  if (layout == Layout::kColumnsFirst) {
    replace("False", "True ");
    const Shape strides = RowMajorStrides(shape);
    Shape index = Shape::Filled(shape.rank(), 0);
    for (std::size_t i = 0; i < elements.size(); i += width) {
      const std::size_t at = static_cast<std::size_t>(DistanceTo(index, strides)) * width;
      std::memcpy(elements.data() + i, tensor.bytes().data() + at, width);
      for (std::size_t d = 0; d < shape.rank() && ++index[d] == shape[d]; ++d) index[d] = 0;
    }
  }
  if (layout == Layout::kBigEndian) {
    replace("'<", "'>");
    for (std::size_t i = 0; i < elements.size(); i += width) {
      std::reverse(elements.begin() + static_cast<std::ptrdiff_t>(i),
                   elements.begin() + static_cast<std::ptrdiff_t>(i + width));
    }
  }
  if (layout == Layout::kSafetensors) header = io::SafetensorsHeaderBytes("t", tensor.dtype(), shape);
  WriteBytes(path, layout == Layout::kRaw ? elements : header + elements);
  if (layout != Layout::kRaw) return path;
  std::string dims;
  for (const std::int64_t extent : shape) dims += (dims.empty() ? "" : "x") + std::to_string(extent);
  return "t:" + std::string(Name(tensor.dtype())) + ":" + dims + ":" + path;
}

/// Any layout that this tensor can have and that keeps every byte.
inline Layout RandomLayout(Rng& rng, const Tensor& tensor) {
  const Layout layout = static_cast<Layout>(Below(rng, 5));
  // A .npy file stores bfloat16 as V2, for which no byte order can be stated.
  const bool ordered = ByteWidth(tensor.dtype()) > 1 && tensor.dtype() != DType::kBFloat16;
  return layout == Layout::kBigEndian && !ordered ? Layout::kNpy : layout;
}

inline stream::Source OpenSource(const std::string& spec, DType dtype) {
  const bool npy = spec.ends_with(".npy");
  return stream::Source::Open(spec, npy ? std::optional(dtype) : std::nullopt).value();
}

/// The elements of a tensor as text, which can be compared.
inline std::string ElementsOf(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data()), tensor.byte_size()};
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_STREAM_TESTING_H_
