"""Cases with layouts: strides of any sign, transposed and broadcast operands, use in place, and layouts that must be refused.

What must come out is computed here from docs/semantics.md and the contracts of src/c99/operators.h: the elements by kit/cases/oracle.py, the
statuses by rules that are written down once more, and each layout that is accepted is also checked address by address.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from math import prod

from cases import STATUS, TYPES, Case, Layout, Placed, Shape, oracle

INT64_MAX = (1 << 63) - 1
MOST_ADDRESSES = 5000  # an accepted layout of a case has fewer elements


def row_major(shape: Shape) -> Shape:
    return tuple(prod(shape[d + 1 :]) for d in range(len(shape)))


def strides_of(shape: Shape, placed: Placed) -> Shape:
    return row_major(shape) if placed.strides is None else placed.strides


def addresses(shape: Shape, placed: Placed) -> list[int]:
    """Where the elements lie, in row-major order."""
    strides = strides_of(shape, placed)
    if 0 in shape:
        return []
    return [placed.start + sum(i * s for i, s in zip(index, strides)) for index in itertools.product(*map(range, shape))]


def effective(shape: Shape, placed: Placed) -> list[tuple[int, int]]:
    """Extent and stride of the dimensions that have more than one index."""
    return [(extent, stride) for extent, stride in zip(shape, strides_of(shape, placed)) if extent > 1]


def residues(dimensions: list[tuple[int, int]], start: int, period: int) -> tuple[int, int]:
    """The least and the greatest offset without the dimensions whose strides the period divides."""
    steps = [(extent - 1) * stride for extent, stride in dimensions if not period or stride % period]
    return start + sum(min(step, 0) for step in steps), start + sum(max(step, 0) for step in steps)


def disjoint(a: list[tuple[int, int]], a_start: int, b: list[tuple[int, int]], b_start: int) -> bool:
    """MEM-2 as the header states its sufficient condition."""
    for period in [0, *(abs(stride) for _, stride in a + b if stride)]:
        (a_low, a_high), (b_low, b_high) = residues(a, a_start, period), residues(b, b_start, period)
        low, high = a_low - b_high, a_high - b_low
        if (low > 0 or high < 0) if not period else high // period == (low - 1) // period:
            return True
    return False


def memory_status(elements: int, tensors: list[tuple[Shape, Placed]], output: tuple[Shape, Placed]) -> int:
    """The status of a call whose shapes are right; `tensors` are the inputs."""
    if 0 in output[0]:
        return 0
    used = [(shape, placed) for shape, placed in [*tensors, output] if 0 not in shape]
    for shape in [output[0], *(shape for shape, _ in used)]:
        if prod(shape) > INT64_MAX:
            return STATUS["too large"]
    for shape, placed in used:
        span = sum((extent - 1) * abs(stride) for extent, stride in effective(shape, placed))
        low, high = residues(effective(shape, placed), placed.start, 0)
        if not 0 <= placed.start < elements:
            return STATUS["outside"]
        if placed.start + span > INT64_MAX:
            return STATUS["too large"]
        if low < 0 or high >= elements:
            return STATUS["outside"]
    reach = 0
    for stride, extent in sorted((abs(stride), extent) for extent, stride in effective(*output)):
        if stride <= reach:
            return STATUS["output aliases"]
        reach += stride * (extent - 1)
    for shape, placed in used[:-1]:
        # In place: the extents above 1 and their strides, dimensions aligned at the last one, or reduced where they are 1.
        same = placed.start == output[1].start and effective(shape, placed) == effective(*output)
        if not same and not disjoint(effective(*output), output[1].start, effective(shape, placed), placed.start):
            return STATUS["overlap"]
    return 0


def check_by_address(name: str, tensors: list[tuple[Shape, Placed]], output: tuple[Shape, Placed]) -> None:
    """That an accepted layout keeps MEM-1 and MEM-2, by counting addresses."""
    written = addresses(*output)
    if len(set(written)) != len(written):
        raise AssertionError(f"{name}: the rule accepts an output that meets an address twice")
    for shape, placed in tensors:
        if len(written) and 0 not in shape and set(read := addresses(shape, placed)) & set(written) and read != written:
            raise AssertionError(f"{name}: the rule accepts an output that overlaps an input")


def patterns(dtype: str, chance: random.Random) -> int:
    """An element: a special one in half of all cases."""
    width = oracle.width(dtype)
    if dtype == "bool":
        return chance.choice((0, 0, 0, 1, 2, 255))
    if chance.random() < 0.5:
        return chance.getrandbits(width)
    if dtype in oracle.FLOATS:
        exponent, fraction = oracle.FLOATS[dtype]
        infinity = ((1 << exponent) - 1) << fraction
        sign = chance.getrandbits(1) << (width - 1)
        return sign | chance.choice((0, 0, 1, infinity, infinity, infinity - 1, 1 << fraction, infinity | chance.choice((1, 1 << (fraction - 1)))))
    return chance.choice((0, 1, 1 << (width - 1), (1 << (width - 1)) - 1, (1 << width) - 1))


def case(name: str, dtype: str, operator: str, shapes: list[Shape], layout: Layout, seed: int, **attributes: object) -> Case:
    """A case of whose layout the result or the status is computed. The arena has random elements."""
    values: list[int] = []
    if operator == "Max":
        shape = oracle.broadcast_shape(shapes)
    else:
        reduced = oracle.reduced_dimensions(len(shapes[0]), attributes.get("axes"), bool(attributes.get("noop_with_empty_axes", 0)))
        keep = attributes.get("keepdims", 1)
        shape = tuple(1 if d in reduced else extent for d, extent in enumerate(shapes[0]) if keep or d not in reduced)
    output = (layout.output_shape, layout.output)
    inputs = list(zip(shapes, layout.inputs, strict=True))
    status = memory_status(layout.elements, inputs, output) if shape == layout.output_shape else STATUS["output shape"]
    width = oracle.width(dtype) // 8
    chance = random.Random(seed)
    values = [patterns(dtype, chance) for _ in range(min(layout.elements, MOST_ADDRESSES))]

    def content(elements: list[int]) -> bytes:
        return b"".join(element.to_bytes(width, "little") for element in elements)

    if status:
        return Case(f"layout/{name}/{dtype}", dtype, operator, attributes, shapes, content(values), shape, None, status, layout)
    check_by_address(name, inputs, output)
    # If the output has no elements, no element of an input is read, so the input may have any address.
    read = [(s, [values[a] for a in addresses(s, placed)] if 0 not in shape else []) for s, placed in inputs]
    if 0 in shape:
        results = []
    elif operator == "Max":
        _, results = oracle.max_of(dtype, read)
    elif 0 in shapes[0]:
        results = prod(shape) * [oracle.least(dtype)]  # RED-6; the oracle would list indices
    else:
        _, results = oracle.reduce_max(dtype, *read[0], attributes.get("axes"), bool(keep), bool(attributes.get("noop_with_empty_axes", 0)))
    after = list(values)
    for address, result in zip(addresses(*output), results, strict=True):
        after[address] = result
    return Case(f"layout/{name}/{dtype}", dtype, operator, attributes, shapes, content(values), shape, content(after), 0, layout)


def written_cases() -> Iterator[Case]:
    """Layouts chosen by hand."""
    seeds = itertools.count(1000)

    def of_max(name: str, elements: int, inputs: list[tuple[Shape, Placed]], output: tuple[Shape, Placed], dtype: str = "float32") -> Case:
        return case(name, dtype, "Max", [s for s, _ in inputs], Layout(elements, [p for _, p in inputs], *output), next(seeds))

    def of_reduce(name: str, elements: int, source: tuple[Shape, Placed], output: tuple[Shape, Placed], **attributes: object) -> Case:
        return case(f"reduce/{name}", "int16", "ReduceMax", [source[0]], Layout(elements, [source[1]], *output), next(seeds), **attributes)

    for dtype in TYPES:
        yield of_max("transposed", 18, [((2, 3), Placed(0, (1, 2))), ((2, 3), Placed(6))], ((2, 3), Placed(12)), dtype)
        yield of_max("reversed", 9, [((3,), Placed(2, (-1,))), ((3,), Placed(3))], ((3,), Placed(8, (-1,))), dtype)
        yield of_max("stride_zero", 13, [((3, 4), Placed(0, (0, 0)))], ((3, 4), Placed(1)), dtype)
        yield of_max("in_place", 8, [((2, 4), Placed(0)), ((4,), Placed(3, (-1,)))][:1], ((2, 4), Placed(0)), dtype)
        yield of_max("in_place_strided", 9, [((2, 2), Placed(0, (6, 2))), ((1, 2), Placed(1, (0, 2)))], ((2, 2), Placed(0, (6, 2))), dtype)
    # Slices of one matrix of 4 x 6.
    yield of_max("columns", 24, [((4,), Placed(0, (6,))), ((4,), Placed(1, (6,)))], ((4,), Placed(5, (6,))))
    yield of_max("blocks", 24, [((4, 2), Placed(0, (6, 1))), ((4, 2), Placed(2, (6, 1)))], ((4, 2), Placed(4, (6, 1))))
    yield of_max("column_with_row", 24, [((4,), Placed(0, (6,)))], ((4,), Placed(7)))
    yield of_max("column_reversed", 24, [((4,), Placed(18, (-6,)))], ((4,), Placed(23, (-6,))))
    yield of_max("column_that_meets_the_row", 24, [((4,), Placed(1, (6,)))], ((4,), Placed(7)))
    yield of_max("even_and_odd", 8, [((4,), Placed(0, (2,)))], ((4,), Placed(1, (2,))))
    # An output that meets an address twice, or whose strides are not nested.
    yield of_max("output_stride_zero", 8, [((3,), Placed(0))], ((3,), Placed(4, (0,))))
    yield of_max("output_stride_zero_of_extent_1", 8, [((1, 3), Placed(0))], ((1, 3), Placed(4, (0, 1))))
    yield of_max("output_aliases", 12, [((2, 3), Placed(0))], ((2, 3), Placed(6, (2, 1))))
    yield of_max("output_not_nested", 20, [((2, 3), Placed(0))], ((2, 3), Placed(6, (3, 2))))
    # Overlap that is not exact.
    yield of_max("shifted", 5, [((4,), Placed(0))], ((4,), Placed(1)))
    yield of_max("reversed_in_place", 4, [((4,), Placed(3, (-1,)))], ((4,), Placed(0)))
    yield of_max("transposed_in_place", 9, [((3, 3), Placed(0, (1, 3)))], ((3, 3), Placed(0)))
    yield of_max("broadcast_in_place", 4, [((1,), Placed(0)), ((4,), Placed(0))], ((4,), Placed(0)))
    # Offsets.
    yield of_max("ends_with_the_arena", 8, [((4,), Placed(0))], ((4,), Placed(4)))
    yield of_max("one_past_the_arena", 7, [((4,), Placed(0))], ((4,), Placed(4)))
    yield of_max("starts_at_the_end", 4, [((), Placed(4))], ((), Placed(0)))
    yield of_max("starts_below", 4, [((), Placed(-1))], ((), Placed(0)))
    yield of_max("runs_below", 8, [((4,), Placed(2, (-1,)))], ((4,), Placed(4)))
    yield of_max("empty_anywhere", 0, [((0, 3), Placed(-5, (7, 7))), ((1, 3), Placed(1 << 62))], ((0, 3), Placed(-(1 << 63), (0, 0))))
    # Numbers near the limits.
    big = 1 << 62
    yield of_max("stride_min", INT64_MAX, [((2,), Placed(0, (-(1 << 63),)))], ((2,), Placed(0)))
    yield of_max("stride_max", INT64_MAX, [((2,), Placed(1, (INT64_MAX,)))], ((2,), Placed(2)))
    yield of_max("stride_max_from_0", INT64_MAX, [((2,), Placed(0, (INT64_MAX,)))], ((2,), Placed(2)))
    yield of_max("span_wraps", INT64_MAX, [((5,), Placed(0, (big,)))], ((5,), Placed(0)))
    yield of_max("count_wraps", INT64_MAX, [((big, 4), Placed(0, (0, 0)))], ((big, 4), Placed(0, (4, 1))))
    yield of_max("count_wraps_output_stride_zero", INT64_MAX, [((big, 4), Placed(0, (0, 0)))], ((big, 4), Placed(0, (0, 0))))
    yield of_max("count_wraps_row_major", INT64_MAX, [((1 << 32, 1 << 32), Placed(0))], ((1 << 32, 1 << 32), Placed(0)))
    yield of_max("stride_of_extent_1", 8, [((1, 4), Placed(0, (-(1 << 63), 1)))], ((1, 4), Placed(4, (INT64_MAX, 1))))
    yield of_max("arena_of_negative_length", -1, [((), Placed(0))], ((), Placed(0)))
    yield of_max("large_and_empty", 0, [((0, big, big), Placed(0))], ((0, big, big), Placed(0)))
    yield of_reduce("kept_empty_large", 0, ((big, big, 0), Placed(0)), ((0,), Placed(0)), axes=[0, 1], keepdims=0)
    yield of_reduce("reduced_empty_large", 9, ((2, 0, big), Placed(big)), ((2,), Placed(3)), axes=[1, 2], keepdims=0)
    yield of_reduce("reduced_empty_kept_too_large", 9, ((big, 4, 0), Placed(0)), ((big, 4), Placed(0)), axes=[2], keepdims=0)
    yield of_reduce("reduced_empty_kept_wraps", 9, ((big, 4, 0), Placed(0)), ((big, 4), Placed(0, (0, 0))), axes=[2], keepdims=0)
    yield of_reduce("reduced_wraps", 9, ((2, big, 4), Placed(0, (1, 0, 0))), ((2,), Placed(3)), axes=[1, 2], keepdims=0)
    yield of_reduce("reduced_empty_over_the_output", 3, ((3, 0), Placed(0)), ((3,), Placed(0)), axes=[1], keepdims=0)
    yield of_reduce("axes_none_in_place", 6, ((2, 3), Placed(0)), ((2, 3), Placed(0)), axes=[], noop_with_empty_axes=1)
    yield of_reduce("extent_1_in_place", 6, ((2, 1, 3), Placed(0)), ((2, 3), Placed(0)), axes=[1], keepdims=0)
    yield of_reduce("in_place", 6, ((2, 3), Placed(0)), ((2, 1), Placed(0)), axes=[1])
    yield of_reduce("stride_zero_in_place", 6, ((2, 3), Placed(0, (1, 0))), ((2,), Placed(0)), axes=[1], keepdims=0)
    yield of_reduce("transposed_keepdims", 20, ((2, 3, 2), Placed(11, (-1, -4, -2))), ((1, 3, 1), Placed(19, (9, -3, 9))), axes=[-1, 0])
    # E2.
    yield of_max("output_rank", 8, [((4,), Placed(0))], ((1, 4), Placed(4)))
    yield of_max("output_extent", 8, [((4,), Placed(0))], ((3,), Placed(4)))
    yield of_max("output_negative", 8, [((4,), Placed(0))], ((-4,), Placed(4)))
    yield of_reduce("output_without_keepdims", 8, ((2, 3), Placed(0)), ((2,), Placed(6)), axes=[1], keepdims=1)
    yield of_reduce("output_with_keepdims", 8, ((2, 3), Placed(0)), ((2, 1), Placed(6)), axes=[1], keepdims=0)
    yield of_reduce("output_of_other_extents", 8, ((2, 3), Placed(0)), ((3,), Placed(4)), axes=[1], keepdims=0)
    yield of_reduce("output_of_wrong_keepdims", 8, ((2, 3), Placed(0)), ((2, 2), Placed(4)), axes=[1], keepdims=1)
    for number in (13, 0x7FFFFFFF):
        known = of_max("unknown_type", 4, [((2,), Placed(0))], ((2,), Placed(2)), "uint8")
        yield Case(f"{known.id}/{number}", "uint8", "Max", {}, known.shapes, known.sent, known.shape, None, STATUS["unknown type"], known.layout, number)


def random_cases(count: int) -> Iterator[Case]:
    """Layouts by chance, always the same ones: few of them are packed, many are refused."""
    for seed in range(count):
        chance = random.Random(seed)
        dtype = chance.choice(TYPES)
        rank = chance.choice((0, 1, 1, 2, 2, 3, 4))
        common = tuple(chance.choice((0, 1, 2, 2, 3, 3, 4)) if chance.random() < 0.2 else chance.choice((1, 2, 3, 4)) for _ in range(rank))
        elements = chance.choice((8, 30, 120, 400))

        def placed(shape: Shape) -> Placed:
            start = chance.randrange(max(1, elements // 2))
            kind = chance.random()
            if kind < 0.3:
                return Placed(start)
            if kind < 0.7:  # dimensions permuted, some reversed, with gaps
                order, stride, strides = list(range(len(shape))), chance.choice((1, 1, 2, 3)), [0] * len(shape)
                chance.shuffle(order)
                for d in order:
                    strides[d] = stride
                    if chance.random() < 0.4:
                        strides[d], start = -stride, start + stride * (max(shape[d], 1) - 1)
                    stride = max(1, stride * max(shape[d], 1) + chance.choice((0, 0, 1)))
                return Placed(start, tuple(strides))
            return Placed(start, tuple(chance.choice((-5, -3, -2, -1, 0, 0, 1, 2, 3, 4, 12)) for _ in shape))

        name = f"random/{seed}"
        if chance.random() < 0.5:
            shapes = []
            for m in range(chance.choice((1, 2, 2, 3))):
                shape = tuple(1 if m and chance.random() < 0.3 else extent for extent in common)
                shapes.append(shape[chance.randrange(rank + 1) if m and chance.random() < 0.3 else 0 :])
            inputs = [placed(shape) for shape in shapes]
            output = inputs[0] if chance.random() < 0.1 else placed(common)
            if chance.random() < 0.5:  # behind all inputs
                output = Placed(output.start + elements, output.strides)
            yield case(name, dtype, "Max", shapes, Layout(2 * elements, inputs, common, output), seed)
        else:
            axes = [d - rank if chance.random() < 0.5 else d for d in range(rank) if chance.random() < 0.5]
            keepdims, noop = chance.getrandbits(1), chance.getrandbits(1)
            reduced = oracle.reduced_dimensions(rank, axes, bool(noop))
            shape = tuple(1 if d in reduced else extent for d, extent in enumerate(common) if keepdims or d not in reduced)
            output = placed(shape)
            if chance.random() < 0.6:
                output = Placed(output.start + elements, output.strides)
            layout = Layout(2 * elements, [placed(common)], shape, output)
            yield case(name, dtype, "ReduceMax", [common], layout, seed, axes=axes, keepdims=keepdims, noop_with_empty_axes=noop)


def hostile_cases(count: int) -> Iterator[Case]:
    """Numbers near the limits of int64_t. The type is unknown, so that nothing is computed: UNKNOWN_TYPE says that all checks passed."""
    large = [1 << 31, 1 << 32, (1 << 61) + 1, 1 << 62, INT64_MAX - 1, INT64_MAX]
    for seed in range(count):
        chance = random.Random(-1 - seed)
        share = chance.choice((0.05, 0.2, 0.5))  # of large numbers

        def number(small: tuple[int, ...], *, signed: bool) -> int:
            if chance.random() >= share:
                return chance.choice(small)
            return chance.choice([n * sign for n in large for sign in (1, -1)] + [-1 - INT64_MAX]) if signed else chance.choice(large)

        def placed(shape: Shape) -> Placed:
            start = number((0, 1, 2, 7, 40, 300, -1), signed=True)
            return Placed(start, None if chance.random() < 0.3 else tuple(number((0, 1, 2, 4, 8, -1, -3), signed=True) for _ in shape))

        rank = chance.choice((0, 1, 2, 2, 3, 4))
        common = tuple(number((1, 2, 2, 3, 4, 0), signed=False) for _ in range(rank))
        elements = number((1, 10, 500, 500, 500), signed=False) if chance.random() < 0.7 else INT64_MAX
        inputs = [placed(common)]
        if chance.random() < 0.5:
            shapes, operator, shape, attributes = [common], "Max", common, {}
            if chance.random() < 0.5:
                shapes.append(tuple(1 if chance.random() < 0.3 else extent for extent in common))
                inputs.append(placed(shapes[1]))
        else:
            axes, keepdims = [d for d in range(rank) if chance.random() < 0.5], chance.getrandbits(1)
            shapes, operator, attributes = [common], "ReduceMax", {"axes": axes, "keepdims": keepdims, "noop_with_empty_axes": 1}
            shape = tuple(1 if d in axes else extent for d, extent in enumerate(common) if keepdims or d not in axes)
        output = placed(shape)
        status = memory_status(elements, list(zip(shapes, inputs)), (shape, output)) or STATUS["unknown type"]
        layout = Layout(elements, inputs, shape, output)
        yield Case(f"layout/hostile/{seed}", "uint8", operator, attributes, shapes, bytes(8), shape, None, status, layout, 13)


def layout_cases() -> list[Case]:
    return [*written_cases(), *random_cases(1500), *hostile_cases(3000)]
