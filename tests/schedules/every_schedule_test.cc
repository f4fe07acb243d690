// Every schedule of small operands: every shape of up to four dimensions with extents 1, 2, 3 and 5, in many
// layouts, with 1 to 5 threads and thresholds from the smallest to the usual ones: each source position
// reaches exactly its outputs.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ops/tuning.h"
#include "schedules/recorded_call.h"
#include "support/calls.h"
#include "support/recording.h"
#include "support/sanitized.h"
#include "supremum/target.h"

namespace supremum::test {
namespace {

constexpr std::array<std::int64_t, 4> kExtents = {1, 2, 3, 5};

// Sanitizers, which take six times as long, look at memory alone.
constexpr std::size_t kMostDimensions = kIsSanitized ? 3 : 4;

void ForEachShape(std::size_t most_dimensions, const std::function<void(const Shape&)>& visit) {
  for (std::size_t rank = 0; rank <= most_dimensions; ++rank) {
    std::size_t count = 1;
    for (std::size_t d = 0; d < rank; ++d) count *= kExtents.size();
    for (std::size_t k = 0; k < count; ++k) {
      Shape shape;
      std::size_t rest = k;
      for (std::size_t d = 0; d < rank; ++d, rest /= kExtents.size())
        shape.PushBack(kExtents[rest % kExtents.size()]);
      visit(shape);
    }
  }
}

// The strides of a tensor whose dimensions lie in memory in this order, the innermost first: `gap` more
// elements after each dimension.
Layout InOrder(const Shape& shape, const std::vector<std::size_t>& order, std::int64_t gap) {
  Layout layout{shape, Shape::Filled(shape.rank(), 0)};
  std::int64_t step = 1 + gap;
  for (const std::size_t d : order) {
    layout.strides[d] = step;
    step = step * shape[d] + gap;
  }
  return layout;
}

constexpr std::size_t kLayouts = 8;

// Layout k of a tensor: as it is without stated strides; stated; the other way round; turned; with gaps; in
// part backwards; every second element; transposed and backwards.
Layout LayoutOf(const Shape& shape, std::size_t k) {
  std::vector<std::size_t> inner_first(shape.rank()), outer_first(shape.rank());
  for (std::size_t d = 0; d < shape.rank(); ++d) outer_first[d] = inner_first[shape.rank() - 1 - d] = d;
  std::vector<std::size_t> turned = inner_first;
  if (turned.size() > 1) std::rotate(turned.begin(), turned.begin() + 1, turned.end());
  Layout layout = k == 0 ? Layout::Dense(shape)
                         : InOrder(shape,
                                   k == 2 || k == 7 ? outer_first
                                   : k == 3         ? turned
                                                    : inner_first,
                                   k == 4 || k == 7 ? 1 : 0);
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    if (k == 6) layout.strides[d] *= 2;
    if (k == 7 || (k == 5 && d % 2 == shape.rank() % 2)) layout.strides[d] *= -1;
  }
  return layout;
}

// The usual ones; the smallest ones, with stores of both kinds and without threads; short lines; three in
// between, the same in every run.
std::vector<Setting> Settings() {
  constexpr CacheSizes kNone{0, 0};
  std::vector<Setting> settings = {{kDefaultTuning, {}}, {SmallestTuning(), kNone}, {SmallestTuning(), {}}};
  Tuning without_threads = SmallestTuning();
  without_threads.min_bytes_per_thread = kDefaultTuning.min_bytes_per_thread;
  settings.push_back({without_threads, {}});
  Tuning short_lines = kDefaultTuning;  // in tiles of several blocks
  short_lines.min_single_line_bytes = short_lines.min_medium_line_bytes =
      short_lines.min_separate_line_bytes = short_lines.min_long_line_bytes =
          short_lines.min_final_line_bytes = SmallestTuning().min_separate_line_bytes;
  settings.push_back({short_lines, {}});
  Draw draw(20261129);
  while (settings.size() < 8) settings.push_back(RandomSetting(draw));
  return settings;
}

// Calls run(check) for each setting. Function check(call) runs the call with 1 to 5 threads, and returns
// false after the first fault. If the thresholds admit only one thread, it runs the call once, with a thread
// count that varies from call to call.
template <class Run>
void ForEachSetting(std::size_t vector_bytes, Run run) {
  Recorded<std::uint64_t> recorded;
  std::size_t turn = 0;
  for (const Setting& setting : Settings()) {
    const ScopedSetting scoped(setting);
    const ScopedRecording recording(vector_bytes);
    bool all_hold = true;
    const bool has_threads = setting.tuning.min_bytes_per_thread < 1000;
    run([&](Call& call) {
      for (std::size_t threads = 1; all_hold && threads <= 5; ++threads) {
        call.threads = has_threads ? threads : 1 + turn++ % 5;
        const std::string fault = recorded.Check(call);
        all_hold = fault.empty();
        EXPECT_TRUE(all_hold) << fault;
        if (!has_threads) break;
      }
      return all_hold;
    });
    if (!all_hold) return;
  }
}

// Numbers below n without a pattern, the same in every run.
class Turn {
 public:
  std::size_t Of(std::size_t n) {
    return (next_ = next_ * 2862933555777941757ULL + 3037000493ULL) / 65536 % n;
  }

