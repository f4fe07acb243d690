"""The further conformance cases (kit/README.md): those that need more than a model, for tests of a library in Python.

    import numpy
    from supremum import kit_further

    for case in kit_further.memory(operator="Max", types="float32"):
        inputs, output, buffers = case.arrays()
        try:
            numpy.maximum(*inputs, out=output)
        except ValueError:
            refused = True
        ...
        case.check(buffers)

memory      MemoryCase: strides, in-place and overlap (MEM-1, MEM-2)
large       LargeCase: layouts of up to 70,000 elements (ORD-5)
ordered     OrderedCase: elements of a user's types, such as rationals, under a user's order (ORD-7)
bounds      BoundsCase: what is known of the maximum of inputs with bounded errors (ACC-1 to ACC-4)

Each function takes `operator`, `types`, `rules` and `ids` as supremum.kit.cases does. This file needs Python's standard library and
supremum.kit alone; NumPy is imported by the methods that return arrays.
"""

from __future__ import annotations

import copy
import fnmatch
import functools
import hashlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional, TypeVar

from .kit import Dims, Names, Tensor, WithAttributes, _case_groups

__all__ = ["BoundsCase", "LargeCase", "MemoryCase", "OrderedCase", "View", "bounds", "large", "memory", "ordered"]

@dataclass(frozen=True)
class Further(WithAttributes):
    """What all cases have, as a Case of supremum.kit; `attributes` are those of ONNX."""

    id: str
    rules: tuple[str, ...]
    reason: str
    operator: str
    attributes: dict[str, Any]
    type: str


@dataclass(frozen=True)
class View:
    """A tensor in one of a case's buffers; `offset`, of its element at index 0, and `strides` count elements, `bytes` is added."""

    buffer: int
    shape: Dims
    offset: int
    strides: Dims
    bytes: int = 0

    def of(self, buffers: list[Any]) -> Any:
        """The tensor as an array of NumPy that shares memory with one of the arrays `buffers`."""
        import numpy

        buffer = buffers[self.buffer]
        width = buffer.itemsize
        return numpy.ndarray(self.shape, buffer.dtype, buffer, self.offset * width + self.bytes, [stride * width for stride in self.strides])


@dataclass(frozen=True)
class MemoryCase(Further):
    """Tensors in buffers.

    buffers         what they hold before the call, as tensors of rank 1
    inputs, output  where the tensors are
    after           what the output's buffer holds after it, all of it; the other buffers are unchanged. None if the call
                    is an error: then all buffers are unchanged
    error           the name of supremum's error, "overlap", or ""
    """

    buffers: list[Tensor]
    inputs: list[View]
    output: View
    after: Optional[Tensor]
    error: str

    def arrays(self) -> tuple[list[Any], Any, list[Any]]:
        """The inputs, the output and new buffers that they are in, as arrays of NumPy; raises kit.Unsupported as Tensor.numpy."""
        buffers = [buffer.numpy() for buffer in self.buffers]
        return [view.of(buffers) for view in self.inputs], self.output.of(buffers), buffers

    def check(self, buffers: list[Any]) -> None:
        """Raises AssertionError unless every bit of the buffers is what the call must leave."""
        for number, (before, actual) in enumerate(zip(self.buffers, buffers)):
            expected = self.after if self.after is not None and number == self.output.buffer else before
            if (found := Tensor.of(actual)).content != expected.content:
                raise AssertionError(f"{self.id}: buffer {number}, against {self.rules[0]}\n  actual:   {found}\n  expected: {expected}")


