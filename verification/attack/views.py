#!/usr/bin/env python3
"""Attack on the operators: random views of one buffer, through the C interface, compared with an oracle that shares no code with it.

    verification/attack/views.py LIBRARY COMMAND [--count N | --minutes M] [--seed S] [--from I]

Each call is Max of one to four views, or ReduceMax of one, of any type: strides of any sign, zero, overlapping and out of order,
addresses without alignment, extents of 0 and 1, broadcasting, all in one buffer, so that inputs and output overlap at random. The
oracle lists the address of every element with NumPy and compares integers: whether the output overlaps (MEM-1, MEM-2), the maximum
(ORD-1 to ORD-4, RED-6), the shape (BRO, RED-3). The call must be refused exactly where it must, write every byte of the output and
no other byte of the buffer, and do the same by every target that this machine runs, with one thread and with two.

Prints counts; exit status 1 with the number of the call at the first difference. `--from I --count 1` repeats the call I.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass

import numpy as np

OVERLAP = 70  # SUPREMUM_ERROR_OVERLAP
BUFFER_BYTES = 6000
MOST_ELEMENTS = 600


@dataclass(frozen=True)
class Type:
    """A type: DLPack's code, bytes of an element; of a float also bits of its exponent."""

    name: str
    code: int
    width: int
    exponent: int = 0


TYPES = [Type("float16", 2, 2, 5), Type("bfloat16", 4, 2, 8), Type("float32", 2, 4, 8), Type("float64", 2, 8, 11),
         *(Type(f"int{8 * w}", 0, w) for w in (1, 2, 4, 8)), *(Type(f"uint{8 * w}", 1, w) for w in (1, 2, 4, 8))]
BOOL = Type("bool", 6, 1)


