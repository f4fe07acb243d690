#!/usr/bin/env python3
"""Writes the hand-over to the SONNX safety-related profile working group of ONNX, in the layout of its repository.

    handover.py FOLDER                     everything; FOLDER must be empty or new
    handover.py FOLDER --command COMMAND   the `supremum` that audits ONNX Runtime; one of the builds if not given
    handover.py FOLDER --audit REPORT      the report.json of an earlier `supremum audit`, in place of a new audit
    handover.py FOLDER --no-audit          no audit: the compliance report says so

README.md of FOLDER lists what it contains. Nothing is downloaded. Without ONNX Runtime (scripts/setup.sh --onnxruntime) the compliance report
says that it is not installed. The same sources and the same audit give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import catalogue
import findings

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SPEC = Path("safety-related-profile/sonnx/ops/spec")
RUNNER = "onnxruntime"

README = """# Max, for the SONNX safety-related profile

For the tree of pull request 119 of onnx/working-groups, commit `{commit}`. Paths below are those of that tree; a file is new, or takes
the place of an empty one or a stub.

| file | content |
| --- | --- |
| `{spec}/formal/common/broadcast/broadcast.mlw` | Broadcast of any number of tensors, in place of the stub |
| `{spec}/formal/max/max.mlw` | Max at the abstract level: any number of inputs; real, integers, floats with NaN and signed zeros |
| `{spec}/formal/max/smoke.mlw` | false goals: none may be proved |
| `{spec}/formal/max/Makefile` | `make prove`, with the working group's own tensor library |
| `{spec}/informal/max/max_acc.md` | numerical accuracy |
| `{spec}/informal/max/reviews/max-supremum.md` | findings in texts of SONNX |
| `{spec}/informal/max/reviews/findings.py` | computes the counter-example of each finding, and looks up each quotation |
| `{spec}/tests/max/catalogue.md`, `catalogue.json` | test cases in the template of tests-part1.md, with tags |
| `{spec}/tests/max/cases/` | their data, as bits |
| `{spec}/tests/max/onnxruntime.md` | compliance of ONNX Runtime, for each test case |

## Labels

Every claim, test case and finding has one of three labels.

| label | meaning |
| --- | --- |
| ONNX | the specification of ONNX decides; a deviation breaks ONNX |
| SONNX | SONNX decides and ONNX does not: the sign of a zero, whether NaN wins; a deviation breaks only SONNX |
| supremum | only the project that this comes from asks for it: every NaN that is written has the same bits |

## The formal specification

The names and the tensor type are those of `formal/common/libs/tensor`. Proved, without an open condition: by Why3 1.5.1 and cvc5 1.0.3
(Debian 12) with a stand-in for that library, and by Why3 1.8.0 and cvc5 1.1.2 (Debian 13) with the stand-in and with the library itself,
which Why3 1.5.1 does not accept (`tensor'eq`).

| statement | theorem | label |
| --- | --- | --- |
| [C1], [E1]: the inputs are broadcastable if and only if any two agree in each position | `broadcastable_pairs` | ONNX |
| [C2]: rank and extents of Y | `common_length`, `common_extent`, `common_fits` | ONNX |
| a zero extent is kept, and is compatible with 0 and 1 only | `zero_extent` | ONNX |
| prepending extents of 1 changes nothing (step 1 of broadcast.md) | `prepended_ones` | ONNX |
| every element that is read is one of the input | `broadcast_reads_inside` | ONNX |
| Y[i] is an upper bound, and is attained | `opmax_is_maximum` | ONNX |
| the order of the inputs does not matter | `opmax_of_equal_sets` | ONNX for numbers, SONNX for zeros and NaN |
| the order of numbers and infinities | `positive`, `negative`, `signs` | ONNX |
| +0 is greater than -0 | `zeros` | SONNX |
| NaN is absorbing, in any input | `nan_absorbs`, `opmax_nan` | SONNX |
| one NaN is written | `one_nan` | supremum |
| propagated error | `propagated_error` | SONNX |

Shapes are lists of any integers, so the theorems about them include null tensors. The tensor type has the invariant `positive dims`, so
`opmax` does not, until that invariant is relaxed as the guideline announces. There is no concrete level here: C that is proved against
the same order is in `verification/proofs` of the project.
"""

MAKEFILE = """# Proves the formal specification of Max. Run in spec/formal/max. For Why3 1.8; 1.5.1 does not accept the tensor library.
# PROVER as `why3 config list-provers` has it; `why3 config detect` makes that list.
PROVER = CVC5,$(shell cvc5 --version | sed -n 's/^This is cvc5 version \\([0-9.]*\\).*/\\1/p')
WHY3 = why3 prove -L ../common/libs -L ../common/broadcast -L . -a split_all_full -P $(PROVER)

.PHONY: prove smoke

prove:
\t$(WHY3) -t 20 ../common/broadcast/broadcast.mlw
\t$(WHY3) -t 20 max.mlw

# None of these may be proved.
smoke:
\t! $(WHY3) -t 2 smoke.mlw | grep 'Prover result is: Valid'
"""


def built_command() -> Path | None:
    """The newest `supremum` of the builds."""
    found = [path for path in ROOT.glob("build/*/bin/supremum") if path.is_file()]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def audit(command: Path) -> dict[str, Any]:
    """The report of `supremum audit` about ONNX Runtime. Its status is not 0 where the runtime is not installed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        done = subprocess.run([command, "audit", "--runner", RUNNER, "--json", report], capture_output=True, text=True, check=False)
        if not report.exists():
            raise SystemExit(f"handover.py: {command} audit failed with status {done.returncode}: {done.stderr.strip()[-500:]}")
        return json.loads(report.read_text(encoding="utf-8"))


