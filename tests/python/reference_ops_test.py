"""supremum.reference_ops in the reference evaluator of the onnx package: all conformance cases, and models with other operators."""

import unittest

from support import np, supremum

try:
    import onnx
    from onnx import TensorProto, helper
    from onnx.reference import ReferenceEvaluator
except ImportError as missing:
    print(f"skipped: {missing}; onnx has a reference evaluator since 1.13")
    raise SystemExit(77)

from supremum import kit, reference_ops

try:
    from onnx.reference.custom_element_types import bfloat16
except ImportError:  # since 1.18
    from ml_dtypes import bfloat16


def evaluate(model, *arrays):
    names = [value.name for value in model.graph.input]
    return ReferenceEvaluator(model, new_ops=reference_ops.OPS).run(None, dict(zip(names, arrays)))[0]


def model_of(nodes, inputs, opset=18, outputs=("y",)):
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in inputs]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    graph = helper.make_graph(nodes, "g", values, results)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def arrays_of(case):
    if case.type != "bfloat16":
        return case.arrays()
    return [np.frombuffer(x.content, np.uint16).reshape(x.shape).view(bfloat16) for x in case.inputs]


class Reference(unittest.TestCase):
    def test_every_conformance_case_is_right_in_every_bit(self):
        ran = {}
        for case in kit.cases():
            try:
                model, arrays = case.model(), arrays_of(case)
            except kit.Unsupported:  # no model, or a rank that NumPy does not have
                continue
            result = evaluate(model, *arrays)
            if case.type == "bfloat16":
                result = kit.Tensor("bfloat16", result.shape, result.view(np.uint16).tobytes())
            case.check(result)
            ran[case.type] = ran.get(case.type, 0) + 1
        print(f"{sum(ran.values())} conformance cases through onnx {onnx.__version__}'s reference evaluator, none wrong")
        self.assertEqual(len(ran), 13)
        self.assertGreater(sum(ran.values()), 8000)

    def test_other_operators_are_onnxs(self):
        model = model_of(
            [helper.make_node("Neg", ["a"], ["b"]), helper.make_node("Max", ["a", "b"], ["m"]),
             helper.make_node("ReduceMax", ["m", "axes"], ["r"], keepdims=0), helper.make_node("Abs", ["r"], ["y"])],
            ["a", "axes"],
        )  # fmt: skip
        model.graph.input[1].type.tensor_type.elem_type = TensorProto.INT64
        a = np.float32([[0.0, -3.0], [2.0, -1.0]])
        np.testing.assert_array_equal(evaluate(model, a, np.int64([1])), [3, 2])

    def test_the_rules_of_the_opset_hold(self):
        model = model_of([helper.make_node("Max", ["a", "b"], ["y"])], ["a", "b"], opset=6)
        with self.assertRaisesRegex(supremum.InvalidValue, "MAX-3"):
            evaluate(model, np.float32([1, 2]), np.float32([1]))
        model = model_of([helper.make_node("ReduceMax", ["a"], ["y"], axes=[1], keepdims=0)], ["a"], opset=13)
        np.testing.assert_array_equal(evaluate(model, np.float32([[1, 2], [4, 3]])), [2, 4])
        with self.assertRaisesRegex(supremum.InvalidValue, "axis"):
            evaluate(model, np.float32([1, 2]))
        halves = np.uint16([0x3F80, 0x4000]).view(bfloat16)
        for operator, opset in (("Max", 12), ("ReduceMax", 12)):
            model = model_of([helper.make_node(operator, ["a"], ["y"])], ["a"], opset)
            with self.assertRaises(TypeError) as caught:  # onnx wraps it
                evaluate(model, halves)
            self.assertRegex(str(caught.exception.__cause__), f"bfloat16, which {operator} has since opset 13")
        model = model_of([helper.make_node("Max", ["a", "b"], ["y"])], ["a", "b"])
        with self.assertRaises((TypeError, ValueError)):
            evaluate(model, halves, np.float32([1, 2]))

    def test_an_attribute_of_a_function_is_resolved(self):
        node = helper.make_node("ReduceMax", ["x"], ["y"])
        node.attribute.add(name="keepdims", ref_attr_name="keep", type=onnx.AttributeProto.INT)
        imports = [helper.make_opsetid("", 13)]
        function = helper.make_function("local", "Best", ["x"], ["y"], [node], imports, ["keep"])
        graph = helper.make_graph(
            [helper.make_node("Best", ["x"], ["y"], domain="local", keep=0)], "g",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, None)], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        )  # fmt: skip
        model = helper.make_model(graph, opset_imports=imports + [helper.make_opsetid("local", 1)], functions=[function], ir_version=8)
        self.assertEqual(evaluate(model, np.float32([[1, 2], [4, 3]])).shape, ())

    def test_what_onnx_computes_without_them_is_not_exact(self):
        model = model_of([helper.make_node("Max", ["a", "b"], ["y"])], ["a", "b"])
        zeros = np.float32([0.0, -0.0])
        self.assertTrue(np.signbit(ReferenceEvaluator(model).run(None, {"a": zeros, "b": zeros[::-1].copy()})[0]).any())
        self.assertFalse(np.signbit(evaluate(model, zeros, zeros[::-1].copy())).any())


if __name__ == "__main__":
    unittest.main()
