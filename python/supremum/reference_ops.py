"""Max and ReduceMax for the reference evaluator of the onnx package (1.13 and newer), exact in every bit.

    from onnx.reference import ReferenceEvaluator
    from supremum import reference_ops

    outputs = ReferenceEvaluator(model, new_ops=reference_ops.OPS).run(None, inputs)

All other operators of the model are computed by onnx, as without `new_ops`. A node is judged by the rules of the
model's opset: what they refuse is an InvalidType or an InvalidValue, which onnx wraps in a TypeError if it is one.
"""

from __future__ import annotations

from typing import Any, List, Tuple, Type

import numpy as np
from onnx import helper
from onnx.reference.op_run import OpRun

from . import backend

__all__ = ["Max", "OPS", "ReduceMax"]


def _is_bfloat16(array: np.ndarray) -> bool:
    """Before 1.18, onnx has 16-bit integers with a field of that name; since then, the type of ml_dtypes."""
    return array.dtype.name == "bfloat16" or array.dtype.names == ("bfloat16",)


def _run(operator: OpRun, inputs: Tuple[Any, ...], attributes: dict) -> Tuple[np.ndarray]:
    """The node, by the rules of the model's opset."""
    node = operator.onnx_node
    arrays = [np.asarray(value) for value in inputs if value is not None]
    kind = arrays[0].dtype if arrays else None
    wide = bool(arrays) and all(_is_bfloat16(array) for array in arrays[: len(arrays) if node.op_type == "Max" else 1])
    if wide:
        # A bfloat16 is the upper half of a float, in value and order, and so is the canonical NaN.
        bits = [array.view(np.uint16) if _is_bfloat16(array) else array for array in arrays]
        arrays = [
            (b.astype(np.uint32) << 16).view(np.float32) if _is_bfloat16(array) else b for array, b in zip(arrays, bits)
        ]
    names = iter(f"x{i}" for i in range(len(arrays)))
    alone = helper.make_node(
        node.op_type, [next(names) if value is not None else "" for value in inputs], ["y"], node.name
    )
    for attribute in node.attribute:
        stated = alone.attribute.add()
        stated.CopyFrom(attribute)
        if attribute.ref_attr_name:  # one of the function that calls the node
            stated.CopyFrom(helper.make_attribute(attribute.name, attributes[attribute.name]))
    result = backend.run_node(alone, arrays, opset_version=operator.run_params["opsets"][node.domain])[0]
    if wide:
        result = (np.asarray(result).view(np.uint32) >> 16).astype(np.uint16).view(kind)
    return (np.asarray(result),)


class Max(OpRun):
    """Max, of any number of inputs."""

    op_domain = ""

    def _run(self, *inputs: Any, **attributes: Any) -> Tuple[np.ndarray]:
        return _run(self, inputs, attributes)


class ReduceMax(OpRun):
    """ReduceMax, whose axes are an attribute or an input."""

    op_domain = ""

    def _run(self, *inputs: Any, **attributes: Any) -> Tuple[np.ndarray]:
        return _run(self, inputs, attributes)


OPS: List[Type[OpRun]] = [Max, ReduceMax]
