#include "io/formats/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/formats/format_testing.h"
#include "io/formats/safetensors_header.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using test::ExpectError;
using test::ExpectSame;
using test::MakeTensor;
using test::ReadBytes;
using test::TempDir;
using test::WriteBytes;
using testing::HasSubstr;

std::string Eight(std::uint64_t value) { return test::LittleEndian(value, 8); }

// A file with that header, as it is.
std::string FileOf(std::string_view header, std::string_view data) {
  return Eight(header.size()) + std::string(header) + std::string(data);
}

// A file of one tensor with this description. The default data has the size of two float32 elements.
std::string FileWith(std::string_view description, std::string_view data = "12345678") {
  return FileOf("{\"a\":" + std::string(description) + "}", data);
}

class Safetensors : public testing::Test {
 protected:
  Result<std::vector<NamedTensor>> Read(std::string_view bytes, std::int64_t max_bytes = 1 << 20) {
    WriteBytes(path_, bytes);
    return ReadSafetensors(path_, {.stated_dtype = {}, .max_bytes = max_bytes});
  }
  void ExpectMalformed(std::string_view bytes, const std::vector<std::string>& parts) {
    SCOPED_TRACE(std::string(bytes.substr(0, 200)));
    ExpectError(Read(bytes), ErrorCode::kMalformedFile, parts);
  }

  TempDir dir_;
  std::string path_ = dir_.File("x.safetensors");
};

TEST_F(Safetensors, TheBytesAreThoseOfTheFormat) {
  ASSERT_TRUE(WriteTensor(path_, TensorFormat::kSafetensors, "weight",
                          test::TensorOf<Float16>(Shape{2, 1}, {{0x3C00}, {0xBC00}})));
  EXPECT_EQ(ReadBytes(path_),
            std::string("\x40\0\0\0\0\0\0\0", 8) +
                "{\"weight\":{\"dtype\":\"F16\",\"shape\":[2,1],\"data_offsets\":[0,4]}}   " +
                std::string("\x00\x3C\x00\xBC", 4));
  EXPECT_THAT(test::FilesIn(dir_.path()), testing::ElementsAre("x.safetensors"));
}

TEST_F(Safetensors, AFileOfSeveralTensorsIsReadInTheHeadersOrder) {
  const auto tensors = Read(FileOf(
      R"({"b":{"dtype":"BF16","shape":[2],"data_offsets":[8,12]},"__metadata__":{"format":"pt"},)"
      R"("a":{"data_offsets":[0,8],"shape":[],"dtype":"I64"},"e":{"dtype":"U8","shape":[0,3],"data_offsets":[12,12]}} )",
      std::string("\x01\0\0\0\0\0\0\x80\x80\x3F\x01\x00", 12)));
  ASSERT_TRUE(tensors) << tensors.error().message;
  ASSERT_EQ(tensors->size(), 3u);
  EXPECT_EQ((*tensors)[0].name, "b");
  ExpectSame((*tensors)[0].tensor, test::TensorOf<BFloat16>(Shape{2}, {{0x3F80}, {0x0001}}));
  EXPECT_EQ((*tensors)[1].name, "a");
  ExpectSame((*tensors)[1].tensor, test::TensorOf<std::int64_t>(Shape{}, {INT64_MIN + 1}));
  EXPECT_EQ((*tensors)[2].name, "e");
  EXPECT_EQ(ToString((*tensors)[2].tensor.shape()), "[0,3]");
  ExpectError(ReadTensor(path_), ErrorCode::kInvalidArgument,
              {"/x.safetensors': the file holds 3 tensors, 'b', 'a', 'e'; exactly one is expected"});
}

TEST_F(Safetensors, AFileWithoutTensorsIsWhole) {
  const auto tensors = Read(FileOf("{}", ""));
  ASSERT_TRUE(tensors) << tensors.error().message;
  EXPECT_TRUE(tensors->empty());
  ExpectError(ReadTensor(path_), ErrorCode::kInvalidArgument, {"holds no tensor"});
}

