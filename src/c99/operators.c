#include "supremum_c99.h"

/* An operand with the dimensions of a common shape: stride 0 where it is broadcast or has extent 1. */
typedef struct {
  int64_t rank;
  const int64_t* extents;
  int64_t start;
  const int64_t* strides;
} aligned_tensor;

static uint64_t magnitude(int64_t number) {
  return number < 0 ? UINT64_C(0) - (uint64_t)number : (uint64_t)number;
}

static supremum_c99_status check_shape(const supremum_c99_tensor* tensor) {
  if (tensor->rank < 0 || tensor->rank > SUPREMUM_C99_MOST_DIMENSIONS) return SUPREMUM_C99_RANK;
  for (int64_t d = 0; d < tensor->rank; ++d) {
    if (tensor->extents[d] < 0) return SUPREMUM_C99_NEGATIVE_EXTENT;
  }
  return SUPREMUM_C99_OK;
}

/* The greatest rank of an input. */
static supremum_c99_status common_rank(int64_t n, const supremum_c99_tensor* inputs, int64_t* rank) {
  if (n < 1 || n > INT32_MAX) return SUPREMUM_C99_INPUT_COUNT;
  int64_t most = 0;
  for (int64_t m = 0; m < n; ++m) {
    if (inputs[m].rank < 0 || inputs[m].rank > SUPREMUM_C99_MOST_DIMENSIONS) return SUPREMUM_C99_RANK;
    if (inputs[m].rank > most) most = inputs[m].rank;
  }
  *rank = most;
  for (int64_t m = 0; m < n; ++m) {
    const supremum_c99_status status = check_shape(&inputs[m]);
    if (status != SUPREMUM_C99_OK) return status;
  }
  return SUPREMUM_C99_OK;
}

/* BRO-2, of one dimension of the common shape. */
static supremum_c99_status common_extent(int64_t n, const supremum_c99_tensor* inputs, int64_t rank,
                                         int64_t dimension, int64_t* extent) {
  *extent = 1;
  for (int64_t m = 0; m < n; ++m) {
    const int64_t missing = rank - inputs[m].rank;
    if (dimension < missing) continue;
    const int64_t own = inputs[m].extents[dimension - missing];
    if (own == 1) continue;
    if (*extent != 1 && *extent != own) return SUPREMUM_C99_NOT_BROADCASTABLE;
    *extent = own;
  }
  return SUPREMUM_C99_OK;
}

/* Whether `axes` names a dimension, from the front or from the end. */
static int is_reduced(int64_t dimension, int64_t rank, const int64_t* axes, int64_t axis_count) {
  if (axes == NULL) return 1;
  for (int64_t a = 0; a < axis_count; ++a) {
    if (axes[a] == dimension || axes[a] == dimension - rank) return 1;
  }
  return 0;
}

static supremum_c99_status check_axes(const supremum_c99_tensor* source, const int64_t* axes,
                                      int64_t axis_count) {
  const supremum_c99_status status = check_shape(source);
  if (status != SUPREMUM_C99_OK || axes == NULL) return status;
  const int64_t r = source->rank;
  for (int64_t a = 0; a < axis_count; ++a) {
    if (axes[a] < -r || axes[a] >= r) return SUPREMUM_C99_AXIS_OUT_OF_RANGE;
  }
  for (int64_t a = 0; a < axis_count; ++a) {
    for (int64_t b = 0; b < a; ++b) {
      const int64_t difference = axes[a] - axes[b];
      if (difference == 0 || difference == r || difference == -r) return SUPREMUM_C99_AXIS_REPEATED;
    }
  }
  return SUPREMUM_C99_OK;
}

static int is_empty(int64_t rank, const int64_t* extents) {
  for (int64_t d = 0; d < rank; ++d) {
    if (extents[d] == 0) return 1;
  }
  return 0;
}

/* Whether INT64_MAX is at least the number of elements, of a shape that has some. */
static int is_countable(int64_t rank, const int64_t* extents) {
  int64_t count = 1;
  for (int64_t d = 0; d < rank; ++d) {
    if (extents[d] > INT64_MAX / count) return 0;
    count *= extents[d];
  }
  return 1;
}

