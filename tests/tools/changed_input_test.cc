// Inputs that another process changes in place while they are read, with the same size and with their times
// set back, at each call that reads in turn. The result is that of the old file or of the new one, or there
// is none.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <tuple>
#include <utility>

#include "support/clock.h"
#include "tools/faults.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

using ::testing::AnyOf;
using ::testing::HasSubstr;

/// The times of a file, which Restore() gives to the file that is there then.
class Times {
 public:
  explicit Times(const std::string& path) : path_(path) {
    struct stat status = {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    times_[0] = status.st_atim;
    times_[1] = status.st_mtim;
    size_ = static_cast<std::uintmax_t>(status.st_size);
  }
  void Restore() const {
    ASSERT_EQ(fs::file_size(path_), size_);
    ASSERT_EQ(::utimensat(AT_FDCWD, path_.c_str(), times_, 0), 0);
  }

 private:
  std::string path_;
  timespec times_[2] = {};
  std::uintmax_t size_ = 0;
};

/// Replaces a file by another of the same name, size and time of modification, as `cp -p` and rsync do.
void ReplaceUnseen(const std::string& path, const std::string& content) {
  const Times times(path);
  WriteText(path + ".new", content);
  fs::rename(path + ".new", path);
  times.Restore();
}

class ChangedInput : public FaultTest {
 protected:
  ProcessResult WithFault(const std::vector<std::string>& arguments, const std::string& action,
                          const std::string& calls, int count) const {
    const Fault fault = {action, calls, {{"FAULT_FILE", File(changing_)}, {"FAULT_WITH", File("after")}}};
    return Supremum(arguments, {.environment = EnvironmentOf(fault, count)});
  }

  /// The files `before` and `after` are there. With one of them as `name`, the command makes the file
  /// `made_`.
  void ExpectOldOrNewOrRefused(const std::string& name, const std::vector<std::string>& arguments) {
    changing_ = name;
    const std::string before = ReadText(File("before")), after = ReadText(File("after"));
    ASSERT_EQ(before.size(), after.size());
    ASSERT_NE(before, after);
    const auto result_of = [&](const std::string& content) {
      WriteText(File(name), content);
      const ProcessResult result = Supremum(arguments);
      EXPECT_EQ(result.status, 0) << result.err;
      const std::string bytes = ReadText(File(made_));
      fs::remove(File(made_));
      return bytes;
    };
    const std::string made_of_after = result_of(after), made_of_before = result_of(before);
    ASSERT_NE(made_of_before, made_of_after);
    int refused = 0;
    for (int count = 0;; ++count) {
      ASSERT_LT(count, 2000) << "no end";
      fs::remove(File("mark"));
      fs::remove(File(name));
      WriteText(File(name), before);
      WaitForClock(File(name));
      const ProcessResult result = WithFault(arguments, "change", "read", count);
      SCOPED_TRACE("changed at call " + std::to_string(count) + ": status " + std::to_string(result.status) +
                   ", " + result.err);
      if (result.status == 0) {
        EXPECT_THAT(ReadText(File(made_)), AnyOf(made_of_before, made_of_after));
      } else {
        ++refused;
        EXPECT_EQ(result.status, 4);
        EXPECT_THAT(result.err,
                    HasSubstr(fs::path(name).filename().string() + "' was changed while it was read"));
        EXPECT_FALSE(Exists(made_));
      }
      fs::remove(File(made_));
      if (!Exists("mark")) break;
    }
    EXPECT_GT(refused, 0);
  }

  /// `before` and `after`: that tensor, of other elements.
  void WriteBeforeAndAfter(const std::string& ending, const Shape& shape = {50, 100}) const {
    std::vector<float> low(static_cast<std::size_t>(*ElementCount(shape))), high(low.size());
    for (std::size_t i = 0; i < low.size(); ++i) {
      low[i] = static_cast<float>(i);
      high[i] = -static_cast<float>(i) - 1;
    }
    for (const auto& [name, values] : {std::pair("before", low), std::pair("after", high)}) {
      WriteTensor<float>(name + ending, shape, values);
      fs::rename(File(name + ending), File(name));
    }
  }

  /// Max of one file with that ending.
  void ExpectOldOrNewOrRefusedOf(const std::string& ending) {
    WriteBeforeAndAfter(ending);
    const std::string name = "x" + ending;
    ExpectOldOrNewOrRefused(name, {"max", ending == ".bin" ? "t:f32:50x100:x.bin" : name, "-o", made_});
  }

