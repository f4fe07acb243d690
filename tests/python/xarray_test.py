"""supremum.xarray: the bits of supremum.max along named dimensions, with what xarray keeps, eager and by dask."""

import doctest
import importlib.util
import sys
import unittest

from support import expected_reduce_max, hypothesis, np, same_bits, st, strategies, supremum

if importlib.util.find_spec("xarray") is None:
    print("skipped: no xarray; scripts/setup.sh --engines installs it")
    sys.exit(77)
import xarray as xr  # noqa: E402

import supremum.xarray as exact  # noqa: E402

HAS_DASK = importlib.util.find_spec("dask") is not None
NAMES = "abcd"


@st.composite
def reductions(draw):
    """A DataArray, dimensions, and their numbers; None for all."""
    source, axes, _ = draw(strategies.reductions())
    names = NAMES[: source.ndim]
    coords = {name: [f"{name}{i}" for i in range(extent)] for name, extent in zip(names, source.shape) if draw(st.booleans())}
    x = xr.DataArray(source, coords, list(names), "x", {"units": "K"})
    if HAS_DASK and draw(st.booleans()):
        x = x.chunk({name: draw(st.integers(1, 5)) for name, extent in zip(names, source.shape) if extent})
    return x, source, axes, None if axes is None else [names[axis] for axis in axes]


class Max(unittest.TestCase):
    # Rules: RED-1, RED-6, ORD-5
    @hypothesis.given(reductions())
    def test_bits_names_coordinates_and_attributes(self, reduction):
        x, source, axes, dims = reduction
        found = exact.max(x, dims)
        self.assertIs(type(found.data) is np.ndarray, type(x.data) is np.ndarray)
        self.assertIsNone(same_bits(np.asarray(found.data), expected_reduce_max(source, axes, False, None, True)))
        kept = [name for name in x.dims if dims is not None and name not in dims]
        self.assertEqual((found.name, found.attrs, list(found.dims)), ("x", {"units": "K"}, kept))
        self.assertEqual(set(found.coords), set(x.coords) & set(kept))
        for name in found.coords:
            self.assertTrue(found.coords[name].equals(x.coords[name]))

    # Rules: ORD-2, ORD-3
    def test_a_dataset_is_reduced_variable_by_variable(self):
        a, b = np.float32([[-0.0, 1], [0.0, np.nan]]), np.int16([3, 9])
        data = xr.Dataset({"a": (("t", "s"), a, {"units": "m"}), "b": ("t", b), "c": ("s", b)}, {"s": ["u", "v"]}, {"title": "T"})
        for x in [data] + [data.chunk({"t": 1})] * HAS_DASK:
            found = exact.max(x, "t")
            self.assertIsNone(same_bits(found.a.values, np.float32([0.0, np.nan])))
            self.assertEqual((int(found.b), found.c.values.tolist()), (9, [3, 9]))
            self.assertEqual((found.attrs, found.a.attrs, list(found.coords)), ({"title": "T"}, {"units": "m"}, ["s"]))
            self.assertEqual(int(exact.max(x).b), 9)

    @unittest.skipUnless(HAS_DASK, "no dask")
    def test_nothing_is_computed(self):
        import dask.array as da

        def block(_):
            raise AssertionError("a block was computed")

        x = xr.DataArray(da.ones((4, 4), chunks=2).map_blocks(block, dtype="f8", meta=np.empty((0, 0))), dims=("a", "b"))
        found = exact.max(x, "a")
        self.assertIsInstance(found.data, da.Array)
        with self.assertRaisesRegex(AssertionError, "a block was computed"):
            found.compute()

    def test_errors(self):
        x = xr.DataArray(np.ones((2, 2), "f4"), dims=("a", "b"))
        for call, kind, text in (
            (lambda: exact.max(x, "a", skipna=True), supremum.InvalidValue, "ORD-3|NaN wins"),
            (lambda: exact.max(x, "c"), ValueError, "c"),
            (lambda: exact.max(x.values), supremum.InvalidType, "call supremum.max"),
            (lambda: exact.max(x, axis=0), supremum.InvalidType, "no keyword 'axis'"),
            (lambda: exact.max(x.astype("M8[ns]")), supremum.InvalidType, "TYP-1"),
            (lambda: exact.max(x.astype("U")), supremum.InvalidType, "TYP-1"),
        ):
            with self.assertRaisesRegex(kind, text):
                call()

    def test_the_examples_of_the_docstrings_run(self):
        results = doctest.testmod(exact)
        self.assertEqual(results.failed, 0)
        self.assertGreater(results.attempted, 3)


if __name__ == "__main__":
    unittest.main()
