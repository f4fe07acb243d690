#!/usr/bin/env python3
"""Mutation tests: puts one fault of table.py at a time into the sources and expects its judge to detect it.

    verification/faults/faults.py [FOLDER-OR-FILE ...]        the programs of the tests: all faults, or those in some sources
    verification/faults/faults.py --kit [FOLDER-OR-FILE ...]  the conformance cases alone, and the further cases
    verification/faults/faults.py --movement [...]            movement_test
    verification/faults/faults.py --rules [RULE ...]          the tests that cite the rule (verification/evidence/trace.py), by name
    verification/faults/faults.py --check                     only checks that each fault can still be put in

Each fault is put into a copy of the sources under build/mutants; the programs named with it are built and run there, and at least one
must fail. Exit status 1 if a fault is not detected, cannot be put in, or if the tests fail without any fault. The other judges of
table.py put in their faults themselves: lanes.py, check.sh, run_cases.py and microcontroller.sh.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from table import FAULTS, ROOT, Fault

sys.path.insert(0, str(ROOT / "verification" / "evidence"))

COPY = ROOT / "build" / "mutants" / "source"
BUILD = ROOT / "build" / "mutants" / "build"

# A judge that is a program of its own, and its arguments.
ARGUMENTS = {"movement_test": ["--gtest_filter=" + ":".join(f"Sample/Movement.*/{target}_{name}" for target in ("avx2", "portable")
                                                            for name in ("uint8", "float16", "float32", "float64"))]}  # fmt: skip
PROGRAMS = {"kit": "conformance_test", "further": "further_test", "movement": "movement_test"}
KINDS = r"\w+_test|(?:[A-Z]{3}-\d+|E\d):\w+_test|kit|further|movement|lanes:\w+:[\w,]+|why3:\w+\.[\w']+|false|c99"

# Of the kernels' targets, SSE4 and AVX-512 without its later parts are not built, to save time; for movement_test, all but AVX2.
LEFT_OUT = str(1 << 11 | 1 << 8)
ALL_BUT_AVX2 = "(~(512LL|HWY_SCALAR|HWY_EMU128))"

# Programs that mpirun starts, and on how many ranks.
RANKS = {"mpi_test": (3,)}
MPI_ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                   "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
                   "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


# Programs that may not take 300 s.
SECONDS: dict[str, float] = {}


def start(test: str, arguments: list[str]) -> bool:
    """Runs a test program, and returns whether it passes."""
    command = [str(BUILD / "bin" / test), "--gtest_brief=1", *arguments]
    starts = [["mpirun", "-n", str(ranks)] for ranks in RANKS.get(test, ())] or [[]]
    environment = os.environ | (MPI_ENVIRONMENT if test in RANKS else {})
    environments = [environment]
    if test == "conformance_test" and "SUPREMUM_CONFORMANCE_DIR" in environment:  # the further cases have models too
        environments.append(environment | {"SUPREMUM_CONFORMANCE_DIR": environment["SUPREMUM_CONFORMANCE_DIR"] + "/further"})
    try:
        return all(
            subprocess.run([*start, *command], env=of_run, capture_output=True, check=False, timeout=SECONDS.get(test, 300)).returncode == 0
            for start in starts
            for of_run in environments
        )
    except subprocess.TimeoutExpired:
        return False


def passes(test: str) -> bool:
    """Whether all tests of a program pass; the first that fails ends it."""
    return start(test, ["--gtest_fail_fast", *ARGUMENTS.get(test, ["--gtest_filter=-*/*_all"])])


@dataclass(frozen=True)
class Outcome:
    """What some tests of a program do: how many ran, and the names of those that fail, as the sources have them."""

    ran: int
    failed: list[str]


def in_sources(suite: str, test: str) -> str:
    """A test's name without its parameters' and its instance's."""
    return f"{re.sub(r'^[^/]*/(?=[A-Z])|/[^/]*$', '', suite)}.{test.split('/')[0]}"


def last_begun(test: str, chosen: str) -> str:
    """The test at which a program ends by a signal, or that does not end in time."""
    try:
        run = subprocess.run([BUILD / "bin" / test, chosen], capture_output=True, check=False, timeout=SECONDS.get(test, 300))
        said, ended = run.stdout, run.returncode >= 0
    except subprocess.TimeoutExpired as late:
        said, ended = late.stdout or b"", False
    begun = re.findall(r"^\[ RUN +\] (\S+)\.(\S+)$", said.decode(errors="replace"), re.M)
    return in_sources(*begun[-1]) if begun and not ended else f"{test}, which ended without a report"


