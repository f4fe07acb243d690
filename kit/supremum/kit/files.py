"""Writes the conformance cases as files that runtimes read (kit/README.md): lists, ONNX models, tensors, and oneDNN graphs.

Equal cases give equal bytes. Python's standard library alone.
"""

from __future__ import annotations

import fnmatch
import json
import math
import struct
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Optional

from . import (
    _AXES_INPUT,
    _IR_VERSIONS,
    _ONNX_TYPES,
    Unsupported,
    __version__,
    _case_groups,
    _expanded,
    _swapped,
    _width_of,
    _without_runs,
)

Entry = dict[str, Any]

_OTHER_ONNX_TYPES = {"string": 8, "complex64": 14, "complex128": 15, "float8e4m3fn": 17, "float8e4m3fnuz": 18, "float8e5m2": 19}
_OTHER_ONNX_TYPES |= {"float8e5m2fnuz": 20, "uint4": 21, "int4": 22, "float4e2m1": 23}
_ONEDNN_TYPES = {"float32": "f32", "float16": "f16", "bfloat16": "bf16"}


class Lists:
    """The cases of a set, as the entries of cases.json and invalid.json, in the order of their groups."""

    def __init__(self, groups: Iterable[Entry]) -> None:
        self.valid: list[Entry] = []
        self.invalid: list[Entry] = []
        self.sources: dict[str, Entry] = {}  # the case in its file, by the id in a list
        for group in groups:
            for entry, source in _expanded(group):
                self.sources[entry["id"]] = source
                on_onnx, on_onednn = _has_model(entry), _has_graph(entry)
                entry["onnx"] = f"onnx/{entry['id']}" if on_onnx else None
                entry["onednn"] = f"onednn/{entry['id']}.json" if on_onednn else None
                self.valid.append(entry)
            for source in group.get("invalid", []):
                entry = _invalid_entry(group, source)
                self.sources[entry["id"]] = source
                self.invalid.append(entry)

    def chosen(self, wanted: Callable[[str], bool]) -> Lists:
        """Those whose ids are wanted."""
        some = Lists([])
        some.sources = self.sources
        some.valid = [entry for entry in self.valid if wanted(entry["id"])]
        some.invalid = [entry for entry in self.invalid if wanted(entry["id"])]
        return some

    def texts(self) -> Iterator[tuple[str, bytes]]:
        """The two lists: path and content."""
        for name, entries in (("cases.json", self.valid), ("invalid.json", self.invalid)):
            lines = ",\n".join(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries)
            yield name, f'{{"version": "{__version__}", "cases": [\n{lines}\n]}}\n'.encode()

    def models(self) -> Iterator[tuple[str, bytes]]:
        """The files that the lists name: path and content."""
        for entry in self.valid:
            if entry["onnx"]:
                yield f"{entry['onnx']}/model.onnx", model(entry)
                folder = f"{entry['onnx']}/test_data_set_0"
                for i, operand in enumerate(entry["inputs"]):
                    yield f"{folder}/input_{i}.pb", _tensor(f"x{i}", entry["type"], operand["shape"], operand["bits"])
                yield f"{folder}/output_0.pb", _tensor("y", entry["type"], entry["output"]["shape"], entry["output"]["bits"])
            if entry["onednn"]:
                leaves_out = "onednn_leaves_out" in self.sources[entry["id"]]
                yield entry["onednn"], _pretty(_graph(entry, states_keep_dims=not leaves_out))
        for entry in self.invalid:
            source = self.sources[entry["id"]]
            yield entry["model"], self.invalid_model(entry)
            for i, (path, operand) in enumerate(zip(entry["inputs"], source.get("inputs", []))):
                name = source["model"]["inputs"][i][0]
                yield path, _tensor(name, operand["type"], operand["shape"], _without_runs(operand["bits"]))

    def invalid_model(self, entry: Entry) -> bytes:
        """The model or graph that must be refused."""
        source = self.sources[entry["id"]]
        return _any_model(source["model"]) if "model" in source else _pretty(source["graph"])


def lists() -> Lists:
    """The kit's own cases."""
    return Lists(_case_groups("cases"))


def write(folder: Path, cases: Lists, with_models: bool = True, progress: Callable[[str], None] = lambda text: None) -> None:
    """Writes the lists, and the files that they name, into a folder. Raises OSError; FileExistsError for a file that is there."""
    made: set[Path] = set()
    total = len(cases.valid) + len(cases.invalid)

    def put(name: str, content: bytes) -> None:
        path = folder / name
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
        with open(path, "xb") as file:
            file.write(content)

    for name, content in cases.texts():
        put(name, content)
    for name, content in cases.models() if with_models else ():
        put(name, content)
        if name.endswith(("model.onnx", "graph.json")):
            progress(f"writing the cases: {len(made)} folders, {total} cases")