  std::string changing_;
  std::string made_ = "y.npy";
};

TEST_F(ChangedInput, OfNpy) { ExpectOldOrNewOrRefusedOf(".npy"); }
TEST_F(ChangedInput, OfRaw) { ExpectOldOrNewOrRefusedOf(".bin"); }
TEST_F(ChangedInput, OfNpz) { ExpectOldOrNewOrRefusedOf(".npz"); }
TEST_F(ChangedInput, OfSafetensors) { ExpectOldOrNewOrRefusedOf(".safetensors"); }
TEST_F(ChangedInput, OfTensorProto) { ExpectOldOrNewOrRefusedOf(".pb"); }

TEST_F(ChangedInput, OfNpyInFortranOrder) {
  WriteBeforeAndAfter(".npy");
  for (const char* const name : {"before", "after"}) {
    std::string bytes = ReadText(File(name));
    bytes.replace(bytes.find("False"), 5, "True ");
    WriteText(File(name), bytes);
  }
  ExpectOldOrNewOrRefused("x.npy", {"max", "x.npy", "-o", "y.npy"});
}

TEST_F(ChangedInput, OfNpyOfBools) {
  for (const auto& [name, value] : {std::pair("before", '\0'), std::pair("after", '\1')}) {
    Tensor tensor = std::move(Tensor::Create(DType::kBool, Shape{5000})).value();
    std::ranges::fill(tensor.bytes(), static_cast<std::byte>(value));
    io::WriteTensor(File("t.npy"), io::TensorFormat::kNpy, "", tensor).value();
    fs::rename(File("t.npy"), File(name));
  }
  ExpectOldOrNewOrRefused("x.npy",
                          {"reduce-max", "x.npy", "--axes", "", "--noop-with-empty-axes", "-o", "y.npy"});
}

TEST_F(ChangedInput, ThatIsStreamed) {
  WriteBeforeAndAfter(".npy");
  ExpectOldOrNewOrRefused("x.npy", {"max", "x.npy", "-o", "y.npy", "--resume", "--threads", "1"});
  ExpectOldOrNewOrRefused(
      "x.npy", {"reduce-max", "x.npy", "--axes", "1", "-o", "y.npy", "--resume", "--threads", "1"});
}

TEST_F(ChangedInput, OfAModel) {
  WriteTensor<float>("x.npy", {2000}, std::vector<float>(2000, -9));
  for (const auto& [name, value] : {std::pair("before", 1.0F), std::pair("after", 2.0F)}) {
    ModelBuilder model;
    model.Input("x", kFloat, {2000}).Output("y", kFloat, {2000});
    model.Initializer("w", kFloat, {2000}, std::vector<float>(2000, value));
    model.Node("Max", {"x", "w"}, {"y"});
    model.Save(File(name));
  }
  ExpectOldOrNewOrRefused("m.onnx", {"run", "m.onnx", "-i", "x.npy", "-d", "."});
}

TEST_F(ChangedInput, OfAnInputOfAModel) {
  FuseModel({50, 100}, {50, 100}, {50, 100}).Save(File("m.onnx"));
  WriteTensor<float>("b.npy", {50, 100}, std::vector<float>(5000, -9999));
  WriteBeforeAndAfter(".npy");
  ExpectOldOrNewOrRefused("a.npy", {"run", "m.onnx", "-i", "a.npy", "-i", "b.npy", "-d", "."});
}

TEST_F(ChangedInput, OfExternalData) {
  WriteTensor<float>("x.npy", {2000}, std::vector<float>(2000, -9));
  // Two tensors in one file: what is read of it for the one must belong to what is read for the other.
  ModelBuilder model;
  model.Input("x", kFloat, {2000}).Output("y", kFloat, {2000});
  for (const char* const offset : {"0", "8000"}) {
    model.Initializer(ExternalTensorProto(std::string("w") + offset, kFloat, {2000},
                                          {{"location", "w.bin"}, {"offset", offset}, {"length", "8000"}}));
  }
  model.Node("Max", {"x", "w0", "w8000"}, {"y"});
  model.Save(File("m.onnx"));
  // Of the old elements the first tensor has the greater ones, of the new ones the second.
  for (const auto& [name, first, second] : {std::tuple("before", 3.0F, 1.0F), {"after", 2.0F, 4.0F}}) {
    std::vector<float> values(4000, first);
    std::fill(values.begin() + 2000, values.end(), second);
    WriteTensor<float>("t.bin", {4000}, values);
    fs::rename(File("t.bin"), File(name));
  }
  ExpectOldOrNewOrRefused("w.bin",
                          {"run", "m.onnx", "-i", "x.npy", "--allow-external-data", "--output-dir", "."});
}

TEST_F(ChangedInput, OfAGraphOfOneDnn) {
  WriteTensor<float>("x.npy", {2, 2}, {1, 2, 3, 4});
  for (const auto& [name, axis] : {std::pair("before", "0"), std::pair("after", "1")}) {
    WriteText(File(name),
              std::string(R"({"version": "3.0.0", "graph": [{"id": 0, "name": "best", "kind": "ReduceMax",
      "attrs": {"axes": {"type": "s64[]", "value": [)") +
                  axis + R"(]}},
      "inputs": [{"id": 0, "dtype": "f32", "shape": [2, 2]}],
      "outputs": [{"id": 1, "dtype": "f32", "shape": [2]}]}]})");
  }
  made_ = "1.npy";
  ExpectOldOrNewOrRefused("g.json", {"run", "g.json", "--input", "x.npy", "--output-dir", "."});
}

/// Streamed runs that were interrupted, and whose input is another file when they are resumed.
class ReplacedInput : public ChangedInput {
 protected:
  void SetUp() override {
    WriteBeforeAndAfter(".bin", {600, 1000});
    fs::copy_file(File("before"), File("x.bin"));
    changing_ = "x.bin";
    // Killed one call later each time, until something is kept.
    for (int count = 0; !Kept(); ++count) {
      ASSERT_LT(count, 100);
      WithFault(run_, "kill", "write", count);
    }
  }

