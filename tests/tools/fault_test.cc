// Faults while files are read and written: at each system call in turn one goes wrong, or the command is
// killed.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "tools/command.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

using ::testing::AnyOf;
using ::testing::HasSubstr;

struct Fault {
  std::string action;
  std::string calls;
};

// Of the calls in which a fault comes, all; under sanitizers, with which each run takes ten times as long,
// every third. Nothing depends on which.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kStep = 3;
#else
constexpr int kStep = 1;
#endif

class Faults : public CommandTest {
 protected:
  /// Calls check(result) after each run of the command in which a fault came, at the first call of that kind,
  /// the second, and so on. `prepare` runs before each.
  void ForEachCall(const Fault& fault, const std::vector<std::string>& arguments,
                   const std::function<void()>& prepare,
                   const std::function<void(const ProcessResult&)>& check) {
    const char* const sanitizer = std::getenv("ASAN_OPTIONS");
    for (int count = 0;; count += kStep) {
      ASSERT_LT(count, 2000) << "no end";
      fs::remove(File("mark"));
      prepare();
      const ProcessResult result = Supremum(
          arguments, {.environment = {{"LD_PRELOAD", SUPREMUM_FAULTS},
                                      {"ASAN_OPTIONS", std::string(sanitizer == nullptr ? "" : sanitizer) +
                                                           ":verify_asan_link_order=0"},
                                      {"FAULT_ACTION", fault.action},
                                      {"FAULT_CALLS", fault.calls},
                                      {"FAULT_COUNT", std::to_string(count)},
                                      {"FAULT_MARK", File("mark")}}});
      SCOPED_TRACE(fault.action + " at call " + std::to_string(count) + ": status " +
                   std::to_string(result.status) + ", " + result.err);
      if (!Exists("mark")) {
        ASSERT_EQ(result.status, 0) << "without a fault";
        ASSERT_GT(count, 3) << "this shows nothing";
        break;
      }
      fs::remove(File("mark"));
      ASSERT_NO_FATAL_FAILURE(check(result));
    }
  }

  /// The names of files that should not be there.
  std::vector<std::string> Leftovers() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(File("x")).parent_path())) {
      const std::string name = entry.path().filename();
      if (name.starts_with(".supremum-") || name.find(".new-") != std::string::npos) names.push_back(name);
    }
    return names;
  }

  void RemoveLeftovers() const {
    for (const std::string& name : Leftovers()) fs::remove_all(File(name));
  }

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

  /// y.npy is old or new, and new where the command says that all went well. An error has a text and the
  /// status of the system's errors; if the file is new all the same, only the report could not be delivered.
  void ExpectOldOrNew(const ProcessResult& result) const {
    const std::string now = ReadText(File("y.npy"));
    if (result.status == 0) {
      EXPECT_EQ(now, new_);
    } else {
      EXPECT_EQ(result.status, 4);
      EXPECT_TRUE(now == old_ || (now == new_ && result.err.find("standard output") != std::string::npos))
          << now;
    }
    EXPECT_EQ(Leftovers().size(), 0u);
  }
};

TEST_F(Faults, KilledAtAnyMomentAnOldFileIsWhole) {
  PrepareMax();
  int killed = 0;
  ForEachCall(
      {"kill", "write"}, max_, [&] { PutOld(); },
      [&](const ProcessResult& result) {
        killed += result.status == 128 + SIGKILL;
        EXPECT_THAT(ReadText(File("y.npy")), AnyOf(old_, new_));
      });
  EXPECT_GT(killed, 5 / kStep);
  // What killed ones left, the next one removes.
  PutOld();
  EXPECT_EQ(Supremum(max_).status, 0);
  EXPECT_EQ(ReadText(File("y.npy")), new_);
  EXPECT_THAT(Leftovers(), ::testing::IsEmpty());
}

TEST_F(Faults, EndedByASignalItCleansUpAndSaysSo) {
  PrepareMax();
  int ended = 0;
  ForEachCall(
      {"term", "write"}, max_, [&] { PutOld(); },
      [&](const ProcessResult& result) {
        EXPECT_EQ(Leftovers().size(), 0u);
        // A signal while the new file takes its name may find all done.
        if (result.status == 0) {
          EXPECT_EQ(ReadText(File("y.npy")), new_);
          return;
        }
        EXPECT_EQ(result.status, 128 + SIGTERM);
        EXPECT_THAT(result.err, HasSubstr("supremum: interrupted"));
        EXPECT_THAT(ReadText(File("y.npy")), AnyOf(old_, new_));
        ++ended;
      });
  EXPECT_GT(ended, 5 / kStep);
}

