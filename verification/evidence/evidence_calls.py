#!/usr/bin/env python3
"""The graph of calls of core, rules, lane, kernels and ops: no recursion, and how much of the stack each route takes at most.

    verification/evidence/evidence_calls.py OBJECTS PROBE [--write]    exit status 1 if a function calls itself, directly or not, if a route takes
                                                         more than it may or than the graph says, or if an object needs exceptions
                                                         or RTTI; --write: the routes and their bounds, into build/evidence/memory.md

OBJECTS is the folder of the objects of supremum_plain, which GCC makes with -fcallgraph-info=su: a graph beside each object, with
the frame of each function. A bound is the largest sum of frames along any path of calls. Calls through pointers are followed to all
that they can reach: from ParallelFor to what its caller gave it, from kernels to the portable ones, from operators to every kernel
of every target that was compiled. Functions of the C and C++ libraries have no graph: OUTSIDE is added once for them. PROBE is the
built tests/plain/stack_probe.cc, which measures what calls touch of a painted stack.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from evidence_common import output_of, write_made

OUTSIDE = 4096  # bytes: memcpy, operator new, sysconf and their like, and the dynamic linker, which finds them at their first call

PROBES_OWN = 512  # what the probe's own functions around a call take

# A route: what it is called, the function it begins with, what it may take of the stack at most.
RUN = 96 * 1024  # as include/supremum/max.h and reduce_max.h promise
PREPARE = 96 * 1024
ROUTES = [
    ("`MaxPlan::Run`", r"supremum::MaxPlan::Run\(\) const$", RUN),
    ("`ReduceMaxPlan::Run`", r"supremum::ReduceMaxPlan::Run\(\) const$", RUN),
    ("`MaxPlan::Prepare`", r"supremum::MaxPlan::Prepare\(", PREPARE),
    ("`ReduceMaxPlan::Prepare`", r"supremum::ReduceMaxPlan::Prepare\(", PREPARE),
    ("`MaxPlan::Rebind`", r"supremum::MaxPlan::Rebind\(", PREPARE),
    ("`ReduceMaxPlan::Rebind`", r"supremum::ReduceMaxPlan::Rebind\(", PREPARE),
    ("`Max`", r"supremum::Max\(", PREPARE),
    ("`ReduceMax`", r"supremum::ReduceMax\(", PREPARE),
    ("`MaxWithBounds`", r"supremum::MaxWithBounds\(", PREPARE),
    ("`ReduceMaxWithBounds`", r"supremum::ReduceMaxWithBounds\(", PREPARE),
]

# What an object of the rooms must not need.
EXCEPTIONS_AND_RTTI = re.compile(r"\b(__cxa_throw|__cxa_rethrow|__cxa_begin_catch|__cxa_allocate_exception|_Unwind_Resume|__gxx_personality_v0"
                                 r"|__dynamic_cast|_ZTI\w+|_ZTVN10__cxxabiv1\w+)\b")  # fmt: skip


@dataclass
class Graph:
    """The functions of all objects, by their names for the linker."""

    frames: dict[str, int] = field(default_factory=dict)
    dynamic: set[str] = field(default_factory=set)  # a frame that grows as it runs
    files: dict[str, str] = field(default_factory=dict)
    calls: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    names: dict[str, str] = field(default_factory=dict)  # for people
    unknown: list[str] = field(default_factory=list)  # who calls through a pointer, and nobody knows what


def local(title: str, unit: str) -> str:
    """A function's name: those of one unit alone are called `file:name` in the graph."""
    return title if title.startswith("_Z") or ":" not in title else unit + ":" + title.rpartition(":")[2]


def read(objects: Path) -> Graph:
    graph = Graph()
    units = sorted(objects.rglob("*.ci"))
    if not units:
        sys.exit(f"{objects}: no graph (*.ci): was supremum_plain built with GCC?")
    for path in units:
        text = path.read_text(encoding="utf-8")
        for title, label in re.findall(r'^node: \{ title: "([^"]*)" label: "([^"]*)"', text, re.MULTILINE):
            size = re.search(r"\\n(\d+) bytes \(([\w,]+)\)", label)
            if size:
                name = local(title, path.stem)
                graph.frames[name] = max(graph.frames.get(name, 0), int(size[1]))
                graph.files[name] = label.split("\\n")[1] if "\\n" in label else ""
                if "dynamic" in size[2] and "bounded" not in size[2]:
                    graph.dynamic.add(name)
        for caller, callee in re.findall(r'^edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"', text, re.MULTILINE):
            graph.calls[local(caller, path.stem)].add(local(callee, path.stem))
    raw = sorted(graph.frames)
    shown = subprocess.run(["c++filt"], input="\n".join(name.rpartition(":")[2] for name in raw), capture_output=True, text=True, check=True)
    graph.names = dict(zip(raw, shown.stdout.splitlines()))
    connect(graph)
    return graph


