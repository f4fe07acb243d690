"""supremum.dask and supremum.xarray: every chunking gives the bits of the whole array, lazily, without copying blocks.

    dask_test.py FOLDER    FOLDER being where CMake has built the stand-in for ml_dtypes
"""

import doctest
import importlib.util
import sys
import unittest
from pathlib import Path

from support import arrays, expected_max, expected_reduce_max, hypothesis, np, same_bits, st, strategies, supremum, waiting_thread

if importlib.util.find_spec("dask") is None or importlib.util.find_spec("distributed") is None:
    print("skipped: no dask; scripts/setup.sh --engines installs it")
    sys.exit(77)

import dask  # noqa: E402
import dask.array as da  # noqa: E402

import supremum.dask as exact  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "kit" / "cases"))
import oracle  # noqa: E402  (kit/cases)

dask.config.set(scheduler="synchronous")
WITH_BOOL = strategies.TYPES + ("bool",)


@st.composite
def parts(draw, extent):
    """The extents of a dimension's chunks; zeros are among them."""
    cuts = sorted(draw(st.lists(st.integers(0, extent), max_size=4)))
    return tuple(end - begin for begin, end in zip([0, *cuts], [*cuts, extent]))


def chunked(draw, array):
    return da.from_array(array, chunks=tuple(draw(parts(extent)) for extent in array.shape))


@st.composite
def split_everys(draw, rank):
    counts = st.integers(2, 9)
    return draw(st.one_of(st.none(), counts, st.dictionaries(st.integers(0, max(rank - 1, 0)), counts)))


class Recorded:
    """While it is entered: the operands and the keywords of each call that supremum.dask makes of the compiled module."""

    def __init__(self, before=lambda call: None):
        self.calls, self.before = [], before

    def __enter__(self):
        self.core, exact._core = exact._core, self
        return self.calls

    def __exit__(self, *_):
        exact._core = self.core

    def _call(self, function, operands, keywords):
        self.before(lambda: function(*operands, **keywords))
        self.calls.append((operands, keywords))
        return function(*operands, **keywords)

    def max(self, *operands, **keywords):
        return self._call(self.core.max, operands, keywords)

    def maximum_of(self, *operands, **keywords):
        return self._call(self.core.maximum_of, operands, keywords)


