// The checker: every rule, holding and failing, on models of Max alone and among other operators.
#include "supremum/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontends/onnx/check/check_model.h"
#include "frontends/onnx/check/check_proto.h"
#include "frontends/onnx/check_testing.h"
#include "frontends/onnx/read/inline_functions.h"
#include "support/temp_dir.h"

namespace supremum::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// Rules: PRO-1, PRO-2, PRO-3, PRO-4, PRO-5
TEST(Check, AModelThatStatesEverythingHoldsUnderTheProfile) {
  const CheckReport report = Checked(MaxModel({{2, 3}, {3}}, {2, 3}), kSonnx);
  EXPECT_TRUE(report.Holds());
  const Verdicts expected = {{"MAX-1", "holds"}, {"TYP-2", "holds"}, {"TYP-3", "holds"}, {"PRO-1", "holds"},
                             {"PRO-2", "holds"}, {"PRO-3", "holds"}, {"PRO-4", "holds"}, {"BRO-4", "holds"},
                             {"BRO-2", "holds"}, {"PRO-5", "holds"}};
  EXPECT_EQ(VerdictsOf(report), expected);
  EXPECT_EQ(report.Total(), 10u);
  EXPECT_EQ(report.model, "m.onnx");
}

// Rules: PRO-2
TEST(Check, ASymbolAnUnknownExtentAndAMissingShapeAreNotExplicit) {
  struct Row {
    ModelShape input, output;
    const char* text;
  };
  const Row rows[] = {
      {{2, "N"}, {2, 3}, "fails: input 'x0' has shape [2,N]: dimension 1 is the symbol 'N'; "},
      {{kUnknownDim, 3}, {2, 3}, "fails: input 'x0' has shape [?,3]: dimension 0 is not known; "},
      {std::nullopt, {2, 3}, "fails: input 'x0' has no stated shape; "},
      {{2, 3}, std::nullopt, "fails: output 'y' has no stated shape; state the shape [2,3] for 'y'"}};
  for (const Row& row : rows) {
    const CheckReport report = Checked(MaxModel({row.input}, row.output), kSonnx);
    EXPECT_FALSE(report.Holds());
    EXPECT_THAT(Found(report, "PRO-2"), testing::StartsWith(row.text));
  }
}

// Rules: PRO-3
TEST(Check, ATypeThatOnlyInferenceKnowsIsNotStated) {
  ModelBuilder builder = TextModel("(float[2] a) => (float[2] y) { m = Max(a) y = Max(m) }");
  const CheckReport report = Checked(builder, kSonnx);
  EXPECT_THAT(Found(report, "PRO-3", 0), HasSubstr(": output 'm' has no stated type; "));
  EXPECT_THAT(Found(report, "PRO-3", 1), testing::EndsWith("; state the type float32 for 'm'"));
  EXPECT_THAT(Found(report, "PRO-2", 1), testing::EndsWith("; state the shape [2] for 'm'"));
  EXPECT_EQ(VerdictsOf(report, 1)["TYP-2"], "holds") << "inference is enough to decide this";
  EXPECT_TRUE(Checked(builder.ValueInfo("m", kFloat, {2}), kSonnx).Holds());
}

// Rules: PRO-2, PRO-3
TEST(Check, AConstantStatesItsTypeAndShapeItself) {
  ModelBuilder builder =
      TextModel("(float[2] a) => (float[2] y) { c = Constant <value = float[1] {3}> () y = Max(a, c, w) }");
  EXPECT_TRUE(Checked(builder.Initializer<float>("w", kFloat, {2}, {1, 2}), kSonnx).Holds());
}

// Rules: PRO-1
TEST(Check, SparseTensorsFailWhereverTheyStand) {
  ModelBuilder input(13), initializer(13), constant(13);
  input.SparseInput("s", kFloat);
  initializer.SparseInitializer("s", kFloat);
  constant.SparseConstant("s", kFloat);
  for (ModelBuilder* model : {&input, &initializer, &constant}) {
    model->Node("Max", {"s"}, {"y"});
    model->Output("y", kFloat, {2});
    EXPECT_EQ(VerdictsOf(Checked(*model, kSonnx))["PRO-1"], "fails");
  }
  EXPECT_EQ(VerdictsOf(Checked(input))["PRO-1"], "fails") << "outside the profile too";
  ExpectFails(Checked(initializer, kSonnx), "PRO-1", {"'s' is a sparse tensor"});
}

