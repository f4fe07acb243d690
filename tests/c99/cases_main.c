/* Reads cases from the file `cases`, computes each by the two-file library and writes the file `results`:
   cases.py has the form of both.

   The program never sees what is right: results are compared elsewhere. A case that needs more memory than
   there is gets an answer that says how much. */
#include <stddef.h>
#include <stdint.h>

#include "host.h"
#include "supremum_c99.h"

static const uint32_t end_of_cases = UINT32_MAX;
enum { DOES_NOT_FIT = 100, UNREADABLE = 101 };

typedef struct {
  uint32_t type, reduces, inputs;
  int32_t axes; /* how many; -1 where the model has none */
  uint32_t keepdims, noop_with_empty_axes;
  uint32_t has_layout;    /* 0: packed, row-major, the output last; 1: stated by the case */
  uint32_t numbers;       /* 64-bit numbers that follow: shapes, axes, layout */
  uint32_t element_bytes; /* bytes that follow these: the inputs, or with a layout the whole arena */
} case_header;

typedef struct {
  uint32_t status, stack_bytes, needed_bytes, rank, arena_bytes, reserved;
} result_header;

static const uint32_t widths[] = {2, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1};

typedef struct {
  case_header header;
  supremum_c99_tensor* inputs;
  supremum_c99_tensor output;
  int64_t* out_extents; /* what the library computes */
  const int64_t* axes;
  int64_t axis_count;
  int64_t* workspace;
  void* arena;
  int64_t arena_elements;
} prepared_case;

__attribute__((noinline)) static supremum_c99_status compute(const prepared_case* c) {
  const supremum_c99_type type = (supremum_c99_type)c->header.type;
  if (c->header.reduces) {
    return supremum_c99_reduce_max(type, c->arena, c->arena_elements, c->inputs, c->axes, c->axis_count,
                                   (int)c->header.keepdims, &c->output, c->workspace);
  }
  return supremum_c99_max(type, c->arena, c->arena_elements, c->header.inputs, c->inputs, &c->output,
                          c->workspace);
}

static int64_t size_of(int64_t rank, const int64_t* extents) {
  int64_t size = 1;
  for (int64_t d = 0; d < rank; ++d) size *= extents[d];
  return size;
}

/* Where a tensor lies: its start, whether strides are given, the strides. Returns what follows. */
static const int64_t* read_layout(const int64_t* next, supremum_c99_tensor* tensor) {
  tensor->start = next[0];
  tensor->strides = next[1] ? next + 2 : NULL;
  return next + 2 + (next[1] ? tensor->rank : 0);
}

