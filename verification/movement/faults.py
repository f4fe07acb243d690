#!/usr/bin/env python3
"""Faults in the movement of elements, one at a time: movement_test must detect each.

    verification/movement/faults.py BUILD [PATTERN]    BUILD: a folder in which libsupremum.a was built
    verification/movement/faults.py --check            only checks that each can still be put in

Only the faulty translation unit is compiled, for AVX2, and linked with the others. Exit status 1 if a fault is not detected.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ["simd", "simd_join", "simd_lines", "simd_many", "simd_moves", "simd_rows", "simd_runs", "simd_short_runs", "portable"]
TESTS = ["primitives", "operators", "one_hot", "movement_test"]
AVX2 = 1 << 9  # Highway's number
FLAGS = ["-std=c++20", "-O2", "-DNDEBUG", f"-DHWY_DISABLED_TARGETS=(~({AVX2}LL|HWY_SCALAR|HWY_EMU128))"]
TYPES = "uint8 float16 float32 float64"

# the primitive, the fault, the file under src, correct text, faulty text, the translation unit under src
FAULTS = [
    ("join", "a scalar is its neighbour", "kernels/simd_join-inl.h", "ScalarLine(b.data), y.data", "ScalarLine(a.data), y.data", "kernels/simd_join"),
    ("join", "both operands are one", "kernels/simd_join-inl.h", "DenseLine{a.data}, DenseLine{b.data}", "DenseLine{a.data}, DenseLine{a.data}", "kernels/simd_join"),
    ("join", "elements with gaps are in the order of the loads", "kernels/simd_line-inl.h", "order[element++] = static_cast<Unsigned>(lane);", "order[element] = static_cast<Unsigned>(element), ++element;", "kernels/simd_join"),
    ("join", "the second of several loads begins one element early", "kernels/simd_line-inl.h", "(element * step - k) * sizeof(Unsigned)", "(element * step - k - (k == 1)) * sizeof(Unsigned)", "kernels/simd_join"),
    ("join", "the left elements with gaps are the right ones", "kernels/simd_join-inl.h", "stepped.Merged(a.data + distance)", "stepped.Merged(b.data + distance)", "kernels/simd_join"),
    ("copy", "the source begins one element late", "kernels/simd_join-inl.h", "L::Canonical(Load(a.data + i * kWidth))", "L::Canonical(Load(a.data + (i + (i > 0)) * kWidth))", "kernels/simd_join"),
    ("copy", "a short row is a vector", "kernels/simd_join-inl.h", "LoadFirst(a.data, k)", "LoadFirst(a.data, k - (k > 2))", "kernels/simd_join"),
    ("lines", "the last vector does not end with the line", "kernels/simd_access-inl.h", "HWY_MIN(i, n - lanes);\n        Store(at(from)", "HWY_MIN(i, n - lanes + (n % 3 == 2));\n        Store(at(from)", "kernels/simd_lines"),
    ("lines", "the vector that overlaps is not always stored", "kernels/simd_access-inl.h", "if (overlaps) Store(last", "if (overlaps && n % 3 != 2) Store(last", "kernels/simd_lines"),
    ("lines", "a block of the right operand does not move", "kernels/simd_lines-inl.h", "b.data + block * b.block_stride", "b.data + block * a.block_stride * 0", "kernels/simd_lines"),
    ("lines", "the right operand's lines are those of the left", "kernels/simd_lines-inl.h", "right += b.line_stride;", "right += a.line_stride;", "kernels/simd_lines"),
    ("lines", "repeated elements forget their phase", "kernels/simd_line-inl.h", "A::LoadOrder(sequence + place.phase)", "A::LoadOrder(sequence)", "kernels/simd_lines"),
    ("lines", "skipped elements are not counted", "kernels/simd_line-inl.h", "hn::Add(order, OrderOf(place.skipped))", "order", "kernels/simd_lines"),
    ("lines", "backwards by one element too few", "kernels/simd_line-inl.h", "Reversed(Load(data - (i + Lanes() - 1) * kWidth))", "Reversed(Load(data - (i + Lanes() - (i == 0)) * kWidth))", "kernels/simd_lines"),
    ("lines", "bytes of a pair are not swapped", "kernels/simd_line-inl.h", "hn::Or(hn::ShiftLeft<8>(reversed), hn::ShiftRight<8>(reversed))", "reversed", "kernels/simd_lines"),
    ("non-temporal lines", "what a line leaves of a vector is lost", "kernels/simd_access-inl.h", "pending_ = n - i;", "pending_ = 0 * n;", "kernels/simd_lines"),
    ("non-temporal lines", "elements before the first line are written", "kernels/simd_access-inl.h", "if (completed > 0 && preceding_ > 0) {", "if (completed > 0 && preceding_ > HWY_MAX_BYTES) {", "kernels/simd_lines"),
    ("many", "the first pass is forgotten", "kernels/simd_many-inl.h", "x.count, m > 0 ? acc : nullptr, y,", "x.count, nullptr, y,", "kernels/simd_many"),
    ("many", "each vector is the first one", "kernels/simd_many-inl.h", "const V next = Load(x + places.before[k]);", "const V next = Load(x + places.before[0]);", "kernels/simd_many"),
    ("many", "the last of many inputs is left out", "kernels/simd_many-inl.h", "for (std::size_t m = begin; m < end; ++m) strip.Add", "for (std::size_t m = begin; m + 1 < end; ++m) strip.Add", "kernels/simd_many"),
    ("many", "the last of few inputs is left out", "kernels/simd_many-inl.h", "j < kMore; ++j", "j + (kMore > 2) < kMore; ++j", "kernels/simd_many"),
    ("repeat", "the last element is repeated once less", "kernels/simd_moves-inl.h", "out += repeat_count * kWidth) {", "out += (repeat_count - (left == 2)) * kWidth) {", "kernels/simd_moves"),
    ("repeat", "backwards sources are read forwards", "kernels/simd_moves-inl.h", "{ return Reversed(Load(a.data - (i + lanes - 1) * kWidth)); };", "{ return Load(a.data - (i + lanes - 1) * kWidth); };", "kernels/simd_moves"),
    ("repeat", "elements with gaps are in the order of the loads", "kernels/simd_line-inl.h", "order[element++] = static_cast<Unsigned>(lane);", "order[element] = static_cast<Unsigned>(element), ++element;", "kernels/simd_moves"),
    ("transpose", "a square is read one column late", "kernels/simd_moves-inl.h", "row_stride + c * kWidth, row_stride,", "row_stride + (c + (c > kSquare)) * kWidth, row_stride,", "kernels/simd_moves"),
    ("transpose", "the lower half is interleaved twice", "kernels/simd_moves-inl.h", ": hn::InterleaveUpper(Block16(), R(s.row[r / 2]), R(s.row[r / 2 + kHalf]))", ": hn::InterleaveLower(Block16(), R(s.row[r / 2]), R(s.row[r / 2 + kHalf]))", "kernels/simd_moves"),
    ("clear", "a vector is left out", "kernels/simd_accumulators-inl.h", "        n, acc, [&](std::size_t) HWY_ATTR { return bottom; }", "        n - (n % 7 == 6), acc, [&](std::size_t) HWY_ATTR { return bottom; }", "kernels/simd_rows"),
    ("fold_rows", "the last row is left out", "kernels/simd_rows-inl.h", "strip.Add(row);\n      if (--left == 0) break;", "strip.Add(row);\n      if (--left <= (a.reduced > 4 ? 1u : 0u)) break;", "kernels/simd_rows"),
    ("fold_rows", "the second of some rows at a time is left out", "kernels/simd_rows-inl.h", "      strip.Add(second);\n", "", "kernels/simd_rows"),
    ("fold_rows", "the fourth of some rows at a time is left out", "kernels/simd_rows-inl.h", "      third.Add(fourth);\n", "", "kernels/simd_rows"),
    ("fold_rows", "the accumulators are forgotten", "kernels/simd_rows-inl.h", "if (!a.fresh) strip.Add(acc + from);", "", "kernels/simd_rows"),
    ("fold_rows", "what fills no vector is left out", "kernels/simd_rows-inl.h", "if (rest > 0) JoinInto", "if (rest > a.kept * lanes) JoinInto", "kernels/simd_rows"),
    ("fold_rows", "the last strip does not overlap", "kernels/simd_accumulators-inl.h", "k + 1 == kCount ? last : k * kVectorBytes", "k * kVectorBytes", "kernels/simd_rows"),
    ("fold_rows", "rows after a pass are the first ones", "kernels/simd_rows-inl.h", "static_cast<std::ptrdiff_t>(begin) * a.reduced_stride;", "static_cast<std::ptrdiff_t>(0 * begin) * a.reduced_stride;", "kernels/simd_rows"),
    ("fold_rows", "all parts of a vector are the first one", "kernels/simd_rows-inl.h", "{ return at + p * apart; }", "{ return at + p * 0 * apart; }", "kernels/simd_rows"),
    ("fold_rows", "a part of a result is stored where the one before is", "kernels/simd_rows-inl.h", "hn::UpperHalf(half, v), at + kBytes / 2 / kPart * apart", "hn::UpperHalf(half, v), at", "kernels/simd_rows"),
    ("fold_rows", "the last of few rows is left out", "kernels/simd_rows-inl.h", "r < a.reduced; ++r) v = ", "r + 1 < a.reduced; ++r) v = ", "kernels/simd_rows"),
    ("reduce_runs", "a vector before the last one is left out", "kernels/simd_runs-inl.h", "for (std::size_t i = kGroup; i < n - kGroup;", "for (std::size_t i = kGroup; i + kGroup < n - kGroup;", "kernels/simd_runs"),
    ("reduce_runs", "the end of a run is left out", "kernels/simd_runs-inl.h", "end = Load(run + last * kWidth);", "end = Load(run + (last - 1) * kWidth);", "kernels/simd_runs"),
    ("reduce_runs", "the end of a run of some vectors is left out", "kernels/simd_runs-inl.h", "k0 = L::KeyMax(k0, key(last));", "", "kernels/simd_runs"),
    ("reduce_runs", "one of many folds is forgotten", "kernels/simd_accumulators-inl.h", "L::Add(fold[k % 2], fold[k]);", "if constexpr (k != 3) L::Add(fold[k % 2], fold[k]);", "kernels/simd_runs"),
    ("reduce_runs", "the last group does not overlap", "kernels/simd_runs-inl.h", "LoadGroups<kGroup>(run, n - kGroup)", "LoadGroups<kGroup>(run, n - kGroup - (n > kGroup))", "kernels/simd_runs"),
    ("reduce_runs", "pairs of rows are swapped", "kernels/simd_runs-inl.h", "row[i] = Pair<kLanes>(row[2 * i], row[HWY_MIN(2 * i + 1, rows - 1)]);", "row[i] = Pair<kLanes>(row[HWY_MIN(2 * i + 1, rows - 1)], row[2 * i]);", "kernels/simd_runs"),
    ("reduce_runs", "a run of less than a group has an element of the next one", "kernels/simd_runs-inl.h", "kCaps<kGroup>.keys + (kGroup - n)", "kCaps<kGroup>.keys + (kGroup - n - 1)", "kernels/simd_runs"),
    ("reduce_runs", "an element of a run of less than a group is at most the greatest value but one", "kernels/simd_runs-inl.h", "keys[i] = L::kTopKey;", "keys[i] = static_cast<Bits>(L::kTopKey - 1);", "kernels/simd_runs"),
    ("reduce_runs", "an element of a short run is read from a lane beside it", "kernels/simd_short_runs-inl.h", "(i + kOdd - kLanes * k % kOdd) % kOdd", "(i + 1 + kOdd - kLanes * k % kOdd) % kOdd", "kernels/simd_short_runs"),
    ("reduce_runs", "runs are in the order of lanes", "kernels/simd_short_runs-inl.h", "static_cast<Unsigned>(l * kOdd % kLanes)", "static_cast<Unsigned>(l)", "kernels/simd_short_runs"),
    ("portable join", "a strided row is read densely", "kernels/portable.cc", "Load(At(b, i))),", "Load(b.data + i * kWidth)),", "kernels/portable"),
    ("portable lines", "the last repeats are left out", "kernels/portable.cc", "i + repeat_count < n ? repeat_count : n - i);", "i + repeat_count < n ? repeat_count : n - i - 1);", "kernels/portable"),
    ("portable fold_rows", "a column's vector is the one before", "kernels/portable.cc", "LoadVector(row + v * sizeof(V))", "LoadVector(row + (v / 2) * sizeof(V))", "kernels/portable"),
    ("portable reduce_runs", "the last vector but one of a long run is left out", "kernels/portable.cc", "if (i + kLanes < n) first", "if (i + kLanes > n) first", "kernels/portable"),
    ("schedule of Max", "an input moves although it is broadcast", "core/align.h", "if (shape[d] != 1) visit(d,", "visit(d,", "core/align"),
    ("schedule of Max", "where the driving operand runs backwards, another does not", "ops/loop_nest.cc", "order_[k].reversed ? -step : step", "step", "ops/loop_nest"),
    ("schedule of Max", "tiles begin anew at each line", "ops/max_execute.cc", "index[d] * schedule.tile_extents[d];", "index[d];", "ops/max_execute"),
    ("schedule of ReduceMax", "accumulators begin with what was there", "ops/reduce_execute.cc", "static_cast<std::size_t>(run),\n                       true}", "static_cast<std::size_t>(run),\n                       false}", "ops/reduce_execute"),
]  # fmt: skip


def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    """The outcome; does not raise."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]


