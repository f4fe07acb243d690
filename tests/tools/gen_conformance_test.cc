// supremum gen-conformance. That its own cases are right is what tests/kit shows.

#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GenConformance : public CommandTest {
 protected:
  void SetUp() override { std::filesystem::create_directory(File("own")); }

  /// A file of cases, without the braces around it.
  void CaseFile(const std::string& group, const std::string& content) const {
    WriteText(File("own/" + group + ".json"),
              R"({"group": ")" + group + R"(", "rules": ["MAX-2"], "reason": "A test.", )" + content + "}");
  }
  void MaxCase(const std::string& output, const std::string& shape = "[2]") const {
    CaseFile("pairs",
             R"("cases": [{"name": "one", "operator": "Max", "opset": 13, "shapes": [[2], []],
      "output_shape": )" +
                 shape +
                 R"(, "bits": {"float32": {"inputs": ["3f800000 40000000", "bf800000"], "output": ")" +
                 output + R"("}, "int16": {"inputs": ["0001*2", "ffff"], "output": "0001*2"}}}])");
  }
  ProcessResult Generate(const std::string& folder = "made") const {
    return Supremum({"gen-conformance", folder, "--cases", "own"});
  }
  nlohmann::json Json(const std::string& name) const { return ParseJson(ReadText(File(name))); }
  std::vector<std::string> Names(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(File(folder))) {
      names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    return names;
  }
};

TEST_F(GenConformance, ACaseIsListedAndStandsInEveryFrontThatHasIt) {
  MaxCase("3f800000 40000000");
  const ProcessResult result = Generate();
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "2 cases, 2 of them as ONNX test cases and 1 as oneDNN graphs; 0 invalid models\n");
  EXPECT_THAT(Names("made"), ElementsAre("cases.json", "invalid.json", "onednn", "onnx"));
  const nlohmann::json cases = Json("made/cases.json").at("cases");
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].at("id"), "pairs/one/float32");
  EXPECT_EQ(cases[0].at("rules"), nlohmann::json::array({"MAX-2"}));
  EXPECT_EQ(cases[0].at("inputs")[0].at("bits"), "3f80000040000000");
  EXPECT_EQ(cases[0].at("inputs")[1].at("shape"), nlohmann::json::array());
  EXPECT_EQ(cases[0].at("onednn"), "onednn/pairs/one/float32.json");
  EXPECT_EQ(cases[1].at("output").at("bits"), "00010001");
  EXPECT_TRUE(cases[1].at("onednn").is_null());
  EXPECT_THAT(ReadElements<float>("made/onnx/pairs/one/float32/test_data_set_0/input_0.pb"),
              ElementsAre(1, 2));
  EXPECT_EQ(Supremum({"test", "made/onnx"}).status, 0);
  const ProcessResult graph = Supremum({"inspect", "made/onednn/pairs/one/float32.json"});
  EXPECT_EQ(graph.status, 0) << graph.err;
  EXPECT_THAT(graph.out, HasSubstr("Maximum"));
}

TEST_F(GenConformance, WhatTheReferenceDoesNotAgreeWithIsAnErrorThatNamesTheCase) {
  MaxCase("3f800000 40000001");
  ExpectFailure(Generate(), 3,
                {"case 'pairs/one/float32'", "element 1 is 40000000, the case file states 40000001"});
  EXPECT_FALSE(Exists("made"));
  MaxCase("3f800000 40000000", "[2,1]");
  ExpectFailure(Generate(), 3, {"case 'pairs/one/float32'", "the shape is [2], the case file states [2,1]"});
  EXPECT_FALSE(Exists("made"));
  EXPECT_THAT(Names("."), ElementsAre("own"));
}

TEST_F(GenConformance, AFileOfCasesThatCannotBeUnderstoodIsNamedWithTheCase) {
  for (const auto& [output, part] :
       std::vector<std::pair<std::string, std::string>>{{"3f800000", "fewer elements"},
                                                        {"3f800000*3", "more elements"},
                                                        {"3f8000 40000000", "8 digits"},
                                                        {"3f80000g 40000000", "not a number"},
                                                        {"3f800000*x", "not a number"}}) {
    MaxCase(output);
    ExpectFailure(Generate(), 3, {"'pairs.json': one/float32", part, "kit/README.md"});
  }
  WriteText(File("own/pairs.json"), "{");
  ExpectFailure(Generate(), 3, {"pairs.json'", "it is not JSON"});
  WriteText(File("own/pairs.json"), R"({"group": "other", "rules": [], "reason": ""})");
  ExpectFailure(Generate(), 3, {"the names of the group and of the file differ"});
  WriteText(File("own/pairs.json"), R"({"group": "pairs", "rules": [], "reason": "", "case": []})");
  ExpectFailure(Generate(), 3, {"'pairs.json'", "it has neither 'cases' nor 'invalid'"});
  CaseFile("pairs",
           R"("cases": [{"name": "one", "operator": "Min", "opset": 13, "shapes": [], "output_shape": [],
    "bits": {}}])");
  ExpectFailure(Generate(), 3, {"'pairs.json': one", "Min"});
  CaseFile(
      "pairs",
      R"("invalid": [{"name": "one", "verdict": {}, "model": {"opset": 13, "inputs": [["x", "float33[2]"]]}}])");
  ExpectFailure(Generate(), 3, {"'pairs.json': one", "float33"});
  EXPECT_FALSE(Exists("made"));
}

