"""supremum.kit, beside the command and the files that it writes.

    kit_test.py CASES    CASES being a folder that `supremum-audit cases` has written
"""

import copy
import dataclasses
import sys
import tempfile
import unittest
from pathlib import Path

from support import np, supremum

from supremum import kit


class Cases(unittest.TestCase):
    def test_they_are_those_that_the_command_writes(self):
        built_in, written = kit.cases(), kit.cases(folder=CASES)
        self.assertGreater(len(built_in), 9000)
        self.assertEqual({case.id: case for case in built_in}, {case.id: case for case in written})

    def test_some_of_them(self):
        self.assertEqual({case.type for case in kit.cases(operator="Max", types=["int8"])}, {"int8"})
        self.assertTrue(all("RED-6" in case.rules for case in kit.cases(rules=["RED-6"])))
        self.assertEqual([case.id for case in kit.cases(ids="reduce_bool/empty_0_axes_0/bool")], ["reduce_bool/empty_0_axes_0/bool"])
        with self.assertRaisesRegex(ValueError, r"no case of the kit has types=\['float31'\]; kit.cases\(\) lists all"):
            kit.cases(types=["float31"])

    def test_a_text_is_one_name(self):
        for name, value in (("types", "float32"), ("rules", "ORD-2"), ("ids", "max_signed_zeros/*")):
            self.assertEqual(kit.cases(**{name: value}), kit.cases(**{name: [value]}))

    def test_a_folder_without_cases(self):
        with self.assertRaisesRegex(FileNotFoundError, "no-such-folder/cases.json is missing; .*supremum-audit cases DIR"):
            kit.cases(folder="no-such-folder")
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(FileNotFoundError, "cases.json is missing"):
                kit.cases(folder=folder)
            for text, message in (("[]", "cannot be read as part of a kit"), ('{"cases": []}', "has no cases; .*supremum-audit cases DIR")):
                (Path(folder) / "cases.json").write_text(text)
                with self.assertRaisesRegex(ValueError, f"cases.json {message}"):
                    kit.cases(folder=folder)

    def test_a_change_to_a_case_changes_no_other_call(self):
        name = "reduce_shapes/3_axes_minus_1_keepdims_0/int32"
        (changed,) = kit.cases(ids=name)
        before = copy.deepcopy(changed)
        changed.attributes["axes"].append(7)
        changed.attributes.clear()
        changed.inputs.clear()
        self.assertEqual(kit.cases(ids=name), [before])

    def test_supremum_passes_every_one(self):
        count = 0
        for case in kit.cases():
            try:
                arrays = case.arrays()
            except kit.Unsupported:
                continue
            if case.operator == "Max":
                case.check(supremum.maximum_of(*arrays))
            else:
                case.check(supremum.max(arrays[0], axis=case.axes, keepdims=case.keepdims))
            count += 1
        self.assertGreater(count, 7500)

    def test_models_are_those_of_the_files(self):
        try:
            import onnx
        except ImportError as missing:
            self.skipTest(str(missing))
        without_model = []
        for case in kit.cases(folder=CASES):
            if case.onnx is None:
                without_model.append(case)
                with self.assertRaisesRegex(kit.Unsupported, "ONNX has no ReduceMax of u?int16"):
                    case.model()
                continue
            written = onnx.load(str(case.onnx / "model.onnx"))
            self.assertEqual(case.model().SerializeToString(deterministic=True), written.SerializeToString(deterministic=True), case.id)
        self.assertTrue(without_model)


