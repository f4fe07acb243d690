// max and reduce-max of files that memory does not hold.
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

/// How a verb computes from files what does not fit in memory.
struct Streaming {
  /// The output's shape, from inputs without data. Errors: those that the operator has for them.
  std::function<Result<Shape>(std::span<const TensorView>)> shape;

  /// What is computed, in a line: an interrupted run is gone on with only by one that computes the same.
  std::string operation;

  std::int64_t least_buffer_bytes = 0;
  std::function<Result<void>(std::span<const stream::Source>, const Shape&, stream::Output&,
                             const stream::StreamOptions&)>
      run;
};

/// Executes the verb by tiles if inputs and output are .npy or raw files which together exceed --memory, or
/// if
/// --resume is given. Otherwise nullopt: it is for memory.
///
/// `outputs` has claimed what the run makes. Errors: as ComputeFromFiles; kInvalidArgument for --resume where
/// it cannot be; kLimitExceeded if --memory is
///   less than the command needs; those of stream::Output and of the run.
Result<std::optional<ExitStatus>> StreamFromFiles(std::string_view verb, const FileArguments& arguments,
                                                  const Streaming& streaming, Outputs& outputs);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_STREAM_FILES_H_
