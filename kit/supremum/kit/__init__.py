"""The conformance cases of Max and ReduceMax: to test a runtime in Python, or to write a runner of `supremum-audit`.

    import functools, numpy
    from supremum import kit

    for case in kit.cases(operator="Max", types=["float32", "int64"]):
        verdict = case.judge(functools.reduce(numpy.maximum, case.arrays()))
        if not verdict:
            print(case.id, verdict.text, *verdict.rules)

cases            the cases, all or some
Case, Tensor     one of them, and what it computes with
Verdict, Deviation, Unsupported
                 what is wrong with a result; the errors of Case.check and of what a runtime does not have
main, Invalid, Result, need, not_installed, text_of
                 a complete runner of `supremum-audit`, in a few lines (kit/runners/README.md)

As parameters of a test of pytest: @pytest.mark.parametrize("case", kit.cases(operator="Max"), ids=lambda case: case.id). This file needs Python's standard library alone; NumPy, PyTorch and onnx are imported
by the functions that name them. Rules are those of docs/semantics.md.
"""

from __future__ import annotations

import argparse
import copy
import fnmatch
import functools
import importlib
import json
import math
import re
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Optional, Union

__all__ = ["Case", "Deviation", "Dims", "Invalid", "Result", "Tensor", "Unsupported", "Verdict"]
__all__ += ["cases", "main", "need", "not_installed", "option", "text_of"]

Dims = tuple[int, ...]
Names = Union[None, str, Iterable[str]]
Result = tuple[Dims, bytes]  # the shape, and the elements in the machine's byte order

WHOSE = ("ONNX", "SONNX", "supremum")  # the values of Verdict.breaks; a result counts for the first that it violates
NOT_INSTALLED = 77
HERE = Path(__file__).resolve().parent
__version__ = "0.1.0"

# Types of ONNX's TensorProto, by number.
_ONNX_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10}
_ONNX_TYPES |= {"float64": 11, "uint32": 12, "uint64": 13, "bfloat16": 16}
_FRACTION_BITS = {"bfloat16": 7, "float16": 10, "float32": 23, "float64": 52}
# From this opset on, ReduceMax has its axes as an input.
_AXES_INPUT = 18
# The differences that ONNX permits, and the rules that do not.
_OPEN_IN_ONNX = {"a number in place of NaN": "ORD-3", "wrong sign of zero": "ORD-2", "wrong bits of NaN": "ORD-4"}
# The first opset of each IR version: older readers would refuse a later one.
_IR_VERSIONS = ((23, 11), (21, 10), (19, 9), (15, 8), (12, 7), (11, 6), (10, 5), (9, 4), (0, 3))


class Unsupported(Exception):
    """The runtime does not support the type or has no kernel for the case, or its interface cannot express the case."""


