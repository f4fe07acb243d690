#!/usr/bin/env python3
"""The size of the two-file library: bytes of code of each type and operator, with -Os and -O3, for each compiler that is found.

    src/c99/size.py [--write]    --write: build/evidence/c99-size.md; it then needs all compilers (scripts/setup.sh --c99 and --microcontroller)
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import make

sys.path.insert(0, str(make.ROOT / "verification/evidence"))

from evidence_common import write_made  # noqa: E402

PAGE = "c99-size.md"
LEVELS = ("-Os", "-O3")
SHARED, REST = "shared", "rest"  # parts that are of no type
OPERATOR = {"supremum_proved_max": "Max", "supremum_proved_reduce_max": "ReduceMax"}


@dataclass(frozen=True)
class Processor:
    name: str
    compiler: str
    flags: tuple[str, ...] = ()
    prefix: str = ""  # of nm


PROCESSORS = (
    Processor("x86-64, GCC", "gcc"),
    Processor("x86-64, clang", "clang-16"),
    Processor("x86, 32 bits", "i686-linux-gnu-gcc", prefix="i686-linux-gnu-"),
    Processor("Cortex-M0", "arm-none-eabi-gcc", ("-mcpu=cortex-m0", "-mthumb", "-ffreestanding"), "arm-none-eabi-"),
    Processor("Cortex-M3", "arm-none-eabi-gcc", ("-mcpu=cortex-m3", "-mthumb", "-ffreestanding"), "arm-none-eabi-"),
    Processor("Cortex-M7", "arm-none-eabi-gcc", ("-mcpu=cortex-m7", "-mthumb", "-ffreestanding"), "arm-none-eabi-"),
    Processor("RISC-V, rv32imac", "riscv64-unknown-elf-gcc", ("-march=rv32imac", "-mabi=ilp32", "-ffreestanding"), "riscv64-unknown-elf-"),
    Processor("s390x", "s390x-linux-gnu-gcc", prefix="s390x-linux-gnu-"),
)


def code_sizes(symbols: str) -> Counter[tuple[str, str]]:
    """Bytes of code from what nm -S prints, by part and operator: a type with Max, ReduceMax or, of what both call, nothing; SHARED; REST."""
    sizes: Counter[tuple[str, str]] = Counter()
    types = {name: dtype for dtype, name in make.TYPES.items()}
    for size, function in re.findall(r"^[0-9a-f]+ ([0-9a-f]+) [tT] (\S+)$", symbols, re.MULTILINE):
        function = re.sub(r"\.(?:constprop|part|isra|cold|lto_priv)\b.*", "", function)
        stem, _, name = function.rpartition("_")
        if name in types and not function.startswith("supremum_c99"):
            sizes[types[name], OPERATOR.get(stem, "")] += int(size, 16)
        else:
            sizes[SHARED if function in make.SHARED else REST, ""] += int(size, 16)
    return sizes


def output_of(*command: object) -> str:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True).stdout


def measure(processor: Processor, level: str, folder: Path) -> Counter[tuple[str, str]]:
    compiled = folder / "supremum_c99.o"
    output_of(processor.compiler, *processor.flags, "-std=c99", level, "-c", folder / make.SOURCE, "-o", compiled)
    return code_sizes(output_of(f"{processor.prefix}nm", "-S", compiled))


def table(sizes: dict[str, Counter[tuple[str, str]]]) -> list[str]:
    """A row for each type, a column for each processor."""

    def cell(found: Counter[tuple[str, str]], dtype: str) -> str:
        both = found[dtype, ""]
        return f"{found[dtype, 'Max']} / {found[dtype, 'ReduceMax']}" + (f" + {both}" if both else "")

    lines = ["| part | " + " | ".join(sizes) + " |", "| --- |" + " ---: |" * len(sizes)]
    lines += [f"| {dtype} | " + " | ".join(cell(found, dtype) for found in sizes.values()) + " |" for dtype in make.TYPES]
    lines.append("| of all types: addresses, number of elements | " + " | ".join(str(found[SHARED, ""]) for found in sizes.values()) + " |")
    lines.append("| shapes, strides, checks, selection of the type | " + " | ".join(str(found[REST, ""]) for found in sizes.values()) + " |")
    lines.append("| all | " + " | ".join(f"{sum(found.values()):,}" for found in sizes.values()) + " |")
    return lines


def processors(page: str | None) -> list[Processor]:
    """Those with a compiler here. Where a page is to be written, all must have one."""
    found = [processor for processor in PROCESSORS if shutil.which(processor.compiler)]
    if missing := sorted({processor.compiler for processor in PROCESSORS} - {processor.compiler for processor in found}):
        print(f"{sys.argv[0]}: not installed: {', '.join(missing)}", file=sys.stderr)
        if page:
            sys.exit(f"{sys.argv[0]}: build/evidence/{page} was not written")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="src/c99/size.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"write build/evidence/{PAGE}")
    arguments = parser.parse_args()
    found = processors(PAGE if arguments.write else None)
    lines = ["Bytes of code of `supremum_c99.o`: Max / ReduceMax of each type, and after + what both call if the compiler does not inline it.",
             "Division of 64-bit integers is in the compiler's library where the processor has none. `src/c99/make.py --types` leaves types out.", ""]  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make.write(folder)
        for level in LEVELS:
            lines += [f"With `{level}`:", "", *table({processor.name: measure(processor, level, folder) for processor in found}), ""]
    lines += ["| processor | compiler | flags |", "| --- | --- | --- |"]
    for processor in found:
        version = output_of(processor.compiler, "--version").splitlines()[0]
        lines.append(f"| {processor.name} | {version} | `{' '.join(('-std=c99', *processor.flags))}` |")
    print("\n".join(lines))
    if arguments.write:
        write_made(PAGE, "Size of the two-file library", "src/c99/size.py", "\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
