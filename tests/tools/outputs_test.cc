// Statuses and outputs agree: what is wrong with an output is found before the work, and an error leaves
// every file as it was.
#include <unistd.h>

#include <filesystem>
#include <map>

#include "tools/command.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Outputs : public CommandTest {
 protected:
  void SetUp() override {
    PrepareVerbs();
    WriteText(File("y.npy"), "old");
    fs::create_directories(File("cases"));
    graph_ =
        R"({"version":"3.0.0","graph":[{"id":0,"kind":"Maximum","inputs":[{"id":0,"dtype":"f32","shape":[2,3]},)"
        R"({"id":1,"dtype":"f32","shape":[2,3]}],"outputs":[{"id":2,"dtype":"f32","shape":[2,3]}]}]})";
    WriteText(File("graph.json"), graph_);
  }
  std::string graph_;

  const std::vector<std::string> max_ = {"max", "a.npy", "b.npy", "-o", "y.npy"};

  /// Every verb, without --json.
  const std::vector<std::vector<std::string>> verbs_ = {
      max_,
      {"max", "a.npy", "b.npy", "-o", "y.npz"},
      {"max", "a.npy", "--bound", "0=e.npy", "-o", "y.npz"},
      {"reduce-max", "a.npy", "-o", "y.pb"},
      {"run", "fuse.onnx", "-i", "a.npy", "-i", "b.npy"},
      {"run", "fuse.onnx", "-i", "a.npy", "-i", "b.npy", "-d", "out"},
      {"run", "graph.json", "-i", "0=a.npy", "-i", "1=b.npy", "-d", "out/deep"},
      {"inspect", "a.npy"},
      {"inspect", "fuse.onnx"},
      {"check", "fuse.onnx"},
      {"check", "fuse.onnx", "--sarif", "r.sarif"},
      {"annotate", "fuse.onnx", "-o", "stated.onnx"},
      {"extract", "fuse.onnx", "-o", "filled/cases"},
      {"emit-c", "fuse.onnx", "-o", "made/c"},
      {"compare", "a.npy", "b.npy"},
      {"test", "case"},
      {"gen", "--shape", "3", "--output", "filled/case"},
      {"targets"}};

  /// The command ends with that status, those parts of a text, and every file as it was. In the folder
  /// `filled`, which did not exist, files may remain.
  void ExpectNothingChanged(const std::vector<std::string>& arguments, int status,
                            const std::vector<std::string>& parts, const ProcessOptions& options = {},
                            const std::string& filled = "") const {
    const std::map<std::string, std::string> before = Everything();
    const ProcessResult result = Supremum(arguments, options);
    std::string line;
    for (const std::string& word : arguments) line += word + " ";
    SCOPED_TRACE(line + "\n" + result.out + result.err);
    EXPECT_EQ(result.status, status);
    for (const std::string& part : parts) EXPECT_THAT(result.err, HasSubstr(part));
    if (!filled.empty()) fs::remove_all(File(filled));
    EXPECT_EQ(Everything(), before);
  }
};

TEST_F(Outputs, AReportThatCannotBeWrittenIsFoundBeforeAnythingIsReplaced) {
  for (const auto& verb : verbs_) {
    ExpectNothingChanged(With(verb, {"--json", "nodir/r.json"}), 4, {"'nodir/r.json' cannot be created"});
    ExpectNothingChanged(With(verb, {"--json", "cases"}), 4, {"'cases' cannot be written: it is a folder"});
    ExpectNothingChanged(With(verb, {"--json", "a.npy/r.json"}), 4, {"'a.npy/r.json'", "Not a directory"});
  }
}

TEST_F(Outputs, AStandardOutputThatIsFullOrClosedLeavesEveryFileAsItWas) {
  for (const auto& verb : verbs_) {
    for (const char* const json : {"", "-", "r.json"}) {
      const auto arguments = *json == '\0' ? verb : With(verb, {"--json", json});
      ExpectNothingChanged(arguments, 4, {"cannot write to standard output: No space left"},
                           {.stdout_file = "/dev/full"}, "filled");
      ExpectNothingChanged(arguments, 4, {"cannot write to standard output: Bad file"},
                           {.stdout_closed = true}, "filled");
      ExpectNothingChanged(arguments, 4, {}, {.stdout_unread = true}, "filled");
    }
  }
}