TEST_F(Safetensors, TheHeadersLengthIsCheckedBeforeItIsRead) {
  ExpectMalformed("", {"byte 0: the file ends here"});
  ExpectMalformed("1234567", {"byte 7: the file ends here"});
  ExpectMalformed(Eight(3) + "{}", {"said to have 3 bytes", "2 after this"});
  ExpectMalformed(Eight(UINT64_MAX) + "{}", {"18446744073709551615 bytes"});
  ExpectMalformed(Eight(std::uint64_t{1} << 63) + "{}", {"9223372036854775808 bytes"});
  ExpectMalformed(Eight(0), {"header: byte 0", "begins with '{'"});
  WriteBytes(path_, Eight(kMaxSafetensorsHeader + 1));
  std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(kMaxSafetensorsHeader) + 9);
  ExpectError(ReadSafetensors(path_, {}), ErrorCode::kLimitExceeded,
              {"100000001 bytes", "at most 100000000 are read"});
}

TEST_F(Safetensors, TheHeaderMustBeAnObjectOfDescriptions) {
  ExpectMalformed(FileOf("[]", ""), {"begins with '{'"});
  ExpectMalformed(FileOf(" {}", ""), {"begins with '{'"});
  ExpectMalformed(FileOf("{}x", ""), {"header: byte 2: it is not JSON"});
  ExpectMalformed(FileOf("{\"a\":", ""), {"it is not JSON"});
  ExpectMalformed(FileOf("{\"\xff\":1}", ""), {"it is not JSON"});
  ExpectMalformed(FileWith("7"), {"tensor 'a': it is 7; it must be an object"});
  ExpectMalformed(FileWith("{}"), {"tensor 'a': 'dtype' is missing"});
  ExpectMalformed(FileWith(R"({"dtype":"F32","data_offsets":[0,8]})"), {"'shape' is missing"});
  ExpectMalformed(FileWith(R"({"dtype":"F32","shape":[2]})"), {"'data_offsets' is missing"});
  ExpectMalformed(FileWith(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8],"order":"C"})"),
                  {"the key 'order' is none of"});
  ExpectMalformed(FileWith(R"({"dtype":1,"shape":[2],"data_offsets":[0,8]})"), {"'dtype' is 1"});
  ExpectMalformed(FileOf(R"({"__metadata__":1})", ""), {"'__metadata__': it is 1"});
  ExpectMalformed(FileOf(R"({"__metadata__":{"k":{}}})", ""), {"'__metadata__': 'k' is an object"});
}

TEST_F(Safetensors, AHeaderHasExactlyTheLengthThatIsStated) {
  using namespace std::string_view_literals;
  const std::string header = R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})";
  ASSERT_TRUE(Read(FileOf(header, "12")));
  // The byte after the header is an element. A header length that is wrong by one is refused, unless the file
  // is valid with it.
  for (const char next : {'\0', ' ', '\n', '}', '1'}) {
    SCOPED_TRACE(static_cast<int>(next));
    const std::string data = std::string(1, next) + "2";
    const std::string elements = header + data;
    for (const std::string& file : {elements, elements + "3"}) {
      const bool padded = next == ' ' && file.size() > elements.size();  // another file, which is whole
      EXPECT_EQ(Read(Eight(header.size() + 1) + file).has_value(), padded);
      if (!padded) ExpectMalformed(Eight(header.size() + 1) + file, {"x.safetensors'"});
      ExpectMalformed(Eight(header.size() - 1) + file, {"header: byte "});
    }
  }
  // The same where the length takes in all of the elements.
  ExpectMalformed(Eight(header.size() + 2) + header + "  ", {"tensor 'a'"});
}

TEST_F(Safetensors, NothingButSpacesFollowsTheHeadersObject) {
  using namespace std::string_view_literals;
  const std::string header = R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})";
  EXPECT_TRUE(Read(FileOf(header + std::string(13, ' '), "12")));
  for (const std::string_view more :
       {"\0"sv, "\0garbage"sv, " \0"sv, "\0\0\0\0"sv, "{}"sv, ","sv, "x"sv, "\xef\xbb\xbf"sv}) {
    ExpectMalformed(FileOf(header + std::string(more), "12"), {"header: byte "});
  }
  ExpectMalformed(FileOf(header + std::string(1, '\0') + header, "12"), {"header: byte 53: ", "a zero byte"});
  ExpectMalformed(FileOf(header + " " + header, "12"), {"header: byte 54: "});
  for (const std::string_view white : {"\n"sv, "\t"sv, "\r"sv, " \n"sv, "\r\n "sv}) {
    ExpectMalformed(FileOf(header + std::string(white), "12"), {"only spaces (0x20) may pad it"});
  }
  ExpectMalformed(FileOf(header + "\t ", "12"), {"header: byte 53: '\\t' follows the header; only spaces"});
  for (const std::string_view before : {" "sv, "\n"sv, "\0"sv, "\xef\xbb\xbf"sv, "["sv}) {
    ExpectMalformed(FileOf(std::string(before) + header, "12"), {"header: byte 0: ", "begins with '{'"});
  }
}

