// The functions that Python calls directly: maximum_of and maximum (ONNX Max), max (ReduceMax).
#ifndef SUPREMUM_PYTHON_FUNCTIONS_H_
#define SUPREMUM_PYTHON_FUNCTIONS_H_

#include <pybind11/pybind11.h>

#include "arguments.h"

namespace supremum::python {

/// The signature and the docstring of each, as Python shows them.
extern const char* const kMaximumOfDoc;
extern const char* const kMaximumDoc;
extern const char* const kMaxDoc;

/// supremum.maximum_of(*arrays, out=None, threads=None).
pybind11::object CallMaximumOf(const Arguments& arguments);

/// supremum.maximum(x1, x2, /, *, out=None, threads=None).
pybind11::object CallMaximum(const Arguments& arguments);

/// supremum.max(x, axis=None, keepdims=False, *, initial=None, where=True, out=None, threads=None).
pybind11::object CallMax(const Arguments& arguments);

/// supremum.max_with_bounds, which supremum/_bounds.py wraps: (value, bound, lower, upper).
pybind11::tuple MaxWithBoundsOf(const pybind11::object& arrays, const pybind11::object& bounds,
                                const pybind11::object& threads);

/// supremum.reinterpret, which supremum/_reinterpret.py wraps: a copy of `x` with its bits, as another type.
pybind11::object ReinterpretOf(const pybind11::object& x, const pybind11::object& dtype);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_FUNCTIONS_H_
