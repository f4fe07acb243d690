#include "frontends/onnx/read/graph.h"

#include <onnx/onnx_pb.h>

#include <memory>
#include <utility>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onnx/read/constant.h"
#include "frontends/onnx/read/fold.h"
#include "frontends/onnx/read/inline_functions.h"
#include "frontends/onnx/read/operators.h"
#include "frontends/onnx/read/well_formed.h"
#include "io/formats/tensor_proto.h"
#include "supremum/opset.h"

namespace supremum::onnx_front {
namespace {

Error Malformed(std::string_view where, std::string_view details) {
  return ErrorAt(ErrorCode::kMalformedFile, where, details);
}

// True for errors of a run only: the model is valid, but supremum does not support this part of it.
bool IsRefusal(ErrorCode code) {
  return code == ErrorCode::kUnsupportedFormat || code == ErrorCode::kTypeNotAdmitted ||
         code == ErrorCode::kSparseTensor;
}

// Reads a graph that is well-formed: every name that it looks up is there. The nodes are those of `inlined`.
class GraphReader {
 public:
  GraphReader(const onnx::ModelProto& model, const InlinedModel& inlined, const std::string& source,
              std::int64_t max_bytes, const io::ExternalFolder& external)
      : proto_(model.graph()),
        nodes_(inlined.model->graph().node()),
        inlined_(inlined),
        max_bytes_(max_bytes),
        external_(external) {
    graph_.source = source;
    graph_.max_bytes = max_bytes;
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

  // Stores the elements, or the reason why a run must refuse them. The bytes of all constants together stay
  // within the limit.
  Result<void> Keep(std::size_t value, Result<Tensor> elements) {
    if (elements) {
      max_bytes_ -= static_cast<std::int64_t>(elements->byte_size());
      graph_.values[value].constant = std::make_shared<const Tensor>(*std::move(elements));
    } else if (IsRefusal(elements.error().code)) {
      graph_.values[value].refusal = elements.error();
      // PRO-1, and a location that must not be opened. Without a folder nothing is opened in any case.
      graph_.values[value].refused_unread =
          elements.error().code == ErrorCode::kSparseTensor ||
          (external_ && elements.error().code == ErrorCode::kUnsupportedFormat);
    } else {
      return std::move(elements).error();
    }
    return {};
  }

  Result<void> ReadInitializers() {
    for (const onnx::TensorProto& tensor : proto_.initializer()) {
      const std::string where = graph_.source + ": initializer " + Quote(tensor.name());
      const std::size_t value = AddValue(FromTensorProto(tensor.name(), tensor));
      graph_.initializers.push_back(value);
      if (auto ok = Keep(value, io::TensorFromProto(tensor, where, max_bytes_, external_)); !ok) return ok;
    }
    for (const onnx::SparseTensorProto& sparse : proto_.sparse_initializer()) {
      const std::string& name = sparse.values().name();
      const std::string where = graph_.source + ": sparse initializer " + Quote(name);
      const std::size_t value = AddValue(FromSparseProto(name, sparse));
      graph_.initializers.push_back(value);
      graph_.values[value].refusal =
          ErrorAt(ErrorCode::kSparseTensor, where, "PRO-1", "sparse tensors are refused",
                  "; store it as a dense initializer");
      graph_.values[value].refused_unread = true;
      if (!graph_.sparse_initializer) graph_.sparse_initializer = name;
    }
    return {};
  }

  Result<void> ReadInputs() {
    for (const onnx::ValueInfoProto& input : proto_.input()) {
      const std::string where = graph_.source + ": graph input " + Quote(input.name());
      StatedValue stated = FromValueInfoProto(input);
      const auto known = graph_.value_by_name.find(input.name());
      if (known == graph_.value_by_name.end()) {
        graph_.inputs.push_back(AddValue(std::move(stated)));
        graph_.values.back().is_input = true;
        continue;
      }
      // A caller may omit an input that has an initializer. A caller's tensor must agree with the statement
      // of the input itself.
      Value& value = graph_.values[known->second];
      value.is_input = true;
      if (!MayBe(value.stated.info, stated.info)) {
        return Malformed(where, "it is stated as " + ToString(stated.info) + " and its initializer is " +
                                    ToString(value.stated.info));
      }
      if (stated.info.shape) value.stated.info.shape = std::move(stated.info.shape);
      graph_.optional_inputs.push_back(known->second);
    }
    return {};
  }

  Result<void> ReadNodes() {
    for (int i = 0; i < nodes_.size(); ++i) {
      if (auto ok = ReadNode(i); !ok) return ok;
    }
    return {};
  }

  Result<void> ReadNode(int i) {
    const onnx::NodeProto& proto = nodes_.Get(i);
    const NodeOrigin origin = inlined_.OriginOf(proto, i);
    std::int64_t opset = graph_.opset;
    Node node;
    node.info = DescribeNode(proto, origin.index);
    if (origin.call) {
      const InlinedCall& call = inlined_.calls[static_cast<std::size_t>(*origin.call)];
      node.info.scope = call.text;
      opset = call.opset;
    }
    node.op = OperatorOf(proto);
    node.info.version = VersionOf(node.op, opset);
    const std::string where = PlaceOf(graph_, node);
    for (const std::string& input : proto.input()) {
      if (input.empty()) continue;
      const auto known = graph_.value_by_name.find(input);
      node.inputs.push_back(known->second);
      graph_.values[known->second].is_read = true;
    }
    std::optional<Tensor> folded = Fold(proto, opset, [&](const std::string& name) -> const Tensor* {
      const Value& value = graph_.values[graph_.value_by_name.at(name)];
      return value.is_input ? nullptr : value.constant.get();
    });
    if (folded) node.op = Op::kFolded;
    if (auto ok = ReadOperands(proto, where, node); !ok) return ok;
    for (const std::string& output : proto.output()) {
      if (output.empty()) continue;
      StatedValue stated;
      stated.info.name = output;
      node.outputs.push_back(AddValue(std::move(stated)));
    }
    if (node.op == Op::kConstant) {
      Value& output = graph_.values[node.outputs[0]];
      output.stated = FromConstantNode(output.stated.info.name, proto);
      auto ok = Keep(node.outputs[0], ConstantElements(proto, opset, where, max_bytes_, external_));
      if (!ok) return ok;
    }
    if (folded) {
      ValueInfo& info = graph_.values[node.outputs[0]].stated.info;
      info = InfoOf(info.name, folded->dtype(), folded->shape());
      if (auto ok = Keep(node.outputs[0], *std::move(folded)); !ok) return ok;
    }
    graph_.nodes.push_back(std::move(node));
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
      Value& value = graph_.values[known->second];
      if (value.is_output) return Malformed(where, "this name is given to two graph outputs");
      value.is_output = true;
      graph_.outputs.push_back(known->second);
      if (auto ok = Complete(output, where); !ok) return ok;
    }
    return {};
  }

