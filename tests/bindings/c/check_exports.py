#!/usr/bin/env python3
"""Compares what a shared library exports with what include/supremum/c_api.h declares.

    tests/bindings/c/check_exports.py LIBRARY    exit status 1, with a line for each symbol that only one of them has
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HEADER = Path(__file__).resolve().parents[3] / "include" / "supremum" / "c_api.h"


def declared() -> set[str]:
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(encoding="utf-8"), flags=re.DOTALL)
    return set(re.findall(r"SUPREMUM_API\b[^;(]*?\b(supremum_\w+)\(", text))


def exported(library: str) -> set[str]:
    """Functions by their name alone; what is not a function, or has no version, as nm shows it."""
    output = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    found: set[str] = set()
    for line in output.splitlines():
        _, kind, symbol = line.split()
        if kind == "A" and re.fullmatch(r"SUPREMUM_[\d.]+", symbol):
            continue  # a version is a symbol of its own
        name = re.fullmatch(r"(\w+)@@SUPREMUM_[\d.]+", symbol)
        found.add(name[1] if name and kind == "T" else f"{kind} {symbol}")
    return found


def main() -> int:
    if len(sys.argv) != 2:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    header, library = declared(), exported(sys.argv[1])
    for symbol in sorted(header - library):
        print(f"{symbol} is declared and not exported: add it to src/bindings/c/exports.map")
    for symbol in sorted(library - header):
        print(f"{symbol} is exported and not declared")
    if not header:
        print(f"no declaration was found in {HEADER.name}")
    if header != library or not header:
        return 1
    print(f"{len(header)} symbols: {' '.join(sorted(header))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
