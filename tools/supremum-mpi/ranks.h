// Files and errors that the ranks agree on.
#ifndef SUPREMUM_TOOLS_MPI_RANKS_H_
#define SUPREMUM_TOOLS_MPI_RANKS_H_

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/formats/tensor_file.h"
#include "supremum/mpi.h"
#include "supremum/result.h"

namespace supremum::cli {

/// MPI_COMM_WORLD, its number of ranks, and this rank.
struct World {
  MPI_Comm comm = MPI_COMM_NULL;
  int ranks = 1;
  int rank = 0;

  static World Of(MPI_Comm comm);
};

/// Success, or kIo with MPI's text for a status that is not MPI_SUCCESS: "WHAT: MPI reports ...".
Result<void> MpiDone(int status, const std::string& what);

/// The result of `make` on rank 0, on every rank: only rank 0 calls it, so that one rank accesses the file
/// system and an error is reported once. Collective.
Result<std::string> TextOfRank0(const World& world, const std::function<Result<std::string>()>& make);

/// Success or the error of rank 0's `make`, on every rank. Collective.
Result<void> DoneByRank0(const World& world, const std::function<Result<void>()>& make);

/// The place of the tensor as rank 0 finds it, on every rank. The file's identity is valid on rank 0 only,
/// since device numbers differ between machines. Collective. Errors: those of FindTensor.
Result<io::TensorPlace> FindForAll(const World& world, const std::string& spec, std::optional<DType> stated);

/// Checks, after every rank has read, that the file is still the one that FindForAll found. Collective.
/// Errors: kIo.
Result<void> CheckUnchanged(const World& world, const io::TensorPlace& place);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_MPI_RANKS_H_
