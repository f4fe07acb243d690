// The functions of the C interface of models, with the models of C++ as oracle.
#include "supremum/c_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "bindings/c_models/testing.h"
#include "support/allocations.h"
#include "support/temp_dir.h"
#include "support/values.h"

namespace supremum::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr auto kBool = onnx::TensorProto::BOOL;

class CModels : public testing::Test {
 protected:
  CPlan Prepare(const Tensors& outputs) {
    auto [plan, said] = PreparedInC(model_, inputs_, outputs);
    EXPECT_EQ(said, "ok");
    return std::move(plan);
  }

  const CModel model_ = ParsedInC(Chain());
  std::vector<float> a_{1, 0, 0, 0}, b_{0, 2, 0, 0}, c_{0, 0, 3, 0}, y_ = std::vector<float>(4), copy_ = y_,
                                                                     z_{0};
  DlTensor of_a_ = DlTensor::Of(a_, {2, 2}), of_b_ = DlTensor::Of(b_, {2, 2}),
           of_c_ = DlTensor::Of(c_, {2, 2}), of_y_ = DlTensor::Of(y_, {2, 2}),
           of_z_ = DlTensor::Of(z_, {1, 1});
  Tensors inputs_{of_a_.get(), of_b_.get(), of_c_.get()};
};

// The text of a value in the form of C++.
std::string TextOf(const supremum_model_value* value) {
  std::string text = std::string(value->name) + " " + std::to_string(value->dtype.code) + "/" +
                     std::to_string(value->dtype.bits) + (value->is_optional != 0 ? " optional" : "");
  if (value->rank < 0) return text + " ?";
  for (std::int32_t d = 0; d < value->rank; ++d) {
    text += " " + std::to_string(value->shape[d]) + value->symbols[d];
  }
  return text;
}

TEST(CModelsDescribe, InputsAndOutputsWithTheirTypesAndShapes) {
  ModelBuilder builder(13, 3);
  builder.Input("w", kFloat, {2});
  builder.Input("a", kFloat, {2, "batch", kUnknownDim}).Input("s", onnx::TensorProto::STRING, {});
  builder.Input("big", kBool, ModelShape(std::vector<ModelDim>(70, 1)));
  builder.Initializer<float>("w", kFloat, {2}, {5, 6});
  builder.Node("Max", {"a", "w"}, {"y"});
  builder.Output("y", onnx::TensorProto::BFLOAT16, std::nullopt);
  const CModel model = ParsedInC(builder);
  ASSERT_EQ(supremum_model_input_count(model.get()), 4u);
  EXPECT_EQ(TextOf(supremum_model_input(model.get(), 0)), "a 2/32 2 -1batch -1");
  EXPECT_EQ(TextOf(supremum_model_input(model.get(), 1)), "s 0/0");
  EXPECT_EQ(supremum_model_input(model.get(), 2)->rank, 70);
  EXPECT_EQ(supremum_model_input(model.get(), 2)->dtype.code, SUPREMUM_DL_BOOL);
  EXPECT_EQ(TextOf(supremum_model_input(model.get(), 3)), "w 2/32 optional 2");
  EXPECT_EQ(supremum_model_input(model.get(), 4), nullptr);
  ASSERT_EQ(supremum_model_output_count(model.get()), 1u);
  EXPECT_EQ(TextOf(supremum_model_output(model.get(), 0)), "y 4/16 ?");
  EXPECT_EQ(supremum_model_output(model.get(), 1), nullptr);
}

// Rules: MAX-2, RED-1
TEST_F(CModels, ReadTheCallersMemoryAndWriteIt) {
  const CPlan plan = Prepare({nullptr, of_y_.get()});
  EXPECT_EQ(supremum_model_plan_run(plan.get()), SUPREMUM_OK);
  EXPECT_THAT(y_, ElementsAre(1, 2, 3, 0));
  a_[3] = 7;
  EXPECT_EQ(supremum_model_plan_run(plan.get()), SUPREMUM_OK);
  EXPECT_THAT(y_, ElementsAre(1, 2, 3, 7)) << "the elements that the inputs have now";
  DLTensor z;
  ASSERT_EQ(Said(supremum_model_plan_output(plan.get(), 2, &z)), "ok");
  EXPECT_EQ(*static_cast<const float*>(z.data), 7);
}

