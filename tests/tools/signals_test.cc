// The command and signals: each that ends a program, at several moments of every verb that writes.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <set>

#include "../../tools/supremum/cli/interrupt.h"
#include "tools/faults.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

/// Those of the list, with the first and the last of the real-time ones for all of them.
std::vector<int> Signals() {
  std::vector<int> signals;
  for (const int signal : cli::EndingSignals()) {
    if (signal <= SIGRTMIN || signal == SIGRTMAX) signals.push_back(signal);
  }
  return signals;
}

/// A verb that writes, the files that it writes, the folder that it fills (empty if none), and its
/// environment. After a signal, files may remain in that folder.
struct Verb {
  std::vector<std::string> arguments;
  std::vector<std::string> outputs;
  std::string folder = {};
  Environment environment = {};
};

class Signal : public FaultTest {
 protected:
  void SetUp() override {
    // Disables core files, so that each remaining file was written by the command.
    const rlimit none = {0, 0};
    ASSERT_EQ(::setrlimit(RLIMIT_CORE, &none), 0);
    PrepareVerbs();
    std::vector<float> values(60'000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7919 % 100'003);
    WriteTensor<float>("big.npy", {60, 1000}, values);
    fs::create_directories(File("tmp"));
  }

  const std::vector<Verb> verbs_ = {
      {{"max", "a.npy", "b.npy", "-o", "y.npy", "--json", "r.json"}, {"y.npy", "r.json"}},
      {{"max", "a.npy", "b.npy", "--bound", "0=e.npy", "-o", "y.npz"},
       {"y.npz", "y.bound.npz", "y.lower.npz", "y.upper.npz"}},
      {{"reduce-max", "big.npy", "-o", "y.pb"}, {"y.pb"}},
      {{"run", "fuse.onnx", "-i", "a.npy", "-i", "b.npy", "-d", "new/out", "--json", "r.json"},
       {"new/out/y.npy", "r.json"},
       "new"},
      {{"gen", "--shape", "3", "--output", "new/case", "--json", "r.json"},
       {"new/case/model.onnx", "new/case/test_data_set_0/input_0.pb", "r.json"},
       "new"},
      {{"test", "case", "--json", "r.json"}, {"r.json"}},
      {{"check", "fuse.onnx", "--sarif", "r.sarif", "--json", "r.json"}, {"r.sarif", "r.json"}},
      {{"extract", "fuse.onnx", "-o", "new/cases", "--json", "r.json"},
       {"new/cases/0000_Max_fuse/model.onnx", "r.json"},
       "new"},
      {{"annotate", "fuse.onnx", "-o", "stated.onnx", "--json", "r.json"}, {"stated.onnx", "r.json"}},
      {{"emit-c", "fuse.onnx", "-o", "new/c", "--json", "r.json"},
       {"new/c/fuse.c", "new/c/fuse.h", "new/c/fuse.json", "r.json"}}};

  /// Contents of all files in the folder of the test, by their names, except the files that faults.c writes.
  std::map<std::string, std::string> Everything() const {
    std::map<std::string, std::string> files = FaultTest::Everything();
    files.erase("mark");
    files.erase("total");
    return files;
  }

  /// How many calls the verb makes that change files.
  int CallsOf(const Verb& verb) const {
    Environment environment = EnvironmentOf({"0", "write", verb.environment}, 1'000'000);
    environment.emplace_back("FAULT_TOTAL", File("total"));
    environment.emplace_back("TMPDIR", File("tmp"));
    const ProcessResult result = Supremum(verb.arguments, {.environment = environment});
    EXPECT_LE(result.status, 1) << result.err;
    if (!verb.folder.empty()) fs::remove_all(File(verb.folder));
    return std::stoi("0" + ReadText(File("total")));
  }

