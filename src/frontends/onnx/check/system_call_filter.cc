// The system call filter of the sandbox: seccomp, on systems that support it.
#include "frontends/onnx/check/sandbox.h"

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>
#endif

namespace supremum::onnx_front {

#ifdef __linux__
namespace {

// Numbers of system calls depend on the architecture: 0 for an architecture that is not listed.
constexpr std::uint32_t kArchitecture =
#if defined(__x86_64__) && !defined(__ILP32__)
    AUDIT_ARCH_X86_64;
#elif defined(__i386__)
    AUDIT_ARCH_I386;
#elif defined(__aarch64__) && defined(__AARCH64EL__)
    AUDIT_ARCH_AARCH64;
#elif defined(__arm__) && defined(__ARMEL__)
    AUDIT_ARCH_ARM;
#elif defined(__riscv) && __riscv_xlen == 64
    AUDIT_ARCH_RISCV64;
#elif defined(__s390x__)
    AUDIT_ARCH_S390X;
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
    AUDIT_ARCH_PPC64LE;
#else
    0;
#endif

// The thread and memory sanitizers' runtimes make system calls of their own.
#if defined(__SANITIZE_THREAD__)
constexpr bool kOwnCallsAlone = false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool kOwnCallsAlone = false;
#else
constexpr bool kOwnCallsAlone = true;
#endif
#else
constexpr bool kOwnCallsAlone = true;
#endif

// Allowed: memory, locks, clocks, random numbers (of hash tables and of malloc), the calls of abort(), and
// exit. Writing is allowed to any descriptor, since the pipe is the only one and no other can be opened.
constexpr long kAllowed[] = {
    SYS_write,
    SYS_writev,
    SYS_close,
    SYS_brk,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
#ifdef SYS_futex
    SYS_futex,
#endif
#ifdef SYS_futex_time64
    SYS_futex_time64,
#endif
    SYS_sched_yield,
#ifdef SYS_clock_gettime
    SYS_clock_gettime,
#endif
#ifdef SYS_clock_gettime64
    SYS_clock_gettime64,
#endif
#ifdef SYS_gettimeofday
    SYS_gettimeofday,
#endif
#ifdef SYS_time
    SYS_time,
#endif
    SYS_getrandom,
    SYS_getpid,
    SYS_gettid,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
#ifdef SYS_sigreturn
    SYS_sigreturn,
#endif
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_exit,
    SYS_exit_group,
// Here its argument is a pointer to the arguments, which a filter cannot read: PROT_EXEC is not refused.
#ifdef __s390x__
    SYS_mmap,
#endif
};

// Refused with EPERM: calls that C and C++ libraries make on their own and can do without: files of locales,
// of time zones and of /proc, terminals, the number of processors, limits, and names of memory. If they ended
// the process, the inference would depend on the version of a library.
constexpr long kRefused[] = {
    SYS_openat,     SYS_read,    SYS_lseek,    SYS_ioctl,     SYS_faccessat,
    SYS_readlinkat, SYS_getcwd,  SYS_uname,    SYS_sysinfo,   SYS_sched_getaffinity,
    SYS_prlimit64,  SYS_prctl,
#ifdef SYS_open  // the calls of older architectures, which the ones with "at" replace
    SYS_open,       SYS_access,  SYS_readlink, SYS_stat,      SYS_lstat,
#endif
#ifdef SYS_stat64  // the calls of 32 bits
    SYS_stat64,     SYS_lstat64, SYS_fstat64,  SYS_fstatat64, SYS_fcntl64,
#endif
#ifdef SYS_fcntl
    SYS_fcntl,
#endif
#ifdef SYS__llseek
    SYS__llseek,
#endif
#ifdef SYS_fstat
    SYS_fstat,
#endif
#ifdef SYS_newfstatat
    SYS_newfstatat,
#endif
#ifdef SYS_statx
    SYS_statx,
#endif
#ifdef SYS_getrlimit
    SYS_getrlimit,
#endif
#ifdef SYS_ugetrlimit
    SYS_ugetrlimit,
#endif
};

// Calls whose third argument is a memory protection.
constexpr long kProtects[] = {
    SYS_mprotect,
// On i386, as on s390x, mmap takes a pointer; the C library calls mmap2.
#if defined(SYS_mmap) && !defined(__i386__) && !defined(__s390x__)
    SYS_mmap,
#endif
#ifdef SYS_mmap2
    SYS_mmap2,
#endif
};

// Signals to the process itself, which abort() and raise() send. The first argument is the id of the process,
// or of its thread.
constexpr long kSignals[] = {SYS_tgkill, SYS_tkill};

constexpr std::uint32_t kEnd = SECCOMP_RET_KILL_PROCESS;
constexpr std::uint32_t kFail = SECCOMP_RET_ERRNO | EPERM;

// The low half of an argument, which has 64 bits on every architecture.
constexpr std::uint32_t ArgumentOffset(std::size_t index) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * index +
                                    (std::endian::native == std::endian::big ? 4 : 0));
}

