#include "supremum/annotate.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/messages.h"
#include "core/out_of_memory.h"
#include "core/quote.h"
#include "frontends/onnx/check/check_model.h"
#include "frontends/onnx/check/check_node.h"
#include "frontends/onnx/check/check_proto.h"
#include "frontends/onnx/read/bind_symbols.h"
#include "frontends/onnx/read/operators.h"
#include "frontends/onnx/read/parse_model.h"
#include "io/formats/parse_message.h"
#include "io/formats/tensor_proto.h"

namespace supremum {
namespace onnx_front {
namespace {

// What is to be stated of a value, and where it is used.
struct Statement {
  std::vector<GraphStep> path;
  std::string place;
  bool of_call;  // the node is that of a function, and the place is not that of the graph at `path`
  ValueInfo known;
};

// An attribute to be written.
struct Missing {
  std::vector<GraphStep> path;
  std::string place;
  std::size_t node;
  std::string description;
  AttributeInfo attribute;
};

// True if `stated` lacks what `known` has.
bool Lacks(const ValueInfo& stated, const ValueInfo& known) {
  if (stated.type_name.empty() && known.dtype) return true;
  if (!known.shape || !(known.dtype || stated.dtype)) return false;
  if (!stated.shape) return true;
  if (stated.shape->size() != known.shape->size()) return false;  // E2: which of them is wrong is not known
  for (std::size_t d = 0; d < known.shape->size(); ++d) {
    if ((*known.shape)[d].value && !(*stated.shape)[d].value) return true;
  }
  return false;
}

class Annotator {
 public:
  Annotator(onnx::ModelProto* model, AnnotatedModel* result) : model_(model), result_(result) {}

  // Collects what `node` lacks; the model is not changed yet.
  void Collect(const JudgedNode& node) {
    const auto failure = std::ranges::find(node.report.findings, Verdict::kFails, &Finding::verdict);
    if (failure != node.report.findings.end()) {
      // A rule on types or shapes fails: what seems to follow may be what is wrong. The profile's rules on
      // what is stated are none of these: check() is asked without the profile.
      const std::string& scope = node.report.scope;
      result_->notes.push_back(Describe(node.report.node) + (scope.empty() ? "" : " in " + scope) +
                               " is left as it is: " + failure->text);
    }
    if (node.operands.in_function || failure != node.report.findings.end()) return;
    for (const auto* operands : {&node.operands.inputs, &node.operands.outputs}) {
      for (const Operand& operand : *operands) {
        if (Lacks(operand.stated.info, operand.known) && !operand.stated.sparse &&
            !node.operands.inner_names.contains(operand.known.name)) {
          statements_.push_back({node.path, node.report.scope, node.in_function, operand.known});
        }
      }
    }
    if (node.op != Op::kReduceMax || node.in_function) return;
    for (AttributeInfo& attribute : UnwrittenOfReduceMax(node.operands, node.version)) {
      missing_.push_back({node.path, node.report.scope, node.report.node.index, Describe(node.report.node),
                          std::move(attribute)});
    }
  }

  void Apply() {
    std::set<std::string> symbols;
    for (const onnx::ValueInfoProto& input : model_->graph().input()) {
      for (const auto& dim : input.type().tensor_type().shape().dim()) symbols.insert(dim.dim_param());
    }
    for (const Statement& statement : statements_) State(statement, symbols);
    for (const Missing& missing : missing_) Write(missing);
  }

 private:
  // The graphs from the main graph to the one at the end of the path.
  std::vector<onnx::GraphProto*> GraphsAt(const std::vector<GraphStep>& path) const {
    std::vector<onnx::GraphProto*> graphs = {model_->mutable_graph()};
    for (const GraphStep& step : path) {
      onnx::AttributeProto* attribute =
          graphs.back()->mutable_node(step.node)->mutable_attribute(step.attribute);
      graphs.push_back(step.graph ? attribute->mutable_graphs(*step.graph) : attribute->mutable_g());
    }
    return graphs;
  }

  const std::unordered_set<std::string_view>& NamesOf(const onnx::GraphProto* graph) {
    const auto [known, is_new] = names_.try_emplace(graph);
    if (is_new) {
      for (const auto& input : graph->input()) known->second.insert(input.name());
      for (const auto& tensor : graph->initializer()) known->second.insert(tensor.name());
      for (const auto& node : graph->node()) known->second.insert(node.output().begin(), node.output().end());
    }
    return known->second;
  }

