"""bfloat16 as a type of NumPy's user: that of the package ml_dtypes, or the stand-in for it where that is not installed.

    ml_dtypes_test.py FOLDER    FOLDER being where CMake has built the stand-in
"""

import importlib.util
import sys
import unittest

from support import bits_of, np, supremum

NAN, LOW = 0x7FC0, 0xFF80


def bf16(*bits):
    return np.array(bits, "u2").view(ml_dtypes.bfloat16)


class MlDtypes(unittest.TestCase):
    def has_bits(self, array, *bits):
        self.assertEqual((array.dtype, bits_of(array).ravel().tolist()), (np.dtype(ml_dtypes.bfloat16), list(bits)))

    # Rules: TYP-1
    def test_it_is_what_numpy_calls_a_users_type(self):
        dtype = np.dtype(ml_dtypes.bfloat16)
        self.assertGreaterEqual(dtype.num, 256)
        self.assertEqual((dtype.name, dtype.itemsize), ("bfloat16", 2))

    # Rules: ORD-2, ORD-3, ORD-4
    def test_max(self):
        a = bf16(0x7F81, 0x8000, 0x3F80)  # a signalling NaN, -0, 1
        self.has_bits(supremum.maximum_of(a, np.zeros(3, ml_dtypes.bfloat16)), NAN, 0, 0x3F80)
        self.has_bits(supremum.maximum_of(a[::-1], a[:1]), NAN, NAN, NAN)
        self.has_bits(supremum.maximum(bf16(0x3F80, 0xC000).reshape(2, 1), bf16(0x4000)), 0x4000, 0x4000)
        columns = np.asfortranarray(bf16(1, 2, 3, 4, 5, 6).reshape(2, 3))
        self.assertTrue(supremum.maximum_of(columns).flags.f_contiguous)

    def test_rank_0_is_returned_as_numpy_returns_it(self):
        result = supremum.maximum_of(bf16(0x3F80)[0:1].reshape(()), bf16(0x4000))
        self.has_bits(result, 0x4000)
        largest = supremum.max(bf16(0x3F80, 0x4000))
        self.assertIs(type(largest), ml_dtypes.bfloat16)
        self.assertEqual(float(largest), 2.0)

    # Rules: RED-1, RED-6
    def test_max_reduces(self):
        a = bf16(0x3F80, 0x4000, 0xC000, 0x8000).reshape(2, 2)
        self.has_bits(supremum.max(a, axis=0), 0x3F80, 0x4000)
        self.has_bits(supremum.max(a, axis=1, keepdims=True, initial=1.5), 0x4000, 0x3FC0)
        self.has_bits(supremum.max(a, axis=1, where=np.array([True, False])), 0x3F80, 0xC000)
        self.has_bits(supremum.max(a[:0], axis=0), LOW, LOW)
        self.has_bits(supremum.max(a, axis=1, initial=a[0, 1:2].reshape(())), 0x4000, 0x4000)

    def test_out(self):
        out = bf16(7, 7)
        self.assertIs(supremum.maximum_of(bf16(0x3F80, 0xC000), bf16(0), out=out), out)
        self.has_bits(out, 0x3F80, 0)

    def test_nothing_is_converted(self):
        with self.assertRaises(supremum.InvalidType) as caught:
            supremum.maximum_of(bf16(0), np.zeros(1, "f4"))
        self.assertEqual(caught.exception.rule, "TYP-2")
        with self.assertRaises(supremum.InvalidType) as caught:
            supremum.maximum_of(bf16(0).view(np.dtype(ml_dtypes.bfloat16).newbyteorder()))
        self.assertEqual(caught.exception.rule, "TYP-1")

    def test_bounds(self):
        result = supremum.max_with_bounds([bf16(0x4040)], [0.5])
        self.has_bits(result.value, 0x4040)
        self.has_bits(result.upper, 0x4060)

    def test_a_models_outputs(self):
        try:
            import onnx.parser
        except ImportError:
            self.skipTest("python3-onnx is not installed")
        text = '<ir_version: 8, opset_import: ["": 13]> g (bfloat16[2] a) => (bfloat16[2] y) {y = Max(a)}'
        outputs = supremum.load(onnx.parser.parse_model(text)).run([bf16(0xFF81, 0x3F80)])
        self.has_bits(outputs["y"], NAN, 0x3F80)
        outputs["y"][0] = outputs["y"][1]  # its memory is its own

    def test_beside_tensors_of_pytorch_the_first_decides(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        tensor = torch.tensor([2.0, -1.0], dtype=torch.bfloat16)
        self.has_bits(supremum.maximum_of(bf16(0x3F80, 0), tensor), 0x4000, 0)
        self.assertEqual(supremum.maximum_of(tensor, bf16(0x3F80, 0)).tolist(), [2.0, 0.0])

    def test_another_users_type_is_refused(self):
        try:
            from numpy.core._rational_tests import rational
        except ImportError:
            self.skipTest("this NumPy has no example of a user's type")
        with self.assertRaises(supremum.InvalidType) as caught:
            supremum.maximum_of(np.array([rational(1, 2)]))
        self.assertEqual(caught.exception.code, supremum.ErrorCode.type_not_admitted)


if __name__ == "__main__":
    sys.path.append(sys.argv.pop())  # behind what is installed
    if importlib.util.find_spec("ml_dtypes") is None:
        print("skipped: neither ml_dtypes nor the stand-in for it is there, which takes NumPy's headers")
        sys.exit(77)
    import ml_dtypes

    print(f"bfloat16 of {ml_dtypes.__file__}")
    unittest.main()
