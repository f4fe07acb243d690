# SUPREMUM_BUILD_PYTHON: the Python module, where pybind11 and DLPack's header are found. It is built for the distribution's
# interpreter; another one may come first on PATH, and is then named with -DPYTHON_EXECUTABLE=...
set(supremum_python_default OFF)
if(PROJECT_IS_TOP_LEVEL AND SUPREMUM_BUILD_ONNX AND NOT SUPREMUM_SANITIZE)
  set(supremum_python_default ON)
endif()
if(supremum_python_default OR SUPREMUM_BUILD_PYTHON)
  find_program(PYTHON_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH)
  find_package(pybind11 2.9 QUIET)
  find_path(SUPREMUM_DLPACK_INCLUDE_DIR dlpack/dlpack.h)
  if(NOT pybind11_FOUND OR NOT SUPREMUM_DLPACK_INCLUDE_DIR)
    set(supremum_python_default OFF)
  endif()
endif()
option(SUPREMUM_BUILD_PYTHON "Build the Python module (needs pybind11, DLPack's header and SUPREMUM_BUILD_ONNX)"
       ${supremum_python_default})
if(SUPREMUM_BUILD_PYTHON AND (NOT pybind11_FOUND OR NOT SUPREMUM_DLPACK_INCLUDE_DIR OR NOT SUPREMUM_BUILD_ONNX))
  message(FATAL_ERROR "SUPREMUM_BUILD_PYTHON needs pybind11 (pybind11-dev), dlpack/dlpack.h (libdlpack-dev) and SUPREMUM_BUILD_ONNX")
endif()
