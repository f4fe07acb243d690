// Bounds of the inputs' errors, read from files, and the resulting bounds of the outputs, written to files.
#ifndef SUPREMUM_TOOLS_CLI_BOUNDS_H_
#define SUPREMUM_TOOLS_CLI_BOUNDS_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/progress.h"
#include "supremum/model.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace CLI {
class App;
}

namespace supremum::cli {

/// `--bound NAME=FILE`: the file with the bounds of the errors of the input NAME.
struct StatedBound {
  std::string name;
  std::string file;
};

/// Adds --bound; `name` is the help's word for the name of an input.
void AddBounds(CLI::App& verb, const std::string& name, std::vector<std::string>* value);

/// The help on --bound, below the options.
std::string_view BoundHelp();

/// Splits each of `texts` at the '=' after the longest of `names` that it begins with.
///
/// Errors: kInvalidArgument if it begins with none of `names`; `inputs` is the text that lists the inputs.
Result<std::vector<StatedBound>> PartBounds(std::span<const std::string> texts,
                                            std::span<const std::string> names, const std::string& inputs);

/// The bounds of an input of type `dtype`. Errors: those of ReadTensor.
Result<Tensor> ReadBound(const StatedBound& bound, DType dtype, std::int64_t max_bytes, Progress& progress);

/// The outputs under their names, followed by the bounds of each: those of `y` as "y.bound", "y.lower" and
/// "y.upper".
std::vector<NamedTensor> Listed(std::vector<BoundedTensor> outputs);

/// {"y.bound", "y.lower", "y.upper"} for the output y.
std::vector<std::string> BoundNames(const std::string& output);

/// {"a": "e.npy"}: the file of each bound by its input.
nlohmann::ordered_json ToJson(std::span<const StatedBound> bounds);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_BOUNDS_H_
