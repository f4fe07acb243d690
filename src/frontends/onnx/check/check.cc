#include "supremum/check.h"

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/messages.h"
#include "core/out_of_memory.h"
#include "core/quote.h"
#include "frontends/onnx/check/check_model.h"
#include "frontends/onnx/check/check_node.h"
#include "frontends/onnx/check/check_proto.h"
#include "frontends/onnx/check/subprocess.h"
#include "frontends/onnx/read/bind_symbols.h"
#include "frontends/onnx/read/contents.h"
#include "frontends/onnx/read/graph.h"
#include "frontends/onnx/read/inline_functions.h"
#include "frontends/onnx/read/parse_model.h"
#include "frontends/onnx/read/well_formed.h"
#include "io/formats/parse_message.h"
#include "rules/rule.h"

namespace supremum {
namespace onnx_front {
namespace {

// Limits of the onnx library: memory in addition to the model, and time.
constexpr std::int64_t kInferenceBytes = std::int64_t{64} << 20;
constexpr int kInferenceSeconds = 3;
// On a machine under load too, the limit of processor time decides.
constexpr int kInferenceWallSeconds = 60;

// The newest opset of ONNX's own domain that the installed onnx library has.
std::int64_t NewestKnownOpset() {
  const auto& ranges = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto onnx_domain = ranges.find("");
  return onnx_domain == ranges.end() ? 0 : onnx_domain->second.second;
}

// The model with what the onnx library inferred, or the reason why it could not.
struct OnnxInference {
  std::optional<onnx::ModelProto> model = {};
  std::string why_not = {};
  std::optional<InferenceSandbox> sandbox = {};  // of the subprocess, if one was started
};

// kCompleted and the model as the onnx library completed it; or the reason why it did not.
constexpr char kCompleted = 'c', kRefused = 'r';

// The onnx library takes an attribute that refers to one of a function's caller, which no call gives, for an
// empty one. Of an operator that it does not know it infers nothing.
void HideOpenReferences(onnx::GraphProto* graph) {
  for (onnx::NodeProto& node : *graph->mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (!attribute.ref_attr_name().empty()) node.set_op_type("unknown");
      if (attribute.has_g()) HideOpenReferences(attribute.mutable_g());
      for (onnx::GraphProto& inner : *attribute.mutable_graphs()) HideOpenReferences(&inner);
    }
  }
}

std::string Completed(const onnx::ModelProto& model) {
  onnx::ModelProto completed = model;
  completed.clear_functions();  // those that are called are inlined
  HideOpenReferences(completed.mutable_graph());
  try {
    // With data propagation: exporters compute shapes by Shape, Slice, Concat and Reshape.
    onnx::shape_inference::InferShapes(completed, onnx::OpSchemaRegistry::Instance(),
                                       onnx::ShapeInferenceOptions(false, 0, true));
  } catch (const std::exception& error) {
    return kRefused + std::string(error.what());
  }
  completed.mutable_graph()->clear_initializer();  // the checker does not need the elements
  return kCompleted + completed.SerializeAsString();
}

// True if both have the same nodes with the same subgraphs, so that nodes correspond by position.
bool SameStructure(const onnx::GraphProto& a, const onnx::GraphProto& b) {
  if (a.node_size() != b.node_size()) return false;
  for (int i = 0; i < a.node_size(); ++i) {
    if (a.node(i).attribute_size() != b.node(i).attribute_size()) return false;
    for (int j = 0; j < a.node(i).attribute_size(); ++j) {
      const onnx::AttributeProto &x = a.node(i).attribute(j), &y = b.node(i).attribute(j);
      if (x.has_g() != y.has_g() || x.graphs_size() != y.graphs_size()) return false;
      if (x.has_g() && !SameStructure(x.g(), y.g())) return false;
      for (int k = 0; k < x.graphs_size(); ++k) {
        if (!SameStructure(x.graphs(k), y.graphs(k))) return false;
      }
    }
  }
  return true;
}

// The library trusts models: some make it divide by zero or recurse without end. So it runs in a subprocess.
OnnxInference InferWithOnnx(const onnx::ModelProto& model, std::int64_t opset, std::int64_t max_bytes) {
  if (opset > NewestKnownOpset()) {
    return {std::nullopt, "the onnx library here knows opsets up to " + std::to_string(NewestKnownOpset()) +
                              " and the model imports " + std::to_string(opset)};
  }
  const auto size = static_cast<std::int64_t>(model.ByteSizeLong());
  const SubprocessLimits limits{.bytes = kInferenceBytes + 8 * size,
                                .seconds = kInferenceSeconds,
                                .wall_seconds = kInferenceWallSeconds,
                                .max_bytes = std::min(kInferenceBytes + 2 * size, io::kMaxMessageBytes)};
  const Result<std::string> text = RunInSubprocess([&] { return Completed(model); }, limits);
  const InferenceSandbox sandbox = InferenceSandboxHere();
  if (!text) {
    return {std::nullopt, "the onnx library failed on this model: " + std::string(text.error().details()),
            sandbox};
  }
  if (text->starts_with(kRefused)) {
    return {std::nullopt, "the onnx library says: " + Quote(std::string_view(*text).substr(1)), sandbox};
  }
  std::optional<onnx::ModelProto> completed = AcceptCompleted(model, *text, max_bytes);
  if (!completed)
    return {std::nullopt,
            "the answer of the onnx library is another model, or takes more than the limit of memory",
            sandbox};
  return {std::move(completed), "", sandbox};
}

// Says which symbols of the graph's inputs could be numbers, if a verdict lacks one.
void NoteSymbols(const onnx::ModelProto& model, CheckReport& report) {
  const bool lacking = std::ranges::any_of(report.nodes, [](const NodeReport& node) {
    return std::ranges::any_of(node.findings, [](const Finding& finding) {
      return finding.verdict == Verdict::kUndecided ||
             (finding.verdict == Verdict::kFails && finding.rule == "PRO-2");
    });
  });
  if (!lacking) return;
  constexpr std::size_t kListed = 3;
  std::unordered_set<std::string_view> symbols;
  std::string text;
  for (const onnx::ValueInfoProto& input : model.graph().input()) {
    for (const auto& dim : input.type().tensor_type().shape().dim()) {
      if (dim.dim_param().empty() || !symbols.insert(dim.dim_param()).second) continue;
      if (symbols.size() <= kListed) text += (symbols.size() == 1 ? "" : ", ") + Quote(dim.dim_param());
    }
  }
  if (symbols.empty()) return;
  if (symbols.size() > kListed) text += " and " + std::to_string(symbols.size() - kListed) + " more";
  report.notes.push_back("extents of the graph's inputs are symbols: " + text +
                         "; give them numbers (--dim, or `dims`) to judge what depends on them");
}

}  // namespace

std::optional<onnx::ModelProto> AcceptCompleted(const onnx::ModelProto& model, std::string_view answer,
                                                std::int64_t max_bytes) {
  if (!answer.starts_with(kCompleted)) return std::nullopt;
  const auto bytes = std::as_bytes(std::span(answer.substr(1)));
  onnx::ModelProto completed;
  if (!io::CheckExpansion("", bytes, kMaxModelDepth, completed, max_bytes) ||
      !io::ParseMessage(bytes, kMaxModelDepth, &completed) ||
      !SameStructure(model.graph(), completed.graph())) {
    return std::nullopt;
  }
  return completed;
}

Result<CheckReport> CheckProto(const onnx::ModelProto& model, const std::string& source,
                               const CheckOptions& options, const NodeVisitor& visit) {
  if (auto ok = CheckWellFormed(model, source); !ok) return std::move(ok).error();
  CheckReport report;
  report.model = source;
  report.profile = options.profile;
  NodeCounts counts = CountNodes(model);
  report.not_judged = std::move(counts.others);
  report.producer = ProducerOf(model);
  Result<std::int64_t> opset = OnnxOpset(model, source);
  if (!opset) {
    // Without nodes to check, it does not matter which versions of operators the model means.
    if (counts.judged > 0) return opset.error();
    report.notes.push_back("it is not a valid ONNX model, but has no node to check: " +
                           std::string(opset.error().details()));
    return report;
  }
  report.opset = *opset;
  const auto inlined = InlineFunctions(model, source, *opset, options.max_bytes);
  if (!inlined) return inlined.error();
  const onnx::ModelProto* known = inlined->model;
  CheckReport checked = report;
  Result<bool> complete = CheckNodes(model, *inlined, *known, options, checked);
  if (!complete) return complete.error();
  OnnxInference inference;
  if (!*complete) {
    // The onnx library is used only if the model and the operators' own rules leave something undecided.
    inference = inlined->one_opset
                    ? InferWithOnnx(*known, *opset, options.max_bytes)
                    : OnnxInference{std::nullopt, "a function imports another opset than the model"};
    report.inference = checked.inference = inference.sandbox;
  }
  if (inference.model) {
    known = &*inference.model;
    checked = report;
    complete = CheckNodes(model, *inlined, *known, options, checked);
    if (!complete) return complete.error();
  } else if (!*complete) {
    checked.notes.push_back("shapes behind other operators are not inferred: " + inference.why_not +
                            "; state them as value_info");
  }
  NoteSymbols(model, checked);
  if (!visit) return checked;
  const Result<bool> shown = CheckNodes(model, *inlined, *known, options, report, visit);
  return shown ? Result<CheckReport>(std::move(checked)) : shown.error();
}

std::optional<Error> FirstError(const CheckReport& report) {
  // What fails comes before what is undecided, which is often its consequence; then the order of the codes.
  std::optional<Error> worst;
  Verdict worst_verdict = Verdict::kUndecided;
  for (const NodeReport& node : report.nodes) {
    for (const Finding& finding : node.findings) {
      if (finding.verdict == Verdict::kHolds) continue;
      const auto& [rule, code] = EntryOf(finding.rule);
      const bool fails_first = finding.verdict == Verdict::kFails && worst_verdict == Verdict::kUndecided;
      const bool earlier = finding.verdict == worst_verdict && (!worst || code < worst->code);
      if (!fails_first && !earlier) continue;
      worst_verdict = finding.verdict;
      worst =
          ErrorAt(code, report.model + ": " + Describe(node.node), rule, finding.text, "; " + finding.change);
    }
  }
  return worst;
}

}  // namespace onnx_front