PARALLEL_FOR = "supremum::internal::ParallelFor("
RANGE = re.compile(r"supremum::ParallelFor<(.*)::\{lambda\([^)]*\)#\d+\}>\(.*::(?:_FUN|__invoke)\(void const\*, unsigned long, unsigned long\)$")


def connect(graph: Graph) -> None:
    """Replaces calls through pointers by calls of all that they can reach, and other names of a function by its own."""
    for callees in graph.calls.values():
        for callee in [callee for callee in callees if callee not in graph.frames]:
            plain = callee.removesuffix(".localalias")
            plain = next((name for name in (plain, plain.rpartition(":")[2]) if name in graph.frames), plain)
            complete = re.sub(r"([CD])1E(?=[^E]*$)", r"\g<1>2E", plain)  # the complete constructor is the one of the base
            for name in (plain, complete):
                if name in graph.frames:
                    callees.remove(callee)
                    callees.add(name)
                    break
    called = set().union(*graph.calls.values())
    pointed_at = {n for n in graph.frames if n not in called}  # only a table, or a caller outside, names these
    kernels = {n for n in pointed_at if "src/kernels/" in graph.files[n] and not re.search("target|memory_model|cpu_quota", graph.files[n])}
    quota_readers = {n for n in pointed_at if "ReadFile(" in graph.names[n]}
    portable = {n for n in kernels if "src/kernels/portable.cc" in graph.files[n]}
    short_runs = {n for n in kernels if "src/kernels/simd_short_runs" in graph.files[n]}
    tables = {n for n, shown in graph.names.items() if shown.endswith("::Parts()")}
    for caller in sorted(graph.calls):
        callees = graph.calls[caller]
        if "__indirect_call" not in callees or graph.names[caller].startswith(PARALLEL_FOR):
            continue
        callees.remove("__indirect_call")
        if re.search(r"src/kernels/simd_\w+-inl\.h", graph.files[caller]):
            callees |= portable  # what is left of a row
            if "src/kernels/simd_runs" in graph.files[caller]:
                callees |= short_runs
        elif re.search(r"src/kernels/simd\.cc|src/kernels/simd_table|src/kernels/target|hwy/", graph.files[caller]):
            callees |= tables
        elif "src/kernels/cpu_quota" in graph.files[caller]:
            callees |= quota_readers
        elif "src/ops/" in graph.files[caller]:
            callees |= kernels
        else:
            graph.unknown.append(graph.names[caller])
    follow_ranges(graph)


def follow_ranges(graph: Graph) -> None:
    """ParallelFor runs what its caller gives it: a ParallelFor of its own for each caller, which calls that caller's function."""
    own = next((n for n, shown in graph.names.items() if shown.startswith(PARALLEL_FOR)), None)
    if own is None:
        return
    ranges = {n: found[1] for n, shown in graph.names.items() if (found := RANGE.search(shown))}
    graph.calls[own].discard("__indirect_call")
    for caller in [caller for caller, callees in graph.calls.items() if own in callees]:
        of_caller = {n for n, owner in ranges.items() if owner in graph.names[caller]}
        copy = f"{own} for {caller}"
        graph.frames[copy], graph.files[copy], graph.names[copy] = graph.frames[own], graph.files[own], graph.names[own]
        graph.calls[copy] = graph.calls[own] | (of_caller or set(ranges))
        graph.calls[caller].remove(own)
        graph.calls[caller].add(copy)


