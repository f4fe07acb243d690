"""Executes functions of Arm's SVE, with vectors of a known length, on terms; scalar instructions are arm.py's.

A predicate is a truth value for each byte of a vector. What governs an element is that of its lowest byte; a comparison makes the
others false. What is not described here or in instructions.py has no model, as in x86.py. Advanced SIMD has none here: no function of
SVE uses it, and it would clear the rest of a register.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import arm
from arm import UNDEFINED, number, split
from instructions import SVE, SVE_BITWISE, SVE_COMPARISONS, SVE_SHIFTS, shift
from machine import Memory, NoModel, as_width
from objects import Code, Instruction
from terms import Term, apply, const, extract, instance, leaf, make

WIDTHS = {"b": 8, "h": 16, "w": 32, "s": 32, "d": 64}
TRUE, FALSE = make("true", (), 0), make("false", (), 0)


def both(a: Term, b: Term) -> Term:
    """Their conjunction."""
    if FALSE in (a, b):
        return FALSE
    return b if a is TRUE else a if b is TRUE else apply("and", a, b)


def chosen(condition: Term, yes: Term, no: Term) -> Term:
    """yes where the condition holds, else no: truth values."""
    return condition if (yes, no) == (TRUE, FALSE) else apply("ite", condition, yes, no)


def kind_of(operand: str) -> str:
    """An operand without the numbers of registers: z.h, p/m, {z.h}, [x, #1, mul vl], w; immediates as they are."""
    return operand if operand.startswith("#") else re.sub(r"\b([zpwx])\d+", r"\1", operand)


@dataclass(frozen=True)
class Prefix:
    """A movprfx, which only certain instructions may follow, and they at once."""

    register: str
    governed: str  # the predicate and the width that the next instruction must have, if there is a predicate
    kinds: tuple[str, ...]


class Processor(arm.Processor):
    """The state: predicates too, and vectors of so many bytes."""

    def __init__(self, code: Code, memory: Memory, vector_bytes: int) -> None:
        super().__init__(code, memory)
        self.vector_bytes = vector_bytes
        self.predicates: dict[int, list[Term]] = {}
        self.prefix: Prefix | None = None

    def vector(self, index: int) -> list[Term]:
        """A register as elements of the lane's width."""
        if index not in self.vectors:
            self.vectors[index] = [leaf(UNDEFINED + index, k, self.width) for k in range(8 * self.vector_bytes // self.width)]
        return self.vectors[index]

    def note_vectors(self, name: str, *kinds: str) -> None:
        """Records the form of an instruction, for this length of vectors."""
        self.note(name, *kinds, f"of {8 * self.vector_bytes} bits")

    def elements(self, operand: str, width: int) -> list[Term]:
        """A vector operand z<n>.<T> of a width."""
        m = re.fullmatch(r"z(\d+)\.([bhsd])", operand)
        if not m or WIDTHS[m[2]] != width:
            raise NoModel(f"operand {operand}")
        return as_width(self.vector(int(m[1])), width)

    def predicate(self, name: str) -> list[Term]:
        """A predicate register."""
        if name not in (f"p{k}" for k in range(16)):
            raise NoModel(f"operand {name}")
        if int(name[1:]) not in self.predicates:
            raise NoModel(f"{name} is undefined")
        return self.predicates[int(name[1:])]

    def governing(self, name: str, width: int) -> list[Term]:
        """The truth value for each element."""
        return self.predicate(name)[:: width // 8]

    def step(self, instruction: Instruction) -> None:
        """One instruction. Raises NoModel."""
        operands = split(instruction.operands)
        if any(re.match(r"\{?v\d|[bhsdq]\d", operand) for operand in operands):
            raise NoModel(f"{instruction.name} {instruction.operands}")
        if not operands or not re.match(r"\{?z\d|p\d", operands[0]):
            if self.prefix:
                raise NoModel(f"{instruction.name} after movprfx")
            super().step(instruction)
            return
        kinds = tuple(map(kind_of, operands))
        prefix, self.prefix = self.prefix, None
        if prefix:
            self.check_prefix(prefix, instruction, operands)
            self.note_vectors("movprfx", *prefix.kinds, "before " + "|".join((instruction.name, *kinds)))
        if not self.step_predicate(instruction.name, operands) and not self.step_memory(instruction.name, operands):
            self.step_elements(instruction, operands)
        if not self.prefix:
            self.note_vectors(instruction.name, *kinds)

    @staticmethod
    def check_prefix(prefix: Prefix, instruction: Instruction, operands: list[str]) -> None:
        """That the instruction may follow: it changes the register, and does not read it otherwise."""
        register, *others = [operand.partition(".")[0] for operand in operands]
        merges = len(operands) == 4 and operands[1].endswith("/m")
        changed = operands[2] if merges else operands[1]
        governed = operands[1].removesuffix("/m") + "." + operands[0].partition(".")[2] if merges else ""
        if (
            instruction.name not in SVE
            or not (merges or operands[-1].startswith("#"))
            or register != prefix.register
            or changed != operands[0]
            or others.count(register) != 1
            or (prefix.governed and prefix.governed != governed)
        ):
            raise NoModel(f"{instruction.name} {instruction.operands} after movprfx")

    def step_predicate(self, name: str, operands: list[str]) -> bool:
        """What writes a predicate; false if this does not."""
        m = re.fullmatch(r"p(\d+)\.([bhsd])", operands[0])
        if not m:
            return False
        target, width = int(m[1]), WIDTHS[m[2]]
        step, count = width // 8, 8 * self.vector_bytes // width
        if name == "ptrue" and len(operands) == 2 and (m := re.fullmatch(r"vl(\d+)", operands[1])) and int(m[1]) <= count:
            self.predicates[target] = [TRUE if k % step == 0 and k // step < int(m[1]) else FALSE for k in range(self.vector_bytes)]
        elif name == "sel" and width == 8 and len(operands) == 4:
            condition, yes, no = (self.predicate(o.removesuffix(".b")) for o in operands[1:])
            self.predicates[target] = [chosen(c, y, n) for c, y, n in zip(condition, yes, no)]
        elif name in SVE_COMPARISONS and len(operands) == 4 and operands[1].endswith("/z"):
            governing = self.governing(operands[1].removesuffix("/z"), width)
            pairs = zip(governing, self.elements(operands[2], width), self.second_vector(operands[3], width))
            holds = [both(g, instance(SVE_COMPARISONS[name], {"a": a, "b": b}, width)) for g, a, b in pairs]
            self.predicates[target] = [part for hold in holds for part in (hold, *[FALSE] * (step - 1))]
            self.compared = None  # the flags are the predicate's
        else:
            raise NoModel(f"{name} {operands}")
        return True

    def second_vector(self, operand: str, width: int) -> list[Term]:
        """A vector, or an immediate in every element."""
        if operand.startswith("#"):
            return [const(number(operand), width)] * (8 * self.vector_bytes // width)
        return self.elements(operand, width)

    def step_memory(self, name: str, operands: list[str]) -> bool:
        """Loads and stores of whole elements; false if this is none."""
        m = re.fullmatch(r"(ld1r?|st1)([bhwd])", name)
        register = re.fullmatch(r"\{z(\d+)\.([bhsd])\}", operands[0])
        if not m or not register:
            return False
        width = WIDTHS[m[2]]
        if WIDTHS[register[2]] != width or len(operands) != 3:
            raise NoModel(f"{name} {operands}")
        where, offset = self.place_of_vector(operands[2], m[1] == "ld1r")
        index, count = int(register[1]), 8 * self.vector_bytes // width
        governing = self.governing(operands[1].removesuffix("/z"), width)
        if m[1] == "st1":
            if where != "out" or any(g is not TRUE for g in governing):
                raise NoModel(f"{name} {operands}: to an input, or of some elements")
            self.memory.store(offset, self.vector(index))
            return True
        if not operands[1].endswith("/z"):
            raise NoModel(f"{name} {operands}")
        size = width // 8 if m[1] == "ld1r" else self.vector_bytes
        loaded = as_width(self.load(where, offset, size), width)
        zeroed = [apply("ite", g, e, const(0, width)) for g, e in zip(governing, loaded * (count // len(loaded)))]
        self.vectors[index] = as_width(zeroed, self.width)
        return True

    def place_of_vector(self, operand: str, one_element: bool) -> tuple[str, int]:
        """The same as `place`; in vectors, where the operand says so."""
        m = re.fullmatch(r"(\[x\d+), #(-?\d+), mul vl\]", operand)
        if m and not one_element:
            where, offset = self.place(m[1] + "]")
            return where, offset + int(m[2]) * self.vector_bytes
        if "," in operand:
            raise NoModel(f"address {operand}")
        return self.place(operand)

    def step_elements(self, instruction: Instruction, operands: list[str]) -> None:
        """What writes a vector."""
        name = instruction.name
        problem = NoModel(f"{name} {instruction.operands}")
        if name == "movprfx" and len(operands) == 2:
            if not all(re.fullmatch(r"z\d+", operand) for operand in operands):
                raise problem
            self.vectors[int(operands[0][1:])] = self.vector(int(operands[1][1:]))
            self.prefix = Prefix(operands[0], "", tuple(map(kind_of, operands)))
            return
        m = re.fullmatch(r"z(\d+)\.([bhsd])", operands[0])
        if not m:
            raise problem
        target, width = int(m[1]), WIDTHS[m[2]]
        if name in ("mov", "movprfx", "sel"):
            done = self.moved(name, operands, width)
        elif name in SVE_SHIFTS and len(operands) == 3 and operands[2].startswith("#"):
            operation = shift(SVE_SHIFTS[name], width, number(operands[2]))
            done = [instance(operation.body, {"a": a}, width) for a in self.elements(operands[1], width)]
        elif name in SVE and len(operands) == 3:
            if operands[2].startswith("#") and operands[1] != operands[0]:
                raise problem
            # Without immediates, the assembler writes bitwise operations as those of 64-bit elements.
            if name in SVE_BITWISE and width != 64 and not operands[2].startswith("#"):
                raise problem
            pairs = zip(self.elements(operands[1], width), self.second_vector(operands[2], width))
            done = [instance(SVE[name], {"a": a, "b": b}, width) for a, b in pairs]
        elif name in SVE and len(operands) == 4 and operands[1].endswith("/m") and operands[2] == operands[0]:
            governing = self.governing(operands[1].removesuffix("/m"), width)
            triples = zip(governing, self.elements(operands[2], width), self.elements(operands[3], width))
            done = [apply("ite", g, instance(SVE[name], {"a": a, "b": b}, width), a) for g, a, b in triples]
        else:
            raise problem
        self.vectors[target] = as_width(done, self.width)

    def moved(self, name: str, operands: list[str], width: int) -> list[Term]:
        """mov, sel and movprfx under a predicate."""
        count = 8 * self.vector_bytes // width
        problem = NoModel(f"{name} {operands}")
        if name == "sel":
            if len(operands) != 4:
                raise problem
            triples = zip(self.governing(operands[1], width), self.elements(operands[2], width), self.elements(operands[3], width))
            return [apply("ite", g, yes, no) for g, yes, no in triples]
        if len(operands) == 2 and name == "mov":
            if re.fullmatch(r"[wx]\d+", operands[1]):
                if (operands[1][0] == "x") != (width == 64):
                    raise problem
                return [extract(self.read(operands[1]), width - 1, 0)] * count
            return self.second_vector(operands[1], width)
        m = re.fullmatch(r"(p\d+)/([mz])", operands[1])
        if not m or len(operands) != 3 or (operands[2].startswith("#") and name == "movprfx"):
            raise problem
        old = self.elements(operands[0], width) if m[2] == "m" else [const(0, width)] * count
        if name == "movprfx":
            register = operands[0].partition(".")[0]
            self.prefix = Prefix(register, m[1] + "." + operands[0].partition(".")[2], tuple(map(kind_of, operands)))
        triples = zip(self.governing(m[1], width), self.second_vector(operands[2], width), old)
        return [apply("ite", g, yes, no) for g, yes, no in triples]


def execute(code: Code, function: list[Instruction], memory: Memory) -> None:
    """Runs a function to its return, with vectors as long as those in memory."""
    processor = Processor(code, memory, memory.vector_bytes)
    for instruction in function:
        if instruction.name == "ret" and not processor.prefix:
            return
        processor.step(instruction)
    raise NoModel("no return")
