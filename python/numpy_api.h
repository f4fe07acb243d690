// NumPy's arrays, through the few entries of its C interface that are the same in NumPy 1 and 2, so that one
// build serves both and NumPy's headers are not needed.
#ifndef SUPREMUM_PYTHON_NUMPY_API_H_
#define SUPREMUM_PYTHON_NUMPY_API_H_

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>

#include "supremum/dtype.h"
#include "supremum/shape.h"

namespace supremum::python {

/// The first members of NumPy's objects. The following ones differ between versions and are not declared.
struct NumPyDescr {
  PyObject_HEAD PyTypeObject* scalar_type;
  char kind;
  char type;
  char byteorder;
  char flags;
  int type_num;
};

struct NumPyArray {
  PyObject_HEAD char* data;
  int rank;
  Py_ssize_t* shape;
  Py_ssize_t* strides;  // in bytes
  PyObject* base;
  NumPyDescr* descr;
  int flags;
};

static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));

/// NumPyDescr::type_num of the first type of another package.
inline constexpr int kFirstUserType = 256;

/// NumPyArray::flags.
inline constexpr int kRowMajor = 0x0001, kWriteable = 0x0400;

class NumPy {
 public:
  /// NumPy, or null if it cannot be imported.
  static const NumPy* Get();

  /// An array or an instance of a subclass.
  bool IsArray(PyObject* object) const {
    return Py_TYPE(object) == array_type_ || PyType_IsSubtype(Py_TYPE(object), array_type_) != 0;
  }
  /// An array whose class changes nothing: ndarray itself, or memmap.
  bool IsPlainArray(PyObject* object) const {
    return Py_TYPE(object) == array_type_ || Py_TYPE(object) == memmap_type_;
  }

  /// A scalar of NumPy, of any type.
  bool IsScalar(PyObject* object) const {
    return scalar_type_ != nullptr && PyType_IsSubtype(Py_TYPE(object), scalar_type_) != 0;
  }

  /// The element type of `descr`; bfloat16 is that of the ml_dtypes package. nullopt: not a type of supremum,
  /// or not in this machine's byte order.
  std::optional<DType> DTypeOf(NumPyDescr* descr) const;

  /// A new reference to the descriptor of `dtype`, or to ml_dtypes' for bfloat16: null where that is not
  /// installed.
  NumPyDescr* DescrOf(DType dtype) const;

  /// A new array with elements that are not yet set, and strides in bytes; row-major without them. Takes
  /// over the reference to `descr`. Requires: the strides are those of a dense array.
  pybind11::object New(NumPyDescr* descr, DimsView shape, DimsView strides) const;

  /// A new array over the memory at `data`, row-major, which keeps a reference to `owner`. Takes over the
  /// reference to `descr`.
  pybind11::object Show(NumPyDescr* descr, DimsView shape, void* data, pybind11::object owner) const;

  /// The array as NumPy returns results: rank 0 as a scalar.
  pybind11::object AsResult(pybind11::object array) const;

 private:
  void Load(const pybind11::module_& numpy);

  PyTypeObject *array_type_ = nullptr, *memmap_type_ = nullptr, *scalar_type_ = nullptr;
  PyObject* (*descr_from_type_)(int) = nullptr;
  PyObject* (*return_)(PyObject*) = nullptr;
  PyObject* (*new_from_descr_)(PyTypeObject*, PyObject*, int, const std::int64_t*, const std::int64_t*, void*,
                               int, PyObject*) = nullptr;
  int (*set_base_object_)(PyObject*, PyObject*) = nullptr;
};

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_NUMPY_API_H_
