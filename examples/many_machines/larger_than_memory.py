#!/usr/bin/env python3
"""The maximum of each column of a zarr array that is larger than the memory of the process that computes it.

    examples/many_machines/larger_than_memory.py ARRAY.zarr RESULT.npy MEMORY-LIMIT
"""

import resource
import sys

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

import supremum

if __name__ == "__main__":
    source, result, limit = sys.argv[1:]
    with LocalCluster(n_workers=1, threads_per_worker=2, memory_limit=limit, dashboard_address=None) as cluster, Client(cluster) as client:
        np.save(result, supremum.max(da.from_zarr(source), axis=0).compute())
        (peak,) = client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss).values()
        print(f"the worker used at most {peak // 1024} MiB of {limit}")
