// Calls of Max and ReduceMax at random: the one generator of operands for the tests and fuzzers that compare
// results. Strides are stated or not; a call is made at once or by a plan, apart or in place; thresholds are
// the usual ones or small, so that threads, tiles and non-temporal stores occur from a few elements on.
#ifndef SUPREMUM_TESTS_SUPPORT_CALLS_H_
#define SUPREMUM_TESTS_SUPPORT_CALLS_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ops/tuning.h"
#include "supremum/shape.h"
#include "supremum/target.h"

namespace supremum::test {

/// The shape of an operand, and its strides in elements, stated in the call or not; then they are row-major.
struct Layout {
  Shape shape;
  Shape strides;
  bool stated = true;

  static Layout Dense(const Shape& shape) {
    Layout layout{shape, Shape::Filled(shape.rank(), 0), false};
    std::int64_t step = 1;
    for (std::size_t d = shape.rank(); d-- > 0; step *= shape[d]) layout.strides[d] = step;
    return layout;
  }

  DimsView Stated() const { return stated ? DimsView(strides) : DimsView(); }

  friend bool operator==(const Layout& a, const Layout& b) {
    return a.shape == b.shape && a.strides == b.strides && a.stated == b.stated;
  }
};

/// How a call is made: at once, by a plan, or by a plan that is bound to the operands after it was prepared
/// for others.
enum class Way : std::uint8_t { kCall, kPlan, kRebind };

/// A call of Max of the sources, or of ReduceMax of the only one along `axes`.
struct Call {
  std::vector<Layout> sources;
  Layout output;
  std::optional<std::size_t> in_place;            ///< the source that is the output too
  std::optional<std::vector<std::int64_t>> axes;  ///< of ReduceMax; nullopt: Max
  bool keepdims = false;
  std::size_t threads = 1;
  Way way = Way::kCall;

