#!/usr/bin/env python3
"""Writes cases of the kit as node tests of the ONNX project: Python modules in the form of its onnx/backend/test/case/node.

    kit/cases/onnx_node_cases.py FOLDER    writes max_conformance.py, reducemax_conformance.py and README.md into FOLDER

A method is one case. onnx_node_selection.py lists them: cases that ONNX does not test and that its comparison can express, which is
numpy.testing.assert_allclose with ONNX's tolerances. Expected outputs are the kit's. A case of opset 13 may be written for opset 20, where
axes are an input: RED-1 to RED-6 are the same. It needs Python's standard library alone. The same cases give the same bytes.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import struct
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, Union

import oracle
import write_cases
from onnx_node_selection import SELECTION

ROOT = Path(__file__).resolve().parents[2]
FILES = {"Max": "max_conformance.py", "ReduceMax": "reducemax_conformance.py"}
RTOL, ATOL = Fraction(1, 10**3), Fraction(1, 10**7)  # of ONNX's node tests
WIDTH = 88  # characters of a line, as ONNX formats its Python
AXES_INPUT = 18  # the first opset whose ReduceMax has its axes as an input
NESTED_RANK = 4  # greater ranks are written flat and reshaped
Code = Union[str, list[Any]]  # a literal, or a list of them


def load_kit() -> Any:
    """supremum.kit as a module of its own: the package would need what a build makes."""
    spec = importlib.util.spec_from_file_location("supremum_kit", ROOT / "kit" / "supremum" / "kit" / "__init__.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def cases() -> dict[str, Any]:
    """The cases of the kit that have a right output, by id."""
    kit = load_kit()
    return {case.id: case for case in (kit._case(None, stated) for group in write_cases.groups() for stated, _ in kit._expanded(group))}


# What ONNX's comparison cannot tell apart.


@cache
def passes(dtype: str, actual: int, expected: int) -> bool:
    """True if ONNX's comparison accepts one element for the other."""
    a, b = oracle.key(dtype, actual), oracle.key(dtype, expected)
    if a is None or b is None:
        return a is b
    return a[0] == b[0] and abs(a[1] - b[1]) <= ATOL + RTOL * abs(b[1])


def operands_of(case: Any) -> Iterator[list[int]]:
    """For each element of the output, the elements of the inputs that it is the maximum of."""
    values = [operand.bits for operand in case.inputs]
    if case.operator == "Max":
        for index in itertools.product(*map(range, case.output.shape)):
            yield [bits[oracle.position(operand.shape, index)] for operand, bits in zip(case.inputs, values)]
        return
    shape = case.inputs[0].shape
    noop = bool(case.attributes.get("noop_with_empty_axes"))
    reduced = oracle.reduced_dimensions(len(shape), case.attributes.get("axes"), noop)
    kept = tuple(1 if d in reduced else extent for d, extent in enumerate(shape))
    found: list[list[int]] = [[] for _ in range(prod(kept))]
    for bits, index in zip(values[0], itertools.product(*map(range, shape))):
        found[oracle.position(kept, index)].append(bits)
    yield from found


def why_left_out(case: Any) -> str:
    """Why ONNX's form cannot express the case; "" if it can. A NaN of an input may be np.nan or -np.nan: both have literals."""
    if case.type == "bfloat16" or (case.operator == "ReduceMax" and case.type in ("int16", "uint16")):
        return "type"
    for operands, expected in zip(operands_of(case), case.output.bits):
        key = oracle.key(case.type, expected)
        wrong = {bits for bits in operands if bits != expected and passes(case.type, bits, expected)}
        if key is None:
            if wrong - {minus_nan(case.type)}:
                return "NaN"
        elif key[2] < 0 or (key[2] and any(oracle.key(case.type, bits)[2] for bits in wrong)):
            return "zero"
        elif wrong:
            return "close"
    return ""


def minus_nan(dtype: str) -> int:
    """-np.nan"""
    return oracle.nan(dtype) | 1 << (oracle.width(dtype) - 1)


# The text of a method.


