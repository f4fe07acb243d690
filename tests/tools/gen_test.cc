// supremum gen.
#include <set>

#include "supremum/model.h"
#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class Gen : public CommandTest {
 protected:
  /// Runs gen with these options, separated by blanks, into `folder`; it must succeed.
  void Make(const std::string& options, const std::string& folder) const {
    const ProcessResult result = Shell("supremum gen " + options + " --output " + folder);
    EXPECT_EQ(result.status, 0) << options << result.err;
  }
  /// The bytes of every file of a test case.
  std::vector<std::string> Bytes(const std::string& folder) const {
    std::vector<std::string> bytes;
    for (const std::string& name : Names(folder)) bytes.push_back(ReadText(File(folder + "/" + name)));
    return bytes;
  }
  std::vector<std::string> Names(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(File(folder))) {
      if (!entry.is_directory()) names.push_back(entry.path().lexically_relative(File(folder)));
    }
    std::ranges::sort(names);
    return names;
  }
};

TEST_F(Gen, ACaseHasAModelItsInputsAndItsOutput) {
  const ProcessResult result =
      Supremum({"gen", "--op", "Max", "--shape", "2,3", "--shape", "3", "-o", "made/max"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("made/max/test_data_set_0/output_0.pb"), EndsWith("\nseed 1\n")));
  EXPECT_THAT(Names("made/max"), ElementsAre("model.onnx", "test_data_set_0/input_0.pb",
                                             "test_data_set_0/input_1.pb", "test_data_set_0/output_0.pb"));
  EXPECT_EQ(Supremum({"check", "made/max/model.onnx", "--profile", "sonnx"}).status, 0);
  const Result<Model> model = Model::Load(File("made/max/model.onnx"));
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(ToString(model->outputs()[0]), "float32[2,3]");
  EXPECT_EQ(std::filesystem::directory_iterator(File("made"))->path().filename(), "max");
}

// The kernels give what the reference computed.
TEST_F(Gen, EveryTypeAndKindOfValuesPassesTheTest) {
  for (const DType dtype : kAllDTypes) {
    for (const char* values : {"random", "edge", "bits"}) {
      const std::string rest = " --values " + std::string(values) + " --dtype " + std::string(Name(dtype));
      const std::string name = std::string(Name(dtype)) + "-" + values;
      if (dtype != DType::kBool)
        Make("--op Max --shape 7,33 --shape 33 --shape ''" + rest, "made/max-" + name);
      const bool in_onnx = dtype != DType::kInt16 && dtype != DType::kUInt16;
      if (in_onnx) Make("--op ReduceMax --opset 20 --axes -1 --shape 7x33" + rest, "made/reduce-" + name);
    }
  }
  EXPECT_THAT(Supremum({"test", "made"}).out, EndsWith("\n69 passed, 0 failed, 0 skipped\n"));
}

// Rules: RED-2, RED-3, RED-5
TEST_F(Gen, ReduceMaxTakesItsAttributesInEveryOpset) {
  Make("--op ReduceMax --opset 1 --shape 2,3,4 --axes 0,2 --keepdims 0", "made/a");
  Make("--op ReduceMax --opset 11 --shape 2,3,4 --axes=-1", "made/b");
  Make("--op ReduceMax --opset 18 --shape 2,3,4 --axes 1 --keepdims 0", "made/c");
  Make("--op ReduceMax --opset 18 --shape 2,3,4", "made/d");
  Make("--op ReduceMax --opset 18 --shape 2,3,4 --noop-with-empty-axes", "made/e");
  Make("--op ReduceMax --opset 20 --shape 2,0,4 --axes 1 --dtype int32", "made/f");
  EXPECT_THAT(Supremum({"test", "made"}).out, EndsWith("\n6 passed, 0 failed, 0 skipped\n"));
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    const std::string model = "made/" + std::string(name) + "/model.onnx";
    EXPECT_THAT(Supremum({"check", model}).out, HasSubstr(" 0 failed, 0 undecided")) << name;
  }
  EXPECT_THAT(ReadElements<std::int32_t>("made/f/test_data_set_0/output_0.pb"),
              ::testing::Each(std::numeric_limits<std::int32_t>::min()));
  EXPECT_EQ(ReadElements<float>("made/e/test_data_set_0/output_0.pb").size(), 24u);
}

