// supremum audit --issues: pages, programs and models for the authors of other runtimes.
#include "tools/audit.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kNumPy = R"({"runtime": "NumPy", "version": "1.2.3", "interface": "Python"})";
const std::string kWrongZero =
    R"({"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "800000007fc00000"})";
const std::string kAccepted = R"({"invalid": 0, "id": "e1/shapes", "accepted": true})";

class AuditIssues : public AuditTest {
 protected:
  void SetUp() override {
    AuditTest::SetUp();
    nlohmann::json cases = ParseJson(kCases);
    cases["cases"][0]["onnx"] = "onnx/zeros";
    WriteText(File("cases/cases.json"), cases.dump());
    for (const char* folder : {"cases/onnx/zeros", "cases/invalid/e1"}) {
      fs::create_directories(File(folder));
      WriteText(File(std::string(folder) + "/model.onnx"), std::string("the model of ") + folder);
    }
  }

  /// A runner with that first line, which prints these lines.
  void RunnerOf(const std::string& name, const std::string& head,
                const std::vector<std::string>& lines) const {
    std::string text = "say '" + head + "'\n";
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += "at " + std::to_string(i) + " say '" + lines[i] + "'\n";
    Runner(name, text);
  }

  /// The right lines, but for one.
  static std::vector<std::string> But(std::size_t number, const std::string& line) {
    std::vector<std::string> lines = Right();
    lines[number] = line;
    return lines;
  }

  std::string Page(const std::string& name) const { return ReadText(File("issues/" + name)); }

  ProcessResult Issues(const std::vector<std::string>& more = {}) const {
    return Run(With({"--issues", "issues"}, more));
  }

  /// The program that is written for a case by a runner with this head, or "".
  std::string ProgramOf(const std::string& head, const std::vector<std::string>& lines) const {
    fs::remove_all(File("issues"));
    RunnerOf("one", head, lines);
    const ProcessResult result = Issues({"--runner", "one"});
    EXPECT_EQ(result.status, 0) << result.err;
    for (const auto& entry : fs::directory_iterator(File("issues/one"))) {
      const std::string ending = entry.path().extension();
      if (ending != ".md" && ending != ".onnx") return ReadText(entry.path());
    }
    return "";
  }
};

// Rules: ORD-2
TEST_F(AuditIssues, APageAProgramAndTheModelAreWrittenForADeviation) {
  RunnerOf("numpy", kNumPy, But(0, kWrongZero));
  const ProcessResult result = Issues();
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 issue, 1 with a program, in issues\n"));
  const std::string name = "numpy/01-ord-2-max-wrong-sign-of-zero";
  EXPECT_EQ(Page(name + ".onnx"), "the model of cases/onnx/zeros");
  const std::string program = Page(name + ".py");
  EXPECT_THAT(program,
              AllOf(StartsWith("#!/usr/bin/env python3\n"),
                    HasSubstr("\n# NumPy 1.2.3, case zeros/plus_minus/float32.\n# Zeros have a sign.\n"),
                    HasSubstr("y = np.asarray(np.maximum(x0, x1), \"float32\")"),
                    HasSubstr("\"float32\").reshape((2,)).copy()  # -0, nan\n"),
                    HasSubstr("expected = (2,), bytes.fromhex(\""), HasSubstr("# 0, nan\n")));
  const std::string page = Page(name + ".md");
  EXPECT_THAT(
      page,
      AllOf(StartsWith("# Max: wrong sign of zero (ORD-2)\n"),
            HasSubstr("| violates | **the SONNX profile, not ONNX** |\n| runtime | NumPy 1.2.3 |\n"),
            HasSubstr("| machine | Linux "),
            HasSubstr("| cases that deviate in the same way | 1: float32 1 |"),
            HasSubstr("| operator | Max, opset 13 |\n| attributes | none |\n| type | float32 |\n"),
            HasSubstr("| input 1 | [2] -0 (0x80000000), nan (0x7fc00000) |"),
            HasSubstr("| expected | [2] 0 (0x00000000), nan (0x7fc00000) |\n"
                      "| result | [2] -0 (0x80000000), nan (0x7fc00000) |\n"),
            HasSubstr("\nORD-2: On floats, -inf "), HasSubstr("\n```python\n" + program + "```\n"),
            HasSubstr("\n$ python3 01-ord-2-max-wrong-sign-of-zero.py\n"), HasSubstr("numpy/numpy#26746"),
            HasSubstr("`supremum audit --cases cases --runners runners --runner numpy --case "
                      "zeros/plus_minus/float32`\n")));
  EXPECT_THAT(
      Page("README.md"),
      AllOf(HasSubstr("| NumPy | 1.2.3 | the SONNX profile, not ONNX | Max: wrong sign of zero (ORD-2) | 1 | "
                      "[.md](" +
                      name + ".md) [.py](" + name + ".py) [.onnx](" + name + ".onnx) |\n"),
            HasSubstr("\n## To run a program\n")));
}

