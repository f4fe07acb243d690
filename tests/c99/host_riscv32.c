/* The host of cases_main.c for Linux on 32-bit RISC-V without a C library: start, system calls. */
#include <stddef.h>

#include "host.h"

int main(void);

static uint64_t memory[(4 << 20) / sizeof(uint64_t)];

__asm__(
    ".globl _start\n"
    "_start:\n"
    ".option push\n"
    ".option norelax\n"
    "la gp, __global_pointer$\n"
    ".option pop\n"
    "andi sp, sp, -16\n"
    "call main\n"
    "li a7, 93\n" /* exit */
    "ecall\n");

static long system_call(long number, long a, long b, long c, long d, long e) {
  register long a7 __asm__("a7") = number;
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a3 __asm__("a3") = d;
  register long a4 __asm__("a4") = e;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4) : "memory");
  return a0;
}

static uint32_t transfer(long number, int32_t file, const void* bytes, uint32_t count) {
  const char* at = bytes;
  while (count != 0) {
    const long done = system_call(number, file, (long)at, (long)count, 0, 0);
    if (done <= 0) break;
    at += done;
    count -= (uint32_t)done;
  }
  return count;
}

int32_t host_open(const char* name, int direction) {
  const long flags = direction == HOST_WRITE ? 01 | 0100 | 01000 : 0; /* write only, create, truncate */
  return (int32_t)system_call(56, -100, (long)name, flags, 0644, 0);  /* openat, in the current folder */
}

uint32_t host_read(int32_t file, void* bytes, uint32_t count) { return transfer(63, file, bytes, count); }

uint32_t host_write(int32_t file, const void* bytes, uint32_t count) {
  return transfer(64, file, bytes, count);
}

int32_t host_seek(int32_t file, uint32_t position) {
  int64_t result = 0;
  return (int32_t)system_call(62, file, 0, (long)position, (long)&result, 0); /* llseek */
}

int32_t host_close(int32_t file) { return (int32_t)system_call(57, file, 0, 0, 0, 0); }

void host_print(const char* text) {
  uint32_t length = 0;
  while (text[length] != 0) ++length;
  (void)host_write(2, text, length);
}

uint64_t* host_memory(uint32_t* bytes) {
  *bytes = sizeof memory;
  return memory;
}

void host_paint_stack(void) {}

uint32_t host_painted_over(void) { return 0; }
