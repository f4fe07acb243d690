#include "io/formats/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats/byte_order.h"
#include "io/formats/format_testing.h"
#include "io/formats/npy_header.h"
#include "support/temp_dir.h"
#include "support/values.h"

namespace supremum::io {
namespace {

using test::ExpectError;
using test::ExpectSame;
using test::LittleEndian;
using test::MakeTensor;
using test::NpyOf;
using test::ReadBytes;
using test::TempDir;
using test::WriteBytes;
using testing::HasSubstr;

struct Item {
  std::string name;
  std::string content;
  int method = ZIP_CM_STORE;
  bool encrypted = false;
};

void MakeZip(const std::string& path, const std::vector<Item>& items) {
  zip_t* zip = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  ASSERT_NE(zip, nullptr);
  for (const Item& item : items) {
    zip_source_t* source = zip_source_buffer(zip, item.content.data(), item.content.size(), 0);
    const zip_int64_t index = zip_file_add(zip, item.name.c_str(), source, ZIP_FL_ENC_UTF_8);
    ASSERT_GE(index, 0);
    const auto place = static_cast<zip_uint64_t>(index);
    ASSERT_EQ(zip_set_file_compression(zip, place, item.method, 0), 0);
    if (item.encrypted) {
      ASSERT_EQ(zip_file_set_encryption(zip, place, ZIP_EM_AES_128, "secret"), 0);
    }
  }
  ASSERT_EQ(zip_close(zip), 0);
}

// A copy of `text` in which `from`, which occurs in it, is replaced everywhere by `to`, of the same length.
std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  EXPECT_EQ(from.size(), to.size());
  EXPECT_THAT(text, HasSubstr(std::string(from)));
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1)) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST(Npz, EqualTensorsGiveEqualFiles) {
  const TempDir dir;
  const Tensor tensor = MakeTensor(DType::kFloat32, Shape{2, 3});
  ASSERT_TRUE(WriteNpz(dir.File("a.npz"), "y", tensor));
  ASSERT_TRUE(WriteNpz(dir.File("b.npz"), "y", tensor));
  EXPECT_TRUE(ReadBytes(dir.File("a.npz")) == ReadBytes(dir.File("b.npz")));
  EXPECT_THAT(test::FilesIn(dir.path()), testing::ElementsAre("a.npz", "b.npz"));
}

TEST(Npz, AnArrayWithoutANameIsCalledAsInNumPy) {
  const TempDir dir;
  ASSERT_TRUE(WriteNpz(dir.File("x.npz"), "", MakeTensor(DType::kInt8, Shape{})));
  EXPECT_EQ(ReadSingleNpz(dir.File("x.npz"), {}).value().name, "arr_0");
}