/* Places a case in memory, if it fits, and computes it. `file` is positioned behind the header. */
static uint32_t run_case(int32_t file, prepared_case* c, result_header* result) {
  const case_header* const h = &c->header;
  uint32_t room = 0;
  uint64_t* const memory = host_memory(&room);
  uint32_t needed =
      8 * (h->numbers + SUPREMUM_C99_MOST_DIMENSIONS) + h->inputs * (uint32_t)sizeof(supremum_c99_tensor);
  result->needed_bytes = needed;
  if (needed > room) return DOES_NOT_FIT;
  int64_t* const numbers = (int64_t*)memory;
  if (host_read(file, numbers, 8 * h->numbers) != 0) return UNREADABLE;
  c->out_extents = numbers + h->numbers;
  c->inputs = (supremum_c99_tensor*)(void*)(c->out_extents + SUPREMUM_C99_MOST_DIMENSIONS);
  c->workspace = (int64_t*)(void*)(c->inputs + h->inputs);

  const int64_t* next = numbers;
  for (uint32_t m = 0; m < h->inputs; ++m) {
    c->inputs[m].rank = *next++;
    c->inputs[m].extents = next;
    c->inputs[m].strides = NULL;
    c->inputs[m].start = 0;
    next += c->inputs[m].rank < 0 ? 0 : c->inputs[m].rank;
  }
  /* RED-5: no axes, or an empty list of them, means all unless noop_with_empty_axes is set. */
  c->axis_count = h->axes < 0 ? 0 : h->axes;
  c->axes = c->axis_count == 0 && !h->noop_with_empty_axes ? NULL : next;
  next += c->axis_count;

  int64_t rank = 0;
  supremum_c99_status status = h->reduces
                                   ? supremum_c99_reduce_max_shape(c->inputs, c->axes, c->axis_count,
                                                                   (int)h->keepdims, &rank, c->out_extents)
                                   : supremum_c99_max_shape(h->inputs, c->inputs, &rank, c->out_extents);
  if (status != SUPREMUM_C99_OK) return status;
  result->rank = (uint32_t)rank;
  if (h->has_layout) {
    c->arena_elements = *next++;
    for (uint32_t m = 0; m < h->inputs; ++m) next = read_layout(next, &c->inputs[m]);
    c->output.rank = *next++;
    c->output.extents = next;
    next += c->output.rank;
    next = read_layout(next, &c->output);
    result->arena_bytes = h->element_bytes;
  } else {
    c->arena_elements = 0;
    for (uint32_t m = 0; m < h->inputs; ++m) {
      c->inputs[m].start = c->arena_elements;
      c->arena_elements += size_of(c->inputs[m].rank, c->inputs[m].extents);
    }
    c->output.rank = rank;
    c->output.extents = c->out_extents;
    c->output.strides = NULL;
    c->output.start = c->arena_elements;
    c->arena_elements += size_of(rank, c->out_extents);
    result->arena_bytes = (uint32_t)c->arena_elements * widths[h->type];
  }
  const uint32_t workspace = (uint32_t)(h->reduces ? supremum_c99_reduce_max_workspace(c->inputs[0].rank)
                                                   : supremum_c99_max_workspace(h->inputs, rank));
  needed += 8 * workspace + result->arena_bytes;
  result->needed_bytes = needed;
  if (needed > room) return DOES_NOT_FIT;
  c->arena = c->workspace + workspace;
  if (h->element_bytes != 0 && host_read(file, c->arena, h->element_bytes) != 0) return UNREADABLE;

  host_paint_stack();
  status = compute(c);
  result->stack_bytes = host_painted_over();
  return status;
}

/* Shape and arena: after a refusal too, since nothing may have changed. */
static int write_result(int32_t results, const prepared_case* c, const result_header* result) {
  if (host_write(results, result, sizeof *result) != 0) return 0;
  if (result->rank != 0 && host_write(results, c->out_extents, 8 * result->rank) != 0) return 0;
  return result->arena_bytes == 0 || host_write(results, c->arena, result->arena_bytes) == 0;
}

int main(void) {
  const int32_t cases = host_open("cases", HOST_READ), results = host_open("results", HOST_WRITE);
  if (cases < 0 || results < 0) return host_print("cannot open the files 'cases' and 'results'\n"), 1;
  uint32_t position = 0;
  for (;;) {
    prepared_case c;
    result_header result;
    result.stack_bytes = result.needed_bytes = result.rank = result.arena_bytes = result.reserved = 0;
    if (host_read(cases, &c.header, sizeof c.header) != 0) {
      return host_print("the file 'cases' ends too early\n"), 1;
    }
    if (c.header.type == end_of_cases) break;
    result.status = run_case(cases, &c, &result);
    if (result.status == UNREADABLE) return host_print("cannot read the file 'cases'\n"), 1;
    if (result.stack_bytes == UINT32_MAX) return host_print("the stack is too small\n"), 1;
    if (result.status == DOES_NOT_FIT) result.rank = result.arena_bytes = 0;
    if (!write_result(results, &c, &result)) return host_print("cannot write the file 'results'\n"), 1;
    position += (uint32_t)sizeof c.header + 8 * c.header.numbers + c.header.element_bytes;
    if (host_seek(cases, position) < 0) return 1;
  }
  return host_close(results) == 0 ? 0 : 1;
}
