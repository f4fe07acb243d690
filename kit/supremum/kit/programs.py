"""Programs that show a deviation in the runtime's own language, called as the runners of the kit call it (kit/runners).

A program needs no file of supremum, at most the case's ONNX model beside it. Its exit status is 0 if the result is the expected one, or
if the runtime refuses a model that must be refused. Texts of the runner and of the case are untrusted: they are comments of printable
ASCII. Elements are written as bits; those for Python and Node as bytes in the order of this machine.
"""

from __future__ import annotations

import math
import re
import sys
from dataclasses import dataclass
from string import Template
from typing import Optional

from . import _ONNX_TYPES, Case, Dims, Tensor, _swapped
from .audit import One
from .report import elements_of, printable, shortened

LINE = 88  # characters of elements


@dataclass
class Program:
    ending: str  # of its file
    language: str  # of its block of code in Markdown
    command: str  # builds and runs it, in its folder
    text: str
    needs_model: bool = False


@dataclass
class Exhibit:
    """What a program shows: the first line of a runner, the case, and the name of the files, without ending."""

    head: dict[str, str]
    one: One
    name: str


def program_of(exhibit: Exhibit) -> Optional[Program]:
    """None if the runtime is not known by its name and interface, if it cannot express the case, or if the case needs other files."""
    runtime, interface, one = exhibit.head["runtime"], exhibit.head["interface"], exhibit.one
    if one.needs_files if one.case is None else not _of_kit(one.case):
        return None
    has_model = one.model.endswith(".onnx")
    text: Optional[str] = None
    if interface.startswith("Python"):
        text = _python(exhibit, runtime, interface, has_model)
        return Program(".py", "python", f"python3 {exhibit.name}.py", text, runtime in ("onnx", "ONNX Runtime")) if text else None
    if (runtime, interface) == ("ONNX Runtime", "Node") and has_model:
        return Program(".cjs", "js", f"node {exhibit.name}.cjs", _node(exhibit), True)
    if interface != "C++" or one.case is None:
        return None
    if runtime == "Eigen":
        text, build = _eigen(exhibit, one.case), "-I/usr/include/eigen3 {0}.cc -o {0}"
    elif runtime == "oneDNN":
        text, build = _onednn(exhibit, one.case), "{0}.cc -ldnnl -o {0}"
    elif runtime == "XNNPACK":
        text, build = _xnnpack(exhibit, one.case), "{0}.cc -lXNNPACK -lpthreadpool -o {0}"
    command = ("g++ -O2 " + build + " && ./{0}").format(exhibit.name) if text else ""
    return Program(".cc", "cpp", command, text) if text else None


# What the programs share.


def broadcast(shapes: list[Dims]) -> Optional[Dims]:
    """The shape of Max's output; None if the shapes do not broadcast."""
    rank = max(map(len, shapes), default=0)
    found = []
    for extents in zip(*((1,) * (rank - len(shape)) + tuple(shape) for shape in shapes)):
        others = set(extents) - {1}
        if len(others) > 1:
            return None
        found.append(others.pop() if others else 1)
    return tuple(found)


def _shapes(case: Case) -> list[Dims]:
    return [operand.shape for operand in case.inputs]


def _reduced(case: Case) -> Optional[list[bool]]:
    """For each dimension of ReduceMax's input, whether it is reduced; None if it has no such axis."""
    rank = len(case.inputs[0].shape)
    axes = range(rank) if case.axes is None else case.axes
    if any(not -rank <= axis < rank for axis in axes):
        return None
    return [d in axes or d - rank in axes for d in range(rank)]


def _of_kit(case: Case) -> bool:
    if case.operator == "ReduceMax":
        return len(case.inputs) == 1 and _reduced(case) is not None
    return case.operator == "Max" and bool(case.inputs) and broadcast(_shapes(case)) is not None


