// supremum extract.
#include "supremum/extract.h"

#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Extract : public CommandTest {
 protected:
  /// A model with a symbol, another operator, a constant operand, subgraphs, and a function.
  static ModelBuilder Network() {
    ModelBuilder model(13);
    model.Opset("local", 1).Input("a", kFloat, {"N", 3}).Input("c", onnx::TensorProto::BOOL, {});
    model.Output("y", kFloat, std::nullopt)
        .Output("z", kFloat, std::nullopt)
        .Output("b", kFloat, std::nullopt);
    model.Initializer<float>("floor", kFloat, {3}, {0.5f, -0.0f, 7});
    model.Node("Relu", {"a"}, {"r"});
    model.Node("Max", {"r", "floor"}, {"m"}, "clip");
    onnx::NodeProto& pool = model.Node("ReduceMax", {"m"}, {"y"}, "pool");
    ModelBuilder::SetInts(pool, "axes", {-1});
    ModelBuilder::SetInt(pool, "keepdims", 0);
    onnx::FunctionProto* function = model.model().add_functions();
    function->set_name("f");
    function->set_domain("local");
    function->add_input("p");
    function->add_output("q");
    function->add_opset_import()->set_version(13);
    ModelBuilder::AddNode(function, "Max", {"p", "p", "p"}, {"q"});
    model.Node("f", {"m"}, {"z"}).set_domain("local");
    onnx::NodeProto& branch = model.Node("If", {"c"}, {"b"}, "choose");
    for (const char* name : {"then_branch", "else_branch"}) {
      onnx::GraphProto* graph =
          ModelBuilder::Attribute(branch, name, onnx::AttributeProto::GRAPH).mutable_g();
      graph->set_name(name);
      ModelBuilder::AddNode(graph, "Max", {"a"}, {"s"});
      graph->add_output()->set_name("s");
    }
    return model;
  }

  nlohmann::json Json() const { return ParseJson(ReadText(File("r.json"))); }
};

TEST_F(Extract, EachNodeIsACaseThatTheCommandPasses) {
  Network().Save(File("m.onnx"));
  for (const char* values : {"random", "edge", "bits"}) {
    SCOPED_TRACE(values);
    std::filesystem::remove_all(File("cases"));
    const ProcessResult result = Supremum(
        {"extract", "m.onnx", "--dim", "N=2", "-o", "cases", "--values", values, "--json", "r.json"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("5 test cases in cases\n"));
    const ProcessResult tested = Supremum({"test", "cases"});
    EXPECT_EQ(tested.status, 0) << tested.out << tested.err;
    EXPECT_THAT(tested.out, HasSubstr("5"));
  }
  const nlohmann::json json = Json();
  EXPECT_EQ(json.at("cases").at(0).at("folder"), "0000_Max_clip");
  EXPECT_EQ(json.at("cases").at(0).at("inputs").at(0).at("type"), "float32[2,3]");
  EXPECT_EQ(json.at("cases").at(0).at("inputs").at(1).at("source"), "the model");
  EXPECT_EQ(json.at("cases").at(2).at("scope"), "function 'f', called by node #3 (f, output 'z')");
  EXPECT_TRUE(json.at("skipped").empty());
  const ProcessResult constant =
      Supremum({"inspect", "cases/0000_Max_clip/test_data_set_0/input_1.pb", "--values"});
  EXPECT_THAT(constant.out, AllOf(HasSubstr("0.5"), HasSubstr("-0"), HasSubstr("7")));
  const ProcessResult reduced = Supremum({"inspect", "cases/0001_ReduceMax_pool/model.onnx"});
  EXPECT_THAT(reduced.out,
              AllOf(HasSubstr("ReduceMax-13"), HasSubstr("keepdims=0"), HasSubstr("float32[2]")));
}

// Rules: RED-6
TEST_F(Extract, AReductionOfNoElementsIsACaseOfItsRule) {
  ModelBuilder model(13);
  model.Input("a", kFloat, {2, 0}).Output("y", kFloat, {2, 1}).Output("z", kFloat, {1, 0});
  ModelBuilder::SetInts(model.Node("ReduceMax", {"a"}, {"y"}), "axes", {1});
  ModelBuilder::SetInts(model.Node("ReduceMax", {"a"}, {"z"}), "axes", {0});
  model.Save(File("m.onnx"));
  ASSERT_EQ(Supremum({"extract", "m.onnx", "-o", "cases"}).status, 0);
  const nlohmann::json json = ParseJson(ReadText(File("cases/cases.json")));
  EXPECT_EQ(json.at("cases").at(0).at("rules"), nlohmann::json({"RED-6"}));
  EXPECT_EQ(json.at("cases").at(1).at("rules"), nlohmann::json({"RED-1"}));
}

TEST_F(Extract, AConstantWithoutElementsIsNoEmptyOne) {
  ModelBuilder model = Network();
  onnx::FunctionProto* function = model.model().mutable_functions(0);
  function->clear_node();
  onnx::NodeProto& constant = ModelBuilder::AddNode(function, "Constant", {}, {"c"});
  ModelBuilder::Attribute(constant, "value_floats", onnx::AttributeProto::FLOATS).set_ref_attr_name("least");
  ModelBuilder::AddNode(function, "Max", {"p", "c"}, {"q"});
  model.Save(File("m.onnx"));
  const ProcessResult result = Supremum({"extract", "m.onnx", "--dim", "N=2", "-o", "cases"});
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("4 test cases"), HasSubstr("an extent is not a number")));
}

