#!/usr/bin/env python3
"""Findings in the texts of the SONNX working group: where, which sentence, what is wrong, and a computation that shows it.

    findings.py                    runs the computation of each finding; status 1 if one does not show what the finding claims
    findings.py --markdown         the findings as Markdown
    findings.py --tree GIT-FOLDER  also looks up each quotation in a clone of github.com/onnx/working-groups that has COMMIT

Python's standard library suffices for most. A computation that asks NumPy, onnx, ONNX Runtime or Why3 is left out, and named, where that
is not installed. The file stands alone: the hand-over has a copy of it.
"""

from __future__ import annotations

import importlib
import itertools
import math
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import ModuleType

COMMIT = "652b76b8a6611585f4aaa9c1be56699b8629b0c0"  # the head of pull request 119
OPS = "safety-related-profile/sonnx/ops"
INFORMAL = f"{OPS}/spec/informal"
GUIDELINES = f"{OPS}/docs/guidelines"
LABELS = {
    "ONNX": "contradicts the specification of ONNX",
    "SONNX": "contradicts another sentence of SONNX, IEEE 754 where the text refers to it, or arithmetic",
}
INFINITY, NAN = math.inf, math.nan


@dataclass(frozen=True)
class Finding:
    """`shows` returns whether the counter-example is one; `quotes` are sentences of the file, as it has them."""

    path: str
    quotes: tuple[str, ...]
    label: str
    wrong: str
    example: str
    shows: Callable[[], bool]
    instead: str


class Missing(Exception):
    """What a computation needs and is not installed."""


