#!/usr/bin/env python3
"""Checks that kernels compute on the values of lanes by the functions of simd_lanes-inl.h alone, and that all of these are proved.

    verification/proofs/smt/moves.py    exit status 1, with file and name, if something else does

- each function of the structs in src/kernels/simd_lanes-inl.h and include/supremum/lane.h is one that lane_functions.cc calls, or is in PARTS,
  with those that call it: it is proved as a part of them
- what the kernels do elsewhere with Highway's operations on lanes only moves them, or is in MOVES with a reason
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LANES, LANE = "src/kernels/simd_lanes-inl.h", "include/supremum/lane.h"
PROVED = {"Join", "Larger", "Canonical", "Key", "KeyMax", "KeyMin", "FromKey", "Identity", "First", "Add", "Result",
          "ResultKey"}  # functions.py
# KeyMin has no other second operands than these, with which it moves a key or is that of no element (theorems.py); their home.
CAPS, CAPS_FILE = {"L::kTopKey", "L::kBottomKey"}, "src/kernels/simd_runs-inl.h"
PARTS = {
    "InRegister": "Join, Larger, Add",
    "IfNegative": "Join, Larger, Canonical, Key, Result, ResultKey",
    "MinUnsigned": "Join, Add",
    "UnlessNaN": "Join, Canonical",
    "Nearer": "Join",
    "Plus": "Join, Larger, Canonical, Identity, Add",
    "Minus": "Key, FromKey, Result",
    "Moved": "Larger, Canonical",
    "MoveUp": "Identity, Add",
    "MoveDown": "Result, ResultKey",
    "TurnRound": "KeyOf, FromKey",
    "IsNaN": "Canonical",
    "OperandOf": "Join with an operand",
    "KeyOf": "Join; Key of the portable kernels",
    "Select": "FromKey, Canonical",
}

# File, operation: what it works on, which is never the value of an element.
MOVES = {
    ("simd_access-inl.h", "Add"): "numbers of bytes (Prepare)",
    ("simd_access-inl.h", "Mul"): "numbers of bytes (Prepare)",
    ("simd_access-inl.h", "Or"): "numbers of halves of lanes (Prepare)",
    ("simd_access-inl.h", "ShiftLeft"): "numbers of halves of lanes (Prepare)",
    ("simd_access-inl.h", "Gt"): "numbers of bytes (PermuteBytes)",
    ("simd_access-inl.h", "IfThenElse"): "either of two permuted vectors (PermuteBytes)",
    ("simd_access-inl.h", "Zero"): "a vector that is never stored (ForEachVector)",
    ("simd_access-inl.h", "_mm512_srli_epi16"): "places and shifts of bytes (Permute)",
    ("simd_access-inl.h", "_mm512_slli_epi16"): "places and shifts of bytes (Permute)",
    ("simd_access-inl.h", "_mm512_srlv_epi16"): "half of a word (Permute)",
    ("simd_access-inl.h", "_mm512_and_si512"): "half of a word (Permute)",
    ("simd_access-inl.h", "_mm512_or_si512"): "two halves of a word (Permute)",
    ("simd_line-inl.h", "Add"): "numbers of lanes (RepeatLine)",
    ("simd_line-inl.h", "Or"): "two halves of a word (Reversed); vectors that are 0 where the other one is not (Stepped)",
    ("simd_line-inl.h", "ShiftLeft"): "a half of a word (Reversed)",
    ("simd_line-inl.h", "ShiftRight"): "a half of a word (Reversed)",
    ("simd_short_runs-inl.h", "Eq"): "numbers of elements in a run (FindResidues)",
    ("simd_short_runs-inl.h", "IfThenElse"): "either of two vectors of keys (Elements)",
}
# What only loads, stores, casts, permutes or repeats.
MOVING = re.compile(
    r"Load|Store|Stream|BitCast|Combine|Concat|Interleave|OddEvenBlocks|SwapAdjacentBlocks|Reverse|TableLookup|IndicesFromVec|Set$"
    r"|FirstN|GetLane|MaskedLoad|BlendedStore|Lanes$|(Lower|Upper)?Half$|Mask$|Vec$|.*Tag$|Rebind|Repartition|.*(permutexvar|permutevar|alignr|shuffle|set1)"
)


def functions(file: str) -> set[str]:
    """The functions that a source file defines."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return set(re.findall(r"^ *(?:static )?(?:HWY_INLINE|constexpr)\b[^=;]*?(\w+)\([^=;]*\) \{", text, re.MULTILINE))


def main() -> int:
    """Prints what is wrong; 0 if nothing is."""
    found = {file: functions(file) for file in (LANES, LANE)}
    problems = [f"{file}: {name} is neither proved nor a part of a proved function (PARTS)"
                for file, names in found.items() for name in sorted(names - PROVED - PARTS.keys())]  # fmt: skip
    problems += [f"{name} is in PARTS and is no function" for name in sorted(PARTS.keys() - set().union(*found.values()))]
    used = set()
    for path in sorted((ROOT / "src/kernels").glob("*-inl.h")):
        if path.name == Path(LANES).name:
            continue
        for operation in re.findall(r"hn::(\w+)|\b(_mm\w*)\(", path.read_text(encoding="utf-8")):
            name = operation[0] or operation[1]
            used.add((path.name, name))
            if (path.name, name) not in MOVES and not MOVING.match(name):
                problems.append(f"src/kernels/{path.name}: {name} computes on lanes, and has no reason in MOVES")
    problems += [f"{file}: {name} is in MOVES and does not occur" for file, name in sorted(MOVES.keys() - used)]
    text = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "src/kernels").iterdir()) if path.suffix in (".h", ".cc")}
    minima = {f"src/kernels/{path.name}: {operand}" for path in text for operand in re.findall(r"L::KeyMin\(\w+, (.*?)\);", text[path])}
    caps = set(re.findall(r"\bkeys\[i\] = (.*?);", text[ROOT / CAPS_FILE]))
    if minima != {f"{CAPS_FILE}: hn::LoadDup128(D(), kCaps<kGroup>.keys + (kGroup - n))"} or caps != CAPS:
        problems.append(f"{CAPS_FILE}: KeyMin has operands that no theorem is about: {sorted(minima | caps)}")
    for problem in problems:
        print(problem)
    count = sum(map(len, found.values()))
    print(f"moves.py: {count} lane functions, {len(MOVES)} uses of operations elsewhere: {len(problems) or 'no'} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