// Rules: ORD-2, ORD-4, RED-1, RED-6
TEST_F(AuditIssues, ALabelSaysWhatIsViolated) {
  std::vector<std::string> lines = Right();
  lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "800000007fc00001"})";
  lines[2] = R"({"case": 2, "id": "one/of_two/bool", "shape": [1], "bits": "00"})";
  RunnerOf("numpy", kNumPy, lines);
  ASSERT_EQ(Issues().status, 0);
  EXPECT_THAT(Page("numpy/01-ord-2-max-wrong-sign-of-zero-and-wrong-bits-of-nan.md"),
              HasSubstr("| violates | **the SONNX profile, not ONNX** |"));
  EXPECT_THAT(Page("numpy/02-ord-4-max-wrong-sign-of-zero-and-wrong-bits-of-nan.md"),
              HasSubstr("| violates | **only supremum's own rule** |"));
  EXPECT_THAT(Page("numpy/03-red-1-reducemax-wrong-value.md"),
              HasSubstr("| violates | **ONNX (or oneDNN)** |"));
  EXPECT_FALSE(Exists("issues/numpy/03-red-1-reducemax-wrong-value.onnx")) << "the case has no model";
}

TEST_F(AuditIssues, OnlyOtherRuntimesHaveIssuesAndEachCountsItsOwn) {
  RunnerOf("supremum-x", kNumPy, But(0, kWrongZero));
  EXPECT_EQ(Issues().status, 1) << "supremum's own runner failed";
  EXPECT_THAT(Page("README.md"), HasSubstr("There is none: no other runtime failed a case.\n"));
  EXPECT_FALSE(Exists("issues/supremum-x"));
  RunnerOf("a", kNumPy, But(0, kWrongZero));
  RunnerOf("b", kNumPy, But(0, kWrongZero));
  fs::remove_all(File("issues"));
  EXPECT_THAT(Issues().out, HasSubstr("2 issues, 2 with a program, in issues\n"));
  for (const char* runner : {"a", "b"})
    EXPECT_TRUE(Exists(std::string("issues/") + runner + "/01-ord-2-max-wrong-sign-of-zero.md"));
}

TEST_F(AuditIssues, AnUnknownRuntimeHasNoProgramAndThePageSaysSo) {
  RunnerOf("fake", kHead, But(0, kWrongZero));
  EXPECT_THAT(Issues().out, HasSubstr("1 issue, 0 with a program, in issues\n"));
  const std::string name = "fake/01-ord-2-max-wrong-sign-of-zero";
  EXPECT_THAT(Page(name + ".md"),
              AllOf(HasSubstr("No program is written for this case"), Not(HasSubstr("```"))));
  EXPECT_TRUE(Exists("issues/" + name + ".onnx"));
  EXPECT_THAT(Page("README.md"), Not(HasSubstr("[.py]")));
}

TEST_F(AuditIssues, AnErrorAndACrashHaveAPage) {
  std::vector<std::string> lines = Right();
  lines[1] = R"({"case": 1, "id": "empty/row/float32", "failed": "ValueError: zero-size"})";
  RunnerOf("numpy", kNumPy, lines);
  ASSERT_EQ(Issues().status, 0);
  const std::string name = "numpy/01-red-6-reducemax-error";
  EXPECT_THAT(Page(name + ".md"), AllOf(HasSubstr("| attributes | `axes=[1] keepdims=0` |"),
                                        HasSubstr("| result | `ValueError: zero-size` |"),
                                        HasSubstr("| expected | [1] -inf (0xff800000) |")));
  EXPECT_THAT(Page(name + ".py"), AllOf(HasSubstr("np.max(x0, axis=(1,), keepdims=False)"),
                                        HasSubstr("bytes.fromhex(\"\"), \"float32\").reshape((1, 0))")));
}

