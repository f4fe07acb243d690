#!/usr/bin/env python3
"""Merges the reports of CTest and the GoogleTest programs, by the names of the tests.

    tests/project/test_report.py CTEST_XML JUNIT_FOLDER OUTPUT_XML
    tests/project/test_report.py --sum OUTPUT_XML...       adds the counts of several runs

CTEST_XML is the output of ctest --output-junit; JUNIT_FOLDER has an XML file for each run of a GoogleTest program, under the name of
CTest's entry. OUTPUT_XML gets one test case for each test. Prints the tests that failed and that were skipped, and the counts:
`N passed, N failed, N skipped`. Exit status 1 if one failed, none ran, or a program's exit status disagrees with its tests.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def test_cases(file: Path) -> list[tuple[str, str, str]]:
    """Name, result and seconds of each test of a GoogleTest program that was run in this part."""
    cases = []
    for suite in ElementTree.parse(file).getroot().iter("testsuite"):
        for case in suite.iter("testcase"):
            if case.get("status") != "run":
                continue  # of another part, or disabled
            result = "fail" if case.find("failure") is not None else "skip" if case.get("result") == "skipped" else "run"
            cases.append((f"{suite.get('name')}.{case.get('name')}", result, case.get("time") or "0"))
    return cases


def collect(ctest: Path, folder: Path) -> list[tuple[str, str, str]]:
    """All tests: an entry of CTest that is a program's part is replaced by the tests of that part."""
    cases: list[tuple[str, str, str]] = []
    for entry in ElementTree.parse(ctest).getroot().iter("testcase"):
        name, status = entry.get("name") or "", entry.get("status")
        own: list[tuple[str, str, str]] = []
        file = folder / f"{name}.xml"
        if file.exists():
            own = test_cases(file)
        failed = status == "fail"
        if failed != any(result == "fail" for _, result, _ in own) or not own:
            # A script, a program that ended before it could report, or one that failed after its tests.
            skipped = status == "notrun" or entry.find("skipped") is not None
            own.append((name, "fail" if failed else "skip" if skipped else "run", entry.get("time") or "0"))
        cases += own
    return cases


def add_up(files: list[Path]) -> int:
    """Counts the tests of several runs."""
    run = failed = skipped = 0
    for file in files:
        suite = ElementTree.parse(file).getroot()
        failed += int(suite.get("failures") or 0)
        skipped += int(suite.get("skipped") or 0)
        run += int(suite.get("tests") or 0)
    print(f"{run - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 0 if run > 0 and failed == 0 else 1


def main() -> int:
    if len(sys.argv) > 2 and sys.argv[1] == "--sum":
        return add_up([Path(argument) for argument in sys.argv[2:]])
    if len(sys.argv) != 4:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    ctest, folder, output = (Path(argument) for argument in sys.argv[1:])
    if not ctest.exists():
        print(f"test_report.py: {ctest} does not exist: CTest did not complete")
        return 1
    cases = collect(ctest, folder)
    count = {kind: sum(result == kind for _, result, _ in cases) for kind in ("run", "fail", "skip")}
    suite = ElementTree.Element("testsuite", name="supremum", tests=str(len(cases)), failures=str(count["fail"]), skipped=str(count["skip"]))
    for name, result, seconds in cases:
        status = {"run": "run", "fail": "fail", "skip": "notrun"}[result]
        case = ElementTree.SubElement(suite, "testcase", name=name, classname=name.partition(".")[0], status=status, time=seconds)
        if result != "run":
            ElementTree.SubElement(case, {"fail": "failure", "skip": "skipped"}[result])
            print(f"{'failed' if result == 'fail' else 'skipped'}: {name}")
    ElementTree.ElementTree(suite).write(output, encoding="utf-8", xml_declaration=True)
    print(f"{count['run']} passed, {count['fail']} failed, {count['skip']} skipped")
    return 0 if count["run"] > 0 and count["fail"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
