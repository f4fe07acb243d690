#!/usr/bin/env python3
"""Mutation tests: puts one fault at a time into the library and expects the tests to detect it.

    verification/mutants/mutants.py [FOLDER-OR-FILE ...]    all faults, or those in some sources
    verification/mutants/mutants.py --kit [...]             the same for those of KIT and FURTHER, which the conformance cases alone,
                                                            and the further cases, must detect
    verification/mutants/mutants.py --rules [RULE ...]      those of RULES, each of which the tests that cite the rule must detect
    verification/mutants/mutants.py --check                 only checks that each can still be put in

Each fault is put into a copy of the sources under build/mutants; the tests named with it are built and run there, and at least one
must fail. Exit status 1 if a fault is not detected, cannot be put in, or if the tests fail without any fault.

With --rules only the tests that cite the rule (verification/evidence/trace.py) run, of one program; those that fail are named.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "verification" / "evidence"))

COPY = ROOT / "build" / "mutants" / "source"
BUILD = ROOT / "build" / "mutants" / "build"

# the fault, file, correct text, faulty text, tests that must detect it
MUTANTS = [
    ("negative NaNs are below -inf", "include/supremum/lane.h", "(TurnRound(a) - kNaNs)", "(TurnRound(a))", ["lane_test"]),
    ("a NaN is written as it came", "include/supremum/lane.h", "key > kInfinityKey,", "false,", ["lane_test"]),
    ("a NaN is kept as it came", "include/supremum/lane.h", "Select(IsNaN(a), kCanonicalNaN, a);", "a;", ["lane_test", "kernels_test"]),
    ("negative floats are in reverse order", "include/supremum/lane.h", "all_if_negative & kMagnitude", "0 * all_if_negative", ["lane_test"]),
    ("infinity counts as NaN", "include/supremum/lane.h", "& kMagnitude) > kInfinity", "& kMagnitude) >= kInfinity", ["lane_test"]),
    ("integers give the minimum", "include/supremum/lane.h", "return a < b ? b : a;", "return a < b ? a : b;", ["lane_test"]),
    ("a scalar on the left is read as a row", "src/kernels/portable.cc", "JoinScalar(a.data, b.data,",
     "JoinDense(a.data, b.data,", ["kernels_test", "ops_test"]),
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
    ("each part of a scattered run is its first", "src/ops/reduce_execute.cc", "run + static_cast<std::ptrdiff_t>(i) * runs.reduced_stride", "run", ["schedules_test"]),
    ("a tile expanded for one place is shown at another", "src/ops/max_execute.cc", "buffer.source == first && same_extents", "same_extents", ["ops_test"]),
    ("a tile expanded for some lines is shown to others", "src/ops/max_execute.cc", "buffer.source == first && same_extents", "buffer.source == first", ["ops_test"]),
    ("the begin of a share is not added", "src/ops/reduce_execute.cc",
     "tile.source + Bytes(share.begin * s_.SharedStep());",
     "tile.source + Bytes(0 * share.begin * s_.SharedStep());", ["schedules_test"]),
    ("the first share is not joined", "src/ops/reduce_execute.cc",
     "for (std::size_t k = 0; k < shares; ++k) {",
     "for (std::size_t k = 1; k < shares; ++k) {", ["schedules_test"]),
    ("the last share is not joined", "src/ops/reduce_execute.cc",
     "for (std::size_t k = 0; k < shares; ++k) {",
     "for (std::size_t k = 0; k + 1 < shares; ++k) {", ["schedules_test"]),
    ("two shares have the same accumulators", "src/ops/reduce_execute.cc",
     "Fold(tile, share, of_shares.data() + k * bytes);",
     "Fold(tile, share, of_shares.data() + k / 2 * bytes);", ["schedules_test"]),
    ("a share ends one index early", "src/ops/reduce_execute.cc",
     "extents[0] = share.end - share.begin;",
     "extents[0] = std::max<std::int64_t>(1, share.end - share.begin - 1);", ["schedules_test"]),
    ("a folded share is as long as all of them", "src/ops/reduce_execute.cc",
     "static_cast<std::size_t>(last == 0 ? share.end - share.begin : s_.reduced.extents[last]);",
     "static_cast<std::size_t>(s_.reduced.extents[last]);", ["schedules_test"]),
    ("a longer range is a unit too short", "src/ops/parallel.h",
     "units % count);",
     "units % count / 2);", ["schedules_test"]),
    ("the last tile of a line is a whole one", "src/ops/reduce_execute.cc",
     "std::min(schedule.line_elements_per_tile, schedule.line.extent - done);",
     "std::min(schedule.line_elements_per_tile, schedule.line.extent - 0 * done);", ["schedules_test"]),
    ("the last blocks of a tile are left", "src/ops/reduce_execute.cc",
     "std::min(schedule.blocks_per_tile, extent - index.back() * schedule.blocks_per_tile);",
     "std::min(schedule.blocks_per_tile, std::max<std::int64_t>(1, extent - index.back() * schedule.blocks_per_tile - 1));", ["schedules_test"]),
    ("tiles of blocks step by one block", "src/ops/reduce_schedule.cc",
     "tiles.source_steps[last] *= blocks_per_tile;",
     "tiles.source_steps[last] *= 1;", ["schedules_test"]),
    ("a tile's part of the output begins at the line", "src/ops/reduce_schedule.cc",
     "line_elements_per_tile * line.output_step);",
     "0 * line.output_step);", ["schedules_test"]),
    ("the number of tiles is rounded down", "src/ops/reduce_schedule.cc",
     "return (all + part - 1) / part; }",
     "return std::max<std::int64_t>(1, all / part); }", ["schedules_test"]),
    ("a tile at the end of a loop is a whole one", "src/ops/max_execute.cc",
     "return std::min(schedule.tile_extents[d], schedule.nest.extents()[d] - first[d]);",
     "return schedule.tile_extents[d];", ["schedules_test"]),
    ("the tiles of a loop are rounded down", "src/ops/max_schedule.cc",
     "tile_counts.PushBack((nest.extents()[d] + tile_extents[d] - 1) / tile_extents[d]);",
     "tile_counts.PushBack(std::max<std::int64_t>(1, nest.extents()[d] / tile_extents[d]));", ["schedules_test"]),
    ("the origin of an input is that of the output", "src/ops/max.cc",
     "AddressAt(data_of(m), nest.Origin(m) * step));",
     "AddressAt(data_of(m), nest.DrivingOrigin() * step));", ["schedules_test"]),
    ("strided rows of the second block are those of the first", "src/ops/max_execute.cc",
     "tile.Distance(s_, steps) + block * tile.BlockStride(s_, steps) +",
     "tile.Distance(s_, steps) + 0 * block * tile.BlockStride(s_, steps) +", ["schedules_test"]),
    ("blocks of an expanded tile lie over each other", "src/ops/max_execute.cc",
     "blocks == 1 ? 0 : Bytes(lines * length)",
     "blocks == 1 ? 0 : Bytes(length)", ["schedules_test"]),
    ("a square is transposed from its first element again", "src/ops/expand.cc",
     "data + walk.offset(0) * static_cast<std::int64_t>(width)",
     "data + 0 * walk.offset(0) * static_cast<std::int64_t>(width)", ["schedules_test"]),
    ("many inputs are joined from the first tile again", "src/ops/max_dense.cc",
     "static_cast<std::ptrdiff_t>(begin * width)}",
     "static_cast<std::ptrdiff_t>(0 * begin * width)}", ["schedules_test"]),
    ("a type that the version lacks is not noticed at once", "src/rules/max.cc", "if (!IsValid(first.dtype) || !Admits(rules.version, first.dtype)) return false;",
     "if (!IsValid(first.dtype)) return false;", ["rules_test"]),
    ("an output of another shape is not noticed at once", "src/rules/max.cc", "if (!SameDims(output.shape, checked.shape)) return false;",
     "if (output.shape.size() != checked.shape.rank()) return false;", ["rules_test"]),
    ("an input behind the address space is not noticed at once", "src/rules/max.cc", "return view.data != nullptr && FitsAddressSpace(view.data, range);", "return view.data != nullptr;", ["rules_test"]),
    ("a plan is bound once", "src/ops/max.cc",
     "if (bindings_.output != AddressAt(output_data, nest.DrivingOrigin() * step)) return false;",
     "if (bindings_.output != nullptr && output_data != nullptr) return true;", ["schedules_test"]),
    ("the last of several inputs is forgotten", "src/ops/max_execute.cc", "for (; k < s_.input_count; ++k) {", "for (; k + 1 < s_.input_count; ++k) {", ["ops_test"]),
    ("tiles begin anew at each line", "src/ops/max_execute.cc", "index[d] * schedule.tile_extents[d];", "index[d];", ["ops_test"]),
    ("blocks that show the same move", "src/ops/max_execute.cc", "blocks == 1 ? 0 : Bytes", "Bytes", ["ops_test"]),
    ("a line is cut where it does not repeat", "src/ops/loop_nest.cc", "steps[d] * inner, steps[d]);", "steps[d], steps[d]);", ["ops_test"]),
    ("what a line leaves of a vector is lost", "src/kernels/simd_access-inl.h", "pending_ = n - i;", "pending_ = 0 * n;", ["kernels_test"]),
    ("the last of a line are those before them", "src/kernels/simd_access-inl.h", "const std::size_t from = HWY_MIN(i, n - lanes);", "const std::size_t from = i + lanes <= n ? i : i - lanes;",
     ["kernels_test", "ops_test"]),
    ("what fills no vector is left out of a fold", "src/kernels/simd_rows-inl.h", "if (rest > 0) JoinInto", "if (rest > a.kept * lanes) JoinInto",
     ["kernels_test", "ops_test"]),
    ("of many folds of a run, one is forgotten", "src/kernels/simd_accumulators-inl.h", "std::size_t k = 2>", "std::size_t k = 3>",
     ["kernels_test", "ops_test"]),
    ("between strips of a long row, a vector is left out", "src/kernels/simd_rows-inl.h", "from += kStripVectors * kVectorBytes)",
     "from += (kStripVectors + 1) * kVectorBytes)", ["kernels_test", "ops_test"]),
    ("repeated elements forget their phase", "src/kernels/simd_line-inl.h", "A::LoadOrder(sequence + place.phase)",
     "A::LoadOrder(sequence)", ["kernels_test"]),
    ("the last vectors of a line read beyond it", "src/kernels/simd_line-inl.h", "HWY_MIN(element, loadable - Lanes())", "element",
     ["kernels_test"]),
    ("of many inputs, the first group is forgotten", "src/kernels/simd_many-inl.h", "x.count, m > 0 ? acc : nullptr, y,",
     "x.count, nullptr, y,", ["kernels_test", "ops_test"]),
    ("a fold forgets negative NaNs", "src/kernels/simd_lanes-inl.h", "L::MinUnsigned(fold.moved_min, MoveUp(a));", "fold.moved_min;",
     ["kernels_test", "ops_test"]),
    ("keys leave NaNs of one sign below", "src/kernels/simd_lanes-inl.h", "return IfNegative(a, Minus(infinity, a), a);",
     "return IfNegative(a, hn::Xor(a, hn::Set(D(), kMagnitude)), a);", ["kernels_test", "ops_test"]),
    ("blocks are folded into what was there", "src/ops/reduce_execute.cc", "static_cast<std::size_t>(run),\n                       true}",
     "static_cast<std::size_t>(run),\n                       false}", ["ops_test"]),
    ("the model of an instruction is wrong", "verification/proofs/smt/instructions.py", '"(ite (bvugt a b) a b)"', '"(ite (bvsgt a b) a b)"',
     ["cosimulation_test"]),
    ("of two negative doubles the smaller one wins", "src/kernels/simd_lanes-inl.h", "hn::Xor(a_is_last, hn::Or(a, b))", "a_is_last",
     ["kernels_test"]),
    ("a NaN of three doubles stays as it came", "src/kernels/simd_many-inl.h", "if constexpr (kNaNsLast) return L::Canonical(v[k]);", "",
     ["kernels_test"]),
    ("accumulators begin with zero", "src/kernels/portable.cc", "&kBottom, kWidth);", "&kWidth, kWidth);",
     ["kernels_test", "ops_test"]),
    ("the first of a run is left out", "src/kernels/portable.cc", "for (std::size_t i = 0; i < a.reduced; ++i) largest", "for (std::size_t i = 1; i < a.reduced; ++i) largest",
     ["kernels_test", "ops_test"]),
    ("the last lane of a long run is left out", "src/kernels/portable.cc", "k < kLanes; ++k) largest = Larger(largest, keys[k]);",
     "k + 1 < kLanes; ++k) largest = Larger(largest, keys[k]);", ["kernels_test", "ops_test"]),
    ("the last range is lost", "src/ops/parallel.cc", "i < count_; ++i", "i + 1 < count_; ++i", ["ops_test"]),
    ("a target is refused and used", "src/kernels/target.cc", "if (const kernels::KernelTable* table = runnable.Find(name)) {",
     "if (const kernels::KernelTable* table = kernels::CompiledTables().Find(name)) {", ["kernels_test"]),
    ("MPI's operation ignores one of its operands", "src/bindings/mpi/join.cc", "join(from, to, to,", "join(to, to, to,", ["mpi_test"]),
    ("MPI's operation does not commute", "src/bindings/mpi/join.cc", "kCommutes = 1;", "kCommutes = 0;", ["mpi_test"]),
    ("MPI's error is success", "src/bindings/mpi/join.cc", "if (status == MPI_SUCCESS) return op;", "if (status != -1) return op;", ["mpi_test"]),
    ("an operation of MPI has the type of another", "src/bindings/mpi/join_c.cc", "CreateJoin(*type, op)", "CreateJoin(supremum::DType::kFloat32, op)",
     ["mpi_test"]),
    ("a part of a row is read as a whole one", "src/stream/source.cc", "whole = box.extent[d] == shape[d];", "whole = true;", ["stream_test"]),
    ("a name in use is taken for a temporary file", "src/io/files/temporaries.cc", "O_RDWR | O_CREAT | O_EXCL", "O_RDWR | O_CREAT", ["stream_test"]),
    ("what has the name of a temporary file by now is renamed", "src/io/files/temporaries.cc", "if (!entry.Means(descriptor)) return ENOENT;", "",
     ["stream_test"]),
    ("what has the name of a temporary file by now is removed", "src/io/files/temporaries.cc", "if (!entry.Examine(&status) || IdOf(status) != id) return;", "",
     ["stream_test"]),
    ("a folder with files is filled", "tools/supremum/cli/outputs.cc", "if (!empty) {", "if (false) {", ["tools_test"]),
    ("a file in a folder that is filled is overwritten", "tools/supremum/verbs/case_folder.cc", "O_WRONLY | O_CREAT | O_EXCL", "O_WRONLY | O_CREAT | O_TRUNC",
     ["hardening_test"]),
    ("an input that was changed is not noticed", "src/io/files/file_bytes.cc", "if (*now == identity_) return {};", "if (now) return {};",
     ["formats_test", "stream_test"]),
    ("the next step replaces the maxima of those before", "src/stream/stream_reduce_max.cc", "first = first && away[d] == 0;",
     "first = first && away[d] >= 0;", ["stream_test"]),
    ("what one hand finds is not joined", "src/stream/stream_reduce_max.cc", "if (i == 0) continue;", "if (i != 1) continue;", ["stream_test"]),
    ("a worker continues with old maxima", "src/stream/stream_reduce_max.cc", "if (auto filled = FillWithIdentity(own); !filled) return filled;",
     "if (auto filled = FillWithIdentity(own.first(0)); !filled) return filled;", ["stream_test"]),
    ("a tile begins with what was there", "src/stream/stream_reduce_max.cc", "if (tile->total == 0 || tile->total > step_) {",
     "if (tile->total == 0) {", ["stream_test"]),
    ("a tile is written twice", "src/stream/write_behind.cc", "begin_ = end_;", "begin_ = begin_ + 0 * end_;", ["stream_test"]),
    ("an input does not move with the tile", "src/stream/stream_max.cc", "part.first[d] = box.first[j];",
     "part.first[d] = 0 * box.first[j];", ["stream_test"]),
    ("a box goes on in the next row", "src/stream/box.cc", "if (box.extent[d] < shape[d]) break;", "if (most < whole) break;",
     ["stream_test"]),
    ("-1 is the first axis", "src/core/axes.h", "axis < 0 ? axis + r : axis", "axis < 0 ? -1 - axis : axis", ["core_test", "ops_test"]),
    ("a dimension may be named twice", "src/core/axes.cc", "if (reduced.Has(d)) {", "if (reduced.Has(d) && std::ranges::count(*axes, axis) > 1) {",
     ["ops_test"]),
    ("a line of accumulators forgets where it begins", "src/ops/reduce_execute.cc", "Tile tile{bindings.source + walk.offset(0) * step,",
     "Tile tile{bindings.source,", ["ops_test"]),
    ("an empty reduction keeps what was there", "src/ops/reduce_schedule.cc", "if (empty) run = Inner{0, 0, 0};",
     "if (empty) return {};", ["ops_test"]),
    ("a byte of bool counts as it is", "include/supremum/lane.h", "return (a | b) != 0 ? 1 : 0;", "return a | b;", ["lane_test"]),
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
     "if (!run.execution().IsGiven(node.inputs[1]))", "if (false)", ["onnx_test"]),
    ("elements with gaps between them are one block", "src/core/align.cc", "return step == ElementCount(shape);", "return true;",
     ["core_test", "rules_test", "ops_test"]),
    ("a plan of axes that were computed is kept", "src/frontends/onnx/operators/reduce_max.cc", "run.DependsOn(node.inputs[1]);", "",
     ["onnx_test"]),
    ("a value that is still read gives its memory away", "src/frontends/onnx/run.cc", "if (--readers[input] == 0 &&", "if (--readers[input] <= 1 &&",
     ["onnx_test"]),
    ("memory of a released value is an output", "src/graph/execution.cc", "!is_output && fit != released_.end()", "fit != released_.end()",
     ["onnx_test", "graph_test"]),
    ("an output may share memory with an input", "src/frontends/onnx/run.cc", "return CheckApart(outputs_);\n}\n\n// The memory", "return {};\n}\n\n// The memory",
     ["onnx_test"]),
    ("a kept plan is bound to the addresses of before", "src/graph/execution.cc", "node.data[k] = View(node.operands[k]).data;", "static_cast<void>(k);",
     ["onnx_test"]),
    ("axes that a caller may replace count as constant", "src/frontends/onnx/check_scope.cc", "if (!value.is_input && small)", "if (small)",
     ["onnx_test"]),
    ("a constant that a caller may replace is folded", "src/frontends/onnx/graph.cc", "return value.is_input ? nullptr : value.constant.get();",
     "return value.constant.get();", ["onnx_test"]),
    ("a slice begins one element late", "src/frontends/onnx/fold.cc", "i = at(start, 0, extent); i <", "i = at(start, 0, extent) + 1; i <",
     ["onnx_test"]),
    ("an extent of -1 is left to the onnx library", "src/frontends/onnx/bind_symbols.cc", "dim->clear_value();", "", ["onnx_test"]),
    ("the onnx library does not propagate data", "src/frontends/onnx/check.cc", "ShapeInferenceOptions(false, 0, true)",
     "ShapeInferenceOptions(false, 0, false)", ["onnx_test"]),
    ("a call of another overload is not noticed", "src/frontends/onnx/functions.cc", "if (overload.empty() && (count == 0 || domain.empty())) return",
     "if (true) return", ["onnx_test"]),
    ("a subgraph may name a value of an outer graph again", "src/frontends/onnx/well_formed.cc", "if (names.outer == nullptr ||",
     "if (true || names.outer == nullptr ||", ["onnx_test"]),
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
    ("a device that is not known is taken", "src/bindings/c/dl_operands.cc", "return device == kDLCPU ||", "return device != kDLCUDA ||",
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
    ("subnormal numbers count as zero", "include/supremum/lane.h", "(TurnRound(a) - kNaNs)); }",
     "(TurnRound((a & kInfinity) != 0 ? a : static_cast<Bits>(a & ~kMagnitude)) - kNaNs)); }", ["lane_test"]),
    ("vectors of integers give the minimum", "src/kernels/simd_lanes-inl.h", "V Join(V a, V b) { return hn::Max(a, b); }",
     "V Join(V a, V b) { return hn::Min(a, b); }", ["kernels_test", "ops_test"]),
    ("of negative floats the one farthest from zero wins", "src/kernels/simd_lanes-inl.h", "hn::Max(a, b), hn::Min(negative_a, negative_b)",
     "hn::Max(a, b), hn::Max(negative_a, negative_b)", ["kernels_test", "ops_test"]),
    ("a copy keeps a NaN as it came", "src/kernels/simd_join-inl.h", "L::Canonical(Load(a.data + i * kWidth))", "Load(a.data + i * kWidth)",
     ["kernels_test", "ops_test"]),
    ("a user's order is turned round", "include/supremum/reference.h", "return less(a, b) ? b : a;", "return less(b, a) ? b : a;", ["reference_test"]),
    ("a .npy file's uint16 is int16", "src/io/formats/npy_descr.cc", '{"u2", DType::kUInt16},', '{"u2", DType::kInt16},', ["formats_test"]),
    ("two types are one", "src/rules/judge.h", "} else if (!(type == common)) {", "} else if (false) {", ["rules_test", "ops_test"]),
    ("ReduceMax-18 has bool", "include/supremum/opset.h", "return version >= ReduceMaxVersion::k20;", "return version >= ReduceMaxVersion::k18;",
     ["core_test"]),
    ("oneDNN's ReduceMax has double", "include/supremum/opset.h", "return IsFloat(dtype) && dtype != DType::kFloat64;", "return IsFloat(dtype);",
     ["core_test"]),
    ("no input is a number of inputs", "src/rules/max.cc", "if (count >= 1 && count <= kMaxInputs) return {};", "if (count <= kMaxInputs) return {};",
     ["rules_test"]),
    ("Max-6 broadcasts", "include/supremum/opset.h", "return version >= MaxVersion::k8; }", "return version >= MaxVersion::k6; }", ["core_test"]),
    ("Max-8 does not broadcast", "include/supremum/opset.h", "return version >= MaxVersion::k8; }", "return version >= MaxVersion::k12; }",
     ["core_test"]),
    ("opset 9 means Max-6", "include/supremum/opset.h", "if (opset < 8) return MaxVersion::k6;", "if (opset < 10) return MaxVersion::k6;", ["core_test"]),
    ("extents that differ are broadcast", "src/core/align.h", "if (shape_[j] != 1) return false;", "if (shape_[j] != 1) return true;",
     ["core_test", "rules_test"]),
    ("64 dimensions are too many", "src/rules/views.cc", "return view.shape.size() <= kMaxRank &&", "return view.shape.size() < kMaxRank &&",
     ["ops_test"]),
    ("a sparse tensor is taken for a dense one", "src/frontends/onnx/check_node.cc", "if (!operand.stated.sparse) continue;", "continue;", ["onnx_test"]),
    ("a symbol is a number", "src/frontends/onnx/check_node.cc", "if (stated && IsExplicit(*stated)) return;", "if (stated) return;", ["onnx_test"]),
    ("a type that follows is stated", "src/frontends/onnx/check_node.cc", "if (!operand.stated.info.type_name.empty()) return;",
     "if (!operand.known.type_name.empty()) return;", ["onnx_test"]),
    ("broadcasting cannot be switched off", "src/rules/max.cc", "if (rules.identical_shapes_only) {", "if (false) {", ["ops_test"]),
    ("an error counts dimensions of the input", "src/rules/judge.h", "numbers.owner(j), m, j, numbers", "numbers.owner(j), m, d, numbers",
     ["rules_test", "ops_test"]),
    ("an output of the right rank has the right shape", "src/rules/views.cc", "if (SameDims(computed, shape)) return {};",
     "if (computed.size() == shape.size()) return {};", ["rules_test"]),
    ("a run allocates", "src/ops/max.cc", "{ Execute(schedule_, bindings_); }",
     "{ ::operator delete(::operator new(64)); Execute(schedule_, bindings_); }", ["ops_test"]),
    ("where a bound is asked for, no value is written", "src/ops/bounds.cc", "value->Run();", "if (!plans[0]) value->Run();", ["ops_test"]),
    ("after an error a model's plan stays half bound", "src/bindings/c_models/c_models.cc",
     "static_cast<void>(plan->plan.Rebind(plan->inputs, plan->outputs));", "", ["c_models_test"]),
    ("a plan forgets to what a model was bound", "src/bindings/c_models/c_models.cc",
     "std::copy_n(outputs, output_count, plan->outputs.begin());", "", ["c_models_test"]),
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
    "the last lane of a long run is left out",
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
    "oneDNN keeps reduced dimensions unless told",
]
# Of memory, bounds, user types and large tensors.
FURTHER = [
    "partial overlap is accepted",
    "an overlap with itself is only looked for in neighbours",
    "where the driving operand runs backwards, another does not",
    "sums are rounded towards zero",
    "what lies below a sum is forgotten",
    "the upper end of an integer wraps round",
    "a bound below zero is taken",
    "the bound of nothing is Bottom",
    "a user's order is turned round",
    "tiles begin anew at each line",
    "a tile expanded for one place is shown at another",
]

# A fault of each rule of docs/semantics.md, and the program whose tests that cite the rule must detect it.
RULES = {
    "ORD-1": ("vectors of integers give the minimum", "ops_test"),
    "ORD-2": ("of negative floats the one farthest from zero wins", "ops_test"),
    "ORD-3": ("a fold forgets negative NaNs", "ops_test"),
    "ORD-4": ("a NaN is written as it came", "lane_test"),
    "ORD-5": ("the last range is lost", "ops_test"),
    "ORD-6": ("subnormal numbers count as zero", "lane_test"),
    "ORD-7": ("a user's order is turned round", "reference_test"),
    "TYP-1": ("a .npy file's uint16 is int16", "formats_test"),
    "TYP-2": ("two types are one", "rules_test"),
    "TYP-3": ("Max-12 has bfloat16", "core_test"),
    "TYP-4": ("ReduceMax-18 has bool", "core_test"),
    "TYP-5": ("oneDNN's ReduceMax has double", "core_test"),
    "MAX-1": ("no input is a number of inputs", "rules_test"),
    "MAX-2": ("the last of several inputs is forgotten", "ops_test"),
    "MAX-3": ("Max-6 broadcasts", "core_test"),
    "MAX-4": ("Max-8 does not broadcast", "core_test"),
    "MAX-5": ("opset 9 means Max-6", "core_test"),
    "MAX-6": ("a copy keeps a NaN as it came", "ops_test"),
    "BRO-1": ("shapes are aligned at the first dimension", "core_test"),
    "BRO-2": ("extents that differ are broadcast", "core_test"),
    "BRO-3": ("the larger extent wins over zero", "core_test"),
    "BRO-4": ("64 dimensions are too many", "ops_test"),
    "BRO-5": ("an extent of 1 is stepped through", "core_test"),
    "RED-1": ("a line of accumulators forgets where it begins", "ops_test"),
    "RED-2": ("a dimension may be named twice", "core_test"),
    "RED-3": ("a dimension that was kept is not counted", "ops_test"),
    "RED-4": ("oneDNN keeps reduced dimensions unless told", "onednn_test"),
    "RED-5": ("keepdims defaults to 0 in a model", "onnx_test"),
    "RED-6": ("an empty reduction keeps what was there", "ops_test"),
    "RED-7": ("accumulators begin with zero", "ops_test"),
    "PRO-1": ("a sparse tensor is taken for a dense one", "onnx_test"),
    "PRO-2": ("a symbol is a number", "onnx_test"),
    "PRO-3": ("a type that follows is stated", "onnx_test"),
    "PRO-4": ("an attribute that is left out counts as written", "onnx_test"),
    "PRO-5": ("a declared shape is not compared", "onnx_test"),
    "PRO-6": ("broadcasting cannot be switched off", "ops_test"),
    "E1": ("an error counts dimensions of the input", "ops_test"),
    "E2": ("an output of the right rank has the right shape", "rules_test"),
    "MEM-1": ("an overlap with itself is only looked for in neighbours", "core_test"),
    "MEM-2": ("partial overlap is accepted", "core_test"),
    "MEM-3": ("a run allocates", "ops_test"),
    "ACC-1": ("where a bound is asked for, no value is written", "ops_test"),
    "ACC-2": ("a bound begins anew at each unit", "ops_test"),
    "ACC-3": ("what lies below a sum is forgotten", "lane_test"),
    "ACC-4": ("sums are rounded towards zero", "lane_test"),
}

# Of the kernels' targets, SSE4 and AVX-512 without its later parts are not built, to save time.
LEFT_OUT = 1 << 11 | 1 << 8


# Programs that mpirun starts, and on how many ranks.
RANKS = {"mpi_test": (3,)}
MPI_ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                   "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
                   "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


# Programs that may not take 300 s.
SECONDS: dict[str, float] = {}


def start(test: str, arguments: list[str]) -> bool:
    """Runs a test program, and returns whether it passes."""
    command = [str(BUILD / "bin" / test), "--gtest_brief=1", *arguments]
    starts = [["mpirun", "-n", str(ranks)] for ranks in RANKS.get(test, ())] or [[]]
    environment = os.environ | (MPI_ENVIRONMENT if test in RANKS else {})
    environments = [environment]
    if test == "conformance_test" and "SUPREMUM_CONFORMANCE_DIR" in environment:  # the further cases have models too
        environments.append(environment | {"SUPREMUM_CONFORMANCE_DIR": environment["SUPREMUM_CONFORMANCE_DIR"] + "/further"})
    try:
        return all(
            subprocess.run([*start, *command], env=of_run, capture_output=True, check=False, timeout=SECONDS.get(test, 300)).returncode == 0
            for start in starts
            for of_run in environments
        )
    except subprocess.TimeoutExpired:
        return False


def passes(test: str) -> bool:
    """Whether all tests of a program pass; the first that fails ends it."""
    return start(test, ["--gtest_fail_fast", "--gtest_filter=-*/*_all"])


@dataclass(frozen=True)
class Outcome:
    """What some tests of a program do: how many ran, and the names of those that fail, as the sources have them."""

    ran: int
    failed: list[str]


def in_sources(suite: str, test: str) -> str:
    """A test's name without its parameters' and its instance's."""
    return f"{re.sub(r'^[^/]*/(?=[A-Z])|/[^/]*$', '', suite)}.{test.split('/')[0]}"


