"""Operands that threads share, through each function: every share of each number of threads counts, and one thread is one."""

import os
import subprocess
import sys
import unittest

from support import MAXIMA, REDUCTIONS, THREADS, np, same_bits, shared_operands, shared_reduction, supremum

import supremum.numpy as exact

try:
    from onnx import TensorProto, helper

    import supremum.backend
except ImportError:
    raise SystemExit(77)


def model_of(operator, ranks, axes=None):
    """A model of one node, whose inputs have any shape of the ranks."""
    attributes = {} if axes is None else {"axes": axes, "keepdims": 0}
    names = [f"x{m}" for m in range(len(ranks))]
    node = helper.make_node(operator, names, ["y"], **attributes)
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None] * rank) for name, rank in zip(names, ranks)]
    graph = helper.make_graph([node], "g", values, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


class SharedWork(unittest.TestCase):
    def check(self, result, expected, *names):
        self.assertIsNone(same_bits(result, np.asarray(expected)), names)

    # Rules: ORD-5, RED-1
    def test_reduce_max(self):
        for shape, axes in REDUCTIONS:
            for turn in (0, 3, 7):
                a, expected = shared_reduction(shape, axes, turn)
                for threads in (0, *THREADS):
                    self.check(supremum.max(a, axes, threads=threads), expected, shape, turn, threads)
                self.check(supremum.max(a, axes), expected, shape, turn)
                self.check(exact.maximum.reduce(a, axes), expected, shape, turn)
                self.check(exact.max(a, axes), expected, shape, turn)

    # Rules: ORD-5, MAX-2
    def test_max(self):
        for shapes in MAXIMA:
            arrays, expected = shared_operands(shapes)
            for threads in (0, *THREADS):
                self.check(supremum.maximum_of(*arrays, threads=threads), expected, shapes, threads)
                self.check(supremum.maximum(*arrays, threads=threads), expected, shapes, threads)
                bounded = supremum.max_with_bounds(arrays, [0, 0], threads=threads)
                self.check(bounded.value, expected, shapes, threads)
            self.check(exact.maximum(*arrays), expected, shapes)

    # Rules: ORD-5, MAX-2, RED-1
    def test_models(self):
        for shape, axes in REDUCTIONS:
            proto = model_of("ReduceMax", [len(shape)], axes)
            self.check_model(proto, *(lambda a, y: ([a], y))(*shared_reduction(shape, axes)))
        for shapes in MAXIMA:
            self.check_model(model_of("Max", [len(shape) for shape in shapes]), *shared_operands(shapes))

    def check_model(self, proto, inputs, expected):
        model, prepared = supremum.load(proto), supremum.backend.prepare(proto)
        self.check(model.run(inputs)["y"], expected)
        for threads in (0, *THREADS):
            self.check(model.run(inputs, threads=threads)["y"], expected, threads)
            self.check(prepared.run(inputs, threads=threads)[0], expected, threads)

    def test_one_thread_is_the_calling_one_and_the_default(self):
        code = """
import os, sys
from shared_work_test import *
a, expected = shared_reduction((16384, 16, 3), (0, 2))
both, _ = shared_operands(MAXIMA[0])
model = supremum.load(model_of("ReduceMax", [3], (0, 2)))
count = lambda: len(os.listdir("/proc/self/task"))
before = count()
for keywords in ({}, {"threads": 1}):
    supremum.max(a, (0, 2), **keywords)
    supremum.maximum_of(*both, **keywords)
    model.run([a], **keywords)
exact.max(a, (0, 2))
exact.maximum(*both)
assert count() == before, (before, count())
supremum.max(a, (0, 2), threads=2)
print("more" if count() > before else "one")
"""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        if len(os.sched_getaffinity(0)) > 1:
            self.assertEqual(done.stdout, "more\n")


if __name__ == "__main__":
    unittest.main()
