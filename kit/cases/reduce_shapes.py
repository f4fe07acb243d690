"""Cases of ReduceMax, by classes of shapes, axes, attributes and opsets; those of bool."""

from __future__ import annotations

import itertools
from math import prod
from typing import Any

from case_file import ALL, REDUCE_TYPES_BY_OPSET, Group
from oracle import FLOATS, NUMBERS, Shape
from values import ladder, nans, ordinary, reductions_of, row, shape_name


def axes() -> list[Group]:
    cube = Group(
        "reduce_axes",
        ["RED-1", "RED-3", "RED-2"],
        "Every set of axes of three dimensions, with reduced dimensions kept and dropped.",
    )
    negative = Group("reduce_negative_axes", ["RED-2", "RED-5"], "Axes counted from the end, and in any order.")
    shape = (2, 3, 2)
    for size in range(1, 4):
        for chosen in itertools.combinations(range(3), size):
            name = "_".join(map(str, chosen))
            for keepdims in (0, 1):
                cube.reduce(
                    f"axes_{name}_keepdims_{keepdims}",
                    shape,
                    lambda t: ordinary(t, 12, "cube"),
                    NUMBERS,
                    axes=list(chosen),
                    keepdims=keepdims,
                )
            for word, given in (
                ("negative", [a - 3 for a in chosen]),
                ("reversed", list(chosen)[::-1]),
                ("mixed", [a - 3 if k % 2 else a for k, a in enumerate(chosen)]),
            ):
                if given != list(chosen):
                    negative.reduce(
                        f"axes_{name}_{word}", shape, lambda t: ordinary(t, 12, "cube"), NUMBERS, axes=given, keepdims=0
                    )
    for keepdims in (0, 1):
        cube.reduce(f"axes_absent_keepdims_{keepdims}", shape, lambda t: ordinary(t, 12, "cube"), NUMBERS, keepdims=keepdims)
    cube.reduce("axes_1_keepdims_unwritten", shape, lambda t: ordinary(t, 12, "cube"), NUMBERS, axes=[1])
    cube.reduce("nothing_written", shape, lambda t: ordinary(t, 12, "cube"), NUMBERS)
    many = Group(
        "reduce_axes_of_four",
        ["RED-1", "RED-3"],
        "Every set of axes of four and five dimensions: neighbours are merged, others are not.",
    )
    types = itertools.cycle(NUMBERS)
    for shape in ((2, 3, 2, 2), (2, 2, 2, 2, 2)):
        for size in range(1, len(shape) + 1):
            for chosen in itertools.combinations(range(len(shape)), size):
                many.reduce(
                    f"{shape_name(shape)}_axes_{'_'.join(map(str, chosen))}",
                    shape,
                    lambda t, n=prod(shape): ordinary(t, n, "many"),
                    (next(types), next(types)),
                    axes=list(chosen),
                    keepdims=len(chosen) % 2,
                )
    few = Group("reduce_shapes", ["RED-1", "RED-3", "TYP-1"], "Scalars, vectors, single rows and columns, and high ranks.")
    last: list[tuple[Shape, dict[str, Any]]] = [
        ((), {}),
        ((1,), {"axes": [0]}),
        ((3,), {"axes": [-1]}),
        ((1, 4), {"axes": [0]}),
        ((1, 4), {"axes": [1]}),
        ((4, 1), {"axes": [0]}),
        ((4, 1), {"axes": [1]}),
        ((2, 3), {"axes": [0]}),
        ((2, 3), {"axes": [1]}),
        ((1, 2, 1, 3, 1, 2), {"axes": [1, 3]}),
        ((1,) * 8, {"axes": [7]}),
        ((1,) * 62 + (2, 3), {"axes": [-1]}),
    ]
    for extents, given in last:
        name = "rank_64" if len(extents) == 64 else shape_name(extents)
        for keepdims in (0, 1):
            few.reduce(
                f"{name}_axes_{'_'.join(str(a).replace('-', 'minus_') for a in given.get('axes', ['absent']))}_keepdims_{keepdims}",
                extents,
                lambda t, n=prod(extents): ordinary(t, n, "few"),
                NUMBERS,
                **given,
                keepdims=keepdims,
            )
    return [cube, negative, many, few]


def empty() -> list[Group]:
    group = Group(
        "reduce_empty",
        ["RED-6", "RED-3"],
        "The maximum over no elements is the type's least value; other extents stay, zero or not.",
    )
    for shape, chosen in reductions_of(
        "0_along_0 0_along_absent 0by3_along_0 0by3_along_1 0by3_along_0_1 3by0_along_0 3by0_along_1 0by0_along_0 0by0_along_absent"
        " 2by0by3_along_1 2by0by3_along_0 2by0by3_along_0_1 0by3by4_along_1 0by3by4_along_0 9by0_along_1 0by17_along_0"
    ):
        name = "_".join(map(str, chosen)) if chosen is not None else "absent"
        for keepdims in (0, 1):
            attributes: dict[str, Any] = {"keepdims": keepdims} if chosen is None else {"axes": chosen, "keepdims": keepdims}
            group.reduce(f"{shape_name(shape)}_axes_{name}_keepdims_{keepdims}", shape, lambda t: [], NUMBERS, **attributes)
    return [group]


