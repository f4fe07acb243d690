#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "cosimulation/cosimulate.h"

namespace supremum::test {
namespace {

// The number of forms that differ from their models; forms that this processor does not run are listed.
std::size_t Differences(std::uint64_t rounds) {
  std::size_t differ = 0, left_out = 0;
  for (std::size_t k = 0; k < kFormCount; ++k) {
    if (!Runs(kForms[k])) {
      std::printf("cosimulation: not run by this processor: %s\n", kForms[k].text);
      ++left_out;
      continue;
    }
    const std::string found = Difference(kForms[k], rounds);
    EXPECT_EQ(found, "");
    differ += !found.empty();
  }
  std::printf(
      "cosimulation: %zu of %zu forms compared, each with all triples of special patterns and %llu random "
      "inputs of each width\n",
      kFormCount - left_out, kFormCount, static_cast<unsigned long long>(rounds));
  return differ;
}

// Rules: ORD-1, ORD-2, ORD-3, ORD-4, ORD-6
TEST(Cosimulation, InstructionsDoWhatTheModelsSay) { EXPECT_EQ(Differences(1000), 0u); }

TEST(Cosimulation, AWrongModelIsFound) { EXPECT_FALSE(WrongModelAgrees()); }

class Random : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Inputs, Random, testing::Values(1'000'000),
                         [](const auto&) { return std::string("million_all"); });

TEST_P(Random, InstructionsDoWhatTheModelsSay) {
  EXPECT_EQ(Differences(static_cast<std::uint64_t>(GetParam())), 0u);
}

}  // namespace
}  // namespace supremum::test
