#!/usr/bin/env python3
"""Emits each conformance case as C99 (`supremum emit-c`), compiles it, runs it and compares every byte.

    tests/c99/emitted_cases.py --supremum FILE --kit DIR [--platform NAME] [--every N] [--folder DIR] [--again] [--faults] [--oblivious]

--kit is what `supremum-audit cases` wrote. Platforms: gcc and clang of this machine with several options, and processors that QEMU
emulates: i686 (whose floating-point registers change NaNs), s390x (big-endian), riscv32 and cortex_m0, the last two without a C
library. --faults puts faults into the emitted C, each of which the cases must notice. --oblivious asks valgrind whether a branch or an
address of the compiled code depends on an element: if none does, the number of instructions is the same for all elements.

Exit status 1 if a byte is wrong, 77 and a line that says so where a compiler or an emulator is missing.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
BOARD = ROOT / "verification/proofs/microcontroller"
sys.path.insert(0, str(ROOT / "kit" / "cases"))

import classes  # noqa: E402
import oracle  # noqa: E402
import write_cases  # noqa: E402

WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-pedantic", "-Werror"]
BATCH = 100  # cases in one program


@dataclass(frozen=True)
class Platform:
    compiler: str
    flags: tuple[str, ...] = ("-O2",)
    link: tuple[str, ...] = ()  # after the objects; HERE and BOARD are replaced
    host: Path = HERE / "host_stdio.c"
    emulator: tuple[str, ...] = ()


FREESTANDING = ("-ffreestanding", "-fno-tree-loop-distribute-patterns")  # GCC's: no loop becomes a call of memset
CORTEX_LINK = (
    "-nostdlib", "-Wl,--defsym=FLASH_AT=0", "-Wl,--defsym=FLASH_SIZE=0x400000", "-Wl,--defsym=RAM_AT=0x20000000",
    "-Wl,--defsym=RAM_SIZE=0x400000", "-Wl,--defsym=STACK_SIZE=4096", "-T", "BOARD/board.ld", "-lgcc",
)  # fmt: skip
PLATFORMS = {
    "gcc": Platform("gcc"),
    "gcc_Os": Platform("gcc", ("-Os",)),
    "gcc_O3": Platform("gcc", ("-O3",)),
    "clang": Platform("clang-16"),
    "clang_cmov": Platform("clang-16", ("-O2", "-mllvm", "-x86-cmov-converter=0")),  # no pass that replaces cmov by branches
    "i686": Platform("i686-linux-gnu-gcc", ("-O0",), ("-static",), emulator=("qemu-i386-static",)),
    "s390x": Platform("s390x-linux-gnu-gcc", ("-O2",), ("-static",), emulator=("qemu-s390x-static",)),
    "riscv32": Platform(
        "riscv64-unknown-elf-gcc", ("-march=rv32imac", "-mabi=ilp32", "-Os", *FREESTANDING), ("-nostdlib", "-Wl,--no-relax", "-lgcc"),
        HERE / "host_riscv32.c", ("qemu-riscv32-static",),
    ),
    "cortex_m0": Platform(
        "arm-none-eabi-gcc", ("-mcpu=cortex-m0", "-mthumb", "-Os", *FREESTANDING), CORTEX_LINK, BOARD / "host_semihosting.c",
        ("qemu-system-arm", "-M", "mps2-an386", "-display", "none", "-monitor", "none", "-serial", "none", "-semihosting-config",
         "enable=on,target=native", "-kernel"),
    ),
}  # fmt: skip

# Faults of the emitted C that the cases must notice: a name, what is there, what replaces it.
FAULTS = (
    ("which NaN", "< k, canonical_nan_float()", "< k, turn_back_float(k + nans_float())"),
    ("NaN as a number", "(infinity_key_float() < k,", "(k < infinity_key_float(),"),
    ("the zeros", "sign_bit_float(), all_bits_float() - a", "sign_bit_float(), sign_bit_float() - a"),
    ("the order of integers", "(a < b, b, a)", "(b < a, b, a)"),
    ("the choice of two floats", "no ^ ((yes ^ no) & (UINT32_C(0) - ", "yes ^ ((yes ^ no) & (UINT32_C(0) - "),
    ("the least value", "return -128;", "return 0;"),
    ("a loop's bound", "; i0 < ", "; i0 + 1U < "),
    ("a reduced loop's bound", "; j0 < ", "; j0 + 1U < "),
    ("a step", "U * i0)", "U * (i0 / 2U))"),
    ("an input's first element alone", "(largest, in_x1[", "(largest, in_x1[0U & "),
)


@dataclass(frozen=True)
class Case:
    id: str
    width: int  # bytes of an element
    inputs: list[list[int]]
    output: list[int]
    model: Path


@dataclass
class Counts:
    right: int = 0
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0


def numbers_of(text: str) -> list[int]:
    return list(classes.elements(text))


def cases_of(kit: Path) -> list[Case]:
    """Every valid case that ONNX's types can carry."""
    found = []
    for group in write_cases.groups():
        for case in group.get("cases", ()):
            for dtype, bits in case["bits"].items():
                name = f"{group['group']}/{case['name']}/{dtype}"
                model = kit / "onnx" / name / "model.onnx"
                if model.exists():
                    found.append(Case(name, oracle.width(dtype) // 8, [numbers_of(b) for b in bits["inputs"]], numbers_of(bits["output"]), model))
    return found


def run(command: list[object], cwd: Path | None = None, limit_s: int = 600) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=limit_s, stdin=subprocess.DEVNULL, check=False)


def emit(supremum: str, case: Case, entry: str, folder: Path) -> str:
    """What the command says if it refuses the case; empty if it wrote the files."""
    done = run([supremum, "emit-c", case.model, "-o", folder, "--entry", entry])
    return "" if done.returncode == 0 else done.stderr.strip() or f"status {done.returncode}"


def table(name: str, width: int, numbers: list[int], kind: str = "static const") -> str:
    suffix = "ULL" if width == 8 else "U"
    content = ", ".join(f"{number}{suffix}" for number in numbers) or "0"
    return f"{kind} uint{8 * width}_t {name}[{max(len(numbers), 1)}] = {{{content}}};\n"


def driver(cases: list[tuple[str, Case]], folder: Path, oblivious: bool) -> str:
    """A program that calls the function of each case and compares what it writes."""
    largest = max(max(len(case.output) for _, case in cases) * 8, 8) + 16
    text = '#include <stddef.h>\n#include <stdint.h>\n\n#include "emitted.h"\n' + "".join(f'#include "{entry}.h"\n' for entry, _ in cases)
    text += f"\nstatic uint64_t output[{(largest + 7) // 8}];\n\n"
    for entry, case in cases:
        facts = json.loads((folder / f"{entry}.json").read_text(encoding="utf-8"))
        inputs = [p for p in facts["parameters"] if p["direction"] == "in"]
        c_types = [p["c_type"] for p in facts["parameters"]]
        for k, numbers in enumerate(case.inputs[: len(inputs)]):
            text += table(f"{entry}_input_{k}", case.width, numbers, "static" if oblivious else "static const")
        text += table(f"{entry}_expected", case.width, case.output)
        arguments = [f"(const {c_types[k]} *)(const void *){entry}_input_{k}" for k in range(len(inputs))]
        arguments.append(f"({c_types[-1]} *)(void *)output")
        count = len(case.output) * case.width
        hide = "".join(f"  hide({entry}_input_{k}, sizeof {entry}_input_{k});\n" for k in range(len(inputs))) if oblivious else ""
        text += (f"static int run_{entry}(void) {{\n{hide}  fill(output, {count}U + 8U);\n  {entry}({', '.join(arguments)});\n"
                 f"  return {'1' if oblivious else f'is_right(output, {entry}_expected, {count}U)'};\n}}\n\n")  # fmt: skip
    text += "const struct emitted_case emitted_cases[] = {\n"
    text += "".join(f'  {{"{entry}", run_{entry}}},\n' for entry, _ in cases)
    return text + "  {NULL, NULL},\n};\n"


def program(platform: Platform, cases: list[tuple[str, Case]], folder: Path, oblivious: bool, change: tuple[str, str] | None = None) -> tuple[list[str], str]:
    """Builds and runs one program. The names of the wrong cases, or what failed."""
    (folder / "driver.c").write_text(driver(cases, folder, oblivious), encoding="utf-8")
    for entry, _ in cases:
        if change:
            path = folder / f"{entry}.c"
            path.write_text(path.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    common = [platform.compiler, *platform.flags, f"-I{HERE}", f"-I{BOARD}", "-I."]
    quick = [platform.compiler, *[f for f in platform.flags if not re.match("-O", f)], "-O0", f"-I{HERE}", f"-I{BOARD}", "-I."]
    # A compiler takes several files at once, each a translation unit of its own.
    done = run([*common, *([] if change else WARNINGS), "-c", *[f"{entry}.c" for entry, _ in cases]], folder)
    if done.returncode != 0:
        return [], done.stderr[:4000]
    support = [HERE / "emitted_main.c", platform.host] + ([BOARD / "start.c"] if platform.host.parent == BOARD else [])
    flags = ["-DOBLIVIOUS"] if oblivious else []
    done = run([*quick, *flags, "-std=c99", "-w", "-fno-builtin", "-c", "driver.c", *support], folder)
    if done.returncode != 0:
        return [], done.stderr[:4000]
    objects = [f"{entry}.o" for entry, _ in cases] + ["driver.o", *[path.with_suffix(".o").name for path in support]]
    link = [part.replace("BOARD", str(BOARD)) for part in platform.link]
    done = run([platform.compiler, *platform.flags, *objects, "-o", "program", *link], folder)
    if done.returncode != 0:
        return [], done.stderr[:4000]
    emulator = ["valgrind", "--quiet", "--error-exitcode=9"] if oblivious else list(platform.emulator)
    done = run([*emulator, "./program"], folder)
    lines = (done.stdout + done.stderr).split()
    if done.returncode not in (0, 1) or lines[-1:] != ["end"]:
        return [], f"status {done.returncode}: {done.stdout[-500:]}{done.stderr[-2000:]}"
    return lines[:-1], ""


def check(options: argparse.Namespace, platform: Platform, cases: list[Case], folder: Path, change: tuple[str, str] | None = None) -> Counts:
    counts = Counts()
    begin = time.monotonic()
    batches = [cases[at : at + BATCH] for at in range(0, len(cases), BATCH)]

    def one(number: int) -> tuple[int, list[str]]:
        place, emitted = folder / f"{number:03}", options.emitted / f"{number:03}"
        shutil.rmtree(place, ignore_errors=True)
        named = [(f"case_{k}", case) for k, case in enumerate(batches[number])]
        if not (emitted / "complete").exists():
            for entry, case in named:
                if said := emit(options.supremum, case, entry, emitted):
                    return 0, [f"{case.id}: not emitted: {said}"]
            (emitted / "complete").touch()
        shutil.copytree(emitted, place)
        wrong, failed = program(platform, named, place, options.oblivious, change)
        ids = dict(named)
        if failed:
            return 0, [f"cases {number * BATCH} to {number * BATCH + len(named) - 1}: {failed}"]
        if not options.keep:
            shutil.rmtree(place)
        return len(named) - len(wrong), [f"{ids[entry].id}: wrong bytes" for entry in wrong]

    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        for right, wrong in pool.map(one, range(len(batches))):
            counts.right += right
            counts.wrong += wrong
    counts.seconds = time.monotonic() - begin
    return counts


def notice_faults(options: argparse.Namespace, platform: Platform, cases: list[Case]) -> int:
    """How many faults make no case wrong."""
    missed = 0
    for name, old, new in FAULTS:
        counts = check(options, platform, cases, options.folder / "faults", (old, new))
        noticed = [text for text in counts.wrong if text.endswith("wrong bytes")]
        missed += not noticed
        print(f"fault '{name}': " + (f"noticed by {len(noticed)} cases" if noticed else f"NOT NOTICED {counts.wrong[:1]}"), flush=True)
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--supremum", required=True)
    parser.add_argument("--kit", required=True, type=Path)
    parser.add_argument("--platform", choices=PLATFORMS, default="gcc")
    parser.add_argument("--every", type=int, default=1, help="every Nth case")
    parser.add_argument("--folder", type=Path, default=Path("build/emitted"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--oblivious", action="store_true")
    parser.add_argument("--again", action="store_true", help="what an earlier run has emitted is compiled again")
    parser.add_argument("--keep", action="store_true", help="keep the files")
    options = parser.parse_args()
    platform = PLATFORMS[options.platform]
    needed = [platform.compiler, *platform.emulator[:1], *(["valgrind"] if options.oblivious else [])]
    for tool in needed:
        if not shutil.which(tool):
            print(f"emitted_cases: {tool} is not installed: nothing was run on {options.platform}")
            return 77
    probe = run([platform.compiler, *platform.flags, "-x", "c", "-c", "-o", "/dev/null", "-"])
    if probe.returncode != 0:
        print(f"emitted_cases: {platform.compiler} does not compile for {options.platform}: nothing was run")
        return 77
    options.folder = options.folder.resolve()
    options.emitted = options.folder / f"emitted-{options.every}"
    if not options.again:
        shutil.rmtree(options.emitted, ignore_errors=True)
    cases = cases_of(options.kit)
    if not cases:
        print(f"emitted_cases: {options.kit} has no conformance cases; write them with supremum-audit cases", file=sys.stderr)
        return 1
    chosen = cases[:: options.every]
    if options.faults:
        return 1 if notice_faults(options, platform, chosen) else 0
    counts = check(options, platform, chosen, options.folder / options.platform)
    for text in counts.wrong[:20]:
        print(text)
    what = "have no branch and no address that depends on an element" if options.oblivious else "right in every byte"
    print(f"{options.platform}: {counts.right} of {len(chosen)} emitted cases {what}, {len(counts.wrong)} failures, {counts.seconds:.0f} s")
    return 1 if counts.wrong or counts.right != len(chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