def outcome(test: str, names: set[str]) -> Outcome:
    """Runs tests of a program, named as in the sources. Of a program that ends without a report, the last test that began fails."""
    forms = ("{0}.{1}", "*/{0}.{1}/*", "{0}/*.{1}", "*/{0}/*.{1}")
    chosen = "--gtest_filter=" + ":".join(form.format(*name.split(".")) for name in sorted(names) for form in forms) + ":-*/*_all"
    report = BUILD / "rules.json"
    report.unlink(missing_ok=True)
    passed = start(test, [chosen, f"--gtest_output=json:{report}"])
    if not report.is_file():
        return Outcome(0, []) if passed else Outcome(1, [last_begun(test, chosen)])
    suites = json.loads(report.read_text(encoding="utf-8"))["testsuites"]
    ran = [(suite["name"], test) for suite in suites for test in suite["testsuite"]]
    failed = {in_sources(suite, test["name"]) for suite, test in ran if test.get("failures")}
    return Outcome(len(ran), sorted(failed))


class DoesNotCompile(Exception):
    """A fault that is no program."""


def build(tests: list[str]) -> str | None:
    """Builds test programs; the static_assert that detects the fault, or None."""
    built = subprocess.run(["cmake", "--build", BUILD, "--target", *tests], capture_output=True, text=True, check=False)
    if built.returncode == 0:
        return None
    if "static assertion failed" in built.stdout:
        return "a static_assert"
    raise DoesNotCompile(f"cannot build {tests}:\n{built.stdout[-3000:]}")


def build_and_run(tests: list[str]) -> str | None:
    """The static_assert or test program that detects the fault first, or None."""
    if found := build(tests):
        return found
    for test in tests:
        if not passes(test):
            return test
    return None


@contextmanager
def changed(name: str, text: str) -> Iterator[None]:
    """Another text of a file in the copy, until the end of the block."""
    path = COPY / name
    before = path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(before, encoding="utf-8")


def put_in(fault: Fault) -> AbstractContextManager[None]:
    """A fault in the copy, until the end of the block."""
    return changed(fault.file, fault.put_into((COPY / fault.file).read_text(encoding="utf-8")))


def faults_of_rules() -> dict[str, tuple[Fault, str]]:
    """The fault of each rule, and the program whose tests that cite the rule must detect it."""
    found = {judge.split(":")[0]: (fault, judge.split(":")[1]) for fault in FAULTS for judge in fault.judges if re.match(r"[A-Z]+-?\d+:", judge)}
    return dict(sorted(found.items()))


def check_rules(chosen: list[str]) -> int:
    """Puts in the fault of each rule, and expects a test that cites the rule to fail. Returns the number of rules without one."""
    from trace import with_tests  # verification/evidence, which reads the faults of rules here

    tests = {rule: {name for name, _ in links} for rule, links in with_tests().tests.items()}
    of_rules = faults_of_rules()
    if found := build(sorted({of_rules[rule][1] for rule in chosen})):
        sys.exit(f"{found} fails without any fault")
    missed = 0
    for rule in chosen:
        fault, program = of_rules[rule]
        build([program])
        without = outcome(program, tests[rule])
        with put_in(fault):
            # A static_assert keeps the tests from running: it is none of them.
            found = build([program])
            failed = [] if found else outcome(program, tests[rule]).failed
        text = "noticed by " + ", ".join(failed[:3]) + (f" and {len(failed) - 3} more" if len(failed) > 3 else "")
        if without.failed or without.ran == 0:
            text = f"NOT NOTICED: without it {', '.join(without.failed) or 'no test'} of {program} {'fails' if without.failed else 'runs'}"
        elif found:
            text = f"NOT NOTICED by a test: {found} detects it"
        elif not failed:
            text = f"NOT NOTICED by {without.ran} tests of {program}"
        missed += text.startswith("NOT")
        print(f"{rule:6} {fault.name}: {text}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} rules have a fault that tests which cite the rule notice")
    return missed


