// DLPack: imports tensors of other packages and exports results, without copying.
#ifndef SUPREMUM_PYTHON_DLPACK_H_
#define SUPREMUM_PYTHON_DLPACK_H_

#include <dlpack/dlpack.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string_view>

#include "supremum/dtype.h"
#include "supremum/tensor.h"
#include "supremum/tensor_view.h"

namespace supremum::python {

/// A tensor of another package, owned by this object: the destructor calls the package's deleter.
struct Imported {
  struct Release {
    void (*release)(void*);
    void operator()(void* taken) const { release(taken); }
  };
  std::unique_ptr<void, Release> managed{nullptr, {nullptr}};
  DLTensor tensor;
  TensorView view;  ///< points to the extents and strides of `tensor`
};

/// The tensor that `method`, which is `object.__dlpack__`, returns. It is asked for a capsule of DLPack 1,
/// which can state that a tensor is read-only; if it does not know that argument, for a capsule without a
/// version.
///
/// Errors: kInvalidArgument if it refuses. A TypeError if it returns something else, or a used capsule. If
///   `writable`, also for a tensor that is read-only or a copy of the object's. Another major version of
///   DLPack is an error, too. Those of capi::CheckedViewOf for an invalid description.
Imported ImportDLPack(PyObject* object, PyObject* method, std::string_view name, bool writable);

/// The tensor as a DLPack capsule that owns it, of DLPack 1 if `versioned`, otherwise of DLPack 0. The
/// capsule states the type `shown_as`, of the same width, and `copied`: the tensor is a copy of the exporting
/// object's.
pybind11::capsule ExportDLPack(const std::shared_ptr<Tensor>& tensor, DType shown_as, bool versioned = false,
                               bool copied = false);

/// The tensor as the package of `like` imports it through DLPack. An empty object if that package has no
/// `from_dlpack`.
pybind11::object AsTensorLike(PyObject* like, const std::shared_ptr<Tensor>& tensor);

/// Adds the class DLPackTensor to the module: a result whose type NumPy does not have.
void AddDLPackTensor(pybind11::module_& module);

/// A DLPackTensor.
pybind11::object AsDLPackTensor(const std::shared_ptr<Tensor>& tensor);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_DLPACK_H_
