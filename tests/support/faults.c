// Preloaded into a program, lets one of its system calls go wrong: the COUNT-th, from 0, of those that CALLS has.
//
//   FAULT_ACTION   kill: the program is killed before the call; term: it gets SIGTERM; short: the call writes or
//                  reads half of what it is asked for; a number: the call fails with that errno; change: the call
//                  reads half of what it is asked for, then FAULT_FILE gets the content of FAULT_WITH and the
//                  times that it had; swap: before the call FAULT_FILE is replaced by FAULT_WITH
//   FAULT_CALLS    write: what changes files; read: what opens and reads them
//   FAULT_COUNT    COUNT
//   FAULT_MARK     a file that is made when the fault comes
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
#include <time.h>
#include <unistd.h>

enum { kWrite = 1, kRead = 2 };
enum { kHalf = -1, kChange = -2 };

static atomic_int calls_so_far;

static void* next(const char* name) { return dlsym(RTLD_NEXT, name); }

// As somebody does who does not want it to be seen: in place, as long as before, with the times set back.
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

// What becomes of a call of that kind: 0: it is made; kHalf: half of it is; kChange: half of it is, and then the
// file changes; otherwise an errno.
static int fate(int kind) {
  const char *action = getenv("FAULT_ACTION"), *calls = getenv("FAULT_CALLS"), *count = getenv("FAULT_COUNT");
  if (action == NULL || calls == NULL || count == NULL) return 0;
  if (kind != (strcmp(calls, "write") == 0 ? kWrite : kRead)) return 0;
  if (atomic_fetch_add(&calls_so_far, 1) != atoi(count)) return 0;
  const char* mark = getenv("FAULT_MARK");
  if (mark != NULL) {
    const long file = syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    syscall(SYS_close, file);
  }
  if (strcmp(action, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(action, "short") == 0) return kHalf;
  if (strcmp(action, "change") == 0) return kChange;
  if (strcmp(action, "swap") == 0) {
    const char *name = getenv("FAULT_FILE"), *with = getenv("FAULT_WITH");
    if (name == NULL || with == NULL || syscall(SYS_renameat2, AT_FDCWD, with, AT_FDCWD, name, 0) != 0) abort();
    return 0;
  }
  if (strcmp(action, "term") == 0) {
    kill(getpid(), SIGTERM);
    const struct timespec while_it_ends = {2, 0};
    nanosleep(&while_it_ends, NULL);
    return 0;
  }
  return atoi(action);
}

static int fails(int kind) {
  const int error = fate(kind);
  if (error == kChange) change_file();
  if (error <= 0) return 0;
  errno = error;
  return 1;
}

// Of a call that no signal interrupts, and that does its work whole or not at all.
static int fails_if_at_all(int kind) {
  const char* action = getenv("FAULT_ACTION");
  if (action != NULL && (strcmp(action, "short") == 0 || atoi(action) == EINTR)) return 0;
  return fails(kind);
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
// As libzip reads. Only a change of the file comes here: the others are for calls of the system.
size_t fread(void* bytes, size_t size, size_t count, FILE* file) {
  const char* action = getenv("FAULT_ACTION");
  const int changes = action != NULL && strcmp(action, "change") == 0 && fate(kRead) == kChange;
  const size_t got = ((size_t(*)(void*, size_t, size_t, FILE*))next("fread"))(bytes, size, count, file);
  if (changes) change_file();
  return got;
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
int rename(const char* from, const char* to) {
  if (fails_if_at_all(kWrite)) return -1;
  return ((int (*)(const char*, const char*))next("rename"))(from, to);
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  if (fails_if_at_all(kWrite)) return -1;
  return ((int (*)(int, const char*, int, const char*))next("renameat"))(from_folder, from, to_folder, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (fails_if_at_all(kWrite)) return -1;
  return ((int (*)(int, const char*, int, const char*, unsigned))next("renameat2"))(from_folder, from, to_folder, to, flags);
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