def compile_unit(source: Path, made: Path, first: list[str] | None = None) -> None:
    """Compiles a translation unit; folders in `first` precede the sources."""
    launcher = ["ccache"] if shutil.which("ccache") else []
    includes = [f"-I{folder}" for folder in [*(first or []), ROOT / "src", ROOT / "include", ROOT / "verification", ROOT / "tests"]]
    done = run([*launcher, "g++", *FLAGS, *includes, "-c", str(source), "-o", str(made)])
    if done.returncode != 0:
        raise SystemExit(f"{source}:\n{done.stderr[-3000:]}")


def detects(objects: list[Path], library: Path, program: Path) -> bool:
    """Links and runs the test; true if it fails. A crash is a failure, a run beyond the time limit too."""
    libraries = run(["pkg-config", "--libs", "libhwy", "tbb"]).stdout.split()
    done = run(["g++", *map(str, objects), str(library), *libraries, "-lgtest", "-lgtest_main", "-o", str(program)])
    if done.returncode != 0:
        raise SystemExit(done.stderr[-3000:])
    wanted = ":".join(f"Sample/Movement.*/{target}_{name}" for target in ("avx2", "portable") for name in TYPES.split())
    try:
        return run([str(program), "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={wanted}"], timeout=300).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def fault_is_detected(number: int, folder: Path, library: Path) -> bool:
    """Compiles the changed translation unit from a changed copy of its file."""
    _, _, name, correct, faulty, unit = FAULTS[number]
    here = folder / str(number)
    copy = here / name
    copy.parent.mkdir(parents=True)
    copy.write_text((ROOT / "src" / name).read_text(encoding="utf-8").replace(correct, faulty), encoding="utf-8")
    source = here / f"{unit}.cc" if name == f"{unit}.cc" else ROOT / "src" / f"{unit}.cc"
    made = here / "unit.o"
    compile_unit(source, made, [str(here)])
    kernels = [folder / f"{kernel}.o" for kernel in KERNELS if unit != f"kernels/{kernel}"]
    return detects([made, *kernels, *(folder / f"{test}.o" for test in TESTS)], library, here / "test")


