"""dask's own processes: the examples of docs/many-machines.md, a worker that is killed, and what the page says."""

import importlib.util
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import expected_reduce_max, np, same_bits, supremum

for package in ("dask", "distributed", "zarr"):
    if importlib.util.find_spec(package) is None:
        print(f"skipped: no {package}; scripts/setup.sh --engines installs it")
        sys.exit(77)
import dask  # noqa: E402
import dask.array as da  # noqa: E402
import distributed  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "many_machines"
PAGE = (ROOT / "docs" / "many-machines.md").read_text(encoding="utf-8")


def readings(shape, seed=1):
    """Floats of which some columns are zeros with one +0, some have a NaN that is not canonical."""
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(shape).astype("f4")
    a[:, 0::8] = -0.0
    a[shape[0] - 1, 0::16] = 0.0
    a.view("u4")[shape[0] // 2, 1::8] = 0xFF800001
    return a


def run(example, *arguments):
    done = subprocess.run([sys.executable, str(EXAMPLES / example), *map(str, arguments)], capture_output=True, text=True, check=False, timeout=240)
    if done.returncode != 0:
        raise AssertionError(f"{example}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def block(a, marker):
    """A block, whose first reader is killed in its worker."""
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return a
    os.kill(os.getpid(), signal.SIGKILL)


class Engines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    # Rules: ORD-5
    def test_a_folder_of_files_on_four_processes(self):
        a = readings((9, 50, 40))
        (self.folder / "in").mkdir()
        for i, part in enumerate(a):
            np.save(self.folder / "in" / f"{i}.npy", part)
        run("npy_folder.py", self.folder / "in", self.folder / "result.npy")
        self.assertIsNone(same_bits(np.load(self.folder / "result.npy"), expected_reduce_max(a, 0, False, None, True)))

    # Rules: ORD-5
    def test_an_array_larger_than_the_limit_of_memory(self):
        limit, rows = 384 << 20, 64
        columns = limit // rows // 4 * 5 // 4  # 1.25 times the limit
        a = readings((rows, columns // 64))
        x = da.concatenate([da.from_array(a, chunks=(16, -1))] * 64, axis=1)
        self.assertGreater(x.nbytes, limit)
        with dask.config.set(scheduler="synchronous"):
            x.to_zarr(str(self.folder / "x.zarr"))
        printed = run("larger_than_memory.py", self.folder / "x.zarr", self.folder / "result.npy", f"{limit >> 20}MiB")
        expected = np.tile(expected_reduce_max(a, 0, False, None, True), 64)
        self.assertIsNone(same_bits(np.load(self.folder / "result.npy"), expected))
        peak = re.fullmatch(r"the worker used at most (\d+) MiB of 384MiB\n", printed)
        self.assertIsNotNone(peak, printed)
        self.assertLess(int(peak[1]), 384)

    # Rules: ORD-5
    def test_a_worker_that_is_killed_changes_no_bit(self):
        a = readings((24, 300))
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
            before = set(client.run(os.getpid).values())
            x = da.from_array(a, chunks=(3, 100)).map_blocks(block, str(self.folder / "killed"), dtype=a.dtype, meta=a[:0])
            found = supremum.max(x, axis=0).compute()
            client.wait_for_workers(2)
            self.assertTrue((self.folder / "killed").exists())
            self.assertEqual(len(before & set(client.run(os.getpid).values())), 1)
        self.assertIsNone(same_bits(found, expected_reduce_max(a, 0, False, None, True)))

    def test_the_examples_of_the_page_run(self):
        a = readings((6, 32))
        da.from_array(a, chunks=4).to_zarr(str(self.folder / "readings.zarr"))
        examples = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
        self.assertEqual(len(examples), 2)
        for example in examples:
            if "mpi4py" not in example or importlib.util.find_spec("mpi4py") is not None:
                subprocess.run([sys.executable, "-c", example], cwd=self.folder, check=True, timeout=120)
        self.assertIsNone(same_bits(np.load(self.folder / "daily.npy"), expected_reduce_max(a, 0, False, None, True)))

    def test_the_size_of_the_graph_that_the_page_states(self):
        x = da.empty((10**6, 10**5), dtype="f4", chunks="128 MiB")
        result = supremum.max(x, axis=0)
        tasks = moved = 0
        for name, layer in result.__dask_graph__().layers.items():
            tasks += len(layer)
            if name not in (result.name, x.name):  # partial results, one row of a chunk each
                moved += sum(x.chunks[1][key[2]] for key in layer.get_output_keys()) * x.dtype.itemsize
        text = " ".join(PAGE.split())
        self.assertIn(f"{x.nbytes / 2**30:.1f} GiB in {x.npartitions:,} chunks of at most 128 MiB, is {tasks:,} tasks", text)
        self.assertIn(f"{x.npartitions:,} read a chunk; at most {moved / 2**20:.1f} MiB of partial results", text)


if __name__ == "__main__":
    sys.modules["engines_test"] = sys.modules["__main__"]
    block.__module__ = "engines_test"  # where the workers find it
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    unittest.main()
