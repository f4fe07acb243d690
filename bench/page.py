"""The page of a run: three sentences, a chart, the cases in which a peer is faster, bounds, tables."""

from __future__ import annotations

import math
import statistics
from typing import Any

import bounds
from chart import chart

Result = dict[str, Any]
Run = dict[str, Any]

INSTRUCTION_SETS = {"avx3_dl": "AVX-512", "avx3": "AVX-512", "avx2": "AVX2", "sse4": "SSE4"}
MOST_CASES = 60  # in the table of those in which a peer is faster
BEHIND = 1.05
MARKS = {"m": "memcpy", "p": "the fastest peer of each case", "s": "supremum"}
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


def range_of(values: list[float]) -> list[str]:
    """The geometric mean and the largest."""
    values = [value for value in values if not math.isnan(value)]
    return [number(mean(values)), number(max(values, default=math.nan))]


def over_limit(result: Result, name: str = "supremum") -> float:
    return bounds.time_of(result, name) / bounds.time_of(result, "limit")


def over_peer(result: Result) -> float:
    return bounds.own(result) / bounds.fastest(result)[0]


def compared(results: list[Result], threads: int) -> list[Result]:
    """The cases in which systems are compared: a peer computes them, and loops count more than calls."""
    return [r for r in results if r["threads"] == threads and r["bytes"] >= bounds.COMPARED and bounds.peers(r)]


def groups_of(results: list[Result]) -> dict[str, list[Result]]:
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(f"{result['op']}, {result['group']}", []).append(result)
    return groups


def versions(run: Run) -> list[str]:
    """What stands beside each table."""
    named = ", ".join(f"{peer['name']} {peer['version']}" for peer in run["peers"]) or "no peer"
    return [f"supremum by its `{run['target']}` kernels; {named}.", ""]


def sentences(run: Run) -> list[str]:
    """Ahead of whom, by how much, where not."""
    one, two = compared(run["results"], 1), compared(run["results"], 2)
    everyone = one + two
    if not one:
        return ["No case of 4 KiB or more was compared with a peer.", ""]
    by_peer = []
    for peer in run["peers"]:
        ratios = [bounds.own(r) / r["times"][peer["name"]]["ns"] for r in one if peer["name"] in r["times"]]
        if ratios:
            by_peer.append((mean(ratios), peer["name"]))
    named = ", ".join(f"{number(ratio)} of {name}'s" for ratio, name in sorted(by_peer, reverse=True))
    first = f"With one thread supremum takes {named} time, in the geometric mean of the cases that each of them computes."
    second = f"Of the time of the fastest peer in each case it takes {number(mean([over_peer(r) for r in one]))} with one thread ({len(one)} cases)"
    if two:
        second += f", and {number(mean([over_peer(r) for r in two]))} with two ({len(two)} cases)"
    behind = sorted((r for r in everyone if over_peer(r) > BEHIND), key=over_peer, reverse=True)
    if not behind:
        return [first, second + ".", "In no case is a peer more than 5 % faster.", ""]
    kinds = sorted(groups_of(behind).items(), key=lambda item: -len(item[1]))
    most = "; ".join(f"{name} {len(members)}" for name, members in kinds[:4])
    third = f"A peer is more than 5 % faster in {len(behind)} of these {len(everyone)} cases, most of them of these kinds: {most}."
    return [first, second + ".", third, ""]


def chart_lines(one: list[Result]) -> list[str]:
    rows = []
    for name, members in groups_of(one).items():
        theirs = mean([bounds.fastest(r)[0] / bounds.time_of(r, "limit") for r in members])
        rows.append((name, {"m": mean([over_limit(r, "memcpy") for r in members]), "p": theirs, "s": mean([over_limit(r) for r in members])}))
    marks = ", ".join(f"`{mark}` {what}" for mark, what in MARKS.items())
    return [f"Time over the time of a bare loop that moves the same bytes, one thread, geometric mean of each kind of case: {marks}.", "", *chart(rows)]


