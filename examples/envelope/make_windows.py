#!/usr/bin/env python3
"""Reads eight recordings of a voice and cuts them into windows.

    /usr/bin/python3 examples/envelope/make_windows.py DIR

The recordings are those by which Debian's package alsa-utils tests loudspeakers (/usr/share/sounds/alsa, GPL-2): a voice says the name of
each loudspeaker, at 48,000 samples in a second. They are read where they lie and are no part of this project. They are written as

    DIR/samples.npy   int16 [8,windows * 480]: the samples, with -32768 after the end of the shorter recordings
    DIR/lengths.npy   int64 [8]: the number of samples
    DIR/windows.npy   int16 [8,2,windows,480]: windows of 10 ms of the samples x, and of ~x, which is -1 - x

The greatest element of a window of x is the upper envelope; that of ~x, inverted again, is the lower one: ~ reverses the order of all
65,536 values, whereas -x of -32768 would not be an int16. -32768 changes no maximum, because no value is less.
"""

from __future__ import annotations

import sys
import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SOUNDS = Path("/usr/share/sounds/alsa")
NAMES = ("Front_Left", "Front_Center", "Front_Right", "Side_Left", "Side_Right", "Rear_Left", "Rear_Center", "Rear_Right")
RATE, WINDOW = 48_000, 480
LEAST = np.iinfo(np.int16).min


def read(path: Path) -> NDArray[np.int16]:
    with wave.open(str(path)) as recording:
        if (recording.getnchannels(), recording.getsampwidth(), recording.getframerate()) != (1, 2, RATE):
            raise wave.Error(f"{path} is not one channel of 16 bits at {RATE} samples in a second")
        return np.frombuffer(recording.readframes(recording.getnframes()), dtype="<i2")


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        recordings = [read(SOUNDS / f"{name}.wav") for name in NAMES]
    except (OSError, EOFError, wave.Error) as error:
        print(f"make_windows.py: {error}", file=sys.stderr)
        return 1
    lengths = np.array([len(recording) for recording in recordings])
    windows = -(-lengths.max() // WINDOW)
    samples, inverted = (np.full((len(NAMES), windows * WINDOW), LEAST, dtype=np.int16) for _ in range(2))
    for at, recording in enumerate(recordings):
        samples[at, : len(recording)] = recording
        inverted[at, : len(recording)] = ~recording
    np.save(folder / "samples.npy", samples)
    np.save(folder / "lengths.npy", lengths)
    np.save(folder / "windows.npy", np.stack([samples, inverted], axis=1).reshape(len(NAMES), 2, windows, WINDOW))
    print(f"{folder}: windows.npy, {windows} windows of {WINDOW} samples of {len(NAMES)} recordings, upright and inverted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
