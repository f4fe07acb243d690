"""Machine code of the lane functions: compiled with the build's options, linked so that addresses are numbers, and disassembled."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SOURCE = HERE / "lane_functions.cc"

# Targets whose kernels have translation units of their own (src/kernels/simd_sve_256.cc), with the bits of a vector: their options.
SVE_TARGETS = {"sve_256": 256, "sve2_128": 128}

# Compiled with the options of every other file of the kernels.
KERNELS = ROOT / "src/kernels/simd_join.cc"


def options_of(build: Path) -> list[str]:
    """The options with which a build folder compiles the kernels of the library, without warnings, folders and files."""
    database = build / "compile_commands.json"
    if not database.is_file():
        raise SystemExit(f"{database} is not there: cmake --preset release, or name a configured folder")
    entries = json.loads(database.read_text(encoding="utf-8"))
    commands = [entry["command"] for entry in entries if Path(entry["file"]) == KERNELS and "/supremum.dir/" in entry["command"]]
    if len(commands) != 1:
        raise SystemExit(f"{database} compiles {KERNELS.name} {len(commands)} times for the library")
    found, words = ["-Wno-psabi"], iter(shlex.split(commands[0])[1:])
    for word in words:
        if word in ("-c", "-o", "-isystem", "--param"):
            next(words)
        elif word.startswith("-") and not word.startswith(("-I", "-W")):
            found.append(word)
    return found


def alone(target: str) -> list[str]:
    """The options of a target with a file of its own: those of src/CMakeLists.txt, and the definitions in the file."""
    lists, source = ((ROOT / "src" / name).read_text(encoding="utf-8") for name in ("CMakeLists.txt", f"kernels/simd_{target}.cc"))
    length = re.search(rf"simd_{target}\.cc PROPERTIES COMPILE_OPTIONS (\S+)\)", lists)
    if not length:
        raise SystemExit(f"src/CMakeLists.txt has no options of simd_{target}.cc")
    definitions = [f"-D{name}={value or 1}" for name, value in re.findall(r"^#define (HWY_\w+) ?(.*)$", source, re.MULTILINE)]
    return [*definitions, "-DSUPREMUM_WITHOUT_PORTABLE", length[1]]


@dataclass(frozen=True)
class Compiler:
    """A compiler and the processor that it compiles for."""

    name: str
    command: tuple[str, ...]
    objdump: str = "objdump"
    arm: bool = False
    sve: bool = False  # whether the library has kernels for SVE when it compiles it

    @property
    def targets_alone(self) -> dict[str, list[str]]:
        """Targets that are compiled on their own, and their options."""
        return {target: alone(target) for target in SVE_TARGETS} if self.sve else {}


COMPILERS = {
    compiler.name: compiler
    for compiler in (
        Compiler("gcc", ("g++",)),
        Compiler("clang", ("clang++-16",)),
        Compiler("gcc-arm", ("aarch64-linux-gnu-g++",), "aarch64-linux-gnu-objdump", True, sve=True),
        Compiler("clang-arm", ("clang++-16", "--target=aarch64-linux-gnu"), "aarch64-linux-gnu-objdump", True),
    )
}


@dataclass
class Instruction:
    """A line of the disassembly."""

    name: str
    operands: str
    address: int
    refers: int | None = None  # the address of a rip-relative operand


@dataclass
class Code:
    """Functions by symbol, and the bytes of constants by address."""

    functions: dict[str, list[Instruction]] = field(default_factory=dict)
    constants: dict[int, int] = field(default_factory=dict)

    def number_at(self, address: int, size: int) -> int:
        """A little-endian constant."""
        return int.from_bytes(bytes(self.constants[address + k] for k in range(size)), "little")


def version(compiler: Compiler) -> str:
    """What the compiler says that it is; empty where it or its disassembler is missing."""
    if not shutil.which(compiler.command[0]) or not shutil.which(compiler.objdump):
        return ""
    done = subprocess.run([*compiler.command, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[0] if done.returncode == 0 else ""


def compile_functions(compiler: Compiler, library: Path, options: list[str]) -> None:
    """Compiles lane_functions.cc to a shared library; the options precede the include folders."""
    launcher = ["ccache"] if shutil.which("ccache") else []
    includes = ["-I", str(HERE), "-I", str(ROOT / "src"), "-I", str(ROOT / "include")]
    if compiler.arm:  # Highway's headers, which are the same for all processors
        folder = library.with_suffix(".include")  # its own: two compilers run at the same time
        folder.mkdir()
        (folder / "hwy").symlink_to("/usr/include/hwy")
        includes += ["-I", str(folder)]
    command = [*compiler.command, *options, *includes]
    made = library.with_suffix(".o")
    run([*launcher, *command, "-c", str(SOURCE), "-o", str(made)])
    linker = ["aarch64-linux-gnu-ld"] if compiler.arm else ["ld"]
    run([*linker, "-shared", "--unresolved-symbols=ignore-all", str(made), "-o", str(library)])


def run(command: list[str]) -> str:
    """Standard output; a failure ends the program."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}:\n{done.stderr[-3000:]}")
    return done.stdout


def read_code(compiler: Compiler, library: Path) -> Code:
    """The functions whose names are those of lane_functions.cc, and all constants."""
    code = Code()
    current: list[Instruction] | None = None
    for line in run([compiler.objdump, "-d", "-w", "--no-show-raw-insn", str(library)]).splitlines():
        if m := re.match(r"[0-9a-f]+ <([A-Za-z0-9_]+)>:$", line):
            current = code.functions.setdefault(m[1], []) if re.fullmatch(r"[A-Z]\w*?__\w+?__\w+", m[1]) else None
        elif current is not None and (m := re.match(r"\s+([0-9a-f]+):\s+(.*?)\s*$", line)):
            text, _, comment = m[2].partition("//" if compiler.arm else "#")
            name, _, operands = text.strip().partition("\t" if compiler.arm else " ")
            target = re.match(r"\s*([0-9a-f]+)", comment)
            current.append(Instruction(name, operands.strip(), int(m[1], 16), int(target[1], 16) if target and "rip" in operands else None))
    for line in run([compiler.objdump, "-s", str(library)]).splitlines():
        if m := re.match(r" ([0-9a-f]{4,}) ((?:[0-9a-f]{2,8} ?){1,4})  ", line):
            for k, byte in enumerate(bytes.fromhex(m[2].replace(" ", ""))):
                code.constants[int(m[1], 16) + k] = byte
    return code
