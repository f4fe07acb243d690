"""More models and graphs that must be refused, for rules that few cases of invalid_*.py violate: RED-4, TYP-5, PRO-1, PRO-3, PRO-4."""

from __future__ import annotations

from typing import Any

from invalid_case import InvalidGroup, Model, max_model, node, reduce_model, stated
from invalid_graphs import logical, one_op
from case_file import MAX_TYPES_BY_OPSET, REDUCE_TYPES_BY_OPSET
from values import shape_name, text

KEEP_DIMS: dict[str, dict[str, Any]] = {"keep": {"keep_dims": 1}, "drop": {"keep_dims": 0}, "default": {}}


def graphs() -> list[InvalidGroup]:
    given = InvalidGroup(
        "onednn_axes_given_more", ["RED-4"], "The axes are given exactly once, as attribute or as input.", "infer", "axes_given"
    )
    for dtype in ("f32", "bf16", "f16"):
        for name, keep in KEEP_DIMS.items():
            for shape in ((), (3,), (2, 3), (0, 3)):
                source = logical(0, dtype, shape)
                kept = (1,) * len(shape) if name == "keep" else ()
                given.add(
                    f"{dtype}_{shape_name(shape)}_neither_{name}",
                    one_op("ReduceMax", [source], logical(2, dtype, kept), **keep),
                )
                for axes in ([], [0]) if shape else ([],):
                    of_input = logical(1, "s32", (len(axes),))
                    given.add(
                        f"{dtype}_{shape_name(shape)}_both_{len(axes)}_{name}",
                        one_op("ReduceMax", [source, of_input], logical(2, dtype, kept), axes=axes, **keep),
                    )
    kinds = InvalidGroup(
        "onednn_type_more",
        ["TYP-5"],
        "ReduceMax and Maximum have f32, bf16 and f16; an axes input is s32.",
        "infer",
        "type_not_admitted",
    )
    for dtype in ("f64", "s64", "s32", "s8", "u8", "boolean", "f8_e5m2", "f8_e4m3"):
        for shape in ((), (2, 3), (0, 3)):
            axes = [0] if shape else []
            for name, keep in KEEP_DIMS.items():
                kept = shape[1:] if name != "keep" or not shape else (1, *shape[1:])
                kinds.add(
                    f"reduce_{dtype}_{shape_name(shape)}_{name}",
                    one_op("ReduceMax", [logical(0, dtype, shape)], logical(1, dtype, kept), axes=axes, **keep),
                )
            for broadcast in ("numpy", "none"):
                kinds.add(
                    f"maximum_{dtype}_{shape_name(shape)}_{broadcast}",
                    one_op(
                        "Maximum",
                        [logical(0, dtype, shape), logical(1, dtype, shape)],
                        logical(2, dtype, shape),
                        auto_broadcast=broadcast,
                    ),
                )
    for source in ("f32", "bf16", "f16"):
        for dtype in ("s64", "s8", "u8", "boolean", "f64", "f32", "bf16", "f16"):
            for name, keep in KEEP_DIMS.items():
                kept = (2, 1) if name == "keep" else (2,)
                kinds.add(
                    f"axes_input_{source}_{dtype}_{name}",
                    one_op("ReduceMax", [logical(0, source, (2, 3)), logical(1, dtype, (1,))], logical(2, source, kept), **keep),
                )
    return [given, kinds]


def stored(name: str, dtype: str) -> Model:
    """A sparse initializer of shape [2,3]."""
    return {"name": name, "type": dtype, "shape": [2, 3], "bits": text(dtype, [1, 1]), "indices": [1, 4]}


