// The help of every verb, its examples, and the command line as such.
#include <algorithm>
#include <sstream>

#include "tools/command.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

const std::vector<std::string> kVerbs = {"run",     "max",    "reduce-max", "inspect", "check", "annotate",
                                         "extract", "emit-c", "test",       "compare", "gen",   "targets"};

class Help : public CommandTest {
 protected:
  /// The files that the examples name.
  void PrepareExamples() const {
    PrepareFuse();
    WriteTensor<float>("a.safetensors", {2, 3}, {1, -2, 3, -4, 5, -6});
    FuseModel({"N", 3}, {"N", 3}, {"N", 3}).Save(File("batch.onnx"));
    WriteTensor<float>("e.npy", {}, {0.5f});
    WriteTensor<BFloat16>("v.npy", {1}, {BFloat16{0x3F80}});
    WriteTensor<BFloat16>("w.npy", {1}, {BFloat16{0x4000}});
    ModelBuilder brain;
    brain.Input("v", onnx::TensorProto::BFLOAT16, {1}).Input("w", onnx::TensorProto::BFLOAT16, {1});
    brain.Output("y", onnx::TensorProto::BFLOAT16, {1}).Node("Max", {"v", "w"}, {"y"});
    brain.Save(File("brain.onnx"));
    ModelBuilder net;
    net.Input("x", kFloat, {"batch", 2}).Output("y", kFloat, {"batch", 2});
    net.Node("Relu", {"x"}, {"t"});
    net.Node("Max", {"t", "x"}, {"y"}, "fuse");
    net.ValueInfo("t", kFloat, {"batch", 2}).Save(File("net.onnx"));
    WriteText(File("graph.json"), R"({"version": "3.0.0", "graph": [{"id": 0, "kind": "ReduceMax", "attrs":
      {"axes": {"type": "s64[]", "value": [1]}}, "inputs": [{"id": 0, "dtype": "f32", "shape": [2, 3]}],
      "outputs": [{"id": 1, "dtype": "f32", "shape": [2]}]}]})");
    WriteTensor<float>("huge.npy", {2, 3}, {1, 5, 2, 4, 3, 6});
    WriteTensor<float>("mask.npy", {3}, {0, 9, 0});
    const std::string data = "cases/test_max_example/test_data_set_0";
    std::filesystem::create_directories(File(data));
    FuseModel({2}, {2}, {2}).Save(File("cases/test_max_example/model.onnx"));
    WriteTensor<float>(data + "/input_0.pb", {2}, {1, 2});
    WriteTensor<float>(data + "/input_1.pb", {2}, {2, 1});
    WriteTensor<float>(data + "/output_0.pb", {2}, {2, 2});
  }

  std::vector<std::string> ExamplesOf(const std::string& verb) const {
    std::istringstream help(Supremum({verb, "--help"}).out);
    std::vector<std::string> examples;
    bool inside = false;
    for (std::string line; std::getline(help, line);) {
      inside = inside || line == "Examples:";
      if (inside && line.starts_with("  supremum ")) examples.push_back(line.substr(2));
    }
    return examples;
  }
};

TEST_F(Help, EveryExampleOfEveryVerbRuns) {
  PrepareExamples();
  for (const std::string& verb : kVerbs) {
    const std::vector<std::string> examples = ExamplesOf(verb);
    EXPECT_GE(examples.size(), 2u) << verb;
    for (const std::string& example : examples) {
      const ProcessResult result = Shell(example);
      EXPECT_EQ(result.status, 0) << example << "\n" << result.out << result.err;
      EXPECT_NE(result.out, "") << example;
    }
  }
}

