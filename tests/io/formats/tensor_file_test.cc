#include "io/formats/tensor_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <regex>
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

constexpr const char* kEndings[] = {"npy", "npz", "pb", "safetensors", "bin"};

// The argument for reading: the path, or a specification for a raw file, which contains no type and shape.
std::string SpecOf(const std::string& path, const Tensor& tensor) {
  if (!path.ends_with(".bin")) return path;
  std::string shape;
  for (const std::int64_t extent : DimsView(tensor.shape()))
    shape += (shape.empty() ? "" : "x") + std::to_string(extent);
  return "y:" + std::string(Name(tensor.dtype())) + ":" + shape + ":" + path;
}

// Rules: TYP-1, BRO-3, BRO-4
TEST(TensorFile, InEveryFormatEveryTypeAndShapeComesBackAsItWasWritten) {
  const TempDir dir;
  for (const std::string ending : kEndings) {
    const std::string path = dir.File("x." + ending);
    for (const DType dtype : kAllDTypes) {
      for (const Shape& shape : test::SomeShapes()) {
        SCOPED_TRACE(ending + " " + std::string(Name(dtype)) + ToString(shape));
        const Tensor tensor = MakeTensor(dtype, shape);
        ASSERT_TRUE(WriteTensor(path, FormatOfPath(path).value(), "y", tensor));
        if (ending == "safetensors") {
          EXPECT_EQ((ReadBytes(path).size() - tensor.byte_size()) % 8, 0u);
        }
        ReadOptions options;
        options.stated_dtype = dtype;
        const auto one = ReadTensor(SpecOf(path, tensor), options);
        ASSERT_TRUE(one) << one.error().message;
        EXPECT_EQ(one->name, ending == "npy" ? "" : "y");
        ExpectSame(one->tensor, tensor);
        const auto all = ReadTensors(SpecOf(path, tensor), options);
        ASSERT_TRUE(all) << all.error().message;
        ASSERT_EQ(all->size(), 1U);
        ExpectSame(all->front().tensor, tensor);
      }
    }
  }
}

// A whole file of each format and version; the elements of a TensorProto are raw or in their typed field.
std::vector<std::pair<std::string, std::string>> WholeFiles(const TempDir& dir) {
  const Tensor tensor = MakeTensor(DType::kInt16, Shape{2, 3});
  std::vector<std::pair<std::string, std::string>> files;
  for (const std::string name : {"x.npy", "x.npz", "x.pb", "x.safetensors"}) {
    EXPECT_TRUE(WriteTensor(dir.File(name), FormatOfPath(name).value(), "y", tensor));
    files.emplace_back(name, ReadBytes(dir.File(name)));
  }
  files.emplace_back("x.npy",
                     test::Npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2,)}\n", "1234", 2));
  files.emplace_back("x.pb", "\x08\x02\x10\x05\x2a\x03\x01\x80\x01");
  return files;
}

TEST(TensorFile, EveryPrefixOfAFileIsRefused) {
  const TempDir dir;
  for (const auto& [name, whole] : WholeFiles(dir)) {
    WriteBytes(dir.File(name), whole);
    ASSERT_TRUE(ReadTensor(dir.File(name))) << name;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      WriteBytes(dir.File(name), whole.substr(0, size));
      ExpectError(ReadTensor(dir.File(name)), ErrorCode::kMalformedFile, {"/" + name + "'"});
    }
  }
}