def main() -> int:
    """Puts in each fault and reports the result."""
    counts = [(what, name, (ROOT / "src" / name).read_text(encoding="utf-8").count(correct)) for _, what, name, correct, *_ in FAULTS]
    if wrong := [f"{name}: the text of '{what}' occurs {count} times, expected once" for what, name, count in counts if count != 1]:
        print("\n".join(wrong))
        return 1
    if sys.argv[1:] == ["--check"]:
        return 0
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    library = Path(sys.argv[1]) / "lib" / "libsupremum.a"
    pattern = sys.argv[2] if len(sys.argv) > 2 else "*"
    chosen = [k for k, fault in enumerate(FAULTS) if fnmatchcase(fault[0], pattern)]
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(max_workers=2) as pool:
        folder = Path(name)
        units = [(ROOT / "src/kernels" / f"{k}.cc", folder / f"{k}.o") for k in KERNELS]
        units += [(ROOT / "verification/movement" / f"{t}.cc", folder / f"{t}.o") for t in TESTS]
        list(pool.map(lambda unit: compile_unit(*unit), units))
        if detects([made for _, made in units], library, folder / "test"):
            print("faults.py: the test fails without any fault")
            return 1
        missed = 0
        for k, found in zip(chosen, pool.map(lambda k: fault_is_detected(k, folder, library), chosen)):
            missed += not found
            print(f"{'detected' if found else 'NOT DETECTED':14}{FAULTS[k][0]}: {FAULTS[k][1]}", flush=True)
    primitives = len({FAULTS[k][0] for k in chosen})
    print(f"faults.py: {len(chosen) - missed} of {len(chosen)} faults in {primitives} primitives and schedules detected, {time.monotonic() - begin:.0f} s")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
