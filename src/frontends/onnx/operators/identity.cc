// Identity: the output is a copy.
#include <onnx/onnx_pb.h>

#include "frontends/onnx/operators.h"

namespace supremum::onnx_front {
namespace {

constexpr int kVersions[] = {1, 13, 14, 16, 19, 21, 23, 24};

Result<void> Read(const onnx::NodeProto& proto, const std::string& where, Node& node) {
  if (proto.input_size() != 1) {
    return MalformedNode(where,
                         "Identity takes one input, this node has " + std::to_string(proto.input_size()));
  }
  if (auto ok = CheckInputsNamed(proto, where); !ok) return ok;
  return CheckNoAttributes(proto, node.info.version, where);
}

Result<Inferred> Infer(const KnownValues& values, const Node& node) {
  return Inferred{values.infos[node.inputs[0]], values.constants[node.inputs[0]]};
}

Result<void> Prepare(NodePreparation& run, const Node& node) {
  const TensorView from = run.execution().View(node.inputs[0]);
  if (auto ok = run.CheckStatedType(node.outputs[0], from.dtype); !ok) return ok;
  if (auto ok = run.CreateOutput(node.outputs[0], from.dtype, *Shape::FromSpan(from.shape)); !ok) return ok;
  return run.execution().AddCopy(node.inputs[0], node.outputs[0]);
}

}  // namespace

constinit const Operator kIdentityOperator = {
    .name = "Identity",
    .version = [](std::int64_t opset) { return NewestVersion(kVersions, opset); },
    .read = Read,
    .infer = Infer,
    .prepare = Prepare,
    .static_form = [](const KnownValues&, const Node&) -> Result<StaticForm> {
      return StaticForm{StaticNode::Operation::kCopy};
    },
    .check = nullptr,
    .infer_checked = nullptr,
    .unwritten = nullptr,
};

}  // namespace supremum::onnx_front
