#include "io/formats/tensor_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

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

TEST(TensorFile, OfSeveralTensorsOneIsChosenByItsName) {
  const TempDir dir;
  const std::string npz = dir.File("x.npz"), safetensors = dir.File("x.safetensors");
  const Tensor tensor = MakeTensor(DType::kInt8, Shape{2});
  ASSERT_TRUE(WriteTensor(npz, TensorFormat::kNpz, "layer/0::w", tensor));
  ASSERT_TRUE(WriteTensor(safetensors, TensorFormat::kSafetensors, "layer/0::w", tensor));
  for (const std::string& file : {npz, safetensors}) {
    const auto one = ReadTensor(file + "::layer/0::w");
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_EQ(one->name, "layer/0::w");
    ExpectSame(one->tensor, tensor);
    ASSERT_EQ(ReadTensors(file + "::layer/0::w").value().size(), 1U);
    EXPECT_TRUE(LooksLikeTensor(file + "::w"));
    ExpectError(ReadTensor(file + "::w"), ErrorCode::kInvalidArgument,
                {"'" + file + "': the file holds no ", "'w'; it holds 'layer/0::w'"});
    ExpectError(ReadTensors(file + "::"), ErrorCode::kInvalidArgument, {"''; it holds"});
  }
}

TEST(TensorFile, AFileWithTwoColonsInItsNameIsReadAsItIs) {
  const TempDir dir;
  const Tensor inner = MakeTensor(DType::kInt8, Shape{2}), outer = MakeTensor(DType::kInt8, Shape{3});
  ASSERT_TRUE(WriteTensor(dir.File("a.npz"), TensorFormat::kNpz, "b.npy", inner));
  ExpectSame(ReadTensor(dir.File("a.npz::b.npy")).value().tensor, inner);
  EXPECT_EQ(SplitTensorName(dir.File("a.npz::b.npy")).tensor, "b.npy");
  ASSERT_TRUE(WriteTensor(dir.File("a.npz::b.npy"), TensorFormat::kNpy, "", outer));
  ExpectSame(ReadTensor(dir.File("a.npz::b.npy")).value().tensor, outer);
  EXPECT_FALSE(SplitTensorName(dir.File("a.npz::b.npy")).tensor);
  // Only these two formats have names, and a raw file's specification is one as a whole.
  for (const char* spec : {"a::b.npz", "a.npy::b", "a.pb::b", "x:int8:2:a.npz::b"}) {
    EXPECT_FALSE(SplitTensorName(spec).tensor) << spec;
  }
}

TEST(TensorFile, TypesThatCannotBeComputedAreListedInEveryFormat) {
  const TempDir dir;
  std::vector<UnsupportedTensor> unsupported;
  const ReadOptions options{.stated_dtype = {}, .max_bytes = 1000, .unsupported = &unsupported};
  const std::string header = "{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }\n";
  WriteBytes(dir.File("x.npy"), std::string("\x93NUMPY\x01\x00", 8) + test::LittleEndian(header.size(), 2) +
                                    header + std::string(16, '\0'));
  WriteBytes(dir.File("x.pb"), std::string("\x08\x02\x10\x11\x42\x01w\x4a\x02\x38\x39", 11));
  for (const auto& [file, listed] : {std::pair("x.npy", " <c8[2]"), std::pair("x.pb", "w float8e4m3fn[2]")}) {
    unsupported.clear();
    const auto read = ReadTensors(dir.File(file), options);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(read->empty());
    ASSERT_EQ(unsupported.size(), 1U);
    EXPECT_EQ(unsupported[0].name + " " + unsupported[0].type_name + ToString(unsupported[0].shape), listed);
    ExpectError(ReadTensors(dir.File(file)), ErrorCode::kTypeNotAdmitted);
  }
}

// The first bytes of the content, and a part of the error.
const std::vector<std::pair<std::string, std::string>>& ForeignContents() {
  using namespace std::string_literals;
  static const std::vector<std::pair<std::string, std::string>> contents = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "pointer of Git LFS"},
      {"<!DOCTYPE html>\n<html><body>404</body></html>", "web page (HTML)"},
      {"\n\n<HTML><HEAD><TITLE>Moved</TITLE></HEAD></HTML>", "web page (HTML)"},
      {"<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", "XML document"},
      {"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03 packed bytes"s, "compressed with gzip"},
      {"\xfd"
       "7zXZ\x00\x00\x04 packed bytes"s,
       "compressed with xz"},
      {"BZh91AY&SY packed bytes", "compressed with bzip2"},
      {"\x28\xb5\x2f\xfd packed bytes", "compressed with zstd"},
      {"\x89HDF\r\n\x1a\n packed bytes", "HDF5"},
      {"ir_version: 8\nopset_import {\n  version: 13\n}\ngraph {\n}\n", "format='textproto'"},
      {"# comment\ngraph {\n  name: \"g\"\n}\n", "format='textproto'"},
      {"<\n  ir_version: 8,\n  opset_import: [\"\" : 13]\n>\ng (float[2] x) => (float[2] y) { y = Max(x) }",
       "format='onnxtxt'"},
      {"{\"irVersion\": \"8\", \"graph\": {\"node\": [{\"opType\": \"Max\"}]}}", "format='json'"},
  };
  return contents;
}

TEST(TensorFile, ContentOfAnotherKindIsNamedInEveryFormat) {
  const TempDir dir;
  for (const auto& [content, part] : ForeignContents()) {
    SCOPED_TRACE(part);
    for (const char* ending : {"npy", "npz", "pb", "safetensors", "bin"}) {
      const std::string path = dir.File(std::string("x.") + ending);
      WriteBytes(path, content);
      const std::string spec = std::string(ending) == "bin" ? "x:float64:1000:" + path : path;
      for (const auto& error : {ReadTensor(spec).error(), ReadTensors(spec).error()}) {
        EXPECT_EQ(error.code, ErrorCode::kMalformedFile);
        EXPECT_THAT(error.message, testing::HasSubstr(path + "': it is ")) << ending;
        EXPECT_THAT(error.message, testing::HasSubstr(part)) << ending;
      }
    }
  }
  const std::string zip("PK\x03\x04\x14\0\0\0\x08\0", 10);
  for (const char* ending : {"npy", "pb", "safetensors"}) {
    WriteBytes(dir.File(std::string("x.") + ending), zip);
    EXPECT_THAT(ReadTensor(dir.File(std::string("x.") + ending)).error().message,
                testing::HasSubstr("ZIP archive"));
  }
  // A damaged archive is one to its own reader, whose text says where it is damaged.
  WriteBytes(dir.File("x.npz"), zip);
  EXPECT_THAT(ReadTensor(dir.File("x.npz")).error().message,
              testing::Not(testing::HasSubstr("ZIP archive;")));
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
