// supremum compare.
#include <bit>
#include <cmath>
#include <limits>

#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class Compare : public CommandTest {
 protected:
  /// The exit status of a comparison of two tensors of one element each.
  template <Element T>
  int Status(T a, T b, const std::string& mode) const {
    WriteTensor<T>("a.pb", {1}, {a});
    WriteTensor<T>("b.pb", {1}, {b});
    const ProcessResult result = Supremum({"compare", "a.pb", "b.pb", "--mode", mode});
    EXPECT_EQ(result.err, "");
    return result.status;
  }
};

float FloatOf(std::uint32_t bits) { return std::bit_cast<float>(bits); }

TEST_F(Compare, EqualFilesOfAnyFormatAreTheSame) {
  const std::vector<float> values = {1, -0.0f, FloatOf(0x7FC12345), INFINITY};
  for (const char* name : {"t.npy", "t.npz", "t.pb", "t.safetensors", "t.bin"})
    WriteTensor<float>(name, {4}, values);
  for (const char* name : {"t.npz", "t.pb", "t.safetensors", ":float32:4:t.bin"}) {
    const ProcessResult result = Supremum({"compare", "t.npy", name});
    EXPECT_EQ(result.status, 0) << name << result.err;
    EXPECT_EQ(result.out, "SAME t.npy: float32 [4]\n1 same, 0 different, 0 missing, by bits\n");
  }
}

