// supremum run, for oneDNN graphs.
#include <sstream>

#include "tools/report.h"

namespace supremum::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char kExample[] = "examples/onednn/best_score.json";

std::string SourceText(const std::string& name) { return ReadText(SUPREMUM_SOURCE_DIR "/" + name); }

/// y = ReduceMax(x) along the last dimension; `tensors` begins with x, which an input of axes may follow.
std::string ReduceText(const std::string& tensors, const std::string& attrs = R"("axes": {"type": "s64[]",
                       "value": [1]})",
                       const std::string& y = R"({"id": 1, "dtype": "f32", "shape": [-1]})") {
  return R"({"version": "3.0.0", "graph": [{"id": 0, "name": "best", "kind": "ReduceMax", "attrs": {)" +
         attrs + R"(}, "inputs": [)" + tensors + R"(], "outputs": [)" + y + "]}]}";
}

const char kX[] = R"({"id": 0, "dtype": "f32", "shape": [2, 3]})";

class RunOneDnn : public ReportTest {
 protected:
  void SetUp() override {
    WriteText(File("g.json"), ReduceText(kX));
    WriteTensor<float>("x.npy", {2, 3}, {1, 5, 2, 4, 3, 6});
  }

  nlohmann::json RunJson(const std::vector<std::string>& arguments) const {
    return Report(With({"run"}, arguments));
  }
};

// Rules: RED-1
TEST_F(RunOneDnn, AnOutputGoesToAFileWithItsId) {
  for (const char* input : {"0=x.npy", "x.npy"}) {
    const ProcessResult result = Supremum({"run", "g.json", "--input", input, "--output-dir", "out"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("out/1.npy"));
    EXPECT_THAT(ReadElements<float>("out/1.npy"), ElementsAre(5, 6));
  }
}

TEST_F(RunOneDnn, AGraphIsKnownByItsNameOrItsFirstByte) {
  WriteText(File("graph.dump"), "\xEF\xBB\xBF \r\n\t" + ReduceText(kX));
  EXPECT_EQ(Supremum({"run", "graph.dump", "--input", "x.npy"}).status, 0);
  WriteText(File("empty.json"), "");
  ExpectFailure(Supremum({"run", "empty.json", "--random", "1"}), 3, {"'empty.json'", "byte 0", "not JSON"});
  WriteText(File("empty"), "");
  ExpectFailure(Supremum({"run", "empty", "--random", "1"}), 3, {"'empty'", "the file is empty"});
  ExpectFailure(Supremum({"run", "none.json"}), 4, {"'none.json'"});
  ExpectFailure(Supremum({"run", "none"}), 4, {"'none'"});
}

// Rules: RED-4, TYP-5
TEST_F(RunOneDnn, AxesComeFromAFileAndNeverAtRandom) {
  WriteText(File("g.json"), ReduceText(std::string(kX) + R"(, {"id": 7, "dtype": "s32", "shape": [1]})", ""));
  WriteTensor<std::int32_t>("axes.npy", {1}, {-2});
  WriteTensor<std::int64_t>("long.npy", {1}, {-2});
  const std::vector<std::string> run = {"run", "g.json", "--input", "0=x.npy", "--output-dir", "out"};
  const auto with = [&](const std::vector<std::string>& more) { return Supremum(With(run, more)); };
  EXPECT_EQ(with({"--input", "7=axes.npy"}).status, 0);
  EXPECT_THAT(ReadElements<float>("out/1.npy"), ElementsAre(4, 5, 6));
  ExpectFailure(with({"--input", "7=long.npy"}), 3, {"input '7' has type int64", "s32 (int32)"});
  ExpectFailure(with({"--random", "1"}), 2, {"input '7' is the axes", "--input 7=FILE"});
  ExpectFailure(with({}), 2, {"input '7' (int32[1]) is not given", "--input 7=FILE"});
}

TEST_F(RunOneDnn, OptionsThatAreAboutModelsAreRefused) {
  ExpectFailure(Supremum({"run", "g.json", "--random", "1", "--profile", "sonnx"}), 2,
                {"--profile sonnx", "g.json is a oneDNN graph", "leave it out"});
  ExpectFailure(Supremum({"run", "g.json", "--random", "1", "--dim", "N=2"}), 2,
                {"--dim N", "g.json, a oneDNN graph, have no names"});
}

// Rules: PRO-6
TEST_F(RunOneDnn, TheStricterSwitchIsObeyed) {
  WriteText(File("m.json"), R"({"version": "3.0.0", "graph": [{"id": 0, "kind": "Maximum", "inputs": [)" +
                                std::string(kX) + R"(, {"id": 2, "dtype": "f32", "shape": [3]}],
                                "outputs": [{"id": 1, "dtype": "f32", "shape": [2, 3]}]}]})");
  EXPECT_EQ(Supremum({"run", "m.json", "--random", "1"}).status, 0);
  ExpectFailure(Supremum({"run", "m.json", "--random", "1", "--no-broadcast"}), 3, {"PRO-6", "[2,3]", "[3]"});
}

