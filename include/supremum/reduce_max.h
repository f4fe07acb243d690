// ReduceMax: the maximum of a tensor along any set of its dimensions.
#ifndef SUPREMUM_REDUCE_MAX_H_
#define SUPREMUM_REDUCE_MAX_H_

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "supremum/borrowed.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum {

struct CheckedReduceMax;

/// Axes that are stated, or absent: a copy of the caller's list, stored in place, so that it never allocates.
/// A list of more than kMaxRank + 1 axes is cut to that length: one of these is out of range or named twice
/// (RED-2).
///
///   ReduceMaxOptions options;
///   options.axes = {0, -1};
///   options.axes = std::vector<std::int64_t>{0, -1};
///   options.axes = std::nullopt;    // absent, as is {}
class AxesOption {
 public:
  constexpr AxesOption() { Prefill(); }
  constexpr AxesOption(const AxesOption& other) : AxesOption(other.list()) {}
  constexpr AxesOption& operator=(const AxesOption& other) {
    if (this != &other) Store(other.list());
    return *this;
  }
  constexpr ~AxesOption() = default;

  /// A list of std::int64_t, as std::span takes it, an optional one, or std::nullopt.
  template <class List>
  requires std::convertible_to<const List&, std::optional<std::span<const std::int64_t>>>
  constexpr AxesOption(const List& axes) {
    Prefill();
    Store(axes);
  }
  constexpr AxesOption(std::initializer_list<std::int64_t> axes)
      : AxesOption(DimsView(axes.begin(), axes.size())) {}

  constexpr explicit operator bool() const { return stated_; }
  constexpr std::optional<std::span<const std::int64_t>> list() const& {
    if (!stated_) return std::nullopt;
    return DimsView(axes_.data(), size_);
  }
  std::optional<std::span<const std::int64_t>> list() const&& = delete;

 private:
  // As Shape: constants need a value in every place; elsewhere only the axes in use are written and copied.
  constexpr void Prefill() {
    if (std::is_constant_evaluated()) axes_.fill(0);
  }
  constexpr void Store(std::optional<std::span<const std::int64_t>> axes) {
    stated_ = axes.has_value();
    size_ = axes ? std::min(axes->size(), axes_.size()) : 0;
    if (size_ != 0) std::copy_n(axes->begin(), size_, axes_.begin());
  }

  std::array<std::int64_t, kMaxRank + 1> axes_;
  std::size_t size_ = 0;
  bool stated_ = false;
};

struct ReduceMaxOptions {
  /// The dimensions to reduce, each in [-r, r-1] for a source of rank r, in any order; negative ones count
  /// from the end (RED-2). Absent: all of them. An empty list: none, the identity (RED-4); an empty list in
  /// ONNX can have another meaning, see AxesOfOnnx.
  AxesOption axes = {};

  /// True: the output keeps the reduced dimensions, with extent 1. False: it does not have them (RED-3).
  bool keepdims = false;

  /// The version of the operator, which decides the admitted types (TYP-4, TYP-5) and whether axes may be
  /// negative (RED-5).
  ReduceMaxVersion version = ReduceMaxVersion::kSupremum;

  /// The maximum number of threads that compute, including the calling thread. 0: as many as the process may
  /// run at once and the size of the work justifies. The others are oneTBB's; a build without oneTBB uses the
  /// calling thread alone. The number changes no bit of any result (ORD-5).
  std::size_t threads = 1;

  /// The names of the two tensors in error texts. Empty: "the source", "the output". Read only during the
  /// call; a temporary does not compile (borrowed.h).
  Borrowed<std::string_view> source_name = {};
  Borrowed<std::string_view> output_name = {};
};

/// The value of ReduceMaxOptions::axes for an ONNX node (RED-5). Absent or empty axes mean all dimensions, or
/// none where noop_with_empty_axes is 1. Versions before 18 do not have that attribute: pass false.
///
///   options.axes = AxesOfOnnx(axes, noop_with_empty_axes);
constexpr std::optional<std::span<const std::int64_t>> AxesOfOnnx(std::optional<Borrowed<DimsView>> axes,
                                                                  bool noop_with_empty_axes) {
  if (axes && !axes->empty()) return *axes;
  if (noop_with_empty_axes) return DimsView();
  return std::nullopt;
}

