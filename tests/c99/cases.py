"""Cases as cases_main.c reads them, and what it writes, judged: the conformance cases, and shapes and axes that must be refused."""

from __future__ import annotations

import struct
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "kit" / "cases"))

import classes  # noqa: E402
import oracle  # noqa: E402
import write_cases  # noqa: E402

TYPES = oracle.TYPES  # in the order of supremum_c99_type
MOST_DIMENSIONS = 64
END_OF_CASES = 0xFFFFFFFF
DOES_NOT_FIT = 100
CASE_HEADER = "IIIiIIIII"
RESULT_HEADER = "IIIIII"
STATUS = {"no input": 1, "rank": 2, "negative extent": 3, "axis out of range": 4, "axis repeated": 5, "not broadcastable": 6, "output shape": 7,
          "too large": 8, "outside": 9, "output aliases": 10, "overlap": 11, "unknown type": 12}  # fmt: skip

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Target:
    """What a form of the files depends on."""

    order: str = "<"  # of bytes, as the module struct writes it
    tensor_bytes: int = 24  # sizeof(supremum_c99_tensor): 32 where a pointer has 8 bytes

    def swapped(self, dtype: str, content: bytes) -> bytes:
        """Elements from little-endian to the order of the target, or back."""
        width = oracle.width(dtype) // 8
        if self.order == "<" or width == 1:
            return content
        return b"".join(content[at : at + width][::-1] for at in range(0, len(content), width))


@dataclass(frozen=True)
class Placed:
    """Where a tensor lies in the arena; without strides it is row-major."""

    start: int
    strides: Shape | None = None

    def numbers(self) -> list[int]:
        return [self.start, self.strides is not None, *(self.strides or ())]


@dataclass(frozen=True)
class Layout:
    """The arena of a case: its number of elements, the inputs, the shape and place of the output."""

    elements: int
    inputs: list[Placed]
    output_shape: Shape
    output: Placed


@dataclass(frozen=True)
class Case:
    """Operands and attributes, and what must come out: the arena afterwards, or the status of a refusal."""

    id: str
    dtype: str
    operator: str
    attributes: dict[str, object]
    shapes: list[Shape]
    sent: bytes  # without a layout the inputs, otherwise the arena; little-endian, as all bytes here
    shape: Shape | None  # that of the output, as the library computes it; None if it must refuse to
    after: bytes | None  # the arena; None if the case must be refused
    status: int = 0
    layout: Layout | None = None
    type_number: int | None = None  # instead of that of dtype

    def numbers(self) -> list[int]:
        numbers = [n for shape in self.shapes for n in (len(shape), *shape)] + list(self.attributes.get("axes") or ())
        if self.layout:
            numbers += [self.layout.elements, *(n for placed in self.layout.inputs for n in placed.numbers())]
            numbers += [len(self.layout.output_shape), *self.layout.output_shape, *self.layout.output.numbers()]
        return numbers

    def needed_bytes(self, room: int, target: Target) -> int:
        """What cases_main.c says that the case needs: the numbers alone if these do not fit."""
        needed = 8 * (len(self.numbers()) + MOST_DIMENSIONS) + target.tensor_bytes * len(self.shapes)
        if self.shape is None or needed > room:
            return needed
        count, rank = len(self.shapes), len(self.shape)
        workspace = 3 * len(self.shapes[0]) if self.operator == "ReduceMax" else count + count * rank + rank
        return needed + 8 * workspace + len(self.arena_after())

    def arena_after(self) -> bytes:
        return self.sent if self.after is None else self.after

    def encoded(self, target: Target) -> bytes:
        axes, numbers = self.attributes.get("axes"), self.numbers()
        header = struct.pack(
            target.order + CASE_HEADER,
            TYPES.index(self.dtype) if self.type_number is None else self.type_number,
            self.operator == "ReduceMax",
            len(self.shapes),
            -1 if axes is None else len(axes),
            self.attributes.get("keepdims", 1),
            self.attributes.get("noop_with_empty_axes", 0),
            self.layout is not None,
            len(numbers),
            len(self.sent),
        )
        return header + struct.pack(f"{target.order}{len(numbers)}q", *numbers) + target.swapped(self.dtype, self.sent)


def content_of(dtype: str, text: str) -> bytes:
    width = oracle.width(dtype) // 8
    return b"".join(element.to_bytes(width, "little") for element in classes.elements(text))


