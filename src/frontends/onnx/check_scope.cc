#include "frontends/onnx/check_scope.h"

#include <onnx/onnx_pb.h>

#include <utility>

#include "frontends/onnx/infer.h"
#include "frontends/onnx/operators/constant.h"
#include "io/formats/tensor_proto.h"
#include "supremum/shape.h"

namespace supremum::onnx_front {
namespace {

constexpr std::int64_t kMostBytes = kMaxRank * sizeof(std::int64_t);

// Fills in what `into` does not state; never changes what it states.
void FillIn(const ValueInfo& from, ValueInfo& into) {
  if (Result<ValueInfo> filled = Complete(into, from)) into = *std::move(filled);
}

std::optional<std::vector<std::int64_t>> ShortList(const Result<Tensor>& tensor) {
  if (!tensor || tensor->dtype() != DType::kInt64 || tensor->shape().rank() != 1) return std::nullopt;
  const auto elements = tensor->Elements<std::int64_t>();
  return std::vector<std::int64_t>(elements.begin(), elements.end());
}

}  // namespace

std::optional<std::vector<std::int64_t>> ShortList(const onnx::TensorProto& tensor) {
  return ShortList(io::TensorFromProto(tensor, "", kMostBytes));
}

std::optional<std::vector<std::int64_t>> ShortList(const onnx::NodeProto& constant, std::int64_t opset) {
  return ShortList(ConstantElements(constant, opset, "", kMostBytes));
}

void Scope::State(const StatedValue& value) {
  *account_ -= 2 * MemoryOf(value.info);
  const auto [known, is_new] =
      values_.emplace(value.info.name, Operand{value, value.info, false, false, {}, nullptr});
  if (is_new) return;
  FillIn(value.info, known->second.stated.info);
  FillIn(value.info, known->second.known);
  known->second.stated.sparse = known->second.stated.sparse || value.sparse;
}

void Scope::MarkConstant(const std::string& name, std::optional<std::vector<std::int64_t>> list,
                         const onnx::TensorProto* tensor) {
  Operand& value = values_[name];
  value.is_constant = true;
  value.tensor = tensor;
  if (!value.is_input) value.list = std::move(list);
}

void Scope::Infer(const ValueInfo& info) {
  *account_ -= 2 * MemoryOf(info);
  const auto [known, is_new] = values_.emplace(
      info.name,
      Operand{StatedValue{ValueInfo{info.name, "", {}, {}}, false}, info, false, false, {}, nullptr});
  if (!is_new) FillIn(info, known->second.known);
}

void Scope::InferCopy(const std::string& value, const std::string& copy) {
  const Operand from = Find(value);
  ValueInfo same = from.known;
  same.name = copy;
  Infer(same);
  Operand& to = values_[copy];
  to.is_constant = from.is_constant && !from.is_input;
  to.list = from.list;
  to.tensor = from.tensor;
}

Operand Scope::Find(const std::string& name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->parent_) {
    if (const auto known = scope->values_.find(name); known != scope->values_.end()) return known->second;
  }
  Operand unknown;
  unknown.stated.info.name = unknown.known.name = name;
  return unknown;
}

}  // namespace supremum::onnx_front
