// The common shape of shapes that may be members of other objects.
#ifndef SUPREMUM_SRC_RULES_BROADCAST_H_
#define SUPREMUM_SRC_RULES_BROADCAST_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/operand_errors.h"
#include "rules/judge.h"
#include "rules/operands.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum {

/// An OperandList of the `count` shapes that shape_at(0), shape_at(1), ... return as DimsView.
template <class ShapeAt>
class Shapes {
 public:
  Shapes(std::size_t count, ShapeAt shape_at, std::span<const std::string_view> names)
      : count_(count), shape_at_(shape_at), names_(names) {}

  std::size_t count() const { return count_; }
  DimsView shape(std::size_t m) const { return shape_at_(m); }
  std::string who(std::size_t m) const { return InputName(names_, m); }
  ElementType type(std::size_t) const { return {}; }
  std::optional<std::size_t> rank(std::size_t m) const { return shape(m).size(); }
  std::int64_t extent(std::size_t m, std::size_t d) const { return shape(m)[d]; }
  std::string shape_text(std::size_t m) const { return ToString(shape(m)); }

 private:
  std::size_t count_;
  ShapeAt shape_at_;
  std::span<const std::string_view> names_;
};

/// BroadcastShapes of the `count` shapes that shape_at(0), shape_at(1), ... return as DimsView: a million of
/// them need no copy.
template <class ShapeAt>
Result<Shape> BroadcastAll(std::size_t count, ShapeAt shape_at, std::span<const std::string_view> names) {
  if (count == 0) {
    return MakeError(ErrorCode::kInputCount, "MAX-1", "there is no shape to broadcast; give at least one");
  }
  const Shapes shapes(count, shape_at, names);
  for (std::size_t m = 0; m < count; ++m) {
    const DimsView shape = shape_at(m);
    if (shape.size() > kMaxRank) return RankError(shapes.who(m), shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] < 0) return NegativeExtentError(shapes.who(m), shape, d);
    }
  }
  const auto common = JudgeBroadcast(shapes);
  if (common.judgement.Fails()) return ShapeErrorOf(common.judgement, shapes, kLatestMax);
  return common.numbers.shape();
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_RULES_BROADCAST_H_
