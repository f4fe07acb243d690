#!/usr/bin/env python3
"""The time of MPI_Allreduce with MPI_MAX, and with libsupremum_mpi_preload.so, and their ratio: 1 to 10^6 elements, 2 and 4 ranks.

    tests/bindings/mpi/preload_cost.py [LIBRARY]    by default that of build/release; needs mpicc and mpirun

The two take turns, seven times; a cell is the median of the medians of the runs, in microseconds on rank 0. Numbers mean something only
where every rank has a processor of its own.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int by_size(const void* a, const void* b) { return (*(const double*)a > *(const double*)b) - (*(const double*)a < *(const double*)b); }
int main(int argc, char** argv) {
  static double x[1000000], y[1000000], taken[200];
  int rank, i, n, k;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (i = 0; i < 1000000; ++i) x[i] = (i % 1009 + rank * 7) % 1009;
  for (k = 0; k < 2; ++k) {
    for (n = 1; n <= 1000000; n *= 10) {
      const int calls = n < 100000 ? 200 : 20;
      for (i = 0; i < calls; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        taken[i] = MPI_Wtime();
        MPI_Allreduce(x, y, n, k == 0 ? MPI_FLOAT : MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        taken[i] = MPI_Wtime() - taken[i];
      }
      qsort(taken, (size_t)calls, sizeof(double), by_size);
      if (rank == 0) printf("%s %d %g\n", k == 0 ? "float" : "double", n, taken[calls / 2] * 1e6);
    }
  }
  return MPI_Finalize();
}
"""


def main():
    library = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[3] / "build/release/lib/libsupremum_mpi_preload.so"
    print("| ranks | elements | MPI_MAX | preloaded | ratio |\n| ---: | --- | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "allreduce.c"
        source.write_text(PROGRAM, encoding="utf-8")
        subprocess.run(["mpicc", "-O2", "-o", f"{folder}/allreduce", source], check=True)
        for ranks in (2, 4):
            found = {}
            for turn in range(14):
                preload = {"LD_PRELOAD": str(library)} if turn % 2 else {}
                command = ["mpirun", "-n", str(ranks), *(part for name in preload for part in ("-x", name)), f"{folder}/allreduce"]
                printed = subprocess.run(command, env={**os.environ, **preload}, capture_output=True, text=True, check=True).stdout
                for line in printed.splitlines():
                    dtype, n, time = line.split()
                    found.setdefault((dtype, n), ([], []))[turn % 2].append(float(time))
            for (dtype, n), times in found.items():
                before, after = map(statistics.median, times)
                print(f"| {ranks} | {n} {dtype} | {before:.3g} | {after:.3g} | {after / before:.2f} |", flush=True)


if __name__ == "__main__":
    main()
