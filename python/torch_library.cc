#include "torch_library.h"

#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/result.h"

namespace supremum::python {
namespace {

std::string ErrorOf(Result<void> done) { return done ? std::string() : done.error().message; }

constexpr TorchLibrary kLibrary = {
    [](std::span<const TensorView> inputs, const MutableTensorView& output, std::size_t threads) {
      MaxOptions options;
      options.threads = threads;
      return ErrorOf(Max(inputs, output, options));
    },
    [](const TensorView& source, const MutableTensorView& output, std::span<const std::int64_t> axes,
       bool keepdims, std::size_t threads) {
      ReduceMaxOptions options;
      options.axes = axes;
      options.keepdims = keepdims;
      options.threads = threads;
      return ErrorOf(ReduceMax(source, output, options));
    }};

}  // namespace

void AddTorchLibrary(pybind11::module_& module) {
  module.attr("torch_library") = pybind11::capsule(&kLibrary, kTorchLibraryCapsule);
  module.attr("torch_version") = SUPREMUM_TORCH_VERSION;
}

}  // namespace supremum::python
