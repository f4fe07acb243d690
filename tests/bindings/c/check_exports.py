#!/usr/bin/env python3
"""Compares what a shared library exports with what a header of the C interface declares.

    tests/bindings/c/check_exports.py LIBRARY HEADER    exit status 1, with a line for each symbol that only one of them has
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def declared(header: Path) -> set[str]:
    text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
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
    if len(sys.argv) != 3:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    header, library = declared(Path(sys.argv[2])), exported(sys.argv[1])
    for symbol in sorted(header - library):
        print(f"{symbol} is declared and not exported: add it to exports.map")
    for symbol in sorted(library - header):
        print(f"{symbol} is exported and not declared")
    if not header:
        print(f"no declaration was found in {sys.argv[2]}")
    if header != library or not header:
        return 1
    print(f"{len(header)} symbols: {' '.join(sorted(header))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
