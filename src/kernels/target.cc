#include "supremum/target.h"

#include <string>

#include "core/quote.h"
#include "kernels/targets.h"

namespace supremum {
namespace {

std::string NamesOf(const kernels::TableList& tables) {
  std::string names;
  for (const kernels::KernelTable* table : tables) {
    if (!names.empty()) names += ", ";
    names += table->target;
  }
  return names;
}

}  // namespace

std::vector<TargetInfo> Targets() {
  const kernels::TableList runnable = kernels::RunnableTables();
  std::vector<TargetInfo> targets;
  for (const kernels::KernelTable* table : kernels::CompiledTables()) {
    targets.push_back({table->target, runnable.Find(table->target) != nullptr});
  }
  return targets;
}

std::vector<std::string> LeftOutTargets() { return kernels::LeftOutNames(); }

std::string_view ActiveTarget() { return kernels::ActiveKernels().target; }

Result<void> UseTarget(std::string_view name) {
  if (name.empty()) {
    kernels::UseKernels(nullptr);
    return {};
  }
  const kernels::TableList runnable = kernels::RunnableTables();
  if (const kernels::KernelTable* table = runnable.Find(name)) {
    kernels::UseKernels(table);
    return {};
  }
  const bool compiled = kernels::CompiledTables().Find(name) != nullptr;
  return MakeError(ErrorCode::kInvalidArgument,
                   (compiled ? "this processor does not run the target " + Quote(name)
                             : "this build has no target " + Quote(name)) +
                       "; choose one of those that run here: " + NamesOf(runnable));
}

}  // namespace supremum
