from typing import Any, Optional, Sequence, SupportsIndex, Tuple, Union

from . import annotate as annotate
from . import backend as backend
from . import dask as dask
from . import kit as kit
from . import mpi as mpi
from . import numpy as numpy
from . import onnxruntime as onnxruntime
from . import reference_ops as reference_ops
from . import strategies as strategies
from . import torch as torch
from . import xarray as xarray
from ._bounds import Bounded as Bounded
from ._bounds import max_with_bounds as max_with_bounds
from ._errors import Error as Error
from ._errors import ErrorCode as ErrorCode
from ._errors import InvalidType as InvalidType
from ._errors import InvalidValue as InvalidValue
from ._errors import MissingFile as MissingFile
from ._models import Finding as Finding
from ._models import Model as Model
from ._models import Report as Report
from ._models import Value as Value
from ._models import check as check
from ._models import load as load
from ._reinterpret import reinterpret as reinterpret

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
__version__: str

class DLPackTensor:
    @property
    def shape(self) -> Tuple[int, ...]: ...
    @property
    def dtype(self) -> str: ...
    def __dlpack__(
        self,
        *,
        stream: None = None,
        max_version: Optional[Tuple[int, int]] = None,
        dl_device: Optional[Tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> Tuple[int, int]: ...

# Arrays are objects that implement __dlpack__ or the buffer protocol, for which Python 3.11 has no type.
def maximum_of(*arrays: Any, out: Any = None, threads: Optional[int] = None) -> Any: ...
def maximum(x1: Any, x2: Any, /, *, out: Any = None, threads: Optional[int] = None) -> Any: ...
def max(
    x: Any,
    axis: Union[None, SupportsIndex, Sequence[SupportsIndex]] = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Any = True,
    out: Any = None,
    threads: Optional[int] = None,
) -> Any: ...
