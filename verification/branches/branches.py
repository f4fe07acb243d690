#!/usr/bin/env python3
"""Which outcomes of the conditional jumps of the kernels, in the objects of the shipped library, do the tests reach?

    verification/branches/branches.py BUILD [--write] [--strict] [--update]
        --write: build/evidence/kernel-branches.md; --strict: exit status 1 if excluded.md is not exactly what is not reached
        --update: writes excluded.md: the numbers of its rows, and open rows for what they do not name
    verification/branches/branches.py BUILD --control
        conditional jumps with known outcomes (control.cc) must be reported as they are, and a single test must not reach all

BUILD is a folder of a release build with the programs of this folder. Programs have the library's code byte by byte, except for what
the linker writes (objects.py); breakpoints record which outcomes they reach (record.cc). Sources and lines are those of the same code
compiled with -g1, which must have the same bytes. excluded.md lists what is not reached: a line, the line that calls it, how many outcomes
for each target, and why none of them can be reached; without a reason, they are open. Any other number is an error, but of targets that
excluded.md does not have yet. The numbers are of one compiler.
"""

from __future__ import annotations

import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "evidence"))
from evidence_common import ROOT, write_made  # noqa: E402
from objects import KERNELS, Jump, Object, base_in, code_of, functions, output, read  # noqa: E402

RECORD = struct.Struct("<IIBB2s2s2xI")  # Branch of record.cc
PROGRAMS = [["every_layout"], ["kernels_test", "--gtest_brief=1"]]
COMPILER = "GCC: (Debian 12."  # of excluded.md
TARGETS = ["avx3_dl", "avx3", "avx2", "sse4", "portable"]
OUTCOMES = ["not taken", "taken"]
HEAD = "| file | line | called by | outcome | number | why |\n| --- | --- | --- | --- | --- | --- |"


@dataclass
class Seen:
    """What was recorded of a jump."""

    outcomes: list[bool] = field(default_factory=lambda: [False, False])
    traps: int = 0


Record = dict[tuple[str, int], Seen]  # object and address in it


def target_of(of: Object, jump: Jump) -> str:
    found = re.search(r"::N_(\w+)::", jump.function)
    return found[1].lower() if found else of.name


