// supremum max and reduce-max of files that are read in parts.
#include <array>

#include "stream/testing.h"
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

  /// The same bytes and the same report as in memory, where an output of .pb is computed.
  void ExpectAsInMemory(const std::vector<std::string>& inputs, const std::string& output) const {
    SCOPED_TRACE(testing::PrintToString(inputs) + " to " + output);
    nlohmann::json in_memory = Report(With(inputs, {"-o", "y.pb", "--sha256"}));
    const auto expected = io::ReadTensor(File("y.pb"));
    ASSERT_TRUE(expected) << expected.error().message;
    ASSERT_TRUE(io::WriteTensor(File(output), io::FormatOfPath(output).value(), "y", expected->tensor));
    const std::string bytes = ReadText(File(output));
    fs::remove(File(output));
    const nlohmann::json streamed = Report(With(inputs, {"-o", output, "--sha256"}));
    EXPECT_EQ(ReadText(File(output)), bytes);
    in_memory["outputs"][0]["file"] = output;
    EXPECT_EQ(streamed.at("outputs"), in_memory.at("outputs"));
    EXPECT_FALSE(in_memory.contains("streamed"));
    EXPECT_EQ(streamed.at("streamed").size(), 1u);
    EXPECT_GT(streamed.at("streamed").at("buffer_bytes"), 0);
  }

  /// The same exit status and text as in memory, and no output.
  void ExpectFailsAsInMemory(const std::vector<std::string>& wrong) const {
    SCOPED_TRACE(testing::PrintToString(wrong));
    ProcessResult in_memory = Supremum(With(wrong, {"-o", "y.pb"}));
    const std::size_t at = in_memory.err.find("y.pb");
    if (at != std::string::npos) in_memory.err.replace(at, 4, "y.npy");
    const ProcessResult streamed = Supremum(With(wrong, {"-o", "y.npy"}));
    ExpectFailure(streamed, in_memory.status);
    EXPECT_EQ(streamed.err, in_memory.err);
    EXPECT_FALSE(Exists("y.npy"));
    for (const auto& entry : fs::directory_iterator(fs::path(File("y.npy")).parent_path()))
      EXPECT_FALSE(entry.path().filename().string().starts_with(".supremum")) << entry.path();
  }

  /// A raw file of zeros that takes no space.
  void MakeZeros(const std::string& name, std::int64_t bytes) const {
    WriteText(File(name), "");
    fs::resize_file(File(name), static_cast<std::uintmax_t>(bytes));
  }
};