def behind_lines(run: Run) -> list[str]:
    everyone = compared(run["results"], 1) + compared(run["results"], 2)
    behind = sorted((r for r in everyone if over_peer(r) > BEHIND), key=over_peer, reverse=True)
    near = sum(1 for r in everyone if 1 < over_peer(r) <= BEHIND)
    lines = ["## Where a peer is faster", "", f"By more than 5 %, in cases that move 4 KiB or more; in {near} more a peer is faster by less.", ""]
    if len(behind) > MOST_CASES:
        lines += [f"The {MOST_CASES} worst of {len(behind)}:", ""]
    rows = []
    for result in behind[:MOST_CASES]:
        theirs, name = bounds.fastest(result)
        grade = result["times"][name]["grade"]
        times = [f"{bounds.own(result) / 1e3:.2f}", f"{theirs / 1e3:.2f}", number(over_peer(result))]
        rows.append([result["name"], str(result["threads"]), *times, name, "" if grade == "exact" else grade])
    return lines + table(["case", "threads", "supremum, us", "peer, us", "ratio", "peer", "its result"], rows) + versions(run)


def bound_lines(run: Run) -> list[str]:
    rows = []
    for heading, group in bounds.all_bounds(run):
        for bound in group:
            broken = len(bound.broken())
            values = [f"{bound.most:.2f}", str(len(bound.values)), number(bound.worst()), "holds" if broken == 0 else f"{broken} above"]
            rows.append([f"{heading}: {bound.text}", *values])
    lines = ["## Bounds", "", "Ratios of medians from one run, or differences in ns; less is better.", ""]
    return lines + table(["bound", "at most", "cases", "worst", "in this run"], rows) + versions(run)


def group_lines(run: Run, one: list[Result]) -> list[str]:
    head = ["cases", "number", *(f"{what}, {r}" for what in ("over limit", "exact limit over limit", "over peer") for r in ("mean", "worst"))]
    rows = []
    for name, members in groups_of(one).items():
        exact = [bounds.exact_limit(r) / bounds.time_of(r, "limit") for r in members]
        rows.append([name, str(len(members)), *range_of([over_limit(r) for r in members]), *range_of(exact), *range_of([over_peer(r) for r in members])])
    copied = [r for r in one if "memcpy" in r["times"]]
    rows.append(["memcpy of the same bytes", str(len(copied)), *range_of([over_limit(r, "memcpy") for r in copied]), *["-"] * 4])
    lines = ["## One thread, against the limits and the fastest peer", "", "Means are geometric. The exact limit over the limit is what exactness costs a bare loop.", ""]
    return lines + table(head, rows) + versions(run)


def equal_lines(run: Run, one: list[Result]) -> list[str]:
    """Equal shapes: a row a type, a column a size; time over the limit."""
    equal = [r for r in one if r["group"] == "equal"]
    if not equal:
        return []
    sizes = list(dict.fromkeys(r["name"].split()[-1] for r in equal))
    dtypes = list(dict.fromkeys(r["dtype"] for r in equal))

    def row(name: str, members: list[Result], contender: str) -> list[str]:
        return [name, *(number(mean([over_limit(r, contender) for r in members if r["name"].endswith(" " + size)])) for size in sizes)]

    rows = [row(dtype, [r for r in equal if r["dtype"] == dtype], "supremum") for dtype in dtypes]
    rows.append(row("memcpy of the same bytes", equal, "memcpy"))
    return ["Equal shapes, time over the limit, by the bytes moved:", "", *table(["type", *sizes], rows), *versions(run)]


def tiny_lines(run: Run, one: list[Result]) -> list[str]:
    tiny = [r for r in one if r["group"] == "tiny"]
    if not tiny:
        return []
    rows = []
    for result in tiny:
        theirs, name = bounds.fastest(result)
        times = [bounds.own(result), bounds.time_of(result, "supremum, no plan"), bounds.exact_limit(result), bounds.time_of(result, "memcpy"), theirs]
        rows.append([result["name"], *(number(ns, 0) for ns in times), name])
    head = ["case", "prepared", "in one call", "exact limit", "memcpy", "fastest peer", "peer"]
    return ["## Tiny tensors", "", "Nanoseconds of one call. Eigen's are compiled into the caller.", "", *table(head, rows), *versions(run)]


def two_thread_lines(run: Run) -> list[str]:
    two = [r for r in run["results"] if r["threads"] == 2]
    if not two:
        return []
    rows = []
    for name, members in groups_of(two).items():
        gain = [bounds.own(r) / bounds.time_of(r, "supremum, one thread") for r in members]
        rows.append([name, str(len(members)), *range_of(gain), *range_of([over_peer(r) for r in members])])
    head = ["cases", "number", "over one thread, mean", "over one thread, worst", "over peer, mean", "over peer, worst"]
    return ["## Two threads", "", "memcpy has one thread and is not measured here.", "", *table(head, rows), *versions(run)]


