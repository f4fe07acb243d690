"""The bounds of supremum's measured times, and whether a run of measurements is within them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

Result = dict[str, Any]

LARGE = 128 << 10  # bytes moved: from here on, calls cost nothing
COMPARED = 4 << 10  # bytes moved: from here on, systems' loops are compared, and not their calls
EQUAL_CALL_NS = 120.0  # what a call without a plan may take longer: equal shapes
ANY_CALL_NS = 300.0  # the same: a broadcast or a reduction of at most this rank
MOST_RANK_OF_A_CALL = 4


def is_own(name: str) -> bool:
    """False for a peer."""
    return name.startswith(("supremum", "limit"))


def time_of(result: Result, name: str) -> float:
    """The median of a contender in nanoseconds, of its better form if there are two; NaN if it is not there."""
    times = [result["times"][form]["ns"] for form in (name, name + ", streaming") if form in result["times"]]
    return min(times, default=math.nan)


def own(result: Result) -> float:
    return time_of(result, "supremum")


def peers(result: Result) -> dict[str, float]:
    """The peers' medians."""
    return {name: timing["ns"] for name, timing in result["times"].items() if not is_own(name)}


def fastest(result: Result) -> tuple[float, str]:
    """The time of the fastest peer, and its name; NaN if no peer computes the case."""
    everyone = peers(result)
    if not everyone:
        return math.nan, "-"
    name = min(everyone, key=lambda n: everyone[n])
    return everyone[name], name


def geometric_mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


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
    """Bounds against the peers."""
    peer = Bound("time over the fastest peer, cases that move 4 KiB or more", 1.05)
    mean_peer = Bound("its geometric mean", 0.45)
    for result in results:
        theirs, name = fastest(result)
        if result["bytes"] >= COMPARED and not math.isnan(theirs):
            peer.add(f"{result['name']}: {name}", own(result) / theirs)
    if peer.values:
        mean_peer.add("all of them", geometric_mean([value for _, value in peer.values]))
    return [peer, mean_peer]


def plain(results: list[Result]) -> list[Bound]:
    """Bounds of the plain cases, in each kind of memory and with each number of threads."""
    right = Bound("plain cases of 4 KiB or more, over the fastest peer whose result is right", 1.10)
    every = Bound("the same over the fastest peer", 1.25)
    loop = Bound("plain cases from 128 KiB on, one thread, over a bare loop", 1.15)
    for result in results:
        name = f"{result['name']}, {result['memory']}, {result['threads']}"
        theirs, peer = fastest(result)
        exact = [timing["ns"] for other, timing in result["times"].items() if not is_own(other) and timing["grade"] == "exact"]
        if result["bytes"] >= COMPARED and exact:
            right.add(name, own(result) / min(exact))
        if result["bytes"] >= COMPARED and not math.isnan(theirs):
            every.add(f"{name}: {peer}", own(result) / theirs)
        if result["bytes"] >= LARGE and result["threads"] == 1:
            loop.add(name, own(result) / time_of(result, "limit"))
    return [right, every, loop]


def calls(results: list[Result]) -> list[Bound]:
    """Nanoseconds that a call without a plan takes longer than a prepared plan."""
    equal = Bound("ns more than a prepared plan: equal shapes", EQUAL_CALL_NS)
    other = Bound("ns more than a prepared plan: a broadcast or a reduction of rank 4 or less", ANY_CALL_NS)
    for result in results:
        more = time_of(result, "supremum, no plan") - own(result)
        if math.isnan(more) or result["inputs"] > 2:
            continue
        if result["op"] == "Max" and len(set(result["shapes"])) == 1:
            equal.add(result["name"], more)
        elif max(shape.count(",") + 1 for shape in result["shapes"]) <= MOST_RANK_OF_A_CALL:
            other.add(result["name"], more)
    return [equal, other]


def two_threads(results: list[Result], shared_bytes: int) -> list[Bound]:
    """Bounds of two threads; a gain is required where the work is longer than starting the second thread and the shared cache holds it."""
    gain = Bound("time of two threads over one, cases from 1 MiB to the shared cache", 0.6)
    never = Bound("time of two threads over one, all cases", 1.05)
    peer = Bound("time of two threads over the fastest peer with two", 1.05)
    for result in results:
        ratio = own(result) / time_of(result, "supremum, one thread")
        never.add(result["name"], ratio)
        if 1 << 20 <= result["bytes"] <= shared_bytes:
            gain.add(result["name"], ratio)
        theirs, name = fastest(result)
        if not math.isnan(theirs):
            peer.add(f"{result['name']}: {name}", own(result) / theirs)
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
    other = [r for r in run["results"] if not r["plain"]]
    one = [r for r in other if r["threads"] == 1]
    two = [r for r in other if r["threads"] == 2]
    headings = [
        ("Plain", plain([r for r in run["results"] if r["plain"]])),
        ("One thread", one_thread(one)),
        ("Without a plan", calls(one)),
        ("Two threads", two_threads(two, run["shared_bytes"])),
        ("Many inputs", flatness(one)),
    ]
    return [(heading, [b for b in bounds if b.values]) for heading, bounds in headings]