def _remark(exhibit: Exhibit, mark: str) -> str:
    """Two lines of comment. A backslash would continue a comment in the next line."""

    def plain(text: str) -> str:
        return re.sub(r"[^ -~]|\\", "?", shortened(printable(text), 100))

    head, one = exhibit.head, exhibit.one
    return f"{mark} {head['runtime']} {plain(head['version'])}, case {plain(one.id)}.\n{mark} {plain(one.reason)}\n"


def _values(tensor: Tensor) -> str:
    """The first elements as numbers, for a comment."""
    shown = [value for value, _ in elements_of(tensor, 8)]
    return ", ".join(shown + ["..."] * (len(tensor.content) > 8 * tensor.width)) or "no element"


def _lines(words: list[str], between: str) -> list[str]:
    """Words as lines of about LINE characters."""
    lines: list[str] = []
    for word in words:
        if not lines or len(lines[-1]) + len(between) + len(word) > LINE:
            lines.append(word)
        else:
            lines[-1] += between + word
    return lines


def _hex(tensor: Tensor, plus: str = "", indent: str = "    ", little: bool = False) -> str:
    """The bytes of the elements in quotes, in the order of this machine if not `little`; long ones are several texts with `plus` between."""
    content = _swapped(tensor.content, tensor.width) if little and sys.byteorder == "big" else tensor.content
    words = [content[i : i + tensor.width].hex() for i in range(0, len(content), tensor.width)]
    lines = _lines(words, " ") or [""]
    return f'"{lines[0]}"' if len(lines) == 1 else "".join(f'{plus if i else ""}\n{indent}"{line}"' for i, line in enumerate(lines))


def _tuple(numbers: Dims) -> str:
    return repr(tuple(numbers))


def _list(numbers: Dims) -> str:
    return ", ".join(map(str, numbers))


# Python.

_PYTHON = Template("#!/usr/bin/env python3\n# Exit status 0 if $what.\n$remark$imports\n$body")
_PYTHON_END = Template("""expected = $shape, bytes.fromhex($content)  # $values
result = $result
print("expected:", expected[0], expected[1].hex())
print("result:  ", result[0], result[1].hex())
sys.exit(result != expected)
""")
_PYTHON_ATTEMPT = Template("""try:
${lines}except Exception as error:
    print("refused:", error)
    sys.exit(0)
print("accepted")
sys.exit(1)
""")
_ORT_ATTEMPT = """    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    feeds = {}
    for value in session.get_inputs():  # zeros; an extent that the model leaves open is 1
        shape = [extent if isinstance(extent, int) else 1 for extent in value.shape]
        feeds[value.name] = np.zeros(shape, names.get(value.type[7:-1], value.type[7:-1]))
    session.run(None, feeds)
"""
_ORT_RUN = Template("""session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
values = [$value for x in $names]
names = [value.name for value in session.get_inputs()]
(y,) = session.run_with_ort_values(None, dict(zip(names, values)))
y = y.numpy()
assert y.dtype.name == "$type", y.dtype

""")
_REFUSED = "the model is refused, as it must be"
_RIGHT = "the result has the expected shape and the expected bytes"
_PATH = "import sys\nfrom pathlib import Path\n\n"


def _python_text(exhibit: Exhibit, imports: str, body: str, what: str = _RIGHT) -> str:
    # What is untrusted is in the third line and the fourth, where no comment states an encoding.
    return _PYTHON.substitute(what=what, remark=_remark(exhibit, "#"), imports=imports, body=body)


def _python_end(case: Case, result: str = "y.shape, y.tobytes()") -> str:
    y = case.output
    return _PYTHON_END.substitute(shape=_tuple(y.shape), content=_hex(y), values=_values(y), result=result)


def _names_of(case: Case) -> str:
    return f"[{', '.join(f'x{i}' for i in range(len(case.inputs)))}]"


def _arrays(case: Case, stated: str) -> str:
    return "".join(
        f'x{i} = np.frombuffer(bytes.fromhex({_hex(x)}), "{stated}").reshape({_tuple(x.shape)}).copy()  # {_values(x)}\n'
        for i, x in enumerate(case.inputs)
    )


