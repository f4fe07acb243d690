#!/usr/bin/env python3
"""Runs the tests with the label exhaustive, and keeps what came out in docs/evidence/exhaustive.md: a row for each test.

    verification/evidence/exhaustive_runs.py [--build build/release] [-R REGEX]    runs those whose names match, and replaces their rows

A run is of committed sources; the digest is that of the files that are built and tested (BUILT_FROM, tests, verification), names
included. A row says what was seen then, at that commit; rows of tests that did not run now, or were skipped, stay. A test that fails gets its row too, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import subprocess
import sys
import time
from pathlib import Path

from evidence_common import BUILT_FROM, EVIDENCE, ROOT, digest_of, output_of

PAGE = EVIDENCE / "exhaustive.md"
SOURCES = [*BUILT_FROM, "tests", "verification"]
TABLE = "| test | result | its last line | seconds | commit | date | sources | processor |"
# What the ends of programs say of themselves: the line that counts comes before.
NOT_TELLING = re.compile(r"^\d+: ?|^$|^\[-+\]|^Test timeout")


def processor() -> str:
    """Its name and, where the kernel says it, family and model."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
    fields = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", text, re.M))
    name = re.sub(r"\(R\)|\(TM\)", "", fields.get("model name", "not known"))
    return f"{name}, family {fields['cpu family']}, model {fields['model']}" if "model" in fields else name


def tests_of(build: Path) -> list[str]:
    """The names of the tests with the label."""
    listed = json.loads(output_of("ctest", "--test-dir", build, "-L", "exhaustive", "--show-only=json-v1") or '{"tests": []}')
    return sorted(test["name"] for test in listed["tests"])


def rows_of(page: str) -> dict[str, str]:
    """The table's rows by name of the test."""
    return {match[1]: match[0] for match in re.finditer(r"^\| `([^`]+)` \|.*$", page, re.M)}


def run(build: Path, name: str) -> tuple[str, str, float]:
    """passed, failed or skipped; the last line that the test printed; seconds."""
    begin = time.monotonic()
    command = ["ctest", "--test-dir", str(build), "-R", f"^{re.escape(name)}$", "-V", "--no-tests=error"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    # ctest puts the number of the test before each line of its output.
    said = [line for line in re.findall(r"^\d+: (.*)$", done.stdout, re.M) if not NOT_TELLING.match(line)]
    state = "skipped" if re.search(r"\*\*\*Skipped", done.stdout, re.M) else "passed" if done.returncode == 0 else "failed"
    last = said[-1].strip() if said else ""
    return state, last.replace(str(ROOT) + "/", "").replace("|", "\\|")[:120], seconds


def main() -> int:
    """Runs what is asked for, and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release", help="a build with all tests")
    parser.add_argument("-R", dest="pattern", default="", metavar="REGEX", help="only tests with such a name")
    arguments = parser.parse_args()
    known = tests_of(arguments.build)
    if not known:
        parser.error(f"{arguments.build} has no tests with the label exhaustive")
    page = PAGE.read_text(encoding="utf-8")
    rows = rows_of(page)
    if output_of("git", "status", "--porcelain", "--", *SOURCES):
        parser.error("the sources have changes that are not committed: a row could not say what ran")
    commit, sources = output_of("git", "rev-parse", "--short", "HEAD").strip(), digest_of(*SOURCES)[:16]
    failed = 0
    for name in filter(re.compile(arguments.pattern).search, known):
        state, last, seconds = run(arguments.build, name)
        failed += state == "failed"
        if state == "skipped" and name in rows:
            print(f"{name}: skipped: {last}: its row stays", flush=True)
            continue
        # The day of the run. It decides nothing.
        today = datetime.datetime.now(datetime.timezone.utc).date()
        rows[name] = f"| `{name}` | {state} | {last} | {seconds:.0f} | {commit} | {today} | `{sources}` | {processor()} |"
        print(rows[name], flush=True)
        table = "\n".join([TABLE, "| --- | --- | --- | ---: | --- | --- | --- | --- |", *(row for _, row in sorted(rows.items()))])
        before = page.split(TABLE)[0].rstrip()
        PAGE.write_text(f"{before}\n\n{table}\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
