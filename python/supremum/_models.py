"""ONNX models: loading, running, checking."""

from __future__ import annotations

import operator
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _core
from ._errors import ErrorCode, InvalidType, InvalidValue, MissingFile, names_its_keywords


def _path_or_bytes(model: Any) -> Tuple[Optional[bytes], Optional[bytes]]:
    """The path of a model as bytes, or its content: from a path, bytes, or an onnx.ModelProto."""
    if isinstance(model, (str, os.PathLike)):
        path = os.fsencode(model)
        if b"\0" in path:
            raise InvalidValue("invalid argument: the model's path has a null byte, which is not allowed", ErrorCode["invalid_argument"])
        return path, None
    if isinstance(model, (bytes, bytearray, memoryview)):
        return None, bytes(model)
    if hasattr(model, "SerializeToString"):
        return None, model.SerializeToString()
    raise _of_wrong_type("the model", model, "expected a path, bytes, or an onnx.ModelProto")


@contextmanager
def _missing_files(path: Optional[bytes]) -> Iterator[None]:
    """An error of a path at which there is no file becomes a MissingFile."""
    try:
        yield
    except InvalidValue as error:
        if path is None or error.code != ErrorCode["io"] or os.path.lexists(path):
            raise
        raise MissingFile(str(error), error.code, error.rule, os.fsdecode(path)) from None


def _of_wrong_type(name: str, value: Any, advice: str) -> InvalidType:
    text = f"invalid argument: {name} is of type {type(value).__name__}; {advice}"
    return InvalidType(text, ErrorCode["invalid_argument"])


def _whole_number(name: str, value: Any) -> int:
    """`value` as a number that the compiled part takes. Exceptions of its __index__ pass through."""
    if not hasattr(type(value), "__index__"):
        raise _of_wrong_type(name, value, "expected a whole number")
    number = operator.index(value)
    if not 0 <= number < 2**63:
        shown = int.__repr__(number) if number.bit_length() < 1000 else f"a number of {number.bit_length()} bits"
        text = f"invalid argument: {name} is {shown}; expected a number from 0 to 2^63 - 1"
        raise InvalidValue(text, ErrorCode["invalid_argument"])
    return number


