#include "core/overlap.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "support/values.h"

namespace supremum {
namespace {

// The address, as a distance from the data pointer in bytes, of every element.
std::vector<std::int64_t> Addresses(const StridedMemory& memory) {
  std::vector<std::int64_t> all;
  if (ElementCount(memory.shape) == 0) return all;
  std::vector<std::int64_t> index(memory.shape.size(), 0);
  for (;;) {
    std::int64_t distance = 0;
    for (std::size_t d = 0; d < index.size(); ++d) distance += index[d] * memory.strides[d];
    all.push_back(distance * static_cast<std::int64_t>(memory.width));
    std::size_t d = index.size();
    while (d > 0 && ++index[d - 1] == memory.shape[d - 1]) index[--d] = 0;
    if (d == 0) return all;
  }
}

Shape RandomShape(test::Rng& rng, std::size_t rank, std::int64_t most) {
  Shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    shape.PushBack(static_cast<std::int64_t>(test::Below(rng, static_cast<std::size_t>(most) + 1)));
  }
  return shape;
}

Shape RandomStrides(test::Rng& rng, std::size_t rank, std::int64_t most) {
  Shape strides;
  for (std::size_t d = 0; d < rank; ++d) {
    strides.PushBack(static_cast<std::int64_t>(test::Below(rng, static_cast<std::size_t>(2 * most) + 1)) -
                     most);
  }
  return strides;
}

TEST(Overlap, MemoryThatIsLargerThanTheAddressSpaceHasNoRange) {
  std::byte memory[1];
  const Shape shape{static_cast<std::int64_t>(UINTPTR_MAX / 8) + 1}, strides{1}, backwards{-1};
  EXPECT_FALSE(RangeOf({memory, 8, shape, strides}));
  EXPECT_FALSE(RangeOf({memory, 8, shape, backwards}));
}

// Rules: MEM-1
TEST(Overlap, OfATensorWithItselfIsWhatCountingAddressesFinds) {
  test::Rng rng(3);
  std::byte memory[1];
  int some = 0, none = 0;
  for (int round = 0; round < 30'000; ++round) {
    const std::size_t rank = test::Below(rng, 5);
    const Shape shape = RandomShape(rng, rank, 4), strides = RandomStrides(rng, rank, 14);
    const StridedMemory tensor{memory, 1, shape, strides};
    const std::vector<std::int64_t> all = Addresses(tensor);
    const bool twice = std::set<std::int64_t>(all.begin(), all.end()).size() != all.size();
    ASSERT_EQ(OverlapsItself(tensor), twice ? Overlap::kSome : Overlap::kNone)
        << ToString(shape) << " " << ToString(strides);
    ++(twice ? some : none);
  }
  EXPECT_GT(some, 3000);
  EXPECT_GT(none, 3000);
}

// Rules: MEM-2
TEST(Overlap, InterleavedColumnsOfALargeMatrixShareNothing) {
  std::vector<float> matrix(1);
  // 8 GiB; where pointers have 32 bits, 512 MiB.
  const Shape shape{sizeof(void*) == 8 ? 1 << 20 : 1 << 16, 1 << 10}, strides{1 << 11, 2};
  const StridedMemory even{matrix.data(), 4, shape, strides}, odd{matrix.data() + 1, 4, shape, strides};
  EXPECT_EQ(Overlaps(even, odd), Overlap::kNone);
  EXPECT_EQ(Overlaps(even, even), Overlap::kSome);
  const StridedMemory between{reinterpret_cast<const std::byte*>(matrix.data()) + 2, 4, shape, strides};
  EXPECT_EQ(Overlaps(even, between), Overlap::kSome) << "half an element each";
}

// Rules: MEM-1
TEST(Overlap, HardLayoutsEndWithinTheBudget) {
  // A knapsack of pairwise coprime strides of one size: the worst that a caller can ask.
  Shape shape, strides;
  for (std::int64_t k = 0; k < 40; ++k) {
    shape.PushBack(3);
    strides.PushBack(1'000'003 + 7919 * k * k);
  }
  std::byte memory[1];
  EXPECT_NE(OverlapsItself({memory, 1, shape, strides}), Overlap::kNone);
}

// Rules: MEM-2
TEST(Overlap, WhatTheBudgetDoesNotDecideIsNotShown) {
  // The 3^24 offsets are too many to enumerate, and only about one number in 400 is an offset. The distance
  // to `amid` is most likely not one.
  Shape shape, strides;
  std::int64_t reach = 0;
  for (std::int64_t k = 0; k < 24; ++k) {
    shape.PushBack(3);
    strides.PushBack(1'000'000'000'003 + 7'919'000'021 * k * k);
    reach += 2 * strides[static_cast<std::size_t>(k)];
  }
  alignas(8) std::byte memory[1];
  const Shape one{};
  const auto* amid = reinterpret_cast<const std::byte*>(reinterpret_cast<std::uintptr_t>(memory) +
                                                        static_cast<std::uintptr_t>(reach / 2 + 1));
  EXPECT_EQ(Overlaps({memory, 1, shape, strides}, {amid, 1, one, one}), Overlap::kNotShown);
}

// Rules: MEM-2
// The largest sums of this file: a coefficient of almost 2^61 with a bound of four, and almost 2^63 to reach.
TEST(Overlap, OfTheLargestTensorsIsFound) {
  if (sizeof(void*) < 8) GTEST_SKIP() << "the address space has no room for these views";
  const std::int64_t half = (std::int64_t{1} << 61) - 1;
  const Shape shape{2, 2}, strides{half, -half};
  const auto at = [](std::uint64_t address) { return reinterpret_cast<const void*>(address); };
  const std::uint64_t first = std::uint64_t{1} << 62, reach = 2 * static_cast<std::uint64_t>(half);
  const StridedMemory a{at(first), 1, shape, strides};
  EXPECT_EQ(Overlaps(a, {at(first + reach), 1, shape, strides}), Overlap::kSome);
  EXPECT_EQ(Overlaps(a, {at(first + reach - 1), 1, shape, strides}), Overlap::kNone);
  EXPECT_EQ(Overlaps({at(first + reach - 1), 1, shape, strides}, a), Overlap::kNone);
  EXPECT_EQ(OverlapsItself(a), Overlap::kSome);
}

TEST(Overlap, OfMemoryThatLeavesTheAddressSpaceIsNotShown) {
  const float memory[1] = {};
  const Shape one{1}, two{2}, most{INT64_MAX}, dense{1};
  const StridedMemory inside{memory, 4, one, dense}, outside{memory, 4, two, most};
  EXPECT_EQ(Overlaps(inside, outside), Overlap::kNotShown);
  EXPECT_EQ(Overlaps(outside, inside), Overlap::kNotShown);
}

TEST(Overlap, RangesThatLeaveTheAddressSpaceAreFound) {
  std::byte memory[1];
  const Shape one{2}, many{INT64_MAX};
  const Shape least{INT64_MIN}, most{INT64_MAX}, big{INT64_MAX / 2};
  EXPECT_FALSE(RangeOf({memory, 1, one, least}));
  EXPECT_FALSE(RangeOf({memory, 8, one, most}));
  EXPECT_FALSE(RangeOf({memory, 8, many, big}));
  const Shape two_big{2, 2}, strides{INT64_MAX, INT64_MAX};
  EXPECT_FALSE(RangeOf({memory, 1, two_big, strides}));
  EXPECT_FALSE(RangeOf({nullptr, 1, one, Shape{-1}}));
  EXPECT_FALSE(RangeOf({reinterpret_cast<const std::byte*>(UINTPTR_MAX - 7), 8, one, Shape{1}}));
  const Shape single{1};
  EXPECT_TRUE(RangeOf({memory, 8, single, least})) << "the stride of an extent of 1 addresses nothing";
  const auto range = RangeOf({memory, 4, two_big, Shape{-3, 1}});
  ASSERT_TRUE(range);
  EXPECT_EQ(range->first, -12);
  EXPECT_EQ(range->last, 8);
}

}  // namespace
}  // namespace supremum
