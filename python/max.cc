#include "supremum/max.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "errors.h"
#include "functions.h"
#include "operand.h"
#include "output.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

constexpr std::array<const char*, 2> kKeywords = {"out", "threads"};

// The operands' names in errors.
std::string NameOf(std::size_t m) { return "input " + std::to_string(m); }

py::object MaxOf(std::span<PyObject* const> objects, PyObject* out, PyObject* threads) {
  MaxOptions options;
  options.threads = ThreadsOf(threads);
  options.output_name = "out";

  Operands operands(objects.size());
  std::array<TensorView, 4> few;
  std::vector<TensorView> many(objects.size() > few.size() ? objects.size() : 0);
  const std::span<TensorView> views(many.empty() ? few.data() : many.data(), objects.size());
  std::size_t bytes = 0;
  for (std::size_t m = 0; m < objects.size(); ++m) {
    operands[m].Read(objects[m], Operand::Access::kRead, NameOf(m));
    views[m] = operands[m].View();
    bytes += operands[m].Bytes();
  }

  Output output;
  if (IsGiven(out)) {
    output.Use(out);
  } else {
    const Shape shape = Take(MaxOutputShape(views, options));
    output.Make(views[0].dtype, shape, operands[0], views);
  }
  Settle(Unlocked::Pays(bytes), [&](auto visit) {
    for (std::size_t m = 0; m < objects.size(); ++m) visit(operands[m], [m] { return NameOf(m); });
    visit(output.given(), [] { return Output::kName; });
  });
  Result<void> done;
  {
    const Unlocked unlocked(bytes);
    done = Max(views, output.view(), options);
  }
  Take(std::move(done));
  return output.Finish();
}

}  // namespace

py::object CallMaximumOf(const Arguments& arguments) {
  std::array<PyObject*, 2> given = {};
  arguments.TakeKeywords("maximum_of()", kKeywords, given);
  return MaxOf(arguments.positional(), given[0], given[1]);
}

py::object CallMaximum(const Arguments& arguments) {
  if (arguments.count != 2) {
    FailOfType("maximum() takes two arrays by position and was given " + std::to_string(arguments.count) +
               "; pass the output as out=..., and any other number of arrays to maximum_of()");
  }
  std::array<PyObject*, 2> given = {};
  arguments.TakeKeywords("maximum()", kKeywords, given);
  return MaxOf(arguments.positional(), given[0], given[1]);
}

const char* const kMaximumOfDoc =
    R"(maximum_of(*arrays, out=None, threads=None)
--

The element-wise maximum of one or more arrays, broadcast to their common shape: ONNX's operator Max.

    result[i] = max over m of arrays[m][i],   each broadcast as NumPy does

-inf < ... < -0 < +0 < ... < +inf, and NaN wins: the result is then the one canonical NaN of its
type (ORD-1 to ORD-4). The bits of the result depend only on the operands.

arrays    NumPy arrays, tensors of PyTorch or of any other package with __dlpack__, buffers
          such as array.array. They are read without copying, whatever their strides. All have
          the same numeric element type; nothing is converted.
out       where the result is written: of the common shape and the same type. It may be exactly one
          of the arrays; any other overlap is an error (MEM-2).
threads   the largest number of threads; None is 1, and 0 lets the library choose.

Returns out, or a new tensor of the first array's kind: an array of NumPy (a scalar where NumPy
gives one), a torch.Tensor for a torch.Tensor or a subclass of it; an array of NumPy for a
buffer. An array of NumPy or a tensor of PyTorch has its dimensions in the order that they have in the
operands' memory, NumPy's order K; anything else is row-major.

Raises supremum.InvalidType, a TypeError, and supremum.InvalidValue, a ValueError; out is then
unchanged. An Exception that __dlpack__ raises is the __cause__ of the latter; anything else that it
raises passes through. From 64 KiB of operands on, the interpreter's lock is released meanwhile.

>>> import numpy as np
>>> import supremum
>>> supremum.maximum_of(np.array([-0.0, 1.0, 5.0]), np.array([0.0, np.nan, 2.0]), np.array([3.0]))
array([ 3., nan,  5.])
>>> supremum.maximum_of(np.float32([1, 2]), np.float64([1, 2]))  # doctest: +IGNORE_EXCEPTION_DETAIL
Traceback (most recent call last):
supremum.InvalidType: type mismatch: input 1 has type float64 and input 0 has type float32; ...
)";

const char* const kMaximumDoc =
    R"(maximum(x1, x2, /, *, out=None, threads=None)
--

The element-wise maximum of two arrays: maximum_of(x1, x2). A third one by position is refused: NumPy's
maximum writes into it.

>>> import numpy as np
>>> import supremum
>>> supremum.maximum(np.array([[1], [4]]), np.array([2, 3]))
array([[2, 3],
       [4, 4]])
)";

}  // namespace supremum::python
