// External data: files that attack the folder, the numbers and the links, each refused before anything is
// read.
#include "io/formats/external_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "io/formats/format_testing.h"
#include "io/formats/tensor_proto.h"
#include "support/model_builder.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

namespace fs = std::filesystem;

using test::ExpectError;
using test::WriteBytes;
using Keys = std::vector<std::pair<std::string, std::string>>;

// SHA-1 of "xxxxxxxx", 24 bytes 0x3F and "rest", computed with sha1sum.
constexpr const char* kSha1OfContent = "3737ed6b619c5d77f45110b4438d421a1a90c06a";

// Six float32, 24 bytes, from byte 8 of w.bin on.
class ExternalData : public testing::Test {
 protected:
  ExternalData() {
    fs::create_directory(dir_.File("model"));
    fs::create_directory(dir_.File("model/sub"));
    content_ = std::string(8, 'x') + std::string(24, '\x3f') + "rest";
    WriteBytes(File("w.bin"), content_);
    WriteBytes(File("sub/w.bin"), content_);
    WriteBytes(dir_.File("secret.bin"), content_);
  }

  std::string File(const std::string& name) const { return dir_.File("model/" + name); }

  static onnx::TensorProto Proto(const Keys& keys) {
    return test::ExternalTensorProto("", onnx::TensorProto::FLOAT, {2, 3}, keys);
  }

  Result<Tensor> Read(const onnx::TensorProto& proto, std::int64_t max_bytes = 1000) const {
    return TensorFromProto(proto, "initializer 'w'", max_bytes, ExternalFiles(dir_.File("model/")));
  }
  Result<Tensor> Read(const Keys& keys) const { return Read(Proto(keys)); }

  void ExpectMalformed(const Keys& keys, const std::string& part) const {
    ExpectError(Read(keys), ErrorCode::kMalformedFile, {"initializer 'w'", part});
  }

  void ExpectRefused(const std::string& location, const std::string& part) const {
    ExpectError(Read({{"location", location}, {"offset", "8"}, {"length", "24"}}),
                ErrorCode::kUnsupportedFormat, {"initializer 'w'", part});
  }

  test::TempDir dir_;
  std::string content_;
};

TEST_F(ExternalData, IsNotOpenedUnlessAFolderIsGiven) {
  const auto refused = TensorFromProto(Proto({{"location", "w.bin"}}), "initializer 'w'", 1000);
  ExpectError(refused, ErrorCode::kUnsupportedFormat, {"initializer 'w'", "--allow-external-data"});
}

TEST_F(ExternalData, IsReadWhereItsKeysSay) {
  const std::string elements = content_.substr(8, 24);
  for (const std::string location :
       {"w.bin", "sub/w.bin", "./w.bin", "sub/./w.bin", "sub//w.bin", ".//./sub/w.bin"}) {
    const auto tensor =
        Read({{"location", location}, {"offset", "8"}, {"length", "24"}, {"checksum", kSha1OfContent}});
    ASSERT_TRUE(tensor) << tensor.error().message;
    EXPECT_EQ(test::BytesOf(*tensor), elements);
  }
  WriteBytes(File("all.bin"), elements);
  const auto whole = Read({{"location", "all.bin"}});
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(test::BytesOf(*whole), elements);
}

TEST_F(ExternalData, LeavesItsFolderByNoName) {
  ExpectRefused("../secret.bin", "the name has a part '..'");
  ExpectRefused("sub/../../secret.bin", "the name has a part '..'");
  ExpectRefused("sub/../w.bin", "the name has a part '..'");
  ExpectRefused("..", "the name has a part '..'");
  ExpectRefused(dir_.File("secret.bin"), "the name is absolute");
  ExpectRefused("//w.bin", "the name is absolute");
  ExpectRefused("./../secret.bin", "the name has a part '..'");
  ExpectRefused("sub/./../../secret.bin", "the name has a part '..'");
  ExpectRefused("w.bin/", "the name names a folder");
  ExpectRefused("w.bin/.", "the name names a folder");
  ExpectRefused(".", "the name names a folder");
  ExpectRefused("./", "the name names a folder");
  ExpectRefused(std::string("w.bin\0x", 7), "zero byte");
}

