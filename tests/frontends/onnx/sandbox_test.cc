// The sandbox of the inference's subprocess, from inside: what a model that has taken it over can try, and
// what comes of it.
#include "frontends/onnx/check/sandbox.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "frontends/onnx/check/subprocess.h"
#include "support/named.h"
#include "support/temp_dir.h"

namespace supremum::onnx_front {
namespace {

using test::ErrorOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr SubprocessLimits kLimits{
    .bytes = std::int64_t{64} << 20, .seconds = 10, .wall_seconds = 120, .max_bytes = 1 << 20};
constexpr SubprocessLimits kShort{
    .bytes = std::int64_t{64} << 20, .seconds = 1, .wall_seconds = 1, .max_bytes = 1 << 20};

bool Filtered() { return InferenceSandboxHere() == InferenceSandbox::kFiltered; }
constexpr const char* kNoFilter = "this system, or this build, cannot filter system calls";

// The outcome of work that makes one system call: "ended" if the sandbox ends it, else the value that the
// call returned, or its error.
std::string Outcome(const std::function<long()>& call) {
  const Result<std::string> result = RunInSubprocess(
      [&] {
        const long returned = call();
        return returned < 0 ? std::string(::strerrorname_np(errno)) : "returned " + std::to_string(returned);
      },
      kLimits);
  if (result) return *result;
  const std::string what = ErrorOf(result).message;
  return what.find("a system call that its sandbox does not allow") != std::string::npos ? "ended" : what;
}

struct Attempt {
  const char* name;
  std::function<long()> call;
};

void ExpectOutcomes(const std::vector<Attempt>& attempts, const std::string& outcome) {
  for (const Attempt& attempt : attempts) EXPECT_EQ(Outcome(attempt.call), outcome) << attempt.name;
}

long Call(long number, auto... arguments) { return ::syscall(number, arguments...); }

// Network, programs and processes, other processes, files, and rights: by number, whatever the arguments.
TEST(Sandbox, ACallThatReachesOutsideEndsTheProcess) {
  if (!Filtered()) GTEST_SKIP() << kNoFilter;
  const long calls[] = {
#ifdef SYS_socket
      SYS_socket,
      SYS_socketpair,
      SYS_connect,
      SYS_bind,
      SYS_sendto,
      SYS_sendmsg,
      SYS_recvfrom,
#endif
#ifdef SYS_socketcall
      SYS_socketcall,
#endif
#ifdef SYS_fork
      SYS_fork,
#endif
#ifdef SYS_shmget
      SYS_shmget,
#else
      SYS_ipc,
#endif
#ifdef SYS_creat
      SYS_creat,
      SYS_unlink,
#endif
#ifdef SYS_setrlimit
      SYS_setrlimit,
#endif
      SYS_io_uring_setup,
      SYS_execve,
      SYS_execveat,
      SYS_clone,
      SYS_clone3,
      SYS_unshare,
      SYS_setns,
      SYS_wait4,
      SYS_kill,
      SYS_tgkill,
      SYS_tkill,
      SYS_rt_sigqueueinfo,
      SYS_pidfd_open,
      SYS_pidfd_getfd,
      SYS_ptrace,
      SYS_process_vm_readv,
      SYS_process_vm_writev,
      SYS_setpriority,
      SYS_openat2,
      SYS_unlinkat,
      SYS_renameat2,
      SYS_linkat,
      SYS_symlinkat,
      SYS_mkdirat,
      SYS_mknodat,
      SYS_truncate,
      SYS_fchmodat,
      SYS_chdir,
      SYS_chroot,
      SYS_mount,
      SYS_memfd_create,
      SYS_open_by_handle_at,
      SYS_setuid,
      SYS_setresuid,
      SYS_capset,
      SYS_seccomp,
      SYS_bpf,
      SYS_perf_event_open,
      SYS_userfaultfd,
      SYS_keyctl,
      SYS_personality,
      SYS_dup,
      SYS_pipe2,
      SYS_clock_nanosleep,
      100'000,                   // the number of no call
      0x40000000 | SYS_getpid};  // a call of x32
  for (const long call : calls) EXPECT_EQ(Outcome([=] { return Call(call); }), "ended") << call;
  const pid_t other = ::getpid();
  ExpectOutcomes({{"kill", [=] { return Call(SYS_kill, other, 0); }},
                  {"kill of itself", [] { return Call(SYS_kill, ::getpid(), 0); }},
                  {"kill of all", [] { return Call(SYS_kill, -1, 0); }},
                  {"tgkill", [=] { return Call(SYS_tgkill, other, other, 0); }},
                  {"tgkill of any group", [=] { return Call(SYS_tgkill, -1, other, 0); }},
                  {"tkill", [=] { return Call(SYS_tkill, other, 0); }},
                  {"a thread",
                   [] {
                     std::thread([] {}).join();
                     return 0L;
                   }}},
                 "ended");
}

TEST(Sandbox, NoMemoryBecomesExecutable) {
  if (!Filtered()) GTEST_SKIP() << kNoFilter;
  constexpr int kAnywhere = MAP_PRIVATE | MAP_ANONYMOUS;
  const auto map = [](int protection) {
    void* const at = ::mmap(nullptr, 4096, protection, kAnywhere, -1, 0);
    return at == MAP_FAILED ? nullptr : at;
  };
  EXPECT_EQ(Outcome([&] { return map(PROT_READ | PROT_WRITE) == nullptr ? -1L : 0L; }), "returned 0");
  EXPECT_EQ(Outcome([&] { return long{::mprotect(map(PROT_READ), 4096, PROT_READ | PROT_WRITE)}; }),
            "returned 0");
  EXPECT_EQ(Outcome([&] { return long{::mprotect(map(PROT_READ), 4096, PROT_READ | PROT_EXEC)}; }), "ended");
#ifndef __s390x__  // whose mmap hides its arguments from the filter
  EXPECT_EQ(Outcome([&] { return map(PROT_READ | PROT_WRITE | PROT_EXEC) == nullptr ? -1L : 0L; }), "ended");
#endif
}

// The calls that libraries make by themselves fail, and do not end the inference.
TEST(Sandbox, WhatLibrariesTryFailsAsItDoesForOneWhoMayNot) {
  if (!Filtered()) GTEST_SKIP() << kNoFilter;
  static std::array<char, 4096> buffer;
  ExpectOutcomes(
      {
          {"openat", [] { return Call(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY); }},
          {"openat for writing", [] { return Call(SYS_openat, AT_FDCWD, "made", O_RDWR | O_CREAT, 0600); }},
          {"open", [] { return long{::open("/proc/self/mem", O_RDWR)}; }},
          {"read", [] { return Call(SYS_read, 3, buffer.data(), 1); }},
          {"readlinkat", [] { return Call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", buffer.data(), 100); }},
          {"ioctl", [] { return Call(SYS_ioctl, 0, 0x5412, "x"); }},
          {"uname", [] { return Call(SYS_uname, buffer.data()); }},
          {"prctl", [] { return Call(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0); }},
          {"prlimit64", [] { return Call(SYS_prlimit64, 0, 7, nullptr, buffer.data()); }},
          {"getcwd", [] { return Call(SYS_getcwd, buffer.data(), 100); }},
      },
      "EPERM");
}

TEST(Sandbox, NoFileIsOpenedWithoutAFilterEither) {
  EXPECT_THAT(Outcome([] { return long{::open("/etc/passwd", O_RDONLY)}; }), AnyOf("EPERM", "EMFILE"));
}

TEST(Sandbox, OnlyThePipeIsOpen) {
  const test::TempDir folder;
  std::vector<int> descriptors;
  for (const int wanted : {0, 7, 200, 1000}) {
    const int file = ::open(folder.File("f").c_str(), O_RDWR | O_CREAT, 0600);
    descriptors.push_back(wanted == 0 ? file : ::dup2(file, wanted));
    if (wanted != 0) ::close(file);
  }
  const Result<std::string> open = RunInSubprocess(
      [] {
        std::string numbers;
        for (int number = 0; number < 2000; ++number) {
          // A call that is allowed on every descriptor, and fails only on one that is not open.
          if (::write(number, "", 0) == 0) numbers += std::to_string(number) + ' ';
        }
        return numbers;
      },
      kLimits);
  for (const int descriptor : descriptors) ::close(descriptor);
  ASSERT_TRUE(open) << open.error().message;
  EXPECT_EQ(std::ranges::count(*open, ' '), 1) << *open;
  EXPECT_GT(std::stoi(*open), 2);
}

TEST(Sandbox, APipeInTheNumberOfAStandardStreamIsMoved) {
  const pid_t program = ::fork();
  if (program == 0) {
    // A program that has closed all three: the pipe gets their numbers, and a library writes to standard
    // error.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(stream);
    const Result<std::string> result = RunInSubprocess(
        [] {
          static_cast<void>(!::write(STDERR_FILENO, "noise", 5));
          static_cast<void>(!::write(STDOUT_FILENO, "noise", 5));
          return std::string("answer");
        },
        kLimits);
    ::_exit(result && *result == "answer" ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(program, &status, 0), program);
  EXPECT_EQ(status, 0);
}

std::string StatusOf(pid_t process, const std::string& file) {
  std::ifstream status("/proc/" + std::to_string(process) + "/" + file);
  return {std::istreambuf_iterator<char>(status), {}};
}

// A child that has entered the sandbox, and waits.
class Confined {
 public:
  Confined() {
    std::array<int, 2> pipe = {};
    if (::pipe(pipe.data()) != 0) std::abort();
    const pid_t parent = ::getpid();
    process = ::fork();
    if (process == 0) {
      if (!EnterSandbox(parent, {.bytes = 1 << 20, .seconds = 10}, &pipe[1])) ::_exit(1);
      static_cast<void>(!::write(pipe[1], "x", 1));
      for (volatile bool stop = false; !stop;) {
      }
    }
    ::close(pipe[1]);
    char byte = 0;
    entered = ::read(pipe[0], &byte, 1) == 1;
    ::close(pipe[0]);
  }
  ~Confined() {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
  pid_t process = -1;
  bool entered = false;
};

TEST(Sandbox, TheSystemShowsItFromOutside) {
  const Confined confined;
  ASSERT_TRUE(confined.entered);
  const std::string status = StatusOf(confined.process, "status"),
                    limits = StatusOf(confined.process, "limits");
  if (status.find("NoNewPrivs") == std::string::npos || limits.empty()) GTEST_SKIP() << "no /proc of Linux";
  if (Filtered()) {
    EXPECT_THAT(status, HasSubstr("NoNewPrivs:\t1"));
    EXPECT_THAT(status, HasSubstr("Seccomp:\t2"));
  }
  const auto limit = [&](const std::string& name) {
    const std::size_t at = limits.find(name);
    return at == std::string::npos ? "" : limits.substr(limits.find_first_not_of(' ', at + name.size()), 2);
  };
  EXPECT_EQ(limit("Max open files"), "0 ");
  EXPECT_EQ(limit("Max file size"), "0 ");
  EXPECT_EQ(limit("Max core file size"), "0 ");
  EXPECT_EQ(limit("Max processes"), "0 ");
  EXPECT_EQ(limit("Max cpu time"), "10");
}

TEST(Sandbox, AParentThatHasEndedIsFollowed) {
  int pipe = ::open("/dev/null", O_WRONLY);
  // Not in this process: what EnterSandbox does before it looks for its parent stays.
  const pid_t child = ::fork();
  if (child == 0) ::_exit(EnterSandbox(::getppid() + 1, {.bytes = 1 << 20, .seconds = 10}, &pipe) ? 0 : 7);
  ::close(pipe);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(Sandbox, ItEndsWithItsParent) {
  // The orphans of this process's children become its own, so that their end can be waited for.
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) GTEST_SKIP() << "orphans cannot be adopted here";
  std::array<int, 2> ready = {};
  ASSERT_EQ(::pipe(ready.data()), 0);
  const pid_t program = ::fork();
  if (program == 0) {
    static_cast<void>(RunInSubprocess(
        [&]() -> std::string {
          for (volatile bool stop = false; !stop;) {
          }
          return "";
        },
        {.bytes = std::int64_t{64} << 20, .seconds = 60, .wall_seconds = 120, .max_bytes = 1}));
    ::_exit(0);
  }
  // The child of the program has closed its copy of this pipe once it is confined; the program's own goes
  // with it.
  ::close(ready[1]);
  std::string children;
  const std::string list = "task/" + std::to_string(program) + "/children";
  for (int tries = 0; tries < 20'000 && children.empty(); ++tries) {
    children = StatusOf(program, list);
    if (!children.empty() &&
        StatusOf(std::stoi(children), "limits").find("Max open files            0") == std::string::npos) {
      children.clear();
    }
    ::usleep(500);
  }
  ::kill(program, SIGKILL);
  ASSERT_EQ(::waitpid(program, nullptr, 0), program);
  ::close(ready[0]);
  int status = 0;
  pid_t orphan = -1;
  if (!children.empty()) orphan = ::waitpid(std::stoi(children), &status, 0);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
  if (children.empty()) GTEST_SKIP() << "the children of a process are not listed here";
  EXPECT_EQ(orphan, std::stoi(children));
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
}

// Finds the pipe to the parent. A compromised child writes its answer to this pipe directly.
int PipeInside() {
  for (int number = 3;; ++number) {
    if (::write(number, "", 0) == 0) return number;
  }
}

void Send(const void* bytes, std::size_t count) { static_cast<void>(!::write(PipeInside(), bytes, count)); }

TEST(Sandbox, AnAnswerOfAnotherLengthThanItsHeadSaysIsNone) {
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{6}, ~std::uint64_t{0}}) {
    const auto lie = RunInSubprocess(
        [&]() -> std::string {
          Send(&length, sizeof length);
          Send("12345", 5);
          ::_exit(0);
        },
        kLimits);
    EXPECT_FALSE(lie) << length;
  }
  const auto cut = RunInSubprocess(
      []() -> std::string {
        Send("123", 3);
        ::_exit(0);
      },
      kLimits);
  EXPECT_FALSE(cut);
  const auto twice = RunInSubprocess(
      [] {
        const std::uint64_t length = 1;
        Send(&length, sizeof length);
        Send("a", 1);
        return std::string("b");
      },
      kLimits);
  EXPECT_FALSE(twice);
}

TEST(Sandbox, AnAnswerWithoutEndIsCutOff) {
  const auto endless = RunInSubprocess(
      []() -> std::string {
        const std::string much(100'000, 'x');
        for (;;) Send(much.data(), much.size());
      },
      kLimits);
  EXPECT_FALSE(endless);
}

TEST(Sandbox, AChildThatClosesItsPipeAndStaysIsEnded) {
  const auto begin = std::chrono::steady_clock::now();
  const auto quiet = RunInSubprocess(
      []() -> std::string {
        ::close(PipeInside());
        // Waits for ever, without processor time.
        int word = 0;
        for (;;) Call(SYS_futex, &word, 0 /* FUTEX_WAIT */, 0, nullptr, nullptr, 0);
      },
      kShort);
  EXPECT_THAT(ErrorOf(quiet).message, HasSubstr("it took too long"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(Sandbox, AnAnswerThatIsThereCountsWhateverTheChildDoesThen) {
  const auto answered = RunInSubprocess(
      []() -> std::string {
        const std::uint64_t length = 2;
        Send(&length, sizeof length);
        Send("ok", 2);
        ::close(PipeInside());
        int word = 0;
        for (;;) Call(SYS_futex, &word, 0, 0, nullptr, nullptr, 0);
      },
      kShort);
  ASSERT_TRUE(answered) << answered.error().message;
  EXPECT_EQ(*answered, "ok");
}

TEST(Sandbox, ItHasAName) {
  EXPECT_EQ(ToString(InferenceSandbox::kFiltered), "seccomp");
  EXPECT_EQ(ToString(InferenceSandbox::kLimitsAlone), "limits alone");
}

}  // namespace
}  // namespace supremum::onnx_front
