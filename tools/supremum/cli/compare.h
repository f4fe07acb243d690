// Comparison of tensors: types, shapes and classes of elements first, then bits or distances.
#ifndef SUPREMUM_TOOLS_CLI_COMPARE_H_
#define SUPREMUM_TOOLS_CLI_COMPARE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "supremum/tensor.h"

namespace supremum::cli {

/// When two elements count as equal.
struct CompareMode {
  enum Kind {
    kBits,  ///< the same bits, payloads of NaNs included
    kUlp,   ///< both NaN; or at most `ulps` apart in the order of ORD-2, in which -0 and +0 are neighbours;
            ///< but never a finite number and an infinity. Integers: their difference is at most `ulps`
    kAbs,   ///< both NaN; or the same infinity; or finite with |a - b| <= `abs`, computed exactly
  };

  Kind kind = kBits;
  std::uint64_t ulps = 0;
  double abs = 0;
};

/// The mode for expected outputs of tests: both NaN, or the same bits (-0 is not +0).
inline constexpr CompareMode kExpected = {CompareMode::kUlp, 0, 0};

/// "bits", "ulp:4", "abs:0.001".
std::string ToString(const CompareMode& mode);

/// Parses that form; nullopt for anything else. ulp: takes a whole number, abs: a finite number, both 0 or
/// more.
std::optional<CompareMode> ParseCompareMode(std::string_view text);

/// How two elements differ, the most severe class first.
enum class DifferenceClass : std::uint8_t {
  kNaN,       ///< a NaN and a number
  kInfinity,  ///< an infinity, and a finite number or the other infinity
  kNumber,    ///< two numbers
  kZeroSign,  ///< -0 and +0
  kPayload,   ///< two NaNs with different bits
};
inline constexpr std::size_t kDifferenceClasses = 5;

/// "NaN against a number", ...
std::string_view Describe(DifferenceClass difference);

/// One element of both tensors.
struct ElementPair {
  std::int64_t linear = 0;  ///< its position in row-major order
  DifferenceClass difference = DifferenceClass::kNumber;
  std::uint64_t ulps = 0;  ///< their distance in the order of ORD-2; of integers, their difference
};

struct Comparison {
  /// Set if types or shapes differ: "type float32, expected int32". Then no element is compared.
  std::string form;
  std::int64_t size = 0;       ///< elements of each tensor
  std::int64_t different = 0;  ///< of them
  std::array<std::int64_t, kDifferenceClasses> counts = {};
  std::optional<ElementPair> first;  ///< the first that differs
  /// The first pair of the most severe class with, in that class, the greatest distance.
  std::optional<ElementPair> worst;

  bool equal() const { return form.empty() && different == 0; }
};

/// One pass over the elements.
Comparison Compare(const Tensor& actual, const Tensor& expected, const CompareMode& mode);

/// How `actual` differs from `expected` under kExpected, in one line: the first element that differs, both
/// values and their bits, and the number of such elements. nullopt if they are equal.
std::optional<std::string> Difference(const Tensor& actual, const Tensor& expected);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_COMPARE_H_
