"""The conformance cases as main.c reads them, and what it writes, judged."""

from __future__ import annotations

import struct
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "kit" / "cases"))

import classes  # noqa: E402
import oracle  # noqa: E402
import write_cases  # noqa: E402

# In the order of supremum_dense_type; a bool is a uint8.
TYPES = ("bfloat16", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
MOST_DIMENSIONS = 64
TENSOR_BYTES = 24  # sizeof(supremum_dense_tensor)
END_OF_CASES = 0xFFFFFFFF
DOES_NOT_FIT = 100
CASE_HEADER = struct.Struct("<IIIiIIII")
RESULT_HEADER = struct.Struct("<IIIIII")
STATUS = {"no input": 1, "rank": 2, "axis out of range": 3, "axis repeated": 4, "not broadcastable": 5, "negative extent": 6}


@dataclass(frozen=True)
class Tensor:
    shape: tuple[int, ...]
    content: bytes


@dataclass(frozen=True)
class Case:
    """Operands and attributes, and what must come out: an output, or the status of a refusal."""

    id: str
    dtype: str
    operator: str
    attributes: dict[str, object]
    inputs: list[Tensor]
    output: Tensor | None
    status: int = 0

    @property
    def lane(self) -> str:
        return "uint8" if self.dtype == "bool" else self.dtype

    def needed_bytes(self, room: int) -> int:
        """What main.c says that the case needs: the shapes alone if these do not fit."""
        count, ranks = len(self.inputs), [len(i.shape) for i in self.inputs]
        axes = len(self.attributes.get("axes") or ())
        needed = 8 * (sum(ranks) + count + axes + MOST_DIMENSIONS) + TENSOR_BYTES * count
        if self.output is None or needed > room:
            return needed
        rank = len(self.output.shape)
        workspace = 6 * ranks[0] if self.operator == "ReduceMax" else count + count * rank + rank
        return needed + 8 * workspace + sum(len(i.content) for i in self.inputs) + len(self.output.content)

    def encoded(self) -> bytes:
        axes = self.attributes.get("axes")
        numbers = [n for i in self.inputs for n in (len(i.shape), *i.shape)] + list(axes or ())
        content = b"".join(i.content for i in self.inputs)
        header = CASE_HEADER.pack(
            TYPES.index(self.lane),
            self.operator == "ReduceMax",
            len(self.inputs),
            -1 if axes is None else len(axes),
            self.attributes.get("keepdims", 1),
            self.attributes.get("noop_with_empty_axes", 0),
            sum(len(i.shape) for i in self.inputs),
            len(content),
        )
        return header + struct.pack(f"<{len(numbers)}q", *numbers) + content


def content_of(dtype: str, text: str) -> bytes:
    width = oracle.width(dtype) // 8
    return b"".join(element.to_bytes(width, "little") for element in classes.elements(text))


def valid_cases() -> Iterator[Case]:
    """Every valid case of the conformance kit."""
    for group in write_cases.groups():
        for case in group.get("cases", ()):
            for dtype, bits in case["bits"].items():
                inputs = [Tensor(tuple(s), content_of(dtype, b)) for s, b in zip(case["shapes"], bits["inputs"], strict=True)]
                output = Tensor(tuple(case["output_shape"]), content_of(dtype, bits["output"]))
                yield Case(f"{group['group']}/{case['name']}/{dtype}", dtype, case["operator"], case.get("attributes", {}), inputs, output)


def refused_cases() -> Iterator[Case]:
    """Shapes and axes that dense.c must refuse; the kit's own are models, which a board has no reader for."""

    def case(name: str, status: str, operator: str, shapes: list[tuple[int, ...]], **attributes: object) -> Case:
        inputs = [Tensor(shape, bytes(prod(shape)) if min(shape, default=0) >= 0 else b"") for shape in shapes]
        return Case(f"refused/{name}/uint8", "uint8", operator, attributes, inputs, None, STATUS[status])

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


def encode(cases: list[Case]) -> bytes:
    end = CASE_HEADER.pack(END_OF_CASES, 0, 0, 0, 0, 0, 0, 0)
    return b"".join(case.encoded() for case in cases) + end


@dataclass
class Verdict:
    """How the cases went on one board."""

    valid: int = 0
    passed: int = 0
    refused: int = 0
    too_large: list[tuple[int, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    by_type: Counter[tuple[str, str]] = field(default_factory=Counter)  # passed, by type and operator
    stack: dict[tuple[str, str], int] = field(default_factory=dict)  # the most bytes, by type and operator


def judge(cases: list[Case], results: bytes, room: int) -> Verdict:
    """Checks the results of a board against the cases; raises ValueError where the results are incomplete."""
    verdict = Verdict()
    at = 0

    def take(count: int) -> bytes:
        nonlocal at
        if at + count > len(results):
            raise ValueError(f"the results end in the middle of {case.id}")
        at += count
        return results[at - count : at]

    for case in cases:
        verdict.valid += case.output is not None
        status, stack, needed, rank, element_bytes, _ = RESULT_HEADER.unpack(take(RESULT_HEADER.size))
        must_need = case.needed_bytes(room)
        if needed != must_need:
            verdict.wrong.append(f"{case.id}: needs {needed} bytes, not {must_need}")
        elif (status == DOES_NOT_FIT) != (needed > room):
            verdict.wrong.append(f"{case.id}: needs {needed} bytes of {room}, but the status is {status}")
        elif status == DOES_NOT_FIT:
            verdict.too_large.append((needed, case.id))
        elif status != case.status:
            verdict.wrong.append(f"{case.id}: status {status}, not {case.status}")
        elif case.output is None:
            verdict.refused += 1
        if status != 0:
            continue
        shape, content = struct.unpack(f"<{rank}q", take(8 * rank)), take(element_bytes)
        if case.output is None:
            continue
        if shape != case.output.shape:
            verdict.wrong.append(f"{case.id}: shape {shape}, not {case.output.shape}")
        elif content != case.output.content:
            place = next(i for i, (a, b) in enumerate(zip(content, case.output.content)) if a != b)
            verdict.wrong.append(f"{case.id}: byte {place} is {content[place]:#04x}, not {case.output.content[place]:#04x}")
        else:
            verdict.passed += 1
            key = (case.dtype, case.operator)
            verdict.by_type[key] += 1
            verdict.stack[case.lane, case.operator] = max(stack, verdict.stack.get((case.lane, case.operator), 0))
    if at != len(results):
        raise ValueError(f"{len(results) - at} bytes too many behind the results")
    return verdict
