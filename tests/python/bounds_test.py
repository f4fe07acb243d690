"""supremum.max_with_bounds: it returns what the library computes; the bounds themselves are tested in C++."""

import unittest
from fractions import Fraction

from support import hnp, hypothesis, np, same_bits, shapes, st, supremum


@st.composite
def bounded(draw):
    """Arrays, bounds that broadcast to them, and true values within the bounds."""
    arrays, bounds, true = [], [], []
    for shape in shapes(draw, draw(st.integers(1, 4))):
        finite = st.floats(-1000, 1000, width=32)
        array = draw(hnp.arrays("f4", shape, elements=finite))
        bound = draw(hnp.arrays("f4", draw(st.sampled_from([shape, ()])), elements=st.floats(0, 10, width=32)))
        share = draw(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]))
        arrays.append(array)
        bounds.append(bound)
        within = np.empty(shape, object)
        for index in np.ndindex(shape):
            error = np.broadcast_to(bound, shape)[index]
            within[index] = Fraction(float(array[index])) + Fraction(float(error)) * Fraction(share)
        true.append(within)
    return arrays, bounds, true


class MaxWithBounds(unittest.TestCase):
    def test_results_have_the_order_of_the_arrays_in_memory(self):
        a = np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1)
        for part in supremum.max_with_bounds([a, a[:, ::-1]], [0.5, np.full((3,), 0.25)]):
            self.assertEqual(part.strides, a.strides)
            self.assertEqual(part.shape, a.shape)

    # Rules: ACC-1, ACC-2, ACC-3
    @hypothesis.given(bounded())
    def test_the_true_result_lies_within_the_bounds(self, drawn):
        arrays, bounds, true = drawn
        result = supremum.max_with_bounds(arrays, bounds)
        self.assertIsNone(same_bits(result.value, np.asarray(supremum.maximum_of(*arrays))))
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
        exact = [np.broadcast_to(values, shape) for values in true]
        for index in np.ndindex(shape):
            best = max(values[index] for values in exact)
            value, bound, lower, upper = (Fraction(float(np.asarray(part)[index])) for part in result)
            self.assertLessEqual(abs(value - best), bound)
            self.assertTrue(lower <= best <= upper, (lower, best, upper))

    def test_numbers_are_bounds_too(self):
        result = supremum.max_with_bounds((np.int8([3, -5]), np.int8([1, 4])), (2, 0), threads=1)
        self.assertEqual([part.tolist() for part in result], [[3, 4], [2, 2], [1, 4], [5, 4]])
        self.assertEqual(result.bound.dtype, np.int8)

    # Rules: ACC-2
    def test_a_number_as_a_bound_never_becomes_smaller(self):
        largest = {"f2": 65504, "f4": float(np.finfo("f4").max), "f8": float(np.finfo("f8").max)}
        for dtype in largest:
            for number in (0.1, 0.3, 0.7, 1, 3, 1e-9, 1e-45, 5e-324, 2**53 + 1, 2**24 + 1, 2049, 65519.9, 1e39, 10**20 + 1, 0.0):
                bound = supremum.max_with_bounds([np.zeros(1, dtype)], [number]).bound[0]
                self.assertGreaterEqual(float(bound) if np.isinf(bound) else Fraction(float(bound)), Fraction(number), (dtype, number))
                if 0 < number <= largest[dtype]:  # and it is the least such element
                    self.assertLess(Fraction(float(np.nextafter(bound, bound.dtype.type(0)))), Fraction(number), (dtype, number))
        try:
            import ml_dtypes
        except ImportError:
            return
        for number in (0.7, 0.1, 257, 1e-41):
            bound = supremum.max_with_bounds([np.zeros(1, ml_dtypes.bfloat16)], [number]).bound[0]
            self.assertGreaterEqual(Fraction(float(bound)), Fraction(number))

    # Rules: ACC-4
    def test_what_is_not_finite_has_no_bound(self):
        result = supremum.max_with_bounds([np.float32([np.nan, np.inf, 1])], [0.5])
        self.assertEqual(result.bound.tolist(), [np.inf, np.inf, 0.5])

    def test_errors(self):
        a = np.zeros(3, "f4")
        for call, code, text in (
            (lambda: supremum.max_with_bounds([a], [0, 0]), "input_count", "bounds"),
            (lambda: supremum.max_with_bounds([a, a], [0]), "input_count", "bounds"),
            (lambda: supremum.max_with_bounds([], []), "input_count", "MAX-1"),
            (lambda: supremum.max_with_bounds([a], [-0.5]), "negative_bound", "bound of input 0 is below zero"),
            (lambda: supremum.max_with_bounds([a], [np.zeros(3)]), "type_mismatch", "float64"),
            (lambda: supremum.max_with_bounds([a], [np.zeros(2, "f4")]), "not_broadcastable", "E1"),
            (lambda: supremum.max_with_bounds(a, [0]), "invalid_argument", "arrays is of type numpy.ndarray"),
            (lambda: supremum.max_with_bounds([a], [0], thread=1), "invalid_argument", "'thread'; it has 'arrays'"),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(supremum.Error, text) as caught:
                call()
            self.assertEqual(caught.exception.code.name, code)


if __name__ == "__main__":
    unittest.main()
