#!/usr/bin/env python3
"""Proves the formal specification of Max that handover.py gives to the SONNX working group, and checks that the proofs mean something.

    prove.py                    with the stand-in for the working group's tensor library; under two minutes on two cores
    prove.py --library FOLDER   with its own library: FOLDER has tensor/tensor.mlw (formal/common/libs in its repository)

- cvc5 proves every condition, and there are as many as CONDITIONS has.
- cvc5 proves none of the false goals of smoke.mlw, of which there are FALSE_GOALS.
- Each fault of FAULTS, put into a copy, leaves a condition open; a contradiction put into the axioms is found by a false goal.

For Why3 1.5 and later (Debian 12 has 1.5.1, Debian 13 has 1.8.0) and the cvc5 beside it. The working group's own library is not accepted by
1.5.1; it is by 1.8.0.
Exit status 77, with a line that says so, where one of the two is not installed.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
CONDITIONS = {"broadcast": 217, "max": 158}
FALSE_GOALS = 12
SECONDS, SMOKE_SECONDS = 20, 2

# file, old text, new text, what the fault is, and a module and a goal that it makes unprovable
FAULTS = [
    ("broadcast", "Cons (if d = 1 then e else d) (merge r s)", "Cons (if d < e then e else d) (merge r s)", "the largest extent", "Shapes",
     "merge_extent'vc"),
    ("broadcast", "Cons (if d = 1 then 0 else k) (pick r p)", "Cons k (pick r p)", "an index that is not restricted", "Shapes",
     "pick_valid'vc"),
    ("max", "= if le a b then canonical b else canonical a", "= if le a b then b else a", "any NaN is written", "Order", "join_idempotent"),
    ("max", "if bits a < sign then bits a else - 1 - magnitude a", "if bits a < sign then bits a else - magnitude a", "equal zeros",
     "MaxFloat", "canonical_is_one"),
    ("max", "if is_nan a then infinity + 1 else", "if is_nan a then infinity else", "NaN equals +Inf", "MaxFloat", "canonical_is_one"),
]  # fmt: skip
CONTRADICTION = ("max", "axiom nan_is_nan : infinity < bits nan < sign", "axiom nan_is_nan : infinity < bits nan < infinity")


def version_of(tool: str) -> str:
    """The version that a tool reports; empty if it is not installed."""
    if not shutil.which(tool):
        return ""
    text = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\d+\.\d+(\.\d+)?", text)
    return found[0] if found else ""


def configuration(folder: Path, cvc5: str) -> Path:
    path = folder / "provers.conf"
    path.write_text("[main]\nmagic = 14\nmemlimit = 3000\nrunning_provers_max = 2\n\n"
                    f'[prover]\nname = "CVC5"\nversion = "{cvc5}"\n'
                    'command = "cvc5 --force-logic=ALL --tlimit-per=%t000 --lang=smt2 %f"\ndriver = "cvc4_17"\n', encoding="utf-8")  # fmt: skip
    return path


def prove(file: str, folder: Path, library: Path, config: Path, cvc5: str, seconds: int,
          only: tuple[str, ...] = ()) -> tuple[int, Counter[str], str]:  # fmt: skip
    """Proves a file; `only`: a module and a goal of it. Returns the number of conditions, how many of each goal are open, and the last line of
    Why3's errors."""
    command = ["why3", "prove", "-C", config, "-L", library, "-L", folder, "-a", "split_all_full", "-t", str(seconds), "-P", f"CVC5,{cvc5}",
               "--json", folder / f"{file}.mlw"]  # fmt: skip
    if only:
        command += ["-T", only[0], "-G", only[1]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    decoder, at, number, still_open = json.JSONDecoder(), 0, 0, Counter[str]()
    while (at := done.stdout.find("{", at)) >= 0:
        found, at = decoder.raw_decode(done.stdout, at)
        number += 1
        still_open[found["term"]["goal_name"]] += found["prover-result"]["answer"] != "Valid"
    return number, +still_open, (done.stderr.strip() or "Why3 reports nothing").splitlines()[-1]


def changed(folder: str, file: str, old: str, new: str) -> Path:
    """A copy of the specification with another text at one place."""
    copy = Path(folder) / "why3"
    shutil.copytree(HERE / "why3", copy)
    path = copy / f"{file}.mlw"
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise SystemExit(f"prove.py: the text of a fault is {text.count(old)} times in {file}.mlw: {old}")
    path.write_text(text.replace(old, new), encoding="utf-8")
    return copy


def check(library: Path, config: Path, cvc5: str) -> list[str]:
    """What is wrong."""

    def theorems(file: str) -> list[str]:
        number, still_open, error = prove(file, HERE / "why3", library, config, cvc5, SECONDS)
        wrong = [f"{file}.{goal}: {count} open" for goal, count in still_open.items()]
        return wrong + ([] if number == CONDITIONS[file] else [f"{file}: {number} conditions, not {CONDITIONS[file]} ({error})"])

    def smoke() -> list[str]:
        number, still_open, error = prove("smoke", HERE / "why3", library, config, cvc5, SMOKE_SECONDS)
        proved = number - still_open.total()
        return ([f"smoke: {proved} false goals are proved"] if proved else []) + (
            [] if number == FALSE_GOALS else [f"smoke: {number} false goals, not {FALSE_GOALS} ({error})"])  # fmt: skip

    def fault(one: tuple[str, str, str, str, str, str]) -> list[str]:
        file, only = one[0], one[4:]
        number, still_open, error = prove(file, HERE / "why3", library, config, cvc5, SECONDS, only)
        if not number or still_open:
            return [f"fault '{one[3]}': without it {dict(still_open) or 'nothing'} is open ({error})"]
        with tempfile.TemporaryDirectory() as folder:
            number, still_open, error = prove(file, changed(folder, *one[:3]), library, config, cvc5, SMOKE_SECONDS, only)
        if not number:
            return [f"fault '{one[3]}' is not well-formed ({error})"]
        return [] if still_open else [f"fault '{one[3]}' leaves nothing open"]

    def contradiction() -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            copy = changed(folder, *CONTRADICTION)
            number, still_open, error = prove("smoke", copy, library, config, cvc5, SECONDS, ("FalseFloat", "contradiction"))
        return [] if number == 1 and not still_open else [f"a contradiction that was put in is not found ({error})"]

    with ThreadPoolExecutor(max_workers=2) as pool:
        tasks = [pool.submit(theorems, file) for file in CONDITIONS] + [pool.submit(smoke), pool.submit(contradiction)]
        tasks += [pool.submit(fault, one) for one in FAULTS]
        return [problem for task in tasks for problem in task.result()]


def main() -> int:
    arguments = sys.argv[1:]
    if arguments and (len(arguments) != 2 or arguments[0] != "--library"):
        sys.stderr.write(str(__doc__))
        return 2
    why3, cvc5 = version_of("why3"), version_of("cvc5")
    if not why3 or not cvc5:
        print("prove.py: skipped: why3 and cvc5 are needed (scripts/setup.sh --proofs)")
        return 77
    library = Path(arguments[1]) if arguments else HERE / "stand_in"
    with tempfile.TemporaryDirectory() as folder:
        problems = check(library, configuration(Path(folder), cvc5), cvc5)
    print("\n".join(problems) if problems else
          f"prove.py: {sum(CONDITIONS.values())} conditions proved by Why3 {why3} and cvc5 {cvc5}; {FALSE_GOALS} false goals stay open; "
          f"{len(FAULTS)} faults and a contradiction are found")  # fmt: skip
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