def peer_lines(run: Run, one: list[Result]) -> list[str]:
    rows = []
    for name, version in [*((peer["name"], peer["version"]) for peer in run["peers"]), ("memcpy", "of the same bytes")]:
        met = [r for r in one if name in r["times"]]
        ratios = [r["times"][name]["ns"] / bounds.own(r) for r in met]
        grades = [r["times"][name].get("grade", "") for r in met]
        counts = [str(grades.count(grade)) if name != "memcpy" else "-" for grade in ("exact", "other NaN bits", "zero sign", "wrong")]
        rows.append([f"{name} {version}", str(len(met)), number(mean(ratios), 1), number(min(ratios, default=math.nan)), *counts])
    head = ["peer", "cases", "mean", "least", "exact", "other NaN bits", "zero sign", "wrong"]
    lines = ["## Peers", "", "How many times as long as supremum each takes, and how its results compare with the reference; one thread.", ""]
    return lines + table(head, rows)


def held(run: Run) -> str:
    """How peers were held to the instruction set of the run; "" if they were not."""
    settings = run.get("machine", {}).get("peer_settings", {})
    if not settings:
        return ""
    names = [peer["name"] for peer in run["peers"]]
    others = "; ".join(f"{name} {why}" for name, why in WITHOUT_SETTING.items() if name in names)
    given = ", ".join(f"{name}={value}" for name, value in settings.items())
    return f"- Peers were held to the same instruction set by `{given}`; {others}."


def machine_lines(run: Run) -> list[str]:
    m = run.get("machine", {})
    virtual = ", a virtual machine" if m.get("virtual") else ""
    noise = statistics.median(r["times"]["supremum"]["drift"] for r in run["results"])
    spread = statistics.median(r["times"]["supremum"]["spread"] for r in run["results"])
    rounds = statistics.median(r["times"]["supremum"]["rounds"] for r in run["results"])
    lines = [
        f"- Processor: {m.get('family', 'unknown')} ({m.get('processor', 'unknown')}), {m.get('processors', '?')} processors{virtual}; "
        f"{', '.join(m.get('vectors', []))}.",
        f"- Caches: {', '.join(m.get('caches', []))}; the library counts on {run['core_bytes'] / 2**20:.1f} MiB for each core and "
        f"{run['shared_bytes'] / 2**20:.1f} MiB shared. Memory: {m.get('memory_gib', '?')} GiB.",
        f"- {m.get('system', 'unknown')}, Linux {m.get('kernel', '?')}, {run['compiler']}, `-O3`"
        + (f"; measured at commit {run['commit']}." if run.get("commit") else "."),
        held(run),
        f"- Not installed, and so not measured: {', '.join(run['missing']) or 'no peer'}.",
        f"- Noise: of {rounds:.0f} rounds, the medians of even and odd ones are {noise * 100:.1f} % apart, and the quartiles of a case's samples {spread * 100:.1f} %, "
        "in the median of all cases.",
        "",
    ]
    return [line for line in lines[:-1] if line] + [""]


def page(run: Run, recorded: bool) -> str:
    """The page as it is recorded, or as it stands beside its picture."""
    one = [r for r in run["results"] if r["threads"] == 1]
    lines = [f"# Performance: {run.get('machine', {}).get('family', 'unknown')}, {instruction_set(run)}", "", *sentences(run)]
    if one:
        lines += chart_lines(one)
    if run["quick"]:
        lines += ["These are the figures of a short run, `--quick`: a part of the cases, fewer rounds.", ""]
    lines += ["Written by `scripts/bench.sh`; do not edit it. "
              + ("[bench/README.md](../../bench/README.md)" if recorded else "`bench/README.md`") + " says what is measured and how."]  # fmt: skip
    lines += ["The same run wrote `performance-cases.txt`, every case and every value beyond a bound, and `performance.svg`, a picture of them"]
    lines += ["([decision 0019](../decisions/0019-generated-files.md))." if recorded else "(decision 0019).", "", *machine_lines(run)]
    lines += behind_lines(run) + bound_lines(run)
    if one:
        lines += [] if recorded else ["![every case against the limit](performance.svg)", ""]
        lines += group_lines(run, one) + equal_lines(run, one) + tiny_lines(run, one)
    lines += two_thread_lines(run) + (peer_lines(run, one) if one else [])
    return "\n".join(lines).rstrip("\n") + "\n"