TEST_F(Gen, TheBytesFollowFromTheOptionsAndTheSeed) {
  for (const char* values : {"random", "edge", "bits"}) {
    const std::string options = "--dtype f16 --shape 50 --shape 50 --values " + std::string(values);
    const std::string name = "made/" + std::string(values);
    Make(options + " --seed 7", name + "-a");
    Make(options + " --seed 7", name + "-b");
    Make(options + " --seed 8", name + "-c");
    EXPECT_EQ(Bytes(name + "-a"), Bytes(name + "-b"));
    EXPECT_NE(Bytes(name + "-a"), Bytes(name + "-c"));
    EXPECT_NE(ReadText(File(name + "-a/test_data_set_0/input_0.pb")),
              ReadText(File(name + "-a/test_data_set_0/input_1.pb")));
  }
}

TEST_F(Gen, EdgesAreTheEdgesOfTheType) {
  Make("--dtype f16 --shape 4096 --values edge", "f16");
  std::set<std::uint16_t> floats;
  for (Float16 value : ReadElements<Float16>("f16/test_data_set_0/input_0.pb")) floats.insert(value.bits);
  EXPECT_THAT(floats, ElementsAre(0x0000, 0x0001, 0x03FF, 0x0400, 0x3BFF, 0x3C00, 0x3C01, 0x7BFF, 0x7C00,
                                  0x7C01, 0x7E00, 0x7FFF, 0x8000, 0x8001, 0x83FF, 0x8400, 0xBBFF, 0xBC00,
                                  0xBC01, 0xFBFF, 0xFC00, 0xFC01, 0xFE00, 0xFFFF));
  Make("--dtype int8 --shape 4096 --values edge", "i8");
  const auto integers = ReadElements<std::int8_t>("i8/test_data_set_0/input_0.pb");
  EXPECT_THAT(std::set<int>(integers.begin(), integers.end()),
              ElementsAre(-128, -127, -2, -1, 0, 1, 126, 127));
}

TEST_F(Gen, AnEmptyFolderIsFilled) {
  std::filesystem::create_directory(File("empty"));
  std::filesystem::permissions(File("empty"), std::filesystem::perms::owner_all);
  EXPECT_EQ(Supremum({"gen", "--shape", "3", "-o", "empty"}).status, 0);
  EXPECT_EQ(std::filesystem::status(File("empty")).permissions(), std::filesystem::perms::owner_all);
  EXPECT_EQ(Supremum({"test", "empty"}).status, 0);
}

TEST_F(Gen, WhatTheOpsetDoesNotAdmitIsRefusedBeforeAnythingIsWritten) {
  const std::vector<std::pair<std::vector<std::string>, int>> refused = {
      {{"--shape", "2", "--opset", "12", "--dtype", "bf16"}, 3},
      {{"--shape", "2", "--shape", "1", "--opset", "7"}, 3},
      {{"--shape", "2", "--shape", "3"}, 3},
      {{"--shape", "2", "--dtype", "bool"}, 3},
      {{"--op", "ReduceMax", "--shape", "2", "--dtype", "int16", "--opset", "20"}, 3},
      {{"--op", "ReduceMax", "--shape", "2", "--axes", "1"}, 3},
      {{"--op", "ReduceMax", "--shape", "2", "--axes=-1", "--opset", "1"}, 3},
      {{"--op", "ReduceMax", "--shape", "2", "--shape", "2"}, 2},
      {{"--op", "ReduceMax"}, 2},
      {{"--op", "ReduceMax", "--shape", "2", "--noop-with-empty-axes"}, 2},
      {{"--shape", "2", "--axes", "0"}, 2},
      {{"--shape", "2,-1"}, 2},
      {{"--shape", "2,x"}, 2},
      {{"--shape", "2", "--dtype", "float8"}, 2},
      {{"--shape", "2", "--opset", "0"}, 2},
      {{"--shape", "1000000", "--max-bytes", "1000"}, 3},
      {{}, 2}};
  for (const auto& [options, status] : refused) {
    std::vector<std::string> arguments = {"gen", "-o", "made"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    ExpectFailure(Supremum(arguments), status);
    EXPECT_FALSE(Exists("made/model.onnx"));
  }
}

TEST_F(Gen, JsonNamesTheTensors) {
  const auto json = ParseJson(Supremum({"gen", "--shape", "2", "-o", "c", "--json", "-"}).out);
  EXPECT_EQ(json.at("verb"), "gen");
  EXPECT_EQ(json.at("seed"), 1);
  EXPECT_EQ(json.at("tensors").at(1).at("name"), "y");
  EXPECT_EQ(json.at("tensors").at(1).at("file"), "c/test_data_set_0/output_0.pb");
}

}  // namespace
}  // namespace supremum::test
