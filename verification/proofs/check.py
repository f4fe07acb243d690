#!/usr/bin/env python3
"""Proves all of verification/proofs/why3 from scratch, and checks that the proofs mean something.

Without an option: everything, under fifteen minutes on two cores.

- Every condition is proved twice, by z3 and by cvc5; the theorems and the numbers of their conditions are those of theorems.txt, which is
  kept by hand. cvc5 has a limit of steps, which does not depend on the load of the machine. What it leaves open it is asked again, with
  another setting and with definitions as axioms.
- The claims of false_goals.mlw are false: neither solver may prove one. Nor may z3 prove `false` at the end of a function or of a
  module: then its preconditions, or the axioms, would contradict each other. Contradictions that are put in must be found so.
- Each mutant, a fault put into code or specification, loses a condition of the theorem that it names. The same conditions are proved
  without it, within the same time.
- The C in extracted/ is what the programs give.

answers.txt has the digests of what takes longest: a file whose theorems z3 has proved all, with the files that it uses, its lines in
theorems.txt, the provers' versions and settings, and what of this program asks and reads answers; and the false goals that cvc5 has left
open. --first asks for a sixth of these files again, and cvc5 for no false goal that is in it. --record writes it.

Exit status 77, with a line that says so, where Why3 or a solver is missing or of another version.
"""

from __future__ import annotations

import argparse
import hashlib
import inspect
import json
import re
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
sys.path += [str(HERE / "smt"), str(HERE.parent / "faults")]

import table  # noqa: E402  (verification/faults)
from table import Fault  # noqa: E402

MUTANTS, CONTRADICTIONS = table.of("why3"), table.of("false")

WHY3, ANSWERS = HERE / "why3", HERE / "answers.txt"
FILES = ["instances", "accuracy", "kernel", "reduce_refinement", "reduce_max", "max", "refinement", "effect", "layout", "shape", "order",
         "formats", "machine"]  # fmt: skip
VERSIONS = {"why3": "1.5.1", "z3": "4.8.12", "cvc5": "1.0.3"}
Z3, CVC5 = "Z3,4.8.12", "CVC5,1.0.3"
Z3_AGAIN = "Z3,4.8.12,pulled quantifiers"  # for conditions at which z3 crashes as it is usually asked: no answer is no answer to a control
# For conditions that cvc5 leaves open as it is usually asked. It then replaces predicates by their definitions before it looks for terms
# at which to instantiate; as an axiom, which is how Why3 gives definitions to z3, a definition leaves the predicate's name to be found.
CVC5_AGAIN, AS_AXIOMS = "CVC5,1.0.3,definitions as axioms", ("eliminate_definition",)
# Seconds. A mutant's and its baseline's is several times what the slowest condition takes.
THEOREM_SECONDS, MUTANT_SECONDS, SMOKE_SECONDS = 30, 10, 2
CVC5_SECONDS = 300  # never reached: the limit of steps decides, which does not depend on the load
FALSE_GOALS = {Z3: SMOKE_SECONDS, CVC5: CVC5_SECONDS}
PARTS = {
    "first": "z3's proofs, but for what is in answers.txt; a sixth of the files, of those controls that are by file, and of the mutants, "
             "other ones whenever the proofs change",
    "record": "z3's proofs and the false goals, all of them; writes answers.txt",
    "theorems": "the theorems alone, by z3; prints the ledger as it should be where it differs",
    "self-test": "answers of provers are understood",
}


@dataclass(frozen=True)
class Condition:
    """A condition of a theorem, and what a prover answers."""

    goal: str  # in Why3's words
    line: int  # of the file; 0 where Why3 does not say it, as of what a clone brings
    is_smoke: bool
    answer: str

    @property
    def theorem(self) -> str:
        """The theorem's or function's name."""
        return self.goal.removesuffix("'vc")

    @property
    def crashed(self) -> bool:
        """Whether the prover ended without an answer."""
        return not self.answer.startswith(("Valid", "Invalid", "Unknown", "Timeout", "Out of memory", "Step limit exceeded"))


@dataclass(frozen=True)
class Proof:
    """How many conditions each theorem of a file has, how many the prover leaves open, how many `check`s of false it proves, and at how
    many of all it crashes."""

    conditions: Counter[str]
    still_open: Counter[str]
    smoke: Counter[str]
    false_proved: Counter[str]
    crashes: Counter[str]


