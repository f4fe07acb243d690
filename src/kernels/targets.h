// The tables that were compiled, those that this processor can run, and the one in use.
#ifndef SUPREMUM_SRC_KERNELS_TARGETS_H_
#define SUPREMUM_SRC_KERNELS_TARGETS_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernels.h"

namespace supremum::kernels {

/// Tables, the fastest first, PortableKernels() last.
class TableList {
 public:
  static constexpr std::size_t kMost = 12;

  void Add(const KernelTable* table) { tables_[size_++] = table; }

  const KernelTable* const* begin() const { return tables_.data(); }
  const KernelTable* const* end() const { return tables_.data() + size_; }

  /// The table of that name, or null.
  const KernelTable* Find(std::string_view target) const {
    for (const KernelTable* table : *this) {
      if (table->target == target) return table;
    }
    return nullptr;
  }

 private:
  std::array<const KernelTable*, kMost> tables_ = {};
  std::size_t size_ = 0;
};

/// The tables of this build, for any processor.
TableList CompiledTables();

/// The tables that this processor can run.
TableList RunnableTables();

/// Highway's names, in lower case, of the instruction sets that it could compile for this kind of processor
/// and that this build leaves out (simd_targets.h).
std::vector<std::string> LeftOutNames();

/// Plans prepared from now on use `table`, or the best table if it is null.
///
/// Requires: it is one of RunnableTables().
void UseKernels(const KernelTable* table);

}  // namespace supremum::kernels

#endif  // SUPREMUM_SRC_KERNELS_TARGETS_H_
