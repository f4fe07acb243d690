#include "supremum/check.h"

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/quote.h"
#include "formats/messages.h"
#include "onnx/check_node.h"
#include "onnx/check_proto.h"
#include "onnx/graph.h"
#include "onnx/infer.h"
#include "onnx/parse_model.h"
#include "onnx/value_info.h"

namespace supremum {
namespace onnx_front {
namespace {

// Fills what `into` leaves open; where both speak, `into` stands.
void FillIn(const ValueInfo& from, ValueInfo& into) {
  if (Result<ValueInfo> filled = Complete(into, from)) into = *std::move(filled);
}

// The names of one graph, and those of the graphs around it.
class Scope {
 public:
  explicit Scope(const Scope* parent) : parent_(parent) {}

  void State(const StatedValue& value) {
    const auto [known, is_new] = values_.emplace(value.info.name, Operand{value, value.info});
    if (is_new) return;
    FillIn(value.info, known->second.stated.info);
    FillIn(value.info, known->second.known);
    known->second.stated.sparse = known->second.stated.sparse || value.sparse;
  }

  void Infer(const ValueInfo& info) {
    const auto [known, is_new] =
        values_.emplace(info.name, Operand{StatedValue{ValueInfo{info.name, "", {}, {}}, false}, info});
    if (!is_new) FillIn(info, known->second.known);
  }

  Operand Find(const std::string& name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->parent_) {
      if (const auto known = scope->values_.find(name); known != scope->values_.end()) return known->second;
    }
    Operand unknown;
    unknown.stated.info.name = unknown.known.name = name;
    return unknown;
  }

 private:
  const Scope* parent_;
  std::unordered_map<std::string, Operand> values_;
};

class ModelChecker {
 public:
  ModelChecker(const onnx::ModelProto& model, const std::string& source, const CheckOptions& options,
               CheckReport& report)
      : model_(model), source_(source), options_(options), report_(report) {}

  // `inferred` is the model after the onnx library's inference, or the model itself.
  Result<void> Check(const onnx::ModelProto& inferred) {
    for (const onnx::ValueInfoProto& input : model_.graph().input()) {
      for (const auto& dim : input.type().tensor_type().shape().dim()) {
        if (!dim.dim_param().empty()) input_symbols_.insert(dim.dim_param());
      }
    }
    if (auto ok = CheckGraph(model_.graph(), inferred.graph(), nullptr, "", report_.opset); !ok) return ok;
    for (const onnx::FunctionProto& function : model_.functions()) {
      std::int64_t opset = report_.opset;
      for (const onnx::OperatorSetIdProto& import : function.opset_import()) {
        if (IsOnnxDomain(import.domain())) opset = import.version();
      }
      Scope scope(nullptr);
      auto ok =
          CheckNodes(function.node(), function.node(), scope, "function " + Quote(function.name()), opset);
      if (!ok) return ok;
    }
    return {};
  }

  bool lacks_shapes() const { return lacks_shapes_; }

 private:
  Result<void> CheckGraph(const onnx::GraphProto& graph, const onnx::GraphProto& inferred,
                          const Scope* parent, const std::string& where, std::int64_t opset) {
    Scope scope(parent);
    const std::string here = where.empty() ? source_ : source_ + ": " + where;
    for (const auto* list : {&graph.input(), &graph.value_info(), &graph.output()}) {
      for (const onnx::ValueInfoProto& info : *list) {
        Result<StatedValue> stated = FromValueInfoProto(info, here);
        if (!stated) return std::move(stated).error();
        scope.State(*stated);
      }
    }
    for (const onnx::TensorProto& tensor : graph.initializer())
      scope.State(FromTensorProto(tensor.name(), tensor));
    for (const onnx::SparseTensorProto& sparse : graph.sparse_initializer()) {
      StatedValue value = FromTensorProto(sparse.values().name(), sparse.values());
      value.sparse = true;
      value.info.shape.reset();
      value.info.dtype.reset();
      value.info.type_name = "sparse " + value.info.type_name;
      scope.State(value);
    }
    for (const onnx::ValueInfoProto& info : inferred.value_info()) {
      if (Result<StatedValue> value = FromValueInfoProto(info, here)) scope.Infer(value->info);
    }
    return CheckNodes(graph.node(), inferred.node(), scope, where, opset);
  }

