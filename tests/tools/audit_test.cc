// supremum audit: judging, and runners that nobody vouches for.
#include <chrono>
#include <nlohmann/json.hpp>

#include "tools/command.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kCases = R"({"version": "1", "cases": [
  {"id": "zeros/plus_minus/float32", "group": "zeros", "name": "plus_minus", "type": "float32",
   "rules": ["MAX-2", "ORD-2"], "reason": "Zeros have a sign.", "operator": "Max", "opset": 13,
   "inputs": [{"shape": [2], "bits": "000000003f800000"}, {"shape": [2], "bits": "800000007fc00000"}],
   "output": {"shape": [2], "bits": "000000007fc00000"}, "onnx": null, "onednn": null},
  {"id": "empty/row/float32", "group": "empty", "name": "row", "type": "float32", "rules": ["RED-6"],
   "reason": "Nothing is the least.", "operator": "ReduceMax", "opset": 20,
   "attributes": {"axes": [1], "keepdims": 0},
   "inputs": [{"shape": [1, 0], "bits": ""}], "output": {"shape": [1], "bits": "ff800000"}},
  {"id": "one/of_two/bool", "group": "one", "name": "of_two", "type": "bool", "rules": ["RED-1", "TYP-4"],
   "reason": "False is less than true.", "operator": "ReduceMax", "opset": 20, "attributes": {"axes": [0]},
   "inputs": [{"shape": [2], "bits": "0100"}], "output": {"shape": [1], "bits": "01"}}]})";

constexpr const char* kInvalid = R"({"cases": [
  {"id": "e1/shapes", "rules": ["BRO-2", "E1"], "reason": "2 is not 3.", "model": "invalid/e1/model.onnx",
   "verdict": {"valid": false, "fails": "infer", "code": "not_broadcastable", "rule": "E1"}},
  {"id": "profile/symbol", "rules": ["PRO-2"], "reason": "N is no number.", "model": "invalid/pro/model.onnx",
   "verdict": {"valid": false, "fails": "profile", "code": "shape_not_explicit", "rule": "PRO-2"}}]})";

const std::string kHead = R"({"runtime": "Fake", "version": "1.0", "door": "sh"})";
const std::string kRight0 =
    R"({"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "000000007fc00000"})";
const std::string kRight1 = R"({"case": 1, "id": "empty/row/float32", "shape": [1], "bits": "ff800000"})";
const std::string kRight2 = R"({"case": 2, "id": "one/of_two/bool", "shape": [1], "bits": "01"})";
const std::string kRefused0 = R"({"invalid": 0, "id": "e1/shapes", "refused": "shapes"})";
const std::string kRefused1 = R"({"invalid": 1, "id": "profile/symbol", "refused": "N"})";

class Audit : public CommandTest {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(File("cases"));
    std::filesystem::create_directories(File("runners"));
    WriteText(File("cases/cases.json"), kCases);
    WriteText(File("cases/invalid.json"), kInvalid);
  }

  /// A runner in shell. In its text `at N COMMAND` runs the command if the case N is asked for, and `say
  /// LINE` prints a line.
  void Runner(const std::string& name, const std::string& text) const {
    const std::string path = File("runners/" + name);
    WriteText(path,
              "#!/bin/sh\nfrom=0\n[ \"$2\" = --from ] && from=$3\n"
              "say() { printf '%s\\n' \"$1\"; }\n"
              "at() { n=$1; shift; [ \"$n\" -lt \"$from\" ] || \"$@\"; }\n" +
                  text);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  /// A runner that prints these lines; each is given with its number, so that it can be started later on.
  static std::string Lines(const std::vector<std::string>& lines) {
    std::string text = "say '" + kHead + "'\n";
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += "at " + std::to_string(i) + " say '" + lines[i] + "'\n";
    return text;
  }

  static std::vector<std::string> Right() { return {kRight0, kRight1, kRight2, kRefused0, kRefused1}; }

  ProcessResult Run(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"audit", "--cases", "cases", "--runners", "runners"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Supremum(arguments);
  }

  nlohmann::json Json(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--json", "-"});
    const ProcessResult result = Run(more);
    EXPECT_LT(result.status, 2) << result.err;
    return nlohmann::json::parse(result.out);
  }

  /// The verdicts of the one runner `fake` that runs this text.
  nlohmann::json Verdicts(const std::string& text, std::vector<std::string> more = {}) const {
    Runner("fake", text);
    return Json(std::move(more)).at("runners").at(0);
  }

  /// The verdict over `answer`, what follows the id, to the first case.
  char Verdict(const std::string& answer) const {
    std::vector<std::string> lines = Right();
    lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", )" + answer + "}";
    return Verdicts(Lines(lines)).at("verdicts").get<std::string>()[0];
  }
};

