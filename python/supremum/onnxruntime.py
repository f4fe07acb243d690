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
from typing import Any, Iterator, List, NamedTuple, Optional, Set, Union

__all__ = ["ConstantNode", "constant_nodes", "library", "session", "session_options"]

PROVIDER = "SupremumExecutionProvider"
DISABLED = "optimization.disable_specified_optimizers"
# What is not computed when a model is read, though nothing that is fed changes it.
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
    """onnxruntime.SessionOptions with supremum's provider; `options`, if given, is changed and returned.

    threads         "session": the session's own; or a number, of the calling thread and oneTBB's, 0 for one on each
                    processor. It changes no bit of any result (ORD-5)
    strict          creating the session fails, with the node and the rule, if a Max or ReduceMax of the model is not
                    computed exactly; otherwise such a node is left to other providers, with a warning
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
    if not fold_constants:
        try:
            disabled = options.get_session_config_entry(DISABLED) + ";"
        except RuntimeError:  # there is no such entry
            disabled = ""
        options.add_session_config_entry(DISABLED, disabled + "ConstantFolding")
    options.add_provider_for_devices(devices[:1], {"threads": str(threads), "strict": str(int(strict))})
    return options


def session(model: Any, options: Optional[Any] = None, **arguments: Any) -> Any:
    """onnxruntime.InferenceSession(model), with the options of session_options(options, **arguments).

    A session that cannot be created as asked is an error. InferenceSession called directly would by default print the
    error and create one without supremum instead: pass it enable_fallback=0.
    """
    import onnxruntime

    return onnxruntime.InferenceSession(model, session_options(options, **arguments), enable_fallback=0)


class ConstantNode(NamedTuple):
    """A node whose result is the same in every run."""

    op_type: str  #: "Max" or "ReduceMax"
    name: str  #: its name, or "" if it has none
    output: str  #: the name of its result


def constant_nodes(model: Any) -> List[ConstantNode]:
    """The Max and ReduceMax nodes whose inputs depend on no input of the model: what ONNX Runtime computes by its own
    kernels when it reads the model, unless its optimizer "ConstantFolding" is disabled.

    `model` is a path or an onnx.ModelProto. Nodes in subgraphs are found too, those in functions are not.
    Raises ImportError if onnx is not installed.
    """
    import onnx

    if not isinstance(model, onnx.ModelProto):
        model = onnx.load(model, load_external_data=False)
    return list(_constant_nodes(model.graph, set(), model.ir_version >= 4))


def _constant_nodes(graph: Any, constants: Set[str], inputs_are_variable: bool) -> Iterator[ConstantNode]:
    constants = set(constants) | {tensor.name for tensor in graph.initializer}
    # An initializer that is an input too is only its default, from version 4 of the format on.
    shadowed = {value.name for value in graph.input if inputs_are_variable or value.name not in constants}
    constants -= shadowed
    for node in graph.node:
        subgraphs = [attribute.g for attribute in node.attribute if attribute.HasField("g")]
        for subgraph in subgraphs:
            yield from _constant_nodes(subgraph, constants, True)
        given = {name for name in node.input if name}
        if node.op_type == "Constant" or (given and given <= constants and not subgraphs and node.op_type not in RANDOM):
            constants |= {name for name in node.output if name}
            if node.op_type in ("Max", "ReduceMax") and node.domain in ("", "ai.onnx"):
                yield ConstantNode(node.op_type, node.name, node.output[0])
        else:
            constants -= set(node.output)


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
        print("no Max or ReduceMax of constants")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
