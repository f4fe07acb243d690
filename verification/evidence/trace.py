#!/usr/bin/env python3
"""The trace: from each rule of docs/semantics.md to its text, code, tests, fault, theorems and conformance cases; and what pages cite.

    verification/evidence/trace.py --check        exit status 1, with a line for each hole and each citation of what does not exist
    verification/evidence/trace.py --write        the same, and writes build/evidence/trace.csv (a link a line) and trace.html
    verification/evidence/trace.py --made         the same as --check, and checks the files of build/evidence that scripts made
    verification/evidence/trace.py --count        prints the number of tests of each class of attacks
    verification/evidence/trace.py --self-test    exit status 1 if a planted tag counts for something, or a link that is gone is no hole

A link is one of these, and nothing else:
- code: a file that names the rule outside its comments, and the file into which the rule's fault is put
- test: the test directly below `// Rules: ORD-2, ORD-3`
- fault: that of verification/faults/table.py which tests that cite the rule must detect
- proof: a line of verification/proofs/rules.txt; its quotation must be a part of what the theorem states
- case: a conformance case that names the rule
A rule without code, test or fault is a hole. So is one without a proof or a case, unless UNPROVED, or REASONS of kit/cases/completeness.py,
says why. Of pages: docs/evidence must cite tests, rules and ids that exist, docs/hardening.md tests, and docs files of build/evidence that
docs/decisions/0019-generated-files.md lists.
"""

from __future__ import annotations

import argparse
import ast
import csv
import html
import io
import os
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from evidence_common import EVIDENCE, MADE, MEASURED_ON, ROOT, made_from

for folder in ("verification/proofs/smt", "kit/cases", "verification/faults"):
    sys.path.insert(0, str(ROOT / folder))

import enclosure  # noqa: E402  (verification/proofs/smt)
import exact_sums  # noqa: E402  (verification/proofs/smt)
import faults  # noqa: E402  (verification/faults)
import order  # noqa: E402  (verification/proofs/smt)
import theorems  # noqa: E402  (verification/proofs/smt)
import write_cases  # noqa: E402  (kit/cases)
from completeness import REASONS as NOT_IN_A_FILE  # noqa: E402  (kit/cases)

# rule -> what of it no proof shows, and why
UNPROVED = {
    "TYP-2": "A check of arguments. That a kernel has one element type is in its type, in C++ as in the proofs.",
    "TYP-3": "A table of versions: there is nothing to derive. Tests and cases go through every version and type.",
    "TYP-4": "The order of bool is proved. The table of versions is compared by tests and cases, each version with each type.",
    "TYP-5": "A table of types. Tests and cases go through all of them.",
    "MAX-1": "Any number of inputs is proved. The limit of 2147483647 is a check; that time is linear is measured (max_inputs_bench).",
    "MAX-3": "A choice by version: then shapes are compared. Tests and cases have every version.",
    "MAX-5": "A table of versions. Tests and cases have versions between two others.",
    "BRO-4": "Every rank is proved, scalars included. The limit of 64 dimensions is a check, with tests on both sides of it.",
    "RED-4": "Which of attribute and input is given, and the default, are reading a graph: tests and cases.",
    "RED-5": "The identity is proved. What is an attribute, what an input, and the defaults are reading a model: tests and cases.",
    "PRO-1": "Whether a model has a sparse tensor is reading a file: tests and cases.",
    "PRO-2": "Whether a model states a shape is reading a file: tests and cases.",
    "PRO-3": "Whether a model states a type is reading a file: tests and cases.",
    "PRO-4": "Whether a model writes an attribute is reading a file: tests and cases.",
    "PRO-5": "What a model declares is read from a file, and compared: tests and cases.",
    "PRO-6": "A comparison of shapes, in place of broadcasting: tests and cases.",
    "MEM-3": "The proved programs have no allocation to speak of. That the library's runs have none is counted by tests.",
    "ACC-4": "Proved of the header as clang 16 compiles it; other compilers' code is compared, of 16-bit floats.",
}