// Rules: ORD-2, ORD-4
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
  nlohmann::json cases = nlohmann::json::parse(kCases);
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
  Runner("fake", "if grep -q plus_minus \"$1\"/cases.json; then\n" + all + "else\n" + alone + "fi\n");
  const nlohmann::json json = Json();
  ASSERT_EQ(json.at("deviations").size(), 1u);
  const nlohmann::json deviation = json.at("deviations").at(0);
  EXPECT_EQ(deviation.at("rule"), "ORD-2");
  EXPECT_EQ(deviation.at("count"), 2);
  EXPECT_EQ(deviation.at("types"), (nlohmann::json{{"float32", 2}}));
  const nlohmann::json& smallest = deviation.at("smallest");
  EXPECT_EQ(smallest.at("id"), "zeros/alone/float32");
  EXPECT_EQ(smallest.at("came_out").at("elements"), nlohmann::json::parse(R"([["-0", "0x80000000"]])"));
  EXPECT_EQ(smallest.at("right").at("elements"), nlohmann::json::parse(R"([["0", "0x00000000"]])"));
  const ProcessResult again = Shell(smallest.at("reproduce"));
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out, AllOf(HasSubstr("zeros/alone/float32\n"),
                               HasSubstr("the zero of the other sign, against ORD-2"),
                               HasSubstr("[0]            -0  0x80000000      0  0x00000000  <-\n"),
                               HasSubstr("\nORD-2: On floats, -inf < "), Not(HasSubstr("plus_minus"))));
}

TEST_F(Audit, LinesThatAreNoAnswersAreCountedAndTheOthersStand) {
  const nlohmann::json runner =
      Verdicts("say '" + kHead +
               "'\nsay hello\nsay '[1]'\nsay '{}'\nsay ''\nprintf '\\377\\n'\n"
               "say '{\"case\": 0, \"id\": \"other\", \"failed\": \"x\"}'\n"
               "say '{\"case\": -1, \"id\": \"one/of_two/bool\", \"failed\": \"x\"}'\n"
               "say '{\"case\": 99, \"id\": \"one/of_two/bool\", \"failed\": \"x\"}'\n"
               "say '{\"case\": 0, \"id\": \"zeros/plus_minus/float32\"}'\n"
               "say '{\"invalid\": 0, \"id\": \"e1/shapes\", \"failed\": \"x\"}'\n" +
               Lines(Right()));
  EXPECT_EQ(runner.at("verdicts"), "pppp-");
  EXPECT_EQ(runner.at("stray_lines"), 11);  // and the second head
  EXPECT_THAT(runner.at("first_stray").get<std::string>(), HasSubstr("not JSON"));
}

TEST_F(Audit, AnAnswerThatIsLeftOutOrGivenTwiceIsSeen) {
  const nlohmann::json runner = Verdicts("say '" + kHead + "'\nsay '" + kRight1 + "'\nsay '" + kRight0 +
                                         "'\nsay '" + kRight1 + "'\nsay '" + kRight2 + "'\n");
  EXPECT_EQ(runner.at("verdicts"), "npp--");
  EXPECT_EQ(runner.at("counts").at("unanswered"), 1);
  EXPECT_EQ(runner.at("stray_lines"), 2);
}

