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
#include "io/files/file_bytes.h"
#include "io/formats/external_data.h"
#include "io/formats/parse_message.h"
#include "supremum/static_graph.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

struct EmitArguments {
  std::string model;
  std::string output;
  std::string entry;
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

Result<StaticGraph> GraphOf(const EmitArguments& arguments, const std::vector<std::byte>& bytes) {
  LoadOptions options;
  options.max_bytes = MaxBytesFor(arguments.max_bytes, FilesOfModel(arguments.model, arguments.external));
  options.allow_external_data = arguments.external.allow;
  options.external_data_root = arguments.external.root;
  options.folder = io::FolderOfFile(arguments.model);
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
  const Result<StaticGraph> graph = GraphOf(arguments, *bytes);
  if (!graph) return graph.error();
  progress.Phase("writing " + paths[1]);
  Result<EmittedC> emitted = EmitC(*graph, options);
  if (!emitted) return emitted.error();
  emitted->facts["dims"] = arguments.dims;

  const std::string facts = JsonDocument(emitted->facts, 2);
  const std::string* const texts[] = {&emitted->header, &emitted->source, &facts};
  for (std::size_t i = 0; i < std::size(paths); ++i) {
    if (Result<void> written = outputs.Write(paths[i], *texts[i]); !written) return written.error();
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
  return outputs.Deliver(std::move(emitted->facts), text);
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
      "dimension. The same model gives the same bytes. A node of a model with other operators becomes a\n"
      "model of its own by `supremum extract --node`.\n\n"
      "Examples:\n"
      "  supremum emit-c fuse.onnx -o c\n"
      "  supremum emit-c batch.onnx --dim N=1 --entry fuse_scores -o c --json facts.json\n");
  AddPositional(*verb, "MODEL", &arguments->model, "an ONNX model");
  AddRequiredText(*verb, "-o,--output", "DIR", &arguments->output,
                  "the folder of the files, which is created if missing");
  AddText(*verb, "--entry", "NAME", &arguments->entry,
          "the name of the function and of the files; default: that of the model's file");
  AddDims(*verb, &arguments->dims);
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddExternalData(*verb, &arguments->external);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
