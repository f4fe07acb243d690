// Running graphs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "frontends/onnx/testing.h"
#include "io/formats/tensor_proto.h"
#include "supremum/model.h"

namespace supremum::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The elements of the first output.
template <class T = float>
std::vector<T> FirstOutput(const Result<std::vector<NamedTensor>>& outputs) {
  EXPECT_TRUE(outputs) << outputs.error().message;
  return outputs ? Values<T>(outputs->front()) : std::vector<T>();
}

// The examples of the operator's own documentation.
// Rules: MAX-2, MAX-6
TEST(SpecificationExamples, MaxOfThreeOfOneAndOfTwoInputs) {
  const std::vector<float> data[] = {{3, 2, 1}, {1, 4, 4}, {2, 5, 3}};
  const std::vector<float> expected[] = {{3, 2, 1}, {3, 4, 4}, {3, 5, 4}};
  for (std::size_t count = 1; count <= 3; ++count) {
    std::vector<NamedTensor> inputs;
    for (std::size_t m = 0; m < count; ++m) inputs.push_back(Named("x" + std::to_string(m), {3}, data[m]));
    const auto outputs = Parsed(MaxModel(std::vector<ModelShape>(count, {3}), {3}))->Run(inputs);
    ASSERT_TRUE(outputs) << outputs.error().message;
    ASSERT_EQ(outputs->size(), 1u);
    EXPECT_EQ((*outputs)[0].name, "y");
    EXPECT_EQ(Values<float>((*outputs)[0]), expected[count - 1]);
  }
}

// The last example of the documentation: every numeric type.
// Rules: TYP-1, TYP-3
TEST(SpecificationExamples, MaxOfAllNumericTypes) {
  // 1, 2, 3, 4 in each type's bits.
  const std::map<DType, std::vector<std::uint64_t>> numbers = {
      {DType::kFloat16, {0x3C00, 0x4000, 0x4200, 0x4400}},
      {DType::kBFloat16, {0x3F80, 0x4000, 0x4040, 0x4080}},
      {DType::kFloat32, {0x3F80'0000, 0x4000'0000, 0x4040'0000, 0x4080'0000}},
      {DType::kFloat64, {0x3FF0ull << 48, 0x4000ull << 48, 0x4008ull << 48, 0x4010ull << 48}}};
  for (const DType dtype : kNumberDTypes) {
    const auto found = numbers.find(dtype);
    const std::vector<std::uint64_t> one_to_four =
        found == numbers.end() ? std::vector<std::uint64_t>{1, 2, 3, 4} : found->second;
    const auto tensor = [&](const std::string& name, const std::vector<std::size_t>& digits) {
      Tensor elements = *Tensor::Create(dtype, Shape{static_cast<std::int64_t>(digits.size())});
      for (std::size_t i = 0; i < digits.size(); ++i) {
        std::memcpy(elements.bytes().data() + i * ByteWidth(dtype), &one_to_four[digits[i] - 1],
                    ByteWidth(dtype));
      }
      return NamedTensor{name, std::move(elements)};
    };
    const ModelBuilder builder = MaxModel({{3}, {3}}, {3}, 13, io::OnnxFromDType(dtype));
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
    const auto equal = Parsed(MaxModel({{2, 3}, {2, 3}}, std::nullopt, opset))
                           ->Run(List(Named<float>("x0", {2, 3}, {1, 2, 3, 4, 5, 6}),
                                      Named<float>("x1", {2, 3}, {6, 5, 4, 3, 2, 1})));
    EXPECT_THAT(FirstOutput(equal), ElementsAre(6, 5, 4, 4, 5, 6));
    const auto broadcast =
        Parsed(MaxModel({{2, 3}, {3}}, std::nullopt, opset))
            ->Run(List(Named<float>("x0", {2, 3}, {1, 2, 3, 4, 5, 6}), Named<float>("x1", {3}, {3, 3, 3})));
    if (opset >= 8) {
      EXPECT_THAT(FirstOutput(broadcast), ElementsAre(3, 3, 3, 4, 5, 6)) << opset;
    } else {
      ExpectError(broadcast, ErrorCode::kNotBroadcastable, {"node 'fuse' (Max)", "'x0'", "'x1'", "MAX-3"});
    }
  }
}

