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

template <py::object (*call)(const Arguments&)>
PyObject* Called(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* keywords) noexcept {
  try {
    const Entered entered;
    return call({values, static_cast<std::size_t>(count), keywords}).release().ptr();
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
  static std::array<PyMethodDef, 3> methods = {Method<CallMax>("max", kMaxDoc),
                                               Method<CallMaximum>("maximum", kMaximumDoc),
                                               Method<CallReduceMax>("reduce_max", kReduceMaxDoc)};
  const py::str name("supremum");
  for (PyMethodDef& method : methods) {
    PyObject* const function = PyCFunction_NewEx(&method, module.ptr(), name.ptr());
    if (function == nullptr) throw py::error_already_set();
    module.attr(method.ml_name) = py::reinterpret_steal<py::object>(function);
  }
}

}  // namespace
}  // namespace supremum::python

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
  AddModels(module);
  AddTorchLibrary(module);
}
