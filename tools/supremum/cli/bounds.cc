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

Result<std::vector<std::optional<Tensor>>> ReadBounds(std::span<const std::string> texts,
                                                      std::span<const BoundedInput> inputs,
                                                      std::int64_t max_bytes, Progress& progress,
                                                      std::vector<StatedBound>* stated) {
  std::vector<std::optional<Tensor>> bounds(inputs.size());
  for (const std::string& text : texts) {
    std::string list, longest;
    std::size_t bounded = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      list += fmt::format("{}'{}'", i == 0 ? "the inputs are " : ", ", inputs[i].names.front());
      for (const std::string& name : inputs[i].names) {
        if (!text.starts_with(name + "=") || name.size() < longest.size()) continue;
        longest = name;
        bounded = i;
      }
    }
    const auto refuse = [&](const std::string& why) {
      return MakeError(ErrorCode::kInvalidArgument, fmt::format("--bound {}: {}", text, why));
    };
    if (longest.empty()) {
      return refuse("expected NAME=FILE, with NAME an input; " + (list.empty() ? "there are none" : list));
    }
    if (bounds[bounded]) {
      return refuse(fmt::format("the input '{}' already has a bound; give one for each input",
                                inputs[bounded].names.front()));
    }
    const StatedBound& bound = stated->emplace_back(StatedBound{longest, text.substr(longest.size() + 1)});
    progress.Phase("reading " + bound.file);
    io::ReadOptions options;
    // The one type that a .npy file does not state.
    if (inputs[bounded].dtype == DType::kBFloat16) options.stated_dtype = DType::kBFloat16;
    options.max_bytes = max_bytes;
    Result<NamedTensor> read = io::ReadTensor(bound.file, options);
    if (!read) return std::move(read).error();
    bounds[bounded] = std::move(read->tensor);
  }
  return bounds;
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
