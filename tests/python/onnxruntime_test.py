"""supremum.onnxruntime: with ONNX Runtime where it is installed, otherwise its constant nodes and what it asks ONNX Runtime for."""

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import onnx
from onnx import TensorProto, helper

import supremum.onnxruntime as exact

try:
    import onnxruntime
except ImportError:
    onnxruntime = None
HAS_PROVIDERS = hasattr(onnxruntime, "register_execution_provider_library") and Path(exact.library()).exists()
FLOAT = TensorProto.FLOAT


def model_of(nodes, inputs=(), outputs=(), initializers=(), opset=20, ir_version=8):
    graph = helper.make_graph(
        list(nodes),
        "graph",
        [helper.make_tensor_value_info(name, FLOAT, None) for name in inputs],
        [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs],
        [helper.make_tensor(name, FLOAT, [len(values)], values) for name, values in initializers],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir_version)


class ConstantNodes(unittest.TestCase):
    def names(self, model):
        return [node.output for node in exact.constant_nodes(model)]

    def test_inputs_that_are_initializers_constants_or_made_of_them(self):
        constant = helper.make_node("Constant", [], ["c"], value=helper.make_tensor("", FLOAT, [1], [1.0]))
        model = model_of(
            [
                constant,
                helper.make_node("Max", ["c", "i"], ["a"], name="first"),
                helper.make_node("Neg", ["a"], ["n"]),
                helper.make_node("ReduceMax", ["n", ""], ["r"]),
                helper.make_node("Max", ["r", "x"], ["y"]),
                helper.make_node("Max", ["y"], ["z"]),
            ],
            inputs=["x"],
            outputs=["z"],
            initializers=[("i", [0.0])],
        )
        self.assertEqual(
            exact.constant_nodes(model),
            [exact.ConstantNode("Max", "first", "a"), exact.ConstantNode("ReduceMax", "", "r")],
        )

    def test_what_a_caller_may_feed_is_no_constant(self):
        node = helper.make_node("Max", ["i"], ["y"])
        model = model_of([node], inputs=["i"], outputs=["y"], initializers=[("i", [0.0])])
        self.assertEqual(self.names(model), [])
        model.ir_version = 3  # where every initializer is an input, and none may be fed
        self.assertEqual(self.names(model), ["y"])

    def test_what_is_random_is_no_constant(self):
        for op_type, inputs in (("RandomNormal", []), ("RandomNormalLike", ["i"]), ("Bernoulli", ["i"])):
            nodes = [helper.make_node(op_type, inputs, ["r"]), helper.make_node("Max", ["r", "i"], ["y"])]
            self.assertEqual(self.names(model_of(nodes, outputs=["y"], initializers=[("i", [0.0])])), [], op_type)

    def test_subgraphs_see_the_constants_around_them(self):
        branch = helper.make_graph(
            [helper.make_node("Max", ["i"], ["inner"])], "branch", [], [helper.make_tensor_value_info("inner", FLOAT, None)]
        )
        node = helper.make_node("If", ["x"], ["y"], then_branch=branch, else_branch=branch)
        self.assertEqual(self.names(model_of([node], inputs=["x"], outputs=["y"], initializers=[("i", [0.0])])), ["inner", "inner"])

    def test_what_depends_on_shapes_alone(self):
        for nodes in (
            [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("ReduceMax", ["s"], ["y"])],
            [
                helper.make_node("Shape", ["x"], ["s"]),
                helper.make_node("ConstantOfShape", ["s"], ["c"]),
                helper.make_node("Max", ["c", "i"], ["y"]),
            ],
        ):
            self.assertEqual(self.names(model_of(nodes, inputs=["x"], outputs=["y"], initializers=[("i", [0.0])])), ["y"])

    def test_an_if_of_constants(self):
        def branch(name, inputs):
            node = helper.make_node("Max", inputs, [name])
            return helper.make_graph([node], name, [], [helper.make_tensor_value_info(name, FLOAT, None)])

        def found(*inputs):
            node = helper.make_node("If", ["i"], ["c"], then_branch=branch("t", inputs), else_branch=branch("e", ["i"]))
            after = helper.make_node("Max", ["c"], ["y"])
            return self.names(model_of([node, after], inputs=["x"], outputs=["y"], initializers=[("i", [0.0])]))

        self.assertEqual(found("i"), ["e", "t", "y"])
        self.assertEqual(found("x"), ["e"])

    def test_sparse_initializers(self):
        model = model_of([helper.make_node("Max", ["sparse"], ["y"])], outputs=["y"])
        values = helper.make_tensor("sparse", FLOAT, [1], [1.0])
        indices = helper.make_tensor("", TensorProto.INT64, [1], [0])
        model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, indices, [3]))
        self.assertEqual(self.names(model), ["y"])

    def test_nodes_in_any_order(self):
        nodes = [helper.make_node("Max", ["b"], ["y"]), helper.make_node("Max", ["a"], ["b"]), helper.make_node("Neg", ["i"], ["a"])]
        self.assertEqual(self.names(model_of(nodes, outputs=["y"], initializers=[("i", [0.0])])), ["y", "b"])

    def test_functions_are_inlined_or_refused(self):
        node = helper.make_node("F", ["i"], ["y"], domain="local")
        model = model_of([node], outputs=["y"], initializers=[("i", [0.0])])
        model.opset_import.append(helper.make_opsetid("local", 1))
        body = [helper.make_node("Max", ["a"], ["b"])]
        model.functions.append(helper.make_function("local", "F", ["a"], ["b"], body, [helper.make_opsetid("", 20)]))
        if hasattr(onnx, "inliner") or tuple(map(int, onnx.__version__.split(".")[:2])) >= (1, 15):
            self.assertEqual(len(self.names(model)), 1)
        else:
            with self.assertRaisesRegex(ValueError, "the model has functions"):
                self.names(model)

    def test_other_domains_are_not_ours(self):
        node = helper.make_node("Max", ["i"], ["y"], domain="com.example")
        self.assertEqual(self.names(model_of([node], outputs=["y"], initializers=[("i", [0.0])])), [])

    def test_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.onnx")
            onnx.save(model_of([helper.make_node("Max", ["i"], ["y"], name="n")], outputs=["y"], initializers=[("i", [0.0])]), path)
            other = os.path.join(folder, "other.onnx")
            onnx.save(model_of([helper.make_node("Max", ["x"], ["y"])], inputs=["x"], outputs=["y"]), other)
            with open(os.path.join(folder, "bad.onnx"), "wb") as file:
                file.write(b"\xff\xff\xff")
            for arguments, status, text in (
                ([path], 1, "Max n, which makes y: its inputs are constants"),
                ([other], 0, "no Max or ReduceMax of constants was found"),
                ([file.name], 2, "bad.onnx"),
                ([os.path.join(folder, "nowhere")], 2, "nowhere"),
                ([], 2, "usage"),
                (["--help"], 0, "python3 -m supremum.onnxruntime MODEL"),
            ):
                run = subprocess.run(
                    [sys.executable, "-m", "supremum.onnxruntime", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
                )
                self.assertEqual(run.returncode, status, run.stdout)
                self.assertIn(text, run.stdout)
                self.assertNotIn("Traceback", run.stdout)


class FakeOptions:
    def __init__(self, entries=()):
        self.entries, self.providers = dict(entries), []

    def add_session_config_entry(self, key, value):
        self.entries[key] = value

    def get_session_config_entry(self, key):
        if key not in self.entries:
            raise RuntimeError("no such entry")
        return self.entries[key]

    def add_provider_for_devices(self, devices, options):
        self.providers.append(([device.ep_name for device in devices], options))
        self.entries.update({exact.PREFIX + name: value for name, value in options.items()})


class Requests(unittest.TestCase):
    """What the module asks of ONNX Runtime, by one that only notes it."""

    def setUp(self):
        self.registered = []
        device = types.SimpleNamespace
        self.devices = [device(ep_name="CPUExecutionProvider")]

        def register(name, path):
            self.registered.append((name, path))
            self.devices += [device(ep_name=exact.PROVIDER), device(ep_name=exact.PROVIDER)]

        self.fake = types.SimpleNamespace(
            SessionOptions=FakeOptions,
            get_ep_devices=lambda: list(self.devices),
            register_execution_provider_library=register,
            InferenceSession=mock.Mock(),
        )
        patch = mock.patch.dict(sys.modules, {"onnxruntime": self.fake})
        patch.start()
        self.addCleanup(patch.stop)

    def test_the_library_is_registered_once(self):
        for _ in range(3):
            options = exact.session_options()
            self.assertEqual(options.providers, [([exact.PROVIDER], {"threads": "session", "strict": "0"})])
        self.assertEqual(self.registered, [("supremum", exact.library())])

    def test_options(self):
        options = exact.session_options(threads=3, strict=True)
        self.assertEqual(options.providers[0][1], {"threads": "3", "strict": "1"})
        self.assertEqual(options.entries[exact.DISABLED], "ConstantFolding")
        self.assertNotIn(exact.DISABLED, exact.session_options(fold_constants=True).entries)
        given = FakeOptions({exact.DISABLED: "A;B"})
        self.assertIs(exact.session_options(given), given)
        self.assertEqual(given.entries[exact.DISABLED], "A;B;ConstantFolding")

    def test_a_session_of_one_thread_is_computed_by_that_thread(self):
        for given, expected in ((1, "1"), (0, "session"), (2, "session")):
            options = FakeOptions()
            options.intra_op_num_threads = given
            self.assertEqual(exact.session_options(options).providers[0][1]["threads"], expected)
            self.assertEqual(exact.session_options(options, threads=4).entries[exact.PREFIX + "threads"], "4")

    def test_options_may_be_used_again(self):
        options = FakeOptions()
        exact.session_options(options, threads=1, strict=True)
        exact.session_options(options, threads=2)
        self.assertEqual(len(options.providers), 1)
        self.assertEqual(options.entries, {exact.DISABLED: "ConstantFolding", exact.PREFIX + "threads": "2", exact.PREFIX + "strict": "0"})

    def test_a_session_does_not_fall_back(self):
        session = exact.session("m.onnx", strict=True)
        self.assertIs(session, self.fake.InferenceSession.return_value)
        arguments, named = self.fake.InferenceSession.call_args
        self.assertEqual((arguments[0], arguments[1].providers[0][1]["strict"], named), ("m.onnx", "1", {"enable_fallback": 0}))

    def test_an_older_one_is_refused(self):
        with mock.patch.dict(sys.modules, {"onnxruntime": types.SimpleNamespace(__version__="1.22.0")}):
            with self.assertRaisesRegex(ImportError, "1.23 or newer, and this is 1.22.0"):
                exact.session_options()

    def test_the_environment_names_another_library(self):
        with mock.patch.dict(os.environ, {"SUPREMUM_ONNXRUNTIME_PROVIDER": "elsewhere.so"}):
            self.assertEqual(exact.library(), "elsewhere.so")


@unittest.skipUnless(HAS_PROVIDERS, "ONNX Runtime 1.23 or newer for Python is not installed")
class Sessions(unittest.TestCase):
    def model(self):
        nodes = [
            helper.make_node("ReduceMax", ["x"], ["y"]),
            helper.make_node("Max", ["x", "i"], ["z"]),
            helper.make_node("Max", ["minus", "plus"], ["w"], name="folded"),
        ]
        initializers = [("i", [0.0]), ("minus", [-0.0]), ("plus", [0.0])]
        return model_of(nodes, ["x"], ["y", "z", "w"], initializers).SerializeToString()

    def test_results(self):
        x = np.arange(20, dtype=np.float32)
        x[1] = np.nan
        for arguments in ({}, {"threads": 2}, {"strict": True}):
            y, z, w = exact.session(self.model(), **arguments).run(None, {"x": x})
            np.testing.assert_array_equal(y.view(np.uint32), [0x7FC00000])
            np.testing.assert_array_equal(z, np.maximum(x, 0))
            np.testing.assert_array_equal(w.view(np.uint32), [0])

    def test_options_may_be_used_for_several_sessions(self):
        options = onnxruntime.SessionOptions()
        for strict in (True, False, True):
            results = exact.session(self.model(), options, strict=strict).run(None, {"x": np.zeros(20, np.float32)})
            self.assertEqual(len(results), 3)

    def test_strict_does_not_fall_back(self):
        with contextlib.redirect_stdout(io.StringIO()) as printed, self.assertRaisesRegex(Exception, "ConstantFolding"):
            exact.session(self.model(), strict=True, fold_constants=True)
        self.assertEqual(printed.getvalue(), "")

    def test_wrong_options(self):
        with self.assertRaisesRegex(Exception, "the option threads is 'many'"):
            exact.session(self.model(), threads="many")

    def test_the_example_of_the_page(self):
        page = (Path(__file__).resolve().parents[2] / "docs" / "onnxruntime.md").read_text(encoding="utf-8")
        (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "model.onnx").write_bytes(self.model())
            os.chdir(folder)
            try:
                exec(compile(example, "docs/onnxruntime.md", "exec"), {"x": np.zeros(3, np.float32)})
            finally:
                os.chdir(here)


if __name__ == "__main__":
    unittest.main()
