#!/usr/bin/env python3
"""Checks the direction of includes that docs/architecture.md states.

    tests/project/check_includes.py               exit status 1, with file:line and the direction, if an include is not allowed
    tests/project/check_includes.py --self-test   checks examples of wrong includes and expects each to be found

An include names a header of the project, which belongs to a room; or one of the standard library or POSIX; or one of a library
that THIRD_PARTY lists. Anything else is an error: a new dependency is a decision (docs/decisions/0001-*). Tests are exempt.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

# folder -> its room; the longest folder that fits decides
ROOMS = {
    "src/core": "core",
    "src/lane": "lane",
    "src/kernels": "kernels",
    "src/rules": "rules",
    "src/ops": "ops",
    "src/graph": "graph",
    "src/reference": "reference",
    "src/io/files": "files",
    "src/io/formats": "formats",
    "src/io/json": "json",
    "src/frontends/onnx/read": "read",
    "src/frontends/onnx/infer": "infer",
    "src/frontends/onnx/check": "check",
    "src/frontends/onnx/run": "run",
    "src/frontends/onednn": "onednn",
    "src/bindings/c": "capi",
    "src/bindings/c_models": "cmodels",
    "src/bindings/mpi": "mpi",
    "src/bindings/onnxruntime": "onnxruntime",
    "src/stream": "stream",
    "kit/generate": "kit",
    "tools/supremum/cli": "cli",
    "tools/supremum/emit": "emit",
    "tools": "verbs",
    "python": "python",
    "src/bindings/web": "web",
}

# room -> the rooms whose headers it may include, itself among them
MAY_INCLUDE = {
    "core": {"core"},
    "lane": {"core", "lane"},
    "kernels": {"core", "lane", "kernels"},
    "rules": {"core", "rules"},
    "ops": {"core", "lane", "kernels", "rules", "ops"},
    "files": {"core", "files"},
    "json": {"core", "json"},
    "formats": {"core", "json", "files", "formats"},
    "graph": {"core", "lane", "kernels", "rules", "ops", "graph"},
    # the layers of the ONNX front end, whose arrows run down; onnx: the types of models that all of them have
    "onnx": {"core", "onnx"},
    "read": {"core", "files", "formats", "onnx", "read"},
    "infer": {"core", "rules", "ops", "onnx", "read", "infer"},
    "check": {"core", "rules", "formats", "onnx", "read", "infer", "check"},
    "run": {"core", "rules", "ops", "graph", "formats", "onnx", "read", "infer", "check", "run"},
    "onednn": {"core", "lane", "kernels", "rules", "ops", "graph", "json", "onednn"},
    "capi": {"core", "lane", "kernels", "rules", "ops", "capi"},
    "cmodels": {"core", "capi", "onnx", "cmodels"},  # of onnx, what is public
    "mpi": {"core", "kernels", "capi", "mpi"},
    "onnxruntime": {"core", "lane", "kernels", "rules", "ops", "onnxruntime"},
    "reference": {"core", "reference"},  # never the code that it checks
    "stream": {"core", "lane", "kernels", "rules", "ops", "json", "files", "formats", "stream"},
    "cli": {"core", "files", "formats", "json", "cli"},  # and all public headers
    "kit": {"core", "files", "formats", "json", "cli", "kit"},  # and all public headers
    "emit": {"core", "cli", "emit"},  # and all public headers
    "verbs": {"core", "files", "formats", "json", "stream", "cli", "emit", "kit", "verbs"},  # and all public headers
    "python": {"core", "capi", "python"},  # and all public headers; of capi, what judges the descriptions of tensors
    "web": {"cli", "web"},  # and all public headers
}
PROGRAMS = {"cli", "emit", "kit", "verbs", "python", "web"}  # the users of the library

# public header -> its room; the library itself must not include the umbrella header
PUBLIC = {
    "borrowed.h": "core",
    "broadcast.h": "rules",
    "c_api.h": "capi",
    "c_models.h": "cmodels",
    "cxx20.h": "core",
    "dtype.h": "core",
    "explain.h": "reference",
    "opset.h": "core",
    "result.h": "core",
    "shape.h": "core",
    "tensor.h": "core",
    "tensor_view.h": "core",
    "verdict.h": "core",
    "lane.h": "lane",
    "spans.h": "ops",
    "target.h": "kernels",
    "bounds.h": "ops",
    "max.h": "ops",
    "reduce_max.h": "ops",
    "annotate.h": "check",
    "check.h": "check",
    "extract.h": "check",
    "model.h": "onnx",
    "static_graph.h": "run",
    "mpi.h": "mpi",
    "mpi_c.h": "mpi",
    "onnxruntime.h": "onnxruntime",
    "onednn_graph.h": "onednn",
    "reference.h": "reference",
    "supremum.h": "umbrella",
}

# beginning of the include -> the library, the rooms that may include it
THIRD_PARTY = {
    "google/protobuf/": ("protobuf", {"formats", "kit", "read"}),
    "onnx/": ("libonnx", {"formats", "kit", "read", "check", "run"}),
    "zip.h": ("libzip", {"formats"}),
    "zlib.h": ("zlib", {"formats"}),
    "hwy/": ("Highway", {"kernels"}),
    "oneapi/tbb/": ("oneTBB", {"ops"}),
    "CLI/": ("CLI11", {"cli", "verbs"}),
    "fmt/": ("fmt", {"cli", "emit", "kit", "verbs"}),
    "nlohmann/": ("nlohmann-json", {"cli", "emit", "kit", "verbs", "json"}),
    "openssl/": ("OpenSSL", {"cli", "files", "formats"}),
    "pybind11/": ("pybind11", {"python"}),
    "dlpack/": ("DLPack", {"capi", "python"}),
    "mpi.h": ("MPI", {"mpi"}),
    "onnxruntime_": ("ONNX Runtime", {"onnxruntime"}),
    "ATen/": ("PyTorch", {"python"}),
    "torch/": ("PyTorch", {"python"}),
    "c10/": ("PyTorch", {"python"}),  # its core library
    "emscripten/": ("emscripten", {"web"}),
    "linux/": ("Linux", {"check"}),  # the filter of system calls
    "cpuid.h": ("the compiler", {"kernels"}),  # what an x86 processor says of its caches
    "riscv_vector.h": ("the compiler", {"kernels"}),  # the length of a RISC-V processor's vectors
    "dlfcn.h": ("the C library", {"mpi"}),  # the MPI library's own functions, behind those that are preloaded
    "sys/hwprobe.h": ("the C library", {"kernels"}),  # what a RISC-V processor supports
}

# public header -> what else it may include: C standard headers by their C names, and the library whose types it takes
PUBLIC_ALSO = {
    "c_api.h": {"stddef.h", "stdint.h", "dlpack/dlpack.h"},
    "mpi.h": {"mpi.h"},
    "mpi_c.h": {"mpi.h"},
    "onnxruntime.h": {"dlfcn.h", "onnxruntime_cxx_api.h"},
}

STANDARD = set(
    """algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits
    clocale cmath compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef cstdint cstdio
    cstdlib cstring ctime cuchar cwchar cwctype deque exception execution filesystem forward_list fstream functional
    future initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory
    memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore
    set shared_mutex source_location span sstream stack stdexcept stop_token streambuf string string_view strstream
    syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray
    variant vector version""".split()
)
POSIX = {"dirent.h", "fcntl.h", "fnmatch.h", "poll.h", "signal.h", "spawn.h", "stdlib.h", "unistd.h", "sys/file.h", "sys/ioctl.h",
         "sys/mman.h", "sys/prctl.h", "sys/resource.h", "sys/stat.h", "sys/statvfs.h", "sys/syscall.h", "sys/types.h", "sys/uio.h",
         "sys/utsname.h", "sys/wait.h"}
POSIX_ROOMS = {"files", "formats", "stream", "cli", "kit", "verbs", "kernels", "check"}  # kernels: the processor's features; check: its subprocess

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)"|(.+))')


def room_of(path: Path) -> str | None:
    """The room of a file, by its path below the root; None if it belongs to none."""
    parts = path.parts
    if parts[0] == "include":
        return PUBLIC.get(path.name) if len(parts) == 3 and parts[1] == "supremum" else None
    folders = ("/".join(parts[:length]) for length in range(len(parts) - 1, 0, -1))
    return next((ROOMS[folder] for folder in folders if folder in ROOMS), None)


def own_header(root: Path, includer: Path, name: str) -> Path | None:
    """The project's file that a quoted include names, below the root."""
    for folder in (root / includer.parent, *(root / top for top in ("src", "include", "kit", "tools/supremum"))):
        found = Path(folder / name)
        if found.is_file():
            return found.resolve().relative_to(root)
    return None


