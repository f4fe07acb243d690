// Faults while files are read and written: each system call in turn fails, or the command is killed there.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <set>

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
  ForEachCallOfMax({"kill", "write"}, [&](const ProcessResult& result) {
    killed += result.status == 128 + SIGKILL;
    EXPECT_THAT(ReadText(File("y.npy")), AnyOf(old_, new_));
  });
  EXPECT_GT(killed, 5 / kStep);
  // The next run removes what the killed ones left.
  PutOld();
  EXPECT_EQ(Supremum(max_).status, 0);
  EXPECT_EQ(ReadText(File("y.npy")), new_);
  EXPECT_THAT(Leftovers(), IsEmpty());
}

TEST_F(Faults, EndedByASignalItCleansUpAndSaysSo) {
  PrepareMax();
  int ended = 0;
  ForEachCallOfMax({kTerm, "write"}, [&](const ProcessResult& result) {
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
  EXPECT_GT(ended, 5 / kStep);
}

TEST_F(Faults, AFullDiskAtAnyCallLeavesTheOldFile) {
  PrepareMax();
  int refused = 0;
  for (const int error : {ENOSPC, EIO, EDQUOT}) {
    ForEachCallOfMax({std::to_string(error), "write"}, [&](const ProcessResult& result) {
      ExpectOldOrNew(result);
      refused += result.status == 4;
    });
  }
  EXPECT_GT(refused, 10 / kStep);
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
      if (action != "kill") {
        EXPECT_THAT(Leftovers(), IsEmpty());
      }
    });
  }
}

TEST_F(Faults, AFolderThatIsGeneratedIsThereWholeOrNot) {
  const std::vector<std::string> gen = {"gen",     "--op", "Max",      "--shape", "2,3",
                                        "--shape", "3",    "--output", "case"};
  for (const std::string& action : {std::to_string(ENOSPC), std::string("kill"), kTerm}) {
    ForEachCall(
        {action, "write", {{"FAULT_WAIT", "200"}}}, gen, [&] { fs::remove_all(File("case")); },
        [&](const ProcessResult& result) {
          if (Exists("case")) {
            EXPECT_EQ(Supremum({"test", "case"}).status, 0);
          } else {
            EXPECT_NE(result.status, 0);
          }
          if (action != "kill") {
            EXPECT_EQ(Exists("case"), result.status == 0);
            EXPECT_THAT(Leftovers(), IsEmpty());
          }
          RemoveLeftovers();
        });
  }
}

/// A folder that is replaced: old.onnx's case by another.
class FolderFaults : public FaultTest {
 protected:
  const std::vector<std::string> gen_ = {"gen", "--shape", "2,3", "--output", "case", "--force"};
  const std::vector<Environment> systems_ = {{}, {{"FAULT_NO_EXCHANGE", "1"}}};
  std::string old_, new_;

  void SetUp() override {
    new_ = MakeCase({"gen", "--shape", "2,3", "--output", "case"});
    fs::rename(File("case"), File("new"));
    old_ = MakeCase({"gen", "--shape", "4", "--shape", "4", "--seed", "7", "--output", "case"});
    fs::rename(File("case"), File("old"));
    ASSERT_NE(old_, new_);
  }

  std::string MakeCase(const std::vector<std::string>& arguments) const {
    EXPECT_EQ(Supremum(arguments).status, 0);
    return Content("case");
  }

  void PutOld() const {
    for (const std::string& name : Leftovers()) fs::remove_all(File(name));
    fs::remove_all(File("case"));
    fs::copy(File("old"), File("case"), fs::copy_options::recursive);
  }

  /// Names and bytes of all files in the folder; "none" if it is not there.
  std::string Content(const std::string& folder) const {
    if (!Exists(folder)) return "none";
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(File(folder))) {
      const std::string name = entry.path().lexically_relative(File(folder)).string();
      files.insert(name + (entry.is_directory() ? "/" : "=" + ReadText(entry.path().string())));
    }
    std::string content;
    for (const std::string& file : files) content += file + "\n";
    return content;
  }

  /// Replaces the old folder, with the fault at each call in turn, where names can be exchanged and where
  /// they cannot. `check` returns whether the fault had the effect that the test is about, which must be
  /// several times.
  void ForEachCallOnEachSystem(
      const Fault& fault, const std::function<bool(const ProcessResult&)>& check,
      const std::function<void()>& prepare = [] {}) {
    for (const Environment& system : systems_) {
      Fault here = fault;
      here.environment.insert(here.environment.end(), system.begin(), system.end());
      int effects = 0;
      ForEachCall(
          here, gen_,
          [&] {
            prepare();
            PutOld();
          },
          [&](const ProcessResult& result) { effects += check(result); });
      EXPECT_GT(effects, 5 / kStep);
    }
  }

  /// The same with a shell script that runs at each call in turn.
  void ForEachScript(
      const std::string& script, const std::function<bool(const ProcessResult&)>& check,
      const std::function<void()>& prepare = [] {}) {
    ForEachCallOnEachSystem({"script", "write", {{"FAULT_SCRIPT", script}}}, check, prepare);
  }

  /// The target is whole: the new folder after success, otherwise the old one. Nothing is left beside it.
  bool IsRefused(const ProcessResult& result, int status) const {
    EXPECT_TRUE(result.status == 0 || result.status == status);
    EXPECT_EQ(Content("case"), result.status == 0 ? new_ : old_);
    EXPECT_THAT(Leftovers(), IsEmpty());
    return result.status != 0;
  }
};