class DLTensor(ctypes.Structure):
    """dlpack.h's structure of a tensor; its device and type are written out."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("opset", ctypes.c_int64), ("threads", ctypes.c_uint32), ("flags", ctypes.c_uint32)]


@dataclass
class View:
    """Elements of the buffer: `start` is the byte of the first one, strides count elements."""

    type: Type
    shape: list[int]
    strides: list[int]
    start: int

    def addresses(self) -> np.ndarray:
        """The byte at which each element begins, in the shape of the view."""
        found = np.array(self.start, dtype=np.int64)
        for extent, stride in zip(self.shape, self.strides):
            found = found[..., None] + np.arange(extent, dtype=np.int64) * (stride * self.type.width)
        return found.reshape(self.shape)

    def tensor(self, buffer: int) -> DLTensor:
        extents = (ctypes.c_int64 * max(len(self.shape), 1))(*self.shape)
        strides = (ctypes.c_int64 * max(len(self.shape), 1))(*self.strides)
        return DLTensor(buffer, 1, 0, len(self.shape), self.type.code, 8 * self.type.width, 1, extents, strides, self.start)


# ---- The oracle ----

def bits_at(memory: np.ndarray, addresses: np.ndarray, width: int) -> np.ndarray:
    """The elements at these addresses as unsigned integers; little-endian and big-endian machines alike."""
    order = range(width) if sys.byteorder == "little" else reversed(range(width))
    bits = np.zeros(addresses.shape, dtype=np.uint64)
    for place, byte in enumerate(order):
        bits |= memory[addresses + byte].astype(np.uint64) << np.uint64(8 * place)
    return bits


def put_bits(memory: np.ndarray, addresses: np.ndarray, bits: np.ndarray, width: int) -> None:
    order = range(width) if sys.byteorder == "little" else reversed(range(width))
    for place, byte in enumerate(order):
        memory[addresses + byte] = (bits >> np.uint64(8 * place)).astype(np.uint8)


def canonical_nan(type_: Type) -> int:
    fraction = 8 * type_.width - 1 - type_.exponent
    return ((1 << type_.exponent) - 1) << fraction | 1 << (fraction - 1)


def keys(type_: Type, bits: np.ndarray) -> np.ndarray:
    """Unsigned integers in the order of the elements: NaN above all, -0 below +0."""
    bits = bits.copy()
    width = 8 * type_.width
    sign = np.uint64(1 << (width - 1))
    every = np.uint64((1 << width) - 1)
    if type_.exponent:
        infinity = np.uint64(((1 << type_.exponent) - 1) << (width - 1 - type_.exponent))
        nan = (bits & ~sign & every) > infinity
        bits = np.where(bits & sign != 0, ~bits & every, bits | sign)
        return np.where(nan, every, bits)
    return bits ^ sign if type_.code == 0 else bits


def bits_of_keys(type_: Type, found: np.ndarray) -> np.ndarray:
    width = 8 * type_.width
    sign = np.uint64(1 << (width - 1))
    every = np.uint64((1 << width) - 1)
    if type_.exponent:
        bits = np.where(found & sign != 0, found ^ sign, ~found & every)
        return np.where(found == every, np.uint64(canonical_nan(type_)), bits)
    return found ^ sign if type_.code == 0 else found


def least_key(type_: Type) -> int:
    """The key of Bottom: -inf of a float, the least integer, false."""
    if not type_.exponent:
        return 0
    width = 8 * type_.width
    infinity = ((1 << type_.exponent) - 1) << (width - 1 - type_.exponent)
    return (1 << (width - 1)) - 1 - infinity


def broadcast(addresses: np.ndarray, shape: list[int]) -> np.ndarray:
    """Each element of the common shape from a dimension at a time: extents of 1 are repeated."""
    addresses = addresses.reshape([1] * (len(shape) - addresses.ndim) + list(addresses.shape))
    for axis, extent in enumerate(shape):
        if addresses.shape[axis] == 1 and extent != 1:
            addresses = np.take(addresses, np.zeros(extent, dtype=np.int64), axis=axis)
    return addresses


def must_be_refused(inputs: list[View], output: View) -> bool:
    """MEM-1 and MEM-2, byte by byte."""
    taken = Counter((output.addresses().reshape(-1, 1) + np.arange(output.type.width)).ravel().tolist())
    if any(count > 1 for count in taken.values()):
        return True
    for one in inputs:
        # The stride of a dimension with one element leads nowhere.
        if one.shape == output.shape and np.array_equal(one.addresses(), output.addresses()):
            continue
        if not taken.keys().isdisjoint((one.addresses().reshape(-1, 1) + np.arange(one.type.width)).ravel().tolist()):
            return True
    return False


# ---- Random calls ----

@dataclass
class CallData:
    inputs: list[View]
    output: View
    axes: list[int] | None
    keepdims: bool
    reduces: bool


def random_shape(rng: random.Random, most: int) -> list[int]:
    shape: list[int] = []
    for _ in range(rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 5])):
        extent = rng.choice([0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 64, 100]) if rng.random() < 0.9 else rng.randrange(200)
        if extent == 0 and rng.random() < 0.7:
            extent = 2
        shape.append(min(extent, max(1, most // max(1, int(np.prod([e or 1 for e in shape]))))))
    return shape


def random_view(rng: random.Random, type_: Type, shape: list[int], kind: str) -> View | None:
    """`kind`: dense, apart (no two elements alias), any (any strides); None where the buffer is too small."""
    order = list(range(len(shape)))
    strides = [0] * len(shape)
    step = 1
    if kind != "dense":
        rng.shuffle(order)
    for d in reversed(order):
        strides[d] = step
        if kind == "any":
            strides[d] = rng.choice([0, 0, step, step, -step, step + rng.randrange(4), rng.randrange(-9, 10)])
        elif kind == "apart":
            step += rng.choice([0, 0, 0, 1, 3])
            strides[d] = step * rng.choice([1, 1, -1])
        step *= max(shape[d], 1)
    first = sum(min(0, s * (e - 1)) for s, e in zip(strides, shape) if e > 0) * type_.width
    last = sum(max(0, s * (e - 1)) for s, e in zip(strides, shape) if e > 0) * type_.width + type_.width
    if last - first > BUFFER_BYTES - 32:
        return None
    start = 16 - first + rng.randrange(BUFFER_BYTES - 32 - (last - first) + 1)
    if rng.random() < 0.5:
        start -= (start - 16) % type_.width
        if start + first < 16:
            start += type_.width
    return View(type_, shape, strides, start)


def random_call(rng: random.Random) -> CallData | None:
    reduces = rng.random() < 0.4
    type_ = rng.choice([*TYPES, BOOL] if reduces else TYPES)
    shape = random_shape(rng, MOST_ELEMENTS)
    axes, keepdims = None, rng.random() < 0.5
    kinds = ["dense", "apart", "apart", "any", "any"]
    if reduces:
        if rng.random() < 0.8:
            axes = rng.sample(range(len(shape)), rng.randrange(len(shape) + 1))
        chosen = set(range(len(shape)) if axes is None else axes)
        common = [1 if d in chosen else e for d, e in enumerate(shape) if keepdims or d not in chosen]
        if axes is not None:
            axes = [a - len(shape) if rng.random() < 0.3 else a for a in axes]
        views = [random_view(rng, type_, shape, rng.choice(kinds))]
    else:
        common = shape
        views = []
        for _ in range(rng.choice([1, 2, 2, 2, 3, 4])):
            mine = [1 if rng.random() < 0.2 else e for e in common]
            views.append(random_view(rng, type_, mine[rng.randrange(len(mine) + 1) if rng.random() < 0.2 else 0:], rng.choice(kinds)))
        if any(v is None for v in views):
            return None
        extents = [broadcast_extent([v.shape for v in views if v], d, len(common)) for d in range(len(common))]
        rank = max(len(v.shape) for v in views if v)
        common = extents[len(common) - rank:]
    if any(v is None for v in views):
        return None
    inputs = [v for v in views if v]
    output = random_view(rng, type_, common, rng.choice(["dense", "apart", "apart", "any"]))
    if output is None:
        return None
    if rng.random() < 0.1 and inputs[0].shape == common:
        output = View(type_, list(common), list(inputs[0].strides), inputs[0].start)  # in place
    elif rng.random() < 0.3:
        near = inputs[0].start + rng.randrange(-40, 41)
        moved = View(type_, output.shape, output.strides, near)
        where = moved.addresses()
        if where.size == 0 or (where.min() >= 16 and where.max() + type_.width <= BUFFER_BYTES - 16):
            output = moved if 0 <= near < BUFFER_BYTES else output
    return CallData(inputs, output, axes, keepdims, reduces)


def broadcast_extent(shapes: list[list[int]], d: int, rank: int) -> int:
    extents = [shape[d - (rank - len(shape))] for shape in shapes if d >= rank - len(shape)]
    others = [extent for extent in extents if extent != 1]
    return others[0] if others else 1


def fill(rng: random.Random, call: CallData, memory: np.ndarray) -> None:
    """Random bytes; then values where the order has its corners, at addresses of the inputs' elements."""
    memory[:] = np.frombuffer(rng.randbytes(BUFFER_BYTES), dtype=np.uint8)
    type_ = call.output.type
    if type_ is BOOL:
        memory &= 1
        return
    width = 8 * type_.width
    corners = [0, 1, 1 << (width - 1), (1 << (width - 1)) - 1, (1 << width) - 1, (1 << (width - 1)) + 1]
    if type_.exponent:
        fraction = width - 1 - type_.exponent
        infinity = ((1 << type_.exponent) - 1) << fraction
        corners += [infinity, infinity | 1 << (width - 1), infinity + 1, infinity | 1 << (fraction - 1), (1 << fraction) - 1, 1 << fraction]
    for one in call.inputs:
        if rng.random() < 0.3:
            continue
        where = one.addresses().ravel()
        share = rng.choice([0.05, 0.3, 1.0])
        for address in where:
            if rng.random() < share:
                put_bits(memory, np.array([address]), np.array([rng.choice(corners)], dtype=np.uint64), type_.width)