// Rules: MAX-3
TEST(Run, Max1IgnoresConsumedInputsAndLaterVersionsRefuseIt) {
  for (std::int64_t opset : {1, 5, 6, 13}) {
    const auto model = Parsed(TextModel(
        "(float[1] a, float[1] b) => (float[1] y) { y = Max <consumed_inputs = [1]> (a, b) }", opset));
    if (opset >= 6) {
      ExpectError(model, ErrorCode::kMalformedFile, {"no attribute 'consumed_inputs'"});
      continue;
    }
    ASSERT_TRUE(model) << model.error().message;
    const auto outputs = model->Run(List(Named<float>("a", {1}, {1}), Named<float>("b", {1}, {2})));
    EXPECT_THAT(FirstOutput(outputs), ElementsAre(2));
  }
}

// An input, an initializer and a constant may be outputs.
TEST(Run, AGraphMayMixTheOperatorsAndUseANameManyTimes) {
  ModelBuilder builder =
      TextModel(R"((float[2] x) => (float[2] z, float[2] y, float[2] x, float[2] w, float c, float[1] r) {
    c = Constant <value = float {3}> ()
    same = Identity(x)
    m = Max(same, w, w, x)
    y = Max(m, c, m)
    z = Identity(m)
    r = ReduceMax <axes = [0]> (y) })");
  const auto outputs =
      Parsed(builder.Initializer<float>("w", kFloat, {2}, {0, 5}))->Run(List(Named<float>("x", {2}, {1, 2})));
  ASSERT_TRUE(outputs) << outputs.error().message;
  const std::vector<std::vector<float>> expected = {{1, 5}, {3, 5}, {1, 2}, {0, 5}, {3}, {5}};
  ASSERT_EQ(outputs->size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(Values<float>((*outputs)[k]), expected[k]) << k;
}

TEST(Run, ConstantsOfEveryAttributeKind) {
  const auto outputs = Parsed(TextModel(R"(() => (float[2] y, int64[3] z) {
    f = Constant <value_float = 2.5> ()
    fs = Constant <value_floats = [1.0, 9.0]> ()
    i = Constant <value_int = -4> ()
    is = Constant <value_ints = [-7, -1, 0]> ()
    y = Max(f, fs)
    z = Max(i, is) })"))
                           ->Run({});
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>((*outputs)[0]), ElementsAre(2.5f, 9));
  EXPECT_THAT(Values<std::int64_t>((*outputs)[1]), ElementsAre(-4, -1, 0));
}

TEST(Run, AnInitializerThatIsAnInputIsItsDefault) {
  const auto model =
      Parsed(TextModel("(float[2] x, float[2] w = {0, 9}) => (float[2] y) { y = Max(x, w) }", 8));
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->inputs().size(), 1u);
  EXPECT_EQ(model->optional_inputs().size(), 1u);
  const auto x = [] { return Named<float>("x", {2}, {1, 1}); };
  EXPECT_THAT(FirstOutput(model->Run(List(x()))), ElementsAre(1, 9));
  EXPECT_THAT(FirstOutput(model->Run(List(x(), Named<float>("w", {2}, {5, -5})))), ElementsAre(5, 1));
  ExpectError(model->Run(List(x(), Named<float>("w", {3}, {5, 5, 5}))), ErrorCode::kInvalidArgument);
}

TEST(Run, SymbolsAreBoundFromTheInputsConsistently) {
  const auto model = Parsed(MaxModel({{"N", 3}, {"N", 1}, {kUnknownDim}}, {"N", "C"}));
  ASSERT_TRUE(model);
  const auto x0 = [] { return Named<float>("x0", {2, 3}, {1, 2, 3, 4, 5, 6}); };
  EXPECT_THAT(FirstOutput(model->Run(
                  List(x0(), Named<float>("x1", {2, 1}, {2, 9}), Named<float>("x2", {3}, {0, 0, 7})))),
              ElementsAre(2, 2, 7, 9, 9, 9));
  ExpectError(model->Run(List(x0(), Named<float>("x1", {1, 1}, {2}), Named<float>("x2", {1}, {0}))),
              ErrorCode::kInvalidArgument,
              {"input 'x1' has shape [1,1]", "[N,1]", "'N' would be 1, and input 'x0' gave it the value 2"});
}

