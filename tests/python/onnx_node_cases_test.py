"""The modules that kit/cases/onnx_node_cases.py writes for ONNX: their cases run by supremum, with and without the onnx package."""

import os
import re
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

from support import np, same_bits, supremum

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "kit" / "cases" / "onnx_node_cases.py"
RTOL, ATOL = 1e-3, 1e-7  # of ONNX's node tests
# Cases that the reference implementation of a published onnx package computes otherwise than the operator's documentation says.
REFERENCE_DIFFERS = {
    "test_reduce_max_bool_empty_3by0_axes_1",  # True, which is -inf converted to bool: onnx 1.17 and 1.20
    "test_reduce_max_no_axes_opset_20_axes_empty_noop_1_keepdims_0_float32",  # reduces all dimensions: onnx 1.17
}

try:
    import onnx
    from onnx import helper
except ImportError as missing:
    onnx = None
    print(f"without onnx ({missing}) only supremum's functions run the cases")
else:
    sys.path.insert(0, str(ROOT / "tests" / "project"))
    import generate_onnx_cases

    generate_onnx_cases.restore_numpy_names()


def written(folder, seed):
    """The files that the script writes, by name."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run([sys.executable, SCRIPT, folder], check=True, env=environment, stdout=subprocess.DEVNULL)
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(Path(folder).iterdir())}


def import_with(expect, base, files, make_node, make_opsetid):
    """Runs the modules with these in place of ONNX's; ONNX's Base calls every method of a class when it is defined."""
    stub = types.ModuleType("onnx")
    stub.helper = types.SimpleNamespace(make_node=make_node, make_opsetid=make_opsetid)
    names = ["onnx.backend", "onnx.backend.test", "onnx.backend.test.case", "onnx.backend.test.case.base", "onnx.backend.test.case.node"]
    modules = {"onnx": stub, **{name: types.ModuleType(name) for name in names}}
    modules["onnx.backend.test.case.base"].Base = base
    modules["onnx.backend.test.case.node"].expect = expect
    with mock.patch.dict(sys.modules, modules):
        for name, text in files.items():
            exec(compile(text, name, "exec"), {"__name__": Path(name).stem})


class StubBase:
    def __init_subclass__(cls):
        for name, value in vars(cls).items():
            if name.startswith("export"):
                assert isinstance(value, staticmethod), name
                value.__func__()


def stub_node(operator, inputs, outputs, **attributes):
    return types.SimpleNamespace(op_type=operator, inputs=inputs, outputs=outputs, attributes=attributes)


class NodeCases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.files = written(folder, "1")
        cls.modules = {name: text for name, text in cls.files.items() if name.endswith(".py")}

    def stub_cases(self):
        """What the modules pass to `expect`."""
        found = []

        def expect(node, inputs, outputs, name, opset_imports):
            found.append((name, node, inputs, outputs, opset_imports[0]))

        import_with(expect, StubBase, self.modules, stub_node, lambda domain, version: version)
        return found

    def test_two_writes_have_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(written(folder, "2"), self.files)
        self.assertEqual(list(self.files), ["README.md", "max_conformance.py", "reducemax_conformance.py"])

    def test_methods_are_sorted_and_each_has_its_comment(self):
        form = r"    @staticmethod\n    def export_(\w+)\(\) -> None:\n        # (?:Decided by ONNX|Proposal) \([A-Z]{3}-\d+\): \S.*\.\n"
        for text in self.modules.values():
            names = re.findall(form, text)
            self.assertGreaterEqual(len(names), 40)
            self.assertEqual(names, sorted(set(names)))
            self.assertEqual(len(names), text.count("def "))
            self.assertEqual(re.findall(r'name="test_(?:reduce_)?max_(\w+)"', text), names)

    def test_supremum_computes_every_case(self):
        cases = self.stub_cases()
        for name, node, inputs, outputs, opset in cases:
            with self.subTest(name):
                self.assertEqual(len(node.inputs), len(inputs))
                if node.op_type == "Max":
                    actual = supremum.maximum_of(*inputs)
                else:
                    axes = node.attributes.get("axes", list(inputs[1]) if len(inputs) > 1 else [])
                    self.assertEqual("axes" in node.attributes, opset < 18 and bool(axes))
                    axis = tuple(axes) if axes or node.attributes.get("noop_with_empty_axes") else None
                    actual = supremum.max(inputs[0], axis, bool(node.attributes.get("keepdims", 1)))
                self.assertIsNone(same_bits(actual, outputs[0]))
        operators = [node.op_type for _, node, *_ in cases]
        self.assertGreaterEqual(min(operators.count("Max"), operators.count("ReduceMax")), 40)

    def test_onnxs_comparison_refuses_each_operand_that_is_not_the_output(self):
        refused = 0
        for name, node, inputs, outputs, _ in self.stub_cases():
            for operand in inputs if node.op_type == "Max" else []:
                wrong = np.broadcast_to(operand, outputs[0].shape)
                if not np.array_equal(wrong, outputs[0], equal_nan=True):
                    with self.subTest(name), self.assertRaises(AssertionError):
                        np.testing.assert_allclose(wrong, outputs[0], rtol=RTOL, atol=ATOL)
                    refused += 1
        self.assertGreaterEqual(refused, 60)


def model_of_an_unknown_opset(node, inputs, outputs, name, opset_imports):
    """The model that a newer onnx package's `expect` makes."""

    def infos(names, arrays):
        return [helper.make_tensor_value_info(n, supremum.backend._element_type(a.dtype), a.shape) for n, a in zip(names, arrays)]

    graph = helper.make_graph([node], name, infos(node.input, inputs), infos(node.output, outputs))
    return helper.make_model(graph, opset_imports=opset_imports, ir_version=9)


