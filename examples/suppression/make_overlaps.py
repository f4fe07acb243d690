#!/usr/bin/env python3
"""Computes how much each pair of boxes overlap: the arithmetic between the two maxima of the suppression.

    /usr/bin/python3 examples/suppression/make_overlaps.py DIR

reads DIR/boxes.npy and DIR/intersections.npy, int16 [4,n,n], which `supremum max` computed of edges_column.npy and edges_row.npy, and
writes DIR/overlaps.npy, float32 [n,n]. Its element [i,j] is the area of the intersection of boxes i and j over the area of their union if
box i has the better score, that is if i < j, and 0 otherwise. The greatest element of column j then says how much box j overlaps with a
better one.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def overlaps(boxes: NDArray[np.int16], intersections: NDArray[np.int16]) -> NDArray[np.float32]:
    left, top, minus_right, minus_bottom = intersections.astype(np.int32)
    shared = np.maximum(-minus_right - left, 0) * np.maximum(-minus_bottom - top, 0)
    size = boxes[:, 2:].astype(np.int32) - boxes[:, :2]
    area = size.prod(axis=1)
    return np.triu(shared / (area[:, np.newaxis] + area - shared), k=1).astype(np.float32)


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    result = overlaps(np.load(folder / "boxes.npy"), np.load(folder / "intersections.npy"))
    np.save(folder / "overlaps.npy", result)
    print(f"{folder}: overlaps.npy, {np.count_nonzero(result)} of {result.size} are not 0")
    return 0


if __name__ == "__main__":
    sys.exit(main())
