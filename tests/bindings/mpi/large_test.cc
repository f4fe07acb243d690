// More elements than a count of MPI can say. Run by scripts/test.sh --large.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bindings/mpi/ranks.h"
#include "supremum/mpi.h"
#include "supremum/tensor.h"

namespace supremum {
namespace {

using test::OwnRank;
using test::RankCount;

constexpr std::int64_t kRows = 65'537, kColumns = 32'800;  // 2,149,613,600 elements

// Of rank `rank`, so that each rank has the maximum now and then.
std::int8_t ValueOf(int rank, std::int64_t i) {
  return static_cast<std::int8_t>((i * (31 + 2 * rank) + (i >> 20)) % 251 - 125);
}

std::int8_t MaximumOf(std::int64_t i) {
  std::int8_t maximum = ValueOf(0, i);
  for (int rank = 1; rank < RankCount(); ++rank) maximum = std::max(maximum, ValueOf(rank, i));
  return maximum;
}

class MpiLarge : public testing::Test {
 protected:
  MpiLarge() : x_(Tensor::Create(DType::kInt8, Shape{kRows, kColumns}).value()) {
    const std::span<std::int8_t> elements = x_.Elements<std::int8_t>();
    for (std::int64_t i = 0; i < kRows * kColumns; ++i) {
      elements[static_cast<std::size_t>(i)] = ValueOf(OwnRank(), i);
    }
  }
  Tensor x_;
};

// Rules: MAX-2
TEST_F(MpiLarge, AllMaxOfMoreThanTwoToThe31ElementsIsRightInEveryOne) {
  Tensor y = Tensor::Create(DType::kInt8, Shape{kRows, kColumns}).value();
  const TensorView own[] = {x_.View()};
  const Result<void> done = mpi::AllMax(MPI_COMM_WORLD, own, y.MutableView());
  ASSERT_TRUE(done) << done.error().message;
  const std::span<const std::int8_t> result = y.Elements<std::int8_t>();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < kRows * kColumns; ++i) {
    wrong += result[static_cast<std::size_t>(i)] != MaximumOf(i);
  }
  EXPECT_EQ(wrong, 0);
}

// Rules: RED-1
TEST_F(MpiLarge, AllReduceMaxOfSlabsOfMoreThanTwoToThe31ElementsIsRightInEveryOne) {
  std::vector<std::int8_t> y(static_cast<std::size_t>(kColumns));
  const Shape shape{kColumns};
  const std::int64_t axes[] = {0};
  const Result<void> done =
      mpi::AllReduceMax(MPI_COMM_WORLD, x_.View(), 0, MutableTensorView::Of(y.data(), shape), {.axes = axes});
  ASSERT_TRUE(done) << done.error().message;
  std::vector<std::int8_t> expected(y.size(), INT8_MIN);
  for (std::int64_t i = 0; i < kRows * kColumns; ++i) {
    std::int8_t& place = expected[static_cast<std::size_t>(i % kColumns)];
    place = std::max(place, MaximumOf(i));
  }
  EXPECT_EQ(y, expected);
}

}  // namespace
}  // namespace supremum
