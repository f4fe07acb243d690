#include "rules/max.h"

#include <string>

namespace supremum {
namespace {

constexpr std::size_t kMaxInputs = 2147483647;  // MAX-1

}  // namespace

Result<void> CheckInputCount(std::size_t count) {
  if (count >= 1 && count <= kMaxInputs) return {};
  return MakeError(ErrorCode::kInputCount, "MAX-1",
                   "Max takes 1 to 2147483647 inputs and was given " + std::to_string(count));
}

Result<CheckedMax> JudgeMax(const Views& views, const MaxRules& rules) {
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
  const TensorView& first = inputs.inputs()[0];
  Result<CheckedMax> checked(CheckedMax{
      first.dtype, Broadcasts(rules.version) ? common.numbers.shape() : *Shape::FromSpan(first.shape)});
  if (views.output() != nullptr) {
    Result<void> ok = CheckOutputShape(views.names().Output(), views.output()->shape, checked->shape);
    if (!ok) return std::move(ok).error();
  }
  return checked;
}

}  // namespace supremum
