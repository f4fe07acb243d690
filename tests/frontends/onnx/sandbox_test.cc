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
#include <filesystem>
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

// What becomes of work that makes one system call: "ended", or what the call returned.
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

// Network, programs and processes, other processes, files, and rights.
TEST(Sandbox, ACallThatReachesOutsideEndsTheProcess) {
  if (!Filtered()) GTEST_SKIP() << kNoFilter;
  static const std::array<const char*, 2> kArguments = {"/bin/true", nullptr};
  const pid_t other_process = ::getpid();
  const test::TempDir folder;
  const std::string name = folder.File("there"), other = folder.File("other");
  std::ofstream(name) << "content";
  const char* const a = name.c_str();
  const char* const b = other.c_str();
  ExpectOutcomes(
      {
#ifdef SYS_socket
          {"socket", [] { return Call(SYS_socket, AF_INET, SOCK_STREAM, 0); }},
          {"socket of the system", [] { return Call(SYS_socket, AF_UNIX, SOCK_STREAM, 0); }},
          {"socketpair", [] { return Call(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, nullptr); }},
          {"connect", [] { return Call(SYS_connect, 3, nullptr, 0); }},
          {"bind", [] { return Call(SYS_bind, 3, nullptr, 0); }},
          {"sendto", [] { return Call(SYS_sendto, 3, "x", 1, 0, nullptr, 0); }},
          {"sendmsg", [] { return Call(SYS_sendmsg, 3, nullptr, 0); }},
          {"recvfrom", [] { return Call(SYS_recvfrom, 3, nullptr, 0, 0, nullptr, nullptr); }},
#endif
#ifdef SYS_socketcall
          {"socketcall", [] { return Call(SYS_socketcall, 1, nullptr); }},
#endif
          {"io_uring_setup", [] { return Call(SYS_io_uring_setup, 1, nullptr); }},
          {"execve", [] { return Call(SYS_execve, kArguments[0], kArguments.data(), nullptr); }},
          {"execveat",
           [] { return Call(SYS_execveat, AT_FDCWD, kArguments[0], kArguments.data(), nullptr, 0); }},
          {"clone", [] { return Call(SYS_clone, SIGCHLD, 0, 0, 0, 0); }},
          {"clone3", [] { return Call(SYS_clone3, nullptr, 0); }},
#ifdef SYS_fork
          {"fork", [] { return Call(SYS_fork); }},
#endif
          {"a thread",
           [] {
             std::thread([] {}).join();
             return 0L;
           }},
          {"unshare", [] { return Call(SYS_unshare, 0x10000000); }},
          {"setns", [] { return Call(SYS_setns, 3, 0); }},
          {"wait4", [] { return Call(SYS_wait4, -1, nullptr, 0, nullptr); }},
          {"kill", [=] { return Call(SYS_kill, other_process, 0); }},
          {"kill of itself", [] { return Call(SYS_kill, ::getpid(), 0); }},
          {"kill of all", [] { return Call(SYS_kill, -1, 0); }},
          {"tgkill", [=] { return Call(SYS_tgkill, other_process, other_process, 0); }},
          {"tgkill of any group", [=] { return Call(SYS_tgkill, -1, other_process, 0); }},
          {"tkill", [=] { return Call(SYS_tkill, other_process, 0); }},
          {"rt_sigqueueinfo", [=] { return Call(SYS_rt_sigqueueinfo, other_process, 0, nullptr); }},
          {"pidfd_open", [=] { return Call(SYS_pidfd_open, other_process, 0); }},
          {"pidfd_getfd", [] { return Call(SYS_pidfd_getfd, 3, 0, 0); }},
          {"ptrace", [=] { return Call(SYS_ptrace, 16, other_process, 0, 0); }},
          {"process_vm_readv",
           [=] { return Call(SYS_process_vm_readv, other_process, nullptr, 0, nullptr, 0, 0); }},
          {"process_vm_writev",
           [=] { return Call(SYS_process_vm_writev, other_process, nullptr, 0, nullptr, 0, 0); }},
          {"setpriority", [=] { return Call(SYS_setpriority, 0, other_process, 19); }},
          {"shmget",
           [] {
#ifdef SYS_shmget
             return Call(SYS_shmget, 1, 4096, 01600);
#else
             return Call(SYS_ipc, 23, 1, 4096, 01600);
#endif
           }},
          {"openat2", [=] { return Call(SYS_openat2, AT_FDCWD, a, nullptr, 0); }},
#ifdef SYS_creat
          {"creat", [=] { return Call(SYS_creat, b, 0600); }},
          {"unlink", [=] { return Call(SYS_unlink, a); }},
#endif
          {"unlinkat", [=] { return Call(SYS_unlinkat, AT_FDCWD, a, 0); }},
          {"renameat2", [=] { return Call(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 0); }},
          {"linkat", [=] { return Call(SYS_linkat, AT_FDCWD, a, AT_FDCWD, b, 0); }},
          {"symlinkat", [=] { return Call(SYS_symlinkat, a, AT_FDCWD, b); }},
          {"mkdirat", [=] { return Call(SYS_mkdirat, AT_FDCWD, b, 0700); }},
          {"mknodat", [=] { return Call(SYS_mknodat, AT_FDCWD, b, 0010600, 0); }},
          {"truncate", [=] { return Call(SYS_truncate, a, 0L); }},
          {"fchmodat", [=] { return Call(SYS_fchmodat, AT_FDCWD, a, 0777); }},
          {"chdir", [] { return Call(SYS_chdir, "/"); }},
          {"chroot", [] { return Call(SYS_chroot, "/"); }},
          {"mount", [=] { return Call(SYS_mount, a, b, nullptr, 0, nullptr); }},
          {"memfd_create", [] { return Call(SYS_memfd_create, "x", 0); }},
          {"open_by_handle_at", [] { return Call(SYS_open_by_handle_at, AT_FDCWD, nullptr, 0); }},
          {"setuid", [] { return Call(SYS_setuid, 0); }},
          {"setresuid", [] { return Call(SYS_setresuid, 0, 0, 0); }},
          {"capset", [] { return Call(SYS_capset, nullptr, nullptr); }},
#ifdef SYS_setrlimit
          {"setrlimit", [] { return Call(SYS_setrlimit, 0, nullptr); }},
#endif
          {"seccomp", [] { return Call(SYS_seccomp, 0, 0, nullptr); }},
          {"bpf", [] { return Call(SYS_bpf, 0, nullptr, 0); }},
          {"perf_event_open", [] { return Call(SYS_perf_event_open, nullptr, 0, -1, -1, 0); }},
          {"userfaultfd", [] { return Call(SYS_userfaultfd, 0); }},
          {"keyctl", [] { return Call(SYS_keyctl, 0, 0, 0, 0, 0); }},
          {"personality", [] { return Call(SYS_personality, 0x0040000); }},
          {"dup", [] { return Call(SYS_dup, 3); }},
          {"pipe2", [] { return Call(SYS_pipe2, nullptr, 0); }},
          {"nanosleep", [] { return Call(SYS_clock_nanosleep, 0, 0, nullptr, nullptr); }},
          {"a number that no call has", [] { return Call(100'000); }},
          {"a call of x32", [] { return Call(0x40000000 | SYS_getpid); }},
      },
      "ended");
  std::ifstream file(name);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "content");
  EXPECT_FALSE(std::filesystem::exists(other));
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

// What a child that was taken over answers.
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
