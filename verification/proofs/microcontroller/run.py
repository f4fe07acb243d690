#!/usr/bin/env python3
"""Builds the extracted C for microcontrollers and puts the conformance cases to it, on emulated boards (scripts/microcontroller.sh)."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from cases import ROOT, TYPES, Case, Verdict, encode, judge, refused_cases, valid_cases

sys.path.insert(0, str(ROOT / "verification" / "evidence"))

from evidence_common import write_made  # noqa: E402

HERE = Path(__file__).resolve().parent
EXTRACTED = ROOT / "verification/proofs/extracted"
PAGE = "microcontrollers.md"
COMPILER = "arm-none-eabi-gcc"
EMULATOR = "qemu-system-arm"
STACK_SIZE = 2048
# TYPE of supremum_proved_max_TYPE
C_NAME = {"float32": "float", "float64": "double"}


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

# Faults that the cases must notice: the file, the correct text, the faulty text.
FAULTS = (
    ("float.c", "return canonical_nan();", "return turn_back(k + nans());"),  # ORD-4: which NaN
    ("float16.c", "if (infinity_key() < k) {", "if (k < infinity_key()) {"),  # ORD-3
    ("double.c", "return all_bits() - a;", "return sign_bit() - a;"),  # ORD-2: the zeros
    ("int8.c", "if (a < b) {", "if (b < a) {"),  # ORD-1
    ("uint32.c", "return UINT32_C(0);", "return UINT32_C(1);"),  # RED-6
    ("dense.c", "if (input->extents[d] == 1) own[missing + d] = 0;", "(void)d;"),  # BRO-5
    ("dense.c", "axes[a] == dimension - rank", "axes[a] == rank - dimension"),  # RED-2
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
    code: dict[str, int]  # bytes of each object
    frames: dict[tuple[str, str], int]  # -fstack-usage, by type and operator


def build(board: Board, folder: Path, fault: tuple[str, str, str] | None = None) -> Build:
    """Compiles and links everything for a board, from nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    sources = folder / "source"
    sources.mkdir(parents=True)
    for file in [*EXTRACTED.glob("*.[ch]"), *HERE.glob("*.[ch]")]:
        shutil.copy(file, sources)
    if fault:
        name, old, new = fault
        text = (sources / name).read_text(encoding="utf-8")
        if text.count(old) == 0:
            sys.exit(f"microcontroller: {name} no longer has '{old}'; mend FAULTS in verification/proofs/microcontroller/run.py")
        (sources / name).write_text(text.replace(old, new), encoding="utf-8")
    # Freestanding: no loop becomes a call of memset, <stdint.h> and <stddef.h> are the compiler's own, and no C library is there to be linked.
    target = [f"-mcpu={board.cpu}", "-mthumb"]
    options = [*target, "-std=c99", "-ffreestanding", "-nostdlib", "-Os", "-fno-tree-loop-distribute-patterns", "-ffunction-sections", "-fstack-usage", "-Wall", "-Wextra", "-Werror",
               "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wno-strict-prototypes"]  # fmt: skip
    objects = []
    for source in sorted(sources.glob("*.c")):
        renames = []
        if (EXTRACTED / source.name).exists():
            renames = [f"-D{name}=supremum_proved_{name}_{source.stem}" for name in ("max", "reduce_max")]
        run([COMPILER, *options, *renames, "-c", source, "-o", f"{source.stem}.o"], folder)
        objects.append(f"{source.stem}.o")
    sizes = dict(zip(("FLASH_AT", "FLASH_SIZE", "RAM_AT", "RAM_SIZE"), (*board.flash, *board.ram), strict=True), STACK_SIZE=STACK_SIZE)
    placed = [f"-Wl,--defsym={name}={value}" for name, value in sizes.items()]
    # Of what the compiler brings, libgcc alone: 64-bit division.
    run([COMPILER, *target, "-nostdlib", "-Wl,--gc-sections", "-Wl,--fatal-warnings", *placed, "-T", HERE / "board.ld", *objects, "-lgcc",
         "-o", "cases.elf"], folder)  # fmt: skip

    symbols = dict(reversed(line.split()[::2]) for line in run(["arm-none-eabi-nm", "cases.elf"], folder).splitlines())
    code = {}
    for line in run(["arm-none-eabi-size", *objects], folder).splitlines()[1:]:
        text, *_, name = line.split()
        code[name.removesuffix(".o")] = int(text)
    frames = {}
    for dtype in TYPES:
        for line in (folder / f"{C_NAME.get(dtype, dtype)}.su").read_text(encoding="utf-8").splitlines():
            place, size, kind = line.split("\t")
            function = place.split(":")[-1]
            if kind != "static":
                sys.exit(f"microcontroller: the frame of {function} has no fixed size")
            operator = {"max": "Max", "reduce_max": "ReduceMax"}.get(re.sub(r"supremum_proved_(reduce_max|max)_.*", r"\1", function))
            if operator:
                frames[dtype, operator] = int(size)
    return Build(folder, int(symbols["board_arena_end"], 16) - int(symbols["board_arena_begin"], 16), code, frames)


