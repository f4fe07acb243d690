// supremum annotate: states in a model the types, shapes and attributes that the rules want stated.
#include "supremum/annotate.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
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
#include "io/formats/parse_message.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

struct AnnotateArguments {
  std::string model;
  std::string output;
  std::map<std::string, std::int64_t> dims;
  std::optional<std::int64_t> max_bytes;  ///< as --max-bytes states it
  std::string json;
};

std::string AnnotationsText(const AnnotatedModel& model, const std::string& output) {
  std::string text;
  for (const Annotation& annotation : model.annotations) {
    text += fmt::format("{} {}{}{}\n", Printable(annotation.subject), Printable(annotation.text),
                        annotation.place.empty() ? "" : " in ", Printable(annotation.place));
  }
  for (const std::string& note : model.notes) text += "note: " + Printable(note) + '\n';
  const std::size_t count = model.annotations.size();
  return text +
         fmt::format("{} {} in {}\n", count, count == 1 ? "annotation" : "annotations", Printable(output));
}

Result<ExitStatus> Execute(const AnnotateArguments& arguments) {
  Progress progress;
  progress.Phase("annotating " + arguments.model);
  Outputs outputs;
  outputs.ReadsModel(arguments.model);
  Result<void> claimed = outputs.Claim("--output", arguments.output, Outputs::Kind::kReport);
  if (claimed) claimed = outputs.ClaimJson(arguments.json);
  if (!claimed) return claimed.error();
  const Result<std::vector<std::byte>> bytes = io::ReadFileBytes(arguments.model, io::kMaxMessageBytes);
  if (!bytes) return bytes.error();
  const Result<AnnotatedModel> model = AnnotateModel(
      *bytes, arguments.model,
      {.dims = arguments.dims, .max_bytes = MaxBytesFor(arguments.max_bytes, {arguments.model})});
  if (!model) return model.error();

  const std::string_view stated(reinterpret_cast<const char*>(model->bytes.data()), model->bytes.size());
  if (Result<void> written = outputs.Write(arguments.output, stated); !written) return written.error();

  nlohmann::ordered_json json = JsonHead("annotate");
  json["model"] = arguments.model;
  json["output"] = arguments.output;
  for (const auto& [key, content] :
       {std::pair("sha256", &*bytes), std::pair("output_sha256", &model->bytes)}) {
    const Result<std::string> digest = Sha256Of(*content);
    if (!digest) return digest.error();
    json[key] = *digest;
  }
  json["dims"] = arguments.dims;
  json["annotations"] = nlohmann::ordered_json::array();
  for (const Annotation& annotation : model->annotations) {
    json["annotations"].push_back(
        {{"scope", annotation.place}, {"subject", annotation.subject}, {"text", annotation.text}});
  }
  json["notes"] = model->notes;
  progress.Hide();
  return outputs.Deliver(std::move(json), AnnotationsText(*model, arguments.output));
}

}  // namespace

Verb AddAnnotate(CLI::App& app) {
  const auto arguments = std::make_shared<AnnotateArguments>();
  CLI::App* verb = AddVerb(
      app, "annotate", "Writes a model with the types, shapes and attributes that the rules want stated.",
      "For every Max and ReduceMax node outside functions, the types and shapes of its inputs and\n"
      "outputs are stated as far as they follow, and attributes that have their default are written.\n"
      "The model computes the same bits. Each change is printed. What does not follow, remains:\n"
      "`supremum check --profile sonnx` says what. Shapes behind other operators follow if the onnx\n"
      "library here knows the opset; `supremum.annotate` of Python uses the one of that Python.\n\n"
      "Examples:\n"
      "  supremum annotate net.onnx -o stated.onnx\n"
      "  supremum annotate net.onnx --dim batch=1 -o stated.onnx --json changes.json\n");
  AddPositional(*verb, "MODEL", &arguments->model, "an ONNX model; it may have other operators");
  AddRequiredText(*verb, "-o,--output", "FILE", &arguments->output, "the annotated model");
  AddDims(*verb, &arguments->dims);
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
