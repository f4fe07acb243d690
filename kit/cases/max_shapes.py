"""Cases of Max, by classes of shapes, numbers of inputs and opsets."""

from __future__ import annotations

import itertools
from math import prod

from case_file import MAX_TYPES_BY_OPSET, Group
from oracle import FLOATS, NUMBERS, Shape
from values import ladder, low_high, nans, operands_of, ordinary, shape_name, shapes_of


def shapes() -> list[Group]:
    same = Group("max_same_shape", ["MAX-2", "TYP-1"], "Inputs of one shape, of every rank and with extents of 1 and 0.")
    extents = shapes_of(
        "scalar 1 3 1by4 4by1 2by3 3by3 1by1 2by3by2 1by3by1 2by1by3by2 1by2by1by2by1by2 2by1by1by1by1by1by1by2 0 0by3 3by0"
        " 0by0 2by0by3 1by0"
    )
    for shape in extents:
        name = shape_name(shape)
        same.max(name, lambda t, s=shape, n=name: [(s, ordinary(t, prod(s), n)), (s, ordinary(t, prod(s), n + "b"))], NUMBERS)
    return [same]


def partners(full: Shape) -> list[Shape]:
    """Every shape that is broadcast to `full`: each leading part left out, each extent as it is or 1."""
    found: list[Shape] = []
    for missing in range(len(full) + 1):
        found += [shape for shape in itertools.product(*((extent, 1) for extent in full[missing:])) if shape not in found]
    return found


def pair(t: str, a: Shape, b: Shape) -> list[tuple[Shape, list[int]]]:
    return [(a, ordinary(t, prod(a), "left")), (b, ordinary(t, prod(b), "right"))]


def broadcasting() -> list[Group]:
    two = Group(
        "max_broadcast_matrix", ["BRO-5", "BRO-1", "BRO-2", "MAX-4"], "Every way in which two shapes meet in a matrix or less."
    )
    for a, b in itertools.product(partners((2, 3)), repeat=2):
        if a != b:
            two.max(f"{shape_name(a)}_with_{shape_name(b)}", lambda t, a=a, b=b: pair(t, a, b), NUMBERS)
    three = Group(
        "max_broadcast_cube", ["BRO-5", "BRO-1", "BRO-2", "MAX-4"], "Every way in which two shapes meet in three dimensions."
    )
    numbers = itertools.cycle(NUMBERS)
    for a, b in itertools.product(partners((2, 3, 2)), repeat=2):
        if a != b:
            three.max(f"{shape_name(a)}_with_{shape_name(b)}", lambda t, a=a, b=b: pair(t, a, b), (next(numbers),))
    empty = Group(
        "max_broadcast_empty", ["BRO-3"], "A zero extent is an extent like any other: with 1, with itself, or with none beside it."
    )
    for a, b in operands_of(
        "0_with_1 0_with_scalar 0by3_with_3 0by3_with_1by3 2by0_with_2by1 2by0_with_1 2by1_with_1by0 0by1_with_1by0"
        " 2by0by3_with_3 2by0by3_with_2by1by1"
    ):
        empty.max(f"{shape_name(a)}_with_{shape_name(b)}", lambda t, a=a, b=b: pair(t, a, b), NUMBERS)
        empty.max(f"{shape_name(b)}_with_{shape_name(a)}", lambda t, a=a, b=b: pair(t, b, a), ("float32", "int64", "uint8"))
    rank = Group("max_rank", ["BRO-4", "BRO-1"], "Ranks up to 64 work, and a scalar goes with each of them.")
    high: tuple[tuple[str, Shape, Shape], ...] = (
        ("rank_5_with_scalar", (1, 2, 1, 2, 1), ()),
        ("rank_8_with_rank_1", (1, 1, 2, 1, 1, 1, 1, 2), (2,)),
        ("rank_9_with_rank_2", (1,) * 7 + (2, 3), (2, 1)),
        ("rank_64_with_scalar", (1,) * 63 + (3,), ()),
        ("rank_64_with_rank_64", (2,) + (1,) * 63, (1,) * 63 + (2,)),
        ("rank_64_of_ones", (1,) * 64, (1,) * 64),
    )
    for name, a, b in high:
        rank.max(name, lambda t, a=a, b=b: pair(t, a, b), NUMBERS)
    tiles = Group(
        "max_broadcast_tiles",
        ["BRO-5", "ORD-5"],
        "Short rows under long ones: the small operand repeats within a vector, and the last vector is not full.",
    )
    for a, b in operands_of(
        "11by3_with_3 5by8_with_8 3by9_with_3by1 3by19_with_19 7by1_with_1by5 2by3by5_with_3by1 2by5by3_with_2by1by3 33_with_1"
        " 17_with_scalar 3by11_with_1by11"
    ):
        tiles.max(f"{shape_name(a)}_with_{shape_name(b)}", lambda t, a=a, b=b: pair(t, a, b), NUMBERS)
    return [two, three, empty, rank, tiles]