// Rules: PRO-5, E2
TEST(Check, ADeclaredShapeIsComparedWithTheComputedOne) {
  const ModelBuilder wrong = MaxModel({{2, 1}, {3}}, {2, 1});
  const std::string text = "fails: E2: output 'y' is declared as [2,1] and computed as [2,3]; ";
  EXPECT_THAT(Found(Checked(wrong, kSonnx), "PRO-5"), testing::StartsWith(text));
  EXPECT_THAT(Found(Checked(wrong), "E2"), testing::StartsWith(text));
  const ModelBuilder none = MaxModel({{2, 1}, {3}});
  EXPECT_TRUE(Checked(none).Holds()) << "ONNX does not ask for a declared shape";
  EXPECT_EQ(VerdictsOf(Checked(none, kSonnx))["PRO-5"], "undecided");
  EXPECT_TRUE(Checked(MaxModel({{2, 1}, {3}}, {"any", "thing"})).Holds()) << "a new symbol claims nothing";
  EXPECT_EQ(VerdictsOf(Checked(MaxModel({{"N"}, {"M"}}, {"N"})))["E2"], "undecided");
  const ModelBuilder open = MaxModel({{kUnknownDim, "N", 3}}, {kUnknownDim, "N", 3});
  EXPECT_EQ(VerdictsOf(Checked(open)).at("E2"), "holds") << "what is open on both sides is no contradiction";
}

// Rules: PRO-6
TEST(Check, TheStricterSwitchRefusesBroadcasting) {
  const CheckOptions strict{.identical_shapes_only = true};
  const std::pair<std::vector<ModelShape>, const char*> rows[] = {
      {{{2, 3}, {2, 3}}, "holds"},
      {{{"N", 3}, {"N", 3}}, "holds"},
      {{{"N", 3}, {"M", 3}}, "undecided"},
      {{{"N"}, {"M"}, {"N"}}, "undecided"},
      {{{2, 3}, {"N", 3}}, "undecided"},
      {{{"N", 3}, {2, 3}}, "undecided"},
      {{{kUnknownDim, 3}, {kUnknownDim, 3}}, "undecided"},
      {{ModelShape{2}, ModelShape(std::nullopt)}, "undecided"},
      {{ModelShape(std::nullopt), ModelShape{2}}, "undecided"},
      {{{"N", 3}, {"M", 4}}, "fails"},
      {{ModelShape{2}, ModelShape{2, 2}}, "fails"}};
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    EXPECT_EQ(VerdictsOf(Checked(MaxModel(rows[i].first), strict))["PRO-6"], rows[i].second) << "row " << i;
  }
  const ModelBuilder different = MaxModel({{2, 3}, {3}}, {2, 3});
  EXPECT_TRUE(Checked(different).Holds());
  ExpectFails(Checked(different, strict), "PRO-6", {"'x0' has shape [2,3]", "'x1' has shape [3]"});
}

// Rules: BRO-2, MAX-3
TEST(Check, SaysWhyACommonShapeIsUndecided) {
  const std::string change = "; state these extents as numbers, or as one symbol";
  const auto found = [](const std::vector<ModelShape>& inputs, std::int64_t opset = 13) {
    const CheckReport report = Checked(MaxModel(inputs, std::nullopt, opset));
    return Found(report, opset < 8 ? "MAX-3" : "BRO-2");
  };
  EXPECT_EQ(
      found({ModelShape{{"N"}}, ModelShape{{3}}}),
      "undecided: in dimension 0 of the common shape the symbol 'N' of input 'x0' and 3 of input 'x1' may "
      "differ" +
          change);
  EXPECT_EQ(found({ModelShape{{"N"}}, ModelShape{{"M"}}}),
            "undecided: in dimension 0 of the common shape different symbols occur, which may have different "
            "values" +
                change);
  EXPECT_EQ(found({ModelShape{{2, 4}}, ModelShape{{kUnknownDim}}}),
            "undecided: in dimension 1 of the common shape the extent of input 'x1' is not known" + change);
  EXPECT_EQ(found({ModelShape{{2}}, std::nullopt}),
            "undecided: the shape of input 'x1' is not known" + change);
  EXPECT_EQ(found({ModelShape{{2, "N"}}, ModelShape{{2, 3}}}, 7),
            "undecided: dimension 1 of input 'x0' is N and of input 'x1' 3" + change);
}

