// Reports of tensors: summaries and elements, as lines of a table and as objects of JSON.
#ifndef SUPREMUM_TOOLS_CLI_REPORT_H_
#define SUPREMUM_TOOLS_CLI_REPORT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/terminal.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::cli {

struct Summary {
  std::string min = "-";  ///< the least element that is a number, exactly; "-" if there is none
  std::string max = "-";  ///< the greatest, in the order of ORD-2: the maximum of -0 and +0 is +0
  nlohmann::ordered_json
      min_json;  ///< the same for JSON: a string if JSON has no such number, null if there is none
  nlohmann::ordered_json max_json;
  std::int64_t nan_count = 0;
  std::string sha256;  ///< of the elements in row-major order, little-endian, in hexadecimal; or empty
};

/// One pass over the elements, and with `sha256` another one.
///
/// Errors: kUnsupportedFormat if OpenSSL was configured without SHA-256.
Result<Summary> Summarize(const Tensor& tensor, bool sha256);

/// The same for elements that are added in pieces.
class Summarizer {
 public:
  explicit Summarizer(DType dtype) : dtype_(dtype) {}

  /// Requires: whole elements.
  void Add(std::span<const std::byte> elements);

  Summary Finish(std::string sha256) const;

 private:
  DType dtype_;
  bool any_ = false;  // true after the first number
  std::array<std::byte, 8> min_ = {};
  std::array<std::byte, 8> max_ = {};
  std::int64_t nan_count_ = 0;
};

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

/// A title, and a line for each of the first `limit` elements: index, decimal, hexadecimal float, bits. If
/// there are more elements, a last line has the counts.
std::string ValuesText(const std::string& name, const Tensor& tensor, std::uint64_t limit,
                       const Terminal& terminal);

/// The element at position `linear`: {"index": [0, 1], "value": "-0", "hex_float": "-0x0p+0", "bits":
/// "0x80000000"}. All values are strings, since JSON has no NaN and JSON readers round large integers;
/// "hex_float" is null for integers, bools and NaN.
nlohmann::ordered_json ElementJson(const Tensor& tensor, std::int64_t linear);

/// The first `limit` elements, each as ElementJson.
nlohmann::ordered_json ValuesJson(const Tensor& tensor, std::uint64_t limit);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_REPORT_H_