// Rules: RED-5
TEST_F(AuditIssues, EachRuntimeIsCalledInItsOwnLanguage) {
  const auto head = [](const std::string& runtime, const std::string& version, const std::string& interface) {
    return R"({"runtime": ")" + runtime + R"(", "version": ")" + version + R"(", "interface": ")" +
           interface + "\"}";
  };
  const auto max = But(0, kWrongZero);
  EXPECT_THAT(ProgramOf(head("PyTorch", "2.0", "Python"), max),
              AllOf(HasSubstr("y = functools.reduce(torch.maximum, [x0, x1]).contiguous()\n"),
                    HasSubstr("dtype=torch.float32).reshape((2,))  # -0, nan\n")));
  EXPECT_THAT(ProgramOf(head("ONNX Runtime", "1.0", "Node"), max),
              AllOf(HasSubstr("require('onnxruntime-node')"), HasSubstr("new Float32Array(bytes(\""),
                    HasSubstr("path.join(__dirname, '01-ord-2-max-wrong-sign-of-zero.onnx')")));
  EXPECT_THAT(ProgramOf(head("ONNX Runtime", "1.0", "Python"), max),
              AllOf(HasSubstr("import onnxruntime as ort\n"), HasSubstr("session.run_with_ort_values(")));
  EXPECT_THAT(
      ProgramOf(head("onnx", "1.12", "Python, checker"), max),
      AllOf(HasSubstr("onnx.checker.check_model(model, full_check=True)\n"), Not(HasSubstr("Evaluator"))));
  EXPECT_THAT(ProgramOf(head("onnx", "1.16", "Python, checker and reference evaluator"), max),
              HasSubstr("evaluator = ReferenceEvaluator(model)\n"));
  EXPECT_THAT(
      ProgramOf(head("Eigen", "3.4.0", "C++"), max),
      AllOf(HasSubstr("New({0x80000000, 0x7fc00000});  // -0, nan\n"),
            HasSubstr("  result = Map(x0, 1, 2).replicate(1, 1);\n  result = result.max(Map(x1, 1, 2));\n")));
  EXPECT_THAT(ProgramOf(head("oneDNN", "2.6.3", "C++"), max), HasSubstr("dnnl::binary::desc("));
  EXPECT_THAT(ProgramOf(head("oneDNN", "3.1", "C++"), max),
              HasSubstr("primitive(engine, dnnl::algorithm::binary_max, d0, d1, dy, attributes);"));
  EXPECT_EQ(ProgramOf(head("oneDNN", "unknown", "C++"), max), "") << "the interface depends on the version";
  EXPECT_THAT(ProgramOf(head("XNNPACK", "0.0~git20220216.ae108ef-2", "C++"), max),
              HasSubstr("xnn_create_maximum_nd_f32(0, &op)"));
  EXPECT_THAT(ProgramOf(head("XNNPACK", "0.0~git20241108.4ea82e5-2", "C++"), max),
              HasSubstr("xnn_create_binary_elementwise_nd(xnn_binary_maximum, xnn_datatype_fp32,"));
  EXPECT_EQ(ProgramOf(head("NumPy", "1", "Fortran"), max), "") << "another interface";
  const auto reduce = But(2, R"({"case": 2, "id": "one/of_two/bool", "failed": "no"})");
  EXPECT_THAT(ProgramOf(head("PyTorch", "2.0", "Python"), reduce),
              HasSubstr("torch.amax(x0, dim=(0,), keepdim=True)"));
  EXPECT_THAT(ProgramOf(head("Eigen", "3.4.0", "C++"), reduce), HasSubstr("*y = Map(x0, 1, 2).maxCoeff();"));
  EXPECT_EQ(ProgramOf(head("oneDNN", "2.6.3", "C++"), reduce), "") << "it has no bool";
  nlohmann::json cases = ParseJson(ReadText(File("cases/cases.json")));
  for (const auto& [attributes, axes] :
       std::vector<std::pair<std::string, std::string>>{{R"({"axes": []})", "None"},
                                                        {R"({"noop_with_empty_axes": 1})", "()"},
                                                        {R"({"axes": [-1]})", "(-1,)"}}) {
    cases["cases"][2]["attributes"] = ParseJson(attributes);
    WriteText(File("cases/cases.json"), cases.dump());
    EXPECT_THAT(ProgramOf(kNumPy, reduce), HasSubstr("np.max(x0, axis=" + axes + ", keepdims=True)"));
  }
  cases["cases"][2]["attributes"] = {{"axes", {7}}};
  WriteText(File("cases/cases.json"), cases.dump());
  EXPECT_EQ(ProgramOf(kNumPy, reduce), "") << "there is no such axis";
}

