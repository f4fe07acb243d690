// supremum audit: judging, choosing, and what it writes.
#include "tools/audit.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using Audit = AuditTest;

// Rules: ORD-2..4
TEST_F(Audit, AResultIsJudgedByItsShapeThenByItsBits) {
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "000000007fc00000")"), 'p');
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "000000007FC00000")"), 'p');
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "800000007fc00000")"), 'z');
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "00000000ffc00000")"), 'y');
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "80000000ff800001")"), 'b');
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "000000003f800000")"), 'l');
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "80000000ff800000")"), 'l');
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "000000017fc00000")"), 'w');
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "7fc000003f800000")"), 'w');
  EXPECT_EQ(Verdict(R"("shape": [1, 2], "bits": "000000007fc00000")"), 's');
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "000000007fc0000")"), 'w');
  EXPECT_EQ(Verdict(R"("failed": "no")"), 'e');
  EXPECT_EQ(Verdict(R"("unsupported": "no kernel")"), 'u');
}

// Rules: RED-6, RED-7
TEST_F(Audit, AFiniteNumberInPlaceOfAnInfinityHasItsOwnVerdict) {
  std::vector<std::string> lines = Right();
  lines[1] = R"({"case": 1, "id": "empty/row/float32", "shape": [1], "bits": "ff7fffff"})";
  EXPECT_EQ(Verdicts(Lines(lines)).at("verdicts"), "pipp-");
}

// Rules: E1, PRO-2
TEST_F(Audit, AnAcceptedInvalidModelBreaksItsRuleAndTheProfileBindsSupremumAlone) {
  std::vector<std::string> lines = Right();
  lines[3] = R"({"invalid": 0, "id": "e1/shapes", "accepted": true})";
  lines[4] = R"({"invalid": 1, "id": "profile/symbol", "accepted": true})";
  Runner("fake", Lines(lines));
  Runner("supremum-fake", Lines(lines));
  const nlohmann::json json = Json();
  ASSERT_EQ(json.at("runners").at(0).at("name"), "supremum-fake");
  EXPECT_EQ(json.at("runners").at(0).at("verdicts"), "pppaa");
  EXPECT_EQ(json.at("runners").at(1).at("verdicts"), "pppa-");
  EXPECT_EQ(json.at("runners").at(1).at("rules").at("E1").at("failed"), 1);
  EXPECT_FALSE(json.at("own_passed").get<bool>());
}

TEST_F(Audit, CountsAreKeptForEachRule) {
  std::vector<std::string> lines = Right();
  lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "800000007fc00001"})";
  lines[1] = R"({"case": 1, "id": "empty/row/float32", "failed": "empty"})";
  lines[2] = R"({"case": 2, "id": "one/of_two/bool", "unsupported": "bool"})";
  const nlohmann::json runner = Verdicts(Lines(lines));
  EXPECT_EQ(runner.at("verdicts"), "beup-");
  const auto counts = [](int passed, int failed, int unsupported) {
    return nlohmann::json{
        {"passed", passed}, {"failed", failed}, {"unsupported", unsupported}, {"unanswered", 0}};
  };
  EXPECT_EQ(runner.at("counts"), counts(1, 2, 1));
  EXPECT_EQ(runner.at("rules").at("ORD-2"), counts(0, 1, 0));
  EXPECT_EQ(runner.at("rules").at("ORD-4"), counts(0, 1, 0));
  EXPECT_EQ(runner.at("rules").at("MAX-2"), counts(1, 0, 0));
  EXPECT_EQ(runner.at("rules").at("RED-6"), counts(0, 1, 0));
  EXPECT_EQ(runner.at("rules").at("TYP-4"), counts(0, 0, 1));
  EXPECT_EQ(runner.at("rules").at("E1"), counts(1, 0, 0));
  EXPECT_FALSE(runner.at("rules").contains("PRO-2"));
}

