#include "frontends/onnx/read/bind_symbols.h"

#include <onnx/onnx_pb.h>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onnx/read/operators.h"

namespace supremum::onnx_front {
namespace {

onnx::TensorShapeProto* ShapeOf(onnx::TypeProto* type) {
  if (type->has_tensor_type() && type->tensor_type().has_shape())
    return type->mutable_tensor_type()->mutable_shape();
  if (type->has_sparse_tensor_type() && type->sparse_tensor_type().has_shape())
    return type->mutable_sparse_tensor_type()->mutable_shape();
  return nullptr;
}

// Visits each extent of each shape that a graph states, in subgraphs too, until there is an error.
template <class Visit>
Result<void> ForEachDim(onnx::GraphProto* graph, const Visit& visit) {
  for (auto* infos : {graph->mutable_input(), graph->mutable_value_info(), graph->mutable_output()}) {
    for (onnx::ValueInfoProto& info : *infos) {
      onnx::TensorShapeProto* const shape = info.has_type() ? ShapeOf(info.mutable_type()) : nullptr;
      for (int d = 0; shape != nullptr && d < shape->dim_size(); ++d) {
        if (auto ok = visit(info.name(), d, shape->mutable_dim(d)); !ok) return ok;
      }
    }
  }
  for (int n = 0; n < graph->node_size(); ++n) {
    onnx::NodeProto& node = *graph->mutable_node(n);
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      Result<void> ok;
      if (attribute.has_g()) ok = ForEachDim(attribute.mutable_g(), visit);
      for (int g = 0; ok && g < attribute.graphs_size(); ++g)
        ok = ForEachDim(attribute.mutable_graphs(g), visit);
      if (ok) continue;
      return ErrorAt(Describe(DescribeNode(node, static_cast<std::size_t>(n))) + ", attribute " +
                         Quote(attribute.name()),
                     ok.error());
    }
  }
  return {};
}

}  // namespace

Result<void> CheckDims(const std::map<std::string, std::int64_t>& dims, const std::set<std::string>& symbols,
                       bool unknown, std::string_view source) {
  for (const auto& [symbol, number] : dims) {
    if (!symbols.contains(symbol)) {
      std::string known;
      for (const std::string& name : symbols) known += (known.empty() ? "" : ", ") + Quote(name);
      return ErrorAt(
          ErrorCode::kInvalidArgument, source,
          "it has no symbolic dimension " + Quote(symbol) +
              (!known.empty() ? "; it has " + known
               : unknown      ? "; an unknown extent has no name, so write a number or a name into the model"
                              : "; all its extents are numbers"));
    }
    if (number < 0) {
      return MakeError(ErrorCode::kInvalidArgument, "the symbolic dimension " + Quote(symbol) +
                                                        " was given the negative extent " +
                                                        std::to_string(number));
    }
  }
  return {};
}

Result<std::optional<std::string>> BindSymbols(const std::map<std::string, std::int64_t>& dims,
                                               std::string_view source, onnx::ModelProto* model) {
  std::optional<std::string> note;
  std::set<std::string> symbols;
  bool unknown = false;
  const auto read = [&](const std::string& name, int d,
                        onnx::TensorShapeProto::Dimension* dim) -> Result<void> {
    if (dim->has_dim_value() && dim->dim_value() < 0) {
      const std::string text = "the shape of " + Quote(name) + " has the extent " +
                               std::to_string(dim->dim_value()) + " in dimension " + std::to_string(d);
      if (dim->dim_value() != -1) {
        return MakeError(ErrorCode::kMalformedFile,
                         text + "; write an unknown extent as a name (dim_param), or leave it out");
      }
      if (!note) note = text + "; ONNX does not define negative extents; each -1 is read as unknown";
      dim->clear_value();
    }
    if (!dims.empty() && !dim->dim_param().empty()) symbols.insert(dim->dim_param());
    unknown = unknown || (!dim->has_dim_value() && dim->dim_param().empty());
    return {};
  };
  if (auto ok = ForEachDim(model->mutable_graph(), read); !ok) return ErrorAt(source, ok.error());
  if (dims.empty()) return note;
  if (auto ok = CheckDims(dims, symbols, unknown, source); !ok) return std::move(ok).error();
  const auto bind = [&](const std::string&, int, onnx::TensorShapeProto::Dimension* dim) -> Result<void> {
    const auto number = dims.find(dim->dim_param());
    if (!dim->dim_param().empty() && number != dims.end()) dim->set_dim_value(number->second);
    return {};
  };
  if (auto ok = ForEachDim(model->mutable_graph(), bind); !ok) return std::move(ok).error();
  return note;
}

}  // namespace supremum::onnx_front
