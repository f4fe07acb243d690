// Running graphs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "onnx/testing.h"
#include "supremum/model.h"

namespace supremum {
namespace {

using test::ErrorOf;
using test::kFloat;
using test::kUnknownDim;
using test::List;
using test::ModelBuilder;
using test::Named;
using test::Parsed;
using test::Values;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// One Max over float inputs of the given shapes, at an opset.
ModelBuilder MaxModel(std::int64_t opset, const std::vector<test::ModelShape>& shapes,
                      const test::ModelShape& output = std::nullopt, int type = kFloat) {
  ModelBuilder model(opset);
  std::vector<std::string> names;
  for (std::size_t m = 0; m < shapes.size(); ++m) {
    names.push_back("x" + std::to_string(m));
    model.Input(names.back(), type, shapes[m]);
  }
  model.Node("Max", names, {"y"}, "fuse");
  model.Output("y", type, output);
  return model;
}

// The examples of the operator's own documentation.
// Rules: MAX-2, MAX-6
TEST(SpecificationExamples, MaxOfThreeOfOneAndOfTwoInputs) {
  const std::vector<float> data[] = {{3, 2, 1}, {1, 4, 4}, {2, 5, 3}};
  const std::vector<float> expected[] = {{3, 2, 1}, {3, 4, 4}, {3, 5, 4}};
  for (std::size_t count = 1; count <= 3; ++count) {
    ModelBuilder builder = MaxModel(13, std::vector<test::ModelShape>(count, {3}), {3});
    std::vector<NamedTensor> inputs;
    for (std::size_t m = 0; m < count; ++m) inputs.push_back(Named("x" + std::to_string(m), {3}, data[m]));
    const auto outputs = Parsed(builder)->Run(inputs);
    ASSERT_TRUE(outputs) << outputs.error().message;
    ASSERT_EQ(outputs->size(), 1u);
    EXPECT_EQ((*outputs)[0].name, "y");
    EXPECT_EQ(Values<float>((*outputs)[0]), expected[count - 1]);
  }
}

// The last example of the documentation: every numeric type.
// Rules: TYP-1, TYP-3
TEST(SpecificationExamples, MaxOfAllNumericTypes) {
  const std::map<DType, int> types = {
      {DType::kFloat16, onnx::TensorProto::FLOAT16}, {DType::kBFloat16, onnx::TensorProto::BFLOAT16},
      {DType::kFloat32, onnx::TensorProto::FLOAT},   {DType::kFloat64, onnx::TensorProto::DOUBLE},
      {DType::kInt8, onnx::TensorProto::INT8},       {DType::kInt16, onnx::TensorProto::INT16},
      {DType::kInt32, onnx::TensorProto::INT32},     {DType::kInt64, onnx::TensorProto::INT64},
      {DType::kUInt8, onnx::TensorProto::UINT8},     {DType::kUInt16, onnx::TensorProto::UINT16},
      {DType::kUInt32, onnx::TensorProto::UINT32},   {DType::kUInt64, onnx::TensorProto::UINT64}};
  ASSERT_EQ(types.size(), kNumberDTypes.size());
  // 1, 2, 3, 4 in each type's bits.
  const std::map<DType, std::vector<std::uint64_t>> numbers = {
      {DType::kFloat16, {0x3C00, 0x4000, 0x4200, 0x4400}},
      {DType::kBFloat16, {0x3F80, 0x4000, 0x4040, 0x4080}},
      {DType::kFloat32, {0x3F80'0000, 0x4000'0000, 0x4040'0000, 0x4080'0000}},
      {DType::kFloat64, {0x3FF0ull << 48, 0x4000ull << 48, 0x4008ull << 48, 0x4010ull << 48}}};
  for (const auto& [dtype, onnx_type] : types) {
    const auto found = numbers.find(dtype);
    const std::vector<std::uint64_t> one_to_four =
        found == numbers.end() ? std::vector<std::uint64_t>{1, 2, 3, 4} : found->second;
    const auto tensor = [&, type = dtype](const std::string& name, const std::vector<std::size_t>& digits) {
      Tensor elements = *Tensor::Create(type, Shape{static_cast<std::int64_t>(digits.size())});
      for (std::size_t i = 0; i < digits.size(); ++i) {
        std::memcpy(elements.bytes().data() + i * ByteWidth(type), &one_to_four[digits[i] - 1],
                    ByteWidth(type));
      }
      return NamedTensor{name, std::move(elements)};
    };
    ModelBuilder builder = MaxModel(13, {{3}, {3}}, {3}, onnx_type);
    const auto outputs = Parsed(builder)->Run(List(tensor("x0", {3, 2, 1}), tensor("x1", {1, 4, 4})));
    ASSERT_TRUE(outputs) << outputs.error().message;
    const NamedTensor expected = tensor("y", {3, 4, 4});
    EXPECT_EQ((*outputs)[0].tensor.dtype(), dtype);
    EXPECT_TRUE(std::ranges::equal((*outputs)[0].tensor.bytes(), expected.tensor.bytes())) << Name(dtype);
  }
}

// Rules: MAX-3, MAX-4, MAX-5, E1
TEST(Run, EveryOpsetMeansItsOwnMax) {
  for (std::int64_t opset = 1; opset <= 24; ++opset) {
    ModelBuilder same = MaxModel(opset, {{2, 3}, {2, 3}});
    const auto equal = Parsed(same)->Run(
        List(Named<float>("x0", {2, 3}, {1, 2, 3, 4, 5, 6}), Named<float>("x1", {2, 3}, {6, 5, 4, 3, 2, 1})));
    ASSERT_TRUE(equal) << equal.error().message;
    EXPECT_THAT(Values<float>((*equal)[0]), ElementsAre(6, 5, 4, 4, 5, 6));

    ModelBuilder wide = MaxModel(opset, {{2, 3}, {3}});
    const auto broadcast = Parsed(wide)->Run(
        List(Named<float>("x0", {2, 3}, {1, 2, 3, 4, 5, 6}), Named<float>("x1", {3}, {3, 3, 3})));
    EXPECT_EQ(broadcast.has_value(), opset >= 8) << opset;
    if (broadcast) {
      EXPECT_THAT(Values<float>((*broadcast)[0]), ElementsAre(3, 3, 3, 4, 5, 6));
    } else {
      EXPECT_EQ(broadcast.error().code, ErrorCode::kNotBroadcastable);
      EXPECT_THAT(broadcast.error().message, AllOf(HasSubstr("node 'fuse' (Max)"), HasSubstr("'x0'"),
                                                   HasSubstr("'x1'"), HasSubstr("MAX-3")));
    }
  }
}

// Rules: TYP-3
TEST(Run, AnOpsetWithoutTheTypeIsRefused) {
  ModelBuilder ints = MaxModel(11, {{2}}, std::nullopt, onnx::TensorProto::INT32);
  const Error early = ErrorOf(Parsed(ints)->Run(List(Named<std::int32_t>("x0", {2}, {1, 2}))));
  EXPECT_EQ(early.code, ErrorCode::kTypeNotAdmitted);
  EXPECT_THAT(early.message, AllOf(HasSubstr("node 'fuse'"), HasSubstr("int32"), HasSubstr("Max-8")));
  ModelBuilder brain = MaxModel(12, {{1}}, std::nullopt, onnx::TensorProto::BFLOAT16);
  EXPECT_EQ(ErrorOf(Parsed(brain)->Run(List(Named<BFloat16>("x0", {1}, {BFloat16{}})))).code,
            ErrorCode::kTypeNotAdmitted);
}

// Rules: MAX-3
TEST(Run, Max1IgnoresConsumedInputsAndLaterVersionsRefuseIt) {
  for (std::int64_t opset : {1, 5, 6, 13}) {
    ModelBuilder builder(opset);
    builder.Input("a", kFloat, {1}).Input("b", kFloat, {1});
    onnx::NodeProto& node = builder.Node("Max", {"a", "b"}, {"y"});
    ModelBuilder::Attribute(node, "consumed_inputs", onnx::AttributeProto::INTS).add_ints(1);
    builder.Output("y", kFloat, {1});
    const auto model = Parsed(builder);
    ASSERT_EQ(model.has_value(), opset < 6) << opset;
    if (!model) {
      EXPECT_EQ(model.error().code, ErrorCode::kMalformedFile);
      EXPECT_THAT(model.error().message, HasSubstr("no attribute 'consumed_inputs'"));
      continue;
    }
    const auto outputs = model->Run(List(Named<float>("a", {1}, {1}), Named<float>("b", {1}, {2})));
    ASSERT_TRUE(outputs);
    EXPECT_THAT(Values<float>((*outputs)[0]), ElementsAre(2));
  }
}

TEST(Run, AGraphMayMixTheThreeOperatorsAndUseANameManyTimes) {
  ModelBuilder builder(13);
  builder.Input("x", kFloat, {2});
  builder.Initializer<float>("w", kFloat, {2}, {0, 5});
  builder.Constant("c", test::MakeTensorProto<float>("", kFloat, {}, {3}));
  builder.Node("Identity", {"x"}, {"same"});
  builder.Node("Max", {"same", "w", "w", "x"}, {"m"});
  builder.Node("Max", {"m", "c", "m"}, {"y"});
  builder.Node("Identity", {"m"}, {"z"});
  builder.Output("z", kFloat, {2}).Output("y", kFloat, {2}).Output("x", kFloat, {2}).Output("w", kFloat, {2});
  builder.Output("c", kFloat, std::nullopt);
  const auto outputs = Parsed(builder)->Run(List(Named<float>("x", {2}, {1, 2})));
  ASSERT_TRUE(outputs) << outputs.error().message;
  ASSERT_EQ(outputs->size(), 5u);
  EXPECT_THAT(Values<float>((*outputs)[0]), ElementsAre(1, 5));
  EXPECT_THAT(Values<float>((*outputs)[1]), ElementsAre(3, 5));
  EXPECT_THAT(Values<float>((*outputs)[2]), ElementsAre(1, 2)) << "an input may be an output";
  EXPECT_THAT(Values<float>((*outputs)[3]), ElementsAre(0, 5)) << "an initializer too";
  EXPECT_THAT(Values<float>((*outputs)[4]), ElementsAre(3)) << "and a constant";
}

TEST(Run, ConstantsOfEveryAttributeKind) {
  ModelBuilder builder(13);
  ModelBuilder::Attribute(builder.Node("Constant", {}, {"f"}), "value_float", onnx::AttributeProto::FLOAT)
      .set_f(2.5f);
  auto& floats = ModelBuilder::Attribute(builder.Node("Constant", {}, {"fs"}), "value_floats",
                                         onnx::AttributeProto::FLOATS);
  floats.add_floats(1);
  floats.add_floats(9);
  ModelBuilder::Attribute(builder.Node("Constant", {}, {"i"}), "value_int", onnx::AttributeProto::INT)
      .set_i(-4);
  auto& ints =
      ModelBuilder::Attribute(builder.Node("Constant", {}, {"is"}), "value_ints", onnx::AttributeProto::INTS);
  for (int k : {-7, -1, 0}) ints.add_ints(k);
  builder.Node("Max", {"f", "fs"}, {"y"});
  builder.Node("Max", {"i", "is"}, {"z"});
  builder.Output("y", kFloat, {2}).Output("z", onnx::TensorProto::INT64, {3});
  const auto outputs = Parsed(builder)->Run({});
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>((*outputs)[0]), ElementsAre(2.5f, 9));
  EXPECT_THAT(Values<std::int64_t>((*outputs)[1]), ElementsAre(-4, -1, 0));
}

TEST(Run, AnInitializerThatIsAnInputIsItsDefault) {
  ModelBuilder builder(8, 3);
  builder.Input("x", kFloat, {2}).Input("w", kFloat, {2});
  builder.Initializer<float>("w", kFloat, {2}, {0, 9});
  builder.Node("Max", {"x", "w"}, {"y"});
  builder.Output("y", kFloat, {2});
  const auto model = Parsed(builder);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->inputs().size(), 1u);
  EXPECT_EQ(model->optional_inputs().size(), 1u);
  EXPECT_THAT(Values<float>((*model->Run(List(Named<float>("x", {2}, {1, 1}))))[0]), ElementsAre(1, 9));
  EXPECT_THAT(
      Values<float>((*model->Run(List(Named<float>("x", {2}, {1, 1}), Named<float>("w", {2}, {5, -5}))))[0]),
      ElementsAre(5, 1));
  EXPECT_EQ(ErrorOf(model->Run(List(Named<float>("x", {2}, {1, 1}), Named<float>("w", {3}, {5, 5, 5})))).code,
            ErrorCode::kInvalidArgument);
}

