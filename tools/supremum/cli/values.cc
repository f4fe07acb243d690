#include "cli/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/element.h"
#include "cli/output.h"
#include "cli/table.h"

namespace supremum::cli {
namespace {

/// The number of elements that are shown.
std::int64_t Shown(const Tensor& tensor, std::uint64_t limit) {
  return static_cast<std::int64_t>(std::min(static_cast<std::uint64_t>(tensor.size()), limit));
}

}  // namespace

std::string ValuesText(const std::string& name, const Tensor& tensor, std::uint64_t limit,
                       const Terminal& terminal) {
  Table table({{"element"}, {"value", Table::kRight}, {"hex float", Table::kRight}, {"bits"}});
  const std::int64_t shown = Shown(tensor, limit);
  for (std::int64_t i = 0; i < shown; ++i) {
    const ElementText text = TextOf(tensor, i);
    table.Add({IndexText(tensor.shape(), i), text.value, text.hex_float, text.bits});
  }
  std::string text = fmt::format("\n{}\n", name.empty() ? "-" : Printable(name)) + table.Text(terminal, 2);
  if (shown < tensor.size()) {
    text += fmt::format("  the first {} of {} elements; use --limit N to show more\n", shown, tensor.size());
  }
  return text;
}

nlohmann::ordered_json ElementJson(const Tensor& tensor, std::int64_t linear) {
  const ElementText text = TextOf(tensor, linear);
  const Shape index = IndexOf(tensor.shape(), linear);
  nlohmann::ordered_json json = {{"index", std::vector<std::int64_t>(index.begin(), index.end())},
                                 {"value", text.value},
                                 {"hex_float", nullptr},
                                 {"bits", text.bits}};
  if (text.hex_float != "-") json["hex_float"] = text.hex_float;
  return json;
}

nlohmann::ordered_json ValuesJson(const Tensor& tensor, std::uint64_t limit) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (std::int64_t i = 0; i < Shown(tensor, limit); ++i) json.push_back(ElementJson(tensor, i));
  return json;
}

}  // namespace supremum::cli
