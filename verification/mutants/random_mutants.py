#!/usr/bin/env python3
"""Random mutants: changes operators, constants and conditions of the library's sources at random places, and runs the tests.

    verification/mutants/random_mutants.py [--count 300] [--seed 1] [--only FOLDER-OR-FILE]... [--list]

A mutant is one change of one line; the same seed makes the same mutants of the same sources. Those that do not compile are replaced by
others. The tests of the folder run (TESTS); a mutant is killed if one fails, or does not end. One that survives is equivalent if it
changes a constant of TUNABLE, or if EQUIVALENT says why it changes nothing that can be observed. Exit status 1 if another survives.

--list prints the mutants and tests nothing.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from dataclasses import dataclass

import mutants

# folder -> the programs that test it
TESTS = {
    "src/core": ["core_test", "rules_test", "ops_test"],
    "src/rules": ["rules_test", "ops_test"],
    "src/ops": ["ops_test"],
    "src/graph": ["graph_test", "onednn_test", "onnx_test"],
    "src/stream": ["stream_test"],
    "src/io": ["formats_test", "stream_test"],
}

# token of the source, as clang-format writes it, and what it becomes
CHANGES = [
    (re.compile(r" (<|<=|>|>=|==|!=) "), {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}),
    (re.compile(r" ([-+*/%]) "), {"+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"]}),
    (re.compile(r" (&&|\|\|) "), {"&&": ["||"], "||": ["&&"]}),
    (re.compile(r"(\+\+|--)(?=\w)"), {"++": ["--"], "--": ["++"]}),
    (re.compile(r"(?<=[(\s,])(!)(?=[\w(*])"), {"!": [""]}),
    (re.compile(r"(?<![\w.'])(true|false)(?!\w)"), {"true": ["false"], "false": ["true"]}),
]
CONSTANT = re.compile(r"(?<![\w.'\"])(\d+)(?![\w.'\"])")
# What is no code of a function: comments, directives, declarations of templates, and what the compiler checks alone.
NOT_CODE = re.compile(r"^\s*(//|#|\*|template\b|using\b|static_assert\b|friend\b|class\b|struct\b|enum\b|namespace\b|case\b)")


@dataclass(frozen=True)
class Mutant:
    """A line of a file, and what it becomes."""

    file: str
    number: int  # of the line, from 1
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.number}\n  - {self.before.strip()}\n  + {self.after.strip()}"


# Constants that choose between ways to the same result (ORD-5), or how much is done at a time: speed is measured by bench/, not tested.
# That a tile fits its buffer is a static_assert, or tests/ops/tile_test.cc.
TUNABLE = set(
    """
    kMinLongRunBytes kMaxTileSourceBytes kMaxBroadcastBytes kMinLineBytes kMaxShortLines kFewShortLines kMinScalarLineBytes
    kMaxBytesWithoutPlan kMinPatternLineBytes kMaxPatternStepElements kMinBytesPerThread kMinLongLineBytes kMinLongInPlaceLineBytes
    kMinFinalLineBytes kMinFinalInPlaceLineBytes kMaxTileBytesOfManyInputs kMaxTileBytesWithoutBuffer kMinPatternOutputBytes
    kMaxSquareSideBytes kMaxSquareSideElements kMinCuts kMaxFoldedBlockBytes kMaxSharedTileBytes kElementsPerUnit
    kLeastBuffer kBestBuffer kWorthWaking kPiece kStepsPerShare kMinStepsPerReducer kGap kTogether kWorthAnnouncing kWritebackBytes kChunk
    """.split()
)
# Mutants that change nothing that can be observed: file, line before, line after, why.
EQUIVALENT: list[tuple[str, str, str, str]] = []


def code_of(line: str) -> str:
    """The line with strings, characters and comments blanked, so that positions stay."""
    blank = re.sub(r'"(?:[^"\\]|\\.)*"|(?<!\w)\'(?:[^\'\\]|\\.)\'', lambda match: " " * len(match[0]), line)
    return blank.split("//")[0]


def mutants_of(file: str) -> list[Mutant]:
    """Every change of every line."""
    found = []
    for number, line in enumerate((mutants.ROOT / file).read_text(encoding="utf-8").split("\n"), 1):
        if NOT_CODE.match(line):
            continue
        code = code_of(line)

        def change(begin: int, end: int, text: str) -> None:
            found.append(Mutant(file, number, line, line[:begin] + text + line[end:]))

        for pattern, becomes in CHANGES:
            for match in pattern.finditer(code):
                for text in becomes.get(match[1], []):
                    change(match.start(1), match.end(1), text)
        for match in CONSTANT.finditer(code):
            change(match.start(1), match.end(1), str(int(match[1]) + 1))
            if match[1] != "0":
                change(match.start(1), match.end(1), str(int(match[1]) - 1))
    return found


def tests_of(file: str) -> list[str]:
    """The programs that test a file."""
    return next(tests for folder, tests in TESTS.items() if file.startswith(folder + "/"))


def argued(mutant: Mutant) -> bool:
    """Whether it is said why the mutant changes nothing that can be observed."""
    declared = re.search(r"constexpr \S+ (k\w+) = ", mutant.before)
    if declared and declared[1] in TUNABLE:
        return True
    return any(mutant.file == file and mutant.before.strip() == before and mutant.after.strip() == after for file, before, after, _ in EQUIVALENT)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=300, help="how many mutants are tested")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], metavar="FOLDER-OR-FILE", help="mutants of these alone")
    parser.add_argument("--list", action="store_true", help="print them, and test nothing")
    arguments = parser.parse_args()
    files = [str(path.relative_to(mutants.ROOT)) for folder in TESTS for path in sorted((mutants.ROOT / folder).rglob("*.[ch]*"))]
    files = [file for file in files if not arguments.only or file.startswith(tuple(arguments.only))]
    chosen = [mutant for file in files for mutant in mutants_of(file)]
    random.Random(arguments.seed).shuffle(chosen)
    if arguments.list:
        print("\n".join(map(str, chosen[: arguments.count])))
        return 0
    mutants.prepare()
    programs = sorted({program for file in files for program in tests_of(file)})
    if failed := mutants.build_and_run(programs):
        sys.exit(f"{failed} fails without any mutant")
    counts: Counter[str] = Counter()
    for mutant in chosen:
        if counts["killed"] + counts["survived"] + counts["equivalent"] == arguments.count:
            break
        lines = (mutants.COPY / mutant.file).read_text(encoding="utf-8").split("\n")
        lines[mutant.number - 1] = mutant.after
        with mutants.changed(mutant.file, "\n".join(lines)):
            try:
                killer = mutants.build_and_run(tests_of(mutant.file))
            except mutants.DoesNotCompile:
                counts["not compiled"] += 1
                continue
        outcome = "killed" if killer else "equivalent" if argued(mutant) else "survived"
        counts[outcome] += 1
        print(f"{outcome}{f' by {killer}' if killer else ''}: {mutant}", flush=True)
    tested = counts["killed"] + counts["survived"] + counts["equivalent"]
    print(f"{counts['killed']} of {tested} mutants killed, {counts['equivalent']} equivalent, {counts['survived']} survived; seed {arguments.seed};"
          f" {counts['not compiled']} more did not compile")  # fmt: skip
    return 1 if counts["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
