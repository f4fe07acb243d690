#!/usr/bin/env python3
"""Compiles and runs the C++ example of docs/onnxruntime.md as the page says, and with versions of ONNX Runtime that are too old.

    tests/bindings/onnxruntime/header_test.py COMPILER HEADERS PROVIDER MODEL [LIBRARY]

HEADERS is the folder of ONNX Runtime's headers, PROVIDER is libsupremum_ort.so. Without LIBRARY, ONNX Runtime's, no session is created.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "onnxruntime.md").read_text(encoding="utf-8")
EXAMPLE = re.findall(r"^```cpp\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
COMMAND = re.findall(r"^```sh\n(g\+\+ .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]

# ONNX Runtime 1.21 as far as a program sees it that asks for a newer interface.
OLD_LIBRARY = """
#include <onnxruntime_c_api.h>
static const OrtApi* GetApi(uint32_t version) noexcept { static OrtApi api{}; return version <= 21 ? &api : nullptr; }
static const char* GetVersionString() noexcept { return "1.21.0"; }
extern "C" const OrtApiBase* OrtGetApiBase(void) noexcept { static const OrtApiBase base{GetApi, GetVersionString}; return &base; }
"""


def run(command: list[str], **how: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, **how)  # type: ignore[call-overload, no-any-return]


def main() -> int:
    compiler, (headers, provider, model) = sys.argv[1], (Path(name).resolve() for name in sys.argv[2:5])
    library = Path(sys.argv[5]) if len(sys.argv) > 5 else None
    failures: list[str] = []

    def expect(what: str, done: subprocess.CompletedProcess[str], status: int, text: str) -> None:
        if done.returncode != status or text not in done.stdout + done.stderr:
            failures.append(f"{what}: exit status {done.returncode}, expected {status} and '{text}':\n{done.stdout}{done.stderr}")

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "exact.cc").write_text(EXAMPLE, encoding="utf-8")
        shutil.copy(model, folder / "model.onnx")

        old = folder / "old" / "onnxruntime_cxx_api.h"
        old.parent.mkdir()
        old.write_text("#define ORT_API_VERSION 22\n", encoding="utf-8")
        done = run([compiler, "-std=c++20", "-fsyntax-only", f"-I{ROOT / 'include'}", f"-I{old.parent}", "exact.cc"], cwd=folder)
        first = next((line for line in done.stderr.splitlines() if "error" in line), "")
        if done.returncode == 0 or "needs the headers of ONNX Runtime 1.23 or newer" not in first:
            failures.append(f"older headers: the first error is '{first}'")

        # The folders that the page names, with the compiler of this build in place of g++.
        (folder / "bin").mkdir()
        (folder / "bin" / "g++").symlink_to(shutil.which(compiler) or compiler)
        (folder / "include").symlink_to(ROOT / "include")
        (folder / "lib").mkdir()
        (folder / "lib" / provider.name).symlink_to(provider.resolve())
        for kind in ("old", "new"):
            (folder / kind / "lib").mkdir(parents=True, exist_ok=True)
            (folder / kind / "include").symlink_to(headers)
        (folder / "old.cc").write_text(OLD_LIBRARY, encoding="utf-8")
        old_library = folder / "old" / "lib" / "libonnxruntime.so"
        done = run([compiler, "-shared", "-fPIC", f"-I{headers}", "old.cc", "-o", str(old_library)], cwd=folder)
        expect("the old library", done, 0, "")
        kinds = ["old"]
        if library is not None:
            (folder / "new" / "lib" / "libonnxruntime.so").symlink_to(library.resolve())
            (folder / "new" / "lib" / library.name).symlink_to(library.resolve())
            kinds.append("new")
        for kind in kinds:
            environment = os.environ | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "DIR": str(folder), "ORT": str(folder / kind)}
            done = run(["sh", "-c", COMMAND], cwd=folder, env=environment)
            expect(f"compiling with the {kind} library", done, 0, "")
            if done.returncode != 0:
                continue
            expected = (1, "the library that was loaded is older: 1.21.0") if kind == "old" else (0, "")
            expect(f"running with the {kind} library", run(["./exact"], cwd=folder), *expected)
        if library is not None:
            (folder / "lib" / provider.name).unlink()
            expect("running without the provider", run(["./exact"], cwd=folder), 1, "set OnnxRuntimeOptions::library to its path")
    print("\n".join(failures) or f"the example with {' and '.join(kinds)} libraries: as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
