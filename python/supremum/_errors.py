"""What goes wrong, as Python sees it."""

from __future__ import annotations

import enum
import errno
import functools
import inspect
from typing import Any, Callable, Optional, Tuple, Type, TypeVar

from . import _core

ErrorCode = enum.IntEnum("ErrorCode", _core.ERROR_CODES, module="supremum")  # type: ignore[misc]
ErrorCode.__doc__ = "The codes of docs/errors.md, by name and number."


class Error(Exception):
    """An error of supremum: an InvalidValue or an InvalidType.

    code   an ErrorCode, such as ErrorCode.not_broadcastable
    rule   the rule that is violated, such as "BRO-2", or None

    >>> import numpy as np
    >>> import supremum
    >>> try:
    ...     supremum.maximum_of(np.zeros((2, 3)), np.zeros(4))
    ... except supremum.Error as error:
    ...     print(error.code.name, int(error.code), error.rule)
    not_broadcastable 60 BRO-2
    """

    code: "ErrorCode"
    rule: Optional[str]

    def __init__(self, message: str, code: int, rule: Optional[str] = None) -> None:
        super().__init__(message)
        self.code = ErrorCode(code)
        self.rule = rule

    def __reduce__(self) -> Tuple[Type["Error"], Tuple[str, int, Optional[str]]]:
        return type(self), (str(self), int(self.code), self.rule)


class InvalidValue(Error, ValueError):
    """A value that does not fit: a shape, an axis, a file, memory."""


class MissingFile(InvalidValue, FileNotFoundError):
    """A file that does not exist. It has the errno and filename of a FileNotFoundError."""

    def __init__(self, message: str, code: int, rule: Optional[str] = None, filename: Any = None) -> None:
        super().__init__(message, code, rule)
        self.errno = errno.ENOENT
        self.filename = filename

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), int(self.code), self.rule, self.filename)


class InvalidType(Error, TypeError):
    """A type that does not fit: of elements, of an argument, or a keyword that does not exist."""


for _class in (Error, InvalidValue, MissingFile, InvalidType):
    _class.__module__ = "supremum"

_Function = TypeVar("_Function", bound=Callable[..., Any])


def names_its_keywords(function: _Function) -> _Function:
    """Makes a call with a keyword that does not exist an InvalidType that lists those that do."""
    parameters = inspect.signature(function).parameters.values()
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    known = [parameter.name for parameter in parameters if parameter.kind in kinds and parameter.name != "self"]

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        for keyword in kwargs:
            if keyword not in known:
                listed = ", ".join(f"'{name}'" for name in known) or "none"
                text = f"invalid argument: {function.__name__}() has no keyword '{keyword}'; it has {listed}"
                raise InvalidType(text, ErrorCode["invalid_argument"])
        return function(*args, **kwargs)

    return checked  # type: ignore[return-value]
