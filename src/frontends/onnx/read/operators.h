// Nodes, and the operators that supremum knows in ONNX's own domain.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_READ_OPERATORS_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_READ_OPERATORS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "frontends/onnx/read/reduce_max_node.h"
#include "supremum/model.h"
#include "supremum/result.h"

namespace google::protobuf {
class Message;
}
namespace onnx {
class FunctionProto;
class NodeProto;
}  // namespace onnx

namespace supremum::onnx_front {

/// A new operator: its value here, its row in operators.cc, and a case in ReadOperands, InferGraph and
/// PrepareNode.
enum class Op : std::uint8_t {
  kUnknown,  ///< supremum does not know it
  kFolded,   ///< its output is a constant, which was computed from constants (fold.h)
  kMax,
  kReduceMax,
  kConstant,
  kIdentity,
};

struct Node {
  NodeInfo info;
  Op op = Op::kUnknown;
  std::vector<std::size_t> inputs;  ///< numbers of values, without the inputs that the node omits
  std::vector<std::size_t> outputs;
  ReduceMaxAttributes reduce_max;  ///< of a ReduceMax
};

/// The operator of a node; kUnknown for operators of other domains too.
Op OperatorOf(const onnx::NodeProto& node);

/// The version of the operator in an opset (MAX-5); 0 if there is none.
int VersionOf(Op op, std::int64_t opset);

/// True for the operators whose nodes `check` judges.
inline bool IsJudged(Op op) { return op == Op::kMax || op == Op::kReduceMax; }

/// True for the operators whose output a run computes.
inline bool IsExecuted(Op op) { return IsJudged(op) || op == Op::kIdentity; }

/// The node's names, without its operands' numbers; `index` is its position.
NodeInfo DescribeNode(const onnx::NodeProto& node, std::size_t index);

/// Checks the inputs, outputs and attributes of a node of a known operator and version, and keeps in `node`
/// what a run needs of them. `where` begins the error texts.
///
/// Errors: kInputCount for a Max without inputs (MAX-1) and for a ReduceMax with inputs that its version
///   does not have (RED-5); kMalformedFile for everything else that the version does not have.
Result<void> ReadOperands(const onnx::NodeProto& proto, const std::string& where, Node& node);

/// Of an attribute that refers to one of the function's call, where no call gives it.
Error NotGivenByCall(const std::string& where, const std::string& attribute);

/// The bytes of each occurrence of a field that the onnx library does not know; null for a field of numbers.
std::vector<const std::string*> UnknownFields(const google::protobuf::Message& message, int number);

/// The overload that a call names, or that a function has (IR version 10 and later); usually empty. The onnx
/// library of Debian 12 does not know that field, and keeps its bytes.
std::string OverloadOf(const onnx::NodeProto& node);
std::string OverloadOf(const onnx::FunctionProto& function);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_READ_OPERATORS_H_
