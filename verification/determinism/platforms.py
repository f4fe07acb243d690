#!/usr/bin/env python3
"""The table of docs/platforms.md: the tests and cases that ran on each processor.

    verification/determinism/platforms.py cases PLATFORM KIT RUNNER [ARGUMENT...]
                                    runs the cases of a conformance kit with a runner (kit/runners/README.md), compares the
                                    shape and bits of each answer, and stores the counts, those of a runner in C separately; exit
                                    status 1 if an answer is wrong
    verification/determinism/platforms.py check KIT BUILD
                                    the same with every target of the build folder BUILD that this processor runs; stores nothing
    verification/determinism/platforms.py here       the cases of build/release, by each of its targets that this processor runs; and the counts of
                                    the last run of scripts/test.sh
    verification/determinism/platforms.py tests PLATFORM JUNIT...
                                    stores the counts in the files that ctest --output-junit wrote
    verification/determinism/platforms.py --write    writes the table from the files in build/platforms, and names missing platforms; exit status 1,
                                    and nothing is written, if the answers of two platforms differ

The last column is the SHA-256 of all answers, a line `id [shape] bits` for each case, in the order of the kit.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "platforms"
PAGE = ROOT / "docs" / "platforms.md"
BEGIN, END = "<!-- written by verification/determinism/platforms.py --write -->\n", "<!-- until here -->\n"

# platform -> its kernels, how it was built, what ran it
PLATFORMS = {
    "x86-64": ("all of x86-64", "GCC 12", "{processor}"),
    "avx3_dl": ("avx3_dl", "GCC 12", "{processor}"),
    "avx3": ("avx3", "GCC 12", "{processor}"),
    "avx2": ("avx2", "GCC 12", "{processor}"),
    "sse4": ("sse4", "GCC 12", "{processor}"),
    "portable": ("portable", "GCC 12", "{processor}"),
    # scripts/emulate.sh: Debian's architecture and the kernels
    "arm64-neon": ("neon", "GCC 12, cross", "QEMU, Cortex-A57"),
    "arm64-sve2_128": ("sve2_128", "GCC 12, cross", "QEMU, `max`, 128 bits"),
    "arm64-sve_256": ("sve_256", "GCC 12, cross", "QEMU, `max`, 256 bits"),
    "arm64-portable": ("portable", "GCC 12, cross", "QEMU, Cortex-A57"),
    "riscv64-rvv_128": ("rvv_128", "GCC 14, cross", "QEMU, RISC-V, `rv64` with V, 128 bits"),
    "riscv64-rvv_256": ("rvv_256", "GCC 14, cross", "QEMU, RISC-V, `rv64` with V, 256 bits"),
    "riscv64-portable": ("portable", "GCC 14, cross", "QEMU, RISC-V, `rv64`"),
    "s390x-z14": ("z14", "GCC 14, cross", "QEMU, IBM Z (big-endian), `max`"),
    "s390x-portable": ("portable", "GCC 14, cross", "QEMU, IBM Z (big-endian), `max` without `vxeh`"),
    "ppc64el-ppc10": ("ppc10", "GCC 14, cross", "QEMU, POWER10"),
    "ppc64el-ppc9": ("ppc9", "GCC 14, cross", "QEMU, POWER9"),
    "ppc64el-ppc8": ("ppc8", "GCC 14, cross", "QEMU, POWER10"),
    "ppc64el-portable": ("portable", "GCC 14, cross", "QEMU, POWER10"),
    "armhf-portable": ("portable", "GCC 12, cross", "QEMU, Cortex-A15 (32 bits)"),
    "i386-sse4": ("sse4", "GCC 12, cross", "QEMU, x86 (32 bits), `max`"),
    "i386-portable": ("portable", "GCC 12, cross", "QEMU, x86 (32 bits), `max`"),
    "wasm": ("wasm", "emscripten 3.1.6", "Node 20"),
}


def processor() -> str:
    """The model name of this machine's processor."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "a processor without a name"


def keep(platform: str, **facts: Any) -> None:
    if platform not in PLATFORMS:
        sys.exit(f"platforms.py: there is no platform '{platform}'; known: {', '.join(PLATFORMS)}")
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / f"{platform}.json"
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.write_text(json.dumps({**known, "processor": processor(), **facts}, indent=1) + "\n", encoding="utf-8")


def line_of(case: str, shape: list[int], bits: str) -> bytes:
    return f"{case} {shape} {bits}\n".encode()


