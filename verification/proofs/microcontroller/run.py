#!/usr/bin/env python3
"""Builds the two-file library (src/c99/) for microcontrollers and puts the cases of tests/c99 to it, on emulated boards (scripts/microcontroller.sh)."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/c99", "src/c99", "verification/evidence", "verification/faults")]

import make  # noqa: E402
import table  # noqa: E402
from cases import TYPES, Case, Target, Verdict, encode, judge, refused_cases, valid_cases  # noqa: E402
from evidence_common import write_made  # noqa: E402
from layouts import layout_cases  # noqa: E402

HERE = Path(__file__).resolve().parent
TESTS = ROOT / "tests/c99"
PAGE = "microcontrollers.md"
COMPILER = "arm-none-eabi-gcc"
EMULATOR = "qemu-system-arm"
STACK_SIZE = 2048
TARGET = Target()


@dataclass(frozen=True)
class Board:
    machine: str
    core: str
    flash: tuple[int, int]
    ram: tuple[int, int]

    @property
    def cpu(self) -> str:
        return self.core.lower()


BOARDS = (
    Board("microbit", "Cortex-M0", (0x00000000, 256 << 10), (0x20000000, 16 << 10)),
    Board("lm3s6965evb", "Cortex-M3", (0x00000000, 256 << 10), (0x20000000, 64 << 10)),
    Board("mps2-an386", "Cortex-M4", (0x00000000, 4 << 20), (0x20000000, 4 << 20)),
    Board("mps2-an500", "Cortex-M7", (0x00000000, 4 << 20), (0x20000000, 4 << 20)),
    Board("mps2-an505", "Cortex-M33", (0x10000000, 4 << 20), (0x38000000, 2 << 20)),
)


def run(command: list[object], cwd: Path) -> str:
    """What the command prints; ends the script with all of it if it fails."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"microcontroller: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


@dataclass
class Build:
    folder: Path
    room: int  # bytes for tensors
    frames: dict[tuple[str, str], int]  # -fstack-usage, by type and operator


