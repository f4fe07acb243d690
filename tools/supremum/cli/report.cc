#include "cli/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/table.h"

namespace supremum::cli {

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

}  // namespace supremum::cli
