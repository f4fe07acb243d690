// Loading: what a model says of itself, and models that break ONNX's rules.
#include "supremum/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "onnx/testing.h"
#include "support/temp_dir.h"

namespace supremum {
namespace {

using test::ErrorOf;
using test::kFloat;
using test::ModelBuilder;
using test::Parsed;
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

void ExpectRefused(ModelBuilder& builder, ErrorCode code, const testing::Matcher<std::string>& text) {
  const Error error = ErrorOf(Parsed(builder));
  EXPECT_EQ(InfoOf(error.code).name, InfoOf(code).name);
  EXPECT_THAT(error.message, AllOf(HasSubstr("'m.onnx'"), text));
}

TEST(Model, TellsWhatItIsMadeOf) {
  ModelBuilder builder = Simple();
  const auto model = Parsed(builder);
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
  const test::TempDir folder;
  ModelBuilder builder = Simple();
  builder.Save(folder.File("simple.onnx"));
  EXPECT_TRUE(Model::Load(folder.File("simple.onnx")));
  const Error missing = ErrorOf(Model::Load(folder.File("other.onnx")));
  EXPECT_EQ(missing.code, ErrorCode::kIo);
  EXPECT_THAT(missing.message, HasSubstr("other.onnx"));
}

TEST(Model, BytesThatAreNoModelAreRefusedWithThePosition) {
  for (const std::string& bytes :
       {std::string(), std::string("not a model"), std::string(100, '\xff'), std::string("\x08")}) {
    const Error error = ErrorOf(Model::Parse(std::as_bytes(std::span(bytes)), "junk.onnx"));
    EXPECT_EQ(error.code, ErrorCode::kMalformedFile);
    EXPECT_THAT(error.message, HasSubstr("'junk.onnx'"));
  }
}

TEST(Model, EveryTruncationAndEveryFlippedByteEndsInAResult) {
  ModelBuilder builder = Simple();
  const std::string bytes = test::Serialized(builder);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const Result<Model> cut = Model::Parse(std::as_bytes(std::span(bytes.data(), n)), "cut.onnx");
    if (cut) static_cast<void>(cut->Infer());  // the sanitizers watch
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int flip : {0x01, 0x80, 0xFF}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const Result<Model> model =
          Model::Parse(std::as_bytes(std::span(changed)), "changed.onnx", {.max_bytes = 1 << 20});
      if (!model) continue;
      static_cast<void>(model->Infer());
      EXPECT_FALSE(model->Run({})) << "its inputs are missing whatever was changed";
    }
  }
}

// Rules: MAX-5
TEST(Model, TheOpsetIsTheOneOfOnnxsOwnDomain) {
  ModelBuilder none = Simple();
  none.model().clear_opset_import();
  ExpectRefused(none, ErrorCode::kMalformedFile, HasSubstr("imports no opset"));
  none.model().set_ir_version(2);
  EXPECT_EQ(Parsed(none)->opset(), 1);

  ModelBuilder twice = Simple();
  twice.Opset("ai.onnx", 12);
  ExpectRefused(twice, ErrorCode::kMalformedFile, HasSubstr("two opsets of ONNX's own domain, 13 and 12"));
  ModelBuilder zero = Simple();
  zero.model().mutable_opset_import(0)->set_version(0);
  ExpectRefused(zero, ErrorCode::kMalformedFile, HasSubstr("opset 0"));
  ModelBuilder others = Simple();
  others.Opset("com.example", 3);
  EXPECT_EQ(Parsed(others)->opset(), 13);
}

