"""What an audit writes: JSON, the page, Markdown, and texts for a terminal. Texts of runners and of cases are untrusted."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterable
from typing import Any, Optional

from . import HERE, Tensor, __version__, _rule, _rules, _text_of_bits
from .audit import MOST_RANK, SCORE, TEXT, VERDICTS, Answer, Audit, Bits, Deviation, One, Run, broken_rules

SHOWN = 64  # elements of a tensor in the JSON
SHOWN_IN_TEXT = 256
SHOWN_IN_CELL = 8  # elements, and inputs
MOST_IN_CELL = 160  # characters
MOST_IN_SHAPE = 1000

# The cases in which runtimes are known to differ.
QUESTIONS = (
    ("Max(+0; -0)", "max_neighbours/zero_minus_zero/float32"),
    ("Max(-0; +0)", "max_neighbours/minus_zero_zero/float32"),
    ("Max(NaN; 1)", "max_nan_pairs/quiet_then_one/float32"),
    ("Max(1; NaN)", "max_nan_pairs/one_then_quiet/float32"),
    ("ReduceMax(+0, -0)", "reduce_neighbours/zero_minus_zero/float32"),
    ("ReduceMax(-0, +0)", "reduce_neighbours/minus_zero_zero/float32"),
    ("ReduceMax(0, NaN, 2, ..., 19)", "reduce_nan_position/zero_nan_two_to_nineteen/float32"),
    ("ReduceMax(-inf, -inf)", "reduce_least/all_least_2/float32"),
    ("ReduceMax()", "reduce_empty/0_axes_0_keepdims_0/float32"),
)


def printable(text: str) -> str:
    """The text with \\x.. in place of what a terminal would obey or hide."""
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    if "\udc80" <= one <= "\udcff":  # a byte of a file's name that is not UTF-8
        return f"\\x{ord(one) - 0xDC00:02x}"
    return "".join(f"\\x{byte:02x}" for byte in one.encode("utf-8", "surrogatepass"))


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(0, most - 3)] + "..."


def markdown_text(text: str) -> str:
    """As text, not as markup; versions and shapes stay readable."""
    shown = printable(text)
    found = []
    for i, one in enumerate(shown):
        before, after = shown[i - 1 : i] or " ", shown[i + 1 : i + 2] or " "
        plain = ord(one) >= 0x80 or one.isalnum() or one in " .,;/+-=()'\"?%"
        if one in "_:":  # within a word these two are text: avx3_dl, cpp:avx2
            plain = before.isascii() and before.isalnum() and after.isascii() and after.isalnum()
        if one == "." and before in "wW":  # "www." begins a link
            plain = False
        found.append(one if plain else f"&#{ord(one)};")
    return "".join(found)


def markdown_code(text: str) -> str:
    shown = printable(text)
    if shown != shown.strip(" ") or not shown or any(one in shown for one in "`|\\"):
        return markdown_text(text)
    return f"`{shown}`"


def code_cell(text: str) -> str:
    return markdown_code(shortened(printable(text), MOST_IN_CELL))


def text_cell(text: str) -> str:
    return markdown_text(shortened(printable(text), MOST_IN_CELL))


def shape_text(shape: Iterable[int]) -> str:
    return shortened(f"[{','.join(map(str, shape))}]", MOST_IN_SHAPE)


def elements_of(tensor: Tensor, most: int) -> list[tuple[str, str]]:
    """The first elements: their numbers and their bits."""
    width = tensor.width
    few = Tensor(tensor.type, (), tensor.content[: most * width])
    return [(_text_of_bits(tensor.type, bits), f"0x{bits:0{2 * width}x}") for bits in few.bits]


def tensor_cell(tensor: Optional[Tensor], digits: str = "") -> str:
    """"[2] -0 (0x80000000), 1 (0x3f800000)"."""
    if tensor is None:
        return code_cell(f"bits {digits}")
    shown = ", ".join(f"{value} ({bits})" for value, bits in elements_of(tensor, SHOWN_IN_CELL))
    more = ", ..." if len(tensor.content) > SHOWN_IN_CELL * tensor.width else ""
    return f"{shape_text(tensor.shape)} {shown}{more}".rstrip()


def answer_cell(one: One, answer: Answer) -> str:
    if answer.result and one.case:
        return tensor_cell(answer.result.tensor(one.case.type), answer.result.bits)
    return "accepted" if answer.kind == "accepted" else code_cell(answer.text)


def types_of(audit: Audit, cases: Iterable[int]) -> dict[str, int]:
    """How many of the cases have each type."""
    found: dict[str, int] = {}
    for i in cases:
        if case := audit.cases.all[i].case:
            found[case.type] = found.get(case.type, 0) + 1
    return dict(sorted(found.items()))


def types_cell(audit: Audit, cases: Iterable[int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in types_of(audit, cases).items())


def machine() -> str:
    return f"{platform.system()} {platform.machine()}"


def questions(audit: Audit) -> list[tuple[str, int, str]]:
    """Those that the cases answer: text, index of the case, and the expected answer."""
    at = {one.id: i for i, one in enumerate(audit.cases.all) if not one.invalid}
    return [(text, at[name], _first(_case_of(audit, at[name]).output)) for text, name in QUESTIONS if name in at]


def _case_of(audit: Audit, index: int) -> Any:
    return audit.cases.all[index].case


def _first(tensor: Optional[Tensor]) -> str:
    shown = elements_of(tensor, 1) if tensor else []
    return ("+0" if shown[0][0] == "0" else shown[0][0]) if shown else "no number"


def short_answer(audit: Audit, run: Run, index: int) -> str:
    answer = run.answers[index]
    if answer.result:
        return _first(answer.result.tensor(_case_of(audit, index).type))
    return {"unsupported": "unsupported", "crashed": "crash", "none": "no answer"}.get(answer.kind, "error")


# JSON, and the page that shows it.


def _tensor_json(dtype: str, shape: Iterable[int], bits: str, tensor: Optional[Tensor]) -> dict[str, Any]:
    """Elements as people read them, the first of them. Without "elements" if the bits do not fit the shape."""
    width = Tensor(dtype, (), b"").width
    found: dict[str, Any] = {"shape": list(shape)[: MOST_RANK + 1], "bits": bits[: 2 * width * SHOWN]}
    if tensor:
        found["size"] = len(tensor.content) // width
        found["elements"] = [list(one) for one in elements_of(tensor, SHOWN)]
    return found


def _operand_json(dtype: str, stated: dict[str, Any]) -> dict[str, Any]:
    return _tensor_json(dtype, stated["shape"], stated["bits"], Bits(stated["shape"], stated["bits"]).tensor(dtype))


def _smallest_json(audit: Audit, deviation: Deviation) -> dict[str, Any]:
    one, answer = audit.cases.all[deviation.smallest], deviation.run.answers[deviation.smallest]
    found: dict[str, Any] = {"case": deviation.smallest, "id": one.id, "reason": one.reason}
    if one.case is None:
        found |= {"model": one.model, "fails": one.entry["verdict"]["fails"], "right": {"text": f"refused: {one.entry['verdict']['code']}"}}
    else:
        dtype = one.case.type
        found |= {"opset": one.case.opset, "attributes": one.attributes}
        found["inputs"] = [_operand_json(dtype, operand) for operand in one.entry["inputs"]]
        found["right"] = _operand_json(dtype, one.entry["output"])
    if answer.result and one.case:
        result = answer.result
        found["came_out"] = _tensor_json(one.case.type, result.shape, result.bits, result.tensor(one.case.type))
    else:
        found["came_out"] = {"text": "accepted" if answer.kind == "accepted" else answer.text}
    return {**found, "reproduce": audit.reproduce(deviation.run, one)}


def _deviation_json(audit: Audit, deviation: Deviation) -> dict[str, Any]:
    return {
        "runner": deviation.run.runner.name,
        "rule": deviation.rule,
        "origin": deviation.origin,
        "operator": deviation.operator,
        "verdict": deviation.letter,
        "what": TEXT[deviation.letter],
        "types": types_of(audit, deviation.cases),
        "count": len(deviation.cases),
        "smallest": _smallest_json(audit, deviation),
        "cases": deviation.cases,
    }


def _runner_json(run: Run) -> dict[str, Any]:
    found: dict[str, Any] = {"name": run.runner.name, "own": run.runner.own, "status": run.status, "reason": run.reason, **run.head}
    if run.status == "ran":
        found["counts"] = run.counts
        found["failed_by"] = {whose.lower(): count for whose, count in run.failed_by.items()}
        found["rules"] = {rule: run.rules[rule] for rule in _rules() if rule in run.rules}
        found |= {"restarts": run.restarts, "stray_lines": run.stray_lines, "first_stray": run.first_stray}
        found |= {"time_s": run.seconds, "verdicts": run.letters}
    return found


def _gaps_json(audit: Audit) -> list[dict[str, Any]]:
    """Unsupported cases and cases without an answer, by runner, operator, letter and text."""
    found = []
    for run in audit.runs:
        gaps: dict[tuple[str, str, str], list[int]] = {}
        for i, letter in enumerate(run.letters):
            if SCORE[letter] in ("unsupported", "unanswered"):
                gaps.setdefault((letter, audit.cases.all[i].operator, run.answers[i].text), []).append(i)
        for (letter, operator, text), cases in sorted(gaps.items()):
            head = {"runner": run.runner.name, "operator": operator, "verdict": letter, "text": text, "count": len(cases)}
            found.append({**head, "reproduce": audit.reproduce(run, audit.cases.all[cases[0]]), "cases": cases})
    return found


def _case_json(one: One) -> dict[str, Any]:
    if one.case is None:
        return {"id": one.id, "rules": one.rules, "invalid": one.entry["verdict"]["fails"]}
    return {"id": one.id, "rules": one.rules, "operator": one.operator, "type": one.case.type}


def json_of(audit: Audit) -> dict[str, Any]:
    """The document. kit/README.md has its form."""
    used = {rule for one in audit.cases.all for rule in one.rules} | {rule for run in audit.runs for rule in run.rules}
    ran = [run for run in audit.runs if run.status == "ran"]
    return {
        "supremum": __version__,
        "verb": "audit",
        "machine": machine(),
        "own_passed": audit.own_passed if any(run.runner.own for run in audit.runs) else None,
        "valid": audit.cases.valid,
        "invalid": len(audit.cases.all) - audit.cases.valid,
        "rules": [{"id": rule, "text": text, "origin": origin} for rule, (text, origin) in _rules().items() if rule in used],
        "verdicts": [
            {"letter": letter, "score": score, "has_result": has, "text": text, "rules": " ".join(rules)}
            for letter, score, has, text, rules in VERDICTS
        ],
        "runners": [_runner_json(run) for run in audit.runs],
        "questions": [
            {"text": text, "case": i, "right": right, "answers": {run.runner.name: short_answer(audit, run, i) for run in ran}}
            for text, i, right in questions(audit)
        ],
        "deviations": [_deviation_json(audit, deviation) for deviation in audit.deviations],
        "gaps": _gaps_json(audit),
        "cases": [_case_json(one) for one in audit.cases.all],
    }


def page_of(document: dict[str, Any]) -> str:
    """One page that needs no network. Nothing in the document is markup on it."""
    folder = HERE / "page"
    script = "".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in ("model", "grid", "findings", "page"))
    parts = {
        "STYLE": (folder / "page.css").read_text(encoding="utf-8"),
        "REPORT": json.dumps(document, separators=(",", ":")).replace("<", "\\u003c"),
        "SCRIPT": script,
    }
    page = (folder / "page.html").read_text(encoding="utf-8")
    return re.sub(r"/\*(STYLE|REPORT|SCRIPT)\*/", lambda found: parts[found[1]], page)


# Markdown.


def table(head: list[str], rows: Iterable[list[Any]], right: Iterable[int] = ()) -> str:
    """A table of Markdown, with the columns `right` aligned to the right."""
    right = set(right)
    lines = [head, ["---:" if i in right else "---" for i in range(len(head))], *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def _rule_cell(run: Run, rule: str) -> str:
    counts = run.rules.get(rule)
    if counts is None:
        return ""
    judged = counts["passed"] + counts["failed"]
    return "-" if not judged else f"**{counts['failed']}** of {judged}" if counts["failed"] else str(judged)


def _rules_table(audit: Audit) -> str:
    others = [run for run in audit.runs if run.status == "ran" and not run.runner.own]
    if not others:
        return "No other runtime was found.\n"
    rows = [[rule, *(_rule_cell(run, rule) for run in others)] for rule in _rules() if any(rule in run.rules for run in others)]
    return table(["rule", *(text_cell(run.runner.name) for run in others)], rows, range(1, len(others) + 1))


def _questions_table(audit: Audit) -> str:
    asked = questions(audit)
    if not asked:
        return ""
    rows = [["expected", *(right for *_, right in asked)]]
    for run in audit.runs:
        if run.status == "ran":
            answers = [(short_answer(audit, run, i), SCORE[run.letters[i]] == "failed") for _, i, _ in asked]
            rows.append([text_cell(run.runner.name), *(f"**{text}**" if failed else text for text, failed in answers)])
    shown = table(["float32", *(text for text, *_ in asked)], rows, range(1, len(asked) + 1))
    return f"\n## Summary\n\nResults in bold are wrong.\n\n{shown}"


def _inputs_cell(one: One) -> str:
    if one.case is None:
        return code_cell(one.model)
    shown = [tensor_cell(operand) for operand in one.case.inputs[:SHOWN_IN_CELL]]
    more = len(one.case.inputs) - len(shown)
    return "<br>".join(shown + [f"and {more} more"] * (more > 0))


def expected_cell(one: One) -> str:
    return tensor_cell(one.case.output) if one.case else f"refused, {text_cell(one.entry['verdict']['code'])}"


def _deviations_of(audit: Audit, run: Run) -> str:
    rows = []
    for deviation in audit.deviations:
        if deviation.run is run:
            one = audit.cases.all[deviation.smallest]
            counted = [len(deviation.cases), types_cell(audit, deviation.cases)]
            shown = [code_cell(one.id), _inputs_cell(one), answer_cell(one, run.answers[deviation.smallest]), expected_cell(one)]
            rows.append([text_cell(deviation.rule), text_cell(deviation.operator), TEXT[deviation.letter], *counted, *shown])
    if not rows:
        return "No deviation.\n"
    command = audit.reproduce(run, audit.cases.all[0]).rpartition(" --case ")[0] + " --case ID"
    head = ["rule", "operator", "what", "cases", "types", "smallest case", "its inputs", "actual", "expected"]
    return f"{markdown_code(command)} shows a case in full.\n\n{table(head, rows, [3])}"


def _unsupported_of(audit: Audit, run: Run) -> str:
    found: dict[str, list[int]] = {}
    for i, letter in enumerate(run.letters):
        if letter == "u":
            found.setdefault(audit.cases.all[i].operator, []).append(i)
    listed = "; ".join(f"{text_cell(operator)}: {types_cell(audit, cases)}" for operator, cases in sorted(found.items()))
    return f"\nUnsupported, by the number of cases: {listed}.\n" if listed else ""


def markdown_of(audit: Audit) -> str:
    ran = [run for run in audit.runs if run.status == "ran"]
    rows = [
        [*(text_cell(text) for text in (run.runner.name, *run.head.values())), *run.counts.values()] for run in ran
    ]
    head = ["runner", "runtime", "version", "interface", "passed", "failed", "unsupported", "not answered"]
    text = (
        "# Conformance of runtimes to the rules\n\n"
        f"Written by `supremum-audit --markdown`. Each runtime ran {audit.cases.valid} cases with an expected output and "
        f"{len(audit.cases.all) - audit.cases.valid} models\nthat must be refused. [kit/README.md](../kit/README.md) describes the comparison,\n"
        "[semantics.md](semantics.md) the rules, and [kit/runners/README.md](../kit/runners/README.md) how to audit\n"
        f"your own runtime: `supremum-audit --new-runner`.\n\n## Runtimes\n\n{table(head, rows, range(4, 8))}{_questions_table(audit)}"
        "\n## Rules\n\nFor each rule, the number of results that test it, or **how many** of them violate it; - if none was supported.\n\n"
        f"{_rules_table(audit)}\n## Deviations\n"
    )
    for run in ran:
        if not (run.runner.own and run.all_passed):
            title = ", ".join(filter(None, [f"{text_cell(run.head['runtime'])} {text_cell(run.head['version'])}", text_cell(run.head["interface"])]))
            text += f"\n### {title}\n\n{_deviations_of(audit, run)}{_unsupported_of(audit, run)}"
    return text


# Texts for a terminal.


def _paint(text: str, color: str) -> str:
    return f"\x1b[{color}m{text}\x1b[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else text


def text_table(head: list[str], rows: list[list[Any]], right: Iterable[int] = (), least: Optional[dict[int, int]] = None, indent: int = 0) -> str:
    """Columns with two blanks between them; those of `least` become narrower, down to that width, to fit a terminal."""
    cells = [[printable(str(cell)) for cell in row] for row in rows]
    widths = [max(len(line[c]) for line in [head, *cells]) for c in range(len(head))]
    while sys.stdout.isatty() and sum(widths) + 2 * len(widths) - 2 + indent > shutil.get_terminal_size().columns:
        wide = [c for c, width in (least or {}).items() if widths[c] > width]
        if not wide:
            break
        widths[max(wide, key=lambda c: widths[c])] -= 1

    def line_of(line: list[str]) -> str:
        shown = [shortened(cell, width) for cell, width in zip(line, widths)]
        padded = [cell.rjust(width) if c in set(right) else cell.ljust(width) for c, (cell, width) in enumerate(zip(shown, widths))]
        return (" " * indent + "  ".join(padded)).rstrip()

    return "".join(f"{line}\n" for line in [_paint(line_of(head), "1"), *map(line_of, cells)])


def count_of(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}"


def name_of(run: Run) -> str:
    return "{runtime} {version} ({interface})".format(**run.head) if run.head["runtime"] else run.runner.name


def summary_of(audit: Audit, only_failed: bool) -> str:
    rows, notes = [], []
    for run in audit.runs:
        name = printable(run.runner.name)
        if run.status != "ran":
            notes.append(f"{name}: {run.status}: {printable(run.reason)}\n")
            continue
        if run.none_applied:
            notes.append(f"{name}: no case applies to it: it does not read these models, or only the SONNX profile refuses them\n")
        if only_failed and not run.counts["failed"]:
            continue
        passed, *others = run.counts.values()
        rows.append([run.runner.name, name_of(run), passed, others[0], *run.failed_by.values(), *others[1:], f"{run.seconds:.1f} s"])
        if run.stray_lines:
            notes.append(f"{name}: {run.stray_lines} lines were not answers; the first: {printable(run.first_stray)}\n")
    head = ["runner", "runtime", "passed", "failed", "of ONNX", "of SONNX", "own", "unsupported", "unanswered", "time"]
    text = text_table(head, rows, range(2, 10), {1: 16}) + "".join(notes)
    if only_failed and audit.deviations:
        found = [
            [one.run.runner.name, one.rule, one.origin, one.operator, TEXT[one.letter], len(one.cases), audit.cases.all[one.smallest].id]
            for one in audit.deviations
        ]
        text += "\n" + text_table(["runner", "rule", "violates", "operator", "what", "cases", "smallest"], found, [5], {4: 24, 6: 24}) + "\n"
    counts = [count_of(audit.cases.valid, "case"), count_of(len(audit.cases.all) - audit.cases.valid, "invalid model")]
    return text + ", ".join([*counts, count_of(len(audit.deviations), "deviation")]) + "\n"


def failures_text(failures: list[tuple[Run, One, str, str]]) -> str:
    lines = [f"{printable(run.runner.name)}: {printable(one.id)}: {TEXT[letter]} ({rule})\n" for run, one, letter, rule in failures[:20]]
    more = [f"and {len(failures) - 20} more\n"] if len(failures) > 20 else []
    last = [f"{count_of(len(failures), 'failed case')} that must not occur\n"] if failures else []
    return "".join(lines + more + last)


def _index_text(shape: tuple[int, ...], linear: int) -> str:
    index = []
    for extent in reversed(shape):
        index.append(linear % extent)
        linear //= extent
    return shape_text(reversed(index))


def _values_text(name: str, tensor: Tensor, expected: Optional[Tensor] = None) -> str:
    """Element by element; with the expected output beside it."""
    size = len(tensor.content) // tensor.width
    shown = elements_of(tensor, SHOWN_IN_TEXT)
    rows: list[list[Any]] = [[_index_text(tensor.shape, i), *one] for i, one in enumerate(shown)]
    head = ["element", "value", "bits"]
    if expected:
        head = ["element", "actual", "bits", "expected", "bits", ""]
        rows = [[*row, *other, "" if row[2] == other[1] else "<-"] for row, other in zip(rows, elements_of(expected, SHOWN_IN_TEXT))]
    text = (f"\n{name}\n" if name else "") + text_table(head, rows, [1, 3] if expected else [1], indent=2)
    return text + (f"  the first {SHOWN_IN_TEXT} of {size} elements\n" if size > SHOWN_IN_TEXT else "")


def _answer_text(one: One, run: Run, index: int) -> str:
    if run.status != "ran":
        return f"\n{printable(name_of(run))}: {printable(run.reason)}\n"
    letter, answer = run.letters[index], run.answers[index]
    color = {"passed": "32", "failed": "31"}.get(SCORE[letter], "33")
    broken = " and ".join(broken_rules(one, letter))
    text = f"\n{printable(name_of(run))}: {_paint(TEXT[letter], color)}{', violates ' + printable(broken) if broken else ''}\n"
    text += f"  {printable(answer.text)}\n" if answer.text else ""
    if answer.result and one.case:
        tensor, expected = answer.result.tensor(one.case.type), one.case.output
        if tensor is None:
            text += f"  {len(answer.result.bits)} hexadecimal digits do not fit {one.case.type}{shape_text(answer.result.shape)}\n"
        elif tensor.shape == expected.shape:
            text += _values_text("", tensor, expected)
        else:
            text += f"  shape {shape_text(tensor.shape)}, expected {shape_text(expected.shape)}\n" + _values_text("actual", tensor)
    return text


def case_text(audit: Audit, index: int) -> str:
    """A case in full: inputs, each runtime's result, and the rules."""
    one = audit.cases.all[index]
    text = f"{_paint(printable(one.id), '1')}\n{printable(one.reason)}\n"
    if one.case is None:
        text += f"\n{printable(one.model)}\nexpected: refused, {printable(one.entry['verdict']['code'])}\n"
    else:
        case = one.case
        text += f"{printable(case.operator)}, opset {case.opset}{', ' + printable(one.attributes) if one.attributes else ''}\n"
        for name, tensor in [*((f"input {i}", operand) for i, operand in enumerate(case.inputs)), ("expected", case.output)]:
            text += _values_text(f"{name} {case.type}{shape_text(tensor.shape)}", tensor)
    text += "".join(_answer_text(one, run, index) for run in audit.runs) + "\n"
    rules = [*one.rules, *(rule for run in audit.runs for rule in broken_rules(one, run.letters[index]))]
    return text + "".join(f"{printable(rule)}: {_rule(rule)[0]}\n" for rule in dict.fromkeys(rules))
