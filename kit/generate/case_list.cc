#include "generate/case_list.h"

#include <fmt/format.h>

#include <cstdint>

#include "cli/output.h"
#include "io/formats/byte_order.h"

namespace supremum::cli {
namespace {

using Json = nlohmann::ordered_json;

Json TensorJson(const Tensor& tensor) {
  return {{"shape", std::vector<std::int64_t>(tensor.shape().begin(), tensor.shape().end())},
          {"bits", HexDigits(tensor)}};
}

Json AttributesJson(const io::OneNodeModel& model) {
  Json json = Json::object();
  if (model.axes) json["axes"] = *model.axes;
  if (model.keepdims) json["keepdims"] = *model.keepdims ? 1 : 0;
  if (model.noop_with_empty_axes) json["noop_with_empty_axes"] = *model.noop_with_empty_axes ? 1 : 0;
  return json;
}

}  // namespace

std::string HexDigits(const Tensor& tensor) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const std::size_t width = ByteWidth(tensor.dtype());
  const std::string bytes = io::LittleEndianBytes(tensor);
  std::string digits(2 * bytes.size(), '0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    // Byte b of an element, the lowest first, becomes the digits from 2 * (width - 1 - b) on.
    const std::size_t at = 2 * (i - i % width + width - 1 - i % width);
    const auto byte = static_cast<unsigned char>(bytes[i]);
    digits[at] = kDigits[byte >> 4];
    digits[at + 1] = kDigits[byte & 15];
  }
  return digits;
}

Json CaseJson(const ListedCase& one, const io::OneNodeModel& model, std::span<const NamedTensor> inputs,
              const Tensor& output) {
  Json json = {{"id", one.id},
               {"group", one.group},
               {"name", one.name},
               {"type", Name(model.dtype)},
               {"rules", one.rules},
               {"reason", one.reason},
               {"operator", model.op_type},
               {"opset", model.opset},
               {"attributes", AttributesJson(model)},
               {"inputs", Json::array()},
               {"output", TensorJson(output)},
               {"onnx", nullptr},
               {"onednn", nullptr}};
  for (const NamedTensor& input : inputs) json["inputs"].push_back(TensorJson(input.tensor));
  if (!one.onnx.empty()) json["onnx"] = one.onnx;
  if (!one.onednn.empty()) json["onednn"] = one.onednn;
  return json;
}

void CaseList::Add(const Json& entry) {
  if (!lines_.empty()) lines_ += ",\n";
  lines_ += entry.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string CaseList::Text() const {
  return fmt::format("{{\"version\": {}, \"cases\": [\n{}\n]}}\n", Json(Version()).dump(), lines_);
}

}  // namespace supremum::cli