class Max(unittest.TestCase):
    # Rules: ORD-5, RED-1, RED-2, RED-3, RED-5, RED-6
    @hypothesis.given(st.data(), strategies.reductions())
    def test_every_chunking_gives_the_bits_of_the_whole_array(self, data, reduction):
        source, axes, keepdims = reduction
        x = chunked(data.draw, source)
        found = exact.max(x, axes, keepdims, split_every=data.draw(split_everys(source.ndim)))
        expected = expected_reduce_max(source, axes, keepdims, None, True)
        self.assertEqual((found.dtype, found.shape), (source.dtype, expected.shape))
        self.assertIsNone(same_bits(found.compute(), expected))
        self.assertIsNone(same_bits(supremum.max(x, axes, keepdims).compute(), expected))

    # Rules: ORD-2, ORD-3, ORD-4
    def test_one_zero_and_one_nan_reach_the_result_from_every_block(self):
        for dtype in strategies.FLOATS:
            for place in range(8):
                for chunk in range(1, 9):
                    a = np.full(8, -0.0, dtype)
                    a[place] = 0.0
                    with self.subTest(dtype=dtype, place=place, chunk=chunk):
                        self.assertIsNone(same_bits(supremum.max(da.from_array(a, chunks=chunk)).compute(), np.zeros((), dtype)))
                        a.view(f"u{a.itemsize}")[place] = supremum.max(np.array([np.nan], dtype)).view(f"u{a.itemsize}") + 1  # not canonical
                        expected = expected_reduce_max(a, None, False, None, True)
                        self.assertIsNone(same_bits(supremum.max(da.from_array(a, chunks=chunk)).compute(), expected))

    # Rules: RED-6
    def test_a_maximum_over_no_elements_is_the_identity_element(self):
        for dtype in WITH_BOOL:
            for chunks in ((1, 1), (4, 2), (-1, -1)):
                x = da.zeros((0, 3), dtype=dtype, chunks=chunks)
                self.assertIsNone(same_bits(supremum.max(x, axis=0).compute(), supremum.max(np.zeros((0, 3), dtype), axis=0)))
                self.assertEqual(supremum.max(x, axis=1).compute().shape, (0,))

    # Rules: TYP-1
    def test_the_same_for_bfloat16(self):
        @hypothesis.given(st.data(), st.lists(st.sampled_from([0, 0x8000, 0x7F80, 0xFF80, 0x7FC0, 0xFF81, 1]) | st.integers(0, 0xFFFF), max_size=12))
        def check(data, bits):
            array = np.array(bits, "u2").view(np.dtype(ml_dtypes.bfloat16))
            x = da.from_array(array, chunks=(data.draw(parts(len(bits))),))
            found = supremum.max(x, keepdims=True)
            self.assertEqual(found.dtype, array.dtype)
            self.assertEqual(found.compute().view("u2").tolist(), [oracle.maximum("bfloat16", bits)])
            found = supremum.maximum(x, array[::-1]).compute()
            self.assertEqual(found.view("u2").tolist(), [oracle.maximum("bfloat16", list(pair)) for pair in zip(bits, bits[::-1])])

        check()

    def test_a_dimension_of_unknown_extent(self):
        a = np.float32([3, -0.0, 0.0, np.nan, 7])
        x = da.from_array(a, chunks=2)
        some = x[x != 3]
        self.assertTrue(np.isnan(supremum.max(some).compute()))
        self.assertIsNone(same_bits(supremum.maximum(some, some).compute(), supremum.maximum(a[1:], a[1:])))

    # Rules: BRO-2
    def test_an_unknown_extent_is_not_broadcast_block_by_block(self):
        x = da.from_array(np.arange(6.0), chunks=3)
        some, all_of_them = x[(x == 0) | (x >= 3)], x[x < 9]  # blocks of 1 and 3 elements, of 3 and 3
        for pair in ((some, all_of_them), (all_of_them, some)):
            lazy = supremum.maximum(*pair)
            with self.assertRaisesRegex(supremum.InvalidValue, "1 and 3 elements.*BRO-2"):
                lazy.compute()
        three = da.from_array(np.arange(3.0), chunks=3)
        for other in (three, three[three < 9], np.arange(3.0)):  # one chunk, which each block of x would be joined with
            with self.assertRaisesRegex(supremum.InvalidValue, "chunks differ; call compute_chunk_sizes"):
                supremum.maximum(other, all_of_them)
        self.assertEqual(supremum.maximum(some, np.full(1, 4.0)).compute().tolist(), [4, 4, 4, 5])
        self.assertEqual(supremum.maximum(three[three > 0], np.float64(1.5)).compute().tolist(), [1.5, 2])

    def test_an_unknown_extent_with_an_extent_of_zero_is_refused(self):
        x = da.from_array(np.arange(6.0), chunks=3)
        for operands in ((da.zeros((6, 0), chunks=(3, -1))[x > 0], np.zeros(0)), (np.zeros((0, 1)), x[x > 0]), (x[x > 0], np.zeros(0))):
            with self.assertRaisesRegex(supremum.InvalidValue, "extent is 0.*compute_chunk_sizes"):
                supremum.maximum(*operands)


