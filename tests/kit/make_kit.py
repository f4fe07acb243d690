#!/usr/bin/env python3
"""Writes a small kit, for the tests of runners: a few of the kit's cases of each kind.

    tests/kit/make_kit.py DIR
"""

import shutil
import sys
from pathlib import Path

import onnx

from supremum.kit import files

VALID = """
max_broadcast_matrix/2by3_with_3/float32
max_nan_position/of_3_at_1_in_0/float32
max_versions_broadcast/opset_8_minus_zero_zero/float64
max_inputs/of_3_greatest_last/int8
max_broadcast_empty/0by3_with_1by3/int64
max_inputs_broadcast/2by1_1by3_scalar/bfloat16
max_one_input/nan_signalling/float16
max_versions_identical/opset_6_one/float32
reduce_negative_axes/axes_0_negative/float32
reduce_versions/opset_18_zeros/float32
reduce_versions/opset_11_absent/float64
reduce_identity/opset_18_axes_empty_nans/float32
reduce_empty/0_axes_0_keepdims_1/float32
reduce_bool/of_3_true_at_last/bool
reduce_winner_position/of_7_at_first/uint16
""".split()  # the last is of a type that ONNX does not have
INVALID = """
invalid_axes_form/opset_18_axes_as_attribute
invalid_not_broadcastable/opset_8_2_with_3
invalid_axis/opset_1_too_high
onednn_axes_given/f32_neither
profile_attribute/opset_1_keepdims
profile_no_broadcast/opset_8_2by3_with_3
run_not_broadcastable/opset_8_symbols
""".split()


def main() -> None:
    folder, wanted = Path(sys.argv[1]), {*VALID, *INVALID}
    shutil.rmtree(folder, ignore_errors=True)
    cases = files.lists().chosen(lambda case_id: case_id in wanted)
    missing = wanted - {entry["id"] for entry in [*cases.valid, *cases.invalid]}
    if missing:
        sys.exit(f"no case is named {sorted(missing)}")
    folder.mkdir(parents=True)
    files.write(folder, cases)
    for path in folder.glob("onnx/**/model.onnx"):
        # Its type is not stated: a runner that writes what it infers into the file is noticed.
        model = onnx.load(str(path))
        model.graph.node.add().CopyFrom(onnx.helper.make_node("Identity", ["x0"], ["unused"]))
        onnx.save(model, str(path))


if __name__ == "__main__":
    main()
