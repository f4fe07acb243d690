/* Reads cases from the file `cases`, computes each and writes the file `results`: cases.py has the form of
   both.

   The board never sees what is right: results are compared elsewhere. A case that needs more memory than
   there is gets an answer that says how much. */
#include <stddef.h>
#include <stdint.h>

#include "dense.h"
#include "semihosting.h"

extern uint32_t board_stack_bottom[];
extern uint64_t board_arena_begin[], board_arena_end[];

static const uint32_t end_of_cases = UINT32_MAX, paint = 0x5A5AA5A5;
enum { DOES_NOT_FIT = 100 };

typedef struct {
  uint32_t type, reduces, inputs;
  int32_t axes; /* how many; -1 where the model has none */
  uint32_t keepdims, noop_with_empty_axes;
  uint32_t dimensions;    /* of all inputs together, each with its rank before them */
  uint32_t element_bytes; /* of all inputs together */
} case_header;

typedef struct {
  uint32_t status, stack_bytes, needed_bytes, rank, element_bytes, reserved;
} result_header;

static const uint32_t widths[SUPREMUM_DENSE_TYPES] = {2, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8};

/* Fills what is free of the stack; the frame of the caller's call begins above what is left out. */
__attribute__((noinline)) static uint32_t* paint_stack(void) {
  uint32_t* const here = (uint32_t*)__builtin_frame_address(0) - 16;
  for (volatile uint32_t* word = board_stack_bottom; word < here; ++word) *word = paint;
  return here;
}

__attribute__((noinline)) static uint32_t painted_over(const uint32_t* top) {
  const uint32_t* word = board_stack_bottom;
  while (word < top && *(const volatile uint32_t*)word == paint) ++word;
  return word == board_stack_bottom ? UINT32_MAX : (uint32_t)((uintptr_t)top - (uintptr_t)word);
}

typedef struct {
  case_header header;
  supremum_dense_tensor* inputs;
  supremum_dense_tensor output;
  int64_t* out_extents;
  const int64_t* axes;
  int64_t* workspace;
  void* block;
} prepared_case;

__attribute__((noinline)) static void compute(const prepared_case* c) {
  const supremum_dense_type type = (supremum_dense_type)c->header.type;
  if (c->header.reduces) {
    supremum_dense_reduce_max(type, c->block, c->inputs, c->axes, c->header.axes, &c->output, c->workspace);
  } else {
    supremum_dense_max(type, c->block, c->header.inputs, c->inputs, &c->output, c->workspace);
  }
}

static int64_t size_of(int64_t rank, const int64_t* extents) {
  int64_t size = 1;
  for (int64_t d = 0; d < rank; ++d) size *= extents[d];
  return size;
}

/* Lays a case out in the arena, as far as it fits, and computes it. `file` stands behind the header. */
static int run_case(int32_t file, prepared_case* c, result_header* result) {
  const case_header* const h = &c->header;
  const uint32_t room = (uint32_t)((uintptr_t)board_arena_end - (uintptr_t)board_arena_begin);
  const uint32_t axes = h->axes < 0 ? 0 : (uint32_t)h->axes;
  const uint32_t numbers = h->dimensions + h->inputs + axes;
  uint8_t* const arena = (uint8_t*)board_arena_begin;
  uint32_t needed =
      8 * (numbers + SUPREMUM_DENSE_MOST_DIMENSIONS) + h->inputs * sizeof(supremum_dense_tensor);
  result->needed_bytes = needed;
  if (needed > room) return DOES_NOT_FIT;
  int64_t* const shapes = (int64_t*)arena;
  if (semihosting_read(file, shapes, 8 * numbers) != 0) return -1;
  c->out_extents = shapes + numbers;
  c->inputs = (supremum_dense_tensor*)(c->out_extents + SUPREMUM_DENSE_MOST_DIMENSIONS);
  c->workspace = (int64_t*)(c->inputs + h->inputs);

  int64_t start = 0;
  const int64_t* next = shapes;
  for (uint32_t m = 0; m < h->inputs; ++m) {
    c->inputs[m].rank = *next++;
    c->inputs[m].extents = next;
    c->inputs[m].start = start;
    next += c->inputs[m].rank;
    start += size_of(c->inputs[m].rank, c->inputs[m].extents);
  }
  /* RED-5: no axes, or an empty list of them, means all unless noop_with_empty_axes is set. */
  c->axes = axes == 0 && !h->noop_with_empty_axes ? NULL : next;

  int64_t rank = 0;
  const supremum_dense_status status =
      h->reduces ? supremum_dense_reduce_max_shape(c->inputs, c->axes, (int64_t)axes, (int)h->keepdims, &rank,
                                                   c->out_extents)
                 : supremum_dense_max_shape(h->inputs, c->inputs, &rank, c->out_extents);
  if (status != SUPREMUM_DENSE_OK) return (int)status;
  c->header.axes = (int32_t)axes;
  c->output.rank = rank;
  c->output.extents = c->out_extents;
  c->output.start = start;
  const uint32_t workspace = (uint32_t)(h->reduces ? supremum_dense_reduce_max_workspace(c->inputs[0].rank)
                                                   : supremum_dense_max_workspace(h->inputs, rank));
  result->rank = (uint32_t)rank;
  result->element_bytes = (uint32_t)size_of(rank, c->out_extents) * widths[h->type];
  needed += 8 * workspace + h->element_bytes + result->element_bytes;
  result->needed_bytes = needed;
  if (needed > room) return DOES_NOT_FIT;
  c->block = c->workspace + workspace;
  if (h->element_bytes != 0 && semihosting_read(file, c->block, h->element_bytes) != 0) return -1;

  const uint32_t* const top = paint_stack();
  compute(c);
  result->stack_bytes = painted_over(top);
  return SUPREMUM_DENSE_OK;
}

int main(void) {
  const int32_t cases = semihosting_open("cases", 5, 1), results = semihosting_open("results", 7, 5);
  if (cases < 0 || results < 0) return semihosting_print("cannot open the files 'cases' and 'results'\n"), 1;
  uint32_t position = 0;
  for (;;) {
    prepared_case c;
    result_header result;
    result.stack_bytes = result.needed_bytes = result.rank = result.element_bytes = result.reserved = 0;
    if (semihosting_read(cases, &c.header, sizeof c.header) != 0) {
      return semihosting_print("the file 'cases' ends too early\n"), 1;
    }
    if (c.header.type == end_of_cases) break;
    const int status = run_case(cases, &c, &result);
    if (status < 0) return semihosting_print("cannot read the file 'cases'\n"), 1;
    if (result.stack_bytes == UINT32_MAX) return semihosting_print("the stack is too small\n"), 1;
    result.status = (uint32_t)status;
    if (semihosting_write(results, &result, sizeof result) != 0) return 1;
    if (status == SUPREMUM_DENSE_OK) {
      const uint32_t width = widths[c.header.type];
      const uint8_t* const output = (const uint8_t*)c.block + (uint32_t)c.output.start * width;
      if (result.rank != 0 && semihosting_write(results, c.out_extents, 8 * result.rank) != 0) return 1;
      if (result.element_bytes != 0 && semihosting_write(results, output, result.element_bytes) != 0)
        return 1;
    }
    const uint32_t axes = c.header.axes < 0 ? 0 : (uint32_t)c.header.axes;
    position += (uint32_t)sizeof c.header + 8 * (c.header.dimensions + c.header.inputs + axes) +
                c.header.element_bytes;
    if (semihosting_seek(cases, position) < 0) return 1;
  }
  return semihosting_close(results) == 0 ? 0 : 1;
}
