#!/usr/bin/python3
"""Runs a model in ONNX Runtime with and without supremum's execution provider, and compares every value in every bit.

    verification/evidence/onnxruntime_model.py MODEL [--dim SYMBOL=N]... [--seed N] [--profile]

Every result of a node is made an output of the model. Inputs are random: floats from a normal distribution, integers from 0
to 9. Every element of a value that the two runs disagree on is counted; each Max and ReduceMax is also computed from its
inputs by the second oracle of the conformance kit. --profile adds what ONNX Runtime's profiler says of who computed the
nodes, and for how long, on the model as it is.

Needs ONNX Runtime for Python, 1.23 or newer, onnx, NumPy and the Python package supremum. Exit status 1 if the provider
computed a Max or ReduceMax that is not exact, or if values differ that depend on none.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "kit" / "cases"))
import oracle  # noqa: E402

import supremum.onnxruntime as exact  # noqa: E402

OURS = ("Max", "ReduceMax")


def with_all_results(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with every result of a node of the main graph as an output."""
    wide = onnx.ModelProto()
    wide.CopyFrom(model)
    known = {output.name for output in wide.graph.output}
    for node in wide.graph.node:
        for name in node.output:
            if name and name not in known:
                wide.graph.output.append(helper.make_empty_tensor_value_info(name))
    return wide


def feeds_of(session: Any, dims: dict[str, int], seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    feeds = {}
    for value in session.get_inputs():
        shape = [extent if isinstance(extent, int) else dims.get(extent, 1) for extent in value.shape]
        if value.type in ("tensor(float)", "tensor(double)", "tensor(float16)"):
            dtype = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(float16)": np.float16}[value.type]
            feeds[value.name] = rng.standard_normal(shape).astype(dtype)
        else:
            feeds[value.name] = rng.integers(0, 10, shape).astype(value.type[len("tensor(") : -1])
    return feeds


def bits_of(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").reshape(array.shape)


def expected(node: onnx.NodeProto, values: dict[str, np.ndarray], opset: int) -> np.ndarray:
    """The bits of a node's result, by the oracle."""
    inputs = [values[name] for name in node.input if name]
    dtype = str(inputs[0].dtype)
    if node.op_type == "Max":
        shape, bits = oracle.max_of(dtype, [(array.shape, bits_of(array).ravel().tolist()) for array in inputs])
    else:
        attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
        axes = attributes.get("axes") if opset < 18 else inputs[1].tolist() if len(inputs) > 1 else None
        flags = bool(attributes.get("keepdims", 1)), bool(attributes.get("noop_with_empty_axes", 0))
        shape, bits = oracle.reduce_max(dtype, inputs[0].shape, bits_of(inputs[0]).ravel().tolist(), axes, *flags)
    return np.array(bits).reshape(shape)


def depends_on_ours(graph: onnx.GraphProto) -> set[str]:
    """The values that a Max or ReduceMax is before."""
    after: set[str] = set()
    for node in graph.node:
        if node.op_type in OURS or after & set(node.input):
            after |= set(node.output)
    return after


def run(model: bytes, feeds: dict[str, np.ndarray], ours: bool, profile: str = "") -> tuple[dict[str, np.ndarray], list[dict[str, Any]]]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    if profile:
        options.enable_profiling, options.profile_file_prefix = True, profile
    session = exact.session(model, options, strict=True) if ours else onnxruntime.InferenceSession(model, options)
    for _ in range(20 if profile else 0):
        session.run(None, feeds)
    values = dict(zip([output.name for output in session.get_outputs()], session.run(None, feeds)))
    events = json.loads(Path(session.end_profiling()).read_text(encoding="utf-8")) if profile else []
    return values, events


def profile_of(events: list[dict[str, Any]]) -> str:
    """Nodes and median microseconds by provider, of our operators and of the others."""
    times: dict[tuple[str, str, str], list[int]] = {}
    for event in events:
        arguments = event.get("args", {})
        if event.get("cat") == "Node" and event["name"].endswith("_kernel_time"):
            kind = "Max and ReduceMax" if arguments["op_name"] in OURS or arguments["provider"] == exact.PROVIDER else "others"
            times.setdefault((kind, arguments["provider"], event["name"]), []).append(event["dur"])
    lines = []
    for kind, provider in sorted({key[:2] for key in times}):
        medians = [float(np.median(durations)) for key, durations in times.items() if key[:2] == (kind, provider)]
        lines.append(f"  {kind} by {provider}: {len(medians)} nodes, {sum(medians):.0f} us")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--dim", action="append", default=[], metavar="SYMBOL=N", help="the extent of a symbol; 1 if none is given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    dims = {name: int(number) for name, number in (text.split("=", 1) for text in arguments.dim)}
    model = onnx.load(arguments.model)
    opset = next(opset.version for opset in model.opset_import if opset.domain in ("", "ai.onnx"))
    wide = with_all_results(model).SerializeToString()
    feeds = feeds_of(onnxruntime.InferenceSession(wide), dims, arguments.seed)
    own, _ = run(wide, feeds, False)
    ours, _ = run(wide, feeds, True)
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}

    after = depends_on_ours(model.graph)
    wrong = 0
    differing = {name for name in own if not np.array_equal(bits_of(own[name]), bits_of(ours[name]))}
    for node in model.graph.node:
        if node.op_type not in OURS:
            continue
        for title, values in (("ONNX Runtime", own), ("supremum", ours)):
            right = expected(node, {**constants, **feeds, **values}, opset)
            count = int(np.sum(right != bits_of(values[node.output[0]])))
            if count:
                print(f"  {title}: {node.op_type} {node.name or node.output[0]}: {count} of {right.size} elements are wrong")
            wrong += count if title == "supremum" else 0
    different = len(differing - after)
    nodes = [node for node in model.graph.node if node.op_type in OURS]
    print(
        f"{Path(arguments.model).name}, ONNX Runtime {onnxruntime.__version__}: {len(nodes)} nodes Max and ReduceMax, of {len(own)} values "
        f"{len(differing)} differ in a bit, {different} of them without a Max or ReduceMax before; supremum: {wrong} elements wrong"
    )
    if arguments.profile:
        with tempfile.TemporaryDirectory() as folder:
            for title, is_ours in (("without supremum", False), ("with supremum", True)):
                _, events = run(model.SerializeToString(), feeds, is_ours, os.path.join(folder, "profile"))
                print(f" {title}\n{profile_of(events)}")
    return 1 if wrong or different else 0


if __name__ == "__main__":
    sys.exit(main())