RULE_ROW = re.compile(r"^\| ([A-Z]{3}-\d+|E\d) \| (.*) \|$", re.MULTILINE)
TEST = re.compile(r"(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\(\s*(\w+)\s*,\s*(\w+)\s*\)")
IN_CPP = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
DECLARATION = re.compile(r"\s*(?:goal|lemma|axiom|val|let)\s+(?:(?:rec|ghost|lemma|function)\s+)*(\w+)")
LEAST_QUOTED = 5  # characters

# Classes of attacks of docs/hardening.md, and the tests of each. A test counts in the first class that has it, once for all its parameters.
ATTACKS = [
    ("planted and shared files", r"(PlantedFile|PlantedFolder|SharedFolder|SharedFolderCommand|Temporaries)\..*"),
    ("inputs that change while they are read", r"(ChangedInput|OpenedOnce)\..*|FileBytes\.AFileThat(Shrinks|IsChanged).*"),
    ("ambiguous JSON", r"(Json|OneDnnHostile)\..*|Safetensors\.(AHeaderHas|NothingBut|AKey).*"),
    ("Python", r"(hostile_test|hostile_torch_test)\..*"),
    ("folders that are filled", r"(NewFolder|MountedFolder)\..*|Gen\.A(Folder|nEmptyFolder|Failure).*|"
     r"(audit_test\.Issues|files_test\.FoldersOfCases)\.test_a(_folder|fter).*"),
    ("signals", r"Signal\..*|audit_test\.UntrustedRunners\.test_an_interruption.*"),
    ("limits of the system", r"(ResourceLimit|LoweredLimit)\..*"),
    ("faults of the system, one output or several", r"(Faults|VerbFaults)\..*"),
    ("faults of the system, streams and memory", r"(StreamFaults|\w*OutOfMemory)\..*"),
    ("status and output", r"(Outputs|Output)\..*"),
    ("ambiguous archives and checksums", r"Zip\..*|ExternalData\.(HasTheChecksum|HasAChecksum|IsReadForItsChecksum).*"),
    ("the limits of the command", r"Limits\..*"),
    ("the inference's subprocess", r"Sandbox\..*|Check\.(AnAnswer|WhatTheModelStates|JsonSaysWhat|TheReportSays).*"),
    ("texts that are markup or commands", r"(Escape|HostileNames|Quote)\..*|audit_test\.(UntrustedRunners|Reports)\..*"),
]
LEAST_TESTS = 10

ARGUED = ["manual.md", "assumptions.md", "known-problems.md"]
IDS = {"assumptions.md": "AOU", "known-problems.md": "KP"}
CITATION = re.compile(r"\b[A-Z]{3}-\d+\b|\bE[12]\b|`\w+\.\w+`|`[\w/]+\.\w+`|\]\([^)]+\)")
LIST = ROOT / "docs" / "decisions" / "0019-generated-files.md"
LINK = re.compile(r'href="([^"#:]+)(?:#[^"]*)?"|\]\(([^)#:\s]+)(?:#[^)]*)?\)')

Links = dict[str, list[tuple[str, str]]]  # rule -> (name, file)


