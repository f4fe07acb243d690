#include "arguments.h"

#include <chrono>
#include <string>
#include <thread>

#include "errors.h"
#include "foreign.h"
#include "supremum/result.h"

namespace py = pybind11;

namespace supremum::python {

void Arguments::TakeKeywords(const char* function, std::span<const char* const> names,
                             std::span<PyObject*> taken) const {
  const Py_ssize_t given = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t k = 0; k < given; ++k) {
    PyObject* const keyword = PyTuple_GET_ITEM(keywords, k);
    std::size_t place = 0;
    while (place < names.size() && PyUnicode_CompareWithASCIIString(keyword, names[place]) != 0) ++place;
    if (place == names.size()) {
      std::string text = std::string(function) + " has no keyword '" + TextOf(keyword) + "'; it has";
      for (std::size_t n = 0; n < names.size(); ++n)
        text += (n == 0 ? " '" : ", '") + std::string(names[n]) + "'";
      FailOfType(text);
    }
    if (taken[place] != nullptr) {
      FailOfType(std::string(function) + " was given '" + names[place] +
                 "' twice, by position and by keyword");
    }
    taken[place] = values[count + static_cast<std::size_t>(k)];
  }
}

Unlocked::~Unlocked() {
  if (state_ == nullptr) return;
  try {
    PyEval_RestoreThread(state_);
  } catch (...) {
    // Python is shutting down and ends every other thread that asks for its lock: before version 3.14 by
    // unwinding it. The frames of this thread hold objects of Python that must not be destroyed any more, so
    // the thread sleeps here until the process ends, which is what Python does itself since 3.14.
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

std::size_t ThreadsOf(PyObject* threads) {
  if (!IsGiven(threads)) return 1;
  if (PyIndex_Check(threads) == 0) {
    FailOfType("threads is of type " + TypeName(threads) +
               "; expected a whole number, 0 to let the library choose, or None for one thread");
  }
  const py::object whole = WholeNumber(threads);
  const Py_ssize_t number = PyNumber_AsSsize_t(whole.ptr(), nullptr);  // clipped to the range of Py_ssize_t
  if (number < 0) {
    Fail(ErrorCode::kInvalidArgument,
         "threads is " + Digits(whole.ptr()) + "; expected 1 or more, or 0 to let the library choose");
  }
  return static_cast<std::size_t>(number);
}

}  // namespace supremum::python
