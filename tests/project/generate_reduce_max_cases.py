#!/usr/bin/env python3
"""Writes ReduceMax cases that ONNX's own cases do not cover, as folders that `supremum test` reads.

    /usr/bin/python3 tests/project/generate_reduce_max_cases.py OUT_DIR

Each case is written to OUT_DIR/test_<case>/ with model.onnx and test_data_set_0/{input,output}_N.pb. The expected outputs are written
by hand in this file, floats as the bits of each element; no code computes them. The same arguments give the same bytes. The cases: every version,
every type of a version, several and negative axes, absent and empty axes with noop_with_empty_axes, axes from every source, sets
without elements, NaNs, zeros of both signs, rows of -inf.
"""

from __future__ import annotations

import argparse
import shutil
from dataclasses import dataclass
from pathlib import Path

from onnx import AttributeProto, ModelProto, TensorProto, helper

OPSETS = (1, 11, 12, 13, 18, 20)
F16, BF16, F32, F64 = TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.FLOAT, TensorProto.DOUBLE
I8, I32, I64 = TensorProto.INT8, TensorProto.INT32, TensorProto.INT64
U8, U32, U64, BOOL = TensorProto.UINT8, TensorProto.UINT32, TensorProto.UINT64, TensorProto.BOOL
BYTES = {BOOL: 1, I8: 1, U8: 1, F16: 2, BF16: 2, F32: 4, I32: 4, U32: 4, F64: 8, I64: 8, U64: 8}
NAMES = {BOOL: "bool", I8: "int8", U8: "uint8", F16: "float16", BF16: "bfloat16", F32: "float32", I32: "int32", U32: "uint32",
         F64: "float64", I64: "int64", U64: "uint64"}  # fmt: skip
# The first version that has the type (TYP-4).
SINCE = {U32: 1, U64: 1, I32: 1, I64: 1, F16: 1, F32: 1, F64: 1, U8: 12, I8: 12, BF16: 13, BOOL: 20}

# The bits of some floats. Every NaN that is expected is the canonical one of its type (ORD-4).
NAN = {F16: 0x7E00, BF16: 0x7FC0, F32: 0x7FC00000, F64: 0x7FF8000000000000}
OTHER_NANS = {F16: (0x7C01, 0xFE00), BF16: (0x7F81, 0xFFC1), F32: (0x7F800001, 0xFFC12345), F64: (0x7FF0000000000001, 0xFFF8000000000000)}
PLUS_INF = {F16: 0x7C00, BF16: 0x7F80, F32: 0x7F800000, F64: 0x7FF0000000000000}
MINUS_INF = {F16: 0xFC00, BF16: 0xFF80, F32: 0xFF800000, F64: 0xFFF0000000000000}
MINUS_ZERO = {F16: 0x8000, BF16: 0x8000, F32: 0x80000000, F64: 0x8000000000000000}
LOWEST = {F16: 0xFBFF, BF16: 0xFF7F, F32: 0xFF7FFFFF, F64: 0xFFEFFFFFFFFFFFFF}
ONE = {F16: 0x3C00, BF16: 0x3F80, F32: 0x3F800000, F64: 0x3FF0000000000000}
TWO = {F16: 0x4000, BF16: 0x4000, F32: 0x40000000, F64: 0x4000000000000000}
MINUS_ONE = {F16: 0xBC00, BF16: 0xBF80, F32: 0xBF800000, F64: 0xBFF0000000000000}
SUBNORMAL = {F16: 0x0001, BF16: 0x0001, F32: 0x00000001, F64: 0x0000000000000001}
# The maximum of no elements (RED-6), as bits.
BOTTOM = {**MINUS_INF, BOOL: 0, U8: 0, U32: 0, U64: 0, I8: 0x80, I32: 0x80000000, I64: 0x8000000000000000}
# 0, 1, ..., 19 as float32.
COUNTING = [0x00000000, 0x3F800000, 0x40000000, 0x40400000, 0x40800000, 0x40A00000, 0x40C00000, 0x40E00000, 0x41000000, 0x41100000,
            0x41200000, 0x41300000, 0x41400000, 0x41500000, 0x41600000, 0x41700000, 0x41800000, 0x41880000, 0x41900000, 0x41980000]  # fmt: skip


