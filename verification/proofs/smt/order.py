#!/usr/bin/env python3
"""Proves that the order of Why3 is that of IEEE 754, as SMT-LIB's theory of floating-point numbers has it, for all bit patterns.

    verification/proofs/smt/order.py            everything, both solvers
    verification/proofs/smt/order.py --print    the SMT-LIB text of every question

The definitions are read from why3/formats.mlw and why3/order.mlw, and the constants of each type from why3/instances.mlw: they are
not written a second time here. A theorem is asked as its negation: "unsat" proves it. A control is a false claim: "sat".
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from why3_terms import definitions, module, without_comments

WHY3 = Path(__file__).resolve().parent.parent / "why3"
SOLVERS = {"z3": ["z3", "-in", "-T:300"], "cvc5": ["cvc5", "--lang=smt2", "--fp-exp", "--tlimit=300000", "-"]}
FORMATS = {"Float16": (16, 5), "BFloat16": (16, 8), "Float": (32, 8), "Double": (64, 11)}

# a and b are patterns, A and B the numbers of IEEE 754 that they are.
IS_LESS = "(or (fp.lt A B) (and (fp.isZero A) (fp.isZero B) (fp.isNegative A) (fp.isPositive B)))"
THEOREMS = {
    "a NaN is a NaN": "(= (is_nan a) (fp.isNaN A))",
    "the order of two numbers": f"(=> (not (or (fp.isNaN A) (fp.isNaN B))) (= (le a b) (or {IS_LESS} (= a b))))",
    "every NaN is above every number": "(=> (and (fp.isNaN A) (not (fp.isNaN B))) (and (le b a) (not (le a b))))",
    "all NaNs are equal": "(=> (and (fp.isNaN A) (fp.isNaN B)) (le a b))",
    "what is written for a NaN, and for a number": "(= (canonical a) (ite (fp.isNaN A) nan a))",
    "join": "(= (join a b) (ite (or (fp.isNaN A) (fp.isNaN B)) nan (ite (fp.gt A B) a (ite (fp.gt B A) b"
    " (ite (fp.isNegative A) b a)))))",
    "bottom is -inf": "(and (fp.isInfinite (number least)) (fp.isNegative (number least)))",
    "the canonical NaN is the positive quiet one without a payload": "(= nan quiet)",
    "the infinity is +inf": "(and (fp.isInfinite (number (pattern infinity))) (fp.isPositive (number (pattern infinity))))",
    "the sign is that of -0": "(and (fp.isZero (number (pattern sign))) (fp.isNegative (number (pattern sign))))",
    "the key is a pattern": "(and (bvsle zero (key (to_int a))) (bvslt (key (to_int a)) (bvadd sign sign)))",
    "keys are in order": "(=> (not (or (fp.isNaN A) (fp.isNaN B))) (= (le a b) (bvsle (key (to_int a)) (key (to_int b)))))",
}
CONTROLS = {
    "the order is that of patterns": "(= (le a b) (bvule a b))",
    "zeros are equal": "(=> (and (fp.isZero A) (fp.isZero B)) (and (le a b) (le b a)))",
    "a NaN keeps its bits": "(= (canonical a) a)",
    "join is fp.max": "(= (number (join a b)) (fp.max A B))",
}


def constants(name: str) -> dict[str, int]:
    """sign, infinity, nan and least, as instances.mlw has them."""
    body = module((WHY3 / "instances.mlw").read_text(encoding="utf-8"), name)
    return {key: int(value.replace("_", ""), 0) for key, value in re.findall(r"^  constant (\w+) : \w+ = (\S+)$", body, re.M)}


def model(name: str) -> str:
    """What the questions about a type are asked of."""
    width, exponent = FORMATS[name]
    of_type = constants(name)
    known: dict[str, tuple[list[str], str]] = {"to_int": (["t"], "Int")}
    shown = [
        "(set-logic QF_BVFP)",
        f"(define-fun to_int ((a (_ BitVec {width}))) (_ BitVec {width + 3}) ((_ zero_extend 3) a))",
        f"(define-fun pattern ((a (_ BitVec {width + 3}))) (_ BitVec {width}) ((_ extract {width - 1} 0) a))",
        f"(define-fun number ((a (_ BitVec {width}))) (_ FloatingPoint {exponent} {width - exponent})"
        f" ((_ to_fp {exponent} {width - exponent}) a))",
        f"(define-fun zero () (_ BitVec {width + 3}) (_ bv0 {width + 3}))",
        f"(define-fun quiet () (_ BitVec {width}) (_ bv{((1 << exponent + 1) - 1) << width - exponent - 2} {width}))",
    ]
    for key, kind in (("sign", "Int"), ("infinity", "Int"), ("nan", "t"), ("least", "t")):
        bits = width + 3 if kind == "Int" else width
        shown.append(f"(define-fun {key} () (_ BitVec {bits}) (_ bv{of_type[key]} {bits}))")
        known[key] = ([], kind)
    float_text = module((WHY3 / "formats.mlw").read_text(encoding="utf-8"), "Float")
    order_text = module((WHY3 / "order.mlw").read_text(encoding="utf-8"), "Order")
    shown.append(definitions(float_text, ["magnitude", "is_nan", "level", "le", "canonical", "turned", "key"], width, known))
    shown.append(definitions(order_text, ["join"], width, known))
    shown += [f"(declare-const {p} (_ BitVec {width}))" for p in "ab"]
    shown += [f"(define-fun {p.upper()} () (_ FloatingPoint {exponent} {width - exponent}) (number {p}))" for p in "ab"]
    return "\n".join(shown)


def ask(question: tuple[str, str, str, str, str]) -> str | None:
    """What is wrong with the answer."""
    solver, of_type, name, text, expected = question
    done = subprocess.run(SOLVERS[solver], input=text, capture_output=True, text=True, check=False)
    answer = done.stdout.strip() or done.stderr.strip() or "no answer"
    return None if answer == expected else f"order.py: {of_type}, {name}, {solver}: should be {expected}, is {answer}"


def main() -> int:
    """Asks for everything; 0 if every answer is as it must be."""
    questions = []
    for of_type in FORMATS:
        of_model = model(of_type)
        for claims, expected in ((THEOREMS, "unsat"), (CONTROLS, "sat")):
            for name, claim in claims.items():
                text = f"; {of_type}: {name}\n{of_model}\n(assert (not {claim}))\n(check-sat)\n"
                questions += [(solver, of_type, name, text, expected) for solver in SOLVERS]
    if sys.argv[1:] == ["--print"]:
        print("\n".join(text for solver, _, _, text, _ in questions if solver == "z3"))
        return 0
    if not all(map(shutil.which, SOLVERS)):
        print("order.py: z3 and cvc5 are not both installed: nothing was proved (scripts/setup.sh --dev)")
        return 77
    with ThreadPoolExecutor(max_workers=2) as pool:
        problems = [problem for problem in pool.map(ask, questions) if problem]
    print("\n".join(problems + [f"order.py: {len(FORMATS)} types, {len(THEOREMS)} theorems and {len(CONTROLS)} controls each, by z3 and"
                                f" cvc5: {len(questions) - len(problems)} of {len(questions)} as they must be"]))  # fmt: skip
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
