// XNNPACK: the maximum of two float tensors, two at a time for more.
#include <xnnpack.h>

#include <array>
#include <cstdio>

#include "kit.h"

namespace {

void Check(xnn_status status, const std::string& what) {
  constexpr std::array<const char*, 7> kNames = {
      "success",       "uninitialized",         "invalid parameter",
      "invalid state", "unsupported parameter", "unsupported hardware",
      "out of memory"};
  if (status == xnn_status_success) return;
  const std::string text = what + ": " + (status < kNames.size() ? kNames[status] : std::to_string(status));
  switch (status) {
    case xnn_status_invalid_parameter:  // so it says to ranks and extents that it does not take
    case xnn_status_unsupported_parameter:
    case xnn_status_unsupported_hardware:
      throw kit::Unsupported(text);
    default:
      throw std::runtime_error(text);
  }
}

kit::Tensor Maximum(const kit::Tensor& a, const kit::Tensor& b, kit::Tensor y) {
  static_assert(XNN_EXTRA_BYTES <= 64, "kit::Tensor may be read for 64 bytes beyond its end");
  const std::vector<std::size_t> a_shape(a.shape.begin(), a.shape.end()),
      b_shape(b.shape.begin(), b.shape.end());
  xnn_operator_t made = nullptr;
  Check(xnn_create_maximum_nd_f32(0, &made), "xnn_create_maximum_nd_f32");
  const std::unique_ptr<xnn_operator, xnn_status (*)(xnn_operator_t)> op(made, xnn_delete_operator);
  Check(xnn_setup_maximum_nd_f32(op.get(), a_shape.size(), a_shape.data(), b_shape.size(), b_shape.data(),
                                 a.As<const float>(), b.As<const float>(), y.As<float>(), nullptr),
        "xnn_setup_maximum_nd_f32");
  Check(xnn_run_operator(op.get(), nullptr), "xnn_run_operator");
  return y;
}

kit::Tensor Run(const kit::Case& problem) {
  if (problem.op != "Max") throw kit::Unsupported("xnnpack.h has no reduction to a maximum");
  if (problem.type != "float32") throw kit::Unsupported("xnnpack.h has no maximum of " + problem.type);
  if (problem.inputs.size() < 2) throw kit::Unsupported("xnn_create_maximum_nd_f32 takes two tensors");
  kit::Case pair = problem;
  kit::Tensor y = problem.inputs[0];
  for (std::size_t m = 1; m < problem.inputs.size(); ++m) {
    pair.inputs = {y, problem.inputs[m]};
    y = Maximum(y, problem.inputs[m], kit::Tensor(kit::BroadcastShape(pair), problem.width));
  }
  return y;
}

}  // namespace

int main(int argc, char** argv) {
  const kit::Arguments arguments = kit::ParseArguments(argc, argv);
  if (xnn_initialize(nullptr) != xnn_status_success) {
    std::fputs("xnnpack: xnn_initialize says that this processor is not supported\n", stderr);
    return 77;
  }
  return kit::RunCases(arguments, {"XNNPACK", XNNPACK_VERSION}, Run);
}
