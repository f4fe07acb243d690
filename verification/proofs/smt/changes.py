"""Faults in the bodies of lane functions: compiled from changed copies of the headers, each must lose a theorem."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from functions import read_functions
from machine import NoModel
from models import LANES
from objects import COMPILERS, ROOT, SVE_TARGETS, Compiler, alone, compile_functions, read_code
from theorems import about_functions, text

sys.path.append(str(ROOT / "verification/faults"))

import table  # noqa: E402

AVX3, AVX2 = 1 << 8, 1 << 9  # Highway's numbers
TARGET_NUMBERS = {"avx3": AVX3, "avx2": AVX2}


@dataclass(frozen=True)
class Change:
    """A fault of verification/faults/table.py, and a target and types whose functions lose a theorem by it."""

    fault: table.Fault
    target: str
    lanes: tuple[str, ...]

    @property
    def compiler(self) -> Compiler:
        """What compiles it."""
        return COMPILERS["gcc-arm" if self.target in (*SVE_TARGETS, "neon") else "gcc"]

    @property
    def options(self) -> list[str]:
        """For the target alone, where it is a vector's."""
        if self.target in SVE_TARGETS:
            return alone(self.target)
        if self.target == "neon":
            return ["-DSUPREMUM_WITHOUT_PORTABLE"]
        number = TARGET_NUMBERS.get(self.target, 0)
        return [f"-DHWY_DISABLED_TARGETS=(~({number}LL|HWY_SCALAR|HWY_EMU128))", *(["-DSUPREMUM_WITHOUT_PORTABLE"] if number else [])]


CHANGES = [Change(fault, target, tuple(lanes.split(","))) for fault in table.of("lanes") for target, _, lanes in
           (judge.partition(":") for judge in fault.judged_by("lanes"))]  # fmt: skip


def is_noticed(change: Change, folder: Path, ask: Callable[[str, str], str], options: list[str]) -> bool:
    """Whether a theorem is lost, or the changed function has no model."""
    here = folder / f"change-{CHANGES.index(change)}"
    path = here / Path(change.fault.file).relative_to(Path(change.fault.file).parts[0])  # below an include folder
    path.parent.mkdir(parents=True)
    path.write_text(change.fault.put_into((ROOT / change.fault.file).read_text(encoding="utf-8")), encoding="utf-8")
    compiler, library = change.compiler, here / "lanes.so"
    compile_functions(compiler, library, [*options, "-I", str(here), *change.options])
    code = read_code(compiler, library)
    for name in change.lanes:
        try:
            functions = read_functions(code, compiler.arm, LANES[name], change.target)
        except NoModel:
            return True
        asked = about_functions(LANES[name], f"{compiler.name}/{change.target}", functions)
        theorems = [text(q, functions) for q in asked if q.expected == "unsat"]
        if "sat" not in (ask("z3", theorem) for theorem in theorems):  # one after the other, up to the first
            return False
    return True


def of(compilers: list[str]) -> list[Change]:
    """The changes of what these compilers compile."""
    return [change for change in CHANGES if change.compiler.name in compilers]


def unnoticed(folder: Path, ask: Callable[[str, str], str], some: list[Change], options: list[str]) -> list[str]:
    """Those of the changes that lose nothing."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        noticed = list(pool.map(lambda change: is_noticed(change, folder, ask, options), some))
    return [f"{change.fault.name} ({change.target})" for change, found in zip(some, noticed) if not found]
