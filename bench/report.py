#!/usr/bin/env python3
"""Writes what a run measured.

    bench/report.py RESULTS.json --made FOLDER [--page FILE]

FOLDER gets performance.md, the page; performance.svg, its picture; performance-cases.txt, every case, and every case that is beyond a
bound. FILE gets the page without the picture: docs/performance.md, which is committed.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from pathlib import Path
from typing import Any

import bounds
import plot

Result = dict[str, Any]


def number(value: float, digits: int = 2) -> str:
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """A table in Markdown, the first column to the left and the others to the right."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return ["| " + " | ".join(row) + " |" for row in [head, rule, *rows]] + [""]


def to_best_peer(result: Result) -> tuple[float, str]:
    """The time over the fastest peer's, and who that is."""
    everyone = bounds.peers(result)
    if not everyone:
        return math.nan, "-"
    name = min(everyone, key=lambda n: everyone[n])
    return bounds.own(result) / everyone[name], name


def case_table(results: list[Result]) -> str:
    """All cases as text, a line each."""
    head = f"{'case':58} {'threads':>7} {'us':>12} {'limit':>7} {'exact':>7} {'peer':>7}  fastest peer"
    lines = [head]
    for result in results:
        ns, (ratio, name) = bounds.own(result), to_best_peer(result)
        limit, exact = ns / bounds.time_of(result, "limit"), ns / bounds.exact_limit(result)
        lines.append(
            f"{result['name']:58} {result['threads']:7} {ns / 1e3:12.3f} {limit:7.2f} {exact:7.2f} {number(ratio):>7}  {name}"
        )
    return "\n".join(lines) + "\n"


def range_of(values: list[float]) -> list[str]:
    """The geometric mean and the largest."""
    values = [value for value in values if not math.isnan(value)]
    return [number(bounds.geometric_mean(values)), number(max(values, default=math.nan))]


def group_rows(results: list[Result]) -> list[list[str]]:
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        groups.setdefault((result["op"], result["group"]), []).append(result)
    rows = []
    for (op, group), members in groups.items():
        row = [f"{op}, {group}", str(len(members))]
        row += range_of([bounds.own(r) / bounds.time_of(r, "limit") for r in members])
        row += range_of([bounds.exact_limit(r) / bounds.time_of(r, "limit") for r in members])
        row += range_of([to_best_peer(r)[0] for r in members])
        rows.append(row)
    return rows


def equal_rows(results: list[Result]) -> tuple[list[str], list[list[str]]]:
    """Equal shapes: a row a type, a column a size; time over the limit."""
    equal = [r for r in results if r["group"] == "equal"]
    sizes = list(dict.fromkeys(r["name"].split()[-1] for r in equal))
    rows: dict[str, dict[str, str]] = {}
    for result in equal:
        ratio = bounds.own(result) / bounds.time_of(result, "limit")
        rows.setdefault(result["dtype"], {})[result["name"].split()[-1]] = number(ratio)
    return ["type", *sizes], [[dtype, *(row.get(size, "-") for size in sizes)] for dtype, row in rows.items()]


def peer_rows(run: dict[str, Any], results: list[Result]) -> list[list[str]]:
    rows = []
    for peer in run["peers"]:
        met = [r for r in results if peer["name"] in r["times"]]
        ratios = [r["times"][peer["name"]]["ns"] / bounds.own(r) for r in met]
        grades = [r["times"][peer["name"]]["grade"] for r in met]
        counts = [str(grades.count(grade)) for grade in ("exact", "other NaN bits", "zero sign", "wrong")]
        mean = number(bounds.geometric_mean(ratios), 1)
        rows.append([f"{peer['name']} {peer['version']}", str(len(met)), mean, number(min(ratios, default=math.nan)), *counts])
    return rows


def machine_lines(run: dict[str, Any]) -> list[str]:
    m = run.get("machine", {})
    virtual = ", a virtual machine" if m.get("virtual") else ""
    noise = statistics.median(r["times"]["supremum"]["drift"] for r in run["results"])
    spread = statistics.median(r["times"]["supremum"]["spread"] for r in run["results"])
    return [
        f"- Processor: {m.get('processor', 'unknown')}, {m.get('processors', '?')} processors{virtual}; "
        f"{', '.join(m.get('vectors', []))}; supremum used its `{run['target']}` kernels.",
        f"- Caches: {', '.join(m.get('caches', []))}. Memory: {m.get('memory_gib', '?')} GiB.",
        f"- {m.get('system', 'unknown')}, Linux {m.get('kernel', '?')}, {run['compiler']}, `-O3`.",
        f"- Peers: {', '.join(p['name'] + ' ' + p['version'] for p in run['peers']) or 'none'}. "
        f"Not installed, and so not measured: {', '.join(run['missing']) or 'none'}.",
        f"- Noise: the medians of even and odd rounds are {noise:.1%} apart, and the quartiles of a case's samples {spread:.1%}, "
        "in the median of all cases.",
        "",
    ]


