// The maximum over the ranks of an MPI program; without mpirun there is one.
#include <mpi.h>

#include <cstdio>

#include "supremum/mpi.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const float x[] = {static_cast<float>(rank), static_cast<float>(-rank), 1};
  float y[3];
  const supremum::Shape shape{3};
  const supremum::TensorView own[] = {supremum::TensorView::Of(x, shape)};
  const supremum::Result<void> done =
      supremum::mpi::AllMax(MPI_COMM_WORLD, own, supremum::MutableTensorView::Of(y, shape));
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  const bool good = done && y[1] == 0 && y[2] == 1;
  MPI_Finalize();
  return good ? 0 : 1;
}
