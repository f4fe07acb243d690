"""Models that ONNX refuses, by their shapes, types, inputs and axes."""

from __future__ import annotations


from case_file import MAX_TYPES_BY_OPSET, REDUCE_TYPES_BY_OPSET
from invalid_case import InvalidGroup, axes_list, max_model, max_of, node, reduce_model, stated
from values import operands_of, shape_name
from oracle import NUMBERS, TYPES

BEYOND = ("string", "complex64", "complex128")  # types of ONNX that neither operator has


def shapes() -> list[InvalidGroup]:
    clash = InvalidGroup(
        "invalid_not_broadcastable", ["E1", "BRO-2"], "Two extents differ and neither is 1.", "infer", "not_broadcastable"
    )
    pairs = operands_of(
        "2_with_3 2by3_with_2 2by3_with_4 2by3_with_3by2 2by3_with_2by4 2by3_with_3by3 3by1_with_2by1 2by3by4_with_2by4"
        " 2by3by4_with_3by1by4 2by3by4by5_with_2by1by1by1by6 5by1by2_with_3by3 1by2_with_3by3"
    )
    for opset in (8, 9, 12, 13, 21):
        for a, b in pairs:
            clash.add(f"opset_{opset}_{shape_name(a)}_with_{shape_name(b)}", max_of(opset, [a, b]))
    for a, b in pairs[:6]:
        clash.add(f"turned_{shape_name(b)}_with_{shape_name(a)}", max_of(13, [b, a]))
    for dtype in NUMBERS:
        clash.add(f"{dtype}_third_input", max_of(13, [(2, 3), (3,), (2, 2)], dtype=dtype))
    empty = InvalidGroup(
        "invalid_zero_extent", ["E1", "BRO-3", "BRO-2"], "A zero extent goes with 0 and 1 alone.", "infer", "not_broadcastable"
    )
    for a, b in (((0,), (3,)), ((3,), (0,)), ((2, 0), (2, 3)), ((0, 3), (2, 3)), ((2, 0, 3), (2, 2, 1)), ((0,), (2,))):
        empty.add(f"{shape_name(a)}_with_{shape_name(b)}", max_of(13, [a, b]))
    same = InvalidGroup(
        "invalid_not_identical",
        ["E1", "MAX-3"],
        "Max-1 and Max-6 refuse different shapes, even such as could be broadcast.",
        "infer",
        "not_broadcastable",
    )
    for opset in (1, 2, 5, 6, 7):
        for a, b in operands_of(
            "2by3_with_3 2by3_with_2by1 2_with_scalar 1_with_2 1_with_scalar 0_with_1 2by3_with_3by2 1by2_with_2"
        ):
            name = f"opset_{opset}_{shape_name(a)}_with_{shape_name(b)}"
            same.add(name, max_of(opset, [a, b]))
        same.add(f"opset_{opset}_third_input", max_of(opset, [(2,), (2,), (1,)]))
    output = InvalidGroup(
        "invalid_output_shape",
        ["E2", "PRO-5", "RED-3"],
        "The declared output shape is not the computed one.",
        "infer",
        "output_shape_mismatch",
    )
    for opset in (1, 6, 8, 12, 13, 21):
        for shape in ((2, 4), (2,), (1, 2, 3), ()):
            output.add(f"max_{opset}_declared_{shape_name(shape)}", max_of(opset, [(2, 3)] * 2, shape))
    output.add("max_broadcast_declared_as_first", max_of(13, [(2, 1), (1, 3)], (2, 1)))
    output.add("max_empty_declared_as_one", max_of(13, [(0,), (1,)], (1,)))
    for opset in (1, 11, 12, 13, 18, 20):
        for name, shape, keepdims in (
            ("kept_declared_dropped", (2,), 1),
            ("dropped_declared_kept", (2, 1), 0),
            ("other_extent", (3, 1), 1),
            ("source", (2, 3), 1),
            ("scalar", (), 0),
        ):
            output.add(
                f"reduce_{opset}_{name}",
                reduce_model(opset, stated("float32", (2, 3)), stated("float32", shape), [1], keepdims=keepdims),
            )
    output.add(
        "reduce_18_empty_axes_declared_as_source",
        reduce_model(18, stated("float32", (2, 3)), stated("float32", (2, 3)), [], keepdims=1, noop_with_empty_axes=0),
    )
    output.add(
        "reduce_18_noop_declared_as_reduced",
        reduce_model(18, stated("float32", (2, 3)), stated("float32", (1, 1)), [], keepdims=1, noop_with_empty_axes=1),
    )
    output.add(
        "reduce_zero_extent_erased", reduce_model(13, stated("float32", (0, 3, 4)), stated("float32", (4,)), [1], keepdims=0)
    )
    rank = InvalidGroup("invalid_rank", ["BRO-4"], "Ranks above 64 are refused in words.", "infer", "rank")
    for opset in (8, 13, 21):
        for place in (0, 1):
            inputs = [stated("float32", (1,) * 65), stated("float32", (1,))]
            rank.add(f"max_{opset}_input_{place}", max_model(opset, inputs[::-1] if place else inputs, "float32"))
    for opset in (13, 18):
        rank.add(f"reduce_{opset}", reduce_model(opset, stated("float32", (1,) * 65), "float32", [0], keepdims=0))
    return [clash, empty, same, output, rank]


