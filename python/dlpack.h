// DLPack: tensors of other packages come in, and results go out, without a copy.
#ifndef SUPREMUM_PYTHON_DLPACK_H_
#define SUPREMUM_PYTHON_DLPACK_H_

#include <dlpack/dlpack.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string_view>

#include "supremum/dtype.h"
#include "supremum/tensor.h"

namespace supremum::python {

/// A tensor of another package, as it shows itself.
struct Imported {
  DType dtype;
  const DLTensor* managed;
  pybind11::object keep;  ///< the tensor's memory stays as long as this does
};

/// What `object.__dlpack__()` shows.
///
/// Errors: kInvalidArgument if it refuses, or is not in this machine's memory; kTypeNotAdmitted.
Imported ImportDLPack(PyObject* object, std::string_view name);

/// The tensor as a DLPack capsule that keeps it. `shown_as` is the type that it claims, of the same width.
pybind11::capsule ExportDLPack(const std::shared_ptr<Tensor>& tensor, DType shown_as);

/// The tensor as `like`'s package makes it of DLPack. An empty object if the package has no `from_dlpack`.
pybind11::object AsTensorLike(PyObject* like, const std::shared_ptr<Tensor>& tensor);

/// Adds the class DLPackTensor to the module: a result for which there is no better type.
void AddDLPackTensor(pybind11::module_& module);

/// A DLPackTensor.
pybind11::object AsDLPackTensor(const std::shared_ptr<Tensor>& tensor);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_DLPACK_H_
