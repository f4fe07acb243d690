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
from ._errors import ErrorCode, InvalidType
from .numpy import _operand

__all__ = ["Max", "OPS", "ReduceMax"]


def _is_bfloat16(array: np.ndarray) -> bool:
    """Before 1.18, onnx has 16-bit integers with a field of that name; since then, the type of ml_dtypes."""
    return array.dtype.name == "bfloat16" or array.dtype.names == ("bfloat16",)


def _widened(array: np.ndarray) -> np.ndarray:
    """The floats of which bfloat16s are the upper halves: in the same order, with the same canonical NaN."""
    return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)


def _narrowed(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    return (np.asarray(array).view(np.uint32) >> 16).astype(np.uint16).view(dtype)


class _ByTheRules(OpRun):
    """A node of Max or ReduceMax, by the rules of the model's opset."""

    op_domain = ""

    def _run(self, *inputs: Any, **attributes: Any) -> Tuple[np.ndarray]:
        node, opset = self.onnx_node, self.run_params["opsets"][self.onnx_node.domain]
        names = ["" if value is None else f"x{i}" for i, value in enumerate(inputs)]
        alone = helper.make_node(node.op_type, names, ["y"], node.name)
        for attribute in node.attribute:
            stated = attribute
            if attribute.ref_attr_name:  # one of the function that calls the node
                stated = helper.make_attribute(attribute.name, attributes[attribute.name])
            alone.attribute.add().CopyFrom(stated)
        arrays = [np.asarray(_operand(value, f"input {place}", subok=True)) for place, value in enumerate(inputs) if value is not None]
        # Axes are no elements.
        elements = arrays[:1] if node.op_type == "ReduceMax" else arrays
        if not elements or not all(map(_is_bfloat16, elements)):
            return (np.asarray(backend.run_node(alone, arrays, opset_version=opset)[0]),)
        if opset < 13:
            text = f"type not admitted: bfloat16, which {node.op_type} has since opset 13, in a model of opset {opset}"
            raise InvalidType(text, ErrorCode["type_not_admitted"], "TYP-3" if node.op_type == "Max" else "TYP-4")
        widened = [_widened(array) for array in elements] + arrays[len(elements) :]
        result = backend.run_node(alone, widened, opset_version=opset)[0]
        return (_narrowed(result, elements[0].dtype),)


class Max(_ByTheRules):
    """Max, of any number of inputs."""


class ReduceMax(_ByTheRules):
    """ReduceMax, whose axes are an attribute or an input."""


OPS: List[Type[OpRun]] = [Max, ReduceMax]