def put_cases(board: Board, built: Build, cases: list[Case], limit_s: int) -> Verdict:
    """Runs the board over the cases."""
    (built.folder / "cases").write_bytes(encode(cases))
    (built.folder / "results").unlink(missing_ok=True)
    command = [EMULATOR, "-M", board.machine, "-display", "none", "-monitor", "none", "-serial", "none",
               "-semihosting-config", "enable=on,target=native", "-kernel", "cases.elf"]  # fmt: skip
    try:
        done = subprocess.run(command, cwd=built.folder, capture_output=True, text=True, timeout=limit_s, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        sys.exit(f"microcontroller: {board.machine} did not end within {limit_s} s")
    if done.returncode != 0:
        sys.exit(f"microcontroller: {board.machine} stopped with an error\n{done.stdout}{done.stderr}")
    try:
        return judge(cases, (built.folder / "results").read_bytes(), built.room)
    except ValueError as error:
        sys.exit(f"microcontroller: {board.machine}: {error}")


def report(board: Board, built: Build, verdict: Verdict, seconds: float) -> str:
    largest = max(verdict.too_large, default=None)
    too_large = f"{len(verdict.too_large)} do not fit into {built.room} bytes" + (f" (the largest needs {largest[0]})" if largest else "")
    return (f"{board.machine} ({board.core}): {verdict.passed} of {verdict.valid} valid cases passed byte for byte, {len(verdict.wrong)} wrong, "
            f"{too_large}; {verdict.refused} refused shapes and axes; {seconds:.0f} s")  # fmt: skip


def tables(results: list[tuple[Board, Build, Verdict]]) -> str:
    """The page's tables."""
    lines = ["| board | core | RAM | room for tensors | cases passed | too large | wrong | refused |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]  # fmt: skip
    for board, built, verdict in results:
        lines.append(f"| {board.machine} | {board.core} | {board.ram[1] >> 10} KiB | {built.room} B | {verdict.passed:,} of {verdict.valid:,} | "
                     f"{len(verdict.too_large)} | {len(verdict.wrong)} | {verdict.refused} |")  # fmt: skip
    cores = [board.core for board, _, _ in results]
    lines += ["", "Code of Max and ReduceMax together, in bytes:", "", "| type | " + " | ".join(cores) + " |", "| --- |" + " ---: |" * len(cores)]
    for dtype in TYPES:
        lines.append(f"| {dtype} | " + " | ".join(str(built.code[C_NAME.get(dtype, dtype)]) for _, built, _ in results) + " |")
    lines.append("| layout (`dense.c`) | " + " | ".join(str(built.code["dense"]) for _, built, _ in results) + " |")
    lines += ["", "Stack in bytes, Max / ReduceMax: the frame of the proved function, as the compiler states it, and in parentheses the most that",
              "a call from `main.c` used in the run, with the layout and libgcc's division:", "",
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
    unnoticed = 0
    for fault in FAULTS:
        verdict = put_cases(board, build(board, folder, fault), cases, limit_s)
        first = verdict.wrong[0] if verdict.wrong else "NOT NOTICED"
        print(f"{fault[0]}: {fault[2]}: {len(verdict.wrong)} cases are wrong; {first}", flush=True)
        unnoticed += not verdict.wrong
    print(f"{len(FAULTS) - unnoticed} of {len(FAULTS)} faults were noticed")
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
    cases = [*valid_cases(), *refused_cases()]
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
