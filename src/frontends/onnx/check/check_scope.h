// What the checker knows of the values of a graph, by name.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_CHECK_SCOPE_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_CHECK_SCOPE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "frontends/onnx/check/check_node.h"
#include "frontends/onnx/read/value_info.h"
#include "supremum/tensor.h"

namespace onnx {
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace supremum::onnx_front {

/// The names of one graph, and those of the enclosing graphs. `account` is the memory that all of them
/// together may still take; it is negative once they have taken more.
class Scope {
 public:
  Scope(const Scope* parent, std::int64_t* account) : parent_(parent), account_(account) {}

  /// The model states this of a value.
  void State(const StatedValue& value);

  /// The value is an input of the graph, and has been stated.
  void MarkInput(const std::string& name) { values_[name].is_input = true; }

  /// The elements of a stated value are in the model. `small` is kept if it has at most kMostFoldedElements
  /// (fold.h); `tensor` holds the elements if they are one, and must outlive this scope.
  void MarkConstant(const std::string& name, Result<Tensor> small, const onnx::TensorProto* tensor);

  /// The elements of a value follow from those of constants.
  void InferConstant(const std::string& name, Tensor elements);

  /// Inference has found this for a value.
  void Infer(const ValueInfo& info);

  /// `copy` is what an Identity makes of `value`.
  void InferCopy(const std::string& value, const std::string& copy);

  /// The elements of a constant that no run can replace, if they are few; else null.
  const Tensor* ElementsOf(const std::string& name) const;

  /// What is known of a value; only its name, if nothing is.
  Operand Find(const std::string& name) const;

 private:
  const Operand* FindKnown(const std::string& name) const;
  void Keep(Tensor elements, Operand& value);

  const Scope* parent_;
  std::int64_t* account_;
  std::unordered_map<std::string, Operand> values_;
};

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_CHECK_SCOPE_H_
