// Targets: the instruction sets that the operators are compiled for, and which of them is in use.
#ifndef SUPREMUM_TARGET_H_
#define SUPREMUM_TARGET_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "supremum/result.h"

namespace supremum {

struct TargetInfo {
  std::string_view name;  ///< "avx2"; valid until the program ends
  bool runs_here;         ///< whether this processor has the instructions
};

/// All targets of this build, the fastest first. The last is "portable", which runs on every processor.
///
///   for (const TargetInfo& target : Targets()) Show(target.name, target.runs_here);
std::vector<TargetInfo> Targets();

/// The instruction sets that the installed Highway can compile for this processor architecture and that this
/// build omits, by Highway's names in lower case. They are those that the project's tests have not run on,
/// and SSSE3. A processor with one of them uses the fastest of Targets() that it supports.
///
/// Cost: allocates the names.
///
///   for (const std::string& name : LeftOutTargets()) ShowUntested(name);  // "avx3_spr"
std::vector<std::string> LeftOutTargets();

/// The name of the target of plans that are prepared from now on: the fastest that runs here, or the one that
/// UseTarget selected.
///
/// Cost: no allocation.
std::string_view ActiveTarget();

/// Selects the target of plans that are prepared from now on, in any thread; "" is the fastest that runs
/// here. Existing plans keep their target. All targets give the same bits (ORD-5): a selection serves tests
/// and measurements, and reproduces the execution on another machine. The library never reads the
/// environment: only the command reads SUPREMUM_TARGET.
///
/// Ensures: on an error nothing changes.
/// Errors: kInvalidArgument if no target of this build has the name, or this processor does not run it; the
///   text lists the targets that it runs.
///
///   Result<void> used = UseTarget("portable");
Result<void> UseTarget(std::string_view name);

/// The sizes of the caches between a core and the memory.
struct CacheSizes {
  std::int64_t core_bytes;    ///< of the cache that each core has alone
  std::int64_t shared_bytes;  ///< of the cache that cores share, as far as a process may count on it
};

/// The sizes of the caches by which Max chooses between cached and non-temporal stores: those of
/// AssumeCaches, or those that the processor reports, cut if a virtual machine reports the caches of its
/// host.
///
/// Cost: no allocation.
CacheSizes AssumedCaches();

/// States the sizes for plans that are prepared from now on; nullopt: those that the processor reports. It
/// changes how results are stored and how much is computed at a time, never their bits (ORD-5). For
/// measurements, {2^40, 2^40} bytes make all stores cached, {0, 0} make them non-temporal if that is
/// possible. No thread may prepare a plan meanwhile.
///
/// Requires: both sizes are at least 0.
///
///   AssumeCaches(CacheSizes{1 << 20, 24 << 20});  // 1 MiB for each core, 24 MiB shared
void AssumeCaches(std::optional<CacheSizes> sizes);

}  // namespace supremum

#endif  // SUPREMUM_TARGET_H_
