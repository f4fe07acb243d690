"""What is claimed. A claim holds for all patterns a, b, c, x, y, u, v.

The functions that claims speak of, Join, Canonical, Key, FromKey and those of folds, are what machine code computes in a lane
(functions.py); `join`, is_nan and constants are the rules (models.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from functions import Functions
from models import LANES, Lane, model
from smt import Definitions, read

PORTABLE_TARGETS = ("portable", "portable_element", "lane")  # vectors of portable.cc, its single elements, and lane.h
X86_TARGETS = ("sse4", "avx2", "avx3", "avx3_dl", *PORTABLE_TARGETS)
ARM_TARGETS = ("neon", *PORTABLE_TARGETS)


@dataclass(frozen=True)
class Question:
    """A claim about a lane. A theorem's negation has no model, "unsat"; a control's has one, "sat"."""

    lane: str
    target: str  # COMPILER/TARGET, or `rules`
    name: str
    claim: str
    expected: str = "unsat"

    @property
    def title(self) -> str:
        """What the command line takes."""
        return f"{self.lane}/{self.target}/{self.name}"


# The rules themselves, of all types (ORD-5).
LAWS = {
    "join is commutative": "(= (join a b) (join b a))",
    "join is associative": "(= (join (join a b) c) (join a (join b c)))",
    "join is idempotent, but for what is written": "(= (join (join a b) (join a b)) (join a b))",
    "join with bottom changes nothing": "(= (join kBottom a) (join a a))",
}
FLOAT_LAWS = {
    "join of a pattern with itself": "(= (join a a) (ite (is_nan a) kNaN a))",
    "a NaN absorbs": "(=> (is_nan a) (= (join a b) kNaN))",
}

# Of every target.
DIRECT = {
    "Join": "(= (Join a b) (join a b))",
    "Canonical": "(= (Canonical a) (join a a))",
}
# Of every target with vectors: b is one operand of many joins.
# KeyMin is used with the greatest key, which leaves a key as it is, or with the least one, that of no element.
VECTORS = {
    "Join with an operand": "(= (JoinOperand a b) (join a b))",
    "the minimum of keys is one of them": "(or (= (KeyMin a b) a) (= (KeyMin a b) b))",
    "the minimum with the greatest key changes nothing": "(= (KeyMin a TopKey) a)",
    "the minimum with the least key adds nothing": "(= (KeyMax a (KeyMin b BottomKey)) a)",
    "the minimum of keys is above neither": "(and (= (KeyMax a (KeyMin a b)) a) (= (KeyMax b (KeyMin a b)) b))",
}
# Of doubles, where there is no maximum of 64 bits: what is canonical in the end is the maximum of any number of patterns, as joining
# does not depend on which NaN it is.
LARGER = {
    "Larger is the maximum, or a NaN": "(= (Canonical (Larger a b)) (join a b))",
}
# Any tree of KeyMax over the keys of some patterns is the key of one of them, whose value is their maximum.
KEYS = {
    "FromKey undoes Key": "(= (FromKey (Key a)) (join a a))",
    "the maximum of keys is one of them": "(or (= (KeyMax a b) a) (= (KeyMax a b) b))",
    "the maximum of keys is the key of the maximum": "(= (FromKey (KeyMax (Key a) (Key b))) (join a b))",
}

FOLD_OF_MAX = {
    "a fold of nothing": "(= (Result Identity.max) kBottom)",
    "a fold of one": "(= (Result (First.max a)) (join a a))",
    "adding to a fold": "(= (Result (Add.max c a)) (join (Result c) a))",
    "joining folds": "(= (Result (Add.other.max c a)) (join (Result c) (Result a)))",
    "the key of a fold is of what it holds": "(= (ResultKey c) (Key c))",
    "ResultKey": "(= (FromKey (ResultKey c)) (Result c))",
}

# What a fold of extremes holds after any number of patterns: the largest of them as a signed number, x, and the first as a moved
# one, MoveUp(y). Induction over the patterns.
IS_FOLD = "(and (bvsge x y) (bvule (MoveUp y) (MoveUp x)))"
IS_FOLD_UV = "(and (bvsge u v) (bvule (MoveUp v) (MoveUp u)))"
ADDED = "(Add.signed_max x (MoveUp y) a) (Add.moved_min x (MoveUp y) a)"
JOINED = "(Add.other.signed_max x (MoveUp y) u (MoveUp v)) (Add.other.moved_min x (MoveUp y) u (MoveUp v))"
FOLD_OF_EXTREMES = {
    "a fold of nothing": "(and (= Identity.signed_max kBottom) (= Identity.moved_min (MoveUp kBottom))"
    " (= (Result Identity.signed_max Identity.moved_min) kBottom))",
    "a fold of one": "(and (= (First.signed_max a) a) (= (First.moved_min a) (MoveUp a))"
    " (= (Result (First.signed_max a) (First.moved_min a)) (join a a)))",
    "a fold stays one": f"(=> {IS_FOLD} (let ((x (Add.signed_max x (MoveUp y) a)) (y (MoveDown (Add.moved_min x (MoveUp y) a))))"
    f" {IS_FOLD}))",
    "adding to a fold": f"(=> {IS_FOLD} (= (Result {ADDED}) (join (Result x (MoveUp y)) a)))",
    "joined folds are one": f"(=> (and {IS_FOLD} {IS_FOLD_UV}) (let ((x (Add.other.signed_max x (MoveUp y) u (MoveUp v)))"
    f" (y (MoveDown (Add.other.moved_min x (MoveUp y) u (MoveUp v))))) {IS_FOLD}))",
    "joining folds": f"(=> (and {IS_FOLD} {IS_FOLD_UV}) (= (Result {JOINED}) (join (Result x (MoveUp y)) (Result u (MoveUp v)))))",
    # ... which is the key of a pattern, so that KEYS hold of it.
    "the key of a fold is of what it holds": f"(=> {IS_FOLD} (or (= (ResultKey x (MoveUp y)) (Key x)) (= (ResultKey x (MoveUp y)) (Key y))))",
    "ResultKey": f"(=> {IS_FOLD} (= (FromKey (ResultKey x (MoveUp y))) (Result x (MoveUp y))))",
}
# Of keys. A fold is the key of a pattern, here of c, and stays one: induction over the patterns.
FOLD_OF_KEYS = {
    "a fold of nothing": "(and (= Identity.key (Key kBottom)) (= (Result Identity.key) kBottom))",
    "a fold of one": "(and (= (First.key a) (Key a)) (= (Result (First.key a)) (join a a)))",
    "adding to a fold": "(= (Result (Add.key (Key c) a)) (join (Result (Key c)) a))",
    "joining folds": "(= (Result (Add.other.key (Key c) (Key a))) (join (Result (Key c)) (Result (Key a))))",
    "adding keeps one of the keys": "(or (= (Add.key c a) c) (= (Add.key c a) (Key a)))",
    "joining keeps one of the keys": "(or (= (Add.other.key c a) c) (= (Add.other.key c a) a))",
    "ResultKey": "(and (= (ResultKey c) c) (= (FromKey c) (Result c)))",
}

# False claims, so that code or a model that satisfies anything would be found out.
FLOAT_CONTROLS = {
    "the comparison's own larger one": "(= (Join a b) (ite (bvsgt a b) a b))",
    "a NaN keeps its payload": "(= (Canonical a) a)",
    "keys are the patterns": "(= (Key a) a)",
    "an operand is a bound": "(= (JoinOperand a b) (ite (bvsgt a b) a b))",
}
FOLD_CONTROLS = {
    "any two patterns are a fold": f"(= (Result {ADDED}) (join (Result x (MoveUp y)) a))",
    "a fold forgets": "(= (Result (Add.signed_max x y a) (Add.moved_min x y a)) (Result x y))",
}
INTEGER_CONTROLS = {
    "the smaller one": "(= (Join a b) (ite ({less} a b) a b))",
    "numbers of the other kind": "(= (Join a b) (ite ({other} a b) a b))",
}


def about_rules(lane: Lane) -> list[Question]:
    """The laws."""
    laws = LAWS | (FLOAT_LAWS if lane.kind == "float" else {})
    return [Question(lane.name, "rules", name, claim) for name, claim in laws.items()]


def claims(lane: Lane, target: str) -> dict[str, str]:
    """What must hold of the functions of a type: lane.h has no keys, the portable kernels have no folds."""
    found = dict(DIRECT)
    if target != "lane":
        found |= KEYS
    if target not in PORTABLE_TARGETS:
        found |= VECTORS
        found |= LARGER if lane.has_larger(target) else {}
        found |= FOLD_OF_MAX if lane.kind != "float" else FOLD_OF_KEYS if lane.folds_keys(target) else FOLD_OF_EXTREMES
    return found


def lanes_agree(functions: Functions) -> dict[str, str]:
    """That lanes whose expressions differ compute the same."""
    found = {}
    for name, other, inputs in functions.differing:
        variables = " ".join("abcxyuv"[k] for k in range(len(inputs)))
        found[f"{other} equals {name}"] = f"(= ({name} {variables}) ({other} {variables}))"
    return found


def controls(lane: Lane, functions: Functions) -> dict[str, str]:
    """What must not hold of them."""
    if lane.kind == "bool":
        return {"a byte of 2 is written": "(= (Canonical a) a)"}
    if lane.kind != "float":
        signs = ("bvslt", "bvugt") if lane.kind == "signed" else ("bvult", "bvsgt")
        return {name: claim.format(less=signs[0], other=signs[1]) for name, claim in INTEGER_CONTROLS.items()}
    absent = [f"({name} " for name in ("Key", "JoinOperand") if name not in functions.definitions]
    found = {name: claim for name, claim in FLOAT_CONTROLS.items() if not any(call in claim for call in absent)}
    return found | (FOLD_CONTROLS if "Add.signed_max" in functions.definitions else {})


def about_functions(lane: Lane, target: str, functions: Functions) -> list[Question]:
    """All questions about the functions of a type."""
    wanted = claims(lane, target.partition("/")[2]) | lanes_agree(functions)
    asked = [Question(lane.name, target, name, claim) for name, claim in wanted.items()]
    return asked + [Question(lane.name, target, name, claim, "sat") for name, claim in controls(lane, functions).items()]


def questions() -> list[Question]:
    """The theorems that do not depend on how a compiler arranges lanes, for one compiler on x86-64."""
    found = [question for lane in LANES.values() for question in about_rules(lane)]
    for lane in LANES.values():
        for target in X86_TARGETS:
            found += [Question(lane.name, target, name, claim) for name, claim in claims(lane, target).items()]
    return found


def text(question: Question, functions: Functions | None) -> str:
    """What a solver is asked: the negation of the claim. It does not contain the target's name."""
    claim = read(question.claim)[0]
    lane = LANES[question.lane]
    definitions = Definitions(model(lane) | (functions.definitions if functions else {}))
    shown = "\n".join(function.show() for function in definitions.needed_by(claim).values())
    return (
        f"(set-logic {'QF_BVFP' if 'to_fp' in shown else 'QF_BV'})\n"
        f"(define-sort V () (_ BitVec {lane.width}))\n"
        + "".join(f"(declare-const {name} V)\n" for name in "abcxyuv")
        + f"{shown}\n(assert (not {question.claim}))\n(check-sat)\n"
    )
