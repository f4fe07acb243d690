#include "dense.h"

#include "supremum_proved.h"

static supremum_dense_status check_shape(const supremum_dense_tensor* tensor) {
  if (tensor->rank > SUPREMUM_DENSE_MOST_DIMENSIONS) return SUPREMUM_DENSE_RANK_EXCEEDED;
  for (int64_t d = 0; d < tensor->rank; ++d) {
    if (tensor->extents[d] < 0) return SUPREMUM_DENSE_NEGATIVE_EXTENT;
  }
  return SUPREMUM_DENSE_OK;
}

/* Whether `axes` names a dimension, from the front or from the end. */
static int is_reduced(int64_t dimension, int64_t rank, const int64_t* axes, int64_t axis_count) {
  if (axes == NULL) return 1;
  for (int64_t a = 0; a < axis_count; ++a) {
    if (axes[a] == dimension || axes[a] == dimension - rank) return 1;
  }
  return 0;
}

/* Row-major strides of a shape. */
static void fill_strides(int64_t rank, const int64_t* extents, int64_t* strides) {
  int64_t stride = 1;
  for (int64_t d = rank; d-- > 0;) {
    strides[d] = stride;
    stride *= extents[d];
  }
}

supremum_dense_status supremum_dense_max_shape(int64_t n, const supremum_dense_tensor* inputs, int64_t* rank,
                                               int64_t* extents) {
  if (n < 1) return SUPREMUM_DENSE_NO_INPUT;
  int64_t most = 0;
  for (int64_t m = 0; m < n; ++m) {
    const supremum_dense_status status = check_shape(&inputs[m]);
    if (status != SUPREMUM_DENSE_OK) return status;
    if (inputs[m].rank > most) most = inputs[m].rank;
  }
  for (int64_t d = 0; d < most; ++d) extents[d] = 1;
  for (int64_t m = 0; m < n; ++m) {
    const int64_t missing = most - inputs[m].rank;
    for (int64_t d = 0; d < inputs[m].rank; ++d) {
      const int64_t extent = inputs[m].extents[d];
      if (extent == 1) continue;
      if (extents[missing + d] != 1 && extents[missing + d] != extent)
        return SUPREMUM_DENSE_NOT_BROADCASTABLE;
      extents[missing + d] = extent;
    }
  }
  *rank = most;
  return SUPREMUM_DENSE_OK;
}

supremum_dense_status supremum_dense_reduce_max_shape(const supremum_dense_tensor* source,
                                                      const int64_t* axes, int64_t axis_count, int keepdims,
                                                      int64_t* rank, int64_t* extents) {
  const supremum_dense_status status = check_shape(source);
  if (status != SUPREMUM_DENSE_OK) return status;
  const int64_t r = source->rank;
  for (int64_t a = 0; axes != NULL && a < axis_count; ++a) {
    if (axes[a] < -r || axes[a] >= r) return SUPREMUM_DENSE_AXIS_OUT_OF_RANGE;
    for (int64_t b = 0; b < a; ++b) {
      const int64_t apart = axes[a] - axes[b];
      if (apart == 0 || apart == r || apart == -r) return SUPREMUM_DENSE_AXIS_REPEATED;
    }
  }
  int64_t kept = 0;
  for (int64_t d = 0; d < r; ++d) {
    if (!is_reduced(d, r, axes, axis_count)) {
      extents[kept++] = source->extents[d];
    } else if (keepdims) {
      extents[kept++] = 1;
    }
  }
  *rank = kept;
  return SUPREMUM_DENSE_OK;
}

int64_t supremum_dense_max_workspace(int64_t n, int64_t rank) { return n + n * rank + rank; }

int64_t supremum_dense_reduce_max_workspace(int64_t rank) { return 6 * rank; }

