"""Executes functions of x86-64 on terms: vectors and masks, and the scalar instructions that lane.h's functions need.

A function with a branch, a call or a changed stack pointer has no model (machine.NoModel), and neither has any instruction, operand
or address that is not described here or in instructions.py, nor an instruction that changes nothing here and is not in NOTHING, or whose form is not recorded for the co-simulation.
"""

from __future__ import annotations

import re

from instructions import CONDITIONS, SCALAR, SHIFTS, WIDTH, Elementwise, x86
from machine import Memory, NoModel, as_width, of_number
from objects import Code, Instruction
from terms import Term, apply, concat, const, extract, instance, leaf

NOTHING = re.compile(r"(data16 |cs )*nop[wl]?( [^ ]*)?|endbr64|xchg %ax,%ax")
MOVES = re.compile(r"v?(mov(dq[ua]|[ua]p[sd])|movdq[ua](8|16|32|64))$")
PARTS: dict[str, tuple[str, int]] = {}  # a name of a general register, or of its lower part: the register and its bits
for _letter in "abcd":
    PARTS |= {f"r{_letter}x": (f"r{_letter}x", 64), f"e{_letter}x": (f"r{_letter}x", 32), f"{_letter}x": (f"r{_letter}x", 16), f"{_letter}l": (f"r{_letter}x", 8)}
for _name in ("si", "di", "bp"):
    PARTS |= {f"r{_name}": (f"r{_name}", 64), f"e{_name}": (f"r{_name}", 32), _name: (f"r{_name}", 16), f"{_name}l": (f"r{_name}", 8)}
for _number in range(8, 16):
    PARTS |= {f"r{_number}{s}": (f"r{_number}", w) for s, w in (("", 64), ("d", 32), ("w", 16), ("b", 8))}
EXTENSIONS = {"cltd": ("%eax", 32), "cqto": ("%rax", 64), "cwtl": ("%ax", 16), "cltq": ("%eax", 32)}  # what they extend by its sign
HIGH_BYTES = {f"%{_letter}h": f"%{_letter}x" for _letter in "abcd"}
VECTOR_BITS = {"x": 128, "y": 256, "z": 512}
UNDEFINED = 90  # leaves of registers that nothing has written: a result that depends on one is not one of the inputs'


