#!/usr/bin/env python3
"""Compiles wrong uses of include/supremum/static.h and expects for each the error that names its rule.

    tests/project/static_errors.py COMPILER

A right use is compiled first, so that a compiler that fails for another reason is noticed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
#include "supremum/static.h"
using namespace supremum;
void Use() {{
  std::array<float, 6> y = {{}}, a = {{}};
  std::array<float, 3> b = {{}};
  std::array<double, 3> doubles = {{}};
  std::array<bool, 6> truths = {{}};
  std::array<float, 2> two = {{}};
  std::span<const float> unknown = a;
  {use}
  static_cast<void>(y), static_cast<void>(b), static_cast<void>(doubles), static_cast<void>(truths), static_cast<void>(two),
      static_cast<void>(unknown);
}}
"""

# a use, a part of the error: "" for none
USES = [
    ("StaticMax<Extents<2, 3>, Extents<3>>(y, a, b);", ""),
    ("StaticReduceMax<Extents<2, 3>, Axes<-1>>(two, a);", ""),
    ("StaticMax<>(y);", "(MAX-1)"),
    ("StaticMax<Extents<2, 3>>(y, a, b);", "(MAX-1)"),
    ("StaticMax<Extents<2, 3>, Extents<3>>(y, a, doubles);", "(TYP-2)"),
    ("StaticMax<Extents<2, 3>>(truths, truths);", "(TYP-1, TYP-3)"),
    ("StaticMax<Extents<2, 3>, Extents<2>>(y, a, two);", "E1: the inputs' shapes cannot be broadcast to one (BRO-2)"),
    ("StaticMax<Extents<2, 3>, Extents<3>>(two, a, b);", "E2: the output has another number of elements"),
    ("StaticMax<Extents<2, 3>, Extents<3>>(y, a, two);", "an input has another number of elements than its shape"),
    ("StaticMax<Extents<2, 3>>(y, unknown);", "the number of an input's elements is not a constant"),
    ("const auto fixed = y; StaticMax<Extents<2, 3>>(fixed, a);", "the output is const"),
    ("StaticMax<Extents<-2, 3>>(y, a);", "an extent is negative"),
    ("StaticReduceMax<Extents<2, 3>, Axes<2>>(two, a);", "(RED-2)"),
    ("StaticReduceMax<Extents<2, 3>, Axes<1, -1>>(two, a);", "named twice by the axes (RED-2)"),
    ("StaticReduceMax<Extents<2, 3>, Axes<0>>(two, a);", "E2: the output has another number of elements"),
    ("StaticReduceMax<Extents<3>>(two, doubles);", "(TYP-2)"),
]


def main() -> int:
    compiler = sys.argv[1]
    failed = 0
    for use, expected in USES:
        command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{ROOT / 'include'}", "-x", "c++", "-"]
        done = subprocess.run(command, input=PROGRAM.format(use=use), capture_output=True, text=True, check=False)
        right = done.returncode == 0 if not expected else done.returncode != 0 and expected in done.stderr
        if not right:
            failed += 1
            print(f"{use}: expected {expected or 'no error'}, and the compiler wrote:\n{done.stderr[:2000]}")
    print(f"{len(USES) - failed} of {len(USES)} uses have the expected error, or none")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