  // Adds what value_info or a graph output states of a value. Two statements must not contradict each other.
  Result<void> Complete(const onnx::ValueInfoProto& proto, const std::string& where) {
    const auto known = graph_.value_by_name.find(proto.name());
    if (known == graph_.value_by_name.end())
      return {};  // ONNX allows value_info for names that no longer exist
    return AddStatement(FromValueInfoProto(proto), where, graph_.values[known->second].stated);
  }

  const onnx::GraphProto& proto_;
  const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes_;
  const InlinedModel& inlined_;
  std::int64_t max_bytes_;
  const io::ExternalFolder& external_;
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

const Error* RefusalOf(const Value& value) {
  if (!value.refusal || !(value.is_read || value.is_output || value.refused_unread)) return nullptr;
  return &*value.refusal;
}

std::string PlaceOf(const Graph& graph, const Node& node) {
  return graph.source + ": " + Describe(node.info) +
         (node.info.scope.empty() ? "" : " in " + node.info.scope);
}

Result<Graph> ReadGraph(const onnx::ModelProto& model, const std::string& source, std::int64_t max_bytes,
                        const io::ExternalFolder& external) {
  Result<std::int64_t> opset = OnnxOpset(model, source);
  if (!opset) return opset.error();
  if (auto ok = CheckWellFormed(model, source); !ok) return std::move(ok).error();
  const Result<InlinedModel> inlined = InlineFunctions(model, source, *opset, max_bytes);
  if (!inlined) return inlined.error();
  return GraphReader(model, *inlined, source, max_bytes, external).Read(*opset);
}

}  // namespace supremum::onnx_front
