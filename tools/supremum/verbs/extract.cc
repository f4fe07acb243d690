// supremum extract: a test case for each Max and ReduceMax node of a model.
#include "supremum/extract.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/file_name.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/random.h"
#include "cli/sha256.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "generate/case_list.h"
#include "generate/model_proto.h"
#include "io/files/file_bytes.h"
#include "io/formats/parse_message.h"
#include "io/formats/tensor_file.h"
#include "verbs/case_folder.h"
#include "verbs/one_node.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

struct ExtractArguments {
  std::string model;
  std::string output;
  std::vector<std::string> nodes;
  std::map<std::string, std::int64_t> dims;
  std::string values = "random";
  std::uint64_t seed = 1;
  std::optional<std::int64_t> max_bytes;  ///< as --max-bytes states it
  std::string json;
};

/// A case: its folder inside the output.
struct Case {
  std::string folder;
  nlohmann::ordered_json entry;  ///< in the list for `supremum-audit`; null if the list has no room for it
};

/// How many bytes of tensors the list has, two digits for each: more would not fit into memory several times.
constexpr std::int64_t kMaxListedBytes = std::int64_t{1} << 26;

/// True for a node that --node names: by its name, or as #N by its position in its graph.
bool IsNamed(const ExtractedNode& node, const std::string& name) {
  return node.node.name == name || name == fmt::format("#{}", node.node.index);
}

/// "node 'fuse' (Max)", or "node 'fuse' (Max) in function 'f', ...".
std::string TitleOf(const ExtractedNode& node) {
  return Describe(node.node) + (node.scope.empty() ? "" : " in " + node.scope);
}

/// Keeps the nodes that --node names, or all. Errors: kInvalidArgument for a name that no node has.
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

/// The node as a model of its own, whose inputs are the node's. Requires: node.obstacle is empty.
/// Errors: those of OutputExtents.
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

/// The bytes of all cases together are limited: a small model may have many nodes of large tensors.
Result<void> CheckSize(const std::vector<ExtractedNode>& nodes, std::int64_t max_bytes) {
  std::int64_t left = max_bytes;
  for (const ExtractedNode& node : nodes) {
    if (!node.obstacle.empty()) continue;
    const Result<io::OneNodeModel> model = ModelOf(node);
    if (!model) return model.error();
    std::vector<Shape> shapes = model->inputs;
    shapes.push_back(*model->output);
    for (const Shape& shape : shapes) {
      const std::optional<std::int64_t> count = ElementCount(shape);
      const auto width = static_cast<std::int64_t>(ByteWidth(model->dtype));
      if (count && *count <= left / width) {
        left -= *count * width;
        continue;
      }
      return MakeError(
          ErrorCode::kLimitExceeded,
          fmt::format("all cases together take more than the limit of {} bytes, at {}; name nodes with "
                      "--node, or raise --max-bytes",
                      max_bytes, TitleOf(node)));
    }
  }
  return {};
}

/// The elements of input `i`: those of the model, or new ones.
Result<Tensor> ElementsOf(const ExtractedNode& node, const io::OneNodeModel& model, std::size_t i,
                          const std::string& values, std::uint64_t seed, std::int64_t max_bytes) {
  const std::shared_ptr<const Tensor>& constant = node.constants[i];
  if (constant == nullptr) return TensorOf(values, model.dtype, model.inputs[i], seed, max_bytes);
  Result<Tensor> copy = Tensor::Create(constant->dtype(), constant->shape(), max_bytes);
  if (copy) std::ranges::copy(constant->bytes(), static_cast<std::byte*>(copy->data()));
  return copy;
}

