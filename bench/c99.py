#!/usr/bin/env python3
"""Times of the library, the two-file library and an emitted file, by ratios; above 1 means slower than the library.

    PYTHONPATH=build/release/python /usr/bin/python3 bench/c99.py --supremum build/release/bin/supremum [--rounds N] [--compiler gcc]

The C is compiled with -O3 for the processor's baseline. Contenders take turns, as in calls.py; each is called from Python, which
takes microseconds, and has 2^20 elements. One thread. All three results are compared, bit by bit, before they are timed.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper
from calls import Calls, measure

import supremum

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src/c99"))

import make  # noqa: E402

TYPES = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16, "int8": TensorProto.INT8, "int32": TensorProto.INT32}
FLAGS = ["-std=c99", "-O3", "-shared", "-fPIC"]


class Tensor(ctypes.Structure):
    """supremum_c99_tensor."""

    _fields_ = [("rank", ctypes.c_int64), ("extents", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("start", ctypes.c_int64)]


@dataclass(frozen=True)
class Case:
    title: str
    op: str
    shapes: list[list[int]]
    output: list[int]
    axes: tuple[int, ...] = ()

    def model(self, dtype: str) -> bytes:
        kind = TYPES[dtype]
        inputs = [helper.make_tensor_value_info(f"x{k}", kind, shape) for k, shape in enumerate(self.shapes)]
        attributes: dict[str, Any] = {"axes": list(self.axes), "keepdims": 0} if self.axes else {}
        node = helper.make_node(self.op, [value.name for value in inputs], ["y"], **attributes)
        graph = helper.make_graph([node], "g", inputs, [helper.make_tensor_value_info("y", kind, self.output)])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7).SerializeToString()


CASES = [
    Case("Max of two", "Max", [[1024, 1024], [1024, 1024]], [1024, 1024]),
    Case("Max with a row", "Max", [[1024, 1024], [1024]], [1024, 1024]),
    Case("Max with a column", "Max", [[1024, 1024], [1024, 1]], [1024, 1024]),
    Case("ReduceMax of rows", "ReduceMax", [[1024, 1024]], [1024], (1,)),
    Case("ReduceMax of columns", "ReduceMax", [[1024, 1024]], [1024], (0,)),
]  # fmt: skip


def compiled(compiler: str, source: Path) -> ctypes.CDLL:
    library = source.with_suffix(".so")
    subprocess.run([compiler, *FLAGS, f"-I{source.parent}", str(source), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def two_file_library(compiler: str, folder: Path) -> ctypes.CDLL:
    make.write(folder)
    library = compiled(compiler, folder / make.SOURCE)
    count, pointer = ctypes.c_int64, ctypes.c_void_p
    for workspace, arguments in ((library.supremum_c99_max_workspace, [count, count]), (library.supremum_c99_reduce_max_workspace, [count])):
        workspace.restype, workspace.argtypes = count, arguments
    library.supremum_c99_max.argtypes = [ctypes.c_int, pointer, count, count, pointer, pointer, pointer]
    library.supremum_c99_reduce_max.argtypes = [ctypes.c_int, pointer, count, pointer, pointer, count, ctypes.c_int, pointer, pointer]
    return library


def emitted(supremum_command: str, compiler: str, model: bytes, folder: Path) -> Callable[..., None]:
    """The function of a model."""
    (folder / "m.onnx").write_bytes(model)
    subprocess.run([supremum_command, "emit-c", folder / "m.onnx", "-o", folder, "--entry", "m"], check=True, stdout=subprocess.DEVNULL)
    function = compiled(compiler, folder / "m.c").m
    function.restype = None
    return function


def pointer_to(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def times(case: Case, dtype: str, library: ctypes.CDLL, function: Callable[..., None], rounds: int) -> dict[str, list[float]]:
    """The times of a call in each round, of contenders that write the same bits."""
    shapes = [*case.shapes, case.output]
    starts = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])
    arena = np.random.default_rng(1).integers(-100, 100, int(starts[-1])).astype(dtype)
    arrays = [arena[begin:end].reshape(shape) for begin, end, shape in zip(starts, starts[1:], shapes)]
    inputs = arrays[:-1]
    outputs = {"supremum": np.empty_like(arrays[-1]), "two-file library": arrays[-1], "emitted file": np.empty_like(arrays[-1])}

    extents = [(ctypes.c_int64 * len(shape))(*shape) for shape in shapes]
    tensors = (Tensor * len(shapes))(*(Tensor(len(shape), ctypes.addressof(extent), None, int(begin)) for shape, extent, begin in zip(shapes, extents, starts)))
    rank = len(case.shapes[0])
    needed = library.supremum_c99_max_workspace(len(inputs), rank) if case.op == "Max" else library.supremum_c99_reduce_max_workspace(rank)
    output, workspace, kind = ctypes.byref(tensors[len(inputs)]), (ctypes.c_int64 * needed)(), list(make.TYPES).index(dtype)
    axes = (ctypes.c_int64 * len(case.axes))(*case.axes)

    def call_two_files() -> None:
        if case.op == "Max":
            status = library.supremum_c99_max(kind, pointer_to(arena), arena.size, len(inputs), tensors, output, workspace)
        else:
            status = library.supremum_c99_reduce_max(kind, pointer_to(arena), arena.size, tensors, axes, len(axes), 0, output, workspace)
        if status != 0:
            raise RuntimeError(f"{case.title}, {dtype}: the two-file library returns {status}")

    pointers = [pointer_to(array) for array in [*inputs, outputs["emitted file"]]]
    calls: Calls = {
        "supremum": (lambda: supremum.maximum_of(*inputs, out=outputs["supremum"], threads=1)) if case.op == "Max" else
                    (lambda: supremum.max(*inputs, axis=tuple(case.axes), out=outputs["supremum"], threads=1)),
        "two-file library": call_two_files,
        "emitted file": lambda: function(*pointers),
    }  # fmt: skip
    for call in calls.values():
        call()
    if len({result.tobytes() for result in outputs.values()}) != 1:
        raise RuntimeError(f"{case.title}, {dtype}: the results differ")
    return measure(calls, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--supremum", required=True)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        library = two_file_library(options.compiler, Path(temporary))
        print("| case of 2^20 elements | type | library, us | two-file library | emitted file |\n| --- | --- | ---: | ---: | ---: |")
        for case in CASES:
            for dtype in TYPES:
                with tempfile.TemporaryDirectory() as folder:
                    function = emitted(options.supremum, options.compiler, case.model(dtype), Path(folder))
                    found = times(case, dtype, library, function, options.rounds)
                ours = found.pop("supremum")
                ratios = [f"{statistics.median(b / a for a, b in zip(ours, theirs)):.1f}" for theirs in found.values()]
                print(f"| {case.title} | {dtype} | {statistics.median(ours) * 1e6:.0f} | {' | '.join(ratios)} |", flush=True)


if __name__ == "__main__":
    main()
