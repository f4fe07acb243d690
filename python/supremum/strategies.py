"""Strategies of Hypothesis for what a maximum can go wrong on: kinds of NaN, zeros, subnormals, strides and shapes.

    import functools, hypothesis, numpy
    from supremum import strategies

    @hypothesis.given(strategies.max_inputs("float32"))
    def test_it(inputs):
        assert same_bits(my_maximum(*inputs), supremum.maximum_of(*inputs))

bits          the bits of an element: special ones as often as any others
elements      an element, as a scalar of NumPy
arrays        an array of a shape, with strides of any order, size and sign
shapes        shapes that broadcast to each other
max_inputs    the inputs of a Max
reductions    a source, axes and keepdims of a ReduceMax

Types are named as NumPy names them: those of TYPES. Examples shrink to few, small, positive, row-major elements. Needs hypothesis and
NumPy.
"""

from __future__ import annotations

from typing import Any, List, Optional, Tuple, Union

import hypothesis.extra.numpy as hnp
import numpy as np
from hypothesis import strategies as st

__all__ = ["TYPES", "arrays", "bits", "elements", "max_inputs", "reductions", "shapes"]

FLOATS = ("float16", "float32", "float64")
#: The types of Max that NumPy has.
TYPES = FLOATS + tuple(f"{sign}int{width}" for sign in ("", "u") for width in (8, 16, 32, 64))
Types = Union[None, str, st.SearchStrategy]


def bits(dtype: str) -> st.SearchStrategy:
    """An element's bits, as a whole number.

    Half of them are special: of floats, NaNs that are quiet, signalling, canonical and negative, infinities, zeros, the
    least and the greatest subnormals, the least normal and the greatest finite numbers, 1 and its neighbours, of both signs;
    of integers, the extremes and their neighbours, 0 and 1; of "bool", all.
    """
    kind, width = np.dtype(dtype).kind, np.dtype(dtype).itemsize * 8
    if kind == "b":
        return st.integers(0, 1)
    top = 1 << (width - 1)
    special = [0, 1, top - 1, top, top + 1, 2 * top - 1]
    if kind == "f":
        fraction = np.finfo(dtype).nmant
        normal, infinity = 1 << fraction, top - (1 << fraction)
        quiet, one = infinity | normal >> 1, infinity >> 1 & ~(normal - 1)
        magnitudes = [0, one, one + 1, one - 1, 1, normal - 1, normal, infinity - 1, infinity, quiet, quiet + 1, infinity + 1, top - 1]
        special = [sign | magnitude for magnitude in magnitudes for sign in (0, top)]
    return st.sampled_from(special) | st.integers(0, 2 * top - 1)


def elements(dtype: str) -> st.SearchStrategy:
    """An element, as a scalar of NumPy, with the bits of bits()."""
    unsigned = np.dtype(f"u{np.dtype(dtype).itemsize}")
    return bits(dtype).map(lambda number: np.array(number, unsigned).view(dtype)[()])


@st.composite
def arrays(draw: Any, dtype: str, shape: Tuple[int, ...], writable: bool = False) -> np.ndarray:
    """An array with the elements of elements(), whose strides have any order, size and sign.

    If not `writable`, also strides of zero: elements that repeat.
    """
    unsigned = f"u{np.dtype(dtype).itemsize}"
    rank = len(shape)
    order = draw(st.permutations(range(rank)))
    steps = [draw(st.sampled_from([1, 1, -1, 2, -2])) for _ in shape]
    still = [not writable and draw(st.integers(0, 5)) == 5 for _ in shape]
    base_shape = tuple((1 if still[d] else shape[d]) * abs(steps[d]) for d in order)
    base = draw(hnp.arrays(unsigned, base_shape, elements=bits(dtype))).view(dtype)
    view = base.transpose(np.argsort(order)) if rank else base
    view = view[tuple(slice(None, None, step) for step in steps)] if rank else view
    return np.broadcast_to(view, shape) if any(still) else view


def shapes(count: int, max_dims: int = 4, max_side: int = 5) -> st.SearchStrategy:
    """A list of `count` shapes that broadcast to each other, with extents of 0 and scalars among them."""
    drawn = hnp.mutually_broadcastable_shapes(num_shapes=count, min_dims=0, max_dims=max_dims, min_side=0, max_side=max_side)
    return drawn.map(lambda result: list(result.input_shapes))


def _type_of(draw: Any, types: Types, otherwise: Tuple[str, ...]) -> str:
    return types if isinstance(types, str) else draw(st.sampled_from(otherwise) if types is None else types)


@st.composite
def max_inputs(draw: Any, types: Types = None, min_count: int = 1, max_count: int = 4, max_dims: int = 4, max_side: int = 5) -> List[np.ndarray]:
    """The inputs of a Max: `min_count` to `max_count` arrays of one type, whose shapes broadcast to each other.

    `types` is a type, a strategy of types, or None for all of TYPES.
    """
    dtype = _type_of(draw, types, TYPES)
    drawn = draw(shapes(draw(st.integers(min_count, max_count)), max_dims, max_side))
    return [draw(arrays(dtype, shape)) for shape in drawn]


@st.composite
def reductions(draw: Any, types: Types = None, max_dims: int = 4, max_side: int = 5) -> Tuple[np.ndarray, Optional[Tuple[int, ...]], bool]:
    """A ReduceMax: the source, the axes and keepdims.

    The axes are None, for all, or any different ones in any order, negative ones among them; also none, (). `types` is as
    in max_inputs, and may be or draw "bool", which is among all of them.
    """
    dtype = _type_of(draw, types, TYPES + ("bool",))
    source = draw(arrays(dtype, draw(hnp.array_shapes(min_dims=0, max_dims=max_dims, min_side=0, max_side=max_side))))
    axes = None
    if draw(st.booleans()):
        chosen = draw(st.lists(st.integers(0, source.ndim - 1), unique=True)) if source.ndim else []
        axes = tuple(axis - source.ndim if draw(st.booleans()) else axis for axis in chosen)
    return source, axes, draw(st.booleans())
