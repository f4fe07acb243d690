"""The algorithms of src/kernels/simd_lanes-inl.h and src/lane/lane.h, line by line, under the names that they have there.

Behind a dot stands the part that is meant: Add.signed_max is what Add(fold, a) leaves in fold.signed_max, Add.other.signed_max what
Add(fold, other) does. What Highway does is named hn.Max and so on (operations.py). A fold is passed as its parts.
"""

from __future__ import annotations

INTEGERS = """
(define-fun Join ((a V) (b V)) V (hn.Max a b))
(define-fun Canonical ((a V)) V a)
(define-fun Identity.max () V kBottom)
(define-fun Add.max ((max V) (a V)) V (hn.Max max a))
(define-fun Add.other.max ((max V) (other.max V)) V (Add.max max other.max))
(define-fun Result ((max V)) V max)
(define-fun ResultKey ((max V)) V max)
(define-fun Key ((a V)) V a)
(define-fun KeyMax ((a V) (b V)) V (hn.Max a b))
(define-fun FromKey ((key V)) V key)
"""

BOOLEANS = """
(define-fun Canonical ((a V)) V (hn.MinUnsigned a one))
(define-fun Join ((a V) (b V)) V (Canonical (hn.Max a b)))
(define-fun Identity.max () V kBottom)
(define-fun Add.max ((max V) (a V)) V (hn.Max max a))
(define-fun Add.other.max ((max V) (other.max V)) V (Add.max max other.max))
(define-fun Result ((max V)) V (Canonical max))
(define-fun ResultKey ((max V)) V max)
(define-fun Key ((a V)) V a)
(define-fun KeyMax ((a V) (b V)) V (hn.Max a b))
(define-fun FromKey ((key V)) V (Canonical key))
"""

IF_NEGATIVE = "(define-fun IfNegative ((v V) (yes V) (no V)) V {})\n"

EITHER_IS_NAN = "(define-fun EitherIsNaN ((a V) (b V)) M {})\n"
BY_MAGNITUDE = "(hn.Gt (hn.Max (hn.And a kMagnitude) (hn.And b kMagnitude)) kInfinity)"

FLOATS = """
(define-fun MinUnsigned ((a V) (b V)) V (hn.MinUnsigned a b))
(define-fun Largest ((signed_max V) (unsigned_min V)) V (IfNegative signed_max unsigned_min signed_max))
(define-fun Canonical ((a V)) V (hn.IfThenElse (hn.Gt (hn.And a kMagnitude) kInfinity) kNaN a))
(define-fun MoveUp ((a V)) V (hn.Add a kNaNs))
(define-fun MoveDown ((a V)) V (hn.Sub a kNaNs))
"""

JOIN = """
(define-fun Join ((a V) (b V)) V
  (hn.IfThenElse (EitherIsNaN a b) kNaN (Largest (hn.Max a b) (MinUnsigned a b))))
"""

TURN_ROUND = "(define-fun TurnRound ((a V)) V {})\n"

KEYS = """
(define-fun Key ((a V)) V (MoveDown (TurnRound a)))
(define-fun KeyMax ((a V) (b V)) V (hn.Max a b))
(define-fun FromKey ((key V)) V (hn.IfThenElse (hn.Gt key kInfinityKey) kNaN (TurnRound (MoveUp key))))
"""

FOLD_OF_EXTREMES = """
(define-fun Identity.signed_max () V kBottom)
(define-fun Identity.moved_min () V (MoveUp kBottom))
(define-fun Add.signed_max ((signed_max V) (moved_min V) (a V)) V (hn.Max signed_max a))
(define-fun Add.moved_min ((signed_max V) (moved_min V) (a V)) V (MinUnsigned moved_min (MoveUp a)))
(define-fun Add.other.signed_max ((signed_max V) (moved_min V) (other.signed_max V) (other.moved_min V)) V
  (hn.Max signed_max other.signed_max))
(define-fun Add.other.moved_min ((signed_max V) (moved_min V) (other.signed_max V) (other.moved_min V)) V
  (MinUnsigned moved_min other.moved_min))
(define-fun Result ((signed_max V) (moved_min V)) V
  (hn.IfThenElse (EitherIsNaN signed_max (MoveDown moved_min)) kNaN (Largest signed_max (MoveDown moved_min))))
(define-fun ResultKey ((signed_max V) (moved_min V)) V (KeyMax (Key signed_max) (Key (MoveDown moved_min))))
"""

