#!/usr/bin/env python3
"""Detects coins in a photograph, each many times over.

    /usr/bin/python3 examples/suppression/detect_coins.py DIR

correlates the photograph coins.png of Debian's package python3-skimage (24 coins from Pompeii, Brooklyn Museum, no known copyright
restrictions; it is read where it lies and is no part of this project) with bright discs of ten radii. Each position and radius whose
correlation coefficient is at least 0.75 is a detection. Sorted by descending score, they are written as

    DIR/boxes.npy          int16 [n,4]: left, top, right, bottom, in pixels; right and bottom are exclusive
    DIR/scores.npy         float32 [n]
    DIR/edges_column.npy   int16 [4,n,1]: left, top, -right, -bottom
    DIR/edges_row.npy      int16 [4,1,n]: the same

The Max of the last two, [4,n,n], has the edges of the intersection of each pair of boxes: its left edge is the greater one of the two left
edges, and its right edge the lesser one of the two right edges, for which the negated edges are.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from skimage.feature import match_template

COINS = Path("/usr/lib/python3/dist-packages/skimage/data/coins.png")
RADII = range(16, 35, 2)
BACKGROUND = 4  # pixels around the disc that are dark in the template
LEAST_SCORE = 0.75


def disc(radius: int) -> NDArray[np.float64]:
    reach = np.arange(-radius - BACKGROUND, radius + BACKGROUND + 1)
    return (np.hypot(reach[:, np.newaxis], reach) <= radius).astype(np.float64)


def detect(photograph: NDArray[np.uint8]) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """The boxes and their scores, the best first."""
    boxes, scores = [], []
    for radius in RADII:
        correlation = match_template(photograph.astype(np.float64), disc(radius))
        top, left = np.nonzero(correlation >= LEAST_SCORE)
        scores.append(correlation[top, left])
        corner = np.stack([left, top], axis=1) + BACKGROUND
        boxes.append(np.concatenate([corner, corner + 2 * radius + 1], axis=1))
    order = np.argsort(-np.concatenate(scores), kind="stable")
    return np.concatenate(boxes)[order].astype(np.int16), np.concatenate(scores)[order].astype(np.float32)


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with Image.open(COINS) as image:
            photograph = np.asarray(image.convert("L"))
    except OSError as error:
        print(f"detect_coins.py: {error}", file=sys.stderr)
        return 1
    boxes, scores = detect(photograph)
    edges = boxes.T * np.array([[1], [1], [-1], [-1]], dtype=np.int16)
    arrays = {"coins": photograph, "boxes": boxes, "scores": scores}
    arrays |= {"edges_column": edges[:, :, np.newaxis], "edges_row": edges[:, np.newaxis]}
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    print(f"{folder}: {len(boxes)} detections, with scores of {scores[-1]:.2f} to {scores[0]:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
