// --bound of max, reduce-max and run.

#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Bound : public CommandTest {
 protected:
  void SetUp() override {
    PrepareFuse();  // a: 1 -2 3 -4 5 -6, b: -1 2 -3 4 -5 6
    WriteTensor<float>("e.npy", {}, {0.5f});
    WriteTensor<float>("rows.npy", {2, 1}, {1, 8});
  }

  std::vector<float> Floats(const std::string& name) const { return ReadElements<float>(name); }
};

// Rules: ACC-2, ACC-3
TEST_F(Bound, MaxWritesWhatIsKnownBesideTheResult) {
  const ProcessResult result =
      Supremum({"max", "a.npy", "b.npy", "--bound", "a.npy=rows.npy", "--bound", "1=e.npy", "-o", "y.npy"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(Floats("y.npy"), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(Floats("y.bound.npy"), ElementsAre(1, 1, 1, 8, 8, 8));
  EXPECT_THAT(Floats("y.lower.npy"), ElementsAre(0, 1.5, 2, 3.5, -3, 5.5));
  EXPECT_THAT(Floats("y.upper.npy"), ElementsAre(2, 2.5, 4, 4.5, 13, 6.5));
  EXPECT_THAT(result.out, HasSubstr("y.upper  float32  [2,3]"));
}

// Rules: ACC-2, ACC-3
TEST_F(Bound, WithoutItNothingButTheResultIsWritten) {
  EXPECT_EQ(Supremum({"max", "a.npy", "b.npy", "-o", "y.npy"}).status, 0);
  EXPECT_FALSE(Exists("y.bound.npy") || Exists("y.lower.npy") || Exists("y.upper.npy"));
}

TEST_F(Bound, FilesHaveTheFormatAndTheFolderOfTheResult) {
  std::filesystem::create_directories(File("out.d"));
  EXPECT_EQ(Supremum({"max", "a.npy", "--bound", "a.npy=e.npy", "-o", "out.d/y.pb"}).status, 0);
  EXPECT_THAT(Floats("out.d/y.upper.pb"), ElementsAre(1.5, -1.5, 3.5, -3.5, 5.5, -5.5));
  EXPECT_THAT(Floats("out.d/y.bound.pb"), ::testing::Each(0.5f));
}

// Rules: ACC-2, ACC-3, RED-1
TEST_F(Bound, ReduceMaxEnclosesTheMaximumAlongAxes) {
  const ProcessResult result =
      Supremum({"reduce-max", "a.npy", "--axes", "-1", "--bound", "a.npy=rows.npy", "-o", "y.npy"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(Floats("y.npy"), ElementsAre(3, 5));
  EXPECT_THAT(Floats("y.bound.npy"), ElementsAre(1, 8));
  EXPECT_THAT(Floats("y.lower.npy"), ElementsAre(2, -3));
  EXPECT_THAT(Floats("y.upper.npy"), ElementsAre(4, 13));
}

// Rules: ACC-2, ACC-3
TEST_F(Bound, RunWritesWhatIsKnownOfEveryOutput) {
  const ProcessResult result = Supremum({"run", "fuse.onnx", "-i", "a.npy", "-i", "b.npy", "--bound",
                                         "a=rows.npy", "-d", "out", "--json", "-"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(Floats("out/y.npy"), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(Floats("out/y.bound.npy"), ElementsAre(1, 1, 1, 8, 8, 8));
  EXPECT_THAT(Floats("out/y.lower.npy"), ElementsAre(0, 2, 2, 4, -3, 6));
  EXPECT_THAT(Floats("out/y.upper.npy"), ElementsAre(2, 2, 4, 4, 13, 6));
  const nlohmann::json json = ParseJson(result.out);
  EXPECT_EQ(json.at("bounds").dump(), R"({"a":"rows.npy"})");
  EXPECT_EQ(json.at("outputs").size(), 4u);
  EXPECT_EQ(json.at("outputs").at(3).at("name"), "y.upper");
}

// Rules: ACC-2
TEST_F(Bound, AnOutputsFileKeepsItsNameWhateverItIsCalled) {
  ModelBuilder model;
  model.Input("a", kFloat, {1}).Output("y", kFloat, {1}).Output("y.bound", kFloat, {1});
  model.Node("Max", {"a"}, {"y"});
  model.Node("Identity", {"a"}, {"y.bound"});
  model.Save(File("m.onnx"));
  WriteTensor<float>("one.npy", {1}, {7});
  EXPECT_EQ(Supremum({"run", "m.onnx", "-i", "one.npy", "--bound", "a=e.npy", "-d", "out"}).status, 0);
  EXPECT_THAT(Floats("out/y.bound.npy"), ElementsAre(7)) << "the output of that name";
  EXPECT_THAT(Floats("out/y.bound%copy2.npy"), ElementsAre(0.5)) << "what is known of y";
}

// Rules: ACC-2, TYP-1
TEST_F(Bound, OfBFloat16NeedsNoTypeOfItsOwn) {
  WriteTensor<BFloat16>("v.npy", {1}, {BFloat16{0x3F80}});
  WriteTensor<BFloat16>("ev.npy", {1}, {BFloat16{0x0001}});
  const ProcessResult result =
      Supremum({"max", "v.npy", "--dtype", "bfloat16", "--bound", "v.npy=ev.npy", "-o", "y.npy"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(ReadElements<BFloat16>("y.lower.npy").at(0).bits, 0x3F7F);
  EXPECT_EQ(ReadElements<BFloat16>("y.upper.npy").at(0).bits, 0x3F81);
}

// Rules: ACC-2
TEST_F(Bound, OnAnErrorNoFileIsTouched) {
  const std::vector<std::string> files = {"y.npy", "y.bound.npy", "y.lower.npy", "y.upper.npy"};
  for (const std::string& file : files) WriteText(File(file), "before");
  WriteTensor<float>("negative.npy", {3}, {0, -1, 0});
  WriteTensor<float>("long.npy", {4}, {0, 0, 0, 0});
  WriteTensor<double>("double.npy", {}, {0.5});
  const auto max = [&](const std::vector<std::string>& bounds) {
    std::vector<std::string> arguments = {"max", "a.npy", "b.npy", "-o", "y.npy"};
    for (const std::string& bound : bounds) arguments.insert(arguments.end(), {"--bound", bound});
    return Supremum(arguments);
  };
  ExpectFailure(max({"b.npy=negative.npy"}), 3,
                {"negative bound: the bound of input 'b.npy' is below zero at index [1]", "ACC-2"});
  ExpectFailure(max({"b.npy=long.npy"}), 3, {"E1", "the bound of input 'b.npy' has shape [4]", "[2,3]"});
  ExpectFailure(max({"b.npy=double.npy"}), 3, {"type mismatch: the bound of input 'b.npy' has type float64"});
  ExpectFailure(max({"b.npy=none.npy"}), 4, {"none.npy"});
  ExpectFailure(max({"c.npy=e.npy"}), 2, {"--bound c.npy=e.npy", "NAME=FILE", "'a.npy', 'b.npy'"});
  ExpectFailure(max({"e.npy"}), 2, {"--bound e.npy", "NAME=FILE"});
  ExpectFailure(max({"a.npy=e.npy", "0=e.npy"}), 2, {"--bound 0=e.npy", "'a.npy' already has a bound"});
  for (const std::string& file : files) EXPECT_EQ(ReadText(File(file)), "before") << file;

  const auto run = [&](const std::string& bound) {
    return Supremum({"run", "fuse.onnx", "-i", "a.npy", "-i", "b.npy", "-d", ".", "--bound", bound});
  };
  ExpectFailure(run("a=negative.npy"), 3, {"negative bound", "fuse.onnx", "the bound of input 'a'", "[1]"});
  ExpectFailure(run("q=e.npy"), 2, {"--bound q=e.npy", "the inputs are 'a', 'b'"});
  for (const std::string& file : files) EXPECT_EQ(ReadText(File(file)), "before") << file;
}

// Rules: ACC-2
TEST_F(Bound, NoFileAppearsWhereOneCannotBeWritten) {
  std::filesystem::create_directories(File("y.upper.npy"));
  ExpectFailure(Supremum({"max", "a.npy", "--bound", "0=e.npy", "-o", "y.npy"}), 4, {"y.upper.npy"});
  EXPECT_FALSE(Exists("y.npy") || Exists("y.bound.npy") || Exists("y.lower.npy"));
}

// Rules: ACC-2
TEST_F(Bound, IsRefusedForOneDnnGraphs) {
  WriteText(File("graph.json"), "{}");
  ExpectFailure(Supremum({"run", "graph.json", "--bound", "0=e.npy"}), 2,
                {"--bound 0=e.npy", "oneDNN graph"});
}

}  // namespace
}  // namespace supremum::test
