/* Runs the cases of emitted_cases.py: prints the name of each that is wrong, the most stack that one used,
   and "end". */
#include "emitted.h"
#include "host.h"

#ifdef OBLIVIOUS
#include <valgrind/memcheck.h>
#endif

enum { FILLING = 0xA5, GUARDS = 8 };

void fill(void* bytes, size_t count) {
  volatile unsigned char* const to = (volatile unsigned char*)bytes;
  for (size_t i = 0; i < count; ++i) to[i] = FILLING;
}

int is_right(const void* output, const void* expected, size_t count) {
  const volatile unsigned char* const a = (const volatile unsigned char*)output;
  const volatile unsigned char* const b = (const volatile unsigned char*)expected;
  for (size_t i = 0; i < count; ++i) {
    if (a[i] != b[i]) return 0;
  }
  for (size_t i = count; i < count + GUARDS; ++i) {
    if (a[i] != FILLING) return 0;
  }
  return 1;
}

void hide(void* bytes, size_t count) {
#ifdef OBLIVIOUS
  VALGRIND_MAKE_MEM_UNDEFINED(bytes, count);
#else
  (void)bytes;
  (void)count;
#endif
}

int main(void) {
  int wrong = 0;
  for (const struct emitted_case* one = emitted_cases; one->name != NULL; ++one) {
    if (one->run()) continue;
    host_print(one->name);
    host_print("\n");
    wrong = 1;
  }
  host_print("end\n");
  return wrong;
}
