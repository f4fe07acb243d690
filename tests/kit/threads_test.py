#!/usr/bin/env python3
"""Checks that a runner of supremum has every bit right on the cases that threads share, with each number of threads.

    tests/kit/threads_test.py RUNNER KIT [--lacks models|any] [--threads N,N,...]

KIT is what `supremum-audit cases KIT --from FOLDER` has written of the case files of kit/cases/write_cases.py --threads.
--lacks models  cases without a model may be unsupported; any: every case may, but not all

Exit status 77 if the runner was not built, its interpreter is not installed, or it says that its runtime is not installed.
"""

import argparse
import json
import sys
from pathlib import Path

import runner_test


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runner")
    parser.add_argument("kit")
    parser.add_argument("--lacks", choices=["models", "any"], default="")
    parser.add_argument("--threads", default="1,2,3,8")
    arguments = parser.parse_args()
    if not Path(arguments.runner).exists():
        print(f"skipped: {arguments.runner} was not built: its library was not found")
        return runner_test.NOT_INSTALLED
    cases = json.loads(Path(arguments.kit, "cases.json").read_text(encoding="utf-8"))["cases"]
    wrong = 0
    for threads in arguments.threads.split(","):
        lines = runner_test.lines_of([arguments.runner, arguments.kit, "--threads", threads])
        problems = runner_test.problems_of(lines, cases, [], 0)
        if not problems:
            problems = runner_test.differences(lines, cases, arguments.lacks)
            right = sum(runner_test.is_right(line, cases[line["case"]]) for line in lines[1:])
            if right == 0:
                problems.append("no case is right")
            print(f"{threads} threads: {right} of {len(cases)} cases right")
        for problem in problems:
            print(f"{threads} threads: {problem[:400]}")
        wrong += len(problems)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
