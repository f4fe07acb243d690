#!/usr/bin/env python3
"""The largest value at each position of all .npy files of a folder, by dask on four processes of this machine.

    examples/many_machines/npy_folder.py FOLDER RESULT.npy

The files have arrays of one shape and type. Each is read by the process that computes on it.
"""

import sys
from pathlib import Path

import dask
import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

import supremum


def stacked(folder):
    """The arrays of the files, lazily, along a first dimension of one chunk a file."""
    files = sorted(Path(folder).glob("*.npy"))
    one = np.load(files[0], mmap_mode="r")
    load = dask.delayed(np.load)
    return da.stack([da.from_delayed(load(file, mmap_mode="r"), one.shape, one.dtype) for file in files])


if __name__ == "__main__":
    with LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        np.save(sys.argv[2], supremum.max(stacked(sys.argv[1]), axis=0).compute())
