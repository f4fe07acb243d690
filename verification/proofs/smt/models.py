"""The model of a lane on a target: rules, instructions, operations and algorithms as definitions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from algorithms import algorithms
from instructions import FLUSHED, instructions
from operations import TARGETS, operations
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
        """Whether it is a double on a target without a maximum of 64-bit integers."""
        return self.name == "f64" and target != "avx3"


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
    """Bottom, and what the algorithms call constants."""
    width = lane.width
    sign = 1 << (width - 1)
    values = {"zero": 0, "one": 1, "ones": 2 * sign - 1, "sign": sign, "kBottom": sign if lane.kind == "signed" else 0}
    if lane.kind == "float":
        fraction = width - 1 - lane.exponent
        infinity = ((1 << lane.exponent) - 1) << fraction
        magnitude = sign - 1
        values |= {"kMagnitude": magnitude, "kInfinity": infinity, "kBottom": sign | infinity, "kBottomKey": sign}
        values |= {"kNaN": infinity | 1 << (fraction - 1), "kNaNs": magnitude - infinity}
        values["kInfinityKey"] = infinity - (magnitude - infinity)
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


def mask_sort(target: str) -> str:
    """What M is: a bit for each lane, or a lane of ones or zeros."""
    return "(_ BitVec 1)" if target == "avx3" else "V"


@cache
def model(target: str, lane: Lane, folds_keys: bool) -> Definitions:
    """All definitions of a lane on a target."""
    definitions = Definitions()
    definitions.add(constants(lane) + rules(lane))
    if lane.kind == "float":
        definitions.add(FLUSHED)
    for instruction in instructions(target, lane.width, lane.number):
        definitions.add(instruction.text(lane.width))
    definitions.add(operations(target, lane.width, lane.kind in ("signed", "float")))
    definitions.add(algorithms(target, lane.kind, lane.width, folds_keys))
    return definitions.with_sort("M", "Bool") if target in ("meaning", "portable") else definitions


def target_model(target: str, lane: Lane) -> Definitions:
    """The model of a lane as the target computes with it."""
    return model(target, lane, lane.folds_keys(target))


__all__ = ["LANES", "TARGETS", "Lane", "mask_sort", "model", "target_model"]
