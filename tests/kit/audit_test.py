#!/usr/bin/env python3
"""supremum-audit: its verdicts, untrusted runners, the gate, its reports, and the issues that it writes.

    audit_test.py [COMMAND RUNNERS]    the built command and the folder of its runners, for the tests that need them
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Optional

ROOT = Path(__file__).resolve().parents[2]
COMMAND: Optional[Path] = None
RUNNERS = Path()

CASES: dict[str, Any] = {"version": "1", "cases": [
    {"id": "zeros/plus_minus/float32", "type": "float32", "rules": ["MAX-2", "ORD-2"], "reason": "Zeros have a sign.", "operator": "Max",
     "opset": 13, "inputs": [{"shape": [2], "bits": "000000003f800000"}, {"shape": [2], "bits": "800000007fc00000"}],
     "output": {"shape": [2], "bits": "000000007fc00000"}, "onnx": "onnx/zeros", "onednn": None},
    {"id": "empty/row/float32", "type": "float32", "rules": ["RED-6"], "reason": "Nothing is the least.", "operator": "ReduceMax", "opset": 20,
     "attributes": {"axes": [1], "keepdims": 0}, "inputs": [{"shape": [1, 0], "bits": ""}], "output": {"shape": [1], "bits": "ff800000"}},
    {"id": "one/of_two/bool", "type": "bool", "rules": ["RED-1", "TYP-4"], "reason": "False is less than true.", "operator": "ReduceMax",
     "opset": 20, "attributes": {"axes": [0]}, "inputs": [{"shape": [2], "bits": "0100"}], "output": {"shape": [1], "bits": "01"}}]}
INVALID: dict[str, Any] = {"cases": [
    {"id": "e1/shapes", "rules": ["BRO-2", "E1"], "reason": "2 is not 3.", "model": "invalid/e1/model.onnx",
     "verdict": {"valid": False, "fails": "infer", "code": "not_broadcastable", "rule": "E1"}},
    {"id": "profile/symbol", "rules": ["PRO-2"], "reason": "N is no number.", "model": "invalid/pro/model.onnx",
     "verdict": {"valid": False, "fails": "profile", "code": "shape_not_explicit", "rule": "PRO-2"}}]}
HEAD = {"runtime": "Fake", "version": "1.0", "interface": "sh"}
NUMPY = {"runtime": "NumPy", "version": "1.2.3", "interface": "Python"}
RIGHT: list[dict[str, Any]] = [
    {"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "000000007fc00000"},
    {"case": 1, "id": "empty/row/float32", "shape": [1], "bits": "ff800000"},
    {"case": 2, "id": "one/of_two/bool", "shape": [1], "bits": "01"},
    {"invalid": 0, "id": "e1/shapes", "refused": "shapes"},
    {"invalid": 1, "id": "profile/symbol", "refused": "N"},
]
WRONG_ZERO = {"bits": "800000007fc00000"}
HOSTILE = [
    "<script>alert(1)</script>", "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>", "a | b ` <c>", "\\", "\n## heading\n",
    "```\n# x", "\x1b[2J\x07", "\u202eabc\u2028x", "coding: rot13\nevil()\revil()", "{{x}} [a](javascript:1) www.x http://x", "$(touch ran)`touch ran`",
    "\ud800", "é" * 600, "%s %n {0}", "",
]


def but(number: int, **change: Any) -> list[dict[str, Any]]:
    """The right lines, but for one, whose answer is another."""
    line = {key: value for key, value in RIGHT[number].items() if key in ("case", "invalid", "id")}
    if set(change) <= {"shape", "bits"}:
        line = dict(RIGHT[number])
    return [*RIGHT[:number], {**line, **change}, *RIGHT[number + 1 :]]


class Audit(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        (self.folder / "runners").mkdir()
        for name in ("onnx/zeros", "invalid/e1", "invalid/pro"):
            (self.folder / "cases" / name).mkdir(parents=True)
            (self.folder / "cases" / name / "model.onnx").write_text(f"the model of {name}")
        self.write_cases(CASES, INVALID)

    def write_cases(self, cases: Any = None, invalid: Any = None) -> None:
        for name, document in (("cases.json", cases), ("invalid.json", invalid)):
            if document is not None:
                (self.folder / "cases" / name).write_text(document if isinstance(document, str) else json.dumps(document))

    def shell(self, name: str, text: str) -> Path:
        """A runner in shell: `at N COMMAND` runs the command if the case N is asked for, and `say LINE` prints a line."""
        path = self.folder / "runners" / name
        path.write_text(
            '#!/bin/sh\nfrom=0\n[ "$2" = --from ] && from=$3\nsay() { printf \'%s\\n\' "$1"; }\n'
            'at() { n=$1; shift; [ "$n" -lt "$from" ] || "$@"; }\n' + text
        )
        path.chmod(0o755)
        return path

    def runner(self, name: str, lines: list[dict[str, Any]], head: dict[str, str] = HEAD) -> Path:
        """A runner that prints these lines, also from a later one on."""
        return self.shell(name, self.lines(lines, head))

    def lines(self, lines: list[dict[str, Any]], head: dict[str, str] = HEAD) -> str:
        def quoted(line: dict[str, Any]) -> str:
            return "'" + json.dumps(line).replace("'", "'\\''") + "'"

        return f"say {quoted(head)}\n" + "".join(f"at {i} say {quoted(line)}\n" for i, line in enumerate(lines))

    def start(self, *arguments: str, plain: bool = False, **more: Any) -> subprocess.CompletedProcess[str]:
        options = [] if plain else ["--cases", "cases", "--runners", "runners"]
        return self.run_in_folder([sys.executable, "-m", "supremum.kit", *options, *arguments], **more)

    def again(self, command: str) -> subprocess.CompletedProcess[str]:
        """What a shell makes of a command of a report."""
        return self.run_in_folder(["sh", "-c", command.replace("supremum-audit", f"'{sys.executable}' -m supremum.kit", 1)])

    def run_in_folder(self, command: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "kit"), "PYTHONDONTWRITEBYTECODE": "1", **more.pop("environment", {})}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        return subprocess.run(command, cwd=self.folder, text=True, env=environment, errors="surrogateescape", check=False, **pipes)

    def json(self, *arguments: str) -> dict[str, Any]:
        done = self.start(*arguments, "--json", "-")
        self.assertLess(done.returncode, 2, done.stderr)
        return dict(json.loads(done.stdout))

    def verdicts(self, text: str, *arguments: str) -> dict[str, Any]:
        """What the report has of a runner in shell."""
        self.shell("fake", text)
        return dict(self.json(*arguments)["runners"][0])

    def verdict(self, **answer: Any) -> str:
        """The letter for an answer to the first case."""
        self.runner("fake", but(0, **answer))
        return str(self.json()["runners"][0]["verdicts"][0])

    def fails(self, done: subprocess.CompletedProcess[str], status: int, *parts: str) -> None:
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def everything(self) -> dict[str, str]:
        return {str(path): path.read_text() for path in sorted(self.folder.rglob("*")) if path.is_file()}


class Verdicts(Audit):
    def test_a_result_is_judged_by_its_shape_then_by_its_bits(self) -> None:
        for bits, letter in (
            ("000000007fc00000", "p"), ("000000007FC00000", "p"), ("800000007fc00000", "z"), ("00000000ffc00000", "y"), ("80000000ff800001", "b"),
            ("000000003f800000", "l"), ("80000000ff800000", "l"), ("000000017fc00000", "w"), ("7fc000003f800000", "w"), ("000000007fc0000", "w"),
            ("000000007fc000000", "w"), ("00000000", "w"),
        ):  # fmt: skip
            self.assertEqual(self.verdict(bits=bits), letter, bits)
        self.assertEqual(self.verdict(shape=[1, 2]), "s")
        self.assertEqual(self.verdict(failed="no"), "e")
        self.assertEqual(self.verdict(unsupported="no kernel"), "u")

    def test_an_infinity_that_is_lost_counts_before_a_nan_that_is_lost(self) -> None:
        self.runner("fake", but(1, bits="ff7fffff"))
        self.assertEqual(self.json()["runners"][0]["verdicts"], "pipp-")
        one = {**CASES["cases"][0], "inputs": [CASES["cases"][0]["output"]], "output": {"shape": [2], "bits": "ff8000007fc00000"}}
        self.write_cases({"cases": [one, *CASES["cases"][1:]]})
        self.assertEqual(self.verdict(bits="ff7fffff3f800000"), "i")
        self.assertEqual(self.verdict(bits="ff8000003f800000"), "l")

    def test_an_accepted_invalid_model_breaks_its_rule_and_the_profile_binds_supremum_alone(self) -> None:
        lines = [*RIGHT[:3], *({**{k: line[k] for k in ("invalid", "id")}, "accepted": True} for line in RIGHT[3:])]
        self.runner("fake", lines)
        self.runner("supremum-fake", lines)
        report = self.json()
        self.assertEqual([one["name"] for one in report["runners"]], ["supremum-fake", "fake"])
        self.assertEqual([one["verdicts"] for one in report["runners"]], ["pppaa", "pppa-"])
        self.assertEqual(report["runners"][1]["rules"]["E1"]["failed"], 1)
        self.assertFalse(report["own_passed"])

    def test_counts_are_kept_for_each_rule(self) -> None:
        lines = [{**RIGHT[0], "bits": "800000007fc00001"}, but(1, failed="empty")[1], but(2, unsupported="bool")[2], *RIGHT[3:]]
        self.runner("fake", lines)
        found = self.json()["runners"][0]

        def counts(passed: int, failed: int, unsupported: int) -> dict[str, int]:
            return {"passed": passed, "failed": failed, "unsupported": unsupported, "unanswered": 0}

        self.assertEqual(found["verdicts"], "beup-")
        self.assertEqual(found["counts"], counts(1, 2, 1))
        self.assertEqual(found["failed_by"], {"onnx": 1, "sonnx": 1, "supremum": 0}, "of two rules the first of ONNX, SONNX, supremum")
        for rule, expected in (("ORD-2", (0, 1, 0)), ("ORD-4", (0, 1, 0)), ("MAX-2", (1, 0, 0)), ("RED-6", (0, 1, 0)), ("TYP-4", (0, 0, 1)), ("E1", (1, 0, 0))):
            self.assertEqual(found["rules"][rule], counts(*expected), rule)
        self.assertNotIn("PRO-2", found["rules"])

    def test_what_onnx_decides_is_onnxs_whatever_rule_the_case_tests(self) -> None:
        for change, origin in (
            ({"bits": "3f8000007fc00000"}, "ONNX"), ({"shape": [1, 2]}, "ONNX"), ({"bits": "00000000"}, "ONNX"), (WRONG_ZERO, "SONNX"),
            ({"bits": "000000003f800000"}, "SONNX"), ({"bits": "00000000ffc00000"}, "supremum"), ({"failed": "no"}, "SONNX"),
        ):  # fmt: skip
            self.runner("fake", but(0, **change))
            report = self.json()
            self.assertEqual([one["origin"] for one in report["deviations"]], [origin], change)
            self.assertEqual(report["runners"][0]["failed_by"], {name: int(name == origin.lower()) for name in ("onnx", "sonnx", "supremum")})
        self.assertIn("violates", self.start("--failed-only").stdout)

    def test_the_smallest_case_of_a_deviation_is_shown_with_its_command(self) -> None:
        small = {**CASES["cases"][0], "id": "zeros/alone/float32", "inputs": [{"shape": [1], "bits": "80000000"}, {"shape": [], "bits": "00000000"}],
                 "output": {"shape": [1], "bits": "00000000"}}  # fmt: skip
        self.write_cases({"cases": [*CASES["cases"], small]})
        alone = {"id": "zeros/alone/float32", "shape": [1], "bits": "80000000"}
        both = self.lines([{**RIGHT[0], **WRONG_ZERO}, RIGHT[1], RIGHT[2], {"case": 3, **alone}])
        self.shell("fake", f'if grep -q zeros/plus_minus "$1"/cases.json; then\n{both}else\n{self.lines([{"case": 0, **alone}])}fi\n')
        (deviation,) = self.json()["deviations"]
        self.assertEqual((deviation["rule"], deviation["count"], deviation["types"]), ("ORD-2", 2, {"float32": 2}))
        smallest = deviation["smallest"]
        self.assertEqual(smallest["came_out"]["elements"], [["-0", "0x80000000"]])
        self.assertEqual(smallest["right"]["elements"], [["0", "0x00000000"]])
        shown = self.start(*smallest["reproduce"].split()[1:], plain=True)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        for part in ("zeros/alone/float32\n", "wrong sign of zero, violates ORD-2", "[0]          -0  0x80000000         0  0x00000000  <-\n", "\nORD-2: On floats, -inf < "):
            self.assertIn(part, shown.stdout)
        self.assertNotIn("plus_minus", shown.stdout)

    def test_the_status_is_that_of_supremums_own_runners(self) -> None:
        self.runner("other", but(0, **WRONG_ZERO))
        self.assertEqual(self.start().returncode, 0)
        for lines, status in ((RIGHT, 0), (but(0, **WRONG_ZERO), 1), (but(0, unsupported="float32"), 1)):
            self.runner("supremum-x", lines)
            self.assertEqual(self.start().returncode, status)
        self.assertEqual(self.start("--runner", "other").returncode, 0)
        self.shell("supremum-x", f"say '{json.dumps(HEAD)}'\nsay noise\n{self.lines(RIGHT)}")
        self.assertEqual(self.start().returncode, 1)
        self.shell("supremum-x", "exit 77\n")
        self.assertEqual(self.start().returncode, 1)
        self.shell("supremum-x", f"say '{json.dumps(HEAD)}'\n")
        done = self.start("--case", "e1/shapes")
        self.assertEqual(done.returncode, 1)
        self.assertIn("supremum-x: no case applies to it: it does not read these models, or", done.stdout)


class Choice(Audit):
    def test_wrong_names_are_errors_before_anything_runs(self) -> None:
        self.shell("fake", "touch ran\n" + self.lines(RIGHT))
        (self.folder / "file").write_text("")
        (self.folder / "text").write_text("#!/bin/sh\n")
        self.fails(self.start("--runner", "nummpy"), 2, "--runner 'nummpy'", "fake", "./nummpy")
        self.fails(self.start("--case", "no/such/case"), 2, "--case 'no/such/case'")
        self.fails(self.start("--cases", "cases", "--runners", "nowhere", plain=True), 4, "nowhere", "--runners")
        self.fails(self.start("--cases", "nowhere", "--runners", "runners", "--report", "new/page", plain=True), 4, "nowhere/cases.json")
        self.fails(self.start("--report", "file/report"), 4, "file/report")
        self.fails(self.start("--markdown", "no/folder.md"), 4, "no/folder.md")
        for option in ("--runner", "--add-runner"):
            self.fails(self.start(option, "./none"), 4, "'./none' cannot be run: No such file")
            self.fails(self.start(option, "./text"), 4, "'./text' cannot be run: Permission denied", "chmod +x")
            self.fails(self.start(option, "./cases"), 4, "'./cases' cannot be run")
        self.fails(self.start("--add-runner", "runners/fake"), 2, "runners/fake", "two runners", "'fake'")
        self.fails(self.start("--runner", "runners/fake", "--add-runner", "./runners/fake"), 2, "two runners")
        for option in ("--case-limit", "--runner-limit"):
            for text in ("nan", "inf", "-1", "soon", ""):
                self.fails(self.start(option, text), 2, option, "invalid seconds value")
        self.write_cases({"cases": []}, {"cases": []})
        self.fails(self.start(), 2, "cases: cases.json and invalid.json have no case")
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"cases", "runners", "file", "text"})

    def test_broken_cases_are_refused_by_name(self) -> None:
        self.runner("fake", RIGHT)
        text = json.dumps(CASES)
        for old, new, parts in (
            ('"float32"', '"float31"', ("cases/cases.json", "zeros/plus_minus/float32", "float31")),
            ('"000000003f800000"', '"00000000"', ("zeros/plus_minus/float32", "8 hexadecimal digits")),
            ("000000003f800000", "000000003f80000g", ("zeros/plus_minus/float32", "hexadecimal")),
            ('"0100"', '"0102"', ("one/of_two/bool", "bool")),
            ('"MAX-2", "ORD-2"', "", ("zeros/plus_minus/float32", "'rules' is empty")),
            ("empty/row/float32", "zeros/plus_minus/float32", ("two cases", "zeros/plus_minus/float32")),
            ('{"version"', '["version"', ("cases/cases.json", "not JSON")),
            ('"opset": 13', '"opset": 13, "opset": 12', ("cases/cases.json", "a key twice")),
            ('"opset": 13', '"opset": NaN', ("cases/cases.json", "NaN")),
            ('"opset": 13', '"opset": true', ("zeros/plus_minus/float32", "opset")),
            ('[2]', "[-2]", ("zeros/plus_minus/float32",)),
            ('"axes": [1]', '"axes": 1', ("empty/row/float32", "axes")),
            ("plus_minus", "\\ud800", ("case 0", "'id' has")),
            ("onnx/zeros", "onnx/\\u0000", ("zeros/plus_minus/float32", "'onnx' has")),
            (text, "[" * 100_000, ("cases/cases.json", "deep")),
        ):  # fmt: skip
            self.write_cases(text.replace(old, new, 1))
            self.fails(self.start(), 3, *parts)

    def test_a_case_of_the_list_with_outputs_is_one_whatever_else_it_states(self) -> None:
        for verdict in (None, {"valid": False, "fails": "run", "code": "no", "rule": "E1"}):
            self.write_cases({"cases": [{**CASES["cases"][0], "verdict": verdict}, *CASES["cases"][1:]]})
            self.assertEqual(self.verdict(bits="000000017fc00000"), "w")

    def test_cases_are_chosen_by_pattern(self) -> None:
        lines = [{**RIGHT[1], "case": 0}, {**RIGHT[2], "case": 1}]
        self.shell("fake", 'grep -o \'"id":"[^"]*"\' "$1"/cases.json >seen\ncat "$1"/onnx/zeros/model.onnx >model\n' + self.lines(lines))
        report = self.json("--case", "*/bool", "--case", "empty/row/float32")
        self.assertEqual((report["valid"], report["invalid"], report["runners"][0]["verdicts"]), (2, 0, "pp"))
        self.assertEqual(self.text("seen"), '"id":"empty/row/float32"\n"id":"one/of_two/bool"\n')
        self.assertEqual(self.text("model"), "the model of onnx/zeros")

    def test_the_conformance_cases_are_there_if_none_are_named(self) -> None:
        listing = 'find "$1" -type f | sed "s|^$1/||" | sort >files\n'
        answers = """grep -o '"id":"[^"]*"' "$1"/cases.json | awk -F'"' '{ printf "{\\"case\\": %d, \\"id\\": \\"%s\\", \\"unsupported\\": \\"-\\"}\\n", NR - 1, $4 }'\n"""
        for name, with_models in (("fake", True), ("numpy", False)):
            self.shell(name, listing + f"say '{json.dumps(HEAD)}'\n" + answers)
            chosen = ("--case", "max_signed_zeros/of_2*/float16", "--case", "invalid_mixed_types/*")
            done = self.start("--runners", "runners", "--runner", name, *chosen, "--json", "-", plain=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assertGreaterEqual(report["valid"], 2)
            self.assertGreaterEqual(report["invalid"], 10)
            self.assertEqual(report["runners"][0]["counts"]["unsupported"], report["valid"])
            self.assertEqual(report["runners"][0]["stray_lines"], 0)
            case_id, listed = report["cases"][0]["id"], self.text("files").split("\n")
            self.assertIn("cases.json", listed)
            # The models of the chosen cases are there, and no models for a runner that reads none.
            for path in (f"onnx/{case_id}/model.onnx", f"onnx/{case_id}/test_data_set_0/output_0.pb", f"onednn/{case_id}.json"):
                self.assertEqual(path in listed, with_models, path)
            self.assertEqual(any(path.startswith("invalid/invalid_mixed_types/") for path in listed), with_models)
            self.assertFalse(any("zero/float32" in path or "invalid_axis" in path for path in listed))

    def test_a_runner_given_by_its_path_runs_alone_or_beside_others(self) -> None:
        (self.folder / "own folder").mkdir()
        self.runner("installed", RIGHT)
        mine = self.folder / "own folder" / "mine.sh"  # in a folder of runners, a name with a dot is none
        self.runner("mine.sh", but(0, **WRONG_ZERO)).rename(mine)
        (self.folder / "-mine").write_bytes(mine.read_bytes())
        (self.folder / "-mine").chmod(0o755)
        for options, names in (
            ([], ["installed"]), (["--runner", "own folder/mine.sh"], ["mine.sh"]),
            (["--runner", "./own folder/mine.sh", "--runner", "installed"], ["installed", "mine.sh"]),
            (["--add-runner", "own folder/mine.sh"], ["installed", "mine.sh"]), (["--add-runner=-mine"], ["installed", "-mine"]),
        ):  # fmt: skip
            report = self.json(*options, "--markdown", "m.md")
            self.assertEqual([one["name"] for one in report["runners"]], names)
            for deviation in report["deviations"]:
                again = deviation["smallest"]["reproduce"]
                done = self.again(again)
                self.assertEqual(done.returncode, 0, again + done.stderr)
                self.assertIn("wrong sign of zero, violates ORD-2", done.stdout)
                self.assertIn(f"`{again.partition(' --case ')[0]} --case ID` shows a case in full", self.text("m.md"))
        done = self.start("--cases", "cases", "--runners", "nowhere", "--runner", "./own folder/mine.sh", plain=True)
        self.assertEqual(done.returncode, 0, "without a name, the folder of the installed ones is not needed")


class UntrustedRunners(Audit):
    def test_lines_that_are_no_answers_are_counted_and_the_others_stand(self) -> None:
        noise = ["hello", "[1]", "{}", "", '{"case": 0, "id": "other", "failed": "x"}', '{"case": -1, "id": "one/of_two/bool", "failed": "x"}',
                 '{"case": 99, "id": "one/of_two/bool", "failed": "x"}', '{"case": 0, "id": "zeros/plus_minus/float32"}',
                 '{"case": 0, "id": "zeros/plus_minus/float32", "failed": "x", "unsupported": "x"}',
                 '{"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "000000007fc00000", "unsupported": "x"}',
                 '{"case": 0.0, "id": "zeros/plus_minus/float32", "failed": "x"}',
                 '{"case": true, "id": "zeros/plus_minus/float32", "failed": "x"}', '{"invalid": 0, "id": "e1/shapes", "failed": "x"}',
                 '{"case": 0, "case": 0, "id": "zeros/plus_minus/float32", "failed": "x"}']  # fmt: skip
        said = "".join(f"say '{line}'\n" for line in noise)
        found = self.verdicts(f"say '{json.dumps(HEAD)}'\n{said}printf '\\377\\n'\n{self.lines(RIGHT)}")
        self.assertEqual(found["verdicts"], "pppp-")
        self.assertEqual(found["stray_lines"], len(noise) + 2)  # and the second head
        self.assertIn("not JSON", found["first_stray"])

    def test_an_answer_that_is_left_out_or_given_twice_is_seen(self) -> None:
        said = "".join(f"say '{json.dumps(line)}'\n" for line in (HEAD, RIGHT[1], RIGHT[0], RIGHT[1], RIGHT[2]))
        found = self.verdicts(said)
        self.assertEqual((found["verdicts"], found["counts"]["unanswered"], found["stray_lines"]), ("npp--", 1, 2))

    def test_a_crash_fails_its_case_and_the_runner_is_started_behind_it(self) -> None:
        r = [f"say '{json.dumps(line)}'\n" for line in [HEAD, *RIGHT]]
        self.shell("fake", f"{r[0]}at 0 {r[1]}at 1 kill -SEGV $$\nat 2 {r[3]}at 3 {r[4]}")
        report = self.json()
        self.assertEqual((report["runners"][0]["verdicts"], report["runners"][0]["restarts"]), ("pcpp-", 1))
        self.assertIn("crashed: signal 11", report["deviations"][0]["smallest"]["came_out"]["text"])
        self.shell("fake", f"{r[0]}at 0 {r[1]}at 1 sh -c 'echo first >&2; echo no memory >&2'\nat 1 exit 3\nat 2 {r[3]}")
        report = self.json()
        self.assertEqual(report["runners"][0]["verdicts"], "pcp--")
        self.assertEqual(report["deviations"][0]["smallest"]["came_out"]["text"], "ended with exit status 3 and no answer: no memory")
        self.assertEqual(self.verdicts(f"{r[0]}at 0 {r[1]}")["verdicts"], "pcc--", "an end before the last case is no end")

    def test_a_runner_that_cannot_be_started_again_keeps_its_failures(self) -> None:
        begun = self.lines([{**RIGHT[0], **WRONG_ZERO}]) + "exit 3\n"
        for again in ("echo usage", "exit 77", 'echo >"$0"; exit 3'):
            for head in (HEAD, dict.fromkeys(HEAD, "")):
                found = self.verdicts(f'if [ "$from" != 0 ]; then\n{again}\nexit 2\nfi\n{begun.replace(json.dumps(HEAD), json.dumps(head))}')
                self.assertEqual((found["status"], found["verdicts"]), ("ran", "zccc-"), again)
        found = self.verdicts(f'rm "$0"\n{begun}')
        self.assertEqual((found["status"], found["verdicts"]), ("ran", "zccc-"))

    def test_limits_of_time_end_a_runner_with_all_that_it_started(self) -> None:
        r = [f"say '{json.dumps(line)}'\n" for line in [HEAD, *RIGHT]]
        # Longer than the limit of this test: waiting for any of them is a failure.
        found = self.verdicts(f"{r[0]}at 0 {r[1]}at 1 sleep 100000 &\nat 1 sleep 100000\nat 2 {r[3]}", "--case-limit", "5")
        self.assertEqual(found["verdicts"], "pcp--")
        found = self.verdicts("sleep 100000 &\n" + self.lines(RIGHT), "--case-limit", "10")
        self.assertEqual((found["verdicts"], found["time_s"] < 10), ("pppp-", True), "what it leaves behind holds nothing up")
        found = self.verdicts(f"{r[0]}at 0 {r[1]}while :; do {r[1]} sleep 0.1; done\n", "--runner-limit", "5")
        self.assertEqual(found["verdicts"], "pnnn-")

    def test_a_process_that_left_the_group_of_its_runner_holds_nothing_up(self) -> None:
        # The runner reads no models, and ends before the limit: none of them failed.
        found = self.verdicts("setsid sleep 60 &\n" + self.lines(RIGHT[:3]), "--case-limit", "10")
        self.assertEqual((found["verdicts"], found["restarts"], found["time_s"] < 10), ("ppp--", 0, True))

    def test_output_without_end_is_cut_short(self) -> None:
        r = [f"say '{json.dumps(line)}'\n" for line in [HEAD, *RIGHT]]
        self.assertEqual(self.verdicts(f"{r[0]}at 0 cat /dev/zero\nat 1 {r[2]}at 2 {r[3]}")["verdicts"], "cpp--")
        found = self.verdicts(f"{r[0]}yes\n")
        self.assertEqual(found["verdicts"], "nnnn-")
        self.assertGreater(found["stray_lines"], 1000)
        self.assertEqual(self.verdicts("head -c 3000000 /dev/zero >&2\n" + self.lines(RIGHT))["verdicts"], "pppp-")

    def test_huge_shapes_and_numbers_are_no_trouble(self) -> None:
        for text, letter in (
            ('"shape": [9223372036854775807, 9223372036854775807], "bits": ""', "s"), ('"shape": [2, -1], "bits": ""', "n"),
            ('"shape": [1e400], "bits": ""', "n"), ('"shape": [2], "bits": "zz"', "n"), ('"shape": [true, 1], "bits": ""', "n"),
            ('"shape": ' + "[" * 50_000, "n"), ('"shape": [' + "9" * 5000 + '], "bits": ""', "n"),
        ):  # fmt: skip
            said = f'say \'{{"case": 0, "id": "zeros/plus_minus/float32", {text}}}\'\n'
            rest = "".join(f"say '{json.dumps(line)}'\n" for line in RIGHT[1:])
            self.assertEqual(self.verdicts(f"say '{json.dumps(HEAD)}'\n{said}{rest}")["verdicts"][0], letter, text[:60])

    def test_a_shape_of_many_extents_is_short_in_reports_and_costs_no_time(self) -> None:
        for extent, bits in (("1", "3f800000"), ("9" * 18, "")):
            (self.folder / "long").write_text(f'{{"case": 0, "id": "zeros/plus_minus/float32", "shape": [{",".join([extent] * 300_000)}], "bits": "{bits}"}}\n')
            self.shell("fake", f"say '{json.dumps(HEAD)}'\nat 0 cat long\n")
            done = self.start("--case", "zeros/*", "--markdown", "m.md", "--issues", f"issues{extent}", timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("wrong shape", done.stdout)
            for text in (done.stdout, self.text("m.md")):
                self.assertLess(len(text), 20_000)

    def test_a_runner_without_its_runtime_or_without_a_first_line(self) -> None:
        self.runner("fake", RIGHT)
        self.shell("absent", "echo 'absent: there is no such module' >&2\nexit 77\n")
        absent, ran = self.json()["runners"]
        self.assertEqual((absent["status"], absent["reason"], ran["status"]), ("not installed", "absent: there is no such module", "ran"))
        self.assertEqual(self.start().returncode, 0)
        self.fails(self.start("--runner", "absent"), 1, "no runtime was audited")
        self.assertEqual(self.verdicts(f"say '{json.dumps(RIGHT[0])}'\n", "--runner", "fake")["status"], "broken")
        self.assertEqual(self.verdicts("exit 5\n", "--runner", "fake")["reason"], "ended with exit status 5 and no answer")
        self.assertEqual(self.verdicts("sleep 600\n", "--case-limit", "0", "--runner", "fake")["status"], "broken")
        self.runner("fake", but(3, refused="x", accepted=True))
        self.assertEqual(self.json("--runner", "fake")["runners"][0]["verdicts"], "ppp--", "an answer and its opposite are none")
        (self.folder / "runners" / "fake").write_text("#!/no/such/interpreter\n")
        self.assertEqual(self.json("--runner", "fake")["runners"][0]["status"], "broken")
        (self.folder / "runners" / "fake").rename(self.folder / "runners" / "supremum-cpp")
        self.assertEqual(self.json("--runner", "supremum-cpp")["runners"][0]["status"], "broken", "it has targets, which it does not say")

    def test_an_interruption_leaves_nothing_behind(self) -> None:
        self.shell("fake", f"say '{json.dumps(HEAD)}'\necho $$ >pid\nsleep 600\n")
        (self.folder / "tmp").mkdir()
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "kit"), "TMPDIR": str(self.folder / "tmp")}
        command = [sys.executable, "-m", "supremum.kit", "--cases", "cases", "--runners", "runners", "--report", "out", "--case", "*"]

        def interrupted(*numbers: int) -> int:
            with subprocess.Popen(command, cwd=self.folder, env=environment) as started:
                deadline = time.monotonic() + 60
                while not (self.folder / "pid").exists() and time.monotonic() < deadline:
                    time.sleep(0.05)
                for number in numbers:
                    time.sleep(0.05)
                    started.send_signal(number)
                status = started.wait(60)
            self.assertEqual(list((self.folder / "tmp").iterdir()), [])
            self.assertFalse((self.folder / "out").exists())
            with self.assertRaises(ProcessLookupError):
                os.kill(int(self.text("pid")), 0)
            (self.folder / "pid").unlink()
            return status

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.assertEqual(interrupted(number), -number)
        # A second signal does not end the removal of what the first one has interrupted.
        self.shell("fake", f"say '{json.dumps(HEAD)}'\nmkdir \"$1/x\"\n(cd \"$1/x\"; seq 20000 | xargs touch)\necho $$ >pid\nsleep 600\n")
        self.assertEqual(interrupted(signal.SIGINT, signal.SIGTERM, signal.SIGINT), -signal.SIGINT)
        self.shell("fake", "exit 77\n")
        done = self.again("trap '' CHLD; exec supremum-audit --cases cases --runners runners")
        self.assertIn("fake: not installed", done.stdout)


class Gate(Audit):
    def setUp(self) -> None:
        super().setUp()
        self.runner("fake", [{**RIGHT[0], **WRONG_ZERO}, RIGHT[1], {**RIGHT[2], "bits": "00"}, *RIGHT[3:]])

    def test_failures_of_the_named_rules_are_errors(self) -> None:
        self.assertEqual(self.start().returncode, 0, "deviations of other runtimes are findings")
        for rules, status in (("ORD-2", 1), ("RED-1", 1), ("all", 1), ("RED-6,ORD-2", 1), ("ORD-3", 0), ("RED-6,ORD-4", 0)):
            self.assertEqual(self.start("--fail-on", rules).returncode, status, rules)
        said = self.start("--fail-on", "ORD-2").stdout
        self.assertIn("fake: zeros/plus_minus/float32: wrong sign of zero (ORD-2)\n1 failed case that must not occur\n", said)
        self.fails(self.start("--fail-on", "ORD-2,ORD-99"), 2, "--fail-on: 'ORD-99' is no rule")
        self.fails(self.start("--fail-on", ""), 2, "--fail-on: '' is no rule")

    def test_all_rules_are_also_those_that_only_the_cases_have(self) -> None:
        self.write_cases({"cases": [{**CASES["cases"][0], "rules": ["OWN-1"]}, *CASES["cases"][1:]]})
        self.runner("fake", RIGHT)
        self.assertEqual(self.start("--fail-on", "all", "--json", "base.json").returncode, 0)
        self.runner("fake", but(0, failed="no"))
        for options in (("--fail-on", "all"), ("--fail-on", "ORD-3,all"), ("--baseline", "base.json")):
            done = self.start(*options)
            self.assertEqual((done.returncode, "error (OWN-1)" in done.stdout), (1, True), done.stdout)

    def test_what_the_baseline_has_is_accepted(self) -> None:
        self.assertEqual(self.start("--json", "base.json").returncode, 0)
        self.assertEqual(self.start("--baseline", "base.json").returncode, 0)
        # Another verdict on the same case is new, and so is another case.
        self.runner("fake", [{**RIGHT[0], "bits": "800000007fc00001"}, but(1, failed="empty")[1], {**RIGHT[2], "bits": "00"}, *RIGHT[3:]])
        worse = self.start("--baseline", "base.json")
        self.assertEqual(worse.returncode, 1)
        for part in ("zeros/plus_minus/float32: wrong sign of zero and wrong bits of NaN", "empty/row/float32: error", "2 failed cases"):
            self.assertIn(part, worse.stdout)
        self.assertEqual(self.start("--baseline", "base.json", "--fail-on", "ORD-3").returncode, 0)

    def test_a_baseline_that_is_none_is_an_error(self) -> None:
        for text in ("", "{}", "[]", '{"cases": [], "runners": {}}', '{"cases": [{}], "runners": []}', '{"cases": [], "runners": [{}]}',
                     '{"cases": [], "runners": [{"name": "a", "verdicts": "p"}]}', '{"cases": [3], "runners": [4]}'):  # fmt: skip
            (self.folder / "base.json").write_text(text)
            self.fails(self.start("--baseline", "base.json"), 3, "base.json")
        self.fails(self.start("--baseline", "none.json"), 4, "none.json")

    def test_failed_only_lists_runners_that_failed_and_each_deviation(self) -> None:
        self.runner("right", RIGHT)
        said = self.start("--failed-only").stdout
        self.assertNotIn("right ", said)
        for part in ("ORD-2", "wrong sign of zero", "one/of_two/bool"):
            self.assertIn(part, said)
        self.assertRegex(self.start().stdout, r"of SONNX[^\0]*\nright ")


class Reports(Audit):
    def test_a_report_is_a_page_and_its_data(self) -> None:
        self.runner("fake", but(0, failed="no"))
        for _ in range(2):
            self.assertEqual(self.start("--report", "a/b").returncode, 0)
            report, page = json.loads(self.text("a/b/report.json")), self.text("a/b/index.html")
            self.assertEqual({path.name for path in (self.folder / "a/b").iterdir()}, {"index.html", "report.json"})
        for part in ("http://", "https://", "/*REPORT*/", "/*STYLE*/", "/*SCRIPT*/"):
            self.assertNotIn(part, page)
        [data] = re.findall(r'<script type="application/json" id="report">(.*?)</script>', page, re.S)
        self.assertEqual(json.loads(data), report)

    def test_hostile_texts_are_text_in_every_report(self) -> None:
        for text in HOSTILE:
            lines = [*but(0, failed=text)[:1], but(1, unsupported=text)[1], {**RIGHT[2], "shape": [2], "bits": "0101"}, but(3, refused=text)[3], RIGHT[4]]
            self.runner("fake", lines, dict.fromkeys(HEAD, text))
            done = self.start("--report", "r", "--markdown", "m.md", "--json", "j.json", "--case", "*")
            self.assertEqual(done.returncode, 0, done.stderr)
            for shown in (done.stdout, self.text("m.md")):
                self.assertTrue(all(line.isprintable() for line in shown.split("\n")), shown)
            bars = 0
            for line in self.text("m.md").split("\n"):
                here = len(re.findall(r"\\.|(\|)", line)) - len(re.findall(r"\\.", line))
                self.assertLess(len(line), 20_000)
                if line.startswith("|") and bars:
                    self.assertEqual(here, bars, line)
                bars = here if line.startswith("|") else 0
                outside = re.sub("`[^`]*`|<br>", "", line)
                for part in ("<", "`", "](j", "http:", "www.", "{{", "[a]"):
                    self.assertNotIn(part, outside)
            self.assertNotIn("\n## heading", self.text("m.md"))
            for part in ("<img src", "<script>alert", "</script><script>alert"):
                self.assertNotIn(part, self.text("r/index.html"))
            report = json.loads(self.text("j.json"))
            self.assertEqual(json.loads(self.text("r/report.json")), report)
            self.assertEqual(report["runners"][0]["version"], text if len(text) <= 500 else text[:500] + "...")
        self.assertFalse((self.folder / "ran").exists())

    def test_names_of_runners_are_text_too(self) -> None:
        for text in ("<script>alert(1)<", "a\n## heading", "a|b", "\x1b[2J", "it's `me`", "$(touch ran)", "\udcff", "\u202e"):
            runner = self.runner("fake", but(0, **WRONG_ZERO))
            named = runner.rename(runner.with_name(text))
            done = self.start("--add-runner", f"runners/{text}", "--runners", "cases", "--markdown", "m.md", "--report", "r")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(all(line.isprintable() for line in (done.stdout + self.text("m.md")).split("\n")))
            self.assertNotIn("<script>alert", re.sub("`[^`]*`", "", self.text("m.md")) + self.text("r/index.html"))
            again = json.loads(self.text("r/report.json"))["deviations"][0]["smallest"]["reproduce"]
            self.assertTrue(again.isprintable())
            done = self.again(again)
            self.assertIn("violates ORD-2", done.stdout, again + done.stderr)
            named.unlink()
        self.assertFalse((self.folder / "ran").exists())

    def test_markdown_has_the_deviations(self) -> None:
        self.runner("fake", [{**RIGHT[0], **WRONG_ZERO}, but(1, failed="a | b ` <c>")[1], *RIGHT[2:]])
        self.assertEqual(self.start("--markdown", "found.md").returncode, 0)
        for part in ("| fake | Fake | 1.0 | sh | 2 | 2 | 0 | 0 |\n", "| ORD-2 | Max | wrong sign of zero | 1 | float32 1 | `zeros/plus_minus/float32` | ",
                     "| a &#124; b &#96; &#60;c&#62; |", "| RED-6 | **1** of 1 |\n", "| RED-1 | 1 |\n"):  # fmt: skip
            self.assertIn(part, self.text("found.md"))

    def test_an_output_replaces_no_input_and_no_other_output(self) -> None:
        self.runner("fake", RIGHT)
        self.assertEqual(self.start("--json", "base.json").returncode, 0)
        os.symlink("base.json", self.folder / "link")
        before = self.everything()
        for options in (
            ["--json", "cases/cases.json"], ["--markdown", "cases/../cases/invalid.json"], ["--baseline", "base.json", "--json", "link"],
            ["--runners", "cases", "--add-runner", "runners/fake", "--json", "runners/fake"], ["--markdown", "m", "--json", "./m"],
            ["--json", "runners/fake"], ["--report", "page", "--json", "page/report.json"], ["--issues", "new", "--json", "new/r.json"], ["--issues", "new", "--report", "new"],
        ):  # fmt: skip
            self.fails(self.start(*options), 2, "name another")
            self.assertEqual(self.everything(), before, options)
        self.fails(self.start("--json", "cases"), 4, "'cases' cannot be written: it is a folder")
        for options in (["--json", "-", "--report", "new/page"], ["--markdown", "m.md"]):
            with open("/dev/full", "w") as full:
                done = self.start(*options, stdout=full)
            self.assertEqual((done.returncode, "cannot write to standard output: No space left" in done.stderr), (4, True), done.stderr)
            self.assertEqual(self.everything(), before)
            self.assertFalse((self.folder / "new").exists())
        self.fails(self.start("--markdown", "m.md", preexec_fn=lambda: os.close(1)), 4, "cannot write to standard output")
        self.assertEqual(self.everything(), before)
        self.assertEqual(self.start(preexec_fn=lambda: os.close(2)).returncode, 0)
        self.assertEqual(self.start("--markdown", "/dev/null", "--json", "/dev/null").returncode, 0)
        self.assertIn('"verb": "audit"', self.start("--json", "/dev/stdout").stdout)  # a pipe

    def test_a_text_that_standard_output_cannot_have_is_escaped(self) -> None:
        self.runner("fake", RIGHT, {**HEAD, "version": "\u00e9"})
        done = self.start("--markdown", "m.md", environment={"PYTHONIOENCODING": "ascii"})
        self.assertEqual((done.returncode, "Fake \\xe9 (sh)" in done.stdout), (0, True), done.stderr)
        self.assertIn("\u00e9", self.text("m.md"))

    def test_a_full_disk_is_an_error_of_the_system(self) -> None:
        self.runner("fake", RIGHT)
        limit = resource.RLIMIT_FSIZE, (1000, 1000)
        done = self.start("--runners", "runners", "--report", "new", plain=True, preexec_fn=lambda: resource.setrlimit(*limit))
        self.fails(done, 4, "File too large")
        self.assertFalse((self.folder / "new").exists())


class NewRunner(Audit):
    def test_it_is_the_runner_of_numpy_and_executable(self) -> None:
        source = (ROOT / "kit" / "runners" / "numpy").read_text(encoding="utf-8")
        (self.folder / "it's here").mkdir()
        done = self.start("--new-runner", "it's here/mine", "--json", "r.json", plain=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.text("it's here/mine"), source)
        for mark in ("\n# RUNTIME: ", "\n# PROTOCOL: "):
            self.assertIn(mark, source)
        self.assertTrue(os.access(self.folder / "it's here" / "mine", os.X_OK))
        self.assertEqual(json.loads(self.text("r.json"))["new_runner"], "it's here/mine")
        self.assertIn("\n  supremum-audit --add-runner './it'\"'\"'s here/mine' --report audit\n", done.stdout.replace("'it'", "'./it'"))
        found = self.json("--runner", "./it's here/mine")["runners"][0]
        if found["status"] != "not installed":
            self.assertEqual((found["name"], found["runtime"], found["verdicts"][1:], found["stray_lines"], found["restarts"]), ("mine", "NumPy", "ep--", 0, 0))

    def test_it_says_what_is_wrong_by_its_status(self) -> None:
        self.assertEqual(self.start("--new-runner", "mine", plain=True).returncode, 0)

        def run(*arguments: str) -> subprocess.CompletedProcess[str]:
            environment = {**os.environ, "PYTHONPATH": str(self.folder)}
            return subprocess.run([sys.executable, "mine", *arguments], cwd=self.folder, capture_output=True, text=True, env=environment, check=False)

        (self.folder / "numpy.py").write_text("raise ImportError('hidden by a test')\n")
        missing = run("cases")
        self.assertEqual((missing.returncode, missing.stdout, missing.stderr), (77, "", "mine: not installed: hidden by a test\n"))
        (self.folder / "numpy.py").write_text("__version__ = '1'\ndef errstate(**_): return lambda run: run\n")
        for arguments in ((), ("nowhere",), ("cases", "--from", "x")):
            wrong = run(*arguments)
            self.assertEqual((wrong.returncode, wrong.stdout), (2, ""), wrong.stderr)
        failed = run("cases", "--from", "1")  # whatever the runtime raises fails the case, and nothing else
        self.assertEqual((failed.returncode, failed.stdout.count("\n")), (0, 3), failed.stderr)
        self.assertIn('{"case": 1, "id": "empty/row/float32", "failed": "AttributeError: ', failed.stdout)

    def test_it_runs_nothing_and_replaces_nothing(self) -> None:
        self.shell("fake", "touch ran\n" + self.lines(RIGHT))
        for option in (["--report", "page"], ["--issues", "issues"], ["--runner", "fake"], ["--add-runner", "runners/fake"], ["--case", "*"], ["--markdown", "m.md"],
                       ["--fail-on", "all"], ["--baseline", "b.json"], ["--failed-only"], ["--cases", "cases"], ["--runners", "runners"]):  # fmt: skip
            self.fails(self.start("--new-runner", "mine", *option, plain=True), 2, "--new-runner")
        (self.folder / "y").write_text("mine")
        os.symlink("y", self.folder / "link")
        os.symlink("nix", self.folder / "dangling")
        before = self.everything()
        for name in ("y", "./y", "link", "dangling"):
            self.fails(self.start("--new-runner", name, "--json", "r.json", plain=True), 4, str(Path(name)), "cannot be created")
        self.fails(self.start("--new-runner", "cases", plain=True), 4, "'cases' cannot be written: it is a folder")
        self.fails(self.start("--new-runner", "nodir/mine", plain=True), 4, "'nodir/mine' cannot be created")
        self.fails(self.start("--new-runner", "new", "--json", "./new", plain=True), 2, "is also --new-runner new")
        self.assertEqual(self.everything(), before)


class Issues(Audit):
    def issues(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.start("--issues", "issues", *arguments)

    def program(self, head: tuple[str, str, str], lines: list[dict[str, Any]]) -> str:
        """The program for a deviation of a runner with this head, or ""."""
        subprocess.run(["rm", "-rf", "issues"], cwd=self.folder, check=True)
        self.runner("one", lines, dict(zip(HEAD, head)))
        done = self.issues("--runner", "one")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = [path for path in (self.folder / "issues/one").iterdir() if path.suffix not in (".md", ".onnx")]
        return found[0].read_text(encoding="utf-8") if found else ""

    def contains(self, text: str, *parts: str) -> None:
        for part in parts:
            self.assertIn(part, text)

    def test_a_page_a_program_and_the_model_are_written_for_a_deviation(self) -> None:
        self.runner("numpy", but(0, **WRONG_ZERO), NUMPY)
        done = self.issues("--report", "page", "--markdown", "m.md")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 issue, 1 with a program, in issues\n", done.stdout)
        name = "numpy/01-ord-2-max-wrong-sign-of-zero"
        self.assertEqual(self.text(f"issues/{name}.onnx"), "the model of onnx/zeros")
        program, page = self.text(f"issues/{name}.py"), self.text(f"issues/{name}.md")
        self.assertTrue(program.startswith("#!/usr/bin/env python3\n"))
        self.contains(
            program, "\n# NumPy 1.2.3, case zeros/plus_minus/float32.\n# Zeros have a sign.\n", 'y = np.asarray(np.maximum(x0, x1), "float32")',
            '"float32").reshape((2,)).copy()  # -0, nan\n', 'expected = (2,), bytes.fromhex("', "# 0, nan\n",
        )  # fmt: skip
        self.assertTrue(page.startswith("# Max: wrong sign of zero (ORD-2)\n"))
        self.contains(
            page, "| violates | **the SONNX profile, not ONNX** |\n| runtime | NumPy 1.2.3 |\n", "| machine | Linux ",
            "| cases that deviate in the same way | 1: float32 1 |", "| operator | Max, opset 13 |\n| attributes | none |\n| type | float32 |\n",
            "| input 1 | [2] -0 (0x80000000), nan (0x7fc00000) |",
            "| expected | [2] 0 (0x00000000), nan (0x7fc00000) |\n| result | [2] -0 (0x80000000), nan (0x7fc00000) |\n", "\nORD-2: On floats, -inf ",
            f"\n```python\n{program}```\n", "\n$ python3 01-ord-2-max-wrong-sign-of-zero.py\n", "numpy/numpy#26746",
            "`supremum-audit --cases cases --runners runners --runner numpy --case zeros/plus_minus/float32`\n",
        )  # fmt: skip
        row = f"| NumPy | 1.2.3 | the SONNX profile, not ONNX | Max: wrong sign of zero (ORD-2) | 1 | [.md]({name}.md) [.py]({name}.py) [.onnx]({name}.onnx) |\n"
        self.contains(self.text("issues/README.md"), row, "\n## To run a program\n")
        for made in ("page/index.html", "page/report.json", "m.md"):
            self.assertTrue((self.folder / made).exists())

    def test_a_label_says_what_is_violated(self) -> None:
        self.runner("numpy", [{**RIGHT[0], "bits": "800000007fc00001"}, but(1, failed="ValueError: zero-size")[1], {**RIGHT[2], "bits": "00"}, *RIGHT[3:]], NUMPY)
        self.assertEqual(self.issues().returncode, 0)
        both = "max-wrong-sign-of-zero-and-wrong-bits-of-nan.md"
        self.contains(self.text(f"issues/numpy/01-ord-2-{both}"), "| violates | **the SONNX profile, not ONNX** |")
        self.contains(self.text(f"issues/numpy/02-ord-4-{both}"), "| violates | **only supremum's own rule** |")
        self.contains(self.text("issues/numpy/03-red-1-reducemax-wrong-value.md"), "| violates | **ONNX (or oneDNN)** |")
        self.assertFalse((self.folder / "issues/numpy/03-red-1-reducemax-wrong-value.onnx").exists(), "the case has no model")
        error = "issues/numpy/04-red-6-reducemax-error"
        self.contains(self.text(f"{error}.md"), "| attributes | `axes=[1] keepdims=0` |", "| result | `ValueError: zero-size` |", "| expected | [1] -inf (0xff800000) |")
        self.contains(self.text(f"{error}.py"), "np.max(x0, axis=(1,), keepdims=False)", 'bytes.fromhex(""), "float32").reshape((1, 0))')

    def test_only_other_runtimes_have_issues_and_an_unknown_one_has_no_program(self) -> None:
        self.runner("supremum-x", but(0, **WRONG_ZERO), NUMPY)
        self.assertEqual(self.issues().returncode, 1)
        self.assertIn("There is none: no other runtime failed a case.\n", self.text("issues/README.md"))
        subprocess.run(["rm", "-r", "issues"], cwd=self.folder, check=True)
        self.runner("a", but(0, **WRONG_ZERO), NUMPY)
        self.runner("b", but(0, **WRONG_ZERO))
        self.assertIn("2 issues, 1 with a program, in issues\n", self.issues().stdout)
        page = self.text("issues/b/01-ord-2-max-wrong-sign-of-zero.md")
        self.contains(page, "No program is written for this case")
        self.assertNotIn("```", page)
        self.assertTrue((self.folder / "issues/b/01-ord-2-max-wrong-sign-of-zero.onnx").exists())

    def test_each_runtime_is_called_in_its_own_language(self) -> None:
        zero, reduce = but(0, **WRONG_ZERO), but(2, failed="no")
        for head, lines, parts in (
            (("PyTorch", "2.0", "Python"), zero, ["y = functools.reduce(torch.maximum, [x0, x1]).contiguous()\n", "dtype=torch.float32).reshape((2,))  # -0, nan\n"]),
            (("ONNX Runtime", "1.0", "Node"), zero, ["require('onnxruntime-node')", 'new Float32Array(bytes("', "path.join(__dirname, '01-ord-2-max-wrong-sign-of-zero.onnx')"]),
            (("ONNX Runtime", "1.0", "Python"), zero, ["import onnxruntime as ort\n", "session.run_with_ort_values("]),
            (("onnx", "1.12", "Python, checker"), zero, ["onnx.checker.check_model(model, full_check=True)\n"]),
            (("onnx", "1.16", "Python, checker and reference evaluator"), zero, ["evaluator = ReferenceEvaluator(model)\n"]),
            (("Eigen", "3.4.0", "C++"), zero, ["New({0x80000000, 0x7fc00000});  // -0, nan\n", "  result = Map(x0, 1, 2).replicate(1, 1);\n  result = result.max(Map(x1, 1, 2));\n"]),
            (("oneDNN", "2.6.3", "C++"), zero, ["dnnl::binary::desc("]),
            (("oneDNN", "3.1", "C++"), zero, ["primitive(engine, dnnl::algorithm::binary_max, d0, d1, dy, attributes);"]),
            (("oneDNN", "unknown", "C++"), zero, None),
            (("XNNPACK", "0.0~git20220216.ae108ef-2", "C++"), zero, ["xnn_create_maximum_nd_f32(0, &op)"]),
            (("XNNPACK", "0.0~git20241108.4ea82e5-2", "C++"), zero, ["xnn_create_binary_elementwise_nd(xnn_binary_maximum, xnn_datatype_fp32,"]),
            (("NumPy", "1", "Fortran"), zero, None),
            (("PyTorch", "2.0", "Python"), reduce, ["torch.amax(x0, dim=(0,), keepdim=True)"]),
            (("Eigen", "3.4.0", "C++"), reduce, ["*y = Map(x0, 1, 2).maxCoeff();"]),
            (("oneDNN", "2.6.3", "C++"), reduce, None),
        ):  # fmt: skip
            program = self.program(head, lines)
            self.assertEqual(program == "", parts is None, head)
            self.contains(program, *(parts or []))
        self.assertNotIn("Evaluator", self.program(("onnx", "1.12", "Python, checker"), zero))
        for attributes, axes in (({"axes": []}, "None"), ({"noop_with_empty_axes": 1}, "()"), ({"axes": [-1]}, "(-1,)"), ({"axes": [7]}, "")):
            self.write_cases({"cases": [*CASES["cases"][:2], {**CASES["cases"][2], "attributes": attributes}]})
            program = self.program(("NumPy", "1", "Python"), reduce)
            self.assertEqual(f"np.max(x0, axis={axes}, keepdims=True)" in program, axes != "", program)

    def test_a_program_of_an_invalid_model_needs_no_other_file(self) -> None:
        node, accepted = ("ONNX Runtime", "1.0", "Node"), but(3, accepted=True)
        self.contains(self.program(node, accepted), "console.log('accepted');\n  process.exitCode = 1;\n", "console.log('refused:'")
        self.assertEqual(self.text("issues/one/01-e1-invalid-model-accepted.onnx"), "the model of invalid/e1")
        self.contains(self.text("issues/one/01-e1-invalid-model-accepted.md"), "# Model: invalid model accepted (E1)\n", "| expected | refused, not_broadcastable |\n| result | accepted |\n")
        first = {**INVALID["cases"][0], "inputs": ["invalid/e1/input_0.pb"]}
        self.write_cases(invalid={"cases": [first, INVALID["cases"][1]]})
        self.assertEqual(self.program(node, accepted), "", "it needs files of tensors")
        # Another case of the same deviation needs none.
        self.write_cases(invalid={"cases": [first, {**first, "id": "e1/second", "inputs": []}]})
        self.contains(self.program(node, [*accepted[:4], {"invalid": 1, "id": "e1/second", "accepted": True}]), "case e1/second.\n")

    def test_hostile_texts_stay_text(self) -> None:
        evil = "coding: rot13\u2028evil()\nevil()\r```\n# evil\x1b[31m|<b>`\\\\"
        case_id = "zeros/\nevil()\n```\n|<b>\\"
        self.write_cases({"cases": [{**CASES["cases"][0], "id": case_id, "reason": "coding: rot13\nevil() é\\"}, *CASES["cases"][1:]]})
        for runtime, interface, comment in (("NumPy", "Python", "# "), ("ONNX Runtime", "Node", "// "), ("Eigen", "C++", "// "), ("Fake", "sh", "")):
            subprocess.run(["rm", "-rf", "issues"], cwd=self.folder, check=True)
            self.runner("it is `me`|<b>", but(0, id=case_id, shape=[2], **WRONG_ZERO), {"runtime": runtime, "version": evil, "interface": interface})
            self.assertEqual(self.issues().returncode, 0)
            readme = self.text("issues/README.md")
            self.contains(readme, "(it%2520is%2520%2560me%2560%257C%253Cb%253E/01-")
            self.assertFalse("<b>" in readme or "\x1b" in readme)
            for path in (self.folder / "issues/it%20is%20%60me%60%7C%3Cb%3E").iterdir():
                text = path.read_text(encoding="utf-8")
                if path.suffix == ".onnx":
                    continue
                self.assertFalse(any(one in text for one in "\x1b\u2028\r"))
                inside = path.suffix != ".md"
                for number, line in enumerate(text.split("\n"), 1):
                    inside = line != "```" if line.startswith("```") else inside
                    if inside and "evil" in line:
                        self.assertTrue(line.startswith(comment) and not line.endswith("\\") and line.isascii(), line)
                        self.assertTrue(number > 2 or runtime != "NumPy", "Python reads encodings in the first two lines")
                    elif not inside:
                        self.assertFalse("<b>" in line or line.startswith(("evil", "# evil")), line)

    def test_a_folder_with_files_is_refused_before_anything_runs(self) -> None:
        self.shell("fake", "touch ran\n" + self.lines(RIGHT))
        (self.folder / "issues").mkdir()
        (self.folder / "issues/mine.txt").write_text("mine")
        (self.folder / "file").write_text("")
        self.fails(self.issues(), 2, "--issues issues: the folder has files; name another folder, or remove it")
        self.fails(self.start("--issues", "file"), 2, "--issues file", "not a folder")
        self.fails(self.start("--issues", "file/issues"), 4, "file")
        self.assertFalse((self.folder / "ran").exists())
        self.assertEqual(self.text("issues/mine.txt"), "mine")
        (self.folder / "issues/mine.txt").unlink()
        self.assertEqual(self.issues().returncode, 0, "an empty folder is filled")

    def test_after_an_error_only_issues_remain_and_no_model_from_elsewhere(self) -> None:
        self.runner("numpy", but(0, **WRONG_ZERO), NUMPY)
        (self.folder / "secret").mkdir()
        (self.folder / "secret/model.onnx").write_text("secret\n")
        os.symlink(self.folder / "secret", self.folder / "cases/onnx/link")
        for named, status, part in (("onnx/none", 4, "onnx/none/model.onnx"), ("../secret", 3, "'../secret/model.onnx' is not below the folder"), (str(self.folder / "secret"), 3, "not below the folder"), ("onnx/link", 3, "not below the folder")):
            self.write_cases({"cases": [{**CASES["cases"][0], "onnx": named}, *CASES["cases"][1:]]})
            before = self.everything()
            self.fails(self.issues("--markdown", "m.md", "--report", "page", "--json", "r.json"), status, part)
            self.assertNotIn("secret\n", [text for path, text in self.everything().items() if "/issues/" in path])
            subprocess.run(["rm", "-r", "issues"], cwd=self.folder, check=True)
            self.assertEqual(self.everything(), before)

    def test_the_kits_own_models_are_written_with_their_issues(self) -> None:
        case_id = "max_neighbours/minus_zero_zero/float32"
        self.runner("numpy", [{"case": 0, "id": case_id, "shape": [], "bits": "80000000"}], NUMPY)
        done = self.start("--runners", "runners", "--case", case_id, "--issues", "deep/issues", plain=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        model = (self.folder / "deep/issues/numpy/01-ord-2-max-wrong-sign-of-zero.onnx").read_bytes()
        self.assertTrue(model.startswith(b"\x08\x07\x12\x08supremum") and b"\x22\x03Max" in model)


class WithTheCommand(Audit):
    """Needs the built command, and its runners."""

    def setUp(self) -> None:
        super().setUp()
        if COMMAND is None:
            self.skipTest("no command was named")

    def test_nodes_that_extract_has_written_are_cases(self) -> None:
        subprocess.run([str(COMMAND), "gen", "--op", "ReduceMax", "--shape", "4,5", "--axes", "1", "--output", "made"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        subprocess.run([str(COMMAND), "extract", "made/model.onnx", "-o", "nodes"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        for options in ([], ["--case", "0000_*"]):
            for runner in ("supremum-cpp", "supremum-command"):
                done = self.start("--cases", "nodes", "--runners", str(RUNNERS), "--runner", runner, "--json", "-", *options, plain=True)
                if "no such runner" in done.stderr:
                    self.skipTest(done.stderr)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                report = json.loads(done.stdout)
                self.assertEqual((report["valid"], report["invalid"]), (1, 0))
                self.assertTrue(all(one["counts"]["passed"] == 1 for one in report["runners"]))


class Pages(Audit):
    def test_they_name_options_that_there_are(self) -> None:
        known = {words: set(re.findall("--[a-z-]+", self.start(*words, "--help", plain=True).stdout)) for words in ((), ("cases",))}
        for page in ("kit/README.md", "kit/runners/README.md", "docs/audit.md", "docs/tutorials/runtime-author.md"):
            for cases, options in re.findall(r"supremum-audit( cases)?( [^`\n]*)", (ROOT / page).read_text(encoding="utf-8")):
                stated = set(re.findall("(?<= )--[a-z-]+", options.partition("  #")[0]))
                self.assertLessEqual(stated, known[("cases",) if cases else ()], page)


class Installed(unittest.TestCase):
    def test_pip_installs_the_kit_without_a_compiler(self) -> None:
        """As a package of its own: the program, its cases, its page and its runners, and no module of C++."""
        with tempfile.TemporaryDirectory() as name:
            built = Path(name) / "supremum"
            command = [sys.executable, str(ROOT / "kit" / "setup.py"), "--quiet", "build", "--build-base", f"{name}/base", "--build-lib", name]
            done = subprocess.run(command, cwd=ROOT / "kit", capture_output=True, text=True, check=False)
            if "No module named 'setuptools'" in done.stderr:
                self.skipTest("setuptools is not installed")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(list(built.rglob("*.so")), [])
            environment = {"PATH": os.environ["PATH"], "PYTHONPATH": name}

            def run(*arguments: str) -> subprocess.CompletedProcess[str]:
                return subprocess.run([sys.executable, "-m", "supremum.kit", *arguments], cwd=name, env=environment, capture_output=True, text=True, check=False)

            audited = run("--runner", "numpy", "--case", "max_signed_zeros/*", "--report", "audit")
            self.assertLess(audited.returncode, 2, audited.stderr)
            self.assertIn("numpy", audited.stdout)
            self.assertTrue((Path(name) / "audit" / "index.html").exists() or "not installed" in audited.stdout)
            self.assertEqual(run("--new-runner", "mine").returncode, 0)
            self.assertIn("supremum-audit = supremum.kit.__main__:main", (ROOT / "kit" / "setup.py").read_text() + (ROOT / "kit" / "pyproject.toml").read_text().replace('"', ""))


if __name__ == "__main__":
    if len(sys.argv) > 2 and not sys.argv[1].startswith("-"):
        COMMAND, RUNNERS = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
        del sys.argv[1:3]
    unittest.main()
