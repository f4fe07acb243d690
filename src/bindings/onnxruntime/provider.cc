#include "bindings/onnxruntime/provider.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/quote.h"

namespace supremum::onnxruntime {
namespace {

constexpr const char* kDisabledOptimizers = "optimization.disable_specified_optimizers";

// An entry of the session's configuration.
std::optional<std::string> EntryOf(const Api& api, const OrtSessionOptions* session, const char* key) {
  int found = 0;
  api.Check(api.ort->HasSessionConfigEntry(session, key, &found));
  if (found == 0) return std::nullopt;
  std::size_t size = 0;
  api.Check(api.ort->GetSessionConfigEntry(session, key, nullptr, &size));
  std::string value(size, '\0');
  api.Check(api.ort->GetSessionConfigEntry(session, key, value.data(), &size));
  value.resize(std::min(size, value.find('\0')));
  return value;
}

// A name of the list, which ONNX Runtime separates by semicolons.
bool Lists(std::string_view list, std::string_view wanted) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(';'), list.size());
    if (list.substr(0, end) == wanted) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

std::vector<const OrtNode*> NodesOf(const Api& api, const OrtGraph* graph) {
  std::size_t count = 0;
  api.Check(api.ort->Graph_GetNumNodes(graph, &count));
  std::vector<const OrtNode*> nodes(count);
  api.Check(api.ort->Graph_GetNodes(graph, nodes.data(), count));
  return nodes;
}

// The provider that has taken the node, which the session prefers; "" if none has.
std::string TakenBy(const Api& api, const OrtNode* node) {
  const char* provider = nullptr;
  api.Check(api.ort->Node_GetEpName(node, &provider));
  return provider == nullptr || std::string_view(provider) == kProviderName ? "" : provider;
}

// True within a SequenceMap, whose body ONNX Runtime puts into a Loop after it has asked providers, and then
// asks again: what was compiled before would be lost.
bool IsInSequenceMap(const Api& api, const OrtGraph* graph) {
  for (;;) {
    const OrtNode* parent = nullptr;
    api.Check(api.ort->Graph_GetParentNode(graph, &parent));
    if (parent == nullptr) return false;
    const char* type = nullptr;
    api.Check(api.ort->Node_GetOperatorType(parent, &type));
    if (type != nullptr && std::string_view(type) == "SequenceMap") return true;
    api.Check(api.ort->Node_GetGraph(parent, &graph));
    if (graph == nullptr) return false;
  }
}

// The functions that ONNX Runtime calls for a compiled node.
struct Compiled : OrtNodeComputeInfo {
  Compiled(const Api& of, std::unique_ptr<Computation> of_node)
      : OrtNodeComputeInfo{}, api(of), computation(std::move(of_node)) {
    ort_version_supported = kApiVersion;
    CreateState = [](OrtNodeComputeInfo* self, OrtNodeComputeContext*, void** state) noexcept -> OrtStatus* {
      *state = static_cast<Compiled*>(self)->computation.get();
      return nullptr;
    };
    Compute = [](OrtNodeComputeInfo* self, void* state, OrtKernelContext* context) noexcept -> OrtStatus* {
      return Guarded(*static_cast<Compiled*>(self)->api.ort,
                     [&] { static_cast<Computation*>(state)->Run(context); });
    };
    ReleaseState = [](OrtNodeComputeInfo*, void*) noexcept {};  // it is the node's
  }

  const Api api;
  const std::unique_ptr<Computation> computation;
};

}  // namespace

ProviderOptions ReadOptions(const Api& api, const OrtSessionOptions* session) {
  ProviderOptions options;
  const auto refuse = [](const char* option, const std::string& value, const char* values) {
    throw Failure(ORT_INVALID_ARGUMENT, std::string("supremum: the option ") + option + " is " +
                                            Quote(value) + "; it can be " + values);
  };
  if (const auto value = EntryOf(api, session, "ep.supremumexecutionprovider.threads");
      value && *value != "session") {
    options.threads.of_onnxruntime = false;
    const char* const end = value->data() + value->size();
    const auto [read, error] = std::from_chars(value->data(), end, options.threads.own);
    if (error != std::errc() || read != end) {
      refuse("threads", *value,
             "'session', the threads of the session, or a number of threads, 0 for one on each processor");
    }
  }
  if (const auto value = EntryOf(api, session, "ep.supremumexecutionprovider.strict")) {
    if (*value != "0" && *value != "1") refuse("strict", *value, "'0' or '1'");
    options.strict = *value == "1";
  }
  if (options.strict && !Lists(EntryOf(api, session, kDisabledOptimizers).value_or(""), "ConstantFolding")) {
    throw Failure(ORT_INVALID_ARGUMENT, std::string("supremum: strict is 1, but ONNX Runtime may compute "
                                                    "nodes with constant inputs itself, before it "
                                                    "offers nodes to providers; set the session's entry ") +
                                            kDisabledOptimizers + " to 'ConstantFolding'");
  }
  if (EntryOf(api, session, "ep.context_enable") == "1") {
    throw Failure(ORT_INVALID_ARGUMENT,
                  "supremum: the session's entry ep.context_enable is 1, but nodes that are computed here "
                  "cannot be written to a model; leave the entry out");
  }
  return options;
}

