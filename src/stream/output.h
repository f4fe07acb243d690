// The output of a streamed operator: written in order, resumable, and visible under its name only when it is
// complete.
#ifndef SUPREMUM_SRC_STREAM_OUTPUT_H_
#define SUPREMUM_SRC_STREAM_OUTPUT_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/files/partial_file.h"
#include "stream/checkpoints.h"
#include "stream/running_hash.h"
#include "stream/source.h"
#include "stream/worker.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum::stream {

struct OutputOptions {
  /// Resume the output of an earlier run, if there is one, and keep checkpoints.
  bool resume = false;

  /// Called with all elements of the output, in order and in pieces, including those of an earlier run.
  std::function<void(std::span<const std::byte>)> on_elements;

  /// Minimum interval between checkpoints.
  std::chrono::milliseconds between_checkpoints = std::chrono::milliseconds(1000);
};

/// Not thread-safe. WriteBehind appends the elements.
class Output {
 public:
  /// Background writer and hasher: one thread writes, another hashes and calls on_elements.
  struct Background {
    explicit Background(bool threaded) : writer(threaded), hasher(threaded) {}
    Worker writer, hasher;
  };

  /// Creates a file of `header` and the elements. `operation` describes the computation in one line. A run is
  /// resumed only if `operation` and the sources' fingerprints are the same.
  ///
  /// Errors: kIo, also if there is too little space; kInvalidArgument if another process writes the same
  ///   output, and with `resume` if the earlier run computed something else; kMalformedFile for a damaged
  ///   resume file.
  static Result<Output> Create(const std::string& target, std::string header, DType dtype, const Shape& shape,
                               const std::string& operation, std::span<const Source> sources,
                               const OutputOptions& options);

  /// The number of elements that are done, of `elements()`.
  std::int64_t position() const { return position_; }
  std::int64_t elements() const { return elements_; }

  /// The tile at position() that an earlier run did not finish; Restore reads its elements.
  const std::optional<UnfinishedTile>& unfinished() const { return unfinished_; }
  Result<void> Restore(std::span<std::byte> into) const;

  /// Appends elements, which must remain valid until Settle. Requires: Settle was called since the last
  /// Append.
  void Append(std::span<const std::byte> bytes, Background& background);

  /// Waits until the appended elements are written; writes a checkpoint if one is due. Errors: kIo.
  Result<void> Settle(Background& background);

  /// True if a checkpoint is due.
  bool Due() const { return std::chrono::steady_clock::now() >= due_; }

  /// Writes a checkpoint of the tile at position(): its elements so far, after `steps` elements of its input.
  /// The output must have room for two such tiles. Requires: Settle was called since Append. Errors: kIo.
  Result<void> SaveTile(std::span<const std::byte> bytes, std::int64_t steps);

  /// Truncates the complete output to its size and makes it durable; Commit does it too. Errors: kIo.
  Result<void> Finish();

  /// Gives the complete output its name. Errors: kIo.
  Result<void> Commit();

  /// Removes the resume file: the output cannot be resumed, and is removed with this object.
  void Abandon() { file_.Abandon(); }

  /// True if another run can resume.
  bool kept() const { return file_.kept(); }

 private:
  Output(io::PartialFile file, const OutputOptions& options);
  Result<void> Resume(std::vector<std::string> facts);
  Result<void> ResumeFrom(const Checkpoints& left);
  Result<std::string> HashOf(std::int64_t from, std::int64_t elements, RunningHash hash) const;
  Result<void> ForEachPiece(std::int64_t from, std::int64_t elements,
                            const std::function<void(std::span<const std::byte>)>& piece) const;
  // At byte `offset` of the file. Converts between the file's little-endian order and the processor's.
  Result<void> ReadElements(std::int64_t offset, std::span<std::byte> into) const;
  Result<void> WriteElements(std::int64_t offset, std::span<const std::byte> bytes);
  Result<void> KeepCheckpoints();
  std::int64_t OffsetOf(std::int64_t element) const {
    return static_cast<std::int64_t>(header_.size()) + element * width_;
  }

  io::PartialFile file_;
  RunningHash hash_;
  OutputOptions options_;
  std::string header_;
  std::int64_t width_ = 1;
  std::int64_t elements_ = 0;
  std::int64_t position_ = 0;
  Checkpoints checkpoints_;
  std::int64_t slot_ = 0;
  std::optional<UnfinishedTile> unfinished_;
  std::chrono::steady_clock::time_point due_ = std::chrono::steady_clock::now();
  bool recorded_ = true;  // the last checkpoint contains all appended elements
  bool finished_ = false;
};

/// The result of a stream: `done`, or the error that a source was changed meanwhile. The output is abandoned
/// if a source was changed or is malformed, since it cannot be resumed then.
Result<void> EndOfStream(std::span<const Source> sources, const Result<void>& done, Output& output);

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_OUTPUT_H_