TEST_F(Audit, TheSmallestCaseOfADeviationIsShownWithItsCommand) {
  nlohmann::json cases = ParseJson(kCases);
  nlohmann::json small = cases.at("cases").at(0);
  small["id"] = "zeros/alone/float32";
  small["inputs"] = {{{"shape", {1}}, {"bits", "80000000"}},
                     {{"shape", nlohmann::json::array()}, {"bits", "00000000"}}};
  small["output"] = {{"shape", {1}}, {"bits", "00000000"}};
  cases["cases"].push_back(small);
  WriteText(File("cases/cases.json"), cases.dump());
  const std::string all = Lines(
      {R"({"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "800000007fc00000"})", kRight1,
       kRight2, R"({"case": 3, "id": "zeros/alone/float32", "shape": [1], "bits": "80000000"})"});
  const std::string alone =
      Lines({R"({"case": 0, "id": "zeros/alone/float32", "shape": [1], "bits": "80000000"})"});
  Runner("fake", "if grep -q zeros/plus_minus \"$1\"/cases.json; then\n" + all + "else\n" + alone + "fi\n");
  const nlohmann::json json = Json();
  ASSERT_EQ(json.at("deviations").size(), 1u);
  const nlohmann::json deviation = json.at("deviations").at(0);
  EXPECT_EQ(deviation.at("rule"), "ORD-2");
  EXPECT_EQ(deviation.at("count"), 2);
  EXPECT_EQ(deviation.at("types"), (nlohmann::json{{"float32", 2}}));
  const nlohmann::json& smallest = deviation.at("smallest");
  EXPECT_EQ(smallest.at("id"), "zeros/alone/float32");
  EXPECT_EQ(smallest.at("came_out").at("elements"), ParseJson(R"([["-0", "0x80000000"]])"));
  EXPECT_EQ(smallest.at("right").at("elements"), ParseJson(R"([["0", "0x00000000"]])"));
  const ProcessResult again = Shell(smallest.at("reproduce"));
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out,
              AllOf(HasSubstr("zeros/alone/float32\n"), HasSubstr("wrong sign of zero, violates ORD-2"),
                    HasSubstr("[0]          -0  0x80000000         0  0x00000000  <-\n"),
                    HasSubstr("\nORD-2: On floats, -inf < "), Not(HasSubstr("plus_minus"))));
}

TEST_F(Audit, TheStatusIsThatOfSupremumsOwnRunners) {
  std::vector<std::string> lines = Right();
  lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "800000007fc00000"})";
  Runner("other", Lines(lines));
  EXPECT_EQ(Run().status, 0);
  Runner("supremum-x", Lines(Right()));
  EXPECT_EQ(Run().status, 0);
  Runner("supremum-x", Lines(lines));
  EXPECT_EQ(Run().status, 1);
  EXPECT_EQ(Run({"--runner", "other"}).status, 0);
  lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", "unsupported": "float32"})";
  Runner("supremum-x", Lines(lines));
  EXPECT_EQ(Run().status, 1);
  Runner("supremum-x", "say '" + kHead + "'\nsay noise\n" + Lines(Right()));
  EXPECT_EQ(Run().status, 1);
  Runner("supremum-x", "exit 77\n");
  EXPECT_EQ(Run().status, 1);
}

TEST_F(Audit, WrongNamesAreErrorsBeforeAnythingRuns) {
  Runner("fake", "touch ran\n" + Lines(Right()));
  ExpectFailure(Run({"--runner", "nummpy"}), 2, {"--runner 'nummpy'", "fake"});
  ExpectFailure(Run({"--case", "no/such/case"}), 2, {"--case 'no/such/case'"});
  ExpectFailure(Supremum({"audit", "--cases", "cases", "--runners", "nowhere"}), 4, {"nowhere", "--runners"});
  ExpectFailure(Supremum({"audit", "--cases", "nowhere", "--runners", "runners"}), 4, {"nowhere/cases.json"});
  WriteText(File("file"), "");
  ExpectFailure(Run({"--report", "file/report"}), 4, {"file/report"});
  ExpectFailure(Run({"--markdown", "no/folder.md"}), 4, {"no/folder.md"});
  EXPECT_FALSE(Exists("ran"));
}

