#include "supremum/bounds.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "errors.h"
#include "functions.h"
#include "operand.h"
#include "output.h"
#include "scalar.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

// A bound as an operand, or a number of Python as an element of the value's type.
TensorView BoundOf(PyObject* bound, Operand& operand, Element8& number, const Operand& value,
                   const std::string& name) {
  if (PyFloat_Check(bound) != 0 || PyLong_Check(bound) != 0) {
    number = ElementOf(bound, value.dtype(), name);
    return {value.dtype(), {}, {}, number.bytes.data()};
  }
  operand.Read(bound, Operand::Access::kRead, name);
  return operand.View();
}

std::size_t SizeOf(const py::handle& sequence, const char* name) {
  if (PyTuple_Check(sequence.ptr()) == 0 && PyList_Check(sequence.ptr()) == 0) {
    FailOfType(std::string(name) + " is of type " + TypeName(sequence.ptr()) + "; it is a tuple or a list");
  }
  return py::len(sequence);
}

}  // namespace

py::tuple MaxWithBoundsOf(const py::object& arrays, const py::object& bounds, const py::object& threads) {
  MaxOptions options;
  options.threads = ThreadsOf(threads.ptr());
  const std::size_t count = SizeOf(arrays, "arrays"), bound_count = SizeOf(bounds, "bounds");
  // Lists might change while other threads run.
  const py::tuple held_arrays = py::tuple(arrays), held_bounds = py::tuple(bounds);
  Operands values(count), errors(bound_count);
  std::vector<Element8> numbers(bound_count);
  std::vector<TensorView> value_views, bound_views;
  std::size_t bytes = 0;
  for (std::size_t m = 0; m < count; ++m) {
    const py::object array = held_arrays[m];
    values[m].Read(array.ptr(), Operand::Access::kRead, "input " + std::to_string(m));
    value_views.push_back(values[m].View());
    bytes += values[m].Bytes();
  }
  for (std::size_t m = 0; m < bound_count && m < count; ++m) {
    const py::object bound = held_bounds[m];
    bound_views.push_back(
        BoundOf(bound.ptr(), errors[m], numbers[m], values[m], "the bound of input " + std::to_string(m)));
  }
  // One bound too many or too few is the library's to refuse.
  bound_views.resize(bound_count, TensorView{});

  const Shape shape = Take(MaxOutputShape(value_views, options));
  std::array<Output, 4> outputs;
  for (Output& output : outputs) output.Make(value_views[0].dtype, shape, values[0], false);
  const BoundedOutput views{outputs[0].view(), outputs[1].view(), outputs[2].view(), outputs[3].view()};
  Result<void> done;
  {
    const Unlocked unlocked(bytes);
    done = MaxWithBounds(value_views, bound_views, views, options);
  }
  Take(std::move(done));
  return py::make_tuple(outputs[0].Finish(), outputs[1].Finish(), outputs[2].Finish(), outputs[3].Finish());
}

}  // namespace supremum::python
