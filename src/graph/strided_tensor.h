// A tensor that owns memory with arbitrary strides.
#ifndef SUPREMUM_SRC_GRAPH_STRIDED_TENSOR_H_
#define SUPREMUM_SRC_GRAPH_STRIDED_TENSOR_H_

#include <cstdint>
#include <optional>
#include <string>

#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"
#include "supremum/tensor_view.h"

namespace supremum::graph {

/// True if `strides` are those of a row-major tensor of `shape` without gaps; strides that address nothing
/// are ignored.
bool IsRowMajor(const Shape& shape, const Shape& strides);

/// Copies the elements, bit by bit, to a tensor of the same type and shape. If several have the same address
/// in `to`, the last in row-major order is kept. No allocation.
void CopyElements(const TensorView& from, const MutableTensorView& to);

/// The memory that the elements of a strided tensor cover, from the lowest address to the highest. With
/// row-major strides it is just a Tensor of that shape.
class StridedTensor {
 public:
  /// Memory without initial content. `who` names the tensor in error texts.
  ///
  /// Requires: as many strides as extents, none of which is negative.
  /// Errors: kLimitExceeded if it takes more than `max_bytes`; kOutOfMemory.
  static Result<StridedTensor> Create(const std::string& who, DType dtype, const Shape& shape,
                                      const Shape& strides, std::int64_t max_bytes);

  std::size_t byte_size() const { return memory_.byte_size(); }

  /// Views that are valid until this tensor is moved or destroyed.
  TensorView View() const { return {memory_.dtype(), shape_, strides_, origin()}; }
  MutableTensorView MutableView() { return {memory_.dtype(), shape_, strides_, origin()}; }

  /// The index, in row-major order, of the first element that differs in a bit from that of `tensor`.
  std::optional<Shape> FirstDifference(const Tensor& tensor) const;

  /// Requires: row-major strides. This tensor is empty afterwards.
  Tensor Take() { return std::move(memory_); }

 private:
  std::byte* origin() const;

  template <class Visit>
  void ForEachElement(Visit visit) const;

  Tensor memory_;
  Shape shape_;
  Shape strides_;
  std::int64_t first_ = 0;  // in elements from the origin, never above 0
};

}  // namespace supremum::graph

#endif  // SUPREMUM_SRC_GRAPH_STRIDED_TENSOR_H_
