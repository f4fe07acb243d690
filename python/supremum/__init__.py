"""The maximum operator done right: one right result in every bit.

>>> import numpy as np
>>> import supremum
>>> supremum.max(np.array([3.0, -0.0]), np.array([1.0, 0.0]))
array([3., 0.])

max, maximum      the element-wise maximum of arrays, with broadcasting
reduce_max        the maximum of an array along any of its dimensions
max_with_bounds, Bounded
                  max of inputs with bounded errors, and what is known of the true result
load, Model       ONNX models made of Max, ReduceMax, Constant and Identity nodes
check, Report, Finding
                  the Max and ReduceMax nodes of any ONNX model, held against the rules
backend           ONNX's backend interface (imports onnx)
Error, InvalidValue, InvalidType, ErrorCode
                  what goes wrong, with .code and .rule

Arrays are those of NumPy, tensors of PyTorch, and all that has __dlpack__ or the buffer protocol. They come
in without a copy, and the result is of the first one's kind. All arrays of a call have one element type, of
the eleven numbers of NumPy, bfloat16 and, for reduce_max, bool: nothing is converted.

Rules such as MEM-2 are those of docs/semantics.md in the project's sources, codes those of docs/errors.md.
"""

from __future__ import annotations

from types import ModuleType
from typing import List

from ._bounds import Bounded, max_with_bounds
from ._core import DLPackTensor, max, maximum, reduce_max
from ._errors import Error, ErrorCode, InvalidType, InvalidValue
from ._models import Finding, Model, Report, Value, check, load

__all__ = [
    "Bounded",
    "DLPackTensor",
    "Error",
    "ErrorCode",
    "Finding",
    "InvalidType",
    "InvalidValue",
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
