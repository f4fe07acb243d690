"""supremum.maximum_of and supremum.maximum against NumPy, bit by bit."""

import unittest

from support import NUMBERS, arrays, distances, expected_max, hnp, hypothesis, in_any_order, np, same_bits, shapes, st, supremum


@st.composite
def operands(draw):
    dtype = draw(st.sampled_from(NUMBERS))
    return [draw(arrays(dtype, shape)) for shape in shapes(draw, draw(st.integers(1, 6)))]


class MaximumOf(unittest.TestCase):
    @hypothesis.given(operands())
    def test_any_arrays_give_what_numpy_gives_by_our_rules(self, inputs):
        before = [np.array(array) for array in inputs]
        self.assertIsNone(same_bits(supremum.maximum_of(*inputs), expected_max(inputs)))
        for array, copy in zip(inputs, before):
            self.assertIsNone(same_bits(array, copy), "an input has changed")

    @hypothesis.given(operands(), st.integers(0, 4), st.data())
    def test_out_is_filled_and_returned(self, inputs, threads, data):
        expected = expected_max(inputs)
        out = data.draw(arrays(expected.dtype.name, expected.shape, writable=True))
        self.assertIs(supremum.maximum_of(*inputs, out=out, threads=threads), out)
        self.assertIsNone(same_bits(out, expected))

    @hypothesis.given(operands(), st.data())
    def test_out_may_be_exactly_one_of_the_arrays(self, inputs, data):
        expected = expected_max(inputs)
        place = data.draw(st.integers(0, len(inputs)))
        own = data.draw(arrays(expected.dtype.name, expected.shape, writable=True))
        inputs = inputs[:place] + [own] + inputs[place:]
        expected = expected_max(inputs)
        self.assertIs(supremum.maximum_of(*inputs, out=own), own)
        self.assertIsNone(same_bits(own, expected))

    def test_out_may_be_a_tuple_as_in_numpy(self):
        out = np.empty(2)
        self.assertIs(supremum.maximum_of(np.ones(2), out=(out,)), out)

    @hypothesis.given(st.sampled_from(NUMBERS).flatmap(lambda d: st.tuples(arrays(d, (3, 4)), arrays(d, (4,)))))
    def test_maximum_is_the_form_for_two(self, pair):
        expected = expected_max(pair)
        self.assertIsNone(same_bits(supremum.maximum(*pair), expected))
        out = np.empty_like(expected)
        self.assertIs(supremum.maximum(*pair, out=out), out)
        self.assertIsNone(same_bits(out, expected))

    def test_a_thousand_arrays(self):
        rng = np.random.default_rng(1)
        inputs = list(rng.standard_normal((1000, 7)))
        self.assertIsNone(same_bits(supremum.maximum_of(*inputs), expected_max(inputs)))

    def test_one_array_gives_a_fresh_copy_with_canonical_nans(self):
        a = np.array([0xFF800001, 0x80000000], "u4").view("f4")
        y = supremum.maximum_of(a)
        self.assertFalse(np.shares_memory(a, y))
        self.assertEqual(y.view("u4").tolist(), [0x7FC00000, 0x80000000])

    def test_rank_0_is_returned_as_numpy_returns_it(self):
        self.assertIs(type(supremum.maximum_of(np.float32(1), np.float32(2))), np.float32)
        self.assertIs(type(supremum.maximum_of(np.array(1), np.array(2))), np.int64)
        out = np.empty((), "f4")
        self.assertIs(supremum.maximum_of(np.float32(1), out=out), out)

    def test_a_new_result_has_the_order_of_the_arrays_in_memory(self):
        rng = np.random.default_rng(2)
        ranks = set()
        for _ in range(2000):
            shape = rng.integers(1, 5, rng.integers(0, 5))
            inputs = [in_any_order(rng, shape) for _ in range(rng.integers(1, 4))]
            result = supremum.maximum_of(*inputs)
            expected = np.nditer([*inputs, None], order="K").operands[-1]
            self.assertEqual(distances(result), distances(expected), [(x.shape, x.strides) for x in inputs])
            self.assertIsNone(same_bits(np.asarray(result), expected_max(inputs)))
            ranks.add(result.ndim if result.flags.c_contiguous else -result.ndim)
        self.assertEqual(ranks, {0, 1, 2, 3, 4, -2, -3, -4})

    @hypothesis.given(hnp.array_shapes(min_dims=0, max_dims=3), st.integers(1, 3))
    def test_no_byte_beside_out_is_written(self, shape, step):
        base = np.full(tuple(extent * step for extent in shape) + (3,), 7, "i2")
        out = base[tuple(slice(None, None, step) for _ in shape) + (..., 1)]
        supremum.maximum_of(np.full(shape, 9, "i2"), out=out)
        self.assertTrue((out == 9).all())
        self.assertEqual(int((base == 9).sum()), out.size)


if __name__ == "__main__":
    unittest.main()
