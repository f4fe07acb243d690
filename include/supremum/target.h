// Targets: the instruction sets that the operators are compiled for, and which of them is in use.
#ifndef SUPREMUM_TARGET_H_
#define SUPREMUM_TARGET_H_

#include <string>
#include <string_view>
#include <vector>

#include "supremum/result.h"

namespace supremum {

struct TargetInfo {
  std::string_view name;  ///< "avx2"; lives as long as the program
  bool runs_here;         ///< this processor has the instructions
};

/// All targets that this build has: the fastest first, and last "portable", which runs on every processor.
///
///   for (const TargetInfo& target : Targets()) Show(target.name, target.runs_here);
std::vector<TargetInfo> Targets();

/// The instruction sets, by Highway's names in lower case, that the installed Highway could compile for this
/// kind of processor and that this build leaves out: the project's tests have not run on them. A processor
/// that has one of them uses the fastest of Targets() that runs on it. Most often empty. Cost: allocates the
/// names.
///
///   for (const std::string& name : LeftOutTargets()) ShowUntested(name);  // "avx3_spr"
std::vector<std::string> LeftOutTargets();

/// The name of the target that plans prepared from now on use: the fastest that runs here, or what UseTarget
/// has chosen. Cost: no allocation.
std::string_view ActiveTarget();

/// Makes plans that are prepared from now on, in any thread, use the target of that name; "" is the fastest
/// that runs here. Plans that exist keep theirs. All targets give the same bits (ORD-5): this is for tests,
/// for measurements, and for reproducing one machine's way on another. The library never reads the
/// environment; what SUPREMUM_TARGET does is the command's doing.
///
/// Ensures: on an error nothing changes.
/// Errors: kInvalidArgument if no target of this build has the name, or this processor does not run it; the
///   text names those that it runs.
///
///   Result<void> used = UseTarget("portable");
Result<void> UseTarget(std::string_view name);

}  // namespace supremum

#endif  // SUPREMUM_TARGET_H_
