// Preloaded into a program, starts it once and runs it many times: the dynamic loader and the constructors do their
// work once, and then a copy of the process (fork) runs main() for each request. Most of the time of a short run is
// its start, several times as much where sanitizers watch it.
//
// Requests come by the socket whose number is in STARTED_SOCKET, one message each (see started.h): the three standard
// files, and a text. The answer has the status and the most memory of the run. The program ends when the other end of
// the socket is closed.
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
// What the copy runs with. Held here, where the search for leaks finds that it is held.
static char **folder, **arguments, **variables;

// Takes a request and its files: whether there was one.
static int take(int from, int files[kFiles]) {
  struct iovec part = {text, sizeof text};
  union {
    char bytes[CMSG_SPACE(kFiles * sizeof(int))];
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
  if (size < 1 || head == NULL || head->cmsg_len != CMSG_LEN(kFiles * sizeof(int))) return 0;
  memcpy(files, CMSG_DATA(head), kFiles * sizeof(int));
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
static int run(const int files[kFiles]) {
  struct started_request request;
  memcpy(&request, text, sizeof request);
  char* position = text + sizeof request;
  folder = strings(1, &position);
  arguments = strings(request.arguments, &position);
  environ = variables = strings(request.variables, &position);
  if (chdir(folder[0]) != 0 || setrlimit(RLIMIT_CORE, &request.core) != 0) _exit(127);
  for (int i = 0; i < kFiles; ++i) {
    if (dup2(files[i], i) < 0) _exit(127);
    close_file(files[i]);
  }
  return main_of_the_program(request.arguments, arguments, environ);
}

static int serve(int argc, char** argv, char** of_start) {
  const char* const number = getenv("STARTED_SOCKET");
  if (number == NULL) return main_of_the_program(argc, argv, of_start);
  const int socket = atoi(number);
  struct started_answer answer = {0};
  // The first answer, to no request, says that the program has started.
  if (send(socket, &answer, sizeof answer, MSG_NOSIGNAL) < 0) _exit(127);
  int files[kFiles];
  while (take(socket, files)) {
    const pid_t child = fork();
    if (child == 0) {
      close_file(socket);
      return run(files);
    }
    for (int i = 0; i < kFiles; ++i) close_file(files[i]);
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
