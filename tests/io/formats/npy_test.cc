#include "io/formats/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/formats/byte_order.h"
#include "io/formats/format_testing.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using test::ExpectError;
using test::ExpectSame;
using test::MakeTensor;
using test::Npy;
using test::ReadBytes;
using test::TempDir;
using test::TensorOf;
using test::WriteBytes;

std::string Dictionary(std::string_view descr, std::string_view shape, std::string_view fortran = "False") {
  return "{'descr': '" + std::string(descr) + "', 'fortran_order': " + std::string(fortran) +
         ", 'shape': " + std::string(shape) + ", }\n";
}

Result<Tensor> ReadNpyBytes(std::string_view bytes, const ReadOptions& options = {}) {
  const TempDir dir;
  WriteBytes(dir.File("x.npy"), bytes);
  auto tensor = ReadTensor(dir.File("x.npy"), options);
  if (!tensor) return tensor.error();
  EXPECT_EQ(tensor->name, "");
  return std::move(tensor->tensor);
}

void ExpectRefused(std::string_view bytes, ErrorCode code, std::vector<std::string> parts) {
  parts.push_back("x.npy'");
  ExpectError(ReadNpyBytes(bytes), code, parts);
}

TEST(Npy, TheWrittenHeaderIsThatOfNumPy) {
  const TempDir dir;
  ASSERT_TRUE(
      WriteTensor(dir.File("x.npy"), TensorFormat::kNpy, "", MakeTensor(DType::kFloat32, Shape{2, 3})));
  const std::string matrix = ReadBytes(dir.File("x.npy"));
  EXPECT_EQ(matrix.size(), 128U + 24U);
  EXPECT_EQ(matrix.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(matrix.substr(10, 60), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } ");
  EXPECT_EQ(matrix.substr(126, 2), " \n");
  ASSERT_TRUE(WriteTensor(dir.File("x.npy"), TensorFormat::kNpy, "", MakeTensor(DType::kInt8, Shape{5})));
  EXPECT_THAT(ReadBytes(dir.File("x.npy")),
              testing::HasSubstr("'|i1', 'fortran_order': False, 'shape': (5,), }"));
  ASSERT_TRUE(WriteTensor(dir.File("x.npy"), TensorFormat::kNpy, "", MakeTensor(DType::kBFloat16, Shape{})));
  EXPECT_THAT(ReadBytes(dir.File("x.npy")),
              testing::HasSubstr("'|V2', 'fortran_order': False, 'shape': (), }"));
  ASSERT_TRUE(WriteTensor(dir.File("x.npy"), TensorFormat::kNpy, "", MakeTensor(DType::kBool, Shape{2, 1})));
  EXPECT_THAT(ReadBytes(dir.File("x.npy")),
              testing::HasSubstr("'|b1', 'fortran_order': False, 'shape': (2, 1), }"));
}

TEST(Npy, TheHeaderIsAMultipleOf64Bytes) {
  const TempDir dir;
  for (std::size_t rank = 0; rank <= kMaxRank; ++rank) {
    ASSERT_TRUE(WriteTensor(dir.File("x.npy"), TensorFormat::kNpy, "",
                            MakeTensor(DType::kUInt8, Shape::Filled(rank, 1))));
    EXPECT_EQ(std::filesystem::file_size(dir.File("x.npy")) % 64, 1U) << rank;
  }
}

TEST(Npy, TheThreeVersionsAreRead) {
  const Tensor expected = TensorOf<std::int16_t>(Shape{2}, {1, -2});
  for (const int version : {1, 2, 3}) {
    const auto tensor =
        ReadNpyBytes(Npy(Dictionary("<i2", "(2,)"), std::string("\x01\x00\xfe\xff", 4), version));
    ASSERT_TRUE(tensor) << tensor.error().message;
    ExpectSame(*tensor, expected);
  }
}

TEST(Npy, OtherVersionsAreRefused) {
  ExpectRefused(Npy("{}", "", 4), ErrorCode::kUnsupportedFormat,
                {"byte 6", "version 4.0", "1.0, 2.0 and 3.0"});
  ExpectRefused(Npy("{}", "", 0), ErrorCode::kUnsupportedFormat, {"version 0.0"});
  std::string minor = Npy(Dictionary("|u1", "()"), "a");
  minor[7] = 1;
  ExpectRefused(minor, ErrorCode::kUnsupportedFormat, {"version 1.1"});
}

TEST(Npy, BigEndianIsSwapped) {
  for (const std::size_t width : {1U, 2U, 4U, 8U}) {
    std::string expected;
    for (const char c : std::string("12345678")) expected.insert(expected.size() / width * width, 1, c);
    const std::string shape = "(" + std::to_string(8 / width) + ",)";
    const auto tensor = ReadNpyBytes(Npy(Dictionary(">i" + std::to_string(width), shape), "12345678"));
    ASSERT_TRUE(tensor) << tensor.error().message;
    EXPECT_EQ(LittleEndianBytes(*tensor), expected) << width;
  }
}

// Rules: TYP-1
TEST(Npy, EveryTypeOfNumPyIsReadWithAndWithoutAByteOrder) {
  for (const auto& [text, dtype] : {std::pair("f2", DType::kFloat16),
                                    {"f4", DType::kFloat32},
                                    {"f8", DType::kFloat64},
                                    {"i1", DType::kInt8},
                                    {"i2", DType::kInt16},
                                    {"i4", DType::kInt32},
                                    {"i8", DType::kInt64},
                                    {"u1", DType::kUInt8},
                                    {"u2", DType::kUInt16},
                                    {"u4", DType::kUInt32},
                                    {"u8", DType::kUInt64},
                                    {"b1", DType::kBool}}) {
    const std::string bytes = "\x01" + std::string(ByteWidth(dtype) - 1, '\0');
    for (const char* order : {"", "<", "=", "|"}) {
      const auto tensor = ReadNpyBytes(Npy(Dictionary(std::string(order) + text, "()"), bytes));
      ASSERT_TRUE(tensor) << tensor.error().message;
      EXPECT_EQ(tensor->dtype(), dtype) << order << text;
      EXPECT_EQ(LittleEndianBytes(*tensor), bytes) << order << text;
    }
  }
}

TEST(Npy, FortranOrderBecomesRowMajor) {
  const auto matrix = ReadNpyBytes(Npy(Dictionary("|u1", "(2, 3)", "True"), "adbecf"));
  ASSERT_TRUE(matrix) << matrix.error().message;
  EXPECT_EQ(test::BytesOf(*matrix), "abcdef");
  // Element [i][j][k] is 'a' + 6i + 2j + k.
  const auto cube = ReadNpyBytes(Npy(Dictionary("|u1", "(2, 3, 2)", "True"), "agciekbhdjfl"));
  ASSERT_TRUE(cube) << cube.error().message;
  EXPECT_EQ(test::BytesOf(*cube), "abcdefghijkl");
  const auto vector = ReadNpyBytes(Npy(Dictionary("|u1", "(3,)", "True"), "abc"));
  ASSERT_TRUE(vector) << vector.error().message;
  EXPECT_EQ(test::BytesOf(*vector), "abc");
  const auto empty = ReadNpyBytes(Npy(Dictionary("|u1", "(2, 0, 3)", "True"), ""));
  ASSERT_TRUE(empty) << empty.error().message;
}

TEST(Npy, FortranOrderAndBigEndianTogetherWorkAtEveryWidthAndBeyondOneChunk) {
  constexpr std::int64_t kRows = 301, kColumns = 997;
  for (const char* type : {"u1", "u2", "u4", "u8"}) {
    const std::size_t width = static_cast<std::size_t>(type[1] - '0');
    std::string elements;
    for (std::int64_t j = 0; j < kColumns; ++j) {
      for (std::int64_t i = 0; i < kRows; ++i) {
        const auto value = static_cast<std::uint64_t>(i * kColumns + j);
        for (std::size_t b = width; b-- > 0;) elements += static_cast<char>(value >> (8 * b) & 0xFF);
      }
    }
    const auto tensor =
        ReadNpyBytes(Npy(Dictionary(std::string(">") + type, "(301, 997)", "True"), elements));
    ASSERT_TRUE(tensor) << tensor.error().message;
    std::string expected;
    for (std::int64_t n = 0; n < kRows * kColumns; ++n) {
      for (std::size_t b = 0; b < width; ++b) {
        expected += static_cast<char>(static_cast<std::uint64_t>(n) >> (8 * b) & 0xFF);
      }
    }
    EXPECT_TRUE(LittleEndianBytes(*tensor) == expected) << type;
  }
}

TEST(Npy, TheDictionaryMayBeWrittenInEveryWayOfPython) {
  for (const char* dictionary : {
           "{\"shape\":(2,),\"descr\":\"|u1\",\"fortran_order\":False}",
           "  {  'fortran_order' : False ,\n 'shape' : ( 2 , ) , 'descr' : '|u1' , }   \n",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2L,), }",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2)}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2,)}",
       }) {
    const auto tensor = ReadNpyBytes(Npy(dictionary, "ab"));
    ASSERT_TRUE(tensor) << dictionary << ": " << tensor.error().message;
    EXPECT_EQ(test::BytesOf(*tensor), "ab");
  }
}