class Results(unittest.TestCase):
    def test_whose_rules_are_broken(self):
        (case,) = kit.cases(ids="max_signed_zeros/of_1_minus_zero_zero/float32")
        self.assertEqual(case.judge(np.float32([-0.0])).breaks, "SONNX")
        self.assertEqual(case.judge(np.float32([0.0])).breaks, "")
        (case,) = kit.cases(ids="max_nan_pairs/quiet_then_infinity/float32")
        self.assertEqual(case.judge(np.uint32([0x7FC00001]).view("f4")).breaks, "supremum")
        self.assertEqual(case.judge(np.float32([np.inf])).breaks, "SONNX")
        (case,) = kit.cases(ids="reduce_shapes/3_axes_minus_1_keepdims_0/int32")
        self.assertEqual(case.judge(np.int32(7)).breaks, "ONNX")

    def test_only_zeros_and_nans_are_left_open_by_onnx(self):
        for name in (
            "max_ordinary/of_1/float32",  # MAX-2, a rule of SONNX
            "max_broadcast_cube/2by3by1_with_1/float32",  # a rule of BRO
            "max_permutations/order_012/float32",  # ORD-5, a rule of supremum
            "reduce_subnormals/minus_greatest_subnormal_last_of_2_minus_least_normal/float32",  # ORD-6, the same
            "max_signed_zeros/of_1_minus_zero_zero/float32",  # ORD-2, a rule of SONNX
            "max_nan_pairs/quiet_then_infinity/float32",
        ):
            (case,) = kit.cases(ids=name)
            right = case.output.numpy()
            for text, result in (
                ("wrong value", np.full_like(right, 1e30)),
                ("wrong shape", right[None]),
                ("wrong type", right.astype("f8")),
            ):
                if text == "wrong value" and np.isnan(right).any():
                    continue
                verdict = case.judge(result)
                self.assertEqual((verdict.text, verdict.breaks), (text, "ONNX"), name)
        (case,) = kit.cases(ids="reduce_least/all_least_2/float32")
        self.assertEqual(case.judge(np.full_like(case.output.numpy(), np.finfo("f4").min)).breaks, "ONNX")

    def test_an_infinity_that_is_lost_counts_before_a_nan_that_is_lost(self):
        (case,) = kit.cases(ids="max_nan_pairs/quiet_then_infinity/float32")
        both = kit.Tensor.of(np.float32([np.nan, np.inf]))
        case = dataclasses.replace(case, output=both)
        verdict = case.judge(np.float32([1, 1]))
        self.assertEqual((verdict.text, verdict.breaks), ("a finite number in place of an infinity", "ONNX"))

    def test_elements_that_do_not_fill_the_shape_are_a_wrong_value(self):
        (case,) = kit.cases(ids="max_ordinary/of_4/float32")
        right = case.output.content
        for content in (right[:-4], right[:-1], b"", right + right[:4]):
            with self.assertRaises(kit.Deviation) as caught:
                case.check(kit.Tensor(case.type, case.output.shape, content))
            self.assertEqual(caught.exception.verdict.text, "wrong value")
            self.assertIn(f"{len(content)} bytes, expected {len(right)}\n", str(caught.exception))

    def test_a_result_of_no_type_of_the_kit(self):
        (case,) = kit.cases(ids="max_signed_zeros/of_1_minus_zero_zero/float32")
        results = [None, {}, object(), np.zeros(1, "V0"), np.zeros(1, "V4"), np.zeros(1, [("a", "f4")]), np.array(["a"]), np.zeros(1, "c8")]
        results += [np.zeros(1, "M8[s]"), kit.Tensor("int4", (1,), bytes(1)), kit.Tensor("float8e5m2", (1,), bytes(1)), kit.Tensor("", (1,), b"")]
        for result in results:
            with self.assertRaises(kit.Deviation) as caught:
                case.check(result)
            self.assertIn(caught.exception.verdict.text, ("wrong shape", "wrong type"))
            self.assertRegex(str(caught.exception), r"\n  actual:   [\w\[]*\]?\[1?\], not a type of the kit\n")
        with self.assertRaisesRegex(ValueError, "'int4' is not a type of the kit"):
            print(kit.Tensor("int4", (1,), bytes(1)).bits)

    def test_a_masked_array_is_refused_where_it_hides_elements(self):
        (case,) = kit.cases(ids="max_ordinary/of_4/float32")
        right = np.ma.array(case.output.numpy())
        case.check(right)
        right[3] = np.ma.masked
        for result in (right, np.ma.masked):
            with self.assertRaisesRegex(ValueError, r"masked array with 1 hidden element; .* filled\(\)"):
                case.check(result)

    def test_a_result_of_another_type_or_byte_order(self):
        (case,) = kit.cases(ids="max_signed_zeros/of_1_minus_zero_zero/float32")
        self.assertEqual(case.judge(np.zeros(1)).text, "wrong type")
        self.assertTrue(case.judge(np.zeros(1, ">f4")))
        self.assertEqual(case.judge(0).text, "wrong shape")

    def test_the_text_of_a_deviation(self):
        (case,) = kit.cases(ids="max_signed_zeros/of_1_minus_zero_zero/float32")
        with self.assertRaises(AssertionError) as caught:
            case.check(np.float32([-0.0]))
        text = str(caught.exception)
        self.assertRegex(text, r"^max_signed_zeros/of_1_minus_zero_zero/float32: wrong sign of zero, against ORD-2; violates SONNX\n  ORD-2: On floats")
        self.assertIn("\n  Max, opset 13\n", text)
        self.assertIn("\n  actual:   float32[1] -0 (0x80000000)\n  expected: float32[1] 0 (0x00000000)", text)
        long = kit.Tensor("int8", (10,), bytes(range(250, 256)) + bytes(4))
        self.assertEqual(str(long), "int8[10] -6 (0xfa), -5 (0xfb), -4 (0xfc), -3 (0xfd), -2 (0xfe), -1 (0xff), 0 (0x00), 0 (0x00), and 2 more")


if __name__ == "__main__":
    CASES = Path(sys.argv.pop()).resolve()
    unittest.main()
