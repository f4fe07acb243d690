#!/usr/bin/env python3
"""Times of whole calls, as programs make them, beside NumPy, PyTorch and ONNX Runtime: functions, models, commands on files.

    PYTHONPATH=build/release/python /usr/bin/python3 bench/calls.py [--rounds N] [--command build/release/bin/supremum] [--list N]

Prints a table of kinds of calls: the geometric mean of supremum's time over the fastest other one's, how many calls there are, how
many are above 1.1 from 1,000 elements on, and the worst one. Contenders take turns, a batch of calls each, in an order that changes from
round to round; a ratio is the median of the ratios of single rounds. One thread each; results go to memory that each system allocates
itself unless the kind says "out". Commands are separate processes on files in the page cache; NumPy maps the files.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np

import supremum

sys.path.insert(0, str(Path(__file__).resolve().parent))
import machine  # noqa: E402

TYPES = "float16 float32 float64 int32 uint8".split()
SIZES = (10, 100, 1000, 10000, 100000, 1000000, 3000000)
BATCH_SECONDS = 3e-4
Calls = Dict[str, Callable[[], object]]
Case = Tuple[str, str, int, Calls]  # the kind, the type, elements, contenders


def seconds(call: Callable[[], object], count: int) -> float:
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count


def measure(calls: Calls, rounds: int) -> Dict[str, List[float]]:
    """The time of a call of each contender, in each round."""
    counts = {}
    for name, call in calls.items():
        seconds(call, 2)
        counts[name] = min(20000, 1 + int(BATCH_SECONDS / min(seconds(call, 3) for _ in range(3))))
    times: Dict[str, List[float]] = {name: [] for name in calls}
    order = list(calls)
    shuffle = random.Random(1).shuffle
    for _ in range(rounds):
        shuffle(order)
        for name in order:
            times[name].append(seconds(calls[name], counts[name]))
    return times


def numbers(shape: Any, dtype: str) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 100, shape).astype(dtype)


def function_cases() -> Iterator[Case]:
    for dtype in TYPES:
        for n in SIZES:
            a, b, image = numbers(n, dtype), numbers(n, dtype)[::-1].copy(), numbers((n, 3), dtype)
            rows = max(1, math.isqrt(n))
            m, other = numbers((rows, n // rows), dtype), numbers((rows, n // rows), dtype)[::-1].copy()
            last = numbers((1, max(1, n // 48), 6, 8), dtype).transpose(0, 3, 1, 2)
            twice = numbers(2 * n, dtype)
            pairs = {
                "maximum, equal": (a, b),
                "maximum, scalar": (a, a[:1]),
                "maximum, row": (m, m[0].copy()),
                "maximum, column": (m, m[:, :1].copy()),
                "maximum, slices [::2]": (twice[::2], twice[1::2]),
                "maximum, planes of an image": (image[..., 0], image[..., 1]),
                "maximum, transposed": (m.T, other.T),
                "maximum, channels-last": (last, last[:, ::-1].copy(order="K")),
            }
            for kind, (x, y) in pairs.items():
                yield kind, dtype, n, {"supremum": lambda x=x, y=y: supremum.maximum(x, y), "NumPy": lambda x=x, y=y: np.maximum(x, y)}
            sources = {
                "max, whole": (a, None),
                "max, last axis": (m, 1),
                "max, first axis": (m, 0),
                "max, last axis, transposed": (m.T, 1),
                "max, slice [::2]": (twice[::2], None),
                "max, plane of an image": (image[..., 0], None),
            }
            for kind, (x, axis) in sources.items():
                yield kind, dtype, n, {"supremum": lambda x=x, axis=axis: supremum.max(x, axis), "NumPy": lambda x=x, axis=axis: np.max(x, axis)}


def torch_cases() -> Iterator[Case]:
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)
    for dtype in ("bfloat16", "float32", "uint8"):
        for n in SIZES[2:]:
            a, b = (torch.randint(0, 100, (n,)).to(getattr(torch, dtype)) for _ in range(2))
            yield "maximum, tensors", dtype, n, {"supremum": lambda a=a, b=b: supremum.maximum(a, b), "PyTorch": lambda a=a, b=b: torch.maximum(a, b)}
            yield "max, tensor", dtype, n, {"supremum": lambda a=a: supremum.max(a), "PyTorch": lambda a=a: torch.amax(a)}


def session(model: bytes) -> Optional[Any]:
    try:
        import onnxruntime
    except ImportError:
        return None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options)


def model_cases() -> Iterator[Case]:
    try:
        import onnx.parser
    except ImportError:
        return
    head = '<ir_version: 7, opset_import: ["": 13]> g (float[n, m] a, float[n, m] b) => '
    chain = "".join(f"t{k + 1} = Max({'a' if k == 0 else f't{k}'}, b) " for k in range(100))
    one = onnx.parser.parse_model(head + "(float[n, m] y) {y = Max(a, b)}")
    two = onnx.parser.parse_model(head + "(float[1, 1] y) {t = Max(a, b) y = ReduceMax(t)}")
    many = onnx.parser.parse_model(head + "(float[n, m] t100) {" + chain + "}")
    for n in (64, 1024, 4096):
        a, b = numbers((n, n), "float32"), numbers((n, n), "float32")[::-1].copy()
        feeds, y = {"a": a, "b": b}, np.empty_like(a)

        def calls(proto: Any, others: Calls, **options: Any) -> Calls:
            model, peer = supremum.load(proto), session(proto.SerializeToString())
            found: Calls = {"supremum": lambda: model.run(feeds, **options), **others}
            if peer is not None:
                found["ONNX Runtime"] = lambda: peer.run(None, feeds)
            return found

        yield "Model.run, Max, and maximum", "float32", n * n, calls(one, {"the function": lambda: supremum.maximum(a, b)})
        yield "Model.run, Max, out, and maximum", "float32", n * n, calls(one, {"the function": lambda: supremum.maximum(a, b, out=y)}, out={"y": y})
        yield "Model.run, Max, ReduceMax, and NumPy", "float32", n * n, calls(two, {"NumPy": lambda: np.max(np.maximum(a, b))})
        if n == 64:
            yield "Model.run, 100 nodes, and 100 calls", "float32", n * n, calls(many, {"100 calls": lambda: [np.maximum(a, b, out=y) for _ in range(100)]})


def run(arguments: List[str]) -> Tuple[float, float]:
    """Seconds, and the most memory in MiB, of a process."""
    begin, peak = time.perf_counter(), 0
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    while process.poll() is None:  # the resource usage of a child counts what this process had when it was started
        found = re.search(r"^VmHWM:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8"), re.MULTILINE)
        peak = max(peak, int(found[1])) if found else peak
        time.sleep(0.001)
    if process.returncode != 0:
        raise SystemExit(f"calls.py: {' '.join(arguments)} failed")
    return time.perf_counter() - begin, peak / 1024


def command_lines(command: str, rounds: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        x, row, y = (str(folder / file) for file in ("x.npy", "row.npy", "y.npy"))
        np.save(x, numbers((16384, 8192), "float32"))
        np.save(row, numbers(8192, "float32"))
        load = "import numpy as np; x = np.load({x!r}, mmap_mode='r'); "
        mapped = "y = np.lib.format.open_memmap({y!r}, 'w+', np.float32, x.shape); np.maximum(x, np.load({row!r}), out=y); y.flush()"
        kinds = {
            "reduce-max, 512 MiB": ([command, "reduce-max", x, "-o", y], (load + "np.save({y!r}, np.max(x))").format(x=x, y=y)),
            "reduce-max --axes 1, 512 MiB": ([command, "reduce-max", x, "--axes", "1", "-o", y], (load + "np.save({y!r}, np.max(x, 1))").format(x=x, y=y)),
            "max, 512 MiB and a row": ([command, "max", x, row, "-o", y], (load + mapped).format(x=x, y=y, row=row)),
        }
        for kind, (ours, text) in kinds.items():
            times: List[Tuple[float, float]] = []
            memory: Tuple[float, float] = (0, 0)
            for _ in range(max(3, rounds // 4)):
                pair = []
                for arguments in (ours, [sys.executable, "-c", text]):
                    if os.path.exists(y):
                        os.remove(y)
                    pair.append(run(arguments))
                times.append((pair[0][0], pair[1][0]))
                memory = (max(memory[0], pair[0][1]), max(memory[1], pair[1][1]))
            mine, theirs = (statistics.median(each) for each in zip(*times))
            yield f"| `supremum {kind}` | {mine:.2f} s, {memory[0]:.0f} MiB | {theirs:.2f} s, {memory[1]:.0f} MiB | {mine / theirs:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--command", default="build/release/bin/supremum")
    parser.add_argument("--list", type=int, default=0, help="also the worst N calls from 1,000 elements on")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    kinds: Dict[str, List[Tuple[float, str, int, float]]] = {}
    for cases in (function_cases(), torch_cases(), model_cases()):
        for kind, dtype, n, calls in cases:
            times = measure(calls, args.rounds)
            others = [statistics.median(times[name]) for name in calls if name != "supremum"]
            best = [name for name in calls if name != "supremum"][others.index(min(others))]
            ratio = statistics.median(mine / theirs for mine, theirs in zip(times["supremum"], times[best]))
            kinds.setdefault(kind, []).append((ratio, dtype, n, statistics.median(times["supremum"])))
    print(f"{machine.family()}, NumPy {np.__version__}, one thread, memory from malloc; time over that of the fastest other\n")
    print("| call | mean | calls | above 1.1 | worst |\n| --- | ---: | ---: | ---: | --- |")
    for kind, rows in kinds.items():
        mean = math.exp(sum(math.log(row[0]) for row in rows) / len(rows))
        above = sum(row[0] > 1.1 and row[2] >= 1000 for row in rows)
        ratio, dtype, n, took = max(rows)
        print(f"| {kind} | {mean:.2f} | {len(rows)} | {above} | {ratio:.2f}: {dtype}, {n:,} elements, {took * 1e6:.1f} us |")
    if os.path.exists(args.command):
        print("\n| command, files in the page cache | supremum | NumPy, mapped | ratio |\n| --- | ---: | ---: | ---: |")
        for line in command_lines(args.command, args.rounds):
            print(line, flush=True)
    if args.list:
        every = sorted(((row, kind) for kind, rows in kinds.items() for row in rows if row[2] >= 1000), reverse=True)
        for (ratio, dtype, n, took), kind in every[: args.list]:
            print(f"{ratio:6.2f} {took * 1e6:10.1f} us  {kind}, {dtype}, {n:,}")


if __name__ == "__main__":
    main()
