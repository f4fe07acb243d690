#!/usr/bin/env python3
"""Draws the detections before and after the suppression, in one picture.

    /usr/bin/python3 examples/suppression/show_suppression.py DIR PICTURE.png

DIR is where detect_coins.py wrote coins.npy, boxes.npy and scores.npy, and where `supremum reduce-max` wrote worst.npy: how much each box
overlaps with a better one. A box is kept if that is at most GREATEST_OVERLAP.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PolyCollection
from matplotlib.colors import Normalize
from numpy.typing import NDArray

TITLE_SIZE, TEXT_SIZE = 13, 11
GREATEST_OVERLAP = 0.25
COLOURS = matplotlib.colormaps["plasma"]


def corners(boxes: NDArray[np.int16]) -> NDArray[np.int16]:
    """The four corners of each box, as [n,4,2]."""
    return boxes[:, [[0, 1], [2, 1], [2, 3], [0, 3]]]


def show_boxes(axes: Axes, photograph: NDArray[np.uint8], boxes: NDArray[np.int16], colours: NDArray[np.float64], width: float) -> None:
    height, across = photograph.shape
    axes.imshow(photograph, cmap="gray", vmin=0, vmax=255, extent=(0, across, height, 0))
    axes.add_collection(PolyCollection(corners(boxes), facecolors="none", edgecolors=colours, linewidths=width))
    axes.set_xlabel("column", fontsize=TEXT_SIZE)
    axes.set_ylabel("row", fontsize=TEXT_SIZE)


def draw(
    photograph: NDArray[np.uint8], boxes: NDArray[np.int16], scores: NDArray[np.float32], kept: NDArray[np.bool_], picture: Path
) -> None:
    figure, (before, after) = plt.subplots(1, 2, figsize=(15, 6.4), dpi=100, layout="constrained")
    scale = Normalize(float(scores.min()), float(scores.max()))
    worst_first = slice(None, None, -1)  # so that the best boxes are on top
    show_boxes(before, photograph, boxes[worst_first], COLOURS(scale(scores[worst_first]), alpha=0.5), 0.7)
    before.set_title(f"{len(boxes):,} detections", fontsize=TITLE_SIZE)
    show_boxes(after, photograph, boxes[kept], COLOURS(scale(scores[kept])), 2)
    after.set_title(f"{np.count_nonzero(kept)} of them overlap with no better one by more than {GREATEST_OVERLAP:.0%}", fontsize=TITLE_SIZE)
    for (_, top, right, _), score in zip(boxes[kept], scores[kept]):
        after.text(right, top - 2, f"{score:.2f}", color="white", fontsize=TEXT_SIZE - 1, ha="right", va="bottom")
    figure.suptitle("Non-maximum suppression: Max of the edges of each pair of boxes, ReduceMax of their overlaps", fontsize=TITLE_SIZE + 3)
    colours = ScalarMappable(scale, COLOURS)
    figure.colorbar(colours, ax=[before, after], shrink=0.85, pad=0.01).set_label("score: correlation with a disc", fontsize=TEXT_SIZE)
    figure.text(0.997, 0.01, "photograph: Brooklyn Museum", fontsize=TEXT_SIZE - 2, color="gray", ha="right")
    figure.savefig(picture)


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    folder, picture = map(Path, sys.argv[1:])
    photograph, boxes, scores, worst = (np.load(folder / f"{name}.npy") for name in ("coins", "boxes", "scores", "worst"))
    draw(photograph, boxes, scores, worst <= GREATEST_OVERLAP, picture)
    print(f"{picture}: the detections before and after the suppression")
    return 0


if __name__ == "__main__":
    sys.exit(main())
