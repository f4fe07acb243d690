// supremum emit-c: a model, or one node of it, as a C99 file.
#include "emit/emit_c.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/sha256.h"
#include "io/files/atomic_file.h"
#include "io/files/file_bytes.h"
#include "io/formats/parse_message.h"
#include "supremum/extract.h"
#include "supremum/static_graph.h"
#include "verbs/extracted_node.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

struct EmitArguments {
  std::string model;
  std::string output;
  std::string entry;
  std::string node;
  std::string size_bits = "32";
  std::map<std::string, std::int64_t> dims;
  ExternalDataOptions external;
  std::optional<std::int64_t> max_bytes;  ///< as --max-bytes states it
  std::string json;
};

/// The name of the function if --entry states none: that of the model's file, changed where C needs it.
std::string EntryOf(const std::string& model) {
  std::string name = fs::path(model).stem().string().substr(0, 30);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  for (std::size_t at; (at = name.find("__")) != name.npos;) name.erase(at, 1);
  while (!name.empty() && name.back() == '_') name.pop_back();
  while (!name.empty() && name.front() == '_') name.erase(0, 1);
  return IsEntryName(name) ? name : "model_" + name;
}

/// One node as a graph of its own. Inputs have their names in the model, and constants their elements.
Result<StaticGraph> GraphOfNode(const EmitArguments& arguments, const std::vector<std::byte>& bytes,
                                std::int64_t max_bytes, std::string* title) {
  Result<ExtractedNodes> extracted =
      ExtractNodes(bytes, arguments.model, {.dims = arguments.dims, .max_bytes = max_bytes});
  if (!extracted) return extracted.error();
  if (Result<void> selected = SelectNodes({arguments.node}, &extracted->nodes); !selected)
    return selected.error();
  if (extracted->nodes.size() > 1) {
    return MakeError(
        ErrorCode::kInvalidArgument,
        fmt::format("--node {}: {} nodes have this name or position; name another, or extract them "
                    "with `supremum extract`",
                    arguments.node, extracted->nodes.size()));
  }
  const ExtractedNode& node = extracted->nodes[0];
  *title = TitleOf(node);
  if (!node.obstacle.empty())
    return MakeError(ErrorCode::kShapeNotExplicit, fmt::format("{}: {}", *title, node.obstacle));
  const Result<io::OneNodeModel> one = ModelOf(node);
  if (!one) return one.error();
  const std::string alone = io::ModelBytes(*one);
  const Result<Model> model = Model::Parse(std::as_bytes(std::span(alone)), *title, {.max_bytes = max_bytes});
  if (!model) return model.error();
  Result<StaticGraph> graph = StaticGraphOf(*model);
  if (!graph) return graph;
  std::vector<std::size_t> inputs;
  for (std::size_t i = 0; i < graph->inputs.size(); ++i) {
    StaticValue& value = graph->values[graph->inputs[i]];
    value.name = node.inputs[i].name;
    value.constant = node.constants[i];
    if (value.constant == nullptr) inputs.push_back(graph->inputs[i]);
  }
  graph->inputs = std::move(inputs);
  if (!node.node.outputs.empty()) graph->values[graph->outputs[0]].name = node.node.outputs[0];
  graph->nodes[0].info = node.node;
  return graph;
}

Result<StaticGraph> GraphOf(const EmitArguments& arguments, const std::vector<std::byte>& bytes,
                            std::int64_t max_bytes, std::string* node) {
  if (!arguments.node.empty()) return GraphOfNode(arguments, bytes, max_bytes, node);
  LoadOptions options;
  options.max_bytes = max_bytes;
  options.allow_external_data = arguments.external.allow;
  options.external_data_root = arguments.external.root;
  options.folder = fs::path(arguments.model).parent_path().string();
  if (options.folder.empty()) options.folder = ".";
  options.dims = arguments.dims;
  const Result<Model> model = Model::Parse(bytes, arguments.model, options);
  if (!model) return model.error();
  return StaticGraphOf(*model);
}

