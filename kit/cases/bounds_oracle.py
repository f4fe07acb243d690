"""Bounds of errors through Max and ReduceMax (ACC-1 to ACC-4) in exact rationals, from docs/semantics.md alone, as oracle.py."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import oracle
from oracle import FLOATS, INTEGERS, Shape


@dataclass(frozen=True)
class Bounded:
    """A result and its bounds, element by element."""

    shape: Shape
    value: list[int]
    bound: list[int]
    lower: list[int]
    upper: list[int]


def infinity(dtype: str) -> int:
    exponent_bits, fraction_bits = FLOATS[dtype]
    return ((1 << exponent_bits) - 1) << fraction_bits


def number(dtype: str, bits: int) -> Fraction | None:
    """The number that an element is; None for a NaN and for infinities."""
    key = oracle.key(dtype, bits)
    return None if key is None or key[0] else key[1]


@lru_cache(maxsize=None)
def round_up(dtype: str, exact: Fraction) -> int:
    """The least element of the type that is not less than a number; of zeros +0. An integer type ends at its limits."""
    if dtype not in FLOATS:
        size, signed = INTEGERS.get(dtype, (1, False))
        least, most = (-(1 << (size - 1)), (1 << (size - 1)) - 1) if signed else (0, (1 << size) - 1)
        return int(min(max(exact, Fraction(least)), Fraction(most))) % (1 << size)
    if exact < 0:
        return round_down(dtype, -exact) | 1 << (oracle.width(dtype) - 1)
    # Bits of floats that are not negative are in the order of the numbers; the last is +inf.
    low, high = 0, infinity(dtype)
    while low < high:
        middle = (low + high) // 2
        if number(dtype, middle) >= exact:  # type: ignore[operator]
            high = middle
        else:
            low = middle + 1
    return low


@lru_cache(maxsize=None)
def round_down(dtype: str, exact: Fraction) -> int:
    """The greatest element of the type that is not greater than a number; of zeros -0 for a float."""
    if dtype not in FLOATS:
        return round_up(dtype, exact)
    if exact <= 0:
        return round_up(dtype, -exact) | 1 << (oracle.width(dtype) - 1)
    above = round_up(dtype, exact)
    return above if above != infinity(dtype) and number(dtype, above) == exact else above - 1


def ends(dtype: str, value: int, error: int) -> tuple[int, int, int]:
    """The bound of an operand, and the least and the greatest value that it may truly have."""
    z, e = number(dtype, value), number(dtype, error)
    if z is None or e is None:
        return infinity(dtype), oracle.least(dtype), infinity(dtype)
    if e < 0:
        raise ValueError(f"a bound of {e}")
    if e == 0:
        return 0, value, value
    return error, round_down(dtype, z - e), round_up(dtype, z + e)


def _fold(dtype: str, operands: list[tuple[int, int]]) -> tuple[int, int, int, int]:
    """The value, bound and ends of the maximum of operands with their errors."""
    known = [ends(dtype, *operand) for operand in operands]
    return (
        oracle.maximum(dtype, [value for value, _ in operands]),
        oracle.maximum(dtype, [bound for bound, _, _ in known]) if known else 0,
        oracle.maximum(dtype, [lower for _, lower, _ in known]),
        oracle.maximum(dtype, [upper for _, _, upper in known]),
    )


def _bounded(shape: Shape, found: list[tuple[int, int, int, int]]) -> Bounded:
    value, bound, lower, upper = (list(part) for part in zip(*found)) if found else ([], [], [], [])
    return Bounded(shape, value, bound, lower, upper)


def _read(shape: Shape, values: list[int], index: Shape) -> int:
    return values[oracle.position(shape, index)]


Operand = tuple[Shape, list[int], Shape, list[int]]  # shape and elements, and those of the bound, which is broadcast to it


def max_with_bounds(dtype: str, inputs: list[Operand]) -> Bounded:
    """ACC-2 and ACC-3 of Max."""
    common = oracle.broadcast_shape([shape for shape, *_ in inputs])
    found = []
    for index in itertools.product(*map(range, common)):
        operands = []
        for shape, values, bound_shape, bounds in inputs:
            own = tuple(0 if extent == 1 else c for extent, c in zip(shape, index[len(common) - len(shape) :]))
            operands.append((_read(shape, values, own), _read(bound_shape, bounds, own)))
        found.append(_fold(dtype, operands))
    return _bounded(common, found)


def reduce_max_with_bounds(dtype: str, source: Operand, axes: list[int], keepdims: bool) -> Bounded:
    """ACC-2 and ACC-3 of ReduceMax."""
    shape, values, bound_shape, bounds = source
    reduced = oracle.reduced_dimensions(len(shape), axes, True)
    kept = tuple(1 if d in reduced else extent for d, extent in enumerate(shape))
    groups: dict[Shape, list[tuple[int, int]]] = {index: [] for index in itertools.product(*map(range, kept))}
    for index in itertools.product(*map(range, shape)):
        to = tuple(0 if d in reduced else c for d, c in enumerate(index))
        groups[to].append((_read(shape, values, index), _read(bound_shape, bounds, index)))
    result = tuple(extent for d, extent in enumerate(kept) if keepdims or d not in reduced)
    return _bounded(result, [_fold(dtype, operands) for operands in groups.values()])
