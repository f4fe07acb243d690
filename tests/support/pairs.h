// Random pairs of elements, as bits: special patterns, their neighbours, values and their negatives, and
// anything.
#ifndef SUPREMUM_TESTS_SUPPORT_PAIRS_H_
#define SUPREMUM_TESTS_SUPPORT_PAIRS_H_

#include <cstdint>
#include <vector>

#include "support/values.h"

namespace supremum::test {

/// splitmix64: a new number for a few instructions.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next() {
    std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

template <class Bits>
class Operands {
 public:
  Operands(DType dtype, std::uint64_t seed) : numbers_(seed) {
    const std::vector<std::uint64_t> special = SpecialBits(dtype);
    for (std::size_t i = 0; i < kSpecial; ++i) special_[i] = static_cast<Bits>(special[i % special.size()]);
  }

  void Next(Bits& a, Bits& b) {
    const std::uint64_t choice = numbers_.Next();
    a = One(choice);
    const std::uint64_t step = choice >> 32 & 3;
    switch (choice >> 16 & 7) {
      case 0:
        b = static_cast<Bits>(a + step);
        break;
      case 1:
        b = static_cast<Bits>(a - step);
        break;
      case 2:
        b = static_cast<Bits>((a ^ kSign) + step);
        break;
      default:
        b = One(choice >> 8);
    }
  }

 private:
  static constexpr std::size_t kSpecial = 64;
  static constexpr std::uint64_t kSign = std::uint64_t{1} << (8 * sizeof(Bits) - 1);

  // A special pattern, one of its neighbours, or anything.
  Bits One(std::uint64_t choice) {
    const Bits special = special_[choice % kSpecial];
    switch (choice >> 6 & 3) {
      case 0:
        return special;
      case 1:
        return static_cast<Bits>(special + (choice >> 40 & 7) - 3);
      default:
        return static_cast<Bits>(numbers_.Next());
    }
  }

  Numbers numbers_;
  Bits special_[kSpecial];
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_PAIRS_H_