/// The shape of the output of ReduceMax (RED-3): what to allocate before the call. The data pointer is not
/// read and may be null.
///
/// Errors: those of ReduceMax that concern the source's type, rank, shape and axes.
/// Cost: one pass over the extents, no allocation unless there is an error.
///
///   Result<Shape> shape = ReduceMaxOutputShape(source, {.axes = {1}});    // {2,3,4} gives {2,4}
Result<Shape> ReduceMaxOutputShape(const TensorView& source, const ReduceMaxOptions& options = {});

/// The maximum of `source` along `options.axes`, into `output`.
///
///   output[i] = max over all source[j] with j = i outside the axes   (RED-1).
///
/// The order is that of section 1 of docs/semantics.md: -0 < +0, NaN absorbs, every NaN written is the
/// canonical one of its type (ORD-1..4), also if nothing is reduced. The maximum over no elements is -inf for
/// floats, the type's least value for integers, false for bool (RED-6); so a row of -inf gives -inf (RED-7).
/// The bits of output[i] depend on the set of elements reduced into it and on nothing else (ORD-5, ORD-6).
///
/// Requires: the source's data may be read, and the output's written, at every index of their shapes.
/// Ensures: on an error nothing is written. No byte is written outside the output's elements (MEM-1).
/// Errors, the first that applies in this order: kInvalidArgument for null data; kTypeMismatch (TYP-2);
///   kTypeNotAdmitted (TYP-4, TYP-5); kRank (BRO-4); kInvalidShape. Then kAxis (RED-2, RED-5);
///   kOutputShapeMismatch, E2; kOverlap; kOutOfMemory. Overlap means that two elements of the output have one
///   address (MEM-1). It also means that the output shares memory with the source without being exactly that
///   tensor (MEM-2). Only a reduction over extents of 1 can be in place: same address, shape and strides.
/// Cost: every element of the source is read once. The plan's memory is freed on return.
///
///   const float x[] = {1, 5, 2, 4, 3, 6};
///   float y[2];
///   const Shape rows{2, 3}, two{2};
///   Result<void> done = ReduceMax(TensorView::Of(x, rows), MutableTensorView::Of(y, two), {.axes = {-1}});
///   // y is {5, 6}
Result<void> ReduceMax(const TensorView& source, MutableTensorView output,
                       const ReduceMaxOptions& options = {});

/// A ReduceMax that is checked once and can then be run any number of times. A run neither allocates nor
/// fails (MEM-3).
///
///   Result<ReduceMaxPlan> plan = ReduceMaxPlan::Prepare(source, output, {.axes = {-1}});
///   if (!plan) return plan.error();
///   for (;;) { Fill(source); plan->Run(); Use(output); }
///
/// Run does not change the plan: threads may share one, as long as they do not write to the same memory.
class ReduceMaxPlan {
 public:
  /// Checks everything that ReduceMax checks, and binds the plan to the views' memory. Shapes, strides and
  /// axes are copied.
  ///
  /// Errors: those of ReduceMax.
  /// Cost: time below a constant bound; the memory that MemoryBytes() reports.
  static Result<ReduceMaxPlan> Prepare(const TensorView& source, MutableTensorView output,
                                       const ReduceMaxOptions& options = {});

  ReduceMaxPlan(ReduceMaxPlan&&) noexcept;
  ReduceMaxPlan& operator=(ReduceMaxPlan&&) noexcept;
  ~ReduceMaxPlan();

  /// Binds the plan to other memory for tensors of the same type, shapes and strides.
  ///
  /// Ensures: on an error the plan is unchanged.
  /// Errors: kInvalidArgument (null data), kInvalidShape (elements outside the address space), kOverlap
  ///   (MEM-2).
  /// Cost: no allocation unless there is an error.
  Result<void> Rebind(const void* source, void* output);

  /// Computes the maximum of the current elements of the bound source.
  ///
  /// Requires: the bound memory is still valid.
  /// Cost: no allocation; less than 96 KiB of stack; every element of the source is read once.
  void Run() const noexcept;

  /// The memory of this plan in bytes, all of it allocated by Prepare. Run allocates none (MEM-3).
  std::size_t MemoryBytes() const noexcept;

 private:
  struct State;
  // The library's own way to a plan of operands that it has checked.
  friend Result<ReduceMaxPlan> PrepareChecked(const CheckedReduceMax&, const TensorView&,
                                              const MutableTensorView&, const ReduceMaxOptions&);
  explicit ReduceMaxPlan(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace supremum

#endif  // SUPREMUM_REDUCE_MAX_H_