void supremum_dense_max(supremum_dense_type type, void* block, int64_t n, const supremum_dense_tensor* inputs,
                        const supremum_dense_tensor* output, int64_t* workspace) {
  const int64_t rank = output->rank;
  const int64_t* const extents = output->extents;
  int64_t* const starts = workspace;
  int64_t* const strides = starts + n;
  int64_t* const out_strides = strides + n * rank;
  for (int64_t m = 0; m < n; ++m) {
    const supremum_dense_tensor* const input = &inputs[m];
    const int64_t missing = rank - input->rank;
    int64_t* const own = strides + m * rank;
    for (int64_t d = 0; d < missing; ++d) own[d] = 0;
    fill_strides(input->rank, input->extents, own + missing);
    for (int64_t d = 0; d < input->rank; ++d) {
      if (input->extents[d] == 1) own[missing + d] = 0;
    }
    starts[m] = input->start;
  }
  fill_strides(rank, extents, out_strides);
  const int64_t out = output->start;
  switch (type) {
    case SUPREMUM_DENSE_BFLOAT16:
      supremum_proved_max_bfloat16(rank, extents, block, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_DENSE_FLOAT16:
      supremum_proved_max_float16(rank, extents, block, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_DENSE_FLOAT:
      supremum_proved_max_float(rank, extents, block, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_DENSE_DOUBLE:
      supremum_proved_max_double(rank, extents, block, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_DENSE_INT8:
      supremum_proved_max_int8(rank, extents, block, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_DENSE_INT16:
      supremum_proved_max_int16(rank, extents, block, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_DENSE_INT32:
      supremum_proved_max_int32(rank, extents, block, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_DENSE_INT64:
      supremum_proved_max_int64(rank, extents, block, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_DENSE_UINT8:
      supremum_proved_max_uint8(rank, extents, block, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_DENSE_UINT16:
      supremum_proved_max_uint16(rank, extents, block, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_DENSE_UINT32:
      supremum_proved_max_uint32(rank, extents, block, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_DENSE_UINT64:
      supremum_proved_max_uint64(rank, extents, block, out, out_strides, n, starts, strides);
      break;
    case SUPREMUM_DENSE_TYPES:
      break;
  }
}

void supremum_dense_reduce_max(supremum_dense_type type, void* block, const supremum_dense_tensor* source,
                               const int64_t* axes, int64_t axis_count, const supremum_dense_tensor* output,
                               int64_t* workspace) {
  const int64_t r = source->rank;
  int64_t* const all = workspace;
  int64_t* const kept = all + r;
  int64_t* const kept_strides = kept + r;
  int64_t* const folded = kept_strides + r;
  int64_t* const folded_strides = folded + r;
  int64_t* const out_strides = folded_strides + r;
  fill_strides(r, source->extents, all);
  int64_t rank = 0, folded_rank = 0;
  for (int64_t d = 0; d < r; ++d) {
    if (is_reduced(d, r, axes, axis_count)) {
      folded[folded_rank] = source->extents[d];
      folded_strides[folded_rank++] = all[d];
    } else {
      kept[rank] = source->extents[d];
      kept_strides[rank++] = all[d];
    }
  }
  /* Extents of 1, which keepdims leaves, change no other stride. */
  fill_strides(rank, kept, out_strides);
  const int64_t start = source->start, out = output->start;
  switch (type) {
    case SUPREMUM_DENSE_BFLOAT16:
      supremum_proved_reduce_max_bfloat16(rank, kept, block, out, out_strides, start, kept_strides,
                                          folded_rank, folded, folded_strides);
      break;
    case SUPREMUM_DENSE_FLOAT16:
      supremum_proved_reduce_max_float16(rank, kept, block, out, out_strides, start, kept_strides,
                                         folded_rank, folded, folded_strides);
      break;
    case SUPREMUM_DENSE_FLOAT:
      supremum_proved_reduce_max_float(rank, kept, block, out, out_strides, start, kept_strides, folded_rank,
                                       folded, folded_strides);
      break;
    case SUPREMUM_DENSE_DOUBLE:
      supremum_proved_reduce_max_double(rank, kept, block, out, out_strides, start, kept_strides, folded_rank,
                                        folded, folded_strides);
      break;
    case SUPREMUM_DENSE_INT8:
      supremum_proved_reduce_max_int8(rank, kept, block, out, out_strides, start, kept_strides, folded_rank,
                                      folded, folded_strides);
      break;
    case SUPREMUM_DENSE_INT16:
      supremum_proved_reduce_max_int16(rank, kept, block, out, out_strides, start, kept_strides, folded_rank,
                                       folded, folded_strides);
      break;
    case SUPREMUM_DENSE_INT32:
      supremum_proved_reduce_max_int32(rank, kept, block, out, out_strides, start, kept_strides, folded_rank,
                                       folded, folded_strides);
      break;
    case SUPREMUM_DENSE_INT64:
      supremum_proved_reduce_max_int64(rank, kept, block, out, out_strides, start, kept_strides, folded_rank,
                                       folded, folded_strides);
      break;
    case SUPREMUM_DENSE_UINT8:
      supremum_proved_reduce_max_uint8(rank, kept, block, out, out_strides, start, kept_strides, folded_rank,
                                       folded, folded_strides);
      break;
    case SUPREMUM_DENSE_UINT16:
      supremum_proved_reduce_max_uint16(rank, kept, block, out, out_strides, start, kept_strides, folded_rank,
                                        folded, folded_strides);
      break;
    case SUPREMUM_DENSE_UINT32:
      supremum_proved_reduce_max_uint32(rank, kept, block, out, out_strides, start, kept_strides, folded_rank,
                                        folded, folded_strides);
      break;
    case SUPREMUM_DENSE_UINT64:
      supremum_proved_reduce_max_uint64(rank, kept, block, out, out_strides, start, kept_strides, folded_rank,
                                        folded, folded_strides);
      break;
    case SUPREMUM_DENSE_TYPES:
      break;
  }
}
