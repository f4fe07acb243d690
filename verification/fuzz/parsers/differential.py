#!/usr/bin/env python3
"""Puts files to the project's readers and to others, and compares verdicts and values.

    verification/fuzz/parsers/differential.py JUDGE --files 2000           2,000 files of each format, the same in each run
    verification/fuzz/parsers/differential.py JUDGE --minutes 10 npz       as many of one format as 10 minutes allow

    --seed S     other files         --explore   counts what choices.py does not name, instead of ending at the first
    --keep DIR   where the first file of each disagreement is left (differential-TARGET-N in the current folder if not said)

JUDGE is the program fuzz_judge, built with the tests. Where a reader of another project takes a file that ours refuses, or the other way
round, choices.py must name the reason; where both take it, names, types, shapes and all bytes must be the same. Anything else is a
finding. Exit status 1 if there is one.

Needs NumPy and python3-onnx.
"""

from __future__ import annotations

import argparse
import re
import resource
import struct
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import choices  # noqa: E402
import mutations  # noqa: E402
import other_readers  # noqa: E402

LETTERS = {"npy": b"n", "npz": b"z", "json": b"j", "safetensors": b"s", "tensor_proto": b"p"}


def limit_addresses(most: int | None) -> None:
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard if most is None else most, hard))


class Judge:
    """The project's readers, in a process that reads one file after the other."""

    def __init__(self, program: str) -> None:
        # The sanitizers take more addresses than the others' readers may.
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=lambda: limit_addresses(None))

    def ask(self, target: str, data: bytes) -> tuple[str, object]:
        """("accepts", what) or ("refuses", why)."""
        self.process.stdin.write(LETTERS[target] + struct.pack("<I", len(data)) + data)
        self.process.stdin.flush()
        head = self.process.stdout.read(4)
        if len(head) < 4:
            raise SystemExit(f"differential.py: the judge ended with status {self.process.wait()}")
        answer = Answer(self.process.stdout.read(int.from_bytes(head, "little")))
        kind = answer.take(1)
        if kind == b"E":
            return "refuses", answer.rest().decode(errors="surrogateescape")
        return "accepts", answer.tensors() if kind == b"T" else answer.value()


class Answer:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size:self.at]

    def rest(self) -> bytes:
        return self.data[self.at:]

    def number(self, size: int = 4) -> int:
        return int.from_bytes(self.take(size), "little")

    def text(self) -> str:
        return self.take(self.number()).decode(errors="surrogateescape")

    def tensors(self) -> list:
        return [(self.text(), self.text(), tuple(self.number(8) for _ in range(self.number())), self.take(self.number()))
                for _ in range(self.number())]

    def value(self) -> object:
        kind = self.take(1)
        if kind in b"nft":
            return {b"n": None, b"f": False, b"t": True}[kind]
        if kind in b"ix":
            return "number", self.text()
        if kind == b"s":
            return self.text()
        if kind == b"l":
            return [self.value() for _ in range(self.number())]
        return "object", [(self.text(), self.value()) for _ in range(self.number())]


def same_value(ours: object, theirs: object) -> bool:
    """-0 is 0; every other number keeps how it is written, or its value as an integer."""
    if isinstance(ours, tuple) and isinstance(theirs, tuple) and ours[0] == theirs[0] == "number":
        return ours[1] == theirs[1] or (theirs[1] == "-0" and ours[1] == "0")
    if isinstance(ours, tuple) and isinstance(theirs, tuple):
        return len(ours[1]) == len(theirs[1]) and all(a[0] == b[0] and same_value(a[1], b[1]) for a, b in zip(ours[1], theirs[1]))
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(same_value(a, b) for a, b in zip(ours, theirs))
    return type(ours) is type(theirs) and ours == theirs


def without_signals(tensors: list) -> list:
    """With quiet NaNs alone in float32."""
    def quiet(data: bytes) -> bytes:
        bits = np.frombuffer(data, "<u4")
        return np.where((bits & 0x7FFFFFFF) > 0x7F800000, bits | 0x400000, bits).astype("<u4").tobytes()

    return [(*tensor[:3], quiet(tensor[3])) if len(tensor) == 4 and tensor[1] == "float32" else tensor for tensor in tensors]


