// A case with its operands in memory, and what its result must be.
#ifndef SUPREMUM_BENCH_PROBLEM_H_
#define SUPREMUM_BENCH_PROBLEM_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "case.h"
#include "supremum/tensor_view.h"

namespace supremum::bench {

/// How far a result is from the specification.
enum class Grade {
  kExact,     ///< every bit as the reference has it
  kNaNBits,   ///< NaN where it must be, but not always the canonical one
  kZeroSign,  ///< beside that, +0 and -0 confused
  kWrong,     ///< other values: lost NaN above all
};

std::string_view Name(Grade grade);

/// Memory for the operands of one case at a time, 64-byte aligned, in huge pages where the system gives them.
class Arena {
 public:
  explicit Arena(std::size_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The bytes of an arena that holds `spec`.
std::size_t ArenaBytes(const Case& spec);

/// The operands of a case, filled: random numbers with some special values. Large ones repeat with a period
/// along their outermost dimension, so that the reference, which is slow, decides the whole result by
/// computing a part of it.
class Problem {
 public:
  Problem(const Case& spec, const Arena& arena);

  const Case& spec() const { return *spec_; }
  const std::vector<TensorView>& inputs() const { return inputs_; }
  const MutableTensorView& output() const { return output_; }
  std::byte* output_data() const { return static_cast<std::byte*>(output_.data); }
  std::size_t output_bytes() const { return Count(spec_->output) * ByteWidth(spec_->dtype); }

  /// Overwrites the output, so that a contender that does not write it is found out.
  void Poison() const;

  /// What the output holds, against the reference.
  Grade GradeOutput() const;

 private:
  void ChoosePeriod();
  void Fill(std::size_t m, std::byte* memory) const;
  void ComputeExpected();
  std::size_t PeriodOf(const Layout& layout) const;

  const Case* spec_;
  std::vector<TensorView> inputs_;
  MutableTensorView output_;
  std::int64_t rows_ = 1;  // of the outermost dimension, until it repeats
  std::vector<std::byte> expected_;
};

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_PROBLEM_H_
