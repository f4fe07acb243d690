// A folder that is replaced as a whole (gen --force, gen-conformance --force): each system call in turn
// fails, the command is killed there, or another process changes the folder, its name or what is beside it.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "support/planted.h"
#include "tools/faults.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// The folder `case` with the files of `old` is replaced by one with those of `new`.
class FolderFaults : public FaultTest {
 protected:
  std::vector<std::string> gen_ = {"gen", "--shape", "2,3", "--output", "case", "--force"};
  const std::vector<Environment> systems_ = {{}, {{"FAULT_NO_EXCHANGE", "1"}}};
  std::string old_, new_;

  void SetUp() override {
    new_ = MakeCase({"gen", "--shape", "2,3", "--output", "case"});
    fs::rename(File("case"), File("new"));
    old_ = MakeCase({"gen", "--shape", "4", "--shape", "4", "--seed", "7", "--output", "case"});
    fs::rename(File("case"), File("old"));
    ASSERT_NE(old_, new_);
  }

  std::string MakeCase(const std::vector<std::string>& arguments) const {
    EXPECT_EQ(Supremum(arguments).status, 0);
    return Content("case");
  }

  void PutOld() const {
    for (const std::string& name : Leftovers()) fs::remove_all(File(name));
    fs::remove_all(File("case"));
    fs::copy(File("old"), File("case"), fs::copy_options::recursive);
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

  /// Replaces the old folder, with the fault at each call in turn, where names can be exchanged and where
  /// they cannot. `check` returns whether the fault had the effect that the test is about, which must be
  /// several times.
  void ForEachCallOnEachSystem(
      const Fault& fault, const std::function<bool(const ProcessResult&)>& check,
      const std::function<void()>& prepare = [] {}) {
    for (const Environment& system : systems_) {
      Fault here = fault;
      here.environment.insert(here.environment.end(), system.begin(), system.end());
      int effects = 0;
      ForEachCall(
          here, gen_,
          [&] {
            prepare();
            PutOld();
          },
          [&](const ProcessResult& result) { effects += check(result); });
      EXPECT_GT(effects, 5 / kStep);
    }
  }

  /// The same with a shell script that runs at each call in turn.
  void ForEachScript(
      const std::string& script, const std::function<bool(const ProcessResult&)>& check,
      const std::function<void()>& prepare = [] {}) {
    ForEachCallOnEachSystem({"script", "write", {{"FAULT_SCRIPT", script}}}, check, prepare);
  }

  /// The target is whole: the new folder after success, otherwise the old one. Nothing is left beside it.
  bool IsRefused(const ProcessResult& result, int status) const {
    EXPECT_TRUE(result.status == 0 || result.status == status);
    EXPECT_EQ(Content("case"), result.status == 0 ? new_ : old_);
    EXPECT_THAT(Leftovers(), IsEmpty());
    return result.status != 0;
  }
};

TEST_F(FolderFaults, KilledAtAnyMomentTheTargetIsTheOldFolderOrTheNewOne) {
  int killed = 0, replaced = 0;
  ForEachCall(
      {"kill", "write"}, gen_, [&] { PutOld(); },
      [&](const ProcessResult& result) {
        const std::string now = Content("case");
        EXPECT_THAT(now, AnyOf(old_, new_));
        killed += result.status == 128 + SIGKILL;
        replaced += now == new_;
      });
  EXPECT_GT(killed, 5 / kStep);
  EXPECT_GT(replaced, 0);
}

TEST_F(FolderFaults, EndedByASignalTheTargetIsTheOldFolderAndNothingIsLeft) {
  // Some calls are made with the lock held that the other thread needs first.
  ForEachCallOnEachSystem({kTerm, "write", {{"FAULT_WAIT", "200"}}},
                          [&](const ProcessResult& result) { return IsRefused(result, 128 + SIGTERM); });
}

TEST_F(FolderFaults, AFullDiskAtAnyCallLeavesTheOldFolder) {
  ForEachCallOnEachSystem({std::to_string(ENOSPC), "write"},
                          [&](const ProcessResult& result) { return IsRefused(result, 4); });
}

TEST_F(FolderFaults, WhereNamesCannotBeExchangedAKillMayMoveTheOldFolderAndTheNextRunSaysWhere) {
  int moved = 0;
  ForEachCall(
      {"kill", "write", systems_[1]}, gen_, [&] { PutOld(); },
      [&](const ProcessResult&) {
        if (Exists("case")) {
          EXPECT_THAT(Content("case"), AnyOf(old_, new_));
          return;
        }
        ++moved;
        std::string old;
        for (const std::string& name : Leftovers()) {
          if (name.starts_with("case.old-")) old = name;
        }
        EXPECT_EQ(Content(old), old_);
        const ProcessResult next = Supremum(gen_);
        EXPECT_EQ(next.status, 0);
        EXPECT_THAT(next.err, HasSubstr("'" + old +
                                        "' was left by a run that was killed: it is the previous 'case'; "
                                        "move it back, or remove it"));
        EXPECT_EQ(Content(old), old_);
      });
  EXPECT_EQ(moved, kStep == 1 ? 1 : moved);
}

// At every moment in turn another process puts a file into the folder.
TEST_F(FolderFaults, AFileThatIsPutIntoTheFolderMeanwhileIsKept) {
  ForEachScript(
      "cd case 2>/dev/null || { echo no folder >&2; exit; }; echo mine > mine.txt; mkdir -p "
      "test_data_set_0/own; echo too > test_data_set_0/own/mine.txt",
      [&](const ProcessResult& result) {
        if (result.status == 2) {
          EXPECT_THAT(result.err, HasSubstr("is not a file of a test case"));
        } else {
          EXPECT_EQ(result.status, 0);
          EXPECT_EQ(ReadText(File("case/model.onnx")), ReadText(File("new/model.onnx")));
        }
        // For a moment there may be no folder to put it into.
        if (result.err.find("no folder") == std::string::npos) {
          EXPECT_EQ(ReadText(File("case/mine.txt")), "mine\n");
          EXPECT_EQ(ReadText(File("case/test_data_set_0/own/mine.txt")), "too\n");
        }
        EXPECT_THAT(Leftovers(), IsEmpty());
        return result.status != 2;
      });
}

// As above, with a file that the new folder has another one of.
TEST_F(FolderFaults, AFileThatIsChangedMeanwhileIsKeptAndItsPlaceIsSaid) {
  ForEachScript("echo mine > case/model.onnx", [&](const ProcessResult& result) {
    EXPECT_EQ(result.status, 0);
    // Changed after the exchange, it is the new one.
    if (ReadText(File("case/model.onnx")) == "mine\n") return false;
    // Where it was changed before it was listed, it is what was to be replaced.
    if (Leftovers().empty()) return false;
    EXPECT_EQ(Leftovers().size(), 1u);
    const std::string place = Leftovers()[0] + "/model.onnx";
    EXPECT_EQ(ReadText(File(place)), "mine\n");
    EXPECT_THAT(result.err, HasSubstr("'" + place + "' was created or changed while 'case' was replaced"));
    EXPECT_EQ(Content("case"), new_);
    return true;
  });
}

TEST_F(FolderFaults, AFolderThatIsReplacedByAnotherMeanwhileIsLeftAlone) {
  ForEachScript(
      "mv case away; mkdir case; echo mine > case/mine.txt",
      [&](const ProcessResult& result) {
        EXPECT_EQ(ReadText(File("case/mine.txt")), "mine\n");
        if (result.status != 4) {
          EXPECT_THAT(Content("away"), AnyOf(old_, new_));
          return false;
        }
        EXPECT_THAT(result.err, HasSubstr("was replaced by another one meanwhile"));
        // In the moment in which there is no target, the old folder is not away.
        const bool moved = result.err.find("is now 'case.old-") != std::string::npos;
        EXPECT_EQ(Leftovers().size(), moved ? 1u : 0u);
        EXPECT_EQ(Content(moved ? Leftovers()[0] : "away"), old_);
        return true;
      },
      [&] { fs::remove_all(File("away")); });
}

TEST_F(FolderFaults, TheNewFolderHasThePermissionsOfTheOldOne) {
  PutOld();
  fs::permissions(File("case"), fs::perms::owner_all);
  EXPECT_EQ(Supremum(gen_).status, 0);
  EXPECT_EQ(fs::status(File("case")).permissions(), fs::perms::owner_all);
}

// The system gives other errors than those of a full disk: of a disk, of other file systems. Where it cannot
// exchange names (ENOSYS), the folder is replaced in two steps.
TEST_F(FolderFaults, AnyErrorAtAnyCallLeavesTheOldFolder) {
  for (const int error : {EIO, EXDEV, ENOSYS}) {
    SCOPED_TRACE(error);
    ForEachCallOnEachSystem({std::to_string(error), "write"},
                            [&](const ProcessResult& result) { return IsRefused(result, 4); });
  }
}

TEST_F(FolderFaults, AFolderThatIsReplacedByAFileOrALinkMeanwhileIsLeftAlone) {
  WriteText(File("precious"), "precious");
  fs::create_directory(File("elsewhere"));
  WriteText(File("elsewhere/mine.txt"), "mine");
  for (const std::string other : {"ln -s precious case", "ln -s elsewhere case", "mkfifo case"}) {
    SCOPED_TRACE(other);
    std::string before;
    ForEachScript(
        "mv case away; " + other,
        [&](const ProcessResult& result) {
          struct stat status = {};
          EXPECT_EQ(::lstat(File("case").c_str(), &status), 0);
          EXPECT_FALSE(S_ISDIR(status.st_mode));
          EXPECT_EQ(ReadText(File("precious")), "precious");
          EXPECT_EQ(Content("elsewhere"), "mine.txt=mine\n");
          if (result.status == 0) {  // replaced after all was done
            EXPECT_EQ(Content("away"), new_);
            return false;
          }
          // Before the folder was examined, or afterwards.
          EXPECT_TRUE(result.status == 2 || result.status == 4) << result.status;
          const bool moved = result.err.find("is now 'case.old-") != std::string::npos;
          EXPECT_EQ(Leftovers().size(), moved ? 1u : 0u);
          EXPECT_EQ(Content(moved ? Leftovers()[0] : "away"), old_);
          return result.status == 4;
        },
        [&] {
          for (const char* const name : {"away", "case"}) fs::remove_all(File(name));
        });
  }
}

TEST_F(FolderFaults, AFolderThatIsRemovedMeanwhileIsMadeAnewOrNot) {
  ForEachScript("rm -r case", [&](const ProcessResult& result) {
    EXPECT_TRUE(result.status == 0 || result.status == 4);
    // Removed after the exchange, it is the new one that is removed.
    EXPECT_THAT(Content("case"), AnyOf(new_, "none"));
    EXPECT_THAT(Leftovers(), IsEmpty());
    return Content("case") == new_ || result.status == 4;
  });
}

TEST_F(FolderFaults, AFolderThatAppearsMeanwhileIsLeftAlone) {
  int refused = 0;
  ForEachCall(
      {"script", "write", {{"FAULT_SCRIPT", "mkdir case && printf mine > case/mine.txt"}}}, gen_,
      [&] { fs::remove_all(File("case")); },
      [&](const ProcessResult& result) {
        EXPECT_THAT(Leftovers(), IsEmpty());
        if (result.status == 0) {
          EXPECT_EQ(Content("case"), new_);
          return;
        }
        EXPECT_TRUE(result.status == 2 || result.status == 4) << result.status;
        EXPECT_EQ(Content("case"), "mine.txt=mine\n");
        ++refused;
      });
  EXPECT_GT(refused, 5 / kStep);
}

// Two runs replace one folder at the same time: it is that of one of them, and the other one says so.
TEST_F(FolderFaults, AnotherRunMeanwhileReplacesItOrThisOneDoes) {
  const std::string other = MakeCase({"gen", "--shape", "3", "--output", "case"});
  ForEachScript(std::string("'") + SUPREMUM_COMMAND + "' gen --shape 3 --output case --force > other.txt",
                [&](const ProcessResult& result) {
                  EXPECT_EQ(ReadText(File("other.txt")).find("error"), std::string::npos);
                  if (result.status == 0) {
                    EXPECT_THAT(Content("case"), AnyOf(new_, other));
                    EXPECT_THAT(Leftovers(), IsEmpty());
                    return false;
                  }
                  EXPECT_EQ(result.status, 4);
                  EXPECT_THAT(result.err, HasSubstr("was replaced by another one meanwhile"));
                  EXPECT_EQ(Content("case"), other);
                  const bool moved = result.err.find("is now 'case.old-") != std::string::npos;
                  EXPECT_EQ(Leftovers().size(), moved ? 1u : 0u);
                  return true;
                });
}

// In a folder in which others may rename what is not theirs: they put something else in the place of the
// folder that is not yet complete.
TEST_F(FolderFaults, WhatReplacesTheUnfinishedFolderIsNeitherRemovedNorTakesTheName) {
  for (const std::string other : {"ln -s \"$PWD/elsewhere\" $new", "mv elsewhere $new", "echo mine > $new"}) {
    SCOPED_TRACE(other);
    std::string name;
    ForEachScript(
        "for new in case.new-*; do if test -d $new; then mv $new stolen; " + other + "; fi; done",
        [&](const ProcessResult& result) {
          struct stat status = {};
          EXPECT_EQ(::lstat(File("case").c_str(), &status), 0);
          EXPECT_TRUE(S_ISDIR(status.st_mode));
          // Where all was done before, or nothing begun, nothing was stolen; after the exchange, the old
          // folder.
          EXPECT_TRUE(result.status == 0 || result.status == 4) << result.status;
          EXPECT_EQ(Content("case"), result.status == 0 ? new_ : old_);
          for (const std::string& left : Leftovers()) {
            if (!left.starts_with("case.")) continue;
            const std::string file = fs::is_regular_file(File(left)) ? left : left + "/mine.txt";
            EXPECT_THAT(ReadText(File(file)), ::testing::StartsWith("mine"));
          }
          if (other.starts_with("ln")) {
            EXPECT_EQ(ReadText(File("elsewhere/mine.txt")), "mine");
            EXPECT_EQ(fs::status(File("elsewhere")).permissions(), fs::perms::owner_all);
          }
          return result.status == 4;
        },
        [&] {
          for (const char* const folder : {"elsewhere", "stolen"}) fs::remove_all(File(folder));
          fs::create_directory(File("elsewhere"));
          fs::permissions(File("elsewhere"), fs::perms::owner_all);
          WriteText(File("elsewhere/mine.txt"), "mine");
        });
  }
}

TEST_F(FolderFaults, LinksAndPipesInTheFolderAreRemovedAndNothingBehindThemIs) {
  WriteText(File("precious"), "precious");
  fs::create_directory(File("elsewhere"));
  WriteText(File("elsewhere/input_0.pb"), "precious");
  const std::vector<std::function<void(const std::string&)>> plants = {
      [&](const std::string& name) { fs::create_symlink(File("precious"), name); },
      [&](const std::string& name) { fs::create_symlink(File("elsewhere"), name); },
      [&](const std::string& name) { fs::create_symlink(File("case"), name); },
      [&](const std::string& name) { fs::create_symlink("nothing", name); },
      [&](const std::string& name) { fs::create_hard_link(File("precious"), name); },
      [&](const std::string& name) { ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0); },
      [&](const std::string& name) { ASSERT_TRUE(MakeSocket(name)); },
      [&](const std::string& name) { fs::create_directory(name); }};
  for (const char* const name : {"model.onnx", "test_data_set_0", "test_data_set_0/input_0.pb"}) {
    for (std::size_t i = 0; i < plants.size(); ++i) {
      SCOPED_TRACE(std::string(name) + " " + std::to_string(i));
      PutOld();
      fs::remove_all(File(std::string("case/") + name));
      // A socket's name is short, wherever the tests run.
      fs::current_path(File("case"));
      plants[i](name);
      fs::current_path("/");
      const ProcessResult result = Supremum(gen_);
      EXPECT_EQ(result.status, 0) << result.err;
      EXPECT_EQ(Content("case"), new_);
      EXPECT_EQ(ReadText(File("precious")), "precious");
      EXPECT_EQ(Content("elsewhere"), "input_0.pb=precious\n");
      EXPECT_THAT(Leftovers(), IsEmpty());
    }
  }
}

