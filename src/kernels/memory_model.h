// What is assumed of this machine's caches: it decides how results are stored and how much is computed at a
// time, never what they are.
#ifndef SUPREMUM_SRC_KERNELS_MEMORY_MODEL_H_
#define SUPREMUM_SRC_KERNELS_MEMORY_MODEL_H_

#include <cstddef>
#include <cstdint>

namespace supremum {

/// The caches between a core and the memory, and two ways to store a result: a cached store writes to the
/// core's cache, which reads the line before and writes it to the shared cache later; a non-temporal store
/// writes to the memory.
struct MemoryModel {
  /// What a non-temporal store waits for.
  enum class Streams : std::uint8_t {
    /// The memory, which takes the bytes of all cores one after the other; the cores read meanwhile.
    kShareTheMemory,
    /// Its own core, which stores after it has read; the memory has room for all cores.
    kFollowReads,
  };

  double core_bytes;    ///< size of the cache that each core has alone (level 2)
  double shared_bytes;  ///< size of the cache that cores share (level 3), as far as a process may count on it
  Streams streams;
  /// The time to store one byte that leaves the core's cache, in bytes that one core reads from the shared
  /// cache in the same time: by a cached store, and by a non-temporal one.
  double cached_byte, streamed_byte;
  /// What a cached store takes in addition, for each byte that is read beside it: the cores' caches then lose
  /// lines that were read and lines that were written to the shared cache.
  double mixed_byte;

  /// True if Max is expected to take less time with non-temporal stores than with cached ones, when `threads`
  /// threads read `read` bytes and store `stored` bytes:
  ///
  ///   where all bytes fit into the cores' own caches      no
  ///   where they do not fit into the shared cache         yes
  ///   between, kShareTheMemory                threads * stored * streamed_byte + waits < cached + lost
  ///   between, kFollowReads                   stored * streamed_byte + reread < cached
  ///
  ///   cached = read + stored * cached_byte + min(read, stored) * mixed_byte
  ///   reread = 0 where what is read fits into the cores' own caches, as the stores leave it there; else
  ///            read, or, if `keeps_part`, read * q: q rises from 0 where they are full to 1 at 3/2 of them
  ///   waits  = 1.5 * read where more than twice of what is stored is read: reads no longer go on beside the
  ///            stores; otherwise 0
  ///   lost   = (read + stored) * p, where p rises from 0 at 3/16 of the shared cache, from which on it loses
  ///            some of what it is given, to 1 at 3/4 of it
  ///
  /// All times are in bytes that one core reads from the shared cache. Operands that exceed a core's own
  /// cache by a sixteenth, such as a row beside matrices that fill it, count as fitting: little is displaced.
  bool PrefersStreaming(double read, double stored, std::size_t threads, bool keeps_part = true) const;
};

/// What a processor says of itself, or a virtual machine for it.
struct ReportedCaches {
  double second = 0;    ///< bytes of the second level; 0: unknown
  double third = 0;     ///< bytes of the third level
  double sharers = 0;   ///< logical processors that share the third level; 0: unknown
  int amd_family = 0;   ///< 0: another vendor's
  int intel_model = 0;  ///< of Intel's family 6; 0: another processor
};

/// The model of such a processor. A size that no processor has is cut to what its sharers can have, as
/// virtual machines report the caches of a whole host.
MemoryModel ModelOf(const ReportedCaches& caches);

/// The model of this machine, decided at the first call from what the processor reports (CPUID; on others,
/// sysconf): sizes, sharers and family. AssumeCaches (supremum/target.h) replaces the sizes.
MemoryModel ThisMemory();

}  // namespace supremum

#endif  // SUPREMUM_SRC_KERNELS_MEMORY_MODEL_H_