@unittest.skipIf(onnx is None, "onnx is not installed")
class WithOnnx(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from onnx.backend.test.case import node

        original = node.expect
        with tempfile.TemporaryDirectory() as folder:
            modules = {name: text for name, text in written(folder, "1").items() if name.endswith(".py")}
            cls.present = {case.name for case in generate_onnx_cases.collect(["Max", "ReduceMax"])}
            cls.cases = []  # name, model, inputs, outputs, whether this onnx has the opset

            def expect(one, inputs, outputs, name, opset_imports):
                known = opset_imports[0].version <= onnx.defs.onnx_opset_version()
                if known:
                    original(one, inputs=inputs, outputs=outputs, name=name, opset_imports=opset_imports)
                    case = node._NodeTestCases.pop()
                    (inputs, outputs), model = case.data_sets[0], case.model
                    assert (case.name, case.rtol, case.atol) == (name, RTOL, ATOL)
                else:
                    model = model_of_an_unknown_opset(one, inputs, outputs, name, opset_imports)
                cls.cases.append((name, model, inputs, outputs, known))

            # inspect, by which ONNX's Base reads each method, needs files.
            for name, text in modules.items():
                (Path(folder) / name).write_text(text, encoding="utf-8")
            with mock.patch.object(sys, "path", [folder, *sys.path]), mock.patch.object(node, "expect", expect):
                for name in modules:
                    __import__(Path(name).stem)

    def test_every_model_runs(self):
        import onnx.backend.test.runner as runner

        for name, model, inputs, outputs, _ in self.cases:
            with self.subTest(name):
                self.assertTrue(supremum.backend.is_compatible(model))
                actual = supremum.backend.run_model(model, inputs)
                self.assertEqual(len(actual), 1)
                self.assertIsNone(same_bits(actual[0], outputs[0]))
                runner.Runner.assert_similar_outputs(outputs, list(actual), rtol=RTOL, atol=ATOL)
        known = sum(case[-1] for case in self.cases)
        print(f"{len(self.cases)} cases, {known} of an opset that onnx {onnx.__version__} has")
        self.assertGreaterEqual(known, 50)
        self.assertGreaterEqual(len(self.cases), 90)

    def test_models_are_valid(self):
        for name, model, _, _, known in self.cases:
            with self.subTest(name):
                self.assertEqual([n.op_type for n in model.graph.node], ["Max" if name.startswith("test_max_") else "ReduceMax"])
                if known:
                    onnx.checker.check_model(model)
                    onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)

    def test_no_name_is_one_of_onnxs_own(self):
        names = [case[0] for case in self.cases]
        self.assertEqual(len(names), len(set(names)))
        self.assertGreaterEqual(len(self.present), 22)
        self.assertEqual(self.present.intersection(names), set())

    def test_the_reference_implementation_agrees(self):
        try:
            from onnx.reference import ReferenceEvaluator
        except ImportError:
            self.skipTest(f"onnx {onnx.__version__} has no reference implementation")
        differ, compared = {}, 0
        for name, model, inputs, outputs, known in self.cases:
            compared += known
            try:
                [actual] = ReferenceEvaluator(model).run(None, dict(zip([i.name for i in model.graph.input], inputs)))
                np.testing.assert_equal((actual.dtype, actual.shape), (outputs[0].dtype, outputs[0].shape))
                np.testing.assert_allclose(actual, outputs[0], rtol=RTOL, atol=ATOL)
            except Exception as error:  # it may raise anything
                if known:
                    differ[name] = f"{type(error).__name__}: {error}"
        print(f"{len(differ)} of {compared} cases differ", *(f"{name}: {text}" for name, text in differ.items()), sep="\n")
        self.assertEqual(set(differ) - REFERENCE_DIFFERS, set())
        self.assertGreaterEqual(compared, 90)


if __name__ == "__main__":
    unittest.main()
