// Faults while files are read and written: each system call in turn fails, or the command is killed there.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>

#include "tools/faults.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// How a run with a fault ends.
enum class End {
  kOldOrNew,   ///< with status 0 and the new file, or 4 and the old one
  kCut,        ///< the same, or 3 and the old one
  kKilled,     ///< with one of both files, and at most one temporary file
  kSignalled,  ///< with the old file and a text, or too late for the signal
  kMadeAgain   ///< as without the fault
};

class Faults : public FaultTest {
 protected:
  using Arguments = std::vector<std::string>;

  const Arguments max_ = {"max", "a.npy", "b.npy", "-o", "y.npy", "--threads", "1"};
  const std::string old_ = "old and whole";

  void SetUp() override { PrepareFuse(); }

  /// Each of the runs over an old y.npy, with each fault at each of its calls in turn. More than `least` of
  /// each run have an effect: the old file, or for kKilled a temporary file.
  void ExpectOfEachCall(const std::vector<Arguments>& runs, const std::vector<Fault>& faults, End end,
                        int least) {
    for (const Arguments& run : runs) {
      SCOPED_TRACE(run[0]);
      ASSERT_EQ(Supremum(run).status, 0);
      const std::string whole = ReadText(File("y.npy"));
      ASSERT_GT(whole.size(), 100u);
      int effects = 0;
      for (const Fault& fault : faults) {
        ForEachCall(
            fault, run, [&] { WriteText(File("y.npy"), old_); },
            [&](const ProcessResult& result) { effects += HasEffect(result, end, whole); });
      }
      EXPECT_GT(effects, least);
    }
  }
  static std::vector<Fault> Errors(const std::vector<int>& errors, const std::string& calls, int step = kStep,
                                   const Environment& environment = {}) {
    std::vector<Fault> faults;
    for (const int error : errors) faults.push_back({std::to_string(error), calls, environment, step});
    return faults;
  }
  static std::vector<Fault> InterruptedOrShort() {
    std::vector<Fault> faults;
    for (const char* const calls : {"read", "write"}) {
      for (const std::string& action : {std::string("short"), std::to_string(EINTR)})
        faults.push_back({action, calls});
    }
    return faults;
  }

 private:
  bool HasEffect(const ProcessResult& result, End end, const std::string& whole) const {
    const std::string now = ReadText(File("y.npy"));
    if (end == End::kKilled) {
      EXPECT_THAT(now, AnyOf(old_, whole));
      const bool left = !Leftovers().empty();
      ExpectAndRemoveLeftovers(1);
      return left;
    }
    EXPECT_THAT(Leftovers(), IsEmpty());
    EXPECT_EQ(now, result.status == 0 ? whole : old_);
    if (result.status == 0) return false;
    EXPECT_NE(end, End::kMadeAgain);
    if (end == End::kSignalled) {
      EXPECT_EQ(result.status, 128 + SIGTERM);
      EXPECT_THAT(result.err, HasSubstr("supremum: interrupted"));
    } else {
      EXPECT_TRUE(result.status == 4 || (end == End::kCut && result.status == 3)) << result.status;
    }
    return true;
  }
};