TEST_F(FolderFaults, NamesThatAreNotTheFoldersOwnAreRefusedBeforeTheWork) {
  PutOld();
  fs::create_directory_symlink("case", File("link"));
  fs::create_symlink("nothing", File("dangling"));
  WriteText(File("file"), "mine");
  for (const std::string name : {".", "..", "case/.", "case/..", "case/test_data_set_0/..", "link/.", "link",
                                 "link/", "dangling", "file", "/", "//", "/."}) {
    std::vector<std::string> gen = gen_;
    gen[4] = name;
    ExpectFailure(Supremum(gen), 2, {"--output " + name + ": "});
    EXPECT_EQ(Content("case"), old_);
    EXPECT_THAT(Leftovers(), IsEmpty());
  }
  for (const std::string name : {"./case", "case/", "case//", "./case/../case", "link/../case"}) {
    PutOld();
    std::vector<std::string> gen = gen_;
    gen[4] = name;
    EXPECT_EQ(Supremum(gen).status, 0) << name;
    EXPECT_EQ(Content("case"), new_) << name;
  }
}

TEST_F(FolderFaults, WhatKilledRunsLeftIsNamedAndStays) {
  PutOld();
  pid_t dead = ::fork();
  if (dead == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(dead, nullptr, 0), dead);
  const std::string gone = std::to_string(dead), alive = std::to_string(::getpid());
  const std::vector<std::string> named = {"case.new-" + gone + "-0", "case.old-" + gone + "-7"};
  std::vector<std::string> not_named = {"case.new-" + alive + "-0", "case.old-" + alive + "-0"};
  for (const char* const other : {"case.new-", "case.new-x-0", "case.new--1-0", "case.new-0-0", "case.old-1",
                                  "case.new-99999999999999999999-0", "other.new-", "case.NEW-"}) {
    not_named.emplace_back(other);
  }
  not_named.push_back("case.old-" + gone + "-0x");
  not_named.push_back("case.old-" + gone + "-");
  not_named.push_back("x.case.old-" + gone + "-0");
  for (const std::string& name : With(named, not_named)) {
    fs::create_directory(File(name));
    WriteText(File(name + "/mine.txt"), "mine");
  }
  const ProcessResult result = Supremum(gen_);
  EXPECT_EQ(result.status, 0) << result.err;
  for (const std::string& name : named) {
    EXPECT_THAT(result.err, HasSubstr("'" + name + "' was left by a run that was killed"));
    EXPECT_EQ(Content(name), "mine.txt=mine\n");
  }
  for (const std::string& name : not_named) {
    EXPECT_THAT(result.err, Not(HasSubstr("'" + name + "'")));
    EXPECT_EQ(Content(name), "mine.txt=mine\n");
  }
  EXPECT_EQ(Content("case"), new_);
}