def expected_memory(call: CallData, memory: np.ndarray) -> np.ndarray:
    type_ = call.output.type
    result = None
    if call.reduces:
        source = keys(type_, bits_at(memory, call.inputs[0].addresses(), type_.width))
        rank = len(call.inputs[0].shape)
        axes = range(rank) if call.axes is None else [a % rank for a in call.axes]
        moved = np.moveaxis(source, list(axes), range(len(list(axes))))
        kept = moved.shape[len(list(axes)):]
        result = np.full(kept, least_key(type_), dtype=np.uint64)
        for line in moved.reshape((int(np.prod(moved.shape[:len(list(axes))], dtype=np.int64)), *kept)):
            result = np.where(line > result, line, result)
    else:
        for one in call.inputs:
            found = keys(type_, bits_at(memory, broadcast(one.addresses(), call.output.shape), type_.width))
            result = found if result is None else np.where(found > result, found, result)
    after = memory.copy()
    put_bits(after, call.output.addresses().ravel(), bits_of_keys(type_, result.ravel()), type_.width)
    return after


# ---- The library ----

class Library:
    def __init__(self, path: str) -> None:
        self.lib = ctypes.CDLL(path)
        self.lib.supremum_last_error.restype = ctypes.c_char_p
        pointer = ctypes.POINTER(DLTensor)
        self.lib.supremum_max.argtypes = [ctypes.POINTER(pointer), ctypes.c_size_t, pointer, ctypes.POINTER(Options)]
        self.lib.supremum_reduce_max.argtypes = [pointer, ctypes.POINTER(ctypes.c_int64), ctypes.c_size_t, ctypes.c_int, pointer,
                                                 ctypes.POINTER(Options)]

    def use(self, target: str) -> None:
        if self.lib.supremum_use_target(target.encode()) != 0:
            sys.exit(f"the library has no target {target}")

    def run(self, call: CallData, buffer: int, threads: int) -> int:
        options = Options(ctypes.sizeof(Options), 0, threads, 0)
        tensors = [one.tensor(buffer) for one in call.inputs]
        output = call.output.tensor(buffer)
        if call.reduces:
            axes, count = None, ctypes.c_size_t(-1).value
            if call.axes is not None:
                axes, count = (ctypes.c_int64 * max(len(call.axes), 1))(*call.axes), len(call.axes)
            return self.lib.supremum_reduce_max(tensors[0], axes, count, int(call.keepdims), output, options)
        pointers = (ctypes.POINTER(DLTensor) * len(tensors))(*map(ctypes.pointer, tensors))
        return self.lib.supremum_max(pointers, len(tensors), output, options)

    def error(self) -> str:
        return self.lib.supremum_last_error().decode(errors="replace")