@dataclass
class Trace:
    """Everything that is known of each rule, and what is wrong."""

    texts: dict[str, str]
    code: Links = field(default_factory=lambda: defaultdict(list))
    tests: Links = field(default_factory=lambda: defaultdict(list))
    faults: Links = field(default_factory=lambda: defaultdict(list))
    proofs: Links = field(default_factory=lambda: defaultdict(list))
    cases: Links = field(default_factory=lambda: defaultdict(list))
    statements: dict[str, str] = field(default_factory=dict)  # a proof's name -> what the theorem states
    problems: list[str] = field(default_factory=list)

    def mentioned(self, text: str, where: str) -> list[str]:
        """The rules that a text names, `ORD-1..4` four of them; one that does not exist is a problem, AVX-2 is no rule."""
        prefixes = {rule.split("-")[0] for rule in self.texts}
        found: list[str] = []
        for prefix, first, last, error in re.findall(r"\b([A-Z]{3})-(\d+)(?:\.\.(?:\1-)?(\d+))?\b|\b(E\d)\b", text):
            if error or prefix in prefixes:
                found += [error] if error else [f"{prefix}-{n}" for n in range(int(first), int(last or first) + 1)]
        self.problems += [f"{where}: {rule} does not exist" for rule in found if rule not in self.texts]
        return [rule for rule in found if rule in self.texts]

    def listed(self, text: str, where: str) -> list[str]:
        """The rules of a text that has nothing but them."""
        found = self.mentioned(text, where)
        if not found or re.sub(r"[A-Z]{3}-\d+(\.\.\d+)?|E\d|[,\s]", "", text):
            self.problems.append(f"{where}: cannot read the list of rules '{text.strip()}'")
        return found


def files(*folders: str) -> list[Path]:
    """The C++ files of folders."""
    return sorted(p for folder in folders for p in (ROOT / folder).rglob("*") if p.suffix in {".h", ".cc"})


def without_comments(text: str) -> str:
    """C++ without its comments; strings stay."""
    return IN_CPP.sub(lambda found: "" if found[0].startswith(("//", "/*")) else found[0], text)


