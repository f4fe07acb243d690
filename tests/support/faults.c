// Preloaded into a program, lets one of its system calls go wrong: the COUNT-th, from 0, of those that CALLS has.
//
//   FAULT_ACTION   kill: the program is killed before the call; term: it gets SIGTERM; short: the call writes or
//                  reads half of what it is asked for; a number: the call fails with that errno
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

static atomic_int calls_so_far;

static void* next(const char* name) { return dlsym(RTLD_NEXT, name); }

// What becomes of a call of that kind: 0: it is made; -1: half of it is; otherwise an errno.
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
  if (strcmp(action, "short") == 0) return -1;
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
  return ((ssize_t(*)(int, void*, size_t))next("read"))(file, bytes, error < 0 && size > 1 ? size / 2 : size);
}
ssize_t pread(int file, void* bytes, size_t size, off_t offset) {
  const int error = fate(kRead);
  if (error > 0) {
    errno = error;
    return -1;
  }
  return ((ssize_t(*)(int, void*, size_t, off_t))next("pread"))(file, bytes, error < 0 && size > 1 ? size / 2 : size,
                                                                offset);
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
int mkdir(const char* path, mode_t mode) {
  if (fails_if_at_all(kWrite)) return -1;
  return ((int (*)(const char*, mode_t))next("mkdir"))(path, mode);
}
// Whatever it says, the file is closed.
int close(int file) {
  const int done = ((int (*)(int))next("close"))(file);
  return fails(kWrite) ? -1 : done;
}
