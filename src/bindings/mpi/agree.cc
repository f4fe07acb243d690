// How an error of one rank becomes the error of all.
#include <array>
#include <cstddef>
#include <string>
#include <type_traits>

#include "bindings/mpi/status.h"
#include "core/messages.h"
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
  struct Head {
    ErrorCode code;
    RuleId rule;
    std::size_t details_begin, size;
  } head = {error.code, error.rule, error.details_begin, error.message.size()};
  static_assert(std::is_trivially_copyable_v<Head>);
  const auto broadcast = [&](void* bytes, std::size_t size) {
    return Done(MPI_Bcast(bytes, static_cast<int>(size), MPI_BYTE, lowest, comm), "MPI_Bcast");
  };
  if (Result<void> done = broadcast(&head, sizeof(head)); !done) return done;
  error.message.resize(head.size);
  if (Result<void> done = broadcast(error.message.data(), head.size); !done) return done;
  error.code = head.code;
  error.rule = head.rule;
  error.details_begin = head.details_begin;
  return error;
}

}  // namespace supremum::mpi
