// max and reduce-max of files that are larger than the memory limit.
#ifndef SUPREMUM_TOOLS_STREAM_FILES_H_
#define SUPREMUM_TOOLS_STREAM_FILES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "exit_status.h"
#include "from_files.h"
#include "outputs.h"
#include "stream/stream.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

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

/// Executes the verb in tiles if inputs and output are .npy or raw files which together exceed --memory, or
/// if
/// --resume is given. Otherwise nullopt: the caller computes in memory.
///
/// Requires: `outputs` has claimed the output files.
/// Errors: as ComputeFromFiles; kInvalidArgument if --resume is not possible; kLimitExceeded if --memory is
/// less than
///   the command needs; those of stream::Output and of the run.
Result<std::optional<ExitStatus>> StreamFromFiles(std::string_view verb, const FileArguments& arguments,
                                                  const Streaming& streaming, Outputs& outputs);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_STREAM_FILES_H_
