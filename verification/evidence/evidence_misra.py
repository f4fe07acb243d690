#!/usr/bin/env python3
"""Watches over docs/evidence/misra.md: the table is complete, and the rooms have nothing of what it says they do not use.

    verification/evidence/evidence_misra.py --check    exit status 1, with a line for each thing that is wrong

What can be told from words alone is told here, over core, rules, lane, kernels and ops, their public headers included, without comments and
texts; the compiler, the
sanitizers and the graph of calls (evidence_calls.py) watch over more, as the table says.
"""

from __future__ import annotations

import argparse
import re
import sys

from evidence_common import EVIDENCE, ROOT, files_below

ROOMS = ["src/core", "src/rules", "src/lane", "src/kernels", "src/ops",
         *(f"include/supremum/{name}.h" for name in "bounds broadcast dtype max opset reduce_max result shape supremum target tensor tensor_view verdict".split())]

# The guidelines of MISRA C++:2023, D for directives: 175 rules and 4 directives.
GUIDELINES = {
    category: ids.split()
    for category, ids in {
        "required": (
        "0.0.1 0.1.2 0.2.2 D0.3.2 4.1.1 4.1.3 4.6.1 5.7.1 5.7.3 5.10.1 5.13.1 5.13.2 5.13.3 5.13.4 5.13.5 5.13.6 5.13.7 6.0.1 "
        "6.0.4 6.2.1 6.2.2 6.2.3 6.2.4 6.4.1 6.4.2 6.4.3 6.7.1 6.7.2 6.8.1 6.8.3 6.9.1 7.0.1 7.0.2 7.0.3 7.0.4 7.0.5 7.0.6 "
        "7.11.1 7.11.2 7.11.3 8.1.1 8.2.1 8.2.2 8.2.3 8.2.4 8.2.5 8.2.6 8.2.8 8.2.9 8.2.10 8.2.11 8.7.1 8.7.2 8.9.1 9.2.1 9.3.1 "
        "9.4.1 9.4.2 9.5.2 9.6.2 9.6.3 9.6.4 9.6.5 10.1.2 10.2.1 10.2.3 10.4.1 11.6.3 12.2.2 12.2.3 12.3.1 13.1.2 13.3.1 13.3.2 "
        "13.3.3 13.3.4 15.0.1 15.1.1 15.1.3 15.1.5 D15.8.1 16.5.1 16.5.2 17.8.1 18.1.1 18.1.2 18.3.2 18.3.3 18.4.1 19.0.1 "
        "19.0.2 19.1.1 19.1.2 19.1.3 19.2.1 19.2.2 19.2.3 19.3.2 19.3.3 19.3.4 19.3.5 21.2.1 21.2.2 21.2.3 21.2.4 21.6.2 21.6.3 "
        "21.6.4 21.6.5 21.10.1 21.10.2 21.10.3 22.3.1 22.4.1 24.5.1 24.5.2 25.5.1 28.3.1 28.6.1 28.6.2 28.6.3 28.6.4 30.0.1 "
        "30.0.2 "
        ),
        "advisory": (
        "0.0.2 0.1.1 0.2.1 0.2.3 0.2.4 D0.3.1 4.1.2 5.0.1 D5.7.2 6.0.2 6.0.3 6.5.1 6.5.2 6.8.4 6.9.2 8.0.1 8.1.2 8.2.7 8.3.1 "
        "8.3.2 8.14.1 8.18.2 8.19.1 8.20.1 9.5.1 9.6.1 10.0.1 10.1.1 10.2.2 10.3.1 11.3.1 11.3.2 11.6.1 12.2.1 13.1.1 14.1.1 "
        "15.0.2 15.1.2 15.1.4 16.6.1 18.3.1 18.5.1 18.5.2 19.0.3 19.0.4 19.3.1 19.6.1 21.6.1 23.11.1 26.3.1 "
        ),
        "mandatory": (
        "6.8.2 8.18.1 11.6.2 25.5.2 25.5.3 "
        ),
    }.items()
}

