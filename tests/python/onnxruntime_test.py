"""supremum.onnxruntime: with ONNX Runtime where it is installed, otherwise what it asks ONNX Runtime for."""

import contextlib
import io
import os
import re
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
