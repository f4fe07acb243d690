// MPI's own errors as values.
#ifndef SUPREMUM_SRC_BINDINGS_MPI_STATUS_H_
#define SUPREMUM_SRC_BINDINGS_MPI_STATUS_H_

#include <mpi.h>

#include <string_view>

#include "supremum/result.h"

namespace supremum::mpi {

/// Success, or kIo for "WHAT: MPI's text". With the default error handler of a communicator, MPI ends the
/// program instead; the default handler of files returns errors.
Result<void> Done(int status, std::string_view what);

/// The number of ranks, and the rank of this process.
struct Ranks {
  int count = 1;
  int mine = 0;
};
Result<Ranks> RanksOf(MPI_Comm comm);

}  // namespace supremum::mpi

#endif  // SUPREMUM_SRC_BINDINGS_MPI_STATUS_H_