/* The strides of a tensor whose number of elements is_countable; 0 in place of those that are not used. */
static void fill_strides(const supremum_c99_tensor* tensor, int64_t* strides) {
  int64_t row_major = 1;
  for (int64_t d = tensor->rank; d-- > 0;) {
    const int64_t extent = tensor->extents[d];
    strides[d] = extent == 1 ? 0 : tensor->strides == NULL ? row_major : tensor->strides[d];
    row_major *= extent;
  }
}

/* Whether all offsets lie in the arena, and start + span within INT64_MAX, as the proofs require. */
static supremum_c99_status check_offsets(const aligned_tensor* tensor, int64_t arena_elements) {
  const int64_t start = tensor->start;
  if (start < 0 || start >= arena_elements) return SUPREMUM_C99_OUTSIDE;
  uint64_t below = 0, above = 0, left = (uint64_t)(INT64_MAX - start);
  for (int64_t d = 0; d < tensor->rank; ++d) {
    const uint64_t stride = magnitude(tensor->strides[d]), steps = (uint64_t)tensor->extents[d] - 1;
    if (stride == 0) continue;
    if (steps > left / stride) return SUPREMUM_C99_TOO_LARGE;
    left -= steps * stride;
    if (tensor->strides[d] < 0) {
      below += steps * stride;
    } else {
      above += steps * stride;
    }
  }
  if (below > (uint64_t)start || above >= (uint64_t)(arena_elements - start)) return SUPREMUM_C99_OUTSIDE;
  return SUPREMUM_C99_OK;
}

/* MEM-1, a sufficient condition: each stride exceeds the span of all smaller ones. */
static int meets_each_address_once(const aligned_tensor* tensor) {
  uint64_t done = 0, span = 0;
  for (;;) {
    int64_t smallest = -1;
    for (int64_t d = 0; d < tensor->rank; ++d) {
      if ((done >> d & 1) != 0 || tensor->extents[d] == 1) continue;
      if (smallest < 0 || magnitude(tensor->strides[d]) < magnitude(tensor->strides[smallest])) smallest = d;
    }
    if (smallest < 0) return 1;
    const uint64_t stride = magnitude(tensor->strides[smallest]);
    if (stride <= span) return 0;
    span += stride * ((uint64_t)tensor->extents[smallest] - 1);
    done |= UINT64_C(1) << smallest;
  }
}

/* Whether an input is exactly the output, whose strides are 0 at extents of 1 and where it is reduced. */
static int is_same(const aligned_tensor* output, const aligned_tensor* input) {
  for (int64_t d = 0; d < output->rank; ++d) {
    if (output->strides[d] != input->strides[d]) return 0;
    if (output->strides[d] == 0 && output->extents[d] != 1) return 0;
  }
  return output->start == input->start;
}

/* The least and the greatest offset, without dimensions whose strides `period` divides; 0 divides none. */
static void find_ends(const aligned_tensor* tensor, uint64_t period, int64_t* low, int64_t* high) {
  *low = *high = tensor->start;
  for (int64_t d = 0; d < tensor->rank; ++d) {
    const int64_t stride = tensor->strides[d];
    if (period != 0 && magnitude(stride) % period == 0) continue;
    *(stride < 0 ? low : high) += (tensor->extents[d] - 1) * stride;
  }
}

/* Whether no offset of `a` equals one of `b` modulo `period`; with 0, whether the ranges are disjoint.

     multiples of period   |           |           |
     offset of a - offset of b    [low     high]           then there is no multiple in between */
static int is_disjoint_modulo(const aligned_tensor* a, const aligned_tensor* b, uint64_t period) {
  int64_t a_low, a_high, b_low, b_high;
  find_ends(a, period, &a_low, &a_high);
  find_ends(b, period, &b_low, &b_high);
  const int64_t low = a_low - b_high, high = a_high - b_low;
  if (period == 0) return low > 0 || high < 0;
  const uint64_t rest = magnitude(low) % period;
  const uint64_t to_next = low <= 0 || rest == 0 ? rest : period - rest;
  return to_next > (uint64_t)high - (uint64_t)low;
}

/* MEM-2, a sufficient condition. */
static int is_disjoint(const aligned_tensor* a, const aligned_tensor* b) {
  if (is_disjoint_modulo(a, b, 0)) return 1;
  for (int64_t d = 0; d < a->rank; ++d) {
    if (a->strides[d] != 0 && is_disjoint_modulo(a, b, magnitude(a->strides[d]))) return 1;
    if (b->strides[d] != 0 && is_disjoint_modulo(a, b, magnitude(b->strides[d]))) return 1;
  }
  return 0;
}

