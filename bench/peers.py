#!/usr/bin/env python3
"""Measures supremum, the bare loops and all peers, with NumPy and PyTorch, in one process and on the same buffers.

    bench/peers.py LIBRARY [ARGUMENTS OF supremum_bench]

LIBRARY is libsupremum_bench_core.so. It measures, and calls back here for a turn of NumPy or PyTorch, which time
their own calls, so that the overhead of ctypes does not count.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import itertools
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import machine
import numpy as np

try:
    import torch
except ImportError:
    torch = None

Run = Callable[[], Any]
PREPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_int)
TIME = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, ctypes.c_ulonglong)
RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_int)


class Guest(ctypes.Structure):
    """As bench/python_guest.cc has it."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("version", ctypes.c_char_p),
        ("prepare", PREPARE),
        ("time", TIME),
        ("release", RELEASE),
    ]


def array_of(operand: dict[str, Any], dtype: str) -> np.ndarray:
    """The operand's memory as an array; bfloat16, which NumPy lacks, as int16."""
    kind = np.dtype("int16" if dtype == "bfloat16" else dtype)
    steps = [stride * kind.itemsize for stride in operand["strides"]]
    reach = [step * (extent - 1) for step, extent in zip(steps, operand["shape"])]
    below = -sum(r for r in reach if r < 0)
    size = below + sum(r for r in reach if r > 0) + kind.itemsize
    memory = (ctypes.c_char * size).from_address(operand["address"] - below)
    return np.ndarray(operand["shape"], kind, memory, below, steps)


def numpy_run(problem: dict[str, Any], _threads: int) -> Run:
    """A call of NumPy for the problem."""
    if problem["dtype"] == "bfloat16":
        raise TypeError("NumPy has no bfloat16")
    x = [array_of(operand, problem["dtype"]) for operand in problem["inputs"]]
    y = array_of(problem["output"], problem["dtype"])
    if problem["op"] == "ReduceMax":
        return functools.partial(np.maximum.reduce, x[0], axis=tuple(problem["axes"]), out=y)
    return chain(functools.partial(np.copyto, y), np.maximum, x, y)


def torch_run(problem: dict[str, Any], threads: int) -> Run:
    """A call of PyTorch for the problem."""
    torch.set_num_threads(threads)

    def tensor_of(operand: dict[str, Any]) -> Any:
        tensor = torch.from_numpy(array_of(operand, problem["dtype"]))
        return tensor.view(torch.bfloat16) if problem["dtype"] == "bfloat16" else tensor

    x = [tensor_of(operand) for operand in problem["inputs"]]
    y = tensor_of(problem["output"])
    if problem["op"] == "ReduceMax":
        return functools.partial(torch.amax, x[0], dim=tuple(problem["axes"]), out=y)
    return chain(y.copy_, torch.maximum, x, y)


def chain(copy: Callable[[Any], Any], maximum: Callable[..., Any], x: list[Any], y: Any) -> Run:
    """y = the maximum of all x, two at a time."""
    if len(x) == 1:
        return functools.partial(copy, x[0])
    first = functools.partial(maximum, x[0], x[1], out=y)
    if len(x) == 2:
        return first
    rest = x[2:]

    def run() -> None:
        first()
        for tensor in rest:
            maximum(y, tensor, out=y)

    return run


def guest(name: str, version: str, make_run: Callable[[dict[str, Any], int], Run]) -> Guest:
    """What the library calls; a problem that the peer refuses is no problem of its."""
    runs: dict[int, Run] = {}
    numbers = itertools.count(1)

    def prepare(problem: bytes, threads: int) -> int:
        try:
            run = make_run(json.loads(problem), threads)
            run()
        except (RuntimeError, TypeError, ValueError, NotImplementedError):
            return 0
        number = next(numbers)
        runs[number] = run
        return number

    def time_calls(number: int, calls: int) -> float:
        run = runs[number]
        turns = itertools.repeat(None, calls)
        begin = time.perf_counter_ns()
        for _ in turns:
            run()
        return float(time.perf_counter_ns() - begin)

    def release(number: int) -> None:
        runs.pop(number, None)

    return Guest(name.encode(), version.encode(), PREPARE(prepare), TIME(time_calls), RELEASE(release))


def complete(path: Path) -> None:
    """Adds to the results what C++ does not know: the machine, versions of packages, peers that are not here."""
    results = json.loads(path.read_text(encoding="utf-8"))
    results["machine"] = machine.describe()
    for peer in results["peers"]:
        if peer["name"] == "XNNPACK":
            peer["version"] = machine.package_version("libxnnpack0") or peer["version"]
    if torch is None:
        results["missing"].append("PyTorch")
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    if len(sys.argv) < 2:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    np.seterr(all="ignore")
    gc.disable()
    guests = [guest("NumPy", np.__version__, numpy_run)]
    if torch is not None:
        guests.append(guest("PyTorch", torch.__version__, torch_run))
    library = ctypes.CDLL(sys.argv[1])
    arguments = [argument.encode() for argument in ["supremum_bench", *sys.argv[2:]]]
    argv = (ctypes.c_char_p * len(arguments))(*arguments)
    guest_list = (Guest * len(guests))(*guests)
    status = int(library.supremum_bench_run(len(arguments), argv, guest_list, ctypes.c_size_t(len(guests))))
    if "--output" in sys.argv:
        complete(Path(sys.argv[sys.argv.index("--output") + 1]))
    return status


if __name__ == "__main__":
    sys.exit(main())