def _python(exhibit: Exhibit, runtime: str, interface: str, has_model: bool) -> Optional[str]:
    case = exhibit.one.case
    if runtime in ("onnx", "ONNX Runtime"):
        model = f'model = str((Path(__file__).parent / "{exhibit.name}.onnx").resolve(strict=True))\n'
        make = _onnx if runtime == "onnx" else _onnxruntime
        return make(exhibit, model, interface) if has_model else None
    if case is None or runtime not in ("NumPy", "PyTorch"):
        return None
    return _numpy(exhibit, case) if runtime == "NumPy" else _pytorch(exhibit, case)


def _numpy(exhibit: Exhibit, case: Case) -> str:
    imports = "import sys\n\nimport numpy as np\n"
    if case.operator == "ReduceMax":
        call = f"np.max(x0, axis={None if case.axes is None else _tuple(case.axes)}, keepdims={case.keepdims})"
    elif len(case.inputs) <= 2:
        call = f"np.maximum({_names_of(case)[1:-1]})"
    else:
        call, imports = f"functools.reduce(np.maximum, {_names_of(case)})", "import functools\n" + imports
    body = f'{_arrays(case, case.type)}y = np.asarray({call}, "{case.type}")\n\n{_python_end(case)}'
    return _python_text(exhibit, imports, body)


def _pytorch(exhibit: Exhibit, case: Case) -> str:
    body = "torch.set_num_threads(1)\n"
    for i, x in enumerate(case.inputs):
        kind = f"dtype=torch.{x.type}"
        if x.content:
            made = f"torch.frombuffer(bytearray.fromhex({_hex(x)}), {kind}).reshape({_tuple(x.shape)})  # {_values(x)}"
        else:
            made = f"torch.empty({_tuple(x.shape)}, {kind})"
        body += f"x{i} = {made}\n"
    if case.operator == "ReduceMax":
        call = f"torch.amax(x0, dim={_tuple(case.axes or ())}, keepdim={case.keepdims})"
    elif len(case.inputs) == 1:
        call = "torch.maximum(x0)"
    else:
        call = f"functools.reduce(torch.maximum, {_names_of(case)})"
    body += f"y = {call}.contiguous()\nassert y.dtype == x0.dtype, y.dtype\n\n"
    body += _python_end(case, "tuple(y.shape), ctypes.string_at(y.data_ptr(), y.numel() * y.element_size())")
    return _python_text(exhibit, "import ctypes\nimport functools\nimport sys\n\nimport torch\n", body)


def _onnx(exhibit: Exhibit, model: str, interface: str) -> str:
    case = exhibit.one.case
    check = "onnx.checker.check_model(model, full_check=True)\n"
    if case is None:
        return _python_text(exhibit, _PATH + "import onnx\n", model + _PYTHON_ATTEMPT.substitute(lines="    " + check), _REFUSED)
    if "evaluator" not in interface:
        body = f'{model}{check}print("the checker accepts the model")\n'
        return _python_text(exhibit, _PATH + "import onnx\n", body, "the checker accepts the model")
    # From a TensorProto, as of a file: NumPy has no bfloat16, and what onnx takes for it depends on the version.
    tensors = "".join(
        f"t{i} = TensorProto(data_type={_ONNX_TYPES[x.type]}, dims={_tuple(x.shape)}, raw_data=bytes.fromhex({_hex(x, little=True)}))\n"
        f"x{i} = numpy_helper.to_array(t{i})  # {x.type}: {_values(x)}\n"
        for i, x in enumerate(case.inputs)
    )
    run = f"evaluator = ReferenceEvaluator(model)\n(y,) = evaluator.run(None, dict(zip(evaluator.input_names, {_names_of(case)})))\n\n"
    imports = "import onnx\nfrom onnx import TensorProto, numpy_helper\nfrom onnx.reference import ReferenceEvaluator\n"
    return _python_text(exhibit, _PATH + imports, model + check + tensors + run + _python_end(case))