TEST_F(Audit, ACrashFailsItsCaseAndTheRunnerIsStartedBehindIt) {
  const std::string text = "say '" + kHead + "'\nat 0 say '" + kRight0 + "'\nat 1 kill -SEGV $$\nat 2 say '" +
                           kRight2 + "'\nat 3 say '" + kRefused0 + "'\n";
  Runner("fake", text);
  const nlohmann::json json = Json();
  const nlohmann::json runner = json.at("runners").at(0);
  EXPECT_EQ(runner.at("verdicts"), "pcpp-");
  EXPECT_EQ(runner.at("restarts"), 1);
  EXPECT_THAT(json.at("deviations").at(0).at("smallest").at("came_out").at("text").get<std::string>(),
              HasSubstr("crashed: signal 11"));
}

TEST_F(Audit, AWrongExitStatusFailsItsCaseWithTheLastComplaint) {
  Runner("fake", "say '" + kHead + "'\nat 0 say '" + kRight0 +
                     "'\nat 1 sh -c 'echo first >&2; echo no memory >&2'\nat 1 exit 3\nat 2 say '" + kRight2 +
                     "'\n");
  const nlohmann::json json = Json();
  EXPECT_EQ(json.at("runners").at(0).at("verdicts"), "pcp--");
  EXPECT_EQ(json.at("deviations").at(0).at("smallest").at("came_out").at("text"),
            "ended with exit status 3 and no answer: no memory");
}

TEST_F(Audit, AnEndBeforeTheLastCaseIsNoEnd) {
  EXPECT_EQ(Verdicts("say '" + kHead + "'\nat 0 say '" + kRight0 + "'\n").at("verdicts"), "pcc--");
}

TEST_F(Audit, ARunnerThatHangsIsEndedWithAllThatItStarted) {
  const auto start = std::chrono::steady_clock::now();
  const nlohmann::json runner =
      Verdicts("say '" + kHead + "'\nat 0 say '" + kRight0 +
                   "'\nat 1 sleep 600 &\nat 1 sleep 600\nat 2 say '" + kRight2 + "'\n",
               {"--case-limit", "1"});
  EXPECT_EQ(runner.at("verdicts"), "pcp--");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST_F(Audit, WhatARunnerLeavesBehindDoesNotHoldTheAuditUp) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Verdicts("sleep 600 &\n" + Lines(Right())).at("verdicts"), "pppp-");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(Audit, AllOfARunnerHasALimitToo) {
  const nlohmann::json runner = Verdicts(
      "say '" + kHead + "'\nat 0 say '" + kRight0 + "'\nwhile :; do say '" + kRight0 + "'; sleep 0.1; done\n",
      {"--runner-limit", "1"});
  EXPECT_EQ(runner.at("verdicts"), "pnnn-");
}

TEST_F(Audit, ALineWithoutEndFailsItsCase) {
  EXPECT_EQ(Verdicts("say '" + kHead + "'\nat 0 cat /dev/zero\n" + "at 1 say '" + kRight1 + "'\nat 2 say '" +
                     kRight2 + "'\n")
                .at("verdicts"),
            "cpp--");
}

TEST_F(Audit, TalkWithoutEndIsCutShort) {
  const nlohmann::json runner = Verdicts("say '" + kHead + "'\nyes\n");
  EXPECT_EQ(runner.at("verdicts"), "nnnn-");
  EXPECT_GT(runner.at("stray_lines"), 1000);
}

TEST_F(Audit, TalkOnStandardErrorBlocksNothing) {
  EXPECT_EQ(Verdicts("head -c 3000000 /dev/zero >&2\n" + Lines(Right())).at("verdicts"), "pppp-");
}