def inputs() -> list[Group]:
    count = Group("max_inputs", ["MAX-1", "MAX-2"], "Any number of inputs, with the greatest one first, amid them, or last.")
    for n in (2, 3, 4, 5, 8, 16, 33, 100):
        for place, at in {"first": 0, "middle": n // 2, "last": n - 1}.items():
            if n > 2 or place != "middle":
                count.max(
                    f"of_{n}_greatest_{place}",
                    lambda t, n=n, p=at: [((1,), [low_high(t)[1] if m == p else low_high(t)[0]]) for m in range(n)],
                    NUMBERS,
                )
    nan = Group("max_inputs_nan", ["ORD-3", "MAX-1"], "Among many inputs a NaN is kept, whichever it is in.")
    for n in (3, 4, 5, 9, 33):
        for at in range(n) if n < 9 else (0, n // 2, n - 1):
            nan.max(
                f"of_{n}_in_{at}",
                lambda t, n=n, p=at: [
                    ((2,), [ladder(t)["one"], nans(t)["quiet"] if m == p else ladder(t)["zero"]]) for m in range(n)
                ],
                tuple(FLOATS),
            )
    turned = Group("max_permutations", ["ORD-5", "MAX-2"], "The order of the inputs changes nothing.")
    for permutation in itertools.permutations(range(3)):
        turned.max(
            "order_" + "".join(map(str, permutation)),
            lambda t, q=permutation: [((5,), ordinary(t, 5, f"turned{m}")) for m in q],
            NUMBERS,
        )
    mixed = Group("max_inputs_broadcast", ["BRO-2", "BRO-5", "MAX-4"], "Three and more inputs of different shapes.")
    for of in operands_of(
        "2by1_with_1by3_with_scalar scalar_with_3_with_2by1 1_with_2by3_with_3 2by1by1_with_3by1_with_2"
        " 3_with_scalar_with_2by1_with_1by3_with_2by3 0by1_with_3_with_scalar 2by1_with_2by1_with_1by3"
    ):
        mixed.max(
            "_".join(map(shape_name, of)),
            lambda t, of=of: [(s, ordinary(t, prod(s), f"mixed{m}")) for m, s in enumerate(of)],
            NUMBERS,
        )
    return [count, nan, turned, mixed]


def versions() -> list[Group]:
    old = Group("max_versions_identical", ["MAX-3", "TYP-3", "MAX-5"], "Max-1 and Max-6 take inputs of one shape.")
    new = Group(
        "max_versions_broadcast",
        ["MAX-4", "TYP-3", "MAX-5"],
        "Max-8 and later broadcast; an opset between two versions uses the older one.",
    )
    same: dict[str, tuple[Shape, ...]] = {
        "one": ((3,),),
        "two": ((2, 2),) * 2,
        "three": ((2,),) * 3,
        "scalars": ((),) * 2,
        "empty": ((0, 2),) * 2,
    }
    different: dict[str, tuple[Shape, ...]] = {"row": ((2, 2), (2,)), "scalar": ((3,), ()), "both": ((2, 1), (1, 2))}
    for opset, types in MAX_TYPES_BY_OPSET.items():
        group = old if opset < 8 else new
        for name, of in {**same, **({} if opset < 8 else different)}.items():
            group.max(
                f"opset_{opset}_{name}",
                lambda t, of=of: [(s, ordinary(t, prod(s), f"version{m}")) for m, s in enumerate(of)],
                types,
                opset=opset,
            )
        floats = tuple(t for t in types if t in FLOATS)
        for first, second in (("quiet", "one"), ("one", "minus_signalling"), ("zero", "minus_zero"), ("minus_zero", "zero")):

            def two(t: str, a: str = first, b: str = second) -> list[tuple[Shape, list[int]]]:
                known = {**ladder(t), **nans(t)}
                return [((2,), [known[a]] * 2), ((2,), [known[b]] * 2)]

            group.max(f"opset_{opset}_{first}_{second}", two, floats, opset=opset)
    return [old, new]


def groups() -> list[Group]:
    return [*shapes(), *broadcasting(), *inputs(), *versions()]
