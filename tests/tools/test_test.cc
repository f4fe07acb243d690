// supremum test.
#include <bit>

#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class TestVerb : public CommandTest {
 protected:
  /// y = Max(a, b) over float32 [2], with one data set.
  void WriteCase(const std::string& path, const std::vector<float>& a, const std::vector<float>& b,
                 const std::vector<float>& y) const {
    WriteModel(path, FuseModel({2}, {2}, {2}));
    WriteDataSet(path, 0, a, b, y);
  }
  void WriteModel(const std::string& path, const ModelBuilder& model) const {
    std::filesystem::create_directories(File(path));
    model.Save(File(path + "/model.onnx"));
  }
  void WriteDataSet(const std::string& path, int number, const std::vector<float>& a,
                    const std::vector<float>& b, const std::vector<float>& y) const {
    const std::string folder = path + "/test_data_set_" + std::to_string(number);
    std::filesystem::create_directories(File(folder));
    WriteTensor<float>(folder + "/input_0.pb", {2}, a);
    WriteTensor<float>(folder + "/input_1.pb", {2}, b);
    WriteTensor<float>(folder + "/output_0.pb", {2}, y);
  }
};

TEST_F(TestVerb, PassingCasesAreFoundRecursivelyInOrder) {
  WriteCase("cases/node/b", {1, 2}, {2, 1}, {2, 2});
  WriteCase("cases/node/a", {1, 2}, {2, 1}, {2, 2});
  const ProcessResult result = Supremum({"test", "cases/"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, MatchesRegex("PASS cases/node/a \\([0-9.]+ [mu]?s\\)\n"
                                       "PASS cases/node/b \\([0-9.]+ [mu]?s\\)\n"
                                       "2 passed, 0 failed, 0 skipped\n"));
}

// Rules: ORD-3, ORD-4
TEST_F(TestVerb, NaNEqualsNaNWhateverThePayload) {
  WriteCase("c", {std::bit_cast<float>(0x7FC00000u), 0}, {0, 0}, {std::bit_cast<float>(0xFFFFFFFFu), 0});
  EXPECT_EQ(Supremum({"test", "c"}).status, 0);
}

// Rules: ORD-2
TEST_F(TestVerb, MinusZeroIsNotPlusZero) {
  WriteCase("c", {1, -0.0f}, {0, 0.0f}, {1, -0.0f});
  const ProcessResult result = Supremum({"test", "c"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out,
              HasSubstr("  test_data_set_0: output 'y': element [1] is 0 (0x00000000), expected -0 "
                        "(0x80000000); 1 of 2 differ\n"));
  EXPECT_THAT(result.out, EndsWith("\n0 passed, 1 failed, 0 skipped\n"));
}

TEST_F(TestVerb, TypeAndShapeMustBeEqual) {
  WriteCase("shape", {1, 2}, {2, 1}, {2, 2});
  WriteTensor<float>("shape/test_data_set_0/output_0.pb", {1, 2}, {2, 2});
  WriteCase("type", {1, 2}, {2, 1}, {2, 2});
  WriteTensor<std::int32_t>("type/test_data_set_0/output_0.pb", {2}, {0x40000000, 0x40000000});
  const ProcessResult result = Supremum({"test", "."});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("shape [2], expected [1,2]"));
  EXPECT_THAT(result.out, HasSubstr("type float32, expected int32"));
}

TEST_F(TestVerb, EveryDataSetCounts) {
  WriteCase("c", {1, 2}, {2, 1}, {2, 2});
  WriteDataSet("c", 2, {1, 2}, {2, 1}, {2, 3});
  WriteDataSet("c", 10, {1, 2}, {2, 1}, {3, 2});
  const ProcessResult result = Supremum({"test", "c"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, ContainsRegex("test_data_set_2: .*\n.*test_data_set_10: "));
}

TEST_F(TestVerb, TheCommandThatReproducesAFailureDoesSo) {
  WriteCase("it's a $case; x", {1, 2}, {2, 1}, {0, 0});
  WriteCase("-o", {1, 2}, {2, 1}, {0, 0});
  const auto json = ParseJson(Supremum({"test", ".", "--json", "-"}).out);
  ASSERT_EQ(json.at("cases").size(), 2u);
  for (const auto& test : json.at("cases")) {
    const std::string command = test.at("reproduce");
    const ProcessResult again = Shell(command);
    EXPECT_EQ(again.status, 1) << command << again.err;
    EXPECT_THAT(again.out, AllOf(HasSubstr("FAIL "), HasSubstr("reproduce: " + command),
                                 HasSubstr("0 passed, 1 failed")));
  }
}

TEST_F(TestVerb, OperatorsAndTypesThatAreNotOursAreSkippedWithTheReason) {
  ModelBuilder relu;
  relu.Input("x", kFloat, {2}).Output("y", kFloat, {2});
  relu.Node("Relu", {"x"}, {"y"}, "act");
  WriteModel("operator", relu);
  ModelBuilder text;
  text.Input("x", onnx::TensorProto::STRING, {2}).Output("y", onnx::TensorProto::STRING, {2});
  text.Node("Identity", {"x"}, {"y"});
  WriteModel("type", text);
  ModelBuilder sequence;
  sequence.Input("x", kFloat, {2}).Output("y", kFloat, {2});
  sequence.Node("Identity", {"x"}, {"y"});
  for (onnx::ValueInfoProto* info :
       {sequence.graph()->mutable_input(0), sequence.graph()->mutable_output(0)}) {
    info->mutable_type()->mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type()->set_elem_type(
        kFloat);
  }
  WriteModel("sequence", sequence);
  const ProcessResult result = Supremum({"test", "."});
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_THAT(result.out, ContainsRegex("SKIP operator .*: unsupported operator: node 'act' \\(Relu\\)"));
  EXPECT_THAT(result.out, ContainsRegex("SKIP type .*'x' is string"));
  EXPECT_THAT(result.out, ContainsRegex("SKIP sequence .*: .*type"));
  EXPECT_THAT(result.out, EndsWith("\n0 passed, 0 failed, 3 skipped\n"));
}

// Rules: TYP-3
TEST_F(TestVerb, ATypeThatTheOpsetLacksIsAFailure) {
  ModelBuilder model(8);
  model.Input("x", onnx::TensorProto::INT32, {2}).Output("y", onnx::TensorProto::INT32, {2});
  model.Node("Max", {"x"}, {"y"});
  WriteModel("c", model);
  std::filesystem::create_directories(File("c/test_data_set_0"));
  WriteTensor<std::int32_t>("c/test_data_set_0/input_0.pb", {2}, {1, 2});
  WriteTensor<std::int32_t>("c/test_data_set_0/output_0.pb", {2}, {1, 2});
  const ProcessResult result = Supremum({"test", "c"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("type not admitted"));
}

TEST_F(TestVerb, BrokenCasesFail) {
  std::filesystem::create_directories(File("broken"));
  WriteText(File("broken/model.onnx"), "\xff\xff");
  WriteModel("no_data", FuseModel({2}, {2}, {2}));
  WriteCase("no_output", {1, 2}, {2, 1}, {2, 2});
  std::filesystem::remove(File("no_output/test_data_set_0/output_0.pb"));
  WriteCase("gap", {1, 2}, {2, 1}, {2, 2});
  std::filesystem::rename(File("gap/test_data_set_0/input_1.pb"), File("gap/test_data_set_0/input_2.pb"));
  WriteCase("extra", {1, 2}, {2, 1}, {2, 2});
  WriteTensor<float>("extra/test_data_set_0/input_2.pb", {2}, {1, 2});
  const ProcessResult result = Supremum({"test", "."});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("no test_data_set_*"));
  EXPECT_THAT(result.out, HasSubstr("0 output files, but the model has 1"));
  EXPECT_THAT(result.out, HasSubstr("input_1.pb"));
  EXPECT_THAT(result.out, HasSubstr("3 input files, but the model has 2"));
  EXPECT_THAT(result.out, EndsWith("\n0 passed, 5 failed, 0 skipped\n"));
}

// Rules: BRO-2
TEST_F(TestVerb, ARefusalMayBeExpected) {
  const auto expect_refusal = [this](const std::string& path, const std::string& word) {
    WriteText(File(path + "/test_data_set_0/refusal.txt"), word);
    std::filesystem::remove(File(path + "/test_data_set_0/output_0.pb"));
  };
  const auto write = [this](const std::string& path) {
    WriteModel(path, FuseModel({std::nullopt}, {std::nullopt}, {std::nullopt}));
    WriteDataSet(path, 0, {1, 2}, {2, 1}, {2, 2});
    WriteTensor<float>(path + "/test_data_set_0/input_1.pb", {3}, {1, 2, 3});
  };
  for (const std::string word : {"BRO-2", "not_broadcastable\n"}) {
    write("right");
    expect_refusal("right", word);
    EXPECT_EQ(Supremum({"test", "right"}).status, 0) << word;
  }
  WriteCase("loaded", {1, 2}, {2, 1}, {2, 2});
  WriteText(File("loaded/model.onnx"), "\xff\xff");
  expect_refusal("loaded", "malformed_file");
  EXPECT_EQ(Supremum({"test", "loaded"}).status, 0);

  write("wrong_rule");
  expect_refusal("wrong_rule", "BRO-4");
  WriteCase("computed", {1, 2}, {2, 1}, {2, 2});
  expect_refusal("computed", "BRO-2");
  write("both");
  expect_refusal("both", "BRO-2");
  WriteTensor<float>("both/test_data_set_0/output_0.pb", {2}, {2, 2});
  write("empty");
  expect_refusal("empty", "\n");
  const ProcessResult result = Supremum({"test", "wrong_rule", "computed", "both", "empty"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("expected to be refused by BRO-4, not: E1 not broadcastable"),
                    HasSubstr("expected to be refused by BRO-2, but it was computed"),
                    HasSubstr("both output_*.pb and refusal.txt"), HasSubstr("refusal.txt' is empty"),
                    EndsWith("\n0 passed, 4 failed, 0 skipped\n")));
}

TEST_F(TestVerb, NoCaseIsNoSuccess) {
  std::filesystem::create_directories(File("empty"));
  const ProcessResult result = Supremum({"test", "empty"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("no test case"));
  ExpectFailure(Supremum({"test", "missing"}), 4, {"missing"});
}

TEST_F(TestVerb, FilterTakesTextOrAPattern) {
  for (const char* name : {"cases/test_max_one", "cases/test_max_two", "cases/test_min_one"}) {
    WriteCase(name, {1, 2}, {2, 1}, {2, 2});
  }
  const auto passed = [&](const std::string& filter) {
    return ParseJson(Supremum({"test", "cases", "--filter", filter, "--json", "-"}).out).at("passed");
  };
  EXPECT_EQ(passed("max"), 2);
  EXPECT_EQ(passed("one"), 2);
  EXPECT_EQ(passed("test_max_*"), 2);
  EXPECT_EQ(passed("cases/*_one"), 2);
  EXPECT_EQ(passed("max_*_one"), 0);
  EXPECT_EQ(passed(""), 3);
  EXPECT_EQ(Supremum({"test", "cases", "--filter", "nothing"}).status, 1);
}

TEST_F(TestVerb, LinksInCirclesEndAndACaseCountsOnce) {
  WriteCase("cases/a", {1, 2}, {2, 1}, {2, 2});
  std::filesystem::create_directory_symlink("..", File("cases/a/up"));
  std::filesystem::create_directory_symlink("a", File("cases/b"));
  const ProcessResult result = Supremum({"test", "cases", "cases/b"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 passed, 0 failed, 0 skipped"));
}

TEST_F(TestVerb, JsonHoldsEveryCase) {
  WriteCase("cases/good", {1, 2}, {2, 1}, {2, 2});
  WriteCase("cases/bad", {1, 2}, {2, 1}, {2, 3});
  const ProcessResult result = Supremum({"test", "cases", "--json", "r.json"});
  EXPECT_EQ(result.status, 1);
  const auto json = ParseJson(ReadText(File("r.json")));
  EXPECT_EQ(json.at("passed"), 1);
  EXPECT_EQ(json.at("failed"), 1);
  EXPECT_EQ(json.at("skipped"), 0);
  EXPECT_EQ(json.at("cases").at(0).at("path"), "cases/bad");
  EXPECT_EQ(json.at("cases").at(0).at("outcome"), "failed");
  EXPECT_THAT(json.at("cases").at(0).at("reasons").at(0).get<std::string>(), HasSubstr("element [1]"));
  EXPECT_FALSE(json.at("cases").at(1).contains("reproduce"));
}

}  // namespace
}  // namespace supremum::test
