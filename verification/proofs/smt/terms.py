"""Expressions of bits as a graph that shares equal parts: made by symbolic execution, shown as SMT-LIB and as C++.

A term's width is its number of bits; truth values have width 0. A leaf is the element `lane` of the input vector `vector`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from smt import Expression, read

COMPARISONS = {"=", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"}


@dataclass(frozen=True, eq=False)
class Term:
    """A node. Equal terms are one object (`make`), so that comparing them is comparing identities."""

    operator: str  # of SMT-LIB; const, leaf or extract
    arguments: tuple[Term, ...]
    width: int
    numbers: tuple[int, ...] = ()  # the value of a constant; vector and lane of a leaf; high and low bit of an extract


_known: dict[tuple[object, ...], Term] = {}


def make(operator: str, arguments: tuple[Term, ...], width: int, numbers: tuple[int, ...] = ()) -> Term:
    """The one term with these parts."""
    key = (operator, arguments, width, numbers)
    return _known.setdefault(key, Term(operator, arguments, width, numbers))


def const(value: int, width: int) -> Term:
    """A constant; higher bits of the value are dropped."""
    return make("const", (), width, (value & ((1 << width) - 1),))


def leaf(vector: int, lane: int, width: int) -> Term:
    """An element of an input."""
    return make("leaf", (), width, (vector, lane))


def extract(term: Term, high: int, low: int) -> Term:
    """The bits from `high` down to `low`."""
    if low == 0 and high == term.width - 1:
        return term
    if term.operator == "const":
        return const(term.numbers[0] >> low, high - low + 1)
    if term.operator == "extract":
        return extract(term.arguments[0], high + term.numbers[1], low + term.numbers[1])
    if term.operator == "concat":
        end, pieces = term.width, []
        for part in term.arguments:
            begin, end = end, end - part.width
            if low < begin and end <= high:
                pieces.append(extract(part, min(high, begin - 1) - end, max(low, end) - end))
        return concat(pieces)
    if term.operator == "ite":
        condition, yes, no = term.arguments
        return apply("ite", condition, extract(yes, high, low), extract(no, high, low))
    if term.operator in ("bvand", "bvor", "bvxor", "bvnot"):
        return apply(term.operator, *(extract(part, high, low) for part in term.arguments))
    return make("extract", (term,), high - low + 1, (high, low))


def concat(parts: list[Term]) -> Term:
    """The parts side by side, the highest bits first."""
    flat: list[Term] = []
    for part in parts:
        for piece in part.arguments if part.operator == "concat" else (part,):
            last = flat[-1] if flat else None
            if last is not None and last.operator == "const" and piece.operator == "const":
                flat[-1] = const(last.numbers[0] << piece.width | piece.numbers[0], last.width + piece.width)
            elif last is not None and joins(last, piece):
                flat[-1] = extract(piece.arguments[0], last.numbers[0], piece.numbers[1])
            else:
                flat.append(piece)
    return flat[0] if len(flat) == 1 else make("concat", tuple(flat), sum(part.width for part in flat))


def joins(higher: Term, lower: Term) -> bool:
    """Whether two neighbours are neighbouring bits of one term."""
    return (
        higher.operator == lower.operator == "extract"
        and higher.arguments == lower.arguments
        and higher.numbers[1] == lower.numbers[0] + 1
    )


def signed(value: int, width: int) -> int:
    """The number that the bits are in two's complement."""
    return value - (value >> (width - 1) << width)


def folded(operator: str, a: Term, b: Term) -> Term | None:
    """The operation on two constants, where instructions make constants."""
    if a.operator != "const" or b.operator != "const":
        return None
    x, y, width = a.numbers[0], b.numbers[0], a.width
    values = {"bvand": x & y, "bvor": x | y, "bvxor": x ^ y, "bvadd": x + y, "bvsub": x - y, "bvmul": x * y}
    values |= {"bvshl": x << y, "bvlshr": x >> y, "bvashr": signed(x, width) >> y} if y < width else {}
    return const(values[operator], width) if operator in values else None


def apply(operator: str, *arguments: Term) -> Term:
    """An operation of the theories."""
    if operator == "concat":
        return concat(list(arguments))
    if operator == "ite":
        condition, yes, no = arguments
        if yes is no or condition.operator == "true":
            return yes
        return no if condition.operator == "false" else make(operator, arguments, yes.width)
    if operator in COMPARISONS or operator in ("and", "or", "not", "true", "false"):
        if operator == "=" and arguments[0] is arguments[1]:
            return make("true", (), 0)
        return make(operator, arguments, 0)
    if len(arguments) == 2:
        if operator in ("bvxor", "bvsub") and arguments[0] is arguments[1]:
            return const(0, arguments[0].width)  # how registers are cleared
        value = folded(operator, *arguments)
        if value is not None:
            return value
        assert arguments[0].width == arguments[1].width, operator
    if operator == "bvnot" and arguments[0].operator == "const":
        return const(~arguments[0].numbers[0], arguments[0].width)
    return make(operator, arguments, arguments[0].width)


@cache
def parsed(text: str) -> Expression:
    """A body, read once."""
    return read(text)[0]


