"""The limits of supremum's measured times, and whether a run of measurements is within them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

Result = dict[str, Any]

LARGE = 128 << 10  # bytes moved: from here on, calls cost nothing
CALL_NS = 60.0  # what a call may cost below that, beside its work
OWN = {"supremum", "supremum, one thread", "supremum, no plan", "limit", "exact limit"}
OWN |= {"limit, streaming", "exact limit, streaming"}


def time_of(result: Result, name: str) -> float:
    """The median of a contender in nanoseconds, of its better form if there are two; NaN if it is not there."""
    times = [result["times"][form]["ns"] for form in (name, name + ", streaming") if form in result["times"]]
    return min(times, default=math.nan)


def exact_limit(result: Result) -> float:
    """The exact limit; the limit where there is no exact one (transposed inputs)."""
    exact = time_of(result, "exact limit")
    return time_of(result, "limit") if math.isnan(exact) else exact


def own(result: Result) -> float:
    return time_of(result, "supremum")


def peers(result: Result) -> dict[str, float]:
    """The peers' medians."""
    return {name: timing["ns"] for name, timing in result["times"].items() if name not in OWN}


def geometric_mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def careless_peers(results: list[Result]) -> set[tuple[str, str, str]]:
    """Peer, operator and type for which a result of this run was wrong: those that ignore NaN."""
    return {
        (name, result["op"], result["dtype"])
        for result in results
        for name, timing in result["times"].items()
        if name not in OWN and timing.get("grade") == "wrong"
    }


@dataclass
class Bound:
    """A bound, the value of every case that it speaks of, and those that break it, the worst first."""

    text: str
    most: float
    values: list[tuple[str, float]] = field(default_factory=list)

    def add(self, name: str, value: float) -> None:
        self.values.append((name, value))

    def broken(self) -> list[tuple[str, float]]:
        return sorted((v for v in self.values if v[1] > self.most), key=lambda v: (-v[1], v[0]))

    def worst(self) -> float:
        return max((value for _, value in self.values), default=math.nan)


def one_thread(results: list[Result]) -> list[Bound]:
    """Bounds against the limits and against the peers."""
    large = Bound("time over the limit, cases that move 128 KiB or more", 1.15)
    mean = Bound("its geometric mean", 1.08)
    small = Bound("time less 60 ns over the exact limit, smaller cases", 1.15)
    peer = Bound("time over the fastest peer", 1.05)
    careless = Bound("time over the fastest peer that ignores NaN, below 128 KiB", 1.5)
    mean_peer = Bound("geometric mean of time over the fastest peer of each case", 0.5)
    ignoring = careless_peers(results)
    best: list[float] = []
    for result in results:
        if result["bytes"] >= LARGE:
            large.add(result["name"], own(result) / time_of(result, "limit"))
        else:
            small.add(result["name"], (own(result) - CALL_NS) / exact_limit(result))
        everyone = peers(result)
        ignores = {n: ns for n, ns in everyone.items() if (n, result["op"], result["dtype"]) in ignoring}
        if result["bytes"] >= LARGE:
            ignores = {}
        keeps = {n: ns for n, ns in everyone.items() if n not in ignores}
        for bound, group in ((peer, keeps), (careless, ignores)):
            if group:
                name = min(group, key=lambda n: group[n])
                bound.add(f"{result['name']}: {name}", own(result) / group[name])
        if everyone:
            best.append(own(result) / min(everyone.values()))
    if large.values:
        mean.add("all of them", geometric_mean([value for _, value in large.values]))
    if best:
        mean_peer.add("all cases", geometric_mean(best))
    return [large, mean, small, peer, careless, mean_peer]


def two_threads(results: list[Result], last_cache: int) -> list[Bound]:
    """Bounds of two threads; a gain is required where the work is longer than starting the second thread and the data fits the last cache."""
    gain = Bound("time of two threads over one, cases between 1 MiB and half the last cache", 1 / 1.7)
    never = Bound("time of two threads over one, all cases", 1.05)
    peer = Bound("time of two threads over the fastest peer with two", 1.05)
    for result in results:
        ratio = own(result) / time_of(result, "supremum, one thread")
        never.add(result["name"], ratio)
        if 1 << 20 <= result["bytes"] <= last_cache // 2:
            gain.add(result["name"], ratio)
        everyone = peers(result)
        if everyone:
            name = min(everyone, key=lambda n: everyone[n])
            peer.add(f"{result['name']}: {name}", own(result) / everyone[name])
    return [gain, never, peer]


def flatness(results: list[Result]) -> list[Bound]:
    """Time per byte from 2 inputs to 1,000, the same bytes in total."""
    bound = Bound("most over least time per byte from 2 to 1,000 inputs of the same bytes in total", 1.3)
    groups: dict[str, list[float]] = {}
    for result in results:
        if result["group"] == "inputs" and result["inputs"] > 1:
            words = result["name"].split()
            groups.setdefault(f"{words[1]} {words[-1]}", []).append(own(result) / result["bytes"])
    for name, values in groups.items():
        bound.add(name, max(values) / min(values))
    return [bound]


def all_bounds(run: dict[str, Any]) -> list[tuple[str, list[Bound]]]:
    """Every bound that this run says something of, by heading."""
    one = [r for r in run["results"] if r["threads"] == 1]
    two = [r for r in run["results"] if r["threads"] == 2]
    cache = run.get("machine", {}).get("last_cache_bytes", 32 << 20)
    headings = [
        ("One thread", one_thread(one)),
        ("Two threads", two_threads(two, cache)),
        ("Many inputs", flatness(one)),
    ]
    return [(heading, [b for b in bounds if b.values]) for heading, bounds in headings]
