#include "cli/bounds.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/options.h"
#include "io/formats/tensor_file.h"

namespace supremum::cli {

void AddBounds(CLI::App& verb, const std::string& name, std::vector<std::string>* value) {
  AddRepeated(verb, "--bound", name + "=FILE", value,
              "a file with bounds of the errors of an input, see below");
}

std::string_view BoundHelp() {
  return "--bound NAME=FILE bounds the absolute error of each element of an input: a tensor of the input's\n"
         "type and shape, or one that is broadcast to it, such as a scalar. Inputs without it are exact.\n"
         "For each output Y it also computes Y.bound, a bound of the error of Y (ACC-2), and Y.lower and\n"
         "Y.upper, which enclose the true result (ACC-3), rounded outwards.\n";
}

Result<std::vector<StatedBound>> PartBounds(std::span<const std::string> texts,
                                            std::span<const std::string> names, const std::string& inputs) {
  std::vector<StatedBound> bounds;
  for (const std::string& text : texts) {
    const std::string* longest = nullptr;
    for (const std::string& name : names) {
      const bool begins = text.starts_with(name + "=");
      if (begins && (longest == nullptr || name.size() > longest->size())) longest = &name;
    }
    if (longest == nullptr) {
      return MakeError(ErrorCode::kInvalidArgument,
                       fmt::format("--bound {}: expected NAME=FILE, with NAME an input; {}", text, inputs));
    }
    bounds.push_back({*longest, text.substr(longest->size() + 1)});
  }
  return bounds;
}

Result<Tensor> ReadBound(const StatedBound& bound, DType dtype, std::int64_t max_bytes, Progress& progress) {
  progress.Phase("reading " + bound.file);
  io::ReadOptions options;
  // The one type that a .npy file does not state.
  if (dtype == DType::kBFloat16) options.stated_dtype = dtype;
  options.max_bytes = max_bytes;
  Result<NamedTensor> read = io::ReadTensor(bound.file, options);
  if (!read) return std::move(read).error();
  return std::move(read->tensor);
}

std::vector<NamedTensor> Listed(std::vector<BoundedTensor> outputs) {
  std::vector<NamedTensor> list, known;
  for (BoundedTensor& output : outputs) {
    known.push_back({output.name + ".bound", std::move(output.bound)});
    known.push_back({output.name + ".lower", std::move(output.lower)});
    known.push_back({output.name + ".upper", std::move(output.upper)});
    list.push_back({std::move(output.name), std::move(output.value)});
  }
  // The outputs come first, so that their files have the same names as without bounds.
  for (NamedTensor& tensor : known) list.push_back(std::move(tensor));
  return list;
}

std::vector<std::string> BoundNames(const std::string& output) {
  return {output + ".bound", output + ".lower", output + ".upper"};
}

nlohmann::ordered_json ToJson(std::span<const StatedBound> bounds) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const StatedBound& bound : bounds) json[bound.name] = bound.file;
  return json;
}

}  // namespace supremum::cli
