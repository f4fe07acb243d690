"""What is claimed. A claim holds for all patterns a, b, c, x, y, u, v and whether or not subnormal numbers are flushed (daz)."""

from __future__ import annotations

from dataclasses import dataclass

from models import LANES, TARGETS, Lane, mask_sort, model, target_model
from smt import Definitions, Function, read


@dataclass(frozen=True)
class Question:
    """A claim about a lane. A theorem's negation has no model, "unsat"; a control's has one, "sat"."""

    lane: str
    target: str
    name: str
    claim: str
    expected: str = "unsat"

    @property
    def title(self) -> str:
        """What the command line takes."""
        return f"{self.lane}/{self.target}/{self.name}"


# The rules themselves, of all types (ORD-5).
# Rules: ORD-5, RED-6, RED-7
LAWS = {
    "join is commutative": "(= (join a b) (join b a))",
    "join is associative": "(= (join (join a b) c) (join a (join b c)))",
    "join is idempotent, but for what is written": "(= (join (join a b) (join a b)) (join a b))",
    "join with bottom changes nothing": "(= (join kBottom a) (join a a))",
}
# Rules: ORD-3, ORD-4
FLOAT_LAWS = {
    "join of a pattern with itself": "(= (join a a) (ite (is_nan a) kNaN a))",
    "a NaN absorbs": "(=> (is_nan a) (= (join a b) kNaN))",
}

# Of every target, in one step from the instructions to the rules.
# Rules: ORD-1..4, ORD-6, TYP-1, TYP-4
DIRECT = {
    "Join": "(= (Join a b) (join a b))",
    "Canonical": "(= (Canonical a) (join a a))",
}

# Of integers and booleans, in one step too.
# Rules: ORD-1, ORD-5, RED-6, RED-7
FOLD_OF_MAX = {
    "a fold of nothing": "(= (Result Identity.max) kBottom)",
    "adding to a fold": "(= (Result (Add.max c a)) (join (Result c) a))",
    "joining folds": "(= (Result (Add.other.max c a)) (join (Result c) (Result a)))",
    "ResultKey": "(= (FromKey (ResultKey c)) (Result c))",
    "KeyMax": "(= (FromKey (KeyMax (Key a) (Key b))) (join a b))",
}

# Of floats, over what operations mean. A float's Key.
# Rules: ORD-2..4
KEYS = {
    "Key is one to one": "(=> (= (Key a) (Key b)) (= a b))",
    "FromKey undoes Key": "(= (FromKey (Key a)) (join a a))",
    "the maximum of keys is the key of the maximum": "(= (FromKey (KeyMax (Key a) (Key b))) (join a b))",
    "a running maximum of keys": "(= (FromKey (KeyMax c (Key a))) (join (FromKey c) a))",
    "the least key is bottom's": "(= (Key kBottom) kBottomKey)",
}

# What a fold of extremes holds after any number of patterns: the largest of them as a signed number, x, and the first as a moved
# one, MoveUp(y); x and y are among the patterns. Induction over the patterns.
IS_FOLD = "(and (bvsge x y) (bvule (MoveUp y) (MoveUp x)))"
IS_FOLD_UV = "(and (bvsge u v) (bvule (MoveUp v) (MoveUp u)))"
ADDED = "(Add.signed_max x (MoveUp y) a) (Add.moved_min x (MoveUp y) a)"
# Rules: ORD-2..6, RED-6, RED-7
FOLD_OF_EXTREMES = {
    "a fold of nothing": "(and (= Identity.signed_max kBottom) (= Identity.moved_min (MoveUp kBottom))"
    " (= (Result Identity.signed_max Identity.moved_min) kBottom))",
    "a fold stays one": f"(=> {IS_FOLD} (let ((x (Add.signed_max x (MoveUp y) a)) (y (MoveDown (Add.moved_min x (MoveUp y) a))))"
    f" {IS_FOLD}))",
    "adding to a fold": f"(=> {IS_FOLD} (= (Result {ADDED}) (join (Result x (MoveUp y)) a)))",
    "joining folds": f"(=> (and {IS_FOLD} {IS_FOLD_UV}) (= (Result (Add.other.signed_max x (MoveUp y) u (MoveUp v))"
    " (Add.other.moved_min x (MoveUp y) u (MoveUp v))) (join (Result x (MoveUp y)) (Result u (MoveUp v)))))",
    "ResultKey": f"(=> {IS_FOLD} (= (FromKey (ResultKey x (MoveUp y))) (Result x (MoveUp y))))",
}
# Of keys, of which any one is a fold.
# Rules: ORD-2..6, RED-6, RED-7
FOLD_OF_KEYS = {
    "a fold of nothing": "(= (Result Identity.key) kBottom)",
    "adding to a fold": "(= (Result (Add.key c a)) (join (Result c) a))",
    "joining folds": "(= (Result (Add.other.key c a)) (join (Result c) (Result a)))",
    "ResultKey": "(= (FromKey (ResultKey c)) (Result c))",
}

