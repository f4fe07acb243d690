#include "supremum/reference.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>

namespace supremum::reference {
namespace {

using Index = std::vector<std::int64_t>;

// Where each type's floats keep their exponent and fraction (IEEE 754, table 3.5; bfloat16 is a binary32
// without its last 16 bits).
struct FloatFormat {
  int exponent_bits;
  int fraction_bits;
};

template <class T>
constexpr FloatFormat kFormat = {};
template <>
constexpr FloatFormat kFormat<BFloat16> = {8, 7};
template <>
constexpr FloatFormat kFormat<Float16> = {5, 10};
template <>
constexpr FloatFormat kFormat<float> = {8, 23};
template <>
constexpr FloatFormat kFormat<double> = {11, 52};

// A float taken apart. Comparing the parts one after the other is comparing the values, subnormals included
// (ORD-6).
struct Float {
  bool negative;
  std::uint64_t exponent;
  std::uint64_t fraction;
};

Float TakeApart(std::uint64_t bits, FloatFormat format) {
  const std::uint64_t fraction = bits % (std::uint64_t{1} << format.fraction_bits);
  bits >>= format.fraction_bits;
  const std::uint64_t exponent = bits % (std::uint64_t{1} << format.exponent_bits);
  bits >>= format.exponent_bits;
  return Float{bits != 0, exponent, fraction};
}

std::uint64_t LargestExponent(FloatFormat format) { return (std::uint64_t{1} << format.exponent_bits) - 1; }

bool IsNaN(const Float& a, FloatFormat format) {
  return a.exponent == LargestExponent(format) && a.fraction != 0;
}

// ORD-2, line by line.
bool Less(const Float& a, const Float& b) {
  if (a.negative != b.negative) return a.negative;
  const bool smaller_magnitude = std::tie(a.exponent, a.fraction) < std::tie(b.exponent, b.fraction);
  const bool larger_magnitude = std::tie(a.exponent, a.fraction) > std::tie(b.exponent, b.fraction);
  return a.negative ? larger_magnitude : smaller_magnitude;
}

// ORD-4: the quiet NaN with a positive sign and no other fraction bit.
std::uint64_t CanonicalNaN(FloatFormat format) {
  return (LargestExponent(format) * 2 + 1) << (format.fraction_bits - 1);
}

// Floats are handled as their bits, in the low end of 64; booleans as their byte; integers as themselves.
template <class T>
using Scalar = std::conditional_t<IsFloat(kDTypeOf<T>), std::uint64_t,
                                  std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>>;

template <class T>
Scalar<T> JoinValues(Scalar<T> a, Scalar<T> b) {
  if constexpr (IsFloat(kDTypeOf<T>)) {
    constexpr FloatFormat format = kFormat<T>;
    const Float x = TakeApart(a, format), y = TakeApart(b, format);
    if (IsNaN(x, format) || IsNaN(y, format)) return CanonicalNaN(format);  // ORD-3
    return Less(x, y) ? b : a;
  } else if constexpr (std::is_same_v<T, bool>) {
    return a != 0 || b != 0 ? 1 : 0;  // TYP-4: false < true
  } else {
    return std::max(a, b);  // ORD-1
  }
}

// A narrow element lands in the low end of a wide one.
static_assert(std::endian::native == std::endian::little);

template <class T>
Scalar<T> Read(const TensorView& view, const Index& index, const Index& strides) {
  std::int64_t distance = 0;
  const std::size_t missing = index.size() - view.shape.size();
  for (std::size_t d = 0; d < view.shape.size(); ++d) {
    if (view.shape[d] != 1) distance += index[missing + d] * strides[d];
  }
  Scalar<T> value{};
  std::memcpy(&value,
              static_cast<const std::byte*>(view.data) + distance * static_cast<std::int64_t>(sizeof(T)),
              sizeof(T));
  return value;
}

Index Strides(const TensorView& view) {
  if (!view.strides.empty()) return Index(view.strides.begin(), view.strides.end());
  Index strides(view.shape.size(), 1);
  for (std::size_t d = view.shape.size(); d-- > 1;) strides[d - 1] = strides[d] * view.shape[d];
  return strides;
}

template <class T>
void Write(const MutableTensorView& view, const Index& index, const Index& strides, Scalar<T> value) {
  std::int64_t distance = 0;
  for (std::size_t d = 0; d < index.size(); ++d) distance += index[d] * strides[d];
  std::memcpy(static_cast<std::byte*>(view.data) + distance * static_cast<std::int64_t>(sizeof(T)), &value,
              sizeof(T));
}

// RED-6, RED-7: the maximum over no elements.
template <class T>
Scalar<T> Least() {
  if constexpr (IsFloat(kDTypeOf<T>)) {  // -inf: the sign, and the largest exponent
    constexpr FloatFormat format = kFormat<T>;
    return ((std::uint64_t{1} << format.exponent_bits) + LargestExponent(format)) << format.fraction_bits;
  } else if constexpr (std::is_same_v<T, bool>) {
    return 0;
  } else {
    return std::numeric_limits<T>::lowest();
  }
}

template <class T>
void MaxOf(std::span<const TensorView> inputs, const MutableTensorView& output) {
  std::vector<Index> strides;
  for (const TensorView& input : inputs) strides.push_back(Strides(input));
  const Index output_strides = Strides(output);
  const Index shape(output.shape.begin(), output.shape.end());
  Index index(shape.size(), 0);
  do {
    Scalar<T> joined = Read<T>(inputs[0], index, strides[0]);
    joined = JoinValues<T>(joined, joined);  // one input alone: ORD-4
    for (std::size_t m = 1; m < inputs.size(); ++m) {
      joined = JoinValues<T>(joined, Read<T>(inputs[m], index, strides[m]));
    }
    Write<T>(output, index, output_strides, joined);
  } while (NextIndex(shape, index));
}

// All elements are read first and written last, through the generic form.
template <class T>
void ReduceMaxOf(const TensorView& source, const MutableTensorView& output, const std::optional<Index>& axes,
                 bool keepdims) {
  Tensor<Scalar<T>> x{Index(source.shape.begin(), source.shape.end()), {}};
  const bool empty = std::find(x.shape.begin(), x.shape.end(), 0) != x.shape.end();
  const Index source_strides = Strides(source), output_strides = Strides(output);
  Index index(x.shape.size(), 0);
  if (!empty) {
    do {
      x.values.push_back(Read<T>(source, index, source_strides));
    } while (NextIndex(x.shape, index));
  }
  const Result<Tensor<Scalar<T>>> y = ReduceMax(x, axes, keepdims, Least<T>(), JoinValues<T>);
  index.assign(y->shape.size(), 0);
  for (Scalar<T> value : y->values) {
    Write<T>(output, index, output_strides, value);
    NextIndex(y->shape, index);
  }
}

}  // namespace

Result<std::vector<std::int64_t>> BroadcastShape(const std::vector<std::vector<std::int64_t>>& shapes) {
  if (shapes.empty()) return MakeError(ErrorCode::kInputCount, "Max takes at least one input (MAX-1)");
  std::size_t rank = 0;
  for (const Index& shape : shapes) rank = std::max(rank, shape.size());
  Index common(rank, 1);
  for (std::size_t j = 1; j <= rank; ++j) {  // counted from the last dimension (BRO-1)
    std::vector<std::int64_t> extents;       // those other than 1 (BRO-2)
    for (const Index& shape : shapes) {
      const std::int64_t extent = j <= shape.size() ? shape[shape.size() - j] : 1;
      if (extent < 0) return MakeError(ErrorCode::kInvalidShape, "an extent is negative");
      if (extent != 1) extents.push_back(extent);
    }
    for (std::int64_t extent : extents) {
      if (extent != extents[0]) {
        return MakeError(ErrorCode::kNotBroadcastable,
                         "in dimension " + std::to_string(rank - j) + " extents " +
                             std::to_string(extents[0]) + " and " + std::to_string(extent) + " meet (BRO-2)");
      }
    }
    if (!extents.empty()) common[rank - j] = extents[0];
  }
  return common;
}

std::size_t BroadcastPosition(const std::vector<std::int64_t>& shape,
                              const std::vector<std::int64_t>& index) {
  const std::size_t missing = index.size() - shape.size();
  std::int64_t position = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    position = position * shape[d] + (shape[d] == 1 ? 0 : index[missing + d]);
  }
  return static_cast<std::size_t>(position);
}

