#!/usr/bin/env python3
"""Writes the initial corpus of each fuzz target: small files of the kinds that the tests use, the same in each run.

    verification/fuzz/fuzz_corpus.py FOLDER    a folder for each target in it; existing ones are replaced

Needs python3-onnx and NumPy.
"""

from __future__ import annotations

import io
import json
import random
import shutil
import struct
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

ROOT = Path(__file__).resolve().parents[2]
FLOAT, INT64, BOOL, BF16 = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.BFLOAT16


def value(name: str, shape: list[int | str] | None = None, dtype: int = FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, dtype, shape)


def raw(name: str, dtype: int, dims: list[int], content: bytes) -> TensorProto:
    tensor = TensorProto(name=name, data_type=dtype, raw_data=content)
    tensor.dims.extend(dims)
    return tensor


def axes(*numbers: int) -> TensorProto:
    return raw("axes", INT64, [len(numbers)], struct.pack(f"<{len(numbers)}q", *numbers))


def external(location: str, **keys: str) -> TensorProto:
    tensor = TensorProto(name="w", data_type=FLOAT, data_location=TensorProto.EXTERNAL)
    tensor.dims.extend([2])
    for key, text in {"location": location, **keys}.items():
        tensor.external_data.add(key=key, value=text)
    return tensor


def sparse() -> onnx.SparseTensorProto:
    return helper.make_sparse_tensor(raw("s", FLOAT, [1], bytes(4)), axes(0), [2, 3])


def model(nodes, inputs, outputs, initializers=(), opset: int = 13, **more) -> bytes:
    graph = helper.make_graph(nodes, "graph", inputs, outputs, initializers, value_info=more.pop("value_info", []))
    graph.sparse_initializer.extend(more.pop("sparse_initializers", []))
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], **more)
    made.ir_version = 8
    return made.SerializeToString()


def models() -> dict[str, bytes]:
    node = helper.make_node
    a, b, y = value("a", [2, 3]), value("b", [3]), value("y", [2, 3])
    inner = helper.make_graph([node("Max", ["a", "b"], ["z"])], "inner", [], [value("z")])
    function = helper.make_function("d", "F", ["p"], ["q"], [node("Max", ["p"], ["q"])], [helper.make_opsetid("", 13)])
    return {
        "max": model([node("Max", ["a", "b"], ["y"], name="fuse")], [a, b], [y]),
        "max1": model([node("Max", ["a", "a"], ["y"], consumed_inputs=[0, 0])], [a], [y], opset=1),
        "max8": model([node("Max", ["a", "b"], ["y"])], [a, b], [y], opset=8),
        "symbols": model([node("Max", ["a", "b"], ["y"])], [value("a", ["N", 3]), value("b", ["N", 1])], [value("y", ["N", None])]),
        "unstated": model([node("Max", ["a", "b"], ["y"])], [value("a"), value("b", [2])], [value("y")]),
        "constants": model(
            [node("Constant", [], ["c"], value_floats=[1.0, 2.0, 3.0]), node("Identity", ["c"], ["d"]),
             node("Max", ["a", "d", "w"], ["y"])],
            [a], [y], [raw("w", FLOAT, [1], bytes(4))], value_info=[value("d", [3])]),
        "optional": model([node("Max", ["a", "w"], ["y"])], [a, value("w", [1])], [y], [raw("w", FLOAT, [1], bytes(4))]),
        "reduce": model([node("ReduceMax", ["a"], ["y"], axes=[-1], keepdims=0)], [a], [value("y", [2])]),
        "reduce1": model([node("ReduceMax", ["a"], ["y"], axes=[1])], [a], [value("y", [2, 1])], opset=1),
        "reduce18": model([node("ReduceMax", ["a", "axes"], ["y"], noop_with_empty_axes=1)], [a], [value("y")], [axes(0, -1)], opset=18),
        "reduce20": model([node("ReduceMax", ["a", "x"], ["y"])], [value("a", [2, 3], BOOL), value("x", [1], INT64)],
                          [value("y", None, BOOL)], opset=20),
        "computed_axes": model([node("Max", ["x", "axes"], ["m"]), node("ReduceMax", ["a", "m"], ["y"])],
                               [a, value("x", [1], INT64)], [value("y")], [axes(1)], opset=18),
        "bfloat16": model([node("Max", ["a"], ["y"])], [value("a", [2], BF16)], [value("y", [2], BF16)]),
        "typed": model([node("Max", ["a", "w"], ["y"])], [a], [y], [helper.make_tensor("w", FLOAT, [1, 3], [1.0, 2.0, 3.0])]),
        "sparse": model([node("Max", ["a", "s"], ["y"])], [a], [y], sparse_initializers=[sparse()]),
        "external": model([node("Max", ["a", "w"], ["y"])], [a], [y], [external("w.bin", offset="0", length="8")]),
        "other": model([node("Relu", ["a"], ["r"]), node("Max", ["r", "b"], ["y"])], [a, b], [y]),
        "subgraph": model([node("If", ["c"], ["y"], then_branch=inner, else_branch=inner)], [a, b, value("c", [], BOOL)], [value("y")]),
        "function": model([node("F", ["a"], ["t"], domain="d"), node("Max", ["t"], ["y"])], [a], [y], functions=[function]),
        "empty": model([node("Max", ["a"], ["y"])], [value("a", [0, 3])], [value("y", [0, 3])]),
    }