TEST_F(FolderFaults, KilledAtAnyMomentTheTargetIsTheOldFolderOrTheNewOne) {
  int killed = 0, replaced = 0;
  ForEachCall(
      {"kill", "write"}, gen_, [&] { PutOld(); },
      [&](const ProcessResult& result) {
        const std::string now = Content("case");
        EXPECT_THAT(now, AnyOf(old_, new_));
        killed += result.status == 128 + SIGKILL;
        replaced += now == new_;
      });
  EXPECT_GT(killed, 5 / kStep);
  EXPECT_GT(replaced, 0);
}

TEST_F(FolderFaults, EndedByASignalTheTargetIsTheOldFolderAndNothingIsLeft) {
  // Some calls are made with the lock held that the other thread needs first.
  ForEachCallOnEachSystem({kTerm, "write", {{"FAULT_WAIT", "200"}}},
                          [&](const ProcessResult& result) { return IsRefused(result, 128 + SIGTERM); });
}

TEST_F(FolderFaults, AFullDiskAtAnyCallLeavesTheOldFolder) {
  ForEachCallOnEachSystem({std::to_string(ENOSPC), "write"},
                          [&](const ProcessResult& result) { return IsRefused(result, 4); });
}

TEST_F(FolderFaults, WhereNamesCannotBeExchangedAKillMayMoveTheOldFolderAndTheNextRunSaysWhere) {
  int moved = 0;
  ForEachCall(
      {"kill", "write", systems_[1]}, gen_, [&] { PutOld(); },
      [&](const ProcessResult&) {
        if (Exists("case")) {
          EXPECT_THAT(Content("case"), AnyOf(old_, new_));
          return;
        }
        ++moved;
        std::string old;
        for (const std::string& name : Leftovers()) {
          if (name.starts_with("case.old-")) old = name;
        }
        EXPECT_EQ(Content(old), old_);
        const ProcessResult next = Supremum(gen_);
        EXPECT_EQ(next.status, 0);
        EXPECT_THAT(next.err, HasSubstr("'" + old +
                                        "' was left by a run that was killed: it is the previous 'case'; "
                                        "move it back, or remove it"));
        EXPECT_EQ(Content(old), old_);
      });
  EXPECT_EQ(moved, kStep == 1 ? 1 : moved);
}

// At every moment in turn another process puts a file into the folder.
TEST_F(FolderFaults, AFileThatIsPutIntoTheFolderMeanwhileIsKept) {
  ForEachScript(
      "cd case 2>/dev/null || { echo no folder >&2; exit; }; echo mine > mine.txt; mkdir -p "
      "test_data_set_0/own; echo too > test_data_set_0/own/mine.txt",
      [&](const ProcessResult& result) {
        if (result.status == 2) {
          EXPECT_THAT(result.err, HasSubstr("is not a file of a test case"));
        } else {
          EXPECT_EQ(result.status, 0);
          EXPECT_EQ(ReadText(File("case/model.onnx")), ReadText(File("new/model.onnx")));
        }
        // For a moment there may be no folder to put it into.
        if (result.err.find("no folder") == std::string::npos) {
          EXPECT_EQ(ReadText(File("case/mine.txt")), "mine\n");
          EXPECT_EQ(ReadText(File("case/test_data_set_0/own/mine.txt")), "too\n");
        }
        EXPECT_THAT(Leftovers(), IsEmpty());
        return result.status != 2;
      });
}

// As above, with a file that the new folder has another one of.
TEST_F(FolderFaults, AFileThatIsChangedMeanwhileIsKeptAndItsPlaceIsSaid) {
  ForEachScript("echo mine > case/model.onnx", [&](const ProcessResult& result) {
    EXPECT_EQ(result.status, 0);
    // Changed after the exchange, it is the new one.
    if (ReadText(File("case/model.onnx")) == "mine\n") return false;
    // Where it was changed before it was listed, it is what was to be replaced.
    if (Leftovers().empty()) return false;
    EXPECT_EQ(Leftovers().size(), 1u);
    const std::string place = Leftovers()[0] + "/model.onnx";
    EXPECT_EQ(ReadText(File(place)), "mine\n");
    EXPECT_THAT(result.err, HasSubstr("'" + place + "' was created or changed while 'case' was replaced"));
    EXPECT_EQ(Content("case"), new_);
    return true;
  });
}

