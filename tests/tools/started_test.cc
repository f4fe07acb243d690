// A run of a program that has started before (support/started.c) gives what a fresh one gives.
#include <csignal>
#include <string>
#include <vector>

#include "tools/command.h"

namespace supremum::test {
namespace {

using ::testing::HasSubstr;

class Started : public CommandTest {
 protected:
  ProcessResult Line(const std::string& line, const std::vector<std::string>& more = {}) const {
    const int before = RunsOfStartedPrograms();
    const ProcessResult result =
        RunProcess(With({"/bin/sh", "-c", line}, more),
                   {.directory = File(""), .environment = {{"OF_THIS_RUN", "one"}}, .started = true});
    EXPECT_EQ(RunsOfStartedPrograms(), before + 1);
    return result;
  }
};

#if defined(SUPREMUM_STARTED)

TEST_F(Started, TheCommandSaysAndWritesTheSame) {
  PrepareFuse();
  const int before = RunsOfStartedPrograms();
  int runs = 0;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--help"},
                                             {"max", "a.npy", "b.npy", "-o", "y.npy"},
                                             {"max", "a.npy", "none.npy", "-o", "y.npy"},
                                             {"inspect", "fuse.onnx"},
                                             {"check", "fuse.onnx", "--profile", "sonnx"},
                                             {"max", ""}}) {
    std::filesystem::remove(File("y.npy"));
    const ProcessResult fresh = Fresh(arguments);
    const std::string written = Exists("y.npy") ? ReadText(File("y.npy")) : "";
    std::filesystem::remove(File("y.npy"));
    const ProcessResult copy = Supremum(arguments);
    EXPECT_EQ(copy.status, fresh.status) << arguments[0];
    if (written.empty()) {
      EXPECT_EQ(copy.out, fresh.out);
    }  // otherwise the time that it took stands there
    EXPECT_EQ(copy.err, fresh.err);
    EXPECT_EQ(Exists("y.npy") ? ReadText(File("y.npy")) : "", written);
    EXPECT_GT(copy.peak_bytes, 1 << 20);
    ++runs;
  }
  EXPECT_EQ(RunsOfStartedPrograms(), before + runs);
}

TEST_F(Started, ItHasTheFolderTheArgumentsAndTheEnvironmentOfTheRun) {
  const ProcessResult result = Line(
      "pwd -P; echo \"$# [$1] [$2] $OF_THIS_RUN ${STARTED_SOCKET-none} ${LD_PRELOAD-none} "
      "${LD_BIND_NOW-none}\"; echo error >&2; OF_THIS_RUN=two",
      {"sh", "", "two words"});
  EXPECT_EQ(result.out,
            std::filesystem::canonical(File("")).string() + "\n2 [] [two words] one none none none\n");
  EXPECT_EQ(result.err, "error\n");
  EXPECT_EQ(result.status, 0);
  // What a run changes is of this run alone.
  EXPECT_EQ(Line("echo $OF_THIS_RUN").out, "one\n");
}

TEST_F(Started, ItsEndIsSaidWhateverItIs) {
  EXPECT_EQ(Line("exit 7").status, 7);
  EXPECT_EQ(Line("kill -KILL $$").status, 128 + SIGKILL);
  EXPECT_EQ(Line("kill -TERM $$").status, 128 + SIGTERM);
  EXPECT_THAT(Line("no-such-program").err, HasSubstr("not found"));
  EXPECT_EQ(Line("exit 0").status, 0);
}

#endif

}  // namespace
}  // namespace supremum::test
