#!/usr/bin/env python3
"""Checks the results of the examples, each by another way of computing it than Max and ReduceMax.

    /usr/bin/python3 examples/check_results.py FOLDER [--faults]

FOLDER is where scripts/gallery.sh put the files of all examples. Exit status 1, with the name of the result and an element that differs,
if one is wrong.

--faults checks these checks: an element of each result is changed in memory, and the check must notice it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops

Load = Callable[[str], NDArray]
Result = tuple[str, NDArray, NDArray]  # name of the file, what it has, what is right


def projections(load: Load) -> Iterator[Result]:
    """Slice after slice: an element of the slice replaces those of the earlier ones that are less."""
    volume = load("volume")
    for axis in range(3):
        expected = np.take(volume, 0, axis).copy()
        for at in range(1, volume.shape[axis]):
            one = np.take(volume, at, axis)
            greater = one > expected
            expected[greater] = one[greater]
        yield f"axis_{axis}", load(f"axis_{axis}"), expected


def fusion(load: Load) -> Iterator[Result]:
    """The last of the four scores in ascending order, where none is NaN; the canonical NaN elsewhere. The bits are compared."""
    maps = np.stack(np.broadcast_arrays(*(load(name) for name in ("detector", "lane", "horizon", "floor"))))
    expected = np.sort(maps, axis=0)[-1]  # NaNs are last
    expected[np.isnan(maps).any(axis=0)] = np.nan
    yield "out/fused", load("out/fused").view(np.uint32), expected.view(np.uint32)


def brightest(load: Load) -> Iterator[Result]:
    """Pillow's blend, and its conversion to HSV."""
    day, night, rocket = (Image.fromarray(load(name)) for name in ("day", "night", "rocket"))
    yield "lighten", load("lighten"), np.asarray(ImageChops.lighter(day, night))
    yield "value", load("value"), np.asarray(rocket.convert("HSV"))[:, :, 2]


def shared(a: list[int], b: list[int]) -> int:
    """The area of the intersection of two boxes."""
    return max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))


def suppression(load: Load) -> Iterator[Result]:
    """The greedy algorithm, in integers: the best remaining box is kept, and those that overlap with it by more than 1/4 are removed."""
    boxes = load("boxes").tolist()
    left, top, right, bottom = load("boxes").T
    corners = [np.fmax.outer(left, left), np.fmax.outer(top, top), -np.fmin.outer(right, right), -np.fmin.outer(bottom, bottom)]
    yield "intersections", load("intersections"), np.stack(corners)

    overlaps = load("overlaps")
    yield "worst", load("worst"), np.sort(overlaps, axis=0)[-1]

    kept: list[int] = []
    remaining = list(range(len(boxes)))
    while remaining:
        best = remaining.pop(0)
        kept.append(best)
        area = shared(boxes[best], boxes[best])
        remaining = [
            at
            for at in remaining
            if 4 * (common := shared(boxes[best], boxes[at])) <= area + shared(boxes[at], boxes[at]) - common
        ]
    yield "worst", load("worst") <= 0.25, np.isin(np.arange(len(boxes)), kept)


def envelopes(load: Load) -> Iterator[Result]:
    """Python's max and min of the samples of each window."""
    samples, lengths, (_, _, windows, size) = load("samples"), load("lengths"), load("windows").shape
    least = -32768  # of a window without samples
    expected = np.full((len(lengths), 2, windows), least, dtype=np.int16)
    for at, length in enumerate(lengths):
        recording = samples[at, :length].tolist()
        for window in range(-(-len(recording) // size)):
            part = recording[window * size : (window + 1) * size]
            expected[at, :, window] = max(part), -1 - min(part)
    yield "peaks", load("peaks"), expected


EXAMPLES = (projections, fusion, brightest, suppression, envelopes)


def difference(name: str, actual: NDArray, expected: NDArray) -> str | None:
    """What is wrong with a result; None if nothing is."""
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return f"{name}.npy is {actual.dtype} {actual.shape}, expected {expected.dtype} {expected.shape}"
    wrong = np.argwhere(actual != expected)
    if not len(wrong):
        return None
    first = tuple(wrong[0].tolist())
    return f"{name}.npy: {len(wrong)} of {actual.size} elements are wrong; {list(first)} is {actual[first]}, expected {expected[first]}"


def problems(example: Callable[[Load], Iterator[Result]], load: Load) -> list[str]:
    return [problem for result in example(load) if (problem := difference(*result)) is not None]


def unnoticed(example: Callable[[Load], Iterator[Result]], load: Load) -> list[str]:
    """The results of an example in which one changed element is not noticed."""
    random = np.random.default_rng(2024)
    found: list[str] = []
    for name in dict.fromkeys(name for name, _, _ in example(load)):
        faulty = load(name).copy()
        at = tuple(int(random.integers(extent)) for extent in faulty.shape)
        faulty.view(f"u{faulty.itemsize}")[at] ^= 1
        if not problems(example, lambda wanted, name=name, faulty=faulty: faulty if wanted == name else load(wanted)):
            found.append(f"{name}.npy: a changed element {list(at)} is not noticed")
    return found


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "--faults"]
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    check = problems if "--faults" not in sys.argv else unnoticed
    failed = False
    for example in EXAMPLES:
        found = check(example, lambda name: np.load(folder / f"{name}.npy"))
        print(f"{example.__name__}: {'; '.join(found) or ('right' if check is problems else 'a changed element is noticed')}")
        failed |= bool(found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
