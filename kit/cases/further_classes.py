"""The classes that a further case belongs to, read off its data: what a case claims to be plays no part."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import prod
from typing import Any

from bounds_oracle import number
from classes import elements, pattern, value_class
from further_large import BOUNDARIES
from further_memory import places
from oracle import FLOATS, Shape, broadcast_shape, key, reduced_dimensions

Json = dict[str, Any]


def places_of(shape: Shape, view: Json) -> list[int]:
    """Where in its buffer a tensor has each element."""
    return places(shape, view["offset"], view["strides"])


def layout_classes(shape: Shape, view: Json) -> set[str]:
    """What is unusual in the strides of dimensions that have more than one index."""
    moving = [stride for extent, stride in zip(shape, view["strides"]) if extent > 1]
    there = places_of(shape, view)
    found = {"negative"} if any(stride < 0 for stride in moving) else set()
    found |= {"zero"} if 0 in moving else set()
    if 0 not in moving and len(set(there)) < len(there):
        found.add("window")
    if [abs(s) for s in moving] != sorted((abs(s) for s in moving), reverse=True) and 0 not in moving:
        found.add("transposed")
    if there and max(there) - min(there) + 1 > len(set(there)):
        found.add("gaps")
    return found or {"dense"}


def memory_classes(case: Json, dtype: str, bits: Json) -> set[str]:
    output_shape, output = tuple(case["output_shape"]), case["output"]
    written = places_of(output_shape, output)
    found = {f"output {kind}" for kind in layout_classes(output_shape, output)} | {f"rank={len(output_shape)}"}
    if len(set(written)) < len(written):
        found.add("output twice")
    for number, (extents, view) in enumerate(zip(case["shapes"], case["inputs"])):
        shape = tuple(extents)
        found |= {f"input {kind}" for kind in layout_classes(shape, view)}
        if view["buffer"] != output["buffer"]:
            continue
        if "bytes" in view or "bytes" in output:
            found.add("out of step")
        elif (shape, view) == (output_shape, output):
            found |= {"in place", "in place first" if number == 0 else "in place later"}
            found |= {f"in place {kind}" for kind in layout_classes(shape, view)}
        elif set(places_of(shape, view)) & set(written):
            found.add("overlap")
        elif set(range(min(written), max(written))) & set(places_of(shape, view)) if written else False:
            found.add("interleaved")
        else:
            found.add("beside")
    if "error" in case:
        found |= {f"code={case['error']['code']}", f"rule={case['error']['rule']}"}
    if case["operator"] == "ReduceMax":
        attributes = case["attributes"]
        reduced = reduced_dimensions(len(case["shapes"][0]), attributes["axes"], attributes.get("noop_with_empty_axes") == 1)
        extent = prod(case["shapes"][0][d] for d in reduced)
        found.add("identity" if not reduced else "extent of 1" if extent == 1 else "reduced")
    return found


def single_elements(text: str) -> dict[int, int]:
    """The elements of a large case that do not count from another one, by position."""
    found, at = {}, 0
    for part in text.split():
        element, _, count = part.partition("*")
        if count == "" and ":" not in element:
            found[at] = int(element, 16)
        at += int(count or 1)
    return found


def large_classes(case: Json, dtype: str, bits: Json) -> set[str]:
    shapes = [tuple(shape) for shape in case["shapes"]]
    common = broadcast_shape(shapes)
    found = {f"elements={prod(common)}", f"inputs={len(shapes)}", "sha256" if len(bits["output_sha256"]) == 64 else "no sha256"}
    found |= {f"inner={common[-1]}", f"outer={common[-2] if len(common) > 1 else 1}"}
    if case["operator"] == "Max":
        found.add("pattern=" + "|".join(pattern(shape, common) for shape in shapes))
    else:
        axes = case["attributes"]["axes"]
        found.add("along " + "".join("r" if d in axes else "k" for d in range(len(common))))
    for text in bits["inputs"]:
        singles = single_elements(text)
        for boundary in BOUNDARIES:
            found |= {f"special beside {boundary}" for place in (boundary - 1, boundary) if place in singles}
        found |= {f"special={value_class(dtype, value)}" for value in singles.values()}
    return found


def bounds_classes(case: Json, dtype: str, bits: Json) -> set[str]:
    found = {f"inputs={len(case['shapes'])}"}
    found |= {"bound broadcast" for a, b in zip(case["shapes"], case["bound_shapes"]) if a != b}
    found |= {"reduced zero extent" for shape in case["shapes"] if 0 in shape and case["operator"] == "ReduceMax"}
    if "error" in case:
        return found | {f"code={case['error']['code']}"}
    errors = [elements(text) for text in bits["bounds"]]
    value, bound, lower, upper = (elements(bits[part]) for part in ("value", "bound", "lower", "upper"))
    if all(number(dtype, error) == 0 for error in itertools.chain(*errors)) and lower == value == upper:
        found.add("exact")
    for texts, name in ((bits["inputs"], "value"), (bits["bounds"], "bound")):
        found |= {f"{name}={value_class(dtype, element)}" for text in texts for element in elements(text)}
    if case["operator"] == "Max" and len(case["shapes"]) == 1 and case["shapes"] == case["bound_shapes"]:
        for operand, error, low, high in zip(elements(bits["inputs"][0]), errors[0], lower, upper):
            found |= sum_classes(dtype, operand, error, low, high)
    if any(high_bound > 0 and low == y == high for high_bound, low, y, high in zip(bound, lower, value, upper)):
        found.add("cannot win")
    return found


def sum_classes(dtype: str, operand: int, error: int, low: int, high: int) -> set[str]:
    """How the sums of a value and its bound are rounded."""
    keys = [key(dtype, bits) for bits in (operand, error, low, high)]
    if any(k is None for k in keys) or keys[0][0] or keys[1][0]:  # type: ignore[index]
        return set()
    z, e = keys[0][1], keys[1][1]  # type: ignore[index]
    found = set()
    for name, end, exact in (("lower", keys[2], z - e), ("upper", keys[3], z + e)):
        if end[0] or (dtype not in FLOATS and end[1] != exact):  # type: ignore[index]
            found.add(f"{name} limit")
        elif end[1] == exact:  # type: ignore[index]
            found.add(f"{name} zero" if exact == 0 and e else f"{name} representable")
        else:
            found.add(f"{name} rounded")
    return found


def ordered_classes(case: Json, dtype: str, bits: Json) -> set[str]:
    shapes = [tuple(shape) for shape in case["shapes"]]
    found = {f"order={case['order']}", f"inputs={len(shapes)}"}
    if any(shape != shapes[0] for shape in shapes):
        found.add("broadcast")
    if any(0 in shape for shape in shapes):
        found.add("zero extent")
    if case["order"] in ("rational", "descending"):
        texts = {element for values in case["inputs"] for element in values}
        if len({Fraction(text) for text in texts}) < len(texts):
            found.add("equal numbers")
        if any(abs(Fraction(text)) > 1 << 64 for text in texts):
            found.add("above 64 bits")
    if case["order"] == "key":
        alike = [(Fraction(number), label) for values in case["inputs"] for number, label in values]
        best = max(number for number, _ in alike) if alike else None
        if len({label for number, label in alike if number == best}) > 1:
            found.add("equivalent maxima")
    return found


LISTS = {"memory": memory_classes, "large": large_classes, "bounds": bounds_classes, "ordered": ordered_classes}


def read(groups: list[Json]) -> list[Json]:
    """The further cases of lists, each of one type, with id, rules and classes."""
    found = []
    for group in groups:
        if "list" not in group:
            continue
        for case in group["cases"]:
            for dtype, bits in case.get("bits", {"": {}}).items():
                classes = LISTS[group["list"]](case, dtype, bits) | {group["list"], case["operator"], f"type={dtype}"}
                name = f"{group['group']}/{case['name']}" + (f"/{dtype}" if dtype else "")
                found.append({"id": name, "rules": group["rules"], "classes": classes})
    return found
