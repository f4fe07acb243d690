#include <onnx/onnx_pb.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/quote.h"
#include "frontends/onnx/check/check_node.h"
#include "frontends/onnx/infer/infer_node.h"
#include "frontends/onnx/read/reduce_max_node.h"

namespace supremum::onnx_front {
namespace {

constexpr const char* kMakeThemConstant =
    "give them as an initializer that is no graph input, or as a Constant node";

// The node's second input; null, or nothing known, if it has none.
const ValueInfo* AxesInput(const CheckedNode& node) {
  return node.inputs.size() > 1 ? &node.inputs[1].known : nullptr;
}
const Tensor* AxesElements(const CheckedNode& node) {
  return node.inputs.size() > 1 ? node.inputs[1].elements.get() : nullptr;
}

// The attributes that the node leaves to their default, with their values; axes without one if the rank of
// the input is not known.
std::vector<AttributeInfo> Unwritten(const CheckedNode& node, const ReduceMaxAttributes& attributes,
                                     ReduceMaxVersion version) {
  std::vector<AttributeInfo> unwritten;
  const std::optional<SymbolicShape>& shape = node.inputs[0].known.shape;
  for (AttributeInfo& attribute : InfosOf(attributes, version)) {
    if (FindAttribute(node.proto, attribute.name) != nullptr) continue;
    if (!attribute.integer && shape && shape->size() <= kMaxRank) {
      attribute.integers.emplace(shape->size());
      std::iota(attribute.integers->begin(), attribute.integers->end(), std::int64_t{0});
    }
    unwritten.push_back(std::move(attribute));
  }
  return unwritten;
}

class ReduceMaxChecker : NodeChecker {
 public:
  ReduceMaxChecker(const CheckedNode& node, ReduceMaxVersion version, const CheckOptions& options)
      : NodeChecker(node, ToString(version), options),
        version_(version),
        attributes_(ReadReduceMaxAttributes(node.proto, version, faults_)) {}

  std::vector<Finding> Check() {
    for (const NodeFault& fault : faults_) Add(Fails("ONNX", fault.text, fault.change));
    if (!CheckCount()) return std::move(findings_);  // nothing else can be said
    axes_input_ = AxesInput(node_);
    axes_ = AxesBeforeRun(attributes_, axes_input_, AxesElements(node_));
    CheckType(source_, version_,
              axes_input_ != nullptr ? CheckAxesType(*axes_input_, version_) : Result<void>());
    if (options_.profile == Profile::kSonnx) {
      CheckDense();
      CheckExplicit();
      CheckTypesStated();
      CheckAttributesWritten();
    }
    CheckRanks(source_);
    CheckAxes();
    return std::move(findings_);
  }

 private:
  const ValueInfo& source() const { return *known_inputs_[0]; }

  bool CheckCount() {
    if (const auto fault = ReduceMaxInputFault(node_.proto, version_)) {
      Add(Fails("ONNX", fault->text + " (RED-5)", fault->change));
      return false;
    }
    return CheckOutputCount("ONNX");
  }

  // "the axes 'a' are computed by other nodes": why the node does not decide its axes.
  std::string WhyUndecided() const {
    if (!attributes_.of_function.empty()) {
      return "the attribute " + Quote(attributes_.of_function) +
             " takes its value from the function's caller";
    }
    const std::string who = "the axes " + Quote(axes_input_->name);
    const Operand& axes = node_.inputs[1];
    if (axes.is_input) {
      return who + (axes.is_constant ? " are an initializer that a run may replace: it is a graph input"
                                     : " are a graph input, known only when the model runs");
    }
    if (axes.is_constant) return who + " are not stored in the model as a list of int64";
    return who + " are computed by other nodes";
  }

  std::string MakeDecided() const {
    return attributes_.of_function.empty() ? kMakeThemConstant : "write the value in the node";
  }

  // PRO-2. The output's shape is constant only if the axes are.
  void CheckExplicit() {
    const bool shapes = CheckShapesExplicit();
    if (!axes_.decided) {
      Add(Fails("PRO-2", WhyUndecided(), MakeDecided()));
    } else if (shapes) {
      Add(Holds("PRO-2", "every shape is stated in numbers, and the axes are constant"));
    }
  }

  // PRO-4; see the decision pages for an axes input that is left out.
  void CheckAttributesWritten() {
    const std::vector<AttributeInfo> unwritten = Unwritten(node_, attributes_, version_);
    for (const AttributeInfo& attribute : unwritten) {
      const std::string value = attribute.integer    ? std::to_string(*attribute.integer)
                                : attribute.integers ? ToString(DimsView(*attribute.integers))
                                                     : "the list of all axes";
      Add(Fails("PRO-4", "attribute " + Quote(attribute.name) + " is not written",
                "write " + attribute.name + " = " + value));
    }
    if (unwritten.empty()) Add(Holds("PRO-4", "every attribute that " + operator_ + " has is written"));
  }

