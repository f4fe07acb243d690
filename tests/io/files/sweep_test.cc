// What dead processes left is removed, and nothing else.
#include "io/files/sweep.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "io/files/atomic_file.h"
#include "io/files/partial_file.h"
#include "io/files/temporaries.h"
#include "io/formats/format_testing.h"
#include "support/bytes.h"
#include "support/descriptors.h"
#include "support/planted.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using test::Bytes;
using test::FilesIn;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kTemporary = ".supremum-1-0123456789abcdef.tmp";

class SweepTest : public testing::Test {
 protected:
  void SweepIt() const { Sweep(OpenFolder::Open(dir_.path() + "/")); }

  /// Ends as a process that is killed: nothing is cleaned up.
  static void InAProcessThatIsKilled(const std::function<void()>& work) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      work();
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }

  /// An empty file of this user, of that mode.
  std::string Put(const std::string& name, mode_t mode = 0600) const {
    const std::string path = dir_.File(name);
    test::WriteBytes(path, "");
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path;
  }

  test::TempDir dir_;
};

TEST_F(SweepTest, RemovesTheTemporaryFileOfADeadProcess) {
  InAProcessThatIsKilled([&] {
    auto* file = new Result<AtomicFile>(AtomicFile::Create(dir_.File("y")));
    if (!(*file)->Write(Bytes("half"))) ::_exit(1);
  });
  ASSERT_THAT(FilesIn(dir_.path()), SizeIs(1));
  EXPECT_TRUE(IsTemporaryName(FilesIn(dir_.path()).front()));
  SweepIt();
  EXPECT_THAT(FilesIn(dir_.path()), IsEmpty());
}

TEST_F(SweepTest, RemovesTheOneThatHadItsPermissionsAlready) {
  InAProcessThatIsKilled([&] {
    const mode_t mask = ::umask(0);
    auto* file = new Result<AtomicFile>(AtomicFile::Create(dir_.File("y")));
    if (mask > 0777 || !(*file)->Sync()) ::_exit(1);
  });
  ASSERT_THAT(FilesIn(dir_.path()), SizeIs(1));
  SweepIt();
  EXPECT_THAT(FilesIn(dir_.path()), IsEmpty());
}

TEST_F(SweepTest, RemovesAFileThatGrewAndHasNoResumeFile) {
  InAProcessThatIsKilled([&] {
    auto* file = new Result<PartialFile>(PartialFile::Open(dir_.File("y")));
    if (!(*file)->WriteAt(0, Bytes("half"))) ::_exit(1);
  });
  EXPECT_THAT(FilesIn(dir_.path()), ElementsAre(".supremum-y.partial"));
  SweepIt();
  EXPECT_THAT(FilesIn(dir_.path()), IsEmpty());
}

TEST_F(SweepTest, LeavesAFileThatCanBeGoneOnWith) {
  InAProcessThatIsKilled([&] {
    auto* file = new Result<PartialFile>(PartialFile::Open(dir_.File("y")));
    if (!(*file)->WriteAt(0, Bytes("half")) || !(*file)->Keep("resume data")) ::_exit(1);
  });
  SweepIt();
  EXPECT_THAT(FilesIn(dir_.path()), ElementsAre(".supremum-y.partial", ".supremum-y.partial.state"));
  EXPECT_EQ(PartialFile::Open(dir_.File("y"))->ResumeData().value(), "resume data");
}

TEST_F(SweepTest, RemovesAResumeFileWithoutItsFile) {
  InAProcessThatIsKilled([&] {
    auto* file = new Result<PartialFile>(PartialFile::Open(dir_.File("y")));
    if (!(*file)->Keep("resume data") || ::unlink((*file)->path().c_str()) != 0) ::_exit(1);
  });
  EXPECT_THAT(FilesIn(dir_.path()), ElementsAre(".supremum-y.partial.state"));
  SweepIt();
  EXPECT_THAT(FilesIn(dir_.path()), IsEmpty());
}

// Its old name may be given to it again, or to another file that the system gives its number.
TEST_F(SweepTest, WhatHasItsFinalNameIsNotRemovedAtTheEnd) {
  InAProcessThatIsKilled([&] {
    auto file = AtomicFile::Create(dir_.File("y"));
    const std::string temporary = FilesIn(dir_.path()).front();
    if (!file || !file->Commit() || !IsTemporaryName(temporary)) ::_exit(1);
    auto partial = PartialFile::Open(dir_.File("z"));
    if (!partial || !partial->Commit()) ::_exit(1);
    std::filesystem::rename(dir_.File("y"), dir_.File(temporary));
    std::filesystem::rename(dir_.File("z"), dir_.File(".supremum-z.partial"));
    DiscardTemporaries();
  });
  EXPECT_THAT(FilesIn(dir_.path()), SizeIs(2));
}

TEST_F(SweepTest, LeavesWhatLivingProcessesWrite) {
  auto writing = AtomicFile::Create(dir_.File("a"));
  auto synced = AtomicFile::Create(dir_.File("b"));
  auto growing = PartialFile::Open(dir_.File("c"));
  ASSERT_TRUE(writing && synced && growing);
  ASSERT_TRUE(synced->Write(Bytes("b")) && synced->Sync());
  // In another process, to which these are as strange as files of a third.
  InAProcessThatIsKilled([&] { SweepIt(); });
  SweepIt();
  ASSERT_THAT(FilesIn(dir_.path()), SizeIs(3));
  EXPECT_TRUE(writing->Write(Bytes("a")));
  EXPECT_TRUE(writing->Commit() && synced->Commit() && growing->Commit());
  EXPECT_THAT(FilesIn(dir_.path()), ElementsAre("a", "b", "c"));
}

