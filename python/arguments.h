// The arguments of functions that Python calls without making a tuple and a dictionary of them.
#ifndef SUPREMUM_PYTHON_ARGUMENTS_H_
#define SUPREMUM_PYTHON_ARGUMENTS_H_

#include <pybind11/pybind11.h>

#include <cstddef>
#include <span>

namespace supremum::python {

/// The arguments of one call, as METH_FASTCALL | METH_KEYWORDS passes them: `count` by position, then those
/// whose names `keywords` lists.
struct Arguments {
  PyObject* const* values;
  std::size_t count;
  PyObject* keywords;  // a tuple of names, or null

  std::span<PyObject* const> positional() const { return {values, count}; }

  /// Puts each keyword's value at the place of its name in `names`.
  ///
  /// Errors: kInvalidArgument, as a TypeError, for a keyword that is not among them, or whose value has been
  ///   given by position.
  void TakeKeywords(const char* function, std::span<const char* const> names,
                    std::span<PyObject*> taken) const;
};

/// MaxOptions::threads from a `threads` that is null, None, or a number of 0 or more.
std::size_t ThreadsOf(PyObject* threads);

/// True if a value has been given, and it is not None.
inline bool IsGiven(PyObject* value) { return value != nullptr && value != Py_None; }

/// Releases the interpreter's lock for its lifetime, if the work is large enough to justify the cost.
class Unlocked {
 public:
  /// From this many bytes read and written on, the interpreter's lock is released.
  static constexpr std::size_t kBytes = 65536;
  static bool Pays(std::size_t bytes) { return bytes >= kBytes; }
  explicit Unlocked(std::size_t bytes) : state_(Pays(bytes) ? PyEval_SaveThread() : nullptr) {}
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked();

 private:
  PyThreadState* state_;
};

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_ARGUMENTS_H_