TEST(Run, SymbolsAreBoundFromTheInputsConsistently) {
  ModelBuilder builder = MaxModel(13, {{"N", 3}, {"N", 1}, {kUnknownDim}}, {"N", "C"});
  const auto model = Parsed(builder);
  ASSERT_TRUE(model);
  const auto outputs =
      model->Run(List(Named<float>("x0", {2, 3}, {1, 2, 3, 4, 5, 6}), Named<float>("x1", {2, 1}, {2, 9}),
                      Named<float>("x2", {3}, {0, 0, 7})));
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>((*outputs)[0]), ElementsAre(2, 2, 7, 9, 9, 9));

  const Error clash =
      ErrorOf(model->Run(List(Named<float>("x0", {2, 3}, {1, 2, 3, 4, 5, 6}), Named<float>("x1", {1, 1}, {2}),
                              Named<float>("x2", {1}, {0}))));
  EXPECT_EQ(clash.code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(clash.message, AllOf(HasSubstr("input 'x1' has shape [1,1]"), HasSubstr("[N,1]"),
                                   HasSubstr("'N' would be 1, and input 'x0' gave it the value 2")));
}

// Rules: E2
TEST(Run, ASymbolOfADeclaredOutputMustMeanWhatItMeansInTheInputs) {
  ModelBuilder builder = MaxModel(13, {{"N"}, {"M"}}, {"N"});
  const auto model = Parsed(builder);
  EXPECT_TRUE(model->Run(List(Named<float>("x0", {2}, {1, 2}), Named<float>("x1", {1}, {3}))));
  const Error error =
      ErrorOf(model->Run(List(Named<float>("x0", {1}, {1}), Named<float>("x1", {2}, {3, 4}))));
  EXPECT_EQ(error.code, ErrorCode::kOutputShapeMismatch);
  EXPECT_THAT(error.message, AllOf(HasSubstr("output 'y' has shape [2]"), HasSubstr("[N]")));
}

