#include "ops/max_check.h"

#include <cstdint>
#include <string>

#include "core/broadcast_all.h"
#include "core/input_name.h"
#include "core/overlap.h"

namespace supremum {
namespace {

// MAX-1
constexpr std::size_t kMostInputs = 2147483647;

// Calls `check(who, view)` for each input and the output until one returns an error.
template <class Check>
Result<void> ForEachOperand(std::span<const TensorView> inputs, const MutableTensorView& output,
                            const MaxOptions& options, Check check) {
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    // The name is made only when it is needed: a million inputs cost a million comparisons, not a million strings.
    if (auto ok = check([&] { return InputName(options.input_names, m); }, inputs[m]); !ok) return ok;
  }
  return check([&] { return OutputName(options); }, TensorView(output));
}

Result<void> CheckTypes(std::span<const TensorView> inputs, const MutableTensorView& output,
                        const MaxOptions& options) {
  const DType dtype = inputs[0].dtype;
  auto ok = ForEachOperand(inputs, output, options, [&](auto who, const TensorView& view) -> Result<void> {
    if (view.dtype == dtype) return {};
    return MakeError(ErrorCode::kTypeMismatch,
                     who() + " has type " + std::string(Name(view.dtype)) + " and " +
                         InputName(options.input_names, 0) + " has type " + std::string(Name(dtype)) +
                         "; all inputs and the output must have one type, nothing is converted (TYP-2)");
  });
  if (!ok) return ok;
  if (Admits(options.version, dtype)) return {};
  return MakeError(ErrorCode::kTypeNotAdmitted, InputName(options.input_names, 0) + " has type " +
                                                    std::string(Name(dtype)) + ", which " + ToString(options.version) +
                                                    " does not have (TYP-3); " +
                                                    (IsValid(dtype) ? "import a newer opset: 12 has the integers, 13 "
                                                                      "bfloat16 too"
                                                                    : "it is none of the library's types"));
}

// PRO-6 and MAX-3 ask for the same thing, and differ in the code and the rule to blame.
Result<void> CheckIdenticalShapes(std::span<const TensorView> inputs, const MaxOptions& options, ErrorCode code,
                                  const std::string& reason) {
  for (std::size_t m = 1; m < inputs.size(); ++m) {
    const DimsView first = inputs[0].shape, shape = inputs[m].shape;
    if (SameDims(first, shape)) continue;
    std::string where = "their ranks are " + std::to_string(first.size()) + " and " + std::to_string(shape.size());
    if (first.size() == shape.size()) {
      std::size_t d = 0;
      while (first[d] == shape[d]) ++d;
      where = "in dimension " + std::to_string(d) + " their extents are " + std::to_string(first[d]) + " and " +
              std::to_string(shape[d]);
    }
    return MakeError(code, InputName(options.input_names, 0) + " has shape " + ToString(first) + " and " +
                               InputName(options.input_names, m) + " has shape " + ToString(shape) + "; " + where +
                               ". " + reason);
  }
  return {};
}

Result<void> CheckLayout(const std::string& who, const TensorView& view) {
  if (!ElementCount(view.shape)) {
    return MakeError(ErrorCode::kInvalidShape,
                     who + " has shape " + ToString(view.shape) + ", which is more than 2^63-1 elements");
  }
  const Shape strides = StridesOf(view);
  if (!RangeOf({view.data, ByteWidth(view.dtype), view.shape, strides})) {
    return MakeError(ErrorCode::kInvalidShape, who + " has shape " + ToString(view.shape) + " and strides " +
                                                   ToString(strides) + ", which leave the address space");
  }
  return {};
}

}  // namespace

std::string OutputName(const MaxOptions& options) {
  if (options.output_name.empty()) return "the output";
  return "output '" + std::string(options.output_name) + "'";
}

Shape StridesOf(const TensorView& view) {
  if (view.strides.empty()) return RowMajorStrides(view.shape);
  return *Shape::FromSpan(view.strides);
}

bool SameLayout(const TensorView& input, const TensorView& output) {
  if (input.dtype != output.dtype || !SameDims(input.shape, output.shape)) return false;
  const Shape a = StridesOf(input), b = StridesOf(output);
  for (std::size_t d = 0; d < a.rank(); ++d) {
    if (input.shape[d] != 1 && a[d] != b[d]) return false;
  }
  return true;
}

Result<void> CheckMax(std::span<const TensorView> inputs, const MutableTensorView& output, const MaxOptions& options) {
  auto ok = ForEachOperand(inputs, output, options, [](auto who, const TensorView& view) -> Result<void> {
    if (view.data != nullptr || ElementCount(view.shape) == 0) return {};
    return MakeError(ErrorCode::kInvalidArgument,
                     who() + " has shape " + ToString(view.shape) + " and no data: its pointer is null");
  });
  if (!ok) return ok;
  if (inputs.empty() || inputs.size() > kMostInputs) {
    return MakeError(ErrorCode::kInputCount, "Max takes 1 to 2147483647 inputs and was given " +
                                                 std::to_string(inputs.size()) + " (MAX-1)");
  }
  if (ok = CheckTypes(inputs, output, options); !ok) return ok;
  if (options.identical_shapes_only) {
    ok = CheckIdenticalShapes(inputs, options, ErrorCode::kBroadcastRefused,
                              "Broadcasting is switched off (PRO-6): give all inputs one shape");
    if (!ok) return ok;
  }
  ok = ForEachOperand(inputs, output, options, [](auto who, const TensorView& view) -> Result<void> {
    if (view.shape.size() > kMaxRank) return RankError(who(), view.shape.size());
    if (!view.strides.empty() && view.strides.size() != view.shape.size()) {
      return MakeError(ErrorCode::kRank, who() + " has shape " + ToString(view.shape) + " and strides " +
                                             ToString(view.strides) + "; there must be one stride a dimension, or none");
    }
    return {};
  });
  if (!ok) return ok;
  ok = ForEachOperand(inputs, output, options, [](auto who, const TensorView& view) -> Result<void> {
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
      if (view.shape[d] < 0) return NegativeExtentError(who(), view.shape, d);
    }
    return CheckLayout(who(), view);
  });
  if (!ok) return ok;

  if (!Broadcasts(options.version)) {  // MAX-3
    ok = CheckIdenticalShapes(inputs, options, ErrorCode::kNotBroadcastable,
                              ToString(options.version) +
                                  " does not broadcast (MAX-3): give all inputs one shape, or import opset 8 or later");
    if (!ok) return ok;
  }
  const Result<Shape> common =
      BroadcastAll(inputs.size(), [&](std::size_t m) { return inputs[m].shape; }, options.input_names);
  if (!common) return common.error();
  if (!SameDims(*common, output.shape)) {  // E2
    return MakeError(ErrorCode::kOutputShapeMismatch,
                     OutputName(options) + " has shape " + ToString(output.shape) + " and the computed shape is " +
                         ToString(*common) + "; give the output the computed shape");
  }
  return {};
}

}  // namespace supremum
