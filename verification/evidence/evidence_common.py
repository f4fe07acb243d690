"""What the scripts behind the evidence share: where it goes, digests of sources, which package of the distribution a file comes from."""

from __future__ import annotations

import hashlib
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EVIDENCE = ROOT / "docs" / "evidence"  # pages that people wrote
MADE = ROOT / "build" / "evidence"  # what scripts make: part of a release archive, not of the repository

# What is built: the folders and files whose change changes what is built.
BUILT_FROM = ["CMakeLists.txt", "CMakePresets.json", "scripts/cmake", "include", "src", "tools", "python"]


def output_of(*command: str | Path, cwd: Path = ROOT) -> str:
    """What a command prints; empty where it is not installed or fails."""
    try:
        done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def files_below(*names: str) -> list[Path]:
    """The files of the repository in these folders, or these files themselves; relative, sorted, nothing that git ignores."""
    listed = output_of("git", "ls-files", "-co", "--exclude-standard", "--", *names).splitlines()
    if not listed:  # not a git checkout
        paths = [path for name in names for path in ([ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*"))]
        listed = [str(path.relative_to(ROOT)) for path in paths if path.is_file() and "__pycache__" not in path.parts]
    return sorted(Path(name) for name in set(listed) if (ROOT / name).is_file())


def digest_of(*names: str) -> str:
    """One SHA-256 of files: of the lines `SHA-256  path`, as sha256sum writes them, in the order of the paths."""
    lines = [f"{sha256((ROOT / path).read_bytes())}  {path}\n" for path in files_below(*names)]
    return sha256("".join(lines).encode())


def source_digest() -> str:
    """The SHA-256 of everything that is built."""
    return digest_of(*BUILT_FROM)


@dataclass(frozen=True, order=True)
class Package:
    """A binary package of the distribution."""

    name: str
    version: str
    source: str


@cache
def owners() -> dict[str, str]:
    """file -> the installed package that it belongs to, from dpkg's own lists: to ask dpkg for each file takes minutes."""
    found: dict[str, str] = {}
    for path in sorted(Path("/var/lib/dpkg/info").glob("*.list")):
        for file in path.read_text(encoding="utf-8", errors="replace").splitlines():
            found.setdefault(file, path.stem)
    return found


@cache
def package_of(file: str) -> Package | None:
    """The installed package that a file belongs to, its links followed. Older packages list /lib, which is /usr/lib today."""
    real = str(Path(file).resolve())
    for candidate in (real, real.removeprefix("/usr"), file, file.removeprefix("/usr")):
        if candidate in owners():
            return package(owners()[candidate])
    return None


@cache
def package(name: str) -> Package | None:
    """An installed package by its name."""
    shown = output_of("dpkg-query", "-W", "-f=${Package}\t${Version}\t${source:Package}", name).split("\t")
    return Package(*shown) if len(shown) == 3 else None


@dataclass(frozen=True)
class Artefact:
    """Something that is built and installed."""

    target: str  # of CMake
    path: Path  # below the build folder


# target of CMake -> what it becomes, below the build folder
ARTEFACTS = [
    Artefact("supremum", Path("lib/libsupremum.a")),
    Artefact("supremum_graph", Path("lib/libsupremum_graph.a")),
    Artefact("supremum_json", Path("lib/libsupremum_json.a")),
    Artefact("supremum_onnx", Path("lib/libsupremum_onnx.a")),
    Artefact("supremum_onednn", Path("lib/libsupremum_onednn.a")),
    Artefact("supremum_c", Path("lib/libsupremum.so")),
    Artefact("supremum_c_models", Path("lib/libsupremum_onnx.so")),
    Artefact("supremum_command", Path("bin/supremum")),
]


def cache_of(build: Path) -> dict[str, str]:
    """The entries of CMake's cache."""
    text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+):\w+=(.*)$", text, re.MULTILINE))


ROOMS = ["include", "src/core", "src/rules", "src/lane", "src/kernels", "src/ops"]
# page of build/evidence -> what its measurements depend on
MEASURED_ON = {
    "c99-size.md": ["src/c99", "verification/proofs/extracted"],
    "configuration.md": BUILT_FROM,
    "coverage.md": [*ROOMS, "src/graph", "src/reference", "src/frontends", *(f"tests/{room}" for room in ("core", "rules", "lane", "ops", "graph", "reference", "frontends", "support"))],
    "determinism.md": [*ROOMS, "verification/determinism"],
    "memory.md": [*ROOMS, "tests/plain"],
    "microcontrollers.md": ["src/c99", "tests/c99", "verification/proofs/extracted", "verification/proofs/microcontroller", "kit/cases/cases.sha256"],
    "time.md": [*ROOMS, "tests/instructions"],
}


def made_from(page: str) -> str:
    """The line of a page that says which sources its measurements were made from."""
    return f"Made from the sources with the digest `{digest_of(*MEASURED_ON[page])}`."


def write_made(name: str, title: str, script: str, text: str) -> None:
    """Writes a page of build/evidence: a title, the script that made it, the digest of the sources if it has measurements, `text`."""
    MADE.mkdir(parents=True, exist_ok=True)
    made = made_from(name) + "\n\n" if name in MEASURED_ON else ""
    (MADE / name).write_text(f"# {title}\n\nMade by `{script}`.\n\n{made}{text.strip()}\n", encoding="utf-8")
