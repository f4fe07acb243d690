// Every allocation of reading and writing a tensor fails once: out of memory is reported, nothing is leaked,
// and old files are unchanged.
#include "support/out_of_memory.h"

#include <gtest/gtest.h>

#include <string>

#include "io/formats/format_testing.h"
#include "io/formats/tensor_file.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using test::Outcome;
using test::WalkOutOfMemory;

class FormatsOutOfMemory : public testing::TestWithParam<std::string> {
 protected:
  // A raw file is named by a specification.
  std::string Spec() const {
    const std::string path = dir_.File("x" + GetParam());
    return GetParam() == ".bin" ? "x:float32:2x3:" + path : path;
  }

  const test::TempDir dir_;
  const Tensor tensor_ = test::MakeTensor(DType::kFloat32, Shape{2, 3});
};

INSTANTIATE_TEST_SUITE_P(AllFormats, FormatsOutOfMemory,
                         testing::Values(".npy", ".npz", ".pb", ".safetensors", ".bin"),
                         [](const auto& param) { return param.param.substr(1); });

TEST_P(FormatsOutOfMemory, OfReadingIsAnError) {
  const std::string path = dir_.File("x" + GetParam());
  ASSERT_TRUE(WriteTensor(path, *FormatOfPath(path), "t", tensor_));
  const std::string spec = Spec();
  WalkOutOfMemory("reading one", [&] { return Outcome(ReadTensor(spec)); });
  WalkOutOfMemory("reading all", [&] { return Outcome(ReadTensors(spec)); });
}

TEST_P(FormatsOutOfMemory, OfWritingLeavesTheOldFile) {
  const std::string path = dir_.File("x" + GetParam());
  test::WriteBytes(path, "old");
  WalkOutOfMemory(
      "writing",
      [&]() -> Result<void> {
        auto staged = StageTensor(path, *FormatOfPath(path), "t", tensor_);
        if (!staged) return std::move(staged).error();
        return {};  // and not committed
      },
      [&] {
        EXPECT_EQ(test::ReadBytes(path), "old");
        EXPECT_THAT(test::FilesIn(dir_.path()), testing::ElementsAre("x" + GetParam()));
      });
}

}  // namespace
}  // namespace supremum::io