@dataclass(frozen=True)
class LargeCase(Further):
    """Large tensors.

    inputs  what to compute with
    shape   of the output; `sha256`: of its elements, row-major, each with its lowest byte first
    """

    inputs: list[Tensor]
    shape: Dims
    sha256: str

    def arrays(self) -> list[Any]:
        """The inputs as arrays of NumPy; raises kit.Unsupported as Tensor.numpy."""
        return [operand.numpy() for operand in self.inputs]

    def check(self, result: Any) -> None:
        """Raises AssertionError unless the result has the type, the shape and every bit of the output."""
        actual = Tensor.of(result)
        content = actual.content
        if sys.byteorder == "big":
            content = b"".join(content[i : i + actual.width][::-1] for i in range(0, len(content), actual.width))
        expected = (self.type, self.shape, self.sha256)
        if (found := (actual.type, actual.shape, hashlib.sha256(content).hexdigest())) != expected:
            raise AssertionError(f"{self.id}, against {self.rules[0]}\n  actual:   {found}\n  expected: {expected}")


@dataclass(frozen=True)
class BoundsCase(Further):
    """Inputs with bounded errors.

    inputs, bounds  the values, and the bounds of their errors, each of which is broadcast to its input
    parts           "value", "bound", "lower" and "upper": the result, the largest distance of the true one from it, and
                    its ends; empty if the call is an error
    error           the name of supremum's error, "negative_bound", or ""
    """

    inputs: list[Tensor]
    bounds: list[Tensor]
    parts: dict[str, Tensor]
    error: str

    def arrays(self) -> tuple[list[Any], list[Any]]:
        """The inputs and their bounds as arrays of NumPy; raises kit.Unsupported as Tensor.numpy."""
        return [operand.numpy() for operand in self.inputs], [bound.numpy() for bound in self.bounds]

    def check(self, **parts: Any) -> None:
        """Raises AssertionError unless every bit of these parts of a result is right: check(lower=..., upper=...)."""
        for name, actual in parts.items():
            if (found := Tensor.of(actual)) != self.parts[name]:
                raise AssertionError(f"{self.id}: {name}, against {self.rules[0]}\n  actual:   {found}\n  expected: {self.parts[name]}")


@dataclass(frozen=True)
class OrderedCase(Further):
    """Elements of a type that a user brings, as the page of the kit describes them for each `order`; `type` is "".

    shapes, inputs  of each input, and its elements, row-major: texts, or lists of two texts
    shape, output   the same of the output
    bottom          the maximum of no elements, for ReduceMax
    """

    order: str
    shapes: list[Dims]
    inputs: list[list[Any]]
    shape: Dims
    output: list[Any]
    bottom: Any


Case = TypeVar("Case", bound=Further)


def memory(*, operator: Optional[str] = None, types: Names = None, rules: Names = None, ids: Names = None) -> list[MemoryCase]:
    """The cases of memory. Raises ValueError if there is none."""
    return _chosen(_memory_case, "memory", operator, types, rules, ids)


def large(*, operator: Optional[str] = None, types: Names = None, rules: Names = None, ids: Names = None) -> list[LargeCase]:
    """The large cases, about 60 MB if all are asked for. Raises ValueError if there is none."""
    return _chosen(_large_case, "large", operator, types, rules, ids)


def _large_case(head: tuple[Any, ...], stated: dict[str, Any], bits: dict[str, Any]) -> LargeCase:
    inputs = [_tensor(head[-1], text, shape) for shape, text in zip(stated["shapes"], bits["inputs"])]
    return LargeCase(*head, inputs, tuple(stated["output_shape"]), bits["output_sha256"])


def bounds(*, operator: Optional[str] = None, types: Names = None, rules: Names = None, ids: Names = None) -> list[BoundsCase]:
    """The cases of bounds of errors. Raises ValueError if there is none."""
    return _chosen(_bounds_case, "bounds", operator, types, rules, ids)


def _bounds_case(head: tuple[Any, ...], stated: dict[str, Any], bits: dict[str, Any]) -> BoundsCase:
    dtype = head[-1]
    values = [_tensor(dtype, text, shape) for shape, text in zip(stated["shapes"], bits["inputs"])]
    errors = [_tensor(dtype, text, shape) for shape, text in zip(stated["bound_shapes"], bits["bounds"])]
    parts = {name: _tensor(dtype, bits[name], stated["output_shape"]) for name in ("value", "bound", "lower", "upper") if name in bits}
    return BoundsCase(*head, values, errors, parts, stated.get("error", {}).get("code", ""))


