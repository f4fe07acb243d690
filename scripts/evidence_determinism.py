#!/usr/bin/env python3
"""Runs one corpus of inputs in many configurations and compares the results, byte by byte: docs/evidence/determinism.md.

    scripts/evidence_determinism.py [--write] [--builds NAME,...] [--flags FLAGS]

Each build of BUILDS is made in build/determinism-NAME, with FLAGS beside its own; tests/determinism/corpus.cc then runs on every target
of this processor, and with the first build also with several numbers of threads, alignments, layouts and floating-point
environments. The results are digested: one SHA-256 a configuration. Exit status 1 if two differ or a run fails.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from evidence_common import ROOT, output_of, write_block


@dataclass(frozen=True)
class Build:
    """A compiler and its options."""

    name: str
    compiler: str
    flags: str


BUILDS = [
    Build("gcc-O3", "g++-12", "-O3 -DNDEBUG"),
    Build("gcc-O2", "g++-12", "-O2 -DNDEBUG"),
    Build("gcc-O1", "g++-12", "-O1"),
    Build("gcc-O0", "g++-12", "-O0"),
    Build("gcc-Os", "g++-12", "-Os -DNDEBUG"),
    Build("gcc-fast-math", "g++-12", "-O2 -ffast-math"),
    Build("clang16-O2", "clang++-16", "-O2 -DNDEBUG"),
    Build("clang16-O0", "clang++-16", "-O0"),
    Build("clang19-O3", "clang++-19", "-O3 -DNDEBUG"),
]
LAYOUTS = ["dense", "reversed", "transposed", "padded"]
ENVIRONMENTS = range(16)
ROUNDING = ["to nearest", "down", "up", "to zero"]
Settings = tuple[str, int, int, str, int]  # target, threads, shift, layout, environment


def make(build: Build, flags: str) -> Path | str:
    """The program, or what went wrong."""
    folder = ROOT / "build" / f"determinism-{build.name}"  # as deep as other builds are: what ccache knows, it knows here too
    if not shutil.which(build.compiler):
        return f"{build.compiler} is not installed"
    configure = ["cmake", "-S", ROOT / "tests" / "determinism", "-B", folder, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={build.compiler}",
                 "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_CXX_FLAGS={flags} {build.flags}".strip()]  # fmt: skip
    if shutil.which("ccache"):
        configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    for command in (configure, ["cmake", "--build", folder]):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return (done.stdout + done.stderr)[-2000:]
    return folder / "corpus"


def digest(program: Path, settings: Settings) -> tuple[str, int]:
    """The SHA-256 of what the corpus gives, and how many bytes that is."""
    process = subprocess.Popen([str(program), *map(str, settings)], stdout=subprocess.PIPE)
    found, size = hashlib.sha256(), 0
    assert process.stdout
    while block := process.stdout.read(1 << 20):
        found.update(block)
        size += len(block)
    return (found.hexdigest(), size) if process.wait() == 0 else (f"exit status {process.returncode}", size)


def settings_of(first: bool, targets: list[str]) -> list[Settings]:
    """What a build runs: each dimension by itself on every target, and some of their combinations."""
    plain: list[Settings] = [(target, 1, 0, "dense", 0) for target in targets]
    if not first:
        return plain + [(targets[0], 3, 1, "transposed", 13)]
    more = [(t, n, 0, "dense", 0) for t in targets for n in (2, 3, 8)]
    more += [(t, 1, shift, "dense", 0) for t in targets for shift in (1, 3, 7)]
    more += [(t, 1, 0, layout, 0) for t in targets for layout in LAYOUTS[1:]]
    more += [(t, 1, 0, "dense", e) for t in targets for e in ENVIRONMENTS[1:]]
    more += list(itertools.product(targets[:1], (2, 3), (1,), LAYOUTS[1:], (5, 10, 15)))
    return plain + more


def page(results: list[tuple[Build, Settings, str]], size: int, skipped: list[tuple[Build, str]], flags: str) -> str:
    """What is generated of docs/evidence/determinism.md."""
    digests = sorted({found for _, _, found in results})
    same = "The same SHA-256 for all" if len(digests) == 1 else f"**{len(digests)} different digests**"

    def many(values: set[str]) -> str:
        return ", ".join(sorted(values))

    lines = [
        f"{same} {len(results)} configurations, {size:,} bytes of results each: `{'`, `'.join(digests)}`.\n",
        "| build | compiler | options | configurations | targets |\n| --- | --- | --- | ---: | --- |",
    ]
    for build in dict.fromkeys(build for build, _, _ in results):
        own = [settings for b, settings, _ in results if b == build]
        compiler = output_of(build.compiler, "--version").split("\n")[0]
        lines.append(f"| {build.name} | {compiler} | `{build.flags}` | {len(own)} | {many({s[0] for s in own})} |")
    lines += ["", *[f"Not run: {build.name}: {why}\n" for build, why in skipped]]
    lines.append("| varied | values |\n| --- | --- |")
    every = [settings for _, settings, _ in results]
    lines.append(f"| threads | {many({str(s[1]) for s in every})} |")
    lines.append(f"| elements between an address that is a multiple of 64 and each tensor | {many({str(s[2]) for s in every})} |")
    lines.append(f"| layout of every input and output, which leads to other routes and tiles | {many({s[3] for s in every})} |")
    lines.append(f"| rounding modes | {many({ROUNDING[s[4] % 4] for s in every})} |")
    lines.append(f"| FTZ/DAZ | {many({('on' if s[4] & 4 else 'off') + '/' + ('on' if s[4] & 8 else 'off') for s in every})} |")
    if flags:
        lines.append(f"| options of every build beside its own | `{flags}` |")
    processor = next((line.partition(": ")[2] for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if "model name" in line), "")
    lines.append(f"| processor | {processor} |")
    differing = [f"| {build.name} | {' '.join(map(str, settings))} | `{found}` |" for build, settings, found in results] if len(digests) > 1 else []
    return "\n".join(lines + differing)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the page")
    parser.add_argument("--builds", default=",".join(build.name for build in BUILDS), metavar="NAME,...")
    parser.add_argument("--flags", default="", metavar="FLAGS", help="options of every build beside its own")
    args = parser.parse_args()
    results: list[tuple[Build, Settings, str]] = []
    skipped: list[tuple[Build, str]] = []
    sizes: set[int] = set()
    for build in BUILDS:
        if build.name not in args.builds.split(","):
            skipped.append((build, "left out by --builds"))
            continue
        program = make(build, args.flags)
        if isinstance(program, str):
            if "not installed" not in program:
                sys.exit(f"{build.name}: {program}")
            skipped.append((build, program))
            continue
        chosen = settings_of(not results, output_of(program).split())
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            for settings, (found, size) in zip(chosen, pool.map(lambda s, p=program: digest(p, s), chosen)):
                results.append((build, settings, found))
                sizes.add(size)
        print(f"{build.name}: {len(chosen)} configurations, {len({found for _, _, found in results})} digest(s) so far", flush=True)
    if args.write and results:
        write_block("determinism.md", page(results, max(sizes), skipped, args.flags))
    digests = {found for _, _, found in results}
    print(f"{len(results)} configurations, {max(sizes, default=0):,} bytes each, {len(digests)} digest(s): {', '.join(sorted(digests))}")
    return 0 if len(digests) == 1 and len(sizes) == 1 and len(next(iter(digests))) == 64 else 1


if __name__ == "__main__":
    sys.exit(main())