TEST_F(Audit, BrokenCasesAreRefusedByName) {
  Runner("fake", Lines(Right()));
  const auto broken = [&](const std::string& from, const std::string& to,
                          const std::vector<std::string>& parts) {
    std::string text = kCases;
    text.replace(text.find(from), from.size(), to);
    WriteText(File("cases/cases.json"), text);
    ExpectFailure(Run(), 3, parts);
  };
  broken("\"float32\",", "\"float31\",", {"cases/cases.json", "zeros/plus_minus/float32", "float31"});
  broken("000000003f800000", "00000000", {"zeros/plus_minus/float32", "8 hexadecimal digits"});
  broken("000000003f800000", "000000003f80000g", {"zeros/plus_minus/float32", "hexadecimal"});
  broken("\"0100\"", "\"0102\"", {"one/of_two/bool", "bool"});
  broken("\"MAX-2\", \"ORD-2\"", "", {"zeros/plus_minus/float32", "'rules' is empty"});
  broken("empty/row/float32", "zeros/plus_minus/float32", {"two cases", "zeros/plus_minus/float32"});
  broken("{\"version\"", "[\"version\"", {"cases/cases.json", "byte"});
}

TEST_F(Audit, AFolderWithoutCasesIsAnErrorBeforeAnythingRuns) {
  Runner("fake", "touch ran\n" + Lines(Right()));
  for (const char* name : {"cases/cases.json", "cases/invalid.json"})
    WriteText(File(name), R"({"cases": []})");
  ExpectFailure(Run(), 2, {"cases: cases.json and invalid.json have no case", "supremum gen-conformance"});
  EXPECT_FALSE(Exists("ran"));
}

TEST_F(Audit, ARunnerToWhichNoCaseAppliesIsNamedWithTheReason) {
  Runner("supremum-x", "say '" + kHead + "'\n");
  const ProcessResult models = Run({"--case", "e1/shapes"});
  EXPECT_EQ(models.status, 1) << "it passed no case";
  EXPECT_THAT(models.out, HasSubstr("supremum-x: no case applies to it: it does not read these models, or"));
  Runner("supremum-x", Lines(Right()));
  EXPECT_THAT(Run().out, Not(HasSubstr("no case applies")));
}

TEST_F(Audit, CasesAreChosenByPattern) {
  Runner("fake", "at 0 say '" + kHead + "'\ngrep -o '\"id\":\"[^\"]*\"' \"$1\"/cases.json >seen\n" +
                     Lines({R"({"case": 0, "id": "empty/row/float32", "shape": [1], "bits": "ff800000"})",
                            R"({"case": 1, "id": "one/of_two/bool", "shape": [1], "bits": "01"})"}));
  const nlohmann::json json = Json({"--case", "*/bool", "--case", "empty/row/float32"});
  EXPECT_EQ(json.at("valid"), 2);
  EXPECT_EQ(json.at("invalid"), 0);
  EXPECT_EQ(ReadText(File("seen")), "\"id\":\"empty/row/float32\"\n\"id\":\"one/of_two/bool\"\n");
  EXPECT_EQ(json.at("runners").at(0).at("verdicts"), "pp");
}

