#!/usr/bin/env python3
"""Writes the backend test cases that ONNX itself publishes for some operators, as folders that `supremum test` reads.

    /usr/bin/python3 tests/project/generate_onnx_cases.py OUT_DIR OPERATOR...
    /usr/bin/python3 tests/project/generate_onnx_cases.py build/onnx-cases Max

The python3-onnx package contains the code that generates the cases, but not the cases. Each one is written to OUT_DIR/node/<case>/
with model.onnx and test_data_set_0/{input,output}_N.pb. Cases of other operators, cases with several nodes, and complete networks
are left out. The same package gives the same bytes. Exit status 1 if an operator has no case.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import pkgutil
import shutil
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np


def restore_numpy_names() -> None:
    """Sets the aliases that NumPy removed and that the generators of older ONNX versions still use."""
    for name, alias in {"bool": bool, "complex": complex, "float": float, "int": int, "object": object, "str": str}.items():
        if name not in vars(np):
            setattr(np, name, alias)


def collect(operators: list[str]) -> list[Any]:
    """All node cases of ONNX with `operators`; importing its modules creates them."""
    from onnx.backend.test.case import node as cases

    # ONNX filters by at most one operator; None selects the cases of all.
    wanted = operators[0] if len(operators) == 1 else None
    try:
        return list(cases.collect_testcases(wanted))
    except Exception:  # The generator of another operator fails with this NumPy: import the modules one by one.
        for module in pkgutil.iter_modules(cases.__path__):
            try:
                importlib.import_module(f"{cases.__name__}.{module.name}")
            except Exception as error:
                print(f"generate_onnx_cases.py: ONNX's module '{module.name}' fails: {error}", file=sys.stderr)
        return list(cases._NodeTestCases)


def tensor_bytes(value: Any, name: str) -> bytes:
    """A case's input or output as a serialized TensorProto."""
    from onnx import TensorProto, numpy_helper

    if isinstance(value, TensorProto):
        tensor = TensorProto()
        tensor.CopyFrom(value)
        tensor.name = name
    else:
        tensor = numpy_helper.from_array(np.asarray(value), name)
    return tensor.SerializeToString(deterministic=True)


def write_case(folder: Path, case: Any) -> None:
    """Writes one case; replaces an older one of that name."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(case.model.SerializeToString(deterministic=True))
    for i, (inputs, outputs) in enumerate(case.data_sets):
        data_set = folder / f"test_data_set_{i}"
        data_set.mkdir()
        for kind, values, infos in (("input", inputs, case.model.graph.input), ("output", outputs, case.model.graph.output)):
            for j, (value, info) in enumerate(zip(values, infos)):
                if not info.type.HasField("tensor_type"):
                    raise SystemExit(f"generate_onnx_cases.py: {case.name}: {kind} '{info.name}' is not a tensor")
                (data_set / f"{kind}_{j}.pb").write_bytes(tensor_bytes(value, info.name))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out_dir", type=Path, metavar="OUT_DIR")
    parser.add_argument("operators", nargs="+", metavar="OPERATOR", help="as ONNX spells it: Max")
    args = parser.parse_args()

    restore_numpy_names()
    np.random.seed(0)  # For the cases with random elements.
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        cases = collect(args.operators)

    status = 0
    for operator in args.operators:
        own = [case for case in cases if [node.op_type for node in case.model.graph.node] == [operator]]
        for case in own:
            write_case(args.out_dir / "node" / case.name, case)
        print(f"{operator}: {len(own)} cases in {args.out_dir / 'node'}")
        if not own:
            print(f"generate_onnx_cases.py: ONNX has no case for '{operator}'", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