  void State(const Statement& statement, const std::set<std::string>& symbols) {
    const ValueInfo& known = statement.known;
    const std::vector<onnx::GraphProto*> graphs = GraphsAt(statement.path);
    const auto owner = std::ranges::find_if(
        graphs.rbegin(), graphs.rend(),
        [&](const onnx::GraphProto* graph) { return NamesOf(graph).contains(known.name); });
    if (owner == graphs.rend() || (statement.of_call && *owner != graphs.front())) return;
    onnx::ValueInfoProto* info = InfoOf(*owner, known.name);
    const std::string before = info->SerializeAsString();
    onnx::TypeProto::Tensor* type = info->mutable_type()->mutable_tensor_type();
    if (type->elem_type() == onnx::TensorProto::UNDEFINED && known.dtype) {
      type->set_elem_type(io::OnnxFromDType(*known.dtype));
    }
    if (known.shape) StateShape(*known.shape, symbols, type->mutable_shape());
    if (info->SerializeAsString() == before) return;  // stated for another node already
    const ValueInfo now = FromValueInfoProto(*info).info;
    // The place of a value is that of its graph, whatever node of an inner graph uses it.
    const bool here = *owner == graphs.back() && !statement.of_call;
    result_->annotations.push_back({here ? statement.place : "", "value " + Quote(known.name),
                                    "is stated as " + supremum::ToString(now)});
  }

  // Only symbols of the model's inputs: those that inference makes up mean nothing outside.
  static void StateShape(const SymbolicShape& known, const std::set<std::string>& symbols,
                         onnx::TensorShapeProto* shape) {
    const bool is_new = shape->dim_size() == 0;
    for (std::size_t d = 0; d < known.size(); ++d) {
      auto* dim = is_new ? shape->add_dim() : shape->mutable_dim(static_cast<int>(d));
      if (known[d].value) {
        dim->set_dim_value(*known[d].value);
      } else if (is_new && symbols.contains(known[d].symbol) && !known[d].symbol.empty()) {
        dim->set_dim_param(known[d].symbol);
      }
    }
  }

  // Where the graph states the value; a new value_info if it does not.
  static onnx::ValueInfoProto* InfoOf(onnx::GraphProto* graph, const std::string& name) {
    for (auto* infos : {graph->mutable_input(), graph->mutable_output(), graph->mutable_value_info()}) {
      for (onnx::ValueInfoProto& info : *infos) {
        if (info.name() == name) return &info;
      }
    }
    onnx::ValueInfoProto* info = graph->add_value_info();
    info->set_name(name);
    return info;
  }

  void Write(const Missing& missing) {
    onnx::GraphProto* graph = GraphsAt(missing.path).back();
    onnx::AttributeProto* attribute = graph->mutable_node(static_cast<int>(missing.node))->add_attribute();
    attribute->set_name(missing.attribute.name);
    if (missing.attribute.integer) {
      attribute->set_type(onnx::AttributeProto::INT);
      attribute->set_i(*missing.attribute.integer);
    } else {
      attribute->set_type(onnx::AttributeProto::INTS);
      for (const std::int64_t value : *missing.attribute.integers) attribute->add_ints(value);
    }
    AttributeInfo written = missing.attribute;
    written.is_default = false;
    result_->annotations.push_back(
        {missing.place, missing.description, "has " + supremum::ToString(written)});
  }

  onnx::ModelProto* model_;
  AnnotatedModel* result_;
  std::vector<Statement> statements_;
  std::vector<Missing> missing_;
  std::unordered_map<const onnx::GraphProto*, std::unordered_set<std::string_view>> names_;
};

}  // namespace
}  // namespace onnx_front

Result<AnnotatedModel> AnnotateModel(std::span<const std::byte> bytes, const std::string& source,
                                     const AnnotateOptions& options) {
  return OrOutOfMemory([&]() -> Result<AnnotatedModel> {
    const std::string name = Quote(source);
    auto model = onnx_front::ParseModel(bytes, name, options.max_bytes);
    if (!model) return std::move(model).error();
    Result<std::optional<std::string>> note = onnx_front::BindSymbols(options.dims, name, model->get());
    if (!note) return std::move(note).error();
    AnnotatedModel result;
    if (*note) result.notes.push_back(**std::move(note));
    for (const auto& [symbol, extent] : options.dims) {
      result.annotations.push_back({"", "symbol " + Quote(symbol), "is " + std::to_string(extent)});
    }
    onnx_front::Annotator annotator(model->get(), &result);
    CheckOptions check;
    check.max_bytes = options.max_bytes;
    Result<CheckReport> report = onnx_front::CheckProto(
        **model, name, check, [&](const onnx_front::JudgedNode& node) { annotator.Collect(node); });
    if (!report) return std::move(report).error();
    result.notes.insert(result.notes.end(), report->notes.begin(), report->notes.end());
    annotator.Apply();
    const std::size_t size = (*model)->ByteSizeLong();
    if (size > static_cast<std::size_t>(io::kMaxMessageBytes)) {
      return ErrorAt(ErrorCode::kLimitExceeded, name,
                     "with what is stated now it takes " + std::to_string(size) +
                         " bytes; a model has at most " + std::to_string(io::kMaxMessageBytes));
    }
    result.bytes.resize(size);
    (*model)->SerializeToArray(result.bytes.data(), static_cast<int>(size));
    return result;
  });
}

}  // namespace supremum
