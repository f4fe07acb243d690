#include "frontends/onnx/read/inline_functions.h"

#include <google/protobuf/arena.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onnx/read/functions.h"
#include "frontends/onnx/read/operators.h"
#include "frontends/onnx/read/parse_model.h"
#include "frontends/onnx/read/value_info.h"
#include "io/formats/parse_message.h"

namespace supremum::onnx_front {
namespace {

constexpr int kMaxDepth = 100;         // of calls and graphs inside each other
constexpr std::size_t kMapEntry = 64;  // bytes that a map takes for one entry, about
constexpr std::size_t kMostData =
    4096;  // of an initializer in the inlined model; inference reads short lists

// The names of a graph or function, as they are called in the inlined model.
struct Renaming {
  const Renaming* outer = nullptr;
  std::unordered_map<std::string_view, std::string> names;

  const std::string* Find(std::string_view name) const {
    for (const Renaming* renaming = this; renaming != nullptr; renaming = renaming->outer) {
      if (const auto found = renaming->names.find(name); found != renaming->names.end())
        return &found->second;
    }
    return nullptr;
  }
};

// The call whose function is being copied; the main graph has none.
struct Frame {
  const onnx::FunctionProto* function = nullptr;
  const onnx::NodeProto* call = nullptr;  // with its attributes resolved
  const std::vector<onnx::AttributeProto>* defaults = nullptr;
  std::string prefix;  // of the names that the caller does not know
  int number = 0;      // in InlinedModel::calls
};

class Inliner {
 public:
  Inliner(const onnx::ModelProto& model, std::string_view source, std::int64_t opset, std::int64_t max_bytes)
      : model_(model),
        source_(source),
        opset_(opset),
        left_(max_bytes),
        max_bytes_(max_bytes),
        functions_(model) {}

  bool CallsAny() const { return CallsAny(model_.graph()); }

  Result<InlinedModel> Inline() {
    CollectNames(model_.graph());
    result_.copy = NewModel();
    result_.model = result_.copy.get();
    result_.copy->set_ir_version(model_.ir_version());
    *result_.copy->mutable_opset_import() = model_.opset_import();
    onnx::GraphProto* graph = result_.copy->mutable_graph();
    CopyWithoutNodes(model_.graph(), graph);
    if (auto ok = CopyNodes(model_.graph().node(), {}, {}, graph); !ok) return std::move(ok).error();
    return std::move(result_);
  }

 private:
  bool CallsAny(const onnx::GraphProto& graph) const {
    return std::ranges::any_of(graph.node(), [&](const onnx::NodeProto& node) {
      return functions_.Callee(node) ||
             std::ranges::any_of(node.attribute(), [&](const onnx::AttributeProto& attribute) {
               return std::ranges::any_of(GraphsOf(attribute), [&](auto* inner) { return CallsAny(*inner); });
             });
    });
  }

  // All names of values, and of statements about values, which no new name may equal.
  void CollectNames(const onnx::GraphProto& graph) {
    for (const auto& input : graph.input()) taken_.insert(input.name());
    for (const auto& info : graph.value_info()) taken_.insert(info.name());
    for (const auto& tensor : graph.initializer()) taken_.insert(tensor.name());
    for (const auto& tensor : graph.sparse_initializer()) taken_.insert(tensor.values().name());
    for (const onnx::NodeProto& node : graph.node()) {
      taken_.insert(node.output().begin(), node.output().end());
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        for (const onnx::GraphProto* inner : GraphsOf(attribute)) CollectNames(*inner);
      }
    }
  }

  Error LimitError(const std::string& details) const {
    return ErrorAt(ErrorCode::kLimitExceeded, source_, details);
  }

  Result<void> Spend(std::size_t bytes) {
    left_ -= static_cast<std::int64_t>(bytes);
    if (left_ >= 0) return {};
    return LimitError("its functions, written out for each call, take more than the limit of " +
                      std::to_string(max_bytes_) + " bytes" + std::string(kRaiseLimit));
  }

