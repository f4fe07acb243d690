#!/usr/bin/env python3
"""Emits models of several nodes as C99, compiles them, and compares each output with `supremum run`, byte by byte.

    /usr/bin/python3 tests/c99/emitted_models.py --supremum FILE [--compiler gcc] [--folder DIR] [--eva]

The models have values between nodes, constants, copies of inputs, constants and outputs, tensors without elements, all types, and names
that C could not have. Where cppcheck is installed, the rules of MISRA C:2012 that it finds violated must be those that the file names.
Each program runs twice, with other memory around its arrays, which it must not touch.

--eva asks Frama-C instead: its analyser Eva must exclude every run-time error of each program, for all elements, and must find those of
programs whose loops go too far.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = Path(__file__).resolve().parents[2]
WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-pedantic", "-Werror"]
ADDON = Path("/usr/lib/x86_64-linux-gnu/cppcheck/addons/misra.py")
GUARD = 64  # bytes before and after each array
SPECIAL = [0x7FC00001, 0xFF800001, 0x7F800000, 0xFF800000, 0x80000000, 0, 1, 0x80000001, 0x3F800000, 0xBF800000]
FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
INTEGERS = {TensorProto.INT8: np.int8, TensorProto.INT16: np.int16, TensorProto.INT32: np.int32, TensorProto.INT64: np.int64,
            TensorProto.UINT8: np.uint8, TensorProto.UINT16: np.uint16, TensorProto.UINT32: np.uint32, TensorProto.UINT64: np.uint64}  # fmt: skip
FLOATS = {TensorProto.FLOAT16: np.float16, TensorProto.FLOAT: np.float32, TensorProto.DOUBLE: np.float64}


def value(name: str, dtype: int, shape: list[int] | None) -> Any:
    return helper.make_tensor_value_info(name, dtype, shape)


def model(nodes: list[Any], inputs: list[Any], outputs: list[str], dtype: int = FLOAT, constants: dict[str, np.ndarray] | None = None, opset: int = 13) -> Any:
    graph = helper.make_graph(nodes, "g", inputs, [value(name, dtype, None) for name in outputs],
                              [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()])  # fmt: skip
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=7)


def node(kind: str, inputs: list[str], output: str, **attributes: Any) -> Any:
    return helper.make_node(kind, inputs, [output], **attributes)


def models() -> Iterator[tuple[str, Any]]:
    """Names and models."""
    x = value("x", FLOAT, [2, 4, 3])
    c = {"c": np.array([0.5, -0.0, np.nan], np.float32)}
    yield "values_between_nodes", model([node("ReduceMax", ["x"], "t", axes=[1]), node("Max", ["t", "c"], "u"), node("Max", ["u", "x"], "y"),
                                         node("ReduceMax", ["y"], "z", axes=[0, -1], keepdims=0)], [x], ["z"], constants=c)  # fmt: skip
    yield "an_output_that_nodes_read", model([node("Max", ["x"], "y"), node("ReduceMax", ["y"], "z")], [x], ["y", "z"])
    yield "copies", model([node("Identity", ["x"], "a"), node("Identity", ["c"], "b"), node("Max", ["x", "c"], "m"), node("Identity", ["m"], "n"),
                           node("Identity", ["n"], "o")], [x], ["a", "b", "n", "o", "m"], constants=c)  # fmt: skip
    yield "an_input_is_an_output", model([node("Max", ["x"], "y")], [x], ["x", "y"])
    yield "nodes_that_no_output_needs", model([node("ReduceMax", ["x"], "t"), node("Max", ["t", "x"], "u"), node("Max", ["x"], "y")], [x], ["y"])
    yield "one_input_many_times", model([node("Max", ["x"] * 5, "y")], [x], ["y"])
    yield "constants_alone", model([node("Max", ["c", "d"], "y")], [], ["y"], constants={**c, "d": np.array([[1], [-0.0]], np.float32)})
    yield "axes_that_an_identity_copies", model([node("Identity", ["axes"], "copied"), node("ReduceMax", ["x", "copied"], "y")], [x], ["y"],
                                                constants={"axes": np.array([-2], np.int64)}, opset=18)  # fmt: skip
    yield "a_reduction_of_nothing", model([node("ReduceMax", ["x"], "y", axes=[1]), node("Max", ["y", "y"], "z")], [value("x", FLOAT, [2, 0, 3])], ["y", "z"])
    yield "no_elements", model([node("Max", ["x", "c"], "y"), node("Identity", ["x"], "z")], [value("x", FLOAT, [0, 3])], ["y", "z"], constants=c)
    yield "scalars", model([node("Max", ["x", "s"], "y")], [value("x", FLOAT, [])], ["y"], constants={"s": np.array(-0.0, np.float32)})
    names = ["a b", "a_b", "double", "*/ int x; /*", "in_x", "é\"\\\n??/"]
    yield "names_that_c_has_not", model([node("Max", names, "float")], [value(name, FLOAT, [2]) for name in names], ["float"])
    for dtype, kind in {**INTEGERS, **FLOATS}.items():
        info = np.iinfo(kind) if dtype in INTEGERS else np.finfo(kind)
        array = np.array([[info.min], [info.max], [0]], kind)
        yield f"type_{np.dtype(kind).name}", model([node("Max", ["x", "c"], "y"), node("ReduceMax", ["y"], "z", axes=[0])] if dtype not in
                                                   (TensorProto.INT16, TensorProto.UINT16) else [node("Max", ["x", "c"], "y")],
                                                   [value("x", dtype, [3, 5])], ["y", "z"] if dtype not in (TensorProto.INT16, TensorProto.UINT16) else ["y"],
                                                   dtype, {"c": array})  # fmt: skip


def elements(kind: np.dtype[Any], shape: list[int], seed: int) -> np.ndarray:
    """Any bits, and for float32 those that matter."""
    bits = np.random.default_rng(seed).integers(0, 256, int(np.prod(shape)) * kind.itemsize, np.uint8).view(kind).reshape(shape)
    if kind == np.float32 and bits.size:
        flat = bits.reshape(-1).view(np.uint32)
        flat[:: 2] = np.resize(np.array(SPECIAL, np.uint32), flat[:: 2].shape)
    return bits


class Guarded:
    """An array between bytes that nothing may change."""

    def __init__(self, size: int) -> None:
        self.memory = np.full(size + 2 * GUARD + 64, 0x5A, np.uint8)
        self.begin = GUARD + -(self.memory.ctypes.data + GUARD) % 64
        self.size = size

    @property
    def content(self) -> np.ndarray:
        return self.memory[self.begin : self.begin + self.size]

    @property
    def pointer(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.memory.ctypes.data + self.begin)

    def is_intact(self) -> bool:
        around = np.concatenate([self.memory[: self.begin], self.memory[self.begin + self.size :]])
        return bool((around == 0x5A).all())


def run(command: list[object], folder: Path) -> str:
    # Frama-C takes the folder from the environment.
    environment = {**os.environ, "PWD": str(folder)}
    done = subprocess.run([str(part) for part in command], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def undeclared_deviations(name: str, folder: Path) -> list[str]:
    """Rules of MISRA C:2012 that cppcheck finds violated and the file does not name. Nothing without cppcheck's addon."""
    if not ADDON.exists():
        return []
    macros = ["-DSIZE_MAX=4294967295U", *(f"-D{kind}_C(x)=x{end}" for kind, end in {"INT32": "", "INT64": "##LL", "UINT32": "##U", "UINT64": "##ULL"}.items())]
    run(["cppcheck", "--dump", *macros, f"{name}.c"], folder)
    found = subprocess.run([sys.executable, str(ADDON), f"{name}.c.dump"], cwd=folder, capture_output=True, text=True, check=False).stdout
    declared = set(re.findall(r"Rule ([0-9.]+[0-9])", (folder / f"{name}.c").read_text(encoding="ascii")))
    rules = set(re.findall(r"misra-c2012-([0-9.]+)\]", found))
    return [f"{name}: violates rule {rule} of MISRA C:2012 and does not say so" for rule in sorted(rules - declared)]