TEST_F(Safetensors, AKeyThatStandsTwiceIsRefused) {
  const std::string one = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  ExpectMalformed(FileOf("{" + one + "," + one + "}", "12345678"), {"the key 'a' occurs twice"});
  ExpectMalformed(FileWith(R"({"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]})"),
                  {"the key 'dtype' occurs twice"});
  ExpectMalformed(FileOf(R"({"__metadata__":{"k":"1","k":"2"}})", ""), {"the key 'k' occurs twice"});
}

// Rules: TYP-1
TEST_F(Safetensors, TypesThatAreNotOursAreRefused) {
  for (const char* dtype : {"F8_E4M3", "F8_E5M2", "f32", ""}) {
    ExpectError(
        Read(FileWith(R"({"dtype":")" + std::string(dtype) + R"(","shape":[8],"data_offsets":[0,8]})")),
        ErrorCode::kTypeNotAdmitted, {"tensor 'a'", "'" + std::string(dtype) + "'", "BF16, F16, F32"});
  }
}

TEST_F(Safetensors, ErrorsShowTheStartOfALongNameAndOfALongType) {
  const std::string longest_type(40, 't'), longest_name(60, 'n');
  const auto file = [](const std::string& name, const std::string& dtype) {
    return FileOf(R"({")" + name + R"(":{"dtype":")" + dtype + R"(","shape":[8],"data_offsets":[0,8]}})",
                  "12345678");
  };
  ExpectError(Read(file(longest_name, longest_type)), ErrorCode::kTypeNotAdmitted,
              {"tensor '" + longest_name + "': 'dtype' is '" + longest_type + "', which is none of"});
  ExpectError(Read(file(longest_name + "o", longest_type + "u")), ErrorCode::kTypeNotAdmitted,
              {"tensor '" + longest_name + "'... (61 bytes): 'dtype' is '" + longest_type +
               "'... (41 bytes), which is none of"});
}

// Rules: BRO-4
TEST_F(Safetensors, ShapesAreChecked) {
  for (const char* shape : {"[-1]", "[1.5]", "[\"2\"]", "[null]", "[[2]]", "[9223372036854775808]", "2"}) {
    ExpectMalformed(FileWith(R"({"dtype":"F32","shape":)" + std::string(shape) + R"(,"data_offsets":[0,8]})"),
                    {"tensor 'a': 'shape'", "it must be"});
  }
  for (const char* shape : {"[3]", "[1]", "[]", "[0]", "[2,2]"}) {
    ExpectMalformed(FileWith(R"({"dtype":"F32","shape":)" + std::string(shape) + R"(,"data_offsets":[0,8]})"),
                    {"are 8 bytes; float32 of shape " + std::string(shape)});
  }
  ExpectMalformed(FileOf(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
                         R"("b":{"dtype":"U8","shape":[4],"data_offsets":[3,8]}})",
                         "12345678"),
                  {"tensor 'b': 'data_offsets' [3,8] are 5 bytes; uint8 of shape [4] takes 4"});
  for (const char* shape : {"[4611686018427387904]", "[4294967296,4294967296]", "[2305843009213693952]"}) {
    ExpectMalformed(FileWith(R"({"dtype":"F32","shape":)" + std::string(shape) + R"(,"data_offsets":[0,8]})"),
                    {"takes more than 2^63 - 1"});
  }
  std::string ones = "1";
  for (int i = 1; i < 65; ++i) ones += ",1";
  ExpectError(Read(FileWith(R"({"dtype":"F64","shape":[)" + ones + R"(],"data_offsets":[0,8]})")),
              ErrorCode::kRank, {"tensor 'a'", "'shape' has rank 65"});
}

TEST_F(Safetensors, OffsetsAreChecked) {
  const auto with = [](std::string_view offsets) {
    return FileWith(R"({"dtype":"F32","shape":[2],"data_offsets":)" + std::string(offsets) + "}");
  };
  EXPECT_TRUE(Read(with("[0,8]")));
  ExpectMalformed(with("[8,0]"), {"'data_offsets' [8,0] end before they begin"});
  ExpectMalformed(with("[0,9]"), {"end beyond the file", "8 bytes after its header"});
  ExpectMalformed(with("[8,16]"), {"end beyond the file"});
  ExpectMalformed(with("[9223372036854775800,9223372036854775807]"), {"end beyond the file"});
  ExpectMalformed(with("[0,4]"), {"are 4 bytes"});
  ExpectMalformed(with("[-1,7]"), {"'data_offsets'[0] is -1"});
  ExpectMalformed(with("[0,18446744073709551615]"), {"'data_offsets'[1] is 18446744073709551615"});
  ExpectMalformed(with("[0]"), {"'data_offsets' has 1 entries"});
  ExpectMalformed(with("[0,4,8]"), {"'data_offsets' has 3 entries"});
  ExpectMalformed(with("{}"), {"'data_offsets' is an object"});
}

