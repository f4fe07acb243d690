/* Max and ReduceMax of strided tensors in C99, by the functions that were extracted from the proofs
   (supremum_proved_*). No memory but what the caller gives, no library, no recursion. The rules, whose ids
   are named below, are those of docs/semantics.md.

   All tensors of a call have one type and lie in one array, the arena:

     arena   0 . . . . . . . . . . . . . . . . . . . . . . . . arena_elements
             |start of input 0    |start of input 1   |start of the output

   Starts and strides count elements. An element of a float type is the unsigned integer of its bits, of a
   bool a byte: 0 is false, any other byte true, and 0 or 1 is written. The arena is accessed as an array of
   uint8_t, int8_t, ..., uint64_t or int64_t: where the same program accesses it as an array of float or
   double, compile this library as a translation unit of its own without link-time optimisation, or with
   -fno-strict-aliasing.

     uint32_t arena[15];          the bits of floats: 6 of a, 3 of b, 6 of y
     const int64_t a_extents[] = {2, 3}, b_extents[] = {3}, reversed[] = {-1};
     const supremum_c99_tensor inputs[] = {{2, a_extents, NULL, 0}, {1, b_extents, reversed, 8}};
     int64_t rank, extents[SUPREMUM_C99_MOST_DIMENSIONS], workspace[8];
     supremum_c99_status status = supremum_c99_max_shape(2, inputs, &rank, extents);
     const supremum_c99_tensor y = {rank, extents, NULL, 9};
     status = supremum_c99_max(SUPREMUM_C99_FLOAT, arena, 15, 2, inputs, &y, workspace);

   examples/c99/best_of_rows.c is a whole program.
*/
#ifndef SUPREMUM_C99_OPERATORS_H_
#define SUPREMUM_C99_OPERATORS_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call returns. Where several hold, the first in this order is returned; TOO_LARGE and OUTSIDE are
   looked for in one tensor after the other, the output last. */
typedef enum {
  SUPREMUM_C99_OK = 0,
  SUPREMUM_C99_INPUT_COUNT = 1,       /* MAX-1: fewer than 1 or more than 2147483647 inputs */
  SUPREMUM_C99_RANK = 2,              /* BRO-4: a rank below 0 or above 64 */
  SUPREMUM_C99_NEGATIVE_EXTENT = 3,   /* no shape: an extent below 0 */
  SUPREMUM_C99_AXIS_OUT_OF_RANGE = 4, /* RED-2: not in [-rank, rank - 1] */
  SUPREMUM_C99_AXIS_REPEATED = 5,     /* RED-2: two axes name one dimension */
  SUPREMUM_C99_NOT_BROADCASTABLE = 6, /* E1, BRO-2 */
  SUPREMUM_C99_OUTPUT_SHAPE = 7,      /* E2: the output's shape is not the computed one */
  SUPREMUM_C99_TOO_LARGE = 8,         /* the number of elements, or an offset, exceeds INT64_MAX */
  SUPREMUM_C99_OUTSIDE = 9,           /* an element lies outside the arena */
  SUPREMUM_C99_OUTPUT_ALIASES = 10,   /* MEM-1: two elements of the output may have one address */
  SUPREMUM_C99_OVERLAP = 11,          /* MEM-2: the output may overlap an input and is not exactly it */
  SUPREMUM_C99_UNKNOWN_TYPE = 12      /* TYP-1: not a supremum_c99_type, or left out by make.py */
} supremum_c99_status;

/* TYP-1, and bool. */
typedef enum {
  SUPREMUM_C99_BFLOAT16 = 0,
  SUPREMUM_C99_FLOAT16 = 1,
  SUPREMUM_C99_FLOAT = 2,
  SUPREMUM_C99_DOUBLE = 3,
  SUPREMUM_C99_INT8 = 4,
  SUPREMUM_C99_INT16 = 5,
  SUPREMUM_C99_INT32 = 6,
  SUPREMUM_C99_INT64 = 7,
  SUPREMUM_C99_UINT8 = 8,
  SUPREMUM_C99_UINT16 = 9,
  SUPREMUM_C99_UINT32 = 10,
  SUPREMUM_C99_UINT64 = 11,
  SUPREMUM_C99_BOOL = 12
} supremum_c99_type;

enum { SUPREMUM_C99_MOST_DIMENSIONS = 64 };

/* A tensor of the arena. The element at index i has the offset

     start + i[0] * strides[0] + ... + i[rank - 1] * strides[rank - 1]   (MEM-1)

   `strides` of NULL means row-major. Strides of an input may be zero or negative; those of an output may be
   negative. `extents` and `strides` have `rank` numbers and are not read at rank 0; the strides of a tensor
   without elements are not used, nor is its start. */
typedef struct {
  int64_t rank;
  const int64_t* extents;
  const int64_t* strides;
  int64_t start;
} supremum_c99_tensor;

/* The common shape of n inputs (BRO-1 to BRO-4). On success *rank is its rank, and `extents` begins with its
   extents.

   Requires: room for the greatest rank of an input in `extents`. Starts and strides are not read.
   Errors: INPUT_COUNT, RANK, NEGATIVE_EXTENT, NOT_BROADCASTABLE (E1); *rank and `extents` are then undefined.
   Cost: n * rank steps.

     status = supremum_c99_max_shape(2, inputs, &rank, extents); */
supremum_c99_status supremum_c99_max_shape(int64_t n, const supremum_c99_tensor* inputs, int64_t* rank,
                                           int64_t* extents);