TEST_F(Audit, TheConformanceCasesAreThereIfNoneAreNamed) {
  Runner("fake", "say '" + kHead +
                     R"('
find -L "$1" -type f | sed "s|^$1/||" | sort >files
grep -o '"id":"[^"]*"' "$1"/cases.json | awk -F'"' '{ printf "{\"case\": %d, \"id\": \"%s\", \"unsupported\": \"-\"}\n", NR - 1, $4 }'
)");
  const ProcessResult result =
      Supremum({"audit", "--runners", "runners", "--case", "max_signed_zeros/of_2*/float16", "--case",
                "invalid_mixed_types/*", "--json", "-"});
  EXPECT_EQ(result.status, 0) << result.err;
  const nlohmann::json json = ParseJson(result.out);
  EXPECT_GE(json.at("valid"), 2);
  EXPECT_GE(json.at("invalid"), 10);
  EXPECT_EQ(json.at("runners").at(0).at("counts").at("unsupported"), json.at("valid"));
  EXPECT_EQ(json.at("runners").at(0).at("stray_lines"), 0);
  // Of the models those that are needed, and no others.
  const std::string files = ReadText(File("files"));
  const std::string id = json.at("cases").at(0).at("id");
  EXPECT_THAT(files, AllOf(HasSubstr("onnx/" + id + "/model.onnx\n"),
                           HasSubstr("onnx/" + id + "/test_data_set_0/output_0.pb\n"),
                           HasSubstr("onednn/" + id + ".json\n"), HasSubstr("invalid/invalid_mixed_types/"),
                           Not(HasSubstr("zero/float32")), Not(HasSubstr("invalid_axis"))));
}

TEST_F(Audit, AReportIsAPageAndItsDataAndHasNothingOfARunnerAsMarkup) {
  std::vector<std::string> lines = Right();
  const std::string evil = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>";
  lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", "failed": ")" + evil + R"("})";
  Runner("fake", Lines(lines));
  EXPECT_EQ(Run({"--report", "a/b"}).status, 0);
  const nlohmann::json report = ParseJson(ReadText(File("a/b/report.json")));
  EXPECT_EQ(report.at("verb"), "audit");
  EXPECT_EQ(report.at("deviations").at(0).at("smallest").at("came_out").at("text"), evil);
  const std::string page = ReadText(File("a/b/index.html"));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<img")), Not(HasSubstr("<script>alert")), Not(HasSubstr("http://")),
                          Not(HasSubstr("https://")), Not(HasSubstr("/*REPORT*/"))));
  const std::string before = R"(<script type="application/json" id="report">)";
  const std::size_t begin = page.find(before) + before.size();
  EXPECT_EQ(ParseJson(page.substr(begin, page.find("</script>", begin) - begin)), report);
  EXPECT_EQ(Run({"--report", "a/b"}).status, 0);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(File("a/b")), {}), 2);
}

