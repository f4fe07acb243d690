"""The exact maximum of DataArrays and Datasets of xarray, along dimensions by name.

>>> import numpy as np
>>> import xarray as xr
>>> import supremum
>>> x = xr.DataArray(np.array([[-0.0, 1], [0.0, np.nan]]), dims=("time", "site"), coords={"site": ["a", "b"]})
>>> highest = supremum.xarray.max(x, "time")
>>> highest.sel(site="a").item(), highest.sel(site="b").item()
(0.0, nan)

xarray's own max skips NaNs by default, and which zero it returns depends on the order of the elements.
"""

from __future__ import annotations

from typing import Any, Hashable, Iterable, TypeVar, Union

import xarray as xr

from . import _core
from ._errors import ErrorCode, InvalidType, InvalidValue, names_its_keywords

__all__ = ["max"]

_Object = TypeVar("_Object", xr.DataArray, xr.Dataset)


@names_its_keywords
def max(obj: _Object, dim: Union[None, Hashable, Iterable[Hashable]] = None, skipna: bool = False) -> _Object:
    """The maximum along dimensions, all by default: obj.max(dim, skipna=False, keep_attrs=True), by the rules of supremum.max.

    obj      a DataArray, or a Dataset, of whose variables each is reduced along those of the dimensions that it has
    dim      the name of a dimension, or several; None: all
    skipna   False: NaN wins (ORD-3). True is refused: the maximum of the other elements is
             obj.fillna(-numpy.inf), reduced by this function

    Returns an object of the same kind, with the names, attributes and coordinates that xarray keeps. If the data are a dask
    array, so are those of the result, and nothing is computed. Over no elements it is -inf or the least value (RED-6).

    Raises InvalidType for elements that are no numbers, as supremum.max; ValueError, as xarray, for an unknown dimension.
    """
    if not isinstance(obj, (xr.DataArray, xr.Dataset)):
        raise InvalidType(f"invalid argument: obj is of type {type(obj).__name__}, neither a DataArray nor a Dataset; call supremum.max",
                          ErrorCode["invalid_argument"])
    if skipna:
        raise InvalidValue("invalid argument: skipna=True would leave NaNs out, and here NaN wins (ORD-3); "
                           "pass obj.fillna(-numpy.inf) with skipna=False", ErrorCode["invalid_argument"], "ORD-3")
    return obj.reduce(_max, dim, keep_attrs=True)


def _max(data: Any, axis: Any = None) -> Any:
    return _core.max(data, axis=axis)
