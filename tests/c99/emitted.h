/* What the programs of emitted_cases.py have in common. */
#ifndef SUPREMUM_TESTS_C99_EMITTED_H_
#define SUPREMUM_TESTS_C99_EMITTED_H_

#include <stddef.h>

struct emitted_case {
  const char* name;
  int (*run)(void); /* whether the output is the expected one */
};

/* The generated table; a null name ends it. */
extern const struct emitted_case emitted_cases[];

/* Gives each byte of the output a value that no call leaves there. */
void fill(void* bytes, size_t count);

/* Whether the bytes are equal, and the eight after them are as fill left them. */
int is_right(const void* output, const void* expected, size_t count);

/* For valgrind: the content is treated as undefined. */
void hide(void* bytes, size_t count);

#endif /* SUPREMUM_TESTS_C99_EMITTED_H_ */
