// The output of a call: the caller's `out`, or a new tensor of the first operand's kind.
#ifndef SUPREMUM_PYTHON_OUTPUT_H_
#define SUPREMUM_PYTHON_OUTPUT_H_

#include <pybind11/pybind11.h>

#include <memory>
#include <span>

#include "operand.h"
#include "supremum/dtype.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"
#include "supremum/tensor_view.h"

namespace supremum::python {

class Output {
 public:
  /// Uses the caller's tensor. As in NumPy, `out` may be a tuple of one tensor.
  void Use(PyObject* out);

  /// Makes a new tensor of the package that `like` is from, or an array of NumPy. In arrays of NumPy and
  /// tensors of PyTorch the dimensions have the order in memory that they have in `inputs`, which are
  /// broadcast to `shape`: NumPy's order K. Others are row-major.
  ///
  /// Errors: kInvalidArgument if the result is an array and NumPy is not installed; what NumPy itself raises.
  void Make(DType dtype, DimsView shape, const Operand& like, std::span<const TensorView> inputs);

  /// The caller's tensor; it has no object if a new one is made.
  Operand& given() { return given_; }
  static constexpr const char* kName = "output 'out'";

  /// The memory to write to.
  MutableTensorView view() const { return view_; }

  /// Returns the object for the caller when the result has been written.
  pybind11::object Finish();

 private:
  Operand given_;
  Shape shape_, strides_;
  MutableTensorView view_;
  pybind11::object made_;  // of NumPy or PyTorch
  bool of_numpy_ = false;
  std::shared_ptr<Tensor> tensor_;  // of another package, to be made
  PyObject* like_ = nullptr;
};

/// The tensor as a Python object: of the package of `like` if that imports DLPack, otherwise an array of
/// NumPy, or a DLPackTensor if NumPy does not have the type. `like` may be null.
pybind11::object AsPython(PyObject* like, const std::shared_ptr<Tensor>& tensor);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_OUTPUT_H_