// Every byte takes every value, in place: a file that is written anew waits for the disk. The result is an
// error that is fit to be shown, or a tensor no larger than the file.
TEST(TensorFile, NoCorruptionOfOneByteDoesHarm) {
  const TempDir dir;
  int errors = 0, reads = 0;
  for (const auto& [name, whole] : WholeFiles(dir)) {
    WriteBytes(dir.File(name), whole);
    std::fstream file(dir.File(name), std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&](std::size_t at, int value) {
      file.seekp(static_cast<std::streamoff>(at)).put(static_cast<char>(value)).flush();
    };
    for (std::size_t at = 0; at < whole.size(); put(at, whole[at]), ++at) {
      for (int value = 0; value < 256; ++value) {
        put(at, value);
        const auto back = ReadTensor(dir.File(name));
        ++(back ? reads : errors);
        if (back) {
          EXPECT_LE(back->tensor.byte_size(), whole.size());
          continue;
        }
        const std::string& message = back.error().message;
        EXPECT_THAT(message, testing::HasSubstr("/" + name + "'"));
        EXPECT_LT(message.size(), 2000U);
        ASSERT_TRUE(std::ranges::none_of(message, [](unsigned char c) { return c < 0x20 || c == 0x7F; }))
            << at << " " << value;
      }
    }
  }
  EXPECT_GT(errors, 50'000);
  EXPECT_GT(reads, 5'000);
}

// Sizes, ranks and limits: an error, and no memory for what is claimed.
// Rules: BRO-4, TYP-4
TEST(TensorFile, ClaimsThatAFileDoesNotKeepAreRefused) {
  const std::string ones = [] {
    std::string text = "1";
    for (int i = 0; i < 64; ++i) text += ", 1";
    return text;
  }();
  const auto npy = [](const std::string& descr, const std::string& shape, std::size_t bytes) {
    return test::Npy("{'descr':'" + descr + "','fortran_order':False,'shape':(" + shape + ")}",
                     std::string(bytes, 'x'));
  };
  const auto safetensors = [](const std::string& bytes) {
    const std::string header = R"({"a":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})";
    return test::LittleEndian(header.size(), 8) + header + bytes;
  };
  const std::string x23(23, 'x'), x25(25, 'x'), bools("\0\1\2", 3);
  const std::string raw_ones = std::regex_replace(ones, std::regex(", "), "x");
  const struct {
    std::string spec;  // of a file x, whose content follows
    std::string content;
    ErrorCode code;
    std::vector<std::string> parts;
    std::int64_t max_bytes = INT64_MAX;
  } cases[] = {
      {"x.npy",
       npy("<f4", "2, 3", 23),
       ErrorCode::kMalformedFile,
       {"[2,3]", "float32", "24 bytes", "there are 23"}},
      {"x.npy", npy("<f4", "2, 3", 25), ErrorCode::kMalformedFile, {"24 bytes", "there are 25"}},
      {"x.npy", npy("<f4", "0,", 1), ErrorCode::kMalformedFile, {"takes 0 bytes", "there are 1"}},
      {"x.npy", npy("<f8", "65536,65536", 10), ErrorCode::kMalformedFile, {"34359738368 bytes", "there are"}},
      {"x.npy",
       npy("<f8", "4611686018427387904, 4", 0),
       ErrorCode::kMalformedFile,
       {"more than 2^63 - 1 bytes"}},
      {"x.npy",
       npy("<f8", "4611686018427387904,", 0),
       ErrorCode::kMalformedFile,
       {"more than 2^63 - 1 bytes"}},
      {"x.npy",
       npy("|u1", ones, 1),
       ErrorCode::kRank,
       {"'shape' has rank 65", "at most 64", "BRO-4", "before saving"}},
      {"x.npy", npy("<f4", "2, 3", 24), ErrorCode::kLimitExceeded, {"[2,3]", "23 bytes", "raise"}, 23},
      {"x:float32:2x3:x.bin", x23, ErrorCode::kMalformedFile, {"23 bytes", "float32", "[2,3]", "takes 24"}},
      {"x:float32:2x3:x.bin", x25, ErrorCode::kMalformedFile, {"25 bytes", "takes 24"}},
      {"x:float64:65536x65536:x.bin", "x", ErrorCode::kMalformedFile, {"takes 34359738368"}},
      {"x:float64:4611686018427387904:x.bin", "x", ErrorCode::kMalformedFile, {"more than 2^63 - 1"}},
      {"x:int8:4611686018427387904x4:x.bin", "x", ErrorCode::kMalformedFile, {"more than 2^63 - 1"}},
      {"x:int8:" + raw_ones + ":x.bin",
       "x",
       ErrorCode::kRank,
       {"the shape has rank 65", "at most 64", "BRO-4"}},
      {"x:int8:4:x.bin", "abcd", ErrorCode::kLimitExceeded, {"3 bytes"}, 3},
      {"x:bool:3:x.bin",
       bools,
       ErrorCode::kMalformedFile,
       {"byte 2: 2 is outside bool (0 to 1)", "correct the type"}},
      {"x.safetensors", safetensors(bools), ErrorCode::kMalformedFile, {"byte 65: 2 is outside bool"}},
  };
  const TempDir dir;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  for (const auto& item : cases) {
    SCOPED_TRACE(item.spec);
    const std::string name = item.spec.substr(item.spec.rfind(':') + 1);
    WriteBytes(name, item.content);
    std::vector<std::string> parts = item.parts;
    parts.push_back(name + "'");
    ExpectError(ReadTensor(item.spec, {.stated_dtype = {}, .max_bytes = item.max_bytes}), item.code, parts);
  }
  // The bytes that are there are enough.
  WriteBytes("x.npy", npy("<f8", "4611686018427387904, 0, 4611686018427387904", 0));
  EXPECT_TRUE(ReadTensor("x.npy"));
  WriteBytes("x.npy", npy("<f4", "2, 3", 24));
  EXPECT_TRUE(ReadTensor("x.npy", {.stated_dtype = {}, .max_bytes = 24}));
  std::filesystem::current_path(before);
}

// Rules: TYP-2
TEST(TensorFile, AnotherStatedTypeIsRefusedInEveryFormat) {
  const TempDir dir;
  ReadOptions options;
  options.stated_dtype = DType::kBFloat16;
  const Tensor tensor = MakeTensor(DType::kUInt16, Shape{2});
  for (const std::string ending : kEndings) {
    const std::string path = dir.File("x." + ending), spec = SpecOf(path, tensor);
    ASSERT_TRUE(WriteTensor(path, FormatOfPath(path).value(), "y", tensor));
    ExpectError(ReadTensor(spec, options), ErrorCode::kTypeMismatch,
                {"x." + ending + "'", "uint16", "bfloat16 is stated", "TYP-2"});
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

TEST(TensorFile, NamesOfTensorsAreUtf8OrRefused) {
  const TempDir dir;
  const Tensor tensor = MakeTensor(DType::kInt8, Shape{});
  const std::string longest(65'531, 'n'), zero("a\0b", 3);
  const struct {
    const char* ending;
    std::vector<std::string> right, wrong;
  } cases[] = {
      {"npz", {"größe", "layer/0:out", ".npy", "a b", longest}, {zero, "\xff", longest + "n"}},
      {"safetensors", {"", "größe", "layer/0:out", "a\"b\\c\n", "dtype"}, {zero, "\xff", "__metadata__"}}};
  for (const auto& [ending, right, wrong] : cases) {
    const std::string path = dir.File(std::string("x.") + ending);
    const TensorFormat format = FormatOfPath(path).value();
    for (const std::string& name : wrong) {
      ExpectError(WriteTensor(path, format, name, tensor), ErrorCode::kInvalidArgument, {path + "'"});
      EXPECT_FALSE(std::filesystem::exists(path));
    }
    for (const std::string& name : right) {
      ASSERT_TRUE(WriteTensor(path, format, name, tensor));
      EXPECT_EQ(ReadTensor(path).value().name, name);
      std::filesystem::remove(path);
    }
  }
  ASSERT_TRUE(WriteTensor(dir.File("x.npz"), TensorFormat::kNpz, "", tensor));
  EXPECT_EQ(ReadTensor(dir.File("x.npz")).value().name, "arr_0") << "as in NumPy";
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

TEST(TensorFile, AMissingFileAndAFolderAreNamedInEveryFormat) {
  const TempDir dir;
  for (const std::string ending : kEndings) {
    std::filesystem::create_directory(dir.File("folder." + ending));
    const Tensor two = MakeTensor(DType::kInt8, Shape{2});
    ExpectError(ReadTensor(SpecOf(dir.File("nix." + ending), two)), ErrorCode::kIo,
                {"nix.", "No such file or directory"});
    ExpectError(ReadTensors(SpecOf(dir.File("nix." + ending), two)), ErrorCode::kIo, {"nix."});
    ExpectError(ReadTensor(SpecOf(dir.File("folder." + ending), two)), ErrorCode::kIo, {"is a folder"});
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
    ExpectError(WriteTensor("/dev/full", format, "y", tensor), ErrorCode::kIo, {"'/dev/full'"});
    ExpectError(WriteTensor(dir.File("nix/x"), format, "y", tensor), ErrorCode::kIo, {"nix/x'"});
    EXPECT_EQ(ReadBytes(path), "old");
    EXPECT_THAT(test::FilesIn(dir.path()), testing::ElementsAre("x"));
  }
}

}  // namespace
}  // namespace supremum::io