def split(operands: str) -> list[str]:
    """At the commas outside of parentheses."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", operands)] if operands else []


class Processor:
    """The state: registers, masks, what the flags come from."""

    def __init__(self, code: Code, memory: Memory) -> None:
        self.code, self.memory, self.width = code, memory, memory.width
        self.vectors: dict[int, list[Term]] = {}  # 512 bits as elements of the lane's width
        self.general: dict[str, Term] = {}
        self.masks: dict[int, list[Term]] = {}
        self.flags: tuple[Term, Term, str] | None = None  # what cmp compared, and its form
        self.pointers = {"rdi": "in", "rsi": "out", "rsp": "stack"}
        self.stack: dict[int, Term] = {}  # bytes below the stack pointer, which does not move
        self.effects = 0  # registers, bytes of memory and flags that were written, each time
        self.widest = 256  # bits of the vectors that were written

    # ---- Operands

    def vector(self, number: int, bits: int) -> list[Term]:
        """A vector register as elements of the lane's width."""
        if number not in self.vectors:
            self.vectors[number] = [leaf(UNDEFINED + number, k, self.width) for k in range(512 // self.width)]
        return self.vectors[number][: bits // self.width]

    def set_vector(self, number: int, bits: int, elements: list[Term], clears: bool) -> None:
        """Writes a register; an instruction of AVX clears the bits above."""
        elements = as_width(elements, self.width)
        self.effects += 1
        self.widest = max(self.widest, bits)
        rest = [const(0, self.width)] * ((512 - bits) // self.width) if clears else self.vector(number, 512)[bits // self.width :]
        self.vectors[number] = elements + rest

    def read_general(self, name: str) -> Term:
        """A general register or a lower part of one."""
        if name in HIGH_BYTES:
            return extract(self.read_general(HIGH_BYTES[name]), 15, 8)
        register, bits = self.part(name)
        if register in self.pointers:
            raise NoModel(f"the address in {register} as a number")
        if register not in self.general:
            self.general[register] = leaf(UNDEFINED + 50, sum(map(ord, register)), 64)
        return extract(self.general[register], bits - 1, 0)

    def write_general(self, name: str, value: Term) -> None:
        """32 bits clear the upper half; fewer leave the rest."""
        if name in HIGH_BYTES:
            return self.write_general(HIGH_BYTES[name], concat([value, extract(self.read_general(HIGH_BYTES[name]), 7, 0)]))
        register, bits = self.part(name)
        if register == "rsp":
            raise NoModel("the stack pointer changes")
        self.effects += 1
        self.pointers.pop(register, None)
        if bits == 32:
            value = concat([const(0, 32), value])
        elif bits < 32:
            value = concat([extract(self.read_general("%" + register), 63, bits), value])
        self.general[register] = value

    @staticmethod
    def part(name: str) -> tuple[str, int]:
        """The register and the number of bits that a name means."""
        if name in HIGH_BYTES:
            return name, 8
        if name[1:] not in PARTS:
            raise NoModel(f"register {name}")
        return PARTS[name[1:]]

    def place(self, operand: str) -> tuple[str, int]:
        """in or out, and an offset."""
        m = re.fullmatch(r"(-?0x[0-9a-f]+)?\(%(\w+)\)", operand)
        if not m or m[2] not in self.pointers:
            raise NoModel(f"address {operand}")
        return self.pointers[m[2]], int(m[1] or "0", 16)

    def load(self, operand: str, size: int, instruction: Instruction) -> list[Term]:
        """Bytes of memory as elements of the lane's width, or as one term where they are fewer."""
        if "(%rip)" in operand:
            assert instruction.refers is not None
            value, bits = self.code.number_at(instruction.refers, size), 8 * size
            return of_number(value, bits, min(bits, self.width))
        where, offset = self.place(operand)
        if where == "stack":
            if any(offset + k not in self.stack for k in range(size)):
                raise NoModel("the stack is read before it is written")
            return as_width([self.stack[offset + k] for k in range(size)], min(8 * size, self.width))
        if where != "in":
            raise NoModel("the output is read")
        return self.memory.load(offset, size)

    def store(self, operand: str, elements: list[Term]) -> None:
        """Writes to the output, or below the stack pointer."""
        where, offset = self.place(operand)
        self.effects += 1
        if where == "stack" and offset >= -128 and offset < 0:
            self.stack |= {offset + k: byte for k, byte in enumerate(as_width(elements, 8))}
            return
        if where != "out":
            raise NoModel("an input is written")
        self.memory.store(offset, elements)

    # ---- Instructions

    def step(self, instruction: Instruction) -> None:
        """One instruction. Raises NoModel."""
        text = f"{instruction.name} {instruction.operands}".strip()
        if NOTHING.fullmatch(text):
            return
        operands = split(instruction.operands)
        before, noted = self.effects, self.memory.used.total()
        if text == "vzeroupper":
            self.zero_upper()
        elif not operands and instruction.name not in EXTENSIONS:
            raise NoModel(text)
        elif any("mm" in operand or "%k" in operand for operand in operands):
            self.step_vector(instruction, operands)
        else:
            self.step_scalar(instruction, operands)
        if self.effects == before:
            raise NoModel(f"{text}: its model has no effect")
        # Of comparisons, the form is a part of that of what follows.
        if self.memory.used.total() == noted and not re.match(r"(cmp|test)[bwlq]?$", instruction.name):
            raise NoModel(f"{text}: its model is not compared with the processor")

    def zero_upper(self) -> None:
        """vzeroupper: of the first 16 vector registers, 128 bits stay."""
        for number in range(16):
            self.set_vector(number, 128, self.vector(number, 128), True)
        self.note("vzeroupper", "zmm" if self.widest == 512 else "ymm")

    def note(self, name: str, *kinds: str) -> None:
        """Records the form of an instruction, for the co-simulation."""
        self.memory.used[(name, *kinds)] += 1

    def step_vector(self, instruction: Instruction, operands: list[str]) -> None:
        """Vectors and masks."""
        name = instruction.name
        mask, clears = None, name.startswith("v")
        last = operands[-1]
        if m := re.search(r"\{%k(\d)\}(\{z\})?$", last):
            mask, operands = (int(m[1]), bool(m[2])), [*operands[:-1], last[: m.start()]]
        if MOVES.match(name) or name in ("movd", "vmovd", "movq", "vmovq") or (name == "movss" and "(" in operands[0]):
            return self.move(instruction, operands, mask)
        if m := re.fullmatch(r"v(?:pbroadcast([bwdq])|broadcasts([sd]))", name):
            return self.broadcast(instruction, operands, mask, WIDTH[m[1]] if m[1] else {"s": 32, "d": 64}[m[2]])
        if name == "movddup":  # of 16 bytes, so that it is one
            return self.broadcast(instruction, operands, mask, 64)
        if re.fullmatch(r"vpblendm[bwdq]|vblendmp[sd]", name):
            return self.blend(instruction, operands, mask)
        if re.fullmatch(r"v?pshufd|v?punpcklqdq|movhlps|shufps", name):
            return self.shuffle(instruction, operands)
        immediate = int(operands[0][1:], 16) if operands[0].startswith("$") else None
        plain = name[1:] if clears else name
        if last.startswith("%k"):  # the names that both kinds of comparisons have
            plain = plain.replace("pcmpgt", "pcmpnle")
        elif re.match(r"pcmp(n|l)|ptest|cmp(un)?ord", plain):
            raise NoModel(f"{name} {instruction.operands}")
        # Without {sae} it raises a flag for signalling NaNs and for subnormal numbers, and may trap (ORD-6).
        if re.match(r"cmp(un)?ord", plain) and "{sae}" not in operands:
            raise NoModel(f"{name} {instruction.operands}: raises exceptions")
        operation = x86(plain, immediate)
        if operation is None:
            raise NoModel(f"{name} {instruction.operands}")
        sources = operands[1:] if immediate is not None else operands
        sources = [s for s in sources if s != "{sae}"]
        kinds = ([f"${immediate:#x}"] if immediate is not None else []) + (["{sae}"] if "{sae}" in operands else [])
        return self.elementwise(instruction, operation, sources, kinds, mask)

    def elementwise(self, instruction: Instruction, operation: Elementwise, operands: list[str], kinds: list[str],
                    mask: tuple[int, bool] | None) -> None:  # fmt: skip
        """The same operation on all elements."""
        name = instruction.name
        bits = max(VECTOR_BITS[m[1]] for o in operands if (m := re.match(r"%([xyz])mm", o)))
        width = operation.width or self.width
        count = len(operation.names.split())
        # The last operand is the destination, and in SSE and in ternary operations a source too.
        into_itself = not name.startswith("v") or name.startswith("vpternlog")
        shifts = count == 1 and name.startswith("ps")  # psraw $1, %xmm0
        sources = operands if (into_itself and not operation.makes_mask) or shifts else operands[:-1]
        if count != len(sources):
            raise NoModel(f"{name} {instruction.operands}")
        values = [self.read_elements(s, bits, width, instruction) for s in reversed(sources)]  # AT&T lists them backwards
        if operation.makes_mask and mask is not None:
            raise NoModel(f"masked {name}")
        names = operation.names.split()
        done = [instance(operation.body, dict(zip(names, parts)), width) for parts in zip(*values)]
        shown = [self.kind(o) for o in operands]
        if operation.makes_mask:
            self.masks[self.mask_number(operands[-1])] = done
            self.effects += 1
        else:
            self.write_elements(name, operands[-1], bits, done, mask, shown)
        self.note(name, *kinds, *shown)

    def read_elements(self, operand: str, bits: int, width: int, instruction: Instruction) -> list[Term]:
        """A source of an elementwise instruction: a register, memory, or one element of memory for all."""
        if m := re.fullmatch(r"%[xyz]mm(\d+)", operand):
            return as_width(self.vector(int(m[1]), bits), width)
        if m := re.fullmatch(r"(.*)\{1to(\d+)\}", operand):
            size = bits // 8 // int(m[2])
            one = as_width(self.load(m[1], size, instruction), 8 * size)
            return as_width(one * int(m[2]), width)
        return as_width(self.load(operand, bits // 8, instruction), width)

    def write_elements(self, name: str, operand: str, bits: int, done: list[Term], mask: tuple[int, bool] | None, shown: list[str]) -> None:
        """The destination, under a mask or whole."""
        m = re.fullmatch(r"%[xyz]mm(\d+)", operand)
        if not m:
            raise NoModel(f"destination {operand}")
        number = int(m[1])
        if mask is not None:
            width = self.masked_width(name)
            if mask[0] not in self.masks or len(self.masks[mask[0]]) != bits // width:
                raise NoModel(f"{name}: a mask of other elements")
            old = as_width(self.vector(number, bits), width)
            new = as_width(done, width)
            zero = const(0, width)
            done = [
                apply("ite", apply("=", bit, const(1, 1)), yes, zero if mask[1] else no)
                for bit, yes, no in zip(self.masks[mask[0]], new, old)
            ]
            shown[-1] += "{k}{z}" if mask[1] else "{k}"
        self.set_vector(number, bits, done, name.startswith("v"))

    @staticmethod
    def masked_width(name: str) -> int:
        """Of the elements that a mask selects."""
        if m := re.search(r"(8|16|32|64)$", name):
            return int(m[1])
        if m := re.search(r"p([sd])$", name):
            return {"s": 32, "d": 64}[m[1]]
        if name[-1] not in WIDTH:
            raise NoModel(f"masked {name}")
        return WIDTH[name[-1]]

    @staticmethod
    def mask_number(operand: str) -> int:
        """The number of a mask register."""
        m = re.fullmatch(r"%k(\d)", operand)
        if not m:
            raise NoModel(f"mask {operand}")
        return int(m[1])

    def kind(self, operand: str) -> str:
        """What an operand is, without its number."""
        if m := re.fullmatch(r"%([xyz]mm)\d+", operand):
            return m[1]
        if re.fullmatch(r"%k\d", operand):
            return "k"
        if m := re.search(r"\{1to\d+\}$", operand):
            return "mem" + m[0]
        if operand.startswith("%"):
            return f"r{self.part(operand)[1]}"
        return operand if operand.startswith("$") else "mem"

    def move(self, instruction: Instruction, operands: list[str], mask: tuple[int, bool] | None) -> None:
        """Loads, stores and copies of vectors, and of the lowest 32 or 64 bits."""
        name, (source, target) = instruction.name, operands
        shown = [self.kind(source), self.kind(target)]
        m = re.match(r"%([xyz])mm(\d+)", source)
        if name in ("movd", "vmovd", "movq", "vmovq", "movss"):  # movss from memory: movd
            bits = 64 if name.endswith("q") else 32
            if m and shown[1] == f"r{bits}":
                self.write_general(target, as_width(self.vector(int(m[2]), 64), 64)[0] if bits == 64 else as_width(self.vector(int(m[2]), 64), 32)[0])
                return self.note(name, *shown)
            if not target.startswith("%xmm"):
                raise NoModel(f"{name} {instruction.operands}")
            if source.startswith("%r") or source.startswith("%e"):
                low = as_width([extract(self.read_general(source), bits - 1, 0)], min(bits, self.width))
            elif m:
                low = as_width(self.vector(int(m[2]), bits), min(bits, self.width)) if bits >= self.width else []
            else:
                low = self.load(source, bits // 8, instruction)
            if not low:
                raise NoModel(f"{name} {instruction.operands}")
            padded = low + [const(0, low[0].width)] * ((128 - bits) // low[0].width)
            self.set_vector(int(target[4:]), 128, padded, name.startswith("v"))
        elif m and not target.startswith("%"):
            self.store(target, self.vector(int(m[2]), VECTOR_BITS[m[1]]))
        else:
            register = re.match(r"%([xyz])mm(\d+)", target)
            if not register:
                raise NoModel(f"{name} {instruction.operands}")
            bits = VECTOR_BITS[register[1]]
            self.write_elements(name, target, bits, self.read_elements(source, bits, self.width, instruction), mask, shown)
        self.note(name, *shown)

    def blend(self, instruction: Instruction, operands: list[str], mask: tuple[int, bool] | None) -> None:
        """By a mask, either of two vectors. The assembler lists the one where the mask is set first."""
        yes, no, target = operands
        m = re.fullmatch(r"%([xyz])mm(\d+)", target)
        if not m or mask is None:
            raise NoModel(f"{instruction.name} {instruction.operands}")
        bits, width = VECTOR_BITS[m[1]], self.masked_width(instruction.name)
        shown = [self.kind(o) for o in operands]
        where, otherwise = (self.read_elements(o, bits, width, instruction) for o in (yes, no))
        self.set_vector(int(m[2]), bits, otherwise, True)
        self.write_elements(instruction.name, target, bits, where, mask, shown)
        self.note(instruction.name, *shown)

    def broadcast(self, instruction: Instruction, operands: list[str], mask: tuple[int, bool] | None, width: int) -> None:
        """One element to all."""
        source, target = operands
        shown = [self.kind(source), self.kind(target)]
        m = re.fullmatch(r"%([xyz])mm(\d+)", target)
        if not m:
            raise NoModel(f"{instruction.name} {instruction.operands}")
        bits = VECTOR_BITS[m[1]]
        if s := re.fullmatch(r"%xmm(\d+)", source):
            element = as_width(self.vector(int(s[1]), 128), width)[0]
        elif source.startswith("%"):
            element = extract(self.read_general(source), width - 1, 0)
        else:
            element = as_width(self.load(source, width // 8, instruction), width)[0]
        self.write_elements(instruction.name, target, bits, [element] * (bits // width), mask, shown)
        self.note(instruction.name, *shown)

    def shuffle(self, instruction: Instruction, operands: list[str]) -> None:
        """Moves of 32-bit or 64-bit elements within 16 bytes."""
        name = instruction.name
        bits = 128 if operands[-1].startswith("%x") else 256 if operands[-1].startswith("%y") else 512
        target = int(operands[-1][4:])
        shown = [self.kind(o) for o in operands]
        if name.endswith("pshufd"):
            order = int(operands[0][1:], 16)
            parts = self.read_elements(operands[1], bits, 32, instruction)
            done = [parts[block + (order >> 2 * k & 3)] for block in range(0, len(parts), 4) for k in range(4)]
        elif name == "shufps":  # two elements of each
            order = int(operands[0][1:], 16)
            source, old = (self.read_elements(o, bits, 32, instruction) for o in operands[1:])
            done = [(old if k < 2 else source)[order >> 2 * k & 3] for k in range(4)]
        else:
            sources = operands[:-1] if name.startswith("v") else operands
            values = [self.read_elements(s, bits, 64, instruction) for s in reversed(sources)]
            first, second = values[0], values[-1]
            if name == "movhlps":
                done = [second[1], first[1]]
            else:
                done = [v[k] for k in range(0, len(first), 2) for v in (first, second)]
        self.set_vector(target, bits, done, name.startswith("v"))
        self.note(name, *shown)

    # ---- Scalars

    def read(self, operand: str, bits: int, instruction: Instruction) -> Term:
        """An immediate, a register's part, or memory."""
        if operand.startswith("$"):
            return const(int(operand[1:], 16), bits)
        if operand.startswith("%"):
            value = self.read_general(operand)
            if value.width != bits:
                raise NoModel(f"{operand} as {bits} bits")
            return value
        return as_width(self.load(operand, bits // 8, instruction), bits)[0]

    def step_scalar(self, instruction: Instruction, operands: list[str]) -> None:
        """General registers. Only cmp and test set flags that are used."""
        name = instruction.name
        if name in EXTENSIONS:
            source, wide = EXTENSIONS[name]
            value = self.read_general(source)
            if name in ("cltd", "cqto"):
                self.write_general("%edx" if wide == 32 else "%rdx", apply("bvashr", value, const(wide - 1, wide)))
            else:
                self.write_general("%eax" if wide == 16 else "%rax", sign_extended(value, 2 * wide))
            return self.note(name)
        if m := re.fullmatch(r"(cmp|test)([bwlq]?)", name):
            return self.compare(instruction, operands, m[1])
        if m := re.fullmatch(r"(set|cmov)([a-z]+)", name):
            return self.conditional(instruction, operands, m[1], m[2])
        target = operands[-1]
        if not target.startswith("%"):
            if name != "mov":
                raise NoModel(f"{name} {instruction.operands}")
            if target.startswith("%") or not operands[0].startswith("%"):
                raise NoModel(f"{name} {instruction.operands}")
            self.store(target, [self.read_general(operands[0])])
            return self.note(name, self.kind(operands[0]), "mem")
        bits = self.part(target)[1]
        if name == "mov" and operands[0][1:] in self.pointers:
            self.general.pop(target[1:], None)
            self.pointers[target[1:]] = self.pointers[operands[0][1:]]
            self.effects += 1
            return self.note(name, *map(self.kind, operands))
        value = self.value_of(instruction, operands, bits)
        self.write_general(target, value)
        if name not in ("mov", "movabs", "lea", "not") and not name.startswith(("movz", "movs")):
            # Of and, or and xor, the conditions are those of the result compared with zero.
            logic = name in ("and", "or", "xor")
            form = f"{name} {' '.join(self.kind(o) for o in operands)}"
            self.flags = (value, const(0, bits), form) if logic else None
        return self.note(name, *[self.kind(o) if name != "lea" else address_form(o) for o in operands[:-1]], self.kind(target))

    def value_of(self, instruction: Instruction, operands: list[str], bits: int) -> Term:
        """What an instruction without a condition writes to a register."""
        name, source, target = instruction.name, operands[0], operands[-1]
        if name in ("mov", "movabs"):
            return self.read(source, bits, instruction)
        if m := re.fullmatch(r"mov([sz])([bwl])[wlq]", name):
            value = self.read(source, {"b": 8, "w": 16, "l": 32}[m[2]], instruction)
            return sign_extended(value, bits) if m[1] == "s" else concat([const(0, bits - value.width), value])
        if name == "lea":
            return extract(self.address(source), bits - 1, 0)
        if name in ("neg", "not"):
            return instance(SCALAR[name], {"a": self.read_general(target)}, bits)
        if name in SHIFTS and (len(operands) == 1 or source.startswith("$")):
            count = int(source[1:], 16) if len(operands) == 2 else 1
            if count >= bits:
                raise NoModel(f"{name} {instruction.operands}")
            return apply(SHIFTS[name], self.read_general(target), const(count, bits))
        if name == "btr" and source.startswith("$"):
            return apply("bvand", self.read_general(target), const(~(1 << int(source[1:], 16) % bits), bits))
        if name in SCALAR and source == target and name in ("xor", "sub"):
            return const(0, bits)
        if name in SCALAR and len(operands) == 2:
            return instance(SCALAR[name], {"a": self.read_general(target), "b": self.read(source, bits, instruction)}, bits)
        raise NoModel(f"{name} {instruction.operands}")

    def address(self, operand: str) -> Term:
        """What lea computes: a sum, used as a number."""
        m = re.fullmatch(r"(-?0x[0-9a-f]+)?\(%(\w+)(?:,%(\w+),1)?\)", operand)
        if not m:
            raise NoModel(f"lea {operand}")
        value = apply("bvadd", self.read_general("%" + m[2]), const(int(m[1] or "0", 16), 64))
        return apply("bvadd", value, self.read_general("%" + m[3])) if m[3] else value

    def compare(self, instruction: Instruction, operands: list[str], what: str) -> None:
        """Keeps the operands for the conditions that follow."""
        register = next((o for o in operands if o.startswith("%")), None)
        bits = self.part(register)[1] if register else {"b": 8, "w": 16, "l": 32, "q": 64}[instruction.name[-1]]
        b, a = (self.read(o, bits, instruction) for o in operands)
        form = f"{instruction.name} {' '.join(self.kind(o) for o in operands)}"
        if what == "test":
            a, b = (a if a is b else apply("bvand", a, b)), const(0, bits)
        self.flags = (a, b, form)
        self.effects += 1

    def conditional(self, instruction: Instruction, operands: list[str], what: str, condition: str) -> None:
        """setcc and cmovcc after cmp or test."""
        if self.flags is None or condition not in CONDITIONS:
            raise NoModel(f"{instruction.name} without a comparison")
        a, b, form = self.flags
        holds = instance(CONDITIONS[condition], {"a": a, "b": b}, a.width)
        kinds = [self.kind(o) for o in operands]
        if what == "set":
            value = apply("ite", holds, const(1, 8), const(0, 8))
            if operands[0].startswith("%"):
                self.write_general(operands[0], value)
            else:
                self.store(operands[0], [value])
        else:
            bits = self.part(operands[1])[1]
            chosen = apply("ite", holds, self.read(operands[0], bits, instruction), self.read_general(operands[1]))
            self.write_general(operands[1], chosen)
        self.note(instruction.name, *kinds, "after " + form)


def address_form(operand: str) -> str:
    """The operand of lea with its registers renamed to the first ones."""
    names = iter(("%rax", "%rcx"))
    return re.sub(r"%\w+", lambda _: next(names), operand)


def sign_extended(value: Term, bits: int) -> Term:
    """With copies of the sign above."""
    sign = extract(value, value.width - 1, value.width - 1)
    return concat([*[sign] * (bits - value.width), value])


def execute(code: Code, function: list[Instruction], memory: Memory) -> None:
    """Runs a function to its return."""
    processor = Processor(code, memory)
    for instruction in function:
        if instruction.name in ("ret", "retq"):
            return
        processor.step(instruction)
    raise NoModel("no return")