@dataclass(frozen=True)
class Tensor:
    """Elements of one type.

    type     "float32", as NumPy writes it; "bfloat16", "bool"
    shape    the extents
    content  the elements, row-major, in the machine's byte order
    """

    type: str
    shape: Dims
    content: bytes

    @classmethod
    def of(cls, value: Any) -> Tensor:
        """The tensor of an array of NumPy, a tensor of PyTorch, or whatever numpy.asarray takes.

        Raises ValueError for a masked array that hides elements: numpy.asarray would return what it hides.
        """
        if isinstance(value, Tensor):
            return value
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.Tensor):
            flat = value.detach().cpu().contiguous().reshape(-1)
            content = flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""
            return cls(str(value.dtype).rpartition(".")[2], tuple(value.shape), content)
        import numpy

        if hidden := int(numpy.count_nonzero(numpy.ma.getmaskarray(value))) if isinstance(value, numpy.ma.MaskedArray) else 0:
            text = f"a masked array with {hidden} hidden element{'s' * (hidden > 1)}"
            raise ValueError(f"{text}; a result must have every element: state them, for example by filled()")
        array = numpy.asarray(value)
        native = array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
        return cls(array.dtype.name, array.shape, native.tobytes())

    @property
    def width(self) -> int:
        """Bytes of an element. Raises ValueError if no case has the type, as `bits` does."""
        return _width_of(self.type)

    @property
    def bits(self) -> list[int]:
        """Each element as a whole number of the type's full width."""
        width = self.width
        return [int.from_bytes(self.content[i : i + width], sys.byteorder) for i in range(0, len(self.content), width)]

    def numpy(self) -> Any:
        """A new array of NumPy. Raises Unsupported if NumPy has no such type or rank (bfloat16 needs ml_dtypes)."""
        import numpy

        try:
            if self.type == "bfloat16":
                importlib.import_module("ml_dtypes")
            return numpy.frombuffer(bytearray(self.content), self.type).reshape(self.shape)
        except (ImportError, TypeError, ValueError) as error:
            raise Unsupported(text_of(error)) from error

    def torch(self) -> Any:
        """A new tensor of PyTorch. Raises Unsupported if this version has no such type."""
        import torch

        dtype = getattr(torch, self.type, None)
        if dtype is None:
            raise Unsupported(f"PyTorch {torch.__version__} has no type {self.type}")
        if not self.content:
            return torch.empty(self.shape, dtype=dtype)
        return torch.frombuffer(bytearray(self.content), dtype=dtype).reshape(self.shape)

    def __str__(self) -> str:
        """`float32[2] 1.5 (0x3fc00000), nan (0x7fc00000)`, at most eight elements."""
        head = f"{self.type}[{','.join(map(str, self.shape))}]"
        if self.type not in _ONNX_TYPES:
            return f"{head}, not a type of the kit"
        shown = [f"{_text_of_bits(self.type, bits)} (0x{bits:0{2 * self.width}x})" for bits in self.bits[:8]]
        more = [f"and {len(self.bits) - 8} more"] if len(self.bits) > 8 else []
        expected = math.prod(self.shape) * self.width
        length = [f"{len(self.content)} bytes, expected {expected}"] if len(self.content) != expected else []
        return f"{head} {', '.join(shown + more + length)}".rstrip()


@dataclass(frozen=True)
class Verdict:
    """What is wrong with a result; true if nothing is.

    text   "passed", "wrong sign of zero", ...: the words of `supremum-audit`
    rules  those of docs/semantics.md that it violates
    breaks what it violates: "ONNX" (or oneDNN), else "SONNX", else "supremum" alone; "" if it passed. ONNX decides
           the type, the shape and every element, but not the sign of a zero, whether NaN wins, and the bits of a
           NaN: any other difference violates ONNX, whatever rule the case tests
    """

    text: str
    rules: tuple[str, ...]
    breaks: str

    def __bool__(self) -> bool:
        return not self.rules


class Deviation(AssertionError):
    """A result that is not the case's. `case`, `result` (a Tensor) and `verdict` say which, what and why."""

    def __init__(self, case: Case, result: Tensor, verdict: Verdict) -> None:
        self.case, self.result, self.verdict = case, result, verdict
        whose = "only supremum" if verdict.breaks == WHOSE[-1] else verdict.breaks
        lines = [f"{case.id}: {verdict.text}, against {' and '.join(verdict.rules)}; violates {whose}"]
        lines += [f"  {rule}: {_rule(rule)[0]}" for rule in verdict.rules]
        lines += [f"  {case.operator}, opset {case.opset}" + "".join(f", {k}={v}" for k, v in case.attributes.items())]
        lines += [f"  x{i}:       {operand}" for i, operand in enumerate(case.inputs)]
        lines += [f"  actual:   {result}", f"  expected: {case.output}"]
        super().__init__("\n".join(lines))


