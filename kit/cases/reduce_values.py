"""Cases of ReduceMax, by classes of values."""

from __future__ import annotations

import itertools
from math import prod

from case_file import ALL, Group
from oracle import FLOATS, INTEGERS, NUMBERS, least
from values import AROUND_ZERO, LENGTHS, NEIGHBOURS, ladder, low_high, nans, ordinary, places, reductions_of, row, shape_name


def order() -> list[Group]:
    pairs = Group(
        "reduce_neighbours",
        ["ORD-1", "ORD-2", "RED-1"],
        "Of two neighbours in a type's order the greater is kept, in either position.",
    )
    rows = Group(
        "reduce_order_rows", ["ORD-1", "ORD-2", "ORD-5"], "A row through a type's order, from every beginning, gives its greatest."
    )
    for types in (tuple(FLOATS), tuple(t for t in INTEGERS if t[0] == "i"), tuple(t for t in INTEGERS if t[0] == "u")):
        names = list(ladder(types[0]))
        for low, high in zip(names, names[1:]):
            for first, second in ((low, high), (high, low)):
                pairs.reduce(
                    f"{first}_{second}",
                    (2,),
                    lambda t, a=first, b=second: [ladder(t)[a], ladder(t)[b]],
                    types,
                    axes=[0],
                    keepdims=0,
                )
        kind = {"b": "float", "i": "signed", "u": "unsigned"}[types[0][0]]
        for name, turn in (("ascending", 0), ("from_the_middle", len(names) // 2), ("descending", -1)):

            def turned(t: str, turn: int = turn) -> list[int]:
                steps = list(ladder(t).values())
                return steps[::-1] if turn < 0 else steps[turn:] + steps[:turn]

            rows.reduce(f"{kind}_{name}", (len(names),), turned, types, **ALL)
    return [pairs, rows]


def zeros() -> list[Group]:
    group = Group(
        "reduce_signed_zeros", ["ORD-2", "ORD-5"], "A +0 among zeros gives +0, wherever it stands; zeros of one sign keep it."
    )
    for length in (2, 3, 8, 17, 33, 65):
        for place, at in (places(length) if length < 4 else {"first": 0, "middle": length // 2, "last": length - 1}).items():
            group.reduce(
                f"of_{length}_zero_at_{place}",
                (length,),
                lambda t, n=length, p=at: row(t, n, p, "zero", "minus_zero"),
                tuple(FLOATS),
                **ALL,
            )
            group.reduce(
                f"of_{length}_minus_zero_at_{place}",
                (length,),
                lambda t, n=length, p=at: row(t, n, p, "minus_zero", "zero"),
                tuple(FLOATS),
                **ALL,
            )
    for length in (1, 2, 7, 8, 16, 17, 64, 65, 8192, 8193):
        types = tuple(FLOATS) if length < 8000 else ("bfloat16", "float16", "float32")
        group.reduce(f"all_minus_zero_{length}", (length,), lambda t, n=length: [ladder(t)["minus_zero"]] * n, types, **ALL)
    group.reduce("columns", (2, 9), lambda t: [ladder(t)["zero"]] * 9 + [ladder(t)["minus_zero"]] * 9, tuple(FLOATS), axes=[0])
    group.reduce(
        "columns_turned", (2, 9), lambda t: [ladder(t)["minus_zero"]] * 9 + [ladder(t)["zero"]] * 9, tuple(FLOATS), axes=[0]
    )
    return [group]


def not_a_number() -> list[Group]:
    floats = tuple(FLOATS)
    position = Group("reduce_nan_position", ["ORD-3", "ORD-4"], "A NaN at any position of what is reduced is kept.")
    kinds = Group("reduce_nan_kinds", ["ORD-3", "ORD-4"], "A NaN of any sign and kind beside any value gives the canonical NaN.")
    number = Group("reduce_nan_number", ["ORD-3"], "Two, three and any number of NaNs are a NaN, as one is.")
    single = Group(
        "reduce_extent_one", ["ORD-4", "RED-1"], "Over an extent of 1 nothing changes, but that a NaN becomes the canonical one."
    )

    def counted(t: str) -> list[int]:
        exponent_bits, fraction_bits = FLOATS[t]
        found = []
        for n in range(20):
            if n == 0:
                found.append(0)
                continue
            e = n.bit_length() - 1
            found.append(
                ((1 << (exponent_bits - 1)) - 1 + e) << fraction_bits | (n << fraction_bits >> e) & ((1 << fraction_bits) - 1)
            )
        found[1] = nans(t)["quiet"]
        return found

    position.reduce("zero_nan_two_to_nineteen", (20,), counted, floats, axes=[0], keepdims=0)
    position.reduce("zero_nan_two_to_nineteen_in_two_rows", (2, 10), counted, floats, axes=[1], keepdims=0)
    for length in LENGTHS:
        for place, at in places(length).items():
            position.reduce(
                f"of_{length}_at_{place}", (length,), lambda t, n=length, p=at: row(t, n, p, "quiet", "one"), floats, **ALL
            )
    for rows, columns in ((3, 3), (4, 9), (2, 17)):
        for r, c in ((0, 0), (rows - 1, columns - 1), (rows // 2, 0)):
            for axis in (0, 1):
                position.reduce(
                    f"{rows}by{columns}_at_{r}_{c}_along_{axis}",
                    (rows, columns),
                    lambda t, n=rows * columns, p=r * columns + c: row(t, n, p, "minus_quiet", "minus_one"),
                    floats,
                    axes=[axis],
                )
    for kind in nans("float32"):
        for other in (*NEIGHBOURS, "minus_quiet"):
            for swapped in (False, True) if kind != other else (False,):

                def two(t: str, k: str = kind, o: str = other, s: bool = swapped) -> list[int]:
                    both = [nans(t)[k], {**ladder(t), **nans(t)}[o]]
                    return both[::-1] if s else both

                kinds.reduce(f"{other}_then_{kind}" if swapped else f"{kind}_then_{other}", (2,), two, floats, **ALL)
        single.reduce(
            f"nan_{kind}", (1, 3), lambda t, k=kind: [ladder(t)["one"], nans(t)[k], ladder(t)["zero"]], floats, axes=[0]
        )
        single.reduce(f"nan_{kind}_alone", (), lambda t, k=kind: [nans(t)[k]], floats)
    for length, count in itertools.product((4, 20, 33), (2, 3, 4)):
        number.reduce(
            f"{count}_of_{length}",
            (length,),
            lambda t, n=length, c=count: [nans(t)["quiet"]] * c + [ladder(t)["one"]] * (n - c),
            floats,
            **ALL,
        )
    for length in (2, 8, 17):
        number.reduce(f"all_of_{length}", (length,), lambda t, n=length: [nans(t)["minus_signalling"]] * n, floats, **ALL)
    for name, shape, axes in (("first", (1, 3), [0]), ("last", (3, 1), [1]), ("middle", (2, 1, 2), [1]), ("all", (1, 1), [0, 1])):
        single.reduce(f"ordinary_{name}", shape, lambda t, n=prod(shape): ordinary(t, n, "one"), NUMBERS, axes=axes)
    return [position, kinds, number, single]


def neutral() -> list[Group]:
    bottom = Group(
        "reduce_least",
        ["RED-7", "ORD-2"],
        "Where all elements are the type's least value, so is the result; for floats it is -inf.",
    )
    for length in (1, 2, 7, 8, 16, 17, 33, 65):
        bottom.reduce(f"all_least_{length}", (length,), lambda t, n=length: [least(t)] * n, NUMBERS, **ALL)
    for length in (8192, 8193):
        bottom.reduce(f"all_least_{length}", (length,), lambda t, n=length: [least(t)] * n, ("float32", "int8"), **ALL)
        bottom.reduce(
            f"last_is_greater_{length}",
            (length,),
            lambda t, n=length: [least(t)] * (n - 1) + [low_high(t)[0]],
            ("bfloat16", "float16", "uint8"),
            **ALL,
        )
    for axis in (0, 1, 2):
        bottom.reduce(f"cube_along_{axis}", (2, 3, 5), lambda t: [least(t)] * 30, NUMBERS, axes=[axis])
    bottom.reduce("one_row_of_three", (3, 4), lambda t: [least(t)] * 4 + ordinary(t, 8, "rows"), NUMBERS, axes=[1])
    bottom.reduce("lowest_finite", (9,), lambda t: [ladder(t)["minus_greatest"]] * 9, tuple(FLOATS), **ALL)
    bottom.reduce(
        "lowest_finite_beside_minus_infinity",
        (9,),
        lambda t: [least(t)] * 8 + [ladder(t)["minus_greatest"]],
        tuple(FLOATS),
        **ALL,
    )
    many = 262145  # half a megabyte is read, and work is handed to a second thread
    bottom.reduce("work_for_two_threads", (2, many), lambda t: [0] * (many - 1) + [7, 3] + [0] * (many - 1), ("uint8",), axes=[1])
    small = Group(
        "reduce_subnormals", ["ORD-6", "ORD-2"], "Subnormals are ordinary values: they are neither zero nor flushed to it."
    )
    for length in (2, 9, 33):
        for low, high in zip(AROUND_ZERO, AROUND_ZERO[1:]):
            if (low, high) != ("minus_zero", "zero"):
                small.reduce(
                    f"{high}_last_of_{length}_{low}",
                    (length,),
                    lambda t, n=length, a=low, b=high: row(t, n, n - 1, b, a),
                    tuple(FLOATS),
                    **ALL,
                )
    return [bottom, small]


def positions() -> list[Group]:
    winner = Group(
        "reduce_winner_position",
        ["RED-1", "ORD-5"],
        "The greatest element is found wherever it stands, in the tail of a row as well.",
    )
    for length in (*LENGTHS[3:], 100, 257):
        for place, at in {"first": 0, "middle": length // 2, "last": length - 1}.items():
            winner.reduce(
                f"of_{length}_at_{place}",
                (length,),
                lambda t, n=length, p=at: [low_high(t)[0]] * p + [low_high(t)[1]] + [least(t)] * (n - p - 1),
                NUMBERS,
                **ALL,
            )
    across = Group(
        "reduce_tiles", ["RED-1", "ORD-5"], "Rows and columns beside the widths of vectors, short rows under long ones among them."
    )
    for shape, axes in reductions_of(
        "11by3_along_0 11by3_along_1 3by11_along_0 3by11_along_1 2by7by3_along_1 1by19by2by2_along_1 2by17_along_0"
        " 5by8_along_1 33by2_along_0 2by3by7_along_0_2 4by5by2_along_0_1"
    ):
        across.reduce(
            f"{shape_name(shape)}_along_{'_'.join(map(str, axes))}",
            shape,
            lambda t, n=prod(shape): ordinary(t, n, "tiles"),
            NUMBERS,
            axes=axes,
        )
    long = Group(
        "reduce_long",
        ["RED-1", "ORD-5"],
        "Many short rows, many long ones, and long runs, whose last parts fill no vector: the greatest is found in these too.",
    )
    for shape, axis, found, types in (
        ((1087, 3), 0, (1030, 1055 * 3 + 1, 1086 * 3 + 2), NUMBERS),
        ((19, 70), 0, (0, 9 * 70 + 33, 18 * 70 + 69), NUMBERS),
        ((18, 530), 0, (529, 16 * 530, 17 * 530 + 528), ("int8", "uint8")),
        ((1001,), 0, (500,), NUMBERS),
        ((1001,), 0, (1000,), NUMBERS),
    ):
        high = "_".join(map(str, found))
        long.reduce(
            f"{shape_name(shape)}_along_{axis}_greatest_at_{high}",
            shape,
            lambda t, n=prod(shape), at=found: [low_high(t)[1 if p in at else 0] for p in range(n)],
            types,
            axes=[axis],
        )
    return [winner, across, long]


def groups() -> list[Group]:
    return [*order(), *zeros(), *not_a_number(), *neutral(), *positions()]
