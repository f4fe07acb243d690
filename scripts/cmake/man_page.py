#!/usr/bin/env python3
"""Writes the manual page supremum(1) from the command's own help, so that there is one text.

    scripts/cmake/man_page.py COMMAND PAGE    COMMAND is the built `supremum`, PAGE the file to write

The help's lists of options, positionals and verbs become tagged paragraphs; lines without indentation become text; indented lines
are not changed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LISTS = {"Positionals:", "Options:", "Verbs:"}
ENTRY = re.compile(r"^  (\S.*?)(?:\s{2,}(\S.*))?$")
MORE_OF_ENTRY = re.compile(r"^ {20,}(\S.*)$")


def escaped(text: str) -> str:
    """`text` with every special character of roff escaped."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + text if text.startswith(".") else text


def help_of(command: str, *verb: str) -> list[str]:
    output = subprocess.run([command, *verb, "--help"], capture_output=True, text=True, check=True).stdout
    return output.strip("\n").split("\n")


def entries(lines: list[str]) -> list[tuple[str, str]]:
    """The terms of a list and their descriptions."""
    found: list[tuple[str, str]] = []
    for line in lines:
        if more := MORE_OF_ENTRY.match(line):
            term, text = found[-1]
            found[-1] = (term, f"{text} {more[1]}".strip())
        elif entry := ENTRY.match(line):
            found.append((entry[1], entry[2] or ""))
        else:
            raise SystemExit(f"man_page.py: cannot read '{line}'")
    return found


def blocks(lines: list[str]) -> Iterator[list[str]]:
    """Runs of lines between empty ones; a heading of a list begins one too."""
    block: list[str] = []
    for line in [*lines, ""]:
        if line in LISTS or not line:
            if block:
                yield block
            block = []
        if line:
            block.append(line)


def body(lines: list[str]) -> list[str]:
    """The roff of a help text."""
    page: list[str] = []
    for block in blocks(lines):
        if block[0] in LISTS:
            page += [".PP", escaped(block[0])]
            for term, text in entries(block[1:]):
                page += [".TP", f"\\fB{escaped(term)}\\fR", escaped(text)]
            continue
        page.append(".PP")
        verbatim = False
        for line in block:
            if line.startswith(" ") != verbatim:
                verbatim = not verbatim
                page.append(".EX" if verbatim else ".EE")
            page.append(escaped(line))
        if verbatim:
            page.append(".EE")
    return page


def page_of(command: str) -> str:
    top = help_of(command)
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    summary, usage = top[0].rstrip("."), top[1].removeprefix("Usage: ")
    verbs_at = top.index("Verbs:")
    verbs = [term for term, _ in entries(top[verbs_at + 1 : top.index("", verbs_at)])]
    page = [f'.TH SUPREMUM 1 "" "{version}" "User Commands"']
    page += [".SH NAME", f"supremum \\- {escaped(summary[0].lower() + summary[1:])}"]
    page += [".SH SYNOPSIS", f"\\fB{escaped(usage)}\\fR", ".SH DESCRIPTION", *body(top[2:])]
    page.append(".SH VERBS")
    for verb in verbs:
        lines = help_of(command, verb)
        usage_at = next(number for number, line in enumerate(lines) if line.startswith("Usage: "))
        page += [f".SS {escaped(verb)}", f"\\fB{escaped(lines[usage_at].removeprefix('Usage: '))}\\fR"]
        page += body(lines[:usage_at]) + body(lines[usage_at + 1 :])
    return "\n".join(page) + "\n"


def main() -> int:
    if len(sys.argv) != 3:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    Path(sys.argv[2]).write_text(page_of(sys.argv[1]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
