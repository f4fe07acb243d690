"""Highway's operations, as the kernels use them, by target: which instructions Highway 1.0.3 makes of each.

`meaning` is what each is meant to do, in one step. The algorithms are proved over these, and each operation of each target is
proved to be what it means. From hwy/ops/x86_128-inl.h, x86_256-inl.h, x86_512-inl.h and arm_neon-inl.h.
"""

from __future__ import annotations

from instructions import LETTER

TARGETS = ("ssse3", "sse4", "avx2", "avx3", "neon")  # avx3_dl has what avx3 has, and permutes bytes

MEANING = """
(define-fun hn.And ((a V) (b V)) V (bvand a b))
(define-fun hn.Xor ((a V) (b V)) V (bvxor a b))
(define-fun hn.Add ((a V) (b V)) V (bvadd a b))
(define-fun hn.Sub ((a V) (b V)) V (bvsub a b))
(define-fun hn.Gt ((a V) (b V)) M (bvsgt a b))
(define-fun hn.Max ((a V) (b V)) V (ite ({greater} a b) a b))
(define-fun hn.MinUnsigned ((a V) (b V)) V (ite (bvult a b) a b))
(define-fun hn.BroadcastSignBit ((v V)) V (ite (bvslt v zero) ones zero))
(define-fun hn.IfThenElse ((m M) (yes V) (no V)) V (ite m yes no))
(define-fun hn.IfNegativeThenElse ((v V) (yes V) (no V)) V (ite (bvslt v zero) yes no))
(define-fun hn.OrMask ((m M) (n M)) M (or m n))
(define-fun hn.VecFromMask ((m M)) V (ite m ones zero))
"""

# Masks of lanes: VecFromMask and MaskFromVec do nothing.
SSE = """
(define-fun hn.And ((a V) (b V)) V ({v}pand a b))
(define-fun hn.Xor ((a V) (b V)) V ({v}pxor a b))
(define-fun hn.Add ((a V) (b V)) V ({v}padd{l} a b))
(define-fun hn.Sub ((a V) (b V)) V ({v}psub{l} a b))
(define-fun hn.Gt ((a V) (b V)) M {gt})
(define-fun hn.IfThenElse ((m M) (yes V) (no V)) V {if_then_else})
(define-fun hn.OrMask ((m M) (n M)) M ({v}por m n))
(define-fun hn.VecFromMask ((m M)) V m)
(define-fun hn.BroadcastSignBit ((v V)) V {sign})
(define-fun hn.IfNegativeThenElse ((v V) (yes V) (no V)) V {if_negative})
(define-fun hn.Max ((a V) (b V)) V {max})
(define-fun hn.MinUnsigned ((a V) (b V)) V {min_unsigned})
"""


def sse(target: str, width: int, signed: bool) -> str:
    """SSSE3, SSE4 and AVX2."""
    v, l, first = "v" if target == "avx2" else "", LETTER[width], target == "ssse3"
    gt = f"({v}pcmpgt{l} a b)"
    if first and width == 64:
        gt = "(pshufd.f5 (por (pcmpgtd a b) (pand (pcmpeqd a b) (psubq b a))))"
    if_then_else = f"({v}pblendvb m yes no)"
    if first:
        if_then_else = "(por (pand m yes) (pandn m no))"
    sign = f"({v}psra{l}.{width - 1:x} v)" if width in (16, 32) else "(hn.Gt zero v)"
    if first and width == 64:
        sign = "(pshufd.f5 (psrad.1f v))"
    # By the highest bit of each byte, or of each lane. SSSE3 takes all bits of v, which is wrong for 32 and 64 bits: the kernels have
    # a form of their own.
    blend = {8: "v", 16: "(hn.BroadcastSignBit v)"}.get(width)
    if_negative = f"({v}pblendvb {blend} yes no)" if blend else f"({v}blendvp{'s' if width == 32 else 'd'} v yes no)"
    if first:
        if_negative = "(hn.IfThenElse (hn.BroadcastSignBit v) yes no)" if width == 16 else "(hn.IfThenElse v yes no)"
    # With the highest bits turned round, unsigned numbers are in the order of signed ones.
    flipped = f"(hn.Gt ({v}pxor a sign) ({v}pxor b sign))"
    maximum = f"({v}pmax{'s' if signed else 'u'}{l} a b)"
    if width == 64 or (first and width != (16 if signed else 8)):
        maximum = "(hn.IfThenElse (hn.Gt b a) b a)" if signed else f"(hn.IfThenElse {flipped} a b)"
    minimum = f"({v}pminu{l} a b)"
    if width == 64 or (first and width != 8):
        minimum = f"(hn.IfThenElse {flipped} b a)"
    return SSE.format(
        v=v, l=l, gt=gt, if_then_else=if_then_else, sign=sign, if_negative=if_negative, max=maximum, min_unsigned=minimum
    )


