// Tensors as the command reports them: a line of a table, an object of JSON.
#ifndef SUPREMUM_TOOLS_REPORT_H_
#define SUPREMUM_TOOLS_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "summary.h"
#include "supremum/result.h"
#include "supremum/tensor.h"
#include "terminal.h"

namespace supremum::cli {

struct TensorReport {
  std::string name;
  std::string file;  ///< where it was written to; empty if nowhere
  DType dtype = DType::kFloat32;
  Shape shape;
  Summary summary;
};

/// Errors: those of Summarize.
Result<TensorReport> ReportOf(std::string name, const Tensor& tensor);

/// A line a tensor: name, dtype, shape, min, max, NaN count, sha256; the file if any has one; the time of the
/// run, if there was one.
std::string TensorTable(std::span<const TensorReport> reports, std::optional<double> seconds,
                        const Terminal& terminal);

nlohmann::ordered_json ToJson(const TensorReport& report);
nlohmann::ordered_json ToJson(std::span<const TensorReport> reports);

/// "1.234 ms", in the unit that suits.
std::string TimeText(double seconds);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_REPORT_H_
