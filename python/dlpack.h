// DLPack: tensors of other packages come in, and results go out, without a copy.
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

/// A tensor of another package, as it describes itself, which is given back to it when this goes. Nobody else
/// can take it over meanwhile.
struct Imported {
  struct Release {
    void operator()(DLManagedTensor* taken) const;
  };
  std::unique_ptr<DLManagedTensor, Release> managed;
  DLTensor tensor;
  TensorView view;  ///< shows the extents and strides of `tensor`
};

/// What `object.__dlpack__()` returns, where `method` is `object.__dlpack__`. Of DLPack's interfaces this is
/// the one before 1.0, whose capsules every version gives who does not ask for others.
///
/// Errors: kInvalidArgument if it refuses; as a TypeError if it returns something else, or a capsule that is
///   used. A description that lies is as in C: capi::CheckedViewOf.
Imported ImportDLPack(PyObject* object, PyObject* method, std::string_view name);

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
