// How often the command opens each input: what is read twice can differ between the two.
#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>

#include "tools/command.h"

namespace supremum::test {
namespace {

// Counts how often a file is opened, by whatever process.
class Openings {
 public:
  explicit Openings(const std::string& path)
      : descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)),
        watch_(::inotify_add_watch(descriptor_, path.c_str(), IN_OPEN)) {}
  ~Openings() { ::close(descriptor_); }
  Openings(const Openings&) = delete;
  Openings& operator=(const Openings&) = delete;

  bool works() const { return watch_ >= 0; }

  /// Those since the last call.
  int Count() const {
    int count = 0;
    alignas(inotify_event) std::array<char, 4096> events;
    for (ssize_t bytes; (bytes = ::read(descriptor_, events.data(), events.size())) > 0;) {
      for (ssize_t at = 0; at < bytes; ++count) {
        inotify_event event;
        std::memcpy(&event, events.data() + at, sizeof event);
        at += static_cast<ssize_t>(sizeof event) + event.len;
      }
    }
    return count;
  }

 private:
  const int descriptor_;
  const int watch_;
};

class OpenedOnce : public CommandTest {
 protected:
  void ExpectOnce(const std::string& input, const std::vector<std::string>& arguments) const {
    const Openings openings(File(input));
    if (!openings.works()) GTEST_SKIP() << "this system does not tell who opens files";
    const ProcessResult result = Supremum(arguments);
    ASSERT_EQ(result.status, 0) << arguments[0] << ": " << result.err;
    EXPECT_EQ(openings.Count(), 1) << arguments[0] << " " << input;
  }
};

TEST_F(OpenedOnce, InputsOfMaxAndReduceMaxOfEveryFormat) {
  WriteTensor<float>("a.npy", {2, 3}, {1, 2, 3, 4, 5, 6});
  ASSERT_EQ(Supremum({"max", "a.npy", "-o", "a.pb"}).status, 0);
  WriteText(File("a.bin"), std::string(24, '\0'));
  for (const std::string input : {"a.npy", "a.pb", "a.bin"}) {
    const std::string named = input == "a.bin" ? "a:float32:2x3:a.bin" : input;
    ExpectOnce(input, {"max", named, "-o", "y.npy"});
    ExpectOnce(input, {"reduce-max", named, "-o", "y.npy"});
  }
}

TEST_F(OpenedOnce, AModelAndItsInputs) {
  WriteTensor<float>("x.npy", {2, 3}, {1, 2, 3, 4, 5, 6});
  ModelBuilder model;
  model.Input("x", onnx::TensorProto::FLOAT, {2, 3}).Output("y", onnx::TensorProto::FLOAT, std::nullopt);
  model.Node("ReduceMax", {"x"}, {"y"});
  WriteText(File("m.onnx"), model.Serialize());
  ExpectOnce("m.onnx", {"run", "m.onnx", "--input", "x=x.npy"});
  ExpectOnce("x.npy", {"run", "m.onnx", "--input", "x=x.npy"});
  ExpectOnce("m.onnx", {"check", "m.onnx"});
  ExpectOnce("m.onnx", {"extract", "m.onnx", "-o", "cases"});
  ExpectOnce("m.onnx", {"emit-c", "m.onnx", "-o", "c"});
  ExpectOnce("m.onnx", {"annotate", "m.onnx", "-o", "stated.onnx"});
  ExpectOnce("m.onnx", {"inspect", "m.onnx"});
}

}  // namespace
}  // namespace supremum::test
