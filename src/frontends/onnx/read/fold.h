// Constants that nodes compute from constants. Exporters that do not optimise write the axes of a ReduceMax
// in this way.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_READ_FOLD_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_READ_FOLD_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace onnx {
class NodeProto;
}

namespace supremum::onnx_front {

/// The most elements of a constant that is folded: axes are at most one for each dimension.
constexpr std::int64_t kMostFoldedElements = kMaxRank;
constexpr std::int64_t kMostFoldedBytes = kMostFoldedElements * std::int64_t{sizeof(std::int64_t)};

/// The elements of a value that no caller can change; null if they are not known.
using ConstantNamed = std::function<const Tensor*(const std::string& name)>;

/// The output of a Reshape, Unsqueeze, Squeeze, Concat, Cast, Slice or Gather whose inputs are constants. A
/// Cast is from integers to integers. Identity is an operator of its own.
///
/// Returns: nothing for every other node, for one that ONNX does not allow, for one with a constant of more
///   than kMostFoldedElements, and for a Cast whose output does not have the input's exact values.
/// Cost: linear in the number of inputs.
std::optional<Tensor> Fold(const onnx::NodeProto& node, std::int64_t opset, const ConstantNamed& constant);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_READ_FOLD_H_
