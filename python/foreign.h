// Calls of code that is not the library's: the methods and attributes of whatever object a caller gives. Such
// code may raise anything, call the library again, and change, shrink or free what was read before it.
#ifndef SUPREMUM_PYTHON_FOREIGN_H_
#define SUPREMUM_PYTHON_FOREIGN_H_

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

namespace supremum::python {

/// Stands in each function that Python calls. An operand's method may call the library again, whose operand's
/// method does the same: how often is limited, since each call takes 10 to 20 KB of C's stack, which Python's
/// own limit of recursion knows nothing of. A thread's stack may be 512 KB.
///
/// Errors: a RecursionError, at Python's limit or beyond kDeepest calls inside each other in one thread.
class Entered {
 public:
  static constexpr int kDeepest = 8;
  Entered();
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  ~Entered();
};

/// The attribute of `object`, or an empty object where it has none of that name. Throws whatever else reading
/// it raises: an exception inside a property, even an AttributeError, does not mean that there is none.
/// Requires: `name` is an interned string.
pybind11::object AttributeOf(PyObject* object, PyObject* name);

/// The result of calling `callable` without arguments, or with one. Throws what it raises.
pybind11::object CallOf(PyObject* callable);
pybind11::object CallOf(PyObject* callable, PyObject* argument);

/// In the state that a Python error is set, because `object` did not give its memory: throws
/// kInvalidArgument, which names the object's type and the first line of the error's text and has the error
/// as its cause. An error that is no Exception (KeyboardInterrupt, SystemExit), a RecursionError and a
/// MemoryError are thrown as they are: they say nothing of the object.
[[noreturn]] void FailOfRefusal(PyObject* object, std::string_view name);

/// The elements of a list or tuple, whatever a subclass makes of `__iter__` and `__len__`; a list may change
/// while these stay.
pybind11::tuple ItemsOf(PyObject* sequence);

/// Makes `type.__new__(type)` an error: an object whose C++ part was never made would be read all the same.
void ForbidNew(const pybind11::object& type);

/// What `index` is as a whole number: what its `__index__` returns. Throws what that raises.
pybind11::object WholeNumber(PyObject* index);

/// The digits of an int, or how many bits it has where these are more than Python writes out.
std::string Digits(PyObject* number);

/// "list", "numpy.ndarray": what errors call the type of an object. Calls nothing of the type's.
std::string TypeName(PyObject* object);

/// A string of Python's, with an escape for what is not Unicode.
std::string TextOf(PyObject* text);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_FOREIGN_H_
