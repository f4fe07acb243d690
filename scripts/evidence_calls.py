#!/usr/bin/env python3
"""The graph of calls of core, lane, kernels and ops: no recursion, and how much of the stack each route takes at most.

    scripts/evidence_calls.py --check OBJECTS    exit status 1 if a function calls itself, directly or not, if a route takes more
                                                 than it may, or if an object needs exceptions or RTTI
    scripts/evidence_calls.py --write OBJECTS    the routes and their bounds, into docs/evidence/memory.md

OBJECTS is the folder of the objects of supremum_plain, which GCC makes with -fcallgraph-info=su: a graph beside each object, with
the frame of each function. A bound is the largest sum of frames along any path of calls. Calls through pointers are followed to all
that they can reach: from ParallelFor to the functions that run a range, from elsewhere to every kernel of every target that was
compiled. Functions of the C and C++ libraries have no graph: OUTSIDE is added once for them.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from evidence_common import output_of, write_block

OUTSIDE = 1024  # bytes: memcpy, memset, sysconf and their like on the run path; a call to any of them adds this once

# A route: what it is called, the function it begins with, what it may take of the stack at most.
RUN = 64 * 1024  # as include/supremum/max.h and reduce_max.h promise
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

# Functions of the standard library that call themselves: name, why that ends, how deep it can go.
RECURSION = [
    (r"^void std::__introsort_loop<", "`std::sort` on at most 129 terms (core/overlap.cc) halves its depth limit", 14),
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


def connect(graph: Graph) -> None:
    """Replaces calls through pointers by calls of all that they can reach."""
    run_ranges = {n for n, shown in graph.names.items() if re.search(r"ParallelFor<.*\{lambda\(void const\*|::_FUN\(void const\*, unsigned long", shown)}
    kernels = {n for n, file in graph.files.items() if "src/kernels/" in file and not re.search("target|cache_size", file)}
    called = set().union(*graph.calls.values())
    kernels = {name for name in kernels if name not in called}  # those that only a table names
    for caller, callees in graph.calls.items():
        if "__indirect_call" in callees:
            callees.remove("__indirect_call")
            callees |= run_ranges if "ParallelFor" in graph.names.get(caller, "") else kernels


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


def allowed_depth(graph: Graph, cycle: list[str]) -> int | None:
    """How often a recursion of the standard library can be entered; None for any other."""
    for pattern, _, depth in RECURSION:
        if all(re.search(pattern, graph.names[name]) for name in cycle):
            return depth
    return None


def bounds(graph: Graph) -> dict[str, tuple[int, str]]:
    """function -> the most of the stack that it and what it calls take, and the callee on that path."""
    depth = {name: allowed_depth(graph, cycle) or 1 for cycle in cycles(graph) for name in cycle}
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
            found[name] = (graph.frames[name] * depth.get(name, 1) + most, path)
        else:
            open_now.add(name)
            work.append((name, True))
            work += [(callee, False) for callee in inner if callee not in found]
    return found


def problems_of(graph: Graph, objects: Path) -> list[str]:
    problems: list[str] = []
    for cycle in cycles(graph):
        if allowed_depth(graph, cycle) is None:
            problems.append("recursion: " + ", ".join(graph.names[name] for name in cycle))
    problems += [f"{graph.names[name]}: its frame grows as it runs" for name in sorted(graph.dynamic)]
    found = bounds(graph)
    for title, pattern, most in ROUTES:
        entries = [name for name in graph.frames if re.search(pattern, graph.names[name])]
        if not entries:
            problems.append(f"{title}: no function matches {pattern}")
        problems += [f"{title}: {found[name][0]} bytes of the stack, at most {most} are allowed" for name in entries if found[name][0] > most]
    for path in sorted(objects.rglob("*.o")):
        needed = sorted(set(EXCEPTIONS_AND_RTTI.findall(output_of("nm", "-u", path))))
        problems += [f"{path.relative_to(objects)}: needs {name}" for name in needed]
    return problems


def table(graph: Graph) -> str:
    """The bounds, a line for each route, with the path on which they are reached."""
    found = bounds(graph)
    lines = ["| route | bytes at most | the deepest path, frames in bytes |", "| --- | ---: | --- |"]
    for title, pattern, _ in ROUTES:
        entry = max((name for name in graph.frames if re.search(pattern, graph.names[name])), key=lambda name: found[name][0])
        path, name = [], entry
        while name:
            short = re.sub(r"\(anonymous namespace\)::|supremum::|kernels::|N_\w+::", "", graph.names[name])
            short = re.sub(r"<.*|\(.*", "", short.replace("operator()", "lambda")) or graph.names[name]
            path.append(f"`{short.split(' ')[-1]}` {graph.frames[name]}")
            name = found[name][1]
        lines.append(f"| {title} | {found[entry][0]:,} | {', '.join(path)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", type=Path, metavar="OBJECTS")
    parser.add_argument("--write", type=Path, metavar="OBJECTS")
    args = parser.parse_args()
    objects = args.check or args.write
    if objects is None:
        parser.error("say --check OBJECTS or --write OBJECTS")
    graph = read(objects)
    if args.write:
        write_block("memory.md", table(graph))
    problems = problems_of(graph, objects)
    for problem in problems:
        print(problem)
    if not problems:
        print(f"{len(graph.frames)} functions, {sum(map(len, graph.calls.values()))} calls: no recursion but {len(cycles(graph))} of the standard"
              f" library; {len(ROUTES)} routes within their bounds")  # fmt: skip
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
