#include "rules/reduce_max.h"

namespace supremum {
OperandNames NamesOfReduction(const std::string_view& source, std::string_view output) {
  OperandNames names;
  if (!source.empty()) names.inputs = {&source, 1};
  names.output = output;
  names.one_source = true;
  return names;
}

Result<CheckedReduceMax> JudgeReduceMax(const Views& views, const ReduceMaxRules& rules) {
  const TensorView& source = views.inputs()[0];
  if (views.output() != nullptr) {
    if (Result<void> ok = views.CheckData(); !ok) return std::move(ok).error();
  }
  if (auto dtype = CheckTypes(views, rules.version); !dtype) return std::move(dtype).error();
  if (Result<void> ok = views.CheckRanks(); !ok) return std::move(ok).error();
  if (Result<void> ok = views.CheckExtents(); !ok) return std::move(ok).error();
  const std::span<const std::string_view> names = views.names().inputs;
  const Result<AxisSet> reduced = ResolveAxes(rules.axes, source.shape.size(), rules.version,
                                              names.empty() ? std::string_view() : names[0]);
  if (!reduced) return reduced.error();
  const CheckedReduceMax checked{source.dtype, *reduced, rules.keepdims,
                                 ReducedShape(source.shape, *reduced, rules.keepdims)};
  if (views.output() != nullptr) {
    if (Result<void> ok = views.CheckReach(); !ok) return std::move(ok).error();
    Result<void> ok = CheckOutputShape(views.names(), views.output()->shape, checked.shape);
    if (!ok) return std::move(ok).error();
  }
  return checked;
}

}  // namespace supremum