TEST_F(Safetensors, ElementsNeitherOverlapNorLeaveHoles) {
  const auto two = [](std::string_view first, std::string_view second, std::string_view data) {
    return FileOf(R"({"a":{"dtype":"I16","shape":[2],"data_offsets":)" + std::string(first) +
                      R"(},"b":{"dtype":"I16","shape":[2],"data_offsets":)" + std::string(second) + "}}",
                  data);
  };
  EXPECT_TRUE(Read(two("[0,4]", "[4,8]", "12345678")));
  EXPECT_TRUE(Read(two("[4,8]", "[0,4]", "12345678")));
  ExpectMalformed(two("[0,4]", "[0,4]", "1234"), {"tensor 'b': it begins at byte 0", "ends, at byte 4"});
  ExpectMalformed(two("[0,4]", "[2,6]", "123456"), {"tensor 'b': it begins at byte 2"});
  ExpectMalformed(two("[0,4]", "[6,10]", "1234567890"), {"bytes 4 to 5 of the elements belong to no tensor"});
  ExpectMalformed(two("[2,6]", "[6,10]", "1234567890"), {"bytes 0 to 1"});
  ExpectMalformed(two("[0,4]", "[4,8]", "1234567890"), {"bytes 8 to 9"});
  ExpectMalformed(two("[0,4]", "[5,9]", "123456789"), {"bytes 4 to 4 of the elements belong to no tensor"});
  ExpectMalformed(FileOf("{}", "1"), {"bytes 0 to 0"});
  // A tensor without elements may be between others, and not inside one.
  const auto with_empty = [](std::string_view at) {
    return FileOf(R"({"a":{"dtype":"I16","shape":[2],"data_offsets":[0,4]},)"
                  R"("e":{"dtype":"I16","shape":[0],"data_offsets":)" +
                      std::string(at) + "}}",
                  "1234");
  };
  EXPECT_TRUE(Read(with_empty("[0,0]")));
  EXPECT_TRUE(Read(with_empty("[4,4]")));
  ExpectMalformed(with_empty("[2,2]"), {"tensor 'e': it begins at byte 2"});
}

// Three bfloat16 before a float32, as MLX writes them; and every type at an odd offset.
TEST_F(Safetensors, ElementsAreReadAtAnyAlignment) {
  const auto two = Read(FileOf(R"({"a":{"dtype":"BF16","shape":[3],"data_offsets":[0,6]},)"
                               R"("b":{"dtype":"F32","shape":[2],"data_offsets":[6,14]}})",
                               std::string("\x80\x3F\x00\x40\x40\x40\0\0\x80\x3F\0\0\0\xC0", 14)));
  ASSERT_TRUE(two) << two.error().message;
  ExpectSame(two->at(0).tensor, test::TensorOf<BFloat16>(Shape{3}, {{0x3F80}, {0x4000}, {0x4040}}));
  ExpectSame(two->at(1).tensor, test::TensorOf<float>(Shape{2}, {1, -2}));
  for (const DType dtype : kAllDTypes) {
    for (std::size_t before = 1; before < 8; ++before) {
      for (std::size_t padding = 0; padding < 8; ++padding) {
        const Tensor tensor = MakeTensor(dtype, Shape{3});
        ASSERT_TRUE(WriteTensor(path_, TensorFormat::kSafetensors, "y", tensor));
        const std::string type = ReadBytes(path_).substr(8);
        const std::size_t at = type.find("\"dtype\":\"") + 9;
        const std::string first = std::to_string(before);
        const std::string header = R"({"x":{"dtype":"U8","shape":[)" + first + R"(],"data_offsets":[0,)" +
                                   first + R"(]},"y":{"dtype":")" + type.substr(at, type.find('"', at) - at) +
                                   R"(","shape":[3],"data_offsets":[)" + first + "," +
                                   std::to_string(before + tensor.byte_size()) + "]}}";
        const auto both = Read(FileOf(header + std::string(padding, ' '),
                                      std::string(before, 'x') + io::LittleEndianBytes(tensor)));
        ASSERT_TRUE(both) << both.error().message;
        ExpectSame(both->at(1).tensor, tensor);
      }
    }
  }
}