TEST_F(FolderFaults, AParentThatMayNotBeWrittenToIsAnErrorBeforeTheWork) {
  PutOld();
  fs::create_directory(File("locked"));
  fs::rename(File("case"), File("locked/case"));
  fs::permissions(File("locked"), fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                                      fs::perms::others_exec);
  ProcessOptions options;
  // Permissions do not bind root.
  if (::geteuid() == 0) {
    options.user = 65533;
    fs::permissions(File(""), fs::perms::others_read | fs::perms::others_exec, fs::perm_options::add);
    if (Supremum({"--version"}, options).status != 0)
      GTEST_SKIP() << "the command lies where other users may not go";
  }
  std::vector<std::string> gen = gen_;
  gen[4] = "locked/case";
  ExpectFailure(Supremum(gen, options), 4, {"folder locked", "Permission denied"});
  EXPECT_EQ(Content("locked/case"), old_);
  fs::permissions(File("locked"), fs::perms::owner_all);
}

/// Runs a script in a name space of mounts of its own, which takes root.
class MountedFolder : public FolderFaults {
 protected:
  void SetUp() override {
    FolderFaults::SetUp();
    PutOld();
    if (Shell("unshare --mount true").status != 0) GTEST_SKIP() << "this user cannot mount";
  }
  ProcessResult Mounted(const std::string& script) const {
    WriteText(File("script"), script);
    return Shell("unshare --mount --propagation private sh script");
  }
};

