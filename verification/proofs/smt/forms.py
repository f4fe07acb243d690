"""Forms of instructions, as the processors' `note` records them, as assembly and as the terms that the models make of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

import arm
import sve
import x86
from machine import Memory, NoModel, as_width
from objects import Code, Instruction
from terms import Term, apply, concat, const, extract, leaf

Form = tuple[str, ...]
INPUTS = 8  # vectors of 64 bytes
GENERAL = ("a", "c", "d", "b")  # rax, rcx, rdx, rbx by operand
COMPARED = ("9", "10")  # r9 and r10, for what a condition follows


class Inputs(Memory):
    """Memory of INPUTS vectors, any part of which can be loaded."""

    def __init__(self) -> None:
        super().__init__(64, 64, INPUTS)

    def load(self, offset: int, size: int) -> list[Term]:
        """Bytes as 64-bit elements, or as one narrower term."""
        parts = [extract(leaf(at // 64, at % 64 // 8, 64), at % 8 * 8 + 7, at % 8 * 8) for at in range(offset, offset + size)]
        return as_width(parts, min(8 * size, 64))


@dataclass(frozen=True)
class Test:
    """A form as assembly from `in` to `out`, and what the models say is there afterwards."""

    text: str
    assembly: list[str]
    outputs: list[Term]
    needs: str  # of the processor: avx512, avx2 or nothing; neon, sve_128 or sve_256, which is the length of vectors


def padded(terms: list[Term]) -> list[Term]:
    """As 64-bit elements, with zeros above."""
    whole = concat(terms[::-1])
    rest = -whole.width % 64
    filled = concat([const(0, rest), whole]) if rest else whole
    return as_width([filled], 64) if filled.width > 64 else [filled]


def x86_register(kind: str, index: int, numbers: tuple[str, ...] = GENERAL) -> str:
    """The register of an operand."""
    if m := re.match(r"[xyz]mm", kind):
        return f"%{m[0]}{index}"
    if kind == "k":
        return f"%k{index + 1}"
    bits, name = int(kind[1:]), numbers[index]
    if numbers is COMPARED:
        return f"%r{name}" + {64: "", 32: "d", 16: "w", 8: "b"}[bits]
    return {64: f"%r{name}x", 32: f"%e{name}x", 16: f"%{name}x", 8: f"%{name}l"}[bits]


def x86_test(form: Form) -> Test:
    """A form of x86-64."""
    name, *kinds = form
    after = kinds.pop()[len("after ") :].split() if kinds and kinds[-1].startswith("after ") else []
    memory = Inputs()
    state = x86.Processor(Code(), memory)
    before: list[str] = []
    wide = {"x": "movdqu", "y": "vmovdqu", "z": "vmovdqu64"}

    def operand(kind: str, index: int, place: int, numbers: tuple[str, ...]) -> str:
        """The operand's text; loads it from the inputs."""
        if kind.startswith(("$", "{")):
            return kind
        if "(" in kind:  # of lea
            for number, register in enumerate(("rax", "rcx")):
                before.append(f"mov {64 * number}(%rdi), %{register}")
                state.general[register] = leaf(number, 0, 64)
            return kind
        if kind.startswith("mem"):
            return f"0x{64 * place:x}(%rdi){kind[3:]}"
        register = x86_register(kind, index, numbers)
        if kind[0] in wide:
            before.append(f"{wide[kind[0]]} {64 * place}(%rdi), {register}")
            state.vectors[index] = [leaf(place, k, 64) for k in range(8)]
        elif kind == "k":
            before.append(f"kmovq {64 * place}(%rdi), {register}")
        else:
            whole = state.part(register)[0]
            before.append(f"mov {64 * place}(%rdi), %{whole}")
            state.general[whole] = leaf(place, 0, 64)
        if "{k}" in kind:
            before.append("kmovq 448(%rdi), %k7")
            bits = {"x": 128, "y": 256, "z": 512}[kind[0]]
            state.masks[7] = [extract(leaf(7, 0, 64), b, b) for b in range(bits // state.masked_width(name))]
            return register + kind[3:].replace("{k}", "{%k7}")
        return register

    if name == "vzeroupper":
        return zero_upper_test(kinds[0])
    compare = [operand(kind, k, 4 + k, COMPARED) for k, kind in enumerate(after[1:])]
    texts = [operand(kind, k, k, GENERAL) for k, kind in enumerate(kinds)]
    stores = kinds and kinds[-1] == "mem"
    if stores:
        texts[-1] = "0x0(%rsi)"
    if not kinds:  # the sign of rax
        before.append("mov 0(%rdi), %rax")
        before.append("mov 64(%rdi), %rdx")
        state.general |= {"rax": leaf(0, 0, 64), "rdx": leaf(1, 0, 64)}
    lines = ([f"{after[0]} {', '.join(compare)}"] if after else []) + [f"{name} {', '.join(texts)}".strip()]
    for line in lines:
        mnemonic, _, rest = line.partition(" ")
        state.step(Instruction(mnemonic, rest.replace(", ", ","), 0))
    store: list[str] = []
    if stores:
        outputs = padded([term for _, term in sorted(memory.written.items()) if term is not None])
    elif not kinds:
        store = ["mov %rax, (%rsi)", "mov %rdx, 8(%rsi)"]
        outputs = [state.general["rax"], state.general["rdx"]]
    elif kinds[-1][0] in wide:
        register = texts[-1].partition("{")[0]
        bits = {"x": 128, "y": 256, "z": 512}[kinds[-1][0]]
        store, outputs = [f"{wide[kinds[-1][0]]} {register}, (%rsi)"], state.vector(len(kinds) - 1, bits)
    elif kinds[-1] == "k":
        store, outputs = [f"kmovq {texts[-1]}, (%rsi)"], padded(state.masks[len(kinds)])
    else:
        whole = state.part(texts[-1])[0]
        store, outputs = [f"mov %{whole}, (%rsi)"], [state.general[whole]]
    all_text = " ".join(lines)
    needs = "avx512" if re.search(r"zmm|%k", " ".join(texts)) else "avx2" if name.startswith("v") else ""
    saves = ["push %rbx", *before, *lines, *store, "pop %rbx", *(["vzeroupper"] if needs else []), "ret"]
    return Test(all_text, saves, outputs, needs)


def zero_upper_test(register: str) -> Test:
    """The last of the registers that it changes, and with 512 bits the first that it does not."""
    state = x86.Processor(Code(), Inputs())
    numbers, move, bits = ((15, 16), "vmovdqu64", 512) if register == "zmm" else ((0, 15), "vmovdqu", 256)
    for place, number in enumerate(numbers):
        state.set_vector(number, bits, [leaf(place, k, 64) for k in range(bits // 64)], True)
    state.zero_upper()
    before = [f"{move} {64 * place}(%rdi), %{register}{number}" for place, number in enumerate(numbers)]
    store = [f"{move} %{register}{number}, {bits // 8 * place}(%rsi)" for place, number in enumerate(numbers)]
    outputs = [term for number in numbers for term in state.vector(number, bits)]
    needs = "avx512" if register == "zmm" else "avx2"
    return Test(f"vzeroupper {register}", [*before, "vzeroupper", *store, "vzeroupper", "ret"], outputs, needs)


def arm_test(form: Form) -> Test:
    """A form of Arm's 64-bit state."""
    name, *kinds = form
    after = kinds.pop()[len("after ") :].split() if kinds and kinds[-1].startswith("after ") else []
    memory = Inputs()
    state = arm.Processor(Code(), memory)
    before: list[str] = []

    def operand(kind: str, place: int, first: int) -> str:
        """The operand's text; loads it from the inputs."""
        if kind in ("w", "x"):
            before.append(f"ldr x{first + place}, [x0, #{64 * place}]")
            state.general[first + place] = leaf(place, 0, 64)
            return f"{kind}{first + place}"
        if kind == "q" or kind.startswith("v."):
            before.append(f"ldr q{place}, [x0, #{64 * place}]")
            state.vectors[place] = [leaf(place, k, 64) for k in range(2)]
            return f"q{place}" if kind == "q" else f"v{place}{kind[1:]}"
        return kind

    transfers = name in ("ldr", "ldp", "str", "stp") or re.fullmatch(r"(ld|st)rs?[bh]", name)
    compare = [operand(kind, k, 10) for k, kind in enumerate(" ".join(after[1:]).replace(" #", "|#").replace(" w", "|w").replace(" x", "|x").replace(" u", "|u").replace(" s", "|s").split("|"))] if after else []  # fmt: skip
    texts = [operand(kind, k, 2) for k, kind in enumerate(kinds)]
    if transfers:
        texts.append("[x1]" if name.startswith("st") else "[x0, #64]")
    lines = ([f"{after[0]} {', '.join(compare)}"] if after else []) + [f"{name} {', '.join(texts)}"]
    for line in lines:
        mnemonic, _, rest = line.partition(" ")
        state.step(Instruction(mnemonic, rest, 0))
    store: list[str] = []
    outputs: list[Term] = []
    if name.startswith("st"):
        outputs = padded([term for _, term in sorted(memory.written.items()) if term is not None])
    else:
        written = kinds if transfers else kinds[:1]
        for k, kind in enumerate(written):
            if kind in ("w", "x"):
                store.append(f"str x{2 + k}, [x1, #{8 * len(outputs)}]")
                outputs.append(state.general[2 + k])
            else:
                store.append(f"str q{k}, [x1, #{8 * len(outputs)}]")
                outputs += as_width(state.vector(k), 64)
    return Test(" ".join(lines), [*before, *lines, *store, "ret"], outputs, "neon")


class SveOperands:
    """The operands of instructions of SVE: each register is loaded from the input of its number."""

    def __init__(self, state: sve.Processor) -> None:
        self.state, self.before = state, [".arch armv8.2-a+sve2"]

    def vector(self, index: int) -> None:
        """Loads a vector."""
        self.before += [f"add x9, x0, #{64 * index}", f"ldr z{index}, [x9]"]
        self.state.vectors[index] = [leaf(index, k, 64) for k in range(self.state.vector_bytes // 8)]

    def predicate(self, index: int, is_true: bool) -> None:
        """Loads a predicate, or makes it all true."""
        self.before += [f"ptrue p{index}.b"] if is_true else [f"add x9, x0, #{64 * index}", f"ldr p{index}, [x9]"]
        bits = [apply("=", extract(leaf(index, 0, 64), b, b), const(1, 1)) for b in range(self.state.vector_bytes)]
        self.state.predicates[index] = [sve.TRUE] * self.state.vector_bytes if is_true else bits

    def texts(self, name: str, kinds: list[str], numbers: list[int]) -> list[str]:
        """The operands of an instruction, in registers of these numbers."""
        texts = []
        for kind, index in zip(kinds, numbers):
            if kind.lstrip("{")[0] == "z" and index not in self.state.vectors:
                self.vector(index)
            elif kind[0] == "p" and index not in self.state.predicates:
                self.predicate(index, name.startswith("st1"))
            elif kind in ("w", "x"):
                self.before.append(f"ldr x{index + 2}, [x0, #{64 * index}]")
                self.state.general[index + 2] = leaf(index, 0, 64)
            number = {"w": index + 2, "x": index + 2}.get(kind, index)
            address = "x1" if name.startswith("st1") else "x0"
            texts.append(kind.replace("[x", "[" + address) if kind[0] == "[" else re.sub(r"^(\{?[zpwx])", rf"\g<1>{number}", kind))
        return texts


def sve_test(form: Form) -> Test:
    """A form of SVE."""
    name, *kinds, length = form
    memory = Inputs()
    state = sve.Processor(Code(), memory, int(length.split()[1]) // 8)
    operands = SveOperands(state)

    def numbers(name: str, kinds: list[str], free: int) -> list[int]:
        """Registers in the order of the operands, but for the one that is changed, which is named twice."""
        found = [0, *range(free, free + len(kinds) - 1)]
        if name in sve.SVE and (len(kinds) == 4 or kinds[-1].startswith("#")):
            found[len(kinds) - 2] = 0
        return found

    following: list[str] = kinds.pop()[len("before ") :].split("|") if kinds[-1].startswith("before ") else []
    lines = [f"{name} {', '.join(operands.texts(name, kinds, numbers(name, kinds, 1)))}"]
    if following:
        second, *others = following
        places = numbers(second, others, 3)
        if "/" in kinds[1]:
            places[1] = 1  # the same predicate
        lines.append(f"{second} {', '.join(operands.texts(second, others, places))}")
    for line in lines:
        mnemonic, _, rest = line.partition(" ")
        state.step(Instruction(mnemonic, rest, 0))
    store = ["str z0, [x1]"]
    if name.startswith("st1"):
        store, begin = [], min(memory.written)
        outputs = [const(0, 64)] * (begin // 8) + padded([term for _, term in sorted(memory.written.items()) if term is not None])
    elif kinds[0].startswith("p"):
        store = ["str p0, [x1]"]
        outputs = padded([apply("ite", bit, const(1, 1), const(0, 1)) for bit in state.predicates[0]])
    else:
        outputs = as_width(state.vector(0), 64)
    needs = "sve_" + length.split()[1]
    return Test(f"{' '.join(lines)}, {needs}", [*operands.before, *lines, *store, "ret"], outputs, needs)


def test_of(form: Form, on_arm: bool) -> Test:
    """A form of either processor."""
    return sve_test(form) if form[-1].startswith("of ") else (arm_test if on_arm else x86_test)(form)


__all__ = ["Form", "NoModel", "Test", "test_of"]