TEST(Npy, ADictionaryThatIsNotStrictlyOneIsRefusedWithThePosition) {
  const struct {
    const char* dictionary;
    std::vector<std::string> parts;
  } cases[] = {
      {"", {"byte 10", "'{' is expected", "the end of the header"}},
      {"[1]", {"byte 10", "'{' is expected, '['"}},
      {"{", {"byte 11", "a key in quotes", "the end of the header"}},
      {"{}", {"no key 'descr'"}},
      {"{'descr': '|u1'}", {"no key 'fortran_order'"}},
      {"{'descr': '|u1', 'fortran_order': False}", {"no key 'shape'"}},
      {"{'descr': '|u1', 'descr': '|u1'}", {"byte 27", "'descr' is repeated"}},
      {"{'shape': (), 'shape': ()}", {"byte 24", "'shape' is repeated"}},
      {"{'fortran_order': True, 'fortran_order': True}", {"'fortran_order' is repeated"}},
      {"{'color': 1}", {"byte 11", "'color' is not one of"}},
      {"{'a\nb': 1}", {"'a\\nb'"}},
      {"{'a\\'b': 1}", {"backslash"}},
      {"{'descr", {"byte 11", "does not end"}},
      {"{'descr' '|u1'}", {"byte 19", "':' is expected"}},
      {"{'descr': 5}", {"byte 20", "the type in quotes is expected, '5'"}},
      {"{'descr': '|u1' 'shape': ()}", {"byte 26", "'}' is expected"}},
      {"{'fortran_order': 1}", {"byte 28", "True or False"}},
      {"{'shape': [2]}", {"byte 20", "'(' is expected, '['"}},
      {"{'shape': (2)}", {"byte 20", "(n,)"}},
      {"{'shape': (,)}", {"byte 21", "a number for shape[0]"}},
      {"{'shape': (1 2)}", {"byte 23", "',' or ')'"}},
      {"{'shape': (1, 2.5)}", {"byte 25", "',' or ')'"}},
      {"{'shape': (1, -2)}", {"byte 24", "shape[1] is '-2'", "not negative"}},
      {"{'shape': (1-2,)}", {"shape[0] is '1-2'", "not a number"}},
      {"{'shape': (007,)}", {"byte 21", "shape[0] is '007'", "begin with 0"}},
      {"{'shape': (9223372036854775808,)}", {"shape[0] is '9223372036854775808'", "2^63 - 1"}},
      {"{'shape': (1,", {"byte 23", "a number for shape[1]", "the end of the header"}},
      {"{'descr': '|u1', 'fortran_order': False, 'shape': ()} x",
       {"byte 64", "the end of the header is expected"}},
  };
  for (const auto& item : cases) {
    SCOPED_TRACE(item.dictionary);
    std::vector<std::string> parts = item.parts;
    parts.push_back("numpy.save");
    ExpectRefused(Npy(item.dictionary, "a"), ErrorCode::kMalformedFile, parts);
  }
}

