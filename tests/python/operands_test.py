"""What comes in as a tensor, without a copy, and what results are."""

import array
import copy
import ctypes
import importlib.util
import pickle
import subprocess
import sys
import tempfile
import threading
import types
import unittest
from fractions import Fraction

from hostile import IS_COPIED, Capsules, DLManagedTensor, DLManagedTensorVersioned, capsule_name, entries, ones
from support import NUMBERS, THROUGH_ATTRIBUTES, np, run_through_attributes, same_bits, supremum, waiting_thread

HAS_TORCH = importlib.util.find_spec("torch") is not None
HAS_ML_DTYPES = importlib.util.find_spec("ml_dtypes") is not None


class Foreign:
    """A tensor of a package of its own, which has from_dlpack or has not."""

    def __init__(self, exporter):
        self.exporter = exporter

    def __dlpack__(self, stream=None):
        return self.exporter.__dlpack__()

    def __dlpack_device__(self):
        return self.exporter.__dlpack_device__()


capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype, capsule_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def bfloat16(*bits):
    """A DLPackTensor, also if ml_dtypes is installed."""
    found = supremum.reinterpret(np.array(bits, "u2"), "bfloat16")
    return found if type(found) is supremum.DLPackTensor else found.base


class Elsewhere(Foreign):
    """A tensor that says that it is on DLPack device type 2."""

    def __dlpack__(self, stream=None):
        capsule = self.exporter.__dlpack__()
        # Behind the pointer to the elements.
        ctypes.c_int32.from_address(capsule_pointer(capsule, b"dltensor") + ctypes.sizeof(ctypes.c_void_p)).value = 2
        return capsule


class Memory(unittest.TestCase):
    def test_a_tensor_on_another_device_is_refused(self):
        with self.assertRaisesRegex(supremum.InvalidValue, "input 0 is on DLPack device type 2") as caught:
            supremum.maximum_of(Elsewhere(np.zeros(3, "f4")))
        self.assertEqual(caught.exception.code, supremum.ErrorCode.unsupported_device)

    def test_views_that_no_machine_could_copy_come_in(self):
        # 2^62 elements of one number: the reduction drops what repeats it.
        a = np.lib.stride_tricks.as_strided(np.array([3, 5], "i1"), (2, 2**30, 2**31), (1, 0, 0))
        self.assertEqual(supremum.max(a), 5)
        self.assertEqual(supremum.max(a, axis=(1, 2)).tolist(), [3, 5])

    def test_what_is_written_through_another_view_is_seen(self):
        memory = np.zeros((4, 4), "f4")
        view, out = memory[::-2, ::-1].T, np.empty((4, 2), "f4")
        memory[3, 0] = 9
        self.assertIs(supremum.maximum_of(view, out=out), out)
        self.assertIsNone(same_bits(out, view.copy()))

    def test_elements_of_packed_records_are_copied_and_not_written(self):
        records = np.zeros(3, [("flag", "i1"), ("value", "<f4")])
        records["value"] = [1, -2, 3]
        self.assertEqual(supremum.maximum_of(records["value"], np.zeros(3, "f4")).tolist(), [1, 0, 3])
        with self.assertRaisesRegex(supremum.InvalidValue, "output 'out' has strides"):
            supremum.maximum_of(np.zeros(3, "f4"), out=records["value"])

    def test_data_need_not_be_aligned(self):
        a = np.arange(41, dtype="u1")[1:].view("f8")
        self.assertIsNone(same_bits(supremum.maximum_of(a, a), a.copy()))
        self.assertIsNone(same_bits(supremum.max(a), np.asarray(a.copy().max())))

    def test_operands_are_released(self):
        for make in (lambda: np.zeros(50), lambda: array.array("d", [0.0] * 50), lambda: bytearray(50)):
            operand = make()
            before = sys.getrefcount(operand)
            for _ in range(100):
                supremum.maximum_of(operand, operand)
                supremum.max(operand)
                with self.assertRaises(supremum.Error):
                    supremum.maximum_of(operand, np.zeros(3, "c8"))
            self.assertEqual(sys.getrefcount(operand), before)
        operand.append(1)  # an exported bytearray could not grow

    def test_other_threads_run_meanwhile(self):
        a = np.zeros(2**24, "f4")
        with waiting_thread() as (admitted, ran):
            admitted.set()
            seen = [list(ran)]
            for _ in range(5):
                supremum.maximum_of(a, a, a)
                seen.append(list(ran))
        self.assertEqual((seen[0], seen[-1]), ([], [True]))

    def test_an_array_that_changes_its_shape_meanwhile_is_read_as_it_was(self):
        a = np.arange(2.0**20)
        stop = threading.Event()

        def reshape():
            while not stop.is_set():
                a.shape = (2**10, 2**10)
                a.shape = (2**20,)

        other = threading.Thread(target=reshape)
        other.start()
        try:
            results = [supremum.max(a) for _ in range(50)]
        finally:
            stop.set()
            other.join()
        self.assertEqual(results, [2.0**20 - 1] * 50)


