#!/usr/bin/env python3
"""Which registers, flags and memory each instruction of a program reads and writes, for single_step.cc.

    verification/movement/decode.py PROGRAM TABLE
    verification/movement/decode.py --self-test    what it says of instructions that are easily taken for others

A line of the table: address; registers read; registers written; memory; what the flags do. Registers are 0 to 15 (general, without
their lowest byte), 16 to 47 (vectors, their lowest 16 bytes), 48 to 55 (masks), 56 to 71 (the lowest bytes of the general ones) and 72
to 103 (vectors, without their lowest 16 bytes). What is read may be more than the instruction reads, what is written is exactly what it
overwrites, or it counts as read too. An instruction that is not known gets the line `address ?`: executing it is an error.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

GENERAL: dict[str, tuple[int, int]] = {}  # number and bytes
for _number, _letter in enumerate(["ax", "cx", "dx", "bx"]):
    GENERAL |= {f"r{_letter}": (_number, 8), f"e{_letter}": (_number, 4), _letter: (_number, 2), f"{_letter[0]}l": (_number, 1), f"{_letter[0]}h": (_number, 1)}
for _number, _name in enumerate(["sp", "bp", "si", "di"], 4):
    GENERAL |= {f"r{_name}": (_number, 8), f"e{_name}": (_number, 4), _name: (_number, 2), f"{_name}l": (_number, 1)}
for _number in range(8, 16):
    GENERAL |= {f"r{_number}{s}": (_number, w) for s, w in (("", 8), ("d", 4), ("w", 2), ("b", 1))}
LOWEST = 56
UPPER = 72 - 16  # from a vector's lowest 16 bytes to the others
VECTOR_BYTES = {"x": 16, "y": 32, "z": 64}
SUFFIX = {"b": 1, "w": 2, "l": 4, "q": 8}

# General instructions: what they do with flags. `w` overwrites, `m` changes some or none, `r` reads, `-` nothing.
PLAIN = {"add": "w", "sub": "w", "and": "w", "or": "w", "xor": "w", "cmp": "w", "test": "w", "neg": "w", "inc": "m", "dec": "m",
         "shl": "m", "shr": "m", "sar": "m", "sal": "m", "rol": "m", "ror": "m", "imul": "w", "mul": "w", "div": "m", "bt": "m",
         "btr": "m", "bts": "m", "adc": "rw", "sbb": "rw", "bsr": "m", "bsf": "m", "tzcnt": "m", "lzcnt": "m", "popcnt": "w", "andn": "w",
         "blsr": "w", "bzhi": "w", "not": "-", "mov": "-", "movabs": "-", "lea": "-", "xchg": "-", "shlx": "-", "shrx": "-", "sarx": "-",
         "rorx": "-", "mulx": "-", "bswap": "-"}  # fmt: skip
ONLY_READ = {"cmp", "test", "bt", "kortest", "ktest", "ptest", "vptest", "prefetch"}
WITHOUT_OLD = re.compile(r"(mov|movabs|lea|shlx|shrx|sarx|rorx|andn|bzhi|blsr|popcnt|tzcnt|lzcnt|k\w+|pshuf(d|hw|lw)|mov(dq[au]|[au]p[sd]|ntdq|ntps)"
                         r"|mov[dq]|lddqu|mov[sz][bwl][wlq]?|movslq|pmovmskb|movmskp[sd])$")  # fmt: skip
KEEPS_OLD = re.compile(r"v(pternlog|perm[ti]2|fn?m)")
# What VECTOR would take for others: they write flags, or registers that they do not name.
UNKNOWN = re.compile(r"v?u?comis[sd]|v?testp[sd]|v?pcmp[ei]str\w*|vzeroall|v?maskmov\w*|vpmaskmov\w*")
VECTOR = re.compile(r"(v?p?(add|sub|sub?us|mul|mull|max|min|cmp|and|andn|or|xor|blend|broadcast|perm|shuf|unpck|ternlog|sll|srl|sra|sad|avg|abs|sign"
                    r"|align|test|extr|insr|mov|lzcnt|rol|ror)\w*|v?(mov|lddqu|blend|and|andn|or|xor|shuf|unpck|insert|extract|broadcast|align|perm|dbpsadbw)\w*|k\w+)$")  # fmt: skip


def memory_bytes(name: str, operands: list[str]) -> int:
    """The size of a memory operand of a vector instruction."""
    plain = name.removeprefix("v")
    if m := re.search(r"\{1to(\d+)\}", " ".join(operands)):
        widest = max(VECTOR_BYTES[r] for r in re.findall(r"%([xyz])mm", " ".join(operands)))
        return widest // int(m[1])
    if m := re.fullmatch(r"pbroadcast([bwdq])|p(?:extr|insr)([bwdq])", plain):
        return {"b": 1, "w": 2, "d": 4, "q": 8}[m[1] or m[2]]
    fixed = {"broadcastss": 4, "broadcastsd": 8, "movd": 4, "movq": 8, "movss": 4, "movsd": 8, "movhps": 8, "movlps": 8, "movhpd": 8, "movlpd": 8, "kmovb": 1, "kmovw": 2, "kmovd": 4, "kmovq": 8}  # fmt: skip
    if plain in fixed:
        return fixed[plain]
    if re.fullmatch(r"(broadcast|insert|extract)[if](128|32x4|64x2)", plain):
        return 16
    if re.fullmatch(r"(broadcast|insert|extract)[if](32x8|64x4)", plain):
        return 32
    if re.match(r"pmov[sz]x|pmov(us|s)?[wdq][bwd]$|gather|compress|expand|scatter", plain.removeprefix("p")) or "gather" in plain or "compress" in plain:
        raise KeyError(name)
    if re.match(r"ps(ll|rl|ra)[wdq]$", plain) and not operands[0].startswith("$") and "(" in operands[0]:
        return 16
    registers = re.findall(r"%([xyz])mm", " ".join(operands))
    if not registers:
        raise KeyError(name)
    return max(VECTOR_BYTES[r] for r in registers)


class Line:
    """What an instruction does."""

    def __init__(self) -> None:
        self.reads: set[int] = set()
        self.writes: set[int] = set()
        self.memory = "-"
        self.flags = "-"
        # b: bit by bit, so that lowest bytes depend on lowest bytes alone; j: a conditional branch; i: an indirect branch, whose
        # operands must not depend on elements; k: a masked access; s: a string instruction; C, P: a call and a push of memory.
        self.kind = "n"

    def whole(self) -> tuple[set[int], set[int]]:
        """What is read and written, with the lowest bytes of general registers."""
        reads, writes = ({*part, *(LOWEST + n for n in part if n < 16)} for part in (self.reads, self.writes))
        return reads, writes

    def text(self, address: int) -> str:
        """The line of the table."""
        numbers = [" ".join(map(str, [len(part), *sorted(part)])) for part in self.whole()]
        return f"{address:x} {self.kind} {self.flags} {numbers[0]} {numbers[1]} {self.memory}"

    def use_memory(self, operand: str, size: int, mode: str) -> None:
        """An address, its size, and r, w, or m for a write of some of its bytes. `-`: thread-local or part of the code."""
        operand = re.sub(r"\{.*", "", operand)
        if "%fs:" in operand or "(%rip)" in operand:
            operand_base = -1 if "(%rip)" in operand else -2
            self.memory = f"{mode} {operand_base} -1 1 0 {size}"
            return
        m = re.fullmatch(r"(?:%[de]s:)?(-?0x[0-9a-f]+)?\((%\w+)?(?:,(%\w+)(?:,(\d))?)?\)", operand)
        if not m:
            raise KeyError(operand)
        base = GENERAL[m[2][1:]][0] if m[2] else -1
        index = GENERAL[m[3][1:]][0] if m[3] and m[3] != "%riz" else -1
        self.memory = f"{mode} {base} {index} {m[4] or 1} {int(m[1] or '0', 16)} {size}"
        if base == -1:
            raise KeyError(operand)


def register(operand: str) -> tuple[int, int] | None:
    """Number and bytes."""
    if m := re.fullmatch(r"%([xyz])mm(\d+)", operand):
        return 16 + int(m[2]), VECTOR_BYTES[m[1]]
    if m := re.fullmatch(r"%k(\d)", operand):
        return 48 + int(m[1]), 8
    return GENERAL.get(operand[1:]) if operand.startswith("%") else None


def decode(name: str, rest: str) -> Line:
    """Raises KeyError for what is not known."""
    line = Line()
    while name in ("lock", "notrack", "bnd", "data16", "cs", "repz", "es", "ds"):
        name, _, rest = rest.partition(" ")
    operands = [o.strip() for o in re.split(r",(?![^(]*\))", rest)] if rest else []
    if re.fullmatch(r"nop[wl]?", name) or name in ("endbr64", "pause", "sfence", "lfence", "mfence") or (name == "xchg" and rest == "%ax,%ax"):
        return line
    if name == "vzeroupper":
        line.writes = {UPPER + number for number in range(16, 32)}
        return line
    if name == "rep":
        what = rest.split(" ")[0]
        if not what.startswith(("movs", "stos")):
            raise KeyError(name)
        line.reads, line.kind = {1, 7} | ({6} if what.startswith("movs") else {0}), "s"
        filled = re.match(r"stos +%(\w+),", rest)
        size = GENERAL[filled[1]][1] if filled else SUFFIX[what[-1]]
        line.memory = f"{'c' if what.startswith('movs') else 'f'} 7 6 1 0 {size}"
        return line
    if name in ("ret", "retq", "leave", "push", "pop") or name.startswith(("call", "jmp")):
        return transfer(line, name, operands)
    if m := re.fullmatch(r"j[a-z]+", name):
        line.kind, line.flags = "j", "r"
        return line
    if m := re.fullmatch(r"(cmov|set)[a-z]+", name):
        line.flags = "r"
        return general(line, m[1], operands, 1 if m[1] == "set" else 0)
    if name in ("cltq", "cwtl", "cqto", "cltd"):
        line.reads, line.writes = {0}, {2} if name in ("cqto", "cltd") else {0}
        return line
    if name in ("xgetbv", "cpuid", "syscall", "rdtsc", "int3", "hlt", "ud2"):
        raise KeyError(name)
    if name.startswith("prefetch"):
        line.use_memory(operands[0], 0, "r")
        return line
    if m := re.fullmatch(r"mov([sz])([bwl])[wlq]|movslq", name):
        return general(line, "mov", operands, SUFFIX[m[2]] if m[1] else 4)
    if not any("mm" in o or re.match(r"%k\d", o) for o in operands):
        plain = name if name in PLAIN else name[:-1] if name[:-1] in PLAIN and name[-1] in SUFFIX else None
        if plain is None:
            raise KeyError(name)
        line.flags = PLAIN[plain]
        return general(line, plain, operands, SUFFIX[name[-1]] if plain != name else 0)
    if not VECTOR.match(name):
        raise KeyError(name)
    return vector(line, name, operands)


def transfer(line: Line, name: str, operands: list[str]) -> Line:
    """Calls, jumps and the stack."""
    if name == "leave":
        line.reads, line.writes, line.memory = {5}, {4, 5}, "r 5 -1 1 0 8"
    elif name in ("ret", "retq", "pop"):
        line.memory = "r 4 -1 1 0 8"
        line.kind = "n" if name == "pop" else "i"
        line.writes = {GENERAL[operands[0][1:]][0]} if name == "pop" else set()
    elif name == "push" or name.startswith("call"):
        line.memory = "w 4 -1 1 -8 8"
        if name == "push" and (known := register(operands[0])):
            line.reads = {known[0]}
        elif name == "push" and not operands[0].startswith("$"):
            line.kind = "P"  # reads memory and writes to the stack
            line.use_memory(operands[0], 8, "r")
    if name.startswith(("call", "jmp")) and operands and operands[0].startswith("*"):
        line.kind = "i"
        if known := register(operands[0][1:]):
            line.reads = {known[0]}
        elif name.startswith("call"):
            line.kind = "C"  # the target is read from memory, and the return address is written
            line.use_memory(operands[0][1:], 8, "r")
        else:
            line.use_memory(operands[0][1:], 8, "r")
    return line


def read_or_written(operand: str, found: tuple[int, int]) -> int:
    """The register, or its lowest byte where that is all."""
    return LOWEST + found[0] if found[1] == 1 and operand[-1] != "h" and found[0] < 16 else found[0]


def general(line: Line, plain: str, operands: list[str], size: int) -> Line:
    """General registers and memory."""
    known = [register(o) for o in operands]
    size = size or max((k[1] for k in known if k), default=0)
    *sources, target = operands
    if plain in ("xor", "sub") and len(operands) == 2 and operands[0] == target and known[0] and size >= 4:
        line.writes = {known[0][0]}
        return line
    if plain in ("mul", "div") or (plain == "imul" and len(operands) == 1):
        line.reads, line.writes = {0, 2}, {0, 2}
        if known[0]:
            line.reads.add(known[0][0])
        else:
            line.use_memory(operands[0], size, "r")
        return line
    if plain == "lea":
        line.reads = {GENERAL[r[1:]][0] for r in re.findall(r"%\w+", sources[0]) if r not in ("%rip", "%riz")}
        line.writes = {known[-1][0]} if known[-1] else set()
        return line
    if plain == "mulx":  # the product of a register that it does not name, to two
        line.reads, line.writes = {2}, {found[0] for found in known[1:] if found}
        sources, known = sources[:1], known[:1]
    if (plain == "xchg" and not all(known)) or (plain in ("bt", "btr", "bts") and known[0] and not known[-1]):
        raise KeyError(plain)  # memory that is exchanged, or whose address depends on the number of the bit
    for operand, found in zip(sources, known):
        if found:
            line.reads.add(read_or_written(operand, found))
        elif not operand.startswith("$"):
            line.use_memory(operand, size, "r")
    if plain in ("shl", "shr", "sar", "rol", "ror") and sources == ["%cl"]:
        line.reads.add(1)
    only_read = plain in ONLY_READ
    if plain == "mulx":
        return line
    if known[-1]:
        written = read_or_written(target, known[-1])
        byte = written >= LOWEST
        if not (WITHOUT_OLD.match(plain) or (plain == "set" and byte)) or (known[-1][1] < 4 and not byte) or only_read:
            line.reads.add(written)
        if not only_read:
            line.writes = {written}
        if plain in ("and", "or", "xor", "mov") and known[0] and min(known[0][1], known[-1][1]) >= 4:
            line.kind = "b"
        if plain == "xchg" and known[0]:
            line.writes.add(read_or_written(operands[0], known[0]))
    elif not target.startswith("$"):
        if line.memory != "-":
            raise KeyError(plain)
        mode = "r" if only_read else "w" if plain in ("mov", "set") else "m"
        line.use_memory(target, 1 if plain == "set" else size, mode)
    return line


def parts_of(known: tuple[int, int], clears: bool) -> set[int]:
    """A register; of a vector its lowest 16 bytes, and the others if they are read or written, or cleared as AVX does."""
    number, size = known
    return {number, UPPER + number} if 16 <= number < 48 and (size > 16 or clears) else {number}


def vector(line: Line, name: str, operands: list[str]) -> Line:
    """Vectors and masks."""
    operands = [o for o in operands if not re.fullmatch(r"\{\w+-?\w*\}", o)]
    masked = None
    if m := re.search(r"\{%k(\d)\}(\{z\})?$", operands[-1]):
        masked = m
        line.reads.add(48 + int(m[1]))
        operands = [*operands[:-1], operands[-1][: m.start()]]
    *sources, target = operands
    base = re.sub(r"[bwdq]$", "", name) if name.startswith(("kortest", "ktest")) else name
    only_read = base in ("kortest", "ktest", "ptest", "vptest")
    if UNKNOWN.fullmatch(name):
        raise KeyError(name)
    if only_read:
        line.flags = "w"
    same = len(set(operands[-3:] if name.startswith("v") else operands)) == 1 or (len(operands) == 3 and operands[0] == operands[1])
    avx = name.startswith("v")
    if re.match(r"v?(pxor|xorp|psub|pandn)", name) and same and masked is None:
        line.writes = parts_of(register(target), avx)  # type: ignore[arg-type]
        return line
    for operand in sources:
        if known := register(operand):
            line.reads |= parts_of(known, False)
        elif not operand.startswith("$"):
            line.use_memory(operand, memory_bytes(name, operands), "r")
            line.kind = "k" if masked else line.kind
    if known := register(target):
        keeps = only_read or (masked is not None and masked[2] is None) or KEEPS_OLD.match(name) or name.startswith("vpinsr")
        if keeps or not (avx or WITHOUT_OLD.match(name)):
            line.reads |= parts_of(known, False)
        if not only_read:
            line.writes = parts_of(known, avx)
    else:
        line.use_memory(target, memory_bytes(name, operands), "m" if masked else "w")
        line.kind = "k" if masked else line.kind
    if name.startswith(("pblendv", "blendv")) and len(operands) == 2:
        line.reads.add(16)
    return line


# Instructions, and what they read, write and do with flags, memory aside; None: not known. Of a general register both parts are named.
ALL_A, ALL_C, ALL_D, ALL_B = ({n, LOWEST + n} for n in range(4))
X0, X1, X2, Y0, Y1, Y2 = {16}, {17}, {18}, {16, 72}, {17, 73}, {18, 74}
EXPECTED: dict[str, tuple[set[int], set[int], str] | None] = {
    "pshufb %xmm1,%xmm0": (X0 | X1, X0, "-"),
    "pshufd $0x1,%xmm1,%xmm0": (X1, X0, "-"),
    "pshuflw $0x1,%xmm1,%xmm0": (X1, X0, "-"),
    "vpshufb %ymm2,%ymm1,%ymm0": (Y1 | Y2, Y0, "-"),
    "palignr $0x8,%xmm1,%xmm0": (X0 | X1, X0, "-"),
    "pblendvb %xmm0,%xmm1,%xmm2": (X0 | X1 | X2, X2, "-"),
    "pblendvb %xmm1,%xmm2": (X0 | X1 | X2, X2, "-"),
    "blendvps %xmm0,%xmm1,%xmm2": (X0 | X1 | X2, X2, "-"),
    "pblendw $0x1,%xmm1,%xmm0": (X0 | X1, X0, "-"),
    "punpcklbw %xmm1,%xmm0": (X0 | X1, X0, "-"),
    "shufps $0x1,%xmm1,%xmm0": (X0 | X1, X0, "-"),
    "pinsrw $0x1,%eax,%xmm0": (X0 | ALL_A, X0, "-"),
    "movhlps %xmm1,%xmm0": (X0 | X1, X0, "-"),
    "movlhps %xmm1,%xmm0": (X0 | X1, X0, "-"),
    "movss %xmm1,%xmm0": (X0 | X1, X0, "-"),
    "movhps (%rax),%xmm0": (X0, X0, "-"),
    "movdqa %xmm1,%xmm0": (X1, X0, "-"),
    "vmovdqa %xmm1,%xmm0": (X1, Y0, "-"),
    "vmovdqa %ymm1,%ymm0": (Y1, Y0, "-"),
    "vextracti128 $0x1,%ymm1,%xmm0": (Y1, Y0, "-"),
    "pxor %xmm0,%xmm0": (set(), X0, "-"),
    "vpxor %xmm1,%xmm1,%xmm0": (set(), Y0, "-"),
    "pcmpeqd %xmm0,%xmm0": (X0, X0, "-"),
    "vpternlogd $0x96,%zmm2,%zmm1,%zmm0": (Y0 | Y1 | Y2, Y0, "-"),
    "vpermt2d %zmm2,%zmm1,%zmm0": (Y0 | Y1 | Y2, Y0, "-"),
    "vmovdqu8 %zmm1,%zmm0{%k1}": (Y0 | Y1 | {49}, Y0, "-"),
    "vmovdqu8 %zmm1,%zmm0{%k1}{z}": (Y1 | {49}, Y0, "-"),
    "vpcmpgtd %zmm1,%zmm0,%k2": (Y0 | Y1, {50}, "-"),
    "vptest %ymm1,%ymm0": (Y0 | Y1, set(), "w"),
    "kortestd %k1,%k2": ({49, 50}, set(), "w"),
    "pmovmskb %xmm0,%eax": (X0, ALL_A, "-"),
    "vmovd %xmm1,%eax": (X1, ALL_A, "-"),
    "vzeroupper": (set(), set(range(72, 88)), "-"),
    "mulx %rcx,%rax,%rbx": (ALL_C | ALL_D, ALL_A | ALL_B, "-"),
    "mulx (%rdi),%rax,%rbx": (ALL_D, ALL_A | ALL_B, "-"),
    "mul %rcx": (ALL_A | ALL_D | ALL_C, ALL_A | ALL_D, "w"),
    "shlx %rcx,%rdx,%rax": (ALL_C | ALL_D, ALL_A, "-"),
    "cmovne %rdx,%rax": (ALL_A | ALL_D, ALL_A, "r"),
    "bsf %rdx,%rax": (ALL_A | ALL_D, ALL_A, "m"),
    "adc %rdx,%rax": (ALL_A | ALL_D, ALL_A, "rw"),
    "xor %eax,%eax": (set(), ALL_A, "w"),
    "xor %al,%al": ({LOWEST}, {LOWEST}, "w"),
    "xor %ax,%ax": (ALL_A, ALL_A, "w"),
    "mov %dx,%ax": (ALL_A | ALL_D, ALL_A, "-"),
    "mov %dl,%al": ({LOWEST + 2}, {LOWEST}, "-"),
    "xchg %rax,%rdx": (ALL_A | ALL_D, ALL_A | ALL_D, "-"),
    "shl %cl,%rax": (ALL_A | ALL_C, ALL_A, "m"),
    **dict.fromkeys((
        "xchg %rax,(%rdx)", "bt %rax,(%rdx)", "bts %rax,(%rdx)", "cmpxchg %rax,(%rdx)", "xadd %rax,%rdx", "vzeroall", "vtestps %ymm1,%ymm0",
        "pcmpistri $0x1,%xmm1,%xmm0", "vpcmpestrm $0x1,%xmm1,%xmm0", "ucomiss %xmm1,%xmm0", "vcomisd %xmm1,%xmm0", "shld $0x1,%rax,%rdx",
        "vpmaskmovd (%rax),%ymm1,%ymm0", "maskmovdqu %xmm1,%xmm0", "vpgatherdd %ymm2,(%rax,%ymm1,4),%ymm0", "vpcompressd %zmm0,(%rax){%k1}",
        "vfmadd231ps %zmm2,%zmm1,%zmm0", "vpdpbusd %zmm2,%zmm1,%zmm0", "vpmadd52luq %zmm2,%zmm1,%zmm0", "vpshldvw %zmm2,%zmm1,%zmm0",
        "nopq2", "cpuid", "rdtsc", "emms"))}  # fmt: skip


def self_test() -> int:
    """Compares what is decoded with EXPECTED."""
    wrong = 0
    for text, expected in EXPECTED.items():
        name, _, rest = text.partition(" ")
        try:
            line = decode(name, rest)
            found = (*line.whole(), line.flags)
        except (KeyError, TypeError):
            found = None
        if found != expected:
            wrong += 1
            print(f"decode.py: {text}: {found}, should be {expected}")
    print(f"decode.py: {len(EXPECTED)} instructions, {wrong} not decoded as they must be")
    return 1 if wrong else 0


def main() -> int:
    """Writes the table."""
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    text = subprocess.run(["objdump", "-d", "-w", "--no-show-raw-insn", sys.argv[1]], capture_output=True, text=True, check=True).stdout
    lines = []
    for found in re.finditer(r"^\s+([0-9a-f]+):\s+(\S+)(?: +(.*?))?\s*(?:[#<].*)?$", text, re.MULTILINE):
        address, name, rest = int(found[1], 16), found[2], (found[3] or "").strip()
        try:
            lines.append(decode(name, rest).text(address))
        except (KeyError, TypeError):
            lines.append(f"{address:x} ? {name} {rest}")
    Path(sys.argv[2]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
