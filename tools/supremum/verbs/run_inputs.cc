#include "verbs/run_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "cli/random.h"
#include "cli/terminal.h"
#include "core/operand_errors.h"
#include "io/formats/raw.h"
#include "io/formats/tensor_file.h"

namespace supremum::cli {
namespace {

Error Invalid(std::string_view details) { return MakeError(ErrorCode::kInvalidArgument, details); }

/// A name or a type from a model, which may be very long, shortened.
std::string Shown(std::string_view text) { return Shortened(text, 200); }

/// All inputs of a run, the required ones first.
std::vector<ValueInfo> AllInputs(const StatedInputs& stated) {
  std::vector<ValueInfo> all = stated.required;
  all.insert(all.end(), stated.optional.begin(), stated.optional.end());
  return all;
}

std::string InputList(const StatedInputs& stated) {
  std::string list;
  for (const ValueInfo& input : AllInputs(stated))
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", input.name);
  return list.empty() ? "the model has no inputs" : "the model's inputs are " + list;
}

bool HasInput(const StatedInputs& stated, std::string_view name) {
  return std::ranges::any_of(AllInputs(stated), [&](const ValueInfo& input) { return input.name == name; });
}

/// The NAME of a raw specification NAME:DTYPE:SHAPE:FILE; nullopt if `text` is not of that form or has no
/// name.
std::optional<std::string> NameOfRaw(const std::string& text) {
  if (!io::LooksLikeRaw(text) || text.starts_with(':')) return std::nullopt;
  return text.substr(0, text.find(':'));
}

struct Assignment {
  std::string input;  ///< "": by position
  std::string file;
};

/// Reads one --input, as InputHelp describes it.
Result<Assignment> Assign(const StatedInputs& stated, const std::string& text) {
  Assignment best{"", text};
  for (const ValueInfo& input : AllInputs(stated)) {
    if (input.name.size() >= best.input.size() && text.starts_with(input.name + "=")) {
      best = {input.name, text.substr(input.name.size() + 1)};
    }
  }
  if (!best.input.empty()) return best;
  if (const std::optional<std::string> name = NameOfRaw(text)) {
    if (HasInput(stated, *name)) return Assignment{*name, text};
    return Invalid(fmt::format("--input {}: there is no input '{}'; {}", text, *name, InputList(stated)));
  }
  std::error_code ignored;
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && !std::filesystem::exists(text, ignored)) {
    return Invalid(fmt::format("--input {}: there is no input '{}', and no file of this name; {}", text,
                               text.substr(0, equals), InputList(stated)));
  }
  return best;
}

/// The file for each input that has one.
Result<std::map<std::string, std::string>> AssignAll(const StatedInputs& stated,
                                                     const std::vector<std::string>& texts) {
  std::map<std::string, std::string> files;
  std::vector<std::string> by_position;
  for (const std::string& text : texts) {
    Result<Assignment> assignment = Assign(stated, text);
    if (!assignment) return assignment.error();
    if (assignment->input.empty()) {
      by_position.push_back(text);
    } else if (!files.emplace(assignment->input, assignment->file).second) {
      return Invalid(fmt::format("input '{}' is given twice: {} and {}", assignment->input,
                                 files[assignment->input], assignment->file));
    }
  }
  auto next = by_position.begin();
  for (const ValueInfo& input : stated.required) {
    if (next != by_position.end() && files.emplace(input.name, *next).second) ++next;
  }
  if (next != by_position.end()) {
    return Invalid(fmt::format("--input {}: every input already has a file; {}", *next, InputList(stated)));
  }
  return files;
}

/// Binds symbolic dimensions to the extents of `shape`. Model::Run reports contradictions.
void BindDims(const ValueInfo& input, const Shape& shape, std::map<std::string, std::int64_t>* dims) {
  if (!input.shape || input.shape->size() != shape.rank()) return;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    const std::string& symbol = (*input.shape)[d].symbol;
    if (!symbol.empty()) dims->emplace(symbol, shape[d]);
  }
}

