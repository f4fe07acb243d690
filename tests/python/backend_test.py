"""ONNX's own runner on supremum.backend: every node case of Max and ReduceMax that the onnx package makes.

    backend_test.py CASES    CASES being a folder that tests/project/generate_onnx_cases.py has written
"""

import functools
import sys
import tempfile
import unittest
from pathlib import Path

from support import np, supremum

try:
    import onnx
    import onnx.backend.test.runner as runner
    from onnx import helper
except ImportError as missing:
    print(f"skipped: {missing}")
    raise SystemExit(77)

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "project"))
import generate_onnx_cases  # noqa: E402

generate_onnx_cases.restore_numpy_names()  # the runner of older versions of onnx uses them too


class Backend(unittest.TestCase):
    def test_onnxs_runner_includes_and_passes_every_node_case(self):
        cases = sorted(folder.name for folder in (CASES / "node").iterdir())
        with tempfile.TemporaryDirectory() as folder:
            self.run_cases(Path(folder), cases)

    def run_cases(self, folder, cases):
        (folder / "node").symlink_to(CASES.resolve() / "node", target_is_directory=True)
        for kind in ("real", "simple", "pytorch-converted", "pytorch-operator"):
            (folder / kind).mkdir()  # the runner looks for them
        runner.load_model_tests = functools.partial(runner.load_model_tests, data_dir=str(folder))
        suite = onnx.backend.test.BackendTest(supremum.backend, __name__).test_suite
        result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
        ran = [name for name in cases if not any(str(test).startswith(f"{name}_cpu ") for test, _ in result.skipped)]
        print(f"{len(cases)} node cases of Max and ReduceMax, {len(ran)} run, {len(result.failures + result.errors)} failed")
        self.assertTrue(result.wasSuccessful())
        self.assertEqual(ran, cases, "a case was skipped")
        self.assertGreaterEqual(len([name for name in cases if name.startswith("test_max_")]), 14)
        self.assertGreaterEqual(len([name for name in cases if name.startswith("test_reduce_max_")]), 8)

    def test_a_node(self):
        node = helper.make_node("Max", ["a", "b"], ["y"])
        a, b = np.float32([1, 5]), np.float32([3])
        self.assertEqual(supremum.backend.run_node(node, [a, b]).y.tolist(), [3, 5])
        self.assertEqual(supremum.backend.run_node(node, [a, a[::-1]], opset_version=6)[0].tolist(), [5, 5])
        with self.assertRaises(supremum.InvalidValue) as caught:
            supremum.backend.run_node(node, [a, b], opset_version=6)
        self.assertEqual(caught.exception.rule, "MAX-3")
        node = helper.make_node("ReduceMax", ["a"], ["y"], keepdims=0)
        info = [(np.dtype("f4"), ())]
        self.assertEqual(supremum.backend.run_node(node, a, outputs_info=info)["y"].tolist(), 5)

    def test_a_model(self):
        values = [helper.make_tensor_value_info(name, onnx.TensorProto.INT32, [2]) for name in "abc"]
        graph = helper.make_graph([helper.make_node("Max", ["a", "b"], ["c"])], "g", values[:2], values[2:])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        a, b = np.int32([1, 5]), np.int32([3, 2])
        self.assertEqual(supremum.backend.run_model(model, [a, b])[0].tolist(), [3, 5])
        self.assertEqual(supremum.backend.prepare(model).run({"b": b, "a": a}, threads=2)[0].tolist(), [3, 5])
        self.assertTrue(supremum.backend.is_compatible(model))
        model.graph.node[0].op_type = "Min"
        self.assertFalse(supremum.backend.is_compatible(model))

    def test_devices(self):
        self.assertTrue(supremum.backend.supports_device("CPU"))
        self.assertFalse(supremum.backend.supports_device("CUDA"))
        with self.assertRaisesRegex(supremum.InvalidValue, "'CUDA'"):
            supremum.backend.prepare(onnx.ModelProto(), "CUDA")


if __name__ == "__main__":
    CASES = Path(sys.argv.pop())
    unittest.main()
