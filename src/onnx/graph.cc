#include "onnx/graph.h"

#include <onnx/onnx_pb.h>

#include <utility>

#include "core/quote.h"
#include "formats/messages.h"
#include "formats/tensor_proto.h"
#include "onnx/constant.h"
#include "supremum/opset.h"

namespace supremum::onnx_front {
namespace {

using formats::ErrorAt;

Error Malformed(std::string_view where, std::string_view details) {
  return ErrorAt(ErrorCode::kMalformedFile, where, details);
}

// True for errors that concern a run alone: the model is in order, supremum does not take this part of it.
bool IsRefusal(ErrorCode code) {
  return code == ErrorCode::kUnsupportedFormat || code == ErrorCode::kTypeNotAdmitted ||
         code == ErrorCode::kSparseTensor;
}

Operator OperatorOf(const onnx::NodeProto& node) {
  if (!IsOnnxDomain(node.domain())) return Operator::kOther;
  if (node.op_type() == "Max") return Operator::kMax;
  if (node.op_type() == "Constant") return Operator::kConstant;
  if (node.op_type() == "Identity") return Operator::kIdentity;
  return Operator::kOther;
}

// The version of Constant or Identity that an opset means, as MAX-5 has it for Max.
int VersionOf(Operator op, std::int64_t opset) {
  const auto newest = [opset](std::initializer_list<int> versions) {
    int found = 0;
    for (int version : versions) found = version <= opset ? version : found;
    return found;
  };
  switch (op) {
    case Operator::kMax:
      return static_cast<int>(MaxVersionForOpset(opset).value_or(MaxVersion::k1));
    case Operator::kConstant:
      return newest({1, 9, 11, 12, 13, 19, 21, 23, 24});
    case Operator::kIdentity:
      return newest({1, 13, 14, 16, 19, 21, 23, 24});
    case Operator::kOther:
      break;
  }
  return 0;
}

class GraphReader {
 public:
  GraphReader(const onnx::ModelProto& model, const std::string& source, std::int64_t max_bytes)
      : proto_(model.graph()), max_bytes_(max_bytes) {
    graph_.source = source;
    graph_.name = proto_.name();
    graph_.producer = model.producer_name();
    graph_.ir_version = model.ir_version();
  }

  Result<Graph> Read(std::int64_t opset) {
    graph_.opset = opset;
    for (auto step : {&GraphReader::ReadInitializers, &GraphReader::ReadInputs, &GraphReader::ReadNodes,
                      &GraphReader::ReadValueInfo, &GraphReader::ReadOutputs}) {
      if (Result<void> ok = (this->*step)(); !ok) return std::move(ok).error();
    }
    return std::move(graph_);
  }

 private:
  std::size_t AddValue(StatedValue stated) {
    graph_.value_by_name.emplace(stated.info.name, graph_.values.size());
    graph_.values.emplace_back().stated = std::move(stated);
    return graph_.values.size() - 1;
  }

  // Keeps the elements, or the reason why a run must refuse them. The bytes of all constants together stay
  // within the limit.
  Result<void> Keep(std::size_t value, Result<Tensor> elements) {
    if (elements) {
      max_bytes_ -= static_cast<std::int64_t>(elements->byte_size());
      graph_.values[value].constant = *std::move(elements);
    } else if (IsRefusal(elements.error().code)) {
      graph_.values[value].refusal = elements.error();
    } else {
      return std::move(elements).error();
    }
    return {};
  }