TEST_F(Audit, HugeShapesAndNumbersAreNoTrouble) {
  EXPECT_EQ(Verdict(R"("shape": [9223372036854775807, 9223372036854775807], "bits": "")"), 's');
  EXPECT_EQ(Verdict(R"("shape": [2, -1], "bits": "")"), 'n');
  EXPECT_EQ(Verdict(R"("shape": [1e400], "bits": "")"), 'n');
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "zz")"), 'n');
  const std::string deep(100000, '[');
  EXPECT_EQ(Verdict("\"shape\": " + deep), 'n');
}

TEST_F(Audit, ARuntimeThatIsNotInstalledIsNoError) {
  Runner("fake", Lines(Right()));
  Runner("absent", "echo 'absent: there is no such module' >&2\nexit 77\n");
  const nlohmann::json json = Json();
  EXPECT_EQ(json.at("runners").at(0).at("status"), "not installed");
  EXPECT_EQ(json.at("runners").at(0).at("reason"), "absent: there is no such module");
  EXPECT_EQ(json.at("runners").at(1).at("status"), "ran");
  EXPECT_EQ(Run().status, 0);
  EXPECT_EQ(Run({"--runner", "absent"}).status, 1);
}

TEST_F(Audit, ARunnerWithoutAFirstLineIsBroken) {
  EXPECT_EQ(Verdicts("say '" + kRight0 + "'\n").at("status"), "broken");
  EXPECT_EQ(Verdicts("exit 5\n").at("reason"), "ended with exit status 5 and no answer");
  EXPECT_EQ(Verdicts("sleep 600\n", {"--case-limit", "0"}).at("status"), "broken");
  WriteText(File("runners/fake"), "#!/no/such/interpreter\n");
  EXPECT_EQ(Json().at("runners").at(0).at("status"), "broken");
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

TEST_F(Audit, AReportIsAPageAndItsDataAndHasNothingOfARunnerAsMarkup) {
  std::vector<std::string> lines = Right();
  const std::string evil = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>";
  lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", "failed": ")" + evil + R"("})";
  Runner("fake", Lines(lines));
  EXPECT_EQ(Run({"--report", "a/b"}).status, 0);
  const nlohmann::json report = nlohmann::json::parse(ReadText(File("a/b/report.json")));
  EXPECT_EQ(report.at("verb"), "audit");
  EXPECT_EQ(report.at("deviations").at(0).at("smallest").at("came_out").at("text"), evil);
  const std::string page = ReadText(File("a/b/index.html"));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<img")), Not(HasSubstr("<script>alert")), Not(HasSubstr("http://")),
                          Not(HasSubstr("https://")), Not(HasSubstr("/*REPORT*/"))));
  const std::string before = R"(<script type="application/json" id="report">)";
  const std::size_t begin = page.find(before) + before.size();
  EXPECT_EQ(nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin)), report);
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
      text,
      HasSubstr(
          "| ORD-2 | Max | the zero of the other sign | 1 | float32 1 | `zeros/plus_minus/float32` | "));
  EXPECT_THAT(text, HasSubstr("| `a \\| b ' <c>` |"));
}

TEST_F(Audit, AnInterruptionLeavesNothingBehind) {
  Runner("fake", "say '" + kHead + "'\necho $$ >pid\nsleep 600\n");
  std::filesystem::create_directories(File("tmp"));
  const ProcessResult result = Shell(
      "TMPDIR=$PWD/tmp timeout -s INT 2 supremum audit --cases cases --runners runners --report out --case "
      "'*'");
  EXPECT_EQ(result.status, 124) << result.err;
  EXPECT_TRUE(std::filesystem::is_empty(File("tmp")));
  EXPECT_TRUE(std::filesystem::is_empty(File("out")));
  EXPECT_NE(Shell("kill -0 $(cat pid)").status, 0);
}

}  // namespace
}  // namespace supremum::test