TEST(Model, NodesMustStandInTopologicalOrder) {
  ModelBuilder late(13);
  late.Input("a", kFloat, {1});
  late.Node("Max", {"a", "m"}, {"y"}, "second");
  late.Node("Max", {"a"}, {"m"}, "first");
  late.Output("y", kFloat, {1});
  ExpectRefused(late, ErrorCode::kMalformedFile,
                AllOf(HasSubstr("node 'second' (Max)"), HasSubstr("'m'"),
                      HasSubstr("only later, by node 'first' (Max)")));
  ModelBuilder cycle(13);
  cycle.Node("Max", {"y"}, {"y"});
  cycle.Output("y", kFloat, {1});
  ExpectRefused(cycle, ErrorCode::kMalformedFile, HasSubstr("node #0 (Max, output 'y')"));
  ModelBuilder never(13);
  never.Node("Max", {"ghost"}, {"y"}, "fuse");
  never.Output("y", kFloat, {1});
  ExpectRefused(never, ErrorCode::kMalformedFile, HasSubstr("'ghost' is produced by nothing"));
}

TEST(Model, ANameIsProducedOnce) {
  ModelBuilder outputs = Simple();
  outputs.Node("Identity", {"a"}, {"y"}, "again");
  ExpectRefused(outputs, ErrorCode::kMalformedFile,
                AllOf(HasSubstr("node 'again'"), HasSubstr("'y' already names")));
  ModelBuilder shadow = Simple();
  shadow.Node("Identity", {"a"}, {"b"});
  ExpectRefused(shadow, ErrorCode::kMalformedFile, HasSubstr("'b' already names"));
  ModelBuilder inputs = Simple();
  inputs.Input("a", kFloat, {1});
  ExpectRefused(inputs, ErrorCode::kMalformedFile,
                HasSubstr("graph input 'a': this name is given to two graph inputs"));
  ModelBuilder initializers = Simple();
  initializers.Initializer<float>("w", kFloat, {1}, {4});
  ExpectRefused(initializers, ErrorCode::kMalformedFile, HasSubstr("initializer 'w'"));
  ModelBuilder listed = Simple();
  listed.Output("y", kFloat, std::nullopt);
  ExpectRefused(listed, ErrorCode::kMalformedFile, HasSubstr("graph output 'y'"));
}

TEST(Model, OutputsMustExist) {
  ModelBuilder ghost = Simple();
  ghost.Output("z", kFloat, {1});
  ExpectRefused(ghost, ErrorCode::kMalformedFile,
                HasSubstr("graph output 'z': nothing in the graph produces it"));
  ModelBuilder none = Simple();
  none.graph()->clear_output();
  ExpectRefused(none, ErrorCode::kMalformedFile, HasSubstr("no output"));
}

// Rules: MAX-1
TEST(Model, TheOperatorsHaveTheirNumbersOfInputsAndOutputs) {
  const auto with = [](const char* op, std::vector<std::string> inputs, std::vector<std::string> outputs) {
    ModelBuilder builder(13);
    builder.Input("a", kFloat, {1});
    builder.Node(op, inputs, outputs, "n");
    builder.Output("a", kFloat, {1});
    return builder;
  };
  ModelBuilder none = with("Max", {}, {"y"});
  ExpectRefused(none, ErrorCode::kInputCount, HasSubstr("node 'n' (Max)"));
  ModelBuilder two_outputs = with("Max", {"a"}, {"y", "z"});
  ExpectRefused(two_outputs, ErrorCode::kMalformedFile, HasSubstr("exactly one output, this node has 2"));
  ModelBuilder nameless = with("Max", {"a", ""}, {"y"});
  ExpectRefused(nameless, ErrorCode::kMalformedFile, HasSubstr("input 1 has no name"));
  ModelBuilder identity = with("Identity", {"a", "a"}, {"y"});
  ExpectRefused(identity, ErrorCode::kMalformedFile, HasSubstr("Identity takes one input, this node has 2"));
  ModelBuilder constant = with("Constant", {"a"}, {"y"});
  ExpectRefused(constant, ErrorCode::kMalformedFile, HasSubstr("Constant takes no input"));
  ModelBuilder empty = with("Constant", {}, {"y"});
  ExpectRefused(empty, ErrorCode::kMalformedFile, HasSubstr("exactly one attribute, this one has 0"));
}

