"""Max and ReduceMax of ONNX Runtime's sessions, computed exactly.

>>> import supremum.onnxruntime as exact
>>> session = exact.session("model.onnx")  # in place of onnxruntime.InferenceSession("model.onnx")

The session is ONNX Runtime's: only who computes the nodes Max and ReduceMax differs. ONNX Runtime 1.23 or newer
loads the library libsupremum_ort.so, an execution provider, which computes on ONNX Runtime's own memory and threads.
ONNX Runtime would compute nodes whose inputs are constants itself when it reads the model; sessions of this module
prevent that. See docs/onnxruntime.md.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Optional, Union

__all__ = ["library", "session", "session_options"]

PROVIDER = "SupremumExecutionProvider"
PREFIX = f"ep.{PROVIDER.lower()}."  # of its options among the entries of a session
DISABLED = "optimization.disable_specified_optimizers"


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