TEST_F(Audit, MarkdownHasTheDeviations) {
  std::vector<std::string> lines = Right();
  lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "800000007fc00000"})";
  lines[1] = R"({"case": 1, "id": "empty/row/float32", "failed": "a | b ` <c>"})";
  Runner("fake", Lines(lines));
  EXPECT_EQ(Run({"--markdown", "found.md"}).status, 0);
  const std::string text = ReadText(File("found.md"));
  EXPECT_THAT(text, HasSubstr("| fake | Fake | 1.0 | sh | 2 | 2 | 0 | 0 |\n"));
  EXPECT_THAT(
      text, HasSubstr("| ORD-2 | Max | wrong sign of zero | 1 | float32 1 | `zeros/plus_minus/float32` | "));
  EXPECT_THAT(text, HasSubstr("| a &#124; b &#96; &#60;c&#62; |"));
}

TEST_F(Audit, ARunnerGivenByItsPathRunsAloneOrBesideOthers) {
  std::filesystem::create_directories(File("own"));
  Runner("installed", Lines(Right()));
  Runner("mine.sh", Lines(Right()));  // in a folder of runners, a name with a dot is none
  std::filesystem::rename(File("runners/mine.sh"), File("own/mine.sh"));
  const auto names = [&](const std::vector<std::string>& more) {
    std::vector<std::string> found;
    const nlohmann::json json = Json(more);
    for (const auto& runner : json.at("runners")) {
      EXPECT_EQ(runner.at("verdicts"), "pppp-");
      found.push_back(runner.at("name"));
    }
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({}), Names({"installed"}));
  EXPECT_EQ(names({"--runner", "own/mine.sh"}), Names({"mine.sh"}));
  EXPECT_EQ(names({"--runner", "./own/mine.sh", "--runner", "installed"}), Names({"installed", "mine.sh"}));
  EXPECT_EQ(names({"--add-runner", "own/mine.sh"}), Names({"installed", "mine.sh"}));
  EXPECT_EQ(names({"--add-runner", "own/mine.sh", "--runner", "installed"}), Names({"installed", "mine.sh"}));
  // --add-runner takes the name of any file, as every option for a file does.
  std::filesystem::copy_file(File("own/mine.sh"), File("mine"));
  EXPECT_EQ(names({"--add-runner", "mine", "--add-runner", "own/mine.sh"}),
            Names({"installed", "mine", "mine.sh"}));
  // Without a name, the folder of the installed ones is not needed.
  EXPECT_EQ(Supremum({"audit", "--cases", "cases", "--runners", "nowhere", "--runner", "./mine"}).status, 0);
}

TEST_F(Audit, ARunnerGivenByItsPathIsReproducedByIt) {
  std::filesystem::create_directories(File("folder of mine"));
  std::vector<std::string> lines = Right();
  lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "800000007fc00000"})";
  Runner("fake", Lines(lines));
  std::filesystem::rename(File("runners/fake"), File("-fake"));
  for (const std::string path : {"-fake", "./-fake", "folder of mine/-fake"}) {
    if (path.starts_with('f')) std::filesystem::rename(File("-fake"), File(path));
    const nlohmann::json json = Json({"--add-runner=" + path, "--markdown", "m.md"});
    const std::string again = json.at("deviations").at(0).at("smallest").at("reproduce");
    const ProcessResult result = Shell(again);
    EXPECT_EQ(result.status, 0) << again << "\n" << result.err;
    EXPECT_THAT(result.out, HasSubstr("wrong sign of zero, violates ORD-2"));
    const std::string command = again.substr(0, again.find(" --case "));
    EXPECT_THAT(ReadText(File("m.md")), HasSubstr("`" + command + " --case ID` shows a case in full"));
  }
}

TEST_F(Audit, APathThatIsNoRunnersIsAnErrorBeforeAnythingRuns) {
  Runner("fake", "touch ran\n" + Lines(Right()));
  WriteText(File("text"), "#!/bin/sh\n");
  std::filesystem::permissions(File("text"), std::filesystem::perms::owner_read);
  for (const std::string option : {"--runner", "--add-runner"}) {
    ExpectFailure(Run({option, "./none"}), 4, {"'./none' cannot be run: No such file"});
    ExpectFailure(Run({option, "./text"}), 4, {"'./text' cannot be run: Permission denied", "chmod +x"});
    ExpectFailure(Run({option, "./cases"}), 4, {"'./cases' cannot be run"});
  }
  ExpectFailure(Run({"--add-runner", "runners/fake"}), 2, {"runners/fake", "two runners", "'fake'"});
  ExpectFailure(Run({"--runner", "runners/fake", "--add-runner", "./runners/fake"}), 2, {"two runners"});
  ExpectFailure(Run({"--runner", "mine"}), 2, {"--runner 'mine'", "fake", "./mine"});
  EXPECT_FALSE(Exists("ran"));
}

class NewRunner : public AuditTest {
 protected:
  const std::string source_ =
      ReadText(std::filesystem::path(SUPREMUM_SOURCE_DIR) / "kit" / "runners" / "numpy");

  /// A line of shell with the Python of the tests as python3.
  ProcessResult WithPython(const std::string& line) const {
    const std::string folder = std::filesystem::path(SUPREMUM_PYTHON).parent_path();
    return Shell("PATH='" + folder + "':\"$PATH\"\n" + line);
  }
};

TEST_F(NewRunner, IsTheRunnerOfNumPyAndExecutable) {
  const ProcessResult result = Supremum({"audit", "--new-runner", "mine", "--json", "r.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(ReadText(File("mine")), source_);
  for (const char* const mark : {"\n# RUNTIME: ", "\n# PROTOCOL: "}) EXPECT_THAT(source_, HasSubstr(mark));
  EXPECT_NE(std::filesystem::status(File("mine")).permissions() & std::filesystem::perms::owner_exec,
            std::filesystem::perms::none);
  EXPECT_THAT(result.out, AllOf(HasSubstr("\n  supremum audit --runner ./mine --failed-only\n"),
                                HasSubstr("\n  supremum audit --add-runner ./mine --report audit\n")));
  const nlohmann::json json = ParseJson(ReadText(File("r.json")));
  EXPECT_EQ(json.at("verb"), "audit");
  EXPECT_EQ(json.at("new_runner"), "mine");
}

TEST_F(NewRunner, WorksAsItIsInAnyFolder) {
  std::filesystem::create_directories(File("it's here"));
  const ProcessResult made = Supremum({"audit", "--new-runner", "it's here/mine"});
  ASSERT_EQ(made.status, 0) << made.err;
  // The first of the commands that it prints.
  const std::size_t begin = made.out.find("supremum audit --runner ");
  const std::string command = made.out.substr(begin, made.out.find('\n', begin) - begin);
  const ProcessResult result = WithPython(command + " --cases cases --json -");
  const nlohmann::json json = ParseJson(result.out);
  const nlohmann::json& runner = json.at("runners").at(0);
  if (runner.at("status") == "not installed") GTEST_SKIP() << runner.at("reason");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(runner.at("name"), "mine");
  EXPECT_EQ(runner.at("runtime"), "NumPy");
  EXPECT_EQ(runner.at("verdicts").get<std::string>().substr(1), "ep--");
  EXPECT_EQ(runner.at("stray_lines"), 0);
  EXPECT_EQ(runner.at("restarts"), 0);
}

TEST_F(NewRunner, SaysWhatIsWrongByItsStatus) {
  ASSERT_EQ(Supremum({"audit", "--new-runner", "mine"}).status, 0);
  WriteText(File("numpy.py"), "raise ImportError('hidden by a test')\n");
  const ProcessResult missing = WithPython("PYTHONPATH=. ./mine cases");
  EXPECT_EQ(missing.status, 77);
  EXPECT_EQ(missing.out, "");
  EXPECT_EQ(missing.err, "./mine: not installed: hidden by a test\n");
  WriteText(File("numpy.py"), "__version__ = '1'\ndef errstate(**_): return lambda run: run\n");
  for (const char* const arguments : {"", "nowhere", "cases --from x"}) {
    const ProcessResult wrong = WithPython(std::string("./mine ") + arguments);
    EXPECT_EQ(wrong.status, 2) << arguments << wrong.err;
    EXPECT_EQ(wrong.out, "");
  }
  // Whatever the runtime raises fails the case, and nothing else.
  const ProcessResult failed = WithPython("./mine cases --from 1");
  EXPECT_EQ(failed.status, 0) << failed.err;
  EXPECT_EQ(std::ranges::count(failed.out, '\n'), 3);
  EXPECT_THAT(failed.out, HasSubstr(R"({"case": 1, "id": "empty/row/float32", "failed": "AttributeError: )"));
}

TEST_F(NewRunner, RunsNothing) {
  Runner("fake", "touch ran\n" + Lines(Right()));
  for (const std::vector<std::string>& option :
       std::vector<std::vector<std::string>>{{"--report", "page"},
                                             {"--issues", "issues"},
                                             {"--runner", "fake"},
                                             {"--add-runner", "runners/fake"},
                                             {"--case", "*"},
                                             {"--markdown", "m.md"},
                                             {"--fail-on", "all"},
                                             {"--baseline", "base.json"},
                                             {"--failed-only"},
                                             {"--cases", "cases"},
                                             {"--runners", "runners"}}) {
    ExpectFailure(Supremum(With({"audit", "--new-runner", "mine"}, option)), 2, {"--new-runner"});
    EXPECT_FALSE(Exists("mine"));
  }
  EXPECT_EQ(Supremum({"audit", "--new-runner", "mine"}).status, 0);
  EXPECT_FALSE(Exists("ran"));
}

class AuditGate : public AuditTest {
 protected:
  void SetUp() override {
    AuditTest::SetUp();
    std::vector<std::string> lines = Right();
    lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "800000007fc00000"})";
    lines[2] = R"({"case": 2, "id": "one/of_two/bool", "shape": [1], "bits": "00"})";
    Runner("fake", Lines(lines));
  }
};

TEST_F(AuditGate, FailuresOfTheNamedRulesAreErrors) {
  EXPECT_EQ(Run().status, 0) << "deviations of other runtimes are findings";
  for (const char* rules : {"ORD-2", "RED-1", "all", "RED-6,ORD-2"})
    EXPECT_EQ(Run({"--fail-on", rules}).status, 1);
  for (const char* rules : {"ORD-3", "RED-6,ORD-4"}) EXPECT_EQ(Run({"--fail-on", rules}).status, 0);
  EXPECT_THAT(Run({"--fail-on", "ORD-2"}).out,
              AllOf(HasSubstr("fake: zeros/plus_minus/float32: wrong sign of zero (ORD-2)\n"),
                    HasSubstr("1 failed case that must not occur\n")));
  const ProcessResult unknown = Run({"--fail-on", "ORD-2,ORD-99"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--fail-on: 'ORD-99' is no rule"));
}

TEST_F(AuditGate, WhatTheBaselineHasIsAccepted) {
  ASSERT_EQ(Run({"--json", "base.json"}).status, 0);
  EXPECT_EQ(Run({"--baseline", "base.json"}).status, 0);
  // Another verdict on the same case is new, and so is another case.
  std::vector<std::string> lines = Right();
  lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "800000007fc00001"})";
  lines[1] = R"({"case": 1, "id": "empty/row/float32", "failed": "empty"})";
  Runner("fake", Lines(lines));
  const ProcessResult worse = Run({"--baseline", "base.json"});
  EXPECT_EQ(worse.status, 1);
  EXPECT_THAT(worse.out,
              AllOf(HasSubstr("zeros/plus_minus/float32: wrong sign of zero and wrong bits of NaN"),
                    HasSubstr("empty/row/float32: error"), HasSubstr("2 failed cases")));
  EXPECT_EQ(Run({"--baseline", "base.json", "--fail-on", "ORD-3"}).status, 0);
}

TEST_F(AuditGate, ABaselineThatIsNoneIsAnError) {
  for (const char* text :
       {"", "{}", "[]", R"({"cases": [], "runners": {}})", R"({"cases": [{}], "runners": []})",
        R"({"cases": [], "runners": [{}]})", R"({"cases": [], "runners": [{"name": "a", "verdicts": "p"}]})",
        R"({"cases": [3], "runners": [4]})"}) {
    WriteText(File("base.json"), text);
    const ProcessResult result = Run({"--baseline", "base.json"});
    EXPECT_EQ(result.status, 3) << text << result.err;
    EXPECT_THAT(result.err, HasSubstr("base.json"));
  }
  EXPECT_EQ(Run({"--baseline", "none.json"}).status, 4);
  WriteText(File("base.json"), R"({"cases": [], "runners": []})");
  EXPECT_EQ(Run({"--baseline", "base.json", "--json", "base.json"}).status, 2) << "it is an input";
}

TEST_F(AuditGate, FailuresAreToldApartByWhoseRuleTheyViolate) {
  const nlohmann::json json = Json();
  EXPECT_EQ(json.at("runners").at(0).at("failed_by"),
            nlohmann::json({{"onnx", 1}, {"sonnx", 1}, {"supremum", 0}}));
  std::map<std::string, std::string> origins;
  for (const auto& rule : json.at("rules")) origins[rule.at("id")] = rule.at("origin");
  EXPECT_EQ(origins["RED-1"], "ONNX");
  EXPECT_EQ(origins["ORD-2"], "SONNX");
  std::vector<std::string> lines = Right();
  lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "000000007fc00001"})";
  Runner("fake", Lines(lines));
  EXPECT_EQ(Json().at("runners").at(0).at("failed_by").at("supremum"), 1)
      << "ORD-4 is a rule of this project";
}

// Rules: MAX-2, ORD-2, ORD-3
TEST_F(AuditGate, WhatOnnxDecidesIsOnnxsWhateverRuleTheCaseTests) {
  const auto failed_by = [&](const std::string& result) {
    std::vector<std::string> lines = Right();
    lines[0] =
        R"({"case": 0, "id": "zeros/plus_minus/float32", )" + result + "}";  // of MAX-2, a rule of SONNX
    Runner("fake", Lines(lines));
    const nlohmann::json json = Json();
    const nlohmann::json counts = json.at("runners").at(0).at("failed_by");
    EXPECT_EQ(json.at("deviations").size(), 1u);
    const std::string origin = json.at("deviations").at(0).at("origin");
    EXPECT_EQ(counts.at(origin == "ONNX" ? "onnx" : origin == "SONNX" ? "sonnx" : "supremum"), 1) << origin;
    return origin;
  };
  EXPECT_EQ(failed_by(R"("shape": [2], "bits": "3f8000007fc00000")"), "ONNX") << "a wrong value";
  EXPECT_EQ(failed_by(R"("shape": [1, 2], "bits": "000000007fc00000")"), "ONNX") << "a wrong shape";
  EXPECT_EQ(failed_by(R"("shape": [2], "bits": "00000000")"), "ONNX") << "too few elements";
  EXPECT_EQ(failed_by(R"("shape": [2], "bits": "800000007fc00000")"), "SONNX") << "the sign of a zero";
  EXPECT_EQ(failed_by(R"("shape": [2], "bits": "000000003f800000")"), "SONNX") << "NaN does not win";
  EXPECT_EQ(failed_by(R"("shape": [2], "bits": "00000000ffc00000")"), "supremum") << "the bits of NaN";
  EXPECT_EQ(failed_by(R"("failed": "no")"), "SONNX") << "no result: the rule of the case decides";
  EXPECT_THAT(Run({"--failed-only"}).out, HasSubstr("violates"));
}

// Rules: ORD-3, RED-7
TEST_F(AuditGate, ALostInfinityCountsBeforeALostNaN) {
  nlohmann::json cases = ParseJson(kCases);
  nlohmann::json& one = cases.at("cases").at(0);
  one["inputs"] = {{{"shape", {2}}, {"bits", "ff8000007fc00000"}}};
  one["output"] = {{"shape", {2}}, {"bits", "ff8000007fc00000"}};
  WriteText(File("cases/cases.json"), cases.dump());
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "ff7fffff3f800000")"), 'i');
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "ff8000003f800000")"), 'l');
}

TEST_F(AuditGate, FailedOnlyListsRunnersThatFailedAndEachDeviation) {
  Runner("right", Lines(Right()));
  const ProcessResult result = Run({"--failed-only"});
  EXPECT_THAT(result.out, AllOf(Not(HasSubstr("right ")), HasSubstr("ORD-2"), HasSubstr("wrong sign of zero"),
                                HasSubstr("one/of_two/bool")));
  EXPECT_THAT(Run().out, AllOf(HasSubstr("right"), HasSubstr("of SONNX")));
}

}  // namespace
}  // namespace supremum::test
