/* The host of cases_main.c (tests/c99) on a board. */
#include "host.h"
#include "semihosting.h"

extern uint32_t board_stack_bottom[];
extern uint64_t board_arena_begin[], board_arena_end[];

static const uint32_t paint = 0x5A5AA5A5;
static uint32_t* painted_top;

int32_t host_open(const char* name, int direction) {
  uint32_t length = 0;
  while (name[length] != 0) ++length;
  return semihosting_open(name, length, direction == HOST_WRITE ? 5 : 1);
}

uint32_t host_read(int32_t file, void* bytes, uint32_t count) {
  return (uint32_t)semihosting_read(file, bytes, count);
}

uint32_t host_write(int32_t file, const void* bytes, uint32_t count) {
  return (uint32_t)semihosting_write(file, bytes, count);
}

int32_t host_seek(int32_t file, uint32_t position) { return semihosting_seek(file, position); }

int32_t host_close(int32_t file) { return semihosting_close(file); }

void host_print(const char* text) { semihosting_print(text); }

uint64_t* host_memory(uint32_t* bytes) {
  *bytes = (uint32_t)((uintptr_t)board_arena_end - (uintptr_t)board_arena_begin);
  return board_arena_begin;
}

/* The frame of the caller's next call begins above what is left out. */
void host_paint_stack(void) {
  uint32_t* const here = (uint32_t*)__builtin_frame_address(0) - 16;
  for (volatile uint32_t* word = board_stack_bottom; word < here; ++word) *word = paint;
  painted_top = here;
}

uint32_t host_painted_over(void) {
  const uint32_t* word = board_stack_bottom;
  while (word < painted_top && *(const volatile uint32_t*)word == paint) ++word;
  return word == board_stack_bottom ? UINT32_MAX : (uint32_t)((uintptr_t)painted_top - (uintptr_t)word);
}