@dataclass(frozen=True)
class Case:
    """One case.

    id          GROUP/NAME/TYPE
    rules       those that it tests, the most important first; `reason` says it in a sentence
    operator    "Max" or "ReduceMax"; `opset`, `attributes`: those that the model states; axes are a list, also
                where the model has them as an input
    type        of all elements
    inputs      what to compute with; `output`: the only right result
    onnx        the folder of a test case in ONNX's form, `onednn` a graph; None where that format has no such
                node, and for cases that were not read from a folder
    """

    id: str
    rules: tuple[str, ...]
    reason: str
    operator: str
    opset: int
    attributes: dict[str, Any]
    type: str
    inputs: list[Tensor]
    output: Tensor
    onnx: Optional[Path] = field(default=None, compare=False)
    onednn: Optional[Path] = field(default=None, compare=False)

    @property
    def width(self) -> int:
        """Bytes of an element."""
        return _width_of(self.type)

    @property
    def keepdims(self) -> bool:
        """Of ReduceMax."""
        return self.attributes.get("keepdims", 1) != 0

    @property
    def axes(self) -> Optional[Dims]:
        """The dimensions that ReduceMax reduces; None: all (RED-5 has been applied)."""
        axes = tuple(self.attributes.get("axes") or ())
        return axes if axes or self.attributes.get("noop_with_empty_axes") else None

    def matches(self, patterns: Iterable[str]) -> bool:
        """True if one of these patterns of ids matches, as "max_signed_zeros/*"."""
        return any(fnmatch.fnmatchcase(self.id, pattern) for pattern in patterns)

    def arrays(self) -> list[Any]:
        """The inputs as arrays of NumPy; Unsupported as Tensor.numpy."""
        return [operand.numpy() for operand in self.inputs]

    def pb_files(self) -> list[Path]:
        """The inputs of the ONNX test case, in the model's order. Requires: `onnx`."""
        assert self.onnx is not None, "the case has no files"
        folder = self.onnx / "test_data_set_0"
        return [folder / f"input_{i}.pb" for i in range(len(list(folder.glob("input_*.pb"))))]

    def model(self) -> Any:
        """The case as an onnx.ModelProto: inputs x0, x1, ..., output y, as `supremum-audit cases` writes it.

        Raises Unsupported for what no ONNX model can have: ReduceMax of int16 and uint16.
        """
        import onnx

        from . import files  # the copy of this file beside the runners has none

        entry = {"operator": self.operator, "type": self.type, "opset": self.opset, "attributes": self.attributes}
        shapes = [{"shape": list(operand.shape)} for operand in (*self.inputs, self.output)]
        return onnx.load_from_string(files.model({**entry, "inputs": shapes[:-1], "output": shapes[-1]}))

    def judge(self, result: Any) -> Verdict:
        """The verdict on a result: a Tensor, or what Tensor.of takes. The shape is compared, the type, then every bit.

        A Tensor with more or fewer bytes than its shape needs is a wrong value, as it is to `supremum-audit`. Of
        several differences the verdict is the most severe: those that ONNX decides, then NaN, then zeros and bits.
        Raises what Tensor.of raises.
        """
        actual = Tensor.of(result)
        if actual.shape != self.output.shape:
            return Verdict("wrong shape", self.rules[:1], "ONNX")
        if actual.type != self.type:
            return Verdict("wrong type", self.rules[:1], "ONNX")
        if actual.content == self.output.content:
            return Verdict("passed", (), "")
        if len(actual.content) != len(self.output.content):
            return Verdict("wrong value", self.rules[:1], "ONNX")
        kinds = {_difference(self.type, a, b) for a, b in zip(actual.bits, self.output.bits) if a != b}
        for text in ("wrong value", "a finite number in place of an infinity"):
            if text in kinds:
                return Verdict(text, self.rules[:1], "ONNX")
        lost = "a number in place of NaN"
        found = [lost] if lost in kinds else [text for text in _OPEN_IN_ONNX if text in kinds]
        rules = tuple(_OPEN_IN_ONNX[text] for text in found)
        return Verdict(" and ".join(found), rules, min((_rule(rule)[1] for rule in rules), key=WHOSE.index))

    def check(self, result: Any) -> None:
        """Raises Deviation unless `result` is right in every bit; also what Tensor.of raises."""
        actual = Tensor.of(result)
        if not (verdict := self.judge(actual)):
            raise Deviation(self, actual, verdict)