class MaximumOf(unittest.TestCase):
    # Rules: ORD-5, MAX-2, BRO-2, BRO-3
    @hypothesis.given(st.data(), strategies.max_inputs())
    def test_every_chunking_gives_the_bits_of_the_whole_arrays(self, data, inputs):
        operands = [chunked(data.draw, a) if m == 0 or data.draw(st.booleans()) else a for m, a in enumerate(inputs)]
        operands = data.draw(st.permutations(list(zip(operands, inputs))))
        expected = expected_max([a for _, a in operands])
        found = supremum.maximum_of(*(x for x, _ in operands))
        self.assertIsInstance(found, da.Array)
        self.assertEqual((found.dtype, found.shape), (expected.dtype, expected.shape))
        self.assertIsNone(same_bits(found.compute(), expected))

    def test_all_operands_of_a_block_are_joined_in_one_call(self):
        x = da.ones(6, chunks=2)
        with Recorded() as calls:
            result = supremum.maximum_of(x, x + 1, np.float64(5), x[:1])
            before = len(calls)
            self.assertEqual(result.compute().tolist(), [5] * 6)
        self.assertEqual([len(call[0]) for call in calls[before:]], [4, 4, 4])


class Blocks(unittest.TestCase):
    def test_nothing_is_computed_before_dask_computes_it(self):
        def block(_):
            raise AssertionError("a block was computed")

        x = da.ones((4, 4), chunks=2).map_blocks(block, dtype="f8", meta=np.empty((0, 0)))
        lazy = [supremum.max(x, axis=1), supremum.maximum(x, x), supremum.maximum_of(x, np.ones(4), x), exact.max(x, split_every=2)]
        self.assertEqual([y.shape for y in lazy], [(4,), (4, 4), (4, 4), ()])
        for y in lazy:
            with self.assertRaisesRegex(AssertionError, "a block was computed"):
                y.compute()

    def test_blocks_are_read_in_place_by_one_thread(self):
        blocks = []

        def note(block):
            blocks.append(block)
            return block

        x = da.from_array(np.arange(48.0).reshape(6, 8), chunks=(2, 4)).map_blocks(note, dtype="f8", meta=np.empty((0, 0)))
        with Recorded() as calls:
            supremum.max(x, axis=(0, 1)).compute()
            in_place = [call for call in calls if call[0][0].size == 8]
            self.assertEqual(len(in_place), 6)
            self.assertTrue(all(any(np.shares_memory(call[0][0], block) for block in blocks) for call in in_place))
            supremum.maximum(x, x).compute()
        of_two = [call for call in calls if len(call[0]) == 2 and call[0][0].size == 8]
        self.assertEqual(len(of_two), 6)
        self.assertTrue(all(any(np.shares_memory(operand, block) for block in blocks) for call in of_two for operand in call[0]))
        on_blocks = [call for call in calls if all(operand.size for operand in call[0])]
        self.assertEqual({call[1].get("threads") for call in on_blocks}, {1})

    def test_other_threads_run_while_a_block_is_computed(self):
        x = da.from_array(np.ones(16 << 20, np.float32), chunks=-1)
        for function in (lambda: exact.max(x), lambda: exact.maximum(x, x)):
            lazy, seen = function(), []
            with waiting_thread() as (admitted, ran):

                def repeated(call):
                    # The other thread is admitted by these calls alone.
                    if not seen:
                        admitted.set()
                        seen.append(list(ran))
                        for _ in range(100):
                            call()
                            if ran:
                                break
                        seen.append(list(ran))

                with Recorded(repeated):
                    lazy.compute()
            self.assertEqual(seen, [[], [True]])


class Quantity(np.ndarray):
    pass