  bool Kept() const { return Exists(".supremum-y.npy.partial.state"); }

  void ExpectRefused() const {
    ExpectFailure(Supremum(run_), 2, {"--resume", "x.bin", "inode", "start again"});
    EXPECT_FALSE(Exists("y.npy"));
    EXPECT_TRUE(Kept());
    std::vector<std::string> anew = run_;
    anew.pop_back();
    EXPECT_EQ(Supremum(anew).status, 0);
    EXPECT_TRUE(Exists("y.npy"));
  }

  const std::vector<std::string> run_ = {"max",     "t:f32:600x1000:x.bin", "-o", "y.npy", "--threads", "1",
                                         "--resume"};
};

TEST_F(ReplacedInput, ThatIsTheSameIsGoneOnWith) {
  const ProcessResult result = Supremum(run_);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_FALSE(Kept());
}

TEST_F(ReplacedInput, OfTheSameSizeAndTimeIsRefused) {
  ReplaceUnseen(File("x.bin"), ReadText(File("after")));
  ExpectRefused();
}

TEST_F(ReplacedInput, ByACopyOfItselfIsRefused) {
  // Whether the content is the same could be told by reading all of it alone.
  ReplaceUnseen(File("x.bin"), ReadText(File("before")));
  ExpectRefused();
}

TEST_F(ReplacedInput, ThatIsOverwrittenInPlaceWithItsTimeSetBackIsRefused) {
  const Times times(File("x.bin"));
  WaitForClock(File("x.bin"));
  {
    std::fstream file(File("x.bin"), std::ios::in | std::ios::out | std::ios::binary);
    file << ReadText(File("after"));
  }
  times.Restore();
  ExpectRefused();
}

TEST_F(ReplacedInput, ThatWasMovedAwayAndBackIsRefused) {
  WaitForClock(File("x.bin"));
  fs::rename(File("x.bin"), File("elsewhere"));
  fs::rename(File("elsewhere"), File("x.bin"));
  ExpectRefused();
}

TEST_F(ReplacedInput, ByALinkToAnotherFileIsRefused) {
  ReplaceUnseen(File("x.bin"), ReadText(File("after")));
  fs::rename(File("x.bin"), File("behind"));
  fs::create_symlink("behind", File("x.bin"));
  ExpectRefused();
}

TEST_F(ReplacedInput, AndAResumeFileOfAnEarlierVersionAreRefused) {
  const std::string state = File(".supremum-y.npy.partial.state");
  std::string text = ReadText(state);
  text.replace(text.find(", 5\n"), 4, ", 4\n");
  WriteText(state, text);
  ExpectFailure(Supremum(run_), 3, {"partial.state'", "another version of supremum", "leave --resume out"});
}

// Another name, or other permissions, may be the trace of another content that was there in between.
TEST_F(ReplacedInput, ThatGotASecondNameOrOtherPermissionsIsRefused) {
  WaitForClock(File("x.bin"));
  fs::create_hard_link(File("x.bin"), File("second"));
  fs::remove(File("second"));
  ExpectFailure(Supremum(run_), 2, {"--resume", "x.bin", "inode", "start again"});
  WaitForClock(File("x.bin"));
  fs::permissions(File("x.bin"), fs::perms::owner_all);
  ExpectRefused();
}

TEST_F(ReplacedInput, ThatIsCutOrGrowsIsRefused) {
  const Times times(File("x.bin"));
  const std::string content = ReadText(File("x.bin"));
  for (const std::string& other : {content.substr(1), content + "1", std::string()}) {
    WriteText(File("x.bin"), other);
    const ProcessResult result = Supremum(run_);
    EXPECT_NE(result.status, 0);
    EXPECT_FALSE(Exists("y.npy"));
    EXPECT_TRUE(Kept());
  }
  // As before, byte for byte: it is no longer the file that was read.
  WriteText(File("x.bin"), content);
  times.Restore();
  ExpectRefused();
}

TEST_F(ReplacedInput, OfAnotherShapeTypeOrOperationIsRefused) {
  using Arguments = std::vector<std::string>;
  for (const Arguments& other :
       {Arguments{"max", "t:f32:1000x600:x.bin", "-o", "y.npy", "--resume"},
        {"max", "t:f32:600000:x.bin", "-o", "y.npy", "--resume"},
        {"max", "t:int32:600x1000:x.bin", "-o", "y.npy", "--resume"},
        {"max", "t:f16:600x2000:x.bin", "-o", "y.npy", "--resume"},
        {"max", "t:f32:600x1000:x.bin", "t:f32:600x1000:x.bin", "-o", "y.npy", "--resume"},
        {"reduce-max", "t:f32:600x1000:x.bin", "-o", "y.npy", "--resume"},
        {"reduce-max", "t:f32:600x1000:x.bin", "--axes", "", "--noop-with-empty-axes", "-o", "y.npy",
         "--resume"}}) {
    ExpectFailure(Supremum(other), 2, {"--resume: the interrupted run had", "start again"});
    EXPECT_FALSE(Exists("y.npy"));
    EXPECT_TRUE(Kept());
  }
  EXPECT_EQ(Supremum(run_).status, 0);
}

// The names stay, the files change places: the same names, sizes and times.
TEST_F(ReplacedInput, ByTheOtherInputIsRefused) {
  const std::string state = File(".supremum-z.npy.partial.state");
  fs::copy_file(File("after"), File("w.bin"));
  const std::vector<std::string> both = {
      "max", "t:f32:600x1000:x.bin", "t:f32:600x1000:w.bin", "-o", "z.npy", "--threads", "1", "--resume"};
  for (int count = 0; !fs::exists(state); ++count) {
    ASSERT_LT(count, 100);
    WithFault(both, "kill", "write", count);
  }
  fs::rename(File("x.bin"), File("t"));
  fs::rename(File("w.bin"), File("x.bin"));
  fs::rename(File("t"), File("w.bin"));
  ExpectFailure(Supremum(both), 2, {"--resume", "x.bin", "inode"});
  EXPECT_FALSE(Exists("z.npy"));
}

// What was kept for one output, under the name of another: the same inputs and operation, so that it is the
// same work, or another shape of output, which is refused.
TEST_F(ReplacedInput, NorIsWhatWasKeptTakenForAnotherOutput) {
  for (const char* const ending : {"", ".state"})
    fs::rename(File(std::string(".supremum-y.npy.partial") + ending),
               File(std::string(".supremum-z.bin.partial") + ending));
  ExpectFailure(Supremum({"max", "t:f32:600x1000:x.bin", "-o", "z.bin", "--resume"}), 2,
                {"--resume: the interrupted run had (output float32"});
  EXPECT_FALSE(Exists("z.bin"));
}

/// What an interrupted run left is changed: the result is the right one nevertheless, or there is none.
class ChangedPartial : public ChangedInput {
 protected:
  void SetUp() override {
    std::vector<float> values(600'000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    WriteTensor<float>("x.npy", {600, 1000}, values);
    changing_ = "x.npy";
  }

  /// Interrupts `run` at the call at which it has kept most.
  void Interrupt(const std::vector<std::string>& run) {
    state_.clear();
    for (const char* const name : {kPartial, kState}) fs::remove(File(name));
    ASSERT_EQ(Supremum(run).status, 0);
    right_ = ReadText(File("y.npy"));
    fs::remove(File("y.npy"));
    for (int count = 0; count < 100; ++count) {
      fs::remove(File("mark"));
      for (const char* const name : {kPartial, kState}) fs::remove(File(name));
      WithFault(run, "kill", "write", count);
      if (!Exists("mark")) break;
      if (!Exists(kState) || ReadText(File(kState)).size() < state_.size()) continue;
      partial_ = ReadText(File(kPartial));
      state_ = ReadText(File(kState));
    }
    fs::remove(File("y.npy"));
    ASSERT_NE(state_, "");
  }

  void ExpectRightOrRefused(const std::vector<std::string>& run, const std::string& partial,
                            const std::string& state) const {
    for (const auto& [name, content] : {std::pair(kPartial, partial), std::pair(kState, state)}) {
      WriteText(File(name), content);
      fs::permissions(File(name), fs::perms::owner_read | fs::perms::owner_write);
    }
    const ProcessResult result = Supremum(run);
    if (result.status == 0) {
      EXPECT_TRUE(ReadText(File("y.npy")) == right_) << state;
    } else {
      EXPECT_TRUE(result.status == 2 || result.status == 3) << result.status << result.err;
      EXPECT_FALSE(Exists("y.npy"));
    }
    fs::remove(File("y.npy"));
  }

  static constexpr const char* kPartial = ".supremum-y.npy.partial";
  static constexpr const char* kState = ".supremum-y.npy.partial.state";
  const std::vector<std::vector<std::string>> runs_ = {
      {"max", "x.npy", "-o", "y.npy", "--threads", "1", "--resume"},
      {"reduce-max", "x.npy", "--axes", "0", "-o", "y.npy", "--threads", "1", "--resume"}};
  std::string right_, partial_, state_;
};

TEST_F(ChangedPartial, ADigitOfTheResumeFileThatIsAnotherGivesNoOtherResult) {
  for (const auto& run : runs_) {
    ASSERT_NO_FATAL_FAILURE(Interrupt(run));
    // The facts are compared as they are; the numbers of what was done are these last lines.
    const std::size_t numbers = state_.rfind("fact ");
    for (std::size_t at = state_.find('\n', numbers); at < state_.size(); ++at) {
      if (state_[at] < '0' || state_[at] > '9') continue;
      std::string changed = state_;
      changed[at] = state_[at] == '9' ? '1' : '9';
      ExpectRightOrRefused(run, partial_, changed);
    }
  }
}

TEST_F(ChangedPartial, ALineOfTheResumeFileThatIsLostTwiceOrElsewhereGivesNoOtherResult) {
  for (const auto& run : runs_) {
    ASSERT_NO_FATAL_FAILURE(Interrupt(run));
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < state_.size(); at = state_.find('\n', at) + 1)
      lines.push_back(state_.substr(at, state_.find('\n', at) + 1 - at));
    const auto text = [](const std::vector<std::string>& of) {
      std::string all;
      for (const std::string& line : of) all += line;
      return all;
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::vector<std::string> changed = lines;
      changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
      ExpectRightOrRefused(run, partial_, text(changed));
      changed.push_back(lines[i]);
      ExpectRightOrRefused(run, partial_, text(changed));
      changed = lines;
      changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
      ExpectRightOrRefused(run, partial_, text(changed));
    }
    for (std::size_t size = 0; size < state_.size(); size += 29)
      ExpectRightOrRefused(run, partial_, state_.substr(0, size));
    ExpectRightOrRefused(run, partial_, state_ + state_);
  }
}

// A power failure leaves what it wants of the last writes.
TEST_F(ChangedPartial, APartialFileThatLostGainedOrChangedBytesGivesNoOtherResult) {
  for (const auto& run : runs_) {
    ASSERT_NO_FATAL_FAILURE(Interrupt(run));
    for (std::size_t part = 0; part <= 8; ++part) {
      const std::size_t at = partial_.size() * part / 8;
      ExpectRightOrRefused(run, partial_.substr(0, at), state_);
      std::string zeros = partial_;
      std::fill(zeros.begin() + static_cast<std::ptrdiff_t>(at), zeros.end(), '\0');
      ExpectRightOrRefused(run, zeros, state_);
      if (at == partial_.size()) continue;
      std::string flipped = partial_;
      flipped[at] = static_cast<char>(flipped[at] ^ 1);
      ExpectRightOrRefused(run, flipped, state_);
    }
    ExpectRightOrRefused(run, partial_ + partial_, state_);
    ExpectRightOrRefused(run, std::string(8 << 20, '\1'), state_);
  }
}

}  // namespace
}  // namespace supremum::test
