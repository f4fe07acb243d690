"""A plot of every case of a run against the limit, as SVG."""

from __future__ import annotations

import math
from typing import Any

import bounds

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 520, 60, 20, 50, 50
COLOURS = {"Max": "#1f6fb2", "ReduceMax": "#c8571b"}
PEER_COLOUR = "#9a9a9a"
LEAST, MOST = 0.25, 64.0  # of the ratio


def x_of(size: float, low: float, high: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (math.log2(size) - low) / (high - low)


def y_of(ratio: float) -> float:
    part = math.log2(min(max(ratio, LEAST), MOST) / LEAST) / math.log2(MOST / LEAST)
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part


def text(x: float, y: float, content: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{content}</text>'


def size_name(exponent: int) -> str:
    return f"{2 ** (exponent - 20)} MiB" if exponent >= 20 else f"{2 ** (exponent - 10)} KiB"


def draw(results: list[dict[str, Any]]) -> str:
    """Bytes moved to the right, time over the limit upwards, both logarithmic; the fastest peer of each case in grey."""
    sizes = [result["bytes"] for result in results]
    low, high = math.floor(math.log2(min(sizes))), math.ceil(math.log2(max(sizes)))
    high = max(high, low + 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text(WIDTH / 2, 20, "Time over the time of a bare loop that moves the same bytes, one thread"),
    ]
    legend = [("supremum, Max", COLOURS["Max"]), ("supremum, ReduceMax", COLOURS["ReduceMax"]), ("fastest peer", PEER_COLOUR)]
    for i, (name, colour) in enumerate(legend):
        x = LEFT + 20 + 190 * i
        lines += [f'<circle cx="{x}" cy="36" r="4" fill="{colour}"/>', text(x + 10, 40, name, "start")]
    for exponent in range(low, high + 1):
        x = x_of(2.0**exponent, low, high)
        lines.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#eeeeee"/>')
        if exponent % 3 == 1 or high - low < 6:
            lines.append(text(x, HEIGHT - BOTTOM + 18, size_name(exponent)))
    ratio = LEAST
    while ratio <= MOST:
        y = y_of(ratio)
        colour = "#444444" if ratio == 1 else "#eeeeee"
        lines.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{colour}"/>')
        lines.append(text(LEFT - 8, y + 4, f"{ratio:g}", "end"))
        ratio *= 2
    lines.append(text(WIDTH / 2, HEIGHT - 10, "bytes moved"))
    for result in results:
        limit, others = bounds.time_of(result, "limit"), bounds.peers(result)
        if others:
            lines.append(dot(result, min(others.values()) / limit, PEER_COLOUR, low, high))
    for result in results:
        lines.append(dot(result, bounds.own(result) / bounds.time_of(result, "limit"), COLOURS[result["op"]], low, high))
    return "\n".join([*lines, "</svg>"]) + "\n"


def dot(result: dict[str, Any], ratio: float, colour: str, low: int, high: int) -> str:
    x, y = x_of(result["bytes"], low, high), y_of(ratio)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}" fill-opacity="0.7"/>'