// Rules: E1, BRO-2, MAX-3
TEST(Check, E1IsFoundByTheRuleOfTheVersion) {
  ExpectFails(Checked(MaxModel({{2, 3}, {4}})), "BRO-2",
              {"E1: input 'x0' has shape [2,3]", "'x1' has shape [4]", "dimension 1"});
  EXPECT_EQ(VerdictsOf(Checked(MaxModel({{2, 3}, {3}}, std::nullopt, 7)))["MAX-3"], "fails");
  const CheckReport open = Checked(MaxModel({{"N"}, {4}}));
  EXPECT_EQ(VerdictsOf(open)["BRO-2"], "undecided");
  EXPECT_FALSE(open.Holds()) << "what is not decided does not hold";
}

// Rules: MAX-1, TYP-2, TYP-3, BRO-4
TEST(Check, CountsTypesAndRanksAreExamined) {
  ModelBuilder nameless = MaxModel({{1}});
  nameless.graph()->mutable_node(0)->add_input("");
  ModelBuilder attribute = MaxModel({{1}}, {1});
  ModelBuilder::Attribute(*attribute.graph()->mutable_node(0), "axis", onnx::AttributeProto::INT);
  struct Row {
    ModelBuilder model;
    const char* rule;
    std::vector<std::string> parts = {};
  };
  const Row rows[] = {{MaxModel({}, {1}), "MAX-1"},
                      {nameless, "MAX-1", {"1 input of 2 has no name"}},
                      {TypedMaxModel({{kFloat, {1}}, {onnx::TensorProto::INT8, {1}}}, kFloat, {1}),
                       "TYP-2",
                       {"'x0' has type float32", "'x1' has type int8"}},
                      {TypedMaxModel({{kFloat, {1}}}, onnx::TensorProto::DOUBLE, {1}),
                       "TYP-2",
                       {"the output is stated as float64"}},
                      {MaxModel({{1}}, {1}, 11, onnx::TensorProto::INT64), "TYP-3"},
                      {MaxModel({ModelShape(std::vector<ModelDim>(65, 1))}), "BRO-4"},
                      {attribute, "ONNX", {"no attribute 'axis'"}}};
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.rule) + (row.parts.empty() ? "" : ": " + row.parts[0]));
    ExpectFails(Checked(row.model), row.rule, row.parts);
  }
}

TEST(Check, ShapesBehindOtherOperatorsComeFromOnnxsOwnInference) {
  const ModelBuilder builder = TextModel(R"((float[2,3] a, float[3,4] b, float[5] c) => (float[] y) {
    ab = MatMul(a, b)
    y = Max(ab, c) })");
  const CheckReport report = Checked(builder);
  EXPECT_THAT(report.notes, IsEmpty());
  ExpectFails(report, "BRO-2", {"'ab' has shape [2,4]", "'c' has shape [5]"});
  EXPECT_THAT(Found(Checked(builder, kSonnx), "PRO-2"),
              testing::EndsWith("; state the shape [2,4] for 'ab'"));
}

TEST(Check, AnOpsetBeyondTheOnnxLibraryIsNotedAndTheRestIsJudged) {
  const CheckReport report =
      Checked(TextModel("(float[2] a) => (float[2] y) { r = Relu(a) y = Max(r, a) }", 1000));
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_THAT(report.notes[0], HasSubstr("the model imports 1000"));
  EXPECT_EQ(VerdictsOf(report)["MAX-1"], "holds");
  EXPECT_EQ(VerdictsOf(report)["BRO-2"], "undecided");
}