  // Copies the nodes of a graph or function to `graph`, with the names of `renaming`.
  template <class Nodes>
  Result<void> CopyNodes(const Nodes& nodes, const Frame& frame, const Renaming& renaming,
                         onnx::GraphProto* graph) {
    if (depth_ > kMaxDepth) {
      return LimitError("functions and graphs are nested deeper than " + std::to_string(kMaxDepth));
    }
    for (int i = 0; i < nodes.size(); ++i) {
      const onnx::NodeProto& node = nodes.Get(i);
      const std::optional<int> callee = functions_.Callee(node);
      // A call is a node of the same arena, but not of the graph.
      onnx::NodeProto* copy = callee
                                  ? google::protobuf::Arena::CreateMessage<onnx::NodeProto>(graph->GetArena())
                                  : graph->add_node();
      if (auto ok = CopyNode(node, frame, renaming, copy); !ok) return ok;
      if (auto ok = Spend(sizeof(NodeOrigin) + kMapEntry + io::MemoryOf(*copy)); !ok) return ok;
      const NodeOrigin origin{static_cast<std::size_t>(i),
                              frame.function == nullptr ? std::nullopt : std::optional(frame.number)};
      if (!callee) {
        result_.origins.insert_or_assign(copy, origin);
      } else if (auto ok = CopyFunction(*callee, *copy, origin, frame, graph); !ok) {
        return ok;
      }
    }
    return {};
  }

  Result<void> CopyNode(const onnx::NodeProto& node, const Frame& frame, const Renaming& renaming,
                        onnx::NodeProto* copy) {
    copy->set_name(node.name());
    copy->set_op_type(node.op_type());
    copy->set_domain(node.domain());
    // A name may be long, and a node may have it many times.
    const auto renamed = [&](const auto& names, const auto& add) -> Result<void> {
      for (const std::string& name : names) {
        const std::string* const known = renaming.Find(name);
        const std::string& now = known == nullptr ? name : *known;
        if (auto ok = Spend(now.size()); !ok) return ok;
        add(now);
      }
      return {};
    };
    Result<void> named = renamed(node.input(), [&](const std::string& name) { copy->add_input(name); });
    if (named) named = renamed(node.output(), [&](const std::string& name) { copy->add_output(name); });
    if (!named) return named;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      const auto [value, of_caller] = Resolve(attribute, frame);
      if (value == nullptr) continue;
      onnx::AttributeProto* resolved = copy->add_attribute();
      if (of_caller || GraphsOf(*value).empty()) {
        *resolved = *value;
        resolved->set_name(attribute.name());
        if (of_caller) RecordOrigins(*resolved, frame);  // its names are those of the inlined model
        continue;
      }
      resolved->set_name(attribute.name());
      resolved->set_type(value->type());
      if (value->has_g()) {
        if (auto ok = CopyGraph(value->g(), frame, renaming, resolved->mutable_g()); !ok) return ok;
      }
      for (const onnx::GraphProto& inner : value->graphs()) {
        if (auto ok = CopyGraph(inner, frame, renaming, resolved->add_graphs()); !ok) return ok;
      }
    }
    return {};
  }

  // Without the data of large tensors either, of which a model may have gigabytes.
  static void CopyWithoutNodes(const onnx::GraphProto& graph, onnx::GraphProto* copy) {
    copy->set_name(graph.name());
    *copy->mutable_input() = graph.input();
    *copy->mutable_output() = graph.output();
    *copy->mutable_value_info() = graph.value_info();
    *copy->mutable_sparse_initializer() = graph.sparse_initializer();
    for (const onnx::TensorProto& tensor : graph.initializer()) {
      onnx::TensorProto* same = copy->add_initializer();
      if (tensor.ByteSizeLong() <= kMostData) {
        *same = tensor;
        continue;
      }
      same->set_name(tensor.name());
      same->set_data_type(tensor.data_type());
      *same->mutable_dims() = tensor.dims();
    }
  }

