"""Cases of types that a user brings, under the order that the user gives: rationals, texts, pairs, numbers with their errors (ORD-7).

Elements are texts, or lists of texts. Python's own rationals and comparisons are the oracle.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from fractions import Fraction
from math import prod
from typing import Any

import oracle
from case_file import Group
from oracle import Shape
from values import shape_name

Value = Any  # a text, or a list of texts


def _key(value: Value) -> Any:
    return Fraction(value[0])


# order -> the join of two elements. Of two equivalent ones the first is the result.
def by(key: Callable[[Value], Any]) -> Callable[[Value, Value], Value]:
    return lambda a, b: b if key(a) < key(b) else a


def measured(a: Value, b: Value) -> Value:
    """The greater number, and the greater error."""
    return [by(Fraction)(a[0], b[0]), by(Fraction)(a[1], b[1])]


JOINS: dict[str, Callable[[Value, Value], Value]] = {
    "rational": by(Fraction),
    "descending": by(lambda value: -Fraction(value)),
    "text": by(lambda value: value.encode()),
    "pair": by(lambda value: (Fraction(value[0]), value[1].encode())),
    "key": by(_key),
    "measured": measured,
}
# An element that is less than all in the cases of reductions: the maximum of no elements.
BOTTOMS: dict[str, Value] = {
    "rational": "-1000000000000000000000000000000000000000000000000000",
    "descending": "1000000000000000000000000000000000000000000000000000",
    "text": "",
    "pair": ["-1000000000000000000000000000000000000000000000000000", ""],
    "key": ["-1000000000000000000000000000000000000000000000000000", "none"],
    "measured": ["-1000000000000000000000000000000000000000000000000000", "0"],
}
HUGE = 123456789012345678901234567890123456789
RATIONALS = (
    "1/3",
    "33333333333333333333/100000000000000000000",
    "33333333333333333334/100000000000000000000",
    f"{HUGE}/7",
    f"{HUGE * (10**9 + 7) + 7}/{7 * (10**9 + 7)}",
    f"-{HUGE}/7",
    f"{HUGE}/{HUGE + 1}",
    f"{HUGE - 1}/{HUGE}",
    "0",
    "-1/18446744073709551617",
    "1/18446744073709551617",
    "18446744073709551616",
    "18446744073709551615",
    "-1",
    "9007199254740993/9007199254740992",
)
TEXTS = ("ant", "Ant", "antelope", "", "zebra", "z", "\u00e9t\u00e9", "ete", "\u4e2d", "~", "\U0001f9ea", "\uffee", "10", "9", "a b")


def elements(order: str, count: int, start: int) -> list[Value]:
    """Elements that take the lists above in turn, from different places."""
    numbers = [RATIONALS[(start + 7 * i) % len(RATIONALS)] for i in range(count)]
    texts = [TEXTS[(2 * start + 4 * i) % len(TEXTS)] for i in range(count)]
    if order in ("rational", "descending"):
        return list(numbers)
    if order == "text":
        return list(texts)
    if order == "measured":
        return [[n, RATIONALS[(start + i) % len(RATIONALS)].lstrip("-")] for i, n in enumerate(numbers)]
    # Few first elements, so that the second ones decide, or that elements are equivalent.
    return [[RATIONALS[(start + i) % 2], text] for i, text in enumerate(texts)]


def add_max(group: Group, name: str, order: str, inputs: list[tuple[Shape, list[Value]]]) -> None:
    shapes = [shape for shape, _ in inputs]
    common = oracle.broadcast_shape(shapes)
    output = []
    for index in itertools.product(*map(range, common)):
        output.append(functools.reduce(JOINS[order], [values[oracle.position(shape, index)] for shape, values in inputs]))
    _add(group, {"name": name, "operator": "Max", "order": order}, inputs, common, output)


def add_reduce(group: Group, name: str, order: str, shape: Shape, values: list[Value], axes: list[int], keepdims: int) -> None:
    kept = tuple(1 if d in axes else extent for d, extent in enumerate(shape))
    output = [BOTTOMS[order]] * prod(kept)
    for index, value in zip(itertools.product(*map(range, shape)), values):
        at = oracle.position(kept, index)
        output[at] = JOINS[order](output[at], value)
    result = tuple(extent for d, extent in enumerate(kept) if keepdims or d not in axes)
    head = {"name": name, "operator": "ReduceMax", "order": order, "bottom": BOTTOMS[order]}
    _add(group, {**head, "attributes": {"axes": axes, "keepdims": keepdims}}, [(shape, values)], result, output)


def _add(group: Group, head: dict[str, Any], inputs: list[tuple[Shape, list[Value]]], shape: Shape, output: list[Value]) -> None:
    shapes = [of for of, _ in inputs]
    group.add({**head, "shapes": shapes, "inputs": [values for _, values in inputs], "output_shape": shape, "output": output})


def groups() -> list[Group]:
    def named(name: str, reason: str) -> Group:
        return Group(name, ["ORD-7"], reason, list_name="ordered")

    maxima = named("ordered_max", "Max of types that a user brings, by the user's order, with broadcasting.")
    reductions = named("ordered_reduce", "ReduceMax of types that a user brings, from an element that is less than all.")
    for order in JOINS:
        for shapes in (
            [()],
            [(15,)],
            [(15,), (15,)],
            [(2, 1), (3,)],
            [(2, 3, 1), (1, 4), ()],
            [(5,)] * 17,
            [(0, 3), (3,)],
        ):
            name = f"{order}_{'_with_'.join(map(shape_name, shapes)) if len(shapes) < 9 else f'{len(shapes)}_inputs'}"
            add_max(maxima, name, order, [(shape, elements(order, prod(shape), 3 * m)) for m, shape in enumerate(shapes)])
        for shape, axes, keepdims in (((15,), [0], 0), ((3, 5), [1], 1), ((2, 3, 4), [0, 2], 0), ((2, 0), [1], 0), ((2, 3), [], 0)):
            name = f"{order}_{shape_name(shape)}_axes_{'_'.join(map(str, axes)) or 'none'}"
            add_reduce(reductions, name, order, shape, elements(order, prod(shape), 5), axes, keepdims)
    forms = named("ordered_equal_numbers", "A rational number may be written in several ways; the maximum is a number, in any of them.")
    halves, others = ["1/2", "2/4", "-6/4", "0/7", "-0", "4"], ["2/4", "1/2", "-3/2", "0", "0/1", f"{4 * HUGE}/{HUGE}"]
    for order in ("rational", "descending"):
        for first, second, name in ((halves, others, "first"), (others, halves, "second")):
            add_max(forms, f"{order}_{name}", order, [((6,), first), ((6,), second)])
    equivalent = named(
        "ordered_equivalent",
        "Of elements that the order does not tell apart, the first in the order of inputs, or of elements, is the result.",
    )
    same = [["1/2", "a"], ["2/4", "b"], ["3/6", "c"]]
    for turn in range(3):
        turned = same[turn:] + same[:turn]
        add_max(equivalent, f"max_from_{turn}", "key", [((), [value]) for value in turned])
        add_reduce(equivalent, f"reduce_from_{turn}", "key", (3,), turned, [0], 0)
    add_max(equivalent, "greater_between", "key", [((), [same[0]]), ((), [["2", "d"]]), ((), [["4/2", "e"]]), ((), [same[1]])])
    return [maxima, reductions, forms, equivalent]
