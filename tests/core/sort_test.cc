#include "core/sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

namespace supremum {
namespace {

using Item = std::pair<int, int>;  // what is compared, and where it was

bool Before(const Item& a, const Item& b) { return a.first < b.first; }

// Rules: MEM-2
TEST(SortFew, EveryOrderOfSixWithEqualOnesIsThatOfTheStandardLibrary) {
  std::array<int, 6> keys = {1, 1, 2, 3, 3, 3};
  do {
    std::vector<Item> items;
    for (int i = 0; i < 6; ++i) items.emplace_back(keys[static_cast<std::size_t>(i)], i);
    std::vector<Item> expected = items;
    std::stable_sort(expected.begin(), expected.end(), Before);
    SortFew(std::span(items), Before);
    EXPECT_EQ(items, expected);
  } while (std::next_permutation(keys.begin(), keys.end()));
}

// Rules: MEM-2
TEST(SortFew, ALongListIsSortedAndEqualOnesKeepTheirOrder) {
  std::mt19937 random(1);
  for (std::size_t size : {0u, 1u, 2u, 64u, 129u}) {
    std::vector<Item> items;
    for (std::size_t i = 0; i < size; ++i)
      items.emplace_back(static_cast<int>(random() % 20), static_cast<int>(i));
    std::vector<Item> expected = items;
    std::stable_sort(expected.begin(), expected.end(), Before);
    SortFew(std::span(items), Before);
    EXPECT_EQ(items, expected) << size;
  }
}

}  // namespace
}  // namespace supremum
