#!/usr/bin/env python3
"""Proves the lane functions of the kernels from their machine code, for all patterns of every type on every target.

    verification/proofs/smt/lanes.py                        x86-64, GCC and clang, every theorem by z3; wrong functions are found
    verification/proofs/smt/lanes.py --build FOLDER         with the options of this build's compile_commands.json, not of build/release
    verification/proofs/smt/lanes.py --arm                  NEON and SVE too
    verification/proofs/smt/lanes.py --solvers z3,cvc5      a second opinion on each
    verification/proofs/smt/lanes.py --compilers gcc        one compiler
    verification/proofs/smt/lanes.py --list                 the names of what is asked: TYPE/COMPILER/TARGET/CLAIM
    verification/proofs/smt/lanes.py --only PATTERN         what has such a name: 'f32/*/Join'
    verification/proofs/smt/lanes.py --print NAME           the SMT-LIB text of one
    verification/proofs/smt/lanes.py --instructions         the forms of instructions that the functions use

A theorem is asked as its negation: "unsat" proves it. A control is a claim that is false, so that a model which proves anything
would be found out: "sat". Any other answer, a time-out too, is a failure, and so is a function with an instruction that has no
model. docs/soundness.md says what is proved and what is not. Exit status 77 if a compiler or a solver is not installed: nothing is asked then.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from pathlib import Path

import changes
from functions import Functions, read_functions
from machine import NoModel
from models import LANES
from objects import COMPILERS, ROOT, Compiler, compile_functions, options_of, read_code, version
from theorems import ARM_TARGETS, X86_TARGETS, Question, about_functions, about_rules, text

SOLVERS = {"z3": ["z3", "-in", "-T:600"], "cvc5": ["cvc5", "--lang=smt2", "--fp-exp", "--tlimit=600000", "-"]}


def ask(solver: str, one: str) -> str:
    """The solver's answer."""
    done = subprocess.run(SOLVERS[solver], input=one, capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr.strip() or "no answer"


def ask_all(solver: str, texts: list[str]) -> dict[str, str]:
    """The answers by text, from two processes at a time; those about the widest lanes, which take longest, first."""
    longest = sorted(texts, key=lambda one: -len(one))
    with ThreadPoolExecutor(max_workers=2) as pool:
        return dict(zip(longest, pool.map(lambda one: ask(solver, one), longest)))


def read_compiler(name: str, folder: Path, options: list[str]) -> dict[tuple[str, str], Functions]:
    """The functions of all types and targets as one compiler makes them with these options."""
    compiler = COMPILERS[name]
    found = read_object(compiler, folder / f"lanes-{name}.so", ARM_TARGETS if compiler.arm else X86_TARGETS, options)
    for target, more in compiler.targets_alone.items():
        found |= read_object(compiler, folder / f"lanes-{name}-{target}.so", (target,), [*options, *more])
    return found


def read_object(compiler: Compiler, library: Path, targets: tuple[str, ...], options: list[str]) -> dict[tuple[str, str], Functions]:
    """The functions of all types and of these targets, which are all that a compilation makes."""
    compile_functions(compiler, library, options)
    code = read_code(compiler, library)
    found = {
        (lane.name, f"{compiler.name}/{target}"): read_functions(code, compiler.arm, lane, target)
        for target in targets
        for lane in LANES.values()
    }
    count = sum(functions.count for functions in found.values())
    if count != len(code.functions):
        raise NoModel(f"{len(code.functions)} functions in the object, {count} were read")
    return found


def main() -> int:
    """Asks for everything; 0 if every answer is as it must be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arm", action="store_true", help="NEON and SVE too")
    parser.add_argument("--compilers", default="", help="names of objects.py, separated by commas")
    parser.add_argument("--solvers", default="z3", help="z3, or z3,cvc5")
    parser.add_argument("--list", action="store_true", help="only list the names")
    parser.add_argument("--instructions", action="store_true", help="only list the forms of instructions")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", help="the build folder whose options are taken")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="ask for what has such a name")
    parser.add_argument("--print", dest="name", metavar="NAME", help="only print one")
    arguments = parser.parse_args()

    solvers = arguments.solvers.split(",")
    wanted = arguments.compilers.split(",") if arguments.compilers else [n for n, c in COMPILERS.items() if arguments.arm or not c.arm]
    absent = [solver for solver in solvers if not shutil.which(solver)] + [name for name in wanted if not version(COMPILERS[name])]
    if absent:
        print(f"lanes.py: not installed: {', '.join(absent)}: nothing was proved (scripts/setup.sh --dev)")
        return 77  # skipped, as CTest has it
    options = options_of(arguments.build)

    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            with ThreadPoolExecutor(max_workers=2) as pool:
                found = {key: f for part in pool.map(lambda n: read_compiler(n, folder, options), wanted) for key, f in part.items()}
        except NoModel as problem:
            print(f"lanes.py: no model, so nothing is concluded: {problem}")
            return 1
        if arguments.instructions:
            forms = sorted({" ".join(map(str, form)) for functions in found.values() for form in functions.used})
            print("\n".join(forms))
            return 0
        asked: list[tuple[Question, str]] = [(q, text(q, None)) for lane in LANES.values() for q in about_rules(lane)]
        for (lane, target), functions in found.items():
            asked += [(q, text(q, functions)) for q in about_functions(LANES[lane], target, functions)]
        pattern = arguments.name or arguments.only
        asked = [(q, t) for q, t in asked if fnmatchcase(q.title, pattern)]
        if not asked:
            parser.error(f"nothing is called '{pattern}' (see --list)")
        if arguments.list or arguments.name:
            print("\n".join(q.title if arguments.list else t for q, t in asked))
            return 0

        for compiler in wanted:
            count = sum(f.count for (_, target), f in found.items() if target.startswith(compiler + "/"))
            print(f"lanes.py: {compiler} ({version(COMPILERS[compiler])}): {count} functions executed from machine code")
        print(f"lanes.py: options of {arguments.build.name}: {' '.join(options)}")
        texts = list(dict.fromkeys(t for _, t in asked))
        wrong = 0
        for solver in solvers:
            answers = ask_all(solver, texts)
            for question, one in asked:
                if answers[one] != question.expected:
                    wrong += 1
                    print(f"{question.title}, {solver}: should be {question.expected}, is {answers[one]}")
            print(f"lanes.py: {solver} answered {len(texts)} different questions ({time.monotonic() - begin:.0f} s)", flush=True)
        theorems = sum(q.expected == "unsat" for q, _ in asked)
        print(f"lanes.py: {theorems} theorems and {len(asked) - theorems} false claims: {wrong or 'no'} answers are not as they must be")
        if arguments.only == "*" and {"gcc", "gcc-arm"} & set(wanted):
            some = changes.of(wanted)
            unnoticed = changes.unnoticed(folder, ask, some, options)
            wrong += len(unnoticed)
            for what in unnoticed:
                print(f"lanes.py: NOT NOTICED: {what}")
            print(f"lanes.py: {len(some) - len(unnoticed)} of {len(some)} changed functions lose a theorem"
                  f" ({time.monotonic() - begin:.0f} s)")  # fmt: skip
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
