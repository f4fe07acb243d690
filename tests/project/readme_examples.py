#!/usr/bin/env python3
"""Extracts the examples of README.md, docs/library.md, docs/numpy.md and docs/evidence/manual.md, so that they are built and run; and runs
pages that are pasted from their first command to their last, such as the tutorials.

    tests/project/readme_examples.py --extract FOLDER [PAGE...]
                                                        writes example_1.cc, example_2.cc, ... one for each block of C++, then those
                                                        of C as example_N.c, and the block of CMake as CMakeLists.txt; of these pages,
                                                        or of the above
    tests/project/readme_examples.py --run FOLDER PROGRAM...
                                                        runs the commands of the console blocks, the programs, and the blocks of
                                                        Python if the module is found, page by page and in their order, in FOLDER,
                                                        which is emptied first: README.md comes first and makes the files
    tests/project/readme_examples.py --paste FOLDER --build BUILD PAGE...
                                                        runs the blocks of `sh` and `console` of each page, in order, in one shell, in
                                                        a folder that looks like the repository's root with BUILD as build/release

--extract prints the names of the sources, a line each. A program must print the text that its
source has after `// prints`, or `# prints` in Python; a command must end with exit status 0. Commands are looked up on PATH.
With --paste, each line of a console block that begins with `$ ` is a command, and the lines below it are all that it prints; `...` in
them is any text of that line, and a line that is only `...` is any number of lines.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "library.md", ROOT / "docs" / "numpy.md", ROOT / "docs" / "evidence" / "manual.md"]


def blocks(*languages: str, pages: list[Path] = PAGES) -> list[tuple[str, str]]:
    """The language and the text of the blocks of some languages, in their order, those of README.md first."""
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    return re.findall(rf"^```({'|'.join(languages)})\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def write(path: Path, text: str) -> None:
    """Writes a file only if its text changes, so that targets built from it stay up to date."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def sources(pages: list[Path] = PAGES) -> list[tuple[str, str]]:
    """The suffix and the text of every program, in the order in which they are numbered."""
    return [("cc", text) for _, text in blocks("cpp", pages=pages)] + [("c", text) for _, text in blocks("c", pages=pages)]


def extract(folder: Path, pages: list[Path]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, (ending, text) in enumerate(sources(pages), start=1):
        path = folder / f"example_{number}.{ending}"
        write(path, text)
        print(path)
    for _, text in blocks("cmake", pages=pages)[:1]:
        write(folder / "CMakeLists.txt", text)


def run(folder: Path, programs: list[str]) -> int:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    texts = [text for _, text in sources()]
    if len(programs) != len(texts):
        print(f"{len(texts)} blocks of C++ and C, and {len(programs)} programs")
        return 1
    failures = 0
    counts = {"console": 0, "cpp": 0, "c": 0, "python": 0}
    has_module = importlib.util.find_spec("supremum") is not None

    def expect(command: str | list[str], shown: str, expected: list[str] | None) -> None:
        nonlocal failures
        done = subprocess.run(command, shell=isinstance(command, str), cwd=folder, capture_output=True, text=True, check=False)
        printed = [line.strip() for line in done.stdout.splitlines()]
        ends_a_line = done.stdout == "" or done.stdout.endswith("\n")
        if done.returncode != 0 or not ends_a_line or (expected is not None and printed != expected):
            failures += 1
            print(f"{shown}\nexit status {done.returncode}, expected {expected}, printed:\n{done.stdout}{done.stderr}")

    for language, text in blocks(*counts):
        if language == "console":
            for line in text.splitlines():
                if line.startswith("$ "):
                    counts[language] += 1
                    expect(line[2:], line, None)
            continue
        if language == "python" and not has_module:
            continue
        counts[language] += 1
        expected = [line.strip() for line in re.findall(r"(?://|#) prints (.*)", text)]
        expect([sys.executable, "-c", text] if language == "python" else [programs[texts.index(text)]], text, expected)
    print(", ".join(f"{count} of {language}" for language, count in counts.items()) + f"; {failures} failed")
    return 1 if failures or not all(counts[language] for language in ("console", "cpp", "c")) else 0


def steps(page: Path) -> list[tuple[str, list[str] | None]]:
    """What is pasted, and the lines that it must print; None where the page does not say."""
    found: list[tuple[str, list[str] | None]] = []
    text = page.read_text(encoding="utf-8")
    for language, block in re.findall(r"^```(sh|console)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if language == "sh":
            found.append((block, None))
            continue
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:] + "\n", []))
            elif found and (expected := found[-1][1]) is not None:
                expected.append(line)
    return found


def matches(expected: list[str], printed: str) -> bool:
    """Whether the lines are those that the page has."""
    pattern = ""
    for line in expected:
        escaped = re.escape(line.rstrip()).replace(re.escape("..."), "[^\n]*")
        pattern += "(?:[^\n]*\n)*?" if line == "..." else escaped + " *\n"
    return re.fullmatch(pattern, printed) is not None


def paste(folder: Path, build: Path, pages: list[Path]) -> int:
    """Runs each page in a folder of its own, with links to everything that is in the repository but build folders."""
    failures = 0
    for page in pages:
        root = folder / page.stem
        shutil.rmtree(root, ignore_errors=True)
        (root / "build").mkdir(parents=True)
        for entry in ROOT.iterdir():
            if entry.name not in {"build", ".git"}:
                (root / entry.name).symlink_to(entry)
        (root / "build" / "release").symlink_to(build.resolve(), target_is_directory=True)
        (root / "build" / "evidence").symlink_to(ROOT / "build" / "evidence", target_is_directory=True)  # where scripts write
        wanted = steps(page)
        mark = "\x1e"  # a control character, which no command prints
        script = "".join(f"{command}printf '{mark}%s\\n' $?\n" for command, _ in wanted)
        result = subprocess.run(["bash", "-c", script], cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=False)
        printed = re.findall(rf"(.*?){mark}(\d+)\n", result.stdout, re.DOTALL)
        if not wanted or len(printed) != len(wanted):
            failures += 1
            print(f"{page.name}: {len(wanted)} commands, of which {len(printed)} ran\n{result.stdout}")
        for (command, expected), (text, status) in zip(wanted, printed):
            if status != "0" or (expected is not None and not matches(expected, text)):
                failures += 1
                shown = "" if expected is None else "".join(f"{line}\n" for line in expected)
                print(f"{page.name}: $ {command}exit status {status}, printed\n{text}-- the page has\n{shown}")
        print(f"{page.name}: {len(wanted)} commands")
    return 1 if failures or not pages else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--extract", type=Path, metavar="FOLDER")
    parser.add_argument("--run", type=Path, metavar="FOLDER")
    parser.add_argument("--paste", type=Path, metavar="FOLDER")
    parser.add_argument("--build", type=Path, metavar="BUILD")
    parser.add_argument("programs", nargs="*", help="of --run: the programs; of --extract and --paste: the pages")
    args = parser.parse_args()
    if args.extract:
        extract(args.extract, [Path(page) for page in args.programs] or PAGES)
    if args.run:
        return run(args.run, args.programs)
    if args.paste:
        return paste(args.paste, args.build, [Path(page) for page in args.programs])
    return 0


if __name__ == "__main__":
    sys.exit(main())
