"""The conditional jumps of the kernels, from the objects of the library; and where a program has the same code."""

from __future__ import annotations

import re
import subprocess
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

KERNELS = ["portable", "simd_join", "simd_lines", "simd_many", "simd_moves", "simd_rows", "simd_runs", "simd_short_runs"]
LEADS_ON = re.compile(r"(?:notrack )?(jmp|ret|ud2|hlt)")  # what no instruction behind it is reached from


def output(*command: str | Path) -> str:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True).stdout


@dataclass
class Jump:
    """A conditional jump. Addresses are in the object's section of code."""

    at: int
    target: int
    length: int
    condition: int  # the lowest four bits of its code
    function: str  # demangled
    alone: tuple[bool, bool]  # not taken, taken: whether nothing else leads to the instruction that is executed then


@dataclass
class Object:
    """An object file of the kernels."""

    name: str
    code: bytes
    symbols: dict[str, int]  # functions
    relocated: list[tuple[int, int]]  # bytes that the linker writes: from, to
    jumps: list[Jump] = field(default_factory=list)
    padding: list[int] = field(default_factory=list)  # bytes that are never executed

    def masked(self, code: bytes) -> bytes:
        """Code without what the linker writes."""
        left = bytearray(code)
        for begin, end in self.relocated:
            left[begin:end] = bytes(end - begin)
        return bytes(left)


def section(file: Path, name: str) -> tuple[int, int, int]:
    """Address, offset in the file, size."""
    found = re.search(rf"\] {re.escape(name)} +PROGBITS +(\w+) (\w+) (\w+)", output("readelf", "-SW", file))
    assert found, f"{file} has no section {name}"
    return int(found[1], 16), int(found[2], 16), int(found[3], 16)


def functions(file: Path) -> dict[str, dict[str, int]]:
    """Source file -> its local functions in .text -> address. The empty name: functions that are not local."""
    text = re.search(r"\[ *(\d+)\] \.text ", output("readelf", "-SW", file))
    assert text, f"{file} has no code"
    found: dict[str, dict[str, int]] = defaultdict(dict)
    source = ""
    for line in output("readelf", "-sW", file).splitlines():
        part = line.split()
        if len(part) == 8 and part[3] == "FILE":
            source = part[7]
        elif len(part) == 8 and part[3] == "FUNC" and part[6] == text[1]:
            found[source if part[4] == "LOCAL" else ""][part[7]] = int(part[1], 16)
    return found


def read(file: Path, name: str) -> Object:
    """The object file of the source NAME.cc."""
    _, offset, size = section(file, ".text")
    code = file.read_bytes()[offset : offset + size]
    found = functions(file)
    relocated = []
    for place, kind in re.findall(r"^(\w{16})  \w+ (\w+)", output("readelf", "-rW", file).partition(".rela.text'")[2].partition("\n\n")[0], re.MULTILINE):
        # Where the linker knows the address, it replaces a load of it by a computation: three bytes before it change.
        begin = int(place, 16)
        relocated.append((begin - 3 if "GOTPCREL" in kind else begin, begin + (8 if kind == "R_X86_64_64" else 4)))
    object_file = Object(name, code, found[f"{name}.cc"], relocated)
    add_jumps(file, object_file, {**found[""], **found[f"{name}.cc"]})
    return object_file


def add_jumps(file: Path, of: Object, entries: dict[str, int]) -> None:
    listing = output("objdump", "-d", "--no-show-raw-insn", "-j", ".text", file)
    instructions = [(int(at, 16), text) for at, text in re.findall(r"^ +([0-9a-f]+):\t(.*)$", listing, re.MULTILINE)]
    starts = sorted((address, name) for name, address in entries.items())
    names = output_of_filter("c++filt", [name for _, name in starts])
    addresses = [address for address, _ in starts]

    leads: dict[int, int] = defaultdict(int)  # address -> direct jumps and calls to it
    indirect: set[int] = set()  # functions that jump to addresses that are computed: they may have tables of them
    for at, text in instructions:
        to = re.match(r"(?:notrack |bnd )?(j\w+|call|loop\w*|xbegin) +(\*|[0-9a-f]+)", text)
        if to and to[2] != "*":
            leads[int(to[2], 16)] += 1
        elif to and to[1] == "jmp":
            indirect.add(bisect_right(addresses, at) - 1)
    for address in addresses:
        leads[address] += 1

    through = False  # whether the instruction before leads to this one
    reached_by_the_one_before = {}
    ends = [at for at, _ in instructions[1:]] + [len(of.code)]
    for (at, text), end in zip(instructions, ends):
        reached_by_the_one_before[at] = through
        if through or leads[at] or not text.startswith(("nop", "data16", "cs nop", "xchg   %ax,%ax")):
            through = not LEADS_ON.match(text)
        else:
            of.padding += range(at, end)
    for (at, text), end in zip(instructions, ends):
        if not re.match(r"(?:bnd )?(j(?!mp)\w+|loop)", text):
            continue
        code, length = of.code[at:end], end - at
        assert (length == 2 and code[0] >> 4 == 7) or (length == 6 and code[0] == 0x0F and code[1] >> 4 == 8), f"{of.name}: not supported: {text}"
        assert not any(begin < end and at < stop for begin, stop in of.relocated), f"{of.name}: leaves the section: {text}"
        target = int(text.split()[1], 16)
        function = bisect_right(addresses, at) - 1
        known = function not in indirect
        of.jumps.append(Jump(at, target, length, code[-1 if length == 2 else 1] & 15 if length == 6 else code[0] & 15, names[function],
                             (known and leads[end] == 0, known and leads[target] == 1 and not reached_by_the_one_before[target])))  # fmt: skip


def output_of_filter(command: str, lines: list[str]) -> list[str]:
    return subprocess.run([command], input="\n".join(lines), capture_output=True, text=True, check=True).stdout.splitlines()


def base_in(program: Path, found: dict[str, dict[str, int]], code: tuple[int, bytes], of: Object) -> int:
    """Where a program has an object's code. It must have every byte of it, except for what the linker writes."""
    here = found.get(f"{of.name}.cc", {})
    bases = {address - of.symbols[name] for name, address in here.items() if name in of.symbols}
    assert len(bases) == 1 and here.keys() >= of.symbols.keys(), f"{program} does not have the functions of {of.name}.cc"
    base = bases.pop()
    begin, text = code
    assert of.masked(text[base - begin : base - begin + len(of.code)]) == of.masked(of.code), f"{program} has other code than {of.name}.cc.o"
    return base


def code_of(program: Path) -> tuple[int, bytes]:
    """Address and bytes of a program's code."""
    address, offset, size = section(program, ".text")
    return address, program.read_bytes()[offset : offset + size]
