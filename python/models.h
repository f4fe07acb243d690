// ONNX models and the checker, as supremum/_models.py wraps them.
#ifndef SUPREMUM_PYTHON_MODELS_H_
#define SUPREMUM_PYTHON_MODELS_H_

#include <pybind11/pybind11.h>

namespace supremum::python {

/// Adds the class Model and the function check to the module.
void AddModels(pybind11::module_& module);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_MODELS_H_