def _onnxruntime(exhibit: Exhibit, model: str, interface: str) -> str:
    case = exhibit.one.case
    imports = _PATH + "import numpy as np\nimport onnxruntime as ort\n"
    body = f"{model}options = ort.SessionOptions()\noptions.intra_op_num_threads, options.log_severity_level = 1, 4\n"
    if case is None:
        body += 'names = {"float": "float32", "double": "float64"}\n' + _PYTHON_ATTEMPT.substitute(lines=_ORT_ATTEMPT)
        return _python_text(exhibit, imports, body, _REFUSED)
    bfloat16 = case.type == "bfloat16"
    value = "ort.OrtValue.ortvalue_from_numpy" + ("_with_onnx_type(x, 16)" if bfloat16 else "(x)")
    body += _arrays(case, "uint16" if bfloat16 else case.type)
    body += _ORT_RUN.substitute(value=value, names=_names_of(case), type=case.type) + _python_end(case)
    return _python_text(exhibit, imports, body)


# Node.

_ARRAYS = {"bfloat16": "Uint16Array", "float16": "Uint16Array", "float32": "Float32Array", "float64": "Float64Array", "int8": "Int8Array"}
_ARRAYS |= {"int16": "Int16Array", "int32": "Int32Array", "int64": "BigInt64Array", "uint8": "Uint8Array", "uint16": "Uint16Array"}
_ARRAYS |= {"uint32": "Uint32Array", "uint64": "BigUint64Array", "bool": "Uint8Array"}
_NODE = Template("""'use strict';
// Exit status 0 if $what.
${remark}const fs = require('fs');
const path = require('path');
const ort = require('onnxruntime-node');

const model = fs.realpathSync(path.join(__dirname, '$name.onnx'));
${before}async function main() {
  const session = await ort.InferenceSession.create(model, {intraOpNumThreads: 1, logSeverityLevel: 4});
$body}

$end""")
_NODE_ZEROS = Template("""const ARRAYS = {
  $arrays
};

// Zeros for an input of the model; an extent that it leaves open is 1.
function zeros({type, shape}) {
  const extents = shape.map((extent) => (typeof extent === 'number' ? extent : 1));
  const count = extents.reduce((product, extent) => product * extent, 1);
  return new ort.Tensor(type, new ARRAYS[type](count), extents);
}

""")
_NODE_INVALID = """  const tensors = session.inputMetadata.map(zeros);
  await session.run(Object.fromEntries(session.inputNames.map((name, i) => [name, tensors[i]])));
  await session.release();
  console.log('accepted');
  process.exitCode = 1;
"""
_NODE_TENSORS = Template("""const bytes = (hex) => Uint8Array.from(Buffer.from(hex.replace(/ /g, ''), 'hex'));
const tensors = [
$tensors];
const expected = [[$shape], $content];  // $values

""")
_NODE_VALID = Template("""  const feeds = Object.fromEntries(session.inputNames.map((name, i) => [name, tensors[i]]));
  const y = (await session.run(feeds))[session.outputNames[0]];
  if (y.type !== '$type') throw new Error('the result is of type ' + y.type);
  const content = Buffer.from(y.data.buffer, y.data.byteOffset, y.data.byteLength);
  console.log('expected:', expected[0], expected[1]);
  console.log('result:  ', [...y.dims], content.toString('hex'));
  const right = String(y.dims) === String(expected[0]) && content.equals(bytes(expected[1]));
  process.exitCode = right ? 0 : 1;
  await session.release();
""")
_NODE_REFUSED = "main().catch((error) => console.log('refused:', error.message));\n"
_NODE_ERROR = "main().catch((error) => {\n  console.error(error.message);\n  process.exitCode = 1;\n});\n"


