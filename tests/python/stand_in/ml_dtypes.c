/* A stand-in for the package ml_dtypes where that is not installed: a type bfloat16 that NumPy knows as its
 * user's, registered as that package registers its own, with a type of scalars and a descriptor of the same
 * name. It computes nothing. */
#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>
#include <stdint.h>
#include <string.h>

#if NPY_ABI_VERSION >= 0x02000000
typedef PyArray_DescrProto Descr;
#else
typedef PyArray_Descr Descr;
#endif

/* As NumPy lays scalars of its users' types out: the value follows the head. */
typedef struct {
  PyObject_HEAD uint16_t bits;
} Scalar;

static PyTypeObject scalar_type;

static double Decode(uint16_t bits) {
  const uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  return value;
}

static PyObject* ScalarFloat(PyObject* self) { return PyFloat_FromDouble(Decode(((Scalar*)self)->bits)); }

static PyObject* ScalarCompare(PyObject* self, PyObject* other, int operation) {
  PyObject* const value = ScalarFloat(self);
  PyObject* const number = PyNumber_Float(other);
  PyObject* const result =
      value == NULL || number == NULL ? NULL : PyObject_RichCompare(value, number, operation);
  Py_XDECREF(value);
  Py_XDECREF(number);
  return result;
}

static PyObject* GetItem(void* data, void* array) {
  Scalar* const scalar = (Scalar*)scalar_type.tp_alloc(&scalar_type, 0);
  (void)array;
  if (scalar != NULL) memcpy(&scalar->bits, data, sizeof scalar->bits);
  return (PyObject*)scalar;
}

/* Cuts off what bfloat16 does not hold. */
static int SetItem(PyObject* item, void* data, void* array) {
  const float value = (float)PyFloat_AsDouble(item);
  uint32_t wide;
  uint16_t bits;
  (void)array;
  if (PyErr_Occurred() != NULL) return -1;
  memcpy(&wide, &value, sizeof wide);
  bits = (uint16_t)(wide >> 16);
  memcpy(data, &bits, sizeof bits);
  return 0;
}

static void CopySwap(void* to, void* from, int swap, void* array) {
  char* const bytes = to;
  (void)array;
  if (from != NULL) memcpy(to, from, 2);
  if (swap) {
    const char first = bytes[0];
    bytes[0] = bytes[1];
    bytes[1] = first;
  }
}

static void CopySwapN(void* to, npy_intp to_step, void* from, npy_intp from_step, npy_intp count, int swap,
                      void* array) {
  npy_intp i;
  for (i = 0; i < count; ++i) {
    CopySwap((char*)to + i * to_step, from == NULL ? NULL : (char*)from + i * from_step, swap, array);
  }
}

static npy_bool NonZero(void* data, void* array) {
  uint16_t bits;
  (void)array;
  memcpy(&bits, data, sizeof bits);
  return (bits & 0x7FFF) != 0;
}

static PyNumberMethods scalar_numbers = {.nb_float = ScalarFloat};
static PyArray_ArrFuncs functions;
static Descr descr;
static struct PyModuleDef module_definition = {PyModuleDef_HEAD_INIT, .m_name = "ml_dtypes", .m_size = -1};

PyMODINIT_FUNC PyInit_ml_dtypes(void) {
  PyObject *module, *registered;
  int number;
  import_array();
  Py_SET_REFCNT(&scalar_type, 1);
  Py_SET_REFCNT(&descr, 1);
  scalar_type.tp_name = "ml_dtypes.bfloat16";
  scalar_type.tp_basicsize = sizeof(Scalar);
  scalar_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  scalar_type.tp_base = &PyGenericArrType_Type;
  scalar_type.tp_as_number = &scalar_numbers;
  scalar_type.tp_richcompare = ScalarCompare;
  scalar_type.tp_hash = PyObject_HashNotImplemented;
  if (PyType_Ready(&scalar_type) < 0) return NULL;

  PyArray_InitArrFuncs(&functions);
  functions.getitem = GetItem;
  functions.setitem = SetItem;
  functions.copyswap = CopySwap;
  functions.copyswapn = CopySwapN;
  functions.nonzero = NonZero;
  Py_SET_TYPE(&descr, &PyArrayDescr_Type);
  descr.typeobj = &scalar_type;
  descr.kind = 'V';
  descr.type = 'E';
  descr.byteorder = '=';
  descr.flags = NPY_USE_GETITEM | NPY_USE_SETITEM;
  descr.elsize = 2;
  descr.alignment = 2;
  descr.f = &functions;
  number = PyArray_RegisterDataType(&descr);
  if (number < 0) return NULL;
  registered = (PyObject*)PyArray_DescrFromType(number);
  if (registered == NULL || PyDict_SetItemString(scalar_type.tp_dict, "dtype", registered) < 0) return NULL;

  module = PyModule_Create(&module_definition);
  if (module == NULL || PyModule_AddObjectRef(module, "bfloat16", (PyObject*)&scalar_type) < 0) return NULL;
  return module;
}
