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

enum class Rounding {
  kNearest,
  kUp,  ///< for a bound, which must not become smaller
};

/// `value` as an element of type `dtype`. A number of Python becomes the nearest element, ties to even, or
/// the least element that is not smaller, which may be infinity. A tensor of rank 0, or a scalar of NumPy,
/// must have the type.
///
/// Errors, which call the value `name`: kTypeMismatch (TYP-2) for another kind of number, such as a float for
///   an integer type. A number out of range, a finite number whose nearest element is infinity, and a tensor
///   with dimensions are kInvalidArgument.
Element8 ElementOf(PyObject* value, DType dtype, std::string_view name,
                   Rounding rounding = Rounding::kNearest);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_SCALAR_H_
