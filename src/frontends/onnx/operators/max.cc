// Max.
#include "rules/max.h"

#include <onnx/onnx_pb.h>

#include <string_view>

#include "frontends/onnx/operators.h"
#include "frontends/onnx/operators/check_max.h"
#include "frontends/onnx/value_operands.h"
#include "io/files/messages.h"
#include "supremum/max.h"
#include "supremum/opset.h"

namespace supremum::onnx_front {
namespace {

Result<void> Read(const onnx::NodeProto& proto, const std::string& where, Node& node) {
  if (proto.input_size() == 0) {
    return io::ErrorAt(ErrorCode::kInputCount, where, "MAX-1",
                       proto.op_type() + " takes 1 to 2147483647 inputs and this node has none");
  }
  if (auto ok = CheckInputsNamed(proto, where); !ok) return ok;
  return CheckNoAttributes(proto, node.info.version, where);
}

Result<Inferred> Infer(const KnownValues& known, const Node& node) {
  const auto version = static_cast<MaxVersion>(node.info.version);
  std::vector<const ValueInfo*> values;
  for (std::size_t input : node.inputs) values.push_back(&known.infos[input]);
  const ValueOperands inputs(values);
  const Result<std::optional<DType>> dtype = CheckTypes(inputs, version);
  if (!dtype) return dtype.error();
  const auto common = JudgeCommonShape(inputs, version);
  if (common.judgement.Fails()) return ShapeErrorOf(common.judgement, inputs, version);
  return Inferred{InfoOf(*dtype, SymbolicShapeOf(common.shape))};
}

Result<void> Prepare(NodePreparation& run, const Node& node) {
  std::vector<TensorView> views;
  std::vector<std::string_view> names;
  for (std::size_t input : node.inputs) {
    views.push_back(run.execution().View(input));
    names.push_back(run.NameOf(input));
  }
  const std::size_t output = node.outputs[0];
  MaxOptions options;
  options.version = static_cast<MaxVersion>(node.info.version);
  options.identical_shapes_only = run.options().identical_shapes_only;
  options.threads = run.options().threads;
  options.input_names = names;
  options.output_name = run.NameOf(output);

  if (auto ok = run.CheckStatedType(output, views[0].dtype); !ok) return ok;
  const Result<CheckedMax> checked = CheckMax(views, nullptr, options);
  if (!checked) return checked.error();
  if (auto ok = run.CreateOutput(output, checked->dtype, checked->shape); !ok) return ok;
  return run.execution().AddMax(*checked, node.inputs, output, options);
}

}  // namespace

constinit const Operator kMaxOperator = {
    .name = "Max",
    .version =
        [](std::int64_t opset) {
          return static_cast<int>(MaxVersionForOpset(opset).value_or(MaxVersion::k1));
        },
    .read = Read,
    .infer = Infer,
    .prepare = Prepare,
    .static_form = [](const KnownValues&, const Node&) -> Result<StaticForm> { return StaticForm{}; },
    .check = CheckMaxNode,
    .infer_checked = InferMaxNode,
    .unwritten = nullptr,
};

}  // namespace supremum::onnx_front