def _node(exhibit: Exhibit) -> str:
    case, remark = exhibit.one.case, _remark(exhibit, "//")
    if case is None:
        before = _NODE_ZEROS.substitute(arrays="\n  ".join(f"{name}: {array}," for name, array in _ARRAYS.items()))
        return _NODE.substitute(what=_REFUSED, remark=remark, name=exhibit.name, before=before, body=_NODE_INVALID, end=_NODE_REFUSED)
    tensors = "".join(
        f"  new ort.Tensor('{case.type}', new {_ARRAYS[case.type]}(bytes({_hex(x, ' +')}).buffer), [{_list(x.shape)}]),  // {_values(x)}\n"
        for x in case.inputs
    )
    y = case.output
    before = _NODE_TENSORS.substitute(tensors=tensors, shape=_list(y.shape), content=_hex(y, " +", "  "), values=_values(y))
    body = _NODE_VALID.substitute(type=case.type)
    return _NODE.substitute(what=_RIGHT, remark=remark, name=exhibit.name, before=before, body=body, end=_NODE_ERROR)


# C++.

_CPP = Template("""// Exit status 0 if the result has the expected bits.
${remark}$include
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using Element = $type;
using Bits = std::uint${width}_t;

// Memory with these elements, aligned to 64 bytes; 64 bytes behind them may be read, too.
Element* New(const std::vector<Bits>& bits) {
  const std::size_t size = (sizeof(Bits) * bits.size() / 64 + 2) * 64;
  void* const memory = std::memset(std::aligned_alloc(64, size), 0xA5, size);
  if (!bits.empty()) std::memcpy(memory, bits.data(), sizeof(Bits) * bits.size());
  return static_cast<Element*>(memory);
}

// Prints both; 0, the exit status, if the elements of y are the expected ones.
int Compare(const void* y, const std::vector<Bits>& expected) {
  bool equal = true;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    Bits bits;
    std::memcpy(&bits, static_cast<const Bits*>(y) + i, sizeof bits);
    std::printf("expected 0x%llx, result 0x%llx\\n", (unsigned long long)expected[i], (unsigned long long)bits);
    equal = equal && bits == expected[i];
  }
  return equal ? 0 : 1;
}
$before
int main() {
$begin$tensors  const std::vector<Bits> expected = {$expected};  // $values
  Element* const y = New(std::vector<Bits>(expected.size(), Bits(0xA5A5A5A5A5A5A5A5)));
$call  return Compare(y, expected);
}
""")


def _cpp(exhibit: Exhibit, case: Case, include: str, element: str, call: str, before: str = "", begin: str = "") -> str:
    def numbers(tensor: Tensor) -> str:
        return ",\n      ".join(_lines([f"0x{bits:0{2 * tensor.width}x}" for bits in tensor.bits], ", "))

    tensors = "".join(f"  Element* const x{i} = New({{{numbers(x)}}});  // {_values(x)}\n" for i, x in enumerate(case.inputs))
    y = {"expected": numbers(case.output), "values": _values(case.output)}
    head = {"remark": _remark(exhibit, "//"), "include": f"#include <{include}>", "type": element, "width": 8 * case.width}
    return _CPP.substitute(**head, before=before, begin=begin, tensors=tensors, call=call, **y)


def _count(tensor: Tensor) -> int:
    return len(tensor.content) // tensor.width


def _eigen(exhibit: Exhibit, case: Case) -> Optional[str]:
    call = _eigen_max(case) if case.operator == "Max" else _eigen_reduce_max(case)
    if call is None:
        return None
    element = {"bfloat16": "Eigen::bfloat16", "float16": "Eigen::half", "float32": "float", "float64": "double", "bool": "bool"}
    before = "\nusing Map = Eigen::Map<Eigen::Array<Element, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;\n"
    return _cpp(exhibit, case, "Eigen/Core", element.get(case.type, f"std::{case.type}_t"), call, before)


def _matrix(shape: Dims) -> tuple[int, int]:
    """Rows and columns of a shape of at most two dimensions."""
    return (shape[0] if len(shape) == 2 else 1), (shape[-1] if shape else 1)


