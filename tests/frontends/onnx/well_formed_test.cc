// What is no graph is refused by every entry point, with the place and the word for it.
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <type_traits>

#include "frontends/onnx/testing.h"
#include "supremum/check.h"
#include "supremum/model.h"

namespace supremum::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kNoTexts = "the messages of this onnx library have no texts";

// Nothing of messages that have no texts, as those of newer onnx libraries.
template <class Message>
std::string BytesOfText(const std::string& text) {
  Message message;
  if constexpr (std::is_base_of_v<google::protobuf::Message, Message>) {
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  }
  return message.SerializeAsString();
}

// In the texts of models, @ is the beginning of a model of opset 13 with the graph input x, and
// N(in -> out) a Max node.
std::string ModelBytesOf(std::string text) {
  const auto replace = [&text](const std::string& from, const auto& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
      const std::size_t end = from == "N(" ? text.find(')', at) + 1 : at + from.size();
      const std::string with = to(text.substr(at, end - at));
      text.replace(at, end - at, with);
      at += with.size();
    }
  };
  replace("N(", [](const std::string& found) {
    const std::size_t arrow = found.find(" -> ");
    std::string inputs;
    std::string names = found.substr(2, arrow - 2) + " ";
    for (std::size_t at = 0, end; (end = names.find(' ', at)) != std::string::npos; at = end + 1) {
      if (end > at) inputs += " input: '" + names.substr(at, end - at) + "'";
    }
    const std::string output = found.substr(arrow + 4, found.size() - arrow - 5);
    return "node { op_type: 'Max' name: 'to_" + output + "'" + inputs + " output: '" + output + "' }";
  });
  replace("@", [](const std::string&) {
    return std::string(
        "ir_version: 8 opset_import { domain: '' version: 13 } graph { name: 'g' input { name: 'x' }");
  });
  return BytesOfText<onnx::ModelProto>(text);
}

struct Malformed {
  const char* name;
  const char* model;
  const char* error;  // after "malformed file: 'm.onnx'"
};

