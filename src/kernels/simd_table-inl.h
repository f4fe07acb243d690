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

// Without HWY_BEFORE_NAMESPACE: every processor calls the functions of this file, which are therefore
// compiled for every processor. For POWER10, GCC takes an address by an instruction that POWER9 does not
// have.
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

// No vectors: the portable kernels are for this processor.
const SimdParts* Parts() { return nullptr; }

#else

// Highway's own name in lower case: its namespace for AVX3_DL is N_AVX3_DL. RVV's has the bits of a vector
// added, as the names of SVE have.
struct LowerCaseName {
  constexpr LowerCaseName() {
    for (const char c : std::string_view(HWY_STR(HWY_NAMESPACE)).substr(2)) {
      text[size++] = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
#if HWY_TARGET == HWY_RVV
    for (const char c : std::string_view(__riscv_v_fixed_vlen == 128 ? "_128" : "_256")) text[size++] = c;
#endif
  }
  char text[32] = {};
  std::size_t size = 0;
};
constexpr LowerCaseName kName;

constexpr SimdParts kParts{std::string_view(kName.text, kName.size), &Simd<HWY_NAMESPACE::kTarget>::joins,
                           &Simd<HWY_NAMESPACE::kTarget>::lines,     &Simd<HWY_NAMESPACE::kTarget>::many,
                           &Simd<HWY_NAMESPACE::kTarget>::moves,     &Simd<HWY_NAMESPACE::kTarget>::folds,
                           &Simd<HWY_NAMESPACE::kTarget>::runs};

[[maybe_unused]] const SimdParts* Parts() { return &kParts; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels

#endif  // per target
