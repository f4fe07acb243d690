#include "rules/views.h"

#include <algorithm>
#include <cstdint>

#include "core/operand_errors.h"
#include "core/quote.h"

namespace supremum {

bool SameLayout(const TensorView& input, const TensorView& output) {
  if (!SameDims(input.shape, output.shape)) return false;
  if (input.strides.empty() && output.strides.empty()) return true;
  const Shape a = StridesOf(input), b = StridesOf(output);
  for (std::size_t d = 0; d < a.rank(); ++d) {
    if (input.shape[d] != 1 && a[d] != b[d]) return false;
  }
  return true;
}

std::optional<ByteRange> RangeOfView(const TensorView& view) {
  const std::size_t width = ByteWidth(view.dtype);
  if (!view.strides.empty()) return RangeOf({view.data, width, view.shape, view.strides});
  const std::optional<std::int64_t> elements = ElementCount(view.shape);
  ByteRange range{0, 0};
  if (!elements || __builtin_mul_overflow(*elements, width, &range.last)) return std::nullopt;
  return range.last <= kFarthestByte && FitsAddressSpace(view.data, range) ? std::optional(range)
                                                                           : std::nullopt;
}

std::string OperandNames::Input(std::size_t m) const {
  if (!only.empty()) return std::string(only);
  const std::string whole(part);
  if (one_source) return whole + SourceName(inputs.empty() ? std::string_view() : inputs[0]);
  return whole + InputName(inputs, m);
}

std::string OperandNames::Output() const {
  return std::string(part) + (output.empty() ? "the output" : "output " + Quote(output));
}

Result<void> Views::CheckData() const {
  return Check([](const TensorView& view) { return view.data != nullptr || ElementCount(view.shape) == 0; },
               [](const std::string& who, const TensorView& view) {
                 return MakeError(ErrorCode::kInvalidArgument, who + " has shape " + ToString(view.shape) +
                                                                   " and no data: its pointer is null");
               });
}

Result<void> Views::CheckRanks() const {
  return Check(
      [](const TensorView& view) {
        return view.shape.size() <= kMaxRank &&
               (view.strides.empty() || view.strides.size() == view.shape.size());
      },
      [](const std::string& who, const TensorView& view) {
        if (view.shape.size() > kMaxRank) return RankError(who, view.shape.size());
        return MakeError(ErrorCode::kRank, who + " has shape " + ToString(view.shape) + " and strides " +
                                               ToString(view.strides) +
                                               "; there must be one stride a dimension, or none");
      });
}

Result<void> Views::CheckExtents() const {
  return Check([](const TensorView& view) { return ElementCount(view.shape).has_value(); },
               [](const std::string& who, const TensorView& view) {
                 const auto negative = std::find_if(view.shape.begin(), view.shape.end(),
                                                    [](std::int64_t extent) { return extent < 0; });
                 if (negative != view.shape.end()) {
                   return NegativeExtentError(who, view.shape,
                                              static_cast<std::size_t>(negative - view.shape.begin()));
                 }
                 return MakeError(ErrorCode::kInvalidShape, who + " has shape " + ToString(view.shape) +
                                                                ", which is more than 2^63-1 elements");
               });
}

Result<void> Views::CheckReach() const {
  return Check([](const TensorView& view) { return RangeOfView(view).has_value(); },
               [](const std::string& who, const TensorView& view) {
                 return MakeError(ErrorCode::kInvalidShape, who + " has shape " + ToString(view.shape) +
                                                                " and strides " + ToString(StridesOf(view)) +
                                                                ", which leave the address space");
               });
}

Result<void> CheckOutputShape(const OperandNames& names, DimsView shape, DimsView computed) {
  if (SameDims(computed, shape)) return {};
  return MakeError(ErrorCode::kOutputShapeMismatch, names.Output() + " has shape " + ToString(shape) +
                                                        " and the computed shape is " + ToString(computed) +
                                                        "; give the output the computed shape");
}

Result<void> CheckVisitsOnce(const OperandNames& names, const TensorView& output) {
  const DimsView strides = output.strides;
  if (strides.empty()) return {};
  const Overlap overlap = OverlapsItself({output.data, ByteWidth(output.dtype), output.shape, strides});
  if (overlap == Overlap::kNone) return {};
  return MakeError(ErrorCode::kOverlap, "MEM-1",
                   names.Output() + " has shape " + ToString(output.shape) + " and strides " +
                       ToString(strides) +
                       (overlap == Overlap::kSome
                            ? ", under which two elements share an address"
                            : ", under which no two elements could be shown to have different addresses"),
                   ". Give the output strides that visit each address once");
}

Overlap OverlapOf(const TensorView& a, const TensorView& b) {
  if (ElementCount(a.shape) == 0 || ElementCount(b.shape) == 0) return Overlap::kNone;
  const Shape a_strides = StridesOf(a), b_strides = StridesOf(b);
  return Overlaps({a.data, ByteWidth(a.dtype), a.shape, a_strides},
                  {b.data, ByteWidth(b.dtype), b.shape, b_strides});
}

Error NullDataError(const std::string& who) {
  return MakeError(ErrorCode::kInvalidArgument, who + " has elements and no data: its pointer is null");
}

Error AddressSpaceError(const std::string& who) {
  return MakeError(ErrorCode::kInvalidShape,
                   who + " has elements that leave the address space from the address on that it is given");
}

Error SharedMemoryError(const std::string& output, const std::string& input, Overlap overlap,
                        std::string_view allowed) {
  std::string text = output;
  text += overlap == Overlap::kSome ? " shares memory with " : " cannot be shown to be apart from ";
  text.append(input).append("; ").append(allowed);
  return MakeError(ErrorCode::kOverlap, "MEM-2", text, ". Give the output memory of its own");
}

}  // namespace supremum