// Rules: E2
TEST(Run, ASymbolOfADeclaredOutputMustMeanWhatItMeansInTheInputs) {
  const auto model = Parsed(MaxModel({{"N"}, {"M"}}, {"N"}));
  EXPECT_TRUE(model->Run(List(Named<float>("x0", {2}, {1, 2}), Named<float>("x1", {1}, {3}))));
  ExpectError(model->Run(List(Named<float>("x0", {1}, {1}), Named<float>("x1", {2}, {3, 4}))),
              ErrorCode::kOutputShapeMismatch, {"output 'y' has shape [2]", "[N]"});
}

TEST(Run, StatedDimsAreTakenAndChecked) {
  const auto model = Parsed(MaxModel({{"N"}}, {"N"}));
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
  ExpectError(Parsed(MaxModel({{2, 1}, {3}}, {3, 2}))
                  ->Run(List(Named<float>("x0", {2, 1}, {1, 2}), Named<float>("x1", {3}, {1, 2, 3}))),
              ErrorCode::kOutputShapeMismatch,
              {"'m.onnx'", "node 'fuse' (Max)", "output 'y'", "[2,3]", "[3,2]"});
}

// Rules: TYP-2
TEST(Run, TypesThatDifferAreRefusedWhereverTheyMeet) {
  ExpectError(Parsed(MaxModel({{1}}))->Run(List(Named<double>("x0", {1}, {1}))), ErrorCode::kTypeMismatch,
              {"input 'x0' has type float64 and the model states float32"});
  const ModelBuilder mixed = TypedMaxModel({{kFloat, {1}}, {onnx::TensorProto::DOUBLE, {1}}}, kFloat, {1});
  ExpectError(Parsed(mixed)->Run(List(Named<float>("x0", {1}, {1}), Named<double>("x1", {1}, {1}))),
              ErrorCode::kTypeMismatch);
  const ModelBuilder declared = TypedMaxModel({{kFloat, {1}}}, onnx::TensorProto::DOUBLE, {1});
  ExpectError(Parsed(declared)->Run(List(Named<float>("x0", {1}, {1}))), ErrorCode::kTypeMismatch,
              {"output 'y' is stated as float64"});
}

TEST(Run, InputsThatAreMissingUnknownDoubledOrOfAnotherShapeAreNamed) {
  const auto model = Parsed(MaxModel({{2}, {2}}));
  const auto x = [](const char* name, const Shape& shape) {
    return Named<float>(name, shape, std::vector<float>(static_cast<std::size_t>(*ElementCount(shape))));
  };
  const auto refused = [&](std::vector<NamedTensor> inputs, const std::vector<std::string>& parts) {
    inputs.insert(inputs.begin(), x("x0", {2}));
    ExpectError(model->Run(inputs), ErrorCode::kInvalidArgument, parts);
  };
  refused({}, {"input 'x1', float32[2], is not given", "'x0', 'x1'"});
  refused(List(x("z", {2})), {"has no input 'z'; its inputs are 'x0', 'x1'"});
  refused(List(x("y", {2})), {"has no input 'y'"});  // an inner value is no input
  refused(List(x("x0", {2})), {"given twice"});
  refused(List(x("x1", {3})), {"input 'x1' has shape [3]", "[2]", "dimension 0"});
  refused(List(x("x1", {1, 2})), {"ranks are 2 and 1"});
}

TEST(Run, AnotherOperatorIsNamedWithItsOpsetAndCheckIsPointedTo) {
  const auto refused = [](const std::string& nodes, const std::vector<std::string>& parts) {
    ExpectError(Parsed(TextModel("(float[1] a) => (float[1] y) { " + nodes + " }", 17))
                    ->Run(List(Named<float>("a", {1}, {1}))),
                ErrorCode::kUnsupportedOperator, parts);
  };
  refused("b = Relu(a) y = Max(b)", {"node #0 (Relu, output 'b')", "opset 17", "supremum check"});
  refused("y = other.Max(a)", {"node #0 (Max, output 'y')", "domain 'other'"});
}