TEST(Npy, TypesThatAreNoElementTypesAreRefused) {
  const struct {
    ErrorCode code;
    std::string part;
    std::vector<std::string> texts;
  } cases[] = {
      {ErrorCode::kTypeNotAdmitted, "complex", {"<c8"}},
      {ErrorCode::kTypeNotAdmitted, "a float of another width", {"<f16"}},
      {ErrorCode::kTypeNotAdmitted, "an integer of another width", {"<i16", "u3"}},
      {ErrorCode::kTypeNotAdmitted, "a byte string", {"|S5"}},
      {ErrorCode::kTypeNotAdmitted, "a text string", {"<U5"}},
      {ErrorCode::kTypeNotAdmitted, "a date", {"<M8[ns]"}},
      {ErrorCode::kTypeNotAdmitted, "a time span", {"<m8[s]"}},
      {ErrorCode::kTypeNotAdmitted, "void", {"|V4"}},
      {ErrorCode::kUnsupportedFormat, "Python objects", {"|O", "O8"}},
      {ErrorCode::kMalformedFile,
       "not a type that numpy.save writes",
       {"", "<", "<x4", "|b2", "?", "f", "l", "float32", "<float32", "float32 ", "i04", "bfloat16", "<<f4",
        "3f4", "(2,)f4", "f4,i4", "<f4x", std::string(40, 'x')}},
  };
  for (const auto& item : cases) {
    for (const std::string& text : item.texts) {
      ExpectRefused(Npy(Dictionary(text, "(1,)"), "aaaaaaaa"), item.code,
                    {"'descr' is '" + text + "'", item.part});
    }
  }
  const std::string longest(40, 'x');
  ExpectRefused(Npy(Dictionary(longest + "y", "(1,)"), "aaaa"), ErrorCode::kMalformedFile,
                {"'descr' is '" + longest + "'... (41 bytes), which is not a type"});
}

