// The command in folders that other users share.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "support/users.h"
#include "tools/faults.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

class SharedFolderCommand : public FaultTest {
 protected:
  void SetUp() override {
    WriteTensor<float>("a.npy", {3}, {1, 2, 3});
    WriteText(File("precious"), "precious");
  }

  const std::vector<std::string> max_ = {"max", "a.npy", "-o", "y.npy"};
};

TEST_F(SharedFolderCommand, ALinkOfAnotherUserIsNotFollowed) {
  const std::string why = ShareFolder(fs::path(File("x")).parent_path());
  if (!why.empty()) GTEST_SKIP() << why;
  {
    const AsUser attacker(kOtherUser);
    fs::create_symlink("precious", File("y.npy"));
  }
  ExpectFailure(Supremum(max_), 4, {"y.npy' cannot be written", "a symbolic link of user 61235"});
  ExpectFailure(Supremum({"max", "a.npy", "-o", "z.npy", "--json", "y.npy"}), 4,
                {"a symbolic link of user 61235"});
  EXPECT_EQ(ReadText(File("precious")), "precious");
}

// The pipe is replaced by a link to a file, before each call of the system that opens or writes in turn.
TEST_F(SharedFolderCommand, APipeThatIsReplacedByALinkIsNotWrittenThroughIt) {
  const std::string precious(10'000, 'p');
  int refused = 0;
  // .npz is computed in memory.
  for (const char* const pipe : {"y.npy", "y.npz"}) {
    const std::vector<std::string> command = {"max", "a.npy", "-o", pipe};
    for (const char* const calls : {"read", "write"}) {
      for (int count = 0;; ++count) {
        ASSERT_LT(count, 2000);
        for (const char* const name : {"mark", pipe, "link"}) fs::remove(File(name));
        WriteText(File("precious"), precious);
        ASSERT_EQ(::mkfifo(File(pipe).c_str(), 0600), 0);
        fs::create_symlink("precious", File("link"));
        const int reader = ::open(File(pipe).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        const Fault fault = {"swap", calls, {{"FAULT_FILE", File(pipe)}, {"FAULT_WITH", File("link")}}};
        const ProcessResult result = Supremum(command, {.environment = EnvironmentOf(fault, count)});
        ::close(reader);
        const std::string now = ReadText(File("precious"));
        // A link that is there from the beginning is followed: its file is replaced, whole.
        const bool replaced = now.size() < 1000 && (now.starts_with("\x93NUMPY") || now.starts_with("PK"));
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
