// Partial files, which are written in the folder of their targets.
#include "io/files/partial_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/files/output_files.h"
#include "support/bytes.h"
#include "support/descriptors.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

namespace fs = std::filesystem;

using test::Bytes;

class PartialFileTest : public testing::Test {
 protected:
  std::string Target() const { return dir_.File("y.npy"); }
  std::string Partial() const { return dir_.File(".supremum-y.npy.partial"); }
  std::string State() const { return Partial() + ".state"; }

  static std::string Content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  test::TempDir dir_;
};

TEST_F(PartialFileTest, BeforeItIsKeptItGoesWithItsObject) {
  {
    PartialFile file = PartialFile::Open(Target()).value();
    ASSERT_TRUE(file.WriteAt(0, Bytes("some")));
    EXPECT_TRUE(fs::exists(Partial()));
    EXPECT_FALSE(file.kept());
  }
  EXPECT_TRUE(fs::is_empty(dir_.path()));
}

TEST_F(PartialFileTest, KeptItIsFoundWithItsResumeDataAndBecomesTheTarget) {
  {
    PartialFile file = PartialFile::Open(Target()).value();
    ASSERT_TRUE(file.WriteAt(0, Bytes("some")));
    ASSERT_TRUE(file.Keep("resume data"));
    ASSERT_TRUE(file.Keep("another"));
  }
  EXPECT_FALSE(fs::exists(Target()));
  PartialFile file = PartialFile::Open(Target()).value();
  EXPECT_EQ(file.ResumeData().value(), "another");
  std::string read(4, '\0');
  ASSERT_TRUE(file.ReadAt(0, std::as_writable_bytes(std::span(read))));
  EXPECT_EQ(read, "some");
  EXPECT_FALSE(file.ReadAt(2, std::as_writable_bytes(std::span(read))));
  ASSERT_TRUE(file.WriteAt(4, Bytes(" more, and too much")));
  ASSERT_TRUE(file.Truncate(9));
  ASSERT_TRUE(file.Commit());
  EXPECT_EQ(Content(Target()), "some more");
  EXPECT_FALSE(fs::exists(Partial()));
  EXPECT_FALSE(fs::exists(State()));
}

TEST_F(PartialFileTest, AbandonedItGoesWithItsObject) {
  {
    PartialFile file = PartialFile::Open(Target()).value();
    ASSERT_TRUE(file.Keep("resume data"));
    file.Abandon();
    EXPECT_FALSE(file.ResumeData().value());
  }
  EXPECT_TRUE(fs::is_empty(dir_.path()));
}

TEST_F(PartialFileTest, LeavesNoDescriptorOpenAndClosesNoOther) {
  const std::set<int> before = test::OpenDescriptors();
  for (const bool commit : {false, true}) {
    PartialFile file = PartialFile::Open(Target()).value();
    ASSERT_TRUE(file.WriteAt(0, Bytes("some")) && file.Keep("a") && file.Keep("b"));
    EXPECT_FALSE(PartialFile::Open(Target())) << "it has a writer";
    PartialFile moved(std::move(file));
    if (commit) {
      EXPECT_TRUE(moved.Commit());
    }
  }
  {
    PartialFile file = PartialFile::Open(Target()).value();
    ASSERT_TRUE(file.WriteAt(0, Bytes("some")) && file.Keep("a"));
    file.Abandon();
  }
  EXPECT_EQ(test::OpenDescriptors(), before);
}

TEST_F(PartialFileTest, HasOneWriter) {
  PartialFile file = PartialFile::Open(Target()).value();
  const Result<PartialFile> other = PartialFile::Open(Target());
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(other.error().message.find("another process"), std::string::npos);
}

TEST_F(PartialFileTest, IsNoInput) {
  std::ofstream(Partial()) << "precious";
  const InputFile input = InputFile::Open(Partial()).value();
  const InputFile* const inputs[] = {&input};
  EXPECT_FALSE(PartialFile::Open(Target(), inputs));
  EXPECT_EQ(Content(Partial()), "precious");
}

TEST_F(PartialFileTest, FollowsNoLinkOfItsOwnNameButThatOfTheTarget) {
  std::ofstream(dir_.File("precious")) << "precious";
  fs::create_symlink("precious", Partial());
  EXPECT_FALSE(PartialFile::Open(Target()));
  EXPECT_EQ(Content(dir_.File("precious")), "precious");
  fs::remove(Partial());
  fs::create_directory(dir_.File("elsewhere"));
  std::ofstream(dir_.File("elsewhere/old")) << "old";
  fs::create_symlink("elsewhere/old", Target());
  PartialFile file = PartialFile::Open(Target()).value();
  ASSERT_TRUE(file.WriteAt(0, Bytes("new")));
  ASSERT_TRUE(file.Commit());
  EXPECT_TRUE(fs::is_symlink(Target()));
  EXPECT_EQ(Content(dir_.File("elsewhere/old")), "new");
}

TEST_F(PartialFileTest, WhatCannotBeWrittenIsAnError) {
  EXPECT_FALSE(PartialFile::Open(dir_.path()));
  EXPECT_FALSE(PartialFile::Open(dir_.File("absent/y.npy")));
  EXPECT_FALSE(PartialFile::Open(std::string("a\0b", 3)));
}

TEST_F(PartialFileTest, KeepsThePermissionsOfTheOldFile) {
  std::ofstream(Target()) << "old";
  fs::permissions(Target(), fs::perms::owner_read | fs::perms::owner_write);
  PartialFile file = PartialFile::Open(Target()).value();
  ASSERT_TRUE(file.Commit());
  EXPECT_EQ(fs::status(Target()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace
}  // namespace supremum::io