def cycles(graph: Graph) -> list[list[str]]:
    """Every set of functions that call each other (Tarjan's algorithm, without recursion)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[list[str]] = []
    for root in sorted(graph.frames):
        if root in index:
            continue
        work = [(root, iter(sorted(graph.calls[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            name, callees = work[-1]
            for callee in callees:
                if callee not in graph.frames:
                    continue
                if callee not in index:
                    index[callee] = low[callee] = len(index)
                    stack.append(callee)
                    on_stack.add(callee)
                    work.append((callee, iter(sorted(graph.calls[callee]))))
                    break
                if callee in on_stack:
                    low[name] = min(low[name], index[callee])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    component = []
                    while not component or component[-1] != name:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    if len(component) > 1 or name in graph.calls[name]:
                        found.append(sorted(component))
    return found


def bounds(graph: Graph) -> dict[str, tuple[int, str]]:
    """function -> the most of the stack that it and what it calls take, and the callee on that path."""
    found: dict[str, tuple[int, str]] = {}
    work = [(name, False) for name in graph.frames]
    open_now: set[str] = set()
    while work:
        name, done = work.pop()
        if name in found:
            continue
        inner = [callee for callee in graph.calls[name] if callee in graph.frames and callee != name and callee not in open_now]
        if done:
            open_now.discard(name)
            outside = [(OUTSIDE, "")] if any(callee not in graph.frames for callee in graph.calls[name]) else [(0, "")]
            most, path = max([(found[callee][0], callee) for callee in inner if callee in found] + outside)
            found[name] = (graph.frames[name] + most, path)
        else:
            open_now.add(name)
            work.append((name, True))
            work += [(callee, False) for callee in inner if callee not in found]
    return found


def measured(probe: Path) -> dict[str, int]:
    """route -> the most bytes of the stack that the probe saw it touch."""
    lines = [line.split("\t") for line in output_of(probe).splitlines()]
    return {f"`{name}`": int(size) for name, size in lines}


def problems_of(graph: Graph, objects: Path, seen: dict[str, int]) -> list[str]:
    problems: list[str] = []
    problems += [f"{name}: calls through a pointer, and nobody knows what" for name in graph.unknown]
    problems += ["recursion: " + ", ".join(graph.names[name] for name in cycle) for cycle in cycles(graph)]
    problems += [f"{graph.names[name]}: its frame grows as it runs" for name in sorted(graph.dynamic)]
    found = bounds(graph)
    for title, pattern, most in ROUTES:
        entries = [name for name in graph.frames if re.search(pattern, graph.names[name])]
        if not entries:
            problems.append(f"{title}: no function matches {pattern}")
        problems += [f"{title}: {found[name][0]} bytes of the stack, at most {most} are allowed" for name in entries if found[name][0] > most]
        most_here = max((found[name][0] for name in entries), default=0)
        if not 0 < seen.get(title, 0) <= most_here + PROBES_OWN:
            problems.append(f"{title}: the probe saw {seen.get(title, 0)} bytes of the stack, the graph says at most {most_here}")
    for path in sorted(objects.rglob("*.o")):
        needed = sorted(set(EXCEPTIONS_AND_RTTI.findall(output_of("nm", "-u", path))))
        problems += [f"{path.relative_to(objects)}: needs {name}" for name in needed]
    return problems


def short(shown: str) -> str:
    """A function's name without its namespaces' and templates' details: `RunTile`, `ReduceRuns of AVX2`."""
    target = re.search(r"::N_(\w+)::", shown)
    name = re.sub(r"\(anonymous namespace\)::|supremum::|kernels::|N_\w+::", "", shown)
    inside = re.search(r"ParallelFor<(.*?)\(", name)
    if RANGE.search(shown) and inside:
        return f"what {inside[1]} gave it"
    while (plain := re.sub(r"<[^<>]*>", "", name)) != name:
        name = plain
    name = re.sub(r"\(.*", "", name).split(" ")[-1]
    return name + (f" of {target[1]}" if target else "")


def table(graph: Graph, seen: dict[str, int]) -> str:
    """The bounds, a line for each route, with the path on which they are reached."""
    found = bounds(graph)
    lines = ["| route | bytes at most | measured | the deepest path, frames in bytes |", "| --- | ---: | ---: | --- |"]
    for title, pattern, _ in ROUTES:
        entry = max((name for name in graph.frames if re.search(pattern, graph.names[name])), key=lambda name: found[name][0])
        path, name = [], entry
        while name:
            path.append(f"`{short(graph.names[name])}` {graph.frames[name]}")
            name = found[name][1]
        outside = found[entry][0] - sum(int(part.rpartition(" ")[2]) for part in path)
        path += [f"libraries {outside}"] if outside else []
        lines.append(f"| {title} | {found[entry][0]:,} | {seen.get(title, 0):,} | {', '.join(path)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("objects", type=Path)
    parser.add_argument("probe", type=Path)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    graph, seen = read(args.objects), measured(args.probe)
    if args.write:
        write_made("memory.md", "Bounds on the stack", "verification/evidence/evidence_calls.py", table(graph, seen))
    problems = problems_of(graph, args.objects, seen)
    for problem in problems:
        print(problem)
    if not problems:
        print(f"{len(graph.frames)} functions, {sum(map(len, graph.calls.values()))} calls: no recursion; {len(ROUTES)} routes within their bounds")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
