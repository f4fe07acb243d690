#include "bindings/mpi/status.h"

#include <array>
#include <string>

namespace supremum::mpi {

Result<void> Done(int status, std::string_view what) {
  if (status == MPI_SUCCESS) return {};
  std::array<char, MPI_MAX_ERROR_STRING> text = {};
  int length = 0;
  const bool known = MPI_Error_string(status, text.data(), &length) == MPI_SUCCESS;
  return MakeError(ErrorCode::kIo, std::string(what) + ": MPI says " +
                                       (known ? std::string(text.data(), static_cast<std::size_t>(length))
                                              : "error " + std::to_string(status)));
}

Result<Ranks> RanksOf(MPI_Comm comm) {
  Ranks ranks;
  if (Result<void> done = Done(MPI_Comm_size(comm, &ranks.count), "MPI_Comm_size"); !done)
    return done.error();
  if (Result<void> done = Done(MPI_Comm_rank(comm, &ranks.mine), "MPI_Comm_rank"); !done) return done.error();
  return ranks;
}

}  // namespace supremum::mpi