TEST_F(CModels, APlanSaysWhatToAllocateForItsOutputs) {
  const CPlan plan = Prepare({});
  DLTensor y, z;
  ASSERT_EQ(Said(supremum_model_plan_output(plan.get(), 1, &y)), "ok");
  ASSERT_EQ(Said(supremum_model_plan_output(plan.get(), 2, &z)), "ok");
  EXPECT_THAT(std::vector<std::int64_t>(y.shape, y.shape + y.ndim), ElementsAre(2, 2));
  EXPECT_THAT(std::vector<std::int64_t>(z.shape, z.shape + z.ndim), ElementsAre(1, 1));
  EXPECT_EQ(y.device.device_type, kDLCPU);
  EXPECT_EQ(y.dtype.code * 100 + y.dtype.bits + y.dtype.lanes, kDLFloat * 100 + 33);
  EXPECT_EQ(y.byte_offset, 0u);
  EXPECT_EQ(y.strides, nullptr);
  DLTensor other = y;
  EXPECT_EQ(Said(supremum_model_plan_output(plan.get(), 3, &other)),
            "invalid_argument: invalid argument: the model has 3 outputs, and none with index 3");
  EXPECT_EQ(other.data, y.data);
}

TEST_F(CModels, APlanDescribesTheStridesThatAnOutputWasGivenWith) {
  const std::int64_t strides[] = {1, 2};
  const Shape shape{2, 2};
  DlTensor across(TensorView::Of(y_.data(), shape, strides));
  const CPlan plan = Prepare({nullptr, across.get()});
  DLTensor y;
  ASSERT_EQ(Said(supremum_model_plan_output(plan.get(), 1, &y)), "ok");
  EXPECT_EQ(y.data, y_.data());
  ASSERT_NE(y.strides, nullptr);
  EXPECT_THAT(std::vector<std::int64_t>(y.strides, y.strides + 2), ElementsAre(1, 2));
  EXPECT_EQ(supremum_model_plan_run(plan.get()), SUPREMUM_OK);
  EXPECT_THAT(y_, ElementsAre(1, 3, 2, 0));
}

