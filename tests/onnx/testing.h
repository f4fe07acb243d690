// What the tests of the ONNX front share.
#ifndef SUPREMUM_TESTS_ONNX_TESTING_H_
#define SUPREMUM_TESTS_ONNX_TESTING_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/model_builder.h"
#include "supremum/model.h"

namespace supremum::test {

inline constexpr auto kFloat = onnx::TensorProto::FLOAT;

inline std::string Serialized(ModelBuilder& model) { return model.model().SerializeAsString(); }

inline Result<Model> Parsed(ModelBuilder& model, const LoadOptions& options = {}) {
  const std::string bytes = Serialized(model);
  return Model::Parse(std::as_bytes(std::span(bytes)), "m.onnx", options);
}

template <class T>
NamedTensor Named(std::string name, const Shape& shape, const std::vector<T>& values) {
  Tensor tensor = *Tensor::Create(kDTypeOf<T>, shape);
  std::ranges::copy(values, tensor.Elements<T>().begin());
  return NamedTensor{std::move(name), std::move(tensor)};
}

template <class... Tensors>
std::vector<NamedTensor> List(Tensors... tensors) {
  std::vector<NamedTensor> list;
  (list.push_back(std::move(tensors)), ...);
  return list;
}

template <class T>
std::vector<T> Values(const NamedTensor& tensor) {
  const auto elements = tensor.tensor.Elements<T>();
  return std::vector<T>(elements.begin(), elements.end());
}

/// The error of a result that must be one.
template <class T>
Error ErrorOf(const Result<T>& result) {
  EXPECT_FALSE(result.has_value());
  return result ? Error{} : result.error();
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_ONNX_TESTING_H_
