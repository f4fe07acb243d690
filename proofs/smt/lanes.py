#!/usr/bin/env python3
"""Proves the lane algorithms of src/kernels/simd_lanes-inl.h for all bit patterns, with z3 and with cvc5.

    proofs/smt/lanes.py                 all theorems and controls, all float formats, both solvers
    proofs/smt/lanes.py --print NAME    the SMT-LIB text of one, for f32 (--format for another)

A theorem is asked as its negation: "unsat" proves it. A control is a claim that is false, so that a model which proves anything would
be found out: "sat". Functions have the names that they have in the kernels.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

FORMATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}  # bits of exponent and fraction
SOLVERS = {"z3": ["z3", "-in", "-T:120"], "cvc5": ["cvc5", "--lang=smt2", "--fp-exp", "--tlimit=300000", "-"]}


def prelude(exponent: int, fraction: int) -> str:
    """The rules, and the algorithms, over bit patterns."""
    width = 1 + exponent + fraction

    def bits(value: int) -> str:
        return f"(_ bv{value % (1 << width)} {width})"

    magnitude = (1 << (width - 1)) - 1
    infinity = ((1 << exponent) - 1) << fraction
    number = f"((_ to_fp {exponent} {fraction + 1}) %s)"
    return f"""
(set-logic QF_BVFP)
(define-sort V () (_ BitVec {width}))
(define-fun zero () V {bits(0)})
(define-fun kMagnitude () V {bits(magnitude)})
(define-fun kInfinity () V {bits(infinity)})
(define-fun kBottom () V {bits(infinity | 1 << (width - 1))})
(define-fun kNaN () V {bits(infinity | 1 << (fraction - 1))})
(define-fun kNaNs () V {bits(magnitude - infinity)})
(define-fun kBottomKey () V {bits(1 << (width - 1))})

; ---- The rules, in the theory of floating-point numbers. ORD-2 to ORD-4.
(define-fun is_nan ((a V)) Bool (fp.isNaN {number % "a"}))
(define-fun is_zero ((a V)) Bool (fp.isZero {number % "a"}))
(define-fun join ((a V) (b V)) V
  (ite (or (is_nan a) (is_nan b)) kNaN
  (ite (and (is_zero a) (is_zero b)) (ite (and (bvslt a zero) (bvslt b zero)) a zero)
  (ite (fp.gt {number % "a"} {number % "b"}) a b))))

; ---- Instructions.
(define-fun Max ((a V) (b V)) V (ite (bvsgt a b) a b))
(define-fun MinUnsigned ((a V) (b V)) V (ite (bvult a b) a b))
(define-fun BroadcastSignBit ((a V)) V (ite (bvslt a zero) (bvnot zero) zero))
(define-fun IfNegative ((v V) (yes V) (no V)) V (ite (bvslt v zero) yes no))
(define-fun Unordered ((a V) (b V)) Bool (or (is_nan a) (is_nan b)))

; ---- Algorithms.
(define-fun Largest ((signed_max V) (unsigned_min V)) V (IfNegative signed_max unsigned_min signed_max))
(define-fun EitherIsNaN ((a V) (b V)) Bool (bvsgt (Max (bvand a kMagnitude) (bvand b kMagnitude)) kInfinity))
(define-fun Join ((a V) (b V)) V (ite (EitherIsNaN a b) kNaN (Largest (Max a b) (MinUnsigned a b))))
(define-fun JoinUnordered ((a V) (b V)) V (ite (Unordered a b) kNaN (Largest (Max a b) (MinUnsigned a b))))
(define-fun JoinOfDoubles ((a V) (b V)) V
  (ite (or (bvsgt (bvand a kMagnitude) kInfinity) (bvsgt (bvand b kMagnitude) kInfinity)) kNaN
       (IfNegative (bvxor (ite (bvsgt a b) (bvnot zero) zero) (bvand a b)) a b)))
(define-fun Canonical ((a V)) V (ite (bvsgt (bvand a kMagnitude) kInfinity) kNaN a))

(define-fun MoveUp ((a V)) V (bvadd a kNaNs))
(define-fun MoveDown ((a V)) V (bvsub a kNaNs))
(define-fun AddSignedMax ((signed_max V) (a V)) V (Max signed_max a))
(define-fun AddMovedMin ((moved_min V) (a V)) V (MinUnsigned moved_min (MoveUp a)))
(define-fun Result ((signed_max V) (moved_min V)) V
  (ite (EitherIsNaN signed_max (MoveDown moved_min)) kNaN (Largest signed_max (MoveDown moved_min))))

(define-fun TurnRound ((a V)) V (bvxor a (bvand (BroadcastSignBit a) kMagnitude)))
(define-fun Key ((a V)) V (MoveDown (TurnRound a)))
(define-fun FromKey ((key V)) V (ite (bvsgt key (bvsub kInfinity kNaNs)) kNaN (TurnRound (MoveUp key))))
(define-fun ResultKey ((signed_max V) (moved_min V)) V (Max (Key signed_max) (Key (MoveDown moved_min))))

; What a fold holds after any number of patterns: the largest of them as a signed number, x, and the first as a
; moved one, MoveUp(y); x and y are among the patterns.
(define-fun is_fold ((x V) (y V)) Bool (and (bvsge x y) (bvule (MoveUp y) (MoveUp x))))

