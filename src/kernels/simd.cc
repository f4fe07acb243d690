// The tables of the primitives that the translation units simd_*.cc define, by instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd.cc"
#include "kernels/simd_targets.h"  // must come first
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "kernels/simd_table-inl.h"
// clang-format on

#if HWY_ONCE
#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/targets.h"

namespace supremum::kernels {
namespace {

#if HWY_TARGETS != HWY_STATIC_TARGET
HWY_EXPORT(Parts);
#endif

// The compiled tables and Highway's number of each instruction set, the best one first.
class Compiled {
 public:
  Compiled() {
#if SUPREMUM_WITH_SVE
    Add(HWY_SVE2_128, &kSve2Parts128);
    Add(HWY_SVE_256, &kSveParts256);
#endif
#if SUPREMUM_WITH_Z14
    Add(HWY_Z14, &kZ14Parts);
#endif
#if SUPREMUM_WITH_RVV
    Add(RvvTarget(HWY_RVV, 256), &kRvvParts256);
    Add(RvvTarget(HWY_RVV, 128), &kRvvParts128);
#endif
#if HWY_TARGETS == HWY_STATIC_TARGET  // the only target: Highway then defines no table of targets
    Add(HWY_STATIC_TARGET, HWY_STATIC_DISPATCH(Parts)());
#else
    constexpr int kFirstBit = HWY_HIGHEST_TARGET_BIT + 1 - HWY_MAX_DYNAMIC_TARGETS;
    for (int i = 0; i < HWY_MAX_DYNAMIC_TARGETS; ++i) {
      const auto parts = HWY_DISPATCH_TABLE(Parts)[1 + i];
      if (parts != nullptr) Add(std::int64_t{1} << (kFirstBit + i), parts());
    }
#endif
    // An instruction set without code of its own uses that of the next one.
    for (std::size_t k = count_; k-- > 1;) {
      for (std::size_t i = 0; i < kAllDTypes.size(); ++i) {
        RowKernels& row = table_[k - 1].rows[i];
        if (row.join == nullptr) row = table_[k].rows[i];
      }
    }
  }

  // The tables whose instruction sets are in `targets`.
  TableList Among(std::int64_t targets) const {
    TableList list;
    for (std::size_t i = 0; i < count_; ++i) {
      if ((targets & target_[i]) == target_[i]) list.Add(&table_[i]);
    }
    list.Add(&PortableKernels());
    return list;
  }

 private:
  void Add(std::int64_t target, const SimdParts* parts) {
    if (parts == nullptr) return;
    KernelTable& table = table_[count_];
    table.target = parts->target;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      table.rows[i] = RowKernels{parts->joins->rows[i], parts->lines->rows[i], parts->many->rows[i],
                                 parts->moves->rows[i], parts->folds->rows[i], parts->runs->rows[i]};
    }
    target_[count_++] = target;
  }

  std::array<KernelTable, TableList::kMost - 1> table_ = {};
  std::array<std::int64_t, TableList::kMost - 1> target_ = {};
  std::size_t count_ = 0;
};

const Compiled& AllCompiled() {
  static const Compiled compiled;
  return compiled;
}

}  // namespace

TableList CompiledTables() { return AllCompiled().Among(-1); }

#if SUPREMUM_WITH_RVV  // Highway has no run-time dispatch for it
TableList RunnableTables() {
  const std::int64_t bits = RvvVectorBits();
  return AllCompiled().Among(bits == 0 ? 0 : RvvTarget(HWY_RVV, bits));
}
#elif HWY_HAVE_RUNTIME_DISPATCH
TableList RunnableTables() { return AllCompiled().Among(hwy::SupportedTargets()); }
#else  // WebAssembly: a program runs as a whole or not at all
TableList RunnableTables() { return CompiledTables(); }
#endif

}  // namespace supremum::kernels
#endif