// Without ONNX's opset nothing can be judged, which matters only if there is something to judge.
TEST(Check, ImportsMatterOnlyForNodesThatAreChecked) {
  const std::pair<const char*, bool> bodies[] = {
      {"{ y = Relu(a) }", false},
      {"{ y = Max(a) }", true},
      {"{ y = F <body = g () => (float[] s) { s = Relu(a) }> (a) }", false},
      {"{ y = F <body = g () => (float[] s) { s = ReduceMax(a) }> (a) }", true},
      {"{ y = F <bodies = g () => (float[] s) { s = Max(a) }> (a) }", true},
      {"{ y = Relu(a) } FN f (p) => (r) { r = Relu(p) }", false},
      {"{ y = Relu(a) } FN f (p) => (r) { r = Max(p) }", true}};
  for (const auto& [body, judged] : bodies) {
    for (const bool none : {true, false}) {
      SCOPED_TRACE(body);
      ModelBuilder builder = TextModel("(float[2] a) => (float[2] y) " + std::string(body));
      onnx::NodeProto& node = *builder.graph()->mutable_node(0);
      if (node.attribute_size() > 0 && node.attribute(0).name() == "bodies")
        MakeList(*node.mutable_attribute(0));
      if (none) builder.model().mutable_opset_import()->DeleteSubrange(0, 1);
      if (!none) builder.Opset("", 12);
      const std::string text = none ? "imports no opset" : "imports two opsets";
      if (judged) {
        ExpectError(TryCheck(builder), ErrorCode::kMalformedFile, {text});
        continue;
      }
      const CheckReport report = Checked(builder);
      EXPECT_TRUE(report.Holds());
      EXPECT_EQ(report.opset, 0);
      EXPECT_THAT(report.notes, testing::ElementsAre(AllOf(HasSubstr(text), HasSubstr("no node to check"))));
    }
  }
}

TEST(Check, DimsAreWrittenInPlaceOfSymbols) {
  const ModelBuilder builder = TextModel(R"((bool c, float[N,3] x) => (float[N,3] y) {
    y = If <then_branch = t () => (float[N,M] s) { s = Max(x, x) },
            else_branch = e () => (float[N,M] s) { s = Max(x, x) }> (c) })");
  EXPECT_EQ(VerdictsOf(Checked(builder, kSonnx))["PRO-2"], "fails");
  CheckOptions options = kSonnx;
  options.dims = {{"N", 4}, {"M", 3}};
  const CheckReport report = Checked(builder, options);
  EXPECT_TRUE(report.Holds()) << Found(report, "PRO-2");
  options.dims = {{"M", 4}};
  ExpectFails(Checked(builder, options), "PRO-5", {"[N,4]", "[N,3]"});
  options.dims = {{"K", 4}};
  ExpectError(TryCheck(builder, options), ErrorCode::kInvalidArgument,
              {"'m.onnx': it has no symbolic dimension 'K'; it has 'M', 'N'"});
  options.dims = {{"N", -4}};
  ExpectError(TryCheck(builder, options), ErrorCode::kInvalidArgument, {"'N'", "negative extent -4"});
}

TEST(Check, NodesInSubgraphsAndFunctionsAreExaminedToo) {
  const CheckReport report = Checked(TextModel(R"((bool c, float[2,3] a, float[4] b) => (float[] y) {
    y = If <then_branch = t () => (float[] s) { s = Max(a, b) },
            else_branch = e () => (float[] s) { s = Max(a, b) }> (c) }
    <domain: "local", opset_import: ["" : 7]> f (p) => (q) { q = Max(p) })"));
  ASSERT_EQ(report.nodes.size(), 3u);
  EXPECT_EQ(report.nodes[0].scope, "node #0 (If, output 'y'), attribute 'then_branch'");
  EXPECT_EQ(VerdictsOf(report, 0)["BRO-2"], "fails") << "the names of the outer graph are seen from within";
  EXPECT_EQ(report.nodes[2].scope, "function 'f'");
  EXPECT_EQ(report.nodes[2].node.version, 6) << "a function has an opset of its own";
}

TEST(Check, AModelWithoutMaxHoldsAndOneOfAnotherDomainIsNotExamined) {
  const CheckReport report = Checked(TextModel("(float[1] a) => (float[1] y) { y = other.Max(a) }"), kSonnx);
  EXPECT_TRUE(report.Holds());
  EXPECT_TRUE(report.nodes.empty());
}

TEST(Check, FilesThatCannotBeJudgedAreErrors) {
  const TempDir folder;
  ExpectError(CheckModel(folder.File("none.onnx")), ErrorCode::kIo);
  const std::string junk = "junk";
  ExpectError(CheckModel(std::as_bytes(std::span(junk)), "junk.onnx"), ErrorCode::kMalformedFile);
  MaxModel({{2, 3}}, {2, 3}).Save(folder.File("good.onnx"));
  EXPECT_TRUE(CheckModel(folder.File("good.onnx"), kSonnx)->Holds());
}

