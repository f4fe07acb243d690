#!/usr/bin/env python3
"""Reads the CT scan of a head from an InVesalius project.

    /usr/bin/python3 examples/projection/make_volume.py CRANIUM.inv3 DIR

writes DIR/volume.npy, int16 Hounsfield units by slice, row and column, and DIR/spacing.npy, the millimetres between two neighbours
along each of these. CRANIUM.inv3 is a file of Debian's package invesalius-examples, which scripts/setup.sh --demo installs:
/usr/share/doc/invesalius-examples/examples/Cranium.inv3. Copyright Centro de Tecnologia da Informacao Renato Archer, GPL-2; it is
read where it lies and is no part of this project.

Such a project is a compressed tar: main.plist says the matrix's file, type, shape and spacing. Nothing is unpacked to the disk.
"""

from __future__ import annotations

import plistlib
import sys
import tarfile
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray


def read_project(path: Path) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    """The matrix and its spacing, both by slice, row and column."""
    with tarfile.open(path) as archive:
        files = {PurePosixPath(member.name).name: member for member in archive if member.isfile()}

        def content(name: str) -> bytes:
            member = archive.extractfile(files[name])
            assert member is not None
            return member.read()

        project = plistlib.loads(content("main.plist"))
        matrix = project["matrix"]
        if matrix["dtype"] != "int16":
            raise ValueError(f"the matrix is {matrix['dtype']}, not int16")
        volume = np.frombuffer(content(matrix["filename"]), dtype="<i2").reshape(matrix["shape"])
    # The spacing is listed by column, row and slice.
    return volume, np.array(project["spacing"][::-1], dtype=np.float64)


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    source, folder = map(Path, sys.argv[1:])
    try:
        volume, spacing = read_project(source)
    except (OSError, KeyError, ValueError, tarfile.TarError, plistlib.InvalidFileException) as error:
        print(f"make_volume.py: {source} cannot be read as an InVesalius project: {error}", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "volume.npy", volume)
    np.save(folder / "spacing.npy", spacing)
    shape = " x ".join(map(str, volume.shape))
    print(f"{folder}: volume.npy, {shape} voxels of {' x '.join(f'{step:.2f}' for step in spacing)} mm, and spacing.npy")
    return 0


if __name__ == "__main__":
    sys.exit(main())
