"""What each instruction does to one lane, and how the assembler is given it: one model of each, by target.

A name is the assembler's, and behind a dot the immediate operand in hexadecimal; `and_` is `and`, which SMT-LIB has for itself.
verification/cosimulation compares each of these models with the processor's instruction.
"""

from __future__ import annotations

from dataclasses import dataclass

LETTER = {8: "b", 16: "w", 32: "d", 64: "q"}


@dataclass(frozen=True)
class Instruction:
    """One instruction on the elements of one lane."""

    name: str
    operands: str  # their names; k is a mask of bits
    body: str  # with {zero} and {ones} of the elements' width
    form: str  # of AT_AND_T or NEON below
    width: int = 0  # of its elements, in bits, if they are narrower than the lane
    result: str = "V"

    def text(self, lane_width: int) -> str:
        """Its definition, for lanes of a width."""
        width = self.width or lane_width
        body = self.body.format(zero=f"(_ bv0 {width})", ones=f"(_ bv{(1 << width) - 1} {width})")
        names = self.operands.split()
        sort = {"k": "M"}
        if width == lane_width:
            parameters = " ".join(f"({name} {sort.get(name, 'V')})" for name in names)
            return f"(define-fun {self.name} ({parameters}) {self.result} {body})\n"
        element = f"(_ BitVec {width})"
        parameters = " ".join(f"({name} {element})" for name in names)
        calls = []
        for low in range(lane_width - width, -1, -width):
            parts = " ".join(f"((_ extract {low + width - 1} {low}) {name})" for name in names)
            calls.append(f"(element.{self.name} {parts})")
        lanes = " ".join(f"({name} V)" for name in names)
        return (
            f"(define-fun element.{self.name} ({parameters}) {element} {body})\n"
            f"(define-fun {self.name} ({lanes}) V (concat {' '.join(calls)}))\n"
        )


def two(name: str, body: str, width: int = 0) -> Instruction:
    """Of two vectors a vector."""
    return Instruction(name, "a b", body, "two", width)


def masks_if(condition: str) -> str:
    """An element of ones where a condition holds, else of zeros."""
    return f"(ite {condition} {{ones}} {{zero}})"


AND, AND_NOT, OR, XOR = "(bvand a b)", "(bvand (bvnot a) b)", "(bvor a b)", "(bvxor a b)"
ADD, SUBTRACT = "(bvadd a b)", "(bvsub a b)"
MAX_SIGNED, MAX_UNSIGNED, MIN_UNSIGNED = "(ite (bvsgt a b) a b)", "(ite (bvugt a b) a b)", "(ite (bvult a b) a b)"
BLEND = "(ite (bvslt mask {zero}) yes no)"  # by the highest bit of each element

# Of x86, what a comparison or a maximum of floats reads: with DAZ set, subnormal numbers are zeros of their sign. FZ of Arm is the
# same. The model is of both: `daz` is any truth value.
FLUSHED = """
(define-fun flushed ((a V)) V (ite (and daz (= (bvand a kInfinity) zero)) (bvand a (bvnot kMagnitude)) a))
(define-fun pattern_is_nan ((a V)) Bool (bvugt (bvand a kMagnitude) kInfinity))
"""


def sign_shift(prefix: str, width: int) -> Instruction:
    """Shifts the sign to all bits of an element."""
    count = f"(_ bv{width - 1} {width})"
    return Instruction(f"{prefix}psra{LETTER[width]}.{width - 1:x}", "a", f"(bvashr a {count})", "immediate", width)


