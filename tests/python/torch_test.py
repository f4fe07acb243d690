"""supremum.torch: the operators, their gradients and shapes, and PyTorch's own operators that follow the rules."""

import contextlib
import functools
import importlib.util
import io
import os
import re
import subprocess
import sys
import threading
import unittest
from pathlib import Path

from support import MAXIMA, REDUCTIONS, THREADS, np, same_bits, shared_operands, shared_reduction, supremum

if importlib.util.find_spec("torch") is None:
    print("skipped: PyTorch is not installed; scripts/setup.sh --bench installs it")
    sys.exit(77)
import torch  # noqa: E402

from supremum import _core, kit  # noqa: E402

if not _core.torch_version:
    try:
        import supremum.torch
    except ImportError as error:
        assert "without PyTorch's headers" in str(error) and "libtorch-dev" in str(error), error
    print("skipped: built without PyTorch's headers")
    sys.exit(77)
import supremum.torch as exact  # noqa: E402

NAN = float("nan")
VERSION = tuple(int(part) for part in torch.__version__.split("+")[0].split("a")[0].split(".")[:2])


def bits(tensor):
    """The bits of the elements, row-major."""
    width = {2: torch.int16, 4: torch.int32, 8: torch.int64}.get(tensor.element_size(), torch.uint8)
    return tensor.detach().contiguous().view(width).flatten().tolist()


def tensors_of(case):
    try:
        return [operand.torch() for operand in case.inputs]
    except kit.Unsupported:
        return None


def computed(case, maximum, amax, of_none):
    """What two functions make of a case; None for what PyTorch's interface cannot say, and unless `of_none` for an amax over none."""
    inputs = tensors_of(case)
    if inputs is None:
        return None
    if case.operator == "Max":
        return functools.reduce(maximum, inputs) if len(inputs) > 1 else None
    extents = [inputs[0].shape[d] for d in (case.axes or range(inputs[0].dim()))]
    if case.axes == () or (0 in extents and not of_none):
        return None
    return amax(inputs[0], case.axes or (), case.keepdims)


class Kit(unittest.TestCase):
    """Every conformance case that PyTorch's types and arguments can say."""

    def run_all(self, maximum, amax, of_none=False):
        wrong, count = [], 0
        for case in kit.cases():
            y = computed(case, maximum, amax, of_none)
            if y is None:
                continue
            count += 1
            verdict = case.judge(y)
            if not verdict:
                wrong.append(f"{case.id}: {verdict.text}")
        self.assertEqual(wrong, [])
        self.assertGreater(count, 5500)
        return count

    def test_the_operators(self):
        print(self.run_all(exact.maximum, exact.amax, of_none=True), "cases through supremum.torch, none wrong")

    def test_pytorchs_own_operators(self):
        with exact.everywhere():
            count = self.run_all(torch.maximum, torch.amax)
            self.run_all(torch.max, lambda a, dim, keepdim: a.amax(dim, keepdim))
            self.run_all(lambda a, b: torch.maximum(a, b, out=torch.maximum(a, b).clone()), torch.amax)
        print(count, "cases through torch.maximum and torch.amax, none wrong")


