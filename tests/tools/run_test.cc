// supremum run.
#include <bit>

#include "cli/file_name.h"
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
  cli::FileNames files(".npy");
  const std::string n(250, 'n');
  std::vector<std::string> names;
  for (const std::string_view name :
       {"../up", "/etc/x", ".hidden", "-o", "a b", "%2Eup", "Y", "y", "\x1b[31mred", "..", "x=y:0", ""})
    names.push_back(files.For(name).value());
  EXPECT_THAT(names, ElementsAre("%2E.%2Fup.npy", "%2Fetc%2Fx.npy", "%2Ehidden.npy", "%2Do.npy", "a%20b.npy",
                                 "%252Eup.npy", "Y.npy", "y%copy2.npy", "%1B%5B31mred.npy", "%2E..npy",
                                 "x%3Dy%3A0.npy", "%empty.npy"));
  EXPECT_THAT(files.For(n).value(), MatchesRegex("n+%sha256-[0-9a-f]+\\.npy"));
  EXPECT_NE(files.For(n + "m").value(), files.For(n + "o").value());
  EXPECT_LE(files.For(n + "p").value().size(), 255u);

  ModelBuilder model;
  model.Input("in", kFloat, {1})
      .Output("../up", kFloat, {1})
      .Output("Y", kFloat, {1})
      .Output("y", kFloat, {1});
  for (const char* const name : {"../up", "Y", "y"}) model.Node("Identity", {"in"}, {name});
  model.Save(File("names.onnx"));
  RunJson({"names.onnx", "--random", "1", "--output-dir", "out"});
  for (const char* const file : {"out/%2E.%2Fup.npy", "out/Y.npy", "out/y%copy2.npy"})
    EXPECT_TRUE(Exists(file));
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

// external_data_test.cc has the roots that links leave.
TEST_F(Run, ExternalDataBehindLinksIsReadInsideTheRootThatIsNamed) {
  namespace fs = std::filesystem;
  fs::create_directories(File("hub/snapshots/1"));
  fs::create_directories(File("hub/blobs"));
  fs::copy_file(File("b.bin"), File("hub/blobs/1f"));
  fs::create_symlink("../../blobs/1f", File("hub/snapshots/1/data"));
  ModelBuilder model;
  model.Output("y", kFloat, {2, 3}).Node("Max", {"w"}, {"y"});
  model.Initializer(ExternalTensorProto("w", kFloat, {2, 3}, {{"location", "data"}}));
  model.Save(File("hub/blobs/m"));
  fs::create_symlink("../../blobs/m", File("hub/snapshots/1/m.onnx"));
  const std::string name = "hub/snapshots/1/m.onnx";
  ExpectFailure(Supremum({"run", name, "--allow-external-data"}), 3,
                {"symbolic link", "--external-data-root"});
  for (const std::vector<std::string>& verb : std::vector<std::vector<std::string>>{
           {"run", name, "-d", "y"}, {"inspect", name}, {"emit-c", name, "-o", "c"}}) {
    ExpectFailure(Supremum(With(verb, {"--external-data-root", "hub/snapshots"})), 3,
                  {"leads out of the folder"});
    EXPECT_EQ(Supremum(With(verb, {"--external-data-root", "hub"})).status, 0) << verb[0];
  }
  EXPECT_THAT(ReadElements<float>("y/y.npy"), ElementsAre(-1, 2, -3, 4, -5, 6));
  // A report must not replace the data that it is about.
  ExpectFailure(Supremum({"run", name, "--external-data-root", "hub", "--json", "hub/blobs/1f"}), 2,
                {"--json hub/blobs/1f", "may be external data"});
  EXPECT_EQ(ReadText(File("hub/blobs/1f")), ReadText(File("b.bin")));
}

// first_error_test.cc and prepare_test.cc have what cannot run.
TEST_F(Run, AModelThatCannotRunIsRefusedBeforeInputsAreAskedFor) {
  ModelBuilder relu;
  relu.Input("x", kFloat, {1}).Output("y", kFloat, {1}).Node("Relu", {"x"}, {"y"}, "act");
  relu.Save(File("m.onnx"));
  const ProcessResult result = Supremum({"run", "m.onnx"});
  EXPECT_NE(result.status, 0);
  EXPECT_THAT(result.err, AllOf(HasSubstr("'act'"), Not(HasSubstr("not given"))));
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

// tests/io/formats/tensor_file_test.cc has the other forms.
TEST_F(Run, AModelInAnotherFormIsNamedByEveryVerb) {
  for (const char* const name : {"m.onnx", "m.json"}) {
    WriteText(File(name), "<!doctype html><html></html>");
    for (const std::string verb : {"run", "inspect", "check", "annotate", "emit-c", "extract"}) {
      const bool writes = verb == "annotate" || verb == "emit-c" || verb == "extract";
      if (writes && std::string_view(name) == "m.json") continue;  // of models alone
      std::vector<std::string> line = {verb, name};
      if (writes) line.insert(line.end(), {"-o", "out." + verb});
      ExpectFailure(Supremum(line), 3, {std::string("'") + name + "': it is ", "web page (HTML)"});
    }
  }
}

}  // namespace
}  // namespace supremum::test
