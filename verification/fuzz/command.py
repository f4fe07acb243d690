#!/usr/bin/env python3
"""Fuzzes the command: mutated files and models of every kind that it reads, with little memory and processor time.

    verification/fuzz/command.py COMMAND [--count N | --minutes M] [--seed S] [--from I] [--sanitized] [--keep FOLDER]

A file of fuzz_corpus.py, or one that the command has written, is changed at random (parsers/mutations.py) or put under another kind's
name; then `inspect`, `check`, `run`, `max`, `reduce-max` or `compare` reads it. For each run must hold: a documented exit status and no signal; at most one line on
standard error, and that printable; no output where the status says failure, and whole outputs where it says success; inputs as they
were; no other file in the folder; less than 256 MiB of memory and 10 s of the processor.

Prints counts; exit status 1 with the number of the run at the first failure. `--from I --count 1` repeats the run I, and `--keep`
leaves its folder there. `--sanitized` is for a command built with the address sanitizer, whose memory says nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent / "parsers"))

import fuzz_corpus
import mutations  # noqa: E402  (parsers)

MOST_MEMORY = 256 << 20  # docs/hardening.md: with the default limits, of a file below 1 MB
ADDRESS_SPACE = 4 << 30  # of a process that reserves what it does not use
PROCESSOR_SECONDS = 10
MOST_STDERR = 10_000
FAILED = {2, 3, 4}
STATUSES = {0, 1, *FAILED}
BROKEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

KINDS = {"npy": "npy", "npz": "npz", "safetensors": "safetensors", "pb": "tensor_proto", "onnx": "model", "json": "onednn"}


def seeds(command: str) -> dict[str, list[bytes]]:
    """Files of each kind by ending: the fuzzers' first files, and the command's own."""
    found = {ending: list(fuzz_corpus.CORPUS[target].values()) for ending, target in KINDS.items()}
    regressions = Path(fuzz_corpus.ROOT) / "verification" / "fuzz" / "regressions"
    found["onnx"] += [path.read_bytes() for target in ("check", "model") for path in sorted((regressions / target).iterdir())]
    found["bin"] = [bytes(24), bytes(range(96)), np.array([1, -0.0, np.nan, np.inf, -1, 0], dtype="<f4").tobytes()]
    with tempfile.TemporaryDirectory(prefix="attack-seeds-") as folder:
        rng = np.random.default_rng(1)
        np.save(Path(folder) / "a.npy", rng.standard_normal((2, 3), dtype=np.float32))
        np.save(Path(folder) / "b.npy", rng.standard_normal((3,), dtype=np.float32))
        for ending in ("npy", "npz", "pb", "safetensors", "bin"):
            subprocess.run([command, "max", "a.npy", "b.npy", "-o", f"y.{ending}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            found[ending].append((Path(folder) / f"y.{ending}").read_bytes())
        for case, arguments in enumerate((["Max", "--shape", "2x3", "--shape", "3"], ["ReduceMax", "--shape", "2x3", "--axes", "1"])):
            subprocess.run([command, "gen", "--op", *arguments, "-o", f"case{case}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        found["onnx"] += [path.read_bytes() for path in sorted(Path(folder).rglob("*.onnx"))]
        found["pb"] += [path.read_bytes() for path in sorted(Path(folder).rglob("put_*.pb"))]
    return found


def arguments_for(rng: random.Random, name: str) -> list[str]:
    """A line for the command about the file `name`; outputs are called y."""
    output = "y." + rng.choice(["npy", "npz", "pb", "safetensors", "bin"])
    report = ["--json", "y.json"] if rng.random() < 0.3 else []
    if name.endswith((".onnx", ".json")):
        run = ["run", name, "--random", "1", "-d", "y"] if rng.random() < 0.7 else ["run", name, "-i", "good.npy", "-d", "y"]
        profile = ["--profile", "sonnx"] if rng.random() < 0.3 and name.endswith(".onnx") else []
        external = rng.choice([["--allow-external-data"], ["--external-data-root", "."]]) if rng.random() < 0.1 else []
        return rng.choice([["inspect", name, *external], ["check", name, *profile], [*run, *profile, *external]]) + report
    if name.endswith(".bin"):
        dtype, shape = rng.choice(["float32", "uint8", "bool", "bfloat16", "float64"]), rng.choice(["2x3", "6", "24", "", "0", "3x4x2", "96"])
        name = f"x:{dtype}:{shape}:{name}"
    if name.endswith((".npz", ".safetensors")) and rng.random() < 0.2:
        name += "::" + rng.choice(["y", "a", "b", "", "::", "arr_0", "\x1b[2J", "x" * 300])
    stated = ["--dtype", rng.choice(["bfloat16", "float32"])] if rng.random() < 0.15 else []
    memory = ["--memory", "32MiB"] if rng.random() < 0.15 else []
    return rng.choice([["inspect", name, "--values", *stated], ["inspect", name, *stated], ["max", name, "-o", output, *stated, *memory],
                       ["max", name, "good.npy", "-o", output, *stated, *memory], ["max", "good.npy", "--bound", "good.npy=" + name, "-o", output],
                       ["reduce-max", name, "--axes", rng.choice(["0", "-1", "0,1", "5"]), "-o", output, *stated, *memory],
                       ["compare", name, "good.npy", *stated], ["compare", name, name, *stated]]) + report


def outputs_of(line: list[str]) -> set[str]:
    """The files that the line may write: a result has files of bounds where an input has bounds."""
    names = {"y.json"} if "--json" in line else set()
    if "-d" in line:
        names.add("y")
    if "-o" in line:
        name, ending = line[line.index("-o") + 1].split(".")
        names.add(f"{name}.{ending}")
        if "--bound" in line:
            names |= {f"{name}.{of}.{ending}" for of in ("bound", "lower", "upper")}
    return names


class Wrong(Exception):
    pass


def limits(sanitized: bool) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS + 1))
    if not sanitized:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def started(command: list[str], folder: Path, sanitized: bool) -> tuple[int, bytes, bytes, int]:
    """Exit status (negative for a signal), standard output, standard error, the most bytes of memory."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=lambda: limits(sanitized))
        # What never ends takes processor time, and its limit ends it; what waits for ever is ended here.
        signal.signal(signal.SIGALRM, lambda *_: process.kill())
        signal.alarm(600)
        _, status, usage = os.wait4(process.pid, 0)
        signal.alarm(0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return process.returncode, out.read(), err.read(), usage.ru_maxrss * 1024


def check_streams(status: int, out: bytes, err: bytes) -> None:
    for text, name in ((out, "standard output"), (err, "standard error")):
        try:
            shown = text.decode()
        except UnicodeDecodeError:
            raise Wrong(f"{name} is no UTF-8") from None
        if BROKEN.search(shown):
            raise Wrong(f"{name} has what a terminal obeys")
    if status in FAILED and (err.count(b"\n") != 1 or not err.startswith(b"supremum: ")):
        raise Wrong("a failure without one line on standard error")
    if len(err) > MOST_STDERR:
        raise Wrong(f"{len(err)} bytes on standard error")


def check_output(path: Path) -> None:
    """A file of tensors that was written is whole: NumPy reads those that it knows."""
    if path.suffix == ".npy":
        np.load(path, allow_pickle=False)
    elif path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as archive:
            for name in archive.files:
                archive[name]
    elif path.suffix == ".json":
        json.loads(path.read_text(encoding="utf-8"))
    elif path.suffix == ".pb":
        fuzz_corpus.TensorProto.FromString(path.read_bytes())


def attack(command: str, files: dict[str, list[bytes]], index: int, args: argparse.Namespace, counts: Counter[str]) -> str | None:
    """The run `index`; what is wrong, or nothing."""
    rng = random.Random(f"{args.seed}/{index}")
    ending = rng.choice(list(files))
    others = files[ending if rng.random() < 0.8 else rng.choice(list(files))]
    content = mutations.mutated(rng, KINDS.get(ending, ""), files[ending], others) if rng.random() < 0.85 else rng.choice(files[ending])
    name = "bad." + (ending if rng.random() < 0.97 else rng.choice(list(files)))
    line = arguments_for(rng, name)
    folder = Path(tempfile.mkdtemp(prefix="attack-"))
    try:
        (folder / name).write_bytes(content)
        np.save(folder / "good.npy", np.array([[1, -0.0, 3], [np.nan, 5, np.inf]], dtype=np.float32))
        before = {path.name: hashlib.sha256(path.read_bytes()).digest() for path in folder.iterdir()}
        status, out, err, memory = started([command, *line], folder, args.sanitized)
        counts[f"status {status}"] += 1
        counts[line[0]] += 1
        counts["most memory"] = max(counts["most memory"], memory)
        try:
            if status not in STATUSES:
                raise Wrong(f"exit status {status}" if status >= 0 else f"it was ended by signal {-status}")
            check_streams(status, out, err)
            if not args.sanitized and memory >= MOST_MEMORY:
                raise Wrong(f"it took {memory} bytes")
            expected = outputs_of(line)
            for path in folder.iterdir():
                if path.name not in before and path.name not in expected:
                    raise Wrong(f"{path.name} was left behind")
            for left, digest in before.items():
                if not (folder / left).is_file() or hashlib.sha256((folder / left).read_bytes()).digest() != digest:
                    raise Wrong(f"the input {left} was changed")
            made = [path for path in folder.rglob("*") if path.is_file() and path.name not in before]
            if status in FAILED and [path for path in made if path.name != "y.json"]:
                raise Wrong(f"it failed and made {made[0].name}")
            if status == 0 and "-o" in line and not (folder / line[line.index("-o") + 1]).is_file():
                raise Wrong("it made no output")
            for path in made:
                if path.name.startswith("."):
                    raise Wrong(f"{path.name} was left behind")
                try:
                    check_output(path)
                except Exception as error:  # whatever another reader makes of it
                    raise Wrong(f"{path.name} cannot be read: {error}") from None
        except Wrong as wrong:
            if args.keep:
                shutil.copytree(folder, args.keep, dirs_exist_ok=True)
            return f"{' '.join(line)}: {wrong}; {err[:500].decode(errors='replace').strip()}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("command")
    parser.add_argument("--count", type=int, default=1000, help="how many runs (default 1000)")
    parser.add_argument("--minutes", type=float, default=0, help="go on for so long instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the number of the first run")
    parser.add_argument("--sanitized", action="store_true", help="the command is built with the address sanitizer")
    parser.add_argument("--keep", type=Path, help="where to leave the files of a run that fails")
    args = parser.parse_args()
    command = str(Path(args.command).resolve())
    os.environ["ASAN_OPTIONS"] = "allocator_may_return_null=1:" + os.environ.get("ASAN_OPTIONS", "")
    files = seeds(command)
    counts: Counter[str] = Counter()
    end = time.monotonic() + 60 * args.minutes
    index = args.first
    while time.monotonic() < end if args.minutes else index < args.first + args.count:
        wrong = attack(command, files, index, args, counts)
        if wrong:
            print(f"files: run {index} of seed {args.seed}: {wrong}")
            print(f"files: repeat it by --seed {args.seed} --from {index} --count 1 --keep FOLDER")
            return 1
        index += 1
    memory = counts.pop("most memory")
    print(f"files: {index - args.first} runs from {sum(map(len, files.values()))} files, none wrong; at most {memory >> 20} MiB; "
          + ", ".join(f"{what} {count}" for what, count in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
