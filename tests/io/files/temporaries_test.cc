#include "io/files/temporaries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "io/files/atomic_file.h"
#include "support/bytes.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using test::Bytes;
using test::FilesIn;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;

// Each of the 16 digits is random: 40 names have all of them alike at one place once in 16^38 runs.
TEST(Temporaries, TheirNamesCannotBeTakenBeforehand) {
  const test::TempDir dir;
  const auto folder = OpenFolder::Open(dir.path() + "/");
  std::array<std::set<char>, 16> digits;
  for (int i = 0; i < 40; ++i) {
    FolderEntry entry;
    const int descriptor = CreateTemporary(folder, &entry);
    ASSERT_GE(descriptor, 0);
    ASSERT_THAT(entry.name, MatchesRegex("\\.supremum-[0-9a-f]{16}\\.tmp"));
    const std::size_t first = entry.name.find('-') + 1;
    for (std::size_t d = 0; d < digits.size(); ++d) digits[d].insert(entry.name[first + d]);
    Temporaries::Instance().Remove(entry);
    ::close(descriptor);
  }
  for (const std::set<char>& seen : digits) EXPECT_GT(seen.size(), 1u);
  EXPECT_THAT(FilesIn(dir.path()), IsEmpty());
}

TEST(Temporaries, AFolderThatIsGoneIsAnError) {
  const test::TempDir dir;
  std::filesystem::create_directory(dir.File("out"));
  const auto folder = OpenFolder::Open(dir.File("out/"));
  ASSERT_NE(folder, nullptr);
  std::filesystem::remove(dir.File("out"));
  FolderEntry entry;
  EXPECT_EQ(CreateTemporary(folder, &entry), -1);
  EXPECT_EQ(errno, ENOENT);
}

/// `work` and DiscardTemporaries in another process, after which no file can be created there.
void DiscardAfter(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    const bool good = work();
    DiscardTemporaries();
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
}

TEST(Temporaries, UnfinishedFilesAreRemovedAtTheEndAndOthersAreNot) {
  const test::TempDir dir;
  test::WriteBytes(dir.File(".supremum-0123456789abcdef.tmp"), "of another process");
  DiscardAfter([&] {
    auto* file = new Result<AtomicFile>(AtomicFile::Create(dir.File("y")));
    auto* synced = new Result<AtomicFile>(AtomicFile::Create(dir.File("z")));
    return *file && *synced && (*file)->Write(Bytes("half")) && (*synced)->Sync();
  });
  EXPECT_THAT(FilesIn(dir.path()), ElementsAre(".supremum-0123456789abcdef.tmp"));
}

// Its old name may be given to it again, or to another file that the system gives its number.
TEST(Temporaries, AFileThatHasItsFinalNameIsNotRemovedAtTheEnd) {
  const test::TempDir dir;
  DiscardAfter([&] {
    auto file = AtomicFile::Create(dir.File("y"));
    const std::string temporary = FilesIn(dir.path()).front();
    if (!file || !file->Commit()) return false;
    std::filesystem::rename(dir.File("y"), dir.File(temporary));
    return true;
  });
  EXPECT_THAT(FilesIn(dir.path()), ElementsAre(MatchesRegex("\\.supremum-.*\\.tmp")));
}

}  // namespace
}  // namespace supremum::io
