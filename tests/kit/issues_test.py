#!/usr/bin/env python3
"""Checks that the programs of `supremum-audit --issues` show what their pages say, with the runtimes that are installed here.

    tests/kit/issues_test.py RUNNERS [--all]

RUNNERS  the folder of the runners
--all    every case of the kit, in place of a few

A program in C++ is left out if there is no compiler or no header or library for it: the runner may have been built with others. Every
other program must end with a status other than 0, for the reason that the page states. With the expectation replaced by the result
that the runner saw, it must end with status 0; without --all, of the programs in C++ only the first of each runner, because
compiling them takes seconds.

Exit status 77 if no runtime is installed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Optional

NOT_INSTALLED = 77
LEFT_OUT = "left out: its library is not installed for the compiler"
ROOT = Path(__file__).resolve().parents[2]
RUNNERS = ("numpy", "pytorch", "onnxruntime", "onnxruntime-python", "eigen", "onednn", "xnnpack", "onnx")
CASES = (
    "max_neighbours/*minus_zero*/float32",
    "max_neighbours/zero_minus_zero/float32",
    "max_nan_pairs/infinity_then_quiet/float32",
    "max_broadcast_matrix/2by1_with_1by3/int32",
    "reduce_nan_kinds/infinity_then_quiet/float32",
    "reduce_nan_kinds/quiet_then_infinity/float32",
    "reduce_empty/0by0_axes_0_keepdims_0/float32",
    "invalid_axis/opset_1_twice",
    "invalid_mixed_types/max_bfloat16_float16",
)
# The statement of the expected result in a generated program, by the file's extension.
EXPECTED = {
    ".py": re.compile(r"^expected = .*?\)  # .*?$", re.M | re.S),
    ".cjs": re.compile(r"^const expected = .*?;  // .*?$", re.M | re.S),
    ".cc": re.compile(r"^  const std::vector<Bits> expected = .*?;  // .*?$", re.M | re.S),
}

NOT_HERE = re.compile(r"g\+\+: .*not found|fatal error: (Eigen|oneapi|xnnpack)\S*: No such file|cannot find -l")

Result = dict[str, Any]


def expectation(ending: str, result: Result, width: int) -> str:
    """The line that expects `result`, whose bits are numbers of `width` bytes, the most significant digit first."""
    numbers = re.findall("." * (2 * width), result["bits"])
    content = "".join(bytes.fromhex(number)[:: 1 if sys.byteorder == "big" else -1].hex() for number in numbers)
    if ending == ".py":
        return f"expected = {tuple(result['shape'])}, bytes.fromhex('{content}')"
    if ending == ".cjs":
        return f"const expected = [{result['shape']}, '{content}'];"
    return f"  const std::vector<Bits> expected = {{{', '.join('0x' + number for number in numbers)}}};"


def run(page: Path) -> subprocess.CompletedProcess[str]:
    """Runs the command of a page in its folder."""
    command = re.search(r"^```console\n\$ (.*)\n```$", page.read_text(encoding="utf-8"), re.M)
    assert command, f"{page} has no command"
    # Python's runtimes are those of this interpreter, and ONNX Runtime's package is where its runner finds it.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    packages = os.environ.get("NODE_PATH", str(ROOT / "build" / "peers" / "node_modules"))
    return subprocess.run(
        ["sh", "-c", command[1]],
        cwd=page.parent,
        env={**os.environ, "PATH": path, "NODE_PATH": packages},
        capture_output=True,
        text=True,
        timeout=300,
    )


def check(page: Path, program: Path, deviation: dict[str, Any], with_edit: bool) -> Optional[str]:
    """What is wrong with a program; None if nothing is."""
    shown = run(page)
    output = shown.stdout + shown.stderr
    if program.suffix == ".cc" and not program.with_suffix("").exists():
        return LEFT_OUT if NOT_HERE.search(output) else f"it was not built: {output}"
    if shown.returncode == 0:
        return f"it does not show the deviation: {output}"
    seen, verdict = deviation["smallest"]["came_out"], deviation["what"]
    if verdict == "invalid model accepted":
        return None if shown.stdout == "accepted\n" else f"the model was not accepted: {output}"
    if "bits" not in seen:  # an error of the runtime: the program ends by the same one
        text = seen["text"].split("\n")[0].partition(": ")[2]
        return None if verdict != "error" or program.suffix == ".cc" or text in output else f"it does not say '{text}': {output}"
    if "result" not in shown.stdout:
        return f"it has no result: {output}"
    if not with_edit or len(seen["elements"]) < seen["size"]:
        return None
    text = program.read_text(encoding="utf-8")
    width = len(seen["bits"]) // 2 // max(1, seen["size"])
    edited, count = EXPECTED[program.suffix].subn(lambda _: expectation(program.suffix, seen, width), text)
    assert count == 1, f"{program} has {count} expectations"
    program.write_text(edited, encoding="utf-8")
    again = run(page)
    return f"it fails with what the runner saw as expectation: {again.stdout}{again.stderr}" if again.returncode else None


def audit(runners: Path, folder: Path, everything: bool) -> dict[str, Any]:
    """Runs the audit; its JSON."""
    names = [name for name in RUNNERS if (runners / name).exists()]
    options = [part for name in names for part in ("--runner", name)]
    options += [] if everything else [part for case in CASES for part in ("--case", case)]
    line = [sys.executable, "-m", "supremum.kit", "--runners", str(runners), "--issues", str(folder / "issues"), "--json", str(folder / "audit.json"), *options]
    done = subprocess.run(line, capture_output=True, text=True)
    if not (folder / "audit.json").exists():
        sys.exit(f"{done.stdout}{done.stderr}")
    return json.loads((folder / "audit.json").read_text(encoding="utf-8"))


def main() -> None:
    runners, *options = sys.argv[1:]
    everything = options == ["--all"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report = audit(Path(runners), folder, everything)
        if not any(runner["status"] == "ran" for runner in report["runners"]):
            print("no other runtime is installed")
            sys.exit(NOT_INSTALLED)
        numbers: dict[str, int] = {}
        jobs: list[tuple[Path, Path, dict[str, Any], bool]] = []
        for deviation in report["deviations"]:
            runner = deviation["runner"]
            numbers[runner] = numbers.get(runner, 0) + 1
            [page] = (folder / "issues" / runner).glob(f"{numbers[runner]:02}-*.md")
            programs = [path for ending in EXPECTED if (path := page.with_suffix(ending)).exists()]
            first = runner not in {job[1].parent.name for job in jobs}
            jobs += [(page, program, deviation, everything or first or program.suffix != ".cc") for program in programs]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            problems = list(pool.map(lambda job: check(*job), jobs))
        for runner in numbers:
            own = [problem for job, problem in zip(jobs, problems) if job[1].parent.name == runner]
            counts = f"{own.count(None)} as their pages say, {own.count(LEFT_OUT)} left out"
            print(f"{runner}: {numbers[runner]} issues, {len(own)} programs, {counts}")
        wrong = [(job[1], problem) for job, problem in zip(jobs, problems) if problem not in (None, LEFT_OUT)]
        for program, problem in wrong:
            print(f"{program.parent.name}/{program.name}: {problem}")
        if wrong or None not in problems:
            sys.exit(1)


if __name__ == "__main__":
    main()
