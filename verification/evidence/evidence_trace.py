#!/usr/bin/env python3
"""The trace matrix: from each rule of docs/semantics.md to its text, code, tests, faults, proofs and conformance cases.

    verification/evidence/evidence_trace.py --write    writes build/evidence/trace.csv (a link a line) and trace.html
    verification/evidence/evidence_trace.py --check    exit status 1, with a line for each hole, and where one of the two leaves out a rule or a link, or
                                         names a file that does not exist

Code and tests are read as verification/evidence/rule_table.py reads them. A theorem of verification/proofs/why3 belongs to the rules of the comment directly
above its declaration, `(* Rules: ORD-5 *)`; one that a clone brings, to those of the declaration that was cloned. A theorem of
verification/proofs/smt belongs to the rules above its group or itself, `# Rules: ORD-5`. trace.html quotes the statement of each theorem. Cases belong to the rules that they name.
The fault of a rule is that of verification/mutants/mutants.py (RULES), which --rules there puts in: tests that cite the rule must fail.
A rule without code, test or fault is a hole. So is one without a proof or a case, unless UNPROVED here, or REASONS of
kit/cases/completeness.py, says what cannot be proved, or put into a file, and why.
"""

from __future__ import annotations

import argparse
import csv
import html
import io
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rule_table
from evidence_common import MADE, ROOT

sys.path.insert(0, str(ROOT / "verification" / "proofs" / "smt"))
sys.path.insert(0, str(ROOT / "kit" / "cases"))
sys.path.insert(0, str(ROOT / "verification" / "mutants"))

import enclosure  # noqa: E402  (verification/proofs/smt)
import exact_sums  # noqa: E402  (verification/proofs/smt)
import mutants  # noqa: E402  (verification/mutants)
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
    "RED-5": "The identity is proved. What is an attribute, what an input, and the defaults are reading a model: tests and cases.",
    "PRO-1": "Whether a model has a sparse tensor is reading a file: tests and cases.",
    "PRO-2": "Whether a model states a shape is reading a file: tests and cases.",
    "PRO-3": "Whether a model states a type is reading a file: tests and cases.",
    "PRO-4": "Whether a model writes an attribute is reading a file: tests and cases.",
    "PRO-6": "A comparison of shapes, in place of broadcasting: tests and cases.",
    "MEM-3": "The proved programs have no allocation to speak of. That the library's runs have none is counted by tests.",
    "ACC-4": "That sums are rounded outwards is proved of 16-bit floats and float; of double in part, and compared with exact sums.",
}

TAG = re.compile(r"^\s*\(\* Rules:(.*)\*\)$")
SMT_TAG = re.compile(r"^# Rules:(.*)\n(\w+) = \{", re.MULTILINE)  # of a group
CLAIM_TAG = re.compile(r"^    # Rules:(.*)\n    \"([^\"]+)\":", re.MULTILINE)  # of a claim
DECLARATION = re.compile(r"\s*(?:goal|lemma|axiom|val|let)\s+(?:(?:rec|ghost|lemma|function)\s+)*(\w+)")
ROW = re.compile(r"^\| ([A-Z]{3}-\d+|E\d) \| (.*) \|$", re.MULTILINE)


@dataclass
class Trace:
    """Everything that is known of each rule, and what is wrong."""

    texts: dict[str, str]
    citations: rule_table.Citations
    faults: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))  # rule -> (fault, file it is put into)
    proofs: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))  # rule -> (theorem, file)
    cases: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))  # rule -> (group, file)
    statements: dict[tuple[str, str], str] = field(default_factory=dict)  # (theorem, file) -> what it says
    problems: list[str] = field(default_factory=list)


def cited(text: str, where: str, trace: Trace) -> list[str]:
    """The rules of a tag."""
    found = rule_table.mentioned(text, {rule.split("-")[0] for rule in trace.texts})
    if not found or re.sub(r"[A-Z]{3}-\d+(\.\.\d+)?|E\d|[,\s]", "", text):
        trace.problems.append(f"{where}: cannot read the list of rules '{text.strip()}'")
    trace.problems += [f"{where}: {rule} does not exist" for rule in found if rule not in trace.texts]
    return [rule for rule in found if rule in trace.texts]


def statement_at(lines: list[str], number: int) -> str:
    """What a declaration states: all of it for a goal, a lemma or an axiom; for a function, what stands before its body."""
    end = number + 1
    while end < len(lines) and lines[end].strip() and not re.match(r"  = |  \(\*|  (let|lemma|goal|axiom|val|predicate|function)\b|end\b", lines[end]):
        end += 1
    return "\n".join(line.removeprefix("  ") for line in lines[number:end])


