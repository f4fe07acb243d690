// Null pointers, wrong descriptions, hostile models and too little memory: each is an error, the same as in
// C++.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/c_models/testing.h"
#include "core/out_of_memory.h"
#include "support/bytes.h"
#include "support/out_of_memory.h"
#include "supremum/c_models.h"

namespace supremum::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::StartsWith;

class CModelsHostile : public testing::Test {
 protected:
  std::string Prepared(const Tensors& inputs, const Tensors& outputs = {},
                       const supremum_options* options = nullptr) {
    const std::string said = PreparedInC(model_, inputs, outputs, options).second;
    EXPECT_THAT(y_, Each(kUntouched)) << said;
    return said;
  }
  // The same call in C++, of outputs 'y' alone.
  std::string PreparedInCpp(const std::vector<NamedView>& inputs,
                            const std::vector<NamedMutableView>& outputs = {}) {
    return Said(Parsed(Chain(), {.max_bytes = kLimit})->Prepare(inputs, outputs));
  }

  const CModel model_ = ParsedInC(Chain());
  std::vector<float> x_{1, 2, 3, 4}, y_ = std::vector<float>(4, kUntouched);
  std::vector<std::int32_t> i_{1, 2, 3, 4};
  const Shape shape_{2, 2}, long_{4};
  DlTensor of_x_ = DlTensor::Of(x_, shape_), of_y_ = DlTensor::Of(y_, shape_),
           of_i_ = DlTensor::Of(i_, shape_), of_4_ = DlTensor::Of(x_, long_),
           of_y4_ = DlTensor::Of(y_, long_);
  const TensorView view_ = TensorView::Of(x_.data(), shape_);
  const Tensors right_{of_x_.get(), of_x_.get(), of_x_.get()};
};

TEST_F(CModelsHostile, NullPointersAreErrors) {
  supremum_model* model = nullptr;
  supremum_model_plan* plan = nullptr;
  DLTensor tensor;
  const void* const from[] = {x_.data(), x_.data(), x_.data()};
  void* const to[] = {nullptr, nullptr, nullptr};
  const CPlan valid = PreparedInC(model_, right_).first;
  const auto refused = [](supremum_status status, const char* what) {
    EXPECT_EQ(Said(status),
              std::string("invalid_argument: invalid argument: ") + what + " is a null pointer");
  };
  refused(supremum_model_load(nullptr, 0, 0, &model), "the path");
  refused(supremum_model_load("m.onnx", 0, 0, nullptr), "the address for the model");
  refused(supremum_model_parse(nullptr, 1, "m", 0, &model), "the address of the bytes");
  refused(supremum_model_parse("", 0, nullptr, 0, &model), "the name");
  refused(supremum_model_parse("", 0, "m", 0, nullptr), "the address for the model");
  refused(supremum_model_prepare(nullptr, right_.data(), 3, nullptr, 0, nullptr, &plan), "the model");
  refused(supremum_model_prepare(model_.get(), nullptr, 3, nullptr, 0, nullptr, &plan), "the list of inputs");
  refused(supremum_model_prepare(model_.get(), right_.data(), 3, nullptr, 1, nullptr, &plan),
          "the list of outputs");
  refused(supremum_model_prepare(model_.get(), right_.data(), 3, nullptr, 0, nullptr, nullptr),
          "the address for the plan");
  refused(supremum_model_plan_output(nullptr, 0, &tensor), "the plan");
  refused(supremum_model_plan_output(valid.get(), 0, nullptr), "the address for the description");
  refused(supremum_model_plan_rebind(nullptr, from, 3, to, 3), "the plan");
  refused(supremum_model_plan_rebind(valid.get(), nullptr, 3, to, 3), "the list of inputs");
  refused(supremum_model_plan_rebind(valid.get(), from, 3, nullptr, 3), "the list of outputs");
  refused(supremum_model_plan_run(nullptr), "the plan");
  EXPECT_EQ(supremum_model_input_count(nullptr) + supremum_model_output_count(nullptr), 0u);
  EXPECT_EQ(supremum_model_input(nullptr, 0), nullptr);
  EXPECT_EQ(supremum_model_output(nullptr, 0), nullptr);
  EXPECT_EQ(supremum_model_plan_memory_bytes(nullptr), 0u);
  supremum_model_destroy(nullptr);
  supremum_model_plan_destroy(nullptr);
  EXPECT_EQ(model, nullptr);
  EXPECT_EQ(plan, nullptr);
}

