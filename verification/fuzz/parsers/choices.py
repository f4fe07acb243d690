"""Where the project's readers disagree with those of others on purpose: the reason of each class of files.

A disagreement that nothing here names is a finding. Patterns are searched for in the texts of differential.py: "we refuse: ERROR | other:
VALUE" and "we accept: VALUE | other: ERROR". There is none for "values differ".
"""

from __future__ import annotations

import re

NUMPY = [
    (r"we refuse: .*'shape' .* takes .*, but after the header, .* \| other: .*bytes after the array",
     "bytes after the array, which NumPy leaves unread"),
    (r"we refuse: .*two bytes without a type", "'V2' is bfloat16 only where that is stated; to NumPy it is void"),
    (r"we refuse: .*\((complex|a (byte|text) string|a date|a time span|void|a float of another width|an integer of another width)\), neither bool "
     r"nor one of the element types", "a type of NumPy that is none of the element types"),
    (r"we refuse: .*describes a structured type", "a structured type"),
    (r"we refuse: .* is outside bool \(0 to 1\)", "a byte that is no bool, which NumPy returns unchanged"),
    (r"we refuse: .*(a key in quotes|the type in quotes|True or False for 'fortran_order'|a number for shape\[[0-9]+\]|'[:,{}(]'|"
     r"',' or '\)' in 'shape'|the end of the header) is expected", "a header that is an expression of Python beside the three plain keys"),
    (r"we refuse: .*shape\[[0-9]+\] is '00+'; a number does not begin with 0", "a zero of several digits, which is a number of Python"),
    (r"we refuse: .*the key '.*' is (repeated|not one of 'descr')", "a repeated key, of which NumPy takes the last; or a key that is an expression"),
    (r"we refuse: .* has a backslash or a line break", "a text with escapes, which Python evaluates"),
    (r"we refuse: .*'descr' is '.*, which is not a type that numpy\.save writes", "a name, a letter or a list of types, which NumPy's reader takes"),
    (r"we accept: .* \| other: ValueError: (array is too big|Maximum allowed dimension exceeded|cannot reshape array of size 0)",
     "no elements, because one extent is 0, beside extents whose product NumPy cannot hold"),
    (r"we accept: .* \| other: ValueError: maximum supported dimension for an ndarray is (32|64)", "more dimensions than NumPy has"),
    (r"we refuse: rank .*at most 64 dimensions are supported", "more dimensions than this library has"),
    (r"we accept: .* \| other: ValueError: Cannot parse header: .*([0-9]L|\\n( |\\n|\\t|\\r|\\x0c)+['\"]$)",
     "a long integer of Python 2 that NumPy's filter misses; white space after the last line, to Python an indent"),
]

ZIP_STATED = r"its (name|set of flags|method|CRC|size|packed size) is .* in the directory and .* in its own header"
ARCHIVES = [
    (r"we refuse: .*: its name does not end in \.npy", "an entry that is no .npy, which NumPy gives as bytes"),
    (r"we refuse: .*the name is used twice", "a name that is used twice, of which NumPy takes the last"),
    (r"we refuse: .*(its name is neither ASCII nor marked as UTF-8|its name is not UTF-8, or has a zero byte)",
     "a name that zipfile takes for code page 437, or cuts at a zero byte"),
    (r"we refuse: .*" + ZIP_STATED, "directory and local header contradict each other; zipfile compares the names alone"),
    (r"we refuse: .*extra fields .*are truncated, or lack its ZIP64 sizes", "extra fields that are truncated, of which zipfile reads a part"),
    (r"we refuse: .*(belong to no entry|the directory is said to have|the directory continues here|a comment of .* bytes, and .* bytes follow|"
     r"begins at byte .* and takes more|no entry begins at byte|what begins here is longer than the directory|does not begin here)",
     "bytes that belong to no part of the archive, or to two; zipfile finds the end record and reads only what it refers to"),
    (r"we refuse: .*(are not its CRC and sizes|packed bytes follow the entry's end|the entry unpacks to more bytes than its size|"
     r"the deflated data has no end)",
     "what follows an entry's bytes, which zipfile does not read"),
    (r"we refuse: .*(several disks|the two end records|no ZIP64 end record is here|the ZIP64 end record is said to be)",
     "numbers in the end records of the archive, which zipfile does not compare"),
    (r"we refuse: .*(its flags are .* and it needs version|its compression method is|it is encrypted)",
     "flags and methods that are not known here"),
    (r"we refuse: .*(which its method cannot do|which no file has|it unpacks to .* bytes and the limit is)", "impossible sizes, refused before reading"),
    (r"we refuse: .*those of a sparse matrix of SciPy", "a sparse matrix (PRO-1)"),
    (r"we accept: \[\] \| other: ValueError: (Cannot load file containing pickled data|This file contains pickled)",
     "an empty archive with a ZIP64 end record: numpy.load takes it for a pickle, since it looks only at the first four bytes"),
    (r"we accept: .* \| other: (BadZipFile|NotImplementedError): (compressed patched data|strong encryption)", "flags that zipfile knows"),
] + NUMPY

