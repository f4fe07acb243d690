#!/usr/bin/env python3
"""Takes the library into README's project as docs/library.md says, in place of find_package: what is configured, compiled, and computed.

    tests/consume/subproject.py CMAKE FOLDER [OPTION...]    FOLDER is emptied; the options are CMake's
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# All packages that any part of the project looks for, but Highway: as on a system with g++, cmake and libhwy-dev.
PACKAGES = "benchmark CLI11 fmt GTest MPI nlohmann_json ONNX OpenSSL Protobuf pybind11 TBB Threads ZLIB".split()
BARE = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in PACKAGES] + ["-DCMAKE_IGNORE_PATH=/usr/include"]
CORE = {"core", "kernels", "ops", "reference", "rules"}


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


class Project:
    """README's project, with one of the ways to include the library."""

    def __init__(self, cmake: str, folder: Path, way: str, with_c: bool, options: list[str]):
        self.cmake, self.folder, self.build = cmake, folder, folder / "build"
        folder.mkdir(parents=True)
        lists = re.sub(r"find_package\(.*\n", way, blocks("README.md", "cmake")[0])
        if not with_c:
            lists = "".join(line for line in lists.splitlines(keepends=True) if "best_c" not in line)
        (folder / "CMakeLists.txt").write_text(lists, encoding="utf-8")
        (folder / "best.cc").write_text(blocks("README.md", "cpp")[0], encoding="utf-8")
        (folder / "best.c").write_text(blocks("README.md", "c")[0], encoding="utf-8")
        (folder / "supremum").symlink_to(ROOT)
        command = [cmake, "-S", str(folder), "-B", str(self.build), "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DSUPREMUM_TARGETS=portable", *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.log = done.stdout
        if done.returncode != 0:
            sys.exit(f"{shlex.join(command)}\n{self.log}")

    def compiled(self) -> dict[str, list[str]]:
        """The levels of optimisation with which each source of the library is compiled, by its path in src/."""
        found = {}
        for entry in json.loads((self.build / "compile_commands.json").read_text(encoding="utf-8")):
            name = str(Path(entry["file"]).resolve())
            if name.startswith(f"{ROOT}/src/"):
                found[name.removeprefix(f"{ROOT}/src/")] = re.findall(r" (-O\S*)", entry["command"])
        return found

    def outputs(self, *programs: str) -> list[str]:
        subprocess.run([self.cmake, "--build", str(self.build), "--parallel", "2"], stdout=subprocess.DEVNULL, check=True)
        return [subprocess.run([str(self.build / program)], stdout=subprocess.PIPE, text=True, check=True).stdout for program in programs]


def main() -> int:
    cmake, folder, options = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    shutil.rmtree(folder, ignore_errors=True)
    failures = []

    def expect(right: bool, text: str) -> None:
        if not right:
            failures.append(text)

    def expect_core(project: Project, rooms: set[str], levels: list[str], what: str) -> None:
        compiled = project.compiled()
        expect({name.split("/")[0] for name in compiled} == rooms, f"{what}: these are compiled: {sorted(compiled)}")
        wrong = {name: found for name, found in compiled.items() if found != levels}
        expect(not wrong, f"{what}: expected {levels}: {wrong}")

    ways = blocks("docs/library.md", "cmake")
    expect(len(ways) == 2, "docs/library.md: add_subdirectory and FetchContent")
    for number, way in enumerate(ways):
        project = Project(cmake, folder / f"way_{number}", way, True, options)
        expect_core(project, CORE | {"bindings"}, ["-O3"], way)
        outputs = project.outputs("best", "best_c")
        expect(outputs == ["0.9 0.5 0.9\n", "3 4 4\n"], f"{way}printed {outputs}")

    bare = Project(cmake, folder / "bare", ways[0], False, options + BARE)
    expect_core(bare, CORE, ["-O3"], "with Highway alone")
    expect("supremum::c is left out: dlpack/dlpack.h was not found" in bare.log, f"with Highway alone:\n{bare.log}")
    chosen = Project(cmake, folder / "chosen", ways[0], False, [*options, *BARE, "-DCMAKE_CXX_FLAGS=-O1"])
    expect_core(chosen, CORE, ["-O1"], "with a level in CMAKE_CXX_FLAGS")
    debug = Project(cmake, folder / "debug", ways[0], False, [*options, *BARE, "-DCMAKE_BUILD_TYPE=Debug"])
    expect_core(debug, CORE, [], "with a build type")
    print("\n".join(failures) or "the library alone, optimised, in both ways")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