// Rules: TYP-4
TEST(Npy, BoolsAreReadInEveryOrderOfBytesAndElements) {
  const std::string elements("\0\1\1\0\0\1", 6);
  for (const char* descr : {"|b1", "<b1", ">b1", "=b1", "b1"}) {
    SCOPED_TRACE(descr);
    const auto rows = ReadNpyBytes(Npy(Dictionary(descr, "(2, 3)"), elements));
    ASSERT_TRUE(rows) << rows.error().message;
    ExpectSame(*rows, TensorOf<bool>(Shape{2, 3}, {false, true, true, false, false, true}));
    const auto columns = ReadNpyBytes(Npy(Dictionary(descr, "(2, 3)", "True"), elements));
    ASSERT_TRUE(columns) << columns.error().message;
    ExpectSame(*columns, TensorOf<bool>(Shape{2, 3}, {false, true, false, true, false, true}));
  }
  ReadOptions options;
  options.stated_dtype = DType::kUInt8;
  ExpectError(ReadNpyBytes(Npy(Dictionary("|b1", "(6,)"), elements), options), ErrorCode::kTypeMismatch,
              {"'descr' is '|b1' (bool) and uint8 is stated", "TYP-2"});
}

// Rules: TYP-4
TEST(Npy, AByteThatIsNoBoolIsRefusedWithItsPlaceInTheFile) {
  constexpr std::size_t kCount = 600'000;  // more than two chunks
  for (const char* fortran : {"False", "True"}) {
    const std::string dictionary = Dictionary("|b1", "(2, 300000)", fortran);
    std::string elements(kCount, '\1');
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, kCount / 2 + 1, kCount - 1}) {
      for (const int value : {2, 128, 255}) {
        SCOPED_TRACE(std::string(fortran) + " " + std::to_string(at));
        elements[at] = static_cast<char>(value);
        ExpectRefused(Npy(dictionary, elements), ErrorCode::kMalformedFile,
                      {"byte " + std::to_string(10 + dictionary.size() + at) + ": " + std::to_string(value) +
                           " is outside bool (0 to 1)",
                       "numpy.save", "uint8"});
      }
      elements[at] = '\0';
    }
    EXPECT_TRUE(ReadNpyBytes(Npy(dictionary, elements)));
  }
}

