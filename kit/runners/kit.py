"""What runners in Python share: reading a kit's cases and models, printing the lines of the protocol (README.md)."""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Optional

Dims = tuple[int, ...]
Result = tuple[Dims, bytes]  # the shape, and the elements in the machine's byte order

NOT_INSTALLED = 77


class Unsupported(Exception):
    """The runtime does not support the type or has no kernel for the case, or its interface cannot express the case."""


@dataclass(frozen=True)
class Operand:
    shape: Dims
    content: bytes  # the elements, row-major, in the machine's byte order


class Case:
    """A case as a runtime sees it: without the expected output."""

    def __init__(self, folder: Path, case: dict[str, Any]) -> None:
        self.type: str = case["type"]  # "bfloat16", as NumPy would write it
        self.width = 1 if self.type == "bool" else int(re.sub(r"\D", "", self.type)) // 8  # bytes of an element
        self.operator: str = case["operator"]  # "Max" or "ReduceMax"
        self.opset: int = case["opset"]
        self.inputs = [Operand(tuple(i["shape"]), numbers(i["bits"], self.width)) for i in case["inputs"]]
        attributes = case.get("attributes") or {}
        self.keepdims: bool = attributes.get("keepdims", 1) != 0
        # The dimensions to reduce; None: all (RED-5 has been applied).
        axes = tuple(attributes.get("axes") or ())
        self.axes: Optional[Dims] = axes if axes or attributes.get("noop_with_empty_axes") else None
        # The folder of a test case; None where ONNX does not have the type in that version of the operator.
        self.onnx = folder / case["onnx"] if case.get("onnx") else None
        self.onednn = folder / case["onednn"] if case.get("onednn") else None  # a graph

    def pb_files(self) -> list[Path]:
        """The inputs of the ONNX test case, in the model's order."""
        folder = self.onnx / "test_data_set_0"
        return [folder / f"input_{i}.pb" for i in range(len(list(folder.glob("input_*.pb"))))]


class Invalid:
    """A model that must be refused."""

    def __init__(self, folder: Path, case: dict[str, Any]) -> None:
        self.model = folder / case["model"]
        self.is_onnx = self.model.suffix != ".json"  # otherwise a graph of oneDNN
        self.by_profile: bool = case["verdict"]["fails"] == "profile"  # valid in ONNX, refused by the SONNX profile
        self.no_broadcast: bool = case.get("no_broadcast", False)  # refused by the profile's stricter switch (PRO-6)
        self.inputs = [folder / path for path in case.get("inputs") or []]  # it is refused when it runs on these


def numbers(bits: str, width: int) -> bytes:
    """The elements that a kit writes as numbers, the most significant digit first."""
    content = bytes.fromhex(bits)
    return swapped(content, width) if sys.byteorder == "little" else content


def swapped(content: bytes, width: int) -> bytes:
    """Each element with its bytes reversed."""
    turned = bytearray(len(content))
    for byte in range(width):
        turned[byte::width] = content[width - 1 - byte :: width]
    return bytes(turned)


def need(module: str) -> ModuleType:
    """Imports a module, or ends the program as one whose runtime is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        not_installed(str(missing))


def not_installed(why: str) -> Any:
    print(f"{Path(sys.argv[0]).name}: not installed: {why}", file=sys.stderr)
    sys.exit(NOT_INSTALLED)


def text_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def run_case(run: Callable[[Case], Result], folder: Path, number: int, case: dict[str, Any]) -> dict[str, Any]:
    """The line of a case."""
    line: dict[str, Any] = {"case": number, "id": case["id"]}
    try:
        problem = Case(folder, case)
        shape, content = run(problem)
        bits = swapped(content, problem.width) if sys.byteorder == "little" else content
        return {**line, "shape": list(shape), "bits": bits.hex()}
    except Unsupported as why:
        return {**line, "unsupported": str(why)}
    except Exception as error:  # a runtime may raise anything
        return {**line, "failed": text_of(error)}


def judge_case(judge: Callable[[Invalid], Optional[str]], folder: Path, number: int, case: dict[str, Any]) -> dict[str, Any]:
    """The line of a model that must be refused; empty if the runtime does not read such models."""
    line: dict[str, Any] = {"invalid": number, "id": case["id"]}
    try:
        text = judge(Invalid(folder, case))
    except Unsupported:
        return {}
    except Exception as error:
        text = text_of(error)
    return {**line, "accepted": True} if text is None else {**line, "refused": text}


def cases_of(path: Path) -> list[dict[str, Any]]:
    try:
        return json.loads(path.read_text(encoding="utf-8"))["cases"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"{path} cannot be read as part of a kit, which supremum gen-conformance DIR writes: {error}", file=sys.stderr)
        sys.exit(2)


def main(
    runtime: dict[str, str],
    run: Callable[[Case], Result],
    judge: Optional[Callable[[Invalid], Optional[str]]] = None,
    at_once: int = 1,
) -> None:
    """A complete runner: reads the command line, prints the runtime's line, then one for each case.

    runtime  its "runtime" (name), "version" and "interface"
    run      computes a case; raises Unsupported, or any other exception for a failure
    judge    for a runtime that reads models: the text with which it refuses a model, or None if it accepts it; raises
             Unsupported if it does not read such models; any other exception is a refusal
    at_once  how many cases run at the same time
    """
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="a folder written by supremum gen-conformance")
    parser.add_argument("--from", dest="start", metavar="N", type=int, default=0, help="start with case N, counted from 0")
    arguments = parser.parse_args()
    folder, start = arguments.folder, arguments.start
    cases = cases_of(folder / "cases.json")
    invalid = cases_of(folder / "invalid.json") if judge and (folder / "invalid.json").exists() else []

    def lines(number: int) -> dict[str, Any]:
        if number < len(cases):
            return run_case(run, folder, number, cases[number])
        return judge_case(judge, folder, number - len(cases), invalid[number - len(cases)])

    def printed(line: dict[str, Any]) -> None:
        if line:
            print(json.dumps(line), flush=True)

    printed(runtime)
    turns = range(max(0, start), len(cases) + len(invalid))
    if at_once == 1:
        for number in turns:
            printed(lines(number))
        return
    pool = ThreadPoolExecutor(at_once)
    try:
        for line in pool.map(lines, turns):
            printed(line)
    finally:
        pool.shutdown(cancel_futures=True)