def misfits(faults: list[Fault]) -> list[str]:
    """Faults that cannot be put in, or that no judge decides."""
    found: list[str] = []
    for fault in faults:
        try:
            fault.put_into((ROOT / fault.file).read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            found.append(str(problem))
        if not fault.judges:
            found.append(f"{fault.file}: '{fault.name}' has no judge")
        found += [f"{fault.file}: '{fault.name}': no judge is called '{judge}'" for judge in fault.judges if not re.fullmatch(KINDS, judge)]
        if fault.old == fault.new:
            found.append(f"{fault.file}: '{fault.name}' changes nothing")
    return found


def self_test() -> list[str]:
    """What is wrong with misfits(): each of these must be found."""
    file, text = "include/supremum/lane.h", "return a < b ? b : a;"
    planted = {"text that is not there": (file, "no such text", "", "lane_test"), "text that is there often": (file, "return", "", "lane_test"),
               "a file that is not there": ("src/none.cc", text, "", "lane_test"), "an unknown judge": (file, text, "", "nobody"),
               "no judge": (file, text, "", ""), "no change": (file, text, text, "lane_test")}  # fmt: skip
    return [f"faults.py: planted: {what} is not found" for what, (file, old, new, judge) in planted.items()
            if len(misfits([Fault(what, file, old, new, tuple(judge.split()))])) != 1]  # fmt: skip


def prepare(left_out: str = LEFT_OUT) -> None:
    """Makes the copy of the sources, and configures its build."""
    ignore = shutil.ignore_patterns("build", ".git")
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT, COPY, ignore=ignore, copy_function=shutil.copy)  # new times: all is built anew
    configure = ["cmake", "-S", COPY, "-B", BUILD, "-G", "Ninja", "-DSUPREMUM_WERROR=OFF", "-DCMAKE_BUILD_TYPE=Release", "-DSUPREMUM_BUILD_EVIDENCE=ON"]
    configure += [f"-DCMAKE_CXX_FLAGS=-DHWY_DISABLED_TARGETS={left_out}"]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)


def generate_kit_cases() -> None:
    """Writes the cases, unless the environment names a folder of them."""
    if {"SUPREMUM_CONFORMANCE_DIR", "SUPREMUM_FURTHER_DIR"} <= os.environ.keys():
        return
    cases = BUILD / "kit-cases"
    shutil.rmtree(cases, ignore_errors=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "kit")}
    subprocess.run([sys.executable, "-B", "-m", "supremum.kit", "cases", "--further", cases], env=environment, check=True)
    os.environ["SUPREMUM_CONFORMANCE_DIR"] = str(cases)
    os.environ["SUPREMUM_FURTHER_DIR"] = str(cases / "further")


def programs_of(fault: Fault, mode: str) -> list[str]:
    """The programs that must detect a fault, in this mode."""
    if mode == "":
        return [judge for judge in fault.judges if re.fullmatch(r"\w+_test", judge)]
    return [PROGRAMS[judge] for judge in fault.judges if judge in ({"kit", "further"} if mode == "kit" else {mode})]


def main() -> int:
    """Puts in each fault and reports the result."""
    mode = sys.argv[1][2:] if sys.argv[1:] and sys.argv[1] in ("--check", "--kit", "--movement", "--rules") else ""
    names = sys.argv[2:] if mode else sys.argv[1:]
    if found := misfits(FAULTS) + self_test():
        sys.exit("\n".join(found))
    if mode == "check":
        print(f"{len(FAULTS)} faults can be put in")
        return 0
    if mode == "rules":
        if not set(names) <= set(faults_of_rules()):
            sys.exit(f"faults.py: unknown rule; known: {', '.join(faults_of_rules())}")
        prepare()
        return 1 if check_rules(names or list(faults_of_rules())) else 0
    chosen = [(fault, tests) for fault in FAULTS if (not names or fault.file.startswith(tuple(names))) and (tests := programs_of(fault, mode))]
    if not chosen:
        sys.exit(__doc__)
    prepare(ALL_BUT_AVX2 if mode == "movement" else LEFT_OUT)
    if mode == "kit":
        generate_kit_cases()
    if failed := build_and_run(sorted({test for _, tests in chosen for test in tests})):
        print(f"{failed} fails without any fault")
        return 1
    unnoticed = 0
    for fault, tests in chosen:
        with put_in(fault):
            noticed = build_and_run(tests)
        unnoticed += noticed is None
        print(f"{'noticed by ' + noticed if noticed else 'NOT NOTICED':26} {fault.name}", flush=True)
    print(f"{len(chosen) - unnoticed} of {len(chosen)} faults noticed")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except DoesNotCompile as reason:
        sys.exit(str(reason))