def cases(
    *,
    operator: Optional[str] = None,
    types: Names = None,
    rules: Names = None,
    ids: Names = None,
    folder: Union[None, str, Path] = None,
) -> list[Case]:
    """The cases that have a right result, in the order of their ids.

    operator  "Max" or "ReduceMax"
    types     one of these element types
    rules     that test one of these rules
    ids       patterns, as "max_signed_zeros/*": one of them matches
    folder    a folder that `supremum-audit cases` wrote, whose cases have files; None: the package's own

    A text in place of a list is a list of one. Each call returns cases of its own, which may be changed.

    Raises ValueError if no case is left, so that a misspelt name does not make a test that tests nothing;
    FileNotFoundError if the folder has no list of cases.

    >>> from supremum import kit
    >>> [case] = kit.cases(ids="max_signed_zeros/of_1_minus_zero_zero/float32")
    >>> print(case.output)
    float32[1] 0 (0x00000000)
    """
    wanted_types, wanted_rules, patterns = ({n} if isinstance(n, str) else None if n is None else set(n) for n in (types, rules, ids))
    all_of_them = _built_in() if folder is None else _cases_of(Path(folder))
    found = [
        replace(case, attributes=copy.deepcopy(case.attributes), inputs=list(case.inputs))
        for case in all_of_them
        if (operator is None or case.operator == operator)
        and (wanted_types is None or case.type in wanted_types)
        and (wanted_rules is None or wanted_rules.intersection(case.rules))
        and (patterns is None or case.matches(patterns))
    ]
    if not found:
        asked = {"operator": operator, "types": wanted_types, "rules": wanted_rules, "ids": patterns}
        stated = ", ".join(f"{name}={sorted(v) if isinstance(v, set) else v!r}" for name, v in asked.items() if v is not None)
        raise ValueError(f"no case of the kit has {stated}; kit.cases() lists all of them")
    return found


def _cases_of(folder: Path) -> list[Case]:
    """The cases of a folder, at least one."""
    if stated := _read(folder / "cases.json"):
        return [_case(folder, one) for one in stated]
    raise ValueError(f"{folder / 'cases.json'} has no cases; name a folder that supremum-audit cases DIR wrote")


def _case(folder: Optional[Path], stated: dict[str, Any]) -> Case:
    """The case that an entry of cases.json states."""
    dtype = stated["type"]

    def tensor(operand: dict[str, Any]) -> Tensor:
        content = bytes.fromhex(operand["bits"])  # numbers, the most significant digit first
        content = _swapped(content, _width_of(dtype)) if sys.byteorder == "little" else content
        return Tensor(dtype, tuple(operand["shape"]), content)

    def file(key: str) -> Optional[Path]:
        return folder / stated[key] if folder and stated.get(key) else None

    return Case(
        stated["id"],
        tuple(stated["rules"]),
        stated["reason"],
        stated["operator"],
        stated["opset"],
        stated.get("attributes") or {},
        dtype,
        [tensor(operand) for operand in stated["inputs"]],
        tensor(stated["output"]),
        file("onnx"),
        file("onednn"),
    )


@functools.cache
def _built_in() -> list[Case]:
    """The cases of the package's own files, which have a group each, in the form of kit/README.md."""
    return [_case(None, stated) for group in _case_groups("cases") for stated, _ in _expanded(group)]


def _case_groups(name: str, texts: bool = False) -> list[Any]:
    """The groups of the package's "cases" or "further" cases, in the order of their files; or the names and texts of the files."""
    found = [(file.name, file.read_text(encoding="utf-8")) for file in sorted((HERE / name).glob("*.json"))]
    sources = HERE.parents[1] / "cases"
    if not found and (sources / "write_cases.py").exists():  # in the source tree they are made when they are needed
        sys.path.insert(0, str(sources))
        try:
            writer = importlib.import_module("write_cases")
        finally:
            sys.path.remove(str(sources))
        found = list(writer.files(writer.CASES if name == "cases" else writer.FURTHER).items())
    if not found:
        raise FileNotFoundError(f"{HERE / name} has no cases: install the package again, or name a folder with cases.json")
    return found if texts else [json.loads(text) for _, text in found]


