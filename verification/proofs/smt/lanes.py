#!/usr/bin/env python3
"""Proves the lane algorithms of the kernels, with z3 and with cvc5, for all patterns of every type on every target.

    verification/proofs/smt/lanes.py                  everything, both solvers
    verification/proofs/smt/lanes.py --list           the names of what is asked: TYPE/TARGET/CLAIM
    verification/proofs/smt/lanes.py --only PATTERN   what has such a name: 'f32/*/Join'
    verification/proofs/smt/lanes.py --print NAME     the SMT-LIB text of one

A theorem is asked as its negation: "unsat" proves it. A control is a claim that is false, so that a model which proves anything
would be found out: "sat". Any other answer, a time-out too, is a failure. docs/soundness.md says what is proved and what is not.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase

from theorems import Question, questions, text

SOLVERS = {"z3": ["z3", "-in", "-T:900"], "cvc5": ["cvc5", "--lang=smt2", "--fp-exp", "--tlimit=900000", "-"]}


def ask(solver: str, question: Question) -> tuple[str, float]:
    """The solver's answer, and the seconds that it took."""
    begin = time.monotonic()
    done = subprocess.run(SOLVERS[solver], input=text(question), capture_output=True, text=True, check=False)
    answer = done.stdout.strip() or done.stderr.strip() or "no answer"
    return answer, time.monotonic() - begin


def main() -> int:
    """Asks for everything; 0 if every answer is as it must be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="only list the names")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="ask for what has such a name")
    parser.add_argument("--print", dest="name", metavar="NAME", help="only print one")
    parser.add_argument("--slowest", type=int, default=0, metavar="N", help="print the slowest N")
    arguments = parser.parse_args()
    pattern = arguments.name or arguments.only
    asked = [question for question in questions() if fnmatchcase(question.title, pattern)]
    if not asked:
        parser.error(f"nothing is called '{pattern}' (see --list)")
    if arguments.list or arguments.name:
        print("\n".join(question.title if arguments.list else text(question) for question in asked))
        return 0

    solvers = [solver for solver in SOLVERS if shutil.which(solver)]
    if not solvers:
        print("lanes.py: neither z3 nor cvc5 is installed: nothing was proved (scripts/setup.sh --dev)")
        return 77  # skipped, as CTest has it
    runs = [(solver, question) for question in asked for solver in solvers]
    # Those of wide floats take longest: first.
    runs.sort(key=lambda run: (not run[1].lane.startswith("f"), run[1].lane not in ("f64", "f32"), run[0] != "cvc5"))
    with ThreadPoolExecutor(max_workers=2) as pool:
        answers = list(pool.map(lambda run: ask(*run), runs))
    wrong = 0
    for (solver, question), (answer, _) in zip(runs, answers):
        if answer != question.expected:
            wrong += 1
            print(f"{question.title}, {solver}: should be {question.expected}, is {answer}")
    by_time = sorted(zip(answers, runs), key=lambda both: -both[0][1])
    for (_, seconds), (solver, question) in by_time[: arguments.slowest]:
        print(f"{seconds:7.1f} s  {solver}  {question.title}")
    controls = sum(question.expected == "sat" for question in asked)
    print(
        f"lanes.py: {len(asked) - controls} theorems and {controls} controls by {' and '.join(solvers)}:"
        f" {len(runs) - wrong} of {len(runs)} as they must be; the slowest {by_time[0][0][1]:.1f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
