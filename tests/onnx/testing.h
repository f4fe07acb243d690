// What the tests of the ONNX front share.
#ifndef SUPREMUM_TESTS_ONNX_TESTING_H_
#define SUPREMUM_TESTS_ONNX_TESTING_H_

#include <span>
#include <string>

#include "support/errors.h"
#include "support/model_builder.h"
#include "support/named.h"
#include "supremum/model.h"

namespace supremum::test {

inline constexpr auto kFloat = onnx::TensorProto::FLOAT;

inline std::string Serialized(ModelBuilder& model) { return model.model().SerializeAsString(); }

inline Result<Model> Parsed(ModelBuilder& model, const LoadOptions& options = {}) {
  const std::string bytes = Serialized(model);
  return Model::Parse(std::as_bytes(std::span(bytes)), "m.onnx", options);
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_ONNX_TESTING_H_