TEST_F(Extract, WhatCannotBeRunIsSkippedWithItsReason) {
  ModelBuilder model = Network();
  model.Opset("com.example", 1).Node("Fancy", {"a"}, {"t"}).set_domain("com.example");
  model.Node("Max", {"t", "a"}, {"u"}, "unknown");
  model.Input("w", kFloat, {4}).Node("Max", {"w", "floor"}, {"x"}, "wrong");
  model.Save(File("m.onnx"));
  const ProcessResult result = Supremum({"extract", "m.onnx", "--node", "unknown", "--node", "wrong",
                                         "--node", "clip", "-o", "cases", "--json", "r.json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("skipped: node 'unknown' (Max): the type of input 't' is not known"),
                    HasSubstr("skipped: node 'wrong' (Max): BRO-2 fails: E1:"),
                    HasSubstr("an extent is not a number"), HasSubstr("0 test cases in cases\n")));
  EXPECT_EQ(Json().at("skipped").size(), 3u);
}

TEST_F(Extract, AxesThatAreAnInputOfTheNodeAreAConstantOfTheCase) {
  ModelBuilder model(18);
  model.Input("a", kFloat, {2, 3})
      .Input("k", onnx::TensorProto::INT64, {1})
      .Output("y", kFloat, std::nullopt);
  model.Initializer<std::int64_t>("axes", onnx::TensorProto::INT64, {1}, {-1});
  model.Node("ReduceMax", {"a", "axes"}, {"y"}, "constant");
  model.Node("ReduceMax", {"a", "k"}, {"z"}, "dynamic");
  model.Node("Relu", {"a"}, {"r"});
  model.Node("Max", {"r", "a"}, {"u"}, "behind");
  model.Opset("", 1000).model().mutable_opset_import()->DeleteSubrange(0, 1);
  model.Save(File("m.onnx"));
  const ProcessResult result = Supremum({"extract", "m.onnx", "-o", "cases"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(
      result.out,
      AllOf(HasSubstr("skipped: node 'dynamic' (ReduceMax): the axes 'k' are not a constant of the model"),
            HasSubstr("skipped: node 'behind' (Max)"), HasSubstr("note: shapes behind other operators"),
            HasSubstr("1 test case in cases\n")));
  EXPECT_EQ(Supremum({"test", "cases"}).status, 0);
  EXPECT_THAT(Supremum({"inspect", "cases/0000_ReduceMax_constant/model.onnx"}).out, HasSubstr("axes"));
}

TEST_F(Extract, CasesThatTakeMoreThanTheLimitAreRefusedBeforeAnyIsMade) {
  ModelBuilder model(13);
  model.Input("x", kFloat, {1000, 1000}).Output("y0", kFloat, std::nullopt);
  for (int i = 0; i < 100; ++i) model.Node("Max", {"x"}, {"y" + std::to_string(i)}, "n" + std::to_string(i));
  model.Save(File("m.onnx"));
  const ProcessResult result = Supremum({"extract", "m.onnx", "-o", "cases"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("all cases together take more than the limit of 67108864 bytes, at node 'n8' "
                              "(Max)"),
                    HasSubstr("--node"), HasSubstr("--max-bytes")));
  EXPECT_FALSE(Exists("cases/cases.json"));
  EXPECT_EQ(Supremum({"extract", "m.onnx", "--node", "n3", "-o", "cases"}).status, 0);
}

TEST_F(Extract, ErrorsNameWhatIsWrong) {
  Network().Save(File("m.onnx"));
  EXPECT_THAT(Supremum({"extract", "m.onnx", "--node", "pol", "-o", "c"}).err,
              AllOf(HasSubstr("--node pol: the model has no such"), HasSubstr("node 'pool' (ReduceMax)")));
  EXPECT_THAT(Supremum({"extract", "m.onnx", "--dim", "M=1", "-o", "c"}).err, HasSubstr("it has 'N'"));
  std::filesystem::create_directories(File("mine"));
  WriteText(File("mine/notes.txt"), "mine");
  ExpectFailure(Supremum({"extract", "m.onnx", "-o", "mine"}), 2,
                {"--output mine: the folder has files; name another folder, or remove it"});
  EXPECT_TRUE(Exists("mine/notes.txt"));
  EXPECT_FALSE(Exists("c/cases.json"));
}

}  // namespace
}  // namespace supremum::test
