// No page without elements is touched: those between the parts of each tensor can be neither read nor
// written.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/targets.h"
#include "ops/join_patterns.h"
#include "support/configurations.h"
#include "support/holed.h"
#include "support/shapes.h"
#include "support/values.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

using kernels::PatternInput;
using test::Below;
using test::HoledTensor;
using test::Rng;
using test::StridedTensor;
using Layout = StridedTensor::Layout;
using Use = StridedTensor::Use;

class Holes : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, Holes, testing::ValuesIn(kNumberDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

Shape SomeShape(Rng& rng) {
  static constexpr std::int64_t kExtents[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 70};
  Shape shape;
  const std::size_t rank = 1 + Below(rng, 5);
  std::int64_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    std::int64_t extent = kExtents[Below(rng, std::size(kExtents))];
    if (count * extent > 1500) extent = 2;
    count *= extent;
    shape.PushBack(extent);
  }
  return shape;
}

// Rules: MAX-2, BRO-1, BRO-2, MEM-1
TEST_P(Holes, InTheOperandsAndTheOutputOfMaxAreNotTouched) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    const Shape shape = SomeShape(rng);
    std::deque<HoledTensor> inputs;
    std::vector<StridedTensor> values;
    std::vector<TensorView> views, dense;
    std::vector<std::vector<std::int64_t>> shapes;
    const std::size_t count = 1 + Below(rng, 4);
    values.reserve(count);
    for (std::size_t m = 0; m < count; ++m) {
      const Shape operand = test::RandomOperandShape(rng, shape);
      shapes.emplace_back(operand.begin(), operand.end());
      values.emplace_back(rng, GetParam(), operand, Layout::kDense, Use::kInput);
      values.back().Fill(rng);
      inputs.emplace_back(rng, GetParam(), operand).Set(values.back().Elements());
      views.push_back(inputs.back().View());
      dense.push_back(values.back().View());
    }
    const Shape common = *Shape::FromSpan(*reference::BroadcastShape(shapes));
    StridedTensor expected(rng, GetParam(), common, Layout::kDense, Use::kOutput), fresh = expected;
    ASSERT_TRUE(reference::Max(dense, expected.MutableView()));
    HoledTensor output(rng, GetParam(), common);
    test::ForEachConfiguration([&](std::size_t threads) {
      output.Set(fresh.Elements());
      ASSERT_TRUE(Max(views, output.MutableView(), {.threads = threads}));
      ASSERT_EQ(output.Elements(), expected.Elements());
    });
    if (HasFatalFailure()) return;
  }
}

// A ReduceMax whose source has holes, along some axes.
struct Reduction {
  Reduction(Rng& rng, DType dtype)
      : shape(SomeShape(rng)),
        values(rng, dtype, shape, Layout::kDense, Use::kInput),
        source(rng, dtype, shape) {
    values.Fill(rng);
    source.Set(values.Elements());
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      if (Below(rng, 2) == 0) axes.push_back(static_cast<std::int64_t>(d));
    }
    options.axes = axes;
    options.keepdims = Below(rng, 2) == 0;
    reduced = *ReduceMaxOutputShape(values.View(), options);
  }
  Reduction(const Reduction&) = delete;  // options.axes are its own
  Reduction& operator=(const Reduction&) = delete;

  // What is written to an output like `fresh`.
  StridedTensor ExpectedIn(StridedTensor fresh) const {
    EXPECT_TRUE(reference::ReduceMax(values.View(), fresh.MutableView(), axes, options.keepdims));
    return fresh;
  }

  Shape shape, reduced;
  StridedTensor values;
  HoledTensor source;
  std::vector<std::int64_t> axes;
  ReduceMaxOptions options;
};

// Rules: RED-1, MEM-1
TEST_P(Holes, InTheSourceAndTheOutputOfReduceMaxAreNotTouched) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    Reduction r(rng, GetParam());
    StridedTensor fresh(rng, GetParam(), r.reduced, Layout::kDense, Use::kOutput);
    StridedTensor expected = r.ExpectedIn(fresh);
    HoledTensor output(rng, GetParam(), r.reduced);
    test::ForEachConfiguration([&](std::size_t threads) {
      r.options.threads = threads;
      output.Set(fresh.Elements());
      ASSERT_TRUE(ReduceMax(r.source.View(), output.MutableView(), r.options));
      ASSERT_EQ(output.Elements(), expected.Elements());
    });
    if (HasFatalFailure()) return;
  }
}

// A tensor whose innermost stride is 1, as the source of lines must have it.
std::unique_ptr<HoledTensor> SourceOfLines(Rng& rng, DType dtype, const Shape& shape) {
  for (;;) {
    auto source = std::make_unique<HoledTensor>(rng, dtype, shape);
    if (source->View().strides.back() == 1) return source;
  }
}