TEST(Model, AttributesThatTheVersionDoesNotHaveAreRefused) {
  ModelBuilder builder = Simple();
  ModelBuilder::Attribute(*builder.graph()->mutable_node(0), "alpha", onnx::AttributeProto::FLOAT).set_f(1);
  ExpectRefused(builder, ErrorCode::kMalformedFile,
                AllOf(HasSubstr("node 'fuse'"), HasSubstr("Max-13 has no attribute 'alpha'")));
  ModelBuilder early(11);
  ModelBuilder::Attribute(early.Node("Constant", {}, {"y"}), "value_float", onnx::AttributeProto::FLOAT)
      .set_f(1);
  early.Output("y", kFloat, {});
  ExpectRefused(early, ErrorCode::kMalformedFile, HasSubstr("'value_float' in opset 11"));
}

TEST(Model, InitializersWhoseDataDoesNotFitAreRefused) {
  ModelBuilder builder = Simple();
  builder.graph()->mutable_initializer(0)->add_dims(3);
  ExpectRefused(builder, ErrorCode::kMalformedFile, HasSubstr("initializer 'w'"));
  ModelBuilder big = Simple();
  big.graph()->mutable_initializer(0)->set_dims(0, 1 << 30);
  const Error error = ErrorOf(Parsed(big, {.max_bytes = 1000}));
  EXPECT_THAT(error.code, testing::AnyOf(ErrorCode::kLimitExceeded, ErrorCode::kMalformedFile));
}

TEST(Model, ExternalDataMattersOnlyToARun) {
  ModelBuilder builder = Simple();
  onnx::TensorProto* w = builder.graph()->mutable_initializer(0);
  w->clear_raw_data();
  w->set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto* entry = w->add_external_data();
  entry->set_key("location");
  entry->set_value("../secret");
  const auto model = Parsed(builder);
  ASSERT_TRUE(model) << "the graph can be looked at";
  const Error error = ErrorOf(
      model->Run(test::List(test::Named<float>("a", {2, 1}, {1, 2}), test::Named<float>("b", {1}, {1}))));
  EXPECT_EQ(error.code, ErrorCode::kUnsupportedFormat);
  EXPECT_THAT(error.message, HasSubstr("initializer 'w'"));
}

TEST(Model, ANegativeExtentIsRefused) {
  ModelBuilder builder = Simple();
  builder.Input("c", kFloat, {2, -1});
  ExpectRefused(builder, ErrorCode::kMalformedFile,
                AllOf(HasSubstr("'c'"), HasSubstr("extent -1 in dimension 1"), HasSubstr("dim_param")));
}

// Rules: TYP-2, E2
TEST(Model, StatementsThatContradictEachOtherAreRefused) {
  ModelBuilder types = Simple();
  types.ValueInfo("y", onnx::TensorProto::DOUBLE, std::nullopt);
  ExpectRefused(types, ErrorCode::kTypeMismatch, HasSubstr("graph output 'y'"));
  ModelBuilder shapes = Simple();
  shapes.ValueInfo("y", kFloat, {2, 3});
  shapes.graph()->clear_output();
  shapes.Output("y", kFloat, {2, 4});
  ExpectRefused(shapes, ErrorCode::kOutputShapeMismatch, AllOf(HasSubstr("[2,4]"), HasSubstr("[2,3]")));
  ModelBuilder defaults(8, 3);
  defaults.Input("w", kFloat, {2}).Initializer<float>("w", kFloat, {3}, {1, 2, 3});
  defaults.Node("Max", {"w"}, {"y"});
  defaults.Output("y", kFloat, std::nullopt);
  ExpectRefused(defaults, ErrorCode::kMalformedFile,
                AllOf(HasSubstr("graph input 'w'"), HasSubstr("float32[2]"), HasSubstr("float32[3]")));
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
}  // namespace supremum
