// ZIP archives, valid ones as other programs write them and invalid ones, made byte by byte; read as .npz.
#include "io/formats/zip_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/formats/byte_order.h"
#include "io/formats/format_testing.h"
#include "io/formats/npy_header.h"
#include "io/formats/npz.h"
#include "support/allocations.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using test::ExpectError;
using test::LittleEndian;
using test::MakeTensor;
using test::NpyOf;

constexpr std::uint16_t kLater = 1 << 3;  // the flag of a data descriptor
constexpr std::uint32_t kOnes = 0xFFFFFFFF;

std::string Two(std::uint64_t value) { return LittleEndian(value, 2); }
std::string Four(std::uint64_t value) { return LittleEndian(value, 4); }
std::string Eight(std::uint64_t value) { return LittleEndian(value, 8); }

std::uint32_t CrcOf(const std::string& bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// Deflated without a header, as ZIP has it.
std::string Deflated(const std::string& bytes) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(bytes.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

struct Header {
  std::uint16_t version = 20, flags = 0, method = 0;
  std::uint32_t crc = 0, packed_size = 0, size = 0;
  std::string name, extra;

  std::string Common() const {
    return Two(version) + Two(flags) + Two(method) + Four(0x210000) + Four(crc) + Four(packed_size) +
           Four(size) + Two(name.size()) + Two(extra.size());
  }
};

// An entry as the directory and as its own header have it, which are the same unless a test spoils one.
struct Item {
  Header listed, local;
  std::string packed;   // its bytes
  std::string after;    // what follows them: a data descriptor
  std::string comment;  // in the directory
  std::uint32_t offset = 0;

  std::string Local() const { return "PK\3\4" + local.Common() + local.name + local.extra + packed + after; }
  std::string Listed() const {
    return "PK\1\2" + Two(20) + listed.Common() + Two(comment.size()) + Two(0) + Two(0) + Four(0) +
           Four(offset) + listed.name + listed.extra + comment;
  }
};

Item MakeItem(const std::string& name, bool deflate = false) {
  const std::string npy = NpyOf(MakeTensor(DType::kInt16, Shape{3, 5}));
  Item item;
  item.packed = deflate ? Deflated(npy) : npy;
  Header& header = item.listed;
  header.method = deflate ? 8 : 0;
  header.crc = CrcOf(npy);
  header.packed_size = static_cast<std::uint32_t>(item.packed.size());
  header.size = static_cast<std::uint32_t>(npy.size());
  header.name = name;
  item.local = header;
  return item;
}

// An archive of entries whose parts a test may still change.
struct Archive {
  std::vector<Item> items;
  std::string before_directory, after_directory, after_end;
  std::string comment;
  std::uint64_t counted_more = 0;  // how many entries more the end claims

  explicit Archive(std::vector<Item> given) : items(std::move(given)) {
    std::uint32_t offset = 0;
    for (Item& item : items) {
      item.offset = offset;
      offset += static_cast<std::uint32_t>(item.Local().size());
    }
  }

  std::string Entries() const {
    std::string bytes;
    for (const Item& item : items) bytes += item.Local();
    return bytes + before_directory;
  }
  std::string Directory() const {
    std::string bytes;
    for (const Item& item : items) bytes += item.Listed();
    return bytes;
  }
  std::string End(std::uint64_t offset) const {
    const std::uint64_t count = items.size() + counted_more;
    return "PK\5\6" + Four(0) + Two(count) + Two(count) + Four(Directory().size()) + Four(offset) +
           Two(comment.size()) + comment;
  }
  std::string Bytes() const {
    const std::string entries = Entries();
    return entries + Directory() + after_directory + End(entries.size()) + after_end;
  }
  // With the numbers of the end in 64 bits.
  std::string Bytes64() const {
    const std::string entries = Entries(), directory = Directory();
    return entries + directory + End64(entries.size(), directory.size()) +
           Locator64(entries.size() + directory.size()) + "PK\5\6" + Four(0) + Four(kOnes) + Four(kOnes) +
           Four(kOnes) + Two(0);
  }
  std::string End64(std::uint64_t offset, std::uint64_t size) const {
    return "PK\6\6" + Eight(44) + Two(45) + Two(45) + Four(0) + Four(0) + Eight(items.size()) +
           Eight(items.size()) + Eight(size) + Eight(offset);
  }
  static std::string Locator64(std::uint64_t offset) { return "PK\6\7" + Four(0) + Eight(offset) + Four(1); }
};

class Zip : public testing::Test {
 protected:
  Result<std::vector<NamedTensor>> Read(const std::string& bytes) const {
    test::WriteBytes(path_, bytes);
    const test::GuardedAllocations guarded;  // what is read beyond the bytes of a part ends the program
    return ReadNpz(path_, {});
  }
  void ExpectRead(const std::string& bytes, std::size_t count) const {
    const auto tensors = Read(bytes);
    ASSERT_TRUE(tensors) << tensors.error().message;
    ASSERT_EQ(tensors->size(), count);
    for (const NamedTensor& one : *tensors)
      test::ExpectSame(one.tensor, MakeTensor(DType::kInt16, Shape{3, 5}));
  }
  void ExpectMalformed(const std::string& bytes, const std::vector<std::string>& parts) const {
    ExpectError(Read(bytes), ErrorCode::kMalformedFile, parts);
  }
  // One entry, spoilt by `change`, first stored and then deflated.
  void ExpectMalformed(const std::function<void(Item&)>& change,
                       const std::vector<std::string>& parts) const {
    for (const bool deflate : {false, true}) {
      Item item = MakeItem("a.npy", deflate);
      change(item);
      ExpectMalformed(Archive({item, MakeItem("b.npy")}).Bytes(), parts);
    }
  }

  test::TempDir dir_;
  std::string path_ = dir_.File("x.npz");
};

TEST_F(Zip, TheArchivesOfTheseTestsAreRead) {
  ExpectRead(Archive({}).Bytes(), 0);
  ExpectRead(Archive({MakeItem("a.npy"), MakeItem("b.npy", true), MakeItem("c.npy")}).Bytes(), 3);
  ExpectRead(Archive({}).Bytes64(), 0);
  ExpectRead(Archive({MakeItem("a.npy"), MakeItem("b.npy", true)}).Bytes64(), 2);
}

// As numpy.savez does it: the local header alone, before the sizes are known.
TEST_F(Zip, SizesOf64BitsAreRead) {
  for (const bool deflate : {false, true}) {
    Item item = MakeItem("a.npy", deflate);
    const std::string sizes = Eight(item.listed.size) + Eight(item.listed.packed_size);
    Item local = item;
    local.local.version = 45;
    local.local.size = local.local.packed_size = kOnes;
    local.local.extra = Two(1) + Two(16) + sizes;
    ExpectRead(
        Archive({local, item.listed.method == 0 ? MakeItem("b.npy", true) : MakeItem("b.npy")}).Bytes(), 2);
    Item both = local;
    both.listed.size = both.listed.packed_size = kOnes;
    both.listed.extra = Two(0x5455) + Two(5) + "\1time" + Two(1) + Two(16) + sizes;
    ExpectRead(Archive({both}).Bytes64(), 1);
    Item one = item;  // the fields that are elsewhere, and these alone
    one.listed.packed_size = kOnes;
    one.listed.extra = Two(1) + Two(8) + Eight(item.listed.packed_size);
    ExpectRead(Archive({one}).Bytes(), 1);
    Archive offset({MakeItem("b.npy"), item});
    offset.items[1].listed.extra = Two(1) + Two(8) + Eight(offset.items[1].offset);
    offset.items[1].offset = kOnes;
    ExpectRead(offset.Bytes(), 2);
  }
}

TEST_F(Zip, ADataDescriptorIsReadInItsFourForms) {
  for (const bool deflate : {false, true}) {
    for (const bool marked : {false, true}) {
      for (const int width : {4, 8}) {
        Item item = MakeItem("a.npy", deflate);
        item.listed.flags = item.local.flags = kLater;
        item.local.crc = item.local.size = item.local.packed_size = 0;
        item.after = (marked ? "PK\7\10" : "") + Four(item.listed.crc) +
                     LittleEndian(item.listed.packed_size, width) + LittleEndian(item.listed.size, width);
        ExpectRead(Archive({item, MakeItem("b.npy")}).Bytes(), 2);
        ExpectRead(Archive({MakeItem("b.npy"), item}).Bytes(), 2);
        for (std::size_t at = 0; at < item.after.size(); ++at) {
          Item spoilt = item;
          spoilt.after[at] ^= 1;
          ExpectMalformed(Archive({spoilt, MakeItem("b.npy")}).Bytes(),
                          {"entry 'a.npy'", "are not its CRC and sizes"});
        }
        Item missing = item;
        missing.after.clear();
        ExpectMalformed(Archive({missing}).Bytes(), {"entry 'a.npy'", "are not its CRC and sizes"});
        missing.after = item.after + "x";
        ExpectMalformed(Archive({missing}).Bytes(), {"entry 'a.npy'", "are not its CRC and sizes"});
      }
    }
  }
}

TEST_F(Zip, CommentsExtraFieldsAndAnotherOrderAreRead) {
  Archive archive({MakeItem("a.npy"), MakeItem("b.npy", true)});
  archive.comment = "made by hand";
  archive.items[0].comment = "first";
  ExpectRead(archive.Bytes(), 2);
  Item extra = MakeItem("a.npy");
  extra.local.extra = extra.listed.extra = Two(0x5455) + Two(5) + "\1time" + Two(0x7875) + Two(0);
  ExpectRead(Archive({extra}).Bytes(), 1);
  std::swap(archive.items[0], archive.items[1]);  // the directory's order; the entries follow it in Bytes()
  const std::string bytes = Archive({archive.items[1], archive.items[0]}).Entries();
  const auto tensors = Read(bytes + archive.Directory() + archive.End(bytes.size()));
  ASSERT_TRUE(tensors) << tensors.error().message;
  EXPECT_EQ((*tensors)[0].name, "b");
  EXPECT_EQ((*tensors)[1].name, "a");
}

TEST_F(Zip, DirectoryAndLocalHeaderSayTheSame) {
  ExpectMalformed([](Item& item) { item.local.name = "c.npy"; },
                  {"entry 'a.npy'", "its name is 'a.npy' in the directory and 'c.npy' in its own header"});
  ExpectMalformed([](Item& item) { item.local.name = "../../a.npy"; }, {"its name is"});
  ExpectMalformed([](Item& item) { item.local.name = "A.npy"; }, {"its name is"});
  ExpectMalformed([](Item& item) { item.local.method ^= 8; }, {"its method is"});
  ExpectMalformed([](Item& item) { item.local.method = 12; }, {"its method is"});
  ExpectMalformed([](Item& item) { item.local.flags = 1; }, {"its set of flags is 0 in the directory and 1"});
  ExpectMalformed([](Item& item) { item.local.flags = 1 << 11; }, {"its set of flags is"});
  ExpectMalformed([](Item& item) { item.local.flags = kLater; }, {"its set of flags is"});
  ExpectMalformed([](Item& item) { item.local.crc ^= 1; }, {"its CRC is"});
  ExpectMalformed([](Item& item) { item.local.crc = 0; }, {"its CRC is"});
  ExpectMalformed([](Item& item) { item.local.size += 1; }, {"its size is"});
  ExpectMalformed([](Item& item) { item.local.size = 0; }, {"its size is"});
  ExpectMalformed([](Item& item) { item.local.packed_size -= 1; }, {"its packed size is"});
  ExpectMalformed([](Item& item) { item.local.packed_size = 0; }, {"its packed size is"});
  Item claim = MakeItem("a.npy", true);  // more than deflate can expand to
  claim.listed.size = claim.local.size = 4'000'000'000;
  ExpectMalformed(Archive({claim}).Bytes(), {"entry 'a.npy'", "to 4000000000, which its method cannot do"});
  ExpectMalformed(
      [](Item& item) {
        item.local.size = item.local.packed_size = kOnes;
        item.local.extra = Two(1) + Two(16) + Eight(item.listed.size + 1) + Eight(item.listed.packed_size);
      },
      {"its size is"});
}

TEST_F(Zip, ExtraFieldsThatAreNotWholeAreRefused) {
  const auto local = [](const std::string& extra) {
    return [extra](Item& item) {
      item.local.size = item.local.packed_size = kOnes;
      item.local.extra = extra;
    };
  };
  const std::vector<std::string> parts = {"entry 'a.npy'", "extra fields",
                                          "truncated, or lack its ZIP64 sizes"};
  const std::string whole = Two(1) + Two(16) + Eight(1) + Eight(1);
  for (const std::string& extra :
       {std::string(), Two(1) + Two(8) + Eight(1), Two(2) + Two(16) + Eight(1) + Eight(1),
        whole.substr(0, 19), whole + whole, Two(1) + Two(17) + Eight(1) + Eight(1), whole + "x",
        whole + "xyz", Two(5) + Two(9) + whole}) {
    ExpectMalformed(local(extra), parts);
    ExpectMalformed(
        [&](Item& item) {
          item.listed.size = item.listed.packed_size = kOnes;
          item.listed.extra = extra;
        },
        parts);
  }
}

TEST_F(Zip, NoTwoEntriesShareBytes) {
  // A bomb of 5,000 names for one entry.
  Archive bomb({MakeItem("0.npy")});
  const std::string entries = bomb.Entries();
  for (int i = 1; i < 5000; ++i) {
    Item again = bomb.items[0];
    again.listed.name = again.local.name = std::to_string(i) + ".npy";
    bomb.items.push_back(again);
  }
  ExpectMalformed(entries + bomb.Directory() + bomb.End(entries.size()),
                  {"entry '0.npy'", "begins at byte 0 and takes more than the 0 bytes up to entry '1.npy'"});
  // An entry inside the bytes of another, which is a whole archive of its own.
  Item outer = MakeItem("a.npy");
  const Item inner = MakeItem("b.npy");
  outer.packed += inner.Local();
  outer.listed.size = outer.listed.packed_size = static_cast<std::uint32_t>(outer.packed.size());
  outer.listed.crc = CrcOf(outer.packed);
  outer.local = outer.listed;
  Archive nested({outer});
  const std::string outer_bytes = nested.Entries();
  nested.items.push_back(inner);
  nested.items[1].offset = static_cast<std::uint32_t>(outer_bytes.size() - inner.Local().size());
  ExpectMalformed(outer_bytes + nested.Directory() + nested.End(outer_bytes.size()),
                  {"entry 'a.npy'", "takes more than the"});
  // An entry that reaches into the next one by one byte, and into the directory.
  for (const std::uint32_t more : {1U, 30U, 1000U}) {
    Archive reaching({MakeItem("a.npy"), MakeItem("b.npy")});
    for (Item& item : reaching.items) {
      const Item whole = item;
      item.listed.size = item.listed.packed_size = item.local.size = item.local.packed_size =
          whole.listed.size + more;
      ExpectMalformed(reaching.Bytes(), {"takes more than the"});
      item = whole;
    }
  }
  // The size of an entry is checked before its local header, which has a wrong signature here.
  Archive spoilt({MakeItem("a.npy")});
  Item& item = spoilt.items[0];
  item.listed.packed_size = item.listed.size += 1;
  std::string bytes = spoilt.Bytes();
  bytes[0] = 'X';
  ExpectMalformed(bytes, {"takes more than the"});
  Archive inside({MakeItem("a.npy")});
  inside.items[0].offset = static_cast<std::uint32_t>(inside.Entries().size() + 1);
  ExpectMalformed(inside.Bytes(), {"byte 0: bytes 0 to"});
}

TEST_F(Zip, EveryByteBelongsToAnEntryTheDirectoryOrTheEnd) {
  const Archive whole({MakeItem("a.npy"), MakeItem("b.npy", true)});
  // Before the first entry: what unpacks itself.
  ExpectMalformed("#!/bin/sh\n" + whole.Bytes(), {"the directory is said to have"});
  Archive moved = whole;
  for (Item& item : moved.items) item.offset += 10;
  const std::string entries = "#!/bin/sh\n" + moved.Entries();
  ExpectMalformed(entries + moved.Directory() + moved.End(entries.size()),
                  {"byte 0: bytes 0 to 9 belong to no entry"});
  // Between two entries.
  Archive gap = whole;
  gap.items[0].after = "gap";
  ExpectMalformed(gap.Bytes(), {"no entry begins at byte"});  // the directory still says where b.npy was
  gap.items[1].offset += 3;
  ExpectMalformed(gap.Bytes(), {"belong to no entry"});
  Archive before = whole, after = whole, end = whole, longer = whole, more = whole, fewer = whole;
  before.before_directory = "x";
  ExpectMalformed(before.Bytes(), {"belong to no entry"});
  after.after_directory = "x";
  ExpectMalformed(after.Bytes(), {"the directory is said to have"});
  for (const std::string& text : {std::string(1, '\0'), std::string("garbage"), std::string(70'000, 'x')}) {
    end.after_end = text;
    ExpectError(Read(end.Bytes()), ErrorCode::kMalformedFile);
  }
  longer.comment = "comment";
  const std::string commented = longer.Bytes();
  ExpectMalformed(commented.substr(0, commented.size() - 1), {"a comment of 7 bytes, and 6 bytes follow"});
  ExpectMalformed(commented + "x", {"a comment of 7 bytes, and 8 bytes follow"});
  more.counted_more = 1;
  ExpectMalformed(more.Bytes(), {"entry 2 of the directory, which is said to have 3"});
  fewer.counted_more = static_cast<std::uint64_t>(-1);
  const std::size_t second = whole.Entries().size() + whole.items[0].Listed().size();
  const std::string here = "byte " + std::to_string(second) + ": ";
  ExpectMalformed(fewer.Bytes(), {here + "the directory continues here after its 1 entries"});
  std::string spoilt = whole.Bytes();
  spoilt[second + 3] ^= 1;
  ExpectMalformed(spoilt, {here + "entry 1 of the directory, which is said to have 2, does not begin here"});
  spoilt = whole.Bytes();
  spoilt[second + 29] = 1;  // a name of 256 bytes more
  ExpectMalformed(spoilt, {here + "what begins here is longer than the directory"});
}

// An end record in the archive's comment is refused, because readers disagree on which one ends the archive.
TEST_F(Zip, OneEndAloneIsTaken) {
  const Archive inner({MakeItem("evil.npy")});
  Archive outer({MakeItem("good.npy")});
  outer.comment = inner.Bytes();
  EXPECT_FALSE(Read(outer.Bytes()));
  outer.comment = inner.End(outer.Entries().size());
  EXPECT_FALSE(Read(outer.Bytes()));
  outer.comment = Archive({}).End(0);
  EXPECT_FALSE(Read(outer.Bytes()));
  outer.comment = "comPK\5\6";
  ExpectMalformed(outer.Bytes(), {"the comment of the archive contains the signature of an end record"});
  // An archive as the elements of an array is one that is read for what it is.
  Item holder = MakeItem("holder.npy");
  const std::string elements = inner.Bytes();
  holder.packed = NpyHeaderBytes(DType::kUInt8, Shape{static_cast<std::int64_t>(elements.size())}) + elements;
  holder.listed.size = holder.listed.packed_size = static_cast<std::uint32_t>(holder.packed.size());
  holder.listed.crc = CrcOf(holder.packed);
  holder.local = holder.listed;
  const auto tensors = Read(Archive({holder}).Bytes());
  ASSERT_TRUE(tensors) << tensors.error().message;
  EXPECT_EQ(tensors->at(0).name, "holder");
  EXPECT_EQ(test::BytesOf(tensors->at(0).tensor), elements);
}

TEST_F(Zip, TheTwoEndsSayTheSame) {
  const Archive archive({MakeItem("a.npy")});
  const std::string whole = archive.Bytes64(), entries = archive.Entries(), directory = archive.Directory();
  const std::size_t end64 = entries.size() + directory.size(), locator = end64 + 56, end = locator + 20;
  ExpectRead(whole, 1);
  for (std::size_t at = end64; at < whole.size(); ++at) {
    std::string spoilt = whole;
    spoilt[at] ^= 1;
    // Any "version made by" and "version needed" is accepted, and the number of disks 0, which some programs
    // write.
    const bool harmless = (at >= end64 + 12 && at < end64 + 16) || at == locator + 16;
    EXPECT_EQ(Read(spoilt).has_value(), harmless) << at - end64;
  }
  // An end of 32 bits that contradicts the one of 64 bits.
  std::string other = whole;
  other.replace(end + 8, 4, Two(0) + Two(0));
  ExpectMalformed(other, {"the two end records state different directories"});
  other = whole;
  other.replace(end + 8, 4, Two(1) + Two(1));
  ExpectRead(other, 1);
  const std::string more = entries + directory + "x" + whole.substr(end64);
  ExpectMalformed(more, {"the ZIP64 end record is said to be at byte"});
}

TEST_F(Zip, ClaimsBeyondTheFileAreRefused) {
  for (const std::uint64_t huge :
       {std::uint64_t{1} << 40, std::uint64_t{INT64_MAX}, UINT64_MAX, UINT64_MAX - 100}) {
    Item item = MakeItem("a.npy");
    item.listed.size = item.listed.packed_size = item.local.size = item.local.packed_size = kOnes;
    item.listed.extra = item.local.extra = Two(1) + Two(16) + Eight(huge) + Eight(huge);
    EXPECT_FALSE(Read(Archive({item}).Bytes()));
    Archive far({MakeItem("a.npy")});
    far.items[0].offset = kOnes;
    far.items[0].listed.extra = Two(1) + Two(8) + Eight(huge);
    EXPECT_FALSE(Read(far.Bytes()));
    const Archive archive({MakeItem("a.npy")});
    const std::string entries = archive.Entries(), directory = archive.Directory();
    const std::string ends = Archive::Locator64(entries.size() + directory.size()) + "PK\5\6" + Four(0) +
                             Four(kOnes) + Four(kOnes) + Four(kOnes) + Two(0);
    ExpectMalformed(entries + directory + archive.End64(huge, directory.size()) + ends,
                    {"the directory is said to have"});
    ExpectMalformed(entries + directory + archive.End64(entries.size(), huge) + ends,
                    {"the directory is said to have"});
  }
}

TEST_F(Zip, WhatIsPackedIsWhatIsStated) {
  ExpectMalformed([](Item& item) { item.listed.crc = item.local.crc ^= 1; },
                  {"entry 'a.npy'", "its CRC is said to be"});
  const auto packed = [](const std::function<std::string(std::string)>& change) {
    Item item = MakeItem("a.npy", true);
    item.packed = change(item.packed);
    item.listed.packed_size = item.local.packed_size = static_cast<std::uint32_t>(item.packed.size());
    return Archive({item}).Bytes();
  };
  ExpectMalformed(packed([](const std::string& bytes) { return bytes + "x"; }),
                  {"1 packed bytes follow the entry's end"});
  ExpectMalformed(packed([](const std::string& bytes) { return bytes + bytes; }),
                  {"packed bytes follow the entry's end"});
  ExpectMalformed(packed([](const std::string& bytes) { return bytes.substr(0, bytes.size() - 1); }),
                  {"entry 'a.npy'"});
  ExpectMalformed(packed([](const std::string& bytes) { return bytes.substr(0, 20); }), {"bytes too early"});
  ExpectMalformed(packed([](const std::string&) { return std::string(10, '\xff'); }),
                  {"the deflated data is damaged here"});
  const std::string npy = NpyOf(MakeTensor(DType::kInt16, Shape{3, 5}));
  for (const std::size_t more : {1U, 2U, 1000U}) {
    ExpectMalformed(packed([&](const std::string&) { return Deflated(npy + std::string(more, 'x')); }),
                    {"entry 'a.npy'", "the entry unpacks to more bytes than its size"});
  }
  Item empty = MakeItem("a.npy", true);
  empty.packed = "";
  empty.listed.packed_size = empty.local.packed_size = 0;
  EXPECT_FALSE(Read(Archive({empty}).Bytes()));
}

TEST_F(Zip, NamesHaveOneMeaning) {
  ExpectMalformed(Archive({MakeItem("a.npy"), MakeItem("a.npy")}).Bytes(), {"entry 'a.npy'", "used twice"});
  Item marked = MakeItem("gr\u00f6\u00dfe.npy");
  ExpectError(Read(Archive({marked}).Bytes()), ErrorCode::kUnsupportedFormat,
              {"neither ASCII nor marked as UTF-8"});
  marked.listed.flags = marked.local.flags = 1 << 11;
  ExpectRead(Archive({marked}).Bytes(), 1);
  for (const std::string& name : {std::string("a\0.npy", 6), std::string("\xff.npy")}) {
    Item item = MakeItem(name);
    item.listed.flags = item.local.flags = 1 << 11;
    ExpectMalformed(Archive({item}).Bytes(), {"its name is not UTF-8, or has a zero byte"});
  }
}

TEST_F(Zip, FlagsAndVersionsThatAreNotKnownAreRefused) {
  for (const int bit : {4, 5, 6, 7, 12, 13, 15}) {
    Item item = MakeItem("a.npy");
    item.listed.flags = item.local.flags = static_cast<std::uint16_t>(1 << bit);
    ExpectError(Read(Archive({item}).Bytes()), ErrorCode::kUnsupportedFormat, {"entry 'a.npy'", "not known"});
  }
  Item newer = MakeItem("a.npy");
  newer.listed.version = 64;
  ExpectError(Read(Archive({newer}).Bytes()), ErrorCode::kUnsupportedFormat, {"version 64", "not known"});
  Archive disks({MakeItem("a.npy")});
  std::string bytes = disks.Bytes();
  bytes[bytes.size() - 18] = 1;
  ExpectError(Read(bytes), ErrorCode::kUnsupportedFormat, {"several disks"});
}

TEST_F(Zip, NoByteThatIsChangedGivesOtherElementsAndNoneMayBeMissing) {
  for (const bool deflate : {false, true}) {
    const std::string whole = Archive({MakeItem("a.npy", deflate), MakeItem("b.npy", deflate)}).Bytes();
    for (std::size_t at = 0; at < whole.size(); ++at) {
      ExpectError(Read(whole.substr(0, at)), ErrorCode::kMalformedFile, {"/x.npz'"});
      for (const int bit : {0, 3, 7}) {
        std::string spoilt = whole;
        spoilt[at] = static_cast<char>(spoilt[at] ^ 1 << bit);
        const auto tensors = Read(spoilt);
        if (!tensors) continue;
        ASSERT_EQ(tensors->size(), 2U);
        for (const NamedTensor& one : *tensors)
          test::ExpectSame(one.tensor, MakeTensor(DType::kInt16, Shape{3, 5}));
      }
    }
  }
}

}  // namespace
}  // namespace supremum::io