  template <class Nodes>
  Result<void> CheckNodes(const Nodes& nodes, const Nodes& inferred, Scope& scope, const std::string& where,
                          std::int64_t opset) {
    const std::optional<MaxVersion> version = MaxVersionForOpset(opset);
    if (!version) {
      return formats::ErrorAt(ErrorCode::kMalformedFile, source_,
                              where + " imports opset " + std::to_string(opset) + "; the first is 1");
    }
    for (int i = 0; i < nodes.size(); ++i) {
      const onnx::NodeProto& node = nodes.Get(i);
      const NodeInfo info = DescribeNode(node, static_cast<std::size_t>(i));
      if (IsOnnxDomain(node.domain()) && node.op_type() == "Max") {
        CheckNode(node, info, *version, scope, where);
      } else if (IsOnnxDomain(node.domain()) && node.op_type() == "Constant" && node.output_size() == 1) {
        scope.State(FromConstantNode(node.output(0), node));
      } else if (IsOnnxDomain(node.domain()) && node.op_type() == "Identity" && node.input_size() == 1 &&
                 node.output_size() == 1) {
        ValueInfo same = scope.Find(node.input(0)).known;
        same.name = node.output(0);
        scope.Infer(same);
      }
      for (int a = 0; a < node.attribute_size(); ++a) {
        const onnx::AttributeProto& attribute = node.attribute(a);
        const onnx::AttributeProto& inferred_attribute = inferred.Get(i).attribute(a);
        const std::string inner =
            (where.empty() ? "" : where + ", ") + Describe(info) + ", attribute " + Quote(attribute.name());
        if (attribute.has_g()) {
          if (auto ok = CheckGraph(attribute.g(), inferred_attribute.g(), &scope, inner, opset); !ok)
            return ok;
        }
        for (int g = 0; g < attribute.graphs_size(); ++g) {
          auto ok = CheckGraph(attribute.graphs(g), inferred_attribute.graphs(g), &scope, inner, opset);
          if (!ok) return ok;
        }
      }
    }
    return {};
  }

  void CheckNode(const onnx::NodeProto& node, const NodeInfo& info, MaxVersion version, Scope& scope,
                 const std::string& where) {
    MaxNode max{node, version, {}, {}, input_symbols_};
    std::vector<const ValueInfo*> known;
    for (const std::string& input : node.input()) {
      if (!input.empty()) max.inputs.push_back(scope.Find(input));
    }
    for (const Operand& input : max.inputs) {
      known.push_back(&input.known);
      lacks_shapes_ = lacks_shapes_ || !input.known.shape || input.known.type_name.empty();
    }
    // What follows from the inputs: for the advice about this node, and for the nodes behind it.
    if (node.output_size() > 0 && !node.output(0).empty()) {
      ValueInfo result;
      result.name = node.output(0);
      if (const auto dtype = InferMaxType(known, version); dtype && *dtype) {
        result.dtype = **dtype;
        result.type_name = Name(**dtype);
      }
      if (const auto common = InferCommonShape(known, version)) result.shape = common->shape;
      scope.Infer(result);
    }
    for (const std::string& output : node.output()) {
      if (!output.empty()) max.outputs.push_back(scope.Find(output));
    }
    NodeReport report{info, where, CheckMaxNode(max, options_)};
    report.node.version = static_cast<int>(version);
    report_.nodes.push_back(std::move(report));
  }