Result<ExitStatus> Execute(const EmitArguments& arguments) {
  const std::string entry = arguments.entry.empty() ? EntryOf(arguments.model) : arguments.entry;
  if (!IsEntryName(entry)) {
    return MakeError(
        ErrorCode::kInvalidArgument,
        fmt::format("--entry '{}' cannot be the name of the function; give letters, digits and single "
                    "'_', a letter first, at most 40, and no word that C, C++ or the program uses",
                    Printable(entry)));
  }
  Progress progress;
  progress.Phase("reading " + arguments.model);
  Outputs outputs;
  outputs.ReadsModel(arguments.model, arguments.external);
  if (Result<void> made = outputs.MakeFolder(arguments.output); !made) return made.error();
  const fs::path folder(arguments.output);
  const std::string paths[] = {(folder / (entry + ".h")).string(), (folder / (entry + ".c")).string(),
                               (folder / (entry + ".json")).string()};
  for (const std::string& path : paths) {
    if (Result<void> claimed = outputs.Claim("--output", path, Outputs::Kind::kReport); !claimed)
      return claimed.error();
  }
  if (Result<void> claimed = outputs.ClaimJson(arguments.json); !claimed) return claimed.error();
  const Result<std::vector<std::byte>> bytes = io::ReadFileBytes(arguments.model, io::kMaxMessageBytes);
  if (!bytes) return bytes.error();
  const Result<std::string> digest = Sha256Of(*bytes);
  if (!digest) return digest.error();

  EmitOptions options;
  options.entry = entry;
  options.model = fs::path(arguments.model).filename().string();
  options.sha256 = *digest;
  options.size_bits = arguments.size_bits == "16" ? 16 : arguments.size_bits == "64" ? 64 : 32;
  const std::int64_t max_bytes =
      MaxBytesFor(arguments.max_bytes, FilesOfModel(arguments.model, arguments.external));
  const Result<StaticGraph> graph = GraphOf(arguments, *bytes, max_bytes, &options.node);
  if (!graph) return graph.error();
  progress.Phase("writing " + paths[1]);
  Result<EmittedC> emitted = EmitC(*graph, options);
  if (!emitted) return emitted.error();
  emitted->facts["dims"] = arguments.dims;

  const std::string facts = JsonDocument(emitted->facts, 2);
  const std::string* const texts[] = {&emitted->header, &emitted->source, &facts};
  for (std::size_t i = 0; i < std::size(paths); ++i) {
    Result<io::AtomicFile> file = io::AtomicFile::Create(paths[i]);
    if (!file) return file.error();
    if (Result<void> written = file->Write(std::as_bytes(std::span(*texts[i]))); !written)
      return written.error();
    outputs.Add(*std::move(file));
  }
  progress.Hide();
  const auto& memory = emitted->facts["memory"];
  const std::string text = fmt::format(
      "{}: {} lines, {} parameters, {} bytes of constants, {} bytes of workspace\n"
      "{}: its interface\n{}: loop bounds, memory, and what is proved of which lines\n",
      Printable(paths[1]), std::ranges::count(emitted->source, '\n'),
      emitted->facts["parameters"].size() + (memory["workspace_bytes"] == 0 ? 0 : 1),
      memory["constant_bytes"].get<std::uint64_t>(), memory["workspace_bytes"].get<std::uint64_t>(),
      Printable(paths[0]), Printable(paths[2]));
  Result<void> delivered = outputs.Deliver(std::move(emitted->facts), text);
  if (!delivered) return delivered.error();
  return ExitStatus::kSuccess;
}

}  // namespace

Verb AddEmitC(CLI::App& app) {
  const auto arguments = std::make_shared<EmitArguments>();
  CLI::App* verb = AddVerb(
      app, "emit-c", "Writes a model of Max, ReduceMax, Constant and Identity nodes as a C99 file.",
      "DIR gets ENTRY.c and ENTRY.h, for a program that includes them, and ENTRY.json: the bounds of all\n"
      "loops, memory, the model's SHA-256, and which theorems cover which lines. The C needs no library,\n"
      "allocates nothing, has constant loop bounds, and no state. What computes on elements is the C that\n"
      "was extracted from the proofs. Every extent must be a number: --dim gives it to a symbolic\n"
      "dimension. With --node, the model may have other operators. The same model gives the same bytes.\n\n"
      "Examples:\n"
      "  supremum emit-c fuse.onnx -o c\n"
      "  supremum emit-c net.onnx --dim batch=1 --node fuse --entry fuse_scores -o c\n"
      "  supremum emit-c fuse.onnx --size-bits 16 -o c --json facts.json\n");
  AddPositional(*verb, "MODEL", &arguments->model, "an ONNX model; with --node, it may have other operators");
  AddRequiredText(*verb, "-o,--output", "DIR", &arguments->output,
                  "the folder of the files, which is created if missing");
  AddText(*verb, "--entry", "NAME", &arguments->entry,
          "the name of the function and of the files; default: that of the model's file");
  AddText(*verb, "--node", "NODE", &arguments->node,
          "only this Max or ReduceMax node: by its name, or as #N by its position");
  AddDims(*verb, &arguments->dims);
  AddChoice(*verb, "--size-bits", {"16", "32", "64"}, &arguments->size_bits,
            "the width of size_t on the target; larger arrays are refused");
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddExternalData(*verb, &arguments->external);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