  // A graph that was passed as an attribute: its nodes are taken for nodes of the function that has it now.
  void RecordOrigins(const onnx::AttributeProto& attribute, const Frame& frame) {
    for (const onnx::GraphProto* graph : GraphsOf(attribute)) {
      for (int i = 0; i < graph->node_size(); ++i) {
        result_.origins.insert_or_assign(&graph->node(i),
                                         NodeOrigin{static_cast<std::size_t>(i), frame.number});
        for (const onnx::AttributeProto& inner : graph->node(i).attribute()) RecordOrigins(inner, frame);
      }
    }
  }

  // The attribute, or what it refers to: the caller's, or the function's default. Null if the caller does not
  // give it and the function lists it without a default.
  struct Resolved {
    const onnx::AttributeProto* attribute;
    bool of_caller;
  };
  static Resolved Resolve(const onnx::AttributeProto& attribute, const Frame& frame) {
    if (frame.function == nullptr || attribute.ref_attr_name().empty()) return {&attribute, false};
    const std::string& name = attribute.ref_attr_name();
    if (const onnx::AttributeProto* given = FindAttribute(*frame.call, name)) return {given, true};
    const auto with_default = std::ranges::find(*frame.defaults, name, &onnx::AttributeProto::name);
    if (with_default != frame.defaults->end()) return {&*with_default, false};
    const auto& without_default = frame.function->attribute();
    const bool listed = std::ranges::find(without_default, name) != without_default.end();
    return {listed ? nullptr : &attribute, false};
  }

  // The function's defaults, which are read once.
  Result<const std::vector<onnx::AttributeProto>*> DefaultsAt(int position) {
    const auto known = defaults_.find(position);
    if (known != defaults_.end()) return &known->second;
    Result<std::vector<onnx::AttributeProto>> read =
        DefaultsOf(model_.functions(position), source_, std::max<std::int64_t>(left_, 0));
    if (!read) return read.error();
    for (const onnx::AttributeProto& attribute : *read) {
      if (auto ok = Spend(io::MemoryOf(attribute)); !ok) return std::move(ok).error();
    }
    return &defaults_.emplace(position, *std::move(read)).first->second;
  }

  Result<void> CopyGraph(const onnx::GraphProto& graph, const Frame& frame, const Renaming& outer,
                         onnx::GraphProto* copy) {
    CopyWithoutNodes(graph, copy);
    Renaming own{&outer, {}};
    if (frame.function != nullptr) {
      Result<void> defined;
      const auto define = [&](const std::string& name) {
        if (defined && !name.empty()) defined = Define(frame, name, own);
      };
      for (const onnx::ValueInfoProto& input : graph.input()) define(input.name());
      for (const onnx::TensorProto& tensor : graph.initializer()) define(tensor.name());
      for (const auto& tensor : graph.sparse_initializer()) define(tensor.values().name());
      for (const onnx::NodeProto& node : graph.node()) std::ranges::for_each(node.output(), define);
      if (!defined) return defined;
      const auto rename = [&](std::string* name) {
        if (const std::string* const known = own.Find(*name)) *name = *known;
      };
      for (auto* infos : {copy->mutable_input(), copy->mutable_value_info(), copy->mutable_output()}) {
        for (onnx::ValueInfoProto& info : *infos) rename(info.mutable_name());
      }
      for (onnx::TensorProto& tensor : *copy->mutable_initializer()) rename(tensor.mutable_name());
      for (auto& tensor : *copy->mutable_sparse_initializer())
        rename(tensor.mutable_values()->mutable_name());
    }
    ++depth_;
    auto ok = CopyNodes(graph.node(), frame, own, copy);
    --depth_;
    return ok;
  }

