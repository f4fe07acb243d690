import enum
from typing import Any, Callable, Optional, TypeVar

class ErrorCode(enum.IntEnum):
    io = 1
    malformed_file = 2
    unsupported_format = 3
    unsupported_operator = 4
    limit_exceeded = 5
    out_of_memory = 6
    invalid_argument = 7
    unsupported_device = 8
    input_count = 10
    type_mismatch = 20
    type_not_admitted = 21
    sparse_tensor = 30
    shape_not_explicit = 31
    type_not_explicit = 32
    defaulted_attribute = 33
    broadcast_refused = 34
    rank = 40
    invalid_shape = 41
    axis = 50
    axes_given = 51
    not_broadcastable = 60
    output_shape_mismatch = 61
    overlap = 70
    negative_bound = 80

class Error(Exception):
    code: ErrorCode
    rule: Optional[str]
    def __init__(self, message: str, code: int) -> None: ...

class InvalidValue(Error, ValueError): ...
class MissingFile(InvalidValue, FileNotFoundError):
    def __init__(self, message: str, code: int, rule: Optional[str] = ..., filename: Any = ...) -> None: ...

class InvalidType(Error, TypeError): ...

_Function = TypeVar("_Function", bound=Callable[..., Any])

def names_its_keywords(function: _Function) -> _Function: ...
