#!/usr/bin/env python3
"""Reads what llvm-cov exports: every statement, branch and condition of the measured rooms that no test reaches must be excluded by name.

    verification/evidence/evidence_coverage.py EXPORT... [--write] [--strict]    an export for each test program; --write: build/evidence/coverage.md;
                                                                   --strict: exit status 1 if anything is neither covered nor excluded
    verification/evidence/evidence_coverage.py EXPORT... --only FILES    prints what was reached of the files that match, and the rest by line

What is reached in any program, and in any instantiation of a template, is reached. Exclusions are the table below `## Excluded` of
docs/evidence/coverage.md: file, a part of the line, what is not reached there, why. An exclusion of what is reached, or of a line that
there is not, is an error.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evidence_common import EVIDENCE, ROOT, files_below, write_made

MEASURED = re.compile(r"(?:src/(?:core|rules|lane|ops|graph|reference)/.*|src/frontends/onnx/check/check\w*\.(?:cc|h)|include/supremum/(?!c_api|model|onednn_graph).*)")
Place = tuple[int, int, int, int]  # line and column of the first character, and behind the last
STATEMENTS, BRANCHES, CONDITIONS = "statements", "branches", "MC/DC conditions"
KINDS = [STATEMENTS, BRANCHES, CONDITIONS]


@dataclass
class File:
    """What the measured programs did in a file."""

    statements: dict[Place, int] = field(default_factory=lambda: defaultdict(int))  # statements that run together: how often
    branches: dict[tuple[Place, bool], int] = field(default_factory=lambda: defaultdict(int))  # each outcome of each condition
    conditions: dict[tuple[Place, int], bool] = field(default_factory=lambda: defaultdict(bool))  # shown to matter alone

    def of(self, kind: str) -> list[tuple[int, str, bool]]:
        """line, what, reached; of every statement, branch or condition."""
        if kind == STATEMENTS:
            return [(place[0], "statement", count > 0) for place, count in self.statements.items()]
        if kind == BRANCHES:
            return [(place[0], "true" if outcome else "false", count > 0) for (place, outcome), count in self.branches.items()]
        return [(place[0], f"condition {number}", shown) for (place, number), shown in self.conditions.items()]


@dataclass(frozen=True)
class Exclusion:
    """A row of the table."""

    file: str
    text: str  # a part of the line
    what: str
    why: str


def read(exports: list[Path]) -> dict[str, File]:
    """The files, by their names in the repository."""
    files: dict[str, File] = defaultdict(File)

    def name(path: str) -> str:
        return str(Path(path).relative_to(ROOT)) if Path(path).is_relative_to(ROOT) else ""

    for export in exports:
        for function in json.loads(export.read_text(encoding="utf-8"))["data"][0]["functions"]:
            names = [name(path) for path in function["filenames"]]
            for *place, count, file, _, kind in function["regions"]:
                if kind == 0 and MEASURED.fullmatch(names[file]):
                    files[names[file]].statements[tuple(place)] += count
            for *place, true_count, false_count, file, _, _ in function.get("branches", []):
                if MEASURED.fullmatch(names[file]):
                    files[names[file]].branches[tuple(place), True] += true_count
                    files[names[file]].branches[tuple(place), False] += false_count
            for record in function.get("mcdc_records", []):
                if MEASURED.fullmatch(names[0]):
                    shown: list[bool] = next(part for part in record if isinstance(part, list))
                    for number, one in enumerate(shown, 1):
                        files[names[0]].conditions[tuple(record[:4]), number] |= one
    return dict(sorted(files.items()))


def exclusions() -> list[Exclusion]:
    page = (EVIDENCE / "coverage.md").read_text(encoding="utf-8").partition("## Excluded")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\S+)` \| `(.*?)` \| (.*?) \| (.*?) \|$", page, re.MULTILINE)
    return [Exclusion(file, text.replace("\\|", "|"), what.strip(), why) for file, text, whats, why in rows for what in whats.split(",")]


def cell(text: str) -> str:
    return text.strip().replace("|", "\\|")


def report(files: dict[str, File], excluded: list[Exclusion]) -> tuple[str, list[str], list[str], str]:
    """The tables; what is left; what is wrong with the exclusions; the totals."""
    used: set[Exclusion] = set()
    left: list[str] = []
    rows: list[str] = []
    totals: dict[str, list[int]] = {kind: [0, 0, 0] for kind in KINDS}  # all, reached, excluded
    for file, seen in files.items():
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
        cells = []
        for kind in KINDS:
            counts = [0, 0, 0]
            for line, what, reached in sorted(seen.of(kind)):
                counts[0] += 1
                if reached:
                    counts[1] += 1
                    continue
                match = [e for e in excluded if e.file == file and e.what == what and e.text in lines[line - 1]]
                used |= set(match)
                if match:
                    counts[2] += 1
                else:
                    left.append(f"| `{file}:{line}` | {what} | `{cell(lines[line - 1])}` |")
            totals[kind] = [a + b for a, b in zip(totals[kind], counts)]
            cells.append(shown(counts))
        rows.append(f"| `{file}` | " + " | ".join(cells) + " |")
    stale = [f"{e.file}: '{e.text}', {e.what}: the exclusion excludes nothing" for e in excluded if e not in used]
    head = f"| file | {' | '.join(KINDS)} |\n| --- |{' ---: |' * len(KINDS)}"
    tables = "\n".join([head, *rows, "| all | " + " | ".join(shown(total) for total in totals.values()) + " |"])
    tables += "\n\nNeither reached nor excluded:" + ("\n\n| where | what | line |\n| --- | --- | --- |\n" + "\n".join(left) if left else " nothing.")
    without_code = sorted(str(path) for path in files_below("src", "include") if MEASURED.fullmatch(str(path)) and str(path) not in files)
    tables += "\n\nWithout a statement that runs: " + ", ".join(f"`{path}`" for path in without_code) + "."
    summary = "; ".join(f"{kind} {shown(total)}" for kind, total in totals.items())
    return tables, left, stale, summary


def shown(counts: list[int]) -> str:
    """All, and how many of them were reached and excluded."""
    every, reached, excluded = counts
    return "" if every == 0 else f"{reached} of {every}" + (f", {excluded} excluded" if excluded else "") + ("" if reached + excluded == every else " (!)")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("exports", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--only", type=re.compile, metavar="FILES", help="a regular expression")
    args = parser.parse_args()
    files = read(args.exports)
    if args.only:
        tables, _, _, summary = report({file: seen for file, seen in files.items() if args.only.fullmatch(file)}, [])
        print(tables.partition("\n\nWithout")[0], summary, sep="\n\n")
        return 0
    tables, left, stale, summary = report(files, exclusions())
    if args.write:
        write_made("coverage.md", "Structural coverage by file", "scripts/coverage.sh", tables)
    for problem in [*left, *stale] if args.strict else stale:
        print(problem)
    print(f"{len(files)} files: {summary}; {len(left)} neither reached nor excluded")
    return 1 if stale or not files or (args.strict and left) else 0


if __name__ == "__main__":
    sys.exit(main())
