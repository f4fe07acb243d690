"""States in an ONNX model the types, shapes and attributes that the rules want stated.

    Path("stated.onnx").write_bytes(annotate("net.onnx", dims={"batch": 1}).model)

Unlike the command `supremum annotate`, it first lets the onnx package of this Python infer shapes, which may know
newer opsets, and does so in this process: use it for models that you trust.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional

from . import _core
from ._models import _extents, _missing_files, _path_or_bytes

__all__ = ["Annotated", "Annotation", "annotate"]


class Annotation(NamedTuple):
    """One change of a model."""

    scope: str  # the graph: "" for the main graph
    subject: str  # "value 't'", "node 'pool' (ReduceMax)", "symbol 'N'"
    text: str  # "is stated as float32[2,3]", "has keepdims=1", "is 4"


class Annotated(NamedTuple):
    """The model as bytes, the changes, and why something could not be inferred."""

    model: bytes
    annotations: List[Annotation]
    notes: List[str]


def annotate(model: Any, *, dims: Optional[Mapping[str, int]] = None, infer: bool = True) -> Annotated:
    """Annotates a model from a path, from bytes, or from an onnx.ModelProto.

    dims    values of symbolic dimensions, written in place of the symbols
    infer   first let the onnx package of this Python infer shapes, if there is one

    >>> import onnx.parser, supremum
    >>> from supremum.annotate import annotate
    >>> text = '<ir_version: 7, opset_import: ["": 13]> g (float[n,4] a) => (float[n,1] y) {t = Abs(a) y = ReduceMax<axes=[1]>(t)}'
    >>> for annotation in annotate(onnx.parser.parse_model(text), dims={"n": 2}).annotations:
    ...     print(annotation.subject, annotation.text)
    value 't' is stated as float32[2,4]
    symbol 'n' is 2
    node #1 (ReduceMax, output 'y') has keepdims=1
    """
    path, content = _path_or_bytes(model)
    with _missing_files(path):
        if content is None:
            with open(path, "rb") as file:  # type: ignore[arg-type]
                content = file.read()
    extents = _extents(dims)
    inferred: List[Annotation] = []
    notes: List[str] = []
    if infer:
        content, inferred, notes = _inferred(content, extents)
    annotated, annotations, own_notes = _core.annotate(content, extents)
    return Annotated(annotated, inferred + [Annotation(*annotation) for annotation in annotations], notes + list(own_notes))


def _inferred(content: bytes, dims: Dict[str, int]) -> "tuple[bytes, List[Annotation], List[str]]":
    """The model with what the onnx package infers of values that Max and ReduceMax nodes or calls of functions use."""
    try:
        import onnx
        import onnx.shape_inference
    except ImportError:
        return content, [], ["the onnx package is not installed in this Python"]
    try:
        proto = onnx.ModelProto.FromString(content)
        for values in (proto.graph.input, proto.graph.output, proto.graph.value_info):
            for value in values:
                for dim in value.type.tensor_type.shape.dim:
                    if dim.dim_param in dims:
                        dim.dim_value = dims[dim.dim_param]
                    if dim.dim_value == -1:  # written for one that is not known; inference would compute with it
                        dim.ClearField("dim_value")
        whole = onnx.shape_inference.infer_shapes(proto, data_prop=True)
        known = {value.name for values in (proto.graph.input, proto.graph.output, proto.graph.value_info) for value in values}
        symbols = {dim.dim_param for value in proto.graph.input for dim in value.type.tensor_type.shape.dim}
        used = _used(proto.graph, {(function.domain, function.name) for function in proto.functions})
        original = onnx.ModelProto.FromString(content)
        annotations: List[Annotation] = []
        for value in whole.graph.value_info:
            kind = value.type.tensor_type
            if value.name in known or value.name not in used or kind.elem_type == onnx.TensorProto.UNDEFINED:
                continue
            for dim in kind.shape.dim:
                if dim.dim_param not in symbols:  # one that inference made up means nothing outside
                    dim.ClearField("dim_param")
            original.graph.value_info.append(value)
            annotations.append(Annotation("", f"value {value.name!r}", f"is stated as {_text_of(onnx, kind)}"))
        return original.SerializeToString(), annotations, []
    except Exception as error:  # of whatever version is installed
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        return content, [], [f"onnx {onnx.__version__} infers nothing for this model: {text}"]


def _used(graph: Any, functions: "set[tuple[str, str]]") -> "set[str]":
    """The inputs and outputs of the Max and ReduceMax nodes, and of calls of functions, in a graph and in the graphs inside it."""
    names = set()
    for node in graph.node:
        if node.op_type in ("Max", "ReduceMax") or (node.domain, node.op_type) in functions:
            names.update(node.input, node.output)
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                names |= _used(inner, functions)
    return names


def _text_of(onnx: Any, kind: Any) -> str:
    """`float32[2,n,?]`."""
    name = onnx.TensorProto.DataType.Name(kind.elem_type).lower()
    name = {"float": "float32", "double": "float64"}.get(name, name)
    extents = (str(dim.dim_value) if dim.HasField("dim_value") else dim.dim_param or "?" for dim in kind.shape.dim)
    return f"{name}[{','.join(extents)}]" if kind.HasField("shape") else name