TEST_F(CModelsHostile, WrongNumbersAndOptionsAreErrors) {
  supremum_model* model = nullptr;
  EXPECT_THAT(Said(supremum_model_load("m.onnx", 0, 6, &model)), HasSubstr("flags are 6"));
  EXPECT_THAT(Said(supremum_model_load("m.onnx", -1, 0, &model)), HasSubstr("max_bytes is -1"));
  EXPECT_THAT(Said(supremum_model_parse("", 0, "m", -1, &model)), HasSubstr("max_bytes is -1"));
  EXPECT_EQ(Prepared({of_x_.get(), of_x_.get(), of_x_.get(), of_x_.get()}),
            "input_count: wrong number of inputs: the model has 3 inputs and was given 4");
  EXPECT_EQ(Prepared(right_, {nullptr, of_y_.get(), nullptr, nullptr}),
            "input_count: wrong number of inputs: the model has 3 outputs and was given 4");
  supremum_options options = SUPREMUM_OPTIONS_INIT;
  options.opset = 13;
  EXPECT_THAT(Prepared(right_, {}, &options), HasSubstr("a model states its own"));
  options.opset = 0;
  options.flags = 2;
  EXPECT_THAT(Prepared(right_, {}, &options), HasSubstr("flags"));
  options.flags = 0;
  options.size = 3;
  EXPECT_THAT(Prepared(right_, {}, &options), HasSubstr("SUPREMUM_OPTIONS_INIT"));
}

// Rules: PRO-6
TEST_F(CModelsHostile, OptionsReachTheNodes) {
  supremum_options options = SUPREMUM_OPTIONS_INIT;
  options.flags = SUPREMUM_IDENTICAL_SHAPES_ONLY;
  options.threads = 2;
  EXPECT_EQ(Prepared(right_, {}, &options), "ok");
  const CModel broadcasts = ParsedInC(MaxModel({ModelShape({2, 2}), ModelShape({1})}));
  std::vector<float> one{1};
  DlTensor of_one = DlTensor::Of(one, {1});
  EXPECT_THAT(PreparedInC(broadcasts, {of_x_.get(), of_one.get()}, {}, &options).second,
              StartsWith("broadcast_refused: "));
  EXPECT_EQ(PreparedInC(broadcasts, {of_x_.get(), of_one.get()}).second, "ok");
}

// dl_operands_test.cc has every description that is refused.
TEST_F(CModelsHostile, DescriptionsThatDescribeNoTensorAreErrorsThatNameIt) {
  DLTensor x = *of_x_.get(), y = *of_y_.get();
  x.ndim = -1;
  y.device.device_type = kDLCUDA;
  EXPECT_THAT(Prepared({of_x_.get(), &x, of_x_.get()}), AllOf(StartsWith("rank"), HasSubstr("input 'b'")));
  EXPECT_THAT(Prepared(right_, {nullptr, &y}),
              AllOf(StartsWith("unsupported_device"), HasSubstr("output 'y'")));
  EXPECT_THAT(Prepared({of_x_.get(), nullptr, of_x_.get()}),
              AllOf(StartsWith("invalid_argument: "), HasSubstr("input 'b' is a null pointer")));
}

// Rules: TYP-2, E2, MEM-1
TEST_F(CModelsHostile, ErrorsOfACallAreThoseOfCpp) {
  const NamedView a{"a", view_}, b{"b", view_}, c{"c", view_};
  const NamedView long_b{"b", TensorView::Of(x_.data(), long_)},
      integer_b{"b", TensorView::Of(i_.data(), shape_)};
  const auto same = [](const std::string& said, const std::string& expected, const char* code) {
    EXPECT_EQ(said, expected);
    EXPECT_THAT(said, StartsWith(code));
  };
  same(Prepared({of_x_.get(), of_x_.get()}), PreparedInCpp({a, b}), "invalid_argument: ");
  same(Prepared({of_x_.get(), of_4_.get(), of_x_.get()}), PreparedInCpp({a, long_b, c}),
       "invalid_argument: ");
  same(Prepared({of_x_.get(), of_i_.get(), of_x_.get()}), PreparedInCpp({a, integer_b, c}),
       "type_mismatch: ");
  same(Prepared(right_, {nullptr, of_y4_.get()}),
       PreparedInCpp({a, b, c}, {{"y", MutableTensorView::Of(y_.data(), long_)}}), "output_shape_mismatch: ");
  same(Prepared(right_, {nullptr, of_x_.get()}),
       PreparedInCpp({a, b, c}, {{"y", MutableTensorView::Of(x_.data(), shape_)}}), "overlap: ");
  same(Prepared(right_, {of_y_.get(), of_y_.get()}),
       PreparedInCpp({a, b, c}, {{"a", MutableTensorView::Of(y_.data(), shape_)},
                                 {"y", MutableTensorView::Of(y_.data(), shape_)}}),
       "overlap: ");
}

