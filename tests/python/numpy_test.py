"""supremum.numpy against NumPy's functions, argument by argument; where they differ, against the rules."""

import doctest
import itertools
import pickle
import unittest

from support import NUMBERS, arrays, hypothesis, np, shapes, st, supremum

import supremum.numpy as exact

TYPES = NUMBERS + ("bool",)


def by_the_rules(values):
    """NumPy's result, with what it leaves open made comparable: canonical NaN; the zeros' sign is compared elsewhere."""
    values = np.array(values)
    if values.dtype.kind == "f":
        values[np.isnan(values)] = np.nan
        values[values == 0] = 0
    return values


def operand(draw, dtype, shape):
    """An array of any layout; sometimes a scalar of NumPy, a list, or a number of Python."""
    array = draw(arrays(dtype, shape)) if dtype != "bool" else draw(arrays("uint8", shape)) > 100
    kind = draw(st.integers(0, 7))
    if array.ndim == 0 and kind < 3:
        return array[()]
    return array.tolist() if kind == 3 and dtype in ("bool", "int64", "float64") else array


@st.composite
def pairs(draw):
    types = [draw(st.sampled_from(TYPES)) for _ in range(2)]
    both = [operand(draw, dtype, shape) for dtype, shape in zip(types, shapes(draw, 2))]
    if draw(st.integers(0, 9)) == 0:
        both[1] = draw(st.sampled_from([0, 1, 2.5, True, -1, float("nan")]))
    return both


def outcome(function, *arguments, **keywords):
    """The result, or the class of the error: TypeError, ValueError or OverflowError."""
    try:
        with np.errstate(all="ignore"):
            return function(*arguments, **keywords)
    except (TypeError, ValueError, OverflowError) as error:
        for kind in (TypeError, OverflowError, ValueError):
            if isinstance(error, kind):
                return kind
        raise


class Base(unittest.TestCase):
    def expect_same(self, ours, numpys, message=""):
        if isinstance(numpys, type):
            self.assertIs(ours, numpys, message)
            return
        self.assertFalse(isinstance(ours, type), f"{ours}; {message}")
        self.assertIs(type(ours), type(numpys), message)
        a, b = by_the_rules(ours), by_the_rules(numpys)
        self.assertEqual(a.dtype, b.dtype, message)
        self.assertEqual(a.shape, b.shape, message)
        np.testing.assert_array_equal(a, b, message)


