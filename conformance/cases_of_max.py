"""The valid cases of Max, by equivalence class."""

from __future__ import annotations

import itertools
from math import prod

from case_file import Group, MAX_TYPES_BY_OPSET
from oracle import FLOATS, INTEGERS, NUMBERS, Shape, least
from values import ladder, nans, ordinary

OPSET = 13  # the first that has all twelve types
# Around the widths of vectors of 16 to 64 bytes, and of a few of them.
LENGTHS = (1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65)
ORDINARY_NEIGHBOURS = ("infinity", "minus_infinity", "greatest", "one", "least_subnormal", "zero", "minus_zero", "minus_one")


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


def order() -> list[Group]:
    pairs = Group("max_neighbours", ["ORD-1", "ORD-2", "MAX-2"], "Of two neighbours in a type's order the greater wins, in either position.")
    table = Group("max_order_table", ["ORD-1", "ORD-2", "BRO-5"], "Every value of a ladder through the type's order against every other.")
    for types in (tuple(FLOATS), tuple(t for t in INTEGERS if t[0] == "i"), tuple(t for t in INTEGERS if t[0] == "u")):
        kind = {"b": "float", "i": "signed", "u": "unsigned"}[types[0][0]]
        names = list(ladder(types[0]))
        for low, high in zip(names, names[1:]):
            for first, second in ((low, high), (high, low)):
                pairs.max(f"{first}_{second}", OPSET, lambda t, a=first, b=second: [((), [ladder(t)[a]]), ((), [ladder(t)[b]])], types)
        steps = len(names)
        table.max(f"{kind}_rows_by_columns", OPSET,
                  lambda t, n=steps: [((n, 1), list(ladder(t).values())), ((1, n), list(ladder(t).values()))], types)  # fmt: skip
        table.max(f"{kind}_with_itself", OPSET, lambda t, n=steps: [((n,), list(ladder(t).values()))] * 2, types)
        table.max(f"{kind}_with_its_reverse", OPSET,
                  lambda t, n=steps: [((n,), list(ladder(t).values())), ((n,), list(ladder(t).values())[::-1])], types)  # fmt: skip
    return [pairs, table]


def zeros() -> list[Group]:
    group = Group("max_signed_zeros", ["ORD-2", "ORD-5"], "+0 is greater than -0 in every position and at every length.")
    sign = {"+": "zero", "-": "minus_zero"}
    for length in (0, 1, 2, 7, 8, 15, 16, 17, 33):  # 0 stands for a scalar
        shape: Shape = (length,) if length else ()
        for a, b in itertools.product("+-", "+-"):
            name = f"{'scalar' if not length else f'of_{length}'}_{sign[a]}_{sign[b]}"
            group.max(name, OPSET, lambda t, s=shape, a=a, b=b: [(s, [ladder(t)[sign[x]]] * prod(s)) for x in (a, b)], tuple(FLOATS))
    for signs in itertools.product("+-", repeat=3):
        name = "three_" + "_".join(sign[s] for s in signs)
        group.max(name, OPSET, lambda t, q=signs: [((2,), [ladder(t)[sign[s]]] * 2) for s in q], tuple(FLOATS))
    for a, b in ("+-", "-+"):
        group.max(f"alternating_{sign[a]}_scalar_{sign[b]}", OPSET,
                  lambda t, a=a, b=b: [((9,), [ladder(t)[sign[a]], ladder(t)[sign[b]]] * 4 + [ladder(t)[sign[a]]]),
                                       ((), [ladder(t)[sign[b]]])], tuple(FLOATS))  # fmt: skip
    return [group]


