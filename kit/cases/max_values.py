"""Cases of Max, by classes of values."""

from __future__ import annotations

import itertools
from math import prod

from case_file import Group
from oracle import FLOATS, INTEGERS, NUMBERS, Shape, least
from values import AROUND_ZERO, LENGTHS, NEIGHBOURS, ladder, low_high, nans, ordinary, places, row


def order() -> list[Group]:
    pairs = Group(
        "max_neighbours", ["ORD-1", "ORD-2", "MAX-2"], "Of two neighbours in a type's order the greater wins, in either position."
    )
    table = Group(
        "max_order_table", ["ORD-1", "ORD-2", "BRO-5"], "Every value of a ladder through the type's order against every other."
    )
    for types in (tuple(FLOATS), tuple(t for t in INTEGERS if t[0] == "i"), tuple(t for t in INTEGERS if t[0] == "u")):
        kind = {"b": "float", "i": "signed", "u": "unsigned"}[types[0][0]]
        names = list(ladder(types[0]))
        for low, high in zip(names, names[1:]):
            for first, second in ((low, high), (high, low)):
                pairs.max(f"{first}_{second}", lambda t, a=first, b=second: [((), [ladder(t)[a]]), ((), [ladder(t)[b]])], types)
        steps = len(names)
        table.max(
            f"{kind}_rows_by_columns",
            lambda t, n=steps: [((n, 1), list(ladder(t).values())), ((1, n), list(ladder(t).values()))],
            types,
        )
        table.max(f"{kind}_with_itself", lambda t, n=steps: [((n,), list(ladder(t).values()))] * 2, types)
        table.max(
            f"{kind}_with_its_reverse",
            lambda t, n=steps: [((n,), list(ladder(t).values())), ((n,), list(ladder(t).values())[::-1])],
            types,
        )
    return [pairs, table]


def zeros() -> list[Group]:
    group = Group("max_signed_zeros", ["ORD-2", "ORD-5"], "+0 is greater than -0 in every position and at every length.")
    sign = {"+": "zero", "-": "minus_zero"}
    for length in (0, 1, 2, 7, 8, 15, 16, 17, 33):  # 0 stands for a scalar
        shape: Shape = (length,) if length else ()
        for a, b in itertools.product("+-", "+-"):
            name = f"{'scalar' if not length else f'of_{length}'}_{sign[a]}_{sign[b]}"
            group.max(name, lambda t, s=shape, a=a, b=b: [(s, [ladder(t)[sign[x]]] * prod(s)) for x in (a, b)], tuple(FLOATS))
    for signs in itertools.product("+-", repeat=3):
        name = "three_" + "_".join(sign[s] for s in signs)
        group.max(name, lambda t, q=signs: [((2,), [ladder(t)[sign[s]]] * 2) for s in q], tuple(FLOATS))
    for a, b in ("+-", "-+"):
        group.max(
            f"alternating_{sign[a]}_scalar_{sign[b]}",
            lambda t, a=a, b=b: [
                ((9,), [ladder(t)[sign[a]], ladder(t)[sign[b]]] * 4 + [ladder(t)[sign[a]]]),
                ((), [ladder(t)[sign[b]]]),
            ],
            tuple(FLOATS),
        )
    return [group]


