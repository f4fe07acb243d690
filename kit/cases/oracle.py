"""The second oracle: Max and ReduceMax over exact rationals and classes of bits, from docs/semantics.md alone.

Elements are unsigned numbers that hold a type's bits. Nothing is rounded, no floating-point operation is made, and no code is shared
with the library or its reference: `supremum-audit cases` compares the two.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import lru_cache
from math import prod

# type -> bits of the exponent, bits of the fraction
FLOATS = {"bfloat16": (8, 7), "float16": (5, 10), "float32": (8, 23), "float64": (11, 52)}
# type -> width, signed
INTEGERS = {
    "int8": (8, True),
    "int16": (16, True),
    "int32": (32, True),
    "int64": (64, True),
    "uint8": (8, False),
    "uint16": (16, False),
    "uint32": (32, False),
    "uint64": (64, False),
}
NUMBERS = (*FLOATS, *INTEGERS)
TYPES = (*NUMBERS, "bool")

Key = tuple[int, Fraction, int]
Shape = tuple[int, ...]


def width(dtype: str) -> int:
    """Bits of an element as it is stored."""
    if dtype in FLOATS:
        return 1 + sum(FLOATS[dtype])
    return 8 if dtype == "bool" else INTEGERS[dtype][0]


@lru_cache(maxsize=None)
def key(dtype: str, bits: int) -> Key | None:
    """What ORD-1 and ORD-2 compare; None for a NaN.

    An infinity, or the exact value, and behind it what parts the two zeros.
    """
    if dtype == "bool":
        return (0, Fraction(1 if bits else 0), 0)
    if dtype in INTEGERS:
        size, signed = INTEGERS[dtype]
        return (0, Fraction(bits - (1 << size) if signed and bits >> (size - 1) else bits), 0)
    exponent_bits, fraction_bits = FLOATS[dtype]
    fraction = bits & ((1 << fraction_bits) - 1)
    exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1)
    negative = bits >> (exponent_bits + fraction_bits)
    sign = -1 if negative else 1
    bias = (1 << (exponent_bits - 1)) - 1
    if exponent == (1 << exponent_bits) - 1:
        return None if fraction else (sign, Fraction(0), 0)
    if exponent == 0:  # zeros and subnormals
        value = Fraction(fraction, 1 << (bias - 1 + fraction_bits))
    else:
        value = Fraction((1 << fraction_bits) | fraction, 1 << fraction_bits) * Fraction(2) ** (exponent - bias)
    return (0, sign * value, sign if value == 0 else 0)


def nan(dtype: str) -> int:
    """ORD-4: the one NaN that is written."""
    exponent_bits, fraction_bits = FLOATS[dtype]
    return ((1 << (exponent_bits + 1)) - 1) << (fraction_bits - 1)


def least(dtype: str) -> int:
    """RED-6: the maximum over no elements."""
    if dtype in FLOATS:
        exponent_bits, fraction_bits = FLOATS[dtype]
        return ((1 << (exponent_bits + 1)) - 1) << fraction_bits  # the sign, and an exponent of ones: -inf
    if dtype == "bool" or not INTEGERS[dtype][1]:
        return 0
    return 1 << (INTEGERS[dtype][0] - 1)


def maximum(dtype: str, operands: list[int]) -> int:
    """Section 1: the maximum of a set of elements."""
    best, best_key = least(dtype), key(dtype, least(dtype))
    for bits in operands:
        this = key(dtype, bits)
        if this is None:
            return nan(dtype)
        if best_key is not None and this > best_key:
            best, best_key = bits, this
    return 1 if dtype == "bool" and best else best


def broadcast_shape(shapes: list[Shape]) -> Shape:
    """BRO-1 to BRO-3. ValueError for shapes that do not fit (E1)."""
    rank = max(len(shape) for shape in shapes)
    aligned = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    common = []
    for extents in zip(*aligned):
        others = {extent for extent in extents if extent != 1}
        if len(others) > 1:
            raise ValueError(f"not broadcastable: {shapes}")
        common.append(others.pop() if others else 1)
    return tuple(common)


def position(shape: Shape, index: Shape) -> int:
    """BRO-5: where a tensor of `shape` has the element that is seen at `index` of the common shape."""
    at = 0
    for extent, coordinate in zip(shape, index[len(index) - len(shape) :]):
        at = at * extent + (0 if extent == 1 else coordinate)
    return at


def max_of(dtype: str, inputs: list[tuple[Shape, list[int]]]) -> tuple[Shape, list[int]]:
    """MAX-2."""
    common = broadcast_shape([shape for shape, _ in inputs])
    if all(shape == common for shape, _ in inputs):
        return common, [maximum(dtype, list(operands)) for operands in zip(*(values for _, values in inputs))]
    output = []
    for index in itertools.product(*map(range, common)):
        output.append(maximum(dtype, [values[position(shape, index)] for shape, values in inputs]))
    return common, output


def reduced_dimensions(rank: int, axes: list[int] | None, noop: bool) -> set[int]:
    """RED-2 and RED-5. ValueError for an axis out of range or named twice."""
    if not axes:
        return set() if noop else set(range(rank))
    reduced = set()
    for axis in axes:
        dimension = axis + rank if axis < 0 else axis
        if not 0 <= dimension < rank or dimension in reduced:
            raise ValueError(f"axis {axis} of {axes} at rank {rank}")
        reduced.add(dimension)
    return reduced


def reduce_max(
    dtype: str, shape: Shape, values: list[int], axes: list[int] | None, keepdims: bool, noop: bool
) -> tuple[Shape, list[int]]:
    """RED-1, RED-3, RED-6."""
    reduced = reduced_dimensions(len(shape), axes, noop)
    kept = tuple(1 if d in reduced else extent for d, extent in enumerate(shape))
    groups: list[list[int]] = [[] for _ in range(prod(kept))]
    for value, index in zip(values, itertools.product(*map(range, shape))):
        groups[position(kept, index)].append(value)
    output = [maximum(dtype, group) for group in groups]
    return tuple(extent for d, extent in enumerate(kept) if keepdims or d not in reduced), output
