// Preloaded or linked, makes one of a program's system calls fail: the COUNT-th, from 0, of those that CALLS has.
//
//   FAULT_ACTION   kill: the program is killed before the call; signal:N: it gets signal N, and the call waits for
//                  its end, until a file has got its final name, which is too late for signals; script: FAULT_SCRIPT
//                  is run by a shell before the call; short: the call writes or reads half of what it is asked for;
//                  end: the call reads nothing, as at the end of a file; memory: from the call on, no memory can be
//                  allocated;
//                  a number: the call fails with that errno; 0: nothing happens; change: the call reads half of what
//                  it is asked for, then FAULT_FILE gets the content of FAULT_WITH and the times that it had; swap:
//                  before the call FAULT_FILE is replaced by FAULT_WITH
//   FAULT_CALLS    write: what changes files; read: what opens and reads them
//   FAULT_COUNT    COUNT
//   FAULT_MARK     a file that is made when the fault comes
//   FAULT_WAIT     how long a call waits for the end of the program, in milliseconds; 2000 if not given
//   FAULT_TOTAL    a file that gets the number of these calls when the program exits
//   FAULT_PROGRAM  only in programs of this name, and not in others that they start
//
// With FAULT_LASTING the calls after it have the same fault.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kWrite = 1, kRead = 2 };
enum { kHalf = -1, kChange = -2, kEnd = -3 };

static atomic_int calls_so_far;
static atomic_bool too_late;   // for signals: a file has got its final name
static atomic_bool no_memory;  // for memory: the call has come

static void* next(const char* name) { return dlsym(RTLD_NEXT, name); }

// Changes the file as an attacker would who hides it: in place, with the same size, and its times set back.
static void change_file(void) {
  const char *name = getenv("FAULT_FILE"), *with = getenv("FAULT_WITH");
  if (name == NULL || with == NULL) abort();
  const int from = (int)syscall(SYS_openat, AT_FDCWD, with, O_RDONLY | O_CLOEXEC, 0);
  const int to = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CLOEXEC, 0);
  struct stat before;
  if (((int (*)(int, struct stat*))dlsym(RTLD_NEXT, "fstat"))(to, &before) != 0) abort();
  char bytes[4096];
  for (long got; (got = syscall(SYS_read, from, bytes, sizeof bytes)) > 0;) {
    if (syscall(SYS_write, to, bytes, (size_t)got) != got) abort();
  }
  const struct timespec times[2] = {before.st_atim, before.st_mtim};
  if (futimens(to, times) != 0) abort();
  syscall(SYS_close, from);
  syscall(SYS_close, to);
}

static void run_script(const char* script) {
  const pid_t child = fork();
  if (child == 0) {
    unsetenv("LD_PRELOAD");
    execl("/bin/sh", "sh", "-c", script, (char*)NULL);
    _exit(127);
  }
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
}