TEST_F(Help, NamesTheVerbsAndTheExitStatuses) {
  const ProcessResult result = Supremum({"--help"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  for (const std::string& verb : kVerbs) EXPECT_THAT(result.out, HasSubstr("\n  " + verb + " "));
  EXPECT_THAT(result.out, HasSubstr("Exit status:\n  0  success\n  1  "));
  EXPECT_EQ(Supremum({"-h"}).out, result.out);
}

TEST_F(Help, NamesEveryTypeAndSoDoesTheErrorOfAWrongOne) {
  const std::string help = Supremum({"--help"}).out;
  for (const DType dtype : kAllDTypes) {
    const std::string name(Name(dtype));
    EXPECT_THAT(help,
                MatchesRegex("(.|\n)*\nTypes:\n(.|\n)*[ \n]" + name + "[ \n](.|\n)*\nExit status:(.|\n)*"));
    ExpectFailure(Supremum({"max", "a.npy", "-o", "y.npy", "--dtype", "float33"}), 2, {"'float33'", name});
    ExpectFailure(Supremum({"gen", "-o", "x", "--shape", "2", "--dtype", "float33"}), 2, {"'float33'", name});
  }
  for (const std::string name : {"bf16", "f16", "f32", "f64"}) {
    EXPECT_THAT(help, HasSubstr(name));
    EXPECT_TRUE(ParseDType(name)) << name;
  }
}

TEST_F(Help, VersionIsANumberAfterTheName) {
  const ProcessResult result = Supremum({"--version"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, MatchesRegex("supremum [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(Help, AWrongCommandLineHasStatusTwoAndPointsToTheHelp) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"fly"}, "there is no verb 'fly' (see supremum --help)"},
      {{"--hepl"}, "there is no option '--hepl' (see supremum --help)"},
      {{}, "a verb is missing (see supremum --help)"},
      {{"reduce-max", "a.npy", "--axis", "0", "-o", "y.npy"},
       "there is no option '--axis' (see supremum reduce-max --help)"},
      {{"max", "a.npy", "--otput", "y.npy"}, "there is no option '--otput' (see supremum max --help)"},
      {{"max", "a.npy"}, "--output is required"},
      {{"run", "m.onnx", "--profil=sonnx"}, "there is no option '--profil'"},
      {{"reduce-max", "a.npy", "--axes", "0", "1", "-o", "y.npy"},
       "'1' was not expected; a flag takes no value, and axes are one list, with commas"},
      {{"check", "m.onnx", "--no-broadcast", "1"}, "'1' was not expected; a flag takes no value"},
      {{"check", "m.onnx", "--json"}, "--json needs a value: --json FILE"},
      {{"max", "a.npy", "--json", "-o", "y.npy"}, "its value is missing: '-o' is an option"},
      {{"run"}, "MODEL"},
      {{"run", "m.onnx", "--profile", "other"}, "other"},
      {{"run", "m.onnx", "--format", "png"}, "png"},
      {{"run", "m.onnx", "--random", "-1"}, "--random"},
      {{"run", "m.onnx", "--random", "0x10"}, "0x10"},
      {{"run", "m.onnx", "--random", "18446744073709551616"}, "--random"},
      {{"run", "m.onnx", "--dim", "N"}, "NAME=VALUE"},
      {{"run", "m.onnx", "--dim", "N=-3"}, "-3"},
      {{"run", "m.onnx", "--dim", "N=3", "--dim", "N=3"}, "twice"},
      {{"run", "m.onnx", "--max-bytes", "1e9"}, "1e9"},
      {{"max", "-o", "y.npy"}, "INPUT"},
      {{"max", "a.npy"}, "--output"},
      {{"test"}, "DIR"},
      {{"compare", "a.npy"}, "B is required"},
      {{"gen", "--shape", "2"}, "--output"},
      {{"gen", "-o", "x", "--op", "Min"}, "Min"},
  };
  for (const auto& [arguments, text] : cases) ExpectFailure(Supremum(arguments), 2, {text});
}

TEST_F(Help, ALimitOfBytesMayHaveAUnitInEveryVerb) {
  WriteTensor<float>("a.npy", {6}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Supremum({"max", "a.npy", "-o", "y.npy", "--max-bytes", "1GiB"}).status, 0);
  EXPECT_EQ(Supremum({"max", "a.npy", "-o", "y.npy", "--max-bytes", "24"}).status, 0);
  ExpectFailure(Supremum({"max", "a.npy", "-o", "y.npy", "--max-bytes", "1gib"}), 2,
                {"'1gib' is not a number of bytes; the form is 64MiB, 2GB or 1000000"});
}

}  // namespace
}  // namespace supremum::test
