"""What the hostile tests of the Python module share: ways to call it, classes whose methods misbehave, capsules that lie."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Dict, List, Tuple

from support import np, supremum

from supremum.kit import files


class Own(BaseException):
    """An exception that is none of Python's, and no Exception."""


BASE_EXCEPTIONS = (KeyboardInterrupt, SystemExit, GeneratorExit, Own)
EXCEPTIONS = (ValueError, AttributeError, TypeError, OverflowError, BufferError, StopIteration, OSError, ImportError)


def ones(dtype: str = "f4") -> np.ndarray:
    return np.ones(2, dtype)


def entries() -> Dict[str, Callable[[Any], Any]]:
    """Each argument at which a call takes a tensor, by name."""
    calls = {
        "maximum_of": lambda x: supremum.maximum_of(x),
        "maximum_of, the second": lambda x: supremum.maximum_of(ones(), x),
        "maximum_of, the sixth": lambda x: supremum.maximum_of(*[ones()] * 5, x),
        "maximum_of, out": lambda x: supremum.maximum_of(ones(), out=x),
        "maximum_of, out as a tuple": lambda x: supremum.maximum_of(ones(), out=(x,)),
        "maximum": lambda x: supremum.maximum(x, ones()),
        "maximum, out": lambda x: supremum.maximum(ones(), ones(), out=x),
        "max": lambda x: supremum.max(x, axis=()),
        "max, out": lambda x: supremum.max(ones(), axis=(), out=x),
        "max, where": lambda x: supremum.max(ones(), where=x),
        "max, initial": lambda x: supremum.max(ones(), initial=x),
        "max_with_bounds": lambda x: supremum.max_with_bounds([ones(), x], [0, 0]),
        "max_with_bounds, a bound": lambda x: supremum.max_with_bounds([ones()], [x]),
    }
    model = make_model()
    calls["Model.run"] = lambda x: model.run({"a": x, "b": ones()})
    calls["Model.run, the second"] = lambda x: model.run([ones(), x])
    return calls


def make_model() -> Any:
    """A model of two inputs."""
    stated = {name: [name, "float32[n]"] for name in "aby"}
    node = {"op": "Max", "inputs": ["a", "b"], "outputs": ["y"]}
    return supremum.load(files._any_model({"opset": 13, "inputs": [stated["a"], stated["b"]], "outputs": [stated["y"]], "nodes": [node]}))


def raiser(error: BaseException) -> Callable[..., Any]:
    def raises(*_: Any, **__: Any) -> Any:
        raise error

    return raises


def class_with(**members: Any) -> Any:
    """An object of a new class with these members."""
    return type("Hostile", (), members)()


# Makers of operands that raise `error` while they are read. The key names the operand's own code that is run.
OPERANDS: Dict[str, Callable[[BaseException], Any]] = {
    "__dlpack__": lambda error: class_with(__dlpack__=raiser(error)),
    "a property __dlpack__": lambda error: class_with(__dlpack__=property(raiser(error))),
    "__getattr__": lambda error: class_with(__getattr__=raiser(error)),
    "__getattribute__": lambda error: class_with(__getattribute__=raiser(error)),
}


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", Deleter)]


class DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", Deleter),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    ]


READ_ONLY, IS_COPIED = 1, 2  # flags

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
capsule_name = ctypes.pythonapi.PyCapsule_GetName
capsule_name.restype, capsule_name.argtypes = ctypes.c_char_p, [ctypes.py_object]


def numbers(values: Any) -> Any:
    return (ctypes.c_int64 * max(len(values), 1))(*values)


class Capsules:
    """A tensor of two float32, 1 and 2, that hands out capsules with some fields changed; it counts what is given back. `version`:
    capsules of DLPack 1 or later, to callers who ask for them."""

    def __init__(self, name: Any = b"dltensor", version: Any = None, flags: int = 0, **fields: Any) -> None:
        self.memory = (ctypes.c_float * 2)(1, 2)
        self.name, self.version, self.flags, self.fields = name, version, flags, fields
        if version is not None:
            self.name = b"dltensor_versioned"
        self.asked: List[Dict[str, Any]] = []
        self.made: List[Tuple[Any, Any]] = []
        self.returned = 0
        self.deleter = Deleter(self._delete)

    def _delete(self, _: Any) -> None:
        self.returned += 1

    def capsule(self) -> Any:
        managed: Any = DLManagedTensor()
        if self.version is not None:
            managed = DLManagedTensorVersioned(*self.version, flags=self.flags)
        tensor = managed.tensor
        tensor.data, tensor.device_type, tensor.ndim = ctypes.addressof(self.memory), 1, 1
        tensor.code, tensor.bits, tensor.lanes = 2, 32, 1
        shape = numbers([2])
        tensor.shape = shape
        kept = [shape]
        for field, value in self.fields.items():
            if isinstance(value, (list, tuple)):
                value = numbers(value)
                kept.append(value)
            setattr(tensor, field, value)
        managed.deleter = self.deleter
        self.made.append((managed, kept))
        return new_capsule(ctypes.addressof(managed), self.name, None)

    def __dlpack__(self, **keywords: Any) -> Any:
        self.asked.append(keywords)
        if self.version is None and keywords:
            raise TypeError("it is from before DLPack 1")
        return self.capsule()
