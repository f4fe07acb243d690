// Common parts of mpi.h and mpi_c.h.
#ifndef SUPREMUM_SRC_BINDINGS_MPI_JOIN_H_
#define SUPREMUM_SRC_BINDINGS_MPI_JOIN_H_

#include <mpi.h>

#include "supremum/dtype.h"

namespace supremum::mpi {

/// The status of MPI_Op_create with Join of an element type. Requires: IsValid(dtype).
int CreateJoin(DType dtype, MPI_Op* op) noexcept;

}  // namespace supremum::mpi

#endif  // SUPREMUM_SRC_BINDINGS_MPI_JOIN_H_
