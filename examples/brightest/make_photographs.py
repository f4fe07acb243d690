#!/usr/bin/env python3
"""Reads three photographs for a "lighten" blend and for the brightest channel of each pixel.

    /usr/bin/python3 examples/brightest/make_photographs.py DIR

writes, as uint8 by row, column and channel (red, green, blue):

    DIR/day.npy     the Earth by day (earth.jpg of Debian's package xplanet-images), darkened where the sun is below the horizon when it
                    is above the equator at 95 degrees east
    DIR/night.npy   the lights of its cities (night.jpg of the same package)
    DIR/rocket.npy  a rocket before its launch, at dusk (rocket.jpg of python3-skimage)

The maps are NASA's, not copyrighted (https://visibleearth.nasa.gov); the rocket is SpaceX's, in the public domain. They are read where
they lie and are no part of this project.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

MAPS = Path("/usr/share/xplanet/images")
ROCKET = Path("/usr/lib/python3/dist-packages/skimage/data/rocket.jpg")
SUN_EAST = 95.0
# The sun's altitude in degrees at which dusk ends and begins; what remains of red, green and blue after dusk.
NIGHT, DAY = -12.0, 6.0
MOONLIGHT = np.array([0.10, 0.14, 0.30])


def read(path: Path) -> NDArray[np.uint8]:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def darken(earth: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The map, whose rows go from 90 degrees north to 90 south and columns from 180 west to 180 east, under the sun."""
    height, width, _ = earth.shape
    north = np.radians(90 - 180 * (np.arange(height)[:, np.newaxis] + 0.5) / height)
    east = np.radians(360 * (np.arange(width) + 0.5) / width - 180 - SUN_EAST)
    altitude = np.degrees(np.arcsin(np.cos(north) * np.cos(east)))
    light = np.clip((altitude - NIGHT) / (DAY - NIGHT), 0, 1)[:, :, np.newaxis]
    return np.rint(earth * (light + (1 - light) * MOONLIGHT)).astype(np.uint8)


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        photographs = {"day": darken(read(MAPS / "earth.jpg")), "night": read(MAPS / "night.jpg"), "rocket": read(ROCKET)}
    except OSError as error:
        print(f"make_photographs.py: {error}", file=sys.stderr)
        return 1
    for name, pixels in photographs.items():
        np.save(folder / f"{name}.npy", pixels)
    sizes = ", ".join(f"{name}.npy {' x '.join(map(str, pixels.shape))}" for name, pixels in photographs.items())
    print(f"{folder}: {sizes}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
