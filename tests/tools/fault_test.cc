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

class Faults : public FaultTest {
 protected:
  /// `max a.npy b.npy -o y.npy`, where y.npy is there before.
  const std::vector<std::string> max_ = {"max", "a.npy", "b.npy", "-o", "y.npy", "--threads", "1"};
  const std::string old_ = "old and whole";
  std::string new_;

  void PrepareMax() {
    PrepareFuse();
    ASSERT_EQ(Supremum(max_).status, 0);
    new_ = ReadText(File("y.npy"));
  }
  void PutOld() const { WriteText(File("y.npy"), old_); }

  /// y.npy is new where the command says that all went well, and old where it does not. An error has the
  /// status of the system's errors.
  void ExpectOldOrNew(const ProcessResult& result) const {
    const std::string now = ReadText(File("y.npy"));
    if (result.status == 0) {
      EXPECT_EQ(now, new_);
    } else {
      EXPECT_EQ(result.status, 4);
      EXPECT_EQ(now, old_);
    }
    EXPECT_THAT(Leftovers(), IsEmpty());
  }

  /// Runs max_ over the old y.npy, with the fault at each call in turn.
  void ForEachCallOfMax(const Fault& fault, const std::function<void(const ProcessResult&)>& check) {
    ForEachCall(
        fault, max_, [&] { PutOld(); }, check);
  }

  /// Each call of `arguments` that reads or writes is interrupted, or does half of its work, once: the result
  /// is the new y.npy.
  void ExpectCallsAreMadeAgain(const std::vector<std::string>& arguments) {
    for (const char* const calls : {"read", "write"}) {
      for (const std::string& action : {std::string("short"), std::to_string(EINTR)}) {
        ForEachCall(
            {action, calls}, arguments, [&] { PutOld(); },
            [&](const ProcessResult& result) {
              EXPECT_EQ(result.status, 0);
              EXPECT_EQ(ReadText(File("y.npy")), new_);
            });
      }
    }
  }
};

TEST_F(Faults, KilledAtAnyMomentAnOldFileIsWhole) {
  PrepareMax();
  int killed = 0;
  ForEachCallOfMax({"kill", "write", {}, kEach}, [&](const ProcessResult& result) {
    killed += result.status == 128 + SIGKILL;
    EXPECT_THAT(ReadText(File("y.npy")), AnyOf(old_, new_));
    ExpectAndRemoveLeftovers(1);
  });
  EXPECT_GT(killed, 5);
}

TEST_F(Faults, EndedByASignalItCleansUpAndSaysSo) {
  PrepareMax();
  int ended = 0;
  ForEachCallOfMax({kTerm, "write", {}, kEach}, [&](const ProcessResult& result) {
    EXPECT_THAT(Leftovers(), IsEmpty());
    // A signal while the new file takes its name is too late.
    if (result.status == 0) {
      EXPECT_EQ(ReadText(File("y.npy")), new_);
      return;
    }
    EXPECT_EQ(result.status, 128 + SIGTERM);
    EXPECT_THAT(result.err, HasSubstr("supremum: interrupted"));
    EXPECT_EQ(ReadText(File("y.npy")), old_);
    ++ended;
  });
  EXPECT_GT(ended, 5);
}

TEST_F(Faults, AFullDiskAtAnyCallLeavesTheOldFile) {
  PrepareMax();
  int refused = 0;
  for (const int error : {ENOSPC, EIO, EDQUOT}) {
    ForEachCallOfMax({std::to_string(error), "write", {}, kEach}, [&](const ProcessResult& result) {
      ExpectOldOrNew(result);
      refused += result.status == 4;
    });
  }
  EXPECT_GT(refused, 10);
}

TEST_F(Faults, ADiskThatCannotBeReadIsAnError) {
  PrepareMax();
  int refused = 0;
  ForEachCallOfMax({std::to_string(EIO), "read"}, [&](const ProcessResult& result) {
    ExpectOldOrNew(result);
    refused += result.status == 4;
  });
  EXPECT_GT(refused, 3 / kStep);
}

TEST_F(Faults, CallsThatAreInterruptedOrDoHalfOfTheirWorkAreMadeAgain) {
  PrepareMax();
  ExpectCallsAreMadeAgain(max_);
}

