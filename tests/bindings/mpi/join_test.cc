// The operation and the collectives made of it, against the oracle on one process. Every rank makes the same
// random tensors of all ranks, and sends its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "bindings/mpi/ranks.h"
#include "support/values.h"
#include "supremum/mpi.h"
#include "supremum/reduce_max.h"
#include "supremum/tensor.h"

namespace supremum {
namespace {

using test::ExpectOnEveryRank;
using test::OwnRank;
using test::RankCount;
using test::Rng;

class MpiJoin : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, MpiJoin, testing::ValuesIn(kAllDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

// A row of values for each rank, one behind the other, and the expected result: the specification's own
// loops over the column of each element.
struct Rows {
  Rows(DType dtype, std::int64_t n, std::uint64_t seed)
      : count(n),
        all(Tensor::Create(dtype, Shape{RankCount(), n}).value()),
        right(Tensor::Create(dtype, Shape{n}).value()) {
    Rng rng(seed);
    const std::vector<std::uint64_t> special = test::SpecialBits(dtype);
    for (std::int64_t i = 0; i < all.size(); ++i) {
      std::uint64_t bits = test::RandomBits(rng, dtype, special);
      // Of a column in three all are NaN; elsewhere too many would hide everything else.
      if (dtype == DType::kBool) bits = rng() % 4 == 0 ? 1 + rng() % 255 : 0;
      std::memcpy(all.bytes().data() + static_cast<std::size_t>(i) * ByteWidth(dtype), &bits,
                  ByteWidth(dtype));
    }
    const std::vector<std::int64_t> axes = {0};
    EXPECT_TRUE(ReduceMax(all.View(), right.MutableView(), {.axes = axes}));
  }

  std::span<const std::byte> Own() const {
    const std::size_t bytes = right.byte_size();
    return all.bytes().subspan(static_cast<std::size_t>(OwnRank()) * bytes, bytes);
  }

  std::int64_t count;
  Tensor all, right;
};

constexpr std::int64_t kLengths[] = {0, 1, 2, 3, 6, 7, 8, 64, 1000, 20'011};
// The least, some that cut elements' blocks in the middle, and the usual one.
constexpr std::int64_t kMessages[] = {1, 24, 4096, std::int64_t{1} << 28};

// Rules: ORD-1, ORD-2, ORD-3, ORD-4, ORD-5, TYP-1
TEST_P(MpiJoin, AllJoinGivesEveryRankTheBitsOfOneProcess) {
  for (const std::int64_t n : kLengths) {
    for (const std::int64_t message : kMessages) {
      if (message < 100 && n > 64) continue;  // some hundred calls are enough
      const Rows rows(GetParam(), n, static_cast<std::uint64_t>(n));
      Tensor values = Tensor::Create(GetParam(), Shape{n}).value();
      std::ranges::copy(rows.Own(), values.bytes().begin());
      const Result<void> done =
          mpi::AllJoin(MPI_COMM_WORLD, values.MutableView(), {.max_message_bytes = message});
      ASSERT_TRUE(done) << done.error().message;
      ASSERT_TRUE(std::ranges::equal(values.bytes(), rows.right.bytes()))
          << n << " elements, messages of " << message;
    }
  }
}

// Rules: ORD-3, ORD-4, ORD-5
TEST_P(MpiJoin, ScatterJoinGivesEachRankItsBlock) {
  for (const std::int64_t n : kLengths) {
    for (const std::int64_t message : kMessages) {
      if (message < 100 && n > 64) continue;  // some hundred calls are enough
      const Rows rows(GetParam(), n, static_cast<std::uint64_t>(n) + 77);
      const std::size_t width = ByteWidth(GetParam());
      const mpi::Block block = mpi::BlockOf(n, RankCount(), OwnRank());
      std::vector<std::byte> mine(static_cast<std::size_t>(block.size) * width);
      const Result<void> done =
          mpi::ScatterJoin(MPI_COMM_WORLD, TensorView{GetParam(), rows.right.shape(), {}, rows.Own().data()},
                           mine, {.max_message_bytes = message});
      ASSERT_TRUE(done) << done.error().message;
      const auto right =
          rows.right.bytes().subspan(static_cast<std::size_t>(block.begin) * width, mine.size());
      ASSERT_TRUE(std::ranges::equal(mine, right)) << n << " elements, messages of " << message;
    }
  }
}

// Rules: ORD-5
TEST_P(MpiJoin, TheOperationServesCollectivesOfOnesOwn) {
  const Rows rows(GetParam(), 4097, 5);
  const mpi::Join join = mpi::Join::Create(GetParam()).value();
  const int count = static_cast<int>(rows.count);
  Tensor result = Tensor::Create(GetParam(), Shape{rows.count}).value();
  if (RankCount() == 1) return;  // MPI does not call an operation for one operand
  for (int root = 0; root < RankCount(); ++root) {
    ASSERT_EQ(
        MPI_Reduce(rows.Own().data(), result.data(), count, join.datatype(), join.op(), root, MPI_COMM_WORLD),
        0);
    if (root == OwnRank()) {
      ASSERT_TRUE(std::ranges::equal(result.bytes(), rows.right.bytes()));
    }
  }
  ASSERT_EQ(MPI_Scan(rows.Own().data(), result.data(), count, join.datatype(), join.op(), MPI_COMM_WORLD), 0);
  if (OwnRank() == RankCount() - 1) {
    EXPECT_TRUE(std::ranges::equal(result.bytes(), rows.right.bytes()));
  }
}

// Rules: ORD-2, ORD-3, ORD-4
TEST(MpiJoin, OneNaNAndOnePositiveZeroReachEveryRankFromAnyRank) {
  for (int from = 0; from < RankCount(); ++from) {
    std::uint32_t values[] = {0x8000'0000, 0x8000'0000, 0xFF80'0000};
    if (OwnRank() == from) {
      values[0] = 0x0000'0000;
      values[1] = 0xFFA0'0001;  // a signalling NaN with a sign
    }
    float row[3];
    std::memcpy(row, values, sizeof row);
    const Shape shape{3};
    ASSERT_TRUE(mpi::AllJoin(MPI_COMM_WORLD, MutableTensorView::Of(row, shape)));
    std::memcpy(values, row, sizeof row);
    EXPECT_EQ(values[0], 0x0000'0000u) << "+0 from rank " << from;
    EXPECT_EQ(values[1], 0x7FC0'0000u) << "NaN from rank " << from;
    EXPECT_EQ(values[2], 0xFF80'0000u) << "a column of -inf";
  }
}

TEST(MpiBlock, TheBlocksOfAllRanksAreEverythingInOrder) {
  for (const std::int64_t count : {0, 1, 6, 7, 8, 100}) {
    for (int ranks = 1; ranks <= 9; ++ranks) {
      std::int64_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const mpi::Block block = mpi::BlockOf(count, ranks, rank);
        EXPECT_EQ(block.begin, next);
        EXPECT_LE(mpi::BlockOf(count, ranks, 0).size - block.size, 1);
        next += block.size;
      }
      EXPECT_EQ(next, count);
    }
  }
}

TEST(MpiAgree, EveryRankHasTheErrorOfTheLowestRankThatFailed) {
  const int last = RankCount() - 1;
  EXPECT_TRUE(mpi::Agree(MPI_COMM_WORLD, {}));
  Result<void> mine;
  if (OwnRank() == last) mine = MakeError(ErrorCode::kLimitExceeded, "too much");
  const std::string who =
      last == 0 ? "limit exceeded: too much" : "limit exceeded: rank " + std::to_string(last) + ": too much";
  ExpectOnEveryRank(mpi::Agree(MPI_COMM_WORLD, mine), ErrorCode::kLimitExceeded, {who});
  const Result<void> everywhere = mpi::Agree(MPI_COMM_WORLD, MakeError(ErrorCode::kAxis, "wrong on all"));
  ExpectOnEveryRank(everywhere, ErrorCode::kAxis, {"wrong axis: wrong on all"});
  if (RankCount() < 3 || OwnRank() == 0) {
    mine = {};
  } else {
    mine = MakeError(ErrorCode::kIo, "of rank " + std::to_string(OwnRank()));
  }
  if (RankCount() >= 3)
    ExpectOnEveryRank(mpi::Agree(MPI_COMM_WORLD, mine), ErrorCode::kIo, {"rank 1: of rank 1"});
}

TEST(MpiJoin, WhatOneRankStatesWrongIsAnErrorOnAllAndNothingIsWritten) {
  const bool odd = OwnRank() == RankCount() - 1;
  const std::string who = RankCount() > 1 ? "rank " + std::to_string(RankCount() - 1) + ": " : "";
  float values[4] = {1, 2, 3, 4};
  const Shape shape{4}, step{2}, two{2};
  MutableTensorView view = MutableTensorView::Of(values, shape);
  if (odd) view.data = nullptr;
  ExpectOnEveryRank(mpi::AllJoin(MPI_COMM_WORLD, view), ErrorCode::kInvalidArgument,
                    {who, "pointer is null"});
  view = odd ? MutableTensorView::Of(values, two, step) : MutableTensorView::Of(values, two);
  ExpectOnEveryRank(mpi::AllJoin(MPI_COMM_WORLD, view), ErrorCode::kInvalidArgument, {who, "no strides"});
  view = MutableTensorView::Of(values, shape);
  if (odd) view.dtype = static_cast<DType>(99);
  ExpectOnEveryRank(mpi::AllJoin(MPI_COMM_WORLD, view), ErrorCode::kTypeNotAdmitted, {who});
  std::vector<std::byte> block(
      odd ? 3 : sizeof(float) * static_cast<std::size_t>(mpi::BlockOf(4, RankCount(), OwnRank()).size));
  ExpectOnEveryRank(mpi::ScatterJoin(MPI_COMM_WORLD, TensorView::Of(values, shape), block),
                    ErrorCode::kOutputShapeMismatch, {who, "3 bytes"});
  if (RankCount() > 1) {
    view = odd ? MutableTensorView::Of(values, two) : MutableTensorView::Of(values, shape);
    ExpectOnEveryRank(mpi::AllJoin(MPI_COMM_WORLD, view), ErrorCode::kInvalidArgument, {who, "[2]", "[4]"});
    view = MutableTensorView::Of(values, shape);
    if (odd) view.dtype = DType::kInt32;
    ExpectOnEveryRank(mpi::AllJoin(MPI_COMM_WORLD, view), ErrorCode::kTypeMismatch,
                      {who, "int32", "float32"});
  }
  const float untouched[] = {1, 2, 3, 4};
  EXPECT_TRUE(std::ranges::equal(values, untouched));
  EXPECT_EQ(mpi::Join::Create(static_cast<DType>(99)).error().code, ErrorCode::kTypeNotAdmitted);
}

}  // namespace
}  // namespace supremum
