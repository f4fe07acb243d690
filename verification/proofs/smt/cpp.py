#!/usr/bin/env python3
"""Writes the models as C++, from the very definitions that are proved, for verification/cosimulation.

    verification/proofs/smt/cpp.py FOLDER    writes models.h, and for each target comparisons_TARGET-inl.h, which compare each model with the
                                instruction, with Highway's operation, or with the kernel's function of its name
"""

from __future__ import annotations

import sys
from pathlib import Path

from instructions import Instruction, assembly, instructions
from models import LANES, TARGETS, Lane, target_model
from smt import Definitions, Expression, Function, show, symbols

TYPES = {"f16": "Float16", "bf16": "BFloat16", "f32": "float", "f64": "double", "bool": "bool"}
TYPES |= {f"i{width}": f"std::int{width}_t" for width in (8, 16, 32, 64)}
TYPES |= {f"u{width}": f"std::uint{width}_t" for width in (8, 16, 32, 64)}

INFIX = {"bvand": "&", "bvor": "|", "bvxor": "^", "bvadd": "+", "bvsub": "-", "=": "==", "and": "&&", "or": "||"}
UNSIGNED = {"bvult": "<", "bvule": "<=", "bvugt": ">", "bvuge": ">="}
SIGNED = {"bvslt": "<", "bvsle": "<=", "bvsgt": ">", "bvsge": ">="}


def identifier(name: str) -> str:
    """A name as C++ has it."""
    return name.replace(".", "_")


class Translator:
    """Expressions of one lane as C++ of std::uint64_t, in which bits above the width are zero, and of bool."""

    def __init__(self, definitions: Definitions, target: str, width: int) -> None:
        self.definitions = definitions
        self.widths = {"V": width, "M": 1 if target == "avx3" else width, "Bool": 0}

    def width_of(self, sort: str) -> int:
        """How many bits a sort has; a truth value has 0."""
        return self.widths[sort] if sort in self.widths else int(sort.strip("()").split()[-1])

    def function(self, function: Function) -> str:
        """A definition."""
        known = {name: self.width_of(sort) for name, sort in function.parameters}
        parameters = ", ".join(f"{self.type_of(width)} {identifier(name)}" for name, width in known.items())
        unused = "".join(f"(void){identifier(name)}; " for name in known if name not in symbols(function.body))
        body, width = self.expression(function.body, known)
        assert width == self.width_of(function.result), function.show()
        return f"  static {self.type_of(width)} {identifier(function.name)}({parameters}) {{ {unused}return {body}; }}\n"

    @staticmethod
    def type_of(width: int) -> str:
        """The C++ type of values of a width."""
        return "std::uint64_t" if width else "bool"

    def expression(self, e: Expression, known: dict[str, int]) -> tuple[str, int]:
        """An expression, and how many bits it has."""
        if isinstance(e, str):
            return self.name(e, known)
        operator, *rest = e
        if operator == "_":  # (_ bv5 32)
            return f"{int(rest[0][2:]):#x}u", int(rest[1])
        if isinstance(operator, list):
            return self.indexed(operator, rest, known)
        values = [self.expression(part, known) for part in rest]
        texts, widths = [text for text, _ in values], [width for _, width in values]
        if operator in self.definitions:
            function = self.definitions[operator]
            return f"{identifier(operator)}({', '.join(texts)})", self.width_of(function.result)
        return self.applied(operator, texts, widths)

    def name(self, e: str, known: dict[str, int]) -> tuple[str, int]:
        """A parameter, a constant, or #b0."""
        if e in known:
            return identifier(e), known[e]
        if e == "daz":
            return "daz", 0
        if e.startswith("#b"):
            return str(int(e[2:], 2)) + "u", len(e) - 2
        return f"{identifier(e)}()", self.width_of(self.definitions[e].result)

    def indexed(self, operator: list[Expression], rest: list[Expression], known: dict[str, int]) -> tuple[str, int]:
        """((_ extract 7 0) a), ((_ to_fp 8 24) a)"""
        value, _ = self.expression(rest[0], known)
        if operator[1] == "extract":
            high, low = int(str(operator[2])), int(str(operator[3]))
            return f"Low<{high - low + 1}>({value} >> {low})", high - low + 1
        assert operator[1] == "to_fp"
        return f"{'NumberOf32' if operator[2] == '8' else 'NumberOf64'}({value})", -1

    def applied(self, operator: Expression, texts: list[str], widths: list[int]) -> tuple[str, int]:
        """A function of the theories."""
        width = widths[0]
        if operator == "ite":
            return f"({texts[0]} ? {texts[1]} : {texts[2]})", widths[1]
        if operator in ("bvadd", "bvsub"):
            return f"Low<{width}>({f' {INFIX[operator]} '.join(texts)})", width
        if operator in INFIX:
            return f"({f' {INFIX[operator]} '.join(texts)})", 0 if operator in ("=", "and", "or") else width
        if operator in UNSIGNED:
            return f"({texts[0]} {UNSIGNED[operator]} {texts[1]})", 0
        if operator in SIGNED:
            return f"(Signed<{width}>({texts[0]}) {SIGNED[operator]} Signed<{width}>({texts[1]}))", 0
        if operator == "bvashr":
            return f"Low<{width}>(static_cast<std::uint64_t>(Signed<{width}>({texts[0]}) >> {texts[1]}))", width
        if operator == "concat":
            total, text = sum(widths), ""
            below = total
            for part, bits in zip(texts, widths):
                below -= bits
                text += f"{' | ' if text else ''}({part} << {below})"
            return f"({text})", total
        unary = {"bvnot": f"Low<{width}>(~{texts[0]})", "bvneg": f"Low<{width}>(0u - {texts[0]})"}
        if operator in unary:
            return unary[operator], width
        if operator == "not":
            return f"!{texts[0]}", 0
        assert operator == "fp.gt", operator
        return f"({texts[0]} > {texts[1]})", 0