TEST_F(Stream, TheDigestIsLeftOutUnlessAskedFor) {
  const std::vector<std::string> arguments = {"max", "big.npy", "row.npy", "-o", "y.npy"};
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

// Larger than a tile, so that several are read and written, by each number of threads.
TEST_F(Stream, TheResultOfSeveralTilesIsThatInMemory) {
  Rng rng(59);
  const Tensor wide = RandomTensor(rng, DType::kFloat32, Shape{700, 3, 401});
  for (const Layout layout : {Layout::kNpy, Layout::kColumnsFirst}) {
    WriteAs(File("wide.npy"), wide, layout);
    WriteAs(File("column.npy"), RandomTensor(rng, DType::kFloat32, Shape{3, 1}), layout);
    for (const char* const threads : {"1", "2", "5"}) {
      ExpectAsInMemory({"max", "wide.npy", "column.npy", "--threads", threads}, "y.npy");
      for (const char* const axes : {"0", "1", "2", "0,2", "0,1,2"}) {
        ExpectAsInMemory({"reduce-max", "wide.npy", "--axes", axes, "--threads", threads}, "y.safetensors");
      }
    }
  }
}

TEST_F(Stream, MemoryIsBoundedWithoutAnOption) {
  MakeZeros("z.bin", 64 * kMiB);
  const std::vector<std::string> reduce = {"reduce-max", "z:uint8:64x1048576:z.bin", "--axes", "0", "-o",
                                           "y.bin"};
  const auto with = [&](const std::string& memory) { return With(reduce, {"--memory", memory}); };
#if !defined(SUPREMUM_SANITIZED)  // whose own memory is more
  for (const std::vector<std::string>& line : {reduce, with("48MiB")}) {
    const ProcessResult result = Fresh(line);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_LE(result.peak_bytes, 48 * kMiB);
  }
  const ProcessResult both =
      Fresh({"max", "z:uint8:67108864:z.bin", "z:uint8:67108864:z.bin", "-o", "y.bin"});
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

TEST_F(Stream, WhatCannotBeReadInPartsIsComputedInMemory) {
  WriteTensor<float>("c.npz", {2}, {1, 2});
  const nlohmann::json report = Report({"max", "c.npz", "-o", "y.npy", "--memory", "1GiB"});
  EXPECT_FALSE(report.contains("streamed"));
  ExpectFailure(Supremum({"max", "c.npz", "-o", "y.npy", "--memory", "7"}), 3, {"c.npz", "limit of 7"});
}

// Rules: E1, RED-2, TYP-2, PRO-6
TEST_F(Stream, ErrorsAreThoseInMemory) {
  WriteTensor<float>("c.npy", {7}, {1, 2, 3, 4, 5, 6, 7});
  WriteTensor<double>("d.npy", {7}, {1, 2, 3, 4, 5, 6, 7});
  WriteTensor<float>("c.safetensors", {7}, {1, 2, 3, 4, 5, 6, 7});
  WriteText(File("cut.npy"), ReadText(File("c.npy")).substr(0, 150));
  WriteText(File("cut.safetensors"), ReadText(File("c.safetensors")).substr(0, 90));
  WriteText(File("other.npy"), "GIF89a");
  std::string unknown = ReadText(File("c.safetensors"));
  unknown.replace(unknown.find("F32"), 3, "I32");
  WriteText(File("int.safetensors"), unknown);
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"max", "big.npy", "c.npy"},
                                             {"max", "c.npy", "d.npy"},
                                             {"max", "c.npy", "int.safetensors"},
                                             {"max", "c.npy", "absent.npy"},
                                             {"max", "absent.npy", "cut.npy"},
                                             {"max", "c.npy", "absent.safetensors"},
                                             {"max", "cut.npy", "c.npy"},
                                             {"max", "cut.safetensors"},
                                             {"max", "other.npy"},
                                             {"max", "c.safetensors::w"},
                                             {"max", "c.safetensors", "--dtype", "int8"},
                                             {"max", "t:f32:7:big.bin"},
                                             {"max", "t:f32:7x:big.bin"},
                                             {"max", "c.npy", "c.npy", "--dtype", "int8"},
                                             {"max", "c.npy", "big.npy", "--no-broadcast"},
                                             {"reduce-max", "big.npy", "--axes", "2"},
                                             {"reduce-max", "c.safetensors", "--axes", "0,-1"},
                                             {"reduce-max", "big.npy", "--semantics", "onednn"}}) {
    ExpectFailsAsInMemory(wrong);
  }
}

// The text names the first wrong element of the file, although another one is in the first tile.
TEST_F(Stream, OfSeveralWrongBoolsTheFirstOfTheFileIsNamed) {
  Tensor wrong = Tensor::Create(DType::kBool, Shape{3, 1'000'000}).value();
  std::ranges::fill(wrong.bytes(), std::byte{0});
  wrong.bytes()[900'000] = std::byte{7};
  wrong.bytes()[1'000'001] = std::byte{9};
  for (const char* const name : {"b.npy", "b.safetensors", "b.bin"}) {
    io::WriteTensor(File(name), io::FormatOfPath(name).value(), "b", wrong).value();
    const std::string spec = name == std::string("b.bin") ? "b:bool:3x1000000:b.bin" : name;
    for (const char* const axes : {"0", "1", "0,1"})
      ExpectFailsAsInMemory({"reduce-max", spec, "--axes", axes});
  }
}

TEST_F(Stream, MoreInputsThanMayBeOpenAtOnceAreComputedInMemory) {
  const ProcessResult result = Shell(
      "ulimit -n 64; set --; for i in $(seq 200); do set -- \"$@\" row.npy; done; "
      "supremum max \"$@\" -o y.npy --json -");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("streamed")));
  EXPECT_EQ(ReadText(File("y.npy")), ReadText(File("row.npy")));
}

TEST_F(Stream, ATerminalShowsTheShareThatIsDone) {
  MakeZeros("z.bin", 2048 * kMiB);
  const ProcessResult result =
      Supremum({"reduce-max", "z:f32:8192x65536:z.bin", "--axes", "1", "-o", "y.bin", "--threads", "1"},
               {.terminal = true});
  EXPECT_EQ(result.status, 0) << result.out;
  // On a machine so fast that there is nothing to wait for, nothing is shown.
  if (result.out.find("y.bin") != std::string::npos) {
    EXPECT_THAT(result.out, HasSubstr(" %"));
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
