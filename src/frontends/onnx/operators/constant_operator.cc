// Constant: its elements are read with the model, and a run has nothing to do.
#include <onnx/onnx_pb.h>

#include "frontends/onnx/operators.h"

namespace supremum::onnx_front {
namespace {

constexpr int kVersions[] = {1, 9, 11, 12, 13, 19, 21, 23, 24};

Result<void> Read(const onnx::NodeProto& proto, const std::string& where, Node& /*node*/) {
  if (proto.input_size() == 0) return {};
  return MalformedNode(where, "Constant takes no input, this node has " + std::to_string(proto.input_size()));
}

}  // namespace

constinit const Operator kConstantOperator = {
    .name = "Constant",
    .version = [](std::int64_t opset) { return NewestVersion(kVersions, opset); },
    .read = Read,
    .infer = nullptr,
    .prepare = nullptr,
    .static_form = nullptr,
    .check = nullptr,
    .infer_checked = nullptr,
    .unwritten = nullptr,
};

}  // namespace supremum::onnx_front
