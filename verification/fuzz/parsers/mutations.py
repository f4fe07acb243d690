"""Files to put to readers and to the command: small good ones, changed at random, and in the places that each format has.

Everything follows from the random generator that is given.
"""

from __future__ import annotations

import ast
import json
import re
import struct
import sys
import zlib
from pathlib import Path
from random import Random

import numpy as np
from onnx import SparseTensorProto, TensorProto

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "verification" / "fuzz"))
import fuzz_corpus  # noqa: E402

EDGES = [0, 1, 2, 3, 7, 8, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF, 0x10000, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**61, 2**63 - 1, 2**63,
         2**64 - 1]
JSON_WORDS = ["{", "}", "[", "]", ",", ":", '"', '""', "0", "-0", "1", "-1", "01", "1.", ".5", "1e5", "1E-5", "1e999", "-", "+1", "true",
              "false", "null", "NaN", "Infinity", "-Infinity", "\\u0000", "\\ud800", "\\ud83d\\ude00", "\\x", "\\", "\0", " ", "\n", "\t",
              "\r", "\v", "\f", "\u00a0", "\ufeff", "//", "/*", "*/", "'", "18446744073709551616", "9223372036854775808", "1" * 30, "é"]


def dictionary(name: str) -> list[bytes]:
    words = []
    for line in (ROOT / "verification" / "fuzz" / f"{name}.dict").read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            words.append(line.split("=", 1)[1].strip()[1:-1].encode().decode("unicode_escape").encode("latin-1"))
    return words


WORDS = {"npy": dictionary("numpy"), "npz": dictionary("numpy"), "safetensors": dictionary("safetensors"),
         "tensor_proto": dictionary("onnx"), "model": dictionary("onnx"), "onednn": dictionary("onednn"),
         "json": [word.encode() for word in JSON_WORDS]}
# In place of a number, or of a word, of a text.
TEXT_NUMBERS = [b"-1", b"1e9", b"9" * 30, b"1.5", b"", b"0x10", b"007", *(str(edge).encode() for edge in EDGES)]
TEXT_WORDS = [b"", b"<f4", b"float32", b"\0", b"\x1b[2J", "\u202e".encode(), b"null", b"true", b"x" * 300, b"..", b"Max"]
MOST_BYTES = 900_000


def in_text(rng: Random, data: bytearray, pattern: bytes, replacements: list[bytes]) -> None:
    """Replaces one match of the pattern, if there is one."""
    if places := [match.span() for match in re.finditer(pattern, bytes(data))]:
        begin, end = rng.choice(places)
        data[begin:end] = rng.choice(replacements)


def mutated(rng: Random, target: str, seeds: list[bytes], others: list[bytes] | None = None) -> bytes:
    """One of the seeds with changed bits and bytes, cuts, copies, words, numbers that are moved by a little or to an edge, and parts of
    the others, which are the seeds unless given."""
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(data) + 1)
        span = rng.randrange(1, rng.choice((3, 9, 65)))
        other = rng.choice(others or seeds)
        begin = rng.randrange(len(other) + 1)
        kind = rng.randrange(14)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1 and at < len(data):
            data[at] = rng.choice((rng.randrange(256), 0, 1, 0x20, 0x7F, 0x80, 0xFF))
        elif kind == 2:
            del data[at:at + span]
        elif kind == 3:
            data[at:at] = data[at:at + span] * rng.choice((1, 1, 2, 50))
        elif kind == 4:
            data[at:at + rng.choice((0, span))] = other[begin:begin + span]
        elif kind == 5 and target in WORDS:
            word = rng.choice(WORDS[target])
            data[at:at + rng.choice((0, len(word)))] = word
        elif kind == 6:
            del data[at:]
        elif kind == 7:
            data += rng.choice((b"\0", b"\0garbage", b" ", b"\n", b"{}", rng.randbytes(span), other))
        elif kind == 8:
            data[at:at] = rng.choice((rng.randbytes(span), bytes(span), bytes(100 * span), data[at:at + 1] * (100 * span)))
        elif kind == 9:
            data[at:] = other[begin:]
        elif kind == 10:
            in_text(rng, data, rb"\d+", TEXT_NUMBERS)
        elif kind == 11:
            in_text(rng, data, rb"[A-Za-z_]{2,}", TEXT_WORDS)
        else:
            width, order = rng.choice((1, 2, 4, 8)), rng.choice(("little", "little", "big"))
            if at + width <= len(data):
                number = int.from_bytes(data[at:at + width], order)
                number = rng.choice((number + 1, number - 1, number + rng.randrange(-9, 10), rng.choice(EDGES)))
                data[at:at + width] = (number % (1 << 8 * width)).to_bytes(width, order)
    return bytes(data[:MOST_BYTES])


