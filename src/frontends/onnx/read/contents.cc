#include "frontends/onnx/read/contents.h"

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <map>

#include "frontends/onnx/read/value_info.h"
#include "io/formats/external_data.h"

namespace supremum::onnx_front {
namespace {

// How many tensors are in each file of external data.
class ExternalFiles {
 public:
  void AddGraph(const onnx::GraphProto& graph) {
    for (const onnx::TensorProto& tensor : graph.initializer()) Add(tensor);
    for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) Add(tensor);
    AddNodes(graph.node());
  }

  template <class Nodes>
  void AddNodes(const Nodes& nodes) {
    for (const onnx::NodeProto& node : nodes) {
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        Add(attribute.t());
        Add(attribute.sparse_tensor());
        for (const onnx::TensorProto& tensor : attribute.tensors()) Add(tensor);
        for (const onnx::SparseTensorProto& tensor : attribute.sparse_tensors()) Add(tensor);
        for (const onnx::GraphProto* graph : GraphsOf(attribute)) AddGraph(*graph);
      }
    }
  }

  std::vector<ExternalData> Take() const {
    std::vector<ExternalData> files;
    for (const auto& [location, tensors] : tensors_) files.push_back({location, tensors});
    return files;
  }

 private:
  void Add(const onnx::TensorProto& tensor) {
    if (!io::IsExternal(tensor)) return;
    std::string location;
    for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
      if (entry.key() == "location") location = entry.value();
    }
    ++tensors_[location];
  }

  void Add(const onnx::SparseTensorProto& tensor) {
    Add(tensor.values());
    Add(tensor.indices());
  }

  std::map<std::string, std::size_t> tensors_;
};

}  // namespace

std::string ProducerOf(const onnx::ModelProto& model) {
  return model.producer_name() + (model.producer_version().empty() ? "" : " " + model.producer_version());
}

ModelContents ContentsOf(const onnx::ModelProto& model) {
  ModelContents contents;
  contents.producer = ProducerOf(model);
  for (const onnx::OperatorSetIdProto& import : model.opset_import()) {
    contents.opsets.push_back({import.domain(), import.version()});
  }
  ExternalFiles files;
  files.AddGraph(model.graph());
  for (const onnx::FunctionProto& function : model.functions()) files.AddNodes(function.node());
  contents.external_data = files.Take();
  return contents;
}

}  // namespace supremum::onnx_front
