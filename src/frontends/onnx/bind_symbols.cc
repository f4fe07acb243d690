#include "frontends/onnx/bind_symbols.h"

#include <onnx/onnx_pb.h>

#include <set>

#include "frontends/onnx/bind.h"

namespace supremum::onnx_front {
namespace {

// Visits each extent of each shape that a graph states, in subgraphs too.
template <class Visit>
void ForEachDim(onnx::GraphProto* graph, const Visit& visit) {
  for (auto* infos : {graph->mutable_input(), graph->mutable_value_info(), graph->mutable_output()}) {
    for (onnx::ValueInfoProto& info : *infos) {
      if (!info.type().has_tensor_type() || !info.type().tensor_type().has_shape()) continue;
      for (auto& dim : *info.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim())
        visit(&dim);
    }
  }
  for (onnx::NodeProto& node : *graph->mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) ForEachDim(attribute.mutable_g(), visit);
      for (onnx::GraphProto& inner : *attribute.mutable_graphs()) ForEachDim(&inner, visit);
    }
  }
}

}  // namespace

Result<void> BindSymbols(const std::map<std::string, std::int64_t>& dims, std::string_view source,
                         onnx::ModelProto* model) {
  if (dims.empty()) return {};
  std::set<std::string> symbols;
  ForEachDim(model->mutable_graph(), [&](onnx::TensorShapeProto::Dimension* dim) {
    if (!dim->dim_param().empty()) symbols.insert(dim->dim_param());
  });
  if (auto ok = CheckDims(dims, symbols, source); !ok) return ok;
  ForEachDim(model->mutable_graph(), [&](onnx::TensorShapeProto::Dimension* dim) {
    const auto number = dims.find(dim->dim_param());
    if (!dim->dim_param().empty() && number != dims.end()) dim->set_dim_value(number->second);
  });
  return {};
}

}  // namespace supremum::onnx_front
