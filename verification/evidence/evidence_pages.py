#!/usr/bin/env python3
"""Checks what the pages of docs/evidence cite, and what docs say of the files that scripts make into build/evidence.

    verification/evidence/evidence_pages.py [--made]    exit status 1, with page and line, for each thing that is wrong; --made: also for each file of
                                          build/evidence that is missing, is empty, was made from other sources than these, or has a
                                          link that leads to no file

- each `Suite.Name` is a test of the sources, each `room.name` a test that CMake registers, each rule a rule
- each row of the tables of the manual, the assumptions and the known problems cites a rule, a test, a page or a header
- ids (AOU-1, KP-1) are numbered without gaps, and where one page names another's, it exists
- no page has a digest of sources: these are in build/evidence; each link of a page in HTML leads to a file
- each `build/evidence/NAME` that a page of docs names is in the table of LIST, and each row there has a script that exists
- what the measurements depend on (MEASURED_ON) exists
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import rule_table
from evidence_common import EVIDENCE, MADE, MEASURED_ON, ROOT, made_from

ARGUED = ["manual.md", "assumptions.md", "known-problems.md"]
IDS = {"assumptions.md": "AOU", "known-problems.md": "KP"}
CITATION = re.compile(r"\b[A-Z]{3}-\d+\b|\bE[12]\b|`\w+\.\w+`|`[\w/]+\.\w+`|\]\([^)]+\)")
LIST = ROOT / "docs" / "decisions" / "0019-generated-files.md"
LISTED = re.compile(r"^\| (`[^|]+`) \| `([\w/.]+)[^|]*` \|", re.MULTILINE)  # files, the script that makes them
LINK = re.compile(r'href="([^"#:]+)(?:#[^"]*)?"|\]\(([^)#:\s]+)(?:#[^)]*)?\)')


def tests() -> set[str]:
    """The names of all tests, as CTest has them."""
    found: set[str] = set()
    for path in rule_table.files(ROOT, ["tests", "verification"]):
        found |= {f"{suite}.{name}" for suite, name in rule_table.TEST_MACRO.findall(path.read_text(encoding="utf-8"))}
    for path in (ROOT / "tests").rglob("CMakeLists.txt"):
        found |= set(re.findall(r"(?:supremum_script_test\(|add_test\(NAME )\s*([\w.]+)", path.read_text(encoding="utf-8")))
    return found


def dead_links(page: Path) -> list[str]:
    """The links of a page that lead to no file."""
    text = re.sub(r"`[^`\n]*`", "", page.read_text(encoding="utf-8"))
    links = {first or second for first, second in LINK.findall(text)}
    return [f"{page.name}: the link '{link}' leads to no file" for link in sorted(links) if not Path(os.path.normpath(page.parent / link)).exists()]


def made_files(problems: list[str]) -> list[str]:
    """The names below build/evidence that the table of LIST has."""
    names: list[str] = []
    rows = LISTED.findall(LIST.read_text(encoding="utf-8"))
    for cell, script in rows:
        names += re.findall(r"`([^`]+)`", cell)
        if not (ROOT / script).is_file():
            problems.append(f"{LIST.name}: there is no {script}")
    if not names or len(names) != len(set(names)):
        problems.append(f"{LIST.name}: the table of files that are made is empty, or names one twice")
    for page in sorted((ROOT / "docs").rglob("*")):
        if page.suffix in (".md", ".html"):
            for name in re.findall(r"\bbuild/evidence/([\w.-]*\w)", page.read_text(encoding="utf-8")):
                if name not in names:
                    problems.append(f"{page.name}: names build/evidence/{name}, which {LIST.name} does not have")
    return names


def wrong_with_made(names: list[str]) -> list[str]:
    """What is wrong with the files of build/evidence."""
    problems = [f"build/evidence/{name}: there is none: scripts/evidence.sh" for name in names if not (MADE / name).exists()]
    for path in sorted(MADE.rglob("*")):
        name = path.relative_to(MADE).as_posix()
        if name.split("/")[0] not in names:
            problems.append(f"build/evidence/{name}: {LIST.name} does not have it")
        if path.is_file() and path.stat().st_size == 0 or path.is_dir() and not any(path.iterdir()):
            problems.append(f"build/evidence/{name}: is empty")
        if name in MEASURED_ON and made_from(name) not in path.read_text(encoding="utf-8"):
            problems.append(f"build/evidence/{name}: was made from other sources than these: scripts/evidence.sh")
        if path.suffix in (".md", ".html"):
            problems += dead_links(path)
    return problems


def names_in_cmake() -> re.Pattern[str]:
    """Names of tests as CMake's files have them, each variable anything; those of programs also with the ending `.exhaustive`."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("CMakeLists.txt"))]
    found = {name for text in texts for name in re.findall(r"(?:_test|_test_part|NAME)\((?:\w+ )?([a-z]\w*\.[\w.${}]*\w[}]?)|\bsupremum_test\((\w+)", text)}
    names = {re.sub(r"\\\$\\\{\w+\\\}", r"\\w+", re.escape(scripted)) if scripted else rf"{program}\.exhaustive" for scripted, program in found}
    return re.compile("|".join(sorted(names)))


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
    of_ctest = names_in_cmake()
    for page, text in pages.items():
        for number, line in enumerate(re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.M | re.S).splitlines(), 1):
            names = [name for name in re.findall(r"`(\w+\.\w+)`", line) if not re.search(r"\.(?:h|cc|md|py|sh|json|csv|html|a|so|txt)$", name)]
            is_known = of_ctest.fullmatch if page == "exhaustive.md" else known_tests.__contains__
            problems += [f"{page}:{number}: there is no test {name}" for name in names if not is_known(name)]
            problems += [f"{page}:{number}: there is no rule {rule}" for rule in rule_table.mentioned(line, {r.split("-")[0] for r in rules}) if rule not in rules]
            problems += [f"{page}:{number}: there is no {name}" for name in re.findall(r"\b(?:AOU|KP)-\d+\b", line) if name not in ids]
            problems += [f"{page}:{number}: a digest, which changes with the sources" for _ in re.findall(r"\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b", line)]
            cited += len(names)
            is_row = line.startswith("| ")
            if page in ARGUED and is_row and not re.match(r"\| (?:---|id |statement )", line) and not CITATION.search(line.split("|", 2)[2]):
                problems.append(f"{page}:{number}: a statement without a rule, a test or a page")
    for path in sorted(EVIDENCE.glob("*.html")):
        problems += dead_links(path)
    made = made_files(problems)
    problems += [f"MEASURED_ON: {page}: there is no {name}" for page, names in MEASURED_ON.items() for name in names if not (ROOT / name).exists()]
    if "--made" in sys.argv[1:]:
        problems += wrong_with_made(made)
    for problem in problems:
        print(problem)
    if not problems:
        print(f"{len(pages)} pages, {cited} citations of tests: all exist" + (f"; {len(made)} made from these sources" if "--made" in sys.argv[1:] else ""))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
