#include "kernels/memory_model.h"

#ifdef __linux__
#include <sys/mman.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

#include "supremum/target.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace supremum {
namespace {

#if defined(__x86_64__) || defined(__i386__)

// One form of description under two numbers, one for each vendor. Some virtual machines hide it, and leave an
// older form, which has the sum of all third levels and not who shares one.
ReportedCaches ReadCaches() {
  constexpr unsigned kLeaves[] = {4, 0x8000'001D}, kOlderLeaf = 0x8000'0006;
  ReportedCaches caches;
  unsigned a = 0, b = 0, c = 0, d = 0;
  for (const unsigned leaf : kLeaves) {
    for (unsigned index = 0; index < 8 && __get_cpuid_count(leaf, index, &a, &b, &c, &d) != 0; ++index) {
      const unsigned type = a & 31, level = a >> 5 & 7;
      if (type == 0) break;
      if (type == 2) continue;  // of instructions
      const double ways = (b >> 22) + 1, partitions = (b >> 12 & 0x3FF) + 1, line = (b & 0xFFF) + 1;
      const double bytes = ways * partitions * line * (static_cast<double>(c) + 1);
      if (level == 2) caches.second = bytes;
      if (level == 3) {
        caches.third = bytes;
        caches.sharers = (a >> 14 & 0xFFF) + 1;
      }
    }
    if (caches.second != 0) return caches;
  }
  if (__get_cpuid(kOlderLeaf, &a, &b, &c, &d) != 0) {
    caches.second = (c >> 16) * 1024.0;
    caches.third = (d >> 18) * 512 * 1024.0;
  }
  return caches;
}

#else

ReportedCaches ReadCaches() {
  ReportedCaches caches;
#if defined(_SC_LEVEL2_CACHE_SIZE) && defined(_SC_LEVEL3_CACHE_SIZE)
  caches.second = static_cast<double>(std::max(long{0}, sysconf(_SC_LEVEL2_CACHE_SIZE)));
  caches.third = static_cast<double>(std::max(long{0}, sysconf(_SC_LEVEL3_CACHE_SIZE)));
  caches.sharers = 1;
#endif
  return caches;
}

#endif

constexpr double kMiB = 1024 * 1024;

// Bytes of a core's own cache where a processor does not say.
constexpr double kDefaultCoreBytes = kMiB;

// Upper limits of the shared cache: for each processor that shares it, and in all if the sharers are not
// reported. No core that is sold has more, and some virtual machines report hundreds.
constexpr double kMaxShareOfOneProcessor = 12 * kMiB, kMaxShareOfUnknown = 32 * kMiB;

// The sizes that AssumeCaches stated, in bytes; negative: none.
std::atomic<std::int64_t> stated_core_bytes = -1, stated_shared_bytes = -1;

}  // namespace

MemoryModel ModelOf(const ReportedCaches& caches) {
  const double core = caches.second > 0 ? caches.second : kDefaultCoreBytes;
  const double believed = caches.sharers > 0 ? caches.sharers * kMaxShareOfOneProcessor : kMaxShareOfUnknown;
  return {core, std::max(core, std::min(caches.third, believed))};
}

MemoryModel ThisMemory() {
  static const MemoryModel detected = ModelOf(ReadCaches());
  const std::int64_t core = stated_core_bytes.load();
  if (core < 0) return detected;
  return {static_cast<double>(core), static_cast<double>(stated_shared_bytes.load())};
}

CacheSizes AssumedCaches() {
  const MemoryModel model = ThisMemory();
  return {static_cast<std::int64_t>(model.core_bytes), static_cast<std::int64_t>(model.shared_bytes)};
}

void AssumeCaches(std::optional<CacheSizes> sizes) {
  stated_shared_bytes = sizes ? sizes->shared_bytes : -1;
  stated_core_bytes = sizes ? sizes->core_bytes : -1;
}

void AskForHugePages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  if (bytes < 2 * kHugePage) return;
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(data) % kHugePage) % kHugePage;
  madvise(static_cast<std::byte*>(data) + before, (bytes - before) / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
}

}  // namespace supremum
