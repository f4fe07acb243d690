#!/usr/bin/env python3
"""Extracts the C of verification/proofs/extracted/ from the Why3 development.

    verification/proofs/extract.py             writes lanes.c and kernels.c.in
    verification/proofs/extract.py --compare   writes nothing; exit status 1 if Why3 extracts another program, 77 if Why3 is missing

lanes.c has the functions on elements of every type; a function has the name of its program in Why3 with that of its type, so that all types
can be in one program: join_of is join_of_float. kernels.c.in has what does not depend on the type, and max and reduce_max with TYPE and ELEMENT
for the type and its C type. src/c99/make.py gives the functions of each type. These are compared with what Why3 extracts for that type:
the tokens are the same, except that Why3 orders local variables by their types. Where Why3 writes (), which says nothing of the
parameters in C99, it is (void). <stdint.h> comes first; Why3 has it where its module comes.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "src/c99"))

import make  # noqa: E402

MODULES = ("BFloat16", "Float16", "Float", "Double", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Bool")
HEAD = "/* Extracted from verification/proofs/why3/{}, by verification/proofs/extract.py. Not edited by hand. */\n"
INCLUDE = "#include <stdint.h>\n"


def extracted(module: str) -> dict[str, str]:
    """The functions that Why3 extracts for an element type, by name."""
    name = module.lower()
    done = subprocess.run(["why3", "-C", "provers.conf", "extract", "-L", ".", "-D", "c", "-D", "./supremum.drv", "kernel.Loops", f"instances.{module}"],
                          cwd=HERE / "why3", capture_output=True, text=True, check=False)  # fmt: skip
    # Tensors are functions in the proofs; no program has them.
    said = [line for line in done.stderr.splitlines() if not line.startswith("Could not translate declaration of tensor.")]
    if done.returncode != 0 or said:
        raise ValueError("\n".join([f"Why3 ended with {done.returncode}", *said]))
    text = re.sub(r" +$", "", done.stdout.replace(INCLUDE, ""), flags=re.MULTILINE)
    text = re.sub(r"^(static inline .*)\(\) {$", r"\1(void) {", text, flags=re.MULTILINE)
    text = re.sub(r"\b(max|reduce_max)\(", rf"supremum_proved_\1_{name}(", text)
    for program in make.functions(text).keys() - make.SHARED:
        if not program.startswith("supremum_proved_"):
            text = re.sub(rf"\b{program}\(", f"{program}_{name}(", text)
    return make.functions(text)


def is_kernel(function: str) -> bool:
    return function in make.SHARED or function.startswith("supremum_proved_")


def tokens(text: str) -> tuple[list[tuple[str, str]], list[str]]:
    """The local variables of a function, and its other tokens in their order."""
    declaration = re.compile(r"^ +(\w+_t) ([\w,\s]+);$", re.MULTILINE)
    local = sorted((kind, name) for kind, names in declaration.findall(text) for name in re.split(r",\s*", names))
    return local, re.findall(r"\w+|\S", declaration.sub("", text))


def main() -> int:
    if sys.argv[1:] not in ([], ["--compare"]):
        print(__doc__, file=sys.stderr)
        return 2
    if shutil.which("why3") is None:
        print("extract.py: Why3 is not installed (scripts/setup.sh)", file=sys.stderr)
        return 77
    types = {module: extracted(module) for module in MODULES}
    lanes = "\n".join(HEAD.format(f"instances.mlw, module {module}") + (INCLUDE if module == MODULES[0] else "") + "\n" +
                      "\n\n".join(text for name, text in functions.items() if not is_kernel(name)) + "\n"
                      for module, functions in types.items())  # fmt: skip
    kernels = HEAD.format("kernel.mlw, modules Loops and Kernel") + INCLUDE
    for name, text in types["Float"].items():
        if is_kernel(name):
            kernels += "\n" + re.sub(r"_float\(", "_TYPE(", text).replace("uint32_t", "ELEMENT") + "\n"
    made = {"lanes.c": lanes, "kernels.c.in": kernels}
    problems = []
    for module, functions in types.items():
        given = make.proved(made, module.lower())
        problems += [f"{name}: not what Why3 extracts" for name in functions.keys() | given.keys()
                     if tokens(functions.get(name, "")) != tokens(given.get(name, ""))]  # fmt: skip
    for name, text in made.items():
        if sys.argv[1:]:
            if (make.EXTRACTED / name).read_text(encoding="utf-8") != text:
                problems.append(f"verification/proofs/extracted/{name} is not what verification/proofs/extract.py writes")
        else:
            (make.EXTRACTED / name).write_text(text, encoding="utf-8")
    for problem in problems:
        print(f"extract.py: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
