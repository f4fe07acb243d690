#!/usr/bin/env python3
"""Compiles wrong uses of the public headers and expects for each the error that says what is wrong.

    tests/project/compile_errors.py COMPILER

Right uses are compiled too, so that a compiler that fails for another reason is noticed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Each use is a function of its own, on a line of its own: one compilation finds the errors of all.
VIEWS = """
#include <array>
#include <string>
#include <vector>
#include "supremum/supremum.h"
using namespace supremum;
float x[6] = {};
const Shape shape{2, 3}, rows{2};
const std::int64_t axes[] = {-1};
const std::string_view names[] = {"a", "b"};
TensorView view;
MutableTensorView output;
MaxOptions options;
ReduceMaxOptions reduce;
std::string text;
std::vector<std::int64_t> list;
"""

# a use, a part of the error: "" for none
DELETED = "deleted"
VIEW_USES = [
    # Owners that are variables, views of them, and literals.
    ("view = TensorView::Of(x, list, list);", ""),
    ("view = TensorView::Of(x, std::span(list));", ""),
    ("view = TensorView::Of(x, DimsView(shape), {});", ""),
    ("view = TensorView{DType::kFloat32, shape, {}, x};", ""),
    ("view.shape = shape; view.strides = {}; view.shape = output.shape;", ""),
    ("options.input_names = names; options.output_name = text; options.output_name = \"y\";", ""),
    ("const Tensor tensor; view = tensor.View();", ""),
    # The few axes are copied.
    ("reduce.axes = std::array<std::int64_t, 1>{-1}; reduce.axes = {0, -1}; reduce.axes = std::vector<std::int64_t>{1};", ""),
    ("reduce.axes = axes; reduce.axes = std::nullopt; reduce.axes = std::optional(list); reduce.axes = AxesOfOnnx(list, true);", ""),
    ("static_cast<void>(ReduceMax(view, output, {.axes = {-1}}));", ""),
    ("std::vector<float> a(3); static_cast<void>(Max<float>(a, {x, 3}, a)); x[0] = ReduceMax<float>(a);", ""),
    ("bool truths[3]; static_cast<void>(Max<bool>(truths, truths, truths));", "no matching function"),
    ("static_cast<void>(ReduceMax(view, output, {.axes = axes, .source_name = \"x\"}));", ""),
    # Owners that are gone when the view is read.
    ("view = TensorView::Of(x, Shape{2, 3});", DELETED),
    ("view = TensorView::Of(x, {2, 3});", DELETED),
    ("view = TensorView::Of(x, std::vector<std::int64_t>{2, 3});", DELETED),
    ("view = TensorView::Of(x, shape, RowMajorStrides(shape));", DELETED),
    ("output = MutableTensorView::Of(x, Shape{2, 3});", DELETED),
    ("output = MutableTensorView::Of(x, shape, std::array<std::int64_t, 2>{3, 1});", DELETED),
    ("view = TensorView{DType::kFloat32, Shape{2, 3}, {}, x};", DELETED),
    ("output = MutableTensorView{DType::kFloat32, shape, Shape{3, 1}, x};", DELETED),
    ("view.shape = Shape{2, 3};", DELETED),
    ("output.strides = std::vector<std::int64_t>{3, 1};", DELETED),
    ("const BoundedOutput bounded{.value = MutableTensorView::Of(x, Shape{2, 3})};", DELETED),
    ("options.input_names = std::vector<std::string_view>{\"a\", \"b\"};", DELETED),
    ("options.input_names = {\"a\", \"b\"};", DELETED),
    ("options.output_name = text + \"y\";", DELETED),
    ("reduce.source_name = std::string(\"x\");", DELETED),
    ("view = Tensor().View();", DELETED),
    ("output = Tensor().MutableView();", DELETED),
    ("for (const float element : Tensor().Elements<float>()) x[0] = element;", DELETED),
    ("const auto kept = AxesOfOnnx(std::vector<std::int64_t>{1}, true);", "error:"),
    ("const auto kept = ReduceMaxOptions{.axes = {1}}.axes.list();", DELETED),
]

# The first error of a header in an older language.
OLDER = "supremum needs C++20"
OTHER_LANGUAGES = ("c_api.h", "c_models.h", "mpi.h", "mpi_c.h", "onnxruntime.h")  # C; those that need headers of other libraries


def compile(compiler: str, program: str, *options: str) -> tuple[int, list[str]]:
    """The exit status, and the lines with errors."""
    command = [compiler, "-fsyntax-only", f"-I{ROOT / 'include'}", *options, "-x", "c++", "-"]
    done = subprocess.run(command, input=program, capture_output=True, text=True, check=False)
    return done.returncode, [line for line in done.stderr.splitlines() if "error:" in line]


def functions(uses: list[tuple[str, str]]) -> str:
    return VIEWS + "".join(f'#line {number} "use"\nvoid Use{number}() {{ {use} }}\n' for number, (use, _) in enumerate(uses, start=1))


def main() -> int:
    compiler = sys.argv[1]
    failed = 0

    def report(right: bool, what: str, expected: str, errors: list[str]) -> None:
        nonlocal failed
        if not right:
            failed += 1
            print(f"{what}: expected {expected or 'no error'}, and the compiler wrote: {errors[:3]}")

    right = [use for use in VIEW_USES if not use[1]]
    status, errors = compile(compiler, functions(right), "-std=c++20")
    report(status == 0, "the right uses of views", "", errors)
    wrong = [use for use in VIEW_USES if use[1]]
    _, errors = compile(compiler, functions(wrong), "-std=c++20")
    for number, (use, expected) in enumerate(wrong, start=1):
        of_use = [line for line in errors if line.startswith(f"use:{number}:")]
        report(any(expected in line for line in of_use), use, expected, of_use)

    headers = [path.name for path in sorted((ROOT / "include" / "supremum").glob("*.h")) if path.name not in OTHER_LANGUAGES]
    for header in headers:
        _, errors = compile(compiler, f'#include "supremum/{header}"\n', "-std=c++17", "-E", "-o", "/dev/null")
        report(bool(errors) and OLDER in errors[0], f"{header} in C++17", OLDER, errors)
    _, errors = compile(compiler, '#include "supremum/supremum.h"\n', "-std=c++17")
    report(bool(errors) and OLDER in errors[0], "compiled as C++17", OLDER, errors)
    print(f"{len(VIEW_USES)} uses, and {len(headers)} headers in C++17: {failed} without the expected error, or none")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
