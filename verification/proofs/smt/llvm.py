"""Functions without loops, as LLVM's text form has them, as SMT-LIB definitions.

Each function f becomes two: `f`, its result, and `f.undefined`, whether it runs into undefined behaviour or returns poison. Poison is
followed from where it arises (a sum with nsw that wraps, a shift by the width or more) to where it is used, as LLVM defines it: a
select or phi that does not take a poisoned operand is not poisoned, a branch on one is undefined. An instruction that is not below is
an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

Text = str


@dataclass
class Value:
    """An operand: the text of its bits (of a Bool where it is an i1), and of whether it is poison."""

    bits: Text
    poison: Text = "false"


@dataclass
class Block:
    """A basic block: its instructions, and for each predecessor the condition under which it comes from there."""

    name: str
    lines: list[str]
    entries: dict[str, list[Text]] = field(default_factory=dict)


BINARY = {"and": "bvand", "or": "bvor", "xor": "bvxor", "add": "bvadd", "sub": "bvsub", "shl": "bvshl", "lshr": "bvlshr", "ashr": "bvashr"}
COMPARE = {"eq": "=", "ult": "bvult", "ule": "bvule", "ugt": "bvugt", "uge": "bvuge", "slt": "bvslt", "sle": "bvsle", "sgt": "bvsgt",
           "sge": "bvsge"}  # fmt: skip
MINMAX = {"umin": "bvule", "umax": "bvuge", "smin": "bvsle", "smax": "bvsge"}
BOOL = {"and": "and", "or": "or", "xor": "xor"}


def any_of(conditions: list[Text]) -> Text:
    """Their disjunction."""
    some = [c for c in dict.fromkeys(conditions) if c != "false"]
    return "true" if "true" in some else "false" if not some else some[0] if len(some) == 1 else f"(or {' '.join(some)})"


def all_of(conditions: list[Text]) -> Text:
    """Their conjunction."""
    some = [c for c in dict.fromkeys(conditions) if c != "true"]
    return "false" if "false" in some else "true" if not some else some[0] if len(some) == 1 else f"(and {' '.join(some)})"


def sort(width: int) -> Text:
    """An i1 is a Bool."""
    return "Bool" if width == 1 else f"(_ BitVec {width})"


def extended(bits: Text, by: int, signed: bool) -> Text:
    """More bits in front."""
    return f"((_ {'sign' if signed else 'zero'}_extend {by}) {bits})"


class Translation:
    """The definitions of one function."""

    def __init__(self, name: str, header: str, body: str) -> None:
        self.name = name
        self.width = self._width(header.split("@")[0])
        self.values: dict[str, Value] = {}
        self.bindings: list[tuple[str, Text]] = []
        self.undefined: list[Text] = []
        self.returned: list[tuple[Text, Value]] = []
        self.parameters: list[tuple[str, int]] = []
        for parameter in re.findall(r"(i\d+)[^,%]*%([\w.]+)", header.split("@", 1)[1]):
            self.parameters.append((f"{parameter[1]}", int(parameter[0][1:])))
            self.values["%" + parameter[1]] = Value(parameter[1])
        blocks = self._blocks(body)
        self.blocks = {block.name: block for block in blocks}
        blocks[0].entries[""] = ["true"]
        for block in blocks:
            reached = self._named(f"{block.name}.reached", any_of([c for edges in block.entries.values() for c in edges]))
            for line in block.lines:
                self._instruction(block, reached, line)

    @staticmethod
    def _width(text: str) -> int:
        return int(re.search(r"\bi(\d+)", text)[1])

    @staticmethod
    def _blocks(body: str) -> list[Block]:
        blocks: list[Block] = []
        for line in body.splitlines():
            line = re.sub(r";.*|, ![\w.]+ !\d+", "", line).strip()
            if not line:
                continue
            if label := re.fullmatch(r'"?([\w.$-]+)"?:', line):
                blocks.append(Block(label[1], []))
            else:
                blocks[-1].lines.append(line)
        return blocks

    def _named(self, name: str, text: Text) -> Text:
        if re.fullmatch(r"[\w.%-]+", text):
            return text
        name = f"|{self.name}:{name}|"
        self.bindings.append((name, text))
        return name

    def _value(self, text: str, width: int) -> Value:
        text = text.strip().split()[-1]
        if text in ("true", "false"):
            return Value(text)
        if re.fullmatch(r"-?\d+", text):
            return Value(f"(_ bv{int(text) % (1 << width)} {width})" if width > 1 else ("true" if int(text) else "false"))
        return self.values[text]

    def _set(self, name: str, bits: Text, poison: list[Text]) -> None:
        self.values[name] = Value(self._named(name, bits), self._named(name + ".poison", any_of(poison)))

    def _edge(self, block: Block, target: str, condition: Text) -> None:
        self.blocks[target.strip().lstrip("%").strip('"')].entries.setdefault(block.name, []).append(condition)

    def _instruction(self, block: Block, reached: Text, line: str) -> None:
        if not line.startswith("%"):
            return self._terminator(block, reached, line)
        name, text = (part.strip() for part in line.split("=", 1))
        text = text.removeprefix("tail ")
        operation = text.split()[0]
        if operation in BINARY:
            return self._binary(name, text)
        if operation == "icmp":
            _, how, kind, a, b = re.fullmatch(r"(icmp) (\w+) (i\d+) (\S+), (\S+)", text).groups()
            x, y = (self._value(v, int(kind[1:])) for v in (a, b))
            claim = f"(not (= {x.bits} {y.bits}))" if how == "ne" else f"({COMPARE[how]} {x.bits} {y.bits})"
            return self._set(name, claim, [x.poison, y.poison])
        if operation == "select":
            condition, a, b = (part.strip() for part in text.removeprefix("select").split(","))
            c, width = self._value(condition, 1), self._width(a)
            x, y = self._value(a, width), self._value(b, width)
            taken = "false" if x.poison == y.poison == "false" else f"(ite {c.bits} {x.poison} {y.poison})"
            return self._set(name, f"(ite {c.bits} {x.bits} {y.bits})", [c.poison, taken])
        if operation in ("zext", "sext", "trunc"):
            width, to = (int(w) for w in re.search(r"i(\d+) \S+ to i(\d+)", text).groups())
            x = self._value(text.split(" to ")[0], width)
            if width == 1:
                one = (1 << to) - 1 if operation == "sext" else 1
                bits = f"(ite {x.bits} (_ bv{one} {to}) (_ bv0 {to}))"
            elif operation == "trunc":
                bits = f"((_ extract {to - 1} 0) {x.bits})" if to > 1 else f"(= ((_ extract 0 0) {x.bits}) #b1)"
            else:
                bits = extended(x.bits, to - width, operation == "sext")
            return self._set(name, bits, [x.poison])
        if operation == "phi":
            return self._phi(block, name, text)
        if operation == "call":
            return self._call(reached, name, text)
        raise ValueError(f"{self.name}: no model of '{line}'")

    def _binary(self, name: str, text: str) -> None:
        operation, flags, kind, a, b = re.fullmatch(r"(\w+)((?: (?:nsw|nuw|exact))*) i(\d+) (\S+), (\S+)", text).groups()
        width = int(kind)
        x, y = self._value(a, width), self._value(b, width)
        poison = [x.poison, y.poison]
        if width == 1:
            return self._set(name, f"({BOOL[operation]} {x.bits} {y.bits})", poison)
        result = f"({BINARY[operation]} {x.bits} {y.bits})"
        if operation in ("shl", "lshr", "ashr"):
            poison.append(f"(bvuge {y.bits} (_ bv{width} {width}))")
        for flag in flags.split():
            signed = flag == "nsw"
            if flag == "exact":
                poison.append(f"(not (= (bvshl {result} {y.bits}) {x.bits}))")
            elif operation == "shl":
                back = "bvashr" if signed else "bvlshr"
                poison.append(f"(not (= ({back} {result} {y.bits}) {x.bits}))")
            else:
                wide = [extended(v.bits, 1, signed) for v in (x, y)]
                poison.append(f"(not (= ({BINARY[operation]} {' '.join(wide)}) {extended(result, 1, signed)}))")
        return self._set(name, result, poison)

    def _phi(self, block: Block, name: str, text: str) -> None:
        width = self._width(text)
        bits, poison = None, "false"
        for value, source in re.findall(r'\[ (\S+), %"?([\w.$-]+)"? \]', text):
            x, taken = self._value(value, width), any_of(block.entries.get(source, []))
            poison = poison if x.poison == poison == "false" else f"(ite {taken} {x.poison} {poison})"
            bits = x.bits if bits is None else f"(ite {taken} {x.bits} {bits})"
        self._set(name, bits, [poison])

    def _call(self, reached: Text, name: str, text: str) -> None:
        callee, inside = re.search(r"@([\w.]+)\((.*)\)", text).groups()
        arguments = [self._value(a, self._width(a)) for a in inside.split(",")]
        poison = [a.poison for a in arguments]
        texts = [a.bits for a in arguments]
        if callee.startswith("llvm."):
            operation, width = callee.removeprefix("llvm.").rsplit(".i", 1)
            width = int(width)
            if operation in MINMAX:
                x, y = texts
                return self._set(name, f"(ite ({MINMAX[operation]} {x} {y}) {x} {y})", poison)
            if operation in ("usub.sat", "uadd.sat"):
                x, y = texts
                if operation == "usub.sat":
                    bits = f"(ite (bvult {x} {y}) (_ bv0 {width}) (bvsub {x} {y}))"
                else:
                    bits = f"(ite (bvult (bvadd {x} {y}) {x}) (bvnot (_ bv0 {width})) (bvadd {x} {y}))"
                return self._set(name, bits, poison)
            if operation != "ctlz" or texts[1] != "false":
                raise ValueError(f"{self.name}: no model of '{text}'")
            bits = f"(_ bv{width} {width})"
            for bit in range(width):
                bits = f"(ite (= ((_ extract {bit} {bit}) {texts[0]}) #b1) (_ bv{width - 1 - bit} {width}) {bits})"
            return self._set(name, bits, poison)
        # The arguments of the project's own functions are noundef.
        self.undefined.append(all_of([reached, any_of([*poison, f"({callee}.undefined {' '.join(texts)})"])]))
        return self._set(name, f"({callee} {' '.join(texts)})", [])

    def _terminator(self, block: Block, reached: Text, line: str) -> None:
        if match := re.fullmatch(r"br label (\S+)", line):
            return self._edge(block, match[1], reached)
        if match := re.fullmatch(r"br i1 (\S+), label (\S+), label (\S+)", line):
            c = self._value(match[1], 1)
            self.undefined.append(all_of([reached, c.poison]))
            self._edge(block, match[2], self._named(f"{block.name}.yes", all_of([reached, c.bits])))
            return self._edge(block, match[3], self._named(f"{block.name}.no", all_of([reached, f"(not {c.bits})"])))
        if line.startswith("ret "):
            value = self._value(line, self.width)
            self.undefined.append(all_of([reached, value.poison]))
            return self.returned.append((reached, value))
        raise ValueError(f"{self.name}: no model of '{line}'")

    def show(self) -> Text:
        """Both definitions."""
        result = self.returned[-1][1].bits
        for reached, value in self.returned[-2::-1]:
            result = f"(ite {reached} {value.bits} {result})"
        parameters = " ".join(f"({name} {sort(width)})" for name, width in self.parameters)
        shown = []
        for name, kind, body in ((self.name, sort(self.width), result), (self.name + ".undefined", "Bool", any_of(self.undefined))):
            for binding, text in reversed(self.bindings):
                if binding in body:
                    body = f"(let (({binding} {text})) {body})"
            shown.append(f"(define-fun {name} ({parameters}) {kind} {body})")
        return "\n".join(shown)


def definitions(text: str) -> dict[str, Text]:
    """The definitions of the functions of a module, by name, each after those that it calls."""
    found = {}
    for header, name, body in re.findall(r"^(define [^@\n]*@([\w.]+)\([^{\n]*)\{\n(.*?)^\}", text, re.M | re.S):
        found[name] = (header, body, re.findall(r"call [^@\n]*@(?!llvm)([\w.]+)", body))
    done: dict[str, Text] = {}

    def visit(name: str) -> None:
        if name in done:
            return
        header, body, called = found[name]
        for other in called:
            visit(other)
        done[name] = Translation(name, header, body).show()

    for name in found:
        visit(name)
    return done