TEST(Check, EveryFlippedByteEndsInAReportOrAnError) {
  const ModelBuilder builder =
      TextModel("(float[2,3] a, float[3,4] b) => (float[2,4] y) { ab = MatMul(a, b) y = Max(ab) }");
  ForEachChangedByte(builder.Serialize(), {}, {0x01, 0x80, 0xFF}, [](const std::string& changed) {
    const Result<CheckReport> report = CheckModel(std::as_bytes(std::span(changed)), "changed.onnx", kSonnx);
    EXPECT_TRUE(!report || report->nodes.size() <= 2);
  });
}

// Rules: MAX-1, MAX-3
TEST(Check, TheAttributeOfMax1IsKnownToMax1Alone) {
  for (std::int64_t opset : {1, 6}) {
    ModelBuilder builder = MaxModel({{2}, {2}}, {2}, opset);
    ModelBuilder::SetInts(*builder.graph()->mutable_node(0), "consumed_inputs", {0, 0});
    EXPECT_EQ(Checked(builder).Holds(), opset == 1) << opset;
    builder.graph()->mutable_node(0)->mutable_attribute(0)->set_name("axis");
    ExpectFails(Checked(builder), "ONNX", {"has no attribute 'axis'"});
  }
}

// Rules: MAX-1
TEST(Check, ANodeHasExactlyOneOutputAndItHasAName) {
  ModelBuilder model = MaxModel({{2}, {2}}, {2});
  model.graph()->clear_output();  // which the node would no longer produce
  onnx::NodeProto* node = model.graph()->mutable_node(0);
  node->add_output("z");
  ExpectFails(Checked(model), "MAX-1", {"the node has 2 named outputs"});
  node->clear_output();
  ExpectFails(Checked(model), "MAX-1", {"the node has 0 named outputs"});
  node->add_output("");
  ExpectFails(Checked(model), "MAX-1", {"the node has 0 named outputs"});
}

// Rules: PRO-1
TEST(Check, ATensorThatIsStatedSparseAnywhereIsSparse) {
  for (bool sparse_first : {false, true}) {
    ModelBuilder builder = MaxModel({{2}, {2}}, {2});
    onnx::ValueInfoProto* input = builder.graph()->mutable_input(1);
    builder.ValueInfo("x1", kFloat, {2});
    onnx::ValueInfoProto* more = builder.graph()->mutable_value_info(0);
    onnx::ValueInfoProto* sparse = sparse_first ? input : more;
    sparse->mutable_type()->mutable_sparse_tensor_type()->set_elem_type(kFloat);
    EXPECT_EQ(VerdictsOf(Checked(builder, kSonnx)).at("PRO-1"), "fails") << sparse_first;
  }
}

// Rules: PRO-3
TEST(Check, ConstantAndIdentityWithOtherThanOneOutputStateNothing) {
  const CheckReport report = Checked(TextModel(R"((float[2] x) => (float[2] y) {
    c, more = Constant <value = float[2] {1, 2}> ()
    i = Identity()
    j, k = Identity(x)
    same = Identity(x)
    y = Max(x, c, i, j, same) })"),
                                     kSonnx);
  EXPECT_NE(VerdictsOf(report).at("PRO-3"), "holds");
  EXPECT_THAT(Found(report, "PRO-3"), HasSubstr("'c'"));
}

// Inputs of a subgraph may have the names of outer values, outputs of its nodes may not.
// Rules: PRO-2
TEST(Check, AGraphThatAnAttributeListsIsExaminedAndAFaultInItIsNamed) {
  ModelBuilder builder = TextModel(R"((float[2] x) => (float[2] y) {
    y = Max(x)
    z = other.F <branches = a (float[2] x) => (float[2] s) { s = Max(x) },
                 branch = c (float[2] x) => (float[2] s) { s = Max(x) }> () })");
  onnx::NodeProto* const node = builder.graph()->mutable_node(1);
  MakeList(*node->mutable_attribute(0), 2);
  EXPECT_EQ(Checked(builder).nodes.size(), 4u);
  const auto refused = [&](onnx::ValueInfoProto* info, const std::string& place) {
    auto* dim = info->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0);
    dim->set_dim_value(-2);
    EXPECT_THAT(ErrorOf(TryCheck(builder)).message, AllOf(HasSubstr(place), HasSubstr("the extent -2")));
    dim->set_dim_value(2);
  };
  refused(node->mutable_attribute(0)->mutable_graphs(1)->mutable_input(0), "attribute 'branches'");
  refused(node->mutable_attribute(1)->mutable_g()->mutable_input(0), "attribute 'branch'");
  refused(builder.graph()->mutable_input(0), "'x'");
}

