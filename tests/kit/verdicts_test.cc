// Every invalid conformance case gets the verdict that it states: the stage, the error's code, the rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "io/formats/tensor_file.h"
#include "kit/cases.h"
#include "supremum/check.h"
#include "supremum/model.h"
#include "supremum/onednn_graph.h"

namespace supremum::test {
namespace {

struct Invalid {
  std::string id, model, fails, code, rule;
  std::vector<std::string> rules;
  std::vector<std::string> inputs;
  bool no_broadcast = false;
};

std::vector<Invalid> ReadInvalid(bool onnx) {
  std::vector<Invalid> all;
  const nlohmann::json list = nlohmann::json::parse(ConformanceFile("invalid.json"));
  for (const auto& json : list.at("cases")) {
    const auto& verdict = json.at("verdict");
    Invalid one{json.at("id"),      json.at("model"), verdict.at("fails"), verdict.at("code"),
                verdict.at("rule"), json.at("rules"), json.at("inputs"),   json.at("no_broadcast")};
    if (verdict.at("valid").get<bool>()) throw std::runtime_error(one.id + " is valid");
    if (one.model.ends_with(".onnx") == onnx) all.push_back(std::move(one));
  }
  return all;
}

std::string CodeName(const Error& error) { return std::string(InfoOf(error.code).name); }

/// Empty if `result` is an error of that code, else what it is.
template <class T>
std::string Expected(const Result<T>& result, const std::string& code) {
  if (!result) return CodeName(result.error()) == code ? "" : "refused otherwise: " + result.error().message;
  return "accepted";
}

template <class T>
std::string Accepted(const Result<T>& result) {
  return result ? "" : "refused too early: " + result.error().message;
}

std::vector<NamedTensor> GivenInputs(const Invalid& one, const Model& model) {
  std::vector<NamedTensor> inputs;
  for (const std::string& file : one.inputs) {
    auto tensor = io::ReadTensor(ConformanceFolder() + "/" + file).value();
    tensor.name = model.inputs().at(inputs.size()).name;
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

/// Loads, infers and runs the model. Empty if the stage that the verdict states fails with the stated code,
/// else the difference.
std::string WrongStage(const Invalid& one, std::span<const std::byte> bytes) {
  const Result<Model> model = Model::Parse(bytes, one.id);
  if (one.fails == "load") return Expected(model, one.code);
  if (!model) return Accepted(model);
  const auto inferred = model->Infer();
  if (one.fails == "infer") return Expected(inferred, one.code);
  if (!inferred) return Accepted(inferred);
  RunOptions options;
  if (one.fails == "profile") {
    options.profile = Profile::kSonnx;
    options.identical_shapes_only = one.no_broadcast;
  }
  return Expected(model->Run(GivenInputs(one, *model), options), one.code);
}

std::string FailingRules(const CheckReport& report) {
  std::string rules;
  for (const NodeReport& node : report.nodes) {
    for (const Finding& finding : node.findings) {
      if (finding.verdict == Verdict::kFails) rules += finding.rule + " ";
    }
  }
  return rules;
}

/// Checks the model. Empty if the checker reports what the verdict states, else the difference.
std::string WrongFinding(const Invalid& one, std::span<const std::byte> bytes) {
  CheckOptions options;
  const Result<CheckReport> plain = CheckModel(bytes, one.id, options);
  if (!plain) return one.fails == "load" ? Expected(plain, one.code) : "not judged: " + plain.error().message;
  if (one.fails == "profile" || one.fails == "run") {
    if (plain->Count(Verdict::kFails) > 0) return "fails without the profile: " + FailingRules(*plain);
    if (one.fails == "run") return "";
    options.profile = Profile::kSonnx;
    options.identical_shapes_only = one.no_broadcast;
  }
  const Result<CheckReport> report = CheckModel(bytes, one.id, options);
  if (!report) return "not judged: " + report.error().message;
  std::set<std::string> wanted(one.rules.begin(), one.rules.end());
  // A node that ONNX itself does not allow is a finding of no rule's own.
  if (one.code == "malformed_file" || one.code == "input_count") wanted.insert("ONNX");
  for (const NodeReport& node : report->nodes) {
    for (const Finding& finding : node.findings) {
      if (finding.verdict == Verdict::kFails && wanted.contains(finding.rule)) return "";
    }
  }
  return "the checker finds only: " + FailingRules(*report);
}

// Rules: E1, E2, BRO-2, BRO-3, BRO-4, MAX-1, MAX-3, TYP-2, TYP-3, TYP-4, RED-2, RED-5, PRO-1..6
TEST(Conformance, EveryInvalidModelGetsItsVerdict) {
  Failures failures;
  const std::vector<Invalid> all = ReadInvalid(true);
  EXPECT_GE(all.size(), AtLeast(300));
  for (const Invalid& one : all) {
    const std::string bytes = ConformanceFile(one.model);
    const auto view = std::as_bytes(std::span(bytes));
    for (const std::string& wrong : {WrongStage(one, view), WrongFinding(one, view)}) {
      if (!wrong.empty()) failures.Add(one.id, wrong);
    }
    if (std::ranges::find(one.rules, one.rule) == one.rules.end()) failures.Add(one.id, "a rule of its own");
  }
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
}

TEST(Conformance, AWrongVerdictIsNoticed) {
  Failures failures;
  const std::vector<Invalid> all = ReadInvalid(true);
  for (std::size_t i = 0; i < all.size(); i += 7) {
    Invalid one = all[i];
    const std::string bytes = ConformanceFile(one.model);
    one.code = one.code == "axis" ? "rank" : "axis";
    if (WrongStage(one, std::as_bytes(std::span(bytes))).empty())
      failures.Add(one.id, "another code is accepted");
    one.rules = {"BRO-1"};
    one.code = "";
    if (one.fails != "run" && WrongFinding(one, std::as_bytes(std::span(bytes))).empty())
      failures.Add(one.id, "another rule is accepted");
  }
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
}

// Rules: RED-2, RED-4, TYP-2, TYP-5, E1, E2
TEST(Conformance, EveryInvalidGraphGetsItsVerdict) {
  Failures failures;
  const std::vector<Invalid> all = ReadInvalid(false);
  EXPECT_GE(all.size(), AtLeast(20));
  for (const Invalid& one : all) {
    const Result<OneDnnGraph> graph = OneDnnGraph::Parse(ConformanceFile(one.model), one.id);
    std::string wrong = Accepted(graph);
    if (graph) {
      // Zeros will do: a graph states every type and shape, and is checked before it runs.
      std::vector<NamedTensor> inputs;
      for (const OneDnnTensor& input : graph->inputs()) {
        Tensor tensor = Tensor::Create(input.dtype.value_or(DType::kUInt8), *input.shape).value();
        std::ranges::fill(tensor.bytes(), std::byte{0});
        inputs.push_back({std::to_string(input.id), std::move(tensor)});
      }
      wrong = Expected(graph->Run(inputs), one.code);
    }
    if (!wrong.empty()) failures.Add(one.id, wrong);
  }
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
}

}  // namespace
}  // namespace supremum::test
