#include "compare.h"

#include <fmt/format.h>

#include "element.h"

namespace supremum::cli {
namespace {

template <Element T>
std::optional<std::string> FirstDifference(const Tensor& actual, const Tensor& expected) {
  const std::span<const T> a = actual.Elements<T>();
  const std::span<const T> b = expected.Elements<T>();
  std::size_t first = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (Bits(a[i]) == Bits(b[i]) || (IsNaN(a[i]) && IsNaN(b[i]))) continue;
    if (count++ == 0) first = i;
  }
  if (count == 0) return std::nullopt;
  return fmt::format("element {} is {} ({}), expected {} ({}); {} of {} differ",
                     IndexText(actual.shape(), static_cast<std::int64_t>(first)), Text(a[first]),
                     HexText(a[first]), Text(b[first]), HexText(b[first]), count, a.size());
}

}  // namespace

std::optional<std::string> Difference(const Tensor& actual, const Tensor& expected) {
  if (actual.dtype() != expected.dtype()) {
    return fmt::format("type {}, expected {}", Name(actual.dtype()), Name(expected.dtype()));
  }
  if (actual.shape() != expected.shape()) {
    return fmt::format("shape {}, expected {}", ToString(actual.shape()), ToString(expected.shape()));
  }
  return VisitDType(actual.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    return FirstDifference<T>(actual, expected);
  });
}

}  // namespace supremum::cli
