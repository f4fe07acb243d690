// A case with its operands in memory, and its expected output.
#ifndef SUPREMUM_BENCH_PROBLEM_H_
#define SUPREMUM_BENCH_PROBLEM_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "case.h"
#include "supremum/tensor_view.h"

namespace supremum::bench {

/// How a result deviates from the specification.
enum class Grade {
  kExact,     ///< every bit equals the reference output
  kNaNBits,   ///< NaN where the reference has NaN, with other bits
  kZeroSign,  ///< in addition, +0 where the reference has -0 or the reverse
  kWrong,     ///< other values, lost NaNs for example
};

std::string_view Name(Grade grade);

enum class Memory {
  kMalloc,     ///< as programs have it, from malloc
  kHugePages,  ///< mapped by itself, in huge pages where the system gives them
};

std::string_view Name(Memory memory);

/// Memory for the operands of one case at a time, 64-byte aligned.
class Arena {
 public:
  Arena(std::size_t bytes, Memory memory);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void* held_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  Memory memory_;
};

/// The bytes of an arena that holds the operands of `spec`.
std::size_t ArenaBytes(const Case& spec);

/// The operands of a case, filled with random numbers and some special values. Large ones repeat with a
/// period along their outermost dimension, so that the reference, which is slow, computes one period only.
class Problem {
 public:
  Problem(const Case& spec, const Arena& arena);

  const Case& spec() const { return *spec_; }
  const std::vector<TensorView>& inputs() const { return inputs_; }
  const MutableTensorView& output() const { return output_; }
  std::byte* output_data() const { return static_cast<std::byte*>(output_.data); }
  std::size_t output_bytes() const { return Count(spec_->output) * ByteWidth(spec_->dtype); }

  /// Overwrites the output, so that GradeOutput detects a contender that does not write it.
  void Poison() const;

  /// Compares the output with the reference output.
  Grade GradeOutput() const;

 private:
  void ChoosePeriod();
  void Fill(std::size_t m, std::byte* memory) const;
  void ComputeExpected();
  std::size_t PeriodOf(const Layout& layout) const;

  const Case* spec_;
  std::vector<TensorView> inputs_;
  MutableTensorView output_;
  std::int64_t rows_ = 1;  // the period, in indices of the outermost dimension
  std::vector<std::byte> expected_;
};

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_PROBLEM_H_