def read_why3(trace: Trace) -> None:
    """The theorems of the ledger, by the tags above the declarations."""
    declared: dict[str, dict[str, set[str]]] = {}  # file -> theorem -> rules
    stated: dict[str, dict[str, str]] = {}  # file -> theorem -> statement
    clones: dict[str, list[str]] = {}
    for path in sorted((ROOT / "verification" / "proofs" / "why3").glob("*.mlw")):
        lines = path.read_text(encoding="utf-8").splitlines()
        declared[path.stem], stated[path.stem] = {}, {}
        clones[path.stem] = re.findall(r"^\s*clone (?:export )?([a-z_]+)\.", "\n".join(lines), re.MULTILINE)
        for number, line in enumerate(lines):
            if declaration := DECLARATION.match(line):
                declared[path.stem].setdefault(declaration[1], set())
                stated[path.stem].setdefault(declaration[1], statement_at(lines, number))
            if tag := TAG.match(line):
                where = f"verification/proofs/why3/{path.name}:{number + 1}"
                below = DECLARATION.match(lines[number + 1]) if number + 1 < len(lines) else None
                if below:
                    declared[path.stem].setdefault(below[1], set()).update(cited(tag[1], where, trace))
                else:
                    trace.problems.append(f"{where}: 'Rules:' does not stand directly above a declaration")

    def rules_of(file: str, theorem: str) -> set[str]:
        if theorem in declared[file]:
            return declared[file][theorem]
        return set().union(*(rules_of(cloned, theorem) for cloned in set(clones[file]) if cloned in declared))

    def statement_of(file: str, theorem: str) -> str:
        if theorem in stated[file]:
            return stated[file][theorem]
        return next((text for cloned in clones[file] if cloned in stated and (text := statement_of(cloned, theorem))), "")

    for line in (ROOT / "verification" / "proofs" / "theorems.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        name, conditions = line.split()
        file, theorem = name.split(".")
        theorem = theorem.removesuffix("'refn")
        proof = (f"{name} ({conditions})", f"verification/proofs/why3/{file}.mlw")
        trace.statements[proof] = statement_of(file, theorem)
        for rule in rules_of(file, theorem):
            trace.proofs[rule].append(proof)


def read_smt(trace: Trace) -> None:
    """The claims of verification/proofs/smt, by the tags above their groups."""
    text = (ROOT / "verification" / "proofs" / "smt" / "theorems.py").read_text(encoding="utf-8")
    questions = [question for question in theorems.questions() if question.expected == "unsat"]
    for tag, group in SMT_TAG.findall(text):
        for name, claim in getattr(theorems, group).items():
            count = sum(question.name == name and question.claim == claim for question in questions)
            if count == 0:
                trace.problems.append(f"verification/proofs/smt/theorems.py: '{name}' of {group} is asked of no type")
            proof = (f"lanes: {name} ({count})", "verification/proofs/smt/theorems.py")
            trace.statements[proof] = claim
            for rule in cited(tag, "verification/proofs/smt/theorems.py", trace):
                trace.proofs[rule].append(proof)
    if text.count("# Rules:") != len(SMT_TAG.findall(text)):
        trace.problems.append("verification/proofs/smt/theorems.py: 'Rules:' does not stand directly above a group of claims")


def read_claims(trace: Trace, subject: str, module: Any, types_of: Callable[[str], list[str]]) -> None:
    """The theorems of order.py, enclosure.py or exact_sums.py, by the tags above all of them and above one."""
    file = f"verification/proofs/smt/{module.__name__}.py"
    text = (ROOT / file).read_text(encoding="utf-8")
    tagged = [(tag, name) for tag, group in SMT_TAG.findall(text) if group == "THEOREMS" for name in module.THEOREMS]
    tagged += [(tag, name) for tag, name in CLAIM_TAG.findall(text) if name in module.THEOREMS]
    if not tagged:
        trace.problems.append(f"{file}: no theorem has rules")
    for tag, name in tagged:
        proof = (f"{subject}: {name} ({', '.join(types_of(name))})", file)
        trace.statements[proof] = module.THEOREMS[name]
        for rule in cited(tag, file, trace):
            trace.proofs[rule].append(proof)


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


def read_faults(trace: Trace) -> None:
    """The fault of each rule, with the program whose tests of the rule detect it."""
    files = {what: name for what, name, *_ in mutants.MUTANTS}
    for rule, (what, program) in mutants.RULES.items():
        if rule in trace.texts:
            trace.faults[rule].append((f"{what} ({program})", files[what]))
        else:
            trace.problems.append(f"verification/mutants/mutants.py: {rule} does not exist")


def read() -> Trace:
    """All of it, with the holes."""
    text = (ROOT / "docs" / "semantics.md").read_text(encoding="utf-8")
    # A rule's row ends with its origin, an error's has its name and when it is raised.
    cells = {rule: cells.split(" | ") for rule, cells in ROW.findall(text)}
    texts = {rule: ": ".join(found) if rule[0] == "E" else found[0] for rule, found in cells.items()}
    trace = Trace(texts, rule_table.Citations())
    rules = list(texts)
    if rules != rule_table.RULE_ROW.findall(text):
        trace.problems.append("docs/semantics.md: a row of a rule cannot be read")
    rule_table.read_tests(ROOT, set(rules), trace.citations)
    rule_table.read_code(ROOT, set(rules), trace.citations)
    trace.problems += trace.citations.problems
    read_why3(trace)
    read_smt(trace)
    read_claims(trace, "order of IEEE 754", order, lambda _: list(order.FORMATS))
    read_claims(trace, "rounding", enclosure, enclosure.types_of)
    read_claims(trace, "rounding in cases", exact_sums, lambda _: ["f32", "f64"])
    read_cases(trace)
    read_faults(trace)
    return trace


def holes(trace: Trace) -> list[str]:
    """Each rule that lacks something, and each reason of a rule that does not exist."""
    found: list[str] = []
    for rule in trace.texts:
        links = {
            "code": trace.citations.code[rule],
            "test": trace.citations.tests[rule],
            "fault": trace.faults[rule],
            "proof": trace.proofs[rule] or UNPROVED.get(rule),
            "conformance case": trace.cases[rule] or NOT_IN_A_FILE.get(rule),
        }
        found += [f"{rule}: a hole: no {kind}" for kind, links_here in links.items() if not links_here and rule not in rule_table.AHEAD]
    for name, reasons in (("UNPROVED", UNPROVED), ("REASONS", NOT_IN_A_FILE)):
        found += [f"{name}: {rule} does not exist" for rule in reasons if rule not in trace.texts]
    found += [f"{name}: nothing is found that it states" for rule in trace.texts for name, _ in trace.proofs[rule]
              if not any(statement for (theorem, _), statement in trace.statements.items() if theorem == name)]  # fmt: skip
    return found


def self_test(trace: Trace) -> list[str]:
    """What is wrong with the check: a link that is taken away must leave a hole."""
    problems: list[str] = []
    kinds = (("code", trace.citations.code), ("test", trace.citations.tests), ("fault", trace.faults), ("proof", trace.proofs), ("case", trace.cases))
    for kind, links in kinds:
        rule = next(rule for rule in trace.texts if links[rule] and rule not in UNPROVED and rule not in NOT_IN_A_FILE)
        kept, links[rule] = links[rule], type(links[rule])()
        problems += [] if len(holes(trace)) == 1 else [f"{rule} without a {kind} is no hole"]
        links[rule] = kept
    trace.texts["ORD-99"] = "a rule that nothing cites"
    problems += [] if len(holes(trace)) == 5 else ["a rule that nothing cites is no hole"]
    del trace.texts["ORD-99"]
    data, page = csv_text(trace), html_text(trace)
    for spoiled in ((data.rpartition("\n")[0].rpartition("\n")[0], page), (data, re.sub(r"<li>.*?</li>\n", "", page, count=1, flags=re.DOTALL))):
        problems += [] if len(wrong_with_files(trace, *spoiled)) == 1 else ["a link that is left out of a file is not noticed"]
    return problems


def links_of(trace: Trace, rule: str) -> list[tuple[str, str, str]]:
    """Kind, name and file of everything that belongs to a rule."""
    tests = sorted(trace.citations.tests[rule])
    links = [("text", trace.texts[rule], "docs/semantics.md")]
    links += [("code", Path(file).name, file) for file in sorted(trace.citations.code[rule])]
    links += [("test", test, trace.citations.files[test]) for test in tests]
    links += [("fault", *fault) for fault in trace.faults[rule]]
    links += [("proof", *proof) for proof in sorted(trace.proofs[rule])]
    links += [("not proved", UNPROVED[rule], "")] if rule in UNPROVED else []
    links += [("case", *case) for case in sorted(trace.cases[rule])]
    links += [("not in a file", NOT_IN_A_FILE[rule], "")] if rule in NOT_IN_A_FILE else []
    return links


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
h2 { font-size: 12pt; border-top: 1px solid #999; padding-top: .6em; margin: 1.2em 0 .3em; }
p { margin: .2em 0; }
ul { margin: .1em 0 .3em; padding-left: 1.3em; columns: 2; column-gap: 2em; font-size: 8.5pt; }
li { overflow-wrap: anywhere; }
b.kind { font-size: 9pt; }
table { border-collapse: collapse; font-size: 9pt; }
td, th { border: 1px solid #bbb; padding: .1em .5em; text-align: right; }
td:first-child, th:first-child { text-align: left; }
a { color: #034; }
.reason { font-size: 9pt; font-style: italic; }
pre { white-space: pre-wrap; font-size: 7.5pt; margin: .2em 0; }
@page { size: A4; margin: 14mm; }
@media print { h2 { break-after: avoid; } }
"""
KINDS = {"code": "Code", "test": "Tests", "fault": "Fault that tests of the rule detect (program)",
         "proof": "Proofs (conditions, or lane types and targets)", "case": "Conformance cases (number)"}  # fmt: skip


def item_of(trace: Trace, kind: str, name: str, file: str) -> str:
    """A link in trace.html; with what a theorem states."""
    statement = trace.statements.get((name, file), "") if kind == "proof" else ""
    quoted = f"<details><summary>statement</summary><pre>{html.escape(statement)}</pre></details>" if statement else ""
    return f'<li><a href="../../{file}">{html.escape(name)}</a>{quoted}</li>'


def html_text(trace: Trace) -> str:
    """trace.html: a table of counts, then each rule with its links."""
    out = ["<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8"><title>Trace matrix</title>', f"<style>{STYLE}</style></head><body>",
           "<h1>Trace matrix</h1>",
           '<p>Made by <code>verification/evidence/evidence_trace.py</code>; as data: <a href="trace.csv">trace.csv</a>. '
           'A rule without code, test or fault, or without proof or case and a reason, fails the script.</p>',
           "<table><tr><th>rule</th><th>code</th><th>tests</th><th>faults</th><th>proofs</th><th>cases</th></tr>"]  # fmt: skip
    for rule in trace.texts:
        kinds = [kind for kind, _, _ in links_of(trace, rule)]
        counts = "".join(f"<td>{kinds.count(kind) or ''}</td>" for kind in KINDS)
        out.append(f'<tr><td><a href="#{rule}">{rule}</a></td>{counts}</tr>')
    out.append("</table>")
    for rule in trace.texts:
        links = links_of(trace, rule)
        out.append(f'<h2 id="{rule}">{rule}</h2>')
        out.append("<p>" + re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(trace.texts[rule])) + "</p>")
        for kind, title in KINDS.items():
            items = [(name, file) for k, name, file in links if k == kind]
            if items:
                out.append(f'<p><b class="kind">{title}</b></p><ul>')
                out += [item_of(trace, kind, name, file) for name, file in items]
                out.append("</ul>")
        out += [f'<p class="reason">{kind.capitalize()}: {html.escape(name)}</p>' for kind, name, file in links if kind.startswith("not ")]
    return "\n".join([*out, "</body></html>"]) + "\n"


def wrong_with_files(trace: Trace, data: str, page: str) -> list[str]:
    """What the two files leave out, or name and is not there."""
    links = [(rule, *link) for rule in trace.texts for link in links_of(trace, rule)]
    rows = [tuple(row) for row in csv.reader(io.StringIO(data))][1:]
    problems = [] if rows == links else ["trace.csv: not exactly one line for each link"]
    problems += [f"trace.csv: {rule}: {file} does not exist" for rule, _, _, file in rows if file and not (ROOT / file).is_file()]
    problems += [] if re.findall(r'<h2 id="([^"]+)">', page) == list(trace.texts) else ["trace.html: not exactly one section for each rule"]
    sections = dict(zip(trace.texts, page.split("<h2 ")[1:]))
    for rule, kind, name, file in links:
        item = item_of(trace, kind, name, file) if kind in KINDS else html.escape(name) if kind != "text" else ""
        if item not in sections.get(rule, ""):
            problems.append(f"trace.html: {rule}: the {kind} '{name}' is left out")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the two files")
    parser.add_argument("--check", action="store_true", help="exit 1 if anything is wrong, with this check too")
    args = parser.parse_args()
    if not args.write and not args.check:
        parser.error("say --write or --check")
    trace = read()
    trace.problems += holes(trace) or self_test(trace)
    data, page = csv_text(trace), html_text(trace)
    trace.problems += wrong_with_files(trace, data, page)
    if args.write:
        MADE.mkdir(parents=True, exist_ok=True)
        (MADE / "trace.csv").write_text(data, encoding="utf-8")
        (MADE / "trace.html").write_text(page, encoding="utf-8")
    for problem in trace.problems:
        print(problem)
    if not trace.problems:
        kinds = [kind for rule in trace.texts for kind, _, _ in links_of(trace, rule)]
        counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in [*KINDS, "not proved", "not in a file"])
        print(f"{len(trace.texts)} rules without a hole; links by kind: {counts}")
    return 1 if trace.problems else 0


if __name__ == "__main__":
    sys.exit(main())
