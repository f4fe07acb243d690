// What a co-simulation goes through: operands of one type after the other, in both states of the processor.
#ifndef SUPREMUM_VERIFICATION_COSIMULATION_RUN_H_
#define SUPREMUM_VERIFICATION_COSIMULATION_RUN_H_

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cosimulation/models.h"
#include "hwy/base.h"
#include "lane/lane.h"
#include "support/pairs.h"
#include "support/values.h"
#include "supremum/dtype.h"

namespace supremum::test {

/// Subnormal operands and results of floating-point instructions are zeros while this lives: DAZ and FTZ of
/// x86, FZ of Arm. The barriers keep memory accesses inside.
class FlushSubnormals {
 public:
  explicit FlushSubnormals(bool flush) : before_(Read()) {
    Write(flush ? before_ | kFlush : before_);
    __asm__ volatile("" ::: "memory");
  }
  ~FlushSubnormals() {
    __asm__ volatile("" ::: "memory");
    Write(before_);
  }
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
#if HWY_ARCH_X86
  using State = std::uint32_t;
  static constexpr State kFlush = 0x8040;
  static State Read() { return __builtin_ia32_stmxcsr(); }
  static void Write(State state) { __builtin_ia32_ldmxcsr(state); }
#else
  using State = std::uint64_t;
  static constexpr State kFlush = std::uint64_t{1} << 24;
  static State Read() {
    State state;
    __asm__ volatile("mrs %0, fpcr" : "=r"(state));
    return state;
  }
  static void Write(State state) { __asm__ volatile("msr fpcr, %0" : : "r"(state)); }
#endif
  State before_;
};

/// Up to four operands of each of some comparisons, and where it says what it found.
class Run {
 public:
  static constexpr std::size_t kOperands = 4, kLanes = 1024;

  Run(std::string_view target, DType dtype, std::uint64_t pairs)
      : target_(target), dtype_(dtype), pairs_(pairs) {}

  /// compare(*this), if T is the run's type: for all triples of its special patterns with subnormal numbers
  /// flushed and kept, and for as many random pairs, half of them with these flushed.
  template <class T>
  void Each(void (*compare)(Run&)) {
    using Unsigned = std::make_unsigned_t<typename lane::Lane<T>::Bits>;
    if (kDTypeOf<T> != dtype_) return;
    const std::vector<std::uint64_t> special = SpecialBits(dtype_);
    const std::uint64_t count = special.size(), triples = count * count * count;
    for (std::uint64_t begin = 0; begin < triples; begin += kLanes) {
      for (std::size_t i = 0; i < kLanes; ++i) {
        const std::uint64_t k = (begin + i) % triples;
        Set<Unsigned>(i, special[k % count], special[k / count % count], special[k / count / count],
                      special[(k + k / count) % count]);
      }
      for (bool daz : {false, true}) InState(daz, compare);
    }
    Operands<Unsigned> random(dtype_, 1);
    for (std::uint64_t done = 0; done < pairs_; done += kLanes) {
      for (std::size_t i = 0; i < kLanes; ++i) {
        Unsigned a, b, c, d;
        random.Next(a, b);
        random.Next(c, d);
        Set<Unsigned>(i, a, b, c, d);
      }
      InState(done / kLanes % 2 != 0, compare);
    }
  }

  template <class Bits>
  const Bits* Operand(std::size_t which) const {
    return reinterpret_cast<const Bits*>(operands_[which]);
  }

  /// Lane i differs: says so for the first time under its name.
  void Differ(const char* name, std::size_t i, std::size_t width, std::uint64_t real, std::uint64_t model) {
    if (!failed_.insert(name).second) return;
    std::printf("cosimulate: %s, %s: %s, subnormals %s, of", target_.c_str(), Type().c_str(), name,
                model::daz ? "flushed" : "kept");
    for (const auto& operand : operands_) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, operand + i * width, width);
      std::printf(" %" PRIx64, bits);
    }
    std::printf(": the processor has %" PRIx64 ", the model %" PRIx64 "\n", real, model);
  }
  void Counted(const char* name) { compared_.insert(name); }

  /// The closing line; true if all agreed.
  bool Says() const {
    std::printf("cosimulate: %s, %s: %zu comparisons, of all triples of special patterns and %" PRIu64
                " random pairs, subnormals kept and flushed: %s\n",
                target_.c_str(), Type().c_str(), compared_.size(), pairs_,
                failed_.empty() ? "all agree" : (std::to_string(failed_.size()) + " differ").c_str());
    std::fflush(stdout);
    return failed_.empty() && !compared_.empty();
  }

 private:
  template <class Unsigned>
  void Set(std::size_t i, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    const Unsigned values[kOperands] = {static_cast<Unsigned>(a), static_cast<Unsigned>(b),
                                        static_cast<Unsigned>(c), static_cast<Unsigned>(d)};
    for (std::size_t k = 0; k < kOperands; ++k) {
      std::memcpy(operands_[k] + i * sizeof(Unsigned), &values[k], sizeof(Unsigned));
    }
  }

  void InState(bool daz, void (*compare)(Run&)) {
    model::daz = daz;
    compare(*this);
  }

  std::string Type() const { return std::string(Name(dtype_)); }

  const std::string target_;
  const DType dtype_;
  const std::uint64_t pairs_;
  std::set<std::string> compared_, failed_;
  alignas(64) std::byte operands_[kOperands][kLanes * 8] = {};
};

}  // namespace supremum::test

#endif  // SUPREMUM_VERIFICATION_COSIMULATION_RUN_H_
