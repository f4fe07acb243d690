"""Cases of memory: strides of either sign and of zero, gaps, in-place, and overlap that must be refused (MEM-1, MEM-2)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from math import prod
from typing import Any

import oracle
from case_file import Group
from oracle import FLOATS, NUMBERS, TYPES, Shape
from values import ladder, nans, ordinary, shape_name, text

Strides = tuple[int, ...]
PAD = 3  # elements of a buffer before and behind those of a tensor
SOME = ("float16", "float32", "int8", "uint64")  # one of each width


def places(shape: Shape, offset: int, strides: Strides) -> list[int]:
    """Where in its buffer a tensor has each element, in row-major order."""
    found = [offset]
    for extent, stride in zip(shape, strides):
        found = [place + coordinate * stride for place in found for coordinate in range(extent)]
    return found


@dataclass(frozen=True)
class View:
    """A tensor in a buffer; offset and strides count elements."""

    buffer: int
    shape: Shape
    strides: Strides
    offset: int
    bytes: int = 0  # more than the offset: less than an element

    def json(self) -> dict[str, Any]:
        """As a case file has it."""
        found: dict[str, Any] = {"buffer": self.buffer, "offset": self.offset, "strides": self.strides}
        return {**found, "bytes": self.bytes} if self.bytes else found

    def places(self) -> list[int]:
        """Where in the buffer each element is, in row-major order."""
        return places(self.shape, self.offset, self.strides)


def dense(shape: Shape) -> Strides:
    """Row-major, without gaps."""
    return tuple(prod(shape[d + 1 :]) for d in range(len(shape)))


def placed(shape: Shape, strides: Strides, buffer: int) -> tuple[View, int]:
    """A tensor that has `PAD` elements on either side in its buffer, and the elements of the buffer."""
    reach = [(extent - 1) * stride for extent, stride in zip(shape, strides)] if prod(shape) else []
    first = PAD - sum(r for r in reach if r < 0)
    return View(buffer, shape, strides, first), PAD + sum(map(abs, reach)) + 1 + PAD


def layouts(shape: Shape) -> dict[str, Strides]:
    """Layouts of a tensor that has each address at most once: those that an output may have."""
    row_major = dense(shape)
    found = {
        "dense": row_major,
        "reversed": tuple(-s for s in row_major),
        "stepped": tuple(2 * s for s in row_major),
        "reversed_stepped": tuple(-3 * s for s in row_major),
    }
    if len(shape) > 1:
        found["reversed_first"] = (-row_major[0], *row_major[1:])
        found["reversed_last"] = (*row_major[:-1], -1)
        found["padded_rows"] = (*(dense((*shape[:-1], shape[-1] + 3))[:-1]), 1)
        found["transposed"] = tuple(reversed(dense(tuple(reversed(shape)))))
    return found


def source_layouts(shape: Shape) -> dict[str, Strides]:
    """And those of an input alone: several indices have one address."""
    row_major = dense(shape)
    found = {**layouts(shape), "zero": (0,) * len(shape)}
    if len(shape) > 1:
        found["zero_first"] = (0, *row_major[1:])
        found["zero_last"] = (*dense(shape[:-1]), 0)
        found["window"] = (1,) * len(shape)
    return found


def elements(dtype: str, count: int, seed: str) -> list[int]:
    """Ordinary values; of floats, every seventh one is special."""
    found = ordinary(dtype, count, seed)
    if dtype in FLOATS:
        steps = ladder(dtype)
        special = [nans(dtype)["signalling"], steps["minus_zero"], steps["zero"], steps["minus_infinity"], steps["least_subnormal"]]
        for place in range(len(seed) % 7, count, 7):
            found[place] = special[place // 7 % len(special)]
    return found


def add(
    group: Group,
    name: str,
    operator: str,
    inputs: list[View],
    output: View,
    sizes: list[int],
    types: tuple[str, ...],
    attributes: dict[str, Any] | None = None,
    error: str = "",
) -> None:
    """A case in buffers of some elements; `error` is the rule that the call violates. The expected buffer is the oracle's output in
    its places, and otherwise what it was."""
    bits: dict[str, Any] = {}
    for dtype in types:
        buffers = [elements(dtype, size, f"{name}{number}") for number, size in enumerate(sizes)]
        bits[dtype] = {"buffers": [text(dtype, buffer) for buffer in buffers]}
        if error:
            continue
        operands = [(view.shape, [buffers[view.buffer][place] for place in view.places()]) for view in inputs]
        if operator == "Max":
            shape, result = oracle.max_of(dtype, operands)
        else:
            given = attributes or {}
            noop = given.get("noop_with_empty_axes") == 1
            shape, result = oracle.reduce_max(dtype, *operands[0], given["axes"], given["keepdims"] == 1, noop)
        if shape != output.shape:
            raise ValueError(f"{group.name}/{name}: the output has shape {shape}")
        after = list(buffers[output.buffer])
        for place, value in zip(output.places(), result):
            after[place] = value
        bits[dtype]["output"] = text(dtype, after)
    case: dict[str, Any] = {"name": name, "operator": operator}
    if attributes is not None:
        case["attributes"] = attributes
    if error:
        case["error"] = {"code": "overlap", "rule": error}
    case["shapes"] = [view.shape for view in inputs]
    case["output_shape"] = output.shape
    case["inputs"] = [view.json() for view in inputs]
    case["output"] = output.json()
    group.add({**case, "bits": bits})


def apart(
    group: Group,
    name: str,
    operator: str,
    inputs: list[tuple[Shape, Strides]],
    output: tuple[Shape, Strides],
    types: tuple[str, ...],
    attributes: dict[str, Any] | None = None,
) -> None:
    """A case in which each tensor has its own buffer."""
    made = [placed(shape, strides, number) for number, (shape, strides) in enumerate([*inputs, output])]
    add(group, name, operator, [view for view, _ in made[:-1]], made[-1][0], [size for _, size in made], types, attributes)


def strided() -> list[Group]:
    maxima = Group(
        "memory_max_strides",
        ["MEM-1", "ORD-5"],
        "Inputs and output with strides of any sign, gaps and, of inputs, strides of zero: only the output's elements are written.",
        list_name="memory",
    )
    for shape in ((35,), (3, 5), (3, 17), (2, 3, 4)):
        types = NUMBERS if shape == (3, 5) else SOME
        for layout, strides in source_layouts(shape).items():
            other = (shape[-1:], (1,))
            name = f"{shape_name(shape)}_input_{layout}"
            apart(maxima, name, "Max", [(shape, strides), other], (shape, dense(shape)), types)
            apart(maxima, f"{name}_second", "Max", [other, (shape, strides)], (shape, dense(shape)), ("float32", "int8"))
        for layout, strides in layouts(shape).items():
            both = [(shape, dense(shape)), (shape, dense(shape))]
            apart(maxima, f"{shape_name(shape)}_output_{layout}", "Max", both, (shape, strides), types)
    shape = (3, 5)
    turn = cycle(NUMBERS)
    for layout, strides in source_layouts(shape).items():
        for other, other_strides in layouts(shape).items():
            apart(
                maxima,
                f"3by5_inputs_{layout}_and_reversed_output_{other}",
                "Max",
                [(shape, strides), (shape, (-5, -1)), ((), ())],
                (shape, other_strides),
                (next(turn),),
            )
    empty = (0, 3)
    apart(maxima, "0by3_reversed", "Max", [(empty, (-3, -1)), (empty, (3, 1))], (empty, (-3, 1)), NUMBERS)
    reductions = Group(
        "memory_reduce_strides",
        ["MEM-1", "RED-1"],
        "Source and output with strides of any sign, gaps and, of the source, strides of zero: only the output's elements are written.",
        list_name="memory",
    )
    for shape in ((35,), (5, 9), (2, 3, 4)):
        axes_of = {1: ([0],), 2: ([0], [1], [0, 1]), 3: ([1], [0, 2])}[len(shape)]
        for axes in axes_of:
            kept = tuple(extent for d, extent in enumerate(shape) if d not in axes)
            attributes = {"axes": axes, "keepdims": 0}
            name = f"{shape_name(shape)}_axes_{'_'.join(map(str, axes))}"
            types = TYPES if shape == (2, 3, 4) and axes == [1] else (*SOME, "bool")
            for layout, strides in source_layouts(shape).items():
                apart(reductions, f"{name}_source_{layout}", "ReduceMax", [(shape, strides)], (kept, dense(kept)), types, attributes)
            for layout, strides in layouts(kept).items():
                apart(reductions, f"{name}_output_{layout}", "ReduceMax", [(shape, dense(shape))], (kept, strides), types, attributes)
    return [maxima, reductions]


def in_place() -> list[Group]:
    group = Group(
        "memory_in_place",
        ["MEM-2", "MEM-1"],
        "The output is exactly one of the inputs: the same address, shape and strides.",
        list_name="memory",
    )
    for shape in ((), (1,), (35,), (3, 5), (2, 3, 4)):
        for layout, strides in layouts(shape).items() if shape else {"scalar": ()}.items():
            view, size = placed(shape, strides, 0)
            other, other_size = placed(shape, dense(shape), 1)
            scalar, scalar_size = placed((), (), 1)
            name = f"{shape_name(shape)}_{layout}"
            types = NUMBERS if shape == (3, 5) else SOME
            add(group, f"{name}_first", "Max", [view, other], view, [size, other_size], types)
            add(group, f"{name}_last", "Max", [scalar, view], view, [size, scalar_size], types)
            add(group, f"{name}_every_input", "Max", [view, view, view], view, [size], SOME)
            add(group, f"{name}_only_input", "Max", [view], view, [size], SOME)
    for shape in ((3, 1, 5), (1, 35)):
        axes = [shape.index(1)]
        for layout, strides in layouts(shape).items():
            view, size = placed(shape, strides, 0)
            name = f"{shape_name(shape)}_{layout}"
            types = TYPES if shape == (3, 1, 5) and layout in ("dense", "reversed") else SOME
            one = {"axes": axes, "keepdims": 1}
            none = {"axes": [], "keepdims": 0, "noop_with_empty_axes": 1}
            add(group, f"reduce_{name}_extent_of_1", "ReduceMax", [view], view, [size], types, one)
            add(group, f"reduce_{name}_identity", "ReduceMax", [view], view, [size], types, none)
    shared = Group(
        "memory_one_buffer",
        ["MEM-2", "MEM-1"],
        "Tensors in one buffer whose elements have no byte in common, although their ranges may overlap.",
        list_name="memory",
    )

    def view_of(shape: Shape, strides: Strides, offset: int) -> View:
        return View(0, shape, strides, offset)

    for name, inputs, output, size in (
        ("halves", [view_of((9,), (1,), 0), view_of((9,), (1,), 9)], view_of((9,), (1,), 18), 27),
        ("even_and_odd", [view_of((17,), (2,), 0)], view_of((17,), (2,), 1), 34),
        ("even_and_odd_reversed", [view_of((17,), (2,), 0)], view_of((17,), (-2,), 33), 34),
        ("of_three", [view_of((9,), (3,), 0), view_of((9,), (3,), 2)], view_of((9,), (3,), 1), 27),
        ("left_and_right_half", [view_of((4, 5), (10, 1), 0)], view_of((4, 5), (10, 1), 5), 40),
        ("columns", [view_of((4,), (5,), 0), view_of((4,), (5,), 3)], view_of((4,), (5,), 4), 20),
        ("rows_alternate", [view_of((3, 7), (14, 1), 0)], view_of((3, 7), (14, 1), 7), 42),
        ("checkered", [view_of((3, 4), (9, 2), 0)], view_of((3, 4), (9, 2), 1), 30),
        ("inputs_overlap", [view_of((9,), (1,), 0), view_of((9,), (1,), 4), view_of((), (), 8)], view_of((9,), (1,), 13), 22),
        ("inputs_are_one", [view_of((9,), (1,), 0), view_of((9,), (-1,), 8)], view_of((9,), (1,), 9), 18),
        ("no_elements", [view_of((0,), (1,), 2), view_of((1,), (1,), 2)], view_of((0,), (1,), 2), 5),
    ):
        add(shared, name, "Max", inputs, output, [size], NUMBERS)
    for name, source, output, size, axes in (
        ("reduce_rows_beside", view_of((4, 5), (6, 1), 0), view_of((4,), (6,), 5), 24, [1]),
        ("reduce_columns_below", view_of((4, 5), (5, 1), 0), view_of((5,), (1,), 20), 25, [0]),
        ("reduce_into_gaps", view_of((4, 5), (10, 2), 0), view_of((5,), (2,), 11), 40, [0]),
    ):
        add(shared, name, "ReduceMax", [source], output, [size], TYPES, {"axes": axes, "keepdims": 0})
    return [group, shared]


def refused() -> list[Group]:
    overlap = Group(
        "memory_overlap",
        ["MEM-2"],
        "The output shares memory with an input and is not exactly that input: an error, and nothing is written.",
        list_name="memory",
    )

    def of(shape: Shape, strides: Strides, offset: int) -> View:
        return View(0, shape, strides, offset)

    for name, inputs, output, size in (
        ("one_later", [of((9,), (1,), 0)], of((9,), (1,), 1), 10),
        ("one_earlier", [of((9,), (1,), 1)], of((9,), (1,), 0), 10),
        ("last_element", [of((9,), (1,), 0)], of((9,), (1,), 8), 17),
        ("reversed", [of((9,), (1,), 0)], of((9,), (-1,), 8), 9),
        ("reversed_back", [of((9,), (-1,), 8)], of((9,), (1,), 0), 9),
        ("transposed", [of((3, 3), (3, 1), 0)], of((3, 3), (1, 3), 0), 9),
        ("other_step", [of((9,), (2,), 0)], of((9,), (1,), 0), 17),
        ("interleaved_with_one_shared", [of((9,), (2,), 0)], of((9,), (2,), 16), 33),
        ("steps_of_two_and_three", [of((4,), (2,), 0)], of((4,), (3,), 1), 11),
        ("scalar_is_inside", [of((), (), 4)], of((9,), (1,), 0), 9),
        ("row_is_inside", [of((3,), (1,), 3)], of((3, 3), (3, 1), 0), 9),
        ("row_is_the_first", [of((3,), (1,), 0)], of((3, 3), (3, 1), 0), 9),
        ("zero_stride_is_inside", [of((9,), (0,), 0)], of((9,), (1,), 0), 9),
        ("other_shape", [of((9,), (1,), 0)], of((1, 9), (9, 1), 0), 9),
    ):
        full = View(1, output.shape, dense(output.shape), 0)
        sizes = [size, prod(output.shape)]
        add(overlap, f"{name}_first", "Max", [*inputs, full], output, sizes, NUMBERS, error="MEM-2")
        add(overlap, f"{name}_last", "Max", [full, *inputs], output, sizes, SOME, error="MEM-2")
    wide = tuple(t for t in NUMBERS if oracle.width(t) > 8)
    for name, (source, strides), (target, target_strides, offset) in (
        ("later", ((9,), (1,)), ((9,), (1,), 0)),
        ("later_in_the_last", ((9,), (1,)), ((9,), (1,), 8)),
        ("later_in_steps", ((5,), (2,)), ((5,), (2,), 0)),
        ("reversed", ((9,), (1,)), ((9,), (-1,), 8)),
    ):
        view = View(0, target, target_strides, offset, bytes=1)
        full = View(1, target, dense(target), 0)
        sizes = [18, prod(target)]
        add(overlap, f"one_byte_{name}", "Max", [of(source, strides, 0), full], view, sizes, wide, error="MEM-2")
    exact = of((9,), (1,), 0)
    add(overlap, "one_exact_one_shifted", "Max", [exact, of((9,), (1,), 1)], exact, [10], NUMBERS, error="MEM-2")
    for name, source, output, axes, keepdims in (
        ("reduce_into_first_row", of((3, 4), (4, 1), 0), of((4,), (1,), 0), [0], 0),
        ("reduce_into_last_row", of((3, 4), (4, 1), 0), of((4,), (1,), 8), [0], 0),
        ("reduce_into_first_column", of((3, 4), (4, 1), 0), of((3,), (4,), 0), [1], 0),
        ("reduce_into_kept_column", of((3, 4), (4, 1), 0), of((3, 1), (4, 1), 0), [1], 1),
        ("reduce_into_an_element", of((3, 4), (4, 1), 0), of((), (), 11), [0, 1], 0),
    ):
        attributes = {"axes": axes, "keepdims": keepdims}
        add(overlap, name, "ReduceMax", [source], output, [12], TYPES, attributes, error="MEM-2")
    identity = {"axes": [], "keepdims": 0, "noop_with_empty_axes": 1}
    add(overlap, "identity_one_later", "ReduceMax", [of((9,), (1,), 0)], of((9,), (1,), 1), [10], TYPES, identity, error="MEM-2")
    twice = Group(
        "memory_output_twice",
        ["MEM-1"],
        "Two elements of the output have one address: an error, and nothing is written.",
        list_name="memory",
    )
    for name, shape, strides, offset, size in (
        ("zero_stride", (9,), (0,), 0, 1),
        ("zero_stride_first", (3, 4), (0, 1), 0, 4),
        ("zero_stride_last", (3, 4), (1, 0), 0, 3),
        ("window", (3, 4), (1, 1), 0, 6),
        ("rows_overlap", (3, 4), (3, 1), 0, 10),
        ("rows_overlap_reversed", (3, 4), (-3, 1), 6, 10),
        ("opposite_directions", (3, 4), (1, -1), 3, 6),
        ("only_by_mixed_steps", (2, 3, 2), (8, 5, 2), 0, 21),  # 8 + 2 = 2 * 5
    ):
        full = View(1, shape, dense(shape), 0)
        add(twice, name, "Max", [full, full], View(0, shape, strides, offset), [size, prod(shape)], NUMBERS, error="MEM-1")
        source = View(1, (*shape, 2), dense((*shape, 2)), 0)
        attributes = {"axes": [len(shape)], "keepdims": 0}
        sizes = [size, 2 * prod(shape)]
        output = View(0, shape, strides, offset)
        add(twice, f"reduce_{name}", "ReduceMax", [source], output, sizes, TYPES, attributes, error="MEM-1")
    return [overlap, twice]


def groups() -> list[Group]:
    return [*strided(), *in_place(), *refused()]