def write_further(folder: Path) -> None:
    """Writes the further cases: the files of their groups, and the files of those that are models and graphs."""
    groups = _case_groups("further", texts=True)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in groups:
        (folder / name).write_text(text, encoding="utf-8")
    read = [json.loads(text) for _, text in groups]
    write(folder, Lists(group for group in read if "list" not in group))


def matches(wanted: str, case_id: str) -> bool:
    """True if `wanted` is the id, or a pattern that matches it."""
    return wanted == case_id or fnmatch.fnmatchcase(case_id, wanted)


def _invalid_entry(group: Entry, source: Entry) -> Entry:
    case_id = f"{group['group']}/{source['name']}"
    folder = f"invalid/{case_id}"
    return {
        "id": case_id,
        "group": group["group"],
        "rules": group["rules"],
        "reason": group["reason"],
        "model": f"{folder}/{'model.onnx' if 'model' in source else 'graph.json'}",
        "inputs": [f"{folder}/input_{i}.pb" for i in range(len(source.get("inputs", [])))],
        "no_broadcast": source.get("no_broadcast", False),
        "verdict": source["verdict"],
    }


def _has_model(entry: Entry) -> bool:
    """True if the opset's version of the operator has the type (TYP-3, TYP-4)."""
    dtype, opset = entry["type"], entry["opset"]
    if dtype in ("float16", "float32", "float64"):
        return True
    if dtype == "bfloat16":
        return bool(opset >= 13)
    if entry["operator"] == "Max":
        return bool(dtype != "bool" and opset >= 12)
    first = {"int32": 1, "int64": 1, "uint32": 1, "uint64": 1, "int8": 12, "uint8": 12, "bool": 20}
    return bool(opset >= first.get(dtype, math.inf))


def _has_graph(entry: Entry) -> bool:
    """True if oneDNN graph has the node (TYP-5)."""
    return entry["type"] in _ONEDNN_TYPES and (entry["operator"] == "ReduceMax" or len(entry["inputs"]) == 2)


def _pretty(graph: Entry) -> bytes:
    return (json.dumps(graph, ensure_ascii=False, indent=1) + "\n").encode()


def _graph(entry: Entry, states_keep_dims: bool) -> Entry:
    """The case in oneDNN's JSON."""
    stated = entry["attributes"]
    attributes: Entry = {"auto_broadcast": {"type": "string", "value": "numpy"}}
    if entry["operator"] == "ReduceMax":
        noop = stated.get("noop_with_empty_axes", 0)
        axes = stated.get("axes") or ([] if noop else list(range(len(entry["inputs"][0]["shape"]))))
        attributes = {"axes": {"type": "s64[]", "value": axes}}
        if states_keep_dims:
            attributes["keep_dims"] = {"type": "bool", "value": stated.get("keepdims", 1)}

    def tensor(number: int, shape: list[int]) -> Entry:
        strides = [math.prod(max(extent, 1) for extent in shape[d + 1 :]) for d in range(len(shape))]
        return {
            "id": number,
            "dtype": _ONEDNN_TYPES[entry["type"]],
            "shape": shape,
            "stride": strides,
            "layout_type": "strided",
            "property_type": "undef",
        }

    count = len(entry["inputs"])
    node = {
        "id": 0,
        "name": entry["name"],
        "kind": "Maximum" if entry["operator"] == "Max" else "ReduceMax",
        "attrs": attributes,
        "inputs": [tensor(i, operand["shape"]) for i, operand in enumerate(entry["inputs"])],
        "outputs": [tensor(count, entry["output"]["shape"])],
    }
    ports = {"input_ports": list(range(count)), "output_ports": [count]}
    return {"version": "3.5.0", "engine_kind": "cpu", "fpmath_mode": "strict", **ports, "graph": [node]}


# Messages of onnx.proto, with the fields in the order of their numbers.


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    text = bytearray()
    while number > 127:
        text.append(number & 127 | 128)
        number >>= 7
    text.append(number)
    return bytes(text)


