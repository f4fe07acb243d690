// supremum max.
#include <bit>
#include <limits>

#include "tools/report.h"

namespace supremum::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MaxVerb : public ReportTest {
 protected:
  void SetUp() override {
    WriteTensor<float>("a.npy", {2, 3}, {1, -2, 3, -4, 5, -6});
    WriteTensor<float>("b.npy", {3}, {0, 0, 7});
  }

  /// Entry of the output in the report of `max ARGUMENTS -o y.npy --sha256`.
  nlohmann::json Json(const std::vector<std::string>& arguments) const {
    return Report(With({"max"}, With(arguments, {"-o", "y.npy", "--sha256"}))).at("outputs").at(0);
  }
};

// Rules: MAX-2, MAX-4, BRO-1
TEST_F(MaxVerb, BroadcastsAndWritesTheMaximum) {
  const ProcessResult result = Supremum({"max", "a.npy", "b.npy", "-o", "y.npy"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("y     float32  [2,3]    0    7    0"));
  EXPECT_THAT(ReadElements<float>("y.npy"), ElementsAre(1, 0, 7, 0, 5, 7));
}

TEST_F(MaxVerb, EveryFormatIsWrittenByItsEnding) {
  for (const char* name : {"y.npy", "y.npz", "y.pb", "y.safetensors"}) {
    EXPECT_EQ(Supremum({"max", "a.npy", "b.npy", "--output", name}).status, 0);
    EXPECT_THAT(ReadElements<float>(name), ElementsAre(1, 0, 7, 0, 5, 7)) << name;
  }
  ExpectFailure(Supremum({"max", "a.npy", "-o", "y.png"}), 2, {"y.png", ".npy"});
  EXPECT_FALSE(Exists("y.png"));
}

// The operator's errors name the files, and nothing is written.
// Rules: E1, BRO-2, TYP-1, TYP-2, TYP-3, PRO-6
TEST_F(MaxVerb, WhatTheOperatorRefusesIsNamedAndNothingIsWritten) {
  WriteTensor<float>("c.npy", {4}, {1, 2, 3, 4});
  WriteTensor<double>("d.npy", {4}, {1, 2, 3, 4});
  WriteTensor<bool>("p.npy", {2}, {true, false});
  WriteText(File("y.npy"), "before");
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> refused = {
      {{"a.npy", "c.npy"}, {"E1", "a.npy", "c.npy", "[2,3]", "[4]"}},
      {{"a.npy", "d.npy"}, {"type mismatch", "a.npy", "d.npy"}},
      {{"p.npy", "p.npy"}, {"type not admitted: ", "p.npy", "bool", "TYP-3", "no version of Max has it"}},
      {{"a.npy", "b.npy", "--no-broadcast"}, {"broadcasting refused", "[2,3]", "[3]"}},
      {{"a.npy", "b.npy", "--max-bytes", "23"}, {"y.npy", "23"}}};
  for (const auto& [inputs, parts] : refused) {
    ExpectFailure(Supremum(With({"max", "-o", "y.npy"}, inputs)), 3, parts);
    EXPECT_EQ(ReadText(File("y.npy")), "before");
  }
}

// Rules: TYP-1
TEST_F(MaxVerb, BFloat16IsStatedByFileNameOrPosition) {
  WriteTensor<BFloat16>("v.npy", {1}, {BFloat16{0x3F80}});
  WriteTensor<BFloat16>("w.npy", {1}, {BFloat16{0x4000}});
  const std::string v = File("v.npy");
  for (const std::vector<std::string>& dtypes :
       std::vector<std::vector<std::string>>{{"--dtype", "bfloat16"},
                                             {"--dtype", "v.npy=bfloat16", "--dtype", "w.npy=bf16"},
                                             {"--dtype", "0=bfloat16", "--dtype", "1=bfloat16"},
                                             {"--dtype", v + "=bfloat16", "--dtype", "1=bfloat16"}}) {
    const ProcessResult result = Supremum(With({"max", v, "w.npy", "-o", "y.npy"}, dtypes));
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(ReadElements<BFloat16>("y.npy").at(0).bits, 0x4000);
  }
  ExpectFailure(Supremum({"max", "v.npy", "-o", "y.npy", "--dtype", "2=bfloat16"}), 2, {"'2'"});
  ExpectFailure(Supremum({"max", "v.npy", "-o", "y.npy", "--dtype", "bfloat17"}), 2, {"bfloat17"});
  ExpectFailure(Supremum({"max", "a.npy", "-o", "y.npy", "--dtype", "bfloat16"}), 3, {"a.npy"});
}

// Rules: ORD-2, ORD-3
TEST_F(MaxVerb, TheTableIsExact) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  WriteTensor<float>("c.npy", {4}, {-0.0f, 0.0f, 0.1f, std::bit_cast<float>(0xFFFFFFFFu)});
  nlohmann::json y = Json({"c.npy"});
  EXPECT_EQ(y.at("min").dump(), "-0.0");
  EXPECT_EQ(y.at("max"), static_cast<double>(0.1f));
  EXPECT_EQ(y.at("nan_count"), 1);
  WriteTensor<float>("c.npy", {2}, {-kInf, kInf});
  y = Json({"c.npy"});
  EXPECT_EQ(y.at("min"), "-inf");
  EXPECT_EQ(y.at("max"), "inf");
  WriteTensor<float>("c.npy", {2, 0}, {});
  y = Json({"c.npy"});
  EXPECT_TRUE(y.at("min").is_null());
  EXPECT_EQ(y.at("sha256"), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_THAT(Supremum({"max", "c.npy", "-o", "y.npy"}).out, HasSubstr("  -    -    0 "));
  WriteTensor<std::uint64_t>("c.npy", {2}, {0, 18446744073709551615u});
  EXPECT_EQ(Json({"c.npy"}).at("max"), 18446744073709551615u);
  WriteTensor<Float16>("c.npy", {3}, {Float16{0x0001}, Float16{0x7BFF}, Float16{0x2E66}});
  y = Json({"c.npy"});
  EXPECT_EQ(y.at("min"), 0x1p-24);
  EXPECT_EQ(y.at("max"), 65504);
  EXPECT_THAT(Supremum({"max", "c.npy", "-o", "y.npy"}).out, HasSubstr("65504"));
}

TEST_F(MaxVerb, FilesWhoseNamesAreInBracketsAreFiles) {
  std::filesystem::create_directory(File("[a,b]"));
  ExpectFailure(Supremum({"max", "[a,b]", "-o", "y.npy"}), 2, {"[a,b]"});
}

}  // namespace
}  // namespace supremum::test