Result<Tensor> FillAtRandom(const ValueInfo& input, const std::map<std::string, std::int64_t>& dims,
                            std::uint64_t seed, std::int64_t max_bytes) {
  const std::string what = fmt::format("input '{}' cannot be filled at random: it is {}", Shown(input.name),
                                       Shown(ToString(input)));
  if (!input.dtype) return MakeError(ErrorCode::kTypeNotExplicit, what + "; give it a file with --input");
  std::vector<std::int64_t> extents;
  // A shape that is not stated is treated like one unknown extent: both ask for a file.
  for (const Dim& dim : input.shape.value_or(SymbolicShape{Dim{}})) {
    const auto bound = dims.find(dim.symbol);
    if (dim.value) {
      extents.push_back(*dim.value);
    } else if (bound != dims.end() && !dim.symbol.empty()) {
      extents.push_back(bound->second);
    } else {
      const std::string hint = dim.symbol.empty()
                                   ? fmt::format("give it a file with --input {}=FILE", Shown(input.name))
                                   : fmt::format("set '{0}' with --dim {0}=VALUE", Shown(dim.symbol));
      return MakeError(ErrorCode::kShapeNotExplicit, fmt::format("{}; {}", what, hint));
    }
  }
  const std::optional<Shape> shape = Shape::FromSpan(extents);
  if (!shape) return RankError(fmt::format("input '{}'", Shown(input.name)), extents.size());
  return TensorOf("random", *input.dtype, *shape, seed, max_bytes);
}

/// A type stated for an unknown input would have no effect.
Result<void> CheckDTypeNames(const StatedInputs& stated, const std::vector<StatedDType>& dtypes) {
  for (const StatedDType& dtype : dtypes) {
    if (dtype.name.empty() || HasInput(stated, dtype.name)) continue;
    return Invalid(fmt::format("--dtype: there is no input '{}'; {}", dtype.name, InputList(stated)));
  }
  return {};
}

}  // namespace

std::string_view InputHelp() {
  return "The forms of --input, tried in this order:\n"
         "  NAME=FILE               NAME is an input of the model, or a tensor's id in a oneDNN graph\n"
         "  NAME:DTYPE:SHAPE:FILE   a raw file for the input NAME; SHAPE as 2x3, empty for a scalar\n"
         "  FILE                    for the first input, in the model's order, that is given neither\n"
         "                          by name nor by an earlier FILE; an input with an initializer can\n"
         "                          be given only by name\n"
         "FILE is a .npy, .npz, .pb or .safetensors file, one tensor of several as FILE::NAME, or a raw\n"
         "file as :DTYPE:SHAPE:FILE.\n";
}

Result<GatheredInputs> GatherInputs(const StatedInputs& stated, const InputRequest& request,
                                    Progress& progress) {
  if (Result<void> checked = CheckDTypeNames(stated, request.dtypes); !checked) return checked.error();
  const Result<std::map<std::string, std::string>> files = AssignAll(stated, request.files);
  if (!files) return files.error();

  GatheredInputs gathered;
  std::map<std::string, std::int64_t> dims = request.dims;
  std::int64_t left = request.max_bytes;
  for (const ValueInfo& input : AllInputs(stated)) {
    const auto file = files->find(input.name);
    if (file == files->end()) continue;
    progress.Phase("reading " + file->second);
    std::optional<DType> stated_dtype = StatedFor(request.dtypes, {input.name});
    // A .npy file has no name for this type, but the model does.
    if (!stated_dtype && input.dtype == DType::kBFloat16 && !io::LooksLikeRaw(file->second)) {
      stated_dtype = DType::kBFloat16;
    }
    Result<NamedTensor> read =
        io::ReadTensor(file->second, {.stated_dtype = stated_dtype, .max_bytes = left});
    if (!read) return read.error();
    left -= static_cast<std::int64_t>(read->tensor.byte_size());
    BindDims(input, read->tensor.shape(), &dims);
    gathered.tensors.push_back({input.name, std::move(read->tensor)});
    gathered.sources.push_back(file->second);
  }
  // The seed of each input depends on its position, so that a file for one input does not change the others.
  SplitMix64 seeds(request.seed.value_or(0));
  for (const ValueInfo& input : stated.required) {
    const std::uint64_t seed = seeds.Next();
    if (files->contains(input.name)) continue;
    if (!request.seed) {
      return Invalid(
          fmt::format("input '{0}' ({1}) is not given: add --input {0}=FILE, or --random SEED to fill it",
                      input.name, ToString(input)));
    }
    if (stated.axes.contains(input.name)) {
      return Invalid(
          fmt::format("input '{0}' names the dimensions to reduce, which are not filled at random: give it "
                      "a file with --input {0}=FILE",
                      Shown(input.name)));
    }
    progress.Phase("filling " + input.name);
    Result<Tensor> filled = FillAtRandom(input, dims, seed, left);
    if (!filled) return filled.error();
    left -= static_cast<std::int64_t>(filled->byte_size());
    gathered.tensors.push_back({input.name, std::move(*filled)});
    gathered.sources.push_back("random");
  }
  return gathered;
}

}  // namespace supremum::cli
