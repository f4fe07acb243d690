"""supremum.max against NumPy, bit by bit."""

import unittest

from support import NUMBERS, arrays, distances, elements, expected_reduce_max, hnp, in_any_order, hypothesis, np, same_bits, st, supremum


@st.composite
def calls(draw):
    """An array, an axis as NumPy takes it, keepdims, an initial and a mask."""
    dtype = draw(st.sampled_from(NUMBERS + ("bool",)))
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5))
    a = draw(arrays(dtype, shape))
    axes = draw(st.none() | st.lists(st.integers(0, max(len(shape) - 1, 0)), unique=True, max_size=len(shape)))
    if axes is not None:
        axes = [axis - draw(st.sampled_from([0, len(shape)])) for axis in axes] if shape else []
    axis = axes if axes is None else axes[0] if len(axes) == 1 and draw(st.booleans()) else tuple(axes)
    bits = draw(st.none() | elements(dtype))
    initial = None if bits is None else np.array(bits, f"u{a.dtype.itemsize}").view(dtype)[()]
    where = True
    if draw(st.booleans()):
        kept = draw(st.integers(0, len(shape)))
        mask_shape = tuple(1 if draw(st.integers(0, 3)) == 0 else extent for extent in shape[len(shape) - kept :])
        where = draw(arrays("bool", mask_shape))
    return a, axis, draw(st.booleans()), initial, where


class Max(unittest.TestCase):
    @hypothesis.settings(max_examples=1000)
    @hypothesis.given(calls())
    def test_any_call_gives_what_numpy_gives_by_our_rules(self, call):
        a, axis, keepdims, initial, where = call
        before = np.array(a)
        actual = supremum.max(a, axis=axis, keepdims=keepdims, initial=initial, where=where)
        self.assertIsNone(same_bits(actual, expected_reduce_max(*call)))
        self.assertIsNone(same_bits(a, before), "the input has changed")

    @hypothesis.given(calls(), st.integers(0, 4), st.data())
    def test_out_is_filled_and_returned(self, call, threads, data):
        a, axis, keepdims, initial, where = call
        expected = expected_reduce_max(*call)
        out = data.draw(arrays(expected.dtype.name, expected.shape, writable=True))
        self.assertIs(supremum.max(a, axis, keepdims, initial=initial, where=where, out=out, threads=threads), out)
        self.assertIsNone(same_bits(out, expected))

    def test_a_new_result_has_the_order_of_the_array_in_memory(self):
        rng = np.random.default_rng(3)
        turned = 0
        for _ in range(2000):
            a = in_any_order(rng, rng.integers(1, 5, rng.integers(0, 5)))
            axes = tuple(int(d) - a.ndim * rng.integers(0, 2) for d in range(a.ndim) if rng.random() < 0.4)
            result = supremum.max(a, axes, bool(rng.integers(0, 2)))
            expected = np.max(a, axes).reshape(result.shape)
            self.assertIsNone(same_bits(result, expected))
            kept = [d for d in range(a.ndim) if d - a.ndim not in axes and d not in axes]
            order = np.nditer([a.transpose(*kept, *axes)[(..., *(0 for _ in axes))], None], order="K").operands[-1]
            self.assertEqual(distances(result), distances(order), (a.shape, a.strides, axes))
            turned += not result.flags.c_contiguous
        self.assertGreater(turned, 100)

    def test_no_elements_give_the_least_value(self):
        for dtype, least in (("float16", -np.inf), ("int8", -128), ("uint64", 0), ("bool", False)):
            self.assertEqual(supremum.max(np.zeros((2, 0), dtype), axis=1).tolist(), [least] * 2)
        self.assertEqual(supremum.max(np.ones(3), where=False), -np.inf)
        self.assertEqual(supremum.max(np.zeros((0, 3)), axis=1).shape, (0,))

    def test_in_place_where_nothing_is_reduced(self):
        a = np.array([0xFFFFFFFF, 0x3F800000], "u4").view("f4")
        self.assertIs(supremum.max(a, axis=(), out=a), a)
        self.assertEqual(a.view("u4").tolist(), [0x7FC00000, 0x3F800000])

    def test_numbers_of_python_become_the_nearest_element(self):
        for dtype in ("float16", "float32", "float64"):
            with np.errstate(over="ignore"):
                for value in (0.1, -0.0, 1e9, 1e300, -1e300, 2**24 + 1, 65519.9, float("nan"), float("inf")):
                    low = np.full(1, -np.inf, dtype)
                    if np.isfinite(value) and np.isinf(np.array(value, "f8").astype(dtype)):
                        with self.assertRaisesRegex(ValueError, f"initial is .*, which is out of the range of {dtype}"):
                            supremum.max(low, 0, initial=value)
                        continue
                    expected = np.maximum(low, np.array(value, "f8").astype(dtype))
                    self.assertIsNone(same_bits(supremum.max(low, 0, initial=value), expected[0]), value)
        self.assertEqual(supremum.max(np.zeros(1, "u8"), initial=2**64 - 1), 2**64 - 1)

    def test_a_list_of_axes_is_a_tuple_of_axes(self):
        a = np.arange(24).reshape(2, 3, 4)
        self.assertEqual(supremum.max(a, axis=[0, -1]).tolist(), [15, 19, 23])
        self.assertEqual(supremum.max(a, axis=np.int8(1)).tolist(), a.max(1).tolist())

    def test_a_tensor_is_no_axis(self):
        a = np.arange(6.0).reshape(2, 3)
        self.assertEqual(supremum.max(a, np.array(1)).tolist(), [2, 5])  # as in NumPy
        dlpack = {"__dlpack__": lambda self, **_: a.__dlpack__(), "__index__": lambda self: 0}
        for other in (a, np.array([1]), type("Tensor", (), dlpack)()):  # torch.max of two tensors is element-wise
            for axis in (other, (0, other)):
                with self.assertRaisesRegex(supremum.InvalidType, r"an axis of max\(\).*the element-wise maximum is maximum\(x1, x2\)"):
                    supremum.max(a, axis)


if __name__ == "__main__":
    unittest.main()
