// The output of a streamed operator: written in order, resumable, and there under its name when it is
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

#include "formats/partial_file.h"
#include "stream/checkpoints.h"
#include "stream/running_hash.h"
#include "stream/source.h"
#include "stream/worker.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum::stream {

struct OutputOptions {
  /// Go on with what an earlier run left, if there is something.
  bool resume = false;

  /// Called with every element of the output, in order and in pieces, also with those that an earlier run
  /// wrote.
  std::function<void(std::span<const std::byte>)> on_elements;

  /// At least so long lies between two notes of what is done.
  std::chrono::milliseconds between_checkpoints = std::chrono::milliseconds(1000);
};

/// Not for two threads at once. WriteBehind is how elements get there.
class Output {
 public:
  /// What goes on while the caller computes what comes next: a thread that writes, and one that hashes and
  /// calls on_elements.
  struct Background {
    explicit Background(bool threaded) : writer(threaded), hasher(threaded) {}
    Worker writer, hasher;
  };

  /// A .npy file, or with `raw` the elements alone. `operation` says what is computed, in a line: with the
  /// sources' fingerprints it is what an earlier run must have had to be gone on with.
  ///
  /// Errors: kIo, also where there is too little space; kInvalidArgument if another process writes the same
  ///   output, and with `resume` if the earlier run was another; kMalformedFile for a note that is damaged.
  static Result<Output> Create(const std::string& target, bool raw, DType dtype, const Shape& shape,
                               const std::string& operation, std::span<const Source> sources,
                               const OutputOptions& options);

  /// The elements that are done, of `elements()`.
  std::int64_t position() const { return position_; }
  std::int64_t elements() const { return elements_; }

  /// The tile, beginning at position(), that an earlier run did not finish; Restore reads its elements.
  const std::optional<UnfinishedTile>& unfinished() const { return unfinished_; }
  Result<void> Restore(std::span<std::byte> into) const;

  /// Appends elements, which must stay until Settle. Requires: Settle was called since the last Append.
  void Append(std::span<const std::byte> bytes, Background\& background);

  /// Waits until what was appended is written, and notes it now and then. Errors: kIo.
  Result<void> Settle(Background\& background);

  /// True if it is time to note what is done.
  bool Due() const { return std::chrono::steady_clock::now() >= due_; }

  /// Notes that of the tile at position() `steps` are done, and its elements so far. The output must have
  /// room for twice the tile. Requires: Settle was called since Append. Errors: kIo.
  Result<void> SaveTile(std::span<const std::byte> bytes, std::int64_t steps);

  /// Ends the complete output and makes it durable; Commit does it too. Errors: kIo.
  Result<void> Finish();

  /// Gives the complete output its name. Errors: kIo.
  Result<void> Commit();

  /// Nothing that was done is worth going on with: it is removed with this object.
  void Abandon() { file_.Abandon(); }

  /// Whether another run can go on with what is done.
  bool kept() const { return file_.kept(); }

 private:
  Output(formats::PartialFile file, const OutputOptions& options);
  Result<void> Resume(std::vector<std::string> facts);
  Result<void> ResumeFrom(const Checkpoints& left);
  Result<std::string> HashOf(std::int64_t from, std::int64_t elements, RunningHash hash) const;
  Result<void> ForEachPiece(std::int64_t from, std::int64_t elements,
                            const std::function<void(std::span<const std::byte>)>& piece) const;
  // At `offset` bytes of the file, little-endian there and in the machine's byte order here.
  Result<void> ReadElements(std::int64_t offset, std::span<std::byte> into) const;
  Result<void> WriteElements(std::int64_t offset, std::span<const std::byte> bytes);
  Result<void> KeepCheckpoints();
  std::int64_t OffsetOf(std::int64_t element) const {
    return static_cast<std::int64_t>(header_.size()) + element * width_;
  }

  formats::PartialFile file_;
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
  bool recorded_ = true;  // all that was appended
};

/// What a stream returns: `done`, or the error that a source was changed meanwhile. If a source is not what
/// it was or not what it should be, the output is abandoned, since there is nothing to go on with.
Result<void> EndOfStream(std::span<const Source> sources, const Result<void>& done, Output& output);

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_OUTPUT_H_
