#!/usr/bin/env python3
"""What each instruction set and each primitive adds to libsupremum.so, and whether the library is as small as it must be.

    verification/evidence/library_size.py LIBRARY ARCHIVE [--limit BYTES] [--write]

LIBRARY is libsupremum.so with its symbols, ARCHIVE libsupremum.a, whose members it was linked from: a member has the code of one
primitive, a namespace in it the code of one instruction set. --limit: exit status 1 if LIBRARY without symbols has more bytes. --write
puts the tables into build/evidence/size.md.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from evidence_common import write_made

SYMBOL = re.compile(r"[^:]*:([^:]+)\.o:[0-9a-f]+ ([0-9a-f]+) [tTwW] (.*)")
NAMESPACE = re.compile(r"::N_([A-Z0-9_]+)::")  # Highway's, one for each instruction set
ELEMENT = re.compile(r"<(?:supremum::)?([A-Za-z0-9_ ]+)")  # the first template argument
TYPES = {"BFloat16": "bf16", "Float16": "f16", "float": "f32", "double": "f64", "signed char": "i8", "short": "i16", "int": "i32", "long": "i64",
         "unsigned char": "u8", "unsigned short": "u16", "unsigned int": "u32", "unsigned long": "u64", "bool": "bool"}  # fmt: skip
PORTABLE = "portable.cc"
WHAT = {"simd_join": "join and copy a row", "simd_lines": "join lines", "simd_many": "join many", "simd_moves": "repeat, transpose",
        "simd_rows": "fold rows, clear", "simd_runs": "reduce runs", "simd_short_runs": "reduce short runs", "portable": "all, in portable vectors"}  # fmt: skip
UNWINDING = (".eh_frame", ".eh_frame_hdr", ".gcc_except_table")


def output_of(*command: str | Path) -> str:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True).stdout


def stripped_bytes(library: Path) -> int:
    with tempfile.TemporaryDirectory() as folder:
        stripped = Path(folder) / "stripped.so"
        output_of("strip", "-o", stripped, library)
        return stripped.stat().st_size


def sections_of(library: Path) -> dict[str, int]:
    """The sizes of the sections that are loaded."""
    rows = (line.split() for line in output_of("size", "-A", library).splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) == 3 and row[0].startswith(".") and row[2] != "0"}


def kernel_code(archive: Path) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """The bytes of code by (primitive, target) and by (type, target)."""
    by_primitive: Counter[tuple[str, str]] = Counter()
    by_type: Counter[tuple[str, str]] = Counter()
    for line in output_of("nm", "-A", "-S", "-C", archive).splitlines():
        match = SYMBOL.match(line)
        if not match:
            continue
        member, size, name = match[1], int(match[2], 16), match[3]
        namespace = NAMESPACE.search(name)
        if namespace is None and member != PORTABLE:
            continue
        target = "portable" if namespace is None else namespace[1].lower()
        element = ELEMENT.search(name[namespace.end() :] if namespace else name)
        if element and element[1].strip() in TYPES:  # a function for all types has a few bytes
            by_primitive[member.removesuffix(".cc"), target] += size
            by_type[TYPES[element[1].strip()], target] += size
    return by_primitive, by_type


def kib(size: int) -> str:
    return f"{size / 1024:.1f}" if size else ""


def table(head: str, rows: list[str], cells: Counter[tuple[str, str]]) -> list[str]:
    """A row for each of `rows` and one for all, a column for each target, in KiB."""
    targets = sorted({target for _, target in cells}, key=lambda t: -sum(size for (_, other), size in cells.items() if other == t))
    lines = [f"| {head} | " + " | ".join(targets) + " | all |", "| --- |" + " ---: |" * (len(targets) + 1)]
    for row in rows:
        sizes = [cells[row, target] for target in targets]
        lines.append(f"| {WHAT.get(row, row)} | " + " | ".join(map(kib, [*sizes, sum(sizes)])) + " |")
    sums = [sum(cells[row, target] for row in rows) for target in targets]
    return [*lines, "| all | " + " | ".join(map(kib, [*sums, sum(sums)])) + " |", ""]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()

    size, sections = stripped_bytes(args.library), sections_of(args.library)
    by_primitive, by_type = kernel_code(args.archive)
    kernels = sum(by_primitive.values())
    if not kernels:
        sys.exit(f"library_size.py: {args.archive} has no kernels")
    unwinding = sum(sections.get(name, 0) for name in UNWINDING)
    rest = sum(sections.values()) - sections[".text"] - unwinding
    lines = [f"libsupremum.so has {size:,} bytes without symbols. Code of the kernels in KiB, without the padding between functions:", ""]
    primitives = {row for row, _ in by_primitive}
    if unnamed := primitives - set(WHAT):
        raise SystemExit(f"library_size.py: what is in {', '.join(sorted(unnamed))}? WHAT does not say it")
    lines += table("primitive", [name for name in WHAT if name in primitives], by_primitive)
    lines += ["The same, by element type:", "", *table("type", list(TYPES.values()), by_type)]
    lines += ["| part | KiB |", "| --- | ---: |", f"| code of the kernels | {kib(kernels)} |"]
    lines += [f"| code of the operators, rules and the C interface; padding | {kib(sections['.text'] - kernels)} |"]
    lines += [f"| tables for unwinding | {kib(unwinding)} |", f"| constants, relocations, names and the rest | {kib(rest)} |", ""]
    if args.write:
        write_made("size.md", "Size of the library", "verification/evidence/library_size.py", "\n".join(lines))
    print("\n".join(lines))
    if args.limit is not None and size > args.limit:
        print(f"library_size.py: {size:,} bytes are more than the limit, {args.limit:,}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
