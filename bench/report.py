#!/usr/bin/env python3
"""Writes what a run measured.

    bench/report.py RESULTS.json --made FOLDER [--record FOLDER] [--commit NAME]

--made: FOLDER gets performance.md, the page, and performance-cases.txt, every case, and every value that is beyond a bound. --record:
FOLDER (docs/performance) gets the page by the name of the processor's family and the instruction set that was used: amd-zen4-avx512.md.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

import bounds
import page

Run = dict[str, Any]


def case_table(results: list[dict[str, Any]]) -> str:
    """All cases as text, a line each."""
    head = f"{'case':58} {'memory':10} {'threads':>7} {'us':>12} {'limit':>7} {'peer':>7}  fastest peer"
    lines = [head]
    for result in results:
        ns, (theirs, name) = bounds.own(result), bounds.fastest(result)
        ratios = [ns / bounds.time_of(result, "limit"), ns / theirs]
        shown = " ".join(f"{page.number(ratio):>7}" for ratio in ratios)
        lines.append(f"{result['name']:58} {result['memory']:10} {result['threads']:7} {ns / 1e3:12.3f} {shown}  {name}")
    return "\n".join(lines) + "\n"


def broken_lines(run: Run) -> list[str]:
    lines: list[str] = []
    for bound in bounds.plain([result for result in run["results"] if result["plain"]]):
        if broken := bound.broken():
            lines += [f"{bound.text}, at most {bound.most:.2f}:", ""]
            lines += page.table(["case", "value"], [[name, page.number(value)] for name, value in broken])
    return lines or ["Every bound holds in this run.", ""]


def page_name(run: Run) -> str:
    """amd-zen4-avx512.md"""
    family = re.sub(r"[^a-z0-9]+", "-", run["machine"]["family"].lower()).strip("-")
    return f"{re.sub(r'-([0-9])', chr(92) + '1', family)}-{page.instruction_set(run).lower().replace('-', '')}.md"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--made", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--commit", default="", help="of the sources that were measured")
    parser.add_argument("--record", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    run = json.loads(args.results.read_text(encoding="utf-8"))
    run["commit"] = args.commit
    args.made.mkdir(parents=True, exist_ok=True)
    beyond = ["", "Where a bound does not hold", "", *broken_lines(run)]
    (args.made / "performance-cases.txt").write_text(case_table(run["results"]) + "\n".join(beyond).rstrip("\n") + "\n", encoding="utf-8")
    (args.made / "performance.md").write_text(page.page(run), encoding="utf-8")
    if args.record:
        args.record.mkdir(parents=True, exist_ok=True)
        (args.record / page_name(run)).write_text(page.page(run), encoding="utf-8")
        print(f"report.py: {args.record / page_name(run)}; a new page needs a row in {args.record / 'README.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
