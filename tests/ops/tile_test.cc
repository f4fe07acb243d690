// Tiles against the sizes of the buffers on the stack, for shapes on both sides of every threshold and all
// layouts.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/axes.h"
#include "ops/max_schedule.h"
#include "ops/parallel.h"
#include "ops/reduce_schedule.h"
#include "ops/tuning.h"
#include "rules/views.h"

namespace supremum {
namespace {

constexpr std::array kTypes{DType::kInt8, DType::kFloat16, DType::kFloat32, DType::kFloat64};
constexpr std::int64_t kExtents[] = {1, 2, 3, 31, 64, 129, 1000, 4097, 70'000};

enum class Layout : std::uint8_t { kDense, kReversed, kTransposed, kGaps, kRow, kColumn, kPlane, kScalar };
constexpr std::array kLayouts{Layout::kDense, Layout::kReversed, Layout::kTransposed, Layout::kGaps,
                              Layout::kRow,   Layout::kColumn,   Layout::kPlane,      Layout::kScalar};

// A tensor of three dimensions, or one that broadcasts to them: then some extents are 1.
struct Operand {
  Shape shape, strides;

  Operand(const Shape& common, Layout layout) : shape(common) {
    for (std::size_t d = 0; d < 3; ++d) {
      const bool is_one = layout == Layout::kScalar || (layout == Layout::kRow && d < 2) ||
                          (layout == Layout::kColumn && d > 0) || (layout == Layout::kPlane && d == 1);
      if (is_one) shape[d] = 1;
    }
    strides = RowMajorStrides(shape);
    if (layout == Layout::kTransposed) strides = Shape{1, shape[0], shape[0] * shape[1]};
    for (std::int64_t& stride : strides) {
      if (layout == Layout::kReversed) stride = -stride;
      if (layout == Layout::kGaps) stride *= 3;
    }
  }
};

template <class Visit>
void ForEachShape(Visit visit) {
  for (std::int64_t a : kExtents) {
    for (std::int64_t b : kExtents) {
      for (std::int64_t c : kExtents) visit(Shape{a, b, c});
    }
  }
}

std::int64_t Parts(std::int64_t extent, std::int64_t part) { return (extent + part - 1) / part; }

void CheckTiles(const MaxSchedule& s) {
  if (s.nest.rank() == 0) return;
  std::int64_t elements = s.part_elements, inner = 1, count = 1;
  for (std::size_t d = s.line + 1; d < s.nest.rank(); ++d) inner *= s.nest.extents()[d];
  ASSERT_EQ(inner, s.part_elements);
  ASSERT_EQ(s.tile_extents.rank(), s.line + 1);
  for (std::size_t d = 0; d <= s.line; ++d) {
    const std::int64_t extent = s.nest.extents()[d], steps = s.tile_extents[d];
    ASSERT_TRUE(1 <= steps && steps <= extent && (steps == 1 || d + 2 >= s.line));
    ASSERT_EQ(s.tile_counts[d], Parts(extent, steps));
    elements *= steps;
    count *= s.tile_counts[d];
  }
  ASSERT_EQ(s.tile_count, count);
  const std::int64_t bytes = elements * static_cast<std::int64_t>(s.width);
  if (s.needs_buffer) {
    ASSERT_LE(bytes, static_cast<std::int64_t>(MaxSchedule::kMaxTileBytes));
  }
}

// Rules: MEM-3
TEST(Tiles, OfAMaxFitTheirBuffersAndCoverTheOutput) {
  ForEachShape([](const Shape& shape) {
    for (DType type : kTypes) {
      for (Layout of_output : {Layout::kDense, Layout::kTransposed, Layout::kGaps}) {
        const Operand to(shape, of_output);
        for (Layout layout : kLayouts) {
          const Operand a(shape, layout), b(shape, Layout::kDense), c(shape, Layout::kTransposed);
          std::vector<TensorView> inputs;
          for (const Operand* x : {&a, &b, &c}) {
            inputs.push_back({type, x->shape, x->strides, nullptr});
            MaxSchedule schedule;
            ASSERT_TRUE(schedule.Init(inputs, {type, to.shape, to.strides, nullptr}, 3));
            ASSERT_NO_FATAL_FAILURE(CheckTiles(schedule)) << ToString(shape) << " " << Name(type);
          }
        }
      }
    }
  });
}

void CheckTiles(const ReduceSchedule& s) {
  const std::int64_t width = static_cast<std::int64_t>(s.width), line = s.line_elements_per_tile;
  ASSERT_TRUE(1 <= line && line <= s.line.extent && s.blocks_per_tile >= 1);
  // The accumulators are in a buffer if they are shared, or the output's line is not contiguous or not
  // aligned.
  ASSERT_LE(line * s.blocks_per_tile * width, kDefaultTuning.max_accumulator_bytes);
  if (s.threads_per_tile > 1) {
    ASSERT_LE(static_cast<std::int64_t>(s.threads_per_tile) * line * width, kDefaultTuning.max_tile_bytes);
    ASSERT_EQ(s.blocks_per_tile, 1);
  }
  if (s.fold_blocks_first) {
    ASSERT_LE(line * s.run.extent * s.blocks_per_tile * width, kDefaultTuning.max_accumulator_bytes);
  }
  const std::size_t last = s.tiles.extents.rank() - 1;
  ASSERT_EQ(s.tiles.extents[last], s.blocks_per_tile > 1 ? Parts(s.kept.extents[last], s.blocks_per_tile)
                                                         : Parts(s.line.extent, line));
  std::int64_t count = 1;
  for (std::int64_t extent : s.tiles.extents) count *= extent;
  ASSERT_EQ(s.tile_count, count);
}

// Rules: MEM-3
TEST(Tiles, OfAReduceMaxFitTheirBuffersAndCoverTheOutput) {
  ForEachShape([](const Shape& shape) {
    for (DType type : kTypes) {
      for (Layout layout : {Layout::kDense, Layout::kReversed, Layout::kTransposed, Layout::kGaps}) {
        const Operand from(shape, layout);
        for (unsigned set = 0; set < 8; ++set) {
          AxisSet axes;
          for (std::size_t d = 0; d < 3; ++d) {
            if ((set >> d & 1) != 0) axes.Add(d);
          }
          const Shape reduced = ReducedShape(shape, axes, true);
          for (std::int64_t gap : {1, 2, -1}) {
            Shape strides = RowMajorStrides(reduced);
            for (std::int64_t& stride : strides) stride *= gap;
            for (std::size_t threads : {1u, 3u}) {
              ReduceSchedule schedule;
              ASSERT_TRUE(schedule.Init({type, from.shape, from.strides, nullptr},
                                        {type, reduced, strides, nullptr}, axes, true, threads));
              ASSERT_NO_FATAL_FAILURE(CheckTiles(schedule))
                  << ToString(shape) << " " << Name(type) << " " << set;
            }
          }
        }
      }
    }
  });
}

// Threads that share each run would read a part of each, and join what they found; where there are enough
// runs, each thread has whole ones. It is the same work for all of them, and no two write one cache line.
// Rules: ORD-5
TEST(Tiles, OfAReduceMaxAreWholeRunsForEachThread) {
  struct Wanted {
    Shape shape;
    std::vector<std::size_t> axes;
    std::size_t threads;
    std::int64_t tiles;  // 0: one, shared
    std::int64_t line_elements;
  };
  const Wanted cases[] = {
      {{1024, 256}, {1}, 2, 2, 512},       // one tile by its bytes
      {{1000, 1024}, {1}, 3, 3, 336},      // whole cache lines: of 333 outputs, 336
      {{32, 32, 1024}, {0, 2}, 2, 2, 16},  // reduced loops around the runs
      {{5000, 1000}, {1}, 2, 4, 1264},     // three tiles by their bytes
      {{3, 2048, 256}, {2}, 2, 4, 1536},   // [6144,256]: merged, three tiles by their bytes
      {{4, 262144}, {1}, 8, 0, 4},         // of too few runs for whole cache lines, each is shared
      {{1024, 6000}, {0}, 2, 4, 1504},     // rows in three tiles by their bytes
  };
  for (const Wanted& wanted : cases) {
    AxisSet axes;
    for (const std::size_t d : wanted.axes) axes.Add(d);
    const Shape reduced = ReducedShape(wanted.shape, axes, true);
    ReduceSchedule schedule;
    ASSERT_TRUE(schedule.Init(TensorView::Of<float>(nullptr, wanted.shape),
                              TensorView::Of<float>(nullptr, reduced), axes, true, wanted.threads));
    if (ThreadCount(2) == 1) GTEST_SKIP() << "built without threads";
    EXPECT_EQ(schedule.line_elements_per_tile, wanted.line_elements) << ToString(wanted.shape);
    EXPECT_EQ(schedule.threads_per_tile == 1 ? schedule.tile_count : 0, wanted.tiles)
        << ToString(wanted.shape);
  }
}

// Fewer tiles than their bytes call for are not possible, and more are not made.
// Rules: ORD-5
TEST(Tiles, OfAMaxAreNoMoreThanTheirBytesCallFor) {
  const auto tiles = [](std::int64_t rows) {
    const Shape all{rows, 1000}, column{rows, 1};
    MaxSchedule schedule;
    EXPECT_TRUE(schedule.Init(
        std::vector<TensorView>{TensorView::Of<float>(nullptr, all), TensorView::Of<float>(nullptr, column)},
        TensorView::Of<float>(nullptr, all), 1));
    EXPECT_FALSE(schedule.needs_buffer);
    return schedule.tile_count;
  };
  EXPECT_EQ(tiles(7), 1) << "28,000 bytes of 32 KiB";
  EXPECT_EQ(tiles(8), 1) << "32,000 bytes";
  EXPECT_EQ(tiles(9), 2);
  EXPECT_EQ(tiles(16), 2);
  EXPECT_EQ(tiles(17), 3);
}

// How many short lines a tile has, and that it has part of a line that is long, which only speed depends on.
// Rules: ORD-5
TEST(Tiles, OfAReduceMaxHaveSeveralBlocksWhereLinesAreWhole) {
  const auto blocks_per_tile = [](const Shape& shape, const Shape& strides) {
    AxisSet middle;
    middle.Add(1);
    const Shape reduced{shape[0], 1, shape[2]};
    ReduceSchedule schedule;
    EXPECT_TRUE(schedule.Init(TensorView::Of<float>(nullptr, shape),
                              {DType::kFloat32, reduced, strides, nullptr}, middle, true, 1));
    return schedule.blocks_per_tile;
  };
  const std::int64_t most = kDefaultTuning.max_accumulator_bytes / 4;
  EXPECT_GT(blocks_per_tile({100, 3, 8}, {}), 1);
  EXPECT_EQ(blocks_per_tile({100, 3, 8}, {16, 16, 2}), 1) << "an output with gaps";
  EXPECT_EQ(blocks_per_tile({100, 3, most + 1}, {}), 1) << "a line of two tiles";
}

}  // namespace
}  // namespace supremum