  // Gives a value of the function a new name, unless it has one.
  Result<void> Define(const Frame& frame, const std::string& name, Renaming& renaming) {
    if (renaming.names.contains(name)) return {};
    if (auto ok = Spend(3 * (kMapEntry + frame.prefix.size() + name.size())); !ok) return ok;
    std::string fresh = frame.prefix + name;
    while (!taken_.insert(fresh).second) fresh += '\'';
    result_.inner_names.insert(fresh);
    renaming.names.emplace(name, std::move(fresh));
    return {};
  }

  Result<void> CopyFunction(int position, const onnx::NodeProto& call, const NodeOrigin& origin,
                            const Frame& caller, onnx::GraphProto* graph) {
    const onnx::FunctionProto& function = model_.functions(position);
    const std::string node = Describe(DescribeNode(call, origin.index));
    const std::string text =
        TextOf(function) + ", called by " + node +
        (caller.function == nullptr ? ""
                                    : " in " + result_.calls[static_cast<std::size_t>(caller.number)].text);
    if (call.input_size() > function.input_size() || call.output_size() > function.output_size()) {
      return ErrorAt(ErrorCode::kMalformedFile, std::string(source_) + ": " + node,
                     "it gives " + TextOf(function) + " " +
                         Count(static_cast<std::size_t>(call.input_size()), "input") + " and takes " +
                         Count(static_cast<std::size_t>(call.output_size()), "output") +
                         ", and the function has " + std::to_string(function.input_size()) + " and " +
                         std::to_string(function.output_size()));
    }
    if (auto ok = Spend(sizeof(InlinedCall) + text.size()); !ok) return ok;
    const auto defaults = DefaultsAt(position);
    if (!defaults) return defaults.error();
    Frame frame{&function, &call, *defaults,
                function.name() + "#" + std::to_string(result_.calls.size()) + ".",
                static_cast<int>(result_.calls.size())};
    result_.calls.push_back({text, OpsetOf(function, opset_)});
    result_.called.insert(position);
    result_.one_opset = result_.one_opset && result_.calls.back().opset == opset_;

    Renaming renaming;
    renaming.names.emplace("", "");
    for (int i = 0; i < function.input_size(); ++i) {
      renaming.names[function.input(i)] = i < call.input_size() ? call.input(i) : "";
    }
    std::vector<std::pair<std::string, std::string>> copies;  // of values that have a name already
    for (int i = 0; i < call.output_size(); ++i) {
      if (call.output(i).empty()) continue;
      const auto [known, is_new] = renaming.names.emplace(function.output(i), call.output(i));
      if (!is_new && !known->second.empty()) copies.emplace_back(known->second, call.output(i));
    }
    for (const onnx::NodeProto& inner : function.node()) {
      for (const std::string& output : inner.output()) {
        if (auto ok = Define(frame, output, renaming); !ok) return ok;
      }
    }
    ++depth_;
    if (auto ok = CopyNodes(function.node(), frame, renaming, graph); !ok) return ok;
    --depth_;
    for (const auto& [value, name] : copies) {
      onnx::NodeProto* identity = graph->add_node();
      identity->set_op_type("Identity");
      identity->add_input(value);
      identity->add_output(name);
      result_.origins.insert_or_assign(identity, origin);
    }
    return {};
  }

  const onnx::ModelProto& model_;
  std::string_view source_;
  std::int64_t opset_;
  int depth_ = 0;
  std::int64_t left_;  // the memory that may still be taken
  std::int64_t max_bytes_;
  const Functions functions_;
  std::map<int, std::vector<onnx::AttributeProto>> defaults_;  // of the functions called so far
  std::unordered_set<std::string> taken_;
  InlinedModel result_;
};

}  // namespace

Result<InlinedModel> InlineFunctions(const onnx::ModelProto& model, std::string_view source,
                                     std::int64_t opset, std::int64_t max_bytes) {
  Inliner inliner(model, source, opset, max_bytes);
  if (model.functions_size() > 0 && inliner.CallsAny()) return inliner.Inline();
  InlinedModel same;
  same.model = &model;
  return same;
}

}  // namespace supremum::onnx_front
