#!/usr/bin/env python3
"""Writes the conformance cases under conformance/cases, a file for each group.

    conformance/write_cases.py            writes the files
    conformance/write_cases.py --check    exit status 1, with a line for each file that is not what would be written

Equivalence classes are in max_*.py, reduce_*.py and invalid_*.py, expected results are the second oracle's (oracle.py). It needs Python's standard library alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

import invalid_graphs
import invalid_onnx
import invalid_profile
import max_shapes
import max_values
import reduce_shapes
import reduce_values
from case_file import file_text, invalid_file_text

CASES = Path(__file__).resolve().parent / "cases"


def files() -> dict[str, str]:
    """The name of each file and its text."""
    found = {}
    for group in [group for module in (max_values, max_shapes, reduce_values, reduce_shapes) for group in module.groups()]:
        found[f"{group.name}.json"] = file_text(group)
    for group in [group for module in (invalid_onnx, invalid_profile, invalid_graphs) for group in module.groups()]:
        found[f"{group.name}.json"] = invalid_file_text(group)
    return found


def main() -> int:
    wanted = files()
    if sys.argv[1:] == []:
        CASES.mkdir(exist_ok=True)
        for old in CASES.glob("*.json"):
            if old.name not in wanted:
                old.unlink()
        for name, text in wanted.items():
            (CASES / name).write_text(text, encoding="utf-8")
        return 0
    if sys.argv[1:] != ["--check"]:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    there = {path.name: path.read_text(encoding="utf-8") for path in CASES.glob("*.json")}
    wrong = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
    for name in wrong:
        print(f"conformance/cases/{name}: not what conformance/write_cases.py writes; run it, and look at what changes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
