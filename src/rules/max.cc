#include "rules/max.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/align.h"
#include "core/out_of_memory.h"

namespace supremum {
namespace {

constexpr std::size_t kMaxInputs = 2147483647;  // MAX-1

// Sets `shape` to the common shape (BRO-2); false if there is none. Requires: no input has more than kMaxRank
// dimensions.
bool FindCommonShape(std::span<const TensorView> inputs, Shape& shape) {
  std::size_t rank = 0;
  for (const TensorView& input : inputs) rank = std::max(rank, input.shape.size());
  CommonExtents common(rank);
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    const DimsView extents = inputs[m].shape;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      if (!common.Add(CommonDimension(d, extents.size(), rank), extents[d], m)) return false;
    }
  }
  shape = common.shape();
  return ElementCount(shape).has_value();
}

// True if a view certainly holds the rules that do not concern the others, and has elements: then `range` is
// that of its data, if it `has_data`.
bool HoldsAlone(const TensorView& view, bool has_data, ByteRange& range) {
  const DimsView shape = view.shape, strides = view.strides;
  if (shape.size() > kMaxRank || (!strides.empty() && strides.size() != shape.size())) return false;
  if (!has_data || !strides.empty()) {
    const std::optional<std::int64_t> elements = ElementCount(shape);
    if (!elements || *elements == 0) return false;
  }
  if (!has_data) return true;
  const std::optional<ByteRange> found = RangeOfView(view);
  if (!found || found->last == 0 || view.data == nullptr) return false;
  range = *found;
  return true;
}

// True if all operands state the same strides, with which their elements fill one block: as transposed or
// channels-last ones do. Requires: they have one shape and elements.
bool AreBlocks(const Views& views) {
  const DimsView strides = views.inputs()[0].strides;
  if (strides.empty() || !SameDims(strides, views.output()->strides)) return false;
  for (const TensorView& input : views.inputs()) {
    if (!SameDims(input.strides, strides)) return false;
  }
  return FillsOneBlock(views.inputs()[0].shape, strides);
}

// True if all rules certainly hold, as in nearly every call. One pass, since the checks of JudgeMax, which
// find the first violated rule in the order of errors, are as slow as a small Max.
bool HoldsAtOnce(const Views& views, const MaxRules& rules, CheckedMax& checked) {
  const std::span<const TensorView> inputs = views.inputs();
  const bool has_data = views.output() != nullptr;
  if (inputs.empty() || inputs.size() > kMaxInputs) return false;
  const TensorView& first = inputs[0];
  checked.dtype = first.dtype;
  if (!IsValid(first.dtype) || !Admits(rules.version, first.dtype)) return false;
  ByteRange none{0, 0};  // what is written to where there is no data
  const auto range_at = [&](std::size_t m) -> ByteRange& { return has_data ? checked.ranges[m] : none; };
  if (has_data && !checked.ranges.Resize(inputs.size() + 1)) return false;
  if (!HoldsAlone(first, has_data, range_at(0))) return false;
  checked.is_dense = first.strides.empty();
  const auto is_like_first = [&](const TensorView& view) {
    return checked.is_dense && view.strides.empty() && SameDims(view.shape, first.shape);
  };
  const auto holds = [&](const TensorView& view, ByteRange& range) {
    if (view.dtype != first.dtype) return false;
    if (!is_like_first(view)) return HoldsAlone(view, has_data, range);
    if (!has_data) return true;
    range = checked.ranges[0];
    return view.data != nullptr && FitsAddressSpace(view.data, range);
  };
  bool are_alike = true, is_one_shape = true;
  for (std::size_t m = 1; m < inputs.size(); ++m) {
    if (!holds(inputs[m], range_at(m))) return false;
    if (is_like_first(inputs[m])) continue;
    are_alike = false;
    is_one_shape = is_one_shape && SameDims(inputs[m].shape, first.shape);
  }
  if (is_one_shape) {
    checked.shape = *Shape::FromSpan(first.shape);
  } else {
    if (!Broadcasts(rules.version) || rules.identical_shapes_only) return false;
    if (!FindCommonShape(inputs, checked.shape)) return false;
  }
  if (has_data) {
    const TensorView output = *views.output();
    if (!SameDims(output.shape, checked.shape)) return false;
    if (!holds(output, range_at(inputs.size()))) return false;
    are_alike = are_alike && output.strides.empty();
  }
  checked.is_dense = (checked.is_dense && are_alike) || (has_data && is_one_shape && AreBlocks(views));
  return true;
}

}  // namespace

Result<void> CheckInputCount(std::size_t count) {
  if (count >= 1 && count <= kMaxInputs) return {};
  return MakeError(ErrorCode::kInputCount, "MAX-1",
                   "Max takes 1 to 2147483647 inputs and was given " + std::to_string(count));
}

Result<CheckedMax> JudgeMax(const Views& views, const MaxRules& rules) {
  Result<CheckedMax> checked(std::in_place);
  if (HoldsAtOnce(views, rules, *checked)) return checked;
  return JudgeMaxByRules(views, rules);
}

Result<CheckedMax> JudgeMaxByRules(const Views& views, const MaxRules& rules) {
  const Views inputs = views.WithoutOutput();
  if (views.output() != nullptr) {
    if (Result<void> ok = views.CheckData(); !ok) return std::move(ok).error();
  }
  if (Result<void> ok = CheckInputCount(inputs.count()); !ok) return std::move(ok).error();
  if (auto dtype = CheckTypes(views, rules.version); !dtype) return std::move(dtype).error();
  if (rules.identical_shapes_only) {
    const Judgement judgement = JudgeOneShape(inputs, "PRO-6").judgement;
    if (judgement.Fails()) return ShapeErrorOf(judgement, inputs, rules.version);
  }
  if (Result<void> ok = views.CheckRanks(); !ok) return std::move(ok).error();
  if (Result<void> ok = views.CheckExtents(); !ok) return std::move(ok).error();
  if (views.output() != nullptr) {
    if (Result<void> ok = views.CheckReach(); !ok) return std::move(ok).error();
  }
  const CommonShape<Views> common = JudgeCommonShape(inputs, rules.version);
  if (common.judgement.Fails()) return ShapeErrorOf(common.judgement, inputs, rules.version);
  CheckedMax checked;
  checked.dtype = inputs.inputs()[0].dtype;
  checked.shape =
      Broadcasts(rules.version) ? common.numbers.shape() : *Shape::FromSpan(inputs.inputs()[0].shape);
  if (views.output() == nullptr) return checked;
  if (auto ok = CheckOutputShape(views.names(), views.output()->shape, checked.shape); !ok) {
    return std::move(ok).error();
  }
  if (!checked.ranges.Resize(views.count())) return OutOfMemoryError();
  for (std::size_t m = 0; m < views.count(); ++m) checked.ranges[m] = *RangeOfView(views.view(m));
  return checked;
}

}  // namespace supremum
