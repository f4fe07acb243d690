// The table of the primitives with Highway, once for each target. Included by foreach_target.h several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_TABLE_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_TABLE_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_TABLE_INL_H_
#endif

#include <cstddef>
#include <string_view>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "kernels/simd_reduce-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

const KernelTable* Table() { return &PortableKernels(); }

#else

constexpr std::string_view Name() {
  switch (HWY_TARGET) {
    case HWY_SSSE3:
      return "ssse3";
    case HWY_SSE4:
      return "sse4";
    case HWY_AVX2:
      return "avx2";
    case HWY_AVX3:
      return "avx3";
    case HWY_AVX3_DL:
      return "avx3_dl";
    case HWY_NEON:
      return "neon";
    case HWY_SVE_256:
      return "sve_256";
    case HWY_SVE2_128:
      return "sve2_128";
    case HWY_WASM:
      return "wasm";
    default:
      return "";
  }
}

constexpr KernelTable MakeTable() {
  KernelTable table{Name(), {}};
  for (DType dtype : kAllDTypes) {
    table.rows[static_cast<std::size_t>(dtype)] = VisitDType(dtype, [](auto tag) {
      using J = JoinRows<typename decltype(tag)::type>;
      using R = ReduceRows<typename decltype(tag)::type>;
      return RowKernels{&J::Join,      &J::Copy,  &J::JoinLines,  &J::JoinMany, &J::Spread,
                        &J::Transpose, &R::Clear, &R::ReduceRuns, &R::FoldRows};
    });
  }
  return table;
}

constexpr KernelTable kTable = MakeTable();
static_assert(!kTable.target.empty(), "a target without a name");

const KernelTable* Table() { return &kTable; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
