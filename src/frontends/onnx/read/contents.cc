#include "frontends/onnx/read/contents.h"

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onnx/read/functions.h"
#include "frontends/onnx/read/operators.h"
#include "frontends/onnx/read/value_info.h"
#include "io/formats/external_data.h"

namespace supremum::onnx_front {
namespace {

class Collector {
 public:
  Collector(const onnx::ModelProto& model, const std::string& source, std::int64_t max_bytes)
      : model_(model), source_(source), max_bytes_(max_bytes), left_(max_bytes), functions_(model) {}

  Result<ModelContents> Collect() {
    contents_.producer = ProducerOf(model_);
    for (const onnx::OperatorSetIdProto& import : model_.opset_import()) {
      left_ -= CostOf(import.domain());
      contents_.opsets.push_back({import.domain(), import.version()});
    }
    for (const onnx::FunctionProto& function : model_.functions()) {
      const std::string overload = OverloadOf(function);
      left_ -= CostOf(function.domain()) + CostOf(function.name()) + CostOf(overload);
      contents_.functions.push_back({function.domain(), function.name(), 0, 0, 0, overload});
    }
    if (left_ < 0) return LimitError();
    std::size_t unused = 0;
    if (auto ok = AddGraph(model_.graph(), "", unused, unused); !ok) return std::move(ok).error();
    for (int i = 0; i < model_.functions_size(); ++i) {
      const onnx::FunctionProto& function = model_.functions(i);
      FunctionInfo& info = contents_.functions[static_cast<std::size_t>(i)];
      auto ok = AddNodes(function.node(), TextOf(function), info.nodes, info.checked);
      if (!ok) return std::move(ok).error();
    }
    for (const auto& [location, tensors] : external_) contents_.external_data.push_back({location, tensors});
    return std::move(contents_);
  }

 private:
  static std::int64_t CostOf(const std::string& text) {
    return static_cast<std::int64_t>(text.size() + sizeof(SubgraphInfo));
  }

  Error LimitError() const {
    return ErrorAt(ErrorCode::kLimitExceeded, source_,
                   "the list of its subgraphs, functions and external data takes more than the limit of " +
                       std::to_string(max_bytes_) + " bytes" + std::string(kRaiseLimit));
  }

  void AddTensor(const onnx::TensorProto& tensor) {
    if (!io::IsExternal(tensor)) return;
    std::string location;
    for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
      if (entry.key() == "location") location = entry.value();
    }
    left_ -= CostOf(location);
    ++external_[location];
  }

  void AddSparse(const onnx::SparseTensorProto& tensor) {
    AddTensor(tensor.values());
    AddTensor(tensor.indices());
  }

  Result<void> AddGraph(const onnx::GraphProto& graph, const std::string& place, std::size_t& nodes,
                        std::size_t& checked) {
    for (const onnx::TensorProto& tensor : graph.initializer()) AddTensor(tensor);
    for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) AddSparse(tensor);
    return AddNodes(graph.node(), place, nodes, checked);
  }

  // Counts the nodes, and lists the graphs inside them.
  template <class Nodes>
  Result<void> AddNodes(const Nodes& list, const std::string& place, std::size_t& nodes,
                        std::size_t& checked) {
    nodes = static_cast<std::size_t>(list.size());
    checked = 0;
    for (int i = 0; i < list.size(); ++i) {
      const onnx::NodeProto& node = list.Get(i);
      if (IsJudged(OperatorOf(node))) ++checked;
      if (const std::optional<int> callee = functions_.Callee(node))
        ++contents_.functions[static_cast<std::size_t>(*callee)].calls;
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_t()) AddTensor(attribute.t());
        for (const onnx::TensorProto& tensor : attribute.tensors()) AddTensor(tensor);
        if (attribute.has_sparse_tensor()) AddSparse(attribute.sparse_tensor());
        for (const onnx::SparseTensorProto& tensor : attribute.sparse_tensors()) AddSparse(tensor);
        for (const onnx::GraphProto* graph : GraphsOf(attribute)) {
          if (auto ok = AddSubgraph(*graph, node, i, attribute, place); !ok) return ok;
        }
      }
      if (left_ < 0) return LimitError();
    }
    return {};
  }

  Result<void> AddSubgraph(const onnx::GraphProto& graph, const onnx::NodeProto& node, int index,
                           const onnx::AttributeProto& attribute, const std::string& outer) {
    const std::string place = (outer.empty() ? "" : outer + ", ") +
                              Describe(DescribeNode(node, static_cast<std::size_t>(index))) + ", attribute " +
                              Quote(attribute.name());
    left_ -= CostOf(place);
    if (left_ < 0) return LimitError();
    const std::size_t at = contents_.subgraphs.size();
    contents_.subgraphs.push_back({place, 0, 0});
    SubgraphInfo counted = {};
    if (auto ok = AddGraph(graph, place, counted.nodes, counted.checked); !ok) return ok;
    contents_.subgraphs[at].nodes = counted.nodes;
    contents_.subgraphs[at].checked = counted.checked;
    return {};
  }

  const onnx::ModelProto& model_;
  const std::string& source_;
  std::int64_t max_bytes_;
  std::int64_t left_;
  ModelContents contents_;
  const Functions functions_;
  std::map<std::string, std::size_t> external_;  // how many tensors are in a file
};

}  // namespace

std::string ProducerOf(const onnx::ModelProto& model) {
  return model.producer_name() + (model.producer_version().empty() ? "" : " " + model.producer_version());
}

Result<ModelContents> ContentsOf(const onnx::ModelProto& model, const std::string& source,
                                 std::int64_t max_bytes) {
  return Collector(model, source, max_bytes).Collect();
}

}  // namespace supremum::onnx_front
