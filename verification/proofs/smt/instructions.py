"""What each instruction computes: the one home of instruction semantics, for the proofs and for the co-simulation.

An elementwise instruction is a width and a body: an SMT-LIB expression over the operands of one element, `a` the first one as the
manuals list them, with `zero` and `ones` of the width. What is not here has no model, and a function that uses it is not proved.
Every form that the functions use is compared with the processor (cpp.py, verification/cosimulation).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

WIDTH = {"b": 8, "w": 16, "d": 32, "q": 64}


@dataclass(frozen=True)
class Elementwise:
    """An operation on the elements of vectors."""

    width: int  # of an element; 0: of any, since bits do not depend on each other
    body: str
    names: str = "a b"  # of the operands
    makes_mask: bool = False  # a bit for each element instead of a vector


def all_if(condition: str) -> str:
    """An element of ones where a condition holds, else of zeros."""
    return f"(ite {condition} ones zero)"


def bit_if(condition: str) -> str:
    """One bit."""
    return f"(ite {condition} #b1 #b0)"


BITWISE = {"and": "(bvand a b)", "andn": "(bvand (bvnot a) b)", "or": "(bvor a b)", "xor": "(bvxor a b)"}
ARITHMETIC = {
    "add": "(bvadd a b)",
    "sub": "(bvsub a b)",
    "subus": "(ite (bvugt a b) (bvsub a b) zero)",
    "maxs": "(ite (bvsgt a b) a b)",
    "maxu": "(ite (bvugt a b) a b)",
    "mins": "(ite (bvslt a b) a b)",
    "minu": "(ite (bvult a b) a b)",
    "cmpgt": all_if("(bvsgt a b)"),
    "cmpeq": all_if("(= a b)"),
}
COMPARED = {"eq": "(= a b)", "lt": "({s}lt a b)", "le": "({s}le a b)", "neq": "(not (= a b))", "nlt": "({s}ge a b)",
            "nle": "({s}gt a b)"}  # fmt: skip
BLEND = "(ite (bvslt mask zero) yes no)"  # by the highest bit of each element

# A NaN's magnitude exceeds that of infinity. The comparison is one of (un)ordered operands with exceptions suppressed; whether
# subnormal numbers are flushed (DAZ) does not matter to it, which the co-simulation confirms.
UNORDERED = "(or (bvugt (bvand a {magnitude}) {infinity}) (bvugt (bvand b {magnitude}) {infinity}))"


def shift(operator: str, width: int, count: int) -> Elementwise:
    """By a number of bits that the instruction contains."""
    count = min(count, width - 1) if operator == "bvashr" else count
    body = f"({operator} a (_ bv{count} {width}))" if count < width else "zero"
    return Elementwise(width, body, "a")


def ternary(table: int) -> Elementwise:
    """vpternlog: the bit of the table that the three operands' bits are the number of."""
    if table == 0xFF:
        return Elementwise(0, "ones", "a b c")
    terms = []
    for row in range(8):
        if table >> row & 1:
            bits = [name if row >> (2 - k) & 1 else f"(bvnot {name})" for k, name in enumerate("abc")]
            terms.append(f"(bvand {bits[0]} (bvand {bits[1]} {bits[2]}))")
    body = terms[0] if terms else "zero"
    for term in terms[1:]:
        body = f"(bvor {body} {term})"
    return Elementwise(0, body, "a b c")


def x86(name: str, immediate: int | None) -> Elementwise | None:
    """An elementwise instruction of x86-64, by the assembler's name without the v of AVX."""
    if m := re.fullmatch(r"p?(andn?|or|xor)([dq]|ps|pd)?", name):
        return Elementwise(0, BITWISE[m[1]])
    if m := re.fullmatch(r"p(add|sub|subus|maxs|maxu|mins|minu|cmpgt|cmpeq)([bwdq])", name):
        return Elementwise(WIDTH[m[2]], ARITHMETIC[m[1]])
    if m := re.fullmatch(r"pcmp(n?lt|n?le|neq)(u?)([bwdq])", name):  # to a mask, of AVX-512
        return Elementwise(WIDTH[m[3]], bit_if(COMPARED[m[1]].format(s="bvu" if m[2] else "bvs")), "a b", True)
    if (m := re.fullmatch(r"ps(ra|rl|ll)([wdq])", name)) and immediate is not None:
        return shift({"ra": "bvashr", "rl": "bvlshr", "ll": "bvshl"}[m[1]], WIDTH[m[2]], immediate)
    if m := re.fullmatch(r"blendvp([sd])|pblendvb", name):
        return Elementwise({"s": 32, "d": 64, None: 8}[m[1]], BLEND, "no yes mask")
    if name in ("pternlogd", "pternlogq") and immediate is not None:
        return ternary(immediate)
    if m := re.fullmatch(r"ptest(n?)m([bwdq])", name):
        condition = "(= (bvand a b) zero)"
        return Elementwise(WIDTH[m[2]], bit_if(condition if m[1] else f"(not {condition})"), "a b", True)
    if m := re.fullmatch(r"pmov([bwdq])2m", name):
        return Elementwise(WIDTH[m[1]], bit_if("(bvslt a zero)"), "a", True)
    if m := re.fullmatch(r"cmp(un)?ordp([sd])", name):
        width, fraction = (32, 23) if m[2] == "s" else (64, 52)
        magnitude = (1 << (width - 1)) - 1
        infinity = magnitude >> fraction << fraction
        constants = {"magnitude": f"(_ bv{magnitude} {width})", "infinity": f"(_ bv{infinity} {width})"}
        unordered = UNORDERED.format(**constants)
        return Elementwise(width, bit_if(unordered if m[1] else f"(not {unordered})"), "a b", True)
    return None