def _eigen_max(case: Case) -> Optional[str]:
    shape = broadcast(_shapes(case)) or ()
    equal = all(own == shape for own in _shapes(case))
    if len(case.inputs) < 2 or (not equal and len(shape) > 2):
        return None
    # Inputs of equal shapes are one row of elements, whatever their rank.
    row = (_count(case.inputs[0]),)
    rows, columns = _matrix(row if equal else shape)
    text = f"  Map result = Map(y, {rows}, {columns});\n"
    for m, operand in enumerate(case.inputs):
        own = _matrix(row if equal else operand.shape)
        down, across = (rows if own[0] == 1 else 1), (columns if own[1] == 1 else 1)
        read = f"Map(x{m}, {own[0]}, {own[1]})"
        if m == 0 or (down, across) != (1, 1):
            read += f".replicate({down}, {across})"
        text += f"  result = {f'result.max({read})' if m else read};\n"
    return text


def _eigen_reduce_max(case: Case) -> Optional[str]:
    reduced, x = _reduced(case) or [], case.inputs[0]
    if all(reduced):
        return f"  *y = Map(x0, 1, {_count(x)}).maxCoeff();\n"
    if len(reduced) != 2 or not any(reduced) or (not reduced[1] and case.type == "bool"):  # colwise of bool does not compile
        return None
    rows, columns = _matrix(x.shape)
    kind, form, size = ("rowwise", "Eigen::Dynamic, 1", rows) if reduced[1] else ("colwise", "1, Eigen::Dynamic", columns)
    return f"  Eigen::Map<Eigen::Array<Element, {form}>>(y, {size}) = Map(x0, {rows}, {columns}).{kind}().maxCoeff();\n"


def _number_at(text: str) -> int:
    """The number at the beginning of a text; 0 if there is none."""
    found = re.match("[0-9]{1,9}", text)
    return int(found[0]) if found else 0


def _description(name: str, shape: Dims) -> str:
    strides = tuple(math.prod(max(1, extent) for extent in shape[d + 1 :]) for d in range(len(shape)))
    return f"  const dnnl::memory::desc {name}(Dims{{{_list(shape)}}}, type, Dims{{{_list(strides)}}});\n"


def _onednn(exhibit: Exhibit, case: Case) -> Optional[str]:
    version = _number_at(exhibit.head["version"])
    types = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "int8": "s8", "uint8": "u8", "int32": "s32"}
    types |= {"float64": "f64"} if version >= 3 else {}
    call = _onednn_max(case, version) if case.operator == "Max" else _onednn_reduce_max(case, version)
    if call is None or case.type not in types or version < 2:
        return None
    begin = (
        "  using Dims = dnnl::memory::dims;\n  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);\n"
        f"  dnnl::stream stream(engine);\n  const auto type = dnnl::memory::data_type::{types[case.type]};\n"
    )
    return _cpp(exhibit, case, "oneapi/dnnl/dnnl.hpp", "void", call + "  stream.wait();\n", begin=begin)


def _onednn_max(case: Case, version: int) -> Optional[str]:
    """A scalar is one element of rank 1; the first input of the result's shape comes first."""
    if len(case.inputs) < 2:
        return None
    shape = broadcast(_shapes(case)) or (1,)
    padded = [(1,) * (len(shape) - len(own)) + own for own in _shapes(case)]
    text = "".join(_description(f"d{m}", own) for m, own in enumerate(padded))
    order = sorted(range(len(padded)), key=lambda m: (padded[m] != shape or m != padded.index(shape)))
    a, b, *more = order
    text += _description("dy", shape) + "  dnnl::post_ops more;\n"
    arguments = [f"{{DNNL_ARG_SRC_{i}, dnnl::memory(d{m}, engine, x{m})}}" for i, m in enumerate((a, b))]
    arguments.append("{DNNL_ARG_DST, dnnl::memory(dy, engine, y)}")
    for i, m in enumerate(more):
        text += f"  more.append_binary(dnnl::algorithm::binary_max, d{m});\n"
        arguments.append(f"{{DNNL_ARG_ATTR_MULTIPLE_POST_OP({i}) | DNNL_ARG_SRC_1, dnnl::memory(d{m}, engine, x{m})}}")
    made = f"(engine, dnnl::algorithm::binary_max, d{a}, d{b}, dy, attributes)"
    if version < 3:
        made = f"(\n      dnnl::binary::desc(dnnl::algorithm::binary_max, d{a}, d{b}, dy), attributes, engine)"
    joined = ",\n      ".join(arguments)
    return (
        f"{text}  dnnl::primitive_attr attributes;\n  attributes.set_post_ops(more);\n"
        f"  const dnnl::binary::primitive_desc primitive{made};\n"
        f"  dnnl::binary(primitive).execute(stream, {{\n      {joined}}});\n"
    )