def read_tests(trace: Trace, path: str, text: str) -> None:
    """The tests of a file below their rules."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not (tag := re.match(r"\s*// Rules:(.*)", line)):
            continue
        where, below = f"{path}:{number + 1}", number + 1
        while below < len(lines) and lines[below].lstrip().startswith("//"):
            below += 1
        test = TEST.match(" ".join(lines[below : below + 3]).lstrip())
        if not test or test[2].startswith("DISABLED_"):
            trace.problems.append(f"{where}: '// Rules:' is not directly above an enabled test")
        for rule in trace.listed(tag[1], where):
            if test:
                trace.tests[rule].append((f"{test[1]}.{test[2]}", path))


def read_code(trace: Trace, path: str, text: str) -> None:
    """The rules that a file names outside its comments; in comments too they must exist."""
    trace.mentioned(text, path)
    for rule in sorted(set(trace.mentioned(without_comments(text), path))):
        trace.code[rule].append((Path(path).name, path))


def statements_of_why3() -> dict[str, str]:
    """What each declaration of verification/proofs/why3 states, by `file.name`; what a clone brings has the statement of the original."""
    stated: dict[str, str] = {}
    clones: dict[str, list[str]] = {}
    for path in (ROOT / "verification/proofs/why3").glob("*.mlw"):
        lines = path.read_text(encoding="utf-8").splitlines()
        clones[path.stem] = re.findall(r"^\s*clone (?:export )?([a-z_]+)\.", "\n".join(lines), re.MULTILINE)
        for number, line in enumerate(lines):
            if declaration := DECLARATION.match(line):
                end = number + 1
                while end < len(lines) and lines[end].strip() and not re.match(r"  = |  \(\*|  (let|lemma|goal|axiom|val|predicate|function)\b|end\b", lines[end]):
                    end += 1
                stated.setdefault(f"{path.stem}.{declaration[1]}", "\n".join(part.removeprefix("  ") for part in lines[number:end]))

    def statement(file: str, name: str) -> str:
        return stated.get(f"{file}.{name}") or next((text for cloned in clones.get(file, []) if (text := statement(cloned, name))), "")

    ledger = [line.split() for line in (ROOT / "verification/proofs/theorems.txt").read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return {name: statement(*name.removesuffix("'refn").split(".")) for name, _ in ledger}


def all_statements() -> dict[tuple[str, str], tuple[str, str]]:
    """By kind of proof and theorem: the file, and all that theorems of that name state."""
    smt = "verification/proofs/smt"
    found = {("why3", name): (f"verification/proofs/why3/{name.split('.')[0]}.mlw", text) for name, text in statements_of_why3().items()}
    lanes: dict[str, set[str]] = defaultdict(set)
    for question in theorems.questions():
        if question.expected == "unsat":
            lanes[question.name].add(question.claim)
    found |= {("lanes", name): (f"{smt}/theorems.py", "\n".join(sorted(claims))) for name, claims in lanes.items()}
    for kind, module in (("ieee", order), ("rounding", enclosure), ("sums", exact_sums)):
        found |= {(kind, name): (f"{smt}/{module.__name__}.py", claim) for name, claim in module.THEOREMS.items()}
    return found


def read_proofs(trace: Trace, text: str, statements: dict[tuple[str, str], tuple[str, str]]) -> None:
    """The lines of rules.txt: a theorem counts if it is proved, and if the quotation is a part of what it states."""
    for number, line in enumerate(text.splitlines(), 1):
        where, cells = f"verification/proofs/rules.txt:{number}", [cell.strip() for cell in line.split(" | ", 3)]
        if not line or line.startswith("#"):
            continue
        if len(cells) != 4 or (cells[1], cells[2]) not in statements:
            trace.problems.append(f"{where}: there is no theorem '{' | '.join(cells[1:3])}'")
            continue
        file, statement = statements[cells[1], cells[2]]
        quoted = " ".join(cells[3].split())
        if len(quoted) < LEAST_QUOTED or quoted not in " ".join(statement.split()):
            trace.problems.append(f"{where}: {cells[2]} does not state '{quoted}'")
            continue
        name = f"{cells[1]}: {cells[2]}"
        trace.statements[name] = statement
        for rule in trace.listed(cells[0], where):
            trace.proofs[rule].append((name, file))


def read_cases(trace: Trace) -> None:
    """The groups of conformance cases: the number of cases, each with one type, or of models that must be refused."""
    for which in (write_cases.CASES, write_cases.FURTHER):
        for group in write_cases.groups(which):
            source = write_cases.sources(which)[group["group"]]
            counts: dict[str, int] = defaultdict(int)
            for case in [*group.get("cases", []), *group.get("invalid", [])]:
                for rule in {*group["rules"], *case.get("rules", []), case.get("verdict", {}).get("rule") or group["rules"][0]}:
                    counts[rule] += len(case.get("bits", "1"))
            for rule, count in counts.items():
                if rule in trace.texts:
                    trace.cases[rule].append((f"{group['group']} ({count})", source))
                else:
                    trace.problems.append(f"{source}: {rule} does not exist")


def rules_of_semantics() -> Trace:
    """The rules, and nothing that belongs to them. A rule's row ends with its origin, an error's has its name and when it is raised."""
    rows = RULE_ROW.findall((ROOT / "docs/semantics.md").read_text(encoding="utf-8"))
    trace = Trace({rule: cells.replace(" | ", ": ") if rule[0] == "E" else cells.split(" | ")[0] for rule, cells in rows})
    trace.problems += [f"{rule}: has two rows" for rule in trace.texts if [row[0] for row in rows].count(rule) > 1]
    return trace


def with_tests() -> Trace:
    """The rules with their tests."""
    trace = rules_of_semantics()
    for path in files("tests", "verification"):
        read_tests(trace, str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
    return trace


def read() -> Trace:
    """All of it but the conformance cases, whose oracle takes long."""
    trace = with_tests()
    for path in files("include", "src", "kit", "tools"):
        read_code(trace, str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
    for rule, (fault, program) in faults.faults_of_rules().items():
        trace.mentioned(rule, "verification/faults/table.py")
        trace.faults[rule].append((f"{fault.name} ({program})", fault.file))
        trace.code[rule].append((Path(fault.file).name, fault.file))
    read_proofs(trace, (ROOT / "verification/proofs/rules.txt").read_text(encoding="utf-8"), all_statements())
    return trace


def holes(trace: Trace) -> list[str]:
    """Each rule that lacks something, and each reason of a rule that does not exist."""
    found: list[str] = []
    for rule in trace.texts:
        links = {"code": trace.code[rule], "test": trace.tests[rule], "fault": trace.faults[rule],
                 "proof": trace.proofs[rule] or UNPROVED.get(rule), "conformance case": trace.cases[rule] or NOT_IN_A_FILE.get(rule)}  # fmt: skip
        found += [f"{rule}: a hole: no {kind}" for kind, here in links.items() if not here]
    for name, reasons in (("UNPROVED", UNPROVED), ("REASONS", NOT_IN_A_FILE)):
        found += [f"{name}: {rule} does not exist" for rule in reasons if rule not in trace.texts]
    return found


def self_test(trace: Trace) -> list[str]:
    """What is wrong with the checks."""
    problems: list[str] = []
    for kind in ("code", "tests", "faults", "proofs", "cases"):
        links = getattr(trace, kind)
        rule = next(rule for rule in trace.texts if links[rule] and rule not in UNPROVED and rule not in NOT_IN_A_FILE)
        kept, links[rule] = links[rule], []
        problems += [] if len(holes(trace)) == 1 else [f"{rule} without {kind} is no hole"]
        links[rule] = kept
    # What is planted, and what is to be read of it: links, problems.
    lemma = {("why3", "order.join_is_attained"): ("order.mlw", "lemma join_is_attained : (* Rules: PRO-1 *) forall a b: t. join a b = canonical a")}
    code, tests, proofs = ("int a;  // PRO-1\n", 0, 0), ("// Rules: PRO-1\nint helper;\n", 0, 1), ("PRO-1 | why3 | order.join_is_attained | is_sparse x", 0, 1)
    planted = [
        (read_code, "a mention in a comment", *code), (read_code, "a mention in code", 'Rule r("PRO-1"); /* PRO-2 */', 1, 0),
        (read_code, "a rule that does not exist", "// PRO-99", 0, 1),
        (read_tests, "a tag that is above no test", *tests), (read_tests, "a tag above a test", "// Rules: PRO-1\nTEST(A, B) {}\n", 1, 0),
        (read_proofs, "a quotation that the lemma does not state", *proofs),
        (read_proofs, "a lemma without a quotation", "PRO-1 | why3 | order.join_is_attained | ", 0, 1),
        (read_proofs, "a theorem that is not proved", "PRO-1 | why3 | order.nothing | join a b", 0, 1),
        (read_proofs, "a quotation", "PRO-1 | why3 | order.join_is_attained | join a b = canonical a", 1, 0),
    ]  # fmt: skip
    for reader, what, text, links_wanted, problems_wanted in planted:
        small = Trace(trace.texts)
        reader(small, *((text, lemma) if reader is read_proofs else ("planted", text)))
        links = sum(len(here) for kind in (small.code, small.tests, small.proofs) for here in kind.values())
        if (links, len(small.problems)) != (links_wanted, problems_wanted):
            problems.append(f"planted: {what}: {links} links, and {small.problems or 'no problem'}")
    links = [(rule, *link) for rule in trace.texts for link in links_of(trace, rule)]
    sections = dict(zip(trace.texts, html_text(trace).split("<h2 ")[1:]))
    rows = [tuple(row) for row in csv.reader(io.StringIO(csv_text(trace)))][1:]
    problems += [] if rows == links and len(sections) == len(trace.texts) else ["trace.csv or trace.html: not every rule and link once"]
    return problems + [f"trace.html: {rule}: {name} is left out" for rule, kind, name, file in links
                       if (item_of(trace, kind, name, file) if kind in KINDS else "" if kind == "text" else html.escape(name)) not in sections[rule]]


def links_of(trace: Trace, rule: str) -> list[tuple[str, str, str]]:
    """Kind, name and file of everything that belongs to a rule."""
    kinds = {"code": trace.code, "test": trace.tests, "fault": trace.faults, "proof": trace.proofs, "case": trace.cases}
    links = [("text", trace.texts[rule], "docs/semantics.md")]
    links += [(kind, *link) for kind, of in kinds.items() for link in sorted(set(of[rule]))]
    reasons = {"not proved": UNPROVED, "not in a file": NOT_IN_A_FILE}
    return links + [(kind, of[rule], "") for kind, of in reasons.items() if rule in of]


def csv_text(trace: Trace) -> str:
    """trace.csv: a line for each link."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["rule", "kind", "name", "file"])
    for rule in trace.texts:
        writer.writerows((rule, *link) for link in links_of(trace, rule))
    return out.getvalue()