TEST(Run, StatedDimsAreTakenAndChecked) {
  ModelBuilder builder = MaxModel(13, {{"N"}}, {"N"});
  const auto model = Parsed(builder);
  RunOptions options;
  options.dims = {{"N", 2}};
  EXPECT_TRUE(model->Run(List(Named<float>("x0", {2}, {1, 2})), options));
  EXPECT_THAT(ErrorOf(model->Run(List(Named<float>("x0", {3}, {1, 2, 3})), options)).message,
              HasSubstr("the caller gave it the value 2"));
  options.dims = {{"K", 2}};
  EXPECT_THAT(ErrorOf(model->Run(List(Named<float>("x0", {2}, {1, 2})), options)).message,
              HasSubstr("no symbolic dimension 'K'; it has 'N'"));
}

// Rules: E2
TEST(Run, E2ForADeclaredShapeThatIsNotTheComputedOne) {
  ModelBuilder builder = MaxModel(13, {{2, 1}, {3}}, {3, 2});
  const Error error = ErrorOf(
      Parsed(builder)->Run(List(Named<float>("x0", {2, 1}, {1, 2}), Named<float>("x1", {3}, {1, 2, 3}))));
  EXPECT_EQ(error.code, ErrorCode::kOutputShapeMismatch);
  EXPECT_THAT(error.message, AllOf(HasSubstr("'m.onnx'"), HasSubstr("node 'fuse' (Max)"),
                                   HasSubstr("output 'y'"), HasSubstr("[2,3]"), HasSubstr("[3,2]")));
}

