#!/usr/bin/env python3
"""Writes the two-file library supremum_c99.h and supremum_c99.c into a folder.

    src/c99/make.py FOLDER [--types float32,int8,...]

The files are C99, include only <stdint.h> and <stddef.h>, and are the same for the same sources. supremum_c99.c is made of the C that was
extracted from the proofs (verification/proofs/extracted) and of operators.c; supremum_c99.h of operators.h and the declarations of supremum_proved.h. --types leaves the code of all other types out: for
these, calls return SUPREMUM_C99_UNKNOWN_TYPE.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXTRACTED = ROOT / "verification/proofs/extracted"
# ONNX's name of an element type -> its name in C
TYPES = {"bfloat16": "bfloat16", "float16": "float16", "float32": "float", "float64": "double", "int8": "int8", "int16": "int16",
         "int32": "int32", "int64": "int64", "uint8": "uint8", "uint16": "uint16", "uint32": "uint32", "uint64": "uint64", "bool": "bool"}  # fmt: skip
SHARED = ("number_of_elements", "address_of")  # of loops.h: they have no element type
HEADER, SOURCE = "supremum_c99.h", "supremum_c99.c"

BANNER = """\
/* {name}: Max and ReduceMax in C99, made by src/c99/make.py of supremum {version}. Not edited by hand.

   SPDX-License-Identifier: Apache-2.0 (the file LICENSE of the project)

   Types: {types}.

   {what} */
"""
WHAT_HEADER = """\
The functions supremum_c99_* check everything that they are given; supremum_proved_*, which they call,
   check nothing."""
WHAT_SOURCE = """\
Proved, by verification/proofs/why3, for any rank, extents, strides and number of inputs:

     supremum_proved_max_T           kernel.max: leaves the maximum of the inputs in the output's elements,
                                     and changes nothing else
     supremum_proved_reduce_max_T    kernel.reduce_max: the same of a reduction
     number_of_elements, address_of  kernel.number_of_elements, kernel.address_of: no overflow
     join_of_T, bottom_of_T          instances.join_of'refn, instances.bottom_of'refn: Join and Bottom of T;
     key_of_T, from_key_T, ...       formats.join_of and what it uses, for the four types of floats

   Assumed:

     select_T                        machine.select: one of two values, by a condition that is 0 or 1

   This file has the extracted text. Tested, not proved: the second part of the file, which
   computes shapes and strides and checks what the theorems require. What is assumed: docs/soundness.md."""


def version() -> str:
    found = re.search(r"^project\(supremum VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise ValueError("CMakeLists.txt states no version")
    return found[1]


def sources() -> dict[str, str]:
    """The text of each file that the two are made of, by name."""
    paths = [*(EXTRACTED / f"{name}.c" for name in TYPES.values()), EXTRACTED / "loops.h", EXTRACTED / "supremum_proved.h", ROOT / "src/c99/operators.h", ROOT / "src/c99/operators.c"]
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


def functions(text: str) -> dict[str, str]:
    """The functions of an extracted file, by name."""
    found = {}
    head, *rest = re.split(r'#include (?:<stdint\.h>|"loops\.h")\n', text, maxsplit=1)
    if not re.fullmatch(r"/\*[^*]*\*/\n", head) or not rest:
        raise ValueError(f"it does not begin with a comment and an include: {head[:200]}")
    for block in re.split(r"\n\n+", rest[0].strip()):
        match = re.match(r"(?:static inline )?\w+ (\w+)\(", block)
        if not match or not block.endswith("\n}"):
            raise ValueError(f"not a function: {block[:60]}")
        found[match[1]] = block
    return found


def between(text: str, begin: str, end: str) -> str:
    """The text after the first `begin` and before the last `end`."""
    if begin not in text or end not in text.split(begin, 1)[1]:
        raise ValueError(f"'{begin}' ... '{end}' was not found")
    return text.split(begin, 1)[1].rsplit(end, 1)[0].strip("\n")


def header_of(files: dict[str, str], names: Collection[str]) -> str:
    proved = files["supremum_proved.h"]
    close = "#ifdef __cplusplus\n}\n#endif"
    contract = proved.split("#ifndef", 1)[0].strip()
    declared = between(proved, 'extern "C" {\n#endif\n', close).split("\n\n")
    declared = [block for block in declared if any(re.search(rf"_max_{name}\(", block) for name in names)]
    text = files["operators.h"].replace("SUPREMUM_C99_OPERATORS_H_", "SUPREMUM_C99_H_")
    if text.count(close) != 1:
        raise ValueError("operators.h does not end as expected")
    return text.replace(close, contract + "\n\n" + "\n\n".join(declared) + "\n\n" + close)


def source_of(files: dict[str, str], names: Collection[str]) -> str:
    parts = [f'#include "{HEADER}"']
    for name in names:
        text = files[f"{name}.c"]
        module = re.search(r"from (\S+), module (\w+),", text)
        if not module:
            raise ValueError(f"{name}.c does not say where it was extracted from")
        parts += [f"/* Extracted from {module[1]}, module {module[2]}. */", *functions(text).values()]
    parts[1:1] = ["/* Part 1: extracted from verification/proofs/why3. First, what all types share, of kernel.mlw, module Loops. */", *functions(files["loops.h"]).values()]
    operators = re.sub(r'^#include "\w+\.h"\n+', "", files["operators.c"], flags=re.MULTILINE)
    cases = re.compile(r"^    case SUPREMUM_C99_(\w+):\n.*?^      break;\n", re.MULTILINE | re.DOTALL)
    if sorted(cases.findall(operators)) != sorted(2 * [name.upper() for name in TYPES.values()]):
        raise ValueError("operators.c does not have two cases for each type")
    operators = cases.sub(lambda match: match[0] if match[1].lower() in names else "", operators)
    return "\n\n".join([*parts, "/* Part 2: shapes, strides and checks. Not proved. */", operators.strip()]) + "\n"


def made(files: dict[str, str] | None = None, types: Collection[str] = TYPES) -> dict[str, str]:
    """The texts of the two files, by name."""
    files = files or sources()
    names = [name for dtype, name in TYPES.items() if dtype in types]
    listed = ", ".join(dtype for dtype in TYPES if dtype in types)

    def banner(name: str, what: str) -> str:
        return BANNER.format(name=name, version=version(), types=listed, what=what)

    return {HEADER: banner(HEADER, WHAT_HEADER) + header_of(files, names), SOURCE: banner(SOURCE, WHAT_SOURCE) + source_of(files, names)}


def write(folder: Path, files: dict[str, str] | None = None, types: Collection[str] = TYPES) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made(files, types).items():
        (folder / name).write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="src/c99/make.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--types", default=",".join(TYPES), help="the element types that are included; default: all")
    arguments = parser.parse_args()
    types = arguments.types.split(",")
    unknown = [dtype for dtype in types if dtype not in TYPES]
    if unknown:
        parser.error(f"unknown type '{unknown[0]}' (known: {', '.join(TYPES)})")
    write(arguments.folder, types=types)
    print(f"{arguments.folder / HEADER} and {arguments.folder / SOURCE}: {', '.join(dtype for dtype in TYPES if dtype in types)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
