// The library's functions for the module supremum._torch. That module is not linked with the library, which
// the process would then hold twice, with two choices of kernels: supremum._core provides the functions.
#ifndef SUPREMUM_PYTHON_TORCH_LIBRARY_H_
#define SUPREMUM_PYTHON_TORCH_LIBRARY_H_

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "supremum/tensor_view.h"

namespace supremum::python {

struct TorchLibrary {
  /// As Max (supremum/max.h); an error is returned as its text, success as an empty one.
  std::string (*max)(std::span<const TensorView> inputs, const MutableTensorView& output,
                     std::size_t threads);
  /// As ReduceMax (supremum/reduce_max.h) over `axes`.
  std::string (*reduce_max)(const TensorView& source, const MutableTensorView& output,
                            std::span<const std::int64_t> axes, bool keepdims, std::size_t threads);
};

/// The capsule in supremum._core that holds a const TorchLibrary*; its name is the path of the attribute.
inline constexpr const char* kTorchLibraryCapsule = "supremum._core.torch_library";

/// Adds the capsule to supremum._core, and the version of PyTorch that supremum._torch was built for:
/// `torch_version`, empty if that module was not built.
void AddTorchLibrary(pybind11::module_& module);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_TORCH_LIBRARY_H_
