// Faults in every verb that writes files: each system call in turn fails, or the command is killed there.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tools/faults.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

using ::testing::IsEmpty;

/// Every other verb that writes: with an error at each call in turn, with a disk that is full from there on,
/// or killed there, each file is an old one or a new one, whole.
class VerbFaults : public FaultTest {
 protected:
  struct Verb {
    std::vector<std::string> arguments;
    std::vector<std::string> outputs;
  };
  const std::vector<Verb> verbs_ = {
      {{"max", "a.npy", "b.npy", "--bound", "0=e.npy", "-o", "y.npz", "--threads", "1"},
       {"y.npz", "y.bound.npz", "y.lower.npz", "y.upper.npz"}},
      {{"reduce-max", "a.npy", "-o", "y.safetensors"}, {"y.safetensors"}},
      {{"check", "fuse.onnx", "--sarif", "r.sarif", "--json", "r.json"}, {"r.sarif", "r.json"}},
      {{"annotate", "fuse.onnx", "-o", "stated.onnx"}, {"stated.onnx"}},
      {{"emit-c", "fuse.onnx", "-o", "c"}, {"c/fuse.c", "c/fuse.h", "c/fuse.json"}}};

  void SetUp() override {
    PrepareVerbs();
    fs::create_directories(File("tmp"));
  }

  void RemoveOutputs(const Verb& verb) const {
    for (const std::string& output : verb.outputs) fs::remove(File(output));
  }

  void ExpectAllOrNone(const ProcessResult& result, std::size_t made, std::size_t all) const {
    EXPECT_THAT(Leftovers(), IsEmpty());
    if (result.status <= 1) {
      EXPECT_EQ(made, all);
      return;
    }
    EXPECT_EQ(result.status, 4);
    // A text that cannot be written either is missing.
    const bool naming = result.err.empty() || result.err.find("cannot be replaced") != std::string::npos;
    EXPECT_TRUE(made == 0 || (naming && made < all));
  }

  /// `check` gets the outputs that there are, before which there were none.
  void ForEachCallOfEveryVerb(
      const std::string& action, const std::string& calls, const Environment& more,
      const std::function<void(const ProcessResult&, std::size_t made, std::size_t all)>& check) {
    for (const Verb& verb : verbs_) {
      SCOPED_TRACE(verb.arguments[0]);
      Environment environment = {{"TMPDIR", File("tmp")}, {"FAULT_PROGRAM", "supremum"}};
      environment.insert(environment.end(), more.begin(), more.end());
      for (int count = 0;; count += kStep) {
        ASSERT_LT(count, 3000);
        RemoveOutputs(verb);
        fs::remove(File("mark"));
        const ProcessResult result =
            Supremum(verb.arguments, {.environment = EnvironmentOf({action, calls, environment}, count)});
        SCOPED_TRACE(action + " at call " + std::to_string(count) + ": status " +
                     std::to_string(result.status) + ", " + result.err);
        const auto made = static_cast<std::size_t>(
            std::ranges::count_if(verb.outputs, [&](const std::string& name) { return Exists(name); }));
        if (!Exists("mark")) {
          EXPECT_LE(result.status, 1) << "without a fault";
          ASSERT_GT(count, 0) << "this shows nothing";
          break;
        }
        ASSERT_NO_FATAL_FAILURE(check(result, made, verb.outputs.size()));
      }
      RemoveOutputs(verb);
    }
  }
};

// After the first of several files has its name, an error of the system leaves the others as they were.
TEST_F(VerbFaults, AFullDiskAtAnyCallMakesNoFileUnlessItIsWhileTheyAreNamed) {
  for (const Environment& lasting : {Environment(), Environment{{"FAULT_LASTING", "1"}}}) {
    ForEachCallOfEveryVerb(std::to_string(ENOSPC), "write", lasting,
                           [&](const ProcessResult& result, std::size_t made, std::size_t all) {
                             ExpectAllOrNone(result, made, all);
                           });
  }
}

TEST_F(VerbFaults, ADiskThatCannotBeReadMakesNoFileUnlessItIsWhileTheyAreNamed) {
  ForEachCallOfEveryVerb(std::to_string(EIO), "read", {},
                         [&](const ProcessResult& result, std::size_t made, std::size_t all) {
                           ExpectAllOrNone(result, made, all);
                         });
}

TEST_F(VerbFaults, CallsThatAreInterruptedOrDoHalfOfTheirWorkAreMadeAgain) {
  for (const char* const calls : {"read", "write"}) {
    for (const std::string& action : {std::string("short"), std::to_string(EINTR)}) {
      ForEachCallOfEveryVerb(action, calls, {},
                             [&](const ProcessResult& result, std::size_t made, std::size_t all) {
                               // The C++ library opens folders once.
                               if (result.err.find("cannot list") != std::string::npos) return;
                               EXPECT_LE(result.status, 1);
                               EXPECT_EQ(made, all);
                             });
    }
  }
}

TEST_F(VerbFaults, KilledAtAnyMomentEachFileIsThereWholeOrNot) {
  ForEachCallOfEveryVerb("kill", "write", {}, [&](const ProcessResult& result, std::size_t, std::size_t all) {
    ExpectAndRemoveLeftovers(all);
    for (const char* const name : {"y.npz", "y.bound.npz", "y.lower.npz", "y.upper.npz", "y.safetensors"}) {
      if (!Exists(name)) continue;
      const ProcessResult read = Supremum({"inspect", name});
      EXPECT_EQ(read.status, 0) << read.err << result.status;
    }
    if (Exists("stated.onnx")) {
      EXPECT_LE(Supremum({"check", "stated.onnx"}).status, 1);
    }
    for (const char* const name : {"r.json", "r.sarif"}) {
      if (!Exists(name)) continue;
      EXPECT_THAT(ReadText(File(name)), ::testing::EndsWith("}\n")) << name;
    }
  });
}

}  // namespace
}  // namespace supremum::test
