// supremum inspect: the content of a model or a tensor file.
#include "verbs/inspect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/sha256.h"
#include "cli/table.h"
#include "io/files/file_bytes.h"
#include "io/formats/external_data.h"
#include "io/formats/parse_message.h"
#include "io/formats/tensor_file.h"
#include "supremum/annotate.h"
#include "supremum/model.h"
#include "verbs/run.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

struct InspectArguments {
  std::string file;
  std::vector<StatedDType> dtypes;
  bool values = false;
  bool all = false;
  std::uint64_t limit = 64;
  std::map<std::string, std::int64_t> dims;
  std::optional<std::int64_t> max_bytes;  ///< as --max-bytes states it
  ExternalDataOptions external;
  std::string json;
};

/// The most lines of a table without --all.
constexpr std::size_t kMostLines = 20;

/// The line under a table that leaves out `lines`.
std::string LeftOut(std::size_t lines) {
  return lines == 0 ? "" : fmt::format("  and {} more; --all lists them\n", lines);
}

/// A table under its title, with a line for each of `items`; without `all`, for the first ones.
template <class Item, class Cells>
std::string ListText(const std::string& title, std::vector<Table::Column> columns,
                     const std::vector<Item>& items, bool all, const Terminal& terminal, const Cells& cells) {
  if (items.empty()) return "";
  Table table(std::move(columns));
  const std::size_t shown = all ? items.size() : std::min(items.size(), kMostLines);
  for (std::size_t i = 0; i < shown; ++i) table.Add(cells(items[i]));
  return "\n" + title + "\n" + table.Text(terminal, 2) + LeftOut(items.size() - shown);
}

/// "local.fuse", or "fuse" of ONNX's own domain.
std::string NameIn(const std::string& domain, const std::string& name) {
  return domain.empty() ? name : domain + "." + name;
}

using Values = std::unordered_map<std::string, ValueInfo>;

/// A group of a model's values, under its title.
struct Group {
  std::string title;
  std::string json_key;
  std::vector<ValueInfo> values;
};

std::vector<Group> GroupsOf(const Model& model) {
  std::vector<Group> groups = {{"inputs", "inputs", model.inputs()},
                               {"optional inputs", "optional_inputs", model.optional_inputs()},
                               {"initializers", "initializers", model.initializers()},
                               {"outputs", "outputs", model.outputs()}};
  std::erase_if(groups, [](const Group& group) { return group.values.empty(); });
  return groups;
}

/// The known type and shape of the value `name`; unknown if it is not in `known`.
ValueInfo Known(const Values& known, const std::string& name) {
  const auto found = known.find(name);
  return found == known.end() ? ValueInfo{name, "", std::nullopt, std::nullopt} : found->second;
}

std::string TypeText(const ValueInfo& value) { return value.type_name.empty() ? "?" : value.type_name; }
std::string ShapeText(const ValueInfo& value) { return value.shape ? ToString(*value.shape) : "?"; }

/// "Max-13", or "ai.example.Fancy" of another domain.
std::string OperatorText(const NodeInfo& node) {
  const std::string name = NameIn(node.domain, node.op_type);
  return node.version == 0 ? name : fmt::format("{}-{}", name, node.version);
}

bool IsJudged(const NodeInfo& node) {
  return node.version != 0 && (node.op_type == "Max" || node.op_type == "ReduceMax");
}

/// The nodes by operator, the most frequent first.
std::vector<OperatorCount> CountsOf(const Model& model) {
  std::map<std::string, std::size_t> counts;
  for (const NodeInfo& node : model.nodes()) ++counts[NameIn(node.domain, node.op_type)];
  std::vector<OperatorCount> sorted;
  for (const auto& [op, nodes] : counts) sorted.push_back({op, nodes});
  std::ranges::stable_sort(sorted, std::greater<>(), &OperatorCount::nodes);
  return sorted;
}

