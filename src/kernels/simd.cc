// The primitives with Highway: this file is compiled once for each instruction set, but for those of Arm's
// SVE, whose vectors have a length only by an option of the compiler (simd_sve_256.cc, simd_sve2_128.cc).
#if defined(__aarch64__)
#define HWY_BROKEN_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif
// Highway leaves out the newest AVX-512 by default, to save time; it has the permutation of bytes.
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// clang-format off
#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_table-inl.h"
#include "kernels/targets.h"
// clang-format on

#if HWY_ONCE
namespace supremum::kernels {
namespace {

#if HWY_TARGETS != HWY_STATIC_TARGET
HWY_EXPORT(Table);
#endif

// The processor's instruction sets by Highway's numbers, the best of the compiled ones first.
TableList Compiled(std::int64_t runnable) {
  TableList list;
#if SUPREMUM_WITH_SVE
  if ((runnable & HWY_SVE2_128) != 0) list.Add(&Sve2Kernels128());
  if ((runnable & HWY_SVE_256) != 0) list.Add(&SveKernels256());
#endif
#if HWY_TARGETS == HWY_STATIC_TARGET  // alone: Highway then makes no table of targets
  const KernelTable* const table = HWY_STATIC_DISPATCH(Table)();
  if (table != &PortableKernels() && (runnable & HWY_STATIC_TARGET) != 0) list.Add(table);
#else
  constexpr int kFirstBit = HWY_HIGHEST_TARGET_BIT + 1 - HWY_MAX_DYNAMIC_TARGETS;
  for (int i = 0; i < HWY_MAX_DYNAMIC_TARGETS; ++i) {
    const auto table = HWY_DISPATCH_TABLE(Table)[1 + i];
    if (table != nullptr && (runnable >> (kFirstBit + i) & 1) != 0) list.Add(table());
  }
#endif
  list.Add(&PortableKernels());
  return list;
}

}  // namespace

TableList CompiledTables() { return Compiled(-1); }

#if HWY_HAVE_RUNTIME_DISPATCH
TableList RunnableTables() { return Compiled(hwy::SupportedTargets()); }
#else  // WebAssembly: a program runs as a whole or not at all
TableList RunnableTables() { return CompiledTables(); }
#endif

}  // namespace supremum::kernels
#endif
