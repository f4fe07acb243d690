// Loading: what a model says of itself, and models that break ONNX's rules.
#include "supremum/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "frontends/onnx/testing.h"
#include "support/temp_dir.h"

namespace supremum::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

ModelBuilder Simple() {
  ModelBuilder builder(13);
  builder.Input("a", kFloat, {2, "N"}).Input("b", kFloat, {1});
  builder.Initializer<float>("w", kFloat, {1}, {4});
  builder.Node("Max", {"a", "b", "w"}, {"y"}, "fuse");
  builder.Output("y", kFloat, std::nullopt);
  return builder;
}

// A fault that `spoil` plants in a valid model, and the parts of the error's text in addition to 'm.onnx'.
struct Faulty {
  std::function<void(ModelBuilder&)> spoil;
  std::vector<std::string> parts;
  ErrorCode code = ErrorCode::kMalformedFile;
};

void ExpectRefused(const ModelBuilder& builder, ErrorCode code, std::vector<std::string> parts) {
  parts.push_back("'m.onnx'");
  ExpectError(Parsed(builder), code, parts);
}

void ExpectEachRefused(const std::vector<Faulty>& models, ModelBuilder (*make)() = Simple) {
  for (const Faulty& faulty : models) {
    SCOPED_TRACE(faulty.parts[0]);
    ModelBuilder builder = make();
    faulty.spoil(builder);
    ExpectRefused(builder, faulty.code, faulty.parts);
  }
}

ModelBuilder Empty() { return ModelBuilder(13); }

TEST(Model, TellsWhatItIsMadeOf) {
  const auto model = Parsed(Simple());
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->opset(), 13);
  EXPECT_EQ(model->graph_name(), "graph");
  EXPECT_EQ(model->producer(), "supremum-tests");
  ASSERT_EQ(model->inputs().size(), 2u);
  EXPECT_EQ(ToString(model->inputs()[0]), "float32[2,N]");
  ASSERT_EQ(model->initializers().size(), 1u);
  EXPECT_EQ(ToString(model->initializers()[0]), "float32[1]");
  ASSERT_EQ(model->nodes().size(), 1u);
  EXPECT_EQ(Describe(model->nodes()[0]), "node 'fuse' (Max)");
  EXPECT_EQ(model->nodes()[0].version, 13);
  EXPECT_THAT(model->nodes()[0].inputs, ElementsAre("a", "b", "w"));
  EXPECT_EQ(ToString(model->outputs()[0]), "float32[?...]");
}

TEST(Model, IsReadFromAFile) {
  const TempDir folder;
  Simple().Save(folder.File("simple.onnx"));
  EXPECT_TRUE(Model::Load(folder.File("simple.onnx")));
  ExpectError(Model::Load(folder.File("other.onnx")), ErrorCode::kIo, {"other.onnx"});
}

TEST(Model, BytesThatAreNoModelAreRefusedWithThePosition) {
  for (const std::string& bytes :
       {std::string(), std::string("not a model"), std::string(100, '\xff'), std::string("\x08")}) {
    ExpectError(Model::Parse(std::as_bytes(std::span(bytes)), "junk.onnx"), ErrorCode::kMalformedFile,
                {"'junk.onnx'"});
  }
}

// Sanitizers find what is wrong.
TEST(Model, EveryTruncationAndEveryFlippedByteEndsInAResult) {
  const std::string reduce = TextModel(R"((float[2,N] a, int64[1] axes = {1}) => (float[] y) {
    y = ReduceMax <keepdims = 0> (a, axes) })",
                                       18)
                                 .Serialize();
  const auto inputs = List(Named<float>("a", {2, 3}, {1, 2, 3, 4, 5, 6}), Named<float>("b", {1}, {0}));
  for (const std::string& bytes : {Simple().Serialize(), reduce}) {
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      const Result<Model> cut = Model::Parse(std::as_bytes(std::span(bytes.data(), n)), "cut.onnx");
      if (cut) static_cast<void>(cut->Infer());
    }
    ForEachChangedByte(bytes, {}, {0x01, 0x02, 0x80, 0xFF}, [&](const std::string& changed) {
      const Result<Model> model =
          Model::Parse(std::as_bytes(std::span(changed)), "changed.onnx", {.max_bytes = 1 << 20});
      if (!model) return;
      static_cast<void>(model->Infer());
      RunOptions options;
      options.max_bytes = 1 << 20;
      EXPECT_FALSE(model->Run({}, options)) << "its inputs are missing whatever was changed";
      static_cast<void>(model->Run(std::span(inputs).first(bytes == reduce ? 1 : 2), options));
    });
  }
}

// Rules: MAX-5
TEST(Model, TheOpsetIsTheOneOfOnnxsOwnDomain) {
  ExpectEachRefused(
      {{[](ModelBuilder& b) { b.model().clear_opset_import(); }, {"imports no opset"}},
       {[](ModelBuilder& b) { b.Opset("ai.onnx", 12); }, {"two opsets of ONNX's own domain, 13 and 12"}},
       {[](ModelBuilder& b) { b.model().mutable_opset_import(0)->set_version(0); }, {"opset 0"}}});
  ModelBuilder none = Simple();
  none.model().clear_opset_import();
  none.model().set_ir_version(2);
  EXPECT_EQ(Parsed(none)->opset(), 1);
  EXPECT_EQ(Parsed(Simple().Opset("com.example", 3))->opset(), 13);
}

