"""A program that knows nothing of supremum: MPI.MAX of mpi4py. Rank 0 prints the calls that each rank has made, and results that are wrong."""

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
calls = wrong = 0
for of in range(world.size):
    for dtype in (np.float32, np.float64):
        row = np.array([-0.0, 1, world.rank] * 5, dtype)
        if world.rank == of:
            row[0::3], row[1::3] = 0.0, np.nan
        result = np.empty_like(row)
        world.Allreduce(row, result, op=MPI.MAX)
        world.Iallreduce(MPI.IN_PLACE, row, op=MPI.MAX).Wait()
        calls += 2
        for found in (result, row):
            wrong += int(np.signbit(found[0::3]).sum() + (~np.isnan(found[1::3])).sum() + (found[2::3] != world.size - 1).sum())
if world.allreduce(world.rank, op=MPI.MAX) != world.size - 1:
    wrong += 1
total = world.allreduce(wrong)
if world.rank == 0:
    print(f"{calls} calls, {total} wrong")
