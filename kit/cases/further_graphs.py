"""oneDNN graphs that leave keep_dims out, whose default is false (RED-4)."""

from __future__ import annotations

from math import prod

from case_file import Group
from oracle import Shape
from values import nans, ordinary, reductions_of, shape_name


def elements(dtype: str, count: int, seed: str) -> list[int]:
    """Ordinary values, the last of which is a NaN that is not the canonical one."""
    found = ordinary(dtype, count, seed)
    return [*found[:-1], nans(dtype)["minus_signalling"]] if found else found


def groups() -> list[Group]:
    group = Group("onednn_keep_dims_default", ["RED-4", "RED-3"], "A graph that leaves keep_dims out: the reduced dimensions vanish.")
    cases: tuple[tuple[Shape, list[int]], ...] = reductions_of(
        "3_along_0 2by3_along_0 2by3_along_1 2by3_along_-1 2by3_along_0_1 2by3_along_-1_-2 1by3_along_0 3by1_along_1"
        " 2by3by4_along_1 2by3by4_along_0_2 0by3_along_0 2by0by3_along_1 2by17_along_1 2by3_along_none scalar_along_none"
    )
    for shape, axes in cases:
        name = f"{shape_name(shape)}_axes_{'_'.join(map(str, axes)).replace('-', 'minus_') or 'none'}"
        noop = {} if axes else {"noop_with_empty_axes": 1}
        group.reduce(
            name,
            shape,
            lambda t, s=shape, n=name: elements(t, prod(s), n),
            ("float32", "bfloat16", "float16"),
            axes=axes,
            keepdims=0,
            **noop,
            opset=13 if axes else 18,
        )
    for case in group.cases:
        case["onednn_leaves_out"] = ["keep_dims"]
    return [group]