def attack(library: Library, targets: list[str], index: int, seed: int, counts: Counter[str]) -> str | None:
    """The call `index`; what is wrong, or nothing."""
    rng = random.Random(f"{seed}/{index}")
    call = None
    while call is None:
        call = random_call(rng)
    before = np.zeros(BUFFER_BYTES, dtype=np.uint8)
    fill(rng, call, before)
    refused = must_be_refused(call.inputs, call.output)
    expected = before if refused else expected_memory(call, before)
    counts["refused" if refused else "computed"] += 1
    counts["ReduceMax" if call.reduces else "Max"] += 1
    memory = np.zeros(BUFFER_BYTES, dtype=np.uint8)
    for target in targets:
        library.use(target)
        for threads in (1, 2):
            memory[:] = before
            status = library.run(call, memory.ctypes.data, threads)
            counts["calls"] += 1
            where = f"{target}, {threads} threads: {call}"
            if status != (OVERLAP if refused else 0):
                return f"status {status} ({library.error() if status else ''}), expected {OVERLAP if refused else 0}, by {where}"
            if not np.array_equal(memory, expected):
                at = np.flatnonzero(memory != expected)
                return f"{len(at)} other bytes than expected, the first at {at[0]}, by {where}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library", help="the shared library of the C interface")
    parser.add_argument("command", help="the command, which lists the targets that this machine runs")
    parser.add_argument("--count", type=int, default=2000, help="how many pairs of views (default 2000)")
    parser.add_argument("--minutes", type=float, default=0, help="go on for so long instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the number of the first call")
    args = parser.parse_args()
    listed = json.loads(subprocess.run([args.command, "targets", "--json", "-"], capture_output=True, check=True).stdout)
    targets = [one["name"] for one in listed["targets"] if one["runs_here"]]
    library = Library(args.library)
    counts: Counter[str] = Counter()
    end = time.monotonic() + 60 * args.minutes
    index = args.first
    while time.monotonic() < end if args.minutes else index < args.first + args.count:
        wrong = attack(library, targets, index, args.seed, counts)
        if wrong:
            print(f"views: call {index} of seed {args.seed}: {wrong}")
            print(f"views: repeat it by --seed {args.seed} --from {index} --count 1")
            return 1
        index += 1
    print(f"views: {index - args.first} sets of views ({counts['Max']} Max, {counts['ReduceMax']} ReduceMax; {counts['computed']} computed, "
          f"{counts['refused']} refused for overlap), {counts['calls']} calls over {len(targets)} targets ({', '.join(targets)}), no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
