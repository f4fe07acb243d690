#include "foreign.h"

#include <string>
#include <utility>

#include "errors.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

thread_local int depth = 0;

// The Python error that is set; clears it.
py::object TakeRaised() {
#if PY_VERSION_HEX >= 0x030C0000
  return py::reinterpret_steal<py::object>(PyErr_GetRaisedException());
#else
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (value != nullptr && traceback != nullptr) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return py::reinterpret_steal<py::object>(value);
#endif
}

// True for an error that does not concern the call alone: an interrupt, the recursion limit, memory.
bool PassesThrough() {
  return PyErr_ExceptionMatches(PyExc_Exception) == 0 || PyErr_ExceptionMatches(PyExc_RecursionError) != 0 ||
         PyErr_ExceptionMatches(PyExc_MemoryError) != 0;
}

// "BufferError: not today": the first line only, since PyTorch's texts go on with the files of its sources.
std::string FirstLine(PyObject* raised) {
  std::string line = TypeName(raised);
  const auto text = py::reinterpret_steal<py::object>(PyObject_Str(raised));
  if (!text) {
    if (PassesThrough()) throw py::error_already_set();
    PyErr_Clear();
    return line;
  }
  const std::string whole = TextOf(text.ptr());
  const std::string first = whole.substr(0, whole.find_first_of("\r\n"));
  return first.empty() ? line : line + ": " + first;
}

template <class T>
T OrThrow(T object) {
  if (!object) throw py::error_already_set();
  return object;
}

}  // namespace

Entered::Entered() {
  if (depth >= kDeepest) {
    PyErr_Format(
        PyExc_RecursionError,
        "maximum recursion depth exceeded: %d nested calls of supremum, each made by a method of an operand "
        "of the previous one",
        kDeepest);
    throw py::error_already_set();
  }
  if (Py_EnterRecursiveCall(" in a function of supremum") != 0) throw py::error_already_set();
  ++depth;
}

Entered::~Entered() {
  --depth;
  Py_LeaveRecursiveCall();
}

py::object AttributeOf(PyObject* object, PyObject* name) {
  PyTypeObject* const type = Py_TYPE(object);
  auto found = py::reinterpret_steal<py::object>(PyObject_GetAttr(object, name));
  if (found) return found;
  if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0 || _PyType_Lookup(type, name) != nullptr) {
    throw py::error_already_set();
  }
  PyErr_Clear();
  return {};
}

py::object CallOf(PyObject* callable) {
  return OrThrow(py::reinterpret_steal<py::object>(PyObject_CallNoArgs(callable)));
}

py::object CallOf(PyObject* callable, PyObject* argument) {
  return OrThrow(py::reinterpret_steal<py::object>(PyObject_CallOneArg(callable, argument)));
}

void FailOfRefusal(PyObject* object, std::string_view name) {
  if (PassesThrough()) throw py::error_already_set();
  py::object raised = TakeRaised();
  const std::string text = std::string(name) + " of type " + TypeName(object) +
                           " does not export its memory: " + FirstLine(raised.ptr());
  throw Failure(MakeError(ErrorCode::kInvalidArgument, text), false, std::move(raised));
}

py::tuple ItemsOf(PyObject* sequence) {
  if (PyList_Check(sequence) != 0) {
    return OrThrow(py::reinterpret_steal<py::tuple>(PyList_AsTuple(sequence)));
  }
  return OrThrow(py::reinterpret_steal<py::tuple>(PyTuple_GetSlice(sequence, 0, PyTuple_GET_SIZE(sequence))));
}

void ForbidNew(const py::object& type) {
  auto* const native = reinterpret_cast<PyTypeObject*>(type.ptr());
  native->tp_new = nullptr;  // the module creates its own objects without tp_new
  PyType_Modified(native);
}

py::object WholeNumber(PyObject* index) {
  return OrThrow(py::reinterpret_steal<py::object>(PyNumber_Index(index)));
}

std::string Digits(PyObject* number) {
  // int's own method, even if a subclass overrides it.
  const auto digits = py::reinterpret_steal<py::object>(PyLong_Type.tp_repr(number));
  if (digits) return TextOf(digits.ptr());
  PyErr_Clear();
  const auto bits = py::reinterpret_steal<py::object>(
      PyObject_CallMethod(reinterpret_cast<PyObject*>(&PyLong_Type), "bit_length", "O", number));
  return "a number of " +
         TextOf(OrThrow(py::reinterpret_steal<py::object>(PyObject_Str(OrThrow(bits).ptr()))).ptr()) +
         " bits";
}

std::string TypeName(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) return type->tp_name;
  static PyObject* const module_name = PyUnicode_InternFromString("__module__");
  const std::string name = TextOf(reinterpret_cast<PyHeapTypeObject*>(type)->ht_qualname);
  PyObject* const module = _PyType_Lookup(type, module_name);  // without asking the metaclass
  if (module == nullptr || PyUnicode_Check(module) == 0) return name;
  const std::string text = TextOf(module);
  return text == "builtins" ? name : text + "." + name;
}

std::string TextOf(PyObject* text) {
  const auto bytes =
      py::reinterpret_steal<py::object>(PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace"));
  if (!bytes) throw py::error_already_set();
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

}  // namespace supremum::python
