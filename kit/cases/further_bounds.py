"""Cases of bounds of errors: what is known of the true maximum of inputs with bounded errors (ACC-1 to ACC-4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from math import prod
from typing import Any

import bounds_oracle
from bounds_oracle import Operand
from case_file import Group
from oracle import FLOATS, INTEGERS, NUMBERS, TYPES, Shape
from values import ladder, low_high, nans, ordinary, sign_bit, text

Inputs = Callable[[str], list[Operand]]
FLOAT_TYPES, INTEGER_TYPES = tuple(FLOATS), tuple(INTEGERS)
SIGNED_TYPES = tuple(t for t in INTEGER_TYPES if t[0] == "i")


def magnitudes(dtype: str, values: list[int]) -> list[int]:
    """The same elements without their sign: bounds."""
    if dtype == "bool":
        return values
    return [value & ((1 << (sign_bit(dtype).bit_length() - 1)) - 1) if dtype[0] != "u" else value >> 1 for value in values]


def tensor(dtype: str, shape: Shape, seed: str, bound_shape: Shape | None = None) -> Operand:
    """Ordinary values and bounds."""
    of_bound = shape if bound_shape is None else bound_shape
    return shape, ordinary(dtype, prod(shape), seed), of_bound, magnitudes(dtype, ordinary(dtype, prod(of_bound), seed + "e"))


def vector(pairs: list[tuple[int, int]]) -> Operand:
    """A vector of values with a bound each."""
    shape = (len(pairs),)
    return shape, [value for value, _ in pairs], shape, [bound for _, bound in pairs]


def add(
    group: Group,
    name: str,
    types: tuple[str, ...],
    inputs: Inputs,
    axes: list[int] | None = None,
    keepdims: int = 0,
    error: str = "",
) -> None:
    """A case of Max, or with axes of ReduceMax."""
    bits: dict[str, Any] = {}
    case: dict[str, Any] = {"name": name, "operator": "Max" if axes is None else "ReduceMax"}
    if axes is not None:
        case["attributes"] = {"axes": axes, "keepdims": keepdims, **({} if axes else {"noop_with_empty_axes": 1})}
    if error:
        case["error"] = {"code": error, "rule": "ACC-2"}
    for dtype in types:
        operands = inputs(dtype)
        bits[dtype] = {
            "inputs": [text(dtype, values) for _, values, _, _ in operands],
            "bounds": [text(dtype, bounds) for _, _, _, bounds in operands],
        }
        shapes = {"shapes": [shape for shape, *_ in operands], "bound_shapes": [shape for _, _, shape, _ in operands]}
        if shapes != {key: case.get(key, value) for key, value in shapes.items()}:
            raise ValueError(f"{group.name}/{name}: the shapes of {dtype} are others")
        case |= shapes
        if error:
            continue
        if axes is None:
            known = bounds_oracle.max_with_bounds(dtype, operands)
        else:
            known = bounds_oracle.reduce_max_with_bounds(dtype, operands[0], axes, keepdims == 1)
        case["output_shape"] = known.shape
        bits[dtype] |= {part: text(dtype, values) for part, values in asdict(known).items() if part != "shape"}
    group.add({**case, "bits": bits})


def named(name: str, rules: list[str], reason: str) -> Group:
    return Group(name, rules, reason, list_name="bounds")


def ordinary_cases() -> list[Group]:
    group = named(
        "bounds_max", ["ACC-2", "ACC-3"], "The bound of the result, and the least and the greatest true maximum, of ordinary inputs."
    )
    for name, shapes in (
        ("one_input", [((7,), None)]),
        ("two_inputs", [((7,), None), ((7,), None)]),
        ("four_inputs", [((5,), None), ((5,), ()), ((5,), (1,)), ((5,), None)]),
        ("scalar_bounds", [((2, 3), ()), ((2, 3), ())]),
        ("row_and_column_bounds", [((2, 3), (3,)), ((2, 3), (2, 1))]),
        ("broadcast_values", [((2, 1), None), ((3,), None)]),
        ("broadcast_both", [((2, 3), (2, 1)), ((3,), (1,)), ((), ())]),
        ("33_elements", [((33,), None), ((33,), ())]),
        ("no_elements", [((0, 3), (1, 3)), ((3,), ())]),
    ):
        add(
            group,
            name,
            NUMBERS,
            lambda t, name=name, shapes=shapes: [tensor(t, s, f"{name}{m}", b) for m, (s, b) in enumerate(shapes)],
        )
    reduced = named("bounds_reduce", ["ACC-2", "ACC-3", "RED-1"], "The same for the elements that are reduced into one.")
    for name, shape, bound_shape, axes, keepdims in (
        ("vector", (9,), None, [0], 0),
        ("33_elements", (33,), (), [0], 1),
        ("rows", (3, 4), None, [1], 0),
        ("columns", (3, 4), (4,), [0], 0),
        ("middle", (2, 3, 2), (3, 1), [1], 1),
        ("first_and_last", (2, 3, 2), (), [0, 2], 0),
        ("identity", (2, 3), None, [], 0),
    ):
        add(reduced, name, TYPES, lambda t, n=name, s=shape, b=bound_shape: [tensor(t, s, n, b)], axes, keepdims)
    empty = named("bounds_empty", ["ACC-2", "RED-6"], "The maximum of no elements is exact: its bound is 0 and both ends are Bottom.")
    for keepdims in (0, 1):
        add(empty, f"keepdims_{keepdims}", TYPES, lambda t: [((2, 0), [], (), [1])], [1], keepdims)
    return [group, reduced, empty]


def exact() -> list[Group]:
    group = named(
        "bounds_exact",
        ["ACC-1", "ACC-2"],
        "Inputs without errors: the bound is 0 and both ends are the result, whose bits are those of Max: it adds no error.",
    )
    for count in (1, 2, 3):
        add(
            group,
            f"{count}_inputs",
            NUMBERS,
            lambda t, n=count: [((8,), (finite(t) * 3)[m : m + 8], (), [0]) for m in range(n)],
        )
    add(
        group,
        "zeros",
        FLOAT_TYPES,
        lambda t: [vector([(z, 0) for z in (0, sign_bit(t)) * 2]), vector([(0, 0)] * 2 + [(sign_bit(t), 0)] * 2)],
    )
    add(group, "minus_zero_as_a_bound", FLOAT_TYPES, lambda t: [vector([(z, sign_bit(t)) for z in finite(t)])])
    add(group, "reduce", TYPES, lambda t: [((2, 4), (finite(t) * 4)[:8], (), [0])], [1])
    return [group]


def finite(dtype: str) -> list[int]:
    return [value for name, value in ladder(dtype).items() if "infinity" not in name]


def positive(dtype: str) -> list[int]:
    return [value for value in finite(dtype) if not value & sign_bit(dtype)]


def near_ties(dtype: str) -> list[tuple[int, int]]:
    """Values beside powers of two, with bounds that are a quarter, a half and one and a half of the distance to the next value, and
    their neighbours: sums that are representable, half-way, and just beside."""
    exponent_bits, fraction_bits = FLOATS[dtype]
    steps = ladder(dtype)
    found = []
    for value in (steps["one"] - 1, steps["one"], steps["after_one"], steps["greatest"], steps["greatest"] - 1, 1 << (fraction_bits + 2)):
        exponent = value >> fraction_bits
        # One unit in the last place of a normal number; half and a quarter of it, which may be subnormal.
        units = []
        for less in (0, 1, 2):
            place = exponent - fraction_bits - less
            units.append(place << fraction_bits if place > 0 else 1 << max(0, fraction_bits - 1 + place))
        units.append(units[0] | 1 << (fraction_bits - 1))  # one and a half
        for unit in units:
            for error in {max(0, unit - 1), unit, unit + 1}:
                for sign in (0, sign_bit(dtype)):
                    found.append((value | sign, error))
    return sorted(found)


def rounding() -> list[Group]:
    ladders = named(
        "bounds_rounding",
        ["ACC-3", "ACC-4"],
        "The ends are rounded outwards, to an infinity beyond the greatest finite number; a sum of exactly 0 is -0 below and +0 above.",
    )
    for name in ("one", "least_subnormal", "greatest_subnormal", "least_normal", "greatest", "after_one"):
        add(ladders, f"every_value_with_{name}", FLOAT_TYPES, lambda t, n=name: [vector([(z, ladder(t)[n]) for z in finite(t)])])
    add(ladders, "sums_of_zero", FLOAT_TYPES, lambda t: [vector([(z | s, z) for z in positive(t) for s in (0, sign_bit(t))])])
    add(ladders, "beside_representable_sums", FLOAT_TYPES, lambda t: [vector(near_ties(t))])
    add(ladders, "reduce_beside_representable_sums", FLOAT_TYPES, lambda t: [vector(near_ties(t))], [0])
    whole = named("bounds_integers", ["ACC-2", "ACC-3"], "Ends of integers stop at the limits of their type.")
    for kind, types in (("signed", SIGNED_TYPES), ("unsigned", tuple(t for t in INTEGER_TYPES if t not in SIGNED_TYPES))):
        for name in ("zero", "one", "before_greatest", "greatest"):

            def every_value(t: str, name: str = name) -> list[Operand]:
                return [vector([(z, ladder(t).get(name, 1)) for z in ladder(t).values()])]

            add(whole, f"every_{kind}_value_with_{name}", types, every_value)
            add(whole, f"reduce_every_{kind}_value_with_{name}", types, every_value, [0])
    for values in ("00", "01", "10", "11"):
        for bounds in ("00", "01", "10", "11"):
            add(
                whole,
                f"bools_{values}_with_{bounds}",
                ("bool",),
                lambda t, v=values, e=bounds: [vector([(int(a), int(b)) for a, b in zip(v, e)])],
                [0],
            )
    return [ladders, whole]


def sharper() -> list[Group]:
    group = named("bounds_cannot_win", ["ACC-3"], "An input that cannot be the maximum adds nothing to either end.")
    for position in ("first", "last"):

        def inputs(t: str, position: str = position) -> list[Operand]:
            low, high = low_high(t)
            small = vector([(low, ladder(t).get("least_subnormal", 1))] * 5)
            certain = vector([(high, 0)] * 5)
            return [small, certain] if position == "first" else [certain, small]

        add(group, f"{position}_of_two", NUMBERS, inputs)
    add(
        group,
        "some_elements",
        FLOAT_TYPES,
        lambda t: [
            vector([(ladder(t)[z], ladder(t)["one"]) for z in ("minus_one", "zero", "one", "after_one")]),
            vector([(ladder(t)["one"], ladder(t)[e]) for e in ("least_normal", "one", "zero", "greatest")]),
        ],
    )
    return [group]


def not_finite() -> list[Group]:
    group = named(
        "bounds_not_finite",
        ["ACC-4"],
        "A NaN or an infinity in a value or a bound: the bound is +inf, the upper end +inf, the lower end what the other inputs guarantee.",
    )
    for name in ("infinity", "minus_infinity", *nans("float32")):

        def special(t: str, name: str = name) -> int:
            return {**ladder(t), **nans(t)}[name]

        def other(t: str) -> Operand:
            return vector([(z, ladder(t)["one"]) for z in finite(t)])

        def of_value(t: str, special: Callable[[str], int] = special) -> Operand:
            return vector([(special(t), ladder(t)["one"])] * len(finite(t)))

        def of_bound(t: str, special: Callable[[str], int] = special) -> Operand:
            return vector([(z, special(t)) for z in finite(t)])

        # A bound of -inf is below zero: an error.
        kinds = {"value": of_value, **({"bound": of_bound} if name != "minus_infinity" else {})}
        for kind, operand in kinds.items():
            add(group, f"{name}_as_{kind}", FLOAT_TYPES, lambda t, operand=operand: [operand(t)])
            add(group, f"{name}_as_{kind}_of_the_first", FLOAT_TYPES, lambda t, operand=operand: [operand(t), other(t)])
            add(group, f"{name}_as_{kind}_of_the_last", FLOAT_TYPES, lambda t, operand=operand: [other(t), operand(t)])
            add(group, f"reduce_{name}_as_{kind}", FLOAT_TYPES, lambda t, operand=operand: [operand(t)], [0])
    return [group]


def negative() -> list[Group]:
    group = named("bounds_negative", ["ACC-2"], "A bound below zero is an error.")
    signed = (*FLOAT_TYPES, *SIGNED_TYPES)
    for place in (0, 4, 8):
        def at(t: str, place: int = place) -> Operand:
            return vector([(ladder(t)["one"], ladder(t)["minus_one" if p == place else "one"]) for p in range(9)])

        add(group, f"of_one_at_{place}", signed, lambda t, at=at: [at(t)], error="negative_bound")
        add(group, f"of_the_last_at_{place}", signed, lambda t, at=at: [tensor(t, (9,), "a"), at(t)], error="negative_bound")
        add(group, f"reduce_at_{place}", signed, lambda t, at=at: [at(t)], [0], error="negative_bound")
    add(group, "least_subnormal", FLOAT_TYPES, lambda t: [vector([(0, sign_bit(t) | 1)])], error="negative_bound")
    add(group, "minus_infinity", FLOAT_TYPES, lambda t: [vector([(0, ladder(t)["minus_infinity"])])], error="negative_bound")
    return [group]


def groups() -> list[Group]:
    return [*ordinary_cases(), *exact(), *rounding(), *sharper(), *not_finite(), *negative()]
