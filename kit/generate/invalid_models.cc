#include "generate/invalid_models.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "io/formats/byte_order.h"
#include "io/formats/tensor_proto.h"

namespace supremum::cli {
namespace {

using io::StatedDim;
using io::StatedValue;
using io::StoredTensor;
using Json = nlohmann::ordered_json;

std::int32_t OnnxType(const std::string& name) {
  const auto number = io::OnnxTypeFromName(name);
  if (!number) throw std::invalid_argument(fmt::format("ONNX has no type '{}'", name));
  return *number;
}

/// A number, a symbol, or "?" for an extent that is not stated.
StatedDim DimOf(const std::string& text) {
  if (text == "?") return std::monostate();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return text;
}

/// ["x0", "float32[2,N,?]"]; "float32" has no shape, "?[2]" no type, "" neither; the text of a sparse tensor
/// begins with "sparse ".
StatedValue ValueOf(const Json& json) {
  StatedValue value;
  value.name = json.at(0).get<std::string>();
  std::string text = json.at(1).get<std::string>();
  value.has_type = !text.empty();
  if (!value.has_type) return value;
  value.sparse = text.starts_with("sparse ");
  if (value.sparse) text = text.substr(text.find(' ') + 1);
  const std::size_t bracket = text.find('[');
  const std::string type = text.substr(0, bracket);
  if (type != "?") value.onnx_type = OnnxType(type);
  if (bracket == std::string::npos) return value;
  if (text.back() != ']') throw std::invalid_argument(fmt::format("'{}' does not end with ']'", text));
  const std::string dims = text.substr(bracket + 1, text.size() - bracket - 2);
  value.shape.emplace();
  for (std::size_t at = 0; !dims.empty() && at <= dims.size();) {
    const std::size_t comma = std::min(dims.find(',', at), dims.size());
    value.shape->push_back(DimOf(dims.substr(at, comma - at)));
    at = comma + 1;
  }
  return value;
}

StoredTensor StoredOf(const Json& json) {
  StoredTensor stored;
  stored.name = json.value("name", "");
  const std::string type = json.at("type").get<std::string>();
  stored.onnx_type = OnnxType(type);
  stored.dims = json.at("shape").get<std::vector<std::int64_t>>();
  Shape shape = Shape::FromSpan(stored.dims).value();
  if (json.contains("indices")) {
    stored.indices = json.at("indices").get<std::vector<std::int64_t>>();
    shape = Shape{static_cast<std::int64_t>(stored.indices->size())};
  }
  const Tensor tensor =
      TensorOfBits(ParseDType(type).value(), shape, json.at("bits").get_ref<const std::string&>());
  stored.raw_data = io::LittleEndianBytes(tensor);
  return stored;
}

io::StatedNode NodeOf(const Json& json) {
  io::StatedNode node{json.at("op").get<std::string>(),
                      json.at("inputs").get<std::vector<std::string>>(),
                      json.at("outputs").get<std::vector<std::string>>(),
                      {}};
  if (!json.contains("attributes")) return node;
  for (const auto& [name, value] : json.at("attributes").items()) {
    if (value.is_object()) {
      node.attributes.push_back({name, StoredOf(value)});
    } else if (value.is_array()) {
      node.attributes.push_back({name, value.get<std::vector<std::int64_t>>()});
    } else {
      node.attributes.push_back({name, value.get<std::int64_t>()});
    }
  }
  return node;
}

template <class T>
void Read(const Json& json, const char* key, T (*one)(const Json&), std::vector<T>* all) {
  if (!json.contains(key)) return;
  for (const Json& of : json.at(key)) all->push_back(one(of));
}

}  // namespace

io::AnyModel AnyModelOf(const Json& json) {
  io::AnyModel model;
  model.opset = json.at("opset").get<std::int64_t>();
  Read(json, "inputs", ValueOf, &model.inputs);
  Read(json, "outputs", ValueOf, &model.outputs);
  Read(json, "values", ValueOf, &model.values);
  Read(json, "initializers", StoredOf, &model.initializers);
  Read(json, "sparse_initializers", StoredOf, &model.initializers);
  Read(json, "nodes", NodeOf, &model.nodes);
  return model;
}

}  // namespace supremum::cli