TEST(Model, AGraphHasOutputsAndEachOnce) {
  ExpectEachRefused({{[](ModelBuilder& b) { b.Output("y", kFloat, std::nullopt); },
                      {"graph output 'y'", "two graph outputs"}},
                     {[](ModelBuilder& b) { b.graph()->clear_output(); }, {"no output"}}});
}

// Rules: MAX-1
TEST(Model, TheOperatorsHaveTheirNumbersOfInputsAndOutputs) {
  const auto node = [](const char* op, std::vector<std::string> inputs, std::vector<std::string> outputs) {
    return [=](ModelBuilder& b) {
      b.Input("a", kFloat, {1}).Output("a", kFloat, {1}).Node(op, inputs, outputs, "n");
    };
  };
  ExpectEachRefused({{node("Max", {}, {"y"}), {"node 'n' (Max)"}, ErrorCode::kInputCount},
                     {node("Max", {"a"}, {"y", "z"}), {"exactly one output, this node has 2"}},
                     {node("Max", {"a", ""}, {"y"}), {"input 1 has no name"}},
                     {node("Identity", {"a", "a"}, {"y"}), {"Identity takes one input, this node has 2"}},
                     {node("Constant", {"a"}, {"y"}), {"Constant takes no input"}},
                     {node("Constant", {}, {"y"}), {"exactly one attribute, this one has 0"}}},
                    Empty);
}

TEST(Model, AttributesThatTheVersionDoesNotHaveAreRefused) {
  ModelBuilder builder = Simple();
  ModelBuilder::Attribute(*builder.graph()->mutable_node(0), "alpha", onnx::AttributeProto::FLOAT).set_f(1);
  ExpectRefused(builder, ErrorCode::kMalformedFile, {"node 'fuse'", "Max-13 has no attribute 'alpha'"});
  ModelBuilder early(11);
  ModelBuilder::Attribute(early.Node("Constant", {}, {"y"}), "value_float", onnx::AttributeProto::FLOAT)
      .set_f(1);
  early.Output("y", kFloat, {});
  ExpectRefused(early, ErrorCode::kMalformedFile, {"'value_float' in opset 11"});
}

TEST(Model, InitializersWhoseDataDoesNotFitAreRefused) {
  ModelBuilder builder = Simple();
  builder.graph()->mutable_initializer(0)->add_dims(3);
  ExpectRefused(builder, ErrorCode::kMalformedFile, {"initializer 'w'"});
  ModelBuilder big = Simple();
  big.graph()->mutable_initializer(0)->set_dims(0, 1 << 30);
  const Error error = ErrorOf(Parsed(big, {.max_bytes = 1000}));
  EXPECT_THAT(error.code, testing::AnyOf(ErrorCode::kLimitExceeded, ErrorCode::kMalformedFile));
}

// Rules: TYP-2, E2
TEST(Model, StatementsThatContradictEachOtherAreRefused) {
  ExpectRefused(Simple().ValueInfo("y", onnx::TensorProto::DOUBLE, std::nullopt), ErrorCode::kTypeMismatch,
                {"graph output 'y'"});
  ModelBuilder shapes = Simple();
  shapes.graph()->clear_output();
  shapes.ValueInfo("y", kFloat, {2, 3}).Output("y", kFloat, {2, 4});
  ExpectRefused(shapes, ErrorCode::kOutputShapeMismatch, {"[2,4]", "[2,3]"});
  ModelBuilder defaults(8, 3);
  defaults.Input("w", kFloat, {2}).Initializer<float>("w", kFloat, {3}, {1, 2, 3});
  defaults.Output("y", kFloat, std::nullopt).Node("Max", {"w"}, {"y"});
  ExpectRefused(defaults, ErrorCode::kMalformedFile, {"graph input 'w'", "float32[2]", "float32[3]"});
}

TEST(Model, HostileNamesAreShownHarmless) {
  ModelBuilder builder(13);
  builder.Node("Max", {"\x1b[31mred\n"}, {"y"}, "evil\x07");
  builder.Output("y", kFloat, {1});
  const Error error = ErrorOf(Parsed(builder));
  EXPECT_THAT(error.message, AllOf(HasSubstr("evil\\x07"), HasSubstr("\\x1b[31mred\\n")));
  for (char c : error.message) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
}

TEST(Model, HostileSymbolsAreShownHarmless) {
  EXPECT_EQ(ToString(Dim{std::nullopt, "N\x1b[2J"}), "N\\x1b[2J");
  EXPECT_THAT(ToString(SymbolicShape{Dim{4, ""}, Dim{std::nullopt, std::string(100'000, 'N')}}),
              AllOf(testing::StartsWith("[4,NNN"), testing::SizeIs(testing::Lt(300u))));
}

}  // namespace
}  // namespace supremum::test