  std::string Text() const {
    const auto of = [](const Layout& layout) {
      return ToString(layout.shape) + (layout.stated ? " by " + ToString(layout.strides) : "");
    };
    std::string text =
        axes ? "ReduceMax along " + ToString(*axes) + (keepdims ? ", keepdims, of" : " of") : "Max of";
    for (const Layout& source : sources) text += " " + of(source);
    text += " to " + of(output);
    if (in_place) text += ", in place of source " + std::to_string(*in_place);
    text += ", threads " + std::to_string(threads);
    return text + (way == Way::kCall ? ", call" : way == Way::kPlan ? ", plan" : ", plan bound again");
  }
};

/// Calls visit(offset) for each index of these loops in row-major order; offsets in elements.
template <class Visit>
void ForEachOffset(DimsView shape, DimsView strides, Visit visit) {
  if (ElementCount(shape) == 0) return;
  std::array<std::int64_t, kMaxRank> index = {};
  std::int64_t offset = 0;
  for (;;) {
    visit(offset);
    std::size_t d = shape.size();
    for (; d > 0; --d) {
      offset += strides[d - 1];
      if (++index[d - 1] < shape[d - 1]) break;
      offset -= shape[d - 1] * strides[d - 1];
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

/// Random numbers as choices; a fuzzer has a class of its own with the same function.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : rng_(seed) {}
  std::size_t Below(std::size_t n) { return static_cast<std::size_t>(rng_() % n); }

 private:
  std::mt19937_64 rng_;
};

template <class Choices>
std::int64_t SignedBelow(Choices& choices, std::size_t n) {
  return static_cast<std::int64_t>(choices.Below(n));
}

/// At most `most_rank` dimensions and `most` elements; now and then none.
template <class Choices>
Shape RandomShape(Choices& choices, std::size_t most_rank, std::int64_t most) {
  Shape shape = Shape::Filled(choices.Below(most_rank + 1), 1);
  std::int64_t left = most;
  for (std::size_t k = 0; k < 2 * shape.rank(); ++k) {
    std::int64_t& extent = shape[choices.Below(shape.rank())];
    if (extent != 1) continue;
    const std::size_t kind = choices.Below(6);
    extent = std::min(left, kind == 0   ? 1 + SignedBelow(choices, 600)
                            : kind == 1 ? std::int64_t{16} << choices.Below(4)
                                        : 1 + SignedBelow(choices, 9));
    left = std::max<std::int64_t>(1, left / extent);
  }
  if (!shape.empty() && choices.Below(40) == 0) shape[choices.Below(shape.rank())] = 0;
  return shape;
}

/// Some lines are further apart: at least one whole page between the smallest elements.
inline constexpr std::int64_t kFarElements = 8200;

/// Stated strides. An output visits each address once (MEM-1); a source may repeat elements and overlap
/// itself.
template <class Choices>
Layout RandomStrides(Choices& choices, const Shape& shape, bool is_source) {
  Layout layout{shape, Shape::Filled(shape.rank(), 0)};
  std::vector<std::size_t> order(shape.rank());  // innermost first
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  const std::size_t kind = choices.Below(3);
  if (kind == 0) std::reverse(order.begin(), order.end());
  for (std::size_t d = kind == 1 ? order.size() : 0; d > 1; --d)
    std::swap(order[d - 1], order[choices.Below(d)]);
  const bool has_gaps = choices.Below(2) == 0, turns = choices.Below(2) == 0,
             repeats = is_source && choices.Below(4) == 0;
  std::int64_t step = has_gaps && choices.Below(3) == 0 ? 1 + SignedBelow(choices, 4) : 1;
  std::int64_t left = 1;  // elements per element of the dimensions visited
  for (const std::int64_t extent : shape) left *= std::max<std::int64_t>(1, extent);
  for (const std::size_t d : order) {
    if (shape[d] == 1 && choices.Below(8) == 0) {  // leads nowhere
      layout.strides[d] = SignedBelow(choices, 1 << 20) - (1 << 19);
      continue;
    }
    layout.strides[d] = turns && choices.Below(2) == 0 ? -step : step;
    if (repeats && choices.Below(3) == 0) {
      layout.strides[d] = 0;
      continue;
    }
    step *= std::max<std::int64_t>(1, shape[d]);
    if (has_gaps && choices.Below(2) == 0) step += SignedBelow(choices, 5);
    left /= std::max<std::int64_t>(1, shape[d]);
    if (has_gaps && step < 100 && left < 50 && choices.Below(3) == 0) step += kFarElements;
    if (repeats && shape[d] > 1 && choices.Below(4) == 0) step -= 1;
  }
  return layout;
}

/// Half of all layouts state no strides.
template <class Choices>
Layout RandomLayout(Choices& choices, const Shape& shape, bool is_source) {
  return choices.Below(2) == 0 ? Layout::Dense(shape) : RandomStrides(choices, shape, is_source);
}

/// Without the first dimensions of extent 1 that a broadcast may leave out (BRO-1).
template <class Choices>
Shape WithoutSomeLeadingOnes(Choices& choices, const Shape& shape) {
  std::size_t dropped = 0;
  while (dropped < shape.rank() && shape[dropped] == 1 && choices.Below(2) == 0) ++dropped;
  return *Shape::FromSpan(DimsView(shape).subspan(dropped));
}

template <class Choices>
void ChooseHow(Choices& choices, Call& call) {
  constexpr std::array<std::size_t, 8> kThreads = {1, 1, 2, 2, 3, 4, 5, 8};
  call.threads = kThreads[choices.Below(kThreads.size())];
  call.way = choices.Below(2) == 0 ? Way::kCall : choices.Below(2) == 0 ? Way::kPlan : Way::kRebind;
}

/// A Max of two inputs of three dimensions: one of them transposed; or short lines that repeat in each other,
/// as in [n,1,k] and [m,k], and that may be far apart.
template <class Choices>
Call RandomMaxOfThreeDimensions(Choices& choices) {
  Call call;
  Shape shape{1 + SignedBelow(choices, 40), 1 + SignedBelow(choices, 20), 1 + SignedBelow(choices, 40)};
  if (choices.Below(3) == 0) {  // long lines
    for (std::int64_t& extent : shape) extent = 1 + extent % 6;
    shape[choices.Below(2)] = 100 + SignedBelow(choices, 300);
  }
  if (choices.Below(4) == 0) {
    Layout transposed{shape, {shape[1] * shape[2], 1, shape[1]}};
    call.sources = {transposed, Layout::Dense(shape)};
    call.output = Layout::Dense(shape);
    ChooseHow(choices, call);
    return call;
  }
  Shape a = shape, b = shape;
  a[1] = 1;
  b[choices.Below(4) == 0 ? 2 : 0] = 1;
  const bool plain = choices.Below(2) == 0;
  for (const Shape& own : {a, b}) {
    call.sources.push_back(Layout::Dense(own));
    call.sources.back().stated = !plain;
    if (!plain && choices.Below(3) == 0) call.sources.back().strides[0] += kFarElements;
  }
  call.output = Layout::Dense(shape);
  call.output.stated = !plain;
  ChooseHow(choices, call);
  return call;
}

/// A Max of 1 to 9 or of 63 to 200 inputs, most often 2.
template <class Choices>
Call RandomMax(Choices& choices, std::size_t most_rank, std::int64_t most) {
  if (choices.Below(5) < 2) return RandomMaxOfThreeDimensions(choices);
  Call call;
  const Shape shape = RandomShape(choices, most_rank, most);
  constexpr std::array<std::size_t, 16> kCounts = {1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 4, 5, 8, 9};
  // More than 64 inputs are never joined without a plan.
  constexpr std::array<std::size_t, 4> kManyInputs = {63, 64, 65, 200};
  const std::size_t count = choices.Below(100) == 0 ? kManyInputs[choices.Below(kManyInputs.size())]
                                                    : kCounts[choices.Below(kCounts.size())];
  const std::size_t whole = choices.Below(count);
  // Often chooses operands that calls without a plan compute: all dense, or one or two inputs of one shape,
  // one of which has strides.
  const std::size_t kind = choices.Below(8), view = choices.Below(count);
  const bool has_whole = choices.Below(3) != 0, is_view = kind >= 5 && count <= 2;
  // All operands of one shape in one order of dimensions in memory, or one of them in another.
  const bool is_alike = kind == 4;
  const std::size_t other = choices.Below(count + 2);
  const Layout alike = RandomStrides(choices, shape, false);
  const auto layout_of = [&](const Shape& own, std::size_t operand) {
    if (is_alike && operand != other) return alike;
    if (is_view) return operand == view ? RandomStrides(choices, own, true) : Layout::Dense(own);
    if (kind < 4) return Layout::Dense(own);
    return RandomLayout(choices, own, operand < count);
  };
  std::vector<Shape> shapes(count, shape);
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    const std::size_t keeps = has_whole ? whole : choices.Below(count);  // BRO-2: one input has the extent
    for (std::size_t m = 0; m < count; ++m) {
      if (m != keeps && !is_view && !is_alike && choices.Below(2) == 0) shapes[m][d] = 1;
    }
  }
  for (std::size_t m = 0; m < count; ++m) {
    const bool is_equal = m != whole && choices.Below(3) == 0;
    const Shape own = is_equal ? shape : m == whole ? shapes[m] : WithoutSomeLeadingOnes(choices, shapes[m]);
    call.sources.push_back(layout_of(own, m));
  }
  call.output = layout_of(shape, count);
  if (call.sources[whole].shape == shape && choices.Below(4) == 0) {
    call.sources[whole] = call.output;
    call.in_place = whole;
  }
  ChooseHow(choices, call);
  return call;
}

/// A ReduceMax along any axes.
template <class Choices>
Call RandomReduceMax(Choices& choices, std::size_t most_rank, std::int64_t most) {
  Call call;
  const Shape shape = RandomShape(choices, most_rank, most);
  call.axes.emplace();
  call.keepdims = choices.Below(2) == 0;
  const std::size_t kind = choices.Below(8);  // what calls without a plan compute is as frequent
  Shape output;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    const bool reduced = kind == 0 ? d % 2 == 0 : choices.Below(2) == 0;
    const std::int64_t axis = static_cast<std::int64_t>(d);
    if (reduced)
      call.axes->push_back(choices.Below(2) == 0 ? axis : axis - static_cast<std::int64_t>(shape.rank()));
    if (!reduced || call.keepdims) output.PushBack(reduced ? 1 : shape[d]);
  }
  call.sources = {kind < 2 ? Layout::Dense(shape) : RandomLayout(choices, shape, true)};
  call.output = kind < 3 ? Layout::Dense(output) : RandomLayout(choices, output, false);
  if (kind == 1) {  // backwards as a whole
    call.sources[0].stated = true;
    for (std::int64_t& stride : call.sources[0].strides) stride = -stride;
  }
  if (output == shape && choices.Below(2) == 0) {
    call.sources = {call.output};
    call.in_place = 0;
  }
  ChooseHow(choices, call);
  return call;
}

/// Calls visit(value) for every threshold.
template <class Visit>
void ForEachThreshold(Tuning& t, Visit visit) {
  const auto all = [&](auto&... each) { (visit(each), ...); };
  all(t.min_bytes_per_thread, t.min_tiles_per_thread, t.enclosed_elements_per_unit, t.min_medium_line_bytes,
      t.min_separate_line_bytes, t.min_long_line_bytes, t.min_single_line_bytes, t.min_final_line_bytes,
      t.max_accumulator_bytes, t.max_buffered_tile_bytes, t.max_tile_bytes, t.max_square_side_bytes,
      t.max_square_side_elements);
}
// Not checked if pointers have 32 bits: the size then depends on how the system aligns 64-bit integers.
static_assert(sizeof(void*) < 8 || sizeof(Tuning) == 13 * 8, "a threshold was added: add it above");

/// The smallest threshold of bytes with a meaning: one element of any type.
inline constexpr int kSmallestThreshold = 8;

/// The smallest thresholds: everything is divided as far as possible.
inline Tuning SmallestTuning() {
  Tuning t;
  ForEachThreshold(t, [](auto& value) {
    if (value > kSmallestThreshold) value = kSmallestThreshold;
  });
  return t;
}

/// The thresholds and the caches of a call.
struct Setting {
  Tuning tuning;
  std::optional<CacheSizes> caches;
};

/// The usual thresholds, the smallest ones, or each at random between both, small ones as often as large
/// ones.
template <class Choices>
Setting RandomSetting(Choices& choices) {
  Setting setting;
  const std::size_t kind = choices.Below(6);
  if (kind == 1) setting.tuning = SmallestTuning();
  if (kind == 2 || kind == 3) {
    ForEachThreshold(setting.tuning, [&](auto& value) {
      const std::size_t most = static_cast<std::size_t>(value);
      if (most <= kSmallestThreshold) return;
      const std::size_t below =
          (most - kSmallestThreshold) >> choices.Below(static_cast<std::size_t>(std::bit_width(most)));
      value = static_cast<std::remove_reference_t<decltype(value)>>(kSmallestThreshold +
                                                                    choices.Below(below + 1));
    });
  } else if (choices.Below(4) == 0) {
    setting.tuning.min_bytes_per_thread = 64;
  }
  if (choices.Below(3) == 0) {
    setting.caches = CacheSizes{SignedBelow(choices, 256) << choices.Below(8), SignedBelow(choices, 256)
                                                                                   << choices.Below(10)};
  }
  return setting;
}

/// Applies a setting while it exists.
class ScopedSetting {
 public:
  explicit ScopedSetting(const Setting& setting) {
    tuning = setting.tuning;
    AssumeCaches(setting.caches);
  }
  ~ScopedSetting() {
    tuning = kDefaultTuning;
    AssumeCaches(std::nullopt);
  }
  ScopedSetting(const ScopedSetting&) = delete;
  ScopedSetting& operator=(const ScopedSetting&) = delete;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_CALLS_H_
