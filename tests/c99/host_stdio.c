/* The host of cases_main.c where there is a C library. */
#include <stdio.h>

#include "host.h"

static FILE* files[2];
static uint64_t memory[(4 << 20) / sizeof(uint64_t)];

int32_t host_open(const char* name, int direction) {
  files[direction] = fopen(name, direction == HOST_WRITE ? "wb" : "rb");
  return files[direction] == NULL ? -1 : direction;
}

uint32_t host_read(int32_t file, void* bytes, uint32_t count) {
  return count - (uint32_t)fread(bytes, 1, count, files[file]);
}

uint32_t host_write(int32_t file, const void* bytes, uint32_t count) {
  return count - (uint32_t)fwrite(bytes, 1, count, files[file]);
}

int32_t host_seek(int32_t file, uint32_t position) { return fseek(files[file], (long)position, SEEK_SET); }

int32_t host_close(int32_t file) { return fclose(files[file]); }

void host_print(const char* text) { fputs(text, stderr); }

uint64_t* host_memory(uint32_t* bytes) {
  *bytes = sizeof memory;
  return memory;
}

void host_paint_stack(void) {}

uint32_t host_painted_over(void) { return 0; }
