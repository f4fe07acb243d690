#include "io/formats/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/formats/format_testing.h"
#include "support/temp_dir.h"
#include "support/values.h"

namespace supremum::io {
namespace {

using test::ExpectError;
using test::ExpectSame;
using test::MakeTensor;
using test::NpyOf;
using test::ReadBytes;
using test::TempDir;
using test::WriteBytes;

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

// Rules: TYP-4, PRO-1
TEST(Npz, AnArchiveThatIsRefusedNamesFileAndEntry) {
  const std::string number = NpyOf(MakeTensor(DType::kInt8, Shape{}));
  std::string bools = NpyOf(MakeTensor(DType::kBool, Shape{2, 1000}));
  bools[128 + 1234] = '\7';
  const std::string at_bool = "/x.npz': entry 'a.npy': byte 1362: 7 is outside bool (0 to 1)";
  std::vector<Item> many, sparse;
  for (std::int64_t i = 0; i <= kMaxNpzEntries; ++i) many.push_back({std::to_string(i) + ".npy", ""});
  for (const char* name : {"indices", "indptr", "format", "shape", "data"})
    sparse.push_back({std::string(name) + ".npy", NpyOf(MakeTensor(DType::kInt32, Shape{2}))});
  const struct {
    std::vector<Item> items;
    ErrorCode code;
    std::vector<std::string> parts;
  } cases[] = {
      {{{"a.npy", number}, {"evil.pkl", "x"}}, ErrorCode::kUnsupportedFormat, {"entry 'evil.pkl'", ".npy"}},
      {{{"a.npy", "not a .npy file"}}, ErrorCode::kMalformedFile, {"/x.npz': entry 'a.npy': byte 0"}},
      {{{"a.npy", "short"}}, ErrorCode::kMalformedFile, {"/x.npz': entry 'a.npy': byte 5"}},
      {{{"a.npy", bools}}, ErrorCode::kMalformedFile, {at_bool, "numpy.save"}},
      {{{"a.npy", bools, ZIP_CM_DEFLATE}}, ErrorCode::kMalformedFile, {at_bool, "numpy.save"}},
      {{{"a.npy", number, ZIP_CM_STORE, true}}, ErrorCode::kUnsupportedFormat, {"'a.npy'", "encrypted"}},
      {{{"a.npy", std::string(1000, 'x'), ZIP_CM_BZIP2}},
       ErrorCode::kUnsupportedFormat,
       {"entry 'a.npy'", "method is 12"}},
      {{{"a.npy", number + "more", ZIP_CM_DEFLATE}}, ErrorCode::kMalformedFile, {"1 bytes", "there are 5"}},
      {many, ErrorCode::kLimitExceeded, {"/x.npz'", "65537 entries", "65536"}},
      {sparse, ErrorCode::kSparseTensor, {"/x.npz'", "PRO-1", "toarray"}},
  };
  for (const auto& item : cases) {
    const TempDir dir;
    MakeZip(dir.File("x.npz"), item.items);
    ExpectError(ReadNpz(dir.File("x.npz"), {}), item.code, item.parts);
  }
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

}  // namespace
}  // namespace supremum::io