def plan_line(results: list[Result]) -> str:
    """What a call that plans anew takes longer."""
    more = [bounds.time_of(r, "supremum, no plan") - bounds.own(r) for r in results if "supremum, no plan" in r["times"]]
    if not more:
        return ""
    return f"supremum runs a plan; a call that makes one, below 128 KiB, takes {statistics.median(more):.0f} ns more in the median."


def bound_rows(headings: list[tuple[str, list[bounds.Bound]]]) -> list[list[str]]:
    rows = []
    for heading, group in headings:
        for bound in group:
            broken = len(bound.broken())
            verdict = "holds" if broken == 0 else f"{broken} above"
            values = [f"{bound.most:.2f}", str(len(bound.values)), number(bound.worst()), verdict]
            rows.append([f"{heading}: {bound.text}", *values])
    return rows


def broken_lines(headings: list[tuple[str, list[bounds.Bound]]]) -> list[str]:
    lines: list[str] = []
    for heading, group in headings:
        for bound in group:
            broken = bound.broken()
            if broken:
                lines += [f"{heading}: {bound.text}, at most {bound.most:.2f}:", ""]
                lines += table(["case", "value"], [[name, number(value)] for name, value in broken])
    return lines or ["Every bound holds in this run.", ""]


def page(run: dict[str, Any], picture: bool) -> str:
    """The page, with the picture beside it, or without."""
    one = [r for r in run["results"] if r["threads"] == 1]
    headings = bounds.all_bounds(run)
    ratios = ["mean", "worst"]
    quick = ["These are the figures of a short run, `--quick`: a part of the cases, fewer rounds.", ""] if run["quick"] else []
    head = ["cases", "number", *(f"{what}, {r}" for what in ("over limit", "exact limit over limit", "over peer") for r in ratios)]
    lines = ["# Performance", "", "Written by `scripts/bench.sh`; do not edit it. "
             + ("`bench/README.md`" if picture else "[bench/README.md](../bench/README.md)") + " says what is measured and how."]  # fmt: skip
    lines += ["The same run wrote `performance-cases.txt`, every case and every value beyond a bound, and `performance.svg`, a picture of them",
              "([decision 0019](decisions/0019-generated-files.md))." if not picture else "(decision 0019).", "", *quick, *machine_lines(run)]  # fmt: skip
    lines += ["## Bounds", "", "All values are ratios of medians from one run; less is better.", ""]
    lines += table(["bound", "at most", "cases", "worst", "in this run"], bound_rows(headings))
    if one:
        lines += ["## Against the limits and the fastest peer", ""]
        lines += ["![every case against the limit](performance.svg)", ""] if picture else []
        lines += ["Means are geometric. The exact limit over the limit is what exactness costs a bare loop.", ""]
        lines += table(head, group_rows(one))
        lines += ["Equal shapes, time over the limit, by the bytes moved:", "", *table(*equal_rows(one))]
        lines += ["## Peers", "", "How many times as long as supremum each takes, and how its results compare with the reference.", plan_line(one), ""]
        marks = ["exact", "other NaN bits", "zero sign", "wrong"]
        lines += table(["peer", "cases", "mean", "least", *marks], peer_rows(run, one))
    return "\n".join(lines).rstrip("\n") + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--made", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--page", type=Path, metavar="FILE")
    args = parser.parse_args()
    run = json.loads(args.results.read_text(encoding="utf-8"))
    args.made.mkdir(parents=True, exist_ok=True)
    beyond = ["", "Where a bound does not hold", "", *broken_lines(bounds.all_bounds(run))]
    (args.made / "performance-cases.txt").write_text(case_table(run["results"]) + "\n".join(beyond).rstrip("\n") + "\n", encoding="utf-8")
    (args.made / "performance.md").write_text(page(run, picture=True), encoding="utf-8")
    if args.page:
        args.page.write_text(page(run, picture=False), encoding="utf-8")
    one = [r for r in run["results"] if r["threads"] == 1]
    if one:
        (args.made / "performance.svg").write_text(plot.draw(one), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
