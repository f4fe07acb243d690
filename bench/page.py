"""The page of a run, at most 60 lines: three sentences, a chart, the plain cases, the ten worst of all cases."""

from __future__ import annotations

import math
import statistics
from typing import Any

import bounds

Result = dict[str, Any]
Run = dict[str, Any]

INSTRUCTION_SETS = {"avx3_dl": "AVX-512", "avx3": "AVX-512", "avx2": "AVX2", "sse4": "SSE4"}
WORST_CASES = 10
BEHIND = 1.05
COLUMNS_OF_A_TIME = 8  # of the chart, for as long as supremum takes
WITHOUT_SETTING = {"Eigen": "is compiled for AVX2", "XNNPACK": "has no such setting", "ONNX Runtime": "has no such setting"}


def instruction_set(run: Run) -> str:
    return INSTRUCTION_SETS.get(run["target"], run["target"])


def number(value: float, digits: int = 2) -> str:
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """A table in Markdown, the first column to the left and the others to the right."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return ["| " + " | ".join(row) + " |" for row in [head, rule, *rows]] + [""]


def mean(values: list[float]) -> float:
    return bounds.geometric_mean([value for value in values if not math.isnan(value)])


def over_peer(result: Result, right: bool = False) -> float:
    """The time over that of the fastest peer, or of the fastest whose result is right in every bit."""
    theirs = [t["ns"] for name, t in result["times"].items() if not bounds.is_own(name) and (not right or t["grade"] == "exact")]
    return bounds.own(result) / min(theirs, default=math.nan)


def compared(results: list[Result]) -> list[Result]:
    """The cases in which systems are compared: a peer computes them, and loops count more than calls."""
    return [r for r in results if r["bytes"] >= bounds.COMPARED and bounds.peers(r)]


def plain(run: Run, memory: str, threads: int) -> dict[str, Result]:
    return {r["name"]: r for r in run["results"] if r["plain"] and r["memory"] == memory and r["threads"] == threads}


def sentences(run: Run) -> list[str]:
    """Ahead of whom, by how much, where not."""
    one, two = (compared(list(plain(run, "malloc", threads).values())) for threads in (1, 2))
    if not one:
        return ["No plain case was compared with another library.", ""]
    first = f"In plain cases with memory from malloc supremum's run time is {number(mean([over_peer(r) for r in one]))} of that of the fastest other library with one thread (geometric mean of {len(one)} cases)"
    first += f", and {number(mean([over_peer(r) for r in two]))} with two threads ({len(two)})." if two else "."
    behind = [r for r in one + two if over_peer(r) > BEHIND]
    second = f"Another library is more than 5 % faster in {len(behind)} of these {len(one + two)}, one whose results have the right bits in {sum(1 for r in behind if over_peer(r, right=True) > BEHIND)}."
    rest = compared([r for r in run["results"] if not r["plain"]])
    third = f"In the {len(rest)} other cases it is {number(mean([over_peer(r) for r in rest]))}, and another library is more than 5 % faster in {sum(1 for r in rest if over_peer(r) > BEHIND)}." if rest else "Other cases were not measured."
    return [first, second, third, ""]


def chart(run: Run) -> list[str]:
    """The run time of each peer relative to supremum."""
    one = compared(list(plain(run, "malloc", 1).values()))
    rows = []
    for peer in run["peers"]:
        ratios = [r["times"][peer["name"]]["ns"] / bounds.own(r) for r in one if peer["name"] in r["times"]]
        if ratios:
            rows.append((mean(ratios), f"{peer['name']} {peer['version']}", len(ratios)))
    if not rows:
        return []
    width = max(len(name) for _, name, _ in rows)
    lines = [f"{name:{width}}  {number(ratio):>5}  {'#' * round(ratio * COLUMNS_OF_A_TIME)}" for ratio, name, _ in sorted(rows)]
    return ["Run time relative to supremum (= 1), plain cases that the library supports, geometric mean, one thread:", "", "```text", *lines, "```", ""]


def plain_table(run: Run) -> list[str]:
    """The plain cases: in ordinary memory, in huge pages, with two threads."""
    tables = [plain(run, memory, threads) for memory, threads in (("malloc", 1), ("huge pages", 1), ("malloc", 2), ("huge pages", 2))]
    rows = []
    for name, result in tables[0].items():
        theirs, peer = bounds.fastest(result)
        over = [number(over_peer(t[name])) if name in t else "-" for t in tables[1:]]
        limit = bounds.own(result) / bounds.time_of(result, "limit")
        rows.append([name, number(bounds.own(result) / 1e3), number(limit), number(over_peer(result, right=True)), number(over_peer(result)), peer, *over])
    head = ["plain case", "us", "over bare loop", "over fastest right library", "over fastest library", "library", "huge pages", "two threads", "both"]
    return table(head, rows)


def worst_table(run: Run) -> list[str]:
    """The cases in which a peer is ahead most."""
    worst = sorted((r for r in compared(run["results"]) if over_peer(r) > BEHIND), key=over_peer, reverse=True)[:WORST_CASES]
    rows = []
    for result in worst:
        theirs, name = bounds.fastest(result)
        grade = result["times"][name]["grade"]
        where = f"{result['threads']}, {result['memory']}"
        rows.append([result["name"], where, number(bounds.own(result) / 1e3), number(over_peer(result)), name, "right" if grade == "exact" else grade])
    return table(["the worst of all cases", "threads, memory", "us", "over library", "library", "its result"], rows) if rows else ["No library is faster.", ""]


def held(run: Run) -> str:
    """How peers were held to the instruction set of the run; "" if they were not."""
    settings = run.get("machine", {}).get("peer_settings", {})
    if not settings:
        return ""
    names = [peer["name"] for peer in run["peers"]]
    others = "; ".join(f"{name} {why}" for name, why in WITHOUT_SETTING.items() if name in names)
    given = ", ".join(f"{name}={value}" for name, value in settings.items())
    return f" The other libraries were limited to the same instruction set by `{given}`; {others}."


def machine_lines(run: Run) -> list[str]:
    m = run.get("machine", {})
    virtual = ", a virtual machine" if m.get("virtual") else ""
    noise = statistics.median(r["times"]["supremum"]["drift"] for r in run["results"])
    lines = [
        f"- {m.get('family', 'unknown')} ({m.get('processor', 'unknown')}), {m.get('processors', '?')} processors{virtual}; caches: {', '.join(m.get('caches', []))}, "
        f"of which the library counts on {run['core_bytes'] / 2**20:.1f} MiB for a core and {run['shared_bytes'] / 2**20:.1f} MiB shared; memory: {m.get('memory_gib', '?')} GiB.",
        f"- {m.get('system', 'unknown')}, Linux {m.get('kernel', '?')}, {run['compiler']}, `-O3`, kernels `{run['target']}`"
        + (f", commit {run['commit']}" if run.get("commit") else "")
        + f"; not installed: {', '.join(run['missing']) or 'none'}; medians of even and odd rounds are {noise * 100:.1f} % apart."
        + held(run),
        "- Written by `scripts/bench.sh --record`, which also writes every case to `build/`; do not edit it.",
    ]
    return [*lines, ""]


def page(run: Run) -> str:
    """The page."""
    lines = [f"# Performance: {run.get('machine', {}).get('family', 'unknown')}, {instruction_set(run)}", "", *sentences(run), *chart(run), *plain_table(run), *worst_table(run)]
    lines += machine_lines(run)
    return "\n".join(lines).rstrip("\n") + "\n"