def with_units(base):
    """A class of numbers with a unit, as astropy, pint and unyt have them: 1 m is less than 100 cm only for NumPy's own function."""

    class Quantity(base):
        def __array_ufunc__(self, *arguments, **keywords):
            raise AssertionError("NumPy's functions are not called")

    return Quantity


class Subclasses(unittest.TestCase):
    def entries(self):
        import supremum.numpy as exact

        yield from entries().items()
        for name, call in {
            "numpy.maximum": lambda x: exact.maximum(ones(), x),
            "numpy.maximum, subok": lambda x: exact.maximum(x, ones(), subok=False),
            "numpy.maximum, out": lambda x: exact.maximum(ones(), ones(), out=x),
            "numpy.maximum, where": lambda x: exact.maximum(ones(), ones(), out=ones(), where=x),
            "numpy.maximum.reduce": exact.maximum.reduce,
            "numpy.max": exact.max,
            "numpy.max, initial": lambda x: exact.max(ones(), initial=x),
            "numpy.max, where": lambda x: exact.max(ones(), initial=0, where=x),
        }.items():
            yield name, call
        try:
            import onnx.helper
            import supremum.backend
        except ImportError:
            return
        node = onnx.helper.make_node("Max", ["a", "b"], ["y"])
        yield "backend.run_node", lambda x: supremum.backend.run_node(node, [ones(), x])

    def refuses(self, make, text, left_out=()):
        for entry, call in self.entries():
            if entry in left_out:
                continue
            with self.subTest(entry=entry, text=text):
                value = make(ones("?" if "where" in entry else "f4"))
                with self.assertRaisesRegex(supremum.InvalidType, text):
                    call(value)

    def test_a_class_with_units_is_refused_everywhere(self):
        kind = with_units(np.ndarray)
        self.refuses(lambda a: a.view(kind), r"Quantity.*(pass numpy.asarray of it|and no subclass of it)")
        function = type("Function", (np.ndarray,), {"__array_function__": lambda *_: 3})
        self.refuses(lambda a: a.view(function), r"Function.*(pass numpy.asarray of it|and no subclass of it)")

    def test_an_object_that_computes_numpys_functions_itself_is_refused_everywhere(self):
        # As pint's quantities, which pass every other attribute on to their array.
        for name in ("__array_ufunc__", "__array_function__"):
            for value in (lambda *_: 3, None):
                members = {name: value, "__getattr__": lambda self, name: getattr(self.a, name)}
                members["__array__"] = members["__dlpack__"] = lambda self, *_, **__: self.fail("read")
                kind = type("Quantity", (), members)
                self.refuses(lambda a: kind(), "Quantity")

    def test_a_masked_array_is_refused_everywhere(self):
        self.refuses(lambda a: np.ma.masked_array(a, [True, False]), "masked|MaskedArray")

    def test_other_subclasses_are_refused_and_memory_maps_are_arrays(self):
        # A matrix keeps two dimensions; elements of the others may mean more than their numbers.
        for kind in (np.matrix, np.recarray, type("Plain", (np.ndarray,), {})):
            self.refuses(lambda a: a.view(kind), kind.__name__, left_out=("numpy.maximum, subok",))
        with tempfile.NamedTemporaryFile() as file:
            a = np.memmap(file.name, np.float32, "w+", shape=(2, 3))
            self.assertIs(supremum.maximum(a, np.float32(2), out=a), a)
            self.assertEqual((type(supremum.max(a, 1)), a.tolist()), (np.ndarray, [[2] * 3] * 2))