TEST_F(ExternalData, LeavesItsFolderByNoLink) {
  fs::create_symlink("../secret.bin", File("link.bin"));
  ExpectRefused("link.bin", "'link.bin' is a symbolic link");
  fs::create_symlink("w.bin", File("near.bin"));
  ExpectRefused("near.bin", "'near.bin' is a symbolic link");
  fs::create_directory_symlink("..", File("up"));
  ExpectRefused("up/secret.bin", "'up' is a symbolic link");
  fs::create_symlink("nothing", File("broken.bin"));
  ExpectRefused("broken.bin", "'broken.bin' is a symbolic link");
  fs::create_hard_link(dir_.File("secret.bin"), File("hard.bin"));
  ExpectRefused("hard.bin", "the file has 2 names");
}

TEST_F(ExternalData, IsInARegularFile) {
  ASSERT_EQ(::mkfifo(File("pipe").c_str(), 0600), 0);
  ExpectError(Read({{"location", "pipe"}}), ErrorCode::kIo, {"'pipe' is a pipe"});
  ExpectError(Read({{"location", "sub"}}), ErrorCode::kIo, {"'sub' is a folder"});
  ExpectError(Read({{"location", "nix.bin"}}), ErrorCode::kIo, {"'nix.bin'", "No such file"});
  ExpectError(Read({{"location", "w.bin/w.bin"}}), ErrorCode::kIo, {"Not a directory"});
  ExpectError(Read({{"location", std::string(5000, 'n')}}), ErrorCode::kIo, {"too long"});
}

TEST_F(ExternalData, HasTheKeysOfOnnxOnce) {
  ExpectMalformed({}, "has no 'location'");
  ExpectMalformed({{"location", ""}}, "'location' of its external data is empty");
  for (const std::string key : {"location", "offset", "length", "checksum"}) {
    const std::string value = key == "checksum" ? kSha1OfContent : "8";
    ExpectMalformed({{"location", "w.bin"}, {key, value}, {key, value}}, "has the key '" + key + "' twice");
  }
}

// As ONNX reads them: the folder is the model's, whatever a basepath says.
TEST_F(ExternalData, HasOtherKeysThatAreIgnored) {
  for (const auto& other : {std::pair("basepath", "/"), std::pair("basepath", ".."), std::pair("mode", "w"),
                            std::pair("prepacked_0", "1|2"), std::pair("", "")}) {
    const auto tensor =
        Read({{"basepath", "x"}, {"location", "w.bin"}, {"offset", "8"}, {"length", "24"}, other, other});
    ASSERT_TRUE(tensor) << tensor.error().message;
    EXPECT_EQ(test::BytesOf(*tensor), content_.substr(8, 24));
    ExpectError(Read({{"location", "../secret.bin"}, other}), ErrorCode::kUnsupportedFormat);
  }
}

TEST_F(ExternalData, IsOneFileUnderTwoSpellingsOfItsName) {
  const ExternalFolder files = ExternalFiles(dir_.File("model/"));
  const auto read = [&](const std::string& location) {
    return TensorFromProto(Proto({{"location", location}, {"offset", "8"}, {"length", "24"}}), "w", 1000,
                           files);
  };
  EXPECT_TRUE(read("w.bin"));
  // Another file: one that is created after the first is removed may get its number and its time.
  WriteBytes(File("new.bin"), content_);
  fs::rename(File("new.bin"), File("w.bin"));
  ExpectError(read("./w.bin"), ErrorCode::kIo, {"was changed while it was read"});
}

TEST_F(ExternalData, OfAPointerOfGitLfsSaysSo) {
  WriteBytes(File("w.bin"), "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 24\n");
  ExpectMalformed({{"location", "w.bin"}, {"offset", "80"}, {"length", "24"}},
                  "'w.bin': it is a pointer of Git LFS");
}

// The layout of the cache of Hugging Face: names in snapshots are links to files in blobs.
class LinkedData : public ExternalData {
 protected:
  LinkedData() {
    for (const char* folder : {"hub", "hub/blobs", "hub/snapshots", "hub/snapshots/1"})
      fs::create_directory(dir_.File(folder));
    WriteBytes(dir_.File("hub/blobs/b"), content_);
  }
  Result<Tensor> Follow(const std::string& location, const std::string& root = "hub") const {
    return TensorFromProto(Proto({{"location", location}, {"offset", "8"}, {"length", "24"}}),
                           "initializer 'w'", 1000,
                           ExternalFiles(dir_.File("hub/snapshots/1/"), 1000, dir_.File(root)));
  }
  void Link(const std::string& target, const std::string& name) const {
    fs::create_symlink(target, dir_.File("hub/snapshots/1/" + name));
  }
  void ExpectRead(const std::string& location) const {
    const auto tensor = Follow(location);
    ASSERT_TRUE(tensor) << tensor.error().message;
    EXPECT_EQ(test::BytesOf(*tensor), content_.substr(8, 24));
  }
};

