"""A processor that computes with terms instead of numbers: what both kinds of processors share."""

from __future__ import annotations

from collections import Counter

from terms import Term, concat, const, extract, leaf


class NoModel(Exception):
    """An instruction, operand or address that the models do not cover: nothing is concluded."""


def as_width(elements: list[Term], width: int) -> list[Term]:
    """The same bits as elements of another width, the lowest ones first."""
    have = elements[0].width
    if have == width:
        return elements
    if have > width:
        return [extract(e, low + width - 1, low) for e in elements for low in range(0, have, width)]
    count = width // have
    if len(elements) % count:
        raise NoModel(f"{len(elements)} elements of {have} bits as elements of {width}")
    return [concat(elements[i : i + count][::-1]) for i in range(0, len(elements), count)]


def of_number(value: int, bits: int, width: int) -> list[Term]:
    """A constant of so many bits as elements."""
    return [const(value >> low, width) for low in range(0, bits, width)]


class Memory:
    """The vectors at `in`, which are leaves, and those written at `out`, each byte once."""

    def __init__(self, width: int, vector_bytes: int, inputs: int) -> None:
        self.width, self.vector_bytes, self.inputs = width, vector_bytes, inputs
        self.written: dict[int, Term | None] = {}  # where an element begins; None for its other bytes
        self.used: Counter[tuple[object, ...]] = Counter()

    def load(self, offset: int, size: int) -> list[Term]:
        """Elements of the inputs."""
        step = self.width // 8
        if offset % step or size % step or not 0 <= offset <= self.inputs * self.vector_bytes - size:
            raise NoModel(f"{size} bytes at {offset} of the inputs")
        lanes = self.vector_bytes // step
        return [leaf(place // lanes, place % lanes, self.width) for place in range(offset // step, (offset + size) // step)]

    def store(self, offset: int, elements: list[Term]) -> None:
        """Writes an output."""
        for element in elements:
            for k in range(element.width // 8):
                if offset + k in self.written:
                    raise NoModel(f"byte {offset + k} of the output is written twice")
                self.written[offset + k] = None
            self.written[offset] = element
            offset += element.width // 8

    def outputs(self, count: int) -> list[list[Term]]:
        """The vectors that were written: all of so many, and nothing else."""
        if sorted(self.written) != list(range(count * self.vector_bytes)):
            raise NoModel(f"{len(self.written)} bytes of {count} vectors are written")
        elements = [self.written[k] for k in sorted(self.written)]
        stored = [e for e in elements if e is not None]
        lanes = self.vector_bytes * 8 // self.width
        if any(e.width != self.width for e in stored):
            stored = as_width([byte for e in stored for byte in as_width([e], 8)], self.width)
        return [stored[k : k + lanes] for k in range(0, len(stored), lanes)]
