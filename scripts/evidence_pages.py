#!/usr/bin/env python3
"""Checks what the pages of docs/evidence cite.

    scripts/evidence_pages.py [--fresh]    exit status 1, with page and line, for each thing that is wrong; --fresh: also for a page
                                           with measurements that was made from other sources than these

- each `Suite.Name` is a test of the sources, each `room.name` a test that CMake registers, each rule a rule
- each row of the tables of the manual, the assumptions and the known problems cites a rule, a test, a page or a header
- ids (AOU-1, KP-1) are numbered without gaps, and where one page names another's, it exists
- each page with measurements says which sources it was made from, or that it was not made; each link of a page in HTML leads to a file
"""

from __future__ import annotations

import re
import sys

import rule_table
from evidence_common import EVIDENCE, MEASURED_ON, ROOT, made_from

ARGUED = ["manual.md", "assumptions.md", "known-problems.md"]
IDS = {"assumptions.md": "AOU", "known-problems.md": "KP"}
CITATION = re.compile(r"\b[A-Z]{3}-\d+\b|\bE[12]\b|`\w+\.\w+`|`[\w/]+\.\w+`|\]\([^)]+\)")


def tests() -> set[str]:
    """The names of all tests, as CTest has them."""
    found: set[str] = set()
    for path in rule_table.files(ROOT, ["tests"]):
        found |= {f"{suite}.{name}" for suite, name in rule_table.TEST_MACRO.findall(path.read_text(encoding="utf-8"))}
    for path in (ROOT / "tests").rglob("CMakeLists.txt"):
        found |= set(re.findall(r"(?:supremum_script_test\(|add_test\(NAME )\s*([\w.]+)", path.read_text(encoding="utf-8")))
    return found


def main() -> int:
    """Prints what is wrong; 0 if nothing is."""
    problems: list[str] = []
    known_tests = tests()
    rules = set(rule_table.RULE_ROW.findall((ROOT / "docs" / "semantics.md").read_text(encoding="utf-8")))
    pages = {path.name: path.read_text(encoding="utf-8") for path in sorted(EVIDENCE.glob("*.md"))}
    ids = {found for page, prefix in IDS.items() for found in re.findall(rf"^\| ({prefix}-\d+) \|", pages[page], re.MULTILINE)}
    for page, prefix in IDS.items():
        listed = re.findall(rf"^\| {prefix}-(\d+) \|", pages[page], re.MULTILINE)
        if [int(number) for number in listed] != list(range(1, len(listed) + 1)):
            problems.append(f"{page}: {prefix} is not numbered 1, 2, 3, ...")
    cited = 0
    for page, text in pages.items():
        for number, line in enumerate(re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.M | re.S).splitlines(), 1):
            names = [name for name in re.findall(r"`(\w+\.\w+)`", line) if not re.search(r"\.(?:h|cc|md|py|sh|json|csv|html|a|so|txt)$", name)]
            problems += [f"{page}:{number}: there is no test {name}" for name in names if name not in known_tests]
            problems += [f"{page}:{number}: there is no rule {rule}" for rule in rule_table.mentioned(line, {r.split("-")[0] for r in rules}) if rule not in rules]
            problems += [f"{page}:{number}: there is no {name}" for name in re.findall(r"\b(?:AOU|KP)-\d+\b", line) if name not in ids]
            cited += len(names)
            is_row = line.startswith("| ")
            if page in ARGUED and is_row and not re.match(r"\| (?:---|id |statement )", line) and not CITATION.search(line.split("|", 2)[2]):
                problems.append(f"{page}:{number}: a statement without a rule, a test or a page")
        if page in MEASURED_ON and not re.search(r"^(?:Made from the sources with the digest `[0-9a-f]{64}`\.$|Not measured)", text, re.MULTILINE):
            problems.append(f"{page}: says neither which sources it was made from nor that it was not made")
    stale = [page for page in MEASURED_ON if made_from(page) not in pages[page]]
    if "--fresh" in sys.argv[1:]:
        problems += [f"{page}: was made from other sources than these: scripts/evidence.sh" for page in stale]
    for path in sorted(EVIDENCE.glob("*.html")):
        links = re.findall(r'href="([^"#:]+)(?:#[^"]*)?"', path.read_text(encoding="utf-8"))
        problems += [f"{path.name}: the link '{link}' leads to no file" for link in sorted(set(links)) if not (EVIDENCE / link).exists()]
    for problem in problems:
        print(problem)
    if not problems:
        print(f"{len(pages)} pages, {cited} citations of tests: all exist"
              + (f"; made from other sources than these: {', '.join(stale)}" if stale else "; measured on these sources"))  # fmt: skip
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