def last_begun(test: str, chosen: str) -> str:
    """The test at which a program ends by a signal, or that does not end in time."""
    try:
        run = subprocess.run([BUILD / "bin" / test, chosen], capture_output=True, check=False, timeout=SECONDS.get(test, 300))
        said, ended = run.stdout, run.returncode >= 0
    except subprocess.TimeoutExpired as late:
        said, ended = late.stdout or b"", False
    begun = re.findall(r"^\[ RUN +\] (\S+)\.(\S+)$", said.decode(errors="replace"), re.M)
    return in_sources(*begun[-1]) if begun and not ended else f"{test}, which ended without a report"


def outcome(test: str, names: set[str]) -> Outcome:
    """Runs tests of a program, named as in the sources. Of a program that ends without a report, the last test that began fails."""
    forms = ("{0}.{1}", "*/{0}.{1}/*", "{0}/*.{1}", "*/{0}/*.{1}")
    chosen = "--gtest_filter=" + ":".join(form.format(*name.split(".")) for name in sorted(names) for form in forms) + ":-*/*_all"
    report = BUILD / "rules.json"
    report.unlink(missing_ok=True)
    passed = start(test, [chosen, f"--gtest_output=json:{report}"])
    if not report.is_file():
        return Outcome(0, []) if passed else Outcome(1, [last_begun(test, chosen)])
    suites = json.loads(report.read_text(encoding="utf-8"))["testsuites"]
    ran = [(suite["name"], test) for suite in suites for test in suite["testsuite"]]
    failed = {in_sources(suite, test["name"]) for suite, test in ran if test.get("failures")}
    return Outcome(len(ran), sorted(failed))


