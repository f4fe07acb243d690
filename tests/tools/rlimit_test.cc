// The command under limits of the system: a documented status, old files unchanged, no file left behind.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>

#include "tools/faults.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Sanitizers take address space and descriptors of their own.
class ResourceLimit : public FaultTest {
 protected:
  using Limits = std::vector<std::pair<int, rlim_t>>;

  const std::vector<std::vector<std::string>> verbs_ = {
      {"max", "a.npy", "b.npy", "-o", "y.npy", "--json", "r.json"},
      {"max", "a.npy", "b.npy", "-o", "y.npz"},
      {"max", "big.npy", "-o", "y.npy"},
      {"reduce-max", "big.npy", "--axes", "0", "-o", "y.pb", "--json", "r.json"},
      {"run", "fuse.onnx", "-i", "a.npy", "-i", "b.npy", "-d", "out", "--format", "safetensors"},
      {"check", "fuse.onnx", "--json", "r.json"},
      {"test", "case", "--json", "r.json"},
      {"gen", "--shape", "30000", "--output", "new/case"},
      {"gen", "--shape", "3", "--output", "new/case"}};

  void SetUp() override {
    PrepareFuse();
    WriteTensor<float>("big.npy", {60, 500}, std::vector<float>(30'000, 1));
    ASSERT_EQ(Supremum({"gen", "--shape", "2", "--output", "case"}).status, 0);
    for (const char* const name : {"y.npy", "y.npz", "y.pb", "r.json"}) WriteText(File(name), "old");
    before_ = Everything();
    for (const auto& verb : verbs_) {
      ASSERT_EQ(Supremum(verb).status, 0);
      after_.push_back(Everything());
      Restore();
    }
  }

  std::map<std::string, std::string> Everything() const {
    std::map<std::string, std::string> files = FaultTest::Everything();
    // A report has the time that the run took.
    const auto report = files.find("r.json");
    if (report != files.end() && report->second != "old") report->second = "new";
    return files;
  }

  void Restore() const {
    for (const auto& entry : fs::directory_iterator(File(""))) fs::remove_all(entry.path());
    for (const auto& [name, bytes] : before_) {
      fs::create_directories(fs::path(File(name)).parent_path());
      WriteText(File(name), bytes);
    }
  }

  /// Runs every verb: with status 0 all is new, with any other all is as it was. Returns how many were new.
  int RunAll(const Limits& limits, const std::vector<int>& statuses, const std::string& text = "") const {
    int done = 0;
    for (std::size_t i = 0; i < verbs_.size(); ++i) {
      const ProcessResult result = Supremum(verbs_[i], {.limits = limits});
      std::string line = std::to_string(limits.back().second) + ": ";
      for (const std::string& word : verbs_[i]) line += word + " ";
      SCOPED_TRACE(line + "\nstatus " + std::to_string(result.status) + "\n" + result.err);
      // A case that cannot be read fails, and is reported.
      const bool failed = verbs_[i][0] == "test" && result.status == 1;
      EXPECT_TRUE(failed || std::ranges::count(statuses, result.status) == 1);
      // After an error, the files that gen has written into the new folder remain.
      if (result.status > 1 && verbs_[i][0] == "gen") fs::remove_all(File("new"));
      EXPECT_TRUE(Everything() == (result.status <= 1 ? after_[i] : before_));
      if (result.status == 4 && result.err.ends_with('\n')) {  // which may be cut short itself
        EXPECT_THAT(result.err, HasSubstr(text));
      }
      done += result.status == 0;
      Restore();
    }
    return done;
  }

  std::map<std::string, std::string> before_;
  std::vector<std::map<std::string, std::string>> after_;  // of each verb
};

TEST_F(ResourceLimit, AFileThatWouldBeTooLargeIsAnErrorThatSaysWhichLimitToRaise) {
  int done = 0;
  const int verbs = static_cast<int>(verbs_.size());
  for (const rlim_t size : std::initializer_list<rlim_t>{0, 1, 2, 100, 127, 128, 151, 152, 300, 511, 512,
                                                         1000, 4096, 65536, 100'000}) {
    done += RunAll({{RLIMIT_FSIZE, size}}, {0, 4},
                   "File too large; raise the limit of a file's size (ulimit -f)");
  }
  EXPECT_GT(done, verbs);
  EXPECT_EQ(RunAll({{RLIMIT_FSIZE, rlim_t{4} << 20}}, {0}), verbs);
}

TEST_F(ResourceLimit, AnIgnoredSignalOfFileSizeIsTheSame) {
  const ProcessResult result = Shell("trap '' XFSZ; ulimit -f 1; supremum max big.npy -o y.npy");
  EXPECT_EQ(result.status, 4);
  EXPECT_THAT(result.err, HasSubstr("ulimit -f"));
  EXPECT_EQ(Everything(), before_);
}

// The loader of programs needs a descriptor, and says so with status 127 where there is none.
TEST_F(ResourceLimit, TooFewDescriptorsAreAnError) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take descriptors of their own";
  int done = 0;
  for (rlim_t count = 3; count <= 12; ++count) done += RunAll({{RLIMIT_NOFILE, count}}, {0, 4, 127});
  EXPECT_GT(done, 0);
  EXPECT_EQ(RunAll({{RLIMIT_NOFILE, 32}}, {0}), static_cast<int>(verbs_.size()));
}

// If there is too little memory to load the command and its libraries, the dynamic loader exits with status
// 127, or the initialization of a library ends by a signal. Both happen before main(): no file is changed.
TEST_F(ResourceLimit, TooLittleMemoryIsAnError) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take address space that they never use";
  int done = 0;
  for (const int resource : {int{RLIMIT_AS}, int{RLIMIT_DATA}}) {
    for (rlim_t mib = 2; mib <= 512; mib += mib < 64 ? 6 : 64) {
      const Limits limits = {{RLIMIT_CORE, 0}, {resource, mib << 20}};
      const int loaded = Supremum({"--version"}, {.limits = limits}).status;
      if (loaded == 0) {
        done += RunAll(limits, {0, 3, 4});
      } else {
        EXPECT_TRUE(loaded == 127 || loaded == 128 + SIGABRT || loaded == 128 + SIGSEGV) << loaded;
      }
    }
  }
  EXPECT_GT(done, static_cast<int>(verbs_.size()));
}

TEST_F(ResourceLimit, ASmallStackIsEnough) {
  for (const rlim_t kib : std::initializer_list<rlim_t>{256, 512, 1024}) {
    EXPECT_EQ(RunAll({{RLIMIT_STACK, kib << 10}}, {0}), static_cast<int>(verbs_.size())) << kib;
  }
}

TEST_F(ResourceLimit, WithoutLockedMemoryQueuesPrioritiesAndCoresAllIsAsUsual) {
  const Limits limits = {{RLIMIT_CORE, 0}, {RLIMIT_MEMLOCK, 0}, {RLIMIT_MSGQUEUE, 0}, {RLIMIT_SIGPENDING, 0}};
  EXPECT_EQ(RunAll(limits, {0}), static_cast<int>(verbs_.size()));
}

TEST_F(ResourceLimit, AtTheLimitOfProcessorTimeItEndsBySignalAndCleansUp) {
  WriteText(File("zeros.bin"), "");
  fs::resize_file(File("zeros.bin"), std::uintmax_t{1} << 40);  // takes no space, and minutes to read
  const std::vector<std::string> longest = {
      "reduce-max", "zeros:uint8:1099511627776:zeros.bin", "-o", "y.npy", "--json", "r.json"};
  // The soft limit is lowered from the hard one, at which the system kills.
  const ProcessResult result = Supremum(longest, {.limits = {{RLIMIT_CORE, 0}, {RLIMIT_CPU, 2}}});
  fs::remove(File("zeros.bin"));
  EXPECT_EQ(result.status, 128 + SIGXCPU) << result.err;
  EXPECT_THAT(result.err, HasSubstr("interrupted"));
  EXPECT_EQ(Everything(), before_);
}

TEST_F(ResourceLimit, WithoutFurtherProcessesItWorksAloneOrSaysWhatIsMissing) {
  if (::geteuid() != 0) GTEST_SKIP() << "to run as a user without other processes takes root";
  const uid_t nobody = 65533;
  fs::permissions(File(""), fs::perms::all);
  for (const auto& entry : fs::recursive_directory_iterator(File("")))
    fs::permissions(entry.path(), fs::perms::all);
  if (Supremum({"--version"}, {.user = nobody}).status != 0)
    GTEST_SKIP() << "the command lies where other users may not go";
  for (const rlim_t count : std::initializer_list<rlim_t>{1, 2, 3}) {
    for (std::size_t i = 0; i < verbs_.size(); ++i) {
      const ProcessResult result = Supremum(verbs_[i], {.limits = {{RLIMIT_NPROC, count}}, .user = nobody});
      EXPECT_TRUE(result.status == 0 || result.status == 1 || result.status == 4)
          << result.status << result.err;
      if (result.status == 0) {
        EXPECT_TRUE(Everything() == after_[i]);
      }
      Restore();
      for (const auto& entry : fs::recursive_directory_iterator(File("")))
        fs::permissions(entry.path(), fs::perms::all);
    }
  }
}

// With a soft limit below the hard one, as a user sets it, the command does not raise it.
TEST_F(ResourceLimit, ASoftLimitIsOneToo) {
  const ProcessResult result = Shell("ulimit -Sf 1; supremum max big.npy -o y.npy");
  EXPECT_EQ(result.status, 4);
  EXPECT_THAT(result.err, HasSubstr("ulimit -f"));
  EXPECT_EQ(Everything(), before_);
}

TEST_F(ResourceLimit, AReportToAStandardOutputThatMayNotGrowIsAnError) {
  for (const char* const line : {"supremum inspect big.npy --json -",
                                 "supremum max a.npy b.npy -o y.npy --json -", "supremum check fuse.onnx"}) {
    const ProcessResult result = Shell(std::string("ulimit -f 0; ") + line + " > text");
    EXPECT_EQ(result.status, 4) << line;
    fs::remove(File("text"));
    EXPECT_EQ(Everything(), before_) << line;
  }
}

// Pipes and devices have no size.
TEST_F(ResourceLimit, ThroughAPipeNoFileIsTooLarge) {
  const ProcessResult result = Shell(
      "mkfifo p.npy; cat p.npy > got & (ulimit -f 0; supremum max big.npy -o p.npy --json -) | cat > r.json; "
      "wait");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(Supremum({"max", "big.npy", "-o", "y.npy"}).status, 0);
  EXPECT_EQ(ReadText(File("got")), ReadText(File("y.npy")));
}

TEST_F(ResourceLimit, AStreamThatMeetsTheLimitOfAFilesSizeIsAnErrorAndLeavesNoFile) {
  WriteTensor<float>("big.npy", {600, 1000}, std::vector<float>(600'000, 3));
  const std::vector<std::string> run = {"max", "big.npy", "-o", "z.npy", "--threads", "1"};
  for (const rlim_t kib : std::initializer_list<rlim_t>{1, 100, 1000, 1500, 2000, 2343}) {
    const ProcessResult result = Supremum(run, {.limits = {{RLIMIT_FSIZE, kib << 10}}});
    EXPECT_EQ(result.status, 4) << kib;
    EXPECT_THAT(result.err, HasSubstr("ulimit -f"));
    EXPECT_FALSE(Exists("z.npy"));
    EXPECT_THAT(Leftovers(), IsEmpty());
  }
  EXPECT_EQ(Supremum(run, {.limits = {{RLIMIT_FSIZE, rlim_t{4} << 20}}}).status, 0);
  EXPECT_EQ(ReadElements<float>("z.npy"), std::vector<float>(600'000, 3));
}

// The stack of a thread has the size of the limit. The system cannot allocate stacks of some of these sizes.
TEST_F(ResourceLimit, AStackWithoutEndIsAsUsualOrOneThreadComputesAlone) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take address space of their own";
  rlimit now = {};
  ASSERT_EQ(::getrlimit(RLIMIT_STACK, &now), 0);
  for (const rlim_t size :
       {RLIM_INFINITY, rlim_t{1} << 62, rlim_t{1} << 47, rlim_t{1} << 40, rlim_t{1} << 33}) {
    if (size > now.rlim_max) continue;
    EXPECT_EQ(RunAll({{RLIMIT_STACK, size}}, {0}), static_cast<int>(verbs_.size())) << size;
  }
}

// Loops over all descriptors that there may be would take minutes, or as much memory.
TEST_F(ResourceLimit, AsManyDescriptorsAsTheSystemHasAreAsUsual) {
  rlimit now = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &now), 0);
  rlim_t most = now.rlim_max;
  for (rlim_t size = rlim_t{1} << 31; ::geteuid() == 0 && size > now.rlim_max; size /= 2) {
    const rlimit more = {now.rlim_cur, size};
    if (::setrlimit(RLIMIT_NOFILE, &more) != 0) continue;
    most = size;
    break;
  }
  EXPECT_EQ(RunAll({{RLIMIT_CPU, 60}, {RLIMIT_NOFILE, most}}, {0}), static_cast<int>(verbs_.size())) << most;
}

// Not even signals that queue, as the real-time ones do.
TEST_F(ResourceLimit, ASignalEndsItWhereNoSignalsCanBeQueued) {
  for (const int signal : {SIGTERM, SIGUSR1, SIGRTMIN, SIGRTMAX}) {
    const Fault fault = {"signal:" + std::to_string(signal), "write", {{"FAULT_WAIT", "100"}}};
    const ProcessResult result = Supremum(verbs_[0], {.environment = EnvironmentOf(fault, 3),
                                                      .limits = {{RLIMIT_CORE, 0}, {RLIMIT_SIGPENDING, 0}}});
    EXPECT_EQ(result.status, 128 + signal) << result.err;
    fs::remove(File("mark"));
    EXPECT_EQ(Everything(), before_);
  }
}

// Several limits at once. Status 127 is the dynamic loader's, if it has no file descriptor. Its error text is
// shorter than each of the file size limits.
TEST_F(ResourceLimit, SeveralLimitsTogetherAreAnErrorOrNone) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take address space and descriptors of their own";
  for (const rlim_t size : std::initializer_list<rlim_t>{2000, 4096, 65536}) {
    for (const rlim_t descriptors : std::initializer_list<rlim_t>{4, 8, 16}) {
      RunAll({{RLIMIT_CORE, 0},
              {RLIMIT_STACK, rlim_t{512} << 10},
              {RLIMIT_NOFILE, descriptors},
              {RLIMIT_FSIZE, size}},
             {0, 3, 4, 127});
    }
  }
}

/// A limit that another process lowers, at each call in turn.
class LoweredLimit : public FaultTest {
 protected:
  void SetUp() override {
    PrepareFuse();
    ASSERT_EQ(Supremum({"max", "a.npy", "b.npy", "-o", "y.npy"}).status, 0);
    new_ = ReadText(File("y.npy"));
    if (Shell("prlimit --pid $$ --fsize=100").status != 0) GTEST_SKIP() << "there is no prlimit here";
  }

