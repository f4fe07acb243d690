#include "supremum/mpi_c.h"

int main(int argc, char** argv) {
  const float x[2] = {-0.0f, 2};
  float y[2] = {0.0f, 1};
  const DLDataType float32 = {kDLFloat, 32, 1};
  MPI_Op join;
  int good;
  MPI_Init(&argc, &argv);
  good = supremum_mpi_join_op(float32, &join) == MPI_SUCCESS &&
         MPI_Reduce_local(x, y, 2, MPI_FLOAT, join) == MPI_SUCCESS && 1 / y[0] > 0 && y[1] == 2 &&
         MPI_Op_free(&join) == MPI_SUCCESS;
  MPI_Finalize();
  return good ? 0 : 1;
}
