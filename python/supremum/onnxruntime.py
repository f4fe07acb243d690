"""Max and ReduceMax of ONNX Runtime's sessions, computed exactly.

>>> import supremum.onnxruntime as exact
>>> session = exact.session("model.onnx")  # in place of onnxruntime.InferenceSession("model.onnx")

The session is ONNX Runtime's: only who computes the nodes Max and ReduceMax differs. ONNX Runtime 1.23 or newer
loads the library libsupremum_ort.so, an execution provider, which computes on ONNX Runtime's own memory and threads.

    python3 -m supremum.onnxruntime MODEL...

lists the Max and ReduceMax nodes of models that ONNX Runtime would compute itself when it reads the model, because
their inputs are constants; sessions of this module prevent that. See docs/onnxruntime.md.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, List, NamedTuple, Optional, Set, Union

__all__ = ["ConstantNode", "constant_nodes", "library", "session", "session_options"]

PROVIDER = "SupremumExecutionProvider"
PREFIX = f"ep.{PROVIDER.lower()}."  # of its options among the entries of a session
DISABLED = "optimization.disable_specified_optimizers"
# Operators that constant folding skips although no input changes them.
RANDOM = {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial", "Bernoulli"}


def library() -> str:
    """The execution provider: the file that the environment variable SUPREMUM_ONNXRUNTIME_PROVIDER names, or else the
    one that was built with this package, or else the name by which the system's loader finds it."""
    beside = Path(__file__).with_name("libsupremum_ort.so")
    return os.environ.get("SUPREMUM_ONNXRUNTIME_PROVIDER") or str(beside if beside.exists() else beside.name)


def session_options(
    options: Optional[Any] = None,
    *,
    threads: Union[int, str] = "session",
    strict: bool = False,
    fold_constants: bool = False,
) -> Any:
    """onnxruntime.SessionOptions with supremum's provider; `options`, if given, is changed and returned. A provider that
    `options` has already has the first choice of nodes.

    threads         "session": the session's own; or a number, of the calling thread and oneTBB's, 0 for one on each
                    processor. It changes no bit of any result (ORD-5). With "session" and an intra_op_num_threads of 1
                    it is 1: state that before this call
    strict          creating the session fails, with the node and the reason, if a Max or ReduceMax of the model is not
                    computed by supremum; or each run, if a provider before it has taken the node. Otherwise such a node
                    is left to other providers, with a warning
    fold_constants  ONNX Runtime may compute nodes whose inputs are constants by its own kernels when it reads the
                    model; otherwise its optimizer "ConstantFolding" is disabled. Not with strict

    Raises ImportError if onnxruntime is not installed or older than 1.23, RuntimeError if it cannot load library().
    """
    import onnxruntime

    if not hasattr(onnxruntime, "register_execution_provider_library"):
        raise ImportError(f"supremum.onnxruntime needs ONNX Runtime 1.23 or newer, and this is {onnxruntime.__version__}")
    devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name == PROVIDER]
    if not devices:
        onnxruntime.register_execution_provider_library("supremum", library())
        devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name == PROVIDER]
    options = onnxruntime.SessionOptions() if options is None else options
    disabled = _entry(options, DISABLED)
    if not fold_constants and "ConstantFolding" not in disabled.split(";"):
        options.add_session_config_entry(DISABLED, f"{disabled};ConstantFolding".lstrip(";"))
    if threads == "session" and getattr(options, "intra_op_num_threads", 0) == 1:
        threads = 1  # the provider cannot see how many threads a session has
    of_provider = {"threads": str(threads), "strict": str(int(strict))}
    if _entry(options, PREFIX + "strict"):  # it is there already
        for name, value in of_provider.items():
            if _entry(options, PREFIX + name) != value:  # ONNX Runtime warns of an entry that is set again
                options.add_session_config_entry(PREFIX + name, value)
    else:
        options.add_provider_for_devices(devices[:1], of_provider)
    return options


def _entry(options: Any, key: str) -> str:
    try:
        return str(options.get_session_config_entry(key))
    except RuntimeError:  # there is no such entry
        return ""


def session(model: Any, options: Optional[Any] = None, **arguments: Any) -> Any:
    """onnxruntime.InferenceSession(model), with the options of session_options(options, **arguments).

    A session that cannot be created as asked is an error. InferenceSession called directly would by default print the
    error and create one without supremum instead: pass it enable_fallback=0, and no providers, for which it would forget
    those of its options.
    """
    import onnxruntime

    return onnxruntime.InferenceSession(model, session_options(options, **arguments), enable_fallback=0)


