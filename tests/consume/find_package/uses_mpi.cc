// Without mpirun there is one rank, for which collective calls join nothing.
#include <mpi.h>

#include "supremum/mpi.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const float x[] = {-0.0f, 2};
  float y[] = {0.0f, 1};
  supremum::Result<MPI_Op> join = supremum::mpi::JoinOp(supremum::DType::kFloat32);
  const bool good = join && MPI_Reduce_local(x, y, 2, MPI_FLOAT, *join) == MPI_SUCCESS && 1 / y[0] > 0 &&
                    y[1] == 2 && MPI_Op_free(&*join) == MPI_SUCCESS;
  MPI_Finalize();
  return good ? 0 : 1;
}
