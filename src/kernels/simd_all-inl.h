// All primitives and their table, for a translation unit that is compiled for one instruction set by options
// of its own. It defines HWY_BASELINE_TARGETS, the instruction set, and HWY_COMPILE_ONLY_STATIC.
#ifndef SUPREMUM_SRC_KERNELS_SIMD_ALL_INL_H_
#define SUPREMUM_SRC_KERNELS_SIMD_ALL_INL_H_

#include "kernels/simd_join-inl.h"
#include "kernels/simd_lines-inl.h"
#include "kernels/simd_many-inl.h"
#include "kernels/simd_moves-inl.h"
#include "kernels/simd_rows-inl.h"
#include "kernels/simd_runs-inl.h"
#include "kernels/simd_short_runs-inl.h"
#include "kernels/simd_table-inl.h"

#endif  // SUPREMUM_SRC_KERNELS_SIMD_ALL_INL_H_