static supremum_c99_status check_overlap(const aligned_tensor* output, const aligned_tensor* input) {
  return is_same(output, input) || is_disjoint(output, input) ? SUPREMUM_C99_OK : SUPREMUM_C99_OVERLAP;
}

supremum_c99_status supremum_c99_max_shape(int64_t n, const supremum_c99_tensor* inputs, int64_t* rank,
                                           int64_t* extents) {
  supremum_c99_status status = common_rank(n, inputs, rank);
  for (int64_t d = 0; status == SUPREMUM_C99_OK && d < *rank; ++d) {
    status = common_extent(n, inputs, *rank, d, &extents[d]);
  }
  return status;
}

supremum_c99_status supremum_c99_reduce_max_shape(const supremum_c99_tensor* source, const int64_t* axes,
                                                  int64_t axis_count, int keepdims, int64_t* rank,
                                                  int64_t* extents) {
  const supremum_c99_status status = check_axes(source, axes, axis_count);
  if (status != SUPREMUM_C99_OK) return status;
  int64_t kept = 0;
  for (int64_t d = 0; d < source->rank; ++d) {
    if (!is_reduced(d, source->rank, axes, axis_count)) {
      extents[kept++] = source->extents[d];
    } else if (keepdims) {
      extents[kept++] = 1;
    }
  }
  *rank = kept;
  return SUPREMUM_C99_OK;
}

int64_t supremum_c99_max_workspace(int64_t n, int64_t rank) {
  if (n < 1 || n > INT32_MAX || rank < 0 || rank > SUPREMUM_C99_MOST_DIMENSIONS) return 0;
  return n + n * rank + rank;
}

int64_t supremum_c99_reduce_max_workspace(int64_t rank) {
  return rank < 0 || rank > SUPREMUM_C99_MOST_DIMENSIONS ? 0 : 3 * rank;
}

/* The workspace of Max: n starts, the strides of each input, the strides of the output. */
supremum_c99_status supremum_c99_max_check(int64_t arena_elements, int64_t n,
                                           const supremum_c99_tensor* inputs,
                                           const supremum_c99_tensor* output, int64_t* workspace) {
  int64_t rank = 0, extent = 0;
  supremum_c99_status status = common_rank(n, inputs, &rank);
  if (status != SUPREMUM_C99_OK) return status;
  int same = output->rank == rank;
  for (int64_t d = 0; d < rank; ++d) {
    status = common_extent(n, inputs, rank, d, &extent);
    if (status != SUPREMUM_C99_OK) return status;
    if (same && output->extents[d] != extent) same = 0;
  }
  if (!same) return SUPREMUM_C99_OUTPUT_SHAPE;

  int64_t* const starts = workspace;
  int64_t* const strides = starts + n;
  int64_t* const out_strides = strides + n * rank;
  /* Of a result without elements nothing is read or written. */
  for (int64_t k = 0; k < n + n * rank + rank; ++k) workspace[k] = 0;
  if (is_empty(rank, output->extents)) return SUPREMUM_C99_OK;
  if (!is_countable(rank, output->extents)) return SUPREMUM_C99_TOO_LARGE;
  for (int64_t m = 0; m < n; ++m) {
    starts[m] = inputs[m].start;
    fill_strides(&inputs[m], strides + m * rank + (rank - inputs[m].rank));
  }
  fill_strides(output, out_strides);

  aligned_tensor in = {rank, output->extents, 0, NULL};
  const aligned_tensor out = {rank, output->extents, output->start, out_strides};
  for (int64_t m = 0; m < n; ++m) {
    in.start = starts[m];
    in.strides = strides + m * rank;
    status = check_offsets(&in, arena_elements);
    if (status != SUPREMUM_C99_OK) return status;
  }
  status = check_offsets(&out, arena_elements);
  if (status != SUPREMUM_C99_OK) return status;
  if (!meets_each_address_once(&out)) return SUPREMUM_C99_OUTPUT_ALIASES;
  for (int64_t m = 0; m < n; ++m) {
    in.start = starts[m];
    in.strides = strides + m * rank;
    status = check_overlap(&out, &in);
    if (status != SUPREMUM_C99_OK) return status;
  }
  return SUPREMUM_C99_OK;
}

/* The workspace of ReduceMax: extents, strides of the source, strides of the output; of the dimensions that
   are kept, then of those that are reduced. */
