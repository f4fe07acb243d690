// Python numbers as elements.
#ifndef SUPREMUM_PYTHON_SCALAR_H_
#define SUPREMUM_PYTHON_SCALAR_H_

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "supremum/dtype.h"

namespace supremum::python {

/// The bytes of one element, followed by zeros.
struct Element8 {
  alignas(8) std::array<std::byte, 8> bytes = {};
};

/// `value` as an element of type `dtype`. A Python float becomes the nearest element, an infinity beyond the
/// largest one; an int must be in range; a tensor of rank 0, or a scalar of NumPy, must have the type.
///
/// Errors, which call the value `name`: kTypeMismatch (TYP-2) for another kind of number, such as a float for
/// an
///   integer type; kInvalidArgument for a number out of range, or a tensor with dimensions.
Element8 ElementOf(PyObject* value, DType dtype, std::string_view name);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_SCALAR_H_
