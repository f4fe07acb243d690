// The collectives, after all checks and the agreement of the ranks.
#ifndef SUPREMUM_SRC_BINDINGS_MPI_COLLECTIVES_H_
#define SUPREMUM_SRC_BINDINGS_MPI_COLLECTIVES_H_

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "bindings/mpi/status.h"
#include "supremum/mpi.h"

namespace supremum::mpi {

/// AllJoin of elements of `dtype`, equally many on every rank. Requires: canonical elements, since on one
/// rank they stay as they are. Errors: kIo.
Result<void> JoinEverywhere(MPI_Comm comm, DType dtype, std::span<std::byte> elements,
                            const Options& options);

/// How the elements that every rank has are distributed: consecutive blocks, one for each rank, in parts that
/// fit a message.
struct Scatter {
  std::int64_t count = 0;                           ///< of elements
  std::int64_t longest = 0;                         ///< of the ranks' blocks
  std::int64_t most = 1;                            ///< elements of each block in one message
  std::unique_ptr<std::byte[]> gathered = nullptr;  ///< null if one message takes everything
};

/// Not collective. Errors: kOutputShapeMismatch if this rank's block does not have `block_bytes`;
/// kOutOfMemory.
Result<Scatter> PrepareScatter(const Ranks& ranks, DType dtype, std::int64_t count, std::size_t block_bytes,
                               const Options& options);

/// ScatterJoin after PrepareScatter. Errors: kIo.
Result<void> JoinScattered(MPI_Comm comm, DType dtype, const std::byte* values, std::span<std::byte> block,
                           const Scatter& scatter);

}  // namespace supremum::mpi

#endif  // SUPREMUM_SRC_BINDINGS_MPI_COLLECTIVES_H_