supremum_c99_status supremum_c99_reduce_max_check(int64_t arena_elements, const supremum_c99_tensor* source,
                                                  const int64_t* axes, int64_t axis_count, int keepdims,
                                                  const supremum_c99_tensor* output, int64_t* workspace) {
  supremum_c99_status status = check_axes(source, axes, axis_count);
  if (status != SUPREMUM_C99_OK) return status;
  const int64_t r = source->rank;
  int64_t rank = 0;
  for (int64_t d = 0; d < r; ++d) rank += !is_reduced(d, r, axes, axis_count);
  if (output->rank != (keepdims ? r : rank)) return SUPREMUM_C99_OUTPUT_SHAPE;

  int64_t* const extents = workspace;
  int64_t* const strides = extents + r;
  int64_t* const out_strides = strides + r;
  int64_t kept = 0, reduced = rank, of_output = 0;
  for (int64_t d = 0; d < r; ++d) {
    strides[d] = out_strides[d] = 0;
    if (!is_reduced(d, r, axes, axis_count)) {
      if (output->extents[of_output++] != source->extents[d]) return SUPREMUM_C99_OUTPUT_SHAPE;
      extents[kept++] = source->extents[d];
    } else {
      if (keepdims && output->extents[of_output++] != 1) return SUPREMUM_C99_OUTPUT_SHAPE;
      extents[reduced++] = source->extents[d];
    }
  }
  /* Of a result without elements nothing is read or written. */
  if (is_empty(rank, extents)) return SUPREMUM_C99_OK;
  if (!is_countable(rank, extents)) return SUPREMUM_C99_TOO_LARGE;
  const int reads = !is_empty(r, extents);
  if (reads) {
    if (!is_countable(r, extents)) return SUPREMUM_C99_TOO_LARGE;
    fill_strides(source, out_strides);
    kept = 0;
    reduced = rank;
    for (int64_t d = 0; d < r; ++d) {
      strides[is_reduced(d, r, axes, axis_count) ? reduced++ : kept++] = out_strides[d];
    }
  }
  fill_strides(output, out_strides);
  kept = 0;
  for (int64_t d = 0; keepdims && d < r; ++d) {
    if (!is_reduced(d, r, axes, axis_count)) out_strides[kept++] = out_strides[d];
  }
  for (int64_t d = rank; d < r; ++d) out_strides[d] = 0;

  const aligned_tensor in = {r, extents, source->start, strides};
  const aligned_tensor out = {r, extents, output->start, out_strides};
  const aligned_tensor out_alone = {rank, extents, output->start, out_strides};
  if (reads) status = check_offsets(&in, arena_elements);
  if (status == SUPREMUM_C99_OK) status = check_offsets(&out_alone, arena_elements);
  if (status != SUPREMUM_C99_OK) return status;
  if (!meets_each_address_once(&out_alone)) return SUPREMUM_C99_OUTPUT_ALIASES;
  return reads ? check_overlap(&out, &in) : SUPREMUM_C99_OK;
}

