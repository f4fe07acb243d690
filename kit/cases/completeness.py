#!/usr/bin/env python3
"""The completeness table: every class of every rule of docs/semantics.md has a case, or a reason why it has none.

    kit/cases/completeness.py --check    exit status 1, with a line for each class without a case

A class is a combination of features that classes.py reads off the cases' data. The cases are those that write_cases.py makes.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import classes
import further_classes
import further_large
import further_ordered
import write_cases
from case_file import MAX_TYPES_BY_OPSET, REDUCE_TYPES_BY_OPSET
from max_shapes import partners
from oracle import FLOATS, INTEGERS, NUMBERS, TYPES, Shape, broadcast_shape
from values import LENGTHS

ROOT = Path(__file__).resolve().parents[2]
RULE_ROW = re.compile(r"^\| ([A-Z]{3}-\d+|E\d) \|", re.MULTILINE)
Class = tuple[str, ...]

BOTH = ("Max", "ReduceMax")
NANS = ("quiet_nan", "minus_quiet_nan", "signalling_nan", "minus_signalling_nan")


def features(name: str, values: Iterable[Any]) -> list[str]:
    return [f"{name}={value}" for value in values]


def product(*sets: Iterable[str]) -> list[Class]:
    """Every combination of a feature of each set."""
    return list(itertools.product(*sets))


def of_type(types: Iterable[str]) -> list[str]:
    return features("type", types)


def patterns(full: Shape) -> list[Class]:
    """Every pair of patterns of two shapes whose common shape has all of the extents."""
    shapes = [(a, b) for a, b in itertools.product(partners(full), repeat=2) if a != b and broadcast_shape([a, b]) == full]
    return [("Max", f"pattern={classes.pattern(a, full)}|{classes.pattern(b, full)}") for a, b in shapes]


ONEDNN_TYPES = of_type(("float32", "bfloat16", "float16"))
NUMBER_TYPES, FLOAT_TYPES, TAILS = of_type(NUMBERS), of_type(FLOATS), features("length", LENGTHS[3:])
SIGNED, UNSIGNED = of_type(t for t in INTEGERS if t[0] == "i"), of_type(t for t in INTEGERS if t[0] == "u")
ADMITTED = [
    (op, f"opset={opset}", f"type={t}")
    for op, table in (("Max", MAX_TYPES_BY_OPSET), ("ReduceMax", REDUCE_TYPES_BY_OPSET))
    for opset in table
    for t in table[opset]
]
# The same of the operators' own versions.
VERSIONS = [
    c for c in ADMITTED if c[1] in features("opset", (1, 6, 8, 12, 13) if c[0] == "Max" else (1, 11, 12, 13, 18, 20))
]


def not_admitted(op: str, table: dict[int, tuple[str, ...]], opsets: Iterable[int]) -> list[Class]:
    return [
        (op, f"opset={opset}", f"type={t}", "code=type_not_admitted")
        for opset in opsets
        for t in (*TYPES, "string")
        if t not in table[opset]
    ]


# rule -> classes that must have a valid case
VALID: dict[str, list[Class]] = {
    "ORD-1": product(BOTH, SIGNED, features("value", ("least", "zero", "greatest", "ordinary")))
    + product(BOTH, UNSIGNED, features("value", ("zero", "half", "greatest", "ordinary")))
    + product(("ReduceMax",), ("type=bool",), ("value=false", "value=true"))
    + product(
        ("ReduceMax",),
        ("type=bool",),
        features("length", (7, 8, 9, 16, 17, 33, 64, 65)),
        features("winner_at", ("first", "middle", "last")),
    ),
    "ORD-2": product(BOTH, FLOAT_TYPES, ("zeros=zero minus_zero", "zeros=minus_zero zero", "all=minus_zero"))
    + product(
        BOTH,
        FLOAT_TYPES,
        features("value", ("infinity", "minus_infinity", "greatest", "minus_greatest", "subnormal", "minus_subnormal", "ordinary")),
    )
    + product(("Max",), ("zeros=zero minus_zero", "zeros=minus_zero zero"), features("length", (1, 2, 7, 8, 15, 16, 17, 33))),
    "ORD-3": product(BOTH, FLOAT_TYPES, (f"nan={n} {w}" for n in NANS for w in ("first", "later")))
    + product(BOTH, FLOAT_TYPES, TAILS, features("nan_at", ("first", "middle", "last")))
    + product(("Max",), FLOAT_TYPES, ("nan broadcast",)),
    "ORD-4": product(("Max",), ("inputs=1",), FLOAT_TYPES, features("nan", NANS), ("nan_not_canonical",))
    + product(("ReduceMax",), ("extent of 1", "identity"), FLOAT_TYPES, features("nan", NANS), ("nan_not_canonical",)),
    "ORD-5": product(BOTH, NUMBER_TYPES, TAILS, features("winner_at", ("first", "middle", "last")))
    + product(BOTH, features("length", (8192, 8193)))
    + product(("ReduceMax",), ("many short rows", "many long rows", "long run"), NUMBER_TYPES),
    "ORD-6": product(BOTH, FLOAT_TYPES, ("value=subnormal", "value=minus_subnormal")),
    "TYP-1": product(BOTH, NUMBER_TYPES, features("rank", (0, 1, 2, "more", 64))),
    "TYP-2": product(BOTH, NUMBER_TYPES),
    "TYP-3": [c for c in ADMITTED if c[0] == "Max"],
    "TYP-4": [c for c in ADMITTED if c[0] == "ReduceMax"],
    "TYP-5": product(BOTH, of_type(("float32", "bfloat16", "float16"))),
    "MAX-1": product(("Max",), features("inputs", (1, 2, 3, 4, 5, 8, 16, 33, 100)), NUMBER_TYPES),
    "MAX-2": product(("Max",), features("winner_in", ("first", "middle", "last")), NUMBER_TYPES),
    "MAX-3": [
        ("Max", f"opset={opset}", f"type={t}", f"inputs={n}")
        for opset in (1, 6)
        for t in MAX_TYPES_BY_OPSET[opset]
        for n in (1, 2, 3)
    ],
    "MAX-4": [("Max", f"opset={opset}", f"type={t}", "broadcast") for opset in (8, 12, 13) for t in MAX_TYPES_BY_OPSET[opset]],
    "MAX-5": product(("Max",), features("opset", (5, 7, 9, 11, 17, 21)))
    + product(("ReduceMax",), features("opset", (9, 17, 19, 21))),
    "MAX-6": product(("Max",), ("inputs=1",), NUMBER_TYPES),
    "BRO-1": product(("Max",), features("missing", (1, 2)), NUMBER_TYPES) + product(("Max",), ("missing=3",)),
    "BRO-2": product(("Max",), ("broadcast",), NUMBER_TYPES),
    "BRO-3": product(("Max",), features("zero_meets", (0, 1, "-")), NUMBER_TYPES),
    "BRO-4": product(("Max",), ("scalar broadcast", "rank=64"), NUMBER_TYPES)
    + product(("ReduceMax",), ("rank=0", "rank=64"), NUMBER_TYPES),
    "BRO-5": [(*c, t) for c in patterns((2, 3)) for t in NUMBER_TYPES] + patterns((2, 3, 2)),
    "RED-1": product(("ReduceMax",), features("axes", ("absent", "all", "first", "middle", "last", "several")), NUMBER_TYPES)
    + product(("ReduceMax",), ("shape=1xn", "shape=nx1"), NUMBER_TYPES),
    "RED-2": product(("ReduceMax",), ("axes negative", "axes turned"), NUMBER_TYPES),
    "RED-3": product(
        ("ReduceMax",),
        features("keepdims", (0, 1)),
        features("axes", ("absent", "all", "first", "middle", "last", "several")),
        NUMBER_TYPES,
    )
    + product(("ReduceMax",), features("keepdims", (0, 1)), ("kept zero extent",), NUMBER_TYPES)
    + product(
        ("ReduceMax",),
        features("keepdims", (0, 1)),
        features("axes", ("all", "first", "middle", "last", "several")),
        ("type=bool",),
    ),
    "RED-4": product(("ReduceMax",), ("identity",), of_type(("float32", "bfloat16", "float16"))),
    "RED-5": product(
        ("ReduceMax",),
        ("axes=absent", "axes=empty"),
        features("noop", ("unwritten", 0, 1)),
        features("keepdims", ("unwritten", 0, 1)),
        ("opset=18",),
    )
    + product(
        ("ReduceMax",),
        ("axes=absent", "axes=empty"),
        features("noop", ("unwritten", 0, 1)),
        features("keepdims", (0, 1)),
        ("opset=20",),
    )
    + product(("ReduceMax",), ("axes=absent", "axes=last"), features("opset", (1, 11, 12, 13, 18, 20)))
    + product(("ReduceMax",), ("axes=empty",), features("opset", (1, 11, 12, 13)))
    + product(("ReduceMax",), ("axes negative",), features("opset", (11, 12, 13, 18, 20))),
    "RED-6": product(("ReduceMax",), ("reduced zero extent",), features("keepdims", (0, 1)), NUMBER_TYPES)
    + [("ReduceMax", "reduced zero extent", "type=bool")],
    "RED-7": product(("ReduceMax",), ("all=least",), NUMBER_TYPES, features("length", (1, 2, 7, 8, 16, 17, 33, 65))),
}

# rule -> classes that must have a case which is refused
REFUSED: dict[str, list[Class]] = {
    "TYP-2": product(("ONNX",), BOTH, ("code=type_mismatch",))
    + [("oneDNN", "code=type_mismatch"), ("ONNX", "code=type_mismatch", "fails=run")]
    + [("ONNX", "code=type_mismatch", t) for t in NUMBER_TYPES],
    "TYP-3": not_admitted("Max", MAX_TYPES_BY_OPSET, (1, 6, 8, 11, 12, 13, 21)),
    "TYP-4": not_admitted("ReduceMax", REDUCE_TYPES_BY_OPSET, (1, 11, 12, 13, 18, 20)),
    "TYP-5": product(
        ("oneDNN",), ("Maximum", "ReduceMax"), of_type(("f64", "s32", "s8", "u8", "boolean")), ("code=type_not_admitted",)
    )
    + [("oneDNN", "ReduceMax", "type=f32", "axes given=1", "code=type_not_admitted")],
    "MAX-1": product(("code=input_count",), features("opset", (1, 6, 8, 12, 13, 21)), ("inputs=0",)),
    "MAX-3": product(("rule=E1",), features("opset", (1, 2, 5, 6, 7)), ("fails=infer",))
    + product(("rule=E1",), features("opset", (1, 6)), ("fails=run",)),
    "BRO-2": product(("rule=E1",), features("opset", (8, 9, 12, 13, 21)), ("fails=infer",))
    + product(("rule=E1",), features("opset", (8, 13, 21)), ("fails=run",))
    + [("rule=E1", "oneDNN")]
    + [("rule=E1", t, "inputs=3") for t in NUMBER_TYPES],
    "BRO-3": [("rule=E1", "code=not_broadcastable")],
    "BRO-4": product(("code=rank",), BOTH),
    "RED-2": product(("rule=RED-2",), features("opset", (1, 11, 12, 13, 18, 20)), ("fails=infer",))
    + [("rule=RED-2", "fails=run", "axes of a run"), ("rule=RED-2", "oneDNN")],
    "RED-3": [("code=output_shape_mismatch", "ReduceMax", "ONNX"), ("code=output_shape_mismatch", "ReduceMax", "oneDNN")],
    "RED-4": [("code=axes_given", "axes given=0"), ("code=axes_given", "axes given=2")],
    "RED-5": [
        ("rule=RED-5", "opset=1", "code=axis"),
        *product(("code=malformed_file",), ("opset=18", "opset=20"), ("writes axes",)),
        *product(("code=input_count",), ("ReduceMax",), features("opset", (1, 11, 12, 13)), ("inputs=2",)),
        *product(("code=malformed_file",), features("opset", (1, 11, 12, 13)), ("writes noop_with_empty_axes",)),
    ],
    "PRO-1": [("rule=PRO-1", op, where) for op in BOTH for where in ("sparse input", "sparse_initializers")]
    + [("rule=PRO-1", "Max", "sparse attribute")],
    "PRO-2": [
        ("rule=PRO-2", op, f"states {where} {what}")
        for op in BOTH
        for where in ("inputs", "outputs")
        for what in ("a symbol", "?", "no shape")
    ]
    + [("rule=PRO-2", "ReduceMax", "axes of a run"), ("rule=PRO-2", "states values no shape")],
    "PRO-3": [("rule=PRO-3", op, "states outputs no type") for op in BOTH] + [("rule=PRO-3", "states values no type")],
    "PRO-4": product(("rule=PRO-4",), features("opset", (1, 11, 12, 13, 18, 20))),
    "PRO-5": product(("rule=E2",), BOTH),
    "PRO-6": product(("rule=PRO-6",), features("opset", (8, 12, 13, 21))),
    "E1": [("rule=E1", "fails=infer"), ("rule=E1", "fails=run"), ("rule=E1", "oneDNN")],
    "E2": product(("rule=E2",), BOTH, ("fails=infer",))
    + product(("rule=E2",), BOTH, ("fails=run",))
    + [("rule=E2", "oneDNN", "ReduceMax"), ("rule=E2", "oneDNN", "Maximum")]
    + product(("rule=E2",), ("Max",), features("opset", (1, 6, 8, 12, 13, 21)))
    + product(("rule=E2",), ("ReduceMax",), features("opset", (1, 11, 12, 13, 18, 20))),
}

# Layouts of tensors in buffers, as further_classes.py names them.
OUTPUT_LAYOUTS = ("dense", "negative", "gaps", "transposed")
INPUT_LAYOUTS = (*OUTPUT_LAYOUTS, "zero", "window")

# Layouts of large cases, as further_classes.py names them.
VECTORS = ("pattern=n|n", "pattern=n|-", "pattern=-|n", "along r")
MATRICES = [("Max", f"pattern={p}") for p in ("nn|-n", "nn|n1", "n1|1n", "nnn|n1n", "nn1|-nn", "nn|n1|-n")]
MATRICES += [("ReduceMax", f"along {a}") for a in ("kr", "rk", "krk", "rkr", "krr")]

# rule -> classes that must have a further case
FURTHER: dict[str, list[Class]] = {
    "MAX-2": product(
        ("large",), ("Max",), features("inputs", (3, 4, 5, 7, 8, 9, 15, 16, 17, 33)), features("elements", (127, 129, 4097))
    ),
    "BRO-5": [("large", *c, t) for c in MATRICES if c[0] == "Max" for t in NUMBER_TYPES]
    + product(("large",), ("pattern=n|-", "pattern=-|n"), NUMBER_TYPES),
    "RED-1": [("large", *c, t) for c in MATRICES if c[0] == "ReduceMax" for t in of_type(TYPES)]
    + product(("large",), ("along r",), of_type(TYPES)),
    "ORD-5": product(("large",), VECTORS, features("elements", further_large.LENGTHS))
    + [("large", *c, f"{place}={e}") for c in MATRICES for place in ("inner", "outer") for e in further_large.EXTENTS]
    + product(("large",), BOTH, (f"special beside {b}" for b in further_large.BOUNDARIES), NUMBER_TYPES),
    "ORD-3": product(("large",), BOTH, FLOAT_TYPES, ("special=signalling_nan", "special=minus_quiet_nan")),
    "ORD-2": product(("large",), BOTH, FLOAT_TYPES, features("special", ("zero", "minus_zero", "infinity", "minus_infinity", "greatest"))),
    "MEM-1": product(("memory",), ("Max",), (f"input {kind}" for kind in INPUT_LAYOUTS), NUMBER_TYPES)
    + product(("memory",), ("Max",), (f"output {kind}" for kind in OUTPUT_LAYOUTS), NUMBER_TYPES)
    + product(("memory",), ("ReduceMax",), ("reduced",), (f"input {kind}" for kind in INPUT_LAYOUTS), of_type(TYPES))
    + product(("memory",), ("ReduceMax",), ("reduced",), (f"output {kind}" for kind in OUTPUT_LAYOUTS), of_type(TYPES))
    + product(("memory",), BOTH, ("output twice",), ("rule=MEM-1",), NUMBER_TYPES),
    "MEM-2": product(("memory",), ("Max",), ("in place first", "in place later"), NUMBER_TYPES)
    + product(("memory",), ("Max",), (f"in place {kind}" for kind in OUTPUT_LAYOUTS), NUMBER_TYPES)
    + product(("memory",), ("ReduceMax",), ("in place",), ("identity", "extent of 1"), of_type(TYPES))
    + product(("memory",), BOTH, ("interleaved", "beside"), NUMBER_TYPES)
    + product(("memory",), BOTH, ("overlap",), ("code=overlap",), ("rule=MEM-2",), NUMBER_TYPES)
    + product(("memory",), ("Max",), ("out of step",), ("rule=MEM-2",), of_type(t for t in NUMBERS if t not in ("int8", "uint8"))),
    "ORD-7": product(
        ("ordered",), ("Max",), features("order", further_ordered.JOINS), ("inputs=1", "inputs=17", "broadcast", "zero extent")
    )
    + product(("ordered",), ("ReduceMax",), features("order", further_ordered.JOINS))
    + product(("ordered",), ("Max",), ("order=rational", "order=descending"), ("equal numbers", "above 64 bits"))
    + product(("ordered",), BOTH, ("order=key",), ("equivalent maxima",)),
    "RED-4": product(("keep_dims unwritten",), features("axes", ("first", "last", "middle", "all", "several", "empty")), ONEDNN_TYPES)
    + product(("keep_dims unwritten",), ("identity", "reduced zero extent", "axes negative"), ONEDNN_TYPES)
    + product(
        ("code=axes_given",),
        ("axes given=0", "axes given=2"),
        features("keep_dims", (0, 1, "unwritten")),
        of_type(("f32", "bf16", "f16")),
    ),
    "TYP-5": product(
        ("code=type_not_admitted",),
        ("ReduceMax",),
        features("keep_dims", (0, 1, "unwritten")),
        of_type(("f64", "s64", "s32", "s8", "u8", "boolean", "f8_e5m2", "f8_e4m3")),
    )
    + product(
        ("code=type_not_admitted",),
        of_type(("f32", "bf16", "f16")),
        features("axes type", ("s64", "s8", "u8", "boolean", "f64", "f32", "bf16", "f16")),
    ),
    "PRO-1": product(("rule=PRO-1",), ("Max",), ("sparse input", "sparse_initializers"), features("opset", (11, 12, 13, 21)))
    + product(("rule=PRO-1",), ("Max",), ("sparse input", "sparse_initializers"), NUMBER_TYPES)
    + product(("rule=PRO-1",), ("ReduceMax",), ("sparse input", "sparse_initializers"), features("opset", (11, 13, 18, 20)))
    + product(("rule=PRO-1",), BOTH, ("sparse attribute",)),
    "PRO-3": product(("rule=PRO-3",), ("Max",), ("states outputs no type", "states values no type"), NUMBER_TYPES)
    + [("rule=PRO-3", "states outputs no type", *c) for c in VERSIONS],
    "PRO-4": [("rule=PRO-4", *c) for c in VERSIONS if c[0] == "ReduceMax"]
    + product(("rule=PRO-4",), features("opset", (1, 11, 12, 13)), ("writes axes", "writes keepdims"))
    + product(("rule=PRO-4",), features("opset", (18, 20)), ("writes noop_with_empty_axes", "writes keepdims")),
    "ACC-1": product(("bounds",), ("Max",), ("exact",), features("inputs", (1, 2, 3)), NUMBER_TYPES)
    + product(("bounds",), ("ReduceMax",), ("exact",), of_type(TYPES)),
    "ACC-2": product(("bounds",), ("Max",), features("inputs", (1, 2, 4)), NUMBER_TYPES)
    + product(("bounds",), BOTH, ("bound broadcast",), NUMBER_TYPES)
    + product(("bounds",), ("ReduceMax",), ("reduced zero extent",), of_type(TYPES))
    + product(("bounds",), BOTH, ("code=negative_bound",), (*FLOAT_TYPES, *SIGNED))
    + product(("bounds",), ("Max",), ("upper limit", "upper representable", "lower representable"), of_type(INTEGERS))
    + product(("bounds",), ("Max",), ("lower limit",), of_type(INTEGERS)),
    "ACC-3": product(("bounds",), ("Max",), ("cannot win",), NUMBER_TYPES)
    + product(
        ("bounds",), ("Max",), (f"{e} {how}" for e in ("lower", "upper") for how in ("representable", "rounded")), FLOAT_TYPES
    ),
    "ACC-4": product(("bounds",), BOTH, ("value=infinity", "value=minus_infinity", "bound=infinity"), FLOAT_TYPES)
    + product(("bounds",), BOTH, (f"{where}={nan}" for where in ("value", "bound") for nan in NANS), FLOAT_TYPES)
    + product(("bounds",), ("Max",), ("lower limit", "upper limit", "lower zero", "upper zero"), FLOAT_TYPES)
    + product(("bounds",), ("Max",), ("bound=subnormal", "value=subnormal", "bound=minus_zero"), FLOAT_TYPES),
}

# rule -> what of it no file can show, and why
REASONS: dict[str, str] = {
    "ORD-6": "The floating-point environment is the caller's, not a file's; the library's own tests set every mode.",
    "MAX-1": "2147483647 inputs, and time and memory, do not fit into a test case.",
    "MAX-3": "`consumed_inputs` of Max-1 changes nothing; the tests of the ONNX front have it.",
    "MAX-6": "Whether the copy is fresh shows in memory alone.",
    "MEM-3": "Allocation does not show in a result; MaxPlan.RunningAllocatesNothing and ReduceMaxPlan.RunningAllocatesNothing test it.",
}


class Index:
    """Which cases have a feature."""

    def __init__(self, cases: list[dict[str, Any]]) -> None:
        self.cases = cases
        self._by_feature: dict[str, set[int]] = defaultdict(set)
        for number, case in enumerate(cases):
            for feature in case["classes"]:
                self._by_feature[feature].add(number)

    def count(self, wanted: Class) -> int:
        return len(set.intersection(*(self._by_feature[feature] for feature in wanted)))

    def tagged(self, rule: str) -> int:
        return sum(rule in case["rules"] for case in self.cases)


def holes(rules: list[str], valid: Index, refused: Index, further: Index) -> list[str]:
    """Every class without a case, a line each, and what the tables leave out."""
    found = []
    for rule in rules:
        if not any(rule in table for table in (VALID, REFUSED, FURTHER, REASONS)):
            found.append(f"{rule}: neither a class nor a reason")
        for kind, table, index in (("", VALID, valid), ("refused ", REFUSED, refused), ("further ", FURTHER, further)):
            found += [f"{rule}: no {kind}case for {', '.join(wanted)}" for wanted in table.get(rule, []) if not index.count(wanted)]
        if rule in VALID or rule in REFUSED:
            if not valid.tagged(rule) + refused.tagged(rule):
                found.append(f"{rule}: no group of cases names it")
        if rule in FURTHER and not further.tagged(rule):
            found.append(f"{rule}: no group of further cases names it")
    unknown = sorted((VALID.keys() | REFUSED.keys() | FURTHER.keys() | REASONS.keys()) - set(rules))
    named = {rule for index in (valid, refused, further) for case in index.cases for rule in case["rules"]}
    return found + [f"{rule}: does not exist" for rule in unknown + sorted(named - set(rules))]


def cases() -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    """Valid, refused and further cases with their classes."""
    further = write_cases.groups(write_cases.FURTHER)
    valid, refused = classes.read(group for group in further if "list" not in group)
    return (*classes.read(write_cases.groups()), further_classes.read(further) + valid + refused)


def main() -> int:
    if sys.argv[1:] != ["--check"]:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    rules = RULE_ROW.findall((ROOT / "docs" / "semantics.md").read_text(encoding="utf-8"))
    valid, refused, further = map(Index, cases())
    problems = holes(rules, valid, refused, further)
    print("\n".join(problems) or f"{len(rules)} rules: each class has a case; {len(valid.cases)} valid cases, {len(refused.cases)} refused ones, "
          f"{len(further.cases)} further ones")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