def sse(target: str, width: int) -> list[Instruction]:
    """SSSE3 and SSE4, and AVX2, whose names begin with v."""
    v, letter, later = "v" if target == "avx2" else "", LETTER[width], target != "ssse3"
    found = [two(v + "pand", AND), two(v + "pandn", AND_NOT), two(v + "por", OR), two(v + "pxor", XOR)]
    found += [two(f"{v}padd{letter}", ADD), two(f"{v}psub{letter}", SUBTRACT)]
    if width < 64 or later:
        found.append(two(f"{v}pcmpgt{letter}", masks_if("(bvsgt a b)")))
    if width < 64 and (later or width == 16):
        found.append(two(f"{v}pmaxs{letter}", MAX_SIGNED))
    if width < 64 and (later or width == 8):
        found += [two(f"{v}pmaxu{letter}", MAX_UNSIGNED), two(f"{v}pminu{letter}", MIN_UNSIGNED)]
    if width in (16, 32):
        found.append(sign_shift(v, width))
    if later:
        found.append(Instruction(v + "pblendvb", "mask yes no", BLEND, "blend", 8))
        if width >= 32:
            found.append(Instruction(f"{v}blendvp{'s' if width == 32 else 'd'}", "mask yes no", BLEND, "blend"))
    elif width == 64:
        found += [two("pcmpgtd", masks_if("(bvsgt a b)"), 32), two("pcmpeqd", masks_if("(= a b)"), 32), sign_shift("", 32)]
        found.append(Instruction("pshufd.f5", "a", "(concat ((_ extract 63 32) a) ((_ extract 63 32) a))", "shuffle"))
    return found


def avx3(width: int) -> list[Instruction]:
    """AVX-512, with masks of bits."""
    letter = LETTER[width]
    bit = "(ite {} #b1 #b0)"
    found = [two("vpandq", AND), two("vporq", OR), two("vpxorq", XOR)]
    found += [two(f"vpadd{letter}", ADD), two(f"vpsub{letter}", SUBTRACT)]
    found += [two(f"vpmaxs{letter}", MAX_SIGNED), two(f"vpmaxu{letter}", MAX_UNSIGNED), two(f"vpminu{letter}", MIN_UNSIGNED)]
    found.append(Instruction(f"vpcmpgt{letter}", "a b", bit.format("(bvsgt a b)"), "compare", result="M"))
    move = {8: "vmovdqu8", 16: "vmovdqu16", 32: "vmovdqa32", 64: "vmovdqa64"}[width]
    found.append(Instruction(move, "k yes no", "(ite (= k #b1) yes no)", "masked_move"))
    found.append(Instruction(f"vpmov{letter}2m", "a", bit.format("(bvslt a {zero})"), "to_mask", result="M"))
    if width > 8:
        found.append(sign_shift("v", width))
        found.append(Instruction("vpternlogd.78", "a b c", "(bvxor a (bvand b c))", "ternary"))
    if width >= 32:
        unordered = bit.format("(or (pattern_is_nan (flushed a)) (pattern_is_nan (flushed b)))")
        found.append(Instruction(f"vcmpp{'s' if width == 32 else 'd'}.3", "a b", unordered, "compare_exact", result="M"))
    return found


def neon(width: int) -> list[Instruction]:
    """Advanced SIMD of Arm's 64-bit state, which has no maximum of 64-bit integers."""
    shift = f"(bvashr a (_ bv{width - 1} {width}))"
    found = [two("and_", AND), two("orr", OR), two("eor", XOR), two("add", ADD), two("sub", SUBTRACT)]
    found += [two("cmgt", masks_if("(bvsgt a b)")), two("cmhi", masks_if("(bvugt a b)"))]
    found.append(Instruction(f"sshr.{width - 1:x}", "a", shift, "immediate"))
    found.append(Instruction("bsl", "mask yes no", "(bvor (bvand mask yes) (bvand (bvnot mask) no))", "select"))
    if width < 64:
        found += [two("smax", MAX_SIGNED), two("umax", MAX_UNSIGNED), two("umin", MIN_UNSIGNED)]
    return found


def float_maximum(target: str, number: str, width: int) -> list[Instruction]:
    """Maxima of floats. No kernel uses one; controls show why."""
    larger = f"(fp.gt {number % '(flushed a)'} {number % '(flushed b)'})"
    if target == "neon":
        quiet = "(bvor {} kNaN)"
        signalling = "(and (pattern_is_nan {0}) (= (bvand {0} (bvxor kNaN kInfinity)) zero))"
        zeros = "(= (bvand (bvor (flushed a) (flushed b)) kMagnitude) zero)"
        body = (
            f"(ite {signalling.format('a')} {quiet.format('a')} (ite {signalling.format('b')} {quiet.format('b')}"
            " (ite (pattern_is_nan a) a (ite (pattern_is_nan b) b"
            f" (ite {zeros} (bvand (flushed a) (flushed b)) (ite {larger} (flushed a) (flushed b)))))))"
        )
        return [two("fmax", body)]
    # The second operand unless the first is larger: of two zeros, and where there is a NaN.
    v = "" if target in ("ssse3", "sse4") else "v"
    return [two(f"{v}maxp{'s' if width == 32 else 'd'}", f"(ite {larger} (flushed a) (flushed b))")]


