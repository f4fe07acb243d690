"""Errors: their classes, codes, rules and texts; nothing is written."""

import pickle
import re
import unittest
from pathlib import Path

from support import np, supremum

ROOT = Path(__file__).resolve().parents[2]
F = np.zeros((2, 3), "f4")

# Each case: the call, the class of its error, the error code, the rule (None if there is none), and a pattern of the error text.
CASES = [
    (lambda: supremum.maximum_of(), ValueError, "input_count", "MAX-1", "was given 0"),
    (lambda: supremum.maximum_of(F, F.astype("f8")), TypeError, "type_mismatch", "TYP-2", "input 1 has type float64"),
    (lambda: supremum.maximum_of(F, np.zeros(4, "f4")), ValueError, "not_broadcastable", "BRO-2", r"\[2,3\] and input 1 .*\[4\]"),
    (lambda: supremum.maximum_of(*[F] * 9, F[:, :2]), ValueError, "not_broadcastable", "BRO-2", "input 9"),
    (lambda: supremum.maximum_of(F > 0), TypeError, "type_not_admitted", "TYP-3", "bool"),
    (lambda: supremum.maximum_of(F.astype(">f4")), TypeError, "type_not_admitted", "TYP-1", "'>f4'.*byte order"),
    (lambda: supremum.maximum_of(F.astype("c8")), TypeError, "type_not_admitted", "TYP-1", "'<c8'.*no order"),
    (lambda: supremum.maximum_of(memoryview(b"1").cast("c")), TypeError, "type_not_admitted", "TYP-1", "'c'"),
    (lambda: supremum.max(np.array(["2020", "NaT"], "M8[D]")), TypeError, "type_not_admitted", "TYP-1", "NaT.*NumPy's own function"),
    (lambda: supremum.max(np.zeros(2, "m8[s]")), TypeError, "type_not_admitted", "TYP-1", "NaT.*NumPy's own function"),
    (lambda: supremum.max(np.datetime64("NaT")), TypeError, "type_not_admitted", "TYP-1", "datetime64.*NumPy's own function"),
    (lambda: supremum.maximum(np.zeros(8, "u1"), np.timedelta64(1, "s")), TypeError, "type_not_admitted", "TYP-1", "timedelta64.*NumPy's own"),
    (lambda: supremum.max(np.array([1, None])), TypeError, "type_not_admitted", "TYP-1", "make an array of one numeric type"),
    (lambda: supremum.max(np.array(["a"])), TypeError, "type_not_admitted", "TYP-1", "'<U1'.*NumPy's own function"),
    (lambda: supremum.max(np.zeros(2, "V2")), TypeError, "type_not_admitted", "TYP-1", "two bytes without a type.*reinterpret"),
    (lambda: supremum.max(np.zeros(2, "V5")), TypeError, "type_not_admitted", "TYP-1", "bytes without a type"),
    (lambda: supremum.max(np.zeros(2, [("a", "f4")])), TypeError, "type_not_admitted", "TYP-1", "one of its fields"),
    (lambda: supremum.max(np.zeros(2, "g")), TypeError, "type_not_admitted", "TYP-1", "another width rounds"),
    (lambda: supremum.max(np.zeros(2, ">i2")), TypeError, "type_not_admitted", "TYP-1", "newbyteorder"),
    (lambda: supremum.maximum_of([1, 2]), TypeError, "invalid_argument", None, "input 0 is of type list"),
    (lambda: supremum.maximum_of(F, 0.5), TypeError, "invalid_argument", None, "input 1 is of type float"),
    (lambda: supremum.maximum_of(np.ma.masked_array(F)), TypeError, "invalid_argument", None, "masked"),
    (lambda: supremum.maximum_of(F, out=np.zeros(3, "f4")), ValueError, "output_shape_mismatch", "E2", r"\[3\].*\[2,3\]"),
    (lambda: supremum.maximum_of(F, out=np.zeros((2, 3))), TypeError, "type_mismatch", "TYP-2", "float64"),
    (lambda: supremum.maximum_of(F, out=np.broadcast_to(np.zeros(3, "f4"), (2, 3))), ValueError, "invalid_argument", None, "read-only"),
    (lambda: supremum.maximum_of(F, treads=2), TypeError, "invalid_argument", None, "'treads'; it has 'out', 'threads'"),
    (lambda: supremum.maximum_of(F, threads=-1), ValueError, "invalid_argument", None, "threads is -1"),
    (lambda: supremum.maximum_of(F, threads="2"), TypeError, "invalid_argument", None, "threads is of type str"),
    (lambda: supremum.maximum(F), TypeError, "invalid_argument", None, "two arrays"),
    (lambda: supremum.maximum(F, F, F), TypeError, "invalid_argument", None, "given 3; pass the output as out=.*maximum_of"),
    (lambda: supremum.maximum(F, F, output=F), TypeError, "invalid_argument", None, "'output'; it has 'out'"),
    (lambda: supremum.max(), TypeError, "invalid_argument", None, "no array"),
    (lambda: supremum.max(F, 0, False, None), TypeError, "invalid_argument", None, "given 4 arguments"),
    (lambda: supremum.max(F, 0, F), TypeError, "invalid_argument", None, "given 3 arguments; pass out=.*maximum_of"),
    (lambda: supremum.max(F, 0, None), TypeError, "invalid_argument", None, "given 3 arguments; pass out="),
    (lambda: supremum.max(F, F), TypeError, "invalid_argument", None, "type numpy.ndarray; .*element-wise maximum is maximum"),
    (lambda: supremum.max(F, [1.0, 2.0]), TypeError, "invalid_argument", None, "type float; .*element-wise maximum is maximum"),
    (lambda: supremum.max(F, memoryview(F)), TypeError, "invalid_argument", None, "type memoryview; .*element-wise maximum is maximum"),
    (lambda: supremum.max(F, axes=0), TypeError, "invalid_argument", None, "'axes'; it has 'x', 'axis'"),
    (lambda: supremum.max(F, axis=2), ValueError, "axis", "RED-2", r"axis 2 .*\[-2, 1\]"),
    (lambda: supremum.max(F, axis=2**70), ValueError, "axis", "RED-2", "out of range"),
    (lambda: supremum.max(F, axis=(0, -2)), ValueError, "axis", "RED-2", "axis -2 is the dimension that 0 names"),
    (lambda: supremum.max(F, axis="0"), TypeError, "invalid_argument", None, "type str"),
    (lambda: supremum.max(F, axis=(0.0,)), TypeError, "invalid_argument", None, "type float"),
    (lambda: supremum.max(F, initial=np.float64(1).reshape(1)), TypeError, "type_mismatch", "TYP-2", "initial"),
    (lambda: supremum.max(F, initial=np.zeros(1, "f4")), ValueError, "invalid_argument", None, r"initial has shape \[1\]"),
    (lambda: supremum.max(np.zeros(1, "i1"), initial=1.5), TypeError, "type_mismatch", "TYP-2", "int8"),
    (lambda: supremum.max(np.zeros(1, "i1"), initial=128), ValueError, "invalid_argument", None, "128.*int8"),
    (lambda: supremum.max(np.zeros(1, "u8"), initial=-1), ValueError, "invalid_argument", None, "-1.*uint64"),
    (lambda: supremum.max(np.zeros(1, bool), initial=1), TypeError, "type_mismatch", "TYP-2", "bool"),
    (lambda: supremum.max(F, initial="a"), TypeError, "invalid_argument", None, "initial is of type str"),
    (lambda: supremum.max(F, where=F), TypeError, "type_mismatch", "TYP-2", "where has type float32"),
    (lambda: supremum.max(F, where=np.ones(2, bool)), ValueError, "not_broadcastable", "BRO-2", "where"),
    (lambda: supremum.max(F[0], where=np.ones((2, 3), bool)), ValueError, "not_broadcastable", "BRO-2", "where"),
    (lambda: supremum.load("no such file.onnx"), FileNotFoundError, "io", None, "no such file.onnx"),
    (lambda: supremum.load(b"\xff\xff"), ValueError, "malformed_file", None, "model"),
    (lambda: supremum.load(3), TypeError, "invalid_argument", None, "type int"),
    (lambda: supremum.load(b"", max_bytes=1.5), TypeError, "invalid_argument", None, "max_bytes is of type float"),
    (lambda: supremum.load(b"", max_bytes=-1), ValueError, "invalid_argument", None, "max_bytes is -1"),
    (lambda: supremum.check(b"", profile=None), TypeError, "invalid_argument", None, "profile is of type NoneType"),
    (lambda: supremum.load("a", limit=3), TypeError, "invalid_argument", None, "'limit'; it has 'model', 'max_bytes'"),
    (lambda: supremum.check(b"", profile="strict"), ValueError, "invalid_argument", None, "'strict'; expected 'onnx' or 'sonnx'"),
    (lambda: supremum.check(b"", strict=True), TypeError, "invalid_argument", None, "has no keyword 'strict'"),
]