SCALAR = {"add": "(bvadd a b)", "sub": "(bvsub a b)", "and": "(bvand a b)", "or": "(bvor a b)", "xor": "(bvxor a b)",
          "neg": "(bvneg a)", "not": "(bvnot a)"}  # fmt: skip
SHIFTS = {"sar": "bvashr", "shr": "bvlshr", "shl": "bvshl", "sal": "bvshl"}
# After cmp b, a.
CONDITIONS = {
    "e": "(= a b)", "ne": "(not (= a b))", "l": "(bvslt a b)", "le": "(bvsle a b)", "g": "(bvsgt a b)", "ge": "(bvsge a b)",
    "b": "(bvult a b)", "be": "(bvule a b)", "a": "(bvugt a b)", "ae": "(bvuge a b)"}  # fmt: skip


def arm(name: str, width: int, immediate: int | None) -> Elementwise | None:
    """An elementwise instruction of Advanced SIMD, Arm's 64-bit state. `d` is what the destination holds before."""
    select = "(bvor (bvand {0} {1}) (bvand (bvnot {0}) {2}))"
    bodies = {
        "and": (0, "(bvand a b)", "a b"),
        "orr": (0, "(bvor a b)", "a b"),
        "eor": (0, "(bvxor a b)", "a b"),
        "bic": (0, "(bvand a (bvnot b))", "a b"),
        "orn": (0, "(bvor a (bvnot b))", "a b"),
        "mvn": (0, "(bvnot a)", "a"),
        "not": (0, "(bvnot a)", "a"),
        "bsl": (0, select.format("d", "a", "b"), "a b d"),
        "bit": (0, select.format("b", "a", "d"), "a b d"),
        "bif": (0, select.format("b", "d", "a"), "a b d"),
        "add": (width, "(bvadd a b)", "a b"),
        "sub": (width, "(bvsub a b)", "a b"),
        "smax": (width, ARITHMETIC["maxs"], "a b"),
        "umax": (width, ARITHMETIC["maxu"], "a b"),
        "smin": (width, ARITHMETIC["mins"], "a b"),
        "umin": (width, ARITHMETIC["minu"], "a b"),
        "cmgt": (width, all_if("(bvsgt a b)"), "a b"),
        "cmge": (width, all_if("(bvsge a b)"), "a b"),
        "cmhi": (width, all_if("(bvugt a b)"), "a b"),
        "cmhs": (width, all_if("(bvuge a b)"), "a b"),
        "cmeq": (width, all_if("(= a b)"), "a b"),
        "cmtst": (width, all_if("(not (= (bvand a b) zero))"), "a b"),
        "neg": (width, "(bvneg a)", "a"),
    }
    if name in ("sshr", "ushr", "shl") and immediate is not None:
        return shift({"sshr": "bvashr", "ushr": "bvlshr", "shl": "bvshl"}[name], width, immediate)
    # Compared with zero, which the assembler writes as an immediate.
    if immediate == 0 and name in ("cmgt", "cmge", "cmeq", "cmlt", "cmle"):
        operator = {"cmgt": "bvsgt", "cmge": "bvsge", "cmeq": "=", "cmlt": "bvslt", "cmle": "bvsle"}[name]
        return Elementwise(width, all_if(f"({operator} a zero)"), "a")
    return Elementwise(*bodies[name]) if name in bodies and immediate is None else None


# Arm's SVE: destructive or not, predicated or not, an operation computes the same on an element. `b` may be an immediate.
SVE = {
    "and": "(bvand a b)", "orr": "(bvor a b)", "eor": "(bvxor a b)", "bic": "(bvand a (bvnot b))",
    "add": "(bvadd a b)", "sub": "(bvsub a b)", "subr": "(bvsub b a)",
    "smax": ARITHMETIC["maxs"], "umax": ARITHMETIC["maxu"], "smin": ARITHMETIC["mins"], "umin": ARITHMETIC["minu"]}  # fmt: skip
SVE_BITWISE = {"and", "orr", "eor", "bic"}
SVE_SHIFTS = {"asr": "bvashr", "lsr": "bvlshr", "lsl": "bvshl"}
SVE_COMPARISONS = {
    "cmpeq": "(= a b)", "cmpne": "(not (= a b))", "cmpgt": "(bvsgt a b)", "cmpge": "(bvsge a b)", "cmplt": "(bvslt a b)",
    "cmple": "(bvsle a b)", "cmphi": "(bvugt a b)", "cmphs": "(bvuge a b)", "cmplo": "(bvult a b)", "cmpls": "(bvule a b)"}  # fmt: skip
