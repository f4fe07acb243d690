"""Builds the Python package: CMake makes the compiled part, setuptools the rest (pyproject.toml).

    pip install --no-build-isolation .

The build in build/release, which scripts/test.sh makes, is used if it is for this Python. SUPREMUM_BUILD_DIR names another folder that
CMake has already configured. Otherwise everything is compiled, which takes some minutes.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Optional

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
JOBS = str(len(os.sched_getaffinity(0)))


def existing_build(module: str) -> Optional[Path]:
    """The folder of a build of this source tree that has the module, or that the environment names."""
    if os.environ.get("SUPREMUM_BUILD_DIR"):
        return Path(os.environ["SUPREMUM_BUILD_DIR"])
    build = ROOT / "build" / "release"
    cache = build / "CMakeCache.txt"
    own = cache.exists() and f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" in cache.read_text(encoding="utf-8")
    return build if own and (build / "python" / "supremum" / module).exists() else None


class CMakeBuild(build_ext):
    """build_ext, by CMake."""

    def build_extension(self, ext: Extension) -> None:
        target = Path(self.get_ext_fullpath(ext.name)).resolve()
        found = existing_build(target.name)
        build = found or Path(self.build_temp).resolve()
        if found is None:
            configure = ["cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release"]
            configure += [f"-DSUPREMUM_BUILD_{part}=OFF" for part in ("TESTS", "TOOLS", "ONEDNN", "BENCH")]
            configure += ["-DSUPREMUM_BUILD_PYTHON=ON", f"-DPYTHON_EXECUTABLE={sys.executable}"]
            configure += ["-G", "Ninja"] if shutil.which("ninja") else []
            subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", str(build), "--target", "supremum_python", "--parallel", JOBS], check=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        built = build / "python" / "supremum"
        shutil.copyfile(built / target.name, target)
        torch = target.name.replace("_core", "_torch")  # there if PyTorch and its headers are
        if (built / torch).exists():
            shutil.copyfile(built / torch, target.parent / torch)
        if (built / "libsupremum_ort.so").exists():  # likewise for ONNX Runtime
            shutil.copyfile(built / "libsupremum_ort.so", target.parent / "libsupremum_ort.so")
        # supremum.kit with the cases, the page and the runners that it reads.
        shutil.copytree(built / "kit", target.parent / "kit", ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)


setup(ext_modules=[Extension("supremum._core", [])], cmdclass={"build_ext": CMakeBuild})
