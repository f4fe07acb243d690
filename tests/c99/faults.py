"""Faults of the two-file library that its cases must notice."""

from __future__ import annotations

# The file that the library is made of, the correct text, the faulty text.
FAULTS = (
    ("float.c", "< k, canonical_nan_float()", "< k, turn_back_float(k + nans_float())"),  # ORD-4: which NaN
    ("float16.c", "(infinity_key_float16() < k,", "(k < infinity_key_float16(),"),  # ORD-3
    ("double.c", "sign_bit_double(), all_bits_double() - a", "sign_bit_double(), sign_bit_double() - a"),  # ORD-2: the zeros
    ("int8.c", "(a < b, b, a)", "(b < a, b, a)"),  # ORD-1
    ("int64.c", "no ^ ((yes ^ no)", "yes ^ ((yes ^ no)"),  # ORD-1
    ("uint32.c", "return UINT32_C(0);", "return UINT32_C(1);"),  # RED-6
    ("bool.c", "no_of_bool() < b, yes_of_bool()", "no_of_bool() < b, b"),  # section 2: what is written is 0 or 1
    ("operators.c", "if (*extent != 1 && *extent != own)", "if (*extent > 1 && *extent != own)"),  # BRO-3
    ("operators.c", "extent == 1 ? 0 :", ""),  # BRO-5
    ("operators.c", "axes[a] == dimension - rank", "axes[a] == rank - dimension"),  # RED-2
    ("operators.c", "difference == -r", "difference == 1 - r"),  # RED-2
    ("operators.c", "tensor->strides == NULL ? row_major : tensor->strides[d]", "row_major"),  # MEM-1
    ("operators.c", "row_major *= extent;", "row_major += extent;"),  # row-major strides
    ("operators.c", "if (stride <= span) return 0;", ""),  # MEM-1: an output that meets an address twice
    ("operators.c", "return is_same(output, input) || is_disjoint(output, input)", "return 1 ? SUPREMUM_C99_OK : is_same(output, input) || is_disjoint(output, input)"),  # MEM-2
    ("operators.c", "return output->start == input->start;", "return 1;"),  # MEM-2
    ("operators.c", "return to_next > (uint64_t)high - (uint64_t)low;", "return to_next != 0;"),  # MEM-2
    ("operators.c", "rest == 0 ? rest : period - rest", "rest == 0 ? rest : rest"),  # MEM-2
    ("operators.c", "if (steps > left / stride) return SUPREMUM_C99_TOO_LARGE;", ""),  # offsets above INT64_MAX
    ("operators.c", "if (!is_countable(rank, output->extents)) return SUPREMUM_C99_TOO_LARGE;", ""),  # elements above INT64_MAX
    ("operators.c", "if (!is_countable(rank, extents)) return SUPREMUM_C99_TOO_LARGE;", ""),  # as many after a reduction
    ("operators.c", "if (!is_countable(r, extents)) return SUPREMUM_C99_TOO_LARGE;", ""),  # as many to reduce
    ("operators.c", "if (below > (uint64_t)start ||", "if ("),  # outside the arena
    ("operators.c", "above >= (uint64_t)", "above > (uint64_t)"),  # outside the arena
    ("operators.c", "if (keepdims && output->extents[of_output++] != 1)", "if (keepdims && of_output++ < 0)"),  # E2
    ("operators.c", "out_strides[kept++] = out_strides[d];", "out_strides[d] = out_strides[kept++];"),  # RED-3
    ("operators.c", "if (is_empty(rank, extents)) return SUPREMUM_C99_OK;", ""),  # nothing is written
)  # fmt: skip

Fault = tuple[str, str, str]


def with_fault(files: dict[str, str], fault: Fault | None) -> dict[str, str]:
    """The texts that the library is made of, with a fault."""
    if fault is None:
        return files
    name, old, new = fault
    if old not in files[name]:
        raise ValueError(f"{name} no longer has '{old}'; mend FAULTS in tests/c99/faults.py")
    return files | {name: files[name].replace(old, new)}