class Buffers(unittest.TestCase):
    def test_every_type_of_array_array(self):
        for code in "bBhHiIlLqQfd":
            a = array.array(code, [1, 5, 2])
            result = supremum.maximum_of(a, array.array(code, [3]))
            self.assertEqual((result.dtype, result.tolist()), (np.dtype(code), [3, 5, 3]))

    def test_other_buffers(self):
        self.assertEqual(supremum.maximum_of(b"\x01\x09", bytearray(b"\x05\x05")).tolist(), [5, 9])
        matrix = memoryview(bytes(range(6))).cast("B", (2, 3))
        self.assertEqual(supremum.max(matrix, axis=0).tolist(), [3, 4, 5])
        self.assertEqual(supremum.maximum_of(matrix[::-1], b"\x01").tolist(), [[3, 4, 5], [1, 1, 2]])
        self.assertEqual(supremum.maximum_of((ctypes.c_int32 * 2)(1, -2), (ctypes.c_int32 * 1)(0)).tolist(), [1, 0])
        self.assertEqual(supremum.max(np.float16(3)), 3)

    def test_out_may_be_a_buffer(self):
        out = array.array("h", [0, 0])
        self.assertIs(supremum.maximum_of(np.array([1, -2], "i2"), np.int16(-1), out=out), out)
        self.assertEqual(out.tolist(), [1, -1])
        with self.assertRaisesRegex(supremum.InvalidValue, "does not export its memory"):
            supremum.maximum_of(b"\x01", out=b"\x00")


class Reinterpret(unittest.TestCase):
    def test_bfloat16_of_an_npy_file_is_stated(self):
        with tempfile.NamedTemporaryFile(suffix=".npy") as file:
            np.save(file.name, np.array([[0x3F80, 0xC000], [0x7F81, 0x8000]], np.uint16).view("V2"))
            loaded = np.load(file.name)
            mapped = np.load(file.name, mmap_mode="r")
        with self.assertRaisesRegex(supremum.InvalidType, r"two bytes without a type.*supremum.reinterpret\(x, 'bfloat16'\)"):
            supremum.max(loaded)
        for x in (loaded, mapped, loaded[::-1][::-1], loaded.view("u2"), loaded.view("i2")):
            for found, bits in (
                (supremum.max(supremum.reinterpret(x, "bfloat16"), 1), [0x3F80, 0x7FC0]),
                (supremum.maximum(supremum.reinterpret(x, "bfloat16"), supremum.reinterpret(x[:, ::-1], "bfloat16")), [[0x3F80] * 2, [0x7FC0] * 2]),
                (supremum.reinterpret(x.T, "bfloat16"), [[0x3F80, 0x7F81], [0xC000, 0x8000]]),
            ):
                self.assertEqual(supremum.reinterpret(found, "uint16").tolist(), bits)
        self.assertEqual(supremum.reinterpret(loaded[0, 0], "uint16"), 0x3F80)

    def test_any_type_of_the_same_width(self):
        self.assertEqual(supremum.reinterpret(np.float32([1]), "int32").tolist(), [0x3F800000])
        self.assertEqual(supremum.reinterpret(np.ones(2, bool), "uint8").tolist(), [1, 1])
        self.assertEqual(supremum.reinterpret(b"\xff", "int8").tolist(), [-1])
        self.assertEqual(supremum.reinterpret(np.zeros(1, "V8"), "float64").tolist(), [0])
        for x, dtype, kind, text in (
            (np.zeros(1, "V4"), "bfloat16", supremum.InvalidType, "uint32, whose width is not that of bfloat16"),
            (np.zeros(1, "V3"), "bfloat16", supremum.InvalidType, "bytes without a type"),
            (np.zeros(1, "u1"), "bool", supremum.InvalidValue, "dtype is 'bool'"),
            (np.zeros(1, "u1"), "float8", supremum.InvalidValue, "dtype is 'float8'"),
            (np.zeros(1, "u1"), np.uint8, supremum.InvalidType, "dtype is of type type"),
            (np.zeros(1, [("a", "u2")]), "bfloat16", supremum.InvalidType, "one of its fields"),
            (np.ma.zeros(1, "u2"), "bfloat16", supremum.InvalidType, "masked"),
        ):
            with self.assertRaisesRegex(kind, text):
                supremum.reinterpret(x, dtype)

    def test_a_dlpack_tensor_can_be_pickled_and_copied(self):
        tensor = bfloat16(0x3F80, 0x7F81)
        for again in (pickle.loads(pickle.dumps(tensor)), copy.copy(tensor), copy.deepcopy(tensor)):
            self.assertEqual(supremum.reinterpret(again, "uint16").tolist(), [0x3F80, 0x7F81])


