"""The classes of values that cases are made of, as bits of each type, and the notation of runs."""

from __future__ import annotations

import zlib
from typing import Any

from oracle import FLOATS, INTEGERS, Shape, width

# Around the widths of vectors of 16 to 64 bytes, and of a few of them.
LENGTHS = (1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65)
# Where flushing subnormals, or rounding to zero, would show, in their order.
AROUND_ZERO = (
    "minus_least_normal",
    "minus_greatest_subnormal",
    "minus_least_subnormal",
    "minus_zero",
    "zero",
    "least_subnormal",
    "greatest_subnormal",
)
# The other operands of a NaN.
NEIGHBOURS = ("infinity", "minus_infinity", "greatest", "one", "least_subnormal", "zero", "minus_zero", "minus_one")


def sign_bit(dtype: str) -> int:
    return 1 << (width(dtype) - 1)


def ladder(dtype: str) -> dict[str, int]:
    """Values where a type's order has its joints, each less than the next one (ORD-1, ORD-2)."""
    if dtype == "bool":
        return {"false": 0, "true": 1}
    if dtype in INTEGERS:
        size, signed = INTEGERS[dtype]
        top, mask = 1 << (size - 1), (1 << size) - 1
        if signed:
            return {
                "least": top,
                "after_least": top + 1,
                "minus_two": mask - 1,
                "minus_one": mask,
                "zero": 0,
                "one": 1,
                "before_greatest": top - 2,
                "greatest": top - 1,
            }
        return {"zero": 0, "one": 1, "before_half": top - 1, "half": top, "before_greatest": mask - 1, "greatest": mask}
    exponent_bits, fraction_bits = FLOATS[dtype]
    one = ((1 << (exponent_bits - 1)) - 1) << fraction_bits
    infinity = ((1 << exponent_bits) - 1) << fraction_bits
    above = {
        "least_subnormal": 1,
        "greatest_subnormal": (1 << fraction_bits) - 1,
        "least_normal": 1 << fraction_bits,
        "one": one,
        "after_one": one + 1,
        "greatest": infinity - 1,
        "infinity": infinity,
    }
    below = {f"minus_{name}": sign_bit(dtype) | bits for name, bits in reversed(above.items())}
    return {**below, "minus_zero": sign_bit(dtype), "zero": 0, **above}


def nans(dtype: str) -> dict[str, int]:
    """NaNs of both signs, quiet and signalling, with the ends of their payloads."""
    exponent_bits, fraction_bits = FLOATS[dtype]
    base, quiet = ((1 << exponent_bits) - 1) << fraction_bits, 1 << (fraction_bits - 1)
    kinds = {
        "quiet": base | quiet,
        "quiet_full": base | quiet | (quiet - 1),
        "signalling": base | 1,
        "signalling_full": base | (quiet - 1),
    }
    return {**kinds, **{f"minus_{name}": sign_bit(dtype) | bits for name, bits in kinds.items()}}


def ordinary(dtype: str, count: int, seed: str) -> list[int]:
    """`count` values without a special class: floats of moderate size and either sign, any integer."""
    state = zlib.crc32(seed.encode())
    values = []
    for _ in range(count):
        bits = 0
        for _ in range(2):
            state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            bits = bits << 32 | state >> 32
        if dtype == "bool":
            values.append(bits >> 40 & 1)
        elif dtype in INTEGERS:
            values.append(bits % (1 << width(dtype)))
        else:
            exponent_bits, fraction_bits = FLOATS[dtype]
            exponent = (1 << (exponent_bits - 1)) - 5 + bits % 8
            fraction = (bits >> 3) % (1 << fraction_bits)
            values.append((bits >> 63) * sign_bit(dtype) | exponent << fraction_bits | fraction)
    return values


def text(dtype: str, values: list[int]) -> str:
    """Elements as hex numbers of full width; `X*6` means six elements X."""
    digits = width(dtype) // 4
    runs: list[list[int]] = []
    for value in values:
        if runs and runs[-1][0] == value:
            runs[-1][1] += 1
        else:
            runs.append([value, 1])
    parts = []
    for value, count in runs:
        element = f"{value:0{digits}x}"
        repeated = " ".join([element] * count)
        parts.append(min(repeated, f"{element}*{count}", key=len))
    return " ".join(parts)


def places(length: int) -> dict[str, int]:
    """Every position of a short vector, the joints of a long one."""
    if length <= 9:
        return {f"{p}": p for p in range(length)}
    return {"first": 0, "middle": length // 2, "last": length - 1}


def row(dtype: str, length: int, at: int, name: str, rest: str) -> list[int]:
    """`rest` everywhere but at one position; both are names of the ladder or of a NaN."""
    known = {**ladder(dtype), **(nans(dtype) if dtype in FLOATS else {})}
    values = [known[rest]] * length
    values[at] = known[name]
    return values


def low_high(dtype: str) -> tuple[int, int]:
    """Two ordinary values, the first one less."""
    steps = ladder(dtype)
    return (steps["minus_one"], steps["one"]) if dtype not in INTEGERS else (steps["one"], steps["greatest"])


def shape_name(shape: Shape) -> str:
    return "by".join(map(str, shape)) or "scalar"


def shape_of(name: str) -> Shape:
    """The shape that shape_name names."""
    return () if name == "scalar" else tuple(map(int, name.split("by")))


def shapes_of(names: str) -> list[Shape]:
    return [shape_of(name) for name in names.split()]


def operands_of(names: str) -> list[list[Shape]]:
    """"2by1_with_3 ...": the shapes of the operands of each case."""
    return [[shape_of(name) for name in one.split("_with_")] for one in names.split()]


def reductions_of(names: str) -> list[tuple[Shape, Any]]:
    """"2by3_along_0_1 2by3_along_none 2by3_along_absent ...": the shape and the axes of each case; None if they are absent."""
    pairs = [one.split("_along_") for one in names.split()]
    few: dict[str, Any] = {"none": [], "absent": None}
    return [(shape_of(shape), few[axes] if axes in few else [int(axis) for axis in axes.split("_")]) for shape, axes in pairs]
