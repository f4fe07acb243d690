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
  ExpectOldOrNewOrRefused("x.npy", {"max", "x.npy", "-o", "y.npy", "--threads", "1"});
  ExpectOldOrNewOrRefused("x.npy", {"reduce-max", "x.npy", "--axes", "1", "-o", "y.npy", "--threads", "1"});
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
  // In the old file the first tensor has the greater elements, in the new file the second tensor has them.
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

}  // namespace
}  // namespace supremum::test
