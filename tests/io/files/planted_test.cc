// Files, links and folders that are planted under the name of a temporary file: they are neither renamed nor
// removed, and stay unchanged.
#include "support/planted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "io/files/atomic_file.h"
#include "io/files/temporaries.h"
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

/// Somebody takes the name of the temporary file away while it is written.
class PlantedFile : public testing::TestWithParam<Planted> {
 protected:
  void SetUp() override { test::WriteBytes(dir_.File("precious"), "precious"); }
  std::string Target() const { return dir_.File("y.npy"); }

  /// The path of the only temporary file, whose name then refers to what was planted; "" if this user cannot
  /// plant it.
  std::string Plant() const {
    for (const std::string& name : FilesIn(dir_.path())) {
      if (!name.starts_with(".supremum-")) continue;
      EXPECT_EQ(::unlink(dir_.File(name).c_str()), 0);
      return GetParam().make(dir_.File(name)) ? dir_.File(name) : "";
    }
    return "";
  }

  test::TempDir dir_;
};

TEST_P(PlantedFile, InPlaceOfATemporaryFileNeitherBecomesTheTargetNorIsRemoved) {
  for (const char* const when : {"discarded", "committed", "synced and committed"}) {
    SCOPED_TRACE(when);
    std::string planted, before;
    {
      AtomicFile file = AtomicFile::Create(Target()).value();
      ASSERT_TRUE(file.Write(Bytes("some")));
      if (*when == 's') {
        ASSERT_TRUE(file.Sync());
      }
      planted = Plant();
      if (planted.empty()) GTEST_SKIP() << "this user cannot make " << GetParam().name;
      before = StateOf(planted);
      if (*when != 'd') ExpectError(file.Commit(), ErrorCode::kIo, {"y.npy' cannot be replaced"});
    }
    EXPECT_EQ(StateOf(Target()), "absent");
    EXPECT_EQ(StateOf(planted), before);
    EXPECT_EQ(test::ReadBytes(dir_.File("precious")), "precious");
    std::filesystem::remove_all(planted);
  }
}

// A name that is in use is not taken, whatever has it.
TEST_P(PlantedFile, UnderTheNameOfANewFileIsNotOpened) {
  const std::string planted = dir_.File(".supremum-0123456789abcdef.tmp");
  if (!GetParam().make(planted)) GTEST_SKIP() << "this user cannot make " << GetParam().name;
  const std::string before = StateOf(planted);
  const FolderEntry entry = {OpenFolder::Open(dir_.path() + "/"), ".supremum-0123456789abcdef.tmp"};
  EXPECT_EQ(Temporaries::Instance().Create(entry), -1);
  EXPECT_EQ(errno, EEXIST);
  Temporaries::Instance().Remove(entry);
  EXPECT_EQ(StateOf(planted), before);
  EXPECT_EQ(test::ReadBytes(dir_.File("precious")), "precious");
}

INSTANTIATE_TEST_SUITE_P(EveryKind, PlantedFile, testing::ValuesIn(test::AllPlanted()),
                         [](const auto& param) { return param.param.name; });

TEST(PlantedFolder, AFolderThatIsReplacedBeforeCommitIsNotWrittenTo) {
  const test::TempDir dir;
  std::filesystem::create_directory(dir.File("out"));
  std::filesystem::create_directory(dir.File("elsewhere"));
  test::WriteBytes(dir.File("elsewhere/y"), "precious");
  auto file = AtomicFile::Create(dir.File("out/y"));
  ASSERT_TRUE(file && file->Write(Bytes("new")));
  std::filesystem::rename(dir.File("out"), dir.File("moved"));
  std::filesystem::create_symlink("elsewhere", dir.File("out"));
  ASSERT_TRUE(file->Write(Bytes("er")));
  ASSERT_TRUE(file->Commit());
  EXPECT_EQ(test::ReadBytes(dir.File("elsewhere/y")), "precious");
  EXPECT_THAT(FilesIn(dir.File("elsewhere")), ElementsAre("y"));
  EXPECT_EQ(test::ReadBytes(dir.File("moved/y")), "newer");
}

}  // namespace
}  // namespace supremum::io