TEST_F(FolderFaults, AFolderThatIsReplacedByAnotherMeanwhileIsLeftAlone) {
  ForEachScript(
      "mv case away; mkdir case; echo mine > case/mine.txt",
      [&](const ProcessResult& result) {
        EXPECT_EQ(ReadText(File("case/mine.txt")), "mine\n");
        if (result.status != 4) {
          EXPECT_THAT(Content("away"), AnyOf(old_, new_));
          return false;
        }
        EXPECT_THAT(result.err, HasSubstr("was replaced by another one meanwhile"));
        // In the moment in which there is no target, the old folder is not away.
        const bool moved = result.err.find("is now 'case.old-") != std::string::npos;
        EXPECT_EQ(Leftovers().size(), moved ? 1u : 0u);
        EXPECT_EQ(Content(moved ? Leftovers()[0] : "away"), old_);
        return true;
      },
      [&] { fs::remove_all(File("away")); });
}

TEST_F(FolderFaults, TheNewFolderHasThePermissionsOfTheOldOne) {
  PutOld();
  fs::permissions(File("case"), fs::perms::owner_all);
  EXPECT_EQ(Supremum(gen_).status, 0);
  EXPECT_EQ(fs::status(File("case")).permissions(), fs::perms::owner_all);
}

/// Streamed runs, which another run can resume. Three tiles, with a checkpoint after the first.
class StreamFaults : public Faults {
 protected:
  using Arguments = std::vector<std::string>;

  static Arguments Streamed(const Arguments& arguments) {
    return With(arguments, {"-o", "y.npy", "--threads", "1", "--resume"});
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
    EXPECT_THAT(Leftovers(), IsEmpty());
    PutOld();
  }

  bool Kept() const { return Exists(".supremum-y.npy.partial.state"); }

  /// Each of `runs` with the fault at each call in turn; the next run always resumes it. `check` returns
  /// whether the fault had the effect that the test is about, which must be more than `least` times.
  void ForEachCallOf(const std::vector<Arguments>& runs, const Fault& fault, int least,
                     const std::function<bool(const ProcessResult&)>& check) {
    for (const Arguments& run : runs) {
      ASSERT_NO_FATAL_FAILURE(PrepareRun(run));
      int effects = 0;
      ForEachCall(
          fault, run, [] {},
          [&](const ProcessResult& result) {
            effects += check(result);
            ExpectGoesOn(run);
          });
      EXPECT_GT(effects, least);
    }
  }
};

TEST_F(StreamFaults, KilledAtAnyMomentTheyAreGoneOnWith) {
  ForEachCallOf(runs_, {"kill", "write"}, 3 / kStep, [&](const ProcessResult&) {
    EXPECT_THAT(ReadText(File("y.npy")), AnyOf(old_, new_));
    return Kept();
  });
}

TEST_F(StreamFaults, EndedByASignalTheyKeepWhatIsDoneAndSaySo) {
  ForEachCallOf(runs_, {kTerm, "write", {{"FAULT_WAIT", "200"}}}, 0, [&](const ProcessResult& result) {
    EXPECT_EQ(ReadText(File("y.npy")), result.status == 0 ? new_ : old_);
    if (result.status == 0) return false;
    EXPECT_THAT(result.err, HasSubstr(Kept() ? "--resume to continue" : "supremum: interrupted"));
    EXPECT_TRUE(Kept() || Leftovers().empty());
    return Kept();
  });
}

TEST_F(StreamFaults, AFullDiskAtAnyCallLeavesTheOldFileAndWhatIsDone) {
  ForEachCallOf(runs_, {std::to_string(ENOSPC), "write"}, 3 / kStep, [&](const ProcessResult& result) {
    EXPECT_EQ(ReadText(File("y.npy")), result.status == 0 ? new_ : old_) << result.err;
    if (result.status == 0) return false;
    EXPECT_EQ(result.status, 4);
    if (Kept()) {
      EXPECT_THAT(result.err, HasSubstr("--resume"));
    } else {
      EXPECT_THAT(Leftovers(), IsEmpty());
    }
    return true;
  });
}

TEST_F(StreamFaults, CallsThatAreInterruptedOrDoHalfOfTheirWorkAreMadeAgain) {
  ASSERT_NO_FATAL_FAILURE(PrepareRun(runs_[0]));
  ExpectCallsAreMadeAgain(runs_[0]);
}

TEST_F(StreamFaults, ADiskThatCannotBeReadIsAnError) {
  ForEachCallOf({runs_[0]}, {std::to_string(EIO), "read"}, 3 / kStep, [&](const ProcessResult& result) {
    if (result.status == 0) return false;
    EXPECT_EQ(result.status, 4);
    EXPECT_EQ(ReadText(File("y.npy")), old_);
    return true;
  });
}

TEST_F(StreamFaults, AnInputThatWasChangedInBetweenIsRefused) {
  const Arguments& run = runs_[1];
  ASSERT_NO_FATAL_FAILURE(PrepareRun(run));
  // Killed one call later each time, until something is left.
  for (int count = 0; !Kept(); ++count) {
    ASSERT_LT(count, 100);
    Supremum(run, {.environment = EnvironmentOf({"kill", "write"}, count)});
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