std::string_view ToString(Verdict verdict) {
  constexpr std::array<std::string_view, 3> kNames = {"holds", "fails", "undecided"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::size_t CheckReport::Count(Verdict verdict) const {
  std::size_t count = 0;
  for (const NodeReport& node : nodes) {
    count += static_cast<std::size_t>(
        std::count_if(node.findings.begin(), node.findings.end(),
                      [&](const Finding& finding) { return finding.verdict == verdict; }));
  }
  return count;
}

std::size_t CheckReport::Total() const {
  std::size_t total = 0;
  for (const NodeReport& node : nodes) total += node.findings.size();
  return total;
}

Result<CheckReport> CheckModel(std::span<const std::byte> bytes, const std::string& source,
                               const CheckOptions& options) {
  return OrOutOfMemory([&]() -> Result<CheckReport> {
    const std::string name = Quote(source);
    auto model = onnx_front::ParseModel(bytes, name, options.max_bytes);
    if (!model) return std::move(model).error();
    Result<std::optional<std::string>> note = onnx_front::BindSymbols(options.dims, name, model->get());
    if (!note) return std::move(note).error();
    Result<CheckReport> report = onnx_front::CheckProto(**model, name, options);
    if (!report) return report;
    report->model = source;
    if (*note) report->notes.push_back(**std::move(note));
    return report;
  });
}

Result<CheckReport> CheckModel(const std::string& path, const CheckOptions& options) {
  return OrOutOfMemory([&]() -> Result<CheckReport> {
    Result<std::vector<std::byte>> bytes = onnx_front::ReadModelFile(path);
    if (!bytes) return std::move(bytes).error();
    return CheckModel(*bytes, path, options);
  });
}

}  // namespace supremum
