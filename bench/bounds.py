"""The bounds of supremum's measured times, and whether a run of measurements is within them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

Result = dict[str, Any]

LARGE = 128 << 10  # bytes moved: from here on, calls cost nothing
COMPARED = 4 << 10  # bytes moved: from here on, systems' loops are compared, and not their calls


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


def plain(results: list[Result]) -> list[Bound]:
    """Bounds of the plain cases, in each kind of memory and with each number of threads; those that this run says something of."""
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
    return [bound for bound in (right, every, loop) if bound.values]
