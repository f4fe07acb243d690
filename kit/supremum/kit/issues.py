"""What is needed to file each deviation with the authors of a runtime: `supremum-audit --issues`.

For each deviation of a runner that is not supremum's own, where NN counts those of the runner:

    RUNNER/NN-RULE-OPERATOR-WHAT.md      the issue
    RUNNER/NN-RULE-OPERATOR-WHAT.onnx    the model of its case, if the case has one (.json: a graph of oneDNN)
    RUNNER/NN-RULE-OPERATOR-WHAT.EXT     the program, if there is one
    README.md                            a table of all issues
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Optional

from . import WHOSE, __version__, _rule
from .audit import TEXT, Audit, Deviation, One
from .programs import Exhibit, Program, program_of
from .report import SHOWN_IN_CELL, answer_cell, code_cell, expected_cell, machine, markdown_code, markdown_text, table, tensor_cell, text_cell, types_cell

LABELS = dict(zip(WHOSE, ("ONNX (or oneDNN)", "the SONNX profile, not ONNX", "only supremum's own rule")))
MEANINGS = dict(
    zip(
        WHOSE,
        (
            "The operator's specification decides this point. A library that does not claim to follow it differs, and has no fault.",
            "ONNX leaves this point open; the safety-related profile of ONNX decides it.",
            "No document but supremum's own decides this point: it is a difference, not a fault of the runtime.",
        ),
    )
)

_ARRAY_API = "the array API standard leaves open which zero is the maximum of +0 and -0"
THREADS_READ_ON = "2026-11"
# Threads on the subject of a deviation: runtime, rule, operator ("" for both), place, subject, and state when they were read.
THREADS = (
    ("ONNX Runtime", "ORD-3", "Max", "microsoft/onnxruntime#21455", "Max and Min lose a NaN of the first input if the second has one element",
     "closed by microsoft/onnxruntime#21492"),
    ("ONNX Runtime", "ORD-3", "ReduceMax", "microsoft/onnxruntime#10514", "whether ReduceMax returns NaN depends on how many elements are NaN", "open"),
    ("PyTorch", "ORD-2", "", "pytorch/pytorch#193781", "the sign of the zero that torch.maximum returns depends on the tensor's length", "open"),
    ("PyTorch", "ORD-2", "", "data-apis/array-api#707", _ARRAY_API, "closed by data-apis/array-api#751"),
    ("NumPy", "ORD-2", "", "numpy/numpy#26746", "the sign of the zero that fmin returns depends on the system; also on minimum", "open"),
    ("NumPy", "ORD-2", "", "numpy/numpy#32341", "a change that orders the zeros in maximum and minimum", "closed, not merged"),
    ("NumPy", "ORD-2", "", "data-apis/array-api#707", _ARRAY_API, "closed by data-apis/array-api#751"),
)  # fmt: skip


@dataclass
class Issue:
    """An issue. `folder` and `name` are those of its files, `model` the ending of the model's file, "" if the case has none."""

    audit: Audit
    deviation: Deviation
    example: int
    folder: str
    name: str
    model: str
    program: Optional[Program]

    @property
    def one(self) -> One:
        return self.audit.cases.all[self.example]

    @property
    def title(self) -> str:
        found = self.deviation
        return f"{text_cell(found.operator) or 'Model'}: {TEXT[found.letter]} ({text_cell(found.rule)})"


def _issues(audit: Audit) -> Iterator[Issue]:
    folders: dict[str, str] = {}
    taken = {"readme.md"}  # a runner may have this name, too
    numbers: dict[str, int] = {}
    for deviation in audit.deviations:
        runner = deviation.run.runner
        if runner.own:
            continue
        if runner.name not in folders:
            folders[runner.name] = file_name(runner.name, taken)
        numbers[runner.name] = numbers.get(runner.name, 0) + 1
        what = TEXT[deviation.letter].removeprefix("a ")
        parts = [f"{numbers[runner.name]:02}", deviation.rule, deviation.operator, what]
        name = re.sub("[^a-z0-9]", "-", "-".join(filter(None, parts)).lower())[:80]
        # The smallest case; of models that must be refused, the first that needs no other file.
        alone = [i for i in deviation.cases if audit.cases.all[i].invalid and not audit.cases.all[i].needs_files]
        example = alone[0] if alone else deviation.smallest
        one = audit.cases.all[example]
        ending = "" if not one.model else ".onnx" if one.model.endswith(".onnx") else ".json"
        program = program_of(Exhibit(deviation.run.head, one, name))
        yield Issue(audit, deviation, example, folders[runner.name], name, ending, program)


def file_name(name: str, taken: set[str]) -> str:
    """A name of a file for any text: letters, digits, and others as %XX; no two are equal if case is ignored."""
    stem = "".join(
        one if re.fullmatch("[A-Za-z0-9_]" if i == 0 else "[A-Za-z0-9_.-]", one) else "".join(f"%{b:02X}" for b in one.encode("utf-8", "surrogateescape"))
        for i, one in enumerate(name)
    )[:200]
    found, copy = stem, 2
    while found.lower() in taken:
        found, copy = f"{stem}%copy{copy}", copy + 1
    taken.add(found.lower())
    return found