TEST_F(LinkedData, IsReadThroughLinksThatStayInsideTheRoot) {
  Link("../../blobs/b", "relative");
  Link(fs::canonical(dir_.File("hub/blobs/b")), "absolute");
  Link("relative", "twice");
  Link("../../blobs", "folder");
  Link("../.././blobs//b", "dots");
  WriteBytes(dir_.File("hub/snapshots/1/plain"), content_);
  for (const char* location : {"relative", "absolute", "twice", "folder/b", "./dots", "plain"}) {
    SCOPED_TRACE(location);
    ExpectRead(location);
  }
  fs::create_symlink("hub", dir_.File("to_hub"));  // the root itself may be named through a link
  EXPECT_TRUE(Follow("relative", "to_hub"));
  const auto refused = TensorFromProto(Proto({{"location", "relative"}, {"offset", "8"}, {"length", "24"}}),
                                       "w", 1000, ExternalFiles(dir_.File("hub/snapshots/1/")));
  ExpectError(refused, ErrorCode::kUnsupportedFormat,
              {"'relative' is a symbolic link", "--external-data-root"});
}

TEST_F(LinkedData, LeavesTheRootByNoLink) {
  const std::string outside = "leads out of the folder";
  Link("../../../secret.bin", "out");
  Link(dir_.File("secret.bin"), "absolute");
  Link("/etc/passwd", "system");
  Link("../../..", "up");
  Link("../../blobs/../../secret.bin", "through");
  Link(dir_.File("hub") + "/../secret.bin", "inside_then_out");
  Link(dir_.File("hubs/b"), "sibling");  // a folder whose name begins like the root's
  Link("out", "twice");
  Link(fs::canonical(dir_.File("hub")).string() + "/../secret.bin", "canonical_then_out");
  for (const char* location : {"out", "absolute", "system", "up/secret.bin", "through", "inside_then_out",
                               "sibling", "twice", "canonical_then_out"}) {
    SCOPED_TRACE(location);
    ExpectError(Follow(location), ErrorCode::kUnsupportedFormat, {"initializer 'w'", outside});
  }
  fs::create_hard_link(dir_.File("secret.bin"), dir_.File("hub/blobs/hard"));
  Link("../../blobs/hard", "hard");
  ExpectError(Follow("hard"), ErrorCode::kUnsupportedFormat, {"the file has 2 names"});
  Link("loop", "loop");
  ExpectError(Follow("loop"), ErrorCode::kUnsupportedFormat, {"more than 40 symbolic links"});
  Link("../../blobs/nix", "broken");
  ExpectError(Follow("broken"), ErrorCode::kIo, {"No such file"});
  Link("../../blobs", "to_folder");
  ExpectError(Follow("to_folder"), ErrorCode::kIo, {"is a folder"});
  Link("..", "to_parent");
  ExpectError(Follow("to_parent"), ErrorCode::kUnsupportedFormat, {"leads to a folder"});
  // The name itself still may not lead anywhere else.
  ExpectError(Follow("../../blobs/b"), ErrorCode::kUnsupportedFormat, {"the name has a part '..'"});
  ExpectError(Follow(dir_.File("hub/blobs/b")), ErrorCode::kUnsupportedFormat, {"the name is absolute"});
  ExpectError(Follow("plain", "model"), ErrorCode::kInvalidArgument,
              {"the folder of the model", "is not inside"});
  ExpectError(Follow("plain", "nix"), ErrorCode::kIo, {"nix"});
  ExpectError(Follow("plain", std::string("hub\0x", 5)), ErrorCode::kIo, {"zero byte"});
}

