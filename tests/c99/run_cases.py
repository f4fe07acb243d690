#!/usr/bin/env python3
"""Makes the two-file library (src/c99/make.py), compiles it with a C99 compiler and compares its results with what the cases expect.

    tests/c99/run_cases.py [--compiler gcc] [--flags=-m32] [--launcher qemu-s390x-static] [--levels=-Os,-O3]
    tests/c99/run_cases.py --faults    puts faults into the library, each of which the cases must notice

The cases are the valid ones of the conformance kit, refused shapes and axes (cases.py), and layouts (layouts.py). After each case the whole
arena must be right. Exit status 1 if a result is wrong or a fault goes unnoticed, 77 if the compiler or the launcher is not installed.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from cases import ROOT, TYPES, Case, Target, Verdict, encode, judge, refused_cases, valid_cases
from layouts import layout_cases

sys.path[:0] = [str(ROOT / "src/c99"), str(ROOT / "verification/faults")]

import make  # noqa: E402
import table  # noqa: E402  (verification/faults)

HERE = Path(__file__).resolve().parent
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-pedantic", "-Werror"]
ROOM = 4 << 20  # bytes, as host_stdio.c and host_riscv32.c have them
LIMIT_S = 300
EXAMPLE = ROOT / "examples/c99/best_of_rows.c"
EXAMPLE_PRINTS = "0.5 0.75 1 -1 0.5 2 | 1 2\n"


@dataclass(frozen=True)
class Machine:
    """A compiler, and what runs its programs."""

    compiler: list[str]
    launcher: list[str]
    target: Target
    host: str
    freestanding: bool

    @staticmethod
    def of(compiler: str, flags: str, launcher: str) -> Machine:
        command = [compiler, *shlex.split(flags)]
        macros = dict(re.findall(r"^#define (\w+) (.*)$", run([*command, "-dM", "-E", "-x", "c", "/dev/null"], ROOT), re.MULTILINE))
        order = {"__ORDER_LITTLE_ENDIAN__": "<", "__ORDER_BIG_ENDIAN__": ">"}[macros["__BYTE_ORDER__"]]
        freestanding = "__linux__" not in macros
        if freestanding and macros.get("__riscv_xlen") != "32":
            sys.exit(f"run_cases.py: {compiler} {flags} has no operating system, and is not for 32-bit RISC-V: there is no host for it")
        tensor_bytes = 32 if macros["__SIZEOF_POINTER__"] == "8" else 24
        return Machine(command, shlex.split(launcher), Target(order, tensor_bytes), "host_riscv32.c" if freestanding else "host_stdio.c", freestanding)


def run(command: list[object], cwd: Path, timeout_s: int | None = None) -> str:
    """What the command prints; ends the script with all of it if it fails."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=timeout_s, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"run_cases.py: exit status {done.returncode}: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(machine: Machine, folder: Path, level: str, fault: table.Fault | None = None, types: list[str] | None = None) -> None:
    """Makes and compiles everything, from nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    make.write(folder, table.with_fault(make.sources(), fault), types or TYPES)
    alone = ["-ffreestanding", "-nostdlib"] if machine.freestanding else []
    checked = [*machine.compiler, "-std=c99", level, *alone, *([] if fault else WARNINGS)]
    run([*checked, "-c", "supremum_c99.c", "-o", "supremum_c99.o"], folder)
    sources = [HERE / "cases_main.c", HERE / machine.host]
    run([*checked, "-I.", f"-I{HERE}", *sources, "supremum_c99.o", *(["-lgcc"] if machine.freestanding else []), "-o", "cases_main"], folder)


def put_cases(machine: Machine, folder: Path, cases: list[Case], encoded: bytes, died: bool = False) -> Verdict:
    """Runs the program over the cases. `died`: a program that ends with an error, or does not end, has noticed a fault."""
    (folder / "cases").write_bytes(encoded)
    (folder / "results").unlink(missing_ok=True)
    try:
        done = subprocess.run([*machine.launcher, "./cases_main"], cwd=folder, capture_output=True, text=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise ValueError(f"the program ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return judge(cases, (folder / "results").read_bytes(), ROOM, machine.target)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        if died:
            return Verdict(wrong=[str(error).strip().splitlines()[0]])
        sys.exit(f"run_cases.py: {error}")


def put_faults(machine: Machine, folder: Path, cases: list[Case], encoded: bytes) -> int:
    """Exit status 1 if a fault goes unnoticed."""
    unnoticed, faults = 0, table.of("c99")
    for fault in faults:
        build(machine, folder, "-O1", fault)
        verdict = put_cases(machine, folder, cases, encoded, died=True)
        first = verdict.wrong[0] if verdict.wrong else "NOT NOTICED"
        print(f"{fault.file}: {fault.name}: {len(verdict.wrong)} cases are wrong; {first}", flush=True)
        unnoticed += not verdict.wrong
    print(f"{len(faults) - unnoticed} of {len(faults)} faults were noticed")
    return 1 if unnoticed else 0


def run_example(machine: Machine, folder: Path, level: str) -> None:
    """The example, which needs a C library and the type float32."""
    run([*machine.compiler, "-std=c99", level, *WARNINGS, "-I.", EXAMPLE, "supremum_c99.o", "-o", "example"], folder)
    printed = run([*machine.launcher, "./example"], folder, LIMIT_S)
    if printed != EXAMPLE_PRINTS:
        sys.exit(f"run_cases.py: {EXAMPLE.name} printed '{printed}', not '{EXAMPLE_PRINTS}'")


def put_all(machine: Machine, folder: Path, level: str, cases: list[Case], encoded: bytes, types: list[str]) -> int:
    begin = time.monotonic()
    build(machine, folder, level, types=types)
    if not machine.freestanding and "float32" in types:
        run_example(machine, folder, level)
    verdict = put_cases(machine, folder, cases, encoded)
    name = " ".join([*machine.compiler, level])
    print(f"{name}: {verdict.passed} of {verdict.valid} valid cases passed byte for byte, {verdict.refused} of {len(cases) - verdict.valid} refused, "
          f"{len(verdict.wrong)} wrong; {time.monotonic() - begin:.0f} s", flush=True)  # fmt: skip
    for line in verdict.wrong[:20]:
        print(f"  {line}")
    if verdict.too_large:
        print(f"  {len(verdict.too_large)} do not fit into {ROOM} bytes")
    return 1 if verdict.wrong or verdict.too_large else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests/c99/run_cases.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--compiler", default="gcc", help="default: gcc")
    parser.add_argument("--flags", default="", help="of the compiler, in one argument")
    parser.add_argument("--launcher", default="", help="the emulator that runs the program")
    parser.add_argument("--levels", default="-Os,-O3", help="levels of optimisation; default: -Os,-O3")
    parser.add_argument("--types", default=",".join(TYPES), help="a library of these types alone; default: all")
    parser.add_argument("--faults", action="store_true", help="put faults into the library that the cases must notice")
    parser.add_argument("--folder", type=Path, default=ROOT / "build/c99", help="where to build")
    arguments = parser.parse_args()
    for tool in (arguments.compiler, *shlex.split(arguments.launcher)[:1]):
        if not shutil.which(tool):
            print(f"run_cases.py: {tool} is not installed (scripts/setup.sh --c99): nothing was built or run", file=sys.stderr)
            return 77
    machine = Machine.of(arguments.compiler, arguments.flags, arguments.launcher)
    types = arguments.types.split(",")
    cases = [*valid_cases(), *refused_cases(), *layout_cases()]
    if set(types) != set(TYPES):
        cases = [case for case in cases if case.dtype in types]
    encoded = encode(cases, machine.target)
    if arguments.faults:
        return put_faults(machine, arguments.folder / "faults", cases, encoded)
    return max(put_all(machine, arguments.folder, level, cases, encoded, types) for level in arguments.levels.split(","))


if __name__ == "__main__":
    sys.exit(main())
