"""The lane functions as definitions of one lane, made of their machine code.

Every lane of a vector must be the same expression of the same lane of the inputs. Where a compiler computes lanes separately, the
expressions differ, and that they are equal is asked of the solvers too.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import arm
import sve
import x86
from machine import Memory, NoModel
from models import Lane
from objects import SVE_TARGETS, Code
from smt import Definitions
from terms import Term, of_lane, smt_text

# Bytes of a vector by target, as symbols have it; the two others have one element.
VECTOR_BYTES = {"N_SSE4": 16, "N_AVX2": 32, "N_AVX3": 64, "N_AVX3_DL": 64, "N_NEON": 16, "N_SVE_256": 32,
                "N_SVE2_128": 16, "portable": 16}  # fmt: skip
ELEMENTWISE = {"Join": "a b", "Canonical": "a", "Key": "a", "KeyMax": "a b", "FromKey": "a"}


def signatures(lane: Lane, target: str) -> dict[str, tuple[list[str], list[str]]]:
    """The functions of lane_functions.cc: what their inputs and their outputs are called; an output is named after the dot."""
    found = {name: (inputs.split(), [""]) for name, inputs in ELEMENTWISE.items()}
    if target == "lane":
        return {name: found[name] for name in ("Join", "Canonical")}
    if target.startswith("portable"):
        return found
    parts = ["max"] if lane.kind != "float" else ["key"] if lane.folds_keys(target) else ["signed_max", "moved_min"]
    others = ["other." + part for part in parts]
    found |= {
        "JoinOperand": (["a", "b"], [""]),
        "KeyMin": (["a", "b"], [""]),
        "TopKey": ([], [""]),
        "BottomKey": ([], [""]),
        "Identity": ([], parts),
        "First": (["a"], parts),
        "Add": ([*parts, "a"], parts),
        "AddOther": ([*parts, *others], parts),
        "Result": (parts, [""]),
        "ResultKey": (parts, [""]),
    }
    if lane.has_larger(target):
        found["Larger"] = (["a", "b"], [""])
    return found


@dataclass
class Functions:
    """What the code of one type and target computes."""

    definitions: Definitions = field(default_factory=Definitions)
    differing: list[tuple[str, str, list[str]]] = field(default_factory=list)  # two definitions that must be equal, and their inputs
    used: Counter[tuple[object, ...]] = field(default_factory=Counter)  # forms of instructions
    count: int = 0


def read_functions(code: Code, on_arm: bool, lane: Lane, target: str) -> Functions:
    """Executes all functions of a type and a target. Raises NoModel with the function's name."""
    result = Functions()
    symbol_target = target if target.startswith("portable") or target == "lane" else "N_" + target.upper()
    vector_bytes = VECTOR_BYTES.get(symbol_target, lane.width // 8)
    for name, (inputs, outputs) in signatures(lane, target).items():
        symbol = f"{name}__{lane.name}__{symbol_target}"
        if symbol not in code.functions:
            raise NoModel(f"{symbol} is not in the object")
        memory = Memory(lane.width, vector_bytes, len(inputs))
        try:
            (sve if target in SVE_TARGETS else arm if on_arm else x86).execute(code, code.functions[symbol], memory)
            for output, lanes in zip(outputs, memory.outputs(len(outputs))):
                add(result, f"{name.replace('AddOther', 'Add.other')}{'.' if output else ''}{output}", inputs, lanes)
        except (NoModel, ValueError) as problem:
            raise NoModel(f"{symbol}: {problem}") from problem
        result.used.update(memory.used)
        result.count += 1
    return result


def add(result: Functions, name: str, inputs: list[str], lanes: list[Term]) -> None:
    """Defines a function by its lane 0, and by other lanes that differ from it."""
    first = of_lane(lanes[0], 0)
    define(result.definitions, name, inputs, first)
    others: dict[Term, int] = {}
    for k, term in enumerate(lanes):
        moved = of_lane(term, k)
        if moved is not first and moved not in others:
            others[moved] = k
    for term, k in others.items():
        define(result.definitions, f"{name}@{k}", inputs, term)
        result.differing.append((name, f"{name}@{k}", inputs))


def define(definitions: Definitions, name: str, inputs: list[str], term: Term) -> None:
    """One definition."""
    try:
        body = smt_text(term, inputs)
    except IndexError as problem:
        raise NoModel("the result depends on something that is no input") from problem
    parameters = " ".join(f"({name} V)" for name in inputs)
    definitions.add(f"(define-fun {name} ({parameters}) V {body})")
