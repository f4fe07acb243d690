#include "supremum/model.h"

#include <onnx/onnx_pb.h>

#include <utility>

#include "core/out_of_memory.h"
#include "core/quote.h"
#include "frontends/onnx/bind_symbols.h"
#include "frontends/onnx/contents.h"
#include "frontends/onnx/graph.h"
#include "frontends/onnx/infer.h"
#include "frontends/onnx/model_state.h"
#include "frontends/onnx/parse_model.h"
#include "frontends/onnx/run.h"
#include "io/formats/external_data.h"

namespace supremum {
namespace {

std::vector<ValueInfo> InfosOf(const onnx_front::Graph& graph, const std::vector<std::size_t>& values) {
  std::vector<ValueInfo> infos;
  for (std::size_t value : values) infos.push_back(graph.values[value].stated.info);
  return infos;
}

}  // namespace

Result<Model> Model::Load(const std::string& path, const LoadOptions& options) {
  return OrOutOfMemory([&]() -> Result<Model> {
    std::optional<std::string> folder;
    if (options.allow_external_data || !options.external_data_root.empty()) folder = io::FolderOfFile(path);
    Result<std::vector<std::byte>> bytes = onnx_front::ReadModelFile(path);
    if (!bytes) return std::move(bytes).error();
    Result<Model> model = Read(*bytes, path, options, folder);
    if (options.content != nullptr) *options.content = *std::move(bytes);
    return model;
  });
}

Result<Model> Model::Parse(std::span<const std::byte> bytes, const std::string& source,
                           const LoadOptions& options) {
  return OrOutOfMemory([&]() -> Result<Model> {
    const bool external =
        (options.allow_external_data || !options.external_data_root.empty()) && !options.folder.empty();
    return Read(bytes, source, options, external ? std::optional(options.folder) : std::nullopt);
  });
}

Result<Model> Model::Read(std::span<const std::byte> bytes, const std::string& source,
                          const LoadOptions& options, const std::optional<std::string>& folder) {
  const std::string name = Quote(source);
  auto proto = onnx_front::ParseModel(bytes, name, options.max_bytes);
  if (!proto) return std::move(proto).error();
  Result<std::optional<std::string>> note = onnx_front::BindSymbols(options.dims, name, proto->get());
  if (!note) return std::move(note).error();
  io::ExternalFolder external;
  if (folder) external.emplace(*folder, options.max_bytes, options.external_data_root);
  Result<onnx_front::Graph> graph = onnx_front::ReadGraph(**proto, name, options.max_bytes, external);
  if (!graph) return std::move(graph).error();

  auto state = std::make_unique<State>();
  state->graph = *std::move(graph);
  state->proto = *std::move(proto);
  // The elements have been read. The checker needs only the type and dims of an initializer, and the elements
  // of axes, which are at most one for each dimension.
  for (onnx::TensorProto& tensor : *state->proto->mutable_graph()->mutable_initializer()) {
    if (tensor.raw_data().size() > kMaxRank * sizeof(std::int64_t)) tensor.clear_raw_data();
  }
  state->inputs = InfosOf(state->graph, state->graph.inputs);
  state->optional_inputs = InfosOf(state->graph, state->graph.optional_inputs);
  state->outputs = InfosOf(state->graph, state->graph.outputs);
  for (const onnx_front::Node& node : state->graph.nodes) state->nodes.push_back(node.info);
  Result<ModelContents> contents = onnx_front::ContentsOf(*state->proto, name, options.max_bytes);
  if (!contents) return std::move(contents).error();
  state->contents = *std::move(contents);
  if (*note) state->contents.notes.push_back(**std::move(note));
  return Model(std::move(state));
}

Model::Model(std::unique_ptr<State> state) : state_(std::move(state)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const ModelContents& Model::contents() const { return state_->contents; }
const std::string& Model::graph_name() const { return state_->graph.name; }
std::int64_t Model::ir_version() const { return state_->graph.ir_version; }
const std::string& Model::producer() const { return state_->graph.producer; }
std::int64_t Model::opset() const { return state_->graph.opset; }
const std::vector<ValueInfo>& Model::inputs() const { return state_->inputs; }
const std::vector<ValueInfo>& Model::optional_inputs() const { return state_->optional_inputs; }
const std::vector<ValueInfo>& Model::outputs() const { return state_->outputs; }
const std::vector<NodeInfo>& Model::nodes() const { return state_->nodes; }

std::vector<ValueInfo> Model::initializers() const {
  return InfosOf(state_->graph, state_->graph.initializers);
}

Result<std::vector<ValueInfo>> Model::Infer() const {
  return OrOutOfMemory([&]() -> Result<std::vector<ValueInfo>> {
    Result<onnx_front::InferredGraph> known = onnx_front::InferGraph(state_->graph);
    if (!known) return std::move(known).error();
    std::vector<ValueInfo>& infos = known->infos;
    // Values are numbered with initializers first; the report has inputs first.
    const onnx_front::Graph& graph = state_->graph;
    std::vector<ValueInfo> ordered;
    std::vector<bool> listed(infos.size(), false);
    const auto list = [&](std::size_t value) {
      if (!listed[value]) ordered.push_back(std::move(infos[value]));
      listed[value] = true;
    };
    for (std::size_t value : graph.inputs) list(value);
    for (std::size_t value : graph.optional_inputs) list(value);
    for (std::size_t value : graph.initializers) list(value);
    for (std::size_t value = 0; value < listed.size(); ++value) list(value);
    return ordered;
  });
}

Result<void> Model::CheckRun(const RunOptions& options) const {
  return OrOutOfMemory([&] { return onnx_front::CheckRun(state_->graph, *state_->proto, options); });
}

Result<std::vector<NamedTensor>> Model::Run(std::span<const NamedTensor> inputs,
                                            const RunOptions& options) const {
  return OrOutOfMemory([&]() -> Result<std::vector<NamedTensor>> {
    return onnx_front::RunGraph(state_->graph, *state_->proto, inputs, options);
  });
}

Result<std::vector<BoundedTensor>> Model::RunWithBounds(std::span<const NamedTensor> inputs,
                                                        std::span<const NamedTensor> bounds,
                                                        const RunOptions& options) const {
  return OrOutOfMemory([&]() -> Result<std::vector<BoundedTensor>> {
    return onnx_front::RunGraphWithBounds(state_->graph, *state_->proto, inputs, bounds, options);
  });
}

}  // namespace supremum