def not_a_number() -> list[Group]:
    floats = tuple(FLOATS)
    pairs = Group("max_nan_pairs", ["ORD-3", "ORD-4"], "A NaN of any sign and kind, in either position, gives the canonical NaN.")
    places_of = Group(
        "max_nan_position", ["ORD-3", "ORD-4"], "A NaN at any position of a vector, in either input, stays one, and stays alone."
    )
    scalar = Group("max_nan_broadcast", ["ORD-3", "BRO-4", "BRO-5"], "A NaN that is broadcast fills what it is broadcast to.")
    single = Group("max_one_input", ["MAX-6", "ORD-4"], "One input is copied; its NaNs become canonical, all else keeps its bits.")
    for kind in nans("float32"):
        for other in (*NEIGHBOURS, "minus_quiet"):
            for swapped in (False, True) if kind != other else (False,):

                def operands(t: str, k: str = kind, o: str = other, s: bool = swapped) -> list[tuple[Shape, list[int]]]:
                    both = [((1,), [nans(t)[k]]), ((1,), [{**ladder(t), **nans(t)}[o]])]
                    return both[::-1] if s else both

                pairs.max(f"{other}_then_{kind}" if swapped else f"{kind}_then_{other}", operands, floats)
        single.max(f"nan_{kind}", lambda t, k=kind: [((3,), [ladder(t)["one"], nans(t)[k], ladder(t)["minus_one"]])], floats)
        for swapped in (False, True):

            def filled(t: str, k: str = kind, s: bool = swapped) -> list[tuple[Shape, list[int]]]:
                both = [((), [nans(t)[k]]), ((2, 3), ordinary(t, 6, "scalar"))]
                return both[::-1] if s else both

            scalar.max(f"scalar_{kind}_{'second' if swapped else 'first'}", filled, floats)
    for name, shape in (("row", (1, 3)), ("column", (2, 1)), ("one", (1,)), ("one_by_one", (1, 1))):
        for at in {0, prod(shape) - 1}:
            scalar.max(
                f"{name}_at_{at}",
                lambda t, s=shape, p=at: [((2, 3), ordinary(t, 6, "filled")), (s, row(t, prod(s), p, "quiet", "one"))],
                floats,
            )
    for length in LENGTHS:
        for place, at in places(length).items():
            for side in (0, 1):

                def one_nan(t: str, n: int = length, p: int = at, s: int = side) -> list[tuple[Shape, list[int]]]:
                    both = [((n,), row(t, n, p, "quiet", "one")), ((n,), [ladder(t)["infinity"]] * n)]
                    return both[::-1] if s else both

                places_of.max(f"of_{length}_at_{place}_in_{side}", one_nan, floats)
    single.max("zeros_and_ends", lambda t: [((len(ladder(t)),), list(ladder(t).values()))], floats)
    for types in (tuple(t for t in INTEGERS if t[0] == "i"), tuple(t for t in INTEGERS if t[0] == "u")):
        single.max(
            f"ladder_{'signed' if types[0][0] == 'i' else 'unsigned'}",
            lambda t: [((len(ladder(t)),), list(ladder(t).values()))],
            types,
        )
    for name, shape in (("scalar", ()), ("matrix", (2, 3)), ("empty", (0, 3)), ("vector_of_17", (17,))):
        single.max(name, lambda t, s=shape: [(s, ordinary(t, prod(s), "single"))], NUMBERS)
    return [pairs, places_of, scalar, single]


def values() -> list[Group]:
    subnormal = Group(
        "max_subnormals", ["ORD-6", "ORD-2"], "Subnormals are ordinary values: they are neither zero nor flushed to it."
    )
    for a, b in itertools.permutations(AROUND_ZERO, 2):
        if {a, b} != {"zero", "minus_zero"}:
            subnormal.max(f"{a}_{b}", lambda t, a=a, b=b: [((9,), [ladder(t)[a]] * 9), ((9,), [ladder(t)[b]] * 9)], tuple(FLOATS))
    infinite = Group("max_infinities", ["ORD-2"], "An infinity is the greatest, or least, number, and no error.")
    for n in (1, 8, 17):
        for a, b in itertools.product(("infinity", "minus_infinity"), repeat=2):
            infinite.max(
                f"of_{n}_{a}_{b}",
                lambda t, n=n, a=a, b=b: [((n,), [ladder(t)[a]] * n), ((n,), [ladder(t)[b]] * n)],
                tuple(FLOATS),
            )
    winner = Group(
        "max_winner_position", ["MAX-2", "ORD-5"], "The greater element wins at each place of a vector, in its tail as well."
    )
    loser = Group("max_ordinary", ["MAX-2", "TYP-1"], "Ordinary values, element by element.")
    for length in LENGTHS[3:]:
        for place, at in {"first": 0, "middle": length // 2, "last": length - 1}.items():
            for side in (0, 1):

                def one_high(t: str, n: int = length, p: int = at, s: int = side) -> list[tuple[Shape, list[int]]]:
                    low, high = low_high(t)
                    both = [((n,), [low] * n), ((n,), [least(t)] * p + [high] + [least(t)] * (n - p - 1))]
                    return both[::-1] if s else both

                if side == 0 or length in (7, 17, 33):
                    winner.max(f"of_{length}_at_{place}_in_{1 - side}", one_high, NUMBERS)
    for length in (1, 4, 7, 16, 17, 33):
        loser.max(f"of_{length}", lambda t, n=length: [((n,), ordinary(t, n, f"a{n}")), ((n,), ordinary(t, n, f"b{n}"))], NUMBERS)
    long = Group(
        "max_long", ["ORD-5", "ORD-2"], "Thousands of elements, and one more than a power of two: no tile and no tail is special."
    )
    for length in (8192, 8193):
        long.max(
            f"all_minus_zero_{length}",
            lambda t, n=length: [((n,), [ladder(t)["minus_zero"]] * n)] * 2,
            ("float16", "float32"),
        )
        long.max(
            f"last_wins_{length}",
            lambda t, n=length: [((n,), [least(t)] * n), ((n,), [least(t)] * (n - 1) + [low_high(t)[1]])],
            ("bfloat16", "int8", "uint16"),
        )
    many = 262145  # half a megabyte moves, and work is handed to a second thread
    long.max("work_for_two_threads", lambda t: [((many,), [1] * (many - 1) + [9]), ((), [5])], ("uint8",))
    return [subnormal, infinite, winner, loser, long]


def groups() -> list[Group]:
    return [*order(), *zeros(), *not_a_number(), *values()]
