"""Max of inputs with bounded errors."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence

from . import _core
from ._errors import names_its_keywords


class Bounded(NamedTuple):
    """A result, and bounds of its true value. All are of the same type and shape."""

    value: Any  # the result
    bound: Any  # the largest distance of the true value from it (ACC-2)
    lower: Any  # the least possible true value (ACC-3)
    upper: Any  # the largest possible true value


@names_its_keywords
def max_with_bounds(arrays: Sequence[Any], bounds: Sequence[Any], *, threads: Optional[int] = None) -> Bounded:
    """maximum_of(*arrays), and bounds of the true result.

        |value - true| <= bound,   lower <= true <= upper

    if each true array differs from the given one by at most its bound. Max adds no rounding error (ACC-1).

    arrays     as maximum_of() takes them
    bounds     one for each array: an array of its type that is broadcast to it, or a number; 0 for an exact array
    threads    as in maximum_of()

    Where a value or a bound is NaN or infinite, the bound of the result is +inf (ACC-4). Bounds are rounded
    outwards.

    >>> import numpy as np
    >>> import supremum
    >>> result = supremum.max_with_bounds([np.float32([3, 2]), np.float32([1, 4])], [0.5, 0])
    >>> result.value, result.bound
    (array([3., 4.], dtype=float32), array([0.5, 0.5], dtype=float32))
    >>> result.lower, result.upper
    (array([2.5, 4. ], dtype=float32), array([3.5, 4. ], dtype=float32))
    """
    return Bounded(*_core.max_with_bounds(arrays, bounds, threads))


for _public in (Bounded, max_with_bounds):
    _public.__module__ = "supremum"
