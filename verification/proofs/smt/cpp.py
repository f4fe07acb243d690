#!/usr/bin/env python3
"""Writes the models of instructions as C++, and the instructions as assembly, for verification/cosimulation.

    verification/proofs/smt/cpp.py FOLDER BUILD [--arm]    writes models.cc and instructions.s; BUILD: as --build of lanes.py

The forms are those that the lane functions use as the compilers here make them (lanes.py --instructions); the models are what
lanes.py executes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from forms import test_of
from lanes import read_compiler
from objects import COMPILERS, options_of, version
from terms import cpp_text

MODELS = """// Written by verification/proofs/smt/cpp.py.
#include <cstdint>

#include "cosimulation/cosimulate.h"

namespace supremum::test {
namespace {

template <int kBits>
[[maybe_unused]] std::uint64_t Low(std::uint64_t value) { return value << (64 - kBits) >> (64 - kBits); }
template <int kBits>
[[maybe_unused]] std::int64_t Signed(std::uint64_t value) { return static_cast<std::int64_t>(value << (64 - kBits)) >> (64 - kBits); }

"""


def main() -> int:
    """Writes the files."""
    arguments = [a for a in sys.argv[1:] if a != "--arm"]
    on_arm = "--arm" in sys.argv
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder, options = Path(arguments[0]), options_of(Path(arguments[1]))
    folder.mkdir(parents=True, exist_ok=True)
    forms = set()
    with tempfile.TemporaryDirectory() as name:
        for compiler in COMPILERS.values():
            if compiler.arm == on_arm and version(compiler):
                forms |= {tuple(map(str, form)) for functions in read_compiler(compiler.name, Path(name), options).values() for form in functions.used}
    models, table, assembly = [MODELS], [], ["    .text\n"]
    for number, form in enumerate(sorted(forms)):
        test = test_of(form, on_arm)
        symbol = f"supremum_instruction_{number}"
        assembly.append(f"    .globl {symbol}\n{symbol}:\n" + "".join(f"    {line}\n" for line in test.assembly))
        models.append(f"// {test.text}\nvoid Model{number}(const Vector* in, std::uint64_t* out) {{\n  (void)in;\n"
                      f"{cpp_text(test.outputs, 'in', 'out')}}}\n")  # fmt: skip
        table.append(f'    {{"{test.text}", "{test.needs}", {len(test.outputs)}, {symbol}, Model{number}}},\n')
    declared = "".join(f"void supremum_instruction_{k}(const void*, void*);\n" for k in range(len(table)))
    models.append(f'}}  // namespace\n\nextern "C" {{\n{declared}}}\n\nconst Form kForms[] = {{\n{"".join(table)}}};\n')
    models.append(f"const std::size_t kFormCount = {len(table)};\n\n}}  // namespace supremum::test\n")
    (folder / "models.cc").write_text("".join(models), encoding="utf-8")
    note = '    .section .note.GNU-stack,"",%progbits\n' if on_arm else '    .section .note.GNU-stack,"",@progbits\n'
    (folder / "instructions.s").write_text("".join(assembly) + note, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
