"""The further conformance cases in Python: by the module, with NumPy's strided arrays, and with planted faults."""

import dataclasses
import functools
import sys
import unittest
from fractions import Fraction

from support import np, supremum

from supremum import kit, kit_further


def flipped(tensor, element=0):
    """The tensor with another lowest bit of an element."""
    content = bytearray(tensor.content)
    content[element * tensor.width + (0 if sys.byteorder == "little" else tensor.width - 1)] ^= 1
    return dataclasses.replace(tensor, content=bytes(content))


def arrays_of(case):
    """What case.arrays() returns; None if NumPy does not have the type."""
    try:
        return case.arrays()
    except kit.Unsupported:
        return None


class Memory(unittest.TestCase):
    def run_case(self, case, arrays):
        """Computes the case; what it leaves is checked against `case`."""
        inputs, output, buffers = arrays
        code = ""
        try:
            if case.operator == "Max":
                supremum.maximum_of(*inputs, out=output)
            else:
                supremum.max(inputs[0], axis=case.axes, keepdims=case.keepdims, out=output)
        except supremum.Error as error:
            code = error.code.name.lower()
        self.assertEqual(code, case.error, case.id)
        case.check(buffers)

    # Rules: MEM-1, MEM-2
    def test_supremum_passes_every_case(self):
        count = 0
        for case in kit_further.memory():
            if (arrays := arrays_of(case)) is not None:
                self.run_case(case, arrays)
                count += 1
        self.assertGreater(count, 2000)

    def test_a_wrong_bit_is_noticed(self):
        for case in kit_further.memory(types="int16"):
            changed = case.after and dataclasses.replace(case, after=flipped(case.after))
            if changed:
                with self.assertRaisesRegex(AssertionError, case.id):
                    self.run_case(changed, case.arrays())
            if case.error:
                inputs, output, buffers = case.arrays()
                self.run_case(case, (inputs, output, buffers))
                next(buffer for buffer in buffers if buffer.size)[0] ^= 1
                with self.assertRaisesRegex(AssertionError, f"{case.id}: buffer"):
                    case.check(buffers)

    def test_numpy_is_right_where_it_says_that_it_is(self):
        # NumPy makes copies where memory overlaps: its results then are those of inputs without overlap.
        for case in kit_further.memory(operator="Max", types="int32", ids="memory_in_place/*"):
            inputs, output, buffers = case.arrays()
            if len(inputs) == 2:
                np.maximum(*inputs, out=output)
                case.check(buffers)

    def test_some_of_them(self):
        self.assertEqual({case.type for case in kit_further.memory(types=["int8", "bool"])}, {"int8", "bool"})
        self.assertEqual({case.operator for case in kit_further.memory(operator="ReduceMax")}, {"ReduceMax"})
        self.assertTrue(all("MEM-2" in case.rules for case in kit_further.memory(rules=iter(["MEM-2"]))))
        with self.assertRaisesRegex(ValueError, "no case of the list 'memory' has .*'float31'"):
            kit_further.memory(types="float31")


class Large(unittest.TestCase):
    def result_of(self, case, arrays):
        if case.operator == "Max":
            return supremum.maximum_of(*arrays)
        return supremum.max(arrays[0], axis=case.axes, keepdims=case.keepdims)

    # Rules: ORD-5
    def test_supremum_passes_every_case(self):
        count = 0
        for case in kit_further.large():
            if (arrays := arrays_of(case)) is not None:
                case.check(self.result_of(case, arrays))
                count += 1
        self.assertGreater(count, 600)

    def test_a_wrong_element_is_noticed(self):
        for case in kit_further.large(types="int32"):
            result = np.array(self.result_of(case, case.arrays()))
            case.check(result)
            for place in {0, result.size // 2, result.size - 1}:
                changed = result.copy()
                changed.flat[place] ^= 1
                with self.assertRaisesRegex(AssertionError, case.id):
                    case.check(changed)


class Bounds(unittest.TestCase):
    def run_case(self, case):
        """False if NumPy does not have the type."""
        if (arrays := arrays_of(case)) is None:
            return False
        code = ""
        try:
            result = supremum.max_with_bounds(*arrays)
        except supremum.Error as error:
            code = error.code.name.lower()
        self.assertEqual(code, case.error, case.id)
        if not code:
            case.check(**result._asdict())
        return True

    # Rules: ACC-1, ACC-2, ACC-3, ACC-4
    def test_supremum_passes_every_case(self):
        self.assertGreater(sum(self.run_case(case) for case in kit_further.bounds(operator="Max")), 400)

    def test_a_wrong_bit_is_noticed(self):
        for case in kit_further.bounds(operator="Max", types="float64", ids="bounds_rounding/*"):
            for name, part in case.parts.items():
                with self.assertRaisesRegex(AssertionError, f"{case.id}: {name}, against ACC-3"):
                    self.run_case(dataclasses.replace(case, parts={**case.parts, name: flipped(part)}))


class Ordered(unittest.TestCase):
    # Rules: ORD-7
    def test_numpy_takes_rationals_as_objects(self):
        count = 0
        for case in kit_further.ordered(operator="Max", ids="*/rational_*"):
            arrays = []
            for shape, values in zip(case.shapes, case.inputs):
                arrays.append(np.empty(shape, object))
                arrays[-1].reshape(-1)[:] = [Fraction(value) for value in values]
            result = np.asarray(functools.reduce(np.maximum, arrays), object)
            self.assertEqual(result.shape, case.shape)
            self.assertEqual(list(result.reshape(-1)), [Fraction(value) for value in case.output], case.id)
            count += 1
        self.assertGreater(count, 5)


if __name__ == "__main__":
    unittest.main()
