#!/usr/bin/env python3
"""Times of calls from Python, compared with NumPy and PyTorch; a ratio above 1 means supremum is slower.

    PYTHONPATH=build/release/python /usr/bin/python3 bench/python_calls.py [--rounds N]

Contenders take turns, a batch of calls each, in an order that changes from round to round; a figure is the median over rounds, a
ratio the median of the ratios of single rounds. Results go to memory that each system takes itself. One thread, whose own time is
counted, so that other work on the machine has little effect.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
import warnings
from typing import Callable, Dict, List

import numpy as np

import supremum

NUMPY = "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
TORCH = "bfloat16 float16 float32 float64 int8 int16 int32 int64 uint8".split()
BATCH_SECONDS = 2e-4
Calls = Dict[str, Callable[[], object]]


def seconds(call: Callable[[], object], count: int) -> float:
    begin = time.thread_time()
    for _ in range(count):
        call()
    return (time.thread_time() - begin) / count


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


def show(title: str, times: Dict[str, List[float]]) -> None:
    ours = times["supremum"]
    line = f"{title:42} supremum {statistics.median(ours) * 1e6:9.2f} us"
    for name, theirs in times.items():
        if name != "supremum":
            ratio = statistics.median(a / b for a, b in zip(ours, theirs))
            line += f" | {name} {statistics.median(theirs) * 1e6:9.2f} us, ratio {ratio:5.2f}"
    print(line, flush=True)


def numpy_cases(size: int, rounds: int) -> None:
    rng = np.random.default_rng(1)
    for dtype in NUMPY:
        a, b = (rng.integers(0, 100, size).astype(dtype) for _ in range(2))
        calls: Calls = {"supremum": lambda: supremum.maximum(a, b), "NumPy": lambda: np.maximum(a, b)}
        show(f"maximum, {size} {dtype}", measure(calls, rounds))
        calls = {"supremum": lambda: supremum.max(a), "NumPy": lambda: np.maximum.reduce(a)}
        show(f"max, {size} {dtype}", measure(calls, rounds))


def torch_cases(size: int, rounds: int) -> None:
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed and left out")
        return
    torch.set_num_threads(1)
    for dtype in TORCH:
        a, b = (torch.randint(0, 100, (size,)).to(getattr(torch, dtype)) for _ in range(2))
        arrays = dtype != "bfloat16"
        x, y = (a.numpy(), b.numpy()) if arrays else (a, b)
        for kind, own_a, own_b in (("tensors", a, b), ("arrays", x, y)):
            if kind == "arrays" and not arrays:
                continue
            calls: Calls = {"supremum": lambda: supremum.maximum(own_a, own_b), "PyTorch": lambda: torch.maximum(a, b)}
            show(f"maximum, {size} {dtype} of {kind}", measure(calls, rounds))
            calls = {"supremum": lambda: supremum.max(own_a), "PyTorch": lambda: torch.amax(a)}
            try:
                show(f"max, {size} {dtype} of {kind}", measure(calls, rounds))
            except RuntimeError as error:
                print(f"max, {size} {dtype}: PyTorch refuses: {error}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=201)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    for size in (1000, 1000000):
        numpy_cases(size, args.rounds)
        torch_cases(size, args.rounds)


if __name__ == "__main__":
    main()
