#include "supremum/reference.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "reference/elements.h"

namespace supremum::reference {
namespace {

template <class T>
void Write(const MutableTensorView& view, const Index& index, const Index& strides, Scalar<T> value) {
  std::int64_t distance = 0;
  for (std::size_t d = 0; d < index.size(); ++d) distance += index[d] * strides[d];
  const Stored<T> stored = static_cast<Stored<T>>(value);
  std::memcpy(static_cast<std::byte*>(view.data) + distance * static_cast<std::int64_t>(sizeof(T)), &stored,
              sizeof(T));
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
  if (shapes.empty()) return MakeError(ErrorCode::kInputCount, "MAX-1", "Max takes at least one input");
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
        return MakeError(ErrorCode::kNotBroadcastable, "BRO-2",
                         "in dimension " + std::to_string(rank - j) + " extents " +
                             std::to_string(extents[0]) + " and " + std::to_string(extent) + " meet");
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
      return MakeError(ErrorCode::kAxis, "RED-2",
                       "axis " + std::to_string(axis) + " of rank " + std::to_string(rank) +
                           (in_range ? " is named twice" : " is out of range"));
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
