#!/usr/bin/env python3
"""Random mutants: changes operators, constants and conditions of the library's sources at random places, and runs the tests.

    verification/faults/random_mutants.py [--count 300] [--seed 1] [--jobs 2] [--only FOLDER-OR-FILE]... [--list | --check]

A mutant is one change of one line; the same seed makes the same mutants of the same sources. Those that do not compile are replaced by
others. The tests of the folder run (TESTS), then, if all pass, those of the folders that use it (MORE); a mutant is killed if one fails,
or does not end. One that survives is equivalent if it changes a constant of TUNABLE, or if EQUIVALENT says why it changes nothing that
can be observed. Exit status 1 if another survives.

--list prints the mutants and tests nothing; --check only compares the reasons with the sources.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import queue
import random
import re
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import faults

# folder -> the programs that test it
TESTS = {
    "src/core": ["core_test", "rules_test", "ops_test"],
    "src/rules": ["rules_test", "ops_test"],
    "src/ops": ["schedules_test", "ops_test"],
    "src/graph": ["graph_test", "onednn_test", "onnx_test"],
    "src/stream": ["stream_test"],
    "src/io": ["formats_test", "stream_test"],
}

# folder -> the programs that use it, for mutants that survive its own tests
MORE = {
    "src/core": ["stream_test", "graph_test", "onnx_test", "formats_test"],
    "src/rules": ["onnx_test", "graph_test"],
    "src/ops": ["stream_test", "graph_test", "onnx_test"],
    "src/graph": [],
    "src/stream": [],
    "src/io": ["onnx_test", "onednn_test"],
}

# token of the source, as clang-format writes it, and what it becomes
CHANGES = [
    (re.compile(r" (<|<=|>|>=|==|!=) "), {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}),
    (re.compile(r" ([-+*/%]) "), {"+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"]}),
    (re.compile(r" (&&|\|\|) "), {"&&": ["||"], "||": ["&&"]}),
    (re.compile(r"(\+\+|--)(?=\w)"), {"++": ["--"], "--": ["++"]}),
    (re.compile(r"(?<=[(\s,])(!)(?=[\w(*])"), {"!": [""]}),
    (re.compile(r"(?<![\w.'])(true|false)(?!\w)"), {"true": ["false"], "false": ["true"]}),
]
CONSTANT = re.compile(r"(?<![\w.'\"])(\d+)(?![\w.'\"])")
# What is no code of a function: comments, directives, declarations of templates, and what the compiler checks alone.
NOT_CODE = re.compile(r"^\s*(//|#|\*|template\b|using\b|static_assert\b|friend\b|class\b|struct\b|enum\b|namespace\b|case\b)")


@dataclass(frozen=True)
class Mutant:
    """A line of a file, and what it becomes."""

    file: str
    number: int  # of the line, from 1
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.number}\n  - {self.before.strip()}\n  + {self.after.strip()}"


MOST_MEMORY = 8 << 30  # bytes of addresses of a process

# Constants that choose between ways to the same result (ORD-5), or how much is done at a time: speed is measured by bench/, not tested.
# That a tile fits its buffer is a static_assert, or tests/ops/tile_test.cc.
TUNABLE_FILE = "src/ops/tuning.h"
TUNABLE = set("kLeastBuffer kBestBuffer kWorthWaking kPiece kStepsPerShare kMinStepsPerReducer kGap kTogether kWorthAnnouncing kWritebackBytes kChunk".split())
# Mutants that change nothing that can be observed: file, line before, line after, why.
EQUIVALENT: list[tuple[str, str, str, str]] = [
    ("src/ops/max_schedule.cc",
     "fit = std::max<std::int64_t>(1, fit / tile_extents[line - 1]);",
     "fit = std::max<std::int64_t>(2, fit / tile_extents[line - 1]);",
     "a tile's extent, which decides what is computed together; the buffers hold more than two lines of a square"),
    ("src/ops/max_execute.cc",
     "return s.line >= 2 ? s.Bytes(steps[s.line - 2]) : 0;",
     "return s.line >= 1 ? s.Bytes(steps[s.line - 2]) : 0;",
     "the stride of the only block, which is not used; the index before the span ends a build with sanitizers"),
    ("src/io/files/file_bytes.h",
     "std::uint64_t device = 0;",
     "std::uint64_t device = 1;",
     "IdentityOf, which alone makes identities that are read, sets every member"),
    ("src/io/files/output_files.cc",
     "const std::size_t chunk = std::min(bytes.size(), std::size_t{1} << 18);",
     "const std::size_t chunk = std::min(bytes.size(), std::size_t{2} << 18);",
     "WriteAll goes on with the rest, so that the size of a call changes no byte"),
    ("src/io/files/atomic_file.cc",
     "const std::uint64_t block = std::max<std::uint64_t>(status.f_frsize, 1);",
     "const std::uint64_t block = std::max<std::uint64_t>(status.f_frsize, 2);",
     "it prevents a division by 0 where no size of blocks is stated; the file systems of Linux state 512 bytes or more"),
    ("src/io/formats/npz_write.cc",
     "std::array<std::byte, 1 << 16> chunk;",
     "std::array<std::byte, 1 << 15> chunk;",
     "how many bytes of the archive are passed on at a time: all of them are, in their order"),
    ("src/io/formats/npz_write.cc",
     "const std::size_t count = tensor.byte_size() > 0 ? 2 : 1;",
     "const std::size_t count = tensor.byte_size() >= 0 ? 2 : 1;",
     "libzip skips a part without bytes: the archives of tensors without elements are the same"),
    ("src/io/formats/npz_write.cc",
     "const ZipSourcePointer buffer(zip_source_buffer_create(nullptr, 0, 0, &failure.error));",
     "const ZipSourcePointer buffer(zip_source_buffer_create(nullptr, 0, 1, &failure.error));",
     "the number says whether libzip is to free the memory that it is given, which is none"),
    ("src/io/formats/zip_directory.cc",
     "std::uint16_t version = 0, flags = 0, method = 0;",
     "std::uint16_t version = 0, flags = 0, method = 1;",
     "ReadHeader sets it in every Header before it is read"),
    ("src/io/formats/zip_directory.cc",
     "std::uint32_t crc = 0;",
     "std::uint32_t crc = 1;",
     "ReadHeader sets it in every Header before it is read"),
    ("src/ops/expand.cc",
     "for (; done < sizeof(Block) && done < total; done *= 2) copy_block(0, done);",
     "for (; done <= sizeof(Block) && done < total; done *= 2) copy_block(0, done);",
     "a period of exactly one block is copied from two blocks before instead of one, where the same bytes are; no more is written"),
    ("src/ops/loop_nest.h",
     "std::size_t room_ = 0;       // steps from one operand's list to the next",
     "std::size_t room_ = 1;       // steps from one operand's list to the next",
     "Init sets it, and no operand of a nest that Init has not made is read"),
    ("src/ops/max.cc",
     "bindings_.non_temporal = schedule_.non_temporal && !in_place;",
     "bindings_.non_temporal = schedule_.non_temporal || !in_place;",
     "kernels ask for the alignment and the lines that such stores need, and Execute for a fence: only speed depends on it (ORD-5)"),
    ("src/ops/reduce_schedule.cc",
     "runs_are_closest || tuning.max_accumulator_bytes / bytes / line.extent / AtLeastOne(run.extent) > 0;",
     "runs_are_closest || tuning.max_accumulator_bytes / bytes / line.extent / AtLeastOne(run.extent) > 1;",
     "chooses between two ways to fold blocks that fill more than half of the buffer, which give the same bits (ORD-5)"),
    ("src/ops/max_execute.cc",
     "for (std::size_t d = 0; d < loops; ++d) first[d] = index[d] * schedule.tile_extents[d];",
     "for (std::size_t d = 0; d <= loops; ++d) first[d] = index[d] * schedule.tile_extents[d];",
     "a tensor has fewer than 64 extents of 2 or more, so that this is one entry more of arrays of 64, which nothing reads"),
    ("src/ops/max_schedule.cc",
     "std::int64_t periods = 1;",
     "std::int64_t periods = 2;",
     "LineOf extends no line whose part is as long as one period must be, unless that costs nothing: then no input is expanded for each line"),
    ("src/rules/reduce_max.h",
     "bool keepdims = false;",
     "bool keepdims = true;",
     "of ReduceMaxRules: CheckReduceMax and JudgeReduceMax, which make those that are read, set every member"),
    ("src/stream/source.cc",
     "for (std::int64_t i = 0; i < runs.count; ++i, walk.Next()) {",
     "for (std::int64_t i = 0; i <= runs.count; ++i, walk.Next()) {",
     "the walk is at the first run again, which is announced twice: posix_fadvise, whose result is ignored, changes no byte that is read"),
    ("src/stream/source.cc",
     "const bool near = here - end <= kGap && here + run - begin <= kTogether;",
     "const bool near = here - end <= kGap && here + run + begin <= kTogether;",
     "begin is not negative, so that fewer runs are read at a time, and no more than there is room for: the same bytes, in more reads"),
    ("src/stream/stream_max.cc",
     "ElementCount(shape_).value_or(0) * static_cast<std::int64_t>(ByteWidth(dtype_))) {",
     "ElementCount(shape_).value_or(1) * static_cast<std::int64_t>(ByteWidth(dtype_))) {",
     "the shape is that of MaxOutputShape, which gives none whose elements cannot be counted"),
    ("src/stream/stream_reduce_max.cc",
     "const bool large = output.elements() > ElementCount(source.shape()).value_or(0) / 16;",
     "const bool large = output.elements() <= ElementCount(source.shape()).value_or(0) / 16;",
     "chooses whether a background thread writes, which gives the same bytes"),
    ("src/stream/stream_reduce_max.cc",
     "bool first = true, single = true;",
     "bool first = true, single = false;",
     "a step of one element for each of the tile's is copied by ReduceMax before it is joined, which changes no bit of the maximum (ORD-5)"),
    ("src/stream/stream_reduce_max.cc",
     "while (reducers > 1 && bytes / buffers(reducers) < kLeastBuffer) --reducers;",
     "while (reducers > 1 && bytes / buffers(reducers) <= kLeastBuffer) --reducers;",
     "fewer workers have larger buffers and join the same elements in another order, which changes no bit (ORD-5)"),
    ("src/stream/stream_reduce_max.cc",
     "if (reducers_.size() > 1) return false;",
     "if (reducers_.size() >= 1) return false;",
     "steps are announced too: posix_fadvise, whose result is ignored, changes no byte that is read"),
    ("src/stream/stream_reduce_max.cc",
     "std::int64_t step_ = 0;  // most elements of a step",
     "std::int64_t step_ = 1;  // most elements of a step",
     "Run calls TakeMemory, which sets it, before Work, which alone reads it"),
]  # fmt: skip


def code_of(line: str) -> str:
    """The line with strings, characters and comments blanked, so that positions stay."""
    blank = re.sub(r'"(?:[^"\\]|\\.)*"|(?<!\w)\'(?:[^\'\\]|\\.)\'', lambda match: " " * len(match[0]), line)
    return blank.split("//")[0]


def mutants_of(file: str) -> list[Mutant]:
    """Every change of every line."""
    found = []
    for number, line in enumerate((faults.ROOT / file).read_text(encoding="utf-8").split("\n"), 1):
        if NOT_CODE.match(line):
            continue
        code = code_of(line)

        def change(begin: int, end: int, text: str) -> None:
            found.append(Mutant(file, number, line, line[:begin] + text + line[end:]))

        for pattern, becomes in CHANGES:
            for match in pattern.finditer(code):
                for text in becomes.get(match[1], []):
                    change(match.start(1), match.end(1), text)
        for match in CONSTANT.finditer(code):
            change(match.start(1), match.end(1), str(int(match[1]) + 1))
            if match[1] != "0":
                change(match.start(1), match.end(1), str(int(match[1]) - 1))
    return found


def programs_of(file: str) -> tuple[list[str], list[str]]:
    """The programs that test a file, and those that use it."""
    folder = next(folder for folder in TESTS if file.startswith(folder + "/"))
    return TESTS[folder], MORE[folder]


def argued(mutant: Mutant) -> bool:
    """Whether it is said why the mutant changes nothing that can be observed."""
    declared = re.search(r"constexpr \S+ (k\w+) = ", mutant.before)
    if mutant.file == TUNABLE_FILE or (declared and declared[1] in TUNABLE):
        return True
    return any(mutant.file == file and mutant.before.strip() == before and mutant.after.strip() == after for file, before, after, _ in EQUIVALENT)


def doubtful_reasons() -> list[str]:
    """Reasons for a line that the sources do not have, or have more than once: they would excuse a mutant of another line."""
    lines = {file: [line.strip() for line in (faults.ROOT / file).read_text(encoding="utf-8").splitlines()] for file, *_ in EQUIVALENT}
    return [f"{file}: {lines[file].count(before)} lines are '{before}'" for file, before, _, _ in EQUIVALENT if lines[file].count(before) != 1]


def prepare(number: int, programs: list[str], temporary: Path) -> None:
    """Makes this process's own copy of the sources and its build, which must pass."""
    faults.COPY = faults.ROOT / "build" / "mutants" / f"source-{number}"
    faults.BUILD = faults.ROOT / "build" / "mutants" / f"build-{number}"
    os.environ |= {"CMAKE_BUILD_PARALLEL_LEVEL": "1", "CCACHE_BASEDIR": str(faults.ROOT / "build" / "mutants")}
    faults.prepare()
    faults.build(programs)
    temporary_folder_anew(temporary)
    for program in programs:
        begin = time.monotonic()
        if not faults.passes(program):
            raise SystemExit(f"{program} fails without any mutant")
        faults.SECONDS[program] = 60 + 10 * (time.monotonic() - begin)
    # A mutant may allocate without end.
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def temporary_folder_anew(folder: Path) -> None:
    """Gives the tests of this process a folder of their own, without what mutants left there. Other users can enter it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    os.environ["TMPDIR"] = str(folder)


def serve(number: int, programs: list[str], asked: multiprocessing.Queue[Mutant | None], answers: multiprocessing.Queue[tuple[Mutant, str]]) -> None:
    """Tests mutants until None comes."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        temporary = Path(folder) / "tests"
        prepare(number, programs, temporary)
        while (mutant := asked.get()) is not None:
            temporary_folder_anew(temporary)
            answers.put((mutant, outcome_of(mutant)))