def instance(body: str, names: dict[str, Term], width: int) -> Term:
    """The body, an SMT-LIB expression over these names, `zero` and `ones`, on elements of a width."""

    def build(e: Expression) -> Term:
        if isinstance(e, str):
            if e in ("zero", "ones"):
                return const(0 if e == "zero" else -1, width)
            if e in ("true", "false"):
                return make(e, (), 0)
            return const(int(e[2:], 2), len(e) - 2) if e.startswith("#b") else names[e]
        operator = e[0]
        if operator == "_":
            return const(int(str(e[1])[2:]), int(str(e[2])))
        if isinstance(operator, list):
            assert operator[1] == "extract"
            return extract(build(e[1]), int(str(operator[2])), int(str(operator[3])))
        assert isinstance(operator, str)
        return apply(operator, *(build(part) for part in e[1:]))

    return build(parsed(body))


def ordered(terms: list[Term]) -> list[Term]:
    """All parts of the terms, each after those that it uses."""
    done: dict[Term, None] = {}

    def visit(term: Term) -> None:
        if term not in done:
            for part in term.arguments:
                visit(part)
            done[term] = None

    for term in terms:
        visit(term)
    return list(done)


def of_lane(term: Term, lane: int) -> Term:
    """The same with lane 0 for `lane`. Raises ValueError if an element of another lane is used."""
    moved: dict[Term, Term] = {}
    for part in ordered([term]):
        if part.operator == "leaf":
            if part.numbers[1] != lane:
                raise ValueError(f"lane {lane} depends on lane {part.numbers[1]}")
            moved[part] = leaf(part.numbers[0], 0, part.width)
        else:
            moved[part] = make(part.operator, tuple(moved[p] for p in part.arguments), part.width, part.numbers)
    return moved[term]


def smt_text(term: Term, names: list[str]) -> str:
    """As SMT-LIB; names[k] is the element of input k. Parts that occur more than once get names."""
    uses: dict[Term, int] = {}
    parts = ordered([term])
    for part in parts:
        for used in part.arguments:
            uses[used] = uses.get(used, 0) + 1
    shown: dict[Term, str] = {}
    lets: list[str] = []
    for part in parts:
        inner = " ".join(shown[p] for p in part.arguments)
        if part.operator == "const":
            text = f"(_ bv{part.numbers[0]} {part.width})"
        elif part.operator == "leaf":
            text = names[part.numbers[0]]
        elif part.operator == "extract":
            text = f"((_ extract {part.numbers[0]} {part.numbers[1]}) {inner})"
        else:
            text = f"({part.operator} {inner})" if inner else part.operator
        if uses.get(part, 0) > 1 and part.arguments:
            lets.append(f"(let ((t{len(lets)} {text})) ")
            text = f"t{len(lets) - 1}"
        shown[part] = text
    return "".join(lets) + shown[term] + ")" * len(lets)


def cpp_text(terms: list[Term], inputs: str, outputs: str) -> str:
    """As C++ statements: 64-bit elements inputs[vector][lane] to outputs[i]."""
    lines: list[str] = []
    shown: dict[Term, str] = {}
    for number, part in enumerate(ordered(terms)):
        width, args = part.width, [shown[p] for p in part.arguments]
        of = part.arguments[0].width if part.arguments else 0
        if part.operator == "const":
            shown[part] = f"std::uint64_t{{{part.numbers[0]:#x}u}}"
            continue
        if part.operator == "leaf":
            text = f"Low<{width}>({inputs}[{part.numbers[0]}][{part.numbers[1]}])"
        elif part.operator == "extract":
            text = f"Low<{width}>({args[0]} >> {part.numbers[1]})"
        elif part.operator == "concat":
            pieces, below = [], width
            for piece, arg in zip(part.arguments, args):
                below -= piece.width
                pieces.append(f"({arg} << {below})")
            text = " | ".join(pieces)
        else:
            text = cpp_operation(part.operator, args, of)
        lines.append(f"  const {'std::uint64_t' if width else 'bool'} t{number} = {text};\n")
        shown[part] = f"t{number}"
    lines += [f"  {outputs}[{i}] = {shown[term]};\n" for i, term in enumerate(terms)]
    return "".join(lines)


def cpp_operation(operator: str, args: list[str], width: int) -> str:
    """An operation as C++, on operands of a width whose higher bits are zero."""
    plain = {"bvand": "&", "bvor": "|", "bvxor": "^", "=": "==", "and": "&&", "or": "||"}
    wraps = {"bvadd": "+", "bvsub": "-", "bvmul": "*", "bvshl": "<<"}
    unsigned = {"bvult": "<", "bvule": "<=", "bvugt": ">", "bvuge": ">=", "bvlshr": ">>"}
    by_sign = {"bvslt": "<", "bvsle": "<=", "bvsgt": ">", "bvsge": ">="}
    if operator == "ite":
        return f"{args[0]} ? {args[1]} : {args[2]}"
    if operator in plain or operator in unsigned:
        return f"{args[0]} {(plain | unsigned)[operator]} {args[1]}"
    if operator in wraps:
        return f"Low<{width}>({args[0]} {wraps[operator]} {args[1]})"
    if operator in by_sign:
        return f"Signed<{width}>({args[0]}) {by_sign[operator]} Signed<{width}>({args[1]})"
    if operator == "bvashr":
        return f"Low<{width}>(static_cast<std::uint64_t>(Signed<{width}>({args[0]}) >> {args[1]}))"
    unary = {"bvnot": f"Low<{width}>(~{args[0]})", "bvneg": f"Low<{width}>(0u - {args[0]})", "not": f"!{args[0]}"}
    return {**unary, "true": "true", "false": "false"}[operator]