Provider::Provider(const Api& api, const ProviderOptions& options, const OrtLogger* logger)
    : OrtEp{}, api_(api), options_(options), logger_(logger) {
  ort_version_supported = kApiVersion;
  GetName = GetNameOf;
  GetCapability = GetCapabilityOf;
  OrtEp::Compile = CompileOf;
  ReleaseNodeComputeInfos = ReleaseCompiled;
  OnRunStart = OnRunStartOf;
}

const char* Provider::GetNameOf(const OrtEp*) noexcept { return kProviderName; }

OrtStatus* Provider::GetCapabilityOf(OrtEp* self, const OrtGraph* graph,
                                     OrtEpGraphSupportInfo* info) noexcept {
  Provider& provider = *static_cast<Provider*>(self);
  return Guarded(*provider.api_.ort, [&] { provider.Claim(graph, info); });
}

OrtStatus* Provider::OnRunStartOf(OrtEp* self, const OrtRunOptions*) noexcept {
  const Provider& provider = *static_cast<Provider*>(self);
  return Guarded(*provider.api_.ort, [&] { provider.CheckStrict(); });
}

// A failure here would leave the nodes to other providers. A node with inputs that ONNX does not admit, which
// can end the process in others, and any that cannot be computed if the options are strict, is claimed all
// the same: Compile then fails with the reason, and with it the session. A node that another provider has
// taken cannot be claimed: each run fails.
void Provider::Claim(const OrtGraph* graph, OrtEpGraphSupportInfo* info) {
  if (IsInSequenceMap(api_, graph)) return;
  OrtNodeFusionOptions fusion = {};
  fusion.ort_version_supported = kApiVersion;
  bool claims = false;
  for (const OrtNode* node : NodesOf(api_, graph)) {
    if (!IsMaxOrReduceMax(api_, node)) continue;
    if (const std::string provider = TakenBy(api_, node); !provider.empty()) {
      Leave(TitleOf(api_, node) + " is computed by " + Printable(provider) + ", which the session prefers");
      continue;
    }
    const Result<Node> read = ReadNode(api_, node);
    const bool is_invalid = !read && read.error().code == ErrorCode::kInputCount;
    if (!read && !is_invalid) {
      Leave(read.error().message);
      if (!options_.strict) continue;
    } else if (claimed_ && !api_.compiles_several_graphs) {
      Leave(TitleOf(api_, node) +
            ": ONNX Runtime before 1.24.4 compiles nodes in one graph of a model "
            "alone, and others were found before");
      if (!options_.strict) continue;
    }
    claims = true;
    api_.Check(api_.ep->EpGraphSupportInfo_AddNodesToFuse(info, &node, 1, &fusion));
  }
  claimed_ = claimed_ || claims;
}

void Provider::Leave(const std::string& why) {
  if (left_.empty()) left_ = why;
  const std::string text = "supremum: left to other providers: " + why;
  api_.Check(api_.ort->Logger_LogMessage(logger_, ORT_LOGGING_LEVEL_WARNING, text.c_str(), "provider.cc",
                                         __LINE__, "supremum"));
}

void Provider::CheckStrict() const {
  if (options_.strict && !left_.empty())
    throw Failure(ORT_NOT_IMPLEMENTED, "supremum: strict is 1, and " + left_);
}

OrtStatus* Provider::CompileOf(OrtEp* self, const OrtGraph** graphs, const OrtNode** fused, std::size_t count,
                               OrtNodeComputeInfo** compiled, OrtNode**) noexcept {
  const Provider& provider = *static_cast<Provider*>(self);
  return Guarded(*provider.api_.ort, [&] {
    provider.CheckStrict();
    std::vector<std::unique_ptr<Compiled>> all;
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(std::make_unique<Compiled>(provider.api_, provider.Compile(graphs[i], fused[i])));
    }
    for (std::size_t i = 0; i < count; ++i) compiled[i] = all[i].release();
  });
}

// ONNX Runtime replaces a claimed node by one of its own, whose inputs are those of the node, each once and
// in an order of its own.
std::unique_ptr<Computation> Provider::Compile(const OrtGraph* graph, const OrtNode* fused) const {
  const std::vector<const OrtNode*> nodes = NodesOf(api_, graph);
  if (nodes.size() != 1) {
    throw Failure(ORT_FAIL,
                  "supremum: a graph of " + std::to_string(nodes.size()) + " nodes to compile, not one");
  }
  Result<Node> node = ReadNode(api_, nodes.front());
  if (!node) throw Failure(ORT_FAIL, "supremum: " + node.error().message);
  const std::vector<std::string> given = InputNames(api_, fused);
  std::vector<std::size_t> positions;
  for (const std::string& name : node->inputs) {
    const auto found = std::ranges::find(given, name);
    if (found == given.end()) {
      throw Failure(ORT_FAIL,
                    "supremum: " + node->title + ": ONNX Runtime does not provide its input " + Quote(name));
    }
    positions.push_back(static_cast<std::size_t>(found - given.begin()));
  }
  return std::make_unique<Computation>(api_, *std::move(node), std::move(positions), options_.threads);
}

void Provider::ReleaseCompiled(OrtEp*, OrtNodeComputeInfo** compiled, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) delete static_cast<Compiled*>(compiled[i]);
}

}  // namespace supremum::onnxruntime
