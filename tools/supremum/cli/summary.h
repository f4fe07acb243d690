// A summary of a tensor: minimum, maximum, number of NaNs, SHA-256.
#ifndef SUPREMUM_TOOLS_CLI_SUMMARY_H_
#define SUPREMUM_TOOLS_CLI_SUMMARY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

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

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_SUMMARY_H_
