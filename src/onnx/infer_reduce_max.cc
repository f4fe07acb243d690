#include "onnx/infer_reduce_max.h"

#include <string>

#include "core/axes.h"
#include "core/operand_errors.h"
#include "core/quote.h"
#include "onnx/infer.h"
#include "supremum/reduce_max.h"

namespace supremum::onnx_front {
namespace {

// The shape where the axes are not decided: every list of axes of which no more than the count is known must
// fit it.
Result<std::optional<SymbolicShape>> ShapeForAnyAxes(const ValueInfo& source,
                                                     std::optional<std::size_t> count, bool keepdims) {
  const std::size_t rank = source.shape->size();
  if (count && *count > rank) {
    return MakeError(ErrorCode::kAxis, "RED-2",
                     std::to_string(*count) + " axes are given and input " + Quote(source.name) +
                         " has rank " + std::to_string(rank) +
                         "; each of its dimensions is named at most once");
  }
  if (!keepdims && !count) return std::optional<SymbolicShape>();
  if (!keepdims) return std::optional(SymbolicShape(rank - *count));
  SymbolicShape shape(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    const Dim& dim = (*source.shape)[d];
    if (dim.value == 1 || count == rank) shape[d] = Dim{1, ""};
  }
  return std::optional(std::move(shape));
}

}  // namespace

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

Result<std::optional<DType>> InferReduceMaxType(const ValueInfo& source, ReduceMaxVersion version) {
  if (source.type_name.empty()) return std::optional<DType>();
  if (source.type_name.starts_with("sparse ")) return SparseInputError(source);
  if (!source.dtype || !Admits(version, *source.dtype)) {
    return TypeNotAdmittedError("input " + Quote(source.name), source.type_name, version);
  }
  return source.dtype;
}

Result<std::optional<SymbolicShape>> InferReduceMaxShape(const ValueInfo& source, const KnownAxes& axes,
                                                         bool keepdims, ReduceMaxVersion version) {
  if (!source.shape) {
    // All dimensions of any rank: a scalar.
    if (axes.decided && !axes.values && !keepdims) return std::optional(SymbolicShape());
    return std::optional<SymbolicShape>();
  }
  const std::size_t rank = source.shape->size();
  if (rank > kMaxRank) return RankError("input " + Quote(source.name), rank);
  if (!axes.decided) return ShapeForAnyAxes(source, axes.count, keepdims);
  const Result<AxisSet> reduced = ResolveAxes(axes.values, rank, version, source.name);
  if (!reduced) return reduced.error();
  SymbolicShape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    if (!reduced->Has(d)) {
      shape.push_back((*source.shape)[d]);
    } else if (keepdims) {
      shape.push_back(Dim{1, ""});
    }
  }
  return std::optional(std::move(shape));
}

}  // namespace supremum::onnx_front
