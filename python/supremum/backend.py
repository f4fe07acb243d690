"""ONNX's backend interface, for ONNX's test runner and other users of that interface.

    import onnx.backend.test
    import supremum

    backend_test = onnx.backend.test.BackendTest(supremum.backend, __name__)

Models of Max, ReduceMax, Constant and Identity nodes run; is_compatible() returns False for all others.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

import onnx
from onnx import helper
from onnx.backend.base import Backend, BackendRep, namedtupledict

from . import _models
from ._errors import Error, ErrorCode, InvalidValue

__all__ = ["SupremumBackend", "SupremumBackendRep", "is_compatible", "prepare", "run_model", "run_node", "supports_device"]


def _element_type(dtype: Any) -> int:
    """ONNX's number for a dtype of NumPy: by a function since onnx 1.13, by a table before."""
    if hasattr(helper, "np_dtype_to_tensor_dtype"):
        return int(helper.np_dtype_to_tensor_dtype(dtype))
    from onnx.mapping import NP_TYPE_TO_TENSOR_TYPE

    return int(NP_TYPE_TO_TENSOR_TYPE[dtype])


class SupremumBackendRep(BackendRep):
    """A model that is ready to run."""

    def __init__(self, model: _models.Model) -> None:
        self._model = model

    def run(self, inputs: Any, **kwargs: Any) -> Tuple[Any, ...]:
        """The outputs as a named tuple. `inputs` is one array, several in the graph's order, or a dict; `kwargs` are
        those of supremum.Model.run."""
        if not isinstance(inputs, (list, tuple, dict)):
            inputs = [inputs]
        outputs = self._model.run(inputs, **kwargs)
        return namedtupledict("Outputs", list(outputs))(*outputs.values())


class SupremumBackend(Backend):
    """The interface as a class; the functions of this module are its methods."""

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """True if the model can be read and all of its operators are executed."""
        try:
            loaded = _models.load(model)
        except Error:
            return False
        return cls.supports_device(device) and all(version > 0 for _, version in loaded.operators)

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> SupremumBackendRep:
        """Reads the model. `kwargs` are those of supremum.load."""
        if not cls.supports_device(device):
            text = f"invalid argument: there is no device '{device}', only 'CPU'"
            raise InvalidValue(text, ErrorCode["invalid_argument"])
        return SupremumBackendRep(_models.load(model, **kwargs))

    @classmethod
    def run_node(
        cls,
        node: onnx.NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Optional[Sequence[Tuple[Any, Tuple[int, ...]]]] = None,
        opset_version: Optional[int] = None,
        **kwargs: Any,
    ) -> Tuple[Any, ...]:
        """Runs one node. `opset_version` is that of its operator; None is the newest that the onnx package has."""
        import numpy

        from .numpy import _operand

        listed = inputs if isinstance(inputs, (list, tuple)) else [inputs]
        arrays = [numpy.asarray(_operand(value, f"input {place}", subok=True)) for place, value in enumerate(listed)]
        names = [name for name in node.input if name]
        values = [
            helper.make_tensor_value_info(name, _element_type(array.dtype), array.shape)
            for name, array in zip(names, arrays)
        ]
        types = [dtype for dtype, _ in outputs_info] if outputs_info else [arrays[0].dtype] * len(node.output)
        shapes = [shape for _, shape in outputs_info] if outputs_info else [None] * len(node.output)
        results = [
            helper.make_tensor_value_info(name, _element_type(numpy.dtype(dtype)), shape)
            for name, dtype, shape in zip(node.output, types, shapes)
        ]
        opset = onnx.defs.onnx_opset_version() if opset_version is None else opset_version
        graph = helper.make_graph([node], "node", values, results)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
        return cls.prepare(model, device).run(arrays, **kwargs)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """True for the processor, "CPU" or "CPU:0"."""
        return device in ("CPU", "CPU:0")


is_compatible = SupremumBackend.is_compatible
prepare = SupremumBackend.prepare
run_model = SupremumBackend.run_model
run_node = SupremumBackend.run_node
supports_device = SupremumBackend.supports_device
