#include <onnx/onnx_pb.h>

#include <optional>

#include "core/quote.h"
#include "frontends/onnx/check/check_node.h"
#include "frontends/onnx/infer/infer_node.h"
#include "frontends/onnx/infer/value_operands.h"
#include "rules/max.h"

namespace supremum::onnx_front {
namespace {

class MaxChecker : NodeChecker {
 public:
  MaxChecker(const CheckedNode& node, MaxVersion version, const CheckOptions& options)
      : NodeChecker(node, ToString(version), options), version_(version) {}

  std::vector<Finding> Check() {
    CheckAttributes();
    if (!CheckCount()) return std::move(findings_);  // nothing else can be said
    CheckType(inputs_, version_);
    if (options_.profile == Profile::kSonnx) {
      CheckDense();
      if (CheckShapesExplicit()) Add(Holds("PRO-2", "every shape is stated in numbers"));
      CheckTypesStated();
      Add(Holds("PRO-4", operator_ + " has no attribute that could be left to a default"));
    }
    if (options_.identical_shapes_only) CheckIdenticalShapes();
    CheckRanks(inputs_);
    CheckShapes();
    return std::move(findings_);
  }

 private:
  // ONNX itself: an operator has the attributes that its version lists, and no others (MAX-3 for
  // consumed_inputs).
  void CheckAttributes() {
    for (const onnx::AttributeProto& attribute : node_.proto.attribute()) {
      if (version_ == MaxVersion::k1 && attribute.name() == "consumed_inputs") continue;
      Add(Fails("ONNX", operator_ + " has no attribute " + Quote(attribute.name()), "remove the attribute"));
    }
  }

  bool CheckCount() {
    const std::size_t inputs = static_cast<std::size_t>(node_.proto.input_size());
    if (inputs == 0) {
      Add(Fails("MAX-1", "the node has no input", "give it 1 to 2147483647 inputs"));
    } else if (node_.inputs.size() != inputs) {
      Add(Fails(
          "MAX-1",
          Count(inputs - node_.inputs.size(), "input") + " of " + std::to_string(inputs) + " has no name",
          "name it, or remove it: Max has no input that may be left out"));
    } else if (CheckOutputCount("MAX-1")) {
      Add(Holds("MAX-1", Count(inputs, "input")));
      return true;
    }
    return false;
  }

  // PRO-6: each input is compared with the first.
  void CheckIdenticalShapes() {
    bool decided = true;
    for (const ValueInfo* input : known_inputs_) {
      if (input->name == known_inputs_[0]->name) continue;
      const ValueInfo* const both[] = {known_inputs_[0], input};
      const ValueOperands pair(both);
      const Judgement judgement = JudgeOneShape(pair, "PRO-6").judgement;
      decided = decided && judgement.Holds();
      if (!judgement.Fails()) continue;
      Add(Fails(judgement.rule, TwoShapes(judgement, pair),
                "give all inputs one shape; broadcasting is switched off"));
      return;
    }
    if (decided) {
      Add(Holds("PRO-6", "all inputs have one shape"));
    } else {
      Add(Undecided("PRO-6", "the inputs' shapes are not fully known", "state them as numbers"));
    }
  }

  // E1, by the rule that asks for it, and E2.
  void CheckShapes() {
    const auto common = JudgeCommonShape(inputs_, version_);
    const Judgement& judgement = common.judgement;
    if (judgement.rule == "BRO-4") return;  // CheckRanks has said it
    if (judgement.Fails()) {
      Add(Fails(judgement.rule, "E1: " + std::string(ShapeErrorOf(judgement, inputs_, version_).details()),
                "change one of the two shapes"));
      return;  // there is no computed shape
    }
    const std::optional<SymbolicShape> shape = SymbolicShapeOf(common.shape);
    if (judgement.Holds()) {
      Add(Holds(judgement.rule, "the common shape is " + (shape ? ToString(*shape) : "the input's own")));
    } else {
      Add(Undecided(judgement.rule, TextOf(judgement), "state these extents as numbers, or as one symbol"));
    }
    CheckDeclaredShape(shape);
  }

  // Why the common shape is undecided.
  std::string TextOf(const Judgement& judgement) const {
    const auto& [rule, verdict, first, second, dimension, first_extent, second_extent, why] = judgement;
    if (why == UndecidedBy::kShape) return "the shape of " + inputs_.who(second) + " is not known";
    const auto text = [](const Extent& extent) {
      return ToString(Dim{extent.number, std::string(extent.symbol)});
    };
    const std::string d = std::to_string(*dimension);
    if (why == UndecidedBy::kEqual) {
      return "dimension " + d + " of " + inputs_.who(first) + " is " + text(first_extent) + " and of " +
             inputs_.who(second) + " " + text(second_extent);
    }
    const std::string here = "in dimension " + d + " of the common shape ";
    if (why == UndecidedBy::kExtent) return here + "the extent of " + inputs_.who(second) + " is not known";
    if (why == UndecidedBy::kSymbols)
      return here + "different symbols occur, which may have different values";
    return here + "the symbol " + Quote(first_extent.symbol) + " of " + inputs_.who(first) + " and " +
           text(second_extent) + " of " + inputs_.who(second) + " may differ";
  }

  const ValueOperands inputs_{known_inputs_};
  const MaxVersion version_;
};

}  // namespace

std::vector<Finding> CheckMaxNode(const CheckedNode& node, int version, const CheckOptions& options) {
  return MaxChecker(node, static_cast<MaxVersion>(version), options).Check();
}

ValueInfo InferMaxNode(const CheckedNode& node, int version) {
  std::vector<const ValueInfo*> inputs;
  for (const Operand& input : node.inputs) inputs.push_back(&input.known);
  return inputs.empty() ? ValueInfo() : InferMax(inputs, static_cast<MaxVersion>(version)).info;
}

}  // namespace supremum::onnx_front
