/* The highest reading of all ranks, of which one has a faulty sensor: a program of MPI that knows nothing of supremum. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double reading = rank == 2 ? NAN : 20.0 + rank, hottest = 0;
  MPI_Allreduce(&reading, &hottest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("hottest: %g\n", hottest);
  MPI_Finalize();
  return 0;
}