# What a guideline's "script" in the table looks for: guidelines, words, what may stay.
FORBIDDEN = [
    ("5.13.2", r"\\x[0-9A-Fa-f]+[G-Zg-z]", ()),
    ("5.13.3", r"(?<![\w.'])0[0-9]+(?![\w.xX'])", ()),
    ("5.13.5 5.13.6", r"(?<![\w'])\d[\d']*(?:[uU]?[lL]+[uU]?)\b", ()),
    ("7.11.1", r"\bNULL\b", ()),
    ("8.2.3", r"\bconst_cast\b", ()),
    ("8.2.9", r"\b(?:typeid|dynamic_cast)\b", ()),
    ("8.2.11 21.10.1", r"\bva_(?:list|start|arg)\b|<cstdarg>", ()),
    ("9.6.1 9.6.2 9.6.3", r"\bgoto\b", ()),
    ("10.1.2", r"(?<!_)\bvolatile\b", ()),
    ("10.2.1 10.2.2 10.2.3", r"\benum\s+(?!class \w+ : )", ()),
    ("10.4.1", r"\basm\b|\b__asm__\b", ("src/kernels/simd_lanes-inl.h", "src/kernels/simd_access-inl.h")),
    ("12.2.1 12.2.2 12.2.3", r"^\s+(?:unsigned|int|std::u?int\d+_t|bool)\s+\w+\s*:\s*\d+\s*;", ()),
    ("12.3.1", r"\bunion\b", ()),
    ("13.1.1 13.1.2 13.3.1 13.3.2 13.3.4 15.1.1", r"\b(?:virtual|override)\b", ("include/supremum/result.h",)),
    ("18.1.1 18.1.2", r"\bthrow\b", ("include/supremum/result.h",)),
    ("18.3.2 18.3.3", r"\b(?:try|catch)\b", ("src/core/out_of_memory.h", "src/ops/parallel.cc")),
    ("18.5.2", r"\b(?:abort|exit|quick_exit|_Exit|terminate)\s*\(", ("include/supremum/result.h",)),
    ("19.0.2 19.3.1 19.3.2 19.3.3 19.3.4 19.3.5", r"^\s*#\s*define\s+\w+\(", ("src/kernels/simd_targets.h",)),
    ("19.6.1", r"^\s*#\s*pragma|\b_Pragma\b", ()),
    ("21.2.1", r"\bato(?:f|i|l|ll)\b", ()),
    ("21.2.2", r"\bstr(?:cpy|cat|cmp|len|chr|str|tok|ncpy|ncat|ncmp|tol|toul|tod)\b", ()),
    ("21.2.3", r"\bsystem\s*\(", ()),
    ("21.2.4", r"\boffsetof\b", ()),
    ("21.6.4", r"\bvoid\s+operator (?:delete|new)", ()),
    ("21.10.2 21.10.3", r"<c(?:setjmp|signal)>", ()),
    ("22.4.1", r"\berrno\b", ()),
    ("24.5.1", r"<cw?ctype>", ()),
    ("25.5.1 25.5.2 25.5.3", r"\b(?:setlocale|localeconv|getenv|strerror|asctime|ctime|gmtime|localtime)\b", ()),
    ("26.3.1", r"std::vector<bool>", ()),
    ("30.0.1 30.0.2", r"<cstdio>|<fstream>|<iostream>", ()),
]


def bare(text: str) -> str:
    """C++ without comments, texts and characters; lines stay where they are."""
    token = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])\''
    return re.sub(token, lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.DOTALL)


def check_words(texts: dict[str, str]) -> list[str]:
    """The words that must not occur, with file and line."""
    problems: list[str] = []
    for guidelines, words, allowed in FORBIDDEN:
        for name, text in texts.items():
            if name in allowed:
                continue
            for found in re.finditer(words, text, re.MULTILINE):
                line = text.count("\n", 0, found.start()) + 1
                problems.append(f"{name}:{line}: '{found[0].strip()}' (MISRA {guidelines})")
    return problems


def check_table() -> list[str]:
    """What is wrong with the page."""
    problems: list[str] = []
    page = (EVIDENCE / "misra.md").read_text(encoding="utf-8")
    expected = {number: category for category, numbers in GUIDELINES.items() for number in numbers}
    rows = [(("D" if directive else "") + number, *rest) for directive, number, *rest in
            re.findall(r"^\| (Dir )?(\d+\.\d+\.\d+) \| (\w+) \| .*? \| ([\w ]+) \| (.*) \|$", page, re.MULTILINE)]  # fmt: skip
    for status, how, numbers in re.findall(r"^- ([\w ]+), ([\w; ]+): ((?:Dir |[\d., \n])+)\.$", page, re.MULTILINE):
        listed = re.sub(r"\s+", "", numbers.replace("Dir ", "D")).split(",")
        rows += [(number, expected.get(number, "unknown"), status, f"by {how}" if how != "script" else how) for number in listed]
    problems += [f"misra.md: {number} has another category" for number, category, *_ in rows if expected.get(number) != category]
    if sorted(number for number, *_ in rows) != sorted(expected):
        problems.append(f"misra.md: not every guideline once: {sorted(expected.keys() ^ {number for number, *_ in rows})}")
    watched = {number for numbers, _, _ in FORBIDDEN for number in numbers.split()}
    for number, _, status, how in rows:
        if status not in ("complied", "not used", "deviated") or len(how) < 6:
            problems.append(f"misra.md: {number} has no status, or no reason")
        if re.match(r"script\b(?!s)", how) and number not in watched:
            problems.append(f"misra.md: {number} says that this script watches; it does not")
    return problems


def self_test() -> list[str]:
    """The planted words that nobody noticed."""
    planted = ["goto x;", "union U {};", "throw 1;", "int n = 017;", "enum Colour { kRed };", "x = const_cast<int*>(y);", "#define F(x) x",
               "  unsigned bits : 3;", "virtual void f();", "#pragma once", "std::abort();", "long n = 1L;"]  # fmt: skip
    return [f"'{text}' goes unnoticed" for text in planted if not check_words({"x.cc": bare(text)})] + [
        f"'{text}' is no fault" for text in ('"goto"', "// throw", "enum class A : int {", "0x1F", "1'000", "0.5") if check_words({"x.cc": bare(text)})
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", required=True)
    parser.parse_args()
    texts = {str(path): bare((ROOT / path).read_text(encoding="utf-8")) for path in files_below(*ROOMS)}
    problems = check_table() + check_words(texts) + self_test()
    for problem in problems:
        print(problem)
    if not problems:
        print(f"{sum(map(len, GUIDELINES.values()))} guidelines in the table; {len(FORBIDDEN)} patterns looked for in {len(texts)} files")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
