"""Models and graphs that must be refused, each with the verdict that a checker must give."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

from case_file import MAX_TYPES_BY_OPSET, REDUCE_TYPES_BY_OPSET
from oracle import NUMBERS, TYPES
from values import ordinary, text

Model = dict[str, Any]
BEYOND = ("string", "complex64", "complex128")  # types of ONNX that neither operator has


@dataclass
class InvalidGroup:
    """Invalid cases that break the same rule. The first rule is the one that the verdict names."""

    name: str
    rules: list[str]
    reason: str
    fails: str
    code: str
    cases: list[Model] = field(default_factory=list)

    def add(self, name: str, model: Model, *, fails: str = "", graph: bool = False, inputs: list[Model] | None = None, **switches: Any) -> None:
        if any(case["name"] == name for case in self.cases):
            raise ValueError(f"{self.name}/{name} stands there twice")
        case: Model = {"name": name, "verdict": {"valid": False, "fails": fails or self.fails, "code": self.code, "rule": self.rules[0]}, **switches}
        if inputs is not None:
            case["inputs"] = inputs
        self.cases.append({**case, "graph" if graph else "model": model})


def stated(dtype: str, shape: Any) -> str:
    """A type and shape as models state them: float32[2,N,?]."""
    return f"{dtype}[{','.join(map(str, shape))}]"


def node(op: str, inputs: list[str], outputs: list[str], **attributes: Any) -> Model:
    return {"op": op, "inputs": inputs, "outputs": outputs, **({"attributes": attributes} if attributes else {})}


def max_model(opset: int, inputs: list[str], output: str, **more: Any) -> Model:
    """y = Max(x0, x1, ...)"""
    names = [f"x{i}" for i in range(len(inputs))]
    return {"opset": opset, "inputs": list(map(list, zip(names, inputs))), "outputs": [["y", output]], "nodes": [node("Max", names, ["y"])], **more}


def axes_list(axes: list[int], name: str = "axes", dtype: str = "int64", shape: Any = None) -> Model:
    mask = (1 << 64) - 1 if dtype == "int64" else (1 << 32) - 1
    return {"name": name, "type": dtype, "shape": [len(axes)] if shape is None else shape, "bits": text(dtype, [a & mask for a in axes])}


def reduce_model(opset: int, source: str, output: str, axes: list[int] | None = None, **attributes: Any) -> Model:
    """y = ReduceMax(x0); the axes stand where the opset wants them."""
    model = {"opset": opset, "inputs": [["x0", source]], "outputs": [["y", output]]}
    if axes is not None and opset >= 18:
        return {**model, "initializers": [axes_list(axes)], "nodes": [node("ReduceMax", ["x0", "axes"], ["y"], **attributes)]}
    return {**model, "nodes": [node("ReduceMax", ["x0"], ["y"], **({} if axes is None else {"axes": axes}), **attributes)]}


def tensor(dtype: str, shape: list[int]) -> Model:
    return {"type": dtype, "shape": shape, "bits": text(dtype, ordinary(dtype, prod(shape), "given"))}


def shapes() -> list[InvalidGroup]:
    clash = InvalidGroup("invalid_not_broadcastable", ["E1", "BRO-2"], "Two extents differ and neither is 1.", "infer", "not_broadcastable")
    pairs = (((2,), (3,)), ((2, 3), (2,)), ((2, 3), (4,)), ((2, 3), (3, 2)), ((2, 3), (2, 4)), ((2, 3), (3, 3)), ((3, 1), (2, 1)), ((2, 3, 4), (2, 4)), ((2, 3, 4), (3, 1, 4)),
             ((2, 3, 4, 5), (2, 1, 1, 1, 6)), ((5, 1, 2), (3, 3)), ((1, 2), (3, 3)))  # fmt: skip
    for opset in (8, 9, 12, 13, 21):
        for a, b in pairs:
            clash.add(f"opset_{opset}_{'by'.join(map(str, a))}_with_{'by'.join(map(str, b))}", max_model(opset, [stated("float32", a), stated("float32", b)], "float32"))
    for a, b in pairs[:6]:
        clash.add(f"turned_{'by'.join(map(str, b))}_with_{'by'.join(map(str, a))}", max_model(13, [stated("float32", b), stated("float32", a)], "float32"))
    for dtype in NUMBERS:
        clash.add(f"{dtype}_third_input", max_model(13, [stated(dtype, (2, 3)), stated(dtype, (3,)), stated(dtype, (2, 2))], dtype))
    empty = InvalidGroup("invalid_zero_extent", ["E1", "BRO-3", "BRO-2"], "A zero extent goes with 0 and 1 alone.", "infer", "not_broadcastable")
    for a, b in (((0,), (3,)), ((3,), (0,)), ((2, 0), (2, 3)), ((0, 3), (2, 3)), ((2, 0, 3), (2, 2, 1)), ((0,), (2,))):
        empty.add(f"{'by'.join(map(str, a))}_with_{'by'.join(map(str, b))}", max_model(13, [stated("float32", a), stated("float32", b)], "float32"))
    same = InvalidGroup("invalid_not_identical", ["E1", "MAX-3"], "Max-1 and Max-6 refuse different shapes, even such as could be broadcast.", "infer", "not_broadcastable")
    for opset in (1, 2, 5, 6, 7):
        for a, b in (((2, 3), (3,)), ((2, 3), (2, 1)), ((2,), ()), ((1,), (2,)), ((1,), ()), ((0,), (1,)), ((2, 3), (3, 2)), ((1, 2), (2,))):
            name = f"opset_{opset}_{'by'.join(map(str, a))}_with_{'by'.join(map(str, b)) or 'scalar'}"
            same.add(name, max_model(opset, [stated("float32", a), stated("float32", b)], "float32"))
        same.add(f"opset_{opset}_third_input", max_model(opset, [stated("float32", s) for s in ((2,), (2,), (1,))], "float32"))
    output = InvalidGroup("invalid_output_shape", ["E2", "PRO-5", "RED-3"], "The declared output shape is not the computed one.", "infer", "output_shape_mismatch")
    for opset in (1, 6, 8, 12, 13, 21):
        for shape in ((2, 4), (2,), (1, 2, 3), ()):
            output.add(f"max_{opset}_declared_{'by'.join(map(str, shape)) or 'scalar'}", max_model(opset, [stated("float32", (2, 3))] * 2, stated("float32", shape)))
    output.add("max_broadcast_declared_as_first", max_model(13, [stated("float32", (2, 1)), stated("float32", (1, 3))], stated("float32", (2, 1))))
    output.add("max_empty_declared_as_one", max_model(13, [stated("float32", (0,)), stated("float32", (1,))], stated("float32", (1,))))
    for opset in (1, 11, 12, 13, 18, 20):
        for name, shape, keepdims in (("kept_declared_dropped", (2,), 1), ("dropped_declared_kept", (2, 1), 0), ("other_extent", (3, 1), 1), ("source", (2, 3), 1), ("scalar", (), 0)):
            output.add(f"reduce_{opset}_{name}", reduce_model(opset, stated("float32", (2, 3)), stated("float32", shape), [1], keepdims=keepdims))
    output.add("reduce_18_empty_axes_declared_as_source", reduce_model(18, stated("float32", (2, 3)), stated("float32", (2, 3)), [], keepdims=1, noop_with_empty_axes=0))
    output.add("reduce_18_noop_declared_as_reduced", reduce_model(18, stated("float32", (2, 3)), stated("float32", (1, 1)), [], keepdims=1, noop_with_empty_axes=1))
    output.add("reduce_zero_extent_erased", reduce_model(13, stated("float32", (0, 3, 4)), stated("float32", (4,)), [1], keepdims=0))
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
                of_max.add(f"opset_{opset}_{dtype}", max_model(opset, [stated(dtype, (2,))] * 2, stated(dtype, (2,))))
    of_reduce = InvalidGroup("invalid_reduce_type", ["TYP-4"], "The version of ReduceMax does not have the type.", "infer", "type_not_admitted")
    for opset in (1, 11, 12, 13, 18, 20):
        for dtype in (*TYPES, "string"):
            if dtype not in REDUCE_TYPES_BY_OPSET[opset]:
                of_reduce.add(f"opset_{opset}_{dtype}", reduce_model(opset, stated(dtype, (2, 3)), stated(dtype, (2, 1)), [1], keepdims=1))
    mixed = InvalidGroup("invalid_mixed_types", ["TYP-2"], "All tensors of a node have one type; nothing is converted.", "infer", "type_mismatch")
    for first, second in zip(NUMBERS, (*NUMBERS[1:], NUMBERS[0])):
        mixed.add(f"max_{first}_{second}", max_model(13, [stated(first, (2,)), stated(second, (2,))], stated(first, (2,))))
        mixed.add(f"max_{first}_output_{second}", max_model(13, [stated(first, (2,))] * 2, stated(second, (2,))))
        mixed.add(f"max_{first}_third_{second}", max_model(13, [stated(first, (2,)), stated(first, (2,)), stated(second, (1,))], stated(first, (2,))))
    for dtype in ("float16", "float64", "int32", "bfloat16"):
        mixed.add(f"reduce_float32_output_{dtype}", reduce_model(13, stated("float32", (2, 3)), stated(dtype, (2, 1)), [1], keepdims=1))
    for opset in (18, 20):
        model = reduce_model(opset, stated("float32", (2, 3)), stated("float32", (2, 1)), [1], keepdims=1)
        mixed.add(f"reduce_{opset}_axes_int32", {**model, "initializers": [axes_list([1], dtype="int32")]})
    return [of_max, of_reduce, mixed]


def counts() -> list[InvalidGroup]:
    none = InvalidGroup("invalid_input_count", ["MAX-1"], "Max takes at least one input, each with a name.", "load", "input_count")
    for opset in MAX_TYPES_BY_OPSET:
        none.add(f"opset_{opset}_no_input", {"opset": opset, "inputs": [], "outputs": [["y", stated("float32", (2,))]], "nodes": [node("Max", [], ["y"])]})
    nameless = InvalidGroup("invalid_input_name", ["MAX-1"], "None of Max's inputs may be left out.", "load", "malformed_file")
    for place in (0, 1):
        names = ["x0", ""] if place else ["", "x0"]
        nameless.add(f"input_{place}_without_name", {**max_model(13, [stated("float32", (2,))], stated("float32", (2,))), "nodes": [node("Max", names, ["y"])]})
    source, result = stated("float32", (2, 3)), stated("float32", (2, 1))
    axes = InvalidGroup("invalid_axis", ["RED-2"], "An axis is out of range, or a dimension is named twice.", "infer", "axis")
    for opset in (1, 11, 12, 13, 18, 20):
        given = {"too_high": [2], "far_too_high": [9223372036854775807], "twice": [1, 1], "twice_of_three": [0, 1, 0]}
        if opset >= 11:
            given |= {"too_low": [-3], "twice_by_sign": [1, -1], "least": [-9223372036854775808]}
        for name, chosen in given.items():
            axes.add(f"opset_{opset}_{name}", reduce_model(opset, source, "float32", chosen, keepdims=1))
        axes.add(f"opset_{opset}_of_a_scalar", reduce_model(opset, stated("float32", ()), "float32", [0], keepdims=1))
    forms = InvalidGroup("invalid_axes_form", ["RED-5"], "Attributes that the version of ReduceMax does not have, or values that they do not have.", "load", "malformed_file")
    number = InvalidGroup("invalid_reduce_inputs", ["RED-5"], "Another number of inputs than the version of ReduceMax takes.", "load", "input_count")
    for opset in (18, 20):
        by_attribute = node("ReduceMax", ["x0"], ["y"], axes=[1], keepdims=1)
        forms.add(f"opset_{opset}_axes_as_attribute", {**reduce_model(opset, source, result), "nodes": [by_attribute]})
    for opset in (1, 11, 12, 13):
        by_input = {**reduce_model(opset, source, result), "initializers": [axes_list([1])], "nodes": [node("ReduceMax", ["x0", "axes"], ["y"], keepdims=1)]}
        number.add(f"opset_{opset}_axes_as_input", by_input)
        forms.add(f"opset_{opset}_noop", reduce_model(opset, source, result, [1], keepdims=1, noop_with_empty_axes=0))
    for opset in (13, 18):
        number.add(f"opset_{opset}_no_input", {**reduce_model(opset, source, result), "nodes": [node("ReduceMax", [], ["y"], keepdims=1)]})
        forms.add(f"opset_{opset}_keepdims_2", reduce_model(opset, source, result, [1], keepdims=2))
    three = {**reduce_model(18, source, result, [1]), "nodes": [node("ReduceMax", ["x0", "axes", "axes"], ["y"], keepdims=1)]}
    number.add("opset_18_three_inputs", three)
    signs = InvalidGroup("invalid_negative_axis", ["RED-5"], "ReduceMax-1 counts axes from the first dimension alone.", "infer", "axis")
    for opset in (1, 6, 9, 10):
        signs.add(f"opset_{opset}_last", reduce_model(opset, source, "float32", [-1], keepdims=1))
        signs.add(f"opset_{opset}_mixed", reduce_model(opset, source, "float32", [0, -1], keepdims=1))
    for opset in (18, 20):
        for name, shape in (("scalar", []), ("matrix", [1, 1])):
            model = reduce_model(opset, source, "float32", [1], keepdims=1)
            signs.add(f"opset_{opset}_axes_{name}", {**model, "initializers": [axes_list([1], shape=shape)]})
    return [none, nameless, axes, forms, number, signs]


def profile() -> list[InvalidGroup]:
    row, result = stated("float32", (2, 3)), stated("float32", (2, 1))
    sparse = InvalidGroup("invalid_sparse", ["PRO-1"], "Sparse tensors are refused wherever they can appear.", "infer", "sparse_tensor")
    for dtype in ("float32", "float64", "int32"):
        whole = stated(dtype, (2, 3))
        sparse.add(f"max_{dtype}_first_input", max_model(13, ["sparse " + whole, "sparse " + whole], whole))
        stored = {"name": "x1", "type": dtype, "shape": [2, 3], "bits": text(dtype, ordinary(dtype, 2, "sparse")), "indices": [1, 4]}
        sparse.add(f"max_{dtype}_initializer", {**max_model(13, ["sparse " + whole, "sparse " + whole], whole), "inputs": [["x0", "sparse " + whole]], "sparse_initializers": [stored]})
    for opset in (13, 18):
        sparse.add(f"reduce_{opset}_input", reduce_model(opset, "sparse " + row, result, [1], keepdims=1))
        stored = {"name": "x0", "type": "float32", "shape": [2, 3], "bits": "3f800000", "indices": [2]}
        sparse.add(f"reduce_{opset}_initializer", {**reduce_model(opset, row, result, [1], keepdims=1), "inputs": [], "sparse_initializers": [stored]})
    constant = node("Constant", [], ["c"], sparse_value={"type": "float32", "shape": [3], "bits": "3f800000", "indices": [1]})
    for opset in (11, 13):
        model = {"opset": opset, "inputs": [], "outputs": [["y", stated("float32", (3,))]], "nodes": [constant, node("Max", ["c"], ["y"])]}
        sparse.add(f"max_{opset}_attribute", model)
    shape = InvalidGroup("profile_shape", ["PRO-2"], "A symbolic, unknown or missing shape on an input or output of the operator.", "profile", "shape_not_explicit")
    for opset in (8, 13, 21):
        for name, first, second, output in (("symbol_first", "[N,3]", "[1,3]", "[N,3]"), ("symbol_second", "[1,3]", "[2,N]", "[2,3]"), ("symbols", "[N,3]", "[N,3]", "[N,3]"),
                                            ("unknown", "[?,3]", "[1,3]", "[?,3]"), ("missing_input", "", "", "[2,3]"), ("missing_output", "[2,3]", "[2,3]", ""),
                                            ("symbol_output", "[2,3]", "[2,3]", "[N,3]")):  # fmt: skip
            shape.add(f"max_{opset}_{name}", max_model(opset, ["float32" + first, "float32" + second], "float32" + output))
    for opset in (13, 18):
        noop = {"noop_with_empty_axes": 0} if opset == 18 else {}
        for name, extents, output in (("symbol", "[N,3]", "[N,1]"), ("unknown", "[?,3]", "[?,1]"), ("missing_input", "", "[2,1]"), ("missing_output", "[2,3]", "")):
            shape.add(f"reduce_{opset}_{name}", reduce_model(opset, "float32" + extents, "float32" + output, [1], keepdims=1, **noop))
    variable = {"opset": 18, "inputs": [["x0", row], ["axes", "int64[1]"]], "outputs": [["y", result]], "nodes": [node("ReduceMax", ["x0", "axes"], ["y"], keepdims=1, noop_with_empty_axes=0)]}
    shape.add("reduce_18_axes_are_an_input", variable)
    shape.add("reduce_18_axes_may_be_replaced", {**variable, "initializers": [axes_list([1])]})
    inner = {"opset": 13, "inputs": [["x0", row], ["x1", row]], "outputs": [["y", row]], "nodes": [node("Max", ["x0", "x1"], ["h"]), node("Max", ["h"], ["y"])]}
    shape.add("max_13_inner_value", {**inner, "values": [["h", "float32"]]})
    stated_type = InvalidGroup("profile_type", ["PRO-3"], "A type that is not stated.", "profile", "type_not_explicit")
    for opset in (8, 13, 21):
        stated_type.add(f"max_{opset}_inner_value", {**inner, "opset": opset, "values": [["h", "?[2,3]"]]})
        stated_type.add(f"max_{opset}_output", {**inner, "opset": opset, "nodes": [node("Max", ["x0", "x1"], ["y"])], "outputs": [["y", "?[2,3]"]]})
    for opset in (13, 18):
        noop = {"noop_with_empty_axes": 0} if opset == 18 else {}
        stated_type.add(f"reduce_{opset}_output", reduce_model(opset, row, "?[2,1]", [1], keepdims=1, **noop))
    written = InvalidGroup("profile_attribute", ["PRO-4"], "An attribute that is left to its default.", "profile", "defaulted_attribute")
    for opset in (1, 11, 12, 13):
        written.add(f"opset_{opset}_keepdims", reduce_model(opset, row, result, [1]))
        written.add(f"opset_{opset}_axes", reduce_model(opset, row, stated("float32", (1, 1)), keepdims=1))
        written.add(f"opset_{opset}_both", reduce_model(opset, row, stated("float32", (1, 1))))
    for opset in (18, 20):
        written.add(f"opset_{opset}_keepdims", reduce_model(opset, row, result, [1], noop_with_empty_axes=0))
        written.add(f"opset_{opset}_noop", reduce_model(opset, row, result, [1], keepdims=1))
        written.add(f"opset_{opset}_both", reduce_model(opset, row, stated("float32", (1, 1))))
    strict = InvalidGroup("profile_no_broadcast", ["PRO-6"], "The stricter switch refuses broadcasting altogether.", "profile", "broadcast_refused")
    for opset in (8, 12, 13, 21):
        for a, b, y in (((2, 3), (3,), (2, 3)), ((2, 3), (), (2, 3)), ((2, 1), (1, 3), (2, 3)), ((3,), (1,), (3,)), ((1, 3), (3,), (1, 3))):
            strict.add(f"opset_{opset}_{'by'.join(map(str, a))}_with_{'by'.join(map(str, b)) or 'scalar'}",
                       max_model(opset, [stated("float32", s) for s in (a, b)], stated("float32", y)), no_broadcast=True)  # fmt: skip
    return [sparse, shape, stated_type, written, strict]


def at_run_time() -> list[InvalidGroup]:
    clash = InvalidGroup("run_not_broadcastable", ["E1", "BRO-2"], "Extents that the model leaves open do not fit when it runs.", "run", "not_broadcastable")
    for opset in (8, 13, 21):
        model = max_model(opset, ["float32[N]", "float32[M]"], "float32")
        clash.add(f"opset_{opset}_symbols", model, inputs=[tensor("float32", [2]), tensor("float32", [3])])
        clash.add(f"opset_{opset}_shapes_missing", max_model(opset, ["float32", "float32"], "float32"), inputs=[tensor("float32", [2, 3]), tensor("float32", [2])])
    same = InvalidGroup("run_not_identical", ["E1", "MAX-3"], "Max-1 and Max-6 refuse different shapes that show when the model runs.", "run", "not_broadcastable")
    for opset in (1, 6):
        same.add(f"opset_{opset}_symbols", max_model(opset, ["float32[N]", "float32[M]"], "float32"), inputs=[tensor("float32", [2]), tensor("float32", [1])])
    output = InvalidGroup("run_output_shape", ["E2"], "The declared output shape is not the one that the inputs give.", "run", "output_shape_mismatch")
    output.add("max_13", max_model(13, ["float32[N]", "float32[N]"], "float32[2]"), inputs=[tensor("float32", [3])] * 2)
    output.add("max_13_other_symbol", max_model(13, ["float32[N]", "float32[M]"], "float32[N]"), inputs=[tensor("float32", [1]), tensor("float32", [3])])
    output.add("reduce_13", reduce_model(13, "float32[N,3]", "float32[2,1]", [1], keepdims=1), inputs=[tensor("float32", [4, 3])])
    axes = InvalidGroup("run_axis", ["RED-2"], "Axes that come with a run are out of range, or name a dimension twice.", "run", "axis")
    model = {"opset": 18, "inputs": [["x0", "float32[2,3]"], ["axes", "int64[N]"]], "outputs": [["y", "float32"]], "nodes": [node("ReduceMax", ["x0", "axes"], ["y"], keepdims=1)]}
    for name, chosen in (("too_high", [2]), ("too_low", [-3]), ("twice", [1, 1]), ("twice_by_sign", [0, -2])):
        given = axes_list(chosen)
        axes.add(name, model, inputs=[tensor("float32", [2, 3]), {k: v for k, v in given.items() if k != "name"}])
    types_given = InvalidGroup("run_type", ["TYP-2"], "A tensor that is given has another type than the model states.", "run", "type_mismatch")
    for dtype in NUMBERS[1:]:
        types_given.add(f"bfloat16_given_{dtype}", max_model(13, ["bfloat16[2]"] * 2, "bfloat16[2]"), inputs=[tensor("bfloat16", [2]), tensor(dtype, [2])])
    return [clash, same, output, axes, types_given]


def logical(number: int, dtype: str, shape: Any) -> Model:
    """A tensor of a oneDNN graph."""
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= max(extent, 1)
    return {"id": number, "dtype": dtype, "shape": list(shape), "stride": strides, "layout_type": "strided", "property_type": "undef"}


def one_op(kind: str, inputs: list[Model], output: Model, **attributes: Any) -> Model:
    """A oneDNN graph of one op, as oneDNN writes it."""
    kinds = {list: "s64[]", int: "bool", str: "string"}
    attrs = {name: {"type": kinds[type(value)], "value": value} for name, value in attributes.items()}
    return {"version": "3.5.0", "engine_kind": "cpu", "fpmath_mode": "strict", "input_ports": [t["id"] for t in inputs], "output_ports": [output["id"]],
            "graph": [{"id": 0, "name": kind.lower(), "kind": kind, "attrs": attrs, "inputs": inputs, "outputs": [output]}]}  # fmt: skip


def onednn() -> list[InvalidGroup]:
    given = InvalidGroup("onednn_axes_given", ["RED-4"], "The axes are given exactly once, as attribute or as input.", "infer", "axes_given")
    for dtype in ("f32", "f16", "bf16"):
        source, output = logical(0, dtype, (2, 3)), logical(2, dtype, (2,))
        given.add(f"{dtype}_neither", one_op("ReduceMax", [source], output, keep_dims=0), graph=True)
        given.add(f"{dtype}_both", one_op("ReduceMax", [source, logical(1, "s32", (1,))], output, axes=[1], keep_dims=0), graph=True)
    kinds = InvalidGroup("onednn_type", ["TYP-5"], "ReduceMax and Maximum have f32, bf16 and f16; an axes input is s32.", "infer", "type_not_admitted")
    for dtype in ("f64", "s32", "s8", "u8", "boolean", "f8_e5m2"):
        kinds.add(f"reduce_{dtype}", one_op("ReduceMax", [logical(0, dtype, (2, 3))], logical(1, dtype, (2,)), axes=[1], keep_dims=0), graph=True)
        kinds.add(f"maximum_{dtype}", one_op("Maximum", [logical(0, dtype, (2,)), logical(1, dtype, (2,))], logical(2, dtype, (2,))), graph=True)
    for dtype in ("f32", "s8", "u8"):
        kinds.add(f"axes_input_{dtype}", one_op("ReduceMax", [logical(0, "f32", (2, 3)), logical(1, dtype, (1,))], logical(2, "f32", (2,)), keep_dims=0), graph=True)
    mixed = InvalidGroup("onednn_mixed_types", ["TYP-2"], "The tensors of an op have one type.", "infer", "type_mismatch")
    for a, b in (("f32", "f16"), ("f16", "bf16"), ("bf16", "f32")):
        mixed.add(f"maximum_{a}_{b}", one_op("Maximum", [logical(0, a, (2,)), logical(1, b, (2,))], logical(2, a, (2,))), graph=True)
        mixed.add(f"reduce_{a}_{b}", one_op("ReduceMax", [logical(0, a, (2, 3))], logical(1, b, (2,)), axes=[1], keep_dims=0), graph=True)
    axes = InvalidGroup("onednn_axis", ["RED-2"], "An axis is out of range, or a dimension is named twice.", "infer", "axis")
    for name, chosen in (("too_high", [2]), ("too_low", [-3]), ("twice", [1, 1]), ("twice_by_sign", [0, -2])):
        axes.add(name, one_op("ReduceMax", [logical(0, "f32", (2, 3))], logical(1, "f32", (2,)), axes=chosen, keep_dims=0), graph=True)
    clash = InvalidGroup("onednn_not_broadcastable", ["E1", "BRO-2"], "The shapes of a Maximum do not fit, or differ where it does not broadcast.", "infer", "not_broadcastable")
    for a, b in (((2,), (3,)), ((2, 3), (2,)), ((2, 3), (3, 3)), ((0,), (3,))):
        clash.add(f"{'by'.join(map(str, a))}_with_{'by'.join(map(str, b))}", one_op("Maximum", [logical(0, "f32", a), logical(1, "f32", b)], logical(2, "f32", a), auto_broadcast="numpy"), graph=True)
    for a, b in (((2, 3), (3,)), ((2, 3), (1, 3)), ((2,), (1,))):
        clash.add(f"none_{'by'.join(map(str, a))}_with_{'by'.join(map(str, b))}", one_op("Maximum", [logical(0, "f32", a), logical(1, "f32", b)], logical(2, "f32", a), auto_broadcast="none"), graph=True)
    output = InvalidGroup("onednn_output_shape", ["E2", "RED-3"], "The stated output shape is not the computed one.", "infer", "output_shape_mismatch")
    output.add("maximum", one_op("Maximum", [logical(0, "f32", (2,)), logical(1, "f32", (2,))], logical(2, "f32", (3,))), graph=True)
    output.add("reduce_kept_stated_dropped", one_op("ReduceMax", [logical(0, "f32", (2, 3))], logical(1, "f32", (2,)), axes=[1], keep_dims=1), graph=True)
    output.add("reduce_dropped_stated_kept", one_op("ReduceMax", [logical(0, "f32", (2, 3))], logical(1, "f32", (2, 1)), axes=[1], keep_dims=0), graph=True)
    output.add("reduce_zero_extent_erased", one_op("ReduceMax", [logical(0, "f32", (0, 3, 4))], logical(1, "f32", (4,)), axes=[1], keep_dims=0), graph=True)
    output.add("reduce_identity_stated_reduced", one_op("ReduceMax", [logical(0, "f32", (2, 3))], logical(1, "f32", ()), axes=[], keep_dims=0), graph=True)
    return [given, kinds, mixed, axes, clash, output]


def groups() -> list[InvalidGroup]:
    return [*shapes(), *types(), *counts(), *profile(), *at_run_time(), *onednn()]
