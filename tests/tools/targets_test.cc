// supremum targets, and the environment variable SUPREMUM_TARGET.

#include "supremum/check.h"
#include "supremum/target.h"
#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {
namespace {

using ::testing::HasSubstr;

class TargetsVerb : public CommandTest {
 protected:
  static ProcessOptions Forcing(const std::string& target) {
    ProcessOptions options;
    options.environment = {{"SUPREMUM_TARGET", target}};
    return options;
  }

  nlohmann::json Json(ProcessOptions options) const {
    const ProcessResult result = Fresh({"targets", "--json", "-"}, std::move(options));
    EXPECT_EQ(result.status, 0) << result.err;
    return ParseJson(result.out);
  }
};

TEST_F(TargetsVerb, ListsWhatTheLibraryListsAndMarksTheFirstThatRuns) {
  const nlohmann::json json = Json(Forcing(""));
  const std::vector<TargetInfo> targets = Targets();
  ASSERT_EQ(json["targets"].size(), targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    EXPECT_EQ(json["targets"][i]["name"], targets[i].name);
    EXPECT_EQ(json["targets"][i]["runs_here"], targets[i].runs_here);
  }
  EXPECT_EQ(json["left_out"], nlohmann::json(LeftOutTargets()));
  EXPECT_EQ(json["active"], ActiveTarget());
  EXPECT_EQ(json["caches"]["core_bytes"], AssumedCaches().core_bytes);
  EXPECT_EQ(json["inference_sandbox"], ToString(InferenceSandboxHere()));
  EXPECT_EQ(Fresh({"targets"}, Forcing("")).out.find("resource limits only") == std::string::npos,
            InferenceSandboxHere() == InferenceSandbox::kFiltered);
  EXPECT_THAT(Fresh({"targets"}, Forcing("")).out, HasSubstr("\nportable"));
}

TEST_F(TargetsVerb, TheForcedOneIsTheOneThatRuns) {
  for (const TargetInfo& target : Targets()) {
    if (!target.runs_here) continue;
    EXPECT_EQ(Json(Forcing(std::string(target.name)))["active"], target.name);
  }
}

TEST_F(TargetsVerb, AnUnknownOneHasStatusTwoBeforeAnythingIsDone) {
  PrepareFuse();
  const ProcessOptions wrong = Forcing("avx9");
  ExpectFailure(Fresh({"targets"}, wrong), 2, {"SUPREMUM_TARGET", "'avx9'", "portable"});
  ExpectFailure(Fresh({"max", "a.npy", "b.npy", "-o", "y.npy"}, wrong), 2, {"SUPREMUM_TARGET"});
  EXPECT_FALSE(Exists("y.npy"));
  EXPECT_EQ(Supremum({"--help"}, wrong).status, 0);
}

// Rules: ORD-5
TEST_F(TargetsVerb, NoTargetAndNoNumberOfThreadsChangesAFile) {
  PrepareFuse();
  std::string first;
  for (const TargetInfo& target : Targets()) {
    if (!target.runs_here) continue;
    for (const char* threads : {"0", "1", "3"}) {
      const ProcessOptions options = Forcing(std::string(target.name));
      const ProcessResult max =
          Fresh({"max", "a.npy", "b.npy", "-o", "y.npy", "--threads", threads}, options);
      EXPECT_EQ(max.status, 0) << max.err;
      const ProcessResult reduced =
          Fresh({"reduce-max", "a.npy", "--axes", "0", "-o", "r.npy", "--threads", threads}, options);
      EXPECT_EQ(reduced.status, 0) << reduced.err;
      const ProcessResult run =
          Fresh({"run", "fuse.onnx", "--random", "1", "-d", "out", "--threads", threads}, options);
      EXPECT_EQ(run.status, 0) << run.err;
      const std::string files =
          ReadText(File("y.npy")) + ReadText(File("r.npy")) + ReadText(File("out/y.npy"));
      if (first.empty()) first = files;
      EXPECT_EQ(files, first) << target.name << " " << threads;
    }
  }
}

TEST_F(TargetsVerb, ThreadsThatAreNoNumberAreRefused) {
  PrepareFuse();
  for (const char* threads : {"-1", "two", "", "1.5", "99999999999999999999"}) {
    ExpectFailure(Supremum({"max", "a.npy", "b.npy", "-o", "y.npy", std::string("--threads=") + threads}), 2,
                  {"--threads"});
  }
}

}  // namespace
}  // namespace supremum::test
