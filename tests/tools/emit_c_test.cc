// supremum emit-c: what it writes, and what it refuses. tests/c99/emitted_cases.py compiles and runs the
// conformance cases, tests/c99/emitted_models.py models of several nodes.
#include <regex>

#include "io/formats/tensor_proto.h"
#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class EmitC : public CommandTest {
 protected:
  nlohmann::json Facts(const std::string& name) const { return ParseJson(ReadText(File(name))); }

  std::vector<std::string> LinesOf(const std::string& name) const {
    std::istringstream text(ReadText(File(name)));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }

  /// The command refuses with that status and those parts of a text, and writes nothing.
  void ExpectRefused(const std::vector<std::string>& arguments, int status,
                     const std::vector<std::string>& parts) const {
    const ProcessResult result = Supremum(With({"emit-c", "m.onnx", "-o", "c"}, arguments));
    EXPECT_EQ(result.status, status) << result.out << result.err;
    for (const std::string& part : parts) EXPECT_THAT(result.err, HasSubstr(part));
    EXPECT_FALSE(Exists("c/m.c") || Exists("c/m.h") || Exists("c/m.json"));
  }

  /// x: float32[2,3], t = ReduceMax(x), u = Max(t, c), y = Identity(u), z = Max(u, x).
  static ModelBuilder Network() {
    ModelBuilder model(13);
    model.Input("x", kFloat, {"N", 3}).Output("y", kFloat, std::nullopt).Output("z", kFloat, std::nullopt);
    model.Initializer<float>("c", kFloat, {3}, {0.5f, -0.0f, 7});
    ModelBuilder::SetInts(model.Node("ReduceMax", {"x"}, {"t"}, "pool"), "axes", {1});
    model.Node("Max", {"t", "c"}, {"u"}, "clip");
    model.Node("Identity", {"u"}, {"y"});
    model.Node("Max", {"u", "x"}, {"z"}, "last");
    return model;
  }
};

TEST_F(EmitC, WritesTheSameBytesWhereverTheModelIs) {
  PrepareFuse();
  ASSERT_EQ(Supremum({"emit-c", "fuse.onnx", "-o", "one"}).status, 0);
  std::filesystem::create_directory(File("other"));
  std::filesystem::copy_file(File("fuse.onnx"), File("other/fuse.onnx"));
  ASSERT_EQ(
      Supremum({"emit-c", "other/fuse.onnx", "-o", "two/deep"}, {.environment = {{"LC_ALL", "C.UTF-8"}}})
          .status,
      0);
  for (const std::string name : {"fuse.h", "fuse.c", "fuse.json"}) {
    EXPECT_EQ(ReadText(File("one/" + name)), ReadText(File("two/deep/" + name))) << name;
    EXPECT_NE(ReadText(File("one/" + name)), "");
  }
  EXPECT_THAT(ReadText(File("one/fuse.h")),
              HasSubstr("void fuse(const float in_a[6],\n          const float in_b[6],\n"
                        "          float out_y[6]);"));
}

