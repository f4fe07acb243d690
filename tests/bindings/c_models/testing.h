// Models in C and the same in C++, and what both say.
#ifndef SUPREMUM_TESTS_BINDINGS_C_MODELS_TESTING_H_
#define SUPREMUM_TESTS_BINDINGS_C_MODELS_TESTING_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/c/testing.h"
#include "frontends/onnx/testing.h"
#include "supremum/c_models.h"

namespace supremum::test {

inline constexpr std::int64_t kLimit = 1 << 24;

/// The status's name, and the error's text if there is one.
inline std::string Said(supremum_status status) {
  const std::string name = supremum_status_name(status);
  return status == SUPREMUM_OK ? name : name + ": " + supremum_model_last_error();
}

/// The same of a call in C++.
template <class T>
std::string Said(const Result<T>& result) {
  return result ? "ok" : std::string(InfoOf(result.error().code).name) + ": " + result.error().message;
}

struct Destroy {
  void operator()(supremum_model* model) const { supremum_model_destroy(model); }
  void operator()(supremum_model_plan* plan) const { supremum_model_plan_destroy(plan); }
};
using CModel = std::unique_ptr<supremum_model, Destroy>;
using CPlan = std::unique_ptr<supremum_model_plan, Destroy>;

inline std::pair<CModel, std::string> ParsedInC(const std::string& bytes) {
  supremum_model* model = nullptr;
  const supremum_status status = supremum_model_parse(bytes.data(), bytes.size(), "m.onnx", kLimit, &model);
  return {CModel(model), Said(status)};
}

inline CModel ParsedInC(const ModelBuilder& builder) {
  auto [model, said] = ParsedInC(builder.Serialize());
  EXPECT_EQ(said, "ok");
  return std::move(model);
}

using Tensors = std::vector<const DLTensor*>;

inline std::pair<CPlan, std::string> PreparedInC(const CModel& model, const Tensors& inputs,
                                                 const Tensors& outputs = {},
                                                 const supremum_options* options = nullptr) {
  supremum_model_plan* plan = nullptr;
  const supremum_status status = supremum_model_prepare(model.get(), inputs.data(), inputs.size(),
                                                        outputs.data(), outputs.size(), options, &plan);
  return {CPlan(plan), Said(status)};
}

/// m = Max(a, b), y = Max(m, c), z = ReduceMax(y), and the outputs a, y, z.
inline ModelBuilder Chain() {
  ModelBuilder builder(13);
  for (const char* input : {"a", "b", "c"}) builder.Input(input, kFloat, {"n", 2});
  builder.Node("Max", {"a", "b"}, {"m"});
  builder.Node("Max", {"m", "c"}, {"y"});
  builder.Node("ReduceMax", {"y"}, {"z"});
  for (const char* output : {"a", "y", "z"}) builder.Output(output, kFloat, std::nullopt);
  return builder;
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_BINDINGS_C_MODELS_TESTING_H_
