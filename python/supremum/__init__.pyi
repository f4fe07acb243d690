from typing import Any, Optional, Sequence, SupportsIndex, Tuple, Union

from . import backend as backend
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
__version__: str

class DLPackTensor:
    @property
    def shape(self) -> Tuple[int, ...]: ...
    @property
    def dtype(self) -> str: ...
    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __dlpack_device__(self) -> Tuple[int, int]: ...

# Arrays are objects that implement __dlpack__ or the buffer protocol, for which Python 3.11 has no type.
def max(*arrays: Any, out: Any = None, threads: Optional[int] = None) -> Any: ...
def maximum(x1: Any, x2: Any, /, out: Any = None, threads: Optional[int] = None) -> Any: ...
def reduce_max(
    a: Any,
    axis: Union[None, SupportsIndex, Sequence[SupportsIndex]] = None,
    keepdims: bool = False,
    out: Any = None,
    initial: Any = None,
    where: Any = True,
    threads: Optional[int] = None,
) -> Any: ...
