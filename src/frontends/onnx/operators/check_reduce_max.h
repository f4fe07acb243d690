// The rules of ReduceMax, for a node of any model.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_CHECK_REDUCE_MAX_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_CHECK_REDUCE_MAX_H_

#include <vector>

#include "frontends/onnx/check_node.h"

namespace supremum::onnx_front {

/// Operator::check, Operator::infer_checked and Operator::unwritten.
std::vector<Finding> CheckReduceMaxNode(const CheckedNode& node, int version, const CheckOptions& options);
ValueInfo InferReduceMaxNode(const CheckedNode& node, int version);
std::vector<AttributeInfo> UnwrittenOfReduceMax(const CheckedNode& node, int version);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_CHECK_REDUCE_MAX_H_
