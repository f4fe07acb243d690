#!/usr/bin/env python3
"""Draws the three maximum-intensity projections of a volume, each along one axis, in true proportions.

    /usr/bin/python3 examples/projection/show_projection.py DIR PICTURE.png

DIR is where make_volume.py wrote volume.npy and spacing.npy, and where `supremum reduce-max` wrote axis_0.npy, axis_1.npy and
axis_2.npy.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

TITLE_SIZE, TEXT_SIZE = 13, 11
SIDES = ("from above", "from the front", "from the side")
NAMES = ("slice", "row", "column")
# Hounsfield units: below is soft tissue and the head rest, above are teeth.
DARKEST, BRIGHTEST = 520, 2200


def draw(shape: tuple[int, ...], spacing: NDArray[np.float64], projections: list[NDArray[np.int16]], picture: Path) -> None:
    size = np.array(shape) * spacing  # millimetres
    kept = [[d for d in range(3) if d != axis] for axis in range(3)]
    figure, axes = plt.subplots(
        1, 3, figsize=(15, 5.4), dpi=100, layout="constrained", gridspec_kw={"width_ratios": [size[wide] for _, wide in kept]}
    )
    for axis, (one, projection, (high, wide)) in enumerate(zip(axes, projections, kept)):
        image = one.imshow(
            projection, cmap="gray", vmin=DARKEST, vmax=BRIGHTEST, origin="lower", extent=(0, size[wide], 0, size[high])
        )
        one.set_title(f"--axes {axis}  {SIDES[axis]}  [{projection.shape[0]},{projection.shape[1]}]", fontsize=TITLE_SIZE)
        one.set_xlabel(f"{NAMES[wide]}, mm", fontsize=TEXT_SIZE)
        one.set_ylabel(f"{NAMES[high]}, mm", fontsize=TEXT_SIZE)
    figure.suptitle(
        f"ReduceMax of a CT scan, int16 [{','.join(map(str, shape))}]: maximum-intensity projections",
        fontsize=TITLE_SIZE + 3,
    )
    figure.colorbar(image, ax=axes, shrink=0.9, extend="both", pad=0.01).set_label("Hounsfield units", fontsize=TEXT_SIZE)
    figure.savefig(picture)


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    folder, picture = map(Path, sys.argv[1:])
    shape = np.load(folder / "volume.npy", mmap_mode="r").shape
    projections = [np.load(folder / f"axis_{axis}.npy") for axis in range(3)]
    draw(shape, np.load(folder / "spacing.npy"), projections, picture)
    print(f"{picture}: the three projections")
    return 0


if __name__ == "__main__":
    sys.exit(main())