TEST_F(GenConformance, AnInvalidModelIsWrittenFaultsAndAll) {
  CaseFile("faults", R"("invalid": [
    {"name": "stated", "no_broadcast": true, "verdict": {"valid": false, "fails": "profile", "code": "x", "rule": "PRO-2"},
     "model": {"opset": 18, "inputs": [["x", "float32[2,N,?]"], ["s", "sparse int8[3]"], ["t", "?[2]"], ["u", ""], ["v", "double"]],
       "outputs": [["y", "float32"]], "values": [["h", "string[]"]],
       "initializers": [{"name": "axes", "type": "int64", "shape": [1], "bits": "ffffffffffffffff"}],
       "nodes": [{"op": "ReduceMax", "inputs": ["x", "axes"], "outputs": ["y"], "attributes": {"keepdims": 2}}]},
     "inputs": [{"type": "float32", "shape": [1], "bits": "3f800000"}]},
    {"name": "graph", "verdict": {"valid": false}, "graph": {"version": "3.0.0", "graph": []}}])");
  ExpectFailure(Generate(), 3, {"double"});  // the types go by the names that messages give them
  std::string text = ReadText(File("own/faults.json"));
  text.replace(text.find("double"), 6, "float64");
  WriteText(File("own/faults.json"), text);
  const ProcessResult result = Generate();
  ASSERT_EQ(result.status, 0) << result.err;
  const nlohmann::json listed = Json("made/invalid.json").at("cases");
  EXPECT_EQ(listed[0].at("model"), "invalid/faults/stated/model.onnx");
  EXPECT_EQ(listed[0].at("inputs"), nlohmann::json::array({"invalid/faults/stated/input_0.pb"}));
  EXPECT_EQ(listed[0].at("no_broadcast"), true);
  EXPECT_EQ(listed[0].at("verdict").at("rule"), "PRO-2");
  EXPECT_EQ(listed[1].at("model"), "invalid/faults/graph/graph.json");
  EXPECT_EQ(Json("made/invalid/faults/graph/graph.json").at("version"), "3.0.0");

  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(ReadText(File("made/invalid/faults/stated/model.onnx"))));
  const onnx::GraphProto& graph = model.graph();
  const auto& dims = graph.input(0).type().tensor_type().shape();
  EXPECT_EQ(dims.dim(0).dim_value(), 2);
  EXPECT_EQ(dims.dim(1).dim_param(), "N");
  EXPECT_EQ(dims.dim(2).value_case(), onnx::TensorShapeProto::Dimension::VALUE_NOT_SET);
  EXPECT_EQ(graph.input(1).type().sparse_tensor_type().elem_type(), onnx::TensorProto::INT8);
  EXPECT_EQ(graph.input(2).type().tensor_type().elem_type(), onnx::TensorProto::UNDEFINED);
  EXPECT_FALSE(graph.input(3).has_type());
  EXPECT_FALSE(graph.input(4).type().tensor_type().has_shape());
  EXPECT_EQ(graph.value_info(0).type().tensor_type().elem_type(), onnx::TensorProto::STRING);
  EXPECT_EQ(graph.value_info(0).type().tensor_type().shape().dim_size(), 0);
  EXPECT_EQ(graph.node(0).attribute(0).i(), 2);
}

TEST_F(GenConformance, TheExamplesOfTheKitsPageAreCases) {
  const std::string page = ReadText(std::string(SUPREMUM_SOURCE_DIR) + "/kit/README.md");
  std::vector<std::string> blocks;
  const std::string begin = "\n```json\n", end = "\n```\n";
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
    at += begin.size();
    blocks.push_back(page.substr(at, page.find(end, at) - at));
  }
  ASSERT_EQ(blocks.size(), 2u);
  WriteText(File("own/max_signed_zeros.json"), blocks[0]);
  CaseFile("faults", R"("invalid": [)" + blocks[1] + "]");
  const ProcessResult result = Generate();
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("1 cases, 1 of them as ONNX test cases and 1 as oneDNN graphs; 1 invalid"));
  EXPECT_EQ(Supremum({"test", "made/onnx"}).status, 0);
  const std::string fault = "made/invalid/faults/symbols/";
  ExpectFailure(Supremum({"run", fault + "model.onnx", "--input", "x0=" + fault + "input_0.pb", "--input",
                          "x1=" + fault + "input_1.pb"}),
                3, {"E1 not broadcastable"});
}

