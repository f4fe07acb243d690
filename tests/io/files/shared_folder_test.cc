// A folder in which everybody makes files, and two users, one of whom means no good.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "io/files/atomic_file.h"
#include "io/formats/format_testing.h"
#include "support/bytes.h"
#include "support/planted.h"
#include "support/temp_dir.h"
#include "support/users.h"

namespace supremum::io {
namespace {

using test::AsUser;
using test::Bytes;
using test::ExpectError;
using test::FilesIn;
using test::kOtherUser;
using test::kUser;
using test::StateOf;
using testing::ElementsAre;

struct stat StatusOf(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status;
}

mode_t ModeOf(const std::string& path) { return StatusOf(path).st_mode & 07777; }

/// Each test is run for root and for a user of no rights. kOtherUser attacks.
class SharedFolder : public testing::TestWithParam<uid_t> {
 protected:
  void SetUp() override {
    if (const std::string why = test::ShareFolder(dir_.path()); !why.empty()) GTEST_SKIP() << why;
  }
  void TearDown() override { ::umask(mask_); }

  std::string Target() const { return dir_.File("y.npy"); }

  /// A file of the other user's.
  void Plant(const std::string& path, mode_t mode, std::string_view content = "") const {
    const AsUser attacker(kOtherUser);
    test::WriteBytes(path, content);
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
  }

  const mode_t mask_ = ::umask(022);
  test::TempDir dir_;
};

TEST_P(SharedFolder, ANewFileIsOfThisUserAndNobodyElseCanOpenItBeforeItIsFinished) {
  {
    const AsUser victim(GetParam());
    auto file = AtomicFile::Create(Target());
    ASSERT_TRUE(file && file->Write(Bytes("secret")));
    for (const std::string& name : FilesIn(dir_.path())) {
      SCOPED_TRACE(name);
      EXPECT_EQ(ModeOf(dir_.File(name)), 0600U);
      EXPECT_EQ(StatusOf(dir_.File(name)).st_uid, GetParam());
    }
    ASSERT_TRUE(file->Commit());
  }
  EXPECT_THAT(FilesIn(dir_.path()), ElementsAre("y.npy"));
  for (const std::string& name : FilesIn(dir_.path())) {
    EXPECT_EQ(ModeOf(dir_.File(name)), 0644U);
    EXPECT_EQ(StatusOf(dir_.File(name)).st_uid, GetParam());
    const AsUser attacker(kOtherUser);
    EXPECT_EQ(::open(dir_.File(name).c_str(), O_WRONLY | O_CLOEXEC), -1);
  }
}

TEST_P(SharedFolder, ALinkOfAnotherUserIsNotFollowed) {
  test::WriteBytes(dir_.File("precious"), "precious");
  ASSERT_EQ(::chown(dir_.File("precious").c_str(), GetParam(), GetParam()), 0);
  for (const char* const to : {"precious", "absent", "/dev/null"}) {
    {
      const AsUser attacker(kOtherUser);
      std::filesystem::create_symlink(to, Target());
    }
    {
      const AsUser victim(GetParam());
      ExpectError(AtomicFile::Create(Target()), ErrorCode::kIo,
                  {"y.npy' cannot be written", "a symbolic link of user 61235"});
    }
    std::filesystem::remove(Target());
  }
  EXPECT_EQ(test::ReadBytes(dir_.File("precious")), "precious");
  EXPECT_THAT(FilesIn(dir_.path()), ElementsAre("precious"));
}

TEST_P(SharedFolder, ALinkOfAnotherUserBehindOnesOwnIsNotFollowed) {
  test::WriteBytes(dir_.File("precious"), "precious");
  ASSERT_EQ(::chown(dir_.File("precious").c_str(), GetParam(), GetParam()), 0);
  {
    const AsUser attacker(kOtherUser);
    std::filesystem::create_symlink("precious", dir_.File("second"));
  }
  {
    const AsUser victim(GetParam());
    std::filesystem::create_symlink("second", Target());
    ExpectError(AtomicFile::Create(Target()), ErrorCode::kIo, {"second' is a symbolic link of user 61235"});
  }
  EXPECT_EQ(test::ReadBytes(dir_.File("precious")), "precious");
}

TEST_P(SharedFolder, OnesOwnLinkIsFollowed) {
  {
    const AsUser victim(GetParam());
    test::WriteBytes(dir_.File("old"), "old");
    std::filesystem::create_symlink("old", Target());
    ASSERT_TRUE(WriteFileAtomically(Target(), "new"));
  }
  EXPECT_EQ(test::ReadBytes(dir_.File("old")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(Target()));
}

TEST_P(SharedFolder, APipeOfAnotherUserIsNotWrittenTo) {
  {
    const AsUser attacker(kOtherUser);
    ASSERT_EQ(::mkfifo(Target().c_str(), 0666), 0);
    ASSERT_EQ(::chmod(Target().c_str(), 0666), 0);
  }
  const int reader = ::open(Target().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  {
    const AsUser victim(GetParam());
    ExpectError(AtomicFile::Create(Target()), ErrorCode::kIo,
                {"a pipe of user 61235", "name another output"});
  }
  char byte = 0;
  EXPECT_LE(::read(reader, &byte, 1), 0);
  ::close(reader);
}

TEST_P(SharedFolder, InPlaceOfAnotherUsersFileComesOneOfThisUserOrNone) {
  Plant(Target(), 0666, "planted");
  Result<void> done;
  {
    const AsUser victim(GetParam());
    done = WriteFileAtomically(Target(), "result");
  }
  EXPECT_THAT(FilesIn(dir_.path()), ElementsAre("y.npy"));
  if (GetParam() == 0) {
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(test::ReadBytes(Target()), "result");
    EXPECT_EQ(StatusOf(Target()).st_uid, 0U);
    EXPECT_EQ(ModeOf(Target()), 0644U) << "others must not be able to write to it as before";
  } else {
    ExpectError(done, ErrorCode::kIo, {"y.npy' cannot be replaced"});
    EXPECT_EQ(test::ReadBytes(Target()), "planted");
  }
}

TEST_P(SharedFolder, WhatAnotherUserKeptSecretStaysSecret) {
  if (GetParam() != 0) GTEST_SKIP() << "only root may replace it";
  Plant(Target(), 0600, "secret");
  ASSERT_TRUE(WriteFileAtomically(Target(), "result"));
  EXPECT_EQ(ModeOf(Target()), 0600U);
}

TEST_P(SharedFolder, AFolderThatMayNotBeListedCanBeWrittenTo) {
  std::filesystem::create_directory(dir_.File("drop"));
  ASSERT_EQ(::chmod(dir_.File("drop").c_str(), 01733), 0);
  {
    const AsUser victim(GetParam());
    EXPECT_TRUE(WriteFileAtomically(dir_.File("drop/y"), "new"));
  }
  EXPECT_EQ(test::ReadBytes(dir_.File("drop/y")), "new");
}

TEST_P(SharedFolder, AFolderThatMayNotBeWrittenToIsAnError) {
  if (GetParam() == 0) GTEST_SKIP() << "permissions do not bind root";
  std::filesystem::create_directory(dir_.File("locked"));
  const AsUser victim(GetParam());
  ExpectError(AtomicFile::Create(dir_.File("locked/y")), ErrorCode::kIo, {"locked/y' cannot be created"});
}

INSTANTIATE_TEST_SUITE_P(Users, SharedFolder, testing::Values(uid_t{0}, kUser),
                         [](const auto& param) { return param.param == 0 ? "Root" : "AUser"; });

}  // namespace
}  // namespace supremum::io
