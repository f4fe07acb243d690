"""The program supremum-audit: runs the conformance cases with every installed runner and checks the results.

A runner is a program that computes the cases with one runtime, in any language: supremum itself, through each interface and with
each target, and other runtimes. Results are compared by shape and bits, and each difference is reported with the rule that it
violates. --report writes index.html, one page that needs no network, and report.json. If a runner crashes or hangs, the case
fails, and the runner is started again with the next case.

--new-runner writes a complete runner in Python, which calls NumPy and has marks around the lines to replace for another runtime.
--runner ./my-runner runs this program only, and --add-runner my-runner runs it, too: a text with a '/' is a path.

--issues writes what is needed to file each deviation with the authors of the runtime: its smallest case, the violated rule, and a
program in the runtime's own language that needs no file of supremum and has status 0 if the result is the expected one.

A failed case violates ONNX or oneDNN, or only the SONNX profile, or only a rule of this project, such as the bits of a NaN: the
columns after `failed` count them.

Exit status: 0 if the audit ran; 1 if supremum's own runners do not pass every case, if no runtime was found, if --fail-on names a
violated rule, or if --baseline has not accepted a failed case; 2 if the command line is invalid; 3 if an input is invalid; 4 if a
file could not be read or written. Deviations of other runtimes are findings, not errors.

`supremum-audit cases DIR` writes the cases as files; `--further` adds the further ones (kit/README.md).

Examples:
  supremum-audit --report audit
  supremum-audit --runner numpy --runner onnx --markdown findings.md
  supremum-audit --runner numpy --issues issues
  supremum-audit --runner numpy --failed-only --fail-on ORD-3,RED-6
  supremum-audit --runner numpy --baseline accepted.json --json report.json
  supremum-audit --runner numpy --case 'max_signed_zeros/*/float32'
  supremum-audit --new-runner my-runner
  supremum-audit --add-runner my-runner --report audit
"""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Optional

from . import __version__, audit, files, issues, report
from .audit import REFUSED, SYSTEM, USAGE, Failure
from .outputs import Outputs

PROGRAM = "supremum-audit"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """A signal that ends the program, after its temporary files have been removed."""


class Progress:
    """A line on a terminal: what is being done, after the first second."""

    def __init__(self) -> None:
        self._start = self._shown = time.monotonic()
        self._visible = sys.stderr.isatty()

    def __call__(self, text: str) -> None:
        now = time.monotonic()
        if self._visible and now - self._start > 1 and now - self._shown > 0.2:
            self._shown = now
            width = max(20, shutil.get_terminal_size().columns - 12)
            sys.stderr.write(f"\r\x1b[K{report.shortened(report.printable(text), width)} {now - self._start:.0f} s")
            sys.stderr.flush()

    def hide(self) -> None:
        if self._visible and self._shown > self._start:
            sys.stderr.write("\r\x1b[K")


def seconds(text: str) -> float:
    if not 0 <= (found := float(text)) < math.inf:
        raise ValueError
    return found


def parser() -> argparse.ArgumentParser:
    form = argparse.RawDescriptionHelpFormatter
    made = argparse.ArgumentParser(PROGRAM, description=__doc__, formatter_class=form, allow_abbrev=False)
    made.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    made.add_argument("--report", metavar="DIR", type=Path, help="the folder for index.html and report.json")
    made.add_argument("--issues", metavar="DIR", type=Path, help="a new folder for a page, a program and a model for each deviation")
    many: dict[str, Any] = {"action": "append", "default": []}
    made.add_argument("--runner", metavar="NAME", **many, help="only this runner, or this program if it has a '/'; all installed ones if none is given")
    made.add_argument("--add-runner", metavar="FILE", **many, help="also this program, beside the installed runners or those of --runner")
    made.add_argument("--new-runner", metavar="FILE", type=Path, help="write a runner in Python, to be changed for another runtime, to a new file; run nothing")
    made.add_argument("--case", metavar="ID", **many, help="only this case, or those that match a pattern; shows inputs, results and rules in full")
    made.add_argument("--cases", metavar="DIR", type=Path, help="a folder of `supremum extract`, or of cases of yours; the kit's own cases if not given")
    made.add_argument("--runners", metavar="DIR", type=Path, help="the folder of the runners; the installed ones if not given")
    made.add_argument("--markdown", metavar="FILE", type=Path, help="also write the findings as Markdown")
    made.add_argument("--fail-on", metavar="RULE,...", help="status 1 if any runner violates one of these rules; all means every rule")
    made.add_argument("--baseline", metavar="FILE", type=Path, help="the JSON of an earlier audit, whose failed cases are accepted; without --fail-on, all rules count")
    made.add_argument("--failed-only", action="store_true", help="list runners that failed a case, and each deviation")
    made.add_argument("--case-limit", metavar="SECONDS", type=seconds, default=30, help="the time limit of a runner for one case (default: %(default)s)")
    made.add_argument("--runner-limit", metavar="SECONDS", type=seconds, default=1800, help="the time limit of a runner for all cases (default: %(default)s)")
    made.add_argument("--json", metavar="FILE", help="write the result as JSON to FILE; - for standard output, in place of the text")
    return made


