"""The classes that a case belongs to, read off its data: what a case claims to be plays no part."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import prod
from typing import Any

from oracle import FLOATS, Shape, broadcast_shape, key, least, nan, reduced_dimensions
from values import ladder


def elements(text: str) -> list[int]:
    """The elements of a case file's notation."""
    found: list[int] = []
    for part in text.split():
        element, _, count = part.partition("*")
        first, _, different = element.partition(":")
        value, period, end = int(first, 16), int(different or 1), 1 << 4 * len(first)
        found += [(value + i % period) % end for i in range(int(count or 1))]
    return found


NAMED = "least greatest zero minus_zero infinity minus_infinity minus_greatest half".split()  # elements with a class of their own


@lru_cache(maxsize=None)
def value_class(dtype: str, bits: int) -> str:
    """The class of one element."""
    if dtype == "bool":
        return "true" if bits else "false"
    for name, value in ladder(dtype).items():
        if bits == value and name in NAMED:
            return name
    if dtype not in FLOATS:
        return "ordinary"
    exponent_bits, fraction_bits = FLOATS[dtype]
    sign = "minus_" if bits >> (exponent_bits + fraction_bits) else ""
    if key(dtype, bits) is None:
        return f"{sign}{'quiet' if bits >> (fraction_bits - 1) & 1 else 'signalling'}_nan"
    exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1)
    return f"{sign}subnormal" if exponent == 0 else "ordinary"


def place(at: int, length: int) -> str:
    """Where in a row of some length."""
    return "only" if length == 1 else "first" if at == 0 else "last" if at == length - 1 else "middle"


def pattern(shape: Shape, common: Shape) -> str:
    """How a shape is broadcast to the common one: - for a dimension that is missing, 1 for an extent of 1, n and 0 for others."""
    return "-" * (len(common) - len(shape)) + "".join("1" if e == 1 else "0" if e == 0 else "n" for e in shape)


def shape_classes(shape: Shape) -> set[str]:
    rank = len(shape)
    found = {f"rank={rank if rank < 3 else 'more'}"}
    if rank == 64:
        found.add("rank=64")
    if rank == 2 and shape[0] == 1 and shape[1] > 1:
        found.add("shape=1xn")
    if rank == 2 and shape[1] == 1 and shape[0] > 1:
        found.add("shape=nx1")
    if 0 in shape:
        found.add("shape=zero extent")
    return found


def nan_classes(dtype: str, values: list[int], where: str) -> set[str]:
    found = set()
    for at, bits in enumerate(values):
        name = value_class(dtype, bits)
        if name.endswith("nan"):
            found |= {f"nan_at={place(at, len(values))}", f"nan={name}", f"nan={name} {where}"}
            if bits != nan(dtype):
                found.add("nan_not_canonical")
    return found


def max_classes(dtype: str, shapes: list[Shape], inputs: list[list[int]]) -> set[str]:
    common = broadcast_shape(shapes)
    found = {f"inputs={len(shapes)}", f"length={common[-1] if common else 1}"}
    patterns = [pattern(shape, common) for shape in shapes]
    if any(shape != common for shape in shapes):
        found.add("broadcast")
        if len(patterns) == 2:
            found.add(f"pattern={patterns[0]}|{patterns[1]}")
        for one in patterns:
            if one.startswith("-"):
                found.add(f"missing={min(one.count('-'), 3)}")
            if not one.strip("-"):
                found.add("scalar broadcast")
        found |= {f"zero_meets={b}" for a in patterns for b in patterns if a != b for x, b in zip(a, b) if x == "0"}
    elif 0 in common:
        found.add("zero_meets=0")
    for number, (shape, values) in enumerate(zip(shapes, inputs)):
        kinds = nan_classes(dtype, values, "first" if number == 0 else "later")
        if kinds and shape != common:
            found.add("nan broadcast")
        found |= kinds
    if all(shape == common for shape in shapes):
        for at, operands in enumerate(zip(*inputs)):
            keys = [key(dtype, bits) for bits in operands]
            if None in keys:
                continue
            best = max(k for k in keys if k is not None)
            if keys.count(best) == 1 and len(keys) > 1:
                found |= {f"winner_in={place(keys.index(best), len(keys))}", f"winner_at={place(at, len(inputs[0]))}"}
            names = [value_class(dtype, bits) for bits in operands]
            if len(names) == 2 and set(names) == {"zero", "minus_zero"}:
                found.add(f"zeros={names[0]} {names[1]}")
    return found


