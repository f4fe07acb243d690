#!/usr/bin/env python3
"""Proves all of verification/proofs/why3 from scratch, and checks that the proofs mean something.

    verification/proofs/check.sh             everything, under ten minutes on two cores
    verification/proofs/check.sh --theorems  the theorems alone, by z3; prints the ledger as it should be where it differs

- Every condition is proved by z3; the theorems and the numbers of their conditions are those of theorems.txt, which is kept by hand.
- cvc5 is asked for a second opinion on each, with little time; it must not leave open more than one in ten.
- The claims of false_goals.mlw are false: neither solver may prove one.
- Each mutant, a fault put into code or specification, loses a condition of the file that it names.
- The C in extracted/ is what the programs give.

Exit status 77, with a line that says so, where Why3 or a solver is missing or of another version.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
WHY3 = HERE / "why3"
FILES = ["instances", "reduce_max", "reduce_refinement", "max", "kernel", "refinement", "layout", "shape", "order", "formats",
         "accuracy", "machine"]  # fmt: skip
VERSIONS = {"why3": "1.5.1", "z3": "4.8.12", "cvc5": "1.0.3"}
Z3, CVC5 = "Z3,4.8.12", "CVC5,1.0.3"
SECOND_OPINION = 0.9  # of all conditions


@dataclass(frozen=True)
class Mutant:
    """A fault: `old` occurs once in `file`; with `new` in its place, at least one condition of `loses` must fail."""

    name: str
    file: str
    old: str
    new: str
    loses: str


MUTANTS = [
    # What is specified.
    Mutant("-0 above +0", "formats", "else - 1 - magnitude a", "else - magnitude a", "formats"),
    Mutant("NaN below -inf", "formats", "if is_nan a then infinity + 1 else if", "if is_nan a then - sign else if", "formats"),
    Mutant("a NaN keeps its payload", "formats", "canonical (a: t) : t = if is_nan a then nan else a", "canonical (a: t) : t = a", "formats"),
    Mutant("join takes the smaller", "order", "canonical (if le a b then b else a)", "canonical (if le a b then a else b)", "order"),
    Mutant("the largest extent is the common one", "shape", "predicate agree (s r: shape) (j: int) = extent s j = 1 \\/",
           "predicate agree (s r: shape) (j: int) = extent s j <= 1 \\/", "shape"),
    Mutant("shapes aligned at the first dimension", "shape", "then s[length s - 1 - j] else 1", "then s[j] else 1", "shape"),
    Mutant("half of the bound on the error", "accuracy", "ensures { abs (true_y -. y) <=. bound }",
           "ensures { abs (true_y -. y) <=. bound *. 0.5 }", "accuracy"),
    Mutant("an empty reduction is any value", "reduce_max", "(v = bottom /\\ forall i: index.", "(forall i: index.", "reduce_max"),
    Mutant("axes are only counted", "reduce_max", "if pure { not valid axes (length s) }", "if pure { length axes > length s }",
           "reduce_max"),
    # What is computed.
    Mutant("keys are not moved", "formats", "subtract_wrapped (turn_round a) (nans ())", "turn_round a", "formats"),
    Mutant("the infinity's key is one off", "instances", "  = 0xf801\n", "  = 0xf800\n", "instances"),
    Mutant("no look for zero extents", "kernel", "if number extents d = 0 then zero <- true", "()", "kernel"),
    Mutant("the last input is left out", "kernel", "for m = 0 to n - 1 do", "for m = 0 to n - 2 do", "kernel"),
    Mutant("strides of the first input for all", "kernel", "from <- from + rank", "()", "kernel"),
    Mutant("one division too few", "kernel", "rest <- rest / extent", "()", "kernel"),
]


def version_of(tool: str) -> str:
    """What a tool says of itself; empty if it is not installed."""
    if not shutil.which(tool):
        return ""
    return subprocess.run([tool, "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0].strip()


def prove(file: str, folder: Path, prover: str, seconds: int) -> tuple[Counter[str], Counter[str]]:
    """How many conditions each theorem of a file has, and how many of them the prover leaves open."""
    command = ["why3", "prove", "-C", "provers.conf", "-L", ".", "-a", "split_vc", "-t", str(seconds), "-P", prover, "--json",
               f"{file}.mlw"]  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    all_of: Counter[str] = Counter()
    open_of: Counter[str] = Counter()
    text, decoder, at = done.stdout, json.JSONDecoder(), 0
    while (at := text.find("{", at)) >= 0:
        condition, at = decoder.raw_decode(text, at)
        theorem = f"{file}.{condition['term']['goal_name'].removesuffix(chr(39) + 'vc')}"
        all_of[theorem] += 1
        if condition["prover-result"]["answer"] != "Valid":
            open_of[theorem] += 1
    if not all_of:
        open_of[f"{file}: {(done.stderr.strip() or 'Why3 says nothing').splitlines()[-1]}"] += 1
    return all_of, open_of


def stay_open(pool: ThreadPoolExecutor) -> list[str]:
    """The false goals that a prover claims to have proved."""
    problems: list[str] = []
    for prover, (goals, still_open) in zip((Z3, CVC5), pool.map(lambda p: prove("false_goals", WHY3, p, 2), (Z3, CVC5))):
        problems += [f"{name} is false, and {prover} proves it" for name in goals if still_open[name] == 0]
        if not goals:
            problems.append(f"false_goals.mlw: {prover} was asked nothing")
    return problems


def survives(mutant: Mutant) -> str | None:
    """What is wrong with the proofs if the mutant loses no condition."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in WHY3.iterdir():
            shutil.copy(path, folder)
        path = folder / f"{mutant.file}.mlw"
        text = path.read_text(encoding="utf-8")
        if text.count(mutant.old) != 1:
            return f"mutant '{mutant.name}': its text stands {text.count(mutant.old)} times in {mutant.file}.mlw"
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        goals, still_open = prove(mutant.loses, folder, Z3, 2)
        if not goals:
            return f"mutant '{mutant.name}' is not well-formed: {next(iter(still_open))}"
        return None if still_open else f"mutant '{mutant.name}' loses nothing in {mutant.loses}.mlw"


