// Calls each hot case once on the AVX2 kernels, under callgrind, and prints the name of each, in order.
// verification/evidence/instruction_guard.py runs it and compares the counts with the expected ones.
#include "instructions/hot_cases.h"

#include <hwy/highway.h>

#include "supremum/target.h"

namespace {

constexpr const char* kTarget = "avx2";  // the fastest that valgrind runs
constexpr int kSkipped = 77;

#if defined(__clang__)
constexpr const char* kCompiler = "clang";
constexpr int kCompilerVersion = __clang_major__;
#else
constexpr const char* kCompiler = "gcc";
constexpr int kCompilerVersion = __GNUC__;
#endif

}  // namespace

int main() {
  static supremum::Memory memory;
  if (SUPREMUM_HAS_CALLGRIND == 0) {
    std::printf("the headers of valgrind were not installed when this was built\n");
    return kSkipped;
  }
  if (!supremum::UseTarget(kTarget)) {
    std::printf("this build or this processor has no target %s\n", kTarget);
    return kSkipped;
  }
  // All stores are cached, whatever this machine's caches are.
  supremum::AssumeCaches(supremum::CacheSizes{std::int64_t{1} << 40, std::int64_t{1} << 40});
  std::printf("%s-%d highway-%d.%d %s\n", kCompiler, kCompilerVersion, HWY_MAJOR, HWY_MINOR, kTarget);
  const bool all = supremum::MeasurePrimitives(memory) && supremum::MeasurePlans(memory) &&
                   supremum::MeasureSmallCalls(memory) && supremum::MeasureCInterface(memory, kTarget);
  return all ? 0 : 1;
}
