#include "frontends/onnx/read/reduce_max_node.h"

#include <onnx/onnx_pb.h>

#include <set>

#include "core/quote.h"

namespace supremum::onnx_front {
namespace {

// nullopt if the version has the attribute, otherwise the fault.
std::optional<NodeFault> UnknownAttribute(const std::string& name, ReduceMaxVersion version) {
  const std::string none = ToString(version) + " has no attribute " + Quote(name);
  if (name == "keepdims") return std::nullopt;
  if (name == "axes") {
    if (!TakesAxesInput(version)) return std::nullopt;
    return NodeFault{none + ": from opset 18 on the axes are the second input (RED-5)",
                     "store them as an int64 initializer and make it the node's second input"};
  }
  if (name == "noop_with_empty_axes") {
    if (TakesAxesInput(version)) return std::nullopt;
    return NodeFault{none + ", which came with opset 18 (RED-5)",
                     "remove the attribute, or import opset 18 or later"};
  }
  return NodeFault{none, "remove the attribute"};
}

// Reads an attribute that must be 0 or 1.
std::optional<bool> ReadFlag(const onnx::AttributeProto& attribute, std::vector<NodeFault>& faults) {
  if (attribute.i() == 0 || attribute.i() == 1) return attribute.i() == 1;
  faults.push_back(
      {"the attribute " + Quote(attribute.name()) + " is " + std::to_string(attribute.i()), "write 0 or 1"});
  return std::nullopt;
}

}  // namespace

ReduceMaxAttributes ReadReduceMaxAttributes(const onnx::NodeProto& node, ReduceMaxVersion version,
                                            std::vector<NodeFault>& faults) {
  ReduceMaxAttributes read;
  std::set<std::string> seen;
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    const std::string& name = attribute.name();
    if (std::optional<NodeFault> unknown = UnknownAttribute(name, version)) {
      faults.push_back(*std::move(unknown));
      continue;
    }
    if (!seen.insert(name).second) {
      faults.push_back({"the attribute " + Quote(name) + " is given twice", "keep one"});
      continue;
    }
    // IR version 1 did not store the attribute's type; there the field that is filled tells.
    const auto kind = name == "axes" ? onnx::AttributeProto::INTS : onnx::AttributeProto::INT;
    if (attribute.type() != onnx::AttributeProto::UNDEFINED && attribute.type() != kind) {
      const std::string wanted = onnx::AttributeProto::AttributeType_Name(kind);
      faults.push_back({"the attribute " + Quote(name) + " is stored as another kind than " + wanted,
                        "store it as " + wanted});
    } else if (!attribute.ref_attr_name().empty()) {
      if (read.of_function.empty()) read.of_function = name;
    } else if (name == "axes") {
      read.axes.emplace(attribute.ints().begin(), attribute.ints().end());
    } else {
      (name == "keepdims" ? read.keepdims : read.noop_with_empty_axes) = ReadFlag(attribute, faults);
    }
  }
  return read;
}

std::optional<NodeFault> ReduceMaxInputFault(const onnx::NodeProto& node, ReduceMaxVersion version) {
  const int inputs = node.input_size();
  const std::string takes =
      ToString(version) + " takes " + (TakesAxesInput(version) ? "one input and perhaps axes" : "one input");
  const std::string has = ", this node has " + (inputs == 0 ? "none" : std::to_string(inputs));
  if (inputs == 0) return NodeFault{takes + has, "name the tensor to reduce"};
  if (node.input(0).empty()) {
    return NodeFault{takes + ", and its input 0 has no name", "name the tensor to reduce"};
  }
  if (inputs == 2 && !TakesAxesInput(version)) {
    return NodeFault{takes + has,
                     "give the axes as the attribute 'axes', or import opset 18 or later, where they are an "
                     "input"};
  }
  if (inputs > 2) return NodeFault{takes + has, "remove the others"};
  return std::nullopt;
}

std::vector<AttributeInfo> InfosOf(const ReduceMaxAttributes& attributes, ReduceMaxVersion version) {
  const auto flag = [](const char* name, std::optional<bool> given, bool otherwise) {
    return AttributeInfo{name, std::int64_t{given.value_or(otherwise)}, {}, !given.has_value()};
  };
  std::vector<AttributeInfo> infos;
  if (!TakesAxesInput(version)) {
    infos.push_back({"axes", {}, attributes.axes, !attributes.axes.has_value()});
  }
  infos.push_back(flag("keepdims", attributes.keepdims, true));
  if (TakesAxesInput(version)) {
    infos.push_back(flag("noop_with_empty_axes", attributes.noop_with_empty_axes, false));
  }
  return infos;
}

}  // namespace supremum::onnx_front