def outcome_of(mutant: Mutant) -> str:
    """'killed by' a program, 'survived' or 'did not compile'."""
    lines = (faults.COPY / mutant.file).read_text(encoding="utf-8").split("\n")
    lines[mutant.number - 1] = mutant.after
    own, more = programs_of(mutant.file)
    with faults.changed(mutant.file, "\n".join(lines)):
        try:
            killer = faults.build_and_run(own) or (faults.build_and_run(more) if more else None)
        except faults.DoesNotCompile:
            return "did not compile"
    return f"killed by {killer}" if killer else "survived"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=300, help="how many mutants are tested")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="how many mutants are built and tested at a time")
    parser.add_argument("--only", action="append", default=[], metavar="FOLDER-OR-FILE", help="mutants of these alone")
    parser.add_argument("--list", action="store_true", help="print them, and test nothing")
    parser.add_argument("--check", action="store_true", help="only check that each reason is one of one line")
    arguments = parser.parse_args()
    doubtful = doubtful_reasons()
    if arguments.check or doubtful:
        print("\n".join(doubtful) or f"{len(EQUIVALENT)} reasons, each of one line")
        return 1 if doubtful else 0
    files = [str(path.relative_to(faults.ROOT)) for folder in TESTS for path in sorted((faults.ROOT / folder).rglob("*.[ch]*"))]
    files = [file for file in files if not arguments.only or file.startswith(tuple(arguments.only))]
    chosen = [mutant for file in files for mutant in mutants_of(file)]
    random.Random(arguments.seed).shuffle(chosen)
    if arguments.list:
        print("\n".join(map(str, chosen[: arguments.count])))
        return 0
    programs = sorted({program for file in files for of in programs_of(file) for program in of})

    asked: multiprocessing.Queue[Mutant | None] = multiprocessing.Queue()
    answers: multiprocessing.Queue[tuple[Mutant, str]] = multiprocessing.Queue()
    workers = [multiprocessing.Process(target=serve, args=(k, programs, asked, answers)) for k in range(arguments.jobs)]
    for worker in workers:
        worker.start()
    counts: Counter[str] = Counter()
    remaining = iter(chosen)
    waiting = 0

    def count(mutant: Mutant, outcome: str) -> None:
        kind = "equivalent" if outcome == "survived" and argued(mutant) else outcome.split()[0]
        counts[kind] += 1
        print(f"{kind if kind == 'equivalent' else outcome}: {mutant}", flush=True)

    while True:
        # As many are under way as are still wanted: which are tested does not depend on which end first.
        while counts["killed"] + counts["survived"] + counts["equivalent"] + waiting < arguments.count:
            mutant = next(remaining, None)
            if mutant is None:
                break
            asked.put(mutant)
            waiting += 1
        if waiting == 0:
            break
        while True:
            try:
                mutant, outcome = answers.get(timeout=5)
                break
            except queue.Empty:
                if not all(worker.is_alive() for worker in workers):
                    for worker in workers:
                        worker.terminate()
                    sys.exit("random_mutants.py: a process ended; what it printed says why")
        waiting -= 1
        count(mutant, outcome)
    for _ in workers:
        asked.put(None)
    tested = counts["killed"] + counts["survived"] + counts["equivalent"]
    print(f"{counts['killed']} of {tested} mutants killed, {counts['equivalent']} equivalent, {counts['survived']} survived; seed {arguments.seed};"
          f" {counts['did']} more did not compile")  # fmt: skip
    return 1 if counts["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
