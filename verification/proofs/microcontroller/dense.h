/* Max and ReduceMax of dense tensors in C99, by the functions of supremum_proved.h: these want the shapes
   settled and every stride given, and that is what happens here. No memory but what the caller gives, no
   library, no recursion.

   All tensors of a call are of one type and lie in one block, row-major. The rules are those of
   docs/semantics.md. */
#ifndef SUPREMUM_VERIFICATION_PROOFS_MICROCONTROLLER_DENSE_H_
#define SUPREMUM_VERIFICATION_PROOFS_MICROCONTROLLER_DENSE_H_

#include <stddef.h>
#include <stdint.h>

typedef enum {
  SUPREMUM_DENSE_OK = 0,
  SUPREMUM_DENSE_NO_INPUT = 1,          /* MAX-1 */
  SUPREMUM_DENSE_RANK_EXCEEDED = 2,     /* BRO-4: 64 is the most */
  SUPREMUM_DENSE_AXIS_OUT_OF_RANGE = 3, /* RED-2 */
  SUPREMUM_DENSE_AXIS_REPEATED = 4,     /* RED-2 */
  SUPREMUM_DENSE_NOT_BROADCASTABLE = 5, /* E1 */
  SUPREMUM_DENSE_NEGATIVE_EXTENT = 6
} supremum_dense_status;

typedef enum {
  SUPREMUM_DENSE_BFLOAT16,
  SUPREMUM_DENSE_FLOAT16,
  SUPREMUM_DENSE_FLOAT,
  SUPREMUM_DENSE_DOUBLE,
  SUPREMUM_DENSE_INT8,
  SUPREMUM_DENSE_INT16,
  SUPREMUM_DENSE_INT32,
  SUPREMUM_DENSE_INT64,
  SUPREMUM_DENSE_UINT8, /* and bool, whose bytes are 0 and 1 */
  SUPREMUM_DENSE_UINT16,
  SUPREMUM_DENSE_UINT32,
  SUPREMUM_DENSE_UINT64,
  SUPREMUM_DENSE_TYPES
} supremum_dense_type;

enum { SUPREMUM_DENSE_MOST_DIMENSIONS = 64 };

/* `rank` extents, and where in the block the first element lies, in elements. */
typedef struct {
  int64_t rank;
  const int64_t* extents;
  int64_t start;
} supremum_dense_tensor;

/* The common shape of n inputs (BRO-1 to BRO-4). On success *rank is its rank, and `extents` begins with its
   extents.

   Requires: room for the greatest rank of an input in `extents`.
   Errors: no input, rank, negative extent, E1; *rank and `extents` are then not to be read. */
supremum_dense_status supremum_dense_max_shape(int64_t n, const supremum_dense_tensor* inputs, int64_t* rank,
                                               int64_t* extents);

/* The shape of a tensor without its reduced dimensions, or with 1 in their place (RED-2, RED-3). `axes` of
   NULL means all.

   Requires: room for `source->rank` numbers in `extents`.
   Errors: rank, negative extent, axis out of range or repeated. */
supremum_dense_status supremum_dense_reduce_max_shape(const supremum_dense_tensor* source,
                                                      const int64_t* axes, int64_t axis_count, int keepdims,
                                                      int64_t* rank, int64_t* extents);

/* How many numbers the working memory of a call has. */
int64_t supremum_dense_max_workspace(int64_t n, int64_t rank);
int64_t supremum_dense_reduce_max_workspace(int64_t rank);

/* y[i] = max over m of z_m[i], z_m being input m broadcast to the output's shape (MAX-2, BRO-5).

   Requires: n >= 1; the output has the shape that supremum_dense_max_shape gave for these inputs; it lies
   apart from every input, or exactly on one that has its shape (MEM-2); `workspace` has
   supremum_dense_max_workspace(n, output->rank) numbers. Proved: what follows the strides, by max of
   verification/proofs/why3/kernel.mlw. */
void supremum_dense_max(supremum_dense_type type, void* block, int64_t n, const supremum_dense_tensor* inputs,
                        const supremum_dense_tensor* output, int64_t* workspace);

/* y at an index is the maximum over all elements whose coordinates outside `axes` equal it (RED-1, RED-6).

   Requires: the output has the shape that supremum_dense_reduce_max_shape gave; it lies apart from the
   source; `workspace` has supremum_dense_reduce_max_workspace(source->rank) numbers. Proved: what follows the
   strides, by reduce_max of verification/proofs/why3/kernel.mlw. */
void supremum_dense_reduce_max(supremum_dense_type type, void* block, const supremum_dense_tensor* source,
                               const int64_t* axes, int64_t axis_count, const supremum_dense_tensor* output,
                               int64_t* workspace);

#endif /* SUPREMUM_VERIFICATION_PROOFS_MICROCONTROLLER_DENSE_H_ */
