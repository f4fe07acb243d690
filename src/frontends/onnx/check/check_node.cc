#include "frontends/onnx/check/check_node.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "core/quote.h"

namespace supremum::onnx_front {
namespace {

constexpr const char* kStoreDense = "store it as a dense tensor";

}  // namespace

Finding Holds(CheckedRule rule, std::string text) {
  return {std::string(rule.name()), Verdict::kHolds, std::move(text), ""};
}
Finding Fails(CheckedRule rule, std::string text, std::string change) {
  return {std::string(rule.name()), Verdict::kFails, std::move(text), std::move(change)};
}
Finding Undecided(CheckedRule rule, std::string text, std::string change) {
  return {std::string(rule.name()), Verdict::kUndecided, std::move(text), std::move(change)};
}

NodeChecker::NodeChecker(const CheckedNode& node, std::string versioned_operator, const CheckOptions& options)
    : node_(node), operator_(std::move(versioned_operator)), options_(options) {
  for (const Operand& input : node_.inputs) known_inputs_.push_back(&input.known);
}

std::string NodeChecker::StateIt(const std::string& name) const {
  return WhereStated(name,
                     "state type and shape of " + Quote(name) + " (as graph input, output or value_info)");
}

std::string NodeChecker::WhereStated(const std::string& name, std::string advice) const {
  if (node_.in_function) return "call the function: the caller's inputs decide types and shapes";
  if (!node_.inner_names.contains(name)) return advice;
  return "write the function's nodes into the graph: of " + Quote(name) +
         ", a value in a function, no type or shape can be stated";
}

template <class Visit>
void NodeChecker::ForEachOperand(Visit visit) const {
  for (const Operand& input : node_.inputs) visit("input " + Quote(input.known.name), input);
  for (const Operand& output : node_.outputs) visit("output " + Quote(output.known.name), output);
}

bool NodeChecker::CheckOutputCount(CheckedRule rule) {
  if (node_.proto.output_size() == 1 && node_.outputs.size() == 1) return true;
  Add(Fails(rule, "the node has " + Count(node_.outputs.size(), "named output"), "give it exactly one"));
  return false;
}

namespace {

// The advice for a type that the node's version does not admit.
template <class Version>
std::string HowToAdmit(std::optional<DType> dtype) {
  constexpr std::int64_t kNewestChange = 20;
  for (std::int64_t opset = 1; dtype && opset <= kNewestChange; ++opset) {
    bool admits = false;
    if constexpr (std::is_same_v<Version, MaxVersion>) {
      admits = Admits(*MaxVersionForOpset(opset), *dtype);
    } else {
      admits = Admits(*ReduceMaxVersionForOpset(opset), *dtype);
    }
    if (admits) return "import opset " + std::to_string(opset) + " or later, or convert before this node";
  }
  return "convert before this node; no opset admits the type";
}

}  // namespace

template <class Version>
void NodeChecker::CheckType(const ValueOperands& inputs, Version version, const Result<void>& others) {
  const TypeJudgements judged = JudgeTypes(inputs, version);
  const auto details = [&](const Judgement& judgement) {
    return std::string(TypeErrorOf(judgement, inputs, version).details());
  };
  const ValueInfo& output = node_.outputs[0].stated.info;
  const auto unknown = std::find_if(known_inputs_.begin(), known_inputs_.end(),
                                    [](const ValueInfo* input) { return input->type_name.empty(); });
  if (!others) {
    Add(Fails("TYP-2", std::string(others.error().details()), "convert that input before this node"));
  } else if (judged.one_type.Fails()) {
    Add(Fails("TYP-2", details(judged.one_type), "convert the inputs to one type before this node"));
  } else if (judged.dtype && !output.type_name.empty() && output.dtype != *judged.dtype) {
    Add(Fails("TYP-2",
              "the computed type is " + std::string(Name(*judged.dtype)) + " and the output is stated as " +
                  output.type_name,
              "state the computed type for " + Quote(output.name)));
  } else if (unknown != known_inputs_.end()) {
    Add(Undecided("TYP-2", "the type of input " + Quote((*unknown)->name) + " is not known",
                  StateIt((*unknown)->name)));
  } else {
    Add(Holds("TYP-2", "the elements are " + known_inputs_[0]->type_name));
  }

  if (judged.one_type.Fails()) return;  // no one type to admit
  const CheckedRule rule = judged.admitted.rule;
  if (rule == "PRO-1") {
    // The profile has a finding of its own for this.
    if (options_.profile == Profile::kOnnx) Add(Fails(rule, details(judged.admitted), kStoreDense));
  } else if (judged.admitted.Fails()) {
    Add(Fails(rule, details(judged.admitted), HowToAdmit<Version>(known_inputs_[0]->dtype)));
  } else if (!judged.dtype) {
    Add(Undecided(rule, "no input's type is known", StateIt(known_inputs_[0]->name)));
  } else {
    Add(Holds(rule, operator_ + " has " + std::string(Name(*judged.dtype))));
  }
}

template void NodeChecker::CheckType(const ValueOperands&, MaxVersion, const Result<void>&);
template void NodeChecker::CheckType(const ValueOperands&, ReduceMaxVersion, const Result<void>&);

void NodeChecker::CheckDense() {
  for (const auto* operands : {&node_.inputs, &node_.outputs}) {
    for (const Operand& operand : *operands) {
      if (!operand.stated.sparse) continue;
      Add(Fails("PRO-1", Quote(operand.known.name) + " is a sparse tensor", kStoreDense));
      return;
    }
  }
  Add(Holds("PRO-1", "all tensors are dense"));
}

// Stated, not inferred; see the decision pages.
bool NodeChecker::CheckShapesExplicit() {
  bool all = true;
  ForEachOperand([&](const std::string& who, const Operand& operand) {
    const std::optional<SymbolicShape>& stated = operand.stated.info.shape;
    if (stated && IsExplicit(*stated)) return;
    all = false;
    const bool inferred = operand.known.shape && IsExplicit(*operand.known.shape);
    std::string text = who + " has no stated shape";
    if (stated) {
      std::size_t d = 0;
      while ((*stated)[d].value) ++d;
      const std::string& symbol = (*stated)[d].symbol;
      text = who + " has shape " + ToString(*stated) + ": dimension " + std::to_string(d) + " is " +
             (symbol.empty() ? "not known" : "the symbol " + Quote(symbol));
    }
    Add(Fails("PRO-2", text,
              WhereStated(operand.known.name, "state the shape " +
                                                  (inferred ? ToString(*operand.known.shape) : "as numbers") +
                                                  " for " + Quote(operand.known.name))));
  });
  return all;
}

void NodeChecker::CheckTypesStated() {
  bool all = true;
  ForEachOperand([&](const std::string& who, const Operand& operand) {
    if (!operand.stated.info.type_name.empty()) return;
    all = false;
    Add(Fails("PRO-3", who + " has no stated type",
              operand.known.type_name.empty()
                  ? StateIt(operand.known.name)
                  : WhereStated(operand.known.name, "state the type " + operand.known.type_name + " for " +
                                                        Quote(operand.known.name))));
  });
  if (all) Add(Holds("PRO-3", "every type is stated"));
}

void NodeChecker::CheckRanks(const ValueOperands& inputs) {
  const Judgement judgement = JudgeRanks(inputs);
  if (judgement.Fails()) {
    Add(Fails(judgement.rule,
              inputs.who(judgement.second) + " has rank " + std::to_string(*inputs.rank(judgement.second)),
              "use at most " + std::to_string(kMaxRank) + " dimensions"));
  } else if (judgement.Holds()) {
    Add(Holds(judgement.rule, "the highest rank is " + std::to_string(*inputs.rank(judgement.first))));
  } else {
    const std::string& unknown = known_inputs_[judgement.second]->name;
    Add(Undecided(judgement.rule, "the rank of input " + Quote(unknown) + " is not known", StateIt(unknown)));
  }
}

void NodeChecker::CheckDeclaredShape(const std::optional<SymbolicShape>& computed) {
  const CheckedRule rule = options_.profile == Profile::kSonnx ? CheckedRule("PRO-5") : CheckedRule("E2");
  const std::string name = Quote(node_.outputs[0].known.name);
  const std::optional<SymbolicShape>& declared = node_.outputs[0].stated.info.shape;
  if (!declared) {
    const std::string text = "output " + name + " has no declared shape";
    // ONNX does not ask for one; the profile wants it compared.
    Add(options_.profile == Profile::kOnnx ? Holds(rule, text)
                                           : Undecided(rule, text, StateIt(node_.outputs[0].known.name)));
    return;
  }
  if (!computed) {
    Add(Undecided(rule, "the computed shape of output " + name + " is not known",
                  "state the inputs' shapes"));
    return;
  }
  const std::string shapes =
      "output " + name + " is declared as " + ToString(*declared) + " and computed as " + ToString(*computed);
  bool differ = declared->size() != computed->size();
  bool decided = true;
  for (std::size_t d = 0; !differ && d < declared->size(); ++d) {
    const Dim& stated = (*declared)[d];
    // Nothing is claimed, or a name for whatever comes out.
    const bool free = !stated.value && !node_.input_symbols.contains(stated.symbol);
    const Verdict equal = JudgeEqual(ExtentOf(stated), ExtentOf((*computed)[d]));
    differ = equal == Verdict::kFails;
    decided = decided && (equal != Verdict::kUndecided || free);
  }
  if (differ) {
    Add(Fails(rule, "E2: " + shapes, "declare the computed shape"));
  } else if (!decided) {
    const bool known =
        std::ranges::none_of(*computed, [](const Dim& dim) { return ExtentOf(dim).IsUnknown(); });
    Add(Undecided(rule, shapes, known ? "declare the computed shape" : "state the inputs' shapes"));
  } else {
    Add(Holds(rule, shapes));
  }
}

}  // namespace supremum::onnx_front