// Rules: E1
TEST_F(AuditIssues, AProgramOfAnInvalidModelNeedsNoOtherFile) {
  const std::string head = R"({"runtime": "ONNX Runtime", "version": "1.0", "interface": "Node"})";
  EXPECT_THAT(ProgramOf(head, But(3, kAccepted)),
              AllOf(HasSubstr("console.log('accepted');\n  process.exitCode = 1;\n"),
                    HasSubstr("console.log('refused:'")));
  const std::string name = "one/01-e1-invalid-model-accepted";
  EXPECT_EQ(Page(name + ".onnx"), "the model of cases/invalid/e1");
  EXPECT_THAT(Page(name + ".md"), AllOf(StartsWith("# Model: invalid model accepted (E1)\n"),
                                        HasSubstr("| expected | refused, not_broadcastable |\n"
                                                  "| result | accepted |\n")));
  nlohmann::json invalid = ParseJson(kInvalid);
  invalid["cases"][0]["inputs"] = {"invalid/e1/input_0.pb"};
  WriteText(File("cases/invalid.json"), invalid.dump());
  EXPECT_EQ(ProgramOf(head, But(3, kAccepted)), "") << "it needs files of tensors";
  // Another case of the same deviation needs none.
  invalid["cases"][1] = invalid["cases"][0];
  invalid["cases"][1]["id"] = "e1/second";
  invalid["cases"][1]["inputs"] = nlohmann::json::array();
  WriteText(File("cases/invalid.json"), invalid.dump());
  std::vector<std::string> both = But(3, kAccepted);
  both[4] = R"({"invalid": 1, "id": "e1/second", "accepted": true})";
  EXPECT_THAT(ProgramOf(head, both), HasSubstr("case e1/second.\n"));
}

TEST_F(AuditIssues, HostileTextsStayText) {
  // A statement of an encoding, ends of lines for Python and for JavaScript, code blocks, and markup.
  const std::string evil = R"(coding: rot13\u2028evil()\nevil()\r```\n# evil\u001b[31m|<b>`\\\\)";
  nlohmann::json cases = ParseJson(ReadText(File("cases/cases.json")));
  const std::string id = "zeros/\nevil()\n```\n|<b>\\";
  cases["cases"][0]["id"] = id;
  cases["cases"][0]["reason"] = "coding: rot13\nevil()";
  WriteText(File("cases/cases.json"), cases.dump());
  std::string quoted = nlohmann::json(id).dump();
  for (std::size_t at = 0; (at = quoted.find('\\', at)) != std::string::npos; at += 2)
    quoted.insert(at, 1, '\\');
  for (const auto& [runtime, interface, comment] :
       std::vector<std::array<std::string, 3>>{{"NumPy", "Python", "# "},
                                               {"ONNX Runtime", "Node", "// "},
                                               {"Eigen", "C++", "// "},
                                               {"Fake", "sh", ""}}) {
    fs::remove_all(File("issues"));
    const std::string name = "it is `me`|<b>";
    const std::string head = R"({"runtime": ")" + runtime + R"(", "version": ")" + evil +
                             R"(", "interface": ")" + interface + "\"}";
    const std::string answer = R"({"case": 0, "id": )" + nlohmann::json(id).dump() +
                               R"(, "shape": [2], "bits": "800000007fc00000"})";
    RunnerOf(name, head, But(0, answer));
    const ProcessResult result = Issues();
    ASSERT_EQ(result.status, 0) << result.err;
    const std::string folder = "issues/it%20is%20%60me%60%7C%3Cb%3E";
    ASSERT_TRUE(Exists(folder)) << result.out;
    EXPECT_THAT(Page("README.md"), AllOf(HasSubstr("(it%2520is%2520%2560me%2560%257C%253Cb%253E/01-"),
                                         Not(HasSubstr("<b>")), Not(HasSubstr("\x1b"))));
    for (const auto& entry : fs::directory_iterator(File(folder))) {
      if (entry.path().extension() == ".onnx") continue;
      const std::string text = ReadText(entry.path());
      EXPECT_THAT(text, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\xe2\x80\xa8")), Not(HasSubstr("\r"))));
      std::istringstream lines(text);
      bool inside = entry.path().extension() != ".md";
      for (auto [line, number] = std::pair(std::string(), 1); std::getline(lines, line); ++number) {
        if (line.starts_with("```")) inside = line != "```";
        if (inside && line.find("evil") != std::string::npos) {
          EXPECT_TRUE(line.starts_with(comment) && line.back() != '\\') << line;
          EXPECT_TRUE(number > 2 || runtime != "NumPy") << "Python reads encodings in the first two lines";
        }
        if (!inside) {
          EXPECT_EQ(line.find("<b>"), std::string::npos) << line;
          EXPECT_FALSE(line.starts_with("evil") || line.starts_with("# evil")) << line;
        }
      }
    }
  }
}