def literal(dtype: str, bits: int) -> str:
    """An element, in the fewest digits that round to it."""
    key = oracle.key(dtype, bits)
    if key is None:
        return {oracle.nan(dtype): "np.nan", minus_nan(dtype): "-np.nan"}[bits]
    if dtype not in oracle.FLOATS:
        return str(bool(bits)) if dtype == "bool" else str(key[1])
    if key[0]:
        return "np.inf" if key[0] > 0 else "-np.inf"
    form = {"float16": "<e", "float32": "<f", "float64": "<d"}[dtype]
    content = bits.to_bytes(oracle.width(dtype) // 8, "little")
    (value,) = struct.unpack(form, content)
    for digits in range(1, 18):
        shorter = float(f"{value:.{digits}g}")
        try:
            if struct.pack(form, shorter) == content:
                return repr(shorter)
        except OverflowError:  # rounded up to more than the type's greatest
            pass
    raise AssertionError(f"{value!r} has no literal")


def nested(values: list[str], shape: tuple[int, ...]) -> Code:
    if not shape:
        return values[0]
    step = len(values) // shape[0]
    return [nested(values[i : i + step], shape[1:]) for i in range(0, len(values), step)]


def one_line(code: Code) -> str:
    return code if isinstance(code, str) else f"[{', '.join(map(one_line, code))}]"


def layout(code: Code, indent: int, before: str = "") -> str:
    """The code behind `before`, in one line if it and a comma fit, else with an item a line."""
    line = f"{' ' * indent}{before}{one_line(code)}"
    if isinstance(code, str) or len(line) < WIDTH:
        return line
    items = "".join(f"{layout(item, indent + 4)},\n" for item in code)
    return f"{' ' * indent}{before}[\n{items}{' ' * indent}]"


def array(name: str, tensor: Any) -> str:
    """The statements that set `name` to the tensor."""
    dtype = f"np.{tensor.type}{'_' * (tensor.type == 'bool')}"
    if 0 in tensor.shape:
        return f"        {name} = np.empty({tensor.shape}, dtype={dtype})\n"
    flat = len(tensor.shape) > NESTED_RANK
    values = [literal(tensor.type, bits) for bits in tensor.bits]
    code = nested(values, (len(values),) if flat else tensor.shape)
    text = f"        {name} = np.array({one_line(code)}, dtype={dtype})\n"
    if len(text) > WIDTH + 1:
        text = f"        {name} = np.array(\n{layout(code, 12)},\n            dtype={dtype},\n        )\n"
    return text + (f"        {name} = {name}.reshape({', '.join(map(str, tensor.shape))})\n" if flat else "")


def method(case: Any, says: str) -> tuple[str, str]:
    """The name of the test, and its method."""
    group, name, dtype = case.id.removeprefix("max_").removeprefix("reduce_").split("/")
    name = "_".join([*[group] * (group not in name), name, *[dtype] * (dtype != group)])
    attributes = dict(case.attributes)
    if case.operator == "Max":
        names, output, extra = [f"data_{i}" for i in range(len(case.inputs))], "result", ""
    else:
        names, output, extra = ["data"], "reduced", ""
        if "axes" in attributes and case.opset >= AXES_INPUT:
            names.append("axes")
            extra = f"        axes = np.array({attributes.pop('axes')}, dtype=np.int64)\n"
    test = f"test_{'max' if case.operator == 'Max' else 'reduce_max'}_{name}"
    label = "Proposal" if any(oracle.key(case.type, bits) is None for bits in case.output.bits) else "Decided by ONNX"
    stated = "".join(f"            {key}={value},\n" for key, value in attributes.items())
    arrays = "".join(array(*pair) for pair in zip(names, case.inputs))
    return test, f"""\
    @staticmethod
    def export_{name}() -> None:
        # {label} ({case.rules[0]}): {says}.
        node = onnx.helper.make_node(
            "{case.operator}",
{layout([f'"{name}"' for name in names], 12, "inputs=")},
            outputs=["{output}"],
{stated}        )
{arrays}{extra}{array(output, case.output)}        expect(
            node,
{layout(names, 12, "inputs=")},
            outputs=[{output}],
            name="{test}",
            opset_imports=[onnx.helper.make_opsetid("", {case.opset})],
        )
"""


def module(operator: str) -> tuple[str, int]:
    """The module of an operator, and the number of its methods."""
    own = [case for case in cases().values() if case.operator == operator]
    reasons = Counter(map(why_left_out, own))
    methods = {}
    for pattern, types, opset, says in SELECTION:
        for case in (cases()[f"{pattern}/{dtype}"] for dtype in types):
            if case.operator == operator:
                if reason := why_left_out(case):
                    raise SystemExit(f"onnx_node_cases.py: {case.id} cannot be expressed: {reason}")
                test, text = method(replace(case, opset=opset or case.opset), says)
                methods[test] = text
    types = "bfloat16, which NumPy does not have" + (", int16 and uint16, which ONNX's ReduceMax does not have") * (operator != "Max")
    paragraphs = [
        f"Cases of {operator} that ONNX's node tests do not have, from the conformance kit of supremum.",
        "A method is one case. Its expected output was computed with exact rational numbers. Its comment names a rule of supremum's "
        "docs/semantics.md, after one of these labels:",
        "Decided by ONNX: the operator's documentation determines the output.",
        "Proposal: ONNX leaves open which; NumPy's maximum, which the reference implementation uses, keeps the NaN.",
        "ONNX compares outputs with numpy.testing.assert_allclose, which cannot tell -0 from +0, nor NaNs apart. "
        f"Of the kit's {len(own)} cases of {operator}, these are left out because the comparison would accept a wrong element: "
        f"{reasons['zero']} for the sign of a zero, {reasons['NaN']} for the bits of a NaN, {reasons['close']} for elements that are "
        f"closer than the tolerances. Left out for their type are {reasons['type']}: {types}. "
        f"The methods are {len(methods)} of the other {reasons['']}.",
    ]
    docstring = "\n\n".join(textwrap.fill(paragraph, WIDTH) for paragraph in paragraphs)
    docstring = docstring.replace("Cases of", '"""Cases of', 1)
    head = f'''\
# SPDX-License-Identifier: Apache-2.0
{docstring}
"""

from __future__ import annotations

import numpy as np

import onnx
from onnx.backend.test.case.base import Base
from onnx.backend.test.case.node import expect


class {operator}(Base):
'''
    return head + "\n".join(text for _, text in sorted(methods.items())), len(methods)


def readme(counts: dict[str, int]) -> str:
    rows = "".join(f"| `{FILES[operator]}` | {operator} | {count} |\n" for operator, count in counts.items())
    return f"""\
# Node tests of Max and ReduceMax, for ONNX

| module | operator | methods |
| --- | --- | --- |
{rows}
The modules have the form of those in `onnx/backend/test/case/node` of the ONNX repository. Their cases are selected from the conformance
kit of supremum; `kit/cases/onnx_node_cases.py` of that project writes this folder. Each method has a comment: the label *Decided by ONNX*
or *Proposal*, the rule, and what the case tests. A module's docstring explains the labels and says how many cases of the kit are left out,
and why.

## To add them to ONNX

1. Copy the methods into the classes of the same names in `onnx/backend/test/case/node/max.py` and `reducemax.py`; or copy the modules
   into that folder, with the copyright line of the other modules at the top. ONNX imports every module there.
2. `python onnx/backend/test/cmd_tools.py generate-data` makes the models and their data.
3. The methods are also examples in ONNX's documentation, which `python onnx/backend/test/stat_coverage.py` and
   `python onnx/defs/gen_doc.py` write again.

Methods labelled *Proposal* need a decision first: ONNX does not say whether a NaN or a number is the maximum of both.

## How they were checked

- The expected outputs are those of the kit. Two oracles that share no code computed them and agree in every bit.
- supremum's test `python.onnx_node_cases` imports the modules with the `Base` and `expect` of the installed onnx package, and runs every
  model by supremum. It compares type, shape and every bit, and also as ONNX does.
- The same test runs the checker and the strict inference of the onnx package on each model whose opset it knows, and checks that the
  package has no test of the same name.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    counts = {}
    for operator, name in FILES.items():
        text, counts[operator] = module(operator)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    (folder / "README.md").write_text(readme(counts), encoding="utf-8", newline="\n")
    print(f"{sum(counts.values())} cases in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
