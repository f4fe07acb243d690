// Common parts of max and reduce-max: tensors from files, one output tensor to a file.
#ifndef SUPREMUM_TOOLS_VERBS_FROM_FILES_H_
#define SUPREMUM_TOOLS_VERBS_FROM_FILES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_status.h"
#include "cli/options.h"
#include "supremum/bounds.h"
#include "supremum/model.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::cli {

struct FileArguments {
  std::vector<std::string> inputs;
  std::string output;
  std::vector<StatedDType> dtypes;
  std::vector<std::string> bounds;        ///< as --bound takes them
  std::optional<std::int64_t> max_bytes;  ///< as --max-bytes states it
  std::optional<std::int64_t> memory;     ///< as --memory states it
  bool sha256 = false;
  std::size_t threads = 0;
  std::string json;
};

class Outputs;
struct Streaming;
struct TensorReport;

/// The help on an input.
inline constexpr const char* kInputHelp =
    "a .npy, .npz, .pb or .safetensors file, FILE::NAME for one tensor of several, or NAME:DTYPE:SHAPE:FILE "
    "for "
    "a raw file";

/// Adds -o, --dtype, --bound, --memory, --sha256, --threads, --max-bytes and --json. `name` is the
/// help's word for the input that --dtype names; "" if there is only one input.
void AddFileOptions(CLI::App& verb, const std::string& name, FileArguments* arguments);

/// What a verb computes from.
struct ReadFiles {
  const std::vector<Tensor>& inputs;  ///< in their order; at least one
  const std::vector<Tensor>& bounds;  ///< one for each input, or none
  std::int64_t max_bytes;             ///< of all outputs together
};

/// Computes the output; with bounds, also those of the output. The output's name is left empty.
using Computation = std::function<Result<BoundedTensor>(const ReadFiles& files)>;

/// The memory limit of all inputs together, and of all outputs together.
std::int64_t MaxBytesFor(const FileArguments& arguments);

/// Creates the tensors of a BoundedTensor for a Computation, and calls `compute` for the value, or, with
/// bounds, `compute_bounded` for all four, with the views of the inputs and their bounds.
Result<BoundedTensor> MakeOutput(
    const ReadFiles& files, const Shape& shape,
    const std::function<Result<void>(std::span<const TensorView>, MutableTensorView)>& compute,
    const std::function<Result<void>(std::span<const TensorView>, std::span<const TensorView>,
                                     const BoundedOutput&)>& compute_bounded);

/// Prints the reports of the outputs, and writes them as JSON, with `value` as `key` if it is not null;
/// `outputs` get their names. Takes over `value`, whose destruction allocates and could fail after that.
Result<ExitStatus> DeliverReports(std::string_view verb, const FileArguments& arguments,
                                  const std::string& key, nlohmann::ordered_json&& value,
                                  std::span<const TensorReport> reports, double seconds, Outputs& outputs);

/// Executes the verb: reads the inputs, computes, writes the output and reports it. `streaming` does so in
/// parts, and `compute` in memory if the files cannot be computed in parts.
///
/// Errors: kInvalidArgument for an output with an unknown file name extension, and a --dtype or --bound that
///   does not name an input; those of StreamFromFiles, of ReadTensor, of `compute`, of Summarize, of
///   StageTensor and of Outputs. On an error all files are unchanged.
Result<ExitStatus> ComputeFromFiles(std::string_view verb, const FileArguments& arguments,
                                    const Computation& compute, const Streaming& streaming);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_FROM_FILES_H_
