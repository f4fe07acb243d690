"""Executes functions of Arm's 64-bit state on terms: Advanced SIMD, and the scalar instructions that lane.h's functions need.

What is not described here or in instructions.py has no model, as in x86.py.
"""

from __future__ import annotations

import re

from instructions import CONDITIONS, SCALAR, arm
from machine import Memory, NoModel, as_width, of_number
from objects import Code, Instruction
from terms import Term, apply, concat, const, extract, instance, leaf

SHAPES = {"16b": 8, "8h": 16, "4s": 32, "2d": 64}
CONDITION_NAMES = {"eq": "e", "ne": "ne", "lt": "l", "le": "le", "gt": "g", "ge": "ge", "cc": "b", "ls": "be", "hi": "a", "cs": "ae"}
UNDEFINED = 90


def split(operands: str) -> list[str]:
    """At the commas outside of brackets."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", operands)] if operands else []


def number(text: str) -> int:
    """An immediate."""
    return int(text.lstrip("#"), 0)


class Processor:
    """The state: vectors, general registers with their addresses or numbers, and what was compared."""

    def __init__(self, code: Code, memory: Memory) -> None:
        self.code, self.memory, self.width = code, memory, memory.width
        self.vectors: dict[int, list[Term]] = {}
        self.general: dict[int, Term] = {}
        self.pointers = {0: "in", 1: "out"}
        self.compared: tuple[Term, Term, str] | None = None

    def vector(self, index: int) -> list[Term]:
        """A register as elements of the lane's width."""
        if index not in self.vectors:
            self.vectors[index] = [leaf(UNDEFINED + index, k, self.width) for k in range(128 // self.width)]
        return self.vectors[index]

    def read(self, name: str) -> Term:
        """A general register: 32 bits of w, 64 of x."""
        bits = 32 if name[0] == "w" else 64
        if name[1:] == "zr":
            return const(0, bits)
        index = int(name[1:])
        if index in self.pointers:
            raise NoModel(f"the address in {name} as a number")
        if index not in self.general:
            self.general[index] = leaf(UNDEFINED + 40 + index, 0, 64)
        return extract(self.general[index], bits - 1, 0)

    def write(self, name: str, value: Term) -> None:
        """32 bits clear the upper half."""
        index = int(name[1:])
        self.pointers.pop(index, None)
        self.general[index] = value if name[0] == "x" else concat([const(0, 32), value])

    def note(self, name: str, *kinds: str) -> None:
        """Records the form of an instruction, for the co-simulation."""
        self.memory.used[(name, *kinds)] += 1

    def place(self, operand: str) -> tuple[str, int]:
        """in, out or constant, and an offset or an address."""
        m = re.fullmatch(r"\[(x\d+)(?:, #(-?\d+))?\]", operand)
        if not m:
            raise NoModel(f"address {operand}")
        index, offset = int(m[1][1:]), int(m[2] or "0")
        if index in self.pointers:
            return self.pointers[index], offset
        base = self.read(m[1])
        if base.operator != "const":
            raise NoModel(f"address {operand}")
        return "constant", base.numbers[0] + offset

    def load(self, where: str, offset: int, size: int) -> list[Term]:
        """Elements of the lane's width, or one narrower term."""
        if where == "constant":
            return of_number(self.code.number_at(offset, size), 8 * size, min(8 * size, self.width))
        if where != "in":
            raise NoModel("the output is read")
        return self.memory.load(offset, size)

    def step(self, instruction: Instruction) -> None:
        """One instruction. Raises NoModel."""
        name, operands = instruction.name, split(instruction.operands)
        if name == "nop":
            return
        if not operands:
            raise NoModel(name)
        if name == "adrp":
            self.write(operands[0], const(int(operands[1].split()[0], 16), 64))
        elif name in ("ldr", "ldp", "str", "stp") or re.fullmatch(r"(ld|st)rs?[bh]", name):
            self.transfer(name, operands)
        elif operands[0].startswith("v"):
            self.step_vector(instruction, operands)
        else:
            self.step_scalar(instruction, operands)

    def transfer(self, name: str, operands: list[str]) -> None:
        """Loads and stores of one or two registers."""
        *registers, address = operands
        where, offset = self.place(address)
        for register in registers:
            narrow = {"b": 1, "h": 2}.get(name[-1] if name[-1] in "bh" else "")
            size = narrow or {"q": 16, "x": 8, "w": 4}.get(register[0], 0)
            if size == 0:
                raise NoModel(f"{name} {operands}")
            if name.startswith("st"):
                if where != "out":
                    raise NoModel("an input is written")
                value = self.vector(int(register[1:])) if register[0] == "q" else [extract(self.read(register), 8 * size - 1, 0)]
                self.memory.store(offset, value)
            elif register[0] == "q":
                self.vectors[int(register[1:])] = self.load(where, offset, size)
            else:
                value = as_width(self.load(where, offset, size), 8 * size)[0]
                bits = 32 if register[0] == "w" else 64
                extra = bits - value.width
                above = extract(value, value.width - 1, value.width - 1) if "s" in name[2:] else const(0, 1)
                self.write(register, concat([*[above] * extra, value]))
            offset += size
        self.note(name, *[r[0] for r in registers])

    def step_vector(self, instruction: Instruction, operands: list[str]) -> None:
        """Advanced SIMD."""
        name = instruction.name
        m = re.fullmatch(r"v(\d+)\.(16b|8h|4s|2d)", operands[0])
        if not m:
            raise NoModel(f"{name} {instruction.operands}")
        target, width = int(m[1]), SHAPES[m[2]]
        kinds = [re.sub(r"\d+", "", o, count=1) if not o.startswith("#") and o[0] in "vwx" else o for o in operands]
        if name in ("movi", "mvni") or (name in ("bic", "orr") and operands[1].startswith("#")):
            value = self.immediate(operands, width)
            value = ~value if name in ("mvni", "bic") else value
            constant = [const(value, width)] * (128 // width)
            if name in ("bic", "orr"):
                old = as_width(self.vector(target), width)
                constant = [apply("bvand" if name == "bic" else "bvor", a, b) for a, b in zip(old, constant)]
            self.vectors[target] = as_width(constant, self.width)
        elif name == "dup":
            if operands[1][0] not in "wx":
                raise NoModel(f"{name} {instruction.operands}")
            self.vectors[target] = as_width([extract(self.read(operands[1]), width - 1, 0)] * (128 // width), self.width)
        elif name == "mov":
            self.vectors[target] = self.vector(int(operands[1][1:].split(".")[0]))
        else:
            immediate = number(operands[-1]) if operands[-1].startswith("#") else None
            operation = arm(name, width, immediate)
            sources = operands[1:-1] if immediate is not None else operands[1:]
            if operation is None or len(operation.names.replace(" d", "").split()) != len(sources):
                raise NoModel(f"{name} {instruction.operands}")
            of = operation.width or self.width
            values = []
            for source in [*sources, *(operands[:1] if "d" in operation.names.split() else [])]:
                if not (m := re.fullmatch(r"v(\d+)\.(16b|8h|4s|2d)", source)):
                    raise NoModel(f"{name} {instruction.operands}")
                values.append(as_width(self.vector(int(m[1])), of))
            names = operation.names.split()
            done = [instance(operation.body, dict(zip(names, parts)), of) for parts in zip(*values)]
            self.vectors[target] = as_width(done, self.width)
        self.note(name, *kinds)

    @staticmethod
    def immediate(operands: list[str], width: int) -> int:
        """With its shift; msl shifts ones in. Of 2d, all bits are written out."""
        value = number(operands[1])
        if len(operands) == 3:
            kind, count = operands[2].split()
            value <<= number(count)
            if kind == "msl":
                value |= (1 << number(count)) - 1
        if value >> width:
            raise NoModel(f"immediate {operands}")
        return value

    def step_scalar(self, instruction: Instruction, operands: list[str]) -> None:
        """General registers."""
        name, target = instruction.name, operands[0]
        bits = 32 if target[0] == "w" else 64
        kinds = [o if o.startswith("#") or " " in o or o in CONDITION_NAMES or o[1:] == "zr" or not re.fullmatch(r"[wx]\d+", o) else o[0] for o in operands]
        if name in ("cmp", "tst"):
            a, b = self.read(operands[0]), self.second(operands[1:], bits)
            self.compared = (a, b, "") if name == "cmp" else (apply("bvand", a, b), const(0, bits), "")
            self.compared = (*self.compared[:2], f"{name} {' '.join(kinds)}")
            return
        if name in ("csel", "cset", "csetm"):
            return self.conditional(name, operands, kinds, bits)
        if name == "mov":
            value = self.second(operands[1:], bits)
        elif name == "movk":
            low = number(operands[2].split()[1]) if len(operands) == 3 else 0
            old, new = self.read(target), const(number(operands[1]), 16)
            pieces = [extract(old, bits - 1, low + 16)] if low + 16 < bits else []
            value = concat([*pieces, new, *([extract(old, low - 1, 0)] if low else [])])
        elif name in ("sbfx", "ubfx"):
            low, count = number(operands[2]), number(operands[3])
            field = extract(self.read(operands[1]), low + count - 1, low)
            above = extract(field, count - 1, count - 1) if name == "sbfx" else const(0, 1)
            value = concat([*[above] * (bits - count), field])
        elif name in ("sxth", "sxtb"):
            field = extract(self.read(operands[1]), 15 if name == "sxth" else 7, 0)
            value = concat([*[extract(field, field.width - 1, field.width - 1)] * (bits - field.width), field])
        elif name in ("asr", "lsr", "lsl") and operands[2].startswith("#"):
            operator = {"asr": "bvashr", "lsr": "bvlshr", "lsl": "bvshl"}[name]
            value = apply(operator, self.read(operands[1]), const(number(operands[2]), bits))
        elif name in ("and", "eor", "orr", "add", "sub"):
            body = SCALAR[{"eor": "xor", "orr": "or"}.get(name, name)]
            value = instance(body, {"a": self.read(operands[1]), "b": self.second(operands[2:], bits)}, bits)
        else:
            raise NoModel(f"{name} {instruction.operands}")
        self.write(target, value)
        self.note(name, *kinds)

    def second(self, operands: list[str], bits: int) -> Term:
        """A last operand: an immediate, or a register, possibly extended."""
        if operands[0].startswith("#"):
            if len(operands) > 1:
                raise NoModel(f"operand {operands}")
            return const(number(operands[0]), bits)
        value = self.read(operands[0])
        if len(operands) == 2:
            m = re.fullmatch(r"([su])xt([bh])", operands[1])
            if not m:
                raise NoModel(f"operand {operands}")
            field = extract(value, 15 if m[2] == "h" else 7, 0)
            above = extract(field, field.width - 1, field.width - 1) if m[1] == "s" else const(0, 1)
            return concat([*[above] * (bits - field.width), field])
        if value.width != bits:
            raise NoModel(f"operand {operands}")
        return value

    def conditional(self, name: str, operands: list[str], kinds: list[str], bits: int) -> None:
        """csel, cset and csetm after cmp or tst."""
        if self.compared is None or operands[-1] not in CONDITION_NAMES:
            raise NoModel(f"{name} {operands}")
        a, b, form = self.compared
        holds = instance(CONDITIONS[CONDITION_NAMES[operands[-1]]], {"a": a, "b": b}, a.width)
        yes, no = const(1 if name == "cset" else -1, bits), const(0, bits)
        if name == "csel":
            yes, no = self.read(operands[1]), self.read(operands[2])
        self.write(operands[0], apply("ite", holds, yes, no))
        self.note(name, *kinds, "after " + form)


def execute(code: Code, function: list[Instruction], memory: Memory) -> None:
    """Runs a function to its return."""
    processor = Processor(code, memory)
    for instruction in function:
        if instruction.name == "ret":
            return
        processor.step(instruction)
    raise NoModel("no return")
