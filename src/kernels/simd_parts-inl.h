// Declares the parts that other translation units define, once for each target: foreach_target.h includes
// this file several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_PARTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_PARTS_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_PARTS_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_PARTS_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/simd_parts.h"

namespace supremum::kernels {

namespace {
namespace HWY_NAMESPACE {

// The number of these parts, for Simd.
#if HWY_TARGET == HWY_RVV
inline constexpr std::int64_t kTarget = RvvTarget(HWY_TARGET, __riscv_v_fixed_vlen);
#else
inline constexpr std::int64_t kTarget = HWY_TARGET;
#endif

// AVX3_DL adds only permutations of bytes to AVX3: for wider elements, the code of AVX3 is used (simd.cc) if
// that is compiled too.
inline constexpr bool kOnlyForBytes = HWY_TARGET == HWY_AVX3_DL && (HWY_TARGETS & HWY_AVX3) != 0;

}  // namespace HWY_NAMESPACE
}  // namespace

template <>
const ByDType<JoinKernels> Simd<HWY_NAMESPACE::kTarget>::joins;
template <>
const ByDType<LineKernels> Simd<HWY_NAMESPACE::kTarget>::lines;
template <>
const ByDType<ManyKernels> Simd<HWY_NAMESPACE::kTarget>::many;
template <>
const ByDType<MoveKernels> Simd<HWY_NAMESPACE::kTarget>::moves;
template <>
const ByDType<FoldKernels> Simd<HWY_NAMESPACE::kTarget>::folds;
template <>
const ByDType<RunKernels> Simd<HWY_NAMESPACE::kTarget>::runs;
template <>
const ByDType<ShortRunKernels> Simd<HWY_NAMESPACE::kTarget>::short_runs;

}  // namespace supremum::kernels

#endif  // per target