TEST_F(Faults, OfSeveralOutputsEachIsOldOrNewAndAnErrorLeavesAllAsTheyWere) {
  ModelBuilder model;
  model.Input("a", kFloat, {2, 3}).Output("y", kFloat, {2, 3}).Output("z", kFloat, {2, 3});
  model.Node("Max", {"a"}, {"y"});
  model.Node("Identity", {"a"}, {"z"});
  PrepareFuse();
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

// Errors of permissions, of other file systems, of tables that are full.
TEST_F(Faults, AnyErrorAtAnyCallThatWritesLeavesTheOldFile) {
  PrepareMax();
  for (const int error : {EACCES, EPERM, EROFS, EXDEV, EMFILE, ENOMEM, EBUSY, EINVAL}) {
    SCOPED_TRACE(error);
    ForEachCallOfMax({std::to_string(error), "write"},
                     [&](const ProcessResult& result) { ExpectOldOrNew(result); });
  }
}

TEST_F(Faults, AnyErrorAtAnyCallThatReadsLeavesTheOldFile) {
  PrepareMax();
  for (const int error : {EACCES, ENOENT, EMFILE, ENOMEM, ESTALE}) {
    SCOPED_TRACE(error);
    ForEachCallOfMax({std::to_string(error), "read"},
                     [&](const ProcessResult& result) { ExpectOldOrNew(result); });
  }
}

// Also where an object is destroyed whose destructor allocates.
TEST_F(Faults, NoMemoryFromAnyCallOnLeavesTheOldFile) {
  if (kSanitized) GTEST_SKIP() << "sanitizers have an allocator of their own";
  PrepareMax();
  for (const char* const calls : {"read", "write"}) {
    ForEachCallOfMax({"memory", calls}, [&](const ProcessResult& result) { ExpectOldOrNew(result); });
    for (const std::vector<std::string>& verb :
         {std::vector<std::string>{"check", "fuse.onnx"}, {"inspect", "a.npy"}}) {
      std::vector<std::string> arguments = verb;
      arguments.insert(arguments.end(), {"--json", "r.json"});
      ForEachCall(
          {"memory", calls}, arguments, [&] { WriteText(File("r.json"), old_); },
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
  PrepareMax();
  int refused = 0;
  for (const int error : {ENOSPC, EIO, EROFS}) {
    ForEachCallOfMax({std::to_string(error), "write", {{"FAULT_LASTING", "1"}}},
                     [&](const ProcessResult& result) {
                       ExpectOldOrNew(result);
                       refused += result.status == 4;
                     });
  }
  EXPECT_GT(refused, 10 / kStep);
}

// A file on another machine ends where another process cuts it.
TEST_F(Faults, AFileThatEndsAtAnyCallIsAnError) {
  PrepareMax();
  int refused = 0;
  for (const Environment& lasting : {Environment(), Environment{{"FAULT_LASTING", "1"}}}) {
    ForEachCallOfMax({"end", "read", lasting}, [&](const ProcessResult& result) {
      const std::string now = ReadText(File("y.npy"));
      EXPECT_EQ(now, result.status == 0 ? new_ : old_);
      EXPECT_TRUE(result.status == 0 || result.status == 3 || result.status == 4) << result.status;
      EXPECT_THAT(Leftovers(), IsEmpty());
      refused += result.status != 0;
    });
  }
  EXPECT_GT(refused, 3 / kStep);
}

// Every read is of half of what is asked for, and every write.
TEST_F(Faults, CallsThatAlwaysDoHalfOfTheirWorkAreMadeAgain) {
  PrepareMax();
  for (const char* const calls : {"read", "write"}) {
    ForEachCallOfMax({"short", calls, {{"FAULT_LASTING", "1"}}}, [&](const ProcessResult& result) {
      EXPECT_EQ(result.status, 0);
      EXPECT_EQ(ReadText(File("y.npy")), new_);
    });
  }
}

/// Runs of several tiles.
class StreamFaults : public Faults {
 protected:
  using Arguments = std::vector<std::string>;

  static Arguments Streamed(const Arguments& arguments) {
    return With(arguments, {"-o", "y.npy", "--threads", "1"});
  }
  const std::vector<Arguments> runs_ = {Streamed({"max", "big.npy", "row.npy"}),
                                        Streamed({"reduce-max", "big.npy"}),
                                        Streamed({"reduce-max", "big.npy", "--axes", "0"})};

  void SetUp() override {
    std::vector<float> values(600'000);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i * 7919 % 100'003) - 50'000;
    WriteTensor<float>("big.npy", {600, 1000}, values);
    WriteTensor<float>("row.npy", {1000}, std::vector<float>(1000, 3));
  }

  /// Sets new_ to the output of `run`.
  void PrepareRun(const Arguments& run) {
    ASSERT_EQ(Supremum(run).status, 0);
    new_ = ReadText(File("y.npy"));
    ASSERT_GT(new_.size(), 100u);
  }

  /// Each of the runs with the fault at each call in turn. `check` returns whether the fault had the effect
  /// that the test is about, which must be more than `least` times.
  void ForEachCallOfRuns(const Fault& fault, int least,
                         const std::function<bool(const ProcessResult&)>& check) {
    for (const Arguments& run : runs_) {
      ASSERT_NO_FATAL_FAILURE(PrepareRun(run));
      int effects = 0;
      ForEachCall(
          fault, run, [&] { PutOld(); }, [&](const ProcessResult& result) { effects += check(result); });
      EXPECT_GT(effects, least);
    }
  }
};

TEST_F(StreamFaults, KilledAtAnyMomentTheOldFileIsWhole) {
  ForEachCallOfRuns({"kill", "write", {}, kEach}, 3, [&](const ProcessResult&) {
    EXPECT_THAT(ReadText(File("y.npy")), AnyOf(old_, new_));
    const bool left = !Leftovers().empty();
    ExpectAndRemoveLeftovers(1);
    return left;
  });
}

TEST_F(StreamFaults, EndedByASignalTheyLeaveTheOldFile) {
  ForEachCallOfRuns({kTerm, "write", {{"FAULT_WAIT", "200"}}, kEach}, 0, [&](const ProcessResult& result) {
    EXPECT_EQ(ReadText(File("y.npy")), result.status == 0 ? new_ : old_);
    EXPECT_THAT(Leftovers(), IsEmpty());
    if (result.status == 0) return false;
    EXPECT_THAT(result.err, HasSubstr("supremum: interrupted"));
    return true;
  });
}

TEST_F(StreamFaults, AFullDiskAtAnyCallLeavesTheOldFile) {
  ForEachCallOfRuns({std::to_string(ENOSPC), "write", {}, kEach}, 3, [&](const ProcessResult& result) {
    ExpectOldOrNew(result);
    return result.status != 0;
  });
}

TEST_F(StreamFaults, CallsThatAreInterruptedOrDoHalfOfTheirWorkAreMadeAgain) {
  ASSERT_NO_FATAL_FAILURE(PrepareRun(runs_[0]));
  ExpectCallsAreMadeAgain(runs_[0]);
}

TEST_F(StreamFaults, ADiskThatCannotBeReadIsAnError) {
  ForEachCallOfRuns({std::to_string(EIO), "read"}, 3 / kStep, [&](const ProcessResult& result) {
    ExpectOldOrNew(result);
    return result.status != 0;
  });
}

// At each call: which of them opens a folder differs from run to run.
TEST_F(Faults, FoldersAreOpenedAgainAfterAnInterruption) {
  WriteOneCase("two");
  WriteTensor<float>("x.npy", {2}, {-9, -9});
  fs::create_directories(File("data"));
  WriteTensor<float>("t.bin", {2}, {1, 2});
  fs::rename(File("t.bin"), File("data/w.bin"));
  ModelBuilder model;
  model.Input("x", kFloat, {2}).Output("y", kFloat, {2}).Node("Max", {"x", "w"}, {"y"});
  model.Initializer(ExternalTensorProto("w", kFloat, {2}, {{"location", "data/w.bin"}}));
  model.Save(File("m.onnx"));
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"gen-conformance", "kit", "--cases", "cases"},
        {"run", "m.onnx", "-i", "x.npy", "--allow-external-data", "--output-dir", "."}}) {
    SCOPED_TRACE(arguments[0]);
    ForEachCall(
        {std::to_string(EINTR), "read", {{"FAULT_PROGRAM", "supremum"}}, kSanitized ? 3 : 1}, arguments,
        [&] { fs::remove_all(File("kit")); },
        [](const ProcessResult& result) {
          // The C++ library opens folders once.
          if (result.err.find("cannot list") != std::string::npos) return;
          EXPECT_EQ(result.status, 0);
        });
  }
}

TEST_F(Faults, ATargetThatCannotBeWrittenIsLeftAlone) {
  PrepareMax();
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
    EXPECT_EQ(now, new_);
  } else {
    ExpectFailure(result, 4, {"locked/y.npy"});
    EXPECT_EQ(now, old_);
  }
  const ProcessResult proc = Supremum({"max", "a.npy", "b.npy", "-o", "/proc/y.npy"});
  ExpectFailure(proc, 4, {"/proc/y.npy"});
}

}  // namespace
}  // namespace supremum::test
