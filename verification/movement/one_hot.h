// One-hot inputs: one element is high, all others are low.
#ifndef SUPREMUM_VERIFICATION_MOVEMENT_ONE_HOT_H_
#define SUPREMUM_VERIFICATION_MOVEMENT_ONE_HOT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "movement/layout.h"
#include "supremum/dtype.h"

namespace supremum::test {

/// The patterns of low and high elements, and what is written for a high one.
struct Levels {
  std::uint64_t low, high, written_high;
};

/// The pairs for a type: over the least value, one in the middle and the greatest one. For floats, over -inf:
/// a positive and a negative number, +inf, a signalling NaN, the canonical NaN with a sign, and all bits set.
/// A fold of floats keeps two extremes or a key, and each pair shows what one of them holds.
std::vector<Levels> LevelsOf(DType dtype);

/// Calls with every one-hot input, and with none: counts calls and outputs that are wrong.
class OneHot {
 public:
  explicit OneHot(DType dtype) : levels_(LevelsOf(dtype)), width_(ByteWidth(dtype)) {}

  void Check(const std::string& what, Layout& layout, const std::function<void()>& call);

  std::uint64_t layouts() const { return layouts_; }
  std::uint64_t calls() const { return calls_; }
  std::uint64_t wrong() const { return wrong_; }
  const std::string& first() const { return first_; }  ///< the first wrong one

 private:
  void CheckLevels(const std::string& what, Layout& layout, const std::function<void()>& call,
                   const Levels& levels);

  std::vector<Levels> levels_;
  std::size_t width_;
  std::uint64_t layouts_ = 0, calls_ = 0, wrong_ = 0;
  std::string first_;
  std::vector<std::byte> expected_;
  std::vector<std::vector<std::uint32_t>> read_by_;
};

}  // namespace supremum::test

#endif  // SUPREMUM_VERIFICATION_MOVEMENT_ONE_HOT_H_
