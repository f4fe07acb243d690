#include "supremum/bounds.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "errors.h"
#include "foreign.h"
#include "functions.h"
#include "operand.h"
#include "output.h"
#include "scalar.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

constexpr const char* kBoundOf = "the bound of ";
std::string NameOf(std::size_t m) { return "input " + std::to_string(m); }

// A bound as a tensor, or a Python number as the least element of the value's type that is not smaller.
TensorView BoundOf(PyObject* bound, Operand& operand, Element8& number, const Operand& value,
                   const std::string& name) {
  if (PyFloat_Check(bound) != 0 || PyLong_Check(bound) != 0) {
    number = ElementOf(bound, value.dtype(), name, Rounding::kUp);
    return {value.dtype(), {}, {}, number.bytes.data()};
  }
  operand.Read(bound, Operand::Access::kRead, name);
  return operand.View();
}

// A copy of the sequence: a list may change while other threads run, or by a method of an operand.
py::tuple Held(const py::object& sequence, const char* name) {
  if (PyTuple_Check(sequence.ptr()) == 0 && PyList_Check(sequence.ptr()) == 0) {
    FailOfType(std::string(name) + " is of type " + TypeName(sequence.ptr()) +
               "; expected a tuple or a list");
  }
  return ItemsOf(sequence.ptr());
}

}  // namespace

py::tuple MaxWithBoundsOf(const py::object& arrays, const py::object& bounds, const py::object& threads) {
  const Entered entered;
  MaxOptions options;
  options.threads = ThreadsOf(threads.ptr());
  const py::tuple held_arrays = Held(arrays, "arrays"), held_bounds = Held(bounds, "bounds");
  const std::size_t count = held_arrays.size(), bound_count = held_bounds.size();
  Operands values(count), errors(bound_count);
  std::vector<Element8> numbers(bound_count);
  std::vector<TensorView> value_views, bound_views;
  std::size_t bytes = 0;
  for (std::size_t m = 0; m < count; ++m) {
    const py::object array = held_arrays[m];
    values[m].Read(array.ptr(), Operand::Access::kRead, NameOf(m));
    value_views.push_back(values[m].View());
    bytes += values[m].Bytes();
  }
  for (std::size_t m = 0; m < bound_count && m < count; ++m) {
    const py::object bound = held_bounds[m];
    bound_views.push_back(BoundOf(bound.ptr(), errors[m], numbers[m], values[m], kBoundOf + NameOf(m)));
  }
  // The library reports a wrong number of bounds.
  bound_views.resize(bound_count, TensorView{});

  const Shape shape = Take(MaxOutputShape(value_views, options));
  std::array<Output, 4> outputs;
  for (Output& output : outputs) output.Make(value_views[0].dtype, shape, values[0], value_views);
  const BoundedOutput views{outputs[0].view(), outputs[1].view(), outputs[2].view(), outputs[3].view()};
  Settle(Unlocked::Pays(bytes), [&](auto visit) {
    for (std::size_t m = 0; m < count; ++m) visit(values[m], [m] { return NameOf(m); });
    for (std::size_t m = 0; m < bound_count; ++m) visit(errors[m], [m] { return kBoundOf + NameOf(m); });
  });
  Result<void> done;
  {
    const Unlocked unlocked(bytes);
    done = MaxWithBounds(value_views, bound_views, views, options);
  }
  Take(std::move(done));
  return py::make_tuple(outputs[0].Finish(), outputs[1].Finish(), outputs[2].Finish(), outputs[3].Finish());
}

}  // namespace supremum::python