 private:
  std::uint64_t next_ = 1;
};

class ReduceSchedules : public testing::TestWithParam<std::size_t> {};  // vector_bytes

// Rules: RED-1, RED-3, RED-6, ORD-5, MEM-1, MEM-2, MEM-3
TEST_P(ReduceSchedules, ReachExactlyTheirOutputs) {
  Turn turn;
  ForEachSetting(GetParam(), [&](auto check) {
    bool all_hold = true;
    ForEachShape(kMostDimensions, [&](const Shape& shape) {
      if (!all_hold) return;
      for (std::size_t axes = 0; axes < std::size_t{1} << shape.rank(); ++axes) {
        Call call;
        call.axes.emplace();
        for (std::size_t d = 0; d < shape.rank(); ++d) {
          if ((axes >> d & 1) != 0)
            call.axes->push_back(static_cast<std::int64_t>(d) -
                                 (turn.Of(2) == 0 ? 0 : static_cast<std::int64_t>(shape.rank())));
        }
        call.keepdims = turn.Of(2) == 0;
        Shape output;
        for (std::size_t d = 0; d < shape.rank(); ++d) {
          const bool reduced = (axes >> d & 1) != 0;
          if (!reduced || call.keepdims) output.PushBack(reduced ? 1 : shape[d]);
        }
        for (std::size_t layout = 0; layout < kLayouts; ++layout) {
          call.sources = {LayoutOf(shape, layout)};
          call.output = LayoutOf(output, turn.Of(2) == 0 ? 0 : turn.Of(kLayouts));
          call.way = static_cast<Way>(turn.Of(3));
          call.in_place.reset();
          if (output == shape && turn.Of(2) == 0) {
            call.in_place = 0;
            call.output = call.sources[0];
          }
          all_hold = check(call);
          if (!all_hold) return;
        }
      }
    });
  });
}

class MaxSchedules : public testing::TestWithParam<std::size_t> {};

// Every pair of operands over every shape, each operand broadcast along any of its dimensions.
// Rules: MAX-2, BRO-1, BRO-2, BRO-5, ORD-5, MEM-1, MEM-2, MEM-3
TEST_P(MaxSchedules, OfTwoReachExactlyTheirOutputs) {
  Turn turn;
  ForEachSetting(GetParam(), [&](auto check) {
    bool all_hold = true;
    ForEachShape(kMostDimensions, [&](const Shape& shape) {
      const std::size_t masks = std::size_t{1} << shape.rank();
      for (std::size_t pair = 0; all_hold && pair < masks * masks; ++pair) {
        const std::array<std::size_t, 2> broadcast = {pair % masks, pair / masks};
        bool is_new = true;  // an extent of 1 is broadcast in one way, and a common extent is somebody's
        for (std::size_t d = 0; d < shape.rank(); ++d) {
          const bool a = (broadcast[0] >> d & 1) != 0, b = (broadcast[1] >> d & 1) != 0;
          is_new = is_new && (shape[d] == 1 ? !a && !b : !a || !b);
        }
        if (!is_new) continue;
        Call call;
        const bool alike = turn.Of(2) == 0;  // both have the same layout
        const std::size_t layout = turn.Of(kLayouts);
        for (const std::size_t mask : broadcast) {
          Shape own = shape;
          for (std::size_t d = 0; d < shape.rank(); ++d) {
            if ((mask >> d & 1) != 0) own[d] = 1;
          }
          // Leading dimensions of extent 1 may be missing.
          while (!own.empty() && own[0] == 1 && call.sources.size() + 1 < 2 && turn.Of(2) == 0)
            own = *Shape::FromSpan(DimsView(own).subspan(1));
          call.sources.push_back(LayoutOf(own, alike ? layout : turn.Of(2) == 0 ? 0 : turn.Of(kLayouts)));
        }
        call.output = LayoutOf(shape, turn.Of(2) == 0 ? 0 : turn.Of(kLayouts));
        for (std::size_t m = 0; m < 2; ++m) {
          if (call.sources[m].shape == shape && turn.Of(4) == 0) {
            call.in_place = m;
            call.output = call.sources[m];
          }
        }
        call.way = static_cast<Way>(turn.Of(3));
        all_hold = check(call);
      }
    });
  });
}

// One to nine operands over every shape, each broadcast and laid out at random.
// Rules: MAX-1, MAX-2, MAX-6, BRO-5, ORD-5, MEM-1, MEM-2, MEM-3
TEST_P(MaxSchedules, OfManyReachExactlyTheirOutputs) {
  Turn turn;
  ForEachSetting(GetParam(), [&](auto check) {
    bool all_hold = true;
    ForEachShape(kMostDimensions, [&](const Shape& shape) {
      for (std::size_t count = 1; all_hold && count <= 9; ++count) {
        Call call;
        const bool plain = turn.Of(3) == 0;  // no strides are stated
        for (std::size_t m = 0; m < count; ++m) {
          Shape own = shape;
          const std::size_t kind = m == 0 ? 0 : turn.Of(3);
          for (std::size_t d = 0; d < shape.rank(); ++d) {
            if (kind == 1 && turn.Of(2) == 0) own[d] = 1;
          }
          call.sources.push_back(LayoutOf(own, plain || turn.Of(2) == 0 ? 0 : turn.Of(kLayouts)));
        }
        std::swap(call.sources[0], call.sources[turn.Of(count)]);
        call.output = LayoutOf(shape, plain || turn.Of(2) == 0 ? 0 : turn.Of(kLayouts));
        const std::size_t m = turn.Of(count);
        if (call.sources[m].shape == shape && turn.Of(3) == 0) {
          call.in_place = m;
          call.output = call.sources[m];
        }
        call.way = static_cast<Way>(turn.Of(3));
        all_hold = check(call);
      }
    });
  });
}

const auto kVectors = testing::Values(16, 64);
// ReduceMax does not ask how long vectors are.
INSTANTIATE_TEST_SUITE_P(, ReduceSchedules, testing::Values(64), testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(, MaxSchedules, kVectors, testing::PrintToStringParamName());

}  // namespace
}  // namespace supremum::test
