#include "io/formats/tensor_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "io/formats/format_testing.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using test::ExpectError;
using test::ExpectSame;
using test::MakeTensor;
using test::ReadBytes;
using test::TempDir;
using test::WriteBytes;

TEST(TensorFile, TheEndingTellsTheFormat) {
  EXPECT_EQ(FormatOfPath("dir.npz/x.npy").value(), TensorFormat::kNpy);
  EXPECT_EQ(FormatOfPath("x.npz").value(), TensorFormat::kNpz);
  EXPECT_EQ(FormatOfPath("x.pb").value(), TensorFormat::kTensorProto);
  EXPECT_EQ(FormatOfPath("x.safetensors").value(), TensorFormat::kSafetensors);
  EXPECT_EQ(FormatOfPath("x.bin").value(), TensorFormat::kRaw);
  EXPECT_EQ(FormatOfPath("x.raw").value(), TensorFormat::kRaw);
  for (const char* path : {"", "x", "x.onnx", "npy", "x.npy.gz", "x.NPY"}) {
    ExpectError(FormatOfPath(path), ErrorCode::kInvalidArgument,
                {"'" + std::string(path) + "'", ".npy, .npz, .pb, .safetensors, .raw, .bin"});
  }
}

TEST(TensorFile, ATensorIsKnownByItsFormOrEnding) {
  for (const char* spec : {"x.npy", "x.npz", "x.pb", "x.safetensors", "x:float32:2x3:f", "x:int8::a.onnx"}) {
    EXPECT_TRUE(LooksLikeTensor(spec)) << spec;
  }
  for (const char* spec : {"", "x", "x.onnx", "x.bin", "x.raw", "x:float33:2:f", "a:b"}) {
    EXPECT_FALSE(LooksLikeTensor(spec)) << spec;
  }
}

// Rules: TYP-1
TEST(TensorFile, EveryFormatKeepsEveryTensor) {
  const TempDir dir;
  for (const char* ending : {"npy", "npz", "pb", "safetensors", "bin"}) {
    const std::string path = dir.File(std::string("x.") + ending);
    for (const DType dtype : kAllDTypes) {
      SCOPED_TRACE(std::string(ending) + " " + std::string(Name(dtype)));
      const Tensor tensor = MakeTensor(dtype, Shape{2, 3});
      ASSERT_TRUE(WriteTensor(path, FormatOfPath(path).value(), "y", tensor));
      const std::string spec =
          std::string(ending) == "bin" ? "y:" + std::string(Name(dtype)) + ":2x3:" + path : path;
      ReadOptions options;
      options.stated_dtype = dtype;
      const auto one = ReadTensor(spec, options);
      ASSERT_TRUE(one) << one.error().message;
      EXPECT_EQ(one->name, std::string(ending) == "npy" ? "" : "y");
      ExpectSame(one->tensor, tensor);
      const auto all = ReadTensors(spec, options);
      ASSERT_TRUE(all) << all.error().message;
      ASSERT_EQ(all->size(), 1U);
      ExpectSame(all->front().tensor, tensor);
    }
  }
}

// Rules: TYP-2
TEST(TensorFile, AnotherStatedTypeIsRefusedInEveryFormat) {
  const TempDir dir;
  ReadOptions options;
  options.stated_dtype = DType::kBFloat16;
  for (const char* ending : {"npy", "npz", "pb", "safetensors", "bin"}) {
    const std::string path = dir.File(std::string("x.") + ending);
    ASSERT_TRUE(WriteTensor(path, FormatOfPath(path).value(), "y", MakeTensor(DType::kUInt16, Shape{2})));
    const std::string spec = std::string(ending) == "bin" ? "y:uint16:2:" + path : path;
    ExpectError(ReadTensor(spec, options), ErrorCode::kTypeMismatch,
                {std::string("x.") + ending + "'", "uint16", "bfloat16 is stated", "TYP-2"});
    ExpectError(ReadTensors(spec, options), ErrorCode::kTypeMismatch, {"uint16"});
  }
}

TEST(TensorFile, ANameThatSaysNothingIsRefusedWithTheFormsThatAreKnown) {
  ExpectError(ReadTensor("x.txt"), ErrorCode::kInvalidArgument,
              {"'x.txt'", ".npy, .npz, .pb or .safetensors", "name:dtype:shape:file"});
  ExpectError(ReadTensors("x.txt"), ErrorCode::kInvalidArgument, {"'x.txt'"});
  ExpectError(ReadTensor("x.bin"), ErrorCode::kInvalidArgument, {"'x.bin'", "name:dtype:shape:file"});
  ExpectError(ReadTensor("x:float33:2x3:f"), ErrorCode::kInvalidArgument, {"'float33'"});
  ExpectError(ReadTensor("a:b"), ErrorCode::kInvalidArgument, {"'a:b'", "three colons"});
}

TEST(TensorFile, AFileWithAColonInItsNameIsReadByItsEnding) {
  const TempDir dir;
  const Tensor tensor = MakeTensor(DType::kInt8, Shape{2});
  ASSERT_TRUE(WriteTensor(dir.File("a:b:c:d.npy"), TensorFormat::kNpy, "", tensor));
  const auto back = ReadTensor(dir.File("a:b:c:d.npy"));
  ASSERT_TRUE(back) << back.error().message;
  ExpectSame(back->tensor, tensor);
}

TEST(TensorFile, AMissingFileIsNamedInEveryFormat) {
  const TempDir dir;
  for (const std::string& spec : {dir.File("nix.npy"), dir.File("nix.npz"), dir.File("nix.pb"),
                                  dir.File("nix.safetensors"), "x:int8:2:" + dir.File("nix.bin")}) {
    ExpectError(ReadTensor(spec), ErrorCode::kIo, {"nix.", "No such file or directory"});
    ExpectError(ReadTensors(spec), ErrorCode::kIo, {"nix."});
  }
}

TEST(TensorFile, AFailedWriteLeavesTheOldFileInEveryFormat) {
  const TempDir dir;
  for (const TensorFormat format : {TensorFormat::kNpy, TensorFormat::kNpz, TensorFormat::kTensorProto,
                                    TensorFormat::kSafetensors, TensorFormat::kRaw}) {
    const std::string path = dir.File("x");
    WriteBytes(path, "old");
    const Tensor tensor = MakeTensor(DType::kInt8, Shape{100'000});
    {
      const test::FileSizeLimit limit(5'000);
      ExpectError(WriteTensor(path, format, "y", tensor), ErrorCode::kIo,
                  {"/x'", "cannot be written", "File too large"});
    }
    EXPECT_EQ(ReadBytes(path), "old");
    EXPECT_THAT(test::FilesIn(dir.path()), testing::ElementsAre("x"));
  }
}

}  // namespace
}  // namespace supremum::io
