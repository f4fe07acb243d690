// The size of the second-level cache.
#ifndef SUPREMUM_SRC_KERNELS_CACHE_SIZE_H_
#define SUPREMUM_SRC_KERNELS_CACHE_SIZE_H_

#include <cstdint>

namespace supremum {

/// The size of a core's second-level cache in bytes: what sysconf returns, or kDefaultSecondLevelCacheBytes.
/// It decides whether Max uses non-temporal stores, and whether the one-call form needs a plan; never the
/// bits of a result.
std::int64_t SecondLevelCacheBytes();

/// Chosen by estimate; no benchmark line yet.
inline constexpr std::int64_t kDefaultSecondLevelCacheBytes = std::int64_t{1} << 20;

}  // namespace supremum

#endif  // SUPREMUM_SRC_KERNELS_CACHE_SIZE_H_