def broken(root: Path, path: Path, room: str, name: str, angle: bool) -> str | None:
    """What is wrong with the include of `name` in a file of `room`; None if it is allowed."""
    public_file = path.parts[0] == "include"
    header = None if angle and not name.startswith("supremum/") else own_header(root, path, name)
    if header is not None:
        target = room_of(header)
        if target is None:
            return f"{header} belongs to no room; add it to PUBLIC or ROOMS"
        public_header = header.parts[0] == "include"
        if public_file and not public_header:
            return f"a public header includes {header}, which is not public"
        if target == "umbrella" and room not in PROGRAMS:
            return "the umbrella header is for users of the library; include what is needed"
        anywhere = public_header and room in PROGRAMS | {"umbrella"}
        return None if anywhere or target in MAY_INCLUDE.get(room, set()) else f"{room} -> {target} is not allowed"
    if name in STANDARD:
        return None
    if name in PUBLIC_ALSO.get(path.name, set()) and public_file:
        return None
    if public_file:
        return f"a public header includes '{name}'; it may include only public headers and the standard library"
    if name in POSIX:
        return None if room in POSIX_ROOMS else f"{room} -> POSIX is not allowed"
    for prefix, (library, rooms) in THIRD_PARTY.items():
        if name.startswith(prefix):
            return None if room in rooms else f"{room} -> {library} is not allowed"
    return f"unknown header '{name}'; a new dependency needs a decision and a line in THIRD_PARTY"


