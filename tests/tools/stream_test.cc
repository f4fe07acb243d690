// supremum max and reduce-max of files that memory does not hold.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "tools/report.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

class Stream : public ReportTest {
 protected:
  void SetUp() override {
    std::vector<float> values(300'000);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i * 7919 % 100'003) - 50'000;
    WriteTensor<float>("big.npy", {300, 1000}, values);
    WriteTensor<float>("big.bin", {300, 1000}, values);
    WriteTensor<float>("row.npy", {1000}, std::vector<float>(1000, 3));
  }

  /// The same bytes and the same report, with --resume, which streams whatever the size, and without.
  void ExpectAsInMemory(const std::vector<std::string>& inputs, const std::string& output) const {
    SCOPED_TRACE(inputs.back());
    const std::vector<std::string> arguments = With(inputs, {"-o", output});
    const nlohmann::json in_memory = Report(With(arguments, {"--sha256"}));
    const std::string expected = ReadText(File(output));
    fs::remove(File(output));
    const nlohmann::json streamed = Report(With(arguments, {"--resume", "--sha256"}));
    EXPECT_EQ(ReadText(File(output)), expected);
    EXPECT_EQ(streamed.at("outputs"), in_memory.at("outputs"));
    EXPECT_FALSE(in_memory.contains("streamed"));
    EXPECT_EQ(streamed.at("streamed").at("resumed_at_element"), 0);
  }

  /// A raw file of zeros that takes no space.
  void MakeZeros(const std::string& name, std::int64_t bytes) const {
    WriteText(File(name), "");
    fs::resize_file(File(name), static_cast<std::uintmax_t>(bytes));
  }
};

TEST_F(Stream, TheDigestIsLeftOutUnlessAskedFor) {
  const std::vector<std::string> arguments = {"max", "big.npy", "row.npy", "-o", "y.npy", "--resume"};
  nlohmann::json output = Report(arguments).at("outputs").at(0);
  EXPECT_TRUE(output.at("sha256").is_null());
  EXPECT_EQ(output.at("nan_count"), 0);
  const ProcessResult table = Supremum(arguments);
  EXPECT_THAT(table.out, testing::MatchesRegex("name +dtype +shape +min +max +NaN +time +file\n(.|\n)*"));
}

// Rules: MAX-2, RED-1, BRO-5
TEST_F(Stream, TheResultIsThatInMemory) {
  ExpectAsInMemory({"max", "big.npy", "row.npy"}, "y.npy");
  ExpectAsInMemory({"max", "t:f32:300x1000:big.bin", "row.npy"}, "y.bin");
  ExpectAsInMemory({"max", "big.npy"}, "y.raw");
  ExpectAsInMemory({"reduce-max", "big.npy"}, "y.npy");
  ExpectAsInMemory({"reduce-max", "big.npy", "--axes", "0"}, "y.npy");
  ExpectAsInMemory({"reduce-max", "big.npy", "--axes", "-1", "--keepdims"}, "y.npy");
  ExpectAsInMemory({"reduce-max", "big.npy", "--axes", "", "--noop-with-empty-axes"}, "y.npy");
  WriteTensor<std::int32_t>("none.npy", {0, 3}, {});
  ExpectAsInMemory({"reduce-max", "none.npy", "--axes", "0"}, "y.npy");
  ExpectAsInMemory({"max", "none.npy"}, "y.npy");
  WriteTensor<double>("scalar.npy", {}, {2});
  ExpectAsInMemory({"max", "scalar.npy", "scalar.npy"}, "y.npy");
}

TEST_F(Stream, MemoryDecidesWhetherItIsInParts) {
  MakeZeros("z.bin", 64 * kMiB);
  const std::vector<std::string> reduce = {"reduce-max", "z:uint8:64x1048576:z.bin", "--axes", "0", "-o",
                                           "y.bin"};
  const auto with = [&](const std::string& memory) { return With(reduce, {"--memory", memory}); };
  EXPECT_TRUE(Report(with("1000MiB")).contains("streamed") == false);
#if !defined(SUPREMUM_SANITIZED)  // whose own memory is more
  EXPECT_TRUE(Report(with("48MiB")).contains("streamed"));
  const ProcessResult result = Fresh(with("48MiB"));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_LE(result.peak_bytes, 48 * kMiB);
  const ProcessResult both =
      Fresh({"max", "z:uint8:67108864:z.bin", "z:uint8:67108864:z.bin", "-o", "y.bin", "--memory", "48MiB"});
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_LE(both.peak_bytes, 48 * kMiB);
  EXPECT_EQ(fs::file_size(File("y.bin")), static_cast<std::uintmax_t>(64 * kMiB));
#endif
  // The text names the least that works: one number for one request, whatever is asked for or in use.
  const auto least = [&](const std::string& memory) {
    const ProcessResult little = Supremum(with(memory));
    ExpectFailure(little, 3, {"--memory", "at least "});
    const std::size_t at = little.err.find("at least ") + 9;
    return std::stoi(little.err.substr(at, little.err.find("MiB", at) - at));
  };
  ExpectFailure(Supremum(with("1MiB")), 3, {"--memory", "1048576 bytes"});
  const int mib = least("1MiB");
  EXPECT_EQ(least("2MiB"), mib);
  EXPECT_EQ(least(std::to_string(mib - 1) + "MiB"), mib);
  for (int run = 0; run < 3; ++run) {
    const ProcessResult enough = Supremum(with(std::to_string(mib) + "MiB"));
    EXPECT_EQ(enough.status, 0) << enough.err;
  }
  for (const char* const wrong :
       {"", "MiB", "-1", "1.5GiB", "3 MiB", "1mb", "9223372036854775808", "9000000TiB"}) {
    ExpectFailure(Supremum(with(wrong)), 2, {"--memory"});
  }
}

