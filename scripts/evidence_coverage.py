#!/usr/bin/env python3
"""Reads what llvm-cov exports: the coverage of each file, and every line, branch and condition that is neither covered nor excluded.

    scripts/evidence_coverage.py EXPORT [--write] [--strict]    --write: docs/evidence/coverage.md; --strict: exit 1 if anything is left
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from evidence_common import ROOT, write_block

MEASURED = re.compile(r"(?:src/(?:core|lane|ops|reference)/.*|src/onnx/check\w*\.(?:cc|h))")

# file, text of the line: why no test can reach it
EXCLUDED: dict[tuple[str, str], str] = {}


def excluded(file: str, line: int, lines: list[str]) -> bool:
    return any(file == name and text in lines[line - 1] for name, text in EXCLUDED)


def left_of(entry: dict[str, Any], file: str, lines: list[str]) -> list[tuple[int, str]]:
    """Line and kind of what is not covered."""
    left: set[tuple[int, str]] = set()
    for line, _, count, has_count, is_entry, is_gap in entry["segments"]:
        if has_count and is_entry and not is_gap and count == 0:
            left.add((line, "statement"))
    for line, _, _, _, true_count, false_count, *_ in entry.get("branches", []):
        if true_count == 0 or false_count == 0:
            left.add((line, "branch never " + ("true" if true_count == 0 else "false")))
    for record in entry.get("mcdc_records", []):
        conditions = next(part for part in record if isinstance(part, list))
        if not all(conditions):
            left.add((record[0], f"MC/DC: {conditions.count(False)} of {len(conditions)} conditions not shown to matter alone"))
    return sorted((line, what) for line, what in left if not excluded(file, line, lines))


def percent(part: dict[str, int]) -> str:
    return f"{part['covered']}/{part['count']}" + (f" ({100 * part['covered'] / part['count']:.1f} %)" if part["count"] else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("export", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--strict", action="store_true")
    args = parser.parse_args()
    data = json.loads(args.export.read_text(encoding="utf-8"))["data"][0]
    rows: list[str] = []
    left: list[str] = []
    totals: dict[str, dict[str, int]] = {kind: {"count": 0, "covered": 0} for kind in ("lines", "regions", "branches", "mcdc")}
    seen: set[str] = set()
    for entry in data["files"]:
        path = Path(entry["filename"])
        file = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else ""
        if not MEASURED.fullmatch(file):
            continue
        seen.add(file)
        lines = path.read_text(encoding="utf-8").splitlines()
        for kind, total in totals.items():
            for key in total:
                total[key] += entry["summary"][kind][key]
        rows.append(f"| `{file}` | " + " | ".join(percent(entry["summary"][kind]) for kind in totals) + " |")
        left += [f"| `{file}:{line}` | {what} | `{lines[line - 1].strip().replace('|', chr(92) + '|')[:80]}` |" for line, what in left_of(entry, file, lines)]
    stale = [f"{file}: '{text}' is excluded and does not occur" for file, text in EXCLUDED
             if file in seen and text not in (ROOT / file).read_text(encoding="utf-8")]  # fmt: skip
    head = "| file | lines | statements (regions) | branches | MC/DC conditions |\n| --- | ---: | ---: | ---: | ---: |"
    text = "\n".join([head, *rows, "| all | " + " | ".join(percent(total) for total in totals.values()) + " |"])
    reasons = "\n".join(f"| `{file}` | `{line}` | {why} |" for (file, line), why in EXCLUDED.items())
    text += "\n\nExcluded:\n\n" + (f"| file | line | why |\n| --- | --- | --- |\n{reasons}" if EXCLUDED else "nothing.")
    text += "\n\nNeither covered nor excluded:\n\n" + ("| where | what | line |\n| --- | --- | --- |\n" + "\n".join(left) if left else "nothing.")
    if args.write:
        write_block("coverage.md", text)
    print(f"{len(rows)} files; " + "; ".join(f"{kind} {percent(total)}" for kind, total in totals.items()) + f"; {len(left)} left")
    for problem in stale:
        print(problem)
    return 1 if stale or not rows or (args.strict and left) else 0


if __name__ == "__main__":
    sys.exit(main())