// No library, no allocation, no recursion, no division, and no loop without a constant bound.
TEST_F(EmitC, TheProgramIsWhatItSays) {
  Network().Save(File("m.onnx"));
  const ProcessResult result = Supremum({"emit-c", "m.onnx", "--dim", "N=2", "-o", "c", "--json", "-"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(ParseJson(result.out), Facts("c/m.json"));
  std::string code = std::regex_replace(ReadText(File("c/m.c")), std::regex("/\\*[^]*?\\*/"), "");
  EXPECT_THAT(code, AllOf(Not(HasSubstr("/")), Not(HasSubstr("%")), Not(HasSubstr("while")),
                          Not(HasSubstr("goto")), Not(HasSubstr("alloc"))));
  const std::regex loop("for \\(size_t ([ij][0-9]) = 0U; \\1 < [0-9]+U; \\+\\+\\1\\) \\{");
  std::size_t loops = 0;
  for (std::size_t at = code.find("for ("); at != code.npos; at = code.find("for (", at + 1)) {
    EXPECT_TRUE(std::regex_search(code.substr(at), loop, std::regex_constants::match_continuous));
    ++loops;
  }
  std::size_t stated = 0;
  const nlohmann::json facts = Facts("c/m.json");
  for (const auto& function : facts.at("functions")) stated += function.at("loops").size();
  EXPECT_EQ(loops, stated);
  const std::regex include("#include ([^\\n]*)");
  for (auto found = std::sregex_iterator(code.begin(), code.end(), include); found != std::sregex_iterator();
       ++found)
    EXPECT_TRUE((*found)[1] == "<stddef.h>" || (*found)[1] == "\"m.h\"") << (*found)[1];
}

TEST_F(EmitC, FactsStateLoopsMemoryAndTheModel) {
  Network().Save(File("m.onnx"));
  ASSERT_EQ(Supremum({"emit-c", "m.onnx", "--dim", "N=2", "-o", "c"}).status, 0);
  const nlohmann::json facts = Facts("c/m.json");
  EXPECT_EQ(facts.at("sha256"), ParseJson(Supremum({"check", "m.onnx", "--json", "-"}).out).at("sha256"));
  EXPECT_EQ(facts.at("memory").at("constant_bytes"), 12);
  EXPECT_EQ(facts.at("memory").at("workspace_bytes"), 8);  // t; u is the output y
  EXPECT_EQ(facts.at("dims").at("N"), 2);
  const std::vector<std::string> lines = LinesOf("c/m.c");
  const auto& functions = facts.at("functions");
  ASSERT_EQ(functions.size(), 4u);
  EXPECT_EQ(functions.at(0).at("elements_read"), 6);
  EXPECT_EQ(functions.at(0).at("loops").at(1).at("bound"), 3);
  EXPECT_EQ(functions.at(1).at("calls_of_join"), 12);
  EXPECT_EQ(functions.at(3).at("name"), "m");
  for (const auto& function : functions) {
    const std::string name = function.at("name");
    const std::size_t first = function.at("first_line");
    EXPECT_THAT(lines.at(first - 1), HasSubstr("void " + name + "("));
    EXPECT_EQ(lines.at(function.at("last_line").get<std::size_t>() - 1), "}");
    for (const auto& loop : function.at("loops")) {
      const std::string line = lines.at(loop.at("line").get<std::size_t>() - 1);
      EXPECT_THAT(line, HasSubstr("for (size_t " + loop.at("index").get<std::string>() + " = 0U;"));
      EXPECT_THAT(line, HasSubstr(" < " + std::to_string(loop.at("bound").get<int>()) + "U;"));
    }
  }
}

// Rules: TYP-1
TEST_F(EmitC, EachTheoremIsProvedAndItsLinesAreTheExtractedOnes) {
  const std::string source = SUPREMUM_SOURCE_DIR;
  const std::string theorems = "\n" + ReadText(source + "/verification/proofs/theorems.txt");
  const std::string assumptions = ReadText(source + "/docs/soundness.md");
  for (const DType dtype : kAllDTypes) {
    SCOPED_TRACE(Name(dtype));
    if (dtype == DType::kBool) continue;  // no ONNX operator version of opset 13 has it
    ModelBuilder model(13);
    const std::int32_t type = io::OnnxFromDType(dtype);
    model.Input("a", type, {2}).Input("b", type, {2}).Output("y", type, {2}).Node("Max", {"a", "b"}, {"y"});
    model.Save(File("m.onnx"));
    ASSERT_EQ(Supremum({"emit-c", "m.onnx", "-o", "c"}).status, 0);
    const nlohmann::json facts = Facts("c/m.json");
    const std::vector<std::string> lines = LinesOf("c/m.c");
    ASSERT_GE(facts.at("proofs").size(), 2u);
    for (const auto& proof : facts.at("proofs")) {
      if (proof.contains("assumption")) {
        EXPECT_EQ(proof.at("assumption"), "machine.select");
        EXPECT_THAT(assumptions, HasSubstr("`machine.select`"));
      } else {
        EXPECT_THAT(theorems, HasSubstr("\n" + proof.at("theorem").get<std::string>() + " "));
      }
      const std::string name = proof.at("function");
      std::string text;
      for (std::size_t line = proof.at("first_line"); line <= proof.at("last_line"); ++line)
        text += lines.at(line - 1) + "\n";
      EXPECT_THAT(text, HasSubstr(name + "("));
      EXPECT_THAT(ReadText(source + "/" + proof.at("source").get<std::string>()), HasSubstr(text));
    }
  }
}

// A node of a model of other operators is emitted from the model that `extract` makes of it.
TEST_F(EmitC, OneNodeOfAnyModel) {
  ModelBuilder net(13);
  net.Input("x", kFloat, {"batch", 2}).Output("y", kFloat, {"batch", 2});
  net.Node("Relu", {"x"}, {"t"});
  net.Node("Max", {"t", "x"}, {"y"}, "fuse");
  net.ValueInfo("t", kFloat, {"batch", 2}).Save(File("m.onnx"));
  ASSERT_EQ(Supremum({"extract", "m.onnx", "--dim", "batch=3", "-o", "nodes"}).status, 0);
  ASSERT_EQ(Supremum({"emit-c", "nodes/0000_Max_fuse/model.onnx", "--entry", "clip", "-o", "c"}).status, 0);
  EXPECT_THAT(ReadText(File("c/clip.h")),
              HasSubstr("void clip(const float in_x0[6],\n          const float in_x1[6],\n"));
}

// Rules: E1, E2, RED-2, PRO-2
TEST_F(EmitC, WhatHasNoStaticProgramIsRefusedAndNothingIsWritten) {
  const auto save = [&](const ModelShape& a, const ModelShape& b, const ModelShape& y) {
    FuseModel(a, b, y).Save(File("m.onnx"));
  };
  save({2, 3}, {2, 4}, {2, 3});
  ExpectRefused({}, 3, {"E1 not broadcastable", "'a'", "'b'"});
  save({2, 3}, {2, 3}, {2, 4});
  ExpectRefused({}, 3, {"E2 output shape mismatch", "'y'"});
  save({"N", 3}, {"N", 3}, {"N", 3});
  ExpectRefused({}, 3, {"(PRO-2)", "input 'a' is float32[N,3]", "--dim N=8"});
  ExpectRefused({"--dim", "M=8"}, 2, {"'M'", "it has 'N'"});
  save({1 << 16, 1 << 16}, {1}, {1 << 16, 1 << 16});
  EXPECT_EQ(Supremum({"emit-c", "m.onnx", "-o", "wide"}).status, 0);
  EXPECT_THAT(ReadText(File("wide/m.c")), HasSubstr("#if SIZE_MAX < 34359738368U\n#error"));
  save({std::int64_t{1} << 31, std::int64_t{1} << 31}, {1}, {std::int64_t{1} << 31, std::int64_t{1} << 31});
  ExpectRefused({}, 3, {"'a' is float32[2147483648,2147483648]", "no array exceeds 2^63 - 1 bytes"});
  constexpr std::int64_t kSide = std::int64_t{1} << 31;
  ModelBuilder work(13);
  work.Input("a", onnx::TensorProto::UINT8, {kSide, 1}).Input("b", onnx::TensorProto::UINT8, {1, kSide});
  work.Output("y", onnx::TensorProto::UINT8, {kSide, kSide}).Node("Max", {"a", "b"}, {"y"}, "outer");
  work.Save(File("m.onnx"));
  ExpectRefused({}, 3, {"node 'outer' (Max)", "2 elements for each of 4611686018427387904"});

  ModelBuilder other(13);
  other.Input("a", kFloat, {2}).Output("y", kFloat, {2}).Node("Relu", {"a"}, {"y"});
  other.Save(File("m.onnx"));
  ExpectRefused({}, 3, {"unsupported operator", "'Relu'"});
  ModelBuilder axes(18);
  axes.Input("a", kFloat, {2, 3})
      .Input("axes", onnx::TensorProto::INT64, {1})
      .Output("y", kFloat, {"N", "M"});
  axes.Node("ReduceMax", {"a", "axes"}, {"y"});
  axes.Save(File("m.onnx"));
  ExpectRefused({}, 3, {"the axes 'axes' are known only when the model runs (PRO-2)"});
  ModelBuilder wrong(13);
  wrong.Input("a", kFloat, {2, 3}).Output("y", kFloat, {2, 1});
  ModelBuilder::SetInts(wrong.Node("ReduceMax", {"a"}, {"y"}), "axes", {2});
  wrong.Save(File("m.onnx"));
  ExpectRefused({}, 3, {"(RED-2)"});
  ModelBuilder many(13);
  std::vector<std::string> inputs;
  for (int m = 0; m < 128; ++m) many.Input(inputs.emplace_back("a" + std::to_string(m)), kFloat, {2});
  many.Output("y", kFloat, {2}).Node("Max", inputs, {"y"});
  many.Save(File("m.onnx"));
  ExpectRefused({}, 3, {"129 parameters", "127"});
}

TEST_F(EmitC, NamesOfAnyBytesAreTextInEveryFile) {
  for (const std::string name : {"\xff\xfe", "\x1b[31m", "*/ #error", "a\\\n", "\u202eb", "?\?/"}) {
    ModelBuilder model(13);
    model.Input(name, kFloat, {2}).Output("y" + name, kFloat, {2}).Node("Max", {name}, {"y" + name}, name);
    model.Save(File("m.onnx"));
    const ProcessResult result = Supremum({"emit-c", "m.onnx", "-o", "c"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_FALSE(ParseJson(ReadText(File("c/m.json"))).empty());
    for (const char* file : {"c/m.h", "c/m.c", "c/m.json"}) {
      const std::string text = ReadText(File(file));
      EXPECT_TRUE(std::ranges::all_of(
          text, [](char c) { return c == '\n' || (c >= ' ' && c != 0x7F) || (c & 0x80) != 0; }));
      if (!std::string_view(file).ends_with("json")) {
        EXPECT_TRUE(std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; })) << file;
      }
    }
  }
}

TEST_F(EmitC, NamesOfTheFunction) {
  FuseModel({2}, {2}, {2}).Save(File("m.onnx"));
  for (const char* entry :
       {"3d", "a-b", "a__b", "_a", "while", "class", "in_a", "largest", "i0", "join_of_float",
        "bits_of_float", "uint32_t", "main", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
    ExpectRefused({"--entry", entry}, 2, {"--entry '" + std::string(entry) + "'"});
  }
  for (const auto& [file, entry] : {std::pair("3d.onnx", "model_3d"),
                                    {"double.onnx", "model_double"},
                                    {"a-b  c.onnx", "a_b_c"},
                                    {"y.onnx", "y"}}) {
    std::filesystem::copy_file(File("m.onnx"), File(file));
    ASSERT_EQ(Supremum({"emit-c", file, "-o", "c"}).status, 0) << file;
    EXPECT_THAT(ReadText(File("c/" + std::string(entry) + ".h")),
                HasSubstr("void " + std::string(entry) + "("));
  }
}

}  // namespace
}  // namespace supremum::test