TEST_F(Outputs, AReportOverAnInputIsRefusedUnderEveryName) {
  fs::create_symlink("a.npy", File("link"));
  fs::create_hard_link(File("a.npy"), File("hard"));
  fs::create_directory_symlink(".", File("here"));
  for (const std::string name : {"a.npy", "./a.npy", "link", "hard", "here/a.npy", "cases/../a.npy"}) {
    for (const auto& verb : verbs_) {
      if (std::ranges::count(verb, "a.npy") + std::ranges::count(verb, "0=a.npy") == 0) continue;
      ExpectNothingChanged(With(verb, {"--json", name}), 2, {"--json " + name + ": this file is the input"});
    }
  }
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"check", "fuse.onnx", "--json", "fuse.onnx"},
           {"annotate", "fuse.onnx", "-o", "fuse.onnx"},
           {"extract", "fuse.onnx", "-o", "made/cases", "--json", "fuse.onnx"},
           {"annotate", "fuse.onnx", "-o", "stated.onnx", "--json", "fuse.onnx"},
           {"emit-c", "fuse.onnx", "-o", "made/c", "--json", "fuse.onnx"},
           {"inspect", "fuse.onnx", "--json", "fuse.onnx"},
           {"inspect", "t:f32:2x3:b.bin", "--json", "b.bin"},
           {"run", "fuse.onnx", "--random", "1", "--json", "fuse.onnx"},
           {"run", "fuse.onnx", "-i", "a=a.npy", "-i", "b:f32:2x3:b.bin", "--json", "b.bin"},
           {"run", "graph.json", "--random", "1", "--json", "graph.json"},
           {"compare", "a.npy", "b.npy", "--json", "b.npy"},
           {"compare", "case", "case", "--json", "case/test_data_set_0/input_0.pb"},
           {"test", "case", "--json", "case/model.onnx"},
           {"test", "case", "--json", "case/test_data_set_0/output_0.pb"},
           {"max", "t:f32:2x3:b.bin", "-o", "y.npy", "--json", "b.bin"},
           {"max", "a.npy", "--bound", "0=e.npy", "-o", "y.npy", "--json", "e.npy"}}) {
    ExpectNothingChanged(arguments, 2, {": this file is the input"});
  }
}

TEST_F(Outputs, AReportOverExternalDataIsRefused) {
  ModelBuilder model = FuseModel({2, 3}, {2, 3});
  model.Initializer(ExternalTensorProto("b", kFloat, {2, 3}, {{"location", "data.bin"}}));
  model.Save(File("external.onnx"));
  fs::copy_file(File("b.bin"), File("data.bin"));
  const std::vector<std::string> run = {"run", "external.onnx", "-i", "a.npy", "--allow-external-data"};
  ExpectNothingChanged(With(run, {"--json", "./data.bin"}), 2,
                       {"external data of the model 'external.onnx'"});
  // A file in the folder of the model may be replaced repeatedly if the model does not refer to it.
  for (int again = 0; again < 2; ++again) EXPECT_EQ(Supremum(With(run, {"--json", "r.json"})).status, 0);
}

TEST_F(Outputs, TwoOutputsThatAreOneFileAreRefused) {
  fs::create_symlink("y.npy", File("link"));
  fs::create_hard_link(File("y.npy"), File("hard"));
  fs::create_directory_symlink(".", File("here"));
  for (const std::string name : {"y.npy", "./y.npy", "link", "hard", "here/y.npy", "cases/../y.npy"}) {
    ExpectNothingChanged(With(max_, {"--json", name}), 2,
                         {"--json " + name + ": this file is also --output y.npy"});
  }
  // Names that nothing has yet.
  for (const std::string name : {"new.npy", "./new.npy", "here/new.npy", "cases/../new.npy"}) {
    ExpectNothingChanged({"max", "a.npy", "-o", "new.npy", "--json", name}, 2,
                         {"this file is also --output new.npy"});
  }
  ExpectNothingChanged({"max", "a.npy", "--bound", "0=e.npy", "-o", "z.npy", "--json", "z.lower.npy"}, 2,
                       {"this file is also --output z.lower.npy"});
  ExpectNothingChanged({"run", "fuse.onnx", "--random", "1", "-d", "out", "--json", "out/y.npy"}, 2,
                       {"--output-dir out/y.npy: this file is also --json out/y.npy"});
  // A report in a folder that the verb fills.
  for (const std::string name : {"new", "new/r.json", "./new/r.json", "here/new/r.json",
                                 "cases/../new/r.json", "new/test_data_set_0/r.json"}) {
    ExpectNothingChanged({"gen", "--shape", "3", "--output", "new", "--json", name}, 2,
                         {"is inside --output new, which contains only the files of this verb"});
  }
}