def build(board: Board, folder: Path, fault: table.Fault | None = None) -> Build:
    """Compiles and links everything for a board, from nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    sources = folder / "source"
    make.write(sources, table.with_fault(make.sources(), fault))
    for file in [TESTS / "cases_main.c", TESTS / "host.h", *HERE.glob("*.[ch]")]:
        shutil.copy(file, sources)
    # Freestanding: no loop becomes a call of memset, <stdint.h> and <stddef.h> are the compiler's own, and no C library is there to be linked.
    target = [f"-mcpu={board.cpu}", "-mthumb"]
    options = [*target, "-std=c99", "-ffreestanding", "-nostdlib", "-Os", "-fno-tree-loop-distribute-patterns", "-ffunction-sections", "-fstack-usage", "-Wall", "-Wextra",
               "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", *([] if fault else ["-Werror"])]  # fmt: skip
    objects = []
    for source in sorted(sources.glob("*.c")):
        run([COMPILER, *options, "-c", source, "-o", f"{source.stem}.o"], folder)
        objects.append(f"{source.stem}.o")
    sizes = dict(zip(("FLASH_AT", "FLASH_SIZE", "RAM_AT", "RAM_SIZE"), (*board.flash, *board.ram), strict=True), STACK_SIZE=STACK_SIZE)
    placed = [f"-Wl,--defsym={name}={value}" for name, value in sizes.items()]
    # Of what the compiler brings, libgcc alone: 64-bit division.
    run([COMPILER, *target, "-nostdlib", "-Wl,--gc-sections", "-Wl,--fatal-warnings", *placed, "-T", HERE / "board.ld", *objects, "-lgcc",
         "-o", "cases.elf"], folder)  # fmt: skip

    symbols = dict(reversed(line.split()[::2]) for line in run(["arm-none-eabi-nm", "cases.elf"], folder).splitlines())
    frames: dict[tuple[str, str], int] = {}
    for line in (folder / "supremum_c99.su").read_text(encoding="utf-8").splitlines():
        place, size, kind = line.split("\t")
        function = place.split(":")[-1]
        if kind != "static":
            sys.exit(f"microcontroller: the frame of {function} has no fixed size")
        match = re.fullmatch(r"supremum_proved_(reduce_max|max)_(\w+)", function)
        if match:
            dtype = next(dtype for dtype, name in make.TYPES.items() if name == match[2])
            frames[dtype, {"max": "Max", "reduce_max": "ReduceMax"}[match[1]]] = int(size)
    return Build(folder, int(symbols["board_arena_end"], 16) - int(symbols["board_arena_begin"], 16), frames)


def put_cases(board: Board, built: Build, cases: list[Case], limit_s: int, died: bool = False) -> Verdict:
    """Runs the board over the cases. `died`: a board that stops with an error, or does not end, has noticed a fault."""
    (built.folder / "cases").write_bytes(encode(cases, TARGET))
    (built.folder / "results").unlink(missing_ok=True)
    command = [EMULATOR, "-M", board.machine, "-display", "none", "-monitor", "none", "-serial", "none",
               "-semihosting-config", "enable=on,target=native", "-kernel", "cases.elf"]  # fmt: skip
    try:
        done = subprocess.run(command, cwd=built.folder, capture_output=True, text=True, timeout=limit_s, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        if died:
            return Verdict(wrong=[f"{board.machine} did not end within {limit_s} s"])
        sys.exit(f"microcontroller: {board.machine} did not end within {limit_s} s")
    if done.returncode != 0 and died:
        return Verdict(wrong=[f"{board.machine} stopped with an error"])
    if done.returncode != 0:
        sys.exit(f"microcontroller: {board.machine} stopped with an error\n{done.stdout}{done.stderr}")
    try:
        return judge(cases, (built.folder / "results").read_bytes(), built.room, TARGET)
    except ValueError as error:
        if died:
            return Verdict(wrong=[str(error)])
        sys.exit(f"microcontroller: {board.machine}: {error}")


def report(board: Board, built: Build, verdict: Verdict, seconds: float) -> str:
    largest = max(verdict.too_large, default=None)
    too_large = f"{len(verdict.too_large)} do not fit into {built.room} bytes" + (f" (the largest needs {largest[0]})" if largest else "")
    return (f"{board.machine} ({board.core}): {verdict.passed} of {verdict.valid} valid cases passed byte for byte, {len(verdict.wrong)} wrong, "
            f"{too_large}; {verdict.refused} refused shapes, axes and layouts; {seconds:.0f} s")  # fmt: skip


def tables(results: list[tuple[Board, Build, Verdict]]) -> str:
    """The page's tables."""
    lines = ["| board | core | RAM | room for tensors | cases passed | too large | wrong | refused |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]  # fmt: skip
    for board, built, verdict in results:
        lines.append(f"| {board.machine} | {board.core} | {board.ram[1] >> 10} KiB | {built.room} B | {verdict.passed:,} of {verdict.valid:,} | "
                     f"{len(verdict.too_large)} | {len(verdict.wrong)} | {verdict.refused} |")  # fmt: skip
    cores = [board.core for board, _, _ in results]
    lines += ["", "Stack in bytes, Max / ReduceMax: the frame of the proved function, as the compiler states it, and in parentheses the most that",
              "a call from `cases_main.c` used in the run, with the checks and libgcc's division:", "",
              "| type | " + " | ".join(cores) + " |", "| --- |" + " ---: |" * len(cores)]  # fmt: skip
    for dtype in TYPES:
        cells = []
        for _, built, verdict in results:
            frames = [built.frames[dtype, operator] for operator in ("Max", "ReduceMax")]
            used = [verdict.stack[dtype, operator] for operator in ("Max", "ReduceMax")]
            cells.append(f"{frames[0]} / {frames[1]} ({used[0]} / {used[1]})")
        lines.append(f"| {dtype} | " + " | ".join(cells) + " |")
    compiler = subprocess.run([COMPILER, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    emulator = subprocess.run([EMULATOR, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    lines += ["", f"With {compiler}, `-Os`; {emulator}."]
    return "\n".join(lines)


def put_faults(board: Board, folder: Path, cases: list[Case], limit_s: int) -> int:
    """Exit status 1 if a fault goes unnoticed."""
    unnoticed, faults = 0, table.of("c99")
    for fault in faults:
        verdict = put_cases(board, build(board, folder, fault), cases, limit_s, died=True)
        first = verdict.wrong[0] if verdict.wrong else "NOT NOTICED"
        print(f"{fault.file}: {fault.name}: {len(verdict.wrong)} cases are wrong; {first}", flush=True)
        unnoticed += not verdict.wrong
    print(f"{len(faults) - unnoticed} of {len(faults)} faults were noticed")
    return 1 if unnoticed else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/microcontroller.sh", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--board", choices=[board.machine for board in BOARDS], action="append", help="this one alone")
    parser.add_argument("--faults", action="store_true", help="put faults into the C that the cases must notice")
    parser.add_argument("--write", action="store_true", help=f"write build/evidence/{PAGE}")
    parser.add_argument("--folder", type=Path, default=ROOT / "build/microcontroller", help="where to build")
    parser.add_argument("--limit", type=int, default=300, help="seconds for a run")
    arguments = parser.parse_args()
    if arguments.write and arguments.board:
        parser.error("--write needs all boards")
    boards = [board for board in BOARDS if not arguments.board or board.machine in arguments.board]
    cases = [*valid_cases(), *refused_cases(), *layout_cases()]
    if arguments.faults:
        return max(put_faults(board, arguments.folder / "faults", cases, arguments.limit) for board in boards)
    results = []
    for board in boards:
        begin = time.monotonic()
        built = build(board, arguments.folder / board.machine)
        verdict = put_cases(board, built, cases, arguments.limit)
        results.append((board, built, verdict))
        print(report(board, built, verdict, time.monotonic() - begin), flush=True)
        for line in verdict.wrong[:20]:
            print(f"  {line}")
    if arguments.write:
        write_made(PAGE, "Figures of the emulated boards", "scripts/microcontroller.sh", tables(results))
    return 1 if any(verdict.wrong for _, _, verdict in results) else 0


if __name__ == "__main__":
    sys.exit(main())
