"""Tensors of PyTorch whose memory is not what they mean, subclasses, and tensors that change while a call reads them."""

import gc
import importlib.util
import sys
import unittest

from hostile import Own, class_with, entries, make_model, ones, raiser
from support import np, run_through_attributes, supremum

if importlib.util.find_spec("torch") is None:
    print("skipped: PyTorch is not installed; scripts/setup.sh --bench installs it")
    sys.exit(77)
import torch  # noqa: E402


def pending():
    """2 and -4 in memory, with a sign that is yet to be changed: it means -2 and 4."""
    tensor = torch.tensor([1 + 2j, 3 - 4j]).conj().imag
    assert tensor.is_neg() and tensor.tolist() == [-2, 4]
    return tensor


class Plain(torch.Tensor):
    """A subclass that changes nothing."""


class Liar(torch.Tensor):
    """A subclass whose attributes lie; operations mean what they do."""

    shape = property(lambda self: (10**6,))
    dtype = property(lambda self: torch.float64)
    device = property(lambda self: torch.device("cuda"))
    is_cpu = property(lambda self: False)
    requires_grad = property(lambda self: False)
    layout = property(lambda self: torch.sparse_coo)
    is_nested = property(lambda self: True)
    is_neg = lambda self: False
    is_contiguous = lambda self, *_: True
    stride = lambda self, *_: (10**6,)
    data_ptr = lambda self: 16
    numel = size = dim = storage_offset = __len__ = lambda self, *_: 10**6
    __array__ = __dlpack_device__ = __iter__ = __getitem__ = __bool__ = __eq__ = raiser(Own())
    __hash__ = object.__hash__