TEST_F(Faults, OfSeveralOutputsEachIsOldOrNewAndAnErrorLeavesAllAsTheyWere) {
  ModelBuilder model;
  model.Input("a", kFloat, {2, 3}).Output("y", kFloat, {2, 3}).Output("z", kFloat, {2, 3});
  model.Node("Max", {"a"}, {"y"});
  model.Node("Identity", {"a"}, {"z"});
  model.Save(File("two.onnx"));
  const std::vector<std::string> run = {"run", "two.onnx", "-i", "a.npy", "-d", "out", "--json", "r.json"};
  ASSERT_EQ(Supremum(run).status, 0);
  const std::string whole = ReadText(File("out/y.npy"));
  const auto put_old = [&] {
    for (const char* const name : {"out/y.npy", "out/z.npy", "r.json"}) WriteText(File(name), old_);
  };
  for (const std::string& action : {std::to_string(ENOSPC), std::string("kill")}) {
    ForEachCall({action, "write"}, run, put_old, [&](const ProcessResult& result) {
      const std::string y = ReadText(File("out/y.npy")), z = ReadText(File("out/z.npy"));
      EXPECT_THAT(y, AnyOf(old_, whole));
      EXPECT_THAT(z, AnyOf(old_, whole));
      if (result.status == 0) {
        EXPECT_EQ(y + z, whole + whole);
      }
      const std::string json = ReadText(File("r.json"));
      EXPECT_TRUE(json == old_ || json.ends_with("}\n")) << json;
      ExpectAndRemoveLeftovers(action == "kill" ? 3 : 0);
    });
  }
}

// Errors of the disk, of permissions, of other file systems, of tables that are full.
TEST_F(Faults, AnyErrorAtAnyCallThatWritesLeavesTheOldFile) {
  ExpectOfEachCall({max_},
                   Errors({ENOSPC, EIO, EDQUOT, EACCES, EPERM, EROFS, EXDEV, EMFILE, ENOMEM, EBUSY, EINVAL},
                          "write", kEach),
                   End::kOldOrNew, 10);
}

TEST_F(Faults, AnyErrorAtAnyCallThatReadsLeavesTheOldFile) {
  ExpectOfEachCall({max_}, Errors({EIO, EACCES, ENOENT, EMFILE, ENOMEM, ESTALE}, "read"), End::kOldOrNew,
                   3 / kStep);
}

// Also where an object is destroyed whose destructor allocates.
TEST_F(Faults, NoMemoryFromAnyCallOnLeavesTheOldFile) {
  if (kSanitized) GTEST_SKIP() << "sanitizers have an allocator of their own";
  for (const char* const calls : {"read", "write"}) {
    ExpectOfEachCall({max_}, {{"memory", calls}}, End::kOldOrNew, -1);
    for (const Arguments& verb : {Arguments{"check", "fuse.onnx"}, {"inspect", "a.npy"}}) {
      ForEachCall(
          {"memory", calls}, With(verb, {"--json", "r.json"}), [&] { WriteText(File("r.json"), old_); },
          [&](const ProcessResult& result) {
            EXPECT_THAT(result.status, AnyOf(0, 4));
            EXPECT_EQ(ReadText(File("r.json")) == old_, result.status != 0);
            EXPECT_THAT(Leftovers(), IsEmpty());
          });
    }
  }
}

// The disk is full from one call on, so that nothing can be written while cleaning up either.
TEST_F(Faults, ADiskThatIsFullFromACallOnLeavesTheOldFile) {
  ExpectOfEachCall({max_}, Errors({ENOSPC, EIO, EROFS}, "write", kStep, {{"FAULT_LASTING", "1"}}),
                   End::kOldOrNew, 10 / kStep);
}

// A file on another machine ends where another process cuts it.
TEST_F(Faults, AFileThatEndsAtAnyCallIsAnError) {
  ExpectOfEachCall({max_}, {{"end", "read"}, {"end", "read", {{"FAULT_LASTING", "1"}}}}, End::kCut,
                   3 / kStep);
}

// Every read is of half of what is asked for, and every write.
TEST_F(Faults, CallsThatAlwaysDoHalfOfTheirWorkAreMadeAgain) {
  const Environment lasting = {{"FAULT_LASTING", "1"}};
  ExpectOfEachCall({max_}, {{"short", "read", lasting}, {"short", "write", lasting}}, End::kMadeAgain, -1);
}

/// Runs of several tiles.
class StreamFaults : public Faults {
 protected:
  const std::vector<Arguments> runs_ = {
      {"max", "big.npy", "row.npy", "-o", "y.npy", "--threads", "1"},
      {"reduce-max", "big.npy", "-o", "y.npy", "--threads", "1"},
      {"reduce-max", "big.npy", "--axes", "0", "-o", "y.npy", "--threads", "1"}};