TEST_F(AuditIssues, AFolderWithFilesIsRefusedBeforeAnythingRuns) {
  Runner("fake", "touch ran\n" + Lines(Right()));
  fs::create_directories(File("issues"));
  WriteText(File("issues/mine.txt"), "mine");
  WriteText(File("file"), "");
  ExpectFailure(Issues(), 2, {"--issues issues: the folder has files; name another folder, or remove it"});
  ExpectFailure(Run({"--issues", "file"}), 2, {"--issues file", "not a folder"});
  ExpectFailure(Run({"--issues", "file/issues"}), 4, {"file"});
  ExpectFailure(Run({"--issues", "new", "--json", "new/r.json"}), 2, {"new/r.json"});
  ExpectFailure(Run({"--issues", "new", "--report", "new"}), 2, {"new"});
  ExpectFailure(Supremum({"audit", "--new-runner", "mine", "--issues", "new"}), 2, {"--new-runner"});
  EXPECT_FALSE(Exists("ran"));
  EXPECT_FALSE(Exists("new"));
  EXPECT_EQ(ReadText(File("issues/mine.txt")), "mine");
  fs::remove(File("issues/mine.txt"));
  EXPECT_EQ(Issues().status, 0) << "an empty folder is filled";
  EXPECT_TRUE(Exists("issues/README.md"));
}

TEST_F(AuditIssues, AfterAnErrorOnlyIssuesRemainAndNoModelFromElsewhere) {
  RunnerOf("numpy", kNumPy, But(0, kWrongZero));
  fs::create_directories(File("secret"));
  WriteText(File("secret/model.onnx"), "secret\n");
  const auto fails = [&](const std::string& folder, int status, const std::vector<std::string>& parts) {
    nlohmann::json cases = ParseJson(ReadText(File("cases/cases.json")));
    cases["cases"][0]["onnx"] = folder;
    WriteText(File("cases/cases.json"), cases.dump());
    const auto before = Everything();
    ExpectFailure(Issues({"--markdown", "m.md", "--report", "page", "--json", "r.json"}), status, parts);
    for (const auto& [name, content] : Everything()) {
      if (name.starts_with("issues/")) {
        EXPECT_EQ(content.find("secret\n"), std::string::npos) << name;
      }
    }
    fs::remove_all(File("issues"));
    EXPECT_EQ(Everything(), before);
  };
  fails("onnx/none", 4, {"onnx/none/model.onnx", "No such file"});
  // What a case names would be copied to where others read it.
  fails("../secret", 3, {"zeros/plus_minus/float32", "'../secret/model.onnx' is not below the folder"});
  fails(File("secret"), 3, {"is not below the folder"});
}

TEST_F(AuditIssues, ReportsAreWrittenBesideTheIssues) {
  RunnerOf("numpy", kNumPy, But(0, kWrongZero));
  const ProcessResult result = Issues({"--report", "page", "--markdown", "m.md", "--json", "r.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* name : {"page/index.html", "page/report.json", "m.md", "r.json", "issues/README.md"})
    EXPECT_TRUE(Exists(name)) << name;
  EXPECT_EQ(ParseJson(ReadText(File("r.json"))).at("deviations").size(), 1u);
}

TEST_F(AuditIssues, TheKitsOwnModelsAreCopiedBeforeTheyAreRemoved) {
  RunnerOf(
      "numpy", kNumPy,
      {R"({"case": 0, "id": "max_neighbours/minus_zero_zero/float32", "shape": [], "bits": "80000000"})"});
  const ProcessResult result =
      Supremum({"audit", "--runners", "runners", "--case", "max_neighbours/minus_zero_zero/float32",
                "--issues", "deep/issues"});
  EXPECT_EQ(result.status, 0) << result.err;
  const std::string model = "deep/issues/numpy/01-ord-2-max-wrong-sign-of-zero.onnx";
  EXPECT_EQ(Supremum({"check", model}).status, 0) << result.out;
}

}  // namespace
}  // namespace supremum::test
