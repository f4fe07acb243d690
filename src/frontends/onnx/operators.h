// The operators that supremum knows in ONNX's own domain: one row for each, with what the front end does with
// its nodes.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/axes.h"
#include "frontends/onnx/check_node.h"
#include "frontends/onnx/graph.h"
#include "frontends/onnx/prepare_node.h"
#include "supremum/check.h"
#include "supremum/model.h"
#include "supremum/result.h"
#include "supremum/static_graph.h"
#include "supremum/tensor.h"

namespace onnx {
class NodeProto;
}

namespace supremum::onnx_front {

/// What is known of the values of a graph before a run, by their numbers.
struct KnownValues {
  std::span<const ValueInfo> infos;
  std::span<const Tensor* const> constants;  ///< of values that no caller can change; null for the others
};

/// What is known of a node's output.
struct Inferred {
  ValueInfo info;                    ///< without a name
  const Tensor* constant = nullptr;  ///< its elements, if they are known
};

/// What a generator of programs needs to know of a node, besides the types and shapes of its operands.
struct StaticForm {
  StaticNode::Operation operation = StaticNode::Operation::kMax;
  AxisSet reduced = {};  ///< of a ReduceMax: dimensions of input 0
};

/// The row of one operator. A null function: the front end does nothing of that kind for its nodes.
struct Operator {
  std::string_view name;  ///< the op_type

  /// The version of the operator in an opset (MAX-5).
  int (*version)(std::int64_t opset);

  /// Checks the inputs and attributes of a node that has one output, and keeps in `node` what a run needs of
  /// them. `where` begins the error texts.
  ///
  /// Errors: kInputCount for a Max without inputs (MAX-1) and for a ReduceMax with inputs that its version
  ///   does not have (RED-5); kMalformedFile for everything else that the version does not have.
  Result<void> (*read)(const onnx::NodeProto& proto, const std::string& where, Node& node);

  /// What follows for the output from what is known before a run. Null: what the model states is all.
  Result<Inferred> (*infer)(const KnownValues& values, const Node& node);

  /// Makes the plans of a node. Null: a run has nothing to do.
  Result<void> (*prepare)(NodePreparation& run, const Node& node);

  /// The node for a generator of programs. Null: StaticGraphOf refuses a node that `prepare` makes plans for.
  ///
  /// Requires: types and shapes of the inputs are known. Errors: kShapeNotExplicit (PRO-2) if the output's
  ///   shape depends on elements that only a run knows.
  Result<StaticForm> (*static_form)(const KnownValues& values, const Node& node);

  /// One finding for each rule that applies, in the order of docs/semantics.md, section 7. Null: the operator
  /// has no rules of its own.
  std::vector<Finding> (*check)(const CheckedNode& node, int version, const CheckOptions& options);

  /// What follows for the output of a node that is checked: type and shape, as far as they are known, without
  /// a name. Null if `check` is.
  ValueInfo (*infer_checked)(const CheckedNode& node, int version);

  /// The attributes that the node leaves to their default, with the values that they then have, as far as
  /// those are known; none if the node's attributes are wrong. Null: the operator has no attributes.
  std::vector<AttributeInfo> (*unwritten)(const CheckedNode& node, int version);
};

// A new operator: its files in operators/, its row here and in operators.cc.
extern const Operator kMaxOperator;
extern const Operator kReduceMaxOperator;
extern const Operator kConstantOperator;
extern const Operator kIdentityOperator;

/// The operator of a node; null if supremum does not know it, and for operators of other domains.
const Operator* OperatorOf(const onnx::NodeProto& node);

/// The operators that a run executes: "Max, ReduceMax, Constant and Identity".
std::string ExecutedOperators();

/// The names of the operators that `check` judges: "Max and ReduceMax".
std::string CheckedOperators();

/// Checks that the node has exactly one output, then what Operator::read checks. Errors: kMalformedFile, and
/// those of Operator::read.
Result<void> ReadOperands(const onnx::NodeProto& proto, const std::string& where, Node& node);

/// Errors: kUnsupportedOperator for the first node that supremum does not execute.
Result<void> CheckExecuted(const Graph& graph);

// For Operator::read.

/// kMalformedFile at `where`.
Error MalformedNode(const std::string& where, const std::string& details);

/// Of an attribute that refers to one of the function's call, where no call gives it.
Error NotGivenByCall(const std::string& where, const std::string& attribute);

/// Errors: kMalformedFile for an input without a name.
Result<void> CheckInputsNamed(const onnx::NodeProto& proto, const std::string& where);

/// Errors: kMalformedFile for any attribute; version 1 may have consumed_inputs, which is ignored (MAX-3).
Result<void> CheckNoAttributes(const onnx::NodeProto& proto, int version, const std::string& where);

/// For Operator::version: the greatest of `versions`, which ascend, that `opset` has.
int NewestVersion(std::span<const int> versions, std::int64_t opset);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_H_