class Function(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return super().__torch_function__(func, types, args, kwargs or {})


class Dispatch(torch.Tensor):
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        raise Own


class Wrapper(torch.Tensor):
    """One that says that it has elements, and has no memory at all."""

    @staticmethod
    def __new__(cls):
        return torch.Tensor._make_wrapper_subclass(cls, (2,), dtype=torch.float32)

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        raise Own


class Exporter(torch.Tensor):
    def __dlpack__(self, *_, **__):
        return torch.utils.dlpack.to_dlpack(self)


def parameter(tensor):
    return torch.nn.Parameter(tensor, requires_grad=False)


class PendingSigns(unittest.TestCase):
    def test_a_pending_sign_is_never_lost(self):
        kinds = {"Tensor": lambda t: t, "Parameter": parameter}
        kinds.update({kind.__name__: (lambda t, kind=kind: t.as_subclass(kind)) for kind in (Plain, Liar, Function, Exporter)})
        for name, make in kinds.items():
            for entry, call in entries().items():
                with self.subTest(kind=name, entry=entry), self.assertRaisesRegex(supremum.Error, "resolve_neg|of its own"):
                    call(make(pending()))

    def test_the_advice_is_right(self):
        right = pending().resolve_neg()
        self.assertEqual(supremum.max(parameter(right)).item(), 4)
        self.assertEqual(supremum.maximum_of(right.as_subclass(Plain)).tolist(), [-2, 4])
        model = make_model()
        self.assertEqual(model.run([parameter(right), np.full(2, -9, "f4")])["y"].tolist(), [-2, 4])

    def test_a_pending_sign_of_an_output_or_a_mask_is_refused(self):
        out = pending()
        with self.assertRaisesRegex(supremum.InvalidValue, "output 'out'.*resolve_neg"):
            supremum.maximum_of(ones(), out=parameter(out))
        self.assertEqual(out.tolist(), [-2, 4])
        with self.assertRaisesRegex(supremum.InvalidValue, "resolve_neg"):
            supremum.max(ones(), out=torch._neg_view(torch.tensor(1.0)).as_subclass(Plain))


class Subclasses(unittest.TestCase):
    def test_a_result_is_a_tensor_of_pytorch_and_of_no_subclass(self):
        for make in (parameter, lambda t: t.as_subclass(Plain), lambda t: t.as_subclass(Liar)):
            a = make(torch.tensor([1.0, 5.0]))
            results = [supremum.maximum_of(a), supremum.maximum_of(a, ones()), supremum.maximum(a, a), supremum.max(a)]
            results += list(supremum.max_with_bounds([a], [0]))
            model = make_model()
            results.append(model.run([a, ones()])["y"])
            for result in results:
                self.assertIs(type(result), torch.Tensor)
                self.assertFalse(result.requires_grad)
            self.assertIs(type(supremum.maximum_of(ones(), a)), np.ndarray)

    def test_an_output_is_the_callers_own(self):
        for make in (parameter, lambda t: t.as_subclass(Plain), lambda t: t.as_subclass(Liar)):
            memory = torch.zeros(2)
            out = make(memory)
            self.assertIs(supremum.maximum_of(np.float32([3, 4]), out=out), out)
            self.assertEqual(memory.tolist(), [3, 4])

    def test_attributes_that_lie_do_not_matter(self):
        a = torch.arange(12.0).reshape(3, 4)
        for view in (a, a.t(), a[:, 1], a[1, 2], a[::2, ::3]):
            self.assertEqual(supremum.maximum_of(view.as_subclass(Liar)).tolist(), view.tolist())
            self.assertEqual(supremum.max(view.as_subclass(Liar)).item(), view.max().item())

    def test_one_that_changes_what_operations_mean_is_refused(self):
        a = torch.ones(2)
        for tensor, attribute in (
            (a.as_subclass(Function), "__torch_function__"),
            (Dispatch(a), "__torch_dispatch__"),
            (Wrapper(), "__torch_dispatch__"),
            (a.as_subclass(Exporter), "__dlpack__"),
            (a.as_subclass(type("Derived", (Exporter,), {})), "__dlpack__"),
            (torch.nn.parameter.UninitializedParameter(), "__torch_function__"),
        ):
            for entry, call in entries().items():
                with self.subTest(attribute=attribute, entry=entry):
                    with self.assertRaisesRegex(supremum.InvalidType, f"class has a {attribute} of its own.*as_subclass"):
                        call(tensor)
        self.assertEqual(supremum.maximum_of(a.as_subclass(Function).as_subclass(torch.Tensor)).tolist(), [1, 1])

    def test_a_fake_tensor_is_refused(self):
        try:
            from torch._subclasses.fake_tensor import FakeTensorMode
        except ImportError:
            self.skipTest("this version of PyTorch has no fake tensors")
        with FakeTensorMode() as mode:
            for fake in (mode.from_tensor(torch.ones(2)), torch.ones(2)):
                for entry, call in entries().items():
                    with self.subTest(entry=entry), self.assertRaises(supremum.Error):
                        call(fake)


class SpecialTensors(unittest.TestCase):
    def tensors(self):
        yield "a gradient", torch.ones(2, requires_grad=True)
        yield "a parameter's gradient", torch.nn.Parameter(torch.ones(2))
        yield "a result's gradient", torch.ones(2, requires_grad=True) * 2
        yield "sparse", torch.ones(2).to_sparse()
        yield "sparse rows", torch.eye(2).to_sparse_csr()
        yield "quantized", torch.quantize_per_tensor(torch.ones(2), 0.5, 3, torch.quint8)
        yield "on no device", torch.ones(2, device="meta")
        yield "a parameter on no device", parameter(torch.ones(2, device="meta"))
        yield "complex", torch.ones(2, dtype=torch.complex64)
        yield "conjugated", torch.ones(2, dtype=torch.complex64).conj()
        if hasattr(torch, "_efficientzerotensor"):
            yield "zeros without memory", torch._efficientzerotensor((2,))
        if hasattr(torch, "nested_tensor"):
            yield "nested", torch.nested_tensor([torch.ones(2), torch.ones(3)])
        try:
            yield "of another library", torch.ones(2).to_mkldnn()
        except RuntimeError:
            pass

    def test_each_is_refused_everywhere_in_one_line(self):
        for name, tensor in self.tensors():
            for entry, call in entries().items():
                with self.subTest(name=name, entry=entry):
                    with self.assertRaises(supremum.Error) as caught:
                        call(tensor)
                    text = str(caught.exception)
                    self.assertNotIn("\n", text)
                    self.assertNotRegex(text, r"\.cpp|\.h:|frame #|site-packages|dist-packages")

    def test_wrappers_of_transformations_are_refused_or_right(self):
        try:
            from functorch import grad, vmap
        except ImportError:
            self.skipTest("this version of PyTorch has no functorch")
        seen = []

        def look(x):
            try:
                seen.append(supremum.max(x).item())
            except (supremum.Error, RuntimeError) as refused:
                seen.append(str(refused))
            return x.sum()

        vmap(look)(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        grad(look)(torch.tensor([1.0, 2.0]))
        self.assertEqual([type(value) for value in seen], [str, str], seen)
        for text in seen:
            self.assertNotIn("\n", text)

    def test_views_of_every_other_kind_are_right(self):
        a = torch.arange(6.0).reshape(2, 3)
        with torch.inference_mode():
            inferred = torch.ones(2) * 3
        for tensor in (a, a.t(), a.expand(4, 2, 3), a[:0], torch.ones(2, dtype=torch.complex64).real, inferred, a.detach()):
            self.assertEqual(supremum.maximum_of(tensor).tolist(), tensor.tolist())


class Changing(unittest.TestCase):
    def after(self, change, result):
        def changes(_):
            change()
            gc.collect()
            return result.__dlpack__()

        return class_with(__dlpack__=changes)

    def changes(self, tensor):
        yield "resize_", lambda: tensor.resize_(10**6)
        yield "set_", lambda: tensor.set_(torch.ones(1))
        yield "data", lambda: setattr(tensor, "data", torch.ones(1))
        yield "its storage", lambda: tensor.storage().resize_(0)
        yield "transposed", lambda: tensor.resize_(8, 8).t_() if hasattr(tensor, "t_") else tensor.resize_(1)
        yield "a gradient", lambda: tensor.requires_grad_()

    def test_a_tensor_that_is_changed_is_refused(self):
        b = np.zeros(64, "f4")
        for make in (lambda: torch.ones(64), lambda: parameter(torch.ones(64)), lambda: torch.ones(64).as_subclass(Plain)):
            for name, _ in self.changes(torch.ones(64)):
                with self.subTest(change=name):
                    for use in (
                        lambda x, late: supremum.maximum_of(x, late),
                        lambda x, late: supremum.max_with_bounds([x, late], [0, 0]),
                        lambda x, late: supremum.max_with_bounds([b, b], [x, late]),
                        lambda x, late: supremum.maximum_of(x, out=late),
                    ):
                        x = make()
                        change = dict(self.changes(x))[name]
                        with self.assertRaises(supremum.InvalidValue):
                            use(x, self.after(change, b))

    def test_a_model_refuses_a_tensor_that_is_changed(self):
        model = make_model()
        x = torch.full((2,), 3.0)
        with self.assertRaises(supremum.InvalidValue):
            model.run([x, self.after(lambda: x.storage().resize_(0), ones())])


class BothWays(unittest.TestCase):
    def test_the_same_through_attributes(self):
        run_through_attributes()


if __name__ == "__main__":
    unittest.main()
