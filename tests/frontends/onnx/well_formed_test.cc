// CheckModel and Model::Parse refuse a graph that is not well-formed, and report the place and the fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "frontends/onnx/testing.h"
#include "supremum/check.h"

namespace supremum::test {
namespace {

constexpr const char* kTopological = "; nodes must be in topological order, without a cycle";
constexpr const char* kNothing = " is produced by nothing in the graph";

// In every profile, and where nothing is judged.
void ExpectMalformed(const ModelBuilder& model, const std::string& error) {
  SCOPED_TRACE(error);
  const std::string bytes = model.Serialize();
  const auto data = std::as_bytes(std::span(bytes));
  const std::vector<std::string> parts = {"malformed file: 'm.onnx'" + error};
  ExpectError(CheckModel(data, "m.onnx", {}), ErrorCode::kMalformedFile, parts);
  ExpectError(CheckModel(data, "m.onnx", {.profile = Profile::kSonnx}), ErrorCode::kMalformedFile, parts);
  ExpectError(Model::Parse(data, "m.onnx"), ErrorCode::kMalformedFile, parts);
}

// The graph has the input x and the output y.
TEST(WellFormed, NodesThatMakeNoGraphAreRefused) {
  const std::pair<std::string, std::string> rows[] = {
      {"y = Max(a) a = Max(x)",
       ": node #0 (Max, output 'y'): its input 'a' is produced only later, by node #1 (Max, output 'a')" +
           std::string(kTopological)},
      {"a = Max(x, y) y = Max(a)",
       ": node #0 (Max, output 'a'): its input 'y' is produced only later, by node #1 (Max, output 'y')"},
      {"y = Max(y)",
       ": node #0 (Max, output 'y'): its input 'y' is produced only later, by node #0 (Max, output 'y')"},
      {"y = Max(x) y = Max(x)",
       ": node #1 (Max, output 'y'): its output 'y' already names another value of the graph"},
      {"y, y = other.F(x)", ": node #0 (F, output 'y'): its output 'y' already names"},
      {"x = Max(x)", ": node #0 (Max, output 'x'): its output 'x' already names"},
      {"y = Max(q)", std::string(": node #0 (Max, output 'y'): its input 'q'") + kNothing},
      {"y = Conv(x, w)", std::string(": node #0 (Conv, output 'y'): its input 'w'") + kNothing},
      {"y = other.F(w)", std::string(": node #0 (F, output 'y'): its input 'w'") + kNothing},
      {"z = Max(x)", ": graph output 'y': nothing in the graph produces it"},
      {"y = ReduceMax <axes : ints = @p> (x)",
       ": node #0 (ReduceMax, output 'y'): the attribute 'axes' takes its value from a call of a function, "
       "and "
       "the node is in none; write the value into the node"}};
  for (const auto& [nodes, error] : rows) {
    ExpectMalformed(TextModel("(float[] x) => (float[] y) { " + nodes + " }"), error);
  }
}

// y is computed by an If with the branch g.
TEST(WellFormed, SubgraphsThatAreNoGraphsAreRefused) {
  const std::string g = ": node #0 (If, output 'y'), attribute 'then_branch', ";
  const std::pair<std::string, std::string> rows[] = {
      {"g () => (float[] z) { z = Max(q) }", g + "node #0 (Max, output 'z'): its input 'q'" + kNothing},
      {"g () => (float[] z) { z = Max(late) }", g + "node #0 (Max, output 'z'): its input 'late'"},
      {"g () => (float[] z) { z = Max(y) }", g + "node #0 (Max, output 'z'): its input 'y'"},
      {"g () => (float[] z) { z = Max(b) b = Max(x) }",
       g + "node #0 (Max, output 'z'): its input 'b' is produced only later, by node #1 (Max, output 'b')"},
      {"g () => (float[] z) { z = Max(x) z = Max(x) }",
       g + "node #1 (Max, output 'z'): its output 'z' already names"},
      {"g () => (float[] w) { z = Max(x) }", g + "graph output 'w': nothing in the graph produces it"},
      {"g (float[] i, float[] i) => (float[] z) { z = Max(i) }",
       g + "graph input 'i': this name is given to two graph inputs"},
      {"g () => (float[] z) { z = If <else_branch = h () => (float[] w) { w = Max(q) }> (x) }",
       g + "node #0 (If, output 'z'), attribute 'else_branch', node #0 (Max, output 'w'): its input 'q'"},
      {"g () => (float[] z) { z = Max(x) }, else_branch = h () => (float[] w) { w = Max(z) }",
       ": node #0 (If, output 'y'), attribute 'else_branch', node #0 (Max, output 'w'): its input 'z'"},
      {"g () => (float[] c) { c = Max(x) }",
       g + "node #0 (Max, output 'c'): its output 'c' already names a value of a graph around it; give it "
           "another name"},
      {"g () => (float[] x) { x = Max(x) }",
       g + "node #0 (Max, output 'x'): its output 'x' already names a value of a graph around it"},
      {"g () => (float[] z) { z = If <else_branch = h () => (float[] x) { x = Max(c) }> (x) }",
       g + "node #0 (If, output 'z'), attribute 'else_branch', node #0 (Max, output 'x'): its output 'x' "
           "already names a value of a graph around it"}};
  for (const auto& [graph, error] : rows) {
    ExpectMalformed(TextModel("(float[] x, float[] c) => (float[] y) { y = If <then_branch = " + graph +
                              "> (x) late = Max(x) }"),
                    error);
  }
  ModelBuilder list =
      TextModel("(float[] x) => (float[] y) { y = other.F <all = h () => (float[] z) { z = Max(q) }> (x) }");
  MakeList(*list.graph()->mutable_node(0)->mutable_attribute(0));
  ExpectMalformed(list,
                  ": node #0 (F, output 'y'), attribute 'all', node #0 (Max, output 'z'): its input 'q'");
  ExpectMalformed(TextModel(R"((float[] x) => (float[] y) {
    c = If <then_branch = g () => (float[] z) { z = Max(x) }> (x)
    y = Max(z) })"),
                  std::string(": node #1 (Max, output 'y'): its input 'z'") + kNothing);
}

TEST(WellFormed, FunctionsThatAreNoGraphsAreRefused) {
  const std::string f = ": function 'f', ";
  const std::pair<std::string, std::string> rows[] = {
      {"(a) => (b) { b = Max(q) }", f + "node #0 (Max, output 'b'): its input 'q'" + kNothing},
      {"(a) => (b) { b = Max(x) }", f + "node #0 (Max, output 'b'): its input 'x'" + kNothing},
      {"(a) => (b) { b = Max(c) c = Max(a) }",
       f + "node #0 (Max, output 'b'): its input 'c' is produced only later"},
      {"(a) => (a) { a = Max(a) }", f + "node #0 (Max, output 'a'): its output 'a' already names"},
      {"(a) => (z) { b = Max(a) }", f + "output 'z': nothing in the function produces it"},
      {"(a, a) => (b) { b = Max(a) }", f + "input 'a': this name is given to two inputs"},
      {"(a) => (b) { b = If <then_branch = g () => (float[] a) { a = Max(a) }> (a) }",
       f + "node #0 (If, output 'b'), attribute 'then_branch', node #0 (Max, output 'a'): its output 'a' "
           "already names a value of a graph around it"}};
  for (const auto& [function, error] : rows) {
    ExpectMalformed(TextModel("(float[] x) => (float[] y) { y = Max(x) } FN f " + function), error);
  }
  ExpectMalformed(TextModel("(float[] x) => (float[] y) { y = Max(x) } <domain: \"local\", opset_import: "
                            "[\"\" : 0]> f (a) => (b) { b = Max(a) }"),
                  ": function 'f': it imports opset 0; the first is 1");
}

// Faults that the text form of a model cannot express.
TEST(WellFormed, NamesThatAreMissingOrGivenTwiceAreRefused) {
  const auto sparse = [](ModelBuilder& b, const std::string& name) {
    b.graph()->add_sparse_initializer()->mutable_values()->set_name(name);
  };
  const std::pair<std::function<void(ModelBuilder&)>, const char*> rows[] = {
      {[](ModelBuilder& b) { b.graph()->mutable_output(0)->clear_name(); },
       ": graph output '': nothing in the graph produces it"},
      {[](ModelBuilder& b) { b.Input("x", kFloat, {2}); },
       ": graph input 'x': this name is given to two graph inputs"},
      {[](ModelBuilder& b) { b.Input("", kFloat, {2}); }, ": graph input #1 has no name"},
      {[](ModelBuilder& b) { b.Initializer<float>("c", kFloat, {1}, {4}); },
       ": initializer 'c': this name is given to two initializers"},
      {[](ModelBuilder& b) { b.Initializer<float>("", kFloat, {1}, {4}); }, ": initializer #1 has no name"},
      {[&](ModelBuilder& b) { sparse(b, ""); }, ": sparse initializer #0 has no name"},
      {[&](ModelBuilder& b) { sparse(b, "c"); },
       ": sparse initializer 'c': this name is given to two initializers"},
      {[](ModelBuilder& b) { b.Node("Max", {"x"}, {"c"}); },
       ": node #1 (Max, output 'c'): its output 'c' already names"},
      {[](ModelBuilder& b) { b.graph()->mutable_node(0)->clear_op_type(); },
       ": node #0 (, output 'y'): it has no operator"},
      {[](ModelBuilder& b) { b.model().mutable_functions(0)->mutable_node(0)->clear_op_type(); },
       ": function 'f', node #0 (, output 'b'): it has no operator"}};
  for (const auto& [spoil, error] : rows) {
    ModelBuilder builder =
        TextModel("(float[] x) => (float[] y) { y = Max(x) } FN f (a) => (b) { b = Max(a) }");
    builder.Initializer<float>("c", kFloat, {1}, {4});
    spoil(builder);
    ExpectMalformed(builder, error);
  }
}

// ONNX asks only of a node's output that it has no name that is visible from outside.
TEST(WellFormed, NamesFromOutsideAndThoseThatAreNotVisibleMayBeUsed) {
  const std::string both =
      "y = If <then_branch = g () => (float[] z) { z = Max(x) }, "
      "else_branch = h () => (float[] z) { z = Max(x) }> (x) ";
  for (const std::string& nodes :
       {std::string("y, more = other.Clip(x, x)"), both, both + "z = Max(y)",
        std::string("c = Max(x) y = If <then_branch = g () => (float[] z) { z = Max(c) }, "
                    "else_branch = h () => (float[] c) {}> (c)"),
        std::string("y = Loop <body = g (float[] x) => (float[] z) { z = Max(x) }> (x)"),
        std::string("y = Max(x) } FN f (a) => (b) { b = local.g(a) } FN g (a) => (b) { b = Max(a)")}) {
    ModelBuilder builder = TextModel("(float[] x) => (float[] y, float[] x) { " + nodes + " }");
    if (nodes.starts_with("y, more")) {
      builder.graph()->mutable_node(0)->set_input(1, "");
      builder.graph()->mutable_node(0)->set_output(1, "");
    }
    const std::string bytes = builder.Serialize();
    const auto report = CheckModel(std::as_bytes(std::span(bytes)), "m.onnx", {});
    EXPECT_TRUE(report) << nodes << ": " << report.error().message;
  }
}

}  // namespace
}  // namespace supremum::test