TEST(Npy, StructuredTypesAreRefused) {
  for (const char* descr : {"[('a', '<f4')]", "('<f4', (2,))"}) {
    ExpectRefused(Npy("{'descr': " + std::string(descr) + ", 'fortran_order': False, 'shape': ()}", "aaaa"),
                  ErrorCode::kUnsupportedFormat, {"byte 20", "structured", "each field by itself"});
  }
}

// Rules: TYP-1, TYP-2
TEST(Npy, TwoByteVoidIsBFloat16IfThatIsStated) {
  ReadOptions options;
  options.stated_dtype = DType::kBFloat16;
  for (const auto& [descr, bits] :
       {std::pair("|V2", 0x803F), {"<V2", 0x803F}, {">V2", 0x3F80}, {"V2", 0x803F}}) {
    const auto tensor = ReadNpyBytes(Npy(Dictionary(descr, "(1,)"), "\x3f\x80"), options);
    ASSERT_TRUE(tensor) << tensor.error().message;
    EXPECT_EQ(tensor->dtype(), DType::kBFloat16);
    EXPECT_EQ(tensor->Elements<BFloat16>()[0].bits, bits) << descr;
  }
  ExpectRefused(Npy(Dictionary("|V2", "(1,)"), "\x3f\x80"), ErrorCode::kTypeNotAdmitted,
                {"'descr' is '|V2'", "--dtype NAME=bfloat16"});
}

// Rules: TYP-2
TEST(Npy, NothingIsConvertedToTheStatedType) {
  for (const auto& [descr, stated] : {std::pair("<u2", DType::kBFloat16),
                                      {"|V2", DType::kFloat16},
                                      {"<f8", DType::kFloat32},
                                      {"<i4", DType::kInt64}}) {
    ReadOptions options;
    options.stated_dtype = stated;
    ExpectError(ReadNpyBytes(Npy(Dictionary(descr, "(0,)"), ""), options), ErrorCode::kTypeMismatch,
                {"x.npy'", "'descr' is '" + std::string(descr) + "'", std::string(Name(stated)), "TYP-2"});
  }
}

TEST(Npy, AHeaderBeyondItsCapIsNotRead) {
  const std::string spaces(9'990, ' ');
  EXPECT_FALSE(ReadNpyBytes(Npy(spaces + std::string(11, ' '), "")));
  ExpectRefused(Npy(spaces + std::string(11, ' '), ""), ErrorCode::kLimitExceeded,
                {"byte 8", "10001", "10000"});
  const std::string longest = Dictionary("|u1", "()");
  EXPECT_TRUE(ReadNpyBytes(Npy(longest + std::string(10'000 - longest.size(), ' '), "a")));
  ExpectRefused(Npy("{", "", 2).replace(8, 4, "\xff\xff\xff\xff"), ErrorCode::kMalformedFile,
                {"byte 8", "4294967295 bytes", "has 13 in all"});
}

TEST(Npy, WhatIsNoNpyFileIsRefused) {
  ExpectRefused("", ErrorCode::kMalformedFile, {"byte 0", "at least 10 bytes"});
  ExpectRefused("NUMPY\n, not a .npy", ErrorCode::kMalformedFile, {"byte 0", "'NUMPY\\n'", "'\\x93NUMPY'"});
}

}  // namespace
}  // namespace supremum::io
