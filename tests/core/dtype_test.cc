#include "supremum/dtype.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace supremum {
namespace {

// Rules: TYP-1, TYP-4
TEST(DType, TheTwelveTypesAndBoolHaveTheirWidthsNamesAndCppTypes) {
  struct Row {
    DType dtype;
    const char* name;
    std::size_t width;
    bool is_float;
  };
  const Row rows[] = {
      {DType::kBFloat16, "bfloat16", 2, true}, {DType::kFloat16, "float16", 2, true},
      {DType::kFloat32, "float32", 4, true},   {DType::kFloat64, "float64", 8, true},
      {DType::kInt8, "int8", 1, false},        {DType::kInt16, "int16", 2, false},
      {DType::kInt32, "int32", 4, false},      {DType::kInt64, "int64", 8, false},
      {DType::kUInt8, "uint8", 1, false},      {DType::kUInt16, "uint16", 2, false},
      {DType::kUInt32, "uint32", 4, false},    {DType::kUInt64, "uint64", 8, false},
      {DType::kBool, "bool", 1, false},
  };
  ASSERT_EQ(std::size(rows), kAllDTypes.size());
  for (const Row& row : rows) {
    EXPECT_EQ(Name(row.dtype), row.name);
    EXPECT_EQ(ParseDType(row.name), row.dtype);
    EXPECT_EQ(ByteWidth(row.dtype), row.width);
    EXPECT_EQ(IsFloat(row.dtype), row.is_float);
    EXPECT_TRUE(
        VisitDType(row.dtype, [&](auto tag) { return kDTypeOf<typename decltype(tag)::type> == row.dtype; }));
  }
}

TEST(DType, OtherNamesOfFloatsAreUnderstoodAndNothingElseIs) {
  EXPECT_EQ(ParseDType("float"), DType::kFloat32);
  EXPECT_EQ(ParseDType("double"), DType::kFloat64);
  EXPECT_EQ(ParseDType("f32"), DType::kFloat32);
  EXPECT_EQ(ParseDType("f64"), DType::kFloat64);
  EXPECT_EQ(ParseDType("bf16"), DType::kBFloat16);
  EXPECT_EQ(ParseDType("f16"), DType::kFloat16);
  for (const char* name : {"", "Bool", "Float32", "int", "uint128", "float32 "})
    EXPECT_FALSE(ParseDType(name)) << name;
}

TEST(DType, ANumberThatIsNoTypeIsInvalid) {
  EXPECT_TRUE(IsValid(DType::kBool));
  EXPECT_FALSE(IsValid(static_cast<DType>(13)));
  EXPECT_EQ(Name(static_cast<DType>(200)), "invalid");
}

}  // namespace
}  // namespace supremum