class DLPack(unittest.TestCase):
    def test_a_foreign_tensor_comes_in_and_gives_an_array_of_numpy(self):
        for dtype in NUMBERS:
            a = np.arange(6, dtype=dtype).reshape(2, 3)
            result = supremum.maximum_of(Foreign(a.T), Foreign(a[::-1, ::-1].T))
            self.assertIs(type(result), np.ndarray)
            self.assertIsNone(same_bits(result, np.maximum(a, a[::-1, ::-1]).T.copy()))

    def test_the_result_is_made_by_the_first_operands_package(self):
        package = types.ModuleType("a_package")
        package.from_dlpack = lambda tensor: ("made", np.from_dlpack(tensor).tolist())
        sys.modules["a_package"] = package
        self.addCleanup(sys.modules.pop, "a_package")
        own = type("Tensor", (Foreign,), {"__module__": "a_package.tensors"})(np.array([1.0, 5.0]))
        self.assertEqual(supremum.maximum_of(own, np.array([3.0])), ("made", [3.0, 5.0]))
        self.assertIs(type(supremum.maximum_of(np.array([3.0]), own)), np.ndarray)

    def test_results_without_a_better_type_have_dlpack(self):
        model = "<ir_version: 8, opset_import: ['': 13]> g (bfloat16[2] a) => (bfloat16[2] y) {y = Max(a)}"
        import onnx.parser

        proto = onnx.parser.parse_model(model.replace("'", '"'))
        tensor = onnx.helper.make_tensor("a", onnx.TensorProto.BFLOAT16, [2], b"\x80\x3f\xc1\x7f", raw=True)
        proto.graph.initializer.append(tensor)
        (result,) = supremum.load(proto).run({}).values()
        if HAS_ML_DTYPES:
            self.assertEqual(result.dtype.name, "bfloat16")
            return
        self.assertEqual((repr(result), result.shape), ("<supremum.DLPackTensor bfloat16[2]>", (2,)))
        self.assertEqual((result.dtype, result.__dlpack_device__()), ("bfloat16", (1, 0)))
        self.assertEqual(supremum.maximum_of(result, result).shape, (2,))
        if HAS_TORCH:
            import torch

            self.assertEqual(torch.from_dlpack(result).view(torch.int16).tolist(), [0x3F80, 0x7FC0])

    def test_pinned_host_memory_is_host_memory(self):
        for device in (1, 3, 11):  # the processor, CUDA's and ROCm's pinned memory
            out = Capsules(device_type=device)
            self.assertIs(supremum.maximum(Capsules(device_type=device), np.float32([0, 3]), out=out), out)
            self.assertEqual(list(out.memory), [1, 3])
        for device in (2, 10, 13, 14):
            with self.assertRaisesRegex(supremum.InvalidValue, f"device type {device}; .*pinned host memory"):
                supremum.max(Capsules(device_type=device))

    def test_a_result_is_exported_as_the_array_api_says(self):
        tensor = bfloat16(0x3F80, 0xC000)
        for keywords, name in (
            ({}, b"dltensor"),
            ({"stream": None, "max_version": None, "dl_device": None, "copy": None}, b"dltensor"),
            ({"max_version": (0, 8), "dl_device": (1, 0), "copy": False}, b"dltensor"),
            ({"max_version": (1, 0)}, b"dltensor_versioned"),
            ({"max_version": (2, 3), "copy": True}, b"dltensor_versioned"),
            ({"copy": True}, b"dltensor"),
        ):
            with self.subTest(keywords=keywords):
                capsule, shared = tensor.__dlpack__(**keywords), tensor.__dlpack__()
                self.assertEqual(capsule_name(capsule), name)
                kind = DLManagedTensorVersioned if name == b"dltensor_versioned" else DLManagedTensor
                managed = kind.from_address(capsule_pointer(capsule, name))
                own = DLManagedTensor.from_address(capsule_pointer(shared, b"dltensor")).tensor.data
                self.assertEqual(managed.tensor.data == own, not keywords.get("copy"))
                self.assertEqual((ctypes.c_uint16 * 2).from_address(managed.tensor.data)[:], [0x3F80, 0xC000])
                if kind is DLManagedTensorVersioned:
                    self.assertEqual((managed.major, managed.flags), (1, IS_COPIED if keywords.get("copy") else 0))
        for keywords in ({"dl_device": (2, 0)}, {"dl_device": (1, 1)}, {"stream": 1}):
            with self.assertRaises(BufferError):
                tensor.__dlpack__(**keywords)
        for keywords in ({"stram": None}, {"dl_device": 1}, {"dl_device": (1,)}, {"max_version": "1.0"}, {"max_version": (1, "0")}, {"copy": 1}):
            with self.assertRaises(TypeError):
                tensor.__dlpack__(**keywords)
        with self.assertRaises(TypeError):
            tensor.__dlpack__(None)

    def test_a_capsule_that_nobody_takes_is_let_go(self):
        out = [None]
        tensor = supremum.maximum_of(Foreign(np.ones(3)))
        for _ in range(1000):
            out[0] = Foreign(np.ones(1000)).__dlpack__(), bfloat16(0).__dlpack__(), bfloat16(0).__dlpack__(max_version=(1, 0))
        self.assertEqual(tensor.tolist(), [1, 1, 1])


