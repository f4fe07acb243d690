// Views of tensors: type, shape, strides and the address of the data. A view owns nothing.
#ifndef SUPREMUM_TENSOR_VIEW_H_
#define SUPREMUM_TENSOR_VIEW_H_

#include "supremum/borrowed.h"
#include "supremum/dtype.h"
#include "supremum/shape.h"

namespace supremum {

/// A tensor that is read. The element at index i (one coordinate a dimension) has the address
///
///   data + ByteWidth(dtype) * (i[0]*strides[0] + ... + i[rank-1]*strides[rank-1]).
///
/// Strides are in elements, may be zero or negative (MEM-1), and are as many as the extents; an empty list of
/// strides means row-major without gaps. `data` need not be aligned, and may be null if there are no
/// elements. Only bytes of elements are loaded. `shape` and `strides` are not copied: the lists must
/// outlive the view, and a temporary list does not compile (borrowed.h). A function that takes views reads
/// them only during the call, unless it says otherwise.
///
///   const float x[6] = {1, 2, 3, 4, 5, 6};
///   const Shape shape{2, 3}, transposed{3, 2}, swapped_strides{1, 3};
///   TensorView rows = TensorView::Of(x, shape);
///   TensorView columns = TensorView::Of(x, transposed, swapped_strides);
struct TensorView {
  DType dtype = DType::kFloat32;
  Borrowed<DimsView> shape;
  Borrowed<DimsView> strides;
  const void* data = nullptr;

  template <Element T>
  static TensorView Of(const T* data, Borrowed<DimsView> shape, Borrowed<DimsView> strides = {}) {
    return TensorView{kDTypeOf<T>, shape, strides, data};
  }
};

/// A tensor that is written; otherwise as TensorView. Different indices must have different addresses
/// (MEM-1): a stride of zero is an error if the extent exceeds 1.
struct MutableTensorView {
  DType dtype = DType::kFloat32;
  Borrowed<DimsView> shape;
  Borrowed<DimsView> strides;
  void* data = nullptr;

  template <Element T>
  static MutableTensorView Of(T* data, Borrowed<DimsView> shape, Borrowed<DimsView> strides = {}) {
    return MutableTensorView{kDTypeOf<T>, shape, strides, data};
  }

  operator TensorView() const { return TensorView{dtype, shape, strides, data}; }
};

}  // namespace supremum

#endif  // SUPREMUM_TENSOR_VIEW_H_