def _text(name: str, value: str) -> str:
    """`value`, if it is valid Unicode: the compiled part does not take lone surrogates."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidValue(f"invalid argument: {name} is {ascii(value)}, which is not Unicode", ErrorCode["invalid_argument"]) from None
    return value


def _max_bytes(max_bytes: Optional[int]) -> int:
    return _core.DEFAULT_MAX_BYTES if max_bytes is None else _whole_number("max_bytes", max_bytes)


def _profile(profile: Any) -> str:
    if type(profile) is str and profile.isascii():
        return profile
    if not isinstance(profile, str):
        raise _of_wrong_type("profile", profile, "expected 'onnx' or 'sonnx'")
    return _text("profile", profile)


@dataclass(frozen=True)
class Value:
    """An input or output of a model, as far as the model states it."""

    name: str
    dtype: Optional[str]  # "float32"
    shape: Optional[Tuple[Union[int, str, None], ...]]  # a symbolic dimension is its name, an unknown one None


class Model:
    """A well-formed ONNX model; load() returns it. It keeps the bytes that it was read from.

    It does not change: a copy is the same object. A pickle has the bytes, which are read again by load(); a model
    whose tensors are in other files cannot be pickled.
    """

    def __init__(self, core: Any, content: Optional[bytes] = None, max_bytes: Optional[int] = None) -> None:
        self._core = core
        self._content = content
        self._max_bytes = max_bytes

    def __copy__(self) -> "Model":
        return self

    def __deepcopy__(self, _: Any) -> "Model":
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        if self._content is None:
            listed = ", ".join(repr(location) for location in self._core.external_data)
            text = f"invalid argument: the model's tensors are in other files ({listed}), which a pickle would not have; store them in the model"
            raise InvalidType(text, ErrorCode["invalid_argument"])
        return _of_bytes, (self._content, self._max_bytes)

    @property
    def graph_name(self) -> str:
        return self._core.graph_name

    @property
    def opset(self) -> int:
        """The opset of ONNX's own domain."""
        return self._core.opset

    @property
    def operators(self) -> List[Tuple[str, int]]:
        """The nodes' operators and their versions, 0 for one that is not executed."""
        return self._core.operators

    @property
    def inputs(self) -> List[Value]:
        """The required inputs of a run."""
        return [Value(*value) for value in self._core.inputs]

    @property
    def optional_inputs(self) -> List[Value]:
        """The optional inputs of a run: those that have an initializer."""
        return [Value(*value) for value in self._core.optional_inputs]

    @property
    def outputs(self) -> List[Value]:
        return [Value(*value) for value in self._core.outputs]

    def __repr__(self) -> str:
        return f"<supremum.Model '{self.graph_name}', opset {self.opset}>"

    @names_its_keywords
    def run(
        self,
        inputs: Union[Mapping[str, Any], Sequence[Any]],
        *,
        profile: str = "onnx",
        identical_shapes_only: bool = False,
        threads: Optional[int] = None,
        dims: Optional[Mapping[str, int]] = None,
        max_bytes: Optional[int] = None,
        out: Optional[Mapping[str, Any]] = None,
    ) -> Dict[str, Any]:
        """The graph's outputs by name, in the graph's order.

        inputs     arrays or tensors by name, or in the order of `inputs`; they are read where they are, whatever
                   their strides
        profile    "sonnx": refuse a model that violates the rules of the safety-related profile
        identical_shapes_only
                   refuse broadcasting (PRO-6)
        threads    as in maximum_of()
        dims       extents of symbolic dimensions that the inputs do not determine
        max_bytes  the most memory that a run's tensors take together; None is 16 GiB
        out        arrays or tensors by name, to which these outputs are written; they have the computed type and
                   shape, and share no memory with inputs or with each other (MEM-2)

        The other outputs are new, of the first input's kind: tensors of PyTorch, arrays of NumPy. From 64 KiB on,
        the interpreter's lock is released during the run. The model keeps the plan of the last run and the memory of
        its intermediate values, so that another run with the same shapes only computes.

        >>> import numpy as np, onnx.parser, supremum
        >>> text = '<ir_version: 7, opset_import: ["": 13]> fuse (float[n] a, float[n] b) => (float[n] y) {y = Max(a, b)}'
        >>> model = supremum.load(onnx.parser.parse_model(text))
        >>> model.inputs[0]
        Value(name='a', dtype='float32', shape=('n',))
        >>> model.run({"a": np.float32([3, 2]), "b": np.float32([1, 4])})
        {'y': array([3., 4.], dtype=float32)}
        """
        if type(inputs) is not dict:
            inputs = self._named(inputs)
        if out is not None and not isinstance(out, Mapping):
            raise _of_wrong_type("out", out, "expected a dict of arrays by name")
        return self._core.run(
            inputs,
            {} if out is None else dict(out),
            _profile(profile),
            bool(identical_shapes_only),
            1 if threads is None else _whole_number("threads", threads),
            _extents(dims) if dims else {},
            _max_bytes(max_bytes),
        )

    def _named(self, inputs: Any) -> Dict[str, Any]:
        """The inputs of a run as a dict."""
        if not isinstance(inputs, (Mapping, Sequence)) or isinstance(inputs, (str, bytes)):
            raise _of_wrong_type("inputs", inputs, "expected a dict of arrays by name, or a list of arrays in the order of Model.inputs")
        if not isinstance(inputs, Mapping):
            names = [value.name for value in self.inputs]
            if len(inputs) != len(names):
                text = f"wrong number of inputs: the model has {len(names)} inputs and was given {len(inputs)}"
                raise InvalidValue(text, ErrorCode["input_count"])
            inputs = dict(zip(names, inputs))
        return dict(inputs)


def _extents(dims: Optional[Mapping[str, int]]) -> Dict[str, int]:
    return {_text("the name of a dimension", str(name)): _whole_number(f"the dimension '{name}'", extent) for name, extent in (dims or {}).items()}


