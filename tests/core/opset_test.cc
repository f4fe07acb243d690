#include "supremum/opset.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string_view>

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
  EXPECT_FALSE(Admits(MaxVersion::k13, static_cast<DType>(13)));
  EXPECT_FALSE(Admits(MaxVersion::k13, DType::kBool));
}

// Rules: RED-5
TEST(Opset, SelectsTheVersionOfReduceMaxThatIsNotNewer) {
  const int expected[] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 11, 12, 13, 13, 13, 13, 13, 18, 18, 20, 20, 20};
  for (std::int64_t opset = 1; opset <= 22; ++opset) {
    EXPECT_EQ(static_cast<int>(*ReduceMaxVersionForOpset(opset)), expected[opset]) << opset;
  }
  EXPECT_EQ(ReduceMaxVersionForOpset(1000), ReduceMaxVersion::k20);
  EXPECT_FALSE(ReduceMaxVersionForOpset(0));
  EXPECT_EQ(ToString(ReduceMaxVersion::k11), "ReduceMax-11");
  EXPECT_EQ(ToString(ReduceMaxVersion::kOneDnn), "oneDNN's ReduceMax");
  EXPECT_EQ(ToString(ReduceMaxVersion::kSupremum), "ReduceMax");
  EXPECT_FALSE(HasNegativeAxes(ReduceMaxVersion::k1));
  EXPECT_TRUE(HasNegativeAxes(ReduceMaxVersion::k11));
  EXPECT_TRUE(HasNegativeAxes(ReduceMaxVersion::kOneDnn));
  EXPECT_FALSE(TakesAxesInput(ReduceMaxVersion::k13));
  EXPECT_TRUE(TakesAxesInput(ReduceMaxVersion::k18));
}

// Rules: TYP-4, TYP-5, TYP-1
TEST(Opset, AdmitsEachVersionsOwnTypesOfReduceMax) {
  struct Row {
    ReduceMaxVersion version;
    std::set<std::string_view> types;
  };
  const std::set<std::string_view> first{"uint32",  "uint64",  "int32",  "int64",
                                         "float16", "float32", "float64"};
  const auto with = [](std::set<std::string_view> types, std::initializer_list<std::string_view> more) {
    types.insert(more);
    return types;
  };
  std::set<std::string_view> all;
  for (DType dtype : kAllDTypes) all.insert(Name(dtype));
  const Row rows[] = {
      {ReduceMaxVersion::k1, first},
      {ReduceMaxVersion::k11, first},
      {ReduceMaxVersion::k12, with(first, {"uint8", "int8"})},
      {ReduceMaxVersion::k13, with(first, {"uint8", "int8", "bfloat16"})},
      {ReduceMaxVersion::k18, with(first, {"uint8", "int8", "bfloat16"})},
      {ReduceMaxVersion::k20, with(first, {"uint8", "int8", "bfloat16", "bool"})},
      {ReduceMaxVersion::kOneDnn, {"float32", "bfloat16", "float16"}},
      {ReduceMaxVersion::kSupremum, all},
  };
  for (const Row& row : rows) {
    for (DType dtype : kAllDTypes) {
      EXPECT_EQ(Admits(row.version, dtype), row.types.contains(Name(dtype)))
          << ToString(row.version) << " " << Name(dtype);
    }
    EXPECT_FALSE(Admits(row.version, static_cast<DType>(13)));
  }
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