def check(root: Path) -> list[str]:
    """All includes below `root` that are not allowed, a line each."""
    root = root.resolve()
    problems: list[str] = []
    for top in ("include", "src", "kit/generate", "tools", "python"):
        for file in sorted(p for p in (root / top).rglob("*") if p.suffix in {".h", ".cc", ".hpp", ".cpp", ".c"}):
            path = file.relative_to(root)
            if path.parts[:2] == ("src", "c99"):  # C that stands alone: its tests compile it so
                continue
            room = room_of(path)
            if room is None:
                problems.append(f"{path}:1: belongs to no room; add it to PUBLIC or ROOMS")
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                if match[3]:
                    problem: str | None = "an include by a macro cannot be checked"
                else:
                    problem = broken(root, path, room, match[1] or match[2], angle=match[1] is not None)
                if problem:
                    problems.append(f"{path}:{number}: {problem}")
    return problems


# file, its content, a part of the expected message ("": no problem)
EXAMPLES = [
    ("src/lane/enclose.h", '#include "supremum/dtype.h"\n#include <cstdint>', ""),
    ("src/ops/max.cc", '#include "lane/enclose.h"\n#include "supremum/max.h"', ""),
    ("src/frontends/onnx/run/model.cc", '#include <onnx/onnx_pb.h>\n#include "ops/plan.h"\n#include "frontends/onnx/read/graph.h"', ""),
    ("src/frontends/onnx/read/up.cc", '#include "frontends/onnx/infer/infer_graph.h"', "read -> infer"),
    ("src/frontends/onnx/infer/up.cc", '#include "frontends/onnx/check/subprocess.h"', "infer -> check"),
    ("src/frontends/onnx/check/up.cc", '#include "frontends/onnx/run/run.h"', "check -> run"),
    ("src/frontends/onnx/infer/down.cc", '#include "frontends/onnx/read/graph.h"\n#include "supremum/model.h"', ""),
    ("src/frontends/onnx/nowhere.cc", "", "no room"),
    ("tools/supremum/verbs/run.cc", '#include "io/formats/npy.h"\n#include "verbs/verb.h"\n#include "supremum/supremum.h"', ""),
    ("tools/supremum/cli/print.cc", '#include "supremum/model.h"\n#include <fmt/core.h>\n#include <unistd.h>', ""),
    ("include/supremum/supremum.h", '#include "supremum/max.h"', ""),
    ("python/max.cc", '#include "operand.h"\n#include <pybind11/pybind11.h>\n#include "supremum/max.h"', ""),
    ("src/lane/lane.cc", '#include "ops/plan.h"', "lane -> ops"),
    ("src/core/shape2.cc", '#include "../lane/enclose.h"', "core -> lane"),
    ("src/reference/reference.cc", '#include "lane/enclose.h"', "reference -> lane"),
    ("src/ops/plan.cc", '#include "frontends/onnx/read/graph.h"', "ops -> read"),
    ("src/ops/umbrella.cc", '#include "supremum/supremum.h"', "umbrella"),
    ("src/io/formats/npy.cc", '#include "frontends/onnx/read/graph.h"', "formats -> read"),
    ("src/frontends/onnx/read/archive.cc", "#  include <zip.h>", "read -> libzip"),
    ("src/core/file.cc", "#include <unistd.h>", "core -> POSIX"),
    ("src/core/boost.cc", "#include <boost/any.hpp>", "unknown header"),
    ("src/core/macro.cc", "#include HEADER", "by a macro"),
    ("src/newroom/a.cc", "", "no room"),
    ("include/supremum/dtype.h", '#include "supremum/max.h"', "core -> ops"),
    ("include/supremum/shape.h", '#include "lane/enclose.h"', "not public"),
    ("include/supremum/model.h", "#include <onnx/onnx_pb.h>", "only public headers"),
    ("include/supremum/c_api.h", "#include <dlpack/dlpack.h>\n#include <stdint.h>", ""),
    ("include/supremum/mpi.h", "#include <mpi.h>", ""),
    ("include/supremum/mpi_c.h", '#include <mpi.h>\n#include "supremum/c_api.h"', ""),
    ("src/bindings/mpi/join.cc", '#include "ops/plan.h"', "mpi -> ops"),
    ("include/supremum/nameless.h", "", "no room"),
    ("tools/supremum/verbs/deep.cc", '#include "ops/plan.h"', "verbs -> ops"),
    ("src/io/files/deep.cc", '#include "io/formats/npy.h"', "files -> formats"),
    ("src/bindings/web/bindings.cc", '#include <emscripten/val.h>\n#include "supremum/supremum.h"', ""),
    ("python/deep.cc", '#include "ops/plan.h"', "python -> ops"),
]


def self_test() -> list[str]:
    """The examples with an unexpected result."""
    failures: list[str] = []
    for file, content, expected in EXAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            headers = ["src/lane/enclose.h", "src/ops/plan.h", "src/frontends/onnx/read/graph.h", "src/frontends/onnx/infer/infer_graph.h",
                       "src/frontends/onnx/check/subprocess.h", "src/frontends/onnx/run/run.h", "src/io/formats/npy.h", "tools/supremum/verbs/verb.h", "python/operand.h"]
            for header in headers + [f"include/supremum/{name}" for name in PUBLIC]:
                (root / header).parent.mkdir(parents=True, exist_ok=True)
                (root / header).touch()
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(content + "\n", encoding="utf-8")
            problems = check(root)
        found = len(problems) == 1 and problems[0].startswith(f"{file}:1: ") and expected in problems[0]
        if problems if not expected else not found:
            failures.append(f"self-test: {file}: expected '{expected}', found {problems}")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--self-test", action="store_true", help="check this script with examples")
    args = parser.parse_args()
    problems = self_test() if args.self_test else check(Path(__file__).resolve().parents[2])
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
