// Products that are bounded, without divisions: in a small call, one takes as long as all the rest of a loop
// over the dimensions.
#ifndef SUPREMUM_SRC_CORE_MULTIPLY_H_
#define SUPREMUM_SRC_CORE_MULTIPLY_H_

#include <cstddef>
#include <cstdint>

namespace supremum {

/// Multiplies `product` by `extent`. False, and nothing is changed, if the extent is below 1 or the result
/// would be above kMost.
///
/// Requires: product <= kMost.
template <std::size_t kMost>
constexpr bool MultiplyUpTo(std::int64_t extent, std::size_t& product) {
  static_assert(kMost <= UINT32_MAX, "64 bits hold the product of two");
  if (extent <= 0 || static_cast<std::uint64_t>(extent) > kMost) return false;
  const std::uint64_t larger = std::uint64_t{product} * static_cast<std::uint64_t>(extent);
  if (larger > kMost) return false;
  product = static_cast<std::size_t>(larger);
  return true;
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_MULTIPLY_H_
