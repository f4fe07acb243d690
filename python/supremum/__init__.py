"""The exact maximum operator: the rules define every bit of the result.

>>> import numpy as np
>>> import supremum
>>> supremum.maximum(np.array([3.0, -0.0]), np.array([1.0, 0.0]))
array([3., 0.])
>>> supremum.max(np.array([[1, 5], [4, 3]]), axis=0)
array([4, 5])

max               the maximum of an array along any of its dimensions (ONNX: ReduceMax)
maximum           the element-wise maximum of two arrays, with broadcasting
maximum_of        the same of any number of arrays (ONNX: Max)
max_with_bounds, Bounded
                  maximum_of inputs with bounded errors, and bounds of the true result
reinterpret       bits as another type: bfloat16 of .npy files, which NumPy reads as bytes without a type
load, Model       ONNX models made of Max, ReduceMax, Constant and Identity nodes
check, Report, Finding
                  checks every Max and ReduceMax node of an ONNX model against the rules
backend           ONNX's backend interface (imports onnx)
supremum.numpy    maximum and max with NumPy's arguments and conversions
supremum.reference_ops
                  Max and ReduceMax for onnx's reference evaluator (imports onnx)
supremum.dask     maximum and max of dask arrays, lazily (imports dask)
supremum.xarray   max of DataArrays and Datasets (imports xarray)
supremum.mpi      the maximum as an operation of mpi4py (imports mpi4py)
supremum.torch    Max and ReduceMax as operators of PyTorch, and in place of its own (imports torch)
supremum.onnxruntime
                  Max and ReduceMax of ONNX Runtime's sessions (imports onnxruntime)
supremum.kit      the conformance cases, to test any runtime; with a plugin of pytest
supremum.strategies
                  inputs of Max and ReduceMax for property tests (imports hypothesis)
Error, InvalidValue, InvalidType, MissingFile, ErrorCode
                  the exceptions, with .code and .rule

An array is an array of NumPy, a tensor of PyTorch, or any object that implements __dlpack__ or the buffer
protocol. It is read without copying, and the result is of the first one's kind. With a dask array among them, the
functions max, maximum and maximum_of return a dask array, and nothing is computed. All arrays of a call have the
same element type: one of the eleven numeric types of NumPy, bfloat16 or, for max, bool. Nothing is
converted.

Rules such as MEM-2 are those of docs/semantics.md in the project's sources, codes those of docs/errors.md.
"""

from __future__ import annotations

from typing import Any

from . import _core

_core.check_interpreter()
from ._bounds import Bounded, max_with_bounds
from ._core import DLPackTensor, max, maximum, maximum_of
from ._errors import Error, ErrorCode, InvalidType, InvalidValue, MissingFile
from ._models import Finding, Model, Report, Value, check, load
from ._reinterpret import reinterpret

# Without max, which `from supremum import *` would put in place of Python's own, and without modules that import other packages.
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
    "check",
    "load",
    "max_with_bounds",
    "maximum",
    "maximum_of",
    "reinterpret",
]
__version__ = "0.1.0"


# Modules that are imported when they are first used, since they import other packages or take long.
_MODULES = ("annotate", "backend", "dask", "kit", "mpi", "numpy", "onnxruntime", "reference_ops", "strategies", "torch", "xarray")
_OTHER_NAMES = {"reduce_max": "max", "amax": "max"}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        import importlib

        return importlib.import_module(f".{name}", __name__)
    hint = f"; use supremum.{_OTHER_NAMES[name]}(x, axis=...)" if name in _OTHER_NAMES else ""
    raise AttributeError(f"module 'supremum' has no attribute '{name}'{hint}")