def sparse() -> list[InvalidGroup]:
    group = InvalidGroup(
        "sparse_more", ["PRO-1"], "Sparse tensors are refused wherever they can appear.", "infer", "sparse_tensor"
    )
    mixed = InvalidGroup(
        "sparse_and_dense_more", ["TYP-2", "PRO-1"], "A sparse input beside dense ones: another type.", "infer", "type_mismatch"
    )
    for opset in (11, 12, 13, 21):
        for dtype in MAX_TYPES_BY_OPSET[opset]:
            whole = stated(dtype, (2, 3))
            for count in (1, 3):
                group.add(f"max_{opset}_{dtype}_{count}_inputs", max_model(opset, ["sparse " + whole] * count, whole))
            model = max_model(opset, ["sparse " + whole] * 2, whole)
            for place in (0, 1):
                given = {"inputs": [model["inputs"][1 - place]], "sparse_initializers": [stored(f"x{place}", dtype)]}
                group.add(f"max_{opset}_{dtype}_initializer_{place}", {**model, **given})
            for place in range(3):
                inputs = ["sparse " + whole if p == place else whole for p in range(3)]
                mixed.add(f"max_{opset}_{dtype}_input_{place}", max_model(opset, inputs, whole))
    for opset in (11, 13, 18, 20):
        for dtype in REDUCE_TYPES_BY_OPSET[opset]:
            whole, result = stated(dtype, (2, 3)), stated(dtype, (2, 1))
            group.add(f"reduce_{opset}_{dtype}_input", reduce_model(opset, "sparse " + whole, result, [1], keepdims=1))
            if dtype != "bool":
                group.add(
                    f"reduce_{opset}_{dtype}_initializer",
                    {**reduce_model(opset, whole, result, [1], keepdims=1), "inputs": [], "sparse_initializers": [stored("x0", dtype)]},
                )
    for dtype in ("float32", "float64", "int64"):
        constant = node("Constant", [], ["c"], sparse_value={"type": dtype, "shape": [3], "bits": text(dtype, [1]), "indices": [1]})
        whole = stated(dtype, (3,))
        model = max_model(13, [whole], whole)
        mixed.add(f"max_13_{dtype}_attribute", {**model, "nodes": [constant, node("Max", ["x0", "c"], ["y"])]})
        twice = {"opset": 13, "inputs": [], "outputs": model["outputs"], "nodes": [constant, node("Max", ["c", "c"], ["y"])]}
        group.add(f"max_13_{dtype}_attribute", twice)
        reduce = node("ReduceMax", ["c"], ["y"], axes=[0], keepdims=1)
        of_reduce = {"opset": 13, "inputs": [], "outputs": [["y", stated(dtype, (1,))]], "nodes": [constant, reduce]}
        group.add(f"reduce_13_{dtype}_attribute", of_reduce)
    return [group, mixed]


def profile() -> list[InvalidGroup]:
    types = InvalidGroup("profile_type_more", ["PRO-3"], "A type that is not stated.", "profile", "type_not_explicit")
    for opset in (1, 6, 8, 12, 13, 21):
        for dtype in MAX_TYPES_BY_OPSET[opset]:
            whole = stated(dtype, (2, 3))
            two = max_model(opset, [whole, whole], "?[2,3]")
            types.add(f"max_{opset}_{dtype}_output", two)
            for place in (0, 1):
                names = ["h", "x1"] if place == 0 else ["x1", "h"]
                nodes = [node("Max", ["x0"], ["h"]), node("Max", names, ["y"])]
                types.add(
                    f"max_{opset}_{dtype}_inner_{place}",
                    {**two, "outputs": [["y", whole]], "nodes": nodes, "values": [["h", "?[2,3]"]]},
                )
    for opset in (1, 11, 12, 13, 18, 20):
        noop = {"noop_with_empty_axes": 0} if opset >= 18 else {}
        for dtype in REDUCE_TYPES_BY_OPSET[opset]:
            whole = stated(dtype, (2, 3))
            for keepdims, result in ((1, "?[2,1]"), (0, "?[2]")):
                types.add(
                    f"reduce_{opset}_{dtype}_output_keepdims_{keepdims}",
                    reduce_model(opset, whole, result, [1], keepdims=keepdims, **noop),
                )
    written = InvalidGroup(
        "profile_attribute_more", ["PRO-4"], "An attribute that is left to its default.", "profile", "defaulted_attribute"
    )
    for opset in (1, 11, 12, 13, 18, 20):
        required = ("axes", "keepdims") if opset < 18 else ("keepdims", "noop_with_empty_axes")
        for dtype in REDUCE_TYPES_BY_OPSET[opset]:
            for axes in ([0], [1], [0, 1]):
                shape = tuple(1 if d in axes else extent for d, extent in enumerate((2, 3)))
                every: dict[str, Any] = {"keepdims": 1, "noop_with_empty_axes": 0}
                for name in required:
                    attributes = {key: value for key, value in every.items() if key in required and key != name}
                    given = None if name == "axes" else axes
                    result = stated(dtype, (1, 1) if name == "axes" else shape)
                    if name == "axes" and axes != [0]:
                        continue  # it is the same model
                    where = "_".join(map(str, axes))
                    written.add(
                        f"opset_{opset}_{dtype}_{name}" + ("" if name == "axes" else f"_along_{where}"),
                        reduce_model(opset, stated(dtype, (2, 3)), result, given, **attributes),
                    )
        dropped = {"keepdims": 0}
        if opset < 18:
            written.add(f"opset_{opset}_axes_dropped", reduce_model(opset, "float32[2,3]", "float32[]", None, **dropped))
        else:
            written.add(f"opset_{opset}_noop_dropped", reduce_model(opset, "float32[2,3]", "float32[2]", [1], **dropped))
    return [types, written]


def groups() -> list[InvalidGroup]:
    return [*graphs(), *sparse(), *profile()]
