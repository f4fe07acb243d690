#include "kernels/memory_model.h"

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

// Intel and AMD describe each cache in the same form, under different numbers. Some virtual machines hide
// that of AMD, and leave its older form, which has the sum of all third levels and not who shares one.
ReportedCaches ReadCaches() {
  ReportedCaches caches;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0, &a, &b, &c, &d) == 0) return caches;
  constexpr unsigned kHygon = 0x6F67'7948;  // "Hygo": the first letters of its name, as AMD's are
  const bool is_amd = b == signature_AMD_ebx || b == kHygon;
  const bool is_intel = b == signature_INTEL_ebx;
  if (__get_cpuid(1, &a, &b, &c, &d) != 0) {
    const int family = static_cast<int>((a >> 8 & 0xF) + (a >> 20 & 0xFF));
    if (is_amd) caches.amd_family = family;
    if (is_intel && family == 6) caches.intel_model = static_cast<int>((a >> 4 & 0xF) + (a >> 12 & 0xF0));
  }
  const unsigned leaf = is_amd ? 0x8000'001D : 4;
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
  if (is_amd && caches.second == 0 && __get_cpuid(0x8000'0006, &a, &b, &c, &d) != 0) {
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

// Where a processor does not say.
constexpr double kDefaultCoreBytes = kMiB;

// The part of the shared cache that is counted on, on AMD's processors all of it, as it holds nothing that
// the cores' own caches have; and the most that is believed for each processor that shares it: none that is
// sold has more than 12 MiB a core, and some virtual machines of two processors report hundreds.
constexpr double kSharePart = 0.75;
constexpr double kMaxShareOfOneProcessor = 12 * kMiB;

// What the cores of AMD's complexes share at most, since Zen 3 and before, but for those with stacked caches:
// where the sharers are not reported.
constexpr int kFamilyOfZen3 = 0x19;
constexpr double kMaxComplexBytes = 32 * kMiB, kMaxComplexBytesBeforeZen3 = 16 * kMiB;

// What a core's own cache holds although it is larger, as a part of the cache.
constexpr double kSlightExcess = 1.0 / 16;

// Where stores leave a core's own cache to what is read: the excess over the cache, as a part of it, from
// which on nothing of what was read is found there again. Measured by supremum_stores, an Intel Xeon with 2
// MiB: non-temporal stores take 0.8 to 0.98 of the time of cached ones up to 1.5, from there on 1.00 to 1.1.
constexpr double kLostExcess = 0.5;

// Measured by supremum_stores (bench/stores.cc) on AMD Zen 4 and Zen 5, and on an Intel Xeon with 2 MiB of
// second level for each core (docs/decisions/0024-stores-and-small-calls.md). Other vendors' processors are
// taken to be like that Intel Xeon.
constexpr int kFamilyOfZen5 = 0x1A;
constexpr double kCachedByteAmd = 1, kStreamedByteZen4 = 3, kStreamedByteZen5 = 2.5;
constexpr double kCachedByteOthers = 1, kStreamedByteOthers = 1.2;

// Emerald Rapids: where a core reads beside its stores, its own cache holds less, and what leaves it takes
// longer.
constexpr int kModelOfEmeraldRapids = 0xCF;
constexpr double kOwnPartEmeraldRapids = 0.6, kStreamedByteEmeraldRapids = 1.35,
                 kMixedByteEmeraldRapids = 0.6;

// Where kShareTheMemory: the parts of the shared cache from which on it loses some of what it is given, and
// as much as that; and the bytes that are read for one that is stored before reads no longer go on beside the
// stores, and what one of them then costs.
constexpr double kCrowdedPart = 3.0 / 16, kFullPart = 0.75, kReadsBesideStores = 2, kReadByte = 1.5;

// What AssumeCaches has stated, in bytes; negative: nothing.
std::atomic<std::int64_t> stated_core_bytes = -1, stated_shared_bytes = -1;

}  // namespace

MemoryModel ModelOf(const ReportedCaches& caches) {
  const double core = caches.second > 0 ? caches.second : kDefaultCoreBytes;
  const double counted = caches.third * (caches.amd_family == 0 ? kSharePart : 1);
  const double complex = caches.amd_family >= kFamilyOfZen3 ? kMaxComplexBytes : kMaxComplexBytesBeforeZen3;
  const double believed = caches.sharers > 0 ? caches.sharers * kMaxShareOfOneProcessor : complex;
  const double shared = std::max(core, std::min(counted, believed));
  if (caches.amd_family == 0) {
    const auto kind = MemoryModel::Streams::kFollowReads;
    if (caches.intel_model == kModelOfEmeraldRapids) {
      return {core * kOwnPartEmeraldRapids, shared, kind, kCachedByteOthers, kStreamedByteEmeraldRapids,
              kMixedByteEmeraldRapids};
    }
    return {core, shared, kind, kCachedByteOthers, kStreamedByteOthers, 0};
  }
  return {core,
          shared,
          MemoryModel::Streams::kShareTheMemory,
          kCachedByteAmd,
          caches.amd_family < kFamilyOfZen5 ? kStreamedByteZen4 : kStreamedByteZen5,
          0};
}

bool MemoryModel::PrefersStreaming(double read, double stored, std::size_t threads, bool keeps_part) const {
  const double cores = static_cast<double>(threads), own = core_bytes * cores * (1 + kSlightExcess);
  if (read + stored <= own) return false;
  if (read + stored >= shared_bytes) return true;
  const double cached = read + stored * cached_byte + std::min(read, stored) * mixed_byte;
  if (streams == Streams::kShareTheMemory) {
    const double crowded = shared_bytes * kCrowdedPart, full = shared_bytes * kFullPart;
    const double lost = std::max(0.0, read + stored - crowded) / (full - crowded);
    const double waits = read > kReadsBesideStores * stored ? read * kReadByte : 0;
    return stored * streamed_byte * cores + waits < cached + (read + stored) * lost;
  }
  const double excess = read - core_bytes * cores, all = kLostExcess * core_bytes * cores;
  const double lost = excess <= 0 ? 0 : excess >= all ? 1 : excess / all;
  const double reread = keeps_part ? read * lost : read <= own ? 0 : read;
  return stored * streamed_byte + reread < cached;
}

MemoryModel ThisMemory() {
  static const MemoryModel detected = ModelOf(ReadCaches());
  MemoryModel model = detected;
  if (const std::int64_t core = stated_core_bytes.load(); core >= 0) {
    model.core_bytes = static_cast<double>(core);
    model.shared_bytes = static_cast<double>(stated_shared_bytes.load());
  }
  return model;
}

CacheSizes AssumedCaches() {
  const MemoryModel model = ThisMemory();
  return {static_cast<std::int64_t>(model.core_bytes), static_cast<std::int64_t>(model.shared_bytes)};
}

void AssumeCaches(std::optional<CacheSizes> sizes) {
  stated_shared_bytes = sizes ? sizes->shared_bytes : -1;
  stated_core_bytes = sizes ? sizes->core_bytes : -1;
}

}  // namespace supremum
