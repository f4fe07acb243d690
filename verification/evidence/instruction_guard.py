#!/usr/bin/env python3
"""Checks that hot cases execute no more instructions than expected: a guard of speed that needs no quiet machine.

    verification/evidence/instruction_guard.py PROBE [--update]    PROBE is the built tests/instructions/hot_cases.cc; --update writes
                                                                   its counts as the expected ones, for its compiler and Highway
    verification/evidence/instruction_guard.py --self-test         checks the comparison and the sums, without valgrind

The counts are those of callgrind on the AVX2 kernels, since valgrind has no AVX-512: the instructions of the project's own code, and
PER_CALL for each call of another library, whatever that executes: the C library chooses its functions by the processor. Exit status
1 if a case takes more than 3 % more than expected, or is new or gone; 77 if nothing was compared: no valgrind, no AVX2, or a compiler
without expected counts.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from evidence_common import ROOT
from instruction_counts import SKIPPED, callgrind_dumps

EXPECTED = ROOT / "tests" / "instructions" / "expected"  # a file for each compiler: instructions, tab, case
TOLERANCE = 0.03
PER_CALL = 50  # about what malloc takes
Counts = dict[str, int]


def own_instructions(dump: str, objects: set[str]) -> int:
    """The cost of a file of callgrind, of functions in `objects` alone; and PER_CALL for each call from these to others.

    `ob=` names the object of the lines that follow, `cob=` the one that the next `calls=` calls, by default the same; the line after
    `calls=` is the inclusive cost of these calls, and every other line that begins with a position is the cost of a line of source.
    """
    total, own, callee, after_calls = 0, False, "", False
    caller = ""
    for line in dump.splitlines():
        key, _, value = line.partition("=")
        if key == "ob":
            caller, own = value, value in objects
        elif key == "fn":
            callee = caller
        elif key == "cob":
            callee = value
        elif key == "calls":
            if own and callee not in objects:
                total += PER_CALL * int(value.split()[0])
            callee, after_calls = caller, True
        elif line[:1].isdigit() or line[:1] in ("+", "-", "*"):
            if own and not after_calls:
                total += int(line.split()[1])
            after_calls = False
    return total


def compare(counts: Counts, expected: Counts) -> tuple[list[str], list[str]]:
    """What is wrong, and what could be expected instead."""
    wrong, hints = [], []
    for case, count in counts.items():
        if case not in expected:
            wrong.append(f"{case}: {count} instructions; nothing is expected of this case")
            continue
        text = f"{case}: {count} instructions, {count / expected[case] - 1:+.1%} of the expected {expected[case]}"
        if count > expected[case] * (1 + TOLERANCE):
            wrong.append(text)
        elif count < expected[case] * (1 - TOLERANCE):
            hints.append(text)
    wrong += [f"{case}: is expected, and was not measured" for case in expected if case not in counts]
    return wrong, hints


def read(file: Path) -> Counts:
    rows = (line.split("\t", 1) for line in file.read_text(encoding="utf-8").splitlines())
    return {case: int(count) for count, case in rows}


def self_test() -> int:
    dump = "\n".join([
        "events: Ir", "ob=/own", "fl=a.cc", "fn=f", "10 4", "+1 3", "cob=/libc", "cfn=malloc", "calls=2 20", "10 900", "cfn=g", "calls=1 7", "12 30",
        "fn=g", "7 30", "ob=/libc", "fn=malloc", "20 800", "cfn=inner", "calls=1 9", "20 100", "fn=inner", "9 100", "totals: 937",
    ])  # fmt: skip
    sums = own_instructions(dump, {"/own"}) == 4 + 3 + 30 + 2 * PER_CALL
    wrong, hints = compare({"same": 103, "more": 104, "fewer": 96, "new": 1}, {"same": 100, "more": 100, "fewer": 100, "gone": 1})
    named = [text.split(":")[0] for text in wrong] == ["more", "new", "gone"] and [text.split(":")[0] for text in hints] == ["fewer"]
    print("self-test: the sums are right, the cases beyond the tolerance are named" if sums and named else "self-test: failed")
    return 0 if sums and named else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("probe", type=Path, nargs="?")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    if args.probe is None:
        parser.error("which PROBE?")
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed (scripts/setup.sh --ci)")
        return SKIPPED
    # The probe starts the counting of calls between functions, which else goes on between the cases.
    lines, dumps, status = callgrind_dumps(args.probe, "--instr-atstart=no")
    if status == SKIPPED:
        print(f"skipped: {lines[0]}")
        return SKIPPED
    kind, *cases = lines
    compiler, highway, target = kind.split()
    file = EXPECTED / f"{compiler}-{highway}-{target}.txt"
    folder = args.probe.resolve().parent.parent
    objects = {str(args.probe.resolve()), *(str(path.resolve()) for path in (folder / "lib").glob("libsupremum.so*"))}
    counts = {case: own_instructions(dump, objects) for case, dump in zip(cases, dumps, strict=True)}
    if args.update:
        file.parent.mkdir(exist_ok=True)
        file.write_text("".join(f"{count}\t{case}\n" for case, count in counts.items()), encoding="utf-8")
        print(f"{file.relative_to(ROOT)}: {len(counts)} cases")
        return 0
    if not file.exists():
        print(f"skipped: no counts are expected of {kind} ({file.relative_to(ROOT)}); --update writes them")
        return SKIPPED
    wrong, hints = compare(counts, read(file))
    for text in hints:
        print(f"fewer than expected; --update records it: {text}")
    for text in wrong:
        print(f"too many, or not expected: {text}")
    print(f"{len(counts)} cases, {len(wrong)} wrong; {kind}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