def tensor_protos() -> dict[str, bytes]:
    files = {
        "raw": raw("x", FLOAT, [2, 3], bytes(range(24))),
        "typed": helper.make_tensor("x", TensorProto.INT8, [2], [-1, 1]),
        "half": helper.make_tensor("x", TensorProto.FLOAT16, [2], [1.0, 2.0]),
        "uint64": helper.make_tensor("x", TensorProto.UINT64, [1], [2**64 - 1]),
        "bool": raw("x", BOOL, [2], b"\0\1"),
        "scalar": raw("", TensorProto.DOUBLE, [], bytes(8)),
        "string": helper.make_tensor("x", TensorProto.STRING, [1], [b"text"]),
        "external": external("w.bin"),
        "sparse": sparse(),
    }
    return {name: proto.SerializeToString() for name, proto in files.items()}


def npy(array: np.ndarray, version: tuple[int, int] = (1, 0)) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version)
    return out.getvalue()


def npys() -> dict[str, bytes]:
    grid = np.arange(6, dtype=np.float32).reshape(2, 3)
    return {
        "float": npy(grid),
        "fortran": npy(np.asfortranarray(grid)),
        "big_endian": npy(grid.astype(">f8")),
        "version2": npy(grid, (2, 0)),
        "version3": npy(grid, (3, 0)),
        "scalar": npy(np.float16(1.5)),
        "empty": npy(np.zeros((0, 3), np.int64)),
        "bool": npy(np.array([True, False])),
        "bfloat16": npy(np.array([b"\x80\x3f", b"\x00\x40"], dtype="V2")),
        "rank32": npy(np.zeros((1,) * 32, np.uint8)),
        "object": npy(np.array([None], dtype=object)),
    }


def npz(entries: dict[str, bytes], method: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=method)
    return out.getvalue()


def npzs() -> dict[str, bytes]:
    one = {"a.npy": npys()["float"]}
    return {
        "stored": npz(one, zipfile.ZIP_STORED),
        "deflated": npz(one, zipfile.ZIP_DEFLATED),
        "two": npz(one | {"b.npy": npys()["big_endian"]}, zipfile.ZIP_DEFLATED),
        "none": npz({}, zipfile.ZIP_STORED),
        "other": npz({"a.txt": b"text"}, zipfile.ZIP_STORED),
        "bzip2": npz(one, zipfile.ZIP_BZIP2),
        "sparse": npz({f"{name}.npy": npys()["scalar"] for name in ("format", "shape", "data")}, zipfile.ZIP_STORED),
    }