STYLE = """
body { font: 10pt/1.35 sans-serif; margin: 1.5em; color: #111; max-width: 75em; }
h2 { font-size: 12pt; border-top: 1px solid #999; padding-top: .6em; break-after: avoid; }
ul { margin: .1em 0 .3em; columns: 2; font-size: 8.5pt; }
li { overflow-wrap: anywhere; }
table { border-collapse: collapse; font-size: 9pt; }
td, th { border: 1px solid #bbb; padding: .1em .5em; text-align: right; }
pre { white-space: pre-wrap; font-size: 7.5pt; margin: .2em 0; }
"""
KINDS = {"code": "Code", "test": "Tests", "fault": "Fault that tests of the rule detect (program)", "proof": "Proofs, by what they state",
         "case": "Conformance cases (number)"}  # fmt: skip


def item_of(trace: Trace, kind: str, name: str, file: str) -> str:
    """A link in trace.html; with what a theorem states."""
    statement = trace.statements[name] if kind == "proof" else ""
    quoted = f"<details><summary>statement</summary><pre>{html.escape(statement)}</pre></details>" if statement else ""
    return f'<li><a href="../../{file}">{html.escape(name)}</a>{quoted}</li>'


def html_text(trace: Trace) -> str:
    """trace.html: a table of counts, then each rule with its links."""
    out = ['<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Trace matrix</title>', f"<style>{STYLE}</style></head><body>",
           '<h1>Trace matrix</h1>\n<p>Made by <code>verification/evidence/trace.py</code>; as data: <a href="trace.csv">trace.csv</a>.</p>',
           f"<table><tr><th>rule</th>{''.join(f'<th>{kind}</th>' for kind in KINDS)}</tr>"]  # fmt: skip
    for rule in trace.texts:
        kinds = [kind for kind, _, _ in links_of(trace, rule)]
        out.append(f'<tr><td><a href="#{rule}">{rule}</a></td>' + "".join(f"<td>{kinds.count(kind) or ''}</td>" for kind in KINDS) + "</tr>")
    out.append("</table>")
    for rule in trace.texts:
        out.append(f'<h2 id="{rule}">{rule}</h2>\n<p>' + re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(trace.texts[rule])) + "</p>")
        for kind, title in KINDS.items():
            items = [item_of(trace, kind, name, file) for k, name, file in links_of(trace, rule) if k == kind]
            out += [f"<p><b>{title}</b></p><ul>", *items, "</ul>"] if items else []
        out += [f"<p><i>{kind.capitalize()}: {html.escape(name)}</i></p>" for kind, name, _ in links_of(trace, rule) if kind.startswith("not ")]
    return "\n".join([*out, "</body></html>"]) + "\n"