// Rules: ORD-2
TEST_F(Compare, TheReportHasTheClassesTheFirstAndTheWorst) {
  WriteTensor<float>("a.npy", {2, 3}, {1, -0.0f, NAN, 4, 5, INFINITY});
  WriteTensor<float>("b.npy", {2, 3}, {1, 0.0f, 2, 4, 5.0000005f, 3e38f});
  const ProcessResult result = Supremum({"compare", "a.npy", "b.npy"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(
      result.out,
      "DIFFERENT a.npy: float32 [2,3], 4 of 6 elements differ: 1 NaN against a number, 1 infinity against "
      "another value, 1 number against another, 1 -0 against +0\n"
      "         element  in  value  hex float  bits        ulp\n"
      "  first  [0,1]    A      -0    -0x0p+0  0x80000000    1\n"
      "                  B       0     0x0p+0  0x00000000\n"
      "  worst  [0,2]    A     nan          -  0x7fc00000    -\n"
      "                  B       2     0x1p+1  0x40000000\n"
      "0 same, 1 different, 0 missing, by bits\n");
  const auto json = ParseJson(Supremum({"compare", "a.npy", "b.npy", "--json", "-"}).out);
  EXPECT_EQ(json.at("equal"), false);
  EXPECT_EQ(json.at("mode"), "bits");
  EXPECT_EQ(json.at("tensors").at(0).at("different"), 4);
  EXPECT_EQ(json.at("tensors").at(0).at("first").at("a"),
            ParseJson(R"({"index": [0, 1], "value": "-0", "hex_float": "-0x0p+0", "bits": "0x80000000"})"));
  EXPECT_EQ(json.at("tensors").at(0).at("first").at("ulp"), 1);
  EXPECT_TRUE(json.at("tensors").at(0).at("worst").at("ulp").is_null());
}

TEST_F(Compare, TheWorstIsTheFarthestOfTheGravestClass) {
  WriteTensor<float>("a.npy", {4}, {1, 1, 1, 0.0f});
  WriteTensor<float>("b.npy", {4}, {FloatOf(0x3F800001), FloatOf(0x3F800009), FloatOf(0x3F800003), -0.0f});
  const auto json = ParseJson(Supremum({"compare", "a.npy", "b.npy", "--json", "-"}).out);
  const auto& tensor = json.at("tensors").at(0);
  EXPECT_EQ(tensor.at("first").at("a").at("index"), nlohmann::json::array({0}));
  EXPECT_EQ(tensor.at("worst").at("a").at("index"), nlohmann::json::array({1}));
  EXPECT_EQ(tensor.at("worst").at("ulp"), 9);
}

// Rules: ORD-2, ORD-3
TEST_F(Compare, UlpsAreStepsInTheOrderOfTheType) {
  EXPECT_EQ(Status<float>(-0.0f, 0.0f, "bits"), 1);
  EXPECT_EQ(Status<float>(-0.0f, 0.0f, "ulp:0"), 1);
  EXPECT_EQ(Status<float>(-0.0f, 0.0f, "ulp:1"), 0);
  EXPECT_EQ(Status<float>(FloatOf(0x80000001), FloatOf(0x00000001), "ulp:2"), 1);
  EXPECT_EQ(Status<float>(FloatOf(0x80000001), FloatOf(0x00000001), "ulp:3"), 0);
  EXPECT_EQ(Status<Float16>({0x3C00}, {0x3C04}, "ulp:4"), 0);
  EXPECT_EQ(Status<Float16>({0x3C00}, {0x3C04}, "ulp:3"), 1);
  EXPECT_EQ(Status<BFloat16>({0xBF80}, {0xBF82}, "ulp:2"), 0);
  EXPECT_EQ(Status<BFloat16>({0xBF80}, {0xBF82}, "ulp:1"), 1);
  // From the least to the greatest number of float64.
  EXPECT_EQ(Status<double>(-std::numeric_limits<double>::max(), std::numeric_limits<double>::max(),
                           "ulp:18437736874454810623"),
            0);
  EXPECT_EQ(Status<double>(-std::numeric_limits<double>::max(), std::numeric_limits<double>::max(),
                           "ulp:18437736874454810622"),
            1);
}

TEST_F(Compare, IntegersAreApartByTheirDifference) {
  EXPECT_EQ(Status<std::int8_t>(-128, 127, "ulp:255"), 0);
  EXPECT_EQ(Status<std::int8_t>(-128, 127, "ulp:254"), 1);
  EXPECT_EQ(Status<std::int64_t>(INT64_MIN, INT64_MAX, "ulp:18446744073709551615"), 0);
  EXPECT_EQ(Status<std::int64_t>(INT64_MIN, INT64_MAX, "ulp:18446744073709551614"), 1);
  EXPECT_EQ(Status<std::uint64_t>(UINT64_MAX, 0, "abs:18446744073709551616"), 0);
  EXPECT_EQ(Status<std::uint64_t>(UINT64_MAX, 0, "abs:18446744073709549568"), 1);
  EXPECT_EQ(Status<std::uint32_t>(7, 9, "abs:2.5"), 0);
  EXPECT_EQ(Status<std::uint32_t>(7, 9, "abs:1.5"), 1);
  EXPECT_EQ(Status<bool>(false, true, "bits"), 1);
  EXPECT_EQ(Status<bool>(false, true, "ulp:1"), 0);
}

// Rules: ORD-3, ORD-4
TEST_F(Compare, NaNsAreEqualUnlessBitsCount) {
  EXPECT_EQ(Status<float>(FloatOf(0x7FC00000), FloatOf(0xFFC00001), "bits"), 1);
  EXPECT_EQ(Status<float>(FloatOf(0x7FC00000), FloatOf(0xFFC00001), "ulp:0"), 0);
  EXPECT_EQ(Status<float>(FloatOf(0x7FC00000), FloatOf(0xFFC00001), "abs:0"), 0);
  // The number next to a NaN in the bits is as far from it as any other.
  EXPECT_EQ(Status<float>(FloatOf(0x7F800001), FloatOf(0x7F800000), "ulp:18446744073709551615"), 1);
  EXPECT_EQ(Status<float>(NAN, 1, "abs:1e300"), 1);
}

TEST_F(Compare, AnInfinityEqualsNothingButItself) {
  const float greatest = std::numeric_limits<float>::max();
  for (const char* mode : {"ulp:18446744073709551615", "abs:1e308"}) {
    EXPECT_EQ(Status<float>(INFINITY, greatest, mode), 1) << mode;
    EXPECT_EQ(Status<float>(INFINITY, -INFINITY, mode), 1) << mode;
    EXPECT_EQ(Status<float>(-INFINITY, -INFINITY, mode), 0) << mode;
  }
}

TEST_F(Compare, AbsoluteDifferencesAreNotRounded) {
  EXPECT_EQ(Status<float>(-0.0f, 0.0f, "abs:0"), 0);
  EXPECT_EQ(Status<float>(1, FloatOf(0x3F800001), "abs:0"), 1);
  EXPECT_EQ(Status<double>(1.5, 1.25, "abs:0.25"), 0);
  // 1 + 2^-60 rounds to 1, and exceeds it.
  EXPECT_EQ(Status<double>(1, -0x1p-60, "abs:1"), 1);
  EXPECT_EQ(Status<double>(-0x1p-60, 1, "abs:1"), 1);
  EXPECT_EQ(Status<double>(1, 0x1p-60, "abs:1"), 0);
  EXPECT_EQ(Status<double>(0x1p-60, 1, "abs:1"), 0);
  EXPECT_EQ(Status<double>(0x1p-1074, 0, "abs:0"), 1);
  // A difference above the largest double exceeds every tolerance.
  const double greatest = std::numeric_limits<double>::max();
  EXPECT_EQ(Status<double>(greatest, -greatest, "abs:1.7976931348623157e308"), 1);
}

TEST_F(Compare, TypesAndShapesComeFirst) {
  WriteTensor<float>("f.npy", {2}, {1, 2});
  WriteTensor<std::int32_t>("i.npy", {2}, {1, 2});
  WriteTensor<float>("s.npy", {1, 2}, {1, 2});
  EXPECT_THAT(Supremum({"compare", "f.npy", "i.npy"}).out,
              HasSubstr("DIFFERENT f.npy: type float32, expected int32\n"));
  const ProcessResult result = Supremum({"compare", "f.npy", "s.npy", "--mode", "abs:9"});
  EXPECT_THAT(result.out, HasSubstr("DIFFERENT f.npy: shape [2], expected [1,2]\n"));
  EXPECT_EQ(result.status, 1);
}

TEST_F(Compare, EmptyTensorsAreEqual) {
  WriteTensor<float>("a.npy", {0, 3}, {});
  EXPECT_EQ(Supremum({"compare", "a.npy", "a.npy"}).status, 0);
  WriteTensor<float>("b.npy", {3, 0}, {});
  EXPECT_EQ(Supremum({"compare", "a.npy", "b.npy"}).status, 1);
}

TEST_F(Compare, FilesOfFoldersAreMatchedByName) {
  for (const char* folder : {"x/sub", "y/sub"}) std::filesystem::create_directories(File(folder));
  WriteTensor<float>("x/one.npy", {1}, {1});
  WriteTensor<float>("y/one.npy", {1}, {1});
  WriteTensor<float>("x/sub/two.pb", {1}, {1});
  WriteTensor<float>("y/sub/two.pb", {1}, {2});
  WriteTensor<float>("x/three.safetensors", {1}, {1});
  WriteTensor<float>("y/four.npz", {1}, {1});
  WriteText(File("x/notes.txt"), "no tensor");
  const ProcessResult result = Supremum({"compare", "x/", "y"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("SAME one.npy: float32 [1]\n"));
  EXPECT_THAT(result.out, HasSubstr("DIFFERENT sub/two.pb: float32 [1], 1 of 1 elements differ: 1 number"));
  EXPECT_THAT(result.out, EndsWith("MISSING y has no three.safetensors\n"
                                   "MISSING x/ has no four.npz\n"
                                   "1 same, 1 different, 2 missing, by bits\n"
                                   "not compared, not a tensor file: notes.txt\n"));
  WriteText(File("y/more.txt"), "no tensor");
  WriteText(File("y/notes.txt"), "no tensor");
  EXPECT_THAT(Supremum({"compare", "x", "y"}).out,
              EndsWith("not compared, not a tensor file: more.txt, and 1 more\n"));
  const auto json = ParseJson(Supremum({"compare", "x", "y", "--json", "-"}).out);
  EXPECT_EQ(json.at("missing"), nlohmann::json({"y has no three.safetensors", "x has no four.npz"}));
  EXPECT_EQ(Supremum({"compare", "x", "x"}).status, 0);
  std::filesystem::remove(File("x/sub/two.pb"));
  std::filesystem::remove(File("y/sub/two.pb"));
  std::filesystem::remove(File("x/three.safetensors"));
  std::filesystem::remove(File("y/four.npz"));
  EXPECT_EQ(Supremum({"compare", "x", "y"}).status, 0);
}

TEST_F(Compare, TensorsOfOneFileAreMatchedByName) {
  const auto write = [&](const std::string& name, const std::string& keys, const std::string& data) {
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(keys.size());
    WriteText(File(name), bytes + keys + data);
  };
  write(
      "x.safetensors",
      R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
      "12");
  write(
      "y.safetensors",
      R"({"c":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
      "21");
  const ProcessResult result = Supremum({"compare", "x.safetensors", "y.safetensors"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out,
            "SAME x.safetensors: a: uint8 [1]\n"
            "MISSING y.safetensors has no b\n"
            "MISSING x.safetensors has no c\n"
            "1 same, 0 different, 2 missing, by bits\n");
}

TEST_F(Compare, BFloat16InNpyIsComparedWhereItIsStated) {
  WriteTensor<BFloat16>("v.npy", {1}, {BFloat16{0x3F80}});
  WriteTensor<BFloat16>("v.pb", {1}, {BFloat16{0x3F80}});
  ExpectFailure(Supremum({"compare", "v.npy", "v.pb"}), 3, {"v.npy"});
  EXPECT_EQ(Supremum({"compare", "v.npy", "v.pb", "--dtype", "v.npy=bfloat16"}).status, 0);
  ExpectFailure(Supremum({"compare", "v.npy", "v.pb", "--dtype", "w.npy=bfloat16"}), 2, {"'w.npy'"});
}

TEST_F(Compare, WhatCannotBeComparedIsAnErrorOfItsOwn) {
  WriteTensor<float>("a.npy", {1}, {1});
  std::filesystem::create_directory(File("empty"));
  ExpectFailure(Supremum({"compare", "a.npy", "missing.npy"}), 4, {"missing.npy"});
  ExpectFailure(Supremum({"compare", "a.npy", "empty"}), 2, {"empty is a folder and a.npy is not"});
  ExpectFailure(Supremum({"compare", "empty", "empty"}), 2, {"neither empty nor empty", ".safetensors"});
  WriteText(File("bad.npy"), "no tensor");
  ExpectFailure(Supremum({"compare", "a.npy", "bad.npy"}), 3, {"bad.npy"});
  for (const char* mode : {"", "exact", "ulp", "ulp:", "ulp:-1", "ulp:1.5", "ulp:18446744073709551616",
                           "abs:", "abs:-1", "abs:-0", "abs:nan", "abs:inf", "abs:1e999", "abs:1x"}) {
    ExpectFailure(Supremum({"compare", "a.npy", "a.npy", "--mode", mode}), 2,
                  {"is not one of bits, ulp:N and abs:X"});
  }
}

}  // namespace
}  // namespace supremum::test
