#include "output.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/align.h"
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

std::uint64_t Magnitude(std::int64_t stride) {
  return stride < 0 ? -static_cast<std::uint64_t>(stride) : static_cast<std::uint64_t>(stride);
}

// True if the inputs' strides order `inner` outside of `outer`, which precedes it in the shape; strides of 0
// order nothing. nullopt if no input orders them. If inputs differ, the order of the shape stays.
std::optional<bool> AreTurned(std::span<const Shape> inputs, std::size_t outer, std::size_t inner) {
  std::optional<bool> turned;
  for (const Shape& strides : inputs) {
    if (strides[outer] == 0 || strides[inner] == 0) continue;
    if (Magnitude(strides[inner]) <= Magnitude(strides[outer])) return false;
    turned = true;
  }
  return turned;
}

// The strides of a dense tensor whose dimensions are in the inputs' order; empty if that is row-major.
Shape StridesInOrderOf(std::span<const TensorView> inputs, DimsView shape) {
  if (std::ranges::all_of(inputs, [](const TensorView& input) { return input.strides.empty(); })) return {};
  std::vector<Shape> aligned;
  for (const TensorView& input : inputs) aligned.push_back(AlignedStrides(input, shape.size()));
  std::array<std::size_t, kMaxRank> order;  // from the innermost dimension outwards
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t dim = shape.size() - 1 - i;
    std::size_t place = i;
    for (std::size_t j = i; j-- > 0;) {
      const std::optional<bool> turned = AreTurned(aligned, dim, order[j]);
      if (turned == false) break;
      if (turned == true) place = j;
    }
    std::copy_backward(&order[place], &order[i], &order[i] + 1);
    order[place] = dim;
  }
  Shape strides = *Shape::FromSpan(shape);
  std::uint64_t step = 1;  // wraps where the package refuses the shape
  bool row_major = true;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    row_major = row_major && order[i] == shape.size() - 1 - i;
    strides[order[i]] = static_cast<std::int64_t>(step);
    step *= static_cast<std::uint64_t>(std::max<std::int64_t>(shape[order[i]], 1));
  }
  return row_major ? Shape() : strides;
}

}  // namespace

void Output::Use(PyObject* out) {
  if (PyTuple_Check(out) != 0 && PyTuple_GET_SIZE(out) == 1) out = PyTuple_GET_ITEM(out, 0);
  given_.Read(out, Operand::Access::kWrite, kName);
  view_ = given_.MutableView();
}

void Output::Make(DType dtype, DimsView shape, const Operand& like, std::span<const TensorView> inputs) {
  like_ = like.object();
  if (like.kind() != Operand::Kind::kDLPack) strides_ = StridesInOrderOf(inputs, shape);
  if (like.kind() == Operand::Kind::kTorch) {
    shape_ = *Shape::FromSpan(shape);
    void* data = nullptr;
    made_ = NewTorchTensor(dtype, shape_, strides_, data);
    view_ = {dtype, shape_, strides_, data};
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
  Shape byte_strides = strides_;
  for (std::int64_t& stride : byte_strides) stride *= static_cast<std::int64_t>(ByteWidth(dtype));
  made_ = numpy.New(descr, shape, byte_strides);
  const NumPyArray* const made = reinterpret_cast<const NumPyArray*>(made_.ptr());
  const DimsView extents(reinterpret_cast<const std::int64_t*>(made->shape), shape.size());
  view_ = {dtype, extents, strides_, made->data};
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