# lane.h's keys are those of the kernels.
# Rules: ORD-2..4
PORTABLE_FLOATS = {
    "IsNaN": "(= (IsNaN a) (is_nan a))",
    "TurnRound": "(= (TurnRound a) (meaning.TurnRound a))",
    "KeyOf": "(= (KeyOf a) (meaning.Key a))",
    "FromKey": "(= (FromKey a) (meaning.FromKey a))",
    "Select": "(= (Select (bvslt c zero) a b) (ite (bvslt c zero) a b))",
}

# False claims about floats, so that a model that proves anything would be found out.
CONTROLS = {
    "the signed maximum alone": "(= (ite (EitherIsNaN a b) kNaN (hn.Max a b)) (join a b))",
    "no look for NaNs": "(= (Largest (hn.Max a b) (MinUnsigned a b)) (join a b))",
    "keys that are not moved down": "(= (TurnRound (hn.Max (TurnRound a) (TurnRound b))) (join a b))",
    "the comparison's own larger one": "(= (ite (bvsgt a b) a b) (join a b))",
    "a NaN keeps its payload": "(= (join a a) a)",
}
CONTROLS_OF_FOLDS = {
    "patterns that are not moved": "(= (ite (EitherIsNaN (hn.Max a b) (MinUnsigned a b)) kNaN"
    " (Largest (hn.Max a b) (MinUnsigned a b))) (join a b))",
    "any two patterns are a fold": f"(= (Result {ADDED}) (join (Result x (MoveUp y)) a))",
}
INTEGER_CONTROLS = {
    "the smaller one": "(= (Join a b) (ite (bvult a b) a b))",
    "numbers of the other kind": "(= (Join a b) (ite ({other} a b) a b))",
}

# Maxima of floats, in the best form that is known: exact while subnormal numbers are not flushed, wrong when they are (ORD-6).
FLOAT_MAXIMA = {
    "sse4": "(ite (or (is_nan a) (is_nan b)) kNaN (bvand ({max} a b) ({max} b a)))",
    "avx3": "(ite (or (is_nan a) (is_nan b)) kNaN (bvand ({max} a b) ({max} b a)))",
    "neon": "(ite (or (is_nan a) (is_nan b)) kNaN ({max} a b))",
}

# Highway 1.0.3's IfNegativeThenElse on SSSE3 uses the whole lane as the sign, so the kernels have their own form.
SSSE3_CONTROL = "(= (hn.IfNegativeThenElse a b c) (ite (bvslt a zero) b c))"


def maximum_name(target: str, lane: Lane) -> str:
    """The instruction that FLOAT_MAXIMA uses."""
    suffix = "s" if lane.width == 32 else "d"
    return {"sse4": "maxp" + suffix, "avx3": "vmaxp" + suffix, "neon": "fmax"}[target]


def definitions_for(question: Question) -> Definitions:
    """The model that a question is about: a target's own definitions, and the meaning of operations."""
    lane = LANES[question.lane]
    if question.target == "meaning":
        return model("meaning", lane, False)
    if question.target == "meaning of keys":
        return model("meaning", lane, True)
    definitions = Definitions(target_model(question.target, lane))
    if question.target != "portable":
        holds, fails = ("#b1", "#b0") if question.target == "avx3" else ("ones", "zero")
        definitions.add(f"(define-fun mask ((holds Bool)) M (ite holds {holds} {fails}))")
    definitions.add_renamed(model("meaning", lane, lane.folds_keys(question.target)), "meaning.")
    return definitions


