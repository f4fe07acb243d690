"""Files that an audit writes: all of them when it has succeeded, and none before."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Optional

from .audit import SYSTEM, USAGE, Failure
from .report import printable


class Outputs:
    """The files are claimed before any runner starts, so that one that cannot be written is reported at once."""

    def __init__(self) -> None:
        self._inputs: list[Path] = []
        self._claimed: dict[Path, str] = {}
        self._filled: dict[Path, str] = {}  # new folders
        self._drafts: list[tuple[Optional[str], Path]] = []  # a temporary file, or None for a file that is no regular one
        self._made: list[Path] = []  # folders, the outermost first

    def reads(self, path: Path) -> None:
        """No output replaces this file."""
        self._inputs.append(_real(path))

    def claim(self, option: str, path: Path, mode: int = 0o666, new: bool = False) -> int:
        """A number for `write`. Raises Failure if the file is also an input or another output, or cannot be written."""
        shown, real = f"{option} {printable(str(path))}", _real(path)
        if real in self._inputs:
            raise Failure(USAGE, f"{shown} is also an input; name another file")
        device = path.exists() and not path.is_file() and not path.is_dir()  # /dev/null, which several outputs may be, or a pipe
        if real in self._claimed and not device:
            raise Failure(USAGE, f"{shown} is also {self._claimed[real]}; name another file")
        for folder in self._filled:
            if folder in real.parents:
                raise Failure(USAGE, f"{shown} is inside {self._filled[folder]}, which has only the files of the issues; name another file")
        self._claimed[real] = shown
        if real.is_dir():
            raise Failure(SYSTEM, f"'{printable(str(path))}' cannot be written: it is a folder")
        if new and os.path.lexists(path):
            raise Failure(SYSTEM, f"'{printable(str(path))}' cannot be created: the name is in use; name another file, or remove it")
        if device:
            self._drafts.append((None, path))
            return len(self._drafts) - 1
        try:
            descriptor, draft = tempfile.mkstemp(prefix=".", suffix=".part", dir=real.parent)
            mask = os.umask(0)
            os.umask(mask)
            os.fchmod(descriptor, mode & ~mask)
            os.close(descriptor)
        except OSError as error:
            raise Failure(SYSTEM, f"'{printable(str(path))}' cannot be created: {error.strerror}; check its folder") from error
        self._drafts.append((draft, path if new else real))
        return len(self._drafts) - 1

    def folder(self, option: str, path: Path, new: bool = False) -> Path:
        """Makes a folder. Raises Failure if it cannot be made, or if it must be `new` and has files."""
        shown = printable(str(path))
        if new and path.exists() and not path.is_dir():
            raise Failure(USAGE, f"{option} {shown} is not a folder; name another one")
        try:
            missing = [one for one in [path, *path.parents] if not one.exists()]
            for one in reversed(missing):
                one.mkdir()
                self._made.append(one)
            if new and any(path.iterdir()):
                raise Failure(USAGE, f"{option} {shown}: the folder has files; name another folder, or remove it")
        except OSError as error:
            raise Failure(SYSTEM, f"'{shown}' cannot be made: {error.strerror}") from error
        if new:
            self._filled[_real(path)] = f"{option} {shown}"
        return path

    def write(self, number: int, text: str) -> None:
        draft, path = self._drafts[number]
        try:
            with open(draft or path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                if draft:
                    os.fsync(file.fileno())
        except OSError as error:
            raise Failure(SYSTEM, f"'{printable(str(path))}' cannot be written: {error.strerror}") from error

    def deliver(self, new: bool = False) -> None:
        """Gives all files their names. `new`: no file is replaced."""
        while self._drafts:
            draft, path = self._drafts.pop(0)
            try:
                if draft and new:
                    os.link(draft, path)
                    os.unlink(draft)
                elif draft:
                    os.replace(draft, path)
            except OSError as error:
                self._drafts.append((draft, path))
                raise Failure(SYSTEM, f"'{printable(str(path))}' cannot be written: {error.strerror}") from error
        self._made.clear()

    def discard(self) -> None:
        """After an error: removes the temporary files and the folders that were made, if they are empty."""
        for draft, _ in self._drafts:
            if draft:
                Path(draft).unlink(missing_ok=True)
        for folder in reversed(self._made):
            try:
                folder.rmdir()
            except OSError:  # issues were written into it
                pass


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
