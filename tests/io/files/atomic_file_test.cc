#include "io/files/atomic_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/formats/format_testing.h"
#include "support/bytes.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using test::Bytes;
using test::ExpectError;
using test::FilesIn;
using test::ReadBytes;
using test::TempDir;
using test::WriteBytes;
using testing::ElementsAre;
using testing::IsEmpty;

/// The descriptors below 1024 that are open.
std::set<int> OpenDescriptors() {
  std::set<int> open;
  for (int descriptor = 0; descriptor < 1024; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) open.insert(descriptor);
  }
  return open;
}

mode_t ModeOf(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777;
}

TEST(AtomicFile, TheFileAppearsOnCommit) {
  const TempDir dir;
  const std::string path = dir.File("y");
  auto file = AtomicFile::Create(path);
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_TRUE(file->Write(Bytes("ab")));
  ASSERT_TRUE(file->Write(Bytes("cd")));
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(file->Commit());
  EXPECT_EQ(ReadBytes(path), "abcd");
  EXPECT_THAT(FilesIn(dir.path()), ElementsAre("y"));
}

TEST(AtomicFile, AnOldFileIsReplacedOnCommitOnly) {
  const TempDir dir;
  const std::string path = dir.File("y");
  WriteBytes(path, "old");
  {
    auto file = AtomicFile::Create(path);
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(file->Write(Bytes("new")));
    EXPECT_EQ(ReadBytes(path), "old");
  }
  EXPECT_EQ(ReadBytes(path), "old");
  EXPECT_THAT(FilesIn(dir.path()), ElementsAre("y"));
  EXPECT_TRUE(WriteFileAtomically(path, "new"));
  EXPECT_EQ(ReadBytes(path), "new");
}

TEST(AtomicFile, PermissionsAreThoseOfTheOldFileOrOfTheUmask) {
  const TempDir dir;
  const mode_t mask = ::umask(027);
  EXPECT_TRUE(WriteFileAtomically(dir.File("fresh"), "x"));
  WriteBytes(dir.File("old"), "x");
  ASSERT_EQ(::chmod(dir.File("old").c_str(), 0604), 0);
  EXPECT_TRUE(WriteFileAtomically(dir.File("old"), "y"));
  ::umask(mask);
  EXPECT_EQ(ModeOf(dir.File("fresh")), 0640U);
  EXPECT_EQ(ModeOf(dir.File("old")), 0604U);
}

