"""What other readers make of a file: NumPy, zipfile, Python's json, protobuf with onnx, and the rules of safetensors.

Each reader takes bytes and returns what stands in them, in the form of the judge's answers: a list of tensors
(name, type, shape, little-endian elements), or a JSON value. It raises whatever it likes for a file that it refuses.
"""

from __future__ import annotations

import io
import json
import struct
import warnings
import zipfile

import numpy as np
import onnx
from onnx import TensorProto, checker, numpy_helper

MOST_BYTES = 1 << 24
TYPES = {"f2": "float16", "f4": "float32", "f8": "float64", "b1": "bool", **{f"i{n}": f"int{8 * n}" for n in (1, 2, 4, 8)},
         **{f"u{n}": f"uint{8 * n}" for n in (1, 2, 4, 8)}}


class Refused(Exception):
    """What a reader of this module says of a file."""


def tensor_of(name: str, array: np.ndarray) -> tuple:
    kind = TYPES.get(f"{array.dtype.kind}{array.dtype.itemsize}", f"other: {array.dtype}")
    return name, kind, array.shape, np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes()


def read_npy(data: bytes) -> list:
    """numpy.load of a file; bytes after the array, which it ignores, are a tensor that no file has."""
    if data[:6] != b"\x93NUMPY":
        raise Refused("numpy.load takes it for a pickle")
    stream = io.BytesIO(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        array = np.lib.format.read_array(stream, allow_pickle=False)
    if array.nbytes > MOST_BYTES:
        return [("beyond the limit",)]
    tensors = [tensor_of("", array)]
    if stream.tell() != len(data):
        tensors.append(("bytes after the array",))
    return tensors


def read_npz(data: bytes) -> list:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
            return [("beyond the limit",)]
    tensors = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            if not hasattr(arrays, "files"):
                raise Refused("numpy.load takes it for a .npy")
            for name in arrays.files:
                array = arrays[name]
                tensors.append(tensor_of(name, array) if isinstance(array, np.ndarray) else ("no array", name))
    return tensors


def read_json(data: bytes) -> object:
    """Numbers stay text, objects are lists of pairs; what JSON does not have, and Python reads, is refused."""
    def constant(text: str) -> None:
        raise Refused(f"{text} is no JSON")

    return json.loads(data.decode("utf-8"), parse_int=lambda text: ("number", text), parse_float=lambda text: ("number", text),
                      parse_constant=constant, object_pairs_hook=lambda pairs: ("object", pairs))


# The format's types, with the bits of an element; those of 4 and 6 bits are newer.
SAFETENSORS_BITS = {"BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8,
                    "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32, "F64": 64, "I64": 64, "U64": 64,
                    "C64": 64}
SAFETENSORS_NAMES = {"BOOL": "bool", "BF16": "bfloat16", "F16": "float16", "F32": "float32", "F64": "float64",
                     **{f"I{n}": f"int{n}" for n in (8, 16, 32, 64)}, **{f"U{n}": f"uint{n}" for n in (8, 16, 32, 64)}}


def read_safetensors(data: bytes) -> list:
    """The rules of https://github.com/huggingface/safetensors (README, "Format"), each in the words that are read there."""
    def need(holds: bool, rule: str) -> None:
        if not holds:
            raise Refused(rule)

    def natural(value: object) -> int:
        need(isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**64, "an unsigned integer")
        return value

    def pairs(items: list) -> dict:
        need(len({key for key, _ in items}) == len(items), "duplicate keys are disallowed")
        return dict(items)

    need(len(data) >= 8, "8 bytes: N, an unsigned little-endian 64-bit integer")
    (length,) = struct.unpack("<Q", data[:8])
    need(length <= 100_000_000, "there is a limit on the size of the header of 100MB")
    need(8 + length <= len(data), "N bytes: a JSON UTF-8 string")
    text, buffer = data[8:8 + length].decode("utf-8"), data[8 + length:]
    need(text.startswith("{"), "the header data must begin with a { character (0x7B)")
    need(text.rstrip(" ").endswith("}"), "the header data may be trailing padded with whitespace (0x20)")
    header = json.loads(text, object_pairs_hook=pairs, parse_constant=lambda text: need(False, f"{text} is no JSON"))
    tensors, places = [], []
    for name, entry in header.items():
        need(isinstance(entry, dict), "an object")
        if name == "__metadata__":
            need(all(isinstance(value, str) for value in entry.values()), "__metadata__ maps texts to texts")
            continue
        kind, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
        need(isinstance(shape, list) and isinstance(offsets, list) and len(offsets) == 2, "lists")
        need(kind in SAFETENSORS_BITS, "a type of the format")
        begin, end = natural(offsets[0]), natural(offsets[1])
        bits = SAFETENSORS_BITS[kind]
        for extent in shape:
            bits *= natural(extent)
        need(begin <= end <= len(buffer) and bits == 8 * (end - begin), "data_offsets are those of the type and the shape")
        places.append((begin, end))
        tensors.append((name, SAFETENSORS_NAMES.get(kind, "other: " + kind), tuple(shape), buffer[begin:end]))
    next_begin = 0
    for begin, end in sorted(places):
        need(begin == next_begin, "the byte buffer needs to be entirely indexed, and cannot contain holes")
        next_begin = end
    need(next_begin == len(buffer), "the byte buffer needs to be entirely indexed, and cannot contain holes")
    return tensors


# to_array of onnx 1.17 does not read raw_data of bfloat16, and returns memory as it was allocated; what it calls for other types does.
to_array = getattr(numpy_helper, "_to_array", numpy_helper.to_array)


def read_tensor_proto(data: bytes) -> list:
    """protobuf's parser, onnx's checker, and onnx's arrays."""
    with warnings.catch_warnings(record=True) as said:
        proto = TensorProto.FromString(data)
    if said:
        raise Refused(str(said[0].message))  # it has read a part of the bytes
    checker.check_tensor(proto)
    if proto.data_location == TensorProto.EXTERNAL or proto.external_data:
        return [("external data",)]
    name = proto.name
    if isinstance(name, bytes):  # where it is no UTF-8
        name = name.decode(errors="surrogateescape")
    array = to_array(proto)
    if proto.data_type == TensorProto.BFLOAT16:
        if array.dtype == np.float32:  # as the floats that they are
            array = (np.ascontiguousarray(array).view(np.uint32) >> 16).astype(np.uint16)
        return [(name, "bfloat16", array.reshape(tuple(proto.dims)).shape, array.astype("<u2").tobytes())]
    return [tensor_of(name, array)]


READERS = {"npy": read_npy, "npz": read_npz, "json": read_json, "safetensors": read_safetensors, "tensor_proto": read_tensor_proto}
assert onnx.__version__