// The maximum of [blocks, lines, n], dense, and of lines in which `run` elements of a source repeat, each
// `repeat_count` times in a row; the output is the dense one, or has memory of its own.
// Rules: MAX-2, MEM-1, MEM-2
TEST_P(Holes, BetweenTheSourcesOfLinesAreNotTouchedByJoinPatterns) {
  const DType dtype = GetParam();
  const std::size_t width = ByteWidth(dtype);
  for (const kernels::KernelTable* table : kernels::RunnableTables()) {
    const kernels::RowKernels& row = table->For(dtype);
    if (row.join_patterns == nullptr) continue;
    SCOPED_TRACE(std::string(table->target));
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      Rng rng(seed);
      const std::size_t lanes = row.vector_bytes / width,
                        run = 2 + Below(rng, std::min<std::size_t>(lanes - 1, 6));
      const std::size_t repeat_count = 1 + Below(rng, 4), period = repeat_count * run;
      const std::size_t counts[] = {1, 2, 3, 5, 17};
      const std::size_t blocks = counts[Below(rng, 4)], lines = counts[Below(rng, 5)];
      const std::size_t n = 1 + Below(rng, Below(rng, 2) == 0 ? 2 * lanes : 9 * lanes);
      const auto extent = [](std::size_t count) { return static_cast<std::int64_t>(count); };
      const Shape shape{extent(blocks), extent(lines), extent(n)};
      const Shape of_source{extent(blocks), extent(lines), extent(run)};

      StridedTensor dense(rng, dtype, shape, Layout::kDense, Use::kInput);
      dense.Fill(rng);
      StridedTensor values(rng, dtype, of_source, Layout::kDense, Use::kInput);
      values.Fill(rng);
      const std::vector<std::uint64_t> elements = values.Elements();
      std::vector<std::uint64_t> read;
      for (std::size_t line = 0; line < blocks * lines; ++line) {
        for (std::size_t i = 0; i < n; ++i) read.push_back(elements[line * run + i % period / repeat_count]);
      }
      StridedTensor expanded(rng, dtype, shape, Layout::kDense, Use::kInput);
      expanded.Set(read);
      StridedTensor expected(rng, dtype, shape, Layout::kDense, Use::kOutput);
      const std::array<TensorView, 2> views{dense.View(), expanded.View()};
      ASSERT_TRUE(reference::Max(views, expected.MutableView()));

      const std::unique_ptr<HoledTensor> source = SourceOfLines(rng, dtype, of_source);
      source->Set(elements);
      const kernels::LinePattern pattern{repeat_count, run, period, 0};
      alignas(64) std::array<std::byte, kernels::kMaxOrdersBytes> orders;
      kernels::WriteOrders(pattern, width, row.vector_bytes, orders.data());
      const auto bytes = [&](std::int64_t number) {
        return static_cast<std::ptrdiff_t>(number) * static_cast<std::ptrdiff_t>(width);
      };
      const TensorView from = source->View();
      const bool in_place = Below(rng, 3) == 0;
      StridedTensor output =
          in_place ? dense : StridedTensor(rng, dtype, shape, Layout::kDense, Use::kOutput);
      std::byte* const y = static_cast<std::byte*>(output.MutableView().data);
      const std::byte* const x = in_place ? y : static_cast<const std::byte*>(dense.View().data);
      const std::ptrdiff_t line_bytes = bytes(extent(n)), block_bytes = bytes(extent(lines * n));
      const std::array<PatternInput, 2> inputs{
          PatternInput{static_cast<const std::byte*>(from.data), bytes(from.strides[0]),
                       bytes(from.strides[1]), PatternInput::Kind::kOrders, pattern, orders.data()},
          PatternInput{x, block_bytes, line_bytes, PatternInput::Kind::kDense}};
      const bool non_temporal = !in_place && Below(rng, 4) == 0;
      JoinPatterns(row, width, inputs, {y, block_bytes, line_bytes, blocks, lines, n, non_temporal});
      if (non_temporal) kernels::StoreFence();
      ASSERT_EQ(output.Elements(), expected.Elements());
      ASSERT_TRUE(output.GuardsIntact());
    }
  }
}

// The first line ends where a page does, and the second one begins where the page after the next does: the
// smallest gap in which there may be no memory.
// Rules: MEM-1
TEST(HolesOfOnePage, BetweenTwoLinesAreNotTouchedByJoinPatterns) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const mapped = mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  std::byte* const memory = static_cast<std::byte*>(mapped);
  ASSERT_EQ(mprotect(memory + page, page, PROT_NONE), 0);
  float* const second = reinterpret_cast<float*>(memory + 2 * page);
  float* const first = reinterpret_cast<float*>(memory + page) - 2;
  first[0] = 1, first[1] = 2, second[0] = 3, second[1] = 4;
  std::vector<float> x(2 * 40, 2.5F), y(2 * 40);
  const kernels::LinePattern pattern{1, 2, 2, 0};
  alignas(64) std::array<std::byte, kernels::kMaxOrdersBytes> orders;
  for (const kernels::KernelTable* table : kernels::RunnableTables()) {
    const kernels::RowKernels& row = table->For(DType::kFloat32);
    if (row.join_patterns == nullptr) continue;
    SCOPED_TRACE(std::string(table->target));
    kernels::WriteOrders(pattern, sizeof(float), row.vector_bytes, orders.data());
    const std::ptrdiff_t line = 40 * sizeof(float),
                         far = reinterpret_cast<std::byte*>(second) - reinterpret_cast<std::byte*>(first);
    // The two lines as lines of one block, and as blocks of one line.
    for (const bool as_lines : {true, false}) {
      const std::array<PatternInput, 2> inputs{
          PatternInput{reinterpret_cast<const std::byte*>(first), as_lines ? 0 : far, as_lines ? far : 0,
                       PatternInput::Kind::kOrders, pattern, orders.data()},
          PatternInput{reinterpret_cast<const std::byte*>(x.data()), as_lines ? 0 : line, as_lines ? line : 0,
                       PatternInput::Kind::kDense}};
      std::fill(y.begin(), y.end(), 0.0F);
      JoinPatterns(row, sizeof(float), inputs,
                   {reinterpret_cast<std::byte*>(y.data()), as_lines ? 0 : line, as_lines ? line : 0,
                    as_lines ? std::size_t{1} : 2, as_lines ? std::size_t{2} : 1, 40, false});
      for (std::size_t i = 0; i < 80; ++i) ASSERT_EQ(y[i], i < 40 ? 2.5F : i % 2 == 0 ? 3.0F : 4.0F) << i;
    }
  }
  munmap(mapped, 3 * page);
}

}  // namespace
}  // namespace supremum
