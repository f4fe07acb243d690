// The functions that Python calls directly: max, maximum, reduce_max.
#ifndef SUPREMUM_PYTHON_FUNCTIONS_H_
#define SUPREMUM_PYTHON_FUNCTIONS_H_

#include <pybind11/pybind11.h>

#include "arguments.h"

namespace supremum::python {

/// The signature and the docstring of each, as Python shows them.
extern const char* const kMaxDoc;
extern const char* const kMaximumDoc;
extern const char* const kReduceMaxDoc;

/// supremum.max(*arrays, out=None, threads=None).
pybind11::object CallMax(const Arguments& arguments);

/// supremum.maximum(x1, x2, /, out=None, threads=None).
pybind11::object CallMaximum(const Arguments& arguments);

/// supremum.reduce_max(a, axis=None, keepdims=False, out=None, initial=None, where=True, threads=None).
pybind11::object CallReduceMax(const Arguments& arguments);

/// supremum.max_with_bounds, which supremum/_bounds.py wraps: (value, bound, lower, upper).
pybind11::tuple MaxWithBoundsOf(const pybind11::object& arrays, const pybind11::object& bounds,
                                const pybind11::object& threads);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_FUNCTIONS_H_
