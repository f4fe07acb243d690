#include "verbs/onednn_text.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "supremum/opset.h"
#include "verbs/one_node.h"

namespace supremum::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* OneDnnName(DType dtype) {
  return dtype == DType::kFloat32 ? "f32" : dtype == DType::kFloat16 ? "f16" : "bf16";
}

Json LogicalTensor(std::size_t id, DType dtype, const Shape& shape) {
  std::vector<std::int64_t> strides(shape.rank());
  std::int64_t step = 1;
  for (std::size_t d = shape.rank(); d-- > 0;) {
    strides[d] = step;
    step *= std::max<std::int64_t>(shape[d], 1);
  }
  return {{"id", id},
          {"dtype", OneDnnName(dtype)},
          {"shape", std::vector<std::int64_t>(shape.begin(), shape.end())},
          {"stride", strides},
          {"layout_type", "strided"},
          {"property_type", "undef"}};
}

Json Attributes(const io::OneNodeModel& model, bool states_keep_dims) {
  if (model.op_type == "Max") return {{"auto_broadcast", {{"type", "string"}, {"value", "numpy"}}}};
  std::vector<std::int64_t> axes(model.inputs[0].rank());
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  Json attributes = {{"axes", {{"type", "s64[]"}, {"value", AxesOf(model).value_or(axes)}}}};
  if (states_keep_dims) {
    attributes["keep_dims"] = {{"type", "bool"}, {"value", model.keepdims.value_or(true) ? 1 : 0}};
  }
  return attributes;
}

}  // namespace

bool OneDnnSupports(const io::OneNodeModel& model) {
  return Admits(ReduceMaxVersion::kOneDnn, model.dtype) &&
         (model.op_type == "ReduceMax" || model.inputs.size() == 2);
}

std::string OneDnnGraphText(const std::string& name, const io::OneNodeModel& model, bool states_keep_dims) {
  const std::size_t count = model.inputs.size();
  Json inputs = Json::array(), ports = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    inputs.push_back(LogicalTensor(i, model.dtype, model.inputs[i]));
    ports.push_back(i);
  }
  const Json op = {{"id", 0},
                   {"name", name},
                   {"kind", model.op_type == "Max" ? "Maximum" : "ReduceMax"},
                   {"attrs", Attributes(model, states_keep_dims)},
                   {"inputs", inputs},
                   {"outputs", Json::array({LogicalTensor(count, model.dtype, *model.output)})}};
  const Json graph = {{"version", "3.5.0"},
                      {"engine_kind", "cpu"},
                      {"fpmath_mode", "strict"},
                      {"input_ports", ports},
                      {"output_ports", Json::array({count})},
                      {"graph", Json::array({op})}};
  return graph.dump(1) + "\n";
}

}  // namespace supremum::cli