  const onnx::ModelProto& model_;
  const std::string& source_;
  const CheckOptions& options_;
  CheckReport& report_;
  std::set<std::string> input_symbols_;
  bool lacks_shapes_ = false;
};

// The newest opset of ONNX's own domain whose operators the installed onnx library knows.
std::int64_t NewestKnownOpset() {
  const auto& ranges = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto onnx_domain = ranges.find("");
  return onnx_domain == ranges.end() ? 0 : onnx_domain->second.second;
}

// The model with what the onnx library can infer, or why it cannot.
struct OnnxInference {
  std::optional<onnx::ModelProto> model;
  std::string why_not;
};

OnnxInference InferWithOnnx(const onnx::ModelProto& model, std::int64_t opset) {
  if (opset > NewestKnownOpset()) {
    return {std::nullopt, "the onnx library here knows opsets up to " + std::to_string(NewestKnownOpset()) +
                              " and the model imports " + std::to_string(opset)};
  }
  OnnxInference result{model, ""};
  try {
    onnx::shape_inference::InferShapes(*result.model);
  } catch (const std::exception& error) {
    return {std::nullopt, "the onnx library says: " + Quote(error.what())};
  }
  return result;
}

}  // namespace

Result<CheckReport> CheckProto(const onnx::ModelProto& model, const std::string& source,
                               const CheckOptions& options) {
  Result<std::int64_t> opset = OnnxOpset(model, source);
  if (!opset) return opset.error();
  CheckReport report;
  report.model = source;
  report.profile = options.profile;
  report.opset = *opset;
  CheckReport first = report;
  ModelChecker checker(model, source, options, first);
  if (Result<void> ok = checker.Check(model); !ok) return std::move(ok).error();
  if (!checker.lacks_shapes()) return first;

  // The onnx library is asked only where the model and the rules of Max leave something open.
  const OnnxInference inference = InferWithOnnx(model, *opset);
  if (!inference.model) {
    first.notes.push_back("shapes behind other operators are not inferred: " + inference.why_not +
                          "; state them as value_info");
    return first;
  }
  ModelChecker second(model, source, options, report);
  if (Result<void> ok = second.Check(*inference.model); !ok) return std::move(ok).error();
  return report;
}

std::optional<Error> FirstError(const CheckReport& report) {
  constexpr std::array<std::pair<std::string_view, ErrorCode>, 13> kCodes = {{
      {"ONNX", ErrorCode::kMalformedFile},
      {"MAX-1", ErrorCode::kInputCount},
      {"TYP-2", ErrorCode::kTypeMismatch},
      {"TYP-3", ErrorCode::kTypeNotAdmitted},
      {"PRO-1", ErrorCode::kSparseTensor},
      {"PRO-2", ErrorCode::kShapeNotExplicit},
      {"PRO-3", ErrorCode::kTypeNotExplicit},
      {"PRO-6", ErrorCode::kBroadcastRefused},
      {"BRO-4", ErrorCode::kRank},
      {"BRO-2", ErrorCode::kNotBroadcastable},
      {"MAX-3", ErrorCode::kNotBroadcastable},
      {"PRO-5", ErrorCode::kOutputShapeMismatch},
      {"E2", ErrorCode::kOutputShapeMismatch},
  }};
  // What fails comes before what is undecided, which is often its consequence; then the order of the codes.
  std::optional<Error> worst;
  Verdict worst_verdict = Verdict::kUndecided;
  for (const NodeReport& node : report.nodes) {
    for (const Finding& finding : node.findings) {
      if (finding.verdict == Verdict::kHolds) continue;
      const auto code =
          std::find_if(kCodes.begin(), kCodes.end(), [&](const auto& c) { return c.first == finding.rule; });
      const bool fails_first = finding.verdict == Verdict::kFails && worst_verdict == Verdict::kUndecided;
      const bool earlier = finding.verdict == worst_verdict && (!worst || code->second < worst->code);
      if (!fails_first && !earlier) continue;
      worst_verdict = finding.verdict;
      worst = formats::ErrorAt(code->second, report.model + ": " + Describe(node.node),
                               finding.text + " (" + finding.rule + "); " + finding.change);
    }
  }
  return worst;
}

}  // namespace onnx_front

std::string_view ToString(Verdict verdict) {
  constexpr std::array<std::string_view, 3> kNames = {"holds", "fails", "undecided"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::size_t CheckReport::Count(Verdict verdict) const {
  std::size_t count = 0;
  for (const NodeReport& node : nodes) {
    count += static_cast<std::size_t>(
        std::count_if(node.findings.begin(), node.findings.end(),
                      [&](const Finding& finding) { return finding.verdict == verdict; }));
  }
  return count;
}

std::size_t CheckReport::Total() const {
  std::size_t total = 0;
  for (const NodeReport& node : nodes) total += node.findings.size();
  return total;
}

Result<CheckReport> CheckModel(std::span<const std::byte> bytes, const std::string& source,
                               const CheckOptions& options) {
  const std::string name = Quote(source);
  auto model = onnx_front::ParseModel(bytes, name);
  if (!model) return std::move(model).error();
  Result<CheckReport> report = onnx_front::CheckProto(**model, name, options);
  if (report) report->model = source;
  return report;
}

Result<CheckReport> CheckModel(const std::string& path, const CheckOptions& options) {
  Result<std::vector<std::byte>> bytes = onnx_front::ReadModelFile(path);
  if (!bytes) return std::move(bytes).error();
  return CheckModel(*bytes, path, options);
}

}  // namespace supremum