def need(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Missing(name.partition(".")[0]) from None


def common_shape(*shapes: tuple[int, ...]) -> tuple[int, ...] | None:
    """Multidirectional broadcasting of ONNX: the extent that is not 1; None if two of them differ."""
    rank = max(map(len, shapes))
    extents = [{s[len(s) - rank + k] if len(s) - rank + k >= 0 else 1 for s in shapes} - {1} for k in range(rank)]
    return None if any(len(e) > 1 for e in extents) else tuple(e.pop() if e else 1 for e in extents)


def zero_extent() -> bool:
    as_numpy = need("numpy").broadcast_shapes((0,), (1,)) == (0,)
    largest = max(0, 1)
    refused = any(extent not in (largest, 1) for extent in (0, 1))
    return as_numpy and common_shape((0,), (1,)) == (0,) and largest == 1 and refused


def where_makes_no_zero() -> bool:
    shapes = [s for rank in range(3) for s in itertools.product((1, 2, 3), repeat=rank)]
    results = [common_shape(a, b, c) for a in shapes for b in shapes for c in shapes]
    return any(results) and not any(r is not None and 0 in r for r in results)


def broadcast_by_onnx() -> bool:
    onnx = need("onnx.defs")
    operators = ("Where", "Less", "Add", "Sub", "Mul", "Div", "Pow")
    documented = all("multidirectional" in onnx.get_schema(op).doc for op in operators)
    return documented and common_shape((2,), ()) == (2,)


def bfloat16_of_max() -> bool:
    schema = need("onnx.defs").get_schema("Max", 13)
    return any("tensor(bfloat16)" in constraint.allowed_type_strs for constraint in schema.type_constraints)


def leaky_relu(x: float, alpha: float) -> float:
    return alpha * x if x < 0 else x


def alpha_is_an_attribute() -> bool:
    return "alpha" in need("onnx.defs").get_schema("LeakyRelu").attributes


def pow_cases(a: float, b: float) -> set[str]:
    """The cases of the definition of Pow whose conditions hold, of those with an infinite or NaN exponent."""
    integer = math.isfinite(b) and b == int(b)
    cases = set()
    if math.isnan(b) or (math.isnan(a) and b != 0) or (a < 0 and a != -INFINITY and not integer):
        cases.add("NaN")
    if (b == INFINITY and abs(a) > 1) or (b == -INFINITY and 0 < abs(a) < 1):
        cases.add("+inf")
    if (a == -1 and math.isinf(b)) or a == 1 or b == 0:
        cases.add("1")
    return cases


def pow_overlaps() -> bool:
    return (pow_cases(-1, INFINITY) == {"NaN", "1"} and math.pow(-1, INFINITY) == 1
            and pow_cases(-2, INFINITY) == {"NaN", "+inf"} and math.pow(-2, INFINITY) == INFINITY
            and pow_cases(1, NAN) == {"NaN", "1"} and math.pow(1, NAN) == 1)  # fmt: skip


def divided(a: float, b: float) -> float:
    """The quotient of IEEE 754; Python raises an error for a denominator of 0."""
    if b != 0:
        return a / b
    return NAN if math.isnan(a) or a == 0 else math.copysign(INFINITY, a) * math.copysign(1, b)


def exponential_overflows() -> bool:
    """e^x of what the text has as the largest x whose result is finite is above half a step over the type's largest number."""
    half = math.exp(11.09375) > 65504 + 16 and math.log(65504) < 11.08987
    largest = Fraction(2**24 - 1) * 2**104
    single = Fraction(math.exp(88.72283935546875)) > largest + 2**103
    return half and single


def matmul_overflows() -> bool:
    """Between the two numbers of elements the sum leaves int32, the type of MatMulInteger's result."""
    n = (2**31 - 1) // 255**2 + 1
    return n == 33026 and n < (2**32 - 1) / 255**2 and n * 255**2 > 2**31 - 1


def division_term() -> bool:
    x0, x1, e0, e1 = Fraction(1), Fraction(1), Fraction(0), Fraction(1, 2)
    first = (x1 * e0 - x0 * e1) / (x1 * (x1 + e1)) - e0 / x1
    result = (x0 * e1**2 - x1 * e0 * e1) / (x1**2 * (x1 + e1))
    as_printed, with_plus = first - x0 / x1**2 * e1, first + x0 / x1**2 * e1
    return as_printed == Fraction(-5, 6) and result == with_plus == Fraction(1, 6)


def not_the_first() -> bool:
    """Asks ONNX Runtime for Python; the compliance report has the answers of the one for Node."""
    numpy, onnx, runtime = need("numpy"), need("onnx"), need("onnxruntime")
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    names = [helper.make_tensor_value_info(name, kind, [1]) for name in "aby"]
    graph = helper.make_graph([helper.make_node("Max", ["a", "b"], ["y"])], "g", names[:2], names[2:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    zeros = {"a": numpy.float32([0.0]), "b": numpy.float32([-0.0])}
    return bool(numpy.signbit(session.run(None, zeros)[0][0]))


def stub_is_refused() -> bool:
    if not shutil.which("why3"):
        raise Missing("why3")
    with tempfile.TemporaryDirectory() as folder:
        outcomes = []
        for kind in ("list tensor 'a", "list (tensor 'a)"):
            path = Path(folder) / "stub.mlw"
            path.write_text(f"module M\n  use list.List\n  type tensor 'a\n  val ghost function f (x: {kind}) : {kind}\nend\n")
            done = subprocess.run(["why3", "prove", "--type-only", path], capture_output=True, text=True, check=False)
            outcomes.append(done.returncode == 0)
    return outcomes == [False, True]


def smallest_subnormal() -> bool:
    return f"{struct.unpack('<f', bytes([1, 0, 0, 0]))[0]:.2e}" == "1.40e-45"


FINDINGS = [
    Finding(f"{INFORMAL}/common/broadcast/broadcast.md",
            ("the size of each output dimension is equal to the maximum of the sizes of all the input tensors for that dimension",),
            "ONNX", "The extent is the one that is not 1, not the largest one. They differ where an extent is 0, which definitions.md allows "
            "(null tensors): then E1 also refuses what ONNX and NumPy broadcast.",
            "Shapes (0) and (1): ONNX gives (0). The text gives max(0, 1) = 1, and E1 holds, because 0 is neither 1 nor the maximum.",
            zero_extent, "the size is that of the input tensors whose size is not 1, and 1 if there is none; those sizes shall be equal"),
    Finding(f"{INFORMAL}/common/broadcast/broadcast.md", ("$L-1$ input tensors with possibly different shapes.", "$L-1$ output tensors"),
            "SONNX", "By the signature, X0 to XL, there are L + 1 tensors.", "L = 0: the text says -1 tensors; the signature has one, X0.",
            lambda: len(range(0, 0 + 1)) == 1 and 0 - 1 < 0, "$L+1$"),
    Finding(f"{INFORMAL}/common/definitions.md", ("We have $i_k \\in [0,dT_k]$ where $dT_k$ is the number of elements",),
            "SONNX", "The last index is one less than the number of elements.",
            "A tensor of shape (1) has one element; [0, 1] has two indices. All sums of SONNX end at $dT_k - 1$.",
            lambda: len(range(0, 1 + 1)) == 2, "$[0, dT_k-1]$"),
    Finding(f"{INFORMAL}/common/definitions.md", ("A null tensor can be created by operators  such as **Slice** or **Where**.",),
            "ONNX", "Where cannot: its result has the common shape of its inputs, and no extent is 0 unless an input has it.",
            "Every shape of rank 0 to 2 with extents 1 to 3, for each of the three inputs: no result has an extent of 0.",
            where_makes_no_zero, "Slice, NonZero or Compress"),
    Finding(f"{GUIDELINES}/formal/formal_guidelines.md",
            ("the i-th components of the index is strictly positive and strictly less than the i-th dimension of the tensor",),
            "SONNX", "The predicate `valid` below the sentence has 0 <= k < d.",
            "A tensor with dims [1] has the valid index [0]; no number is strictly positive and less than 1.",
            lambda: not [k for k in range(-2, 3) if 0 < k < 1] and [k for k in range(-2, 3) if 0 <= k < 1] == [0],
            "is not negative and is strictly less"),
    Finding(f"{INFORMAL}/max/max.md", ("No error conditions for **Max**.",),
            "SONNX", "Max applies Broadcast, whose text has the error E1.",
            "Shapes (2) and (3): broadcast.md says that E1 occurs, max.md that there is no error.",
            lambda: common_shape((2,), (3,)) is None, "those of Broadcast"),
    Finding(f"{INFORMAL}/max/max.md", ("where float is in {float16, float, double}", "No specific restrictions apply to the **Max** operator."),
            "ONNX", "Max-13, on which the text is based, also has bfloat16. To leave a type out is a restriction, and the text says that there "
            "is none.", "Max(bfloat16, bfloat16) is valid in ONNX 13; no section of max.md has the type.",
            bfloat16_of_max, "add bfloat16, or state the restriction"),
    Finding(f"{INFORMAL}/max/max.md", ("when 0 and -0 are compared, **Max** returns the first value : **Max**(0,-0) = 0 and **Max**(-0,0)=0-.",),
            "SONNX", "ONNX Runtime 1.30 (x86-64) returns the second one. So the note depends on a version, and is no fact of the runtime.",
            "Max([0], [-0]) is -0 and Max([-0], [0]) is 0 there: cases max_signed_zeros/of_1_zero_minus_zero/float32 and "
            "of_1_minus_zero_zero/float32 of the compliance report.",
            not_the_first, "ONNX Runtime returns either zero, depending on its version; this specification decides"),
    Finding(f"{INFORMAL}/where/where.md",
            ("Tensors $condition$, $X$, $Y$, and $Z$ shall have the same shape.", "No specific restrictions apply to the **Where** operator."),
            "ONNX", "Where-16 broadcasts its three inputs. Equal shapes are a restriction, and the text says that there is none. The same holds "
            "of Less, Add, Sub, Mul, Div and Pow; max.md does broadcast.",
            "Where([True, False], X of shape (), Y of shape (2)) is valid in ONNX.", broadcast_by_onnx,
            "apply Broadcast, as max.md does, or state the restriction"),
    Finding(f"{INFORMAL}/leakyrelu/leakyrelu.md",
            ("Y = \\text{LeakyRelu}(X) \\approx  \\begin{bmatrix} 6.1 & -0.95 & 35.7 \\end{bmatrix}", "\\alpha = 0.01"),
            "ONNX", "In Example 1 of the float section alpha is 0.01.", "0.01 * -9.5 = -0.095, not -0.95.",
            lambda: math.isclose(leaky_relu(-9.5, 0.01), -0.095), "-0.095"),
    Finding(f"{INFORMAL}/leakyrelu/leakyrelu.md",
            ("The function returns $\\text{NaN}$ only when the input is $\\text{NaN}$, or when the input is negative and alpha is $\\text{NaN}$.",),
            "SONNX", "The definition above it multiplies, and zero times infinity is NaN.", "alpha = 0, X[i] = -inf: 0 * -inf is NaN.",
            lambda: math.isnan(leaky_relu(-INFINITY, 0.0)), "add: or alpha is 0 and the input is -inf"),
    Finding(f"{INFORMAL}/leakyrelu/leakyrelu.md", ("Operator **LeakyRelu** has no attribute.", "### $\\text{alpha}$: real"),
            "ONNX", "It has the attribute alpha, which the same section describes, and restriction R1 requires it.",
            "The real section has a section Attributes with alpha, and later a second one that denies it.", alpha_is_an_attribute,
            "delete the second section Attributes"),
    Finding(f"{INFORMAL}/relu/relu.md", ("No particular error, the function returns $\\text{NaN}$ when the input is $\\text{NaN}$.",),
            "SONNX", "The sentence is in the section of integers, which have no NaN.",
            "All 256 values of int8 are numbers.", lambda: all(v == v for v in range(-128, 128)), "No error condition."),
    Finding(f"{INFORMAL}/pow/pow.md", ("&\\lor (A[i]\\in\\mathbb{R}^-{<0}\\land A[i]\\neq -\\inf\\land B[i]\\notin\\mathbb{Z})", "&B[i]=\\text{NaN}"),
            "SONNX", "The case of NaN overlaps with others: an infinite exponent is not in Z, and A = 1 is also a case of its own. The text "
            "refers to IEEE 754, whose pow has a number in all three examples; Example 3 of the text itself has the first.",
            "pow(-1, +inf): the conditions of NaN and of 1 hold; it is 1. pow(-2, +inf): NaN and +inf; it is +inf. pow(1, NaN): NaN and 1; it is 1.",
            pow_overlaps, "require a finite B[i] in the third condition, and $A[i] \\neq 1$ in the first"),
    Finding(f"{INFORMAL}/pow/pow.md", ("but $2^{0.33333333}$ gives a NaN",), "SONNX", "The base is -8, and needs parentheses, as in Example 2.",
            "2^0.33333333 is 1.26.", lambda: math.isclose(2**0.33333333, 1.26, rel_tol=1e-3), "$(-8)^{0.33333333}$"),
    Finding(f"{INFORMAL}/div/div.md",
            ("\\pm\\text{0} & \\text{if } A[i]=0 \\text{ and } B[i] \\neq 0", "\\pm\\text{inf} & \\text{if } A[i] \\neq 0 \\text{ and } B[i]= 0"),
            "SONNX", "NaN differs from 0, so these cases hold for a NaN too; IEEE 754, to which the text refers, gives NaN.",
            "0 / NaN and NaN / 0 are NaN; the text gives a zero and an infinity.",
            lambda: math.isnan(divided(0.0, NAN)) and math.isnan(divided(NAN, 0.0)) and NAN != 0,
            "a first case: NaN if A[i] or B[i] is NaN"),
    Finding(f"{INFORMAL}/div/div.md", ("the sign of $\\pm \\text{0}$ is determined from the sign of $B[i]$",),
            "SONNX", "By IEEE 754 it is determined from the signs of both.", "+0 / 1 is +0, and -0 / 1 is -0, with the same B.",
            lambda: math.copysign(1, divided(0.0, 1.0)) == 1 and math.copysign(1, divided(-0.0, 1.0)) == -1,
            "from the signs of the zero and of B[i]"),
    Finding(f"{INFORMAL}/exp/exp.md", ("\\ln(\\text{maxfp16}) \\approx 11.09375", "\\ln(\\text{maxfp32}) \\approx 88.72283935546875"),
            "SONNX", "Both values are rounded up: the result for X[i] = X_max overflows, although X[i] > X_max does not hold.",
            "ln(65504) is 11.08986..., and e^11.09375 = 65757 rounds to +inf in float16; e^88.72283935546875 rounds to +inf in float.",
            exponential_overflows, "the largest number of the type at most the logarithm: 11.0859375, 88.72283172607421875"),
    Finding(f"{INFORMAL}/less/less.md", ("[E_ABS_REAL_LESS_010]", "[E_ABS_FLOAT_LESS_010]"),
            "SONNX", "The tags have Abs's name and another order than those of the other operators, so a trace by tags misses Less.",
            "The third section has E_LESS_INT_FUNC_010.", lambda: all(tag.split("_")[1] != "LESS" for tag in ("E_ABS_REAL_LESS_010", "E_ABS_FLOAT_LESS_010")),
            "E_LESS_REAL_FUNC_010, E_LESS_FLOAT_FUNC_010"),
    Finding(f"{INFORMAL}/abs/abs.md", ("**Abs** operator for types [bfloat16, float16, float, double](#float)", "where float is in {float16, float, double}"),
            "SONNX", "The contents have bfloat16, the section does not.", "Abs of bfloat16 is in the one list and not in the other.",
            lambda: {"bfloat16", "float16", "float", "double"} != {"float16", "float", "double"}, "the same types in both"),
    Finding(f"{GUIDELINES}/tests-part2.md", ("\t- +inf : absorbing value",),
            "SONNX", "For floats max.md makes NaN absorbing, so +inf is not.", "Max(+inf, NaN) is NaN by max.md.",
            lambda: math.isnan(max((INFINITY, NAN), key=lambda v: (math.isnan(v), v))), "NaN : absorbing value; +inf : greatest number"),
    Finding(f"{GUIDELINES}/tests-part2.md", ("\t- 0 :  absorbing element",), "SONNX", "Not for floats, which the list does not leave out.",
            "0 * inf and 0 * NaN are NaN.", lambda: math.isnan(0 * INFINITY) and math.isnan(0 * NAN), "0 : absorbing element of integers"),
    Finding(f"{GUIDELINES}/tests-part2.md", ("$2^{-149} \\approx 1.45\\times 10^{-45}$",), "SONNX", "Wrong decimal number.",
            "2^-149 = 1.40 * 10^-45.", smallest_subnormal, "$1.40\\times 10^{-45}$"),
    Finding(f"{GUIDELINES}/tests-part2.md", ("$\\mathbb{F}^{dX_0+dX_1+ ... +dX_n}$",),
            "SONNX", "The number of elements is the product of the sizes.", "A tensor of shape (2, 3) has 6 elements, not 5.",
            lambda: math.prod((2, 3)) == 6 and sum((2, 3)) == 5, "$\\mathbb{F}^{dX_0\\times dX_1\\times ... \\times dX_{n-1}}$"),
    Finding(f"{GUIDELINES}/tests-part2.md", ("of size $N> {2^{32}-1 \\over 255^2}$",),
            "ONNX", "MatMulInteger's result is int32, whose largest number is 2^31 - 1; a test between the two limits misses the overflow.",
            "N = 33026: 33026 * 255^2 = 2147515650 is above 2^31 - 1; the text's limit is 66051.", matmul_overflows,
            "${2^{31}-1 \\over 255^2}$"),
    Finding(f"{GUIDELINES}/tests-part2.md", ("the domain of $y$ is $]-128,0[ \\cup ]0, 127]$", "(-128,-128),(-128,0),(-128,127)"),
            "SONNX", "The domain leaves out -128, and the list of its edges has -128 and 0.",
            "y = -128 is a value of int8 other than 0; y = 0 is not in the domain.",
            lambda: -128 in range(-128, 128) and not -128 < -128 < 0, "$[-128,0[ \\cup ]0,127]$; edges with y of -128, -1, 1 and 127"),
    Finding(f"{GUIDELINES}/accuracy.md",
            ("& = & \\frac{x^1\\times e^0 - x^0\\times e^1}{x^1(x^1 + e^1)} - \\frac{1}{x^1}\\times e^0 - \\frac{x^0}{(x^1)^2}\\times e^1\\\\",),
            "SONNX", "The last sign is wrong: the derivative is -x0 / x1^2, and it is subtracted. The result in the next line is right.",
            "x0 = x1 = 1, e0 = 0, e1 = 1/2: the line is -5/6, the next line 1/6.", division_term, "$+ \\frac{x^0}{(x^1)^2}\\times e^1$"),
    Finding(f"{OPS}/spec/formal/common/broadcast/broadcast.mlw", ("let ghost function broadcast (lx : list tensor 'a) : list tensor 'a",),
            "SONNX", "`list` is applied to two types, and a `let` has no body: Why3 refuses the file.",
            "why3 prove --type-only refuses `list tensor 'a`, and accepts `list (tensor 'a)`.", stub_is_refused, "the file of this hand-over"),
]


def markdown() -> str:
    lines = ["# Findings in texts of SONNX", "",
             f"Paths are those of commit `{COMMIT}` of onnx/working-groups (the head of pull request 119). `findings.py` beside this page computes",
             "each counter-example, and `findings.py --tree GIT-FOLDER` looks up each quotation. Matters of style are left out.", "",
             "| label | a finding with it |", "| --- | --- |", *(f"| {label} | {text} |" for label, text in LABELS.items()), ""]  # fmt: skip
    for number, finding in enumerate(FINDINGS, 1):
        lines += [f"## F{number:02}: {finding.path.removeprefix(OPS + '/')} ({finding.label})", "",
                  *(line for quote in finding.quotes for line in ("```text", quote.strip(), "```", "")),
                  f"{finding.wrong}", "", f"Counter-example: {finding.example}", "", f"Instead: {finding.instead}.", ""]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"


def text_of(tree: str, path: str) -> str:
    done = subprocess.run(["git", "-C", tree, "show", f"{COMMIT}:{path}"], capture_output=True, check=False)
    return done.stdout.decode(errors="replace")


def main() -> int:
    arguments = sys.argv[1:]
    if arguments == ["--markdown"]:
        sys.stdout.write(markdown())
        return 0
    if arguments and (len(arguments) != 2 or arguments[0] != "--tree"):
        sys.stderr.write(str(__doc__))
        return 2
    wrong, left_out = [], []
    for number, finding in enumerate(FINDINGS, 1):
        try:
            if finding.label not in LABELS or not finding.shows():
                wrong.append(f"F{number:02}: the computation does not show it")
        except Missing as missing:
            left_out.append(f"F{number:02} (needs {missing})")
        if arguments:
            text = text_of(arguments[1], finding.path)
            wrong += [f"F{number:02}: {finding.path} does not have: {quote}" for quote in finding.quotes if quote not in text]
    if left_out:
        print(f"findings.py: not computed here: {', '.join(left_out)}")
    shown = len(FINDINGS) - len(left_out)
    print("\n".join(wrong) if wrong else f"findings.py: {shown} findings shown{', every quotation found' if arguments else ''}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