def types() -> list[InvalidGroup]:
    of_max = InvalidGroup("invalid_max_type", ["TYP-3"], "The version of Max does not have the type.", "infer", "type_not_admitted")
    for opset in (1, 6, 8, 11, 12, 13, 21):
        admitted = MAX_TYPES_BY_OPSET[opset]
        for dtype in (*TYPES, *BEYOND):
            if dtype not in admitted:
                of_max.add(f"opset_{opset}_{dtype}", max_of(opset, [(2,)] * 2, (2,), dtype))
    of_reduce = InvalidGroup(
        "invalid_reduce_type", ["TYP-4"], "The version of ReduceMax does not have the type.", "infer", "type_not_admitted"
    )
    for opset in (1, 11, 12, 13, 18, 20):
        for dtype in (*TYPES, "string"):
            if dtype not in REDUCE_TYPES_BY_OPSET[opset]:
                of_reduce.add(
                    f"opset_{opset}_{dtype}", reduce_model(opset, stated(dtype, (2, 3)), stated(dtype, (2, 1)), [1], keepdims=1)
                )
    mixed = InvalidGroup(
        "invalid_mixed_types", ["TYP-2"], "All tensors of a node have one type; nothing is converted.", "infer", "type_mismatch"
    )
    for first, second in zip(NUMBERS, (*NUMBERS[1:], NUMBERS[0])):
        mixed.add(f"max_{first}_{second}", max_model(13, [stated(first, (2,)), stated(second, (2,))], stated(first, (2,))))
        mixed.add(f"max_{first}_output_{second}", max_model(13, [stated(first, (2,))] * 2, stated(second, (2,))))
        mixed.add(
            f"max_{first}_third_{second}",
            max_model(13, [stated(first, (2,)), stated(first, (2,)), stated(second, (1,))], stated(first, (2,))),
        )
    for dtype in ("float16", "float64", "int32", "bfloat16"):
        mixed.add(
            f"reduce_float32_output_{dtype}", reduce_model(13, stated("float32", (2, 3)), stated(dtype, (2, 1)), [1], keepdims=1)
        )
    for opset in (18, 20):
        model = reduce_model(opset, stated("float32", (2, 3)), stated("float32", (2, 1)), [1], keepdims=1)
        mixed.add(f"reduce_{opset}_axes_int32", {**model, "initializers": [axes_list([1], dtype="int32")]})
    return [of_max, of_reduce, mixed]


