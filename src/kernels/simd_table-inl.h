// The parts of one instruction set, compiled once for each target: foreach_target.h includes this file
// several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_TABLE_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_TABLE_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_TABLE_INL_H_
#endif

#include <cstddef>
#include <string_view>

#include "hwy/highway.h"
#include "kernels/simd_parts.h"
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "kernels/simd_parts-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

// No vectors: the portable kernels are for this processor.
const SimdParts* Parts() { return nullptr; }

#else

// Highway's own name in lower case: its namespace for AVX3_DL is N_AVX3_DL.
struct LowerCaseName {
  constexpr LowerCaseName() {
    for (const char c : std::string_view(HWY_STR(HWY_NAMESPACE)).substr(2)) {
      text[size++] = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  char text[32] = {};
  std::size_t size = 0;
};
constexpr LowerCaseName kName;

constexpr SimdParts kParts{std::string_view(kName.text, kName.size),
                           &Simd<HWY_TARGET>::joins,
                           &Simd<HWY_TARGET>::lines,
                           &Simd<HWY_TARGET>::many,
                           &Simd<HWY_TARGET>::moves,
                           &Simd<HWY_TARGET>::folds,
                           &Simd<HWY_TARGET>::runs};

const SimdParts* Parts() { return &kParts; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