def version_of(tool: str) -> str:
    """What a tool says of itself; empty if it is not installed."""
    if not shutil.which(tool):
        return ""
    return subprocess.run([tool, "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0].strip()


def conditions_of(text: str) -> list[Condition]:
    """The conditions and answers of what `why3 prove --json` prints."""
    conditions: list[Condition] = []
    decoder, at = json.JSONDecoder(), 0
    while (at := text.find("{", at)) >= 0:
        found, at = decoder.raw_decode(text, at)
        term = found["term"]
        is_smoke = "smoke" in term.get("explanations", []) or term["goal_name"].startswith("smoke_")
        answer = " ".join(found["prover-result"]["answer"].split())  # Why3 breaks it anywhere: "Step limit\nexceeded"
        conditions.append(Condition(term["goal_name"], term.get("loc", {}).get("line", 0), is_smoke, answer))
    return conditions


def self_test() -> int:
    """Whether answers are told from ends without one, as Why3 prints them."""
    answers = {"Valid": False, "Timeout": False, "Unknown\n(unknown + incomplete)": False, "Step limit\nexceeded": False,
               "Out of\nmemory": False, "HighFailure": True, "Failure\n(no answer)": True}  # fmt: skip
    text = "\n".join(json.dumps({"prover-result": {"answer": answer}, "term": {"goal_name": "goal"}}) for answer in answers)
    wrong = [found.answer for found, crashed in zip(conditions_of(text), answers.values(), strict=True) if found.crashed != crashed]
    print(f"check.py: not understood: {wrong}" if wrong else f"check.py: {len(answers)} kinds of answers are understood")
    return 1 if wrong else 0


def ask(file: str, folder: Path, prover: str, seconds: int, only: tuple[str, ...]) -> tuple[list[Condition], str]:
    """What a prover answers to the conditions of a file, or of a module and a theorem of it, and the last line of Why3's errors."""
    transformations = ("split_vc", *(AS_AXIOMS if prover == CVC5_AGAIN else ()))
    command = ["why3", "prove", "-C", "provers.conf", "-L", ".", *(word for name in transformations for word in ("-a", name)),
               "-t", str(seconds), "-P", prover, "--json", f"{file}.mlw"]  # fmt: skip
    if only:
        command += ["-T", only[0], "-G", only[1]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return conditions_of(done.stdout), (done.stderr.strip() or "Why3 says nothing").splitlines()[-1]


def asked_again(file: str, folder: Path, prover: str, seconds: int, conditions: list[Condition]) -> list[Condition]:
    """The conditions with the answers of the prover's other setting: where z3 crashed, where cvc5 did not prove."""

    def is_asked(condition: Condition) -> bool:
        """Whether the first answer does not count."""
        return condition.crashed if prover == Z3 else condition.answer != "Valid"

    text = (folder / f"{file}.mlw").read_text(encoding="utf-8").split("\n")
    other = Z3_AGAIN if prover == Z3 else CVC5_AGAIN
    whole: list[Condition] = []  # what the other setting answers to the whole file
    result = list(conditions)
    for goal in {condition.goal for condition in conditions if is_asked(condition)}:
        places = [at for at, condition in enumerate(conditions) if condition.goal == goal]
        before = text[: conditions[places[0]].line]
        modules = [match[1] for match in map(re.compile(r"module (\w+)").match, before) if match]
        again = ask(file, folder, other, seconds, (modules[-1], goal))[0] if modules else []
        if len(again) != len(places):  # a clone's goal stands in the module that is cloned, if Why3 says where
            whole = whole or ask(file, folder, other, seconds, ())[0]
            again = [condition for condition in whole if condition.goal == goal]
        if len(again) != len(places):
            continue  # not the same conditions: the answers stay
        for at, condition in zip(places, again):
            if is_asked(conditions[at]):
                result[at] = condition
    return result


def prove(file: str, folder: Path, prover: str, seconds: int, only: tuple[str, ...] = ()) -> Proof:
    """Proves a file; `only`: a module and a theorem of it."""
    conditions, error = ask(file, folder, prover, seconds, only)
    conditions = asked_again(file, folder, prover, seconds, conditions)
    proof = Proof(Counter(), Counter(), Counter(), Counter(), Counter())
    for condition in conditions:
        theorem = f"{file}.{condition.theorem}"
        valid = condition.answer == "Valid"
        proof.crashes[theorem] += condition.crashed
        if condition.is_smoke:
            proof.smoke[theorem] += 1
            proof.false_proved[theorem] += valid
        else:
            proof.conditions[theorem] += 1
            proof.still_open[theorem] += not valid
    if not conditions:
        proof.still_open[f"{file}: {error}"] += 1
    return Proof(proof.conditions, +proof.still_open, proof.smoke, +proof.false_proved, +proof.crashes)


def copy_of_proofs(folder: str) -> Path:
    """A copy that can be changed."""
    for path in WHY3.iterdir():
        shutil.copy(path, folder)
    return Path(folder)


def changed(mutant: Fault, folder: Path) -> None:
    """Puts a fault into a copy."""
    path = folder / Path(mutant.file).name
    path.write_text(mutant.put_into(path.read_text(encoding="utf-8")), encoding="utf-8")


def with_false_goals(file: str, text: str) -> str:
    """A file with a false goal at the end of each module. Modules that export each other need goals of different names."""
    goal = rf"\1  goal smoke_{file}_\2 : false\nend"
    return re.sub(r"(^module (\w+)$(?:(?!^end$)(?:.|\n))*)^end$", goal, text, flags=re.M)


def with_smoke(file: str, text: str) -> str:
    """A file with `check { false }` at the end of each function, and a false goal at the end of each module."""

    def function(match: re.Match[str]) -> str:
        head, body = match[1], match[2].rstrip()
        tail = match[2][len(body):]  # fmt: skip
        return f"{head}(let smoke_result = ({body}) in check {{ [@expl:smoke] false }}; smoke_result){tail}"

    # A function begins at two spaces; its body, after "  = ", ends before the next thing that does, a comment or the module's end.
    functions = re.compile(r"(^  let (?:(?!^  = |^  let |^end)(?:.|\n))*?^  = )((?:(?!^  \S|^end)(?:.|\n))*)", re.M)
    return with_false_goals(file, functions.sub(function, text))


def used_by(file: str) -> list[str]:
    """The file and the others that it uses, of those here, in the order of the alphabet."""
    known = {path.stem for path in WHY3.glob("*.mlw")}
    found, fresh = {file}, {file}
    while fresh:
        texts = [(WHY3 / f"{name}.mlw").read_text(encoding="utf-8") for name in fresh]
        named = {name for text in texts for name in re.findall(r"\b(?:use|clone)\s+(?:export\s+|import\s+)?(\w+)\.\w", text)}
        fresh = (named & known) - found
        found |= fresh
    return sorted(found)


def digest_of(file: str, prover: str, seconds: int) -> str:
    """What tells a file, as a prover is asked for it, from every other: its text, what it uses, what the ledger says of it, and the tools."""
    sources = [WHY3 / f"{name}.mlw" for name in used_by(file)] + [WHY3 / "provers.conf"]
    ledger = [f"{theorem} {count}" for theorem, count in read_ledger().items() if theorem.startswith(f"{file}.")]
    asking = [inspect.getsource(part) for part in (Condition, conditions_of, ask, asked_again, prove)]
    given = [prover, str(seconds), str(VERSIONS), Z3_AGAIN, CVC5_AGAIN, str(AS_AXIOMS), *asking, *ledger, *(path.name for path in sources),
             *(path.read_text(encoding="utf-8") for path in sources)]  # fmt: skip
    return hashlib.sha256("\0".join(given).encode()).hexdigest()


def to_record() -> list[str]:
    """The lines of answers.txt, if everything is proved."""
    asked = [(file, Z3, THEOREM_SECONDS) for file in sorted(FILES)] + [("false_goals", CVC5, CVC5_SECONDS)]
    return [f"{digest_of(file, prover, seconds)} {file}, {prover}\n" for file, prover, seconds in asked]


def some_of(names: list[str]) -> list[str]:
    """A sixth of the names: other ones whenever the proofs or the mutants change."""
    salt = "".join([*(path.read_text(encoding="utf-8") for path in sorted(WHY3.glob("*.mlw"))), str(MUTANTS)])
    ordered = sorted(names, key=lambda name: hashlib.sha256(f"{salt}{name}".encode()).digest())
    return [name for name in names if name in ordered[: (len(names) + 5) // 6]]


def smoke(change: Fault | None, files: list[str]) -> tuple[int, list[str]]:
    """The number of places in files at which false was asked for, and what is wrong: where z3 proves it, with a change or without. Without,
    also in the instances."""
    with tempfile.TemporaryDirectory() as name:
        folder = copy_of_proofs(name)
        if change:
            changed(change, folder)
        for file in files:
            path = folder / f"{file}.mlw"
            path.write_text(with_smoke(file, path.read_text(encoding="utf-8")), encoding="utf-8")
        if not change:
            # Instances are constants, and clones of what is asked elsewhere: one goal for each is enough, without its proofs.
            names = re.findall(r"^module (\w+)", (folder / "instances.mlw").read_text(encoding="utf-8"), re.M)
            text = "".join(f"module Of{name}\n  use instances.{name}\nend\n" for name in names)
            (folder / "smoke.mlw").write_text(with_false_goals("smoke", text), encoding="utf-8")
            files = ["smoke", *files]
        with ThreadPoolExecutor(max_workers=1 if change else 2) as pool:
            proofs = list(pool.map(lambda file: prove(file, folder, Z3, SMOKE_SECONDS), files))
    found = [f"{theorem}: z3 proves false at its end" for proof in proofs for theorem in proof.false_proved]
    if not change:
        found += [f"{theorem}: z3 crashes" for proof in proofs for theorem in proof.crashes]
    broken = [theorem for proof in proofs if not proof.smoke for theorem in proof.still_open]
    return sum(proof.smoke.total() for proof in proofs), found + broken


def stay_open(pool: ThreadPoolExecutor, known: set[str]) -> list[str]:
    """The false goals that a prover claims to have proved. `known`: what is not asked again."""
    problems: list[str] = []
    provers = {prover: seconds for prover, seconds in FALSE_GOALS.items() if digest_of("false_goals", prover, seconds) not in known}
    for prover, proof in zip(provers, pool.map(lambda p: prove("false_goals", WHY3, p, provers[p]), provers)):
        problems += [f"{name} is false, and {prover} proves it" for name in proof.conditions if proof.still_open[name] == 0]
        if not proof.conditions:
            problems.append(f"false_goals.mlw: {prover} was asked nothing")
        problems += [f"{name}: {prover} crashes" for name in proof.crashes]
    return problems


def survives(mutant: Fault) -> str | None:
    """What is wrong with the proofs if the mutant loses no condition, or if its theorem is not proved without it."""
    file = Path(mutant.file).stem
    module, _, theorem = mutant.judged_by("why3")[0].partition(".")
    baseline = prove(file, WHY3, Z3, MUTANT_SECONDS, (module, theorem))
    if baseline.still_open or not baseline.conditions:
        return f"mutant '{mutant.name}': without it, {dict(baseline.still_open) or 'nothing'} is left open"
    with tempfile.TemporaryDirectory() as name:
        folder = copy_of_proofs(name)
        changed(mutant, folder)
        proof = prove(file, folder, Z3, MUTANT_SECONDS, (module, theorem))
    if not proof.conditions:
        return f"mutant '{mutant.name}' is not well-formed: {next(iter(proof.still_open))}"
    if proof.crashes:
        return f"mutant '{mutant.name}': z3 crashes, and says nothing of {theorem}"
    return None if proof.still_open else f"mutant '{mutant.name}' loses nothing of {theorem}"


def read_ledger() -> Counter[str]:
    """The theorems and numbers of conditions of theorems.txt; '#' begins a comment."""
    lines = (HERE / "theorems.txt").read_text(encoding="utf-8").splitlines()
    return Counter({line.split()[0]: int(line.split()[1]) for line in lines if line and not line.startswith("#")})


def differences(found: Counter[str], prover: str) -> list[str]:
    """Where theorems.txt, which must be sorted, does not say what a prover was asked."""
    ledger = read_ledger()
    problems = [] if list(ledger) == sorted(ledger) else ["theorems.txt: is not sorted"]
    return problems + [f"theorems.txt: has '{theorem} {ledger[theorem]}', {prover} was asked {found[theorem]}"
                       for theorem in sorted(set(ledger) | set(found)) if ledger[theorem] != found[theorem]]  # fmt: skip


def check_theorems(pool: ThreadPoolExecutor, prover: str, seconds: int, files: list[str]) -> tuple[list[str], int]:
    """What is wrong with the theorems as a prover proves those of the files, and how many conditions there are. Of the other files, what the
    ledger says."""
    others = set(FILES) - set(files)
    asked = Counter({theorem: count for theorem, count in read_ledger().items() if theorem.split(".")[0] in others})
    problems: list[str] = []
    for proof in pool.map(lambda f: prove(f, WHY3, prover, seconds), files):
        asked += proof.conditions
        problems += [f"{name}: {prover} leaves {count} open" for name, count in proof.still_open.items()]
    return problems + differences(asked, prover), asked.total()


def check_contradictions(pool: ThreadPoolExecutor) -> list[str]:
    """The contradictions that were put in and not found."""
    return [f"contradiction '{change.name}' is not found" for change, (asked, found) in
            zip(CONTRADICTIONS, pool.map(lambda change: smoke(change, [Path(change.file).stem]), CONTRADICTIONS)) if not asked or not found]  # fmt: skip


def main() -> int:
    """Checks everything, or what the command line names."""
    parser = argparse.ArgumentParser(prog="check.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_mutually_exclusive_group()
    for part, what in PARTS.items():
        parts.add_argument(f"--{part}", dest="part", action="store_const", const=part, help=what)
    part = parser.parse_args().part
    if part == "self-test":
        return self_test()
    missing = [tool for tool, version in VERSIONS.items() if version not in version_of(tool)]
    if missing:
        wanted = ", ".join(f"{tool} {VERSIONS[tool]} (here: {version_of(tool) or 'none'})" for tool in missing)
        print(f"check.sh: the proofs are made with Debian 12's tools; not found: {wanted}: nothing was proved")
        return 77
    begin = time.monotonic()

    def report(what: str) -> None:
        print(f"check.sh: {what} ({time.monotonic() - begin:.0f} s)", flush=True)

    some = some_of if part == "first" else list
    known = {line.split()[0] for line in ANSWERS.read_text(encoding="utf-8").splitlines()} if part == "first" else set()
    lines = to_record()

    def check_all(prover: str, seconds: int) -> list[str]:
        again = some(FILES)
        files = [file for file in FILES if file in again or digest_of(file, prover, seconds) not in known]
        problems, total = check_theorems(pool, prover, seconds, files)
        not_again = f", {len(FILES) - len(files)} of {len(FILES)} files as in answers.txt" if len(files) < len(FILES) else ""
        all_proved = f"{len(read_ledger())} theorems, {total} conditions, all by {prover}{not_again}"
        report(f"{prover}: theorems are not as they should be" if problems else all_proved)
        return problems

    with ThreadPoolExecutor(max_workers=2) as pool:
        problems = check_all(Z3, THEOREM_SECONDS)
        if part is None:
            problems += check_all(CVC5, CVC5_SECONDS)
        if part != "theorems":
            problems += stay_open(pool, known)
            report("false goals stay open")
        if part == "record" and lines != to_record():
            problems.append("the proofs were changed meanwhile: nothing is recorded")
        if part == "record" and not problems:
            ANSWERS.write_text("".join(lines), encoding="utf-8")
        if part not in ("theorems", "record"):
            every = [file for file in FILES if file not in ("instances", "machine")]
            files = some(every)
            asked, found = smoke(None, files)
            problems += found
            of_files = f", of instances and in {len(files)} of {len(every)} files: {', '.join(files)}" if part else ""
            report(f"false is not provable at {asked - len(found)} of {asked} ends of functions and modules{of_files}")
            missed = check_contradictions(pool)
            problems += missed
            report(f"{len(CONTRADICTIONS) - len(missed)} of {len(CONTRADICTIONS)} contradictions are found")
            names = some([mutant.name for mutant in MUTANTS])
            chosen = [mutant for mutant in MUTANTS if mutant.name in names]
            survivors = [problem for problem in pool.map(survives, chosen) if problem]
            problems += survivors
            report(f"{len(chosen) - len(survivors)} of {len(chosen)} mutants lose a condition" + (f", {len(MUTANTS)} in all" if part else ""))
            extracted = subprocess.run([sys.executable, HERE / "extract.py", "--compare"], capture_output=True, text=True, check=False)
            if extracted.returncode != 0:
                problems.append(extracted.stderr.strip())
            report("the extracted C was compared")
            ledger, provers = read_ledger(), "z3" if part else "z3 and cvc5"
            result = f"{len(problems)} are not as they must be" if problems else "all as they must be"
            report(f"{ledger.total()} conditions of {len(ledger)} theorems by {provers}, {asked} ends, {len(CONTRADICTIONS)} contradictions, "
                   f"{len(chosen)} mutants: {result}")  # fmt: skip
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
