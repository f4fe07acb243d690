// Pairs of values through the real kernels: every target must give what a model says.
#ifndef SUPREMUM_TESTS_EXHAUSTIVE_PAIR_CHECK_H_
#define SUPREMUM_TESTS_EXHAUSTIVE_PAIR_CHECK_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/targets.h"
#include "supremum/dtype.h"

namespace supremum::test {

/// As many pairs as stay in the first-level cache.
inline constexpr std::size_t kPairs = 1024;

/// kPairs pairs of `Bits`, one after the other through `join`, and as reductions of two elements through
/// `clear` with `fold_rows` and with `reduce_runs`, on every target that this processor runs.
template <class Bits>
class PairCheck {
 public:
  explicit PairCheck(DType dtype) : dtype_(dtype) {}

  Bits* a() { return rows_; }
  Bits* b() { return rows_ + kPairs; }
  Bits* expected() { return expected_; }

  /// False, and a failure of the test, if a kernel gives anything but `expected()` for `a()` and `b()`.
  bool Holds() {
    for (std::size_t i = 0; i < kPairs; ++i) {
      runs_[2 * i] = rows_[i];
      runs_[2 * i + 1] = rows_[kPairs + i];
    }
    constexpr std::ptrdiff_t kWidth = sizeof(Bits), kRow = kWidth * static_cast<std::ptrdiff_t>(kPairs);
    const std::byte* const rows = reinterpret_cast<const std::byte*>(rows_);
    const kernels::Block as_rows{rows, kWidth, kRow, kPairs, 2, false};
    const kernels::Block as_runs{
        reinterpret_cast<const std::byte*>(runs_), 2 * kWidth, kWidth, kPairs, 2, false};
    for (const kernels::KernelTable* table : tables_) {
      const kernels::RowKernels& row = table->For(dtype_);
      row.join({rows, kWidth}, {rows + kRow, kWidth}, {Output(), kWidth}, kPairs);
      if (!Same(*table, "join")) return false;
      row.clear(Output(), kPairs);
      row.fold_rows(as_rows, Output());
      if (!Same(*table, "fold_rows")) return false;
      row.clear(Output(), kPairs);
      row.reduce_runs(as_runs, Output());
      if (!Same(*table, "reduce_runs")) return false;
      row.fold_rows(Fresh(as_rows), Output());
      if (!Same(*table, "fold_rows, fresh")) return false;
      row.reduce_runs(Fresh(as_runs), Output());
      if (!Same(*table, "reduce_runs, fresh")) return false;
    }
    return true;
  }

 private:
  // The same, into accumulators that hold nothing yet; what is in them makes every wrong join show.
  kernels::Block Fresh(kernels::Block block) {
    std::memset(output_, 0x7F, sizeof(output_));
    block.fresh = true;
    return block;
  }

  std::byte* Output() { return reinterpret_cast<std::byte*>(output_); }

  bool Same(const kernels::KernelTable& table, const char* primitive) {
    if (std::memcmp(output_, expected_, sizeof(output_)) == 0) return true;
    for (std::size_t i = 0; i < kPairs; ++i) {
      if (output_[i] == expected_[i]) continue;
      ADD_FAILURE() << table.target << " " << Name(dtype_) << " " << primitive << std::hex << ": max of 0x"
                    << +rows_[i] << " and 0x" << +rows_[kPairs + i] << " is 0x" << +output_[i]
                    << ", and must be 0x" << +expected_[i];
      return false;
    }
    return false;
  }

  const kernels::TableList tables_ = kernels::RunnableTables();
  const DType dtype_;
  alignas(64) Bits rows_[2 * kPairs] = {}, runs_[2 * kPairs] = {};
  alignas(64) Bits output_[kPairs] = {}, expected_[kPairs] = {};
};

/// How much of a test's work is done: a sample in the usual suite, all of it on request (the label
/// `exhaustive`).
enum class Extent { kSample, kAll };

inline const char* ToString(Extent extent) { return extent == Extent::kAll ? "all" : "sample"; }

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_EXHAUSTIVE_PAIR_CHECK_H_