def same(target: str, ours: object, theirs: object) -> bool:
    if target == "tensor_proto":  # float_data goes through Python's floats, which have no signalling NaNs
        return without_signals(ours) == without_signals(theirs)
    if target == "json":
        return same_value(ours, theirs)
    if target == "safetensors":  # JSON's objects have no order; the judge has the header's
        return sorted(ours) == sorted(theirs)
    return ours == theirs


def ask_other(target: str, data: bytes) -> tuple[str, object]:
    try:
        return "accepts", other_readers.READERS[target](data)
    except Exception as error:  # whatever a reader raises, it refuses the file
        return "refuses", f"{type(error).__name__}: {error}"


def shown(value: object) -> str:
    """As text, of elements and long texts the beginning alone."""
    if isinstance(value, list) and value and all(isinstance(tensor, tuple) for tensor in value):
        value = [tuple(part[:24] if isinstance(part, bytes) else part for part in tensor) for tensor in value]
    return str(value)[:2000]


def disagreement(target: str, judge: Judge, data: bytes) -> str | None:
    """What the two make of a file, where that is not the same: as choices.py knows it."""
    (verdict, ours), (other_verdict, theirs) = judge.ask(target, data), ask_other(target, data)
    if verdict == other_verdict == "refuses":
        return None
    if verdict == "refuses":
        return f"we refuse: {re.sub(r'/proc/self/fd/[0-9]+', 'FILE', ours)} | other: {shown(theirs)}"
    if other_verdict == "refuses":
        return f"we accept: {shown(ours)} | other: {theirs}"
    return None if same(target, ours, theirs) else f"values differ: {str(ours)[:2000]} | other: {str(theirs)[:2000]}"


def run(target: str, arguments: argparse.Namespace, seconds: float) -> tuple[int, Counter, Counter]:
    """How many files were put to both, the disagreements by their reasons, and those without one."""
    judge = Judge(arguments.judge)
    known, unknown = Counter(), Counter()
    end, files = time.monotonic() + seconds, 0
    while files < arguments.files if arguments.files else time.monotonic() < end:
        # Each file follows from its own number alone, so that one can be made again.
        data = mutations.a_file(Random(f"{target} {arguments.seed} {files}"), target)
        files += 1
        found = disagreement(target, judge, data)
        if found is None:
            continue
        reason = choices.reason(target, found)
        if reason is not None:
            known[reason] += 1
            continue
        shape = re.sub(r"'(?:[^'\\]|\\.)*'|[0-9]+", "#", found)[:150]
        unknown[shape] += 1
        if unknown[shape] == 1:
            kept = Path(arguments.keep) / f"differential-{target}-{len(unknown)}"
            kept.write_bytes(data)
            print(f"{target}: file {files - 1} of seed {arguments.seed}, kept as {kept}\n  {found[:700]}", flush=True)
            if not arguments.explore:
                break
    return files, known, unknown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judge")
    parser.add_argument("targets", nargs="*", metavar="FORMAT")
    parser.add_argument("--files", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default=".")
    parser.add_argument("--explore", action="store_true")
    arguments = parser.parse_intermixed_args()
    for target in set(arguments.targets) - set(LETTERS):
        parser.error(f"'{target}' is none of {', '.join(LETTERS)}")
    if not arguments.files and not arguments.minutes:
        parser.error("say how long: --files or --minutes")
    # Headers claim sizes that the other readers believe.
    limit_addresses(4 << 30)
    targets = arguments.targets or list(LETTERS)
    failed = False
    for target in targets:
        begin = time.monotonic()
        files, known, unknown = run(target, arguments, 60 * arguments.minutes / len(targets))
        print(f"{target}: {files} files in {time.monotonic() - begin:.0f} s; {sum(known.values())} choices, {sum(unknown.values())} findings")
        for reason, count in known.most_common():
            print(f"  {count:7} {reason}")
        failed = failed or bool(unknown)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
