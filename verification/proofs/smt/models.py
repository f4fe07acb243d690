"""What the elements of each type are, and the rules for their maximum, as definitions: the specification that code is proved against."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from smt import Definitions


@dataclass(frozen=True)
class Lane:
    """The elements of one type."""

    name: str
    kind: str  # float, signed, unsigned or bool
    width: int
    exponent: int = 0  # bits of a float's exponent

    @property
    def number(self) -> str | None:
        """A float's number, of a pattern in place of %s."""
        return f"((_ to_fp {self.exponent} {self.width - self.exponent}) %s)" if self.exponent else None

    def folds_keys(self, target: str) -> bool:
        """Whether a fold of its floats keeps a key, and not two extremes (FoldsOfKeys in simd_lanes-inl.h)."""
        return self.name == "f64" or target.startswith("avx3")

    def has_larger(self, target: str) -> bool:
        """Whether its vectors have the function Larger."""
        return self.name == "f64" and not target.startswith("avx3")


LANES = {
    lane.name: lane
    for lane in (
        Lane("f16", "float", 16, 5),
        Lane("bf16", "float", 16, 8),
        Lane("f32", "float", 32, 8),
        Lane("f64", "float", 64, 11),
        *(Lane(f"i{width}", "signed", width) for width in (8, 16, 32, 64)),
        *(Lane(f"u{width}", "unsigned", width) for width in (8, 16, 32, 64)),
        Lane("bool", "bool", 8),
    )
}


def constants(lane: Lane) -> str:
    """Bottom, and the constants of floats."""
    width = lane.width
    sign = 1 << (width - 1)
    values = {"zero": 0, "one": 1, "ones": 2 * sign - 1, "sign": sign, "kBottom": sign if lane.kind == "signed" else 0}
    if lane.kind == "float":
        fraction = width - 1 - lane.exponent
        infinity = ((1 << lane.exponent) - 1) << fraction
        magnitude = sign - 1
        values |= {"kBottom": sign | infinity, "kNaN": infinity | 1 << (fraction - 1), "kNaNs": magnitude - infinity}
    return "".join(f"(define-fun {name} () V (_ bv{value % (2 * sign)} {width}))\n" for name, value in values.items())


# ORD-1 to ORD-4, in the theory of floating-point numbers for floats; TYP-4.
FLOAT_RULES = """
(define-fun is_nan ((a V)) Bool (fp.isNaN {a}))
(define-fun is_zero ((a V)) Bool (fp.isZero {a}))
(define-fun join ((a V) (b V)) V
  (ite (or (is_nan a) (is_nan b)) kNaN
  (ite (and (is_zero a) (is_zero b)) (ite (and (bvslt a zero) (bvslt b zero)) a zero)
  (ite (fp.gt {a} {b}) a b))))
"""
INTEGER_RULES = "(define-fun join ((a V) (b V)) V (ite ({} a b) a b))\n"
BOOL_RULES = "(define-fun join ((a V) (b V)) V (ite (and (= a zero) (= b zero)) zero one))\n"


def rules(lane: Lane) -> str:
    """join: what the maximum of two patterns is."""
    if lane.number:
        return FLOAT_RULES.format(a=lane.number % "a", b=lane.number % "b")
    return BOOL_RULES if lane.kind == "bool" else INTEGER_RULES.format("bvsge" if lane.kind == "signed" else "bvuge")


# The state of a fold of extremes: the largest pattern as a signed number, and the first in the order negative NaNs, positive
# patterns, negative patterns, which is that of unsigned numbers once the number of NaNs of one sign is added. A part of what is
# claimed of folds, not of the code.
FOLD_STATE = """
(define-fun MoveUp ((a V)) V (bvadd a kNaNs))
(define-fun MoveDown ((a V)) V (bvsub a kNaNs))
"""


@cache
def model(lane: Lane) -> Definitions:
    """Constants and rules of a type."""
    definitions = Definitions()
    definitions.add(constants(lane) + rules(lane) + (FOLD_STATE if lane.kind == "float" else ""))
    return definitions


__all__ = ["LANES", "Lane", "model"]