def not_a_number() -> list[Group]:
    floats = tuple(FLOATS)
    pairs = Group("max_nan_pairs", ["ORD-3", "ORD-4"], "A NaN of any sign and kind, in either position, gives the canonical NaN.")
    places_of = Group("max_nan_position", ["ORD-3", "ORD-4"], "A NaN at any position of a vector, in either input, stays one, and stays alone.")
    scalar = Group("max_nan_broadcast", ["ORD-3", "BRO-4", "BRO-5"], "A NaN that is broadcast fills what it is broadcast to.")
    single = Group("max_one_input", ["MAX-6", "ORD-4"], "One input is copied; its NaNs become canonical, all else keeps its bits.")
    for kind in nans("float32"):
        for other in (*ORDINARY_NEIGHBOURS, "minus_quiet"):
            for swapped in (False, True) if kind != other else (False,):
                def operands(t: str, k: str = kind, o: str = other, s: bool = swapped) -> list[tuple[Shape, list[int]]]:
                    both = [((1,), [nans(t)[k]]), ((1,), [{**ladder(t), **nans(t)}[o]])]
                    return both[::-1] if s else both
                pairs.max(f"{other}_then_{kind}" if swapped else f"{kind}_then_{other}", OPSET, operands, floats)
        single.max(f"nan_{kind}", OPSET, lambda t, k=kind: [((3,), [ladder(t)["one"], nans(t)[k], ladder(t)["minus_one"]])], floats)
        for swapped in (False, True):
            def filled(t: str, k: str = kind, s: bool = swapped) -> list[tuple[Shape, list[int]]]:
                both = [((), [nans(t)[k]]), ((2, 3), ordinary(t, 6, "scalar"))]
                return both[::-1] if s else both
            scalar.max(f"scalar_{kind}_{'second' if swapped else 'first'}", OPSET, filled, floats)
    for name, shape in (("row", (1, 3)), ("column", (2, 1)), ("one", (1,)), ("one_by_one", (1, 1))):
        for at in {0, prod(shape) - 1}:
            scalar.max(f"{name}_at_{at}", OPSET, lambda t, s=shape, p=at: [((2, 3), ordinary(t, 6, "filled")), (s, row(t, prod(s), p, "quiet", "one"))], floats)
    for length in LENGTHS:
        for place, at in places(length).items():
            for side in (0, 1):
                def one_nan(t: str, n: int = length, p: int = at, s: int = side) -> list[tuple[Shape, list[int]]]:
                    both = [((n,), row(t, n, p, "quiet", "one")), ((n,), [ladder(t)["infinity"]] * n)]
                    return both[::-1] if s else both
                places_of.max(f"of_{length}_at_{place}_in_{side}", OPSET, one_nan, floats)
    single.max("zeros_and_ends", OPSET, lambda t: [((len(ladder(t)),), list(ladder(t).values()))], floats)
    for types in (tuple(t for t in INTEGERS if t[0] == "i"), tuple(t for t in INTEGERS if t[0] == "u")):
        single.max(f"ladder_{'signed' if types[0][0] == 'i' else 'unsigned'}", OPSET, lambda t: [((len(ladder(t)),), list(ladder(t).values()))], types)
    for name, shape in (("scalar", ()), ("matrix", (2, 3)), ("empty", (0, 3)), ("vector_of_17", (17,))):
        single.max(name, OPSET, lambda t, s=shape: [(s, ordinary(t, prod(s), "single"))], NUMBERS)
    return [pairs, places_of, scalar, single]


