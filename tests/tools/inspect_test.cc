// supremum inspect.
#include <algorithm>
#include <bit>
#include <cmath>

#include "support/bytes.h"
#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Inspect : public CommandTest {
 protected:
  std::string Show(const std::string& file) const {
    const ProcessResult result = Supremum({"inspect", file});
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out;
  }
};

// Rules: BRO-1, BRO-2
TEST_F(Inspect, AModelIsShownWithInferredShapes) {
  ModelBuilder model;
  model.Input("a", kFloat, {"N", 3}).Input("b", kFloat, {3}).Output("y", kFloat, std::nullopt);
  model.Initializer<float>("w", kFloat, {1, 3}, {1, 2, 3});
  model.Node("Max", {"a", "b"}, {"t"}, "first");
  model.Node("Max", {"t", "w"}, {"y"});
  model.Save(File("m.onnx"));
  EXPECT_EQ(Show("m.onnx"),
            "graph 'graph', opset 13, IR version 8, producer 'supremum-tests'\n"
            "nodes: 2 Max\n"
            "\n"
            "inputs\n"
            "  name  dtype    shape\n"
            "  a     float32  [N,3]\n"
            "  b     float32  [3]\n"
            "\n"
            "initializers\n"
            "  name  dtype    shape\n"
            "  w     float32  [1,3]\n"
            "\n"
            "outputs\n"
            "  name  dtype    shape\n"
            "  y     float32  [N,3]\n"
            "\n"
            "nodes\n"
            "  #  node   operator  inputs  outputs\n"
            "  0  first  Max-13    a, b    t float32[N,3]\n"
            "  1         Max-13    t, w    y float32[N,3]\n");
  const auto json = ParseJson(Supremum({"inspect", "m.onnx", "--json", "-"}).out);
  EXPECT_EQ(json.at("nodes").at(1).at("outputs").at(0).at("shape"), nlohmann::json({"N", 3}));
  EXPECT_EQ(json.at("inputs").at(0).at("dtype"), "float32");
  EXPECT_TRUE(json.at("error").is_null());
}

// Rules: TYP-1
TEST_F(Inspect, TensorsThatCannotBeComputedAreListed) {
  const std::string header = R"({"w":{"dtype":"F8_E4M3","shape":[2,2],"data_offsets":[0,4]},)"
                             R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})";
  WriteText(File("x.safetensors"), LittleEndian(header.size(), 8) + header + std::string(8, '\0'));
  const std::string text = Show("x.safetensors");
  EXPECT_THAT(text, StartsWith("name  dtype    shape"));
  EXPECT_THAT(text, EndsWith("\ncannot be computed\n"
                             "  name  dtype    shape\n"
                             "  w     F8_E4M3  [2,2]\n"));
  const auto json = ParseJson(Supremum({"inspect", "x.safetensors", "--json", "-"}).out);
  EXPECT_EQ(json.at("tensors").size(), 1U);
  EXPECT_EQ(json.at("cannot_be_computed"),
            nlohmann::json::parse(R"([{"name": "w", "dtype": "F8_E4M3", "shape": [2, 2]}])"));
  EXPECT_THAT(Supremum({"inspect", "x.safetensors::a"}).out, Not(HasSubstr("cannot be computed")));
  EXPECT_EQ(Show("x.safetensors::w"), "cannot be computed\n  name  dtype    shape\n  w     F8_E4M3  [2,2]\n");
  // Only what is computed needs a type.
  EXPECT_EQ(Supremum({"max", "x.safetensors::a", "-o", "y.npy"}).status, 0);
  ExpectFailure(Supremum({"max", "x.safetensors::w", "-o", "y.npy"}), 3, {"tensor 'w'", "'F8_E4M3'"});
  ModelBuilder model;
  model.Input("a", kFloat, {1}).Output("y", kFloat, {1}).Node("Max", {"a"}, {"y"});
  model.Initializer(MakeTensorProto<char>("w", 17, {1}, {1}));
  model.Save(File("m.onnx"));
  EXPECT_THAT(Show("m.onnx"), HasSubstr("  w     float8e4m3fn, cannot be computed  [1]\n"));
  EXPECT_EQ(Supremum({"run", "m.onnx", "--random", "1"}).status, 0);
}