class DoesNotCompile(Exception):
    """A fault that is no program."""


def build(tests: list[str]) -> str | None:
    """Builds test programs; the static_assert that detects the fault, or None."""
    built = subprocess.run(["cmake", "--build", BUILD, "--target", *tests], capture_output=True, text=True, check=False)
    if built.returncode == 0:
        return None
    if "static assertion failed" in built.stdout:
        return "a static_assert"
    raise DoesNotCompile(f"cannot build {tests}:\n{built.stdout[-3000:]}")


def build_and_run(tests: list[str]) -> str | None:
    """The static_assert or test program that detects the fault first, or None."""
    if found := build(tests):
        return found
    for test in tests:
        if not passes(test):
            return test
    return None


@contextmanager
def changed(name: str, text: str) -> Iterator[None]:
    """Another text of a file in the copy, until the end of the block."""
    path = COPY / name
    before = path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(before, encoding="utf-8")


def put_in(name: str, correct: str, faulty: str) -> AbstractContextManager[None]:
    """A fault in the copy, until the end of the block."""
    return changed(name, (COPY / name).read_text(encoding="utf-8").replace(correct, faulty))


def check_rules(chosen: list[str]) -> int:
    """Puts in the fault of each rule, and expects a test that cites the rule to fail. Returns the number of rules without one."""
    from trace import with_tests  # verification/evidence, which reads this file

    tests = {rule: {name for name, _ in links} for rule, links in with_tests().tests.items()}
    by_name = {what: (name, correct, faulty) for what, name, correct, faulty, _ in MUTANTS}
    if found := build(sorted({RULES[rule][1] for rule in chosen})):
        sys.exit(f"{found} fails without any fault")
    missed = 0
    for rule in chosen:
        what, program = RULES[rule]
        build([program])
        without = outcome(program, tests[rule])
        with put_in(*by_name[what]):
            # A static_assert keeps the tests from running: it is none of them.
            found = build([program])
            failed = [] if found else outcome(program, tests[rule]).failed
        text = "noticed by " + ", ".join(failed[:3]) + (f" and {len(failed) - 3} more" if len(failed) > 3 else "")
        if without.failed or without.ran == 0:
            text = f"NOT NOTICED: without it {', '.join(without.failed) or 'no test'} of {program} {'fails' if without.failed else 'runs'}"
        elif found:
            text = f"NOT NOTICED by a test: {found} detects it"
        elif not failed:
            text = f"NOT NOTICED by {without.ran} tests of {program}"
        missed += text.startswith("NOT")
        print(f"{rule:6} {what}: {text}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} rules have a fault that tests which cite the rule notice")
    return missed


