// AllMax and AllReduceMax against Max and ReduceMax of everything on one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/mpi/ranks.h"
#include "support/shapes.h"
#include "support/values.h"
#include "supremum/max.h"
#include "supremum/mpi.h"
#include "supremum/reduce_max.h"
#include "supremum/reference.h"
#include "supremum/tensor.h"

namespace supremum {
namespace {

using test::Below;
using test::ExpectOnEveryRank;
using test::OwnRank;
using test::RandomOperandShape;
using test::RandomShape;
using test::RankCount;
using test::Rng;
using test::SlabOf;
using test::StridedTensor;
using Layout = StridedTensor::Layout;
using Use = StridedTensor::Use;

class MpiOperators : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, MpiOperators, testing::ValuesIn(kAllDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

constexpr int kRounds = 40;

// The same on all ranks, but for each round and type.
Rng RngFor(DType dtype, int round) {
  return Rng(static_cast<std::uint64_t>(round) * 100 + static_cast<std::uint64_t>(dtype));
}

mpi::Options MessagesOf(Rng& rng) {
  const std::int64_t sizes[] = {1, 40, 1000, std::int64_t{1} << 28};
  return {.max_message_bytes = sizes[Below(rng, 4)]};
}

// Rules: MAX-1, MAX-2, MAX-6, BRO-1, BRO-2, BRO-3, BRO-5, ORD-1, ORD-2, ORD-3, ORD-4, ORD-5, TYP-1, MEM-1
TEST_P(MpiOperators, AllMaxOfInputsOnAllRanksIsMaxOfThemAll) {
  if (GetParam() == DType::kBool) return;  // no version of Max has it
  for (int round = 0; round < kRounds; ++round) {
    Rng rng = RngFor(GetParam(), round);
    const Shape common = RandomShape(rng, Below(rng, 5));
    std::vector<StridedTensor> all;
    std::vector<TensorView> own;
    std::vector<int> owner;
    for (int rank = 0; rank < RankCount(); ++rank) {
      // A rank may have none.
      const std::size_t count = rank == round % RankCount() ? 1 + Below(rng, 3) : Below(rng, 3);
      for (std::size_t m = 0; m < count; ++m) {
        const Layout layouts[] = {Layout::kDense, Layout::kReversed, Layout::kTransposed, Layout::kAny};
        all.emplace_back(rng, GetParam(), RandomOperandShape(rng, common), layouts[Below(rng, 4)],
                         Use::kInput);
        all.back().Fill(rng);
        owner.push_back(rank);
      }
    }
    std::vector<TensorView> views;
    for (std::size_t m = 0; m < all.size(); ++m) {
      views.push_back(all[m].View());
      if (owner[m] == OwnRank()) own.push_back(all[m].View());
    }
    const Shape shape = MaxOutputShape(views).value();
    const Result<Shape> shape_of_all = mpi::AllMaxOutputShape(MPI_COMM_WORLD, own);
    ASSERT_TRUE(shape_of_all) << shape_of_all.error().message;
    ASSERT_EQ(*shape_of_all, shape);
    const StridedTensor fresh(rng, GetParam(), shape, Below(rng, 2) == 0 ? Layout::kDense : Layout::kAny,
                              Use::kOutput);
    StridedTensor expected = fresh, actual = fresh;
    ASSERT_TRUE(reference::Max(views, expected.MutableView()));
    const Result<void> done = mpi::AllMax(MPI_COMM_WORLD, own, actual.MutableView(), {}, MessagesOf(rng));
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_TRUE(actual.SameBytes(expected)) << "round " << round;

    Tensor dense = Tensor::Create(GetParam(), shape).value();
    ASSERT_TRUE(reference::Max(views, dense.MutableView()));
    const std::size_t width = ByteWidth(GetParam());
    const mpi::Block block = mpi::BlockOf(dense.size(), RankCount(), OwnRank());
    std::vector<std::byte> mine(static_cast<std::size_t>(block.size) * width);
    const Result<void> scattered = mpi::ScatterMax(MPI_COMM_WORLD, own, mine, {}, MessagesOf(rng));
    ASSERT_TRUE(scattered) << scattered.error().message;
    ASSERT_TRUE(std::ranges::equal(
        mine, dense.bytes().subspan(static_cast<std::size_t>(block.begin) * width, mine.size())))
        << "round " << round;
  }
}

// Rules: MEM-2
TEST(MpiOperators, TheOutputOfAllMaxMayBeAnInput) {
  float values[] = {static_cast<float>(OwnRank()), -1, static_cast<float>(-OwnRank())};
  const Shape shape{3};
  const TensorView own[] = {TensorView::Of(values, shape)};
  ASSERT_TRUE(mpi::AllMax(MPI_COMM_WORLD, own, MutableTensorView::Of(values, shape)));
  EXPECT_EQ(values[0], static_cast<float>(RankCount() - 1));
  EXPECT_EQ(values[1], -1);
  EXPECT_EQ(values[2], 0);
}

// Rules: RED-1, RED-2, RED-3, RED-6, RED-7, ORD-1, ORD-2, ORD-3, ORD-4, ORD-5, TYP-1, MEM-1
TEST_P(MpiOperators, AllReduceMaxOfSlabsIsReduceMaxOfTheWhole) {
  for (int round = 0; round < kRounds; ++round) {
    Rng rng = RngFor(GetParam(), round + 1000);
    const Shape shape = RandomShape(rng, 1 + Below(rng, 4));
    const Layout layouts[] = {Layout::kDense, Layout::kReversed, Layout::kTransposed, Layout::kAny};
    StridedTensor source(rng, GetParam(), shape, layouts[Below(rng, 4)], Use::kInput);
    source.Fill(rng);
    const std::size_t split = Below(rng, shape.rank());
    std::vector<std::int64_t> axes;
    bool crosses = false;
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      if (Below(rng, 2) == 0) continue;
      const auto axis = static_cast<std::int64_t>(d);
      axes.push_back(Below(rng, 2) == 0 ? axis : axis - static_cast<std::int64_t>(shape.rank()));
      crosses |= d == split;
    }
    ReduceMaxOptions options{.axes = axes, .keepdims = Below(rng, 2) == 0};
    if (Below(rng, 5) == 0) {
      options.axes = std::nullopt;
      crosses = true;
    }
    // Slabs of any sizes, none among them.
    std::vector<std::int64_t> ends;
    for (int rank = 1; rank < RankCount(); ++rank) {
      ends.push_back(static_cast<std::int64_t>(Below(rng, static_cast<std::size_t>(shape[split]) + 1)));
    }
    std::ranges::sort(ends);
    ends.insert(ends.begin(), 0);
    ends.push_back(shape[split]);
    const auto mine = static_cast<std::size_t>(OwnRank());
    const mpi::Block block{ends[mine], ends[mine + 1] - ends[mine]};
    Shape slab_shape, slab_strides;
    const TensorView slab = SlabOf(source.View(), split, block, &slab_shape, &slab_strides);

    // What is right on this rank: the whole where the axes cross ranks, otherwise what its slab gives.
    const TensorView whole = crosses ? source.View() : slab;
    const Shape out_shape = ReduceMaxOutputShape(whole, options).value();
    const StridedTensor fresh(rng, GetParam(), out_shape, round % 2 == 0 ? Layout::kDense : Layout::kAny,
                              Use::kOutput);
    StridedTensor expected = fresh, actual = fresh;
    ASSERT_TRUE(ReduceMax(whole, expected.MutableView(), options));
    const std::int64_t stated =
        round % 3 == 0 ? static_cast<std::int64_t>(split) - static_cast<std::int64_t>(shape.rank())
                       : static_cast<std::int64_t>(split);
    const Result<void> done =
        mpi::AllReduceMax(MPI_COMM_WORLD, slab, stated, actual.MutableView(), options, MessagesOf(rng));
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_TRUE(actual.SameBytes(expected))
        << "round " << round << " of " << ToString(shape) << " split along " << split;
  }
}

// Rules: E1, E2, MAX-1, TYP-2, PRO-6, MEM-2
TEST(MpiOperators, WhatIsWrongWithAllMaxOnOneRankIsAnErrorOnAllAndNothingIsWritten) {
  const bool odd = OwnRank() == RankCount() - 1;
  const std::string last = std::to_string(RankCount() - 1);
  const std::string who = RankCount() > 1 ? "rank " + last + ": " : "";
  const float x[] = {1, 2, 3, 4};
  float y[] = {-1, -1, -1, -1};
  const std::int32_t integers[] = {1, 2, 3, 4};
  const Shape four{4}, three{3}, two_by_two{2, 2}, one{1};
  const MutableTensorView output = MutableTensorView::Of(y, four);
  const auto all_max = [&](std::vector<TensorView> own, MutableTensorView to,
                           const MaxOptions& options = {}) {
    return mpi::AllMax(MPI_COMM_WORLD, own, to, options);
  };
  const TensorView good = TensorView::Of(x, four);
  ExpectOnEveryRank(all_max({}, output), ErrorCode::kInputCount, {});
  TensorView null = good;
  null.data = nullptr;
  ExpectOnEveryRank(all_max({odd ? null : good}, output), ErrorCode::kInvalidArgument, {who, "null"});
  ExpectOnEveryRank(all_max({good}, odd ? MutableTensorView::Of(y, two_by_two) : output),
                    ErrorCode::kOutputShapeMismatch, {who, "[2,2]", "[4]"});
  ExpectOnEveryRank(all_max({good, odd ? TensorView::Of(x, three) : good}, output),
                    ErrorCode::kNotBroadcastable, {who});
  // Part of the input is the output.
  const TensorView shifted = TensorView::Of(y + 1, three), first = TensorView::Of(x, three);
  ExpectOnEveryRank(all_max({odd ? shifted : first}, MutableTensorView::Of(y, three)), ErrorCode::kOverlap,
                    {who});
  if (RankCount() > 1) {
    ExpectOnEveryRank(all_max({odd ? TensorView::Of(x, three) : good}, output), ErrorCode::kNotBroadcastable,
                      {"'rank 0'", "'rank " + last + "'", "[3]", "[4]"});
    ExpectOnEveryRank(all_max({odd ? TensorView::Of(integers, four) : good}, output),
                      ErrorCode::kTypeMismatch, {"'rank 0'", "'rank " + last + "'", "int32"});
    ExpectOnEveryRank(all_max({odd ? TensorView::Of(x, one) : good}, output, {.identical_shapes_only = true}),
                      ErrorCode::kBroadcastRefused, {"'rank 0'", "'rank " + last + "'"});
    ExpectOnEveryRank(all_max({good}, output, {.identical_shapes_only = odd}), ErrorCode::kInvalidArgument,
                      {who, "identical_shapes_only"});
    std::vector<TensorView> none_but_first;
    if (OwnRank() == 0) none_but_first.push_back(good);
    ExpectOnEveryRank(all_max(none_but_first, odd ? MutableTensorView{DType::kInt32, four, {}, y} : output),
                      ErrorCode::kTypeMismatch, {who});
  }
  for (const float value : y) EXPECT_EQ(value, -1);
}

TEST(MpiOperators, SlabsMakeTheWholeInTheOrderOfRanks) {
  const std::int64_t own = OwnRank() % 3;  // 0, 1, 2, 0, ...
  std::int64_t begin = 0, total = 0;
  for (int rank = 0; rank < RankCount(); ++rank) {
    if (rank == OwnRank()) begin = total;
    total += rank % 3;
  }
  const Shape slab{2, own, 5};
  for (const std::int64_t split : {1, -2}) {
    const Result<mpi::Whole> whole = mpi::WholeOf(MPI_COMM_WORLD, {DType::kInt8, slab, {}, nullptr}, split);
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(whole->shape, (Shape{2, total, 5}));
    EXPECT_EQ(whole->block.begin, begin);
    EXPECT_EQ(whole->block.size, own);
  }
  const Shape huge{std::int64_t{1} << 62};
  const Result<mpi::Whole> much = mpi::WholeOf(MPI_COMM_WORLD, {DType::kInt8, huge, {}, nullptr}, 0);
  if (RankCount() > 1) {
    ASSERT_FALSE(much);
    EXPECT_EQ(much.error().code, ErrorCode::kLimitExceeded);
  }
  const Shape scalar;
  EXPECT_EQ(mpi::WholeOf(MPI_COMM_WORLD, {DType::kInt8, scalar, {}, nullptr}, 0).error().code,
            ErrorCode::kAxis);
}

// Rules: E2, RED-2, TYP-2
TEST(MpiOperators, WhatIsWrongWithAllReduceMaxOnOneRankIsAnErrorOnAllAndNothingIsWritten) {
  const bool odd = OwnRank() == RankCount() - 1;
  const std::string who = RankCount() > 1 ? "rank " + std::to_string(RankCount() - 1) + ": " : "";
  const float x[] = {1, 2, 3, 4, 5, 6};
  float y[] = {-1, -1, -1};
  const Shape two_by_three{2, 3}, three_by_two{3, 2}, three{3}, two{2};
  const std::int64_t rows[] = {0}, columns[] = {1}, far[] = {2};
  const TensorView slab = TensorView::Of(x, two_by_three);
  const MutableTensorView output = MutableTensorView::Of(y, three);
  const auto reduce = [&](const TensorView& source, std::int64_t split, MutableTensorView to,
                          std::span<const std::int64_t> axes, bool keepdims = false) {
    return mpi::AllReduceMax(MPI_COMM_WORLD, source, split, to, {.axes = axes, .keepdims = keepdims});
  };
  ExpectOnEveryRank(reduce(slab, 0, output, odd ? std::span(far) : std::span(rows)), ErrorCode::kAxis, {who});
  ExpectOnEveryRank(reduce(slab, odd ? 2 : 0, output, rows), ErrorCode::kAxis,
                    {who, "the split is dimension 2"});
  ExpectOnEveryRank(reduce(slab, odd ? -3 : 0, output, rows), ErrorCode::kAxis,
                    {who, "the split is dimension -3"});
  ExpectOnEveryRank(reduce(slab, 0, odd ? MutableTensorView::Of(y, two) : output, rows),
                    ErrorCode::kOutputShapeMismatch, {who});
  if (RankCount() > 1) {
    const TensorView other = odd ? TensorView::Of(x, three_by_two) : slab;
    ExpectOnEveryRank(reduce(other, 0, odd ? MutableTensorView::Of(y, two) : output, rows),
                      ErrorCode::kInvalidArgument, {who, "[*,2]", "[*,3]"});
    ExpectOnEveryRank(reduce(slab, 0, odd ? MutableTensorView::Of(y, two) : output,
                             odd ? std::span(columns) : std::span(rows)),
                      ErrorCode::kInvalidArgument, {who, "axes"});
    const std::int32_t integers[] = {1, 2, 3, 4, 5, 6};
    ExpectOnEveryRank(reduce(odd ? TensorView::Of(integers, two_by_three) : slab, 0,
                             odd ? MutableTensorView{DType::kInt32, three, {}, y} : output, rows),
                      ErrorCode::kTypeMismatch, {who, "int32"});
  }
  for (const float value : y) EXPECT_EQ(value, -1);
}

}  // namespace
}  // namespace supremum