def valid_cases() -> Iterator[Case]:
    """Every valid case of the conformance kit."""
    for group in write_cases.groups():
        for case in group.get("cases", ()):
            shapes, shape = [tuple(s) for s in case["shapes"]], tuple(case["output_shape"])
            for dtype, bits in case["bits"].items():
                sent = b"".join(content_of(dtype, b) for b in bits["inputs"])
                name = f"{group['group']}/{case['name']}/{dtype}"
                yield Case(name, dtype, case["operator"], case.get("attributes", {}), shapes, sent, shape, sent + content_of(dtype, bits["output"]))


def refused_cases() -> Iterator[Case]:
    """Shapes and axes that the library must refuse; the kit's own are models, which the program has no reader for."""

    def case(name: str, status: str, operator: str, shapes: list[Shape], **attributes: object) -> Case:
        sent = b"".join(bytes(prod(shape)) for shape in shapes if min(shape, default=0) >= 0)
        return Case(f"refused/{name}/uint8", "uint8", operator, attributes, shapes, sent, None, None, STATUS[status])

    yield case("no_input", "no input", "Max", [])
    yield case("rank_65", "rank", "Max", [(1,) * 65])
    yield case("reduce_rank_65", "rank", "ReduceMax", [(1,) * 65])
    yield case("axis_2_of_2", "axis out of range", "ReduceMax", [(2, 3)], axes=[2])
    yield case("axis_minus_3_of_2", "axis out of range", "ReduceMax", [(2, 3)], axes=[-3])
    yield case("axis_of_a_scalar", "axis out of range", "ReduceMax", [()], axes=[0])
    yield case("axis_twice", "axis repeated", "ReduceMax", [(2, 3)], axes=[1, 1])
    yield case("axis_from_both_ends", "axis repeated", "ReduceMax", [(2, 3)], axes=[0, -2])
    yield case("2_with_3", "not broadcastable", "Max", [(2,), (3,)])
    yield case("0_with_3", "not broadcastable", "Max", [(0,), (3,)])
    yield case("third_input", "not broadcastable", "Max", [(4, 1), (1, 3), (4, 2)])
    yield case("negative_extent", "negative extent", "Max", [(-1,)])


def encode(cases: list[Case], target: Target) -> bytes:
    end = struct.pack(target.order + CASE_HEADER, END_OF_CASES, *8 * [0])
    return b"".join(case.encoded(target) for case in cases) + end


@dataclass
class Verdict:
    """How the cases went on one machine."""

    valid: int = 0
    passed: int = 0
    refused: int = 0
    too_large: list[tuple[int, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    stack: dict[tuple[str, str], int] = field(default_factory=dict)  # the most bytes, by type and operator


def judge(cases: list[Case], results: bytes, room: int, target: Target) -> Verdict:
    """Checks the results of a machine against the cases; raises ValueError where the results are incomplete."""
    verdict = Verdict()
    at = 0

    def take(count: int) -> bytes:
        nonlocal at
        if at + count > len(results):
            raise ValueError(f"the results end in the middle of {case.id}")
        at += count
        return results[at - count : at]

    def wrong(case: Case, status: int, needed: int, shape: Shape, arena: bytes) -> str | None:
        """What is wrong with a result."""
        must_need, expected = case.needed_bytes(room, target), case.arena_after()
        if needed != must_need:
            return f"needs {needed} bytes, not {must_need}"
        if (status == DOES_NOT_FIT) != (needed > room):
            return f"needs {needed} bytes of {room}, but the status is {status}"
        if status == DOES_NOT_FIT or case.shape is None and status == case.status:
            return None
        if status != case.status:
            return f"status {status}, not {case.status}"
        if shape != case.shape:
            return f"shape {shape}, not {case.shape}"
        if arena != expected:
            place = next((i for i, (a, b) in enumerate(zip(arena, expected)) if a != b), min(len(arena), len(expected)))
            return f"byte {place} of the arena is {arena[place : place + 1].hex()}, not {expected[place : place + 1].hex()}"
        return None

    for case in cases:
        verdict.valid += case.after is not None
        status, stack, needed, rank, arena_bytes, _ = struct.unpack(target.order + RESULT_HEADER, take(struct.calcsize(RESULT_HEADER)))
        shape, arena = struct.unpack(f"{target.order}{rank}q", take(8 * rank)), target.swapped(case.dtype, take(arena_bytes))
        problem = wrong(case, status, needed, shape, arena)
        if problem:
            verdict.wrong.append(f"{case.id}: {problem}")
        elif status == DOES_NOT_FIT:
            verdict.too_large.append((needed, case.id))
        elif case.after is None:
            verdict.refused += 1
        else:
            verdict.passed += 1
            key = (case.dtype, case.operator)
            verdict.stack[key] = max(stack, verdict.stack.get(key, 0))
    if at != len(results):
        raise ValueError(f"{len(results) - at} bytes too many behind the results")
    return verdict
