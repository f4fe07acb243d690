// Files, links and folders that were planted under the names of partial files: refused, and left unchanged.
#include "support/planted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "io/files/atomic_file.h"
#include "io/files/partial_file.h"
#include "io/formats/format_testing.h"
#include "support/bytes.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using test::Bytes;
using test::ExpectError;
using test::FilesIn;
using test::Planted;
using test::StateOf;
using testing::ElementsAre;
using testing::IsEmpty;

class PlantedFile : public testing::TestWithParam<Planted> {
 protected:
  void SetUp() override { test::WriteBytes(dir_.File("precious"), "precious"); }
  std::string Target() const { return dir_.File("y.npy"); }
  std::string Partial() const { return dir_.File(".supremum-y.npy.partial"); }
  std::string State() const { return Partial() + ".state"; }

  /// Nothing that was planted has changed, and nothing else was made.
  void ExpectRefused(const std::string& planted) {
    if (!GetParam().make(planted)) GTEST_SKIP() << "this user cannot make " << GetParam().name;
    const std::string before = StateOf(planted), precious = StateOf(dir_.File("precious"));
    const auto names = FilesIn(dir_.path());
    ExpectError(PartialFile::Open(Target()), ErrorCode::kIo,
                {planted, "prevents writing", "y.npy'", GetParam().says, "remove it"});
    EXPECT_EQ(StateOf(planted), before);
    EXPECT_EQ(StateOf(dir_.File("precious")), precious);
    EXPECT_EQ(FilesIn(dir_.path()), names);
  }

  test::TempDir dir_;
};

TEST_P(PlantedFile, AsTheFileThatGrowsIsRefused) { ExpectRefused(Partial()); }

TEST_P(PlantedFile, AsTheResumeFileIsRefusedAndLeavesNoFileThatGrows) { ExpectRefused(State()); }

TEST_P(PlantedFile, AsTheResumeFileOfAFileThatIsThereIsRefusedAndTheFileStays) {
  test::WriteBytes(Partial(), "an earlier run's");
  const std::string before = StateOf(Partial());
  ExpectRefused(State());
  EXPECT_EQ(StateOf(Partial()), before);
}

TEST_P(PlantedFile, AsTheResumeFileWhileItGrowsIsRefusedByKeep) {
  PartialFile file = PartialFile::Open(Target()).value();
  ASSERT_TRUE(file.WriteAt(0, Bytes("some")));
  if (!GetParam().make(State())) GTEST_SKIP() << "this user cannot make " << GetParam().name;
  const std::string before = StateOf(State()), precious = StateOf(dir_.File("precious"));
  ExpectError(file.Keep("resume data"), ErrorCode::kIo,
              {"partial.state' prevents writing", "while this run was writing"});
  EXPECT_FALSE(file.kept());
  EXPECT_EQ(StateOf(State()), before);
  EXPECT_EQ(StateOf(dir_.File("precious")), precious);
}

TEST_P(PlantedFile, InPlaceOfTheResumeFileIsNotRemovedByTheEnd) {
  {
    PartialFile file = PartialFile::Open(Target()).value();
    ASSERT_TRUE(file.WriteAt(0, Bytes("some")));
    ASSERT_TRUE(file.Keep("resume data"));
    ASSERT_EQ(::unlink(State().c_str()), 0);
    if (!GetParam().make(State())) GTEST_SKIP() << "this user cannot make " << GetParam().name;
    const std::string before = StateOf(State());
    EXPECT_FALSE(file.Keep("another"));
    file.Abandon();
    ASSERT_TRUE(file.Commit());
    EXPECT_EQ(StateOf(State()), before);
  }
  EXPECT_EQ(test::ReadBytes(Target()), "some");
  EXPECT_EQ(test::ReadBytes(dir_.File("precious")), "precious");
}

// The names under which earlier versions wrote resume files; no version uses them now.
TEST_P(PlantedFile, AsTheNewResumeFileOfFormerTimesIsOfNoMatter) {
  const std::string planted = State() + ".new";
  if (!GetParam().make(planted)) GTEST_SKIP() << "this user cannot make " << GetParam().name;
  const std::string before = StateOf(planted), precious = StateOf(dir_.File("precious"));
  PartialFile file = PartialFile::Open(Target()).value();
  ASSERT_TRUE(file.WriteAt(0, Bytes("some")));
  ASSERT_TRUE(file.Keep("resume data"));
  ASSERT_TRUE(file.Commit());
  EXPECT_EQ(StateOf(planted), before);
  EXPECT_EQ(StateOf(dir_.File("precious")), precious);
  EXPECT_EQ(test::ReadBytes(Target()), "some");
}

// Somebody takes the growing file's name away while it grows.
TEST_P(PlantedFile, InPlaceOfTheFileThatGrowsNeitherBecomesTheTargetNorIsRemoved) {
  std::string before;
  {
    PartialFile file = PartialFile::Open(Target()).value();
    ASSERT_TRUE(file.WriteAt(0, Bytes("some")));
    ASSERT_EQ(::unlink(Partial().c_str()), 0);
    if (!GetParam().make(Partial())) GTEST_SKIP() << "this user cannot make " << GetParam().name;
    before = StateOf(Partial());
    ExpectError(file.Commit(), ErrorCode::kIo, {"y.npy' cannot be replaced"});
    EXPECT_EQ(StateOf(Target()), "absent");
  }
  EXPECT_EQ(StateOf(Partial()), before);
  EXPECT_EQ(test::ReadBytes(dir_.File("precious")), "precious");
}

INSTANTIATE_TEST_SUITE_P(EveryKind, PlantedFile, testing::ValuesIn(test::AllPlanted()),
                         [](const auto& param) { return param.param.name; });

TEST(PlantedFolder, AFolderThatIsReplacedWhileAFileGrowsIsNotWrittenTo) {
  const test::TempDir dir;
  std::filesystem::create_directory(dir.File("out"));
  std::filesystem::create_directory(dir.File("elsewhere"));
  PartialFile file = PartialFile::Open(dir.File("out/y.npy")).value();
  ASSERT_TRUE(file.WriteAt(0, Bytes("some")));
  std::filesystem::rename(dir.File("out"), dir.File("moved"));
  std::filesystem::create_symlink("elsewhere", dir.File("out"));
  ASSERT_TRUE(file.Keep("resume data"));
  ASSERT_TRUE(file.Commit());
  EXPECT_THAT(FilesIn(dir.File("elsewhere")), IsEmpty());
  EXPECT_THAT(FilesIn(dir.File("moved")), ElementsAre("y.npy"));
}

TEST(PlantedFolder, AFolderThatIsReplacedBeforeCommitIsNotWrittenTo) {
  const test::TempDir dir;
  std::filesystem::create_directory(dir.File("out"));
  std::filesystem::create_directory(dir.File("elsewhere"));
  test::WriteBytes(dir.File("elsewhere/y"), "precious");
  auto file = AtomicFile::Create(dir.File("out/y"));
  ASSERT_TRUE(file && file->Write(Bytes("new")));
  std::filesystem::rename(dir.File("out"), dir.File("moved"));
  std::filesystem::create_symlink("elsewhere", dir.File("out"));
  ASSERT_TRUE(file->Commit());
  EXPECT_EQ(test::ReadBytes(dir.File("elsewhere/y")), "precious");
  EXPECT_EQ(test::ReadBytes(dir.File("moved/y")), "new");
}

}  // namespace
}  // namespace supremum::io