AVX3 = """
(define-fun hn.And ((a V) (b V)) V (vpandq a b))
(define-fun hn.Xor ((a V) (b V)) V (vpxorq a b))
(define-fun hn.Add ((a V) (b V)) V (vpadd{l} a b))
(define-fun hn.Sub ((a V) (b V)) V (vpsub{l} a b))
(define-fun hn.Gt ((a V) (b V)) M (vpcmpgt{l} a b))
(define-fun hn.IfThenElse ((m M) (yes V) (no V)) V ({move} m yes no))
(define-fun hn.IfNegativeThenElse ((v V) (yes V) (no V)) V ({move} (vpmov{l}2m v) yes no))
(define-fun hn.Max ((a V) (b V)) V (vpmax{s}{l} a b))
(define-fun hn.MinUnsigned ((a V) (b V)) V (vpminu{l} a b))
"""

NEON = """
(define-fun hn.And ((a V) (b V)) V (and_ a b))
(define-fun hn.Xor ((a V) (b V)) V (eor a b))
(define-fun hn.Add ((a V) (b V)) V (add a b))
(define-fun hn.Sub ((a V) (b V)) V (sub a b))
(define-fun hn.Gt ((a V) (b V)) M (cmgt a b))
(define-fun hn.IfThenElse ((m M) (yes V) (no V)) V (bsl m yes no))
(define-fun hn.OrMask ((m M) (n M)) M (orr m n))
(define-fun hn.VecFromMask ((m M)) V m)
(define-fun hn.BroadcastSignBit ((v V)) V (sshr.{last} v))
(define-fun hn.IfNegativeThenElse ((v V) (yes V) (no V)) V (bsl (hn.BroadcastSignBit v) yes no))
(define-fun hn.Max ((a V) (b V)) V {max})
(define-fun hn.MinUnsigned ((a V) (b V)) V {min_unsigned})
"""


def neon(width: int, signed: bool) -> str:
    """Arm; of 64-bit lanes a comparison chooses."""
    maximum, minimum = ("(smax a b)" if signed else "(umax a b)"), "(umin a b)"
    if width == 64:
        maximum, minimum = f"(bsl ({'cmgt' if signed else 'cmhi'} a b) a b)", "(bsl (cmhi a b) b a)"
    return NEON.format(last=f"{width - 1:x}", max=maximum, min_unsigned=minimum)


def operations(target: str, width: int, signed: bool) -> str:
    """The definitions for a target, on lanes of a width that Highway takes for signed or unsigned numbers."""
    if target == "portable":
        return ""
    if target == "meaning":
        return MEANING.format(greater="bvsgt" if signed else "bvugt")
    if target == "neon":
        return neon(width, signed)
    if target == "avx3":
        l, s = LETTER[width], "s" if signed else "u"
        text = AVX3.format(l=l, s=s, move={8: "vmovdqu8", 16: "vmovdqu16", 32: "vmovdqa32", 64: "vmovdqa64"}[width])
        if width > 8:
            text += f"(define-fun hn.BroadcastSignBit ((v V)) V (vpsra{l}.{width - 1:x} v))\n"
        return text
    return sse(target, width, signed)
