// The values of a model as operands that the rules are judged on.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_INFER_VALUE_OPERANDS_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_INFER_VALUE_OPERANDS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/quote.h"
#include "rules/operands.h"
#include "supremum/model.h"

namespace supremum::onnx_front {

/// Requires: `dim` outlives the result, which refers to its symbol.
inline Extent ExtentOf(const Dim& dim) { return dim.value ? Extent(*dim.value) : Extent(dim.symbol); }

/// The shape with these extents; absent if they are.
inline std::optional<SymbolicShape> SymbolicShapeOf(const std::optional<std::vector<Extent>>& extents) {
  if (!extents) return std::nullopt;
  SymbolicShape shape;
  for (const Extent& extent : *extents) shape.push_back(Dim{extent.number, std::string(extent.symbol)});
  return shape;
}

/// An OperandList of inputs of a node. It refers to the span and to the values.
class ValueOperands {
 public:
  explicit ValueOperands(std::span<const ValueInfo* const> values) : values_(values) {}

  std::size_t count() const { return values_.size(); }
  std::string who(std::size_t m) const { return "input " + Quote(values_[m]->name); }
  ElementType type(std::size_t m) const { return {values_[m]->dtype, values_[m]->type_name}; }
  std::optional<std::size_t> rank(std::size_t m) const {
    if (!values_[m]->shape) return std::nullopt;
    return values_[m]->shape->size();
  }
  Extent extent(std::size_t m, std::size_t d) const { return ExtentOf((*values_[m]->shape)[d]); }
  std::string shape_text(std::size_t m) const { return ToString(*values_[m]->shape); }

 private:
  std::span<const ValueInfo* const> values_;
};

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_INFER_VALUE_OPERANDS_H_
