"""numpy.maximum, numpy.maximum.reduce and numpy.max with NumPy's arguments, exact in every bit.

>>> import numpy as np
>>> from supremum import numpy as exact
>>> exact.maximum(np.float32([-0.0, 1]), 0)
array([0., 1.], dtype=float32)
>>> exact.maximum.reduce([[1, 5, 2], [4, 3, 6]], axis=1)
array([5, 6])
>>> exact.max([[3.0, 7.0]], axis=0, initial=5)
array([5., 7.])

Operands are converted as NumPy converts them, and arguments mean what they mean in NumPy. The maximum is then
that of supremum.maximum_of: -0 < +0, and a NaN operand makes the result the canonical NaN of its type (ORD-1 to
ORD-4). What is not done as NumPy does it is refused, with an InvalidType (a TypeError) or an InvalidValue (a
ValueError) that says what to do instead; nothing is written then. docs/numpy.md has a table of all arguments.
"""

from __future__ import annotations

from typing import Any, Callable, NoReturn, Optional, Sequence, Tuple, Type, Union

import numpy as np

from . import _core
from ._errors import Error, ErrorCode, InvalidType, InvalidValue, names_its_keywords

__all__ = ["amax", "maximum"]  # as NumPy's own: without max, which is a function of Python too

_NOTHING: Any = np._NoValue  # type: ignore[attr-defined]  # NumPy's own mark of an argument that is not given
_WEAK_SCALARS = int(np.__version__.split(".")[0]) >= 2  # a Python number takes the type of the other operand
_Axis = Union[None, int, Tuple[int, ...]]


def _refuse(kind: Type[Error], text: str, code: str = "invalid_argument", rule: Optional[str] = None) -> NoReturn:
    title = {"invalid_argument": "invalid argument", "type_not_admitted": "type not admitted",
             "output_shape_mismatch": "output shape mismatch"}[code]
    raise kind(f"{title}: {text}", ErrorCode[code], rule)


def _operand(value: Any, name: str, subok: bool = False) -> Any:
    """A Python int or float as it is, anything else as an array that NumPy alone would compute on."""
    if type(value) in (int, float):
        return value
    if isinstance(value, np.ma.MaskedArray):
        _refuse(InvalidType, f"'{name}' is a masked array, whose mask would be ignored; pass its data, and where=~mask")
    own = [name for name in ("__array_ufunc__", "__array_function__") if hasattr(type(value), name)]
    if any(getattr(type(value), name) is not getattr(np.ndarray, name) for name in own):
        _refuse(InvalidType, f"'{name}' is of type {type(value).__name__}, which computes NumPy's functions itself; "
                             "pass numpy.asarray of it to compute with its numbers alone")
    array = np.asanyarray(value)
    if subok and type(array) not in (np.ndarray, np.memmap):
        _refuse(InvalidType, f"'{name}' is of type {type(array).__name__}, a subclass of numpy.ndarray, and the result "
                             "would not be; pass numpy.asarray of it, or subok=False")
    return array.view(np.ndarray)


def _admitted(dtype: np.dtype) -> np.dtype:
    """The type in this machine's byte order, if supremum has it."""
    if not (dtype.kind in "biuf" and dtype.itemsize <= 8 or dtype.name == "bfloat16"):
        _refuse(InvalidType, f"{dtype} is not one of the twelve numeric types and bool (TYP-1); use NumPy's own function",
                "type_not_admitted", "TYP-1")
    return dtype.newbyteorder("=")


def _check_range(operand: Any, dtype: np.dtype) -> None:
    """Raises OverflowError for a Python integer that NumPy 2 cannot convert to the type, which it tries before all else."""
    if type(operand) is not int or not _WEAK_SCALARS:
        return
    if dtype.kind in "biu":
        np.asarray(operand, np.int64 if dtype.kind == "b" else dtype)
    else:
        float(operand)


def _converted(operand: Any, dtype: np.dtype, casting: str, name: str) -> np.ndarray:
    """The operand in that type, if `casting` admits it."""
    number = type(operand) in (int, float)
    if not number and np.asarray(operand).dtype.kind not in "biufV":
        _admitted(np.asarray(operand).dtype)  # a conversion would hide NaT, an imaginary part, the length of a text
    if number and _WEAK_SCALARS:
        # It has the type of the other operand already, unless that is of a lower kind.
        admitted = dtype.kind not in ("biu" if type(operand) is float else "b") or casting == "unsafe"
    else:
        admitted = np.can_cast(operand, dtype, casting)  # type: ignore[arg-type]
    if not admitted:
        _refuse(InvalidType, f"'{name}' is of type {np.asarray(operand).dtype}, which casting='{casting}' does not admit as {dtype}; "
                             "convert it by astype, or pass another casting")
    if number and _WEAK_SCALARS:
        return np.asarray(operand, dtype)
    return np.asarray(operand).astype(dtype, copy=False)