def files_of(audit: Audit) -> Iterator[tuple[str, bytes, Optional[Issue]]]:
    """Every file: path, content, and the issue whose page it is. Raises Failure if a case names a model outside the folder of the cases."""
    rows = []
    for issue in _issues(audit):
        path = f"{issue.folder}/{issue.name}"
        yield f"{path}.md", _page(issue).encode(), issue
        files = [".md"]
        if issue.program:
            yield path + issue.program.ending, issue.program.text.encode(), None
            files.append(issue.program.ending)
        if issue.model:
            yield path + issue.model, audit.cases.model_of(issue.one), None
            files.append(issue.model)
        links = " ".join(f"[{ending}]({path.replace('%', '%25')}{ending})" for ending in files)
        head, found = issue.deviation.run.head, issue.deviation
        rows.append([text_cell(head["runtime"]), text_cell(head["version"]), LABELS[found.origin], issue.title, len(found.cases), links])
    yield "README.md", _readme(rows).encode(), None


def _readme(rows: list[list[object]]) -> str:
    text = (
        f"# Issues of other runtimes\n\nWritten by `supremum-audit --issues` of supremum {__version__}, on {text_cell(machine())}: one issue for "
        "each rule that a runtime violates\nin the same way with the same operator, with its smallest case.\n\n"
    )
    if not rows:
        return text + "There is none: no other runtime failed a case.\n"
    text += table(["runtime", "version", "violates", "issue", "cases", "files"], rows, [4])
    text += "\n## What is violated\n\n" + table(["label", "meaning"], [[LABELS[whose], MEANINGS[whose]] for whose in WHOSE])
    return (
        f"{text}\n## To run a program\n\nEach needs the runtime, no file of supremum, and the `.onnx` file beside it if it names one. Its exit status is\n"
        "0 if the result is the expected one; any other status, by an exception or a crash, too, shows the issue.\n\n"
        + table(
            ["file", "command"],
            [
                ["`NAME.py`", "`python3 NAME.py`"],
                ["`NAME.cjs`", "`node NAME.cjs`; `NODE_PATH` names the folder of npm's packages"],
                ["`NAME.cc`", "its page has the command of the compiler"],
            ],
        )
    )


def _case_table(issue: Issue) -> str:
    one = issue.one
    rows = [["case", code_cell(one.id)], ["what it tests", text_cell(one.reason)]]
    if one.case is None:
        rows.append(["model", code_cell(one.model)])
    else:
        rows.append(["operator", f"{text_cell(one.operator)}, opset {one.case.opset}"])
        rows += [["attributes", code_cell(one.attributes) if one.attributes else "none"], ["type", one.case.type]]
        rows += [[f"input {i}", tensor_cell(operand)] for i, operand in enumerate(one.case.inputs[:SHOWN_IN_CELL])]
        rows += [["more inputs", str(len(one.case.inputs) - SHOWN_IN_CELL)]] * (len(one.case.inputs) > SHOWN_IN_CELL)
    rows += [["expected", expected_cell(one)], ["result", answer_cell(one, issue.deviation.run.answers[issue.example])]]
    return _pairs(rows)


def _pairs(rows: list[list[str]]) -> str:
    return "| | |\n| --- | --- |\n" + "".join(f"| {key} | {value} |\n" for key, value in rows)


def _runtime_table(issue: Issue) -> str:
    head, found = issue.deviation.run.head, issue.deviation
    types = types_cell(issue.audit, found.cases)
    return _pairs(
        [
            ["violates", f"**{LABELS[found.origin]}**"],
            ["runtime", f"{text_cell(head['runtime'])} {text_cell(head['version'])}"],
            ["interface", text_cell(head["interface"])],
            ["machine", text_cell(machine())],
            ["cases that deviate in the same way", f"{len(found.cases)}{': ' + types if types else ''}"],
            ["found by", f"supremum {__version__}"],
        ]
    )


def _program_text(issue: Issue) -> str:
    program = issue.program
    if program is None:
        return "No program is written for this case: the command below shows it.\n"
    beside = f", with `{issue.name}.onnx` beside it," if program.needs_model else ""
    return (
        f"`{issue.name}{program.ending}`{beside} shows it. Its exit status is 0 if the result is the expected one.\n\n"
        f"```console\n$ {program.command}\n```\n\n```{program.language}\n{program.text}```\n"
    )


def _threads_text(issue: Issue) -> str:
    head, found = issue.deviation.run.head, issue.deviation
    lines = [
        f"- {place}: {subject} ({state} in {THREADS_READ_ON})\n"
        for runtime, rule, operator, place, subject, state in THREADS
        if (runtime, rule) == (head["runtime"], found.rule) and operator in ("", found.operator)
    ]
    return "\n## Known threads\n\n" + "".join(lines) if lines else ""


def _page(issue: Issue) -> str:
    found = issue.deviation
    text = _rule(found.rule)[0]
    return (
        f"# {issue.title}\n\n{_runtime_table(issue)}\n## Example\n\n{_case_table(issue)}\n## Rule\n\n{text_cell(found.rule)}"
        f"{': ' + markdown_text(text) if text else ''}\n\n{MEANINGS[found.origin]}\n\n## Program\n\n{_program_text(issue)}"
        f"\nThe same case is shown in full by\n\n{markdown_code(issue.audit.reproduce(found.run, issue.one))}\n{_threads_text(issue)}"
    )
