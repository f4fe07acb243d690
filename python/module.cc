// The module supremum._core, the compiled part of the package.
#include <pybind11/pybind11.h>

#include <array>
#include <string>

#include "dlpack.h"
#include "errors.h"
#include "foreign.h"
#include "functions.h"
#include "models.h"
#include "supremum/result.h"
#include "torch_library.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

// Calls the function of supremum.dask that has the same name.
template <py::object (*call)(const Arguments&)>
PyObject* CallOfDask(const Arguments& arguments) {
  constexpr const char* kName = call == CallMax ? "max" : call == CallMaximum ? "maximum" : "maximum_of";
  const py::object function = py::module_::import("supremum.dask").attr(kName);
  return PyObject_Vectorcall(function.ptr(), arguments.values, arguments.count, arguments.keywords);
}

template <py::object (*call)(const Arguments&)>
PyObject* Called(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* keywords) noexcept {
  const Arguments arguments{values, static_cast<std::size_t>(count), keywords};
  try {
    try {
      const Entered entered;
      return call(arguments).release().ptr();
    } catch (const DaskArrayFound&) {
      return CallOfDask<call>(arguments);
    }
  } catch (...) {
    SetPythonError();
    return nullptr;
  }
}

template <py::object (*call)(const Arguments&)>
PyMethodDef Method(const char* name, const char* doc) {
  // Python calls the function with the arguments that METH_FASTCALL | METH_KEYWORDS says.
  const auto function = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&Called<call>));
  return {name, function, METH_FASTCALL | METH_KEYWORDS, doc};
}

// Python calls these functions directly: pybind11's dispatch takes longer than a small Max.
void AddFunctions(py::module_& module) {
  static std::array<PyMethodDef, 3> methods = {Method<CallMaximumOf>("maximum_of", kMaximumOfDoc),
                                               Method<CallMaximum>("maximum", kMaximumDoc),
                                               Method<CallMax>("max", kMaxDoc)};
  const py::str name("supremum");
  for (PyMethodDef& method : methods) {
    PyObject* const function = PyCFunction_NewEx(&method, module.ptr(), name.ptr());
    if (function == nullptr) throw py::error_already_set();
    module.attr(method.ml_name) = py::reinterpret_steal<py::object>(function);
  }
}

// Otherwise sets an ImportError.
bool IsMainInterpreter() {
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) return true;
  PyErr_SetString(PyExc_ImportError,
                  "supremum cannot be imported in a sub-interpreter: import it in the main interpreter of a "
                  "process, or start another process");
  return false;
}

}  // namespace
}  // namespace supremum::python

// pybind11 would wait forever for its own lock in an interpreter that is not the main one (version 2.10), and
// the objects that this module keeps are those of one interpreter. The function that Python calls is
// therefore the last one in this file, and that of pybind11 has another name.
#define PyInit__core InitializeCore
PYBIND11_MODULE(_core, module) {
  using namespace supremum::python;
  module.doc() = "The compiled part of supremum.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Failure& failure) {
      SetPythonError(failure);
    }
  });
  py::list codes;
  for (const supremum::ErrorInfo& info : supremum::kErrorTable) {
    codes.append(py::make_tuple(std::string(info.name), static_cast<int>(info.code)));
  }
  module.attr("ERROR_CODES") = codes;
  AddFunctions(module);
  AddDLPackTensor(module);
  module.def("max_with_bounds", &MaxWithBoundsOf);
  module.def("reinterpret", &ReinterpretOf);
  AddModels(module);
  AddTorchLibrary(module);
  // A later interpreter gets a copy of the module without a call of PyInit__core.
  static PyMethodDef check = {"check_interpreter",
                              [](PyObject*, PyObject*) -> PyObject* {
                                if (!IsMainInterpreter()) return nullptr;
                                Py_RETURN_NONE;
                              },
                              METH_NOARGS, "Raises ImportError in an interpreter that is not the main one."};
  module.attr("check_interpreter") =
      py::reinterpret_steal<py::object>(PyCFunction_NewEx(&check, nullptr, nullptr));
}
#undef PyInit__core

extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  return supremum::python::IsMainInterpreter() ? InitializeCore() : nullptr;
}