def misfits() -> list[str]:
    """Faults that cannot be put in: their correct text must occur once in the file."""
    counts = [(what, name, (ROOT / name).read_text(encoding="utf-8").count(correct)) for what, name, correct, *_ in MUTANTS]
    faults = {what for what, *_ in MUTANTS}
    unknown = [f"KIT, FURTHER or RULES: there is no fault '{what}'" for what in [*KIT, *FURTHER, *(fault for fault, _ in RULES.values())] if what not in faults]
    return unknown + [f"{name}: the text of '{what}' occurs {count} times, expected once" for what, name, count in counts if count != 1]


def prepare() -> None:
    """Makes the copy of the sources, and configures its build."""
    ignore = shutil.ignore_patterns("build", ".git")
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT, COPY, ignore=ignore, copy_function=shutil.copy)  # new times: all is built anew
    configure = ["cmake", "-S", COPY, "-B", BUILD, "-G", "Ninja", "-DSUPREMUM_WERROR=OFF", "-DCMAKE_BUILD_TYPE=Release", "-DSUPREMUM_BUILD_EVIDENCE=ON"]
    configure += [f"-DCMAKE_CXX_FLAGS=-DHWY_DISABLED_TARGETS={LEFT_OUT}"]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)


def generate_kit_cases() -> None:
    """Writes the cases by a command without a fault, unless the environment names a folder of them."""
    if {"SUPREMUM_CONFORMANCE_DIR", "SUPREMUM_FURTHER_DIR"} <= os.environ.keys():
        return
    subprocess.run(["cmake", "--build", BUILD, "--target", "supremum_command"], check=True, stdout=subprocess.DEVNULL)
    cases = BUILD / "kit-cases"
    shutil.rmtree(cases, ignore_errors=True)
    subprocess.run([BUILD / "bin" / "supremum", "gen-conformance", "--further", cases], check=True)
    os.environ["SUPREMUM_CONFORMANCE_DIR"] = str(cases)
    os.environ["SUPREMUM_FURTHER_DIR"] = str(cases / "further")