class Dispatch(unittest.TestCase):
    def test_a_call_returns_the_kind_of_its_operands(self):
        a = np.float32([[1, -0.0], [0.0, 2]])
        kinds = {np.ndarray: a, da.Array: da.from_array(a, chunks=1)}
        if importlib.util.find_spec("torch") is not None:
            import torch

            kinds[torch.Tensor] = torch.from_numpy(a)
        for kind, x in kinds.items():
            for result in (supremum.max(x, axis=0), supremum.max(x, 1, True), supremum.maximum(x, x), supremum.maximum_of(x, x, x)):
                self.assertIs(type(result), kind)
        for pair in ((a, kinds[da.Array]), (kinds[da.Array], a)):
            self.assertIs(type(supremum.maximum(*pair)), da.Array)

    def test_errors_come_before_anything_is_computed(self):
        x = da.ones((3, 2), dtype="f4", chunks=1)
        for call, kind, text in (
            (lambda: supremum.max(x, axis=2), supremum.InvalidValue, r"axis 2 is out of range.*RED-2"),
            (lambda: supremum.max(x, axis=(0, -2)), supremum.InvalidValue, "at most once"),
            (lambda: supremum.max(x.astype("M8[s]")), supremum.InvalidType, "TYP-1"),
            (lambda: supremum.max(x, where=x > 0), supremum.InvalidType, "no keyword 'where'"),
            (lambda: supremum.max(np.ones(2), out=x), supremum.InvalidType, "no keyword 'out'"),
            (lambda: supremum.max(x, threads=2), supremum.InvalidType, "no keyword 'threads'"),
            (lambda: exact.max(x, split_every=1), supremum.InvalidValue, "2 or more"),
            (lambda: exact.max(x, split_every={0: 1}), supremum.InvalidValue, "2 or more"),
            (lambda: exact.max(np.ones(2)), supremum.InvalidType, "call supremum.max"),
            (lambda: exact.maximum_of(np.ones(2)), supremum.InvalidType, "call supremum.maximum_of"),
            (lambda: supremum.maximum(x, 3), supremum.InvalidType, "of type int"),
            (lambda: supremum.maximum(x, np.float64(3)), supremum.InvalidType, "TYP-2"),
            (lambda: supremum.maximum(x, np.float32([1, 2, 3])), supremum.InvalidValue, "BRO-2"),
            (lambda: supremum.maximum_of(x > 0, x > 1), supremum.InvalidType, "bool"),
            (lambda: supremum.maximum(x, np.ma.masked_equal(np.ones(2, "f4"), 1)), supremum.InvalidType, "masked array"),
            (lambda: supremum.maximum(da.ones((0, 2), dtype="f4"), np.ma.ones(2, "f4")), supremum.InvalidType, "masked array"),
            (lambda: supremum.maximum(x, np.ones(2, "f4").view(Quantity)), supremum.InvalidType, "a subclass"),
            (lambda: supremum.maximum(x, x, out=None), supremum.InvalidType, r"maximum\(\) has no keyword 'out'; it has none"),
            (lambda: supremum.maximum_of(x, out=None), supremum.InvalidType, r"maximum_of\(\) has no keyword 'out'; it has none"),
            (lambda: exact.maximum_of(arrays=x), supremum.InvalidType, r"has no keyword 'arrays'; it has none"),
            (lambda: supremum.reinterpret(x, "uint32"), supremum.InvalidType, "dask.array.core.Array"),
        ):
            with self.assertRaisesRegex(kind, text):
                call()

    def test_blocks_of_masked_arrays_are_refused_when_they_are_computed(self):
        x = da.ma.masked_equal(da.ones(4, chunks=2), 1)
        with self.assertRaisesRegex(supremum.InvalidType, "masked array"):
            supremum.max(x).compute()

    def test_a_class_that_has_the_name_of_dask_s_is_no_dask_array(self):
        class Array:
            __module__, __qualname__ = "dask.array.core", "Array"
            __array_ufunc__ = None

        with self.assertRaisesRegex(supremum.InvalidType, "not dask.array.Array"):
            supremum.max(Array())

    def test_the_examples_of_the_docstrings_run(self):
        results = doctest.testmod(exact, optionflags=doctest.ELLIPSIS)
        self.assertEqual(results.failed, 0)
        self.assertGreater(results.attempted, 3)


if __name__ == "__main__":
    sys.path.append(sys.argv.pop(1))
    import ml_dtypes

    unittest.main()
