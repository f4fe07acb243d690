"""Adds what supremum.kit reads: the cases, which kit/cases writes, the page of rules, the page of the audit, and runners (pyproject.toml)."""

import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

KIT = Path(__file__).resolve().parent
RUNNERS = ("numpy", "onnx", "onnxruntime-python", "pytorch")


class BuildWithData(build_py):
    """build_py, with the data."""

    def run(self) -> None:
        super().run()
        package = Path(self.build_lib) / "supremum" / "kit"
        for options, folder in (([], "cases"), (["--further"], "further")):
            subprocess.run([sys.executable, "-B", KIT / "cases" / "write_cases.py", *options, package / folder], check=True)
        shutil.copytree(KIT / "supremum" / "kit" / "page", package / "page", dirs_exist_ok=True)
        shutil.copy(KIT.parent / "docs" / "semantics.md", package)
        (package / "runners").mkdir(exist_ok=True)
        for name in RUNNERS:
            shutil.copy(KIT / "runners" / name, package / "runners")
        shutil.copy(package / "__init__.py", package / "runners" / "kit.py")


setup(cmdclass={"build_py": BuildWithData})
