#!/usr/bin/env python3
"""Checks that a runner follows the protocol of kit/runners/README.md, on a kit that make_kit.py has written.

    tests/kit/runner_test.py RUNNER KIT [--exact | --exact-models | --exact-supported] [--only-models] [--hide MODULE | --alone] [-- ARGUMENT...]
    tests/kit/runner_test.py RUNNER KIT [--exact | --exact-models | --exact-supported] --threads N,N,...
    tests/kit/runner_test.py --self-test

--exact         every case must have exactly the expected bits, and every model that must be refused is
--exact-models  so it must where the case has a model; the others may be unsupported
--exact-supported  so it must of the cases that it supports
--only-models   the runtime may be one that only judges models
--hide MODULE   without this Python module the runner must say that its runtime is not installed
--alone         so it must in a folder of its own, without what the build put around it
--threads N,N,...  only the cases, once with each number of threads
ARGUMENT...     more arguments for the runner

Exit status 77 if the runner was not built, its interpreter is not installed, or it says that its runtime is not installed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Optional

NOT_INSTALLED = 77
ANSWERS = {"case": [{"shape", "bits"}, {"unsupported"}, {"failed"}], "invalid": [{"refused"}, {"accepted"}]}

Line = dict[str, Any]


def width_of(dtype: str) -> int:
    return 1 if dtype == "bool" else int(re.sub(r"\D", "", dtype)) // 8


def wrong_answer(line: Line, case: Line) -> Optional[str]:
    """What is wrong with the answer to a case; None if nothing is."""
    if "bits" not in line:
        return next((f"the {key} has no text" for key in ("unsupported", "failed") if line.get(key, "text") in ("", None)), None)
    shape, bits = line["shape"], line["bits"]
    if not (isinstance(shape, list) and all(type(extent) is int and extent >= 0 for extent in shape)):
        return f"{shape!r} is no shape"
    if not (isinstance(bits, str) and re.fullmatch("[0-9a-f]*", bits)):
        return f"{bits!r} are no bits"
    digits = 2 * width_of(case["type"]) * math.prod(shape)
    return None if len(bits) == digits else f"{len(bits)} digits of bits, {digits} for the shape"


def problems_of(lines: list[Line], cases: list[Line], invalid: list[Line], start: int) -> list[str]:
    """What is wrong with what a runner printed."""
    problems: list[str] = []
    if not lines or not all(isinstance(lines[0].get(key), str) and lines[0][key] for key in ("runtime", "version", "interface")):
        return ["the first line does not name runtime, version and interface"]
    numbers = [line.get("case") for line in lines[1:] if "case" in line]
    if numbers != list(range(start, len(cases))):
        problems.append(f"the cases are {numbers}, not {start} to {len(cases) - 1} in order")
    judged = [line.get("invalid") for line in lines[1:] if "invalid" in line]
    if not all(type(number) is int and max(0, start - len(cases)) <= number < len(invalid) for number in judged):
        problems.append(f"the invalid cases {judged} are not all there")
    elif judged != sorted(set(judged)):
        problems.append(f"the invalid cases {judged} are not in order")
    kinds = ["case" if "case" in line else "invalid" for line in lines[1:]]
    if kinds != sorted(kinds):
        problems.append("invalid cases come before cases")
    if problems:
        return problems
    for line, kind in zip(lines[1:], kinds):
        entry = (cases if kind == "case" else invalid)[line[kind]]
        if line.get("id") != entry["id"]:
            problems.append(f"{kind} {line[kind]} is {entry['id']}, not {line.get('id')}")
        elif set(line) - {kind, "id"} not in ANSWERS[kind]:
            problems.append(f"{entry['id']}: an answer of {sorted(set(line) - {kind, 'id'})}")
        elif kind == "case" and (wrong := wrong_answer(line, entry)):
            problems.append(f"{entry['id']}: {wrong}")
        elif kind == "invalid" and not (line.get("accepted") is True or line.get("refused")):
            problems.append(f"{entry['id']}: neither refused with a text nor accepted")
    return problems


def is_right(line: Line, case: Line) -> bool:
    return line.get("shape") == case["output"]["shape"] and line.get("bits") == case["output"]["bits"]


def differences(lines: list[Line], cases: list[Line], lacks: str = "") -> list[str]:
    """Where a runner that must be right is not; it may lack nothing, "models": the cases that have none, or "any"."""
    answers = [(line, cases[line["case"]]) for line in lines[1:] if "case" in line]
    if lacks:
        answers = [(line, case) for line, case in answers if "unsupported" not in line or (lacks == "models" and case["onnx"])]
    found = [f"{line['id']}: {line} is not {case['output']}" for line, case in answers if not is_right(line, case)]
    return found + [f"{line['id']} was accepted" for line in lines[1:] if "accepted" in line]


def run(command: list[str], **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})


def lines_of(command: list[str]) -> list[Line]:
    """What a runner prints. Ends the test if its runtime is not installed."""
    with open(command[0], "rb") as runner:
        start = runner.readline().split()
    if start[:1] == [b"#!/usr/bin/env"] and not shutil.which(start[1].decode()):
        print(f"skipped: {start[1].decode()}, which runs it, is not installed")
        sys.exit(NOT_INSTALLED)
    done = run(command)
    if done.returncode == NOT_INSTALLED:
        print(f"skipped: {done.stderr.strip()}")
        sys.exit(NOT_INSTALLED)
    if done.returncode != 0:
        sys.exit(f"exit status {done.returncode}: {done.stderr.strip()}")
    try:
        return [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError as error:
        sys.exit(f"a line is not JSON: {error}")


def check_not_installed(command: list[str], **environment: str) -> list[str]:
    done = run(command, **environment)
    if (done.returncode, done.stdout, done.stderr.count("\n")) == (NOT_INSTALLED, "", 1):
        return []
    return [f"where nothing is installed: exit status {done.returncode}, {done.stdout[:200]!r}, {done.stderr[:400]!r}"]


def check_without_runtime(arguments: argparse.Namespace) -> list[str]:
    """How the runner leaves where its runtime is not to be found."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if arguments.hide:
            (folder / f"{arguments.hide}.py").write_text("raise ImportError('hidden by a test')\n", encoding="utf-8")
            return check_not_installed([arguments.runner, arguments.kit], PYTHONPATH=name)
        for file in Path(arguments.runner).parent.glob("kit.*"):
            shutil.copy(file, folder)
        alone = shutil.copy(arguments.runner, folder)
        return check_not_installed([alone, arguments.kit], NODE_PATH="", HOME=name, SUPREMUM_COMMAND=f"{name}/supremum")


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def check(arguments: argparse.Namespace) -> list[str]:
    """Everything that is wrong with a runner."""
    kit = Path(arguments.kit)
    cases, invalid = (json.loads((kit / name).read_text(encoding="utf-8"))["cases"] for name in ("cases.json", "invalid.json"))
    command = [arguments.runner, arguments.kit, *arguments.more]
    before = contents(kit)
    whole = lines_of(command)
    problems = problems_of(whole, cases, invalid, 0)
    if contents(kit) != before:
        problems.append("files of the kit were changed: they can be a user's")
    if problems:
        return problems
    right = sum(is_right(line, cases[line["case"]]) for line in whole[1:] if "case" in line)
    refused = sum("refused" in line for line in whole)
    print(f"{whole[0]}: {right} of {len(cases)} cases right, {refused} of {len(invalid)} models refused")
    if right == 0 and not (arguments.only_models and refused):
        problems.append("no case is right")
    if arguments.lacks is not None:
        problems += differences(whole, cases, arguments.lacks)
    for start in (2, len(cases), len(cases) + 1):
        later = lines_of([*command, "--from", str(start)])
        problems += [f"--from {start}: {problem}" for problem in problems_of(later, cases, invalid, start)]
        expected = [line for line in whole[1:] if line.get("case", start) >= start]
        expected = [line for line in expected if line.get("invalid", start) + len(cases) >= start]
        if later[1:] != expected:
            problems.append(f"--from {start} prints something else")
    for wrong in ([arguments.runner], [arguments.runner, f"{arguments.kit}/there-is-none"]):
        done = run(wrong)
        if done.returncode != 2 or not done.stderr or done.stdout:
            problems.append(f"{wrong[1:]}: exit status {done.returncode}, {done.stdout!r}, {done.stderr!r}")
    if arguments.hide or arguments.alone:
        problems += check_without_runtime(arguments)
    return problems


