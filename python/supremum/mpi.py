"""The exact maximum as an operation of mpi4py, for the ranks of an MPI program.

    import numpy as np
    from mpi4py import MPI
    import supremum.mpi

    MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, scores, op=supremum.mpi.MAX("float32"))   # an array of NumPy
    best = MPI.COMM_WORLD.allreduce(score, op=supremum.mpi.MAX("float64"))           # a number, or an array

Join is commutative and associative in every bit (ORD-5): for every algorithm of the MPI library and every number of ranks, the
result has the bits that supremum.max computes in one process. MPI_MAX has others: docs/many-machines.md.
"""

from __future__ import annotations

import threading
from typing import Any, Dict

import numpy as np
from mpi4py import MPI

from . import _core
from ._errors import Error, ErrorCode, InvalidType

__all__ = ["MAX", "TYPE"]

_BITS = {"float16": MPI.UINT16_T, "bfloat16": MPI.UINT16_T}  # for which MPI has no datatype
_TYPES: Dict[str, MPI.Datatype] = {
    "bool": MPI.C_BOOL, "float32": MPI.FLOAT, "float64": MPI.DOUBLE,
    "int8": MPI.INT8_T, "int16": MPI.INT16_T, "int32": MPI.INT32_T, "int64": MPI.INT64_T,
    "uint8": MPI.UINT8_T, "uint16": MPI.UINT16_T, "uint32": MPI.UINT32_T, "uint64": MPI.UINT64_T,
}  # fmt: skip
_OPS: Dict[str, MPI.Op] = {}  # mpi4py has at most 16 operations that are made of Python's functions
_LOCK = threading.Lock()  # held while an operation or a datatype is made


def _name(dtype: Any) -> str:
    name = repr(dtype)
    if isinstance(dtype, str) and dtype == "bfloat16":
        name = dtype
    elif dtype is not None:  # NumPy takes None for float64
        try:
            name = np.dtype(dtype).name if np.dtype(dtype).isnative else name
        except (TypeError, ValueError):
            pass
    if name not in _TYPES and name not in _BITS:
        raise InvalidType(f"type not admitted: {name} is not one of the twelve numeric types and bool in this machine's byte order (TYP-1)",
                          ErrorCode["type_not_admitted"], "TYP-1")
    return name


def _element(value: Any, name: str) -> Any:
    """A number of Python as an element of the type, by the rules of supremum.max's `initial`."""
    try:
        return _core.max(np.empty(0, name), initial=value)
    except Error as error:
        text = str(error).replace("initial", f"an operand of MAX('{name}')", 1).replace("source", "operation")
        raise type(error)(text, error.code, error.rule) from None


def _join_objects(x: Any, y: Any, name: str) -> Any:
    """Numbers of Python are taken for elements of the type; nothing else is converted."""
    both = [_element(value, name) if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic) else value for value in (x, y)]
    for value in both:
        if not isinstance(value, (np.ndarray, np.generic)) or value.dtype.name != name:
            kind = getattr(value, "dtype", type(value).__name__)
            raise InvalidType(f"type mismatch: an operand of MAX('{name}') is of type {kind}; nothing is converted (TYP-2)",
                              ErrorCode["type_mismatch"], "TYP-2")
    a, b = map(np.asanyarray, both)  # a scalar of bfloat16 does not export its memory
    if name == "bool":
        return np.logical_or(_core.max(a, axis=()), _core.max(b, axis=()))  # which refuse masked arrays
    return _core.maximum_of(a, b)


def MAX(dtype: Any) -> MPI.Op:
    """Join of an element type, for reductions of mpi4py: Reduce, Allreduce, Scan and the others, and reduce, allreduce, scan.

        (a op b)[i] = a[i] if a[i] >= b[i] else b[i],   -0 < +0; the canonical NaN if either is NaN (ORD-1 to ORD-4)

    dtype   a type of NumPy, or its name: one of the twelve numeric types or bool; "bfloat16" for buffers also without ml_dtypes

    Returns an operation that commutes. The same type gives the same object; it is not to be freed.

    A buffer has elements of this type: arrays of NumPy, or [buffer, TYPE(dtype)] for float16 and bfloat16. Objects are
    numbers of Python, which are taken as `initial` of supremum.max is, and scalars and arrays of NumPy of this type; of
    bfloat16, they need ml_dtypes. MPI calls no operation that has one operand: on one rank a NaN stays as it is.

    Raises InvalidType for another type.
    """
    name = _name(dtype)

    def join(x: Any, y: Any, datatype: Any) -> Any:
        if datatype is None:  # objects
            return _join_objects(x, y, name)
        if name == "bfloat16":
            a, b = (_core.reinterpret(np.frombuffer(buffer, np.uint16), name) for buffer in (x, y))
            np.frombuffer(y, np.uint16)[...] = _core.reinterpret(_core.maximum_of(a, b), "uint16")
        elif name == "bool":
            a, b = (np.frombuffer(buffer, np.bool_) for buffer in (x, y))
            np.logical_or(a, b, out=b)
        else:
            a, b = (np.frombuffer(buffer, name) for buffer in (x, y))
            _core.maximum_of(a, b, out=b)
        return None

    with _LOCK:
        if name not in _OPS:
            _OPS[name] = MPI.Op.Create(join, commute=True)
        return _OPS[name]


def TYPE(dtype: Any) -> MPI.Datatype:
    """The datatype of buffers for MAX(dtype): MPI's own, or for float16 and bfloat16 one of their 16 bits, which is made once.

    Raises InvalidType, as MAX.
    """
    name = _name(dtype)
    with _LOCK:
        if name not in _TYPES:
            made = _BITS[name].Dup()
            made.Set_name(name)
            _TYPES[name] = made
        return _TYPES[name]
