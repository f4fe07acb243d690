"""The test catalogue of Max: a test case in the SONNX working group's template for each class of the conformance kit's cases.

The fields are those of the template in docs/guidelines/tests-part1.md. Tags in square brackets without E_ are those of the texts of SONNX;
tags with E_ are proposals in the form of add.md and div.md, because max.md has none for its function.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "kit" / "cases"))
import write_cases  # noqa: E402

TAGS = {
    "E_MAX_INT_FUNC_0010": "proposed: max.md, section int, Y[i] is the maximum",
    "E_MAX_FLOAT_FUNC_0010": "proposed: max.md, section float, Y[i] is the maximum",
    "E_MAX_FLOAT_FUNC_0020": "proposed: max.md, section float, order of Inf, 0, -0 and -Inf",
    "E_MAX_FLOAT_FUNC_0030": "proposed: max.md, section float, NaN is absorbing",
    "[C1]": "max.md, constraint C1: the inputs are broadcastable",
    "[C2]": "max.md, constraint C2: Y has the common shape",
    "[E1]": "broadcast.md, error E1: an extent is neither the common one nor 1",
    "[GR1]": "general_restrictions.md: no sparse tensor",
    "[GR2]": "general_restrictions.md: types are indicated explicitly",
    "[GR3]": "general_restrictions.md: no conversion of types",
    "signature": "max.md, signature: between 1 and 2147483647 inputs",
}
LABELS = {
    "ONNX": "ONNX decides the expected result",
    "SONNX": "SONNX decides the expected result, and ONNX does not",
    "supremum": "only the project that the cases come from asks for it",
}
BOTH = ("E_MAX_INT_FUNC_0010", "E_MAX_FLOAT_FUNC_0010")
ZEROS, NANS = ("E_MAX_FLOAT_FUNC_0020",), ("E_MAX_FLOAT_FUNC_0030",)
NAN_BITS = "The place of a NaN is SONNX's; that all NaNs are the same quiet NaN is asked by supremum alone."
FLOATS = ("bfloat16", "float16", "float32", "float64")

# kit's group: level of tests-part1.md, label, tags, note
GROUPS: dict[str, tuple[str, str, tuple[str, ...], str]] = {
    "max_broadcast_cube": ("a", "ONNX", ("[C1]", "[C2]", *BOTH), ""),
    "max_broadcast_empty": ("a", "ONNX", ("[C1]", "[C2]"), "Null tensors: broadcast.md refuses some of these shapes (findings.md, F01)."),
    "max_broadcast_matrix": ("a", "ONNX", ("[C1]", "[C2]", *BOTH), ""),
    "max_broadcast_tiles": ("a", "ONNX", ("[C1]", "[C2]", *BOTH), "Implementation risk: the last vector is not full."),
    "max_infinities": ("b", "ONNX", ("E_MAX_FLOAT_FUNC_0010", *ZEROS), ""),
    "max_inputs": ("a", "ONNX", ("signature", *BOTH), ""),
    "max_inputs_broadcast": ("a", "ONNX", ("signature", "[C1]", "[C2]", *BOTH), ""),
    "max_inputs_nan": ("b", "SONNX", ("signature", *NANS), NAN_BITS),
    "max_long": ("a", "ONNX", BOTH, "Implementation risk: tiles and tails."),
    "max_nan_broadcast": ("b", "SONNX", ("[C1]", *NANS), NAN_BITS),
    "max_nan_pairs": ("b", "SONNX", NANS, NAN_BITS),
    "max_nan_position": ("b", "SONNX", NANS, NAN_BITS),
    "max_neighbours": ("b", "ONNX", (*BOTH, *ZEROS), "The cases of two zeros are SONNX's. For integers: level c."),
    "max_one_input": ("a", "ONNX", ("signature", *BOTH), "That a NaN of one input gets other bits is asked by supremum alone."),
    "max_order_table": ("d", "ONNX", (*BOTH, *ZEROS), "Every pair of a ladder of values. Pairs of zeros are SONNX's."),
    "max_ordinary": ("a", "ONNX", BOTH, ""),
    "max_permutations": ("d", "ONNX", BOTH, "Property: commutativity."),
    "max_rank": ("a", "ONNX", ("[C1]", *BOTH), "Ranks up to 64; ONNX has no largest rank."),
    "max_same_shape": ("a", "ONNX", ("[C2]", *BOTH), ""),
    "max_signed_zeros": ("b", "SONNX", ZEROS, ""),
    "max_subnormals": ("b", "ONNX", ("E_MAX_FLOAT_FUNC_0010",), "Subnormal numbers are preserved. Floating-point mode: default."),
    "max_versions_broadcast": ("a", "ONNX", ("[C1]", *BOTH), "max.md is based on Max-13; the other versions are for ONNX alone."),
    "max_versions_identical": ("a", "ONNX", BOTH, "Max-1 and Max-6, which do not broadcast; max.md is based on Max-13."),
    "max_winner_position": ("a", "ONNX", BOTH, "Values differ at each index, so that a wrong index is detected."),
    "invalid_input_count": ("e", "ONNX", ("signature",), ""),
    "invalid_input_name": ("e", "ONNX", ("signature",), ""),
    "invalid_max_type": ("e", "ONNX", BOTH, ""),
    "invalid_mixed_types": ("e", "ONNX", ("[GR3]",), ""),
    "invalid_not_broadcastable": ("e", "ONNX", ("[C1]", "[E1]"), ""),
    "invalid_zero_extent": ("e", "ONNX", ("[C1]", "[E1]"), ""),
    "invalid_output_shape": ("e", "ONNX", ("[C2]",), "The kit's group has ReduceMax, too."),
    "invalid_sparse": ("e", "SONNX", ("[GR1]",), "The kit's group has ReduceMax, too."),
    "profile_type": ("e", "SONNX", ("[GR2]",), "The kit's group has ReduceMax, too. ONNX infers such types."),
    "run_not_broadcastable": ("e", "ONNX", ("[C1]", "[E1]"), "The shapes are known only when the model runs."),
    "run_output_shape": ("e", "ONNX", ("[C2]",), "The kit's group has ReduceMax, too."),
    "run_type": ("e", "ONNX", ("[GR3]",), "The kit's group has ReduceMax, too."),
}
# Groups with Max that are no test of max.md.
LEFT_OUT = {
    "invalid_not_identical": "Max-1 and Max-6, which do not broadcast",
    "run_not_identical": "Max-1 and Max-6, which do not broadcast",
    "invalid_rank": "a limit of supremum, not of ONNX or SONNX",
    "profile_shape": "explicit shapes: general_restrictions.md no longer asks for them",
    "profile_no_broadcast": "a switch of supremum",
    "profile_attribute": "Max has no attribute",
}


@dataclass(frozen=True)
class Test:
    """A test case: the fields of the template, and the kit's cases that it has."""

    id: str
    title: str
    operator: str
    opset: list[int]
    datatypes: list[str]
    input_shapes: str
    attributes: str
    input_values: str
    oracle: str
    expected_output: str
    comparison_rule: str
    expected_errors: str
    part_of_the_specification: list[str]
    level: str
    label: str
    notes: str
    kit: str
    cases: list[str]


