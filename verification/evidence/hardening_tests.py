#!/usr/bin/env python3
"""Checks that every test which docs/hardening.md names exists.

    verification/evidence/hardening_tests.py    exit status 1, with the name, if one does not exist
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)")
NAMED = re.compile(r"`([A-Z]\w+\.[A-Z]\w+|\w+_test\.[A-Z]\w+\.test_\w+)`")  # of C++, of Python


def tests_of_python(path: Path) -> set[str]:
    """The tests of a Python file, as file.Class.test."""
    classes = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)]
    return {f"{path.stem}.{of.name}.{test.name}" for of in classes for test in of.body if getattr(test, "name", "").startswith("test_")}


def main() -> int:
    there = {".".join(found) for path in (ROOT / "tests").rglob("*.cc") for found in TEST.findall(path.read_text(encoding="utf-8"))}
    for path in (ROOT / "tests").rglob("*_test.py"):
        there |= tests_of_python(path)
    named = NAMED.findall((ROOT / "docs" / "hardening.md").read_text(encoding="utf-8"))
    missing = [name for name in named if name not in there]
    for name in missing:
        print(f"docs/hardening.md names {name}, which is no test")
    if not named:
        print("docs/hardening.md names no test")
    return 1 if missing or not named else 0


if __name__ == "__main__":
    sys.exit(main())