TEST(Npz, NamesMayBeAnyUtf8) {
  const TempDir dir;
  for (const char* name : {"größe", "layer/0:out", ".npy", "a b"}) {
    ASSERT_TRUE(WriteNpz(dir.File("x.npz"), name, MakeTensor(DType::kInt8, Shape{})));
    EXPECT_EQ(ReadSingleNpz(dir.File("x.npz"), {}).value().name, name);
  }
  const std::string longest(65'531, 'n');
  ASSERT_TRUE(WriteNpz(dir.File("x.npz"), longest, MakeTensor(DType::kInt8, Shape{})));
  EXPECT_EQ(ReadSingleNpz(dir.File("x.npz"), {}).value().name, longest);
}

TEST(Npz, NamesThatNoEntryCanHaveAreRefused) {
  const TempDir dir;
  const Tensor tensor = MakeTensor(DType::kInt8, Shape{});
  for (const std::string& name : {std::string("a\0b", 3), std::string("\xff"), std::string(65'532, 'n')}) {
    ExpectError(WriteNpz(dir.File("x.npz"), name, tensor), ErrorCode::kInvalidArgument, {"/x.npz'", "65531"});
  }
  EXPECT_THAT(test::FilesIn(dir.path()), testing::IsEmpty());
}

TEST(Npz, StoredAndDeflatedEntriesAreReadInOrder) {
  const TempDir dir;
  const Tensor a = MakeTensor(DType::kFloat64, Shape{50, 3});
  const Tensor b = Tensor::Create(DType::kInt32, Shape{1000}).value();
  std::fill_n(static_cast<char*>(const_cast<void*>(b.data())), b.byte_size(), '\0');
  MakeZip(dir.File("x.npz"), {{"b.npy", NpyOf(b), ZIP_CM_DEFLATE}, {"a.npy", NpyOf(a)}});
  const auto tensors = ReadNpz(dir.File("x.npz"), {});
  ASSERT_TRUE(tensors) << tensors.error().message;
  ASSERT_EQ(tensors->size(), 2U);
  EXPECT_EQ((*tensors)[0].name, "b");
  ExpectSame((*tensors)[0].tensor, b);
  EXPECT_EQ((*tensors)[1].name, "a");
  ExpectSame((*tensors)[1].tensor, a);
}

// Random bytes, so that the packed ones are as many, and are read from the file in several pieces.
TEST(Npz, ADeflatedEntryLargerThanThePiecesThatAreReadIsRead) {
  const TempDir dir;
  Tensor tensor = Tensor::Create(DType::kUInt8, Shape{200'000}).value();
  test::Rng rng(1);
  for (std::byte& byte : tensor.bytes()) byte = static_cast<std::byte>(rng() & 0xFF);
  MakeZip(dir.File("x.npz"), {{"a.npy", NpyOf(tensor), ZIP_CM_DEFLATE}});
  ASSERT_GT(ReadBytes(dir.File("x.npz")).size(), tensor.byte_size());
  const auto back = ReadSingleNpz(dir.File("x.npz"), {});
  ASSERT_TRUE(back) << back.error().message;
  ExpectSame(back->tensor, tensor);
}

TEST(Npz, ASingleArrayIsWantedAndTheSeveralAreNamed) {
  const TempDir dir;
  std::vector<Item> items;
  for (int i = 0; i < 10; ++i) items.push_back({"a" + std::to_string(i) + ".npy", "not even read"});
  MakeZip(dir.File("x.npz"), items);
  ExpectError(ReadSingleNpz(dir.File("x.npz"), {}), ErrorCode::kInvalidArgument,
              {"/x.npz'", "10 arrays", "'a0', 'a1'", "'a7' and 2 more"});
}

TEST(Npz, AnArchiveMayBeEmptyWhereASingleArrayIsNotWanted) {
  const TempDir dir;
  WriteBytes(dir.File("x.npz"), std::string("PK\x05\x06").append(18, '\0'));
  const auto tensors = ReadNpz(dir.File("x.npz"), {});
  ASSERT_TRUE(tensors) << tensors.error().message;
  EXPECT_TRUE(tensors->empty());
  ExpectError(ReadSingleNpz(dir.File("x.npz"), {}), ErrorCode::kInvalidArgument, {"/x.npz'", "no array"});
}

// An archive of these entries is refused.
void ExpectRefused(const std::vector<Item>& items, ErrorCode code, const std::vector<std::string>& parts) {
  const TempDir dir;
  MakeZip(dir.File("x.npz"), items);
  ExpectError(ReadNpz(dir.File("x.npz"), {}), code, parts);
}

TEST(Npz, EntriesThatAreNoNpyAreRefusedByName) {
  ExpectRefused({{"a.npy", NpyOf(MakeTensor(DType::kInt8, Shape{}))}, {"evil.pkl", "x"}},
                ErrorCode::kUnsupportedFormat, {"/x.npz'", "entry 'evil.pkl'", ".npy"});
}

TEST(Npz, ErrorsWithinAnEntryNameFileEntryAndPosition) {
  ExpectRefused({{"a.npy", "not a .npy file"}}, ErrorCode::kMalformedFile,
                {"/x.npz': entry 'a.npy': byte 0"});
  ExpectRefused({{"a.npy", "short"}}, ErrorCode::kMalformedFile, {"/x.npz': entry 'a.npy': byte 5"});
}

// Rules: TYP-4
TEST(Npz, AByteThatIsNoBoolIsRefusedWithItsPlaceInTheEntry) {
  std::string content = NpyOf(MakeTensor(DType::kBool, Shape{2, 1000}));
  content[128 + 1234] = '\7';
  for (const int method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
    ExpectRefused({{"a.npy", content, method}}, ErrorCode::kMalformedFile,
                  {"/x.npz': entry 'a.npy': byte 1362: 7 is outside bool (0 to 1)", "numpy.save"});
  }
}

TEST(Npz, EncryptedEntriesAreRefused) {
  ExpectRefused({{"a.npy", NpyOf(MakeTensor(DType::kInt8, Shape{})), ZIP_CM_STORE, true}},
                ErrorCode::kUnsupportedFormat, {"entry 'a.npy'", "encrypted"});
}

TEST(Npz, OtherCompressionMethodsAreRefused) {
  ExpectRefused({{"a.npy", std::string(1000, 'x'), ZIP_CM_BZIP2}}, ErrorCode::kUnsupportedFormat,
                {"entry 'a.npy'", "method is 12"});
}

TEST(Npz, ANameThatIsUsedTwiceIsRefused) {
  const TempDir dir;
  const std::string content = NpyOf(MakeTensor(DType::kInt8, Shape{}));
  MakeZip(dir.File("x.npz"), {{"aa.npy", content}, {"ab.npy", content}});
  WriteBytes(dir.File("x.npz"), Replaced(ReadBytes(dir.File("x.npz")), "ab.npy", "aa.npy"));
  ExpectError(ReadNpz(dir.File("x.npz"), {}), ErrorCode::kMalformedFile, {"entry 'aa.npy'", "used twice"});
}

TEST(Npz, AnEntryThatGoesOnBeyondItsArrayIsRefused) {
  ExpectRefused({{"a.npy", NpyOf(MakeTensor(DType::kInt8, Shape{4})) + "more", ZIP_CM_DEFLATE}},
                ErrorCode::kMalformedFile, {"entry 'a.npy'", "4 bytes", "there are 8"});
}

TEST(Npz, ADamagedElementIsFoundByItsChecksum) {
  const TempDir dir;
  const Tensor tensor = MakeTensor(DType::kInt64, Shape{9});
  ASSERT_TRUE(WriteNpz(dir.File("x.npz"), "a", tensor));
  std::string bytes = ReadBytes(dir.File("x.npz"));
  const std::size_t at = bytes.find(LittleEndianBytes(tensor));
  ASSERT_NE(at, std::string::npos);
  bytes[at + 20] ^= 1;
  WriteBytes(dir.File("x.npz"), bytes);
  ExpectError(ReadNpz(dir.File("x.npz"), {}), ErrorCode::kMalformedFile, {"entry 'a.npy'", "CRC"});
}

TEST(Npz, AClaimThatNoDeflateCanFulfilTakesNoMemory) {
  const TempDir dir;
  const std::string content = NpyHeaderBytes(DType::kInt8, Shape{4'000'000'000}) + "abcdefgh";
  const auto size = static_cast<std::uint32_t>(content.size());
  ReadOptions options;
  options.max_bytes = INT64_MAX;
  MakeZip(dir.File("x.npz"), {{"a.npy", content, ZIP_CM_DEFLATE}});
  const std::string claimed = LittleEndian(4'000'000'128U, 4);
  WriteBytes(dir.File("x.npz"), Replaced(ReadBytes(dir.File("x.npz")), LittleEndian(size, 4), claimed));
  ExpectError(ReadNpz(dir.File("x.npz"), options), ErrorCode::kMalformedFile,
              {"entry 'a.npy'", "to 4000000128", "which its method cannot do"});
  MakeZip(dir.File("x.npz"), {{"a.npy", content}});
  WriteBytes(dir.File("x.npz"), Replaced(ReadBytes(dir.File("x.npz")), LittleEndian(size, 4), claimed));
  EXPECT_FALSE(ReadNpz(dir.File("x.npz"), options));
}

TEST(Npz, AnEntryThatUnpacksToLessOrMoreThanItClaimsIsRefused) {
  const TempDir dir;
  std::string content = NpyOf(MakeTensor(DType::kInt8, Shape{1000}));
  const std::string honest = LittleEndian(1128, 4);
  // The header, the claim and the content agree in all but one.
  MakeZip(dir.File("x.npz"), {{"a.npy", content, ZIP_CM_DEFLATE}});
  std::string more = NpyHeaderBytes(DType::kInt8, Shape{2000}) + content.substr(128);
  MakeZip(dir.File("y.npz"), {{"a.npy", more, ZIP_CM_DEFLATE}});
  WriteBytes(dir.File("y.npz"), Replaced(ReadBytes(dir.File("y.npz")), honest, LittleEndian(2128, 4)));
  ExpectError(ReadNpz(dir.File("y.npz"), {}), ErrorCode::kMalformedFile, {"entry 'a.npy'"});
  std::string less = NpyHeaderBytes(DType::kInt8, Shape{500}) + content.substr(128);
  MakeZip(dir.File("y.npz"), {{"a.npy", less, ZIP_CM_DEFLATE}});
  WriteBytes(dir.File("y.npz"), Replaced(ReadBytes(dir.File("y.npz")), honest, LittleEndian(628, 4)));
  ExpectError(ReadNpz(dir.File("y.npz"), {}), ErrorCode::kMalformedFile, {"entry 'a.npy'"});
}

TEST(Npz, TheLimitHoldsForTheSumOfAllArrays) {
  const TempDir dir;
  const std::string content = NpyOf(MakeTensor(DType::kInt8, Shape{100}));
  MakeZip(dir.File("x.npz"), {{"a.npy", content}, {"b.npy", content}});
  ReadOptions options;
  options.max_bytes = 200;
  EXPECT_TRUE(ReadNpz(dir.File("x.npz"), options));
  options.max_bytes = 199;
  ExpectError(ReadNpz(dir.File("x.npz"), options), ErrorCode::kLimitExceeded,
              {"entry 'b.npy'", "99 bytes", "raise"});
}

TEST(Npz, AZipBombIsRefusedBeforeItIsUnpacked) {
  const TempDir dir;
  MakeZip(dir.File("x.npz"), {{"a.npy", std::string(20'000'000, '\0'), ZIP_CM_DEFLATE}});
  EXPECT_LT(std::filesystem::file_size(dir.File("x.npz")), 30'000U);
  ReadOptions options;
  options.max_bytes = 1'000'000;
  ExpectError(ReadNpz(dir.File("x.npz"), options), ErrorCode::kLimitExceeded,
              {"entry 'a.npy'", "unpacks to 20000000 bytes", "limit is 1000000"});
}

TEST(Npz, MoreEntriesThanTheCapAreRefused) {
  std::vector<Item> items;
  for (std::int64_t i = 0; i <= kMaxNpzEntries; ++i) items.push_back({std::to_string(i) + ".npy", ""});
  ExpectRefused(items, ErrorCode::kLimitExceeded, {"/x.npz'", "65537 entries", "65536"});
}

// Rules: PRO-1
TEST(Npz, ASparseMatrixOfSciPyIsRefusedAsSuch) {
  const TempDir dir;
  std::vector<Item> items;
  for (const char* name : {"indices", "indptr", "format", "shape", "data"}) {
    items.push_back({std::string(name) + ".npy", NpyOf(MakeTensor(DType::kInt32, Shape{2}))});
  }
  MakeZip(dir.File("x.npz"), items);
  ExpectError(ReadNpz(dir.File("x.npz"), {}), ErrorCode::kSparseTensor, {"/x.npz'", "PRO-1", "toarray"});
  ExpectError(ReadSingleNpz(dir.File("x.npz"), {}), ErrorCode::kSparseTensor, {"/x.npz'"});
}

TEST(Npz, WhatIsNoArchiveIsRefused) {
  const TempDir dir;
  WriteBytes(dir.File("x.npz"), "");
  ExpectError(ReadNpz(dir.File("x.npz"), {}), ErrorCode::kMalformedFile, {"/x.npz'", "byte 0", "22 bytes"});
  WriteBytes(dir.File("x.npz"), std::string(100, 'x'));
  ExpectError(ReadNpz(dir.File("x.npz"), {}), ErrorCode::kMalformedFile,
              {"/x.npz'", "byte 100", "no end record of a ZIP archive"});
  ExpectError(ReadNpz(dir.path(), {}), ErrorCode::kIo, {"is a folder"});
  ExpectError(ReadNpz(dir.File("nix.npz"), {}), ErrorCode::kIo, {"/nix.npz'", "No such file"});
}

}  // namespace
}  // namespace supremum::io
