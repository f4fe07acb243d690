"""Models that the safety-related profile refuses, and what shows only when a model runs."""

from __future__ import annotations


from invalid_case import InvalidGroup, axes_list, max_model, max_of, node, reduce_model, stated, tensor
from oracle import NUMBERS
from values import operands_of, ordinary, shape_name, text


def profile() -> list[InvalidGroup]:
    row, result = stated("float32", (2, 3)), stated("float32", (2, 1))
    sparse = InvalidGroup(
        "invalid_sparse", ["PRO-1"], "Sparse tensors are refused wherever they can appear.", "infer", "sparse_tensor"
    )
    for dtype in ("float32", "float64", "int32"):
        whole = stated(dtype, (2, 3))
        sparse.add(f"max_{dtype}_first_input", max_model(13, ["sparse " + whole, "sparse " + whole], whole))
        stored = {
            "name": "x1",
            "type": dtype,
            "shape": [2, 3],
            "bits": text(dtype, ordinary(dtype, 2, "sparse")),
            "indices": [1, 4],
        }
        sparse.add(
            f"max_{dtype}_initializer",
            {
                **max_model(13, ["sparse " + whole, "sparse " + whole], whole),
                "inputs": [["x0", "sparse " + whole]],
                "sparse_initializers": [stored],
            },
        )
    for opset in (13, 18):
        sparse.add(f"reduce_{opset}_input", reduce_model(opset, "sparse " + row, result, [1], keepdims=1))
        stored = {"name": "x0", "type": "float32", "shape": [2, 3], "bits": "3f800000", "indices": [2]}
        sparse.add(
            f"reduce_{opset}_initializer",
            {**reduce_model(opset, row, result, [1], keepdims=1), "inputs": [], "sparse_initializers": [stored]},
        )
    constant = node("Constant", [], ["c"], sparse_value={"type": "float32", "shape": [3], "bits": "3f800000", "indices": [1]})
    for opset in (11, 13):
        model = {
            "opset": opset,
            "inputs": [],
            "outputs": [["y", stated("float32", (3,))]],
            "nodes": [constant, node("Max", ["c"], ["y"])],
        }
        sparse.add(f"max_{opset}_attribute", model)
    shape = InvalidGroup(
        "profile_shape",
        ["PRO-2"],
        "A symbolic, unknown or missing shape on an input or output of the operator.",
        "profile",
        "shape_not_explicit",
    )
    for opset in (8, 13, 21):
        for name, first, second, output in (
            ("symbol_first", "[N,3]", "[1,3]", "[N,3]"),
            ("symbol_second", "[1,3]", "[2,N]", "[2,3]"),
            ("symbols", "[N,3]", "[N,3]", "[N,3]"),
            ("unknown", "[?,3]", "[1,3]", "[?,3]"),
            ("missing_input", "", "", "[2,3]"),
            ("missing_output", "[2,3]", "[2,3]", ""),
            ("symbol_output", "[2,3]", "[2,3]", "[N,3]"),
        ):
            shape.add(f"max_{opset}_{name}", max_model(opset, ["float32" + first, "float32" + second], "float32" + output))
    for opset in (13, 18):
        noop = {"noop_with_empty_axes": 0} if opset == 18 else {}
        for name, extents, output in (
            ("symbol", "[N,3]", "[N,1]"),
            ("unknown", "[?,3]", "[?,1]"),
            ("missing_input", "", "[2,1]"),
            ("missing_output", "[2,3]", ""),
        ):
            shape.add(
                f"reduce_{opset}_{name}", reduce_model(opset, "float32" + extents, "float32" + output, [1], keepdims=1, **noop)
            )
    variable = {
        "opset": 18,
        "inputs": [["x0", row], ["axes", "int64[1]"]],
        "outputs": [["y", result]],
        "nodes": [node("ReduceMax", ["x0", "axes"], ["y"], keepdims=1, noop_with_empty_axes=0)],
    }
    shape.add("reduce_18_axes_are_an_input", variable)
    shape.add("reduce_18_axes_may_be_replaced", {**variable, "initializers": [axes_list([1])]})
    inner = {
        "opset": 13,
        "inputs": [["x0", row], ["x1", row]],
        "outputs": [["y", row]],
        "nodes": [node("Max", ["x0", "x1"], ["h"]), node("Max", ["h"], ["y"])],
    }
    shape.add("max_13_inner_value", {**inner, "values": [["h", "float32"]]})
    stated_type = InvalidGroup("profile_type", ["PRO-3"], "A type that is not stated.", "profile", "type_not_explicit")
    for opset in (8, 13, 21):
        stated_type.add(f"max_{opset}_inner_value", {**inner, "opset": opset, "values": [["h", "?[2,3]"]]})
        stated_type.add(
            f"max_{opset}_output",
            {**inner, "opset": opset, "nodes": [node("Max", ["x0", "x1"], ["y"])], "outputs": [["y", "?[2,3]"]]},
        )
    for opset in (13, 18):
        noop = {"noop_with_empty_axes": 0} if opset == 18 else {}
        stated_type.add(f"reduce_{opset}_output", reduce_model(opset, row, "?[2,1]", [1], keepdims=1, **noop))
    written = InvalidGroup(
        "profile_attribute", ["PRO-4"], "An attribute that is left to its default.", "profile", "defaulted_attribute"
    )
    for opset in (1, 11, 12, 13):
        written.add(f"opset_{opset}_keepdims", reduce_model(opset, row, result, [1]))
        written.add(f"opset_{opset}_axes", reduce_model(opset, row, stated("float32", (1, 1)), keepdims=1))
        written.add(f"opset_{opset}_both", reduce_model(opset, row, stated("float32", (1, 1))))
    for opset in (18, 20):
        written.add(f"opset_{opset}_keepdims", reduce_model(opset, row, result, [1], noop_with_empty_axes=0))
        written.add(f"opset_{opset}_noop", reduce_model(opset, row, result, [1], keepdims=1))
        written.add(f"opset_{opset}_both", reduce_model(opset, row, stated("float32", (1, 1))))
    strict = InvalidGroup(
        "profile_no_broadcast", ["PRO-6"], "The stricter switch refuses broadcasting altogether.", "profile", "broadcast_refused"
    )
    for opset in (8, 12, 13, 21):
        for a, b, y in operands_of(
            "2by3_with_3_with_2by3 2by3_with_scalar_with_2by3 2by1_with_1by3_with_2by3 3_with_1_with_3 1by3_with_3_with_1by3"
        ):
            strict.add(f"opset_{opset}_{shape_name(a)}_with_{shape_name(b)}", max_of(opset, [a, b], y), no_broadcast=True)
    return [sparse, shape, stated_type, written, strict]


