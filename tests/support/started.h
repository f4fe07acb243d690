/* What process.cc and a program that started.c is preloaded into say to each other, each in one message.
 *
 * A request is a started_request; then the folder to run in, the arguments, and the variables of the
 * environment, each with its zero. It comes with the standard input, output and error. */
#ifndef SUPREMUM_TESTS_SUPPORT_STARTED_H_
#define SUPREMUM_TESTS_SUPPORT_STARTED_H_

#include <sys/resource.h>

enum { kMostOfARequest = 1 << 16 /* bytes */, kFiles = 3 };

struct started_request {
  struct rlimit core; /* the limit of what a core file may have */
  int arguments;
  int variables;
};

struct started_answer {
  int status; /* as waitpid() has it */
  struct rusage usage;
};

#endif /* SUPREMUM_TESTS_SUPPORT_STARTED_H_ */
