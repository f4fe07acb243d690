#!/usr/bin/env python3
"""Draws the "lighten" blend of two photographs and the brightest channel of a third, in one picture.

    /usr/bin/python3 examples/brightest/show_brightest.py DIR PICTURE.png

DIR is where make_photographs.py wrote day.npy, night.npy and rocket.npy, and where `supremum max` wrote lighten.npy and
`supremum reduce-max` wrote value.npy.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

TITLE_SIZE, TEXT_SIZE = 13, 11
# The part of the maps that is shown, which is from 75 degrees north to 40 south and from 135 west to 60 east.
SHOWN = (slice(85, 740), slice(256, 1365))


def title(name: str, array: NDArray[np.uint8]) -> str:
    return f"{name}  [{','.join(map(str, array.shape))}]"


def show_image(axes: Axes, pixels: NDArray[np.uint8], text: str) -> None:
    axes.imshow(pixels, cmap="gray", vmin=0, vmax=255, interpolation="antialiased")
    axes.set_title(text, fontsize=TEXT_SIZE)
    axes.set_axis_off()


def draw(arrays: dict[str, NDArray[np.uint8]], picture: Path) -> None:
    figure = plt.figure(figsize=(15, 10.2), dpi=100, layout="constrained")
    upper, lower = figure.subfigures(2, 1, height_ratios=[2.25, 1])

    upper.suptitle("Max of two photographs: the blend that image editors call “lighten”", fontsize=TITLE_SIZE + 3)
    axes = upper.subplot_mosaic([["day", "lighten"], ["night", "lighten"]], width_ratios=[1, 2.06])
    texts = {"day": "day, darkened where the sun is low", "night": "night", "lighten": "a part of lighten = Max(day, night)"}
    for name, text in texts.items():
        show_image(axes[name], arrays[name][SHOWN], title(text, arrays[name]))

    lower.suptitle("ReduceMax over the channels of one photograph: the value (V) of its HSV colours", fontsize=TITLE_SIZE + 3)
    rocket, value = arrays["rocket"], arrays["value"]
    panels = [(rocket, title("rocket", rocket)), *((rocket[:, :, at], name) for at, name in enumerate(("red", "green", "blue")))]
    panels.append((value, title("value", value)))
    for one, (pixels, text) in zip(lower.subplots(1, len(panels)), panels):
        show_image(one, pixels, text)
    lower.text(0.997, 0.02, "maps: NASA Visible Earth; rocket: SpaceX", fontsize=TEXT_SIZE - 2, color="gray", ha="right")
    figure.savefig(picture)


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    folder, picture = map(Path, sys.argv[1:])
    draw({name: np.load(folder / f"{name}.npy") for name in ("day", "night", "lighten", "rocket", "value")}, picture)
    print(f"{picture}: the blend and the brightest channel")
    return 0


if __name__ == "__main__":
    sys.exit(main())
