"""A chart of lines of text: it is short enough to be committed, unlike the picture of every case (plot.py)."""

from __future__ import annotations

import math

LEAST, MOST, COLUMNS_OF_A_DOUBLING = 0.5, 64.0, 6
WIDTH = round(math.log2(MOST / LEAST)) * COLUMNS_OF_A_DOUBLING + 1


def column(ratio: float) -> int:
    """The place of a ratio on a logarithmic axis; beyond its ends, the end."""
    return round(math.log2(min(max(ratio, LEAST), MOST) / LEAST) * COLUMNS_OF_A_DOUBLING)


def axis() -> str:
    marks = [" "] * (WIDTH + 3)
    for doubling in range(round(math.log2(MOST / LEAST)) + 1):
        for i, letter in enumerate(f"{LEAST * 2**doubling:g}"):
            marks[doubling * COLUMNS_OF_A_DOUBLING + i] = letter
    return "".join(marks).rstrip()


def chart(rows: list[tuple[str, dict[str, float]]]) -> list[str]:
    """A line for each row; each mark, a letter, at the place of its ratio. Of two marks at one place, the last is shown."""
    width = max(len(name) for name, _ in rows)
    lines = ["```text", f"{'':{width}}  {axis()}"]
    for name, ratios in rows:
        cells = ["."] * WIDTH
        cells[column(1.0)] = "|"
        for mark, ratio in ratios.items():
            if not math.isnan(ratio):
                cells[column(ratio)] = mark
        lines.append(f"{name:{width}}  {''.join(cells)}")
    return [*lines, "```", ""]
