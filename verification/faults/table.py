"""The table of planted faults: file, correct text, faulty text, and what must detect the fault.

The correct text occurs once in its file. A fault has one or more judges:

    ops_test            a program of the tests: one of its tests fails
    ORD-1:ops_test      the tests of this program that cite the rule: one of them fails; each rule has such a fault
    kit, further        the conformance cases alone, or the further cases
    movement            movement_test with AVX2 and the portable kernels; the name begins with the primitive or the schedule
    lanes:avx2:f16,f32  lanes.py: the functions of each of these types for the target lose a theorem
    why3:Float.zeros    check.sh: this theorem of the file loses a condition
    false               check.sh: the fault contradicts other axioms or preconditions, so that z3 proves `false`
    c99                 the cases of the two-file library (tests/c99/run_cases.py --faults, scripts/microcontroller.sh --faults)

tests/c99/emitted_cases.py has faults of its own: they are put into C that `supremum emit-c` writes, which is no file of the project.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Fault:
    """A fault: `new` in the place of `old`."""

    name: str
    file: str
    old: str
    new: str
    judges: tuple[str, ...]

    def judged_by(self, kind: str) -> list[str]:
        """What stands behind the kind in those judges that are of it."""
        return [judge.partition(":")[2] for judge in self.judges if judge.partition(":")[0] == kind]

    def put_into(self, text: str) -> str:
        """The text of the file with the fault. Raises ValueError if the correct text does not occur once."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file}: the text of '{self.name}' occurs {text.count(self.old)} times, expected once")
        return text.replace(self.old, self.new)


def of(kind: str) -> list[Fault]:
    """The faults that a kind of judge decides."""
    return [fault for fault in FAULTS if fault.judged_by(kind)]


def with_fault(files: dict[str, str], fault: Fault | None) -> dict[str, str]:
    """Texts by the name of their file, with a fault if there is one."""
    return files | {Path(fault.file).name: fault.put_into(files[Path(fault.file).name])} if fault else files


