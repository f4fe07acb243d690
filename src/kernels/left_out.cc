// The targets that Highway could compile and simd_targets.h leaves out. This file does not include
// simd_targets.h, so that HWY_TARGETS is Highway's own choice.
#define HWY_WANT_AVX3_DL
#define HWY_COMPILE_ALL_ATTAINABLE
#include <cstdint>

#include "hwy/targets.h"
#include "kernels/targets.h"

namespace supremum::kernels {

std::vector<std::string> LeftOutNames() {
  std::vector<std::string> names;
  const TableList compiled = CompiledTables();
  // SCALAR and EMU128 are Highway's targets without vectors, replaced by the portable kernels.
  constexpr std::int64_t kWithVectors = HWY_TARGETS & ~(HWY_SCALAR | HWY_EMU128);
  for (int bit = 0; bit < 63; ++bit) {
    const std::int64_t target = std::int64_t{1} << bit;
    if ((kWithVectors & target) == 0) continue;
    std::string name;
    for (const char c : std::string_view(hwy::TargetName(target))) {
      name += 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (compiled.Find(name) == nullptr) names.push_back(name);
  }
  return names;
}

}  // namespace supremum::kernels
