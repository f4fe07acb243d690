// Max of every pair of values, against the oracle.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "support/configurations.h"
#include "support/values.h"
#include "supremum/max.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

// Every value of the first input against every value of the second, by broadcasting a column against a row.
void ExpectAllPairs(DType dtype, const std::vector<std::uint64_t>& values) {
  const std::size_t n = values.size(), width = ByteWidth(dtype);
  std::vector<std::byte> x(n * width), y(n * n * width), expected(n * n * width);
  for (std::size_t i = 0; i < n; ++i) std::memcpy(x.data() + i * width, &values[i], width);
  const std::int64_t extent = static_cast<std::int64_t>(n);
  const Shape column{extent, 1}, row{extent}, all{extent, extent};
  const TensorView inputs[] = {{dtype, column, {}, x.data()}, {dtype, row, {}, x.data()}};
  ASSERT_TRUE(reference::Max(inputs, {dtype, all, {}, expected.data()}));
  test::ForEachConfiguration([&](std::size_t threads) {
    ASSERT_TRUE(Max(inputs, {dtype, all, {}, y.data()}, {.threads = threads}));
    ASSERT_EQ(std::memcmp(y.data(), expected.data(), y.size()), 0);
  });
}

// Rules: ORD-1
TEST(MaxExhaustive, EveryPairOf8BitIntegers) {
  std::vector<std::uint64_t> values(256);
  for (std::size_t i = 0; i < 256; ++i) values[i] = i;
  ExpectAllPairs(DType::kInt8, values);
  ExpectAllPairs(DType::kUInt8, values);
}

// Rules: ORD-2, ORD-3, ORD-4
TEST(MaxExhaustive, EveryPairOf1024ChosenPatternsOfThe16BitFloats) {
  for (DType dtype : {DType::kFloat16, DType::kBFloat16}) {
    // The special patterns, and 64 steps apart everything else.
    std::vector<std::uint64_t> values = test::SpecialBits(dtype);
    for (std::uint64_t bits = 0; values.size() < 1024; bits += 66) values.push_back(bits & 0xFFFF);
    ExpectAllPairs(dtype, values);
  }
}

}  // namespace
}  // namespace supremum
