#!/usr/bin/env python3
"""Writes the conformance cases, a file for each group. The repository has their sources and one SHA-256 of them, not the files.

    kit/cases/write_cases.py FOLDER             writes the files into FOLDER; files of other groups that are there are removed
    kit/cases/write_cases.py --check [FOLDER]   exit status 1 if the cases do not have the SHA-256 of kit/cases/cases.sha256, and,
                                                  with a line for each file, if those in FOLDER are not the ones that would be written
    kit/cases/write_cases.py --record           writes kit/cases/cases.sha256, after a change that was compared by `diff -r`

Equivalence classes are in max_*.py, reduce_*.py and invalid_*.py, expected results are the second oracle's (oracle.py). It needs Python's
standard library alone. The SHA-256 is the one that `LC_ALL=C sha256sum *.json | sha256sum` prints in FOLDER.
"""

from __future__ import annotations

import hashlib
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import invalid_graphs
import invalid_onnx
import invalid_profile
import max_shapes
import max_values
import reduce_shapes
import reduce_values
from case_file import file_text, invalid_file_text

HERE = Path(__file__).resolve().parent
DIGEST = HERE / "cases.sha256"
VALID = (max_values, max_shapes, reduce_values, reduce_shapes)
INVALID = (invalid_onnx, invalid_profile, invalid_graphs)
BEGIN = '{"group": '  # of every file of cases


@cache
def files() -> dict[str, str]:
    """The name of each file and its text, in the order of names."""
    found = {f"{group.name}.json": file_text(group) for module in VALID for group in module.groups()}
    found |= {f"{group.name}.json": invalid_file_text(group) for module in INVALID for group in module.groups()}
    return dict(sorted(found.items()))


def groups() -> list[dict[str, Any]]:
    """The groups as their files have them, in the order of names."""
    return [json.loads(text) for text in files().values()]


@cache
def sources() -> dict[str, str]:
    """The name of each group, and the file of this folder that makes it."""
    return {group.name: f"kit/cases/{module.__name__}.py" for module in (*VALID, *INVALID) for group in module.groups()}


def digest() -> str:
    """The SHA-256 of the lines `SHA-256  name` of all files."""
    lines = [f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in files().items()]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def written(folder: Path) -> dict[str, str]:
    """The files of cases that are in a folder."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.json")}
    return {name: text for name, text in texts.items() if text.startswith(BEGIN)}


def write(folder: Path) -> None:
    """Makes the files of cases in a folder those that are wanted; a file that is right already keeps its time."""
    folder.mkdir(parents=True, exist_ok=True)
    there = written(folder)
    for name in there.keys() - files().keys():
        (folder / name).unlink()
    for name, text in files().items():
        if there.get(name) != text:
            (folder / name).write_text(text, encoding="utf-8")


def check(folder: Path | None) -> list[str]:
    """What is wrong, a line each."""
    problems = []
    recorded = DIGEST.read_text(encoding="utf-8").split()[0]
    if digest() != recorded:
        problems.append(
            f"kit/cases/cases.sha256: {recorded}, but the cases have {digest()}: compare them with those of before, then run "
            "kit/cases/write_cases.py --record"
        )
    if folder is not None:
        there = written(folder)
        wrong = sorted(name for name in files().keys() | there.keys() if files().get(name) != there.get(name))
        problems += [f"{folder / name}: not what kit/cases/write_cases.py writes" for name in wrong]
    return problems


def main() -> int:
    arguments = sys.argv[1:]
    if arguments == ["--record"]:
        DIGEST.write_text(f"{digest()}  -\n", encoding="utf-8")
        return 0
    if arguments[:1] == ["--check"] and len(arguments) <= 2:
        problems = check(Path(arguments[1]) if len(arguments) == 2 else None)
        for problem in problems:
            print(problem)
        if not problems:
            print(f"{len(files())} files of cases, sha256 {digest()}")
        return 1 if problems else 0
    if len(arguments) == 1 and not arguments[0].startswith("-"):
        write(Path(arguments[0]))
        return 0
    print((__doc__ or "").strip(), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
