#!/usr/bin/env python3
"""The configuration index: what a build was made of, with which tools, and what came out.

    verification/evidence/evidence_configuration.py --build BUILD [--write]    of a build folder made with Ninja; --write: build/evidence/configuration.md
    verification/evidence/evidence_configuration.py --digest [PAGE]            the SHA-256 of the sources, or of those that a page was made from

Versions are those of the packages that are installed, flags those that the build files have, hashes are SHA-256.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from evidence_common import ARTEFACTS, BUILT_FROM, MEASURED_ON, cache_of, digest_of, output_of, package, sha256, write_made
from evidence_sbom import compiled_in

# What the evidence is made with, beside what is linked: package, for what.
TOOLS = [
    ("g++-12", "compiler"), ("clang-16", "second compiler, fuzzers"), ("clang-19", "coverage with MC/DC"), ("cmake", "build"),
    ("ninja-build", "build"), ("binutils", "linker"), ("why3", "proofs"), ("z3", "proofs"), ("cvc5", "proofs, second opinion"),
    ("valgrind", "instruction counts"), ("qemu-user-static", "Arm, emulated"), ("libgtest-dev", "tests"), ("libgmp-dev", "tests: exact numbers"),
    ("python3", "scripts"), ("python3-onnx", "ONNX's own cases"),
]  # fmt: skip
CACHED = ["CMAKE_BUILD_TYPE", "CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS", "CMAKE_CXX_FLAGS_RELEASE", "SUPREMUM_WITH_TBB", "SUPREMUM_SANITIZE",
          "SUPREMUM_BUILD_ONNX", "SUPREMUM_BUILD_ONEDNN", "SUPREMUM_BUILD_C", "SUPREMUM_BUILD_TOOLS", "SUPREMUM_WERROR"]  # fmt: skip


def rows(*lines: tuple[str, ...]) -> str:
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def flags_of(build: Path) -> list[tuple[str, str]]:
    """The flags of each target, without folders, which differ from machine to machine."""
    text = (build / "build.ninja").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for target, body in re.findall(r"^build \S*CMakeFiles/(\w+)\.dir/\S+: CXX_COMPILER\S*(.*?)\n\n", text, re.MULTILINE | re.DOTALL):
        flags = re.search(r"^  FLAGS = (.*)$", body, re.MULTILINE)
        defines = re.search(r"^  DEFINES = (.*)$", body, re.MULTILINE)
        words = ((defines[1] if defines else "") + " " + (flags[1] if flags else "")).split()
        found.setdefault(target, " ".join(word for word in words if "/" not in word and word != "-isystem"))
    return [(target, found[target]) for target in [artefact.target for artefact in ARTEFACTS] if target in found]


def index(build: Path) -> str:
    """The page."""
    cache = cache_of(build)
    compiler = output_of(cache["CMAKE_CXX_COMPILER"], "--version").split("\n")[0]
    system = re.search(r'^PRETTY_NAME="(.*)"', output_of("cat", "/etc/os-release"), re.MULTILINE)
    packages = sorted({found for artefact in ARTEFACTS for found in compiled_in(build).get(artefact.target, set())})
    tools = [(name, found.version if (found := package(name)) else "not installed", what) for name, what in TOOLS]
    return (
        "What a build was made of, with which tools, and what came out. What is linked, with licences, is in the\n"
        "[bill of materials](sbom.spdx.json).\n\n"
        "## Sources\n\nThe SHA-256 of the lines `SHA-256  path` of the files of each folder, sorted by path.\n\n"
        "| folder or file | SHA-256 |\n| --- | --- |\n"
        + rows(*((code(name), code(digest_of(name))) for name in [*BUILT_FROM, "tests", "verification/proofs", "docs/semantics.md"]))
        + "\n## Built\n\n| file | SHA-256 |\n| --- | --- |\n"
        + rows(*((code(str(a.path)), code(sha256((build / a.path).read_bytes()))) for a in ARTEFACTS if (build / a.path).exists()))
        + "\n## Compiler and options\n\n| what | value |\n| --- | --- |\n"
        + rows(("system", system[1] if system else "unknown"), ("compiler", compiler), *((code(name), code(cache.get(name, ""))) for name in CACHED))
        + "\n## Flags, by target\n\nWithout folders of headers.\n\n| target | flags |\n| --- | --- |\n"
        + rows(*((code(target), code(flags)) for target, flags in flags_of(build)))
        + "\n## Packages whose headers are compiled in\n\nThose that are linked are in the [bill of materials](sbom.spdx.json).\n\n"
        "| package | version |\n| --- | --- |\n"
        + rows(*((found.name, found.version) for found in packages))
        + "\n## Tools behind the evidence\n\n| package | version | for |\n| --- | --- | --- |\n"
        + rows(*tools)
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--build", type=Path, metavar="FOLDER")
    parser.add_argument("--write", action="store_true", help="write the page")
    parser.add_argument("--digest", nargs="?", const="configuration.md", choices=sorted(MEASURED_ON), metavar="PAGE")
    args = parser.parse_args()
    if args.digest:
        print(digest_of(*MEASURED_ON[args.digest]))
    elif args.build:
        text = index(args.build.resolve())
        if args.write:
            write_made("configuration.md", "Configuration index", "verification/evidence/evidence_configuration.py", text)
        else:
            print(text, end="")
    else:
        parser.error("say --build FOLDER or --digest")
    return 0


if __name__ == "__main__":
    sys.exit(main())
