#include "frontends/onnx/check/check_scope.h"

#include <onnx/onnx_pb.h>

#include <utility>

#include "frontends/onnx/infer/infer_graph.h"
#include "frontends/onnx/read/fold.h"
#include "supremum/shape.h"

namespace supremum::onnx_front {
namespace {

// Fills in what `into` does not state; never changes what it states.
void FillIn(const ValueInfo& from, ValueInfo& into) {
  if (Result<ValueInfo> filled = Complete(into, from)) into = *std::move(filled);
}

}  // namespace

void Scope::State(const StatedValue& value) {
  *account_ -= 2 * MemoryOf(value.info);
  const auto [known, is_new] =
      values_.emplace(value.info.name, Operand{value, value.info, false, false, nullptr, nullptr});
  if (is_new) return;
  FillIn(value.info, known->second.stated.info);
  FillIn(value.info, known->second.known);
  known->second.stated.sparse = known->second.stated.sparse || value.sparse;
}

void Scope::MarkConstant(const std::string& name, Result<Tensor> small, const onnx::TensorProto* tensor) {
  Operand& value = values_[name];
  value.is_constant = true;
  value.tensor = tensor;
  if (!value.is_input && small && small->size() <= kMostFoldedElements) Keep(*std::move(small), value);
}

void Scope::InferConstant(const std::string& name, Tensor elements) {
  Infer(InfoOf(name, elements.dtype(), elements.shape()));
  Operand& value = values_[name];
  value.is_constant = true;
  Keep(std::move(elements), value);
}

void Scope::Keep(Tensor elements, Operand& value) {
  *account_ -= static_cast<std::int64_t>(sizeof(Tensor) + elements.byte_size());
  value.elements = std::make_shared<const Tensor>(std::move(elements));
}

void Scope::Infer(const ValueInfo& info) {
  *account_ -= 2 * MemoryOf(info);
  const auto [known, is_new] = values_.emplace(
      info.name,
      Operand{StatedValue{ValueInfo{info.name, "", {}, {}}, false}, info, false, false, nullptr, nullptr});
  if (!is_new) FillIn(info, known->second.known);
}

void Scope::InferCopy(const std::string& value, const std::string& copy) {
  const Operand from = Find(value);
  ValueInfo same = from.known;
  same.name = copy;
  Infer(same);
  Operand& to = values_[copy];
  to.is_constant = from.is_constant && !from.is_input;
  to.elements = from.elements;
  to.tensor = from.tensor;
}

const Operand* Scope::FindKnown(const std::string& name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->parent_) {
    if (const auto known = scope->values_.find(name); known != scope->values_.end()) return &known->second;
  }
  return nullptr;
}

const Tensor* Scope::ElementsOf(const std::string& name) const {
  const Operand* const known = FindKnown(name);
  return known == nullptr ? nullptr : known->elements.get();
}

Operand Scope::Find(const std::string& name) const {
  if (const Operand* const known = FindKnown(name)) return *known;
  Operand unknown;
  unknown.stated.info.name = unknown.known.name = name;
  return unknown;
}

}  // namespace supremum::onnx_front
