#!/usr/bin/env python3
"""Measures `supremum max` and `reduce-max` of large files beside `cat` and the disk's own rate of writing.

    bench/stream.py COMMAND FOLDER [--gib 4] [--rounds 5] [--memory 64MiB] [--write FILE]

Makes files in FOLDER, which it removes at the end, and prints a table: seconds as medians of rounds in which all programs take
turns, what binds (the slowest of: `cat` of the inputs to /dev/null; writing as many bytes as the output has, made durable as the command
makes it; and where inputs come from the disk, both at once, since they share it), how fast supremum is beside that, and the most
memory that it had at once. Results are compared with those that the command computes in memory, for files of a hundredth of the size.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import machine  # noqa: E402

MIB = 1 << 20
PROGRAMS = ("cat", "write", "both", "supremum")


@dataclass
class Case:
    name: str
    arguments: list[str]  # without the output
    inputs: list[Path]
    output_bytes: int
    cold: bool
    seconds: dict[str, list[float]] = field(default_factory=dict)
    peak: int = 0

    def median(self, program: str) -> float:
        return statistics.median(self.seconds[program])


def make_file(path: Path, size: int) -> None:
    """Bytes at random; each MiB is another rotation of the same, so that making them takes no time."""
    block = bytearray(os.urandom(MIB))
    with path.open("wb") as file:
        for i in range(size // MIB):
            at = i * 4099 * 4 % MIB
            file.write(memoryview(block)[at:])
            file.write(memoryview(block)[:at])
        file.flush()
        os.fsync(file.fileno())


def drop_from_cache(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def warm_up(path: Path) -> None:
    with path.open("rb", buffering=0) as file:
        while file.readinto(bytearray(MIB)):
            pass


def run(command: list[str]) -> tuple[float, int]:
    """Seconds, and the most memory at once in bytes."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command} failed")
    return seconds, usage.ru_maxrss * 1024