// Rules: TYP-2
TEST(Run, TypesThatDifferAreRefusedWhereverTheyMeet) {
  ModelBuilder given = MaxModel(13, {{1}});
  const Error input = ErrorOf(Parsed(given)->Run(List(Named<double>("x0", {1}, {1}))));
  EXPECT_EQ(input.code, ErrorCode::kTypeMismatch);
  EXPECT_THAT(input.message, HasSubstr("input 'x0' has type float64 and the model states float32"));

  ModelBuilder mixed(13);
  mixed.Input("a", kFloat, {1}).Input("b", onnx::TensorProto::DOUBLE, {1});
  mixed.Node("Max", {"a", "b"}, {"y"});
  mixed.Output("y", kFloat, {1});
  EXPECT_EQ(ErrorOf(Parsed(mixed)->Run(List(Named<float>("a", {1}, {1}), Named<double>("b", {1}, {1})))).code,
            ErrorCode::kTypeMismatch);

  ModelBuilder declared(13);
  declared.Input("a", kFloat, {1});
  declared.Node("Max", {"a"}, {"y"});
  declared.Output("y", onnx::TensorProto::DOUBLE, {1});
  EXPECT_THAT(ErrorOf(Parsed(declared)->Run(List(Named<float>("a", {1}, {1})))).message,
              HasSubstr("output 'y' is stated as float64"));
}