DESCRS = ["<f4", ">f4", "=f4", "|f4", "f4", "<f8", "|u1", "<u2", ">i8", "|b1", "?", "|i1", "<f2", "V2", "|V2", "f", "B", "float32", "bool",
          "int", "l", "L", "q", "Q", "<c8", "|S4", "<U2", "<M8[ns]", "O", "|O", "half", "double", "uint8", "i04", "<f16", "3f4", "(2,)f4",
          "f4,f4", "", "x", "<", "float", "intc", "e", "d", "h", "H", "i", "I", "b", "longlong", "bfloat16", "<f4 ", "Float32"]
SHAPES = ["()", "(2,)", "(2, 3)", "(6,)", "(6)", "6", "[6]", "(0,)", "(0, 3)", "(-1,)", "(2, -3)", "(True,)", "(2L,)", "(0x2,)", "(2_0,)",
          "(+2,)", "(2.0,)", "(2, 3,)", "( 2 , 3 )", "(1,) * 2", "(02,)", "(4294967296, 4294967296)", "(9223372036854775807, 2)",
          "(9223372036854775808,)", "(0, 9223372036854775807, 9223372036854775807)", "(1, 1, 1, 1, 1, 1)", "(None,)", "('2',)",
          "(1," * 1 + " 1," * 63 + ")", "(1," + " 1," * 31 + ")", "(1," + " 1," * 64 + ")", "(,)", "(2,,)", "()()", "(2,) ", "((2,),)"]
FORTRANS = ["False", "True", "0", "1", "None", "'no'", "false", "not True", "False ", "(False)"]
WRITINGS = ["{{'descr': {d}, 'fortran_order': {f}, 'shape': {s}, }}", "{{'descr': {d}, 'fortran_order': {f}, 'shape': {s}}}",
            "{{'shape': {s}, 'descr': {d}, 'fortran_order': {f}}}", '{{"descr": {d}, "fortran_order": {f}, "shape": {s}}}',
            "{{'descr': {d}, 'fortran_order': {f}, 'shape': {s}, 'x': 1}}", "{{'descr': {d}, 'shape': {s}}}", "dict(descr={d})",
            "{{'descr': {d}, 'descr': {d}, 'fortran_order': {f}, 'shape': {s}}}", "{{u'descr': {d}, 'fortran_order': {f}, 'shape': {s}}}",
            "{{b'descr': {d}, 'fortran_order': {f}, 'shape': {s}}}", "{{'de' 'scr': {d}, 'fortran_order': {f}, 'shape': {s}}}",
            "({{'descr': {d}, 'fortran_order': {f}, 'shape': {s}}})", "{{'descr': {d}, 'fortran_order': {f}, 'shape': {s}}} # ok",
            "\n{{'descr': {d},\n'fortran_order': {f}, 'shape': {s}}}", "{{'descr': {d}, 'fortran_order': {f}, 'shape': {s}}} x",
            "{{'\\x64escr': {d}, 'fortran_order': {f}, 'shape': {s}}}", "{{'descr': {d}; 'fortran_order': {f}, 'shape': {s}}}"]


def often(rng: Random, values: list, first: int) -> object:
    """Mostly one of the first, which are good."""
    return rng.choice(values[:first] if rng.random() < 0.7 else values)


def npy(rng: Random) -> bytes:
    quote = often(rng, ["'{}'", '"{}"', "u'{}'", "b'{}'", "r'{}'", "'''{}'''", "[('a', '{}')]", "('{}',)", "5", "'<' '{}'"], 2)
    descr, shape = often(rng, DESCRS, 14), often(rng, SHAPES, 4)
    text = often(rng, WRITINGS, 4).format(d=quote.format(descr), f=often(rng, FORTRANS, 2), s=shape)
    version = rng.choice((1,) * 12 + (2, 2, 2, 3, 3, 3, 0, 4))
    line = rng.choice(("\n",) * 12 + ("", " ", "\0", "\n\n"))
    text = text + " " * rng.choice((0, 1, 17, 64)) + line
    length = len(text.encode()) + rng.choice((0,) * 12 + (1, -1, 64))
    head = b"\x93NUMPY" + bytes((version, rng.choice((0,) * 12 + (1,))))
    size = struct.pack("<H", length % 65536) if version == 1 else struct.pack("<I", length % 2**32)
    values = rng.choice((bytes((0, 1) * 60), rng.randbytes(120)))
    try:
        right = int(np.prod(ast.literal_eval(shape), dtype=object) * np.dtype(descr).itemsize)
    except (TypeError, ValueError, SyntaxError, MemoryError):
        right = 24
    count = right if rng.random() < 0.85 and 0 <= right <= 1000 else rng.choice((right + 1, right - 1, 0, 24, 48, 8)) % 1000
    return head + size + text.encode() + (values * 9)[:count]


