#include "ops/enclose.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "core/align.h"
#include "core/operand_errors.h"
#include "core/walk.h"
#include "lane/enclose.h"
#include "ops/parallel.h"
#include "ops/tuning.h"

namespace supremum {
namespace {

// The value's dimensions and the steps of both tensors along them. Neighbouring dimensions are merged where
// each tensor's outer step is its inner step times the inner extent.
struct Loops {
  Shape extents, value_steps, bound_steps;

  Loops(const TensorView& value, const TensorView& bound) {
    const Shape value_strides = StridesOf(value), bound_strides = AlignedStrides(bound, value.shape.size());
    for (std::size_t d = 0; d < value.shape.size(); ++d) {
      if (value.shape[d] != 1) Add(value.shape[d], value_strides[d], bound_strides[d]);
    }
    if (extents.empty()) Add(1, 0, 0);
  }

 private:
  void Add(std::int64_t extent, std::int64_t value_step, std::int64_t bound_step) {
    const std::size_t last = extents.rank() - 1;
    if (!extents.empty() && value_steps[last] == extent * value_step &&
        bound_steps[last] == extent * bound_step) {
      extents[last] *= extent;
      value_steps[last] = value_step;
      bound_steps[last] = bound_step;
      return;
    }
    extents.PushBack(extent);
    value_steps.PushBack(value_step);
    bound_steps.PushBack(bound_step);
  }
};

// Elements of one tensor, each `step` elements after the one before.
struct Line {
  const std::byte* data;
  std::int64_t step;
};

template <class Bits>
Bits Load(const Line& line, std::int64_t i) {
  Bits bits;
  std::memcpy(&bits, line.data + i * line.step * static_cast<std::int64_t>(sizeof(Bits)), sizeof(Bits));
  return bits;
}

template <class Bits, class Function>
void Apply(Function function, const Line& value, const Line& bound, std::int64_t n, std::byte* out) {
  for (std::int64_t i = 0; i < n; ++i) {
    const Bits result = function(Load<Bits>(value, i), Load<Bits>(bound, i));
    std::memcpy(out + i * static_cast<std::int64_t>(sizeof(Bits)), &result, sizeof(Bits));
  }
}

template <Element T>
void EncloseLine(Known known, const Line& value, const Line& bound, std::int64_t n, std::byte* out) {
  using E = lane::Enclosure<T>;
  using Bits = typename E::Bits;
  switch (known) {
    case Known::kBound:
      return Apply<Bits>(E::Bound, value, bound, n, out);
    case Known::kLower:
      return Apply<Bits>(E::Lower, value, bound, n, out);
    case Known::kUpper:
      return Apply<Bits>(E::Upper, value, bound, n, out);
  }
}

// Calls visit(index, bits) at each element of `bound` in row-major order, until it returns false.
template <class Bits, class Visit>
void VisitElements(const TensorView& bound, Visit visit) {
  if (ElementCount(bound.shape) == 0) return;
  const Shape strides = StridesOf(bound);
  const Line elements{static_cast<const std::byte*>(bound.data), 1};
  Walk<1> walk(bound.shape, {strides});
  while (visit(walk.index(), Load<Bits>(elements, walk.offset(0))) && walk.Next()) {
  }
}

// The index of the first element below zero.
std::optional<Shape> FirstNegative(const TensorView& bound) {
  std::optional<Shape> first;
  VisitDType(bound.dtype, [&](auto tag) {
    using E = lane::Enclosure<typename decltype(tag)::type>;
    VisitElements<typename E::Bits>(bound, [&](DimsView index, typename E::Bits bits) {
      if (E::IsNegative(bits)) first = Shape::FromSpan(index);
      return !first;
    });
  });
  return first;
}

OperandNames BoundsOf(OperandNames names) {
  names.part = PartName(Known::kBound);
  return names;
}

}  // namespace

Result<void> CheckBounds(std::span<const TensorView> values, std::span<const TensorView> bounds,
                         const OperandNames& names) {
  const OperandNames bound_names = BoundsOf(names);
  const Views views(bounds, nullptr, bound_names);
  if (Result<void> ok = views.CheckData(); !ok) return ok;
  for (std::size_t m = 0; m < bounds.size(); ++m) {
    if (bounds[m].dtype == values[m].dtype) continue;
    return TypeMismatchError(bound_names.Input(m), Name(bounds[m].dtype), names.Input(m),
                             Name(values[m].dtype));
  }
  if (Result<void> ok = views.CheckRanks(); !ok) return ok;
  if (Result<void> ok = views.CheckExtents(); !ok) return ok;
  if (Result<void> ok = views.CheckReach(); !ok) return ok;
  for (std::size_t m = 0; m < bounds.size(); ++m) {
    if (BroadcastsTo(bounds[m].shape, values[m].shape)) continue;
    return MakeError(ErrorCode::kNotBroadcastable, "BRO-2",
                     bound_names.Input(m) + " has shape " + ToString(bounds[m].shape) + " and " +
                         names.Input(m) + " has shape " + ToString(values[m].shape) +
                         "; a bound has the shape of what it bounds, or one that broadcasts to it",
                     ": a "
                     "scalar holds for every element");
  }
  return {};
}

Result<void> CheckNotNegative(std::span<const TensorView> bounds, const OperandNames& names) {
  for (std::size_t m = 0; m < bounds.size(); ++m) {
    const std::optional<Shape> first = FirstNegative(bounds[m]);
    if (!first) continue;
    return MakeError(ErrorCode::kNegativeBound, "ACC-2",
                     BoundsOf(names).Input(m) + " is below zero" +
                         (first->empty() ? std::string() : " at index " + ToString(*first)) +
                         "; a bound says how far a true value may lie from the computed one, in either "
                         "direction",
                     ". Give its magnitude");
  }
  return {};
}

void Enclose(Known known, const TensorView& value, const TensorView& bound, std::size_t threads,
             void* out) noexcept {
  const std::int64_t elements = *ElementCount(value.shape);
  if (elements == 0) return;
  const Loops loops(value, bound);
  const std::size_t last = loops.extents.rank() - 1;
  const std::int64_t line = loops.extents[last], width = static_cast<std::int64_t>(ByteWidth(value.dtype));
  // A unit is a part of the innermost loop. The walk is over the other loops and these parts.
  Shape units = loops.extents, value_steps = loops.value_steps, bound_steps = loops.bound_steps;
  const std::int64_t unit = std::min(line, tuning.enclosed_elements_per_unit);
  units[last] = (line + unit - 1) / unit;
  value_steps[last] *= unit;
  bound_steps[last] *= unit;

  const auto run = [&](std::size_t begin, std::size_t end) noexcept {
    std::int64_t point = static_cast<std::int64_t>(begin);
    Walk<2> walk(units, {value_steps, bound_steps}, point);
    for (; point < static_cast<std::int64_t>(end); ++point, walk.Next()) {
      const std::int64_t first = walk.index().back() * unit;  // of the innermost loop
      const std::int64_t done = (point / units[last]) * line + first;
      const Line z{static_cast<const std::byte*>(value.data) + walk.offset(0) * width,
                   loops.value_steps[last]};
      const Line e{static_cast<const std::byte*>(bound.data) + walk.offset(1) * width,
                   loops.bound_steps[last]};
      VisitDType(value.dtype, [&](auto tag) {
        EncloseLine<typename decltype(tag)::type>(known, z, e, std::min(unit, line - first),
                                                  static_cast<std::byte*>(out) + done * width);
      });
    }
  };
  const double bytes = static_cast<double>(elements) * static_cast<double>(3 * width);
  ParallelFor(ThreadsWorthHaving(threads, bytes), static_cast<std::size_t>(elements / line * units[last]),
              run);
}

}  // namespace supremum