  Result<void> ReadInitializers() {
    for (int i = 0; i < proto_.initializer_size(); ++i) {
      const onnx::TensorProto& tensor = proto_.initializer(i);
      const std::string where = graph_.source + ": initializer " + Quote(tensor.name());
      if (tensor.name().empty()) {
        return Malformed(graph_.source, "initializer #" + std::to_string(i) + " has no name");
      }
      if (graph_.value_by_name.contains(tensor.name()))
        return Malformed(where, "this name is given to two initializers");
      const std::size_t value = AddValue(FromTensorProto(tensor.name(), tensor));
      graph_.initializers.push_back(value);
      if (auto ok = Keep(value, formats::TensorFromProto(tensor, where, max_bytes_)); !ok) return ok;
    }
    for (const onnx::SparseTensorProto& sparse : proto_.sparse_initializer()) {
      const std::string& name = sparse.values().name();
      const std::string where = graph_.source + ": sparse initializer " + Quote(name);
      if (name.empty()) return Malformed(where, "a sparse initializer has no name");
      if (graph_.value_by_name.contains(name))
        return Malformed(where, "this name is given to two initializers");
      StatedValue stated = FromTensorProto(name, sparse.values());
      stated.info.dtype.reset();
      stated.info.type_name = "sparse " + stated.info.type_name;
      stated.info.shape = SymbolicShape();
      for (std::int64_t dim : sparse.dims()) stated.info.shape->push_back(Dim{dim, ""});
      stated.sparse = true;
      const std::size_t value = AddValue(std::move(stated));
      graph_.initializers.push_back(value);
      graph_.values[value].refusal =
          ErrorAt(ErrorCode::kSparseTensor, where,
                  "sparse tensors are refused (PRO-1); store it as a dense initializer");
      if (!graph_.sparse_initializer) graph_.sparse_initializer = name;
    }
    return {};
  }

  Result<void> ReadInputs() {
    for (int i = 0; i < proto_.input_size(); ++i) {
      const onnx::ValueInfoProto& input = proto_.input(i);
      if (input.name().empty())
        return Malformed(graph_.source, "graph input #" + std::to_string(i) + " has no name");
      const std::string where = graph_.source + ": graph input " + Quote(input.name());
      Result<StatedValue> stated = FromValueInfoProto(input, where);
      if (!stated) return stated.error();
      const auto known = graph_.value_by_name.find(input.name());
      if (known == graph_.value_by_name.end()) {
        graph_.inputs.push_back(AddValue(*std::move(stated)));
        graph_.values.back().is_input = true;
        continue;
      }
      // An input with an initializer may be left out by the caller. Its own statement is what a caller's
      // tensor must meet.
      Value& value = graph_.values[known->second];
      if (value.is_input) return Malformed(where, "this name is given to two graph inputs");
      value.is_input = true;
      if (auto ok = Agree(where, stated->info, value.stated.info); !ok) return ok;
      if (stated->info.shape) value.stated.info.shape = stated->info.shape;
      graph_.optional_inputs.push_back(known->second);
    }
    return {};
  }

  // An initializer must be a possible value of the input that it stands in for.
  static Result<void> Agree(const std::string& where, const ValueInfo& input, const ValueInfo& initializer) {
    bool agree = input.type_name.empty() || input.type_name == initializer.type_name;
    if (input.shape && initializer.shape) {
      agree = agree && input.shape->size() == initializer.shape->size();
      for (std::size_t d = 0; agree && d < input.shape->size(); ++d) {
        agree = !(*input.shape)[d].value || (*input.shape)[d] == (*initializer.shape)[d];
      }
    }
    if (agree) return {};
    return Malformed(
        where, "it is stated as " + ToString(input) + " and its initializer is " + ToString(initializer));
  }

  Result<void> ReadNodes() {
    // Who produces what, so that a name that is used too early can be told from one that never comes.
    std::unordered_map<std::string, int> producers;
    for (int i = 0; i < proto_.node_size(); ++i) {
      for (const std::string& output : proto_.node(i).output()) {
        if (!output.empty()) producers.emplace(output, i);
      }
    }
    for (int i = 0; i < proto_.node_size(); ++i) {
      if (auto ok = ReadNode(i, producers); !ok) return ok;
    }
    return {};
  }

