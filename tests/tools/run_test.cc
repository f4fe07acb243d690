// supremum run.
#include <bit>

#include "support/bytes.h"
#include "tools/report.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class Run : public ReportTest {
 protected:
  void SetUp() override { PrepareFuse(); }

  std::vector<float> Outputs(const std::vector<std::string>& inputs) const {
    const ProcessResult result = Supremum(With({"run", "fuse.onnx", "--output-dir", "out"}, inputs));
    EXPECT_EQ(result.status, 0) << result.err;
    return result.status == 0 ? ReadElements<float>("out/y.npy") : std::vector<float>();
  }

  nlohmann::json RunJson(const std::vector<std::string>& arguments) const {
    return Report(With({"run"}, arguments));
  }
};

// Rules: MAX-2
TEST_F(Run, InputsByNameGiveTheirMaximum) {
  EXPECT_THAT(Outputs({"--input", "b=b.npy", "--input", "a=a.npy"}), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(Run, InputsByPositionFillTheModelsOrder) {
  WriteTensor<float>("one.npy", {1}, {0});
  FuseModel({2, 3}, {1}).Save(File("fuse.onnx"));
  EXPECT_THAT(Outputs({"--input", "a.npy", "--input", "one.npy"}), ElementsAre(1, 0, 3, 0, 5, 0));
  ExpectFailure(Supremum({"run", "fuse.onnx", "--input", "one.npy", "--input", "a.npy"}), 2, {"'a'"});
}

TEST_F(Run, PositionsTakeWhatNamesLeave) {
  WriteTensor<float>("one.npy", {1}, {0});
  FuseModel({1}, {2, 3}).Save(File("fuse.onnx"));
  EXPECT_THAT(Outputs({"--input", "b.npy", "--input", "a=one.npy"}), ElementsAre(0, 2, 0, 4, 0, 6));
}

TEST_F(Run, ARawSpecificationGoesToTheInputThatItNames) {
  EXPECT_THAT(Outputs({"--input", "b:float32:2x3:b.bin", "--input", "a.npy"}), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(Outputs({"--input", "a=:float32:2x3:b.bin", "--input", "a.npy"}),
              ElementsAre(1, 2, 3, 4, 5, 6));
  ExpectFailure(Supremum({"run", "fuse.onnx", "--input", "c:float32:2x3:b.bin"}), 2, {"'c'", "'a', 'b'"});
}

TEST_F(Run, TextBeforeEqualsThatIsNoInputBelongsToTheFile) {
  std::filesystem::rename(File("a.npy"), File("c=a.npy"));
  EXPECT_THAT(Outputs({"--input", "c=a.npy", "--input", "b.npy"}), ElementsAre(1, 2, 3, 4, 5, 6));
  ExpectFailure(Supremum({"run", "fuse.onnx", "--input", "d=a.npy"}), 2, {"no input 'd'", "'a', 'b'"});
}

TEST_F(Run, InputsGivenTwiceTooOftenOrNotAtAllAreErrorsOfTheCommandLine) {
  ExpectFailure(Supremum({"run", "fuse.onnx", "--input", "a=a.npy", "--input", "a=b.npy"}), 2,
                {"'a' is given twice", "a.npy", "b.npy"});
  ExpectFailure(Supremum({"run", "fuse.onnx", "-i", "a.npy", "-i", "b.npy", "-i", "c.npy"}), 2, {"c.npy"});
  ExpectFailure(Supremum({"run", "fuse.onnx", "--input", "a.npy"}), 2,
                {"input 'b' (float32[2,3])", "--input b=FILE", "--random"});
  ExpectFailure(Supremum({"run", "fuse.onnx", "-i", "a.npy", "-i", "b.npy", "--dtype", "c=bfloat16"}), 2,
                {"'c'"});
}

TEST_F(Run, TheTableShowsWhatTheOutputsHold) {
  const ProcessResult result = Supremum({"run", "fuse.onnx", "-i", "a.npy", "-i", "b.npy", "--sha256"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  // The hash is that of the float32 values 1 to 6, little-endian, as sha256sum gives it.
  EXPECT_THAT(
      result.out,
      MatchesRegex("name +dtype +shape +min +max +NaN +sha256 +time\n"
                   "y +float32 +\\[2,3\\] +1 +6 +0 +"
                   "24ae2dfe8df57c1b80e54cef3d90ac3b417fd98973345a5f616bbc9a75dcc202 +[0-9.]+ [mu]?s\n"));
  EXPECT_THAT(Supremum({"run", "fuse.onnx", "-i", "a.npy", "-i", "b.npy"}).out,
              MatchesRegex("name +dtype +shape +min +max +NaN +time\n(.|\n)*"));
}

TEST_F(Run, TheSameSeedGivesTheSameBitsAndIsPrinted) {
  const auto hash = [&](const std::string& seed) {
    return RunJson({"fuse.onnx", "--random", seed, "--sha256"})
        .at("outputs")
        .at(0)
        .at("sha256")
        .get<std::string>();
  };
  EXPECT_EQ(hash("1"), hash("1"));
  EXPECT_NE(hash("1"), hash("2"));
  EXPECT_EQ(RunJson({"fuse.onnx", "--random", "18446744073709551615"}).at("seed"), 18446744073709551615u);
  EXPECT_THAT(Supremum({"run", "fuse.onnx", "--random", "77"}).out, HasSubstr("\nseed 77\n"));
}

TEST_F(Run, TheReportIdentifiesModelAndInputs) {
  const nlohmann::json run = RunJson({"fuse.onnx", "--input", "a.npy", "--random", "1", "--sha256"});
  ASSERT_EQ(Supremum({"check", "fuse.onnx", "--json", "c.json"}).status, 0);
  EXPECT_EQ(run.at("sha256"), ParseJson(ReadText(File("c.json"))).at("sha256"));
  // That of the float32 values 1, -2, 3, -4, 5, -6, little-endian, as sha256sum gives it.
  EXPECT_EQ(run.at("inputs").at(0).at("sha256"),
            "9ef7f2207dbacf1ef6577f4f0abaad68e85109e1d324ea5290e77e312979a2ec");
  EXPECT_EQ(run.at("inputs").at(1).at("sha256").get<std::string>().size(), 64u);
  const nlohmann::json short_run = RunJson({"fuse.onnx", "--input", "a.npy", "--random", "1"});
  EXPECT_EQ(short_run.at("sha256"), run.at("sha256"));
  EXPECT_TRUE(short_run.at("inputs").at(0).at("sha256").is_null());
  EXPECT_TRUE(short_run.at("outputs").at(0).at("sha256").is_null());
}

TEST_F(Run, RandomValuesAreThoseOfTheirDefinition) {
  ModelBuilder model;
  model.Input("f", kFloat, {3}).Input("i", onnx::TensorProto::INT8, {4});
  model.Input("p", onnx::TensorProto::BOOL, {8});
  model.Output("fy", kFloat, {3}).Output("iy", onnx::TensorProto::INT8, {4});
  model.Output("py", onnx::TensorProto::BOOL, {8});
  model.Node("Max", {"f"}, {"fy"});
  model.Node("Max", {"i"}, {"iy"});
  model.Node("Identity", {"p"}, {"py"});
  model.Save(File("three.onnx"));
  // Computed by another program from the definition of SplitMix64 and the rules in random.h.
  ASSERT_EQ(Supremum({"run", "three.onnx", "--random", "1", "--output-dir", "out"}).status, 0);
  EXPECT_THAT(ReadElements<float>("out/fy.npy"),
              ElementsAre(std::bit_cast<float>(0x3f3c8356u), std::bit_cast<float>(0xbf631ad9u),
                          std::bit_cast<float>(0x3db95f60u)));
  EXPECT_THAT(ReadElements<std::int8_t>("out/iy.npy"), ElementsAre(119, 8, 11, -112));
  EXPECT_THAT(ReadElements<bool>("out/py.npy"),
              ElementsAre(true, false, true, false, true, false, true, false));
}

TEST_F(Run, AnErrorOnOneOutputLeavesTheFilesOfAllAsTheyWere) {
  ModelBuilder model;
  model.Input("a", kFloat, {2, 3}).Output("first", kFloat, {2, 3}).Output("second", kFloat, {2, 3});
  model.Node("Max", {"a"}, {"first"});
  model.Node("Identity", {"a"}, {"second"});
  model.Save(File("two.onnx"));
  std::filesystem::create_directories(File("out/second.npy"));  // a folder, where a file should go
  WriteText(File("out/first.npy"), "old");
  ExpectFailure(Supremum({"run", "two.onnx", "-i", "a.npy", "-d", "out"}), 4, {"out/second.npy", "folder"});
  EXPECT_EQ(ReadText(File("out/first.npy")), "old");
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(File("out")))
    left.push_back(entry.path().filename());
  EXPECT_THAT(left, ::testing::UnorderedElementsAre("first.npy", "second.npy")) << "no temporary file stays";
}

TEST_F(Run, AnInputFromAFileLeavesTheOtherRandomOnesAsTheyWere) {
  ModelBuilder model;
  model.Input("a", kFloat, {2, 3}).Input("b", kFloat, {2, 3}).Output("c", kFloat, {2, 3});
  model.Node("Identity", {"b"}, {"c"});
  model.Save(File("second.onnx"));
  const nlohmann::json all = RunJson({"second.onnx", "--random", "5", "--sha256"});
  const nlohmann::json rest = RunJson({"second.onnx", "--random", "5", "--input", "a=a.npy", "--sha256"});
  EXPECT_EQ(all.at("outputs").at(0).at("sha256"), rest.at("outputs").at(0).at("sha256"));
  EXPECT_EQ(rest.at("inputs").at(0).at("source"), "a.npy");
  EXPECT_EQ(rest.at("inputs").at(1).at("source"), "random");
}

TEST_F(Run, RandomFloatsAreFiniteAndBelowOne) {
  ModelBuilder model;
  for (const auto& [name, type] :
       std::vector<std::pair<std::string, std::int32_t>>{{"bf16", onnx::TensorProto::BFLOAT16},
                                                         {"f16", onnx::TensorProto::FLOAT16},
                                                         {"f64", onnx::TensorProto::DOUBLE}}) {
    model.Input(name, type, {5000}).Output(name + "_y", type, {5000});
    model.Node("Identity", {name}, {name + "_y"});
  }
  model.Save(File("floats.onnx"));
  const nlohmann::json outputs = RunJson({"floats.onnx", "--random", "3"}).at("outputs");
  EXPECT_EQ(outputs.size(), 3u);
  for (const auto& output : outputs) {
    EXPECT_EQ(output.at("nan_count"), 0);
    EXPECT_LT(output.at("max").get<double>(), 1);
    EXPECT_GT(output.at("max").get<double>(), 0.5);
    EXPECT_GT(output.at("min").get<double>(), -1);
    EXPECT_LT(output.at("min").get<double>(), -0.5);
  }
}

TEST_F(Run, ASymbolicDimensionComesFromDimOrFromAnInput) {
  FuseModel({"N", 3}, {"N", 3}, {"N", 3}).Save(File("batch.onnx"));
  ExpectFailure(Supremum({"run", "batch.onnx", "--random", "1"}), 3, {"'a'", "[N,3]", "--dim N=VALUE"});
  EXPECT_EQ(RunJson({"batch.onnx", "--random", "1", "--dim", "N=4"}).at("outputs").at(0).at("shape"),
            nlohmann::json({4, 3}));
  EXPECT_EQ(RunJson({"batch.onnx", "--random", "1", "--input", "b=b.npy"}).at("outputs").at(0).at("shape"),
            nlohmann::json({2, 3}));
  ExpectFailure(Supremum({"run", "batch.onnx", "--random", "1", "--dim", "N=4", "--input", "b=b.npy"}), 2,
                {"'N'"});
}

TEST_F(Run, AnUnknownExtentCannotBeFilledAtRandom) {
  FuseModel({kUnknownDim, 3}, {2, 3}, std::nullopt).Save(File("unknown.onnx"));
  ExpectFailure(Supremum({"run", "unknown.onnx", "--random", "1"}), 3, {"'a'", "--input a=FILE"});
}

// Rules: PRO-2, PRO-6
TEST_F(Run, TheProfileAndTheStricterSwitchAreObeyed) {
  FuseModel({"N", 3}, {"N", 3}, {"N", 3}).Save(File("batch.onnx"));
  ExpectFailure(Supremum({"run", "batch.onnx", "--random", "1", "--dim", "N=2", "--profile", "sonnx"}), 3,
                {"PRO-2"});
  FuseModel({2, 3}, {3}).Save(File("broadcast.onnx"));
  EXPECT_EQ(Supremum({"run", "broadcast.onnx", "--random", "1"}).status, 0);
  ExpectFailure(Supremum({"run", "broadcast.onnx", "--random", "1", "--no-broadcast"}), 3, {"[2,3]", "[3]"});
}

// Rules: TYP-1, ORD-4
TEST_F(Run, BFloat16InNpyIsReadWhereItIsStated) {
  ModelBuilder model;
  model.Input("v", onnx::TensorProto::BFLOAT16, {2}).Output("y", onnx::TensorProto::BFLOAT16, {2});
  model.Node("Max", {"v"}, {"y"});
  model.Save(File("brain.onnx"));
  WriteTensor<BFloat16>("v.npy", {2}, {BFloat16{0x3F80}, BFloat16{0xFFFF}});
  // The model states it, or the option does.
  for (const char* dtype : {"", "v=bfloat16", "bfloat16"}) {
    std::vector<std::string> line = {"run", "brain.onnx", "--input", "v.npy", "--output-dir", "out"};
    if (*dtype != '\0') line.insert(line.end(), {"--dtype", dtype});
    const ProcessResult result = Supremum(line);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("bfloat16"));
    const std::vector<BFloat16> y = ReadElements<BFloat16>("out/y.npy");
    ASSERT_EQ(y.size(), 2u);
    EXPECT_EQ(y[0].bits, 0x3F80);
    EXPECT_EQ(y[1].bits, 0x7FC0);
  }
  WriteTensor<float>("f.npy", {2}, {1, 2});
  ExpectFailure(Supremum({"run", "brain.onnx", "--input", "f.npy"}), 3,
                {"f.npy", "float32", "bfloat16", "nothing is converted"});
}

TEST_F(Run, AxesAreNotFilledAtRandom) {
  ModelBuilder model(18);
  model.Input("x", kFloat, {2, 3})
      .Input("axes", onnx::TensorProto::INT64, {1})
      .Output("y", kFloat, std::nullopt);
  model.Node("ReduceMax", {"x", "axes"}, {"y"});
  model.Save(File("m.onnx"));
  ExpectFailure(Supremum({"run", "m.onnx", "--random", "1"}), 2,
                {"input 'axes' names the dimensions to reduce", "--input axes=FILE"});
  WriteTensor<std::int64_t>("axes.npy", {1}, {1});
  EXPECT_EQ(Supremum({"run", "m.onnx", "--random", "1", "--input", "axes=axes.npy"}).status, 0);
}

TEST_F(Run, OutputsAreWrittenInAFormatOnRequestAndReadAsInputs) {
  for (const std::string format : {"pb", "safetensors"}) {
    const ProcessResult result =
        Supremum({"run", "fuse.onnx", "-i", "a.npy", "-i", "b.npy", "-d", "x/y/z", "--format", format});
    EXPECT_EQ(result.status, 0) << result.err;
    const std::string file = "x/y/z/y." + format;
    EXPECT_THAT(result.out, HasSubstr(file));
    EXPECT_THAT(ReadElements<float>(file), ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_EQ(Supremum({"run", "fuse.onnx", "-i", "b=" + file, "-i", "a.npy", "-d", "out"}).status, 0);
    EXPECT_THAT(ReadElements<float>("out/y.npy"), ElementsAre(1, 2, 3, 4, 5, 6));
  }
}

TEST_F(Run, OutputNamesStayInsideTheFolderAndApart) {
  const std::vector<std::string> names = {"../up",
                                          "/etc/x",
                                          ".hidden",
                                          "-o",
                                          "a b",
                                          "%2Eup",
                                          "Y",
                                          "y",
                                          "\x1b[31mred",
                                          std::string(300, 'n'),
                                          std::string(299, 'n') + "m",
                                          "..",
                                          "x=y:0"};
  ModelBuilder model;
  model.Input("in", kFloat, {1});
  for (const std::string& name : names) {
    model.Output(name, kFloat, {1});
    model.Node("Identity", {"in"}, {name});
  }
  model.Save(File("names.onnx"));
  const nlohmann::json json = RunJson({"names.onnx", "--random", "1", "--output-dir", "out"});
  std::vector<std::string> files;
  for (const auto& output : json.at("outputs")) {
    files.push_back(std::filesystem::path(output.at("file").get<std::string>()).filename());
    EXPECT_TRUE(Exists("out/" + files.back()));
    EXPECT_THAT(files.back(), MatchesRegex("[%A-Za-z0-9_][%A-Za-z0-9_.-]*\\.npy"));
    EXPECT_LE(files.back().size(), 255u);
  }
  EXPECT_THAT(files, ::testing::Contains("%2E.%2Fup.npy"));
  std::ranges::transform(files, files.begin(), [](std::string file) {
    std::ranges::transform(file, file.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return file;
  });
  std::ranges::sort(files);
  EXPECT_EQ(std::ranges::adjacent_find(files), files.end());
  EXPECT_EQ(files.size(), names.size());
  const std::ptrdiff_t written = std::distance(std::filesystem::directory_iterator(File("out")), {});
  EXPECT_EQ(written, static_cast<std::ptrdiff_t>(names.size()));
  EXPECT_THAT(Supremum({"run", "names.onnx", "--random", "1"}).out, Not(HasSubstr("\x1b")));
}

TEST_F(Run, JsonSaysWhatTheTableSaysAndMore) {
  const nlohmann::json json = RunJson({"fuse.onnx", "-i", "a.npy", "-i", "b.npy", "-d", "out"});
  EXPECT_EQ(Supremum({"--version"}).out, "supremum " + json.at("supremum").get<std::string>() + "\n");
  EXPECT_EQ(json.at("model"), "fuse.onnx");
  EXPECT_EQ(json.at("profile"), "onnx");
  EXPECT_TRUE(json.at("seed").is_null());
  EXPECT_GE(json.at("time_s"), 0);
  const nlohmann::json& y = json.at("outputs").at(0);
  EXPECT_EQ(y.at("name"), "y");
  EXPECT_EQ(y.at("dtype"), "float32");
  EXPECT_EQ(y.at("shape"), nlohmann::json({2, 3}));
  EXPECT_EQ(y.at("min"), 1);
  EXPECT_EQ(y.at("max"), 6);
  EXPECT_EQ(y.at("nan_count"), 0);
  EXPECT_EQ(y.at("file"), "out/y.npy");
}

TEST_F(Run, WhatNeedsTooMuchMemoryIsRefused) {
  FuseModel({1000, 1000}, {1000, 1000}, {1000, 1000}).Save(File("large.onnx"));
  ExpectFailure(Supremum({"run", "large.onnx", "--random", "1", "--max-bytes", "100000"}), 3, {"100000"});
}

TEST_F(Run, ExternalDataIsReadOnRequest) {
  ModelBuilder model;
  model.Output("y", kFloat, {2, 3});
  model.Initializer(ExternalTensorProto("w", kFloat, {2, 3}, {{"location", "b.bin"}}));
  model.Node("Max", {"w"}, {"y"});
  model.Save(File("far.onnx"));
  ExpectFailure(Supremum({"run", "far.onnx"}), 3, {"initializer 'w'", "--allow-external-data"});
  const std::vector<std::string> run = {"run", "far.onnx", "--allow-external-data", "-d", "far"};
  ASSERT_EQ(Supremum(run).status, 0);
  EXPECT_THAT(ReadElements<float>("far/y.npy"), ElementsAre(-1, 2, -3, 4, -5, 6));
  std::filesystem::create_hard_link(File("b.bin"), File("c.bin"));
  ExpectFailure(Supremum(run), 3, {"the file has 2 names (hard links)"});
  std::filesystem::remove(File("c.bin"));
  EXPECT_EQ(Supremum({"inspect", "far.onnx", "--allow-external-data"}).status, 0);
}

TEST_F(Run, ExternalDataBehindLinksIsReadInsideTheRootThatIsNamed) {
  namespace fs = std::filesystem;
  fs::create_directories(File("hub/snapshots/1"));
  fs::create_directories(File("hub/blobs"));
  fs::copy_file(File("b.bin"), File("hub/blobs/1f"));
  fs::copy_file(File("b.bin"), File("secret.bin"));
  fs::create_symlink("../../blobs/1f", File("hub/snapshots/1/data"));
  fs::create_symlink("../../../secret.bin", File("hub/snapshots/1/out"));
  for (const std::string location : {"data", "out"}) {
    ModelBuilder model;
    model.Output("y", kFloat, {2, 3});
    model.Initializer(ExternalTensorProto("w", kFloat, {2, 3}, {{"location", location}}));
    model.Node("Max", {"w"}, {"y"});
    model.Save(File("hub/blobs/m_" + location));
    fs::create_symlink("../../blobs/m_" + location, File("hub/snapshots/1/" + location + ".onnx"));
  }
  const std::string data = "hub/snapshots/1/data.onnx", out = "hub/snapshots/1/out.onnx";
  ExpectFailure(Supremum({"run", data, "--allow-external-data"}), 3,
                {"symbolic link", "--external-data-root"});
  for (const std::string verb : {"run", "inspect"}) {
    EXPECT_EQ(Supremum({verb, data, "--external-data-root", "hub"}).status, 0) << verb;
    ExpectFailure(Supremum({verb, data, "--external-data-root", "hub/snapshots"}), 3,
                  {"leads out of the folder"});
    ExpectFailure(Supremum({verb, out, "--external-data-root", "hub"}), 3, {"leads out of the folder 'hub'"});
  }
  EXPECT_EQ(Supremum({"emit-c", data, "--external-data-root", "hub", "-o", "c"}).status, 0);
  ASSERT_EQ(Supremum({"run", data, "--external-data-root", "hub", "-d", "y"}).status, 0);
  EXPECT_THAT(ReadElements<float>("y/y.npy"), ElementsAre(-1, 2, -3, 4, -5, 6));
  // A report must not replace the data that it is about.
  ExpectFailure(Supremum({"run", data, "--external-data-root", "hub", "--json", "hub/blobs/1f"}), 2,
                {"--json hub/blobs/1f", "may be external data"});
  EXPECT_EQ(ReadText(File("hub/blobs/1f")), ReadText(File("b.bin")));
}

TEST_F(Run, AModelThatCannotRunIsRefusedBeforeInputsAreAskedFor) {
  ModelBuilder relu, broken, text;
  relu.Input("x", kFloat, {1}).Output("y", kFloat, {1}).Node("Relu", {"x"}, {"y"}, "act");
  broken.Input("x", kFloat, {2})
      .Input("z", kFloat, {3})
      .Output("y", kFloat, {3})
      .Node("Max", {"x", "z"}, {"y"});
  text.Input("x", kFloat, {1}).Output("y", kFloat, {1}).Node("Max", {"x", "w"}, {"y"});
  onnx::TensorProto word;
  word.set_name("w");
  word.set_data_type(onnx::TensorProto::STRING);
  word.add_string_data("a");
  text.Initializer(word);
  for (const auto& [model, part] : {std::pair(&relu, "'act'"), std::pair(&broken, "not broadcastable"),
                                    std::pair(&text, "initializer 'w'")}) {
    model->Save(File("m.onnx"));
    const ProcessResult result = Supremum({"run", "m.onnx"});
    EXPECT_NE(result.status, 0);
    EXPECT_THAT(result.err, AllOf(HasSubstr(part), Not(HasSubstr("not given"))));
  }
}

TEST_F(Run, AnInputIsOneTensorOfSeveral) {
  WriteTensor<float>("p.bin", {2, 3}, {1, 2, 3, 4, 5, 6});
  WriteTensor<float>("q.bin", {2, 3}, {9, 0, 9, 0, 9, 0});
  const std::string header = R"({"p":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                             R"("q":{"dtype":"F32","shape":[2,3],"data_offsets":[24,48]}})";
  WriteText(File("two.safetensors"),
            LittleEndian(header.size(), 8) + header + ReadText(File("p.bin")) + ReadText(File("q.bin")));
  ExpectFailure(Supremum({"run", "fuse.onnx", "-i", "two.safetensors", "-i", "b.npy"}), 2,
                {"'p', 'q'", "name one, as in 'two.safetensors::p'"});
  ExpectFailure(Supremum({"run", "fuse.onnx", "-i", "two.safetensors::r", "-i", "b.npy"}), 2,
                {"no tensor 'r'; it holds 'p', 'q'"});
  ASSERT_EQ(
      Supremum({"run", "fuse.onnx", "-i", "b=two.safetensors::q", "-i", "two.safetensors::p", "-d", "out"})
          .status,
      0);
  EXPECT_THAT(ReadElements<float>("out/y.npy"), ElementsAre(9, 2, 9, 4, 9, 6));
  ASSERT_EQ(Supremum({"max", "two.safetensors::p", "two.safetensors::q", "-o", "y.npy"}).status, 0);
  EXPECT_EQ(Supremum({"compare", "y.npy", "out/y.npy"}).status, 0);
  ASSERT_EQ(Supremum({"reduce-max", "two.safetensors::q", "--axes", "-1", "-o", "r.npy"}).status, 0);
  EXPECT_THAT(ReadElements<float>("r.npy"), ElementsAre(9, 9));
  EXPECT_EQ(Supremum({"compare", "two.safetensors::p", "two.safetensors::q"}).status, 1);
  EXPECT_EQ(Supremum({"compare", "two.safetensors::p", "two.safetensors::p"}).status, 0);
  EXPECT_THAT(Supremum({"inspect", "two.safetensors::q"}).out, AllOf(HasSubstr("q "), Not(HasSubstr("p "))));
  // The file has other tensors, so that one result must not replace it.
  const std::string before = ReadText(File("two.safetensors"));
  ExpectFailure(Supremum({"max", "two.safetensors::p", "two.safetensors::q", "-o", "two.safetensors"}), 2,
                {"this file is the input 'two.safetensors'"});
  EXPECT_EQ(ReadText(File("two.safetensors")), before);
}

TEST_F(Run, AModelInAnotherFormIsNamed) {
  const std::vector<std::pair<std::string, std::string>> contents = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "pointer of Git LFS"},
      {"<!doctype html><html></html>", "web page (HTML)"},
      {"ir_version: 8\ngraph {\n}\n", "format='textproto'"},
      {"<\n  ir_version: 8,\n  opset_import: [\"\" : 13]\n>\ng () => () {}", "format='onnxtxt'"},
      {"{\"irVersion\": \"8\", \"graph\": {\"node\": [{\"opType\": \"Max\"}]}}", "format='json'"},
      {std::string("\x1f\x8b\x08\0\0\0\0\0\0\3", 10), "compressed with gzip"},
      {std::string("PK\x03\x04\x14\0\0\0", 8), "ZIP archive"}};
  for (const auto& [content, part] : contents) {
    for (const std::string name : {"m.onnx", "m.json"}) {
      WriteText(File(name), content);
      for (const char* verb : {"run", "inspect", "check", "annotate", "emit-c", "extract"}) {
        std::vector<std::string> line = {verb, name};
        if (line[0] == "annotate" || line[0] == "emit-c" || line[0] == "extract") {
          line.insert(line.end(), {"-o", "out"});
        }
        if (name == "m.json" && line.size() > 2) continue;  // of models alone
        SCOPED_TRACE(line[0] + " " + name + " " + part);
        const ProcessResult result = Supremum(line);
        EXPECT_EQ(result.status, 3);
        EXPECT_THAT(result.err, HasSubstr("'" + name + "': it is "));
        EXPECT_THAT(result.err, HasSubstr(part));
      }
    }
  }
}

}  // namespace
}  // namespace supremum::test
