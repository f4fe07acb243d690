#include "output.h"

#include <optional>
#include <utility>

#include "dlpack.h"
#include "errors.h"
#include "foreign.h"
#include "numpy_api.h"
#include "torch.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

const NumPy& NumPyForResult() {
  const NumPy* const numpy = NumPy::Get();
  if (numpy == nullptr) {
    Fail(ErrorCode::kInvalidArgument,
         "the result would be an array of NumPy, which is not installed; install it, or pass out");
  }
  return *numpy;
}

}  // namespace

void Output::Use(PyObject* out) {
  if (PyTuple_Check(out) != 0 && PyTuple_GET_SIZE(out) == 1) out = PyTuple_GET_ITEM(out, 0);
  given_.Read(out, Operand::Access::kWrite, kName);
  view_ = given_.MutableView();
}

void Output::Make(DType dtype, DimsView shape, const Operand& like, bool column_major) {
  like_ = like.object();
  if (like.kind() == Operand::Kind::kTorch) {
    shape_ = *Shape::FromSpan(shape);
    void* data = nullptr;
    made_ = NewTorchTensor(dtype, shape_, data);
    view_ = {dtype, shape_, {}, data};
    if (made_) return;
  }
  if (like.kind() == Operand::Kind::kTorch || like.kind() == Operand::Kind::kDLPack) {
    tensor_ = std::make_shared<Tensor>(Take(Tensor::Create(dtype, shape, INT64_MAX)));
    view_ = tensor_->MutableView();
    return;
  }
  const NumPy& numpy = NumPyForResult();
  NumPyDescr* descr = nullptr;
  if (like.kind() == Operand::Kind::kNumPy && like.dtype() == dtype) {
    descr = reinterpret_cast<NumPyDescr*>(py::object(like.descr()).release().ptr());
  } else {
    descr = numpy.DescrOf(dtype);
  }
  of_numpy_ = true;
  made_ = numpy.New(descr, shape, column_major);
  const NumPyArray* const made = reinterpret_cast<const NumPyArray*>(made_.ptr());
  const DimsView extents(reinterpret_cast<const std::int64_t*>(made->shape), shape.size());
  view_ = {dtype, extents, {}, made->data};
  if (column_major) {
    shape_ = *Shape::FromSpan(shape);
    std::int64_t step = 1;
    for (std::int64_t& stride : shape_) stride = std::exchange(step, step * (stride > 0 ? stride : 1));
    view_.strides = shape_;
  }
}

py::object Output::Finish() {
  if (given_.object() != nullptr) return py::reinterpret_borrow<py::object>(given_.object());
  if (tensor_ != nullptr) return AsPython(like_, tensor_);
  if (of_numpy_ && view_.shape.empty()) return NumPy::Get()->AsResult(std::move(made_));
  return std::move(made_);
}

py::object AsPython(PyObject* like, const std::shared_ptr<Tensor>& tensor) {
  if (like != nullptr) {
    if (IsTorchTensor(like)) return AsTorchTensor(tensor);
    const NumPy* const numpy = NumPy::Get();
    const bool is_array = numpy != nullptr && numpy->IsArray(like);
    static PyObject* const dlpack_name = PyUnicode_InternFromString("__dlpack__");
    if (!is_array && AttributeOf(like, dlpack_name)) {
      if (py::object made = AsTensorLike(like, tensor)) return made;
    }
  }
  const bool bfloat16 = tensor->dtype() == DType::kBFloat16;
  const NumPy* const numpy = bfloat16 ? NumPy::Get() : &NumPyForResult();
  NumPyDescr* const descr = numpy == nullptr ? nullptr : numpy->DescrOf(tensor->dtype());
  if (descr == nullptr) return AsDLPackTensor(tensor);
  return numpy->Show(descr, tensor->shape(), tensor->data(), AsDLPackTensor(tensor));
}

}  // namespace supremum::python