def write_plainly(path: Path, size: int) -> float:
    """Writes a temporary file in the folder of the old one and syncs it, as the command does."""
    temporary = path.with_suffix(".tmp")
    block = os.urandom(MIB // 4)  # larger ones take longer
    begin = time.monotonic()
    with temporary.open("wb", buffering=0) as file:
        for _ in range(size // len(block)):
            file.write(block)
        file.write(block[: size % len(block)])
        os.fsync(file.fileno())
    temporary.rename(path)
    return time.monotonic() - begin


def measure(case: Case, command: str, memory: str, folder: Path, rounds: int) -> None:
    output, plain = folder / "y.bin", folder / "plain.bin"
    cat = ["cat", *map(str, case.inputs)]
    for turn in range(rounds):
        for program in PROGRAMS[turn % len(PROGRAMS):] + PROGRAMS[: turn % len(PROGRAMS)]:
            # Memory that was not in use for a while is slow at first, on a virtual machine; so all have some that was.
            write_plainly(plain, case.output_bytes)
            plain.unlink()
            for path in case.inputs:
                (drop_from_cache if case.cold else warm_up)(path)
            if program == "cat":
                seconds, _ = run(cat)
            elif program == "write":
                seconds = write_plainly(plain, case.output_bytes)
            elif program == "both":
                if not case.cold:
                    continue
                begin = time.monotonic()
                reader = subprocess.Popen(cat, stdout=subprocess.DEVNULL)
                write_plainly(plain, case.output_bytes)
                reader.wait()
                seconds = time.monotonic() - begin
            else:
                seconds, peak = run([command, *case.arguments, "--memory", memory, "-o", str(output)])
                case.peak = max(case.peak, peak)
            case.seconds.setdefault(program, []).append(seconds)
            for path in (output, plain):
                path.unlink(missing_ok=True)


def table(cases: list[Case], memory: str) -> str:
    lines = ["| case | page cache | cat, s | write, s | both at once, s | supremum, s | binds | speed beside it | "
             f"peak memory at `--memory {memory}` |",
             "| --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |"]
    for case in cases:
        seconds = {program: case.median(program) for program in PROGRAMS if program in case.seconds}
        own = seconds["supremum"]
        bound, binds = max((time, program) for program, time in seconds.items() if program != "supremum")
        cells = [case.name, "cold" if case.cold else "warm"]
        cells += [f"{seconds[program]:.2f}" if program in seconds else "" for program in PROGRAMS]
        cells += [binds, f"{100 * bound / own:.0f} %", f"{case.peak / MIB:.1f} MiB"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def check(command: str, memory: str, folder: Path) -> None:
    """The same bytes streamed and in memory, for a small file: what is measured is right."""
    small = folder / "small.bin"
    make_file(small, 48 * MIB)
    for arguments in (["max", f"x:f32:48x262144:{small}", f"x:f32:1x262144:{small}.row"],
                      ["reduce-max", f"x:f32:48x262144:{small}"],
                      ["reduce-max", f"x:f32:48x262144:{small}", "--axes", "0"],
                      ["reduce-max", f"x:f32:48x262144:{small}", "--axes", "1"]):
        Path(f"{small}.row").write_bytes(small.read_bytes()[:MIB])
        run([command, *arguments, "-o", str(folder / "y.bin"), "--memory", memory])
        run([command, *arguments, "-o", str(folder / "y.npz")])  # which is computed in memory
        streamed = (folder / "y.bin").read_bytes()
        if zipfile.ZipFile(folder / "y.npz").read("y.npy")[-len(streamed) :] != streamed:
            sys.exit(f"{arguments}: streamed and in memory differ")
    for path in (small, Path(f"{small}.row"), folder / "y.bin", folder / "y.npz"):
        path.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("command")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gib", type=int, default=4, help="size of the file that is reduced")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory", default="64MiB")
    parser.add_argument("--write", type=Path, help="the page to write; otherwise the table is printed alone")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)

    size = arguments.gib << 30
    big, one, two = folder / "big.bin", folder / "one.bin", folder / "two.bin"
    half = size // 4
    files = {big: size, one: half, two: half}
    try:
        # In a subprocess: the peak memory of a process includes what it had before exec.
        if os.fork() == 0:
            for path, length in files.items():
                make_file(path, length)
            os._exit(0)
        os.wait()
        rows = size // (4 * MIB)
        reduce = ["reduce-max", f"x:f32:{rows}x{MIB}:{big}"]
        pair = ["max", f"x:f32:{half // 4}:{one}", f"x:f32:{half // 4}:{two}"]
        gib = arguments.gib
        cases = []
        for cold in (False, True):
            cases.append(Case(f"reduce-max of {gib} GiB over all axes", reduce, [big], 4, cold))
            cases.append(Case(f"reduce-max of {gib} GiB over the first axis", reduce + ["--axes", "0"], [big], 4 * MIB, cold))
            cases.append(Case(f"reduce-max of {gib} GiB over the last axis", reduce + ["--axes", "1"], [big], 4 * rows, cold))
            cases.append(Case(f"max of two files of {half / (1 << 30):g} GiB", pair, [one, two], half, cold))
        for case in cases:
            measure(case, arguments.command, arguments.memory, folder, arguments.rounds)
            print(table([case], arguments.memory).splitlines()[2], flush=True)
        if os.fork() == 0:
            check(arguments.command, arguments.memory, folder)
            os._exit(0)
        if os.waitstatus_to_exitcode(os.wait()[1]) != 0:
            sys.exit("the check failed")
    finally:
        for path in [*files, folder / "y.bin", folder / "plain.bin"]:
            path.unlink(missing_ok=True)

    text = table(cases, arguments.memory)
    if arguments.write:
        arguments.write.parent.mkdir(parents=True, exist_ok=True)
        model = machine.first_match("/proc/cpuinfo", r"^model name\s*:\s*(.*)$")
        arguments.write.write_text(
            "# Speed of what is larger than memory\n\n"
            "Made by `bench/stream.py`; `docs/streaming.md` says what is measured.\n\n"
            f"- Machine: {model}, {os.cpu_count()} processors.\n"
            f"- Medians of {arguments.rounds} rounds in which all take turns; load when it ended: {os.getloadavg()[0]:.1f}.\n"
            "- Cold: the inputs were dropped from the page cache before each run; warm: they were all in it.\n\n" + text,
            encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