Result<Case> WriteCase(const ExtractedNode& node, const ExtractArguments& arguments,
                       const std::string& folder, SplitMix64* seeds, std::int64_t max_bytes,
                       std::int64_t* room) {
  const Result<io::OneNodeModel> model = ModelOf(node);
  if (!model) return model.error();
  Case made{folder, nullptr};
  std::vector<NamedTensor> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    Result<Tensor> input = ElementsOf(node, *model, i, arguments.values, seeds->Next(), max_bytes);
    if (!input) return input.error();
    inputs.push_back({fmt::format("x{}", i), *std::move(input)});
  }
  const Result<Tensor> output = ReferenceOutput(*model, inputs, max_bytes);
  if (!output) return output.error();
  const Result<void> written =
      PutCase(WriteNewFile, fs::path(arguments.output) / folder, io::ModelBytes(*model), inputs, *output);
  if (!written) return written.error();
  auto bytes = static_cast<std::int64_t>(output->byte_size());
  for (const NamedTensor& input : inputs) bytes += static_cast<std::int64_t>(input.tensor.byte_size());
  if (bytes > *room) return made;
  *room -= bytes;
  const bool of_nothing = inputs[0].tensor.byte_size() == 0 && output->byte_size() != 0;
  const std::string rule = model->op_type == "Max" ? "MAX-2" : of_nothing ? "RED-6" : "RED-1";
  const std::string reason = TitleOf(node) + " of " + Printable(arguments.model);
  made.entry = CaseJson({folder, "extracted", folder, {rule}, reason, folder, ""}, *model, inputs, *output);
  return made;
}

Result<ExitStatus> Execute(const ExtractArguments& arguments) {
  Progress progress;
  progress.Phase("reading " + arguments.model);
  Outputs outputs;
  outputs.ReadsModel(arguments.model);
  if (Result<void> made = outputs.MakeNewFolder("--output", arguments.output); !made) return made.error();
  if (Result<void> claimed = outputs.ClaimJson(arguments.json); !claimed) return claimed.error();
  const Result<std::vector<std::byte>> bytes = io::ReadFileBytes(arguments.model, io::kMaxMessageBytes);
  if (!bytes) return bytes.error();
  const std::int64_t max_bytes = MaxBytesFor(arguments.max_bytes, {arguments.model});
  Result<ExtractedNodes> extracted =
      ExtractNodes(*bytes, arguments.model, {.dims = arguments.dims, .max_bytes = max_bytes});
  if (!extracted) return extracted.error();
  std::vector<ExtractedNode>* const nodes = &extracted->nodes;
  if (Result<void> selected = SelectNodes(arguments.nodes, nodes); !selected) return selected.error();
  if (Result<void> fits = CheckSize(*nodes, max_bytes); !fits) return fits.error();

  nlohmann::ordered_json json = JsonHead("extract");
  json["model"] = arguments.model;
  const Result<std::string> digest = Sha256Of(*bytes);
  if (!digest) return digest.error();
  json["sha256"] = *digest;
  json["dims"] = arguments.dims;
  json["values"] = arguments.values;
  json["seed"] = arguments.seed;
  json["folder"] = arguments.output;
  json["cases"] = nlohmann::ordered_json::array();
  json["skipped"] = nlohmann::ordered_json::array();
  Table table({{"case", Table::kLeft, 24}, {"node", Table::kLeft, 40}, {"inputs", Table::kLeft, 40}});
  std::string skipped;
  std::vector<std::string> notes = extracted->notes;
  CaseList list;
  const CaseList no_models;
  std::int64_t room = kMaxListedBytes;
  SplitMix64 seeds(arguments.seed);
  FileNames names("");
  for (std::size_t i = 0; i < nodes->size(); ++i) {
    const ExtractedNode& node = (*nodes)[i];
    progress.Phase(fmt::format("case {} of {}", i + 1, nodes->size()));
    const nlohmann::ordered_json subject = {{"node", Describe(node.node)},
                                            {"name", node.node.name},
                                            {"index", node.node.index},
                                            {"scope", node.scope}};
    if (!node.obstacle.empty()) {
      skipped += fmt::format("skipped: {}: {}\n", Printable(TitleOf(node)), Printable(node.obstacle));
      json["skipped"].push_back(subject);
      json["skipped"].back()["reason"] = node.obstacle;
      continue;
    }
    const Result<std::string> name = names.For(
        fmt::format("{:04}_{}{}{}", i, node.node.op_type, node.node.name.empty() ? "" : "_", node.node.name));
    if (!name) return name.error();
    const Result<Case> made = WriteCase(node, arguments, *name, &seeds, max_bytes, &room);
    if (!made) return made.error();
    if (!made->entry.is_null()) {
      list.Add(made->entry);
    } else {
      notes.push_back(fmt::format(
          "{} is not in cases.json, which has at most {} bytes of tensors: `supremum-audit` will not run it",
          *name, kMaxListedBytes));
    }
    std::vector<std::string> shown;
    nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      shown.push_back(fmt::format("{} {}", node.inputs[k].name, ToString(node.inputs[k])));
      inputs.push_back({{"name", node.inputs[k].name},
                        {"type", ToString(node.inputs[k])},
                        {"source", node.constants[k] == nullptr ? arguments.values : "the model"}});
    }
    table.Add({made->folder, TitleOf(node), fmt::format("{}", fmt::join(shown, ", "))});
    json["cases"].push_back(subject);
    json["cases"].back()["folder"] = made->folder;
    json["cases"].back()["inputs"] = std::move(inputs);
  }
  progress.Hide();
  const fs::path folder = arguments.output;
  Result<void> written = WriteNewFile(folder / "cases.json", list.Text());
  if (written) written = WriteNewFile(folder / "invalid.json", no_models.Text());
  if (written) written = MakeDurable(folder);
  if (!written) return written.error();
  const std::size_t count = json["cases"].size();
  std::string text = count == 0 ? "" : table.Text(Terminal::OfStdout());
  text += skipped;
  for (const std::string& note : notes) text += "note: " + Printable(note) + '\n';
  json["notes"] = notes;
  text +=
      fmt::format("{} test {} in {}\n", count, count == 1 ? "case" : "cases", Printable(arguments.output));
  return outputs.Deliver(std::move(json), text,
                         skipped.empty() ? ExitStatus::kSuccess : ExitStatus::kDoesNotHold);
}

}  // namespace

