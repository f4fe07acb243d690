// Numbers of Python as elements.
#ifndef SUPREMUM_PYTHON_SCALAR_H_
#define SUPREMUM_PYTHON_SCALAR_H_

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "supremum/dtype.h"

namespace supremum::python {

/// The bits of one element, at the beginning.
struct Element8 {
  alignas(8) std::array<std::byte, 8> bytes = {};
};

/// `value` as an element of type `dtype`. A float of Python becomes the nearest element, beyond the largest
/// an infinity; whole numbers must fit; a tensor of rank 0, or a scalar of NumPy, must have the type.
///
/// Errors: kTypeMismatch (TYP-2) for a float where whole numbers or bools are, and such; kInvalidArgument for
///   a number that does not fit, or a tensor with dimensions. `name` is what they call it.
Element8 ElementOf(PyObject* value, DType dtype, std::string_view name);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_SCALAR_H_