def ordered(*, operator: Optional[str] = None, types: Names = None, rules: Names = None, ids: Names = None) -> list[OrderedCase]:
    """The cases of types that a user brings. Raises ValueError if there is none."""
    return _chosen(_ordered_case, "ordered", operator, types, rules, ids)


def _ordered_case(head: tuple[Any, ...], stated: dict[str, Any], bits: dict[str, Any]) -> OrderedCase:
    shapes, shape = [tuple(shape) for shape in stated["shapes"]], tuple(stated["output_shape"])
    inputs, output = copy.deepcopy((stated["inputs"], stated["output"]))
    return OrderedCase(*head, stated["order"], shapes, inputs, shape, output, stated.get("bottom"))


def _memory_case(head: tuple[Any, ...], stated: dict[str, Any], bits: dict[str, Any]) -> MemoryCase:
    dtype = head[-1]
    buffers = [_tensor(dtype, text) for text in bits["buffers"]]
    views = [_view(shape, view) for shape, view in zip([*stated["shapes"], stated["output_shape"]], [*stated["inputs"], stated["output"]])]
    after = _tensor(dtype, bits["output"]) if "output" in bits else None
    return MemoryCase(*head, buffers, views[:-1], views[-1], after, stated.get("error", {}).get("code", ""))


def _view(shape: list[int], stated: dict[str, Any]) -> View:
    return View(stated["buffer"], tuple(shape), stated["offset"], tuple(stated["strides"]), stated.get("bytes", 0))


def _tensor(dtype: str, text: str, shape: Optional[list[int]] = None) -> Tensor:
    """The tensor of elements in the notation of case files; without a shape, of rank 1.

    X, X*N, or X:P*N for N elements that count from X, and again from X after each P of them.
    """
    width = Tensor(dtype, (), b"").width
    runs = []
    for part in text.split():
        element, _, count = part.partition("*")
        first, _, period = element.partition(":")
        numbers = [(int(first, 16) + i) % (1 << 8 * width) for i in range(int(period or 1))]
        cycle = b"".join(number.to_bytes(width, sys.byteorder) for number in numbers)
        size = int(count or 1) * width
        runs.append((cycle * (size // len(cycle) + 1))[:size])
    content = b"".join(runs)
    return Tensor(dtype, (len(content) // width,) if shape is None else tuple(shape), content)


@functools.cache
def _groups() -> list[dict[str, Any]]:
    return _case_groups("further")


def _chosen(
    make: Callable[[tuple[Any, ...], dict[str, Any], dict[str, Any]], Case],
    list_name: str,
    operator: Optional[str],
    types: Names,
    rules: Names,
    ids: Names,
) -> list[Case]:
    """The cases of a list that are asked for, at least one; only these are made."""
    wanted_types, wanted_rules, patterns = ({n} if isinstance(n, str) else None if n is None else set(n) for n in (types, rules, ids))
    found = []
    for group in _groups():
        if group.get("list") != list_name or not (wanted_rules is None or wanted_rules.intersection(group["rules"])):
            continue
        for stated in group["cases"]:
            if operator not in (None, stated["operator"]):
                continue
            for dtype, bits in sorted(stated.get("bits", {"": {}}).items()):
                name = f"{group['group']}/{stated['name']}" + (f"/{dtype}" if dtype else "")
                if not (wanted_types is None or dtype in wanted_types):
                    continue
                if patterns is None or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
                    attributes = copy.deepcopy(stated.get("attributes") or {})
                    head = (name, tuple(group["rules"]), group["reason"], stated["operator"], attributes, dtype)
                    found.append(make(head, stated, bits))
    if not found:
        raise ValueError(f"no case of the list '{list_name}' has operator={operator!r}, types={types!r}, rules={rules!r}, ids={ids!r}")
    return found