/// The table of nodes; with a column for attributes where any node has some. Of many nodes it shows those
/// that `check` judges.
std::string NodesText(const Model& model, const Values& known, bool all, const Terminal& terminal) {
  const bool attributes =
      std::ranges::any_of(model.nodes(), [](const NodeInfo& node) { return !node.attributes.empty(); });
  std::vector<Table::Column> columns = {{"#", Table::kRight},
                                        {"node", Table::kLeft, 16},
                                        {"operator", Table::kLeft, 16},
                                        {"inputs", Table::kLeft, 16}};
  if (attributes) columns.push_back({"attributes", Table::kLeft, 24});
  columns.push_back({"outputs", Table::kLeft, 24});
  const bool calls =
      std::ranges::any_of(model.nodes(), [](const NodeInfo& node) { return !node.scope.empty(); });
  if (calls) columns.push_back({"in", Table::kLeft, 24});
  Table table(std::move(columns));
  const bool every = all || model.nodes().size() <= kMostLines;
  std::size_t shown = 0;
  for (const NodeInfo& node : model.nodes()) {
    if (!every && (shown == kMostLines || !IsJudged(node))) continue;
    ++shown;
    std::vector<std::string> texts, outputs;
    for (const AttributeInfo& attribute : node.attributes) texts.push_back(ToString(attribute));
    for (const std::string& name : node.outputs) {
      outputs.push_back(fmt::format("{} {}", name, ToString(Known(known, name))));
    }
    std::vector<std::string> row = {fmt::format("{}", node.index), node.name, OperatorText(node),
                                    fmt::format("{}", fmt::join(node.inputs, ", "))};
    if (attributes) row.push_back(fmt::format("{}", fmt::join(texts, ", ")));
    row.push_back(fmt::format("{}", fmt::join(outputs, ", ")));
    if (calls) row.push_back(node.scope);
    table.Add(std::move(row));
  }
  return "\nnodes\n" + (shown == 0 ? "" : table.Text(terminal, 2)) + LeftOut(model.nodes().size() - shown);
}

/// "ai.onnx.ml 3", the imports of other domains than ONNX's own.
std::vector<std::string> OtherOpsets(const ModelContents& contents) {
  std::vector<std::string> texts;
  for (const OpsetImport& import : contents.opsets) {
    if (import.domain.empty() || import.domain == "ai.onnx") continue;
    texts.push_back(fmt::format("{} {}", Printable(import.domain), import.version));
  }
  return texts;
}

std::string ModelText(const Model& model, const Values& known, bool all, const Terminal& terminal) {
  const ModelContents& contents = model.contents();
  std::string text =
      fmt::format("graph '{}', opset {}, IR version {}, producer '{}'\n", Printable(model.graph_name()),
                  model.opset(), model.ir_version(), Printable(contents.producer));
  if (const std::vector<std::string> opsets = OtherOpsets(contents); !opsets.empty())
    text += fmt::format("opsets of other domains: {}\n", fmt::join(opsets, ", "));
  text += fmt::format("nodes: {}\n", CountsText(CountsOf(model)));
  using Cells = std::vector<std::string>;
  for (const Group& group : GroupsOf(model)) {
    text += ListText(group.title, {{"name", Table::kLeft, 16}, {"dtype"}, {"shape", Table::kLeft, 16}},
                     group.values, all, terminal, [&](const ValueInfo& value) {
                       const ValueInfo info = Known(known, value.name);
                       const bool computed =
                           group.json_key != "initializers" || info.dtype || info.type_name.empty();
                       return Cells{value.name, TypeText(info) + (computed ? "" : ", cannot be computed"),
                                    ShapeText(info)};
                     });
  }
  text += NodesText(model, known, all, terminal);
  const Table::Column nodes{"nodes", Table::kRight}, checked{"Max and ReduceMax", Table::kRight};
  text += ListText("functions", {{"function", Table::kLeft, 16}, nodes, checked, {"calls", Table::kRight}},
                   contents.functions, all, terminal, [](const FunctionInfo& function) {
                     return Cells{NameIn(function.domain, function.name) +
                                      (function.overload.empty() ? "" : ":" + function.overload),
                                  std::to_string(function.nodes), std::to_string(function.checked),
                                  std::to_string(function.calls)};
                   });
  text += ListText(
      "subgraphs", {{"graph of", Table::kLeft, 24}, nodes, checked}, contents.subgraphs, all, terminal,
      [](const SubgraphInfo& subgraph) {
        return Cells{subgraph.place, std::to_string(subgraph.nodes), std::to_string(subgraph.checked)};
      });
  return text + ListText("external data", {{"file", Table::kLeft, 24}, {"tensors", Table::kRight}},
                         contents.external_data, all, terminal, [](const ExternalData& data) {
                           return Cells{data.location, std::to_string(data.tensors)};
                         });
}

