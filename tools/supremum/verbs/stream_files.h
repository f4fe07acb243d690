// max and reduce-max of files that are larger than the memory limit.
#ifndef SUPREMUM_TOOLS_VERBS_STREAM_FILES_H_
#define SUPREMUM_TOOLS_VERBS_STREAM_FILES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/exit_status.h"
#include "cli/outputs.h"
#include "io/formats/tensor_file.h"
#include "stream/stream.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"
#include "verbs/from_files.h"

namespace supremum::cli {

/// How a verb computes files that are larger than the memory limit.
struct Streaming {
  /// The output's shape, from inputs without data. Errors: those that the operator has for them.
  std::function<Result<Shape>(std::span<const TensorView>)> shape;

  /// The operation with its options, on one line: a run resumes a checkpoint only if this is equal.
  std::string operation;

  std::int64_t least_buffer_bytes = 0;
  std::function<Result<void>(std::span<const stream::Source>, const Shape&, stream::Output&,
                             const stream::StreamOptions&)>
      run;
};

/// What a verb computes in memory: the open input files and the output's shape. Both are empty if an input is
/// neither .npy nor raw, or could not be opened: reading it reports the error.
struct InMemory {
  std::vector<stream::Source> sources;
  std::optional<Shape> shape;
};

/// Executes the verb in tiles if inputs and output are .npy or raw files which together exceed --memory, or
/// if --resume is given. Otherwise returns the open files: the caller computes in memory.
///
/// Requires: `outputs` has claimed the output files; `format` is that of the output, and `max_bytes` is
/// MaxBytesFor(arguments).
/// Errors: as ComputeFromFiles; kInvalidArgument if --resume is not possible; kLimitExceeded if --memory is
///   less than the command needs; those of stream::Output and of the run.
Result<std::variant<ExitStatus, InMemory>> StreamFromFiles(std::string_view verb,
                                                           const FileArguments& arguments,
                                                           io::TensorFormat format, std::int64_t max_bytes,
                                                           const Streaming& streaming, Outputs& outputs);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_STREAM_FILES_H_