// y = Max(x0), with unsupported constants as initializers and as a Constant node: external data, and types
// that are not element types. Types 17 and 22 are numbers because not every onnx library defines their names.
ModelBuilder ModelWithUnsupportedConstants() {
  ModelBuilder builder = MaxModel({{2}});
  onnx::TensorProto text = MakeTensorProto<char>("text", onnx::TensorProto::STRING, {1}, {});
  text.add_string_data("t");
  builder.Initializer(text);
  builder.Initializer(MakeTensorProto<char>("float8", 17, {2}, {1, 2}));
  builder.Initializer(MakeTensorProto<char>("int4", 22, {2}, {1}));
  builder.Initializer(MakeTensorProto<float>("complex", onnx::TensorProto::COMPLEX64, {1}, {1, 2}));
  builder.Initializer(ExternalTensorProto("far", kFloat, {2}, {{"location", "far.bin"}}));
  builder.Constant("word", text);
  return builder;
}

// Rules: TYP-1
TEST(Run, AConstantThatNothingReadsDoesNotDecide) {
  const Result<Model> model = Parsed(ModelWithUnsupportedConstants());
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_TRUE(model->CheckRun());
  EXPECT_THAT(FirstOutput(model->Run(List(Named<float>("x0", {2}, {1, 2})))), ElementsAre(1, 2));
}

// Rules: TYP-1
TEST(Run, AConstantThatANodeOrAnOutputNeedsIsRefused) {
  const auto expect_refused = [](const ModelBuilder& builder, ErrorCode code, const std::string& name) {
    SCOPED_TRACE(name);
    const Result<Model> model = Parsed(builder);
    ASSERT_TRUE(model) << model.error().message;
    ExpectError(model->CheckRun(), code, {name});
    ExpectError(model->Run(List(Named<float>("x0", {2}, {1, 2}))), code, {name});
  };
  for (const std::string name : {"text", "float8", "int4", "complex", "far", "word"}) {
    const ErrorCode code = name == "far" ? ErrorCode::kUnsupportedFormat : ErrorCode::kTypeNotAdmitted;
    const std::string shown = name == "word" ? "'word'" : "initializer '" + name + "'";
    ModelBuilder read = ModelWithUnsupportedConstants(), output = ModelWithUnsupportedConstants();
    read.Node("Identity", {name}, {"copy"});
    expect_refused(read, code, shown);
    output.graph()->add_output()->set_name(name);
    expect_refused(output, code, shown);
  }
}

TEST(CheckRun, ReportsWhatNoInputCanMend) {
  ModelBuilder relu(13);
  relu.Input("a", kFloat, {2}).Output("y", kFloat, {2}).Node("Relu", {"a"}, {"y"});
  ExpectError(Parsed(relu)->CheckRun(), ErrorCode::kUnsupportedOperator, {"'Relu'"});
  ExpectError(Parsed(MaxModel({{2}, {3}}))->CheckRun(), ErrorCode::kNotBroadcastable, {"'fuse'"});
  ModelBuilder sparse(13);
  sparse.SparseInput("a", kFloat).Output("y", kFloat, std::nullopt).Node("Max", {"a"}, {"y"});
  ExpectError(Parsed(sparse)->CheckRun(), ErrorCode::kSparseTensor);
  RunOptions strict;
  strict.profile = Profile::kSonnx;
  ExpectError(Parsed(MaxModel({{"N"}}))->CheckRun(strict), ErrorCode::kShapeNotExplicit);
  EXPECT_TRUE(Parsed(MaxModel({{"N"}}))->CheckRun());
  // A caller's tensor may replace the initializer of an input.
  ModelBuilder optional = MaxModel({{2}, {2}});
  optional.Initializer(ExternalTensorProto("x1", kFloat, {2}, {{"location", "far.bin"}}));
  EXPECT_TRUE(Parsed(optional)->CheckRun());
  ExpectError(Parsed(optional)->Run(List(Named<float>("x0", {2}, {1, 2}))), ErrorCode::kUnsupportedFormat);
}

