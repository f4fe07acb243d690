// supremum audit: untrusted runners.

#include "tools/audit.h"

namespace supremum::test {
namespace {

using ::testing::HasSubstr;

using AuditRunner = AuditTest;

TEST_F(AuditRunner, LinesThatAreNoAnswersAreCountedAndTheOthersStand) {
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

TEST_F(AuditRunner, AnAnswerThatIsLeftOutOrGivenTwiceIsSeen) {
  const nlohmann::json runner = Verdicts("say '" + kHead + "'\nsay '" + kRight1 + "'\nsay '" + kRight0 +
                                         "'\nsay '" + kRight1 + "'\nsay '" + kRight2 + "'\n");
  EXPECT_EQ(runner.at("verdicts"), "npp--");
  EXPECT_EQ(runner.at("counts").at("unanswered"), 1);
  EXPECT_EQ(runner.at("stray_lines"), 2);
}

TEST_F(AuditRunner, ACrashFailsItsCaseAndTheRunnerIsStartedBehindIt) {
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

TEST_F(AuditRunner, AWrongExitStatusFailsItsCaseWithTheLastComplaint) {
  Runner("fake", "say '" + kHead + "'\nat 0 say '" + kRight0 +
                     "'\nat 1 sh -c 'echo first >&2; echo no memory >&2'\nat 1 exit 3\nat 2 say '" + kRight2 +
                     "'\n");
  const nlohmann::json json = Json();
  EXPECT_EQ(json.at("runners").at(0).at("verdicts"), "pcp--");
  EXPECT_EQ(json.at("deviations").at(0).at("smallest").at("came_out").at("text"),
            "ended with exit status 3 and no answer: no memory");
}

TEST_F(AuditRunner, AnEndBeforeTheLastCaseIsNoEnd) {
  EXPECT_EQ(Verdicts("say '" + kHead + "'\nat 0 say '" + kRight0 + "'\n").at("verdicts"), "pcc--");
}

TEST_F(AuditRunner, ARunnerThatHangsIsEndedWithAllThatItStarted) {
  // Longer than the limit of this test: waiting for any of them is a failure. Ten seconds are enough for a
  // line of shell on a busy machine.
  const nlohmann::json runner =
      Verdicts("say '" + kHead + "'\nat 0 say '" + kRight0 +
                   "'\nat 1 sleep 100000 &\nat 1 sleep 100000\nat 2 say '" + kRight2 + "'\n",
               {"--case-limit", "10"});
  EXPECT_EQ(runner.at("verdicts"), "pcp--");
}

TEST_F(AuditRunner, WhatARunnerLeavesBehindDoesNotHoldTheAuditUp) {
  EXPECT_EQ(Verdicts("sleep 100000 &\n" + Lines(Right())).at("verdicts"), "pppp-");
}

TEST_F(AuditRunner, AllOfARunnerHasALimitToo) {
  const nlohmann::json runner = Verdicts(
      "say '" + kHead + "'\nat 0 say '" + kRight0 + "'\nwhile :; do say '" + kRight0 + "'; sleep 0.1; done\n",
      {"--runner-limit", "10"});
  EXPECT_EQ(runner.at("verdicts"), "pnnn-");
}

TEST_F(AuditRunner, ALineWithoutEndFailsItsCase) {
  EXPECT_EQ(Verdicts("say '" + kHead + "'\nat 0 cat /dev/zero\n" + "at 1 say '" + kRight1 + "'\nat 2 say '" +
                     kRight2 + "'\n")
                .at("verdicts"),
            "cpp--");
}

TEST_F(AuditRunner, TalkWithoutEndIsCutShort) {
  const nlohmann::json runner = Verdicts("say '" + kHead + "'\nyes\n");
  EXPECT_EQ(runner.at("verdicts"), "nnnn-");
  EXPECT_GT(runner.at("stray_lines"), 1000);
}

TEST_F(AuditRunner, TalkOnStandardErrorBlocksNothing) {
  EXPECT_EQ(Verdicts("head -c 3000000 /dev/zero >&2\n" + Lines(Right())).at("verdicts"), "pppp-");
}

TEST_F(AuditRunner, HugeShapesAndNumbersAreNoTrouble) {
  EXPECT_EQ(Verdict(R"("shape": [9223372036854775807, 9223372036854775807], "bits": "")"), 's');
  EXPECT_EQ(Verdict(R"("shape": [2, -1], "bits": "")"), 'n');
  EXPECT_EQ(Verdict(R"("shape": [1e400], "bits": "")"), 'n');
  EXPECT_EQ(Verdict(R"("shape": [2], "bits": "zz")"), 'n');
  const std::string deep(100000, '[');
  EXPECT_EQ(Verdict("\"shape\": " + deep), 'n');
}

TEST_F(AuditRunner, ARuntimeThatIsNotInstalledIsNoError) {
  Runner("fake", Lines(Right()));
  Runner("absent", "echo 'absent: there is no such module' >&2\nexit 77\n");
  const nlohmann::json json = Json();
  EXPECT_EQ(json.at("runners").at(0).at("status"), "not installed");
  EXPECT_EQ(json.at("runners").at(0).at("reason"), "absent: there is no such module");
  EXPECT_EQ(json.at("runners").at(1).at("status"), "ran");
  EXPECT_EQ(Run().status, 0);
  EXPECT_EQ(Run({"--runner", "absent"}).status, 1);
}

TEST_F(AuditRunner, ARunnerWithoutAFirstLineIsBroken) {
  EXPECT_EQ(Verdicts("say '" + kRight0 + "'\n").at("status"), "broken");
  EXPECT_EQ(Verdicts("exit 5\n").at("reason"), "ended with exit status 5 and no answer");
  EXPECT_EQ(Verdicts("sleep 600\n", {"--case-limit", "0"}).at("status"), "broken");
  WriteText(File("runners/fake"), "#!/no/such/interpreter\n");
  EXPECT_EQ(Json().at("runners").at(0).at("status"), "broken");
}

TEST_F(AuditRunner, AnInterruptionLeavesNothingBehind) {
  Runner("fake", "say '" + kHead + "'\necho $$ >pid\nsleep 600\n");
  std::filesystem::create_directories(File("tmp"));
  const ProcessResult result = Shell(
      "TMPDIR=$PWD/tmp timeout -s INT 2 supremum audit --cases cases --runners runners --report out --case "
      "'*'");
  EXPECT_EQ(result.status, 124) << result.err;
  EXPECT_TRUE(std::filesystem::is_empty(File("tmp")));
  EXPECT_FALSE(Exists("out"));
  EXPECT_NE(Shell("kill -0 $(cat pid)").status, 0);
}

}  // namespace
}  // namespace supremum::test