def _mask(where: Any) -> Optional[np.ndarray]:
    """The mask; None where all elements count."""
    if where is True:
        return None
    mask = np.asarray(_operand(where, "where", subok=True))
    if mask.dtype != np.bool_:
        _refuse(InvalidType, f"'where' has elements of type {mask.dtype}, not bool; compare or convert it first")
    return mask


def _output(out: Any) -> Optional[np.ndarray]:
    if isinstance(out, tuple):
        if len(out) != 1:
            _refuse(InvalidValue, f"'out' is a tuple of {len(out)} elements; the maximum has one output")
        out = out[0]
    if out is None:
        return None
    if type(out) not in (np.ndarray, np.memmap):
        _refuse(InvalidType, f"'out' is of type {type(out).__name__}; pass an array of NumPy, and no subclass of it")
    if not out.flags.writeable:
        _refuse(InvalidValue, "'out' cannot be written; pass a copy of it")
    return out


def _check_output(out: np.ndarray, shape: Tuple[int, ...], dtype: np.dtype, casting: str) -> None:
    if out.shape != shape:
        _refuse(InvalidValue, f"'out' has shape {list(out.shape)}, and the result has {list(shape)}; pass an array of that shape",
                "output_shape_mismatch")
    if not np.can_cast(dtype, out.dtype, casting):  # type: ignore[arg-type]
        _refuse(InvalidType, f"'out' is of type {out.dtype}, which casting='{casting}' does not admit for results of type {dtype}; "
                             "pass an array of that type, or another casting")


def _max_of(arrays: Sequence[np.ndarray], out: Optional[np.ndarray] = None) -> Any:
    """supremum.maximum_of, of bools as of the bytes that they are."""
    if arrays[0].dtype.kind != "b":
        return _core.maximum_of(*arrays, out=out)
    views = [array.view(np.uint8) for array in arrays]
    if out is not None:
        _core.maximum_of(*views, out=out.view(np.uint8))
        return out
    return _core.maximum_of(*views).view(np.bool_)


def _wrote(compute: Callable[[], Any]) -> bool:
    """Computes into an output; False, and nothing is written, where it overlaps with operands and needs memory between."""
    try:
        compute()
    except InvalidValue as error:
        if error.code != ErrorCode["overlap"]:
            raise
        return False
    return True


