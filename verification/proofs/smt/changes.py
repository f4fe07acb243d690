"""Faults in the bodies of lane functions: compiled from changed copies of the headers, each must lose a theorem."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from functions import read_functions
from machine import NoModel
from models import LANES
from objects import COMPILERS, ROOT, SVE_TARGETS, Compiler, alone, compile_functions, read_code
from theorems import about_functions, text

LANES_FILE, LANE_FILE, PORTABLE_FILE = "kernels/simd_lanes-inl.h", "supremum/lane.h", "kernels/portable.cc"
AVX3, AVX2 = 1 << 8, 1 << 9  # Highway's numbers
TARGET_NUMBERS = {"avx3": AVX3, "avx2": AVX2}


@dataclass(frozen=True)
class Change:
    """A fault: `old` occurs once in `file`. The functions of `target` are proved for the types."""

    what: str
    file: str
    old: str
    new: str
    target: str
    lanes: str

    @property
    def compiler(self) -> Compiler:
        """What compiles it."""
        return COMPILERS["gcc-arm" if self.target in (*SVE_TARGETS, "neon") else "gcc"]

    @property
    def options(self) -> list[str]:
        """For the target alone, where it is a vector's."""
        if self.target in SVE_TARGETS:
            return alone(self.target)
        if self.target == "neon":
            return ["-DSUPREMUM_WITHOUT_PORTABLE"]
        number = TARGET_NUMBERS.get(self.target, 0)
        return [f"-DHWY_DISABLED_TARGETS=(~({number}LL|HWY_SCALAR|HWY_EMU128))", *(["-DSUPREMUM_WITHOUT_PORTABLE"] if number else [])]


CHANGES = [
    Change("of negative patterns, the one farther from zero", LANES_FILE, "hn::Max(a, b), hn::Min(negative_a, negative_b)",
           "hn::Max(a, b), hn::Max(negative_a, negative_b)", "avx2", "f32"),
    Change("the maximum is the signed one", LANES_FILE, "return IfNegative(larger, Nearer(a, b, larger), larger);", "return larger;",
           "avx3", "f16 f64"),
    Change("infinities count as NaN", LANES_FILE, "hn::Set(D(), kLeastNegativeNaN)", "hn::Set(D(), kBottom)", "avx2", "bf16"),
    Change("infinities lose their sign too", LANES_FILE, "Plus(farther, hn::Set(D(), kNaNs))",
           "Plus(farther, hn::Set(D(), static_cast<Bits>(kNaNs + 1)))", "avx2", "f32"),
    Change("doubles are compared as they are", LANES_FILE, "hn::Gt(Moved(a), Moved(b))", "hn::Gt(a, b)", "avx2", "f64"),
    Change("of negative doubles, the smaller one", LANES_FILE, "hn::Xor(a_is_last, hn::Or(a, b))", "a_is_last", "avx2", "f64"),
    Change("only one operand is tested for NaN", LANES_FILE, "_mm512_cmp_round_ps_mask(ps(a), ps(b),", "_mm512_cmp_round_ps_mask(ps(a), ps(a),",
           "avx3", "f32"),
    Change("keys of negative NaNs are not moved", LANES_FILE, "kBottomKey)), Minus(infinity, a), a);",
           "kBottomKey)), hn::Xor(a, hn::Set(D(), kMagnitude)), a);", "avx3", "f32"),
    Change("keys of negative patterns count from zero", LANES_FILE, "return IfNegative(a, Minus(infinity, a), a);",
           "return IfNegative(a, Minus(hn::Zero(D()), a), a);", "avx3", "f64"),
    Change("keys of negative halves are one too high", LANES_FILE, "static_cast<Bits>(~kInfinity)", "static_cast<Bits>(~kInfinity - 1)", "avx2", "f16"),
    Change("a NaN keeps its payload", LANES_FILE, "hn::IfThenElse(is_nan, hn::Set(D(), kNaN), v)", "hn::IfThenElse(is_nan, a, v)",
           "avx2", "f16"),
    Change("a NaN of a double keeps its payload", LANES_FILE, "return IfNegative(hn::Xor(a, Moved(a)), a, hn::Set(D(), kNaN));", "return a;",
           "avx2", "f64"),
    Change("a fold forgets negative NaNs", LANES_FILE, "MinUnsigned(fold.moved_min, MoveUp(a));", "MinUnsigned(fold.moved_min, a);", "avx2", "f16"),
    Change("of two folds one part is joined", LANES_FILE, "L::MinUnsigned(fold.moved_min, other.moved_min);", "fold.moved_min;", "avx2", "bf16"),
    Change("of two folds one is kept", LANES_FILE, "L::KeyMax(fold.key, other.key);", "other.key;", "avx3", "bf16"),
    Change("a fold begins with zero", LANES_FILE, "return {hn::Set(D(), kBottom)}; }", "return {hn::Zero(D())}; }", "avx2", "i32"),
    Change("a maximum of floats instead of integers", LANES_FILE, "fold.signed_max = hn::Max(V(fold.signed_max), a);",
           "if constexpr (sizeof(typename L::Bits) >= 4) {\n      const hn::RebindToFloat<D> f;\n"
           "      fold.signed_max = hn::BitCast(D(), hn::Max(hn::BitCast(f, V(fold.signed_max)), hn::BitCast(f, a)));\n    }", "avx2", "f32"),
    Change("an operand is the least result alone", LANES_FILE, "MinUnsigned(hn::Max(a, V(b.at_least)), b.at_most)",
           "hn::Max(a, V(b.at_least))", "avx2", "f32"),
    Change("a NaN that is an operand keeps its payload", LANES_FILE, "V b = Canonical(value), magnitude = ", "V b = value, magnitude = ",
           "avx3", "f16"),
    Change("doubles are not turned as the operand is", LANES_FILE, "hn::Gt(hn::Xor(a, V(b.turn)), V(b.turned))", "hn::Gt(a, V(b.turned))",
           "avx2", "f64"),
    Change("the minimum of keys is the maximum", LANES_FILE, "hn::Min(a, b); }\n  static HWY_INLINE V FromKey(V key) { return key; }",
           "hn::Max(a, b); }\n  static HWY_INLINE V FromKey(V key) { return key; }", "avx2", "u8"),
    Change("the cap of a key is below the greatest one", LANES_FILE, "kTopKey = hwy::LimitsMax<T>()", "kTopKey = hwy::LimitsMax<T>() - 1", "avx2", "u8 i32"),
    Change("the cap of a float's key is below the greatest one", LANES_FILE, "kTopKey = hwy::LimitsMax<Bits>()",
           "kTopKey = hwy::LimitsMax<Bits>() - 1", "avx2", "f32"),
    Change("a byte of bool counts as it is", LANES_FILE, "return hn::Min(a, hn::Set(D(), 1));", "return a;", "avx2", "bool"),
    Change("unsigned bytes are in the order of signed ones", LANE_FILE, "{ return a < b ? b : a; }",
           "{ return static_cast<std::make_signed_t<Bits>>(a) < static_cast<std::make_signed_t<Bits>>(b) ? b : a; }", "lane", "u8"),
    Change("negative floats are in reverse order", LANE_FILE, "all_if_negative & kMagnitude", "0 * all_if_negative", "lane", "f32"),
    Change("portable keys are moved up", PORTABLE_FILE, "V(Wrapping(TurnRound(a)) - L::kNaNs)", "V(Wrapping(TurnRound(a)) + L::kNaNs)",
           "portable", "f16"),
    Change("numbers whose signs differ compare the other way round", PORTABLE_FILE, "? p & ~q : ~p & q", "? ~p & q : ~p & q", "portable", "f64"),
    Change("the difference decides whatever the signs", PORTABLE_FILE, "(~(p ^ q) & (p - q))", "(p - q)", "portable", "u64"),
    Change("infinity reaches the sign bit", PORTABLE_FILE, "V(Wrapping(magnitude) + L::kNaNs) >>", "V(Wrapping(magnitude) + L::kNaNs + 1) >>",
           "portable", "f64"),
    Change("no NaN is found", LANES_FILE, "Plus(farther, hn::Set(D(), kNaNs))", "farther", "neon", "f32"),
    Change("of negative patterns, the one farther from zero", LANES_FILE, "hn::Max(a, b), hn::Min(negative_a, negative_b)",
           "hn::Max(a, b), hn::Max(negative_a, negative_b)", "sve_256", "f32 bf16"),
    Change("keys of negative NaNs are not moved", LANES_FILE, "return IfNegative(a, Minus(infinity, a), a);",
           "return IfNegative(a, hn::Xor(a, hn::Set(D(), kMagnitude)), a);", "sve_256", "f64"),
    Change("of doubles, the sign of one decides", LANES_FILE, "hn::Xor(a_is_last, hn::Or(a, b))", "hn::Xor(a_is_last, a)", "sve_256", "f64"),
    Change("a fold forgets negative NaNs", LANES_FILE, "MinUnsigned(fold.moved_min, MoveUp(a));", "MinUnsigned(fold.moved_min, a);",
           "sve2_128", "f16"),
    Change("a fold begins with zero", LANES_FILE, "return {hn::Set(D(), kBottom)}; }", "return {hn::Zero(D())}; }", "sve2_128", "i64"),
    Change("a byte of bool counts as it is", LANES_FILE, "return hn::Min(a, hn::Set(D(), 1));", "return a;", "sve2_128", "bool"),
]  # fmt: skip