def check(supremum: str, compiler: str, name: str, proto: Any, folder: Path) -> list[str]:
    """What is wrong with the emitted program of a model."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    onnx.save(proto, folder / f"{name}.onnx")
    run([supremum, "emit-c", f"{name}.onnx", "-o", "."], folder)
    run([compiler, *WARNINGS, "-O2", "-shared", "-fPIC", f"{name}.c", "-o", "program.so"], folder)
    facts = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    function = getattr(ctypes.CDLL(str(folder / "program.so")), name)
    function.restype = None
    wrong = undeclared_deviations(name, folder)
    for seed in range(2):
        arrays = [Guarded(parameter["bytes"]) for parameter in facts["parameters"]]
        options: list[object] = []
        for parameter, array in zip(facts["parameters"], arrays):
            if parameter["direction"] == "in":
                given = elements(np.dtype(parameter["type"]), parameter["shape"], seed)
                array.content[:] = given.reshape(-1).view(np.uint8)
                np.save(folder / f"{parameter['name']}.npy", given)
                options += ["--input", f"{parameter['name']}.npy"]
        workspace = Guarded(facts["memory"]["workspace_bytes"])
        used = [*arrays, *([workspace] if workspace.size else [])]
        inputs = [array.content.copy() for array in arrays]
        function(*[array.pointer for array in used])
        run([supremum, "run", f"{name}.onnx", *options, "--output-dir", "expected", "--json", "run.json"], folder)
        outputs = json.loads((folder / "run.json").read_text(encoding="utf-8"))["outputs"]
        out = [(p, a) for p, a in zip(facts["parameters"], arrays) if p["direction"] == "out"]
        for (parameter, array), expected in zip(out, outputs, strict=True):
            content = np.load(folder / expected["file"])
            if list(content.shape) != parameter["shape"] or content.tobytes() != array.content.tobytes():
                wrong.append(f"{name}: output '{parameter['value']}' has other bytes")
        wrong += [f"{name}: writes outside of {p['name']}" for p, a in zip([*facts["parameters"], {"name": "workspace"}], used) if not a.is_intact()]
        wrong += [f"{name}: changes the input {p['name']}" for p, a, before in zip(facts["parameters"], arrays, inputs)
                  if p["direction"] == "in" and before.tobytes() != a.content.tobytes()]  # fmt: skip
    return wrong


def eva(name: str, facts: dict[str, Any], folder: Path) -> str:
    """The summary of Frama-C's Eva for the program on inputs of which nothing is known."""
    text = f'#include "__fc_builtin.h"\n#include "{name}.h"\n\nint main(void) {{\n'
    arguments = []
    for k, parameter in enumerate(facts["parameters"]):
        text += f"  static {parameter['c_type']} array_{k}[{max(parameter['elements'], 1)}];\n"
        arguments.append(f"array_{k}")
    if facts["memory"]["workspace_bytes"]:
        text += f"  static {name}_workspace workspace;\n"
        arguments.append("&workspace")
    for k, parameter in enumerate(facts["parameters"]):
        if parameter["direction"] == "in" and parameter["elements"]:
            text += f"  Frama_C_make_unknown((char *)array_{k}, sizeof array_{k});\n"
    (folder / "eva_main.c").write_text(text + f"  {name}({', '.join(arguments)});\n  return 0;\n}}\n", encoding="ascii")
    printed = run(["frama-c", "-eva", "-eva-precision", "2", "-warn-special-float", "none", "-machdep", "gcc_x86_32", "-cpp-extra-args=-I.",
                   "eva_main.c", f"{name}.c"], folder)  # fmt: skip
    return printed[printed.rindex("ANALYSIS SUMMARY") :]


