"""Groups of cases, what the second oracle says of them, and the form of the files that write_cases.py writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any

import oracle
from oracle import NUMBERS, Shape
from values import text

# Of cases that are not about opsets: the first with every type of Max, and every type of ReduceMax but bool. ONNX has no ReduceMax of
# int16 and uint16 at all: those cases are for libraries.
OPSET = 13
ALL = {"axes": [0]}  # of a vector
# TYP-3, and opsets between two versions (MAX-5).
_WIDE_FLOATS = ("float16", "float32", "float64")
_NO_BFLOAT16 = tuple(t for t in NUMBERS if t != "bfloat16")
MAX_TYPES_BY_OPSET = {
    **{opset: _WIDE_FLOATS for opset in (1, 5, 6, 7, 8, 9, 11)},
    12: _NO_BFLOAT16,
    **{opset: NUMBERS for opset in (13, 17, 21)},
}
# TYP-4
_FIRST = (*_WIDE_FLOATS, "int32", "int64", "uint32", "uint64")
_BYTES = (*_FIRST, "int8", "uint8")
REDUCE_TYPES_BY_OPSET = {
    **{opset: _FIRST for opset in (1, 9, 11)},
    12: _BYTES,
    **{opset: ("bfloat16", *_BYTES) for opset in (13, 17, 18, 19)},
    **{opset: ("bfloat16", *_BYTES, "bool") for opset in (20, 21)},
}

# What makes the elements of a tensor for a type, and the shapes and elements of all inputs.
Values = Callable[[str], list[int]]
Inputs = Callable[[str], list[tuple[Shape, list[int]]]]


@dataclass
class Group:
    """Cases that show the same rules. Each is a dict as its file has it."""

    name: str
    rules: list[str]
    reason: str
    cases: list[dict[str, Any]] = field(default_factory=list)
    list_name: str = ""  # the further list that the group is part of

    def add(self, case: dict[str, Any]) -> None:
        if any(other["name"] == case["name"] for other in self.cases):
            # The same class for types of another kind: one case, more types.
            (case_before,) = (other for other in self.cases if other["name"] == case["name"])
            if {**case_before, "bits": None} != {**case, "bits": None} or set(case_before["bits"]) & set(case["bits"]):
                raise ValueError(f"{self.name}/{case['name']} stands there twice")
            case_before["bits"].update(case["bits"])
        else:
            self.cases.append(case)

    def max(self, name: str, inputs: Inputs, types: tuple[str, ...], opset: int = OPSET) -> None:
        """A case of Max; `inputs` makes shapes and elements for a type."""
        bits: dict[str, Any] = {}
        shapes: list[Shape] = []
        output_shape: Shape = ()
        for dtype in types:
            operands = inputs(dtype)
            shapes = [shape for shape, _ in operands]
            if any(prod(shape) != len(values) for shape, values in operands):
                raise ValueError(f"{self.name}/{name}: a shape of another number of elements")
            output_shape, output = oracle.max_of(dtype, operands)
            bits[dtype] = {"inputs": [text(dtype, values) for _, values in operands], "output": text(dtype, output)}
        self.add({"name": name, "operator": "Max", "opset": opset, "shapes": shapes, "output_shape": output_shape, "bits": bits})

    def reduce(self, name: str, shape: Shape, values: Values, types: tuple[str, ...], opset: int = OPSET, **attributes: Any) -> None:
        """A case of ReduceMax; the attributes are those that the model writes: axes, keepdims, noop_with_empty_axes."""
        bits: dict[str, Any] = {}
        output_shape: Shape = ()
        keepdims, noop = attributes.get("keepdims", 1) == 1, attributes.get("noop_with_empty_axes", 0) == 1
        for dtype in types:
            elements = values(dtype)
            if prod(shape) != len(elements):
                raise ValueError(f"{self.name}/{name}: a shape of another number of elements")
            output_shape, output = oracle.reduce_max(dtype, shape, elements, attributes.get("axes"), keepdims, noop)
            bits[dtype] = {"inputs": [text(dtype, elements)], "output": text(dtype, output)}
        case = {
            "name": name,
            "operator": "ReduceMax",
            "opset": opset,
            "attributes": attributes,
            "shapes": [shape],
            "output_shape": output_shape,
        }
        if not attributes:
            del case["attributes"]
        self.add({**case, "bits": bits})


def file_text(group: Group) -> str:
    """The file of a group: a line for what its cases share, a line for each case and one for each of its types."""

    def dump(value: Any) -> str:
        return json.dumps(value, ensure_ascii=True)

    blocks = []
    for case in group.cases:
        head = ", ".join(f"{dump(k)}: {dump(v)}" for k, v in case.items() if k != "bits")
        lines = [f"  {dump(dtype)}: {dump(of)}" for dtype, of in sorted(case.get("bits", {}).items())]
        blocks.append(f" {{{head}" + (', "bits": {\n' + ",\n".join(lines) + "}}" if lines else "}"))
    listed = f', "list": {dump(group.list_name)}' if group.list_name else ""
    return (
        f'{{"group": {dump(group.name)}{listed}, "rules": {dump(group.rules)},\n "reason": {dump(group.reason)},\n "cases": [\n'
        + ",\n".join(blocks)
        + "\n]}\n"
    )


def invalid_file_text(group: Any) -> str:
    """The file of a group of invalid cases: a line for each."""
    lines = [" " + json.dumps(case, ensure_ascii=True) for case in group.cases]
    head = json.dumps({"group": group.name, "rules": group.rules, "reason": group.reason})
    return head[:-1] + ',\n "invalid": [\n' + ",\n".join(lines) + "\n]}\n"
