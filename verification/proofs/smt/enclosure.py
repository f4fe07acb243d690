#!/usr/bin/env python3
"""Proves that src/lane/enclose.h rounds outwards as IEEE 754 does, for all bit patterns (ACC-3, ACC-4).

    verification/proofs/smt/enclosure.py            everything of bf16, and of the other types all except sums
    verification/proofs/smt/enclosure.py --list     the names of what is asked: TYPE/CLAIM
    verification/proofs/smt/enclosure.py --only 'f64/*'       what has such a name, all sums too
    verification/proofs/smt/enclosure.py --print NAME         the SMT-LIB text of one

Nothing is transcribed: clang 16 compiles the header to LLVM's text form, which llvm.py reads. It is also proved that no function runs
into undefined behaviour. A theorem is asked as its negation: "unsat" proves it. A control is a false claim: "sat".

The sums of 16-bit floats are asked in the theory of floating-point numbers, of cvc5. Those of f32 and f64 are asked as exact_sums.py
defines them, of cvc5 with CryptoMiniSat, in cases; that this definition is the theory's is asked of f16. z3 is asked what it decides
at once, which sums are not.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import exact_sums
from llvm import definitions

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BY_SAT = "cvc5 with CryptoMiniSat"
SOLVERS = {"z3": ["z3", "-in", "-T:100"], "cvc5": ["cvc5", "--lang=smt2", "--fp-exp", "--tlimit=600000", "-"],
           BY_SAT: ["cvc5", "--lang=smt2", "--bitblast=eager", "--bv-sat-solver=cryptominisat", "--tlimit=600000", "-"]}  # fmt: skip
COMPILE = ["clang++-16", "-std=c++20", "-O1", "-fno-vectorize", "-fno-slp-vectorize", "-fno-discard-value-names", "-S", "-emit-llvm",
           f"-I{ROOT}/src", f"-I{ROOT}/include", str(HERE / "enclosure.cc"), "-o", "-"]  # fmt: skip
TYPES = {"bf16": (16, 8), "f16": (16, 5), "f32": (32, 8), "f64": (64, 11)}

# z is a value and e the bound of its error, as patterns; Z and E are the numbers of IEEE 754 that they are, E without its sign.
FINITE = "(not (or (fp.isNaN Z) (fp.isInfinite Z) (fp.isNaN E) (fp.isInfinite E)))"
IS_SUM = "(and (= (number {f}) ({sum} Z E)) (not (fp.isNaN (number {f}))))"
# Where the bound is 0, the value is left as it is, -0 included.
SUM = f"(ite {FINITE} (ite (fp.isZero E) (= {{f}} z) {IS_SUM}) (= {{f}} {{infinite}}))"
THEOREMS = {
    "Upper": SUM.format(f="(upper z e)", sum="fp.add RTP", infinite="infinity"),
    "Lower": SUM.format(f="(lower z e)", sum="fp.sub RTN", infinite="(bvor sign infinity)"),
    "Bound": f"(= (bound z e) (ite {FINITE} (bvand e (bvnot sign)) infinity))",
    "IsNegative": "(= (negative e) (fp.lt (number e) (number zero)))",
    "Upper is defined": "(not (upper.undefined z e))",
    "Lower is defined": "(not (lower.undefined z e))",
    "Bound and IsNegative are defined": "(not (or (bound.undefined z e) (negative.undefined e)))",
}
CONTROLS = {
    "Upper rounds to the nearest": SUM.format(f="(upper z e)", sum="fp.add RNE", infinite="infinity"),
    "Lower rounds upwards": SUM.format(f="(lower z e)", sum="fp.sub RTP", infinite="(bvor sign infinity)"),
    "Upper is never the value": "(=> (not (fp.isZero E)) (distinct (upper z e) z))",
}
# What is asked of all types; z3 leaves sums open after minutes. That Lower of f32 and f64 is defined follows from its being a mirror.
OF_ALL_TYPES = ("Bound", "IsNegative", "Bound and IsNegative are defined")
BY_CVC5_ALONE = ("Upper", "Lower", "Upper is defined", "Lower is defined")
QUICK = ("Bound", "IsNegative", "Bound and IsNegative are defined")
# Functions that the claims of exact_sums.py `of_any_functions` leave open.
PARTS = re.compile(r"\(define-fun (\w*\d(?:Sum|Difference)E\w*(?:\.undefined)?) \((.*?\))\) (\(_ BitVec \d+\)|Bool) .*")


@dataclass(frozen=True)
class Question:
    """A claim about the functions of a type."""

    of_type: str
    name: str
    text: str
    expected: str
    solvers: tuple[str, ...]

    @property
    def title(self) -> str:
        """What the command line takes."""
        return f"{self.of_type}/{self.name}"


def types_of(name: str) -> list[str]:
    """The types of which a claim in the theory of floating-point numbers is asked."""
    return [of_type for of_type, (width, _) in TYPES.items() if width == 16 or name in OF_ALL_TYPES]


def of_any_functions(text: str) -> str:
    """A function's definition; of a part, its declaration alone."""
    lines = []
    for line in text.splitlines():
        part = PARTS.fullmatch(line)
        lines.append(f"(declare-fun {part[1]} ({' '.join(re.findall(r'[(]_ BitVec [0-9]+[)]', part[2]))}) {part[3]})" if part else line)
    return "\n".join(lines)


