#include "formats/file_bytes.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "formats/format_testing.h"
#include "support/temp_dir.h"

namespace supremum::formats {
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
  ExpectError(file->ReadAt(0, into), ErrorCode::kMalformedFile, {"byte 2", "3 bytes too early"});
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
}  // namespace supremum::formats
