#!/usr/bin/env python3
"""Draws the score-fusion example: the four inputs and the fused map, in one picture.

    /usr/bin/python3 examples/score_fusion/show_fusion.py DIR FUSED.npy PICTURE.png

DIR is where make_model.py wrote the inputs, FUSED.npy is the model's output.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from numpy.typing import NDArray

NAN_COLOUR = "#e8308c"  # nowhere near a colour of the map, for any kind of colour vision
TITLE_SIZE, TEXT_SIZE = 13, 11

COLOURS = matplotlib.colormaps["cividis"].copy()
COLOURS.set_bad(NAN_COLOUR)
SCALE = {"cmap": COLOURS, "vmin": 0.0, "vmax": 1.0, "interpolation": "nearest"}


def title(name: str, array: NDArray[np.float32]) -> str:
    return f"{name}  [{','.join(map(str, array.shape))}]"


def show_map(axes: Axes, array: NDArray[np.float32]) -> matplotlib.image.AxesImage:
    """A map with its height and width last."""
    image = axes.imshow(array.reshape(array.shape[-2:]), **SCALE)
    axes.set_xlabel("column", fontsize=TEXT_SIZE)
    axes.set_ylabel("row", fontsize=TEXT_SIZE)
    return image


def show_profile(axes: Axes, values: NDArray[np.float32], vertical: bool) -> None:
    """A profile along one dimension: its curve, and below it (or beside it) what it looks like in the colours of the maps."""
    at = np.arange(values.size)
    strip = values[:, np.newaxis] if vertical else values[np.newaxis]
    if vertical:
        axes.plot(values, at, color="black", linewidth=1.8)
        axes.imshow(strip, extent=(-0.22, -0.04, values.size - 0.5, -0.5), aspect="auto", **SCALE)
        axes.set(xlim=(-0.22, 1.0), ylim=(values.size - 0.5, -0.5), xticks=[0, 0.5, 1])
        axes.set_xlabel("score", fontsize=TEXT_SIZE)
        axes.set_ylabel("row", fontsize=TEXT_SIZE)
    else:
        axes.plot(at, values, color="black", linewidth=1.8)
        axes.imshow(strip, extent=(-0.5, values.size - 0.5, -0.22, -0.04), aspect="auto", **SCALE)
        axes.set(ylim=(-0.22, 1.0), xlim=(-0.5, values.size - 0.5), yticks=[0, 0.5, 1])
        axes.set_xlabel("column", fontsize=TEXT_SIZE)
        axes.set_ylabel("score", fontsize=TEXT_SIZE)


def show_scalar(axes: Axes, value: float) -> None:
    axes.imshow([[value]], aspect="auto", **SCALE)
    axes.text(0, 0, f"{value:.2f}", ha="center", va="center", fontsize=26, color="white")
    axes.set(xticks=[], yticks=[])


def draw(inputs: dict[str, NDArray[np.float32]], fused: NDArray[np.float32], picture: Path) -> None:
    figure = plt.figure(figsize=(15, 6.8), dpi=100, layout="constrained")
    small, large = figure.subfigures(1, 2, width_ratios=[1, 1.12])

    small.suptitle("Inputs", fontsize=TITLE_SIZE + 3)
    axes = small.subplots(2, 2)
    show_map(axes[0, 0], inputs["detector"])
    show_profile(axes[0, 1], inputs["lane"], vertical=False)
    show_profile(axes[1, 0], inputs["horizon"].ravel(), vertical=True)
    show_scalar(axes[1, 1], float(inputs["floor"]))
    for one, name in zip(axes.flat, ("detector", "lane", "horizon", "floor")):
        one.set_title(title(name, inputs[name]), fontsize=TITLE_SIZE)
        one.set_box_aspect(fused.shape[-2] / fused.shape[-1])

    large.suptitle("Output", fontsize=TITLE_SIZE + 3)
    one = large.subplots()
    image = show_map(one, fused)
    one.set_title(title("fused", fused) + "  =  Max of all four, broadcast", fontsize=TITLE_SIZE)
    large.colorbar(image, ax=one, shrink=0.9).set_label("score", fontsize=TEXT_SIZE)
    count = int(np.isnan(fused).sum())
    legend = [Patch(color=NAN_COLOUR, label=f"NaN: {count} of {fused.size} pixels, from the detector's dead patch")]
    one.legend(handles=legend, loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize=TITLE_SIZE, frameon=False)

    figure.savefig(picture)


def main() -> int:
    if len(sys.argv) != 4:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    folder, output, picture = map(Path, sys.argv[1:])
    draw({name: np.load(folder / f"{name}.npy") for name in ("detector", "lane", "horizon", "floor")}, np.load(output), picture)
    print(f"{picture}: the inputs and the fused map")
    return 0


if __name__ == "__main__":
    sys.exit(main())