def onnx_name(dtype: str) -> str:
    return {"float32": "float", "float64": "double"}.get(dtype, dtype)


def valid_test(number: int, group: dict[str, Any]) -> Test:
    level, label, tags, note = GROUPS[group["group"]]
    cases = group["cases"]
    types = sorted({t for case in cases for t in case["bits"]})
    shapes = sorted({", ".join(str(tuple(s)) for s in case["shapes"]) for case in cases}, key=lambda s: (len(s), s))
    name = group["group"]
    if not set(types) & set(FLOATS):
        tags = tuple(t for t in tags if "FLOAT" not in t)
    return Test(f"tc-max-{number:03}", group["reason"], "Max", sorted({case["opset"] for case in cases}), [onnx_name(t) for t in types],
                shapes[0] if len(shapes) == 1 else f"{len(shapes)} tuples of shapes, from {shapes[0]} to {shapes[-1][:60]}", "none",
                f"cases/{name}.json, inputs, as bits", "analytic: exact rationals (kit/cases/oracle.py), compared with a second implementation",
                f"cases/{name}.json, output, as bits", "exact (bitwise)", "none", list(tags), level, label, note, name,
                [f"{name}/{case['name']}/{t}" for case in cases for t in case["bits"]])  # fmt: skip


def invalid_test(number: int, group: dict[str, Any]) -> Test:
    level, label, tags, note = GROUPS[group["group"]]
    name, cases = group["group"], group["invalid"]
    max_cases = [case for case in cases if any(node["op"] == "Max" for node in case.get("model", {}).get("nodes", []))]
    errors = sorted({f"{case['verdict']['code']} (latest at: {case['verdict']['fails']})" for case in max_cases})
    return Test(f"tc-max-{number:03}", group["reason"], "Max", sorted({case["model"]["opset"] for case in max_cases}), [],
                f"cases/{name}.json, model", "none", f"cases/{name}.json, inputs", "analytic: the model violates the part of the specification",
                "none: the model is refused", "an error, and no result", "; ".join(errors), list(tags), level, label, note, name,
                [f"{name}/{case['name']}" for case in max_cases])  # fmt: skip


