/* What cases_main.c needs of its surroundings: files, memory, the stack. */
#ifndef SUPREMUM_TESTS_C99_HOST_H_
#define SUPREMUM_TESTS_C99_HOST_H_

#include <stdint.h>

enum { HOST_READ = 0, HOST_WRITE = 1 };

/* A file of the current folder, from its beginning. Below 0 if it cannot be opened. */
int32_t host_open(const char* name, int direction);

/* How many bytes were not read, or not written: 0 if all were. */
uint32_t host_read(int32_t file, void* bytes, uint32_t count);
uint32_t host_write(int32_t file, const void* bytes, uint32_t count);

/* Below 0 if it fails. */
int32_t host_seek(int32_t file, uint32_t position);
int32_t host_close(int32_t file);

void host_print(const char* text);

/* The memory for the shapes and tensors of a case. */
uint64_t* host_memory(uint32_t* bytes);

/* Fills the unused stack with a pattern; after a call, how many bytes of it changed. 0 where it is not
   measured, UINT32_MAX if the stack was too small. */
void host_paint_stack(void);
uint32_t host_painted_over(void);

#endif /* SUPREMUM_TESTS_C99_HOST_H_ */