TEST_F(Faults, AFullDiskAtAnyCallLeavesTheOldFile) {
  PrepareMax();
  int refused = 0;
  for (const std::string& error : {std::to_string(ENOSPC), std::to_string(EIO), std::to_string(EDQUOT)}) {
    ForEachCall(
        {error, "write"}, max_, [&] { PutOld(); },
        [&](const ProcessResult& result) {
          ExpectOldOrNew(result);
          refused += result.status == 4;
        });
  }
  EXPECT_GT(refused, 10 / kStep);
}

TEST_F(Faults, ADiskThatCannotBeReadIsAnError) {
  PrepareMax();
  int refused = 0;
  ForEachCall(
      {std::to_string(EIO), "read"}, max_, [&] { PutOld(); },
      [&](const ProcessResult& result) {
        ExpectOldOrNew(result);
        refused += result.status == 4;
      });
  EXPECT_GT(refused, 3 / kStep);
}

TEST_F(Faults, CallsThatAreInterruptedOrDoHalfOfTheirWorkAreMadeAgain) {
  PrepareMax();
  for (const char* const calls : {"read", "write"}) {
    for (const std::string& action : {std::string("short"), std::to_string(EINTR)}) {
      ForEachCall(
          {action, calls}, max_, [&] { PutOld(); },
          [&](const ProcessResult& result) {
            EXPECT_EQ(result.status, 0);
            EXPECT_EQ(ReadText(File("y.npy")), new_);
          });
    }
  }
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
      if (action != "kill") {
        EXPECT_EQ(Leftovers().size(), 0u);
      }
    });
  }
}

TEST_F(Faults, AFolderThatIsGeneratedIsThereWholeOrNot) {
  const std::vector<std::string> gen = {"gen",     "--op", "Max",      "--shape", "2,3",
                                        "--shape", "3",    "--output", "case"};
  for (const std::string& action : {std::to_string(ENOSPC), std::string("kill"), std::string("term")}) {
    ForEachCall(
        {action, "write"}, gen, [&] { fs::remove_all(File("case")); },
        [&](const ProcessResult& result) {
          if (Exists("case")) {
            EXPECT_EQ(Supremum({"test", "case"}).status, 0);
          } else {
            EXPECT_NE(result.status, 0);
          }
          if (action != "kill") {
            EXPECT_EQ(Leftovers().size(), 0u);
          }
          RemoveLeftovers();
        });
  }
}

/// Streamed runs, which another can go on with. Three tiles, of which the first is noted.
class StreamFaults : public Faults {
 protected:
  using Arguments = std::vector<std::string>;