def noop() -> list[Group]:
    group = Group(
        "reduce_no_axes",
        ["RED-5", "RED-3"],
        "Axes that are absent or empty mean all dimensions, or none where noop_with_empty_axes is 1.",
    )
    copies = Group(
        "reduce_identity", ["RED-5", "ORD-4"], "Where nothing is reduced, NaNs become canonical and all else keeps its bits."
    )
    for opset in (18, 20):
        types = REDUCE_TYPES_BY_OPSET[opset]
        for axes_word, noop_word, keepdims in itertools.product(("absent", "empty"), ("unwritten", 0, 1), ("unwritten", 0, 1)):
            given: dict[str, Any] = {} if axes_word == "absent" else {"axes": []}
            given |= {} if noop_word == "unwritten" else {"noop_with_empty_axes": noop_word}
            given |= {} if keepdims == "unwritten" else {"keepdims": keepdims}
            if keepdims != "unwritten" or opset == 18:
                group.reduce(
                    f"opset_{opset}_axes_{axes_word}_noop_{noop_word}_keepdims_{keepdims}",
                    (2, 3),
                    lambda t: ordinary(t, 6, "noop"),
                    types,
                    **given,
                    opset=opset,
                )
        for axes_word, word in itertools.product(("absent", "empty"), ("nans", "ladder")):
            given = {"noop_with_empty_axes": 1} if axes_word == "absent" else {"axes": [], "noop_with_empty_axes": 1}
            count = len(nans("float32") if word == "nans" else ladder("float32"))
            copies.reduce(
                f"opset_{opset}_axes_{axes_word}_{word}",
                (count,),
                lambda t, w=word: list((nans(t) if w == "nans" else ladder(t)).values()),
                tuple(FLOATS),
                **given,
                opset=opset,
            )
        group.reduce(
            f"opset_{opset}_axes_1_noop_1", (2, 3), lambda t: ordinary(t, 6, "noop"), types, axes=[1], noop_with_empty_axes=1, opset=opset
        )
        group.reduce(f"opset_{opset}_scalar_noop_1", (), lambda t: ordinary(t, 1, "noop"), types, noop_with_empty_axes=1, opset=opset)
        group.reduce(f"opset_{opset}_zero_extent_noop_1", (2, 0), lambda t: [], types, noop_with_empty_axes=1, opset=opset)
        group.reduce(f"opset_{opset}_zero_extent_noop_0", (2, 0), lambda t: [], types, noop_with_empty_axes=0, keepdims=0, opset=opset)
    for opset in (1, 11, 12, 13):
        group.reduce(
            f"opset_{opset}_axes_empty", (2, 3), lambda t: ordinary(t, 6, "noop"), REDUCE_TYPES_BY_OPSET[opset], axes=[], opset=opset
        )
    return [group, copies]


def versions() -> list[Group]:
    group = Group(
        "reduce_versions",
        ["RED-5", "TYP-4", "MAX-5"],
        "What each version of ONNX takes; an opset between two versions uses the older one.",
    )
    for opset, types in REDUCE_TYPES_BY_OPSET.items():
        forms: dict[str, dict[str, Any]] = {
            "absent": {},
            "last": {"axes": [1]},
            "first_dropped": {"axes": [0], "keepdims": 0},
            "both_dropped": {"axes": [0, 1], "keepdims": 0},
        }
        if opset >= 11:
            forms["negative"] = {"axes": [-1], "keepdims": 1}
        for name, given in forms.items():
            group.reduce(f"opset_{opset}_{name}", (2, 3), lambda t: ordinary(t, 6, "version"), types, **given, opset=opset)
        floats = tuple(t for t in types if t in FLOATS)
        group.reduce(f"opset_{opset}_nan_amid", (3,), lambda t: row(t, 3, 1, "quiet", "one"), floats, **ALL, opset=opset)
        group.reduce(f"opset_{opset}_zeros", (2,), lambda t: row(t, 2, 0, "zero", "minus_zero"), floats, **ALL, opset=opset)
    return [group]


def truth() -> list[Group]:
    group = Group("reduce_bool", ["TYP-4", "RED-1", "RED-6"], "Of truth values, false < true.")
    only = ("bool",)
    for length in (1, 2, 3, 7, 8, 9, 16, 17, 33, 64, 65):
        for place, at in {"first": 0, "middle": length // 2, "last": length - 1}.items():
            if length > 2 or place == "first" or (length == 2 and place == "last"):
                group.reduce(
                    f"of_{length}_true_at_{place}",
                    (length,),
                    lambda t, n=length, p=at: row(t, n, p, "true", "false"),
                    only,
                    **ALL,
                    opset=20,
                )
        group.reduce(f"all_false_{length}", (length,), lambda t, n=length: [0] * n, only, **ALL, opset=20)
        group.reduce(f"all_true_{length}", (length,), lambda t, n=length: [1] * n, only, axes=[0], keepdims=0, opset=20)
    for size in range(1, 4):
        for chosen in itertools.combinations(range(3), size):
            for keepdims in (0, 1):
                group.reduce(
                    f"cube_axes_{'_'.join(map(str, chosen))}_keepdims_{keepdims}",
                    (2, 3, 2),
                    lambda t: [0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0],
                    only,
                    axes=list(chosen),
                    keepdims=keepdims,
                    opset=20,
                )
    for shape, chosen in (((0,), [0]), ((0, 3), [0]), ((3, 0), [1]), ((0, 3), [1])):
        group.reduce(f"empty_{shape_name(shape)}_axes_{chosen[0]}", shape, lambda t: [], only, axes=chosen, opset=20)
    for shape in ((), (1,), (1, 3), (3, 1)):
        group.reduce(f"shape_{shape_name(shape)}", shape, lambda t, n=prod(shape): ordinary(t, n, "truth"), only, opset=20)
    return [group]


def groups() -> list[Group]:
    return [*axes(), *empty(), *noop(), *versions(), *truth()]