/// {"axes": {"value": [0, -1], "default": false}, ...}; null for axes that are left out.
nlohmann::ordered_json AttributesJson(const NodeInfo& node) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const AttributeInfo& attribute : node.attributes) {
    nlohmann::ordered_json value = nullptr;
    if (attribute.integer) value = *attribute.integer;
    if (attribute.integers) value = *attribute.integers;
    json[attribute.name] = {{"value", std::move(value)}, {"default", attribute.is_default}};
  }
  return json;
}

nlohmann::ordered_json ValueJson(const ValueInfo& value) {
  nlohmann::ordered_json json = {{"name", value.name}, {"dtype", nullptr}, {"shape", nullptr}};
  if (!value.type_name.empty()) json["dtype"] = value.type_name;
  if (!value.shape) return json;
  json["shape"] = nlohmann::ordered_json::array();
  for (const Dim& dim : *value.shape) {
    nlohmann::ordered_json extent = nullptr;
    if (dim.value) {
      extent = *dim.value;
    } else if (!dim.symbol.empty()) {
      extent = dim.symbol;
    }
    json["shape"].push_back(std::move(extent));
  }
  return json;
}

void AddContents(const ModelContents& contents, nlohmann::ordered_json* json) {
  (*json)["opset_imports"] = nlohmann::ordered_json::array();
  for (const OpsetImport& import : contents.opsets)
    (*json)["opset_imports"].push_back({{"domain", import.domain}, {"version", import.version}});
}

nlohmann::ordered_json ModelJson(const Model& model, const Values& known, const InspectArguments& arguments,
                                 const std::string& digest, const nlohmann::ordered_json& external_data,
                                 const std::vector<std::string>& notes, const std::optional<Error>& error) {
  nlohmann::ordered_json json = JsonHead("inspect");
  json["model"] = arguments.file;
  json["sha256"] = digest;
  json["graph"] = model.graph_name();
  json["opset"] = model.opset();
  json["ir_version"] = model.ir_version();
  json["producer"] = model.contents().producer;
  for (const Group& group : GroupsOf(model)) {
    nlohmann::ordered_json& values = json[group.json_key] = nlohmann::ordered_json::array();
    for (const ValueInfo& value : group.values) values.push_back(ValueJson(Known(known, value.name)));
  }
  AddContents(model.contents(), &json);
  json["operators"] = nlohmann::ordered_json::array();
  for (const auto& [op, nodes] : CountsOf(model)) json["operators"].push_back({{"op", op}, {"nodes", nodes}});
  json["external_data"] = external_data;
  json["notes"] = notes;
  json["error"] = nullptr;
  if (error) json["error"] = error->message;
  // The last key: another one may copy all that is there.
  json["nodes"] = nlohmann::ordered_json::array();
  for (const NodeInfo& node : model.nodes()) {
    nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
    for (const std::string& name : node.outputs) outputs.push_back(ValueJson(Known(known, name)));
    json["nodes"].push_back({{"index", node.index},
                             {"name", node.name},
                             {"operator", OperatorText(node)},
                             {"scope", node.scope},
                             {"inputs", node.inputs},
                             {"attributes", AttributesJson(node)},
                             {"outputs", std::move(outputs)}});
  }
  return json;
}

/// Model::Infer; behind operators that are not executed, with the types and shapes that `supremum check`
/// infers. `notes` says where it could not.
Result<std::vector<ValueInfo>> InferAll(const Model& model, std::span<const std::byte> bytes,
                                        const std::string& file, const LoadOptions& options,
                                        std::vector<std::string>* notes) {
  Result<std::vector<ValueInfo>> inferred = model.Infer();
  const bool others =
      std::ranges::any_of(model.nodes(), [](const NodeInfo& node) { return node.version == 0; });
  if (!inferred || !others) return inferred;
  Result<AnnotatedModel> annotated =
      AnnotateModel(bytes, file, {.dims = options.dims, .max_bytes = options.max_bytes});
  if (!annotated) {
    notes->push_back(annotated.error().message);
    return inferred;
  }
  *notes = std::move(annotated->notes);
  LoadOptions again = options;
  again.dims.clear();  // the symbols are numbers now
  const Result<Model> stated = Model::Parse(annotated->bytes, file, again);
  if (!stated) return stated.error();
  return stated->Infer();
}

