#include "cosimulation/cosimulate.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <vector>

#if defined(__aarch64__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace supremum::test {
namespace {

// Patterns of a width at which an order or a sum changes its sign, wraps round, or meets a NaN.
std::vector<std::uint64_t> SpecialPatterns(int width) {
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - width), sign = std::uint64_t{1} << (width - 1);
  std::vector<std::uint64_t> found = {0, 1, 2, ones, ones - 1, sign, sign - 1, sign + 1, sign | (sign >> 1)};
  for (const int fraction : {7, 10, 23, 52}) {
    if (fraction + 5 >= width) continue;
    const std::uint64_t infinity = (sign - 1) >> fraction << fraction;
    for (const std::uint64_t pattern : {infinity, infinity - 1, infinity + 1, infinity | (infinity >> 1)}) {
      found.push_back(pattern & ones);
      found.push_back((pattern | sign) & ones);
    }
  }
  return found;
}

// The floating-point environment: DAZ and FTZ of x86-64, FZ of Arm, and the flags that an instruction raised.
class Environment {
 public:
  explicit Environment(bool flush) : before_(Read()) {
    Write(flush ? (before_ | kFlush) & ~kFlags : before_ & ~kFlags);
  }
  ~Environment() { Write(before_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  bool RaisedAFlag() const { return (ReadFlags() & kFlags) != 0; }

 private:
#if defined(__x86_64__)
  using State = std::uint32_t;
  static constexpr State kFlush = 0x8040, kFlags = 0x3F;
  static State Read() { return __builtin_ia32_stmxcsr(); }
  static State ReadFlags() { return Read(); }
  static void Write(State state) { __builtin_ia32_ldmxcsr(state); }
#else
  using State = std::uint64_t;
  static constexpr State kFlush = State{1} << 24, kFlags = 0x9F;
  static State Read() {
    State state;
    __asm__ volatile("mrs %0, fpcr" : "=r"(state));
    return state;
  }
  static State ReadFlags() {
    State flags;
    __asm__ volatile("mrs %0, fpsr" : "=r"(flags));
    return flags;
  }
  // The flags are in a register of their own.
  static void Write(State state) { __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, xzr" : : "r"(state)); }
#endif
  State before_;
};

class Random {
 public:
  std::uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 1;
};

struct Operands {
  alignas(64) Vector vectors[kInputs] = {};

  // Element i of a width of a vector.
  void Set(std::size_t vector, int width, std::size_t i, std::uint64_t value) {
    const std::size_t bytes = static_cast<std::size_t>(width) / 8;
    std::memcpy(reinterpret_cast<unsigned char*>(vectors[vector]) + i * bytes, &value, bytes);
  }
};

std::string Compare(const Form& form, const Operands& in, bool flush) {
  constexpr std::size_t kMost = 16;
  std::uint64_t real[kMost] = {}, expected[kMost] = {};
  bool raised;
  {
    const Environment environment(flush);
    form.execute(in.vectors, real);
    raised = environment.RaisedAFlag();
  }
  form.model(in.vectors, expected);
  for (std::size_t i = 0; i < form.outputs; ++i) {
    if (real[i] == expected[i]) continue;
    char text[256];
    std::snprintf(text, sizeof(text),
                  "subnormals %s, element %zu of operands %" PRIx64 " %" PRIx64 " %" PRIx64
                  ": the processor has %" PRIx64 ", the model %" PRIx64,
                  flush ? "flushed" : "kept", i, in.vectors[0][i % 8], in.vectors[1][i % 8],
                  in.vectors[2][i % 8], real[i], expected[i]);
    return std::string(form.text) + ": " + text;
  }
  return raised ? std::string(form.text) + ": raises a floating-point flag" : std::string();
}

// Random elements of one width: special, random, or those of another operand, or one more.
void FillRandom(Random& random, Operands& in, int width, const std::vector<std::uint64_t>& special) {
  const std::size_t elements = 512 / static_cast<std::size_t>(width);
  for (std::size_t k = 0; k < kInputs; ++k) {
    for (std::size_t i = 0; i < elements; ++i) {
      const std::uint64_t draw = random.Next();
      const std::uint64_t kind = draw % 8;
      if (kind < 3) in.Set(k, width, i, special[draw / 8 % special.size()]);
      if (kind >= 3 && kind < 6) in.Set(k, width, i, random.Next());
      if (kind >= 6 && k > 0) {
        const std::size_t bytes = static_cast<std::size_t>(width) / 8;
        std::uint64_t other = 0;
        std::memcpy(&other, reinterpret_cast<const unsigned char*>(in.vectors[k - 1]) + i * bytes, bytes);
        in.Set(k, width, i, other + (kind == 7 ? 1 : 0));
      }
    }
  }
}

}  // namespace

bool Runs(const Form& form) {
#if defined(__x86_64__)
  const std::string_view needs = form.needs;
  if (needs == "avx2") return __builtin_cpu_supports("avx2");
  if (needs == "avx512") {
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  }
  return __builtin_cpu_supports("sse4.2");
#else
  const std::string_view needs = form.needs;
  if (needs == "neon") return true;
  const int vector_bytes =
      (getauxval(AT_HWCAP) & HWCAP_SVE) != 0 ? prctl(PR_SVE_GET_VL) & PR_SVE_VL_LEN_MASK : 0;
  return needs == (vector_bytes == 16 ? "sve_128" : vector_bytes == 32 ? "sve_256" : "");
#endif
}

std::string Difference(const Form& form, std::uint64_t rounds) {
  static const int kWidths[] = {8, 16, 32, 64};
  Operands in;
  Random random;
  for (const int width : kWidths) {
    const std::vector<std::uint64_t> special = SpecialPatterns(width);
    const std::size_t count = special.size(), lanes = 512 / static_cast<std::size_t>(width);
    for (std::size_t begin = 0; begin < count * count * count; begin += lanes) {
      for (std::size_t i = 0; i < lanes; ++i) {
        const std::size_t triple = begin + i;
        for (std::size_t k = 0; k < kInputs; ++k) {
          const std::size_t digit = k % 3 == 0   ? triple
                                    : k % 3 == 1 ? triple / count
                                                 : triple / count / count;
          in.Set(k, width, i, special[digit % count]);
        }
      }
      if (std::string found = Compare(form, in, begin / lanes % 2 != 0); !found.empty()) return found;
    }
    for (std::uint64_t round = 0; round < rounds; ++round) {
      FillRandom(random, in, width, special);
      if (std::string found = Compare(form, in, round % 2 != 0); !found.empty()) return found;
    }
  }
  return {};
}

bool WrongModelAgrees(std::string_view needs) {
  // A form whose model is that of another instruction that has as many outputs and needs the same.
  const Form* const end = kForms + kFormCount;
  for (const Form* form = kForms; form != end; ++form) {
    if (!Runs(*form) || (!needs.empty() && needs != form->needs)) continue;
    const Form* const other = std::find_if(form + 1, end, [form](const Form& f) {
      return std::string_view(f.needs) == form->needs && f.outputs == form->outputs &&
             std::string_view(f.text).substr(0, 5) != std::string_view(form->text).substr(0, 5);
    });
    if (other == end) continue;
    Form wrong = *form;
    wrong.model = other->model;
    if (!Difference(wrong, 100).empty()) return false;
    std::printf("cosimulate: %s agrees with the model of %s\n", form->text, other->text);
  }
  return true;
}

}  // namespace supremum::test