def read_ledger() -> Counter[str]:
    lines = (HERE / "theorems.txt").read_text(encoding="utf-8").splitlines()
    return Counter({line.split()[0]: int(line.split()[1]) for line in lines if line and not line.startswith("#")})


def check_theorems(pool: ThreadPoolExecutor) -> tuple[list[str], int]:
    """What is wrong with the theorems, and how many conditions there are."""
    proved: Counter[str] = Counter()
    problems: list[str] = []
    for goals, still_open in pool.map(lambda f: prove(f, WHY3, Z3, 20), FILES):
        proved += goals
        problems += [f"{name}: z3 leaves {count} open" for name, count in still_open.items()]
    lines = [line for line in (HERE / "theorems.txt").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    if lines != sorted(lines):
        problems.append("theorems.txt: is not sorted")
    ledger = read_ledger()
    for name in sorted(set(ledger) | set(proved)):
        if ledger[name] != proved[name]:
            problems.append(f"theorems.txt: has '{name} {ledger[name]}', proved were {proved[name]}")
    return problems, sum(proved.values())


def main() -> int:
    missing = [tool for tool, version in VERSIONS.items() if version not in version_of(tool)]
    if missing:
        wanted = ", ".join(f"{tool} {VERSIONS[tool]} (here: {version_of(tool) or 'none'})" for tool in missing)
        print(f"check.sh: the proofs are made with Debian 12's tools; not found: {wanted}: nothing was proved")
        return 77
    begin = time.monotonic()
    problems: list[str] = []

    def report(what: str) -> None:
        print(f"check.sh: {what} ({time.monotonic() - begin:.0f} s)", flush=True)

    with ThreadPoolExecutor(max_workers=2) as pool:
        problems, total = check_theorems(pool)
        report(f"{len(read_ledger())} theorems, {total} conditions, all by z3" if not problems else "theorems: not as they should be")
        if sys.argv[1:] != ["--theorems"]:
            seconds = list(pool.map(lambda f: prove(f, WHY3, CVC5, 1), FILES))
            agreed = total - sum(still_open.total() for _, still_open in seconds)
            report(f"cvc5 proves {agreed} of them too")
            if agreed < SECOND_OPINION * total:
                problems.append(f"cvc5 proves {agreed} of {total} conditions: fewer than {SECOND_OPINION:.0%}")
            problems += stay_open(pool)
            report("false goals stay open")
            survivors = [found for found in pool.map(survives, MUTANTS) if found]
            problems += survivors
            report(f"{len(MUTANTS) - len(survivors)} of {len(MUTANTS)} mutants lose a condition")
            extracted = subprocess.run([HERE / "extract.sh", "--compare"], capture_output=True, text=True, check=False)
            if extracted.returncode != 0:
                problems.append(extracted.stderr.strip())
            report("the extracted C was compared")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