supremum_c99_status supremum_c99_max(supremum_c99_type type, void* arena, int64_t arena_elements, int64_t n,
                                     const supremum_c99_tensor* inputs, const supremum_c99_tensor* output,
                                     int64_t* workspace) {
  const supremum_c99_status status = supremum_c99_max_check(arena_elements, n, inputs, output, workspace);
  if (status != SUPREMUM_C99_OK) return status;
  const int64_t rank = output->rank;
  const int64_t* const extents = output->extents;
  const int64_t* const starts = workspace;
  const int64_t* const strides = starts + n;
  const int64_t* const out_strides = strides + n * rank;
  const int64_t out = is_empty(rank, extents) ? 0 : output->start;
  switch (type) {
    case SUPREMUM_C99_BFLOAT16:
      supremum_proved_max_bfloat16(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_C99_FLOAT16:
      supremum_proved_max_float16(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_C99_FLOAT:
      supremum_proved_max_float(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_C99_DOUBLE:
      supremum_proved_max_double(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_C99_INT8:
      supremum_proved_max_int8(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_C99_INT16:
      supremum_proved_max_int16(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_C99_INT32:
      supremum_proved_max_int32(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_C99_INT64:
      supremum_proved_max_int64(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_C99_UINT8:
      supremum_proved_max_uint8(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_C99_UINT16:
      supremum_proved_max_uint16(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_C99_UINT32:
      supremum_proved_max_uint32(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_C99_UINT64:
      supremum_proved_max_uint64(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_C99_BOOL:
      supremum_proved_max_bool(rank, extents, arena, out, out_strides, n, starts, strides);
      break;
    default:
      return SUPREMUM_C99_UNKNOWN_TYPE;
  }
  return SUPREMUM_C99_OK;
}

supremum_c99_status supremum_c99_reduce_max(supremum_c99_type type, void* arena, int64_t arena_elements,
                                            const supremum_c99_tensor* source, const int64_t* axes,
                                            int64_t axis_count, int keepdims,
                                            const supremum_c99_tensor* output, int64_t* workspace) {
  const supremum_c99_status status =
      supremum_c99_reduce_max_check(arena_elements, source, axes, axis_count, keepdims, output, workspace);
  if (status != SUPREMUM_C99_OK) return status;
  const int64_t r = source->rank;
  int64_t rank = 0;
  for (int64_t d = 0; d < r; ++d) rank += !is_reduced(d, r, axes, axis_count);
  const int64_t* const extents = workspace;
  const int64_t* const strides = extents + r;
  const int64_t* const out_strides = strides + r;
  /* If the output has no elements, the product of the reduced extents may exceed INT64_MAX: none is passed.
   */
  const int empty = is_empty(rank, extents);
  const int64_t reduced = empty ? 0 : r - rank;
  const int64_t start = is_empty(r, extents) ? 0 : source->start, out = empty ? 0 : output->start;
  switch (type) {
    case SUPREMUM_C99_BFLOAT16:
      supremum_proved_reduce_max_bfloat16(rank, extents, arena, out, out_strides, start, strides, reduced,
                                          extents + rank, strides + rank);
      break;
    case SUPREMUM_C99_FLOAT16:
      supremum_proved_reduce_max_float16(rank, extents, arena, out, out_strides, start, strides, reduced,
                                         extents + rank, strides + rank);
      break;
    case SUPREMUM_C99_FLOAT:
      supremum_proved_reduce_max_float(rank, extents, arena, out, out_strides, start, strides, reduced,
                                       extents + rank, strides + rank);
      break;
    case SUPREMUM_C99_DOUBLE:
      supremum_proved_reduce_max_double(rank, extents, arena, out, out_strides, start, strides, reduced,
                                        extents + rank, strides + rank);
      break;
    case SUPREMUM_C99_INT8:
      supremum_proved_reduce_max_int8(rank, extents, arena, out, out_strides, start, strides, reduced,
                                      extents + rank, strides + rank);
      break;
    case SUPREMUM_C99_INT16:
      supremum_proved_reduce_max_int16(rank, extents, arena, out, out_strides, start, strides, reduced,
                                       extents + rank, strides + rank);
      break;
    case SUPREMUM_C99_INT32:
      supremum_proved_reduce_max_int32(rank, extents, arena, out, out_strides, start, strides, reduced,
                                       extents + rank, strides + rank);
      break;
    case SUPREMUM_C99_INT64:
      supremum_proved_reduce_max_int64(rank, extents, arena, out, out_strides, start, strides, reduced,
                                       extents + rank, strides + rank);
      break;
    case SUPREMUM_C99_UINT8:
      supremum_proved_reduce_max_uint8(rank, extents, arena, out, out_strides, start, strides, reduced,
                                       extents + rank, strides + rank);
      break;
    case SUPREMUM_C99_UINT16:
      supremum_proved_reduce_max_uint16(rank, extents, arena, out, out_strides, start, strides, reduced,
                                        extents + rank, strides + rank);
      break;
    case SUPREMUM_C99_UINT32:
      supremum_proved_reduce_max_uint32(rank, extents, arena, out, out_strides, start, strides, reduced,
                                        extents + rank, strides + rank);
      break;
    case SUPREMUM_C99_UINT64:
      supremum_proved_reduce_max_uint64(rank, extents, arena, out, out_strides, start, strides, reduced,
                                        extents + rank, strides + rank);
      break;
    case SUPREMUM_C99_BOOL:
      supremum_proved_reduce_max_bool(rank, extents, arena, out, out_strides, start, strides, reduced,
                                      extents + rank, strides + rank);
      break;
    default:
      return SUPREMUM_C99_UNKNOWN_TYPE;
  }
  return SUPREMUM_C99_OK;
}
