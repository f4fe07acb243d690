// Errors of the library as Python exceptions: supremum.InvalidValue and supremum.InvalidType.
#ifndef SUPREMUM_PYTHON_ERRORS_H_
#define SUPREMUM_PYTHON_ERRORS_H_

#include <pybind11/pybind11.h>

#include <exception>
#include <string_view>
#include <utility>

#include "supremum/result.h"

namespace supremum::python {

/// An error of the library, thrown; only python/ throws. `cause` is the Python exception that caused it, if
/// there is one: its __cause__.
class Failure : public std::exception {
 public:
  Failure(Error error, bool of_type, pybind11::object cause = {})
      : error_(std::move(error)), of_type_(of_type), cause_(std::move(cause)) {}
  const char* what() const noexcept override { return error_.message.c_str(); }
  const Error& error() const { return error_; }
  /// True if Python gets a TypeError.
  bool of_type() const { return of_type_; }
  const pybind11::object& cause() const { return cause_; }

 private:
  Error error_;
  bool of_type_;
  pybind11::object cause_;
};

/// The failure for an operand that is a dask array: supremum.dask has the functions maximum_of, maximum and
/// max for it.
class DaskArrayFound : public Failure {
 public:
  using Failure::Failure;
};

/// Throws `error`; as a TypeError if its code says that a type is wrong.
[[noreturn]] void Fail(Error error);
[[noreturn]] inline void Fail(ErrorCode code, std::string_view details) { Fail(MakeError(code, details)); }
[[noreturn]] inline void Fail(ErrorCode code, RuleId rule, std::string_view what,
                              std::string_view advice = "") {
  Fail(MakeError(code, rule, what, advice));
}

/// Throws kInvalidArgument as a TypeError: an object of a wrong kind, a keyword that does not exist.
[[noreturn]] void FailOfType(std::string_view details);

/// Returns the value of `result`; throws its error if there is one.
template <class T>
T Take(Result<T> result) {
  if (!result) Fail(std::move(result).error());
  return *std::move(result);
}
inline void Take(Result<void> result) {
  if (!result) Fail(std::move(result).error());
}

/// In a catch block of a function that Python calls: sets the Python error for the exception in flight.
void SetPythonError() noexcept;

/// Sets the Python error for `failure`.
void SetPythonError(const Failure& failure) noexcept;

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_ERRORS_H_