TEST(Run, InputsThatAreMissingUnknownDoubledOrOfAnotherShapeAreNamed) {
  ModelBuilder builder = MaxModel(13, {{2}, {2}});
  const auto model = Parsed(builder);
  const auto x = [](const char* name, Shape shape) {
    return Named<float>(name, shape, std::vector<float>(static_cast<std::size_t>(*ElementCount(shape))));
  };
  const auto text = [&](std::vector<NamedTensor> inputs) {
    const Error error = ErrorOf(model->Run(inputs));
    EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
    return error.message;
  };
  EXPECT_THAT(text(List(x("x0", {2}))),
              AllOf(HasSubstr("input 'x1', float32[2], is not given"), HasSubstr("'x0', 'x1'")));
  EXPECT_THAT(text(List(x("x0", {2}), x("z", {2}))),
              HasSubstr("has no input 'z'; its inputs are 'x0', 'x1'"));
  EXPECT_THAT(text(List(x("x0", {2}), x("y", {2}))), HasSubstr("has no input 'y'"))
      << "an inner value is no input";
  EXPECT_THAT(text(List(x("x0", {2}), x("x0", {2}))), HasSubstr("given twice"));
  EXPECT_THAT(text(List(x("x0", {2}), x("x1", {3}))),
              AllOf(HasSubstr("input 'x1' has shape [3]"), HasSubstr("[2]"), HasSubstr("dimension 0")));
  EXPECT_THAT(text(List(x("x0", {2}), x("x1", {1, 2}))), HasSubstr("ranks are 2 and 1"));
}

TEST(Run, AnotherOperatorIsNamedWithItsOpsetAndCheckIsPointedTo) {
  ModelBuilder builder(17);
  builder.Input("a", kFloat, {1});
  builder.Node("Relu", {"a"}, {"b"}, "act");
  builder.Node("Max", {"b"}, {"y"});
  builder.Output("y", kFloat, {1});
  const Error error = ErrorOf(Parsed(builder)->Run(List(Named<float>("a", {1}, {1}))));
  EXPECT_EQ(error.code, ErrorCode::kUnsupportedOperator);
  EXPECT_THAT(error.message,
              AllOf(HasSubstr("node 'act' (Relu)"), HasSubstr("opset 17"), HasSubstr("supremum check")));

  ModelBuilder custom(13);
  custom.Opset("com.example", 1).Input("a", kFloat, {1});
  custom.Node("Max", {"a"}, {"y"}).set_domain("com.example");
  custom.Output("y", kFloat, {1});
  EXPECT_THAT(ErrorOf(Parsed(custom)->Run(List(Named<float>("a", {1}, {1})))).message,
              AllOf(HasSubstr("node #0 (Max, output 'y')"), HasSubstr("domain 'com.example'")));
}

// Rules: PRO-1
TEST(Run, SparseTensorsAreRefusedWhereverTheyStand) {
  ModelBuilder initializer = MaxModel(13, {{2}});
  onnx::SparseTensorProto* sparse = initializer.graph()->add_sparse_initializer();
  sparse->mutable_values()->set_name("s");
  sparse->mutable_values()->set_data_type(kFloat);
  sparse->add_dims(2);
  EXPECT_EQ(ErrorOf(Parsed(initializer)->Run(List(Named<float>("x0", {2}, {1, 2})))).code,
            ErrorCode::kSparseTensor);

  ModelBuilder constant(13);
  auto& attribute = ModelBuilder::Attribute(constant.Node("Constant", {}, {"c"}), "sparse_value",
                                            onnx::AttributeProto::SPARSE_TENSOR);
  attribute.mutable_sparse_tensor()->mutable_values()->set_data_type(kFloat);
  constant.Node("Max", {"c"}, {"y"});
  constant.Output("y", kFloat, std::nullopt);
  EXPECT_EQ(ErrorOf(Parsed(constant)->Run({})).code, ErrorCode::kSparseTensor);

  ModelBuilder input(13);
  onnx::ValueInfoProto* info = input.graph()->add_input();
  info->set_name("a");
  info->mutable_type()->mutable_sparse_tensor_type()->set_elem_type(kFloat);
  input.Node("Max", {"a"}, {"y"});
  input.Output("y", kFloat, std::nullopt);
  EXPECT_EQ(ErrorOf(Parsed(input)->Run(List(Named<float>("a", {1}, {1})))).code, ErrorCode::kSparseTensor);
}