def main() -> int:
    """Puts in each fault and reports the result."""
    if found := misfits():
        sys.exit("\n".join(found))
    if sys.argv[1:] == ["--check"]:
        return 0
    kit, rules = sys.argv[1:2] == ["--kit"], sys.argv[1:2] == ["--rules"]
    sources = sys.argv[2:] if kit or rules else sys.argv[1:]
    if rules and not set(sources) <= set(RULES):
        sys.exit(f"mutants.py: unknown rule; known: {', '.join(RULES)}")
    chosen = [m for m in MUTANTS if not sources or m[1].startswith(tuple(sources))]
    if kit:
        programs = dict.fromkeys(KIT, "conformance_test") | dict.fromkeys(FURTHER, "further_test")
        chosen = [(*m[:4], [programs[m[0]]]) for m in chosen if m[0] in programs]
    if not chosen and not rules:
        sys.exit(__doc__)
    prepare()
    if rules:
        return 1 if check_rules(sources or list(RULES)) else 0
    if kit:
        generate_kit_cases()
    all_tests = sorted({test for *_, tests in chosen for test in tests})
    if failed := build_and_run(all_tests):
        print(f"{failed} fails without any fault")
        return 1

    unnoticed = 0
    for what, name, correct, faulty, tests in chosen:
        with put_in(name, correct, faulty):
            noticed = build_and_run(tests)
        unnoticed += noticed is None
        print(f"{'noticed by ' + noticed if noticed else 'NOT NOTICED':26} {what}", flush=True)
    print(f"{len(chosen) - unnoticed} of {len(chosen)} faults noticed")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except DoesNotCompile as reason:
        sys.exit(str(reason))
