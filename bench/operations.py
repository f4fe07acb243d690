#!/usr/bin/env python3
"""How many cycles of a processor's arithmetic the rule takes for a vector, as llvm-mca's models of processors have it.

    bench/operations.py [--output FILE.md]

The lane functions are compiled as the library is (verification/proofs/smt/lane_functions.cc) and disassembled. Loads, stores and
constants are left out: in the library's loops, what is joined comes from memory once, and folds stay in registers. What is left is
what the ports for arithmetic must execute, however fast the memory is. The page is docs/performance/operations.md, which is committed.

Needs g++, objdump and llvm-mca-19 (scripts/setup.sh --dev), on x86-64; exits with 77 without them.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "verification/proofs/smt"))
import objects  # noqa: E402

MCA = "llvm-mca-19"
PAGE = ROOT / "docs/performance/operations.md"
# Targets, what their symbols end with, and the processors whose models are asked.
TARGETS = {
    "AVX2": ("AVX2", {"Haswell": "haswell", "Zen 3": "znver3", "Sapphire Rapids": "sapphirerapids"}),
    "AVX-512": ("AVX3", {"Ice Lake": "icelake-server", "Zen 4": "znver4", "Sapphire Rapids": "sapphirerapids"}),
}
TYPES = ("f32", "f64", "f16", "bf16", "i32", "i64", "u8")
ROWS = (
    ("Join", "two vectors are joined"),
    ("Add", "a vector is added to a fold"),
    ("Result", "the result of a fold"),
    ("Key", "the key of a vector"),
    ("KeyMax", "two keys are joined"),
    ("FromKey", "the value of a key"),
)
# Loads, stores, and constants that are made of numbers: a loop has those before it.
LEFT_OUT = re.compile(r"v?mov(abs|dq[au]\d*|[au]p[sd]|d|q)?|vp?broadcast(s[sd]|[bwdq])|ret|vzeroupper|endbr64|nop[wl]?|lea|xchg|data16|cs")


def arithmetic(code: objects.Code, symbol: str) -> list[str]:
    """The instructions of a function but for its loads and stores, its constants, and its end."""
    kept = []
    for i in code.functions[symbol]:
        registers = i.operands.split(",")
        of_nothing = len(registers) == 3 and len(set(registers)) == 1 and i.name.startswith(("vpxor", "vpcmpeq"))
        if LEFT_OUT.fullmatch(i.name) or of_nothing:
            continue
        # A constant that is loaded by the instruction itself; llvm-mca needs no address.
        kept.append(f"{i.name} {re.sub(r'0x[0-9a-f]+[(]%rip[)]', '(%rip)', i.operands)}")
    return kept


def cycles(instructions: list[str], processor: str) -> tuple[int, float]:
    """Micro-operations, and the cycles that the busiest port needs."""
    if not instructions:
        return 0, 0.0
    done = subprocess.run(
        [MCA, "-mtriple=x86_64", f"-mcpu={processor}", "-iterations=1", "-instruction-info=0", "-resource-pressure=0"],
        input="\n".join(instructions) + "\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    uops = re.search(r"Total uOps:\s+(\d+)", done.stdout)
    throughput = re.search(r"Block RThroughput:\s+([\d.]+)", done.stdout)
    if done.returncode != 0 or uops is None or throughput is None:
        raise SystemExit(f"operations.py: {MCA} on\n" + "\n".join(instructions) + f"\n{done.stderr}")
    return int(uops[1]), float(throughput[1])


def table(code: objects.Code, target: str) -> list[str]:
    """The rows of a target."""
    symbol, processors = TARGETS[target]
    lines = [f"## {target}", "", "| what | type | instructions | " + " | ".join(processors) + " |"]
    lines += ["| --- | --- | ---: | " + " | ".join("---:" for _ in processors) + " |"]
    for function, text in ROWS:
        for name in TYPES:
            full = f"{function}__{name}__N_{symbol}"
            if full not in code.functions:
                raise SystemExit(f"operations.py: {full} is not in the object")
            instructions = arithmetic(code, full)
            if not instructions:  # a key of an integer is the integer
                continue
            found = [cycles(instructions, model) for model in processors.values()]
            lines.append(f"| {text} | {name} | {len(instructions)} | " + " | ".join(f"{u}, {c:.1f}" for u, c in found) + " |")
    return [*lines, ""]


def page(compiler: str, code: objects.Code) -> str:
    """The page."""
    version = subprocess.run([MCA, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"LLVM version (\S+)", version)
    lines = [
        "# Operations of the rule for a vector",
        "",
        "How much arithmetic the rule takes, whatever the memory does: the reason why some cases take longer than a bare loop that moves the",
        "same bytes ([bench/README.md](../../bench/README.md#limits)). That loop needs two loads and a store for a vector of Max, one load for",
        "a vector of ReduceMax: a cycle, and half a cycle, while the first-level cache holds them.",
        "",
        "Each cell has the micro-operations, and the cycles that the busiest port for them needs, by the models of processors in llvm-mca;",
        "loads, stores and constants are left out. Exactness has this price where no instruction may depend on the floating-point",
        "environment (ORD-6): MAXPS and MAXPD lose NaN and depend on how subnormal numbers are treated.",
        "",
        *table(code, "AVX2"),
        *table(code, "AVX-512"),
        f"{compiler}, `{' '.join(flag for flag in objects.FLAGS if flag.startswith(('-O', '-std')))}`; llvm-mca {found[1] if found else '?'}. Written by `bench/operations.py`; do not edit it.",
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=PAGE, metavar="FILE.md", help="the page (default: the committed one)")
    args = parser.parse_args()
    compiler = objects.COMPILERS["gcc"]
    version = objects.version(compiler)
    if not version or not shutil.which(MCA):
        print(f"operations.py: g++, objdump and {MCA} are needed: scripts/setup.sh --dev", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "lanes.so"
        objects.compile_functions(compiler, library)
        code = objects.read_code(compiler, library)
    args.output.write_text(page(version.replace("g++", "GCC", 1), code), encoding="utf-8")
    print(args.output.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
