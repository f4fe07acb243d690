#!/usr/bin/env python3
"""Runs one corpus of inputs in many configurations and compares the results, byte by byte.

    verification/determinism/evidence_determinism.py [--write] [--builds NAME,...] [--two] [--here]
    verification/determinism/evidence_determinism.py --program CORPUS    some configurations of one program, for the tests
    verification/determinism/evidence_determinism.py --record            after a change of the corpus: the digest, into digest.txt

--write: the configurations and their digest, into build/evidence/determinism.md.

Each build of BUILDS is made in build/determinism-NAME; verification/determinism/corpus.cc then runs on every target of this processor, and
with the first build also with several numbers of threads, alignments, layouts and floating-point environments, and on other models
of processors under emulation. The results are digested: one SHA-256 a configuration. Exit status 1 if one differs from that in digest.txt
or a run fails.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "evidence"))

from evidence_common import ROOT, output_of, write_made  # noqa: E402

RECORDED = HERE / "digest.txt"


@dataclass(frozen=True)
class Build:
    """A compiler and its options."""

    name: str
    compiler: str
    flags: str
    emulated: tuple[str, ...] = ()  # models of processors that run it too, under qemu-x86_64-static
    emulator: str = ""  # what runs it at all


# All targets in the first, of which Penryn has the portable ones alone; of the others AVX2 and AVX-512 (that of Ice Lake), which are most of
# the time to compile.
TWO = "-DHWY_DISABLED_TARGETS=2304"
BUILDS = [
    Build("gcc-O3", "g++-12", "-O3 -DNDEBUG", ("Penryn", "Westmere", "Haswell", "EPYC")),
    Build("gcc-O2", "g++-12", f"{TWO} -O2 -DNDEBUG"),
    Build("gcc-O0", "g++-12", f"{TWO} -O0"),
    Build("gcc-fast-math", "g++-12", f"{TWO} -O2 -ffast-math"),
    Build("clang16-O2", "clang++-16", f"{TWO} -O2 -DNDEBUG"),
    Build("clang16-O0", "clang++-16", f"{TWO} -O0"),
    Build("clang19-O3", "clang++-19", f"{TWO} -O3 -DNDEBUG"),
    Build("gcc-aarch64-O2", "aarch64-linux-gnu-g++", "-O2 -DNDEBUG -march=armv8-a+crypto", emulator="qemu-aarch64-static"),
]
THIS_ONE = "this one"
LAYOUTS = ["plain", "dense", "reversed", "transposed", "padded"]
ENVIRONMENTS = range(16)
Settings = tuple[str, int, int, str, int]  # target, threads, shift, layout, environment


@dataclass(frozen=True)
class Result:
    """One run of the corpus."""

    build: Build
    processor: str
    settings: Settings
    digest: str
    size: int


def make(build: Build) -> Path | str:
    """The program, or what went wrong."""
    folder = ROOT / "build" / f"determinism-{build.name}"  # as deep as other builds are: what ccache knows, it knows here too
    for tool in filter(None, (build.compiler, build.emulator)):
        if not shutil.which(tool):
            return f"{tool} is not installed"
    commands: list[list[str | Path]]
    if build.emulator:
        # Without CMake, which would take this machine's libraries for that one's. Of Highway the headers, which are the same.
        (folder / "include").mkdir(parents=True, exist_ok=True)
        if not (folder / "include" / "hwy").exists():
            (folder / "include" / "hwy").symlink_to("/usr/include/hwy")
        # Kernels that need options of their own run in scripts/emulate.sh.
        sources = [path for room in ("core", "rules", "kernels", "ops") for path in sorted((ROOT / "src" / room).glob("*.cc"))
                   if not re.search("_sve|_z14|rvv_", path.name)]  # fmt: skip
        commands = [[build.compiler, "-std=c++20", "-static", *build.flags.split(), "-I", folder / "include", "-I", ROOT / "include",
                     "-I", ROOT / "src", *sources, *sorted((ROOT / "verification" / "determinism").glob("*.cc")), "-o", folder / "corpus"]]  # fmt: skip
    else:
        configure: list[str | Path] = ["cmake", "-S", ROOT / "verification" / "determinism", "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                                       f"-DCMAKE_CXX_COMPILER={build.compiler}", f"-DCMAKE_CXX_FLAGS={build.flags}"]  # fmt: skip
        if shutil.which("ccache"):
            configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        commands = [configure, ["cmake", "--build", folder]]
    for command in commands:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return (done.stdout + done.stderr)[-2000:]
    return folder / "corpus"


def digest(command: list[str], settings: Settings) -> tuple[str, int]:
    """The SHA-256 of what the corpus gives, and how many bytes that is."""
    process = subprocess.Popen([*command, *map(str, settings)], stdout=subprocess.PIPE)
    found, size = hashlib.sha256(), 0
    assert process.stdout
    while block := process.stdout.read(1 << 20):
        found.update(block)
        size += len(block)
    return (found.hexdigest(), size) if process.wait() == 0 else (f"exit status {process.returncode}", size)


def settings_of(build: Build, processor: str, targets: list[str]) -> list[Settings]:
    """What a build runs: with the first here each dimension by itself on every target, and some of their combinations."""
    plain: list[Settings] = [(target, 1, 0, "plain", 0) for target in targets]
    if processor != THIS_ONE:
        return plain  # emulated, so that threads and states of the processor show little, and take long
    if build.name != BUILDS[0].name:
        return plain + [(targets[0], n, 1, layout, 13) for n, layout in ((2, "plain"), (3, "transposed"), (8, "dense"))]
    more = [(t, n, 0, layout, 0) for t in targets for n in (2, 3, 8) for layout in LAYOUTS[:2]]
    more += [(t, 1, shift, "plain", 0) for t in targets for shift in (1, 3, 7)]
    more += [(t, 1, 0, layout, 0) for t in targets for layout in LAYOUTS[1:]]
    more += [(t, 1, 0, "plain", e) for t in targets for e in ENVIRONMENTS[1:]]
    more += list(itertools.product(targets[:1], (2, 3, 8), (1,), LAYOUTS[1:], (5, 10, 15)))
    return plain + more


def check_program(program: str) -> int:
    """Each number of threads and layout, the fastest target with most; the tests run this."""
    fastest, *others = output_of(program).split()
    settings: list[Settings] = [(fastest, n, n - 1, layout, 5 * n % 16) for n, layout in zip((1, 2, 3, 8, 2), LAYOUTS)]
    settings += [(target, 3, 0, "plain", 0) for target in others]
    with ThreadPoolExecutor(max_workers=2) as pool:
        found = list(pool.map(lambda s: digest([program], s), settings))
    return compared({f"{settings}": result for settings, result in zip(settings, found)})


def compared(found: dict[str, tuple[str, int]]) -> int:
    """0 if all runs gave what is recorded."""
    recorded, size = RECORDED.read_text(encoding="utf-8").split()
    wrong = {name: result for name, result in found.items() if result != (recorded, int(size))}
    for name, (other, bytes_) in wrong.items():
        print(f"not as recorded: {name}: {bytes_:,} bytes, {other}")
    print(f"evidence_determinism.py: {len(found)} configurations, {len(wrong)} not as recorded: {int(size):,} bytes each, {recorded}")
    return 1 if wrong or not found else 0


def ran(build: Build, program: Path) -> list[Result]:
    """All runs of a build."""
    results: list[Result] = []
    emulated = [(model, ["qemu-x86_64-static", "-cpu", model]) for model in build.emulated if shutil.which("qemu-x86_64-static")]
    here: tuple[str, list[str]] = (f"{build.emulator}", [build.emulator]) if build.emulator else (THIS_ONE, [])
    for processor, launcher in [here, *emulated]:
        command = [*launcher, str(program)]
        chosen = settings_of(build, processor, output_of(*command).split())
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            for settings, (found, size) in zip(chosen, pool.map(lambda s, c=command: digest(c, s), chosen)):
                results.append(Result(build, processor, settings, found, size))
        print(f"{build.name}, {processor}: {len(chosen)} configurations, {len({r.digest for r in results})} digest(s)", flush=True)
    return results


def page(results: list[Result], skipped: list[tuple[Build, str]]) -> str:
    """The text of build/evidence/determinism.md."""
    digests = sorted({result.digest for result in results})
    same = "The same SHA-256 for all" if len(digests) == 1 else f"**{len(digests)} different digests**"

    lines = [
        f"{same} {len(results)} configurations, {results[0].size:,} bytes of results each: `{'`, `'.join(digests)}`.\n",
        "| build | compiler | options | processor | targets | configurations |\n| --- | --- | --- | --- | --- | ---: |",
    ]
    for build, processor in dict.fromkeys((result.build, result.processor) for result in results):
        own = [result for result in results if (result.build, result.processor) == (build, processor)]
        compiler = output_of(build.compiler, "--version").split("\n")[0]
        lines.append(f"| {build.name} | {compiler} | `{build.flags}` | {processor} | {', '.join(sorted({r.settings[0] for r in own}))} | {len(own)} |")
    lines += ["", *[f"Not run: {build.name}: {why}\n" for build, why in skipped]]
    every = [result.settings for result in results]
    varied = (("threads", 1), ("elements before each tensor, from a multiple of 64 bytes on", 2), ("layouts", 3), ("rounding mode, plus 4 for FTZ and 8 for DAZ", 4))
    lines += [f"{what}: {', '.join(sorted({str(s[k]) for s in every}))}.\n" for what, k in varied]
    processor = next((line.partition(": ")[2] for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if "model name" in line), "")
    lines.append(f"\nThe processor called {THIS_ONE}: {processor}. Names of others are models that "
                 f"{output_of('qemu-x86_64-static', '--version').partition(' (')[0] or 'QEMU'} emulates.")  # fmt: skip
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the page")
    parser.add_argument("--builds", default=",".join(build.name for build in BUILDS), metavar="NAME,...")
    parser.add_argument("--here", action="store_true", help="no emulated processors")
    parser.add_argument("--program", metavar="CORPUS", help="run this program in some configurations")
    parser.add_argument("--record", action="store_true", help="write digest.txt, with --builds if any")
    parser.add_argument("--two", action="store_true", help="two targets in the first build as well: minutes less")
    args = parser.parse_args()
    if args.program:
        return check_program(args.program)
    results: list[Result] = []
    skipped: list[tuple[Build, str]] = []
    for build in BUILDS:
        if args.two and not build.emulator and TWO not in build.flags:
            build = replace(build, flags=f"{TWO} {build.flags}")
        if args.here:
            build = replace(build, emulated=())
        if build.name not in args.builds.split(","):
            skipped.append((build, "left out by --builds"))
            continue
        program = make(build)
        if isinstance(program, str):
            if "not installed" not in program:
                sys.exit(f"{build.name}: {program}")
            skipped.append((build, program))
            continue
        results += ran(build, program)
    if args.write and results:
        write_made("determinism.md", "Determinism: configurations", "verification/determinism/evidence_determinism.py", page(results, skipped))
    if args.record and len({(result.digest, result.size) for result in results}) == 1:
        RECORDED.write_text(f"{results[0].digest} {results[0].size}\n", encoding="utf-8")
    return compared({f"{r.build.name}, {r.processor}, {r.settings}": (r.digest, r.size) for r in results})


if __name__ == "__main__":
    sys.exit(main())