class SharedWork(unittest.TestCase):
    """Operands that threads share: each share of each of PyTorch's numbers of threads counts."""

    def with_each_number_of_threads(self, check):
        self.addCleanup(torch.set_num_threads, torch.get_num_threads())
        for threads in THREADS:
            torch.set_num_threads(threads)
            check(threads)
            with exact.everywhere():
                check(threads)

    # Rules: ORD-5, RED-1
    def test_amax(self):
        for shape, axes in REDUCTIONS:
            a, expected = shared_reduction(shape, axes)

            def check(threads):
                amax = torch.amax if exact.is_everywhere() else exact.amax
                self.assertIsNone(same_bits(amax(torch.from_numpy(a), axes).numpy(), expected), (shape, threads))

            self.with_each_number_of_threads(check)

    # Rules: ORD-5, MAX-2
    def test_maximum(self):
        for shapes in MAXIMA:
            arrays, expected = shared_operands(shapes)

            def check(threads):
                maximum = torch.maximum if exact.is_everywhere() else exact.maximum
                self.assertIsNone(same_bits(maximum(*map(torch.from_numpy, arrays)).numpy(), expected), (shapes, threads))

            self.with_each_number_of_threads(check)

    def test_one_thread_is_the_calling_one(self):
        code = """
import os, torch, supremum.torch as exact
torch.set_num_threads(1)
a = torch.zeros(16384, 16, 3)
count = lambda: len(os.listdir("/proc/self/task"))
before = count()
exact.amax(a, (0, 2)), exact.maximum(a, a)
with exact.everywhere():
    torch.amax(a, (0, 2)), torch.maximum(a, a)
assert count() == before, (before, count())
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ))
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Everywhere(unittest.TestCase):
    ZEROS = torch.tensor([-0.0, 0.0]), torch.tensor([0.0, -0.0])

    def exact_now(self):
        return bits(torch.maximum(*self.ZEROS)) == [0, 0]

    def test_it_holds_in_the_block_and_not_after(self):
        self.assertFalse(exact.is_everywhere() or self.exact_now())
        with exact.everywhere():
            self.assertTrue(exact.is_everywhere() and self.exact_now())
            with exact.everywhere():
                self.assertTrue(self.exact_now())
            self.assertTrue(self.exact_now())
        self.assertFalse(exact.is_everywhere() or self.exact_now())

    def test_an_exception_ends_it(self):
        with self.assertRaises(ZeroDivisionError):
            with exact.everywhere():
                raise ZeroDivisionError
        self.assertFalse(self.exact_now())

    def test_it_can_be_set_for_the_process(self):
        for _ in range(100):
            exact.set_everywhere(True)
            exact.set_everywhere(True)
            self.assertTrue(self.exact_now())
            exact.set_everywhere(False)
            self.assertFalse(self.exact_now())

    def test_it_prints_nothing(self):
        code = "import torch, supremum.torch as exact\nwith exact.everywhere(): torch.maximum(torch.ones(2), torch.ones(2))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_threads_compute_the_same(self):
        a, b = torch.randn(300, 1000), torch.randn(1000)
        with exact.everywhere():
            expected, got = bits(torch.maximum(a, b)), []
            workers = [threading.Thread(target=lambda: got.append(bits(torch.maximum(a, b)) == expected)) for _ in range(8)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        self.assertEqual(got, [True] * 8)

    def test_every_form_of_max(self):
        x = torch.tensor([[0.0, -0.0, -1.0], [-torch.inf] * 3, [1.0, NAN, 2.0]])
        plus_zero_first = torch.tensor([[-0.0, 0.0]])
        canonical = 0x7FC00000
        negative_nan = torch.tensor([0x7FC00001 - (1 << 31)], dtype=torch.int32).view(torch.float32)
        with exact.everywhere():
            self.assertEqual(bits(torch.max(plus_zero_first)), [0])
            self.assertEqual(bits(plus_zero_first.amax()), [0])
            self.assertEqual(bits(torch.amax(x, 1)), bits(torch.tensor([0.0, -torch.inf, NAN])))
            self.assertEqual(bits(torch.max(negative_nan)), [canonical])
            values, indices = torch.max(x, 1)
            self.assertEqual((bits(values), indices.tolist()), (bits(torch.tensor([0.0, -torch.inf, NAN])), [0, 0, 1]))
            out = torch.empty(3), torch.empty(3, dtype=torch.int64)
            torch.max(x, 1, out=out)
            self.assertEqual(bits(out[0]), bits(values))
            self.assertEqual(bits(torch.max(negative_nan, torch.ones(1))), [canonical])
            into = torch.empty(3, 1)
            self.assertIs(torch.amax(x, 1, keepdim=True, out=into), into)
            self.assertEqual(bits(into), bits(values))
            self.assertEqual(torch.max(torch.tensor([False, True]), torch.tensor([False, False])).tolist(), [False, True])
            self.assertEqual(torch.tensor([[False, True]]).amax(0).tolist(), [False, True])

    def test_types_shapes_and_layouts_are_those_of_pytorch(self):
        operands = [
            torch.ones(2, 3, 4, 5), torch.ones(2, 3, 4, 5).to(memory_format=torch.channels_last), torch.ones(5, 4, 3, 2).permute(3, 2, 1, 0),
            torch.ones(3, 1, 1), torch.ones(()), torch.ones(4, 5, dtype=torch.float64), torch.ones(5, dtype=torch.int8), torch.tensor(True),
            torch.ones(1, dtype=torch.float16), torch.ones(2, 3, 4, 5)[:, :, ::2].repeat(1, 1, 2, 1), torch.ones(1).expand(2, 3, 4, 5),
        ]  # fmt: skip
        for a in operands:
            for b in operands:
                theirs = torch.maximum(a, b)
                with exact.everywhere():
                    ours = torch.maximum(a, b)
                for y in (ours, exact.maximum(a, b)):
                    self.assertEqual((y.dtype, y.shape, y.stride()), (theirs.dtype, theirs.shape, theirs.stride()))
                    self.assertTrue(torch.equal(y, theirs))

    def test_an_output_is_treated_as_pytorch_treats_it(self):
        a, b = torch.tensor([1.0, NAN]), torch.tensor([[2.0], [0.0]])
        outputs = [torch.empty(0), torch.empty(2, 2), torch.empty(2, 2, dtype=torch.float64), torch.empty(2, 2).t(), torch.empty(4, 4)[::2, ::2]]
        for out in outputs:
            theirs = torch.maximum(a, b, out=out.clone())
            with exact.everywhere():
                ours = torch.maximum(a, b, out=out)
            self.assertIs(ours, out)
            self.assertEqual((ours.dtype, ours.shape), (theirs.dtype, theirs.shape))
            self.assertTrue(torch.equal(ours.nan_to_num(7), theirs.nan_to_num(7)))
        with exact.everywhere():
            same = torch.tensor([-0.0, 3.0])
            torch.maximum(same, torch.tensor([0.0, 1.0]), out=same)
            self.assertEqual(bits(same), bits(torch.tensor([0.0, 3.0])))

    def test_errors_are_of_the_same_class(self):
        x, memory = torch.ones(2, 3), torch.ones(6)
        calls = [
            lambda: torch.maximum(x, torch.ones(4)), lambda: torch.maximum(x, torch.ones(3, dtype=torch.complex64)),
            lambda: torch.amax(x, 2), lambda: torch.amax(x, (0, 0)), lambda: torch.amax(x, (0, -2)), lambda: torch.amax(torch.ones(0, 3), 0),
            lambda: torch.max(torch.ones(0)), lambda: torch.max(x, 2), lambda: torch.amax(x.to(torch.complex64)),
            lambda: torch.amax(x, 1, out=torch.empty(2, dtype=torch.float64)),
            lambda: torch.maximum(x, x, out=torch.empty(2, 3, dtype=torch.int32)),
            lambda: torch.maximum(memory[:5], memory[:5], out=memory[1:]),
            lambda: torch.maximum(x, x, out=torch.ones(1).expand(2, 3)),
        ]  # fmt: skip
        for number, call in enumerate(calls):
            with self.assertRaises(Exception) as theirs:
                call()
            with exact.everywhere(), self.assertRaises(type(theirs.exception), msg=str(number)):
                call()

    def test_outputs_that_share_memory_with_an_input(self):
        def calls(b, c):
            indices = torch.arange(12) + 100
            values, at = torch.zeros(12), torch.zeros(12, dtype=torch.int64)
            yield torch.max(indices.view(12, 1), 1, out=(torch.zeros(12, dtype=torch.int64), indices)).values
            yield torch.max(b.view(12, 1), 1, out=(b, at)).values
            yield torch.max(values.view(12, 1), 1, out=(values, at)).values
            yield torch.amax(c.view(3, 4), 1, out=c[:3])
            yield torch.amax(c, (), out=c[3:4].view(()))

        theirs = list(calls(torch.arange(12.0), torch.arange(12.0)))
        with exact.everywhere():
            ours = list(calls(torch.arange(12.0), torch.arange(12.0)))
        for number, (a, b) in enumerate(zip(ours, theirs)):
            self.assertTrue(torch.equal(a, b), f"{number}: {a}, {b}")

    def test_what_the_library_does_not_have_is_left_to_pytorch(self):
        with exact.everywhere():
            self.assertEqual(torch.maximum(torch.ones([1] * 65), torch.zeros(1)).item(), 1)
            self.assertEqual(torch.max(torch.ones([1] * 65)).item(), 1)
            self.assertEqual(torch.amax(torch.ones(2, 3), np.int64(1)).tolist(), [1, 1])
            odd = torch.tensor([2], dtype=torch.uint8).view(torch.bool)
            self.assertEqual(torch.maximum(odd, torch.tensor([True])).view(torch.uint8).tolist(), [1])
        self.assertEqual(exact.amax(torch.ones(2, 3), np.int64(1)).tolist(), [1, 1])

    def test_what_has_no_elements(self):
        with exact.everywhere():
            self.assertEqual(torch.maximum(torch.ones(0, 3), torch.ones(3)).shape, (0, 3))
            self.assertEqual(torch.amax(torch.ones(0, 3), 1).shape, (0,))
            with self.assertRaisesRegex(IndexError, "non-zero size"):
                torch.amax(torch.ones(0, 3), 0)
        self.assertEqual(exact.amax(torch.ones(0, 3), 0).tolist(), [-torch.inf] * 3)
        self.assertEqual(exact.amax(torch.ones(0, 3), (), True).tolist(), [[-torch.inf]])
        self.assertEqual(exact.amax(torch.ones(2, 0, dtype=torch.int8), 1).tolist(), [-128, -128])
        self.assertEqual(exact.amax(torch.ones(0, dtype=torch.bool)).tolist(), False)
        self.assertEqual(exact.amax(torch.ones(0, 3), 1).shape, (0,))
        with self.assertRaises(IndexError):
            exact.amax(torch.ones(0, 3), 2)

    def test_views_with_a_pending_sign(self):
        pending = torch.tensor([1 + 2j, 3 - 4j]).conj().imag  # means -2 and 4
        self.assertTrue(pending.is_neg())
        with exact.everywhere():
            self.assertEqual(torch.maximum(pending, torch.tensor(-3.0)).tolist(), [-2, 4])
            self.assertEqual(torch.amax(pending).item(), 4)
        self.assertEqual(exact.maximum(pending, torch.tensor(-3.0)).tolist(), [-2, 4])

    def test_a_network_changes_in_its_maxima_alone(self):
        torch.manual_seed(7)

        class Network(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = torch.nn.ModuleList(torch.nn.Conv2d(c, c + 2, 3, padding=1) for c in (3, 5, 7))

            def forward(self, x):
                for layer in self.layers:
                    y = layer(x)
                    x = torch.maximum(y, -y)
                return x.amax((2, 3)), torch.max(x.flatten(1), 1).values

        network, x = Network().eval(), torch.randn(2, 3, 16, 16)
        with torch.no_grad():
            theirs = network(x)
            with exact.everywhere():
                ours = network(x)
                x[0, 0, 0, 0] = NAN
                for y in network(x):
                    self.assertTrue(y[0].isnan().any() and not y[1].isnan().any())
        for a, b in zip(ours, theirs):
            self.assertEqual(bits(a), bits(b))


class Module(unittest.TestCase):
    def test_the_examples_of_its_page(self):
        page = (Path(__file__).resolve().parents[2] / "docs" / "pytorch.md").read_text(encoding="utf-8")
        examples = re.findall(r"^```python\n(.*?)^```", page, re.S | re.M)
        self.assertEqual(len(examples), 1)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(examples[0], {})
        self.assertEqual(printed.getvalue(), "tensor([[0., 0.],\n        [nan, nan]])\ntensor([0., nan])\ntensor(nan)\n")

    def test_another_version_of_pytorch_is_refused(self):
        code = "import torch; torch.__version__ = '0.4.1'; import supremum.torch"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ))
        self.assertRegex(done.stderr, r"ImportError: supremum was built for PyTorch \S+, and this is PyTorch 0.4.1; build supremum's Python")


class Gradients(unittest.TestCase):
    def gradients(self, function, *inputs, weights=None):
        inputs = [x.clone().requires_grad_() for x in inputs]
        y = function(*inputs)
        y.backward(torch.ones_like(y) if weights is None else weights)
        return [x.grad.tolist() for x in inputs]

    def test_of_maximum(self):
        a, b = torch.tensor([1.0, 5.0, 3.0, 0.0]), torch.tensor([2.0, 4.0, 3.0, -0.0])
        self.assertEqual(self.gradients(exact.maximum, a, b), [[0, 1, 0.5, 0.5], [1, 0, 0.5, 0.5]])
        self.assertEqual(self.gradients(exact.maximum, a, b), self.gradients(torch.maximum, a, b))

    def test_of_maximum_with_nan(self):
        a, b = torch.tensor([NAN, 1.0, NAN]), torch.tensor([1.0, NAN, NAN])
        self.assertEqual(self.gradients(exact.maximum, a, b), [[1, 0, 0.5], [0, 1, 0.5]])

    def test_of_broadcasts_and_types(self):
        a, b = torch.tensor([[1.0, 4.0], [3.0, 2.0]]), torch.tensor([2.0, 3.0], dtype=torch.float64)
        weights = torch.tensor([[1.0, 10.0], [100.0, 1000.0]], dtype=torch.float64)
        self.assertEqual(self.gradients(exact.maximum, a, b, weights=weights), [[[0, 10], [100, 0]], [1, 1000]])

    def test_of_amax(self):
        x = torch.tensor([[1.0, 3.0, 3.0], [NAN, 2.0, NAN], [-torch.inf] * 3])
        third = 1 / 3
        expected = torch.tensor([[0, 0.5, 0.5], [0.5, 0, 0.5], [third] * 3])
        for keepdim in (False, True):
            (grad,) = self.gradients(functools.partial(exact.amax, dim=1, keepdim=keepdim), x)
            self.assertTrue(torch.allclose(torch.tensor(grad), expected))
        (grad,) = self.gradients(exact.amax, torch.tensor([[1.0, 2.0], [2.0, 0.0]]))
        self.assertEqual(grad, [[0, 0.5], [0.5, 0]])
        (grad,) = self.gradients(exact.amax, torch.tensor(4.0))
        self.assertEqual(grad, 1)
        for dim in (0, 1, (0, 1)):
            of_none = torch.ones(2, 0, requires_grad=True)
            exact.amax(of_none, dim).sum().backward()
            self.assertEqual(of_none.grad.shape, (2, 0))

    def test_numerically_and_twice(self):
        torch.manual_seed(3)
        a, b = (torch.randn(3, 4, dtype=torch.float64, requires_grad=True) for _ in range(2))
        for function, inputs in ((exact.maximum, (a, b)), (lambda x: exact.amax(x, (0,)), (a,)), (lambda x: exact.amax(x, -1, True), (a,))):
            self.assertTrue(torch.autograd.gradcheck(function, inputs))
            self.assertTrue(torch.autograd.gradgradcheck(function, inputs))

    def test_none_is_recorded_where_none_is_wanted(self):
        a = torch.ones(2, requires_grad=True)
        with torch.no_grad():
            self.assertFalse(exact.maximum(a, a).requires_grad)
        self.assertFalse(exact.maximum(a.detach(), a.detach()).requires_grad)

    def test_forward_mode_is_refused_and_not_lost(self):
        import torch.autograd.forward_ad as forward

        with forward.dual_level():
            x = forward.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0]))
            for call in (lambda: exact.maximum(x, torch.zeros(2)), lambda: exact.amax(x)):
                with self.assertRaisesRegex(NotImplementedError, "no forward-mode derivatives; use torch.maximum"):
                    call()
            with exact.everywhere():
                self.assertEqual(forward.unpack_dual(torch.maximum(x, torch.zeros(2))).tangent.tolist(), [10, 20])

    def test_pytorchs_own_formulas_remain(self):
        a, b = torch.tensor([1.0, 5.0, 3.0]), torch.tensor([2.0, 4.0, 3.0])
        with exact.everywhere():
            self.assertEqual(self.gradients(torch.maximum, a, b), [[0, 1, 0.5], [1, 0, 0.5]])
            self.assertEqual(self.gradients(torch.amax, torch.tensor([3.0, 3.0])), [[0.5, 0.5]])


class Shapes(unittest.TestCase):
    def test_of_tensors_without_elements(self):
        a, b = torch.ones(2, 1, 4, device="meta"), torch.ones(3, 1, device="meta", dtype=torch.float64)
        y = exact.maximum(a, b)
        self.assertEqual((y.shape, y.dtype, y.device.type), ((2, 3, 4), torch.float64, "meta"))
        self.assertEqual(exact.amax(a, (0, -1), True).shape, (1, 1, 1))
        self.assertEqual(exact.amax(torch.ones(0, 3, device="meta"), 0).shape, (3,))
        with self.assertRaises(IndexError):
            exact.amax(torch.ones(0, 3, device="meta"), 2)

    @unittest.skipIf(VERSION < (2, 0), "since PyTorch 2.0")
    def test_in_programs_that_are_exported(self):
        class Module(torch.nn.Module):
            def forward(self, a, b):
                return exact.amax(exact.maximum(a, b), 1)

        a, b = torch.tensor([[-0.0, -1.0]]), torch.tensor([[0.0, -2.0]])
        program = torch.export.export(Module(), (a, b))
        self.assertIn("supremum.maximum", str(program.graph))
        self.assertEqual(bits(program.module()(a, b)), [0])


if __name__ == "__main__":
    unittest.main()