TEST_F(Outputs, StandardOutputIsAnOutputToo) {
  for (const auto& [line, text] : std::map<std::string, std::string>{
           {"supremum max a.npy b.npy -o y.npy >> y.npy",
            "--output y.npy: this file is also standard output"},
           {"supremum max a.npy b.npy -o y.npy --json r.json > r.json",
            "--json r.json: this file is also standard output"},
           {"supremum max a.npy b.npy -o y.npy --json /dev/stdout > r.json",
            "this file is also standard output"},
           {"supremum max a.npy b.npy -o y.npy >> a.npy", "standard output is the input 'a.npy'"},
           {"supremum check fuse.onnx >> fuse.onnx", "standard output is the input 'fuse.onnx'"},
           {"supremum check fuse.onnx --json - >> fuse.onnx", "standard output is the input"}}) {
    std::map<std::string, std::string> before = Everything();
    const ProcessResult result = Shell(line);
    EXPECT_EQ(result.status, 2) << line;
    EXPECT_THAT(result.err, HasSubstr(text)) << line;
    fs::remove(File("r.json"));
    EXPECT_EQ(Everything(), before) << line;
  }
}

// streaming.md: an output that is one of the inputs is replaced at the end.
TEST_F(Outputs, ATensorMayReplaceAnInputButNoModel) {
  EXPECT_EQ(Supremum({"max", "a.npy", "b.npy", "-o", "a.npy"}).status, 0);
  EXPECT_EQ(ReadElements<float>("a.npy"), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(Supremum({"reduce-max", "a.npy", "--axes", "1", "-o", "a.npy"}).status, 0);
  EXPECT_EQ(ReadElements<float>("a.npy"), (std::vector<float>{3, 6}));
  fs::create_directory(File("out"));
  fs::create_symlink("../fuse.onnx", File("out/y.npy"));
  ExpectNothingChanged({"run", "fuse.onnx", "--random", "1", "-d", "out"}, 2,
                       {"--output-dir out/y.npy: this file is the input 'fuse.onnx'"});
}

TEST_F(Outputs, PipesAndDevicesAreWrittenToDirectlyAndSeveralMayBeOneDevice) {
  EXPECT_EQ(Supremum(With(max_, {"--json", "/dev/null"})).status, 0);
  // Nobody waits for a reader before the work: the two pipes are read one after the other.
  const ProcessResult result = Shell(
      "mkfifo p.npy q; (cat p.npy > p.got; cat q > q.got) & supremum max a.npy b.npy -o p.npy --json q; "
      "wait");
  EXPECT_THAT(ReadText(File("q.got")), HasSubstr("\"p.npy\""));
  EXPECT_EQ(Supremum(max_).status, 0);
  EXPECT_EQ(ReadText(File("p.got")), ReadText(File("y.npy")));
  EXPECT_EQ(result.err, "");
  ExpectNothingChanged({"max", "a.npy", "-o", "p.npy", "--json", "p.npy"}, 2,
                       {"this file is also --output p.npy"});
}

TEST_F(Outputs, APipeWithoutAReaderIsAnErrorOfItsOwn) {
  // The reader leaves after the first byte of 4 MB.
  WriteTensor<float>("big.npy", {1'000'000}, std::vector<float>(1'000'000, 1));
  const ProcessResult result = Shell(
      "mkfifo p.npy; (head -c 1 p.npy > got) & supremum max big.npy -o p.npy --json r.json; echo $?; wait");
  EXPECT_EQ(result.out, "4\n");
  EXPECT_THAT(result.err, HasSubstr("'p.npy' cannot be written: Broken pipe"));
  EXPECT_FALSE(Exists("r.json"));
}

TEST_F(Outputs, AStandardStreamThatIsClosedIsNoFileOfOurs) {
  for (const std::string closed : {"<&-", "2>&-", "<&- 2>&-"}) {
    EXPECT_EQ(Shell("supremum max a.npy b.npy -o y.npy --json r.json " + closed).status, 0) << closed;
    EXPECT_EQ(ReadElements<float>("y.npy"), (std::vector<float>{1, 2, 3, 4, 5, 6}));
    EXPECT_TRUE(ReadText(File("r.json")).starts_with("{"));
    const ProcessResult failed = Shell("supremum max a.npy none.npy -o y.npy " + closed + " > text");
    EXPECT_EQ(failed.status, 4);
    EXPECT_EQ(ReadElements<float>("y.npy"), (std::vector<float>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(ReadText(File("text")), "");
  }
  EXPECT_EQ(Shell("supremum max a.npy b.npy -o y.npy <&- >&- 2>&-").status, 4);
  EXPECT_EQ(Shell("supremum gen --shape 3 -o new/case <&- >&- 2>&-").status, 4);
}

}  // namespace
}  // namespace supremum::test
