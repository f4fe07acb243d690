// The command in folders that other users share, with files in its way, and after runs that were killed.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <tuple>

#include "support/planted.h"
#include "support/users.h"
#include "tools/faults.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SharedFolderCommand : public FaultTest {
 protected:
  void SetUp() override {
    WriteTensor<float>("a.npy", {3}, {1, 2, 3});
    WriteText(File("precious"), "precious");
  }

  std::vector<std::string> Hidden() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(fs::path(File("x")).parent_path())) {
      const std::string name = entry.path().filename();
      if (name.starts_with(".")) names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
  }

  const std::vector<std::string> resume_ = {"max", "a.npy", "-o", "y.npy", "--resume"};
  const std::vector<std::string> max_ = {"max", "a.npy", "-o", "y.npy"};
  static constexpr const char* kPartial = ".supremum-y.npy.partial";
};

TEST_F(SharedFolderCommand, WhatIsPlantedForAStreamedRunIsRefusedAndStays) {
  for (const Planted& planted : AllPlanted()) {
    for (const char* const ending : {"", ".state"}) {
      SCOPED_TRACE(planted.name + ending);
      const std::string name = std::string(kPartial) + ending;
      if (!planted.make(File(name))) continue;
      const std::string before = StateOf(File(name));
      ExpectFailure(Supremum(resume_), 4, {name + "' prevents writing 'y.npy'", planted.says, "remove it"});
      EXPECT_EQ(StateOf(File(name)), before);
      EXPECT_FALSE(Exists("y.npy"));
      EXPECT_THAT(Hidden(), ElementsAre(name));
      // In memory, these names are of no matter.
      EXPECT_EQ(Supremum(max_).status, 0);
      EXPECT_EQ(StateOf(File(name)), before);
      fs::remove(File("y.npy"));
      fs::remove_all(File(name));
    }
  }
  EXPECT_EQ(ReadText(File("precious")), "precious");
}

TEST_F(SharedFolderCommand, WhatIsPlantedForTheNewResumeFileOfFormerTimesStays) {
  // So large that a checkpoint is written.
  WriteTensor<float>("a.npy", {600, 1000}, std::vector<float>(600'000, 1));
  fs::create_hard_link(File("precious"), File(std::string(kPartial) + ".state.new"));
  EXPECT_EQ(Supremum(resume_).status, 0);
  EXPECT_EQ(ReadText(File("precious")), "precious");
}

TEST_F(SharedFolderCommand, AnotherUsersEmptyFileDoesNotBecomeTheResult) {
  const std::string why = ShareFolder(fs::path(File("x")).parent_path());
  if (!why.empty()) GTEST_SKIP() << why;
  {
    const AsUser attacker(kOtherUser);
    WriteText(File(kPartial), "");
    WriteText(File("z.npy"), "");
    ASSERT_EQ(::chmod(File(kPartial).c_str(), 0666), 0);
    ASSERT_EQ(::chmod(File("z.npy").c_str(), 0666), 0);
  }
  const std::string before = StateOf(File(kPartial));
  ExpectFailure(Supremum(resume_), 4, {kPartial, "belongs to user 61235"});
  EXPECT_EQ(StateOf(File(kPartial)), before);
  EXPECT_FALSE(Exists("y.npy"));
  for (const bool streamed : {false, true}) {
    std::vector<std::string> arguments = {"max", "a.npy", "-o", "z.npy"};
    if (streamed) arguments.emplace_back("--resume");
    EXPECT_EQ(Supremum(arguments).status, 0);
    struct stat status = {};
    ASSERT_EQ(::stat(File("z.npy").c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, 0U);
    EXPECT_EQ(status.st_mode & 0022, 0U);
  }
}

TEST_F(SharedFolderCommand, ALinkOfAnotherUserIsNotFollowed) {
  const std::string why = ShareFolder(fs::path(File("x")).parent_path());
  if (!why.empty()) GTEST_SKIP() << why;
  {
    const AsUser attacker(kOtherUser);
    fs::create_symlink("precious", File("y.npy"));
  }
  for (const std::vector<std::string>& arguments : {max_, resume_}) {
    ExpectFailure(Supremum(arguments), 4, {"y.npy' cannot be written", "a symbolic link of user 61235"});
  }
  ExpectFailure(Supremum({"max", "a.npy", "-o", "z.npy", "--json", "y.npy"}), 4,
                {"a symbolic link of user 61235"});
  EXPECT_EQ(ReadText(File("precious")), "precious");
}

// The pipe is replaced by a link to a file, before each call of the system that opens or writes in turn.
TEST_F(SharedFolderCommand, APipeThatIsReplacedByALinkIsNotWrittenThroughIt) {
  const std::string precious(10'000, 'p');
  int refused = 0;
  for (const std::vector<std::string>& command : {max_, resume_}) {
    for (const char* const calls : {"read", "write"}) {
      for (int count = 0;; ++count) {
        ASSERT_LT(count, 2000);
        for (const char* const name : {"mark", "y.npy", "link"}) fs::remove(File(name));
        WriteText(File("precious"), precious);
        ASSERT_EQ(::mkfifo(File("y.npy").c_str(), 0600), 0);
        fs::create_symlink("precious", File("link"));
        const int reader = ::open(File("y.npy").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        const Fault fault = {"swap", calls, {{"FAULT_FILE", File("y.npy")}, {"FAULT_WITH", File("link")}}};
        const ProcessResult result = Supremum(command, {.environment = EnvironmentOf(fault, count)});
        ::close(reader);
        const std::string now = ReadText(File("precious"));
        // A link that is there from the beginning is followed: its file is replaced, whole.
        const bool replaced = now.size() < 1000 && now.starts_with("\x93NUMPY");
        EXPECT_TRUE(now == precious || replaced) << calls << " " << count;
        if (result.status != 0) {
          ++refused;
          EXPECT_EQ(result.status, 4);
          EXPECT_EQ(now, precious);
        }
        if (!Exists("mark")) break;
      }
    }
  }
  EXPECT_GT(refused, 0);
}

TEST_F(SharedFolderCommand, TheNextRunSweepsWhatKilledOnesLeft) {
  const std::string left = File(".supremum-1-0123456789abcdef.tmp");
  const std::string grew = File(".supremum-other.npy.partial");
  const std::string kept = File(".supremum-kept.npy.partial");
  for (const std::vector<std::string>& run :
       {max_, resume_, {"max", "a.npy", "-o", "y.bin", "--json", "r.json"}}) {
    for (const std::string& path : {left, grew, kept, kept + ".state"}) {
      WriteText(path, "left");
      ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
    }
    EXPECT_EQ(Supremum(run).status, 0);
    EXPECT_THAT(Hidden(), ElementsAre(".supremum-kept.npy.partial", ".supremum-kept.npy.partial.state"));
  }
}

TEST_F(SharedFolderCommand, ARunMayHaveMoreOutputsThanFilesAreOpenUsually) {
  ModelBuilder model;
  model.Input("x", kFloat, {1});
  constexpr int kOutputs = 300;
  for (int i = 0; i < kOutputs; ++i) {
    model.Output("y" + std::to_string(i), kFloat, {1});
    model.Node("Identity", {"x"}, {"y" + std::to_string(i)});
  }
  model.Save(File("many.onnx"));
  WriteTensor<float>("x.npy", {1}, {7});
  const ProcessResult result = Shell("ulimit -Sn 64; supremum run many.onnx -i x.npy -d out");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(std::distance(fs::directory_iterator(File("out")), {}), kOutputs);
}

}  // namespace
}  // namespace supremum::test
