// The assumed sizes of this machine's caches. They decide how results are stored and how much is computed at
// a time, never the bits of a result.
#ifndef SUPREMUM_SRC_KERNELS_MEMORY_MODEL_H_
#define SUPREMUM_SRC_KERNELS_MEMORY_MODEL_H_

#include <cstddef>

namespace supremum {

/// The caches between a core and the memory.
struct MemoryModel {
  double core_bytes;    ///< size of the cache that each core has alone (level 2)
  double shared_bytes;  ///< size of the cache that cores share (level 3), as far as a process may count on it

  /// True if an operation that reads and writes `bytes` bytes stores its results by non-temporal stores,
  /// which write to the memory. A cached store first reads the line that it writes to, which costs more once
  /// the shared cache does not hold it.
  bool PrefersStreaming(double bytes) const { return bytes > 0 && bytes >= shared_bytes; }
};

/// The caches that a processor reports, or a virtual machine for it.
struct ReportedCaches {
  double second = 0;   ///< bytes of the second level; 0: unknown
  double third = 0;    ///< bytes of the third level
  double sharers = 0;  ///< logical processors that share the third level; 0: unknown
};

/// The model of such a processor. A size that no processor has is cut to what its sharers can have, as
/// virtual machines report the caches of a whole host.
MemoryModel ModelOf(const ReportedCaches& caches);

/// The model of this machine, decided at the first call from what the processor reports (CPUID; on others,
/// sysconf): sizes and sharers. AssumeCaches (supremum/target.h) replaces the sizes.
MemoryModel ThisMemory();

/// Asks the system for huge pages inside new memory of some MiB: the first access to each small page takes
/// longer than a Max of its elements.
void AskForHugePages(void* data, std::size_t bytes);

}  // namespace supremum

#endif  // SUPREMUM_SRC_KERNELS_MEMORY_MODEL_H_
