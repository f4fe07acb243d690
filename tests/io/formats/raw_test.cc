#include "io/formats/raw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "io/formats/format_testing.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using test::ExpectError;
using test::TempDir;
using test::WriteBytes;

TEST(Raw, ElementsAreLittleEndian) {
  const TempDir dir;
  WriteBytes(dir.File("x.bin"), "\x01\x02\x03\x04");
  const auto tensor = ReadTensor("x:uint32::" + dir.File("x.bin"));
  ASSERT_TRUE(tensor) << tensor.error().message;
  EXPECT_EQ(tensor->tensor.Elements<std::uint32_t>()[0], 0x04030201U);
}

TEST(Raw, TheSpecificationIsSplitAtItsFirstThreeColons) {
  const auto spec = ParseRawSpec("a b:f16:2x3:/dir/a:b::c");
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->name, "a b");
  EXPECT_EQ(spec->dtype, DType::kFloat16);
  EXPECT_EQ(spec->shape, (Shape{2, 3}));
  EXPECT_EQ(spec->file, "/dir/a:b::c");
}

TEST(Raw, AShapeHasCrossesOrCommas) {
  for (const auto& [text, shape] : {std::pair("2x3x4", Shape{2, 3, 4}),
                                    {"2,3,4", Shape{2, 3, 4}},
                                    {"5", Shape{5}},
                                    {"0", Shape{0}},
                                    {"", Shape{}},
                                    {"scalar", Shape{}}}) {
    const auto spec = ParseRawSpec("x:int8:" + std::string(text) + ":f");
    ASSERT_TRUE(spec) << spec.error().message;
    EXPECT_EQ(spec->shape, shape) << text;
  }
}

TEST(Raw, WhatIsNoShapeIsRefusedWithItsPlace) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"2x", "dims[1] is ''"},
      {"x2", "dims[0] is ''"},
      {"2x-3", "dims[1] is '-3'"},
      {"2x3,4", "dims[1] is '3,4'"},
      {"2x 3", "dims[1] is ' 3'"},
      {"two", "dims[0] is 'two'"},
      {"+2", "dims[0] is '+2'"},
      {"2,,3", "dims[1] is ''"},
      {"9223372036854775808", "dims[0] is '9223372036854775808'"},
      {"-1", "dims[0] is '-1'"},
      {"1e3", "dims[0] is '1e3'"},
      {"0x10y", "dims[1] is '10y'"}};
  for (const auto& [shape, part] : cases) {
    ExpectError(ParseRawSpec("x:int8:" + shape + ":f"), ErrorCode::kInvalidArgument,
                {"'x:int8:" + shape + ":f'", part, "name:dtype:shape:file"});
  }
}

TEST(Raw, WhatIsNoSpecificationIsRefused) {
  ExpectError(ParseRawSpec("x:int8:2"), ErrorCode::kInvalidArgument,
              {"'x:int8:2'", "three colons", "name:dtype:shape:file"});
  ExpectError(ParseRawSpec("x:int9:2:f"), ErrorCode::kInvalidArgument,
              {"'int9'", "bfloat16, float16", "uint64, bool;"});
  ExpectError(ParseRawSpec("x:int8:2:"), ErrorCode::kInvalidArgument, {"no name"});
}

}  // namespace
}  // namespace supremum::io