class Maximum(Base):
    @hypothesis.given(pairs())
    def test_operands_are_converted_and_broadcast_as_in_numpy(self, pair):
        self.expect_same(outcome(exact.maximum, *pair), outcome(np.maximum, *pair))

    @hypothesis.given(pairs(), st.sampled_from(TYPES), st.sampled_from(["no", "equiv", "safe", "same_kind", "unsafe"]))
    def test_dtype_and_casting(self, pair, dtype, casting):
        # NumPy 2.2 takes "equiv" with a number of Python for an error of its own.
        hypothesis.assume(casting != "equiv" or not any(type(x) in (int, float) for x in pair))
        # The value of a float that an integer type does not have is undefined, in NumPy too.
        hypothesis.assume(dtype[0] == "f" or all(np.asarray(x).dtype.kind != "f" for x in pair))
        options = {"dtype": dtype, "casting": casting}
        self.expect_same(outcome(exact.maximum, *pair, **options), outcome(np.maximum, *pair, **options))

    def test_of_two_errors_numpys_first_is_reported(self):
        numbers = [-1, 0, 300, 2**40, 2**63, 2**64, 2**70, 2**2000, 2.5]
        for pair in itertools.chain(itertools.product([np.int8(0), np.True_, np.float32(1)], numbers), itertools.product(numbers, numbers)):
            for dtype, casting in itertools.product(TYPES, ["no", "safe", "same_kind", "unsafe"]):
                options = {"dtype": dtype, "casting": casting}
                for both in (pair, pair[::-1]):
                    expected = outcome(np.maximum, *both, **options)
                    if isinstance(expected, type):
                        self.expect_same(outcome(exact.maximum, *both, **options), expected, f"{both} {options}")

    @hypothesis.given(pairs(), st.sampled_from(TYPES), st.booleans(), st.data())
    def test_out_and_where(self, pair, dtype, masked, data):
        try:
            shape = np.broadcast_shapes(*(np.shape(x) for x in pair))
        except ValueError:
            hypothesis.reject()
        if data.draw(st.booleans()):
            shape = (2,) + shape
        hypothesis.assume(dtype[0] == "f" or all(np.asarray(x).dtype.kind != "f" for x in pair))
        out = np.full(shape, 1, dtype)
        copy = out.copy()
        options = {}
        if masked:
            options["where"] = data.draw(arrays("uint8", shape)) > 100
        ours = outcome(exact.maximum, *pair, out=out, **options)
        theirs = outcome(np.maximum, *pair, out=copy, **options)
        self.expect_same(ours, theirs)
        np.testing.assert_array_equal(by_the_rules(out), by_the_rules(copy))
        if not isinstance(theirs, type):
            self.assertIs(ours, out)

    def test_where_is_broadcast_with_the_operands(self):
        out = np.zeros((2, 3))
        exact.maximum(np.ones(3), 2, out=(out,), where=[[True], [False]])
        np.testing.assert_array_equal(out, [[2, 2, 2], [0, 0, 0]])

    def test_out_may_overlap(self):
        for place in (slice(0, 3), slice(1, 4)):
            ours, theirs = np.array([3.0, 1, 2, 0]), np.array([3.0, 1, 2, 0])
            exact.maximum(ours[1:], ours[:3], out=ours[place])
            np.maximum(theirs[1:].copy(), theirs[:3].copy(), out=theirs[place])
            np.testing.assert_array_equal(ours, theirs)

    def test_order(self):
        a = np.ones((2, 3))
        self.assertTrue(exact.maximum(a, 1, order="F").flags.f_contiguous)
        self.assertTrue(exact.maximum(a.T, 1, order="C").flags.c_contiguous)
        self.assertTrue(exact.maximum(a.T, 1).flags.f_contiguous)
        self.assertTrue(exact.maximum(a.T, 1, order="A").flags.f_contiguous)
        self.assertTrue(exact.maximum(a.T, a.reshape(3, 2), order="A").flags.c_contiguous)

    def test_other_byte_order_is_converted(self):
        y = exact.maximum(np.array([1.0, 5], ">f8"), np.array([2, 2], ">i2"))
        self.assertEqual(y.dtype, np.dtype("=f8"))
        np.testing.assert_array_equal(y, [2, 5])

    def test_every_bit_follows_the_rules(self):
        for dtype in ("f2", "f4", "f8"):
            zero = np.array([0.0, -0.0], dtype)
            for pair in ((zero, zero[::-1]), (zero[::-1], zero)):
                self.assertFalse(np.signbit(exact.maximum(*pair)).any())
            self.assertEqual(exact.maximum.reduce(zero[::-1]).tobytes(), np.zeros((), dtype).tobytes())
        odd = np.array([0xFFC01234, 0x7F800001], np.uint32).view(np.float32)
        self.assertEqual(exact.maximum(odd, 1).view(np.uint32).tolist(), [0x7FC00000] * 2)
        self.assertEqual(exact.max(np.float32([0] + [np.nan] + list(range(2, 20)))).view(np.uint32), 0x7FC00000)

    def test_what_is_refused_says_what_to_do(self):
        a = np.ones(3)
        read_only = np.ones(3)
        read_only.flags.writeable = False
        subclass = np.ones(3).view(type("Sub", (np.ndarray,), {}))

        class Other:
            def __array_ufunc__(self, *arguments, **keywords):
                return "another library's"

        for part, call in (
            ("numpy.asarray of it, or subok=False", lambda: exact.maximum(subclass, 1)),
            ("numpy.asarray of it", lambda: exact.maximum(Other(), 1)),
            ("where=~mask", lambda: exact.maximum(np.ma.array([1.0]), 1)),
            ("use NumPy's own function", lambda: exact.maximum(np.array([1j]), 1)),
            ("use NumPy's own function", lambda: exact.maximum("a", "b")),
            ("use NumPy's own function", lambda: exact.maximum(np.array(["2020"], "M8[s]"), np.array(["2021"], "M8[s]"))),
            ("use NumPy's own function", lambda: exact.maximum(np.array(["NaT"], "M8[s]"), 1, dtype="i8", casting="unsafe")),
            ("use NumPy's own function", lambda: exact.maximum(np.array([None, 1]), 1, dtype="f8", casting="unsafe")),
            ("use NumPy's own function", lambda: exact.max(np.array([1j]), out=np.zeros(()))),
            ("where=~mask", lambda: exact.max(a, initial=0, where=np.ma.masked_array([True] * 3, [True, False, False]))),
            ("not bool", lambda: exact.maximum(a, 1, out=a, where=[1, 0, 1])),
            ("no subclass", lambda: exact.maximum(a, 1, out=[0, 0, 0])),
            ("has no keyword 'axis'", lambda: exact.maximum(a, 1, axis=0)),
        ):
            with self.assertRaisesRegex(supremum.InvalidType, part):
                call()
        for part, call in (
            ("pass out", lambda: exact.maximum(a, 1, where=[True, False, True])),
            ("cannot be written", lambda: exact.maximum(a, 1, out=read_only)),
            (r"shape \[2\], and the result has \[3\]", lambda: exact.maximum(a, 1, out=np.ones(2))),
            (r"'where' has shape \[2\]", lambda: exact.maximum(a, 1, out=np.ones(3), where=[True, False])),
            ("has one output", lambda: exact.maximum(a, 1, out=(a, a))),
            ("order='X'", lambda: exact.maximum(a, 1, order="X")),
            ("dimension", lambda: exact.maximum(a, np.ones(2))),
        ):
            with self.assertRaisesRegex(supremum.InvalidValue, part):
                call()
        with self.assertRaisesRegex(TypeError, r"^maximum\(\) missing"):
            exact.maximum(1)
        self.assertIs(pickle.loads(pickle.dumps(exact.maximum)), exact.maximum)
        for name in ("accumulate", "at", "outer", "reduceat"):
            with self.assertRaisesRegex(AttributeError, f"numpy.maximum.{name}"):
                getattr(exact.maximum, name)
        np.testing.assert_array_equal(exact.maximum(subclass, 2, subok=False), [2, 2, 2])