const Malformed kMalformed[] = {
    {"NodesOutOfOrder", "@ N(a -> y) N(x -> a) output { name: 'y' } }",
     ": node 'to_y' (Max): its input 'a' is produced only later, by node 'to_a' (Max); nodes must be in "
     "topological order, without a cycle"},
    {"ACycleOfTwo", "@ N(x b -> a) N(a -> b) output { name: 'b' } }",
     ": node 'to_a' (Max): its input 'b' is produced only later, by node 'to_b' (Max)"},
    {"ANodeThatReadsItself", "@ N(y -> y) output { name: 'y' } }",
     ": node 'to_y' (Max): its input 'y' is produced only later, by node 'to_y' (Max)"},
    {"TwoNodesThatWriteOneName", "@ N(x -> y) N(x -> y) output { name: 'y' } }",
     ": node 'to_y' (Max): its output 'y' already names another value of the graph"},
    {"ANodeThatWritesOneNameTwice",
     "@ node { op_type: 'Split' input: 'x' output: 'y' output: 'y' } output { name: 'y' } }",
     ": node #0 (Split, output 'y'): its output 'y' already names another value of the graph"},
    {"ANodeThatWritesAnInput", "@ N(x -> x) output { name: 'x' } }",
     ": node 'to_x' (Max): its output 'x' already names another value of the graph"},
    {"ANodeThatWritesAnInitializer",
     "@ initializer { name: 'c' dims: 0 data_type: 1 } N(x -> c) output { name: 'c' } }",
     ": node 'to_c' (Max): its output 'c' already names another value of the graph"},
    {"AnInputThatNothingProduces", "@ N(x nowhere -> y) output { name: 'y' } }",
     ": node 'to_y' (Max): its input 'nowhere' is produced by nothing in the graph"},
    {"AnInputOfAnotherOperatorThatNothingProduces",
     "@ node { op_type: 'Conv' input: 'x' input: 'w' output: 't' } N(t -> y) output { name: 'y' } }",
     ": node #0 (Conv, output 't'): its input 'w' is produced by nothing in the graph"},
    {"AnInputOfAnotherDomainThatNothingProduces",
     "@ node { op_type: 'F' domain: 'd' input: 'w' output: 't' } N(x -> y) output { name: 'y' } }",
     ": node #0 (F, output 't'): its input 'w' is produced by nothing in the graph"},
    {"AnOutputThatNothingProduces", "@ N(x -> y) output { name: 'z' } }",
     ": graph output 'z': nothing in the graph produces it"},
    {"AnOutputWithoutAName", "@ N(x -> y) output { name: '' } }",
     ": graph output '': nothing in the graph produces it"},
    {"TwoInputsOfOneName", "@ input { name: 'x' } N(x -> y) output { name: 'y' } }",
     ": graph input 'x': this name is given to two graph inputs"},
    {"AnInputWithoutAName", "@ input { name: '' } N(x -> y) output { name: 'y' } }",
     ": graph input #1 has no name"},
    {"TwoInitializersOfOneName",
     "@ initializer { name: 'c' dims: 0 data_type: 1 } initializer { name: 'c' dims: 0 data_type: 1 } "
     "N(x -> y) output { name: 'y' } }",
     ": initializer 'c': this name is given to two initializers"},
    {"AnInitializerWithoutAName", "@ initializer { dims: 0 data_type: 1 } N(x -> y) output { name: 'y' } }",
     ": initializer #0 has no name"},
    {"ASparseInitializerWithoutAName",
     "@ sparse_initializer { values { data_type: 1 dims: 0 } dims: 1 } N(x -> y) output { name: 'y' } }",
     ": sparse initializer #0 has no name"},
    {"ADenseAndASparseInitializerOfOneName",
     "@ initializer { name: 'c' dims: 0 data_type: 1 } sparse_initializer { values { name: 'c' data_type: 1 "
     "dims: 0 } dims: 1 } N(x -> y) output { name: 'y' } }",
     ": sparse initializer 'c': this name is given to two initializers"},
    {"ANodeWithoutAnOperator", "@ node { name: 'n' input: 'x' output: 't' } N(x -> y) output { name: 'y' } }",
     "it has no operator"},
    {"ASubgraphThatReadsNothing",
     "@ node { op_type: 'If' name: 'if' input: 'x' output: 'y' attribute { name: 'then_branch' type: GRAPH g "
     "{ name: 's' N(q -> z) output { name: 'z' } } } } output { name: 'y' } }",
     ": node 'if' (If), attribute 'then_branch', node 'to_z' (Max): its input 'q' is produced by nothing "
     "in the graph"},
    {"ASubgraphThatReadsWhatComesLaterOutside",
     "@ node { op_type: 'If' name: 'if' input: 'x' output: 'y' attribute { name: 'then_branch' type: GRAPH g "
     "{ name: 's' N(late -> z) output { name: 'z' } } } } N(x -> late) output { name: 'y' } }",
     ": node 'if' (If), attribute 'then_branch', node 'to_z' (Max): its input 'late'"},
    {"ASubgraphThatReadsItsOwnNodesOutput",
     "@ node { op_type: 'If' name: 'if' input: 'x' output: 'y' attribute { name: 'then_branch' type: GRAPH g "
     "{ name: 's' N(y -> z) output { name: 'z' } } } } output { name: 'y' } }",
     ": node 'if' (If), attribute 'then_branch', node 'to_z' (Max): its input 'y'"},
    {"ASubgraphOutOfOrder",
     "@ node { op_type: 'If' name: 'if' input: 'x' output: 'y' attribute { name: 'else_branch' type: GRAPH g "
     "{ name: 's' N(b -> z) N(x -> b) output { name: 'z' } } } } output { name: 'y' } }",
     ": node 'if' (If), attribute 'else_branch', node 'to_z' (Max): its input 'b' is produced only "
     "later, by node 'to_b' (Max)"},
    {"ASubgraphWithTwoProducers",
     "@ node { op_type: 'If' name: 'if' input: 'x' output: 'y' attribute { name: 'else_branch' type: GRAPH g "
     "{ name: 's' N(x -> z) N(x -> z) output { name: 'z' } } } } output { name: 'y' } }",
     ": node 'if' (If), attribute 'else_branch', node 'to_z' (Max): its output 'z' already names"},
    {"ASubgraphWhoseOutputNothingProduces",
     "@ node { op_type: 'If' name: 'if' input: 'x' output: 'y' attribute { name: 'else_branch' type: GRAPH g "
     "{ name: 's' N(x -> z) output { name: 'w' } } } } output { name: 'y' } }",
     ": node 'if' (If), attribute 'else_branch', graph output 'w': nothing in the graph produces it"},
    {"ASubgraphWithTwoInputsOfOneName",
     "@ node { op_type: 'Loop' name: 'l' input: 'x' output: 'y' attribute { name: 'body' type: GRAPH g "
     "{ name: 's' input { name: 'i' } input { name: 'i' } N(i -> z) output { name: 'z' } } } } output { "
     "name: "
     "'y' } }",
     ": node 'l' (Loop), attribute 'body', graph input 'i': this name is given to two graph inputs"},
    {"ASubgraphInAListOfGraphs",
     "@ node { op_type: 'F' domain: 'd' name: 'f' input: 'x' output: 'y' attribute { name: 'all' type: "
     "GRAPHS "
     "graphs { name: 's' N(x -> z) output { name: 'z' } } graphs { name: 's' N(q -> z) output { name: 'z' } "
     "} "
     "} } output { name: 'y' } }",
     "attribute 'all', node 'to_z' (Max): its input 'q' is produced by nothing"},
    {"ASubgraphOfASubgraph",
     "@ node { op_type: 'If' name: 'a' input: 'x' output: 'y' attribute { name: 'then_branch' type: GRAPH g "
     "{ name: 's' node { op_type: 'If' name: 'b' input: 'x' output: 'z' attribute { name: 'then_branch' "
     "type: GRAPH g { name: 't' N(q -> w) output { name: 'w' } } } } output { name: 'z' } } } } output { "
     "name: 'y' } }",
     ": node 'a' (If), attribute 'then_branch', node 'b' (If), attribute 'then_branch', node 'to_w' "
     "(Max): its input 'q' is produced by nothing"},
    {"AValueOfASubgraphThatIsReadOutside",
     "@ node { op_type: 'If' name: 'if' input: 'x' output: 'c' attribute { name: 'then_branch' type: GRAPH g "
     "{ name: 's' N(x -> z) output { name: 'z' } } } } N(z -> y) output { name: 'y' } }",
     ": node 'to_y' (Max): its input 'z' is produced by nothing in the graph"},
    {"AValueOfOneBranchThatIsReadInTheOther",
     "@ node { op_type: 'If' name: 'if' input: 'x' output: 'y' attribute { name: 'then_branch' type: GRAPH g "
     "{ name: 's' N(x -> z) output { name: 'z' } } } attribute { name: 'else_branch' type: GRAPH g { name: "
     "'t' N(z -> w) output { name: 'w' } } } } output { name: 'y' } }",
     "attribute 'else_branch', node 'to_w' (Max): its input 'z' is produced by nothing"},
    {"AFunctionThatReadsNothing",
     "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' input: 'a' output: 'b' N(q -> b) "
     "}",
     ": function 'f', node 'to_b' (Max): its input 'q' is produced by nothing"},
    {"AFunctionThatReadsTheMainGraph",
     "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' input: 'a' output: 'b' N(x -> b) "
     "}",
     ": function 'f', node 'to_b' (Max): its input 'x' is produced by nothing"},
    {"AFunctionOutOfOrder",
     "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' input: 'a' output: 'b' N(c -> b) "
     "N(a -> c) }",
     ": function 'f', node 'to_b' (Max): its input 'c' is produced only later"},
    {"AFunctionThatWritesItsInput",
     "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' input: 'a' output: 'a' N(a -> a) "
     "}",
     ": function 'f', node 'to_a' (Max): its output 'a' already names"},
    {"AFunctionWhoseOutputNothingProduces",
     "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' input: 'a' output: 'z' N(a -> b) "
     "}",
     ": function 'f', output 'z': nothing in the function produces it"},
    {"AFunctionWithTwoInputsOfOneName",
     "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' input: 'a' input: 'a' output: 'b' "
     "N(a -> b) }",
     ": function 'f', input 'a': this name is given to two inputs"},
    {"AFunctionThatCallsItself",
     "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' input: 'a' output: 'b' node { "
     "op_type: 'f' domain: 'd' input: 'a' output: 'b' } }",
     ": function 'f': it calls the function 'f', which leads back to it"},
    {"TwoFunctionsThatCallEachOther",
     "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' input: 'a' output: 'b' node { "
     "op_type: 'g' domain: 'd' input: 'a' output: 'b' } } functions { name: 'g' domain: 'd' input: 'a' "
     "output: 'b' node { op_type: 'f' domain: 'd' input: 'a' output: 'b' } }",
     ": function 'g': it calls the function 'f', which leads back to it"},
    {"AFunctionThatCallsItselfInASubgraph",
     "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' input: 'a' output: 'b' node { "
     "op_type: 'If' input: 'a' output: 'b' attribute { name: 'then_branch' type: GRAPH g { name: 's' node { "
     "op_type: 'f' domain: 'd' input: 'a' output: 'z' } output { name: 'z' } } } } }",
     ": function 'f': it calls the function 'f', which leads back to it"},
    {"AnAttributeOfAFunctionsCallOutsideOfFunctions",
     "@ node { op_type: 'ReduceMax' input: 'x' output: 'y' attribute { name: 'axes' type: INTS "
     "ref_attr_name: "
     "'p' } } output { name: 'y' } }",
     ": node #0 (ReduceMax, output 'y'): the attribute 'axes' takes its value from a call of a function, and "
     "the node is in none; write the value into the node"},
    {"AFunctionOfNoOpset",
     "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' opset_import { version: 0 } }",
     ": function 'f': it imports opset 0; the first is 1"},
    {"ANodeOfAFunctionWithoutAnOperator",
     "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' input: 'a' output: 'b' node { "
     "input: 'a' output: 'b' } }",
     ": function 'f', node #0 (, output 'b'): it has no operator"},
    {"ABranchThatNamesAnOuterNodesOutputAgain",
     "@ N(x -> c) node { op_type: 'If' name: 'choose' input: 'c' output: 'y' attribute { name: 'then_branch' "
     "type: GRAPH "
     "g { name: 's' N(x -> c) output { name: 'c' } } } } output { name: 'y' } }",
     ": node 'choose' (If), attribute 'then_branch', node 'to_c' (Max): its output 'c' already names a value "
     "of "
     "a graph around it; give it another name"},
    {"ABranchThatNamesAnOuterInputAgain",
     "@ N(x -> c) node { op_type: 'If' name: 'choose' input: 'c' output: 'y' attribute { name: 'then_branch' "
     "type: GRAPH "
     "g { name: 's' N(c -> x) output { name: 'x' } } } } output { name: 'y' } }",
     ": node 'choose' (If), attribute 'then_branch', node 'to_x' (Max): its output 'x' already names a value "
     "of "
     "a graph around it"},
    {"ABranchInABranchThatNamesAnOuterInputAgain",
     "@ N(x -> c) node { op_type: 'If' name: 'choose' input: 'c' output: 'y' attribute { name: 'then_branch' "
     "type: GRAPH "
     "g { name: 's' node { op_type: 'If' name: 'again' input: 'c' output: 'z' attribute { name: "
     "'else_branch' type: GRAPH g { name: 't' N(c -> x) output { name: 'x' } } } } output { name: 'z' } } } "
     "} output { name: 'y' } }",
     ": node 'choose' (If), attribute 'then_branch', node 'again' (If), attribute 'else_branch', node 'to_x' "
     "(Max): its output 'x' already names a value of a graph around it"},
    {"ABranchOfAFunctionThatNamesAnInputAgain",
     "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' input: 'a' output: 'b' node { "
     "op_type: 'If' name: 'choose' input: 'a' output: 'b' attribute { name: 'then_branch' type: GRAPH g { "
     "name: 's' N(a -> a) output { name: 'a' } } } } }",
     ": function 'f', node 'choose' (If), attribute 'then_branch', node 'to_a' (Max): its output 'a' already "
     "names a value of a graph around it"},
};

