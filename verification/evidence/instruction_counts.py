#!/usr/bin/env python3
"""Checks that the number of executed instructions does not depend on the data: counts them exactly with valgrind's callgrind.

    verification/evidence/instruction_counts.py PROBE [--write]    PROBE is the built tests/instructions/probe.cc; --write puts the counts into
                                                     build/evidence/time.md

Every kernel of every target that valgrind can run (it has no AVX-512), and both operators, are called on the same memory with
zeros, random bits, NaNs, both signs, both zeros, infinities, one NaN at the end, and ascending and descending values. Exit status 1 if
the counts of a call differ; each difference is printed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from evidence_common import write_made

SKIPPED = 77  # the exit status of a test that cannot run here


def callgrind_dumps(probe: Path, *options: str) -> tuple[list[str], list[str], int]:
    """What the probe prints, a line a call; the file that callgrind writes for each call; the probe's exit status. Options are
    callgrind's."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=SupremumMeasured",
                   "--dump-after=SupremumMeasured", f"--callgrind-out-file={folder}/count", "--compress-strings=no", "--quiet",
                   *options, str(probe)]  # fmt: skip
        # Symbols are bound at start, so that no call includes the lookup of a C library function.
        ran = subprocess.run(command, env={**os.environ, "LD_BIND_NOW": "1"}, capture_output=True, text=True, check=False)
        if ran.returncode not in (0, SKIPPED):
            sys.exit(f"valgrind failed:\n{ran.stdout}{ran.stderr}")
        files = sorted(Path(folder).glob("count.*"), key=lambda file: int(file.suffix[1:]))
        return ran.stdout.splitlines(), [file.read_text(encoding="utf-8") for file in files], ran.returncode


def counted_calls(probe: Path) -> list[tuple[list[str], int]]:
    """The calls, as the probe prints them, and the number of instructions of each."""
    lines, dumps, _ = callgrind_dumps(probe)
    counts: list[int] = []
    for text in dumps[: len(lines)]:
        match = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
        counts.append(int(match[1]) if match else 0)
    return list(zip((line.split("\t") for line in lines), counts, strict=True))


def table(counts: dict[tuple[str, ...], int]) -> str:
    """The counts as Markdown: a line for each target and call, a column for each type."""
    dtypes = list(dict.fromkeys(call[1] for call in counts))
    lines = ["| target | call | " + " | ".join(dtypes) + " |", "| --- | --- |" + " ---: |" * len(dtypes)]
    for target, what in dict.fromkeys((call[0], call[2]) for call in counts):
        numbers = [f"{counts[target, dtype, what]:,}" if (target, dtype, what) in counts else "" for dtype in dtypes]
        lines.append(f"| {target} | {what} | " + " | ".join(numbers) + " |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("probe", type=Path)
    parser.add_argument("--write", action="store_true", help="write the counts into build/evidence/time.md")
    args = parser.parse_args()

    counts: dict[tuple[str, ...], dict[str, int]] = defaultdict(dict)
    for (*call, pattern), count in counted_calls(args.probe):
        counts[tuple(call)][pattern] = count
    differing = 0
    for call, by_pattern in counts.items():
        if len(set(by_pattern.values())) == 1 and min(by_pattern.values()) > 0:
            continue
        differing += 1
        print(" ".join(call) + ": " + ", ".join(f"{pattern} {count}" for pattern, count in by_pattern.items()))
    if args.write and not differing:
        text = "Instructions of one call, on 1,200 elements or as it says, by type:\n\n"
        text += table({call: next(iter(by_pattern.values())) for call, by_pattern in counts.items()})
        write_made("time.md", "Instruction counts", "verification/evidence/instruction_counts.py", text)
    targets = list(dict.fromkeys(call[0] for call in counts))
    print(f"{len(counts)} calls, {len(counts) - differing} of them with one count for all data; targets: {', '.join(targets)}")
    return 1 if differing or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
