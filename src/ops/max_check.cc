#include "ops/max_check.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/align.h"
#include "core/operand_errors.h"
#include "core/out_of_memory.h"
#include "ops/view_check.h"

namespace supremum {
namespace {

constexpr std::size_t kMostInputs = 2147483647;  // MAX-1

Views ViewsOf(std::span<const TensorView> inputs, const MutableTensorView* output,
              const MaxOptions& options) {
  return Views(inputs, output, {options.input_names, options.output_name});
}

Result<void> CheckTypes(const Views& views, MaxVersion version) {
  Result<void> ok = views.CheckOneType();
  const DType dtype = views.inputs()[0].dtype;
  if (!ok || Admits(version, dtype)) return ok;
  return TypeNotAdmittedError(views.names().Input(0), Name(dtype), version, TypeAdvice(dtype));
}

// PRO-6 and MAX-3 ask for the same thing, and differ in the code and in what to do.
template <class ErrorOf>
Result<void> CheckIdenticalShapes(const Views& views, ErrorOf error_of) {
  const DimsView first = views.inputs()[0].shape;
  return Views(views.inputs(), nullptr, views.names())
      .Check([&](const TensorView& view) { return SameDims(first, view.shape); },
             [&](const std::string& who, const TensorView& view) {
               std::string where = "their ranks are " + std::to_string(first.size()) + " and " +
                                   std::to_string(view.shape.size());
               if (first.size() == view.shape.size()) {
                 const auto at = std::mismatch(first.begin(), first.end(), view.shape.begin());
                 where = "in dimension " + std::to_string(at.first - first.begin()) + " their extents are " +
                         std::to_string(*at.first) + " and " + std::to_string(*at.second);
               }
               return error_of(views.names().Input(0) + " has shape " + ToString(first) + " and " + who +
                               " has shape " + ToString(view.shape) + "; " + where + ". ");
             });
}

// From the number of inputs to the validity of each shape on its own.
Result<void> CheckOperands(const Views& views, const MaxOptions& options) {
  if (Result<void> ok = CheckInputCount(views.inputs().size()); !ok) return ok;
  if (Result<void> ok = CheckTypes(views, options.version); !ok) return ok;
  if (options.identical_shapes_only) {
    Result<void> ok = CheckIdenticalShapes(views, [](const std::string& what) {
      return MakeError(ErrorCode::kBroadcastRefused, "PRO-6", what + "Broadcasting is switched off",
                       ": give all inputs one shape");
    });
    if (!ok) return ok;
  }
  if (Result<void> ok = views.CheckRanks(); !ok) return ok;
  return views.CheckExtents();
}

// Requires: CheckOperands holds.
Result<Shape> CommonShape(const Views& views, const MaxOptions& options) {
  if (!Broadcasts(options.version)) {  // MAX-3
    Result<void> ok = CheckIdenticalShapes(
        views, [&](const std::string& what) { return DifferentShapesError(what, options.version); });
    if (!ok) return std::move(ok).error();
  }
  return BroadcastAll(
      views.inputs().size(), [&](std::size_t m) { return views.inputs()[m].shape; }, options.input_names);
}

}  // namespace

Result<void> CheckInputCount(std::size_t count) {
  if (count >= 1 && count <= kMostInputs) return {};
  return MakeError(ErrorCode::kInputCount, "MAX-1",
                   "Max takes 1 to 2147483647 inputs and was given " + std::to_string(count));
}

Result<Shape> MaxOutputShape(std::span<const TensorView> inputs, const MaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<Shape> {
    const Views views = ViewsOf(inputs, nullptr, options);
    if (Result<void> ok = CheckOperands(views, options); !ok) return std::move(ok).error();
    return CommonShape(views, options);
  });
}

Result<void> CheckMax(std::span<const TensorView> inputs, const MutableTensorView& output,
                      const MaxOptions& options) {
  const Views views = ViewsOf(inputs, &output, options);
  if (Result<void> ok = views.CheckData(); !ok) return ok;
  if (Result<void> ok = CheckOperands(views, options); !ok) return ok;
  if (Result<void> ok = views.CheckReach(); !ok) return ok;
  const Result<Shape> common = CommonShape(views, options);
  if (!common) return common.error();
  return CheckOutputShape(views.names().Output(), output.shape, *common);
}

}  // namespace supremum