def values() -> list[Group]:
    subnormal = Group("max_subnormals", ["ORD-6", "ORD-2"], "Subnormals are ordinary values: they are neither zero nor flushed to it.")
    small = ("minus_least_normal", "minus_greatest_subnormal", "minus_least_subnormal", "minus_zero", "zero", "least_subnormal", "greatest_subnormal")
    for a, b in itertools.permutations(small, 2):
        if {a, b} != {"zero", "minus_zero"}:
            subnormal.max(f"{a}_{b}", OPSET, lambda t, a=a, b=b: [((9,), [ladder(t)[a]] * 9), ((9,), [ladder(t)[b]] * 9)], tuple(FLOATS))
    infinite = Group("max_infinities", ["ORD-2"], "An infinity is the greatest, or least, number, and no error.")
    for n in (1, 8, 17):
        for a, b in itertools.product(("infinity", "minus_infinity"), repeat=2):
            infinite.max(f"of_{n}_{a}_{b}", OPSET, lambda t, n=n, a=a, b=b: [((n,), [ladder(t)[a]] * n), ((n,), [ladder(t)[b]] * n)], tuple(FLOATS))
    winner = Group("max_winner_position", ["MAX-2", "ORD-5"], "The greater element wins at each place of a vector, in its tail as well.")
    loser = Group("max_ordinary", ["MAX-2", "TYP-1"], "Ordinary values, element by element.")
    for length in LENGTHS[3:]:
        for place, at in {"first": 0, "middle": length // 2, "last": length - 1}.items():
            for side in (0, 1):
                def one_high(t: str, n: int = length, p: int = at, s: int = side) -> list[tuple[Shape, list[int]]]:
                    low, high = low_high(t)
                    both = [((n,), [low] * n), ((n,), [least(t)] * p + [high] + [least(t)] * (n - p - 1))]
                    return both[::-1] if s else both
                if side == 0 or length in (7, 17, 33):
                    winner.max(f"of_{length}_at_{place}_in_{1 - side}", OPSET, one_high, NUMBERS)
    for length in (1, 4, 7, 16, 17, 33):
        loser.max(f"of_{length}", OPSET, lambda t, n=length: [((n,), ordinary(t, n, f"a{n}")), ((n,), ordinary(t, n, f"b{n}"))], NUMBERS)
    long = Group("max_long", ["ORD-5", "ORD-2"], "Thousands of elements, and one more than a power of two: no tile and no tail is special.")
    for length in (8192, 8193):
        long.max(f"all_minus_zero_{length}", OPSET, lambda t, n=length: [((n,), [ladder(t)["minus_zero"]] * n)] * 2, ("float16", "float32"))
        long.max(f"last_wins_{length}", OPSET, lambda t, n=length: [((n,), [least(t)] * n), ((n,), [least(t)] * (n - 1) + [low_high(t)[1]])],
                 ("bfloat16", "int8", "uint16"))  # fmt: skip
    return [subnormal, infinite, winner, loser, long]


def shapes() -> list[Group]:
    same = Group("max_same_shape", ["MAX-2", "TYP-1"], "Inputs of one shape, of every rank and with extents of 1 and 0.")
    extents = ((), (1,), (3,), (1, 4), (4, 1), (2, 3), (1, 1), (2, 3, 2), (1, 3, 1), (2, 1, 3, 2), (1, 2, 1, 2, 1, 2), (2, 1, 1, 1, 1, 1, 1, 2), (0,), (0, 3),
               (3, 0), (0, 0), (2, 0, 3), (1, 0))  # fmt: skip
    for shape in extents:
        name = "by".join(map(str, shape)) or "scalar"
        same.max(name, OPSET, lambda t, s=shape, n=name: [(s, ordinary(t, prod(s), n)), (s, ordinary(t, prod(s), n + "b"))], NUMBERS)
    return [same]


def partners(full: Shape) -> list[Shape]:
    """Every shape that is broadcast to `full`: each leading part left out, each extent as it is or 1."""
    found: list[Shape] = []
    for missing in range(len(full) + 1):
        found += [shape for shape in itertools.product(*((extent, 1) for extent in full[missing:])) if shape not in found]
    return found


def shape_name(shape: Shape) -> str:
    return "by".join(map(str, shape)) or "scalar"


def pair(t: str, a: Shape, b: Shape) -> list[tuple[Shape, list[int]]]:
    return [(a, ordinary(t, prod(a), "left")), (b, ordinary(t, prod(b), "right"))]


def broadcasting() -> list[Group]:
    two = Group("max_broadcast_matrix", ["BRO-5", "BRO-1", "BRO-2", "MAX-4"], "Every way in which two shapes meet in a matrix or less.")
    for a, b in itertools.product(partners((2, 3)), repeat=2):
        if a != b:
            two.max(f"{shape_name(a)}_with_{shape_name(b)}", OPSET, lambda t, a=a, b=b: pair(t, a, b), NUMBERS)
    three = Group("max_broadcast_cube", ["BRO-5", "BRO-1", "BRO-2", "MAX-4"], "Every way in which two shapes meet in three dimensions.")
    numbers = itertools.cycle(NUMBERS)
    for a, b in itertools.product(partners((2, 3, 2)), repeat=2):
        if a != b:
            three.max(f"{shape_name(a)}_with_{shape_name(b)}", OPSET, lambda t, a=a, b=b: pair(t, a, b), (next(numbers),))
    empty = Group("max_broadcast_empty", ["BRO-3"], "A zero extent is an extent like any other: with 1, with itself, or with none beside it.")
    for a, b in (((0,), (1,)), ((0,), ()), ((0, 3), (3,)), ((0, 3), (1, 3)), ((2, 0), (2, 1)), ((2, 0), (1,)), ((2, 1), (1, 0)), ((0, 1), (1, 0)), ((2, 0, 3), (3,)),
                 ((2, 0, 3), (2, 1, 1))):  # fmt: skip
        empty.max(f"{shape_name(a)}_with_{shape_name(b)}", OPSET, lambda t, a=a, b=b: pair(t, a, b), NUMBERS)
        empty.max(f"{shape_name(b)}_with_{shape_name(a)}", OPSET, lambda t, a=a, b=b: pair(t, b, a), ("float32", "int64", "uint8"))
    rank = Group("max_rank", ["BRO-4", "BRO-1"], "Ranks up to 64 work, and a scalar goes with each of them.")
    high: tuple[tuple[str, Shape, Shape], ...] = (
        ("rank_5_with_scalar", (1, 2, 1, 2, 1), ()), ("rank_8_with_rank_1", (1, 1, 2, 1, 1, 1, 1, 2), (2,)), ("rank_9_with_rank_2", (1,) * 7 + (2, 3), (2, 1)),
        ("rank_64_with_scalar", (1,) * 63 + (3,), ()), ("rank_64_with_rank_64", (2,) + (1,) * 63, (1,) * 63 + (2,)), ("rank_64_of_ones", (1,) * 64, (1,) * 64))  # fmt: skip
    for name, a, b in high:
        rank.max(name, OPSET, lambda t, a=a, b=b: pair(t, a, b), NUMBERS)
    tiles = Group("max_broadcast_tiles", ["BRO-5", "ORD-5"], "Short rows under long ones: the small operand repeats within a vector, and the last vector is not full.")
    for a, b in (((11, 3), (3,)), ((5, 8), (8,)), ((3, 9), (3, 1)), ((3, 19), (19,)), ((7, 1), (1, 5)), ((2, 3, 5), (3, 1)), ((2, 5, 3), (2, 1, 3)), ((33,), (1,)),
                 ((17,), ()), ((3, 11), (1, 11))):  # fmt: skip
        tiles.max(f"{shape_name(a)}_with_{shape_name(b)}", OPSET, lambda t, a=a, b=b: pair(t, a, b), NUMBERS)
    return [two, three, empty, rank, tiles]


def inputs() -> list[Group]:
    count = Group("max_inputs", ["MAX-1", "MAX-2"], "Any number of inputs, with the greatest one first, amid them, or last.")
    for n in (2, 3, 4, 5, 8, 16, 33, 100):
        for place, at in {"first": 0, "middle": n // 2, "last": n - 1}.items():
            if n > 2 or place != "middle":
                count.max(f"of_{n}_greatest_{place}", OPSET,
                          lambda t, n=n, p=at: [((1,), [low_high(t)[1] if m == p else low_high(t)[0]]) for m in range(n)], NUMBERS)  # fmt: skip
    nan = Group("max_inputs_nan", ["ORD-3", "MAX-1"], "Among many inputs a NaN is kept, whichever it is in.")
    for n in (3, 4, 5, 9, 33):
        for at in range(n) if n < 9 else (0, n // 2, n - 1):
            nan.max(f"of_{n}_in_{at}", OPSET, lambda t, n=n, p=at: [((2,), [ladder(t)["one"], nans(t)["quiet"] if m == p else ladder(t)["zero"]]) for m in range(n)],
                    tuple(FLOATS))  # fmt: skip
    turned = Group("max_permutations", ["ORD-5", "MAX-2"], "The order of the inputs changes nothing.")
    for permutation in itertools.permutations(range(3)):
        turned.max("order_" + "".join(map(str, permutation)), OPSET, lambda t, q=permutation: [((5,), ordinary(t, 5, f"turned{m}")) for m in q], NUMBERS)
    mixed = Group("max_inputs_broadcast", ["BRO-2", "BRO-5", "MAX-4"], "Three and more inputs of different shapes.")
    for of in (((2, 1), (1, 3), ()), ((), (3,), (2, 1)), ((1,), (2, 3), (3,)), ((2, 1, 1), (3, 1), (2,)), ((3,), (), (2, 1), (1, 3), (2, 3)), ((0, 1), (3,), ()),
               ((2, 1), (2, 1), (1, 3))):  # fmt: skip
        mixed.max("_".join(map(shape_name, of)), OPSET, lambda t, of=of: [(s, ordinary(t, prod(s), f"mixed{m}")) for m, s in enumerate(of)], NUMBERS)
    return [count, nan, turned, mixed]


def versions() -> list[Group]:
    old = Group("max_versions_identical", ["MAX-3", "TYP-3", "MAX-5"], "Max-1 and Max-6 take inputs of one shape.")
    new = Group("max_versions_broadcast", ["MAX-4", "TYP-3", "MAX-5"], "Max-8 and later broadcast; an opset between two versions uses the older one.")
    same: dict[str, tuple[Shape, ...]] = {"one": ((3,),), "two": ((2, 2),) * 2, "three": ((2,),) * 3, "scalars": ((),) * 2, "empty": ((0, 2),) * 2}
    different: dict[str, tuple[Shape, ...]] = {"row": ((2, 2), (2,)), "scalar": ((3,), ()), "both": ((2, 1), (1, 2))}
    for opset, types in MAX_TYPES_BY_OPSET.items():
        group = old if opset < 8 else new
        for name, of in {**same, **({} if opset < 8 else different)}.items():
            group.max(f"opset_{opset}_{name}", opset, lambda t, of=of: [(s, ordinary(t, prod(s), f"version{m}")) for m, s in enumerate(of)], types)
        floats = tuple(t for t in types if t in FLOATS)
        for first, second in (("quiet", "one"), ("one", "minus_signalling"), ("zero", "minus_zero"), ("minus_zero", "zero")):
            def two(t: str, a: str = first, b: str = second) -> list[tuple[Shape, list[int]]]:
                known = {**ladder(t), **nans(t)}
                return [((2,), [known[a]] * 2), ((2,), [known[b]] * 2)]
            group.max(f"opset_{opset}_{first}_{second}", opset, two, floats)
    return [old, new]


def groups() -> list[Group]:
    return [*order(), *zeros(), *not_a_number(), *values(), *shapes(), *broadcasting(), *inputs(), *versions()]