Result<ExitStatus> InspectModel(const InspectArguments& arguments, Outputs& outputs, Progress& progress) {
  const std::vector<std::string> files = FilesOfModel(arguments.file, arguments.external);
  const LoadOptions options{.max_bytes = MaxBytesFor(arguments.max_bytes, files),
                            .allow_external_data = arguments.external.allow,
                            .folder = io::FolderOfFile(arguments.file),
                            .dims = arguments.dims,
                            .external_data_root = arguments.external.root};
  Result<std::vector<std::byte>> bytes = io::ReadFileBytes(arguments.file, io::kMaxMessageBytes);
  if (!bytes) return bytes.error();
  const Result<std::string> digest = Sha256Of(*bytes);
  if (!digest) return digest.error();
  const Result<Model> model = Model::Parse(*bytes, arguments.file, options);
  if (!model) return model.error();
  const Result<nlohmann::ordered_json> external =
      ExternalDataJson(model->contents(), arguments.file, arguments.external);
  if (!external) return external.error();
  std::vector<std::string> notes = model->contents().notes;
  std::optional<Error> error;
  Values known;
  for (const Group& group : GroupsOf(*model)) {
    for (const ValueInfo& value : group.values) known[value.name] = value;
  }
  if (Result<std::vector<ValueInfo>> inferred = InferAll(*model, *bytes, arguments.file, options, &notes)) {
    for (ValueInfo& value : *inferred) known[value.name] = std::move(value);
  } else {
    error = inferred.error();
  }
  bytes = std::vector<std::byte>();
  progress.Hide();
  nlohmann::ordered_json json = ModelJson(*model, known, arguments, *digest, *external, notes, error);
  std::string text = ModelText(*model, known, arguments.all, Terminal::OfStdout());
  for (const std::string& note : notes) text += "\nnote: " + Printable(note) + '\n';
  const Result<ExitStatus> delivered = outputs.Deliver(std::move(json), text);
  if (delivered && error) return *error;
  return delivered;
}

Result<ExitStatus> InspectTensors(const InspectArguments& arguments, Outputs& outputs, Progress& progress) {
  const std::string file = std::filesystem::path(arguments.file).filename().string();
  const Result<void> stated =
      CheckStated(arguments.dtypes, {arguments.file, file},
                  fmt::format("and the file is {}; use that name, or give only the type", arguments.file));
  if (!stated) return stated.error();
  std::vector<io::UnsupportedTensor> unsupported;
  const io::ReadOptions options{.stated_dtype = StatedFor(arguments.dtypes, {arguments.file, file}),
                                .max_bytes = MaxBytesFor(arguments.max_bytes, {arguments.file}),
                                .unsupported = &unsupported};
  const Result<std::vector<NamedTensor>> tensors = io::ReadTensors(arguments.file, options);
  if (!tensors) return tensors.error();
  std::vector<TensorReport> reports;
  for (const auto& [name, tensor] : *tensors) {
    progress.Phase("summarizing " + name);
    Result<TensorReport> report = ReportOf(name, tensor, true);
    if (!report) return report.error();
    reports.push_back(std::move(*report));
  }
  progress.Hide();
  nlohmann::ordered_json json = JsonHead("inspect");
  json["file"] = arguments.file;
  json["tensors"] = ToJson(reports);
  json["cannot_be_computed"] = nlohmann::ordered_json::array();
  std::string text;
  if (!reports.empty() || unsupported.empty())
    text = TensorTable(reports, std::nullopt, Terminal::OfStdout());
  Table table({{"name", Table::kLeft, 16}, {"dtype"}, {"shape", Table::kLeft, 16}});
  for (const io::UnsupportedTensor& tensor : unsupported) {
    const std::vector<std::int64_t> shape(tensor.shape.begin(), tensor.shape.end());
    json["cannot_be_computed"].push_back(
        {{"name", tensor.name}, {"dtype", tensor.type_name}, {"shape", shape}});
    table.Add({tensor.name.empty() ? "-" : tensor.name, tensor.type_name, ToString(tensor.shape)});
  }
  if (!unsupported.empty()) {
    text +=
        std::string(text.empty() ? "" : "\n") + "cannot be computed\n" + table.Text(Terminal::OfStdout(), 2);
  }
  for (std::size_t i = 0; i < tensors->size() && arguments.values; ++i) {
    const auto& [name, tensor] = (*tensors)[i];
    json["tensors"][i]["values"] = ValuesJson(tensor, arguments.limit);
    text += ValuesText(name, tensor, arguments.limit, Terminal::OfStdout());
  }
  return outputs.Deliver(std::move(json), text);
}

