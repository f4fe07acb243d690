// Any operator, type, shapes, strides and bits: every target that runs here, with one thread and with two,
// against the reference, in every bit, and nothing outside the output touched.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "fuzz.h"
#include "kernels/targets.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/reference.h"

using namespace supremum;

namespace {

constexpr std::int64_t kMostElements = 40'000;

// Elements behind any strides, in memory of their own.
struct Operand {
  DType dtype = DType::kFloat32;
  Shape shape, strides;
  std::size_t origin = 0;
  std::vector<std::uint8_t> memory;

  TensorView View() const { return {dtype, shape, strides, memory.data() + origin}; }
  MutableTensorView MutableView() { return {dtype, shape, strides, memory.data() + origin}; }
};

Operand Lay(fuzz::Choices& choices, DType dtype, const Shape& shape, bool is_output) {
  Operand operand;
  operand.dtype = dtype;
  operand.shape = shape;
  operand.strides = RowMajorStrides(shape);
  std::int64_t first = 0, last = 0;
  const bool dense = choices.Below(3) == 0;
  std::vector<std::size_t> order(shape.rank());  // innermost first
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  for (std::size_t d = order.size(); !dense && d > 1; --d) {
    if (choices.Below(4) == 0) std::swap(order[d - 1], order[choices.Below(d)]);
  }
  std::int64_t step = dense || choices.Bool() ? 1 : static_cast<std::int64_t>(1 + choices.Below(3));
  for (const std::size_t d : order) {
    const std::size_t kind = dense ? 0 : choices.Below(8);
    const bool still = kind == 7 && !is_output;
    operand.strides[d] = still ? 0 : kind >= 5 ? -step : step;
    const std::int64_t reach = operand.strides[d] * std::max<std::int64_t>(shape[d] - 1, 0);
    (reach < 0 ? first : last) += reach;
    if (still) continue;
    step *= std::max<std::int64_t>(shape[d], 1);
    if (kind == 4) step += static_cast<std::int64_t>(choices.Below(4));
  }
  const auto width = static_cast<std::int64_t>(ByteWidth(dtype));
  // No more alignment than the elements' own, and for inputs not even that.
  const std::size_t skew = is_output ? choices.Below(9) * static_cast<std::size_t>(width) : choices.Below(17);
  operand.origin = 16 + skew + static_cast<std::size_t>(-first * width);
  operand.memory.resize(operand.origin + static_cast<std::size_t>((last + 1) * width) + 16);
  return operand;
}

void Fill(std::span<const std::uint8_t> bytes, std::size_t phase, Operand& operand) {
  for (std::size_t i = 0; i < operand.memory.size(); ++i) {
    const std::size_t at = i + phase;
    // The bytes given, over and over, changed a little each time round.
    const std::size_t round = bytes.empty() ? at : at / bytes.size();
    std::uint8_t byte = bytes.empty() ? 0 : bytes[at % bytes.size()];
    if (round % 7 == 6) byte = static_cast<std::uint8_t>(byte ^ round);
    operand.memory[i] = operand.dtype == DType::kBool ? byte & 1 : byte;
  }
}

// run(output, threads) in every configuration; all outputs must be `expected`, memory around them included.
template <class Run>
void CheckEverywhere(const Operand& fresh, const Operand& expected, const std::string& what, Run run) {
  for (const kernels::KernelTable* table : kernels::RunnableTables()) {
    kernels::UseKernels(table);
    for (const std::size_t threads : {1u, 2u}) {
      Operand actual = fresh;
      const Result<void> done = run(actual.MutableView(), threads);
      const std::string where =
          what + " by " + std::string(table->target) + ", " + std::to_string(threads) + " threads";
      if (!done) fuzz::Fail(where + ": " + done.error().message);
      if (actual.memory != expected.memory) fuzz::Fail(where + ": other bits than the reference");
    }
  }
  kernels::UseKernels(nullptr);
}

Shape RandomShape(fuzz::Choices& choices, std::size_t most_rank) {
  Shape shape;
  std::int64_t count = 1;
  for (std::size_t rank = choices.Below(most_rank + 1); rank > 0; --rank) {
    std::int64_t extent = static_cast<std::int64_t>(choices.Below(9));
    if (choices.Below(6) == 0) extent = static_cast<std::int64_t>(choices.Below(2100));
    if (extent > 0 && count * extent > kMostElements) extent = 1;
    if (extent > 0) count *= extent;
    shape.PushBack(extent);
  }
  return shape;
}

void CheckMax(fuzz::Choices& choices, DType dtype) {
  const Shape common = RandomShape(choices, 6);
  const std::size_t count = 1 + choices.Below(choices.Below(8) == 0 ? 20 : 4);
  std::vector<Operand> inputs;
  std::vector<std::vector<std::int64_t>> shapes;
  for (std::size_t m = 0; m < count; ++m) {
    Shape shape;
    const std::size_t missing = choices.Below(4) == 0 ? choices.Below(common.rank() + 1) : 0;
    for (std::size_t d = missing; d < common.rank(); ++d)
      shape.PushBack(choices.Below(4) == 0 ? 1 : common[d]);
    inputs.push_back(Lay(choices, dtype, shape, false));
    shapes.emplace_back(shape.begin(), shape.end());
  }
  const Shape shape = *Shape::FromSpan(*reference::BroadcastShape(shapes));
  Operand fresh = Lay(choices, dtype, shape, true);
  std::size_t phase = 0;
  for (Operand& input : inputs) Fill(choices.Rest(), phase++ * 3, input);
  Fill(choices.Rest(), 1, fresh);
  std::vector<TensorView> views;
  for (const Operand& input : inputs) views.push_back(input.View());
  Operand expected = fresh;
  fuzz::Expect(reference::Max(views, expected.MutableView()).has_value(), "the reference refuses");
  const std::string what =
      "Max of " + std::to_string(count) + " " + std::string(Name(dtype)) + " " + ToString(shape);
  CheckEverywhere(fresh, expected, what, [&](MutableTensorView output, std::size_t threads) {
    return Max(views, output, {.threads = threads});
  });
}

void CheckReduceMax(fuzz::Choices& choices, DType dtype) {
  const Shape shape = RandomShape(choices, 6);
  std::optional<std::vector<std::int64_t>> axes;
  if (choices.Below(6) > 0) {
    axes.emplace();
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      if (choices.Bool()) axes->push_back(static_cast<std::int64_t>(d));
    }
  }
  ReduceMaxOptions options;
  if (axes) options.axes = *axes;
  options.keepdims = choices.Bool();
  Operand source = Lay(choices, dtype, shape, false);
  const Result<Shape> reduced = ReduceMaxOutputShape(source.View(), options);
  if (!reduced) fuzz::Fail(reduced.error().message);
  Operand fresh = Lay(choices, dtype, *reduced, true);
  Fill(choices.Rest(), 0, source);
  Fill(choices.Rest(), 1, fresh);
  Operand expected = fresh;
  std::optional<std::span<const std::int64_t>> expected_axes;
  if (axes) expected_axes = *axes;
  fuzz::Expect(reference::ReduceMax(source.View(), expected.MutableView(), expected_axes, options.keepdims)
                   .has_value(),
               "the reference refuses");
  const std::string what =
      "ReduceMax of " + std::string(Name(dtype)) + " " + ToString(shape) + " to " + ToString(*reduced);
  CheckEverywhere(fresh, expected, what, [&](MutableTensorView output, std::size_t threads) {
    options.threads = threads;
    return ReduceMax(source.View(), output, options);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices(data, size);
  const bool reduces = choices.Bool();
  const DType dtype = kAllDTypes[choices.Below(reduces ? kAllDTypes.size() : kNumberDTypes.size())];
  if (reduces) {
    CheckReduceMax(choices, dtype);
  } else {
    CheckMax(choices, dtype);
  }
  return 0;
}
