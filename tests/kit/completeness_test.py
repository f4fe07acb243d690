#!/usr/bin/env python3
"""The completeness table and the check of the case files notice what is missing, and what is wrong."""

from __future__ import annotations

import json
import sys
import tempfile
import unittest
from math import prod
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "kit" / "cases"))
import bounds_oracle
import case_file
import classes
import completeness
import further_large
import oracle
import values
import write_cases


class Completeness(unittest.TestCase):
    """Holes are found."""

    valid: list[dict[str, object]]
    refused: list[dict[str, object]]
    further: list[dict[str, object]]
    rules: list[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.valid, cls.refused, cls.further = completeness.cases()
        cls.rules = completeness.RULE_ROW.findall((completeness.ROOT / "docs" / "semantics.md").read_text(encoding="utf-8"))

    def holes(self, keep: object) -> list[str]:
        """The holes that are left without the cases that `keep` refuses."""
        kept = ([case for case in cases if keep(case)] for cases in (self.valid, self.refused, self.further))  # type: ignore[operator]
        return completeness.holes(self.rules, *map(completeness.Index, kept))

    def test_nothing_is_missing(self) -> None:
        self.assertEqual(self.holes(lambda case: True), [])

    def test_each_group_that_no_other_makes_superfluous_is_missed(self) -> None:
        for rule, groups in {
            "BRO-3": "max_broadcast_empty",
            "RED-3": "reduce_bool",
            "RED-5": "reduce_no_axes",
            "ORD-3": "max_nan_broadcast",
            "PRO-1": "invalid_sparse sparse_more",
            "RED-4": "onednn_axes_given onednn_keep_dims_default",
            "MAX-3": "run_not_identical",
            "MEM-1": "memory_max_strides memory_output_twice",
            "MEM-2": "memory_in_place memory_overlap",
            "TYP-5": "onednn_type_more",
            "PRO-3": "profile_type_more",
            "PRO-4": "profile_attribute_more",
            "ORD-7": "ordered_max ordered_equal_numbers",
            "ACC-4": "bounds_rounding bounds_not_finite",
            "ACC-1": "bounds_exact",
            "ACC-2": "bounds_negative",
            "ORD-5": "large_max_equal",
            "BRO-5": "large_max_two_sided",
            "RED-1": "large_reduce_middle",
        }.items():
            for group in groups.split():
                found = self.holes(lambda case, group=group: not case["id"].startswith(group + "/"))
                self.assertTrue(any(line.startswith(rule + ": no ") for line in found), (group, found))

    def test_one_missing_case_is_missed(self) -> None:
        found = self.holes(lambda case: case["id"] != "max_broadcast_matrix/3_with_2by1/int16")
        self.assertEqual(found, ["BRO-5: no case for Max, pattern=-n|n1, type=int16"])
        found = self.holes(lambda case: not (case["id"].startswith("memory_") and case["classes"] >= {"Max", "input zero", "type=int16"}))
        self.assertEqual(found, ["MEM-1: no further case for memory, Max, input zero, type=int16"])

    def test_a_rule_without_a_class_is_noticed(self) -> None:
        index = completeness.Index([])
        self.assertIn("ORD-9: neither a class nor a reason", completeness.holes([*self.rules, "ORD-9"], index, index, index))


class Files(unittest.TestCase):
    """What is written is what was recorded, and a difference is found."""

    def test_one_sha256_stands_for_all_files(self) -> None:
        for which, name in ((write_cases.CASES, "max_rank.json"), (write_cases.FURTHER, "memory_in_place.json")):
            self.assertEqual(write_cases.check(None, which), [])
            changed = dict(write_cases.files(which))
            changed[name] += " "
            with mock.patch.object(write_cases, "files", lambda _, changed=changed: changed):
                self.assertEqual(len(write_cases.check(None, which)), 1)

    def test_a_wrong_a_missing_and_a_superfluous_file_are_named(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_cases.write(folder)
            self.assertEqual(write_cases.check(folder), [])
            (folder / "max_rank.json").unlink()
            (folder / "max_long.json").write_text((folder / "max_long.json").read_text(encoding="utf-8") + " ", encoding="utf-8")
            (folder / "gone.json").write_text('{"group": "gone", "cases": []}', encoding="utf-8")
            (folder / "other.json").write_text("{}", encoding="utf-8")
            found = "\n".join(write_cases.check(folder))
            for file in ("gone.json", "max_long.json", "max_rank.json"):
                self.assertIn(file, found)
            write_cases.write(folder)
            self.assertEqual(write_cases.check(folder), [])
            self.assertTrue((folder / "other.json").exists())  # no file of cases: not this script's


class Page(unittest.TestCase):
    """The page of the kit."""

    def test_its_example_of_memory_is_a_case(self) -> None:
        text = (completeness.ROOT / "kit" / "README.md").read_text(encoding="utf-8")
        stated = json.loads(text.partition("```jsonc\n")[2].partition("```")[0])
        (group,) = (group for group in write_cases.groups(write_cases.FURTHER) if group["group"] == "memory_one_buffer")
        (case,) = (case for case in group["cases"] if case["name"] == stated["name"])
        self.assertEqual({**case, "bits": None}, {**stated, "bits": None})
        self.assertEqual(case["bits"]["uint8"].keys(), stated["bits"]["uint8"].keys())

    def test_it_has_a_row_for_each_further_list(self) -> None:
        text = (completeness.ROOT / "kit" / "README.md").read_text(encoding="utf-8")
        for group in write_cases.groups(write_cases.FURTHER):
            row = f"| `{group['list']}_*.json` | `{group['list']}` |" if "list" in group else "_more.json`" if "invalid" in group else group["group"]
            self.assertIn(row, text)


class SecondOracle(unittest.TestCase):
    """A few results that a reader can check by hand."""

    def test_order_of_floats(self) -> None:
        steps = list(values.ladder("float16").values())
        keys = [oracle.key("float16", bits) for bits in steps]
        self.assertEqual(keys, sorted(keys))  # type: ignore[type-var]
        self.assertEqual(len(set(keys)), len(keys))
        self.assertEqual(oracle.key("float32", 0x3FC00000)[1], oracle.Fraction(3, 2))  # type: ignore[index]
        self.assertEqual(oracle.key("float64", 1)[1], oracle.Fraction(1, 2**1074))  # type: ignore[index]

    def test_zeros_and_nans(self) -> None:
        self.assertEqual(oracle.maximum("float32", [0x80000000, 0]), 0)
        self.assertEqual(oracle.maximum("float32", [0, 0x80000000]), 0)
        self.assertEqual(oracle.maximum("float32", [0x3F800000, 0xFF800001]), 0x7FC00000)
        self.assertEqual(oracle.maximum("bfloat16", []), 0xFF80)
        self.assertEqual(oracle.maximum("int8", [0x80, 0xFF]), 0xFF)

    def test_bounds_are_rounded_outwards(self) -> None:
        tenth, one = oracle.Fraction(1, 10), oracle.Fraction(1)
        self.assertEqual(bounds_oracle.round_down("float32", tenth), 0x3DCCCCCC)
        self.assertEqual(bounds_oracle.round_up("float32", tenth), 0x3DCCCCCD)
        self.assertEqual(bounds_oracle.round_down("float32", -tenth), 0xBDCCCCCD)
        self.assertEqual(bounds_oracle.round_up("float64", one), 0x3FF0000000000000)
        self.assertEqual(bounds_oracle.round_down("float64", one), 0x3FF0000000000000)
        self.assertEqual(bounds_oracle.round_up("float16", oracle.Fraction(65505)), 0x7C00)
        self.assertEqual(bounds_oracle.round_down("float16", oracle.Fraction(65505)), 0x7BFF)
        self.assertEqual(bounds_oracle.round_down("bfloat16", oracle.Fraction(1, 2**200)), 0)
        self.assertEqual(bounds_oracle.round_up("bfloat16", -oracle.Fraction(1, 2**200)), 0x8000)
        self.assertEqual(bounds_oracle.ends("float16", 0x3C00, 0x3C00), (0x3C00, 0x8000, 0x4000))
        self.assertEqual(bounds_oracle.ends("float16", 0xBC00, 0x3C00), (0x3C00, 0xC000, 0))
        self.assertEqual(bounds_oracle.ends("int8", 0x81, 0x05), (5, 0x80, 0x86))
        self.assertEqual(bounds_oracle.ends("float32", 0x7F800000, 0), (0x7F800000, 0xFF800000, 0x7F800000))

    def test_shapes(self) -> None:
        self.assertEqual(oracle.broadcast_shape([(2, 1), (3,), ()]), (2, 3))
        with self.assertRaises(ValueError):
            oracle.broadcast_shape([(0,), (3,)])
        self.assertEqual(oracle.reduce_max("int8", (0, 3), [], [0], False, False), ((3,), [0x80] * 3))

    def test_the_fast_form_for_large_cases_is_the_same(self) -> None:
        count = 0
        for group in further_large.groups():
            for case in group.cases:
                shapes = case["shapes"]
                if sum(map(prod, shapes)) > 1100:
                    continue
                for dtype, bits in case["bits"].items():
                    inputs = [classes.elements(text) for text in bits["inputs"]]
                    if case["operator"] == "Max":
                        found = oracle.max_of(dtype, list(zip(shapes, inputs)))
                    else:
                        found = oracle.reduce_max(dtype, shapes[0], inputs[0], case["attributes"]["axes"], False, False)
                    self.assertEqual((found[0], further_large.sha256(dtype, found[1])), (case["output_shape"], bits["output_sha256"]))
                    count += 1
        self.assertGreater(count, 40)

    def test_the_notation_of_runs_is_read_as_it_is_written(self) -> None:
        elements = [0, 0, 0, 0x7FC0, 0x8000, *[0x3F80] * 8192]
        self.assertEqual(classes.elements(values.text("bfloat16", elements)), elements)

    def test_a_name_that_stands_twice_is_refused(self) -> None:
        group = case_file.Group("g", ["ORD-1"], "reason")
        for _ in range(2):
            try:
                group.max("same", lambda t: [((), [0])], ("int8",), opset=13)
            except ValueError:
                return
        self.fail("taken")


if __name__ == "__main__":
    unittest.main()
