#include "kernels/cache_size.h"

#include <unistd.h>

namespace supremum {

std::int64_t SecondLevelCacheBytes() {
  static const std::int64_t bytes = [] {
    std::int64_t size = 0;
#if defined(_SC_LEVEL2_CACHE_SIZE)
    size = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return size > 0 ? size : kDefaultSecondLevelCacheBytes;
  }();
  return bytes;
}

}  // namespace supremum
