#include "supremum/reduce_max.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/axes.h"
#include "errors.h"
#include "foreign.h"
#include "functions.h"
#include "masked_copy.h"
#include "numpy_api.h"
#include "operand.h"
#include "output.h"
#include "scalar.h"
#include "supremum/max.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

constexpr const char* kSourceName = "input 'x'";
// For a caller who expects max to be element-wise, as ONNX's Max and PyTorch's max of two tensors are.
constexpr const char* kElementWise =
    "; the element-wise maximum is maximum(x1, x2), of any number of arrays maximum_of(*arrays)";
constexpr const char* kMaskName = "where";

// The dimensions that `axis` names: one number, or a tuple or list of numbers.
class Axes {
 public:
  explicit Axes(PyObject* axis) {
    if (!IsGiven(axis)) return;
    if (PyTuple_Check(axis) != 0 || PyList_Check(axis) != 0) {
      for (const py::handle one : ItemsOf(axis)) many_.push_back(Number(one.ptr()));
      taken_ = many_;
    } else {
      one_ = Number(axis);
      taken_ = {&one_, 1};
    }
    given_ = true;
  }
  Axes(const Axes&) = delete;
  Axes& operator=(const Axes&) = delete;

  std::optional<std::span<const std::int64_t>> get() const {
    return given_ ? std::optional(taken_) : std::nullopt;
  }

 private:
  // Tensors have __index__, too. As in NumPy, an array of rank 0 is a number.
  static bool IsTensor(PyObject* object) {
    static PyObject* const dlpack_name = PyUnicode_InternFromString("__dlpack__");
    if (PyLong_Check(object) != 0 || _PyType_Lookup(Py_TYPE(object), dlpack_name) == nullptr) return false;
    const NumPy* const numpy = NumPy::Get();
    return numpy == nullptr || !numpy->IsArray(object) || reinterpret_cast<NumPyArray*>(object)->rank != 0;
  }

  static std::int64_t Number(PyObject* axis) {
    if (PyIndex_Check(axis) == 0 || IsTensor(axis)) {
      FailOfType("an axis of max() is of type " + TypeName(axis) +
                 "; expected None for all dimensions, a whole number, or a tuple of whole numbers" +
                 kElementWise);
    }
    const py::object whole = WholeNumber(axis);
    const Py_ssize_t number = PyLong_AsSsize_t(whole.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      Fail(ErrorCode::kAxis, "RED-2", "axis " + Digits(whole.ptr()) + " is out of range");
    }
    return number;
  }

  bool given_ = false;
  std::int64_t one_ = 0;
  std::vector<std::int64_t> many_;
  std::span<const std::int64_t> taken_;
};

// Joins `initial`, of the output's type, into each element of the output.
void JoinInitial(MutableTensorView output, const Element8& initial, std::size_t threads) {
  // Max has no bool (TYP-3). The bytes 0 and 1 are ordered as false and true are.
  if (output.dtype == DType::kBool) output.dtype = DType::kUInt8;
  const Shape scalar;
  Take(Max({output, {output.dtype, scalar, {}, initial.bytes.data()}}, output, {.threads = threads}));
}

// The mask `where`; none if it is True.
std::optional<TensorView> MaskOf(PyObject* where, Operand& operand) {
  static constexpr std::uint8_t kFalse = 0;
  if (where == nullptr || where == Py_True) return std::nullopt;
  if (where == Py_False) return TensorView{DType::kBool, {}, {}, &kFalse};
  operand.Read(where, Operand::Access::kRead, kMaskName);
  return operand.View();
}

}  // namespace

