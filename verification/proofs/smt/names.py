#!/usr/bin/env python3
"""Checks that what is proved and what runs carry one name.

    verification/proofs/smt/names.py    exit status 1, with file and name, if something has no counterpart

- each algorithm of algorithms.py stands under its name in the struct of the source file that it models
- each function of src/kernels/simd_lanes-inl.h and src/lane/lane.h has an algorithm, or is in WITHOUT with a reason
- what else the kernels do with Highway's operations on lanes is in MOVES with a reason: no other place computes a maximum
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from algorithms import BOOLEANS, DOUBLES, INTEGERS, PORTABLE_BOOLEANS, algorithms, portable
from smt import Definitions

ROOT = Path(__file__).resolve().parents[3]
LANES, LANE = "src/kernels/simd_lanes-inl.h", "src/lane/lane.h"

WITHOUT = {"InRegister": "returns its argument: where the compiler keeps it"}

# File, operation: what it works on, which is never the value of an element.
MOVES = {
    ("simd_access-inl.h", "Add"): "numbers of bytes (PermuteBytes)",
    ("simd_access-inl.h", "Mul"): "numbers of bytes (PermuteBytes)",
    ("simd_access-inl.h", "Gt"): "numbers of bytes (PermuteBytes)",
    ("simd_access-inl.h", "IfThenElse"): "either of two permuted vectors (PermuteBytes)",
    ("simd_access-inl.h", "_mm512_srli_epi16"): "places and shifts of bytes (Permute)",
    ("simd_access-inl.h", "_mm512_slli_epi16"): "places and shifts of bytes (Permute)",
    ("simd_access-inl.h", "_mm512_srlv_epi16"): "half of a word (Permute)",
    ("simd_access-inl.h", "_mm512_and_si512"): "half of a word (Permute)",
    ("simd_access-inl.h", "_mm512_or_si512"): "two halves of a word (Permute)",
    ("simd_line-inl.h", "Add"): "numbers of lanes (RepeatLine)",
    ("simd_line-inl.h", "Or"): "two halves of a word (Reversed)",
    ("simd_line-inl.h", "ShiftLeft"): "a half of a word (Reversed)",
    ("simd_line-inl.h", "ShiftRight"): "a half of a word (Reversed)",
    ("simd_short_runs-inl.h", "Eq"): "numbers of elements in a run (FindResidues)",
    ("simd_short_runs-inl.h", "IfThenElse"): "either of two vectors of keys (Elements)",
}
# What only loads, stores, casts, permutes or repeats.
MOVING = re.compile(
    r"Load|Store|Stream|BitCast|Combine|Concat|Interleave|OddEvenBlocks|SwapAdjacentBlocks|Reverse|TableLookup|IndicesFromVec|Set$"
    r"|FirstN|MaskedLoad|BlendedStore|Lanes$|Half$|Mask$|Vec$|.*Tag$|Rebind|Repartition|.*(permutexvar|alignr|shuffle|set1)"
)


def names_of(text: str) -> set[str]:
    """The functions of an algorithm's text, without the parts of folds."""
    definitions = Definitions()
    definitions.add(text)
    return {name.partition(".")[0] for name in definitions}


FLOATS = names_of(algorithms("avx3", "float", 32, False)) - {"IfNegative"}
# File and struct: the algorithms that are defined in it. No struct: in the file itself.
EXPECTED = {
    (LANES, ""): {"IfNegative"},
    (LANES, "Vectors"): names_of(INTEGERS),
    (LANES, "Vectors<bool>"): names_of(BOOLEANS),
    (LANES, "FloatVectors"): FLOATS,
    (LANES, "Vectors<double>"): names_of(DOUBLES),
    (LANE, "Lane"): names_of(portable("signed", 32)),
    (LANE, "FloatLane"): names_of(portable("float", 32)),
    (LANE, "Lane<bool>"): names_of(PORTABLE_BOOLEANS),
}
INHERITS = {"Vectors<bool>": "Vectors", "Vectors<double>": "FloatVectors"}


def functions(file: str) -> dict[str, set[str]]:
    """The functions in each struct of a source file."""
    found: dict[str, set[str]] = {"": set()}
    struct = ""
    for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
        opened = re.match(r"struct (\w+(?:<\w+>)?)[^;]*\{$", line)
        if opened:
            struct = opened[1]
            found[struct] = set()
        elif line.startswith("};"):
            struct = ""
        function = re.match(r" *(?:static )?(?:HWY_INLINE|constexpr)\b[^=;]*?(\w+)\([^=;]*\) \{", line)
        if function:
            found[struct].add(function[1])
    return found


def check_structs() -> list[str]:
    """What has no counterpart."""
    problems = []
    for file in (LANES, LANE):
        found = functions(file)
        for struct, names in found.items():
            expected = EXPECTED.get((file, struct), set())
            for name in sorted(names - expected - WITHOUT.keys()):
                problems.append(f"{file}: {struct}::{name} has no algorithm in verification/proofs/smt/algorithms.py, and no reason in WITHOUT")
        for (where, struct), names in EXPECTED.items():
            inherited = found.get(INHERITS.get(struct, ""), set())
            for name in sorted(names - found.get(struct, set()) - inherited) if where == file else ():
                problems.append(f"verification/proofs/smt/algorithms.py: {name} is not a function of {struct or 'the file'} in {file}")
    return problems


def check_moves() -> list[str]:
    """Operations on lanes outside of simd_lanes-inl.h."""
    problems, used = [], set()
    for path in sorted((ROOT / "src/kernels").glob("*-inl.h")):
        if path.name == Path(LANES).name:
            continue
        for operation in re.findall(r"hn::(\w+)|\b(_mm\w*)\(", path.read_text(encoding="utf-8")):
            name = operation[0] or operation[1]
            used.add((path.name, name))
            if (path.name, name) not in MOVES and not MOVING.match(name):
                problems.append(f"src/kernels/{path.name}: {name} computes on lanes, and has no reason in MOVES")
    return problems + [f"{file}: {name} is in MOVES and does not occur" for file, name in sorted(MOVES.keys() - used)]


def main() -> int:
    """Prints what is wrong; 0 if nothing is."""
    problems = check_structs() + check_moves()
    for problem in problems:
        print(problem)
    algorithm_count = sum(len(names) for names in EXPECTED.values())
    source_count = sum(len(names) for file in (LANES, LANE) for names in functions(file).values())
    print(
        f"names.py: {algorithm_count} algorithms by struct, {source_count} functions in {LANES} and {LANE},"
        f" {len(MOVES)} uses of operations elsewhere: {len(problems) or 'no'} without a counterpart"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