  Result<void> ReadNode(int i, const std::unordered_map<std::string, int>& producers) {
    const onnx::NodeProto& proto = proto_.node(i);
    Node node;
    node.info = DescribeNode(proto, static_cast<std::size_t>(i));
    node.op = OperatorOf(proto);
    node.info.version = VersionOf(node.op, graph_.opset);
    const std::string where = graph_.source + ": " + Describe(node.info);
    if (proto.op_type().empty()) return Malformed(where, "it has no operator");

    for (const std::string& input : proto.input()) {
      if (input.empty()) continue;
      const auto known = graph_.value_by_name.find(input);
      if (known == graph_.value_by_name.end()) {
        const auto later = producers.find(input);
        if (later == producers.end())
          return Malformed(where, "its input " + Quote(input) + " is produced by nothing in the graph");
        const NodeInfo producer =
            DescribeNode(proto_.node(later->second), static_cast<std::size_t>(later->second));
        return Malformed(where, "its input " + Quote(input) + " is produced only later, by " +
                                    Describe(producer) +
                                    "; nodes must stand in topological order, which a cycle has not");
      }
      node.inputs.push_back(known->second);
    }
    if (auto ok = CheckOperands(proto, node, where); !ok) return ok;
    for (const std::string& output : proto.output()) {
      if (output.empty()) continue;
      if (graph_.value_by_name.contains(output)) {
        return Malformed(where, "its output " + Quote(output) + " already names another value of the graph");
      }
      StatedValue stated;
      stated.info.name = output;
      node.outputs.push_back(AddValue(std::move(stated)));
    }
    if (node.op == Operator::kConstant) {
      Value& output = graph_.values[node.outputs[0]];
      output.stated = FromConstantNode(output.stated.info.name, proto);
      if (auto ok = Keep(node.outputs[0], ConstantElements(proto, graph_.opset, where, max_bytes_)); !ok)
        return ok;
    }
    graph_.nodes.push_back(std::move(node));
    return {};
  }

  // Counts and attributes of the three operators; of others nothing is known.
  Result<void> CheckOperands(const onnx::NodeProto& proto, const Node& node, const std::string& where) const {
    if (node.op == Operator::kOther) return {};
    if (proto.output_size() != 1 || proto.output(0).empty()) {
      return Malformed(where, proto.op_type() + " has exactly one output, this node has " +
                                  std::to_string(proto.output_size()));
    }
    const int inputs = proto.input_size();
    if (node.op == Operator::kMax && inputs == 0) {
      return ErrorAt(ErrorCode::kInputCount, where,
                     "Max takes 1 to 2147483647 inputs and this node has none (MAX-1)");
    }
    if ((node.op == Operator::kConstant && inputs != 0) || (node.op == Operator::kIdentity && inputs != 1)) {
      return Malformed(where, proto.op_type() + " takes " +
                                  (node.op == Operator::kConstant ? "no input" : "one input") +
                                  ", this node has " + std::to_string(inputs));
    }
    for (int m = 0; m < inputs; ++m) {
      if (proto.input(m).empty()) {
        return Malformed(where, "its input " + std::to_string(m) + " has no name; " + proto.op_type() +
                                    " has no input that may be left out");
      }
    }
    if (node.op == Operator::kConstant) return {};
    for (const onnx::AttributeProto& attribute : proto.attribute()) {
      // MAX-3: Max-1 accepts consumed_inputs and ignores it; so does Identity-1.
      if (attribute.name() == "consumed_inputs" && node.info.version == 1) continue;
      return Malformed(where, proto.op_type() + "-" + std::to_string(node.info.version) +
                                  " has no attribute " + Quote(attribute.name()) + "; remove it");
    }
    return {};
  }

  Result<void> ReadValueInfo() {
    for (const onnx::ValueInfoProto& info : proto_.value_info()) {
      if (auto ok = Complete(info, graph_.source + ": value_info " + Quote(info.name())); !ok) return ok;
    }
    return {};
  }

