"""Elements whose type is not known where they come from."""

from __future__ import annotations

import sys
from typing import Any, Callable, Tuple

from . import _core
from ._errors import names_its_keywords


@names_its_keywords
def reinterpret(x: Any, dtype: str) -> Any:
    """A copy of x whose elements' bits are those of another type of the same width.

    x          as maximum_of() takes arrays; also an array of bytes without a type, such as 'V2', as which .npy files
               have bfloat16
    dtype      "bfloat16", or any other of the twelve numeric types

    Returns an array of x's kind. For bfloat16, which NumPy does not have, it is an array if the package ml_dtypes is
    installed, and otherwise a DLPackTensor, which all functions take.

    Raises InvalidType for a type of another width.

    >>> import numpy as np
    >>> import supremum
    >>> x = np.array([0x3F80, 0xC000], np.uint16).view("V2")  # 1 and -2; numpy.load("x.npy") gives the same
    >>> y = supremum.max(supremum.reinterpret(x, "bfloat16"), keepdims=True)
    >>> supremum.reinterpret(y, "uint16").tolist() == [0x3F80]
    True
    """
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, (numpy.ndarray, numpy.void)) and x.dtype.kind == "V" and x.dtype.names is None:
        if x.dtype.itemsize in (1, 2, 4, 8):
            x = x.view(f"u{x.dtype.itemsize}")
    return _core.reinterpret(x, dtype)


def _reduce(self: _core.DLPackTensor) -> Tuple[Callable[..., Any], Tuple[Any, str]]:
    width = {"bool": 8, "bfloat16": 16}.get(self.dtype) or int(self.dtype.lstrip("uintfloa"))
    return reinterpret, (_core.reinterpret(self, f"uint{width}"), self.dtype)


_core.DLPackTensor.__reduce__ = _reduce
reinterpret.__module__ = "supremum"
