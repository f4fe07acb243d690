// What the ranks tell each other about files and errors.
#ifndef SUPREMUM_TOOLS_MPI_RANKS_H_
#define SUPREMUM_TOOLS_MPI_RANKS_H_

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "formats/tensor_file.h"
#include "supremum/mpi.h"
#include "supremum/result.h"

namespace supremum::cli {

/// MPI_COMM_WORLD, how many ranks it has and which one this is.
struct World {
  MPI_Comm comm = MPI_COMM_NULL;
  int ranks = 1;
  int rank = 0;

  static World Of(MPI_Comm comm);
};

/// Success, or kIo with MPI's text for a status that is not MPI_SUCCESS: "WHAT: MPI says ...".
Result<void> MpiDone(int status, const std::string& what);

/// What rank 0 makes, on every rank: one rank asks the file system, and an error is named once. `make` is
/// called on rank 0 alone. Collective.
Result<std::string> TextOfRank0(const World& world, const std::function<Result<std::string>()>& make);

/// Success or the error of rank 0's `make`, on every rank. Collective.
Result<void> DoneByRank0(const World& world, const std::function<Result<void>()>& make);

/// Where rank 0 finds the tensor, on every rank. The identity of the file is for rank 0 alone: devices have
/// other numbers on other machines. Collective. Errors: those of FindTensor.
Result<formats::TensorPlace> FindForAll(const World& world, const std::string& spec,
                                        std::optional<DType> stated);

/// Once every rank has read: whether the file is still the one that FindForAll found. Collective. Errors:
/// kIo.
Result<void> CheckUnchanged(const World& world, const formats::TensorPlace& place);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_MPI_RANKS_H_