  /// Signal `signal` at call `count`: either it ends the command, and all files are as they were, or it came
  /// too late.
  bool Ends(const Verb& verb, int signal, int count) {
    const std::map<std::string, std::string> before = Everything();
    Environment environment =
        EnvironmentOf({"signal:" + std::to_string(signal), "write", verb.environment}, count);
    environment.emplace_back("TMPDIR", File("tmp"));
    // Limits the pause after the signal: it is useless if the command cannot end without this thread, or
    // without a lock that this thread holds.
    environment.emplace_back("FAULT_WAIT", "100");
    const ProcessResult result = Supremum(verb.arguments, {.environment = environment});
    SCOPED_TRACE(verb.arguments[0] + ", signal " + std::to_string(signal) + " at call " +
                 std::to_string(count) + ": status " + std::to_string(result.status) + ", " + result.err);
    EXPECT_TRUE(Exists("mark"));
    fs::remove(File("mark"));
    EXPECT_THAT(Leftovers(), ::testing::IsEmpty());
    if (result.status == 128 + signal) {
      if (!verb.folder.empty()) fs::remove_all(File(verb.folder));
      EXPECT_EQ(Everything(), before);
    } else {
      EXPECT_LE(result.status, 1);
      for (const std::string& output : verb.outputs) EXPECT_TRUE(Exists(output)) << output;
    }
    EXPECT_TRUE(fs::is_empty(File("tmp")));
    // The next one begins with no output, or with old ones.
    for (const char* const name : {"y.npy", "y.npz", "y.bound.npz", "y.lower.npz", "y.upper.npz", "y.pb",
                                   "r.json", "r.sarif", "stated.onnx", "mine", "new"}) {
      fs::remove_all(File(name));
    }
    return result.status == 128 + signal;
  }
};

// Everything that the system would end a process by is in the list, or is left out for a reason that
// interrupt.h says.
TEST_F(Signal, TheListHasEveryOneThatEndsAProcess) {
  const std::set<int> left_out = {SIGKILL, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGXFSZ};
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (signal >= 32 && signal < SIGRTMIN) continue;  // the C library's own
    const pid_t child = ::fork();
    if (child == 0) {
      sigset_t none;
      ::sigemptyset(&none);
      ::sigprocmask(SIG_SETMASK, &none, nullptr);
      static_cast<void>(::signal(signal, SIG_DFL));
      ::kill(::getpid(), signal);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, WUNTRACED), child);
    if (WIFSTOPPED(status)) {
      ::kill(child, SIGKILL);
      ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    }
    const bool listed = std::ranges::count(cli::EndingSignals(), signal) == 1;
    EXPECT_EQ(listed || left_out.contains(signal), WIFSIGNALED(status)) << signal;
  }
}

TEST_F(Signal, EveryCallOfMaxLeavesTheOldFileAndNothingElse) {
  const Verb& max = verbs_[0];
  // Each signal has other calls: what a signal does depends on the call, not on which of the list it is.
  const int kEach = kStep == 1 ? 4 : 12;
  int first = 0;
  for (const int signal : Signals()) {
    // As many calls as those that are counted: a new output takes more than one that replaces another.
    WriteText(File("y.npy"), "old");
    const int calls = CallsOf(max);
    fs::remove(File("r.json"));
    int ended = 0;
    for (int count = first++ % kEach; count < calls; count += kEach) {
      WriteText(File("y.npy"), "old");
      ended += Ends(max, signal, count);
    }
    EXPECT_GT(ended, 0) << signal;
  }
}

TEST_F(Signal, EachAtAMomentOfItsOwnOfEveryVerb) {
  for (const Verb& verb : verbs_) {
    const int calls = CallsOf(verb);
    int ended = 0;
    ASSERT_GT(calls, 3) << verb.arguments[0];
    const std::vector<int> signals = Signals();
    // Another call for each signal, over the whole of the run; a third of them unless every call is asked.
    for (std::size_t i = 0; i < signals.size(); i += kStep == 1 ? 1 : 3) {
      ended += Ends(verb, signals[i], static_cast<int>(i) * calls / static_cast<int>(signals.size()));
    }
    EXPECT_GT(ended, 0) << verb.arguments[0];
  }
}

TEST_F(Signal, AStreamThatIsEndedByAnyOfThemLeavesTheOldFile) {
  const Verb stream = {{"reduce-max", "big.npy", "--axes", "0", "-o", "y.npy", "--threads", "1"}, {"y.npy"}};
  const int calls = CallsOf(stream);
  const std::string whole = ReadText(File("y.npy"));
  int count = 0, ended = 0;
  for (const int signal : Signals()) {
    count = (count + 5) % calls;
    WriteText(File("y.npy"), "old");
    const Environment environment =
        EnvironmentOf({"signal:" + std::to_string(signal), "write", {{"FAULT_WAIT", "100"}}}, count);
    const ProcessResult result = Supremum(stream.arguments, {.environment = environment});
    EXPECT_THAT(Leftovers(), ::testing::IsEmpty());
    EXPECT_TRUE(result.status == 0 || result.status == 128 + signal) << result.status;
    EXPECT_EQ(ReadText(File("y.npy")), result.status == 0 ? whole : "old");
    ended += result.status != 0;
  }
  EXPECT_GT(ended, 0);
}