def at_run_time() -> list[InvalidGroup]:
    clash = InvalidGroup(
        "run_not_broadcastable",
        ["E1", "BRO-2"],
        "Extents that the model leaves open do not fit when it runs.",
        "run",
        "not_broadcastable",
    )
    for opset in (8, 13, 21):
        model = max_model(opset, ["float32[N]", "float32[M]"], "float32")
        clash.add(f"opset_{opset}_symbols", model, inputs=[tensor("float32", [2]), tensor("float32", [3])])
        clash.add(
            f"opset_{opset}_shapes_missing",
            max_model(opset, ["float32", "float32"], "float32"),
            inputs=[tensor("float32", [2, 3]), tensor("float32", [2])],
        )
    same = InvalidGroup(
        "run_not_identical",
        ["E1", "MAX-3"],
        "Max-1 and Max-6 refuse different shapes that show when the model runs.",
        "run",
        "not_broadcastable",
    )
    for opset in (1, 6):
        same.add(
            f"opset_{opset}_symbols",
            max_model(opset, ["float32[N]", "float32[M]"], "float32"),
            inputs=[tensor("float32", [2]), tensor("float32", [1])],
        )
    output = InvalidGroup(
        "run_output_shape", ["E2"], "The declared output shape is not the one that the inputs give.", "run", "output_shape_mismatch"
    )
    output.add("max_13", max_model(13, ["float32[N]", "float32[N]"], "float32[2]"), inputs=[tensor("float32", [3])] * 2)
    output.add(
        "max_13_other_symbol",
        max_model(13, ["float32[N]", "float32[M]"], "float32[N]"),
        inputs=[tensor("float32", [1]), tensor("float32", [3])],
    )
    output.add("reduce_13", reduce_model(13, "float32[N,3]", "float32[2,1]", [1], keepdims=1), inputs=[tensor("float32", [4, 3])])
    axes = InvalidGroup(
        "run_axis", ["RED-2"], "Axes that come with a run are out of range, or name a dimension twice.", "run", "axis"
    )
    model = {
        "opset": 18,
        "inputs": [["x0", "float32[2,3]"], ["axes", "int64[N]"]],
        "outputs": [["y", "float32"]],
        "nodes": [node("ReduceMax", ["x0", "axes"], ["y"], keepdims=1)],
    }
    for name, chosen in (("too_high", [2]), ("too_low", [-3]), ("twice", [1, 1]), ("twice_by_sign", [0, -2])):
        given = axes_list(chosen)
        axes.add(name, model, inputs=[tensor("float32", [2, 3]), {k: v for k, v in given.items() if k != "name"}])
    types_given = InvalidGroup(
        "run_type", ["TYP-2"], "A tensor that is given has another type than the model states.", "run", "type_mismatch"
    )
    for dtype in NUMBERS[1:]:
        types_given.add(
            f"bfloat16_given_{dtype}",
            max_model(13, ["bfloat16[2]"] * 2, "bfloat16[2]"),
            inputs=[tensor("bfloat16", [2]), tensor(dtype, [2])],
        )
    return [clash, same, output, axes, types_given]


def groups() -> list[InvalidGroup]:
    return [*profile(), *at_run_time()]
