#!/usr/bin/env python3
"""Checks the form of every text file that is, or would be, in the repository.

    tests/project/check_text.py [ROOT]    exit status 1, with file:line, if something is wrong

- no path of one particular machine (a home folder, a temporary folder): it does not exist elsewhere
- no whitespace at the end of a line, a newline at the end of a file, no carriage return; no tab in C++, Python, shell and CMake
- README.md has at most 150 lines, a decision page at most 60
- a comment line of C++ that begins with /// has at most 110 characters: clang-format does not break these (.clang-format)
- the target of every relative link in a Markdown page exists in this tree, and so does the heading that it names
- every Markdown page is reached from README.md by links
- the files that state the project's version state the same one

Files are those that git tracks or would track; outside a git checkout, all files but those in build folders.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

# Not after a letter, digit, dot or a closing brace or parenthesis: such a path is relative.
MACHINE_PATH = re.compile(r"(?<![\w.~$)}*/-])/(?:work|home|root|tmp|Users)(?![\w.-])")
LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
NO_TABS = {".h", ".cc", ".cpp", ".hpp", ".c", ".py", ".pyi", ".sh", ".cmake"}
MOST_LINES = [(re.compile(r"README\.md"), 150), (re.compile(r"docs/decisions/[^/]+\.md"), 60)]
MOST_CHARACTERS_OF_A_CONTRACT = 110
# file -> the line that has the version; CMakeLists.txt has the one that counts
VERSIONS = {
    "CMakeLists.txt": r"^project\(supremum VERSION (\S+)",
    "pyproject.toml": r"^version = \"(.+)\"$",
    "CITATION.cff": r"^version: (.+)$",
    "debian/changelog": r"\Asupremum \((\S+)-\d+\)",
}
NOT_WALKED = {".git", "build", "__pycache__"}


def files_of(root: Path) -> list[Path]:
    """The files to check, relative to `root`."""
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"]
    try:
        # A tree inside another checkout is walked instead: the ignore rules of that checkout do not apply to it.
        top = subprocess.run(["git", "-C", str(root), "rev-parse", "--show-toplevel"], capture_output=True, text=True, check=True)
        if Path(top.stdout.strip()).resolve() == root:
            names = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\0")
            return sorted(Path(name) for name in names if name and (root / name).is_file())
    except (OSError, subprocess.CalledProcessError):
        pass
    found: list[Path] = []
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [name for name in subfolders if name not in NOT_WALKED]
        found += [(Path(folder) / name).relative_to(root) for name in names]
    return sorted(found)


def text_of(file: Path) -> str | None:
    """The file's text; None if it is not a text."""
    content = file.read_bytes()
    try:
        return None if b"\0" in content else content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def check_lines(path: Path, text: str) -> list[str]:
    """What is wrong with single lines, and with the number of lines."""
    problems: list[str] = []
    lines = text.split("\n")
    no_tabs = path.suffix in NO_TABS or path.name == "CMakeLists.txt" or (text.startswith("#!") and not text.startswith("#!/usr/bin/make"))
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        if line != line.rstrip() and path.suffix != ".patch":  # an empty line of context is a blank
            problems.append(f"{where}: whitespace at the end of the line")
        if no_tabs and "\t" in line:
            problems.append(f"{where}: a tab")
        if path.suffix in {".h", ".cc"} and line.lstrip().startswith("///") and len(line) > MOST_CHARACTERS_OF_A_CONTRACT:
            problems.append(f"{where}: {len(line)} characters; at most {MOST_CHARACTERS_OF_A_CONTRACT} are allowed")
        if match := MACHINE_PATH.search(line):
            problems.append(f"{where}: '{match[0]}' is a path of one machine")
    if text and not text.endswith("\n"):
        problems.append(f"{path}:{len(lines)}: no newline at the end of the file")
    for pattern, most in MOST_LINES:
        if pattern.fullmatch(path.as_posix()) and len(lines) - 1 > most:
            problems.append(f"{path}:{most + 1}: {len(lines) - 1} lines; at most {most} are allowed")
    return problems


def links_of(text: str) -> list[tuple[int, str]]:
    """The relative links of a Markdown page, with their lines."""
    links: list[tuple[int, str]] = []
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if fenced:
            continue
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if not re.match(r"[a-z][a-z0-9+.-]*:", target):
                links.append((number, target))
    return links


def check_links(root: Path, path: Path, text: str) -> list[str]:
    """The relative links of a Markdown page without a target."""
    problems: list[str] = []
    for number, target in links_of(text):
        name = target.split("#")[0]
        if not name:
            continue
        linked = Path(os.path.normpath(root / path.parent / name))
        if not linked.is_relative_to(root):
            problems.append(f"{path}:{number}: the link '{target}' leaves the tree")
        elif not linked.exists():
            problems.append(f"{path}:{number}: the link '{target}' has no target")
    return problems


def headings_of(text: str) -> set[str]:
    """The fragments of a page's headings, as GitHub makes them of the text."""
    fragments: set[str] = set()
    fenced = False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if not fenced and (match := re.match(r"#+ +(.*?) *$", line)):
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[1]).lower()
            fragment = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
            again = sum(1 for other in fragments if re.fullmatch(re.escape(fragment) + r"(-\d+)?", other))
            fragments.add(f"{fragment}-{again}" if again else fragment)
    return fragments


def check_pages(pages: dict[Path, str]) -> list[str]:
    """Links to headings that are not there, and pages that README.md does not lead to."""
    problems: list[str] = []
    linked: dict[Path, set[Path]] = {}
    headings = {path: headings_of(text) for path, text in pages.items()}
    for path, text in pages.items():
        linked[path] = set()
        for number, target in links_of(text):
            name, _, fragment = target.partition("#")
            page = Path(os.path.normpath(path.parent / name)) if name else path
            if page not in pages:
                continue
            linked[path].add(page)
            if fragment and fragment not in headings[page]:
                problems.append(f"{path}:{number}: '{page}' has no heading '#{fragment}'")
    reached: set[Path] = set()
    waiting = [Path("README.md")]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            waiting.extend(linked.get(page, ()))
    problems += [f"{page}: no link leads to this page from README.md" for page in sorted(set(pages) - reached)]
    return problems


def check_versions(texts: dict[str, str]) -> list[str]:
    stated = {name: re.findall(pattern, texts[name], re.MULTILINE) for name, pattern in VERSIONS.items() if name in texts}
    expected = stated.get("CMakeLists.txt")
    return [f"{name}: version {', '.join(found) or 'not stated'}, not {', '.join(expected)}"
            for name, found in stated.items() if expected and found != expected]  # fmt: skip


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
    problems: list[str] = []
    pages: dict[Path, str] = {}
    texts: dict[str, str] = {}
    for path in files_of(root):
        text = text_of(root / path)
        if text is None:
            continue
        problems += check_lines(path, text)
        if str(path) in VERSIONS:
            texts[str(path)] = text
        if path.suffix == ".md":
            problems += check_links(root, path, text)
            pages[path] = text
    problems += check_pages(pages) + check_versions(texts)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