SAFETENSORS = [
    (r"we refuse: .*at most 64 dimensions are supported", "more dimensions than this library has"),
    (r"we refuse: .*the key '.*' is none of 'dtype', 'shape'", "a key that the format does not have, which the format's own reader ignores"),
    (r"we refuse: .*'dtype' is '[A-Z0-9_]+', which is none of", "a type of the format that is none of the element types"),
    (r"we refuse: .* is outside bool \(0 to 1\)", "a byte that is no bool; the format does not look at elements"),
    (r"we refuse: .*number overflow", "a number that no double holds"),
    (r"we refuse: .*(surrogate|syntax error while parsing (value|object key) - invalid string)", "a lone surrogate, which is not UTF-8"),
    (r"we refuse: .*nested more than 64 deep", "the limit of nesting"),
]

JSON = [
    (r"we refuse: .*the key '(\S|\s)*' occurs twice", "a key that occurs twice in an object; Python takes the last"),
    (r"we refuse: .*number overflow", "a number that no double holds; Python has infinity"),
    (r"we refuse: .*nested more than 64 deep", "the limit of nesting"),
    (r"we refuse: .*surrogate", "a lone surrogate, which is not UTF-8"),
    (r"we accept: .* \| other: JSONDecodeError: Unexpected UTF-8 BOM", "a byte order mark, which RFC 8259 lets a reader ignore"),
]

TENSOR_PROTO = [
    (r"we refuse: .*dims\[[0-9]+\] is -[0-9]+", "an extent below zero, which NumPy computes from the others"),
    (r"we refuse: .*'data_type' is [0-9]+ \([a-z0-9 ]+\), neither bool nor one of the element types", "a type of ONNX that is none of the element types"),
    (r"we refuse: .*'segment' is set", "a part of a tensor; onnx's checker looks no further at elements in another file"),
    (r"we refuse: .*'data_location' or 'external_data' is set", "elements in another file, where no folder is allowed"),
    (r"we refuse: .*(int32_data|uint64_data)\[[0-9]+\] is -?[0-9]+, outside", "a number outside its type, which NumPy cuts"),
    (r"we refuse: .*raw_data\[[0-9]+\] is [0-9]+, outside bool", "a byte that is no bool, which NumPy returns unchanged"),
    (r"we refuse: rank .*at most 64 dimensions are supported", "more dimensions than this library has"),
    (r"we accept: .* \| other: ValueError: (array is too big|Maximum allowed dimension exceeded|cannot reshape array of size 0)",
     "no elements, because one extent is 0, beside extents whose product NumPy cannot hold"),
    (r"we accept: .* \| other: ValueError: maximum supported dimension for an ndarray is (32|64)", "more dimensions than NumPy has"),
]

CHOICES = {"npy": NUMPY, "npz": ARCHIVES, "json": JSON, "safetensors": SAFETENSORS, "tensor_proto": TENSOR_PROTO}


def reason(target: str, found: str) -> str | None:
    """Why the two disagree, if that is a choice."""
    for pattern, text in CHOICES[target]:
        if re.match(pattern, found, re.DOTALL):
            return text
    return None