py::object CallMax(const Arguments& arguments) {
  enum Place { kX, kAxis, kKeepdims, kInitial, kWhere, kOut, kThreads, kPlaces };
  static constexpr std::array<const char*, kPlaces> kKeywords = {"x",     "axis", "keepdims", "initial",
                                                                 "where", "out",  "threads"};
  // NumPy's third argument is out, PyTorch's keepdim: only a bool can mean keepdims alone.
  if (arguments.count > 3 || (arguments.count == 3 && PyBool_Check(arguments.values[kKeepdims]) == 0)) {
    FailOfType("max() takes one array, then axis and keepdims (True or False) by position, and was given " +
               std::to_string(arguments.count) +
               " arguments; pass out=..., initial=... and where=... by keyword" + kElementWise);
  }
  std::array<PyObject*, kPlaces> given = {};
  std::copy_n(arguments.values, arguments.count, given.begin());
  arguments.TakeKeywords("max()", kKeywords, given);
  if (given[kX] == nullptr) FailOfType("max() was given no array");

  const Axes axes(given[kAxis]);
  ReduceMaxOptions options;
  options.axes = axes.get();
  options.threads = ThreadsOf(given[kThreads]);
  options.source_name = "x";
  options.output_name = "out";
  if (given[kKeepdims] != nullptr) {
    const int keepdims = PyObject_IsTrue(given[kKeepdims]);
    if (keepdims < 0) throw py::error_already_set();
    options.keepdims = keepdims == 1;
  }

  Operand source, mask;
  source.Read(given[kX], Operand::Access::kRead, kSourceName);
  TensorView view = source.View();
  const std::optional<TensorView> where = MaskOf(given[kWhere], mask);
  std::optional<Element8> initial;
  if (IsGiven(given[kInitial])) initial = ElementOf(given[kInitial], view.dtype, "initial");

  Output output;
  if (IsGiven(given[kOut])) {
    output.Use(given[kOut]);
  } else {
    const Shape shape = Take(ReduceMaxOutputShape(view, options));
    const AxisSet reduced = Take(ResolveAxes(axes.get(), view.shape.size(), options.version, "x"));
    Shape strides;
    if (!view.strides.empty()) strides = ReducedShape(view.strides, reduced, options.keepdims);
    const TensorView kept{view.dtype, shape, strides, nullptr};  // an input of the output's dimensions
    output.Make(view.dtype, shape, source, {&kept, 1});
  }
  const std::size_t bytes = source.Bytes();
  Settle(Unlocked::Pays(bytes), [&](auto visit) {
    visit(source, [] { return kSourceName; });
    visit(mask, [] { return kMaskName; });
    visit(output.given(), [] { return Output::kName; });
  });
  Result<void> done;
  {
    const Unlocked unlocked(bytes);
    std::optional<Tensor> masked;
    if (where) {
      // Checks the overlap of `out` with the source, which the plan for the copy cannot see.
      Take(ReduceMaxPlan::Prepare(view, output.view(), options));
      masked = CopyWhere(view, *where);
      view = masked->View();
    }
    done = ReduceMax(view, output.view(), options);
    if (done && initial) JoinInitial(output.view(), *initial, options.threads);
  }
  Take(std::move(done));
  return output.Finish();
}

const char* const kMaxDoc =
    R"(max(x, axis=None, keepdims=False, *, initial=None, where=True, out=None, threads=None)
--

The maximum of an array along any of its dimensions: ONNX's operator ReduceMax. The element-wise maximum of
arrays is maximum(x1, x2) or maximum_of(*arrays).

    result[i] = max over all x[j] with j = i outside the axes

in the order of maximum_of(): -0 < +0, NaN wins and is written as the one canonical NaN of its type.

x         as maximum_of() takes arrays; also of bool.
axis      a dimension or a tuple of dimensions to reduce, negative ones counted from the end; None
          is all of them, an empty tuple none.
keepdims  True: reduced dimensions stay, with extent 1.
initial   one more element of each maximum: a number, or a scalar of x's type.
where     a bool array that is broadcast to x: only elements where it is True are reduced. It makes a
          copy of x, of the size of all elements of x; where=True makes none.
out       where the result is written: of the result's shape and the same type.
threads   as in maximum_of().

It differs from NumPy as follows: the maximum over no elements is -inf, the least value of an integer
type, or False (RED-6), so that initial is never needed; and a float as initial of an integer type is
refused, not truncated (TYP-2).

Returns and raises as maximum_of() does.

>>> import numpy as np
>>> import supremum
>>> supremum.max(np.array([[1, 5, 2], [4, 3, 6]]), axis=-1)
array([5, 6])
>>> supremum.max(np.array([[1.0, 5.0]]), axis=0, where=[[True, False]][0][0])
array([1., 5.])
>>> supremum.max(np.zeros((2, 0), np.float32), axis=1)
array([-inf, -inf], dtype=float32)
)";

}  // namespace supremum::python