def new_runner(options: argparse.Namespace, outputs: Outputs) -> int:
    """Writes the runner of NumPy."""
    given = {name for name, value in vars(options).items() if value not in (None, [], False) and value != parser().get_default(name)}
    if given - {"new_runner", "json"}:
        raise Failure(USAGE, "--new-runner writes a runner and runs nothing: leave out the options of an audit")
    path = options.new_runner
    program = outputs.claim("--new-runner", path, mode=0o777, new=True)
    document = _claim_json(options, outputs)
    outputs.write(program, audit.template().read_text(encoding="utf-8"))
    name = audit.shell_quote(str(path) if "/" in str(path) and not str(path).startswith("-") else f"./{path}")
    text = (
        f"{report.printable(str(path))} is a runner that calls NumPy.\nFor another runtime, replace the lines between RUNTIME and PROTOCOL.\n\n"
        "Its results, and those beside all installed runners:\n"
        f"  {PROGRAM} --runner {name} --failed-only\n  {PROGRAM} --add-runner {name} --report audit\n"
    )
    _deliver(outputs, document, {"supremum": __version__, "verb": "audit", "new_runner": str(path)}, options, text, new=True)
    return 0


def _claim_json(options: argparse.Namespace, outputs: Outputs) -> Optional[int]:
    return outputs.claim("--json", Path(options.json)) if options.json not in (None, "-") else None


