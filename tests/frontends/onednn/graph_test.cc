// Parsing of a oneDNN graph: its properties, its tensors, and the connections between its ops.
#include <fstream>
#include <iterator>

#include "frontends/onednn/testing.h"

namespace supremum::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string ReduceText(const std::string& attrs = Axes({1})) {
  return GraphText({OpText(0, "ReduceMax", attrs, {F32(0, {2, 3})}, {F32(1, {2})})});
}

/// ReduceText with `from`, which must be in it, replaced.
std::string Changed(const std::string& from, const std::string& to) {
  std::string text = ReduceText();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

template <class Item>
std::vector<std::uint64_t> Ids(const std::vector<Item>& items) {
  std::vector<std::uint64_t> ids;
  for (const Item& item : items) ids.push_back(item.id);
  return ids;
}

std::string ReadTestData(const std::string& name) {
  std::ifstream file(SUPREMUM_SOURCE_DIR "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(OneDnnGraph, SaysWhatItHolds) {
  const Result<OneDnnGraph> graph =
      OneDnnGraph::Parse(ReadTestData("examples/onednn/best_score.json"), "best_score.json");
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(graph->version(), "3.5.0");
  ASSERT_EQ(graph->ops().size(), 2u);
  EXPECT_EQ(Describe(graph->ops()[1]), "op 1 'best' (ReduceMax)");
  EXPECT_THAT(graph->ops()[0].inputs, ElementsAre(0, 1));
  EXPECT_THAT(graph->ops()[0].outputs, ElementsAre(2));
  EXPECT_THAT(Ids(graph->tensors()), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Ids(graph->inputs()), ElementsAre(0, 1));
  EXPECT_THAT(Ids(graph->outputs()), ElementsAre(3));
  const OneDnnTensor input = graph->inputs()[0];
  EXPECT_EQ(ToString(input), "f32[1,19,32,48]");
  EXPECT_THAT(*input.strides, ElementsAre(29184, 1, 912, 19));
  EXPECT_FALSE(graph->IsAxes(0));
}

TEST(OneDnnGraph, ReadsADumpOfAGraphThatIsNotInferred) {
  const Result<OneDnnGraph> graph =
      OneDnnGraph::Parse(ReadTestData("tests/frontends/onednn/data/dump.json"), "dump");
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_THAT(Ids(graph->inputs()), ElementsAre(94371840));
  EXPECT_THAT(Ids(graph->outputs()), ElementsAre(18446744073709551614u));
  EXPECT_EQ(graph->ops()[1].id, 18446744073709551615u);
  EXPECT_EQ(ToString(graph->tensors()[0]), "bf16");
  EXPECT_FALSE(graph->tensors()[0].strides);
}

TEST(OneDnnGraph, PortsThatAreNotListedAreFound) {
  const std::string text = GraphText({OpText(7, "Maximum", "", {F32(4, {2}), F32(9, {2})}, {F32(3, {2})}),
                                      OpText(8, "Maximum", "", {F32(3, {2}), F32(9, {2})}, {F32(1, {2})})});
  const Result<OneDnnGraph> graph = Parsed(text);
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_THAT(Ids(graph->inputs()), ElementsAre(4, 9));
  EXPECT_THAT(Ids(graph->outputs()), ElementsAre(1));
}

TEST(OneDnnGraph, ListedPortsDecideOrderAndOutputs) {
  const std::vector<std::string> ops = {OpText(7, "Maximum", "", {F32(4, {2}), F32(9, {2})}, {F32(3, {2})}),
                                        OpText(8, "Maximum", "", {F32(3, {2}), F32(9, {2})}, {F32(1, {2})})};
  const Result<OneDnnGraph> graph = Parsed(GraphText(ops, R"("input_ports":[9,4],"output_ports":[3],)"));
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_THAT(Ids(graph->inputs()), ElementsAre(9, 4));
  EXPECT_THAT(Ids(graph->outputs()), ElementsAre(3));

  const auto message = [&](const std::string& ports) { return Malformed(GraphText(ops, ports)); };
  EXPECT_EQ(message(R"("input_ports":[4],)"),
            "malformed file: 'g.json': tensor 9 is produced by no op and is not in 'input_ports'; add it to "
            "the list");
  EXPECT_EQ(message(R"("input_ports":[4,9,4],)"),
            "malformed file: 'g.json': 'input_ports' lists tensor 4 twice; list it once");
  EXPECT_EQ(
      message(R"("input_ports":[4,9,5],)"),
      "malformed file: 'g.json': 'input_ports' lists tensor 5, which no op has; remove it from the list");
  EXPECT_EQ(
      message(R"("input_ports":[4,9,3],)"),
      "malformed file: 'g.json': 'input_ports' lists tensor 3, which op 7 'n7' (Maximum) produces; remove it "
      "from the list");
  EXPECT_EQ(message(R"("output_ports":[1,9],)"),
            "malformed file: 'g.json': 'output_ports' lists tensor 9, which no op produces; remove it from "
            "the list");
  EXPECT_THAT(message(R"("output_ports":[1.5],)"),
              HasSubstr("'output_ports[0]' is 1.5; it must be a whole number from 0 to 2^64-1"));
  EXPECT_THAT(message(R"("output_ports":1,)"), HasSubstr("'output_ports' is 1; it must be a list"));
}

TEST(OneDnnGraph, AnOpThatNeedsACycleIsNamed) {
  const auto maximum = [](std::uint64_t id, std::uint64_t a, std::uint64_t b, std::uint64_t y) {
    return OpText(id, "Maximum", "", {F32(a, {2}), F32(b, {2})}, {F32(y, {2})});
  };
  EXPECT_EQ(Malformed(GraphText({maximum(0, 0, 1, 2), maximum(1, 2, 5, 3), maximum(2, 3, 0, 4),
                                 maximum(3, 4, 0, 5), maximum(4, 5, 5, 6)})),
            "malformed file: 'g.json': op 1 'n1' (Maximum) needs the output of a cycle of ops, or is one of "
            "them; a graph must have no cycle");
  EXPECT_THAT(Malformed(GraphText({maximum(0, 0, 1, 1)})), HasSubstr("op 0 'n0' (Maximum) needs"));
}

TEST(OneDnnGraph, IdsOfOpsAndOutputsAreTheirOwn) {
  const std::string y = F32(1, {2});
  EXPECT_EQ(Malformed(GraphText({OpText(0, "ReduceMax", Axes({1}), {F32(0, {2, 3})}, {y}),
                                 OpText(5, "ReduceMax", Axes({1}), {F32(0, {2, 3})}, {y})})),
            "malformed file: 'g.json': tensor 1 is produced twice, by op 0 'n0' (ReduceMax) and by op 5 'n5' "
            "(ReduceMax); give each output its own id");
  EXPECT_EQ(Malformed(GraphText({OpText(0, "ReduceMax", Axes({1}), {F32(0, {2, 3})}, {y}),
                                 OpText(0, "Maximum", "", {y, y}, {F32(2, {2})})})),
            "malformed file: 'g.json': op 0 'n0' (ReduceMax) and op 0 'n0' (Maximum) have the same id; give "
            "each op "
            "its own");
}

TEST(OneDnnGraph, ATensorHasOneDescription) {
  const auto again = [](const std::string& tensor) {
    return GraphText({OpText(0, "ReduceMax", Axes({}), {F32(0, {2, 3})}, {F32(1, {2, 3}, Integers{1, 2})}),
                      OpText(1, "ReduceMax", Axes({}), {tensor}, {F32(2, {2, 3})})});
  };
  const std::string where = "malformed file: 'g.json': op 1 'n1' (ReduceMax): input 0, tensor 1: it has ";
  const std::string end = " at an earlier place; one tensor has one description: correct the file";
  EXPECT_EQ(Malformed(again(F32(1, {3, 2}, Integers{1, 2}))),
            where + "shape [3,2] here and shape [2,3]" + end);
  EXPECT_EQ(Malformed(again(F32(1, {2}, Integers{1}))), where + "shape [2] here and shape [2,3]" + end);
  EXPECT_EQ(Malformed(again(TensorText(1, "f16", {2, 3}, Integers{1, 2}))),
            where + "dtype 'f16' here and dtype 'f32'" + end);
  // Extents and strides that one description leaves unknown are taken from the other.
  const Result<OneDnnGraph> graph = Parsed(again(F32(1, {-1, 3})));
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(ToString(graph->tensors()[1]), "f32[2,3]");
  EXPECT_THAT(*graph->tensors()[1].strides, ElementsAre(1, 2));
}

// Rules: RED-4
TEST(OneDnnGraph, WhatIsMissingUnknownOrOfTheWrongTypeIsNamedWithItsByte) {
  const auto attrs = [](const std::string& attribute) { return ReduceText(attribute); };
  const struct {
    std::string text;
    const char* error;
  } rows[] = {
      {"[]", "'g.json': byte 0: it is a list; it must be an object"},
      {"{}", "'g.json': byte 0: the object has no 'version'; add it, or write the file again"},
      {R"({"version":3,"graph":[]})", "'g.json': byte 11: 'version' is 3; it must be a text"},
      {Changed(R"("cpu")", "1"), "'engine_kind' is 1; it must be a text"},
      {Changed(R"("strict")", "{}"), "'fpmath_mode' is an object; it must be a text"},
      {GraphText({}), "'g.json': 'graph' lists no op; give a file that holds a graph"},
      {GraphText({"7"}), "'g.json': graph[0]: byte 71: it is 7; it must be an object"},
      {Changed(R"("name":"n0")", R"("name":0)"), "graph[0]: byte 86: 'name' is 0; it must be a text"},
      {Changed(R"("kind":"ReduceMax",)", ""), "the object has no 'kind'; add it"},
      {Changed(R"("attrs":{)", R"("attrs":[],"at":{)"),
       "op 0 'n0' (ReduceMax): byte 126: the key 'at' is not known; the keys are id, name, kind, attrs, "
       "inputs, outputs"},
      {GraphText({R"({"id":0,"kind":"Maximum","attrs":[],"inputs":[],"outputs":[]})"}),
       "op 0 (Maximum): byte 104: 'attrs' is a list; it must be an object"},
      {Changed(R"("dtype":"f32")", R"("dtype":32)"),
       "op 0 'n0' (ReduceMax): input 0, tensor 0: byte 183: 'dtype' is 32; it must be a text"},
      {Changed("[2,3]", "[2,-3]"), "'shape[1]' is -3; it must be an extent, or -1 for one that is not known"},
      {Changed("[2,3]", "[2,true]"), "'shape[1]' is true; it must be an integer of"},
      {Changed("[2,3]", "\"2x3\""), "'shape' is the text '2x3'; it must be a list"},
      {Changed(R"([2,3],)", R"([2,3],"stride":[1],)"),
       "'stride' is a list; it must be a list of one stride for each extent"},
      {Changed(R"("shape")", R"("shapes")"),
       "the key 'shapes' is not known; the keys are id, dtype, shape, stride, layout_type, property_type"},
      {Changed(R"("strided")", R"("blocked")"),
       "'layout_type' is the text 'blocked'; it must be 'strided', 'any', 'undef' or 'opaque'"},
      {Changed(R"("undef")", R"("const")"),
       "'property_type' is the text 'const'; it must be 'undef', 'variable', 'constant' or 'host_scalar'"},
      {attrs(R"("axis":{"type":"s64[]","value":[1]})"),
       "'g.json': op 0 'n0' (ReduceMax): the kind has no attribute 'axis'; it has 'axes' and 'keep_dims', "
       "and "
       "an unknown one could change the result: remove it"},
      {attrs(R"("axes":[1])"),
       "op 0 'n0' (ReduceMax): attribute 'axes': byte 126: it is a list; it must be an object"},
      {attrs(R"("axes":{"type":"s64[]"})"), "the object has no 'value'"},
      {attrs(R"("axes":{"value":[1]})"), "the object has no 'type'"},
      {attrs(R"("axes":{"type":"s64[]","value":[1],"unit":"m"})"),
       "the key 'unit' is not known; the keys are type, value"},
      {attrs(R"("axes":{"type":"s64","value":1})"), "'type' is the text 's64'; it must be the text 's64[]'"},
      {attrs(R"("axes":{"type":"s64[]","value":1})"), "'value' is 1; it must be a list"},
      {attrs(R"("axes":{"type":"s64[]","value":[1.0]})"),
       "'value[0]' is 1.0; it must be an integer of 64 bits"},
      {attrs(R"("keep_dims":{"type":"bool","value":2})"),
       "attribute 'keep_dims': byte 154: 'value' is 2; it must be true, false, 1 or 0"},
      {MaximumText(F32(0, {2}), F32(1, {2}), F32(2, {2}),
                   R"("auto_broadcast":{"type":"string","value":"pdpd"})"),
       "'value' is the text 'pdpd'; it must be 'none' or 'numpy'"},
  };
  for (const auto& row : rows) EXPECT_THAT(Malformed(row.text), HasSubstr(row.error));
  for (const char* version : {"3", "3.0", "3.0.0.0", "3.0.x", "v3.0.0", "-3.0.0", "99999999999.0.0", ""}) {
    EXPECT_THAT(Malformed(Changed("3.0.0", version)),
                HasSubstr("; it must be three numbers with dots: '3.0.0'"));
  }
  for (const char* id : {"-1", "0.0", "18446744073709551616", "\"0\"", "null", "[0]", "1e0"}) {
    EXPECT_THAT(Malformed(Changed(R"("id":0,"dtype")", std::string(R"("id":)") + id + R"(,"dtype")")),
                HasSubstr("; it must be a whole number from 0 to 2^64-1"))
        << id;
  }
}

TEST(OneDnnGraph, AnOpHasOneOutput) {
  const std::string x = F32(0, {2}), y = F32(1, {2}), z = F32(2, {2});
  EXPECT_EQ(Malformed(GraphText({OpText(0, "Maximum", "", {x, x}, {y, z})})),
            "malformed file: 'g.json': op 0 'n0' (Maximum): it has 2 outputs; the kind has one, dst");
  EXPECT_THAT(Malformed(GraphText({OpText(0, "ReduceMax", Axes({0}), {x}, {})})),
              HasSubstr("it has 0 outputs"));
  EXPECT_TRUE(Parsed(GraphText({OpText(0, "Split", "", {x}, {y, z})})));
}

TEST(OneDnnGraph, NamesAreShownWithoutTheirControlCharacters) {
  const std::string message =
      Malformed(Changed(R"("n0","kind":"ReduceMax")", R"("\u001b[31m\n'","kind":"Redu\u0007")") + "x");
  for (char c : message) EXPECT_GE(c, 0x20) << message;
  const Error error =
      ErrorOf(RunText(Changed(R"("n0","kind":"ReduceMax")", R"("\u001b","kind":"A\u0007")"), {}));
  EXPECT_THAT(error.message, HasSubstr("op 0 '\\x1b' (A\\x07): the kind 'A\\x07' is not executed"));
}

TEST(OneDnnGraph, WhatCannotBeKnownIsUnsupported) {
  const Error opaque = ErrorOf(Parsed(Changed(R"("strided")", R"("opaque")")));
  EXPECT_EQ(opaque.code, ErrorCode::kUnsupportedFormat);
  EXPECT_EQ(opaque.message,
            "unsupported format: 'g.json': op 0 'n0' (ReduceMax): input 0, tensor 0: its layout is opaque, "
            "known to "
            "oneDNN alone; dump the graph before it is compiled, or reorder the tensor to a strided layout");
  const Error old = ErrorOf(Parsed(Changed("3.0.0", "2.7.0")));
  EXPECT_EQ(old.code, ErrorCode::kUnsupportedFormat);
  EXPECT_EQ(old.message,
            "unsupported format: 'g.json': it is of version 2.7.0; graphs of version 3.0.0 and later are "
            "read: write "
            "it with a newer oneDNN");
}

TEST(OneDnnGraph, EveryLayoutAndPropertyThatOneDnnWritesIsRead) {
  for (const char* layout : {"strided", "any", "undef"}) {
    EXPECT_TRUE(Parsed(Changed(R"("strided")", std::string("\"") + layout + "\"")));
  }
  for (const char* property : {"undef", "variable", "constant", "host_scalar"}) {
    EXPECT_TRUE(Parsed(Changed(R"("undef")", std::string("\"") + property + "\"")));
  }
  EXPECT_TRUE(Parsed(Changed(R"("engine_kind":"cpu","fpmath_mode":"strict",)", R"("note":[{}],)")));
  EXPECT_TRUE(Parsed(Changed("3.0.0", "4.12.1")));
}

TEST(OneDnnGraph, WhatIsReadIsLimited) {
  ExpectError(OneDnnGraph::Parse(ReduceText(), "g.json", 100), ErrorCode::kLimitExceeded);
}

}  // namespace
}  // namespace supremum::test