class ConstantNode(NamedTuple):
    """A node whose result is the same in every run."""

    op_type: str  #: "Max" or "ReduceMax"
    name: str  #: its name, or "" if it has none
    output: str  #: the name of its result


def constant_nodes(model: Any) -> List[ConstantNode]:
    """The Max and ReduceMax nodes whose inputs depend on no input of the model but on its shape: what ONNX Runtime computes
    by its own kernels when it reads the model, unless its optimizer "ConstantFolding" is disabled.

    `model` is a path or an onnx.ModelProto. Nodes in subgraphs are found too, and those in the model's functions, under
    the names that they have where the functions are called, if onnx is 1.15 or newer; with an older one a model that has
    functions is an error. ONNX Runtime knows more shapes than the model states: that the list is empty does not prove
    that nothing is folded. Raises ImportError if onnx is not installed, ValueError.
    """
    import onnx

    if not isinstance(model, onnx.ModelProto):
        model = onnx.load(model, load_external_data=False)
    if model.functions:
        try:
            from onnx import inliner
        except ImportError as missing:
            raise ValueError(f"the model has functions, and onnx {onnx.__version__} cannot inline them; 1.15 and newer can") from missing
        model = inliner.inline_local_functions(model)
    found: List[ConstantNode] = []
    _add_constants(model.graph, set(), model.ir_version >= 4, found)
    return found


def _add_constants(graph: Any, outer: Set[str], inputs_are_variable: bool, found: List[ConstantNode]) -> Set[str]:
    """Appends the constant nodes of a graph; returns the names of its constants, those around it included."""
    constants = outer | {tensor.name for tensor in graph.initializer} | {tensor.values.name for tensor in graph.sparse_initializer}
    # An initializer that is an input too is only its default, from version 4 of the format on.
    constants -= {value.name for value in graph.input if inputs_are_variable or value.name not in constants}
    # A name that the graph makes hides one around it.
    constants -= {name for node in graph.node for name in node.output}
    inner: List[List[ConstantNode]] = [[] for _ in graph.node]
    ours: List[Optional[ConstantNode]] = [None] * len(graph.node)
    before = -1
    while before != len(constants):  # nodes may be in any order
        before = len(constants)
        for i, node in enumerate(graph.node):
            subgraphs = [attribute.g for attribute in node.attribute if attribute.HasField("g")]
            inner[i] = []
            results = [_add_constants(subgraph, constants, True, inner[i]) for subgraph in subgraphs]
            given = {name for name in node.input if name}
            if node.op_type == "Constant" or node.op_type in ("Shape", "Size"):  # of a shape that may be known
                is_constant = True
            elif subgraphs:  # of If, whose condition chooses a branch when the model is read
                outputs = [value.name for subgraph in subgraphs for value in subgraph.output]
                is_constant = node.op_type == "If" and given <= constants and all(
                    any(name in result for result in results) for name in outputs
                )
            else:
                is_constant = bool(given) and given <= constants and node.op_type not in RANDOM
            if is_constant:
                constants |= {name for name in node.output if name}
                if node.op_type in ("Max", "ReduceMax") and node.domain in ("", "ai.onnx"):
                    ours[i] = ConstantNode(node.op_type, node.name, node.output[0])
    for own, nodes in zip(ours, inner):
        found += ([own] if own else []) + nodes
    return constants


def main(paths: List[str]) -> int:
    """Prints the constant nodes of the models; 1 if there are any, 2 for a wrong command line or file."""
    if not paths or paths[0].startswith("-"):
        print(__doc__ if paths[:1] in (["-h"], ["--help"]) else "usage: python3 -m supremum.onnxruntime MODEL...")
        return 0 if paths[:1] in (["-h"], ["--help"]) else 2
    found = False
    for path in paths:
        try:
            nodes = constant_nodes(path)
        except Exception as error:  # protobuf's and the system's, which have no common class
            print(f"{path}: {error}", file=sys.stderr)
            return 2
        for node in nodes:
            found = True
            print(f"{path}: {node.op_type} {node.name or 'without a name'}, which makes {node.output}: its inputs are constants")
    if found:
        print(
            f"ONNX Runtime computes these nodes by its own kernels, unless the session's entry {DISABLED} contains "
            "ConstantFolding, as that of supremum.onnxruntime.session does."
        )
    else:
        print("no Max or ReduceMax of constants was found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
