// How much memory the processor keeps close.
#ifndef SUPREMUM_SRC_KERNELS_CACHE_SIZE_H_
#define SUPREMUM_SRC_KERNELS_CACHE_SIZE_H_

#include <cstdint>

namespace supremum {

/// The size of a core's own cache, in bytes; what the machine says, or 1 MiB where it does not. It decides
/// which way results go to memory, never what they are.
std::int64_t SecondLevelCacheBytes();

}  // namespace supremum

#endif  // SUPREMUM_SRC_KERNELS_CACHE_SIZE_H_