def check_by_eva(supremum: str, name: str, proto: Any, folder: Path) -> list[str]:
    """What is wrong with the emitted program of a model, or with Eva, which must see a loop that goes too far."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    onnx.save(proto, folder / f"{name}.onnx")
    run([supremum, "emit-c", f"{name}.onnx", "-o", "."], folder)
    facts = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    summary = eva(name, facts, folder)
    wrong = [] if "0 alarms generated" in summary and "No errors or warnings" in summary else [f"{name}: {summary}"]
    source = folder / f"{name}.c"
    text = source.read_text(encoding="ascii")
    too_far = re.sub(r"( [ij][0-9] <) ([0-9]+)U;", lambda match: f"{match[1]} {int(match[2]) + 1}U;", text)
    if too_far != text:
        source.write_text(too_far, encoding="ascii")
        if "0 alarms generated" in eva(name, facts, folder):
            wrong.append(f"{name}: Eva does not see loops that go too far")
    return wrong


def check_example(supremum: str, compiler: str, folder: Path) -> list[str]:
    """Compiles and runs the example of docs/c99.md."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    onnx.save(model([node("Max", ["a", "b"], "y")], [value("a", FLOAT, [2, 3]), value("b", FLOAT, [2, 3])], ["y"]), folder / "fuse.onnx")
    run([supremum, "emit-c", "fuse.onnx", "-o", "."], folder)
    run([compiler, *WARNINGS, "-I.", ROOT / "examples/c99/in_generated_code.c", "fuse.c", "-o", "example"], folder)
    expected = "".join(f"{number} {number}\n" for number in (0, -1, 4, 0, 5, -2))
    return [] if run(["./example"], folder) == expected else ["examples/c99/in_generated_code.c prints something else"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--supremum", required=True)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--folder", type=Path, default=Path("build/emitted-models"))
    parser.add_argument("--eva", action="store_true", help="exclude run-time errors by Frama-C")
    options = parser.parse_args()
    tool = "frama-c" if options.eva else options.compiler
    if not shutil.which(tool):
        print(f"emitted_models: {tool} is not installed: nothing was run")
        return 77
    supremum = str(Path(options.supremum).resolve())
    wrong, count = [], 0
    for name, proto in models() if options.eva else ():
        wrong += check_by_eva(supremum, name, proto, options.folder.resolve() / name)
        count += 1
    if options.eva:
        print("\n".join(wrong) or f"Eva excludes run-time errors of {count} emitted programs, for all elements: 0 alarms")
        return 1 if wrong else 0
    for name, proto in models():
        wrong += check(supremum, options.compiler, name, proto, options.folder.resolve() / name)
        count += 1
    wrong += check_example(supremum, options.compiler, options.folder.resolve() / "example")
    print("\n".join(wrong) or f"{count} emitted models are right in every byte, and the example runs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
