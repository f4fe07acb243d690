#!/usr/bin/env python3
"""Code and stack of what `supremum emit-c` writes, for each compiler that is found. Exit status 1 if the stack has no bound.

    /usr/bin/python3 tests/c99/emitted_size.py --supremum FILE [--write]

The models are those of emitted_models.py that have a Max and a ReduceMax of one element type. --write: build/evidence/emitted-size.md; it
then needs all compilers (scripts/setup.sh --c99 and --microcontroller).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import emitted_models

sys.path[:0] = [str(emitted_models.ROOT / "src/c99"), str(emitted_models.ROOT / "verification/evidence")]

from evidence_common import write_made  # noqa: E402
from size import Processor, output_of, processors  # noqa: E402

PAGE = "emitted-size.md"
FLAGS = ("-std=c99", "-Os", "-ffreestanding", "-fstack-usage")  # no C library is needed


def rows() -> Iterator[tuple[str, str, bytes]]:
    """Of each model a name, what it computes, and itself."""
    for name, model in emitted_models.models():
        kinds = [node.op_type for node in model.graph.node]
        if name.startswith("type_") and "ReduceMax" in kinds or name == "values_between_nodes":
            yield name.removeprefix("type_").replace("_", " "), ", ".join(kinds), model.SerializeToString()


def measure(processor: Processor, folder: Path) -> tuple[int, int]:
    """Bytes of code, and of stack: the sum over the functions, each of which is active once at most."""
    output_of(processor.compiler, *processor.flags, *FLAGS, f"-I{folder}", "-c", folder / "m.c", "-o", folder / "m.o")
    symbols = output_of(f"{processor.prefix}nm", "-S", folder / "m.o").splitlines()
    code = sum(int(fields[1], 16) for fields in map(str.split, symbols) if len(fields) == 4 and fields[2] in "tT")
    usage = [line.split("\t") for line in (folder / "m.su").read_text(encoding="utf-8").splitlines()]
    if any(kind not in ("static", "dynamic,bounded") for _, _, kind in usage):
        raise ValueError(f"{processor.name}: the stack has no bound: {usage}")
    return code, sum(int(size) for _, size, _ in usage)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--supremum", required=True)
    parser.add_argument("--write", action="store_true", help=f"write build/evidence/{PAGE}")
    arguments = parser.parse_args()
    found = processors(PAGE if arguments.write else None)
    lines = ["Bytes of code / bytes of stack, with `-Os -ffreestanding`. Stack: the sum over the functions of the file, which call each other at most once each.", "",
             "| element type or model | nodes | " + " | ".join(processor.name for processor in found) + " |", "| --- | --- |" + " ---: |" * len(found)]  # fmt: skip
    for name, nodes, model in rows():
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            (folder / "m.onnx").write_bytes(model)
            done = subprocess.run([arguments.supremum, "emit-c", folder / "m.onnx", "-o", folder, "--entry", "m"], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(f"emitted_size.py: {name}: {done.stderr}", file=sys.stderr)
                return 1
            cells = [f"{code} / {stack}" for code, stack in (measure(processor, folder) for processor in found)]
        lines.append(f"| {name} | {nodes} | " + " | ".join(cells) + " |")
    print("\n".join(lines))
    if arguments.write:
        write_made(PAGE, "Size of emitted files", "tests/c99/emitted_size.py", "\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