def tests_by_name() -> set[str]:
    """`Suite.Name` of C++ and `file.Class.test` of Python."""
    found = {".".join(test) for path in files("tests", "verification") for test in TEST.findall(path.read_text(encoding="utf-8"))}
    for path in (ROOT / "tests").rglob("*_test.py"):
        classes = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)]
        found |= {f"{path.stem}.{of.name}.{test.name}" for of in classes for test in of.body if getattr(test, "name", "").startswith("test_")}
    return found


def wrong_with_hardening(there: set[str], count: bool) -> list[str]:
    """Tests that docs/hardening.md names and that do not exist, and classes of attacks with too few."""
    named = re.findall(r"`([A-Z]\w+\.[A-Z]\w+|\w+_test\.[A-Z]\w+\.test_\w+)`", (ROOT / "docs/hardening.md").read_text(encoding="utf-8"))
    problems = [f"docs/hardening.md names {name}, which is no test" for name in named if name not in there]
    problems += [] if named else ["docs/hardening.md names no test"]
    rest = set(there)
    for title, pattern in ATTACKS:
        tests = {name for name in rest if re.fullmatch(pattern, name)}
        rest -= tests
        problems += [f"fewer than {LEAST_TESTS} tests: {title}"] if len(tests) < LEAST_TESTS else []
        if count:
            print(f"{len(tests):4}  {title}")
    return problems


