"""Cases of layouts beside the widths of vectors and the sizes of tiles, up to 70,000 elements (ORD-5).

Elements count from a first one and begin again after a prime number of them, so that an element at a wrong position is a wrong one;
special elements are at the positions beside boundaries. The file has the SHA-256 of the output.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from functools import lru_cache
from itertools import cycle, islice
from math import prod
from typing import Any

import oracle
from case_file import Group
from oracle import FLOATS, INTEGERS, NUMBERS, TYPES, Shape
from values import ladder, nans, shape_name

# A float and another type for each case in turn: every type for every kind of layout, and widths in every combination.
PAIRS = (
    ("float32", "uint8"),
    ("bfloat16", "int64"),
    ("float64", "int8"),
    ("float16", "uint32"),
    ("float32", "int16"),
    ("bfloat16", "uint64"),
    ("float64", "uint16"),
    ("float16", "int32"),
    ("float32", "bool"),
)
BOUNDARIES = (16, 32, 64, 128, 4096, 16384, 65536)
EXTENTS = tuple(b + d for b in (16, 32, 64, 128) for d in (-1, 0, 1))
LENGTHS = (*EXTENTS[-3:], *(b + d for b in (256, 1024, 4096, 16384, 65536) for d in (-1, 0, 1)), 69999, 70000)
MAX_INPUTS = 35


def period(dtype: str, number: int) -> int:
    """The number of different elements of input `number`, a prime."""
    return 2 if dtype == "bool" else ((251, 241, 239) if oracle.width(dtype) == 8 else (1021, 1019, 1013))[number % 3]


Run = tuple[int, int, int]  # first element, period, count


def first(dtype: str, number: int) -> int:
    """The first element of input `number`: such that no element of a period of floats is special."""
    if dtype in INTEGERS or dtype == "bool":
        return (7 * number) % 2 if dtype == "bool" else 5 * number + 1
    return ladder(dtype)["one"] - 16 * number - 3


def special(dtype: str) -> list[int]:
    if dtype == "bool":
        return [1, 0]
    steps = ladder(dtype)
    if dtype in INTEGERS:
        return [steps["greatest"], steps["zero"], steps.get("least", steps["greatest"]), steps["before_greatest"]]
    names = ("infinity", "minus_zero", "greatest", "minus_infinity", "zero", "least_subnormal", "minus_greatest")
    return [nans(dtype)["signalling"], *(steps[name] for name in names), nans(dtype)["minus_quiet_full"]]


def runs(dtype: str, number: int, count: int) -> list[Run]:
    """An input: special elements at its first and last position and on both sides of each boundary, and at all others those that count."""
    at = sorted({p for b in (0, *BOUNDARIES, count) for p in (b - 1, b) if 0 <= p < count}) if count > 16 else []
    # Each input has others of these positions, so that a NaN is not in all of them.
    at = [p for turn, p in enumerate(at) if turn % 3 != number % 3]
    found: list[Run] = []
    done = 0
    for value, place in zip(islice(cycle(special(dtype)), number, None), at):
        if place > done:
            found.append((first(dtype, number), period(dtype, number), place - done))
        found.append((value, 1, 1))
        done = place + 1
    if count > done:
        found.append((first(dtype, number), period(dtype, number), count - done))
    return found


def text(dtype: str, given: list[Run]) -> str:
    """X:P*N for N elements that count from X and begin again after P of them."""
    digits = oracle.width(dtype) // 4
    return " ".join(
        f"{value:0{digits}x}" + (f":{different}" if different > 1 else "") + (f"*{count}" if count > 1 else "")
        for value, different, count in given
    )


def expand(dtype: str, given: list[Run]) -> list[int]:
    found: list[int] = []
    for value, different, count in given:
        found += islice(cycle(counting(dtype, value, different)), count)
    return found


@lru_cache(maxsize=None)
def counting(dtype: str, value: int, different: int) -> list[int]:
    end = 1 << oracle.width(dtype)
    return [(value + i) % end for i in range(different)]


@lru_cache(maxsize=None)
def positions(shape: Shape, common: Shape) -> list[int]:
    """BRO-5: for each index of the common shape, in row-major order, the position of the element in a tensor of `shape`."""
    aligned = (1,) * (len(common) - len(shape)) + shape
    found = [0]
    for extent, wanted in zip(aligned, common):
        found = [p * extent + (0 if extent == 1 else coordinate) for p in found for coordinate in range(wanted)]
    return found


class Ranks:
    """Every element of the cases of a type, in the order of section 1: the maximum of elements is that of their places in it. Every NaN
    is the one that is written, and greater than all."""

    def __init__(self, dtype: str) -> None:
        used = {oracle.least(dtype), *special(dtype)}
        for number in range(MAX_INPUTS):
            used.update(counting(dtype, first(dtype, number), period(dtype, number)))
        keys = {value: oracle.key(dtype, value) for value in used}
        self.elements = sorted((value for value in used if keys[value] is not None), key=keys.__getitem__)  # type: ignore[arg-type]
        self.rank = {value: len(self.elements) for value in used} | {value: rank for rank, value in enumerate(self.elements)}
        if dtype in FLOATS:
            self.elements.append(oracle.nan(dtype))

    def of(self, values: list[int]) -> list[int]:
        return [self.rank[value] for value in values]

    def values(self, ranks: list[int]) -> list[int]:
        return [self.elements[rank] for rank in ranks]


@lru_cache(maxsize=None)
def ranks_of(dtype: str) -> Ranks:
    return Ranks(dtype)


def max_of(dtype: str, inputs: list[tuple[Shape, list[int]]]) -> tuple[Shape, list[int]]:
    """MAX-2, as oracle.max_of, in less time."""
    common = oracle.broadcast_shape([shape for shape, _ in inputs])
    ranks = ranks_of(dtype)
    operands = []
    for shape, values in inputs:
        of_input = ranks.of(values)
        operands.append(of_input if shape == common else [of_input[p] for p in positions(shape, common)])
    return common, ranks.values(list(map(max, *operands)) if len(operands) > 1 else operands[0])


def reduce_max(dtype: str, shape: Shape, values: list[int], axes: list[int]) -> tuple[Shape, list[int]]:
    """RED-1 without keepdims, as oracle.reduce_max, in less time."""
    kept = tuple(1 if d in axes else extent for d, extent in enumerate(shape))
    ranks = ranks_of(dtype)
    best = [ranks.rank[oracle.least(dtype)]] * prod(kept)
    for place, rank in zip(positions(kept, shape), ranks.of(values)):
        if rank > best[place]:
            best[place] = rank
    return tuple(extent for d, extent in enumerate(shape) if d not in axes), ranks.values(best)


def sha256(dtype: str, values: list[int]) -> str:
    """Of the elements in row-major order, each as bytes of its type with the lowest byte first."""
    stored = array({8: "B", 16: "H", 32: "I", 64: "Q"}[oracle.width(dtype)], values)
    if sys.byteorder == "big":
        stored.byteswap()
    return hashlib.sha256(stored.tobytes()).hexdigest()


def add(group: Group, name: str, operator: str, shapes: list[Shape], axes: list[int] | None = None) -> None:
    """A case of every type for the largest length, otherwise of two types, those whose turn it is."""
    bits: dict[str, Any] = {}
    output_shape: Shape = ()
    of_operator = NUMBERS if operator == "Max" else TYPES
    for dtype in of_operator if shapes[0] == LENGTHS[-1:] else PAIRS[len(group.cases) % len(PAIRS)]:
        if dtype not in of_operator:
            dtype = "uint8"
        given = [runs(dtype, number, prod(shape)) for number, shape in enumerate(shapes)]
        inputs = [expand(dtype, one) for one in given]
        if axes is None:
            output_shape, output = max_of(dtype, list(zip(shapes, inputs)))
        else:
            output_shape, output = reduce_max(dtype, shapes[0], inputs[0], axes)
        bits[dtype] = {"inputs": [text(dtype, one) for one in given], "output_sha256": sha256(dtype, output)}
    case: dict[str, Any] = {"name": name, "operator": operator}
    if axes is not None:
        case["attributes"] = {"axes": axes, "keepdims": 0}
    group.add({**case, "shapes": shapes, "output_shape": output_shape, "bits": bits})


def other_extent(extent: int, turn: int) -> int:
    """An extent that makes with `extent` about 4,096, 16,384 or 65,536 elements."""
    return max(2, (65536 if turn % 6 == 0 else 16384 if turn % 6 == 3 else 4096) // extent + turn % 3)


def maxima() -> list[Group]:
    def group(kind: str, reason: str) -> Group:
        return Group(f"large_max_{kind}", ["MAX-2", "BRO-5", "ORD-5", "ORD-3", "ORD-2"], reason, list_name="large")

    equal = group("equal", "Equal shapes, of lengths beside boundaries of vectors and tiles.")
    scalar = group("scalar", "A scalar with a vector.")
    for length in LENGTHS:
        add(equal, f"{length}", "Max", [(length,), (length,)])
        add(scalar, f"{length}_with_scalar", "Max", [(length,), ()])
        add(scalar, f"scalar_with_{length}", "Max", [(), (length,)])
    patterns: dict[str, Group] = {}
    for kind, reason, shapes in (
        ("row", "A row with each row of a matrix (outer broadcasting).", lambda r, c: [(r, c), (c,)]),
        ("column", "A column with each column of a matrix (inner broadcasting).", lambda r, c: [(r, c), (r, 1)]),
        ("two_sided", "A column with a row.", lambda r, c: [(r, 1), (1, c)]),
        ("middle", "Broadcasting in the middle dimension.", lambda r, c: [(3, r, c), (3, 1, c)]),
        ("inner_and_outer", "Broadcasting in the first and in the last dimension.", lambda r, c: [(3, r, 1), (r, c)]),
        ("three", "A matrix, a column and a row.", lambda r, c: [(r, c), (r, 1), (c,)]),
    ):
        patterns[kind] = group(kind, reason)
        for turn, extent in enumerate(EXTENTS):
            other = other_extent(extent, turn)
            if len(shapes(1, 1)[0]) == 3:
                other = max(2, other // 3)
            add(patterns[kind], f"inner_{extent}", "Max", shapes(other, extent))
            add(patterns[kind], f"outer_{extent}", "Max", shapes(extent, other))
    many = group("many_inputs", "Many inputs, some of them broadcast.")
    for count in (3, 4, 5, 7, 8, 9, 15, 16, 17, 33):
        for length in (127, 129, 4097):
            add(many, f"{count}_of_{length}", "Max", [(length,)] * count)
    for times in (1, 2, 4, 7):
        add(many, f"{5 * times}_of_31by33", "Max", [(31, 33), (33,), (31, 1), (), (1, 33)] * times)
    return [equal, scalar, *patterns.values(), many]


def reductions() -> list[Group]:
    def group(kind: str, reason: str) -> Group:
        return Group(f"large_reduce_{kind}", ["RED-1", "ORD-5", "ORD-3", "ORD-2"], reason, list_name="large")

    whole = group("all", "The whole of a vector, and all axes of a matrix.")
    for length in LENGTHS:
        add(whole, f"{length}", "ReduceMax", [(length,)], [0])
    found = [whole]
    for kind, reason, shape_of, axes in (
        ("inner", "Along the last axis.", lambda a, b: (a, b), [1]),
        ("outer", "Along the first axis.", lambda a, b: (a, b), [0]),
        ("middle", "Along the middle axis.", lambda a, b: (3, a, b), [1]),
        ("inner_and_outer", "Along the first and the last axis.", lambda a, b: (3, a, b), [0, 2]),
        ("last_two", "Along the last two axes.", lambda a, b: (5, a, b), [1, 2]),
    ):
        made = group(kind, reason)
        for turn, extent in enumerate(EXTENTS):
            other = other_extent(extent, turn)
            if len(shape_of(1, 1)) == 3:
                other = max(2, other // shape_of(1, 1)[0])
            for shape in (shape_of(other, extent), shape_of(extent, other)):
                add(made, f"{shape_name(shape)}_axes_{'_'.join(map(str, axes))}", "ReduceMax", [shape], axes)
        found.append(made)
    return found


def groups() -> list[Group]:
    return [*maxima(), *reductions()]