# Vectors<double> where a maximum of 64-bit integers is a comparison.
DOUBLES = """
(define-fun Identity.key () V kBottomKey)
(define-fun Add.key ((key V) (a V)) V (KeyMax key (Key a)))
(define-fun Add.other.key ((key V) (other.key V)) V (KeyMax key other.key))
(define-fun Result ((key V)) V (FromKey key))
(define-fun ResultKey ((key V)) V key)
(define-fun Join ((a V) (b V)) V
  (hn.IfThenElse (hn.OrMask (hn.Gt (hn.And a kMagnitude) kInfinity) (hn.Gt (hn.And b kMagnitude) kInfinity)) kNaN
    (IfNegative (hn.Xor (hn.VecFromMask (hn.Gt a b)) (hn.And a b)) a b)))
"""

# lane.h. Its operators are C++'s own; of operands narrower than int, what is kept of a result is the same.
PORTABLE_INTEGERS = """
(define-fun Join ((a V) (b V)) V (ite ({less} a b) b a))
(define-fun Canonical ((a V)) V a)
"""

PORTABLE_BOOLEANS = """
(define-fun Join ((a V) (b V)) V (ite (not (= (bvor a b) zero)) one zero))
(define-fun Canonical ((a V)) V (ite (not (= a zero)) one zero))
"""

PORTABLE_FLOATS = """
(define-fun IsNaN ((a V)) Bool (bvugt (bvand a kMagnitude) kInfinity))
(define-fun TurnRound ((a V)) V (bvxor a (bvand (bvashr a {last}) kMagnitude)))
(define-fun Select ((condition Bool) (yes V) (no V)) V
  (bvxor no (bvand (bvxor yes no) (bvneg (ite condition one zero)))))
(define-fun KeyOf ((a V)) V (bvsub (TurnRound a) kNaNs))
(define-fun FromKey ((key V)) V (Select (bvsgt key kInfinityKey) kNaN (TurnRound (bvadd key kNaNs))))
(define-fun Join ((a V) (b V)) V (FromKey (ite (bvslt (KeyOf a) (KeyOf b)) (KeyOf b) (KeyOf a))))
(define-fun Canonical ((a V)) V (Select (IsNaN a) kNaN a))
"""


def portable(kind: str, width: int) -> str:
    """src/lane/lane.h."""
    if kind == "float":
        return PORTABLE_FLOATS.format(last=f"(_ bv{width - 1} {width})")
    return PORTABLE_BOOLEANS if kind == "bool" else PORTABLE_INTEGERS.format(less="bvslt" if kind == "signed" else "bvult")


def algorithms(target: str, kind: str, width: int, folds_keys: bool) -> str:
    """What a target computes on lanes of a kind. `folds_keys`: doubles, but on AVX-512."""
    if target == "portable":
        return portable(kind, width)
    if kind != "float":
        return BOOLEANS if kind == "bool" else INTEGERS
    if_negative = "(hn.IfThenElse (hn.BroadcastSignBit v) yes no)" if target == "ssse3" else "(hn.IfNegativeThenElse v yes no)"
    either_is_nan, turn_round = BY_MAGNITUDE, "(hn.Xor a (hn.And (hn.BroadcastSignBit a) kMagnitude))"
    if target == "avx3":
        turn_round = "(vpternlogd.78 a (hn.BroadcastSignBit a) kMagnitude)"
        if width >= 32:
            either_is_nan = f"(vcmpp{'s' if width == 32 else 'd'}.3 a b)"
    return (
        IF_NEGATIVE.format(if_negative)
        + EITHER_IS_NAN.format(either_is_nan)
        + FLOATS
        + ("" if folds_keys else JOIN)
        + TURN_ROUND.format(turn_round)
        + KEYS
        + (DOUBLES if folds_keys else FOLD_OF_EXTREMES)
    )