def names_in_cmake() -> tuple[set[str], re.Pattern[str]]:
    """Names of tests as CMake's files have them; and as a pattern, each variable anything, those of programs with the ending `.exhaustive`."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("CMakeLists.txt"))]
    plain = {name for text in texts for name in re.findall(r"(?:supremum_script_test\(|add_test\(NAME )\s*([\w.]+)", text)}
    found = {name for text in texts for name in re.findall(r"(?:_test|_test_part|NAME)\((?:\w+ )?([a-z]\w*\.[\w.${}]*\w[}]?)|\bsupremum_test\((\w+)", text)}
    names = {re.sub(r"\\\$\\\{\w+\\\}", r"\\w+", re.escape(scripted)) if scripted else rf"{program}\.exhaustive" for scripted, program in found}
    return plain, re.compile("|".join(sorted(names)))


def dead_links(page: Path) -> list[str]:
    """The links of a page that lead to no file."""
    text = re.sub(r"`[^`\n]*`", "", page.read_text(encoding="utf-8"))
    links = {first or second for first, second in LINK.findall(text)}
    return [f"{page.name}: the link '{link}' leads to no file" for link in sorted(links) if not Path(os.path.normpath(page.parent / link)).exists()]


def wrong_with_pages(trace: Trace, there: set[str]) -> list[str]:
    """What is wrong with docs/evidence, line by line; code blocks are left out."""
    pages = {path.name: path.read_text(encoding="utf-8") for path in sorted(EVIDENCE.glob("*.md"))}
    listed = {page: re.findall(rf"^\| ({prefix}-\d+) \|", pages[page], re.MULTILINE) for page, prefix in IDS.items()}
    problems = [f"{page}: {IDS[page]} is not numbered 1, 2, 3, ..." for page, ids in listed.items() if ids != [f"{IDS[page]}-{k + 1}" for k in range(len(ids))]]
    plain, of_ctest = names_in_cmake()
    for page, text in pages.items():
        for number, line in enumerate(re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.M | re.S).splitlines(), 1):
            where = f"{page}:{number}"
            names = [name for name in re.findall(r"`(\w+\.\w+)`", line) if not re.search(r"\.(?:h|cc|md|py|sh|json|csv|html|a|so|txt)$", name)]
            problems += [f"{where}: there is no test {name}" for name in names
                         if not (of_ctest.fullmatch(name) if page == "exhaustive.md" else name in there | plain)]  # fmt: skip
            trace.mentioned(line, where)
            problems += [f"{where}: there is no {name}" for name in re.findall(r"\b(?:AOU|KP)-\d+\b", line) if name not in sum(listed.values(), [])]
            problems += [f"{where}: a digest, which changes with the sources" for _ in re.findall(r"\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b", line)]
            is_row = page in ARGUED and line.startswith("| ") and not re.match(r"\| (?:---|id |statement )", line)
            if is_row and not CITATION.search(line.split("|", 2)[2]):
                problems.append(f"{where}: a statement without a rule, a test or a page")
    return problems


def wrong_with_made(check_files: bool) -> list[str]:
    """What is wrong with the table of files in build/evidence, with what pages say of them, and with the files themselves."""
    rows = re.findall(r"^\| (`[^|]+`) \| `([\w/.]+)[^|]*` \|", LIST.read_text(encoding="utf-8"), re.MULTILINE)
    names = [name for cell, _ in rows for name in re.findall(r"`([^`]+)`", cell)]
    problems = [f"{LIST.name}: there is no {script}" for _, script in rows if not (ROOT / script).is_file()]
    if not names or len(names) != len(set(names)):
        problems.append(f"{LIST.name}: the table of files that are made is empty, or names one twice")
    for page in sorted((ROOT / "docs").rglob("*")):
        if page.suffix in (".md", ".html"):
            problems += [f"{page.name}: names build/evidence/{name}, which {LIST.name} does not have"
                         for name in re.findall(r"\bbuild/evidence/([\w.-]*\w)", page.read_text(encoding="utf-8")) if name not in names]  # fmt: skip
    problems += [f"MEASURED_ON: {page}: there is no {name}" for page, of in MEASURED_ON.items() for name in of if not (ROOT / name).exists()]
    if not check_files:
        return problems
    problems += [f"build/evidence/{name}: there is none: scripts/evidence.sh" for name in names if not (MADE / name).exists()]
    for path in sorted(MADE.rglob("*")):
        name = path.relative_to(MADE).as_posix()
        problems += [] if name.split("/")[0] in names else [f"build/evidence/{name}: {LIST.name} does not have it"]
        if path.is_file() and path.stat().st_size == 0 or path.is_dir() and not any(path.iterdir()):
            problems.append(f"build/evidence/{name}: is empty")
        if name in MEASURED_ON and made_from(name) not in path.read_text(encoding="utf-8"):
            problems.append(f"build/evidence/{name}: was made from other sources than these: scripts/evidence.sh")
        problems += dead_links(path) if path.suffix in (".md", ".html") else []
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for mode in ("check", "write", "made", "count", "self-test"):
        parser.add_argument(f"--{mode}", dest="mode", action="store_const", const=mode)
    mode = parser.parse_args().mode
    if not mode:
        parser.error("name what to do")
    there = tests_by_name()
    if mode == "count":
        return 1 if wrong_with_hardening(there, True) else 0
    trace = read()
    if mode == "self-test":
        trace.cases |= {rule: [("planted (1)", "kit/cases/oracle.py")] for rule in trace.texts}
        trace.problems += holes(trace) or self_test(trace)
    else:
        read_cases(trace)
        trace.problems += holes(trace) + wrong_with_pages(trace, there) + wrong_with_hardening(there, False) + wrong_with_made(mode == "made")
        links = [link for rule in trace.texts for link in links_of(trace, rule)]
        trace.problems += sorted({f"{file} does not exist" for _, _, file in links if file and not (ROOT / file).is_file()})
    if mode == "write":
        MADE.mkdir(parents=True, exist_ok=True)
        (MADE / "trace.csv").write_text(csv_text(trace), encoding="utf-8")
        (MADE / "trace.html").write_text(html_text(trace), encoding="utf-8")
    for problem in trace.problems:
        print(problem)
    if not trace.problems:
        kinds = [kind for rule in trace.texts for kind, _, _ in links_of(trace, rule)]
        print(f"{len(trace.texts)} rules without a hole: " + ", ".join(f"{kinds.count(kind)} {kind}" for kind in [*KINDS, "not proved", "not in a file"]))
    return 1 if trace.problems else 0


if __name__ == "__main__":
    sys.exit(main())
