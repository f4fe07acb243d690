"""Completes a wheel: puts the shared libraries that its modules need into it, with their licences, and checks the result.

    wheel.py WHEEL FOLDER    writes the complete wheel into FOLDER

As auditwheel does, which Debian does not have: what is not on every Linux system (the C library, and GCC's run-time libraries) is
copied into supremum.libs under a name of its own, so that a process may have another version of the same library beside it. The tag
becomes manylinux with the version of the C library that the newest symbol needs.

Only libraries of MAY_BE_INSIDE are copied; a module that needs another one is an error. The module for PyTorch is left out: it is for one
version of PyTorch alone, and is built where that is installed (docs/pytorch.md).
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# PEP 600: on every system whose C library is new enough.
ON_EVERY_SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libstdc++.so.6", "libgcc_s.so.1",
                   "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
LIBRARIES = "supremum.libs"
# The libraries that supremum links, and their own dependencies. All have licences that allow it: Apache-2.0, BSD, zlib, MIT, bzip2, 0BSD.
MAY_BE_INSIDE = re.compile(r"lib(onnx|onnx_proto|protobuf|hwy|tbb|tbbbind_\d_\d|hwloc|zip|z|bz2|lzma|zstd|crypto)\.so[.\d]*")


def run(*command: object) -> str:
    """The standard output of a command that must succeed."""
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def fail(message: str) -> None:
    raise SystemExit(f"wheel.py: {message}")


def modules_in(folder: Path) -> list[Path]:
    """The ELF files below a folder."""
    return sorted(path for path in folder.rglob("*.so*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF")


def needed(file: Path) -> list[str]:
    return run("patchelf", "--print-needed", file).split()


def library_files(file: Path) -> dict[str, Path]:
    """Each library that the loader finds for a file, by the name under which it is asked for."""
    found = dict(re.findall(r"^\s*(\S+) => (/\S+) ", run("ldd", file), re.MULTILINE))
    missing = [name for name in needed(file) if name not in found and name not in ON_EVERY_SYSTEM]
    if missing:
        fail(f"{file.name} needs {', '.join(missing)}, which is not on this system")
    return {name: Path(path).resolve() for name, path in found.items()}


def copy_libraries(tree: Path) -> dict[str, Path]:
    """Copies what the modules of the tree need, directly and indirectly. Returns where each library came from, by its new name."""
    origins: dict[str, Path] = {}
    renamed: dict[str, str] = {}
    waiting = modules_in(tree)
    for module in waiting:
        run("patchelf", "--set-rpath", f"$ORIGIN/../{LIBRARIES}", module)
    (tree / LIBRARIES).mkdir()
    while waiting:
        file = waiting.pop()
        origin = origins.get(file.name, file)
        for name, source in library_files(origin).items():
            if name in ON_EVERY_SYSTEM or name not in needed(origin):
                continue
            if not MAY_BE_INSIDE.fullmatch(name):
                fail(f"{file.name} needs {name}, which is not among the libraries that a wheel may have inside (MAY_BE_INSIDE)")
            if name not in renamed:
                digest = hashlib.sha256(source.read_bytes()).hexdigest()[:8]
                stem, _, version = name.partition(".so")
                renamed[name] = f"{stem}-{digest}.so{version}"
                copy = tree / LIBRARIES / renamed[name]
                shutil.copyfile(source, copy)
                copy.chmod(0o755)
                run("strip", "--strip-unneeded", copy)
                run("patchelf", "--set-soname", copy.name, "--set-rpath", "$ORIGIN", copy)
                origins[copy.name] = source
                waiting.append(copy)
            run("patchelf", "--replace-needed", name, renamed[name], file)
    return origins


def copy_licences(origins: dict[str, Path], licences: Path) -> None:
    """The copyright file of the package of each library."""
    licences.mkdir(exist_ok=True)
    for origin in origins.values():
        for path in (origin, Path(str(origin).removeprefix("/usr"))):  # dpkg may know /lib for /usr/lib
            owner = subprocess.run(["dpkg", "--search", path], capture_output=True, text=True, check=False)
            if owner.returncode == 0:
                break
        else:
            fail(f"{origin} belongs to no package, so that its licence is not known")
        package = owner.stdout.split(":")[0]
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", licences / f"{package}.txt")


def c_library(tree: Path) -> str:
    """The version of the C library that the newest symbol of any file needs, like 2.36. Checks each file."""
    inside = {path.name for path in (tree / LIBRARIES).iterdir()}
    versions = set()
    for file in modules_in(tree):
        outside = set(needed(file)) - inside - ON_EVERY_SYSTEM
        if outside:
            fail(f"{file.name} still needs {', '.join(sorted(outside))}")
        rpath = run("patchelf", "--print-rpath", file).strip()
        if not all(part.startswith("$ORIGIN") for part in rpath.split(":")):
            fail(f"{file.name} looks for libraries in {rpath}")
        versions |= {tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_(\d+\.\d+)", run("objdump", "-T", file))}
    return ".".join(map(str, max(versions)))


def main() -> None:
    wheel, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        run(sys.executable, "-m", "wheel", "unpack", "--dest", temporary, wheel)
        tree = next(Path(temporary).iterdir())
        information = next(tree.glob("*.dist-info"))
        for module in tree.glob("supremum/_torch*.so"):
            module.unlink()
        origins = copy_libraries(tree)
        copy_licences(origins, information / "licenses")
        version = c_library(tree)
        description = information / "WHEEL"
        text = re.sub(r"^(Tag: .*-)linux_", rf"\1manylinux_{version.replace('.', '_')}_", description.read_text(), flags=re.MULTILINE)
        description.write_text(text)
        made = run(sys.executable, "-m", "wheel", "pack", "--dest-dir", folder, tree)
    print(made.strip().splitlines()[-1].rpartition("/")[2].removesuffix("OK").strip().rstrip("."))
    print(f"C library {version} or newer; inside, from Debian's packages:", ", ".join(sorted(origins)))


if __name__ == "__main__":
    main()
