"""supremum.load, Model.run and supremum.check."""

import copy
import errno
import pickle
import tempfile
import threading
import unittest
from pathlib import Path

from support import bits_of, np, supremum

try:
    import onnx
    import onnx.numpy_helper
    import onnx.parser
except ImportError:
    raise SystemExit(77)

FUSE = """<ir_version: 8, opset_import: ["": 13]>
fuse (float[n, 3] a, float[3] b) => (float[n, 3] y, float[n, 1] best)
{ y = Max(a, b)  best = ReduceMax<axes = [-1]>(y) }"""


def parse(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(text)


def save_with_external_data(path: Path) -> None:
    proto = parse('<ir_version: 8, opset_import: ["": 13]> g (float[2] a) => (float[2] y) <float[2] c = {5, 1}> {y = Max(a, c)}')
    proto.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(np.float32([5, 1]), "c"))
    onnx.save(proto, str(path), save_as_external_data=True, location="c.bin", size_threshold=0)


class Models(unittest.TestCase):
    def test_a_model_comes_from_a_path_from_bytes_or_as_a_proto(self):
        proto = parse(FUSE)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "fuse.onnx"
            onnx.save(proto, str(path))
            for model in (path, str(path), path.read_bytes(), bytearray(path.read_bytes()), proto):
                self.assertEqual(repr(supremum.load(model)), "<supremum.Model 'fuse', opset 13>")
                self.assertEqual(len(supremum.check(model, "onnx").findings) > 0, True)

    def test_a_file_that_is_missing_is_a_file_not_found_error(self):
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "missing.onnx")
            for call in (supremum.load, supremum.check):
                for error_class in (FileNotFoundError, ValueError, supremum.MissingFile):
                    with self.assertRaises(error_class) as caught:
                        call(path)
                    self.assertEqual((caught.exception.filename, caught.exception.errno), (path, errno.ENOENT))
                    self.assertEqual(caught.exception.code, supremum.ErrorCode["io"])
                    self.assertIn("missing.onnx' cannot be opened", str(caught.exception))
                    again = pickle.loads(pickle.dumps(caught.exception))
                    self.assertEqual((str(again), again.filename, again.code), (str(caught.exception), path, supremum.ErrorCode["io"]))
            with self.assertRaises(supremum.InvalidValue) as caught:
                supremum.load(folder)
            self.assertNotIsInstance(caught.exception, FileNotFoundError)

    def test_outputs_are_written_to_memory_that_is_given(self):
        model = supremum.load(parse(FUSE))
        a, b = np.float32([[1, 5, 2], [7, 0, 3]]), np.float32([2, 2, 4])
        expected = np.maximum(a, b)
        whole = np.full((2, 6), -1, np.float32)
        y, best = whole[:, ::2], np.zeros((2, 1), np.float32)
        for out in ({"y": y}, {"best": best}, {"best": best, "y": y}, {}, None):
            for _ in range(2):  # the second time by a plan that was kept
                whole.fill(-1)
                outputs = model.run({"a": a, "b": b}, out=out)
                self.assertEqual(list(outputs), ["y", "best"])
                self.assertEqual(outputs["y"].tolist(), expected.tolist())
                self.assertEqual(outputs["best"].tolist(), [[5], [7]])
                for name, array in (out or {}).items():
                    self.assertIs(outputs[name], array)
                self.assertTrue((whole[:, 1::2] == -1).all())
        for out, error in (
            ({"z": y}, "it has no output 'z'"),
            ({"y": best}, r"the output has shape \[2,1\]"),
            ({"y": a}, "output 'y' shares memory with input 'a'|output 'y' .*input 'a'"),
            ({"best": best.astype(np.float64)}, "float64"),
        ):
            with self.assertRaisesRegex((supremum.InvalidValue, supremum.InvalidType), error):
                model.run({"a": a, "b": b}, out=out)
        with self.assertRaises(supremum.InvalidType):
            model.run({"a": a, "b": b}, out=[y])

    def test_inputs_of_any_strides_are_read_where_they_are(self):
        model = supremum.load(parse(FUSE))
        wide = np.arange(24, dtype=np.float32).reshape(4, 6)
        for a in (wide[::2, ::2], wide[::-1, 3:][:2], wide.T[:3].T, np.broadcast_to(np.float32(3), (5, 3))):
            for b in (np.float32([9, 3, 1])[::-1], np.float32([4, 4, 4])):
                self.assertEqual(model.run([a, b])["y"].tolist(), np.maximum(a, b).tolist())

    def test_two_threads_run_one_model_at_once(self):
        model = supremum.load(parse(FUSE))
        b = np.zeros(3, np.float32)
        wrong = []

        def run(k: int) -> None:
            for n in range(200):
                a = np.full((1 + n % 3 * 9000, 3), k * 1000 + n, np.float32)
                if not (model.run([a, b])["y"] == a).all():
                    wrong.append((k, n))

        threads = [threading.Thread(target=run, args=(k,)) for k in range(1, 3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_external_data_is_read_where_it_is_allowed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.onnx"
            save_with_external_data(path)
            self.assertTrue((Path(folder) / "c.bin").exists())
            outputs = supremum.load(path, allow_external_data=True).run([np.float32([3, 4])])
            self.assertEqual(outputs["y"].tolist(), [5, 4])
            with self.assertRaisesRegex(supremum.InvalidValue, "allow_external_data"):
                supremum.load(path).run([np.float32([3, 4])])

    def test_a_model_can_be_pickled_and_copied(self):
        proto = parse(FUSE)
        inputs = [np.float32([[1, 2, 9]]), np.float32([3, 0, 0])]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "fuse.onnx"
            onnx.save(proto, str(path))
            models = [supremum.load(model, max_bytes=10**6) for model in (path, path.read_bytes(), proto)]
        for model in models:
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                again = pickle.loads(pickle.dumps(model, protocol))
                self.assertEqual((repr(again), again.inputs), (repr(model), model.inputs))
                self.assertEqual(again.run(inputs)["best"].tolist(), [[9]])
                self.assertEqual(pickle.dumps(again), pickle.dumps(model))
            self.assertIs(copy.copy(model), model)
            self.assertIs(copy.deepcopy({"m": model})["m"], model)

    def test_a_pickle_is_read_with_the_limit_of_the_model_and_names_no_file(self):
        _, (content, limit) = supremum.load(parse(FUSE), max_bytes=10**6).__reduce__()
        make = supremum.load(parse(FUSE)).__reduce__()[0]
        self.assertEqual(limit, 10**6)
        for wrong in ("fuse.onnx", Path("fuse.onnx"), bytearray(content), parse(FUSE), None):
            with self.assertRaisesRegex(supremum.InvalidType, "pickled model is of type .*; expected bytes"):
                make(wrong, limit)
        for content, limit, code in ((content, 10, "limit_exceeded"), (content[:-9], 10**6, "malformed_file"), (b"\xff", 10**6, "malformed_file"), (content, -1, "invalid_argument")):
            with self.assertRaises(supremum.Error) as caught:
                make(content, limit)
            self.assertEqual(caught.exception.code.name, code)

    def test_a_model_with_external_data_says_why_it_cannot_be_pickled(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.onnx"
            save_with_external_data(path)
            model, closed = supremum.load(path, allow_external_data=True), supremum.load(path)
        with self.assertRaisesRegex(supremum.InvalidType, r"other files \('c.bin'\).*store them in the model"):
            pickle.dumps(model)
        self.assertIs(copy.deepcopy(model), model)
        self.assertEqual(repr(pickle.loads(pickle.dumps(closed))), repr(closed))  # its run says that they are not allowed

    def test_external_data_behind_links_is_read_inside_the_root_that_is_given(self):
        with tempfile.TemporaryDirectory() as folder:
            snapshot = Path(folder) / "hub" / "snapshots" / "1"
            snapshot.mkdir(parents=True)
            save_with_external_data(snapshot / "m.onnx")
            (Path(folder) / "hub" / "blobs").mkdir()
            (snapshot / "c.bin").rename(Path(folder) / "hub" / "blobs" / "c")
            (snapshot / "c.bin").symlink_to("../../blobs/c")
            for root in (Path(folder) / "hub", str(Path(folder) / "hub")):
                outputs = supremum.load(snapshot / "m.onnx", external_data_root=root).run([np.float32([3, 4])])
                self.assertEqual(outputs["y"].tolist(), [5, 4])
            for arguments in ({"allow_external_data": True}, {"external_data_root": snapshot}):
                with self.assertRaisesRegex(supremum.InvalidValue, "symbolic link"):
                    supremum.load(snapshot / "m.onnx", **arguments).run([np.float32([3, 4])])

    def test_a_report_is_true_if_every_rule_holds(self):
        text = '<ir_version: 8, opset_import: ["": 13]> g (float[%s] a) => (float[%s] y) {y = Max(a, a)}'
        for extent, holds in (("2", True), ("n", False)):
            report = supremum.check(parse(text % (extent, extent)), "sonnx")
            self.assertEqual((bool(report), report.holds, len(report) > 0), (holds, holds, True))

    def test_it_says_what_it_takes_and_gives(self):
        model = supremum.load(parse(FUSE))
        self.assertEqual(model.inputs, [supremum.Value("a", "float32", ("n", 3)), supremum.Value("b", "float32", (3,))])
        self.assertEqual([value.name for value in model.outputs], ["y", "best"])
        self.assertEqual(model.operators, [("Max", 13), ("ReduceMax", 13)])
        self.assertEqual((model.optional_inputs, model.graph_name, model.opset), ([], "fuse", 13))

    def test_outputs_have_names_and_the_models_order(self):
        model = supremum.load(parse(FUSE))
        a, b = np.float32([[1, 2, 9], [0, 5, -0.0]]), np.float32([3, 0, 0])
        for inputs in ({"b": b, "a": a}, [a, b], (a, b)):
            outputs = model.run(inputs, threads=2)
            self.assertEqual(list(outputs), ["y", "best"])
            self.assertEqual(outputs["y"].tolist(), [[3, 2, 9], [3, 5, 0]])
            self.assertEqual(outputs["best"].tolist(), [[9], [5]])
        self.assertFalse(np.signbit(outputs["y"][1, 2]))
        self.assertTrue(outputs["y"].flags.writeable)

    def test_inputs_have_any_strides_and_keep_their_bits(self):
        model = supremum.load(parse('<ir_version: 8, opset_import: ["": 13]> g (float[n] a) => (float[n] y) {y = Identity(a)}'))
        a = np.array([0xFFFFFFFF, 0x80000000, 0x7F800001, 0], "u4").view("f4")[::-2]
        self.assertEqual(bits_of(model.run([a])["y"]).tolist(), bits_of(a).tolist())

    def test_an_output_outlives_its_run(self):
        model = supremum.load(parse(FUSE))
        outputs = [model.run([np.full((100, 3), k, "f4"), np.zeros(3, "f4")])["y"] for k in range(50)]
        del model
        self.assertEqual([int(y[99, 2]) for y in outputs], list(range(50)))

    def test_errors_of_a_run(self):
        model = supremum.load(parse(FUSE))
        a, b = np.zeros((2, 3), "f4"), np.zeros(3, "f4")
        for inputs, options, code, text in (
            ([a], {}, "input_count", "2 inputs and was given 1"),
            ({"a": a}, {}, "invalid_argument", "'b'"),
            ({"a": a, "b": b, "c": b}, {}, "invalid_argument", "'c'"),
            ({"a": a, "b": [1]}, {}, "invalid_argument", "input 'b' is of type list"),
            ([a, b.astype("f8")], {}, "type_mismatch", "'b'"),
            ([a, b], {"dims": {"n": 3}}, "invalid_argument", "n"),
            ([a, b], {"identical_shapes_only": True}, "broadcast_refused", "PRO-6"),
            ([a, b], {"profile": "sonnx"}, "shape_not_explicit", "PRO-2"),
            ([a, b], {"max_bytes": 10}, "limit_exceeded", "10"),
            (5, {}, "invalid_argument", "inputs is of type int; expected a dict of arrays by name"),
            (a, {}, "invalid_argument", "inputs is of type ndarray"),
            ([a, b], {"profile": 3}, "invalid_argument", "profile is of type int; expected 'onnx' or 'sonnx'"),
            ([a, b], {"threads": -2}, "invalid_argument", "threads is -2"),
            ([a, b], {"threads": 1.5}, "invalid_argument", "threads is of type float"),
            ([a, b], {"threads": 2**70}, "invalid_argument", "threads is 1180591620717411303424"),
            ([a, b], {"dims": {"n": "3"}}, "invalid_argument", "the dimension 'n' is of type str"),
            ([a, b], {"dims": {"n": None}}, "invalid_argument", "the dimension 'n' is of type NoneType"),
            ([a, b], {"max_bytes": "1"}, "invalid_argument", "max_bytes is of type str"),
            ([a, b], {"thread": 1}, "invalid_argument", "run.. has no keyword 'thread'; it has 'inputs'"),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(supremum.Error, text) as caught:
                model.run(inputs, **options)
            self.assertEqual(caught.exception.code.name, code)
        unknown = supremum.load(parse('<ir_version: 8, opset_import: ["": 13]> g (float[n] a) => (float[n] y) {y = Relu(a)}'))
        with self.assertRaisesRegex(supremum.InvalidValue, "Relu") as caught:
            unknown.run([b])
        self.assertEqual(caught.exception.code, supremum.ErrorCode.unsupported_operator)

    def test_the_first_input_decides_what_outputs_are(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        outputs = supremum.load(parse(FUSE)).run([torch.ones(2, 3), np.full(3, 2, "f4")])
        self.assertEqual((type(outputs["y"]), outputs["y"].tolist()), (torch.Tensor, [[2, 2, 2], [2, 2, 2]]))


class Check(unittest.TestCase):
    def test_findings_are_objects(self):
        report = supremum.check(parse(FUSE), "sonnx")
        self.assertEqual(report.profile, "sonnx")
        self.assertFalse(report.holds)
        self.assertEqual((len(report), report[0], report.opset), (len(report.findings), report.findings[0], 13))
        failed = {(finding.node, finding.rule) for finding in report if finding.verdict == "fails"}
        self.assertIn(("node #0 (Max, output 'y')", "PRO-2"), failed)
        self.assertIn(("node #1 (ReduceMax, output 'best')", "PRO-4"), failed)
        for finding in report:
            self.assertEqual(finding.change == "", finding.verdict == "holds", finding)

    def test_a_model_that_holds(self):
        report = supremum.check(parse(FUSE.replace("n, ", "4, ").replace("<axes = [-1]>", "<axes = [-1], keepdims = 1>")), "sonnx")
        self.assertTrue(report.holds, [finding for finding in report if finding.verdict != "holds"])
        self.assertFalse(supremum.check(parse(FUSE.replace("n, ", "4, ")), "onnx", identical_shapes_only=True).holds)

    def test_the_profile_is_that_of_onnx_unless_another_is_named(self):
        # As in the command and in C++.
        report = supremum.check(parse(FUSE))
        self.assertTrue(report)
        self.assertEqual((report.profile, report.inference), ("onnx", None))

    def test_dims_are_numbers_for_symbols(self):
        self.assertIn("computed as [3,", " ".join(finding.text for finding in supremum.check(parse(FUSE), dims={"n": 3})))
        for dims, text in (({"k": 3}, "it has no symbolic dimension 'k'; it has 'n'"), ({"n": -1}, "the dimension .n. is -1; expected a number from 0")):
            with self.assertRaisesRegex(ValueError, text):
                supremum.check(parse(FUSE), dims=dims)


class Annotate(unittest.TestCase):
    TEXT = """<ir_version: 8, opset_import: ["": 13]>
    g (float[n, 4] a) => (float[n, 1] y) { t = Abs(a)  y = ReduceMax<axes = [1]>(t) }"""

    def test_the_model_states_what_the_profile_wants(self):
        from supremum.annotate import annotate

        proto = parse(self.TEXT)
        self.assertFalse(supremum.check(proto, "sonnx"))
        for model in (proto, proto.SerializeToString()):
            for infer in (True, False):
                annotated = annotate(model, dims={"n": 2}, infer=infer)
                self.assertTrue(supremum.check(annotated.model, "sonnx"))
                self.assertIn(("", "symbol 'n'", "is 2"), annotated.annotations)
        with self.assertRaisesRegex(ValueError, "no symbolic dimension 'k'"):
            annotate(proto, dims={"k": 2})

    def test_what_is_inferred_is_listed_and_nothing_else_is_stated(self):
        from supremum.annotate import annotate

        proto = parse("""<ir_version: 8, opset_import: ["": 13]>
            g (float[n, 4] a) => (float[n, 1] y) { u = Relu(a)  t = Abs(u)  y = ReduceMax<axes = [1], keepdims = 1>(t)  z = Abs(y) }""")
        annotated = annotate(proto, infer=True)
        self.assertEqual(annotated.annotations, [("", "value 't'", "is stated as float32[n,4]")])
        stated = onnx.ModelProto.FromString(annotated.model)
        self.assertEqual([value.name for value in stated.graph.value_info], ["t"])
        stated.graph.ClearField("value_info")
        self.assertEqual(stated, proto)


if __name__ == "__main__":
    unittest.main()