  Result<void> ReadOutputs() {
    if (proto_.output_size() == 0) return Malformed(graph_.source, "the graph has no output");
    for (int i = 0; i < proto_.output_size(); ++i) {
      const onnx::ValueInfoProto& output = proto_.output(i);
      const std::string where = graph_.source + ": graph output " + Quote(output.name());
      const auto known = graph_.value_by_name.find(output.name());
      if (known == graph_.value_by_name.end()) return Malformed(where, "nothing in the graph produces it");
      Value& value = graph_.values[known->second];
      if (value.is_output) return Malformed(where, "this name is given to two graph outputs");
      value.is_output = true;
      graph_.outputs.push_back(known->second);
      if (auto ok = Complete(output, where); !ok) return ok;
    }
    return {};
  }

  // Takes over what is stated of a value elsewhere than where it is produced. Two statements must not
  // contradict each other.
  Result<void> Complete(const onnx::ValueInfoProto& proto, const std::string& where) {
    const auto known = graph_.value_by_name.find(proto.name());
    if (known == graph_.value_by_name.end())
      return {};  // ONNX allows value_info for names that were optimised away
    Result<StatedValue> stated = FromValueInfoProto(proto, where);
    if (!stated) return stated.error();
    StatedValue& value = graph_.values[known->second].stated;
    value.sparse = value.sparse || stated->sparse;
    if (value.info.type_name.empty()) {
      value.info.type_name = stated->info.type_name;
      value.info.dtype = stated->info.dtype;
    } else if (!stated->info.type_name.empty() && stated->info.type_name != value.info.type_name) {
      return ErrorAt(ErrorCode::kTypeMismatch, where,
                     "it is stated as " + stated->info.type_name + " here and as " + value.info.type_name +
                         " elsewhere; nothing is converted (TYP-2)");
    }
    if (!stated->info.shape) return {};
    if (!value.info.shape) {
      value.info.shape = stated->info.shape;
      return {};
    }
    SymbolicShape& shape = *value.info.shape;
    bool agree = shape.size() == stated->info.shape->size();
    for (std::size_t d = 0; agree && d < shape.size(); ++d) {
      const Dim& dim = (*stated->info.shape)[d];
      if (shape[d].value && dim.value) {
        agree = *shape[d].value == *dim.value;
      } else if (dim.value || (!shape[d].value && shape[d].symbol.empty())) {
        shape[d] = dim;
      }
    }
    if (agree) return {};
    return ErrorAt(ErrorCode::kOutputShapeMismatch, where,
                   "it is stated with the shape " + ToString(*stated->info.shape) + " here and with " +
                       ToString(*value.info.shape) + " elsewhere");
  }

  const onnx::GraphProto& proto_;
  std::int64_t max_bytes_;
  Graph graph_;
};

}  // namespace

Result<std::int64_t> OnnxOpset(const onnx::ModelProto& model, std::string_view source) {
  std::int64_t opset = 0;
  for (const onnx::OperatorSetIdProto& import : model.opset_import()) {
    if (!IsOnnxDomain(import.domain())) continue;
    if (import.version() < 1) {
      return Malformed(source,
                       "the model imports opset " + std::to_string(import.version()) + "; the first is 1");
    }
    if (opset != 0 && opset != import.version()) {
      return Malformed(source, "the model imports two opsets of ONNX's own domain, " + std::to_string(opset) +
                                   " and " + std::to_string(import.version()) + "; keep one");
    }
    opset = import.version();
  }
  if (opset != 0) return opset;
  if (model.ir_version() < 3) return 1;
  return Malformed(source,
                   "the model imports no opset of ONNX's own domain; add an opset_import with domain ''");
}

NodeInfo DescribeNode(const onnx::NodeProto& node, std::size_t index) {
  NodeInfo info;
  info.index = index;
  info.name = node.name();
  info.op_type = node.op_type();
  info.domain = node.domain();
  info.inputs.assign(node.input().begin(), node.input().end());
  info.outputs.assign(node.output().begin(), node.output().end());
  return info;
}

Result<Graph> ReadGraph(const onnx::ModelProto& model, const std::string& source, std::int64_t max_bytes) {
  Result<std::int64_t> opset = OnnxOpset(model, source);
  if (!opset) return opset.error();
  return GraphReader(model, source, max_bytes).Read(*opset);
}

}  // namespace supremum::onnx_front