def source_of(change: Change) -> str:
    """The text that is changed. Raises SystemExit if the change cannot be made."""
    source = (ROOT / ("include" if change.file == LANE_FILE else "src") / change.file).read_text(encoding="utf-8")
    if source.count(change.old) != 1:
        raise SystemExit(f"changes.py: the text of '{change.what}' occurs {source.count(change.old)} times in {change.file}")
    return source


def is_noticed(change: Change, folder: Path, ask: Callable[[str, str], str], options: list[str]) -> bool:
    """Whether a theorem is lost, or the changed function has no model."""
    here = folder / f"change-{CHANGES.index(change)}"
    path = here / change.file
    path.parent.mkdir(parents=True)
    path.write_text(source_of(change).replace(change.old, change.new), encoding="utf-8")
    compiler, library = change.compiler, here / "lanes.so"
    compile_functions(compiler, library, [*options, "-I", str(here), *change.options])
    code = read_code(compiler, library)
    for name in change.lanes.split():
        try:
            functions = read_functions(code, compiler.arm, LANES[name], change.target)
        except NoModel:
            return True
        asked = about_functions(LANES[name], f"{compiler.name}/{change.target}", functions)
        theorems = [text(q, functions) for q in asked if q.expected == "unsat"]
        if "sat" not in (ask("z3", theorem) for theorem in theorems):  # one after the other, up to the first
            return False
    return True


def of(compilers: list[str]) -> list[Change]:
    """The changes of what these compilers compile. Each can be made, also those that are not tried."""
    for change in CHANGES:
        source_of(change)
    return [change for change in CHANGES if change.compiler.name in compilers]


def unnoticed(folder: Path, ask: Callable[[str, str], str], some: list[Change], options: list[str]) -> list[str]:
    """Those of the changes that lose nothing."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        noticed = list(pool.map(lambda change: is_noticed(change, folder, ask, options), some))
    return [f"{change.what} ({change.target})" for change, found in zip(some, noticed) if not found]