def npz(rng: Random) -> bytes:
    """An archive whose fields are written one by one, some of them wrong."""
    spoil = rng.choice((0.0, 0.02, 0.05))

    def maybe(value: int, bits: int) -> int:
        if rng.random() >= spoil:
            return value
        return rng.choice((value + 1, value - 1, 0, 2**bits - 1, rng.choice(EDGES), value ^ 1 << rng.randrange(bits))) % 2**bits

    files = list(fuzz_corpus.npys().values())
    body, directory = bytearray(b"" if rng.random() < 0.95 else rng.randbytes(rng.randrange(20))), bytearray()
    count = rng.randrange(4)
    offsets = []
    for i in range(count):
        content = rng.choice(files)
        name = rng.choice((f"a{i}.npy", f"a{i}.npy", f"a{i}.npy", "a0.npy", "b.txt", "gr\u00f6.npy", "", ".npy", "d/"))
        raw = name.encode()
        flags = 0x800 if not name.isascii() and rng.random() < 0.8 else 0
        method = rng.choice((0, 8))
        packed = content if method == 0 else zlib.compress(content, 9)[2:-4]
        if rng.random() < spoil:
            packed += rng.randbytes(rng.randrange(4))
        later, wide = rng.random() < 0.15, rng.random() < 0.3
        flags |= 8 if later else 0
        crc, sizes = zlib.crc32(content), (len(packed), len(content))
        stated = (0, 0) if later else sizes
        extra = b""
        if wide:
            extra = struct.pack("<HHQQ", 1, maybe(16, 16), maybe(stated[1], 64), maybe(stated[0], 64))
            stated = (0xFFFFFFFF, 0xFFFFFFFF)
        offsets.append(len(body))
        local_name = raw if rng.random() >= spoil else rng.choice((b"x" + raw[1:], raw.upper(), raw + b"x"))
        body += struct.pack("<IHHHIIIIHH", maybe(0x04034B50, 32), maybe(20, 16), maybe(flags, 16), maybe(method, 16), 0x210000,
                            maybe(0 if later else crc, 32), maybe(stated[0], 32), maybe(stated[1], 32), maybe(len(local_name), 16),
                            maybe(len(extra), 16)) + local_name + extra + packed
        if later:
            mark = struct.pack("<I", 0x08074B50) if rng.random() < 0.7 else b""
            body += mark + struct.pack("<I", maybe(crc, 32)) + struct.pack("<QQ" if wide else "<II", *sizes)
        if rng.random() < spoil:
            body += rng.randbytes(rng.randrange(8))
        offset = rng.choice(offsets) if rng.random() < spoil else offsets[-1]
        comment = rng.choice((b"", b"", b"", b"comment"))
        extra = b""
        stated = sizes
        if rng.random() < 0.15:
            extra = struct.pack("<HHQQQ", 1, maybe(24, 16), maybe(sizes[1], 64), maybe(sizes[0], 64), maybe(offset, 64))
            stated, offset = (0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFF
        directory += struct.pack("<IHHHHIIIIHHHHHII", maybe(0x02014B50, 32), 20, maybe(20, 16), maybe(flags, 16), maybe(method, 16), 0x210000,
                                 maybe(crc, 32), maybe(stated[0], 32), maybe(stated[1], 32), maybe(len(raw), 16), maybe(len(extra), 16),
                                 maybe(len(comment), 16), 0, 0, 0, maybe(offset, 32)) + raw + extra + comment
    begin, size = len(body), len(directory)
    end = bytearray(directory)
    if rng.random() < 0.15:
        at = begin + size
        end += struct.pack("<IQHHIIQQQQ", maybe(0x06064B50, 32), maybe(44, 64), 45, 45, 0, 0, maybe(count, 64), maybe(count, 64),
                           maybe(size, 64), maybe(begin, 64))
        end += struct.pack("<IIQI", maybe(0x07064B50, 32), 0, maybe(at, 64), maybe(1, 32))
        count, size, begin = rng.choice(((0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF), (count, size, begin)))
    comment = rng.choice((b"",) * 8 + (b"comment", b"PK\5\6" + bytes(18)))
    end += struct.pack("<IHHHHIIH", 0x06054B50, maybe(0, 16), maybe(0, 16), maybe(count, 16), maybe(count, 16), maybe(size, 32),
                       maybe(begin, 32), maybe(len(comment), 16)) + comment
    if rng.random() < spoil:
        end += rng.choice((b"\0", b"\n", rng.randbytes(9)))
    return bytes(body + end)


def safetensors(rng: Random) -> bytes:
    sizes = {"F32": 4, "F16": 2, "BF16": 2, "U8": 1, "BOOL": 1, "I64": 8, "F64": 8, "I32": 4, "U16": 2, "F8_E5M2": 1, "F4": 1, "f32": 4}
    header, offset = {}, 0
    for name in rng.sample(["a", "b", "c", "__metadata__", "", "gr\u00f6\u00dfe", "a\0b"], rng.randrange(4)):
        kind = often(rng, list(sizes), 9)
        shape = rng.choice(([2], [2, 3], [], [0], [1, 1, 2], [2, 0, 5], [1] * 65, [2**63], [2**32, 2**32], [-1], [True], [2.0], ["2"], [1e0]))
        count = 1
        for extent in shape:
            count *= extent if isinstance(extent, int) and 0 <= extent < 1000 else 1
        end = offset + count * sizes[kind]
        begin = offset
        if rng.random() < 0.1:
            begin, end = rng.choice(((begin + 1, end), (begin, end + 1), (begin, end - 1), (end, begin), (begin - 1, end), (0, end)))
        entry = {"dtype": kind, "shape": shape, "data_offsets": [begin, end]}
        if rng.random() < 0.1:
            entry.pop(rng.choice(list(entry)))
        if rng.random() < 0.05:
            entry["more"] = rng.choice((None, 1, "x"))
        header[name] = entry if name != "__metadata__" else rng.choice(({"format": "pt"}, {}, {"n": 1}, [], None, {"n": None}))
        offset = max(offset, end if name != "__metadata__" else offset)
    text = json.dumps(header, separators=rng.choice(((",", ":"), (", ", ": "))), ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.1:
        text = text.replace("2", rng.choice(("-0", "2.0", "2e0", "02", " 2", "2 ", "-2")), 1)
    if rng.random() < 0.05:
        text = text[:-1] + "," + text[1:]
    raw = rng.choice((b"",) * 9 + (b" ", b"\n", b"\xef\xbb\xbf")) + text.encode("utf-8", "surrogatepass")
    raw += rng.choice((b"", b"", b" ", b"   ", b"\n", b"\0", b"\0\0", b"\t", b" \n", b"{}", raw, b"\0" + raw, b"\xef\xbb\xbf"))
    length = len(raw) + rng.choice((0,) * 9 + (1, -1, 2, 8, -8, rng.choice(EDGES)))
    values = rng.choice((bytes((0, 1) * 64), bytes(128), b" " * 128, b"}" * 128, rng.randbytes(128)))
    size = max(offset + rng.choice((0,) * 9 + (1, -1, 2)), 0)
    return struct.pack("<Q", length % 2**64) + raw + values[:size]


def json_text(rng: Random) -> bytes:
    def value(depth: int) -> str:
        kind = rng.randrange(8 if depth < 5 else 5)
        if kind < 4:
            return rng.choice(("0", "-0", "1", "-12", "1.5", "1e5", "-2.5E-3", "true", "null", '"a"', '"\\n\\u00e9\\/"', '""', "18446744073709551615",
                               "-9223372036854775808", "123456789012345678901234567890", "0.0", "1e-400"))
        if kind == 4:
            return json.dumps("".join(rng.choice("ab\"\\/\n\0\u00e9\U0001f600\u2028") for _ in range(rng.randrange(6))), ensure_ascii=rng.random() < 0.5)
        space = rng.choice(("", "", " ", "\n\t"))
        if kind < 6:
            return "[" + ("," + space).join(value(depth + 1) for _ in range(rng.randrange(4))) + space + "]"
        return "{" + ("," + space).join(f'"{rng.choice("abcdefgh")}{i if rng.random() < 0.95 else ""}"{space}:' + value(depth + 1)
                                        for i in range(rng.randrange(4))) + "}"

    text = value(0)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 4))):
        at = rng.randrange(len(text) + 1)
        text = rng.choice((text[:at] + rng.choice(JSON_WORDS) + text[at:], text[:at] + text[at + 1:], text[:at],
                           text + rng.choice(("\0", " ", "{}", "\0" + text, "x"))))
    if rng.random() < 0.02:
        depth = rng.choice((60, 63, 64, 65, 66, 200))
        text = "[" * depth + text + "]" * depth
    return text.encode("utf-8", "surrogatepass")


