// How an error of one rank becomes the error of all.
#include <array>
#include <cstdint>
#include <string>

#include "core/messages.h"
#include "mpi/status.h"
#include "supremum/mpi.h"

namespace supremum::mpi {

Result<void> Agree(MPI_Comm comm, const Result<void>& mine) {
  const Result<Ranks> ranks = RanksOf(comm);
  if (!ranks) return ranks.error();
  // The least of: ranks with an error; 1 on those with one and 0 on the others, so that 1 means all.
  const std::array<int, 2> state = {mine ? ranks->count : ranks->mine, mine ? 0 : 1};
  std::array<int, 2> least = {};
  if (Result<void> done =
          Done(MPI_Allreduce(state.data(), least.data(), 2, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
      !done) {
    return done;
  }
  const auto [lowest, all_failed] = least;
  if (lowest == ranks->count) return {};

  Error error;
  if (lowest == ranks->mine) {
    error = all_failed == 1 ? mine.error() : ErrorAt("rank " + std::to_string(ranks->mine), mine.error());
  }
  std::array<std::int64_t, 2> head = {static_cast<std::int64_t>(error.code),
                                      static_cast<std::int64_t>(error.message.size())};
  if (Result<void> done = Done(MPI_Bcast(head.data(), 2, MPI_INT64_T, lowest, comm), "MPI_Bcast"); !done)
    return done;
  error.code = static_cast<ErrorCode>(head[0]);
  error.message.resize(static_cast<std::size_t>(head[1]));
  if (Result<void> done = Done(
          MPI_Bcast(error.message.data(), static_cast<int>(head[1]), MPI_CHAR, lowest, comm), "MPI_Bcast");
      !done) {
    return done;
  }
  return error;
}

}  // namespace supremum::mpi
