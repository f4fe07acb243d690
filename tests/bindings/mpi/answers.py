#!/usr/bin/env python3
"""Prints the table of docs/many-machines.md: the maximum of four elements, one in each rank or chunk, by each engine.

    tests/bindings/mpi/answers.py [--mpi NAME COMPILER MPIRUN]...

COMPILER and MPIRUN are commands, such as "mpicc.mpich" and "mpirun.mpich"; without --mpi those of Open MPI. An engine that is not
installed is left out. Cells of MPI are what one number gives by MPI_Reduce and MPI_Allreduce, and what 1,000 floats give by
MPI_Allreduce on any rank. With LIBRARY in SUPREMUM_PRELOAD the same programs run once more, with that library preloaded.
"""

import argparse
import math
import os
import shlex
import subprocess
import tempfile

ROWS = {"1, 2, NaN, 4": (1, 2, math.nan, 4), "1, NaN, 3, 4": (1, math.nan, 3, 4), "NaN, 2, 3, 4": (math.nan, 2, 3, 4),
        "-0, +0, -0, -0": (-0.0, 0.0, -0.0, -0.0), "none, in shape [0,3]": ()}  # fmt: skip
PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  static float many[1000], most[4000], all[4000];
  int rank, i, k;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x = strtod(argv[rank + 1], NULL), reduced = 0, all_reduced = 0;
  for (i = 0; i < 1000; ++i) many[i] = (float)x;
  MPI_Reduce(&x, &reduced, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Allreduce(&x, &all_reduced, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(many, most, 1000, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Gather(most, 1000, MPI_FLOAT, all, 1000, MPI_FLOAT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%g %g", reduced, all_reduced);
    for (i = 0; i < 4000; ++i) {
      for (k = 0; k < i && memcmp(&all[k], &all[i], 4) != 0; ++k) continue;
      if (k == i) printf(" %g", all[i]);
    }
  }
  return MPI_Finalize();
}
"""


def shown(number):
    text = f"{float(number):g}"
    return {"nan": "NaN", "0": "+0", "inf": "+inf"}.get(text, text)


def of_mpi(compiler, mpirun, library=None):
    """The cells of the column of an MPI library."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/program.c", "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        before, _, after = compiler.partition(" ")
        subprocess.run([before, "-o", f"{folder}/program", f"{folder}/program.c", *shlex.split(after)], check=True)
        for row in ROWS.values():
            if not row:
                yield "not applicable"
                continue
            preload = ["env", f"LD_PRELOAD={library}"] if library else []
            command = [*shlex.split(mpirun), "-n", "4", *preload, f"{folder}/program", *(str(x) for x in row)]
            first, second, *many = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            yield f"{shown(first)}, {shown(second)}; {' or '.join(map(shown, many))}"


def of_arrays(function, array):
    """The cells of an engine for arrays: `function(array(x), axis)`."""
    for row in ROWS.values():
        try:
            result = [float(x) for x in function(array(row), 0).__array__().reshape(-1)]
            yield ", ".join(map(shown, result)) or "an empty result"
        except ValueError:
            yield "an error"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpi", nargs=3, action="append", metavar=("NAME", "COMPILER", "MPIRUN"))
    systems = parser.parse_args().mpi or [["Open MPI", "mpicc", "mpirun --oversubscribe"]]
    columns = {name: of_mpi(compiler, mpirun) for name, compiler, mpirun in systems}
    try:
        import dask.array as da
        import numpy as np
        import xarray as xr

        import supremum

        def array(row):
            return da.from_array(np.array(row), chunks=1) if row else da.zeros((0, 3), chunks=1)

        columns["dask"] = of_arrays(da.max, array)
        columns["xarray"] = of_arrays(lambda x, axis: x.max(x.dims[axis]), lambda row: xr.DataArray(array(row)))
        columns["supremum on dask and xarray"] = of_arrays(supremum.max, array)
    except ImportError as missing:
        print(f"without dask, xarray and supremum: {missing}")
    library = os.environ.get("SUPREMUM_PRELOAD")
    if library:
        columns["supremum, preloaded"] = of_mpi(*systems[0][1:], library)
    print("| elements | " + " | ".join(columns) + " |\n| --- |" + " --- |" * len(columns))
    for cells in zip(ROWS, *columns.values()):
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