class _Maximum:
    """The element-wise maximum of two operands; as numpy.maximum, with NumPy's arguments.

    maximum(x1, x2, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True)
    maximum.reduce(array, axis=0, dtype=None, out=None, keepdims=False, initial=..., where=True)
    """

    nin, nout, nargs, identity = 2, 1, 3, None
    __name__ = "maximum"

    def __repr__(self) -> str:
        return "<supremum.numpy.maximum>"

    def __reduce__(self) -> str:
        return "maximum"  # a copy is the same object, as of a function

    def _of_two(
        self,
        x1: Any,
        x2: Any,
        /,
        out: Any = None,
        *,
        where: Any = True,
        casting: str = "same_kind",
        order: str = "K",
        dtype: Any = None,
        subok: bool = True,
    ) -> Any:
        """The element-wise maximum of two operands, broadcast to their common shape.

            result[i] = x1[i] if x1[i] >= x2[i] else x2[i],   NaN if either is

        x1, x2   arrays of NumPy, numbers, or what numpy.asarray takes; of different types, too
        out      an array to write into, or a tuple of one. Operands are broadcast to its shape. It may overlap
                 with operands.
        where    a bool array that is broadcast with the operands: where it is False, out keeps its element. It
                 needs out.
        casting  which conversions of operands and into out are admitted: "no", "equiv", "safe", "same_kind",
                 "unsafe", as numpy.can_cast has them
        order    of the result in memory: "C", "F"; "A": "F" if the operands have it, otherwise "C"; "K": that of the operands
        dtype    the type in which the maximum is computed; by default that of numpy.result_type(x1, x2)
        subok    False: subclasses of numpy.ndarray are taken for plain arrays; True: they are refused

        Returns out, or a new array; a scalar of NumPy where both operands are scalars.

        Raises InvalidType, InvalidValue; OverflowError where NumPy 2 does, for a Python integer that the type
        of the other operand does not have. Nothing is written then.

        >>> import numpy as np
        >>> from supremum import numpy as exact
        >>> exact.maximum(np.int8([1, 9]), np.int16([5, 5]), where=[True, False], out=np.zeros(2, np.int16))
        array([5, 0], dtype=int16)
        """
        operands = [_operand(x1, "x1", subok), _operand(x2, "x2", subok)]
        mask, out = _mask(where), _output(out)
        if order not in ("K", "A", "C", "F"):
            _refuse(InvalidValue, f"order='{order}' is none of 'K', 'A', 'C' and 'F'")
        loop = _admitted(np.result_type(*operands) if dtype is None else np.dtype(dtype))
        for operand in operands:
            _check_range(operand, loop)
        arrays = [_converted(operand, loop, casting, name) for operand, name in zip(operands, ("x1", "x2"))]
        if out is None and mask is not None:
            _refuse(InvalidValue, "'where' without 'out' would leave elements undefined; pass out, which keeps its elements there")
        try:
            shape = np.broadcast_shapes(arrays[0].shape, arrays[1].shape)
        except ValueError:
            return _core.maximum_of(*arrays)  # whose error names the dimension
        if out is not None:
            try:
                shape = np.broadcast_shapes(shape, () if mask is None else mask.shape)
            except ValueError:
                _refuse(InvalidValue, f"'where' has shape {list(np.shape(mask))}, which does not broadcast with the operands' {list(shape)}; "
                                      "pass a mask of their shape")
            try:
                shape = np.broadcast_shapes(shape, out.shape)
            except ValueError:
                pass  # the next line says so
            _check_output(out, shape, loop, casting)
            arrays[0] = np.broadcast_to(arrays[0], out.shape)
            if mask is None and out.dtype == loop and _wrote(lambda: _max_of(arrays, out)):
                return out
            np.copyto(out, _max_of(arrays), casting="unsafe", where=True if mask is None else mask)
            return out
        if order == "A":
            order = "F" if all(array.flags.f_contiguous for array in arrays) else "C"
        if order in ("C", "F"):
            return _max_of(arrays, np.empty(shape, loop, order=order))  # type: ignore[call-overload]
        return _max_of(arrays)

    _of_two.__name__ = _of_two.__qualname__ = "maximum"
    __call__ = names_its_keywords(_of_two)

    @names_its_keywords
    def reduce(
        self,
        array: Any,
        axis: _Axis = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = _NOTHING,
        where: Any = True,
    ) -> Any:
        """The maximum of an array along axes; as numpy.maximum.reduce.

        array     an array of NumPy, or what numpy.asarray takes
        axis      a dimension or several, negative ones counted from the end; None: all
        dtype     the type that elements are converted to first; by default that of out, or else of array
        out       an array to write into, or a tuple of one
        keepdims  True: reduced dimensions stay, with extent 1
        initial   one more element of each maximum; needed where no element is reduced, and with where
        where     a bool array that is broadcast to array: only elements where it is True are reduced

        Returns out, or a new array; a scalar of NumPy where all dimensions are reduced.

        Raises InvalidType, InvalidValue. Nothing is written then. supremum.max does not need initial.

        >>> from supremum import numpy as exact
        >>> exact.maximum.reduce([[3.0, 7.0], [5.0, float("nan")]], axis=1)
        array([ 7., nan])
        """
        a = np.asarray(_operand(array, "array", subok=True))
        mask, out = _mask(where), _output(out)
        loop = _admitted(np.dtype(dtype) if dtype is not None else out.dtype if out is not None else a.dtype)
        _admitted(a.dtype)
        a = a.astype(loop, copy=False)
        if a.ndim == 0 and axis in (0, -1):
            axis = None
        given = initial is not _NOTHING and initial is not None
        if mask is not None and not given:
            _refuse(InvalidValue, "'where' needs 'initial', since numpy.maximum has no identity; or call supremum.max, which has one")
        options = {"axis": axis, "keepdims": keepdims}
        # Also where there is no maximum: NumPy asks for the extents that are reduced.
        kept = _core.max(np.broadcast_to(np.uint8(0), a.shape), axis=axis, keepdims=True).shape if a.size == 0 else a.shape
        if 0 in (n for n, k in zip(a.shape, kept) if n != k) and not given:
            _refuse(InvalidValue, "a maximum over no elements needs 'initial', since numpy.maximum has no identity; "
                                  "or call supremum.max, which has one (RED-6)")
        if given:
            options["initial"] = initial
        if mask is not None:
            options["where"] = mask
        if out is not None and out.dtype == loop and _wrote(lambda: _core.max(a, out=out, **options)):
            return out
        result = _core.max(a, **options)
        if out is None:
            return result
        _check_output(out, np.shape(result), loop, "same_kind" if dtype is not None else "unsafe")
        np.copyto(out, result, casting="unsafe")
        return out

    def __getattr__(self, name: str) -> NoReturn:
        if name in ("accumulate", "at", "outer", "reduceat"):
            raise AttributeError(f"supremum.numpy.maximum has no method '{name}'; use numpy.maximum.{name}, whose zeros and NaNs may differ")
        raise AttributeError(f"supremum.numpy.maximum has no attribute '{name}'")


maximum = _Maximum()


@names_its_keywords
def max(
    a: Any,
    axis: _Axis = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = _NOTHING,
    where: Any = True,
) -> Any:
    """The maximum of an array along axes, all by default; as numpy.max. See maximum.reduce.

    >>> from supremum import numpy as exact
    >>> print(exact.max([[1, 5], [4, 3]]))
    5
    """
    return maximum.reduce(a, axis, None, out, keepdims, initial, where)


amax = max
