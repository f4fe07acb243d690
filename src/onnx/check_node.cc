#include "onnx/check_node.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/quote.h"
#include "formats/messages.h"
#include "onnx/infer.h"

namespace supremum::onnx_front {
namespace {

Finding Holds(std::string rule, std::string text) {
  return {std::move(rule), Verdict::kHolds, std::move(text), ""};
}
Finding Fails(std::string rule, std::string text, std::string change) {
  return {std::move(rule), Verdict::kFails, std::move(text), std::move(change)};
}
Finding Undecided(std::string rule, std::string text, std::string change) {
  return {std::move(rule), Verdict::kUndecided, std::move(text), std::move(change)};
}

// The details of an error, without the title that its finding's rule makes superfluous.
std::string Details(const Error& error) { return error.message.substr(InfoOf(error.code).title.size() + 2); }

std::string Count(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

constexpr const char* kStoreDense = "store it as a dense tensor";

class NodeChecker {
 public:
  NodeChecker(const MaxNode& node, const CheckOptions& options) : node_(node), options_(options) {
    for (const Operand& input : node_.inputs) known_inputs_.push_back(&input.known);
  }

  std::vector<Finding> Check() {
    CheckAttributes();
    if (!CheckCount()) return std::move(findings_);  // nothing else can be said
    CheckType();
    if (options_.profile == Profile::kSonnx) {
      CheckDense();
      CheckShapesExplicit();
      CheckTypesStated();
      Add(Holds("PRO-4", ToString(node_.version) + " has no attribute that could be left to a default"));
    }
    if (options_.identical_shapes_only) CheckIdenticalShapes();
    CheckRanks();
    CheckShapes();
    return std::move(findings_);
  }

 private:
  void Add(Finding finding) { findings_.push_back(std::move(finding)); }

  static std::string InputName(const Operand& operand) { return "input " + Quote(operand.known.name); }

  // ONNX itself: an operator has the attributes that its version lists, and no others (MAX-3 for
  // consumed_inputs).
  void CheckAttributes() {
    for (const onnx::AttributeProto& attribute : node_.proto.attribute()) {
      if (node_.version == MaxVersion::k1 && attribute.name() == "consumed_inputs") continue;
      Add(Fails("ONNX", ToString(node_.version) + " has no attribute " + Quote(attribute.name()),
                "remove the attribute"));
    }
  }

  bool CheckCount() {
    const std::size_t inputs = static_cast<std::size_t>(node_.proto.input_size());
    const std::size_t outputs = static_cast<std::size_t>(node_.proto.output_size());
    if (inputs == 0) {
      Add(Fails("MAX-1", "the node has no input", "give it 1 to 2147483647 inputs"));
    } else if (node_.inputs.size() != inputs) {
      Add(Fails(
          "MAX-1",
          Count(inputs - node_.inputs.size(), "input") + " of " + std::to_string(inputs) + " has no name",
          "name it, or remove it: Max has no input that may be left out"));
    } else if (outputs != 1 || node_.outputs.size() != 1) {
      Add(Fails("MAX-1", "the node has " + Count(node_.outputs.size(), "named output"),
                "give it exactly one"));
    } else {
      Add(Holds("MAX-1", Count(inputs, "input")));
      return true;
    }
    return false;
  }

  void CheckType() {
    Result<std::optional<DType>> dtype = InferMaxType(known_inputs_, node_.version);
    const ValueInfo& output = node_.outputs[0].stated.info;
    const auto unknown = std::find_if(known_inputs_.begin(), known_inputs_.end(),
                                      [](const ValueInfo* input) { return input->type_name.empty(); });
    if (!dtype && dtype.error().code == ErrorCode::kTypeMismatch) {
      Add(Fails("TYP-2", Details(dtype.error()), "convert the inputs to one type before this node"));
    } else if (dtype && *dtype && !output.type_name.empty() && output.dtype != **dtype) {
      Add(Fails(
          "TYP-2",
          "the inputs are " + std::string(Name(**dtype)) + " and the output is stated as " + output.type_name,
          "state the inputs' type for " + Quote(output.name)));
    } else if (unknown != known_inputs_.end()) {
      Add(Undecided("TYP-2", "the type of input " + Quote((*unknown)->name) + " is not known",
                    StateIt((*unknown)->name)));
    } else {
      Add(Holds("TYP-2", "all are " + known_inputs_[0]->type_name));
    }

    if (!dtype && dtype.error().code == ErrorCode::kTypeMismatch) return;  // no one type to admit
    if (!dtype && dtype.error().code == ErrorCode::kSparseTensor) {
      // The profile has a finding of its own for this.
      if (options_.profile == Profile::kOnnx) Add(Fails("PRO-1", Details(dtype.error()), kStoreDense));
      return;
    }
    const std::string version = ToString(node_.version);
    if (!dtype) {
      Add(Fails("TYP-3", Details(dtype.error()),
                "import an opset that has the type, or convert before this node"));
    } else if (!*dtype) {
      Add(Undecided("TYP-3", "no input's type is known", StateIt(known_inputs_[0]->name)));
    } else {
      Add(Holds("TYP-3", version + " has " + std::string(Name(**dtype))));
    }
  }

  // PRO-1
  void CheckDense() {
    for (const auto* operands : {&node_.inputs, &node_.outputs}) {
      for (const Operand& operand : *operands) {
        if (!operand.stated.sparse) continue;
        Add(Fails("PRO-1", Quote(operand.known.name) + " is a sparse tensor", kStoreDense));
        return;
      }
    }
    Add(Holds("PRO-1", "all tensors are dense"));
  }

  // PRO-2: stated, not inferred; see the decision pages.
  void CheckShapesExplicit() {
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
                "state the shape " + (inferred ? ToString(*operand.known.shape) : "as numbers") + " for " +
                    Quote(operand.known.name)));
    });
    if (all) Add(Holds("PRO-2", "every shape is stated in numbers"));
  }

  void CheckTypesStated() {
    bool all = true;
    ForEachOperand([&](const std::string& who, const Operand& operand) {
      if (!operand.stated.info.type_name.empty()) return;
      all = false;
      Add(Fails("PRO-3", who + " has no stated type",
                operand.known.type_name.empty()
                    ? StateIt(operand.known.name)
                    : "state the type " + operand.known.type_name + " for " + Quote(operand.known.name)));
    });
    if (all) Add(Holds("PRO-3", "every type is stated"));
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

  void CheckRanks() {
    std::string unknown;
    std::size_t highest = 0;
    for (const ValueInfo* input : known_inputs_) {
      if (!input->shape) {
        unknown = input->name;
        continue;
      }
      highest = std::max(highest, input->shape->size());
      if (input->shape->size() <= kMaxRank) continue;
      Add(Fails("BRO-4", "input " + Quote(input->name) + " has rank " + std::to_string(input->shape->size()),
                "use at most " + std::to_string(kMaxRank) + " dimensions"));
      return;
    }
    if (unknown.empty()) {
      Add(Holds("BRO-4", "the highest rank is " + std::to_string(highest)));
    } else {
      Add(Undecided("BRO-4", "the rank of input " + Quote(unknown) + " is not known", StateIt(unknown)));
    }
  }

  // E1, by the rule that asks for it, and E2.
  void CheckShapes() {
    const std::string rule = Broadcasts(node_.version) ? "BRO-2" : "MAX-3";
    const Result<CommonShape> common = InferCommonShape(known_inputs_, node_.version);
    if (!common) {
      if (common.error().code == ErrorCode::kRank) return;  // BRO-4 has said it
      Add(Fails(rule, "E1: " + Details(common.error()), "change one of the two shapes"));
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

  void CheckDeclaredShape(const std::optional<SymbolicShape>& computed) {
    const std::string rule = options_.profile == Profile::kSonnx ? "PRO-5" : "E2";
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
    const std::string shapes = "output " + name + " is declared as " + ToString(*declared) +
                               " and computed as " + ToString(*computed);
    bool differ = declared->size() != computed->size();
    bool decided = true;
    for (std::size_t d = 0; !differ && d < declared->size(); ++d) {
      const Dim &stated = (*declared)[d], &result = (*computed)[d];
      if (stated.value && result.value) {
        differ = *stated.value != *result.value;
      } else if (stated == result && !stated.symbol.empty()) {
        continue;
      } else if (!stated.value && !node_.input_symbols.contains(stated.symbol)) {
        continue;  // nothing is claimed, or a name for whatever comes out
      } else {
        decided = false;
      }
    }
    if (differ) {
      Add(Fails(rule, "E2: " + shapes, "declare the computed shape"));
    } else if (!decided) {
      Add(Undecided(rule, shapes, "declare the computed shape"));
    } else {
      Add(Holds(rule, shapes));
    }
  }

  template <class Visit>
  void ForEachOperand(Visit visit) const {
    for (const Operand& input : node_.inputs) visit(InputName(input), input);
    for (const Operand& output : node_.outputs) visit("output " + Quote(output.known.name), output);
  }

  static std::string StateIt(const std::string& name) {
    return "state type and shape of " + Quote(name) + " (as graph input, output or value_info)";
  }

  const MaxNode& node_;
  const CheckOptions& options_;
  std::vector<const ValueInfo*> known_inputs_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckMaxNode(const MaxNode& node, const CheckOptions& options) {
  return NodeChecker(node, options).Check();
}

}  // namespace supremum::onnx_front
