"""Cases of some MiB, of which threads compute shares (ORD-5): a share that is left out leaves out the greatest element of an output.

The case files state runs of equal elements, so that they are short; `supremum-audit cases --from` writes the tensors.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import prod

import oracle
from case_file import OPSET, Group
from further_large import positions
from oracle import Shape
from values import ladder, shape_name

PARTS = 8  # of the elements that are reduced to one output, each of which has the greatest element in turn

# Shape, axes, type, and from which part on the outputs have their greatest elements. The inner elements of the first seven are folded
# as whole blocks, around which threads share one loop.
REDUCTIONS: tuple[tuple[Shape, list[int], str, tuple[int, ...]], ...] = (
    ((65536, 2, 2), [0, 2], "float32", (6,)),
    ((16384, 16, 3), [0, 2], "bfloat16", (0,)),
    ((100000, 3, 4), [0, 2], "uint8", (2,)),
    ((224, 224, 3, 16), [0, 1, 3], "int8", (3,)),
    ((8, 4096, 16, 2), [0, 1, 3], "float16", (0,)),
    ((2, 65536, 4, 3), [1, 3], "uint8", (0,)),
    ((32, 128, 9, 4), [0, 1, 3], "int64", (0,)),
    ((300000,), [0], "float32", (1, 6)),
    ((3, 180000), [1], "int16", (5,)),
    ((100000, 3), [0], "uint32", (5,)),
    ((2, 30000, 3), [1], "float64", (2,)),
    ((900, 1000), [0, 1], "bool", (7,)),
)
MAXIMA: tuple[tuple[str, str, list[Shape]], ...] = (
    ("equal", "float32", [(150000,), (150000,)]),
    ("row", "int16", [(900, 500), (500,)]),
    ("column", "uint8", [(1200, 700), (1200, 1)]),
    ("scalar_first", "float64", [(), (100000,)]),
)


def low(dtype: str) -> int:
    """The element of all places but a few: less than `high`."""
    return ladder(dtype)["false" if dtype == "bool" else "zero" if dtype.startswith("u") else "minus_one"]


def high(dtype: str, number: int) -> int:
    """Elements above `low`, another for each number where the type has enough; in their order, but for bool."""
    return 1 if dtype == "bool" else ladder(dtype)["one"] + number % 100


def runs(dtype: str, values: Iterator[tuple[int, int]]) -> str:
    """Runs of an element and their lengths as text."""
    digits = oracle.width(dtype) // 4
    return " ".join(f"{value:0{digits}x}" + (f"*{count}" if count > 1 else "") for value, count in values if count)


def sparse(dtype: str, count: int, at: dict[int, int]) -> str:
    """`count` elements: those of `at` by their places, and low ones."""

    def parts() -> Iterator[tuple[int, int]]:
        done = 0
        for place in sorted(at):
            yield low(dtype), place - done
            yield at[place], 1
            done = place + 1
        yield low(dtype), count - done

    return runs(dtype, parts())


def place(shape: Shape, axes: list[int], output: int, reduced: int) -> int:
    """The place in row-major order of the element with the number `reduced` among those that are reduced to `output` (RED-1)."""
    numbers = {True: reduced, False: output}
    at, stride = 0, 1
    for dimension in reversed(range(len(shape))):
        is_reduced = dimension in axes
        numbers[is_reduced], index = divmod(numbers[is_reduced], shape[dimension])
        at += index * stride
        stride *= shape[dimension]
    return at


def add_reduction(group: Group, shape: Shape, axes: list[int], dtype: str, turn: int) -> None:
    output_shape = tuple(extent for d, extent in enumerate(shape) if d not in axes)
    outputs = prod(output_shape)
    reduced = prod(shape) // outputs
    at = {}
    for output in range(outputs):
        part = (output + turn) % PARTS
        at[place(shape, axes, output, (2 * part + 1) * reduced // (2 * PARTS))] = high(dtype, output)
    expected = [oracle.maximum(dtype, [low(dtype), high(dtype, output)]) for output in range(outputs)]
    group.add(
        {
            "name": f"{shape_name(shape)}_axes_{'_'.join(map(str, axes))}_from_part_{turn}",
            "operator": "ReduceMax",
            "opset": 20 if dtype == "bool" else OPSET,
            "attributes": {"axes": axes, "keepdims": 0},
            "shapes": [shape],
            "output_shape": output_shape,
            "bits": {dtype: {"inputs": [sparse(dtype, prod(shape), at)], "output": runs(dtype, ((v, 1) for v in expected))}},
        }
    )


def add_maximum(group: Group, name: str, dtype: str, shapes: list[Shape]) -> None:
    """High elements beside the ends of each part of each input."""
    common = oracle.broadcast_shape(shapes)
    inputs: list[dict[int, int]] = []
    for number, shape in enumerate(shapes):
        count = prod(shape)
        ends = {(part * count // PARTS + step) % count for part in range(PARTS) for step in (-1 - number, number)}
        inputs.append({end: high(dtype, 50 * number + k) for k, end in enumerate(sorted(ends))})
    best = [low(dtype)] * prod(common)
    for shape, at in zip(shapes, inputs):
        places = positions(shape, common) if shape != common else range(len(best))
        for output, source in enumerate(places):
            if source in at:
                best[output] = oracle.maximum(dtype, [best[output], at[source]])
    group.add(
        {
            "name": name,
            "operator": "Max",
            "opset": OPSET,
            "shapes": shapes,
            "output_shape": common,
            "bits": {
                dtype: {
                    "inputs": [sparse(dtype, prod(shape), at) for shape, at in zip(shapes, inputs)],
                    "output": runs(dtype, ((value, len(list(equal))) for value, equal in groupby(best))),
                }
            },
        }
    )


def groups() -> list[Group]:
    reductions = Group(
        "threads_reduce_max",
        ["ORD-5", "RED-1"],
        "Few outputs of some MiB: threads share the elements of each, and its greatest element is in another share each time.",
    )
    for shape, axes, dtype, turns in REDUCTIONS:
        for turn in turns:
            add_reduction(reductions, shape, axes, dtype, turn)
    maxima = Group("threads_max", ["ORD-5", "MAX-2", "BRO-5"], "Some MiB: greatest elements beside the ends of each thread's share.")
    for name, dtype, shapes in MAXIMA:
        add_maximum(maxima, name, dtype, shapes)
    return [reductions, maxima]