TEST_F(MountedFolder, AMountPointIsLeftAlone) {
  const ProcessResult result = Mounted(
      "mount --bind old case || exit 77\nsupremum gen --shape 2,3 --output case --force\necho status $?\n"
      "diff -r old case && ls -d case*\n");
  if (result.status == 77) GTEST_SKIP() << "this user cannot mount";
  EXPECT_THAT(result.out, HasSubstr("status 4\n"));
  EXPECT_THAT(result.out, ::testing::EndsWith("status 4\ncase\n"));
  EXPECT_THAT(result.err, HasSubstr("cannot create the folder case: Device or resource busy"));
}

TEST_F(MountedFolder, OnAReadOnlyFileSystemItIsAnErrorBeforeTheWork) {
  const ProcessResult result = Mounted(
      "mkdir disk && mv case disk && mount --bind disk disk && mount -o remount,ro,bind disk || exit 77\n"
      "supremum gen --shape 2,3 --output disk/case --force\necho status $?\ndiff -r old disk/case\nls "
      "disk\n");
  if (result.status == 77) GTEST_SKIP() << "this user cannot mount";
  EXPECT_EQ(result.out, "status 4\ncase\n");
  EXPECT_THAT(result.err, HasSubstr("Read-only file system"));
}

TEST_F(MountedFolder, OnADiskThatIsReallyFullTheOldFolderStays) {
  // From a disk that takes nothing more to one that takes almost all of the new folder, of 11 pages.
  for (int free = 0; free <= 40; free += 4) {
    const ProcessResult result = Mounted(
        "mkdir -p disk && mount -t tmpfs -o size=256k none disk || exit 77\ncp -r old disk/case\n"
        "free=$(df --output=avail disk | tail -n 1)\n"
        "head -c $(((free - " +
        std::to_string(free) +
        ") * 1024)) /dev/zero > disk/rest\n"
        "supremum gen --shape 5000 --output disk/case --force > text\necho status $?\n"
        "diff -r old disk/case > differences; echo $?\nls disk\n");
    if (result.status == 77) GTEST_SKIP() << "this user cannot mount";
    EXPECT_EQ(result.out, "status 4\n0\ncase\nrest\n") << free << result.err;
    EXPECT_THAT(result.err, HasSubstr("No space left on device")) << free;
  }
}

