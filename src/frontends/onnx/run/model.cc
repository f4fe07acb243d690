#include "supremum/model.h"

#include <onnx/onnx_pb.h>

#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/out_of_memory.h"
#include "core/quote.h"
#include "frontends/onnx/infer/infer_graph.h"
#include "frontends/onnx/read/bind_symbols.h"
#include "frontends/onnx/read/contents.h"
#include "frontends/onnx/read/graph.h"
#include "frontends/onnx/read/parse_model.h"
#include "frontends/onnx/run/model_state.h"
#include "frontends/onnx/run/run.h"
#include "io/formats/external_data.h"

namespace supremum {
namespace {

std::vector<ValueInfo> InfosOf(const onnx_front::Graph& graph, const std::vector<std::size_t>& values) {
  std::vector<ValueInfo> infos;
  for (std::size_t value : values) infos.push_back(graph.values[value].stated.info);
  return infos;
}

std::vector<NamedView> ViewsOf(std::span<const NamedTensor> tensors) {
  std::vector<NamedView> views;
  views.reserve(tensors.size());
  for (const NamedTensor& tensor : tensors) views.push_back({tensor.name, tensor.tensor.View()});
  return views;
}

std::vector<const void*> DataOf(std::span<const NamedView> views) {
  std::vector<const void*> data;
  data.reserve(views.size());
  for (const NamedView& view : views) data.push_back(view.view.data);
  return data;
}

const std::string& NameOf(const onnx_front::Graph& graph, std::size_t output) {
  return graph.values[graph.outputs[output]].stated.info.name;
}

// The caller's memory of each output of the graph, null where there is none.
std::vector<void*> OutputData(const onnx_front::Graph& graph, std::span<const NamedMutableView> outputs) {
  std::vector<void*> data(graph.outputs.size(), nullptr);
  if (outputs.empty()) return data;
  std::unordered_map<std::string_view, void*> by_name;
  for (const NamedMutableView& output : outputs) by_name.emplace(output.name, output.view.data);
  for (std::size_t k = 0; k < data.size(); ++k) {
    const auto given = by_name.find(NameOf(graph, k));
    if (given != by_name.end()) data[k] = given->second;
  }
  return data;
}

}  // namespace

// A plan that is destroyed is kept by its model.
struct ModelPlan::State {
  State(std::shared_ptr<Model::State> of_model, std::unique_ptr<onnx_front::ModelRun> of_inputs)
      : model(std::move(of_model)), run(std::move(of_inputs)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (run != nullptr && run->CanBeKept()) model->Keep(std::move(run));
  }
  std::shared_ptr<Model::State> model;
  std::unique_ptr<onnx_front::ModelRun> run;
};

ModelPlan::ModelPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}
ModelPlan::ModelPlan(ModelPlan&&) noexcept = default;
ModelPlan& ModelPlan::operator=(ModelPlan&&) noexcept = default;
ModelPlan::~ModelPlan() = default;

Result<void> ModelPlan::Rebind(std::span<const void* const> inputs, std::span<void* const> outputs) {
  return OrOutOfMemory([&] { return state_->run->Rebind(inputs, outputs); });
}

void ModelPlan::Run() noexcept { state_->run->Execute(); }

std::size_t ModelPlan::output_count() const { return state_->model->graph.outputs.size(); }
TensorView ModelPlan::output(std::size_t k) const { return state_->run->Output(k); }
std::size_t ModelPlan::MemoryBytes() const noexcept { return state_->run->MemoryBytes(); }

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

  auto state = std::make_shared<State>();
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

Model::Model(std::shared_ptr<State> state) : state_(std::move(state)) {}
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
    Result<ModelPlan> plan = Prepare(ViewsOf(inputs), {}, options);
    if (!plan) return std::move(plan).error();
    plan->state_->run->Execute();  // RunOptions::progress may throw
    std::vector<NamedTensor> outputs;
    outputs.reserve(state_->graph.outputs.size());  // a model may have very many outputs
    for (std::size_t k = 0; k < state_->graph.outputs.size(); ++k) {
      outputs.push_back({NameOf(state_->graph, k), plan->state_->run->TakeOutput(k)});
    }
    return outputs;
  });
}

Result<ModelPlan> Model::Prepare(std::span<const NamedView> inputs, std::span<const NamedMutableView> outputs,
                                 const RunOptions& options) const {
  return OrOutOfMemory([&]() -> Result<ModelPlan> {
    auto plan = std::make_unique<ModelPlan::State>(state_, state_->Take());
    if (plan->run != nullptr && plan->run->Fits(inputs, outputs, options) &&
        plan->run->Rebind(DataOf(inputs), OutputData(state_->graph, outputs))) {
      return ModelPlan(std::move(plan));
    }
    plan->run.reset();
    auto run = onnx_front::PrepareRun(state_->graph, *state_->proto, inputs, outputs, options);
    if (!run) return std::move(run).error();
    plan->run = *std::move(run);
    return ModelPlan(std::move(plan));
  });
}

Result<std::vector<BoundedTensor>> Model::RunWithBounds(std::span<const NamedTensor> inputs,
                                                        std::span<const NamedTensor> bounds,
                                                        const RunOptions& options) const {
  return OrOutOfMemory([&]() -> Result<std::vector<BoundedTensor>> {
    auto run = onnx_front::PrepareRun(state_->graph, *state_->proto, ViewsOf(inputs), {}, options, bounds);
    if (!run) return std::move(run).error();
    (*run)->Execute();
    std::vector<BoundedTensor> outputs;
    outputs.reserve(state_->graph.outputs.size());
    for (std::size_t k = 0; k < state_->graph.outputs.size(); ++k) {
      using onnx_front::LayerOf;
      outputs.push_back(
          {NameOf(state_->graph, k), (*run)->TakeOutput(k), (*run)->TakeOutput(k, LayerOf(Known::kBound)),
           (*run)->TakeOutput(k, LayerOf(Known::kLower)), (*run)->TakeOutput(k, LayerOf(Known::kUpper))});
    }
    return outputs;
  });
}

}  // namespace supremum
