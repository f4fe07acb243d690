// XNNPACK: the maximum of two tensors, applied repeatedly for more. With SUPREMUM_XNNPACK_BINARY, several
// types through the function for all binary operators; otherwise only float32, through a function for
// maximum.
#include <xnnpack.h>

#include <array>
#include <cstdio>

#include "kit.h"

namespace {

static_assert(XNN_EXTRA_BYTES <= 64, "kit::Tensor may be read for 64 bytes beyond its end");

void Check(xnn_status status, const std::string& what) {
  constexpr std::array<const char*, 7> kNames = {
      "success",       "uninitialized",         "invalid parameter",
      "invalid state", "unsupported parameter", "unsupported hardware",
      "out of memory"};
  if (status == xnn_status_success) return;
  const std::string text = what + ": " + (status < kNames.size() ? kNames[status] : std::to_string(status));
  switch (status) {
    case xnn_status_invalid_parameter:  // its status for unsupported ranks and extents
    case xnn_status_unsupported_parameter:
    case xnn_status_unsupported_hardware:
      throw kit::Unsupported(text);
    default:
      throw std::runtime_error(text);
  }
}

using Operator = std::unique_ptr<xnn_operator, xnn_status (*)(xnn_operator_t)>;

#ifdef SUPREMUM_XNNPACK_BINARY

/// XNNPACK's own name of the type.
xnn_datatype DatatypeOf(const std::string& type) {
  if (type == "float32") return xnn_datatype_fp32;
  if (type == "float16") return xnn_datatype_fp16;
  if (type == "bfloat16") return xnn_datatype_bf16;
  if (type == "int32") return xnn_datatype_int32;
  throw kit::Unsupported("xnnpack.h has no type " + type);
}

kit::Tensor Maximum(const std::string& type, const kit::Tensor& a, const kit::Tensor& b, kit::Tensor y) {
  const std::vector<std::size_t> a_shape(a.shape.begin(), a.shape.end()),
      b_shape(b.shape.begin(), b.shape.end());
  xnn_operator_t made = nullptr;
  Check(xnn_create_binary_elementwise_nd(xnn_binary_maximum, DatatypeOf(type), nullptr, nullptr, nullptr, 0,
                                         &made),
        "xnn_create_binary_elementwise_nd");
  const Operator op(made, xnn_delete_operator);
  Check(xnn_reshape_binary_elementwise_nd(op.get(), a_shape.size(), a_shape.data(), b_shape.size(),
                                          b_shape.data(), nullptr),
        "xnn_reshape_binary_elementwise_nd");
  Check(xnn_setup_binary_elementwise_nd(op.get(), a.data.get(), b.data.get(), y.data.get()),
        "xnn_setup_binary_elementwise_nd");
  Check(xnn_run_operator(op.get(), nullptr), "xnn_run_operator");
  return y;
}

#else

kit::Tensor Maximum(const std::string& type, const kit::Tensor& a, const kit::Tensor& b, kit::Tensor y) {
  if (type != "float32") throw kit::Unsupported("xnnpack.h has no maximum of " + type);
  const std::vector<std::size_t> a_shape(a.shape.begin(), a.shape.end()),
      b_shape(b.shape.begin(), b.shape.end());
  xnn_operator_t made = nullptr;
  Check(xnn_create_maximum_nd_f32(0, &made), "xnn_create_maximum_nd_f32");
  const Operator op(made, xnn_delete_operator);
  Check(xnn_setup_maximum_nd_f32(op.get(), a_shape.size(), a_shape.data(), b_shape.size(), b_shape.data(),
                                 a.As<const float>(), b.As<const float>(), y.As<float>(), nullptr),
        "xnn_setup_maximum_nd_f32");
  Check(xnn_run_operator(op.get(), nullptr), "xnn_run_operator");
  return y;
}

#endif

kit::Tensor Run(const kit::Case& problem) {
  if (problem.op != "Max") throw kit::Unsupported("xnnpack.h has no maximum reduction");
  if (problem.inputs.size() < 2) throw kit::Unsupported("XNNPACK's operator takes two tensors");
  kit::Case pair = problem;
  kit::Tensor y = problem.inputs[0];
  for (std::size_t m = 1; m < problem.inputs.size(); ++m) {
    pair.inputs = {y, problem.inputs[m]};
    y = Maximum(problem.type, y, problem.inputs[m], kit::Tensor(kit::BroadcastShape(pair), problem.width));
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