/// The same for gen-conformance.
class ConformanceFaults : public FolderFaults {
 protected:
  void SetUp() override {
    const auto made = [&](const char* const name) {
      WriteOneCase(name);
      return MakeCase({"gen-conformance", "case", "--cases", "cases"});
    };
    old_ = made("first");
    fs::rename(File("case"), File("old"));
    new_ = made("second");
    fs::rename(File("case"), File("new"));
    ASSERT_NE(old_, new_);
    gen_ = {"gen-conformance", "case", "--cases", "cases", "--force"};
  }
};

TEST_F(ConformanceFaults, KilledAtAnyMomentTheTargetIsTheOldFolderOrTheNewOne) {
  int killed = 0, replaced = 0;
  ForEachCall(
      {"kill", "write"}, gen_, [&] { PutOld(); },
      [&](const ProcessResult& result) {
        const std::string now = Content("case");
        EXPECT_THAT(now, AnyOf(old_, new_));
        killed += result.status == 128 + SIGKILL;
        replaced += now == new_;
      });
  EXPECT_GT(killed, 5 / kStep);
  EXPECT_GT(replaced, 0);
}

TEST_F(ConformanceFaults, EndedByASignalTheTargetIsTheOldFolderAndNothingIsLeft) {
  ForEachCallOnEachSystem({kTerm, "write", {{"FAULT_WAIT", "200"}}},
                          [&](const ProcessResult& result) { return IsRefused(result, 128 + SIGTERM); });
}

TEST_F(ConformanceFaults, AFullDiskAtAnyCallLeavesTheOldFolder) {
  ForEachCallOnEachSystem({std::to_string(ENOSPC), "write"},
                          [&](const ProcessResult& result) { return IsRefused(result, 4); });
}

TEST_F(ConformanceFaults, AFileThatIsPutIntoTheFolderMeanwhileIsKept) {
  ForEachScript("cd case 2>/dev/null || { echo no folder >&2; exit; }; echo mine > mine.txt",
                [&](const ProcessResult& result) {
                  EXPECT_TRUE(result.status == 0 || result.status == 2) << result.status;
                  if (result.err.find("no folder") == std::string::npos) {
                    EXPECT_EQ(ReadText(File("case/mine.txt")), "mine\n");
                  }
                  EXPECT_THAT(Leftovers(), IsEmpty());
                  return result.status == 0;
                });
}

}  // namespace
}  // namespace supremum::test