def run(recorder: Path, program: Path, arguments: list[str], objects: list[Object], record: Record) -> str:
    """Runs a program with breakpoints on the jumps with outcomes that have not been seen; returns what it prints."""
    found, code = functions(program), code_of(program)
    jumps = [(of, jump, base) for of in objects for base in [base_in(program, found, code, of)] for jump in of.jumps]
    with tempfile.NamedTemporaryFile() as table:
        for of, jump, base in jumps:
            seen = record[of.name, jump.at]
            table.write(RECORD.pack(base + jump.at, base + jump.target, jump.length, jump.condition, bytes(jump.alone), bytes(seen.outcomes), 0))
        padding = sorted(base + at for of in objects for base in [base_in(program, found, code, of)] for at in of.padding)
        table.write(b"".join(RECORD.pack(at, at, 0, 0, bytes(2), bytes(2), 0) for at in padding))
        table.flush()
        environment = {**os.environ, "LD_PRELOAD": str(recorder), "SUPREMUM_BRANCHES": table.name, "SUPREMUM_BRANCHES_OF": str(program.resolve())}
        done = subprocess.run([str(program), *arguments], env=environment, capture_output=True, text=True, check=False)
        recorded = Path(table.name).read_bytes()
    if done.returncode != 0:
        raise SystemExit(f"branches.py: {program.name} failed with status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    for (of, jump, _), (*_, outcomes, traps) in zip(jumps, RECORD.iter_unpack(recorded)):  # padding follows
        seen = record[of.name, jump.at]
        seen.outcomes = [a or b > 0 for a, b in zip(seen.outcomes, outcomes)]
        seen.traps += traps
    return done.stdout


def kernels(build: Path, folder: Path) -> list[Object]:
    """The objects of the static library; the shared library must have the same code."""
    subprocess.run(["ar", "x", (build / "lib/libsupremum.a").resolve()], cwd=folder, check=True)
    objects = [read(folder / f"{name}.cc.o", name) for name in KERNELS]
    library = (build / "lib/libsupremum.so").resolve()
    found, code = functions(library), code_of(library)
    for of in objects:
        base_in(library, found, code, of)
    return objects


# ---- Lines


@dataclass(frozen=True)
class Place:
    """Where a jump is in the sources: its line and the line that calls it, of those of the project that were inlined into each other."""

    line: tuple[str, int]
    caller: tuple[str, int] | None


def compiled_with_lines(build: Path, of: Object) -> Path:
    """The same object with line tables. It is compiled once; it must have the same bytes."""
    file = build / "branches" / f"{of.name}.cc.o"

    def is_same() -> bool:
        return file.exists() and of.masked(read_code(file)) == of.masked(of.code)

    if not is_same():
        file.parent.mkdir(parents=True, exist_ok=True)
        object_file = f"src/CMakeFiles/supremum.dir/kernels/{of.name}.cc.o"
        command = output("ninja", "-C", build, "-t", "commands", "-s", object_file).strip().splitlines()[-1]
        command = re.sub(r"-MF \S+", "-MF /dev/null", command).replace(f"-o {object_file}", f"-g1 -o {file.resolve()}")
        subprocess.run(command, shell=True, cwd=build, check=True)
        if not is_same():
            raise SystemExit(f"branches.py: {of.name}.cc has other code when it is compiled with -g1: lines are not known")
    return file


def read_code(file: Path) -> bytes:
    return code_of(file)[1]


@cache
def line_count(file: str) -> int:
    return len((ROOT / file).read_text(encoding="utf-8").splitlines())


def places_of(build: Path, of: Object) -> dict[int, Place]:
    """The lines of each jump."""
    done = subprocess.run(["addr2line", "-i", "-a", "-e", compiled_with_lines(build, of)], input="\n".join(hex(jump.at) for jump in of.jumps),
                          capture_output=True, text=True, check=True)  # fmt: skip
    places: dict[int, Place] = {}
    for block in re.split(r"^0x", done.stdout, flags=re.MULTILINE)[1:]:
        at, *frames = block.splitlines()
        lines = [(found[1], int(found[2])) for frame in frames if (found := re.search(r"/((?:src|include)/(?:kernels|supremum)/[^:]*):(\d+)", frame))]
        # GCC gives some lines of other files to the source that includes them.
        lines = [line for line in lines if line[1] <= line_count(line[0])]
        # What is repeated is one call in another that is inlined too: a template that calls itself.
        lines = [line for k, line in enumerate(lines) if k == 0 or line != lines[k - 1]]
        places[int(at, 16)] = Place(lines[0] if lines else (f"src/kernels/{of.name}.cc", 0), lines[1] if len(lines) > 1 else None)
    return places


# ---- Exclusions and the report


@dataclass
class Exclusion:
    """A row of excluded.md; open if `why` is empty."""

    file: str
    text: str  # a part of the line; the line, if open
    caller: str  # a part of the line that calls it, or empty; that line, if open
    outcome: str
    counts: dict[str, int]  # target -> outcomes
    why: str

    def fits(self, file: str, text: str, caller: str, outcome: str) -> bool:
        same = self.text in text and self.caller in caller if self.why else (self.text, self.caller) == (text, caller)
        return same and (self.file, self.outcome) == (file, outcome)


@dataclass
class Missing:
    """An outcome that was not reached."""

    of: str
    jump: Jump
    what: str  # the outcome; or that the jump was never executed, which is two outcomes
    target: str
    place: Place


def exclusions() -> list[Exclusion]:
    rows = re.findall(r"^\| `(\S+)` \| `(.*?)` \| (?:`(.*?)`|) \| (taken|not taken|never executed) \| ([^|]*?) \| ?(.*?) ?\|$", (HERE / "excluded.md").read_text(encoding="utf-8"), re.MULTILINE)
    return [Exclusion(file, text.replace("\\|", "|"), caller.replace("\\|", "|"), outcome, {target: int(n) for target, n in re.findall(r"(\w+) (\d+)", counts)}, why)
            for file, text, caller, outcome, counts, why in rows]  # fmt: skip


def source_line(line: tuple[str, int] | None) -> str:
    if line is None or line[1] == 0:
        return ""
    return (ROOT / line[0]).read_text(encoding="utf-8").splitlines()[line[1] - 1].strip()


def divide(missing: list[Missing], targets: list[str], rows: list[Exclusion]) -> tuple[list[Missing], list[Missing], list[Missing], list[str]]:
    """What is excluded, by the first row that fits; what is open; what is left; what is wrong with the numbers, which are then corrected."""
    excluded: list[Missing] = []
    unexplained: list[Missing] = []
    left: list[Missing] = []
    counts: list[Counter[str]] = [Counter() for _ in rows]
    for one in missing:
        text, caller = source_line(one.place.line), source_line(one.place.caller)
        for row, count in zip(rows, counts):
            if row.fits(one.place.line[0], text, caller, one.what):
                count[one.target] += 1
                (excluded if row.why else unexplained).append(one)
                break
        else:
            left.append(one)
    wrong = [f"excluded.md: `{row.text}`, called by `{row.caller}`, {row.outcome}, {target}: {count[target]} outcomes are not reached, not {row.counts.get(target, 0)}"
             for row, count in zip(rows, counts) for target in targets if count[target] != row.counts.get(target, 0)]  # fmt: skip
    for row, count in zip(rows, counts):
        row.counts = {target: n for target in TARGETS if (n := count[target] if target in targets else row.counts.get(target, 0))}
    return excluded, unexplained, left, wrong


def row_of(row: Exclusion) -> str:
    """A row of excluded.md."""
    counts = ", ".join(f"{target} {row.counts[target]}" for target in TARGETS if row.counts.get(target))
    return f"| `{row.file}` | `{cell(row.text)}` | {f'`{cell(row.caller)}`' if row.caller else ''} | {row.outcome} | {counts} | {row.why} |"


def by_line(missing: list[Missing]) -> list[Exclusion]:
    """Rows for what no row names."""
    groups: dict[tuple[str, str, str, str], Counter[str]] = defaultdict(Counter)
    for one in missing:
        key = (one.place.line[0], source_line(one.place.line), source_line(one.place.caller), one.what)
        groups[key][one.target] += 1
    return [Exclusion(file, text, caller, outcome, dict(counts), "") for (file, text, caller, outcome), counts in sorted(groups.items())]


def update(rows: list[Exclusion], left: list[Missing]) -> None:
    """Writes excluded.md with the numbers that were measured: first what is excluded, then what is open."""
    page = (HERE / "excluded.md").read_text(encoding="utf-8")
    head = page.partition(HEAD)[0]
    opened = sorted((row for row in [*rows, *by_line(left)] if not row.why and row.counts), key=lambda row: (row.file, row.text, row.caller, row.outcome))
    lines = [HEAD, *(row_of(row) for row in rows if row.why and row.counts), "", "## Open", "", HEAD, *(row_of(row) for row in opened), ""]
    (HERE / "excluded.md").write_text(head + "\n".join(lines), encoding="utf-8")


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def table(objects: list[Object], targets: list[str], counts: list[Counter[tuple[str, str]]]) -> str:
    """Outcomes of each target and source: reached, excluded, open, left."""
    every = Counter((target_of(of, jump), of.name) for of in objects for jump in of.jumps for _ in OUTCOMES)
    rows = ["| target | source | jumps | outcomes | reached | | excluded | open | left |", "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for target in targets:
        parts = [(target, of.name) for of in objects if every[target, of.name]]
        for key in [*parts, None] if len(parts) > 1 else parts:
            keys = parts if key is None else [key]
            total, reached, *others = (sum(count[one] for one in keys) for count in (every, *counts))
            source = "all" if key is None else f"`{key[1]}.cc`"
            shown = " | ".join(f"{other:,}" for other in others)
            rows.append(f"| {target} | {source} | {total // 2:,} | {total:,} | {reached:,} | {100 * reached / total:.2f} % | {shown} |")
    return "\n".join(rows)


def control(build: Path, recorder: Path) -> int:
    """Jumps with known outcomes are recorded as they are; one test alone reaches one target's code, and not all of it."""
    program = (build / "bin/branch_control").resolve()
    of = read(next(build.glob("**/branch_control.dir/**/control.cc.o")), "control")
    conditions = sorted((jump for jump in of.jumps if "Jumps<" in jump.function and jump.length == 2), key=lambda jump: jump.condition)
    loop = sorted((jump for jump in of.jumps if "Loop" in jump.function), key=lambda jump: (jump.condition != 5, jump.length))
    compared = 0
    for flags in range(32):
        expected = output(program, "flags", str(flags)).strip()
        record: Record = defaultdict(Seen)
        printed = run(recorder, program, ["flags", str(flags)], [of], record).strip()
        recorded = "".join(str(int(record["control", jump.at].outcomes[1])) for jump in conditions)
        seen_once = all(sum(record["control", jump.at].outcomes) == 1 for jump in conditions)
        if len(conditions) != 16 or not expected == printed == recorded or not seen_once:
            print(f"branches.py: flags {flags}: the processor says {expected}, the program {printed} with breakpoints, and recorded was {recorded}")
            return 1
        compared += len(conditions)
    # Iterations, the one that the two other jumps skip, threads; outcomes of the loop's jump and of each of the others; traps of each.
    once, both, never = [True, False], [True, True], [False, False]
    for n, skipped, threads, outcomes, traps in [(1, 0, 1, [once, once, once], [1, 1, 1]), (1, 1, 1, [once, [False, True], [False, True]], [1, 1, 1]),
                                                 (1000, 0, 1, [both, once, once], [2, 1, 1]), (1000, 1, 1, [both, both, both], [2, 2, 2]),
                                                 (0, 0, 0, [never, never, never], [0, 0, 0]), (100_000, 7, 4, [both, both, both], None)]:  # fmt: skip
        record = defaultdict(Seen)
        printed = run(recorder, program, ["loop", str(n), str(skipped), str(threads)], [of], record).strip()
        seen = [record["control", jump.at] for jump in loop]
        if (int(printed) != threads * 2 * (n - (skipped > 0)) or [one.outcomes for one in seen] != outcomes
                or (traps is not None and [one.traps for one in seen] != traps)):  # fmt: skip
            print(f"branches.py: a loop of {n} iterations in {threads} threads: {printed}, {seen}")
            return 1
    with tempfile.TemporaryDirectory() as folder:
        objects = kernels(build, Path(folder))
    record = defaultdict(Seen)
    run(recorder, build / "bin/kernels_test", ["--gtest_filter=*TheOutputRowMayBeEitherInputRow/portable_float32"], objects, record)
    reached = Counter(target_of(of, jump) for of in objects for jump in of.jumps for seen in record[of.name, jump.at].outcomes if seen)
    if set(reached) != {"portable"} or not 0 < reached["portable"] < 200:
        print(f"branches.py: one test of the portable kernels reaches {dict(reached)}")
        return 1
    print(f"branches.py: one test alone reaches {reached['portable']} outcomes of the portable kernels and none of the others")
    print(f"branches.py: {compared} pairs of conditions and flags, and loops in one thread and in four, were recorded as they are")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--control", action="store_true")
    args = parser.parse_args()
    recorder = (args.build / "lib/librecord_branches.so").resolve()
    if args.control:
        return control(args.build, recorder)
    with tempfile.TemporaryDirectory() as folder:
        objects = kernels(args.build, Path(folder))
    record: Record = defaultdict(Seen)
    targets: list[str] = []
    for name, *arguments in PROGRAMS:
        printed = run(recorder, args.build / "bin" / name, arguments, objects, record)
        targets = targets or [target for target in TARGETS if f"every_layout: {target}: " in printed]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        places = dict(zip([of.name for of in objects], pool.map(lambda of: places_of(args.build, of), objects)))
    reached: Counter[tuple[str, str]] = Counter()
    missing: list[Missing] = []
    for of in objects:
        for jump in of.jumps:
            target = target_of(of, jump)
            outcomes = record[of.name, jump.at].outcomes
            reached[target, of.name] += sum(outcomes)
            for outcome, seen in zip(OUTCOMES, outcomes):
                if not seen and target in targets:
                    missing.append(Missing(of.name, jump, outcome if any(outcomes) else "never executed", target, places[of.name][jump.at]))
    library = (args.build / "lib/libsupremum.so").resolve()
    compared = COMPILER in output("readelf", "-p", ".comment", library)
    if args.update and not compared:
        parser.error(f"excluded.md has the numbers of Debian 12's GCC, and {library.name} was made by another compiler")
    listed = exclusions() if compared else []
    recorded = [target for target in targets if args.update or any(target in row.counts for row in listed)]
    excluded, unexplained, left, wrong = divide(missing, recorded, listed)
    made = table(objects, targets, [reached, *(Counter((one.target, one.of) for one in part) for part in (excluded, unexplained, left))])
    if args.update:
        update(listed, left)
    unnamed = [row_of(row) for row in by_line([one for one in left if one.target in recorded])]
    if args.write:
        without = [target for target in targets if target not in recorded]
        rows = "\n".join(["", "", HEAD, *unnamed]) if unnamed else "nothing." if recorded else "not compared with excluded.md."
        rows += f"\n\nTargets without numbers in excluded.md for this compiler: {', '.join(without)}." if without else ""
        write_made("kernel-branches.md", "Branches of the kernels' object code", "verification/branches/branches.py", f"{made}\n\nNeither reached nor excluded: {rows}")
    not_here = [target for target in TARGETS if target not in targets]
    if not_here:
        print(f"branches.py: not measured, since this processor does not run them: {', '.join(not_here)}")
    if compared and (new := [target for target in targets if target not in recorded]):
        print(f"branches.py: excluded.md has no numbers of these yet: {', '.join(new)}")
    print(made)
    problems = [*wrong, *unnamed] if compared else []
    if args.strict and problems:
        print("\n".join(problems))
    if not compared:
        print("branches.py: excluded.md is of another compiler: what is not reached was not compared with it")
    print(f"branches.py: {sum(reached.values()):,} outcomes reached, {len(excluded):,} excluded, {len(unexplained):,} open, "
          f"{len(left):,} left; {len(wrong)} numbers of excluded.md {'were' if args.update else 'are'} wrong")  # fmt: skip
    return 1 if args.strict and problems and not args.update else 0


if __name__ == "__main__":
    sys.exit(main())
