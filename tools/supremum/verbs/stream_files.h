// max and reduce-max of files that can be read in parts.
#ifndef SUPREMUM_TOOLS_VERBS_STREAM_FILES_H_
#define SUPREMUM_TOOLS_VERBS_STREAM_FILES_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "cli/exit_status.h"
#include "cli/outputs.h"
#include "io/formats/tensor_file.h"
#include "stream/stream.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"
#include "verbs/from_files.h"

namespace supremum::cli {

/// How a verb computes files in parts.
struct Streaming {
  /// The output's shape, from inputs without data. Errors: those that the operator has for them.
  std::function<Result<Shape>(std::span<const TensorView>)> shape;

  std::int64_t least_buffer_bytes = 0;
  std::function<Result<void>(std::span<const stream::Source>, const Shape&, stream::Output&,
                             const stream::StreamOptions&)>
      run;
};

/// True if the files can be computed in parts.
bool CanBeStreamed(const FileArguments& arguments, io::TensorFormat output);

/// Executes the verb in tiles.
///
/// Requires: CanBeStreamed; `outputs` has claimed the output files; `format` is that of the output,
/// and `max_bytes` is MaxBytesFor(arguments).
/// Errors: those of io::OpenElements; kLimitExceeded for an output of more than `max_bytes`, and if --memory
///   is less than the command needs; those of stream::Output and of the run.
Result<ExitStatus> StreamFromFiles(std::string_view verb, const FileArguments& arguments,
                                   io::TensorFormat format, std::int64_t max_bytes,
                                   const Streaming& streaming, Outputs& outputs);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_STREAM_FILES_H_
