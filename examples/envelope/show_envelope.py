#!/usr/bin/env python3
"""Draws the peak envelopes of eight recordings where their loudspeakers are in a room, and a part of one beside its samples.

    /usr/bin/python3 examples/envelope/show_envelope.py DIR PICTURE.png

DIR is where make_windows.py wrote samples.npy, lengths.npy and windows.npy, and where `supremum reduce-max` wrote peaks.npy.
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

from make_windows import NAMES, RATE, WINDOW

TITLE_SIZE, TEXT_SIZE = 13, 11
ENVELOPE, PEAK, SAMPLES = "#2f6db3", "#c8371b", "#555555"
# Three rows of loudspeakers; the middle of the room has the detail, of this recording and between these times in seconds.
ROOM = [["Front_Left", "Front_Center", "Front_Right"], ["Side_Left", "detail", "Side_Right"], ["Rear_Left", "Rear_Center", "Rear_Right"]]
DETAIL, DETAIL_FROM, DETAIL_TO = "Front_Center", 0.10, 0.25


def steps(low: NDArray[np.int16], high: NDArray[np.int16]) -> tuple[NDArray[np.float64], NDArray[np.int16], NDArray[np.int16]]:
    """The time at which each window begins, and the last one's end; the envelopes, with the last value twice."""
    return np.arange(len(low) + 1) * WINDOW / RATE, np.append(low, low[-1]), np.append(high, high[-1])


def show_envelope(axes: Axes, low: NDArray[np.int16], high: NDArray[np.int16]) -> None:
    times, lows, highs = steps(low, high)
    axes.fill_between(times, lows, highs, step="post", color=ENVELOPE, linewidth=0)


def show_recording(axes: Axes, name: str, low: NDArray[np.int16], high: NDArray[np.int16]) -> None:
    show_envelope(axes, low, high)
    at = int(np.argmax(np.maximum(high.astype(np.int32), -low.astype(np.int32))))
    peak = high[at] if high[at] > -int(low[at]) else low[at]
    axes.plot((at + 0.5) * WINDOW / RATE, peak, "o", color=PEAK, markersize=5)
    axes.set_title(f"{name.replace('_', ' ')}, peak {peak:,} ({20 * np.log10(abs(int(peak)) / 32768):.1f} dBFS)", fontsize=TITLE_SIZE)


def show_detail(axes: Axes, samples: NDArray[np.int16], low: NDArray[np.int16], high: NDArray[np.int16]) -> None:
    times, lows, highs = steps(low, high)
    axes.fill_between(times, lows, highs, step="post", color=ENVELOPE, alpha=0.25, linewidth=0)
    for edge in (lows, highs):
        axes.step(times, edge, where="post", color=ENVELOPE, linewidth=1.6)
    axes.plot(np.arange(len(samples)) / RATE, samples, color=SAMPLES, linewidth=0.8)
    part = slice(int(DETAIL_FROM * RATE), int(DETAIL_TO * RATE))
    reach = 1.15 * float(np.abs(samples[part].astype(np.int32)).max())
    axes.set(xlim=(DETAIL_FROM, DETAIL_TO), ylim=(-reach, reach))
    axes.set_title(f"a part of {DETAIL.replace('_', ' ')}: samples, and the envelope", fontsize=TITLE_SIZE)


def draw(samples: NDArray[np.int16], lengths: NDArray[np.int64], shape: tuple[int, ...], peaks: NDArray[np.int16], picture: Path) -> None:
    figure, room = plt.subplot_mosaic(ROOM, figsize=(15, 8.4), dpi=100, layout="constrained")
    reach = 1.12 * float(np.abs(peaks.astype(np.int32)[:, :, : lengths.min() // WINDOW]).max())
    for at, name in enumerate(NAMES):
        used = -(-int(lengths[at]) // WINDOW)
        low, high = ~peaks[at, 1, :used], peaks[at, 0, :used]
        show_recording(room[name], name, low, high)
        room[name].set(xlim=(0, shape[2] * WINDOW / RATE), ylim=(-reach, reach))
        if name == DETAIL:
            show_detail(room["detail"], samples[at, : lengths[at]], low, high)
            room[name].axvspan(DETAIL_FROM, DETAIL_TO, color="black", alpha=0.1, linewidth=0)
    for row in ROOM:
        room[row[0]].set_ylabel("sample, int16", fontsize=TEXT_SIZE)
    for name in ROOM[-1]:
        room[name].set_xlabel("seconds", fontsize=TEXT_SIZE)
    figure.suptitle(
        f"ReduceMax of windows of {1000 * WINDOW // RATE} ms, int16 [{','.join(map(str, shape))}], over the last axis: "
        "peak envelopes of eight recordings",
        fontsize=TITLE_SIZE + 3,
    )
    figure.savefig(picture)


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    folder, picture = map(Path, sys.argv[1:])
    shape = np.load(folder / "windows.npy", mmap_mode="r").shape
    draw(np.load(folder / "samples.npy"), np.load(folder / "lengths.npy"), shape, np.load(folder / "peaks.npy"), picture)
    print(f"{picture}: the envelopes of the recordings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