TEST_F(RunOneDnn, JsonSaysWhatItSaysOfModels) {
  const nlohmann::json json = RunJson({"g.json", "--random", "1", "-d", "out", "--sha256"});
  EXPECT_EQ(json.at("model"), "g.json");
  EXPECT_TRUE(json.at("profile").is_null());
  EXPECT_EQ(json.at("seed"), 1);
  EXPECT_EQ(json.at("inputs").at(0).at("name"), "0");
  EXPECT_EQ(json.at("inputs").at(0).at("source"), "random");
  const nlohmann::json& y = json.at("outputs").at(0);
  EXPECT_EQ(y.at("name"), "1");
  EXPECT_EQ(y.at("shape"), nlohmann::json::array({2}));
  EXPECT_EQ(y.at("file"), "out/1.npy");
  EXPECT_EQ(y.at("sha256"),
            RunJson({"g.json", "--random", "1", "--sha256"}).at("outputs").at(0).at("sha256"));
}

TEST_F(RunOneDnn, AnInputOfUnknownExtentComesFromAFile) {
  WriteText(File("g.json"), ReduceText(R"({"id": 0, "dtype": "f32", "shape": [-1, 3]})"));
  ExpectFailure(Supremum({"run", "g.json", "--random", "5"}), 3,
                {"input '0'", "float32[?,3]", "--input 0=FILE"});
  EXPECT_EQ(Supremum({"run", "g.json", "--input", "x.npy"}).status, 0);
}

// Rules: TYP-5, ORD-4
TEST_F(RunOneDnn, BFloat16InNpyIsReadWhereItIsStated) {
  WriteText(File("g.json"), ReduceText(R"({"id": 0, "dtype": "bf16", "shape": [2, 2]})",
                                       R"("axes": {"type": "s64[]", "value": [1]})",
                                       R"({"id": 1, "dtype": "bf16", "shape": [2]})"));
  WriteTensor<BFloat16>("v.npy", {2, 2},
                        {BFloat16{0x3F80}, BFloat16{0x4000}, BFloat16{0x3F80}, BFloat16{0xFFFF}});
  // The graph states it, or the option does.
  ASSERT_EQ(Supremum({"run", "g.json", "--input", "v.npy", "-d", "out"}).status, 0);
  ASSERT_EQ(Supremum({"run", "g.json", "-i", "v.npy", "--dtype", "0=bfloat16", "-d", "out"}).status, 0);
  const std::vector<BFloat16> y = ReadElements<BFloat16>("out/1.npy");
  ASSERT_EQ(y.size(), 2u);
  EXPECT_EQ(y[0].bits, 0x4000);
  EXPECT_EQ(y[1].bits, 0x7FC0);
}

TEST_F(RunOneDnn, ErrorsHaveTheirStatusAndLeaveFilesAlone) {
  std::filesystem::create_directory(File("out"));
  WriteText(File("out/1.npy"), "before");
  const std::vector<std::string> run = {"run", "g.json", "--input", "x.npy", "--output-dir", "out"};
  WriteText(File("g.json"), ReduceText(kX, R"("axes": {"type": "s64[]", "value": [2]})"));
  ExpectFailure(Supremum(run), 3, {"wrong axis: 'g.json': op 0 'best' (ReduceMax): "});
  WriteText(File("g.json"), ReduceText(kX, ""));
  ExpectFailure(Supremum(run), 3, {"axes not given exactly once", "RED-4"});
  WriteText(File("g.json"), ReduceText(kX).substr(0, 99));
  ExpectFailure(Supremum(run), 3, {"malformed file: 'g.json': byte 99"});
  WriteText(File("g.json"), ReduceText(kX));
  ExpectFailure(Supremum({"run", "g.json", "--input", "3=x.npy"}), 2, {"no input '3'", "'0'"});
  EXPECT_EQ(ReadText(File("out/1.npy")), "before");
}

TEST_F(RunOneDnn, TheExamplesOfTheDocumentationRun) {
  std::filesystem::create_directories(File("examples/onednn"));
  WriteText(File(kExample), SourceText(kExample));
  std::istringstream page(SourceText("docs/onednn.md"));
  int commands = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("$ supremum ")) continue;
    const ProcessResult result = Shell(line.substr(2));
    EXPECT_EQ(result.status, 0) << line << "\n" << result.err;
    ++commands;
  }
  EXPECT_EQ(commands, 2);
  EXPECT_TRUE(Exists("out/3.npy"));
}

// Rules: RED-1, MAX-2, ORD-5
TEST_F(RunOneDnn, TheExampleComputesTheBestScoreOfEachPosition) {
  std::filesystem::create_directories(File("examples/onednn"));
  WriteText(File(kExample), SourceText(kExample));
  const std::int64_t channels = 19, places = 32 * 48;
  std::vector<float> a, b, best(static_cast<std::size_t>(places), -2000);
  for (std::int64_t i = 0; i < channels * places; ++i) {
    a.push_back(static_cast<float>((i * 7919) % 2003 - 1000));
    b.push_back(static_cast<float>((i * 104729) % 1999 - 1000));
    float& so_far = best[static_cast<std::size_t>(i % places)];
    so_far = std::max({so_far, a.back(), b.back()});
  }
  WriteTensor<float>("a.npy", {1, channels, 32, 48}, a);
  WriteTensor<float>("b.npy", {1, channels, 32, 48}, b);
  const ProcessResult result = Supremum({"run", kExample, "-i", "0=a.npy", "-i", "1=b.npy", "-d", "out"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(ReadElements<float>("out/3.npy"), best);
}

}  // namespace
}  // namespace supremum::test