def safetensors(header: object, content: bytes) -> bytes:
    text = json.dumps(header, separators=(",", ":")).encode()
    return struct.pack("<Q", len(text)) + text + content


def safetensors_files() -> dict[str, bytes]:
    def entry(dtype: str, shape: list[int], begin: int, end: int) -> dict[str, object]:
        return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}

    return {
        "one": safetensors({"a": entry("F32", [2, 3], 0, 24)}, bytes(24)),
        "two": safetensors({"b": entry("BF16", [2], 4, 8), "a": entry("I32", [], 0, 4)}, bytes(8)),
        "metadata": safetensors({"__metadata__": {"format": "pt"}, "a": entry("BOOL", [2], 0, 2)}, b"\0\1"),
        "unaligned": safetensors({"a": entry("BF16", [3], 0, 6), "b": entry("F32", [2], 6, 14)}, bytes(14)),
        "other_types": safetensors({"w": entry("F8_E4M3", [3], 0, 3), "a": entry("I16", [2], 3, 7), "q": entry("F4", [2, 3], 7, 10)}, bytes(10)),
        "none": safetensors({}, b""),
        "empty": safetensors({"a": entry("U8", [0], 0, 0)}, b""),
    }


def graphs() -> dict[str, bytes]:
    def tensor(number: int, shape: list[int], dtype: str = "f32", **more: object) -> dict[str, object]:
        return {"id": number, "dtype": dtype, "shape": shape} | more

    def op(number: int, kind: str, attrs: dict[str, object], inputs: list, outputs: list) -> dict[str, object]:
        return {"id": number, "name": f"n{number}", "kind": kind, "attrs": attrs, "inputs": inputs, "outputs": outputs}

    def graph(*ops: dict[str, object], **more: object) -> bytes:
        return json.dumps({"version": "3.0.0", "graph": ops} | more, separators=(",", ":")).encode()

    last = {"axes": {"type": "s64[]", "value": [-1]}, "keep_dims": {"type": "bool", "value": 1}}
    numpy_rule = {"auto_broadcast": {"type": "string", "value": "numpy"}}
    strided = tensor(2, [2, 3], stride=[1, 2], layout_type="strided")
    return {
        "reduce": graph(op(0, "ReduceMax", last, [tensor(0, [2, 3])], [tensor(1, [2, 1])])),
        "maximum": graph(op(0, "Maximum", numpy_rule, [tensor(0, [2, 3]), tensor(1, [3])], [strided])),
        "axes": graph(op(0, "ReduceMax", {}, [tensor(0, [2, 3], "bf16"), tensor(3, [1], "s32")], [tensor(1, [-1], "bf16")]),
                      input_ports=[0, 3], output_ports=[1]),
        "two": graph(op(1, "ReduceMax", last, [strided], [tensor(4, [2, 1], "f32", property_type="variable")]),
                     op(0, "Maximum", numpy_rule, [tensor(0, [2, 3]), tensor(1, [3])], [strided])),
        "example": (ROOT / "examples" / "onednn" / "best_score.json").read_bytes(),
        "dump": (ROOT / "tests" / "frontends" / "onednn" / "data" / "dump.json").read_bytes(),
    }


def random_bytes(count: int, most: int) -> dict[str, bytes]:
    rng = random.Random(17)
    return {f"random{i}": rng.randbytes(rng.randrange(most)) for i in range(count)}


CORPUS = {
    "broadcast": random_bytes(20, 200),
    "check": models(),
    "differential": random_bytes(60, 600),
    "merge": random_bytes(30, 80),
    "model": models(),
    "npy": npys(),
    "npz": npzs(),
    "onednn": graphs(),
    "safetensors": safetensors_files(),
    "tensor_proto": tensor_protos(),
}


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for target, files in CORPUS.items():
        folder = Path(sys.argv[1]) / target
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
