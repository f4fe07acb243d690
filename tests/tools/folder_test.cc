// Folders that a verb fills: only new and empty ones. Each system call in turn fails, the command is killed
// there, or another process puts something into the folder.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "support/planted.h"
#include "tools/faults.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class NewFolder : public FaultTest {
 protected:
  const std::vector<std::string> gen_ = {"gen", "--shape", "2,3", "--output", "case"};
  std::vector<std::vector<std::string>> verbs_ = {gen_};
  std::string whole_;

  void SetUp() override {
    PrepareFuse();
    WriteText(File("precious"), "precious");
    verbs_.push_back({"extract", "fuse.onnx", "--output", "case"});
    ASSERT_EQ(Supremum(gen_).status, 0);
    whole_ = Content("case");
    fs::remove_all(File("case"));
  }

  /// Names and bytes of all files in the folder; "none" if it is not there.
  std::string Content(const std::string& folder) const {
    if (!Exists(folder)) return "none";
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(File(folder))) {
      const std::string name = entry.path().lexically_relative(File(folder)).string();
      files.insert(name + (entry.is_directory() ? "/" : "=" + ReadText(entry.path().string())));
    }
    std::string content;
    for (const std::string& file : files) content += file + "\n";
    return content;
  }
};

TEST_F(NewFolder, ThatHasFilesIsRefusedBeforeTheWork) {
  fs::create_directory(File("case"));
  WriteText(File("case/mine.txt"), "mine");
  for (const auto& verb : verbs_) {
    ExpectFailure(Supremum(verb), 2, {"case: the folder has files; name another folder, or remove it"});
    EXPECT_EQ(Content("case"), "mine.txt=mine\n");
  }
}

TEST_F(NewFolder, WhoseNameIsInUseIsRefused) {
  for (const Planted& planted : AllPlanted()) {
    SCOPED_TRACE(planted.name);
    // A socket's name is short, wherever the tests run.
    fs::current_path(File(""));
    const bool made = planted.make("case");
    const std::string before = StateOf("case");
    fs::current_path("/");
    if (!made || planted.name == "AFolder") continue;
    for (const auto& verb : verbs_) {
      const ProcessResult result = Supremum(verb);
      EXPECT_TRUE(result.status == 2 || result.status == 4) << result.status;
      EXPECT_EQ(StateOf(File("case")), before);
      EXPECT_EQ(ReadText(File("precious")), "precious");
    }
    fs::remove(File("case"));
  }
}

TEST_F(NewFolder, AParentThatMayNotBeWrittenToIsAnErrorBeforeTheWork) {
  fs::create_directory(File("locked"));
  fs::permissions(File("locked"), fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                                      fs::perms::others_exec);
  ProcessOptions options;
  // Permissions do not bind root.
  if (::geteuid() == 0) {
    options.user = 65533;
    fs::permissions(File(""), fs::perms::others_read | fs::perms::others_exec, fs::perm_options::add);
    if (Supremum({"--version"}, options).status != 0)
      GTEST_SKIP() << "other users may not use the command's folder";
  }
  ExpectFailure(Supremum({"gen", "--shape", "3", "-o", "locked/case"}, options), 4,
                {"folder locked/case", "Permission denied"});
  EXPECT_TRUE(fs::is_empty(File("locked")));
  fs::permissions(File("locked"), fs::perms::owner_all);
}

// A part of a folder stays, and the next run refuses it, so that it is never taken for the whole folder.
TEST_F(NewFolder, AFaultAtAnyCallLeavesAFolderThatTheNextRunRefusesOrNone) {
  for (const auto& verb : verbs_) {
    SCOPED_TRACE(verb[0]);
    for (const std::string& action :
         {std::to_string(ENOSPC), std::to_string(EIO), kTerm, std::string("kill")}) {
      int failed = 0;
      ForEachCall(
          {action, "write", {{"FAULT_WAIT", "200"}}}, verb, [&] { fs::remove_all(File("case")); },
          [&](const ProcessResult& result) {
            EXPECT_THAT(Leftovers(), IsEmpty());
            if (result.status == 0) return;
            ++failed;
            EXPECT_EQ(result.status, action == kTerm ? 128 + SIGTERM : action == "kill" ? 128 + SIGKILL : 4);
            if (!Exists("case") || fs::is_empty(File("case"))) return;
            ExpectFailure(Supremum(verb), 2, {"the folder has files"});
          });
      EXPECT_GT(failed, 5 / kStep);
    }
  }
}