def reduce_classes(dtype: str, shape: Shape, values: list[int], attributes: dict[str, Any]) -> set[str]:
    rank, axes = len(shape), attributes.get("axes")
    found = {f"keepdims={attributes.get('keepdims', 'unwritten')}", f"noop={attributes.get('noop_with_empty_axes', 'unwritten')}"}
    reduced = reduced_dimensions(rank, axes, attributes.get("noop_with_empty_axes") == 1)
    extent = prod(shape[d] for d in reduced)
    if axes is None or not axes:
        found.add(f"axes={'absent' if axes is None else 'empty'}")
    elif len(axes) > 1:
        found.add("axes=all" if len(axes) == rank else "axes=several")
    else:
        found.add("axes=last" if reduced == {rank - 1} else "axes=first" if reduced == {0} else "axes=middle")
    if axes and min(axes) < 0:
        found.add("axes negative")
    if axes and [a % rank for a in axes] != sorted(a % rank for a in axes):
        found.add("axes turned")
    if not reduced:
        found.add("identity")
    elif extent == 1:
        found.add("extent of 1")
    elif extent == 0:
        found.add("reduced zero extent")
    if any(shape[d] == 0 for d in range(rank) if d not in reduced):
        found.add("kept zero extent")
    kept = prod(shape[d] for d in range(rank) if d not in reduced)
    if extent >= 1000:
        found.add("long run" if kept == 1 else "many short rows")
    elif extent > 16 and kept > 64 and (rank - 1) not in reduced:
        found.add("many long rows")
    found |= nan_classes(dtype, values, "")
    if len(reduced) == rank and values:
        found.add(f"length={len(values)}")
        for at, bits in enumerate(values):
            name = value_class(dtype, bits)
            if name.endswith("nan"):
                found.add(f"nan={name} {'first' if at == 0 else 'later'}")
        keys = [key(dtype, bits) for bits in values]
        if None not in keys:
            best = max(k for k in keys if k is not None)
            if keys.count(best) == 1:
                found.add(f"winner_at={place(keys.index(best), len(keys))}")
        signs = [name for name in (value_class(dtype, bits) for bits in values) if name in ("zero", "minus_zero")]
        if set(signs) == {"zero", "minus_zero"}:
            found.add(f"zeros={signs[0]} {signs[-1] if signs[-1] != signs[0] else next(s for s in signs if s != signs[0])}")
    return found


def case_classes(case: dict[str, Any], dtype: str, bits: dict[str, Any]) -> set[str]:
    """All classes of a case of one type."""
    shapes = [tuple(shape) for shape in case["shapes"]]
    inputs = [elements(text) for text in bits["inputs"]]
    found = {case["operator"], f"type={dtype}", f"opset={case['opset']}"}
    for shape in shapes:
        found |= shape_classes(shape)
    for values in inputs:
        found |= {f"value={value_class(dtype, value)}" for value in set(values)}
    together = {value for values in inputs for value in values}
    if together == {least(dtype)}:
        found.add("all=least")
    if dtype in FLOATS and together == {ladder(dtype)["minus_zero"]}:
        found.add("all=minus_zero")
    if case.get("onednn_leaves_out"):
        found.add("keep_dims unwritten")
    if case["operator"] == "Max":
        return found | max_classes(dtype, shapes, inputs)
    return found | reduce_classes(dtype, shapes[0], inputs[0], case.get("attributes", {}))


def invalid_classes(case: dict[str, Any]) -> set[str]:
    """All classes of a case that must be refused."""
    verdict = case["verdict"]
    found = {f"code={verdict['code']}", f"fails={verdict['fails']}", f"rule={verdict['rule']}"}
    if "graph" in case:
        (op,) = case["graph"]["graph"]
        found |= {"oneDNN", op["kind"]} | {f"type={op['inputs'][0]['dtype']}"}
        found |= {f"axes given={('axes' in op['attrs']) + (len(op['inputs']) == 2)}"} if op["kind"] == "ReduceMax" else set()
        found |= {f"keep_dims={op['attrs']['keep_dims']['value'] if 'keep_dims' in op['attrs'] else 'unwritten'}"}
        found |= {f"axes type={op['inputs'][1]['dtype']}"} if op["kind"] == "ReduceMax" and len(op["inputs"]) == 2 else set()
        return found
    model = case["model"]
    found |= {"ONNX", f"opset={model['opset']}"} | {node["op"] for node in model["nodes"]}
    for place_of in ("inputs", "outputs", "values"):
        for _, text in model.get(place_of, []):
            dtype, _, dims = text.removeprefix("sparse ").partition("[")
            found |= {
                f"type={dtype}",
                f"states {place_of} "
                + (
                    "nothing"
                    if not text
                    else "no type"
                    if dtype == "?"
                    else "no shape"
                    if not dims
                    else "?"
                    if "?" in dims
                    else "a symbol"
                    if any(c.isalpha() for c in dims)
                    else "all"
                ),
            }
            if text.startswith("sparse "):
                found.add("sparse input")
    for key_of in ("sparse_initializers", "initializers"):
        if model.get(key_of):
            found.add(key_of)
    for node in model["nodes"]:
        found |= {f"writes {name}" for name in node.get("attributes", {})}
        found |= {f"inputs={len(node['inputs'])}"}
        if any(isinstance(value, dict) for value in node.get("attributes", {}).values()):
            found.add("sparse attribute")
        if node["op"] == "ReduceMax" and len(node["inputs"]) == 2 and any(name == node["inputs"][1] for name, _ in model["inputs"]):
            found.add("axes of a run")
    return found


def read(groups: Iterable[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Valid and invalid cases of groups, as their files have them; each with id, rules and classes."""
    valid, invalid = [], []
    for group in groups:
        for case in group.get("cases", []):
            for dtype, bits in case["bits"].items():
                valid.append(
                    {
                        "id": f"{group['group']}/{case['name']}/{dtype}",
                        "rules": group["rules"],
                        "classes": case_classes(case, dtype, bits),
                    }
                )
        for case in group.get("invalid", []):
            invalid.append({"id": f"{group['group']}/{case['name']}", "rules": group["rules"], "classes": invalid_classes(case)})
    return valid, invalid