Verb AddExtract(CLI::App& app) {
  const auto arguments = std::make_shared<ExtractArguments>();
  CLI::App* verb = AddVerb(
      app, "extract", "Makes a test case of each Max and ReduceMax node of a model.",
      "Each case is a folder with a model of that node alone, its inputs, and the expected output by\n"
      "the reference, which `supremum test` and test programs of other runtimes read; cases.json lists\n"
      "them for `supremum-audit --cases DIR`, which runs them in all installed runtimes. Nodes in\n"
      "subgraphs and in functions, for each call, are included. Axes are a constant of the case.\n"
      "An input that is a constant of the model has its elements; the others get --values, as\n"
      "`supremum gen` makes them. Exit status 1 if a node was skipped: if it breaks a rule, or if a\n"
      "type, an extent or its axes are not known.\n\n"
      "Examples:\n"
      "  supremum extract net.onnx --dim batch=1 -o nodes\n"
      "  supremum extract net.onnx --dim batch=1 --node fuse --node '#1' --values edge -o edges\n"
      "  supremum test nodes\n"
      "  supremum-audit --cases nodes\n");
  AddPositional(*verb, "MODEL", &arguments->model, "an ONNX model; it may have other operators");
  AddRequiredText(*verb, "-o,--output", "DIR", &arguments->output, "a new folder, or an empty one");
  AddRepeated(*verb, "--node", "NODE", &arguments->nodes, "a node by its name, or as #N by its position");
  AddDims(*verb, &arguments->dims);
  AddChoice(*verb, "--values", {"random", "edge", "bits"}, &arguments->values,
            "the elements of other inputs");
  AddNumber(*verb, "--seed", "N", &arguments->seed, "the seed of these elements");
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