// Failed rules come first, in the order of their error codes; undecided rules come after them.
// Rules: E2, PRO-2
TEST(Check, TheErrorOfARunIsTheOneThatComesFirstInTheOrder) {
  ModelBuilder builder = MaxModel({{2}, {"N"}}, {3});
  builder.Input("u", kFloat, {2}).Input("v", onnx::TensorProto::INT32, {2});
  builder.Node("Max", {"u", "v"}, {"z"}, "mixed");
  builder.Output("z", kFloat, {2});
  const std::optional<Error> first = onnx_front::FirstError(Checked(builder, kSonnx));
  ASSERT_TRUE(first);
  ExpectError(*first, ErrorCode::kTypeMismatch, {"mixed"});
}

// A model whose shapes only the onnx library infers, with graphs in attributes.
// Rules: PRO-2
TEST(Check, ShapesAreInferredBesideGraphsInAttributes) {
  ModelBuilder builder = TextModel(R"((float[2] x) => (float[2] y) {
    r = Relu(x)
    z = other.F <branch = a (float[2] x) => (float[2] s) { s = Max(x) },
                 branches = b (float[2] x) => (float[2] s) { s = Max(x) }> ()
    y = Max(r, x) })");
  MakeList(*builder.graph()->mutable_node(1)->mutable_attribute(1));
  const CheckReport report = Checked(builder);
  EXPECT_EQ(report.nodes.size(), 3u);
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_EQ(VerdictsOf(report, 2).at("E2"), "holds");
}

// A stride of zero, by which the onnx library divides.
TEST(Check, WhatTheOnnxLibraryDoesNotMasterIsNotedAndTheRestIsJudged) {
  const CheckReport report = Checked(TextModel(R"((float[1,1,4,4] x, float[1,1,1,1] w) => (float[] y) {
    p = Conv <strides = [0, 0], kernel_shape = [1, 1]> (x, w)
    y = Max(p, x) })"));
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_THAT(report.notes[0], HasSubstr("the onnx library failed on this model"));
  EXPECT_EQ(report.nodes.size(), 1u);
}