/* The shape of a tensor without its reduced dimensions, or with 1 in their place if `keepdims` is not 0
   (RED-2, RED-3). `axes` of NULL means all dimensions; axis_count of 0 with other `axes` means none.

   Requires: room for `source->rank` numbers in `extents`. Start and strides are not read.
   Errors: RANK, NEGATIVE_EXTENT, AXIS_OUT_OF_RANGE, AXIS_REPEATED; *rank and `extents` are then undefined.
   Cost: rank * axis_count steps.

     const int64_t axes[] = {-1};
     status = supremum_c99_reduce_max_shape(&x, axes, 1, 0, &rank, extents); */
supremum_c99_status supremum_c99_reduce_max_shape(const supremum_c99_tensor* source, const int64_t* axes,
                                                  int64_t axis_count, int keepdims, int64_t* rank,
                                                  int64_t* extents);

/* How many int64_t the working memory of a call needs, with the ranks of the output of Max and of the source
   of ReduceMax: n + n * rank + rank, and 3 * rank. 0 if n or rank is one that a call refuses. */
int64_t supremum_c99_max_workspace(int64_t n, int64_t rank);
int64_t supremum_c99_reduce_max_workspace(int64_t rank);

/* Whether supremum_c99_max of these tensors succeeds in an arena of `arena_elements`, for every type that it
   has: its errors without UNKNOWN_TYPE. The arena itself is not needed.

   Requires: `workspace` has supremum_c99_max_workspace(n, output->rank) numbers.
   Cost: n * rank * rank steps at most. */
supremum_c99_status supremum_c99_max_check(int64_t arena_elements, int64_t n,
                                           const supremum_c99_tensor* inputs,
                                           const supremum_c99_tensor* output, int64_t* workspace);

/* The element-wise maximum of n inputs, broadcast to their common shape.

     y[i] = max over m of z_m[i],   z_m = input m broadcast to the output's shape   (MAX-2, BRO-5)

   in the order of docs/semantics.md: -0 < +0, NaN absorbs, every NaN written is canonical (ORD-1 to ORD-4).

   Requires: `arena` has `arena_elements` elements, aligned as their type needs. `workspace` is not NULL and
     has supremum_c99_max_workspace(n, output->rank) numbers. It, the extents and the strides lie outside the
     arena.
   Ensures: on an error the arena is unchanged; otherwise only the output's elements change (MEM-1). The
     output may be exactly an input (MEM-2): same start, same extents above 1 with the same strides.
   Errors: INPUT_COUNT, RANK, NEGATIVE_EXTENT, NOT_BROADCASTABLE (E1), OUTPUT_SHAPE (E2), TOO_LARGE, OUTSIDE,
     OUTPUT_ALIASES (MEM-1), OVERLAP (MEM-2), UNKNOWN_TYPE.
     MEM-1 and MEM-2 are decided by sufficient conditions: some layouts that share no address are refused. An
     output is accepted if each stride, in ascending order of magnitude and without those of extent 1, exceeds
     the distance from the first to the last element along all smaller ones. An output and an input are
     disjoint if the ranges of their offsets are disjoint, or are disjoint modulo the magnitude of a stride of
     either when strides that it divides are left out: so rows, columns and blocks of one matrix are accepted.
   Cost: reads each input once per output element, writes each output element once; a division of 64 bits for
     each dimension of each access. No allocation.
   Proved: all that follows the checks, kernel.max of verification/proofs/why3. The checks are tested.

     status = supremum_c99_max(SUPREMUM_C99_FLOAT, arena, 15, 2, inputs, &y, workspace); */
supremum_c99_status supremum_c99_max(supremum_c99_type type, void* arena, int64_t arena_elements, int64_t n,
                                     const supremum_c99_tensor* inputs, const supremum_c99_tensor* output,
                                     int64_t* workspace);

/* Whether supremum_c99_reduce_max of these tensors succeeds in an arena of `arena_elements`: its errors
   without UNKNOWN_TYPE.

   Requires: `workspace` has supremum_c99_reduce_max_workspace(source->rank) numbers.
   Cost: rank * (rank + axis_count) steps at most. */
supremum_c99_status supremum_c99_reduce_max_check(int64_t arena_elements, const supremum_c99_tensor* source,
                                                  const int64_t* axes, int64_t axis_count, int keepdims,
                                                  const supremum_c99_tensor* output, int64_t* workspace);

/* The maximum along a set of dimensions.

     y[i] = max over all elements of the source whose coordinates outside `axes` are those of i   (RED-1)

   The maximum of no elements is -inf, the least value of an integer type, or false (RED-6).

   Requires: as supremum_c99_max, with supremum_c99_reduce_max_workspace(source->rank) numbers.
   Ensures: as supremum_c99_max. The output may be exactly the source where no extent above 1 is reduced.
   Errors: RANK, NEGATIVE_EXTENT, AXIS_OUT_OF_RANGE, AXIS_REPEATED (RED-2), OUTPUT_SHAPE (E2), TOO_LARGE,
     OUTSIDE, OUTPUT_ALIASES (MEM-1), OVERLAP (MEM-2), UNKNOWN_TYPE. MEM-1 and MEM-2 are decided as
     supremum_c99_max says.
   Cost: reads each element of the source once, writes each output element once; a division of 64 bits for
     each dimension of each access. No allocation.
   Proved: all that follows the checks, kernel.reduce_max of verification/proofs/why3. The checks are tested.

     status = supremum_c99_reduce_max(SUPREMUM_C99_INT8, arena, 9, &x, axes, 1, 0, &y, workspace); */
supremum_c99_status supremum_c99_reduce_max(supremum_c99_type type, void* arena, int64_t arena_elements,
                                            const supremum_c99_tensor* source, const int64_t* axes,
                                            int64_t axis_count, int keepdims,
                                            const supremum_c99_tensor* output, int64_t* workspace);

#ifdef __cplusplus
}
#endif

#endif /* SUPREMUM_C99_OPERATORS_H_ */
