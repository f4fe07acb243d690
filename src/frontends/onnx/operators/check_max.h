// The rules of Max, for a node of any model.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_CHECK_MAX_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_CHECK_MAX_H_

#include <vector>

#include "frontends/onnx/check_node.h"

namespace supremum::onnx_front {

/// Operator::check and Operator::infer_checked.
std::vector<Finding> CheckMaxNode(const CheckedNode& node, int version, const CheckOptions& options);
ValueInfo InferMaxNode(const CheckedNode& node, int version);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_CHECK_MAX_H_
