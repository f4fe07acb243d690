// The loops of two operands of a small Max.
#ifndef SUPREMUM_SRC_OPS_PAIR_LOOPS_H_
#define SUPREMUM_SRC_OPS_PAIR_LOOPS_H_

#include <array>
#include <cstddef>

namespace supremum {

/// The output's dimensions, merged, the innermost loop first, at most kMost of them; loops that are not there
/// have extent 1. Steps of both operands in a unit of the user's, 0 where an operand is broadcast.
template <std::size_t kMost, class Step>
struct PairLoops {
  std::size_t count = 0;
  std::array<std::size_t, kMost> extent = Ones();
  std::array<std::array<Step, kMost>, 2> step = {};

  /// Adds the next dimension outwards: it continues the loop inside where it does so for both operands. False
  /// if there is no room. Requires: more > 1; a Step holds each extent times its steps.
  bool Add(std::size_t more, const std::array<Step, 2>& steps) {
    const auto continues = [&](std::size_t m) {
      return steps[m] == step[m][count - 1] * static_cast<Step>(extent[count - 1]);
    };
    if (count > 0 && continues(0) && continues(1)) {
      extent[count - 1] *= more;
      return true;
    }
    if (count == kMost) return false;
    extent[count] = more;
    for (std::size_t m = 0; m < 2; ++m) step[m][count] = steps[m];
    ++count;
    return true;
  }

 private:
  static constexpr std::array<std::size_t, kMost> Ones() {
    std::array<std::size_t, kMost> ones = {};
    ones.fill(1);
    return ones;
  }
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_PAIR_LOOPS_H_