def compared(lane: Lane, target: str) -> tuple[Definitions, list[Instruction]]:
    """What is written: algorithms and the definitions that they call; then those that only controls use."""
    definitions = target_model(target, lane)
    rules = {"join", "is_nan", "is_zero"}
    listed = {i.name: i for i in instructions(target, lane.width, lane.number)}
    wanted = [name for name in definitions if not name.startswith(("hn.", "element.")) and name not in rules | listed.keys()]
    wanted += [name for name in listed if name.rstrip("sd") in ("maxp", "vmaxp", "fmax")]
    wanted += ["hn.IfNegativeThenElse"] if target == "ssse3" and lane.kind == "float" else []
    needed = definitions.needed_by(wanted)
    return needed, [listed[name] for name in needed if name in listed]


def struct(lane: Lane, target: str) -> str:
    """The model of a lane on a target."""
    definitions, _ = compared(lane, target)
    translator = Translator(definitions, target, lane.width)
    return f"struct {target}_{lane.name} {{\n{''.join(map(translator.function, definitions.values()))}}};\n"


MODELS = """// Written by verification/proofs/smt/cpp.py.
#include <bit>
#include <cstdint>

namespace supremum::model {

inline bool daz = false;  // whether subnormal operands of floating-point instructions are zeros

template <int kBits>
std::uint64_t Low(std::uint64_t value) { return value << (64 - kBits) >> (64 - kBits); }
template <int kBits>
std::int64_t Signed(std::uint64_t value) { return static_cast<std::int64_t>(value << (64 - kBits)) >> (64 - kBits); }
inline float NumberOf32(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
inline double NumberOf64(std::uint64_t bits) { return std::bit_cast<double>(bits); }

"""

OPERANDS = "abcd"


def comparison(lane: Lane, target: str, kind: str, function: Function, real: str) -> str:
    """One comparison: `real` is a body that returns a vector or a mask made of the operands a, b, c, d."""
    operands = []
    for operand, (_, sort) in zip(OPERANDS, function.parameters):
        lowest = f"({operand} & 1) != 0"
        mask = f"{operand} & 1" if target == "avx3" else f"{lowest} ? M::ones() : 0"
        operands.append(mask if sort == "M" else lowest if sort == "Bool" else operand)
    call = f"M::{identifier(function.name)}({', '.join(operands)})"
    result = "Result::kTruth" if function.result == "Bool" or (function.result == "M" and target == "avx3") else "Result::kLane"
    names = OPERANDS[: len(function.parameters)]
    vectors = ", ".join([*(f"[[maybe_unused]] auto {name}" for name in names), "auto..."])
    words = ", ".join([*(f"std::uint64_t {name}" for name in names), "auto..."])
    return (
        f"  Compare<{TYPES[lane.name]}, {result}>(run, \"{kind} {function.name.rstrip('_')}\",\n"
        f"      []({vectors}) HWY_ATTR {{ {real} }},\n"
        f"      []({words}) {{ return std::uint64_t{{{call}}}; }});\n"
    )


