// The rules as they apply to one node, and what the nodes of both operators share.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_CHECK_NODE_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_CHECK_NODE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontends/onnx/infer/value_operands.h"
#include "frontends/onnx/read/value_info.h"
#include "rules/judge.h"
#include "rules/rule.h"
#include "supremum/check.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace onnx {
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace supremum::onnx_front {

/// An input or output of a node: what the model states of it, and what is known after inference.
struct Operand {
  StatedValue stated;
  ValueInfo known;
  bool is_input = false;     ///< of the graph, so that a run decides its elements
  bool is_constant = false;  ///< its elements are in the model; a run may replace those of an input
  /// The elements, if they are in the model or follow from it (fold.h), cannot be replaced, and are few.
  std::shared_ptr<const Tensor> elements;
  const onnx::TensorProto* tensor = nullptr;  ///< the message with the elements, if they are in one
};

struct CheckedNode {
  const onnx::NodeProto& proto;
  std::vector<Operand> inputs;                 ///< one for each input that has a name
  std::vector<Operand> outputs;                ///< likewise
  const std::set<std::string>& input_symbols;  ///< the symbolic dimensions that a caller's inputs decide
  /// The values of functions that have no name outside; for them the model cannot state types and shapes.
  const std::unordered_set<std::string>& inner_names;
  bool in_function = false;  ///< one that is not called, so that all its values are such values
};

/// One finding for each rule that applies, in the order of docs/semantics.md, section 7.
std::vector<Finding> CheckMaxNode(const CheckedNode& node, int version, const CheckOptions& options);
std::vector<Finding> CheckReduceMaxNode(const CheckedNode& node, int version, const CheckOptions& options);

/// What follows for the output of a node: type and shape, as far as they are known, without a name.
ValueInfo InferMaxNode(const CheckedNode& node, int version);
ValueInfo InferReduceMaxNode(const CheckedNode& node, int version);

/// The attributes that the node leaves to their default, with the values that they then have, as far as
/// those are known; none if the node's attributes are wrong.
std::vector<AttributeInfo> UnwrittenOfReduceMax(const CheckedNode& node, int version);

Finding Holds(CheckedRule rule, std::string text);
Finding Fails(CheckedRule rule, std::string text, std::string change);
Finding Undecided(CheckedRule rule, std::string text, std::string change);

/// The findings about a node, and the rules that are the same for every operator.
class NodeChecker {
 public:
  NodeChecker(const CheckedNode& node, std::string versioned_operator, const CheckOptions& options);

 protected:
  void Add(Finding finding) { findings_.push_back(std::move(finding)); }

  /// The advice to state type and shape of a value.
  std::string StateIt(const std::string& name) const;

  /// `advice`, or for a value of which the model can state nothing, what makes that possible.
  std::string WhereStated(const std::string& name, std::string advice) const;

  /// True if the node has exactly one output; else a finding of `rule` that fails.
  bool CheckOutputCount(CheckedRule rule);

  /// TYP-2, then the rule on the type, as judged for `inputs`. `others` is what is wrong with the type of an
  /// input that does not share it.
  template <class Version>
  void CheckType(const ValueOperands& inputs, Version version, const Result<void>& others = {});

  void CheckDense();  // PRO-1

  /// PRO-2: true if all shapes are stated in numbers; else a finding that fails for each that is not.
  bool CheckShapesExplicit();

  void CheckTypesStated();  // PRO-3

  /// BRO-4
  void CheckRanks(const ValueOperands& inputs);

  /// E2, or PRO-5 under the profile.
  void CheckDeclaredShape(const std::optional<SymbolicShape>& computed);

  const CheckedNode& node_;
  const std::string operator_;  // "Max-13"
  const CheckOptions& options_;
  std::vector<const ValueInfo*> known_inputs_;
  std::vector<Finding> findings_;

 private:
  template <class Visit>
  void ForEachOperand(Visit visit) const;
};

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_CHECK_NODE_H_