class Reduce(Base):
    def test_no_elements_are_refused_as_numpy_refuses_them(self):
        for shape in [(0,), (0, 0), (0, 3), (3, 0), (1, 0), (0, 0, 2), (2, 0, 0), (0, 2, 0), (0, 1, 3)]:
            rank = len(shape)
            for axis in [None, (), *range(rank), *itertools.permutations(range(rank), 2)]:
                for keepdims in (False, True):
                    options = {"axis": axis, "keepdims": keepdims}
                    expected = outcome(np.maximum.reduce, np.empty(shape, np.float32), **options)
                    self.expect_same(outcome(exact.maximum.reduce, np.empty(shape, np.float32), **options), expected, f"{shape} {options}")

    @hypothesis.given(st.sampled_from(TYPES), st.data())
    def test_axis_keepdims_and_initial(self, dtype, data):
        shape = data.draw(st.lists(st.integers(0, 4), max_size=4))
        a = operand(data.draw, dtype, tuple(shape))
        rank = len(np.shape(a))
        axis = data.draw(st.one_of(st.none(), st.integers(-rank - 1, rank), st.lists(st.integers(-rank, rank), max_size=rank).map(tuple)))
        options = {"axis": axis, "keepdims": data.draw(st.booleans())}
        kind = np.asarray(a).dtype.kind
        if data.draw(st.booleans()):
            options["initial"] = data.draw(st.sampled_from({"f": [0, -np.inf, np.nan, 2.5], "b": [False, True]}.get(kind, [0, 3])))
            if data.draw(st.booleans()):
                options["where"] = data.draw(arrays("uint8", np.shape(a)[-1:])) > 100
        expected = outcome(np.maximum.reduce, a, **options)
        self.expect_same(outcome(exact.maximum.reduce, a, **options), expected, f"{np.asarray(a).dtype} {shape} {options}")
        self.expect_same(outcome(exact.max, a, **options), outcome(np.max, a, **options), f"{shape} {options}")
        self.expect_same(outcome(exact.amax, a, **options), outcome(np.amax, a, **options))

    @hypothesis.given(st.sampled_from(TYPES), st.sampled_from(TYPES), st.booleans(), st.booleans(), st.data())
    def test_dtype_and_out(self, dtype, other, with_out, with_dtype, data):
        a = np.asarray(operand(data.draw, dtype, (3, 4)))
        # Else NumPy 2 computes in a type that has the values of both, and converts the result, which that type may not have.
        hypothesis.assume(np.can_cast(dtype, other) or (with_dtype and other[0] == "f"))
        options = {"axis": data.draw(st.sampled_from([0, 1, None]))}
        shape = {0: (4,), 1: (3,), None: ()}[options["axis"]]
        if with_dtype:
            options["dtype"] = other
        ours, theirs = dict(options), dict(options)
        if with_out:
            ours["out"], theirs["out"] = np.ones(shape, other), np.ones(shape, other)
        result = outcome(exact.maximum.reduce, a, **ours)
        self.expect_same(result, outcome(np.maximum.reduce, a, **theirs), f"{dtype} {options} out {with_out} {other}")
        if with_out:
            self.assertIs(result, ours["out"])

    def test_out_may_overlap(self):
        a = np.array([[1.0, 5], [4, 3]])
        exact.maximum.reduce(a, axis=0, out=a[0])
        np.testing.assert_array_equal(a, [[4, 5], [4, 3]])

    def test_what_numpy_has_no_identity_for_is_an_error_here_too(self):
        with self.assertRaisesRegex(supremum.InvalidValue, "supremum.max"):
            exact.max(np.ones((2, 0)), axis=1)
        with self.assertRaisesRegex(supremum.InvalidValue, "needs 'initial'"):
            exact.max(np.ones(2), where=[True, False])
        self.assertEqual(exact.max(np.ones((2, 0)), axis=0).shape, (0,))

    def test_a_memory_map_is_an_array(self):
        import tempfile

        with tempfile.NamedTemporaryFile() as file:
            mapped = np.memmap(file.name, np.float32, "w+", shape=(2, 3))
            mapped[...] = [[1, 5, 2], [4, 3, 6]]
            np.testing.assert_array_equal(exact.max(mapped, axis=1), [5, 6])
            exact.maximum(mapped, 3, out=mapped)
            np.testing.assert_array_equal(mapped, [[3, 5, 3], [4, 3, 6]])


class Documentation(unittest.TestCase):
    def test_examples(self):
        result = doctest.testmod(exact)
        self.assertGreater(result.attempted, 8)
        self.assertEqual(result.failed, 0)


if __name__ == "__main__":
    unittest.main()