TEST_F(Safetensors, TypesThatCannotBeComputedAreListed) {
  std::vector<UnsupportedTensor> unsupported;
  const auto read = [&](const std::string& bytes) {
    WriteBytes(path_, bytes);
    return ReadSafetensors(path_, {.stated_dtype = {}, .max_bytes = 100, .unsupported = &unsupported});
  };
  const auto some = read(FileOf(R"({"w":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[0,3]},)"
                                R"("a":{"dtype":"I16","shape":[2],"data_offsets":[3,7]},)"
                                R"("c":{"dtype":"C64","shape":[1],"data_offsets":[7,15]},)"
                                R"("q":{"dtype":"F4","shape":[2,3],"data_offsets":[15,18]}})",
                                std::string(18, '\1')));
  ASSERT_TRUE(some) << some.error().message;
  ASSERT_EQ(some->size(), 1U);
  ExpectSame(some->front().tensor, test::TensorOf<std::int16_t>(Shape{2}, {0x0101, 0x0101}));
  std::string listed;
  for (const UnsupportedTensor& one : unsupported)
    listed += one.name + " " + one.type_name + ToString(one.shape) + "; ";
  EXPECT_EQ(listed, "w F8_E4M3[3]; c C64[1]; q F4[2,3]; ");
  EXPECT_EQ(ReadTensor(path_ + "::a").value().name, "a");
  ExpectError(ReadTensor(path_ + "::w"), ErrorCode::kTypeNotAdmitted, {"tensor 'w'", "F8_E4M3"});
  // Their sizes are checked like any other, and a name that the format does not define has no size.
  for (const char* description : {R"({"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,3]})",
                                  R"({"dtype":"F4","shape":[3],"data_offsets":[0,1]})",
                                  R"({"dtype":"F6_E2M3","shape":[3],"data_offsets":[0,2]})",
                                  R"({"dtype":"C64","shape":[1],"data_offsets":[0,4]})"}) {
    SCOPED_TRACE(description);
    ExpectError(read(FileWith(description, std::string(description).ends_with("1]}")   ? "1"
                                           : std::string(description).ends_with("2]}") ? "12"
                                           : std::string(description).ends_with("3]}") ? "123"
                                                                                       : "1234")),
                ErrorCode::kMalformedFile, {"tensor 'a': 'data_offsets'", "takes"});
  }
  ExpectError(read(FileWith(R"({"dtype":"F9","shape":[8],"data_offsets":[0,8]})")),
              ErrorCode::kTypeNotAdmitted, {"'F9'"});
}

TEST_F(Safetensors, HeadersThatUnfoldAreStopped) {
  ExpectError(Read(FileWith(std::string(1'000'000, '['))), ErrorCode::kLimitExceeded,
              {"objects and lists are nested more than 64 deep"});
  std::string zeros = "[0";
  const int count = sizeof(void*) == 8 ? 3'000'000 : 12'000'000;  // a value is smaller where pointers are
  for (int i = 0; i < count; ++i) zeros += ",0";
  ExpectError(Read(FileWith(R"({"dtype":"U8","shape":)" + zeros + R"(],"data_offsets":[0,0]})", "")),
              ErrorCode::kLimitExceeded, {"its JSON values take more than the limit of 268435456 bytes"});
  std::string many = "{";
  for (std::size_t i = 0; i <= kMaxSafetensors; ++i) {
    many +=
        (i > 0 ? ",\"" : "\"") + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  }
  ExpectError(Read(FileOf(many + "}", "")), ErrorCode::kLimitExceeded, {"more than 65536 tensors"});
}

TEST_F(Safetensors, TheLimitHoldsForAllTensorsTogether) {
  const std::string bytes = FileOf(R"({"a":{"dtype":"U8","shape":[6],"data_offsets":[0,6]},)"
                                   R"("b":{"dtype":"U8","shape":[6],"data_offsets":[6,12]}})",
                                   "123456789012");
  EXPECT_TRUE(Read(bytes, 12));
  ExpectError(Read(bytes, 11), ErrorCode::kLimitExceeded, {"tensor 'b'"});
}

}  // namespace
}  // namespace supremum::io
