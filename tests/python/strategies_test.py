"""supremum.strategies: what they promise can be reached, and what they draw is computed right."""

import unittest

from support import expected_max, expected_reduce_max, hypothesis, np, same_bits, st, strategies, supremum

FOUND = hypothesis.settings(max_examples=20_000, derandomize=True, database=None, deadline=None)


def bits_of(value):
    return int(np.asarray(value).view(f"u{value.dtype.itemsize}"))


class Elements(unittest.TestCase):
    def reaches(self, strategy, condition):
        return hypothesis.find(strategy, condition, settings=FOUND)

    def test_every_kind_of_float(self):
        for dtype in strategies.FLOATS:
            info = np.finfo(dtype)
            quiet = 1 << (info.nmant - 1)
            kinds = {
                "-0": lambda x: x == 0 and np.signbit(x),
                "inf": lambda x: x == np.inf,
                "-inf": lambda x: x == -np.inf,
                "canonical NaN": lambda x: np.isnan(x) and bits_of(x) & (2 * quiet - 1) == quiet and not np.signbit(x),
                "quiet NaN with a payload": lambda x: np.isnan(x) and bits_of(x) & (2 * quiet - 1) > quiet,
                "signalling NaN": lambda x: np.isnan(x) and not bits_of(x) & quiet,
                "negative NaN": lambda x: np.isnan(x) and np.signbit(x),
                "least subnormal": lambda x: bits_of(x) == 1,
                "negative subnormal": lambda x: -info.tiny < x < 0,
                "greatest": lambda x: x == info.max,
                "least normal": lambda x: x == info.tiny,
                "ordinary": lambda x: 1 < abs(x) < 2,
            }
            for kind, condition in kinds.items():
                with self.subTest(dtype=dtype, kind=kind), np.errstate(all="ignore"):
                    self.assertEqual(self.reaches(strategies.elements(dtype), condition).dtype, dtype)

    def test_the_extremes_of_integers(self):
        for dtype in strategies.TYPES[len(strategies.FLOATS) :]:
            info = np.iinfo(dtype)
            for value in {info.min, info.max, 0, 1}:
                self.assertEqual(self.reaches(strategies.elements(dtype), lambda x, value=value: x == value), value)

    def test_both_bools(self):
        for value in (False, True):
            self.assertEqual(self.reaches(strategies.elements("bool"), lambda x, value=value: x == value), value)

    def test_examples_shrink_to_zero(self):
        self.assertEqual(bits_of(self.reaches(strategies.elements("float32"), lambda x: True)), 0)


class Arrays(unittest.TestCase):
    def test_every_layout(self):
        shape = (3, 2)
        layouts = {
            "row-major": lambda a: a.flags.c_contiguous,
            "column-major": lambda a: a.flags.f_contiguous and not a.flags.c_contiguous,
            "with gaps": lambda a: abs(a.strides[1]) == 8 and abs(a.strides[0]) >= 16,
            "backwards": lambda a: a.strides[0] < 0 < a.strides[1],
            "repeated": lambda a: a.strides[0] == 0 and a.strides[1] != 0,
        }
        for name, condition in layouts.items():
            with self.subTest(name):
                found = hypothesis.find(strategies.arrays("float32", shape), condition, settings=FOUND)
                self.assertEqual((found.shape, found.dtype), (shape, np.float32))

    @hypothesis.given(st.data())
    def test_writable_ones_have_each_element_once(self, data):
        array = data.draw(strategies.arrays("int64", data.draw(strategies.shapes(1))[0], writable=True))
        array[...] = np.arange(array.size).reshape(array.shape)
        self.assertEqual(sorted(array.ravel().tolist()), list(range(array.size)))


class Operands(unittest.TestCase):
    @hypothesis.given(strategies.max_inputs())
    def test_max(self, inputs):
        self.assertEqual(len({array.dtype for array in inputs}), 1)
        self.assertIsNone(same_bits(supremum.maximum_of(*inputs), expected_max(inputs)))

    @hypothesis.given(strategies.max_inputs("float16", min_count=2, max_count=2, max_dims=1, max_side=2))
    def test_what_is_asked_for(self, inputs):
        self.assertEqual([array.dtype for array in inputs], [np.float16] * 2)
        self.assertTrue(all(array.ndim <= 1 and array.size <= 2 for array in inputs))

    @hypothesis.given(strategies.reductions())
    def test_reduce_max(self, reduction):
        source, axes, keepdims = reduction
        expected = expected_reduce_max(source, axes, keepdims, None, True)
        self.assertIsNone(same_bits(supremum.max(source, axes, keepdims=keepdims), expected))

    def test_every_form_of_axes(self):
        forms = [lambda axes: axes is None, lambda axes: axes == (), lambda axes: axes and axes[0] < 0, lambda axes: axes and len(axes) > 1]
        for form in forms:
            hypothesis.find(strategies.reductions(), lambda reduction, form=form: form(reduction[1]), settings=FOUND)


if __name__ == "__main__":
    unittest.main()