// As nohup does it.
TEST_F(Signal, OneThatWasIgnoredAtTheStartStaysIgnored) {
  for (const int signal : Signals()) {
    const std::string number = std::to_string(signal);
    std::string line = "trap '' " + number + "; exec env";
    Fault fault = {"signal:" + number, "write", {{"FAULT_WAIT", "0"}}};
    for (const auto& [name, value] : EnvironmentOf(fault, 4)) line += " '" + name + "=" + value + "'";
    const ProcessResult result = Shell(line + " supremum max a.npy b.npy -o y.npy");
    EXPECT_EQ(result.status, 0) << signal << result.err;
    EXPECT_TRUE(Exists("mark"));
    EXPECT_TRUE(Exists("y.npy"));
    fs::remove(File("y.npy"));
    fs::remove(File("mark"));
  }
}

TEST_F(Signal, ThoseThatStopAndContinueItAreNotBlocked) {
  const Environment environment =
      EnvironmentOf({"script", "write", {{"FAULT_SCRIPT", "grep SigBlk: /proc/$PPID/status > blocked"}}}, 2);
  EXPECT_EQ(Supremum({"max", "a.npy", "b.npy", "-o", "y.npy"}, {.environment = environment}).status, 0);
  const std::string line = ReadText(File("blocked"));
  ASSERT_THAT(line, HasSubstr("SigBlk:"));
  const auto blocked = std::stoull(line.substr(line.find(':') + 1), nullptr, 16);
  for (const int signal : {SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGWINCH, SIGURG, SIGSEGV, SIGBUS})
    EXPECT_EQ(blocked >> (signal - 1) & 1, 0u) << signal;
  for (const int signal : cli::EndingSignals()) EXPECT_EQ(blocked >> (signal - 1) & 1, 1u) << signal;
}

TEST_F(Signal, StoppedAndContinuedItEndsAsIfNothingHadBeen) {
  const std::string script =
      "kill -STOP $PPID; until grep -q 'State:.T' /proc/$PPID/status; do :; done; kill -CONT $PPID";
  for (const int count : {0, 3, 6}) {
    const Environment environment = EnvironmentOf({"script", "write", {{"FAULT_SCRIPT", script}}}, count);
    const ProcessResult result =
        Supremum({"max", "a.npy", "b.npy", "-o", "y.npy"}, {.environment = environment});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(ReadElements<float>("y.npy"), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  }
}

/// A pipe that takes nothing more: `run` has it as w.
const char* const kFullPipe =
    "import os, subprocess\n"
    "r, w = os.pipe()\n"
    "os.set_blocking(w, False)\n"
    "try:\n"
    "  while True: os.write(w, b'x')\n"
    "except BlockingIOError: os.set_blocking(w, True)\n";

TEST_F(Signal, AStandardErrorThatTakesNothingDoesNotKeepItFromItsEnd) {
  const std::string script = std::string(kFullPipe) +
                             "command = ['" SUPREMUM_COMMAND
                             "', 'max', 'a.npy', '-o', 'y.npy']\n"
                             "raise SystemExit(-subprocess.run(command, stderr=w).returncode)\n";
  Environment environment = EnvironmentOf({kTerm, "write", {{"FAULT_PROGRAM", "supremum"}}}, 3);
  const ProcessResult result =
      RunProcess({SUPREMUM_PYTHON, "-c", script}, {.directory = File(""), .environment = environment});
  EXPECT_EQ(result.status, SIGTERM) << result.err;
  EXPECT_FALSE(Exists("y.npy"));
  EXPECT_THAT(Leftovers(), ::testing::IsEmpty());
}

TEST_F(Signal, AStandardOutputThatTakesNothingDoesNotKeepItFromItsEnd) {
  for (const Verb& verb : {verbs_[0], verbs_.back()}) {
    std::string command;
    for (const std::string& word : verb.arguments) command += ", '" + word + "'";
    const std::string script =
        std::string(kFullPipe) + "import time\ncommand = ['" SUPREMUM_COMMAND "'" + command +
        "]\n"
        "child = subprocess.Popen(command, stdout=w)\n"
        "def blocked():\n"
        "  with open('/proc/%d/syscall' % child.pid) as f: return f.read().startswith('" +
        std::to_string(SYS_write) +
        " 0x1 ')\n"
        "while child.poll() is None and not blocked(): time.sleep(0.01)\n"
        "child.terminate()\n"
        "raise SystemExit(-child.wait())\n";
    const std::map<std::string, std::string> before = Everything();
    const ProcessResult result = RunProcess({SUPREMUM_PYTHON, "-c", script}, {.directory = File("")});
    EXPECT_EQ(result.status, SIGTERM) << result.err;
    EXPECT_EQ(Everything(), before);
  }
}

}  // namespace
}  // namespace supremum::test