// Rules: MEM-3
TEST_F(CModels, APlanIsBoundAndRunsWithoutAllocating) {
  const CPlan plan = Prepare({});
  std::vector<float> other{9, 9, 9, 9};
  const void* const from[] = {a_.data(), other.data(), c_.data()};
  void* const to[] = {copy_.data(), y_.data(), z_.data()};
  const std::size_t before = Allocations();
  EXPECT_EQ(supremum_model_plan_rebind(plan.get(), from, 3, to, 3), SUPREMUM_OK);
  EXPECT_EQ(supremum_model_plan_run(plan.get()), SUPREMUM_OK);
  EXPECT_EQ(Allocations(), before);
  EXPECT_THAT(y_, Each(9));
  EXPECT_THAT(copy_, ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(z_, ElementsAre(9));
  EXPECT_GT(supremum_model_plan_memory_bytes(plan.get()), 4 * sizeof(float));
}

// Rules: MEM-1, MEM-2
TEST_F(CModels, AfterAnErrorOfABindingThePlanIsAsItWas) {
  const CPlan plan = Prepare({nullptr, of_y_.get()});
  std::vector<float> other{9, 9, 9, 9}, second(4);
  const void* const from[] = {other.data(), other.data(), other.data()};
  const void* const none[] = {other.data(), nullptr, other.data()};
  const void* const far[] = {other.data(), reinterpret_cast<const void*>(~std::uintptr_t{0} - 3),
                             other.data()};
  void* const to[] = {nullptr, second.data(), nullptr};
  void* const own[] = {nullptr, nullptr, nullptr};
  void* const shared[] = {nullptr, other.data(), nullptr};
  const auto refused = [&](const void* const* inputs, std::size_t count, void* const* outputs) {
    const std::string said = Said(supremum_model_plan_rebind(plan.get(), inputs, count, outputs, 3));
    DLTensor y;
    EXPECT_EQ(supremum_model_plan_output(plan.get(), 1, &y), SUPREMUM_OK);
    EXPECT_EQ(y.data, y_.data()) << said;
    y_ = {};
    y_.resize(4);
    EXPECT_EQ(supremum_model_plan_run(plan.get()), SUPREMUM_OK);
    EXPECT_THAT(second, Each(0)) << said;
    EXPECT_THAT(other, Each(9)) << said;
    return said;
  };
  const float* const where = y_.data();
  EXPECT_THAT(refused(from, 3, shared), AllOf(StartsWith("overlap: "), HasSubstr("output 'y'")));
  EXPECT_THAT(refused(none, 3, to), AllOf(StartsWith("invalid_argument: "), HasSubstr("input 'b'")));
  EXPECT_THAT(refused(far, 3, to), AllOf(StartsWith("invalid_shape: "), HasSubstr("input 'b'")));
  EXPECT_THAT(refused(from, 3, own), AllOf(StartsWith("invalid_argument: "), HasSubstr("null")));
  EXPECT_THAT(refused(from, 2, to), StartsWith("input_count: "));
  ASSERT_EQ(y_.data(), where);
  EXPECT_THAT(y_, ElementsAre(1, 2, 3, 0));
  ASSERT_EQ(Said(supremum_model_plan_rebind(plan.get(), from, 3, to, 3)), "ok");
  EXPECT_THAT(Said(supremum_model_plan_rebind(plan.get(), from, 3, shared, 3)), StartsWith("overlap: "));
  EXPECT_EQ(supremum_model_plan_run(plan.get()), SUPREMUM_OK);
  EXPECT_THAT(second, Each(9)) << "the binding before the error, not the first";
}

TEST_F(CModels, APlanOutlivesItsModel) {
  CPlan plan;
  {
    const CModel model = ParsedInC(Chain());
    plan = PreparedInC(model, inputs_, {nullptr, nullptr, of_z_.get()}).first;
  }
  EXPECT_EQ(supremum_model_plan_run(plan.get()), SUPREMUM_OK);
  EXPECT_THAT(z_, ElementsAre(3));
}

TEST_F(CModels, AFileIsReadWithOtherFilesOnlyOnRequest) {
  const TempDir dir;
  ModelBuilder builder;
  builder.Input("a", kFloat, {2}).Output("y", kFloat, {2});
  builder.Initializer(ExternalTensorProto("w", kFloat, {2}, {{"location", "w.bin"}}));
  builder.Node("Max", {"a", "w"}, {"y"}, "fuse");
  builder.Save(dir.File("m.onnx"));
  const std::array<float, 2> w{1, 4};
  std::ofstream(dir.File("w.bin"), std::ios::binary).write(reinterpret_cast<const char*>(w.data()), 8);
  std::vector<float> a{2, 3}, y(2);
  DlTensor of_a = DlTensor::Of(a, {2}), of_y = DlTensor::Of(y, {2});
  const auto load = [&](std::uint32_t flags) {
    supremum_model* model = nullptr;
    EXPECT_EQ(Said(supremum_model_load(dir.File("m.onnx").c_str(), 0, flags, &model)), "ok");
    return CModel(model);
  };
  EXPECT_THAT(PreparedInC(load(0), {of_a.get()}, {of_y.get()}).second, StartsWith("unsupported_format: "));
  const CPlan plan = PreparedInC(load(SUPREMUM_MODEL_EXTERNAL_DATA), {of_a.get()}, {of_y.get()}).first;
  EXPECT_EQ(supremum_model_plan_run(plan.get()), SUPREMUM_OK);
  EXPECT_THAT(y, ElementsAre(2, 4));
}

TEST_F(CModels, AnOptionalInputReplacesTheModelsValue) {
  ModelBuilder builder(13, 3);
  builder.Input("w", kFloat, {2}).Input("a", kFloat, {2}).Output("y", kFloat, {2});
  builder.Initializer<float>("w", kFloat, {2}, {5, 5});
  builder.Node("Max", {"a", "w"}, {"y"});
  const CModel model = ParsedInC(builder);
  std::vector<float> a{2, 3}, w{0, 9}, y(2);
  DlTensor of_a = DlTensor::Of(a, {2}), of_w = DlTensor::Of(w, {2}), of_y = DlTensor::Of(y, {2});
  const auto result = [&](const Tensors& inputs) {
    const auto [plan, said] = PreparedInC(model, inputs, {of_y.get()});
    EXPECT_EQ(said, "ok");
    EXPECT_EQ(supremum_model_plan_run(plan.get()), SUPREMUM_OK);
    return y;
  };
  EXPECT_THAT(result({of_a.get()}), ElementsAre(5, 5));
  EXPECT_THAT(result({of_a.get(), of_w.get()}), ElementsAre(2, 9));
}

// Every type: the same bits as in C++, in memory of any strides, or the same error. Rules: ORD-1, TYP-3,
// TYP-4
TEST(CModelsProperty, BitsAndErrorsAreThoseOfCpp) {
  const std::pair<int, DType> types[] = {
      {onnx::TensorProto::FLOAT, DType::kFloat32},   {onnx::TensorProto::DOUBLE, DType::kFloat64},
      {onnx::TensorProto::FLOAT16, DType::kFloat16}, {onnx::TensorProto::BFLOAT16, DType::kBFloat16},
      {onnx::TensorProto::INT8, DType::kInt8},       {onnx::TensorProto::INT16, DType::kInt16},
      {onnx::TensorProto::INT32, DType::kInt32},     {onnx::TensorProto::INT64, DType::kInt64},
      {onnx::TensorProto::UINT8, DType::kUInt8},     {onnx::TensorProto::UINT16, DType::kUInt16},
      {onnx::TensorProto::UINT32, DType::kUInt32},   {onnx::TensorProto::UINT64, DType::kUInt64}};
  using Layout = StridedTensor::Layout;
  using Use = StridedTensor::Use;
  Rng rng(41);
  std::size_t computed = 0, refused = 0;
  for (std::size_t i = 0; i < 600; ++i) {
    const auto [type, dtype] = types[i % std::size(types)];
    ModelBuilder builder(20);
    builder.Input("a", type, {"n", 3}).Input("b", type, {3}).Output("m", type, std::nullopt);
    builder.Output("r", type, std::nullopt);
    builder.Node("Max", {"a", "b"}, {"m"});
    builder.Initializer<std::int64_t>("axes", kInt64, {1}, {1});
    builder.Node("ReduceMax", {"m", "axes"}, {"r"});
    const std::int64_t n = static_cast<std::int64_t>(Below(rng, 4));
    StridedTensor a(rng, dtype, {n, 3}, Layout::kAny, Use::kInput),
        b(rng, dtype, {3}, Layout::kAny, Use::kInput);
    a.Fill(rng);
    b.Fill(rng);
    StridedTensor m(rng, dtype, {n, 3}, Layout::kAny, Use::kOutput),
        r(rng, dtype, {n, 1}, Layout::kAny, Use::kOutput);
    StridedTensor m_in_cpp = m, r_in_cpp = r;

    const NamedView inputs[] = {{"a", a.View()}, {"b", b.View()}};
    const NamedMutableView outputs[] = {{"m", m_in_cpp.MutableView()}, {"r", r_in_cpp.MutableView()}};
    const Result<Model> model = Parsed(builder);
    ASSERT_TRUE(model);
    Result<ModelPlan> plan_in_cpp = model->Prepare(inputs, outputs);
    DlTensor of_a(a.View(), Below(rng, 100)), of_b(b.View()), of_m(m.View()), of_r(r.View(), Below(rng, 100));
    const auto [plan, said] =
        PreparedInC(ParsedInC(builder), {of_a.get(), of_b.get()}, {of_m.get(), of_r.get()});
    ASSERT_EQ(said, Said(plan_in_cpp));
    ++(plan_in_cpp ? computed : refused);
    if (!plan_in_cpp) continue;
    plan_in_cpp->Run();
    ASSERT_EQ(supremum_model_plan_run(plan.get()), SUPREMUM_OK);
    ASSERT_TRUE(m.SameBytes(m_in_cpp) && r.SameBytes(r_in_cpp)) << Name(dtype) << " of " << n;
  }
  EXPECT_GE(computed, 400u);
  EXPECT_GE(refused, 50u) << "ReduceMax does not have int16";
}

}  // namespace
}  // namespace supremum::test
