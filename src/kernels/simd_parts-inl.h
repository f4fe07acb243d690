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

template <>
const ByDType<JoinKernels> Simd<HWY_TARGET>::joins;
template <>
const ByDType<LineKernels> Simd<HWY_TARGET>::lines;
template <>
const ByDType<ManyKernels> Simd<HWY_TARGET>::many;
template <>
const ByDType<MoveKernels> Simd<HWY_TARGET>::moves;
template <>
const ByDType<FoldKernels> Simd<HWY_TARGET>::folds;
template <>
const ByDType<RunKernels> Simd<HWY_TARGET>::runs;
template <>
const ByDType<ShortRunKernels> Simd<HWY_TARGET>::short_runs;

}  // namespace supremum::kernels

#endif  // per target