def _deliver(
    outputs: Outputs, number: Optional[int], document: dict[str, Any], options: argparse.Namespace, text: str, new: bool = False
) -> None:
    """Prints the text, or the document for --json -, and gives all files their names."""
    if number is not None:
        outputs.write(number, json.dumps(document, indent=1) + "\n")
    try:
        sys.stdout.write(json.dumps(document, indent=1) + "\n" if options.json == "-" else text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise Failure(SYSTEM, "") from None
    except OSError as error:
        raise Failure(SYSTEM, f"cannot write to standard output: {error.strerror}") from error
    outputs.deliver(new)


def run(options: argparse.Namespace, outputs: Outputs) -> int:
    """The audit."""
    command = PROGRAM
    for name, value in (("--cases", options.cases), ("--runners", options.runners)):
        if value:
            command += f" {name} {audit.shell_quote(f'./{value}' if str(value).startswith('-') else str(value))}"
    runners = audit.find_runners(options.runners or audit.installed_runners(), options.runner, options.add_runner)
    for runner in runners:
        outputs.reads(Path(runner.program[-1]))
    baseline: audit.Baseline = {}
    if options.baseline:
        outputs.reads(options.baseline)
        baseline = audit.read_baseline(options.baseline)
    gate = options.fail_on if options.fail_on is not None else "all" if options.baseline else None
    rules = set() if gate is None else audit.parse_rules(gate)
    for name in ("cases.json", "invalid.json") if options.cases else ():
        outputs.reads(options.cases / name)
    if options.issues:
        outputs.folder("--issues", options.issues, new=True)
    numbers: dict[str, int] = {}
    if options.report:
        outputs.folder("--report", options.report)
        for kind, name in (("report", "report.json"), ("page", "index.html")):
            numbers[kind] = outputs.claim("--report", options.report / name)
    if options.markdown:
        numbers["markdown"] = outputs.claim("--markdown", options.markdown)
    document_number = _claim_json(options, outputs)
    progress = Progress()
    cases = audit.read_cases(options.cases) if options.cases else audit.own_cases()
    cases = audit.choose(cases, options.case) if options.case else cases
    found = audit.Audit(cases, [], command)
    with tempfile.TemporaryDirectory(prefix="supremum-audit-") as temporary:
        folder = Path(temporary)
        if cases.lists is not None or options.case:
            with_models = any(Path(runner.program[-1]).name not in audit.NEED_NO_MODELS for runner in runners)
            audit.write_for_runners(cases, folder, with_models, progress)
        else:
            folder = options.cases
        for runner in runners:
            found.runs.append(audit.Session(runner, folder, cases, options.case_limit, options.runner_limit, progress).run())
        progress("checking the results")
        found.judge()
        counts = _write_issues(found, options.issues) if options.issues else ""
        progress("removing temporary files")
    progress.hide()
    document = report.json_of(found)
    failures = list(audit.failures_of(found, rules, baseline))
    text = "".join(report.case_text(found, i) + "\n" for i in range(len(cases.all)) if options.case)
    text += report.summary_of(found, options.failed_only) + report.failures_text(failures)
    if options.report:
        text += report.printable(str(options.report / "index.html")) + "\n"
        outputs.write(numbers["report"], json.dumps(document, indent=1) + "\n")
        outputs.write(numbers["page"], report.page_of(document))
    if options.markdown:
        outputs.write(numbers["markdown"], report.markdown_of(found))
    _deliver(outputs, document_number, document, options, text + counts)
    any_ran = any(one.status == "ran" for one in found.runs)
    if not any_ran:
        print(f"{PROGRAM}: no runtime was audited: none of these runners found its runtime", file=sys.stderr)
    return 0 if any_ran and found.own_passed and not failures else 1


def _write_issues(found: audit.Audit, folder: Path) -> str:
    count = programs = 0
    for path, content, issue in issues.files_of(found):
        count += issue is not None
        programs += issue is not None and issue.program is not None
        try:
            (folder / path).parent.mkdir(exist_ok=True)
            with open(folder / path, "xb") as file:
                file.write(content)
        except OSError as error:
            raise Failure(SYSTEM, f"'{report.printable(str(folder / path))}' cannot be written: {error.strerror}") from error
    return f"{report.count_of(count, 'issue')}, {programs} with a program, in {report.printable(str(folder))}\n"


def write_cases(arguments: list[str]) -> int:
    made = argparse.ArgumentParser(f"{PROGRAM} cases", description="Writes the conformance cases as files that any runtime reads (kit/README.md).")
    made.add_argument("folder", metavar="DIR", type=Path, help="the folder, which must not exist or be empty")
    made.add_argument("--from", dest="source", metavar="DIR", type=Path, help="a folder of case files, GROUP.json, in place of the kit's own")
    made.add_argument("--further", action="store_true", help="also write the further cases, into DIR/further")
    options = made.parse_args(arguments)
    outputs = Outputs()
    try:
        if options.source and options.further:
            raise Failure(USAGE, "--further is part of the kit's own cases and --from replaces these: leave out one")
        cases = files.lists() if options.source is None else files.Lists(_groups(options.source))
        if options.source:
            _check(cases, options.source)
        outputs.folder("DIR", options.folder, new=True)
        files.write(options.folder, cases, progress=Progress())
        if options.further:
            files.write_further(options.folder / "further")
    except BaseException as error:
        outputs.discard()
        if isinstance(error, OSError):
            raise Failure(SYSTEM, f"'{report.printable(str(options.folder))}' cannot be filled: {error}") from error
        if isinstance(error, (AttributeError, IndexError, KeyError, TypeError, ValueError)) and options.source:
            raise Failure(REFUSED, f"{options.source} has a case that is not in the form of kit/README.md: {error!r}") from error
        raise
    models = sum(entry["onnx"] is not None for entry in cases.valid)
    graphs = sum(entry["onednn"] is not None for entry in cases.valid)
    print(f"{len(cases.valid)} cases, {models} of them as ONNX test cases and {graphs} as oneDNN graphs; {len(cases.invalid)} invalid models")
    return 0


def _groups(folder: Path) -> list[dict[str, Any]]:
    found = [audit.read_json(path) for path in sorted(folder.glob("*.json"))]
    if not found:
        raise Failure(USAGE, f"--from {report.printable(str(folder))}: the folder has no case file, GROUP.json")
    return found


def _check(cases: files.Lists, source: Path) -> None:
    """Raises Failure for a case that is not what its entry says, or whose files would be outside the folder."""
    for entry in [*cases.valid, *cases.invalid]:
        try:
            if ".." in entry["id"].split("/"):
                raise ValueError("its name is no part of a path")
            if "output" in entry:
                audit.check_valid(entry)
        except ValueError as error:
            raise Failure(REFUSED, f"{source}: case '{entry['id']}': {error}; see kit/README.md") from error


def _interrupt(number: int, frame: object) -> None:
    for one in SIGNALS:  # another one would end the removal of temporary files
        signal.signal(one, signal.SIG_IGN)
    raise Interrupted(number)


def main() -> None:
    """Runs the program, and ends with its exit status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # runners are waited for, also if the caller ignores the signal
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    outputs = Outputs()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # its encoding need not have each character of a report
    if sys.stderr is None:  # it is closed
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    try:
        if sys.stdout is None:
            raise Failure(SYSTEM, "cannot write to standard output: it is closed")
        if sys.argv[1:2] == ["cases"]:
            sys.exit(write_cases(sys.argv[2:]))
        options = parser().parse_args()
        sys.exit(new_runner(options, outputs) if options.new_runner else run(options, outputs))
    except Failure as failure:
        outputs.discard()
        if str(failure):
            print(f"{PROGRAM}: {report.printable(str(failure))}", file=sys.stderr)
        sys.exit(failure.status)
    except OSError as error:
        outputs.discard()
        print(f"{PROGRAM}: {report.printable(str(error))}", file=sys.stderr)
        sys.exit(SYSTEM)
    except Interrupted as interrupted:
        outputs.discard()
        signal.signal(interrupted.args[0], signal.SIG_DFL)
        os.kill(os.getpid(), interrupted.args[0])
    except BaseException:
        outputs.discard()
        raise


if __name__ == "__main__":
    main()
