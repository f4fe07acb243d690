/* Join (docs/semantics.md, section 1) as an operation of MPI, for C programs. C99.
 *
 * Requires MPI and the CMake target supremum::mpi. It is mpi.h, which is for C++, with DLPack's types.
 */
#ifndef SUPREMUM_MPI_C_H_
#define SUPREMUM_MPI_C_H_

#include <mpi.h>

#include "supremum/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The operation Join of an element type, for collective calls of MPI: supremum::mpi::JoinOp.
 *
 *   (a op b)[i] = Join(a[i], b[i])   (ORD-1 to ORD-4)
 *
 *   MPI_Op join;
 *   if (supremum_mpi_join_op((DLDataType){kDLFloat, 32, 1}, &join) != MPI_SUCCESS) return 1;
 *   MPI_Allreduce(x, y, n, MPI_FLOAT, join, comm);
 *   MPI_Op_free(&join);
 *
 * Requires: MPI is initialised. A call of MPI with this operation names a predefined datatype with the bytes
 * of one element, such as MPI_FLOAT for float32, and MPI_UINT16_T for bfloat16 and float16; or a datatype
 * that MPI_Type_contiguous or MPI_Type_dup makes of it.
 *
 * Ensures: returns MPI_SUCCESS, and *op is the operation; on an error it is unchanged.
 * Errors: MPI_ERR_TYPE if `dtype` is none of the types of c_api.h; MPI_ERR_ARG if `op` is null; an error of
 * MPI.
 *
 * Ownership: the caller owns the operation, which is commutative, and frees it by MPI_Op_free.
 * Threads: those that MPI was initialised for. */
int supremum_mpi_join_op(DLDataType dtype, MPI_Op* op);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* SUPREMUM_MPI_C_H_ */