// A BPF program, whose input is a seccomp_data.
class Program {
 public:
  void Load(std::uint32_t offset) { Add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset); }
  void Return(std::uint32_t action) { Add(BPF_RET | BPF_K, 0, 0, action); }
  // Continues with the next instruction if the loaded value is `value`, or has one of its bits; otherwise
  // skips `skipped` instructions.
  void IfEqual(std::uint32_t value, std::uint8_t skipped) {
    Add(BPF_JMP | BPF_JEQ | BPF_K, 0, skipped, value);
  }
  void IfAnyBit(std::uint32_t bits, std::uint8_t skipped) {
    Add(BPF_JMP | BPF_JSET | BPF_K, 0, skipped, bits);
  }
  void UnlessEqual(std::uint32_t value, std::uint8_t skipped) {
    Add(BPF_JMP | BPF_JEQ | BPF_K, skipped, 0, value);
  }
  // Adds the action for each of these calls. Requires: the number of the call is loaded.
  template <std::size_t count>
  void ReturnFor(const long (&calls)[count], std::uint32_t action) {
    for (const long call : calls) {
      IfEqual(static_cast<std::uint32_t>(call), 1);
      Return(action);
    }
  }

  sock_fprog Made() { return {static_cast<unsigned short>(size_), code_.data()}; }

 private:
  void Add(int code, std::uint8_t if_true, std::uint8_t if_false, std::uint32_t k) {
    code_[size_++] = {static_cast<std::uint16_t>(code), if_true, if_false, k};
  }

  // Two instructions for each call, five if an argument is compared, and six in addition: about 140 on the
  // architecture with the most calls.
  std::array<sock_filter, 256> code_ = {};
  std::size_t size_ = 0;
};

static_assert(2 * (std::size(kAllowed) + std::size(kRefused)) +
                  5 * (std::size(kProtects) + std::size(kSignals)) + 6 <=
              256);

}  // namespace

bool CanFilterSystemCalls() {
  if constexpr (kArchitecture == 0 || !kOwnCallsAlone) return false;
  const std::uint32_t action = kEnd;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool FilterSystemCalls() {
  Program program;
  program.Load(offsetof(seccomp_data, arch));
  program.UnlessEqual(kArchitecture, 1);
  program.Return(kEnd);
  program.Load(offsetof(seccomp_data, nr));
  program.ReturnFor(kAllowed, SECCOMP_RET_ALLOW);
  program.ReturnFor(kRefused, kFail);
  for (const long call : kProtects) {
    program.IfEqual(static_cast<std::uint32_t>(call), 4);
    program.Load(ArgumentOffset(2));
    program.IfAnyBit(PROT_EXEC, 1);
    program.Return(kEnd);
    program.Return(SECCOMP_RET_ALLOW);
  }
  for (const long call : kSignals) {
    program.IfEqual(static_cast<std::uint32_t>(call), 4);
    program.Load(ArgumentOffset(0));
    program.IfEqual(static_cast<std::uint32_t>(::getpid()), 1);
    program.Return(SECCOMP_RET_ALLOW);
    program.Return(kEnd);
  }
  program.Return(kEnd);
  sock_fprog made = program.Made();
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &made) == 0;
}
#else
bool CanFilterSystemCalls() { return false; }
bool FilterSystemCalls() { return false; }
#endif

}  // namespace supremum::onnx_front
