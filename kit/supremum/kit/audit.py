"""Runs the conformance cases with runners, untrusted programs in any language, and judges their answers (kit/runners/README.md)."""

from __future__ import annotations

import json
import math
import os
import re
import selectors
import shlex
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

from . import HERE, NOT_INSTALLED, WHOSE, Case, Tensor, _case, _rule, _rules, _width_of
from . import files

USAGE, REFUSED, SYSTEM = 2, 3, 4  # exit statuses of errors, as those of the command
NEED_NO_MODELS = {"eigen", "numpy", "onednn", "pytorch", "supremum-c", "supremum-cpp", "supremum-pytorch", "xnnpack"}
MOST_LINE = 16 << 20  # bytes
MOST_STRAY_LINES = 1000  # a program that prints more lines without an answer is not a runner
MOST_TEXT = 500  # characters of a text that a runner prints
MOST_RANK = 64


class Failure(Exception):
    """An error that ends the audit: the text says what is wrong and what to do."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


# Letter, score, whether there was a result to compare, text, and the rules that are violated if not the first of the case.
VERDICTS = (
    ("p", "passed", True, "passed", ()),
    ("z", "failed", True, "wrong sign of zero", ("ORD-2",)),
    ("y", "failed", True, "wrong bits of NaN", ("ORD-4",)),
    ("b", "failed", True, "wrong sign of zero and wrong bits of NaN", ("ORD-2", "ORD-4")),
    ("l", "failed", True, "a number in place of NaN", ("ORD-3",)),
    ("i", "failed", True, "a finite number in place of an infinity", ()),
    ("w", "failed", True, "wrong value", ()),
    ("s", "failed", True, "wrong shape", ()),
    ("e", "failed", False, "error", ()),
    ("c", "failed", False, "crash or time limit", ()),
    ("a", "failed", False, "invalid model accepted", ()),
    ("u", "unsupported", False, "unsupported", ()),
    ("n", "unanswered", False, "no answer", ()),
    ("-", "not asked", False, "not asked", ()),
)
SCORES = ("passed", "failed", "unsupported", "unanswered")  # those that are counted
SCORE = {letter: score for letter, score, *_ in VERDICTS}
TEXT = {letter: text for letter, _, _, text, _ in VERDICTS}
HAS_RESULT = {letter: has for letter, _, has, *_ in VERDICTS}
OWN_RULES = {letter: rules for letter, *_, rules in VERDICTS}
LETTER = {text: letter for letter, text in TEXT.items()}


@dataclass
class Bits:
    """A tensor as cases.json and a runner state it; the number of digits need not fit the shape."""

    shape: list[int]
    bits: str

    def tensor(self, dtype: str) -> Optional[Tensor]:
        """None if the digits do not fit, or if there are more dimensions than a case has."""
        if len(self.shape) > MOST_RANK or len(self.bits) != 2 * _width_of(dtype) * math.prod(self.shape):
            return None
        return _case(None, {**_NO_CASE, "type": dtype, "output": {"shape": self.shape, "bits": self.bits}}).output


_NO_CASE: dict[str, Any] = {"id": "", "rules": [], "reason": "", "operator": "", "opset": 0, "inputs": []}


@dataclass
class One:
    """A case with an expected output, or a model that must be refused. `entry` is that of the list."""

    entry: dict[str, Any]
    id: str
    rules: list[str]  # at least one; a wrong result violates the first
    reason: str
    case: Optional[Case] = None  # None: a model that must be refused

    @property
    def invalid(self) -> bool:
        return self.case is None

    @property
    def operator(self) -> str:
        return self.case.operator if self.case else ""

    @property
    def attributes(self) -> str:
        """"axes=[1] keepdims=0"."""
        stated = self.entry.get("attributes") or {}
        return " ".join(f"{key}={json.dumps(value, separators=(',', ':'))}" for key, value in stated.items())

    @property
    def model(self) -> str:
        """The path of its model below the folder of the cases; "" if there is none."""
        if self.invalid:
            return str(self.entry["model"])
        return f"{self.entry['onnx']}/model.onnx" if self.entry.get("onnx") else ""

    @property
    def needs_files(self) -> bool:
        """It must be refused only when it runs on tensors of files."""
        return self.invalid and bool(self.entry.get("inputs"))

    @property
    def of_profile(self) -> bool:
        """A rule of the safety-related profile refuses it, which does not apply to other runtimes."""
        return self.invalid and (self.entry["verdict"]["fails"] == "profile" or self.rules[0].startswith("PRO-"))

    @property
    def size(self) -> tuple[int, int]:
        """How many elements and inputs it has: the smallest case of a deviation is shown."""
        if self.case is None:
            return 0, 0
        digits = len(self.case.output.content) + sum(len(operand.content) for operand in self.case.inputs)
        return digits // self.case.width, len(self.case.inputs)


@dataclass
class Cases:
    """The cases in the order in which runners count them: those with an expected output, then the models that must be refused."""

    all: list[One]
    folder: Optional[Path] = None  # they were read from it; None: the kit's own
    lists: Optional[files.Lists] = None  # the kit's own

    @property
    def valid(self) -> int:
        return sum(not one.invalid for one in self.all)

    def model_of(self, one: One) -> bytes:
        """The content of its model. Raises Failure for a model outside the folder: it is copied to where others read it."""
        if self.lists is not None:
            return self.lists.invalid_model(one.entry) if one.invalid else files.model(one.entry)
        path = Path(one.model)
        assert self.folder is not None
        if not Path(os.path.realpath(self.folder / path)).is_relative_to(os.path.realpath(self.folder)):
            raise Failure(REFUSED, f"case '{one.id}': its model '{path}' is not below the folder of the cases; write the cases again")
        try:
            return (self.folder / path).read_bytes()
        except OSError as error:
            raise Failure(SYSTEM, f"{self.folder / path} cannot be read: {error.strerror}") from error


def strict_json(text: str) -> Any:
    """The document. Raises ValueError for what readers of JSON understand differently, and for a depth that Python does not read."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("an object has a key twice")
        return found

    def constant(name: str) -> Any:
        raise ValueError(f"{name} is not JSON")

    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def read_json(path: Path) -> Any:
    try:
        return strict_json(path.read_bytes().decode())
    except OSError as error:
        raise Failure(SYSTEM, f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise Failure(REFUSED, f"{path} is not JSON: {error}") from error


def own_cases() -> Cases:
    found = files.lists()
    return Cases([*map(_one, found.valid), *map(_invalid_one, found.invalid)], lists=found)


def read_cases(folder: Path) -> Cases:
    """Reads cases.json and invalid.json, which are untrusted. Raises Failure naming the file and the case."""
    found: list[One] = []
    for name, check, made in (("cases.json", check_valid, _one), ("invalid.json", _check_invalid, _invalid_one)):
        path = folder / name
        document = read_json(path)
        entries = document.get("cases") if isinstance(document, dict) else None
        if not isinstance(entries, list):
            raise Failure(REFUSED, f"{path}: the document has no list 'cases'; write it again")
        for number, entry in enumerate(entries):
            where = f"case {number}"
            try:
                _want(isinstance(entry, dict), "it is not an object")
                _text(entry, "id", "reason")
                where = f"case '{entry['id']}'"
                _want(_is_list(entry.get("rules"), str), "'rules' is not a list of strings")
                _want(entry["rules"], "'rules' is empty")
                check(entry)
                found.append(made(entry))
            except ValueError as error:
                raise Failure(REFUSED, f"{path}: {where}: {error}; write it again") from error
    if not found:
        raise Failure(USAGE, f"{folder}: cases.json and invalid.json have no case; give a folder that has some")
    ids = [one.id for one in found]
    if len(set(ids)) < len(ids):
        twice = next(name for i, name in enumerate(ids) if name in ids[:i])
        raise Failure(REFUSED, f"{folder}: two cases have the id '{twice}'; write them again")
    return Cases(found, folder=folder)


def _want(condition: Any, text: str) -> None:
    if not condition:
        raise ValueError(text)


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(type(one) is kind for one in value)


def _text(entry: dict[str, Any], *keys: str) -> None:
    for key in keys:
        _want(isinstance(entry.get(key), str), f"'{key}' is {'missing' if key not in entry else 'not a string'}")
        # Neither a command line nor the name of a file can have these characters.
        _want(not re.search("[\0\ud800-\udfff]", entry[key]), f"'{key}' has a character U+0000, or half of one of UTF-16")


def check_valid(entry: dict[str, Any]) -> None:
    _text(entry, "type", "operator")
    width = _width_of(entry["type"])
    _want(type(entry.get("opset")) is int, "'opset' is missing, or is not a number")
    attributes = entry.get("attributes") or {}
    _want(isinstance(attributes, dict), "'attributes' is not an object")
    _want(isinstance(attributes.get("axes") or [], list), "'axes' is not a list")
    for value in attributes.values():
        _want(type(value) is int or _is_list(value, int), "an attribute is neither a whole number nor a list of them")
    if entry.get("onnx") is not None:
        _text(entry, "onnx")
    _want(isinstance(entry.get("inputs"), list), "'inputs' is missing, or is not a list")
    for operand in [*entry["inputs"], entry.get("output")]:
        _want(isinstance(operand, dict) and _is_list(operand.get("shape"), int), "'shape' is not a list of whole numbers")
        _text(operand, "bits")
        shape, bits = operand["shape"], operand["bits"]
        _want(len(shape) <= MOST_RANK and all(extent >= 0 for extent in shape), f"a shape has more than {MOST_RANK} dimensions, or a negative extent")
        expected = 2 * width * math.prod(shape)
        _want(len(bits) == expected, f"{len(bits)} hexadecimal digits for {entry['type']}{shape}, expected {expected}")
        _want(re.fullmatch("[0-9a-fA-F]*", bits), "bits are not hexadecimal digits")
        _want(entry["type"] != "bool" or re.fullmatch("(0[01])*", bits), "a bool is neither 00 nor 01")


def _check_invalid(entry: dict[str, Any]) -> None:
    _text(entry, "model")
    _want(isinstance(entry.get("inputs", []), list), "'inputs' is not a list")
    _want(isinstance(entry.get("verdict"), dict), "'verdict' is missing, or is not an object")
    _text(entry["verdict"], "fails", "code", "rule")


def _one(entry: dict[str, Any]) -> One:
    return One(entry, entry["id"], list(entry["rules"]), entry["reason"], _case(None, entry))


def _invalid_one(entry: dict[str, Any]) -> One:
    # The rule that accepting the model violates is the first.
    rule = [entry["verdict"]["rule"]] if entry["verdict"]["rule"] else []
    return One(entry, entry["id"], rule + [one for one in entry["rules"] if one not in rule], entry["reason"])


def choose(cases: Cases, wanted: list[str]) -> Cases:
    """The cases that any of `wanted`, ids or patterns, names. Raises Failure naming one that matches no case."""
    for text in wanted:
        if not any(files.matches(text, one.id) for one in cases.all):
            raise Failure(USAGE, f"--case '{text}': there is no such case; ids are GROUP/NAME/TYPE, and '*' matches any text")

    def fits(case_id: str) -> bool:
        return any(files.matches(text, case_id) for text in wanted)

    return Cases([one for one in cases.all if fits(one.id)], cases.folder, cases.lists.chosen(fits) if cases.lists else None)


def write_for_runners(cases: Cases, folder: Path, with_models: bool, progress: Callable[[str], None]) -> None:
    """Fills an empty folder with what runners read; the files of a user's cases are linked, not copied."""
    if cases.lists is not None:
        return files.write(folder, cases.lists, with_models, progress)
    assert cases.folder is not None
    for name, entries in (
        ("cases.json", [one.entry for one in cases.all if not one.invalid]),
        ("invalid.json", [one.entry for one in cases.all if one.invalid]),
    ):
        (folder / name).write_text(json.dumps({"cases": entries}, separators=(",", ":")), encoding="utf-8")
    for path in cases.folder.iterdir():
        if not (folder / path.name).exists():
            (folder / path.name).symlink_to(path.resolve())
    return None


# Runners.


@dataclass
class Runner:
    """A program that computes the cases with a runtime."""

    name: str  # "numpy", or "supremum-cpp:avx2" for a runner with a given target
    option: str  # the value of --runner that means it: the name, or the path of a program elsewhere
    program: list[str]  # its path, perhaps behind an interpreter
    arguments: list[str] = field(default_factory=list)

    @property
    def own(self) -> bool:
        return self.name.startswith("supremum")


def installed_runners() -> Path:
    """The folder of the runners: of the build or the installation that has this package, or the package's own."""
    if named := os.environ.get("SUPREMUM_RUNNERS"):
        return Path(named)
    for above in [*HERE.parents, Path(sys.prefix)]:
        folder = above / "libexec" / "supremum" / "runners"
        if folder.is_dir():
            return folder
    return HERE / "runners" if (HERE / "runners").is_dir() else HERE.parents[1] / "runners"


def template() -> Path:
    """The runner that --new-runner writes."""
    packaged = HERE / "runners" / "numpy"
    return packaged if packaged.exists() else HERE.parents[1] / "runners" / "numpy"


def find_runners(folder: Path, chosen: list[str], added: list[str]) -> list[Runner]:
    """The programs in the folder whose names have no '.', supremum's own first; if `chosen` is not empty, only those.

    A text of `chosen` with a '/' is a program of that path, as all of `added` are. Raises Failure for what is no program or no name.
    """
    names = [one for one in chosen if "/" not in one]
    paths = [one for one in chosen if "/" in one]
    found: list[Runner] = []
    if names or not paths:
        listed = _list_runners(folder)
        for name in names:
            if not any(_names(name, runner) for runner in listed):
                known = ", ".join(runner.name for runner in listed) or "none"
                text = f"--runner '{name}': there is no such runner in {folder}; known: {known}; a program elsewhere is given by its path"
                raise Failure(USAGE, f"{text}, ./{name}")
        found = [runner for runner in listed if not names or any(_names(name, runner) for name in names)]
    for path in [*paths, *added]:
        runner = _runner_at(path)
        same = [one for one in found if one.name == runner.name]
        if same:  # reports and --baseline tell runners apart by their names
            text = f"{same[0].program[-1]} and {path} are two runners of the name '{runner.name}'; rename one, or leave it out"
            raise Failure(USAGE, text)
        found.append(runner)
    return sorted(found, key=lambda runner: not runner.own)


def _names(wanted: str, runner: Runner) -> bool:
    return runner.name == wanted or runner.name.startswith(wanted + ":")


def _list_runners(folder: Path) -> list[Runner]:
    try:
        programs = sorted(path.absolute() for path in folder.iterdir())
    except OSError as error:
        text = f"cannot list the runners in {folder}: {error.strerror}; name their folder with --runners"
        raise Failure(SYSTEM, text) from error
    found = []
    for path in programs:
        if "." in path.name or not path.is_file() or not os.access(path, os.X_OK):
            continue
        targets = _targets(path) if path.name == "supremum-cpp" else []
        # The package's own are for the Python that runs this; the others name theirs.
        interpreter = [sys.executable, "-B"] if folder.is_relative_to(HERE) else []
        if not targets:
            found.append(Runner(path.name, path.name, [*interpreter, str(path)]))
        for name, target in ((f"{path.name}:{target}", target) for target in targets):
            found.append(Runner(name, name, [str(path)], ["--target", target]))
    return found


def _targets(program: Path) -> list[str]:
    """The instruction sets of supremum-cpp that run here; none if the program does not say it, which a run reports."""
    try:
        return subprocess.run([program, "--targets"], capture_output=True, text=True, check=False, timeout=60).stdout.split()
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return []


def _runner_at(path: str) -> Runner:
    reason = ""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode) or not os.access(path, os.X_OK):
            reason = "Permission denied"
    except OSError as error:
        reason = error.strerror or str(error)
    if reason:
        raise Failure(SYSTEM, f"'{path}' cannot be run: {reason}; name a program; chmod +x makes a script one")
    as_given = "/" in path and not path.startswith("-")
    return Runner(Path(path).name, path if as_given else f"./{path}", [str(Path(path).absolute())])


