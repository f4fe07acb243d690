/* Arm semihosting: a breakpoint by which the program asks the debugger, here the emulator, for files and for
 * the end. */
#ifndef SUPREMUM_VERIFICATION_PROOFS_MICROCONTROLLER_SEMIHOSTING_H_
#define SUPREMUM_VERIFICATION_PROOFS_MICROCONTROLLER_SEMIHOSTING_H_

#include <stddef.h>
#include <stdint.h>

static inline int32_t semihosting_call(uint32_t operation, const void* argument) {
  register uint32_t r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return (int32_t)r0;
}

/* `mode` as C's fopen has it: 1 is "rb", 5 is "wb". Less than 0 if it fails. */
static inline int32_t semihosting_open(const char* name, uint32_t name_length, uint32_t mode) {
  const uint32_t arguments[3] = {(uint32_t)(uintptr_t)name, mode, name_length};
  return semihosting_call(0x01, arguments);
}

/* How many bytes were not read, or not written: 0 if all were. */
static inline int32_t semihosting_read(int32_t file, void* bytes, uint32_t count) {
  const uint32_t arguments[3] = {(uint32_t)file, (uint32_t)(uintptr_t)bytes, count};
  return semihosting_call(0x06, arguments);
}

static inline int32_t semihosting_write(int32_t file, const void* bytes, uint32_t count) {
  const uint32_t arguments[3] = {(uint32_t)file, (uint32_t)(uintptr_t)bytes, count};
  return semihosting_call(0x05, arguments);
}

static inline int32_t semihosting_seek(int32_t file, uint32_t position) {
  const uint32_t arguments[2] = {(uint32_t)file, position};
  return semihosting_call(0x0A, arguments);
}

static inline int32_t semihosting_close(int32_t file) {
  const uint32_t argument = (uint32_t)file;
  return semihosting_call(0x02, &argument);
}

static inline void semihosting_print(const char* text) { semihosting_call(0x04, text); }

/* Ends the emulator, with exit status 0 if `status` is 0 and 1 otherwise: semihosting for 32 bits knows no
 * more. */
static inline void semihosting_exit(int status) {
  for (;;) semihosting_call(0x18, (const void*)(uintptr_t)(status == 0 ? 0x20026 : 0x20023));
}

#endif /* SUPREMUM_VERIFICATION_PROOFS_MICROCONTROLLER_SEMIHOSTING_H_ */
