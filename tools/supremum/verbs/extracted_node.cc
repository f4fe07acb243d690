#include "verbs/extracted_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "cli/output.h"
#include "cli/terminal.h"
#include "verbs/one_node.h"

namespace supremum::cli {
namespace {

// True for a node that --node names: by its name, or as #N by its position in its graph.
bool IsNamed(const ExtractedNode& node, const std::string& name) {
  return node.node.name == name || name == fmt::format("#{}", node.node.index);
}

}  // namespace

std::string TitleOf(const ExtractedNode& node) {
  return Describe(node.node) + (node.scope.empty() ? "" : " in " + node.scope);
}

Result<void> SelectNodes(const std::vector<std::string>& names, std::vector<ExtractedNode>* nodes) {
  if (names.empty()) return {};
  for (const std::string& name : names) {
    if (std::ranges::any_of(*nodes, [&](const ExtractedNode& node) { return IsNamed(node, name); })) continue;
    std::string titles;
    for (const ExtractedNode& node : *nodes) titles += (titles.empty() ? "" : ", ") + TitleOf(node);
    return MakeError(ErrorCode::kInvalidArgument,
                     fmt::format("--node {}: the model has no such Max or ReduceMax node; it has {}", name,
                                 titles.empty() ? "none" : Shortened(titles, 1000)));
  }
  std::erase_if(*nodes, [&](const ExtractedNode& node) {
    return std::ranges::none_of(names, [&](const std::string& name) { return IsNamed(node, name); });
  });
  return {};
}

Result<io::OneNodeModel> ModelOf(const ExtractedNode& node) {
  io::OneNodeModel model;
  model.op_type = node.node.op_type;
  model.opset = node.opset;
  model.dtype = *node.inputs[0].dtype;
  model.producer_version = Version();
  for (const ValueInfo& input : node.inputs) {
    std::vector<std::int64_t> extents;
    for (const Dim& dim : *input.shape) extents.push_back(*dim.value);
    model.inputs.push_back(*Shape::FromSpan(extents));  // BRO-4 holds
  }
  model.axes = node.axes;
  model.keepdims = node.keepdims;
  model.noop_with_empty_axes = node.noop_with_empty_axes;
  const Result<std::vector<std::int64_t>> extents = OutputExtents(model);
  if (!extents) return extents.error();
  model.output = Shape::FromSpan(*extents);
  return model;
}

}  // namespace supremum::cli
