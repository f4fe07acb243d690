// What max and reduce-max have in common: tensors from files in, one tensor to a file out.
#ifndef SUPREMUM_TOOLS_FROM_FILES_H_
#define SUPREMUM_TOOLS_FROM_FILES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exit_status.h"
#include "options.h"
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
  bool resume = false;
  bool sha256 = false;  ///< of the output too where it is streamed; otherwise it always is
  std::size_t threads = 0;
  std::string json;
};

/// The type that --dtype states for the input at `position`.
std::optional<DType> StatedDTypeOf(const FileArguments& arguments, std::size_t position);

struct Streaming;

/// What the help says of an input.
inline constexpr const char* kInputHelp =
    "a .npy, .npz, .pb or .safetensors file, or NAME:DTYPE:SHAPE:FILE for a raw file";

/// Adds -o, --dtype, --bound, --memory, --resume, --sha256, --threads, --max-bytes and --json. `name` is what
/// the help calls the name that --dtype gives an input; "" if there is but one input.
void AddFileOptions(CLI::App& verb, const std::string& name, FileArguments* arguments);

/// Makes the output of the inputs, in their order; there is at least one. Of `bounds` there are as many, or
/// none; with them it makes what is known of the output too. The output's name is left empty.
using Computation = std::function<Result<BoundedTensor>(const std::vector<Tensor>& inputs,
                                                        const std::vector<Tensor>& bounds)>;

/// How much memory the inputs may take together, and the outputs.
std::int64_t MaxBytesFor(const FileArguments& arguments);

/// Fills a BoundedTensor for a Computation: makes its tensors, and calls `compute` for the value alone, or
/// `compute_bounded` for all, with the inputs' views and, for the latter, those of their bounds.
Result<BoundedTensor> MakeOutput(
    const std::vector<Tensor>& inputs, const std::vector<Tensor>& bounds, const Shape& shape,
    std::int64_t max_bytes,
    const std::function<Result<void>(std::span<const TensorView>, MutableTensorView)>& compute,
    const std::function<Result<void>(std::span<const TensorView>, std::span<const TensorView>,
                                     const BoundedOutput&)>& compute_bounded);

/// Executes the verb: reads the inputs, computes, writes the output and reports it; by `streaming` what
/// memory does not hold.
///
/// Errors: kInvalidArgument for an output whose ending tells no format, and a --dtype or --bound that names
///   no input; those of StreamFromFiles, of ReadTensor, of `compute`, of Summarize, of StageTensor and of
///   Outputs. On an error all files are as they were.
Result<ExitStatus> ComputeFromFiles(std::string_view verb, const FileArguments& arguments,
                                    const Computation& compute, const Streaming& streaming);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_FROM_FILES_H_