def _int(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _ints(field: int, numbers: Iterable[int]) -> bytes:
    return b"".join(_int(field, number) for number in numbers)


def _bytes(field: int, content: Any) -> bytes:
    """A text, or a message."""
    content = content.encode() if isinstance(content, str) else content
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _little_endian(dtype: str, bits: str) -> bytes:
    return _swapped(bytes.fromhex(bits), _width_of(dtype))


def _onnx_type(dtype: str) -> int:
    return _ONNX_TYPES.get(dtype) or _OTHER_ONNX_TYPES[dtype]


def _tensor_proto(name: Optional[str], dtype: str, dims: list[int], raw_data: bytes) -> bytes:
    text = b"" if name is None else _bytes(8, name)
    return _ints(1, dims) + _int(2, _onnx_type(dtype)) + text + _bytes(9, raw_data)


def _tensor(name: str, dtype: str, shape: list[int], bits: str) -> bytes:
    return _tensor_proto(name, dtype, shape, _little_endian(dtype, bits))


def _stored(stated: Entry) -> tuple[bool, bytes]:
    """A tensor in a model: whether it is sparse, and its message."""
    name, dtype, dims = stated.get("name", ""), stated["type"], stated["shape"]
    raw = _little_endian(dtype, _without_runs(stated["bits"]))
    if "indices" not in stated:
        return False, _tensor_proto(name, dtype, dims, raw)
    indices = stated["indices"]
    packed = b"".join(_varint(index) for index in indices)
    of_indices = _int(1, len(indices)) + _int(2, 7) + (_bytes(7, packed) if indices else b"")
    return True, _bytes(1, _tensor_proto(name, dtype, [len(indices)], raw)) + _bytes(2, of_indices) + _ints(3, dims)


def _value(stated: list[str]) -> bytes:
    """["x0", "float32[2,N,?]"]; "float32" states no shape, "?[2]" no type, "" neither."""
    name, text = stated
    if not text:
        return _bytes(1, name)
    sparse = text.startswith("sparse ")
    dtype, bracket, dims = text.removeprefix("sparse ").partition("[")
    tensor = _int(1, 0 if dtype == "?" else _onnx_type(dtype))
    if bracket:
        extents = [extent for extent in dims.removesuffix("]").split(",") if dims != "]"]
        tensor += _bytes(2, b"".join(_bytes(1, _extent(extent)) for extent in extents))
    return _bytes(1, name) + _bytes(2, _bytes(8 if sparse else 1, tensor))


def _extent(text: str) -> bytes:
    if text == "?":
        return b""
    try:
        return _int(1, int(text))
    except ValueError:
        return _bytes(2, text)


def _attribute(name: str, value: Any) -> bytes:
    if isinstance(value, dict):
        sparse, message = _stored(value)
        return _bytes(1, name) + (_int(20, 11) + _bytes(22, message) if sparse else _bytes(5, message) + _int(20, 4))
    if isinstance(value, list):
        return _bytes(1, name) + _ints(8, value) + _int(20, 7)
    return _bytes(1, name) + _int(3, value) + _int(20, 2)


def _any_model(stated: Entry) -> bytes:
    """A model in the form of the case files, with its faults."""
    nodes = stated.get("nodes", [])
    graph = b""
    for node in nodes:
        text = b"".join(_bytes(1, name) for name in node["inputs"]) + b"".join(_bytes(2, name) for name in node["outputs"])
        text += _bytes(3, node["op"]) + _bytes(4, node["op"])
        text += b"".join(_bytes(5, _attribute(name, value)) for name, value in node.get("attributes", {}).items())
        graph += _bytes(1, text)
    graph += _bytes(2, nodes[-1]["op"] if nodes else "empty")
    stored = [_stored(one) for one in [*stated.get("initializers", []), *stated.get("sparse_initializers", [])]]
    graph += b"".join(_bytes(5, message) for sparse, message in stored if not sparse)
    for field, key in ((11, "inputs"), (12, "outputs"), (13, "values")):
        graph += b"".join(_bytes(field, _value(value)) for value in stated.get(key, []))
    graph += b"".join(_bytes(15, message) for sparse, message in stored if sparse)
    opset = stated["opset"]
    head = _int(1, next(version for least, version in _IR_VERSIONS if opset >= least))
    head += _bytes(2, "supremum") + _bytes(3, __version__)
    return head + _bytes(7, graph) + _bytes(8, _bytes(1, "") + _int(2, opset))


def model(entry: Entry) -> bytes:
    """The ONNX model of a case: inputs x0, x1, ..., output y. Raises Unsupported if ONNX has no such node."""
    if not _has_model(entry):
        raise Unsupported(f"ONNX has no {entry['operator']} of {entry['type']} in opset {entry['opset']}")

    def stated(name: str, operand: Entry) -> list[str]:
        return [name, f"{entry['type']}[{','.join(map(str, operand['shape']))}]"]

    inputs = [stated(f"x{i}", operand) for i, operand in enumerate(entry["inputs"])]
    names, attributes, initializers = [name for name, _ in inputs], dict(entry["attributes"]), []
    if "axes" in attributes and entry["opset"] >= _AXES_INPUT:
        axes = attributes.pop("axes")
        bits = struct.pack(f">{len(axes)}q", *axes).hex()
        initializers = [{"name": "axes", "type": "int64", "shape": [len(axes)], "bits": bits}]
        names.append("axes")
    node = {"op": entry["operator"], "inputs": names, "outputs": ["y"], "attributes": attributes}
    outputs = [stated("y", entry["output"])]
    return _any_model({"opset": entry["opset"], "inputs": inputs, "outputs": outputs, "initializers": initializers, "nodes": [node]})