def tensor_proto(rng: Random) -> bytes:
    """A message with fields that go together, or not."""
    if rng.random() < 0.02:
        return SparseTensorProto(dims=[2]).SerializeToString()
    number = rng.choice((*range(17), 1, 1, 2, 3, 6, 7, 9, 10, 11, 12, 13, 16, 17, 42))
    dims = rng.choice(([2], [2, 3], [], [0], [1, 2], [3], [-1], [2, -1], [2**62, 4], [0, 2**62, 2**62], [1] * 65, [6]))
    count = 1
    for extent in dims:
        count *= extent if 0 <= extent < 100 else 1
    count = max(count + rng.choice((0,) * 8 + (1, -1)), 0)
    message = TensorProto(name=rng.choice(("x", "", "gr\u00f6\u00dfe")), dims=dims)
    if rng.random() < 0.98:
        message.data_type = number
    width = {1: 4, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8, 12: 4, 13: 8, 16: 2, 14: 8, 15: 16}.get(number, 4)
    fields = {1: "float_data", 11: "double_data", 7: "int64_data", 12: "uint64_data", 13: "uint64_data", 8: "string_data", 14: "float_data"}
    for field in {"raw" if rng.random() < 0.6 else fields.get(number, "int32_data"),
                  rng.choice(("raw", "int32_data", "float_data")) if rng.random() < 0.08 else "raw" if rng.random() < 0.03 else None} - {None}:
        if field == "raw":
            message.raw_data = rng.choice((bytes((0, 1) * 100), rng.randbytes(200)))[:count * width + rng.choice((0,) * 12 + (1, -1))]
        elif field == "string_data":
            message.string_data.extend([b"x"] * count)
        elif field in ("float_data", "double_data"):
            getattr(message, field).extend(rng.choice((0.0, -0.0, 1.5, float("nan"), float("inf"), 1e-40)) for _ in range(count))
        else:
            low = 0 if field == "uint64_data" else -(2**31) if field == "int32_data" else -(2**63)
            high = 2**64 - 1 if field == "uint64_data" else 2**31 - 1 if field == "int32_data" else 2**63 - 1
            edges = [v for v in (0, 1, 1, 1, 2, -1, 127, 128, 255, 256, 65535, 65536, low, high) if low <= v <= high]
            getattr(message, field).extend(rng.choice(edges) for _ in range(count))
    if rng.random() < 0.03:
        message.segment.begin = 0
    if rng.random() < 0.03:
        message.data_location = TensorProto.EXTERNAL
    if rng.random() < 0.03:
        message.external_data.add(key="location", value="w.bin")
    data = message.SerializeToString()
    return data + rng.choice((b"",) * 9 + (b"\0", b"\x0c", b"\xff", b"\x78\x01", data, b"\x7a\x01x"))


MAKERS = {"npy": npy, "npz": npz, "json": json_text, "safetensors": safetensors, "tensor_proto": tensor_proto}
SEEDS = {"npy": list(fuzz_corpus.npys().values()), "npz": list(fuzz_corpus.npzs().values()),
         "safetensors": list(fuzz_corpus.safetensors_files().values()), "tensor_proto": list(fuzz_corpus.tensor_protos().values()),
         "json": [data for data in fuzz_corpus.graphs().values() if len(data) < 2000]}


def a_file(rng: Random, target: str) -> bytes:
    """One file: made field by field, or a good or a made one that is changed at random."""
    kind = rng.random()
    if kind < 0.4:
        return MAKERS[target](rng)
    return mutated(rng, target, SEEDS[target] if kind < 0.8 else [MAKERS[target](rng), rng.choice(SEEDS[target])])