Result<ExitStatus> Execute(const InspectArguments& arguments) {
  Progress progress;
  progress.Phase("reading " + arguments.file);
  Outputs outputs;
  outputs.Reads(arguments.file);
  outputs.ReadsModel(arguments.file, arguments.external);
  if (Result<void> claimed = outputs.ClaimJson(arguments.json); !claimed) return claimed.error();
  const bool tensors = io::LooksLikeTensor(arguments.file);
  if (!tensors && LooksLikeOneDnn(arguments.file)) return OneDnnRefused("inspect", arguments.file);
  if ((!arguments.dims.empty() || arguments.all) && tensors) {
    return MakeError(ErrorCode::kInvalidArgument,
                     fmt::format("{} is for models, and {} is a tensor file; leave it out",
                                 arguments.all ? "--all" : "--dim", arguments.file));
  }
  if (tensors) return InspectTensors(arguments, outputs, progress);
  if (!arguments.dtypes.empty() || arguments.values) {
    return MakeError(ErrorCode::kInvalidArgument,
                     fmt::format("{} is for tensor files, and {} is a model; leave it out",
                                 arguments.values ? "--values" : "--dtype", arguments.file));
  }
  return InspectModel(arguments, outputs, progress);
}

}  // namespace

std::string CountsText(std::span<const OperatorCount> counts) {
  constexpr std::size_t kNamed = 10;
  if (counts.empty()) return "none";
  std::string text;
  std::size_t others = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i < kNamed) {
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", counts[i].nodes, Printable(counts[i].op));
    } else {
      others += counts[i].nodes;
    }
  }
  return others == 0 ? text : text + fmt::format(" and {} of other operators", others);
}

Verb AddInspect(CLI::App& app) {
  const auto arguments = std::make_shared<InspectArguments>();
  CLI::App* verb = AddVerb(
      app, "inspect", "Shows the content of a model or a tensor file.",
      "A model is shown with the number of its nodes by operator, and with the types and shapes that it\n"
      "states and that can be inferred, for operators of other kinds those of values that Max and\n"
      "ReduceMax nodes use; '?' is unknown. Attributes of ReduceMax are shown with their defaults;\n"
      "external data is listed. Without --all a list has at most 20 lines, and\n"
      "that of more than 20 nodes only Max and ReduceMax nodes; the JSON is always complete. If\n"
      "inference finds an error, the graph is shown as stated, followed by the error. Tensors whose type\n"
      "cannot be computed are listed with it. FILE::NAME shows one tensor of a .npz or .safetensors file.\n"
      "--values shows floats in decimal, as hexadecimal floats and as bits.\n\n"
      "Examples:\n"
      "  supremum inspect fuse.onnx\n"
      "  supremum inspect net.onnx --dim batch=1\n"
      "  supremum inspect net.onnx --all\n"
      "  supremum inspect a.npy --values --limit 4\n"
      "  supremum inspect v.npy --dtype bfloat16\n"
      "  supremum inspect b:float32:2x3:b.bin --json -\n");
  AddPositional(*verb, "FILE", &arguments->file,
                "a .npy, .npz, .pb or .safetensors file, one tensor of several as FILE::NAME, a raw one as "
                "NAME:DTYPE:SHAPE:FILE, or a model");
  AddDTypes(*verb, "", &arguments->dtypes);
  AddFlag(*verb, "--all", &arguments->all, "list every value and node of a model");
  AddFlag(*verb, "--values", &arguments->values, "show the elements of tensors");
  AddNumber(*verb, "--limit", "N", &arguments->limit, "show at most this many elements of a tensor");
  AddDims(*verb, &arguments->dims);
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddExternalData(*verb, &arguments->external);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
