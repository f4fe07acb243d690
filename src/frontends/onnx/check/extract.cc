#include "supremum/extract.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <utility>

#include "core/out_of_memory.h"
#include "core/quote.h"
#include "frontends/onnx/check/check_model.h"
#include "frontends/onnx/check/check_proto.h"
#include "frontends/onnx/infer/infer_node.h"
#include "frontends/onnx/read/bind_symbols.h"
#include "frontends/onnx/read/operators.h"
#include "frontends/onnx/read/parse_model.h"
#include "io/formats/tensor_proto.h"

namespace supremum {
namespace onnx_front {
namespace {

class Extractor {
 public:
  explicit Extractor(std::int64_t max_bytes) : left_(max_bytes) {}

  void Add(const JudgedNode& judged) {
    const CheckedNode& operands = judged.operands;
    ExtractedNode node;
    node.node = judged.report.node;
    node.scope = judged.report.scope;
    node.opset = judged.opset;
    node.obstacle = FailureOf(judged.report);
    // A node that no rule refuses has the attributes and inputs of its version.
    Node read;
    read.info = judged.report.node;
    if (node.obstacle.empty()) {
      read.op = judged.op;
      if (Result<void> ok = ReadOperands(operands.proto, "", read); !ok) node.obstacle = ok.error().details();
    }
    node.node.attributes = read.info.attributes;
    node.axes = read.reduce_max.axes;
    node.keepdims = read.reduce_max.keepdims;
    node.noop_with_empty_axes = read.reduce_max.noop_with_empty_axes;
    const bool reduces = judged.op == Op::kReduceMax;
    for (std::size_t i = 0; i < operands.inputs.size(); ++i) {
      const Operand& input = operands.inputs[i];
      if (reduces && i > 0) {
        if (const auto axes = ListOf(input.elements.get())) node.axes.emplace(axes->begin(), axes->end());
        if (!node.axes)
          SetObstacle(node, "the axes " + Quote(input.known.name) + " are not a constant of the model");
        continue;
      }
      node.inputs.push_back(input.known);
      node.constants.push_back(ElementsOf(input));
      if (!input.known.dtype) {
        SetObstacle(node, "the type of input " + Quote(input.known.name) + " is not known");
      } else if (!input.known.shape) {
        SetObstacle(node, "the shape of input " + Quote(input.known.name) + " is not known");
      } else if (!IsExplicit(*input.known.shape)) {
        SetObstacle(node, "input " + Quote(input.known.name) + " is " + supremum::ToString(input.known) +
                              ": an extent is not a number");
      }
    }
    nodes_.push_back(std::move(node));
  }

  std::vector<ExtractedNode> Take() { return std::move(nodes_); }

 private:
  static std::string FailureOf(const NodeReport& report) {
    const auto failure = std::ranges::find(report.findings, Verdict::kFails, &Finding::verdict);
    return failure == report.findings.end() ? "" : failure->rule + " fails: " + failure->text;
  }

  static void SetObstacle(ExtractedNode& node, std::string text) {
    if (node.obstacle.empty()) node.obstacle = std::move(text);
  }

  // Null too if the elements are not in the model, or take more memory than is left.
  std::shared_ptr<const Tensor> ElementsOf(const Operand& input) {
    if (input.elements) return input.elements;
    if (input.tensor == nullptr || !input.is_constant || input.is_input) return nullptr;
    Result<Tensor> tensor = io::TensorFromProto(*input.tensor, "", left_);
    if (!tensor) return nullptr;
    left_ -= static_cast<std::int64_t>(tensor->byte_size());
    return std::make_shared<const Tensor>(*std::move(tensor));
  }

  std::int64_t left_;
  std::vector<ExtractedNode> nodes_;
};

}  // namespace
}  // namespace onnx_front

Result<ExtractedNodes> ExtractNodes(std::span<const std::byte> bytes, const std::string& source,
                                    const ExtractOptions& options) {
  return OrOutOfMemory([&]() -> Result<ExtractedNodes> {
    const std::string name = Quote(source);
    auto model = onnx_front::ParseModel(bytes, name, options.max_bytes);
    if (!model) return std::move(model).error();
    Result<std::optional<std::string>> note = onnx_front::BindSymbols(options.dims, name, model->get());
    if (!note) return std::move(note).error();
    onnx_front::Extractor extractor(options.max_bytes);
    CheckOptions check;
    check.max_bytes = options.max_bytes;
    Result<CheckReport> report = onnx_front::CheckProto(
        **model, name, check, [&](const onnx_front::JudgedNode& node) { extractor.Add(node); });
    if (!report) return report.error();
    if (*note) report->notes.push_back(**std::move(note));
    return ExtractedNodes{extractor.Take(), std::move(report->notes)};
  });
}

}  // namespace supremum
