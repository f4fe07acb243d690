#!/usr/bin/env python3
"""The hand-over to the SONNX working group: its layout, its catalogue, its findings and its compliance report. No runtime, no network."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

HANDOVER = Path(__file__).resolve().parents[2] / "verification" / "handover" / "sonnx"
sys.path.insert(0, str(HANDOVER))
import catalogue  # noqa: E402
import findings  # noqa: E402
import handover  # noqa: E402

FILES = [
    "formal/common/broadcast/broadcast.mlw", "formal/max/max.mlw", "formal/max/smoke.mlw", "formal/max/Makefile",
    "informal/max/max_acc.md", "informal/max/reviews/max-supremum.md", "informal/max/reviews/findings.py",
    "tests/max/catalogue.md", "tests/max/catalogue.json", "tests/max/onnxruntime.md", "tests/max/cases/max_signed_zeros.json",
]  # fmt: skip


def made(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, HANDOVER / "handover.py", folder, *options], capture_output=True, text=True, check=False)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def report_of(verdicts: dict[str, str], status: str = "ran", reason: str = "no module") -> dict[str, object]:
    """A report.json with these cases and letters."""
    known = {"p": ("passed", "passed"), "z": ("failed", "wrong sign of zero"), "y": ("failed", "wrong bits of NaN"),
             "l": ("failed", "a number in place of NaN"), "w": ("failed", "wrong value"), "u": ("unsupported", "unsupported"),
             "-": ("not asked", "not asked")}  # fmt: skip
    return {"supremum": "0", "machine": "a machine", "cases": [{"id": case, "rules": ["MAX-2"]} for case in verdicts],
            "verdicts": [{"letter": k, "score": v[0], "text": v[1]} for k, v in known.items()],
            "runners": [{"name": "onnxruntime", "status": status, "reason": reason, "runtime": "ONNX Runtime", "version": "1",
                         "interface": "Node", "verdicts": "".join(verdicts.values())}]}  # fmt: skip


class Handover(unittest.TestCase):
    def test_has_the_layout_and_the_same_bytes_every_time(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            first, second = Path(folder) / "first", Path(folder) / "second"
            for target in (first, second):
                done = made(target, "--no-audit")
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(contents(first), contents(second))
            for file in FILES:
                path = first / handover.SPEC / file
                self.assertTrue(path.is_file() and path.stat().st_size > 0, file)
            readme = (first / "README.md").read_text(encoding="utf-8")
            for file in FILES[:-1]:
                self.assertIn(Path(file).name, readme)
            done = subprocess.run([sys.executable, first / handover.SPEC / "informal/max/reviews/findings.py"], cwd=folder, check=False)
            self.assertEqual(done.returncode, 0, "the copy of findings.py does not stand alone")

    def test_writes_into_no_folder_that_has_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "mine").write_text("")
            self.assertEqual(made(Path(folder), "--no-audit").returncode, 2)
            self.assertEqual([path.name for path in Path(folder).iterdir()], ["mine"])

    def test_the_theorems_that_it_names_exist(self) -> None:
        sources = "".join(path.read_text(encoding="utf-8") for path in (HANDOVER / "why3").glob("*.mlw"))
        table = handover.README.partition("| statement |")[2]
        names = [name for row in table.splitlines() if row.count("|") == 4 for name in row.split("|")[2].replace("`", "").split(", ")]
        self.assertGreater(len(names), 10)
        for name in (name.strip() for name in names if name.strip() not in ("theorem", "---", "")):
            self.assertRegex(sources, rf"(?:lemma|goal) {name}\b")


class Catalogue(unittest.TestCase):
    def test_every_case_of_max_is_in_one_test(self) -> None:
        tests = catalogue.tests()
        cases = [case for test in tests for case in test.cases]
        self.assertEqual(len(cases), len(set(cases)))
        groups = {g["group"]: g for g in catalogue.write_cases.groups()}
        valid = [f"{g}/{c['name']}/{t}" for g in groups for c in groups[g].get("cases", []) if c["operator"] == "Max" for t in c["bits"]]
        self.assertEqual(set(valid), {case for case in cases if case in set(valid)})
        for test in tests:
            self.assertLessEqual(set(test.part_of_the_specification), set(catalogue.TAGS), test.id)
            self.assertIn(test.label, catalogue.LABELS)

    def test_a_new_group_is_noticed(self) -> None:
        without = {name: entry for name, entry in catalogue.GROUPS.items() if name != "max_long"}
        with mock.patch.object(catalogue, "GROUPS", without), self.assertRaisesRegex(ValueError, "max_long"):
            catalogue.tests()


class Findings(unittest.TestCase):
    def test_each_computation_shows_its_finding(self) -> None:
        for number, finding in enumerate(findings.FINDINGS, 1):
            with self.subTest(f"F{number:02}"):
                self.assertIn(finding.label, findings.LABELS)
                self.assertTrue(finding.path.startswith("safety-related-profile/"))
                try:
                    self.assertTrue(finding.shows())
                except findings.Missing as missing:
                    self.skipTest(f"{missing} is not installed")

    def test_a_finding_that_is_none_is_noticed(self) -> None:
        with mock.patch.object(findings, "leaky_relu", lambda x, alpha: -0.95), mock.patch("builtins.print") as printed:
            with mock.patch.object(sys, "argv", ["findings.py"]):
                self.assertEqual(findings.main(), 1)
            self.assertIn("the computation does not show it", str(printed.call_args))

    def test_what_could_not_be_computed_is_named(self) -> None:
        with mock.patch.object(findings, "need", side_effect=findings.Missing("onnx")), mock.patch("builtins.print") as printed:
            with mock.patch.object(sys, "argv", ["findings.py"]):
                self.assertEqual(findings.main(), 0)
            self.assertIn("(needs onnx)", str(printed.call_args_list[0]))


class Compliance(unittest.TestCase):
    tests = [test for test in catalogue.tests() if test.kit == "max_ordinary"]

    def test_failed_cases_have_the_label_of_what_they_break(self) -> None:
        cases = self.tests[0].cases
        letters = dict(zip(cases, "pzylwu" + "-" * len(cases)))
        text = handover.compliance(report_of(letters), "", self.tests)
        self.assertIn(f"| `max_ordinary` | 1 | 1 | 2 | 1 | 1 | {len(cases) - 6} |", text)
        self.assertIn(f"| SONNX | wrong sign of zero | {self.tests[0].id} | 1 | `{cases[1]}` |", text)
        self.assertIn(f"| ONNX | wrong value | {self.tests[0].id} | 1 | `{cases[4]}` |", text)

    def test_says_that_the_runtime_is_not_installed(self) -> None:
        text = handover.compliance(report_of({}, "not installed", "onnxruntime: not installed: no module."), "", self.tests)
        self.assertIn("No results: ONNX Runtime is not installed: no module.", text)
        self.assertIn("No results: a reason.", handover.compliance(None, "a reason", self.tests))


if __name__ == "__main__":
    json.dumps(catalogue.as_json(catalogue.tests()))
    unittest.main()