TEST_F(CModelsHostile, ErrorsOfModelsAreThoseOfCpp) {
  supremum_model* model = nullptr;
  const auto same = [&](supremum_status status, const Result<Model>& expected, const char* code) {
    EXPECT_EQ(Said(status), Said(expected));
    EXPECT_THAT(Said(status), StartsWith(code));
    EXPECT_EQ(model, nullptr);
  };
  same(supremum_model_load("nowhere/m.onnx", 0, 0, &model), Model::Load("nowhere/m.onnx"), "io: ");
  same(supremum_model_load("/", 0, 0, &model), Model::Load("/"), "io: ");
  same(supremum_model_parse(nullptr, 0, "m", 0, &model), Model::Parse({}, "m"), "malformed_file: ");
  const std::string bytes = Chain().Serialize();
  same(supremum_model_parse(bytes.data(), bytes.size(), "m", 1, &model),
       Model::Parse(Bytes(bytes), "m", {.max_bytes = 1}), "limit_exceeded: ");
  ModelBuilder builder;
  builder.Input("x", kFloat, {2, 2}).Output("y", kFloat, {2, 2}).Node("Relu", {"x"}, {"y"});
  const NamedView x{"x", view_};
  const std::string said = PreparedInC(ParsedInC(builder), {of_x_.get()}).second;
  EXPECT_EQ(said, Said(Parsed(builder)->Prepare({&x, 1})));
  EXPECT_THAT(said, StartsWith("unsupported_operator: "));
}

TEST_F(CModelsHostile, TheLimitOfAModelIsThatOfItsPlans) {
  const ModelBuilder builder = MaxModel({ModelShape({1 << 20}), ModelShape({1})});
  std::vector<float> x(1 << 20), one{1};
  DlTensor of_x = DlTensor::Of(x, {1 << 20}), of_one = DlTensor::Of(one, {1});
  const std::string bytes = builder.Serialize();
  supremum_model* model = nullptr;
  ASSERT_EQ(Said(supremum_model_parse(bytes.data(), bytes.size(), "m", 1 << 20, &model)), "ok");
  EXPECT_THAT(PreparedInC(CModel(model), {of_x.get(), of_one.get()}).second, StartsWith("limit_exceeded: "));
  EXPECT_EQ(PreparedInC(ParsedInC(builder), {of_x.get(), of_one.get()}).second, "ok");
}

// The status as a Result, without an allocation if memory is out.
Result<void> ResultOf(supremum_status status) {
  if (status == SUPREMUM_OK) return {};
  if (status == SUPREMUM_ERROR_OUT_OF_MEMORY) return OutOfMemoryError();
  return Error{static_cast<ErrorCode>(status), supremum_model_last_error()};
}

TEST_F(CModelsHostile, AnAllocationThatFailsIsOutOfMemoryWhicheverItIs) {
  const std::string bytes = Chain().Serialize();
  WalkOutOfMemory("a model in C", [&] {
    supremum_model* model = nullptr;
    const supremum_status status = supremum_model_parse(bytes.data(), bytes.size(), "m", kLimit, &model);
    EXPECT_EQ(model == nullptr, status != SUPREMUM_OK);
    supremum_model_destroy(model);
    return ResultOf(status);
  });
  std::vector<float> other(4);
  const void* const from[] = {x_.data(), x_.data(), x_.data()};
  void* const to[] = {nullptr, other.data(), nullptr};
  const Tensors outputs{nullptr, of_y_.get()};
  WalkOutOfMemory("a plan in C", [&] {
    const CModel model = [&] {
      supremum_model* made = nullptr;
      static_cast<void>(supremum_model_parse(bytes.data(), bytes.size(), "m", kLimit, &made));
      return CModel(made);
    }();
    if (model == nullptr) return ResultOf(SUPREMUM_ERROR_OUT_OF_MEMORY);
    supremum_model_plan* plan = nullptr;
    supremum_status status =
        supremum_model_prepare(model.get(), right_.data(), 3, outputs.data(), 2, nullptr, &plan);
    EXPECT_EQ(plan == nullptr, status != SUPREMUM_OK);
    if (status == SUPREMUM_OK) status = supremum_model_plan_rebind(plan, from, 3, to, 3);
    if (plan != nullptr) supremum_model_plan_run(plan);
    supremum_model_plan_destroy(plan);
    return ResultOf(status);
  });
}

}  // namespace
}  // namespace supremum::test
