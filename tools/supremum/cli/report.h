// Reports of tensors: lines of a table, objects of JSON.
#ifndef SUPREMUM_TOOLS_CLI_REPORT_H_
#define SUPREMUM_TOOLS_CLI_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/summary.h"
#include "cli/terminal.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::cli {

struct TensorReport {
  std::string name;
  std::string file;  ///< the file it was written to; empty if none
  DType dtype = DType::kFloat32;
  Shape shape;
  Summary summary;
};

/// Errors: those of Summarize.
Result<TensorReport> ReportOf(std::string name, const Tensor& tensor, bool sha256);

/// One line for each tensor: name, dtype, shape, min, max, NaN count; sha256 and the file if any tensor has
/// one; the time of the run if `seconds` is set.
std::string TensorTable(std::span<const TensorReport> reports, std::optional<double> seconds,
                        const Terminal& terminal);

nlohmann::ordered_json ToJson(const TensorReport& report);
nlohmann::ordered_json ToJson(std::span<const TensorReport> reports);

/// "1.234 ms", in a unit that fits the magnitude.
std::string TimeText(double seconds);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_REPORT_H_