  static Arguments Streamed(Arguments arguments) {
    arguments.insert(arguments.end(), {"-o", "y.npy", "--threads", "1", "--resume"});
    return arguments;
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

  /// What `run` makes of nothing. y.npy is then as it was before all runs.
  void PrepareRun(const Arguments& run) {
    fs::remove(File("y.npy"));
    ASSERT_EQ(Supremum(run).status, 0);
    new_ = ReadText(File("y.npy"));
    ASSERT_GT(new_.size(), 100u);
    PutOld();
  }

  /// An interrupted run left the old file; another finishes it, and leaves nothing else behind.
  void ExpectGoesOn(const Arguments& run) {
    const ProcessResult result = Supremum(run);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(ReadText(File("y.npy")), new_);
    EXPECT_THAT(Leftovers(), ::testing::IsEmpty());
    PutOld();
  }

  bool Kept() const { return Exists(".supremum-y.npy.partial.state"); }
};

TEST_F(StreamFaults, KilledAtAnyMomentTheyAreGoneOnWith) {
  for (const Arguments& run : runs_) {
    ASSERT_NO_FATAL_FAILURE(PrepareRun(run));
    int kept = 0;
    ForEachCall(
        {"kill", "write"}, run, [] {},
        [&](const ProcessResult&) {
          EXPECT_THAT(ReadText(File("y.npy")), AnyOf(old_, new_));
          kept += Kept();
          ExpectGoesOn(run);
        });
    EXPECT_GT(kept, 3 / kStep);
  }
}

TEST_F(StreamFaults, EndedByASignalTheyKeepWhatIsDoneAndSaySo) {
  for (const Arguments& run : runs_) {
    ASSERT_NO_FATAL_FAILURE(PrepareRun(run));
    int kept = 0;
    ForEachCall(
        {"term", "write"}, run, [] {},
        [&](const ProcessResult& result) {
          if (result.status != 0) {
            EXPECT_THAT(result.err, HasSubstr(Kept() ? "--resume goes on" : "supremum: interrupted"));
            kept += Kept();
            EXPECT_TRUE(Kept() || Leftovers().empty());
          }
          ExpectGoesOn(run);
        });
    EXPECT_GT(kept, 0);
  }
}

TEST_F(StreamFaults, AFullDiskAtAnyCallLeavesTheOldFileAndWhatIsDone) {
  for (const Arguments& run : runs_) {
    ASSERT_NO_FATAL_FAILURE(PrepareRun(run));
    int refused = 0;
    ForEachCall(
        {std::to_string(ENOSPC), "write"}, run, [] {},
        [&](const ProcessResult& result) {
          const bool told = result.err.find("standard output") != std::string::npos;
          EXPECT_EQ(ReadText(File("y.npy")), result.status == 0 || told ? new_ : old_) << result.err;
          if (result.status != 0) {
            EXPECT_EQ(result.status, 4);
            if (Kept()) {
              EXPECT_THAT(result.err, HasSubstr("--resume"));
            } else {
              EXPECT_THAT(Leftovers(), ::testing::IsEmpty());
            }
            ++refused;
          }
          ExpectGoesOn(run);
        });
    EXPECT_GT(refused, 3 / kStep);
  }
}

TEST_F(StreamFaults, CallsThatAreInterruptedOrDoHalfOfTheirWorkAreMadeAgain) {
  const Arguments& run = runs_[0];
  ASSERT_NO_FATAL_FAILURE(PrepareRun(run));
  for (const char* const calls : {"read", "write"}) {
    for (const std::string& action : {std::string("short"), std::to_string(EINTR)}) {
      ForEachCall(
          {action, calls}, run, [&] { PutOld(); },
          [&](const ProcessResult& result) {
            EXPECT_EQ(result.status, 0);
            EXPECT_EQ(ReadText(File("y.npy")), new_);
          });
    }
  }
}

TEST_F(StreamFaults, ADiskThatCannotBeReadIsAnError) {
  const Arguments& run = runs_[0];
  ASSERT_NO_FATAL_FAILURE(PrepareRun(run));
  int refused = 0;
  ForEachCall(
      {std::to_string(EIO), "read"}, run, [&] { PutOld(); },
      [&](const ProcessResult& result) {
        if (result.status != 0) {
          EXPECT_EQ(result.status, 4);
          EXPECT_EQ(ReadText(File("y.npy")), old_);
          ++refused;
        }
        ExpectGoesOn(run);
      });
  EXPECT_GT(refused, 3 / kStep);
}

TEST_F(StreamFaults, AnInputThatWasChangedInBetweenIsRefused) {
  const Arguments& run = runs_[1];
  ASSERT_NO_FATAL_FAILURE(PrepareRun(run));
  // Killed one call later each time, until something is left.
  for (int count = 0; !Kept(); ++count) {
    ASSERT_LT(count, 100);
    const char* const sanitizer = std::getenv("ASAN_OPTIONS");
    Supremum(run, {.environment = {{"LD_PRELOAD", SUPREMUM_FAULTS},
                                   {"ASAN_OPTIONS", std::string(sanitizer == nullptr ? "" : sanitizer) +
                                                        ":verify_asan_link_order=0"},
                                   {"FAULT_ACTION", "kill"},
                                   {"FAULT_CALLS", "write"},
                                   {"FAULT_COUNT", std::to_string(count)}}});
  }
  // Another operation on the same files is refused too.
  ExpectFailure(Supremum(runs_[2]), 2, {"--resume", "reduce-max --axes [0]"});
  WriteTensor<float>("big.npy", {600, 1000}, std::vector<float>(600'000, 1));
  ExpectFailure(Supremum(run), 2, {"--resume", "big.npy", "start again"});
  EXPECT_EQ(ReadText(File("y.npy")), old_);
  Arguments anew = run;
  anew.pop_back();
  EXPECT_EQ(Supremum(anew).status, 0);
  EXPECT_EQ(ReadElements<float>("y.npy"), std::vector<float>{1});
  // In memory nothing is left half done, so that what there was stays until it is asked for or in the way.
  EXPECT_TRUE(Kept());
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
