#include "errors.h"

#include <pybind11/pybind11.h>

#include <new>
#include <string>

namespace py = pybind11;

namespace supremum::python {

void Fail(Error error) {
  const bool of_type = error.code == ErrorCode::kTypeMismatch || error.code == ErrorCode::kTypeNotAdmitted ||
                       error.code == ErrorCode::kTypeNotExplicit;
  throw Failure(std::move(error), of_type);
}

void FailOfType(std::string_view details) {
  throw Failure(MakeError(ErrorCode::kInvalidArgument, details), true);
}

// NOLINTNEXTLINE(bugprone-exception-escape): restore() throws only if it is called twice
void SetPythonError(const Failure& failure) noexcept {
  try {
    const py::object type =
        py::module_::import("supremum._errors").attr(failure.of_type() ? "InvalidType" : "InvalidValue");
    const Error& error = failure.error();
    const py::object rule =
        error.rule.empty() ? py::object(py::none()) : py::str(std::string(error.rule.text()));
    const py::object raised = type(error.message, static_cast<int>(error.code), rule);
    if (failure.cause() && PyExceptionInstance_Check(raised.ptr()) != 0) {
      py::object cause = failure.cause(), context = failure.cause();
      PyException_SetCause(raised.ptr(), cause.release().ptr());
      PyException_SetContext(raised.ptr(), context.release().ptr());
    }
    PyErr_SetObject(type.ptr(), raised.ptr());
  } catch (py::error_already_set& thrown) {
    thrown.restore();
  } catch (...) {
    PyErr_NoMemory();
  }
}

void SetPythonError() noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    SetPythonError(failure);
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

}  // namespace supremum::python