// Decides the effect on a call of this kind, and applies the faults that come before the call. Returns 0 for a
// normal call, or the errno with which the call fails. Negative results: kHalf: the call transfers half of the
// bytes; kChange: it also transfers half, and then the file changes; kEnd: it reads 0 bytes.
static int fate(int kind) {
  const char *action = getenv("FAULT_ACTION"), *calls = getenv("FAULT_CALLS"), *count = getenv("FAULT_COUNT");
  if (action == NULL || calls == NULL || count == NULL) return 0;
  if (kind != (strcmp(calls, "write") == 0 ? kWrite : kRead)) return 0;
  const char* program = getenv("FAULT_PROGRAM");
  if (program != NULL && strcmp(program, program_invocation_short_name) != 0) return 0;
  const int call = atomic_fetch_add(&calls_so_far, 1);
  if (call < atoi(count) || (call > atoi(count) && getenv("FAULT_LASTING") == NULL)) return 0;
  const char* mark = getenv("FAULT_MARK");
  if (mark != NULL) {
    const long file = syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    syscall(SYS_close, file);
  }
  if (strcmp(action, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(action, "short") == 0) return kHalf;
  if (strcmp(action, "change") == 0) return kChange;
  if (strcmp(action, "end") == 0) return kEnd;
  if (strcmp(action, "swap") == 0) {
    const char *name = getenv("FAULT_FILE"), *with = getenv("FAULT_WITH");
    if (name == NULL || with == NULL || syscall(SYS_renameat2, AT_FDCWD, with, AT_FDCWD, name, 0) != 0) abort();
    return 0;
  }
  if (strncmp(action, "signal:", 7) == 0) {
    kill(getpid(), atoi(action + 7));
    const char* wait = getenv("FAULT_WAIT");
    const long milliseconds = wait == NULL ? 2000 : atol(wait);
    const struct timespec while_it_ends = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    if (!too_late) nanosleep(&while_it_ends, NULL);
    return 0;
  }
  if (strcmp(action, "script") == 0) {
    run_script(getenv("FAULT_SCRIPT"));
    return 0;
  }
  if (strcmp(action, "memory") == 0) {
    no_memory = 1;
    return 0;
  }
  return atoi(action);
}

// C++'s operator new allocates by it. The address sanitizer has a malloc of its own, which must be the first.
#if !defined(SUPREMUM_SANITIZED)
extern void* __libc_malloc(size_t size);
void* malloc(size_t size) {
  if (!no_memory) return __libc_malloc(size);
  errno = ENOMEM;
  return NULL;
}
#endif

__attribute__((destructor)) static void write_total(void) {
  const char *total = getenv("FAULT_TOTAL"), *program = getenv("FAULT_PROGRAM");
  if (total == NULL || (program != NULL && strcmp(program, program_invocation_short_name) != 0)) return;
  char text[16];
  const int length = snprintf(text, sizeof text, "%d", calls_so_far);
  const long file = syscall(SYS_openat, AT_FDCWD, total, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
  syscall(SYS_write, file, text, (size_t)length);
  syscall(SYS_close, file);
}

static int fails(int kind) {
  const int error = fate(kind);
  if (error == kChange) change_file();
  if (error <= 0) return 0;
  errno = error;
  return 1;
}

// For calls that no signal interrupts, and that do all of their work or none.
static int fails_if_at_all(int kind) {
  const char* action = getenv("FAULT_ACTION");
  if (action != NULL && (strcmp(action, "short") == 0 || atoi(action) == EINTR)) return 0;
  return fails(kind);
}

// Applies only the actions that do not fail the call: these calls are never made to fail.
static void moment(int kind) {
  const char* action = getenv("FAULT_ACTION");
  if (action == NULL) return;
  const int fails_nothing = strcmp(action, "0") == 0 || strcmp(action, "kill") == 0 || strcmp(action, "script") == 0;
  if (fails_nothing || strncmp(action, "signal:", 7) == 0) fate(kind);
}

static int kind_of_open(int flags) { return (flags & O_ACCMODE) == O_RDONLY ? kRead : kWrite; }

#define MODE_OF(flags)                  \
  mode_t mode = 0;                      \
  if ((flags & (O_CREAT)) != 0) {       \
    va_list more;                       \
    va_start(more, flags);              \
    mode = (mode_t)va_arg(more, int);   \
    va_end(more);                       \
  }

int open(const char* path, int flags, ...) {
  MODE_OF(flags)
  if (fails(kind_of_open(flags))) return -1;
  return ((int (*)(const char*, int, mode_t))next("open"))(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE_OF(flags)
  if (fails(kind_of_open(flags))) return -1;
  return ((int (*)(const char*, int, mode_t))next("open64"))(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE_OF(flags)
  if (fails(kind_of_open(flags))) return -1;
  return ((int (*)(int, const char*, int, mode_t))next("openat"))(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  MODE_OF(flags)
  if (fails(kind_of_open(flags))) return -1;
  return ((int (*)(int, const char*, int, mode_t))next("openat64"))(folder, path, flags, mode);
}
ssize_t write(int file, const void* bytes, size_t size) {
  const int error = fate(kWrite);
  if (error > 0) {
    errno = error;
    return -1;
  }
  return ((ssize_t(*)(int, const void*, size_t))next("write"))(file, bytes, error < 0 && size > 1 ? size / 2 : size);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  const int error = fate(kWrite);
  if (error > 0) {
    errno = error;
    return -1;
  }
  return ((ssize_t(*)(int, const void*, size_t, off_t))next("pwrite"))(file, bytes,
                                                                       error < 0 && size > 1 ? size / 2 : size, offset);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset) { return pwrite(file, bytes, size, offset); }
int ftruncate(int file, off_t size) {
  if (fails(kWrite)) return -1;
  return ((int (*)(int, off_t))next("ftruncate"))(file, size);
}
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }
ssize_t read(int file, void* bytes, size_t size) {
  const int error = fate(kRead);
  if (error > 0) {
    errno = error;
    return -1;
  }
  if (error == kEnd) return 0;
  const ssize_t got = ((ssize_t(*)(int, void*, size_t))next("read"))(file, bytes, error < 0 && size > 1 ? size / 2 : size);
  if (error == kChange) change_file();
  return got;
}
ssize_t pread(int file, void* bytes, size_t size, off_t offset) {
  const int error = fate(kRead);
  if (error > 0) {
    errno = error;
    return -1;
  }
  if (error == kEnd) return 0;
  const ssize_t got = ((ssize_t(*)(int, void*, size_t, off_t))next("pread"))(
      file, bytes, error < 0 && size > 1 ? size / 2 : size, offset);
  if (error == kChange) change_file();
  return got;
}
ssize_t pread64(int file, void* bytes, size_t size, off64_t offset) { return pread(file, bytes, size, offset); }
int fstat(int file, struct stat* status) {
  if (fails_if_at_all(kRead)) return -1;
  return ((int (*)(int, struct stat*))next("fstat"))(file, status);
}
int fsync(int file) {
  if (fails(kWrite)) return -1;
  return ((int (*)(int))next("fsync"))(file);
}
int fchmod(int file, mode_t mode) {
  if (fails_if_at_all(kWrite)) return -1;
  return ((int (*)(int, mode_t))next("fchmod"))(file, mode);
}
// A temporary file gets the name that was asked for; not one of a test, whose commands run in copies of it.
static void note_final(const char* from, const char* to) {
  if (getenv("FAULT_ACTION") != NULL && strstr(from, ".supremum-") != NULL && strstr(to, ".supremum-") == NULL) too_late = 1;
}
int rename(const char* from, const char* to) {
  note_final(from, to);
  if (fails_if_at_all(kWrite)) return -1;
  return ((int (*)(const char*, const char*))next("rename"))(from, to);
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  note_final(from, to);
  if (fails_if_at_all(kWrite)) return -1;
  return ((int (*)(int, const char*, int, const char*))next("renameat"))(from_folder, from, to_folder, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  note_final(from, to);
  if (fails_if_at_all(kWrite)) return -1;
  return ((int (*)(int, const char*, int, const char*, unsigned))next("renameat2"))(from_folder, from, to_folder, to,
                                                                                     flags);
}
int unlink(const char* path) {
  moment(kWrite);
  return ((int (*)(const char*))next("unlink"))(path);
}
int unlinkat(int folder, const char* path, int flags) {
  moment(kWrite);
  return ((int (*)(int, const char*, int))next("unlinkat"))(folder, path, flags);
}
int rmdir(const char* path) {
  moment(kWrite);
  return ((int (*)(const char*))next("rmdir"))(path);
}
FILE* fopen(const char* path, const char* mode) {
  if (strchr(mode, 'w') != NULL) moment(kWrite);
  return ((FILE * (*)(const char*, const char*)) next("fopen"))(path, mode);
}
int mkdir(const char* path, mode_t mode) {
  if (fails_if_at_all(kWrite)) return -1;
  return ((int (*)(const char*, mode_t))next("mkdir"))(path, mode);
}
// Whatever it says, the file is closed.
int close(int file) {
  const int done = ((int (*)(int))next("close"))(file);
  return fails(kWrite) ? -1 : done;
}