// At every moment in turn another process puts something under a name that the verb writes.
TEST_F(NewFolder, WhatIsPutIntoItMeanwhileIsNeitherOverwrittenNorFollowed) {
  for (const std::string script : {"printf mine > case/model.onnx", "ln -s ../precious case/model.onnx",
                                   "ln precious case/model.onnx", "ln -s ../absent case/model.onnx",
                                   "cd case && mkdir test_data_set_0 && printf mine > "
                                   "test_data_set_0/input_0.pb"}) {
    SCOPED_TRACE(script);
    int refused = 0;
    ForEachCall(
        {"script", "write", {{"FAULT_SCRIPT", "set -C; " + script + " 2>/dev/null"}}, 1}, gen_,
        [&] { fs::remove_all(File("case")); },
        [&](const ProcessResult& result) {
          EXPECT_EQ(ReadText(File("precious")), "precious");
          EXPECT_FALSE(Exists("absent"));
          if (result.status == 0) {
            // The verb's file was there first.
            EXPECT_EQ(Content("case"), whole_);
            return;
          }
          ++refused;
          EXPECT_EQ(result.status, 4);
          EXPECT_THAT(result.err, HasSubstr("File exists"));
          EXPECT_THAT(Content("case"), ::testing::AnyOf(HasSubstr("=mine\n"), HasSubstr("=precious\n"),
                                                        HasSubstr("model.onnx=\n")));
        });
    EXPECT_GT(refused, 0);
  }
}

/// Runs a script in a name space of mounts of its own, which takes root.
class MountedFolder : public NewFolder {
 protected:
  void SetUp() override {
    NewFolder::SetUp();
    if (Shell("unshare --mount true").status != 0) GTEST_SKIP() << "this user cannot mount";
  }
  ProcessResult Mounted(const std::string& script) const {
    WriteText(File("script"), script);
    return Shell("unshare --mount --propagation private sh script");
  }
};

TEST_F(MountedFolder, OnAReadOnlyFileSystemItIsAnErrorBeforeTheWork) {
  const ProcessResult result = Mounted(
      "mkdir disk && mount --bind disk disk && mount -o remount,ro,bind disk || exit 77\n"
      "supremum gen --shape 2,3 --output disk/case\necho status $?\nls disk\n");
  if (result.status == 77) GTEST_SKIP() << "this user cannot mount";
  EXPECT_EQ(result.out, "status 4\n");
  EXPECT_THAT(result.err, HasSubstr("Read-only file system"));
}

TEST_F(MountedFolder, OnADiskThatIsReallyFullItIsAnError) {
  // From a disk that takes nothing more to one that takes almost all of the new folder, of 11 pages.
  for (int free = 0; free <= 40; free += 4) {
    const ProcessResult result = Mounted(
        "mkdir -p disk && mount -t tmpfs -o size=256k none disk || exit 77\n"
        "free=$(df --output=avail disk | tail -n 1)\n"
        "head -c $(((free - " +
        std::to_string(free) +
        ") * 1024)) /dev/zero > disk/rest\n"
        "supremum gen --shape 5000 --output disk/case > text\necho status $?\ncat text\n");
    if (result.status == 77) GTEST_SKIP() << "this user cannot mount";
    EXPECT_EQ(result.out, "status 4\n") << free << result.err;
    EXPECT_THAT(result.err, HasSubstr("No space left on device")) << free;
  }
}

}  // namespace
}  // namespace supremum::test