@dataclass
class Answer:
    """`kind`: none, result, unsupported, failed, crashed; refused and accepted for models that must be refused."""

    kind: str = "none"
    text: str = ""
    result: Optional[Bits] = None


@dataclass
class Run:
    """What a runner answered, and the verdicts. `status`: ran; not installed and broken, for the `reason`."""

    runner: Runner
    answers: list[Answer]
    status: str = "ran"
    reason: str = ""
    head: dict[str, str] = field(default_factory=lambda: dict.fromkeys(("runtime", "version", "interface"), ""))
    restarts: int = 0
    stray_lines: int = 0  # lines that were not an answer to an open case
    first_stray: str = ""
    seconds: float = 0.0
    letters: str = ""
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SCORES, 0))
    failed_by: dict[str, int] = field(default_factory=lambda: dict.fromkeys(WHOSE, 0))  # a case counts for the first that it violates
    rules: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def none_applied(self) -> bool:
        return self.status == "ran" and not any(self.counts.values())

    @property
    def all_passed(self) -> bool:
        counts = dict(self.counts)
        return self.status == "ran" and counts.pop("passed") > 0 and not any(counts.values()) and not self.stray_lines


class Child:
    """An untrusted subprocess: it may crash, hang, or print without end. Its process group is killed when it ends."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        assert self._process.stdout and self._process.stderr
        self._out, self._err = self._process.stdout, self._process.stderr
        self._selector = selectors.DefaultSelector()
        for pipe in (self._out, self._err):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ)
        self._lines = bytearray()
        self._scanned = 0  # no line ends before this position
        self._complaints = b""
        self._open = True  # its standard output
        self._ended = False

    def _exited(self) -> bool:
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _kill(self) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            self._process.kill()
        except PermissionError:  # its processes have ended
            pass

    def _poll(self, deadline: float) -> None:
        ready = self._selector.select(min(max(0.0, deadline - time.monotonic()), 0.05))
        for key, _ in ready:
            content = os.read(key.fd, 1 << 16)
            if not content:
                self._selector.unregister(key.fileobj)
                self._open = self._open and key.fileobj is not self._out
            elif key.fileobj is self._out:
                self._lines += content
            else:
                self._complaints = (self._complaints + content)[-4096:]
        if not ready and self._exited():
            self._kill()  # a process that it started may keep the pipe open
            if self._ended:  # such a process has left the group: what the runner itself has printed has been read
                self._open = False
            self._ended = True

    def next(self, deadline: float) -> tuple[str, bytes]:
        """The next event: line, end (of its output), late, or long (a line beyond the limit); and the line."""
        while True:
            end = self._lines.find(b"\n", self._scanned)
            if end >= 0:
                line = bytes(self._lines[:end])
                del self._lines[: end + 1]
                self._scanned = 0
                return "line", line
            self._scanned = len(self._lines)
            if self._scanned > MOST_LINE:
                return "long", b""
            if not self._open:
                line = bytes(self._lines)
                self._lines.clear()
                self._scanned = 0
                return ("line", line) if line else ("end", b"")
            if time.monotonic() >= deadline:
                return "late", b""
            self._poll(deadline)

    def finish(self, deadline: float) -> tuple[int, bool]:
        """Waits for its end, and kills what is left of its group: the status, as subprocess has it, and whether it was late."""
        late = False
        while not self._exited():
            if time.monotonic() >= deadline:
                late = True
                break
            self._poll(deadline)  # it is read, so that a full pipe does not block it
            self._lines.clear()
        self._kill()
        status = self._process.wait()
        try:  # what fits a pipe: a process that has left the group may print without end
            self._complaints = (self._complaints + os.read(self._err.fileno(), 1 << 16))[-4096:]
        except OSError:
            pass
        self._selector.close()
        self._out.close()
        self._err.close()
        return status, late

    def complaint(self) -> str:
        """The last line of its standard error."""
        return self._complaints.decode(errors="backslashreplace").rstrip("\r\n").rpartition("\n")[2]


def _short(entry: dict[str, Any], key: str) -> str:
    text = entry.get(key)
    if not isinstance(text, str):
        raise ValueError(f"'{key}' is missing, or is not a string")
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "..."


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = strict_json(line.decode())
    except ValueError as error:
        raise ValueError(f"a runner's line is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise ValueError("a runner's line is not a JSON object")
    return found


def _answer(entry: dict[str, Any], invalid: bool) -> Answer:
    if sum(key in entry for key in (("refused", "accepted") if invalid else ("bits", "unsupported", "failed"))) > 1:
        raise ValueError("more than one answer")
    for key in ("refused",) if invalid else ("unsupported", "failed"):
        if key in entry:
            return Answer(key, _short(entry, key))
    if invalid:
        if entry.get("accepted") is not True:
            raise ValueError("neither 'refused' nor 'accepted'")
        return Answer("accepted")
    shape, bits = entry.get("shape"), entry.get("bits")
    if not _is_list(shape, int) or any(extent < 0 for extent in shape or []):
        raise ValueError("'shape' is missing, or is not a list of extents")
    if not isinstance(bits, str) or not re.fullmatch("[0-9a-fA-F]*", bits):
        raise ValueError("'bits' is missing, or is not a string of hexadecimal digits")
    return Answer("result", result=Bits(shape or [], bits.lower()))


class Session:
    """One runner over all cases: starts it, and again behind a crash, and records the answers."""

    def __init__(
        self, runner: Runner, folder: Path, cases: Cases, case_limit: float, runner_limit: float, progress: Callable[[str], None]
    ) -> None:
        self._folder, self._cases, self._valid = folder.absolute(), cases.all, cases.valid
        self._case_limit, self._runner_limit, self._progress = case_limit, runner_limit, progress
        self._run = Run(runner, [Answer() for _ in cases.all])
        self._open = 0  # the first case without an answer that may still come
        self._end = 0.0

    def run(self) -> Run:
        start = time.monotonic()
        self._end = start + self._runner_limit
        while self._open < len(self._cases) and self._start():
            self._run.restarts += self._open < len(self._cases)
        self._run.seconds = time.monotonic() - start
        return self._run

    def _start(self) -> bool:
        """Starts the runner once, from the open case on. True if it must be started again."""
        runner = self._run.runner
        behind = ["--from", str(self._open)] if self._open else []
        try:
            child = Child([*runner.program, str(self._folder), *runner.arguments, *behind])
        except OSError as error:
            return self._give_up(f"cannot start {runner.program[-1]}: {error.strerror}; check that it exists and is executable")
        try:
            return self._read(child)
        except BaseException:  # an interrupt ends the runner
            child.finish(0)
            raise

    def _read(self, child: Child) -> bool:
        headed = False
        while True:
            self._progress(f"{self._run.runner.name}: case {min(self._open + 1, len(self._cases))} of {len(self._cases)}")
            limit = time.monotonic() + (1 if headed else 4) * self._case_limit
            event, line = child.next(min(limit, self._end))
            if event != "line":
                return self._ended(child, event, headed)
            if not headed:
                try:
                    entry = _object(line)
                    self._run.head = {key: _short(entry, key) for key in ("runtime", "version", "interface")}
                except ValueError as error:
                    child.finish(0)
                    return self._give_up(f"its first line is invalid: {error}")
                headed = True
                continue
            try:
                self._take(_object(line))
            except ValueError as error:
                self._run.first_stray = self._run.first_stray or str(error)
                self._run.stray_lines += 1
            if self._run.stray_lines > MOST_STRAY_LINES:
                child.finish(0)
                return self._leave("not reached: the runner printed too many lines that are not answers")

    def _take(self, entry: dict[str, Any]) -> None:
        invalid = "case" not in entry
        number = entry.get("invalid" if invalid else "case")
        if type(number) is not int or number < 0:
            raise ValueError("neither 'case' nor 'invalid' has a number")
        answer, case_id = _answer(entry, invalid), _short(entry, "id")
        index = number + (self._valid if invalid else 0)
        if not self._open <= index < (len(self._cases) if invalid else self._valid):
            raise ValueError(f"an answer to case {number}, which is not open")
        if case_id != self._cases[index].id[:MOST_TEXT] + "..." * (len(self._cases[index].id) > MOST_TEXT):
            raise ValueError(f"case {number} is '{self._cases[index].id}', and the answer is to '{case_id}'")
        self._run.answers[index] = answer  # skipped cases remain without an answer
        self._open = index + 1

    def _ended(self, child: Child, event: str, headed: bool) -> bool:
        """Called when its output has ended, or when it must be killed."""
        closed = event == "end"
        now = time.monotonic()
        status, late = child.finish(min(now + self._case_limit, self._end) if closed else now)
        complaint = child.complaint()
        if not headed and not self._open:
            if closed and status == NOT_INSTALLED:
                self._run.status, self._run.reason = "not installed", complaint
                return False
            return self._give_up(self._reason(event, status, late, complaint))
        # A runtime gives no answer to invalid models of a kind that it does not read.
        if closed and status == 0 and not late and self._open >= self._valid:
            return False
        if time.monotonic() >= self._end:
            return self._leave(f"not reached within the runner's limit of {self._runner_limit:g} s")
        return self._crashed(self._reason(event, status, late, complaint))

    def _crashed(self, reason: str) -> bool:
        if self._open < len(self._cases):
            self._run.answers[self._open] = Answer("crashed", reason)
            self._open += 1
        return True

    def _reason(self, event: str, status: int, late: bool, complaint: str) -> str:
        says = f": {complaint}" if complaint else ""
        if event == "late":
            return f"no answer within {self._case_limit:g} s"
        if event == "long":
            return f"a line of more than {MOST_LINE} bytes"
        if late:
            return "closed its output and did not end"
        if status < 0:
            return f"crashed: signal {-status} ({signal.strsignal(-status) or '?'}){says}"
        return f"ended with exit status {status} and no answer{says}"

    def _give_up(self, reason: str) -> bool:
        if self._open:  # it has run before, and what it answered counts
            return self._crashed(reason)
        self._run.status, self._run.reason = "broken", reason
        return False

    def _leave(self, reason: str) -> bool:
        """The open cases remain without an answer, for that reason."""
        for answer in self._run.answers[self._open :]:
            answer.text = reason
        self._open = len(self._cases)
        return False


# The verdicts.


def letter_of(one: One, answer: Answer, own: bool) -> str:
    """The verdict on an answer. Other runtimes than supremum are not asked about models that violate only the profile."""
    if one.of_profile and not own:
        return "-"
    if answer.kind == "none":  # to such a model: the runtime does not read them
        return "-" if one.invalid and not answer.text else "n"
    if answer.kind != "result":
        return {"unsupported": "u", "failed": "e", "crashed": "c", "refused": "p", "accepted": "a"}[answer.kind]
    assert one.case and answer.result
    dtype, shape = one.case.type, tuple(answer.result.shape)
    if shape != one.case.output.shape:
        return "s"
    tensor = answer.result.tensor(dtype)
    # Digits that do not fit the shape are too many bytes, or too few.
    wrong = Tensor(dtype, shape, bytes(len(one.case.output.content) + 1))
    return LETTER[one.case.judge(tensor or wrong).text]


def broken_rules(one: One, letter: str) -> list[str]:
    """The rules that the verdict violates; none if the case passed or was not asked."""
    if SCORE[letter] != "failed":
        return []
    return list(OWN_RULES[letter]) or one.rules[:1]


def origin_of(letter: str, rule: str) -> str:
    """What a failed case violates: ONNX decides every result, but not the sign of a zero, whether NaN wins, and the bits of a NaN."""
    return "ONNX" if HAS_RESULT[letter] and not OWN_RULES[letter] else _rule(rule)[1]


def judge(run: Run, cases: Cases) -> None:
    """Adds the verdicts and the counts. Of a failed case, the violated rules count as failed; the others as passed if there was a result."""
    if run.status != "ran":
        run.letters = "-" * len(cases.all)
        return
    run.letters = "".join(letter_of(one, answer, run.runner.own) for one, answer in zip(cases.all, run.answers))
    for one, letter in zip(cases.all, run.letters):
        score = SCORE[letter]
        if score not in SCORES:
            continue
        run.counts[score] += 1
        broken = broken_rules(one, letter)
        if broken:
            run.failed_by[min((origin_of(letter, rule) for rule in broken), key=WHOSE.index)] += 1
        for rule in broken:
            run.rules.setdefault(rule, dict.fromkeys(SCORES, 0))["failed"] += 1
        if score == "failed" and not HAS_RESULT[letter]:
            continue
        for rule in one.rules:
            if rule not in broken:
                run.rules.setdefault(rule, dict.fromkeys(SCORES, 0))["passed" if score == "failed" else score] += 1


@dataclass
class Deviation:
    """Cases in which a runner violates the same rule of the same operator in the same way."""

    run: Run
    rule: str
    operator: str  # "" for models
    letter: str
    cases: list[int]  # ascending
    smallest: int  # the one of them with the fewest elements

    @property
    def origin(self) -> str:
        return origin_of(self.letter, self.rule)


@dataclass
class Audit:
    """An audit as a whole."""

    cases: Cases
    runs: list[Run]
    command: str  # with the options for the folders of cases and runners
    deviations: list[Deviation] = field(default_factory=list)

    def judge(self) -> None:
        order = list(_rules())
        for run in self.runs:
            judge(run, self.cases)
            found: dict[tuple[str, str, str], list[int]] = {}
            for i, letter in enumerate(run.letters):
                for rule in broken_rules(self.cases.all[i], letter):
                    found.setdefault((rule, self.cases.all[i].operator, letter), []).append(i)
            place = {key: (order.index(key[0]) if key[0] in order else len(order), key) for key in found}
            for key in sorted(found, key=lambda key: place[key]):
                smallest = min(found[key], key=lambda i: self.cases.all[i].size)
                self.deviations.append(Deviation(run, *key, found[key], smallest))

    @property
    def own_passed(self) -> bool:
        return all(run.all_passed for run in self.runs if run.runner.own)

    def reproduce(self, run: Run, one: One) -> str:
        """The command that runs one case with one runner."""
        return f"{self.command} --runner {shell_quote(run.runner.option)} --case {shell_quote(one.id)}"


def shell_quote(word: str) -> str:
    """The word for a shell; of what is not printable, in octal numbers."""
    if word.isprintable():
        return shlex.quote(word)
    octal = "".join(chr(b) if 32 <= b < 127 and chr(b) not in "\\%'" else f"\\{b:03o}" for b in os.fsencode(word))
    return f"\"$(printf '{octal}')\""


# The gate: whether failures count as errors.

Baseline = dict[tuple[str, str], str]


def read_baseline(path: Path) -> Baseline:
    """The failed cases of an earlier audit, whose JSON is untrusted: the letter of the verdict, by runner and case."""
    document = read_json(path)

    def want(condition: bool, text: str) -> None:
        if not condition:
            raise Failure(REFUSED, f"{path}: {text}; give a file that `supremum-audit --json` or --report has written")

    want(isinstance(document, dict), "it is no object")
    cases, runners = document.get("cases"), document.get("runners")
    want(isinstance(cases, list) and isinstance(runners, list), "'cases' or 'runners' is missing")
    want(all(isinstance(one, dict) and isinstance(one.get("id"), str) for one in cases), "a case has no 'id'")
    found: Baseline = {}
    for runner in runners:
        want(isinstance(runner, dict) and isinstance(runner.get("name"), str), "a runner has no 'name'")
        letters = runner.get("verdicts")
        if not isinstance(letters, str):
            continue  # it did not run
        text = f"the runner '{runner['name']}' has {len(letters)} verdicts for {len(cases)} cases"
        want(len(letters) == len(cases), text)
        found |= {(runner["name"], one["id"]): letter for one, letter in zip(cases, letters) if SCORE.get(letter) == "failed"}
    return found


def parse_rules(text: str) -> set[str]:
    """The rules that --fail-on names, separated by commas, or "all"."""
    rules: set[str] = set()
    for word in text.split(","):
        if word != "all" and word not in _rules():
            raise Failure(USAGE, f"--fail-on: '{word}' is no rule; give rules of docs/semantics.md, as ORD-3,RED-6, or all")
        rules.add(word)
    return rules


def failures_of(audit: Audit, rules: set[str], baseline: Baseline) -> Iterator[tuple[Run, One, str, str]]:
    """Runner, case, letter and rule of each case that violates one of `rules`, and is not in `baseline` with that letter.

    "all" as one of `rules` means any, also one that docs/semantics.md does not have.
    """
    for run in audit.runs:
        for one, letter in zip(audit.cases.all, run.letters):
            broken = [rule for rule in broken_rules(one, letter) if rules & {rule, "all"}]
            if broken and baseline.get((run.runner.name, one.id)) != letter:
                yield run, one, letter, broken[0]
