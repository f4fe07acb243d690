"""oneDNN graphs that must be refused."""

from __future__ import annotations

from typing import Any

from invalid_case import InvalidGroup, Model
from values import shape_name


def logical(number: int, dtype: str, shape: Any) -> Model:
    """A tensor of a oneDNN graph."""
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= max(extent, 1)
    return {
        "id": number,
        "dtype": dtype,
        "shape": list(shape),
        "stride": strides,
        "layout_type": "strided",
        "property_type": "undef",
    }


def one_op(kind: str, inputs: list[Model], output: Model, **attributes: Any) -> Model:
    """A oneDNN graph of one op, as oneDNN writes it."""
    kinds = {list: "s64[]", int: "bool", str: "string"}
    attrs = {name: {"type": kinds[type(value)], "value": value} for name, value in attributes.items()}
    return {
        "version": "3.5.0",
        "engine_kind": "cpu",
        "fpmath_mode": "strict",
        "input_ports": [t["id"] for t in inputs],
        "output_ports": [output["id"]],
        "graph": [{"id": 0, "name": kind.lower(), "kind": kind, "attrs": attrs, "inputs": inputs, "outputs": [output]}],
    }


def onednn() -> list[InvalidGroup]:
    given = InvalidGroup(
        "onednn_axes_given", ["RED-4"], "The axes are given exactly once, as attribute or as input.", "infer", "axes_given"
    )
    for dtype in ("f32", "f16", "bf16"):
        source, output = logical(0, dtype, (2, 3)), logical(2, dtype, (2,))
        given.add(f"{dtype}_neither", one_op("ReduceMax", [source], output, keep_dims=0))
        given.add(f"{dtype}_both", one_op("ReduceMax", [source, logical(1, "s32", (1,))], output, axes=[1], keep_dims=0))
    kinds = InvalidGroup(
        "onednn_type",
        ["TYP-5"],
        "ReduceMax and Maximum have f32, bf16 and f16; an axes input is s32.",
        "infer",
        "type_not_admitted",
    )
    for dtype in ("f64", "s32", "s8", "u8", "boolean", "f8_e5m2"):
        kinds.add(
            f"reduce_{dtype}",
            one_op("ReduceMax", [logical(0, dtype, (2, 3))], logical(1, dtype, (2,)), axes=[1], keep_dims=0),
        )
        kinds.add(
            f"maximum_{dtype}",
            one_op("Maximum", [logical(0, dtype, (2,)), logical(1, dtype, (2,))], logical(2, dtype, (2,))),
        )
    for dtype in ("f32", "s8", "u8"):
        kinds.add(
            f"axes_input_{dtype}",
            one_op("ReduceMax", [logical(0, "f32", (2, 3)), logical(1, dtype, (1,))], logical(2, "f32", (2,)), keep_dims=0),
        )
    mixed = InvalidGroup("onednn_mixed_types", ["TYP-2"], "The tensors of an op have one type.", "infer", "type_mismatch")
    for a, b in (("f32", "f16"), ("f16", "bf16"), ("bf16", "f32")):
        mixed.add(f"maximum_{a}_{b}", one_op("Maximum", [logical(0, a, (2,)), logical(1, b, (2,))], logical(2, a, (2,))))
        mixed.add(f"reduce_{a}_{b}", one_op("ReduceMax", [logical(0, a, (2, 3))], logical(1, b, (2,)), axes=[1], keep_dims=0))
    axes = InvalidGroup("onednn_axis", ["RED-2"], "An axis is out of range, or a dimension is named twice.", "infer", "axis")
    for name, chosen in (("too_high", [2]), ("too_low", [-3]), ("twice", [1, 1]), ("twice_by_sign", [0, -2])):
        axes.add(name, one_op("ReduceMax", [logical(0, "f32", (2, 3))], logical(1, "f32", (2,)), axes=chosen, keep_dims=0))
    clash = InvalidGroup(
        "onednn_not_broadcastable",
        ["E1", "BRO-2"],
        "The shapes of a Maximum do not fit, or differ where it does not broadcast.",
        "infer",
        "not_broadcastable",
    )
    for a, b in (((2,), (3,)), ((2, 3), (2,)), ((2, 3), (3, 3)), ((0,), (3,))):
        clash.add(
            f"{shape_name(a)}_with_{shape_name(b)}",
            one_op("Maximum", [logical(0, "f32", a), logical(1, "f32", b)], logical(2, "f32", a), auto_broadcast="numpy"),
        )
    for a, b in (((2, 3), (3,)), ((2, 3), (1, 3)), ((2,), (1,))):
        clash.add(
            f"none_{shape_name(a)}_with_{shape_name(b)}",
            one_op("Maximum", [logical(0, "f32", a), logical(1, "f32", b)], logical(2, "f32", a), auto_broadcast="none"),
        )
    output = InvalidGroup(
        "onednn_output_shape", ["E2", "RED-3"], "The stated output shape is not the computed one.", "infer", "output_shape_mismatch"
    )
    output.add("maximum", one_op("Maximum", [logical(0, "f32", (2,)), logical(1, "f32", (2,))], logical(2, "f32", (3,))))
    output.add(
        "reduce_kept_stated_dropped",
        one_op("ReduceMax", [logical(0, "f32", (2, 3))], logical(1, "f32", (2,)), axes=[1], keep_dims=1),
    )
    output.add(
        "reduce_dropped_stated_kept",
        one_op("ReduceMax", [logical(0, "f32", (2, 3))], logical(1, "f32", (2, 1)), axes=[1], keep_dims=0),
    )
    output.add(
        "reduce_zero_extent_erased",
        one_op("ReduceMax", [logical(0, "f32", (0, 3, 4))], logical(1, "f32", (4,)), axes=[1], keep_dims=0),
    )
    output.add(
        "reduce_identity_stated_reduced",
        one_op("ReduceMax", [logical(0, "f32", (2, 3))], logical(1, "f32", ()), axes=[], keep_dims=0),
    )
    return [given, kinds, mixed, axes, clash, output]


def groups() -> list[InvalidGroup]:
    return [*onednn()]
