// Schedules of larger operands at random: any strides that a call admits, 1 to 9 threads, random thresholds.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "schedules/recorded_call.h"
#include "support/recording.h"
#include "support/tunings.h"
#include "support/values.h"

namespace supremum::test {
namespace {

// The number of calls in each test; more by the environment, for a longer run.
std::size_t Calls() {
  const char* const stated = std::getenv("SUPREMUM_RECORDED_CALLS");
  return stated != nullptr ? std::strtoull(stated, nullptr, 10) : 4000;
}

std::int64_t SignedBelow(Rng& rng, std::size_t n) { return static_cast<std::int64_t>(Below(rng, n)); }

// Up to six dimensions and `most` elements; now and then without elements.
Shape RandomShape(Rng& rng, std::int64_t most) {
  Shape shape = Shape::Filled(Below(rng, 7), 1);
  std::int64_t left = most;
  for (std::size_t k = 0; k < 2 * shape.rank(); ++k) {
    std::int64_t& extent = shape[Below(rng, shape.rank())];
    if (extent != 1) continue;
    const std::int64_t small = 1 + SignedBelow(rng, 9), large = 1 + SignedBelow(rng, 600);
    extent = std::min(left, Below(rng, 4) == 0 ? large : small);
    left = std::max<std::int64_t>(1, left / extent);
  }
  if (!shape.empty() && Below(rng, 40) == 0) shape[Below(rng, shape.rank())] = 0;
  return shape;
}

// An output visits each address once; a source may repeat elements, overlap itself and have any stride along
// an extent of 1.
Layout RandomLayout(Rng& rng, const Shape& shape, bool is_source) {
  if (Below(rng, 2) == 0) return Layout::Dense(shape);
  Layout layout{shape, Shape::Filled(shape.rank(), 0)};
  std::vector<std::size_t> order(shape.rank());  // innermost first
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  if (Below(rng, 2) == 0) std::shuffle(order.begin(), order.end(), rng);
  const bool has_gaps = Below(rng, 2) == 0, turns = Below(rng, 2) == 0,
             repeats = is_source && Below(rng, 4) == 0;
  std::int64_t step = has_gaps && Below(rng, 3) == 0 ? 1 + SignedBelow(rng, 4) : 1;
  for (const std::size_t d : order) {
    layout.strides[d] = turns && Below(rng, 2) == 0 ? -step : step;
    if (repeats && Below(rng, 3) == 0) {
      layout.strides[d] = 0;
      continue;
    }
    step *= std::max<std::int64_t>(1, shape[d]);
    if (has_gaps && Below(rng, 2) == 0) step += SignedBelow(rng, 5);
    if (repeats && shape[d] > 1 && Below(rng, 4) == 0) step -= 1;
  }
  return layout;
}

// One call with the thresholds of one draw.
template <class T>
class RandomSchedules : public testing::Test {
 protected:
  template <class Draw>
  void CheckAll(std::uint64_t seed, Draw draw) {
    Rng rng(seed);
    Recorded<T> recorded;
    for (std::size_t k = 0; k < Calls() && !HasFailure(); ++k) {
      const std::uint64_t own_seed = rng();
      Rng own(own_seed);
      RecordedCall call = draw(own);
      call.threads = 1 + Below(own, 9);
      call.way = static_cast<Way>(Below(own, 3));
      call.most_groups = 2;
      call.first_group = Below(own, 1000);
      const std::size_t kind = Below(own, 4);
      Tuning thresholds = kind == 0 ? Tuning() : kind == 1 ? SmallestTuning() : RandomTuning(own);
      if (kind == 0 && Below(own, 2) == 0) thresholds.min_bytes_per_thread = 64;
      std::optional<CacheSizes> caches;
      if (Below(own, 2) == 0)
        caches = CacheSizes{SignedBelow(own, 2) * SignedBelow(own, 1 << 16), SignedBelow(own, 1 << 16)};
      const ScopedTuning scoped(thresholds, caches);
      const ScopedRecording recording(std::size_t{16} << Below(own, 3));
      const std::string fault = recorded.Check(call);
      EXPECT_EQ(fault, "") << "seed " << own_seed;
    }
  }
};

using Elements = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(RandomSchedules, Elements);

// Rules: RED-1, RED-3, RED-6, ORD-5, MEM-1, MEM-2, MEM-3
TYPED_TEST(RandomSchedules, OfReduceMaxReachExactlyTheirOutputs) {
  this->CheckAll(1, [](Rng& rng) {
    RecordedCall call;
    const Shape shape = RandomShape(rng, 5000);
    call.axes.emplace();
    call.keepdims = Below(rng, 2) == 0;
    Shape output;
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      const bool reduced = Below(rng, 2) == 0;
      if (reduced) call.axes->push_back(static_cast<std::int64_t>(d));
      if (!reduced || call.keepdims) output.PushBack(reduced ? 1 : shape[d]);
    }
    call.sources = {RandomLayout(rng, shape, true)};
    call.output = RandomLayout(rng, output, false);
    if (output == shape && Below(rng, 2) == 0) {
      call.sources = {call.output};
      call.in_place = 0;
    }
    return call;
  });
}

// Rules: MAX-1, MAX-2, MAX-6, BRO-1, BRO-2, BRO-3, BRO-5, ORD-5, MEM-1, MEM-2, MEM-3
TYPED_TEST(RandomSchedules, OfMaxReachExactlyTheirOutputs) {
  this->CheckAll(2, [](Rng& rng) {
    RecordedCall call;
    const Shape shape = RandomShape(rng, 3000);
    const std::size_t count = Below(rng, 3) == 0 ? 1 + Below(rng, 9) : 2, whole = Below(rng, count);
    const bool plain = Below(rng, 3) == 0, has_whole = Below(rng, 3) != 0;
    const auto layout_of = [&](const Shape& own, bool is_source) {
      return plain ? Layout::Dense(own) : RandomLayout(rng, own, is_source);
    };
    std::vector<Shape> shapes(count, shape);
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      const std::size_t keeps =
          has_whole ? whole : Below(rng, count);  // BRO-2: one input at least has the extent
      for (std::size_t m = 0; m < count; ++m) {
        if (m != keeps && Below(rng, 2) == 0) shapes[m][d] = 1;
      }
    }
    for (std::size_t m = 0; m < count; ++m) {
      Shape own = m == whole || Below(rng, 3) == 0 ? shapes[m] : Below(rng, 3) == 0 ? shape : shapes[m];
      while (m != whole && !own.empty() && own[0] == 1 && Below(rng, 2) == 0)
        own = *Shape::FromSpan(DimsView(own).subspan(1));
      call.sources.push_back(layout_of(own, true));
    }
    call.output = layout_of(shape, false);
    if (call.sources[whole].shape == shape && Below(rng, 4) == 0) {
      call.sources[whole] = call.output;
      call.in_place = whole;
    }
    return call;
  });
}

}  // namespace
}  // namespace supremum::test
