#!/usr/bin/env python3
"""Writes the two-file library supremum_c99.h and supremum_c99.c into a folder.

    src/c99/make.py FOLDER [--types float32,int8,...]

The files are C99, include only <stdint.h> and <stddef.h>, and are the same for the same sources. supremum_c99.c is made of the C that was
extracted from the proofs (verification/proofs/extracted) and of operators.c; supremum_c99.h of operators.h and of the declarations of the
extracted functions. --types leaves the code of all other types out: for these, calls return SUPREMUM_C99_UNKNOWN_TYPE.
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
SHARED = ("number_of_elements", "address_of")  # they have no element type
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

CONTRACT = """\
/* Max and ReduceMax as they were proved, in C: verification/proofs/why3/kernel.mlw states what each function
   requires and leaves behind.

   All tensors lie in the block `memory`, each from an offset on and with strides of its own. Offsets and
   strides count elements and may be negative. A float is the unsigned integer of its bits. A bool is a
   byte, 0 or 1; any other byte is read as 1. Nothing is checked: what is required is the caller's business.

   supremum_proved_max_T: n tensors (n >= 1) of the shape `extents`, of `rank` dimensions. Tensor m begins at
   starts[m] and has the strides strides[m * rank], ..., strides[m * rank + rank - 1], 0 where it is
   broadcast. The output may be exactly one of them.

   supremum_proved_reduce_max_T: one tensor, whose dimensions come in two lists: `extents`, with the strides
   `strides`, which the output has too, and `folded_extents`, with the strides `folded_strides`, which it has
   not. */"""


def version() -> str:
    found = re.search(r"^project\(supremum VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise ValueError("CMakeLists.txt states no version")
    return found[1]


def sources() -> dict[str, str]:
    """The text of each file that the two are made of, by name."""
    paths = [EXTRACTED / "lanes.c", EXTRACTED / "kernels.c.in", ROOT / "src/c99/operators.h", ROOT / "src/c99/operators.c"]
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


def functions(text: str) -> dict[str, str]:
    """The functions of an extracted text, by name, in their order."""
    found = {}
    text = re.sub(r"^(/\*[^*]*\*/|#include <stdint\.h>)\n", "", text, flags=re.MULTILINE)
    for block in re.split(r"\n\n+", text.strip()):
        match = re.match(r"(?:static inline )?\w+ (\w+)\(", block)
        if not match or not block.endswith("\n}"):
            raise ValueError(f"not a function: {block[:60]}")
        found[match[1]] = block
    return found


def proved(files: dict[str, str], name: str) -> dict[str, str]:
    """The extracted functions of an element type, by name; those without a type first."""
    lanes = {function: text for function, text in functions(files["lanes.c"]).items() if function.endswith(f"_{name}")}
    element = lanes[f"join_of_{name}"].split()[2]
    kernels = files["kernels.c.in"].replace("TYPE", name).replace("ELEMENT", element)
    kernels = kernels.replace("bottom_of_bool", "no_of_bool")  # the least bool has this name
    found = functions(kernels)
    return {**{function: found.pop(function) for function in SHARED}, **lanes, **found}


def header_of(files: dict[str, str], names: Collection[str]) -> str:
    close = "#ifdef __cplusplus\n}\n#endif"
    declared = []
    for name in names:
        heads = [text.split(" {\n", 1)[0] for function, text in proved(files, name).items() if function.startswith("supremum_proved_")]
        declared.append("\n".join(re.sub(r"\n +", "\n    ", head.replace(" * ", "* ")) + ";" for head in heads))
    text = files["operators.h"].replace("SUPREMUM_C99_OPERATORS_H_", "SUPREMUM_C99_H_")
    if text.count(close) != 1:
        raise ValueError("operators.h does not end as expected")
    return text.replace(close, "\n\n".join([CONTRACT, *declared, close]))


def source_of(files: dict[str, str], names: Collection[str]) -> str:
    parts = {"": f'#include "{HEADER}"\n\n/* Part 1: extracted from verification/proofs/why3. First, what all types share, of kernel.mlw, module Loops. */'}
    for name in names:
        of_type = proved(files, name)
        parts |= {function: of_type.pop(function) for function in SHARED}
        parts |= {name: f"/* Extracted from instances.mlw, for {name}. */", **of_type}
    operators = re.sub(r'^#include "\w+\.h"\n+', "", files["operators.c"], flags=re.MULTILINE)
    cases = re.compile(r"^    case SUPREMUM_C99_(\w+):\n.*?^      break;\n", re.MULTILINE | re.DOTALL)
    if sorted(cases.findall(operators)) != sorted(2 * [name.upper() for name in TYPES.values()]):
        raise ValueError("operators.c does not have two cases for each type")
    operators = cases.sub(lambda match: match[0] if match[1].lower() in names else "", operators)
    return "\n\n".join([*parts.values(), "/* Part 2: shapes, strides and checks. Not proved. */", operators.strip()]) + "\n"


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