class Errors(unittest.TestCase):
    def test_each_has_its_class_code_rule_and_text(self):
        for call, kind, code, rule, text in CASES:
            with self.subTest(code=code, text=text):
                with self.assertRaisesRegex(supremum.Error, text) as caught:
                    call()
                error = caught.exception
                self.assertIsInstance(error, kind)
                self.assertIs(type(error), {ValueError: supremum.InvalidValue, FileNotFoundError: supremum.MissingFile, TypeError: supremum.InvalidType}[kind])
                self.assertEqual((error.code.name, error.rule), (code, rule))

    def test_overlap_is_refused_and_nothing_is_written(self):
        a = np.arange(6.0)
        before = a.copy()
        once = np.lib.stride_tricks.as_strided(a, (6,), (0,))  # writes six elements to one address
        for call, rule in (
            (lambda: supremum.maximum_of(a[1:], out=a[:-1]), "MEM-2"),
            (lambda: supremum.maximum_of(a, out=a[::-1]), "MEM-2"),
            (lambda: supremum.maximum_of(np.zeros(6), out=once), "MEM-1"),
            (lambda: supremum.max(a, out=a[2:3].reshape(())), "MEM-2"),
            (lambda: supremum.max(a, where=before > 2, out=a[2:3].reshape(())), "MEM-2"),
        ):
            with self.assertRaises(supremum.InvalidValue) as caught:
                call()
            self.assertEqual((caught.exception.code.name, caught.exception.rule), ("overlap", rule))
            self.assertEqual(a.tolist(), before.tolist())

    def test_out_is_as_it_was(self):
        out = np.full((2, 3), 7, "f4")
        for call in (
            lambda: supremum.maximum_of(F, np.zeros(4, "f4"), out=out),
            lambda: supremum.maximum_of(F, out=out, thread=1),
            lambda: supremum.max(F[None], axis=0, initial=[], out=out),
            lambda: supremum.max(F[None], axis=0, where=np.ones(2, bool), out=out),
        ):
            with self.assertRaises(supremum.Error):
                call()
            self.assertTrue((out == 7).all())

    def test_codes_are_those_of_the_table(self):
        page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8").split("## Exit statuses")[0]
        listed = {name: int(value) for value, name in re.findall(r"^\| (\d+) \| (\w+) \|", page, re.MULTILINE)}
        self.assertEqual({code.name: code.value for code in supremum.ErrorCode}, listed)

    def test_an_error_survives_pickling(self):
        with self.assertRaises(supremum.Error) as caught:
            supremum.maximum_of(F, np.zeros(4, "f4"))
        copy = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(copy), copy.code, copy.rule), (str(caught.exception), 60, "BRO-2"))
if __name__ == "__main__":
    unittest.main()
