#!/usr/bin/env python3
"""Writes the conformance cases, a file for each group. The repository has their sources and one SHA-256 of them, not the files.

    kit/cases/write_cases.py FOLDER             writes the files into FOLDER; files of other groups that are there are removed
    kit/cases/write_cases.py --check [FOLDER]   exit status 1 if the cases do not have the SHA-256 of kit/cases/cases.sha256, and,
                                                  with a line for each file, if those in FOLDER are not the ones that would be written
    kit/cases/write_cases.py --record           writes kit/cases/cases.sha256, after a change that was compared by `diff -r`
    kit/cases/write_cases.py --further ...      the same for the further cases, whose SHA-256 is in kit/cases/further.sha256
    kit/cases/write_cases.py --threads ...      and for the cases of some MiB that threads share: kit/cases/threads.sha256

Equivalence classes are in max_*.py, reduce_*.py and invalid_*.py, those of the further cases in further_*.py; expected results are the
second oracle's (oracle.py). It needs Python's standard library alone. The SHA-256 is the one that
`LC_ALL=C sha256sum *.json | sha256sum` prints in FOLDER.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import further_bounds
import further_graphs
import further_large
import further_memory
import further_ordered
import further_refused
import invalid_graphs
import invalid_onnx
import invalid_profile
import max_shapes
import max_values
import reduce_shapes
import reduce_values
import thread_shares
from case_file import file_text, invalid_file_text

HERE = Path(__file__).resolve().parent
BEGIN = '{"group": '  # of every file of cases


@dataclass(frozen=True)
class Set:
    """Cases that are written together: the modules that make the groups of valid and of invalid ones, and the file of their SHA-256."""

    valid: tuple[ModuleType, ...]
    invalid: tuple[ModuleType, ...]
    digest_file: str


CASES = Set(
    (max_values, max_shapes, reduce_values, reduce_shapes), (invalid_onnx, invalid_profile, invalid_graphs), "cases.sha256"
)
FURTHER = Set(
    (further_memory, further_large, further_bounds, further_ordered, further_graphs), (further_refused,), "further.sha256"
)
THREADS = Set((thread_shares,), (), "threads.sha256")
OPTIONS = {"--further": FURTHER, "--threads": THREADS}


@cache
def files(which: Set = CASES) -> dict[str, str]:
    """The name of each file and its text, in the order of names."""
    found = {f"{group.name}.json": file_text(group) for module in which.valid for group in module.groups()}
    found |= {f"{group.name}.json": invalid_file_text(group) for module in which.invalid for group in module.groups()}
    return dict(sorted(found.items()))


def groups(which: Set = CASES) -> list[dict[str, Any]]:
    """The groups as their files have them, in the order of names."""
    return [json.loads(text) for text in files(which).values()]


@cache
def sources(which: Set = CASES) -> dict[str, str]:
    """The name of each group, and the file of this folder that makes it."""
    return {group.name: f"kit/cases/{module.__name__}.py" for module in (*which.valid, *which.invalid) for group in module.groups()}


def digest(which: Set = CASES) -> str:
    """The SHA-256 of the lines `SHA-256  name` of all files."""
    lines = [f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in files(which).items()]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def written(folder: Path) -> dict[str, str]:
    """The files of cases that are in a folder."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.json")}
    return {name: text for name, text in texts.items() if text.startswith(BEGIN)}


def write(folder: Path, which: Set = CASES) -> None:
    """Makes the files of cases in a folder those that are wanted; a file that is right already keeps its time."""
    folder.mkdir(parents=True, exist_ok=True)
    there, wanted = written(folder), files(which)
    for name in there.keys() - wanted.keys():
        (folder / name).unlink()
    for name, text in wanted.items():
        if there.get(name) != text:
            (folder / name).write_text(text, encoding="utf-8")


def check(folder: Path | None, which: Set = CASES) -> list[str]:
    """What is wrong, a line each."""
    problems = []
    recorded = (HERE / which.digest_file).read_text(encoding="utf-8").split()[0]
    if digest(which) != recorded:
        problems.append(
            f"kit/cases/{which.digest_file}: {recorded}, but the cases have {digest(which)}: compare them with those of before, then "
            f"run kit/cases/write_cases.py {''.join(f'{name} ' for name, one in OPTIONS.items() if one == which)}--record"
        )
    if folder is not None:
        there, wanted = written(folder), files(which)
        wrong = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
        problems += [f"{folder / name}: not what kit/cases/write_cases.py writes" for name in wrong]
    return problems


def main() -> int:
    arguments = sys.argv[1:]
    which = OPTIONS.get(arguments[0], CASES) if arguments else CASES
    if which != CASES:
        del arguments[0]
    if arguments == ["--record"]:
        (HERE / which.digest_file).write_text(f"{digest(which)}  -\n", encoding="utf-8")
        return 0
    if arguments[:1] == ["--check"] and len(arguments) <= 2:
        problems = check(Path(arguments[1]) if len(arguments) == 2 else None, which)
        for problem in problems:
            print(problem)
        if not problems:
            print(f"{len(files(which))} files of cases, sha256 {digest(which)}")
        return 1 if problems else 0
    if len(arguments) == 1 and not arguments[0].startswith("-"):
        write(Path(arguments[0]), which)
        return 0
    print((__doc__ or "").strip(), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
