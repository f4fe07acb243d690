// The primitives with Highway: this file is compiled once for each instruction set.
// Highway leaves out the newest AVX-512 by default, to save time; it has the permutation of bytes.
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// clang-format off
#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/targets.h"
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "kernels/simd_reduce-inl.h"
#endif
// clang-format on

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

#if HWY_ONCE
namespace supremum::kernels {
namespace {

HWY_EXPORT(Table);

// The processor's instruction sets by Highway's numbers, the best of the compiled ones first.
TableList Compiled(std::int64_t runnable) {
  TableList list;
  constexpr int kFirstBit = HWY_HIGHEST_TARGET_BIT + 1 - HWY_MAX_DYNAMIC_TARGETS;
  for (int i = 0; i < HWY_MAX_DYNAMIC_TARGETS; ++i) {
    const auto table = HWY_DISPATCH_TABLE(Table)[1 + i];
    if (table != nullptr && (runnable >> (kFirstBit + i) & 1) != 0) list.Add(table());
  }
  list.Add(&PortableKernels());
  return list;
}

}  // namespace

TableList CompiledTables() { return Compiled(-1); }

TableList RunnableTables() { return Compiled(hwy::SupportedTargets()); }

}  // namespace supremum::kernels
#endif
