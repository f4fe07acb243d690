// The rules of Max.
#include <onnx/onnx_pb.h>

#include <optional>

#include "core/quote.h"
#include "onnx/check_node.h"
#include "onnx/infer.h"

namespace supremum::onnx_front {
namespace {

class MaxChecker : NodeChecker {
 public:
  MaxChecker(const CheckedNode& node, MaxVersion version, const CheckOptions& options)
      : NodeChecker(node, ToString(version), options), version_(version) {}

  std::vector<Finding> Check() {
    CheckAttributes();
    if (!CheckCount()) return std::move(findings_);  // nothing else can be said
    CheckType(InferMaxType(known_inputs_, version_), "TYP-3");
    if (options_.profile == Profile::kSonnx) {
      CheckDense();
      if (CheckShapesExplicit()) Add(Holds("PRO-2", "every shape is stated in numbers"));
      CheckTypesStated();
      Add(Holds("PRO-4", operator_ + " has no attribute that could be left to a default"));
    }
    if (options_.identical_shapes_only) CheckIdenticalShapes();
    CheckRanks(known_inputs_);
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

  // PRO-6
  void CheckIdenticalShapes() {
    const std::optional<SymbolicShape>& first = known_inputs_[0]->shape;
    bool decided = true;
    for (const ValueInfo* input : known_inputs_) {
      if (input->name == known_inputs_[0]->name) continue;
      if (!first || !input->shape) {
        decided = false;
        continue;
      }
      bool differ = first->size() != input->shape->size();
      for (std::size_t d = 0; !differ && d < first->size(); ++d) {
        const Dim &a = (*first)[d], &b = (*input->shape)[d];
        differ = a.value && b.value && *a.value != *b.value;
        decided = decided && (a == b) && (a.value || !a.symbol.empty());
      }
      if (!differ) continue;
      Add(Fails("PRO-6",
                "input " + Quote(known_inputs_[0]->name) + " has shape " + ToString(*first) + " and input " +
                    Quote(input->name) + " has shape " + ToString(*input->shape),
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
    const CheckedRule rule = Broadcasts(version_) ? CheckedRule("BRO-2") : CheckedRule("MAX-3");
    const Result<CommonShape> common = InferCommonShape(known_inputs_, version_);
    if (!common) {
      if (common.error().code == ErrorCode::kRank) return;  // BRO-4 has said it
      Add(Fails(rule, "E1: " + std::string(common.error().details()), "change one of the two shapes"));
      return;  // there is no computed shape
    }
    if (!common->undecided.empty()) {
      Add(Undecided(rule, common->undecided, "state these extents as numbers, or as one symbol"));
    } else {
      Add(Holds(rule,
                "the common shape is " + (common->shape ? ToString(*common->shape) : "the input's own")));
    }
    CheckDeclaredShape(common->shape);
  }

  const MaxVersion version_;
};

}  // namespace

std::vector<Finding> CheckMaxNode(const CheckedNode& node, MaxVersion version, const CheckOptions& options) {
  return MaxChecker(node, version, options).Check();
}

ValueInfo InferMaxNode(const CheckedNode& node, MaxVersion version) {
  std::vector<const ValueInfo*> inputs;
  for (const Operand& input : node.inputs) inputs.push_back(&input.known);
  ValueInfo result;
  if (const auto dtype = InferMaxType(inputs, version); dtype && *dtype) {
    result.dtype = **dtype;
    result.type_name = Name(**dtype);
  }
  if (const auto common = InferCommonShape(inputs, version)) result.shape = common->shape;
  return result;
}

}  // namespace supremum::onnx_front
