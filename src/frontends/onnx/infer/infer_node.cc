#include "frontends/onnx/infer/infer_node.h"

#include <string>
#include <utility>

#include "core/quote.h"
#include "frontends/onnx/infer/value_operands.h"
#include "rules/max.h"
#include "supremum/reduce_max.h"

namespace supremum::onnx_front {
namespace {

// Keeps the first error.
void Keep(Error error, Inferred& inferred) {
  if (!inferred.error) inferred.error = std::move(error);
}

template <class Version>
void InferType(const ValueOperands& inputs, Version version, Inferred& inferred) {
  const Result<std::optional<DType>> dtype = CheckTypes(inputs, version);
  if (!dtype) return Keep(dtype.error(), inferred);
  if (!*dtype) return;
  inferred.info.type_name = Name(**dtype);
  inferred.info.dtype = **dtype;
}

}  // namespace

Inferred InferMax(std::span<const ValueInfo* const> inputs, MaxVersion version) {
  const ValueOperands operands(inputs);
  Inferred inferred;
  InferType(operands, version, inferred);
  const auto common = JudgeCommonShape(operands, version);
  if (common.judgement.Fails()) {
    Keep(ShapeErrorOf(common.judgement, operands, version), inferred);
  } else {
    inferred.info.shape = SymbolicShapeOf(common.shape);
  }
  return inferred;
}

KnownAxes AxesBeforeRun(const ReduceMaxAttributes& attributes, const ValueInfo* input,
                        const Tensor* elements) {
  if (!attributes.of_function.empty()) return {false, {}, {}};
  const bool noop = attributes.noop_with_empty_axes.value_or(false);
  if (input == nullptr) {
    std::optional<std::span<const std::int64_t>> axes;
    if (attributes.axes) axes = *attributes.axes;
    return {true, AxesOfOnnx(axes, noop), {}};
  }
  if (const auto axes = ListOf(elements)) return {true, AxesOfOnnx(axes, noop), {}};
  KnownAxes axes{false, {}, {}};
  if (!input->shape || input->shape->size() != 1 || !input->shape->front().value) return axes;
  const std::int64_t count = *input->shape->front().value;
  if (count == 0) return {true, AxesOfOnnx(std::nullopt, noop), {}};
  axes.count = static_cast<std::size_t>(count);
  return axes;
}

Inferred InferReduceMax(const ValueInfo& source, const ReduceMaxAttributes& attributes, const ValueInfo* axes,
                        const Tensor* elements, ReduceMaxVersion version) {
  const ValueInfo* const values[] = {&source};
  const ValueOperands operands(values);
  Inferred inferred;
  const auto check = [&](Result<void> ok) {
    if (!ok) Keep(std::move(ok).error(), inferred);
  };
  if (axes != nullptr) check(CheckAxesType(*axes, version));
  InferType(operands, version, inferred);
  if (axes != nullptr) check(CheckAxesRank(*axes, version));
  const auto shape = InferReducedShape(operands, source.name, AxesBeforeRun(attributes, axes, elements),
                                       attributes.keepdims.value_or(true), version);
  if (shape) {
    inferred.info.shape = SymbolicShapeOf(*shape);
  } else {
    Keep(shape.error(), inferred);
  }
  return inferred;
}

std::optional<std::span<const std::int64_t>> ListOf(const Tensor* tensor) {
  if (tensor == nullptr || tensor->dtype() != DType::kInt64 || tensor->shape().rank() != 1)
    return std::nullopt;
  return tensor->Elements<std::int64_t>();
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
