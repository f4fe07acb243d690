"""What the tests of the Python module share: a skip where something is missing, the oracle, arrays laid out in every way."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import threading
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple, Union

try:
    import hypothesis
    import hypothesis.extra.numpy as hnp
    import numpy as np
    from hypothesis import strategies as st

    import supremum
    from supremum import strategies
    from supremum.strategies import FLOATS, arrays
    from supremum.strategies import TYPES as NUMBERS
    from supremum.strategies import bits as elements
except ImportError as missing:
    print(f"skipped: {missing}; scripts/setup.sh installs what the Python module and its tests need, and CMake then builds it")
    sys.exit(77)  # skipped, as CTest has it

hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=300, database=None)
hypothesis.settings.load_profile("repeatable")

# Set where a file runs its tests of PyTorch once more, without the module supremum._torch: an import of it then fails.
THROUGH_ATTRIBUTES = "SUPREMUM_TEST_TORCH_ATTRIBUTES" in os.environ
if THROUGH_ATTRIBUTES:
    sys.modules["supremum._torch"] = None  # type: ignore[assignment]

CANONICAL_NAN = {"float16": 0x7E00, "float32": 0x7FC00000, "float64": 0x7FF8000000000000}  # ORD-4
Axis = Union[None, int, Tuple[int, ...]]


@contextlib.contextmanager
def waiting_thread(act: Callable[[], Any] = lambda: True) -> Iterator[Tuple[threading.Event, List[Any]]]:
    """Another thread, which waits for the event and then adds what `act` returns to the list, as soon as a call releases the interpreter's lock."""
    admitted, ran = threading.Event(), []  # type: threading.Event, List[Any]

    def wait_and_run() -> None:
        admitted.wait()
        ran.append(act())

    other = threading.Thread(target=wait_and_run)
    other.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(100)  # seconds
    try:
        yield admitted, ran
    finally:
        sys.setswitchinterval(before)
        admitted.set()
        other.join()


def run_through_attributes(*words: str) -> None:
    """Runs the tests of this program once more, without supremum._torch; raises AssertionError if one fails."""
    if not THROUGH_ATTRIBUTES:
        environment = {**os.environ, "SUPREMUM_TEST_TORCH_ATTRIBUTES": "1"}
        again = subprocess.run([sys.executable, sys.argv[0], "-v", *words], env=environment, capture_output=True, text=True, check=False)
        assert again.returncode == 0 and re.search(r"Ran [1-9]\d+ tests", again.stderr), again.stderr


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
    return draw(strategies.shapes(count))


THREADS = (1, 2, 3, 8)  # the numbers of threads with which each function is tested

# Shape and axes of reductions in which threads share a tile, by each kind of schedule.
REDUCTIONS = (
    ((65536, 2, 2), (0, 2)),
    ((16384, 16, 3), (0, 2)),
    ((100000, 3, 4), (0, 2)),
    ((300000, 2, 2), (0, 2)),
    ((224, 224, 3, 16), (0, 1, 3)),
    ((8, 4096, 16, 2), (0, 1, 3)),
    ((2, 65536, 4, 3), (1, 3)),
    ((32, 128, 9, 4), (0, 1, 3)),
    ((400007,), (0,)),
    ((3, 140000), (1,)),
    ((140000, 3), (0,)),
    ((2, 70000, 3), (1,)),
)
MAXIMA = (((300007,), (300007,)), ((601, 500), (500,)), ((601, 500), (601, 1)), ((500, 601), ()))


def shared_reduction(shape: Tuple[int, ...], axes: Tuple[int, ...], turn: int = 7) -> Tuple[np.ndarray, np.ndarray]:
    """A source of some MiB and its maximum along `axes`. Output j has its maximum, another for each j, in part (j + turn) % 8 of the
    elements that are reduced to it: a thread's share that is left out leaves out the maximum of an output."""
    kept = tuple(d for d in range(len(shape)) if d not in axes)
    a = (np.arange(np.prod(shape)) * 40503 % 2**23 - 9e6).astype("f4")  # different, and exact
    outputs = int(np.prod([shape[d] for d in kept]))
    rows = a.reshape([shape[d] for d in (*kept, *axes)]).reshape(outputs, -1)
    for j in range(outputs):
        rows[j, ((j + turn) % 8 * 2 + 1) * rows.shape[1] // 16] = j + 1
    order = [(*kept, *axes).index(d) for d in range(len(shape))]
    source = np.ascontiguousarray(rows.reshape([shape[d] for d in (*kept, *axes)]).transpose(order))
    return source, np.max(source, axis=axes)


def shared_operands(operand_shapes: Sequence[Tuple[int, ...]]) -> Tuple[List[np.ndarray], np.ndarray]:
    """Operands of Max of some MiB with different elements, and their maximum."""
    found = [
        ((np.arange(np.prod(shape, dtype=int)) + 77 * m) * 40503 % 2**23).astype("f4").reshape(shape)
        for m, shape in enumerate(operand_shapes)
    ]
    return found, np.maximum(*found)


def in_any_order(rng, shape):
    """Random numbers of a shape, or of one that is broadcast to it, whose dimensions lie in memory in any order, with gaps, turned round."""
    shape = [1 if rng.random() < 0.2 else extent for extent in shape[rng.integers(0, len(shape) + 1) if rng.random() < 0.3 else 0 :]]
    order, steps = rng.permutation(len(shape)), rng.choice([1, 1, 1, 2, -1, -2], len(shape))
    base = rng.standard_normal([shape[d] * abs(steps[d]) for d in order])
    return base.transpose(np.argsort(order))[tuple(slice(None, None, int(step)) for step in steps)]


def distances(array):
    """The strides of the dimensions in which there is another element."""
    return [stride for stride, extent in zip(array.strides, array.shape) if extent > 1]