def _onednn_reduce_max(case: Case, version: int) -> str:
    reduced = _reduced(case) or []
    shape = case.inputs[0].shape or (1,)
    kept = tuple(1 if one else extent for one, extent in zip(reduced, shape)) or shape
    made = "(engine, dnnl::algorithm::reduction_max, d0, dy, 0, 0)"
    if version < 3:
        made = "(\n      dnnl::reduction::desc(dnnl::algorithm::reduction_max, d0, dy, 0, 0), engine)"
    return (
        f"{_description('d0', shape)}{_description('dy', kept)}  const dnnl::reduction::primitive_desc primitive{made};\n"
        "  dnnl::reduction(primitive).execute(stream, {\n      {DNNL_ARG_SRC, dnnl::memory(d0, engine, x0)},\n"
        "      {DNNL_ARG_DST, dnnl::memory(dy, engine, y)}});\n"
    )


_XNNPACK = Template("""
void Check(xnn_status status) {
  if (status == xnn_status_success) return;
  std::printf("status %d\\n", int(status));
  std::exit(2);
}

using Dims = std::vector<std::size_t>;

void Maximum(const Element* a, const Dims& a_shape, const Element* b, const Dims& b_shape, Element* y) {
  xnn_operator_t op = nullptr;
$made  Check(xnn_run_operator(op, nullptr));
  xnn_delete_operator(op);
}
""")
_XNNPACK_OLD = """  Check(xnn_create_maximum_nd_f32(0, &op));
  Check(xnn_setup_maximum_nd_f32(op, a_shape.size(), a_shape.data(), b_shape.size(), b_shape.data(), a, b, y,
                                 nullptr));
"""
_XNNPACK_NEW = Template("""  Check(xnn_create_binary_elementwise_nd(xnn_binary_maximum, xnn_datatype_$type, nullptr, nullptr, nullptr, 0, &op));
  Check(xnn_reshape_binary_elementwise_nd(op, a_shape.size(), a_shape.data(), b_shape.size(), b_shape.data(),
                                          nullptr));
  Check(xnn_setup_binary_elementwise_nd(op, a, b, y));
""")


def _xnnpack(exhibit: Exhibit, case: Case) -> Optional[str]:
    # The interface of all binary operators, which the runner uses since the versions of September 2024, has a date.
    _, git, date = exhibit.head["version"].partition("git")
    binary = not git or _number_at(date) >= 20240901
    types = {"float32": "fp32", **({"float16": "fp16", "bfloat16": "bf16", "int32": "int32"} if binary else {})}
    if case.operator != "Max" or len(case.inputs) < 2 or case.type not in types:
        return None
    call, last, shape = "  Check(xnn_initialize(nullptr));\n", "x0", case.inputs[0].shape
    for m, operand in enumerate(case.inputs[1:], 1):
        both = broadcast([shape, operand.shape]) or ()
        result = "y" if m + 1 == len(case.inputs) else f"y{m}"
        if result != "y":
            call += f"  Element* const {result} = New(std::vector<Bits>({math.prod(both)}));\n"
        call += f"  Maximum({last}, Dims{{{_list(shape)}}}, x{m}, Dims{{{_list(operand.shape)}}}, {result});\n"
        last, shape = result, both
    before = _XNNPACK.substitute(made=_XNNPACK_NEW.substitute(type=types[case.type]) if binary else _XNNPACK_OLD)
    return _cpp(exhibit, case, "xnnpack.h", "float" if case.type == "float32" else "void", call, before)
