// What Highway's library would say, for programs that are compiled with its headers alone: that the processor
// has none of the instruction sets, so that the portable kernels run.
#if !defined(__x86_64__)
#include <hwy/targets.h>

namespace hwy {

int64_t SupportedTargets() { return 0; }

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
#endif