(declare-const a V) (declare-const b V) (declare-const c V)
(declare-const x V) (declare-const y V) (declare-const u V) (declare-const v V)
"""


# name: what is claimed of all a, b, c, x, y, u, v
THEOREMS = {
    # The rules themselves.
    "join is commutative": "(= (join a b) (join b a))",
    "join is associative": "(= (join (join a b) c) (join a (join b c)))",
    "join is idempotent up to NaNs": "(= (join a a) (ite (is_nan a) kNaN a))",
    "join with bottom changes nothing": "(= (join kBottom a) (join a a))",
    "a NaN absorbs": "(=> (is_nan a) (= (join a b) kNaN))",
    # Two at a time.
    "Join": "(= (Join a b) (join a b))",
    "Join with an unordered comparison": "(= (JoinUnordered a b) (join a b))",
    "Join of doubles": "(= (JoinOfDoubles a b) (join a b))",
    "Canonical": "(= (Canonical a) (join a a))",
    # Keys.
    "Key is one to one": "(=> (= (Key a) (Key b)) (= a b))",
    "FromKey undoes Key": "(= (FromKey (Key a)) (join a a))",
    "the maximum of keys is the key of the maximum": "(= (FromKey (Max (Key a) (Key b))) (join a b))",
    "a running maximum of keys": "(= (FromKey (Max c (Key a))) (join (FromKey c) a))",
    "the least key is bottom's": "(= (Key kBottom) kBottomKey)",
    # Folds: induction over the patterns.
    "a fold of nothing": "(and (is_fold kBottom kBottom) (= (Result kBottom (MoveUp kBottom)) kBottom))",
    "a fold stays one": "(=> (is_fold x y) (is_fold (AddSignedMax x a) (MoveDown (AddMovedMin (MoveUp y) a))))",
    "adding to a fold": "(=> (is_fold x y) (= (Result (AddSignedMax x a) (AddMovedMin (MoveUp y) a))"
    " (join (Result x (MoveUp y)) a)))",
    "joining folds": "(=> (and (is_fold x y) (is_fold u v)) (= (Result (Max x u) (MinUnsigned (MoveUp y) (MoveUp v)))"
    " (join (Result x (MoveUp y)) (Result u (MoveUp v)))))",
    "ResultKey": "(=> (is_fold x y) (= (FromKey (ResultKey x (MoveUp y))) (Result x (MoveUp y))))",
}

CONTROLS = {
    "the signed maximum alone": "(= (ite (EitherIsNaN a b) kNaN (Max a b)) (join a b))",
    "no look for NaNs": "(= (Largest (Max a b) (MinUnsigned a b)) (join a b))",
    "a fold of patterns that are not moved": "(= (ite (EitherIsNaN (Max a b) (MinUnsigned a b)) kNaN"
    " (Largest (Max a b) (MinUnsigned a b))) (join a b))",
    "keys that are not moved down": "(= (TurnRound (Max (TurnRound a) (TurnRound b))) (join a b))",
    "any two patterns are a fold": "(= (Result (Max x a) (AddMovedMin (MoveUp y) a)) (join (Result x (MoveUp y)) a))",
    "the comparison's own larger one": "(= (ite (bvsgt a b) a b) (join a b))",
    "a NaN keeps its payload": "(= (join a a) a)",
}


def text(claim: str, width: tuple[int, int]) -> str:
    """What a solver is asked."""
    return f"{prelude(*width)}(assert (not {claim}))\n(check-sat)\n"


def ask(solver: str, claim: str, width: tuple[int, int]) -> tuple[str, float]:
    """The solver's answer, and the seconds that it took."""
    begin = time.monotonic()
    done = subprocess.run(SOLVERS[solver], input=text(claim, width), capture_output=True, text=True, check=False)
    answer = done.stdout.strip() or done.stderr.strip() or "no answer"
    return answer.splitlines()[0], time.monotonic() - begin


def main() -> int:
    """Asks for everything; 0 if every answer is as it must be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--print", dest="name", choices=[*THEOREMS, *CONTROLS], metavar="NAME", help="only print one")
    parser.add_argument("--format", choices=FORMATS, default="f32", help="the float format to print for")
    arguments = parser.parse_args()
    if arguments.name:
        print(text({**THEOREMS, **CONTROLS}[arguments.name], FORMATS[arguments.format]), end="")
        return 0

    solvers = [solver for solver in SOLVERS if shutil.which(solver)]
    if not solvers:
        print("lanes.py: neither z3 nor cvc5 is installed: nothing was proved (scripts/setup.sh --dev)")
        return 77  # skipped, as CTest has it
    questions = [
        (solver, name, claim, form, wanted)
        for claims, wanted in ((THEOREMS, "unsat"), (CONTROLS, "sat"))
        for name, claim in claims.items()
        for form in FORMATS
        for solver in solvers
    ]
    with ThreadPoolExecutor(max_workers=2) as pool:
        answers = list(pool.map(lambda q: ask(q[0], q[2], FORMATS[q[3]]), questions))
    wrong = 0
    for (solver, name, _, form, wanted), (answer, _) in zip(questions, answers):
        if answer != wanted:
            wrong += 1
            print(f"{form}, {solver}: '{name}' should be {wanted}, is {answer}")
    slowest = max(seconds for _, seconds in answers)
    print(
        f"lanes.py: {len(THEOREMS)} theorems and {len(CONTROLS)} controls, {len(FORMATS)} formats, by {' and '.join(solvers)}:"
        f" {len(questions) - wrong} of {len(questions)} as they must be; the slowest {slowest:.1f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
