#!/usr/bin/env python3
"""Mutation tests: puts one fault at a time into the library and expects the tests to detect it.

    verification/mutants/mutants.py [FOLDER-OR-FILE ...]    all faults, or those in some sources
    verification/mutants/mutants.py --kit [...]             the same for those of KIT, which the conformance cases alone must detect
    verification/mutants/mutants.py --check                 only checks that each can still be put in

Each fault is put into a copy of the sources under build/mutants; the tests named with it are built and run there, and at least one
must fail. Exit status 1 if a fault is not detected, cannot be put in, or if the tests fail without any fault.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "mutants" / "source"
BUILD = ROOT / "build" / "mutants" / "build"

# the fault, file, correct text, faulty text, tests that must detect it
MUTANTS = [
    ("negative NaNs are below -inf", "src/lane/lane.h", "(TurnRound(a) - kNaNs)", "(TurnRound(a))", ["lane_test"]),
    ("a NaN is written as it came", "src/lane/lane.h", "key > kInfinityKey,", "false,", ["lane_test"]),
    ("a NaN is kept as it came", "src/lane/lane.h", "Select(IsNaN(a), kCanonicalNaN, a);", "a;", ["lane_test", "kernels_test"]),
    ("negative floats are in reverse order", "src/lane/lane.h", "all_if_negative & kMagnitude", "0 * all_if_negative", ["lane_test"]),
    ("infinity counts as NaN", "src/lane/lane.h", "& kMagnitude) > kInfinity", "& kMagnitude) >= kInfinity", ["lane_test"]),
    ("integers give the minimum", "src/lane/lane.h", "return a < b ? b : a;", "return a < b ? a : b;", ["lane_test"]),
    ("a scalar on the left is read as a row", "src/kernels/portable.cc", "loop(0, kDense, kDense)",
     "loop(kDense, kDense, kDense)", ["kernels_test", "ops_test"]),
    ("shapes are aligned at the first dimension", "src/core/align.h", "return common_rank - rank + d;", "return 0 * (common_rank - rank) + d;",
     ["core_test", "rules_test"]),
    ("the larger extent wins over zero", "src/core/align.h", "if (extent == 1 || extent == shape_[j]) return true;",
     "if (extent <= 1 || extent == shape_[j]) return true;", ["core_test", "rules_test"]),
    ("two unknown extents are equal", "src/rules/operands.h", "a == b && !a.IsUnknown()", "a == b", ["rules_test"]),
    ("two symbols are one", "src/rules/judge.h", "several_ || !(symbol_ == extent)", "several_", ["rules_test"]),
    ("an axis that a run names is known", "src/rules/reduce_max.h", "(*extents)[d] = 1;", "(*extents)[d] = operands.extent(0, d);",
     ["rules_test"]),
    ("an extent of 1 is stepped through", "src/core/align.h", "if (shape[d] != 1) visit(d,", "visit(d,", ["core_test", "ops_test"]),
    ("a walk's tensors stay behind at the end of a dimension", "src/core/walk.h", "tensor.steps[d] * (extents_[d] - 1);",
     "0 * tensor.steps[d];", ["core_test", "ops_test"]),
    ("a walk begins at the first index", "src/core/walk.h", "index_[d] = first % extents[d];", "index_[d] = 0 * first;", ["core_test"]),
    ("loops are merged although another operand does not allow it", "src/ops/loop_nest.cc", "merge && m < others_", "merge && m < 0 * others_",
     ["ops_test"]),
    ("where the driving operand runs backwards, another does not", "src/ops/loop_nest.cc", "order_[k].reversed ? -step : step", "step",
     ["ops_test"]),
    ("a tile expanded for one place is shown at another", "src/ops/max_execute.cc", "buffer.source == first && (", "(", ["ops_test"]),
    ("a tile expanded for some lines is shown to others", "src/ops/max_execute.cc", "(same_extents || (one_line", "(true || (one_line", ["ops_test"]),
    ("tiles begin anew at each line", "src/ops/max_execute.cc", "index[d] * schedule.tile_extents[d];", "index[d];", ["ops_test"]),
    ("blocks that show the same move", "src/ops/max_execute.cc", "blocks == 1 ? 0 : Bytes", "Bytes", ["ops_test"]),
    ("a line is cut where it does not repeat", "src/ops/loop_nest.cc", "steps[d] * inner, steps[d]);", "steps[d], steps[d]);", ["ops_test"]),
    ("what a line leaves of a vector is lost", "src/kernels/simd_access-inl.h", "pending_ = n - i;", "pending_ = 0 * n;", ["kernels_test"]),
    ("the last of a line are those before them", "src/kernels/simd_access-inl.h", "if (i < n) Store(at(n - lanes), y", "if (i < n) Store(at(i - lanes), y",
     ["kernels_test", "ops_test"]),
    ("what fills no vector is left out of a fold", "src/kernels/simd_rows-inl.h", "if (rest > 0) JoinInto", "if (rest > a.kept * lanes) JoinInto",
     ["kernels_test", "ops_test"]),
    ("repeated elements forget their phase", "src/kernels/simd_line-inl.h", "A::LoadOrder(sequence + place.phase)",
     "A::LoadOrder(sequence)", ["kernels_test"]),
    ("the last vectors of a line read beyond it", "src/kernels/simd_line-inl.h", "HWY_MIN(element, loadable - Lanes())", "element",
     ["kernels_test"]),
    ("of many inputs, the first group is forgotten", "src/kernels/simd_many-inl.h", "x.count, m > 0 ? acc : nullptr, y,",
     "x.count, nullptr, y,", ["kernels_test", "ops_test"]),
    ("a fold forgets negative NaNs", "src/kernels/simd_lanes-inl.h", "MinUnsigned(fold.moved_min, MoveUp(a));", "fold.moved_min;",
     ["kernels_test", "ops_test"]),
    ("keys leave NaNs of one sign below", "src/kernels/simd_lanes-inl.h", "return MoveDown(TurnRound(a));",
     "return TurnRound(a);", ["kernels_test", "ops_test"]),
    ("blocks are folded into what was there", "src/ops/reduce_execute.cc", "static_cast<std::size_t>(run),\n                       true}",
     "static_cast<std::size_t>(run),\n                       false}", ["ops_test"]),
    ("the model of an instruction is wrong", "verification/proofs/smt/instructions.py", '"(ite (bvugt a b) a b)"', '"(ite (bvsgt a b) a b)"',
     ["cosimulation_test"]),
    ("of two negative doubles the smaller one wins", "src/kernels/simd_lanes-inl.h", "hn::Xor(hn::VecFromMask(D(), a_wins), both)",
     "hn::VecFromMask(D(), a_wins)", ["cosimulation_test"]),
    ("accumulators begin with zero", "src/kernels/portable.cc", "Store(L::kBottom, acc", "Store(0 * L::kBottom, acc",
     ["kernels_test", "ops_test"]),
    ("the first of a run is left out", "src/kernels/portable.cc", "std::size_t i = 0;\n      if (a.reduced >= kMinElementsForFourJoins)",
     "std::size_t i = 1;\n      if (a.reduced >= kMinElementsForFourJoins)", ["kernels_test", "ops_test"]),
    ("a quarter of a long run is left out", "src/kernels/portable.cc", "L::Join(third, fourth)", "third", ["kernels_test", "ops_test"]),
    ("the last range is lost", "src/ops/parallel.cc", "i < count_; ++i", "i + 1 < count_; ++i", ["ops_test"]),
    ("a longer range is a unit too short", "src/ops/parallel.cc", "units_ % count_); }", "units_ % count_ / 2); }", ["ops_test"]),
    ("a target is refused and used", "src/kernels/target.cc", "if (const kernels::KernelTable* table = runnable.Find(name)) {",
     "if (const kernels::KernelTable* table = kernels::CompiledTables().Find(name)) {", ["kernels_test"]),
    ("on one rank a NaN stays as it came", "src/bindings/mpi/collectives.cc", "if (ranks->count == 1) Canonicalise(",
     "if (ranks->count == 0) Canonicalise(", ["mpi_test"]),
    ("every message has the beginning of a block", "src/bindings/mpi/collectives.cc", "values + bytes(of.begin + done)", "values + bytes(of.begin)",
     ["mpi_test"]),
    ("a rank without inputs gives what was there", "src/bindings/mpi/max.cc", "if (!bytes.empty()) {", "if (bytes.size() == 1) {", ["mpi_test"]),
    ("inputs of ranks keep their own strides", "src/bindings/mpi/max.cc", "AlignedStrides(input, shape_.rank())", "StridesOf(input)", ["mpi_test"]),
    ("an error stays with its rank", "src/bindings/mpi/agree.cc", "mine ? ranks->count : ranks->mine", "ranks->count", ["mpi_test"]),
    ("slabs that differ are one tensor", "src/bindings/mpi/reduce_max.cc", "!SameDims(slab.shape, other.shape) || split", "split", ["mpi_test"]),
    ("a part of a row is read as a whole one", "src/stream/source.cc", "whole = box.extent[d] == shape[d];", "whole = true;", ["stream_test"]),
    ("a tile is taken up without its hash", "src/stream/output.cc", "if (hash && *hash == left.tile->hash) {", "if (hash) {",
     ["stream_test"]),
    ("a damaged resume file is taken up", "src/stream/checkpoints.cc", 'line == "end " + HashOf(before)', 'line.starts_with("end ")', ["stream_test"]),
    ("what is done is taken up without its hash", "src/stream/output.cc", "if (!hash || *hash != done.hash) return {};",
     "if (!hash) return {};", ["stream_test"]),
    ("an input that was changed is not noticed", "src/io/files/file_bytes.cc", "if (*now == identity_) return {};", "if (now) return {};",
     ["formats_test", "stream_test"]),
    ("the next step replaces the maxima of those before", "src/stream/stream_reduce_max.cc", "first = first && away[d] == 0;",
     "first = first && away[d] >= 0;", ["stream_test"]),
    ("what one hand finds is not joined", "src/stream/stream_reduce_max.cc", "if (i == 0) continue;", "if (i != 1) continue;", ["stream_test"]),
    ("a worker continues with old maxima", "src/stream/stream_reduce_max.cc", "if (auto filled = FillWithIdentity(own); !filled) return filled;",
     "if (auto filled = FillWithIdentity(own.first(0)); !filled) return filled;", ["stream_test"]),
    ("a tile begins with what was there", "src/stream/stream_reduce_max.cc", "if (done == 0 && (tile->total == 0 || tile->total > step_)) {",
     "if (done == 0 && tile->total == 0) {", ["stream_test"]),
    ("every tile is the one that an earlier run began", "src/stream/stream_reduce_max.cc", "left && left->first == tile.position && left->",
     "left && left->", ["stream_test"]),
    ("a tile is saved over what waits to be written", "src/stream/write_behind.cc", "begin_ = end_;", "begin_ = begin_ + 0 * end_;", ["stream_test"]),
    ("an input does not move with the tile", "src/stream/stream_max.cc", "part.first[d] = box.first[j];",
     "part.first[d] = 0 * box.first[j];", ["stream_test"]),
    ("a box goes on in the next row", "src/stream/box.cc", "if (box.extent[d] < shape[d]) break;", "if (most < whole) break;",
     ["stream_test"]),
    ("-1 is the first axis", "src/core/axes.h", "axis < 0 ? axis + r : axis", "axis < 0 ? -1 - axis : axis", ["core_test", "ops_test"]),
    ("a dimension may be named twice", "src/core/axes.cc", "if (reduced.Has(d)) {", "if (reduced.Has(d) && named_as[d] == axis) {",
     ["ops_test"]),
    ("a line of accumulators forgets where it begins", "src/ops/reduce_execute.cc", "Tile tile{bindings.source + walk.offset(0) * step,",
     "Tile tile{bindings.source,", ["ops_test"]),
    ("an empty reduction keeps what was there", "src/ops/reduce_schedule.cc", "if (empty) run = Inner{0, 0, 0};",
     "if (empty) return {};", ["ops_test"]),
    ("a byte of bool counts as it is", "src/lane/lane.h", "return (a | b) != 0 ? 1 : 0;", "return a | b;", ["lane_test"]),
    ("sums are rounded towards zero", "src/lane/enclose.h", "inexact && rounding == Rounding::kAwayFromZero", "inexact && false",
     ["lane_test"]),
    ("what lies below a sum is forgotten", "src/lane/enclose.h", "static_cast<std::uint64_t>(lost != 0)", "0 * lost", ["lane_test"]),
    ("the upper end of an integer wraps round", "src/lane/enclose.h", "z > static_cast<Bits>(kMost - e) ? kMost", "e < 0 ? kMost",
     ["lane_test"]),
    ("a bound begins anew at each unit", "src/ops/enclose.cc", "bound_steps[last] *= unit;", "bound_steps[last] *= 0;", ["ops_test"]),
    ("a bound below zero is taken", "src/ops/bounds.cc", "return CheckNotNegative(call.bounds, call.names);", "return {};", ["ops_test"]),
    ("the bound of nothing is Bottom", "src/ops/bounds.cc", "if (known != Known::kBound || ", "if (true || ", ["ops_test"]),
    ("keepdims defaults to 0 in a model", "src/frontends/onnx/operators/reduce_max.cc", "options.keepdims = node.reduce_max.keepdims.value_or(true)",
     "options.keepdims = node.reduce_max.keepdims.value_or(false)", ["onnx_test"]),
    ("noop_with_empty_axes is ignored", "src/frontends/onnx/operators/reduce_max.cc", "node.reduce_max.noop_with_empty_axes.value_or(false)", "false",
     ["onnx_test"]),
    ("computed axes are read before they are there", "src/frontends/onnx/operators/reduce_max.cc",
     "if (run.execution().Given(node.inputs[1]) == nullptr)", "if (false)", ["onnx_test"]),
    ("axes that a caller may replace count as constant", "src/frontends/onnx/check_scope.cc", "if (!value.is_input) value.list =", "value.list =",
     ["onnx_test"]),
    ("partial overlap is accepted", "src/core/overlap.cc", "if (!in_step) sum.Add(1,", "if (false) sum.Add(1,", ["core_test"]),
    ("oneDNN keeps reduced dimensions unless told", "include/supremum/onednn_graph.h", "bool keep_dims = false;", "bool keep_dims = true;",
     ["onednn_test"]),
    ("a strided tensor begins at its origin", "src/graph/strided_tensor.cc", "made.first_ = range->first / width;", "made.first_ = 0 * width;",
     ["onednn_test"]),
    ("strides of a oneDNN graph are left alone", "src/frontends/onednn/check.cc", "if (!stated.strides) return", "if (true) return",
     ["onednn_test"]),
    ("ops run as the file has them", "src/frontends/onednn/wire.cc", "if (waiting_for[i] == 0) graph->order", "graph->order", ["onednn_test"]),
    ("an overlap with itself is only looked for in neighbours", "src/core/overlap.cc", "2 * axes[d].reach", "axes[d].reach",
     ["core_test"]),
    ("DLPack's byte offset is forgotten", "src/bindings/c/dl_operands.cc",
     "AddressAt(tensor.data, static_cast<std::int64_t>(tensor.byte_offset))", "tensor.data", ["capi_test"]),
    ("what is done at once may leave the address space", "src/core/overlap.h",
     "bytes <= UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(data)", "true", ["ops_test"]),
    ("JSON ends at a zero byte", "src/io/json/json.cc", "text.find('\\0')", "std::string_view::npos", ["onednn_test"]),
    ("a header of .safetensors may end with a line", "src/io/formats/safetensors_header.cc", "text.find_last_not_of(' ') + 1",
     "text.rfind('}') + 1", ["formats_test"]),
    ("entries of an archive may share bytes", "src/io/formats/zip_directory.cc", "if (offset + kLocalBytes + name_size + packed_size > end) return overlap();", "",
     ["formats_test"]),
    ("an entry has another name in its own header", "src/io/formats/zip_directory.cc", "if (local.name != header.name)", "if (false)",
     ["formats_test"]),
    ("an entry's checksum is not compared", "src/io/formats/zip_entry.cc", "if (crc_ == entry_.crc) return {};", "return {};", ["formats_test"]),
    ("external data's checksum is not compared", "src/io/formats/external_data.cc", "if (known->second == place.checksum) return {};",
     "return {};", ["formats_test"]),
    ("messages that are too deep end the counting of all", "src/io/formats/parse_message.cc", "too_deep_ = depth < 0;", "too_deep_ = false;",
     ["hardening_test"]),
    ("a device that is not known is taken", "src/bindings/c/dl_operands.cc", "DeviceOf(*tensor) == kDLCPU", "DeviceOf(*tensor) != kDLCUDA",
     ["capi_test"]),
    ("lanes are not looked at", "src/bindings/c/dl_operands.cc", "if (type.lanes != 1) return std::nullopt;", "", ["capi_test"]),
    ("no axes are all axes if the list is null", "src/bindings/c/options.cc", "if (axis_count != SUPREMUM_ALL_AXES) {", "if (axes != nullptr) {",
     ["capi_test"]),
    ("threads share the text of an error", "src/bindings/c/status.cc", "thread_local LastError last_error;", "LastError last_error;",
     ["capi_test"]),
    ("a dimension that was kept is not counted", "src/ops/reduce_schedule.cc", "} else if (keepdims) {", "} else if (keepdims && d == 0) {", ["ops_test"]),
    ("a declared shape is not compared", "src/frontends/onnx/check_node.cc", "differ = equal == Verdict::kFails;", "differ = false;", ["onnx_test"]),
    ("an attribute that is left out counts as written", "src/frontends/onnx/operators/check_reduce_max.cc",
     "if (FindAttribute(node.proto, attribute.name) != nullptr) continue;", "if (!attribute.name.empty()) continue;", ["onnx_test"]),
    ("a function is judged without the caller's values", "src/frontends/onnx/inline_functions.cc",
     "renaming.names[function.input(i)] = i < call.input_size() ? call.input(i) : \"\";", "static_cast<void>(i);", ["onnx_test"]),
    ("a number that follows is not stated", "src/frontends/onnx/annotate.cc", "if (known[d].value) {", "if (known[d].value && *known[d].value != 3) {", ["onnx_test"]),
    ("a node that breaks a rule is extracted", "src/frontends/onnx/extract.cc", "node.obstacle = FailureOf(judged.report);", "", ["tools_test"]),
    ("Max-12 has bfloat16", "include/supremum/opset.h", "return version >= MaxVersion::k13;", "return version >= MaxVersion::k12;", ["core_test"]),
    ("an exception leaves the C interface", "src/bindings/c/status.h", "} catch (...) {", "} catch (const std::string&) {", ["capi_test"]),
]

# The faults that the conformance cases alone must detect: in Join, in tails, in broadcasting, in merged axes, in the checker.
KIT = [
    "integers give the minimum",
    "negative NaNs are below -inf",
    "keys leave NaNs of one sign below",
    "of two negative doubles the smaller one wins",
    "the last of a line are those before them",
    "what fills no vector is left out of a fold",
    "a quarter of a long run is left out",
    "repeated elements forget their phase",
    "an extent of 1 is stepped through",
    "shapes are aligned at the first dimension",
    "loops are merged although another operand does not allow it",
    "a dimension that was kept is not counted",
    "an empty reduction keeps what was there",
    "axes that a caller may replace count as constant",
    "a declared shape is not compared",
    "an attribute that is left out counts as written",
    "Max-12 has bfloat16",
]

# Of the kernels' targets, SSSE3, SSE4 and AVX-512 without its later parts are not built, to save time.
LEFT_OUT = 1 << 12 | 1 << 11 | 1 << 8


# Programs that mpirun starts, and on how many ranks.
RANKS = {"mpi_test": (1, 3)}
MPI_ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                   "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
                   "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


def passes(test: str) -> bool:
    """Runs a test program."""
    command = [str(BUILD / "bin" / test), "--gtest_brief=1", "--gtest_fail_fast", "--gtest_filter=-*/*_all"]
    starts = [["mpirun", "-n", str(ranks)] for ranks in RANKS.get(test, ())] or [[]]
    environment = os.environ | (MPI_ENVIRONMENT if test in RANKS else {})
    try:
        return all(
            subprocess.run([*start, *command], env=environment, capture_output=True, check=False, timeout=300).returncode == 0 for start in starts
        )
    except subprocess.TimeoutExpired:
        return False


def build_and_run(tests: list[str]) -> str | None:
    """The static_assert or test program that detects the fault first, or None. A fault that does not compile is an error here."""
    built = subprocess.run(["cmake", "--build", BUILD, "--target", *tests], capture_output=True, text=True, check=False)
    if built.returncode != 0:
        if "static assertion failed" in built.stdout:
            return "a static_assert"
        sys.exit(f"cannot build {tests}:\n{built.stdout[-3000:]}")
    for test in tests:
        if not passes(test):
            return test
    return None


def misfits() -> list[str]:
    """Faults that cannot be put in: their correct text must occur once in the file."""
    counts = [(what, name, (ROOT / name).read_text(encoding="utf-8").count(correct)) for what, name, correct, *_ in MUTANTS]
    unknown = [f"KIT: there is no fault '{what}'" for what in KIT if what not in {m[0] for m in MUTANTS}]
    return unknown + [f"{name}: the text of '{what}' occurs {count} times, expected once" for what, name, count in counts if count != 1]


def generate_kit_cases() -> None:
    """Writes the cases by a command without a fault, unless the environment names a folder of them."""
    if "SUPREMUM_CONFORMANCE_DIR" in os.environ:
        return
    subprocess.run(["cmake", "--build", BUILD, "--target", "supremum_command"], check=True, stdout=subprocess.DEVNULL)
    cases = BUILD / "kit-cases"
    subprocess.run([BUILD / "bin" / "supremum", "gen-conformance", "--force", cases], check=True)
    os.environ["SUPREMUM_CONFORMANCE_DIR"] = str(cases)


def main() -> int:
    """Puts in each fault and reports the result."""
    if found := misfits():
        sys.exit("\n".join(found))
    if sys.argv[1:] == ["--check"]:
        return 0
    kit = sys.argv[1:2] == ["--kit"]
    sources = sys.argv[2:] if kit else sys.argv[1:]
    chosen = [m for m in MUTANTS if not sources or m[1].startswith(tuple(sources))]
    if kit:
        chosen = [(*m[:4], ["conformance_test"]) for m in chosen if m[0] in KIT]
    if not chosen:
        sys.exit(__doc__)
    ignore = shutil.ignore_patterns("build", ".git")
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT, COPY, ignore=ignore, copy_function=shutil.copy)  # new times: all is built anew
    configure = ["cmake", "-S", COPY, "-B", BUILD, "-G", "Ninja", "-DSUPREMUM_WERROR=OFF", "-DCMAKE_BUILD_TYPE=Release"]
    configure += [f"-DCMAKE_CXX_FLAGS=-DHWY_DISABLED_TARGETS={LEFT_OUT}"]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    if kit:
        generate_kit_cases()
    all_tests = sorted({test for *_, tests in chosen for test in tests})
    if failed := build_and_run(all_tests):
        print(f"{failed} fails without any fault")
        return 1

    unnoticed = 0
    for what, name, correct, faulty, tests in chosen:
        path = COPY / name
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(correct, faulty), encoding="utf-8")
        noticed = build_and_run(tests)
        path.write_text(text, encoding="utf-8")
        unnoticed += noticed is None
        print(f"{'noticed by ' + noticed if noticed else 'NOT NOTICED':26} {what}", flush=True)
    print(f"{len(chosen) - unnoticed} of {len(chosen)} faults noticed")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
