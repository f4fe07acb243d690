"""The exact maximum as operators of PyTorch, and in place of PyTorch's own.

>>> import torch
>>> import supremum.torch as exact
>>> exact.maximum(torch.tensor([-0.0, 3.0]), torch.tensor([0.0, torch.nan])).tolist()
[0.0, nan]
>>> with exact.everywhere():
...     model(x)  # torch.maximum, torch.amax and torch.max follow the rules

The operators are torch.ops.supremum.maximum and torch.ops.supremum.amax: with kernels for the processor, shapes
for tensors without elements ("meta", which torch.compile and torch.export use), and gradients. They compute on
the tensors' own memory, in as many threads as PyTorch is set to use.

This module needs the compiled module supremum._torch, which is built where PyTorch's headers are (Debian:
libtorch-dev), for exactly one version of PyTorch; otherwise importing it is an ImportError. See docs/pytorch.md.
"""

from __future__ import annotations

import contextlib
import operator
from typing import Iterator, Sequence, Union

import torch

from . import _core

if _core.torch_version != torch.__version__:
    built = f"for PyTorch {_core.torch_version}, and this is PyTorch {torch.__version__}"
    without = "without PyTorch's headers (Debian: libtorch-dev)"
    raise ImportError(
        f"supremum was built {built if _core.torch_version else without}; build supremum's Python module again where this PyTorch "
        "and its headers are installed"
    )
try:
    from . import _torch  # only now: loading the C++ interface of another version is not safe
except ImportError:
    raise ImportError("this supremum has no module for PyTorch, as no wheel has; build its Python module where PyTorch and its headers are installed") from None

__all__ = ["amax", "everywhere", "is_everywhere", "maximum", "set_everywhere"]


def maximum(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """The element-wise maximum, as torch.maximum(a, b): broadcast, types promoted by torch.result_type.

    y[i] = a[i] if b[i] < a[i] else b[i], where -0 < +0; the canonical NaN of its type if one of them is NaN
    (ORD-1..4). The gradient of y[i] goes to the operand that is the maximum, half of it to each if both are:
    if they are equal (-0 and +0 are), or both NaN.

    Raises RuntimeError, as torch.maximum, for shapes that cannot be broadcast and types that have no order.
    """
    return torch.ops.supremum.maximum(a, b)


def amax(a: torch.Tensor, dim: Union[int, Sequence[int]] = (), keepdim: bool = False) -> torch.Tensor:
    """The maximum along `dim`, as torch.amax(a, dim, keepdim); an empty `dim` means all dimensions.

    The rules are those of maximum (RED-1); over no elements it is -inf, the least integer of the type, or False
    (RED-6, TYP-4), where torch.amax raises an error. The gradient goes in equal shares to the elements that are the maximum:
    those equal to it (-0 and +0 are), or those that are NaN if it is NaN.

    Raises IndexError for a dimension that `a` does not have; RuntimeError for one that is given twice.
    """
    return torch.ops.supremum.amax(a, [operator.index(dim)] if hasattr(dim, "__index__") else list(dim), keepdim)


def set_everywhere(on: bool) -> None:
    """Makes torch.maximum, torch.amax and torch.max follow the rules on the processor, in the whole process, or
    lets PyTorch's own kernels compute them again.

    Requires: no other thread runs operators of PyTorch at this moment. docs/pytorch.md lists the operators.
    """
    _torch.replace_kernels(on)


def is_everywhere() -> bool:
    """True if torch.maximum, torch.amax and torch.max follow the rules now."""
    return _torch.kernels_are_replaced()


@contextlib.contextmanager
def everywhere() -> Iterator[None]:
    """set_everywhere(True) for a with block; afterwards what held before, also after an exception."""
    before = is_everywhere()
    set_everywhere(True)
    try:
        yield
    finally:
        set_everywhere(before)