@dataclass(frozen=True)
class Finding:
    """The result of checking one rule on one node."""

    node: str  # "node 'fuse' (Max)"
    scope: str  # the graph that contains the node: "" for the main graph
    rule: str  # "PRO-2"
    verdict: str  # "holds", "fails" or "undecided"
    text: str  # what was found
    change: str  # what to change; empty where the rule holds


@dataclass(frozen=True)
class Report:
    """All findings about a model; a sequence of Finding. It is true if every rule holds."""

    findings: Tuple[Finding, ...]
    notes: Tuple[str, ...]  # limits of the check, such as inference that was not possible
    opset: int  # 0 if the model imports none and has no node that is checked
    profile: str = "onnx"
    inference: Optional[str] = None  # how the onnx library's inference was confined: "seccomp", "limits alone"; None if it was not needed

    @property
    def holds(self) -> bool:
        """True if every rule holds for every node."""
        return all(finding.verdict == "holds" for finding in self.findings)

    def __bool__(self) -> bool:
        return self.holds

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, index: int) -> Finding:
        return self.findings[index]


def _of_bytes(content: Any, max_bytes: Any) -> Model:
    """A model of a pickle. Only bytes are taken: a pickle names no file to open."""
    if type(content) is not bytes:
        raise _of_wrong_type("the content of a pickled model", content, "expected bytes")
    return load(content, max_bytes=max_bytes)


@names_its_keywords
def load(
    model: Any,
    *,
    max_bytes: Optional[int] = None,
    allow_external_data: bool = False,
    external_data_root: Union[str, "os.PathLike[str]", None] = None,
) -> Model:
    """Reads an ONNX model from a path, from bytes, or from an onnx.ModelProto.

    Any operator is accepted here; Model.run refuses those that it does not execute. `max_bytes` is the most memory
    that the model's tensors take; None is 16 GiB. `allow_external_data` opens files in the folder of a model that is
    given by its path, where its tensors are in such files. `external_data_root`, a folder that contains the model's,
    does the same and follows symbolic links that stay inside it, as in the cache of Hugging Face.

    >>> import supremum
    >>> supremum.load("missing.onnx")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    supremum.MissingFile: I/O error: 'missing.onnx' cannot be opened: ...
    """
    path, content = _path_or_bytes(model)
    with _missing_files(path):
        limit = _max_bytes(max_bytes)
        root = b"" if external_data_root is None else os.fsencode(external_data_root)
        core, kept = _core.load(path, content, limit, bool(allow_external_data), root)
        has_files = core.external_data and (allow_external_data or root)
        return Model(core, None if has_files else kept, limit)


@names_its_keywords
def check(
    model: Any, profile: str = "onnx", *, identical_shapes_only: bool = False, dims: Optional[Mapping[str, int]] = None
) -> Report:
    """Checks every Max and ReduceMax node of an ONNX model against the rules.

    profile    "onnx", ONNX itself, or "sonnx", the safety-related profile
    identical_shapes_only
               refuse broadcasting (PRO-6)
    dims       values of symbolic dimensions, written in place of the symbols before the model is checked

    >>> import onnx.parser, supremum
    >>> text = '<ir_version: 7, opset_import: ["": 13]> fuse (float[n] a, float[n] b) => (float[n] y) {y = Max(a, b)}'
    >>> report = supremum.check(onnx.parser.parse_model(text), "sonnx")
    >>> report.holds
    False
    >>> sorted({finding.rule for finding in report if finding.verdict == "fails"})
    ['PRO-2']
    >>> report.holds, bool(supremum.check(onnx.parser.parse_model(text), "onnx", dims={"n": 3}))
    (False, True)
    """
    path, content = _path_or_bytes(model)
    with _missing_files(path):
        findings, notes, opset, inference = _core.check(path, content, _profile(profile), bool(identical_shapes_only), _extents(dims))
    return Report(tuple(Finding(*finding) for finding in findings), tuple(notes), opset, profile, inference)


for _public in (Value, Model, Finding, Report, load, check):
    _public.__module__ = "supremum"
