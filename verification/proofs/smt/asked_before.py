"""What solvers and provers were asked before: files of digests, and which of it is asked again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest_of(given: Iterable[str]) -> str:
    """The digest of all that an answer depends on."""
    return hashlib.sha256("\0".join(given).encode()).hexdigest()


def recorded(path: Path) -> dict[str, str]:
    """What stands in a file behind each digest; nothing if there is no file."""
    lines = [line.split(" ", 1) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return {digest: rest for digest, rest in lines}


def a_sixth_of(names: Iterable[str], salt: str) -> set[str]:
    """A sixth of the names, rounded up: other ones with another salt."""
    ordered = sorted(names, key=lambda name: hashlib.sha256(f"{salt}{name}".encode()).digest())
    return set(ordered[: (len(ordered) + 5) // 6])