  void SetUp() override {
    std::vector<float> values(600'000);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i * 7919 % 100'003) - 50'000;
    WriteTensor<float>("big.npy", {600, 1000}, values);
    WriteTensor<float>("row.npy", {1000}, std::vector<float>(1000, 3));
  }
};

TEST_F(StreamFaults, KilledAtAnyMomentTheOldFileIsWhole) {
  ExpectOfEachCall(runs_, {{"kill", "write", {}, kEach}}, End::kKilled, 3);
}

TEST_F(StreamFaults, EndedByASignalTheyLeaveTheOldFile) {
  ExpectOfEachCall(runs_, {{kTerm, "write", {{"FAULT_WAIT", "200"}}, kEach}}, End::kSignalled, 0);
}

TEST_F(StreamFaults, AFullDiskAtAnyCallLeavesTheOldFile) {
  ExpectOfEachCall(runs_, Errors({ENOSPC}, "write", kEach), End::kOldOrNew, 3);
}

TEST_F(StreamFaults, CallsThatAreInterruptedOrDoHalfOfTheirWorkAreMadeAgain) {
  ExpectOfEachCall({runs_[0]}, InterruptedOrShort(), End::kMadeAgain, -1);
}

TEST_F(StreamFaults, ADiskThatCannotBeReadIsAnError) {
  ExpectOfEachCall(runs_, Errors({EIO}, "read"), End::kOldOrNew, 3 / kStep);
}

// At each call: which of them opens a folder differs from run to run.
TEST_F(Faults, FoldersAreOpenedAgainAfterAnInterruption) {
  WriteTensor<float>("x.npy", {2}, {-9, -9});
  fs::create_directories(File("data"));
  WriteTensor<float>("t.bin", {2}, {1, 2});
  fs::rename(File("t.bin"), File("data/w.bin"));
  ModelBuilder model;
  model.Input("x", kFloat, {2}).Output("y", kFloat, {2}).Node("Max", {"x", "w"}, {"y"});
  model.Initializer(ExternalTensorProto("w", kFloat, {2}, {{"location", "data/w.bin"}}));
  model.Save(File("m.onnx"));
  ForEachCall(
      {std::to_string(EINTR), "read", {{"FAULT_PROGRAM", "supremum"}}, kSanitized ? 3 : 1},
      {"run", "m.onnx", "-i", "x.npy", "--allow-external-data", "--output-dir", "."}, [] {},
      [](const ProcessResult& result) {
        // The C++ library opens folders once.
        if (result.err.find("cannot list") != std::string::npos) return;
        EXPECT_EQ(result.status, 0);
      });
}

TEST_F(Faults, ATargetThatCannotBeWrittenIsLeftAlone) {
  ASSERT_EQ(Supremum(max_).status, 0);
  fs::create_directory(File("locked"));
  WriteText(File("locked/y.npy"), old_);
  fs::permissions(File("locked/y.npy"), fs::perms::owner_read);
  fs::permissions(File("locked"), fs::perms::owner_read | fs::perms::owner_exec);
  const ProcessResult result = Supremum({"max", "a.npy", "b.npy", "-o", "locked/y.npy"});
  const std::string now = ReadText(File("locked/y.npy"));
  fs::permissions(File("locked"), fs::perms::owner_all);
  // Permissions do not bind root.
  if (::geteuid() == 0) {
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(now, ReadText(File("y.npy")));
  } else {
    ExpectFailure(result, 4, {"locked/y.npy"});
    EXPECT_EQ(now, old_);
  }
  const ProcessResult proc = Supremum({"max", "a.npy", "b.npy", "-o", "/proc/y.npy"});
  ExpectFailure(proc, 4, {"/proc/y.npy"});
}

}  // namespace
}  // namespace supremum::test