@dataclass
class Data:
    """A tensor: its elements by their bits."""

    type: int
    shape: list[int]
    bits: list[int]

    def proto(self, name: str) -> TensorProto:
        raw = b"".join(bits.to_bytes(BYTES[self.type], "little") for bits in self.bits)
        return TensorProto(name=name, data_type=self.type, dims=self.shape, raw_data=raw)


@dataclass
class Case:
    """A model with one ReduceMax of x to y. `axes`: None omits them, "" is an input without a name."""

    name: str
    opset: int
    x: Data
    y: Data
    axes: list[int] | str | None = None
    keepdims: int | None = None
    noop: int | None = None
    source: str = "initializer"  # of the axes from opset 18 on, or "constant", "input", "default", "computed"

    def model(self) -> tuple[ModelProto, list[tuple[str, Data]]]:
        """The model, and its inputs."""
        inputs = [("x", self.x)]
        attributes: dict[str, object] = {}
        names, nodes, initializers, overridable = ["x"], [], [], []
        if isinstance(self.axes, str):
            names.append(self.axes)
        elif self.axes is not None and self.opset < 18:
            attributes["axes"] = self.axes
        elif self.axes is not None:
            names.append("axes")
            given = Data(I64, [len(self.axes)], [axis % 2**64 for axis in self.axes])
            if self.source == "constant":
                nodes.append(helper.make_node("Constant", [], ["axes"], value=given.proto("value")))
            elif self.source == "input":
                inputs.append(("axes", given))
            elif self.source == "computed":
                inputs.append(("given", given))
                nodes.append(helper.make_node("Max", ["given"], ["same"]))
                nodes.append(helper.make_node("Identity", ["same"], ["axes"]))
            else:
                initializers.append(given.proto("axes"))
                if self.source == "default":
                    overridable.append(helper.make_tensor_value_info("axes", I64, given.shape))
        if self.keepdims is not None:
            attributes["keepdims"] = self.keepdims
        if self.noop is not None:
            attributes["noop_with_empty_axes"] = self.noop
        node = helper.make_node("ReduceMax", names, ["y"])
        for key, value in attributes.items():
            attribute = node.attribute.add(name=key)
            if isinstance(value, list):  # helper.make_attribute cannot tell the kind of an empty list
                attribute.type = AttributeProto.INTS
                attribute.ints.extend(value)
            else:
                attribute.type = AttributeProto.INT
                attribute.i = value
        graph = helper.make_graph(
            [*nodes, node],
            self.name,
            [helper.make_tensor_value_info(name, data.type, data.shape) for name, data in inputs] + overridable,
            [helper.make_tensor_value_info("y", self.y.type, self.y.shape)],
            initializers,
        )
        opset = helper.make_operatorsetid("", self.opset)
        return helper.make_model(graph, opset_imports=[opset], producer_name="supremum"), inputs

    def write(self, out_dir: Path) -> None:
        folder = out_dir / f"test_{self.name}"
        if folder.exists():
            shutil.rmtree(folder)
        data_set = folder / "test_data_set_0"
        data_set.mkdir(parents=True)
        model, inputs = self.model()
        (folder / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
        for i, (name, data) in enumerate(inputs):
            (data_set / f"input_{i}.pb").write_bytes(data.proto(name).SerializeToString(deterministic=True))
        (data_set / "output_0.pb").write_bytes(self.y.proto("y").SerializeToString(deterministic=True))


def types_of(opset: int) -> list[int]:
    return [dtype for dtype, since in SINCE.items() if since <= opset]


def small(dtype: int) -> Data:
    """[[1, 2], [2, 1], [1, 1]] in any type but bool."""
    one, two = (ONE[dtype], TWO[dtype]) if dtype in ONE else (1, 2)
    return Data(dtype, [3, 2], [one, two, two, one, one, one])


def axes_cases() -> list[Case]:
    """The dimensions to reduce, and whether they are kept (RED-1 to RED-3, RED-5)."""
    cases = []
    # 0 to 11 in a shape of [2,3,2]
    cube = Data(I32, [2, 3, 2], list(range(12)))
    last, middle = Data(I32, [2, 3], [1, 3, 5, 7, 9, 11]), Data(I32, [2, 1, 2], [4, 5, 10, 11])
    outer = Data(I32, [3], [7, 9, 11])
    everything, kept = Data(I32, [], [11]), Data(I32, [1, 1, 1], [11])
    for opset in OPSETS:
        v = f"v{opset}"
        cases += [
            Case(f"reduce_max_{v}_last_axis", opset, cube, last, [2], 0),
            Case(f"reduce_max_{v}_middle_axis_keepdims_by_default", opset, cube, middle, [1]),
            Case(f"reduce_max_{v}_two_axes_out_of_order", opset, cube, outer, [2, 0], 0),
            Case(f"reduce_max_{v}_absent_axes", opset, cube, kept),
            Case(f"reduce_max_{v}_absent_axes_no_keepdims", opset, cube, everything, None, 0),
            Case(f"reduce_max_{v}_empty_axes", opset, cube, kept, [], 1),
            Case(f"reduce_max_{v}_scalar", opset, Data(I32, [], [5]), Data(I32, [], [5])),
        ]
        if opset >= 11:
            cases += [
                Case(f"reduce_max_{v}_negative_axis", opset, cube, last, [-1], 0),
                Case(f"reduce_max_{v}_negative_and_other_axes", opset, cube, outer, [0, -1], 0),
            ]
        if opset < 18:
            continue
        for noop, whole, dropped in ((0, kept, everything), (1, cube, cube)):
            cases += [
                Case(f"reduce_max_{v}_absent_axes_noop_{noop}", opset, cube, whole, None, 1, noop),
                Case(f"reduce_max_{v}_absent_axes_noop_{noop}_no_keepdims", opset, cube, dropped, None, 0, noop),
                Case(f"reduce_max_{v}_empty_axes_noop_{noop}", opset, cube, whole, [], 1, noop),
                Case(f"reduce_max_{v}_empty_axes_noop_{noop}_no_keepdims", opset, cube, dropped, [], 0, noop),
                Case(f"reduce_max_{v}_empty_axes_input_noop_{noop}", opset, cube, whole, [], 1, noop, "input"),
                Case(f"reduce_max_{v}_nameless_axes_noop_{noop}", opset, cube, whole, "", 1, noop),
                Case(f"reduce_max_{v}_given_axes_noop_{noop}", opset, cube, last, [2], 0, noop),
            ]
        cases += [
            Case(f"reduce_max_{v}_axes_from_{source}", opset, cube, last, [-1], 0, None, source)
            for source in ("constant", "input", "default", "computed")
        ]
    return cases


def type_cases() -> list[Case]:
    """Every type of every version (TYP-4)."""
    cases = []
    for opset in OPSETS:
        for dtype in types_of(opset):
            name = f"reduce_max_v{opset}_{NAMES[dtype]}"
            if dtype == BOOL:
                x = Data(BOOL, [4, 2], [0, 0, 0, 1, 1, 0, 1, 1])
                cases.append(Case(name, opset, x, Data(BOOL, [4], [0, 1, 1, 1]), [1], 0))
            else:
                x = small(dtype)
                one, two = x.bits[0], x.bits[1]
                cases.append(Case(name, opset, x, Data(dtype, [3], [two, two, one]), [1], 0))
    top = {I8: 0x7F, I32: 0x7FFFFFFF, I64: 0x7FFFFFFFFFFFFFFF, U8: 0xFF, U32: 0xFFFFFFFF, U64: 0xFFFFFFFFFFFFFFFF}
    for dtype, greatest in top.items():
        # Signed: least, greatest, -1 is all bits. Unsigned: 0, the middle, the greatest.
        least, all_bits = BOTTOM[dtype], 256 ** BYTES[dtype] - 1
        x = Data(dtype, [3, 2], [least, greatest, all_bits, least, least, least])
        y = Data(dtype, [3], [greatest, all_bits, least])
        cases.append(Case(f"reduce_max_extremes_{NAMES[dtype]}", 13, x, y, [1], 0))
    return cases


def empty_cases() -> list[Case]:
    """Sets without elements (RED-6), in every type; outputs without elements."""
    cases = []
    for dtype, bottom in BOTTOM.items():
        opset = max(13, SINCE[dtype])
        name = f"reduce_max_empty_set_{NAMES[dtype]}"
        none = Data(dtype, [3, 0], [])
        cases += [
            Case(name, opset, none, Data(dtype, [3], [bottom] * 3), [1], 0),
            Case(f"{name}_keepdims", opset, none, Data(dtype, [3, 1], [bottom] * 3), [1], 1),
            Case(f"{name}_all_axes", opset, none, Data(dtype, [], [bottom]), None, 0),
        ]
    no_output = Data(F32, [0, 3, 4], [])
    for opset in (1, 13, 18, 20):
        cases += [
            Case(f"reduce_max_v{opset}_no_elements_left", opset, no_output, Data(F32, [0, 4], []), [1], 0),
            Case(f"reduce_max_v{opset}_no_elements_left_keepdims", opset, no_output, Data(F32, [0, 1, 4], []), [1], 1),
            Case(f"reduce_max_v{opset}_zero_extent_reduced_with_another", opset, no_output,
                 Data(F32, [4], [MINUS_INF[F32]] * 4), [0, 1], 0),
        ]  # fmt: skip
    return cases


def float_cases() -> list[Case]:
    """NaNs, zeros and infinities in every float type (ORD-2 to ORD-4, RED-7)."""
    cases = []
    for dtype in (F16, BF16, F32, F64):
        name, zero, nan = NAMES[dtype], 0, NAN[dtype]
        signalling, negative = OTHER_NANS[dtype]
        low, high, neg0 = MINUS_INF[dtype], PLUS_INF[dtype], MINUS_ZERO[dtype]
        one, minus_one, tiny = ONE[dtype], MINUS_ONE[dtype], SUBNORMAL[dtype]
        nans = Data(dtype, [6, 3], [nan, one, high, one, nan, high, high, one, nan, signalling, one, one, low, negative, low,
                                    one, one, signalling])  # fmt: skip
        zeros = Data(dtype, [5, 3], [neg0, zero, neg0, zero, neg0, neg0, neg0, neg0, zero, neg0, neg0, neg0, minus_one, neg0, low])
        infinities = Data(dtype, [4, 3], [low, low, low, low, LOWEST[dtype], low, high, one, low, minus_one, low, minus_one])
        subnormals = Data(dtype, [2, 3], [zero, tiny, neg0, neg0 | tiny, minus_one, low])
        one_each = Data(dtype, [5, 1], [signalling, negative, neg0, low, tiny])
        cases += [
            Case(f"reduce_max_nan_{name}", 13, nans, Data(dtype, [6], [nan] * 6), [1], 0),
            Case(f"reduce_max_nan_columns_{name}", 13, nans, Data(dtype, [3], [nan] * 3), [0], 0),
            Case(f"reduce_max_zeros_{name}", 13, zeros, Data(dtype, [5], [zero, zero, zero, neg0, neg0]), [1], 0),
            Case(f"reduce_max_infinities_{name}", 13, infinities, Data(dtype, [4], [low, LOWEST[dtype], high, minus_one]), [1], 0),
            Case(f"reduce_max_subnormals_{name}", 13, subnormals, Data(dtype, [2], [tiny, neg0 | tiny]), [1], 0),
            Case(f"reduce_max_extent_one_{name}", 13, one_each, Data(dtype, [5], [nan, nan, neg0, low, tiny]), [1], 0),
            Case(f"reduce_max_identity_{name}", 18, one_each, Data(dtype, [5, 1], [nan, nan, neg0, low, tiny]), [], 0, 1),
        ]
    # A NaN that is not the first, in a row longer than a vector: neither NaN nor 19 may be lost.
    row = [COUNTING[0], NAN[F32], *COUNTING[2:]]
    cases += [
        Case("reduce_max_nan_second_of_twenty", 13, Data(F32, [20], row), Data(F32, [1], [NAN[F32]])),
        Case("reduce_max_twenty", 13, Data(F32, [20], COUNTING), Data(F32, [1], [COUNTING[19]])),
        Case("reduce_max_negative_zeros_8193", 13, Data(F32, [8193], [MINUS_ZERO[F32]] * 8193), Data(F32, [1], [MINUS_ZERO[F32]])),
    ]
    return cases


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out_dir", type=Path, metavar="OUT_DIR")
    out_dir = parser.parse_args().out_dir
    cases = [*axes_cases(), *type_cases(), *empty_cases(), *float_cases()]
    names = [case.name for case in cases]
    if len(set(names)) != len(names):
        raise SystemExit("generate_reduce_max_cases.py: two cases have one name")
    for case in cases:
        case.write(out_dir)
    print(f"ReduceMax: {len(cases)} cases in {out_dir}")


if __name__ == "__main__":
    main()