// Rules: RED-3, RED-5
TEST_F(Inspect, ReduceMaxIsShownWithItsAttributesAndTheirDefaults) {
  ModelBuilder old(13);
  old.Input("x", kFloat, {"N", 3, 4}).Output("y", kFloat, std::nullopt).Output("z", kFloat, std::nullopt);
  onnx::NodeProto& rows = old.Node("ReduceMax", {"x"}, {"y"}, "rows");
  ModelBuilder::SetInts(rows, "axes", {1, -1});
  ModelBuilder::SetInt(rows, "keepdims", 0);
  old.Node("ReduceMax", {"y"}, {"z"}, "all");
  old.Save(File("old.onnx"));
  EXPECT_THAT(
      Show("old.onnx"),
      HasSubstr("nodes\n"
                "  #  node  operator      inputs  attributes                                outputs\n"
                "  0  rows  ReduceMax-13  x       axes=[1,-1], keepdims=0                   y float32[N]\n"
                "  1  all   ReduceMax-13  y       axes=all (default), keepdims=1 (default)  z float32[1]\n"));
  auto json = ParseJson(Supremum({"inspect", "old.onnx", "--json", "-"}).out);
  EXPECT_EQ(json.at("nodes").at(0).at("attributes"),
            ParseJson(R"({"axes": {"value": [1, -1], "default": false},
                                      "keepdims": {"value": 0, "default": false}})"));
  EXPECT_EQ(json.at("nodes").at(1).at("attributes"), ParseJson(R"({"axes": {"value": null, "default": true},
                                      "keepdims": {"value": 1, "default": true}})"));

  ModelBuilder recent(18);
  recent.Input("x", kFloat, {"N", 3}).Input("a", onnx::TensorProto::INT64, {1});
  recent.Output("y", kFloat, std::nullopt);
  recent.Node("ReduceMax", {"x", "a"}, {"y"});
  recent.Save(File("recent.onnx"));
  EXPECT_THAT(Show("recent.onnx"),
              HasSubstr("ReduceMax-18  x, a    keepdims=1 (default), noop_with_empty_axes=0 "
                        "(default)  y float32[?,?]\n"));
  json = ParseJson(Supremum({"inspect", "recent.onnx", "--json", "-"}).out);
  EXPECT_EQ(json.at("nodes").at(0).at("operator"), "ReduceMax-18");
  EXPECT_EQ(json.at("nodes").at(0).at("attributes").at("noop_with_empty_axes").at("value"), 0);
  EXPECT_EQ(json.at("nodes").at(0).at("outputs").at(0).at("shape"), nlohmann::json({nullptr, nullptr}));
}