  // RED-5, RED-2, and the output's shape, which follows from the axes.
  void CheckAxes() {
    if (IsWrong("axes", attributes_.axes.has_value())) {
      Add(Undecided("RED-5", "the attribute 'axes' is wrong", "correct it first"));
      CheckDeclaredShape(std::nullopt);
      return;
    }
    const bool is_list = CheckAxesMeaning();
    const auto shape =
        InferReducedShape(source_, source().name, axes_, attributes_.keepdims.value_or(true), version_);
    if (!is_list || (!shape && shape.error().code == ErrorCode::kRank)) return;  // RED-5 or BRO-4 has said it
    const bool names_axes = !axes_.decided || (axes_.values && !axes_.values->empty());
    if (!shape) {
      Add(Fails("RED-2", std::string(shape.error().details()), "correct the axes"));
      return;  // there is no computed shape
    }
    if (!axes_.decided) {
      Add(Undecided("RED-2", WhyUndecided(), MakeDecided()));
    } else if (names_axes && !source().shape) {
      Add(Undecided("RED-2", "the rank of input " + Quote(source().name) + " is not known",
                    StateIt(source().name)));
    } else if (names_axes) {
      Add(Holds("RED-2", "each axis names a dimension of its own; there are " +
                             std::to_string(source().shape->size())));
    } else {
      Add(Holds("RED-2", "no axis is named"));
    }
    const bool shape_known = attributes_.of_function.empty() &&
                             !IsWrong("keepdims", attributes_.keepdims.has_value()) &&
                             !(TakesAxesInput(version_) &&
                               IsWrong("noop_with_empty_axes", attributes_.noop_with_empty_axes.has_value()));
    CheckDeclaredShape(shape_known ? SymbolicShapeOf(*shape) : std::nullopt);
  }

  // True if the node has the attribute and it could not be read: what was meant is not known.
  bool IsWrong(const char* name, bool read) const {
    return !read && attributes_.of_function.empty() && FindAttribute(node_.proto, name) != nullptr;
  }

  // RED-5: which dimensions are reduced, in the words of the node's version. False if that makes no sense.
  bool CheckAxesMeaning() {
    if (axes_input_ != nullptr) {
      if (auto ok = CheckAxesRank(*axes_input_, version_); !ok) {
        Add(Fails("RED-5", std::string(ok.error().details()), "give the axes as a list"));
        return false;
      }
    }
    if (!attributes_.of_function.empty()) {
      Add(Undecided("RED-5", WhyUndecided(), MakeDecided()));
      return true;
    }
    if (!axes_.decided) {
      Add(Holds("RED-5", "the axes are the input " + Quote(axes_input_->name)));
      return true;
    }
    const auto negative = [](std::int64_t axis) { return axis < 0; };
    if (!HasNegativeAxes(version_) && axes_.values && std::ranges::any_of(*axes_.values, negative)) {
      Add(Fails(
          "RED-5",
          "the axes " + ToString(*axes_.values) + " count from the end, which " + operator_ + " does not",
          "count from the first dimension, or import opset 11 or later"));
      return false;
    }
    if (!axes_.values) {
      Add(Holds("RED-5", "no axes are given: all dimensions are reduced"));
    } else if (axes_.values->empty()) {
      Add(Holds("RED-5", "no axes are given and noop_with_empty_axes is 1: nothing is reduced"));
    } else {
      Add(Holds("RED-5", "the axes are " + ToString(*axes_.values)));
    }
    return true;
  }

  const ValueOperands source_{std::span(known_inputs_).first(known_inputs_.empty() ? 0 : 1)};
  const ReduceMaxVersion version_;
  std::vector<NodeFault> faults_;  // filled while attributes_ are read
  const ReduceMaxAttributes attributes_;
  const ValueInfo* axes_input_ = nullptr;
  KnownAxes axes_;
};

}  // namespace

std::vector<Finding> CheckReduceMaxNode(const CheckedNode& node, int version, const CheckOptions& options) {
  return ReduceMaxChecker(node, static_cast<ReduceMaxVersion>(version), options).Check();
}

std::vector<AttributeInfo> UnwrittenOfReduceMax(const CheckedNode& node, int version_number) {
  const auto version = static_cast<ReduceMaxVersion>(version_number);
  std::vector<NodeFault> faults;
  const ReduceMaxAttributes attributes = ReadReduceMaxAttributes(node.proto, version, faults);
  if (ReduceMaxInputFault(node.proto, version) || !faults.empty() || !attributes.of_function.empty())
    return {};
  std::vector<AttributeInfo> unwritten = Unwritten(node, attributes, version);
  std::erase_if(unwritten,
                [](const AttributeInfo& attribute) { return !attribute.integer && !attribute.integers; });
  return unwritten;
}

ValueInfo InferReduceMaxNode(const CheckedNode& node, int version_number) {
  const auto version = static_cast<ReduceMaxVersion>(version_number);
  if (ReduceMaxInputFault(node.proto, version)) return {};
  std::vector<NodeFault> faults;
  const ReduceMaxAttributes attributes = ReadReduceMaxAttributes(node.proto, version, faults);
  ValueInfo info =
      InferReduceMax(node.inputs[0].known, attributes, AxesInput(node), AxesElements(node), version).info;
  // keepdims may be anything
  if (!faults.empty() || !attributes.of_function.empty()) info.shape.reset();
  return info;
}

}  // namespace supremum::onnx_front
