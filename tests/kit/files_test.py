#!/usr/bin/env python3
"""The folder that `supremum-audit cases` writes of case files. The command reads its models and graphs.

    files_test.py COMMAND    the built program supremum
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


class FoldersOfCases(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        (self.folder / "own").mkdir()

    def case_file(self, group: str, content: Any) -> None:
        text = content if isinstance(content, str) else json.dumps({"group": group, "rules": ["MAX-2"], "reason": "A test.", **content})
        (self.folder / "own" / f"{group}.json").write_text(text)

    def max_case(self, output: str, **more: Any) -> None:
        bits = {"float32": {"inputs": ["3f800000 40000000", "bf800000"], "output": output}, "int16": {"inputs": ["0001*2", "ffff"], "output": "0001*2"}}
        case = {"name": "one", "operator": "Max", "opset": 13, "shapes": [[2], []], "output_shape": [2], "bits": bits, **more}
        self.case_file("pairs", {"cases": [case]})

    def run_in(self, *command: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "kit"), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=environment, check=False)

    def write(self, folder: str = "made", status: int = 0) -> subprocess.CompletedProcess[str]:
        done = self.run_in(sys.executable, "-m", "supremum.kit", "cases", folder, "--from", "own")
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def supremum(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run_in(COMMAND, *arguments)

    def test_a_case_is_listed_and_is_in_every_format_that_has_it(self) -> None:
        self.max_case("3f800000 40000000")
        self.assertEqual(self.write().stdout, "2 cases, 2 of them as ONNX test cases and 1 as oneDNN graphs; 0 invalid models\n")
        self.assertEqual({path.name for path in (self.folder / "made").iterdir()}, {"cases.json", "invalid.json", "onednn", "onnx"})
        first, second = json.loads((self.folder / "made/cases.json").read_text())["cases"]
        self.assertEqual((first["id"], first["rules"], first["inputs"][0]["bits"]), ("pairs/one/float32", ["MAX-2"], "3f80000040000000"))
        self.assertEqual((first["inputs"][1]["shape"], first["onednn"], second["onednn"]), ([], "onednn/pairs/one/float32.json", None))
        self.assertEqual(second["output"]["bits"], "00010001")
        self.assertEqual(self.supremum("test", "made/onnx").returncode, 0)
        self.assertIn("Maximum", (self.folder / "made/onednn/pairs/one/float32.json").read_text())

    def test_an_invalid_model_is_written_faults_and_all(self) -> None:
        model = {"opset": 18, "inputs": [["x", "float32[2,N,?]"]], "outputs": [["y", "float32"]], "nodes": []}
        stated = {"name": "stated", "no_broadcast": True, "verdict": {"valid": False, "fails": "profile", "code": "x", "rule": "PRO-2"}, "model": model,
                  "inputs": [{"type": "float32", "shape": [1], "bits": "3f800000"}]}  # fmt: skip
        graph = {"name": "graph", "verdict": {"valid": False}, "graph": {"version": "3.0.0", "graph": [], "of": {}}}
        self.case_file("faults", {"invalid": [stated, graph]})
        self.write()
        first, second = json.loads((self.folder / "made/invalid.json").read_text())["cases"]
        self.assertEqual((first["model"], first["inputs"]), ("invalid/faults/stated/model.onnx", ["invalid/faults/stated/input_0.pb"]))
        self.assertEqual((first["no_broadcast"], first["verdict"]["rule"], second["model"]), (True, "PRO-2", "invalid/faults/graph/graph.json"))

    def test_the_examples_of_the_kits_page_are_cases(self) -> None:
        valid, fault = re.findall(r"\n```json\n(.*?)\n```\n", (ROOT / "kit/README.md").read_text(encoding="utf-8"), re.S)
        self.case_file("max_signed_zeros", valid)
        self.case_file("faults", {"invalid": [json.loads(fault)]})
        self.assertIn("1 cases, 1 of them as ONNX test cases and 1 as oneDNN graphs; 1 invalid", self.write().stdout)
        self.assertEqual(self.supremum("test", "made/onnx").returncode, 0)
        folder = "made/invalid/faults/symbols"
        inputs = [part for i in range(2) for part in ("--input", f"x{i}={folder}/input_{i}.pb")]
        done = self.supremum("run", f"{folder}/model.onnx", *inputs)
        self.assertEqual((done.returncode, "E1 not broadcastable" in done.stderr), (3, True), done.stderr)

    def test_a_folder_with_files_is_refused_and_stays(self) -> None:
        self.max_case("3f800000 40000000")
        (self.folder / "made").mkdir()
        self.write()
        before = (self.folder / "made/cases.json").read_bytes()
        self.assertIn("DIR made: the folder has files; name another folder, or remove it", self.write(status=2).stderr)
        self.assertEqual((self.folder / "made/cases.json").read_bytes(), before)
        (self.folder / "file").write_text("")
        self.assertIn("not a folder", self.write("file", status=2).stderr)
        (self.folder / "own" / "pairs.json").write_text("{")
        self.write("new", status=3)
        for group, output, part in (("../../up", "40000000", "'../../up/one/float32': its name"), ("pairs", "3f800000", "8 hexadecimal digits"), ("pairs", "3f80000g 40000000", "hex")):
            bits = {"float32": {"inputs": ["3f800000 40000000"] * 2, "output": output}}
            case = {"name": "one", "operator": "Max", "opset": 13, "shapes": [[2], [2]], "output_shape": [2], "bits": bits}
            (self.folder / "own" / "pairs.json").write_text(json.dumps({"group": group, "rules": ["MAX-2"], "reason": "", "cases": [case]}))
            self.assertIn(part, self.write("new", status=3).stderr)
            self.assertFalse((self.folder / "new").exists() or (self.folder / "up").exists())
        (self.folder / "own" / "pairs.json").unlink()
        self.assertIn("--from own", self.write("new", status=2).stderr)
        self.assertFalse((self.folder / "new").exists())

    def test_a_graph_leaves_out_keep_dims_if_the_case_says_so(self) -> None:
        bits = {"float32": {"inputs": ["3f800000 40000000"], "output": "40000000"}}
        case = {"name": "one", "operator": "ReduceMax", "opset": 13, "attributes": {"axes": [0], "keepdims": 0}, "shapes": [[2]],
                "output_shape": [], "onednn_leaves_out": ["keep_dims"], "bits": bits}  # fmt: skip
        self.case_file("defaults", {"cases": [case]})
        self.write()
        graph = json.loads((self.folder / "made/onednn/defaults/one/float32.json").read_text())
        self.assertEqual(list(graph["graph"][0]["attrs"]), ["axes"])


if __name__ == "__main__":
    COMMAND = str(Path(sys.argv.pop()).resolve())
    unittest.main()