TEST_F(SweepTest, AFolderIsSweptBeforeItsFirstFileAlone) {
  ASSERT_TRUE(WriteFileAtomically(dir_.File("y"), "first"));
  Put(kTemporary);
  ASSERT_TRUE(WriteFileAtomically(dir_.File("y"), "second"));
  EXPECT_THAT(FilesIn(dir_.path()), ElementsAre(kTemporary, "y"));
}

TEST_F(SweepTest, LeavesFilesOfOtherNames) {
  for (const char* const name :
       {"y.npy", ".supremum-", ".supremum-.tmp", ".supremum-1.tmp", ".supremum-1-0.tmp",
        ".supremum-x-0123456789abcdef.tmp", ".supremum--0123456789abcdef.tmp",
        ".supremum-1-0123456789abcde.tmp", ".supremum-1-0123456789abcdeg.tmp",
        ".supremum-1-0123456789ABCDEF.tmp", ".supremum-1-0123456789abcdef0.tmp",
        ".supremum-1-0123456789abcdef.tmp2", "x.supremum-1-0123456789abcdef.tmp",
        ".supremum-1-0123456789abcdef", ".supremum-y.state", ".supremum-y.part", "y.partial",
        ".supremum-y.partial.state.new"}) {
    Put(name);
  }
  const auto before = FilesIn(dir_.path());
  SweepIt();
  EXPECT_EQ(FilesIn(dir_.path()), before);
  Put(kTemporary);
  SweepIt();
  EXPECT_EQ(FilesIn(dir_.path()), before);
}

TEST_F(SweepTest, LeavesCopiesThatSomebodyMade) {
  // A copy has the permissions of a new file, not those of an unfinished one.
  Put(".supremum-y.partial", 0644);
  Put(".supremum-z.partial.state", 0640);
  SweepIt();
  EXPECT_THAT(FilesIn(dir_.path()), SizeIs(2));
}

TEST_F(SweepTest, LeavesWhatIsLocked) {
  const std::string path = Put(kTemporary);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(LockNamed({OpenFolder::Open(dir_.path() + "/"), kTemporary}, descriptor), Locked::kYes);
  SweepIt();
  EXPECT_THAT(FilesIn(dir_.path()), SizeIs(1));
  ::close(descriptor);
  SweepIt();
  EXPECT_THAT(FilesIn(dir_.path()), IsEmpty());
}

TEST_F(SweepTest, LeavesAllThatIsNotAPlainFile) {
  test::WriteBytes(dir_.File("precious"), "precious");
  for (const test::Planted& planted : test::AllPlanted()) {
    if (planted.is_plain_file) continue;
    for (const char* const name : {kTemporary, ".supremum-y.partial", ".supremum-z.partial.state"}) {
      SCOPED_TRACE(planted.name + " " + name);
      const std::string path = dir_.File(name);
      if (!planted.make(path)) continue;
      const std::string before = test::StateOf(path);
      SweepIt();
      EXPECT_EQ(test::StateOf(path), before);
      std::filesystem::remove_all(path);
    }
  }
  EXPECT_EQ(test::ReadBytes(dir_.File("precious")), "precious");
}

TEST_F(SweepTest, ATemporaryFileInAFolderThatIsGoneIsAnError) {
  std::filesystem::create_directory(dir_.File("out"));
  const auto folder = OpenFolder::Open(dir_.File("out/"));
  ASSERT_NE(folder, nullptr);
  std::filesystem::remove(dir_.File("out"));
  FolderEntry entry;
  EXPECT_EQ(CreateTemporary(folder, &entry), -1);
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(SweepTest, LeavesNoDescriptorOpenAndClosesNoOther) {
  const std::string locked = Put(".supremum-2-0123456789abcdef.tmp");
  const int descriptor = ::open(locked.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(LockNamed({OpenFolder::Open(dir_.path() + "/"), ".supremum-2-0123456789abcdef.tmp"}, descriptor),
            Locked::kYes);
  Put(kTemporary);
  Put(".supremum-y.partial", 0644);
  std::filesystem::create_symlink("nothing", dir_.File(".supremum-3-0123456789abcdef.tmp"));
  const std::set<int> before = test::OpenDescriptors();
  SweepIt();
  EXPECT_EQ(test::OpenDescriptors(), before);
  EXPECT_THAT(FilesIn(dir_.path()), SizeIs(3));
  ::close(descriptor);
}

TEST_F(SweepTest, AFolderThatCannotBeListedIsNoError) {
  std::filesystem::create_directory(dir_.File("out"));
  const auto folder = OpenFolder::Open(dir_.File("out/"));
  ASSERT_NE(folder, nullptr);
  std::filesystem::remove(dir_.File("out"));
  Sweep(folder);
}

// Each of the 16 digits is random: 40 names have all of them alike at one place once in 16^38 runs.
TEST_F(SweepTest, TemporaryNamesCannotBeTakenBeforehand) {
  const auto folder = OpenFolder::Open(dir_.path() + "/");
  std::array<std::set<char>, 16> digits;
  for (int i = 0; i < 40; ++i) {
    FolderEntry entry;
    const int descriptor = CreateTemporary(folder, &entry);
    ASSERT_GE(descriptor, 0);
    EXPECT_TRUE(IsTemporaryName(entry.name)) << entry.name;
    const std::size_t first = entry.name.rfind('-') + 1;
    for (std::size_t d = 0; d < digits.size(); ++d) digits[d].insert(entry.name[first + d]);
    Temporaries::Instance().Remove(entry);
    ::close(descriptor);
  }
  for (const std::set<char>& seen : digits) EXPECT_GT(seen.size(), 1u);
  EXPECT_THAT(FilesIn(dir_.path()), IsEmpty());
}

}  // namespace
}  // namespace supremum::io