// Rules: PRO-2, PRO-3, PRO-6
TEST(Run, TheProfileRefusesWhatOnnxWouldRun) {
  ModelBuilder symbolic = MaxModel(13, {{"N"}, {1}}, {"N"});
  const auto model = Parsed(symbolic);
  const auto inputs = [] { return List(Named<float>("x0", {2}, {1, 2}), Named<float>("x1", {1}, {3})); };
  EXPECT_TRUE(model->Run(inputs()));
  RunOptions sonnx;
  sonnx.profile = Profile::kSonnx;
  const Error error = ErrorOf(model->Run(inputs(), sonnx));
  EXPECT_EQ(error.code, ErrorCode::kShapeNotExplicit);
  EXPECT_THAT(error.message, AllOf(HasSubstr("node 'fuse' (Max)"), HasSubstr("'N'"), HasSubstr("PRO-2")));

  ModelBuilder explicit_shapes = MaxModel(13, {{2}, {1}}, {2});
  const auto good = Parsed(explicit_shapes);
  EXPECT_TRUE(good->Run(inputs(), sonnx));
  sonnx.identical_shapes_only = true;
  EXPECT_EQ(ErrorOf(good->Run(inputs(), sonnx)).code, ErrorCode::kBroadcastRefused);
  RunOptions strict;
  strict.identical_shapes_only = true;
  EXPECT_EQ(ErrorOf(good->Run(inputs(), strict)).code, ErrorCode::kBroadcastRefused);

  ModelBuilder no_type(13);
  no_type.Input("a", onnx::TensorProto::UNDEFINED, {1});
  no_type.Node("Max", {"a"}, {"y"}, "fuse");
  no_type.Output("y", kFloat, {1});
  RunOptions profile_only;
  profile_only.profile = Profile::kSonnx;
  const Error type = ErrorOf(Parsed(no_type)->Run(List(Named<float>("a", {1}, {1})), profile_only));
  EXPECT_EQ(type.code, ErrorCode::kTypeNotExplicit);
  EXPECT_THAT(type.message, AllOf(HasSubstr("node 'fuse' (Max)"), HasSubstr("input 'a' has no stated type"),
                                  HasSubstr("PRO-3")));

  ModelBuilder untyped(13);
  untyped.Input("a", kFloat, {1});
  untyped.Node("Max", {"a"}, {"m"}, "first");
  untyped.Node("Max", {"m"}, {"y"}, "second");
  untyped.Output("y", kFloat, {1});
  EXPECT_EQ(ErrorOf(Parsed(untyped)->Run(List(Named<float>("a", {1}, {1})), profile_only)).code,
            ErrorCode::kShapeNotExplicit);
}

TEST(Run, MemoryBeyondTheLimitIsRefusedBeforeItIsTaken) {
  ModelBuilder builder = MaxModel(13, {{"N", 1}, {"M"}});
  RunOptions options;
  options.max_bytes = 1 << 20;
  const Error error =
      ErrorOf(Parsed(builder)->Run(List(Named<float>("x0", {1000, 1}, std::vector<float>(1000)),
                                        Named<float>("x1", {1000}, std::vector<float>(1000))),
                                   options));
  EXPECT_EQ(error.code, ErrorCode::kLimitExceeded);
  EXPECT_THAT(error.message,
              AllOf(HasSubstr("node 'fuse'"), HasSubstr("[1000,1000]"), HasSubstr("1048576 bytes")));
}

TEST(Run, ProgressCountsTheNodes) {
  ModelBuilder builder(13);
  builder.Input("a", kFloat, {1});
  builder.Node("Identity", {"a"}, {"b"});
  builder.Node("Max", {"b"}, {"y"});
  builder.Output("y", kFloat, {1});
  std::vector<std::pair<std::size_t, std::size_t>> calls;
  RunOptions options;
  options.progress = [&](std::size_t done, std::size_t total) { calls.emplace_back(done, total); };
  ASSERT_TRUE(Parsed(builder)->Run(List(Named<float>("a", {1}, {1})), options));
  EXPECT_THAT(calls, ElementsAre(std::pair(0u, 2u), std::pair(1u, 2u), std::pair(2u, 2u)));
}

}  // namespace
}  // namespace supremum
