#include "cli/compare.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "cli/element.h"

namespace supremum::cli {
namespace {

template <class T>
std::optional<T> ParseAll(std::string_view text) {
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

template <Element T>
bool IsInfinite(T value) {
  if constexpr (kIsFloat<T>) {
    return static_cast<BitsOf<T>>(Bits(value) & ~kSignBit<T>) == kInfinityBits<T>;
  } else {
    return false;
  }
}

/// The distance of two values in the order of their type.
template <Element T>
std::uint64_t Distance(T a, T b) {
  const auto x = OrderKey(a), y = OrderKey(b);
  // Modulo 2^64, which the difference of two 64-bit integers does not reach.
  return x < y ? static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x)
               : static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y);
}

/// |a - b| <= bound without rounding, for finite floats.
///
///   sum = a - b, rounded;   error = (a - b) - sum, exactly (Knuth's TwoSum)
///
/// A sum beyond double is infinite and exceeds every bound.
bool IsWithin(double a, double b, double bound) {
  if (a < b) std::swap(a, b);
  const double sum = a - b;
  if (sum != bound) return sum < bound;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (-b - b_part);
  return error <= 0;
}

/// The same for integers with this distance.
bool IsWithin(std::uint64_t distance, double bound) {
  return bound >= 0x1p64 || distance <= static_cast<std::uint64_t>(bound);
}

/// The class of two elements' difference, independent of the mode. Requires: their bits differ.
template <Element T>
DifferenceClass ClassOf(T a, T b) {
  if (IsNaN(a) && IsNaN(b)) return DifferenceClass::kPayload;
  if (IsNaN(a) || IsNaN(b)) return DifferenceClass::kNaN;
  if (IsInfinite(a) || IsInfinite(b)) return DifferenceClass::kInfinity;
  if constexpr (kIsFloat<T>) {
    if (static_cast<BitsOf<T>>((Bits(a) | Bits(b)) & ~kSignBit<T>) == 0) return DifferenceClass::kZeroSign;
  }
  return DifferenceClass::kNumber;
}

/// True if the mode treats the two as equal. Requires: their bits differ.
template <Element T>
bool Admits(const CompareMode& mode, DifferenceClass difference, T a, T b) {
  if (mode.kind == CompareMode::kBits) return false;
  if (difference == DifferenceClass::kPayload) return true;
  if (difference == DifferenceClass::kNaN || difference == DifferenceClass::kInfinity) return false;
  if (mode.kind == CompareMode::kUlp) return Distance(a, b) <= mode.ulps;
  if constexpr (kIsFloat<T>) {
    return IsWithin(double{Decode(a)}, double{Decode(b)}, mode.abs);
  } else {
    return IsWithin(Distance(a, b), mode.abs);
  }
}

template <Element T>
void CompareElements(std::span<const T> a, std::span<const T> b, const CompareMode& mode,
                     Comparison* result) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (Bits(a[i]) == Bits(b[i])) continue;
    ElementPair pair{static_cast<std::int64_t>(i), ClassOf(a[i], b[i]), 0};
    if (Admits(mode, pair.difference, a[i], b[i])) continue;
    pair.ulps = Distance(a[i], b[i]);
    ++result->different;
    ++result->counts[static_cast<std::size_t>(pair.difference)];
    if (!result->first) result->first = pair;
    if (!result->worst || pair.difference < result->worst->difference ||
        (pair.difference == result->worst->difference && pair.ulps > result->worst->ulps)) {
      result->worst = pair;
    }
  }
}

}  // namespace

std::string ToString(const CompareMode& mode) {
  if (mode.kind == CompareMode::kBits) return "bits";
  return mode.kind == CompareMode::kUlp ? fmt::format("ulp:{}", mode.ulps) : fmt::format("abs:{}", mode.abs);
}

std::optional<CompareMode> ParseCompareMode(std::string_view text) {
  if (text == "bits") return CompareMode{};
  if (text.starts_with("ulp:")) {
    const std::optional<std::uint64_t> ulps = ParseAll<std::uint64_t>(text.substr(4));
    if (ulps) return CompareMode{CompareMode::kUlp, *ulps, 0};
  }
  if (text.starts_with("abs:")) {
    const std::optional<double> abs = ParseAll<double>(text.substr(4));
    if (abs && std::isfinite(*abs) && !std::signbit(*abs)) return CompareMode{CompareMode::kAbs, 0, *abs};
  }
  return std::nullopt;
}

std::string_view Describe(DifferenceClass difference) {
  constexpr std::array<std::string_view, kDifferenceClasses> kTexts = {
      "NaN against a number", "infinity against another value", "number against another", "-0 against +0",
      "NaN against one of other bits"};
  return kTexts[static_cast<std::size_t>(difference)];
}

Comparison Compare(const Tensor& actual, const Tensor& expected, const CompareMode& mode) {
  Comparison result;
  if (actual.dtype() != expected.dtype()) {
    result.form = fmt::format("type {}, expected {}", Name(actual.dtype()), Name(expected.dtype()));
    return result;
  }
  if (actual.shape() != expected.shape()) {
    result.form = fmt::format("shape {}, expected {}", ToString(actual.shape()), ToString(expected.shape()));
    return result;
  }
  result.size = actual.size();
  VisitDType(actual.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    CompareElements(actual.Elements<T>(), expected.Elements<T>(), mode, &result);
  });
  return result;
}

std::optional<std::string> Difference(const Tensor& actual, const Tensor& expected) {
  const Comparison result = Compare(actual, expected, kExpected);
  if (!result.form.empty()) return result.form;
  if (!result.first) return std::nullopt;
  const std::int64_t at = result.first->linear;
  const ElementText a = TextOf(actual, at), b = TextOf(expected, at);
  return fmt::format("element {} is {} ({}), expected {} ({}); {} of {} differ",
                     IndexText(actual.shape(), at), a.value, a.bits, b.value, b.bits, result.different,
                     result.size);
}

}  // namespace supremum::cli