// A link that another process exchanges: whichever target is read, it is inside the root.
TEST_F(LinkedData, OfALinkThatChangesIsNeverOutside) {
  Link("../../blobs/b", "w");
  WriteBytes(dir_.File("secret.bin"), std::string(36, 's'));
  std::atomic<bool> stop = false;
  std::thread other([&] {
    const std::string name = dir_.File("hub/snapshots/1/w"), next = dir_.File("hub/next");
    for (bool out = true; !stop; out = !out) {
      fs::create_symlink(out ? "../../../secret.bin" : "../../blobs/b", next);
      fs::rename(next, name);
    }
  });
  for (int i = 0; i < 2000; ++i) {
    const auto tensor = Follow("w");
    if (!tensor) continue;
    EXPECT_EQ(test::BytesOf(*tensor), content_.substr(8, 24));
  }
  stop = true;
  other.join();
}

TEST_F(ExternalData, HasNumbersThatAreNumbers) {
  for (const std::string number :
       {"", "-1", "+1", " 1", "1 ", "0x10", "1e3", "9223372036854775808", "99999999999999999999999", "one"}) {
    ExpectMalformed({{"location", "w.bin"}, {"offset", number}}, "the 'offset' of its external data is '");
    ExpectMalformed({{"location", "w.bin"}, {"length", number}}, "the 'length' of its external data is '");
  }
}

TEST_F(ExternalData, HasTheChecksumOfItsWholeFile) {
  const auto with = [](const std::string& checksum, const std::string& location = "w.bin") {
    return Keys{{"location", location}, {"offset", "8"}, {"length", "24"}, {"checksum", checksum}};
  };
  std::string upper = kSha1OfContent;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  EXPECT_TRUE(Read(with(kSha1OfContent)));
  EXPECT_TRUE(Read(with(upper)));
  // The checksum of the elements alone, of no bytes, and one with another last digit.
  std::string beside = kSha1OfContent;
  beside.back() = beside.back() == '0' ? '1' : '0';
  for (const std::string& wrong :
       {std::string("4227680792df0f8a3559dd7c2904a5055a651982"),
        std::string("da39a3ee5e6b4b0d3255bfef95601890afd80709"), beside, std::string(40, '0')}) {
    ExpectMalformed(with(wrong), "the 'checksum' of its external data is " + wrong +
                                     " and the SHA-1 of 'w.bin' is " + kSha1OfContent);
  }
  // A change anywhere in the file is found, also where no element is.
  for (std::size_t at = 0; at < content_.size(); ++at) {
    std::string changed = content_;
    changed[at] ^= 1;
    WriteBytes(File("w.bin"), changed);
    ExpectMalformed(with(kSha1OfContent), kSha1OfContent);
  }
  WriteBytes(File("w.bin"), content_ + "x");
  ExpectMalformed(with(kSha1OfContent), kSha1OfContent);
}

TEST_F(ExternalData, HasAChecksumThatIsOne) {
  const std::string good = kSha1OfContent;
  for (const std::string& bad :
       {std::string(), std::string("is not compared"), good.substr(1), good + "0", " " + good.substr(1),
        "0x" + good.substr(2), "g" + good.substr(1), "sha1:" + good, good + "\n", std::string(64, 'a'),
        std::string(20, '\xab'), std::string(40, '\0')}) {
    ExpectMalformed({{"location", "w.bin"}, {"offset", "8"}, {"length", "24"}, {"checksum", bad}},
                    "not the 40 hexadecimal digits of SHA-1");
  }
}

TEST_F(ExternalData, IsReadForItsChecksumOnceAndWithinTheLimit) {
  const ExternalFolder files = ExternalFiles(dir_.File("model/"), 36);
  const auto proto =
      Proto({{"location", "w.bin"}, {"offset", "8"}, {"length", "24"}, {"checksum", kSha1OfContent}});
  EXPECT_TRUE(TensorFromProto(proto, "a", 1000, files));
  EXPECT_EQ(files->digests.at("w.bin"), kSha1OfContent);
  files->digests.at("w.bin") = std::string(40, '0');  // what is known is not computed again
  ExpectError(TensorFromProto(proto, "b", 1000, files), ErrorCode::kMalformedFile, {std::string(40, '0')});
  const auto refused = TensorFromProto(proto, "c", 1000, ExternalFiles(dir_.File("model/"), 35));
  ExpectError(refused, ErrorCode::kLimitExceeded, {"c: ", "all 36 bytes of 'w.bin', and the limit is 35"});
  std::filesystem::resize_file(File("w.bin"), std::uintmax_t{1} << 40);  // a hole, which is never read
  ExpectError(Read(proto), ErrorCode::kLimitExceeded, {"all 1099511627776 bytes of 'w.bin'"});
}