TEST_F(Stream, WhatCannotBeReadInPartsIsNotResumed) {
  WriteTensor<float>("c.npz", {2}, {1, 2});
  ExpectFailure(Supremum({"max", "c.npz", "-o", "y.npy", "--resume"}), 2,
                {"--resume", "c.npz", "leave it out"});
  ExpectFailure(Supremum({"max", "row.npy", "-o", "y.pb", "--resume"}), 2, {"--resume", "y.pb"});
  ExpectFailure(Supremum({"max", "row.npy", "--bound", "0=row.npy", "-o", "y.npy", "--resume"}), 2,
                {"--bound"});
  EXPECT_EQ(Supremum({"max", "c.npz", "-o", "y.npy", "--memory", "1GiB"}).status, 0);
  ExpectFailure(Supremum({"max", "c.npz", "-o", "y.npy", "--memory", "7"}), 3, {"c.npz", "limit of 7"});
}

// Rules: E1, RED-2, TYP-2
TEST_F(Stream, ErrorsAreThoseInMemory) {
  WriteTensor<float>("c.npy", {7}, {1, 2, 3, 4, 5, 6, 7});
  WriteTensor<double>("d.npy", {7}, {1, 2, 3, 4, 5, 6, 7});
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"max", "big.npy", "c.npy"},
                                             {"max", "c.npy", "d.npy"},
                                             {"max", "c.npy", "absent.npy"},
                                             {"max", "t:f32:7:big.bin"},
                                             {"max", "c.npy", "c.npy", "--dtype", "int8"},
                                             {"reduce-max", "big.npy", "--axes", "2"},
                                             {"reduce-max", "big.npy", "--semantics", "onednn"}}) {
    const ProcessResult in_memory = Supremum(With(wrong, {"-o", "y.npy"}));
    const ProcessResult streamed = Supremum(With(wrong, {"-o", "y.npy", "--resume"}));
    EXPECT_NE(streamed.status, 0);
    EXPECT_EQ(streamed.status, in_memory.status);
    EXPECT_EQ(streamed.err, in_memory.err);
    EXPECT_FALSE(Exists("y.npy"));
  }
}

TEST_F(Stream, ABoolIsFalseOrTrue) {
  WriteText(File("b.bin"), std::string("\0\1\0\1", 4));
  EXPECT_EQ(Supremum({"reduce-max", "b:bool:2x2:b.bin", "--axes", "0", "-o", "y.bin", "--resume"}).status, 0);
  EXPECT_EQ(ReadText(File("y.bin")), std::string("\0\1", 2));
  WriteText(File("b.bin"), std::string("\0\1\2\1", 4));
  ExpectFailure(Supremum({"reduce-max", "b:bool:2x2:b.bin", "-o", "y.bin", "--resume"}), 3,
                {"b.bin", "byte 2", "outside bool"});
}

TEST_F(Stream, AnInputMayBeReplacedByTheResult) {
  EXPECT_EQ(Supremum({"max", "big.npy", "row.npy", "-o", "y.npy"}).status, 0);
  EXPECT_EQ(Supremum({"max", "big.npy", "row.npy", "-o", "big.npy", "--resume"}).status, 0);
  EXPECT_EQ(ReadText(File("big.npy")), ReadText(File("y.npy")));
}

TEST_F(Stream, TheFileThatGrowsIsNoInputAndHasOneWriter) {
  const std::string partial = ".supremum-y.npy.partial";
  fs::copy_file(File("big.npy"), File(partial));
  const std::string spec = "t:uint8:1200128:" + partial;
  ExpectFailure(Supremum({"max", spec, "-o", "y.npy", "--resume"}), 2, {partial, "cannot be an input"});
  EXPECT_EQ(ReadText(File(partial)), ReadText(File("big.npy")));
  const int held = ::open(File(partial).c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  ExpectFailure(Supremum({"max", "big.npy", "-o", "y.npy", "--resume"}), 2, {"another process"});
  ::close(held);
  EXPECT_EQ(Supremum({"max", "big.npy", "-o", "y.npy", "--resume"}).status, 0);
  EXPECT_FALSE(Exists(partial));
}

TEST_F(Stream, ThroughAPipeItIsWrittenInOrder) {
  const ProcessResult result = Shell(
      "mkfifo pipe.npy && (cat pipe.npy > caught.npy & supremum max big.npy row.npy -o pipe.npy --resume; "
      "wait)");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(Supremum({"max", "big.npy", "row.npy", "-o", "y.npy"}).status, 0);
  EXPECT_EQ(ReadText(File("caught.npy")), ReadText(File("y.npy")));
}

TEST_F(Stream, ATerminalShowsRateAndTimeLeft) {
  MakeZeros("z.bin", 2048 * kMiB);
  const ProcessResult result = Supremum({"reduce-max", "z:f32:8192x65536:z.bin", "--axes", "1", "-o", "y.bin",
                                         "--memory", "300MiB", "--threads", "1"},
                                        {.terminal = true});
  EXPECT_EQ(result.status, 0) << result.out;
  // On a machine so fast that there is nothing to wait for, nothing is shown.
  if (result.out.find('%') != std::string::npos) {
    EXPECT_THAT(result.out, HasSubstr("B/s"));
    EXPECT_THAT(result.out, HasSubstr("left"));
  }
}

TEST_F(Stream, AHugeResultOfSmallFilesNeedsALimit) {
  MakeZeros("column.bin", 100'000);
  ExpectFailure(
      Supremum({"max", "a:uint8:100000x1:column.bin", "b:uint8:1x100000:column.bin", "-o", "y.bin"}), 3,
      {"limit"});
  EXPECT_FALSE(Exists("y.bin"));
}

}  // namespace
}  // namespace supremum::test