// The subprocess may have been taken over by the model.
TEST(Check, AnAnswerOfTheSubprocessThatIsNoCompletionOfTheModelIsNotUsed) {
  ModelBuilder builder = MaxModel({{2}, {2}}, {2});
  const onnx::ModelProto& model = builder.model();
  const auto accepts = [&](const std::string& answer, std::int64_t max_bytes = 1 << 20) {
    return onnx_front::AcceptCompleted(model, answer, max_bytes).has_value();
  };
  EXPECT_TRUE(accepts("c" + model.SerializeAsString()));
  EXPECT_FALSE(accepts(""));
  EXPECT_FALSE(accepts("c"));
  EXPECT_FALSE(accepts("x" + model.SerializeAsString()));
  EXPECT_FALSE(accepts("c" + model.SerializeAsString() + "\xff"));
  onnx::ModelProto more = model;
  more.mutable_graph()->add_node()->set_op_type("Max");
  EXPECT_FALSE(accepts("c" + more.SerializeAsString()));
  onnx::ModelProto nested = model;
  ModelBuilder::Attribute(*nested.mutable_graph()->mutable_node(0), "g", onnx::AttributeProto::GRAPH)
      .mutable_g();
  EXPECT_FALSE(accepts("c" + nested.SerializeAsString()));
  // Two bytes each in the answer, and hundreds in memory.
  onnx::ModelProto large = model;
  for (int i = 0; i < 100'000; ++i) large.mutable_graph()->add_value_info();
  EXPECT_FALSE(accepts("c" + large.SerializeAsString()));
  EXPECT_TRUE(accepts("c" + large.SerializeAsString(), std::int64_t{1} << 30));
  std::string deep;
  for (int i = 0; i < 10'000; ++i)
    deep = "\x0a" + std::string(1, static_cast<char>(deep.size() % 100)) + deep;
  EXPECT_FALSE(accepts("c" + deep));
}

TEST(Check, AnAnswerOfTheSubprocessWithOtherSubgraphsIsNotUsed) {
  ModelBuilder builder = MaxModel({{2}, {2}}, {2});
  const auto with = [&](const std::vector<int>& nodes_of_g, const std::vector<int>& nodes_of_graphs) {
    onnx::ModelProto model = builder.model();
    onnx::AttributeProto& attribute =
        ModelBuilder::Attribute(*model.mutable_graph()->mutable_node(0), "g", onnx::AttributeProto::GRAPH);
    for (const int nodes : nodes_of_g) {
      for (int i = 0; i < nodes; ++i) attribute.mutable_g()->add_node();
    }
    for (const int nodes : nodes_of_graphs) {
      onnx::GraphProto* const graph = attribute.add_graphs();
      for (int i = 0; i < nodes; ++i) graph->add_node();
    }
    return model;
  };
  const onnx::ModelProto model = with({2}, {1, 3});
  const auto accepts = [&](const onnx::ModelProto& answer) {
    return onnx_front::AcceptCompleted(model, "c" + answer.SerializeAsString(), 1 << 20).has_value();
  };
  EXPECT_TRUE(accepts(model));
  EXPECT_FALSE(accepts(with({}, {1, 3})));
  EXPECT_FALSE(accepts(with({1}, {1, 3})));
  EXPECT_FALSE(accepts(with({2}, {1})));
  EXPECT_FALSE(accepts(with({2}, {1, 2})));
}

TEST(Check, WhatTheModelStatesIsNotTakenFromTheSubprocess) {
  ModelBuilder builder = MaxModel({{2}, {3}}, {3});
  onnx::ModelProto lie = builder.model();
  for (const char* const name : {"x0", "x1", "y", "elsewhere"}) {
    onnx::ValueInfoProto& info = *lie.mutable_graph()->add_value_info();
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::DOUBLE);
    info.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(3);
  }
  for (auto& input : *lie.mutable_graph()->mutable_input()) input = lie.graph().value_info(0);
  CheckReport report;
  report.opset = 13;
  onnx_front::InlinedModel same;
  same.model = &builder.model();
  ASSERT_TRUE(onnx_front::CheckNodes(builder.model(), same, lie, {}, report));
  EXPECT_EQ(VerdictsOf(report)["BRO-2"], "fails");
  EXPECT_EQ(VerdictsOf(report)["TYP-2"], "holds");
}

TEST(Check, TheReportSaysWhatConfinedTheInference) {
  EXPECT_EQ(Checked(MaxModel({{2}, {2}}, {2})).inference, std::nullopt) << "nothing was left to infer";
  EXPECT_EQ(Checked(TextModel("(float[2] a) => (float[2] y) { r = Relu(a) y = Max(r, a) }")).inference,
            InferenceSandboxHere());
}

// A long name that a node has often takes more in findings than in the file.
TEST(Check, NamesAndFindingsThatTakeMoreThanTheLimitAreAnError) {
  const std::string name(1000, 'x');
  ModelBuilder builder(13);
  builder.Input(name, kFloat, {2}).Output("y", kFloat, {2});
  builder.Node("Max", std::vector<std::string>(100, name), {"y"});
  EXPECT_TRUE(TryCheck(builder, {.max_bytes = 10'000'000}));
  for (std::int64_t limit = 150'000; limit < 200'000; limit += 10'000) {
    ExpectError(TryCheck(builder, {.max_bytes = limit}), ErrorCode::kLimitExceeded,
                {"what follows from the types and shapes"});
  }
}

// A real model's batch size is a symbol, and behind other operators it is not even that.
TEST(CheckModel, SymbolsOfInputsThatLackANumberAreNoted) {
  ModelBuilder builder =
      TextModel("(float[batch,3] a, float[batch,n] b) => (float[batch,3] y) { y = Max(a, a) }");
  EXPECT_THAT(Checked(builder, kSonnx).notes,
              testing::ElementsAre("extents of the graph's inputs are symbols: 'batch', 'n'; give them "
                                   "numbers (--dim, or `dims`) to judge what depends on them"));
  EXPECT_THAT(Checked(builder).notes, IsEmpty()) << "ONNX admits symbols";
  builder.Input("c", kFloat, {"h", "w", "batch", "d"});
  EXPECT_THAT(Checked(builder, kSonnx).notes[0], HasSubstr("are symbols: 'batch', 'n', 'h' and 2 more; "));
  CheckOptions bound = kSonnx;
  bound.dims = {{"batch", 2}, {"n", 1}};
  EXPECT_THAT(Checked(builder, bound).notes, IsEmpty());
  EXPECT_TRUE(Checked(builder, bound).Holds());
}

}  // namespace
}  // namespace supremum::test