def means(function: Function) -> str:
    """The claim that a function of a target gives, on its masks, what the same function of the meanings gives on truth values."""
    values = iter("abcxyuv")
    arguments, meanings = [], []
    for name, sort in function.parameters:
        value = f"(bvslt {next(values)} zero)" if sort == "M" else next(values)
        arguments.append(f"(mask {value})" if sort == "M" else value)
        meanings.append(value)
    here, there = function.name, "meaning." + function.name
    if arguments:
        here, there = f"({here} {' '.join(arguments)})", f"({there} {' '.join(meanings)})"
    return f"(= {here} (mask {there}))" if function.result == "M" else f"(= {here} {there})"


def about_target(lane: Lane, target: str) -> list[Question]:
    """Each operation and each algorithm means what it should; Join and Canonical are the rules."""
    questions = [Question(lane.name, target, name, claim) for name, claim in DIRECT.items()]
    if target == "portable":
        extra = PORTABLE_FLOATS if lane.kind == "float" else {}
        return questions + [Question(lane.name, target, name, claim) for name, claim in extra.items()]
    if lane.kind != "float":
        questions += [Question(lane.name, target, name, claim) for name, claim in FOLD_OF_MAX.items()]
    definitions = definitions_for(questions[0])
    used = definitions.needed_by([f for f in definitions if not f.startswith(("hn.", "meaning."))])
    for name, function in used.items():
        if "meaning." + name in definitions:
            questions.append(Question(lane.name, target, f"{name} means what it should", means(function)))
    return questions


def about_floats(lane: Lane) -> list[Question]:
    """The algorithms over the meanings, and the controls."""
    groups = [("meaning", DIRECT | KEYS | FOLD_OF_EXTREMES, "unsat"), ("meaning", CONTROLS | CONTROLS_OF_FOLDS, "sat")]
    if lane.name == "f64":
        groups.append(("meaning of keys", DIRECT | FOLD_OF_KEYS, "unsat"))
    questions = [Question(lane.name, t, name, claim, e) for t, claims, e in groups for name, claim in claims.items()]
    if lane.width >= 32:
        questions.append(Question(lane.name, "ssse3", "Highway's IfNegativeThenElse", SSSE3_CONTROL, "sat"))
        for target, text in FLOAT_MAXIMA.items():
            claim = f"(= {text.format(max=maximum_name(target, lane))} (join a b))"
            questions.append(Question(lane.name, target, "maxima of floats, nothing flushed", f"(=> (not daz) {claim})"))
            questions.append(Question(lane.name, target, "maxima of floats", claim, "sat"))
    return questions


def questions() -> list[Question]:
    """Everything that is asked."""
    found: list[Question] = []
    for lane in LANES.values():
        laws = LAWS | (FLOAT_LAWS if lane.kind == "float" else {})
        found += [Question(lane.name, "meaning", name, claim) for name, claim in laws.items()]
        if lane.kind == "float":
            found += about_floats(lane)
        elif lane.kind != "bool":
            other = "bvugt" if lane.kind == "signed" else "bvsgt"
            controls = {name: claim.format(other=other) for name, claim in INTEGER_CONTROLS.items()}
            found += [Question(lane.name, "sse4", name, claim, "sat") for name, claim in controls.items()]
        for target in ("portable", *TARGETS):
            found += about_target(lane, target)
    return found


def text(question: Question) -> str:
    """What a solver is asked: the negation of the claim."""
    claim = read(question.claim)[0]
    needed = definitions_for(question).needed_by(claim)
    shown = "\n".join(function.show() for function in needed.values())
    return (
        f"; {question.title}: {question.expected}\n"
        f"(set-logic {'QF_BVFP' if 'to_fp' in shown else 'QF_BV'})\n"
        f"(define-sort V () (_ BitVec {LANES[question.lane].width}))\n"
        f"(define-sort M () {mask_sort(question.target)})\n"
        "(declare-const daz Bool)\n"
        + "".join(f"(declare-const {name} V)\n" for name in "abcxyuv")
        + f"{shown}\n(assert (not {question.claim}))\n(check-sat)\n"
    )