# file -> name, correct text, faulty text, judges
BY_FILE = {
    "include/supremum/lane.h": [
        ("negative NaNs are below -inf", "(TurnRound(a) - kNaNs)", "(TurnRound(a))", "lane_test kit"),
        ("a NaN is written as it came", "key > kInfinityKey,", "false,", "lane_test ORD-4:lane_test"),
        ("a NaN is kept as it came", "Select(IsNaN(a), kCanonicalNaN, a);", "a;", "lane_test kernels_test"),
        ("negative floats are in reverse order", "all_if_negative & kMagnitude", "0 * all_if_negative", "lane_test lanes:lane:f32"),
        ("infinity counts as NaN", "& kMagnitude) > kInfinity", "& kMagnitude) >= kInfinity", "lane_test"),
        ("integers give the minimum", "return a < b ? b : a;", "return a < b ? a : b;", "lane_test kit"),
        ("a byte of bool counts as it is", "return (a | b) != 0 ? 1 : 0;", "return a | b;", "lane_test"),
        ("subnormal numbers count as zero", "(TurnRound(a) - kNaNs)); }",
         "(TurnRound((a & kInfinity) != 0 ? a : static_cast<Bits>(a & ~kMagnitude)) - kNaNs)); }", "lane_test ORD-6:lane_test"),
        ("unsigned bytes are in the order of signed ones", "{ return a < b ? b : a; }",
         "{ return static_cast<std::make_signed_t<Bits>>(a) < static_cast<std::make_signed_t<Bits>>(b) ? b : a; }", "lanes:lane:u8"),
    ],
    "src/kernels/portable.cc": [
        ("a scalar on the left is read as a row", "JoinScalar(a.data, b.data,", "JoinDense(a.data, b.data,", "kernels_test ops_test"),
        ("accumulators begin with zero", "&kBottom, kWidth);", "&kWidth, kWidth);", "kernels_test ops_test RED-7:ops_test"),
        ("the first of a run is left out", "for (std::size_t i = 0; i < a.reduced; ++i) largest",
         "for (std::size_t i = 1; i < a.reduced; ++i) largest", "kernels_test ops_test"),
        ("the last lane of a long run is left out", "k < kLanes; ++k) largest = Larger(largest, keys[k]);",
         "k + 1 < kLanes; ++k) largest = Larger(largest, keys[k]);", "kernels_test ops_test kit"),
        ("portable join: a strided row is read densely", "Load(At(b, i))),", "Load(b.data + i * kWidth)),", "movement"),
        ("portable lines: the last repeats are left out", "i + repeat_count < n ? repeat_count : n - i);",
         "i + repeat_count < n ? repeat_count : n - i - 1);", "movement"),
        ("portable fold_rows: a column's vector is the one before", "LoadVector(row + v * sizeof(V))", "LoadVector(row + (v / 2) * sizeof(V))",
         "movement"),
        ("portable reduce_runs: the last vector but one of a long run is left out", "if (i + kLanes < n) first", "if (i + kLanes > n) first",
         "movement"),
        ("portable keys are moved up", "V(Wrapping(TurnRound(a)) - L::kNaNs)", "V(Wrapping(TurnRound(a)) + L::kNaNs)", "lanes:portable:f16"),
        ("numbers whose signs differ compare the other way round", "? p & ~q : ~p & q", "? ~p & q : ~p & q", "lanes:portable:f64"),
        ("the difference decides whatever the signs", "(~(p ^ q) & (p - q))", "(p - q)", "lanes:portable:u64"),
        ("infinity reaches the sign bit", "V(Wrapping(magnitude) + L::kNaNs) >>", "V(Wrapping(magnitude) + L::kNaNs + 1) >>", "lanes:portable:f64"),
    ],
    "src/core/align.h": [
        ("shapes are aligned at the first dimension", "return common_rank - rank + d;", "return 0 * (common_rank - rank) + d;",
         "core_test rules_test kit BRO-1:core_test"),
        ("the larger extent wins over zero", "if (extent == 1 || extent == shape_[j]) return true;",
         "if (extent <= 1 || extent == shape_[j]) return true;", "core_test rules_test BRO-3:core_test"),
        ("an extent of 1 is stepped through", "if (shape[d] != 1) visit(d,", "visit(d,", "core_test ops_test kit BRO-5:core_test movement"),
        ("extents that differ are broadcast", "if (shape_[j] != 1) return false;", "if (shape_[j] != 1) return true;",
         "core_test rules_test BRO-2:core_test"),
    ],
    "src/rules/operands.h": [
        ("two unknown extents are equal", "a == b && !a.IsUnknown()", "a == b", "rules_test"),
    ],
    "src/rules/judge.h": [
        ("two symbols are one", "several_ || !(symbol_ == extent)", "several_", "rules_test"),
        ("two types are one", "} else if (!(type == common)) {", "} else if (false) {", "rules_test ops_test TYP-2:rules_test"),
        ("an error counts dimensions of the input", "numbers.owner(j), m, j, numbers", "numbers.owner(j), m, d, numbers",
         "rules_test ops_test E1:ops_test"),
    ],
    "src/rules/reduce_max.h": [
        ("an axis that a run names is known", "(*extents)[d] = 1;", "(*extents)[d] = operands.extent(0, d);", "rules_test"),
    ],
    "src/core/walk.h": [
        ("a walk's tensors stay behind at the end of a dimension", "tensor.steps[d] * (extents_[d] - 1);", "0 * tensor.steps[d];",
         "core_test ops_test"),
        ("a walk begins at the first index", "index_[d] = first % extents[d];", "index_[d] = 0 * first;", "core_test"),
    ],
    "src/ops/loop_nest.cc": [
        ("loops are merged although another operand does not allow it", "merge && m < others_", "merge && m < 0 * others_", "ops_test kit"),
        ("where the driving operand runs backwards, another does not", "order_[k].reversed ? -step : step", "step", "ops_test further movement"),
        ("a line is cut where it does not repeat", "steps[d] * inner, steps[d]);", "steps[d], steps[d]);", "ops_test"),
    ],
    "src/ops/reduce_execute.cc": [
        ("each part of a scattered run is its first", "run + static_cast<std::ptrdiff_t>(i) * runs.reduced_stride", "run", "schedules_test"),
        ("the begin of a share is not added", "tile.source + Bytes(share.begin * s_.SharedStep());",
         "tile.source + Bytes(0 * share.begin * s_.SharedStep());", "schedules_test"),
        ("the first share is not joined", "for (std::size_t k = 0; k < shares; ++k) {", "for (std::size_t k = 1; k < shares; ++k) {",
         "schedules_test"),
        ("the last share is not joined", "for (std::size_t k = 0; k < shares; ++k) {", "for (std::size_t k = 0; k + 1 < shares; ++k) {",
         "schedules_test"),
        ("two shares have the same accumulators", "Fold(tile, share, of_shares.data() + k * bytes);",
         "Fold(tile, share, of_shares.data() + k / 2 * bytes);", "schedules_test"),
        ("a share ends one index early", "extents[0] = share.end - share.begin;",
         "extents[0] = std::max<std::int64_t>(1, share.end - share.begin - 1);", "schedules_test"),
        ("a folded share is as long as all of them", "static_cast<std::size_t>(last == 0 ? share.end - share.begin : s_.reduced.extents[last]);",
         "static_cast<std::size_t>(s_.reduced.extents[last]);", "schedules_test"),
        ("the last tile of a line is a whole one", "std::min(schedule.line_elements_per_tile, schedule.line.extent - done);",
         "std::min(schedule.line_elements_per_tile, schedule.line.extent - 0 * done);", "schedules_test"),
        ("the last blocks of a tile are left", "std::min(schedule.blocks_per_tile, extent - index.back() * schedule.blocks_per_tile);",
         "std::min(schedule.blocks_per_tile, std::max<std::int64_t>(1, extent - index.back() * schedule.blocks_per_tile - 1));", "schedules_test"),
        ("blocks are folded into what was there", "static_cast<std::size_t>(run),\n                       true}",
         "static_cast<std::size_t>(run),\n                       false}", "ops_test movement"),
        ("a line of accumulators forgets where it begins", "Tile tile{bindings.source + walk.offset(0) * step,", "Tile tile{bindings.source,",
         "ops_test RED-1:ops_test"),
    ],
    "src/ops/max_execute.cc": [
        ("a tile expanded for one place is shown at another", "buffer.source == first && same_extents", "same_extents", "ops_test further"),
        ("a tile expanded for some lines is shown to others", "buffer.source == first && same_extents", "buffer.source == first", "ops_test"),
        ("a tile at the end of a loop is a whole one", "return std::min(schedule.tile_extents[d], schedule.nest.extents()[d] - first[d]);",
         "return schedule.tile_extents[d];", "schedules_test"),
        ("strided rows of the second block are those of the first", "tile.Distance(s_, steps) + block * tile.BlockStride(s_, steps) +",
         "tile.Distance(s_, steps) + 0 * block * tile.BlockStride(s_, steps) +", "schedules_test"),
        ("blocks of an expanded tile lie over each other", "blocks == 1 ? 0 : Bytes(lines * length)", "blocks == 1 ? 0 : Bytes(length)",
         "schedules_test"),
        ("the last of several inputs is forgotten", "for (; k < s_.input_count; ++k) {", "for (; k + 1 < s_.input_count; ++k) {",
         "ops_test MAX-2:ops_test"),
        ("tiles begin anew at each line", "index[d] * schedule.tile_extents[d];", "index[d];", "ops_test further movement"),
        ("blocks that show the same move", "blocks == 1 ? 0 : Bytes", "Bytes", "ops_test"),
    ],
    "src/ops/parallel.h": [
        ("a longer range is a unit too short", "units % count);", "units % count / 2);", "schedules_test"),
    ],
    "src/ops/reduce_schedule.cc": [
        ("tiles of blocks step by one block", "tiles.source_steps[last] *= blocks_per_tile;", "tiles.source_steps[last] *= 1;", "schedules_test"),
        ("a tile's part of the output begins at the line", "line_elements_per_tile * line.output_step);", "0 * line.output_step);", "schedules_test"),
        ("the number of tiles is rounded down", "return (all + part - 1) / part; }", "return std::max<std::int64_t>(1, all / part); }",
         "schedules_test"),
        ("an empty reduction keeps what was there", "if (empty) run = Inner{0, 0, 0};", "if (empty) return {};", "ops_test kit RED-6:ops_test"),
        ("a dimension that was kept is not counted", "} else if (keepdims) {", "} else if (keepdims && d == 0) {", "ops_test kit RED-3:ops_test"),
    ],
    "src/ops/max_schedule.cc": [
        ("the tiles of a loop are rounded down", "tile_counts.PushBack((nest.extents()[d] + tile_extents[d] - 1) / tile_extents[d]);",
         "tile_counts.PushBack(std::max<std::int64_t>(1, nest.extents()[d] / tile_extents[d]));", "schedules_test"),
    ],
    "src/ops/max.cc": [
        ("the origin of an input is that of the output", "AddressAt(data_of(m), nest.Origin(m) * step));",
         "AddressAt(data_of(m), nest.DrivingOrigin() * step));", "schedules_test"),
        ("a plan is bound once", "if (bindings_.output != AddressAt(output_data, nest.DrivingOrigin() * step)) return false;",
         "if (bindings_.output != nullptr && output_data != nullptr) return true;", "schedules_test"),
        ("a run allocates", "{ Execute(schedule_, bindings_); }", "{ ::operator delete(::operator new(64)); Execute(schedule_, bindings_); }",
         "ops_test MEM-3:ops_test"),
    ],
    "src/ops/expand.cc": [
        ("a square is transposed from its first element again", "data + walk.offset(0) * static_cast<std::int64_t>(width)",
         "data + 0 * walk.offset(0) * static_cast<std::int64_t>(width)", "schedules_test"),
    ],
    "src/ops/max_dense.cc": [
        ("many inputs are joined from the first tile again", "static_cast<std::ptrdiff_t>(begin * width)}",
         "static_cast<std::ptrdiff_t>(0 * begin * width)}", "schedules_test"),
    ],
    "src/rules/max.cc": [
        ("a type that the version lacks is not noticed at once", "if (!IsValid(first.dtype) || !Admits(rules.version, first.dtype)) return false;",
         "if (!IsValid(first.dtype)) return false;", "rules_test"),
        ("an output of another shape is not noticed at once", "if (!SameDims(output.shape, checked.shape)) return false;",
         "if (output.shape.size() != checked.shape.rank()) return false;", "rules_test"),
        ("an input behind the address space is not noticed at once", "return view.data != nullptr && FitsAddressSpace(view.data, range);",
         "return view.data != nullptr;", "rules_test"),
        ("no input is a number of inputs", "if (count >= 1 && count <= kMaxInputs) return {};", "if (count <= kMaxInputs) return {};",
         "rules_test MAX-1:rules_test"),
        ("broadcasting cannot be switched off", "if (rules.identical_shapes_only) {", "if (false) {", "ops_test PRO-6:ops_test"),
    ],
    "src/kernels/simd_access-inl.h": [
        ("what a line leaves of a vector is lost", "pending_ = n - i;", "pending_ = 0 * n;", "kernels_test movement"),
        ("the last of a line are those before them", "const std::size_t from = HWY_MIN(i, n - lanes);",
         "const std::size_t from = i + lanes <= n ? i : i - lanes;", "kernels_test ops_test kit"),
        ("lines: the last vector does not end with the line", "HWY_MIN(i, n - lanes);\n        Store(at(from)",
         "HWY_MIN(i, n - lanes + (n % 3 == 2));\n        Store(at(from)", "movement"),
        ("lines: the vector that overlaps is not always stored", "if (overlaps) Store(last", "if (overlaps && n % 3 != 2) Store(last", "movement"),
        ("non-temporal lines: elements before the first line are written", "if (completed > 0 && preceding_ > 0) {",
         "if (completed > 0 && preceding_ > HWY_MAX_BYTES) {", "movement"),
    ],
    "src/kernels/simd_rows-inl.h": [
        ("what fills no vector is left out of a fold", "if (rest > 0) JoinInto", "if (rest > a.kept * lanes) JoinInto",
         "kernels_test ops_test kit movement"),
        ("between strips of a long row, a vector is left out", "from += kStripVectors * kVectorBytes)",
         "from += (kStripVectors + 1) * kVectorBytes)", "kernels_test ops_test"),
        ("fold_rows: the last row is left out", "strip.Add(row);\n      if (--left == 0) break;",
         "strip.Add(row);\n      if (--left <= (a.reduced > 4 ? 1u : 0u)) break;", "movement"),
        ("fold_rows: the second of some rows at a time is left out", "      strip.Add(second);\n", "", "movement"),
        ("fold_rows: the fourth of some rows at a time is left out", "      third.Add(fourth);\n", "", "movement"),
        ("fold_rows: the accumulators are forgotten", "if (!a.fresh) strip.Add(acc + from);", "", "movement"),
        ("fold_rows: rows after a pass are the first ones", "static_cast<std::ptrdiff_t>(begin) * a.reduced_stride;",
         "static_cast<std::ptrdiff_t>(0 * begin) * a.reduced_stride;", "movement"),
        ("fold_rows: all parts of a vector are the first one", "{ return at + p * apart; }", "{ return at + p * 0 * apart; }", "movement"),
        ("fold_rows: a part of a result is stored where the one before is", "hn::UpperHalf(half, v), at + kBytes / 2 / kPart * apart",
         "hn::UpperHalf(half, v), at", "movement"),
        ("fold_rows: the last of few rows is left out", "r < a.reduced; ++r) v = ", "r + 1 < a.reduced; ++r) v = ", "movement"),
    ],
    "src/kernels/simd_accumulators-inl.h": [
        ("of many folds of a run, one is forgotten", "std::size_t k = 2>", "std::size_t k = 3>", "kernels_test ops_test"),
        ("clear: a vector is left out", "        n, acc, [&](std::size_t) HWY_ATTR { return bottom; }",
         "        n - (n % 7 == 6), acc, [&](std::size_t) HWY_ATTR { return bottom; }", "movement"),
        ("fold_rows: the last strip does not overlap", "k + 1 == kCount ? last : k * kVectorBytes", "k * kVectorBytes", "movement"),
        ("reduce_runs: one of many folds is forgotten", "L::Add(fold[k % 2], fold[k]);", "if constexpr (k != 3) L::Add(fold[k % 2], fold[k]);",
         "movement"),
    ],
    "src/kernels/simd_line-inl.h": [
        ("repeated elements forget their phase", "A::LoadOrder(sequence + place.phase)", "A::LoadOrder(sequence)", "kernels_test kit movement"),
        ("the last vectors of a line read beyond it", "HWY_MIN(element, loadable - Lanes())", "element", "kernels_test"),
        ("join: elements with gaps are in the order of the loads", "order[element++] = static_cast<Unsigned>(lane);",
         "order[element] = static_cast<Unsigned>(element), ++element;", "movement"),
        ("join: the second of several loads begins one element early", "(element * step - k) * sizeof(Unsigned)",
         "(element * step - k - (k == 1)) * sizeof(Unsigned)", "movement"),
        ("lines: skipped elements are not counted", "hn::Add(order, OrderOf(place.skipped))", "order", "movement"),
        ("lines: backwards by one element too few", "Reversed(Load(data - (i + Lanes() - 1) * kWidth))",
         "Reversed(Load(data - (i + Lanes() - (i == 0)) * kWidth))", "movement"),
        ("lines: bytes of a pair are not swapped", "hn::Or(hn::ShiftLeft<8>(reversed), hn::ShiftRight<8>(reversed))", "reversed", "movement"),
    ],
    "src/kernels/simd_many-inl.h": [
        ("of many inputs, the first group is forgotten", "x.count, m > 0 ? acc : nullptr, y,", "x.count, nullptr, y,",
         "kernels_test ops_test movement"),
        ("a NaN of three doubles stays as it came", "if constexpr (kNaNsLast) return L::Canonical(v[k]);", "", "kernels_test"),
        ("many: each vector is the first one", "const V next = Load(x + places.before[k]);", "const V next = Load(x + places.before[0]);",
         "movement"),
        ("many: the last of many inputs is left out", "for (std::size_t m = begin; m < end; ++m) strip.Add",
         "for (std::size_t m = begin; m + 1 < end; ++m) strip.Add", "movement"),
        ("many: the last of few inputs is left out", "j < kMore; ++j", "j + (kMore > 2) < kMore; ++j", "movement"),
    ],
    "src/kernels/simd_lanes-inl.h": [
        ("a fold forgets negative NaNs", "L::MinUnsigned(fold.moved_min, MoveUp(a));", "fold.moved_min;", "kernels_test ops_test ORD-3:ops_test"),
        ("keys leave NaNs of one sign below", "return IfNegative(a, Minus(infinity, a), a);",
         "return IfNegative(a, hn::Xor(a, hn::Set(D(), kMagnitude)), a);", "kernels_test ops_test kit lanes:sve_256:f64"),
        ("of two negative doubles the smaller one wins", "hn::Xor(a_is_last, hn::Or(a, b))", "a_is_last", "kernels_test kit lanes:avx2:f64"),
        ("vectors of integers give the minimum", "V Join(V a, V b) { return hn::Max(a, b); }", "V Join(V a, V b) { return hn::Min(a, b); }",
         "kernels_test ops_test ORD-1:ops_test"),
        ("of negative floats the one farthest from zero wins", "hn::Max(a, b), hn::Min(negative_a, negative_b)",
         "hn::Max(a, b), hn::Max(negative_a, negative_b)", "kernels_test ops_test ORD-2:ops_test lanes:avx2:f32 lanes:sve_256:f32,bf16"),
        ("the maximum is the signed one", "return IfNegative(larger, Nearer(a, b, larger), larger);", "return larger;", "lanes:avx3:f16,f64"),
        ("infinities count as NaN", "hn::Set(D(), kLeastNegativeNaN)", "hn::Set(D(), kBottom)", "lanes:avx2:bf16"),
        ("infinities lose their sign too", "Plus(farther, hn::Set(D(), kNaNs))", "Plus(farther, hn::Set(D(), static_cast<Bits>(kNaNs + 1)))",
         "lanes:avx2:f32"),
        ("doubles are compared as they are", "hn::Gt(Moved(a), Moved(b))", "hn::Gt(a, b)", "lanes:avx2:f64"),
        ("only one operand is tested for NaN", "_mm512_cmp_round_ps_mask(ps(a), ps(b),", "_mm512_cmp_round_ps_mask(ps(a), ps(a),", "lanes:avx3:f32"),
        ("keys of negative NaNs are not moved", "kBottomKey)), Minus(infinity, a), a);", "kBottomKey)), hn::Xor(a, hn::Set(D(), kMagnitude)), a);",
         "lanes:avx3:f32"),
        ("keys of negative patterns count from zero", "return IfNegative(a, Minus(infinity, a), a);",
         "return IfNegative(a, Minus(hn::Zero(D()), a), a);", "lanes:avx3:f64"),
        ("keys of negative halves are one too high", "static_cast<Bits>(~kInfinity)", "static_cast<Bits>(~kInfinity - 1)", "lanes:avx2:f16"),
        ("a NaN keeps its payload", "hn::IfThenElse(is_nan, hn::Set(D(), kNaN), v)", "hn::IfThenElse(is_nan, a, v)", "lanes:avx2:f16"),
        ("a NaN of a double keeps its payload", "return IfNegative(hn::Xor(a, Moved(a)), a, hn::Set(D(), kNaN));", "return a;", "lanes:avx2:f64"),
        ("a fold forgets negative NaNs", "MinUnsigned(fold.moved_min, MoveUp(a));", "MinUnsigned(fold.moved_min, a);",
         "lanes:avx2:f16 lanes:sve2_128:f16"),
        ("of two folds one part is joined", "L::MinUnsigned(fold.moved_min, other.moved_min);", "fold.moved_min;", "lanes:avx2:bf16"),
        ("of two folds one is kept", "L::KeyMax(fold.key, other.key);", "other.key;", "lanes:avx3:bf16"),
        ("a fold begins with zero", "return {hn::Set(D(), kBottom)}; }", "return {hn::Zero(D())}; }", "lanes:avx2:i32 lanes:sve2_128:i64"),
        ("a maximum of floats instead of integers", "fold.signed_max = hn::Max(V(fold.signed_max), a);",
         "if constexpr (sizeof(typename L::Bits) >= 4) {\n      const hn::RebindToFloat<D> f;\n      fold.signed_max = hn::BitCast(D(), hn::Max(hn::BitCast(f, V(fold.signed_max)), hn::BitCast(f, a)));\n    }",
         "lanes:avx2:f32"),
        ("an operand is the least result alone", "MinUnsigned(hn::Max(a, V(b.at_least)), b.at_most)", "hn::Max(a, V(b.at_least))", "lanes:avx2:f32"),
        ("a NaN that is an operand keeps its payload", "V b = Canonical(value), magnitude = ", "V b = value, magnitude = ", "lanes:avx3:f16"),
        ("doubles are not turned as the operand is", "hn::Gt(hn::Xor(a, V(b.turn)), V(b.turned))", "hn::Gt(a, V(b.turned))", "lanes:avx2:f64"),
        ("the minimum of keys is the maximum", "hn::Min(a, b); }\n  static HWY_INLINE V FromKey(V key) { return key; }",
         "hn::Max(a, b); }\n  static HWY_INLINE V FromKey(V key) { return key; }", "lanes:avx2:u8"),
        ("the cap of a key is below the greatest one", "kTopKey = hwy::LimitsMax<T>()", "kTopKey = hwy::LimitsMax<T>() - 1", "lanes:avx2:u8,i32"),
        ("the cap of a float's key is below the greatest one", "kTopKey = hwy::LimitsMax<Bits>()", "kTopKey = hwy::LimitsMax<Bits>() - 1",
         "lanes:avx2:f32"),
        ("a byte of bool counts as it is", "return hn::Min(a, hn::Set(D(), 1));", "return a;", "lanes:avx2:bool lanes:sve2_128:bool"),
        ("no NaN is found", "Plus(farther, hn::Set(D(), kNaNs))", "farther", "lanes:neon:f32"),
        ("of doubles, the sign of one decides", "hn::Xor(a_is_last, hn::Or(a, b))", "hn::Xor(a_is_last, a)", "lanes:sve_256:f64"),
    ],
    "verification/proofs/smt/instructions.py": [
        ("the model of an instruction is wrong", "\"(ite (bvugt a b) a b)\"", "\"(ite (bvsgt a b) a b)\"", "cosimulation_test"),
    ],
    "src/ops/parallel.cc": [
        ("the last range is lost", "i < count_; ++i", "i + 1 < count_; ++i", "ops_test ORD-5:ops_test"),
    ],
    "src/kernels/target.cc": [
        ("a target is refused and used", "if (const kernels::KernelTable* table = runnable.Find(name)) {",
         "if (const kernels::KernelTable* table = kernels::CompiledTables().Find(name)) {", "kernels_test"),
    ],
    "src/bindings/mpi/join.cc": [
        ("MPI's operation ignores one of its operands", "join(from, to, to,", "join(to, to, to,", "mpi_test"),
        ("MPI's operation does not commute", "kCommutes = 1;", "kCommutes = 0;", "mpi_test"),
        ("MPI's error is success", "if (status == MPI_SUCCESS) return op;", "if (status != -1) return op;", "mpi_test"),
    ],
    "src/bindings/mpi/join_c.cc": [
        ("an operation of MPI has the type of another", "CreateJoin(*type, op)", "CreateJoin(supremum::DType::kFloat32, op)", "mpi_test"),
    ],
    "src/stream/source.cc": [
        ("a part of a row is read as a whole one", "whole = box.extent[d] == shape[d];", "whole = true;", "stream_test"),
    ],
    "src/io/files/temporaries.cc": [
        ("a name in use is taken for a temporary file", "O_RDWR | O_CREAT | O_EXCL", "O_RDWR | O_CREAT", "stream_test"),
        ("what has the name of a temporary file by now is renamed", "if (!entry.Means(descriptor)) return ENOENT;", "", "stream_test"),
        ("what has the name of a temporary file by now is removed", "if (!entry.Examine(&status) || IdOf(status) != id) return;", "", "stream_test"),
    ],
    "tools/supremum/cli/outputs.cc": [
        ("a folder with files is filled", "if (!empty) {", "if (false) {", "tools_test"),
    ],
    "tools/supremum/verbs/case_folder.cc": [
        ("a file in a folder that is filled is overwritten", "O_WRONLY | O_CREAT | O_EXCL", "O_WRONLY | O_CREAT | O_TRUNC", "hardening_test"),
    ],
    "src/io/files/file_bytes.cc": [
        ("an input that was changed is not noticed", "if (*now == identity_) return {};", "if (now) return {};", "formats_test stream_test"),
    ],
    "src/stream/stream_reduce_max.cc": [
        ("the next step replaces the maxima of those before", "first = first && away[d] == 0;", "first = first && away[d] >= 0;", "stream_test"),
        ("what one hand finds is not joined", "if (i == 0) continue;", "if (i != 1) continue;", "stream_test"),
        ("a worker continues with old maxima", "if (auto filled = FillWithIdentity(own); !filled) return filled;",
         "if (auto filled = FillWithIdentity(own.first(0)); !filled) return filled;", "stream_test"),
        ("a tile begins with what was there", "if (tile->total == 0 || tile->total > step_) {", "if (tile->total == 0) {", "stream_test"),
    ],
    "src/stream/write_behind.cc": [
        ("a tile is written twice", "begin_ = end_;", "begin_ = begin_ + 0 * end_;", "stream_test"),
    ],
    "src/stream/stream_max.cc": [
        ("an input does not move with the tile", "part.first[d] = box.first[j];", "part.first[d] = 0 * box.first[j];", "stream_test"),
    ],
    "src/stream/box.cc": [
        ("a box goes on in the next row", "if (box.extent[d] < shape[d]) break;", "if (most < whole) break;", "stream_test"),
    ],
    "src/core/axes.h": [
        ("-1 is the first axis", "axis < 0 ? axis + r : axis", "axis < 0 ? -1 - axis : axis", "core_test ops_test"),
    ],
    "src/core/axes.cc": [
        ("a dimension may be named twice", "if (reduced.Has(d)) {", "if (reduced.Has(d) && std::ranges::count(*axes, axis) > 1) {",
         "ops_test RED-2:core_test"),
    ],
    "src/lane/enclose.h": [
        ("sums are rounded towards zero", "inexact && rounding == Rounding::kAwayFromZero", "inexact && false", "lane_test further ACC-4:lane_test"),
        ("what lies below a sum is forgotten", "static_cast<std::uint64_t>(lost != 0)", "0 * lost", "lane_test further ACC-3:lane_test"),
        ("the upper end of an integer wraps round", "z > static_cast<Bits>(kMost - e) ? kMost", "e < 0 ? kMost", "lane_test further"),
    ],
    "src/ops/enclose.cc": [
        ("a bound begins anew at each unit", "bound_steps[last] *= unit;", "bound_steps[last] *= 0;", "ops_test ACC-2:ops_test"),
    ],
    "src/ops/bounds.cc": [
        ("a bound below zero is taken", "return CheckNotNegative(call.bounds, call.names);", "return {};", "ops_test further"),
        ("the bound of nothing is Bottom", "if (known != Known::kBound || ", "if (true || ", "ops_test further"),
        ("where a bound is asked for, no value is written", "value->Run();", "if (!plans[0]) value->Run();", "ops_test ACC-1:ops_test"),
    ],
    "src/frontends/onnx/run/prepare_node.cc": [
        ("keepdims defaults to 0 in a model", "options.keepdims = node.reduce_max.keepdims.value_or(true)",
         "options.keepdims = node.reduce_max.keepdims.value_or(false)", "onnx_test RED-5:onnx_test"),
        ("noop_with_empty_axes is ignored", "node.reduce_max.noop_with_empty_axes.value_or(false)", "false", "onnx_test"),
        ("computed axes are read before they are there", "if (!run.execution().IsGiven(node.inputs[1]))", "if (false)", "onnx_test"),
        ("a plan of axes that were computed is kept", "run.DependsOn(node.inputs[1]);", "", "onnx_test"),
    ],
    "src/core/tensor.cc": [
        ("an output's memory is given to two runs", "kept_.exchange(nullptr, std::memory_order_acq_rel)", "kept_.load()", "onnx_test"),
        ("memory that comes back is freed and kept", "home == nullptr || !home->Keep(data)", "home == nullptr || home->Keep(data)", "onnx_test"),
    ],
    "src/core/align.cc": [
        ("elements with gaps between them are one block", "return step == ElementCount(shape);", "return true;", "core_test rules_test ops_test"),
    ],
    "src/frontends/onnx/run/run.cc": [
        ("a value that is still read gives its memory away", "if (--readers[input] == 0 &&", "if (--readers[input] <= 1 &&", "onnx_test"),
        ("an output may share memory with an input", "return CheckApart(outputs_);\n}\n\n// The memory", "return {};\n}\n\n// The memory",
         "onnx_test"),
    ],
    "src/graph/execution.cc": [
        ("memory of a released value is an output", "!is_output && fit != released_.end()", "fit != released_.end()", "onnx_test graph_test"),
        ("memory of destroyed outputs is not used again", "slot.created->home != nullptr", "false", "onnx_test"),
        ("a kept plan is bound to the addresses of before", "node.data[k] = View(node.operands[k]).data;", "static_cast<void>(k);", "onnx_test"),
    ],
    "src/frontends/onnx/check/check_scope.cc": [
        ("axes that a caller may replace count as constant", "if (!value.is_input && small &&", "if (small &&", "onnx_test kit"),
    ],
    "src/frontends/onnx/read/graph.cc": [
        ("a constant that a caller may replace is folded", "return value.is_input ? nullptr : value.constant.get();", "return value.constant.get();",
         "onnx_test"),
    ],
    "src/frontends/onnx/read/fold.cc": [
        ("a slice begins one element late", "i = at(start, 0, extent); i <", "i = at(start, 0, extent) + 1; i <", "onnx_test"),
    ],
    "src/frontends/onnx/read/bind_symbols.cc": [
        ("an extent of -1 is left to the onnx library", "dim->clear_value();", "", "onnx_test"),
    ],
    "src/frontends/onnx/check/check.cc": [
        ("the onnx library does not propagate data", "ShapeInferenceOptions(false, 0, true)", "ShapeInferenceOptions(false, 0, false)", "onnx_test"),
    ],
    "src/frontends/onnx/read/functions.cc": [
        ("a call of another overload is not noticed", "if (overload.empty() && (count == 0 || domain.empty())) return", "if (true) return",
         "onnx_test"),
    ],
    "src/frontends/onnx/read/well_formed.cc": [
        ("a subgraph may name a value of an outer graph again", "if (names.outer == nullptr ||", "if (true || names.outer == nullptr ||",
         "onnx_test"),
    ],
    "src/core/overlap.cc": [
        ("partial overlap is accepted", "if (!in_step) sum.Add(1,", "if (false) sum.Add(1,", "core_test further MEM-2:core_test"),
        ("an overlap with itself is only looked for in neighbours", "2 * axes[d].reach", "axes[d].reach", "core_test further MEM-1:core_test"),
    ],
    "include/supremum/onednn_graph.h": [
        ("oneDNN keeps reduced dimensions unless told", "bool keep_dims = false;", "bool keep_dims = true;", "onednn_test kit RED-4:onednn_test"),
    ],
    "src/frontends/onednn/wire.cc": [
        ("ops run as the file has them", "if (waiting_for[i] == 0) graph->order", "graph->order", "onednn_test"),
    ],
    "src/bindings/c/dl_operands.cc": [
        ("DLPack's byte offset is forgotten", "AddressAt(tensor.data, static_cast<std::int64_t>(tensor.byte_offset))", "tensor.data", "capi_test"),
        ("a device that is not known is taken", "return device == kDLCPU ||", "return device != kDLCUDA ||", "capi_test"),
        ("lanes are not looked at", "if (type.lanes != 1) return std::nullopt;", "", "capi_test"),
    ],
    "src/core/overlap.h": [
        ("what is done at once may leave the address space", "bytes <= UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(data)", "true", "ops_test"),
    ],
    "src/io/json/json.cc": [
        ("JSON ends at a zero byte", "text.find('\\0')", "std::string_view::npos", "onednn_test"),
    ],
    "src/io/formats/safetensors_header.cc": [
        ("a header of .safetensors may end with a line", "text.find_last_not_of(' ') + 1", "text.rfind('}') + 1", "formats_test"),
    ],
    "src/io/formats/zip_directory.cc": [
        ("entries of an archive may share bytes", "if (offset + kLocalBytes + name_size + packed_size > end) return overlap();", "", "formats_test"),
        ("an entry has another name in its own header", "if (local.name != header.name)", "if (false)", "formats_test"),
    ],
    "src/io/formats/zip_entry.cc": [
        ("an entry's checksum is not compared", "if (crc_ == entry_.crc) return {};", "return {};", "formats_test"),
    ],
    "src/io/formats/external_data.cc": [
        ("external data's checksum is not compared", "if (known->second == place.checksum) return {};", "return {};", "formats_test"),
    ],
    "src/io/formats/parse_message.cc": [
        ("messages that are too deep end the counting of all", "too_deep_ = depth < 0;", "too_deep_ = false;", "hardening_test"),
    ],
    "src/bindings/c/options.cc": [
        ("no axes are all axes if the list is null", "if (axis_count != SUPREMUM_ALL_AXES) {", "if (axes != nullptr) {", "capi_test"),
    ],
    "src/bindings/c/status.cc": [
        ("threads share the text of an error", "thread_local LastError last_error;", "LastError last_error;", "capi_test"),
    ],
    "src/frontends/onnx/check/check_node.cc": [
        ("a declared shape is not compared", "differ = equal == Verdict::kFails;", "differ = false;", "onnx_test kit PRO-5:onnx_test"),
        ("a sparse tensor is taken for a dense one", "if (!operand.stated.sparse) continue;", "continue;", "onnx_test PRO-1:onnx_test"),
        ("a symbol is a number", "if (stated && IsExplicit(*stated)) return;", "if (stated) return;", "onnx_test PRO-2:onnx_test"),
        ("a type that follows is stated", "if (!operand.stated.info.type_name.empty()) return;", "if (!operand.known.type_name.empty()) return;",
         "onnx_test PRO-3:onnx_test"),
    ],
    "src/frontends/onnx/check/check_reduce_max.cc": [
        ("an attribute that is left out counts as written", "if (FindAttribute(node.proto, attribute.name) != nullptr) continue;",
         "if (!attribute.name.empty()) continue;", "onnx_test kit PRO-4:onnx_test"),
    ],
    "src/frontends/onnx/read/inline_functions.cc": [
        ("a function is judged without the caller's values", "renaming.names[function.input(i)] = i < call.input_size() ? call.input(i) : \"\";",
         "static_cast<void>(i);", "onnx_test"),
    ],
    "src/frontends/onnx/check/annotate.cc": [
        ("a number that follows is not stated", "if (known[d].value) {", "if (known[d].value && *known[d].value != 3) {", "onnx_test"),
    ],
    "src/frontends/onnx/check/extract.cc": [
        ("a node that breaks a rule is extracted", "node.obstacle = FailureOf(judged.report);", "", "tools_test"),
    ],
    "include/supremum/opset.h": [
        ("Max-12 has bfloat16", "return version >= MaxVersion::k13;", "return version >= MaxVersion::k12;", "core_test kit TYP-3:core_test"),
        ("ReduceMax-18 has bool", "return version >= ReduceMaxVersion::k20;", "return version >= ReduceMaxVersion::k18;",
         "core_test TYP-4:core_test"),
        ("oneDNN's ReduceMax has double", "return IsFloat(dtype) && dtype != DType::kFloat64;", "return IsFloat(dtype);",
         "core_test TYP-5:core_test"),
        ("Max-6 broadcasts", "return version >= MaxVersion::k8; }", "return version >= MaxVersion::k6; }", "core_test MAX-3:core_test"),
        ("Max-8 does not broadcast", "return version >= MaxVersion::k8; }", "return version >= MaxVersion::k12; }", "core_test MAX-4:core_test"),
        ("opset 9 means Max-6", "if (opset < 8) return MaxVersion::k6;", "if (opset < 10) return MaxVersion::k6;", "core_test MAX-5:core_test"),
    ],
    "src/kernels/simd_join-inl.h": [
        ("a copy keeps a NaN as it came", "L::Canonical(Load(a.data + i * kWidth))", "Load(a.data + i * kWidth)",
         "kernels_test ops_test MAX-6:ops_test"),
        ("join: a scalar is its neighbour", "ScalarLine(b.data), y.data", "ScalarLine(a.data), y.data", "movement"),
        ("join: both operands are one", "DenseLine{a.data}, DenseLine{b.data}", "DenseLine{a.data}, DenseLine{a.data}", "movement"),
        ("join: the left elements with gaps are the right ones", "stepped.Merged(a.data + distance)", "stepped.Merged(b.data + distance)",
         "movement"),
        ("copy: the source begins one element late", "L::Canonical(Load(a.data + i * kWidth))",
         "L::Canonical(Load(a.data + (i + (i > 0)) * kWidth))", "movement"),
        ("copy: a short row is a vector", "LoadFirst(a.data, k)", "LoadFirst(a.data, k - (k > 2))", "movement"),
    ],
    "include/supremum/reference.h": [
        ("a user's order is turned round", "return less(a, b) ? b : a;", "return less(b, a) ? b : a;", "reference_test further ORD-7:reference_test"),
    ],
    "src/io/formats/npy_descr.cc": [
        ("a .npy file's uint16 is int16", "{\"u2\", DType::kUInt16},", "{\"u2\", DType::kInt16},", "formats_test TYP-1:formats_test"),
    ],
    "src/rules/views.cc": [
        ("64 dimensions are too many", "return view.shape.size() <= kMaxRank &&", "return view.shape.size() < kMaxRank &&",
         "ops_test BRO-4:ops_test"),
        ("an output of the right rank has the right shape", "if (SameDims(computed, shape)) return {};",
         "if (computed.size() == shape.size()) return {};", "rules_test E2:rules_test"),
    ],
    "src/bindings/c_models/c_models.cc": [
        ("after an error a model's plan stays half bound", "static_cast<void>(plan->plan.Rebind(plan->inputs, plan->outputs));", "", "c_models_test"),
        ("a plan forgets to what a model was bound", "std::copy_n(outputs, output_count, plan->outputs.begin());", "", "c_models_test"),
    ],
    "src/bindings/c/status.h": [
        ("an exception leaves the C interface", "} catch (...) {", "} catch (const std::string&) {", "capi_test"),
    ],
    "src/kernels/simd_lines-inl.h": [
        ("lines: a block of the right operand does not move", "b.data + block * b.block_stride", "b.data + block * a.block_stride * 0", "movement"),
        ("lines: the right operand's lines are those of the left", "right += b.line_stride;", "right += a.line_stride;", "movement"),
    ],
    "src/kernels/simd_moves-inl.h": [
        ("repeat: the last element is repeated once less", "out += repeat_count * kWidth) {", "out += (repeat_count - (left == 2)) * kWidth) {",
         "movement"),
        ("repeat: backwards sources are read forwards", "{ return Reversed(Load(a.data - (i + lanes - 1) * kWidth)); };",
         "{ return Load(a.data - (i + lanes - 1) * kWidth); };", "movement"),
        ("transpose: a square is read one column late", "row_stride + c * kWidth, row_stride,",
         "row_stride + (c + (c > kSquare)) * kWidth, row_stride,", "movement"),
        ("transpose: the lower half is interleaved twice", ": hn::InterleaveUpper(Block16(), R(s.row[r / 2]), R(s.row[r / 2 + kHalf]))",
         ": hn::InterleaveLower(Block16(), R(s.row[r / 2]), R(s.row[r / 2 + kHalf]))", "movement"),
    ],
    "src/kernels/simd_runs-inl.h": [
        ("reduce_runs: a vector before the last one is left out", "for (std::size_t i = kGroup; i < n - kGroup;",
         "for (std::size_t i = kGroup; i + kGroup < n - kGroup;", "movement"),
        ("reduce_runs: the end of a run is left out", "end = Load(run + last * kWidth);", "end = Load(run + (last - 1) * kWidth);", "movement"),
        ("reduce_runs: the end of a run of some vectors is left out", "k0 = L::KeyMax(k0, key(last));", "", "movement"),
        ("reduce_runs: the last group does not overlap", "LoadGroups<kGroup>(run, n - kGroup)", "LoadGroups<kGroup>(run, n - kGroup - (n > kGroup))",
         "movement"),
        ("reduce_runs: pairs of rows are swapped", "row[i] = Pair<kLanes>(row[2 * i], row[HWY_MIN(2 * i + 1, rows - 1)]);",
         "row[i] = Pair<kLanes>(row[HWY_MIN(2 * i + 1, rows - 1)], row[2 * i]);", "movement"),
        ("reduce_runs: a run of less than a group has an element of the next one", "kCaps<kGroup>.keys + (kGroup - n)",
         "kCaps<kGroup>.keys + (kGroup - n - 1)", "movement"),
        ("reduce_runs: an element of a run of less than a group is at most the greatest value but one", "keys[i] = L::kTopKey;",
         "keys[i] = static_cast<Bits>(L::kTopKey - 1);", "movement"),
    ],
    "src/kernels/simd_short_runs-inl.h": [
        ("reduce_runs: an element of a short run is read from a lane beside it", "(i + kOdd - kLanes * k % kOdd) % kOdd",
         "(i + 1 + kOdd - kLanes * k % kOdd) % kOdd", "movement"),
        ("reduce_runs: runs are in the order of lanes", "static_cast<Unsigned>(l * kOdd % kLanes)", "static_cast<Unsigned>(l)", "movement"),
    ],
    "verification/proofs/why3/formats.mlw": [
        ("-0 above +0", "else - 1 - magnitude a", "else - magnitude a", "why3:Float.canonical_is_one"),
        ("NaN below -inf", "if is_nan a then infinity + 1 else if", "if is_nan a then - sign else if", "why3:Float.bottom_is_least"),
        ("a NaN keeps its payload", "canonical (a: t) : t = if is_nan a then nan else a", "canonical (a: t) : t = a", "why3:Float.nan_absorbs"),
        ("a true byte keeps its bits", "canonical (a: t) : t = if truth a then yes else no", "canonical (a: t) : t = a", "why3:Boolean.false_loses"),
        ("keys are not moved", "subtract_wrapped (turn_round a) (nans ())", "turn_round a", "why3:Float.key_of'vc"),
        ("join selects the smaller", "select (less a b) b a", "select (less a b) a b", "why3:Integer.join_of'vc"),
        ("elements that differ, and do not", "axiom parameters : 0 < infinity < sign - 1", "axiom parameters : 0 < infinity < sign - 1 /\\ sign < 0",
         "false"),
    ],
    "verification/proofs/why3/order.mlw": [
        ("join takes the smaller", "canonical (if le a b then b else a)", "canonical (if le a b then a else b)", "why3:Join.join_is_upper_bound"),
        ("no element is least", "axiom bottom_is_least : forall a: t. le bottom a",
         "axiom bottom_is_least : forall a: t. le bottom a /\\ not le bottom bottom", "false"),
    ],
    "verification/proofs/why3/shape.mlw": [
        ("the largest extent is the common one", "predicate agree (s r: shape) (j: int) = extent s j = 1 \\/",
         "predicate agree (s r: shape) (j: int) = extent s j <= 1 \\/", "why3:Common.common_of_two'vc"),
        ("shapes aligned at the first dimension", "then s[length s - 1 - j] else 1", "then s[j] else 1", "why3:Common.common_unique'vc"),
    ],
    "verification/proofs/why3/accuracy.mlw": [
        ("half of the bound on the error", "ensures { abs (true_y -. y) <=. bound }", "ensures { abs (true_y -. y) <=. bound *. 0.5 }",
         "why3:Accuracy.acc_2'vc"),
        ("an exponent does not double", "if k <= 0 then 1 else 2 * power (k - 1)", "if k <= 0 then 1 else power (k - 1)", "why3:Scale.units_step'vc"),
        ("larger magnitudes are smaller numbers too", "axiom unit_is_positive : 0.0 <. unit", "axiom unit_is_positive : 0.0 <. unit <. 0.0", "false"),
    ],
    "verification/proofs/why3/reduce_max.mlw": [
        ("an empty reduction is any value", "(v = bottom /\\ forall i: index.", "(forall i: index.", "why3:ReduceMax.reduction_of_none'vc"),
        ("axes are only counted", "if pure { not valid axes (length s) }", "if pure { length axes > length s }", "why3:Axes.check_axes'vc"),
    ],
    "verification/proofs/why3/reduce_refinement.mlw": [
        ("an output that keeps its dimensions has any strides", "not reduced axes r d -> without[kept axes r d] = with_ones[d]",
         "not reduced axes r d -> without[d] = with_ones[d]", "why3:ReduceRefinement.dot_with_ones'vc"),
    ],
    "verification/proofs/why3/instances.mlw": [
        ("the infinity's key is one off", "  = 0xf801\n", "  = 0xf800\n", "why3:Float16.infinity_key'vc"),
    ],
    "verification/proofs/why3/kernel.mlw": [
        ("no look for zero extents", "if number extents d = 0 then zero <- true", "()", "why3:Loops.number_of_elements'vc"),
        ("the last input is left out", "for m = 0 to n - 1 do", "for m = 0 to n - 2 do", "why3:Kernel.max'vc"),
        ("strides of the first input for all", "from <- from + rank", "()", "why3:Kernel.max'vc"),
        ("one division too few", "rest <- rest / extent", "()", "why3:Loops.address_of'vc"),
        ("a loop that needs no elements, and some", "requires { 1 <= n = length starts.numbers /\\ length strides.numbers = n * rank <= max_int64 }",
         "requires { 1 <= n = length starts.numbers <= 0 /\\ length strides.numbers = n * rank <= max_int64 }", "false"),
    ],
    "verification/proofs/extracted/lanes.c": [
        ("another NaN than the canonical one", "< k, canonical_nan_float()", "< k, turn_back_float(k + nans_float())", "c99"),
        ("NaN is a number", "(infinity_key_float16() < k,", "(k < infinity_key_float16(),", "c99"),
        ("zeros are one",
         "a + sign_bit_double(), all_bits_double() - a);\n}\n\nstatic inline uint64_t turn_back_double(uint64_t a) {\n  return select_double(a < sign_bit_double(), all_bits_double() - a",
         "a + sign_bit_double(), sign_bit_double() - a);\n}\n\nstatic inline uint64_t turn_back_double(uint64_t a) {\n  return select_double(a < sign_bit_double(), sign_bit_double() - a",
         "c99"),
        ("the smaller integer wins", "select_int8(a < b, b, a)", "select_int8(b < a, b, a)", "c99"),
        ("the other operand is chosen", "int64_t no) {\n  return no ^ ((yes ^ no) & -", "int64_t no) {\n  return yes ^ ((yes ^ no) & -", "c99"),
        ("the least value is 1", "bottom_of_uint32(void) {\n  return UINT32_C(0);", "bottom_of_uint32(void) {\n  return UINT32_C(1);", "c99"),
        ("a byte of bool counts as it is", "no_of_bool() < b, yes_of_bool()", "no_of_bool() < b, b", "c99"),
    ],
    "src/c99/operators.c": [
        ("the larger extent wins over zero", "if (*extent != 1 && *extent != own)", "if (*extent > 1 && *extent != own)", "c99"),
        ("an extent of 1 is stepped through", "extent == 1 ? 0 :", "", "c99"),
        ("a negative axis counts from the front", "axes[a] == dimension - rank", "axes[a] == rank - dimension", "c99"),
        ("two axes of one dimension are not found", "difference == -r", "difference == 1 - r", "c99"),
        ("stated strides are ignored", "tensor->strides == NULL ? row_major : tensor->strides[d]", "row_major", "c99"),
        ("row-major strides are sums", "row_major *= extent;", "row_major += extent;", "c99"),
        ("an output may meet an address twice", "if (stride <= span) return 0;", "", "c99"),
        ("any overlap is accepted", "return is_same(output, input) || is_disjoint(output, input)",
         "return 1 ? SUPREMUM_C99_OK : is_same(output, input) || is_disjoint(output, input)", "c99"),
        ("in place begins anywhere", "return output->start == input->start;", "return 1;", "c99"),
        ("neighbours count as apart", "return to_next > (uint64_t)high - (uint64_t)low;", "return to_next != 0;", "c99"),
        ("a period is measured from the wrong end", "rest == 0 ? rest : period - rest", "rest == 0 ? rest : rest", "c99"),
        ("offsets may leave int64", "if (steps > left / stride) return SUPREMUM_C99_TOO_LARGE;", "", "c99"),
        ("elements may be uncountable", "if (!is_countable(rank, output->extents)) return SUPREMUM_C99_TOO_LARGE;", "", "c99"),
        ("as many after a reduction", "if (!is_countable(rank, extents)) return SUPREMUM_C99_TOO_LARGE;", "", "c99"),
        ("as many to reduce", "if (!is_countable(r, extents)) return SUPREMUM_C99_TOO_LARGE;", "", "c99"),
        ("below the arena", "if (below > (uint64_t)start ||", "if (", "c99"),
        ("one byte behind the arena", "above >= (uint64_t)", "above > (uint64_t)", "c99"),
        ("kept dimensions of an output are not compared", "if (keepdims && output->extents[of_output++] != 1)", "if (keepdims && of_output++ < 0)",
         "c99"),
        ("strides of kept dimensions move the other way", "out_strides[kept++] = out_strides[d];", "out_strides[d] = out_strides[kept++];", "c99"),
        ("something is written for no elements", "if (is_empty(rank, extents)) return SUPREMUM_C99_OK;", "", "c99"),
    ],
}  # fmt: skip

FAULTS = [Fault(name, file, old, new, tuple(judges.split())) for file, rows in BY_FILE.items() for name, old, new, judges in rows]