  /// How often the command ended with an error and the old file.
  int RefusedUnder(const std::string& limit) {
    int refused = 0;
    for (const char* const calls : {"read", "write"}) {
      ForEachCall(
          {"script", calls, {{"FAULT_SCRIPT", "prlimit --pid $PPID " + limit}}},
          {"max", "a.npy", "b.npy", "-o", "y.npy"}, [&] { WriteText(File("y.npy"), "old"); },
          [&](const ProcessResult& result) {
            EXPECT_TRUE(result.status == 0 || result.status == 3 || result.status == 4) << result.status;
            EXPECT_EQ(ReadText(File("y.npy")), result.status == 0 ? new_ : "old");
            EXPECT_THAT(Leftovers(), IsEmpty());
            refused += result.status != 0;
          });
    }
    return refused;
  }

  std::string new_;
};

TEST_F(LoweredLimit, OfAFilesSizeIsAnErrorAtAnyMoment) { EXPECT_GT(RefusedUnder("--fsize=50"), 0); }

TEST_F(LoweredLimit, OfDescriptorsIsAnErrorAtAnyMoment) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take descriptors of their own";
  EXPECT_GT(RefusedUnder("--nofile=3"), 0);
}

TEST_F(LoweredLimit, OfMemoryIsAnErrorAtAnyMoment) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take address space that they never use";
  RefusedUnder("--as=1");
}

}  // namespace
}  // namespace supremum::test
