#include <cstring>
#include <memory>
#include <string>

#include "errors.h"
#include "foreign.h"
#include "functions.h"
#include "masked_copy.h"
#include "operand.h"
#include "output.h"

namespace py = pybind11;

namespace supremum::python {

py::object ReinterpretOf(const py::object& x, const py::object& dtype) {
  const Entered entered;
  if (PyUnicode_Check(dtype.ptr()) == 0) {
    FailOfType("dtype is of type " + TypeName(dtype.ptr()) + "; expected a name such as 'bfloat16'");
  }
  const std::string name = TextOf(dtype.ptr());
  const std::optional<DType> wanted = ParseDType(name);
  if (!wanted || wanted == DType::kBool) {  // a bool has two values, and not all bits are one of them
    Fail(ErrorCode::kInvalidArgument,
         "dtype is '" + name + "'; expected the name of one of the twelve numeric types, such as 'bfloat16'");
  }
  Operand operand;
  operand.Read(x.ptr(), Operand::Access::kRead, "input 'x'");
  if (ByteWidth(operand.dtype()) != ByteWidth(*wanted)) {
    Fail(ErrorCode::kTypeMismatch, "TYP-2",
         "input 'x' has elements of type " + std::string(Name(operand.dtype())) +
             ", whose width is not that of " + name,
         "; only types of the same width have the same bits");
  }
  TensorView view = operand.View();
  view.dtype = *wanted;
  return AsPython(x.ptr(), std::make_shared<Tensor>(Copy(view)));
}

}  // namespace supremum::python