def of_exact_sums(of_type: str, module: dict[str, str], wrappers: dict[str, str]) -> list[Question]:
    """The claims of exact_sums.py."""
    form = exact_sums.Format(*TYPES[of_type])
    found = []
    for claim in form.agreement() if of_type == "f16" else form.claims():
        of_header = needed(module, {f"{name}_{of_type}" for name in claim.calls})
        logic, solver = ("QF_BV", BY_SAT) if claim.calls else ("QF_BVFP", "cvc5")
        if claim.of_any_functions:
            of_header, logic, solver = [of_any_functions(text) for text in of_header], "QF_UFBV", "z3"
        used = [wrappers[name + suffix] for name in claim.calls for suffix in ("", ".undefined")]
        text = "\n".join([f"(set-logic {logic})", *of_header, *used, *claim.given, f"(assert (not {claim.claim}))", "(check-sat)", ""])
        found.append(Question(of_type, claim.name, text, claim.expected, (solver,)))
    return found


def needed(module: dict[str, str], names: set[str]) -> list[str]:
    """The definitions of some functions and of those that they call, in order: solvers read no others."""
    fresh = set(names)
    while fresh:
        called = {name for name in module for text in (module[f] for f in fresh) if f"({name} " in text or f"({name}.undefined" in text}
        fresh = called - names
        names = names | called
    return [text for name, text in module.items() if name in names]


def questions() -> list[Question]:
    """All claims."""
    module = definitions(subprocess.run(COMPILE, capture_output=True, text=True, check=True).stdout)
    found = []
    for of_type, (width, exponent) in TYPES.items():
        sort, sign = f"(_ BitVec {width})", 1 << width - 1
        infinity = ((1 << exponent) - 1) << width - 1 - exponent
        wrappers, shown = {}, []
        for name, two in (("upper", True), ("lower", True), ("bound", True), ("negative", False)):
            for suffix, result in (("", sort if two else "Bool"), (".undefined", "Bool")):
                parameters, arguments = (f"(z {sort}) (e {sort})", "z e") if two else (f"(e {sort})", "e")
                wrappers[name + suffix] = f"(define-fun {name}{suffix} ({parameters}) {result} ({name}_{of_type}{suffix} {arguments}))"
        constants = {"zero": 0, "sign": sign, "infinity": infinity}
        shown += [f"(define-fun {name} () {sort} (_ bv{value} {width}))" for name, value in constants.items()]
        number = f"(_ FloatingPoint {exponent} {width - exponent})"
        shown.append(f"(define-fun number ((a {sort})) {number} ((_ to_fp {exponent} {width - exponent}) a))")
        shown += [f"(declare-const {name} {sort})" for name in "ze"]
        shown += [f"(define-fun Z () {number} (number z))", f"(define-fun E () {number} (fp.abs (number e)))"]
        for claims, expected in ((THEOREMS, "unsat"), (CONTROLS, "sat")):
            for name, claim in claims.items():
                if of_type not in types_of(name):
                    continue
                # A bound below zero is refused before (CheckNotNegative).
                assume = "" if name == "IsNegative" else "(assert (not (negative e)))\n"
                used = [w for w in wrappers if f"({w} " in claim + assume]
                of_header = needed(module, {f"{w.removesuffix('.undefined')}_{of_type}" for w in used})
                text = "\n".join(["(set-logic QF_BVFP)", *of_header, *(wrappers[w] for w in used), *shown, f"{assume}(assert (not {claim}))", "(check-sat)", ""])
                solvers = ("z3", "cvc5") if expected == "unsat" and name not in BY_CVC5_ALONE else ("cvc5",)
                found.append(Question(of_type, name, text, expected, solvers))
        if of_type != "bf16":
            found += of_exact_sums(of_type, module, wrappers)
    return found


def ask(run: tuple[str, Question]) -> tuple[str, float]:
    """The solver's answer, and the seconds that it took."""
    solver, question = run
    begin = time.monotonic()
    done = subprocess.run(SOLVERS[solver], input=question.text, capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr.strip() or "no answer", time.monotonic() - begin


def main() -> int:
    """Asks for everything; 0 if every answer is as it must be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="only list the names")
    parser.add_argument("--only", metavar="PATTERN", help="ask for what has such a name")
    parser.add_argument("--print", dest="name", metavar="NAME", help="only print one")
    arguments = parser.parse_args()
    if not all(map(shutil.which, ("clang++-16", "z3", "cvc5"))):
        print("enclosure.py: clang 16, z3 and cvc5 are not all installed: nothing was proved (scripts/setup.sh --dev)")
        return 77
    pattern = arguments.name or arguments.only
    asked = [q for q in questions() if (fnmatchcase(q.title, pattern) if pattern else q.of_type == "bf16" or q.name in QUICK)]
    if arguments.list or arguments.name:
        print("\n".join(question.title if arguments.list else question.text for question in asked))
        return 0
    runs = [(solver, question) for question in asked for solver in question.solvers]
    runs.sort(key=lambda run: run[1].name not in BY_CVC5_ALONE)  # those that take longest first
    with ThreadPoolExecutor(max_workers=2) as pool:
        answers = list(pool.map(ask, runs))
    wrong = [f"enclosure.py: {question.title}, {solver}: should be {question.expected}, is {answer}"
             for (solver, question), (answer, _) in zip(runs, answers) if answer != question.expected]  # fmt: skip
    seconds, (solver, question) = max(((seconds, run) for run, (_, seconds) in zip(runs, answers)), key=lambda both: both[0])
    controls = sum(question.expected == "sat" for question in asked)
    print("\n".join([*wrong, f"enclosure.py: {len(asked) - controls} theorems and {controls} controls: {len(runs) - len(wrong)} of"
                     f" {len(runs)} answers as they must be; the slowest {question.title} by {solver}, {seconds:.0f} s"]))  # fmt: skip
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
