// Tests of standard output: pipes without a reader, and text that is written to terminals only.
#include <cstdint>

#include "tools/command.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Output : public CommandTest {
 protected:
  void SetUp() override { PrepareFuse(); }

  const std::vector<std::string> run_ = {"run", "fuse.onnx", "-i", "a.npy", "-i", "b.npy", "-d", "out"};
};

TEST_F(Output, AReaderThatHasGoneIsNoNewsUnlessAFileWasToBeWritten) {
  const ProcessResult silent = Supremum({"inspect", "a.npy"}, {.stdout_unread = true});
  EXPECT_EQ(silent.status, 4);
  EXPECT_EQ(silent.err, "");
  const ProcessResult result = Supremum(run_, {.stdout_unread = true});
  EXPECT_EQ(result.status, 4);
  EXPECT_THAT(result.err, HasSubstr("its reader has closed it; no output file was changed"));
  EXPECT_FALSE(Exists("out/y.npy"));
}

TEST_F(Output, ColoursAreForTerminalsAlone) {
  const std::vector<std::string> check = {"check", "fuse.onnx"};
  const ProcessResult piped = Supremum(check, {.environment = {{"TERM", "xterm"}}});
  EXPECT_THAT(piped.out + piped.err, Not(HasSubstr("\x1b")));
  const auto on_terminal = [&](std::vector<std::pair<std::string, std::string>> environment) {
    environment.insert(environment.begin(), {{"NO_COLOR", ""}, {"TERM", "xterm"}});
    const ProcessResult result = Supremum(check, {.environment = environment, .terminal = true});
    EXPECT_EQ(result.status, 0);
    return result.out;
  };
  EXPECT_THAT(on_terminal({}), AllOf(HasSubstr("\x1b[32m"), HasSubstr("\x1b[0m")));
  EXPECT_THAT(on_terminal({{"NO_COLOR", "1"}}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(on_terminal({{"TERM", "dumb"}}), Not(HasSubstr("\x1b")));
}

TEST_F(Output, LongValuesAreShortenedOnATerminalAlone) {
  const std::string hash = "24ae2dfe8df57c1b80e54cef3d90ac3b417fd98973345a5f616bbc9a75dcc202";
  const std::vector<std::string> run = With(run_, {"--sha256"});
  EXPECT_THAT(Supremum(run).out, HasSubstr(hash));
  const std::string shown = Supremum(run, {.environment = {{"TERM", "dumb"}}, .terminal = true}).out;
  EXPECT_THAT(shown, AllOf(HasSubstr(hash.substr(0, 9)), HasSubstr("..."), Not(HasSubstr(hash))));
}

TEST_F(Output, WorkOverASecondShowsProgressOnATerminalAlone) {
  // A file with a hole takes no room on the disk. The work is doubled until progress is seen, so that neither
  // the machine's speed nor its load matters.
  for (std::uintmax_t size = 256u << 20; size <= std::uintmax_t{4} << 30; size *= 2) {
    WriteText(File("hole.bin"), "");
    std::filesystem::resize_file(File("hole.bin"), size);
    const std::vector<std::string> inspect = {"inspect", "x:uint8:" + std::to_string(size) + ":hole.bin",
                                              "--max-bytes", std::to_string(size)};
    const ProcessResult shown = Supremum(inspect, {.environment = {{"TERM", "xterm"}}, .terminal = true});
    EXPECT_EQ(shown.status, 0) << shown.out;
    if (!testing::Matches(testing::ContainsRegex(" [0-9]+ s\r\x1b\\[K"))(shown.out)) continue;
    const ProcessResult piped = Supremum(inspect, {.environment = {{"TERM", "xterm"}}});
    EXPECT_EQ(piped.err, "");
    EXPECT_THAT(piped.out, Not(HasSubstr("\r")));
    return;
  }
  FAIL() << "no work lasted long enough to show progress; raise the largest size";
}

}  // namespace
}  // namespace supremum::test
