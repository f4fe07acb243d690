"""The exact maximum of dask arrays: lazy, for any chunks, with the bits of supremum.max on the whole array.

>>> import dask.array as da
>>> import numpy as np
>>> import supremum
>>> x = da.from_array(np.float32([[-0.0, 1], [0.0, np.nan], [-0.0, 3]]), chunks=(1, 2))
>>> supremum.max(x, axis=0)
dask.array<...>
>>> supremum.max(x, axis=0).compute()
array([ 0., nan], dtype=float32)

supremum.max, supremum.maximum and supremum.maximum_of call these functions if an operand is a dask array, and return a
dask array. Nothing is computed before dask computes it. Each block is read without copying, by one thread of
supremum, since dask runs one task per thread of a worker; from 64 KiB on, the interpreter's lock is released.

Join is commutative and associative in every bit (ORD-5): neither the chunks nor split_every, the number of workers,
or a task that dask runs again after the loss of a worker changes a bit.
"""

from __future__ import annotations

import builtins
import functools
import math
from numbers import Integral
from typing import Any, Dict, List, NoReturn, Optional, Sequence, Tuple, Type, Union

import dask.array as da
import numpy as np

from . import _core
from ._errors import Error, ErrorCode, InvalidType, InvalidValue, names_its_keywords

__all__ = ["maximum", "maximum_of"]  # without max, which is a function of Python too


def _refuse(kind: Type[Error], text: str) -> NoReturn:
    raise kind(f"invalid argument: {text}", ErrorCode["invalid_argument"])


def _max_of_block(block: Any, axis: Tuple[int, ...], keepdims: bool) -> Any:
    return _core.max(np.asanyarray(block), axis=axis, keepdims=keepdims, threads=1)


def _maximum_of_blocks(*blocks: Any, shapes: Sequence[Tuple[float, ...]]) -> Any:
    """Joins blocks of arrays of these shapes. A block of 1 element is broadcast only if it is all of its array's dimension."""
    arrays = [np.asanyarray(block) for block in blocks]
    for d in range(1, 1 + builtins.max(map(len, shapes))):
        extents = {array.shape[-d] for array, shape in zip(arrays, shapes) if len(shape) >= d and shape[-d] != 1}
        if len(extents) > 1:
            counts = " and ".join(map(str, sorted(extents)))
            raise InvalidValue(f"not broadcastable: blocks have {counts} elements in dimension -{d}, whose extents were not known (BRO-2)",
                               ErrorCode["not_broadcastable"], "BRO-2")
    return _core.maximum_of(*arrays, threads=1)


@names_its_keywords
def max(
    x: da.Array,
    axis: Union[None, int, Sequence[int]] = None,
    keepdims: bool = False,
    split_every: Union[None, int, Dict[int, int]] = None,
) -> da.Array:
    """The maximum of a dask array along axes, all by default: dask.array.max, by the rules of supremum.max.

        result[j] = max over the reduced indices of x,   -inf or the least value of the type over none (RED-6)

    x            a dask array whose blocks are arrays of NumPy; of any of the types of supremum.max
    axis         a dimension or several, negative ones counted from the end; None: all
    keepdims     True: reduced dimensions stay, with extent 1
    split_every  the number of partial results that one task joins, 2 or more, or a dictionary of one for each axis; by
                 default dask's

    Returns a dask array. Raises InvalidType and InvalidValue, as supremum.max, before anything is computed.
    """
    if not isinstance(x, da.Array):
        _refuse(InvalidType, f"x is of type {type(x).__name__}, not dask.array.Array; call supremum.max")
    counts = split_every.values() if isinstance(split_every, dict) else [2 if split_every is None else split_every]
    if not all(isinstance(count, Integral) and count >= 2 for count in counts):
        _refuse(InvalidValue, f"split_every={split_every!r} is neither a whole number of 2 or more nor a dictionary of such; "
                              "a task joins at least two partial results")
    # The call checks the type and the axes; without elements, extent 1 is left where a dimension is reduced.
    kept = _core.max(np.empty((0,) * x.ndim, x.dtype), axis=axis, keepdims=True).shape
    axes = tuple(d for d, extent in enumerate(kept) if extent == 1)
    return da.reduction(x, _max_of_block, _max_of_block, axis=axes, keepdims=bool(keepdims), dtype=x.dtype,
                        split_every=split_every, name="supremum-max")


@names_its_keywords
def maximum_of(*arrays: Any) -> da.Array:
    """The element-wise maximum of one or more arrays, broadcast to their common shape, in one pass over the blocks.

    arrays   dask arrays, at least one, and arrays or scalars of NumPy; of one type, as for supremum.maximum_of

    Returns a dask array. Raises InvalidType and InvalidValue, as supremum.maximum_of, before anything is computed. An extent
    that dask does not know is not broadcast: if it turns out to be another one, computing raises InvalidValue.
    """
    for m, array in enumerate(arrays):
        if not isinstance(array, (da.Array, np.ndarray, np.generic)):
            _refuse(InvalidType, f"input {m} is of type {type(array).__name__}; with dask arrays, pass arrays of dask or NumPy")
    if not any(isinstance(array, da.Array) for array in arrays):
        _refuse(InvalidType, "no input is a dask array; call supremum.maximum_of")
    # The call checks types and classes, of arrays without elements.
    _core.maximum_of(*(np.empty((0,) * array.ndim, array.dtype) if isinstance(array, da.Array)
                       else np.asanyarray(array)[(..., *(slice(0),) * array.ndim)] for array in arrays))
    # dask has NaN for an extent that is not known before the blocks are computed.
    shapes = [tuple(1 if math.isnan(extent) else extent for extent in array.shape) for array in arrays]
    try:
        common = np.broadcast_shapes(*shapes)
    except ValueError:  # an error that names the inputs and the dimension
        _core.maximum_of(*(np.broadcast_to(np.zeros((), arrays[0].dtype), shape) for shape in shapes))
    lazy = [da.asanyarray(array) for array in arrays]
    for d in range(1, 1 + len(common)):
        long = [array for array in lazy if array.ndim >= d and array.shape[-d] != 1]
        unknown = any(math.isnan(array.shape[-d]) for array in long)
        if unknown and (0 in common or len({array.numblocks[-d] for array in long}) > 1):
            _refuse(InvalidValue, f"the extent in dimension -{d} is not known, and an extent is 0 or numbers of chunks differ; "
                                  "call compute_chunk_sizes() of dask first")
    if 0 in common:  # dask takes an extent of 1 for the larger one
        return da.empty(common, dtype=arrays[0].dtype)
    parts: List[Any] = []
    for array in lazy:
        one_chunk = {d: -1 for d in range(array.ndim) if array.shape[d] == 1}  # not also chunks without elements
        # Dimensions are numbered from the last one, as broadcasting aligns them.
        parts += [array.rechunk(one_chunk), tuple(range(array.ndim))[::-1]]
    join = functools.partial(_maximum_of_blocks, shapes=[array.shape for array in lazy])
    return da.blockwise(join, tuple(range(len(common)))[::-1], *parts, dtype=arrays[0].dtype, token="supremum-maximum")


@names_its_keywords
def maximum(x1: Any, x2: Any, /) -> da.Array:
    """The element-wise maximum of two arrays, of which one is a dask array: maximum_of(x1, x2)."""
    return maximum_of(x1, x2)
