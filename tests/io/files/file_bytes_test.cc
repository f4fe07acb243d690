#include "io/files/file_bytes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "io/formats/format_testing.h"
#include "support/clock.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using test::ExpectError;
using test::TempDir;
using test::WriteBytes;

TEST(FileBytes, AFileIsReadWhole) {
  const TempDir dir;
  WriteBytes(dir.File("x"), std::string("ab\0cd", 5));
  const auto bytes = ReadFileBytes(dir.File("x"), 5);
  ASSERT_TRUE(bytes) << bytes.error().message;
  ASSERT_EQ(bytes->size(), 5U);
  EXPECT_EQ((*bytes)[3], std::byte{'c'});
}

TEST(FileBytes, AnEmptyFileHasNoBytes) {
  const TempDir dir;
  WriteBytes(dir.File("x"), "");
  const auto bytes = ReadFileBytes(dir.File("x"), 0);
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_TRUE(bytes->empty());
}

TEST(FileBytes, AFileBeyondTheLimitIsRefusedWithBothNumbers) {
  const TempDir dir;
  WriteBytes(dir.File("x"), "12345");
  ExpectError(ReadFileBytes(dir.File("x"), 4), ErrorCode::kLimitExceeded,
              {"/x'", "5 bytes", "is 4", "raise the limit"});
}

TEST(FileBytes, AMissingFileIsNamedWithTheReason) {
  const TempDir dir;
  ExpectError(InputFile::Open(dir.File("nix")), ErrorCode::kIo,
              {"/nix'", "cannot be opened", "No such file or directory", "check"});
}

TEST(FileBytes, WhatIsNoFileIsRefusedBySayingWhatItIs) {
  const TempDir dir;
  ASSERT_EQ(::mkfifo(dir.File("pipe").c_str(), 0600), 0);
  ExpectError(InputFile::Open(dir.path()), ErrorCode::kIo, {"is a folder"});
  ExpectError(InputFile::Open(dir.File("pipe")), ErrorCode::kIo, {"/pipe' is a pipe"});
  ExpectError(InputFile::Open("/dev/null"), ErrorCode::kIo, {"'/dev/null' is a device"});
}

TEST(FileBytes, ANameWithAZeroByteIsRefused) {
  const TempDir dir;
  WriteBytes(dir.File("x"), "1");
  ExpectError(InputFile::Open(dir.File("x") + '\0' + "y"), ErrorCode::kIo, {"x\\x00y'", "zero byte"});
}

TEST(FileBytes, ReadingBeyondTheEndTellsWhereTheFileEnds) {
  const TempDir dir;
  WriteBytes(dir.File("x"), "12345");
  const auto file = InputFile::Open(dir.File("x"));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->size(), 5);
  std::vector<std::byte> into(4);
  EXPECT_TRUE(file->ReadAt(1, into));
  EXPECT_EQ(into[0], std::byte{'2'});
  ExpectError(file->ReadAt(3, into), ErrorCode::kMalformedFile, {"/x'", "byte 5", "2 bytes too early"});
}

TEST(FileBytes, AFileThatShrinksWhileItIsReadIsAnError) {
  const TempDir dir;
  WriteBytes(dir.File("x"), "12345");
  const auto file = InputFile::Open(dir.File("x"));
  ASSERT_TRUE(file) << file.error().message;
  std::filesystem::resize_file(dir.File("x"), 2);
  std::vector<std::byte> into(5);
  ExpectError(file->ReadAt(0, into), ErrorCode::kIo, {"/x' was changed while it was read"});
  ExpectError(file->ReadPart(0, into), ErrorCode::kMalformedFile, {"byte 2", "3 bytes too early"});
}

// In every way in which a file can be another one than it was, or have another content.
TEST(FileBytes, AFileThatIsChangedAfterItWasOpenedIsNotRead) {
  const TempDir dir;
  const std::string path = dir.File("x");
  const timespec long_ago[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  const auto set_time = [&] { ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), long_ago, 0), 0); };
  const std::vector<std::pair<const char*, std::function<void()>>> changes = {
      {"overwritten, and its time set back",
       [&] {
         std::ofstream(path, std::ios::in | std::ios::out) << "54321";
         set_time();
       }},
      {"cut and filled again",
       [&] {
         WriteBytes(path, "12345");
         set_time();
       }},
      {"longer",
       [&] {
         std::ofstream(path, std::ios::app) << "6";
         set_time();
       }},
      {"shorter",
       [&] {
         std::filesystem::resize_file(path, 4);
         set_time();
       }},
      {"its time set",
       [&] {
         const timespec now[2] = {{2'000'000'000, 0}, {2'000'000'000, 0}};
         ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), now, 0), 0);
       }},
  };
  for (const auto& [how, change] : changes) {
    SCOPED_TRACE(how);
    WriteBytes(path, "12345");
    set_time();
    const auto file = InputFile::Open(path);
    ASSERT_TRUE(file) << file.error().message;
    std::vector<std::byte> into(2);
    EXPECT_TRUE(file->ReadAt(0, into));
    EXPECT_TRUE(file->CheckUnchanged());
    test::WaitForClock(path);
    change();
    ExpectError(file->ReadAt(2, into), ErrorCode::kIo, {"/x' was changed while it was read", "run again"});
    ExpectError(file->CheckUnchanged(), ErrorCode::kIo, {"/x' was changed while it was read"});
    EXPECT_TRUE(file->ReadPart(0, into)) << "whose caller checks";
    std::filesystem::remove(path);
  }
}

TEST(FileBytes, ReadingChangesNothing) {
  const TempDir dir;
  WriteBytes(dir.File("x"), "12345");
  const auto file = InputFile::Open(dir.File("x"));
  ASSERT_TRUE(file);
  std::vector<std::byte> into(5);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(ReadFileBytes(dir.File("x"), 5));
    EXPECT_TRUE(file->ReadAt(0, into));
  }
}

TEST(FileBytes, AnIdentityTellsFilesApart) {
  const TempDir dir;
  WriteBytes(dir.File("x"), "12345");
  std::filesystem::create_hard_link(dir.File("x"), dir.File("same"));
  std::filesystem::copy_file(dir.File("x"), dir.File("copy"));
  const FileIdentity x = InputFile::Open(dir.File("x"))->identity();
  EXPECT_TRUE(x == InputFile::Open(dir.File("same"))->identity());
  EXPECT_FALSE(x == InputFile::Open(dir.File("copy"))->identity());
  struct stat status = {};
  ASSERT_EQ(::stat(dir.File("x").c_str(), &status), 0);
  EXPECT_EQ(x.inode, status.st_ino);
  EXPECT_EQ(x.device, status.st_dev);
  EXPECT_EQ(x.changed.nanoseconds, status.st_ctim.tv_nsec);
}

TEST(FileBytes, AnOpenFileCanBeMoved) {
  const TempDir dir;
  WriteBytes(dir.File("x"), "x");
  WriteBytes(dir.File("y"), "y");
  auto x = InputFile::Open(dir.File("x"));
  auto y = InputFile::Open(dir.File("y"));
  ASSERT_TRUE(x && y);
  InputFile moved(*std::move(x));
  moved = *std::move(y);
  std::byte byte = {};
  EXPECT_TRUE(moved.ReadAt(0, std::span(&byte, 1)));
  EXPECT_EQ(byte, std::byte{'y'});
  EXPECT_TRUE(moved.path().ends_with("/y"));
}

}  // namespace
}  // namespace supremum::io