def real_instruction(instruction: Instruction, target: str, width: int) -> str:
    """Executes an instruction, by inline assembly."""
    statement, result = assembly(instruction, target, width)
    names = instruction.operands.split()
    lines = []
    for operand, name in zip(OPERANDS, names):
        if name != operand:
            lines.append(f"auto {name} = {'MaskIn(' + operand + ')' if name == 'k' else operand};")
    if result == "k" and "k" not in names:
        lines.append("auto k = MaskIn(a);")
    return f"{' '.join(lines)} {statement} return {result};"


def real_operation(function: Function) -> str:
    """Highway's operation."""
    name = function.name[len("hn.") :]
    arguments = [f"MaskIn({o})" if sort == "M" else o for o, (_, sort) in zip(OPERANDS, function.parameters)]
    if name == "MinUnsigned":
        return "return MinOfUnsigned(a, b);"
    if name == "OrMask":
        name = "Or"
    if name == "VecFromMask":
        arguments.insert(0, "hn::DFromV<decltype(a)>()")
    return f"return hn::{name}({', '.join(arguments)});"


def real_algorithm(function: Function, portable: bool) -> str:
    """The kernel's function; folds are passed by their parts."""
    name, *parts = function.name.split(".")
    names = list(OPERANDS[: len(function.parameters)])
    fold = "typename L::Fold"
    if name == "FromKey" and portable:
        return "return L::FromKey(static_cast<typename L::Key>(a));"
    if name == "IfNegative":
        return "return IfNegative(a, b, c);"
    if name == "Identity":
        return f"return L::Identity().{parts[-1]};"
    if name in ("Result", "ResultKey"):
        return f"return L::{name}({fold}{{{', '.join(names)}}});"
    if name == "Add":
        others = parts[0] == "other"
        count = len(names) // 2 if others else len(names) - 1
        added = f"{fold}{{{', '.join(names[count:])}}}" if others else names[-1]
        return f"{fold} fold{{{', '.join(names[:count])}}}; L::Add(fold, {added}); return fold.{parts[-1]};"
    return f"return L::{name}({', '.join(names)});"


def comparisons(target: str) -> str:
    """All comparisons of a target. What depends on nothing but the width is compared for one lane of that width."""
    parts, seen = [], set()
    for lane in LANES.values():
        definitions, listed = compared(lane, target)
        parts.append(f"inline void Compare_{lane.name}(Run& run) {{\n  using M = model::{target}_{lane.name};\n")
        if target != "portable":
            parts.append(f"  using L = Vectors<{TYPES[lane.name]}>;\n")
        else:
            parts.append(f"  using L = lane::Lane<{TYPES[lane.name]}>;\n")
        for instruction in listed:
            key = (instruction.name, lane.width)
            if key not in seen:
                seen.add(key)
                real = real_instruction(instruction, target, lane.width)
                parts.append(comparison(lane, target, "instruction", definitions[instruction.name], real))
        others = {i.name for i in listed} | {"flushed", "pattern_is_nan"}
        for function in definitions.values():
            if function.name in others or function.name.startswith("element.") or show(function.body).startswith("(_ bv"):
                continue
            if function.name.startswith("hn."):
                key = (function.show(), lane.width)
                if key not in seen:
                    seen.add(key)
                    parts.append(comparison(lane, target, "operation", function, real_operation(function)))
            elif function.name != "Select":  # which is private
                parts.append(comparison(lane, target, "algorithm", function, real_algorithm(function, target == "portable")))
        parts.append("}\n")
    calls = "".join(f"  run.Each<{TYPES[name]}>(Compare_{name});\n" for name in LANES)
    return "// Written by verification/proofs/smt/cpp.py.\n" + "".join(parts) + f"inline void CompareAll(Run& run) {{\n{calls}}}\n"


def main() -> int:
    """Writes the files."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    targets = ("portable", *TARGETS)
    structs = "\n".join(struct(lane, target) for target in targets for lane in LANES.values())
    (folder / "models.h").write_text(f"{MODELS}{structs}\n}}  // namespace supremum::model\n", encoding="utf-8")
    for target in targets:
        (folder / f"comparisons_{target}-inl.h").write_text(comparisons(target), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