class WellFormed : public ::testing::TestWithParam<Malformed> {};

// In every profile, and where nothing is judged.
TEST_P(WellFormed, WhatIsNoGraphIsRefusedByEveryEntryPoint) {
  const std::string bytes = ModelBytesOf(GetParam().model);
  if (bytes.empty()) GTEST_SKIP() << kNoTexts;
  const auto data = std::as_bytes(std::span(bytes));
  std::string first;
  for (const Profile profile : {Profile::kOnnx, Profile::kSonnx}) {
    CheckOptions options;
    options.profile = profile;
    const auto report = CheckModel(data, "m.onnx", options);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::kMalformedFile);
    EXPECT_THAT(report.error().message, HasSubstr("'m.onnx'"));
    EXPECT_THAT(report.error().message, HasSubstr(GetParam().error));
    first = report.error().message;
  }
  const auto model = Model::Parse(data, "m.onnx");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().message, first);
}

INSTANTIATE_TEST_SUITE_P(Models, WellFormed, ::testing::ValuesIn(kMalformed),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(WellFormedModels, NamesFromOutsideOptionalInputsAndDefaultsAreNoFaults) {
  for (const char* const text :
       {"@ initializer { name: 'x' dims: 0 data_type: 1 } N(x -> y) output { name: 'y' } }",
        "@ node { op_type: 'Clip' input: 'x' input: '' input: 'x' output: 'y' output: '' output: '' } output "
        "{ "
        "name: 'y' } }",
        "@ N(x -> c) node { op_type: 'If' input: 'c' output: 'y' attribute { name: 'then_branch' type: GRAPH "
        "g "
        "{ name: 's' N(c -> z) output { name: 'z' } } } attribute { name: 'else_branch' type: GRAPH g { "
        "name: "
        "'t' output { name: 'c' } } } } output { name: 'y' } }",
        "@ N(x -> y) output { name: 'y' } } functions { name: 'f' domain: 'd' input: 'a' output: 'b' node { "
        "op_type: 'g' domain: 'd' input: 'a' output: 'b' } } functions { name: 'g' domain: 'd' input: 'a' "
        "output: 'b' N(a -> b) }",
        "@ N(x -> y) output { name: 'x' } output { name: 'y' } }"}) {
    const std::string bytes = ModelBytesOf(text);
    if (bytes.empty()) GTEST_SKIP() << kNoTexts;
    const auto report = CheckModel(std::as_bytes(std::span(bytes)), "m.onnx", {});
    EXPECT_TRUE(report) << text << ": " << report.error().message;
  }
}

// ONNX asks only of a node's output that it has no name that is visible from outside.
TEST(WellFormedModels, ANameThatIsNotVisibleFromOutsideMayBeUsedAgain) {
  const std::string branch = "{ name: 's' N(x -> z) output { name: 'z' } }";
  const std::string both = "attribute { name: 'then_branch' type: GRAPH g " + branch +
                           " } attribute { name: 'else_branch' type: GRAPH g " + branch + " }";
  for (const std::string& text :
       {"@ node { op_type: 'If' input: 'x' output: 'y' " + both + " } output { name: 'y' } }",
        "@ node { op_type: 'If' input: 'x' output: 'y' " + both + " } N(y -> z) output { name: 'z' } }",
        "@ node { op_type: 'If' input: 'x' output: 'z' " + both + " } output { name: 'z' } }",
        std::string(
            "@ node { op_type: 'Loop' input: 'x' output: 'y' attribute { name: 'body' type: GRAPH g { "
            "name: 's' input { name: 'x' } N(x -> z) output { name: 'z' } } } } output { name: 'y' } }")}) {
    const std::string bytes = ModelBytesOf(text);
    if (bytes.empty()) GTEST_SKIP() << kNoTexts;
    const auto report = CheckModel(std::as_bytes(std::span(bytes)), "m.onnx", {});
    EXPECT_TRUE(report) << text << ": " << report.error().message;
  }
}

}  // namespace
}  // namespace supremum::test
