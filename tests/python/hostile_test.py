"""Operands and arguments whose methods raise, call back, change or free what was read, and capsules that lie: the answer is an
error of Python's or the right result, never a crash and never a wrong one."""

import copy
import ctypes
import gc
import importlib.util
import os
import pickle
import signal
import subprocess
import sys
import sysconfig
import threading
import unittest
import weakref

from hostile import BASE_EXCEPTIONS, EXCEPTIONS, IS_COPIED, OPERANDS, READ_ONLY, Capsules, Own, capsule_name, class_with, entries, make_model, ones, raiser
from support import np, supremum, waiting_thread

PASSED_ON = BASE_EXCEPTIONS + (RecursionError, MemoryError)


def run(code: str) -> "subprocess.CompletedProcess[str]":
    """What another interpreter makes of it: one that may crash."""
    paths = os.pathsep.join([os.path.dirname(os.path.abspath(__file__)), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env=environment)


class Raising(unittest.TestCase):
    def caught(self, call):
        with self.assertRaises(BaseException) as caught:
            call()
        return caught.exception

    def test_what_is_no_exception_of_an_operands_passes_through_unchanged(self):
        for entry, call in entries().items():
            for hook, make in OPERANDS.items():
                for kind in PASSED_ON:
                    with self.subTest(entry=entry, hook=hook, kind=kind.__name__):
                        error = kind("as it was")
                        self.assertIs(self.caught(lambda: call(make(error))), error)

    def test_an_exception_of_dlpack_is_the_cause_of_the_librarys(self):
        for entry, call in entries().items():
            for kind in EXCEPTIONS:
                with self.subTest(entry=entry, kind=kind.__name__):
                    error = kind("not today")
                    found = self.caught(lambda: call(OPERANDS["__dlpack__"](error)))
                    self.assertIs(type(found), supremum.InvalidValue)
                    self.assertIs(found.__cause__, error)
                    self.assertIn(f"of type hostile.Hostile does not export its memory: {kind.__name__}: not today", str(found))

    def test_an_exception_of_any_other_attribute_passes_through_and_is_not_an_attribute_that_is_missing(self):
        for entry, call in entries().items():
            for hook in ("a property __dlpack__", "__getattribute__"):
                for kind in EXCEPTIONS:
                    if (hook, kind) == ("__getattribute__", AttributeError):
                        continue  # that is how Python says that there is none
                    with self.subTest(entry=entry, hook=hook, kind=kind.__name__):
                        error = kind("as it was")
                        self.assertIs(self.caught(lambda: call(OPERANDS[hook](error))), error)

    def test_only_dlpack_is_called_of_an_operand(self):
        names = "__dlpack_device__ __array__ __array_interface__ __array_struct__ __len__ __getitem__ __iter__ __eq__ __bool__"
        names += " __index__ __float__ __repr__ __str__ __hash__ __del__x shape dtype mask"
        members = {name: raiser(Own(name)) for name in names.split()}
        members["__class__"] = property(raiser(Own("__class__")))
        for entry, call in entries().items():
            if "where" in entry or "initial" in entry:
                continue  # these are of another type or rank
            with self.subTest(entry=entry):
                result = call(class_with(__dlpack__=lambda self: np.full(2, 3, "f4").__dlpack__(), **members))
                self.assertIsNotNone(result)

    def test_a_class_that_says_it_is_another_is_what_it_is(self):
        for lie in (np.ndarray, list, float, int, bool, np.ma.MaskedArray):
            liar = class_with(__class__=lie)
            for entry, call in entries().items():
                with self.subTest(entry=entry, lie=lie.__name__), self.assertRaisesRegex(supremum.InvalidType, "of type"):
                    call(liar)

    def test_a_class_that_raises_when_it_is_asked_for_is_not(self):
        model = make_model()
        liar = class_with(__class__=property(raiser(Own())))
        calls = [lambda: call(liar) for call in entries().values()] + [lambda: model.run(liar)]
        for call in calls:
            with self.assertRaises(supremum.InvalidType):
                call()

    def test_the_text_of_an_error_may_itself_raise(self):
        class Mute(Exception):
            def __str__(self):
                raise ValueError("no text")

        class Interrupts(Exception):
            def __str__(self):
                raise KeyboardInterrupt

        class Calls(Exception):
            def __str__(self):
                return str(supremum.maximum_of(class_with(__dlpack__=raiser(Calls()))))

        found = self.caught(lambda: supremum.maximum_of(class_with(__dlpack__=raiser(Mute()))))
        self.assertRegex(str(found), r"does not export its memory: .*\.Mute$")
        self.assertIs(type(self.caught(lambda: supremum.maximum_of(class_with(__dlpack__=raiser(Interrupts()))))), KeyboardInterrupt)
        self.assertIs(type(self.caught(lambda: supremum.maximum_of(class_with(__dlpack__=raiser(Calls()))))), RecursionError)

    def test_of_a_long_text_the_first_line_is_shown(self):
        for text in ("why\nframe #0: here/there.cpp:3\n", "why\r\nmore", "why"):
            found = self.caught(lambda: supremum.maximum_of(class_with(__dlpack__=raiser(RuntimeError(text)))))
            self.assertTrue(str(found).endswith("does not export its memory: RuntimeError: why"), str(found))

    def test_texts_and_names_that_are_no_unicode_are_shown(self):
        hostile = type("Bad", (), {"__dlpack__": raiser(ValueError("\udc80"))})
        hostile.__qualname__, hostile.__module__ = "Bad\ud800", "\udfff"
        self.assertIn(r"\udfff.Bad\ud800 does not export its memory: ValueError: \udc80", str(self.caught(lambda: supremum.maximum_of(hostile()))))
        hostile.__module__ = 3
        self.assertIn(r"type Bad\ud800", str(self.caught(lambda: supremum.maximum_of(hostile()))))
        for call in (lambda: supremum.maximum_of(ones(), **{"\ud800": 1}), lambda: supremum.load(b"", **{"\ud800": 1})):
            self.assertIs(type(self.caught(call)), supremum.InvalidType)

    def test_a_metaclass_is_not_asked_for_names(self):
        meta = type("Meta", (type,), {name: property(raiser(Own(name))) for name in ("__module__", "__name__")})
        found = self.caught(lambda: supremum.maximum_of(meta("Plain", (), {})()))
        self.assertRegex(str(found), "input 0 is of type .*Plain, which has neither")

    def test_the_error_class_may_be_gone(self):
        kept = sys.modules["supremum._errors"]
        try:
            for instead in (None, class_with(), class_with(InvalidType=raiser(Own("mine"))), class_with(InvalidType=lambda *_: 3)):
                sys.modules["supremum._errors"] = instead
                self.assertIsInstance(self.caught(lambda: supremum.maximum_of([1])), (ImportError, AttributeError, Own, SystemError, TypeError))
        finally:
            sys.modules["supremum._errors"] = kept
        self.assertIs(type(self.caught(lambda: supremum.maximum_of([1]))), supremum.InvalidType)


class Arguments(unittest.TestCase):
    def test_whatever_an_arguments_method_raises_passes_through(self):
        index = lambda error: class_with(__index__=raiser(error))
        calls = {
            "axis": lambda error: supremum.max(ones(), axis=index(error)),
            "an axis in a tuple": lambda error: supremum.max(ones(), axis=(0, index(error))),
            "an axis in a list": lambda error: supremum.max(ones(), axis=[index(error)]),
            "keepdims": lambda error: supremum.max(ones(), keepdims=class_with(__bool__=raiser(error))),
            "keepdims by length": lambda error: supremum.max(ones(), keepdims=class_with(__len__=raiser(error))),
            "threads": lambda error: supremum.maximum_of(ones(), threads=index(error)),
            "threads of max": lambda error: supremum.max(ones(), threads=index(error)),
            "threads of max_with_bounds": lambda error: supremum.max_with_bounds([ones()], [0], threads=index(error)),
            "max_bytes": lambda error: supremum.load(b"", max_bytes=index(error)),
            "a path": lambda error: supremum.load(type("Path", (os.PathLike,), {"__fspath__": raiser(error)})()),
            "a proto": lambda error: supremum.load(class_with(SerializeToString=raiser(error))),
            "what check takes": lambda error: supremum.check(class_with(SerializeToString=raiser(error))),
            "identical_shapes_only of check": lambda error: supremum.check(b"", identical_shapes_only=class_with(__bool__=raiser(error))),
        }
        model = make_model()
        both = [ones(), ones()]
        mapping = {"keys": lambda _: ["a", "b"], "__iter__": lambda _: iter("ab"), "__len__": lambda _: 2}
        mapping["__getitem__"] = lambda *_: ones()

        def of_class(base, hook, members):
            def call(error):
                return model.run(type("Inputs", (base,), {**members, hook: raiser(error)})())

            return call

        import collections.abc

        for hook in ("keys", "__getitem__"):
            calls[f"inputs by name, {hook}"] = of_class(collections.abc.Mapping, hook, mapping)
        for hook in ("__len__", "__iter__"):
            members = {"__len__": lambda _: 2, "__getitem__": lambda *_: ones()}
            calls[f"inputs in order, {hook}"] = of_class(collections.abc.Sequence, hook, members)
        calls["threads of run"] = lambda error: model.run(both, threads=index(error))
        calls["max_bytes of run"] = lambda error: model.run(both, max_bytes=index(error))
        calls["identical_shapes_only"] = lambda error: model.run(both, identical_shapes_only=class_with(__bool__=raiser(error)))
        calls["dims"] = lambda error: model.run(both, dims=class_with(items=raiser(error)))
        calls["an extent"] = lambda error: model.run(both, dims={"n": index(error)})
        calls["the name of an extent"] = lambda error: model.run(both, dims={class_with(__str__=raiser(error)): 2})
        calls["the name of an input"] = lambda error: model.run({class_with(__str__=raiser(error)): ones()})
        for name, call in calls.items():
            for kind in PASSED_ON + EXCEPTIONS:
                with self.subTest(argument=name, kind=kind.__name__):
                    error = kind("as it was")
                    with self.assertRaises(kind) as caught:
                        call(error)
                    self.assertIs(caught.exception, error)

    def test_an_axis_is_a_type_error_where_it_is_one_in_numpy(self):
        for axis in (np.array([0]), (np.array([0]),), [np.array([0, 0])], np.float64(0), 0.0, "0", {0}, object()):
            with self.subTest(axis=axis):
                with self.assertRaises(TypeError):
                    np.max(ones(), axis=axis)
                with self.assertRaises(TypeError):
                    supremum.max(ones(), axis=axis)
        self.assertEqual(supremum.max(ones(), axis=np.array(0)), 1)
        self.assertEqual(supremum.max(ones(), axis=class_with(__index__=lambda _: -1)), 1)

    def test_numbers_of_any_size_are_out_of_range(self):
        huge = 10**6000  # more digits than Python writes
        for call in (
            lambda: supremum.max(ones(), axis=huge),
            lambda: supremum.max(ones(), axis=-(2**64)),
            lambda: supremum.max(ones("i4"), initial=huge),
            lambda: supremum.max(ones(), initial=huge),
            lambda: supremum.max(ones(), initial=-huge),
            lambda: supremum.maximum_of(ones(), threads=-huge),
            lambda: supremum.load(b"", max_bytes=huge),
        ):
            with self.assertRaises(supremum.InvalidValue):
                call()
        self.assertEqual(supremum.maximum_of(ones(), threads=huge).tolist(), [1, 1])  # as many as pay

    def test_numbers_are_their_own_value_whatever_their_class_says(self):
        class Whole(int):
            __index__ = __int__ = __float__ = __repr__ = __str__ = raiser(Own("of a number"))

        class Real(float):
            __float__ = __index__ = __repr__ = raiser(Own("of a number"))

        self.assertEqual(supremum.max(ones(), initial=Whole(5)), 5)
        self.assertEqual(supremum.max(ones("i4"), initial=Whole(5)), 5)
        self.assertEqual(supremum.max(ones(), initial=Real(5)), 5)
        self.assertEqual(supremum.max(ones(), axis=Whole(0)), 1)
        for call in (lambda: supremum.max(ones("i1"), initial=Whole(500)), lambda: supremum.max(ones(), axis=Whole(5))):
            with self.assertRaisesRegex(supremum.InvalidValue, "5"):
                call()

    def test_lists_and_tuples_are_what_they_hold(self):
        members = {name: raiser(Own(name)) for name in ("__iter__", "__len__", "__getitem__", "__contains__", "__bool__")}
        Listed, Tupled = type("Listed", (list,), members), type("Tupled", (tuple,), members)
        self.assertEqual(supremum.max(ones(), axis=Listed([0])), 1)
        self.assertEqual(supremum.max(ones(), axis=Tupled((0,))), 1)
        self.assertEqual(supremum.max_with_bounds(Listed([ones()]), Tupled((0,))).value.tolist(), [1, 1])
        out = ones()
        self.assertIs(supremum.maximum_of(ones(), out=Tupled((out,))), out)

    def test_a_list_that_changes_meanwhile_is_read_as_it_was(self):
        axes = []
        axes += [class_with(__index__=lambda _: axes.clear() or 0), 1]
        self.assertEqual(supremum.max(np.ones((2, 3), "f4"), axis=axes), 1)
        arrays = []

        def clear(_):
            arrays.clear()
            gc.collect()
            return ones().__dlpack__()

        arrays += [class_with(__dlpack__=clear), np.full(2, 4, "f4"), np.full(2, 3, "f4")]
        self.assertEqual(supremum.max_with_bounds(arrays, [0, 0, 0]).value.tolist(), [4, 4])

    def test_inputs_that_change_meanwhile_are_read_as_they_were(self):
        model = make_model()
        inputs = {}

        def clear(_):
            for found in gc.get_objects():
                if type(found) is dict and found.keys() == {"a", "b"} and found.get("b") is second():
                    found.clear()
            gc.collect()
            return ones().__dlpack__()

        array = np.full(2, 3, "f4")
        second = weakref.ref(array)
        inputs.update(a=class_with(__dlpack__=clear), b=array)
        del array
        self.assertEqual(model.run(inputs)["y"].tolist(), [3, 3])

    def test_names_and_paths_that_no_file_has(self):
        for call in (lambda: supremum.load("a\0b"), lambda: supremum.check("a\0b"), lambda: supremum.load("no\udcffsuch")):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(supremum.InvalidValue):
            supremum.check(b"", "\ud800")
        model = make_model()
        for options in ({"profile": "\ud800"}, {"dims": {"\ud800": 2}}):
            with self.assertRaises(supremum.InvalidValue):
                model.run([ones(), ones()], **options)
        with self.assertRaises(supremum.InvalidValue):
            model.run({"a": ones(), "\ud800": ones()})


class Reentering(unittest.TestCase):
    def test_a_method_may_call_the_library(self):
        def call(_):
            return supremum.maximum_of(ones() * 3, supremum.max(np.float32([[1, 5]]), axis=1)).__dlpack__()

        for entry, use in entries().items():
            if "where" in entry or "initial" in entry or "bound" in entry:
                continue
            with self.subTest(entry=entry):
                result = use(class_with(__dlpack__=call))
                if isinstance(result, (dict, tuple)):
                    continue
                if isinstance(result, np.ndarray):
                    self.assertEqual(result.tolist(), [5, 5])

    def test_six_calls_inside_each_other_are_right(self):
        def nested(depth):
            if depth == 0:
                return ones()
            return class_with(__dlpack__=lambda _: supremum.maximum_of(nested(depth - 1), np.float32([depth, 0])).__dlpack__())

        self.assertEqual(supremum.maximum_of(nested(6)).tolist(), [6, 1])

    def test_calls_inside_each_other_without_end_are_an_error_at_any_limit(self):
        code = """
import sys, threading, supremum
from hostile import entries
bad = 0
def attempt(entry, call):
    class Endless:
        __dlpack__ = lambda self: call(self)
    try:
        call(Endless())
        print(entry, "returned")
    except RecursionError:
        pass
calls = entries()
def all_of_them():
    for limit in (60, 100, 200, 1000, 3000, 10**5, 10**8):
        sys.setrecursionlimit(limit)
        for entry, call in calls.items():
            attempt(entry, call)
    sys.setrecursionlimit(1000)
    print("done")
all_of_them()
threading.stack_size(2**19)
other = threading.Thread(target=all_of_them)
other.start()
other.join()
"""
        ran = run(code)
        self.assertEqual((ran.returncode, ran.stdout), (0, "done\ndone\n"), ran.stderr)

    def test_the_limit_of_recursion_may_change_meanwhile(self):
        before = sys.getrecursionlimit()

        def lower(_):
            sys.setrecursionlimit(len(gc.get_referrers()) + depth() + 12)
            return [1]

        def depth():
            frame, count = sys._getframe(), 0
            while frame is not None:
                frame, count = frame.f_back, count + 1
            return count

        try:
            with self.assertRaises((supremum.Error, RecursionError)):
                supremum.maximum_of(class_with(__dlpack__=lower))
        finally:
            sys.setrecursionlimit(before)
        self.assertEqual(supremum.maximum_of(ones()).tolist(), [1, 1])

    def test_finalizers_may_call_the_library(self):
        seen = []

        class Ends:
            def __del__(self):
                seen.append(supremum.maximum_of(ones(), ones() * 2).tolist())

        def collect(_):
            cycle = Ends()
            cycle.itself = cycle
            del cycle
            gc.collect()
            return ones().__dlpack__()

        self.assertEqual(supremum.maximum_of(class_with(__dlpack__=collect)).tolist(), [1, 1])
        self.assertEqual(seen, [[2, 2]])

    def test_the_first_import_of_numpy_may_call_the_library(self):
        ran = run(
            """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            sys.meta_path.remove(self)
            import supremum
            try:
                supremum.maximum_of([1])
            except supremum.InvalidType:
                print("refused")
        return None
sys.meta_path.insert(0, Finder())
import supremum
print(supremum.maximum_of(b"\\1\\5").tolist())
import numpy
print(supremum.maximum_of(numpy.ones(1)).tolist())
"""
        )
        self.assertEqual((ran.returncode, ran.stdout), (0, "refused\n[1, 5]\n[1.0]\n"), ran.stderr)


def shrink(a):
    a.resize(1, refcheck=False)


def grow(a):
    a.resize(10**6, refcheck=False)


def reshape(a):
    a.shape = (a.size // 2, 2)


def skip(a):
    a.shape = (a.size // 2, 2)
    a.shape = (a.size,)
    a.strides = (0,)


def retype(a):
    a.dtype = f"u{a.dtype.itemsize}" if a.dtype.kind == "f" else f"i{a.dtype.itemsize}"


def narrow(a):
    a.dtype = "i1"


def replace(a):
    a.__setstate__((1, (1,), a.dtype, False, b"\0" * a.dtype.itemsize))


CHANGES = (shrink, grow, reshape, skip, retype, narrow, replace)


class Changing(unittest.TestCase):
    """A later operand's method changes an operand that has been read."""

    N = 64

    def after(self, change, victim, result):
        def changes(_):
            change(victim)
            return result.__dlpack__()

        return class_with(__dlpack__=changes)

    def refused(self, call, name):
        with self.assertRaisesRegex(supremum.InvalidValue, f"{name} was changed while the call read its operands"):
            call()

    def array(self):
        return np.arange(float(self.N))

    def test_an_operand_that_is_changed_is_refused(self):
        for change in CHANGES:
            with self.subTest(change=change.__name__):
                a, b = self.array(), self.array()
                late = self.after(change, a, b)
                self.refused(lambda: supremum.maximum_of(a, late), "input 0")
                a = self.array()
                late = self.after(change, a, b)
                self.refused(lambda: supremum.maximum_of(b, b, b, b, b, a, late), "input 5")
                a = self.array()
                late = self.after(change, a, b)
                self.refused(lambda: supremum.maximum(a, b, out=late), "input 0")
                a = self.array()
                late = self.after(change, a, np.ones(self.N, bool).view("u1"))
                with self.assertRaises(supremum.Error):
                    supremum.max(a, where=late)
                a = self.array()
                late = self.after(change, a, np.array(1.0))
                self.refused(lambda: supremum.max(a, initial=late), "input 'x'")
                a = self.array()
                late = self.after(change, a, np.array(1.0))
                self.refused(lambda: supremum.max(a, axis=0, out=late), "input 'x'")
                a = self.array()
                late = self.after(change, a, b)
                self.refused(lambda: supremum.max_with_bounds([a, late], [0, 0]), "input 0")
                a = self.array()
                late = self.after(change, a, b)
                self.refused(lambda: supremum.max_with_bounds([b], [a]) and supremum.max_with_bounds([b, b], [a, late]), "the bound of input 0")

    def test_a_mask_and_a_model_are_safe_too(self):
        for change in (shrink, grow, replace, skip):
            with self.subTest(change=change.__name__):
                mask, a = np.ones(self.N, bool), self.array()
                late = self.after(change, mask, np.array(1.0))
                self.refused(lambda: supremum.max(a, where=mask, out=late), "where")
                model = make_model()
                x = np.full(2, 3, "f4")
                late = self.after(change, x, ones())
                self.refused(lambda: model.run([x, late]), "input 'a'")

    def test_large_operands_are_refused_as_small_ones_are(self):
        for change in CHANGES:
            a, b = np.zeros(2**16), np.ones(2**16)
            self.refused(lambda: supremum.maximum_of(a, self.after(change, a, b)), "input 0")

    def test_an_array_of_packed_records_is_copied_when_it_is_read(self):
        records = np.zeros(4, [("flag", "i1"), ("value", "<f8")])
        records["value"] = [1, 2, 3, 4]
        value = records["value"]
        late = self.after(lambda _: records["value"].fill(9), value, np.zeros(4))
        self.assertEqual(supremum.maximum_of(value, late).tolist(), [1, 2, 3, 4])
        value = records["value"]
        with self.assertRaises(ValueError):
            value.resize(1, refcheck=False)

    def test_an_output_that_may_not_be_written_any_more_is_not(self):
        # The object's finalizer, run by the garbage collector, makes the output read-only before the call.
        a = self.array()
        out = np.full(self.N, -1.0)

        class Ends:
            def __init__(self):
                self.itself = self

            def __del__(self):
                out.flags.writeable = False

        Ends()
        gc.collect()
        with self.assertRaisesRegex(supremum.InvalidValue, "read-only"):
            supremum.maximum_of(a, out=out)
        self.assertEqual(set(out.tolist()), {-1.0})

    def test_operands_that_a_method_lets_go_of_are_still_there(self):
        holder = {"x": np.full(self.N, 7.0)}

        def drop(_):
            holder.clear()
            gc.collect()
            return np.zeros(self.N).__dlpack__()

        late = class_with(__dlpack__=drop)
        self.assertEqual(supremum.max(supremum.maximum_of(holder["x"], late)), 7)
        holder["x"] = np.full(self.N, 7.0)
        self.assertEqual(supremum.max_with_bounds([holder["x"], late], [0, 0]).value.max(), 7)
        holder["x"] = np.full(self.N, 7.0)
        out = (np.zeros(self.N),)
        self.assertEqual(supremum.maximum_of(holder["x"], late, out=out).max(), 7)

    def test_buffers_are_held(self):
        import array

        for victim, change in (
            (bytearray(b"\1" * 64), lambda x: x.clear()),
            (bytearray(b"\1" * 64), lambda x: x.extend(b"1" * 10**6)),
            (array.array("B", [1] * 64), lambda x: x.pop()),
            (memoryview(bytearray(b"\1" * 64)), lambda x: x.release()),
        ):
            refused = []

            def attempt(_):
                try:
                    change(victim)
                except BufferError:
                    refused.append(True)
                return np.zeros(64, "u1").__dlpack__()

            self.assertEqual(supremum.maximum_of(victim, class_with(__dlpack__=attempt)).tolist(), [1] * 64)
            self.assertEqual(refused, [True])

    def test_numpy_resizes_nothing_while_other_threads_run(self):
        base = np.zeros(2**24, "f4")
        view = base[: 2**23]
        for operand, victim in ((base, base), (view, base)):
            def attempt():
                try:
                    victim.resize(1, refcheck=False)
                    return "resized"
                except ValueError:
                    return "refused"

            with waiting_thread(attempt) as (admitted, outcome):
                admitted.set()
                while not outcome:
                    supremum.maximum_of(operand, operand, operand)
            self.assertEqual(outcome, ["refused"])
        del view, operand, victim
        base.resize(1, refcheck=False)  # and afterwards it does
        self.assertEqual(base.size, 1)


def of(**fields):
    return lambda: Capsules(**fields)


NULL = ctypes.POINTER(ctypes.c_int64)()
LIES = {
    "a null shape": (dict(shape=NULL), "invalid_argument"),
    "a null shape of 64 dimensions": (dict(shape=NULL, ndim=64), "invalid_argument"),
    "null data": (dict(data=None), "invalid_argument"),
    "null data and an offset": (dict(data=None, byte_offset=4), "invalid_argument"),
    "null data and an offset that wraps": (dict(data=None, byte_offset=2**64 - 4), "invalid_argument"),
    "an offset that wraps": (dict(byte_offset=2**64 - 4), "invalid_argument"),
    "an offset that wraps to null": (dict(byte_offset=2**63, data=2**63), "invalid_argument"),
    "a rank below zero": (dict(ndim=-1), "rank"),
    "the least rank": (dict(ndim=-(2**31)), "rank"),
    "65 dimensions": (dict(ndim=65, shape=[1] * 65), "rank"),
    "the largest rank": (dict(ndim=2**31 - 1), "rank"),
    "an extent below zero": (dict(shape=[-1]), "invalid_shape"),
    "the least extent": (dict(shape=[-(2**63)]), "invalid_shape"),
    "extents below zero": (dict(ndim=2, shape=[-2, -2]), "invalid_shape"),
    "extents whose product is too large": (dict(ndim=2, shape=[2**40, 2**40]), "invalid_shape"),
    "extents whose product wraps to zero": (dict(ndim=2, shape=[2**32, 2**32]), "invalid_shape"),
    "extents whose product wraps to two": (dict(ndim=3, shape=[2**33, 2**31, 2]), "invalid_shape"),
    "more elements than addresses": (dict(shape=[2**62]), "invalid_shape"),
    "strides to beyond the address space": (dict(strides=[2**62]), "invalid_shape"),
    "strides to before it": (dict(strides=[-(2**62)]), "invalid_shape"),
    "the least stride": (dict(strides=[-(2**63)]), "invalid_shape"),
    "strides whose sum wraps": (dict(ndim=2, shape=[2, 2], strides=[2**61, 2**61]), "invalid_shape"),
    "no lanes": (dict(lanes=0), "type_not_admitted"),
    "two lanes": (dict(lanes=2), "type_not_admitted"),
    "no bits": (dict(bits=0), "type_not_admitted"),
    "bits that no type has": (dict(bits=24), "type_not_admitted"),
    "a complex type": (dict(code=5, bits=64), "type_not_admitted"),
    "an opaque handle": (dict(code=3, bits=64), "type_not_admitted"),
    "a type that there is not": (dict(code=255), "type_not_admitted"),
    "bool of 32 bits": (dict(code=6), "type_not_admitted"),
    "a graphics card": (dict(device_type=2), "unsupported_device"),
    "no device": (dict(device_type=0), "unsupported_device"),
    "a device below zero": (dict(device_type=-1), "unsupported_device"),
    "a device that there is not": (dict(device_type=2**31 - 1), "unsupported_device"),
}


class Lying(unittest.TestCase):
    def test_a_description_that_lies_is_refused_and_given_back(self):
        for entry, call in entries().items():
            for name, (fields, code) in LIES.items():
                with self.subTest(entry=entry, lie=name):
                    liar = Capsules(**fields)
                    with self.assertRaises(supremum.Error) as caught:
                        call(liar)
                    self.assertEqual(caught.exception.code.name, code, str(caught.exception))
                    self.assertEqual((len(liar.made), liar.returned), (1, 1))

    def test_one_that_tells_the_truth_is_read_and_given_back_once(self):
        for fields, expected in (
            ({}, [1, 2]),
            ({"strides": [1]}, [1, 2]),
            ({"strides": [0]}, [1, 1]),
            ({"byte_offset": 4, "strides": [-1]}, [2, 1]),
            ({"device_type": 3}, [1, 2]),  # the host's memory, which a graphics card reads too
            ({"device_id": 7}, [1, 2]),
            ({"shape": [1], "strides": [2**62]}, [1]),  # addresses nothing
            ({"shape": [0], "data": None}, []),
            ({"shape": [0], "data": None, "strides": [2**63 - 1]}, []),
            ({"ndim": 2, "shape": [0, 2**40]}, []),
            ({"ndim": 0, "shape": NULL}, 1),
        ):
            with self.subTest(fields=fields):
                tensor = Capsules(**fields)
                self.assertEqual(supremum.maximum_of(tensor).tolist(), expected)
                self.assertEqual((len(tensor.made), tensor.returned), (1, 1))
                self.assertEqual(np.asarray(supremum.max(tensor, axis=())).tolist(), expected)

    def test_an_output_is_written_and_nothing_beside_it(self):
        out = Capsules()
        self.assertIs(supremum.maximum_of(np.float32([5, 6]), out=out), out)
        self.assertEqual((list(out.memory), out.returned), ([5, 6], 1))
        for fields in ({"byte_offset": 2**64 - 4}, {"strides": [0]}, {"shape": [-2]}):
            out = Capsules(**fields)
            with self.assertRaises(supremum.Error):
                supremum.maximum_of(np.float32([5, 6]), out=out)
            self.assertEqual(list(out.memory), [1, 2])

    def test_only_a_capsule_of_the_right_name_is_taken(self):
        for entry, call in entries().items():
            for name in (b"used_dltensor", b"used_dltensor_versioned", b"DLTENSOR", b"", None):
                with self.subTest(entry=entry, name=name):
                    tensor = Capsules(name=name)
                    with self.assertRaisesRegex(supremum.InvalidType, "returns no capsule named 'dltensor'"):
                        call(tensor)
                    self.assertEqual(tensor.returned, 0)
            for value in (None, 3, b"dltensor", ones(), Own):
                with self.assertRaisesRegex(supremum.InvalidType, "returns no capsule named 'dltensor'"):
                    call(class_with(__dlpack__=lambda _: value))

    def test_a_capsule_of_dlpack_1_is_read_and_given_back(self):
        for entry, call in entries().items():
            if "where" in entry or "initial" in entry:
                continue  # these are of another type or rank
            for flags in (0, 4, 2**63):
                with self.subTest(entry=entry, flags=flags):
                    tensor = Capsules(version=(1, 9), flags=flags)
                    self.assertIsNotNone(call(tensor))
                    self.assertEqual(tensor.returned, 1)
                    expected = {"max_version": (1, 0), "copy": False} if "out" in entry else {"max_version": (1, 0)}
                    self.assertEqual(tensor.asked, [expected])
                    older = Capsules()
                    self.assertIsNotNone(call(older))
                    self.assertEqual((older.asked, older.returned), ([expected, {}], 1))

    def test_a_read_only_tensor_is_read_and_not_written(self):
        for entry, call in entries().items():
            if "where" in entry or "initial" in entry:
                continue
            for flags, text in ((READ_ONLY, "is read-only"), (IS_COPIED, "exports a copy of its memory"), (READ_ONLY | IS_COPIED, "is read-only")):
                tensor = Capsules(version=(1, 0), flags=flags)
                with self.subTest(entry=entry, flags=flags):
                    if "out" not in entry:
                        self.assertIsNotNone(call(tensor))
                    else:
                        with self.assertRaisesRegex(supremum.InvalidValue, text):
                            call(tensor)
                    self.assertEqual((tensor.returned, list(tensor.memory)), (1, [1, 2]))

    def test_a_capsule_of_another_version_is_given_back_unread(self):
        for major in (0, 2, 2**32 - 1):
            tensor = Capsules(version=(major, 0), ndim=-1)
            with self.assertRaisesRegex(supremum.InvalidValue, f"a tensor of version {major} of DLPack"):
                supremum.max(tensor)
            self.assertEqual(tensor.returned, 1)
        tensor = Capsules(version=(1, 0))
        one = tensor.capsule()
        again = class_with(__dlpack__=lambda _, **__: one)
        with self.assertRaisesRegex(supremum.InvalidType, "this one has been used already"):
            supremum.maximum(again, again)
        self.assertEqual((capsule_name(one), tensor.returned), (b"used_dltensor_versioned", 1))

    def test_a_type_error_is_told_if_the_call_without_arguments_raises_it_too(self):
        calls = []

        def fails(_, **keywords):
            calls.append(keywords)
            raise TypeError(f"call {len(calls)}")

        with self.assertRaisesRegex(supremum.InvalidValue, "does not export its memory: TypeError: call 2"):
            supremum.max(class_with(__dlpack__=fails))
        self.assertEqual(calls, [{"max_version": (1, 0)}, {}])

    def test_a_capsule_is_used_once(self):
        tensor = Capsules()
        one = tensor.capsule()
        again = class_with(__dlpack__=lambda _: one)
        with self.assertRaisesRegex(supremum.InvalidType, "this one has been used already"):
            supremum.maximum_of(again, again)
        self.assertEqual((capsule_name(one), tensor.returned), (b"used_dltensor", 1))
        tensor = Capsules()
        one, seen = tensor.capsule(), []

        def look(_):
            seen.append((capsule_name(one), tensor.returned))
            return ones().__dlpack__()

        result = supremum.maximum_of(class_with(__dlpack__=lambda _: one), class_with(__dlpack__=look))
        self.assertEqual((result.tolist(), seen, tensor.returned), ([1, 2], [(b"used_dltensor", 0)], 1))

    def test_a_tensor_that_nobody_wants_back(self):
        tensor = Capsules()
        tensor.deleter = type(tensor.deleter)()
        self.assertEqual(supremum.maximum_of(tensor).tolist(), [1, 2])


class Surroundings(unittest.TestCase):
    def test_functions_of_numpy_may_be_replaced(self):
        ran = run(
            """
import sys, numpy, supremum
records = numpy.zeros(2, [("flag", "i1"), ("value", "<f8")])
value, a = records["value"], numpy.ones(2)
for name in ("ascontiguousarray", "asarray", "array", "dtype", "ndarray", "frombuffer", "from_dlpack"):
    setattr(numpy, name, lambda *_, **__: 3)
assert supremum.maximum_of(value, a).tolist() == [1, 1]
for name in list(sys.modules):
    if name.split(".")[0] == "numpy":
        sys.modules[name] = None
assert supremum.maximum_of(value, a).tolist() == [1, 1]
assert supremum.max(a) == 1
assert supremum.maximum_of(b"\\1\\5").tolist() == [1, 5]
"""
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_a_module_named_torch_may_be_anything(self):
        ran = run(
            """
import sys, types, supremum
class Tensor:
    __module__ = "torch"
    def __dlpack__(self):
        raise BufferError("no tensor")
class Raises(types.ModuleType):
    def __getattr__(self, name):
        raise KeyboardInterrupt(name)
for torch in (None, 3, types.ModuleType("torch"), Raises("torch"), types.SimpleNamespace(Tensor=Tensor)):
    for member in (None, 3, Tensor, int):
        if isinstance(torch, types.ModuleType) and member is not None:
            torch.__dict__["Tensor"] = member
        sys.modules["torch"] = torch
        for operand in (Tensor(), 3, object()):
            try:
                supremum.maximum_of(operand)
            except (supremum.Error, KeyboardInterrupt):
                pass
        assert supremum.maximum_of(b"\\1\\5").tolist() == [1, 5]
"""
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_what_is_copied_and_pickled(self):
        model = make_model()
        for make in (copy.deepcopy, pickle.dumps):
            for thing in (model, model._core, supremum._core.DLPackTensor):
                try:
                    made = make(thing)
                except TypeError:
                    continue  # it says that it cannot
                self.assertIsNotNone(made)
        self.assertEqual(copy.copy(model).run([ones(), ones()])["y"].tolist(), [1, 1])
        self.assertEqual(pickle.loads(pickle.dumps(model.inputs)), model.inputs)
        for kind in (supremum._core.Model, supremum._core.DLPackTensor):
            with self.assertRaises(TypeError):
                kind()
            for new in (kind.__new__, kind.__base__.__new__, object.__new__):
                with self.assertRaises(TypeError):
                    new(kind)
            with self.assertRaises(TypeError):
                type("Derived", (kind,), {"__init__": lambda self: None})()
        for core in (None, 3, class_with()):
            with self.assertRaises(AttributeError):
                supremum.Model(core).run([ones()])

    def test_an_import_in_a_sub_interpreter_is_an_import_error(self):
        interpreters = """
try:
    import _interpreters as module
    new = module.create("legacy")
except ImportError:
    import _xxsubinterpreters as module
    new = module.create(isolated=False)
inside = "\\n".join([
    "for module in ('supremum', 'supremum._core', 'supremum.kit', 'supremum'):",
    "    try: __import__(module)",
    "    except ImportError as error: assert 'cannot be imported in a sub-interpreter' in str(error), error",
    "    else: raise AssertionError(module)",
])
"""
        if importlib.util.find_spec("_interpreters") is None and importlib.util.find_spec("_xxsubinterpreters") is None:
            self.skipTest("this Python cannot start a sub-interpreter")
        for before in ("", "import supremum"):
            with self.subTest(before=before):
                after = "import array, supremum\ny = array.array('b', [0])\nsupremum.max(array.array('b', [1, 5]), keepdims=True, out=y)\nassert y[0] == 5"
                ran = run(before + interpreters + "assert module.run_string(new, inside) is None\nmodule.destroy(new)\n" + after)
                self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_an_interrupt_during_a_long_run_is_raised_when_it_returns(self):
        model = make_model()
        if not hasattr(signal, "SIGINT"):
            self.skipTest("this system has no SIGINT")
        a, gate, sent = np.zeros(2**20, "f4"), threading.Lock(), []

        def interrupt():
            with gate:
                os.kill(os.getpid(), signal.SIGINT)
                sent.append(True)

        before, handler = sys.getswitchinterval(), signal.signal(signal.SIGINT, signal.default_int_handler)
        gate.acquire()
        other = threading.Thread(target=interrupt)
        other.start()
        sys.setswitchinterval(100)  # seconds: the other thread runs only where the lock is let go of
        try:
            with self.assertRaises(KeyboardInterrupt):
                gate.release()
                while True:
                    model.run([a, a])
        finally:
            sys.setswitchinterval(before)
            other.join()
            signal.signal(signal.SIGINT, handler)
        self.assertEqual(sent, [True])
        self.assertEqual(model.run([ones(), ones()])["y"].tolist(), [1, 1])

    def test_daemon_threads_that_compute_do_not_spoil_the_end(self):
        for call in ("supremum.maximum_of(a, a)", "supremum.max(a)"):
            ran = run(
                f"""
import threading, numpy, supremum
a, begun = numpy.zeros(2**22), threading.Event()
def compute():
    while True:
        {call}
        begun.set()
for _ in range(4):
    threading.Thread(target=compute, daemon=True).start()
begun.wait()
"""
            )
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stderr)

    @unittest.skipUnless(sysconfig.get_config_var("Py_GIL_DISABLED"), "this Python has a global interpreter lock")
    def test_without_a_global_lock_the_module_turns_it_on(self):
        ran = run("import sys, supremum; sys.exit(0 if sys._is_gil_enabled() else 1)")
        self.assertEqual(ran.returncode, 0, ran.stderr)


if __name__ == "__main__":
    unittest.main()
