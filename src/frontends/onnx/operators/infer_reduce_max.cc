#include "frontends/onnx/operators/infer_reduce_max.h"

#include <string>

#include "core/quote.h"
#include "supremum/reduce_max.h"

namespace supremum::onnx_front {
KnownAxes AxesBeforeRun(const ReduceMaxAttributes& attributes, const ValueInfo* input,
                        std::optional<std::span<const std::int64_t>> elements) {
  const bool noop = attributes.noop_with_empty_axes.value_or(false);
  if (input == nullptr) {
    if (attributes.axes) elements = *attributes.axes;
    return {true, AxesOfOnnx(elements, noop), {}};
  }
  if (elements) return {true, AxesOfOnnx(elements, noop), {}};
  KnownAxes axes{false, {}, {}};
  if (!input->shape || input->shape->size() != 1 || !input->shape->front().value) return axes;
  const std::int64_t count = *input->shape->front().value;
  if (count == 0) return {true, AxesOfOnnx(std::nullopt, noop), {}};
  axes.count = static_cast<std::size_t>(count);
  return axes;
}

Result<void> CheckAxesType(const ValueInfo& axes, ReduceMaxVersion version) {
  if (axes.type_name.empty() || axes.dtype == DType::kInt64) return {};
  return MakeError(ErrorCode::kTypeMismatch, "TYP-2",
                   "the axes " + Quote(axes.name) + " have type " + axes.type_name + " and " +
                       ToString(version) + " takes int64; nothing is converted");
}

Result<void> CheckAxesRank(const ValueInfo& axes, ReduceMaxVersion version) {
  if (!axes.shape || axes.shape->size() == 1) return {};
  return MakeError(ErrorCode::kAxis, "RED-5",
                   "the axes " + Quote(axes.name) + " have shape " + ToString(*axes.shape) + ", of rank " +
                       std::to_string(axes.shape->size()) + "; " + ToString(version) +
                       " takes a list, of rank 1");
}

}  // namespace supremum::onnx_front
