#!/usr/bin/env python3
"""Writes a small kit, for the tests of runners: a few cases of each kind, with expected outputs written by hand.

    tests/kit/make_kit.py DIR
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any, Optional

import onnx
from onnx import TensorProto, helper

TYPES = {
    "bfloat16": TensorProto.BFLOAT16,
    "float16": TensorProto.FLOAT16,
    "float32": TensorProto.FLOAT,
    "float64": TensorProto.DOUBLE,
    "int8": TensorProto.INT8,
    "int64": TensorProto.INT64,
    "uint8": TensorProto.UINT8,
    "uint16": TensorProto.UINT16,
    "bool": TensorProto.BOOL,
}
ONEDNN_TYPES = {"bfloat16": "bf16", "float16": "f16", "float32": "f32"}

Tensor = tuple[list[int], str]  # shape; elements as hex numbers, separated by blanks

# name, operator, opset, type, attributes, inputs, output, rules
CASES: list[tuple[str, str, int, str, dict[str, Any], list[Tensor], Tensor, list[str]]] = [
    ("row", "Max", 13, "float32", {}, [([2, 2], "3f800000 c0000000 40400000 00000001"), ([2], "40000000 ff800000")],
     ([2, 2], "40000000 c0000000 40400000 00000001"), ["BRO-5"]),
    ("nan", "Max", 13, "float32", {}, [([2], "7fc00000 3f800000"), ([2], "3f800000 ffc00001")],
     ([2], "7fc00000 7fc00000"), ["ORD-3"]),
    ("zeros", "Max", 8, "float64", {}, [([2], "8000000000000000 0000000000000000"), ([2], "0000000000000000 8000000000000000")],
     ([2], "0000000000000000 0000000000000000"), ["ORD-2"]),
    ("scalars", "Max", 13, "int8", {}, [([], "80"), ([], "ff"), ([], "fe")], ([], "ff"), ["BRO-4"]),
    ("nothing", "Max", 13, "int64", {}, [([0, 3], ""), ([1, 3], "0000000000000001 ffffffffffffffff 0000000000000000")],
     ([0, 3], ""), ["BRO-3"]),
    ("three", "Max", 13, "bfloat16", {}, [([2], "3f80 c000"), ([2], "bf80 4000"), ([1], "0001")], ([2], "3f80 4000"), ["MAX-2"]),
    ("copy", "Max", 13, "float16", {}, [([3], "fc00 7d01 8000")], ([3], "fc00 7e00 8000"), ["MAX-6"]),
    ("old", "Max", 6, "float32", {}, [([1], "3f800000"), ([1], "40000000")], ([1], "40000000"), ["MAX-3"]),
    ("columns", "ReduceMax", 13, "float32", {"axes": [-2], "keepdims": 0},
     [([3, 2], "3f800000 bf800000 40000000 c0000000 00000000 80000000")], ([2], "40000000 80000000"), ["RED-1"]),
    ("kept", "ReduceMax", 18, "uint8", {"axes": [1]}, [([2, 3], "00 fe 01 ff 00 80")], ([2, 1], "fe ff"), ["RED-3"]),
    ("all", "ReduceMax", 11, "float64", {"keepdims": 0}, [([2, 1], "3ff0000000000000 4000000000000000")],
     ([], "4000000000000000"), ["RED-5"]),
    ("identity", "ReduceMax", 18, "float32", {"noop_with_empty_axes": 1}, [([2], "ffc00000 80000000")],
     ([2], "7fc00000 80000000"), ["RED-5"]),
    ("empty", "ReduceMax", 13, "float32", {"axes": [0], "keepdims": 1}, [([0, 2], "")], ([1, 2], "ff800000 ff800000"), ["RED-6"]),
    ("true", "ReduceMax", 20, "bool", {"axes": [0], "keepdims": 0}, [([2, 2], "00 01 00 00")], ([2], "00 01"), ["TYP-4"]),
    # ONNX does not have the type.
    ("short", "ReduceMax", 20, "uint16", {"axes": [0], "keepdims": 0}, [([2, 2], "0001 fffe 8000 ffff")],
     ([2], "8000 ffff"), ["TYP-1"]),
]
NOT_ONNX = {"short"}


def hex_of(tensor: Tensor) -> str:
    return tensor[1].replace(" ", "")


def little_endian(tensor: Tensor) -> bytes:
    return b"".join(bytes.fromhex(number)[::-1] for number in tensor[1].split())


def value_info(name: str, dtype: str, shape: list[int]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TYPES[dtype], shape)


def model_of(
    operator: str, opset: int, dtype: str, attributes: dict[str, Any], shapes: list[list[int]], output: list[int]
) -> onnx.ModelProto:
    names = [f"x{m}" for m in range(len(shapes))]
    inputs = [value_info(name, dtype, shape) for name, shape in zip(names, shapes)]
    attributes, initializers = dict(attributes), []
    if opset >= 18 and "axes" in attributes:
        axes = attributes.pop("axes")
        initializers.append(helper.make_tensor("axes", TensorProto.INT64, [len(axes)], axes))
        names.append("axes")
    node = helper.make_node(operator, names, ["y"], **attributes)
    graph = helper.make_graph([node], "case", inputs, [value_info("y", dtype, output)], initializers)
    return helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", opset)])


def write_onnx(folder: Path, case: tuple[Any, ...]) -> None:
    _, operator, opset, dtype, attributes, inputs, output, _ = case
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    model = model_of(operator, opset, dtype, attributes, [shape for shape, _ in inputs], output[0])
    # Its type is not stated: a runner that writes what it infers into the file is noticed.
    model.graph.node.add().CopyFrom(helper.make_node("Identity", ["x0"], ["unused"]))
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    tensors = {f"input_{m}.pb": (f"x{m}", tensor) for m, tensor in enumerate(inputs)} | {"output_0.pb": ("y", output)}
    for file, (name, tensor) in tensors.items():
        proto = helper.make_tensor(name, TYPES[dtype], tensor[0], little_endian(tensor), raw=True)
        (data / file).write_bytes(proto.SerializeToString())


def graph_of(dtype: str, attributes: dict[str, Any], source: list[int], output: list[int]) -> dict[str, Any]:
    """ReduceMax as a graph of oneDNN."""
    typed = {key: {"type": "s64[]" if isinstance(value, list) else "bool", "value": value} for key, value in attributes.items()}
    node = {
        "id": 0,
        "name": "case",
        "kind": "ReduceMax",
        "attrs": typed,
        "inputs": [{"id": 0, "dtype": ONEDNN_TYPES[dtype], "shape": source}],
        "outputs": [{"id": 1, "dtype": ONEDNN_TYPES[dtype], "shape": output}],
    }
    return {"version": "3.5.0", "engine_kind": "cpu", "fpmath_mode": "strict", "graph": [node]}


def write_json(file: Path, content: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def write_case(folder: Path, case: tuple[Any, ...]) -> dict[str, Any]:
    """Its models, and its entry of cases.json."""
    name, operator, opset, dtype, attributes, inputs, output, rules = case
    onnx_path: Optional[str] = None if name in NOT_ONNX else f"onnx/small/{name}/{dtype}"
    onednn_path: Optional[str] = None
    if onnx_path:
        write_onnx(folder / onnx_path, case)
    if operator == "ReduceMax" and dtype in ONEDNN_TYPES and "axes" in attributes:
        onednn_path = f"onednn/small/{name}/{dtype}.json"
        own = {"axes": attributes["axes"], "keep_dims": attributes.get("keepdims", 1)}
        write_json(folder / onednn_path, graph_of(dtype, own, inputs[0][0], output[0]))
    return {
        "id": f"small/{name}/{dtype}",
        "group": "small",
        "name": name,
        "type": dtype,
        "rules": rules,
        "reason": "A test of runners.",
        "operator": operator,
        "opset": opset,
        "attributes": attributes,
        "inputs": [{"shape": tensor[0], "bits": hex_of(tensor)} for tensor in inputs],
        "output": {"shape": output[0], "bits": hex_of(output)},
        "onnx": onnx_path,
        "onednn": onednn_path,
    }


def write_invalid(folder: Path) -> list[dict[str, Any]]:
    """Models that must be refused, and their entries of invalid.json."""
    entries: list[dict[str, Any]] = []

    def add(name: str, content: Any, fails: str, code: str, rule: str, no_broadcast: bool = False) -> Path:
        model = Path("invalid") / "small" / name / ("graph.json" if isinstance(content, dict) else "model.onnx")
        if isinstance(content, dict):
            write_json(folder / model, content)
        else:
            (folder / model).parent.mkdir(parents=True)
            (folder / model).write_bytes(content if isinstance(content, bytes) else content.SerializeToString())
        verdict = {"valid": False, "fails": fails, "code": code, "rule": rule}
        reason = "A test of runners."
        entry = {"id": f"small/{name}", "rules": [rule], "reason": reason, "model": str(model), "inputs": []}
        entries.append({**entry, "no_broadcast": no_broadcast, "verdict": verdict})
        return (folder / model).parent

    add("no_model", b"\x0a\xff", "load", "malformed_file", "E1")
    add("shapes", model_of("Max", 13, "float32", {}, [[2], [3]], [3]), "infer", "not_broadcastable", "E1")
    add("axis", model_of("ReduceMax", 13, "float32", {"axes": [2]}, [[2, 3]], [2, 3]), "infer", "axis", "RED-2")
    defaulted = model_of("ReduceMax", 13, "float32", {"axes": [1]}, [[2, 3]], [2, 1])
    add("defaulted", defaulted, "profile", "defaulted_attribute", "PRO-4")
    add("broadcasts", model_of("Max", 13, "float32", {}, [[2, 3], [3]], [2, 3]), "profile", "broadcast_refused", "PRO-6", True)
    add("no_axes", graph_of("float32", {"keep_dims": 1}, [2, 3], [1, 1]), "infer", "axes_given", "RED-4")

    # Right, until it is given shapes that do not meet.
    model = model_of("Max", 13, "float32", {}, [[2], [2]], [2])
    for value, symbol in zip(list(model.graph.input) + list(model.graph.output), "nmk"):
        value.type.tensor_type.shape.dim[0].dim_param = symbol
    place = add("given", model, "run", "not_broadcastable", "E1")
    for m, tensor in enumerate([([2], "3f800000 40000000"), ([3], "3f800000 40000000 40400000")]):
        proto = helper.make_tensor(f"x{m}", TensorProto.FLOAT, tensor[0], little_endian(tensor), raw=True)
        (place / f"input_{m}.pb").write_bytes(proto.SerializeToString())
        entries[-1]["inputs"].append(str((place / f"input_{m}.pb").relative_to(folder)))
    return entries


def main() -> int:
    if len(sys.argv) != 2:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    for part in ("onnx", "onednn", "invalid"):
        if (folder / part).exists():
            shutil.rmtree(folder / part)
    write_json(folder / "cases.json", {"version": "test", "cases": [write_case(folder, case) for case in CASES]})
    write_json(folder / "invalid.json", {"cases": write_invalid(folder)})
    return 0


if __name__ == "__main__":
    sys.exit(main())
