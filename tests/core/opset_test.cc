#include "supremum/opset.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace supremum {
namespace {

// Rules: MAX-5
TEST(Opset, OneBetweenTwoVersionsUsesTheOlder) {
  const int expected[] = {0, 1, 1, 1, 1, 1, 6, 6, 8, 8, 8, 8, 12, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13};
  for (std::int64_t opset = 1; opset <= 22; ++opset) {
    EXPECT_EQ(static_cast<int>(*MaxVersionForOpset(opset)), expected[opset]) << opset;
  }
  EXPECT_EQ(MaxVersionForOpset(1000), MaxVersion::k13);
  EXPECT_FALSE(MaxVersionForOpset(0));
  EXPECT_FALSE(MaxVersionForOpset(-1));
  EXPECT_EQ(ToString(MaxVersion::k12), "Max-12");
}

// Rules: TYP-3
TEST(Opset, AdmitsEachVersionsOwnTypes) {
  for (DType dtype : kNumberDTypes) {
    const bool old_float = dtype == DType::kFloat16 || dtype == DType::kFloat32 || dtype == DType::kFloat64;
    for (MaxVersion version : {MaxVersion::k1, MaxVersion::k6, MaxVersion::k8}) {
      EXPECT_EQ(Admits(version, dtype), old_float) << Name(dtype);
    }
    EXPECT_EQ(Admits(MaxVersion::k12, dtype), dtype != DType::kBFloat16) << Name(dtype);
    EXPECT_TRUE(Admits(MaxVersion::k13, dtype)) << Name(dtype);
  }
  EXPECT_FALSE(Admits(MaxVersion::k13, static_cast<DType>(12)));
}

// Rules: MAX-3, MAX-4
TEST(Opset, BroadcastingCameWithMax8) {
  EXPECT_FALSE(Broadcasts(MaxVersion::k1));
  EXPECT_FALSE(Broadcasts(MaxVersion::k6));
  EXPECT_TRUE(Broadcasts(MaxVersion::k8));
  EXPECT_TRUE(Broadcasts(MaxVersion::k13));
}

}  // namespace
}  // namespace supremum