def tests() -> list[Test]:
    """The catalogue; raises an error if a group of the kit with Max is neither in it nor left out."""
    groups = {group["group"]: group for group in write_cases.groups()}
    of_max = {
        name
        for name, group in groups.items()
        if any(case["operator"] == "Max" for case in group.get("cases", []))
        or any(node["op"] == "Max" for case in group.get("invalid", []) for node in case.get("model", {}).get("nodes", []))
    }
    known = set(GROUPS) | set(LEFT_OUT)
    if of_max - known or set(GROUPS) - of_max:
        raise ValueError(f"catalogue.py: groups without an entry: {sorted(of_max - known)}; without a case of Max: {sorted(set(GROUPS) - of_max)}")
    result = [(valid_test if "cases" in groups[name] else invalid_test)(10 * k, groups[name]) for k, name in enumerate(GROUPS, 1)]
    if empty := [test.kit for test in result if not test.cases]:
        raise ValueError(f"catalogue.py: no case of Max: {empty}")
    return result


def case_files() -> dict[str, str]:
    """The kit's files of the catalogue's groups."""
    return {name: text for name, text in write_cases.files().items() if any(fnmatch(name, f"{group}.json") for group in GROUPS)}


def markdown(catalogue: list[Test]) -> str:
    lines = ["# Test catalogue of Max", "",
             f"{len(catalogue)} test cases with {sum(len(t.cases) for t in catalogue)} data sets. `catalogue.json` has the same, with the name of each",
             "data set; `cases/` has the data. Elements are bits in hexadecimal digits; `8000*9` means nine of them.", "",
             "| label | meaning |", "| --- | --- |", *(f"| {k} | {v} |" for k, v in LABELS.items()), "",
             "| tag | part of the specification |", "| --- | --- |", *(f"| `{k}` | {v} |" for k, v in TAGS.items()), "",
             "Levels are those of tests-part1.md: a conformance, b numerical robustness, c integer robustness, d properties, e negative tests.",
             "There is no case of the type real, which an ONNX model cannot have. Not in the catalogue: "
             + "; ".join(f"`{k}` ({v})" for k, v in LEFT_OUT.items()) + ".", ""]  # fmt: skip
    for test in catalogue:
        fields = {"operator": test.operator, "opset": ", ".join(map(str, test.opset)), "datatype(s)": ", ".join(test.datatypes) or "as in the models",
                  "input shapes": test.input_shapes, "attributes": test.attributes, "input values": test.input_values, "oracle": test.oracle,
                  "expected output": test.expected_output, "comparison rule": test.comparison_rule, "expected errors": test.expected_errors,
                  "part of the specification covered": ", ".join(f"`{t}`" for t in test.part_of_the_specification),
                  "level; label": f"{test.level}; {test.label}", "data sets": f"`{test.kit}`: {len(test.cases)}",
                  "notes": test.notes or "none"}  # fmt: skip
        lines += [f"## {test.id}", "", test.title, "", "| field | value |", "| --- | --- |", *(f"| {k} | {v} |" for k, v in fields.items()), ""]
    return "\n".join(lines).rstrip() + "\n"


def as_json(catalogue: list[Test]) -> dict[str, Any]:
    return {"tags": TAGS, "labels": LABELS, "left_out": LEFT_OUT, "tests": [asdict(test) for test in catalogue]}