def _expanded(group: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The cases of a group, one for each type: the entry of cases.json, and the case in its file."""
    for case in group.get("cases", []):
        stated = case.get("attributes", {})
        for dtype, bits in sorted(case["bits"].items()):
            shapes = [*case["shapes"], case["output_shape"]]
            tensors = [
                {"shape": shape, "bits": _without_runs(text)} for shape, text in zip(shapes, [*bits["inputs"], bits["output"]])
            ]
            entry = {
                "id": f"{group['group']}/{case['name']}/{dtype}",
                "group": group["group"],
                "name": case["name"],
                "type": dtype,
                "rules": group["rules"],
                "reason": group["reason"],
                "operator": case["operator"],
                "opset": case["opset"],
                "attributes": {key: stated[key] for key in ("axes", "keepdims", "noop_with_empty_axes") if key in stated},
                "inputs": tensors[:-1],
                "output": tensors[-1],
            }
            yield entry, case


def _without_runs(text: str) -> str:
    """"8000*2 0000" is "800080000000"."""
    parts = (part.partition("*") for part in text.split())
    return "".join(digits * int(count or 1) for digits, _, count in parts)


@functools.cache
def _rules() -> dict[str, tuple[str, str]]:
    """The text of each rule of docs/semantics.md, and whose it is."""
    page = HERE / "semantics.md"
    page = page if page.exists() else HERE.parents[2] / "docs" / "semantics.md"  # in the source tree
    found: dict[str, tuple[str, str]] = {}
    for line in page.read_text(encoding="utf-8").splitlines() if page.exists() else []:
        columns = line.strip("| ").split(" | ")
        if len(columns) < 3 or not re.fullmatch(r"E[0-9]|[A-Z]{3}-[0-9]+", columns[0]):
            continue
        text, marks = " | ".join(columns[1:-1]), columns[-1]
        if columns[0].startswith("E"):  # an error of the SONNX profile, with its name and text
            text, marks = f"{text}: {marks}", "D"
        # O and X are marks of ONNX, G of oneDNN; D, R and A of the SONNX profile.
        origin = "ONNX" if set(marks) & set("OXG") else "SONNX" if set(marks) & set("DRA") else "supremum"
        found[columns[0]] = (text.replace("`", "").replace("*", ""), origin)
    return found


def _rule(rule: str) -> tuple[str, str]:
    return _rules().get(rule, ("", "supremum"))


def _width_of(dtype: str) -> int:
    if dtype not in _ONNX_TYPES:
        raise ValueError(f"'{dtype}' is not a type of the kit, which are {', '.join(_ONNX_TYPES)}")
    return 1 if dtype == "bool" else int(re.sub(r"\D", "", dtype)) // 8


def _swapped(content: bytes, width: int) -> bytes:
    """Each element with its bytes reversed."""
    turned = bytearray(len(content))
    for byte in range(width):
        turned[byte::width] = content[width - 1 - byte :: width]
    return bytes(turned)


def _difference(dtype: str, actual: int, expected: int) -> str:
    """What is wrong with the bits of an element."""
    if dtype not in _FRACTION_BITS:
        return "wrong value"
    magnitude = (1 << (8 * _width_of(dtype) - 1)) - 1
    infinity = magnitude >> _FRACTION_BITS[dtype] << _FRACTION_BITS[dtype]
    actual, expected = actual & magnitude, expected & magnitude
    if expected > infinity:
        return "wrong bits of NaN" if actual > infinity else "a number in place of NaN"
    if actual == 0 and expected == 0:
        return "wrong sign of zero"
    return "a finite number in place of an infinity" if expected == infinity and actual < infinity else "wrong value"


def _text_of_bits(dtype: str, bits: int) -> str:
    """The number that an element is: the shortest text that only this number of the type has; "-0", "nan", "true"."""
    if dtype == "bool":
        return str(bool(bits)).lower()
    width = _width_of(dtype)
    if dtype not in _FRACTION_BITS:
        return str(int.from_bytes(bits.to_bytes(width, "little"), "little", signed=dtype.startswith("int")))
    # The two smaller types are shown as numbers of float32.
    form, size = ("d", 8) if dtype == "float64" else ("f", 4)
    if dtype == "float16":
        number = struct.unpack("<e", bits.to_bytes(2, "little"))[0]
    else:
        number = struct.unpack(f"<{form}", (bits << 16 if dtype == "bfloat16" else bits).to_bytes(size, "little"))[0]
    if not math.isfinite(number):
        return "nan" if math.isnan(number) else str(number)
    stored = struct.pack(f"<{form}", number)
    for digits in range(17):
        text = f"{number:.{digits}e}"
        try:
            if struct.pack(f"<{form}", float(text)) == stored:
                break
        except OverflowError:  # rounded up beyond the greatest number
            continue
    return repr(float(text)).removesuffix(".0")


# Functions for runners of `supremum-audit` (kit/runners/README.md).


class Invalid:
    """A model that must be refused."""

    def __init__(self, folder: Path, case: dict[str, Any]) -> None:
        self.model = folder / case["model"]
        self.is_onnx = self.model.suffix != ".json"  # otherwise a graph of oneDNN
        self.by_profile: bool = case["verdict"]["fails"] == "profile"  # valid in ONNX, refused by the SONNX profile
        self.no_broadcast: bool = case.get("no_broadcast", False)  # refused by the profile's stricter switch (PRO-6)
        self.inputs = [folder / path for path in case.get("inputs") or []]  # it is refused when it runs on these


def need(module: str) -> ModuleType:
    """Imports a module, or ends the program as one whose runtime is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        not_installed(str(missing))
        raise


def not_installed(why: str) -> None:
    """Ends the program as one whose runtime is not installed."""
    print(f"{Path(sys.argv[0]).name}: not installed: {why}", file=sys.stderr)
    sys.exit(NOT_INSTALLED)


def option(name: str) -> Optional[str]:
    """Removes `name VALUE`, an option of the runner's own, from the command line; the value, or None if the option is not given."""
    if name not in sys.argv[1:-1]:
        return None
    at = sys.argv.index(name, 1)
    value = sys.argv[at + 1]
    del sys.argv[at : at + 2]
    return value


def text_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _run_case(run: Callable[[Case], Result], folder: Path, number: int, stated: dict[str, Any]) -> dict[str, Any]:
    """The line of a case."""
    line: dict[str, Any] = {"case": number, "id": stated["id"]}
    try:
        case = _case(folder, stated)
        shape, content = run(case)
        bits = _swapped(content, case.width) if sys.byteorder == "little" else content
        return {**line, "shape": list(shape), "bits": bits.hex()}
    except Unsupported as why:
        return {**line, "unsupported": str(why)}
    except Exception as error:  # a runtime may raise anything
        return {**line, "failed": text_of(error)}


def _judge_model(judge: Callable[[Invalid], Optional[str]], folder: Path, number: int, stated: dict[str, Any]) -> dict[str, Any]:
    """The line of a model that must be refused; empty if the runtime does not read such models."""
    line: dict[str, Any] = {"invalid": number, "id": stated["id"]}
    try:
        text = judge(Invalid(folder, stated))
    except Unsupported:
        return {}
    except Exception as error:
        text = text_of(error)
    return {**line, "accepted": True} if text is None else {**line, "refused": text}


def _read(path: Path) -> list[dict[str, Any]]:
    """The entries of a kit's list. Raises ValueError and FileNotFoundError, which name the file."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["cases"]
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{path} is missing; name a folder that supremum-audit cases DIR wrote") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} cannot be read as part of a kit, which supremum-audit cases DIR writes: {error!r}") from error
    return list(found)


def main(
    runtime: dict[str, str],
    run: Callable[[Case], Result],
    judge: Optional[Callable[[Invalid], Optional[str]]] = None,
    at_once: int = 1,
) -> None:
    """A complete runner: reads the command line, prints the runtime's line, then one for each case.

    runtime  its "runtime" (name), "version" and "interface"
    run      computes a case from its operator, type, axes, keepdims and inputs; raises Unsupported, or any other
             exception for a failure
    judge    for a runtime that reads models: the text with which it refuses a model, or None if it accepts it; raises
             Unsupported if it does not read such models; any other exception is a refusal
    at_once  how many cases run at the same time
    """
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="a folder written by supremum-audit cases")
    parser.add_argument("--from", dest="start", metavar="N", type=int, default=0, help="start with case N, counted from 0")
    arguments = parser.parse_args()
    folder, start = arguments.folder, arguments.start
    try:
        valid = _read(folder / "cases.json")
        invalid = _read(folder / "invalid.json") if judge and (folder / "invalid.json").exists() else []
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)

    def answer(number: int) -> dict[str, Any]:
        if number < len(valid):
            return _run_case(run, folder, number, valid[number])
        assert judge is not None
        return _judge_model(judge, folder, number - len(valid), invalid[number - len(valid)])

    def printed(line: dict[str, Any]) -> None:
        if line:
            print(json.dumps(line), flush=True)

    printed(runtime)
    turns = range(max(0, start), len(valid) + len(invalid))
    if at_once == 1:
        for number in turns:
            printed(answer(number))
        return
    pool = ThreadPoolExecutor(at_once)
    try:
        for line in pool.map(answer, turns):
            printed(line)
    finally:
        pool.shutdown(cancel_futures=True)
