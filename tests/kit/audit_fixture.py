"""Cases and runners for tests of the page that supremum-audit makes: every type, many rules, runners with known faults.

    audit_fixture.py FOLDER    writes FOLDER/cases and FOLDER/runners
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

WIDTHS = {"bfloat16": 16, "float16": 16, "float32": 32, "float64": 64, "int8": 8, "int16": 16, "int32": 32, "int64": 64, "uint8": 8,
          "uint16": 16, "uint32": 32, "uint64": 64}
EXPONENTS = {"bfloat16": 8, "float16": 5, "float32": 8, "float64": 11}

# A runner: answers as it is told to, by type and group.
RUNNER = '''#!{python}
import json, os, sys
HEAD, LACKS, FAULTS = {head!r}, {lacks!r}, {faults!r}
folder, start = sys.argv[1], int(sys.argv[sys.argv.index("--from") + 1]) if "--from" in sys.argv else 0
cases = json.load(open(folder + "/cases.json"))["cases"]
invalid = json.load(open(folder + "/invalid.json"))["cases"]
print(json.dumps(HEAD), flush=True)
for i in range(start, len(cases)):
    case = cases[i]
    line = {{"case": i, "id": case["id"], **case["output"]}}
    fault = FAULTS.get(case["group"])
    if case["type"] in LACKS:
        line = {{"case": i, "id": case["id"], "unsupported": "no kernel for " + case["type"]}}
    elif fault == "crash" and case["type"] == "float32":
        os.abort()
    elif fault == "error":
        line = {{"case": i, "id": case["id"], "failed": "<b>zero-size array</b> to reduction"}}
    elif fault == "last":
        digits = len(case["output"]["bits"])
        line["bits"] = case["inputs"][-1]["bits"][-digits:]
    print(json.dumps(line), flush=True)
for i in range(max(0, start - len(cases)), len(invalid)):
    print(json.dumps({{"invalid": i, "id": invalid[i]["id"], **({{"accepted": True}} if FAULTS.get("invalid") and i % 3 == 0 else {{"refused": "no"}})}}), flush=True)
'''


def bits(type_: str, *numbers: int) -> str:
    return "".join(f"{number:0{WIDTHS[type_] // 4}x}" for number in numbers)


def case(group: str, name: str, type_: str, rules: list[str], reason: str, inputs: list[list[int]], output: list[int], **more: Any) -> dict[str, Any]:
    tensors = [{"shape": [len(one)], "bits": bits(type_, *one)} for one in inputs]
    return {"id": f"{group}/{name}/{type_}", "group": group, "name": name, "type": type_, "rules": rules, "reason": reason,
            "operator": "Max", "opset": 13, "inputs": tensors, "output": {"shape": [len(output)], "bits": bits(type_, *output)}, **more}


def cases_of(type_: str) -> list[dict[str, Any]]:
    width = WIDTHS[type_]
    found = []
    for n in range(1, 13):
        row = [3 * k + 1 for k in range(n)]
        found.append(case("ordinary", f"row_of_{n}", type_, ["ORD-1", "MAX-2", "BRO-1"], "Ordinary numbers.", [row, [0] * n], row))
        found.append(case("reduce", f"all_of_{n}", type_, ["RED-1", "RED-3"], "The greatest stands last.", [row], [row[-1]], operator="ReduceMax",
                          attributes={"axes": [0], "keepdims": 1}))
    found.append(case("empty", "nothing", type_, ["RED-6", "BRO-3"], "The maximum of no element.", [[]], [least(type_)], operator="ReduceMax",
                      attributes={"axes": [0], "keepdims": 1}))
    if type_ not in EXPONENTS:
        return found
    sign, exponent = 1 << (width - 1), EXPONENTS[type_]
    fraction = width - 1 - exponent
    infinity = ((1 << exponent) - 1) << fraction
    nan, one = infinity | 1 << (fraction - 1), ((1 << (exponent - 1)) - 1) << fraction
    for n in range(1, 9):
        found.append(case("zeros", f"plus_minus_{n}", type_, ["ORD-2", "ORD-5"], "Plus zero is greater than minus zero.", [[0] * n, [sign] * n], [0] * n))
        found.append(case("zeros", f"minus_plus_{n}", type_, ["ORD-2", "ORD-5"], "Plus zero is greater than minus zero.", [[sign] * n, [0] * n], [0] * n))
        if type_ == "float32" and n == 1:
            for name, first, second in (("zero_minus_zero", 0, sign), ("minus_zero_zero", sign, 0)):
                found.append(case("max_neighbours", name, type_, ["ORD-2"], "The zeros.", [[first], [second]], [0]))
        found.append(case("nans", f"first_of_{n}_with_a_name_that_is_wider_than_a_phone_is", type_, ["ORD-3", "ORD-4"], "NaN absorbs.", [[nan | sign] + [one] * (n - 1), [one] * n], [nan] + [one] * (n - 1)))
    found.append(case("infinities", "both", type_, ["RED-7", "ORD-2"], "Minus infinity is the least.", [[sign | infinity] * 2, [sign | infinity] * 2], [sign | infinity] * 2))
    return found


def least(type_: str) -> int:
    width = WIDTHS[type_]
    if type_ in EXPONENTS:
        return ((1 << (EXPONENTS[type_] + 1)) - 1) << (width - 1 - EXPONENTS[type_])
    return 0 if type_.startswith("u") else 1 << (width - 1)


def invalid_cases() -> list[dict[str, Any]]:
    found = [{"id": f"shapes/no_{n}", "rules": ["E1", "BRO-2"], "reason": "Two and three do not broadcast.", "model": f"invalid/shapes/no_{n}/model.onnx",
              "inputs": [], "verdict": {"valid": False, "fails": "infer", "code": "not_broadcastable", "rule": "E1"}} for n in range(20)]
    return found + [{"id": f"symbols/no_{n}", "rules": ["PRO-2"], "reason": "N is no number.", "model": f"invalid/symbols/no_{n}/model.onnx",
                     "inputs": [], "verdict": {"valid": True, "fails": "profile", "code": "shape_not_explicit", "rule": "PRO-2"}} for n in range(6)]


def write_runner(folder: Path, name: str, runtime: str, version: str, interface: str, lacks: list[str], faults: dict[str, str]) -> None:
    path = folder / name
    head = {"runtime": runtime, "version": version, "interface": interface}
    path.write_text(RUNNER.format(python=sys.executable, head=head, lacks=lacks, faults=faults), encoding="utf-8")
    path.chmod(0o755)


def write(folder: Path) -> None:
    cases, runners = folder / "cases", folder / "runners"
    cases.mkdir(parents=True)
    runners.mkdir()
    all_cases = [one for type_ in WIDTHS for one in cases_of(type_)]
    (cases / "cases.json").write_text(json.dumps({"version": "0", "cases": all_cases}), encoding="utf-8")
    (cases / "invalid.json").write_text(json.dumps({"cases": invalid_cases()}), encoding="utf-8")
    write_runner(runners, "arrays", "Arrays", "1.24.2", "Python", ["bfloat16"], {"zeros": "last", "max_neighbours": "last", "empty": "error"})
    write_runner(runners, "lightning", "Lightning Runtime", "1.30.0", "Node", ["bfloat16", "int16", "uint16"],
                 {"zeros": "last", "nans": "last", "invalid": "accept"})
    write_runner(runners, "matrices", "Matrices", "3.4.0", "C++", ["float16", "bfloat16"], {"nans": "last", "empty": "crash", "infinities": "error"})
    write_runner(runners, "quick-nets", "Quick Nets", "20221221", "C++", [type_ for type_ in WIDTHS if type_ != "float32"], {"nans": "last"})
    write_runner(runners, "perfect", "Perfect", "2.0", "C", [], {})
    for name, interface in [("supremum-c", "C"), ("supremum-command", "command"), ("supremum-python", "Python")]:
        write_runner(runners, name, "supremum", "0.1.0", interface, [], {})
    absent = runners / "not-there"
    absent.write_text("#!/bin/sh\necho 'no module named there' >&2\nexit 77\n", encoding="utf-8")
    absent.chmod(0o755)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