def counts() -> list[InvalidGroup]:
    none = InvalidGroup("invalid_input_count", ["MAX-1"], "Max takes at least one input, each with a name.", "load", "input_count")
    for opset in MAX_TYPES_BY_OPSET:
        none.add(
            f"opset_{opset}_no_input",
            {"opset": opset, "inputs": [], "outputs": [["y", stated("float32", (2,))]], "nodes": [node("Max", [], ["y"])]},
        )
    nameless = InvalidGroup("invalid_input_name", ["MAX-1"], "None of Max's inputs may be left out.", "load", "malformed_file")
    for place in (0, 1):
        names = ["x0", ""] if place else ["", "x0"]
        nameless.add(
            f"input_{place}_without_name",
            {**max_model(13, [stated("float32", (2,))], stated("float32", (2,))), "nodes": [node("Max", names, ["y"])]},
        )
    source, result = stated("float32", (2, 3)), stated("float32", (2, 1))
    axes = InvalidGroup("invalid_axis", ["RED-2"], "An axis is out of range, or a dimension is named twice.", "infer", "axis")
    for opset in (1, 11, 12, 13, 18, 20):
        given = {"too_high": [2], "far_too_high": [9223372036854775807], "twice": [1, 1], "twice_of_three": [0, 1, 0]}
        if opset >= 11:
            given |= {"too_low": [-3], "twice_by_sign": [1, -1], "least": [-9223372036854775808]}
        for name, chosen in given.items():
            axes.add(f"opset_{opset}_{name}", reduce_model(opset, source, "float32", chosen, keepdims=1))
        axes.add(f"opset_{opset}_of_a_scalar", reduce_model(opset, stated("float32", ()), "float32", [0], keepdims=1))
    forms = InvalidGroup(
        "invalid_axes_form",
        ["RED-5"],
        "Attributes that the version of ReduceMax does not have, or values that they do not have.",
        "load",
        "malformed_file",
    )
    number = InvalidGroup(
        "invalid_reduce_inputs", ["RED-5"], "Another number of inputs than the version of ReduceMax takes.", "load", "input_count"
    )
    for opset in (18, 20):
        by_attribute = node("ReduceMax", ["x0"], ["y"], axes=[1], keepdims=1)
        forms.add(f"opset_{opset}_axes_as_attribute", {**reduce_model(opset, source, result), "nodes": [by_attribute]})
    for opset in (1, 11, 12, 13):
        by_input = {
            **reduce_model(opset, source, result),
            "initializers": [axes_list([1])],
            "nodes": [node("ReduceMax", ["x0", "axes"], ["y"], keepdims=1)],
        }
        number.add(f"opset_{opset}_axes_as_input", by_input)
        forms.add(f"opset_{opset}_noop", reduce_model(opset, source, result, [1], keepdims=1, noop_with_empty_axes=0))
    for opset in (13, 18):
        number.add(
            f"opset_{opset}_no_input", {**reduce_model(opset, source, result), "nodes": [node("ReduceMax", [], ["y"], keepdims=1)]}
        )
        forms.add(f"opset_{opset}_keepdims_2", reduce_model(opset, source, result, [1], keepdims=2))
    three = {**reduce_model(18, source, result, [1]), "nodes": [node("ReduceMax", ["x0", "axes", "axes"], ["y"], keepdims=1)]}
    number.add("opset_18_three_inputs", three)
    signs = InvalidGroup(
        "invalid_negative_axis", ["RED-5"], "ReduceMax-1 counts axes from the first dimension alone.", "infer", "axis"
    )
    for opset in (1, 6, 9, 10):
        signs.add(f"opset_{opset}_last", reduce_model(opset, source, "float32", [-1], keepdims=1))
        signs.add(f"opset_{opset}_mixed", reduce_model(opset, source, "float32", [0, -1], keepdims=1))
    for opset in (18, 20):
        for name, shape in (("scalar", []), ("matrix", [1, 1])):
            model = reduce_model(opset, source, "float32", [1], keepdims=1)
            signs.add(f"opset_{opset}_axes_{name}", {**model, "initializers": [axes_list([1], shape=shape)]})
    return [none, nameless, axes, forms, number, signs]


def groups() -> list[InvalidGroup]:
    return [*shapes(), *types(), *counts()]