def run_cases(platform: str, kit: Path, command: list[str], kept: bool = True) -> int:
    cases = json.loads((kit / "cases.json").read_text(encoding="utf-8"))["cases"]
    done = subprocess.run([command[0], str(kit), *command[1:]], capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0 or [line.get("case") for line in lines[1:]] != list(range(len(cases))):
        print(f"platforms.py: {command[0]}: exit status {done.returncode}, {len(lines)} lines for {len(cases)} cases: {done.stderr.strip()}")
        return 1
    interface, right, digest = lines[0]["interface"], 0, hashlib.sha256()
    for line, case in zip(lines[1:], cases):
        shape, bits = line.get("shape", []), line.get("bits", "no result")
        digest.update(line_of(case["id"], shape, bits))
        good = line["id"] == case["id"] and (shape, bits) == (case["output"]["shape"], case["output"]["bits"])
        right += good
        if not good:
            print(f"platforms.py: {platform}: {case['id']} is {line}, expected {case['output']}")
    print(f"{platform} ({interface}): {right} of {len(cases)} cases right, sha256 {digest.hexdigest()}")
    if interface == "C":  # this interface does not report its target
        keep(platform, right_from_c=right, sha256_from_c=digest.hexdigest())
        return 0 if right == len(cases) > 0 else 1
    if PLATFORMS.get(platform, (interface,))[0] not in (*interface.split(", "), "all of x86-64"):
        print(f"platforms.py: {platform}: the kernels that ran are those of '{interface}'")
        return 1
    if not kept:
        return 0 if right == len(cases) > 0 else 1
    keep(platform, interface=interface, cases=len(cases), right=right, sha256=digest.hexdigest())
    return 0 if right == len(cases) > 0 else 1


def targets_here(build: Path) -> list[str]:
    """The targets of a build that this processor runs."""
    listed = subprocess.run([build / "bin" / "supremum", "targets", "--json", "-"], capture_output=True, text=True, check=True)
    return [target["name"] for target in json.loads(listed.stdout)["targets"] if target["runs_here"]]


def runner_of(build: Path) -> str:
    return str(build / "libexec" / "supremum" / "runners" / "supremum-cpp")


def check_targets(kit: Path, build: Path) -> int:
    """The cases by every target; stores nothing."""
    return max(run_cases(target, kit, [runner_of(build), "--target", target], kept=False) for target in targets_here(build))


def run_here() -> int:
    build = ROOT / "build" / "release"
    targets = targets_here(build)
    runner = runner_of(build)
    kit = build / "tests" / "kit" / "cases"
    ran = ROOT / "build" / "release-tests.xml"  # by scripts/test.sh, on all targets
    counted = keep_tests("x86-64", [str(ran)]) if ran.exists() else 0
    return max(counted, *(run_cases(target, kit, [runner, "--target", target]) for target in targets))


def keep_tests(platform: str, files: list[str]) -> int:
    ran = failed = skipped = 0
    for file in files:
        suite = ElementTree.parse(file).getroot()
        for test in suite.iter("testcase"):
            skipped += test.get("status") == "notrun" or test.find("skipped") is not None
            failed += test.get("status") == "fail"
            ran += test.get("status") == "run" and test.find("skipped") is None
    print(f"{platform}: {ran} tests passed, {failed} failed, {skipped} skipped")
    keep(platform, tests=ran, failed=failed, skipped=skipped)
    return 0 if ran > 0 and failed == 0 else 1


def write() -> int:
    kept = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(KEPT.glob("*.json"))}
    missing = [platform for platform in PLATFORMS if platform not in kept]
    hashes = {facts[key] for facts in kept.values() for key in ("sha256", "sha256_from_c") if key in facts}
    if len(hashes) != 1:
        print(f"platforms.py: the answers in {KEPT.relative_to(ROOT)} are not the same bytes: {sorted(hashes)}")
        return 1
    if missing:
        print(f"platforms.py: without a row, since nothing is kept in {KEPT.relative_to(ROOT)}: {', '.join(missing)}")
    rows = ["| kernels | built by | run by | tests passed, skipped | cases right | SHA-256 of the answers |", "| --- | --- | --- | ---: | ---: | --- |"]
    for platform, (kernels, built, ran) in PLATFORMS.items():
        if (facts := kept.get(platform)) is None:
            continue
        tests = f"{facts['tests']}, {facts['skipped']}" if "tests" in facts else ""
        cases = f"{facts['right']} of {facts['cases']}" if "cases" in facts else ""
        cases += f"; from C {facts['right_from_c']}" if "right_from_c" in facts else ""
        digest = f"`{facts['sha256'][:16]}...`" if "sha256" in facts else ""
        rows.append(f"| {kernels} | {built} | {ran.format(processor=facts['processor'])} | {tests} | {cases} | {digest} |")
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    table = "\n".join(rows) + f"\n\nThe whole SHA-256: `{hashes.pop()}`.\n"
    PAGE.write_text(before + BEGIN + table + END + after, encoding="utf-8")
    return 0


def main() -> int:
    arguments = sys.argv[1:]
    if arguments == ["--write"]:
        return write()
    if arguments == ["here"]:
        return run_here()
    if len(arguments) == 3 and arguments[0] == "check":
        return check_targets(Path(arguments[1]), Path(arguments[2]))
    if len(arguments) >= 4 and arguments[0] == "cases":
        return run_cases(arguments[1], Path(arguments[2]), arguments[3:])
    if len(arguments) >= 3 and arguments[0] == "tests":
        return keep_tests(arguments[1], arguments[2:])
    print((__doc__ or "").strip(), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
