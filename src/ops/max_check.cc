#include "ops/max_check.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/broadcast_all.h"
#include "core/operand_errors.h"
#include "core/overlap.h"
#include "core/quote.h"

namespace supremum {
namespace {

constexpr std::size_t kMostInputs = 2147483647;  // MAX-1

// The inputs, and the output where there is one, under the names that error texts use.
struct Operands {
  std::span<const TensorView> inputs;
  const MutableTensorView* output;  // null where only the inputs are known
  const MaxOptions& options;

  // The error that `explain(name, view)` makes of the first operand that is not `fine(view)`. Names and texts
  // are made only then: a million inputs cost a million comparisons, not a million strings.
  template <class Fine, class Explain>
  Result<void> Check(Fine fine, Explain explain) const {
    for (std::size_t m = 0; m < inputs.size(); ++m) {
      if (!fine(inputs[m])) return explain(InputName(options.input_names, m), inputs[m]);
    }
    if (output != nullptr && !fine(TensorView(*output)))
      return explain(OutputName(options), TensorView(*output));
    return {};
  }
};

Result<void> CheckCount(const Operands& operands) {
  const std::size_t count = operands.inputs.size();
  if (count >= 1 && count <= kMostInputs) return {};
  return MakeError(ErrorCode::kInputCount,
                   "Max takes 1 to 2147483647 inputs and was given " + std::to_string(count) + " (MAX-1)");
}

Result<void> CheckTypes(const Operands& operands) {
  const DType dtype = operands.inputs[0].dtype;
  const std::string type(Name(dtype));
  const MaxVersion version = operands.options.version;
  const auto first = [&] { return InputName(operands.options.input_names, 0); };
  Result<void> ok = operands.Check([&](const TensorView& view) { return view.dtype == dtype; },
                                   [&](const std::string& who, const TensorView& view) {
                                     return TypeMismatchError(who, Name(view.dtype), first(), type);
                                   });
  if (!ok || Admits(version, dtype)) return ok;
  return TypeNotAdmittedError(first(), type, version,
                              IsValid(dtype) ? TypeAdvice(dtype) : "it is none of the library's types");
}

// PRO-6 and MAX-3 ask for the same thing, and differ in the code and in what to do.
Result<void> CheckIdenticalShapes(const Operands& operands, ErrorCode code, const std::string& advice) {
  const DimsView first = operands.inputs[0].shape;
  const Operands inputs_only{operands.inputs, nullptr, operands.options};
  return inputs_only.Check(
      [&](const TensorView& view) { return SameDims(first, view.shape); },
      [&](const std::string& who, const TensorView& view) {
        std::string where =
            "their ranks are " + std::to_string(first.size()) + " and " + std::to_string(view.shape.size());
        if (first.size() == view.shape.size()) {
          const auto at = std::mismatch(first.begin(), first.end(), view.shape.begin());
          where = "in dimension " + std::to_string(at.first - first.begin()) + " their extents are " +
                  std::to_string(*at.first) + " and " + std::to_string(*at.second);
        }
        return MakeError(code, InputName(operands.options.input_names, 0) + " has shape " + ToString(first) +
                                   " and " + who + " has shape " + ToString(view.shape) + "; " + where +
                                   ". " + advice);
      });
}

Result<void> CheckRanks(const Operands& operands) {
  return operands.Check(
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

Result<void> CheckExtents(const Operands& operands) {
  return operands.Check(
      [](const TensorView& view) { return ElementCount(view.shape).has_value(); },
      [](const std::string& who, const TensorView& view) {
        const auto negative = std::find_if(view.shape.begin(), view.shape.end(),
                                           [](std::int64_t extent) { return extent < 0; });
        if (negative != view.shape.end()) {
          return NegativeExtentError(who, view.shape,
                                     static_cast<std::size_t>(negative - view.shape.begin()));
        }
        return MakeError(ErrorCode::kInvalidShape,
                         who + " has shape " + ToString(view.shape) + ", which is more than 2^63-1 elements");
      });
}

// Requires: CheckRanks and CheckExtents hold.
Result<void> CheckReach(const Operands& operands) {
  return operands.Check(
      [](const TensorView& view) {
        return RangeOf({view.data, ByteWidth(view.dtype), view.shape, StridesOf(view)}).has_value();
      },
      [](const std::string& who, const TensorView& view) {
        return MakeError(ErrorCode::kInvalidShape, who + " has shape " + ToString(view.shape) +
                                                       " and strides " + ToString(StridesOf(view)) +
                                                       ", which leave the address space");
      });
}

Result<void> CheckData(const Operands& operands) {
  return operands.Check(
      [](const TensorView& view) { return view.data != nullptr || ElementCount(view.shape) == 0; },
      [](const std::string& who, const TensorView& view) {
        return MakeError(ErrorCode::kInvalidArgument,
                         who + " has shape " + ToString(view.shape) + " and no data: its pointer is null");
      });
}

// From the number of inputs to the validity of each shape on its own.
Result<void> CheckOperands(const Operands& operands) {
  if (Result<void> ok = CheckCount(operands); !ok) return ok;
  if (Result<void> ok = CheckTypes(operands); !ok) return ok;
  if (operands.options.identical_shapes_only) {
    Result<void> ok = CheckIdenticalShapes(operands, ErrorCode::kBroadcastRefused,
                                           "Broadcasting is switched off (PRO-6): give all inputs one shape");
    if (!ok) return ok;
  }
  if (Result<void> ok = CheckRanks(operands); !ok) return ok;
  return CheckExtents(operands);
}

// Requires: CheckOperands holds.
Result<Shape> CommonShape(const Operands& operands) {
  const MaxOptions& options = operands.options;
  if (!Broadcasts(options.version)) {  // MAX-3
    Result<void> ok =
        CheckIdenticalShapes(operands, ErrorCode::kNotBroadcastable, NoBroadcastAdvice(options.version));
    if (!ok) return std::move(ok).error();
  }
  return BroadcastAll(
      operands.inputs.size(), [&](std::size_t m) { return operands.inputs[m].shape; }, options.input_names);
}

}  // namespace

std::string OutputName(const MaxOptions& options) {
  if (options.output_name.empty()) return "the output";
  return "output " + Quote(options.output_name);
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

Result<Shape> MaxOutputShape(std::span<const TensorView> inputs, const MaxOptions& options) {
  const Operands operands{inputs, nullptr, options};
  if (Result<void> ok = CheckOperands(operands); !ok) return std::move(ok).error();
  return CommonShape(operands);
}

Result<void> CheckMax(std::span<const TensorView> inputs, const MutableTensorView& output,
                      const MaxOptions& options) {
  const Operands operands{inputs, &output, options};
  if (Result<void> ok = CheckData(operands); !ok) return ok;
  if (Result<void> ok = CheckOperands(operands); !ok) return ok;
  if (Result<void> ok = CheckReach(operands); !ok) return ok;
  const Result<Shape> common = CommonShape(operands);
  if (!common) return common.error();
  if (SameDims(*common, output.shape)) return {};
  return MakeError(ErrorCode::kOutputShapeMismatch, OutputName(options) + " has shape " +
                                                        ToString(output.shape) +
                                                        " and the computed shape is " + ToString(*common) +
                                                        "; give the output the computed shape");
}

}  // namespace supremum
