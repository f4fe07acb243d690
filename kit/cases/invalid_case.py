"""Models that must be refused: how one is described, each with the verdict that a checker must give."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

from values import ordinary, text

Model = dict[str, Any]


@dataclass
class InvalidGroup:
    """Invalid cases that break the same rule. The first rule is the one that the verdict names."""

    name: str
    rules: list[str]
    reason: str
    fails: str
    code: str
    cases: list[Model] = field(default_factory=list)

    def add(
        self, name: str, model: Model, *, fails: str = "", inputs: list[Model] | None = None, **switches: Any
    ) -> None:
        if any(case["name"] == name for case in self.cases):
            raise ValueError(f"{self.name}/{name} stands there twice")
        case: Model = {
            "name": name,
            "verdict": {"valid": False, "fails": fails or self.fails, "code": self.code, "rule": self.rules[0]},
            **switches,
        }
        if inputs is not None:
            case["inputs"] = inputs
        self.cases.append({**case, "graph" if "graph" in model else "model": model})


def stated(dtype: str, shape: Any) -> str:
    """A type and shape as models state them: float32[2,N,?]."""
    return f"{dtype}[{','.join(map(str, shape))}]"


def node(op: str, inputs: list[str], outputs: list[str], **attributes: Any) -> Model:
    return {"op": op, "inputs": inputs, "outputs": outputs, **({"attributes": attributes} if attributes else {})}


def max_model(opset: int, inputs: list[str], output: str, **more: Any) -> Model:
    """y = Max(x0, x1, ...)"""
    names = [f"x{i}" for i in range(len(inputs))]
    return {
        "opset": opset,
        "inputs": list(map(list, zip(names, inputs))),
        "outputs": [["y", output]],
        "nodes": [node("Max", names, ["y"])],
        **more,
    }


def max_of(opset: int, shapes: Any, output: Any = None, dtype: str = "float32") -> Model:
    """max_model of shapes; of the output no shape is stated if it is not given."""
    return max_model(opset, [stated(dtype, shape) for shape in shapes], dtype if output is None else stated(dtype, output))


def axes_list(axes: list[int], name: str = "axes", dtype: str = "int64", shape: Any = None) -> Model:
    mask = (1 << 64) - 1 if dtype == "int64" else (1 << 32) - 1
    return {
        "name": name,
        "type": dtype,
        "shape": [len(axes)] if shape is None else shape,
        "bits": text(dtype, [a & mask for a in axes]),
    }


def reduce_model(opset: int, source: str, output: str, axes: list[int] | None = None, **attributes: Any) -> Model:
    """y = ReduceMax(x0); the axes are an attribute or an input, as the opset requires."""
    model = {"opset": opset, "inputs": [["x0", source]], "outputs": [["y", output]]}
    if axes is not None and opset >= 18:
        return {**model, "initializers": [axes_list(axes)], "nodes": [node("ReduceMax", ["x0", "axes"], ["y"], **attributes)]}
    return {**model, "nodes": [node("ReduceMax", ["x0"], ["y"], **({} if axes is None else {"axes": axes}), **attributes)]}


def tensor(dtype: str, shape: list[int]) -> Model:
    return {"type": dtype, "shape": shape, "bits": text(dtype, ordinary(dtype, prod(shape), "given"))}
