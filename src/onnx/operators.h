// The operators that supremum executes: which one a node is, in which version, and what its version lets the
// node have.
#ifndef SUPREMUM_SRC_ONNX_OPERATORS_H_
#define SUPREMUM_SRC_ONNX_OPERATORS_H_

#include <cstdint>
#include <string>

#include "supremum/result.h"

namespace onnx {
class NodeProto;
}

namespace supremum::onnx_front {

enum class Operator : std::uint8_t { kMax, kReduceMax, kConstant, kIdentity, kOther };

/// Which operator a node is; kOther for all those of other domains too.
Operator OperatorOf(const onnx::NodeProto& node);

/// The version of `op` that an opset means (MAX-5); 0 for kOther.
int VersionOf(Operator op, std::int64_t opset);

/// Counts and attributes of a node that is `version` of Max, Constant or Identity, and the counts of a
/// ReduceMax, whose attributes ReadReduceMaxAttributes reads. `where` begins the texts.
///
/// Errors: kInputCount for a Max without inputs (MAX-1) and for a ReduceMax with other inputs than its
/// version
///   has (RED-5); kMalformedFile for everything else that the version does not have.
Result<void> CheckOperands(const onnx::NodeProto& node, Operator op, int version, const std::string& where);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_ONNX_OPERATORS_H_