TEST(AtomicFile, ASymbolicLinkStaysAndItsFileIsReplaced) {
  const TempDir dir;
  std::filesystem::create_directory(dir.File("elsewhere"));
  WriteBytes(dir.File("elsewhere/file"), "old");
  std::filesystem::create_symlink("elsewhere/file", dir.File("link"));
  EXPECT_TRUE(WriteFileAtomically(dir.File("link"), "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(dir.File("link")));
  EXPECT_EQ(ReadBytes(dir.File("elsewhere/file")), "new");
  EXPECT_THAT(FilesIn(dir.path()), ElementsAre("elsewhere", "link"));
  EXPECT_THAT(FilesIn(dir.File("elsewhere")), ElementsAre("file"));
}

TEST(AtomicFile, ATargetThatCannotBeIsRefusedWithTheReason) {
  const TempDir dir;
  std::filesystem::create_symlink("nix", dir.File("link"));
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {dir.File("link"), {"/link'", "symbolic link", "No such file"}},
      {dir.File("nix/y"), {"/nix/y'", "cannot be created", "No such file or directory", "check the folder"}},
      {dir.path(), {"it is a folder", "name a file"}},
      {dir.File("x") + '\0', {"x\\x00'"}}};
  for (const auto& [target, parts] : cases) ExpectError(AtomicFile::Create(target), ErrorCode::kIo, parts);
  EXPECT_THAT(FilesIn(dir.path()), ElementsAre("link"));
}

TEST(AtomicFile, ATargetThatBecameAFolderLeavesNoTemporaryBehind) {
  const TempDir dir;
  auto file = AtomicFile::Create(dir.File("y"));
  ASSERT_TRUE(file) << file.error().message;
  std::filesystem::create_directory(dir.File("y"));
  ExpectError(file->Commit(), ErrorCode::kIo, {"/y'", "cannot be replaced", "directory"});
  EXPECT_THAT(FilesIn(dir.path()), ElementsAre("y"));
  EXPECT_THAT(FilesIn(dir.File("y")), IsEmpty());
}

TEST(AtomicFile, ALimitOfFileSizeLeavesTheOldFileAndNoTemporary) {
  const TempDir dir;
  const std::string path = dir.File("y");
  WriteBytes(path, "old");
  const std::string big(100'000, 'n');
  {
    const test::FileSizeLimit limit(5'000);
    auto file = AtomicFile::Create(path);
    ASSERT_TRUE(file) << file.error().message;
    ExpectError(file->Write(Bytes(big)), ErrorCode::kIo,
                {"/y'", "cannot be written", "File too large", "ulimit -f"});
    EXPECT_THAT(FilesIn(dir.path()), ElementsAre("y"));
    ExpectError(file->Write(Bytes("x")), ErrorCode::kIo, {"/y'"});
    ExpectError(file->Commit(), ErrorCode::kIo, {"/y'"});
  }
  EXPECT_EQ(ReadBytes(path), "old");
  EXPECT_THAT(FilesIn(dir.path()), ElementsAre("y"));
}

TEST(AtomicFile, ADeviceIsWrittenToDirectly) {
  EXPECT_TRUE(WriteFileAtomically("/dev/null", "gone"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  ExpectError(WriteFileAtomically("/dev/full", "x"), ErrorCode::kIo,
              {"'/dev/full'", "cannot be written", "No space left on device"});
}

TEST(AtomicFile, APipeIsWrittenToDirectly) {
  const TempDir dir;
  ASSERT_EQ(::mkfifo(dir.File("pipe").c_str(), 0600), 0);
  const int reader = ::open(dir.File("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(WriteFileAtomically(dir.File("pipe"), "through"));
  char text[8] = {};
  EXPECT_EQ(::read(reader, text, sizeof text), 7);
  EXPECT_STREQ(text, "through");
  ::close(reader);
  EXPECT_THAT(FilesIn(dir.path()), ElementsAre("pipe"));
}

// Without standard input, the first file that is opened has the number 0.
TEST(AtomicFile, APipeWhoseFolderIsGoneIsWrittenToByTheNameOfItsDescriptor) {
  for (const bool has_input : {true, false}) {
    int pipe = -1;
    {
      const TempDir dir;
      ASSERT_EQ(::mkfifo(dir.File("pipe").c_str(), 0600), 0);
      const int opened = ::open(dir.File("pipe").c_str(), O_RDWR | O_NONBLOCK);
      pipe = ::fcntl(opened, F_DUPFD_CLOEXEC, 3);
      ::close(opened);
      ASSERT_GE(pipe, 3);
    }
    const int input = has_input ? -1 : ::fcntl(0, F_DUPFD_CLOEXEC, 3);
    if (!has_input) ::close(0);
    const auto written = WriteFileAtomically("/dev/fd/" + std::to_string(pipe), "through");
    if (input >= 0) {
      EXPECT_EQ(::dup2(input, 0), 0);
      ::close(input);
    }
    EXPECT_TRUE(written) << written.error().message;
    char text[8] = {};
    EXPECT_EQ(::read(pipe, text, sizeof text), 7);
    EXPECT_STREQ(text, "through");
    ::close(pipe);
  }
}

TEST(AtomicFile, AMovedFileIsCommittedOnce) {
  const TempDir dir;
  const std::set<int> before = OpenDescriptors();
  {
    auto first = AtomicFile::Create(dir.File("first"));
    auto second = AtomicFile::Create(dir.File("second"));
    ASSERT_TRUE(first && second);
    const AtomicFile dropped(*std::move(first));
    AtomicFile moved(*std::move(second));
    EXPECT_TRUE(moved.Write(Bytes("x")));
    EXPECT_TRUE(moved.Commit());
  }
  EXPECT_THAT(FilesIn(dir.path()), ElementsAre("second"));
  EXPECT_EQ(OpenDescriptors(), before);
}

TEST(AtomicFile, NoDescriptorStaysOpenAndNoOtherIsClosed) {
  const TempDir dir;
  const std::set<int> before = OpenDescriptors();
  {
    auto committed = AtomicFile::Create(dir.File("a")), dropped = AtomicFile::Create(dir.File("b"));
    ASSERT_TRUE(committed && dropped);
    EXPECT_TRUE(committed->Write(Bytes("x")) && committed->Commit());
    EXPECT_FALSE(AtomicFile::Create(dir.File("none/c")));
    EXPECT_FALSE(AtomicFile::Create(dir.path()));
  }
  EXPECT_EQ(OpenDescriptors(), before);
}

TEST(AtomicFile, ANameWithoutFolderIsInTheCurrentOne) {
  const TempDir dir;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  EXPECT_TRUE(WriteFileAtomically("y", "here"));
  std::filesystem::current_path(before);
  EXPECT_EQ(ReadBytes(dir.File("y")), "here");
}

TEST(AtomicFile, AFileThatIsSyncedWaitsForItsName) {
  const TempDir dir;
  Result<AtomicFile> file = AtomicFile::Create(dir.File("x"));
  ASSERT_TRUE(file);
  const std::string text = "content";
  ASSERT_TRUE(file->Write(std::as_bytes(std::span(text))));
  ASSERT_TRUE(file->Sync());
  EXPECT_FALSE(std::filesystem::exists(dir.File("x")));
  EXPECT_FALSE(file->Write(std::as_bytes(std::span(text)))) << "writing has ended";
  Result<AtomicFile> again = AtomicFile::Create(dir.File("x"));
  ASSERT_TRUE(again);
  ASSERT_TRUE(again->Write(std::as_bytes(std::span(text))));
  ASSERT_TRUE(again->Sync());
  AtomicFile moved = *std::move(again);
  ASSERT_TRUE(moved.Commit());
  EXPECT_EQ(std::filesystem::file_size(dir.File("x")), text.size());
}

}  // namespace
}  // namespace supremum::io
