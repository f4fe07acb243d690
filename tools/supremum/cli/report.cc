#include "cli/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "cli/element.h"
#include "cli/output.h"
#include "cli/sha256.h"
#include "cli/table.h"

namespace supremum::cli {
namespace {

template <Element T>
nlohmann::ordered_json Json(T value) {
  if constexpr (kIsFloat<T>) {
    if (!std::isfinite(Decode(value))) return Text(value);
  }
  return Decode(value);
}

/// The number of elements that are shown.
std::int64_t Shown(const Tensor& tensor, std::uint64_t limit) {
  return static_cast<std::int64_t>(std::min(static_cast<std::uint64_t>(tensor.size()), limit));
}

}  // namespace

void Summarizer::Add(std::span<const std::byte> elements) {
  VisitDType(dtype_, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Key = decltype(OrderKey(T()));
    constexpr Key kLeast = std::numeric_limits<Key>::min(), kGreatest = std::numeric_limits<Key>::max();
    Key least = kGreatest, greatest = kLeast;
    std::size_t nans = 0;
    // Without a branch, so that a compiler can vectorize the loop.
    for (std::size_t i = 0; i < elements.size(); i += sizeof(T)) {
      T value = {};
      std::memcpy(&value, elements.data() + i, sizeof(T));
      const Key key = OrderKey(value);
      const bool nan = IsNaN(value);
      nans += nan ? 1 : 0;
      least = std::min(least, nan ? kGreatest : key);
      greatest = std::max(greatest, nan ? kLeast : key);
    }
    nan_count_ += static_cast<std::int64_t>(nans);
    if (nans * sizeof(T) == elements.size()) return;
    T min = {}, max = {};
    std::memcpy(&min, min_.data(), sizeof(T));
    std::memcpy(&max, max_.data(), sizeof(T));
    if (!any_ || least < OrderKey(min)) min = FromOrderKey<T>(least);
    if (!any_ || OrderKey(max) < greatest) max = FromOrderKey<T>(greatest);
    any_ = true;
    std::memcpy(min_.data(), &min, sizeof(T));
    std::memcpy(max_.data(), &max, sizeof(T));
  });
}

Summary Summarizer::Finish(std::string sha256) const {
  Summary summary;
  summary.sha256 = std::move(sha256);
  summary.nan_count = nan_count_;
  if (!any_) return summary;
  VisitDType(dtype_, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T min = {}, max = {};
    std::memcpy(&min, min_.data(), sizeof(T));
    std::memcpy(&max, max_.data(), sizeof(T));
    summary.min = Text(min);
    summary.max = Text(max);
    summary.min_json = Json(min);
    summary.max_json = Json(max);
  });
  return summary;
}

Result<Summary> Summarize(const Tensor& tensor, bool sha256) {
  Result<std::string> digest = sha256 ? Sha256Of(tensor) : std::string();
  if (!digest) return digest.error();
  Summarizer summarizer(tensor.dtype());
  summarizer.Add(tensor.bytes());
  return summarizer.Finish(*std::move(digest));
}

Result<TensorReport> ReportOf(std::string name, const Tensor& tensor, bool sha256) {
  Result<Summary> summary = Summarize(tensor, sha256);
  if (!summary) return summary.error();
  return TensorReport{std::move(name), "", tensor.dtype(), tensor.shape(), std::move(*summary)};
}

std::string TensorTable(std::span<const TensorReport> reports, std::optional<double> seconds,
                        const Terminal& terminal) {
  const bool files =
      std::ranges::any_of(reports, [](const TensorReport& report) { return !report.file.empty(); });
  const bool digests =
      std::ranges::any_of(reports, [](const TensorReport& report) { return !report.summary.sha256.empty(); });
  std::vector<Table::Column> columns = {{"name", Table::kLeft, 16},  {"dtype"},
                                        {"shape", Table::kLeft, 16}, {"min", Table::kRight},
                                        {"max", Table::kRight},      {"NaN", Table::kRight}};
  if (digests) columns.push_back({"sha256", Table::kLeft, 12});
  if (seconds) columns.push_back({"time", Table::kRight});
  if (files) columns.push_back({"file", Table::kLeft, 16});
  Table table(std::move(columns));
  for (const TensorReport& report : reports) {
    std::vector<std::string> cells = {report.name.empty() ? "-" : report.name,
                                      std::string(Name(report.dtype)),
                                      ToString(report.shape),
                                      report.summary.min,
                                      report.summary.max,
                                      fmt::format("{}", report.summary.nan_count)};
    if (digests) cells.push_back(report.summary.sha256);
    if (seconds) cells.push_back(TimeText(*seconds));
    if (files) cells.push_back(report.file);
    table.Add(std::move(cells));
  }
  return table.Text(terminal);
}

nlohmann::ordered_json ToJson(const TensorReport& report) {
  nlohmann::ordered_json json;
  json["name"] = report.name;
  json["dtype"] = Name(report.dtype);
  json["shape"] = std::vector<std::int64_t>(report.shape.begin(), report.shape.end());
  json["min"] = report.summary.min_json;
  json["max"] = report.summary.max_json;
  json["nan_count"] = report.summary.nan_count;
  json["sha256"] = nullptr;
  if (!report.summary.sha256.empty()) json["sha256"] = report.summary.sha256;
  if (!report.file.empty()) json["file"] = report.file;
  return json;
}

nlohmann::ordered_json ToJson(std::span<const TensorReport> reports) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const TensorReport& report : reports) json.push_back(ToJson(report));
  return json;
}

std::string TimeText(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3f} ms", seconds * 1e3);
  return fmt::format("{:.3f} us", seconds * 1e6);
}

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