TEST_F(GenConformance, AFolderWithFilesIsRefusedAndStays) {
  MaxCase("3f800000 40000000");
  std::filesystem::create_directory(File("made"));
  ASSERT_EQ(Generate().status, 0);
  const std::string cases = ReadText(File("made/cases.json"));
  ExpectFailure(Generate(), 2, {"DIR made: the folder has files; name another folder, or remove it"});
  EXPECT_EQ(ReadText(File("made/cases.json")), cases);
  WriteText(File("file"), "");
  ExpectFailure(Generate("file"), 2, {"not a folder"});
}

TEST_F(GenConformance, ACheckFindsWhatDiffersAndWritesNothing) {
  MaxCase("3f800000 40000000");
  const std::vector<std::string> check = {"gen-conformance", "made", "--cases", "own", "--check"};
  EXPECT_EQ(Supremum(check).status, 4);
  EXPECT_FALSE(Exists("made"));
  ASSERT_EQ(Generate().status, 0);
  ProcessResult result = Supremum(check);
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("exactly these"));
  const std::string model = "made/onnx/pairs/one/int16/model.onnx";
  const std::string bytes = ReadText(File(model));
  WriteText(File(model), bytes + "x");
  WriteText(File("made/thesis.txt"), "mine");
  std::filesystem::remove(File("made/onednn/pairs/one/float32.json"));
  result = Supremum(check);
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("'onnx/pairs/one/int16/model.onnx' has different bytes\n"));
  EXPECT_THAT(result.out, HasSubstr("'onednn/pairs/one/float32.json' is missing\n"));
  EXPECT_THAT(result.out, HasSubstr("'thesis.txt' does not belong to the set\n3 files differ\n"));
  EXPECT_EQ(ReadText(File(model)), bytes + "x");
  ExpectFailure(Supremum({"gen-conformance", "made", "--cases", "own", "--further"}), 2,
                {"--further", "--cases"});
}

TEST_F(GenConformance, AGraphLeavesOutKeepDimsIfTheCaseSaysSo) {
  const auto reduction = [&](const std::string& keepdims, const std::string& left_out) {
    CaseFile("defaults", R"("cases": [{"name": "one", "operator": "ReduceMax", "opset": 13, "attributes": )"
                         R"({"axes": [0], "keepdims": )" +
                             keepdims + R"(}, "shapes": [[2]], "output_shape": )" +
                             (keepdims == "0" ? "[]" : "[1]") + R"(, "onednn_leaves_out": [")" + left_out +
                             R"("], "bits": {"float32": {"inputs": ["3f800000 40000000"], )"
                             R"("output": "40000000"}}}])");
  };
  reduction("0", "keep_dims");
  ASSERT_EQ(Generate().status, 0);
  const nlohmann::json graph = Json("made/onednn/defaults/one/float32.json");
  EXPECT_EQ(graph.at("graph")[0].at("attrs").size(), 1u);
  EXPECT_TRUE(graph.at("graph")[0].at("attrs").contains("axes"));
  reduction("0", "axes");
  ExpectFailure(Generate("other"), 3, {"'defaults.json': one/float32", "'onednn_leaves_out' is not"});
  reduction("1", "keep_dims");
  ExpectFailure(Generate("other"), 3, {"'defaults.json': one/float32", "keepdims is not 0"});
}

TEST_F(GenConformance, AFolderWithoutCasesIsAnError) {
  ExpectFailure(Generate(), 2, {"--cases own"});
  ExpectFailure(Supremum({"gen-conformance", "made", "--cases", "nowhere"}), 4, {"nowhere"});
  EXPECT_FALSE(Exists("made"));
}

TEST_F(GenConformance, TheCountsAreThereAsJson) {
  MaxCase("3f800000 40000000");
  const ProcessResult result = Supremum({"gen-conformance", "made", "--cases", "own", "--json", "-"});
  ASSERT_EQ(result.status, 0) << result.err;
  const nlohmann::json json = ParseJson(result.out);
  EXPECT_EQ(json.at("verb"), "gen-conformance");
  EXPECT_EQ(json.at("cases"), 2);
  EXPECT_EQ(json.at("onnx"), 2);
  EXPECT_EQ(json.at("onednn"), 1);
  EXPECT_EQ(json.at("invalid"), 0);
}

}  // namespace
}  // namespace supremum::test
