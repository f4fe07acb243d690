// Join (docs/semantics.md, section 1) as an operation of MPI.
//
// Join is commutative and associative in every bit (ORD-5). So MPI_Reduce, MPI_Allreduce, MPI_Reduce_scatter
// and MPI_Scan compute the bits that Max computes in one process, for every algorithm of the MPI library and
// every number of ranks.
//
// Requires MPI and the CMake target supremum::mpi. The same for C programs: mpi_c.h.
#ifndef SUPREMUM_MPI_H_
#define SUPREMUM_MPI_H_

#include <mpi.h>

#include "supremum/dtype.h"
#include "supremum/result.h"

namespace supremum::mpi {

/// The operation Join of an element type, for collective calls of MPI.
///
///   (a op b)[i] = Join(a[i], b[i])   (ORD-1 to ORD-4)
///
/// MPI does not call an operation that has only one operand. So a collective call on one rank does not make a
/// NaN canonical, or a bool other than 0 and 1; Max of one input does (ORD-4).
///
/// Requires: MPI is initialised. A call of MPI with this operation names a predefined datatype with the bytes
///   of one element, such as MPI_FLOAT for float32, and MPI_UINT16_T for bfloat16 and float16; or a datatype
///   that MPI_Type_contiguous or MPI_Type_dup makes of it.
/// Ensures: the caller owns the operation, which is commutative, and frees it by MPI_Op_free.
/// Errors: kTypeNotAdmitted if !IsValid(dtype); kIo for an error of MPI.
/// Cost: elements are joined by the kernels that Max uses, in place; no allocation.
///
///   Result<MPI_Op> join = JoinOp(DType::kFloat32);
///   if (!join) return join.error();
///   MPI_Allreduce(x, y, n, MPI_FLOAT, *join, comm);
///   MPI_Op_free(&*join);
Result<MPI_Op> JoinOp(DType dtype);

}  // namespace supremum::mpi

#endif  // SUPREMUM_MPI_H_
