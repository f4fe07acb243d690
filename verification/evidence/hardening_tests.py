#!/usr/bin/env python3
"""Checks that every test which docs/hardening.md names exists, and that no class of attacks has fewer than ten.

    verification/evidence/hardening_tests.py            exit status 1, with the name, if one does not exist
    verification/evidence/hardening_tests.py --count    also prints how many tests each class of attacks has
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)")
NAMED = re.compile(r"`([A-Z]\w+\.[A-Z]\w+|\w+_test\.[A-Z]\w+\.test_\w+)`")  # of C++, of Python
LEAST = 10
# Classes of attacks, and the tests of each. A test counts in the first class that has it, once for all its parameters.
CLASSES = [
    ("planted and shared files", r"(PlantedFile|PlantedFolder|SharedFolder|SharedFolderCommand|Temporaries)\..*"),
    ("inputs that change while they are read", r"(ChangedInput|OpenedOnce)\..*|FileBytes\.AFileThat(Shrinks|IsChanged).*"),
    ("ambiguous JSON", r"(AmbiguousJson|Json|OneDnnHostile)\..*|Safetensors\.(AHeaderHas|NothingBut|AKey).*"),
    ("Python", r"(hostile_test|hostile_torch_test|CheckedView)\..*"),
    ("folders that are filled", r"(NewFolder|MountedFolder)\..*|(Gen|GenConformance|AuditIssues)\.A(Folder|nEmptyFolder|Failure).*"),
    ("signals", r"Signal\..*"),
    ("limits of the system", r"(ResourceLimit|LoweredLimit)\..*"),
    ("faults of the system, one output or several", r"(Faults|VerbFaults)\..*"),
    ("faults of the system, streams and memory", r"(StreamFaults|\w*OutOfMemory)\..*"),
    ("status and output", r"(Outputs|Output)\..*"),
    ("ambiguous archives and checksums", r"Zip\..*|ExternalData\.(HasTheChecksum|HasAChecksum|IsReadForItsChecksum).*"),
    ("the limits of the command", r"Limits\..*"),
    ("the inference's subprocess", r"Sandbox\..*|Check\.(AnAnswer|WhatTheModelStates|JsonSaysWhat|TheReportSays).*"),
    ("texts that are markup or commands", r"(Escape|HostileRunner|HostileNames|Quote)\..*"),
    ("findings of rules that are not listed", r"FirstError\..*|CheckReduceMax\.(EveryFinding|AFindingOf).*"),
]


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
    few = []
    rest = set(there)
    for title, pattern in CLASSES:
        tests = {name for name in rest if re.fullmatch(pattern, name)}
        rest -= tests
        few += [title] if len(tests) < LEAST else []
        if "--count" in sys.argv[1:]:
            print(f"{len(tests):4}  {title}")
    for title in few:
        print(f"fewer than {LEAST} tests: {title}")
    return 1 if missing or few or not named else 0


if __name__ == "__main__":
    sys.exit(main())
