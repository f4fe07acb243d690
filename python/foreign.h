// Calls of foreign code: the methods and attributes of the objects that a caller passes. Such code may raise
// anything, call the library again, and change, shrink or free what was read before it.
#ifndef SUPREMUM_PYTHON_FOREIGN_H_
#define SUPREMUM_PYTHON_FOREIGN_H_

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

namespace supremum::python {

/// Limits nested calls; each function that Python calls creates one. A method of an operand may call the
/// library again, with an operand whose method does the same. Each call takes 10 to 20 KB of the C stack,
/// which Python's recursion limit does not count, and a thread's stack may be 512 KB.
///
/// Errors: a RecursionError, at Python's limit or beyond kDeepest nested calls in one thread.
class Entered {
 public:
  static constexpr int kDeepest = 8;
  Entered();
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  ~Entered();
};

/// The attribute of `object`, or an empty object if there is none of that name. Throws whatever else reading
/// it raises: an exception inside a property, even an AttributeError, does not mean that there is no
/// attribute. Requires: `name` is an interned string.
pybind11::object AttributeOf(PyObject* object, PyObject* name);

/// The result of calling `callable` without arguments, or with one. Throws what it raises.
pybind11::object CallOf(PyObject* callable);
pybind11::object CallOf(PyObject* callable, PyObject* argument);

/// Throws kInvalidArgument, which names the object's type and the first line of the error's text and has the
/// error as its cause. An error that is no Exception (KeyboardInterrupt, SystemExit), a RecursionError and a
/// MemoryError are thrown unchanged: they do not concern the object.
/// Requires: a Python error is set, because `object` did not export its memory.
[[noreturn]] void FailOfRefusal(PyObject* object, std::string_view name);

/// A copy of the elements of a list or tuple, which a later change of the list does not affect. It ignores a
/// subclass's `__iter__` and `__len__`.
pybind11::tuple ItemsOf(PyObject* sequence);

/// Makes `type.__new__(type)` an error: it would create an object without its C++ part, which is then read.
void ForbidNew(const pybind11::object& type);

/// The result of `index.__index__()`. Throws what that raises.
pybind11::object WholeNumber(PyObject* index);

/// The digits of an int, or its number of bits if Python refuses to write that many digits.
std::string Digits(PyObject* number);

/// The name of an object's type in errors: "list", "numpy.ndarray". Calls no code of the type.
std::string TypeName(PyObject* object);

/// A Python string as UTF-8; lone surrogates are escaped.
std::string TextOf(PyObject* text);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_FOREIGN_H_