// Rules: PRO-1
TEST(Run, SparseTensorsAreRefusedWhereverTheyStand) {
  ModelBuilder initializer = MaxModel({{2}});
  initializer.SparseInitializer("s", kFloat).graph()->mutable_sparse_initializer(0)->add_dims(2);
  ExpectError(Parsed(initializer)->Run(List(Named<float>("x0", {2}, {1, 2}))), ErrorCode::kSparseTensor);
  ModelBuilder constant(13), input(13);
  constant.SparseConstant("a", kFloat).Output("y", kFloat, std::nullopt).Node("Max", {"a"}, {"y"});
  ExpectError(Parsed(constant)->Run({}), ErrorCode::kSparseTensor);
  input.SparseInput("a", kFloat).Output("y", kFloat, std::nullopt).Node("Max", {"a"}, {"y"});
  ExpectError(Parsed(input)->Run(List(Named<float>("a", {1}, {1}))), ErrorCode::kSparseTensor);
}

// Rules: PRO-2, PRO-3, PRO-6
TEST(Run, TheProfileRefusesWhatOnnxWouldRun) {
  RunOptions sonnx, strict, both;
  sonnx.profile = both.profile = Profile::kSonnx;
  strict.identical_shapes_only = both.identical_shapes_only = true;
  const auto inputs = [] { return List(Named<float>("x0", {2}, {1, 2}), Named<float>("x1", {1}, {3})); };
  const auto symbolic = Parsed(MaxModel({{"N"}, {1}}, {"N"}));
  EXPECT_TRUE(symbolic->Run(inputs()));
  ExpectError(symbolic->Run(inputs(), sonnx), ErrorCode::kShapeNotExplicit,
              {"node 'fuse' (Max)", "'N'", "PRO-2"});
  const auto good = Parsed(MaxModel({{2}, {1}}, {2}));
  EXPECT_TRUE(good->Run(inputs(), sonnx));
  ExpectError(good->Run(inputs(), both), ErrorCode::kBroadcastRefused);
  ExpectError(good->Run(inputs(), strict), ErrorCode::kBroadcastRefused);

  const auto x0 = [] { return List(Named<float>("x0", {1}, {1})); };
  const ModelBuilder no_type = TypedMaxModel({{onnx::TensorProto::UNDEFINED, {1}}}, kFloat, {1});
  ExpectError(Parsed(no_type)->Run(x0(), sonnx), ErrorCode::kTypeNotExplicit,
              {"node 'fuse' (Max)", "input 'x0' has no stated type", "PRO-3"});
  ModelBuilder untyped(13);
  untyped.Input("x0", kFloat, {1}).Output("y", kFloat, {1});
  untyped.Node("Max", {"x0"}, {"m"}, "first");
  untyped.Node("Max", {"m"}, {"y"}, "second");
  ExpectError(Parsed(untyped)->Run(x0(), sonnx), ErrorCode::kShapeNotExplicit);
}

TEST(Run, MemoryBeyondTheLimitIsRefusedBeforeItIsTaken) {
  RunOptions options;
  options.max_bytes = 1 << 20;
  ExpectError(Parsed(MaxModel({{"N", 1}, {"M"}}))
                  ->Run(List(Named<float>("x0", {1000, 1}, std::vector<float>(1000)),
                             Named<float>("x1", {1000}, std::vector<float>(1000))),
                        options),
              ErrorCode::kLimitExceeded, {"node 'fuse'", "[1000,1000]", "1048576 bytes"});
}

TEST(Run, ProgressCountsTheNodes) {
  std::vector<std::pair<std::size_t, std::size_t>> calls;
  RunOptions options;
  options.progress = [&](std::size_t done, std::size_t total) { calls.emplace_back(done, total); };
  ASSERT_TRUE(Parsed(TextModel("(float[1] a) => (float[1] y) { b = Identity(a) y = Max(b) }"))
                  ->Run(List(Named<float>("a", {1}, {1})), options));
  EXPECT_THAT(calls, ElementsAre(std::pair(0u, 2u), std::pair(1u, 2u), std::pair(2u, 2u)));
}

}  // namespace
}  // namespace supremum::test