def instructions(target: str, width: int, number: str | None) -> list[Instruction]:
    """All that the operations and algorithms of a target use on lanes of a width. `number` makes a float of a pattern."""
    if target in ("meaning", "portable"):
        return []
    found = neon(width) if target == "neon" else avx3(width) if target == "avx3" else sse(target, width)
    has_floats = number is not None and width >= 32
    return found + (float_maximum(target, number, width) if has_floats else [])


# How an instruction is written in GCC's inline assembly: template, outputs, inputs; the last output is the result. The operands are
# vectors by their names.
SSE_FORMS = {
    "two": ("{name} %1, %0", '"+x"(a.raw)', '"x"(b.raw)', "a"),
    "immediate": ("{name} $0x{immediate}, %0", '"+x"(a.raw)', "", "a"),
    "shuffle": ("{name} $0x{immediate}, %0, %0", '"+x"(a.raw)', "", "a"),
    "blend": ("{name} %%xmm0, %1, %0", '"+x"(no.raw)', '"x"(yes.raw), "Yz"(mask.raw)', "no"),
}
AVX_FORMS = {
    "two": ("{name} %1, %0, %0", '"+{x}"(a.raw)', '"{x}"(b.raw)', "a"),
    "immediate": ("{name} $0x{immediate}, %0, %0", '"+{x}"(a.raw)', "", "a"),
    "blend": ("{name} %2, %1, %0, %0", '"+x"(no.raw)', '"x"(yes.raw), "x"(mask.raw)', "no"),
    "compare": ("{name} %2, %1, %0", '"=k"(k.raw)', '"v"(a.raw), "v"(b.raw)', "k"),
    "compare_exact": ("{name} $0x{immediate}, %{{sae%}}, %2, %1, %0", '"=k"(k.raw)', '"v"(a.raw), "v"(b.raw)', "k"),
    "masked_move": ("{name} %2, %0%{{%1%}}", '"+v"(no.raw)', '"Yk"(k.raw), "v"(yes.raw)', "no"),
    "to_mask": ("{name} %1, %0", '"=k"(k.raw)', '"v"(a.raw)', "k"),
    "ternary": ("{name} $0x{immediate}, %2, %1, %0", '"+v"(a.raw)', '"v"(b.raw), "v"(c.raw)', "a"),
}
NEON_FORMS = {
    "two": ("{name} %0.{shape}, %0.{shape}, %1.{shape}", '"+w"(a.raw)', '"w"(b.raw)', "a"),
    "immediate": ("{name} %0.{shape}, %0.{shape}, #0x{immediate}", '"+w"(a.raw)', "", "a"),
    "select": ("{name} %0.16b, %1.16b, %2.16b", '"+w"(mask.raw)', '"w"(yes.raw), "w"(no.raw)', "mask"),
}


def assembly(instruction: Instruction, target: str, width: int) -> tuple[str, str]:
    """The C++ statement that executes an instruction on operands of its names, and the name of the result."""
    forms = NEON_FORMS if target == "neon" else SSE_FORMS if target in ("ssse3", "sse4") else AVX_FORMS
    template, outputs, inputs, result = forms[instruction.form]
    name, _, immediate = instruction.name.rstrip("_").partition(".")
    shape = {8: "16b", 16: "8h", 32: "4s", 64: "2d"}[width]
    if name in ("and", "orr", "eor"):
        shape = "16b"
    x = "v" if target == "avx3" else "x"
    template = template.format(name=name, immediate=immediate, shape=shape)
    return f'__asm__ volatile("{template}" : {outputs} : {inputs});'.replace("{x}", x), result
