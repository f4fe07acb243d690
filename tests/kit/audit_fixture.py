"""Cases and runners for tests of the page that supremum-audit makes: some of the kit's cases, and runners with known faults.

    audit_fixture.py FOLDER    writes FOLDER/cases and FOLDER/runners
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "kit"))
from supremum.kit import files  # noqa: E402

TYPES = "bfloat16 float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
CASES = """max_ordinary/* max_signed_zeros/of_[127]_*zero_*zero/* max_nan_pairs/*_then_one/* max_infinities/of_1_* max_neighbours/zero_minus_zero/float32
    max_neighbours/minus_zero_zero/float32 max_broadcast_empty/0_with_*/* reduce_shapes/3_axes_*/* reduce_empty/0_axes_0_keepdims_0/*
    invalid_not_broadcastable/opset_13_* profile_shape/max_13_*""".split()

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


def write_runner(folder: Path, name: str, runtime: str, version: str, interface: str, lacks: list[str], faults: dict[str, str]) -> None:
    path = folder / name
    head = {"runtime": runtime, "version": version, "interface": interface}
    path.write_text(RUNNER.format(python=sys.executable, head=head, lacks=lacks, faults=faults), encoding="utf-8")
    path.chmod(0o755)


def write(folder: Path) -> None:
    cases, runners = folder / "cases", folder / "runners"
    runners.mkdir(parents=True)
    files.write(cases, files.lists().chosen(lambda case_id: any(files.matches(pattern, case_id) for pattern in CASES)), with_models=False)
    write_runner(runners, "arrays", "Arrays", "1.24.2", "Python", ["bfloat16"], {"max_signed_zeros": "last", "max_neighbours": "last", "reduce_empty": "error"})
    write_runner(runners, "lightning", "Lightning Runtime", "1.30.0", "Node", ["bfloat16", "int16", "uint16"],
                 {"max_signed_zeros": "last", "max_nan_pairs": "last", "invalid": "accept"})
    write_runner(runners, "matrices", "Matrices", "3.4.0", "C++", ["float16", "bfloat16"], {"max_nan_pairs": "last", "reduce_empty": "crash", "max_infinities": "error"})
    write_runner(runners, "quick-nets", "Quick Nets", "20221221", "C++", [type_ for type_ in TYPES if type_ != "float32"], {"max_nan_pairs": "last"})
    write_runner(runners, "perfect", "Perfect", "2.0", "C", [], {})
    for name, interface in [("supremum-c", "C"), ("supremum-command", "command"), ("supremum-python", "Python")]:
        write_runner(runners, name, "supremum", "0.1.0", interface, [], {})
    absent = runners / "not-there"
    absent.write_text("#!/bin/sh\necho 'no module named there' >&2\nexit 77\n", encoding="utf-8")
    absent.chmod(0o755)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
