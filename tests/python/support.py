"""What the tests of the Python module share: a skip where something is missing, the oracle, arrays laid out in every way."""

from __future__ import annotations

import sys
from typing import Any, List, Optional, Sequence, Tuple, Union

try:
    import hypothesis
    import hypothesis.extra.numpy as hnp
    import numpy as np
    from hypothesis import strategies as st

    import supremum
except ImportError as missing:
    print(f"skipped: {missing}; scripts/setup.sh installs what the Python module and its tests need, and CMake then builds it")
    sys.exit(77)  # skipped, as CTest has it

hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=300, database=None)
hypothesis.settings.load_profile("repeatable")

FLOATS = ("float16", "float32", "float64")
NUMBERS = FLOATS + tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
CANONICAL_NAN = {"float16": 0x7E00, "float32": 0x7FC00000, "float64": 0x7FF8000000000000}  # ORD-4
Axis = Union[None, int, Tuple[int, ...]]


def bits_of(array: Any) -> np.ndarray:
    """The elements' bits, row-major."""
    array = np.ascontiguousarray(array)
    return array.view(f"u{array.dtype.itemsize}")


def least(dtype: np.dtype) -> Any:
    """The maximum over no elements (RED-6)."""
    if dtype.kind == "b":
        return False
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


@np.errstate(invalid="ignore")  # NumPy notices signalling NaNs
def by_our_rules(values: np.ndarray, any_nan: np.ndarray, any_plus_zero: np.ndarray) -> np.ndarray:
    """NumPy's maximum, with +0 above -0 and the canonical NaN (ORD-2 to ORD-4)."""
    values = np.array(values)
    if values.dtype.kind == "f":
        values[(values == 0) & any_plus_zero] = 0.0
        values[(values == 0) & ~any_plus_zero] = -0.0
        values.view(f"u{values.dtype.itemsize}")[any_nan] = CANONICAL_NAN[values.dtype.name]
    return values


@np.errstate(invalid="ignore")
def expected_max(arrays: Sequence[np.ndarray]) -> np.ndarray:
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    values = np.empty(shape, arrays[0].dtype)
    any_nan, plus_zero = np.zeros(shape, bool), np.zeros(shape, bool)
    for m, array in enumerate(arrays):
        values[...] = array if m == 0 else np.maximum(values, array)
        any_nan |= array != array
        plus_zero |= (array == 0) & ~np.signbit(array) if array.dtype.kind == "f" else False
    return by_our_rules(values, any_nan, plus_zero)


@np.errstate(invalid="ignore")
def expected_reduce_max(a: np.ndarray, axis: Axis, keepdims: bool, initial: Any, where: Any) -> np.ndarray:
    start = least(a.dtype) if initial is None else initial
    values = np.maximum.reduce(a, axis=axis, keepdims=keepdims, initial=start, where=where)
    counted = np.broadcast_to(where, a.shape)

    def anywhere(what: np.ndarray) -> np.ndarray:
        return np.logical_or.reduce(what & counted, axis=axis, keepdims=keepdims)

    plus_zero = anywhere((a == 0) & ~np.signbit(a)) if a.dtype.kind == "f" else np.False_
    any_nan = anywhere(a != a)
    if initial is not None and a.dtype.kind == "f":
        any_nan = any_nan | np.isnan(initial)
        plus_zero = plus_zero | (initial == 0 and not np.signbit(initial))
    return by_our_rules(np.asarray(values, a.dtype), np.asarray(any_nan), np.asarray(plus_zero))


def elements(dtype: str) -> st.SearchStrategy:
    """Values worth testing with, as bits: special ones as often as any others."""
    kind, width = np.dtype(dtype).kind, np.dtype(dtype).itemsize * 8
    if kind == "b":
        return st.integers(0, 1)
    everything = st.integers(0, 2**width - 1)
    special = [0, 1, 2**width - 1, 2 ** (width - 1), 2 ** (width - 1) - 1]
    if kind == "f":
        nan = CANONICAL_NAN[dtype]
        infinity = nan & ~(nan & -nan)
        sign = 2 ** (width - 1)
        # Quiet and signalling NaNs of both signs, infinities, zeros, the least subnormal.
        special = [nan, nan | sign, infinity + 1, (infinity + 1) | sign, infinity, infinity | sign, 0, sign, 1, sign + 1]
    return st.sampled_from(special) | everything


@st.composite
def arrays(draw: Any, dtype: str, shape: Tuple[int, ...], readable: bool = True) -> np.ndarray:
    """An array whose strides have any order, size and sign; zero ones too if it is only read."""
    unsigned = f"u{np.dtype(dtype).itemsize}"
    rank = len(shape)
    order = draw(st.permutations(range(rank)))
    steps = [draw(st.sampled_from([1, 1, -1, 2, -2])) for _ in shape]
    still = [readable and draw(st.integers(0, 5)) == 0 for _ in shape]
    base_shape = tuple((1 if still[d] else shape[d]) * abs(steps[d]) for d in order)
    base = draw(hnp.arrays(unsigned, base_shape, elements=elements(dtype))).view(dtype)
    view = base.transpose(np.argsort(order)) if rank else base
    view = view[tuple(slice(None, None, step) for step in steps)] if rank else view
    return np.broadcast_to(view, shape) if any(still) else view


def same_bits(actual: Any, expected: np.ndarray) -> Optional[str]:
    """None, or how they differ."""
    actual = np.asarray(actual)
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        return f"{actual.dtype}{actual.shape} is not {expected.dtype}{expected.shape}"
    if not np.array_equal(bits_of(actual), bits_of(expected)):
        return f"{actual!r} is not {expected!r}"
    return None


def shapes(draw: Any, count: int) -> List[Tuple[int, ...]]:
    """Shapes that broadcast to each other, zero extents included."""
    drawn = draw(hnp.mutually_broadcastable_shapes(num_shapes=count, min_dims=0, max_dims=4, min_side=0, max_side=5))
    return list(drawn.input_shapes)
