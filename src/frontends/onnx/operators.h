// The operators that supremum executes: the operator of a node, its version, and the checks of its operands.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_H_

#include <cstdint>
#include <string>

#include "supremum/result.h"

namespace onnx {
class NodeProto;
}

namespace supremum::onnx_front {

enum class Operator : std::uint8_t { kMax, kReduceMax, kConstant, kIdentity, kOther };

/// The operator of a node; kOther also for operators of other domains.
Operator OperatorOf(const onnx::NodeProto& node);

/// The version of `op` in an opset (MAX-5); 0 for kOther.
int VersionOf(Operator op, std::int64_t opset);

/// Checks the numbers of operands and the attributes of a Max, Constant or Identity node of that version, and
/// the numbers of operands of a ReduceMax; ReadReduceMaxAttributes checks its attributes. `where` begins the
/// error texts.
///
/// Errors: kInputCount for a Max without inputs (MAX-1) and for a ReduceMax with inputs that its version does
///   not have (RED-5); kMalformedFile for everything else that the version does not have.
Result<void> CheckOperands(const onnx::NodeProto& node, Operator op, int version, const std::string& where);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_H_