def check_threads(arguments: argparse.Namespace) -> list[str]:
    """What is wrong on the cases with each number of threads."""
    cases = json.loads(Path(arguments.kit, "cases.json").read_text(encoding="utf-8"))["cases"]
    problems = []
    for threads in arguments.threads.split(","):
        lines = lines_of([arguments.runner, arguments.kit, "--threads", threads])
        wrong = problems_of(lines, cases, [], 0) or differences(lines, cases, arguments.lacks)
        if not wrong and not any(is_right(line, cases[line["case"]]) for line in lines[1:]):
            wrong = ["no case is right"]
        problems += [f"{threads} threads: {problem[:400]}" for problem in wrong]
    return problems


def self_test() -> list[str]:
    """Feeds the check wrong lines, and expects each to be found."""
    cases = [{"id": f"c{i}", "type": "float32", "onnx": model, "output": {"shape": [1], "bits": "3f800000"}}
             for i, model in enumerate(["onnx/c0", None])]
    invalid = [{"id": "i0"}, {"id": "i1"}]
    head = {"runtime": "R", "version": "1", "interface": "C"}
    good = [{"case": i, "id": f"c{i}", "shape": [1], "bits": "3f800000"} for i in range(2)]
    refused = {"invalid": 1, "id": "i1", "refused": "no"}
    right = [[head, *good], [head, *good, refused], [head, good[0], {"case": 1, "id": "c1", "unsupported": "no"}, refused]]
    wrong = [
        [], good, [{**head, "interface": ""}, *good], [head], [head, good[0]], [head, good[1], good[0]], [head, *good, good[1]],
        [head, refused, *good], [head, *good, refused, refused], [head, *good, {**refused, "invalid": 2}],
        [head, *good, {**refused, "id": "i0"}], [head, *good, {"invalid": 1, "id": "i1", "accepted": False}],
        [head, *good, {**refused, "accepted": True}], [head, *good, {"invalid": 1, "id": "i1", "refused": ""}],
    ]
    answers: list[Line] = [
        {}, {"shape": [1]}, {"shape": [2], "bits": "3f800000"}, {"shape": [1], "bits": "3F800000"}, {"shape": [-1], "bits": ""},
        {"shape": [1.0], "bits": "3f800000"}, {"shape": [1], "bits": "3f800000", "failed": "x"}, {"failed": ""}, {"id": "c0"},
    ]
    wrong += [[head, good[0], {"case": 1, "id": "c1", **answer}] for answer in answers]
    missed = [f"not found: {lines}" for lines in wrong if not problems_of(lines, cases, invalid, 0)]
    missed += [f"found in what is right: {problems}" for lines in right if (problems := problems_of(lines, cases, invalid, 0))]
    if differences([head, *good, refused], cases) or not differences([head, {**good[0], "bits": "00000000"}], cases):
        missed.append("a difference is not found, or found where there is none")
    if not differences([head, *good, {"invalid": 1, "id": "i1", "accepted": True}], cases):
        missed.append("an accepted model is not found")
    unsupported = [{"case": i, "id": f"c{i}", "unsupported": "no"} for i in range(2)]
    for lines, lacks, is_found in (
        ([head, good[0], unsupported[1]], "models", False),
        ([head, good[0], unsupported[1]], "", True),
        ([head, unsupported[0], good[1]], "models", True),
        ([head, unsupported[0], good[1]], "any", False),
        ([head, good[0], {**good[1], "bits": "00000000"}], "models", True),
        ([head, good[0], {**good[1], "bits": "00000000"}], "any", True),
        ([head, good[0], {"case": 1, "id": "c1", "failed": "no"}], "any", True),
    ):
        if bool(differences(lines, cases, lacks)) != is_found:
            missed.append(f"{lines}, that lacks '{lacks}': found is not {is_found}")
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runner", nargs="?")
    parser.add_argument("kit", nargs="?")
    for option, lacks in (("--exact", ""), ("--exact-models", "models"), ("--exact-supported", "any")):
        parser.add_argument(option, dest="lacks", action="store_const", const=lacks)
    parser.add_argument("--only-models", action="store_true")
    parser.add_argument("--hide", metavar="MODULE")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--threads", metavar="N,N,...")
    parser.add_argument("--self-test", action="store_true")
    own, more = sys.argv[1:], []
    if "--" in own:
        own, more = own[: own.index("--")], own[own.index("--") + 1 :]
    arguments = parser.parse_args(own)
    arguments.more = more
    if arguments.self_test:
        problems = self_test()
    elif not arguments.kit:
        parser.error("RUNNER and KIT are needed")
    elif not Path(arguments.runner).exists():
        print(f"skipped: {arguments.runner} was not built: its library was not found")
        return NOT_INSTALLED
    else:
        problems = check_threads(arguments) if arguments.threads else check(arguments)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
