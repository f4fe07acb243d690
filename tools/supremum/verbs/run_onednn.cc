// supremum run, for oneDNN graphs.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "cli/sha256.h"
#include "core/messages.h"
#include "core/quote.h"
#include "io/files/file_bytes.h"
#include "io/formats/tensor_file.h"
#include "supremum/onednn_graph.h"
#include "verbs/run.h"

namespace supremum::cli {
namespace {

Error Invalid(std::string_view details) { return MakeError(ErrorCode::kInvalidArgument, details); }

Result<void> CheckOptions(const RunArguments& arguments) {
  if (arguments.strictness.AsProfile() == Profile::kSonnx) {
    return Invalid(fmt::format(
        "--profile sonnx: the profile applies to ONNX models, and {} is a oneDNN graph; leave it out",
        arguments.model));
  }
  if (!arguments.bounds.empty()) {
    return Invalid(fmt::format(
        "--bound {}: error bounds are supported for ONNX models only, and {} is a oneDNN graph; leave it out",
        arguments.bounds.front(), arguments.model));
  }
  if (!arguments.inputs.dims.empty()) {
    return Invalid(fmt::format(
        "--dim {}: the unknown extents of {}, a oneDNN graph, have no names; they follow from the "
        "inputs' files",
        arguments.inputs.dims.begin()->first, arguments.model));
  }
  return {};
}

// The inputs, named by their ids, as --input, --dtype and --random take them.
StatedInputs InputsOf(const OneDnnGraph& graph) {
  StatedInputs stated;
  for (const OneDnnTensor& input : graph.inputs()) {
    ValueInfo info{std::to_string(input.id), input.dtype_name, input.dtype, std::nullopt};
    if (input.dtype) info.type_name = Name(*input.dtype);
    if (input.shape) {
      info.shape.emplace();
      for (std::int64_t extent : *input.shape) {
        Dim dim;
        if (extent != kUnknownExtent) dim.value = extent;
        info.shape->push_back(std::move(dim));
      }
    }
    stated.required.push_back(std::move(info));
  }
  return stated;
}

// Random axes are refused, since most would be out of range.
Result<void> RefuseRandomAxes(const OneDnnGraph& graph, const GatheredInputs& inputs) {
  for (const OneDnnTensor& stated : graph.inputs()) {
    const std::string name = std::to_string(stated.id);
    const auto at = std::ranges::find(inputs.tensors, name, &NamedTensor::name);
    const auto place = static_cast<std::size_t>(at - inputs.tensors.begin());
    if (at == inputs.tensors.end() || inputs.sources[place] != "random" || !graph.IsAxes(stated.id)) continue;
    return Invalid(fmt::format(
        "input '{0}' is the axes of a ReduceMax, which --random does not fill; add --input {0}=FILE", name));
  }
  return {};
}

}  // namespace

bool LooksLikeOneDnn(const std::string& path) {
  if (path.ends_with(".json")) return true;
  const Result<io::InputFile> file = io::InputFile::Open(path);
  if (!file) return false;
  std::string head(static_cast<std::size_t>(std::min<std::int64_t>(file->size(), 4096)), '\0');
  if (!file->ReadAt(0, std::as_writable_bytes(std::span(head)))) return false;
  std::string_view text = head;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // UTF-8's byte order mark
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

Error OneDnnRefused(std::string_view verb, const std::string& path) {
  const Result<io::InputFile> file = io::InputFile::Open(path);
  if (!file) return file.error();
  const std::string foreign = io::ForeignContentOf(*file);
  if (!foreign.empty()) return ErrorAt(ErrorCode::kMalformedFile, Quote(path), foreign);
  return Invalid(fmt::format(
      "{} takes ONNX models, and {} is a oneDNN graph, a JSON text; `supremum run` checks it against the "
      "rules before it computes",
      verb, path));
}

Result<OneDnnGraph> LoadOneDnn(const std::string& path, std::int64_t max_bytes, std::string* digest) {
  const Result<std::vector<std::byte>> bytes = io::ReadFileBytes(path, max_bytes);
  if (!bytes) return bytes.error();
  if (digest != nullptr) {
    const Result<std::string> computed = Sha256Of(*bytes);
    if (!computed) return computed.error();
    *digest = *computed;
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  return OneDnnGraph::Parse(text, path, max_bytes);
}

Result<ComputedRun> ComputeOneDnn(const RunArguments& arguments, Progress& progress) {
  if (Result<void> ok = CheckOptions(arguments); !ok) return ok.error();
  const std::int64_t max_bytes = arguments.inputs.max_bytes;
  std::string digest;
  const Result<OneDnnGraph> graph =
      LoadOneDnn(arguments.model, max_bytes, arguments.json.empty() ? nullptr : &digest);
  if (!graph) return graph.error();
  if (arguments.before) {
    std::vector<std::string> names;
    for (const OneDnnTensor& output : graph->outputs()) names.push_back(std::to_string(output.id));
    if (Result<void> may_run = arguments.before(names); !may_run) return may_run.error();
  }
  Result<GatheredInputs> inputs = GatherInputs(InputsOf(*graph), arguments.inputs, progress);
  if (!inputs) return inputs.error();
  if (Result<void> ok = RefuseRandomAxes(*graph, *inputs); !ok) return ok.error();

  OneDnnRunOptions options;
  options.identical_shapes_only = arguments.strictness.no_broadcast;
  options.threads = arguments.threads;
  options.max_bytes = max_bytes;
  options.progress = [&](std::size_t done, std::size_t total) {
    progress.Phase(fmt::format("op {} of {}", done + 1, total));
  };
  Result<TimedOutputs> timed = RunTimed([&] { return graph->Run(inputs->tensors, options); });
  if (!timed) return timed.error();
  return ComputedRun{*std::move(inputs), std::move(timed->outputs), timed->seconds, digest, std::nullopt};
}

}  // namespace supremum::cli