TEST_F(ExternalData, IsAllInItsFileAndAsLongAsItsElements) {
  const auto place = [](const std::string& offset, const std::string& length) {
    return Keys{{"location", "w.bin"}, {"offset", offset}, {"length", length}};
  };
  ExpectMalformed(place("37", "24"), "begins at byte 37 of 'w.bin', which has 36 bytes");
  ExpectMalformed(place("13", "24"), "24 bytes from byte 13 of 'w.bin' on, where there are 23");
  ExpectMalformed(place("9223372036854775807", "24"), "begins at byte 9223372036854775807");
  ExpectMalformed(place("8", "9223372036854775807"), "where there are 28");
  ExpectMalformed(place("8", "20"), "has 20 bytes, but float32 of shape [2,3] takes 24");
  ExpectMalformed({{"location", "w.bin"}, {"offset", "8"}},
                  "has 28 bytes, but float32 of shape [2,3] takes 24");
}

TEST_F(ExternalData, TakesNoMemoryForWhatTheFileDoesNotHave) {
  onnx::TensorProto proto = Proto({{"location", "w.bin"}});
  proto.set_dims(0, std::int64_t{1} << 40);
  ExpectError(Read(proto, INT64_MAX), ErrorCode::kMalformedFile, {"takes 13194139533312"});
  proto.set_dims(1, std::int64_t{1} << 40);
  ExpectError(Read(proto, INT64_MAX), ErrorCode::kMalformedFile, {"takes more than 2^63 - 1"});
}

TEST_F(ExternalData, KeepsTheLimit) {
  ExpectError(Read(Proto({{"location", "w.bin"}, {"offset", "8"}, {"length", "24"}}), 23),
              ErrorCode::kLimitExceeded, {"initializer 'w'", "limit of 23 bytes"});
}

TEST_F(ExternalData, IsNotBesideOtherElements) {
  onnx::TensorProto both = Proto({{"location", "w.bin"}, {"offset", "8"}, {"length", "24"}});
  both.set_raw_data(std::string(24, 'r'));
  ExpectError(Read(both), ErrorCode::kMalformedFile, {"elements inside, and external data"});
  const std::vector<void (*)(onnx::TensorProto&)> add_one = {
      [](onnx::TensorProto& proto) { proto.add_float_data(1); },
      [](onnx::TensorProto& proto) { proto.add_int32_data(1); },
      [](onnx::TensorProto& proto) { proto.add_string_data("1"); },
      [](onnx::TensorProto& proto) { proto.add_int64_data(1); },
      [](onnx::TensorProto& proto) { proto.add_double_data(1); },
      [](onnx::TensorProto& proto) { proto.add_uint64_data(1); }};
  for (const auto& add : add_one) {
    onnx::TensorProto one = Proto({{"location", "w.bin"}, {"offset", "8"}, {"length", "24"}});
    add(one);
    ExpectError(Read(one), ErrorCode::kMalformedFile, {"elements inside, and external data"});
  }
  onnx::TensorProto inside = Proto({{"location", "w.bin"}, {"offset", "8"}, {"length", "24"}});
  inside.clear_data_location();
  ExpectError(Read(inside), ErrorCode::kMalformedFile, {"'data_location' is not EXTERNAL"});
}

TEST_F(ExternalData, HasBoolsThatAreBools) {
  onnx::TensorProto proto = Proto({{"location", "w.bin"}, {"offset", "8"}, {"length", "6"}});
  proto.set_data_type(onnx::TensorProto::BOOL);
  ExpectError(Read(proto), ErrorCode::kMalformedFile, {"'w.bin': byte 8: 63 is outside bool"});
}

TEST(FolderOfFile, IsWhatStandsBeforeTheLastSlash) {
  EXPECT_EQ(FolderOfFile("m.onnx"), ".");
  EXPECT_EQ(FolderOfFile("a/m.onnx"), "a/");
  EXPECT_EQ(FolderOfFile("/m.onnx"), "/");
}

}  // namespace
}  // namespace supremum::io