@unittest.skipUnless(HAS_TORCH, "PyTorch is not installed")
class Torch(unittest.TestCase):
    def test_every_type_in_and_out(self):
        import torch

        names = "bfloat16 float16 float32 float64 int8 int16 int32 int64 uint8".split()
        for name in names:
            dtype = getattr(torch, name)
            a = torch.tensor([[1, 5, 2], [4, 3, 6]], dtype=dtype)
            result = supremum.maximum_of(a, a.flip(0)[:, ::2][:, :1])
            self.assertEqual((result.dtype, result.tolist()), (dtype, [[4, 5, 4], [4, 3, 6]]))
            self.assertEqual(supremum.max(a.t(), axis=0).tolist(), [5, 6])
            self.assertEqual((type(supremum.max(a)), supremum.max(a).shape), (torch.Tensor, ()))
            out = torch.empty(3, 2, dtype=dtype).t()
            self.assertIs(supremum.maximum_of(a, out=out), out)
            self.assertEqual(out.tolist(), a.tolist())

    def test_bfloat16_by_its_bits(self):
        import torch

        bits = torch.tensor([0x7F81, -0x8000, 0, 0x3F80], dtype=torch.int16)  # a signalling NaN, -0, +0, 1
        result = supremum.maximum_of(bits.view(torch.bfloat16), bits.flip(0).view(torch.bfloat16))
        self.assertEqual(result.view(torch.int16).tolist(), [0x7FC0, 0, 0, 0x7FC0])
        low = torch.tensor([float("-inf")], dtype=torch.bfloat16)
        # Each initial with the nearest bfloat16, ties to even.
        unit = Fraction(1, 128)
        cases = {1 + unit / 2: 0x3F80, 1 + unit * 3 / 2: 0x3F82, 1 + unit / 2 + Fraction(1, 2**50): 0x3F81}
        cases[-1 - unit] = -0x407F & 0xFFFF
        for value, expected in cases.items():
            found = supremum.max(low, initial=float(value)).view(torch.int16).item() & 0xFFFF
            self.assertEqual(hex(found), hex(expected), value)
        with self.assertRaisesRegex(supremum.InvalidValue, "out of the range of bfloat16"):
            supremum.max(low, initial=float(3 * 2**127))

    def test_bools(self):
        import torch

        a = torch.tensor([[True, False], [False, False]])
        self.assertEqual((supremum.max(a, 1).dtype, supremum.max(a, 1).tolist()), (torch.bool, [True, False]))
        x = torch.tensor([[1.0, 9.0], [5.0, 2.0]])
        self.assertEqual(supremum.max(x, where=a).item(), 1.0)

    def test_mixed_with_numpy_the_first_decides(self):
        import torch

        a, b = torch.tensor([1.0]), np.array([2.0], "f4")
        self.assertIs(type(supremum.maximum_of(a, b)), torch.Tensor)
        self.assertIs(type(supremum.maximum_of(b, a)), np.ndarray)

    def test_any_strides_come_in(self):
        import torch

        a = torch.arange(24.0).reshape(2, 3, 4)
        for view in (a, a.permute(2, 0, 1), a[:, 1:, ::2], a[0, 0, :1].expand(5, 2), a[1, 2, 3], a[:, :0], a.mT):
            result = supremum.maximum_of(view)
            self.assertTrue(torch.equal(result, view))
            if THROUGH_ATTRIBUTES:
                self.assertTrue(result.is_contiguous())
            elif 0 not in (*view.stride(), *view.shape):
                self.assertEqual(result.stride(), torch.maximum(view, view).stride())
            if view.numel() != 0:
                self.assertEqual(supremum.max(view).item(), view.max().item())
        images = torch.randn(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)
        self.assertTrue(torch.equal(supremum.max(images, axis=1), images.amax(1)))
        both = supremum.maximum(images, images[:, :, :1])
        self.assertTrue(torch.equal(both, torch.maximum(images, images[:, :, :1])))
        if not THROUGH_ATTRIBUTES:
            self.assertTrue(both.is_contiguous(memory_format=torch.channels_last))

    def test_special_tensors_are_refused_with_a_reason(self):
        import torch

        leaf = torch.ones(2, requires_grad=True)
        negated = torch.tensor([1 + 2j]).conj().imag  # its sign is a flag
        self.assertTrue(negated.is_neg())
        for tensor, text in (
            (leaf, "does not export its memory.*detach"),
            (leaf * 2, "does not export its memory.*detach"),
            (torch.nn.Parameter(torch.ones(2)), "does not export its memory.*detach"),
            (negated, "resolve_neg"),
            (torch.eye(3).to_sparse(), "does not export its memory"),
            (torch.ones(2, device="meta"), "is on device 'meta'"),
            (torch.tensor([1 + 2j]), "elements of type torch.complex64"),
            (torch.ones([1] * 65), "has rank 65"),
        ):
            for call in (lambda: supremum.maximum_of(tensor), lambda: supremum.maximum_of(np.ones(2, "f4"), out=tensor)):
                with self.subTest(text=text), self.assertRaisesRegex(supremum.Error, text):
                    call()
        self.assertEqual(supremum.maximum_of(negated.resolve_neg()).tolist(), [-2])

    def test_operands_and_results_are_released(self):
        import torch

        class Watched(torch.Tensor):
            pass

        a = torch.zeros(50)
        before = sys.getrefcount(a)
        for _ in range(100):
            result = supremum.maximum_of(a, a)
            self.assertEqual(sys.getrefcount(result), 2)
            supremum.max(a)
            with self.assertRaises(supremum.Error):
                supremum.maximum_of(a, torch.zeros(3))
        self.assertEqual(sys.getrefcount(a), before)
        kept = supremum.maximum_of(a, torch.ones(50))
        del a, result
        self.assertEqual(kept.sum().item(), 50)
        self.assertEqual(supremum.maximum_of(torch.ones(3).as_subclass(Watched)).tolist(), [1, 1, 1])

    def test_a_result_that_no_memory_holds_is_an_error(self):
        import torch

        # PyTorch says so where the result is its own, the library where the result is made without its C++ interface.
        with self.assertRaises((RuntimeError, supremum.InvalidValue)) as caught:
            supremum.maximum_of(torch.ones(1).expand(2**55))
        self.assertEqual(getattr(caught.exception, "code", 6), 6)  # out_of_memory

    def test_the_way_is_that_of_this_version_where_it_was_built(self):
        import torch

        supremum.maximum_of(torch.ones(1))
        if THROUGH_ATTRIBUTES:
            self.assertIsNone(sys.modules["supremum._torch"])
        elif importlib.util.find_spec("supremum._torch") is None:
            self.skipTest("supremum._torch was not built: PyTorch's headers are not installed (libtorch-dev)")
        else:
            self.assertIn("supremum._torch", sys.modules)

    def test_the_same_through_attributes(self):
        run_through_attributes("Torch")


class NewerNumPy(unittest.TestCase):
    def test_the_names_of_numpy_2_are_found(self):
        if hasattr(np, "_core"):
            return  # every other test shows it
        # NumPy 2 has moved its C interface; its table and the beginnings of its structures stayed.
        code = """
import sys, types
import numpy
umath = sys.modules["numpy.core._multiarray_umath"]
numpy._core = types.ModuleType("numpy._core")
numpy._core._multiarray_umath = umath
sys.modules.update({"numpy._core": numpy._core, "numpy._core._multiarray_umath": umath, "numpy.core._multiarray_umath": None})
import supremum
assert supremum.maximum_of(numpy.ones(2), numpy.zeros(2)).tolist() == [1, 1]
assert supremum.max(numpy.int8([[1, 5]]), axis=1).tolist() == [5]
"""
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)


if __name__ == "__main__":
    unittest.main()
