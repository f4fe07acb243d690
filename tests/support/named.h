// Tensors by name, as runs of models and graphs take and give them.
#ifndef SUPREMUM_TESTS_SUPPORT_NAMED_H_
#define SUPREMUM_TESTS_SUPPORT_NAMED_H_

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/errors.h"
#include "supremum/tensor.h"

namespace supremum::test {

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

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_NAMED_H_