// Rules: E1
TEST_F(Inspect, AModelThatCannotBeIsShownAsStatedAndThenTheError) {
  FuseModel({2, 3}, {4}, {9}).Save(File("bad.onnx"));
  const ProcessResult result = Supremum({"inspect", "bad.onnx"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.out, AllOf(HasSubstr("a     float32  [2,3]"), HasSubstr("fuse  Max-13")));
  EXPECT_THAT(result.err, AllOf(StartsWith("supremum: E1"), HasSubstr("'fuse'")));
  const auto json = ParseJson(Supremum({"inspect", "bad.onnx", "--json", "-"}).out);
  EXPECT_THAT(json.at("error").get<std::string>(), StartsWith("E1"));
}

TEST_F(Inspect, TensorFilesOfEveryFormatAreShown) {
  for (const char* name : {"t.npy", "t.npz", "t.pb", "t.safetensors"}) {
    WriteTensor<float>(name, {2, 2}, {1, -0.5f, 3, 4});
    EXPECT_THAT(Show(name),
                AllOf(HasSubstr("float32  [2,2]  -0.5    4    0"),
                      HasSubstr("63c1945c4fd6906c5e47cd9821ebb36f30882e990d16b2234af36c52dd8464d5")))
        << name;
  }
  WriteTensor<float>("t.bin", {2, 2}, {1, -0.5f, 3, 4});
  EXPECT_THAT(Show("x:float32:2x2:t.bin"), HasSubstr("x     float32  [2,2]  -0.5    4    0"));
}

// Rules: TYP-4
TEST_F(Inspect, BoolsAreWords) {
  for (const char* name : {"t.npy", "t.npz", "t.pb", "t.safetensors"}) {
    WriteTensor<bool>(name, {2}, {true, false});
    EXPECT_THAT(Show(name), HasSubstr("bool   [2]    false  true    0")) << name;
    const auto json = ParseJson(Supremum({"inspect", name, "--json", "-"}).out);
    EXPECT_EQ(json.at("tensors").at(0).at("min"), false);
    EXPECT_EQ(json.at("tensors").at(0).at("max"), true);
  }
}

TEST_F(Inspect, ATypeThatIsStatedForSomethingElseIsRefused) {
  WriteTensor<float>("a.npy", {2}, {1, 2});
  FuseModel({2}, {2}, {2}).Save(File("m.onnx"));
  ExpectFailure(Supremum({"inspect", "a.npy", "--dtype", "b.npy=float32"}), 2, {"'b.npy'", "a.npy"});
  ExpectFailure(Supremum({"inspect", "a.npy", "--dtype", "bfloat16"}), 3, {"a.npy", "bfloat16 is stated"});
  ExpectFailure(Supremum({"inspect", "m.onnx", "--dtype", "float32"}), 2, {"--dtype", "m.onnx"});
  ExpectFailure(Supremum({"inspect", "m.onnx", "--values"}), 2, {"--values", "m.onnx"});
  EXPECT_EQ(Supremum({"inspect", "a.npy", "--dtype", "a.npy=float32"}).status, 0);
  EXPECT_EQ(Supremum({"inspect", File("a.npy"), "--dtype", "a.npy=float32"}).status, 0);
}

TEST_F(Inspect, ValuesAreShownInDecimalAsHexFloatsAndByTheirBits) {
  WriteTensor<float>("a.npy", {2, 2}, {0.1f, -0.0f, std::bit_cast<float>(0xFFC00001u), -INFINITY});
  EXPECT_THAT(Supremum({"inspect", "a.npy", "--values"}).out,
              EndsWith("\n"
                       "-\n"
                       "  element  value      hex float  bits\n"
                       "  [0,0]      0.1  0x1.99999ap-4  0x3dcccccd\n"
                       "  [0,1]       -0        -0x0p+0  0x80000000\n"
                       "  [1,0]      nan              -  0xffc00001\n"
                       "  [1,1]     -inf           -inf  0xff800000\n"));
  WriteTensor<Float16>("h.safetensors", {1}, {Float16{0x0001}});
  EXPECT_THAT(Supremum({"inspect", "h.safetensors", "--values"}).out,
              HasSubstr("  [0]      5.9604645e-08    0x1p-24  0x0001\n"));
  WriteTensor<BFloat16>("v.pb", {}, {BFloat16{0x3F81}});
  EXPECT_THAT(Supremum({"inspect", "v.pb", "--values"}).out,
              HasSubstr("  []       1.0078125  0x1.02p+0  0x3f81\n"));
  WriteTensor<std::int8_t>("i.npy", {1}, {-128});
  EXPECT_THAT(Supremum({"inspect", "i.npy", "--values"}).out,
              HasSubstr("  [0]       -128          -  0x80\n"));
}

TEST_F(Inspect, TheNumberOfValuesIsLimitedAndSaysSo) {
  WriteTensor<std::uint8_t>("a.npy", {100}, std::vector<std::uint8_t>(100, 7));
  const std::string all = Supremum({"inspect", "a.npy", "--values", "--limit", "100"}).out;
  EXPECT_THAT(all, HasSubstr("  [99] "));
  EXPECT_THAT(all, Not(HasSubstr("--limit")));
  const std::string some = Supremum({"inspect", "a.npy", "--values"}).out;
  EXPECT_THAT(some, EndsWith("  the first 64 of 100 elements; use --limit N to show more\n"));
  EXPECT_THAT(some, AllOf(HasSubstr("  [63] "), Not(HasSubstr("  [64] "))));
  const auto json = ParseJson(Supremum({"inspect", "a.npy", "--values", "--limit", "2", "--json", "-"}).out);
  EXPECT_EQ(json.at("tensors").at(0).at("values"),
            ParseJson(R"([{"index": [0], "value": "7", "hex_float": null, "bits": "0x07"},
                                      {"index": [1], "value": "7", "hex_float": null, "bits": "0x07"}])"));
}

TEST_F(Inspect, ProducerAndImportsAreShown) {
  ModelBuilder model;
  model.Opset("local", 1).Input("a", kFloat, {2}).Output("y", kFloat, {2}).Node("Max", {"a"}, {"y"});
  model.model().set_producer_version("2.5");
  model.Save(File("m.onnx"));
  EXPECT_THAT(Show("m.onnx"), HasSubstr("producer 'supremum-tests 2.5'\nopsets of other domains: local 1\n"));
  const auto json = ParseJson(Supremum({"inspect", "m.onnx", "--json", "-"}).out);
  EXPECT_EQ(json.at("producer"), "supremum-tests 2.5");
  EXPECT_EQ(json.at("opset_imports"),
            ParseJson(R"([{"domain": "", "version": 13}, {"domain": "local", "version": 1}])"));
}

TEST_F(Inspect, FilesOfExternalDataAreListed) {
  ModelBuilder model;
  model.Input("a", kFloat, {2}).Output("y", kFloat, {2});
  for (const char* name : {"v", "w"}) {
    model.Initializer(ExternalTensorProto(name, kFloat, {2}, {{"location", "weights.bin"}}));
  }
  model.Node("Max", {"a", "v", "w"}, {"y"});
  model.Save(File("m.onnx"));
  EXPECT_THAT(Show("m.onnx"), HasSubstr("external data\n"
                                        "  file         tensors\n"
                                        "  weights.bin        2\n"));
  const auto listed = [&](const std::vector<std::string>& line) {
    return ParseJson(Supremum(line).out).at("external_data").at(0);
  };
  EXPECT_TRUE(listed({"inspect", "m.onnx", "--json", "-"}).at("sha256").is_null());
  WriteText(File("weights.bin"), std::string(8, '\0'));
  const std::string digest = Shell("sha256sum weights.bin").out.substr(0, 64);
  EXPECT_EQ(listed({"inspect", "m.onnx", "--allow-external-data", "--json", "-"}).at("sha256"), digest);
  EXPECT_EQ(listed({"run", "m.onnx", "--random", "1", "--allow-external-data", "--json", "-"}).at("sha256"),
            digest);
}

TEST_F(Inspect, ShapesBehindOtherOperatorsAreThoseThatCheckInfers) {
  ModelBuilder model;
  model.Input("a", kFloat, {"N", 3}).Output("y", kFloat, std::nullopt);
  model.Node("Relu", {"a"}, {"t"});
  model.Node("Max", {"t", "a"}, {"y"});
  model.Save(File("m.onnx"));
  EXPECT_THAT(Show("m.onnx"), AllOf(HasSubstr("t float32[N,3]"), HasSubstr("y float32[N,3]")));
  const ProcessResult bound = Supremum({"inspect", "m.onnx", "--dim", "N=4"});
  EXPECT_THAT(bound.out, AllOf(HasSubstr("t float32[4,3]"), HasSubstr("y float32[4,3]"))) << bound.err;
}

// Inference that fails only behind another operator is an error, as `check` says.
TEST_F(Inspect, AnErrorBehindAnotherOperatorIsShown) {
  ModelBuilder model;
  model.Input("a", kFloat, {2, 3}).Input("b", kFloat, {4}).Output("y", kFloat, std::nullopt);
  model.Node("Relu", {"a"}, {"t"});
  model.Node("Max", {"t", "a"}, {"s"});
  model.Node("Max", {"t", "b"}, {"y"}, "wrong");
  model.Save(File("m.onnx"));
  const ProcessResult result = Supremum({"inspect", "m.onnx"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.out, HasSubstr("wrong"));
  EXPECT_THAT(result.err, AllOf(StartsWith("supremum: E1"), HasSubstr("'wrong'")));
}

// Nothing is inferred for a node that violates a rule; a note reports this.
TEST_F(Inspect, ANodeThatBreaksARuleIsNoted) {
  ModelBuilder model;
  model.Input("a", kFloat, {2, 3}).Input("b", kFloat, {4}).Output("y", kFloat, std::nullopt);
  model.Node("Relu", {"a"}, {"t"});
  model.Node("Max", {"t", "b"}, {"y"}, "wrong");
  model.Save(File("m.onnx"));
  EXPECT_THAT(Show("m.onnx"), HasSubstr("note: node 'wrong' (Max) is left as it is: E1"));
}

TEST_F(Inspect, FilesThatAreNeitherAreRefused) {
  WriteText(File("x.onnx"), "\xff\xff\xff");
  ExpectFailure(Supremum({"inspect", "x.onnx"}), 3, {"x.onnx"});
  WriteText(File("x.npy"), "no numbers");
  ExpectFailure(Supremum({"inspect", "x.npy"}), 3, {"x.npy"});
  ExpectFailure(Supremum({"inspect", "missing.npy"}), 4, {"missing.npy"});
  ExpectFailure(Supremum({"inspect", "."}), 4, {"."});
}

// 30 Relu, 25 of them with a weight; a Max, and a ReduceMax at the end.
ModelBuilder ManyNodes() {
  ModelBuilder model;
  model.Input("x", kFloat, {2, 3}).Output("y", kFloat, std::nullopt);
  std::string last = "x";
  for (int i = 0; i < 30; ++i) {
    const std::string next = "t" + std::to_string(i);
    model.Node("Relu", {last}, {next}, "act" + std::to_string(i));
    if (i < 25) model.Initializer<float>("w" + std::to_string(i), kFloat, {1}, {1});
    last = next;
  }
  model.Node("Max", {last, "w0"}, {"m"}, "fuse");
  model.Node("ReduceMax", {"m"}, {"y"}, "pool");
  return model;
}

TEST_F(Inspect, OfManyNodesTheCountsAndTheJudgedNodesAreShown) {
  ManyNodes().Save(File("m.onnx"));
  const std::string text = Show("m.onnx");
  EXPECT_THAT(text, AllOf(HasSubstr("\nnodes: 30 Relu, 1 Max, 1 ReduceMax\n"), HasSubstr("  30  fuse"),
                          HasSubstr("  31  pool"), Not(HasSubstr("act0")),
                          HasSubstr("\n  and 30 more; --all lists them\n"), HasSubstr("  w19 "),
                          Not(HasSubstr("  w20 ")), HasSubstr("\n  and 5 more; --all lists them\n")));
  EXPECT_LT(std::ranges::count(text, '\n'), 50);
}

TEST_F(Inspect, AllListsEveryNodeAndValue) {
  ManyNodes().Save(File("m.onnx"));
  const ProcessResult result = Supremum({"inspect", "m.onnx", "--all"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("act0"), HasSubstr("act29"), HasSubstr("  w24 "), Not(HasSubstr("more;"))));
  WriteText(File("a.npy"), "anything");
  EXPECT_THAT(Supremum({"inspect", "a.npy", "--all"}).err, HasSubstr("--all is for models"));
}

TEST_F(Inspect, TheJsonOfAModelIsComplete) {
  ManyNodes().Save(File("m.onnx"));
  const auto json = ParseJson(Supremum({"inspect", "m.onnx", "--json", "-"}).out);
  EXPECT_EQ(json.at("nodes").size(), 32u);
  EXPECT_EQ(json.at("initializers").size(), 25u);
  EXPECT_EQ(json.at("operators").at(0), nlohmann::json({{"op", "Relu"}, {"nodes", 30}}));
}

TEST_F(Inspect, AnExtentOfMinusOneIsUnknownAndNoted) {
  ModelBuilder model;
  model.Input("x", kFloat, {-1, 3}).Output("y", kFloat, std::nullopt);
  model.Node("Max", {"x"}, {"y"});
  model.Save(File("m.onnx"));
  EXPECT_THAT(Show("m.onnx"), AllOf(HasSubstr("x     float32  [?,3]"),
                                    HasSubstr("note: the shape of 'x' has the extent -1")));
}

}  // namespace
}  // namespace supremum::test
