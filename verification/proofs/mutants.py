"""Faults for check.py: mutants of code and specification, and axioms and preconditions that contradict others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A fault: `old` occurs once in `file`; with `new` in its place, `theorem` of `module` in `loses` loses a condition."""

    name: str
    file: str
    old: str
    new: str
    loses: str
    module: str = ""
    theorem: str = ""


MUTANTS = [
    # What is specified.
    Mutant("-0 above +0", "formats", "else - 1 - magnitude a", "else - magnitude a", "formats", "Float",
           "canonical_is_one"),
    Mutant("NaN below -inf", "formats", "if is_nan a then infinity + 1 else if", "if is_nan a then - sign else if", "formats",
           "Float", "bottom_is_least"),
    Mutant("a NaN keeps its payload", "formats", "canonical (a: t) : t = if is_nan a then nan else a", "canonical (a: t) : t = a",
           "formats", "Float", "nan_absorbs"),
    Mutant("a true byte keeps its bits", "formats", "canonical (a: t) : t = if truth a then yes else no", "canonical (a: t) : t = a",
           "formats", "Boolean", "false_loses"),
    Mutant("join takes the smaller", "order", "canonical (if le a b then b else a)", "canonical (if le a b then a else b)", "order",
           "Join", "join_is_upper_bound"),
    Mutant("the largest extent is the common one", "shape", "predicate agree (s r: shape) (j: int) = extent s j = 1 \\/",
           "predicate agree (s r: shape) (j: int) = extent s j <= 1 \\/", "shape", "Common", "common_of_two'vc"),
    Mutant("shapes aligned at the first dimension", "shape", "then s[length s - 1 - j] else 1", "then s[j] else 1", "shape",
           "Common", "common_unique'vc"),
    Mutant("half of the bound on the error", "accuracy", "ensures { abs (true_y -. y) <=. bound }",
           "ensures { abs (true_y -. y) <=. bound *. 0.5 }", "accuracy", "Accuracy", "acc_2'vc"),
    Mutant("an exponent does not double", "accuracy", "if k <= 0 then 1 else 2 * power (k - 1)", "if k <= 0 then 1 else power (k - 1)",
           "accuracy", "Scale", "units_step'vc"),
    Mutant("an empty reduction is any value", "reduce_max", "(v = bottom /\\ forall i: index.", "(forall i: index.", "reduce_max",
           "ReduceMax", "reduction_of_none'vc"),
    Mutant("axes are only counted", "reduce_max", "if pure { not valid axes (length s) }", "if pure { length axes > length s }",
           "reduce_max", "Axes", "check_axes'vc"),
    Mutant("an output that keeps its dimensions has any strides", "reduce_refinement",
           "not reduced axes r d -> without[kept axes r d] = with_ones[d]", "not reduced axes r d -> without[d] = with_ones[d]",
           "reduce_refinement", "ReduceRefinement", "dot_with_ones'vc"),
    # What is computed.
    Mutant("keys are not moved", "formats", "subtract_wrapped (turn_round a) (nans ())", "turn_round a", "formats", "Float", "key_of'vc"),
    Mutant("join selects the smaller", "formats", "select (less a b) b a", "select (less a b) a b", "formats", "Integer", "join_of'vc"),
    Mutant("the infinity's key is one off", "instances", "  = 0xf801\n", "  = 0xf800\n", "instances", "Float16", "infinity_key'vc"),
    Mutant("no look for zero extents", "kernel", "if number extents d = 0 then zero <- true", "()", "kernel", "Loops",
           "number_of_elements'vc"),
    Mutant("the last input is left out", "kernel", "for m = 0 to n - 1 do", "for m = 0 to n - 2 do", "kernel", "Kernel", "max'vc"),
    Mutant("strides of the first input for all", "kernel", "from <- from + rank", "()", "kernel", "Kernel", "max'vc"),
    Mutant("one division too few", "kernel", "rest <- rest / extent", "()", "kernel", "Loops", "address_of'vc"),
]  # fmt: skip

# An axiom of an abstract module is proved where the module is cloned; one that contradicts others would be found there too late.
CONTRADICTIONS = [
    Mutant("no element is least", "order", "axiom bottom_is_least : forall a: t. le bottom a",
           "axiom bottom_is_least : forall a: t. le bottom a /\\ not le bottom bottom", "order"),
    Mutant("elements that differ, and do not", "formats", "axiom parameters : 0 < infinity < sign - 1",
           "axiom parameters : 0 < infinity < sign - 1 /\\ sign < 0", "formats"),
    Mutant("larger magnitudes are smaller numbers too", "accuracy", "axiom unit_is_positive : 0.0 <. unit",
           "axiom unit_is_positive : 0.0 <. unit <. 0.0", "accuracy"),
    Mutant("a loop that needs no elements, and some", "kernel",
           "requires { 1 <= n = length starts.numbers /\\ length strides.numbers = n * rank <= max_int64 }",
           "requires { 1 <= n = length starts.numbers <= 0 /\\ length strides.numbers = n * rank <= max_int64 }", "kernel"),
]  # fmt: skip

__all__ = ["CONTRADICTIONS", "MUTANTS", "Mutant"]
