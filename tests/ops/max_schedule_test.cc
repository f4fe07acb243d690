// Shapes and strides that lead to schedules which few shapes lead to, compared with the reference.
#include "ops/max_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/memory_model.h"
#include "ops/loop_nest.h"
#include "ops/max_execute.h"
#include "ops/reading.h"
#include "support/configurations.h"
#include "support/sanitized.h"
#include "support/values.h"
#include "supremum/max.h"
#include "supremum/reference.h"
#include "supremum/target.h"

namespace supremum {
namespace {

// An input: its strides, dense where there are none.
struct Operand {
  Shape shape, strides;
};

// Max of these by a plan is what the reference gives, with one thread and with three.
void ExpectOracle(DType dtype, const std::vector<Operand>& operands, const std::string& what) {
  test::Rng rng(41);
  const std::vector<std::uint64_t> special = test::SpecialBits(dtype);
  const std::size_t width = ByteWidth(dtype);
  std::vector<std::vector<std::byte>> memory;
  std::vector<TensorView> views;
  for (const Operand& operand : operands) {
    const Shape strides = operand.strides.rank() == 0 ? RowMajorStrides(operand.shape) : operand.strides;
    std::int64_t lowest = 0, highest = 0;
    for (std::size_t d = 0; d < strides.rank(); ++d) {
      (strides[d] < 0 ? lowest : highest) += strides[d] * (operand.shape[d] - 1);
    }
    std::vector<std::byte>& bytes =
        memory.emplace_back(static_cast<std::size_t>(highest - lowest + 1) * width);
    for (std::size_t i = 0; i < bytes.size(); i += width) {
      const std::uint64_t bits = test::RandomBits(rng, dtype, special);
      std::memcpy(bytes.data() + i, &bits, width);
    }
    views.push_back(
        {dtype, operand.shape, operand.strides, bytes.data() - lowest * static_cast<std::int64_t>(width)});
  }
  const Result<Shape> shape = MaxOutputShape(views);
  ASSERT_TRUE(shape) << what;
  std::vector<std::byte> expected(static_cast<std::size_t>(*ElementCount(*shape)) * width), y = expected;
  ASSERT_TRUE(reference::Max(views, {dtype, *shape, {}, expected.data()}));
  for (std::size_t threads : {1u, 3u}) {
    Result<MaxPlan> plan = MaxPlan::Prepare(views, {dtype, *shape, {}, y.data()}, {.threads = threads});
    ASSERT_TRUE(plan) << what;
    plan->Run();
    EXPECT_EQ(y, expected) << what << ", " << threads << " threads";
  }
}

// Every one of `count` inputs at x, the output at y.
MaxBindings BindingsOf(std::size_t count, const std::vector<float>& x, std::vector<float>& y) {
  MaxBindings bindings;
  EXPECT_TRUE(bindings.inputs.Resize(count));
  for (std::size_t k = 0; k < count; ++k) bindings.inputs[k] = reinterpret_cast<const std::byte*>(x.data());
  bindings.output = reinterpret_cast<std::byte*>(y.data());
  return bindings;
}

// The loops over {5,30,16}: those of an input that is transposed are in another order than the output's.
// Rules: ORD-5
TEST(MaxSchedule, OnlyForATransposedInputIsALoopMoved) {
  const Shape all{5, 30, 16}, outer{5, 1, 1}, inner{30, 1}, transposed{1, 5, 150};
  const auto extents = [&](const TensorView& second, const TensorView& third) {
    MaxSchedule schedule;
    EXPECT_TRUE(schedule.Init(std::vector<TensorView>{TensorView::Of<float>(nullptr, all), second, third},
                              TensorView::Of<float>(nullptr, all), 1));
    return Shape::FromSpan(schedule.nest.extents());
  };
  const TensorView a = TensorView::Of<float>(nullptr, outer), b = TensorView::Of<float>(nullptr, inner);
  EXPECT_EQ(extents(a, b), all);
  EXPECT_EQ(extents(b, a), all);
  EXPECT_EQ(extents({DType::kFloat32, all, transposed, nullptr}, b), (Shape{30, 5, 16}));
}

// An element that follows itself in a line is read in place up to kMaxRepeatCount times, unless other lines
// repeat it too.
// Rules: BRO-5
TEST(MaxSchedule, ElementsThatRepeatTooOftenAreNotReadInPlace) {
  const auto repeat_count = [](const Shape& extents, const Shape& steps,
                               std::size_t line) -> std::optional<std::uint32_t> {
    LoopNest nest;
    EXPECT_TRUE(nest.Init(extents, RowMajorStrides(extents), 1));
    nest.SetStrides(0, steps);
    const Reading reading = ReadingOf(nest, 0, line);
    return reading.IsInPlace() ? std::optional(reading.repeat_count) : std::nullopt;
  };
  EXPECT_EQ(repeat_count({9, 3}, {1, 0}, 0), 3u);
  EXPECT_EQ(repeat_count({9, kernels::kMaxRepeatCount}, {1, 0}, 0), kernels::kMaxRepeatCount);
  EXPECT_EQ(repeat_count({9, kernels::kMaxRepeatCount + 1}, {1, 0}, 0), std::nullopt);
  EXPECT_EQ(repeat_count({9, 5}, {0, 1}, 1), 1u) << "a dense row is read in place for each line";
  EXPECT_EQ(repeat_count({9, 5, 3}, {0, 1, 0}, 1), std::nullopt);
  EXPECT_EQ(repeat_count({9, 7, 5, 3}, {0, 5, 1, 0}, 2), std::nullopt);
  EXPECT_EQ(repeat_count({9, 7, 5, 3}, {35, 5, 1, 0}, 2), 3u);
}

// A line of the output is either one row or all rows joined. The choice affects only the speed.
// Rules: ORD-5
TEST(MaxSchedule, RowsOfWholeCacheLinesAndLongRowsAreLinesAndOthersAreJoinedToOne) {
  const auto are_lines = [](std::int64_t columns, std::int64_t rows = 3000) {
    const Shape all{rows, columns}, column{rows, 1};
    MaxSchedule schedule;
    EXPECT_TRUE(schedule.Init(
        std::vector<TensorView>{TensorView::Of<float>(nullptr, all), TensorView::Of<float>(nullptr, column)},
        TensorView::Of<float>(nullptr, all), 1));
    EXPECT_EQ(schedule.part_elements, schedule.line == 1 ? 1 : columns);
    return schedule.line == 1;
  };
  for (std::int64_t columns : {16, 32, 48, 64, 33, 65, 1000}) EXPECT_TRUE(are_lines(columns)) << columns;
  for (std::int64_t columns : {2, 8, 15, 17, 24, 31}) EXPECT_FALSE(are_lines(columns)) << columns;
  for (std::int64_t columns : {8, 15, 17, 31}) EXPECT_TRUE(are_lines(columns, 30)) << columns << ", one tile";
  EXPECT_FALSE(are_lines(7, 30));
}

// Non-temporal stores are of whole cache lines; where a line ends, they wait for the next one.
// Rules: ORD-5
TEST(MaxSchedule, OnlyLongLinesAreStreamed) {
  AssumeCaches(CacheSizes{0, 0});
  const auto streams = [](std::int64_t columns, std::int64_t pitch) {
    const Shape all{30, columns}, column{30, 1}, strides{pitch, 1};
    MaxSchedule schedule;
    EXPECT_TRUE(schedule.Init(
        std::vector<TensorView>{TensorView::Of<float>(nullptr, all), TensorView::Of<float>(nullptr, column)},
        TensorView{DType::kFloat32, all, strides, nullptr}, 1));
    return schedule.non_temporal;
  };
  EXPECT_FALSE(streams(32, 48));
  EXPECT_TRUE(streams(100, 100));
  EXPECT_TRUE(streams(100, 112));
  AssumeCaches(std::nullopt);
  EXPECT_FALSE(streams(100, 100));
}

// The maximum of some of the inputs is read again soon: its buffer is written by cached stores.
// Rules: ORD-5
TEST(MaxSchedule, OnlyTheOutputIsWrittenByNonTemporalStores) {
  const Shape all{4, 1000}, column{4, 1};
  const std::vector<float> x(4 * 1000);
  static std::vector<float> y(x.size());
  const TensorView whole = TensorView::Of(x.data(), all);
  MaxSchedule schedule;
  ASSERT_TRUE(schedule.Init(std::vector<TensorView>{whole, whole, whole, TensorView::Of(x.data(), column)},
                            TensorView::Of(y.data(), all), 1));
  ASSERT_EQ(schedule.inputs_like_output, 3u);
  static int to_output, to_buffer, as_asked;
  static bool asked;
  static const auto count = [](const std::byte* to, bool non_temporal) {
    const std::byte* const begin = reinterpret_cast<const std::byte*>(y.data());
    const bool is_output = begin <= to && to < begin + y.size() * sizeof(float);
    ++(is_output ? to_output : to_buffer);
    if (non_temporal == (asked && is_output)) ++as_asked;
  };
  schedule.row.join_lines = [](const kernels::Lines&, const kernels::Lines&, const kernels::LinesTo& to) {
    count(to.data, to.non_temporal);
  };
  schedule.row.join_many = [](const kernels::DenseInputs&, std::byte*, std::byte* to, std::size_t,
                              bool non_temporal) { count(to, non_temporal); };
  MaxBindings bindings = BindingsOf(4, x, y);
  for (const bool non_temporal : {false, true}) {
    bindings.non_temporal = asked = non_temporal;
    to_output = to_buffer = as_asked = 0;
    Execute(schedule, bindings);
    EXPECT_GT(to_output, 0);
    EXPECT_GT(to_buffer, 0);
    EXPECT_EQ(as_asked, to_output + to_buffer) << non_temporal;
  }
}

// An input that repeats along the line, and is another in other lines, would be expanded for each line.
// The line is cut, whichever input that is.
// Rules: ORD-5
TEST(MaxSchedule, ALineAlongWhichAnyInputRepeatsIsCut) {
  const Shape all{3, 896, 3}, rows{3, 1, 3}, row{3}, column{896, 1};
  const auto extents = [&](const std::vector<Shape>& shapes) {
    std::vector<TensorView> inputs;
    for (const Shape& shape : shapes) inputs.push_back(TensorView::Of<float>(nullptr, shape));
    MaxSchedule schedule;
    EXPECT_TRUE(schedule.Init(inputs, TensorView::Of<float>(nullptr, all), 1));
    return Shape::FromSpan(schedule.nest.extents());
  };
  const Shape cut{3, 28, 32, 3};  // lines of 384 bytes: whole cache lines, and at least 256
  EXPECT_EQ(extents({rows, all}), cut);
  EXPECT_EQ(extents({all, rows}), cut);
  EXPECT_EQ(extents({all, all, column, rows}), cut);
  EXPECT_EQ(extents({all, row}), (Shape{3 * 896, 3})) << "expanded once for all lines";
  EXPECT_EQ(extents({all, column}), (Shape{3, 896, 3})) << "no repetition along the line";
}

// The last square of a transposed input may be a single line, which there is nothing to transpose in.
// Rules: ORD-5
TEST(MaxSchedule, ASingleLineOfATransposedInputIsNotTransposed) {
  const Shape all{65, 100}, transposed{1, 65};
  const std::vector<float> x(65 * 100);
  std::vector<float> y(65 * 100);
  MaxSchedule schedule;
  ASSERT_TRUE(schedule.Init(std::vector<TensorView>{TensorView{DType::kFloat32, all, transposed, x.data()}},
                            TensorView::Of(y.data(), all), 1));
  ASSERT_EQ(schedule.tile_extents, (Shape{64, 64}));
  static std::vector<std::size_t> lines, elements;  // of each square, and of each line that is gathered
  lines.clear();
  elements.clear();
  schedule.row.transpose = [](const std::byte*, std::ptrdiff_t, std::size_t, std::size_t columns,
                              std::byte*) { lines.push_back(columns); };
  schedule.row.repeat = [](kernels::Row, std::size_t n, std::size_t, std::byte*) { elements.push_back(n); };
  Execute(schedule, BindingsOf(1, x, y));
  EXPECT_EQ(lines, (std::vector<std::size_t>{64, 64}));
  EXPECT_EQ(elements, (std::vector<std::size_t>{64, 36}));
}

// Two inputs of the output's shape are no reason for join_many, which reads more of them in one pass.
// Rules: ORD-5
TEST(MaxSchedule, MoreThanTwoInputsOfTheOutputsShapeAreJoinedInOnePass) {
  const Shape all{4, 1000}, every_second{2000, 2};
  const std::vector<float> x(4 * 2000);
  std::vector<float> y(4 * 1000);
  const TensorView whole = TensorView::Of(x.data(), all), few{DType::kFloat32, all, every_second, x.data()};
  const auto joins = [&](const std::vector<TensorView>& inputs) {
    MaxSchedule schedule;
    EXPECT_TRUE(schedule.Init(inputs, TensorView::Of(y.data(), all), 1));
    static int many, lines;
    many = lines = 0;
    schedule.row.join_lines = [](const kernels::Lines&, const kernels::Lines&, const kernels::LinesTo&) {
      ++lines;
    };
    schedule.row.join_many = [](const kernels::DenseInputs&, std::byte*, std::byte*, std::size_t, bool) {
      ++many;
    };
    Execute(schedule, BindingsOf(inputs.size(), x, y));
    return std::pair(many > 0, lines > 0);
  };
  const std::pair only_many(true, false), only_lines(false, true), both(true, true);
  EXPECT_EQ(joins({whole, whole, whole}), only_many);
  EXPECT_EQ(joins({whole, whole, whole, few}), both);
  EXPECT_EQ(joins({whole, whole, few}), only_lines);
}

// A small Max of two inputs is one call of join, if the second is dense or one element.
// Rules: ORD-5
TEST(MaxSchedule, SmallPairsAreJoinedByOneCall) {
  const auto one_join = [](const Shape& a, const Shape& b) {
    MaxSchedule schedule;
    EXPECT_TRUE(schedule.Init(
        std::vector<TensorView>{TensorView::Of<float>(nullptr, a), TensorView::Of<float>(nullptr, b)},
        TensorView::Of<float>(nullptr, a), 1));
    return std::pair(schedule.one_join, schedule.one_join_strides[1]);
  };
  EXPECT_EQ(one_join({}, {}), std::pair(std::size_t{1}, std::ptrdiff_t{4}));
  EXPECT_EQ(one_join({20, 5}, {20, 5}), std::pair(std::size_t{100}, std::ptrdiff_t{4}));
  EXPECT_EQ(one_join({20, 5}, {}), std::pair(std::size_t{100}, std::ptrdiff_t{0}));
  for (const auto& [a, b] : {std::pair(Shape{20, 2}, Shape{20, 1}), std::pair(Shape{20, 2}, Shape{2}),
                             std::pair(Shape{100, 1000}, Shape{1000})}) {
    EXPECT_EQ(one_join(a, b).first, 0u) << ToString(a);
  }
}

// Two inputs of one step that kernels read by vectors are joined in place.
// Rules: ORD-5
TEST(MaxSchedule, TwoInputsOfOneStepNeedNoBuffers) {
  test::ForEachTarget([] {
    const auto prepared = [](const Shape& shape, const Shape& a, const Shape& b, const Shape& output = {}) {
      auto schedule = std::make_unique<MaxSchedule>();
      EXPECT_TRUE(schedule->Init(
          std::vector<TensorView>{{DType::kFloat32, shape, a, nullptr}, {DType::kFloat32, shape, b, nullptr}},
          {DType::kFloat32, shape, output, nullptr}, 1));
      return schedule;
    };
    const std::int64_t most =
        static_cast<std::int64_t>(kernels::ActiveKernels().For(DType::kFloat32).max_step);
    for (const std::int64_t step : {2, 3, 4, 5}) {
      const std::int64_t joined = step <= most ? step : 0;
      const auto row = prepared({100}, {step}, {step});
      EXPECT_EQ(row->joined_step, joined);
      EXPECT_EQ(row->needs_buffer, joined == 0);
      EXPECT_EQ(row->one_join, joined == 0 ? 0u : 100u);
      EXPECT_EQ(row->one_join_strides[0], 4 * joined);
      EXPECT_EQ(row->one_join_strides[1], 4 * joined);
      const auto rows = prepared({3, 100}, {1000, step}, {0, step});
      EXPECT_EQ(rows->joined_step, joined);
      EXPECT_EQ(rows->one_join, 0u);
      EXPECT_EQ(prepared({3}, {step}, {step})->joined_step, 0) << "less than a vector";
      EXPECT_EQ(prepared({100}, {-step}, {-step})->joined_step, 0);
      EXPECT_EQ(prepared({100}, {step}, {step + 1})->joined_step, 0);
      EXPECT_EQ(prepared({100}, {step}, {1})->joined_step, 0);
      EXPECT_EQ(prepared({100}, {step}, {step}, {2})->joined_step, 0) << "the output has gaps";
      EXPECT_EQ(prepared({step, 100}, {1, step}, {1, step})->joined_step, 0) << "transposed";
    }
  });
}

// Rules: MAX-2, ORD-5
TEST(MaxSchedule, InputsOfOneStepAreTheReferences) {
  test::ForEachTarget([] {
    for (const DType dtype : {DType::kInt8, DType::kBFloat16, DType::kFloat32, DType::kUInt64}) {
      for (const std::int64_t step : {2, 3, 4, 5}) {
        const std::string what = std::string(Name(dtype)) + ", step " + std::to_string(step);
        for (const std::int64_t n : {15, 64, 65, 9000}) {
          ExpectOracle(dtype, {{{n}, {step}}, {{n}, {step}}}, what);
          ExpectOracle(dtype, {{{3, n}, {n * step, step}}, {{n}, {step}}}, what);
        }
        ExpectOracle(dtype, {{{3, 5, 200}, {4500, 900, step}}, {{3, 5, 200}, {900, 3000, step}}}, what);
        ExpectOracle(dtype, {{{200, 7}, {7 * step, step}}, {{200, 7}, {9 * step, step}}}, what);
      }
    }
  });
}

// A transposed operand whose blocks overlap, so that the last square of one, which has fewer elements, begins
// where the first of the next does: what was expanded for the one is not taken for the other.
// Rules: MAX-2, MEM-1
TEST(MaxSchedule, SquaresOfDifferentSizesThatBeginAtOneAddressAreTheReferences) {
  ExpectOracle(DType::kFloat32, {{{2, 64, 100}, {4096, 1, 64}}}, "copied");
  ExpectOracle(DType::kFloat32, {{{2, 64, 100}, {4096, 1, 64}}, {{64, 1}, {}}}, "with a column");
}

}  // namespace
}  // namespace supremum
