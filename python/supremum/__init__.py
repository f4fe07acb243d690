"""The exact maximum operator: the rules define every bit of the result.

>>> import numpy as np
>>> import supremum
>>> supremum.max(np.array([3.0, -0.0]), np.array([1.0, 0.0]))
array([3., 0.])

max, maximum      the element-wise maximum of arrays, with broadcasting
reduce_max        the maximum of an array along any of its dimensions
max_with_bounds, Bounded
                  max of inputs with bounded errors, and bounds of the true result
load, Model       ONNX models made of Max, ReduceMax, Constant and Identity nodes
check, Report, Finding
                  checks every Max and ReduceMax node of an ONNX model against the rules
backend           ONNX's backend interface (imports onnx)
supremum.numpy    maximum and max with NumPy's arguments and conversions
supremum.reference_ops
                  Max and ReduceMax for onnx's reference evaluator (imports onnx)
supremum.torch    Max and ReduceMax as operators of PyTorch, and in place of its own (imports torch)
supremum.onnxruntime
                  Max and ReduceMax of ONNX Runtime's sessions (imports onnxruntime)
supremum.kit      the conformance cases, to test any runtime; with a plugin of pytest
supremum.strategies
                  inputs of Max and ReduceMax for property tests (imports hypothesis)
Error, InvalidValue, InvalidType, MissingFile, ErrorCode
                  the exceptions, with .code and .rule

An array is an array of NumPy, a tensor of PyTorch, or any object that implements __dlpack__ or the buffer
protocol. It is read without copying, and the result is of the first one's kind. All arrays of a call have the
same element type: one of the eleven numeric types of NumPy, bfloat16 or, for reduce_max, bool. Nothing is
converted.

Rules such as MEM-2 are those of docs/semantics.md in the project's sources, codes those of docs/errors.md.
"""

from __future__ import annotations

from types import ModuleType
from typing import List

from ._bounds import Bounded, max_with_bounds
from ._core import DLPackTensor, max, maximum, reduce_max
from ._errors import Error, ErrorCode, InvalidType, InvalidValue, MissingFile
from ._models import Finding, Model, Report, Value, check, load

__all__ = [
    "Bounded",
    "DLPackTensor",
    "Error",
    "ErrorCode",
    "Finding",
    "InvalidType",
    "InvalidValue",
    "MissingFile",
    "Model",
    "Report",
    "Value",
    "backend",
    "check",
    "load",
    "max",
    "max_with_bounds",
    "maximum",
    "reduce_max",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> ModuleType:
    # The backend needs the onnx package, which nothing else here does.
    if name == "backend":
        import importlib

        return importlib.import_module(".backend", __name__)
    raise AttributeError(f"module 'supremum' has no attribute '{name}'")


def __dir__() -> List[str]:
    return sorted(set(globals()) | {"backend"})
