// Preloaded into a program, starts it once and runs it many times: the dynamic loader and the constructors do their
// work once, and then a copy of the process (fork) runs main() for each request. Most of the time of a short run is
// its start, several times as much where sanitizers watch it.
//
// Requests come by the socket whose number is in STARTED_SOCKET, one message each (see started.h): the two files that
// are standard output and standard error, and a text. The answer has the status and the most memory of the run. The
// program ends when the other end of the socket is closed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "started.h"

extern char** environ;

// Not by a call that another preloaded library may make fail (faults.c).
static void close_file(int file) { syscall(SYS_close, file); }

static int (*main_of_the_program)(int, char**, char**);
static char text[kMostOfARequest];

// Takes a request and its files: whether there was one.
static int take(int from, int files[2]) {
  struct iovec part = {text, sizeof text};
  union {
    char bytes[CMSG_SPACE(2 * sizeof(int))];
    struct cmsghdr aligned;
  } control;
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  long size;
  do {
    size = recvmsg(from, &message, 0);
  } while (size < 0 && errno == EINTR);
  const struct cmsghdr* const head = CMSG_FIRSTHDR(&message);
  if (size < 1 || head == NULL || head->cmsg_len != CMSG_LEN(2 * sizeof(int))) return 0;
  memcpy(files, CMSG_DATA(head), 2 * sizeof(int));
  return 1;
}

// The `count` strings from `*position` on, which is moved behind them: an array with NULL at its end.
static char** strings(int count, char** position) {
  char** const list = calloc((size_t)count + 1, sizeof *list);
  if (list == NULL) abort();
  for (int i = 0; i < count; ++i) {
    list[i] = *position;
    *position += strlen(*position) + 1;
  }
  return list;
}

// In the copy: becomes what the request asks for, and runs the program.
static int run(const int files[2]) {
  struct started_request request;
  memcpy(&request, text, sizeof request);
  char* position = text + sizeof request;
  char** const folder = strings(1, &position);
  char** const arguments = strings(request.arguments, &position);
  environ = strings(request.variables, &position);
  if (chdir(folder[0]) != 0 || setrlimit(RLIMIT_CORE, &request.core) != 0 || dup2(files[0], STDOUT_FILENO) < 0 ||
      dup2(files[1], STDERR_FILENO) < 0) {
    _exit(127);
  }
  close_file(files[0]);
  close_file(files[1]);
  return main_of_the_program(request.arguments, arguments, environ);
}

static int serve(int argc, char** argv, char** variables) {
  const char* const number = getenv("STARTED_SOCKET");
  if (number == NULL) return main_of_the_program(argc, argv, variables);
  const int socket = atoi(number);
  struct started_answer answer = {0};
  // The first answer, to no request, says that the program has started.
  if (send(socket, &answer, sizeof answer, MSG_NOSIGNAL) < 0) _exit(127);
  int files[2];
  while (take(socket, files)) {
    const pid_t child = fork();
    if (child == 0) {
      close_file(socket);
      return run(files);
    }
    close_file(files[0]);
    close_file(files[1]);
    if (child < 0 || wait4(child, &answer.status, 0, &answer.usage) != child) _exit(127);
    if (send(socket, &answer, sizeof answer, MSG_NOSIGNAL) < 0) break;
  }
  _exit(0);
}

// In front of the C library's, which calls the program's main() when all has been made ready.
int __libc_start_main(int (*program)(int, char**, char**), int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void* stack_end);
int __libc_start_main(int (*program)(int, char**, char**), int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void* stack_end) {
  main_of_the_program = program;
  return ((int (*)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*))dlsym(
      RTLD_NEXT, "__libc_start_main"))(serve, argc, argv, init, fini, loader_fini, stack_end);
}
