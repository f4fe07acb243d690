// Bounds of the inputs' errors, read from files, and the resulting bounds of the outputs, written to files.
#ifndef SUPREMUM_TOOLS_CLI_BOUNDS_H_
#define SUPREMUM_TOOLS_CLI_BOUNDS_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
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

/// An input that --bound may name.
struct BoundedInput {
  std::vector<std::string> names;  ///< the first is shown in errors
  DType dtype = DType::kFloat32;
};

/// The bounds of each of `inputs`, if one of `texts` has them. Each text is split at the '=' after the
/// longest name that it begins with. Appends what it read to `stated`.
///
/// Errors: kInvalidArgument if a text names no input, or one that has a bound already; those of ReadTensor.
Result<std::vector<std::optional<Tensor>>> ReadBounds(std::span<const std::string> texts,
                                                      std::span<const BoundedInput> inputs,
                                                      std::int64_t max_bytes, Progress& progress,
                                                      std::vector<StatedBound>* stated);

/// The outputs under their names, followed by the bounds of each: those of `y` as "y.bound", "y.lower" and
/// "y.upper".
std::vector<NamedTensor> Listed(std::vector<BoundedTensor> outputs);

/// {"y.bound", "y.lower", "y.upper"} for the output y.
std::vector<std::string> BoundNames(const std::string& output);

/// {"a": "e.npy"}: the file of each bound by its input.
nlohmann::ordered_json ToJson(std::span<const StatedBound> bounds);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_BOUNDS_H_