bool NextIndex(const std::vector<std::int64_t>& shape, std::vector<std::int64_t>& index) {
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (++index[d] < shape[d]) return true;
    index[d] = 0;
  }
  return false;
}

Result<void> Max(std::span<const TensorView> inputs, MutableTensorView output) {
  std::vector<Index> shapes;
  for (const TensorView& input : inputs) shapes.emplace_back(input.shape.begin(), input.shape.end());
  const Result<Index> shape = BroadcastShape(shapes);
  if (!shape) return shape.error();
  if (std::find(shape->begin(), shape->end(), 0) != shape->end()) return {};  // BRO-3
  VisitDType(output.dtype, [&](auto tag) { MaxOf<typename decltype(tag)::type>(inputs, output); });
  return {};
}

Result<std::vector<bool>> ReducedDimensions(const std::optional<Index>& axes, std::size_t rank) {
  if (!axes) return std::vector<bool>(rank, true);
  std::vector<bool> reduced(rank, false);
  const std::int64_t r = static_cast<std::int64_t>(rank);
  for (std::int64_t axis : *axes) {
    const bool in_range = -r <= axis && axis < r;
    const std::size_t d = static_cast<std::size_t>(axis < 0 ? axis + r : axis);
    if (!in_range || reduced[d]) {
      return MakeError(ErrorCode::kAxis, "axis " + std::to_string(axis) + " of rank " + std::to_string(rank) +
                                             (in_range ? " is named twice" : " is out of range") +
                                             " (RED-2)");
    }
    reduced[d] = true;
  }
  return reduced;
}

Result<void> ReduceMax(const TensorView& source, MutableTensorView output,
                       std::optional<std::span<const std::int64_t>> axes, bool keepdims) {
  std::optional<Index> list;
  if (axes) list.emplace(axes->begin(), axes->end());
  const Result<std::vector<bool>> reduced = ReducedDimensions(list, source.shape.size());
  if (!reduced) return reduced.error();
  VisitDType(output.dtype,
             [&](auto tag) { ReduceMaxOf<typename decltype(tag)::type>(source, output, list, keepdims); });
  return {};
}

}  // namespace supremum::reference