def verdict_label(rules: list[str], text: str) -> str:
    """What a failed case breaks, by its verdict: the same division as the audit's."""
    if text == "wrong sign of zero" or text == "a number in place of NaN":
        return "SONNX"
    if text.startswith("wrong bits of NaN"):
        return "supremum"
    if text == "wrong sign of zero and wrong bits of NaN":
        return "SONNX"
    return "SONNX" if rules and rules[0].startswith("PRO-") else "ONNX"


def compliance(report: dict[str, Any] | None, reason: str, tests: list[catalogue.Test]) -> str:
    """The compliance report, as Markdown."""
    lines = ["# Compliance of ONNX Runtime with Max of SONNX", ""]
    runner = next((r for r in report["runners"] if r["name"] == RUNNER), None) if report else None
    if runner is None or runner["status"] != "ran":
        why = reason if runner is None else f"ONNX Runtime is {runner['status']}: " + runner["reason"].removeprefix(f"{RUNNER}: {runner['status']}: ").rstrip(".")
        return "\n".join([*lines, f"No results: {why}.", "", "To have them: `scripts/setup.sh --onnxruntime`, a build, and `handover.py` again.", ""])
    verdicts = {v["letter"]: v for v in report["verdicts"]}
    letters = {case["id"]: (letter, case["rules"]) for case, letter in zip(report["cases"], runner["verdicts"])}
    totals: Counter[str] = Counter()
    rows, kinds = [], Counter[tuple[str, str, str]]()
    smallest: dict[tuple[str, str, str], str] = {}
    for test in tests:
        counts: Counter[str] = Counter()
        for case in test.cases:
            letter, rules = letters.get(case, ("-", []))
            verdict = verdicts[letter]
            if verdict["score"] != "failed":
                counts[verdict["score"]] += 1
                continue
            label = verdict_label(rules, verdict["text"])
            counts[label] += 1
            kind = (label, verdict["text"], test.id)
            kinds[kind] += 1
            smallest.setdefault(kind, case)
        totals += counts
        numbers = [counts[k] for k in ("passed", "ONNX", "SONNX", "supremum", "unsupported")] + [counts["unanswered"] + counts["not asked"]]
        rows.append(f"| {test.id} | `{test.kit}` | " + " | ".join(map(str, numbers)) + " |")
    lines += [f"{runner['runtime']} {runner['version']} ({runner['interface']}), supremum {report['supremum']}, machine: {report['machine']}.",
              "Results are compared by shape and bits.", "",
              f"Of {totals.total()} data sets {totals['passed']} passed; {totals['ONNX']} break ONNX; {totals['SONNX']} break SONNX and not ONNX; "
              f"{totals['supremum']} differ only in the bits of a NaN, which supremum alone asks for; {totals['unsupported']} are unsupported "
              "(types or versions without a kernel).", "",
              "| test | kit's group | passed | breaks ONNX | breaks SONNX | supremum only | unsupported | no answer |",
              "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |", *rows, "", "## Deviations", "",
              "| breaks | what | test | data sets | the first one |", "| --- | --- | --- | ---: | --- |",
              *(f"| {label} | {text} | {test} | {count} | `{smallest[label, text, test]}` |" for (label, text, test), count in sorted(kinds.items())),
              "", f"`supremum audit --runner {RUNNER} --case CASE` shows inputs, result and expected result of a data set.", ""]  # fmt: skip
    return "\n".join(lines)


def write(folder: Path, report: dict[str, Any] | None, reason: str) -> None:
    tests = catalogue.tests()
    spec = folder / SPEC
    texts = {
        folder / "README.md": README.format(commit=findings.COMMIT, spec=SPEC),
        spec / "formal/max/Makefile": MAKEFILE,
        spec / "informal/max/reviews/max-supremum.md": findings.markdown(),
        spec / "tests/max/catalogue.md": catalogue.markdown(tests),
        spec / "tests/max/catalogue.json": json.dumps(catalogue.as_json(tests), indent=1) + "\n",
        spec / "tests/max/onnxruntime.md": compliance(report, reason, tests),
        **{spec / "tests/max/cases" / name: text for name, text in catalogue.case_files().items()},
    }
    copies = {
        "why3/broadcast.mlw": "formal/common/broadcast/broadcast.mlw",
        "why3/max.mlw": "formal/max/max.mlw",
        "why3/smoke.mlw": "formal/max/smoke.mlw",
        "max_acc.md": "informal/max/max_acc.md",
        "findings.py": "informal/max/reviews/findings.py",
    }
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for source, target in copies.items():
        (spec / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / source, spec / target)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--command", type=Path)
    how.add_argument("--audit", type=Path)
    how.add_argument("--no-audit", action="store_true")
    arguments = parser.parse_args()
    if arguments.folder.exists() and any(arguments.folder.iterdir()):
        print(f"handover.py: {arguments.folder} is not empty; name a new folder", file=sys.stderr)
        return 2
    report, reason = None, "the hand-over was made with --no-audit"
    if arguments.audit:
        report = json.loads(arguments.audit.read_text(encoding="utf-8"))
    elif not arguments.no_audit:
        command = arguments.command or built_command()
        report, reason = (audit(command), "") if command else (None, "the command is not built (scripts/build.sh demo)")
    write(arguments.folder, report, reason)
    files = sorted(path.relative_to(arguments.folder) for path in arguments.folder.rglob("*") if path.is_file())
    print(f"handover.py: {len(files)} files in {arguments.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
