#!/usr/bin/env python3
"""Tests of the models of instructions: that they refuse what they do not cover, and do not take it for nothing.

    verification/proofs/smt/refusals.py    exit status 1, with the code, if a function is understood that must be refused, or differently
"""

from __future__ import annotations

import sys

import arm
import sve
import x86
from machine import Memory, NoModel
from objects import Code, Instruction
from terms import Term, const, leaf

LANES = 4  # of 64 bits, in vectors of 256

COPY = [leaf(0, k, 64) for k in range(LANES)]
LOWER = COPY[:2] + [const(0, 64)] * 2

# A function for x86-64, and the vector that it writes; none if it must be refused.
X86: list[tuple[str, list[Term] | None]] = [
    ("vmovdqu (%rdi),%ymm0; vmovdqu %ymm0,(%rsi); vzeroupper", COPY),
    ("vmovdqu (%rdi),%ymm0; vzeroupper; vmovdqu %ymm0,(%rsi)", LOWER),
    ("vmovdqu (%rdi),%ymm15; vzeroupper; vmovdqu %ymm15,(%rsi)", LOWER),
    ("vmovdqu64 (%rdi),%ymm16; vzeroupper; vmovdqu64 %ymm16,(%rsi)", COPY),
    ("vmovdqu (%rdi),%ymm0; vmovdqa %xmm0,%xmm0; vmovdqu %ymm0,(%rsi)", LOWER),
    ("vmovdqu (%rdi),%ymm0; movdqa %xmm0,%xmm0; vmovdqu %ymm0,(%rsi)", COPY),
    ("data16 cs nopw 0x0(%rax,%rax,1); vmovdqu (%rdi),%ymm0; nop; endbr64; xchg %ax,%ax; vmovdqu %ymm0,(%rsi)", COPY),
    *((f"vmovdqu (%rdi),%ymm0; {refused}; vmovdqu %ymm0,(%rsi)", None) for refused in (
        "vzeroall", "emms", "nopq2", "xchg %ax,%bx", "prefetcht0 (%rdi)", "vldmxcsr (%rdi)", "sfence", "leave", "push %rbx", "cld",
        "vptest %ymm0,%ymm0", "vtestps %ymm0,%ymm0", "ptest %xmm0,%xmm0", "kortestb %k0,%k0", "vpshufb %ymm1,%ymm0,%ymm0",
        "pshufb %xmm1,%xmm0", "palignr $0x8,%xmm1,%xmm0", "mulx %rax,%rcx,%rdx", "bt $0x1,%eax", "xadd %rax,%rcx", "jmp 0x10", "call 0x10"))]  # fmt: skip

ARM: list[tuple[str, list[Term] | None]] = [
    ("ldr q0, [x0]; nop; str q0, [x1]; ldr q1, [x0, #16]; str q1, [x1, #16]", COPY),
    *((f"ldr q0, [x0]; {refused}; str q0, [x1]; ldr q1, [x0, #16]; str q1, [x1, #16]", None) for refused in (
        "paciasp", "bti c", "prfm pldl1keep, [x0]", "ldr d0, [x0]", "ins v0.d[0], x2", "adds x2, x3, #1", "mov xzr, x2", "b 10", "fmov d0, d1"))]  # fmt: skip

SVE: list[tuple[str, list[Term] | None]] = [
    ("ptrue p0.b, vl32; ld1d {z0.d}, p0/z, [x0]; st1d {z0.d}, p0, [x1]", COPY),
    *((f"ptrue p0.b, vl32; ld1d {{z0.d}}, p0/z, [x0]; {refused}; st1d {{z0.d}}, p0, [x1]", None) for refused in (
        "setffr", "ptrues p1.b", "ldr q0, [x0]", "movi v0.2d, #0", "insr z0.d, x2", "ptest p0, p0.b", "prfb pldl1keep, p0, [x0]"))]  # fmt: skip


def written(executes: object, text: str, separator: str) -> list[Term] | None:
    """What a function writes; none if it is refused."""
    memory = Memory(64, 8 * LANES, 1)
    parts = [line.strip().partition(" ") for line in (text + ";ret").split(";")]
    function = [Instruction(name, operands.replace(", ", ",") if separator == "," else operands, 0) for name, _, operands in parts]
    try:
        executes.execute(Code(), function, memory)  # type: ignore[attr-defined]
        return memory.outputs(1)[0]
    except (NoModel, ValueError):  # as functions.py has it
        return None


class Idle(x86.Processor):
    """A model that takes the instructions of vectors for nothing, but records their forms."""

    def step_vector(self, instruction: Instruction, operands: list[str]) -> None:
        """Changes nothing."""
        self.note(instruction.name)


class Unrecorded(x86.Processor):
    """A model of the instructions of vectors that does not record their forms."""

    def step_vector(self, instruction: Instruction, operands: list[str]) -> None:
        """Clears a register."""
        self.set_vector(2, 128, [const(0, 64)] * 2, True)


def refuses(model: type[x86.Processor]) -> bool:
    """Whether such a model of an instruction is refused."""
    try:
        model(Code(), Memory(64, 8 * LANES, 1)).step(Instruction("vpaddq", "%ymm0,%ymm1,%ymm2", 0))
    except NoModel:
        return True
    return False


def main() -> int:
    """Prints what is wrong; 0 if nothing is."""
    wrong = count = 0
    for executes, cases, separator in ((x86, X86, ","), (arm, ARM, ", "), (sve, SVE, ", ")):
        for text, expected in cases:
            count += 1
            if (found := written(executes, text, separator)) != expected:
                wrong += 1
                print(f"refusals.py: {text}: {'refused' if found is None else found}")
    for model in (Idle, Unrecorded):
        if not refuses(model):
            wrong += 1
            print(f"refusals.py: not refused: {model.__doc__}")
    print(f"refusals.py: {count} functions, {wrong} not as they must be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
